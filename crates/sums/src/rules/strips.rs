//! Lower bounds on Domineering boards from strips of a few rows.
//!
//! 1. If Left promises never to cross some horizontal lines, the board becomes a sum of strips.
//!    Right has the same moves as before and Left has fewer, so the board is at least that sum.
//! 2. The connected parts of strips are small: they have canonical forms, and a bound below each of
//!    the form number + switch, found by comparison.
//! 3. In a sum of switches both players take the largest first, and equal switches cancel. That
//!    gives what Left gets at least, as second and as first player.
//!
//! Transposed boards give the bounds for Right.

use super::Guarantee;
use crate::value::{Dyadic, Forms, Limits, OutOfBudget, Player, Value};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of rows of the tallest strip.
const TALLEST: usize = 4;

/// The number of columns of the widest board: a row takes [`STRIDE`] bits of a set of cells.
pub(crate) const WIDEST: usize = STRIDE as usize - 1;
const STRIDE: u32 = 16;

/// The cells of the first row.
const FIRST_ROW: u64 = 0xffff;

/// The largest part with a canonical form, in cells of the rectangle around it. A board has up to
/// tens of thousands of larger parts, whose forms take some tenths of a second.
const LARGEST: u32 = 18;

/// The same for a wide board that is not one of many.
const LARGEST_OF_WIDE: u32 = 21;

/// The largest part after [`MANY`] bounds, when better bounds save more than those forms take.
const LARGEST_OF_MANY: u32 = 24;
const MANY: u32 = 1 << 17;

/// Steps allowed for the canonical form of a part: a few milliseconds.
const STEPS: u64 = 20_000;

/// Bytes for the canonical forms of parts.
const BYTES: usize = 128 << 20;

/// Parts whose canonical forms or bounds are kept: some 30 MB each.
const MOST_PARTS: usize = 1 << 20;

/// The sum of a number and some switches ±x with different x; ±0 is the star.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Switches {
    /// The number in eighths.
    number: i32,
    /// Bit x for the switch ±x/8.
    set: u32,
}

/// The largest switch in eighths, and the numbers in eighths that fit into an [`entry`].
const LARGEST_SWITCH: i32 = 25;
const NUMBERS: std::ops::RangeInclusive<i32> = -127..=127;

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
        let [low, high] = [self.set & HALF_MASK, self.set >> HALF].map(|set| SHARES[set as usize]);
        // In the upper half each switch is larger by HALF. An even number of them adds nothing, and
        // leaves the first player to move in the lower half.
        let (gain, is_odd) = if high.is_odd {
            (high.gain + HALF as i8 - low.gain, !low.is_odd)
        } else {
            (high.gain + low.gain, low.is_odd)
        };
        let gain = i32::from(gain);
        [
            Guarantee::new(self.number - gain, !is_odd),
            Guarantee::new(self.number + gain, is_odd),
        ]
    }
}

/// The first player's share of some switches.
#[derive(Clone, Copy)]
struct Share {
    gain: i8,
    /// The first player takes the last switch.
    is_odd: bool,
}

/// Half of the bits of [`Switches::set`].
const HALF: u32 = 13;
const HALF_MASK: u32 = (1 << HALF) - 1;

/// The shares of the switches in the lower half.
static SHARES: [Share; 1 << HALF] = {
    let share = Share {
        gain: 0,
        is_odd: false,
    };
    let mut shares = [share; 1 << HALF];
    let mut set = 1usize;
    while set < shares.len() {
        // The first player takes the largest, and is second in the rest.
        let largest = set.ilog2();
        let rest = shares[set ^ 1 << largest];
        shares[set] = Share {
            gain: largest as i8 - rest.gain,
            is_odd: !rest.is_odd,
        };
        set += 1;
    }
    shares
};

