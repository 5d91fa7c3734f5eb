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
mod plan;

use outline::Outlines;
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

impl Plan {
    /// Lays out the items; `size` returns the size of each.
    pub fn lay_out(&self, options: Options, mut size: impl FnMut(&Item) -> Size) -> Picture {
        let not_negative = |size: Size| Size::new(size.along.max(0.0), size.across.max(0.0));
        let sizes: Vec<_> = self
            .items()
            .iter()
            .map(|item| not_negative(size(item)))
            .collect();
        let along = self.along(&options, &sizes);
        let offsets = self.offsets(&options, &sizes, &along);
        self.picture(&sizes, &along, &offsets)
    }

    /// The start of each item along the tree.
    fn along(&self, options: &Options, sizes: &[Size]) -> Vec<f64> {
        match options.levels {
            Levels::Packed => self.packed(options, sizes),
            Levels::Columns => self.columns(options, sizes),
        }
    }

    fn packed(&self, options: &Options, sizes: &[Size]) -> Vec<f64> {
        let mut along = vec![0.0; sizes.len()];
        for (i, item) in self.items().iter().enumerate() {
            if let Some(parent) = item.parent {
                along[i] = along[parent] + sizes[parent].along + options.gap.along;
            }
        }
        along
    }

    fn columns(&self, options: &Options, sizes: &[Size]) -> Vec<f64> {
        let mut widths: Vec<f64> = Vec::new();
        for (item, size) in self.items().iter().zip(sizes) {
            let ply = item.ply as usize;
            widths.resize(widths.len().max(ply + 1), 0.0);
            widths[ply] = widths[ply].max(size.along);
        }
        let starts: Vec<f64> = widths
            .iter()
            .scan(0.0, |end, width| {
                let start = *end;
                *end += width + options.gap.along;
                Some(start)
            })
            .collect();
        self.items()
            .iter()
            .map(|item| starts[item.ply as usize])
            .collect()
    }

    /// The distance across of each item from its parent. Subtrees are combined from the leaves up,
    /// each touching the outline of its earlier siblings.
    fn offsets(&self, options: &Options, sizes: &[Size], along: &[f64]) -> Vec<f64> {
        let ends = along
            .iter()
            .zip(sizes)
            .map(|(along, size)| along + size.along);
        let mut outlines = Outlines::new(ends.collect());
        let mut offsets = vec![0.0; sizes.len()];
        let family = self.family();
        for top in (0..sizes.len()).rev() {
            let mut outline = None;
            let mut last = 0.0;
            for child in family.children(top) {
                (outline, last) = outlines.put_beside(outline, child, options.gap.across);
                offsets[child] = last;
            }
            let anchor = match options.align {
                Align::Centre if !self.items()[top].mainline => last / 2.0,
                _ => 0.0,
            };
            family
                .children(top)
                .for_each(|child| offsets[child] -= anchor);
            outlines.put_on_top(outline, top, sizes[top].across, anchor);
        }
        offsets
    }

    fn picture(&self, sizes: &[Size], along: &[f64], offsets: &[f64]) -> Picture {
        let mut across: Vec<f64> = Vec::with_capacity(sizes.len());
        for (item, offset) in self.items().iter().zip(offsets) {
            across.push(offset + item.parent.map_or(0.0, |parent| across[parent]));
        }
        let edges = || across.iter().zip(sizes);
        let top = edges()
            .map(|(at, size)| at - size.across / 2.0)
            .fold(f64::MAX, f64::min);
        let bottom = edges()
            .map(|(at, size)| at + size.across / 2.0)
            .fold(f64::MIN, f64::max);
        let end = along
            .iter()
            .zip(sizes)
            .map(|(at, size)| at + size.along)
            .fold(0.0, f64::max);
        let place = |(i, item): (usize, &Item)| Placed {
            content: item.content,
            parent: item.parent,
            along: along[i],
            across: across[i] - top,
            size: sizes[i],
        };
        Picture {
            items: self.items().iter().enumerate().map(place).collect(),
            size: Size::new(end, bottom - top),
        }
    }
}
