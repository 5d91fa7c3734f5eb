//! King Dirt on a small board.
//!
//! Each move fills an empty cell. When all kings are placed, a room with kings of one player only is
//! an integer: the largest number of moves there.

use super::cells::{Rectangle, count, first, take_first};
use super::{Board, Estimate, Flow, Order, Visitor};
use crate::game::Game;
use crate::rules::KingDirtParts;
use crate::value::Player;

/// The positions searched to count the moves in one room; larger rooms stay on the board.
const MOST_WALKS: u32 = 500;

/// A player who is ahead by this many cells is as likely to win as with any more.
const FAR_AHEAD: i32 = 20;

/// The number of rooms that are remembered.
const ROOMS: usize = 1 << 11;

/// The geometry of the board, and the moves in rooms of one player.
pub(super) struct KingDirt {
    board: Rectangle,
    rooms: Vec<Room>,
}

/// Kings of one player alone with some empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Room {
    empty: u64,
    kings: u64,
    /// The largest number of moves, if it was found.
    moves: Option<i8>,
}

/// A position as seen by the player to move. In arrays the mover comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    empty: u64,
    kings: [u64; 2],
    /// Kings that are not placed.
    waiting: [u8; 2],
    /// A player with such kings must place one.
    must_place: bool,
    /// The rooms of single players: the moves of the mover there less those of the opponent.
    number: i8,
}

impl KingDirt {
    /// Removes kings that cannot move. When all kings are placed, replaces rooms of one player by
    /// integers, and removes cells that no king can reach.
    fn normal_form(&mut self, mut position: Position) -> Position {
        let near = self.board.around(position.empty);
        position.kings = position.kings.map(|kings| kings & near);
        if position.waiting != [0, 0] {
            return position;
        }
        position.must_place = false;
        let mut reached = 0;
        let mut rest = position.kings[0] | position.kings[1];
        while rest != 0 {
            let room = self.room(first(rest), position.empty, rest);
            rest &= !room;
            reached |= room;
            let alone = |player: &usize| room & position.kings[1 - player] == 0;
            let Some(owner) = [0, 1].into_iter().find(alone) else {
                continue;
            };
            let kings = position.kings[owner] & room;
            if let Some(moves) = self.room_moves(position.empty & room, kings) {
                position.number += if owner == 0 { moves } else { -moves };
                position.kings[owner] &= !room;
                reached &= !room;
            }
        }
        position.empty &= reached;
        position
    }

    /// The empty cells and kings that are connected to a king. Two kings that touch do not connect
    /// their rooms, because neither cell becomes empty.
    fn room(&self, king: u64, empty: u64, kings: u64) -> u64 {
        let mut room = king;
        loop {
            let cells = self.board.around(room) & empty;
            let more = room | cells | self.board.around(cells) & kings;
            if more == room {
                return room;
            }
            room = more;
        }
    }

    /// The largest number of moves of kings that are alone in a room.
    fn room_moves(&mut self, empty: u64, kings: u64) -> Option<i8> {
        let mut allowed = MOST_WALKS;
        self.walk(empty, kings, &mut allowed)
    }

