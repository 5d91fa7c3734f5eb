//! References replaced by the continuations they refer to.

use std::collections::VecDeque;

use chess::link::Link;
use chess::pgn::Game;
use chess::{Identity, KeyedBoard, Move};
use tree::{NodeId, Tree};

use super::{noted_nodes, reference, resolve, target, without_annotations};

/// A game whose references were expanded.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The game.
    pub game: Game,
    /// The number of expanded references.
    pub expanded: u64,
    /// The number of references that stay, because a position would be repeated or the game would
    /// become too large.
    pub kept: u64,
}

/// Writes the continuation at each place that refers to it, references in it included. Where a line
/// would return to an earlier position, or after `limit` moves, the reference stays.
pub fn expand(game: &Game, limit: usize) -> Expanded {
    let mut copy = Copy::of(game, limit);
    copy.expand_all();
    copy.finish()
}

/// A growing copy; each of its nodes has the node of the game that it copies.
struct Copy<'a> {
    game: &'a Game,
    limit: usize,
    tree: Tree<Move>,
    origin: Vec<NodeId>,
    /// By node of the game, the target of its reference if that has a continuation.
    target: Vec<Option<NodeId>>,
    /// By node of the game, the size of the subtree.
    sizes: Vec<u32>,
    /// References that are not expanded yet: nodes of the copy.
    open: VecDeque<NodeId>,
    /// References that are expanded.
    expanded: Vec<NodeId>,
    kept: u64,
}

impl<'a> Copy<'a> {
    fn of(game: &'a Game, limit: usize) -> Copy<'a> {
        let mut target_of = vec![None; game.tree().capacity_used()];
        for node in noted_nodes(game) {
            let to = target(game, node, Identity::Strict);
            target_of[node.index()] = to.filter(|&to| !game.tree().is_terminal(to));
        }
        let mut copy = Copy {
            game,
            limit,
            tree: Tree::new(),
            origin: vec![NodeId::ROOT],
            target: target_of,
            sizes: game.tree().subtree_sizes(),
            open: VecDeque::new(),
            expanded: Vec::new(),
            kept: 0,
        };
        copy.enqueue(NodeId::ROOT);
        copy.copy_below(NodeId::ROOT, NodeId::ROOT);
        copy
    }

    fn expand_all(&mut self) {
        while let Some(node) = self.open.pop_front() {
            match self.target_of(node).filter(|&to| self.may_expand(node, to)) {
                Some(to) => {
                    self.copy_below(to, node);
                    self.expanded.push(node);
                }
                None => self.kept += 1,
            }
        }
    }

    fn target_of(&self, node: NodeId) -> Option<NodeId> {
        self.target[self.origin[node.index()].index()]
    }

    /// True if the continuation fits and no path would repeat a position.
    fn may_expand(&self, node: NodeId, to: NodeId) -> bool {
        // No node of the copy is ever detached: there is one move less than nodes.
        let moves = self.tree.capacity_used() - 1;
        let room = moves + self.sizes[to.index()] as usize - 1 <= self.limit;
        room && !self.repeats(node)
    }

    /// True if an ancestor of the node has the same position.
    fn repeats(&self, node: NodeId) -> bool {
        let mut board = KeyedBoard::new(self.game.start().clone());
        let mut keys = vec![board.key(Identity::Strict)];
        for node in self.tree.line(node) {
            if let Some(&mv) = self.tree.move_to(node) {
                board.play(mv);
                keys.push(board.key(Identity::Strict));
            }
        }
        keys.pop().is_some_and(|here| keys.contains(&here))
    }

    /// Copies the continuation of a node of the game to a node of the copy; existing moves are
    /// followed.
    fn copy_below(&mut self, from: NodeId, to: NodeId) {
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            for child in self.game.tree().children(from) {
                let Some(&mv) = self.game.tree().move_to(child) else {
                    continue;
                };
                let known = if from == self.origin[to.index()] {
                    // The game's own nodes are copied one to one, equal siblings included.
                    None
                } else {
                    self.tree.child_by(to, |other| *other == mv)
                };
                let copy = known.unwrap_or_else(|| self.add(to, mv, child));
                open.push((child, copy));
            }
        }
    }

    fn add(&mut self, parent: NodeId, mv: Move, origin: NodeId) -> NodeId {
        let copy = self.tree.add_child(parent, mv);
        self.origin.push(origin);
        self.enqueue(copy);
        copy
    }

    fn enqueue(&mut self, node: NodeId) {
        if self.target_of(node).is_some() {
            self.open.push_back(node);
        }
    }

    fn finish(self) -> Expanded {
        let Copy {
            game,
            origin,
            expanded,
            ..
        } = self;
        let mut copy = without_annotations(game, self.tree);
        let copies = |index| NodeId(index as u32);
        for (index, &old) in origin.iter().enumerate() {
            if game.notes_at(old).next().is_some() {
                let notes: Vec<_> = game.notes_at(old).copied().collect();
                copy.set_notes(copies(index), notes);
            }
            if game.nags_at(old).len() > 0 {
                let nags: Vec<u32> = game.nags_at(old).collect();
                copy.set_nags(copies(index), nags);
            }
        }
        let mut done = vec![false; origin.len()];
        expanded.iter().for_each(|node| done[node.index()] = true);
        copy.retain_notes(|node, note, text| {
            let holds = |link: Link| {
                resolve(game, origin[node.index()], &link, game, Identity::Strict).is_some()
            };
            !(done[node.index()] && reference(note, text).is_some_and(holds))
        });
        Expanded {
            game: copy,
            expanded: expanded.len() as u64,
            kept: self.kept,
        }
    }
}
