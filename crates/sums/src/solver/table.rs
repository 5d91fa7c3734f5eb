//! Sums, interned: each is known once, by a small number.
//!
//! The key is the whole sum, item by item: a hit is proven, never trusted from a hash alone. What is
//! proven about a sum, with either player to move, lies just before its items.

use super::GaveUp;
use super::components::Item;
use super::index::Index;
use super::proof::{self, Proofs};
use crate::value::Player;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::sync::atomic::{AtomicU32, Ordering};

/// A sum by its number: its place among the proofs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SumId(pub u32);

impl SumId {
    /// The node of the sum with a player to move.
    #[inline]
    pub fn node(self, first: Player) -> u32 {
        self.0 << 1 | first as u32
    }

    /// The sum of a node, and who is to move.
    #[inline]
    pub fn of_node(node: u32) -> (SumId, Player) {
        (SumId(node >> 1), Player::BOTH[node as usize & 1])
    }
}

/// All sums that were searched.
#[derive(Default)]
pub(crate) struct Table {
    pub proofs: Proofs,
    index: Index,
}

/// After the nodes of both players: how many items, then the items.
const LENGTH: usize = 2 * proof::WORDS;

impl Table {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn bytes_used(&self) -> usize {
        self.proofs.bytes_used() + self.index.bytes_used()
    }

    /// All sums, the oldest first.
    pub fn ids(&self) -> impl Iterator<Item = SumId> {
        self.index.ids().into_iter().map(SumId)
    }

    /// The items of a sum.
    #[inline]
    pub fn items(&self, id: SumId) -> impl ExactSizeIterator<Item = Item> + '_ {
        let words = self.words(id).iter();
        words.map(|word| Item(word.load(Ordering::Relaxed)))
    }

    #[inline]
    fn words(&self, id: SumId) -> &[AtomicU32] {
        let record = &self.proofs.record(id.0)[LENGTH..];
        let length = record[0].load(Ordering::Relaxed) as usize;
        &record[1..=length]
    }

    /// The number of a sum, if it was met before.
    #[inline]
    pub fn find(&self, items: &[Item]) -> Option<SumId> {
        let found = self
            .index
            .find(hash_of(items), |id| self.is(SumId(id), items));
        found.map(SumId)
    }

    #[inline]
    fn is(&self, id: SumId, items: &[Item]) -> bool {
        let words = self.words(id);
        words.len() == items.len()
            && words
                .iter()
                .zip(items)
                .all(|(word, item)| word.load(Ordering::Relaxed) == item.0)
    }

    /// The number of a sum; new sums get the next one.
    pub fn intern(&self, items: &[Item]) -> Result<SumId, GaveUp> {
        let id = self.index.find_or_make(
            hash_of(items),
            |id| self.is(SumId(id), items),
            || {
                let id = self.proofs.make(2, 1 + items.len())?;
                let record = &self.proofs.record(id)[LENGTH..];
                record[0].store(items.len() as u32, Ordering::Relaxed);
                for (word, item) in record[1..].iter().zip(items) {
                    word.store(item.0, Ordering::Relaxed);
                }
                Ok(id)
            },
        );
        id.map(SumId)
    }

    /// Does this player win the sum, moving first? None if it is not known.
    #[inline]
    pub fn result(&self, sum: SumId, first: Player) -> Option<bool> {
        self.proofs.result(sum.node(first))
    }
}

#[inline]
fn hash_of(items: &[Item]) -> u32 {
    let mut hasher = FxHasher::default();
    items.iter().for_each(|item| hasher.write_u32(item.0));
    hasher.write_usize(items.len());
    (hasher.finish() >> 32) as u32
}
