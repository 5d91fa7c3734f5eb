//! The position graph: one vertex per position, with every path to it.
//!
//! The graph is an index over trees and does not replace them. An edge is a move: one of the moves
//! played from a position, and one of the origins of the next position. Cycles are allowed; all
//! functions terminate on them.
//!
//! ```
//! use gametree_tree::graph::{Graph, Identity};
//!
//! let mut graph = Graph::new(Identity::Position);
//! let start = graph.add_start(0u128);
//! // 1.Nf3 Nf6 2.Ng1 Ng8: the fourth move leads back to the start.
//! let end = graph.add_line(start, [("Nf3", 1), ("Nf6", 2), ("Ng1", 3), ("Ng8", 0)]);
//! assert_eq!(end, start);
//! assert_eq!(graph.vertex_count(), 4);
//! assert_eq!(graph.origins(start).count(), 1);
//! ```

mod paths;
mod unroll;

use std::hash::{BuildHasher, Hash};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

pub use paths::Paths;
pub use unroll::{Link, Unrolled};

use crate::{NodeId, Tree};

/// Which nodes of a tree share a vertex of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// Nodes with the same position, whatever the path.
    Position,
    /// Nodes with the same moves from the start: a vertex has one origin, a key can have many vertices.
    Move,
}

/// A vertex of the graph, numbered in order of discovery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex(pub u32);

impl Vertex {
    /// The vertex as an index into arrays by vertex.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge (a move between two vertices), numbered in order of discovery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId(pub u32);

impl EdgeId {
    /// The edge as an index into arrays by edge.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How far from the start a position is reached by one path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The number of moves on the path.
    pub ply: u32,
    /// The number of secondary moves among them.
    pub depth: u32,
}

/// One way to reach a position: a parent and one of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The position before the move.
    pub parent: Vertex,
    /// The index of the move among the parent's moves.
    pub choice: usize,
    /// The edge.
    pub edge: EdgeId,
}

/// The result of [`Graph::add_move`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedMove {
    /// The position after the move.
    pub vertex: Vertex,
    /// The move.
    pub edge: EdgeId,
    /// True if the position is new.
    pub new_vertex: bool,
    /// True if the edge is new.
    pub new_edge: bool,
}

const NONE: u32 = u32::MAX;

/// Positions with keys of type `K`, joined by moves of type `M`.
///
/// # Equality of positions
/// Two positions are the same if and only if their keys are equal. A key must contain everything
/// that matters, or a hash of it that is wide enough to rule out collisions.
#[derive(Clone, Debug)]
pub struct Graph<K, M> {
    identity: Identity,
    keys: Vec<K>,
    rows: Vec<VertexRow>,
    /// By vertex, the next vertex with the same key, as a ring; unused while all keys differ.
    next_same: Vec<u32>,
    moves: Vec<M>,
    edges: Vec<EdgeRow>,
    starts: Vec<Vertex>,
    /// The last vertex with each key.
    by_key: HashTable<u32>,
    /// The edges after the first [`NEAR`](Graph::NEAR) of their vertex.
    far_edges: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// The data of a vertex besides its key. Its edges form rings, as siblings in a tree do: the vertex
/// stores the last edge, whose next edge is the first.
#[derive(Clone, Copy, Debug)]
struct VertexRow {
    last_out: u32,
    last_in: u32,
    recent: u32,
    min_ply: u32,
    min_depth: u32,
    max_depth: u32,
}

/// The data of an edge besides its move.
#[derive(Clone, Copy, Debug)]
struct EdgeRow {
    /// The index among the edges of `from`.
    choice: u32,
    from: u32,
    to: u32,
    next_out: u32,
    next_in: u32,
    times: u32,
}

impl<K: Copy + Eq + Hash, M: Eq + Hash> Graph<K, M> {
    /// The first edges of a vertex are scanned; further ones are found by hashing.
    const NEAR: usize = 32;

