//! Sets of cells of a small board as one word, and their symmetric images.

use crate::game::Game;
use crate::rules::Grid;

/// The most places of a board: the highest byte of a word stays free.
const MOST_PLACES: usize = 56;

/// A board of rows and columns. As in [`crate::rules`], each row is followed by one place that is
/// not a cell.
pub(super) struct Rectangle {
    rows: u32,
    stride: u32,
    all: u64,
    /// For the cells of a row, the same cells as a column; empty unless the board is a square.
    columns: Vec<u64>,
}

impl Rectangle {
    /// The board of a game; `None` if it is too large.
    pub fn of(games: &[Game]) -> Option<Rectangle> {
        let [game] = games else {
            return None;
        };
        Rectangle::of_grid(&Grid::of(&game.position))
    }

    /// A board with the rows and columns of a grid; `None` if it is too large.
    pub fn of_grid(grid: &Grid<'_>) -> Option<Rectangle> {
        let (rows, cols) = (grid.rows, grid.cols);
        let stride = cols + 1;
        if rows == 0 || rows.checked_mul(stride)? > MOST_PLACES {
            return None;
        }
        let row = (1u64 << cols) - 1;
        let column = |cells: u64| {
            let inside = (0..cols).filter(|col| cells >> col & 1 == 1);
            inside.fold(0, |set, col| set | 1 << (col * stride))
        };
        let rows_of_square = if rows == cols { 0..row + 1 } else { 0..0 };
        Some(Rectangle {
            rows: rows as u32,
            stride: stride as u32,
            all: (0..rows).fold(0, |set, at| set | row << (at * stride)),
            columns: rows_of_square.map(column).collect(),
        })
    }

