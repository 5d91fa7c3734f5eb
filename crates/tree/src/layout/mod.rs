//! The tidy layout: where to draw each node, in linear time and without recursion.
//!
//! The tree grows *along* one axis, from a node to its children, and siblings lie side by side
//! *across* it, in order. Which axis is horizontal is for the one who draws to say. Lines are
//! straight: a primary child lies on its parent's level, so the mainline is one straight line.
//! Subtrees are moved together until their outlines touch, so nodes may have any sizes. Between
//! the end of a node and the beginning of its children there is free way for the edges.
//!
//! ```
//! use tree::layout::{Options, Plan, Size};
//! use tree::{NodeId, Tree};
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
pub use plan::{Item, Plan, What};

/// How far something extends in both directions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    /// In the direction in which the tree grows.
    pub along: f64,
    /// In the direction in which siblings are ranged.
    pub across: f64,
}

impl Size {
    /// A size.
    pub fn new(along: f64, across: f64) -> Size {
        Size { along, across }
    }
}

/// Where a node with several children lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Align {
    /// On the level of its primary child: every line is straight.
    #[default]
    Primary,
    /// Amid its children; but the mainline is straight.
    Centre,
}

/// How far along the tree a node lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Levels {
    /// All nodes of one ply begin at the same place.
    #[default]
    Columns,
    /// Each node begins where its parent ends.
    Packed,
}

/// How to lay out a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Where a node with several children lies.
    pub align: Align,
    /// How far along the tree a node lies.
    pub levels: Levels,
    /// The free space between a node and its children, and between neighbours.
    pub gap: Size,
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

/// Something at its place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placed {
    /// What to draw.
    pub what: What,
    /// The index of the item it hangs on.
    pub parent: Option<usize>,
    /// Where it begins in the direction in which the tree grows.
    pub along: f64,
    /// Where its middle lies in the other direction.
    pub across: f64,
    /// How large it is.
    pub size: Size,
}

/// A tree laid out.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The nodes and fold marks in preorder.
    pub items: Vec<Placed>,
    /// The room that all of it takes; it begins at zero.
    pub size: Size,
}

impl Plan {
    /// Lays out the items; `size` says how large each is to be drawn.
    pub fn lay_out(&self, options: Options, mut size: impl FnMut(&Item) -> Size) -> Picture {
        let no_less_than_nothing =
            |size: Size| Size::new(size.along.max(0.0), size.across.max(0.0));
        let sizes: Vec<_> = self
            .items()
            .iter()
            .map(|item| no_less_than_nothing(size(item)))
            .collect();
        let along = self.along(&options, &sizes);
        let offsets = self.offsets(&options, &sizes, &along);
        self.picture(&sizes, &along, &offsets)
    }

    /// Where each item begins, from the root on.
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

    /// How far across each item lies from its parent: subtrees are put together from the leaves
    /// on, each touching the outline of those before it.
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
            what: item.what,
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
