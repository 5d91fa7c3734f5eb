//! Append-only memory shared by threads: reserved words never move.

use super::GaveUp;
use super::sync::{AtomicU64, AtomicUsize, IS_MODEL, OnceLock, Ordering, thread_number};

/// Words are addressed in places of `UNIT` words. A place fits into 31 bits, so that its user can
/// keep one more bit next to it. A few places are reserved for concurrent requests.
const MAX_PLACES: u64 = if IS_MODEL { 48 } else { (1 << 31) - (1 << 24) };

/// The first chunk has a quarter of 2 to this power places.
const FIRST: u32 = if IS_MODEL { 4 } else { 10 };

/// The number of chunks for all places.
const CHUNKS: usize = 4 * (MAX_PLACES.ilog2() + 2 - FIRST) as usize;

/// Places that a thread reserves at once and then assigns one by one.
const BLOCK: u64 = if IS_MODEL { 4 } else { 64 };

/// The number of blocks in use at the same time. Up to this many threads have their own block.
const LANES: usize = if IS_MODEL { 1 } else { 8 };

/// The rest of a block: its start and its end, 32 bits each. Each has its own cache line, so that
/// threads do not slow each other down.
#[repr(align(64))]
struct Lane(AtomicU64);

/// Words in chunks that are allocated when first needed. The length of a chunk is a quarter of
/// all before it, or less: at most a fifth of the memory is allocated ahead of use.
pub(super) struct Pages<T, const UNIT: usize = 4> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    lanes: [Lane; LANES],
    used: AtomicU64,
    bytes: AtomicUsize,
}

impl<T: Default, const UNIT: usize> Default for Pages<T, UNIT> {
    fn default() -> Pages<T, UNIT> {
        Pages {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
            lanes: std::array::from_fn(|_| Lane(AtomicU64::new(0))),
            // Place 0 means none.
            used: AtomicU64::new(1),
            bytes: AtomicUsize::new(0),
        }
    }
}

impl<T: Default, const UNIT: usize> Pages<T, UNIT> {
    pub fn bytes_used(&self) -> usize {
        // Relaxed: a count for the budget, no memory is read because of it.
        self.bytes.load(Ordering::Relaxed)
    }

    /// Reserves consecutive words, and returns their place and the words themselves.
    ///
    /// Other threads may use the place only after they have synchronized with this one.
    pub fn reserve(&self, words: usize) -> Result<(u32, &[T]), GaveUp> {
        let places = words.div_ceil(UNIT) as u64;
        let start = if places > BLOCK / 4 {
            self.reserve_places(places)?
        } else {
            self.reserve_in_lane(places)?
        };
        // The block may come from another thread. `get_or_alloc` waits for its chunk in any case.
        Ok((start, &self.get_or_alloc(start)[..words]))
    }

    /// Takes places from the block of this thread, or from a new block.
    fn reserve_in_lane(&self, places: u64) -> Result<u32, GaveUp> {
        let lane = &self.lanes[thread_number() % LANES].0;
        // Acquire here and AcqRel below: a thread that takes the rest of a block has seen all that
        // was done before the block was put here, such as the allocation of its chunk.
        let mut rest = lane.load(Ordering::Acquire);
        loop {
            let (mut start, mut end) = (rest >> 32, rest & u64::from(u32::MAX));
            if start + places > end {
                start = u64::from(self.reserve_places(BLOCK)?);
                end = start + BLOCK;
            }
            let less = (start + places) << 32 | end;
            match lane.compare_exchange(rest, less, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(start as u32),
                // Another thread has used the same lane.
                Err(now) => rest = now,
            }
        }
    }

    /// Reserves places in one chunk, which is allocated.
    fn reserve_places(&self, places: u64) -> Result<u32, GaveUp> {
        // Relaxed: the counter alone decides which places are free; chunks synchronize themselves.
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let start = first_fit(used, places);
            let end = start + places;
            if end > MAX_PLACES {
                return Err(GaveUp::Bytes);
            }
            match self
                .used
                .compare_exchange_weak(used, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => {
                    self.get_or_alloc(start as u32);
                    return Ok(start as u32);
                }
                Err(now) => used = now,
            }
        }
    }

    /// The words from a reserved place on, to the end of its chunk. Empty if this thread has not
    /// synchronized with the one that reserved the place.
    #[inline]
    pub fn get(&self, place: u32) -> &[T] {
        let (chunk, offset, _) = locate(u64::from(place));
        match self.chunks[chunk].get() {
            Some(words) => &words[UNIT * offset..],
            None => &[],
        }
    }

    /// The words from a place on, whether or not it was reserved.
    #[inline]
    pub fn get_or_alloc(&self, place: u32) -> &[T] {
        let (chunk, offset, length) = locate(u64::from(place));
        let words = self.chunks[chunk].get_or_init(|| {
            let words = UNIT * length as usize;
            // Relaxed: see `bytes_used`.
            self.bytes
                .fetch_add(words * size_of::<T>(), Ordering::Relaxed);
            (0..words).map(|_| T::default()).collect()
        });
        &words[UNIT * offset..]
    }
}

