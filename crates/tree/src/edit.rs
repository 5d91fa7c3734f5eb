//! Edits: each is a list of small steps that can be taken back and taken again.
//!
//! A step lifts one subtree from its place and puts it in another; "nowhere" is a place too, so
//! adding, removing and reordering are the same thing. Removed nodes stay in the arena with their
//! handles, and undoing is exact. [`Tree::compact`] is what finally forgets them.

use std::collections::HashMap;

use crate::{NodeId, Tree};

/// Where a node hangs: under `parent`, after that sibling, or first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The node it is a child of.
    pub parent: NodeId,
    /// The sibling before it; none if it is the primary child.
    pub after: Option<NodeId>,
}

/// One subtree lifted from one place to another; no place means detached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The top of the subtree.
    pub node: NodeId,
    /// Where it hung.
    pub from: Option<Place>,
    /// Where it hangs now.
    pub to: Option<Place>,
}

/// What was done to a tree, so that it can be [undone](Edit::inverse) and done again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Edit {
    pub(crate) steps: Vec<Step>,
}

impl Edit {
    /// The steps in the order they were taken.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// True if nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The edit that takes this one back.
    pub fn inverse(&self) -> Edit {
        let steps = self.steps.iter().rev().map(|step| step.inverse()).collect();
        Edit { steps }
    }

    /// This edit and then the other, as one.
    pub fn then(mut self, other: Edit) -> Edit {
        self.steps.extend(other.steps);
        self
    }

    fn of(step: Step) -> Edit {
        Edit { steps: vec![step] }
    }
}

impl Step {
    fn inverse(self) -> Step {
        Step {
            node: self.node,
            from: self.to,
            to: self.from,
        }
    }

    /// Only hanging a subtree under another parent can close a circle.
    fn changes_parent(&self) -> bool {
        let parent = |place: Place| place.parent;
        self.to.is_some() && self.from.map(parent) != self.to.map(parent)
    }
}

/// The edit was made for a tree in another state; nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stale;

impl std::fmt::Display for Stale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this edit does not fit the tree as it is now")
    }
}

impl std::error::Error for Stale {}

/// A line that was added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedLine {
    /// The node after the line's last move.
    pub end: NodeId,
    /// The first node that was not there before; none if the whole line was.
    pub first_new: Option<NodeId>,
    /// What was done.
    pub edit: Edit,
}

/// Doing, undoing, redoing.
impl<M> Tree<M> {
    /// Takes the steps of an edit: `tree.apply(&edit.inverse())` undoes, `tree.apply(&edit)` redoes.
    pub fn apply(&mut self, edit: &Edit) -> Result<(), Stale> {
        for (taken, &step) in edit.steps.iter().enumerate() {
            if self.take(step).is_err() {
                self.take_back(&edit.steps[..taken]);
                return Err(Stale);
            }
        }
        if self.closes_a_circle(edit) {
            self.take_back(&edit.steps);
            return Err(Stale);
        }
        Ok(())
    }

    /// The edit by which this node came where it is now, as if it had just been added.
    pub fn addition(&self, node: NodeId) -> Edit {
        let to = self.place(node);
        let step = Step {
            node,
            from: None,
            to,
        };
        Edit {
            steps: to.map(|_| step).into_iter().collect(),
        }
    }

    /// Where the node hangs; none for the root and for a detached node.
    pub fn place(&self, node: NodeId) -> Option<Place> {
        let parent = self.parent(node)?;
        let after = self.previous_sibling(node);
        Some(Place { parent, after })
    }

    fn take(&mut self, step: Step) -> Result<(), Stale> {
        if !self.contains(step.node) || !self.hangs_at(step.node, step.from) {
            return Err(Stale);
        }
        self.lift(step.node, step.from);
        if !self.has_room_at(step.node, step.to) {
            self.put(step.node, step.from);
            return Err(Stale);
        }
        self.put(step.node, step.to);
        Ok(())
    }

    fn take_back(&mut self, steps: &[Step]) {
        for step in steps.iter().rev() {
            self.lift(step.node, step.to);
            self.put(step.node, step.from);
        }
    }

    /// Takes a step that is known to fit and returns it.
    pub(crate) fn step(&mut self, node: NodeId, from: Option<Place>, to: Option<Place>) -> Step {
        self.lift(node, from);
        self.put(node, to);
        Step { node, from, to }
    }

    fn lift(&mut self, node: NodeId, from: Option<Place>) {
        if let Some(place) = from {
            self.unlink(node, place.parent, place.after);
        }
    }

    fn put(&mut self, node: NodeId, to: Option<Place>) {
        if let Some(place) = to {
            self.link(node, place.parent, place.after);
        }
    }

    fn hangs_at(&self, node: NodeId, place: Option<Place>) -> bool {
        let Some(Place { parent, after }) = place else {
            return self.parent(node).is_none() && node != NodeId::ROOT;
        };
        self.parent(node) == Some(parent)
            && match after {
                None => self.next(parent) == Some(node),
                Some(after) => self.contains(after) && self.next_sibling(after) == Some(node),
            }
    }

