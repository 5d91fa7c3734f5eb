//! Heaps from which beans are taken and which may be split, by the code of an octal game.
//!
//! Heaps are stored as eight bytes each; empty heaps are omitted.

use super::{Complaint, Flow, Move, MoveVisitor, nimber};
use crate::interrupt::Interrupt;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, OnceLock};

/// Reads the size of a heap, or of several as [`print`] joins them: `3+1`.
pub(crate) fn parse(text: &str, beans: &str) -> Result<Vec<u8>, Complaint> {
    let sizes: Result<Vec<u64>, Complaint> = text
        .split('+')
        .scan(0, |at, heap| {
            let start = *at;
            *at += heap.len() + 1;
            Some(parse_one(heap, start, beans))
        })
        .collect();
    Ok(write(&sizes?))
}

fn parse_one(heap: &str, start: usize, beans: &str) -> Result<u64, Complaint> {
    let size = heap.trim().parse::<u64>().ok();
    size.filter(|&size| size < 1 << 62).ok_or_else(|| {
        let message = format!(
            "'{}' is not a number of {beans}: expected 0 to 2^62 - 1",
            heap.trim()
        );
        Complaint::new(start..start + heap.len(), message)
    })
}

/// The sizes of the heaps.
pub(crate) fn print(heaps: &[u8]) -> String {
    let sizes: Vec<String> = read(heaps).iter().map(u64::to_string).collect();
    if sizes.is_empty() {
        "0".into()
    } else {
        sizes.join("+")
    }
}

/// Visits the moves, numbered in order, with the heaps after each.
pub(crate) fn moves(heaps: &[u8], code: &Code, visit: &mut MoveVisitor<'_>) -> Flow {
    let sizes = read(heaps);
    let mut number = 0;
    for (at, &heap) in sizes.iter().enumerate() {
        let others: Vec<u64> = sizes[..at]
            .iter()
            .chain(&sizes[at + 1..])
            .copied()
            .collect();
        code.moves(heap, &mut |take, first, second| {
            let left = [first, second, heap - take - first - second];
            number += 1;
            visit(Move(number - 1), &write(&[&left[..], &others].concat()))
        })?;
    }
    ControlFlow::Continue(())
}

/// Prints a move: the beans taken, the heaps left, and the heap if there are several.
pub(crate) fn describe(
    heaps: &[u8],
    code: &Code,
    mv: Move,
    describe: impl Fn(u64, &[u64]) -> String,
) -> String {
    let sizes = read(heaps);
    let mut number = mv.0;
    for &heap in &sizes {
        let count = code.mobility(heap);
        if number >= count {
            number -= count;
            continue;
        }
        let Some([take, first, second]) = code.nth_move(heap, number) else {
            break;
        };
        let mut left = vec![first, second, heap - take - first - second];
        left.retain(|&size| size > 0);
        let prefix = if sizes.len() > 1 {
            format!("{heap}>")
        } else {
            String::new()
        };
        return format!("{prefix}{}", describe(take, &left));
    }
    String::new()
}

/// The number of moves of each player, counted without generating them.
pub(crate) fn mobility(heaps: &[u8], code: &Code) -> [usize; 2] {
    let count = read(heaps)
        .iter()
        .fold(0u64, |sum, &heap| sum.saturating_add(code.mobility(heap)));
    [usize::try_from(count).unwrap_or(usize::MAX); 2]
}

/// The nim value of the sum of all heaps.
pub(crate) fn nim_value(heaps: &[u8], code: &Code, interrupt: &Interrupt) -> Option<u64> {
    read(heaps)
        .iter()
        .try_fold(0, |sum, &heap| Some(sum ^ code.nim_value(heap, interrupt)?))
}

/// The total number of beans.
pub(crate) fn size(heaps: &[u8]) -> usize {
    read(heaps)
        .iter()
        .fold(0usize, |sum, &heap| sum.saturating_add(heap as usize))
}

/// Encodes heaps, largest first, without empty ones.
pub(crate) fn write(sizes: &[u64]) -> Vec<u8> {
    let mut sizes = sizes.to_vec();
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.iter().flat_map(|size| size.to_le_bytes()).collect()
}