/// What Left can guarantee on a board, as second and as first player. Each row is a set of empty
/// cells, of at most [`WIDEST`] columns.
pub(crate) fn guarantees(rows: &[u16]) -> [Guarantee; 2] {
    // Three rows of seven columns decide much about wide boards, and cost little beside them.
    let columns = u16::BITS - rows.iter().fold(0, |all, row| all | row).leading_zeros();
    guarantees_of_parts(rows, (3 * columns).clamp(LARGEST, LARGEST_OF_WIDE))
}

/// The same with parts of up to this many cells.
fn guarantees_of_parts(rows: &[u16], largest: u32) -> [Guarantee; 2] {
    let mut sums = StripSums::default();
    sums.update(rows, ALL_ROWS, |rows| strip(rows, largest));
    sums.guarantees(rows)
}

/// The set of all rows.
const ALL_ROWS: u16 = u16::MAX;

/// The same for many boards: keeps the bounds of strips.
pub(crate) struct StripBounds {
    /// The cells of the newest strip of each place, and its bound or [`UNKNOWN`].
    strips: Vec<(u64, Switches)>,
    /// The number of bounds so far, up to [`MANY`].
    count: u32,
}

impl Default for StripBounds {
    fn default() -> StripBounds {
        StripBounds {
            strips: vec![NO_CELLS; 1 << STRIP_BITS],
            count: 0,
        }
    }
}

impl StripBounds {
    /// The sums of the strips of a board.
    pub fn sums(&mut self, rows: &[u16]) -> StripSums {
        let mut sums = StripSums::default();
        sums.update(rows, ALL_ROWS, |rows| self.strip(rows));
        sums
    }

    /// See [`guarantees`]: for a board that differs from another one in a set of rows.
    pub fn guarantees(&mut self, other: &StripSums, rows: &[u16], changed: u16) -> [Guarantee; 2] {
        self.count_bound();
        let mut sums = other.clone();
        sums.update(rows, changed, |rows| self.strip(rows));
        sums.guarantees(rows)
    }

    /// Forgets the bounds of strips when larger parts begin to have bounds.
    fn count_bound(&mut self) {
        if self.count < MANY {
            self.count += 1;
            if self.count == MANY {
                self.strips.fill(NO_CELLS);
            }
        }
    }

    fn largest_part(&self) -> u32 {
        if self.count < MANY {
            LARGEST
        } else {
            LARGEST_OF_MANY
        }
    }

    fn strip(&mut self, rows: &[u16]) -> Option<Switches> {
        let cells = cells_of(rows);
        let largest = self.largest_part();
        let place = cells.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - STRIP_BITS);
        let entry = &mut self.strips[place as usize];
        if entry.0 != cells {
            *entry = (cells, strip(rows, largest).unwrap_or(UNKNOWN));
        }
        Some(entry.1).filter(|&bound| bound != UNKNOWN)
    }
}

/// The strip without cells.
const NO_CELLS: (u64, Switches) = (0, Switches { number: 0, set: 0 });

/// Stands for no bound.
const UNKNOWN: Switches = Switches {
    number: i32::MIN,
    set: 0,
};

/// The number of bits of the place of a strip in [`StripBounds`].
const STRIP_BITS: u32 = 16;

/// The bounds of the strips of a board, and the best sums of them from the top.
#[derive(Clone, Default)]
pub(crate) struct StripSums {
    /// By the first row and the height.
    strips: [[Option<Switches>; TALLEST + 1]; WIDEST],
    /// By the number of rows and the height of the last strip.
    best: [[Option<Best>; TALLEST + 1]; WIDEST + 1],
}

/// The best sums of strips, with what they guarantee: one for the second player and one for the
/// first.
#[derive(Clone, Copy)]
struct Best {
    sums: [Switches; 2],
    guarantees: [Guarantee; 2],
}

