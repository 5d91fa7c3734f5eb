//! The number of lines through each node, counted once and updated by edits.

use crate::{Edit, NodeId, Tree};

/// The number of lines through each node. A line is a path from the root to a terminal node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCounts {
    counts: Vec<u32>,
}

impl LineCounts {
    /// With more steps than this, counting again costs no more than updating.
    const MANY_STEPS: usize = 64;

    /// Counts the lines of a tree and of its detached subtrees. O(n).
    pub fn new<M>(tree: &Tree<M>) -> LineCounts {
        let mut counts = LineCounts { counts: Vec::new() };
        let all = (0..tree.capacity_used() as u32).map(NodeId);
        for top in all.filter(|&node| tree.parent(node).is_none()) {
            counts.count_unknown(tree, top);
        }
        counts
    }

    /// The number of lines through a node; 0 for a node added after counting.
    #[inline]
    pub fn through(&self, node: NodeId) -> u32 {
        self.counts.get(node.index()).copied().unwrap_or(0)
    }

    /// Sets the number of lines through a node of a tree that is built as it is needed.
    pub fn set(&mut self, node: NodeId, lines: u32) {
        if self.counts.len() <= node.index() {
            self.counts.resize(node.index() + 1, 0);
        }
        self.counts[node.index()] = lines;
    }

    /// Updates the counts after `edit` was applied to the tree. Cost: the paths from the changed
    /// nodes to the root, with their siblings.
    pub fn update<M>(&mut self, tree: &Tree<M>, edit: &Edit) {
        if edit.steps().len() > Self::MANY_STEPS {
            *self = LineCounts::new(tree);
            return;
        }
        for step in edit.steps() {
            self.count_unknown(tree, step.node);
        }
        let changed = edit.steps().iter().flat_map(|step| [step.from, step.to]);
        for at in changed.flatten() {
            self.recount_upwards(tree, at.parent);
        }
    }

    /// Counts a subtree that was not counted yet.
    fn count_unknown<M>(&mut self, tree: &Tree<M>, top: NodeId) {
        self.counts.resize(tree.capacity_used(), 0);
        if self.through(top) > 0 {
            return;
        }
        let below: Vec<_> = tree.subtree(top).collect();
        for &node in below.iter().rev() {
            self.counts[node.index()] = self.sum(tree, node);
        }
    }

    /// Recounts a node and its ancestors until a count stays the same.
    fn recount_upwards<M>(&mut self, tree: &Tree<M>, node: NodeId) {
        for above in tree.ancestors(node) {
            let count = self.sum(tree, above);
            if std::mem::replace(&mut self.counts[above.index()], count) == count {
                break;
            }
        }
    }

    fn sum<M>(&self, tree: &Tree<M>, node: NodeId) -> u32 {
        let below = tree.children(node).map(|child| self.through(child));
        below.sum::<u32>().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_keep_the_counts_right() {
        let mut tree = Tree::new();
        let a = tree.add_child(NodeId::ROOT, 'a');
        let b = tree.add_child(a, 'b');
        let mut lines = LineCounts::new(&tree);
        let c = tree.add_child(a, 'c');
        lines.update(&tree, &tree.addition(c));
        assert_eq!(lines.through(NodeId::ROOT), 2);
        let line = tree.add_line(b, "xyz".chars());
        lines.update(&tree, &line.edit);
        assert_eq!(lines, LineCounts::new(&tree));
        let gone = tree.detach(b);
        lines.update(&tree, &gone);
        assert_eq!(lines.through(NodeId::ROOT), 1);
        let back = gone.inverse();
        tree.apply(&back).expect("undoes");
        lines.update(&tree, &back);
        assert_eq!(lines, LineCounts::new(&tree));
    }
}