    fn walk(&mut self, empty: u64, kings: u64, allowed: &mut u32) -> Option<i8> {
        let cells = count(empty) as i8;
        if cells <= 1 {
            return Some(cells);
        }
        let slot = (empty ^ kings.rotate_left(21)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (slot >> 40) as usize % ROOMS;
        let known = self.rooms[slot];
        if (known.empty, known.kings) == (empty, kings) {
            return known.moves;
        }
        let moves = self.walk_by_moves(empty, kings, cells, allowed);
        self.rooms[slot] = Room {
            empty,
            kings,
            moves,
        };
        moves
    }

    fn walk_by_moves(
        &mut self,
        empty: u64,
        kings: u64,
        cells: i8,
        allowed: &mut u32,
    ) -> Option<i8> {
        *allowed = allowed.checked_sub(1)?;
        let mut best = 0;
        let mut froms = kings;
        while let Some(from) = take_first(&mut froms) {
            let mut tos = self.board.around(from) & empty;
            while let Some(to) = take_first(&mut tos) {
                let moved = kings & !from | to;
                let free = empty & !to;
                let reached = self.board.flood_around(moved, free | moved) & free;
                let moved = moved & self.board.around(reached);
                if count(reached) as i8 >= best {
                    best = best.max(1 + self.walk(reached, moved, allowed)?);
                }
                if best == cells {
                    return Some(best);
                }
            }
        }
        Some(best)
    }

    /// The number of moves of a player on the board.
    fn moves_of(&self, position: &Position, player: usize) -> i32 {
        let Position { empty, kings, .. } = *position;
        let placements = match position.waiting[player] {
            0 => 0,
            _ => count(empty),
        };
        if placements > 0 && position.must_place {
            return placements;
        }
        let mut moves = placements;
        let mut rest = kings[player];
        while let Some(king) = take_first(&mut rest) {
            moves += count(self.board.around(king) & empty);
        }
        moves
    }

    /// Each move fills a cell, so neither player can make more moves than there are empty cells that
    /// the player can reach.
    fn winner(&self, position: &Position) -> Option<bool> {
        let Position {
            empty,
            kings,
            waiting,
            number,
            ..
        } = *position;
        let [mine, theirs] = [0, 1].map(|player| match (kings[player], waiting[player]) {
            (0, 0) => 0,
            _ => count(empty) as i8,
        });
        if number + mine <= 0 {
            return Some(false);
        }
        // A king that is left on the board can move, and so can one that is placed.
        (number > theirs || number == theirs && mine > 0).then_some(true)
    }

    fn visit(&mut self, after: Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let next = self.normal_form(after);
        visit(next, self.estimate(&next))
    }

    /// As seen by the player who has moved to this position: cells that are nearer to a player's
    /// kings, and their moves.
    fn estimate(&self, position: &Position) -> Estimate {
        if let Some(wins) = self.winner(position) {
            return Estimate::Known(wins);
        }
        let [theirs, mine] = [0, 1].map(|player| self.moves_of(position, player));
        let [mut near_them, mut near_me] = position.kings;
        let mut nearer = 0;
        loop {
            let next = |near: u64| self.board.around(near) & position.empty & !near;
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
            score: 2 * (nearer - number) + mine - theirs,
            effort: replies * replies.isqrt() + 4 * behind as u32,
        }
    }
}

impl Position {
    /// The position after a move on the board; `mine` are the mover's kings.
    fn after(&self, empty: u64, mine: u64, waiting: u8) -> Position {
        Position {
            empty,
            kings: [self.kings[1], mine],
            waiting: [self.waiting[1], waiting],
            must_place: self.must_place,
            number: -self.number,
        }
    }
}

impl Board for KingDirt {
    type Position = Position;
    type Key = [u64; 3];
    const ORDER: Order = Order::ProofNumbers;
    const CELLS_PER_CHILD: usize = 64;

    fn new(games: &[Game]) -> Option<KingDirt> {
        let [game] = games else {
            return None;
        };
        let KingDirtParts { grid, .. } = KingDirtParts::of(&game.position);
        let board = Rectangle::of_grid(&grid)?;
        let rooms = vec![Room::default(); ROOMS];
        Some(KingDirt { board, rooms })
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        let [game] = games else {
            return None;
        };
        let parts = KingDirtParts::of(&game.position);
        if !self.board.has_size_of(&parts.grid) {
            return None;
        }
        let players = [first, !first];
        let cells = |letter: u8| self.board.cells(&parts.grid, &[letter]);
        let empty = cells(b'.');
        // No more kings than cells can be placed.
        let waiting = |player: Player| parts.waiting[player as usize].min(count(empty) as u8);
        Some(self.normal_form(Position {
            empty,
            kings: players.map(|player| cells(player.stone())),
            waiting: players.map(waiting),
            must_place: parts.must_place,
            number: 0,
        }))
    }

    /// The least image; the highest byte of each word, which no place uses, has the numbers.
    fn key(&self, position: &Position) -> [u64; 3] {
        let [mine, theirs] = position.kings;
        let mut key = self.board.least_image([position.empty, mine, theirs]);
        let must_place = u8::from(position.must_place) << 7;
        let [waiting, their_waiting] = position.waiting;
        let heads = [position.number as u8, waiting | must_place, their_waiting];
        for (word, head) in key.iter_mut().zip(heads) {
            *word |= u64::from(head) << 56;
        }
        key
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        self.winner(position)
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let Position {
            empty,
            kings: [mine, _],
            waiting: [waiting, _],
            number,
            ..
        } = *position;
        let may_place = waiting > 0 && empty != 0;
        let mut places = if may_place { empty } else { 0 };
        while let Some(place) = take_first(&mut places) {
            self.visit(
                position.after(empty & !place, mine | place, waiting - 1),
                visit,
            )?;
        }
        let must_place = may_place && position.must_place;
        let mut froms = if must_place { 0 } else { mine };
        while let Some(from) = take_first(&mut froms) {
            let mut tos = self.board.around(from) & empty;
            while let Some(to) = take_first(&mut tos) {
                self.visit(
                    position.after(empty & !to, mine & !from | to, waiting),
                    visit,
                )?;
            }
        }
        if number > 0 {
            let after = Position {
                number: 1 - number,
                ..position.after(empty, mine, waiting)
            };
            self.visit(after, visit)?;
        }
        Flow::Continue(())
    }
}
