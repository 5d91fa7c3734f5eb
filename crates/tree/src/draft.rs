//! The editable tree: an arena of nodes, 12 bytes each plus the move.
//!
//! Siblings form a ring: a node stores its *last* child, and the last child's next sibling is the
//! first. Appending, prepending and finding the primary child are therefore O(1) with three links
//! per node. A detached subtree keeps its handles and can be attached again, which undo relies on.

/// A node's handle: an index into the arena. It stays valid until [`Tree::compact`] or
/// [`Tree::clear`].
///
/// A handle belongs to the tree that created it. Methods of [`Tree`] panic on a handle that was
/// never given out by that tree; check handles from elsewhere with [`Tree::contains`].
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

/// Absent link: the parent of the root, the last child of a terminal node.
const NONE: u32 = u32::MAX;

/// An editable tree with moves of type `M` on its edges.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    links: Vec<Links>,
    /// `moves[n - 1]` leads to node `n`; no move leads to the root.
    moves: Vec<M>,
}

/// A node's links. The children of a node form a ring: the last one's next sibling is the first.
#[derive(Clone, Copy, Debug)]
struct Links {
    parent: u32,
    last_child: u32,
    next_sibling: u32,
}

/// The links of a root without children.
const EMPTY_ROOT: Links = Links {
    parent: NONE,
    last_child: NONE,
    next_sibling: 0,
};

impl<M> Default for Tree<M> {
    fn default() -> Self {
        Tree::new()
    }
}

impl<M> Tree<M> {
    /// Returns a tree with only the initial position.
    pub fn new() -> Tree<M> {
        Tree {
            links: vec![EMPTY_ROOT],
            moves: Vec::new(),
        }
    }

    /// Returns a tree with only the initial position and capacity for `nodes` nodes.
    pub fn with_capacity(nodes: usize) -> Tree<M> {
        let mut tree = Tree::new();
        tree.reserve(nodes);
        tree
    }

    /// Reserves capacity for `more` nodes.
    pub fn reserve(&mut self, more: usize) {
        self.links.reserve(more);
        self.moves.reserve(more);
    }

    /// Removes all nodes but the root, invalidates their handles and keeps the allocation.
    pub fn clear(&mut self) {
        self.links.clear();
        self.links.push(EMPTY_ROOT);
        self.moves.clear();
    }

