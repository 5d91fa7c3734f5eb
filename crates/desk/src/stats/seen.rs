//! The positions seen so far, and which of them several paths reach.
//!
//! About 24 bytes per position plus table overhead: keys have 128 bits, so that no two positions
//! collide; for the first path to a position, a hash is kept. A repetition takes as much again.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use chess::Move;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::positions::PositionCounts;

/// Each table has its own lock and grows on its own.
const SHARDS: usize = 256;

/// A position as two words.
type Key = [u64; 2];

fn words(key: u128) -> Key {
    [(key >> 64) as u64, key as u64]
}

fn shard(key: Key) -> usize {
    (key[0] >> 56) as usize % SHARDS
}

/// The first occurrence of a position on a path.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    key: Key,
    path: Path,
}

/// A later occurrence of a position on a path.
#[derive(Clone, Copy, Debug)]
struct Repetition {
    key: Key,
    /// The path to the occurrence before it.
    previous: Path,
    path: Path,
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
        let key = words(key);
        match previous {
            None => self.arrivals.push(Arrival { key, path }),
            Some(previous) => self.repetitions.push(Repetition {
                key,
                previous,
                path,
            }),
        }
    }
}

/// A hash of a path: its moves and its start. The lowest two bits are free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Path(u64);

impl Path {
    /// The path without a move, from the position with this key.
    pub(super) fn from(start: u128) -> Path {
        Path::hash(start)
    }

    /// The path extended by one move.
    pub(super) fn then(self, m: Move) -> Path {
        Path::hash((self.0, m))
    }

    fn hash(what: impl Hash) -> Path {
        let mut hasher = FxHasher::default();
        what.hash(&mut hasher);
        Path(hasher.finish() & !(BETWEEN_LINES | REPEATED))
    }

    fn without_marks(self) -> Path {
        Path(self.0 & !(BETWEEN_LINES | REPEATED))
    }
}

/// The bit that marks paths of which neither is a prefix of the other.
const BETWEEN_LINES: u64 = 1;

/// The bit that marks a repetition.
const REPEATED: u64 = 2;

/// All positions seen by any thread.
pub(super) struct Seen {
    tables: Vec<Mutex<Table>>,
    /// The most memory.
    limit: u64,
    /// True if the positions of a huge game did not fit.
    overflowed: AtomicBool,
}

#[derive(Default)]
struct Table {
    positions: HashTable<Arrival>,
    /// By position and path, the first path below it that repeats the position.
    next: FxHashMap<(Key, Path), Path>,
}

impl Seen {
    /// Tables that may take this many bytes.
    pub(super) fn new(limit: u64) -> Seen {
        Seen {
            tables: (0..SHARDS).map(|_| Mutex::default()).collect(),
            limit,
            overflowed: AtomicBool::new(false),
        }
    }

    /// True if the tables take more than they may beside the tree of a huge game.
    pub(super) fn is_full(&self) -> bool {
        let is_full = self.bytes() > self.limit / 4;
        self.overflowed.fetch_or(is_full, Ordering::Relaxed);
        is_full
    }

    /// The memory of all tables; more than there is if the positions of a huge game did not fit.
    pub(super) fn bytes_wanted(&self) -> u64 {
        if self.overflowed.load(Ordering::Relaxed) {
            u64::MAX
        } else {
            self.bytes()
        }
    }

    /// Adds occurrences, each repetition with or after the arrival above it, and empties the list.
    pub(super) fn note(&self, some: &mut Occurrences) {
        some.arrivals.sort_unstable_by_key(|at| shard(at.key));
        for group in some.arrivals.chunk_by(|a, b| shard(a.key) == shard(b.key)) {
            self.with_table(group[0].key, |table| {
                group.iter().for_each(|arrival| table.arrive(arrival));
            });
        }
        for repetition in &some.repetitions {
            self.with_table(repetition.key, |table| table.repeat(repetition));
        }
        some.arrivals.clear();
        some.repetitions.clear();
    }

