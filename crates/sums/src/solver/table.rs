//! Interned sums: each sum has one id.
//!
//! The key is the whole sum, item by item, so that a hit is exact and does not depend on hashes.
//! The results about a sum, for either player to move, are stored directly before its items.

use super::GaveUp;
use super::components::Item;
use super::index::Index;
use super::proof::{self, Proofs};
use super::sync::{AtomicU64, Ordering};
use crate::value::Player;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The id of a sum: the address of its proofs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SumId(pub u32);

impl SumId {
    /// The node of the sum with a player to move.
    #[inline]
    pub fn node(self, first: Player) -> u32 {
        self.0 << 1 | first as u32
    }

    /// The sum of a node, and the player to move.
    #[inline]
    pub fn of_node(node: u32) -> (SumId, Player) {
        (SumId(node >> 1), Player::BOTH[node as usize & 1])
    }
}

/// All sums of the search.
#[derive(Default)]
pub(crate) struct Table {
    pub proofs: Proofs,
    index: Index,
}

/// After the nodes of both players: the number of items, then the items, two to a word.
///
/// They are written before the id of the sum enters the index, and never again. An id comes from
/// the index, whose lock makes them visible, or from a list of children, which was published
/// after that. So Relaxed is enough to read them.
const ITEMS: usize = 2 * proof::WORDS;

impl Table {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn bytes_used(&self) -> usize {
        self.proofs.bytes_used() + self.index.bytes_used()
    }

    /// All sums, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = SumId> {
        self.index.ids().into_iter().map(SumId)
    }

    /// The items of a sum.
    #[inline]
    pub fn items(&self, id: SumId) -> impl ExactSizeIterator<Item = Item> + '_ {
        let words = self.words(id);
        let length = words[0].load(Ordering::Relaxed) as u32 as usize;
        let words = &words[..=length / 2];
        (1..length + 1).map(move |at| {
            let word = words[at / 2].load(Ordering::Relaxed);
            Item((word >> (32 * (at % 2))) as u32)
        })
    }

    /// The words from the number of items on.
    #[inline]
    fn words(&self, id: SumId) -> &[AtomicU64] {
        &self.proofs.record(id.0)[ITEMS..]
    }

    /// The id of a sum, if it is in the table.
    #[inline]
    pub fn find(&self, items: &[Item]) -> Option<SumId> {
        let found = self
            .index
            .find(hash_of(items), |id| self.is(SumId(id), items));
        found.map(SumId)
    }

    #[inline]
    fn is(&self, id: SumId, items: &[Item]) -> bool {
        packed(items)
            .zip(self.words(id))
            .all(|(word, stored)| stored.load(Ordering::Relaxed) == word)
    }

    /// The id of a sum, which is added if it is not in the table.
    pub fn intern(&self, items: &[Item]) -> Result<SumId, GaveUp> {
        let id = self.index.find_or_insert(
            hash_of(items),
            |id| self.is(SumId(id), items),
            || {
                let (id, words) = self.proofs.add(2, 1 + items.len() / 2)?;
                for (stored, word) in words.iter().zip(packed(items)) {
                    stored.store(word, Ordering::Relaxed);
                }
                Ok(id)
            },
        );
        id.map(SumId)
    }

    /// Returns whether this player wins the sum, moving first; `None` if that is not known.
    #[inline]
    pub fn result(&self, sum: SumId, first: Player) -> Option<bool> {
        self.proofs.result(sum.node(first))
    }
}

/// The number of items and the items, two to a word.
#[inline]
fn packed(items: &[Item]) -> impl Iterator<Item = u64> + '_ {
    let pair = |low: u32, high: Option<&Item>| {
        u64::from(low) | high.map_or(0, |item| u64::from(item.0) << 32)
    };
    let first = pair(items.len() as u32, items.first());
    let rest = items.get(1..).unwrap_or_default().chunks(2);
    std::iter::once(first).chain(rest.map(move |two| pair(two[0].0, two.get(1))))
}

#[inline]
fn hash_of(items: &[Item]) -> u32 {
    let mut hasher = FxHasher::default();
    items.iter().for_each(|item| hasher.write_u32(item.0));
    hasher.write_usize(items.len());
    (hasher.finish() >> 32) as u32
}