    /// The grid of a game on a board of this size.
    pub fn grid<'a>(&self, games: &'a [Game]) -> Option<Grid<'a>> {
        let [game] = games else {
            return None;
        };
        let grid = Grid::of(&game.position);
        self.has_size_of(&grid).then_some(grid)
    }

    /// A grid has the rows and columns of this board.
    pub fn has_size_of(&self, grid: &Grid<'_>) -> bool {
        (grid.rows, grid.cols + 1) == (self.rows as usize, self.stride as usize)
    }

    /// The cells with one of these letters.
    pub fn cells(&self, grid: &Grid<'_>, letters: &[u8]) -> u64 {
        let places = (0..grid.cells.len()).filter(|&at| letters.contains(&grid.cells[at]));
        places.fold(0, |set, at| set | 1 << (at + at / grid.cols))
    }

    /// The cells above, below, left and right of a set.
    #[inline]
    pub fn beside(&self, set: u64) -> u64 {
        (set << 1 | set >> 1 | set << self.stride | set >> self.stride) & self.all
    }

    /// The set and the cells around it, as a king moves.
    #[inline]
    pub fn around(&self, set: u64) -> u64 {
        let row = set | set << 1 | set >> 1;
        (row | row << self.stride | row >> self.stride) & self.all
    }

    /// Extends a set by all cells that are connected to it by sides.
    #[inline]
    pub fn flood(&self, mut set: u64, within: u64) -> u64 {
        loop {
            let more = set | self.beside(set) & within;
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// Extends a set by all cells that a king can reach.
    #[inline]
    pub fn flood_around(&self, mut set: u64, within: u64) -> u64 {
        loop {
            let more = set | self.around(set) & within;
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The cells that queens reach over empty cells.
    #[inline]
    pub fn rays(&self, queens: u64, empty: u64) -> u64 {
        let stride = self.stride;
        let mut reached = 0;
        for step in [1, stride, stride + 1, stride - 1] {
            let mut up = queens << step & empty;
            while up != 0 {
                reached |= up;
                up = up << step & empty;
            }
            let mut down = queens >> step & empty;
            while down != 0 {
                reached |= down;
                down = down >> step & empty;
            }
        }
        reached
    }

    /// For each cell the number of cells beside it that are in the set, as three binary digits.
    #[inline]
    pub fn neighbours(&self, set: u64) -> [u64; 3] {
        let stride = self.stride;
        let [left, right] = [set << 1, set >> 1];
        let [above, below] = [set << stride, set >> stride];
        let (beside, both_beside) = (left ^ right, left & right);
        let (upright, both_upright) = (above ^ below, above & below);
        let carry = beside & upright;
        [
            beside ^ upright,
            both_beside ^ both_upright ^ carry,
            both_beside & both_upright,
        ]
    }

    /// Moves sets as far as possible up and to the left.
    #[inline]
    pub fn to_corner(&self, sets: [u64; 2]) -> [u64; 2] {
        let all = sets[0] | sets[1];
        if all == 0 {
            return sets;
        }
        let (mut cols, mut rest) = (0, all);
        while rest != 0 {
            cols |= rest;
            rest >>= self.stride;
        }
        let above = all.trailing_zeros() / self.stride * self.stride;
        let left = cols.trailing_zeros();
        sets.map(|set| set >> (above + left))
    }

    /// The least symmetric image of two sets in a corner that is in a corner too.
    pub fn least_corner_image(&self, sets: [u64; 2]) -> [u64; 2] {
        let least = self.least_of_corner_mirrors(sets);
        if self.columns.is_empty() {
            return least;
        }
        least.min(self.least_of_corner_mirrors(sets.map(|set| self.transposed(set))))
    }

    fn least_of_corner_mirrors(&self, sets: [u64; 2]) -> [u64; 2] {
        let flipped = self.to_corner(sets.map(|set| self.flipped(set)));
        let turned = self.to_corner(sets.map(|set| self.turned(set)));
        let both = self.to_corner(flipped.map(|set| self.turned(set)));
        sets.min(flipped).min(turned).min(both)
    }

    /// The least symmetric image of some sets.
    pub fn least_image<const N: usize>(&self, sets: [u64; N]) -> [u64; N] {
        let least = self.least_of_mirrors(sets);
        if self.columns.is_empty() {
            return least;
        }
        least.min(self.least_of_mirrors(sets.map(|set| self.transposed(set))))
    }

    fn least_of_mirrors<const N: usize>(&self, sets: [u64; N]) -> [u64; N] {
        let flipped = sets.map(|set| self.flipped(set));
        let turned = sets.map(|set| self.turned(set));
        let both = flipped.map(|set| self.turned(set));
        sets.min(flipped).min(turned).min(both)
    }

    /// Half a turn.
    #[inline]
    fn turned(&self, set: u64) -> u64 {
        set.reverse_bits() >> (65 - self.rows * self.stride)
    }

    /// Upside down.
    #[inline]
    fn flipped(&self, mut set: u64) -> u64 {
        let row = (1 << self.stride) - 1;
        let mut image = 0;
        for _ in 0..self.rows {
            image = image << self.stride | set & row;
            set >>= self.stride;
        }
        image
    }

    /// Rows become columns, on a square.
    #[inline]
    fn transposed(&self, mut set: u64) -> u64 {
        let row = (1 << self.stride) - 1;
        let mut image = 0;
        for at in 0..self.rows {
            image |= self.columns[(set & row) as usize] << at;
            set >>= self.stride;
        }
        image
    }
}

/// The first cell of a set.
#[inline]
pub(super) fn first(set: u64) -> u64 {
    set & set.wrapping_neg()
}

/// The number that these binary digits hold for a cell.
#[inline]
pub(super) fn number_at(digits: [u64; 3], place: u32) -> usize {
    let bit = |digit: u64| (digit >> place & 1) as usize;
    bit(digits[0]) + 2 * bit(digits[1]) + 4 * bit(digits[2])
}

/// Removes the first cell of a set and returns it.
#[inline]
pub(super) fn take_first(set: &mut u64) -> Option<u64> {
    let cell = first(*set);
    *set &= !cell;
    (cell != 0).then_some(cell)
}

#[inline]
pub(super) fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_counted() {
        let games = [Game::parse("clobber", "XOX.O|OXOXX|XXX.O|.OXOX").unwrap()];
        let board = Rectangle::of(&games).unwrap();
        let grid = board.grid(&games).unwrap();
        for letters in [b"X", b"O", b"."] {
            let set = board.cells(&grid, letters);
            let digits = board.neighbours(set);
            let mut rest = board.all;
            while let Some(cell) = take_first(&mut rest) {
                let found = number_at(digits, cell.trailing_zeros());
                assert_eq!(found as i32, count(board.beside(cell) & set));
            }
        }
    }
}
