//! Where interned things are found again, by many threads at once.

use super::GaveUp;
use hashbrown::HashTable;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts with a lock each: far more than threads, so that these seldom meet.
const SHARDS: usize = 64;

/// A number with its hash: so that neither growing the index nor most of what is not the same
/// needs a look at the thing itself.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    id: u32,
}

/// Numbers of things by the hashes of the things.
pub(super) struct Index {
    shards: Box<[Mutex<HashTable<Entry>>]>,
}

impl Default for Index {
    fn default() -> Index {
        Index {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }
}

impl Index {
    pub fn len(&self) -> usize {
        self.shards().map(|shard| shard.len()).sum()
    }

    pub fn bytes_used(&self) -> usize {
        let entries: usize = self.shards().map(|shard| shard.capacity()).sum();
        entries * 9
    }

    /// All numbers, the smallest first.
    pub fn ids(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        for shard in self.shards() {
            ids.extend(shard.iter().map(|entry| entry.id));
        }
        ids.sort_unstable();
        ids
    }

    /// The number of a thing with this hash, if it was met before.
    #[inline]
    pub fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        let same = |entry: &Entry| entry.hash == hash && same(entry.id);
        self.shard(hash)
            .find(spread(hash), same)
            .map(|entry| entry.id)
    }

    /// The number of a thing with this hash; a new one is made where it was not met before.
    #[inline]
    pub fn find_or_make(
        &self,
        hash: u32,
        same: impl Fn(u32) -> bool,
        make: impl FnOnce() -> Result<u32, GaveUp>,
    ) -> Result<u32, GaveUp> {
        let mut shard = self.shard(hash);
        let same = |entry: &Entry| entry.hash == hash && same(entry.id);
        if let Some(entry) = shard.find(spread(hash), same) {
            return Ok(entry.id);
        }
        let id = make()?;
        shard.insert_unique(spread(hash), Entry { hash, id }, |entry| spread(entry.hash));
        Ok(id)
    }

    #[inline]
    fn shard(&self, hash: u32) -> MutexGuard<'_, HashTable<Entry>> {
        // The lower bits choose a place within the part.
        locked(&self.shards[(hash >> (u32::BITS - SHARDS.ilog2())) as usize])
    }

    fn shards(&self) -> impl Iterator<Item = MutexGuard<'_, HashTable<Entry>>> {
        self.shards.iter().map(locked)
    }
}

/// A panic elsewhere is passed on by who runs the threads; what is behind the lock stays whole.
#[inline]
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bits of a hash where [`HashTable`] looks for them.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
