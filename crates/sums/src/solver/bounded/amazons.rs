//! Amazons on a small board.
//!
//! A room with queens of one player only is an integer: the largest number of moves there.

use super::cells::{Rectangle, count, first, take_first};
use super::{Board, Estimate, Flow, Order, Visitor};
use crate::game::Game;
use crate::value::Player;

/// The positions searched to count the moves in one room; larger rooms stay on the board.
const MOST_FILLINGS: u32 = 2_000;

/// A player who is ahead by this many cells is as likely to win as with any more.
const FAR_AHEAD: i32 = 40;

/// The number of rooms that are remembered.
const ROOMS: usize = 1 << 14;

/// The geometry of the board, and the moves in rooms of one player.
pub(super) struct Amazons {
    board: Rectangle,
    rooms: Vec<Room>,
}

/// Queens of one player alone with some empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Room {
    empty: u64,
    queens: u64,
    /// The largest number of moves, if it was found.
    moves: Option<i8>,
}

/// A position as seen by the player to move. In arrays the mover comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    empty: u64,
    queens: [u64; 2],
    /// The rooms of single players: the moves of the mover there less those of the opponent.
    number: i8,
}

impl Amazons {
    /// Replaces rooms of one player by integers, and removes cells that no queen can reach.
    fn normal_form(&mut self, mut position: Position) -> Position {
        let everything = position.empty | position.queens[0] | position.queens[1];
        let mut reached = 0;
        let mut rest = position.queens[0] | position.queens[1];
        while rest != 0 {
            let room = self.board.flood_around(first(rest), everything);
            rest &= !room;
            reached |= room;
            let alone = |player: &usize| room & position.queens[1 - player] == 0;
            let Some(owner) = [0, 1].into_iter().find(alone) else {
                continue;
            };
            let queens = position.queens[owner] & room;
            if let Some(moves) = self.room_moves(position.empty & room, queens) {
                position.number += if owner == 0 { moves } else { -moves };
                position.queens[owner] &= !room;
                reached &= !room;
            }
        }
        position.empty &= reached;
        position
    }

    /// The largest number of moves of queens that are alone in a room.
    fn room_moves(&mut self, empty: u64, queens: u64) -> Option<i8> {
        let mut allowed = MOST_FILLINGS;
        self.fill(empty, queens, &mut allowed)
    }

    fn fill(&mut self, empty: u64, queens: u64, allowed: &mut u32) -> Option<i8> {
        // Each move blocks a cell.
        let cells = count(empty) as i8;
        if cells <= 1 {
            return Some(cells);
        }
        let slot = (empty ^ queens.rotate_left(21)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (slot >> 40) as usize % ROOMS;
        let known = self.rooms[slot];
        if (known.empty, known.queens) == (empty, queens) {
            return known.moves;
        }
        let moves = self.fill_by_moves(empty, queens, cells, allowed);
        self.rooms[slot] = Room {
            empty,
            queens,
            moves,
        };
        moves
    }

    fn fill_by_moves(
        &mut self,
        empty: u64,
        queens: u64,
        cells: i8,
        allowed: &mut u32,
    ) -> Option<i8> {
        *allowed = allowed.checked_sub(1)?;
        let mut best = 0;
        let mut froms = queens;
        while let Some(from) = take_first(&mut froms) {
            let mut tos = self.board.rays(from, empty);
            while let Some(to) = take_first(&mut tos) {
                let moved = queens & !from | to;
                let free = (empty | from) & !to;
                let mut arrows = self.board.rays(to, free);
                while let Some(arrow) = take_first(&mut arrows) {
                    let free = free & !arrow;
                    let reached = self.board.flood_around(moved, free | moved) & free;
                    if count(reached) as i8 >= best {
                        best = best.max(1 + self.fill(reached, moved, allowed)?);
                    }
                    if best == cells {
                        return Some(best);
                    }
                }
            }
        }
        Some(best)
    }

    /// Each move blocks a cell, so neither player can make more moves than there are empty cells.
    fn winner(&self, position: &Position) -> Option<bool> {
        let number = position.number;
        let moves = self.board.rays(position.queens[0], position.empty);
        let [mine, theirs] = position.queens.map(|queens| {
            if queens == 0 {
                0
            } else {
                count(position.empty) as i8
            }
        });
        if number + mine <= 0 || moves == 0 && number <= 0 {
            return Some(false);
        }
        (number > theirs || number == theirs && moves != 0).then_some(true)
    }

    /// As seen by the player who has moved to this position: cells that are nearer to a player's
    /// queens, in steps of a king, and cells that the queens reach at once.
    fn estimate(&self, position: &Position) -> Estimate {
        if let Some(wins) = self.winner(position) {
            return Estimate::Known(wins);
        }
        let Position { empty, queens, .. } = *position;
        let [theirs, mine] = queens.map(|queens| count(self.board.rays(queens, empty)));
        let [mut near_them, mut near_me] = queens;
        let mut nearer = 0;
        loop {
            let next = |near: u64| self.board.around(near) & empty & !near;
            let [new_theirs, new_mine] = [near_them, near_me].map(next);
            if new_theirs | new_mine == 0 {
                break;
            }
            nearer += count(new_mine & !near_them & !new_theirs);
            nearer -= count(new_theirs & !near_me & !new_mine);
            near_them |= new_theirs;
            near_me |= new_mine;
        }
        let number = i32::from(position.number);
        let replies = (1 + theirs + number.max(0)) as u32;
        let behind = (FAR_AHEAD + number - nearer).max(0);
        Estimate::Open {
            score: 2 * (nearer - number + mine - theirs),
            effort: replies * replies / 2 + 4 * behind as u32,
        }
    }
}

impl Board for Amazons {
    type Position = Position;
    type Key = [u64; 3];
    const ORDER: Order = Order::ProofNumbers;
    const CELLS_PER_CHILD: usize = 64;

    fn new(games: &[Game]) -> Option<Amazons> {
        Some(Amazons {
            board: Rectangle::of(games)?,
            rooms: vec![Room::default(); ROOMS],
        })
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        let grid = self.board.grid(games)?;
        let empty = self.board.cells(&grid, b".");
        let queens = [first, !first].map(|player| self.board.cells(&grid, &[player.stone()]));
        Some(self.normal_form(Position {
            empty,
            queens,
            number: 0,
        }))
    }

    fn key(&self, position: &Position) -> [u64; 3] {
        let [mine, theirs] = position.queens;
        let mut key = self.board.least_image([position.empty, mine, theirs]);
        key[0] |= u64::from(position.number as u8) << 56;
        key
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        self.winner(position)
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let Position {
            empty,
            queens: [mine, theirs],
            number,
        } = *position;
        let mut froms = mine;
        while let Some(from) = take_first(&mut froms) {
            let mut tos = self.board.rays(from, empty);
            while let Some(to) = take_first(&mut tos) {
                let free = (empty | from) & !to;
                let mut arrows = self.board.rays(to, free);
                while let Some(arrow) = take_first(&mut arrows) {
                    let next = self.normal_form(Position {
                        empty: free & !arrow,
                        queens: [theirs, mine & !from | to],
                        number: -number,
                    });
                    visit(next, self.estimate(&next))?;
                }
            }
        }
        if number > 0 {
            let next = Position {
                empty,
                queens: [theirs, mine],
                number: 1 - number,
            };
            visit(next, self.estimate(&next))?;
        }
        Flow::Continue(())
    }
}
