//! The tidy layout: where to draw each node, in linear time and without recursion.
//!
//! The tree grows *along* one axis, from a node to its children, and siblings are placed side by
//! side *across* it, in order. The caller decides which axis is horizontal. Lines are straight: a
//! primary child is on its parent's level, so the mainline is one straight line. Subtrees are moved
//! together until their outlines touch; nodes may have any sizes. There is free space for the edges
//! between a node and its children.
//!
//! ```
//! use gametree_tree::layout::{Options, Plan, Size};
//! use gametree_tree::{NodeId, Tree};
//!
//! let mut tree = Tree::new();
//! tree.add_line(NodeId::ROOT, ["e4", "e5"]);
//! tree.add_line(NodeId::ROOT, ["d4"]);
//! let picture = Plan::whole(&tree).lay_out(Options::default(), |_| Size::new(4.0, 2.0));
//! let across: Vec<_> = picture.items.iter().map(|item| item.across).collect();
//! assert_eq!(across, [1.0, 1.0, 1.0, 4.0]);
//! ```

mod outline;
mod places;
mod plan;

use outline::{Items, Outline, Outlines};
pub use places::Places;
use places::Sizes;
pub use plan::{Content, Item, Plan};

/// An extent in both directions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    /// The extent in the direction in which the tree grows.
    pub along: f64,
    /// The extent in the direction in which siblings are placed.
    pub across: f64,
}

impl Size {
    /// Returns a size.
    pub fn new(along: f64, across: f64) -> Size {
        Size { along, across }
    }
}

/// The position of a node relative to its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    /// On the level of its primary child: every line is straight.
    #[default]
    Primary,
    /// In the middle of its children; the mainline is straight nevertheless.
    Centre,
}

/// The position of a node along the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Levels {
    /// All nodes of one ply start at the same coordinate.
    #[default]
    Columns,
    /// Each node starts where its parent ends.
    Packed,
}

/// Layout options. Start from [`Options::default`] and change options one by one:
///
/// ```
/// use gametree_tree::layout::{Align, Options, Size};
///
/// let options = Options::default().align(Align::Centre).gap(Size::new(2.0, 1.0));
/// assert_eq!(options.gap.along, 2.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The position of a node relative to its children.
    pub align: Align,
    /// The position of a node along the tree.
    pub levels: Levels,
    /// The free space between a node and its children, and between neighbours.
    pub gap: Size,
}

impl Options {
    /// Sets the position of a node relative to its children.
    pub fn align(mut self, align: Align) -> Options {
        self.align = align;
        self
    }

    /// Sets the position of a node along the tree.
    pub fn levels(mut self, levels: Levels) -> Options {
        self.levels = levels;
        self
    }

    /// Sets the free space between a node and its children, and between neighbours.
    pub fn gap(mut self, gap: Size) -> Options {
        self.gap = gap;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            align: Align::default(),
            levels: Levels::default(),
            gap: Size::new(1.0, 1.0),
        }
    }
}

/// An item with its coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placed {
    /// The node or fold to draw.
    pub content: Content,
    /// The index of the parent item.
    pub parent: Option<usize>,
    /// Where it starts in the direction in which the tree grows.
    pub along: f64,
    /// The coordinate of its middle in the other direction.
    pub across: f64,
    /// Its size.
    pub size: Size,
}

/// The result of a layout.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The nodes and fold marks in preorder.
    pub items: Vec<Placed>,
    /// The size of the whole picture; coordinates start at zero.
    pub size: Size,
}

/// Where items start along the tree.
enum Along {
    /// The start of each column: all items of one ply.
    Columns(Vec<f64>),
    /// The start of each item.
    Items(Vec<f64>),
}

impl Along {
    #[inline]
    fn at(&self, plan: &Plan, index: usize) -> f64 {
        match self {
            Along::Columns(starts) => starts[plan.ply(index)],
            Along::Items(items) => items[index],
        }
    }
}

