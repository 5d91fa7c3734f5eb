//! Sparse side tables: what only some nodes have, sorted by node.

use std::ops::Range;

use crate::NodeId;

/// Values by node, several per node allowed, in the order they were given.
///
/// Filled in any order while reading, [settled](Side::settle) once, then looked up by bisection.
/// The nodes of a frozen tree have tables of their own: `Side<T, PositionId>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side<T, Id = NodeId> {
    rows: Vec<(Id, T)>,
    settled: bool,
}

impl<T, Id> Default for Side<T, Id> {
    fn default() -> Self {
        Side {
            rows: Vec::new(),
            settled: true,
        }
    }
}

impl<T, Id: Copy + Ord> Side<T, Id> {
    /// An empty table.
    pub fn new() -> Self {
        Side::default()
    }

    /// Adds a value after those the node has.
    #[inline]
    pub fn push(&mut self, node: Id, value: T) {
        self.settled &= self.rows.last().is_none_or(|(last, _)| *last <= node);
        self.rows.push((node, value));
    }

    /// Sorts the table by node after values were pushed out of order. Free if they were not.
    pub fn settle(&mut self) {
        if !self.settled {
            self.rows.sort_by_key(|(node, _)| *node);
            self.settled = true;
        }
    }

    /// The node's values.
    ///
    /// # Panics
    /// If values were pushed out of order and not settled since.
    pub fn get(&self, node: Id) -> &[(Id, T)] {
        &self.rows[self.range(node)]
    }

    /// The node's first value.
    ///
    /// # Panics
    /// If values were pushed out of order and not settled since.
    pub fn first(&self, node: Id) -> Option<&T> {
        self.get(node).first().map(|(_, value)| value)
    }

    /// The node's values, to be changed.
    pub fn get_mut(&mut self, node: Id) -> impl Iterator<Item = &mut T> {
        self.settle();
        let range = self.range(node);
        self.rows[range].iter_mut().map(|(_, value)| value)
    }

    /// Gives the node these values in place of those it has, which are returned.
    pub fn set(&mut self, node: Id, values: impl IntoIterator<Item = T>) -> Vec<T> {
        self.settle();
        let range = self.range(node);
        let rows = values.into_iter().map(|value| (node, value));
        let old = self.rows.splice(range, rows);
        old.map(|(_, value)| value).collect()
    }

    /// Adds a value as the node's number `index`, or as its last if it has fewer.
    pub fn insert(&mut self, node: Id, index: usize, value: T) {
        self.settle();
        let range = self.range(node);
        let at = range.start + index.min(range.len());
        self.rows.insert(at, (node, value));
    }

    /// Takes all values from a node and returns them.
    pub fn remove(&mut self, node: Id) -> Vec<T> {
        self.set(node, [])
    }

    /// Drops the values that are not wanted, of all nodes in one pass.
    pub fn retain(&mut self, mut keep: impl FnMut(Id, &T) -> bool) {
        self.rows.retain(|(node, value)| keep(*node, value));
    }

    /// The table for other ids, after a tree was frozen, thawed or compacted; rows of nodes
    /// without a new id are dropped.
    pub fn remap<New: Copy + Ord>(self, mut new: impl FnMut(Id) -> Option<New>) -> Side<T, New> {
        let mut side = Side::default();
        for (node, value) in self.rows {
            if let Some(node) = new(node) {
                side.push(node, value);
            }
        }
        side.settle();
        side
    }

    /// All rows, in order of node once settled.
    pub fn rows(&self) -> &[(Id, T)] {
        &self.rows
    }

    /// True if no node has a value.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Forgets all values and keeps the memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.settled = true;
    }

    fn range(&self, node: Id) -> Range<usize> {
        assert!(self.settled, "side table looked up before it was settled");
        let start = self.rows.partition_point(|(n, _)| *n < node);
        let len = self.rows[start..].partition_point(|(n, _)| *n == node);
        start..start + len
    }
}
