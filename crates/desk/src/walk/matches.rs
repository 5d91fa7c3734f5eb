//! The positions that match a query.

use chess::pgn::Game;
use rustc_hash::FxHashSet;
use tree::NodeId;
use tree::graph::Vertex;

use super::Walk;
use crate::joined::Joined;
use crate::query::{CompileError, NodeQuery};

/// The places that match a query: nodes of a game, or positions of joined games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matches {
    query: String,
    places: FxHashSet<u32>,
    /// The places above them.
    above: FxHashSet<u32>,
}

impl Matches {
    fn in_game(game: &Game, query: &str) -> Result<Matches, CompileError> {
        let nodes = NodeQuery::new(query)?.matches(game, 1);
        let mut above = FxHashSet::default();
        for &node in &nodes {
            let mut ancestors = game.tree().ancestors(node).skip(1);
            // The ancestors of a known node are known.
            while ancestors.next().is_some_and(|node| above.insert(node.0)) {}
        }
        Ok(Matches {
            query: query.to_owned(),
            places: nodes.into_iter().map(|node| node.0).collect(),
            above,
        })
    }

    fn in_graph(joined: &Joined, query: &str) -> Result<Matches, CompileError> {
        let found = joined.matching(query)?;
        let above = joined.leading_to(&found);
        let ids = |vertices: FxHashSet<Vertex>| vertices.into_iter().map(|v| v.0).collect();
        Ok(Matches {
            query: query.to_owned(),
            places: ids(found),
            above: ids(above),
        })
    }

    /// The query.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there are no matches.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

impl Walk {
    /// Finds the positions that match a CQL query, unless known.
    pub fn find_matches(&mut self, query: &str) -> Result<&Matches, CompileError> {
        let known = self.matches.take_if(|matches| matches.query == query);
        let matches = match (known, self.joined_graph()) {
            (Some(known), _) => known,
            (None, Some(joined)) => Matches::in_graph(joined, query)?,
            (None, None) => Matches::in_game(&self.game, query)?,
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

    /// The number of a node's place: that of its position in positions mode.
    fn place_of(&self, node: NodeId) -> u32 {
        self.vertex_of(node).map_or(node.0, |vertex| vertex.0)
    }

    /// True if this node matches.
    pub fn is_match(&self, node: NodeId) -> bool {
        let matches = self.matches.as_ref();
        matches.is_some_and(|matches| matches.places.contains(&self.place_of(node)))
    }

    /// True if there is a match below this node.
    pub fn has_match_below(&self, node: NodeId) -> bool {
        let matches = self.matches.as_ref();
        matches.is_some_and(|matches| matches.above.contains(&self.place_of(node)))
    }

    /// To the next match in order of position id, wrapping around. Returns whether there is one.
    pub fn next_match(&mut self) -> bool {
        if self.joined_graph().is_some() {
            return self.go_to_matching_vertex(false);
        }
        let after = self.tree().preorder().skip_while(|&node| node != self.at);
        let after = after.skip(1).find(|&node| self.is_match(node));
        let first = || self.tree().preorder().find(|&node| self.is_match(node));
        let next = after.or_else(first);
        self.go_if(next)
    }

    /// The same backwards.
    pub fn previous_match(&mut self) -> bool {
        if self.joined_graph().is_some() {
            return self.go_to_matching_vertex(true);
        }
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

    fn go_to_matching_vertex(&mut self, back: bool) -> bool {
        let matches = self.matches.as_ref();
        let found: Vec<u32> = matches.map_or_else(Vec::new, |matches| {
            let mut places: Vec<u32> = matches.places.iter().copied().collect();
            places.sort_unstable();
            places
        });
        self.go_to_next_vertex(&found, back)
    }

    /// Goes to the next of these positions, in ascending order, or to the previous one; wraps
    /// around. Returns whether there is one.
    pub(super) fn go_to_next_vertex(&mut self, found: &[u32], back: bool) -> bool {
        let here = self.place_of(self.at);
        let next = if back {
            let before = found.partition_point(|&place| place < here);
            before
                .checked_sub(1)
                .map_or(found.last(), |index| found.get(index))
        } else {
            let after = found.partition_point(|&place| place <= here);
            found.get(after).or(found.first())
        };
        let next = next.map(|&place| Vertex(place));
        if let Some(vertex) = next {
            self.go_to_vertex(vertex);
        }
        next.is_some()
    }
}