    /// An empty graph.
    pub fn new(identity: Identity) -> Graph<K, M> {
        Graph {
            identity,
            keys: Vec::new(),
            rows: Vec::new(),
            next_same: Vec::new(),
            moves: Vec::new(),
            edges: Vec::new(),
            starts: Vec::new(),
            by_key: HashTable::new(),
            far_edges: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Returns the graph of one tree, and the vertex of each node.
    pub fn of_tree(
        identity: Identity,
        tree: &Tree<M>,
        key: impl FnMut(NodeId) -> K,
    ) -> (Graph<K, M>, VertexOf)
    where
        M: Clone,
    {
        let mut graph = Graph::new(identity);
        let vertices = graph.add_tree(tree, key);
        (graph, vertices)
    }

    /// Finds or creates a start position.
    pub fn add_start(&mut self, key: K) -> Vertex {
        let start = match self.identity {
            Identity::Position => self.find(key),
            Identity::Move => self.find_all(key).find(|&vertex| self.is_start(vertex)),
        };
        let start = start.unwrap_or_else(|| self.add_vertex(key));
        if !self.is_start(start) {
            self.starts.push(start);
            self.arrive(start, Arrival { ply: 0, depth: 0 });
        }
        start
    }

    /// Adds a move from a known position: finds or creates the target and records the origin. The
    /// arrival's ply includes this move.
    pub fn add_move(&mut self, from: Vertex, mv: M, key: K, arrival: Arrival) -> AddedMove {
        let known = self.find_edge(from, &mv, key);
        let target = match (known, self.identity) {
            (Some(edge), _) => Some(self.target(edge)),
            (None, Identity::Position) => self.find(key),
            (None, Identity::Move) => None,
        };
        let vertex = target.unwrap_or_else(|| self.add_vertex(key));
        let edge = known.unwrap_or_else(|| self.add_edge(from, mv, vertex));
        self.edges[edge.index()].times += 1;
        let ply = arrival.ply.max(1);
        self.arrive(vertex, Arrival { ply, ..arrival });
        AddedMove {
            vertex,
            edge,
            new_vertex: target.is_none(),
            new_edge: known.is_none(),
        }
    }

    /// Adds a line of moves, each with the key of the position it leads to, and returns the last
    /// position. A move that is not the first one known from its position is secondary and
    /// increases the variation depth, as in [`add_tree`](Graph::add_tree). Cost: the length of the
    /// line, whatever the size of the graph.
    pub fn add_line(&mut self, from: Vertex, line: impl IntoIterator<Item = (M, K)>) -> Vertex {
        let mut at = from;
        let mut arrival = Arrival {
            ply: self.min_ply(from),
            depth: self.min_depth(from),
        };
        for (mv, key) in line {
            arrival.ply += 1;
            arrival.depth += u32::from(self.is_secondary(at, &mv, key));
            at = self.add_move(at, mv, key, arrival).vertex;
        }
        at
    }

    /// True if another move is the first one from this position.
    fn is_secondary(&self, from: Vertex, mv: &M, key: K) -> bool {
        let first = self.edges(from).next();
        first.is_some_and(|edge| !self.leads_to(edge, mv, key))
    }

    /// Adds a tree. Calls `key` for each node in preorder. Cost: the size of the tree, whatever the
    /// size of the graph.
    pub fn add_tree(&mut self, tree: &Tree<M>, mut key: impl FnMut(NodeId) -> K) -> VertexOf
    where
        M: Clone,
    {
        let mut vertices = vec![NONE; tree.capacity_used()];
        let mut arrivals = vec![Arrival { ply: 0, depth: 0 }; tree.capacity_used()];
        for node in tree.preorder() {
            let (Some(parent), Some(mv)) = (tree.parent(node), tree.move_to(node)) else {
                vertices[node.index()] = self.add_start(key(node)).0;
                continue;
            };
            let above = arrivals[parent.index()];
            let arrival = Arrival {
                ply: above.ply + 1,
                depth: above.depth + u32::from(!tree.is_locally_mainline(node)),
            };
            let from = Vertex(vertices[parent.index()]);
            let added = self.add_move(from, mv.clone(), key(node), arrival);
            arrivals[node.index()] = arrival;
            vertices[node.index()] = added.vertex.0;
        }
        VertexOf { vertices }
    }

    /// The first vertex with this key.
    pub fn find(&self, key: K) -> Option<Vertex> {
        self.find_all(key).next()
    }

    /// All vertices with this key, in order of discovery; at most one with [`Identity::Position`].
    pub fn find_all(&self, key: K) -> impl Iterator<Item = Vertex> + '_ {
        let last = self
            .by_key
            .find(self.hash(&key), |&v| self.keys[v as usize] == key);
        let next = |v: u32| self.next_same.get(v as usize).copied().unwrap_or(v);
        ring(last.copied().unwrap_or(NONE), next).map(Vertex)
    }

    /// The edge with this move from a position.
    pub fn edge_by(&self, from: Vertex, mv: &M) -> Option<EdgeId> {
        self.find_edge_by(from, mv, |edge| self.move_of(edge) == mv)
    }

    /// The edge with this move to the position with this key.
    fn find_edge(&self, from: Vertex, mv: &M, key: K) -> Option<EdgeId> {
        self.find_edge_by(from, mv, |edge| self.leads_to(edge, mv, key))
    }

    fn leads_to(&self, edge: EdgeId, mv: &M, key: K) -> bool {
        self.move_of(edge) == mv && self.key(self.target(edge)) == key
    }

    /// Scans the first edges of a vertex and finds the others by hashing.
    fn find_edge_by(
        &self,
        from: Vertex,
        mv: &M,
        matches: impl Fn(EdgeId) -> bool,
    ) -> Option<EdgeId> {
        let near = self
            .edges(from)
            .take(Self::NEAR)
            .find(|&edge| matches(edge));
        if near.is_some() || self.degree(from) <= Self::NEAR {
            return near;
        }
        let is_match = |&edge: &u32| self.source(EdgeId(edge)) == from && matches(EdgeId(edge));
        let far = self.far_edges.find(self.hash(&(from, mv)), is_match);
        far.map(|&edge| EdgeId(edge))
    }

    fn add_vertex(&mut self, key: K) -> Vertex {
        let vertex = self.keys.len() as u32;
        assert!(vertex != NONE, "a graph holds at most 2^32 - 1 positions");
        push(&mut self.keys, key);
        push(
            &mut self.rows,
            VertexRow {
                last_out: NONE,
                last_in: NONE,
                recent: NONE,
                min_ply: u32::MAX,
                min_depth: u32::MAX,
                max_depth: 0,
            },
        );
        self.index_vertex(vertex);
        Vertex(vertex)
    }

    fn index_vertex(&mut self, vertex: u32) {
        let (keys, hasher) = (&self.keys, &self.hasher);
        let key = keys[vertex as usize];
        let entry = self.by_key.entry(
            hasher.hash_one(key),
            |&other| keys[other as usize] == key,
            |&other| hasher.hash_one(keys[other as usize]),
        );
        let same = match entry {
            Entry::Occupied(mut last) => Some(std::mem::replace(last.get_mut(), vertex)),
            Entry::Vacant(free) => {
                free.insert(vertex);
                None
            }
        };
        if self.identity == Identity::Move {
            self.next_same.push(vertex);
            append_to_ring(&mut self.next_same, same.unwrap_or(NONE), vertex, |next| {
                next
            });
        }
    }

    fn add_edge(&mut self, from: Vertex, mv: M, to: Vertex) -> EdgeId {
        let edge = self.moves.len() as u32;
        let choice = self.degree(from);
        assert!(edge != NONE, "a graph holds at most 2^32 - 1 moves");
        push(&mut self.moves, mv);
        push(
            &mut self.edges,
            EdgeRow {
                choice: choice as u32,
                from: from.0,
                to: to.0,
                next_out: edge,
                next_in: edge,
                times: 0,
            },
        );
        let last_out = std::mem::replace(&mut self.rows[from.index()].last_out, edge);
        append_to_ring(&mut self.edges, last_out, edge, |row| &mut row.next_out);
        let last_in = std::mem::replace(&mut self.rows[to.index()].last_in, edge);
        append_to_ring(&mut self.edges, last_in, edge, |row| &mut row.next_in);
        if self.rows[to.index()].recent == NONE && !self.is_start(to) {
            self.rows[to.index()].recent = edge;
        }
        if choice >= Self::NEAR {
            self.index_far_edge(edge);
        }
        EdgeId(edge)
    }

    fn index_far_edge(&mut self, edge: u32) {
        let (edges, moves, hasher) = (&self.edges, &self.moves, &self.hasher);
        let hash = |&edge: &u32| {
            let edge = edge as usize;
            hasher.hash_one((Vertex(edges[edge].from), &moves[edge]))
        };
        self.far_edges.insert_unique(hash(&edge), edge, hash);
    }

    fn hash(&self, value: &impl Hash) -> u64 {
        self.hasher.hash_one(value)
    }
}

impl<K: Copy, M> Graph<K, M> {
    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.keys.len()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.moves.len()
    }

