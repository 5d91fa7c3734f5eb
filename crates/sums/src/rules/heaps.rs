//! Heaps from which beans are taken and which may be split, by the code of an octal game.
//!
//! Heaps are kept as eight bytes each, empty ones left out.

use super::{Complaint, Move, nimber};
use std::collections::HashMap;
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
            "'{}' is no number of {beans}: expected 0 to 2^62 - 1",
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

/// Shows the moves, numbered in their order, with the heaps after each.
pub(crate) fn moves(heaps: &[u8], code: &Code, visit: &mut dyn FnMut(Move, &[u8])) {
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
            visit(Move(number), &write(&[&left[..], &others].concat()));
            number += 1;
        });
    }
}

/// Describes a move by what it takes and leaves of its heap; among several heaps the heap is named.
pub(crate) fn describe(
    heaps: &[u8],
    code: &Code,
    mv: Move,
    describe: impl Fn(u64, &[u64]) -> String,
) -> String {
    let sizes = read(heaps);
    let mut number = 0;
    let mut text = String::new();
    for &heap in &sizes {
        code.moves(heap, &mut |take, first, second| {
            if number == mv.0 {
                let mut left = vec![first, second, heap - take - first - second];
                left.retain(|&size| size > 0);
                let prefix = if sizes.len() > 1 {
                    format!("{heap}>")
                } else {
                    String::new()
                };
                text = format!("{prefix}{}", describe(take, &left));
            }
            number += 1;
        });
    }
    text
}

/// How many moves either player has, counted without making them.
pub(crate) fn mobility(heaps: &[u8], code: &Code) -> [usize; 2] {
    let count = read(heaps)
        .iter()
        .fold(0u64, |sum, &heap| sum.saturating_add(code.mobility(heap)));
    [usize::try_from(count).unwrap_or(usize::MAX); 2]
}

/// The nim value of all heaps together.
pub(crate) fn nim_value(heaps: &[u8], code: &Code) -> Option<u64> {
    read(heaps)
        .iter()
        .try_fold(0, |sum, &heap| Some(sum ^ code.nim_value(heap)?))
}

/// All beans together.
pub(crate) fn size(heaps: &[u8]) -> usize {
    read(heaps)
        .iter()
        .fold(0usize, |sum, &heap| sum.saturating_add(heap as usize))
}

/// The bytes of heaps, large ones first, empty ones left out.
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
        /// Enough for every game anybody has looked at.
        const MOST_DIGITS: usize = 60;
        let wrong = |message: &str| Complaint::new(0..text.len(), message);
        let code = text.trim();
        let (whole, rest) = code
            .split_once('.')
            .ok_or_else(|| wrong("expected a code with a point, as 0.77"))?;
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

    /// The code whose digits these are.
    pub fn of_digits(digits: &[u8]) -> Code {
        Code {
            digits: digits.to_vec().into(),
        }
    }

    /// The bytes of the code before those of heaps.
    pub fn write(&self, heaps: &[u8]) -> Vec<u8> {
        [&[self.digits.len() as u8], &self.digits[..], heaps].concat()
    }

    /// Shows every move: beans taken, and the two larger heaps left (the third is the rest).
    fn moves(&self, heap: u64, show: &mut dyn FnMut(u64, u64, u64)) {
        for (take, &digit) in self.digits.iter().enumerate() {
            let take = take as u64;
            let Some(rest) = heap.checked_sub(take) else {
                break;
            };
            if digit & 1 != 0 && rest == 0 {
                show(take, 0, 0);
            }
            if digit & 2 != 0 && rest > 0 {
                show(take, rest, 0);
            }
            if digit & 4 != 0 {
                (1..=rest / 2).for_each(|small| show(take, rest - small, small));
            }
            if digit & 8 != 0 {
                three_heaps(rest, |first, second| show(take, first, second));
            }
        }
    }

    /// How many moves [`Code::moves`] shows.
    fn mobility(&self, heap: u64) -> u64 {
        let of_digit = |(take, &digit): (usize, &u8)| {
            let rest = heap.checked_sub(take as u64)?;
            let count = |bit: u8, ways: u64| if digit & bit != 0 { ways } else { 0 };
            let ways = [
                count(1, u64::from(rest == 0)),
                count(2, u64::from(rest > 0)),
                count(4, rest / 2),
                count(8, ways_to_three(rest)),
            ];
            Some(ways.into_iter().fold(0, u64::saturating_add))
        };
        self.digits
            .iter()
            .enumerate()
            .filter_map(of_digit)
            .fold(0, u64::saturating_add)
    }

    /// The nim value of a heap, as far as it can be known cheaply or by a proven period.
    pub fn nim_value(&self, heap: u64) -> Option<u64> {
        static SEQUENCES: OnceLock<Mutex<HashMap<Code, Sequence>>> = OnceLock::new();
        let mut sequences = SEQUENCES
            .get_or_init(Mutex::default)
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if !sequences.contains_key(self) {
            sequences.insert(self.clone(), Sequence::default());
        }
        sequences.get_mut(self)?.value(self, heap)
    }

    /// Heaps one move can leave.
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

