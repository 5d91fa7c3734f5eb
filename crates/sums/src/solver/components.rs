//! Interned components: each normalised position has one id.
//!
//! The index makes the immutable words of a component (size, kind, position) visible with its id.
//! The other words are read with Acquire and written with Release, because most of them are
//! addresses of memory that was written before.

use super::GaveUp;
use super::index::Index;
use super::notes::NOTE_WORDS;
use super::pages::Pages;
use super::sync::{AtomicU32, Ordering};
use crate::game::Kind;
use crate::value::{Player, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The id of a component: the address of its record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ComponentId(pub u32);

/// One term of a sum: a component to be searched, or a known value.
///
/// The order of items is arbitrary but fixed, so that a sum has one representation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Item(pub u32);

/// The decoded form of an [`Item`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// A position to be searched.
    Component(ComponentId),
    /// A canonical form.
    Value(Value),
}

impl Item {
    #[inline]
    pub fn component(id: ComponentId) -> Item {
        Item(id.0 << 1)
    }

    #[inline]
    pub fn value(value: Value) -> Item {
        Item((value.index() as u32) << 1 | 1)
    }

    #[inline]
    pub fn term(self) -> Term {
        if self.0 & 1 == 0 {
            Term::Component(ComponentId(self.0 >> 1))
        } else {
            Term::Value(Value::from_index(self.0 >> 1))
        }
    }
}

/// The result so far of computing the value of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueState {
    /// Not tried yet.
    Unknown,
    /// The value takes more than this many steps.
    Above(u32),
    /// The canonical form.
    Known(Value),
}

impl ValueState {
    /// Encodes the state in one word: 0, or steps and a bit 0, or a value and a bit 1.
    fn to_word(self) -> u32 {
        match self {
            ValueState::Unknown => 0,
            ValueState::Above(steps) => steps.clamp(1, u32::MAX >> 1) << 1,
            ValueState::Known(value) => (value.index() as u32) << 1 | 1,
        }
    }

    #[inline]
    fn of_word(word: u32) -> ValueState {
        match word {
            0 => ValueState::Unknown,
            _ if word & 1 == 0 => ValueState::Above(word >> 1),
            _ => ValueState::Known(Value::from_index(word >> 1)),
        }
    }
}

/// One component: words with the results about it, then its position.
#[derive(Clone, Copy)]
pub(crate) struct Component<'a>(&'a [AtomicU32]);

/// The words of a component.
const VALUE_STATE: usize = 0;
/// Two words, one per player: the address of the list of options.
const OPTIONS: usize = 1;
/// The component with the players exchanged.
const NEGATIVE: usize = 3;
/// Some words, see [`super::notes`].
const NOTE: usize = 4;
const SIZE: usize = NOTE + NOTE_WORDS;
const KIND: usize = SIZE + 1;
/// The nim value plus one.
const NIM: usize = KIND + 1;
/// The length of the position in bytes.
const LENGTH: usize = NIM + 1;
const POSITION: usize = LENGTH + 1;

/// In the word of the kind: the component was looked up in the databases.
const QUERIED: u32 = 1 << 16;
/// In the word of the kind: a database has an entry for it, but not its value.
const LISTED: u32 = 1 << 17;

impl<'a> Component<'a> {
    #[inline]
    fn get(self, word: usize) -> u32 {
        self.0[word].load(Ordering::Acquire)
    }

    #[inline]
    fn set(self, word: usize, to: u32) {
        self.0[word].store(to, Ordering::Release);
    }

    #[inline]
    pub fn kind(self) -> Kind {
        Kind::of_code(self.get(KIND) as u16)
    }

    /// The size of the position, as its rules measure it.
    #[inline]
    pub fn size(self) -> u32 {
        self.get(SIZE)
    }

    #[inline]
    pub fn value_state(self) -> ValueState {
        ValueState::of_word(self.get(VALUE_STATE))
    }

    /// Stores the state of the value, unless the value is known already.
    pub fn set_value_state(self, state: ValueState) {
        let unless_known = |old: u32| {
            let is_known = matches!(ValueState::of_word(old), ValueState::Known(_));
            (!is_known).then_some(state.to_word())
        };
        // Compare-and-swap, so that no thread replaces a value that another has just found.
        let _ = self.0[VALUE_STATE].fetch_update(Ordering::AcqRel, Ordering::Acquire, unless_known);
    }

