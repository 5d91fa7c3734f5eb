//! Forgetting what was removed.

use crate::{NodeId, Tree};

impl<M> Tree<M> {
    /// Forgets the detached nodes and closes the gaps. Handles keep their order; the answer says
    /// what became of each. Edits made before no longer fit.
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

/// What became of each handle when a tree was compacted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remap {
    new: Vec<u32>,
}

impl Remap {
    /// The node's new handle; none if it died.
    #[inline]
    pub fn get(&self, old: NodeId) -> Option<NodeId> {
        let new = *self.new.get(old.index())?;
        (new != u32::MAX).then_some(NodeId(new))
    }

    /// The old handles that died.
    pub fn died(&self) -> impl Iterator<Item = NodeId> + '_ {
        let handles = (0..self.new.len() as u32).map(NodeId);
        handles.filter(|&node| self.get(node).is_none())
    }
}
