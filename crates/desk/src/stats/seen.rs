//! The positions seen so far, and which of them were reached by several paths.
//!
//! About 24 bytes per position plus table overhead: keys have 128 bits, so that no two positions
//! collide; for the first path to a position, a hash is kept.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use chess::Move;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Each table has its own lock and grows on its own.
const SHARDS: usize = 256;

/// An arrival at a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    key: [u64; 2],
    path: Path,
}

impl Arrival {
    pub(super) fn new(key: u128, path: Path) -> Arrival {
        Arrival {
            key: [(key >> 64) as u64, key as u64],
            path,
        }
    }

    fn shard(&self) -> usize {
        (self.key[0] >> 56) as usize % SHARDS
    }
}

/// A hash of a path: its moves and its start. The lowest bit is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        Path(hasher.finish() & !SEVERAL)
    }
}

/// The bit that marks several paths.
const SEVERAL: u64 = 1;

/// All positions seen by any thread.
pub(super) struct Seen(Vec<Mutex<HashTable<Arrival>>>);

impl Seen {
    pub(super) fn new() -> Seen {
        Seen((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    /// Adds many arrivals at once, and empties the list.
    pub(super) fn note(&self, arrivals: &mut Vec<Arrival>) {
        arrivals.sort_unstable_by_key(Arrival::shard);
        for group in arrivals.chunk_by(|a, b| a.shard() == b.shard()) {
            let mut table = self.0[group[0].shard()]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            group.iter().for_each(|arrival| note(&mut table, arrival));
        }
        arrivals.clear();
    }

    /// The memory of all tables.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.0.iter();
        let sizes = tables.map(|table| {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            table.allocation_size() as u64
        });
        sizes.sum()
    }

    /// The number of positions, and of those reached by several paths.
    pub(super) fn count(self) -> (u64, u64) {
        let tables = self
            .0
            .into_iter()
            .map(|table| table.into_inner().unwrap_or_else(PoisonError::into_inner));
        tables.fold((0, 0), |(positions, transposed), table| {
            let several = table
                .iter()
                .filter(|seen| seen.path.0 & SEVERAL != 0)
                .count();
            (positions + table.len() as u64, transposed + several as u64)
        })
    }
}

fn note(table: &mut HashTable<Arrival>, arrival: &Arrival) {
    // The keys are random bits: any 64 of them are a hash.
    match table.find_mut(arrival.key[1], |seen| seen.key == arrival.key) {
        None => drop(table.insert_unique(arrival.key[1], *arrival, |seen| seen.key[1])),
        Some(seen) if seen.path.0 & !SEVERAL != arrival.path.0 => seen.path.0 |= SEVERAL,
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrival, Path, Seen};

    #[test]
    fn the_same_path_twice_is_one_path() {
        let seen = Seen::new();
        let at = |key, path| Arrival::new(key, Path(path));
        seen.note(&mut vec![at(1, 2), at(1, 2), at(2, 4), at(1 << 64, 2)]);
        seen.note(&mut vec![at(2, 6), at(2, 8), at(1, 2), at(u128::MAX, 2)]);
        assert_eq!(seen.count(), (4, 1));
    }

    #[test]
    fn keys_differ_by_any_bit() {
        let seen = Seen::new();
        seen.note(
            &mut (0..128)
                .map(|bit| Arrival::new(1 << bit, Path(0)))
                .collect(),
        );
        assert_eq!(seen.count(), (128, 0));
    }
}
