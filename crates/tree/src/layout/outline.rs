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

/// The link from one item of a side to the next.
#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    further: f64,
}

const LAST: Link = Link {
    next: NONE,
    further: 0.0,
};

/// The outlines of all subtrees.
pub(super) struct Outlines {
    /// The end of each item along the tree.
    ends: Vec<f64>,
    before: Vec<Link>,
    after: Vec<Link>,
    /// The outline of the subtree at each item, once computed.
    whole: Vec<Option<Outline>>,
}

/// A position on a side.
#[derive(Clone, Copy)]
struct Cursor {
    item: u32,
    across: f64,
}

impl Cursor {
    fn advance(&mut self, links: &[Link]) {
        let link = links[self.item as usize];
        self.item = link.next;
        self.across += link.further;
    }
}

impl Outlines {
    pub(super) fn new(ends: Vec<f64>) -> Outlines {
        let count = ends.len();
        Outlines {
            ends,
            before: vec![LAST; count],
            after: vec![LAST; count],
            whole: vec![None; count],
        }
    }

    /// Places the subtree at `child` after its earlier siblings. Returns the combined outline and
    /// the distance of the child from the first sibling.
    pub(super) fn put_beside(
        &mut self,
        others: Option<Outline>,
        child: usize,
        gap: f64,
    ) -> (Option<Outline>, f64) {
        let new = self.whole[child];
        let (Some(mut all), Some(new)) = (others, new) else {
            return (others.or(new), 0.0);
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
        (Some(all), shift)
    }

    /// Adds an item before its children's outline, `anchor` away from the first child.
    pub(super) fn put_on_top(
        &mut self,
        below: Option<Outline>,
        top: usize,
        across: f64,
        anchor: f64,
    ) {
        let own = |links: &mut [Link], at: f64, side: Option<Flank>| {
            let own = Flank {
                head: top as u32,
                head_across: at,
                tail: top as u32,
                tail_across: at,
            };
            let Some(side) = side.map(|side| side.shifted(-anchor)) else {
                return own;
            };
            links[top] = Link {
                next: side.head,
                further: side.head_across - at,
            };
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
        self.whole[top] = Some(Outline { before, after });
    }

    fn end(&self, item: u32) -> f64 {
        self.ends[item as usize]
    }
}

fn cursor(side: Flank) -> Cursor {
    Cursor {
        item: side.head,
        across: side.head_across,
    }
}

/// Continues a side with the rest of another.
fn append(links: &mut [Link], side: &mut Flank, rest: Cursor, other: Flank) {
    links[side.tail as usize] = Link {
        next: rest.item,
        further: rest.across - side.tail_across,
    };
    side.tail = other.tail;
    side.tail_across = other.tail_across;
}
