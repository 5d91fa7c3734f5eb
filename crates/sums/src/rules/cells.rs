//! Sets of cells as bit sets: a few shifts give all neighbours of a set.
//!
//! A set is one integer for boards of up to 128 places, and a slice of integers for larger ones.
//! Each row is followed by one place that is not a cell, so that shifts do not run into the next
//! row. Algorithms are generic over the type of set, which [`by_size`] chooses.

use super::grid::{ALL, Grid, HEAD, HEX, ORTHOGONAL};
use super::{Flow, PartVisitor};
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};

/// A set of places.
pub(crate) trait Cells: Clone + PartialEq {
    /// Sets have many words: operations on whole sets cost too much for single cells or groups.
    const IS_LARGE: bool;
    /// The empty set for a board with this many places.
    fn empty(places: usize) -> Self;
    fn insert(&mut self, place: usize);
    fn remove(&mut self, place: usize);
    fn contains(&self, place: usize) -> bool;
    fn first_place(&self) -> Option<usize>;
    /// The first place from this one on.
    fn place_from(&self, from: usize) -> Option<usize>;
    fn last_place(&self) -> Option<usize>;
    fn remove_first(&mut self);
    fn len(&self) -> u32;
    fn and(&self, other: &Self) -> Self;
    fn or(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    /// Moves all places forward, or back if negative; places that leave the board are dropped.
    fn shifted(&self, by: isize) -> Self;
    /// The columns, from first to last, of the places in these rows; a row takes `stride` places.
    fn columns(&self, rows: Range<usize>, stride: usize) -> Range<usize>;

    /// The places to the left and the right of these.
    #[inline]
    fn in_row(&self) -> Self {
        self.shifted(1).or(&self.shifted(-1))
    }

    /// The places at this distance before and after these.
    #[inline]
    fn at_distance(&self, distance: usize) -> Self {
        let distance = distance as isize;
        self.shifted(distance).or(&self.shifted(-distance))
    }

    /// The places that touch these, where a row takes `stride` places.
    #[inline]
    fn touched(&self, touch: Touch, stride: usize) -> Self {
        let ends = self.in_row();
        match touch {
            Touch::Sides => ends.or(&self.at_distance(stride)),
            Touch::SidesAndCorners => {
                let row = ends.or(self);
                ends.or(&row.at_distance(stride))
            }
            Touch::Hexagons => {
                let rows = self.at_distance(stride);
                ends.or(&rows).or(&self.at_distance(stride - 1))
            }
        }
    }

    fn intersects(&self, other: &Self) -> bool {
        !self.and(other).is_empty()
    }

    /// The set has no place.
    #[inline]
    fn is_empty(&self) -> bool {
        self.first_place().is_none()
    }

    /// The set has more than one place.
    #[inline]
    fn has_several(&self) -> bool {
        let mut rest = self.clone();
        rest.remove_first();
        !rest.is_empty()
    }
}

/// Which places of a board touch each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    /// Above, below, left and right.
    Sides,
    /// The eight directions of a king.
    SidesAndCorners,
    /// The six directions of a board of hexagons.
    Hexagons,
}

impl Touch {
    /// The steps from a cell to those that touch it.
    fn directions(self) -> &'static [(isize, isize)] {
        match self {
            Touch::Sides => &ORTHOGONAL,
            Touch::SidesAndCorners => &ALL,
            Touch::Hexagons => &HEX,
        }
    }
}

/// Calls a function with the type of set for the size of the board.
macro_rules! by_size {
    ($grid:expr, $function:ident($($argument:expr),*)) => {
        match $grid.rows * ($grid.cols + 1) {
            0..=64 => $function::<u64>($($argument),*),
            65..=128 => $function::<u128>($($argument),*),
            _ => $function::<$crate::rules::cells::Large>($($argument),*),
        }
    };
}
pub(crate) use by_size;

