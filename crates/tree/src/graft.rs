//! Combining trees: grafting, merging, merging duplicate siblings.

use std::collections::HashMap;
use std::hash::Hash;

use crate::{Attachment, Edit, EditStep, NodeId, Tree};

impl<M> Tree<M> {
    /// Copies the descendants of `from` in another tree under `at`, after its children. Moves that
    /// exist already are duplicated. Calls `copied(old, new)` for every pair of handles, starting
    /// with `(from, at)`, so that annotations can be copied too.
    pub fn graft(
        &mut self,
        at: NodeId,
        other: &Tree<M>,
        from: NodeId,
        mut copied: impl FnMut(NodeId, NodeId),
    ) -> Edit
    where
        M: Clone,
    {
        let mut edit = Edit::default();
        let mut image = Image::new(other, from, at);
        for old in other.subtree(from) {
            let new = image.of(old);
            copied(old, new);
            for (child, mv) in other.moves_from(old) {
                let copy = self.add_copy(mv.clone(), new, at == new, &mut edit);
                image.set(child, copy);
            }
        }
        edit
    }

    /// Like [`graft`](Tree::graft), but follows moves that exist already instead of duplicating
    /// them; `copied` is called for these nodes as well.
    pub fn merge(
        &mut self,
        at: NodeId,
        other: &Tree<M>,
        from: NodeId,
        mut copied: impl FnMut(NodeId, NodeId),
    ) -> Edit
    where
        M: Clone + Eq + Hash,
    {
        let old_nodes = self.capacity_used();
        let mut edit = Edit::default();
        let mut image = Image::new(other, from, at);
        for old in other.subtree(from) {
            let new = image.of(old);
            copied(old, new);
            let mut known = Known::children(self, new, other.child_count(old));
            for (child, mv) in other.moves_from(old) {
                let copy = known.get(self, new, Some(mv)).unwrap_or_else(|| {
                    let copy = self.add_copy(mv.clone(), new, new.index() < old_nodes, &mut edit);
                    known.add(self, copy);
                    copy
                });
                image.set(child, copy);
            }
        }
        edit
    }

    /// Adds a copied move. It is recorded only under a parent that existed before; deeper nodes are
    /// attached and detached together with it.
    fn add_copy(&mut self, mv: M, parent: NodeId, recorded: bool, edit: &mut Edit) -> NodeId {
        let after = self.last_child(parent);
        let copy = self.add_child(parent, mv);
        if recorded {
            edit.steps.push(EditStep {
                node: copy,
                from: None,
                to: Some(Attachment { parent, after }),
            });
        }
        copy
    }

    /// Merges siblings with equal moves everywhere: the first one is kept and gets the children of
    /// the others. Calls `merged(removed, kept)` for each pair, so that annotations can be merged.
    pub fn merge_duplicates(&mut self, merged: impl FnMut(NodeId, NodeId)) -> Edit
    where
        M: Clone + Eq + Hash,
    {
        self.merge_duplicates_below(NodeId::ROOT, merged)
    }

    /// [`merge_duplicates`](Tree::merge_duplicates) limited to the subtree at `top`.
    pub fn merge_duplicates_below(
        &mut self,
        top: NodeId,
        mut merged: impl FnMut(NodeId, NodeId),
    ) -> Edit
    where
        M: Clone + Eq + Hash,
    {
        let mut edit = Edit::default();
        let mut at = Some(top);
        while let Some(node) = at {
            if self.is_branching(node) {
                self.merge_duplicate_children(node, &mut edit, &mut merged);
            }
            at = self.after_in_preorder(node, top);
        }
        edit
    }

    fn merge_duplicate_children(
        &mut self,
        parent: NodeId,
        edit: &mut Edit,
        merged: &mut impl FnMut(NodeId, NodeId),
    ) where
        M: Clone + Eq + Hash,
    {
        let children: Vec<_> = self
            .moves_from(parent)
            .map(|(child, mv)| (child, mv.clone()))
            .collect();
        let mut firsts: HashMap<M, NodeId> = HashMap::with_capacity(children.len());
        let mut after = None;
        for (child, mv) in children {
            let first = *firsts.entry(mv).or_insert(child);
            if first == child {
                after = Some(child);
                continue;
            }
            let at = Attachment { parent, after };
            edit.steps.push(self.step(child, Some(at), None));
            self.move_children(child, first, edit);
            merged(child, first);
        }
    }

    fn move_children(&mut self, from: NodeId, to: NodeId, edit: &mut Edit) {
        while let Some(child) = self.next(from) {
            let old = Attachment {
                parent: from,
                after: None,
            };
            let new = Attachment {
                parent: to,
                after: self.last_child(to),
            };
            edit.steps.push(self.step(child, Some(old), Some(new)));
        }
    }
}

/// The node of the target tree for each node of the source tree.
struct Image {
    new: Vec<NodeId>,
}

impl Image {
    fn new<M>(other: &Tree<M>, from: NodeId, at: NodeId) -> Image {
        let mut image = Image {
            new: vec![NodeId::ROOT; other.capacity_used()],
        };
        image.set(from, at);
        image
    }

    fn of(&self, old: NodeId) -> NodeId {
        self.new[old.index()]
    }

    fn set(&mut self, old: NodeId, new: NodeId) {
        self.new[old.index()] = new;
    }
}

/// The children of a node by move: scanned if there are few, hashed if there are many.
enum Known<M> {
    Few,
    Many(HashMap<M, NodeId>),
}

impl<M: Clone + Eq + Hash> Known<M> {
    const FEW: usize = 16;

    /// So many moves are found by scanning in no more time than a table takes.
    const FEW_COMING: usize = 2;

    fn children(tree: &Tree<M>, node: NodeId, coming: usize) -> Known<M> {
        // In a large tree, each child that is counted may be a cache miss.
        if coming <= Self::FEW_COMING || tree.child_count(node) + coming <= Self::FEW {
            return Known::Few;
        }
        let mut known = Known::Many(HashMap::new());
        tree.children(node).for_each(|child| known.add(tree, child));
        known
    }

    fn get(&self, tree: &Tree<M>, node: NodeId, mv: Option<&M>) -> Option<NodeId> {
        let mv = mv?;
        match self {
            Known::Few => tree.child_by(node, |other| other == mv),
            Known::Many(map) => map.get(mv).copied(),
        }
    }

    fn add(&mut self, tree: &Tree<M>, child: NodeId) {
        if let (Known::Many(map), Some(mv)) = (self, tree.move_to(child)) {
            map.entry(mv.clone()).or_insert(child);
        }
    }
}
