//! Edits: recorded lists of steps that can be undone and redone.
//!
//! A step moves one subtree from one attachment point to another. Either point may be absent, so
//! adding, removing and reordering are the same operation. Removed nodes stay in the arena with
//! their handles, and undo is exact. [`Tree::compact`] frees them.

use std::collections::HashMap;

use crate::{NodeId, Tree};

/// Where a node is attached: under `parent`, after the sibling `after`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attachment {
    /// The parent.
    pub parent: NodeId,
    /// The previous sibling; `None` for the primary child.
    pub after: Option<NodeId>,
}

/// One subtree moved from one attachment to another; `None` means detached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EditStep {
    /// The root of the subtree.
    pub node: NodeId,
    /// Where it was attached before.
    pub from: Option<Attachment>,
    /// Where it is attached now.
    pub to: Option<Attachment>,
}

/// A recorded change of a tree that can be [undone](Edit::inverse) and redone with
/// [`Tree::apply`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Edit {
    pub(crate) steps: Vec<EditStep>,
}

impl Edit {
    /// The steps in order.
    pub fn steps(&self) -> &[EditStep] {
        &self.steps
    }

    /// True if the edit changes nothing.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The edit that undoes this one.
    pub fn inverse(&self) -> Edit {
        let steps = self.steps.iter().rev().map(|step| step.inverse()).collect();
        Edit { steps }
    }

    /// Combines this edit and the next one into one.
    pub fn then(mut self, other: Edit) -> Edit {
        self.steps.extend(other.steps);
        self
    }

    fn of(step: EditStep) -> Edit {
        Edit { steps: vec![step] }
    }
}

impl EditStep {
    fn inverse(self) -> EditStep {
        EditStep {
            node: self.node,
            from: self.to,
            to: self.from,
        }
    }

    /// Only attaching a subtree to another parent can create a cycle.
    fn changes_parent(&self) -> bool {
        let parent = |at: Attachment| at.parent;
        self.to.is_some() && self.from.map(parent) != self.to.map(parent)
    }
}

/// The edit was recorded for another state of the tree; nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stale;

impl std::fmt::Display for Stale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the edit does not apply to the current tree")
    }
}

impl std::error::Error for Stale {}

/// The result of [`Tree::add_line`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedLine {
    /// The node after the line's last move.
    pub end: NodeId,
    /// The first new node; `None` if the whole line existed already.
    pub first_new: Option<NodeId>,
    /// The recorded change.
    pub edit: Edit,
}

/// Undo and redo.
impl<M> Tree<M> {
    /// Applies an edit: `tree.apply(&edit.inverse())` undoes it, `tree.apply(&edit)` redoes it.
    pub fn apply(&mut self, edit: &Edit) -> Result<(), Stale> {
        for (applied, &step) in edit.steps.iter().enumerate() {
            if self.apply_step(step).is_err() {
                self.revert_steps(&edit.steps[..applied]);
                return Err(Stale);
            }
        }
        if self.creates_cycle(edit) {
            self.revert_steps(&edit.steps);
            return Err(Stale);
        }
        Ok(())
    }

    /// The edit that attaches this node where it is now, as if it had just been added.
    pub fn addition(&self, node: NodeId) -> Edit {
        let to = self.attachment(node);
        let step = EditStep {
            node,
            from: None,
            to,
        };
        Edit {
            steps: to.map(|_| step).into_iter().collect(),
        }
    }

    /// Where the node is attached; `None` for the root and for a detached node. O(siblings).
    pub fn attachment(&self, node: NodeId) -> Option<Attachment> {
        let parent = self.parent(node)?;
        let after = self.previous_sibling(node);
        Some(Attachment { parent, after })
    }

    fn apply_step(&mut self, step: EditStep) -> Result<(), Stale> {
        if !self.contains(step.node) || !self.is_attached_at(step.node, step.from) {
            return Err(Stale);
        }
        self.unlink_from(step.node, step.from);
        if !self.can_attach_at(step.node, step.to) {
            self.link_at(step.node, step.from);
            return Err(Stale);
        }
        self.link_at(step.node, step.to);
        Ok(())
    }

    fn revert_steps(&mut self, steps: &[EditStep]) {
        for step in steps.iter().rev() {
            self.unlink_from(step.node, step.to);
            self.link_at(step.node, step.from);
        }
    }

    /// Applies a step that is known to be valid and returns it.
    pub(crate) fn step(
        &mut self,
        node: NodeId,
        from: Option<Attachment>,
        to: Option<Attachment>,
    ) -> EditStep {
        self.unlink_from(node, from);
        self.link_at(node, to);
        EditStep { node, from, to }
    }

