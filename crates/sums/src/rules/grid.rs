//! Boards of rows and columns: two bytes for the number of columns, then the letters row by row.

use super::{Complaint, LARGEST_BOARD, strip};
use std::ops::Range;

/// A board read from the bytes of a position.
#[derive(Clone, Copy)]
pub(crate) struct Grid<'a> {
    /// The number of columns.
    pub cols: usize,
    /// The number of rows.
    pub rows: usize,
    /// The letters row by row.
    pub cells: &'a [u8],
}

/// The bytes before the cells.
pub(crate) const HEAD: usize = 2;

/// Up, down, left, right.
pub(crate) const ORTHOGONAL: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

/// The eight directions of a king.
pub(crate) const ALL: [(isize, isize); 8] = [
    (-1, 0),
    (1, 0),
    (0, -1),
    (0, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
    (1, 1),
];

/// The six directions of a board of hexagons drawn as a slanted grid.
pub(crate) const HEX: [(isize, isize); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

impl<'a> Grid<'a> {
    /// Reads the bytes of a position.
    #[inline]
    pub fn of(position: &'a [u8]) -> Grid<'a> {
        let cols = usize::from(u16::from_le_bytes([position[0], position[1]]));
        let cells = &position[HEAD..];
        let rows = cells.len().checked_div(cols).unwrap_or(0);
        Grid { cols, rows, cells }
    }

    /// The cell one step away.
    #[inline]
    pub fn step(&self, at: usize, (down, right): (isize, isize)) -> Option<usize> {
        let row = (at / self.cols).wrapping_add_signed(down);
        let col = (at % self.cols).wrapping_add_signed(right);
        (row < self.rows && col < self.cols).then(|| row * self.cols + col)
    }

    /// The cells one step away in any of the directions.
    #[inline]
    pub fn around<'d>(
        &self,
        at: usize,
        directions: &'d [(isize, isize)],
    ) -> impl Iterator<Item = usize> + use<'a, 'd> {
        let (rows, cols) = (self.rows, self.cols);
        let (row, col) = (at / cols, at % cols);
        directions.iter().filter_map(move |&(down, right)| {
            let row = row.wrapping_add_signed(down);
            let col = col.wrapping_add_signed(right);
            (row < rows && col < cols).then(|| row * cols + col)
        })
    }

    /// The cells in one direction, nearest first.
    pub fn ray(
        &self,
        at: usize,
        direction: (isize, isize),
    ) -> impl Iterator<Item = usize> + use<'a> {
        let grid = *self;
        std::iter::successors(grid.step(at, direction), move |&at| {
            grid.step(at, direction)
        })
    }
}

impl Grid<'_> {
    /// Writes these cells as a separate board; its other cells get the filler.
    pub fn cut(&self, part: &[usize], filler: u8, board: &mut Vec<u8>) {
        let span = |places: &mut dyn Iterator<Item = usize>| {
            let ends = places.fold((usize::MAX, 0), |(start, end), at| {
                (start.min(at), end.max(at + 1))
            });
            Range {
                start: ends.0,
                end: ends.1,
            }
        };
        let rows = span(&mut part.iter().map(|at| at / self.cols));
        let cols = span(&mut part.iter().map(|at| at % self.cols));
        board.clear();
        board.extend_from_slice(&(cols.len() as u16).to_le_bytes());
        board.resize(HEAD + rows.len() * cols.len(), filler);
        for &at in part {
            let (row, col) = (at / self.cols - rows.start, at % self.cols - cols.start);
            board[HEAD + row * cols.len() + col] = self.cells[at];
        }
    }
}

/// Reads rows of the given letters, joined by `|`.
pub(crate) fn parse(text: &str, letters: &str) -> Result<Vec<u8>, Complaint> {
    let mut position = vec![0; HEAD];
    let mut columns = None;
    let mut at = 0;
    for row in text.split('|') {
        let shift = at;
        let cells = strip::parse(row, letters).map_err(|complaint| Complaint {
            message: match row.get(complaint.span.clone()) {
                Some(" " | "/" | "\n") => format!("{}; rows are joined by '|'", complaint.message),
                _ => complaint.message,
            },
            span: complaint.span.start + shift..complaint.span.end + shift,
        })?;
        check_width(&mut columns, cells.len(), shift..shift + row.len())?;
        position.extend(cells);
        at += row.len() + 1;
    }
    position[..HEAD].copy_from_slice(&(columns.unwrap_or(0) as u16).to_le_bytes());
    Ok(position)
}

