//! The preorder index: arrays in which a subtree is a range and ancestry an interval test.

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

/// The nodes of a tree in preorder, with their relations.
///
/// The index is a copy: it does not change with the tree. [`rebuild`](PreorderIndex::rebuild)
/// reuses its memory. Nodes that are not in the tree can be appended after those of the tree, for
/// example for moves that were not played. An appended node is below its parent, but it is neither
/// in its parent's [`subtree`](PreorderIndex::subtree) nor among its
/// [`children`](PreorderIndex::children).
///
/// Methods panic on an id that is not in the index.
#[derive(Clone, Debug)]
pub struct PreorderIndex {
    /// The nodes of the tree, then the appended ones.
    entries: Vec<Entry>,
    /// The number of nodes of the tree.
    in_tree: u32,
    /// The position id of each node by handle, [`ABSENT`] if it is not in the index.
    by_node: Vec<u32>,
}

/// A node and its relations. One struct, because most questions need several of its fields.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: NodeId,
    /// The root is its own parent.
    parent: u32,
    /// One past the last id in the subtree.
    end: u32,
    ply: u32,
    depth: u32,
}

const ROOT: Entry = Entry {
    node: NodeId::ROOT,
    parent: 0,
    end: 1,
    ply: 0,
    depth: 0,
};

const ABSENT: u32 = u32::MAX;

impl Default for PreorderIndex {
    fn default() -> Self {
        PreorderIndex::new()
    }
}

/// Construction.
impl PreorderIndex {
    /// The index of a tree with only the initial position.
    pub fn new() -> PreorderIndex {
        PreorderIndex {
            entries: vec![ROOT],
            in_tree: 1,
            by_node: vec![0],
        }
    }

    /// The index of all attached nodes of a tree. O(n).
    pub fn of<M>(tree: &Tree<M>) -> PreorderIndex {
        let mut index = PreorderIndex::new();
        index.rebuild(tree);
        index
    }

    /// Removes all nodes but the root and keeps the allocation.
    pub fn clear(&mut self) {
        self.start(1);
    }

    /// Replaces the contents by all attached nodes of a tree. O(n).
    pub fn rebuild<M>(&mut self, tree: &Tree<M>) {
        self.start(tree.capacity_used());
        for node in tree.preorder().skip(1) {
            let above = tree.parent(node).unwrap_or(NodeId::ROOT);
            self.push(node, self.by_node[above.index()]);
        }
        for id in (1..self.entries.len()).rev() {
            let Entry { parent, end, .. } = self.entries[id];
            let above = &mut self.entries[parent as usize].end;
            *above = end.max(*above);
        }
    }

    /// Replaces the contents by the mainline of a tree. O(mainline) and a fill of the map by node.
    pub fn rebuild_mainline<M>(&mut self, tree: &Tree<M>) {
        self.start(tree.capacity_used());
        for node in tree.mainline().skip(1) {
            self.push(node, self.in_tree - 1);
        }
        for entry in &mut self.entries {
            entry.end = self.in_tree;
        }
    }

    /// Appends a node that is not in the tree, `plies` moves after `parent`. It has the handle and
    /// the variation depth of its parent.
    pub fn append(&mut self, parent: PositionId, plies: u32) -> PositionId {
        let above = *self.entry(parent);
        let id = self.entries.len() as u32;
        self.entries.push(Entry {
            parent: parent.0,
            end: id + 1,
            ply: above.ply + plies,
            ..above
        });
        PositionId(id)
    }

    /// Removes appended nodes until `appended` of them remain.
    pub fn truncate_appended(&mut self, appended: usize) {
        self.entries.truncate(self.node_count() + appended);
    }

    fn start(&mut self, nodes: usize) {
        self.entries.clear();
        self.entries.push(ROOT);
        self.in_tree = 1;
        self.by_node.clear();
        self.by_node.resize(nodes, ABSENT);
        self.by_node[NodeId::ROOT.index()] = 0;
    }

    #[inline]
    fn push(&mut self, node: NodeId, parent: u32) {
        let above = self.entries[parent as usize];
        let id = self.in_tree;
        self.by_node[node.index()] = id;
        self.in_tree += 1;
        self.entries.push(Entry {
            node,
            parent,
            end: id + 1,
            ply: above.ply + 1,
            depth: above.depth + u32::from(id != parent + 1),
        });
    }
}

