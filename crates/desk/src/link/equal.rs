//! Comparison of continuations: moves in order, with all annotations.

use std::hash::{Hash, Hasher};

use chess::pgn::{Game, NoteKind, NotePlace};
use rustc_hash::FxHasher;
use tree::NodeId;

/// A hash of the continuation of each node.
pub(super) struct Subtrees<'a> {
    game: &'a Game,
    /// By node.
    hashes: Vec<u64>,
}

impl<'a> Subtrees<'a> {
    /// Hashes all continuations of a game.
    pub(super) fn new(game: &'a Game) -> Subtrees<'a> {
        let tree = game.tree();
        let mut hashes = vec![0; tree.capacity_used()];
        let nodes: Vec<NodeId> = tree.preorder().collect();
        // Children come after their parent in preorder, so before it in reverse.
        for &node in nodes.iter().rev() {
            let mut hasher = FxHasher::default();
            for child in tree.children(node) {
                tree.move_to(child).hash(&mut hasher);
                notes(game, child).for_each(|note| note.hash(&mut hasher));
                game.nags_at(child).for_each(|nag| nag.hash(&mut hasher));
                hashes[child.index()].hash(&mut hasher);
            }
            hashes[node.index()] = hasher.finish();
        }
        Subtrees { game, hashes }
    }

    /// The hash of a node's continuation.
    pub(super) fn hash(&self, node: NodeId) -> u64 {
        self.hashes[node.index()]
    }

    /// True if both nodes have the same continuation; their own annotations do not count.
    pub(super) fn equal(&self, a: NodeId, b: NodeId) -> bool {
        let tree = self.game.tree();
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if tree.child_count(a) != tree.child_count(b) {
                return false;
            }
            for (a, b) in tree.children(a).zip(tree.children(b)) {
                if !self.same_move(a, b) {
                    return false;
                }
                open.push((a, b));
            }
        }
        true
    }

    fn same_move(&self, a: NodeId, b: NodeId) -> bool {
        let (game, tree) = (self.game, self.game.tree());
        tree.move_to(a) == tree.move_to(b)
            && notes(game, a).eq(notes(game, b))
            && game.nags_at(a).eq(game.nags_at(b))
    }
}

fn notes(game: &Game, node: NodeId) -> impl Iterator<Item = (NoteKind, NotePlace, &str)> {
    let notes = game.notes_at(node);
    notes.map(|note| (note.kind, note.place, game.text(note.text)))
}
