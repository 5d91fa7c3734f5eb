//! Symmetries of the board and their effect on squares, pieces, directions and colours.

use crate::ast::{Side, Transform};

/// An elementary symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Transformation {
    /// Mirror the files, then the ranks, then swap files with ranks.
    Dihedral {
        files: bool,
        ranks: bool,
        swap: bool,
    },
    /// Right and up by a number of squares.
    Shift(i8, i8),
    /// Counter-clockwise by a number of eighths of a turn; directions only.
    Turn(u8),
    /// Exchange of White and Black.
    Colors,
}

/// A composition; the last of the list is applied first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Symmetry(Vec<Transformation>);

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(Vec::new());

    /// `self` after `first`.
    pub fn after(&self, first: &Symmetry) -> Symmetry {
        Symmetry(self.0.iter().chain(&first.0).copied().collect())
    }

    /// The symmetries that a transform tries.
    pub fn of(transform: Transform) -> Vec<Symmetry> {
        let flips = |f: &dyn Fn(bool, bool, bool) -> bool| {
            (0..8u8)
                .map(|i| (i & 4 != 0, i & 2 != 0, i & 1 != 0))
                .filter(|&(a, b, c)| f(a, b, c))
                .map(dihedral)
                .collect()
        };
        match transform {
            Transform::Flip => flips(&|_, _, _| true),
            Transform::FlipVertical => flips(&|_, ranks, swap| !ranks && !swap),
            Transform::FlipHorizontal => flips(&|files, _, swap| !files && !swap),
            Transform::Rotate90 => flips(&|files, ranks, swap| swap == (files != ranks)),
            Transform::Rotate45 => (0..8)
                .map(|n| {
                    Symmetry(if n == 0 {
                        vec![]
                    } else {
                        vec![Transformation::Turn(n)]
                    })
                })
                .collect(),
            Transform::FlipColor => vec![Symmetry::IDENTITY, colors()],
            Transform::ReverseColor => vec![colors()],
            Transform::Shift => shifts(-7..=7, -7..=7),
            Transform::ShiftHorizontal => shifts(-7..=7, 0..=0),
            Transform::ShiftVertical => shifts(0..=0, -7..=7),
        }
    }

    /// The image of a set of squares; squares off the board are dropped, but full ranks and files
    /// stay full.
    pub fn squares(&self, set: u64) -> u64 {
        self.0.iter().rev().fold(set, |set, step| match *step {
            Transformation::Dihedral { files, ranks, swap } => {
                turn_squares(set, files, ranks, swap)
            }
            Transformation::Shift(right, up) => shift_squares(set, right, up),
            Transformation::Turn(_) | Transformation::Colors => set,
        })
    }

    /// The kinds of pieces of a designator.
    pub fn pieces(&self, pieces: u16) -> u16 {
        if !self.swaps_colors() {
            return pieces;
        }
        pieces & 1 << 12 | pieces >> 6 & 0b11_1111 | (pieces & 0b11_1111) << 6
    }

    pub fn side(&self, side: Side) -> Side {
        match (side, self.swaps_colors()) {
            (side, false) => side,
            (Side::White, true) => Side::Black,
            (Side::Black, true) => Side::White,
        }
    }

    pub fn swaps_colors(&self) -> bool {
        self.0
            .iter()
            .filter(|s| **s == Transformation::Colors)
            .count()
            % 2
            == 1
    }

    /// Light squares become dark ones.
    pub fn swaps_shades(&self) -> bool {
        let swapping = self.0.iter().filter(|step| match **step {
            Transformation::Dihedral { files, ranks, .. } => files != ranks,
            Transformation::Shift(right, up) => (right + up) % 2 != 0,
            Transformation::Turn(_) | Transformation::Colors => false,
        });
        swapping.count() % 2 == 1
    }

    /// Directions, a bit each, clockwise from north.
    pub fn directions(&self, dirs: u8) -> u8 {
        (0..8)
            .filter(|d| dirs >> d & 1 != 0)
            .fold(0, |set, d| set | 1 << self.direction(d))
    }

    fn direction(&self, direction: u8) -> u8 {
        self.0.iter().rev().fold(direction, |d, step| match *step {
            Transformation::Dihedral { files, ranks, swap } => {
                let (mut x, mut y) = OFFSETS[d as usize];
                x = if files { -x } else { x };
                y = if ranks { -y } else { y };
                let found = if swap { (y, x) } else { (x, y) };
                OFFSETS.iter().position(|o| *o == found).unwrap_or(0) as u8
            }
            Transformation::Turn(eighths) => (d + 8 - eighths) % 8,
            Transformation::Shift(..) | Transformation::Colors => d,
        })
    }

    /// Its name for `currenttransform`.
    pub fn name(&self) -> String {
        let names: Vec<String> = self
            .0
            .iter()
            .map(|s| s.name())
            .filter(|n| !n.is_empty())
            .collect();
        format!("<{}>", names.join(" "))
    }
}

