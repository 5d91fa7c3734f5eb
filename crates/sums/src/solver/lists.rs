//! The options of components and values, each a list of items.

use super::GaveUp;
use super::components::Item;
use super::pages::Pages;
use std::sync::atomic::{AtomicU32, Ordering};

/// The options of all: of each how many, then the items of every option with their number before.
pub(crate) struct Lists {
    words: Pages<AtomicU32>,
    /// Most lists are empty: these are one.
    empty: u32,
}

impl Default for Lists {
    fn default() -> Lists {
        let words = Pages::default();
        let empty = words.reserve(1).unwrap_or_default();
        Lists { words, empty }
    }
}

/// One option: in which list, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OptionAt {
    list: u32,
    offset: u32,
}

/// The options of a list that were not seen yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    next: OptionAt,
    left: u32,
}

impl Options {
    /// How many there are.
    pub fn len(self) -> u32 {
        self.left
    }
}

impl Lists {
    pub fn bytes_used(&self) -> usize {
        self.words.bytes_used()
    }

    /// The options of a list.
    #[inline]
    pub fn options(&self, list: u32) -> Options {
        Options {
            next: OptionAt { list, offset: 1 },
            left: self.words.at(list)[0].load(Ordering::Relaxed),
        }
    }

    /// Takes the next option.
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
        let words = &self.words.at(option.list)[option.offset as usize..];
        let length = words[0].load(Ordering::Relaxed) as usize;
        let words = words[1..=length].iter();
        words.map(|word| Item(word.load(Ordering::Relaxed)))
    }

    /// Keeps options, each once, and tells where they are listed.
    pub fn keep(&self, options: &mut Draft) -> Result<u32, GaveUp> {
        options.sort();
        let (mut count, mut length) = (0, 1);
        for option in options.each_once() {
            count += 1;
            length += 1 + option.len();
        }
        if count == 0 {
            return Ok(self.empty);
        }
        let list = self.words.reserve(length)?;
        let mut words = self.words.at(list).iter();
        let mut write = |number: u32| {
            if let Some(word) = words.next() {
                word.store(number, Ordering::Relaxed);
            }
        };
        write(count);
        for option in options.each_once() {
            write(option.len() as u32);
            option.iter().for_each(|item| write(item.0));
        }
        Ok(list)
    }
}

/// Options that are being gathered.
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

    fn sort(&mut self) {
        let items = &self.items;
        self.ranges
            .sort_unstable_by_key(|&(start, end)| &items[start as usize..end as usize]);
    }

    /// The options without repetitions, once they are sorted.
    fn each_once(&self) -> impl Iterator<Item = &[Item]> {
        let list = |&(start, end): &(u32, u32)| &self.items[start as usize..end as usize];
        let new = move |at: usize| at == 0 || list(&self.ranges[at - 1]) != list(&self.ranges[at]);
        (0..self.ranges.len())
            .filter(move |&at| new(at))
            .map(move |at| list(&self.ranges[at]))
    }
}