    fn has_room_at(&self, node: NodeId, place: Option<Place>) -> bool {
        place.is_none_or(|Place { parent, after }| {
            self.contains(parent)
                && parent != node
                && after
                    .is_none_or(|after| self.contains(after) && self.parent(after) == Some(parent))
        })
    }

    /// Climbs from every new parent, each part of the way once.
    fn closes_a_circle(&self, edit: &Edit) -> bool {
        let mut seen: HashMap<NodeId, usize> = HashMap::new();
        let climbs = edit.steps.iter().filter(|step| step.changes_parent());
        for (climb, step) in climbs.enumerate() {
            let mut at = Some(step.node);
            while let Some(node) = at {
                match seen.insert(node, climb) {
                    Some(earlier) if earlier == climb => return true,
                    Some(_) => break,
                    None => at = self.parent(node),
                }
            }
        }
        false
    }
}

/// Adding.
impl<M> Tree<M> {
    /// Adds a child before all others: the new primary move. O(1).
    pub fn add_primary(&mut self, parent: NodeId, mv: M) -> NodeId {
        let node = self.add_detached(mv);
        self.link(node, parent, None);
        node
    }

    /// Adds a child as number `index`, or as the last if there are fewer.
    pub fn insert_child(&mut self, parent: NodeId, index: usize, mv: M) -> NodeId {
        let after = self.children(parent).take(index).last();
        let node = self.add_detached(mv);
        self.link(node, parent, after);
        node
    }

    /// Adds these moves one after the other; a move that is there already is followed.
    pub fn add_line(&mut self, start: NodeId, moves: impl IntoIterator<Item = M>) -> AddedLine
    where
        M: PartialEq,
    {
        let (mut end, mut first_new, mut edit) = (start, None, Edit::default());
        for mv in moves {
            if let Some(child) = self.child_by(end, |other| *other == mv) {
                end = child;
                continue;
            }
            end = self.add_child(end, mv);
            if first_new.is_none() {
                first_new = Some(end);
                edit = self.addition(end);
            }
        }
        AddedLine {
            end,
            first_new,
            edit,
        }
    }
}

/// Removing.
impl<M> Tree<M> {
    /// Takes the node and all below it off the tree. Their handles stay valid, and
    /// [`attach`](Tree::attach) or undoing hangs them back. The root stays where it is.
    pub fn detach(&mut self, node: NodeId) -> Edit {
        match self.place(node) {
            Some(place) => Edit::of(self.step(node, Some(place), None)),
            None => Edit::default(),
        }
    }

    /// Hangs a detached subtree under `parent` as child number `index`, or last. It is refused for
    /// a node that is not detached, and below itself.
    pub fn attach(&mut self, node: NodeId, parent: NodeId, index: usize) -> Result<Edit, Stale> {
        let after = self.children(parent).take(index).last();
        let edit = Edit::of(Step {
            node,
            from: None,
            to: Some(Place { parent, after }),
        });
        self.apply(&edit)?;
        Ok(edit)
    }

    /// Removes everything but the line through this node to the end of its local mainline.
    pub fn keep_line(&mut self, node: NodeId) -> Edit {
        self.keep_through(self.end(node))
    }

    /// Removes everything but the path to this node and what lies below it.
    pub fn keep_through(&mut self, node: NodeId) -> Edit {
        let mut edit = Edit::default();
        for kept in self.line(node).into_iter().skip(1) {
            self.detach_siblings(kept, &mut edit);
        }
        edit
    }

    fn detach_siblings(&mut self, kept: NodeId, edit: &mut Edit) {
        let Some(parent) = self.parent(kept) else {
            return;
        };
        let siblings: Vec<_> = self.children(parent).collect();
        let mut after = None;
        for sibling in siblings {
            if sibling == kept {
                after = Some(kept);
            } else {
                let place = Place { parent, after };
                edit.steps.push(self.step(sibling, Some(place), None));
            }
        }
    }
}

/// Reordering.
impl<M> Tree<M> {
    /// Moves the node one place towards the primary move.
    pub fn promote(&mut self, node: NodeId) -> Edit {
        match self.previous_sibling(node) {
            Some(before) => self.reorder(node, self.previous_sibling(before)),
            None => Edit::default(),
        }
    }

    /// Moves the node one place away from the primary move.
    pub fn demote(&mut self, node: NodeId) -> Edit {
        match self.next_sibling(node) {
            Some(next) => self.reorder(node, Some(next)),
            None => Edit::default(),
        }
    }

    /// Makes the node the primary child of its parent.
    pub fn make_first(&mut self, node: NodeId) -> Edit {
        if self.is_locally_mainline(node) {
            return Edit::default();
        }
        self.reorder(node, None)
    }

    /// Makes every move on the path to the node primary, so that the mainline leads to it.
    pub fn promote_to_mainline(&mut self, node: NodeId) -> Edit {
        self.line(node)
            .into_iter()
            .map(|above| self.make_first(above))
            .fold(Edit::default(), Edit::then)
    }

    fn reorder(&mut self, node: NodeId, after: Option<NodeId>) -> Edit {
        let Some(from) = self.place(node) else {
            return Edit::default();
        };
        let to = Place {
            parent: from.parent,
            after,
        };
        Edit::of(self.step(node, Some(from), Some(to)))
    }
}
