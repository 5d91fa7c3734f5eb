//! Memory that only grows and that many threads share: what was reserved once never moves.

use super::GaveUp;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Places are counted in quads, four words each, in 31 bits: beside them one bit says something
/// else. Some are left for what is being added.
const MOST_PLACES: u64 = (1 << 31) - (1 << 24);

/// The first chunk has a quarter of so many quads.
const FIRST: u32 = 10;

/// So many quads in all chunks together.
const CHUNKS: usize = 4 * (32 - FIRST as usize);

/// A thread takes so many quads at once, and gives them out one by one.
const BLOCK: u64 = 64;

/// So many threads do not get into each other's way.
const LANES: usize = 8;

static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Which lane this thread keeps to.
    static LANE: usize = THREADS.fetch_add(1, Ordering::Relaxed) % LANES;
}

/// The rest of a block: where it begins and where it ends, 32 bits each. It has a cache line of its
/// own, which no other thread writes to.
#[derive(Default)]
#[repr(align(64))]
struct Lane(AtomicU64);

/// Words in chunks that are made when they are first needed. Each is a quarter longer than all
/// before it, or less: at most a fifth of the memory waits to be used.
pub(super) struct Pages<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    lanes: [Lane; LANES],
    used: AtomicU64,
    bytes: AtomicUsize,
}

impl<T: Default> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
            lanes: Default::default(),
            // Place 0 stands for nothing.
            used: AtomicU64::new(1),
            bytes: AtomicUsize::new(0),
        }
    }
}

impl<T: Default> Pages<T> {
    pub fn bytes_used(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Reserves so many words, one after the other, and tells their place.
    pub fn reserve(&self, words: usize) -> Result<u32, GaveUp> {
        let quads = words.div_ceil(4) as u64;
        if quads > BLOCK / 4 {
            return self.reserve_quads(quads);
        }
        let lane = &self.lanes[LANE.with(|&lane| lane)].0;
        loop {
            let rest = lane.load(Ordering::Relaxed);
            let (start, end) = (rest >> 32, rest & u64::from(u32::MAX));
            let (start, end) = match start + quads <= end {
                true => (start, end),
                false => {
                    let start = u64::from(self.reserve_quads(BLOCK)?);
                    (start, start + BLOCK)
                }
            };
            let less = (start + quads) << 32 | end;
            // Somebody else has this lane too if that fails.
            let taken = lane.compare_exchange(rest, less, Ordering::Relaxed, Ordering::Relaxed);
            if taken.is_ok() {
                return Ok(start as u32);
            }
        }
    }

    /// Reserves so many quads for whoever asks.
    fn reserve_quads(&self, quads: u64) -> Result<u32, GaveUp> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let start = fitting(used, quads);
            let end = start + quads;
            if end > MOST_PLACES {
                return Err(GaveUp::Bytes);
            }
            match self
                .used
                .compare_exchange_weak(used, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => {
                    self.made(start as u32);
                    return Ok(start as u32);
                }
                Err(now) => used = now,
            }
        }
    }

    /// The words from a place on, to the end of what was made with them.
    #[inline]
    pub fn at(&self, place: u32) -> &[T] {
        let (chunk, offset, _) = locate(u64::from(place));
        match self.chunks[chunk].get() {
            Some(words) => &words[4 * offset..],
            None => &[],
        }
    }

    /// The words from a place on, whether or not it was reserved.
    #[inline]
    pub fn made(&self, place: u32) -> &[T] {
        let (chunk, offset, length) = locate(u64::from(place));
        let words = self.chunks[chunk].get_or_init(|| {
            let words = 4 * length as usize;
            self.bytes
                .fetch_add(words * size_of::<T>(), Ordering::Relaxed);
            (0..words).map(|_| T::default()).collect()
        });
        &words[4 * offset..]
    }
}

/// The chunk of a place, where in it the place is, and how many quads it has.
#[inline]
fn locate(place: u64) -> (usize, usize, u64) {
    let number = place + (1 << FIRST);
    let doubling = number.ilog2();
    let quarter = number >> (doubling - 2) & 3;
    let length = 1 << (doubling - 2);
    let chunk = 4 * (doubling - FIRST) as usize + quarter as usize;
    (chunk, (number & (length - 1)) as usize, length)
}

/// The first place, from this one on, where so many quads lie in one chunk.
fn fitting(mut place: u64, quads: u64) -> u64 {
    loop {
        let (_, offset, length) = locate(place);
        if offset as u64 + quads <= length || place > MOST_PLACES {
            return place;
        }
        place += length - offset as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn places_lie_one_after_the_other() {
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
        assert!(locate(MOST_PLACES + (1 << 24)).0 < CHUNKS);
    }

    #[test]
    fn what_is_reserved_lies_in_one_piece() {
        let pages: Pages<AtomicU32> = Pages::default();
        for (number, words) in [1, 7, 900, 5_000, 3, 1_200_000, 2].into_iter().enumerate() {
            let place = pages.reserve(words).unwrap();
            let found = &pages.at(place)[..words];
            assert!(found.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            found
                .iter()
                .for_each(|word| word.store(number as u32 + 1, Ordering::Relaxed));
        }
        assert!(pages.bytes_used() < 20_000_000);
    }

    #[test]
    fn too_much_is_refused() {
        let pages: Pages<AtomicU32> = Pages::default();
        assert_eq!(pages.reserve(1 << 40), Err(GaveUp::Bytes));
    }
}
