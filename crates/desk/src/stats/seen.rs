//! The positions seen so far, and which of them several paths reach.
//!
//! 16 bytes per position: 82 bits of its key, so that a collision among a billion positions has a
//! probability of one in ten million, 45 bits of a hash of a path to it, and one mark. A repetition
//! takes twice as much.

use std::io;

use chess::Move;

use crate::positions::PositionCounts;
use crate::sorted::{Row, Sorted, run_shards};
use kit::Workers;

/// Bits of a row that are not the position.
const PATH_BITS: u32 = 46;

/// The part of a key that is compared.
fn position(key: u128) -> u128 {
    key >> PATH_BITS
}

/// The first bits of that part.
fn leading(position: u128) -> u32 {
    (position >> (128 - PATH_BITS - 32)) as u32
}

/// A position with the first path to it. The lowest bit marks paths of which neither is a prefix of
/// the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrival(u128);

impl Arrival {
    fn new(key: u128, path: Path) -> Arrival {
        let path = path.0 >> (64 - (PATH_BITS - 1));
        Arrival(position(key) << PATH_BITS | u128::from(path) << 1)
    }

    fn is_between_lines(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Row for Arrival {
    const BYTES: usize = 16;

    fn leading(&self) -> u32 {
        leading(position(self.0))
    }

    fn is_same(&self, other: &Arrival) -> bool {
        position(self.0) == position(other.0)
    }

    #[inline]
    fn is_after(&self, other: &Arrival) -> bool {
        const PATH: u128 = (1 << PATH_BITS) - 1;
        self.0 > other.0 | PATH
    }

    fn join(&mut self, other: Arrival) {
        self.0 |= u128::from(self.0 != other.0);
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Arrival {
        Arrival(number(bytes))
    }
}

/// A later occurrence of a position on a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Repetition {
    position: u128,
    /// The path to the occurrence before it.
    previous: Path,
    path: Path,
    /// True if several paths from the occurrence before it repeat the position.
    branches: bool,
}

impl Row for Repetition {
    const BYTES: usize = 33;

    fn leading(&self) -> u32 {
        leading(self.position)
    }

    fn is_same(&self, other: &Repetition) -> bool {
        (self.position, self.previous) == (other.position, other.previous)
    }

    fn join(&mut self, other: Repetition) {
        self.branches |= other.branches || self.path != other.path;
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.position.to_le_bytes());
        out.extend_from_slice(&self.previous.0.to_le_bytes());
        out.extend_from_slice(&self.path.0.to_le_bytes());
        out.push(u8::from(self.branches));
    }

    fn read(bytes: &[u8]) -> Repetition {
        Repetition {
            position: number(&bytes[..16]),
            previous: Path(number(&bytes[16..24]) as u64),
            path: Path(number(&bytes[24..32]) as u64),
            branches: bytes[32] != 0,
        }
    }
}

/// A number of at most sixteen bytes.
fn number(bytes: &[u8]) -> u128 {
    let digits = bytes.iter().rev();
    digits.fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// The occurrences of positions in some games.
#[derive(Default)]
pub(super) struct Occurrences {
    arrivals: Vec<Arrival>,
    repetitions: Vec<Repetition>,
}

impl Occurrences {
    pub(super) fn len(&self) -> usize {
        self.arrivals.len() + self.repetitions.len()
    }

    /// Adds one: the path to it, and the path to the occurrence above it.
    pub(super) fn push(&mut self, key: u128, path: Path, previous: Option<Path>) {
        match previous {
            None => self.arrivals.push(Arrival::new(key, path)),
            Some(previous) => self.repetitions.push(Repetition {
                position: position(key),
                previous,
                path,
                branches: false,
            }),
        }
    }
}

/// A hash of a path: its moves and its start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Path(u64);

impl Path {
    /// The path without a move, from the position with this key.
    pub(super) fn from(start: u128) -> Path {
        Path((start >> 64) as u64 ^ start as u64)
    }

    /// The path extended by one move.
    #[inline]
    pub(super) fn then(self, m: Move) -> Path {
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
        const STEP: u64 = 0xd1b5_4a32_d192_ed03;
        let mixed = self.0 ^ u64::from(m.bits()).wrapping_add(1).wrapping_mul(STEP);
        let product = u128::from(mixed) * FACTOR;
        Path((product >> 64) as u64 ^ product as u64)
    }
}

/// All positions seen by any thread.
pub(super) struct Seen {
    arrivals: Sorted<Arrival>,
    repetitions: Sorted<Repetition>,
}

impl Seen {
    /// Tables that take at most this many bytes; the rest goes to a temporary file.
    pub(super) fn new(limit: u64) -> Seen {
        Seen {
            arrivals: Sorted::new(limit - limit / 8),
            repetitions: Sorted::new(limit / 8),
        }
    }

    /// Adds occurrences and empties the list. Fails if the temporary file cannot be written.
    pub(super) fn note(&self, some: &mut Occurrences) -> io::Result<()> {
        self.arrivals.add(&mut some.arrivals)?;
        self.repetitions.add(&mut some.repetitions)
    }

    /// The counts.
    pub(super) fn count(&self, workers: &Workers) -> io::Result<PositionCounts> {
        let mut counts = PositionCounts::default();
        let count = |shard| self.count_shard(shard);
        run_shards(workers, count, |part| counts.join(part))?;
        Ok(counts)
    }

    fn count_shard(&self, shard: usize) -> io::Result<PositionCounts> {
        let mut counts = PositionCounts::default();
        let repetitions = self.repetitions.take(shard)?;
        let mut rest = repetitions.as_slice();
        for arrival in self.arrivals.take(shard)? {
            let (repeated, branches) = repetitions_of(position(arrival.0), &mut rest);
            counts.add(arrival.is_between_lines() || branches, repeated);
        }
        Ok(counts)
    }
}

/// Whether a position is repeated, and whether by several paths. Positions come in order.
fn repetitions_of(position: u128, rest: &mut &[Repetition]) -> (bool, bool) {
    let (mut repeated, mut branches) = (false, false);
    while let Some((next, later)) = rest.split_first()
        && next.position <= position
    {
        repeated = true;
        branches |= next.branches;
        *rest = later;
    }
    (repeated, branches)
}

#[cfg(test)]
mod tests {
    use super::{Occurrences, Path, Seen};
    use kit::Workers;

    /// A path that differs in the bits that are kept.
    fn path(number: u64) -> Path {
        Path(number << 32)
    }

    fn note(seen: &Seen, some: &[(u128, u64)]) {
        let mut occurrences = Occurrences::default();
        for &(key, number) in some {
            occurrences.push(key << 64, path(number), None);
        }
        seen.note(&mut occurrences).unwrap();
    }

    #[test]
    fn the_same_path_twice_is_one_path() {
        for limit in [u64::MAX, 0] {
            let seen = Seen::new(limit);
            note(&seen, &[(1, 4), (1, 4), (2, 8), (1 << 60, 4)]);
            note(&seen, &[(2, 12), (2, 16), (1, 4), (u128::MAX, 4)]);
            let counts = seen.count(&Workers::alone()).unwrap();
            assert_eq!((counts.positions, counts.transposed), (4, 1));
            assert_eq!((counts.between_lines, counts.repeated), (1, 0));
        }
    }

    #[test]
    fn repetitions_in_a_chain_are_one_line() {
        let repeat = |paths: &[(u64, u64)]| {
            let seen = Seen::new(0);
            let mut some = Occurrences::default();
            some.push(7 << 64, path(4), None);
            for &(previous, to) in paths {
                some.push(7 << 64, path(to), Some(path(previous)));
                seen.note(&mut some).unwrap();
            }
            let counts = seen.count(&Workers::alone()).unwrap();
            (counts.positions, counts.between_lines, counts.repeated)
        };
        assert_eq!(repeat(&[(4, 8), (8, 12), (4, 8)]), (1, 0, 1));
        assert_eq!(repeat(&[(4, 8), (4, 12)]), (1, 1, 1));
    }

    #[test]
    fn positions_differ_by_any_bit_that_is_kept() {
        let seen = Seen::new(u64::MAX);
        let mut some = Occurrences::default();
        (46..128).for_each(|bit| some.push(1 << bit, path(0), None));
        seen.note(&mut some).unwrap();
        let counts = seen.count(&Workers::alone()).unwrap();
        assert_eq!((counts.positions, counts.transposed), (82, 0));
    }
}
