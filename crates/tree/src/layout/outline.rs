//! Outlines of subtrees, as linked lists of the items that form them.
//!
//! An item belongs to the outline up to where it ends along the tree; a link has the distance
//! across to the next item. Moving the head therefore moves a whole outline. When two outlines are
//! placed side by side, only the part that becomes hidden is traversed, so every link is traversed
//! once in total.
//!
//! Most links lead to a child, whose distance is known. Only those from the end of one subtree into
//! another store theirs, so that an item takes few bytes.

use super::places::Sizes;

const NONE: u32 = u32::MAX;

/// One side of a subtree's outline, from its root to its furthest end.
#[derive(Clone, Copy, Debug)]
struct Flank {
    head: u32,
    head_across: f64,
    tail: u32,
    tail_across: f64,
}

impl Flank {
    fn shifted(self, by: f64) -> Flank {
        Flank {
            head_across: self.head_across + by,
            tail_across: self.tail_across + by,
            ..self
        }
    }
}

/// Both sides: `before` faces the earlier siblings, `after` the later ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    before: Flank,
    after: Flank,
}

/// The links from one item of a side to the next.
struct Links {
    /// A child, or [`THREAD`] and the index of a thread; [`NONE`] at the end.
    next: Vec<u32>,
    threads: Vec<Thread>,
}

/// A link from the end of one subtree into another.
struct Thread {
    next: u32,
    further: f64,
}

const THREAD: u32 = 1 << 31;

impl Links {
    fn new(count: usize) -> Links {
        Links {
            next: vec![NONE; count],
            threads: Vec::new(),
        }
    }

    fn set_thread(&mut self, item: u32, next: u32, further: f64) {
        self.next[item as usize] = THREAD + self.threads.len() as u32;
        self.threads.push(Thread { next, further });
    }

    /// The next item and the distance to it; `to_child` is the distance to a child.
    fn follow(&self, item: u32, to_child: impl FnOnce(u32) -> f64) -> (u32, f64) {
        match self.next[item as usize] {
            NONE => (NONE, 0.0),
            child if child < THREAD => (child, to_child(child)),
            thread => {
                let Thread { next, further } = self.threads[(thread - THREAD) as usize];
                (next, further)
            }
        }
    }
}

/// What is known of the items.
pub(super) struct Items<'a, E> {
    /// The end of an item along the tree.
    pub end: E,
    pub sizes: &'a Sizes,
    /// The distance across from the parent, of the items below those on top.
    pub offsets: Vec<f64>,
}

/// The outlines of subtrees.
pub(super) struct Outlines<'a, E> {
    pub items: Items<'a, E>,
    before: Links,
    after: Links,
}

/// A position on a side.
#[derive(Clone, Copy)]
struct Cursor {
    item: u32,
    across: f64,
}

impl Cursor {
    fn moved(self, item: u32, further: f64) -> Cursor {
        Cursor {
            item,
            across: self.across + further,
        }
    }
}

impl<'a, E: Fn(usize) -> f64> Outlines<'a, E> {
    pub(super) fn new(items: Items<'a, E>) -> Outlines<'a, E> {
        let count = items.offsets.len();
        Outlines {
            items,
            before: Links::new(count),
            after: Links::new(count),
        }
    }

    /// The item after one on the side that faces the later siblings.
    fn advance_after(&self, at: &mut Cursor) {
        let half = |item: u32| self.items.half(item);
        let to_child = |child| self.items.offset(child) + half(child) - half(at.item);
        let (next, further) = self.after.follow(at.item, to_child);
        *at = at.moved(next, further);
    }

    /// The same on the side that faces the earlier siblings.
    fn advance_before(&self, at: &mut Cursor) {
        let half = |item: u32| self.items.half(item);
        let to_child = |child| self.items.offset(child) - half(child) + half(at.item);
        let (next, further) = self.before.follow(at.item, to_child);
        *at = at.moved(next, further);
    }

    /// Places a subtree after its earlier siblings. Returns the combined outline and the distance of
    /// the subtree from the first sibling.
    pub(super) fn put_beside(
        &mut self,
        others: Option<Outline>,
        new: Outline,
        gap: f64,
    ) -> (Outline, f64) {
        let Some(mut all) = others else {
            return (new, 0.0);
        };
        // 1. The required distance where both extend, and the rest of the longer one.
        let (mut nearest, mut left, mut right) = (f64::MIN, cursor(all.after), cursor(new.before));
        while left.item != NONE && right.item != NONE {
            nearest = nearest.max(left.across - right.across);
            let (left_end, right_end) = (self.end(left.item), self.end(right.item));
            if left_end <= right_end {
                self.advance_after(&mut left);
            }
            if right_end <= left_end {
                self.advance_before(&mut right);
            }
        }
        let shift = nearest + gap;
        // 2. The new one hides the others up to its end; beyond it, the rest of the longer one shows.
        let old_after = std::mem::replace(&mut all.after, new.after.shifted(shift));
        if left.item != NONE {
            append(&mut self.after, &mut all.after, left, old_after);
        }
        if right.item != NONE {
            right.across += shift;
            append(
                &mut self.before,
                &mut all.before,
                right,
                new.before.shifted(shift),
            );
        }
        (all, shift)
    }

    /// Adds an item before its children's outline, `anchor` away from the first child. The offsets
    /// of the children are known.
    pub(super) fn put_on_top(
        &mut self,
        below: Option<Outline>,
        top: usize,
        anchor: f64,
    ) -> Outline {
        let half = self.items.half(top as u32);
        let own = |links: &mut Links, at: f64, side: Option<Flank>| {
            let own = Flank {
                head: top as u32,
                head_across: at,
                tail: top as u32,
                tail_across: at,
            };
            let Some(side) = side.map(|side| side.shifted(-anchor)) else {
                return own;
            };
            links.next[top] = side.head;
            Flank {
                tail: side.tail,
                tail_across: side.tail_across,
                ..own
            }
        };
        let before = own(&mut self.before, -half, below.map(|below| below.before));
        let after = own(&mut self.after, half, below.map(|below| below.after));
        Outline { before, after }
    }

    fn end(&self, item: u32) -> f64 {
        (self.items.end)(item as usize)
    }
}

impl<E> Items<'_, E> {
    fn half(&self, item: u32) -> f64 {
        self.sizes.get(item as usize).across / 2.0
    }

    fn offset(&self, item: u32) -> f64 {
        self.offsets[item as usize]
    }
}

fn cursor(side: Flank) -> Cursor {
    Cursor {
        item: side.head,
        across: side.head_across,
    }
}

/// Continues a side with the rest of another.
fn append(links: &mut Links, side: &mut Flank, rest: Cursor, other: Flank) {
    links.set_thread(side.tail, rest.item, rest.across - side.tail_across);
    side.tail = other.tail;
    side.tail_across = other.tail_across;
}
