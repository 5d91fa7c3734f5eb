//! Components, interned: each normalised position is known once, by a small number.

use crate::game::Kind;
use crate::value::{Player, Value};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Places are numbered in 32 bits; some are left for what is being added.
pub(super) const MOST_PLACES: usize = u32::MAX as usize - (1 << 27);

/// Things are numbered in 31 bits, beside which one bit says something else.
pub(super) const MOST_IDS: usize = (1 << 31) - (1 << 26);

/// A component by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ComponentId(pub u32);

/// One term of a sum: a component that is searched, or a value that is known.
///
/// The order of items is arbitrary but fixed, so that a sum has one way to be written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Item(pub u32);

/// What an [`Item`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    /// A position that is searched.
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

/// What is known about the value of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Worth {
    /// Not tried yet.
    Unknown,
    /// It took more than this many steps.
    Above(u32),
    /// The canonical form.
    Known(Value),
}

/// One component and what is known about it.
pub(crate) struct Component {
    pub kind: Kind,
    start: u32,
    length: u32,
    pub size: u32,
    pub worth: Worth,
    /// Databases were asked about it.
    pub asked: bool,
    /// They know something, but not its value.
    pub listed: bool,
    /// The component with the players exchanged, once somebody asked.
    pub negative: Option<ComponentId>,
    options: [Option<(u32, u32)>; 2],
}

/// Lists of items, one after the other.
#[derive(Default)]
pub(crate) struct Lists {
    items: Vec<Item>,
    ranges: Vec<(u32, u32)>,
}

impl Lists {
    pub fn clear(&mut self) {
        self.items.clear();
        self.ranges.clear();
    }

    pub fn push(&mut self, list: &[Item]) {
        let start = self.items.len() as u32;
        self.items.extend_from_slice(list);
        self.ranges.push((start, self.items.len() as u32));
    }

    fn sort(&mut self) {
        let items = &self.items;
        self.ranges
            .sort_unstable_by_key(|&(start, end)| &items[start as usize..end as usize]);
    }

    /// The lists without repetitions, once they are sorted.
    fn each_once(&self) -> impl Iterator<Item = &[Item]> {
        let list = |&(start, end): &(u32, u32)| &self.items[start as usize..end as usize];
        let new = move |at: usize| at == 0 || list(&self.ranges[at - 1]) != list(&self.ranges[at]);
        (0..self.ranges.len())
            .filter(move |&at| new(at))
            .map(move |at| list(&self.ranges[at]))
    }
}

/// All components met so far.
#[derive(Default)]
pub(crate) struct Components {
    bytes: Vec<u8>,
    list: Vec<Component>,
    index: HashTable<Entry>,
    /// The options of all components: where the items of each begin; they end where the next begins.
    option_starts: Vec<u32>,
    option_items: Vec<Item>,
}

impl Components {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn bytes_used(&self) -> usize {
        self.bytes.capacity()
            + self.list.capacity() * size_of::<Component>()
            + self.index.capacity() * 9
            + self.option_starts.capacity() * 4
            + self.option_items.capacity() * 4
    }

    /// There is hardly a number left for anything new.
    #[inline]
    pub fn is_full(&self) -> bool {
        let longest = self.bytes.len().max(self.option_items.len());
        longest >= MOST_PLACES || self.list.len() >= MOST_IDS
    }

    #[inline]
    pub fn get(&self, id: ComponentId) -> &Component {
        &self.list[id.0 as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, id: ComponentId) -> &mut Component {
        &mut self.list[id.0 as usize]
    }

    pub fn position(&self, id: ComponentId) -> &[u8] {
        let component = self.get(id);
        &self.bytes[component.start as usize..(component.start + component.length) as usize]
    }

    /// The number of a normalised position; new positions get the next one.
    pub fn intern(&mut self, kind: Kind, position: &[u8]) -> ComponentId {
        let hash = hash_of(kind, position);
        let (list, bytes) = (&self.list, &self.bytes);
        let same = |entry: &Entry| {
            let found = &list[entry.id as usize];
            let at = found.start as usize..(found.start + found.length) as usize;
            entry.hash == hash && found.kind == kind && &bytes[at] == position
        };
        if let Some(entry) = self.index.find(spread(hash), same) {
            return ComponentId(entry.id);
        }
        let id = self.list.len() as u32;
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(position);
        self.list.push(Component {
            kind,
            start,
            length: position.len() as u32,
            size: kind.rules().size(position).min(u32::MAX as usize) as u32,
            worth: Worth::Unknown,
            asked: false,
            listed: false,
            negative: None,
            options: [None; 2],
        });
        self.index
            .insert_unique(spread(hash), Entry { hash, id }, |entry| spread(entry.hash));
        ComponentId(id)
    }

    /// The options of a player as numbers for [`Components::option`], once they are known.
    #[inline]
    pub fn options(&self, id: ComponentId, player: Player) -> Option<Range<u32>> {
        self.get(id).options[player as usize].map(|(start, end)| start..end)
    }

    /// The items of one option.
    #[inline]
    pub fn option(&self, number: u32) -> &[Item] {
        let start = self.option_starts[number as usize] as usize;
        let end = self
            .option_starts
            .get(number as usize + 1)
            .map_or(self.option_items.len(), |&end| end as usize);
        &self.option_items[start..end]
    }

    /// Keeps the options of a player, each once.
    pub fn set_options(&mut self, id: ComponentId, player: Player, options: &mut Lists) {
        let start = self.option_starts.len() as u32;
        options.sort();
        for option in options.each_once() {
            self.option_starts.push(self.option_items.len() as u32);
            self.option_items.extend_from_slice(option);
        }
        let end = self.option_starts.len() as u32;
        self.get_mut(id).options[player as usize] = Some((start, end));
    }

    /// Both players have the same options: keeps them once.
    pub fn share_options(&mut self, id: ComponentId) {
        let component = self.get_mut(id);
        let shared = component.options[0].or(component.options[1]);
        component.options = [shared; 2];
    }
}

/// A number in an index, with its hash: so that neither growing the index nor most of what is not
/// the same needs a look at the thing itself.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub hash: u32,
    pub id: u32,
}

/// The bits of a hash where [`HashTable`] looks for them.
#[inline]
pub(super) fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn hash_of(kind: Kind, position: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    hasher.write(position);
    (hasher.finish() >> 32) as u32
}
