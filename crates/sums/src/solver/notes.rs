//! Facts about single items, shared by all threads.
//!
//! A note is five words: the address of the bounds, the estimate, the number of moves of each
//! player, the bounds on the atomic weight, the rungs. The address is published with Release and
//! read with Acquire, after which the bounds and the other words can be read. A bound is one word
//! that only gets sharper, so that threads can write bounds at the same time and none is lost.

use super::GaveUp;
use super::facts::{Bound, Facts, Ups};
use super::pages::Pages;
use super::rungs::Rungs;
use super::sync::{AtomicI64, AtomicU32, Ordering};
use crate::value::{Player, Value};

/// The number of words of a note.
pub(super) const NOTE_WORDS: usize = 5;

/// The bounds of all notes.
pub(crate) struct Notes {
    bounds: Pages<AtomicI64>,
    /// Bounds that many notes share; these are never changed.
    common: [([i64; 4], u32); 2],
}

impl Default for Notes {
    fn default() -> Notes {
        let bounds: Pages<AtomicI64> = Pages::default();
        let common = [Facts::NONE, Facts::ALL_SMALL].map(|facts| {
            let encoded = encode(&facts);
            let place = new_bounds(&bounds, encoded).unwrap_or_default();
            (encoded, place)
        });
        Notes { bounds, common }
    }
}

impl Notes {
    pub fn bytes_used(&self) -> usize {
        self.bounds.bytes_used()
    }

    /// The facts of a note, if it was written.
    #[inline]
    pub fn read(&self, note: &[AtomicU32]) -> Option<Facts> {
        let place = note[0].load(Ordering::Acquire);
        if place == 0 {
            return None;
        }
        let words = self.bounds.get(place);
        // Relaxed: the Acquire above has made all words visible, and each bound is true by itself.
        let bounds = [0, 1, 2, 3].map(|number: usize| words[number].load(Ordering::Relaxed));
        let mobility = note[2].load(Ordering::Relaxed);
        let ups = note[3].load(Ordering::Relaxed);
        let rungs = note[4]
            .load(Ordering::Relaxed)
            .to_le_bytes()
            .map(u8::cast_signed);
        Some(Facts {
            low: decode_low(bounds[0]),
            low_first: decode_low(bounds[1]),
            high: decode_high(bounds[2]),
            high_first: decode_high(bounds[3]),
            guess: note[1].load(Ordering::Relaxed) as i32,
            mobility: [mobility as u16, (mobility >> 16) as u16],
            ups: Ups {
                low: ups as i16,
                high: (ups >> 16) as i16,
            },
            rungs: Rungs {
                low: [rungs[0], rungs[1]],
                high: [rungs[2], rungs[3]],
            },
        })
    }

    /// Writes a note, or sharpens its bounds.
    pub fn write(&self, note: &[AtomicU32], facts: &Facts) -> Result<(), GaveUp> {
        let [left, right] = facts.mobility.map(u32::from);
        // Relaxed: published by the address below, and every thread writes the same.
        note[1].store(facts.guess as u32, Ordering::Relaxed);
        note[2].store(left | right << 16, Ordering::Relaxed);
        let [low, high] = [facts.ups.low, facts.ups.high].map(|ups| u32::from(ups as u16));
        note[3].store(low | high << 16, Ordering::Relaxed);
        let Rungs { low, high } = facts.rungs;
        let rungs = [low[0], low[1], high[0], high[1]].map(i8::cast_unsigned);
        note[4].store(u32::from_le_bytes(rungs), Ordering::Relaxed);
        let bounds = encode(facts);
        let mut place = note[0].load(Ordering::Acquire);
        while self.is_replaceable(place) {
            let new = self.place_of(bounds)?;
            // Release publishes the note. If another thread has published it first, then the
            // Acquire on failure makes its bounds visible, and they are sharpened below.
            match note[0].compare_exchange(place, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(()),
                Err(now) => place = now,
            }
        }
        sharpen(self.bounds.get(place), bounds);
        Ok(())
    }

    /// The note has no bounds of its own.
    fn is_replaceable(&self, place: u32) -> bool {
        place == 0 || self.common.iter().any(|&(_, common)| common == place)
    }

    /// The address of shared bounds, or of new ones.
    fn place_of(&self, bounds: [i64; 4]) -> Result<u32, GaveUp> {
        match self.common.iter().find(|(common, _)| *common == bounds) {
            Some(&(_, place)) => Ok(place),
            None => new_bounds(&self.bounds, bounds),
        }
    }
}

fn new_bounds(pages: &Pages<AtomicI64>, bounds: [i64; 4]) -> Result<u32, GaveUp> {
    let (place, words) = pages.reserve(4)?;
    for number in 0..4 {
        words[number].store(bounds[number], Ordering::Relaxed);
    }
    Ok(place)
}

