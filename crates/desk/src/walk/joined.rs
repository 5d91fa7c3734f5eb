//! Walks through joined positions: the tree of paths through the graph, built as it is displayed.

use std::collections::VecDeque;
use std::sync::Arc;

use chess::pgn::Game;
use chess::{Identity, Move};
use rustc_hash::{FxHashMap, FxHashSet};
use tree::graph::{EdgeId, Graph, Vertex};
use tree::{LineCounts, NodeId, View};

use super::Walk;
use crate::joined::{Joined, Notes};
use crate::place::{GameView, Place, PlaceError, PlaceStep};

/// The graph of a walk, and the part of the tree of paths that is built.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    joined: Arc<Joined>,
    /// By node: its position, and the move that leads to it.
    nodes: Vec<(Vertex, Option<EdgeId>)>,
    /// By node: true if its continuations are built.
    built: Vec<bool>,
    /// The move by which each position was reached last.
    recent: FxHashMap<Vertex, EdgeId>,
}

/// A way to reach the current position: the position before it and the move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OriginPath {
    /// The moves, the last one included.
    pub path: String,
    /// The numbers of the first games with this last move, from 1; empty if there is one game.
    pub written_in: Vec<u32>,
    /// True if more games have it.
    pub more_games: bool,
    /// True for the way by which the position was reached.
    pub is_current: bool,
    /// True if the moves lead through the position before: a repetition, not another line.
    pub is_repetition: bool,
}

/// Construction and inspection.
impl Walk {
    /// A walk through joined positions, from a start position.
    pub fn joined(joined: Arc<Joined>, start: Vertex) -> Walk {
        Walk::from_vertex(joined, start, FxHashMap::default())
    }

    fn from_vertex(joined: Arc<Joined>, start: Vertex, recent: FxHashMap<Vertex, EdgeId>) -> Walk {
        let board = joined.positions().board_of(start).unwrap_or_default();
        let mut walk = Walk::new(Game::from_board(board));
        let mut notes = Notes::default();
        joined.annotate(&mut walk.game, NodeId::ROOT, None, start, &mut notes);
        notes.add_to(&mut walk.game);
        walk.lines.set(NodeId::ROOT, joined.lines_below(start));
        walk.paths = Some(Box::new(Paths {
            joined,
            nodes: vec![(start, None)],
            built: vec![false],
            recent,
        }));
        walk.build_displayed();
        walk
    }

    /// The graph, in positions mode.
    pub fn joined_graph(&self) -> Option<&Arc<Joined>> {
        self.paths.as_ref().map(|paths| &paths.joined)
    }

    /// The position of a node in the graph, in positions mode.
    pub fn vertex_of(&self, node: NodeId) -> Option<Vertex> {
        let paths = self.paths.as_ref()?;
        paths.nodes.get(node.index()).map(|row| row.0)
    }

    /// The move that leads to a node, as an edge of the graph, in positions mode.
    pub fn edge_to(&self, node: NodeId) -> Option<EdgeId> {
        self.paths.as_ref()?.nodes.get(node.index())?.1
    }

    /// The moves to the current node.
    pub fn moves(&self) -> Vec<Move> {
        self.moves_to(self.at)
    }

    /// The earlier node of the path with the same position, in positions mode.
    pub fn repeated(&self, node: NodeId) -> Option<NodeId> {
        let vertex = self.vertex_of(node)?;
        let mut above = self.tree().ancestors(node).skip(1);
        above.find(|&other| self.vertex_of(other) == Some(vertex))
    }

    /// The ways to reach the current position, in order of discovery, in positions mode.
    pub fn origins(&self, most: usize) -> (Vec<OriginPath>, usize) {
        let (Some(paths), Some(vertex)) = (&self.paths, self.vertex_of(self.at)) else {
            return (Vec::new(), 0);
        };
        let current = self.edge_to(self.at);
        let mut edges = paths.graph().origin_edges(vertex);
        let shown = edges.by_ref().take(most).map(|edge| {
            let (written_in, more_games) = paths.joined.written_in(edge);
            let moves = paths.edges_through(edge);
            OriginPath {
                path: paths.in_words(&moves),
                written_in,
                more_games,
                is_current: Some(edge) == current,
                is_repetition: paths.leads_through(&moves, vertex),
            }
        });
        (shown.collect(), edges.count())
    }
}

/// Navigation.
impl Walk {
    /// Goes to a place. In positions mode addresses and moves are resolved step by step, since
    /// each step may build more of the tree.
    pub fn go_to(&mut self, place: &Place) -> Result<(), PlaceError> {
        let Some(paths) = &self.paths else {
            let node = place.find(self.game_view(), self.at)?;
            self.go(node);
            return Ok(());
        };
        match place {
            Place::Id(id) => {
                let count = paths.graph().vertex_count() as u32;
                if id.0 >= count {
                    let last = count - 1;
                    return Err(PlaceError::NoSuchId { id: id.0, last });
                }
                self.go_to_vertex(Vertex(id.0));
                Ok(())
            }
            Place::Fen(fen) => {
                let vertex = paths.joined.positions().find_fen(fen)?;
                self.go_to_vertex(vertex);
                Ok(())
            }
            Place::Steps(steps) => self.take_steps(place, steps),
        }
    }

