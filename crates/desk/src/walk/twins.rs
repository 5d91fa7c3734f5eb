//! Positions that are reached by several paths of one game.

use std::collections::HashMap;

use chess::pgn::Game;
use chess::{Identity, KeyedBoard, Move};
use rustc_hash::FxHashMap;
use tree::{NodeId, Tree};

/// The nodes that share their position with others.
#[derive(Clone, Debug, Default)]
pub struct Twins {
    /// Nodes with the same position, in order of position id.
    groups: Vec<Vec<NodeId>>,
    group_of: FxHashMap<NodeId, u32>,
    positions: usize,
    shared: usize,
}

impl Twins {
    /// Plays through a game and compares all its positions.
    pub fn new(game: &Game) -> Twins {
        let mut first: FxHashMap<u128, NodeId> = HashMap::default();
        first.reserve(game.tree().capacity_used());
        let mut twins = Twins::default();
        visit(game, |node, key| match first.get(&key) {
            Some(&known) => twins.join(known, node),
            None => drop(first.insert(key, node)),
        });
        twins.positions = first.len();
        let is_shared = |group: &&Vec<NodeId>| !is_one_path(game.tree(), group);
        twins.shared = twins.groups.iter().filter(is_shared).count();
        twins
    }

    /// How many different positions the game has.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many of them are reached by several paths.
    pub fn shared(&self) -> usize {
        self.shared
    }

    /// The other nodes with this node's position that are not on the same path.
    pub fn of<'a>(
        &'a self,
        tree: &'a Tree<Move>,
        node: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'a {
        let group = self
            .group_of
            .get(&node)
            .map(|&group| &self.groups[group as usize]);
        let others = group.into_iter().flatten().copied();
        others.filter(move |&other| {
            other != node && !tree.is_ancestor(other, node) && !tree.is_ancestor(node, other)
        })
    }

    fn join(&mut self, known: NodeId, node: NodeId) {
        let groups = &mut self.groups;
        let group = *self.group_of.entry(known).or_insert_with(|| {
            groups.push(vec![known]);
            groups.len() as u32 - 1
        });
        self.groups[group as usize].push(node);
        self.group_of.insert(node, group);
    }
}

/// True if all of these nodes, in preorder, lie on one path: going round in a circle.
fn is_one_path(tree: &Tree<Move>, group: &[NodeId]) -> bool {
    group
        .windows(2)
        .all(|pair| tree.is_ancestor(pair[0], pair[1]))
}

/// Tells every node in preorder with the key of its position.
fn visit(game: &Game, mut each: impl FnMut(NodeId, u128)) {
    let tree = game.tree();
    // The boards of the path to the node in hand.
    let mut path = vec![(NodeId::ROOT, KeyedBoard::new(game.start().clone()))];
    for node in tree.preorder() {
        if let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) {
            while path.last().is_some_and(|(at, _)| *at != parent) {
                path.pop();
            }
            let Some((_, board)) = path.last() else {
                return;
            };
            let mut board = board.clone();
            board.play(mv);
            path.push((node, board));
        }
        if let Some((_, board)) = path.last() {
            each(node, board.key(Identity::Strict));
        }
    }
}