impl StripSums {
    /// Adapts the sums to a board that differs in a set of rows.
    fn update(
        &mut self,
        rows: &[u16],
        changed: u16,
        mut strip: impl FnMut(&[u16]) -> Option<Switches>,
    ) {
        let same = (changed.trailing_zeros() as usize).min(rows.len());
        keep(&mut self.best[0][0], Switches::default());
        self.best[same + 1..].fill([None; TALLEST + 1]);
        for start in (same + 1).saturating_sub(TALLEST)..rows.len() {
            for height in 1..=TALLEST.min(rows.len() - start) {
                if changed >> start & ((1 << height) - 1) != 0 {
                    self.strips[start][height] = strip(&rows[start..start + height]);
                }
                let Some(strip) = self.strips[start][height] else {
                    // Nor have taller strips a bound.
                    self.strips[start][height..].fill(None);
                    break;
                };
                if start + height > same {
                    self.add(start, height, strip);
                }
            }
        }
    }

    /// Adds the sums that end with this strip.
    #[inline]
    fn add(&mut self, start: usize, height: usize, strip: Switches) {
        for last in 0..=TALLEST {
            let Some(Best { sums, .. }) = self.best[start][last] else {
                continue;
            };
            // Two strips are no better than one of their rows together.
            let both = last + height;
            if last > 0 && both <= TALLEST && self.strips[start - last][both].is_some() {
                continue;
            }
            let best = &mut self.best[start + height][height];
            keep(best, sums[0].plus(strip));
            if sums[0] != sums[1] {
                keep(best, sums[1].plus(strip));
            }
        }
    }

    fn guarantees(&self, rows: &[u16]) -> [Guarantee; 2] {
        let all = self.best[rows.len()].iter().flatten();
        all.map(|best| best.guarantees)
            .reduce(|[a, b], [c, d]| [a.max(c), b.max(d)])
            .unwrap_or([Guarantee::new(i32::MIN / 2, false); 2])
    }
}

/// Keeps the sums that are best for the second and the first player.
#[inline]
fn keep(best: &mut Option<Best>, sum: Switches) {
    let guarantees = sum.guarantees();
    let best = best.get_or_insert(Best {
        sums: [sum; 2],
        guarantees,
    });
    for (order, guarantee) in guarantees.into_iter().enumerate() {
        if guarantee > best.guarantees[order] {
            best.sums[order] = sum;
            best.guarantees[order] = guarantee;
        }
    }
}

/// A bound below a strip; `None` if one of its parts has more cells than `largest`.
fn strip(rows: &[u16], largest: u32) -> Option<Switches> {
    let mut total = Switches::default();
    for part in Part::all(cells_of(rows)) {
        total = total.plus(part.bound(largest)?);
    }
    Some(total)
}

/// The rows of a strip as one set of cells.
#[inline]
fn cells_of(rows: &[u16]) -> u64 {
    rows.iter()
        .rev()
        .fold(0, |cells, &row| cells << STRIDE | u64::from(row))
}

/// A connected set of cells that touches the first row and the first column.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Part(u64);

impl Part {
    /// The connected parts with more than one cell, moved to the corner.
    fn all(cells: u64) -> impl Iterator<Item = Part> {
        let mut rest = cells;
        std::iter::from_fn(move || {
            loop {
                let first = rest & rest.wrapping_neg();
                if first == 0 {
                    return None;
                }
                let part = grow(first, rest);
                rest ^= part;
                if part != first {
                    return Some(Part(to_corner(part)));
                }
            }
        })
    }

    /// The number of columns and rows.
    fn size(self) -> [u32; 2] {
        let columns = self.0 | self.0 >> 32;
        let columns = (columns | columns >> STRIDE) & FIRST_ROW;
        let rows = (63 - self.0.leading_zeros()) / STRIDE + 1;
        [columns.count_ones(), rows]
    }

    /// A bound below the part; `None` if the rectangle around it has more cells than `largest`.
    fn bound(self, largest: u32) -> Option<Switches> {
        match self.size() {
            [columns, 1] => Some(Switches::number(-4 * (columns as i32 & !1))),
            [1, rows] => Some(Switches::number(4 * (rows as i32 & !1))),
            [columns, rows] if columns * rows <= largest => self.stored_bound([columns, rows]),
            _ => None,
        }
    }

