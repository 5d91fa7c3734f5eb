//! Sparse side tables: values that only some nodes have, sorted by node.

use std::ops::Range;

use crate::NodeId;

/// Values by node. A node can have several values; they keep the order in which they were added.
///
/// Values may be pushed in any node order; call [`sort`](SideTable::sort) once afterwards. Lookups
/// are binary searches. For values by position id use `SideTable<T, PositionId>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideTable<T, Id = NodeId> {
    rows: Vec<(Id, T)>,
    sorted: bool,
}

impl<T, Id> Default for SideTable<T, Id> {
    fn default() -> Self {
        SideTable {
            rows: Vec::new(),
            sorted: true,
        }
    }
}

impl<T, Id: Copy + Ord> SideTable<T, Id> {
    /// Returns an empty table.
    pub fn new() -> Self {
        SideTable::default()
    }

    /// Adds a value after the node's other values.
    #[inline]
    pub fn push(&mut self, node: Id, value: T) {
        self.sorted &= self.rows.last().is_none_or(|(last, _)| *last <= node);
        self.rows.push((node, value));
    }

    /// Sorts the table by node. Free if all values were pushed in node order.
    pub fn sort(&mut self) {
        if !self.sorted {
            self.rows.sort_by_key(|(node, _)| *node);
            self.sorted = true;
        }
    }

    /// Returns the node's values.
    ///
    /// # Panics
    /// If values were pushed out of order and the table was not sorted since.
    pub fn get(&self, node: Id) -> &[(Id, T)] {
        &self.rows[self.range(node)]
    }

    /// Returns the node's first value.
    ///
    /// # Panics
    /// If values were pushed out of order and the table was not sorted since.
    pub fn first(&self, node: Id) -> Option<&T> {
        self.get(node).first().map(|(_, value)| value)
    }

    /// Returns the node's values for modification.
    pub fn get_mut(&mut self, node: Id) -> impl Iterator<Item = &mut T> {
        self.sort();
        let range = self.range(node);
        self.rows[range].iter_mut().map(|(_, value)| value)
    }

    /// Replaces the node's values and returns the old ones.
    pub fn set(&mut self, node: Id, values: impl IntoIterator<Item = T>) -> Vec<T> {
        self.sort();
        let range = self.range(node);
        let rows = values.into_iter().map(|value| (node, value));
        let old = self.rows.splice(range, rows);
        old.map(|(_, value)| value).collect()
    }

    /// Inserts a value at `index` among the node's values, or last if it has fewer.
    pub fn insert(&mut self, node: Id, index: usize, value: T) {
        self.sort();
        let range = self.range(node);
        let at = range.start + index.min(range.len());
        self.rows.insert(at, (node, value));
    }

    /// Removes and returns all values of a node.
    pub fn remove(&mut self, node: Id) -> Vec<T> {
        self.set(node, [])
    }

    /// Keeps only the values for which `keep` returns true, in one pass over all nodes.
    pub fn retain(&mut self, mut keep: impl FnMut(Id, &T) -> bool) {
        self.rows.retain(|(node, value)| keep(*node, value));
    }

    /// Translates the table to new ids after a tree was compacted. Rows of nodes without a new id
    /// are dropped.
    pub fn remap<New: Copy + Ord>(
        self,
        mut new: impl FnMut(Id) -> Option<New>,
    ) -> SideTable<T, New> {
        let mut table = SideTable::default();
        for (node, value) in self.rows {
            if let Some(node) = new(node) {
                table.push(node, value);
            }
        }
        table.sort();
        table
    }

    /// Returns all rows, in node order once sorted.
    pub fn rows(&self) -> &[(Id, T)] {
        &self.rows
    }

    /// True if no node has a value.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Removes all values and keeps the allocation.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.sorted = true;
    }

    fn range(&self, node: Id) -> Range<usize> {
        assert!(self.sorted, "side table used before it was sorted");
        let start = self.rows.partition_point(|(n, _)| *n < node);
        let len = self.rows[start..].partition_point(|(n, _)| *n == node);
        start..start + len
    }
}
