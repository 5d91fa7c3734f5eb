//! The options of components and values, each a list of items.
//!
//! A list is written once, before its address is published with Release (`set_options` of
//! components and of values) and read with Acquire. Its words need no further ordering.

use super::GaveUp;
use super::components::Item;
use super::pages::Pages;
use super::sync::{AtomicU32, Ordering};

/// All lists of options. A list is the number of its options, then for each option the number of
/// its items and the items.
pub(crate) struct Lists {
    words: Pages<AtomicU32>,
    /// The empty list, stored once because most lists are empty.
    empty: u32,
}

impl Default for Lists {
    fn default() -> Lists {
        let words = Pages::default();
        let empty = words.reserve(1).map_or(0, |(place, _)| place);
        Lists { words, empty }
    }
}

/// One option: its list, and its offset in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OptionAt {
    list: u32,
    offset: u32,
}

/// The rest of a list of options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    next: OptionAt,
    left: u32,
}

impl Options {
    /// The number of options.
    pub fn len(self) -> u32 {
        self.left
    }
}

impl Lists {
    pub fn bytes_used(&self) -> usize {
        self.words.bytes_used()
    }

    /// The address of the list without options.
    pub fn empty(&self) -> u32 {
        self.empty
    }

    /// The options of a list.
    #[inline]
    pub fn options(&self, list: u32) -> Options {
        Options {
            next: OptionAt { list, offset: 1 },
            left: self.words.get(list)[0].load(Ordering::Relaxed),
        }
    }

    /// Removes and returns the next option.
    #[inline]
    pub fn next(&self, options: &mut Options) -> Option<OptionAt> {
        options.left = options.left.checked_sub(1)?;
        let option = options.next;
        options.next.offset += 1 + self.items(option).len() as u32;
        Some(option)
    }

    /// The items of one option.
    #[inline]
    pub fn items(&self, option: OptionAt) -> impl ExactSizeIterator<Item = Item> + '_ {
        let words = &self.words.get(option.list)[option.offset as usize..];
        let length = words[0].load(Ordering::Relaxed) as usize;
        let words = words[1..=length].iter();
        words.map(|word| Item(word.load(Ordering::Relaxed)))
    }

    /// Stores the distinct options of a draft, and returns the address of the list.
    pub fn store(&self, options: &mut Draft) -> Result<u32, GaveUp> {
        options.sort();
        let (mut count, mut length) = (0, 1);
        for option in options.distinct() {
            count += 1;
            length += 1 + option.len();
        }
        if count == 0 {
            return Ok(self.empty);
        }
        let (list, words) = self.words.reserve(length)?;
        words[0].store(count, Ordering::Relaxed);
        let mut words = &words[1..];
        for option in options.distinct() {
            words[0].store(option.len() as u32, Ordering::Relaxed);
            for (word, item) in words[1..].iter().zip(option) {
                word.store(item.0, Ordering::Relaxed);
            }
            words = &words[1 + option.len()..];
        }
        Ok(list)
    }
}

/// Options that are being collected.
#[derive(Default)]
pub(crate) struct Draft {
    items: Vec<Item>,
    ranges: Vec<(u32, u32)>,
}

impl Draft {
    pub fn clear(&mut self) {
        self.items.clear();
        self.ranges.clear();
    }

    pub fn push(&mut self, option: &[Item]) {
        let start = self.items.len() as u32;
        self.items.extend_from_slice(option);
        self.ranges.push((start, self.items.len() as u32));
    }

    /// The option that was added last.
    pub fn last(&self) -> &[Item] {
        let last = self.ranges.last();
        last.map_or(&[], |&(start, end)| {
            &self.items[start as usize..end as usize]
        })
    }

    fn sort(&mut self) {
        let items = &self.items;
        self.ranges
            .sort_unstable_by_key(|&(start, end)| &items[start as usize..end as usize]);
    }

    /// The options without repetitions; the draft must be sorted.
    fn distinct(&self) -> impl Iterator<Item = &[Item]> {
        let list = |&(start, end): &(u32, u32)| &self.items[start as usize..end as usize];
        let is_new =
            move |at: usize| at == 0 || list(&self.ranges[at - 1]) != list(&self.ranges[at]);
        (0..self.ranges.len())
            .filter(move |&at| is_new(at))
            .map(move |at| list(&self.ranges[at]))
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::super::notes::Values;
    use super::*;
    use crate::value::{Player, Value};
    use loom::sync::Arc;

    /// Two threads store the same options; whichever list is published, a reader finds all of it.
    #[test]
    fn loom_lists_are_published_whole() {
        loom::model(|| {
            let shared: Arc<(Lists, Values)> = Arc::default();
            // The next list needs a new block, which the threads then share.
            for _ in 0..3 {
                shared.0.words.reserve(1).unwrap();
            }
            let store = |(lists, values): &(Lists, Values)| {
                let mut draft = Draft::default();
                draft.push(&[Item(6)]);
                let list = lists.store(&mut draft).unwrap();
                values.set_options(Value::ZERO, Player::Left, list);
            };
            let other = Arc::clone(&shared);
            let thread = loom::thread::spawn(move || store(&other));
            if let Some(list) = shared.1.options(Value::ZERO, Player::Left) {
                let mut options = shared.0.options(list);
                let option = shared.0.next(&mut options).expect("one option");
                assert!(shared.0.items(option).eq([Item(6)]));
                assert_eq!(shared.0.next(&mut options), None);
            }
            store(&shared);
            thread.join().unwrap();
        });
    }
}