/// Implements sets as one integer.
macro_rules! small_cells {
    ($number:ty) => {
        impl Cells for $number {
            const IS_LARGE: bool = false;
            #[inline]
            fn empty(_places: usize) -> Self {
                0
            }
            #[inline]
            fn insert(&mut self, place: usize) {
                *self |= 1 << place;
            }
            #[inline]
            fn remove(&mut self, place: usize) {
                *self &= !(1 << place);
            }
            #[inline]
            fn contains(&self, place: usize) -> bool {
                self >> place & 1 != 0
            }
            #[inline]
            fn first_place(&self) -> Option<usize> {
                (*self != 0).then(|| self.trailing_zeros() as usize)
            }
            #[inline]
            fn place_from(&self, from: usize) -> Option<usize> {
                let rest = self.unbounded_shr(from as u32);
                rest.first_place().map(|place| from + place)
            }
            #[inline]
            fn last_place(&self) -> Option<usize> {
                self.checked_ilog2().map(|place| place as usize)
            }
            #[inline]
            fn remove_first(&mut self) {
                *self &= self.wrapping_sub(1);
            }
            #[inline]
            fn len(&self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn and(&self, other: &Self) -> Self {
                self & other
            }
            #[inline]
            fn or(&self, other: &Self) -> Self {
                self | other
            }
            #[inline]
            fn minus(&self, other: &Self) -> Self {
                self & !other
            }
            #[inline]
            fn shifted(&self, by: isize) -> Self {
                let distance = by.unsigned_abs() as u32;
                if by >= 0 {
                    self.unbounded_shl(distance)
                } else {
                    self.unbounded_shr(distance)
                }
            }
            #[inline]
            fn in_row(&self) -> Self {
                self << 1 | self >> 1
            }
            #[inline]
            fn at_distance(&self, distance: usize) -> Self {
                // A board of one row may be as wide as the integer: then there are no places above
                // and below, and a shift would overflow.
                let distance = distance as u32;
                self.unbounded_shl(distance) | self.unbounded_shr(distance)
            }
            #[inline]
            fn intersects(&self, other: &Self) -> bool {
                self & other != 0
            }
            /// Combines all rows with `or`; higher bits belong to later rows.
            #[inline]
            fn columns(&self, rows: Range<usize>, stride: usize) -> Range<usize> {
                let laid = rows.fold(0, |laid, row| laid | self >> (row * stride));
                let row = laid & (1 as $number).unbounded_shl(stride as u32).wrapping_sub(1);
                row.first_place().unwrap_or(0)..row.last_place().map_or(0, |last| last + 1)
            }
        }
    };
}
small_cells!(u64);
small_cells!(u128);

/// A slice of integers, first places first.
#[derive(Clone, PartialEq)]
pub(crate) struct Large(Box<[u64]>);

impl Large {
    fn combine(&self, other: &Large, combine: impl Fn(u64, u64) -> u64) -> Large {
        Large(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(&a, &b)| combine(a, b))
                .collect(),
        )
    }
}

impl Cells for Large {
    const IS_LARGE: bool = true;

    fn empty(places: usize) -> Large {
        Large(vec![0; places.div_ceil(64)].into())
    }

    fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    fn remove(&mut self, place: usize) {
        self.0[place / 64] &= !(1 << (place % 64));
    }

    fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 != 0
    }

    fn first_place(&self) -> Option<usize> {
        self.place_from(0)
    }

    fn place_from(&self, from: usize) -> Option<usize> {
        let (first, skipped) = (from / 64, from % 64);
        let word = self.0.get(first)? & u64::MAX << skipped;
        if word != 0 {
            return Some(first * 64 + word.trailing_zeros() as usize);
        }
        let offset = self.0[first + 1..].iter().position(|&word| word != 0)?;
        let at = first + 1 + offset;
        Some(at * 64 + self.0[at].trailing_zeros() as usize)
    }

    fn last_place(&self) -> Option<usize> {
        let at = self.0.iter().rposition(|&word| word != 0)?;
        Some(at * 64 + self.0[at].ilog2() as usize)
    }

    fn remove_first(&mut self) {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn and(&self, other: &Large) -> Large {
        self.combine(other, |a, b| a & b)
    }

    fn or(&self, other: &Large) -> Large {
        self.combine(other, |a, b| a | b)
    }

    fn minus(&self, other: &Large) -> Large {
        self.combine(other, |a, b| a & !b)
    }

    fn shifted(&self, by: isize) -> Large {
        let (skip, bits) = (by.unsigned_abs() / 64, by.unsigned_abs() as u32 % 64);
        let word = |at: Option<usize>| at.and_then(|at| self.0.get(at)).copied().unwrap_or(0);
        let moved = |at: usize| {
            let near = if by >= 0 {
                at.checked_sub(skip)
            } else {
                Some(at + skip)
            };
            let far = near.and_then(|near| {
                if by >= 0 {
                    near.checked_sub(1)
                } else {
                    Some(near + 1)
                }
            });
            let (near, far) = (word(near), word(far));
            match (bits, by >= 0) {
                (0, _) => near,
                (_, true) => near << bits | far >> (64 - bits),
                (_, false) => near >> bits | far << (64 - bits),
            }
        };
        Large((0..self.0.len()).map(moved).collect())
    }

    fn columns(&self, rows: Range<usize>, stride: usize) -> Range<usize> {
        let mut inside = (rows.start * stride..rows.end * stride).filter(|&at| self.contains(at));
        let first = inside
            .next()
            .map_or(0..0, |at| at % stride..at % stride + 1);
        inside.fold(first, |span, at| {
            span.start.min(at % stride)..span.end.max(at % stride + 1)
        })
    }
}

/// The class of each letter, as a number; 255 for letters that belong to none.
pub(crate) type Classes = [u8; 256];

/// Each of these letters makes a class of its own.
pub(crate) const fn classes(letters: &[u8]) -> Classes {
    let mut classes = [u8::MAX; 256];
    let mut class = 0;
    while class < letters.len() {
        classes[letters[class] as usize] = class as u8;
        class += 1;
    }
    classes
}

/// The geometry of a board.
pub(crate) struct Map<S> {
    rows: usize,
    cols: usize,
    sets: PhantomData<S>,
}

impl<S> Clone for Map<S> {
    fn clone(&self) -> Map<S> {
        *self
    }
}

impl<S> Copy for Map<S> {}

impl<S: Cells> Map<S> {
    pub fn of(grid: &Grid<'_>) -> Map<S> {
        Map {
            rows: grid.rows,
            cols: grid.cols,
            sets: PhantomData,
        }
    }

    pub fn empty(self) -> S {
        S::empty(self.rows * (self.cols + 1))
    }

    /// One place.
    #[inline]
    pub fn singleton(self, place: usize) -> S {
        let mut set = self.empty();
        set.insert(place);
        set
    }

    /// The cells whose letter is wanted.
    #[inline]
    pub fn cells(self, grid: &Grid<'_>, wanted: impl Fn(u8) -> bool) -> S {
        let mut set = self.empty();
        let mut place = 0;
        for row in grid.cells.chunks(self.cols.max(1)) {
            for &cell in row {
                if wanted(cell) {
                    set.insert(place);
                }
                place += 1;
            }
            place += 1;
        }
        set
    }

    /// The cells of each of several classes of letters.
    #[inline]
    pub fn classes<const N: usize>(self, grid: &Grid<'_>, classes: &Classes) -> [S; N] {
        let mut sets = std::array::from_fn(|_| self.empty());
        let mut place = 0;
        for row in grid.cells.chunks(self.cols.max(1)) {
            for &cell in row {
                if let Some(set) = sets.get_mut(usize::from(classes[usize::from(cell)])) {
                    set.insert(place);
                }
                place += 1;
            }
            place += 1;
        }
        sets
    }

    /// The cells of a set in their order.
    pub fn each(self, set: &S) -> impl Iterator<Item = usize> + use<S> {
        self.places(set).map(move |place| self.cell(place))
    }