    /// The address of the list of a player's options, if computed.
    #[inline]
    pub fn options(self, player: Player) -> Option<u32> {
        Some(self.get(OPTIONS + player as usize)).filter(|&list| list != 0)
    }

    pub fn set_options(self, player: Player, list: u32) {
        self.set(OPTIONS + player as usize, list);
    }

    /// The component with the players exchanged, if computed.
    #[inline]
    pub fn negative(self) -> Option<ComponentId> {
        Some(ComponentId(self.get(NEGATIVE))).filter(|id| id.0 != 0)
    }

    pub fn set_negative(self, negative: ComponentId) {
        self.set(NEGATIVE, negative.0);
    }

    /// Marks the component as looked up in the databases; returns true if it was marked before.
    pub fn mark_queried(self) -> bool {
        self.get(KIND) & QUERIED != 0
            || self.0[KIND].fetch_or(QUERIED, Ordering::AcqRel) & QUERIED != 0
    }

    /// Returns true if a database has an entry for the component, but not its value.
    pub fn is_listed(self) -> bool {
        self.get(KIND) & LISTED != 0
    }

    pub fn mark_listed(self) {
        self.0[KIND].fetch_or(LISTED, Ordering::AcqRel);
    }

    /// The nim value, if it is known.
    #[inline]
    pub fn nim(self) -> Option<u64> {
        u64::from(self.get(NIM)).checked_sub(1)
    }

    /// Stores the nim value, if it fits into the word.
    pub fn set_nim(self, nim: u64) {
        if let Ok(word) = u32::try_from(nim.saturating_add(1)) {
            self.set(NIM, word);
        }
    }

    /// The words of its note, see [`super::notes`].
    #[inline]
    pub fn note(self) -> &'a [AtomicU32] {
        &self.0[NOTE..SIZE]
    }

    /// Writes the position into a buffer.
    pub fn position(self, into: &mut Vec<u8>) {
        let length = self.get(LENGTH) as usize;
        into.clear();
        for word in &self.0[POSITION..POSITION + length.div_ceil(4)] {
            into.extend_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        into.truncate(length);
    }

    fn is(self, kind: Kind, position: &[u8]) -> bool {
        self.get(LENGTH) as usize == position.len()
            && self.kind() == kind
            && packed(position)
                .zip(&self.0[POSITION..])
                .all(|(bytes, word)| word.load(Ordering::Relaxed) == bytes)
    }
}

/// All components.
#[derive(Default)]
pub(crate) struct Components {
    records: Pages<AtomicU32>,
    index: Index,
}

impl Components {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn bytes_used(&self) -> usize {
        self.records.bytes_used() + self.index.bytes_used()
    }

    /// All components, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = ComponentId> {
        self.index.ids().into_iter().map(ComponentId)
    }

    #[inline]
    pub fn get(&self, id: ComponentId) -> Component<'_> {
        Component(self.records.get(id.0))
    }

    /// The id of a normalised position, which is added if it is new.
    pub fn intern(&self, kind: Kind, position: &[u8]) -> Result<ComponentId, GaveUp> {
        let id = self.index.find_or_insert(
            hash_of(kind, position),
            |id| self.get(ComponentId(id)).is(kind, position),
            || self.add(kind, position),
        );
        id.map(ComponentId)
    }

    fn add(&self, kind: Kind, position: &[u8]) -> Result<u32, GaveUp> {
        let length = u32::try_from(position.len()).map_err(|_| GaveUp::Bytes)?;
        let words = POSITION + position.len().div_ceil(4);
        let (id, words) = self.records.reserve(words)?;
        let new = Component(words);
        let size = kind.rules().size(position);
        new.set(SIZE, u32::try_from(size).unwrap_or(u32::MAX));
        new.set(KIND, u32::from(kind.code()));
        new.set(LENGTH, length);
        for (word, bytes) in new.0[POSITION..].iter().zip(packed(position)) {
            word.store(bytes, Ordering::Relaxed);
        }
        Ok(id)
    }
}

/// Packs four bytes into a word.
fn packed(position: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let (whole, rest) = position.as_chunks::<4>();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(last);
    whole.iter().copied().chain(last).map(u32::from_le_bytes)
}

fn hash_of(kind: Kind, position: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    hasher.write(position);
    (hasher.finish() >> 32) as u32
}