/// Keeps the sharper of two bounds. Relaxed: each bound is one word and true by itself.
fn sharpen(words: &[AtomicI64], bounds: [i64; 4]) {
    for number in 0..2 {
        words[number].fetch_max(bounds[number], Ordering::Relaxed);
        words[2 + number].fetch_min(bounds[2 + number], Ordering::Relaxed);
    }
}

/// Each bound in one word that is greater (from below) or less (from above) the sharper it is: at
/// the same number a solid bound is sharper.
fn encode(facts: &Facts) -> [i64; 4] {
    let low = |bound: Bound| bound.at << 1 | i64::from(bound.solid);
    let high = |bound: Bound| bound.at << 1 | i64::from(!bound.solid);
    [
        low(facts.low),
        low(facts.low_first),
        high(facts.high),
        high(facts.high_first),
    ]
}

#[inline]
fn decode_low(word: i64) -> Bound {
    Bound {
        at: word >> 1,
        solid: word & 1 == 1,
    }
}

#[inline]
fn decode_high(word: i64) -> Bound {
    Bound {
        at: word >> 1,
        solid: word & 1 == 0,
    }
}

/// Results about values that the search can read without a lock on the canonical forms.
#[derive(Default)]
pub(crate) struct Values {
    words: Pages<AtomicU32>,
}

/// The words of a value: its note, then these.
const NEGATIVE: usize = NOTE_WORDS;
/// Whether the value is number + ups + nimber: 1 for no, 2 for yes.
const CLOSED: usize = NEGATIVE + 1;
/// Two words, one per player: the address of the list of options.
const OPTIONS: usize = CLOSED + 1;
/// A power of two, so that no value lies in two chunks.
const WORDS: usize = 16;

impl Values {
    pub fn bytes_used(&self) -> usize {
        self.words.bytes_used()
    }

    #[inline]
    fn get(&self, value: Value) -> &[AtomicU32] {
        self.words.get_or_alloc((value.index() * WORDS / 4) as u32)
    }

    /// The words of its note.
    #[inline]
    pub fn note(&self, value: Value) -> &[AtomicU32] {
        &self.get(value)[..NEGATIVE]
    }

    /// Returns whether the value is number + ups + nimber; `None` if not computed yet.
    #[inline]
    pub fn is_closed(&self, value: Value) -> Option<bool> {
        // Relaxed: no other memory depends on the answer.
        match self.get(value)[CLOSED].load(Ordering::Relaxed) {
            0 => None,
            answer => Some(answer == 2),
        }
    }

    pub fn set_closed(&self, value: Value, closed: bool) {
        self.get(value)[CLOSED].store(1 + u32::from(closed), Ordering::Relaxed);
    }

    /// The negative, if computed.
    #[inline]
    pub fn negative(&self, value: Value) -> Option<Value> {
        // Acquire, with Release below: the canonical form exists for a thread that has its id.
        let negative = self.get(value)[NEGATIVE].load(Ordering::Acquire);
        negative.checked_sub(1).map(Value::from_index)
    }

    pub fn set_negative(&self, value: Value, negative: Value) {
        self.get(value)[NEGATIVE].store(negative.index() as u32 + 1, Ordering::Release);
    }

    /// The address of the list of a player's options, if computed.
    #[inline]
    pub fn options(&self, value: Value, player: Player) -> Option<u32> {
        // Acquire, with Release below: the list was written before its address.
        let list = self.get(value)[OPTIONS + player as usize].load(Ordering::Acquire);
        Some(list).filter(|&list| list != 0)
    }

    pub fn set_options(&self, value: Value, player: Player, list: u32) {
        self.get(value)[OPTIONS + player as usize].store(list, Ordering::Release);
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use loom::sync::Arc;

    /// Two threads write results, a third reads: a note is empty or complete, and no result is
    /// lost.
    #[test]
    fn loom_notes_keep_every_bound() {
        loom::model(|| {
            let shared: Arc<(Notes, [AtomicU32; NOTE_WORDS])> = Arc::default();
            // The next bounds need a new block, which the threads then share.
            for _ in 0..2 {
                shared.0.bounds.reserve(1).unwrap();
            }
            let threads = Player::BOTH.map(|first| {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || {
                    let mut facts = initial();
                    facts.prove(first, false);
                    shared.0.write(&shared.1, &facts).unwrap();
                })
            });
            if let Some(facts) = shared.0.read(&shared.1) {
                assert_eq!((facts.guess, facts.mobility), (7, [3, 4]));
                assert!(is_zero(facts.high) || is_zero(facts.low));
            }
            let _ = threads.map(|thread| thread.join().unwrap());
            let facts = shared.0.read(&shared.1).expect("a note");
            assert!(is_zero(facts.high) && is_zero(facts.low));
        });
    }

    fn initial() -> Facts {
        Facts {
            guess: 7,
            mobility: [3, 4],
            ..Facts::NONE
        }
    }

    fn is_zero(bound: Bound) -> bool {
        bound == Bound { at: 0, solid: true }
    }
}