    /// The places of a set in their order.
    pub fn places(self, set: &S) -> impl Iterator<Item = usize> + use<S> {
        let mut rest = set.clone();
        let mut from = 0;
        std::iter::from_fn(move || {
            let place = rest.place_from(from)?;
            if S::IS_LARGE {
                from = place + 1;
            } else {
                rest.remove_first();
            }
            Some(place)
        })
    }

    /// The cell at a place.
    pub fn cell(self, place: usize) -> usize {
        place - place / (self.cols + 1)
    }

    /// The number of consecutive places of a set from a place in a direction, at most `most`.
    #[inline]
    pub fn ray_length(self, place: usize, way: (isize, isize), within: &S, most: usize) -> usize {
        let (step, places) = (self.step(way), self.rows * (self.cols + 1));
        let mut at = place;
        for length in 0..most {
            at = at.wrapping_add_signed(step);
            if at >= places || !within.contains(at) {
                return length;
            }
        }
        most
    }

    /// The next place in a direction, if it is on the board.
    #[inline]
    pub fn neighbour(self, place: usize, way: (isize, isize)) -> Option<usize> {
        let to = place.wrapping_add_signed(self.step(way));
        (to < self.rows * (self.cols + 1)).then_some(to)
    }

    /// The offset of the next place in a direction.
    #[inline]
    pub fn step(self, (down, right): (isize, isize)) -> isize {
        down * (self.cols as isize + 1) + right
    }

    /// The places that touch the set.
    #[inline]
    pub fn touched(self, set: &S, touch: Touch) -> S {
        set.touched(touch, self.cols + 1)
    }

    /// The places above, below, left or right of the set.
    #[inline]
    pub fn beside(self, set: &S) -> S {
        self.touched(set, Touch::Sides)
    }

    /// The cells of a set that are beside more than one cell of another.
    #[inline]
    pub fn beside_several(self, set: &S, of: &S) -> S {
        let stride = self.cols as isize + 1;
        let [left, right, above, below] = [1, -1, stride, -stride].map(|by| of.shifted(by));
        let (in_row, in_column) = (left.or(&right), above.or(&below));
        let both = left.and(&right).or(&above.and(&below));
        both.or(&in_row.and(&in_column)).and(set)
    }

    /// Extends these places, which are in `seen`, by all places connected to them.
    ///
    /// The time depends on the number of places found, not on the size of the board.
    pub fn walk(
        self,
        mut found: Vec<usize>,
        directions: &[(isize, isize)],
        seen: &mut S,
        joined: impl Fn(usize, usize) -> bool,
    ) -> Vec<usize> {
        let places = self.rows * (self.cols + 1);
        let mut next = 0;
        while let Some(&from) = found.get(next) {
            for &direction in directions {
                let to = from.wrapping_add_signed(self.step(direction));
                if to < places && !seen.contains(to) && joined(from, to) {
                    seen.insert(to);
                    found.push(to);
                }
            }
            next += 1;
        }
        found
    }

    /// Visits the connected parts of a set, each as a list of places.
    pub fn walk_parts(
        self,
        set: &S,
        joined: impl Fn(usize, usize) -> bool,
        mut visit: impl FnMut(&[usize]) -> Flow,
    ) -> Flow {
        let mut seen = self.empty();
        self.places(set).try_for_each(|place| {
            if seen.contains(place) {
                return ControlFlow::Continue(());
            }
            seen.insert(place);
            visit(&self.walk(vec![place], &ORTHOGONAL, &mut seen, &joined))
        })
    }