    fn stored_bound(self, size: [u32; 2]) -> Option<Switches> {
        let key = self.key(size);
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - ENTRY_BITS);
        let entries =
            ENTRIES.get_or_init(|| (0..1 << ENTRY_BITS).map(|_| AtomicU64::new(0)).collect());
        let entry = &entries[place as usize];
        // Relaxed: no other memory depends on an entry.
        let word = entry.load(Ordering::Relaxed);
        if word & KEY == key {
            return decode(word);
        }
        let mut values = VALUES.lock().unwrap_or_else(PoisonError::into_inner);
        let bound = values.get_or_insert_with(Values::default).bound(self);
        drop(values);
        entry.store(encode(key, bound), Ordering::Relaxed);
        bound
    }

    /// The size and the cells of the rectangle in [`KEY`] bits.
    fn key(self, [columns, rows]: [u32; 2]) -> u64 {
        let head = u64::from(columns << 2 | (rows - 1));
        (0..rows).fold(head, |key, row| {
            let cells = self.0 >> (row * STRIDE) & FIRST_ROW;
            key << columns | cells
        })
    }

    /// The positions after each move of a player.
    fn options(self, player: Player) -> impl Iterator<Item = u64> {
        let step = match player {
            Player::Left => STRIDE,
            Player::Right => 1,
        };
        let mut places = self.0 & self.0 >> step;
        std::iter::from_fn(move || {
            let place = places & places.wrapping_neg();
            places ^= place;
            (place != 0).then_some(self.0 & !place & !(place << step))
        })
    }

    /// The least of the mirror images.
    fn normalised(self) -> Part {
        let turned = to_corner(self.0.reverse_bits());
        let rows = (0..4).map(|row| (self.0 >> (row * STRIDE) & FIRST_ROW) << ((3 - row) * STRIDE));
        let upside_down = to_corner(rows.sum());
        let mirrored = to_corner(upside_down.reverse_bits());
        Part(self.0.min(turned).min(upside_down).min(mirrored))
    }
}

/// Extends some cells by all cells of the set that are connected to them.
#[inline]
fn grow(mut part: u64, set: u64) -> u64 {
    loop {
        let grown = (part | part << 1 | part >> 1 | part << STRIDE | part >> STRIDE) & set;
        if grown == part {
            return part;
        }
        part = grown;
    }
}

/// Moves cells to the first row and the first column.
#[inline]
fn to_corner(cells: u64) -> u64 {
    let cells = cells >> (cells.trailing_zeros() & !(STRIDE - 1) & 63);
    let columns = cells | cells >> 32;
    let columns = (columns | columns >> STRIDE) & FIRST_ROW;
    cells >> (columns.trailing_zeros() & 63)
}

/// The number of bits of the place of an entry.
const ENTRY_BITS: u32 = 17;

/// Bounds of parts, each in one word: the newest of those with the same place.
static ENTRIES: OnceLock<Box<[AtomicU64]>> = OnceLock::new();

/// The canonical forms of parts.
static VALUES: Mutex<Option<Values>> = Mutex::new(None);

/// In an entry: the key, which is never 0, the number plus [`ZERO`], and the switches.
const KEY: u64 = (1 << NUMBER) - 1;
const NUMBER: u32 = 30;
const SWITCHES: u32 = 38;
const ZERO: i32 = 128;

/// A number of 0 in the entry stands for a part without bound.
fn encode(key: u64, bound: Option<Switches>) -> u64 {
    let (number, set) = bound.map_or((0, 0), |bound| (bound.number + ZERO, bound.set));
    key | (number as u64) << NUMBER | u64::from(set) << SWITCHES
}

fn decode(word: u64) -> Option<Switches> {
    let number = (word >> NUMBER & 0xff) as i32;
    (number != 0).then_some(Switches {
        number: number - ZERO,
        set: (word >> SWITCHES) as u32,
    })
}

