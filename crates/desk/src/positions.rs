//! Games as one graph: every position once, with all its occurrences.
//!
//! ```
//! use gametree_chess::{Identity, pgn::read_game};
//! use gametree_desk::positions::Positions;
//!
//! let game = read_game(b"1. d4 Nf6 (1... d5 2. c4) 2. c4 d5 *").unwrap();
//! let positions = Positions::of(vec![game], Identity::Strict);
//! assert_eq!(positions.graph().vertex_count(), 7);
//! ```

mod counts;
mod order;
mod shared;

use std::convert::Infallible;
use std::fmt;

use chess::pgn::Game;
use chess::{Board, KeyedBoard, Move};

pub use chess::Identity;
pub use counts::PositionCounts;
pub use order::{Boards, Homes, Lines};
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};
pub use shared::Shared;
use tree::graph::{self, EdgeId, Graph, Vertex, VertexOf};
use tree::{NodeId, Tree, View};

use crate::games::{Games, Run};
use crate::place::{GameView, Place, PlaceError, read_move};
use kit::Workers;
use order::LazyIndex;

/// An occurrence of a position: a node of one of the games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// The index of the game.
    pub game: usize,
    /// The node.
    pub node: NodeId,
}

/// A place as users write it and `show --at` opens it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Address {
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The moves to the place.
    pub path: MovePath,
}

/// Longer paths are not written out, since results may have one for each of a million nodes.
pub const LONGEST_PATH: usize = 1000;

/// Moves from the initial position, `1.e4 c5 2.Nf3`; after [very many](LONGEST_PATH) the position
/// id, `#5000`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MovePath(pub String);

impl MovePath {
    /// A text for [`Place::read`]: the position id at the start, where there are no moves.
    pub fn as_place(&self) -> &str {
        match self.0.as_str() {
            "" => "0",
            moves => moves,
        }
    }
}

impl fmt::Display for MovePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.0.as_str() {
            "" => "the start",
            moves => moves,
        })
    }
}

impl Serialize for MovePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_place())
    }
}

/// Some games and the graph of their positions.
#[derive(Clone, Debug)]
pub struct Positions {
    games: Vec<Game>,
    graph: Graph<u128, Move>,
    each: graph::Identity,
    same: Identity,
    vertices: Vec<VertexOf>,
    spots: Spots,
    indexes: Vec<LazyIndex>,
    /// The first game of each number; numbers are unique in one file.
    by_number: FxHashMap<u64, usize>,
}

/// The occurrences of each position: spots in rings, with the last spot of each vertex.
#[derive(Clone, Debug, Default)]
struct Spots {
    /// Each spot and the next spot of its vertex.
    rows: Vec<(Spot, u32)>,
    /// By vertex.
    last: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Spots {
    fn push(&mut self, vertex: Vertex, spot: Spot) {
        if self.last.len() <= vertex.index() {
            self.last.resize(vertex.index() + 1, NONE);
        }
        let new = self.rows.len() as u32;
        let last = std::mem::replace(&mut self.last[vertex.index()], new);
        let first = match last {
            NONE => new,
            last => std::mem::replace(&mut self.rows[last as usize].1, new),
        };
        self.rows.push((spot, first));
    }

    fn of(&self, vertex: Vertex) -> impl Iterator<Item = Spot> + Clone + '_ {
        let last = self.last.get(vertex.index()).copied().unwrap_or(NONE);
        let next = |at: u32| self.rows[at as usize].1;
        let first = (last != NONE).then(|| next(last));
        let all = std::iter::successors(first, move |&at| (at != last).then(|| next(at)));
        all.map(|at| self.rows[at as usize].0)
    }
}

impl Positions {
    /// The graph of these games: nodes with the same position share a vertex.
    pub fn of(games: Vec<Game>, same: Identity) -> Positions {
        Positions::by(graph::Identity::Position, games, same)
    }

    /// The graph with one vertex for each position, or for each sequence of moves.
    pub fn by(each: graph::Identity, games: Vec<Game>, same: Identity) -> Positions {
        let mut positions = Positions {
            games: Vec::with_capacity(games.len()),
            graph: Graph::new(each),
            each,
            same,
            vertices: Vec::with_capacity(games.len()),
            spots: Spots::default(),
            indexes: Vec::with_capacity(games.len()),
            by_number: FxHashMap::default(),
        };
        games.into_iter().for_each(|game| positions.add(game));
        positions
    }

