//! The paths to a position.

use std::collections::HashSet;

use super::{EdgeId, Graph, Vertex};

/// Some or all paths to a position, each from a start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paths {
    /// The paths, as edges from a start position.
    pub paths: Vec<Vec<EdgeId>>,
    /// True if these are all paths.
    pub complete: bool,
}

impl<K: Copy, M> Graph<K, M> {
    /// The current path: most recent origins back to a start position, as edges from there. If they
    /// form a cycle, the path by which the position was discovered.
    pub fn recent_path(&self, vertex: Vertex) -> Vec<EdgeId> {
        let recent = |at: Vertex| Some(EdgeId(self.rows[at.index()].recent));
        let first = |at: Vertex| self.origin_edges(at).next();
        let path = self
            .path_by(vertex, recent)
            .or_else(|| self.path_by(vertex, first));
        path.unwrap_or_default()
    }

    /// Every path to a position that visits no position twice, up to `limit` paths and a
    /// proportional number of steps. The number of paths can be exponential.
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

    /// Follows chosen origins back to a start position; `None` if they form a cycle.
    pub fn path_by(
        &self,
        vertex: Vertex,
        origin: impl Fn(Vertex) -> Option<EdgeId>,
    ) -> Option<Vec<EdgeId>> {
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut at = vertex;
        while !self.is_start(at) {
            if !seen.insert(at) {
                return None;
            }
            let edge = origin(at)?;
            path.push(edge);
            at = self.source(edge);
        }
        path.reverse();
        Some(path)
    }
}

/// A depth-first search from a position back to the start positions.
struct Search<'a, K, M> {
    graph: &'a Graph<K, M>,
    /// The edges taken backwards, and the positions they connect.
    back: Vec<EdgeId>,
    on_path: HashSet<Vertex>,
    /// For each of these positions, the next origin to try. Kept as a position in the ring of
    /// origins: a copy of all origins would cost their number at every visit.
    untried: Vec<Option<EdgeId>>,
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

    /// Tries one origin, or leaves a position without untried origins. Returns a completed path.
    fn step(&mut self) -> Option<Vec<EdgeId>> {
        let untried = self.untried.last_mut()?;
        let Some(edge) = *untried else {
            self.leave();
            return None;
        };
        *untried = self.graph.next_origin(edge);
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
        self.untried.push(self.graph.origin_edges(vertex).next());
        self.on_path.insert(vertex);
    }

    fn leave(&mut self) {
        self.untried.pop();
        if let Some(edge) = self.back.pop() {
            self.on_path.remove(&self.graph.source(edge));
        }
    }
}
