//! The frozen tree: preorder arrays in which a subtree is a slice and ancestry an interval test.

use std::iter::successors;
use std::ops::Range;

use crate::{NodeId, Tree};

/// A position id: a node's index in preorder, the primary child's subtree first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PositionId(pub u32);

impl PositionId {
    /// The initial position.
    pub const ROOT: PositionId = PositionId(0);

    /// The id as an index into arrays by position.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The handles of a thawed tree are its position ids.
impl From<PositionId> for NodeId {
    #[inline]
    fn from(id: PositionId) -> NodeId {
        NodeId(id.0)
    }
}

/// An immutable tree in preorder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frozen<M> {
    /// `moves[n - 1]` leads to position `n`.
    moves: Vec<M>,
    /// The number of nodes in the subtree, including its root.
    len: Vec<u32>,
    /// The root is stored as its own parent.
    parent: Vec<u32>,
    ply: Vec<u32>,
    depth: Vec<u32>,
}

/// The mapping between nodes and position ids of a frozen tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    nodes: Vec<NodeId>,
    positions: Vec<u32>,
}

impl Order {
    /// The node at a position.
    #[inline]
    pub fn node(&self, id: PositionId) -> NodeId {
        self.nodes[id.index()]
    }

    /// The nodes by position id.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The position id of a node; `None` for a detached node.
    #[inline]
    pub fn position(&self, node: NodeId) -> Option<PositionId> {
        let id = *self.positions.get(node.index())?;
        (id != u32::MAX).then_some(PositionId(id))
    }
}

impl<M> Tree<M> {
    /// The position ids of all nodes. O(n).
    pub fn order(&self) -> Order {
        let mut positions = vec![u32::MAX; self.capacity_used()];
        let nodes: Vec<_> = self.preorder().collect();
        for (id, node) in nodes.iter().enumerate() {
            positions[node.index()] = id as u32;
        }
        Order { nodes, positions }
    }

    /// The tree in preorder, and the mapping from nodes to position ids. O(n).
    pub fn freeze(&self) -> (Frozen<M>, Order)
    where
        M: Clone,
    {
        let order = self.order();
        let moves = order.nodes.iter().filter_map(|&node| self.move_to(node));
        let parent = order.nodes.iter().map(|&node| {
            let above = self.parent(node).unwrap_or(NodeId::ROOT);
            order.positions[above.index()]
        });
        let frozen = Frozen::from_parents(moves.cloned().collect(), parent.collect());
        (frozen, order)
    }
}

impl<M> Frozen<M> {
    /// Computes the other columns: lengths from the leaves up, ply and depth from the root down.
    fn from_parents(moves: Vec<M>, parent: Vec<u32>) -> Frozen<M> {
        let nodes = parent.len();
        let (mut len, mut ply, mut depth) = (vec![1; nodes], vec![0; nodes], vec![0; nodes]);
        for id in (1..nodes).rev() {
            len[parent[id] as usize] += len[id];
        }
        for id in 1..nodes {
            let above = parent[id] as usize;
            ply[id] = ply[above] + 1;
            depth[id] = depth[above] + u32::from(id != above + 1);
        }
        Frozen {
            moves,
            len,
            parent,
            ply,
            depth,
        }
    }

    /// The editable tree; its handles are the position ids. O(n).
    pub fn thaw(&self) -> Tree<M>
    where
        M: Clone,
    {
        let mut tree = Tree::with_capacity(self.node_count());
        for (mv, &parent) in self.moves.iter().zip(&self.parent[1..]) {
            tree.add_child(NodeId(parent), mv.clone());
        }
        tree
    }

    /// The number of nodes, including the root.
    #[inline]
    pub fn node_count(&self) -> usize {
        self.len.len()
    }