    /// The graph with one vertex for each sequence of moves.
    pub fn by_moves(games: Vec<Game>, same: Identity) -> Positions {
        Positions::by(graph::Identity::Move, games, same)
    }

    /// Adds a game. The time depends on its own length only.
    pub fn add(&mut self, game: Game) {
        let index = self.games.len();
        let mut keys = Keys::new(&game, self.same);
        let vertices = self.graph.add_tree(game.tree(), |node| keys.at(node));
        for node in game.tree().preorder() {
            if let Some(vertex) = vertices.get(node) {
                self.spots.push(vertex, Spot { game: index, node });
            }
        }
        self.vertices.push(vertices);
        self.indexes.push(LazyIndex::default());
        self.by_number.entry(game.place().number).or_insert(index);
        self.games.push(game);
    }

    /// Reads all games into memory and builds a graph with a vertex for each sequence of moves.
    pub fn read_by_moves(games: &Games, workers: &Workers, same: Identity) -> Run<Positions> {
        read_all(games, workers).map(|games| Positions::by_moves(games, same))
    }

    /// Reads all games into memory and builds their graph.
    pub fn read(games: &Games, workers: &Workers, same: Identity) -> Run<Positions> {
        read_all(games, workers).map(|games| Positions::of(games, same))
    }

    /// The games.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The games without the graph.
    pub fn into_games(self) -> Vec<Game> {
        self.games
    }

    /// The game of a spot.
    pub fn game(&self, spot: Spot) -> &Game {
        &self.games[spot.game]
    }

    /// The index of the game with this number in its file.
    pub fn game_of_number(&self, number: u64) -> Option<usize> {
        self.by_number.get(&number).copied()
    }

    /// The graph.
    pub fn graph(&self) -> &Graph<u128, Move> {
        &self.graph
    }

    /// Which positions are the same.
    pub fn identity(&self) -> Identity {
        self.same
    }

    /// True if nodes with the same position share a vertex.
    pub fn is_by_position(&self) -> bool {
        self.each == graph::Identity::Position
    }