/// Canonical forms of normalised parts, and their bounds.
struct Values {
    forms: Forms,
    known: FxHashMap<Part, Value>,
    bounds: FxHashMap<Part, Option<Switches>>,
    /// The values of number + switch, both in eighths.
    switches: FxHashMap<[i32; 2], Value>,
}

impl Default for Values {
    fn default() -> Values {
        Values::within(BYTES)
    }
}

impl Values {
    fn within(bytes: usize) -> Values {
        Values {
            forms: Forms::new(Limits::default().with_bytes(bytes)),
            known: FxHashMap::default(),
            bounds: FxHashMap::default(),
            switches: FxHashMap::default(),
        }
    }

    /// A bound below a part; `None` if its canonical form takes too long.
    fn bound(&mut self, part: Part) -> Option<Switches> {
        let part = part.normalised();
        if let Some(&bound) = self.bounds.get(&part) {
            return bound;
        }
        self.forms.allow_steps(STEPS);
        let found = self.value(part).and_then(|value| self.below(value));
        let bound = found.ok().filter(|bound| NUMBERS.contains(&bound.number));
        insert(&mut self.bounds, part, bound);
        bound
    }

    /// The canonical form of a normalised part.
    fn value(&mut self, part: Part) -> Result<Value, OutOfBudget> {
        if let Some(&value) = self.known.get(&part) {
            return Ok(value);
        }
        let mut lists = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            for option in part.options(player) {
                let mut sum = Value::ZERO;
                for part in Part::all(option) {
                    let value = self.value(part.normalised())?;
                    sum = self.forms.sum(sum, value)?;
                }
                lists[player as usize].push(sum);
            }
        }
        let value = self.forms.game(&lists[0], &lists[1])?;
        insert(&mut self.known, part, value);
        Ok(value)
    }

    /// The greatest number, or number + switch, that is found to be at most this value.
    fn below(&mut self, value: Value) -> Result<Switches, OutOfBudget> {
        let [left, right] = Player::BOTH.map(|first| eighths(self.forms.stop(value, first)));
        let mean = if left == right {
            left
        } else {
            eighths(&self.forms.mean(value)?)
        };
        for number in (right..=mean).rev() {
            if number <= right {
                let candidate = self.forms.number(Dyadic::new(i64::from(number), 3))?;
                if self.forms.le(candidate, value)? {
                    return Ok(Switches::number(number));
                }
            }
            for half in number - right..=(left - number).min(LARGEST_SWITCH) {
                let candidate = self.switch(number, half)?;
                if self.forms.le(candidate, value)? {
                    let set = 1 << half;
                    return Ok(Switches { number, set });
                }
            }
        }
        // The Right stop is greater than this.
        Ok(Switches::number(right - 1))
    }

    /// The value of number ± half.
    fn switch(&mut self, number: i32, half: i32) -> Result<Value, OutOfBudget> {
        if let Some(&value) = self.switches.get(&[number, half]) {
            return Ok(value);
        }
        let [high, low] = [number + half, number - half]
            .map(|end| self.forms.number(Dyadic::new(i64::from(end), 3)));
        let value = self.forms.game(&[high?], &[low?])?;
        self.switches.insert([number, half], value);
        Ok(value)
    }
}