    /// Several moves that do not fit here are played from the start. A failure leaves the walk as
    /// it was.
    fn take_steps(&mut self, place: &Place, steps: &[PlaceStep]) -> Result<(), PlaceError> {
        let before = (self.at, self.view.clone());
        let result = self.try_steps(steps).or_else(|error| {
            if !place.is_line() {
                return Err(error);
            }
            self.go(NodeId::ROOT);
            self.try_steps(steps).map_err(|_| error)
        });
        if result.is_err() {
            (self.at, self.view) = before;
        }
        result
    }

    fn try_steps(&mut self, steps: &[PlaceStep]) -> Result<(), PlaceError> {
        for step in steps {
            // A path ends where a position repeats: its moves are at the earlier place.
            if let (PlaceStep::Move(_), Some(first)) = (step, self.repeated(self.at)) {
                self.go(first);
            }
            let step = Place::Steps(vec![step.clone()]);
            let node = step.find(self.game_view(), self.at)?;
            self.go(node);
        }
        Ok(())
    }

    /// Goes to a position of the graph by the ways that were used last.
    pub fn go_to_vertex(&mut self, vertex: Vertex) {
        if let Some(paths) = &self.paths {
            let path = paths.path_to(vertex);
            self.go_along(vertex, &path);
        }
    }

    /// Goes to the current position by another of its [origins](Walk::origins). Returns whether
    /// there is one with this index.
    pub fn choose_origin(&mut self, index: usize) -> bool {
        let (Some(paths), Some(vertex)) = (&self.paths, self.vertex_of(self.at)) else {
            return false;
        };
        let Some(edge) = paths.graph().origin_edges(vertex).nth(index) else {
            return false;
        };
        let path = paths.edges_through(edge);
        self.go_along(vertex, &path);
        true
    }

    /// To the current position by the next of its origins; if it has only one, by the next origin
    /// of the nearest position before it that has several.
    pub(super) fn next_origin(&mut self) -> bool {
        let (Some(paths), Some(vertex)) = (&self.paths, self.vertex_of(self.at)) else {
            return false;
        };
        let mut above = self.tree().ancestors(self.at);
        let found = above.find_map(|node| Some((node, self.other_origin(node)?)));
        drop(above);
        let Some((node, origin)) = found else {
            return false;
        };
        let line = self.tree().line(self.at).into_iter();
        let rest = line.skip_while(|&other| other != node).skip(1);
        let mut path = paths.edges_through(origin);
        path.extend(rest.filter_map(|node| self.edge_to(node)));
        self.go_along(vertex, &path);
        true
    }

    /// The origin after the one by which a node was reached, if there are several.
    fn other_origin(&self, node: NodeId) -> Option<EdgeId> {
        let (paths, current) = (self.paths.as_ref()?, self.edge_to(node)?);
        let mut origins = paths.graph().origin_edges(self.vertex_of(node)?);
        let first = origins.next();
        let mut rest = first.into_iter().chain(origins);
        rest.find(|&edge| edge == current);
        rest.next().or(first).filter(|&edge| edge != current)
    }

    /// Follows moves from the start as far as the graph has them. Returns their number.
    pub fn follow(&mut self, moves: &[Move]) -> usize {
        self.go(NodeId::ROOT);
        for (done, mv) in moves.iter().enumerate() {
            let Some(next) = self.tree().child_by(self.at, |other| other == mv) else {
                return done;
            };
            self.go(next);
        }
        moves.len()
    }

    /// Goes to a position along a path; from another start position if the path begins there.
    fn go_along(&mut self, vertex: Vertex, path: &[EdgeId]) {
        let Some(paths) = &self.paths else {
            return;
        };
        let graph = paths.graph();
        let start = path.first().map_or(vertex, |&edge| graph.source(edge));
        let moves: Vec<Move> = path.iter().map(|&edge| *graph.move_of(edge)).collect();
        if paths.nodes[0].0 != start {
            let (joined, recent) = (Arc::clone(&paths.joined), paths.recent.clone());
            *self = Walk {
                matches: self.matches.take(),
                ..Walk::from_vertex(joined, start, recent)
            };
        }
        self.follow(&moves);
    }

    /// Remembers by which move the current position was reached.
    pub(super) fn remember_origin(&mut self) {
        let at = self.at;
        if let Some(paths) = &mut self.paths
            && let (vertex, Some(edge)) = paths.nodes[at.index()]
        {
            paths.recent.insert(vertex, edge);
        }
    }

