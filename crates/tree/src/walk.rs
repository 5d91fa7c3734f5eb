//! Navigation: along a line, over a subtree, from one node to another.

use std::iter::{FusedIterator, successors};

use crate::{NodeId, PositionId, Tree};

impl<M> Tree<M> {
    /// The initial position.
    #[inline]
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// The child at index `n`; the primary child has index 0.
    pub fn child(&self, node: NodeId, n: usize) -> Option<NodeId> {
        self.children(node).nth(n)
    }

    /// The first child whose move satisfies the condition.
    pub fn child_by(&self, node: NodeId, mut wanted: impl FnMut(&M) -> bool) -> Option<NodeId> {
        self.children(node)
            .find(|&child| self.move_to(child).is_some_and(&mut wanted))
    }

    /// The number of children.
    pub fn child_count(&self, node: NodeId) -> usize {
        self.children(node).count()
    }

    /// True if the node has two or more children.
    #[inline]
    pub fn is_branching(&self, node: NodeId) -> bool {
        self.next(node) != self.last_child(node)
    }

    /// The node's index among its siblings; `None` for the root and for a detached node.
    pub fn choice(&self, node: NodeId) -> Option<usize> {
        let parent = self.parent(node)?;
        self.children(parent).position(|child| child == node)
    }

    /// The node and its siblings in order; only the node itself if it has no parent.
    pub fn siblings(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let without_parent = self.parent(node).is_none().then_some(node);
        let children = self.parent(node).map(|parent| self.children(parent));
        without_parent
            .into_iter()
            .chain(children.into_iter().flatten())
    }

