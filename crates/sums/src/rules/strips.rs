//! Lower bounds on Domineering boards from strips of a few rows.
//!
//! 1. If Left promises never to cross some horizontal lines, the board becomes a sum of strips.
//!    Right has the same moves as before and Left has fewer, so the board is at least that sum.
//! 2. A strip of at most [`CELLS`] cells has a canonical form, and a bound below it of the form
//!    number + switch, found by comparison.
//! 3. In a sum of switches both players take the largest first, and equal switches cancel. That
//!    gives what Left gets at least, as second and as first player.
//!
//! Transposed boards give the bounds for Right.

use super::Guarantee;
use crate::value::{Dyadic, Forms, Limits, OutOfBudget, Player, Value};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of cells of the largest strip.
const CELLS: usize = 16;

/// The number of columns of strips with 2, 3 and 4 rows.
const COLUMNS: [usize; TALLEST + 1] = [CELLS, CELLS, CELLS / 2, CELLS / 3, CELLS / 4];

/// The number of rows of the tallest strip.
const TALLEST: usize = 4;

/// Steps allowed for the canonical form of a strip: about a millisecond.
const STEPS: u64 = 20_000;

/// The sum of a number and some switches ±x with different x; ±0 is the star.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Switches {
    /// The number in eighths.
    number: i32,
    /// Bit x for the switch ±x/8.
    set: u32,
}

impl Switches {
    fn number(number: i32) -> Switches {
        Switches { number, set: 0 }
    }

    /// Equal switches cancel.
    #[inline]
    fn plus(self, other: Switches) -> Switches {
        Switches {
            number: self.number + other.number,
            set: self.set ^ other.set,
        }
    }

    /// What Left gets as second and as first player: both take the largest switch that is left.
    #[inline]
    fn guarantees(self) -> [Guarantee; 2] {
        let (mut rest, mut gain, mut sign) = (self.set, 0, 1);
        while let Some(largest) = rest.checked_ilog2() {
            rest ^= 1 << largest;
            gain += sign * largest as i32;
            sign = -sign;
        }
        [
            Guarantee::new(self.number - gain, sign > 0),
            Guarantee::new(self.number + gain, sign < 0),
        ]
    }

    fn to_word(self) -> u64 {
        KNOWN | u64::from(self.number as u16) << 32 | u64::from(self.set)
    }

    fn of_word(word: u64) -> Switches {
        Switches {
            number: i32::from((word >> 32) as u16 as i16),
            set: word as u32,
        }
    }
}

/// In the word of a strip: its bound was computed.
const KNOWN: u64 = 1 << 63;

/// The bounds of all strips of each height, by their cells; 0 for those not computed yet.
static BOUNDS: [OnceLock<Box<[AtomicU64]>>; TALLEST + 1] = [const { OnceLock::new() }; TALLEST + 1];

/// The canonical forms of strips.
static VALUES: Mutex<Option<Values>> = Mutex::new(None);

/// What Left can guarantee on a board, as second and as first player. Each row is a set of empty
/// cells. `None` if the board is too wide for strips.
pub(crate) fn guarantees(rows: &[u32], width: usize) -> Option<[Guarantee; 2]> {
    let tallest = (2..=TALLEST)
        .rev()
        .find(|&height| width <= COLUMNS[height])?;
    // For each number of rows from the top and each height of the last strip, the sums that are
    // best for the second and the first player.
    let mut best: Vec<[Option<[Switches; 2]>; TALLEST + 1]> =
        vec![Default::default(); rows.len() + 1];
    best[0][0] = Some([Switches::default(); 2]);
    for start in 0..rows.len() {
        for height in 1..=tallest.min(rows.len() - start) {
            let mut strip = None;
            for last in 0..=tallest {
                // Two strips that fit into one are no better than that.
                if last > 0 && last + height <= tallest {
                    continue;
                }
                let Some(sums) = best[start][last] else {
                    continue;
                };
                let strip = *strip
                    .get_or_insert_with(|| bound(height.max(2), cells(&rows[start..][..height])));
                for sum in sums {
                    keep(&mut best[start + height][height], sum.plus(strip));
                }
            }
        }
    }
    let sums = best[rows.len()].iter().flatten().flatten();
    sums.map(|sum| sum.guarantees())
        .reduce(|[a, b], [c, d]| [a.max(c), b.max(d)])
}

/// Keeps the sums that are best for the second and the first player.
fn keep(best: &mut Option<[Switches; 2]>, sum: Switches) {
    let Some(best) = best else {
        *best = Some([sum; 2]);
        return;
    };
    for (order, best) in best.iter_mut().enumerate() {
        if sum.guarantees()[order] > best.guarantees()[order] {
            *best = sum;
        }
    }
}

/// The cells of a strip, row by row; a single row is the first of two.
fn cells(rows: &[u32]) -> u32 {
    let columns = COLUMNS[rows.len().max(2)];
    rows.iter()
        .rev()
        .fold(0, |cells, row| cells << columns | row)
}

