//! Outlines of subtrees, as linked lists of the items that form them.
//!
//! An item belongs to the outline up to where it ends along the tree; a link stores the distance
//! across to the next item. Moving the head therefore moves a whole outline. When two outlines are
//! placed side by side, only the part that becomes hidden is traversed, so every link is traversed
//! once in total.

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
    next: Vec<u32>,
    further: Vec<f64>,
}

impl Links {
    fn new(count: usize) -> Links {
        Links {
            next: vec![NONE; count],
            further: vec![0.0; count],
        }
    }

    fn set(&mut self, item: u32, next: u32, further: f64) {
        self.next[item as usize] = next;
        self.further[item as usize] = further;
    }
}

/// The outlines of subtrees.
pub(super) struct Outlines<F> {
    /// The end of an item along the tree.
    end: F,
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
    fn advance(&mut self, links: &Links) {
        let item = self.item as usize;
        self.item = links.next[item];
        self.across += links.further[item];
    }
}

impl<F: Fn(usize) -> f64> Outlines<F> {
    pub(super) fn new(count: usize, end: F) -> Outlines<F> {
        Outlines {
            end,
            before: Links::new(count),
            after: Links::new(count),
        }
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
                left.advance(&self.after);
            }
            if right_end <= left_end {
                right.advance(&self.before);
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

    /// Adds an item before its children's outline, `anchor` away from the first child.
    pub(super) fn put_on_top(
        &mut self,
        below: Option<Outline>,
        top: usize,
        across: f64,
        anchor: f64,
    ) -> Outline {
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
            links.set(top as u32, side.head, side.head_across - at);
            Flank {
                tail: side.tail,
                tail_across: side.tail_across,
                ..own
            }
        };
        let before = own(
            &mut self.before,
            -across / 2.0,
            below.map(|below| below.before),
        );
        let after = own(
            &mut self.after,
            across / 2.0,
            below.map(|below| below.after),
        );
        Outline { before, after }
    }

    fn end(&self, item: u32) -> f64 {
        (self.end)(item as usize)
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
    links.set(side.tail, rest.item, rest.across - side.tail_across);
    side.tail = other.tail;
    side.tail_across = other.tail_across;
}
