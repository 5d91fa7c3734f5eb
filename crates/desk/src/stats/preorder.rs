//! The nodes of a tree in preorder with their plies and variation depths, without an index.

use chess::Move;
use tree::{NodeId, Tree};

/// A node of a walk.
pub(super) struct Step {
    pub node: NodeId,
    pub ply: u32,
    /// The variation depth.
    pub depth: u32,
    /// The number of children.
    pub children: u32,
}

/// The nodes in preorder.
pub(super) fn preorder(tree: &Tree<Move>) -> impl Iterator<Item = Step> {
    let mut walk = Walk {
        tree,
        ply: 0,
        secondary: Vec::new(),
    };
    let mut next = Some(NodeId::ROOT);
    std::iter::from_fn(move || {
        let node = next?;
        let step = walk.step(node);
        next = walk.after(node);
        Some(step)
    })
}

struct Walk<'a> {
    tree: &'a Tree<Move>,
    /// The ply of the next node.
    ply: u32,
    /// The plies of the secondary moves on the path to it.
    secondary: Vec<u32>,
}

impl Walk<'_> {
    #[inline]
    fn step(&self, node: NodeId) -> Step {
        // Most nodes have one child.
        let children = if self.tree.is_branching(node) {
            self.tree.child_count(node) as u32
        } else {
            u32::from(!self.tree.is_terminal(node))
        };
        Step {
            node,
            ply: self.ply,
            depth: self.secondary.len() as u32,
            children,
        }
    }

    /// The node after this one.
    #[inline]
    fn after(&mut self, node: NodeId) -> Option<NodeId> {
        let child = self.tree.next(node);
        if child.is_none() {
            return self.after_line(node);
        }
        self.ply += 1;
        child
    }

    /// The node after the end of a line.
    fn after_line(&mut self, mut node: NodeId) -> Option<NodeId> {
        loop {
            if let Some(sibling) = self.tree.next_sibling(node) {
                while self.secondary.pop_if(|ply| *ply >= self.ply).is_some() {}
                self.secondary.push(self.ply);
                return Some(sibling);
            }
            node = self.tree.parent(node)?;
            self.ply -= 1;
        }
    }
}
