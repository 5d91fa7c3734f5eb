//! A view: which alternative is shown first at each node, without touching the tree.

use std::collections::HashMap;

use crate::{NodeId, Remap, Tree};

/// Temporary promotions: the children chosen for display.
///
/// Choices are kept by node, so that whoever leaves a subtree and comes back finds the line as it
/// was left. A choice that an edit has taken away counts as none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    chosen: HashMap<NodeId, NodeId>,
}

impl View {
    /// The view in the file's order.
    pub fn new() -> View {
        View::default()
    }

    /// Shows this child first among its siblings.
    pub fn choose<M>(&mut self, tree: &Tree<M>, child: NodeId) {
        let Some(parent) = tree.parent(child) else {
            return;
        };
        match tree.is_locally_mainline(child) {
            true => self.chosen.remove(&parent),
            false => self.chosen.insert(parent, child),
        };
    }

    /// Chooses every move on the path to the node, so that the shown line leads to it.
    pub fn show<M>(&mut self, tree: &Tree<M>, node: NodeId) {
        for above in tree.ancestors(node) {
            self.choose(tree, above);
        }
    }

    /// Back to the file's order everywhere.
    pub fn reset(&mut self) {
        self.chosen.clear();
    }

    /// The child shown as the continuation.
    #[inline]
    pub fn next<M>(&self, tree: &Tree<M>, node: NodeId) -> Option<NodeId> {
        self.promoted(tree, node).or_else(|| tree.next(node))
    }

    /// The line shown: from `start` by shown moves to a terminal node.
    pub fn line<M>(&self, tree: &Tree<M>, start: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(start), |&node| self.next(tree, node))
    }

    /// True if the node is shown first although it is not primary in the file.
    pub fn is_promoted<M>(&self, tree: &Tree<M>, node: NodeId) -> bool {
        let parent = tree.parent(node);
        parent.is_some_and(|parent| self.promoted(tree, parent) == Some(node))
    }

    /// The children as shown, each with its index in the file: the chosen one, then the others in
    /// the file's order.
    pub fn children<M>(
        &self,
        tree: &Tree<M>,
        node: NodeId,
    ) -> impl Iterator<Item = (usize, NodeId)> {
        let first = self.promoted(tree, node);
        let first_choice = first.and_then(|child| tree.choice(child));
        let rest = tree.children(node).enumerate();
        let rest = rest.filter(move |&(_, child)| Some(child) != first);
        first_choice.zip(first).into_iter().chain(rest)
    }

    /// The view of a tree that was compacted.
    pub fn remap(&self, new: &Remap) -> View {
        let pairs = self.chosen.iter();
        let chosen = pairs.filter_map(|(&node, &child)| Some((new.get(node)?, new.get(child)?)));
        View {
            chosen: chosen.collect(),
        }
    }

    fn promoted<M>(&self, tree: &Tree<M>, node: NodeId) -> Option<NodeId> {
        let child = *self.chosen.get(&node)?;
        (tree.parent(child) == Some(node)).then_some(child)
    }
}
