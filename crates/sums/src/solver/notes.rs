//! What is known about single items, kept where many threads find it.
//!
//! A note is three words: where the bounds are, the guess, how many moves each player has. Each bound
//! stays true however others change meanwhile, so that nobody has to wait for anybody.

use super::GaveUp;
use super::facts::{Bound, Facts};
use super::pages::Pages;
use crate::value::{Player, Value};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The bounds of all notes.
pub(crate) struct Notes {
    bounds: Pages<AtomicU64>,
    /// Bounds that are those of many.
    usual: [(Facts, u32); 2],
}

impl Default for Notes {
    fn default() -> Notes {
        let bounds = Pages::default();
        let usual = [Facts::NONE, Facts::ALL_SMALL].map(|facts| {
            let place = bounds.reserve(4).unwrap_or_default();
            write_bounds(bounds.at(place), &facts);
            (facts, place)
        });
        Notes { bounds, usual }
    }
}

impl Notes {
    pub fn bytes_used(&self) -> usize {
        self.bounds.bytes_used()
    }

    /// What a note says, once it is written.
    #[inline]
    pub fn read(&self, note: &[AtomicU32]) -> Option<Facts> {
        let place = note[0].load(Ordering::Acquire);
        if place == 0 {
            return None;
        }
        let [low, low_first, high, high_first] = read_bounds(self.bounds.at(place));
        let mobility = note[2].load(Ordering::Relaxed);
        Some(Facts {
            low,
            low_first,
            high,
            high_first,
            guess: note[1].load(Ordering::Relaxed) as i32,
            mobility: [mobility as u16, (mobility >> 16) as u16],
        })
    }

    /// Writes a note, or writes it anew.
    pub fn write(&self, note: &[AtomicU32], facts: &Facts) -> Result<(), GaveUp> {
        let [left, right] = facts.mobility.map(u32::from);
        note[1].store(facts.guess as u32, Ordering::Relaxed);
        note[2].store(left | right << 16, Ordering::Relaxed);
        let same = |usual: &Facts| bounds_of(usual) == bounds_of(facts);
        if let Some((_, place)) = self.usual.iter().find(|(usual, _)| same(usual)) {
            note[0].store(*place, Ordering::Release);
            return Ok(());
        }
        let place = match note[0].load(Ordering::Acquire) {
            0 => self.bounds.reserve(4)?,
            old if self.usual.iter().any(|&(_, place)| place == old) => self.bounds.reserve(4)?,
            own => own,
        };
        write_bounds(self.bounds.at(place), facts);
        note[0].store(place, Ordering::Release);
        Ok(())
    }
}

fn bounds_of(facts: &Facts) -> [Bound; 4] {
    [facts.low, facts.low_first, facts.high, facts.high_first]
}

/// A bound in one word: where it is, and one bit that says how it is meant.
fn write_bounds(words: &[AtomicU64], facts: &Facts) {
    for (word, bound) in words.iter().zip(bounds_of(facts)) {
        let bound = bound.at << 1 | i64::from(bound.solid);
        word.store(bound as u64, Ordering::Relaxed);
    }
}

#[inline]
fn read_bounds(words: &[AtomicU64]) -> [Bound; 4] {
    [0, 1, 2, 3].map(|number: usize| {
        let word = words[number].load(Ordering::Relaxed) as i64;
        Bound {
            at: word >> 1,
            solid: word & 1 == 1,
        }
    })
}

/// What the search knows about values without asking the canonical forms.
#[derive(Default)]
pub(crate) struct Values {
    words: Pages<AtomicU32>,
}

/// The words of a value: its note, then these.
const NEGATIVE: usize = 3;
/// Is it number + ups + nimber? 1 for no, 2 for yes.
const CLOSED: usize = 4;
/// Two, by player: where the options are listed.
const OPTIONS: usize = 5;
const WORDS: usize = 8;

impl Values {
    pub fn bytes_used(&self) -> usize {
        self.words.bytes_used()
    }

    #[inline]
    fn get(&self, value: Value) -> &[AtomicU32] {
        self.words.made((value.index() * WORDS / 4) as u32)
    }

    /// The words of its note.
    #[inline]
    pub fn note(&self, value: Value) -> &[AtomicU32] {
        &self.get(value)[..NEGATIVE]
    }

    /// Is it number + ups + nimber? None if nobody has asked yet.
    #[inline]
    pub fn is_closed(&self, value: Value) -> Option<bool> {
        match self.get(value)[CLOSED].load(Ordering::Relaxed) {
            0 => None,
            answer => Some(answer == 2),
        }
    }

    pub fn set_closed(&self, value: Value, closed: bool) {
        self.get(value)[CLOSED].store(1 + u32::from(closed), Ordering::Relaxed);
    }

    /// The negative, once somebody asked.
    #[inline]
    pub fn negative(&self, value: Value) -> Option<Value> {
        let negative = self.get(value)[NEGATIVE].load(Ordering::Relaxed);
        negative.checked_sub(1).map(Value::from_index)
    }

    pub fn set_negative(&self, value: Value, negative: Value) {
        self.get(value)[NEGATIVE].store(negative.index() as u32 + 1, Ordering::Relaxed);
    }

    /// Where a player's options are listed, once somebody asked.
    #[inline]
    pub fn options(&self, value: Value, player: Player) -> Option<u32> {
        let list = self.get(value)[OPTIONS + player as usize].load(Ordering::Acquire);
        Some(list).filter(|&list| list != 0)
    }

    pub fn set_options(&self, value: Value, player: Player, list: u32) {
        self.get(value)[OPTIONS + player as usize].store(list, Ordering::Release);
    }
}
