//! Positions mode: all games as one, each position with the continuations from all its places.
//!
//! A [`Joined`] is the position graph of some games with what a table shows of it. A
//! [walk](crate::walk::Walk::joined) through it has a tree of its own: the paths through the graph,
//! built as far as they are displayed. A path ends where a position repeats, so it is finite.

use std::sync::OnceLock;

use chess::Identity;
use chess::link::Link;
use chess::pgn::{Game, Note};
use rustc_hash::FxHashSet;
use tree::NodeId;
use tree::graph::{EdgeId, Vertex};

use crate::link::add_links;
use crate::positions::{Positions, Shared, Spot, move_path};
use crate::query::{CompileError, NodeQuery};

/// The positions of some games, each once.
#[derive(Clone, Debug)]
pub struct Joined {
    positions: Positions,
    /// By vertex: the lines below it, each continuation counted where it is written first.
    lines: Vec<u32>,
    /// By edge: the first games that have the move. Empty for a single game.
    written: Vec<WrittenIn>,
    shared: OnceLock<Shared>,
}

/// The games in which a move is written: the first ones, and whether there are more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct WrittenIn {
    /// The numbers of the games from 1; 0 for none.
    first: [u32; 2],
    more: bool,
}

impl WrittenIn {
    fn add(&mut self, number: u32) {
        match self.first {
            [a, b] if a == number || b == number => {}
            [0, _] => self.first[0] = number,
            [_, 0] => self.first[1] = number,
            _ => self.more = true,
        }
    }
}

impl Joined {
    /// Joins the games of a graph with one vertex for each position.
    pub fn new(positions: Positions) -> Joined {
        Joined {
            lines: lines_below(&positions),
            written: written_in(&positions),
            shared: OnceLock::new(),
            positions,
        }
    }

    /// Joins games.
    pub fn of(games: Vec<Game>, same: Identity) -> Joined {
        Joined::new(Positions::of(games, same))
    }

    /// The graph, and the games.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Repetitions and transpositions.
    pub fn shared(&self) -> &Shared {
        self.shared.get_or_init(|| Shared::new(&self.positions))
    }

    /// The lines below a position, each continuation counted where it is written first: one for a
    /// position without continuation.
    pub fn lines_below(&self, vertex: Vertex) -> u32 {
        self.lines[vertex.index()]
    }

    /// The numbers of all games in the form of [`written_in`](Joined::written_in).
    pub(crate) fn all_games(&self) -> (Vec<u32>, bool) {
        match self.positions.games().len() as u32 {
            0 | 1 => (Vec::new(), false),
            games => (vec![1, 2], games > 2),
        }
    }

    /// The numbers of the games that have a move, from 1: the first two, and whether there are
    /// more. Empty if there is only one game.
    pub fn written_in(&self, edge: EdgeId) -> (Vec<u32>, bool) {
        let known = self.written.get(edge.index()).copied().unwrap_or_default();
        let numbers = known.first.into_iter().filter(|&number| number > 0);
        (numbers.collect(), known.more)
    }

    /// The numbers of all games that have a move, from 1.
    pub fn games_of(&self, edge: EdgeId) -> Vec<usize> {
        let spots = self.positions.occurrences(edge);
        let mut games: Vec<usize> = spots.map(|spot| spot.game + 1).collect();
        games.dedup();
        games
    }

    /// True if the position of a spot continues at another spot that is not above it.
    pub fn continues_elsewhere(&self, spot: Spot) -> bool {
        let positions = &self.positions;
        let continues = |other: &Spot| !positions.game(*other).tree().is_terminal(other.node);
        let vertex = positions.vertex(spot);
        let mut others = vertex
            .into_iter()
            .flat_map(|vertex| positions.spots(vertex));
        others.any(|other| continues(&other) && !positions.is_above(other, spot))
    }