    /// The previous sibling; `None` for the primary child. O(siblings).
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.siblings(node)
            .take_while(|&sibling| sibling != node)
            .last()
    }

    /// True if the node is its parent's primary child; true for the root.
    #[inline]
    pub fn is_locally_mainline(&self, node: NodeId) -> bool {
        self.parent(node)
            .is_none_or(|parent| self.next(parent) == Some(node))
    }

    /// True if only primary moves lead from the root to the node.
    pub fn is_mainline(&self, node: NodeId) -> bool {
        self.ancestors(node)
            .all(|above| self.is_locally_mainline(above))
    }

    /// True if no secondary move on the path is played from a node where `whose` returns true. With
    /// `whose` = "White is to move", this tests whether all of White's moves are primary.
    pub fn is_virtual_mainline(&self, node: NodeId, mut whose: impl FnMut(NodeId) -> bool) -> bool {
        self.ancestors(node).all(|above| {
            self.is_locally_mainline(above) || !self.parent(above).is_some_and(&mut whose)
        })
    }

    /// The number of moves from the root. O(depth); for many nodes, use a
    /// [`PreorderIndex`](crate::PreorderIndex).
    pub fn ply(&self, node: NodeId) -> u32 {
        self.ancestors(node).count() as u32 - 1
    }

    /// The variation depth: the number of secondary moves on the path from the root. O(depth).
    pub fn depth(&self, node: NodeId) -> u32 {
        self.ancestors(node)
            .filter(|&above| !self.is_locally_mainline(above))
            .count() as u32
    }

    /// The node itself, its parent, and so on up to the root.
    #[inline]
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        successors(Some(node), |&node| self.parent(node))
    }

    /// The node, its primary child, and so on to the end of the local mainline.
    #[inline]
    pub fn local_mainline(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        successors(Some(node), |&node| self.next(node))
    }

    /// The nodes of the mainline, the root first.
    pub fn mainline(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.local_mainline(NodeId::ROOT)
    }

    /// The moves of the mainline.
    pub fn mainline_moves(&self) -> impl Iterator<Item = &M> + '_ {
        self.mainline().filter_map(|node| self.move_to(node))
    }

    /// The last node of the local mainline.
    pub fn end(&self, node: NodeId) -> NodeId {
        self.local_mainline(node).last().unwrap_or(node)
    }

    /// The nodes from the root to this node, both included.
    pub fn line(&self, node: NodeId) -> Vec<NodeId> {
        let mut line: Vec<_> = self.ancestors(node).collect();
        line.reverse();
        line
    }

    /// The moves from the root to a node.
    pub fn moves_to(&self, node: NodeId) -> Vec<M>
    where
        M: Clone,
    {
        let line = self.line(node).into_iter();
        line.filter_map(|node| self.move_to(node).cloned())
            .collect()
    }

    /// The path from the root as origins: each node and the index of the child chosen there.
    pub fn path(&self, node: NodeId) -> Vec<(NodeId, usize)> {
        let origin = |node| Some((self.parent(node)?, self.choice(node)?));
        let mut path: Vec<_> = self.ancestors(node).map_while(origin).collect();
        path.reverse();
        path
    }

    /// The node reached from `start` by following child indices.
    pub fn follow(
        &self,
        start: NodeId,
        choices: impl IntoIterator<Item = usize>,
    ) -> Option<NodeId> {
        choices
            .into_iter()
            .try_fold(start, |node, choice| self.child(node, choice))
    }

    /// The nearest ancestor with several children.
    pub fn previous_branching(&self, node: NodeId) -> Option<NodeId> {
        self.ancestors(node)
            .skip(1)
            .find(|&above| self.is_branching(above))
    }

    /// The next node on the local mainline with several children.
    pub fn next_branching(&self, node: NodeId) -> Option<NodeId> {
        self.local_mainline(node)
            .skip(1)
            .find(|&below| self.is_branching(below))
    }

    /// All attached nodes in preorder, the primary child's subtree first. This is position id order.
    pub fn preorder(&self) -> Preorder<'_, M> {
        self.subtree(NodeId::ROOT)
    }

    /// The node and its descendants, in preorder.
    pub fn subtree(&self, top: NodeId) -> Preorder<'_, M> {
        Preorder {
            tree: self,
            top,
            at: None,
            next: Some(top),
        }
    }

    /// The size of every subtree, including its root, indexed by handle. O(n).
    pub fn subtree_sizes(&self) -> Vec<u32> {
        let mut sizes = vec![1; self.capacity_used()];
        let nodes: Vec<NodeId> = self.preorder().collect();
        for node in nodes.into_iter().rev() {
            if let Some(parent) = self.parent(node) {
                sizes[parent.index()] += sizes[node.index()];
            }
        }
        sizes
    }

    /// The number of attached nodes, including the root. O(n).
    pub fn node_count(&self) -> usize {
        self.preorder().count()
    }

    /// The position id: the node's index in preorder. O(n); for many nodes, use a
    /// [`PreorderIndex`](crate::PreorderIndex).
    pub fn position_id(&self, node: NodeId) -> Option<PositionId> {
        let id = self.preorder().position(|other| other == node)?;
        Some(PositionId(id as u32))
    }

    /// The terminal nodes, in preorder.
    pub fn terminals(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.preorder().filter(|&node| self.is_terminal(node))
    }

    /// Every line: the nodes from the root to each terminal node. The total length of all lines can be quadratic in the number of nodes.
    pub fn lines(&self) -> impl Iterator<Item = Vec<NodeId>> + '_ {
        self.terminals().map(|end| self.line(end))
    }

    /// True if `above` is an ancestor of `below`. O(depth).
    pub fn is_ancestor(&self, above: NodeId, below: NodeId) -> bool {
        above != below && self.is_generalised_ancestor(above, below)
    }

    /// True if `below` is a descendant of `above`. O(depth).
    pub fn is_descendant(&self, below: NodeId, above: NodeId) -> bool {
        self.is_ancestor(above, below)
    }

    /// True if `above` is `below` or one of its ancestors. O(depth).
    pub fn is_generalised_ancestor(&self, above: NodeId, below: NodeId) -> bool {
        self.ancestors(below).any(|node| node == above)
    }

    /// True unless the node or one of its ancestors was detached.
    pub fn is_attached(&self, node: NodeId) -> bool {
        self.is_generalised_ancestor(NodeId::ROOT, node)
    }

    /// The last common (generalised) ancestor; `None` if the nodes are in different detached subtrees.
    pub fn lca(&self, a: NodeId, b: NodeId) -> Option<NodeId> {
        let (ply_a, ply_b) = (self.ply(a), self.ply(b));
        let level = ply_a.min(ply_b);
        let level_with = |node, ply: u32| self.ancestors(node).skip((ply - level) as usize);
        level_with(a, ply_a)
            .zip(level_with(b, ply_b))
            .find_map(|(a, b)| (a == b).then_some(a))
    }

    /// The number of moves, back and forth, from one node to the other.
    pub fn distance(&self, a: NodeId, b: NodeId) -> Option<u32> {
        let lca = self.lca(a, b)?;
        Some(self.ply(a) + self.ply(b) - 2 * self.ply(lca))
    }
}

/// Iterator over a subtree in preorder. Needs neither recursion nor a stack.
#[derive(Clone, Debug)]
pub struct Preorder<'a, M> {
    tree: &'a Tree<M>,
    top: NodeId,
    at: Option<NodeId>,
    next: Option<NodeId>,
}

impl<M> Preorder<'_, M> {
    /// Skips the descendants of the node that was returned last.
    pub fn skip_below(&mut self) {
        self.next = self.at.and_then(|at| self.tree.after_subtree(at, self.top));
    }
}

impl<M> Iterator for Preorder<'_, M> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let at = self.next?;
        self.at = Some(at);
        self.next = self.tree.after_in_preorder(at, self.top);
        Some(at)
    }
}

impl<M> FusedIterator for Preorder<'_, M> {}

impl<M> Tree<M> {
    /// The next node in the preorder of the subtree at `top`.
    #[inline]
    pub(crate) fn after_in_preorder(&self, node: NodeId, top: NodeId) -> Option<NodeId> {
        self.next(node).or_else(|| self.after_subtree(node, top))
    }

    /// The first node after the subtree of `node` in the preorder of the subtree at `top`.
    #[inline]
    pub(crate) fn after_subtree(&self, mut node: NodeId, top: NodeId) -> Option<NodeId> {
        while node != top {
            if let Some(sibling) = self.next_sibling(node) {
                return Some(sibling);
            }
            node = self.parent(node)?;
        }
        None
    }
}