impl Plan {
    /// Lays out the items; `size` returns the size of each.
    pub fn lay_out(&self, options: Options, size: impl FnMut(&Item) -> Size) -> Picture {
        let (places, along) = self.lay_out_compact(options, size);
        let place = |(index, item): (usize, Item)| Placed {
            content: item.content,
            parent: item.parent,
            along: along.at(self, index),
            across: places.across(index),
            size: places.size(index),
        };
        Picture {
            items: self.items().enumerate().map(place).collect(),
            size: places.whole(),
        }
    }

    /// The same layout in little memory, for trees with millions of nodes: without the places along
    /// the tree.
    pub fn places(&self, options: Options, size: impl FnMut(&Item) -> Size) -> Places {
        self.lay_out_compact(options, size).0
    }

    fn lay_out_compact(
        &self,
        options: Options,
        mut size: impl FnMut(&Item) -> Size,
    ) -> (Places, Along) {
        let mut sizes = Sizes::default();
        for item in self.items() {
            let Size { along, across } = size(&item);
            sizes.push(Size::new(along.max(0.0), across.max(0.0)));
        }
        let along = match options.levels {
            Levels::Packed => self.packed(&options, &sizes),
            Levels::Columns => self.columns(&options, &sizes),
        };
        let offsets = self.offsets(&options, &sizes, &along);
        (self.absolute(sizes, &along, offsets), along)
    }

    fn packed(&self, options: &Options, sizes: &Sizes) -> Along {
        let mut along = vec![0.0; self.len()];
        for index in 0..self.len() {
            if let Some(parent) = self.parent(index) {
                along[index] = along[parent] + sizes.get(parent).along + options.gap.along;
            }
        }
        Along::Items(along)
    }

    fn columns(&self, options: &Options, sizes: &Sizes) -> Along {
        let mut widths: Vec<f64> = Vec::new();
        for (index, ply) in self.plies().enumerate() {
            widths.resize(widths.len().max(ply + 1), 0.0);
            widths[ply] = widths[ply].max(sizes.get(index).along);
        }
        let starts = widths.iter().scan(0.0, |end, width| {
            let start = *end;
            *end += width + options.gap.along;
            Some(start)
        });
        Along::Columns(starts.collect())
    }

    /// The distance across of each item from its parent. Subtrees are combined from the leaves up,
    /// each touching the outline of its earlier siblings.
    fn offsets(&self, options: &Options, sizes: &Sizes, along: &Along) -> Vec<f64> {
        let end = |index: usize| along.at(self, index) + sizes.get(index).along;
        let mut outlines = Outlines::new(Items {
            end,
            sizes,
            offsets: vec![0.0; self.len()],
        });
        // The outlines of subtrees whose parent comes later, which is earlier in preorder. The
        // children of the next item are the last of them, its first child at the end.
        let mut open: Vec<(usize, Outline)> = Vec::new();
        let mut children: Vec<usize> = Vec::new();
        for top in (0..self.len()).rev() {
            children.clear();
            let (mut outline, mut last) = (None, 0.0);
            while let Some((child, own)) = open.pop_if(|(item, _)| self.parent(*item) == Some(top))
            {
                let (all, shift) = outlines.put_beside(outline, own, options.gap.across);
                (outline, last) = (Some(all), shift);
                outlines.items.offsets[child] = shift;
                children.push(child);
            }
            let anchor = match options.align {
                Align::Centre if !self.item(top).mainline => last / 2.0,
                _ => 0.0,
            };
            for &child in &children {
                outlines.items.offsets[child] -= anchor;
            }
            let own = outlines.put_on_top(outline, top, anchor);
            open.push((top, own));
        }
        outlines.items.offsets
    }

    /// Adds up the distances.
    fn absolute(&self, sizes: Sizes, along: &Along, mut across: Vec<f64>) -> Places {
        let (mut top, mut bottom, mut end) = (f64::MAX, f64::MIN, 0.0_f64);
        for index in 0..self.len() {
            across[index] += self.parent(index).map_or(0.0, |parent| across[parent]);
            let (at, size) = (across[index], sizes.get(index));
            top = top.min(at - size.across / 2.0);
            bottom = bottom.max(at + size.across / 2.0);
            end = end.max(along.at(self, index) + size.along);
        }
        across.iter_mut().for_each(|at| *at -= top);
        Places::new(sizes, across, Size::new(end, bottom - top))
    }
}