    /// All spots: by game, then by position id.
    pub fn all(&self) -> impl Iterator<Item = Spot> + '_ {
        let numbered = self.games.iter().enumerate();
        numbered.flat_map(|(game, it)| it.tree().preorder().map(move |node| Spot { game, node }))
    }

    /// The vertex of a spot.
    pub fn vertex(&self, spot: Spot) -> Option<Vertex> {
        self.vertices.get(spot.game)?.get(spot.node)
    }

    /// The occurrences of a position, in order.
    pub fn spots(&self, vertex: Vertex) -> impl Iterator<Item = Spot> + Clone + '_ {
        self.spots.of(vertex)
    }

    /// The vertex of a board's position.
    pub fn find(&self, board: &Board) -> Option<Vertex> {
        self.graph.find(board.key(self.same))
    }

    /// The position of a place in one of the games; a FEN is searched in all games.
    pub fn locate(&self, place: &Place, game: usize) -> Result<Vertex, LocateError> {
        let found = match (place, self.games.get(game)) {
            (_, None) => return Err(LocateError::NoSuchGame(game as u64 + 1, self.games.len())),
            (Place::Fen(fen), Some(_)) => Some(self.find_fen(fen)?),
            (place, Some(at)) => {
                let node = place.find(game_view(at, &View::new()), NodeId::ROOT)?;
                self.vertex(Spot { game, node })
            }
        };
        found.ok_or(LocateError::Place(PlaceError::PositionNotFound))
    }

    /// The position of a place in the first game; a line of moves is searched in all games, then
    /// played from their start positions.
    pub fn locate_anywhere(&self, place: &Place) -> Result<Vertex, LocateError> {
        let first = self.locate(place, 0);
        let Some(line) = place.moves().filter(|_| first.is_err()) else {
            return first;
        };
        let others = 1..self.games.len();
        let mut found = others.filter_map(|game| self.locate(place, game).ok());
        let found = found.next().or_else(|| self.reached_by(&line));
        found.map_or_else(|| self.locate_in_closest(place, &line), Ok)
    }

    /// The same in the game that has most of a line, and most moves after that.
    fn locate_in_closest(&self, place: &Place, line: &[&str]) -> Result<Vertex, LocateError> {
        let common = |game: &usize| {
            let game = &self.games[*game];
            let (plies, last) = followed(game, line);
            (plies, game.tree().child_count(last))
        };
        // Of equals the last one is chosen, here the first game.
        let closest = (0..self.games.len()).rev().max_by_key(common);
        let game = closest.unwrap_or_default();
        self.locate(place, game).map_err(|error| match error {
            LocateError::Place(error) if self.games.len() > 1 => {
                let number = self.games[game].place().number.max(1);
                LocateError::InGame(number, error)
            }
            error => error,
        })
    }

    /// The position after these moves from a start position, in whichever lines they are written.
    fn reached_by(&self, line: &[&str]) -> Option<Vertex> {
        let mut starts = self.graph.starts().iter();
        starts.find_map(|&start| {
            let mut board = self.board_of(start)?;
            for word in line {
                let mv = read_move(&board, word).ok()?;
                board.play(mv);
            }
            self.find(&board)
        })
    }

    /// The first position with this FEN in any game; without the side to move, with these pieces.
    pub fn find_fen(&self, fen: &str) -> Result<Vertex, PlaceError> {
        let place = Place::Fen(fen.to_owned());
        let mut why = PlaceError::PositionNotFound;
        for (game, it) in self.games.iter().enumerate() {
            match place.find(game_view(it, &View::new()), NodeId::ROOT) {
                Ok(node) => {
                    let vertex = self.vertex(Spot { game, node });
                    return vertex.ok_or(PlaceError::PositionNotFound);
                }
                Err(error) => why = error,
            }
        }
        Err(why)
    }

    /// The moves to a spot.
    pub fn move_path(&self, spot: Spot) -> MovePath {
        move_path(self.game(spot), spot.node)
    }

    /// The number of a spot's game in its file, from 1.
    pub fn game_number(&self, spot: Spot) -> u64 {
        self.game(spot).place().number.max(1)
    }

    /// The spot as users write it: the moves, or the position id where the moves are too many to
    /// write out.
    pub fn address(&self, spot: Spot) -> Address {
        let path = if self.ply(spot) as usize > LONGEST_PATH {
            MovePath(format!("#{}", self.position_id(spot).0))
        } else {
            self.move_path(spot)
        };
        Address {
            game: self.game_number(spot),
            path,
        }
    }

    /// The position at a spot.
    pub fn board(&self, spot: Spot) -> Board {
        self.game(spot).board_at(spot.node)
    }

    /// A vertex's position; none for a vertex of another graph.
    pub fn board_of(&self, vertex: Vertex) -> Option<Board> {
        let first = self.spots(vertex).next()?;
        Some(self.board(first))
    }

    /// The moves from a position in all its places, starting with the primary move of the first
    /// place.
    pub fn moves(&self, vertex: Vertex) -> impl Iterator<Item = (EdgeId, Move)> + '_ {
        let edges = self.graph.edges(vertex);
        edges.map(|edge| (edge, *self.graph.move_of(edge)))
    }

    /// The nodes that a move from a position leads to, in order: one for each time the move is
    /// written.
    pub fn occurrences(&self, edge: EdgeId) -> impl Iterator<Item = Spot> + '_ {
        let mv = *self.graph.move_of(edge);
        let from = self.spots(self.graph.source(edge));
        from.flat_map(move |spot| {
            let tree = self.game(spot).tree();
            let children = tree.children(spot.node);
            let same = children.filter(move |&child| tree.move_to(child) == Some(&mv));
            same.map(move |node| Spot { node, ..spot })
        })
    }
}

/// The reason why no position was found.
#[derive(Debug)]
pub enum LocateError {
    /// There is no such game: the requested number, and the number of games.
    NoSuchGame(u64, usize),
    /// The place does not exist.
    Place(PlaceError),
    /// The line does not exist in any game: the number of the game that has most of it.
    InGame(u64, PlaceError),
}

