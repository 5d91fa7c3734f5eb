//! The ways to a position.

use std::collections::HashSet;

use super::{EdgeId, Graph, Vertex};

/// Some or all ways to a position, each from a start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// The ways, as edges from a start to the position.
    pub paths: Vec<Vec<EdgeId>>,
    /// True if these are all.
    pub complete: bool,
}

impl<K: Copy, M> Graph<K, M> {
    /// The way one came: most recent origins back to a start, as edges from there. Where they go
    /// round in a circle, it is the way by which the position was discovered.
    pub fn way_here(&self, vertex: Vertex) -> Vec<EdgeId> {
        let recent = |at: Vertex| Some(EdgeId(self.rows[at.index()].recent));
        let first = |at: Vertex| self.origin_edges(at).next();
        let way = self
            .way_by(vertex, recent)
            .or_else(|| self.way_by(vertex, first));
        way.unwrap_or_default()
    }

    /// Every way to a position that passes no position twice, as far as `limit` ways and a
    /// proportionate number of steps go: a graph may hold more ways than anyone could list.
    pub fn paths(&self, vertex: Vertex, limit: usize) -> Paths {
        const STEPS_PER_PATH: usize = 1000;
        let mut search = Search::new(self, vertex);
        let mut paths = Vec::new();
        if self.is_start(vertex) {
            paths.push(Vec::new());
        }
        for _ in 0..limit.saturating_mul(STEPS_PER_PATH) {
            if search.is_over() || paths.len() > limit {
                break;
            }
            paths.extend(search.step());
        }
        let complete = search.is_over() && paths.len() <= limit;
        paths.truncate(limit);
        Paths { paths, complete }
    }

    /// Follows chosen origins back to a start, unless they go round in a circle.
    fn way_by(
        &self,
        vertex: Vertex,
        origin: impl Fn(Vertex) -> Option<EdgeId>,
    ) -> Option<Vec<EdgeId>> {
        let mut way = Vec::new();
        let mut seen = HashSet::new();
        let mut at = vertex;
        while !self.is_start(at) {
            if !seen.insert(at) {
                return None;
            }
            let edge = origin(at)?;
            way.push(edge);
            at = self.source(edge);
        }
        way.reverse();
        Some(way)
    }
}

/// A search from a position back to the starts, depth first.
struct Search<'a, K, M> {
    graph: &'a Graph<K, M>,
    /// The edges taken back, and the positions they join.
    back: Vec<EdgeId>,
    on_path: HashSet<Vertex>,
    /// For each of these positions, the origins not tried yet, last first.
    untried: Vec<Vec<EdgeId>>,
}

impl<'a, K: Copy, M> Search<'a, K, M> {
    fn new(graph: &'a Graph<K, M>, vertex: Vertex) -> Self {
        let mut search = Search {
            graph,
            back: Vec::new(),
            on_path: HashSet::new(),
            untried: Vec::new(),
        };
        search.enter(vertex);
        search
    }

    fn is_over(&self) -> bool {
        self.untried.is_empty()
    }

    /// Tries one origin or leaves a position that has none left; returns a way if it ends there.
    fn step(&mut self) -> Option<Vec<EdgeId>> {
        let Some(edge) = self.untried.last_mut()?.pop() else {
            self.leave();
            return None;
        };
        let parent = self.graph.source(edge);
        if self.on_path.contains(&parent) {
            return None;
        }
        self.back.push(edge);
        self.enter(parent);
        let started = self.graph.is_start(parent);
        started.then(|| self.back.iter().rev().copied().collect())
    }

    fn enter(&mut self, vertex: Vertex) {
        let mut origins: Vec<_> = self.graph.origin_edges(vertex).collect();
        origins.reverse();
        self.untried.push(origins);
        self.on_path.insert(vertex);
    }

    fn leave(&mut self) {
        self.untried.pop();
        if let Some(edge) = self.back.pop() {
            self.on_path.remove(&self.graph.source(edge));
        }
    }
}
