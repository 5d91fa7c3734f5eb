//! Lossy tables that remember proven results about pairs of ids: a full key decides every hit.

/// Slots searched for a key; the newest of them comes first.
const WAYS: usize = 4;
/// Both tables start small: a calculator that sums two numbers should not touch megabytes.
const START: usize = 1 << 10;
/// Keys are spread by one multiplication and the product's high bits.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Remembers a yes or no for ordered pairs of ids below 2³¹, eight bytes a pair.
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

    /// Remembers an answer; the table grows while it stays within so many bytes.
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

/// Remembers an id for unordered pairs of ids.
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

    /// Remembers an id; the table grows while it stays within so many bytes.
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

/// No pair packs to this: the first id would be 2³¹ − 1 and so would the second.
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
    fn remembers_while_there_is_room() {
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