    /// The memory of all tables.
    fn bytes(&self) -> u64 {
        let tables = self.tables.iter();
        let sizes = tables.map(|table| {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            table.bytes()
        });
        sizes.sum()
    }

    fn with_table(&self, key: Key, work: impl FnOnce(&mut Table)) {
        let table = self.tables[shard(key)].lock();
        work(&mut table.unwrap_or_else(PoisonError::into_inner));
    }

    /// The counts.
    pub(super) fn count(self) -> PositionCounts {
        let mut counts = PositionCounts::default();
        for table in self.tables {
            let table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
            for seen in &table.positions {
                let marks = seen.path.0;
                counts.add(marks & BETWEEN_LINES != 0, marks & REPEATED != 0);
            }
        }
        counts
    }
}

impl Table {
    fn bytes(&self) -> u64 {
        let row = size_of::<((Key, Path), Path)>() + 1;
        (self.positions.allocation_size() + self.next.capacity() * row) as u64
    }

    fn arrive(&mut self, arrival: &Arrival) {
        match self.find(arrival.key) {
            // The keys are random bits: any 64 of them are a hash.
            None => drop(
                self.positions
                    .insert_unique(arrival.key[1], *arrival, |seen| seen.key[1]),
            ),
            Some(seen) if seen.path.without_marks() != arrival.path => {
                seen.path.0 |= BETWEEN_LINES;
            }
            Some(_) => {}
        }
    }

    /// Paths that repeat a position are prefixes of one another unless two of them follow the same
    /// path.
    fn repeat(&mut self, repetition: &Repetition) {
        let Repetition {
            key,
            previous,
            path,
        } = *repetition;
        let first = *self.next.entry((key, previous)).or_insert(path);
        if let Some(seen) = self.find(key) {
            seen.path.0 |= REPEATED;
            if first != path {
                seen.path.0 |= BETWEEN_LINES;
            }
        }
    }

    fn find(&mut self, key: Key) -> Option<&mut Arrival> {
        self.positions.find_mut(key[1], |seen| seen.key == key)
    }
}

#[cfg(test)]
mod tests {
    use super::{Occurrences, Path, Seen};

    fn note(seen: &Seen, some: &[(u128, u64)]) {
        let mut occurrences = Occurrences::default();
        for &(key, path) in some {
            occurrences.push(key, Path(path), None);
        }
        seen.note(&mut occurrences);
    }

    #[test]
    fn the_same_path_twice_is_one_path() {
        let seen = Seen::new(u64::MAX);
        note(&seen, &[(1, 4), (1, 4), (2, 8), (1 << 64, 4)]);
        note(&seen, &[(2, 12), (2, 16), (1, 4), (u128::MAX, 4)]);
        let counts = seen.count();
        assert_eq!((counts.positions, counts.transposed), (4, 1));
        assert_eq!((counts.between_lines, counts.repeated), (1, 0));
    }

    #[test]
    fn repetitions_in_a_chain_are_one_line() {
        let repeat = |paths: &[(u64, u64)]| {
            let seen = Seen::new(u64::MAX);
            let mut some = Occurrences::default();
            some.push(7, Path(4), None);
            for &(previous, path) in paths {
                some.push(7, Path(path), Some(Path(previous)));
            }
            seen.note(&mut some);
            let counts = seen.count();
            (counts.positions, counts.between_lines, counts.repeated)
        };
        assert_eq!(repeat(&[(4, 8), (8, 12), (4, 8)]), (1, 0, 1));
        assert_eq!(repeat(&[(4, 8), (4, 12)]), (1, 1, 1));
    }

    #[test]
    fn keys_differ_by_any_bit() {
        let seen = Seen::new(u64::MAX);
        let some: Vec<(u128, u64)> = (0..128).map(|bit| (1 << bit, 0)).collect();
        note(&seen, &some);
        assert_eq!((seen.count().positions), 128);
    }
}
