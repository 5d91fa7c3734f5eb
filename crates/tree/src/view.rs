//! A view: the alternative shown first at each node, without changing the tree.

use std::collections::HashMap;

use crate::{NodeId, Remap, Tree};

/// Temporary promotions: the children chosen for display.
///
/// Choices are stored by node, so a subtree shows the same line again after the user left it and
/// came back. A choice whose child was detached is ignored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    chosen: HashMap<NodeId, NodeId>,
}

impl View {
    /// A view without promotions: the order of the tree.
    pub fn new() -> View {
        View::default()
    }

    /// Shows this child first among its siblings.
    pub fn choose<M>(&mut self, tree: &Tree<M>, child: NodeId) {
        let Some(parent) = tree.parent(child) else {
            return;
        };
        if tree.is_locally_mainline(child) {
            self.chosen.remove(&parent);
        } else {
            self.chosen.insert(parent, child);
        }
    }

    /// Chooses every node on the path, so that the displayed line leads to this node.
    pub fn show<M>(&mut self, tree: &Tree<M>, node: NodeId) {
        for above in tree.ancestors(node) {
            self.choose(tree, above);
        }
    }

    /// Removes all promotions.
    pub fn reset(&mut self) {
        self.chosen.clear();
    }

    /// The child shown as the continuation.
    #[inline]
    pub fn next<M>(&self, tree: &Tree<M>, node: NodeId) -> Option<NodeId> {
        self.promoted(tree, node).or_else(|| tree.next(node))
    }

    /// The displayed line from `start` to a terminal node.
    pub fn line<M>(&self, tree: &Tree<M>, start: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(start), |&node| self.next(tree, node))
    }

    /// True if the node is shown first although it is not the primary child.
    pub fn is_promoted<M>(&self, tree: &Tree<M>, node: NodeId) -> bool {
        let parent = tree.parent(node);
        parent.is_some_and(|parent| self.promoted(tree, parent) == Some(node))
    }

    /// The children in display order, each with its index in the tree: the chosen one, then the
    /// others in tree order.
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

    /// The same view after the tree was compacted.
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