    /// True if the tree has this node, attached or detached.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        node.index() < self.links.len()
    }

    /// The number of nodes in the arena: the root and all attached and detached nodes.
    #[inline]
    pub fn capacity_used(&self) -> usize {
        self.links.len()
    }

    /// The parent; `None` for the root and for the top of a detached subtree.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        some(self.links[node.index()].parent)
    }

    /// The move that leads to the node; `None` at the root.
    #[inline]
    pub fn move_to(&self, node: NodeId) -> Option<&M> {
        self.moves.get(node.index().wrapping_sub(1))
    }

    /// The primary child.
    #[inline]
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        let last = some(self.links[node.index()].last_child)?;
        some(self.links[last.index()].next_sibling)
    }

    /// The children in order, the primary one first.
    #[inline]
    pub fn children(&self, node: NodeId) -> Children<'_, M> {
        Children {
            tree: self,
            next: self.next(node),
            last: self.links[node.index()].last_child,
        }
    }

    /// The children in order, each with the move that leads to it.
    #[inline]
    pub(crate) fn moves_from(&self, node: NodeId) -> impl Iterator<Item = (NodeId, &M)> {
        self.children(node)
            .filter_map(|child| Some((child, self.move_to(child)?)))
    }

    /// True if the node has no children.
    #[inline]
    pub fn is_terminal(&self, node: NodeId) -> bool {
        self.links[node.index()].last_child == NONE
    }

    /// The last child.
    #[inline]
    pub fn last_child(&self, node: NodeId) -> Option<NodeId> {
        some(self.links[node.index()].last_child)
    }

    /// The next sibling; `None` for the last child and for the root.
    #[inline]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        (self.links[parent.index()].last_child != node.0)
            .then(|| NodeId(self.links[node.index()].next_sibling))
    }

    /// Appends a child after all others and returns it. O(1).
    ///
    /// # Panics
    /// If the tree already holds 2³² − 1 nodes.
    #[inline(always)]
    pub fn add_child(&mut self, parent: NodeId, mv: M) -> NodeId {
        let child = self.links.len() as u32;
        assert!(
            self.links.len() < NONE as usize,
            "a tree holds at most 2^32 - 1 nodes"
        );
        let last = std::mem::replace(&mut self.links[parent.index()].last_child, child);
        // Most nodes are the only child.
        let first = if last == NONE {
            child
        } else {
            std::mem::replace(&mut self.links[last as usize].next_sibling, child)
        };
        self.links.push(Links {
            parent: parent.0,
            last_child: NONE,
            next_sibling: first,
        });
        self.moves.push(mv);
        NodeId(child)
    }

    /// Adds a detached node.
    pub(crate) fn add_detached(&mut self, mv: M) -> NodeId {
        assert!(
            self.links.len() < NONE as usize,
            "a tree holds at most 2^32 - 1 nodes"
        );
        let node = self.links.len() as u32;
        self.links.push(Links {
            parent: NONE,
            last_child: NONE,
            next_sibling: node,
        });
        self.moves.push(mv);
        NodeId(node)
    }

    /// Links a detached node under `parent`, after the child `after` or as the first child. O(1).
    pub(crate) fn link(&mut self, node: NodeId, parent: NodeId, after: Option<NodeId>) {
        let last = some(self.links[parent.index()].last_child);
        self.links[node.index()].parent = parent.0;
        if after == last {
            self.links[parent.index()].last_child = node.0;
        }
        // In the ring "first" is "after the last".
        if let Some(before) = after.or(last) {
            let next = std::mem::replace(&mut self.links[before.index()].next_sibling, node.0);
            self.links[node.index()].next_sibling = next;
        }
    }

    /// Unlinks the child that follows `after`, or the first child. O(1).
    pub(crate) fn unlink(&mut self, node: NodeId, parent: NodeId, after: Option<NodeId>) {
        let last = self.links[parent.index()].last_child;
        let next = std::mem::replace(&mut self.links[node.index()].next_sibling, node.0);
        self.links[node.index()].parent = NONE;
        self.links[after.map_or(last, |after| after.0) as usize].next_sibling = next;
        if last == node.0 {
            self.links[parent.index()].last_child = after.map_or(NONE, |after| after.0);
        }
    }

    /// Puts the children of a node, all of them, into this order.
    pub(crate) fn set_ring(&mut self, parent: NodeId, children: &[NodeId]) {
        let Some((&first, &last)) = children.first().zip(children.last()) else {
            return;
        };
        self.links[parent.index()].last_child = last.0;
        let followers = children.iter().skip(1).chain([&first]);
        for (child, next) in children.iter().zip(followers) {
            self.links[child.index()].next_sibling = next.0;
        }
    }

    /// Renumbers the nodes; `new` never returns a later index. Nodes without a new index are dropped.
    pub(crate) fn retain(&mut self, new: impl Fn(NodeId) -> Option<NodeId>) {
        let renamed = |raw: u32| some(raw).and_then(&new).map_or(NONE, |node| node.0);
        let old_len = self.links.len();
        for old in 0..old_len as u32 {
            let Some(to) = new(NodeId(old)) else { continue };
            let (from, to) = (old as usize, to.index());
            let links = self.links[from];
            self.links[to] = Links {
                parent: renamed(links.parent),
                last_child: renamed(links.last_child),
                next_sibling: renamed(links.next_sibling),
            };
            if to > 0 {
                self.moves.swap(to - 1, from - 1);
            }
        }
        let live = (0..old_len as u32)
            .filter(|&old| new(NodeId(old)).is_some())
            .count();
        self.links.truncate(live);
        self.moves.truncate(live - 1);
    }
}

/// The children of a node in order.
#[derive(Clone, Debug)]
pub struct Children<'a, M> {
    tree: &'a Tree<M>,
    next: Option<NodeId>,
    last: u32,
}

impl<M> std::iter::FusedIterator for Children<'_, M> {}

impl<M> Iterator for Children<'_, M> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let child = self.next?;
        self.next =
            (child.0 != self.last).then(|| NodeId(self.tree.links[child.index()].next_sibling));
        Some(child)
    }
}

#[inline]
fn some(raw: u32) -> Option<NodeId> {
    (raw != NONE).then_some(NodeId(raw))
}