    /// All vertices in order of discovery.
    pub fn vertices(&self) -> impl Iterator<Item = Vertex> + use<K, M> {
        (0..self.keys.len() as u32).map(Vertex)
    }

    /// The start positions, in order of discovery.
    pub fn starts(&self) -> &[Vertex] {
        &self.starts
    }

    /// True if this is a start position: the only positions reached by no move.
    #[inline]
    pub fn is_start(&self, vertex: Vertex) -> bool {
        self.rows[vertex.index()].min_ply == 0
    }

    /// The vertex's key.
    #[inline]
    pub fn key(&self, vertex: Vertex) -> K {
        self.keys[vertex.index()]
    }

    /// The number of moves played from a position. O(1).
    pub fn degree(&self, vertex: Vertex) -> usize {
        let last = self.edges.get(self.rows[vertex.index()].last_out as usize);
        last.map_or(0, |edge| edge.choice as usize + 1)
    }

    /// The moves played from a position, the primary one first.
    #[inline]
    pub fn edges(&self, vertex: Vertex) -> impl Iterator<Item = EdgeId> + '_ {
        let next = |edge: u32| self.edges[edge as usize].next_out;
        ring(self.rows[vertex.index()].last_out, next).map(EdgeId)
    }

    /// The moves that lead to a position, in order of discovery.
    #[inline]
    pub fn origin_edges(&self, vertex: Vertex) -> impl Iterator<Item = EdgeId> + '_ {
        let next = |edge: u32| self.edges[edge as usize].next_in;
        ring(self.rows[vertex.index()].last_in, next).map(EdgeId)
    }

    /// The edge after this one among those that lead to the same position.
    fn next_origin(&self, edge: EdgeId) -> Option<EdgeId> {
        let row = self.edges[edge.index()];
        let is_last = self.rows[row.to as usize].last_in == edge.0;
        (!is_last).then_some(EdgeId(row.next_in))
    }

    /// The origins of a position, in order of discovery.
    pub fn origins(&self, vertex: Vertex) -> impl Iterator<Item = Origin> + '_ {
        self.origin_edges(vertex).map(|edge| self.origin(edge))
    }

    /// The edge as an origin of its target. O(1).
    pub fn origin(&self, edge: EdgeId) -> Origin {
        Origin {
            parent: self.source(edge),
            choice: self.edges[edge.index()].choice as usize,
            edge,
        }
    }

    /// The position before the move.
    #[inline]
    pub fn source(&self, edge: EdgeId) -> Vertex {
        Vertex(self.edges[edge.index()].from)
    }

    /// The position after the move.
    #[inline]
    pub fn target(&self, edge: EdgeId) -> Vertex {
        Vertex(self.edges[edge.index()].to)
    }

    /// The move of an edge.
    #[inline]
    pub fn move_of(&self, edge: EdgeId) -> &M {
        &self.moves[edge.index()]
    }

    /// The number of times the move was added.
    #[inline]
    pub fn times(&self, edge: EdgeId) -> u32 {
        self.edges[edge.index()].times
    }

    /// The number of times the position was reached by a move.
    pub fn times_reached(&self, vertex: Vertex) -> u64 {
        let origins = self.origin_edges(vertex);
        origins.map(|edge| u64::from(self.times(edge))).sum()
    }

    /// True if the position was reached in several ways; being a start position is one.
    pub fn is_transposition(&self, vertex: Vertex) -> bool {
        let started = usize::from(self.is_start(vertex));
        self.origin_edges(vertex).take(2).count() + started > 1
    }

    /// The smallest ply at which the position was reached.
    #[inline]
    pub fn min_ply(&self, vertex: Vertex) -> u32 {
        self.rows[vertex.index()].min_ply
    }

    /// The smallest variation depth at which the position was reached.
    #[inline]
    pub fn min_depth(&self, vertex: Vertex) -> u32 {
        self.rows[vertex.index()].min_depth
    }

    /// The greatest variation depth at which the position was reached.
    #[inline]
    pub fn max_depth(&self, vertex: Vertex) -> u32 {
        self.rows[vertex.index()].max_depth
    }

    /// Moves forward: the edge becomes the most recent origin of its target.
    pub fn walk(&mut self, edge: EdgeId) -> Vertex {
        let to = self.target(edge);
        self.rows[to.index()].recent = edge.0;
        to
    }

    /// The most recently used origin; before any walk the first one, and `None` at a start position.
    pub fn recent_origin(&self, vertex: Vertex) -> Option<Origin> {
        let edge = self.rows[vertex.index()].recent;
        (edge != NONE).then(|| self.origin(EdgeId(edge)))
    }

    /// The index of the most recent origin among [all origins](Graph::origins).
    pub fn recent_origin_index(&self, vertex: Vertex) -> Option<usize> {
        let edge = self.rows[vertex.index()].recent;
        self.origin_edges(vertex).position(|other| other.0 == edge)
    }

    /// The parent in the most recent origin.
    pub fn back(&self, vertex: Vertex) -> Option<Vertex> {
        let edge = self.rows[vertex.index()].recent;
        (edge != NONE).then(|| self.source(EdgeId(edge)))
    }

    /// The number of bytes allocated by the graph.
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<VertexRow>()
            + self.edges.capacity() * size_of::<EdgeRow>()
            + self.next_same.capacity() * size_of::<u32>()
            + self.keys.capacity() * size_of::<K>()
            + self.moves.capacity() * size_of::<M>()
            + self.by_key.allocation_size()
            + self.far_edges.allocation_size()
    }

    fn arrive(&mut self, vertex: Vertex, arrival: Arrival) {
        let row = &mut self.rows[vertex.index()];
        row.min_ply = row.min_ply.min(arrival.ply);
        row.min_depth = row.min_depth.min(arrival.depth);
        row.max_depth = row.max_depth.max(arrival.depth);
    }
}