impl Transformation {
    fn name(self) -> String {
        match self {
            Transformation::Dihedral { files, ranks, swap } => match (swap, files, ranks) {
                (false, false, false) => "",
                (false, false, true) => "reflect_h",
                (false, true, false) => "reflect_v",
                (false, true, true) => "rotate180",
                (true, false, false) => "reflect_a1h8",
                (true, false, true) => "counterclockwise90",
                (true, true, false) => "clockwise90",
                (true, true, true) => "reflect_a8h1",
            }
            .into(),
            Transformation::Shift(right, up) => {
                let part = |n: i8, plus: &str, minus: &str| match n {
                    0 => String::new(),
                    1.. => format!("{plus}^{n}"),
                    _ => format!("{minus}^{}", -n),
                };
                [part(right, "right", "left"), part(up, "up", "down")]
                    .join(" ")
                    .trim()
                    .into()
            }
            Transformation::Turn(eighths) => format!("rotate45^{eighths}"),
            Transformation::Colors => "invertcolor".into(),
        }
    }
}

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;

/// East and north parts of the directions, clockwise from north.
pub(crate) const OFFSETS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

fn dihedral((files, ranks, swap): (bool, bool, bool)) -> Symmetry {
    if !(files || ranks || swap) {
        return Symmetry::IDENTITY;
    }
    Symmetry(vec![Transformation::Dihedral { files, ranks, swap }])
}

fn colors() -> Symmetry {
    Symmetry(vec![
        Transformation::Colors,
        Transformation::Dihedral {
            files: false,
            ranks: true,
            swap: false,
        },
    ])
}

fn shifts(right: std::ops::RangeInclusive<i8>, up: std::ops::RangeInclusive<i8>) -> Vec<Symmetry> {
    let all = right.flat_map(|x| up.clone().map(move |y| (x, y)));
    let mut shifts: Vec<_> = all
        .map(|(x, y)| {
            Symmetry(if (x, y) == (0, 0) {
                vec![]
            } else {
                vec![Transformation::Shift(x, y)]
            })
        })
        .collect();
    shifts.sort_by_key(|s| !s.0.is_empty());
    shifts
}

fn turn_squares(set: u64, files: bool, ranks: bool, swap: bool) -> u64 {
    bits(set).fold(0, |out, square| {
        let (mut x, mut y) = (square % 8, square / 8);
        x = if files { 7 - x } else { x };
        y = if ranks { 7 - y } else { y };
        out | 1 << if swap { 8 * x + y } else { 8 * y + x }
    })
}

fn shift_squares(mut set: u64, right: i8, up: i8) -> u64 {
    for _ in 0..right.unsigned_abs() {
        let full = full_ranks(set);
        set = if right > 0 {
            (set & !FILE_H) << 1 | full & FILE_A
        } else {
            (set & !FILE_A) >> 1 | full & FILE_H
        };
    }
    for _ in 0..up.unsigned_abs() {
        let full = full_files(set);
        set = if up > 0 {
            set << 8 | full & 0xff
        } else {
            set >> 8 | full & 0xff << 56
        };
    }
    set
}

fn full_ranks(set: u64) -> u64 {
    // each fold combines a rank with its other half, so the first square covers all eight
    let halves = set & set >> 4;
    let quarters = halves & halves >> 2;
    (quarters & quarters >> 1 & FILE_A) * 0xff
}

fn full_files(set: u64) -> u64 {
    let halves = set & set >> 32;
    let quarters = halves & halves >> 16;
    (quarters & quarters >> 8 & 0xff) * FILE_A
}

/// The squares of a set, starting from a1.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_the_families() {
        let size = |t| Symmetry::of(t).len();
        assert_eq!(size(Transform::Flip), 8);
        assert_eq!(size(Transform::Rotate90), 4);
        assert_eq!(size(Transform::FlipVertical), 2);
        assert_eq!(size(Transform::FlipHorizontal), 2);
        assert_eq!(size(Transform::Shift), 225);
        assert_eq!(size(Transform::ShiftVertical), 15);
    }

    #[test]
    fn corners_go_round() {
        let corners: Vec<u64> = Symmetry::of(Transform::Rotate90)
            .iter()
            .map(|s| s.squares(1))
            .collect();
        assert_eq!(
            corners.iter().fold(0, |a, b| a | b),
            1 | 1 << 7 | 1 << 56 | 1 << 63
        );
        let down = Symmetry::of(Transform::FlipHorizontal);
        assert_eq!(
            down.iter().map(|s| s.directions(1)).collect::<Vec<_>>(),
            [1, 16]
        );
    }

    #[test]
    fn full_ranks_stay_full() {
        let right = Symmetry(vec![Transformation::Shift(1, 0)]);
        assert_eq!(right.squares(0xff00), 0xff00);
        assert_eq!(right.squares(0x8000), 0);
        assert_eq!(right.squares(1), 2);
    }
}