    fn unlink_from(&mut self, node: NodeId, from: Option<Attachment>) {
        if let Some(at) = from {
            self.unlink(node, at.parent, at.after);
        }
    }

    fn link_at(&mut self, node: NodeId, to: Option<Attachment>) {
        if let Some(at) = to {
            self.link(node, at.parent, at.after);
        }
    }

    fn is_attached_at(&self, node: NodeId, at: Option<Attachment>) -> bool {
        let Some(Attachment { parent, after }) = at else {
            return self.parent(node).is_none() && node != NodeId::ROOT;
        };
        self.parent(node) == Some(parent)
            && match after {
                None => self.next(parent) == Some(node),
                Some(after) => self.contains(after) && self.next_sibling(after) == Some(node),
            }
    }

    fn can_attach_at(&self, node: NodeId, at: Option<Attachment>) -> bool {
        at.is_none_or(|Attachment { parent, after }| {
            self.contains(parent)
                && parent != node
                && after
                    .is_none_or(|after| self.contains(after) && self.parent(after) == Some(parent))
        })
    }

    /// Climbs from every moved node and stops where an earlier climb passed: linear in total.
    fn creates_cycle(&self, edit: &Edit) -> bool {
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
    /// Adds a child before all others, as the new primary child. O(1).
    pub fn add_primary(&mut self, parent: NodeId, mv: M) -> NodeId {
        let node = self.add_detached(mv);
        self.link(node, parent, None);
        node
    }

    /// Adds a child at `index`, or last if there are fewer children.
    pub fn insert_child(&mut self, parent: NodeId, index: usize, mv: M) -> NodeId {
        let after = self.children(parent).take(index).last();
        let node = self.add_detached(mv);
        self.link(node, parent, after);
        node
    }

    /// Adds a line of moves; moves that exist already are followed. Each move costs a scan of the
    /// children where it is played.
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
            let to = Attachment {
                parent: end,
                after: self.last_child(end),
            };
            end = self.add_child(end, mv);
            if first_new.is_none() {
                first_new = Some(end);
                edit = Edit::of(EditStep {
                    node: end,
                    from: None,
                    to: Some(to),
                });
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
    /// Detaches the node with its subtree. The handles stay valid; [`attach`](Tree::attach) or undo
    /// attaches the subtree again. The root cannot be detached.
    pub fn detach(&mut self, node: NodeId) -> Edit {
        match self.attachment(node) {
            Some(at) => Edit::of(self.step(node, Some(at), None)),
            None => Edit::default(),
        }
    }

    /// Attaches a detached subtree under `parent` at `index`, or last. Fails if the node is not
    /// detached or if `parent` is in the subtree.
    pub fn attach(&mut self, node: NodeId, parent: NodeId, index: usize) -> Result<Edit, Stale> {
        let after = self.children(parent).take(index).last();
        let edit = Edit::of(EditStep {
            node,
            from: None,
            to: Some(Attachment { parent, after }),
        });
        self.apply(&edit)?;
        Ok(edit)
    }

    /// Detaches everything except the line through this node to the end of its local mainline.
    pub fn keep_line(&mut self, node: NodeId) -> Edit {
        self.keep_through(self.end(node))
    }

    /// Detaches everything except the path to this node and its subtree.
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
                let at = Attachment { parent, after };
                edit.steps.push(self.step(sibling, Some(at), None));
            }
        }
    }
}

/// Reordering.
impl<M> Tree<M> {
    /// Moves the node one position up among its siblings, towards the primary child.
    pub fn promote(&mut self, node: NodeId) -> Edit {
        match self.previous_sibling(node) {
            Some(before) => self.reorder(node, self.previous_sibling(before)),
            None => Edit::default(),
        }
    }

    /// Moves the node one position down among its siblings.
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

    /// Makes every node on the path primary, so that the mainline leads to this node.
    pub fn promote_to_mainline(&mut self, node: NodeId) -> Edit {
        self.line(node)
            .into_iter()
            .map(|above| self.make_first(above))
            .fold(Edit::default(), Edit::then)
    }

    /// Sorts the children of a node; those with equal keys stay in order. It is not recorded.
    pub fn sort_children<K: Ord>(&mut self, node: NodeId, key: impl FnMut(&NodeId) -> K) {
        if self.is_branching(node) {
            let mut children: Vec<NodeId> = self.children(node).collect();
            children.sort_by_key(key);
            self.set_ring(node, &children);
        }
    }

    fn reorder(&mut self, node: NodeId, after: Option<NodeId>) -> Edit {
        let Some(from) = self.attachment(node) else {
            return Edit::default();
        };
        let to = Attachment {
            parent: from.parent,
            after,
        };
        Edit::of(self.step(node, Some(from), Some(to)))
    }
}
