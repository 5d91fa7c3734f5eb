//! Hash tables of interned records, shared by threads.
//!
//! A record is written before its id enters the table. Writers and readers hold the same lock,
//! which makes the record visible together with its id.

use super::GaveUp;
use super::sync::{IS_MODEL, Mutex, MutexGuard, locked};
use hashbrown::HashTable;

/// Shards with a lock each: many more than threads, so that threads rarely wait.
const SHARDS: usize = if IS_MODEL { 2 } else { 64 };

/// An id with its hash. The hash avoids most comparisons of records, and all when the table grows.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    id: u32,
}

/// Ids of records by the hashes of the records.
pub(super) struct Index {
    shards: Box<[Mutex<HashTable<Entry>>]>,
}

impl Default for Index {
    fn default() -> Index {
        Index {
            shards: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
        }
    }
}

impl Index {
    pub fn len(&self) -> usize {
        self.shards().map(|shard| shard.len()).sum()
    }

    pub fn bytes_used(&self) -> usize {
        // Tables that were outgrown are together as large as the last one. Often the allocator keeps
        // them, because each is small.
        self.shards().map(|shard| 2 * shard.allocation_size()).sum()
    }

    /// All ids in ascending order.
    pub fn ids(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        for shard in self.shards() {
            ids.extend(shard.iter().map(|entry| entry.id));
        }
        ids.sort_unstable();
        ids
    }

    /// The id of a record with this hash.
    #[inline]
    pub fn find(&self, hash: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let is_same = |entry: &Entry| entry.hash == hash && is_same(entry.id);
        self.shard(hash)
            .find(spread(hash), is_same)
            .map(|entry| entry.id)
    }

    /// The id of a record with this hash; a missing record is added with `insert`.
    #[inline]
    pub fn find_or_insert(
        &self,
        hash: u32,
        is_same: impl Fn(u32) -> bool,
        insert: impl FnOnce() -> Result<u32, GaveUp>,
    ) -> Result<u32, GaveUp> {
        let mut shard = self.shard(hash);
        let is_same = |entry: &Entry| entry.hash == hash && is_same(entry.id);
        if let Some(entry) = shard.find(spread(hash), is_same) {
            return Ok(entry.id);
        }
        let id = insert()?;
        shard.insert_unique(spread(hash), Entry { hash, id }, |entry| spread(entry.hash));
        Ok(id)
    }

    #[inline]
    fn shard(&self, hash: u32) -> MutexGuard<'_, HashTable<Entry>> {
        // The lower bits choose a slot within the shard.
        locked(&self.shards[(hash >> (u32::BITS - SHARDS.ilog2())) as usize])
    }

    fn shards(&self) -> impl Iterator<Item = MutexGuard<'_, HashTable<Entry>>> {
        self.shards.iter().map(locked)
    }
}

/// The bits of a hash where [`HashTable`] uses them.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::super::pages::Pages;
    use super::super::sync::{AtomicU32, Ordering};
    use super::*;
    use loom::sync::Arc;

    /// Two threads that add the same record get one id, and both see the record.
    #[test]
    fn loom_index_adds_a_record_once() {
        loom::model(|| {
            let shared: Arc<(Index, Pages<AtomicU32>)> = Arc::default();
            let add = |(index, pages): &(Index, Pages<AtomicU32>)| {
                let id = index.find_or_insert(
                    7,
                    |id| pages.get(id)[0].load(Ordering::Relaxed) == 5,
                    || {
                        let (place, words) = pages.reserve(1)?;
                        words[0].store(5, Ordering::Relaxed);
                        Ok(place)
                    },
                );
                let id = id.unwrap();
                assert_eq!(pages.get(id)[0].load(Ordering::Relaxed), 5);
                id
            };
            let other = Arc::clone(&shared);
            let thread = loom::thread::spawn(move || add(&other));
            let mine = add(&shared);
            assert_eq!(thread.join().unwrap(), mine);
            assert_eq!(shared.0.ids(), [mine]);
        });
    }
}