    /// The part of a set that is connected with some of its cells, up, down, left and right.
    #[inline]
    pub fn flood(self, seed: &S, set: &S) -> S {
        if S::IS_LARGE {
            let mut reached = seed.clone();
            self.walk(
                self.places(seed).collect(),
                &ORTHOGONAL,
                &mut reached,
                |_, to| set.contains(to),
            );
            return reached;
        }
        let mut part = seed.clone();
        loop {
            let grown = part.or(&self.beside(&part).and(set));
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    /// Visits the orthogonally connected parts of a set.
    #[inline]
    pub fn groups(self, set: &S, mut visit: impl FnMut(&S)) {
        let mut rest = set.clone();
        while let Some(place) = rest.first_place() {
            let group = self.flood(&self.singleton(place), &rest);
            rest = rest.minus(&group);
            visit(&group);
        }
    }

    /// Visits the parts of a set; `grow` returns the places that a set reaches in one step.
    #[inline]
    pub fn parts(self, set: &S, grow: impl Fn(&S) -> S, mut visit: impl FnMut(&S) -> Flow) -> Flow {
        let mut rest = set.clone();
        while let Some(place) = rest.first_place() {
            let mut part = self.singleton(place);
            loop {
                let grown = part.or(&grow(&part));
                if grown == part {
                    break;
                }
                part = grown;
            }
            rest = rest.minus(&part);
            visit(&part)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the parts of a set whose places touch.
    #[inline]
    pub fn touching(self, set: &S, touch: Touch, visit: impl FnMut(&S) -> Flow) -> Flow {
        self.parts(set, |part| self.touched(part, touch).and(set), visit)
    }

    /// Writes the cells of a set as a separate board; the other cells get the filler.
    pub fn cut(self, grid: &Grid<'_>, set: &S, filler: u8, board: &mut Vec<u8>) {
        if set.len() as usize == grid.cells.len() {
            board.clear();
            board.extend((self.cols as u16).to_le_bytes());
            board.extend_from_slice(grid.cells);
            return;
        }
        let stride = self.cols + 1;
        let rows = match (set.first_place(), set.last_place()) {
            (Some(first), Some(last)) => first / stride..last / stride + 1,
            _ => 0..0,
        };
        let cols = set.columns(rows.clone(), stride);
        board.clear();
        board.resize(HEAD + rows.len() * cols.len(), filler);
        board[..HEAD].copy_from_slice(&(cols.len() as u16).to_le_bytes());
        let copies = board[HEAD..].chunks_exact_mut(cols.len().max(1));
        for (copy, row) in copies.zip(rows) {
            let cells = &grid.cells[row * self.cols..];
            for (copy, col) in copy.iter_mut().zip(cols.clone()) {
                if set.contains(row * stride + col) {
                    *copy = cells[col];
                }
            }
        }
    }
}

/// Visits the connected parts of the cells with wanted letters, each as a separate board.
///
/// Inlined for each game, so that testing a letter is not a call.
#[inline]
pub(crate) fn cut_apart(
    position: &[u8],
    wanted: impl Fn(u8) -> bool,
    touch: Touch,
    filler: u8,
    visit: &mut PartVisitor<'_>,
) -> Flow {
    let grid = Grid::of(position);
    if grid.rows == 1 {
        return runs(grid.cells, wanted, visit);
    }
    match grid.rows * (grid.cols + 1) {
        0..=64 => {
            let map = Map::<u64>::of(&grid);
            cut_parts(map, &grid, map.cells(&grid, wanted), touch, filler, visit)
        }
        65..=128 => {
            let map = Map::<u128>::of(&grid);
            cut_parts(map, &grid, map.cells(&grid, wanted), touch, filler, visit)
        }
        _ => cut_cell_by_cell(&grid, wanted, touch, filler, visit),
    }
}

/// Visits the parts of a set whose places touch, each as a separate board.
fn cut_parts<S: Cells>(
    map: Map<S>,
    grid: &Grid<'_>,
    set: S,
    touch: Touch,
    filler: u8,
    visit: &mut PartVisitor<'_>,
) -> Flow {
    let mut board = Vec::with_capacity(HEAD + grid.cells.len());
    map.touching(&set, touch, |part| {
        map.cut(grid, part, filler, &mut board);
        visit(&board)
    })
}

/// Like [`cut_apart`], for large boards: the time depends on the cells of the boards of the parts.
fn cut_cell_by_cell(
    grid: &Grid<'_>,
    wanted: impl Fn(u8) -> bool,
    touch: Touch,
    filler: u8,
    visit: &mut PartVisitor<'_>,
) -> Flow {
    let mut seen: Vec<bool> = grid.cells.iter().map(|&cell| !wanted(cell)).collect();
    let (mut part, mut board) = (Vec::new(), Vec::new());
    for start in 0..grid.cells.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        part.clear();
        part.push(start);
        let mut next = 0;
        while let Some(&at) = part.get(next) {
            for to in grid.around(at, touch.directions()) {
                if !std::mem::replace(&mut seen[to], true) {
                    part.push(to);
                }
            }
            next += 1;
        }
        grid.cut(&part, filler, &mut board);
        visit(&board)?;
    }
    ControlFlow::Continue(())
}

/// Visits the runs of wanted letters in a single row, each as a separate board.
fn runs(row: &[u8], wanted: impl Fn(u8) -> bool, visit: &mut PartVisitor<'_>) -> Flow {
    let mut board = Vec::with_capacity(HEAD + row.len());
    let stretches = row.split(|&cell| !wanted(cell));
    for stretch in stretches.filter(|stretch| !stretch.is_empty()) {
        board.clear();
        board.extend_from_slice(&(stretch.len() as u16).to_le_bytes());
        board.extend_from_slice(stretch);
        visit(&board)?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::super::grid;
    use super::*;

    fn parts<S: Cells>(text: &str, touch: Touch) -> Vec<String> {
        let board = grid::parse(text, ".#").unwrap();
        let grid = Grid::of(&board);
        let map = Map::<S>::of(&grid);
        let mut found = Vec::new();
        let mut cut = Vec::new();
        let _ = map.touching(&map.cells(&grid, |cell| cell == b'.'), touch, |part| {
            map.cut(&grid, part, b'#', &mut cut);
            assert_eq!(map.each(part).count(), part.len() as usize);
            found.push(grid::print(&cut));
            ControlFlow::Continue(())
        });
        found
    }

    fn parts_cell_by_cell(text: &str, touch: Touch) -> Vec<String> {
        let board = grid::parse(text, ".#").unwrap();
        let mut found = Vec::new();
        let wanted = |cell| cell == b'.';
        let _ = cut_cell_by_cell(&Grid::of(&board), wanted, touch, b'#', &mut |part| {
            found.push(grid::print(part));
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn sets_of_all_sizes_agree() {
        let boards = [
            "..#.|.##.|#..#|....",
            "...|...",
            ".#.|#.#|.#.",
            "#",
            ".",
            "....#....|####.####|.........|.#.#.#.#.",
        ];
        for text in boards {
            for touch in [Touch::Sides, Touch::SidesAndCorners, Touch::Hexagons] {
                let expected = parts::<u64>(text, touch);
                assert_eq!(expected, parts::<u128>(text, touch), "{text}");
                assert_eq!(expected, parts::<Large>(text, touch), "{text}");
                assert_eq!(expected, parts_cell_by_cell(text, touch), "{text}");
            }
        }
        assert_eq!(parts::<u64>(".#.|#.#|.#.", Touch::Sides), ["."; 5]);
        assert_eq!(
            parts::<u64>(".#.|#.#|.#.", Touch::SidesAndCorners),
            [".#.|#.#|.#."]
        );
    }

    #[test]
    fn a_board_may_be_large() {
        let row = format!("{}#{}", ".".repeat(100), ".".repeat(50));
        let text = [row.as_str(); 3].join("|");
        let board = grid::parse(&text, ".#").unwrap();
        let mut sizes = Vec::new();
        let _ = cut_apart(
            &board,
            |cell| cell == b'.',
            Touch::Sides,
            b'#',
            &mut |part| {
                sizes.push(part.len() - 2);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(sizes, [300, 150]);
    }
}