impl From<PlaceError> for LocateError {
    fn from(error: PlaceError) -> LocateError {
        LocateError::Place(error)
    }
}

impl fmt::Display for LocateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LocateError::NoSuchGame(_, 0) => f.write_str("the file has no games"),
            LocateError::NoSuchGame(number, games) => {
                write!(f, "no game {number}; the file has games 1 to {games}")
            }
            LocateError::Place(error) => error.fmt(f),
            LocateError::InGame(number, error) => write!(f, "game {number}: {error}"),
        }
    }
}

impl std::error::Error for LocateError {}

/// The moves to a node of a game.
pub fn move_path(game: &Game, node: NodeId) -> MovePath {
    MovePath(game_view(game, &View::new()).path(node))
}

/// How many moves of a line a game has, and the node after them.
fn followed(game: &Game, line: &[&str]) -> (usize, NodeId) {
    let (mut board, mut node) = (game.start().clone(), NodeId::ROOT);
    for (plies, word) in line.iter().enumerate() {
        let mv = read_move(&board, word).ok();
        let next = mv.and_then(|mv| Some((mv, game.tree().child_by(node, |it| *it == mv)?)));
        let Some((mv, next)) = next else {
            return (plies, node);
        };
        board.play(mv);
        node = next;
    }
    (line.len(), node)
}

/// A view of a game in its own order, to resolve places.
fn game_view<'a>(game: &'a Game, view: &'a View) -> GameView<'a> {
    GameView { game, view }
}

/// Reads all games into memory.
pub fn read_all(games: &Games, workers: &Workers) -> Run<Vec<Game>> {
    let mut all = Vec::new();
    let run = games.run_holding(
        workers,
        |batch| {
            let mut some = Vec::new();
            batch.read(|game, _| some.push(std::mem::take(game)));
            some
        },
        |some| {
            all.extend(some);
            Ok::<(), Infallible>(())
        },
    );
    match run {
        Ok(run) => run.with(all),
        Err(never) => match never {},
    }
}

/// The keys of a game's positions, computed in preorder: each costs one move.
pub struct Keys<'a> {
    tree: &'a Tree<Move>,
    same: Identity,
    /// The path to the last requested node.
    path: Vec<(NodeId, KeyedBoard)>,
}

impl<'a> Keys<'a> {
    /// The keys of this game.
    pub fn new(game: &'a Game, same: Identity) -> Keys<'a> {
        Keys::of(game.tree(), game.start(), same)
    }

    /// The keys of a tree that starts from this board.
    pub fn of(tree: &'a Tree<Move>, start: &Board, same: Identity) -> Keys<'a> {
        let start = KeyedBoard::new(start.clone());
        Keys {
            tree,
            same,
            path: vec![(NodeId::ROOT, start)],
        }
    }

    /// The keys below a node with this board.
    pub(crate) fn below(
        tree: &'a Tree<Move>,
        top: NodeId,
        board: KeyedBoard,
        same: Identity,
    ) -> Keys<'a> {
        let path = vec![(top, board)];
        Keys { tree, same, path }
    }

    /// The key of the next node in preorder, or of any node whose parent is on the last path.
    pub fn at(&mut self, node: NodeId) -> u128 {
        let same = self.same;
        self.board(node).key(same)
    }

    /// The board of that node.
    pub fn board(&mut self, node: NodeId) -> &KeyedBoard {
        if let (Some(parent), Some(&mv)) = (self.tree.parent(node), self.tree.move_to(node)) {
            self.path.truncate(self.depth_of(parent) + 1);
            let mut board = self.path[self.path.len() - 1].1.clone();
            board.play(mv);
            self.path.push((node, board));
        } else {
            self.path.truncate(1);
        }
        &self.path[self.path.len() - 1].1
    }

    /// The index of a node on the path; 0 if it is not there.
    fn depth_of(&self, node: NodeId) -> usize {
        let found = self.path.iter().rposition(|(other, _)| *other == node);
        found.unwrap_or(0)
    }
}

#[cfg(test)]
pub(crate) mod tests;