/// Inserts an entry. A full map is emptied first: what it held can be computed again.
fn insert<T>(map: &mut FxHashMap<Part, T>, part: Part, entry: T) {
    if map.len() >= MOST_PARTS {
        map.clear();
    }
    map.insert(part, entry);
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
            let of_one = guarantees[player as usize];
            let of_many = guarantees_of_many(text, player);
            for guarantees in [of_one, of_many] {
                check(&mut solver.forms(), value, player, guarantees);
            }
        }
    }

    /// The bounds after many others.
    fn guarantees_of_many(text: &str, player: Player) -> [Guarantee; 2] {
        let board: Vec<&[u8]> = text.split('|').map(str::as_bytes).collect();
        let (rows, cols) = (board.len(), board[0].len());
        let lines: Vec<u16> = match player {
            Player::Left => (0..rows)
                .map(|row| set_of(cols, |col| board[row][col]))
                .collect(),
            Player::Right => (0..cols)
                .map(|col| set_of(rows, |row| board[row][col]))
                .collect(),
        };
        let mut bounds = StripBounds {
            count: MANY,
            ..StripBounds::default()
        };
        bounds.sums(&lines).guarantees(&lines)
    }

    fn set_of(length: usize, cell: impl Fn(usize) -> u8) -> u16 {
        let empty = (0..length).filter(|&at| cell(at) == b'.');
        empty.fold(0, |set, at| set | 1 << at)
    }

    /// The sizes of boards with the share of their cells that is empty, in eighths.
    const SIZES: [(usize, usize, u64); 9] = [
        (3, 3, 6),
        (4, 4, 6),
        (4, 4, 8),
        (2, 8, 7),
        (9, 2, 7),
        (5, 4, 6),
        (3, 6, 6),
        (5, 5, 5),
        (4, 6, 5),
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
    fn changed_rows_give_the_bounds_of_the_new_board() {
        let mut bounds = StripBounds::default();
        let mut random = 7u32;
        for rows in 1..=8 {
            for _ in 0..40 {
                let mut next = || {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    random >> 16
                };
                let board: Vec<u16> = (0..rows).map(|_| (next() | next()) as u16 & 0x7f).collect();
                let sums = bounds.sums(&board);
                let changed = (next() & next()) as u16;
                let row = |at: usize| {
                    let removed = if changed >> at & 1 == 1 {
                        next() as u16
                    } else {
                        0
                    };
                    board[at] & !removed
                };
                let other: Vec<u16> = (0..rows).map(row).collect();
                let found = bounds.guarantees(&sums, &other, changed);
                let expected = guarantees_of_parts(&other, LARGEST);
                assert_eq!(found, expected, "{board:?} {other:?}");
            }
        }
    }

    #[test]
    fn larger_parts_have_bounds_after_many_others() {
        let rows = [0b1_1111; 4];
        let mut bounds = StripBounds {
            count: MANY - 1,
            ..StripBounds::default()
        };
        let sums = bounds.sums(&rows);
        assert_eq!(sums.strips[0][4], None);
        let found = bounds.guarantees(&sums, &rows, 1);
        assert_eq!(
            found,
            guarantees_of_many(".....|.....|.....|.....", Player::Left)
        );
        assert!(bounds.sums(&rows).strips[0][4].is_some());
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
    fn parts_that_take_too_long_have_no_bound() {
        let square = Part(0x0003_0003);
        assert_eq!(
            square.bound(LARGEST),
            Some(Switches {
                number: 0,
                set: 1 << 8
            })
        );
        assert_eq!(Values::within(0).bound(square), None);
        assert_eq!(strip(&[0x1ff; 4], LARGEST_OF_MANY), None);
        assert_eq!(strip(&[0x1ff], LARGEST), Some(Switches::number(-32)));
    }

    #[test]
    fn images_of_a_part_have_one_normal_form() {
        let parts = [[0b11, 0b01, 0b11, 0b10], [0b11, 0b10, 0b11, 0b01]];
        let normal = |rows: [u16; 4]| {
            let cells = rows
                .iter()
                .fold(0, |cells, &row| cells << STRIDE | u64::from(row));
            Part(cells).normalised().0
        };
        let [a, b] = parts.map(normal);
        assert_eq!(a, b);
        assert_eq!(normal([0b10, 0b11, 0b01, 0b11]), a);
        assert_ne!(normal([0b11, 0b10, 0b11, 0b10]), a);
        for bound in [
            None,
            Some(Switches {
                number: -127,
                set: 1 << 25,
            }),
            Some(Switches::number(127)),
        ] {
            assert_eq!(decode(encode(KEY, bound)), bound);
        }
    }
}
