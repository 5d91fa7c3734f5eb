//! Sparse side tables: what only some nodes have, sorted by node.

use crate::NodeId;

/// Values by node, several per node allowed, in the order they were given.
///
/// Filled in any order while reading, [settled](Side::settle) once, then looked up by bisection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side<T> {
    rows: Vec<(NodeId, T)>,
    settled: bool,
}

impl<T> Default for Side<T> {
    fn default() -> Self {
        Side {
            rows: Vec::new(),
            settled: true,
        }
    }
}

impl<T> Side<T> {
    /// Adds a value after those the node has.
    pub fn push(&mut self, node: NodeId, value: T) {
        self.settled &= self.rows.last().is_none_or(|(last, _)| *last <= node);
        self.rows.push((node, value));
    }

    /// Sorts the table by node after values were pushed out of order. O(n) if they were not.
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
    pub fn get(&self, node: NodeId) -> &[(NodeId, T)] {
        assert!(self.settled, "side table looked up before it was settled");
        let start = self.rows.partition_point(|(n, _)| *n < node);
        let len = self.rows[start..].partition_point(|(n, _)| *n == node);
        &self.rows[start..start + len]
    }

    /// All rows in order of node.
    pub fn rows(&self) -> &[(NodeId, T)] {
        &self.rows
    }
}
