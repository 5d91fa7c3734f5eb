//! Domineering on a board of up to 64 cells.
//!
//! A region where only one player has a move is an integer, and is kept as a number. Bounds come
//! from strips of the board, see [`crate::rules::strips`].

use super::cells::{count, first, take_first};
use super::{Board, Estimate, Flow, Order, Visitor};
use crate::game::Game;
use crate::rules::{Grid, Guarantee, StripBounds, StripSums};
use crate::value::Player;

/// The most rows and columns.
const LONGEST: usize = 15;

/// The geometry of the board. Rows follow one another without gaps.
pub(super) struct Domineering {
    rows: usize,
    cols: usize,
    /// All cells but those of the last column, and all but those of the first.
    not_last: u64,
    not_first: u64,
    bounds: StripBounds,
}

/// A position with its bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    mover: Player,
    /// The empty cells of regions where both players have moves.
    cells: u64,
    /// The other regions: the moves of Left less those of Right.
    number: i8,
    /// What Left and Right can guarantee in all regions, each as second and as first player.
    guarantees: [[Guarantee; 2]; 2],
}

/// The cells of a position as rows and as columns, each a set of cells, with their strips.
struct Survey {
    lines: [[u16; LONGEST]; 2],
    sums: [StripSums; 2],
}

impl Domineering {
    /// The upper or left cells of the dominoes that a player can place.
    #[inline]
    fn places(&self, cells: u64, player: Player) -> u64 {
        match player {
            Player::Left => cells & cells >> self.cols,
            Player::Right => cells & cells >> 1 & self.not_last,
        }
    }

    /// The connected region of a cell.
    #[inline]
    fn region(&self, start: u64, cells: u64) -> u64 {
        let mut region = start;
        loop {
            let across = (region & self.not_last) << 1 | (region & self.not_first) >> 1;
            let upright = region << self.cols | region >> self.cols;
            let grown = region | (across | upright) & cells;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }

    /// Removes the regions where one player has no moves, and returns their sum.
    fn take_integers(&self, cells: &mut u64) -> i8 {
        let (mut rest, mut number) = (*cells, 0);
        while rest != 0 {
            let region = self.region(first(rest), rest);
            rest &= !region;
            let [left, right] = Player::BOTH.map(|player| self.places(region, player));
            if left == 0 || right == 0 {
                *cells &= !region;
                number += self.most_dominoes(region, left, Player::Left)
                    - self.most_dominoes(region, right, Player::Right);
            }
        }
        number
    }

    /// The dominoes that a player places alone in a region, from the first end of each run.
    fn most_dominoes(&self, mut region: u64, mut places: u64, player: Player) -> i8 {
        let mut dominoes = 0;
        while places != 0 {
            region &= !self.domino(first(places), player);
            places = self.places(region, player);
            dominoes += 1;
        }
        dominoes
    }

    #[inline]
    fn domino(&self, place: u64, player: Player) -> u64 {
        match player {
            Player::Left => place | place << self.cols,
            Player::Right => place | place << 1,
        }
    }

    /// The rows and columns of a set of cells, with their strips.
    fn survey(&mut self, mut cells: u64) -> Survey {
        let mut lines = [[0; LONGEST]; 2];
        while let Some(cell) = take_first(&mut cells) {
            let [row, col] = self.place_of(cell);
            lines[0][row] |= 1 << col;
            lines[1][col] |= 1 << row;
        }
        let sums = [0, 1].map(|way| self.bounds.sums(&lines[way][..self.lines(way)]));
        Survey { lines, sums }
    }

    /// The number of rows or columns.
    fn lines(&self, way: usize) -> usize {
        [self.rows, self.cols][way]
    }

    #[inline]
    fn place_of(&self, cell: u64) -> [usize; 2] {
        let at = cell.trailing_zeros();
        let cols = self.cols as u32;
        [(at / cols) as usize, (at % cols) as usize]
    }

    /// A position whose cells are some of those of a survey.
    fn position(
        &mut self,
        survey: &Survey,
        from: &Position,
        mover: Player,
        cells: u64,
    ) -> Position {
        let mut position = Position {
            mover,
            cells,
            number: from.number,
            guarantees: [[Guarantee::default(); 2]; 2],
        };
        position.number += self.take_integers(&mut position.cells);
        let number = 8 * i32::from(position.number);
        let [left, right] = self.guarantees(survey, from.cells & !position.cells);
        position.guarantees = [
            left.map(|guarantee| guarantee.plus(number)),
            right.map(|guarantee| guarantee.plus(-number)),
        ];
        position
    }

    /// What Left and Right can guarantee after these cells were removed. Left can promise not to
    /// cross horizontal lines, and Right vertical ones.
    fn guarantees(&mut self, survey: &Survey, mut removed: u64) -> [[Guarantee; 2]; 2] {
        let mut lines = survey.lines;
        let mut changed = [0u16; 2];
        while let Some(cell) = take_first(&mut removed) {
            let [row, col] = self.place_of(cell);
            lines[0][row] &= !(1 << col);
            lines[1][col] &= !(1 << row);
            changed[0] |= 1 << row;
            changed[1] |= 1 << col;
        }
        [0, 1].map(|way| {
            let lines = &lines[way][..self.lines(way)];
            self.bounds
                .guarantees(&survey.sums[way], lines, changed[way])
        })
    }

    /// The images of a set of cells: itself, upside down, mirrored, and both.
    fn images(&self, cells: u64) -> [u64; 4] {
        let turned = cells.reverse_bits() >> (64 - self.rows * self.cols);
        let flipped = self.flipped(cells);
        [cells, flipped, turned, self.flipped(turned)]
    }

    /// Upside down.
    fn flipped(&self, mut cells: u64) -> u64 {
        let row = (1u64 << self.cols) - 1;
        let mut image = 0;
        for _ in 0..self.rows {
            image = image << self.cols | cells & row;
            cells >>= self.cols;
        }
        image
    }

    /// Rows become columns, on a square.
    fn transposed(&self, mut cells: u64) -> u64 {
        let mut image = 0;
        while let Some(cell) = take_first(&mut cells) {
            let at = cell.trailing_zeros() as usize;
            image |= 1 << (at % self.cols * self.cols + at / self.cols);
        }
        image
    }
}

impl Position {
    /// The position after the mover has used a move of the number.
    fn count_down(&self) -> Position {
        let one = match self.mover {
            Player::Left => 1,
            Player::Right => -1,
        };
        let [left, right] = self.guarantees;
        Position {
            mover: !self.mover,
            number: self.number - one,
            cells: self.cells,
            guarantees: [
                left.map(|guarantee| guarantee.plus(-8 * i32::from(one))),
                right.map(|guarantee| guarantee.plus(8 * i32::from(one))),
            ],
        }
    }