fn read(heaps: &[u8]) -> Vec<u64> {
    heaps.chunks(8).map(nimber::read).collect()
}

/// The digits of a code, the one before the point first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Code {
    digits: std::borrow::Cow<'static, [u8]>,
}

impl Code {
    /// Kayles, `0.77`.
    pub const KAYLES: Code = Code {
        digits: std::borrow::Cow::Borrowed(&[0, 7, 7]),
    };

    /// Officers, `0.6`.
    pub const OFFICERS: Code = Code {
        digits: std::borrow::Cow::Borrowed(&[0, 6]),
    };

    /// Reads a code as `0.77`.
    pub fn parse(text: &str) -> Result<Code, Complaint> {
        /// Enough for all games in the literature.
        const MOST_DIGITS: usize = 60;
        let wrong = |message: &str| Complaint::new(0..text.len(), message);
        let code = text.trim();
        let (whole, rest) = code
            .split_once('.')
            .ok_or_else(|| wrong("expected a code with a point, such as 0.77"))?;
        let digits: Option<Vec<u8>> = whole
            .chars()
            .chain(rest.chars())
            .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
            .collect();
        let digits = digits.ok_or_else(|| wrong("the digits of a code are 0 to 9 and A to F"))?;
        match digits[..] {
            _ if whole.len() != 1 => Err(wrong("expected one digit before the point")),
            [first, ..] if first & 3 != 0 => {
                Err(wrong("the digit before the point must be 0, 4, 8 or C"))
            }
            _ if digits.len() > MOST_DIGITS => Err(wrong("the code has too many digits")),
            _ => Ok(Code {
                digits: digits.into(),
            }),
        }
    }

    /// The code with these digits.
    pub fn of_digits(digits: &[u8]) -> Code {
        Code {
            digits: digits.to_vec().into(),
        }
    }

    /// The bytes of the code before those of heaps.
    pub fn write(&self, heaps: &[u8]) -> Vec<u8> {
        [&[self.digits.len() as u8], &self.digits[..], heaps].concat()
    }

