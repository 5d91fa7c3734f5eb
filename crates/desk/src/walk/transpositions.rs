//! Positions that are reached by several paths of one game.

use std::collections::HashMap;

use chess::Identity;
use chess::pgn::Game;
use rustc_hash::FxHashMap;
use tree::{NodeId, PreorderIndex};

use crate::boards::visit;
use crate::positions::PositionCounts;

/// The nodes that share their position with others.
#[derive(Clone, Debug, Default)]
pub struct Transpositions {
    /// Nodes with the same position, in order of position id.
    groups: Vec<Vec<NodeId>>,
    /// The group of each node in one, and whether another path leads to the position.
    group_of: FxHashMap<NodeId, (u32, bool)>,
    index: PreorderIndex,
    counts: PositionCounts,
}

impl Transpositions {
    /// Plays through a game and compares all its positions.
    pub fn new(game: &Game, same: Identity) -> Transpositions {
        let mut first: FxHashMap<u128, NodeId> = HashMap::default();
        first.reserve(game.tree().capacity_used());
        let mut transpositions = Transpositions::default();
        visit(game, NodeId::ROOT, |visit| {
            let key = visit.board.key(same);
            match first.get(&key) {
                Some(&known) => transpositions.join(known, visit.node),
                None => drop(first.insert(key, visit.node)),
            }
        });
        transpositions.index.rebuild(game.tree());
        let groups = transpositions.groups.len();
        for group in 0..groups {
            transpositions.mark_transpositions(group);
        }
        transpositions.counts.positions += (first.len() - groups) as u64;
        transpositions
    }

    /// The number of positions, and of those that several paths reach.
    pub fn counts(&self) -> PositionCounts {
        self.counts
    }

    /// True if another path leads to this node's position.
    pub fn transposes(&self, node: NodeId) -> bool {
        self.group_of
            .get(&node)
            .is_some_and(|&(_, transposes)| transposes)
    }

    /// The other nodes with this node's position that are not on the same path.
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let group = self
            .group_of
            .get(&node)
            .filter(|(_, transposes)| *transposes);
        let group = group.map(|&(group, _)| &self.groups[group as usize]);
        let others = group.into_iter().flatten().copied();
        others.filter(move |&other| !self.on_one_path(other, node))
    }

    /// The index of a node in preorder.
    pub fn position_id(&self, node: NodeId) -> Option<u32> {
        self.index.position(node).map(|id| id.0)
    }

    fn join(&mut self, known: NodeId, node: NodeId) {
        let groups = &mut self.groups;
        let (group, _) = *self.group_of.entry(known).or_insert_with(|| {
            groups.push(vec![known]);
            (groups.len() as u32 - 1, false)
        });
        self.groups[group as usize].push(node);
        self.group_of.insert(node, (group, false));
    }

    /// Marks the nodes of a group that are not on one path with all others.
    fn mark_transpositions(&mut self, group: usize) {
        let nodes = &self.groups[group];
        let mut above: Vec<NodeId> = Vec::new();
        let (mut between_lines, mut repeated) = (false, false);
        for (index, &node) in nodes.iter().enumerate() {
            while above.pop_if(|last| !self.is_above(*last, node)).is_some() {}
            let rest = &nodes[index..];
            let below = rest.partition_point(|&other| self.is_above(node, other));
            let transposes = above.len() + below < nodes.len();
            self.group_of.insert(node, (group as u32, transposes));
            between_lines |= transposes;
            repeated |= !above.is_empty();
            above.push(node);
        }
        self.counts.add(between_lines, repeated);
    }

    /// True if the first node is an ancestor of the second, or the same.
    fn is_above(&self, above: NodeId, below: NodeId) -> bool {
        let ids = self.index.position(above).zip(self.index.position(below));
        ids.is_some_and(|(above, below)| self.index.is_generalised_ancestor(above, below))
    }

    fn on_one_path(&self, a: NodeId, b: NodeId) -> bool {
        self.is_above(a, b) || self.is_above(b, a)
    }
}
