//! Simple implementations of Domineering and Clobber on bit boards, as test input for values.

use std::collections::HashMap;

use gametree_sums::value::{Forms, OutOfBudget, Value};
use rustc_hash::FxBuildHasher;

/// Values of positions of one game; each connected part is evaluated once.
pub struct Boards {
    pub forms: Forms,
    known: HashMap<Part, Value, FxBuildHasher>,
    seen: HashMap<Part, Value, FxBuildHasher>,
    /// The number of columns plus one, which stays empty, so that moves do not wrap.
    stride: u32,
    first_column: u64,
}

/// The cells of Left and of Right; in Domineering both are the empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Part {
    left: u64,
    right: u64,
}

impl Boards {
    pub fn new(columns: u32) -> Boards {
        let stride = columns + 1;
        Boards {
            forms: Forms::default(),
            known: HashMap::default(),
            seen: HashMap::default(),
            stride,
            first_column: (0..64)
                .step_by(stride as usize)
                .fold(0, |cells, cell| cells | 1 << cell),
        }
    }

    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// Domineering, rows given by `.` for empty cells; Left plays vertically.
    pub fn domineering(rows: &[String]) -> (Boards, Value) {
        let mut boards = Boards::new(columns(rows));
        let empty = boards.cells(rows, '.');
        let value = boards.value(
            Part {
                left: empty,
                right: empty,
            },
            &domino_moves,
        );
        (boards, value.expect("within the default limits"))
    }

    /// Clobber, rows of `x`, `o` and `.`; Left plays `x`.
    pub fn clobber(rows: &[String]) -> (Boards, Value) {
        let mut boards = Boards::new(columns(rows));
        let (left, right) = (boards.cells(rows, 'x'), boards.cells(rows, 'o'));
        let value = boards.value(Part { left, right }, &clobber_moves);
        (boards, value.expect("within the default limits"))
    }

    fn cells(&self, rows: &[String], wanted: char) -> u64 {
        let mut cells = 0;
        for (y, row) in (0..).zip(rows) {
            for (x, _) in (0..).zip(row.chars()).filter(|&(_, c)| c == wanted) {
                cells |= 1u64 << (y * self.stride + x);
            }
        }
        cells
    }

    fn value(&mut self, position: Part, moves: &Moves) -> Result<Value, OutOfBudget> {
        let (mut rest, mut sum) = (position.left | position.right, Value::ZERO);
        while rest != 0 {
            let part = flood(rest & rest.wrapping_neg(), rest, self.stride);
            rest &= !part;
            let part = Part {
                left: position.left & part,
                right: position.right & part,
            };
            let value = self.part_value(part, moves)?;
            sum = self.forms.sum(sum, value)?;
        }
        Ok(sum)
    }

    fn part_value(&mut self, part: Part, moves: &Moves) -> Result<Value, OutOfBudget> {
        // Most parts recur unchanged: only new ones are normalised.
        let seen = self.cornered(part);
        if let Some(&value) = self.seen.get(&seen) {
            return Ok(value);
        }
        let part = self.normal(seen);
        if let Some(&value) = self.known.get(&part) {
            self.seen.insert(seen, value);
            return Ok(value);
        }
        let mut options = [Vec::new(), Vec::new()];
        let [left, right] = moves(part, self.stride);
        for (side, after) in [left, right].into_iter().enumerate() {
            for position in after {
                options[side].push(self.value(position, moves)?);
            }
        }
        let value = self.forms.game(&options[0], &options[1])?;
        self.known.insert(part, value);
        self.seen.insert(seen, value);
        Ok(value)
    }

    /// The part moved to the corner.
    fn cornered(&self, part: Part) -> Part {
        let all = part.left | part.right;
        let down = all.trailing_zeros() / self.stride * self.stride;
        let mut across = 0;
        while all >> across & self.first_column == 0 {
            across += 1;
        }
        let shift = down + across;
        Part {
            left: part.left >> shift,
            right: part.right >> shift,
        }
    }

    /// The least of the mirror images of a part in the corner.
    fn normal(&self, part: Part) -> Part {
        let all = part.left | part.right;
        let (mut wide, mut high) = (0, 0);
        for cell in bits(all) {
            (wide, high) = (wide.max(cell % self.stride), high.max(cell / self.stride));
        }
        let image = |cells: u64, flip: u32| {
            bits(cells).fold(0u64, |image, cell| {
                let (x, y) = (cell % self.stride, cell / self.stride);
                let x = if flip & 1 == 0 { x } else { wide - x };
                let y = if flip & 2 == 0 { y } else { high - y };
                image | 1 << (y * self.stride + x)
            })
        };
        let images = (0..4).map(|flip| (image(part.left, flip), image(part.right, flip)));
        let (left, right) = images.min().unwrap_or_default();
        Part { left, right }
    }
}

type Moves = dyn Fn(Part, u32) -> [Vec<Part>; 2];

fn domino_moves(part: Part, stride: u32) -> [Vec<Part>; 2] {
    [stride, 1].map(|step| {
        let starts = part.left & part.left >> step;
        let placed = bits(starts).map(|cell| part.left & !(1 << cell | 1 << (cell + step)));
        placed
            .map(|empty| Part {
                left: empty,
                right: empty,
            })
            .collect()
    })
}

fn clobber_moves(part: Part, stride: u32) -> [Vec<Part>; 2] {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for step in [1, stride] {
        for (x, o) in [(0, step), (step, 0)] {
            for cell in bits(part.left >> x & part.right >> o) {
                let (from, to) = (1u64 << (cell + x), 1u64 << (cell + o));
                left.push(Part {
                    left: part.left & !from | to,
                    right: part.right & !to,
                });
                right.push(Part {
                    left: part.left & !from,
                    right: part.right & !to | from,
                });
            }
        }
    }
    [left, right]
}

fn flood(mut part: u64, cells: u64, stride: u32) -> u64 {
    loop {
        let grown = part | part << 1 | part >> 1 | part << stride | part >> stride;
        if grown & cells == part {
            return part;
        }
        part = grown & cells;
    }
}

fn bits(mut cells: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros());
        cells &= cells.wrapping_sub(1);
        cell
    })
}

fn columns(rows: &[String]) -> u32 {
    rows.iter()
        .map(|row| row.chars().count() as u32)
        .max()
        .unwrap_or(0)
}

/// An empty board.
pub fn empty(rows: usize, columns: usize) -> Vec<String> {
    vec![".".repeat(columns); rows]
}

/// A full board of `x` and `o` like a chequerboard.
pub fn chequered(rows: usize, columns: usize) -> Vec<String> {
    let cell = |x: usize, y: usize| if (x + y).is_multiple_of(2) { 'x' } else { 'o' };
    (0..rows)
        .map(|y| (0..columns).map(|x| cell(x, y)).collect())
        .collect()
}