/// A bound below a strip.
#[inline]
fn bound(height: usize, cells: u32) -> Switches {
    let table = BOUNDS[height].get_or_init(|| {
        let size = 1 << (height * COLUMNS[height]);
        (0..size).map(|_| AtomicU64::new(0)).collect()
    });
    let word = &table[cells as usize];
    // Relaxed: all threads compute the same, and no other memory depends on it.
    match word.load(Ordering::Relaxed) {
        0 => {
            let mut values = VALUES.lock().unwrap_or_else(PoisonError::into_inner);
            let bound = values
                .get_or_insert_with(Values::default)
                .bound(Shape { height, cells });
            word.store(bound.to_word(), Ordering::Relaxed);
            bound
        }
        known => Switches::of_word(known),
    }
}

/// Some cells of a strip.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    height: usize,
    cells: u32,
}

impl Shape {
    fn columns(self) -> usize {
        COLUMNS[self.height]
    }

    /// The cells of the last column.
    fn last_column(self) -> u32 {
        let columns = self.columns();
        (0..self.height).fold(0, |set, row| set | 1 << (row * columns + columns - 1))
    }

    /// The first cells of the dominoes of a player, and the step to the second.
    fn places(self, player: Player) -> (u32, usize) {
        let columns = self.columns();
        match player {
            Player::Left => (self.cells & self.cells >> columns, columns),
            Player::Right => (self.cells & self.cells >> 1 & !self.last_column(), 1),
        }
    }

    /// The positions after each move of a player.
    fn options(self, player: Player) -> impl Iterator<Item = Shape> {
        let (mut places, step) = self.places(player);
        std::iter::from_fn(move || {
            let place = 1 << places.checked_ilog2()?;
            places ^= place;
            let cells = self.cells & !place & !(place << step);
            Some(Shape { cells, ..self })
        })
    }

    /// The connected parts with more than one cell, moved to the corner.
    fn parts(self) -> impl Iterator<Item = Shape> {
        let mut rest = self.cells;
        let (columns, last) = (self.columns(), self.last_column());
        let first = last >> (columns - 1);
        let part = move || {
            let mut part = 1 << rest.checked_ilog2()?;
            loop {
                let aside = (part & !last) << 1 | (part & !first) >> 1;
                let grown = (part | aside | part << columns | part >> columns) & rest;
                if grown == part {
                    break;
                }
                part = grown;
            }
            rest ^= part;
            Some(Shape {
                cells: part,
                ..self
            })
        };
        std::iter::from_fn(part)
            .filter(|part| part.cells.count_ones() > 1)
            .map(Shape::moved_to_corner)
    }

    fn moved_to_corner(self) -> Shape {
        let (columns, first) = (self.columns(), self.last_column() >> (self.columns() - 1));
        let mut cells = self.cells;
        while cells != 0 && cells & first == 0 {
            cells >>= 1;
        }
        while cells != 0 && cells & ((1 << columns) - 1) == 0 {
            cells >>= columns;
        }
        Shape { cells, ..self }
    }

    /// Minus the number of dominoes Right can place at most.
    fn least(self) -> i32 {
        let (mut places, mut count) = (self.places(Player::Right).0, 0);
        while places != 0 {
            let place = places & places.wrapping_neg();
            places &= !(place | place << 1);
            count += 1;
        }
        -count
    }
}

/// Canonical forms of connected shapes.
struct Values {
    forms: Forms,
    known: FxHashMap<Shape, Value>,
}

impl Default for Values {
    fn default() -> Values {
        Values {
            forms: Forms::new(Limits::default().with_bytes(64 << 20)),
            known: FxHashMap::default(),
        }
    }
}

impl Values {
    /// A bound below a shape; it is weak if the canonical form takes too long.
    fn bound(&mut self, shape: Shape) -> Switches {
        let parts = shape.parts().map(|part| {
            self.forms.allow_steps(STEPS);
            let found = self.value(part).and_then(|value| self.below(value));
            found.unwrap_or_else(|_| Switches::number(8 * part.least()))
        });
        parts.fold(Switches::default(), Switches::plus)
    }

    /// The canonical form of a connected shape.
    fn value(&mut self, shape: Shape) -> Result<Value, OutOfBudget> {
        if let Some(&value) = self.known.get(&shape) {
            return Ok(value);
        }
        let mut lists = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            for option in shape.options(player) {
                let mut sum = Value::ZERO;
                for part in option.parts() {
                    let value = self.value(part)?;
                    sum = self.forms.sum(sum, value)?;
                }
                lists[player as usize].push(sum);
            }
        }
        let value = self.forms.game(&lists[0], &lists[1])?;
        self.known.insert(shape, value);
        Ok(value)
    }

    /// The greatest number, or number + switch, that is found to be at most this value.
    fn below(&mut self, value: Value) -> Result<Switches, OutOfBudget> {
        let mean = eighths(&self.forms.mean(value)?);
        let [left, right] = Player::BOTH.map(|first| eighths(self.forms.stop(value, first)));
        for number in (right..=mean).rev() {
            if number <= right {
                let candidate = self.forms.number(Dyadic::new(i64::from(number), 3))?;
                if self.forms.le(candidate, value)? {
                    return Ok(Switches::number(number));
                }
            }
            for half in number - right..=(left - number).min(31) {
                let ends = [number + half, number - half]
                    .map(|end| self.forms.number(Dyadic::new(i64::from(end), 3)));
                let [high, low] = ends;
                let candidate = self.forms.game(&[high?], &[low?])?;
                if self.forms.le(candidate, value)? {
                    let set = 1 << half;
                    return Ok(Switches { number, set });
                }
            }
        }
        // The Right stop is greater than this.
        Ok(Switches::number(right - 1))
    }
}