    /// Returns whether the mover wins, if the bounds decide that.
    fn winner(&self) -> Option<bool> {
        let mine = self.guarantees[self.mover as usize][1];
        let theirs = self.guarantees[!self.mover as usize][0];
        if mine.is_win() {
            return Some(true);
        }
        theirs.is_win().then_some(false)
    }

    /// The moves of the mover in the number.
    fn spare_moves(&self) -> i8 {
        match self.mover {
            Player::Left => self.number.max(0),
            Player::Right => (-self.number).max(0),
        }
    }
}

impl Board for Domineering {
    type Position = Position;
    type Key = [u64; 2];
    const ORDER: Order = Order::ProofNumbers;
    const CELLS_PER_CHILD: usize = 64;

    fn new(games: &[Game]) -> Option<Domineering> {
        let [game] = games else {
            return None;
        };
        let Grid { rows, cols, .. } = Grid::of(&game.position);
        let fits = rows * cols <= 64
            && (2..=LONGEST).contains(&rows.min(cols))
            && rows.max(cols) <= LONGEST;
        if !fits {
            return None;
        }
        let column = (0..rows).fold(0u64, |set, row| set | 1 << (row * cols));
        let all = u64::MAX >> (64 - rows * cols);
        Some(Domineering {
            rows,
            cols,
            not_first: all & !column,
            not_last: all & !(column << (cols - 1)),
            bounds: StripBounds::default(),
        })
    }

    fn read(&mut self, games: &[Game], first: Player) -> Option<Position> {
        let [game] = games else {
            return None;
        };
        let grid = Grid::of(&game.position);
        if (grid.rows, grid.cols) != (self.rows, self.cols) {
            return None;
        }
        let empty = (0..grid.cells.len()).filter(|&at| grid.cells[at] == b'.');
        let cells = empty.fold(0, |set, at| set | 1 << at);
        let survey = self.survey(cells);
        let whole = Position {
            mover: first,
            cells,
            number: 0,
            guarantees: [[Guarantee::default(); 2]; 2],
        };
        Some(self.position(&survey, &whole, first, cells))
    }

    /// The least image, then the number and the mover. On a square, turning the board exchanges the
    /// players.
    fn key(&self, position: &Position) -> [u64; 2] {
        let key = |cells: u64, number: i8, mover: Player| {
            let least = self.images(cells).into_iter().min().unwrap_or(cells);
            [least, 1 + (u64::from(number as u8) << 1 | mover as u64)]
        };
        let Position {
            mover,
            cells,
            number,
            ..
        } = *position;
        if self.rows == self.cols && mover == Player::Right {
            key(self.transposed(cells), -number, Player::Left)
        } else {
            key(cells, number, mover)
        }
    }

    fn decide(&mut self, position: &Position) -> Option<bool> {
        position.winner()
    }

    fn moves(&mut self, position: &Position, visit: &mut Visitor<'_, Position>) -> Flow {
        let Position { mover, cells, .. } = *position;
        let survey = self.survey(cells);
        let mut rest = self.places(cells, mover);
        while let Some(place) = take_first(&mut rest) {
            let domino = self.domino(place, mover);
            let next = self.position(&survey, position, !mover, cells & !domino);
            visit(next, self.estimate(&next))?;
        }
        if position.spare_moves() > 0 {
            let next = position.count_down();
            visit(next, self.estimate(&next))?;
        }
        Flow::Continue(())
    }
}

impl Domineering {
    /// As seen by the player who has moved to this position.
    fn estimate(&self, position: &Position) -> Estimate {
        if let Some(wins) = position.winner() {
            return Estimate::Known(wins);
        }
        let [theirs, mine] = [position.mover, !position.mover];
        let [their_places, my_places] =
            [theirs, mine].map(|player| count(self.places(position.cells, player)));
        let bounds = position.guarantees[mine as usize][0].eighths
            - position.guarantees[theirs as usize][1].eighths;
        let replies = (their_places + i32::from(position.spare_moves())) as u32;
        Estimate::Open {
            score: 2 * bounds + my_places - their_places,
            effort: replies * replies.isqrt(),
        }
    }
}
