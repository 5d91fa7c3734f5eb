//! The coordinates of items, in few bytes for each.

use hashbrown::HashMap;

use super::Size;

/// The sizes of the items of a plan and their places beside one another, by their index.
#[derive(Clone, Debug)]
pub struct Places {
    sizes: Sizes,
    across: Vec<f64>,
    whole: Size,
}

impl Places {
    pub(super) fn new(sizes: Sizes, across: Vec<f64>, whole: Size) -> Places {
        Places {
            sizes,
            across,
            whole,
        }
    }

    /// The number of items.
    #[expect(clippy::len_without_is_empty, reason = "a plan has at least the root")]
    pub fn len(&self) -> usize {
        self.across.len()
    }

    /// The coordinate of the middle of an item, in the direction in which siblings are placed.
    #[inline]
    pub fn across(&self, index: usize) -> f64 {
        self.across[index]
    }

    /// Its size.
    #[inline]
    pub fn size(&self, index: usize) -> Size {
        self.sizes.get(index)
    }

    /// The size of the whole picture; coordinates start at zero.
    pub fn whole(&self) -> Size {
        self.whole
    }
}

/// The sizes of items. Most are equal to others, so each is stored once.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    of: Vec<u32>,
    different: Vec<Size>,
    known: HashMap<[u64; 2], u32>,
}

impl Sizes {
    pub(super) fn push(&mut self, size: Size) {
        let next = self.different.len() as u32;
        let bits = [size.along.to_bits(), size.across.to_bits()];
        let known = *self.known.entry(bits).or_insert(next);
        if known == next {
            self.different.push(size);
        }
        self.of.push(known);
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Size {
        self.different[self.of[index] as usize]
    }
}
