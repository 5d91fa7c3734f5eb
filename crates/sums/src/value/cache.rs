//! Lossy caches of proven results about pairs of ids; every hit compares the full key.

/// Slots searched for a key, newest first.
const WAYS: usize = 4;
/// Both tables start small: adding two numbers should not allocate megabytes.
const START: usize = 1 << 10;
/// Keys are hashed by one multiplication, of which the high bits are used.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Caches a `bool` for ordered pairs of ids below 2³¹, in eight bytes per pair.
pub(super) struct PairSet {
    slots: Vec<u64>,
    inserted: usize,
}

impl PairSet {
    pub(super) fn new() -> PairSet {
        PairSet {
            slots: vec![EMPTY; START],
            inserted: 0,
        }
    }

    #[inline]
    pub(super) fn get(&self, a: u32, b: u32) -> Option<bool> {
        let key = pack(a, b);
        let at = bucket(key, self.slots.len());
        self.slots[at..at + WAYS]
            .iter()
            .find(|&&slot| slot >> 1 == key)
            .map(|slot| slot & 1 != 0)
    }

    /// Caches an answer; the table grows up to `most` bytes.
    pub(super) fn insert(&mut self, a: u32, b: u32, answer: bool, most: usize) {
        if self.inserted >= self.slots.len() / 2 && self.bytes() * 2 <= most {
            self.grow();
        }
        self.inserted += 1;
        self.place(pack(a, b) << 1 | u64::from(answer));
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * 8
    }

    fn place(&mut self, slot: u64) {
        let at = bucket(slot >> 1, self.slots.len());
        let ways = &mut self.slots[at..at + WAYS];
        ways.rotate_right(1);
        ways[0] = slot;
    }

    fn grow(&mut self) {
        let larger = vec![EMPTY; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        old.into_iter()
            .filter(|&slot| slot != EMPTY)
            .for_each(|slot| self.place(slot));
    }
}

/// Caches an id for unordered pairs of ids.
pub(super) struct PairMap {
    keys: Vec<u64>,
    ids: Vec<u32>,
    inserted: usize,
}

impl PairMap {
    pub(super) fn new() -> PairMap {
        PairMap {
            keys: vec![EMPTY; START],
            ids: vec![0; START],
            inserted: 0,
        }
    }

    #[inline]
    pub(super) fn get(&self, a: u32, b: u32) -> Option<u32> {
        let key = pack(a, b);
        let at = bucket(key, self.keys.len());
        let way = self.keys[at..at + WAYS]
            .iter()
            .position(|&slot| slot == key)?;
        Some(self.ids[at + way])
    }

    /// Caches an id; the table grows up to `most` bytes.
    pub(super) fn insert(&mut self, a: u32, b: u32, id: u32, most: usize) {
        if self.inserted >= self.keys.len() / 2 && self.bytes() * 2 <= most {
            self.grow();
        }
        self.inserted += 1;
        self.place(pack(a, b), id);
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.len() * 12
    }

    fn place(&mut self, key: u64, id: u32) {
        let at = bucket(key, self.keys.len());
        self.keys[at..at + WAYS].rotate_right(1);
        self.ids[at..at + WAYS].rotate_right(1);
        (self.keys[at], self.ids[at]) = (key, id);
    }

    fn grow(&mut self) {
        let size = self.keys.len() * 2;
        let keys = std::mem::replace(&mut self.keys, vec![EMPTY; size]);
        let ids = std::mem::replace(&mut self.ids, vec![0; size]);
        let old = keys.into_iter().zip(ids).filter(|&(key, _)| key != EMPTY);
        old.for_each(|(key, id)| self.place(key, id));
    }
}

/// The key of no pair: both ids would be 2³¹ − 1.
const EMPTY: u64 = u64::MAX;

#[inline]
fn pack(a: u32, b: u32) -> u64 {
    u64::from(a) << 31 | u64::from(b)
}

#[inline]
fn bucket(key: u64, slots: usize) -> usize {
    let shift = 64 - (slots / WAYS).trailing_zeros();
    (key.wrapping_mul(SPREAD) >> shift) as usize * WAYS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_while_there_is_space() {
        let mut pairs = PairSet::new();
        let mut sums = PairMap::new();
        for a in 0..1000 {
            pairs.insert(a, a + 7, a % 3 == 0, 1 << 20);
            sums.insert(a, a + 7, a * 2, 1 << 20);
        }
        for a in 900..1000 {
            assert_eq!(pairs.get(a, a + 7), Some(a % 3 == 0));
            assert_eq!(pairs.get(a + 7, a), None);
            assert_eq!(sums.get(a, a + 7), Some(a * 2));
        }
    }

    #[test]
    fn stays_within_its_bytes() {
        let mut pairs = PairSet::new();
        let mut sums = PairMap::new();
        for a in 0..100_000 {
            pairs.insert(a, a, true, 1 << 14);
            sums.insert(a, a, a, 1 << 14);
        }
        assert!(pairs.bytes() <= 1 << 14 && sums.bytes() <= 1 << 14);
    }
}