/// Nodes and ids.
impl PreorderIndex {
    #[inline]
    fn entry(&self, id: PositionId) -> &Entry {
        &self.entries[id.index()]
    }

    /// The number of nodes of the tree, including the root.
    #[inline]
    pub fn node_count(&self) -> usize {
        self.in_tree as usize
    }

    /// The number of appended nodes.
    #[inline]
    pub fn appended_count(&self) -> usize {
        self.entries.len() - self.node_count()
    }

    /// The nodes of the tree in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = PositionId> + use<> {
        (0..self.in_tree).map(PositionId)
    }

    /// True if the node was appended.
    #[inline]
    pub fn is_appended(&self, id: PositionId) -> bool {
        id.0 >= self.in_tree
    }

    /// The node at a position.
    #[inline]
    pub fn node(&self, id: PositionId) -> NodeId {
        self.entry(id).node
    }

    /// The position id of a node; `None` if the node is detached or was not loaded.
    #[inline]
    pub fn position(&self, node: NodeId) -> Option<PositionId> {
        let id = *self.by_node.get(node.index())?;
        (id != ABSENT).then_some(PositionId(id))
    }
}

/// Relations.
impl PreorderIndex {
    /// The parent; `None` for the root.
    #[inline]
    pub fn parent(&self, id: PositionId) -> Option<PositionId> {
        (id != PositionId::ROOT).then(|| PositionId(self.entry(id).parent))
    }

    /// The ids in the subtree, including its root.
    #[inline]
    pub fn subtree(&self, id: PositionId) -> Range<u32> {
        id.0..self.entry(id).end
    }

    /// The number of moves from the root.
    #[inline]
    pub fn ply(&self, id: PositionId) -> u32 {
        self.entry(id).ply
    }

    /// The variation depth.
    #[inline]
    pub fn depth(&self, id: PositionId) -> u32 {
        self.entry(id).depth
    }

    /// The primary child.
    #[inline]
    pub fn next(&self, id: PositionId) -> Option<PositionId> {
        (!self.is_terminal(id)).then_some(PositionId(id.0 + 1))
    }

    /// The next sibling.
    #[inline]
    pub fn next_sibling(&self, id: PositionId) -> Option<PositionId> {
        let Entry { parent, end, .. } = *self.entry(id);
        (end < self.entries[parent as usize].end).then_some(PositionId(end))
    }

    /// The children in order, the primary one first.
    #[inline]
    pub fn children(&self, id: PositionId) -> impl Iterator<Item = PositionId> + '_ {
        successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// True if the node has no children.
    #[inline]
    pub fn is_terminal(&self, id: PositionId) -> bool {
        self.entry(id).end == id.0 + 1
    }

    /// True if a secondary move leads to the node. False for an appended node.
    #[inline]
    pub fn is_secondary(&self, id: PositionId) -> bool {
        let Entry { parent, depth, .. } = *self.entry(id);
        depth > self.entries[parent as usize].depth
    }

    /// The node itself, its parent, and so on up to the root.
    #[inline]
    pub fn ancestors(&self, id: PositionId) -> impl Iterator<Item = PositionId> + '_ {
        successors(Some(id), |&id| self.parent(id))
    }

    /// The nodes after `above` on the line to `below`; from the root on if `above` is no ancestor.
    pub fn line_between(&self, above: PositionId, below: PositionId) -> Vec<PositionId> {
        let mut line: Vec<_> = self
            .ancestors(below)
            .take_while(|&id| id != above)
            .collect();
        line.reverse();
        line
    }

    /// True if `above` is an ancestor of `below`. O(1), for an appended node O(appended ancestors).
    #[inline]
    pub fn is_ancestor(&self, above: PositionId, below: PositionId) -> bool {
        above != below && self.is_generalised_ancestor(above, below)
    }

    /// True if `above` is `below` or one of its ancestors. O(1), for an appended node O(appended
    /// ancestors).
    #[inline]
    pub fn is_generalised_ancestor(&self, above: PositionId, below: PositionId) -> bool {
        let mut below = below;
        // only nodes of the tree are in the ranges of their ancestors
        while self.is_appended(below) && below != above {
            below = PositionId(self.entry(below).parent);
        }
        self.subtree(above).contains(&below.0)
    }

    /// The last common (generalised) ancestor. O(ply), if few nodes are appended.
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
