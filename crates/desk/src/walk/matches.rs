//! The positions of a game that match a query.

use chess::pgn::Game;
use rustc_hash::FxHashSet;
use tree::NodeId;

use super::Walk;
use crate::query::{CompileError, matching_nodes};

/// The nodes that match a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matches {
    query: String,
    nodes: FxHashSet<NodeId>,
    /// Their ancestors.
    above: FxHashSet<NodeId>,
}

impl Matches {
    fn new(game: &Game, query: &str) -> Result<Matches, CompileError> {
        let nodes: FxHashSet<NodeId> = matching_nodes(game, query)?.into_iter().collect();
        let mut above = FxHashSet::default();
        for &node in &nodes {
            let mut ancestors = game.tree().ancestors(node).skip(1);
            // The ancestors of a known node are known.
            while ancestors.next().is_some_and(|node| above.insert(node)) {}
        }
        Ok(Matches {
            query: query.to_owned(),
            nodes,
            above,
        })
    }

    /// The query.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there are no matches.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// True if this node matches.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(&node)
    }
}

impl Walk {
    /// Finds the nodes that match a CQL query, unless known.
    pub fn find_matches(&mut self, query: &str) -> Result<&Matches, CompileError> {
        let known = self.matches.take_if(|matches| matches.query == query);
        let matches = match known {
            Some(known) => known,
            None => Matches::new(&self.game, query)?,
        };
        Ok(self.matches.insert(matches))
    }

    /// Forgets the query.
    pub fn clear_matches(&mut self) {
        self.matches = None;
    }

    /// The matches of the last query, if any.
    pub fn matches(&self) -> Option<&Matches> {
        self.matches.as_ref()
    }

    /// True if this node matches.
    pub fn is_match(&self, node: NodeId) -> bool {
        let matches = self.matches.as_ref();
        matches.is_some_and(|matches| matches.contains(node))
    }

    /// True if there is a match below this node.
    pub fn has_match_below(&self, node: NodeId) -> bool {
        let matches = self.matches.as_ref();
        matches.is_some_and(|matches| matches.above.contains(&node))
    }

    /// To the next match in order of position id, wrapping around. Returns whether there is one.
    pub fn next_match(&mut self) -> bool {
        let after = self.tree().preorder().skip_while(|&node| node != self.at);
        let after = after.skip(1).find(|&node| self.is_match(node));
        let first = || self.tree().preorder().find(|&node| self.is_match(node));
        let next = after.or_else(first);
        self.go_if(next)
    }

    /// The same backwards.
    pub fn previous_match(&mut self) -> bool {
        let (mut before, mut last) = (None, None);
        let mut passed = false;
        for node in self.tree().preorder() {
            passed |= node == self.at;
            if self.is_match(node) {
                last = Some(node);
                before = if passed { before } else { last };
            }
        }
        self.go_if(before.or(last))
    }
}