/// The chunk of a place, the offset of the place in it, and the number of places of the chunk.
#[inline]
fn locate(place: u64) -> (usize, usize, u64) {
    let number = place + (1 << FIRST);
    let doubling = number.ilog2();
    let quarter = number >> (doubling - 2) & 3;
    let length = 1 << (doubling - 2);
    let chunk = 4 * (doubling - FIRST) as usize + quarter as usize;
    (chunk, (number & (length - 1)) as usize, length)
}

/// The first place, from this one on, at which this many places fit into one chunk.
fn first_fit(mut place: u64, places: u64) -> u64 {
    loop {
        let (_, offset, length) = locate(place);
        if offset as u64 + places <= length || place > MAX_PLACES {
            return place;
        }
        place += length - offset as u64;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn places_are_consecutive() {
        let mut last = locate(0);
        assert_eq!(last, (0, 0, 256));
        for place in 1..100_000 {
            let (chunk, offset, length) = locate(place);
            match offset {
                0 => assert_eq!((chunk, last.1 as u64 + 1), (last.0 + 1, last.2)),
                _ => assert_eq!((chunk, offset, length), (last.0, last.1 + 1, last.2)),
            }
            last = (chunk, offset, length);
        }
        assert!(locate(MAX_PLACES + (1 << 24)).0 < CHUNKS);
    }

    #[test]
    fn reserved_words_are_contiguous() {
        let pages: Pages<AtomicU32> = Pages::default();
        for (number, words) in [1, 7, 900, 5_000, 3, 1_200_000, 2].into_iter().enumerate() {
            let (place, found) = pages.reserve(words).unwrap();
            assert_eq!(found.len(), words);
            assert!(std::ptr::eq(&found[0], &pages.get(place)[0]));
            assert!(found.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            found
                .iter()
                .for_each(|word| word.store(number as u32 + 1, Ordering::Relaxed));
        }
        assert!(pages.bytes_used() < 20_000_000);
    }

    #[test]
    fn units_of_two_words_do_not_overlap() {
        let pages: Pages<AtomicU64, 2> = Pages::default();
        let (first, _) = pages.reserve(5).unwrap();
        let (second, _) = pages.reserve(1).unwrap();
        assert_eq!(second - first, 3);
        let distance = pages.get(first).len() - pages.get(second).len();
        assert_eq!(distance, 6);
    }

    #[test]
    fn too_many_words_are_refused() {
        let pages: Pages<AtomicU32> = Pages::default();
        assert_eq!(pages.reserve(1 << 40).err(), Some(GaveUp::Bytes));
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::super::sync::AtomicU32;
    use super::*;
    use loom::sync::Arc;

    /// Each thread reserves words and writes its number: none is lost, and no two share a word,
    /// even when one takes its words from a block of the other.
    #[test]
    fn loom_pages_reserve_distinct_words() {
        loom::model(|| {
            let pages: Arc<Pages<AtomicU32>> = Arc::default();
            let threads = [1, 2].map(|number| {
                let pages = Arc::clone(&pages);
                loom::thread::spawn(move || {
                    let (place, words) = pages.reserve(4).unwrap();
                    words
                        .iter()
                        .for_each(|word| word.store(number, Ordering::Relaxed));
                    place
                })
            });
            let places = threads.map(|thread| thread.join().unwrap());
            for (place, number) in places.into_iter().zip([1, 2]) {
                let words = &pages.get(place)[..4];
                assert!(
                    words
                        .iter()
                        .all(|word| word.load(Ordering::Relaxed) == number)
                );
            }
        });
    }

    /// A thread that takes the rest of a block sees the chunk of the block.
    #[test]
    fn loom_pages_share_blocks() {
        loom::model(|| {
            let pages: Arc<Pages<AtomicU32>> = Arc::default();
            let other = Arc::clone(&pages);
            let thread = loom::thread::spawn(move || other.reserve(1).unwrap().0);
            let place = pages.reserve_in_lane(1).unwrap();
            assert!(!pages.get(place).is_empty());
            assert_ne!(thread.join().unwrap(), place);
        });
    }
}