/// All rows must have the width of the first, and that must fit into two bytes.
pub(crate) fn check_width(
    columns: &mut Option<usize>,
    width: usize,
    span: Range<usize>,
) -> Result<(), Complaint> {
    let expected = *columns.get_or_insert(width);
    if width != expected {
        return Err(Complaint::new(
            span,
            format!(
                "this row has {width} {}, the first row has {expected}",
                if width == 1 { "cell" } else { "cells" }
            ),
        ));
    }
    if width > usize::from(u16::MAX) || span.end > LARGEST_BOARD {
        let message = format!("board too large: at most {LARGEST_BOARD} characters, bars included");
        return Err(Complaint::new(span, message));
    }
    Ok(())
}

/// Writes the rows joined by `|`.
pub(crate) fn print(position: &[u8]) -> String {
    let grid = Grid::of(position);
    let mut text = String::with_capacity(text_length(position));
    for (at, row) in grid.cells.chunks(grid.cols.max(1)).enumerate() {
        if at > 0 {
            text.push('|');
        }
        text.extend(row.iter().map(|&cell| char::from(cell)));
    }
    text
}

/// The length of the text that [`print`] writes.
pub(crate) fn text_length(position: &[u8]) -> usize {
    let grid = Grid::of(position);
    (grid.cells.len() + grid.rows).saturating_sub(1)
}

/// A cell as players write it: column letters, then the row counted from the top, as `a1`.
pub(crate) fn cell_name(cols: usize, at: usize) -> String {
    let (row, col) = (at / cols, at % cols);
    format!("{}{}", column_name(col), row + 1)
}

/// The name of a column, counted from 0: `a` to `z`, then `aa`, `ab` and so on.
pub fn column_name(col: usize) -> String {
    let last = (b'a' + (col % 26) as u8) as char;
    match col / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", column_name(more - 1)),
    }
}

/// Makes all stones those of one player.
pub(crate) fn take_colours_off(board: &mut [u8]) {
    for cell in board[HEAD..].iter_mut().filter(|cell| **cell == b'O') {
        *cell = b'X';
    }
}

/// The board with X and O exchanged.
pub(crate) fn swap_stones(position: &[u8]) -> Vec<u8> {
    let mut negative = position.to_vec();
    for cell in &mut negative[HEAD..] {
        *cell = strip::swapped(*cell);
    }
    negative
}

/// Rows become columns.
pub(crate) fn transpose(position: &[u8]) -> Vec<u8> {
    let grid = Grid::of(position);
    let mut turned = (grid.rows as u16).to_le_bytes().to_vec();
    for col in 0..grid.cols {
        turned.extend((0..grid.rows).map(|row| grid.cells[row * grid.cols + col]));
    }
    turned
}

/// The symmetries of a board that do not change the game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symmetry {
    /// Left–right and up–down mirror images.
    Mirrors,
    /// All eight.
    Square,
    /// Half turn and the two diagonal mirrors: the images of a board of hexagons.
    Hexagons,
}

/// One image of a board: cell `(row, col)` of the image is cell `base + row·down + col·right`.
struct Image {
    width: usize,
    base: isize,
    down: isize,
    right: isize,
}

impl Image {
    fn new(grid: &Grid<'_>, turned: bool, flip_rows: bool, flip_cols: bool) -> Image {
        let cols = grid.cols as isize;
        let row_step = if flip_rows { -cols } else { cols };
        let col_step = if flip_cols { -1 } else { 1 };
        let first_row = if flip_rows {
            (grid.rows as isize - 1) * cols
        } else {
            0
        };
        let first_col = if flip_cols { cols - 1 } else { 0 };
        let (width, down, right) = if turned {
            (grid.rows, col_step, row_step)
        } else {
            (grid.cols, row_step, col_step)
        };
        Image {
            width,
            base: first_row + first_col,
            down,
            right,
        }
    }

    /// The image is the board itself.
    fn is_same(&self) -> bool {
        self.base == 0 && self.right == 1 && self.down == self.width as isize
    }

    /// The first letter of the image.
    #[inline]
    fn first(&self, grid: &Grid<'_>) -> u8 {
        grid.cells[self.base as usize]
    }

    /// The letters of the image, row by row.
    #[inline]
    fn cells<'a>(&self, grid: &Grid<'a>) -> impl Iterator<Item = u8> + use<'a> {
        let (cells, width, down, right) = (grid.cells, self.width, self.down, self.right);
        let mut row = self.base;
        let mut at = row;
        let mut col = 0;
        (0..cells.len()).map(move |_| {
            let cell = cells[at as usize];
            col += 1;
            at += right;
            if col == width {
                col = 0;
                row += down;
                at = row;
            }
            cell
        })
    }
}

