//! Sums, interned: each is known once, by a small number.
//!
//! The key is the whole sum, item by item: a hit is proven, never trusted from a hash alone.

use super::components::Item;
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
    index: HashTable<u32>,
}

impl Table {
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn bytes_used(&self) -> usize {
        self.starts.capacity() * 4 + self.items.capacity() * 4 + self.index.capacity() * 5
    }

    /// The items of a sum.
    #[inline]
    pub fn items(&self, id: SumId) -> &[Item] {
        slice(&self.starts, &self.items, id.0)
    }

    /// The number of a sum, if it was met before.
    #[inline]
    pub fn find(&self, items: &[Item]) -> Option<SumId> {
        let found = self.index.find(hash_of(items), |&id| {
            slice(&self.starts, &self.items, id) == items
        });
        found.map(|&id| SumId(id))
    }

    /// The number of a sum; new sums get the next one.
    pub fn intern(&mut self, items: &[Item]) -> SumId {
        if let Some(id) = self.find(items) {
            return id;
        }
        let id = self.starts.len() as u32;
        self.starts.push(self.items.len() as u32);
        self.items.extend_from_slice(items);
        let (starts, all) = (&self.starts, &self.items);
        self.index
            .insert_unique(hash_of(items), id, |&id| hash_of(slice(starts, all, id)));
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
fn hash_of(items: &[Item]) -> u64 {
    let mut hasher = FxHasher::default();
    items.iter().for_each(|item| hasher.write_u32(item.0));
    hasher.write_usize(items.len());
    hasher.finish()
}
