//! The contents of a tree, independent of its handles.

use gametree_tree::{PreorderIndex, Tree};

/// The moves in preorder, each with its ply. Trees with equal contents are equal.
pub fn contents<M: Clone>(tree: &Tree<M>) -> Vec<(u32, Option<M>)> {
    let index = PreorderIndex::of(tree);
    let row = |id| (index.ply(id), tree.move_to(index.node(id)).cloned());
    index.positions().map(row).collect()
}