/// Replaces a board by the least of its images; broad images come before tall ones.
pub(crate) fn least_image(position: &mut [u8], symmetry: Symmetry) {
    let grid = Grid::of(position);
    if grid.cells.is_empty() {
        return;
    }
    let turnable = symmetry != Symmetry::Mirrors;
    let grid_size = Grid { cells: &[], ..grid };
    let mut best = None;
    for (turned, allowed) in [
        (false, !turnable || grid.cols >= grid.rows),
        (true, turnable && grid.rows >= grid.cols),
    ] {
        for (flip_rows, flip_cols) in [(false, false), (true, true), (true, false), (false, true)] {
            let kept = symmetry != Symmetry::Hexagons || flip_rows == flip_cols;
            if allowed && kept {
                keep_lesser(
                    &grid,
                    Image::new(&grid, turned, flip_rows, flip_cols),
                    &mut best,
                );
            }
        }
    }
    let Some(best) = best.filter(|best| !best.is_same()) else {
        return;
    };
    position[..HEAD].copy_from_slice(&(best.width as u16).to_le_bytes());
    with_copy(&mut position[HEAD..], |cells, copy| {
        let grid = Grid {
            cells: copy,
            ..grid_size
        };
        let letters = cells.iter_mut().zip(best.cells(&grid));
        letters.for_each(|(cell, letter)| *cell = letter);
    });
}

/// Calls a function with these cells and a copy of them, which is not on the heap for most boards.
fn with_copy(cells: &mut [u8], write: impl FnOnce(&mut [u8], &[u8])) {
    let mut few = [0; 64];
    match few.get_mut(..cells.len()) {
        Some(copy) => {
            copy.copy_from_slice(cells);
            write(cells, copy);
        }
        None => {
            let copy = cells.to_vec();
            write(cells, &copy);
        }
    }
}

/// Stores the image if it is the least so far.
#[inline]
fn keep_lesser(grid: &Grid<'_>, image: Image, best: &mut Option<Image>) {
    let is_less = best.as_ref().is_none_or(|best| {
        // Most images differ in the first letter.
        let (first, least) = (image.first(grid), best.first(grid));
        first < least || first == least && image.cells(grid).lt(best.cells(grid))
    });
    if is_less {
        *best = Some(image);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str, symmetry: Symmetry) -> String {
        let mut position = parse(text, ".XO#").unwrap();
        least_image(&mut position, symmetry);
        print(&position)
    }

    #[test]
    fn images_of_a_board_have_one_normal_form() {
        let images = [
            "X..|#O.", "..X|.O#", "#O.|X..", ".O#|..X", "X#|.O|..", "#X|O.|..", "..|O.|#X",
            "..|.O|X#",
        ];
        for image in images {
            assert_eq!(
                normal(image, Symmetry::Square),
                normal(images[0], Symmetry::Square),
                "{image}"
            );
        }
        for image in &images[..4] {
            assert_eq!(
                normal(image, Symmetry::Mirrors),
                normal(images[0], Symmetry::Mirrors),
                "{image}"
            );
        }
        assert_eq!(
            normal("X#|.O|..", Symmetry::Hexagons),
            normal("X..|#O.", Symmetry::Hexagons)
        );
        assert_eq!(
            normal(".O#|..X", Symmetry::Hexagons),
            normal("X..|#O.", Symmetry::Hexagons)
        );
        assert_ne!(
            normal("..X|.O#", Symmetry::Hexagons),
            normal("X..|#O.", Symmetry::Hexagons)
        );
    }

    #[test]
    fn columns_go_on_after_z() {
        let names: Vec<String> = [0, 25, 26, 51, 52, 701, 702]
            .map(|at| cell_name(1000, at))
            .into();
        assert_eq!(names, ["a1", "z1", "aa1", "az1", "ba1", "zz1", "aaa1"]);
    }

    #[test]
    fn invalid_boards_are_refused_with_positions() {
        let complaint = parse("XO|X?", ".XO").unwrap_err();
        assert_eq!(
            (complaint.span, complaint.message.as_str()),
            (4..5, "'?' is not a cell: expected '.', 'X' or 'O'")
        );
        assert_eq!(parse("XO|XOX", ".XO").unwrap_err().span, 3..6);
    }
}