/// Shows how three heaps can make up the rest, the two larger ones named.
fn three_heaps(rest: u64, mut show: impl FnMut(u64, u64)) {
    for third in 1..=rest / 3 {
        for second in third..=(rest - third) / 2 {
            show(rest - third - second, second);
        }
    }
}

/// How many ways [`three_heaps`] shows: the square of the rest over twelve, rounded.
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

impl Sequence {
    fn value(&mut self, code: &Code, heap: u64) -> Option<u64> {
        /// Work grows with the square of the heap, or its cube when heaps split in three.
        const MOST: [usize; 4] = [0, 0, 1 << 15, 1 << 10];
        while self.period.is_none() && self.values.len() as u64 <= heap {
            if self.values.len() >= MOST[code.most_heaps()] {
                return None;
            }
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
        self.values.get(heap).copied()
    }

    /// The least value no move leads to.
    fn next(&self, code: &Code) -> u64 {
        let heap = self.values.len() as u64;
        let value = |heap: u64| self.values.get(heap as usize).copied().unwrap_or(0);
        let mut seen = vec![false; 64];
        code.moves(heap, &mut |take, first, second| {
            let reached =
                (value(first) ^ value(second) ^ value(heap - take - first - second)) as usize;
            if reached >= seen.len() {
                seen.resize(reached + 1, false);
            }
            seen[reached] = true;
        });
        seen.iter().position(|&seen| !seen).unwrap_or(seen.len()) as u64
    }

    /// A period that holds for ever by the theorem of Guy and Smith: when it has held from `start`
    /// up to `heaps·(start + period)` + digits, it never ends.
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
            .filter_map(|heap| code.nim_value(heap))
            .collect()
    }

    #[test]
    fn moves_are_counted_without_making_them() {
        for code in ["0.77", "4.0", "0.9F3", "C.137", "0.0"].map(|code| Code::parse(code).unwrap())
        {
            for heap in 0..40 {
                let mut shown = 0;
                code.moves(heap, &mut |_, _, _| shown += 1);
                assert_eq!(code.mobility(heap), shown, "{code}:{heap}");
            }
        }
        assert_eq!(mobility(&write(&[u64::MAX >> 2]), &Code::KAYLES).len(), 2);
    }

    #[test]
    fn what_is_printed_is_read() {
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
        assert_eq!(
            Code::KAYLES.nim_value(1_000_000_007),
            Code::KAYLES.nim_value(1_000_000_007 % 12 + 120)
        );
        let code = Code::parse("0.07").unwrap();
        assert_eq!(
            code.nim_value(34_000_000 + 60),
            code.nim_value(34 * 3 + 60 - 34)
        );
        assert_eq!(Code::parse("0.007").unwrap().nim_value(1 << 28), None);
    }
}
