//! Walks: along a line, over a subtree, and from one node to another.

use std::iter::{FusedIterator, successors};

use crate::{NodeId, PositionId, Tree};

impl<M> Tree<M> {
    /// The initial position.
    #[inline]
    pub fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    /// The child number `n`, the primary one being number 0.
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

    /// True if there is a choice here: two children or more.
    #[inline]
    pub fn is_branching(&self, node: NodeId) -> bool {
        self.next(node) != self.last_child(node)
    }

    /// Which child of its parent the node is; none for the root and for a detached node.
    pub fn choice(&self, node: NodeId) -> Option<usize> {
        let parent = self.parent(node)?;
        self.children(parent).position(|child| child == node)
    }

    /// The node and its siblings in order; the root has none and stands alone.
    pub fn siblings(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let alone = self.parent(node).is_none().then_some(node);
        let born = self.parent(node).map(|parent| self.children(parent));
        alone.into_iter().chain(born.into_iter().flatten())
    }

    /// The sibling before this one, none for the primary child.
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.siblings(node)
            .take_while(|&sibling| sibling != node)
            .last()
    }

    /// True if reached from its parent by the primary move (the root is).
    #[inline]
    pub fn is_locally_mainline(&self, node: NodeId) -> bool {
        self.parent(node)
            .is_none_or(|parent| self.next(parent) == Some(node))
    }

    /// True if reached from the root by primary moves only.
    pub fn is_mainline(&self, node: NodeId) -> bool {
        self.ancestors(node)
            .all(|above| self.is_locally_mainline(above))
    }

    /// True if no secondary move on the path is played where `whose` says yes: with "White is to
    /// move at this node", whether White's moves are all primary.
    pub fn is_virtual_mainline(&self, node: NodeId, mut whose: impl FnMut(NodeId) -> bool) -> bool {
        self.ancestors(node).all(|above| {
            self.is_locally_mainline(above) || !self.parent(above).is_some_and(&mut whose)
        })
    }

    /// The number of moves from the root.
    pub fn ply(&self, node: NodeId) -> u32 {
        self.ancestors(node).count() as u32 - 1
    }

    /// The variation depth: how many secondary moves the path from the root contains.
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

    /// The end of the local mainline: primary moves as far as they go.
    pub fn end(&self, node: NodeId) -> NodeId {
        self.local_mainline(node).last().unwrap_or(node)
    }

    /// The nodes from the root to this one, both included.
    pub fn line(&self, node: NodeId) -> Vec<NodeId> {
        let mut line: Vec<_> = self.ancestors(node).collect();
        line.reverse();
        line
    }

    /// The path from the root as origins: the node stood at and the choice made there.
    pub fn path(&self, node: NodeId) -> Vec<(NodeId, usize)> {
        let origin = |node| Some((self.parent(node)?, self.choice(node)?));
        let mut path: Vec<_> = self.ancestors(node).map_while(origin).collect();
        path.reverse();
        path
    }

    /// The node that these choices lead to from `start`.
    pub fn follow(
        &self,
        start: NodeId,
        choices: impl IntoIterator<Item = usize>,
    ) -> Option<NodeId> {
        choices
            .into_iter()
            .try_fold(start, |node, choice| self.child(node, choice))
    }

    /// The nearest node above with a choice.
    pub fn previous_branching(&self, node: NodeId) -> Option<NodeId> {
        self.ancestors(node)
            .skip(1)
            .find(|&above| self.is_branching(above))
    }

    /// The next node down the local mainline with a choice.
    pub fn next_branching(&self, node: NodeId) -> Option<NodeId> {
        self.local_mainline(node)
            .skip(1)
            .find(|&below| self.is_branching(below))
    }

    /// All nodes in preorder, the primary child's subtree first: in order of position id.
    pub fn preorder(&self) -> Preorder<'_, M> {
        self.subtree(NodeId::ROOT)
    }

    /// The node and all below it, in preorder.
    pub fn subtree(&self, top: NodeId) -> Preorder<'_, M> {
        Preorder {
            tree: self,
            top,
            at: None,
            next: Some(top),
        }
    }

    /// The number of nodes of every subtree, its top included, by handle. O(n).
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

    /// The number of nodes that hang on the root, itself included. O(n).
    pub fn node_count(&self) -> usize {
        self.preorder().count()
    }

    /// The position id: the node's index in preorder. O(n); for many, [freeze](Tree::freeze).
    pub fn position_id(&self, node: NodeId) -> Option<PositionId> {
        let id = self.preorder().position(|other| other == node)?;
        Some(PositionId(id as u32))
    }

    /// The nodes without children, in preorder.
    pub fn terminals(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.preorder().filter(|&node| self.is_terminal(node))
    }

    /// Every line: the nodes from the root to each terminal node.
    pub fn lines(&self) -> impl Iterator<Item = Vec<NodeId>> + '_ {
        self.terminals().map(|end| self.line(end))
    }

    /// True if `above` lies on the path to `below` and is not `below` itself.
    pub fn is_ancestor(&self, above: NodeId, below: NodeId) -> bool {
        above != below && self.is_generalised_ancestor(above, below)
    }

    /// True if `below` lies under `above` and is not `above` itself.
    pub fn is_descendant(&self, below: NodeId, above: NodeId) -> bool {
        self.is_ancestor(above, below)
    }

    /// True if `above` lies on the path to `below`, or is `below` itself.
    pub fn is_generalised_ancestor(&self, above: NodeId, below: NodeId) -> bool {
        self.ancestors(below).any(|node| node == above)
    }

    /// True unless the node, or one above it, was detached.
    pub fn is_attached(&self, node: NodeId) -> bool {
        self.is_generalised_ancestor(NodeId::ROOT, node)
    }

    /// The last common (generalised) ancestor; none if a detached subtree separates the two.
    pub fn lca(&self, a: NodeId, b: NodeId) -> Option<NodeId> {
        let (ply_a, ply_b) = (self.ply(a), self.ply(b));
        let level = ply_a.min(ply_b);
        let level_with = |node, ply: u32| self.ancestors(node).skip((ply - level) as usize);
        level_with(a, ply_a)
            .zip(level_with(b, ply_b))
            .find_map(|(a, b)| (a == b).then_some(a))
    }

    /// How many moves, back and forth, lead from one node to the other.
    pub fn distance(&self, a: NodeId, b: NodeId) -> Option<u32> {
        let lca = self.lca(a, b)?;
        Some(self.ply(a) + self.ply(b) - 2 * self.ply(lca))
    }
}

/// The nodes of a subtree in preorder, with neither recursion nor a stack.
#[derive(Clone, Debug)]
pub struct Preorder<'a, M> {
    tree: &'a Tree<M>,
    top: NodeId,
    at: Option<NodeId>,
    next: Option<NodeId>,
}

impl<M> Preorder<'_, M> {
    /// Leaves out what lies below the node that was returned last.
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
    /// The node that follows in the preorder of the subtree at `top`.
    #[inline]
    pub(crate) fn after_in_preorder(&self, node: NodeId, top: NodeId) -> Option<NodeId> {
        self.next(node).or_else(|| self.after_subtree(node, top))
    }

    /// The first node of that preorder that is not below `node`.
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
