//! NoGo on a small board.
//!
//! The normal form follows [`crate::rules`]: a move that is illegal stays illegal. So a cell where
//! neither player may play stays empty, the groups beside it are immortal, and a region where only
//! one player may play is an integer. Of immortal stones and closed cells only their effect
//! remains: on cells beside them the stones of a player are safe.

use super::cells::{Rectangle, count, first, take_first};
use super::{Board, Estimate, Flow, Order, Visitor};
use crate::game::Game;
use crate::value::Player;

/// The fewest open cells for which it pays to look ahead.
const FEWEST_TO_LOOK_AHEAD: i32 = 13;

/// The geometry of the board.
pub(super) struct Nogo {
    board: Rectangle,
}

/// A position as seen by the player to move. In arrays the mover comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    cells: Cells,
    /// The regions of single players: the moves of the mover there less those of the opponent.
    number: i8,
    /// The cells where each player may play.
    legal: [u64; 2],
    /// Moves in `cells` that each player can make whatever the opponent does.
    sure: [i8; 2],
    /// No player can make more moves in `cells` than this.
    most: [i8; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cells {
    /// Empty cells where a player may play.
    open: u64,
    /// Stones of groups that are not known to be immortal.
    stones: [u64; 2],
    /// Open cells where a stone of the player is immortal.
    safe: [u64; 2],
}

impl Cells {
    /// As seen by the opponent.
    fn swapped(self) -> Cells {
        let ([mine, theirs], [my_safe, their_safe]) = (self.stones, self.safe);
        Cells {
            open: self.open,
            stones: [theirs, mine],
            safe: [their_safe, my_safe],
        }
    }
}

impl Nogo {
    /// Removes the groups that contain one of these cells: they are immortal.
    fn make_immortal(&self, cells: &mut Cells, player: usize, seeds: u64) {
        let stones = cells.stones[player];
        let group = self.board.flood(seeds & stones, stones);
        cells.stones[player] &= !group;
        cells.safe[player] |= self.board.beside(group) & cells.open;
    }

    fn legal(&self, cells: &Cells) -> [u64; 2] {
        let open = cells.open;
        // The last empty neighbours of groups, and the neighbours of groups that have several.
        let (mut last, mut firm) = ([0; 2], [0; 2]);
        for player in 0..2 {
            let mut rest = cells.stones[player];
            while rest != 0 {
                let group = self.board.flood(first(rest), rest);
                rest &= !group;
                let liberties = self.board.beside(group) & open;
                if liberties == first(liberties) {
                    last[player] |= liberties;
                } else {
                    firm[player] |= liberties;
                }
            }
        }
        let airy = self.board.beside(open);
        [0, 1].map(|player| open & !last[1 - player] & (airy | firm[player] | cells.safe[player]))
    }

    /// Removes everything that does not affect further play.
    fn normal_form(&self, mut cells: Cells, mut number: i8) -> Position {
        // 1. Cells where neither player may play stay empty, and groups beside them are immortal.
        let mut legal = self.legal(&cells);
        let closed = cells.open & !legal[0] & !legal[1];
        if closed != 0 {
            cells.open &= !closed;
            let near = self.board.beside(closed);
            for player in 0..2 {
                self.make_immortal(&mut cells, player, near);
                cells.safe[player] |= near;
            }
        }
        // 2. Regions of one player are integers.
        if legal[0] & legal[1] != cells.open {
            number += self.take_territories(&mut cells, legal);
        }
        // 3. Only the empty neighbours of a group matter, and only safety where one may play.
        legal = legal.map(|legal| legal & cells.open);
        cells.safe = [0, 1].map(|player| cells.safe[player] & legal[player]);
        cells.stones = cells
            .stones
            .map(|stones| self.essential(stones, cells.open));
        Position {
            cells,
            number,
            legal,
            sure: [0, 1].map(|player| self.sure_moves(&cells, legal, player)),
            most: [0, 1].map(|player| self.most_moves(&cells, legal, player)),
        }
    }

    /// Removes the regions where only one player may play, and returns their sum: all their cells
    /// will be filled if a stone there is safe, otherwise all but one.
    fn take_territories(&self, cells: &mut Cells, legal: [u64; 2]) -> i8 {
        let mut sum = 0;
        let mut rest = cells.open;
        let reach = cells.stones.map(|stones| cells.open | stones);
        while rest != 0 {
            let mut region = first(rest);
            loop {
                let grow = |reach: u64| self.board.beside(region & reach) & reach;
                let more = region | grow(reach[0]) | grow(reach[1]);
                if more == region {
                    break;
                }
                region = more;
            }
            rest &= !region;
            let owned =
                |player: &usize| region & (legal[1 - player] | cells.stones[1 - player]) == 0;
            if let Some(owner) = [0, 1].into_iter().find(owned) {
                let inside = region & cells.open;
                let moves = count(inside) as i8 - i8::from(inside & cells.safe[owner] == 0);
                sum += if owner == 0 { moves } else { -moves };
                cells.open &= !region;
                cells.stones[owner] &= !region;
            }
        }
        sum
    }

    /// The groups without the stones that have no empty neighbour and do not connect their group.
    fn essential(&self, mut stones: u64, open: u64) -> u64 {
        let mut idle = stones & !self.board.beside(open);
        while let Some(stone) = take_first(&mut idle) {
            let others = stones & !stone;
            let friends = self.board.beside(stone) & others;
            let together = self.board.flood(first(friends), others);
            if friends != 0 && friends & !together == 0 {
                stones = others;
            }
        }
        stones
    }

    /// Areas of cells where the opponent may neither play nor come near: the player can fill each
    /// from its ends, except for the last cell unless a stone there is safe.
    fn sure_moves(&self, cells: &Cells, legal: [u64; 2], player: usize) -> i8 {
        let theirs = legal[1 - player];
        let near = self.board.beside(theirs | cells.stones[1 - player]);
        let mut rest = cells.open & !theirs & !near;
        let mut moves = 0;
        while rest != 0 {
            let area = self.board.flood(first(rest), rest);
            rest &= !area;
            moves += count(area) - i32::from(area & cells.safe[player] == 0);
        }
        moves as i8
    }

    /// A player cannot fill all cells of an area if the stones there would have no empty neighbour.
    fn most_moves(&self, cells: &Cells, legal: [u64; 2], player: usize) -> i8 {
        let mine = legal[player];
        let mut moves = count(mine);
        let mut rest = mine;
        while rest != 0 {
            let area = self.board.flood(first(rest), mine | cells.stones[player]);
            rest &= !area;
            let outlets = self.board.beside(area) & cells.open & !mine;
            moves -= i32::from(area & cells.safe[player] == 0 && outlets == 0);
        }
        moves as i8
    }

    /// The position after the mover has placed a stone, as seen by the opponent.
    fn place(&self, position: &Position, cell: u64) -> Position {
        let mut cells = position.cells;
        let is_safe = cells.safe[0] & cell != 0;
        cells.open &= !cell;
        cells.stones[0] |= cell;
        cells.safe = cells.safe.map(|safe| safe & !cell);
        if is_safe {
            self.make_immortal(&mut cells, 0, cell);
        }
        self.normal_form(cells.swapped(), -position.number)
    }
}

impl Position {
    /// The position after the mover has used a move of his own regions.
    fn count_down(&self) -> Position {
        let swap = |[mine, theirs]: [i8; 2]| [theirs, mine];
        Position {
            cells: self.cells.swapped(),
            number: 1 - self.number,
            legal: [self.legal[1], self.legal[0]],
            sure: swap(self.sure),
            most: swap(self.most),
        }
    }

    /// 1. The mover loses if the opponent's sure moves are at least all moves of the mover.
    /// 2. The mover wins if his sure moves are more than all moves of the opponent. A stone on a
    ///    cell where both may play takes a move from the opponent and leaves the sure moves.
    fn decide(&self) -> Option<bool> {
        let high = self.number + self.most[0] - self.sure[1];
        if high <= 0 {
            return Some(false);
        }
        let low = self.number + self.sure[0] - self.most[1];
        let takes_one = self.legal[0] & self.legal[1] != 0;
        (low > 0 || low >= -1 && takes_one).then_some(true)
    }

    /// As seen by the player who has moved to this position.
    fn estimate(&self) -> Estimate {
        if let Some(wins) = self.decide() {
            return Estimate::Known(wins);
        }
        let [theirs, mine] = self.legal;
        let only = count(theirs & !mine) - count(mine & !theirs);
        let sure = i32::from(self.sure[0] - self.sure[1]);
        let most = i32::from(self.most[0] - self.most[1]);
        let number = i32::from(self.number);
        Estimate::Open {
            score: -(4 * number + 2 * sure + 2 * most + 2 * only + count(theirs & mine)),
            effort: (count(theirs) + number.max(0)) as u32,
        }
    }
}

impl Board for Nogo {
    type Position = Position;
    type Key = [u64; 3];
    const ORDER: Order = Order::BestScore;
    const CELLS_PER_CHILD: usize = 32;

    fn new(games: &[Game]) -> Option<Nogo> {
        let board = Rectangle::of(games)?;
        Some(Nogo { board })
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        let grid = self.board.grid(games)?;
        let closed = self.board.cells(&grid, b"+");
        let letters = |player: Player| match player {
            Player::Left => (b"XB", b"B"),
            Player::Right => (b"OW", b"W"),
        };
        let players = [first, !first].map(letters);
        let mut cells = Cells {
            open: self.board.cells(&grid, b"."),
            stones: players.map(|(all, _)| self.board.cells(&grid, all)),
            safe: [0; 2],
        };
        let near = self.board.beside(closed);
        for (player, (_, immortal)) in players.into_iter().enumerate() {
            let immortal = self.board.cells(&grid, immortal);
            self.make_immortal(&mut cells, player, immortal | near);
            cells.safe[player] |= near & cells.open;
        }
        Some(self.normal_form(cells, 0))
    }

    /// Three sets: open cells, and for each player stones and safe cells; the number in the highest
    /// byte.
    fn key(&self, position: &Position) -> [u64; 3] {
        let Cells { open, stones, safe } = position.cells;
        let mut key = self
            .board
            .least_image([open, stones[0] | safe[0], stones[1] | safe[1]]);
        key[0] |= u64::from(position.number as u8) << 56;
        key
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        position.decide()
    }

    /// With fewer open cells the search of a position is short.
    fn lookahead(position: &Position) -> u32 {
        if count(position.cells.open) >= FEWEST_TO_LOOK_AHEAD {
            2
        } else {
            0
        }
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let mut rest = position.legal[0];
        while let Some(cell) = take_first(&mut rest) {
            let next = self.place(position, cell);
            visit(next, next.estimate())?;
        }
        if position.number > 0 {
            let next = position.count_down();
            visit(next, next.estimate())?;
        }
        Flow::Continue(())
    }
}
