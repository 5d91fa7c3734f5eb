//! Compaction: freeing the memory of detached nodes.

use crate::{NodeId, Tree};

impl<M> Tree<M> {
    /// Drops all detached nodes and renumbers the others without gaps, in the same order. The
    /// result maps old handles to new ones. Edits recorded before no longer apply.
    pub fn compact(&mut self) -> Remap {
        let mut new = vec![u32::MAX; self.capacity_used()];
        for node in self.preorder() {
            new[node.index()] = 0;
        }
        for (live, id) in new.iter_mut().filter(|id| **id == 0).enumerate() {
            *id = live as u32;
        }
        let remap = Remap { new };
        self.retain(|node| remap.get(node));
        remap
    }
}

/// The new handle of each node after [`Tree::compact`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remap {
    new: Vec<u32>,
}

impl Remap {
    /// The node's new handle; `None` if the node was dropped.
    #[inline]
    pub fn get(&self, old: NodeId) -> Option<NodeId> {
        let new = *self.new.get(old.index())?;
        (new != u32::MAX).then_some(NodeId(new))
    }

    /// The old handles of dropped nodes.
    pub fn dropped(&self) -> impl Iterator<Item = NodeId> + '_ {
        let handles = (0..self.new.len() as u32).map(NodeId);
        handles.filter(|&node| self.get(node).is_none())
    }
}
