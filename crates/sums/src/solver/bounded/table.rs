//! A table of positions that replaces entries when it is full.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Infinite effort: the contrary is proven.
pub(super) const NEVER: u32 = (1 << 24) - 1;

/// The estimated effort to prove that the mover wins or loses; 0 when that is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    pub win: u32,
    pub lose: u32,
}

impl Effort {
    pub fn proven(wins: bool) -> Effort {
        let (win, lose) = if wins { (0, NEVER) } else { (NEVER, 0) };
        Effort { win, lose }
    }

    #[inline]
    pub fn result(self) -> Option<bool> {
        match self {
            Effort { win: 0, .. } => Some(true),
            Effort { lose: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// A position: its key, so that a hit is certain, and what is known about it.
#[derive(Clone, Copy)]
struct Entry<K> {
    key: K,
    /// The effort in 24 bits each, then the logarithm of the positions searched below. 0 if the
    /// entry is empty.
    state: u64,
}

impl<K> Entry<K> {
    fn effort(&self) -> Effort {
        Effort {
            win: self.state as u32 & NEVER,
            lose: (self.state >> 24) as u32 & NEVER,
        }
    }

    fn work(&self) -> u64 {
        self.state >> 48
    }
}

/// The table. It doubles its size while it is small, up to a number of bytes.
pub(super) struct Table<K> {
    /// In pairs, a power of two. The first of a pair keeps the position that took more work, the
    /// second the last one.
    entries: Vec<Entry<K>>,
    used: usize,
    most: usize,
}

/// The number of entries at the start.
const FIRST_ENTRIES: usize = 1 << 12;

/// The smallest table.
const FEWEST_ENTRIES: usize = 4;

impl<K: Copy + Ord + Hash + Default> Table<K> {
    /// A table of no more than this many bytes, if that suffices for a few entries.
    pub fn new(bytes: usize) -> Table<K> {
        let entries = (bytes / size_of::<Entry<K>>()).max(FEWEST_ENTRIES);
        // While the table doubles, the old one and the new one are in memory.
        let most = 1 << entries.ilog2();
        Table {
            entries: Table::empty(most.min(FIRST_ENTRIES)),
            used: 0,
            most,
        }
    }

    fn empty(entries: usize) -> Vec<Entry<K>> {
        let key = K::default();
        vec![Entry { key, state: 0 }; entries]
    }

    pub fn bytes_used(&self) -> usize {
        self.entries.len() * size_of::<Entry<K>>()
    }

    /// What is known about a position.
    #[inline]
    pub fn get(&self, key: &K) -> Option<Effort> {
        let pair = self.pair(key);
        let found = self.entries[pair..pair + 2]
            .iter()
            .find(|entry| entry.state != 0 && entry.key == *key);
        found.map(Entry::effort)
    }

    /// Stores what is known about a position after searching this many positions below it.
    pub fn put(&mut self, key: K, effort: Effort, nodes: u64) {
        if self.used * 4 > self.entries.len() * 3 && self.entries.len() < self.most {
            self.double();
        }
        let work = u64::from((nodes + 1).ilog2());
        let state = u64::from(effort.win) | u64::from(effort.lose) << 24 | work << 48;
        self.insert(Entry { key, state });
    }

    fn insert(&mut self, entry: Entry<K>) {
        let pair = self.pair(&entry.key);
        let [first, second] = &mut self.entries[pair..pair + 2] else {
            return;
        };
        let is_same = |old: &Entry<K>| old.state != 0 && old.key == entry.key;
        let place = if is_same(first) {
            first
        } else if is_same(second) {
            second
        } else if first.state == 0 {
            first
        } else if entry.work() >= first.work() && second.state != 0 {
            // The position that took less work moves to the second place.
            *second = *first;
            first
        } else {
            second
        };
        self.used += usize::from(place.state == 0);
        *place = entry;
    }

    fn double(&mut self) {
        let entries = Table::empty(self.entries.len() * 2);
        let old = std::mem::replace(&mut self.entries, entries);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry.state != 0) {
            self.insert(entry);
        }
    }

    #[inline]
    fn pair(&self, key: &K) -> usize {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        hasher.finish() as usize & (self.entries.len() - 2)
    }
}