    /// All positions in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = PositionId> + use<M> {
        (0..self.node_count() as u32).map(PositionId)
    }

    /// The position with this id; `None` if the tree is smaller.
    pub fn position(&self, id: usize) -> Option<PositionId> {
        (id < self.node_count()).then_some(PositionId(id as u32))
    }

    /// The parent; `None` for the root.
    #[inline]
    pub fn parent(&self, id: PositionId) -> Option<PositionId> {
        (id.0 != 0).then(|| PositionId(self.parent[id.index()]))
    }

    /// The move that leads to the node; `None` at the root.
    #[inline]
    pub fn move_to(&self, id: PositionId) -> Option<&M> {
        self.moves.get(id.index().wrapping_sub(1))
    }

    /// The number of nodes in the subtree, including its root.
    #[inline]
    pub fn subtree_len(&self, id: PositionId) -> usize {
        self.len[id.index()] as usize
    }

    /// The ids in the subtree, including its root.
    #[inline]
    pub fn subtree(&self, id: PositionId) -> Range<u32> {
        id.0..id.0 + self.len[id.index()]
    }

    /// The number of moves from the root. O(1).
    #[inline]
    pub fn ply(&self, id: PositionId) -> u32 {
        self.ply[id.index()]
    }

    /// The variation depth. O(1).
    #[inline]
    pub fn depth(&self, id: PositionId) -> u32 {
        self.depth[id.index()]
    }

    /// The primary child.
    #[inline]
    pub fn next(&self, id: PositionId) -> Option<PositionId> {
        (!self.is_terminal(id)).then_some(PositionId(id.0 + 1))
    }

    /// The next sibling. O(1).
    #[inline]
    pub fn next_sibling(&self, id: PositionId) -> Option<PositionId> {
        let after = self.subtree(id).end;
        (after < self.subtree(self.parent(id)?).end).then_some(PositionId(after))
    }

    /// The children in order, the primary one first.
    #[inline]
    pub fn children(&self, id: PositionId) -> impl Iterator<Item = PositionId> + '_ {
        successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// The child at index `n`; the primary child has index 0.
    pub fn child(&self, id: PositionId, n: usize) -> Option<PositionId> {
        self.children(id).nth(n)
    }

    /// The node's index among its siblings; `None` for the root. O(siblings).
    pub fn choice(&self, id: PositionId) -> Option<usize> {
        self.children(self.parent(id)?)
            .position(|child| child == id)
    }

    /// True if the node has no children.
    #[inline]
    pub fn is_terminal(&self, id: PositionId) -> bool {
        self.len[id.index()] == 1
    }

    /// True if the node is its parent's primary child; true for the root.
    #[inline]
    pub fn is_locally_mainline(&self, id: PositionId) -> bool {
        self.parent(id).is_none_or(|parent| parent.0 + 1 == id.0)
    }

    /// True if only primary moves lead from the root to the node. O(1).
    #[inline]
    pub fn is_mainline(&self, id: PositionId) -> bool {
        self.depth(id) == 0
    }

    /// True if no secondary move on the path is played from a node where `whose` returns true.
    pub fn is_virtual_mainline(
        &self,
        id: PositionId,
        mut whose: impl FnMut(PositionId) -> bool,
    ) -> bool {
        self.ancestors(id).all(|above| {
            self.is_locally_mainline(above) || !self.parent(above).is_some_and(&mut whose)
        })
    }

    /// The node itself, its parent, and so on up to the root.
    #[inline]
    pub fn ancestors(&self, id: PositionId) -> impl Iterator<Item = PositionId> + '_ {
        successors(Some(id), |&id| self.parent(id))
    }

    /// The node, its primary child, and so on to the end of the local mainline.
    #[inline]
    pub fn local_mainline(&self, id: PositionId) -> impl Iterator<Item = PositionId> + '_ {
        successors(Some(id), |&id| self.next(id))
    }

    /// The terminal nodes, in order.
    pub fn terminals(&self) -> impl Iterator<Item = PositionId> + '_ {
        self.positions().filter(|&id| self.is_terminal(id))
    }

    /// True if `above` is an ancestor of `below`. O(1).
    #[inline]
    pub fn is_ancestor(&self, above: PositionId, below: PositionId) -> bool {
        above != below && self.is_generalised_ancestor(above, below)
    }

    /// True if `below` is a descendant of `above`. O(1).
    #[inline]
    pub fn is_descendant(&self, below: PositionId, above: PositionId) -> bool {
        self.is_ancestor(above, below)
    }

    /// True if `above` is `below` or one of its ancestors. O(1).
    #[inline]
    pub fn is_generalised_ancestor(&self, above: PositionId, below: PositionId) -> bool {
        self.subtree(above).contains(&below.0)
    }

    /// The last common (generalised) ancestor. O(depth).
    pub fn lca(&self, a: PositionId, b: PositionId) -> PositionId {
        self.ancestors(a)
            .find(|&above| self.is_generalised_ancestor(above, b))
            .unwrap_or(PositionId::ROOT)
    }

    /// The number of moves, back and forth, from one node to the other.
    pub fn distance(&self, a: PositionId, b: PositionId) -> u32 {
        self.ply(a) + self.ply(b) - 2 * self.ply(self.lca(a, b))
    }
}
