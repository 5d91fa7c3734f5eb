//! The editable tree: an arena of nodes, 12 bytes each beside the move.
//!
//! Siblings form a ring: a node knows its *last* child, and the last child's next sibling is the
//! first. So appending, prepending and finding the primary child all cost O(1) without a fourth
//! link. A detached subtree keeps its handles and can be attached again, which is what undo needs.

/// A node's handle. It stays valid until [`Tree::compact`] says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The initial position.
    pub const ROOT: NodeId = NodeId(0);

    /// The handle as an index into arrays by node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node: the parent of the root, the last child of a terminal node.
const NONE: u32 = u32::MAX;

/// An editable tree with moves of type `M` on its edges.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    parent: Vec<u32>,
    last_child: Vec<u32>,
    next_sibling: Vec<u32>,
    /// `moves[n - 1]` leads to node `n`: the root has none.
    moves: Vec<M>,
}

impl<M> Default for Tree<M> {
    fn default() -> Self {
        Tree::new()
    }
}

impl<M> Tree<M> {
    /// A tree of the initial position alone.
    pub fn new() -> Tree<M> {
        Tree {
            parent: vec![NONE],
            last_child: vec![NONE],
            next_sibling: vec![0],
            moves: Vec::new(),
        }
    }

    /// How many node handles were ever given out, the root included; detached nodes count.
    #[inline]
    pub fn capacity_used(&self) -> usize {
        self.parent.len()
    }

    /// The node this one was reached from; none for the root and for a detached node.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        some(self.parent[node.index()])
    }

    /// The move that led here; none at the root.
    #[inline]
    pub fn move_to(&self, node: NodeId) -> Option<&M> {
        self.moves.get(node.index().wrapping_sub(1))
    }

    /// The primary child.
    #[inline]
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        let last = some(self.last_child[node.index()])?;
        some(self.next_sibling[last.index()])
    }

    /// The children in order, the primary one first.
    #[inline]
    pub fn children(&self, node: NodeId) -> Children<'_, M> {
        Children {
            tree: self,
            next: self.next(node),
            last: self.last_child[node.index()],
        }
    }

    /// Appends a child after all others and returns it. O(1).
    pub fn add_child(&mut self, parent: NodeId, mv: M) -> NodeId {
        let child = self.parent.len() as u32;
        assert!(child != NONE, "a tree holds at most 2^32 - 1 nodes");
        let last = std::mem::replace(&mut self.last_child[parent.index()], child);
        let first = match some(last) {
            Some(last) => std::mem::replace(&mut self.next_sibling[last.index()], child),
            None => child,
        };
        self.parent.push(parent.0);
        self.last_child.push(NONE);
        self.next_sibling.push(first);
        self.moves.push(mv);
        NodeId(child)
    }

    /// True if reached from its parent by the primary move (the root is).
    #[inline]
    pub fn is_locally_mainline(&self, node: NodeId) -> bool {
        self.parent(node).is_none_or(|parent| self.next(parent) == Some(node))
    }

    /// True if reached from the root by primary moves only.
    pub fn is_mainline(&self, node: NodeId) -> bool {
        self.depth(node) == 0
    }

    /// The variation depth: how many secondary moves the path from the root contains.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.ancestors(node)
            .filter(|&above| !self.is_locally_mainline(above))
            .count() as u32
    }

    /// The node itself, its parent, and so on up to the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&node| self.parent(node))
    }
}

/// The children of a node in order.
#[derive(Clone, Debug)]
pub struct Children<'a, M> {
    tree: &'a Tree<M>,
    next: Option<NodeId>,
    last: u32,
}

impl<M> Iterator for Children<'_, M> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let child = self.next?;
        self.next = (child.0 != self.last).then(|| NodeId(self.tree.next_sibling[child.index()]));
        Some(child)
    }
}

#[inline]
fn some(raw: u32) -> Option<NodeId> {
    (raw != NONE).then_some(NodeId(raw))
}