    /// Builds the displayed line with its alternatives, and what follows these, so that the table
    /// knows where lines end. A path ends where a position repeats.
    pub(super) fn build_displayed(&mut self) {
        let Some(paths) = &mut self.paths else {
            return;
        };
        let mut notes = Notes::default();
        let mut on_line = FxHashSet::default();
        let mut next = Some(NodeId::ROOT);
        while let Some(node) = next {
            if !on_line.insert(paths.nodes[node.index()].0) {
                break;
            }
            paths.build(&mut self.game, &mut self.lines, node, &mut notes);
            let children: Vec<NodeId> = self.game.tree().children(node).collect();
            for child in children {
                if !on_line.contains(&paths.nodes[child.index()].0) {
                    paths.build(&mut self.game, &mut self.lines, child, &mut notes);
                }
            }
            next = self.view.next(self.game.tree(), node);
        }
        notes.add_to(&mut self.game);
    }
}

impl Paths {
    fn graph(&self) -> &Graph<u128, Move> {
        self.joined.positions().graph()
    }

    /// Builds the continuations of a node.
    fn build(&mut self, game: &mut Game, lines: &mut LineCounts, node: NodeId, notes: &mut Notes) {
        if std::mem::replace(&mut self.built[node.index()], true) {
            return;
        }
        let joined = Arc::clone(&self.joined);
        let positions = joined.positions();
        // Positions that differ in en passant count as one, but have different legal moves.
        let board = (positions.identity() == Identity::Base).then(|| game.board_at(node));
        let is_legal = |mv: Move| board.as_ref().is_none_or(|board| board.is_legal(mv));
        let moves = positions.moves(self.nodes[node.index()].0);
        for (edge, mv) in moves.filter(|(_, mv)| is_legal(*mv)) {
            let to = positions.graph().target(edge);
            let child = game.tree_mut().add_child(node, mv);
            self.nodes.push((to, Some(edge)));
            self.built.push(false);
            lines.set(child, joined.lines_below(to));
            joined.annotate(game, child, Some(edge), to, notes);
        }
    }

    /// The path to a position by the moves that were used last, or else by those that discovered
    /// it.
    fn path_to(&self, vertex: Vertex) -> Vec<EdgeId> {
        let graph = self.graph();
        let first = |at: Vertex| graph.origin_edges(at).next();
        let recent = |at: Vertex| self.recent.get(&at).copied().or_else(|| first(at));
        let path = graph.path_by(vertex, recent);
        let path = path.or_else(|| graph.path_by(vertex, first));
        path.unwrap_or_default()
    }

    /// The path to the position before a move, and the move; if possible without a repetition of the
    /// position after it.
    fn edges_through(&self, edge: EdgeId) -> Vec<EdgeId> {
        let graph = self.graph();
        let (before, after) = (graph.source(edge), graph.target(edge));
        let mut path = self.path_to(before);
        if self.leads_through(&path, after) {
            path = self.path_around(before, after).unwrap_or(path);
        }
        path.push(edge);
        path
    }

    /// A shortest path to a position that does not lead through another one, unless most positions
    /// before it would have to be searched.
    fn path_around(&self, to: Vertex, avoided: Vertex) -> Option<Vec<EdgeId>> {
        const MOST: usize = 10_000;
        let graph = self.graph();
        let mut next: FxHashMap<Vertex, EdgeId> = FxHashMap::default();
        let mut open = VecDeque::from([to]);
        while let Some(at) = open.pop_front().filter(|_| next.len() < MOST) {
            if graph.is_start(at) {
                let edges = std::iter::successors(next.get(&at), |&&edge| {
                    let to_next = graph.target(edge);
                    next.get(&to_next).filter(|_| to_next != to)
                });
                return Some(edges.copied().collect());
            }
            for edge in graph.origin_edges(at) {
                let from = graph.source(edge);
                if from != avoided && from != to && !next.contains_key(&from) {
                    next.insert(from, edge);
                    open.push_back(from);
                }
            }
        }
        None
    }

    fn leads_through(&self, path: &[EdgeId], vertex: Vertex) -> bool {
        path.iter().any(|&edge| self.graph().source(edge) == vertex)
    }

    fn in_words(&self, edges: &[EdgeId]) -> String {
        let graph = self.graph();
        let start = edges
            .first()
            .map_or(self.nodes[0].0, |&edge| graph.source(edge));
        let board = self.joined.positions().board_of(start).unwrap_or_default();
        let mut game = Game::from_board(board);
        let mut at = NodeId::ROOT;
        for &edge in edges {
            at = game.tree_mut().add_child(at, *graph.move_of(edge));
        }
        let view = View::new();
        let game_view = GameView {
            game: &game,
            view: &view,
        };
        game_view.path(at)
    }
}