/// In eighths, rounded down.
fn eighths(number: &Dyadic) -> i32 {
    let eighths = number.double().double().double().floor();
    eighths.to_i64().unwrap_or(0) as i32
}

#[cfg(test)]
mod tests {
    use super::super::{Ruleset, domineering::Domineering};
    use super::*;
    use crate::{Game, Solver};

    /// The difference of the value and the number is won, or the stop is reached.
    fn check(forms: &mut Forms, value: Value, player: Player, guarantees: [Guarantee; 2]) {
        for (first, guarantee) in [!player, player].into_iter().zip(guarantees) {
            let sign = if player == Player::Left { 1 } else { -1 };
            let number = Dyadic::new(sign * i64::from(guarantee.eighths), 3);
            let stop = forms.stop(value, first).clone();
            let is_reached = match player {
                Player::Left => stop >= number,
                Player::Right => stop <= number,
            };
            assert!(is_reached, "{stop} {player:?} {guarantee:?}");
            if guarantee.is_last {
                let number = forms.number(-number).unwrap();
                let difference = forms.sum(value, number).unwrap();
                assert_eq!(forms.outcome(difference).wins_first(first), first == player);
            }
        }
    }

    fn check_board(solver: &mut Solver, text: &str) {
        let value = solver
            .value(&[Game::parse("domineering", text).unwrap()])
            .unwrap();
        let position = Domineering.parse(text).unwrap();
        let guarantees = Domineering.guarantees(&position).unwrap();
        for player in Player::BOTH {
            let guarantees = guarantees[player as usize];
            check(&mut solver.forms(), value, player, guarantees);
        }
    }

    /// The sizes of boards with the share of their cells that is empty, in eighths.
    const SIZES: [(usize, usize, u64); 8] = [
        (3, 3, 6),
        (4, 4, 6),
        (4, 4, 8),
        (2, 8, 7),
        (9, 2, 7),
        (5, 4, 6),
        (3, 6, 6),
        (5, 5, 5),
    ];

    #[test]
    fn values_lie_within_the_bounds() {
        let mut solver = Solver::default();
        let mut random = 1u64;
        let mut next = move || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            random >> 61
        };
        for (rows, cols, share) in SIZES {
            for _ in 0..if share == 8 { 1 } else { 60 } {
                let mut row = || -> String {
                    let cells = (0..cols).map(|_| if next() < share { '.' } else { '#' });
                    cells.collect()
                };
                let board: Vec<String> = (0..rows).map(|_| row()).collect();
                check_board(&mut solver, &board.join("|"));
            }
        }
    }

    #[test]
    fn switches_are_taken_in_turn() {
        let mut forms = Forms::default();
        for (number, set) in [
            (0, 0),
            (3, 0b1),
            (-8, 0b10_0000),
            (4, 0b1010),
            (-5, 0b1011),
            (1, 0b1100_0001),
            (2, 0b101_0101),
        ] {
            let mut value = forms.number(Dyadic::new(number, 3)).unwrap();
            for half in (0..8).filter(|half| set >> half & 1 != 0) {
                let [high, low] =
                    [half, -half].map(|end| forms.number(Dyadic::new(end, 3)).unwrap());
                let switch = forms.game(&[high], &[low]).unwrap();
                value = forms.sum(value, switch).unwrap();
            }
            let number = number as i32;
            let guarantees = Switches { number, set }.guarantees();
            check(&mut forms, value, Player::Left, guarantees);
            let stops =
                [Player::Right, Player::Left].map(|first| eighths(forms.stop(value, first)));
            assert_eq!(guarantees.map(|guarantee| guarantee.eighths), stops);
        }
    }

    #[test]
    fn strips_that_take_too_long_have_weak_bounds() {
        let mut values = Values {
            forms: Forms::new(Limits::default().with_bytes(0)),
            known: FxHashMap::default(),
        };
        let shape = Shape {
            height: 2,
            cells: 0b111_0000_0111,
        };
        assert_eq!(values.bound(shape), Switches::number(-16));
        assert_eq!(bound(2, 0b1), Switches::default());
        assert_eq!(
            bound(2, 0b11_0000_0011),
            Switches {
                number: 0,
                set: 1 << 8
            }
        );
    }
}