    /// The number of different moves after a position, at any distance.
    pub fn moves_below(&self, vertex: Vertex) -> u64 {
        let graph = self.positions.graph();
        let mut seen = FxHashSet::from_iter([vertex]);
        let mut open = vec![vertex];
        let mut moves = 0;
        while let Some(vertex) = open.pop() {
            for edge in graph.edges(vertex) {
                moves += 1;
                let to = graph.target(edge);
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        moves
    }

    /// The start position of a game.
    pub fn start_of(&self, game: usize) -> Option<Vertex> {
        let node = NodeId::ROOT;
        self.positions.vertex(Spot { game, node })
    }

    /// The spots of the last move of a path, or of a position that no move leads to.
    pub fn spots_of(&self, edge: Option<EdgeId>, at: Vertex) -> Vec<Spot> {
        match edge {
            Some(edge) => self.positions.occurrences(edge).collect(),
            None => {
                let starts = |spot: &Spot| spot.node == NodeId::ROOT;
                self.positions.spots(at).filter(starts).collect()
            }
        }
    }

    /// The positions that match a CQL query in one of the games.
    pub fn matching(&self, query: &str) -> Result<FxHashSet<Vertex>, CompileError> {
        let query = NodeQuery::new(query)?;
        let mut found = FxHashSet::default();
        for (game, it) in self.positions.games().iter().enumerate() {
            let nodes = query.matches(it, game as u64 + 1).into_iter();
            found.extend(nodes.filter_map(|node| self.positions.vertex(Spot { game, node })));
        }
        Ok(found)
    }

    /// The positions from which a path leads to one of these.
    pub fn leading_to(&self, wanted: &FxHashSet<Vertex>) -> FxHashSet<Vertex> {
        let graph = self.positions.graph();
        let mut above = FxHashSet::default();
        let mut open: Vec<Vertex> = wanted.iter().copied().collect();
        while let Some(vertex) = open.pop() {
            let origins = graph.origins(vertex).map(|origin| origin.parent);
            open.extend(origins.filter(|&parent| above.insert(parent)));
        }
        above
    }

    /// Each continuation once, as a game: where it has the fewest deviations. Other lines end with
    /// a reference to it. Positions that differ in en passant stay apart: a capture of one may be
    /// illegal in the other.
    pub fn to_game(&self, start: Vertex) -> Game {
        if self.positions.identity() == Identity::Base {
            let strict = Joined::of(self.positions.games().to_vec(), Identity::Strict);
            let game = self
                .positions
                .spots(start)
                .next()
                .map_or(0, |spot| spot.game);
            let start = strict.start_of(game);
            return start.map_or_else(Game::new, |start| strict.to_game(start));
        }
        let graph = self.positions.graph();
        let unrolled = graph.unroll(start);
        let board = self.positions.board_of(start).unwrap_or_default();
        let mut game = Game::from_board(board);
        *game.tree_mut() = unrolled.tree;
        let mut notes = Notes::default();
        for node in game.tree().preorder().collect::<Vec<_>>() {
            let vertex = unrolled.vertices[node.index()];
            let parent = game.tree().parent(node);
            let edge = parent
                .zip(game.tree().move_to(node))
                .and_then(|(parent, mv)| graph.edge_by(unrolled.vertices[parent.index()], mv));
            self.annotate(&mut game, node, edge, vertex, &mut notes);
        }
        notes.add_to(&mut game);
        let links = unrolled.links.iter();
        let links = links.filter(|link| !game.tree().is_terminal(link.to));
        let links = links.map(|link| (link.from, Link::to(move_path(&game, link.to).0)));
        let links: Vec<(NodeId, Link)> = links.collect();
        add_links(&mut game, links);
        game
    }

    /// Adds the annotations that a move has in all its places, without references.
    pub(crate) fn annotate(
        &self,
        game: &mut Game,
        node: NodeId,
        edge: Option<EdgeId>,
        vertex: Vertex,
        notes: &mut Notes,
    ) {
        let mut nags: Vec<u32> = Vec::new();
        let mut known: FxHashSet<&str> = FxHashSet::default();
        for spot in self.spots_of(edge, vertex) {
            let from = self.positions.game(spot);
            nags.extend(from.nags_at(spot.node));
            for note in from.notes_at(spot.node) {
                let text = from.text(note.text);
                let is_link = note.is_comment() && Link::read(text).is_some();
                if !is_link && known.insert(text) {
                    let text = game.add_text(text);
                    notes.0.push((node, Note { text, ..*note }));
                }
            }
        }
        let mut once = FxHashSet::default();
        nags.retain(|&nag| once.insert(nag));
        if !nags.is_empty() {
            game.set_nags(node, nags);
        }
    }
}

/// Notes to be added together.
#[derive(Default)]
pub(crate) struct Notes(Vec<(NodeId, Note)>);

impl Notes {
    pub(crate) fn add_to(self, game: &mut Game) {
        if !self.0.is_empty() {
            game.add_notes(self.0);
        }
    }
}

/// Vertices are numbered in order of discovery, so the moves that discovered them form a tree in
/// which parents come first.
fn lines_below(positions: &Positions) -> Vec<u32> {
    let graph = positions.graph();
    let mut lines = vec![0u32; graph.vertex_count()];
    for vertex in (0..graph.vertex_count() as u32).rev().map(Vertex) {
        let below = graph.edges(vertex).map(|edge| {
            let to = graph.target(edge);
            let is_first = !graph.is_start(to) && graph.origin_edges(to).next() == Some(edge);
            if is_first { lines[to.index()] } else { 1 }
        });
        let sum = below.fold(0u32, u32::saturating_add);
        lines[vertex.index()] = sum.max(1);
    }
    lines
}

fn written_in(positions: &Positions) -> Vec<WrittenIn> {
    if positions.games().len() < 2 {
        return Vec::new();
    }
    let graph = positions.graph();
    let mut written = vec![WrittenIn::default(); graph.edge_count()];
    for spot in positions.all() {
        let tree = positions.game(spot).tree();
        let parent = tree.parent(spot.node).map(|node| Spot { node, ..spot });
        let from = parent.and_then(|parent| positions.vertex(parent));
        let edge = from
            .zip(tree.move_to(spot.node))
            .and_then(|(from, mv)| graph.edge_by(from, mv));
        if let Some(edge) = edge {
            written[edge.index()].add(spot.game as u32 + 1);
        }
    }
    written
}

#[cfg(test)]
mod tests;