    /// Visits every move: beans taken, and the two larger heaps left (the third is the rest).
    fn moves(&self, heap: u64, visit: &mut dyn FnMut(u64, u64, u64) -> Flow) -> Flow {
        for (take, &digit) in self.digits.iter().enumerate() {
            let take = take as u64;
            let Some(rest) = heap.checked_sub(take) else {
                break;
            };
            if digit & 1 != 0 && rest == 0 {
                visit(take, 0, 0)?;
            }
            if digit & 2 != 0 && rest > 0 {
                visit(take, rest, 0)?;
            }
            if digit & 4 != 0 {
                (1..=rest / 2).try_for_each(|small| visit(take, rest - small, small))?;
            }
            if digit & 8 != 0 {
                three_heaps(rest, |first, second| visit(take, first, second))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The number of moves that [`Code::moves`] visits.
    fn mobility(&self, heap: u64) -> u64 {
        self.ways(heap)
            .map(|(_, _, ways)| ways)
            .fold(0, u64::saturating_add)
    }

    /// The move that [`Code::moves`] visits after `number` others.
    fn nth_move(&self, heap: u64, mut number: u64) -> Option<[u64; 3]> {
        for (take, bit, ways) in self.ways(heap) {
            if number >= ways {
                number -= ways;
                continue;
            }
            let rest = heap - take;
            return match bit {
                1 => Some([take, 0, 0]),
                2 => Some([take, rest, 0]),
                4 => Some([take, rest - number - 1, number + 1]),
                _ => nth_three_heaps(rest, number).map(|[first, second]| [take, first, second]),
            };
        }
        None
    }

    /// Beans taken, the bit of the digit that allows it, and the number of such moves, in the
    /// order of [`Code::moves`].
    fn ways(&self, heap: u64) -> impl Iterator<Item = (u64, u8, u64)> + '_ {
        let of_digit = move |(take, &digit): (usize, &u8)| {
            let take = take as u64;
            let rest = heap.checked_sub(take)?;
            let count = |bit: u8, ways: u64| {
                let ways = if digit & bit == 0 { 0 } else { ways };
                (take, bit, ways)
            };
            Some([
                count(1, u64::from(rest == 0)),
                count(2, u64::from(rest > 0)),
                count(4, rest / 2),
                count(8, ways_to_three(rest)),
            ])
        };
        self.digits
            .iter()
            .enumerate()
            .filter_map(of_digit)
            .flatten()
    }

    /// The nim value of a heap, if the sequence has a proven period or can be computed up to the
    /// heap before the interrupt is due.
    pub fn nim_value(&self, heap: u64, interrupt: &Interrupt) -> Option<u64> {
        static SEQUENCES: OnceLock<Mutex<HashMap<Code, Sequence>>> = OnceLock::new();
        let mut moves = 0;
        loop {
            // The lock is released at short intervals, so that no other thread waits long.
            let mut sequences = SEQUENCES
                .get_or_init(Mutex::default)
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            if !sequences.contains_key(self) {
                sequences.insert(self.clone(), Sequence::default());
            }
            match sequences.get_mut(self)?.value(self, heap, moves) {
                Progress::Found(value) => return Some(value),
                Progress::TooLarge => return None,
                Progress::Unfinished => {}
            }
            drop(sequences);
            if interrupt.is_due() {
                return None;
            }
            moves = MOVES_PER_CHECK;
        }
    }

    /// The maximum number of heaps that a move leaves.
    fn most_heaps(&self) -> usize {
        if self.digits.iter().any(|digit| digit & 8 != 0) {
            3
        } else {
            2
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (place, digit) in self.digits.iter().enumerate() {
            write!(f, "{digit:X}{}", if place == 0 { "." } else { "" })?;
        }
        Ok(())
    }
}

/// Visits the ways to split the rest into three heaps, as the two larger heaps.
fn three_heaps(rest: u64, mut visit: impl FnMut(u64, u64) -> Flow) -> Flow {
    for third in 1..=rest / 3 {
        for second in third..=(rest - third) / 2 {
            visit(rest - third - second, second)?;
        }
    }
    ControlFlow::Continue(())
}

/// The split that [`three_heaps`] visits after `number` others.
fn nth_three_heaps(rest: u64, mut number: u64) -> Option<[u64; 2]> {
    for third in 1..=rest / 3 {
        let seconds = (rest - third) / 2 + 1 - third;
        if number < seconds {
            let second = third + number;
            return Some([rest - third - second, second]);
        }
        number -= seconds;
    }
    None
}

/// The number of splits that [`three_heaps`] visits: the square of the rest over twelve, rounded.
fn ways_to_three(rest: u64) -> u64 {
    let square = u128::from(rest) * u128::from(rest);
    u64::try_from((square + 6) / 12).unwrap_or(u64::MAX)
}

/// The nim values of heaps 0, 1, 2 …, and their period once it is proven.
#[derive(Default)]
struct Sequence {
    values: Vec<u64>,
    /// First heap of the period, and its length.
    period: Option<(usize, usize)>,
}

/// Moves between two checks of the interrupt: a few milliseconds.
const MOVES_PER_CHECK: u64 = 1 << 20;

/// The result of [`Sequence::value`].
enum Progress {
    /// The value.
    Found(u64),
    /// The heap is beyond the limit of the sequence.
    TooLarge,
    /// Not finished: the next call continues.
    Unfinished,
}

impl Sequence {
    /// Computes the value of a heap, or as many further values as this many moves allow.
    fn value(&mut self, code: &Code, heap: u64, most_moves: u64) -> Progress {
        /// The time is quadratic in the heap, or cubic when heaps split in three.
        const MOST: [usize; 4] = [0, 0, 1 << 15, 1 << 10];
        let mut moves = 0;
        while self.period.is_none() && self.values.len() as u64 <= heap {
            if self.values.len() >= MOST[code.most_heaps()] {
                return Progress::TooLarge;
            }
            if moves >= most_moves {
                return Progress::Unfinished;
            }
            moves += code.mobility(self.values.len() as u64);
            let next = self.next(code);
            self.values.push(next);
            if self.values.len().is_power_of_two() && self.values.len() >= 64 {
                self.period = self.find_period(code);
            }
        }
        let heap = match self.period {
            Some((start, period)) if heap >= start as u64 => {
                start + ((heap - start as u64) % period as u64) as usize
            }
            _ => heap as usize,
        };
        let value = self.values.get(heap).copied();
        value.map_or(Progress::TooLarge, Progress::Found)
    }

    /// The least value that no option has.
    fn next(&self, code: &Code) -> u64 {
        let heap = self.values.len() as u64;
        let value = |heap: u64| self.values.get(heap as usize).copied().unwrap_or(0);
        let mut seen = vec![false; 64];
        let _ = code.moves(heap, &mut |take, first, second| {
            let reached =
                (value(first) ^ value(second) ^ value(heap - take - first - second)) as usize;
            if reached >= seen.len() {
                seen.resize(reached + 1, false);
            }
            seen[reached] = true;
            ControlFlow::Continue(())
        });
        seen.iter().position(|&seen| !seen).unwrap_or(seen.len()) as u64
    }

    /// Finds a period by the theorem of Guy and Smith: a period that holds from `start` up to
    /// `heaps·(start + period)` + digits holds forever.
    fn find_period(&self, code: &Code) -> Option<(usize, usize)> {
        let length = self.values.len();
        (1..length / 3).find_map(|period| {
            let broken = (period..length)
                .rev()
                .find(|&at| self.values[at] != self.values[at - period]);
            let start = broken.map_or(0, |at| at - period + 1);
            let needed = code.most_heaps() * (start + period) + code.digits.len();
            (needed < length).then_some((start, period))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(code: &str, length: u64) -> Vec<u64> {
        let code = Code::parse(code).unwrap();
        (0..length)
            .filter_map(|heap| code.nim_value(heap, &Interrupt::never()))
            .collect()
    }

    #[test]
    fn moves_are_counted_without_making_them() {
        for code in ["0.77", "4.0", "0.9F3", "C.137", "0.0"].map(|code| Code::parse(code).unwrap())
        {
            for heap in 0..40 {
                let mut shown = Vec::new();
                let _ = code.moves(heap, &mut |take, first, second| {
                    shown.push([take, first, second]);
                    ControlFlow::Continue(())
                });
                assert_eq!(code.mobility(heap), shown.len() as u64, "{code}:{heap}");
                let named = (0..=code.mobility(heap)).map_while(|n| code.nth_move(heap, n));
                assert!(named.eq(shown), "{code}:{heap}");
            }
        }
        assert_eq!(mobility(&write(&[u64::MAX >> 2]), &Code::KAYLES).len(), 2);
    }

    #[test]
    fn printed_heaps_are_parsed() {
        for text in ["0", "5", "3+1", "2+2+1"] {
            assert_eq!(print(&parse(text, "pins").unwrap()), text);
        }
        assert_eq!(parse("3+x", "pins").unwrap_err().span, 2..3);
    }

    #[test]
    fn published_sequences() {
        // Kayles, Dawson's Kayles and Grundy-like splitting as in the literature.
        assert_eq!(
            sequence("0.77", 13),
            [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
        );
        assert_eq!(sequence("0.07", 12), [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3]);
        assert_eq!(sequence("4.0", 5), [0, 0, 1, 0, 1]);
    }

    #[test]
    fn periods_are_proven() {
        let nim_value = |code: &Code, heap| code.nim_value(heap, &Interrupt::never());
        assert_eq!(
            nim_value(&Code::KAYLES, 1_000_000_007),
            nim_value(&Code::KAYLES, 1_000_000_007 % 12 + 120)
        );
        let code = Code::parse("0.07").unwrap();
        assert_eq!(
            nim_value(&code, 34_000_000 + 60),
            nim_value(&code, 34 * 3 + 60 - 34)
        );
        assert_eq!(nim_value(&Code::parse("0.007").unwrap(), 1 << 28), None);
    }

    #[test]
    fn a_long_sequence_can_be_interrupted() {
        let code = Code::parse("0.00777777777").unwrap();
        let interrupt = Interrupt::after_checks(3);
        assert_eq!(code.nim_value(30_000, &interrupt), None);
        assert_eq!(interrupt.checks_made(), 4);
        // The values computed so far are kept.
        assert!(code.nim_value(100, &Interrupt::after_checks(0)).is_some());
    }
}
