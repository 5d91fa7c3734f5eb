//! The positions of a game that match a query.

use chess::pgn::Game;
use rustc_hash::FxHashSet;
use tree::NodeId;

use super::Walk;
use crate::query::{CompileError, matching_nodes};

/// The nodes that match a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sought {
    query: String,
    nodes: FxHashSet<NodeId>,
    /// Their ancestors.
    above: FxHashSet<NodeId>,
}

impl Sought {
    fn new(game: &Game, query: &str) -> Result<Sought, CompileError> {
        let nodes: FxHashSet<NodeId> = matching_nodes(game, query)?.into_iter().collect();
        let mut above = FxHashSet::default();
        for &node in &nodes {
            let mut ancestors = game.tree().ancestors(node).skip(1);
            // The ancestors of a known node are known.
            while ancestors.next().is_some_and(|node| above.insert(node)) {}
        }
        Ok(Sought {
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
    pub fn seek(&mut self, query: &str) -> Result<&Sought, CompileError> {
        let known = self.sought.take_if(|sought| sought.query == query);
        let sought = match known {
            Some(known) => known,
            None => Sought::new(&self.game, query)?,
        };
        Ok(self.sought.insert(sought))
    }

    /// Forgets the query.
    pub fn stop_seeking(&mut self) {
        self.sought = None;
    }

    /// The matches of the last query, if any.
    pub fn sought(&self) -> Option<&Sought> {
        self.sought.as_ref()
    }

    /// True if this node matches.
    pub fn is_sought(&self, node: NodeId) -> bool {
        let sought = self.sought.as_ref();
        sought.is_some_and(|sought| sought.contains(node))
    }

    /// True if there is a match below this node.
    pub fn leads_to_sought(&self, node: NodeId) -> bool {
        let sought = self.sought.as_ref();
        sought.is_some_and(|sought| sought.above.contains(&node))
    }

    /// To the next match in order of position id, wrapping around. Returns whether there is one.
    pub fn next_sought(&mut self) -> bool {
        let after = self.tree().preorder().skip_while(|&node| node != self.at);
        let after = after.skip(1).find(|&node| self.is_sought(node));
        let first = || self.tree().preorder().find(|&node| self.is_sought(node));
        let next = after.or_else(first);
        self.go_if(next)
    }

    /// The same backwards.
    pub fn previous_sought(&mut self) -> bool {
        let (mut before, mut last) = (None, None);
        let mut passed = false;
        for node in self.tree().preorder() {
            passed |= node == self.at;
            if self.is_sought(node) {
                last = Some(node);
                before = if passed { before } else { last };
            }
        }
        self.go_if(before.or(last))
    }
}
