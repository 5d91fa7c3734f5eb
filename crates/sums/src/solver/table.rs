//! Sums, interned: each is known once, by a small number.
//!
//! The key is the whole sum, item by item: a hit is proven, never trusted from a hash alone.

use super::components::{Entry, Item, MOST_IDS, MOST_PLACES, spread};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A sum by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SumId(pub u32);

/// All sums that were searched.
#[derive(Default)]
pub(crate) struct Table {
    starts: Vec<u32>,
    items: Vec<Item>,
    index: HashTable<Entry>,
}

impl Table {
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// There is hardly a number left for anything new.
    pub fn is_full(&self) -> bool {
        self.items.len() >= MOST_PLACES || self.starts.len() >= MOST_IDS
    }

    pub fn bytes_used(&self) -> usize {
        self.starts.capacity() * 4 + self.items.capacity() * 4 + self.index.capacity() * 9
    }

    /// The items of a sum.
    #[inline]
    pub fn items(&self, id: SumId) -> &[Item] {
        slice(&self.starts, &self.items, id.0)
    }

    /// The number of a sum, if it was met before.
    #[inline]
    pub fn find(&self, items: &[Item]) -> Option<SumId> {
        self.find_hashed(items, hash_of(items))
    }

    #[inline]
    fn find_hashed(&self, items: &[Item], hash: u32) -> Option<SumId> {
        let same = |entry: &Entry| {
            entry.hash == hash && slice(&self.starts, &self.items, entry.id) == items
        };
        let found = self.index.find(spread(hash), same);
        found.map(|entry| SumId(entry.id))
    }

    /// The number of a sum; new sums get the next one.
    pub fn intern(&mut self, items: &[Item]) -> SumId {
        let hash = hash_of(items);
        if let Some(id) = self.find_hashed(items, hash) {
            return id;
        }
        let id = self.starts.len() as u32;
        self.starts.push(self.items.len() as u32);
        self.items.extend_from_slice(items);
        self.index
            .insert_unique(spread(hash), Entry { hash, id }, |entry| spread(entry.hash));
        SumId(id)
    }
}

#[inline]
fn slice<'a>(starts: &[u32], items: &'a [Item], id: u32) -> &'a [Item] {
    let end = starts
        .get(id as usize + 1)
        .map_or(items.len(), |&end| end as usize);
    &items[starts[id as usize] as usize..end]
}

#[inline]
fn hash_of(items: &[Item]) -> u32 {
    let mut hasher = FxHasher::default();
    items.iter().for_each(|item| hasher.write_u32(item.0));
    hasher.write_usize(items.len());
    (hasher.finish() >> 32) as u32
}