/// The vertex of each node of an added tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VertexOf {
    vertices: Vec<u32>,
}

impl VertexOf {
    /// The node's vertex; `None` for a detached node.
    pub fn get(&self, node: NodeId) -> Option<Vertex> {
        let vertex = *self.vertices.get(node.index())?;
        (vertex != NONE).then_some(Vertex(vertex))
    }

    /// The inverse mapping: the nodes of each vertex.
    pub fn nodes(&self) -> NodesOf {
        let nodes = (0..self.vertices.len() as u32).map(NodeId);
        let mut pairs: Vec<_> = nodes
            .filter_map(|node| Some((self.get(node)?, node)))
            .collect();
        pairs.sort_unstable();
        NodesOf { pairs }
    }
}

/// The nodes of a tree by vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodesOf {
    pairs: Vec<(Vertex, NodeId)>,
}

impl NodesOf {
    /// The nodes of a vertex, in order of handle.
    pub fn get(&self, vertex: Vertex) -> impl Iterator<Item = NodeId> + '_ {
        let start = self.pairs.partition_point(|pair| pair.0 < vertex);
        let same = self.pairs[start..]
            .iter()
            .take_while(move |pair| pair.0 == vertex);
        same.map(|pair| pair.1)
    }
}

/// Pushes with a growth factor of 5/4, so that a large graph has little unused capacity.
fn push<T>(rows: &mut Vec<T>, row: T) {
    if rows.len() == rows.capacity() {
        rows.reserve_exact((rows.len() / 4).max(16));
    }
    rows.push(row);
}

/// Iterates over a ring, given its last element.
fn ring(last: u32, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let first = (last != NONE).then(|| next(last));
    std::iter::successors(first, move |&at| (at != last).then(|| next(at)))
}

/// Inserts a ring of one element after the last element of another ring.
fn append_to_ring<R>(rows: &mut [R], last: u32, new: u32, next: impl Fn(&mut R) -> &mut u32) {
    if last != NONE {
        let first = std::mem::replace(next(&mut rows[last as usize]), new);
        *next(&mut rows[new as usize]) = first;
    }
}
