//! Relations between spots: ids, plies, ancestors, lines and main places, each looked up in O(1).

use std::sync::OnceLock;

use chess::pgn::Game;
use chess::{Board, Color, Move};
use rustc_hash::FxHashMap;
use tree::graph::Vertex;
use tree::{NodeId, PositionId, PreorderIndex};

use super::{Positions, Spot};

/// The preorder index of a game, built on first use.
#[derive(Clone, Debug, Default)]
pub(super) struct LazyIndex(OnceLock<Box<PreorderIndex>>);

impl LazyIndex {
    fn of(&self, game: &Game) -> &PreorderIndex {
        self.0
            .get_or_init(|| Box::new(PreorderIndex::of(game.tree())))
    }
}

impl Positions {
    fn lookup(&self, spot: Spot) -> (&PreorderIndex, PositionId) {
        let index = self.indexes[spot.game].of(&self.games[spot.game]);
        let id = index.position(spot.node).unwrap_or(PositionId::ROOT);
        (index, id)
    }

    /// The spot's index in the preorder of its game.
    pub fn position_id(&self, spot: Spot) -> PositionId {
        self.lookup(spot).1
    }

    /// The number of moves before a spot.
    pub fn ply(&self, spot: Spot) -> u32 {
        let (index, id) = self.lookup(spot);
        index.ply(id)
    }

    /// The number of secondary moves before a spot.
    pub fn depth(&self, spot: Spot) -> u32 {
        let (index, id) = self.lookup(spot);
        index.depth(id)
    }

    /// The side to move.
    pub fn turn(&self, spot: Spot) -> Color {
        let start = self.game(spot).start().turn();
        if self.ply(spot).is_multiple_of(2) {
            start
        } else {
            !start
        }
    }

    /// The number of moves below a spot.
    pub fn moves_below(&self, spot: Spot) -> u64 {
        let (index, id) = self.lookup(spot);
        index.subtree(id).len() as u64 - 1
    }

    /// True if the first spot is a proper ancestor of the second.
    pub fn is_above(&self, above: Spot, below: Spot) -> bool {
        let (index, first) = self.lookup(above);
        above.game == below.game && index.is_ancestor(first, self.position_id(below))
    }
}

/// The line of every spot as a number: equal for spots with the same moves from the same initial
/// position.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// By game and node.
    lines: Vec<Vec<u32>>,
    starts: FxHashMap<Vertex, u32>,
    steps: FxHashMap<(u32, Move), u32>,
}

impl Lines {
    /// Numbers the lines of all games. O(n).
    pub fn new(positions: &Positions) -> Lines {
        let mut lines = Lines::default();
        for (game, it) in positions.games.iter().enumerate() {
            let root = positions.vertex(Spot {
                game,
                node: NodeId::ROOT,
            });
            let numbers = root.map_or_else(Vec::new, |root| lines.number(it, root));
            lines.lines.push(numbers);
        }
        lines
    }

    fn number(&mut self, game: &Game, root: Vertex) -> Vec<u32> {
        let tree = game.tree();
        let mut numbers = vec![0; tree.capacity_used()];
        for node in tree.preorder() {
            let new = (self.starts.len() + self.steps.len()) as u32;
            numbers[node.index()] = match (tree.parent(node), tree.move_to(node)) {
                (Some(parent), Some(&mv)) => {
                    let step = (numbers[parent.index()], mv);
                    *self.steps.entry(step).or_insert(new)
                }
                _ => *self.starts.entry(root).or_insert(new),
            };
        }
        numbers
    }

    /// The number of the line that leads to a spot.
    pub fn of(&self, spot: Spot) -> u32 {
        self.lines[spot.game][spot.node.index()]
    }

    /// The number of the line of these moves, if a game contains it.
    pub fn find(&self, start: Vertex, moves: &[Move]) -> Option<u32> {
        let mut moves = moves.iter();
        let start = *self.starts.get(&start)?;
        moves.try_fold(start, |line, &mv| self.steps.get(&(line, mv)).copied())
    }
}

/// The best places where positions continue. The spots of a position are compared once.
#[derive(Clone, Debug)]
pub struct Homes<'a> {
    positions: &'a Positions,
    known: FxHashMap<Vertex, Vec<Spot>>,
}

impl<'a> Homes<'a> {
    /// An empty cache.
    pub fn new(positions: &'a Positions) -> Homes<'a> {
        Homes {
            positions,
            known: FxHashMap::default(),
        }
    }

    /// The best place where the position of a spot continues: in the same game if possible; with
    /// the fewest secondary moves, then moves, before it.
    pub fn best(&mut self, spot: Spot) -> Option<Spot> {
        let positions = self.positions;
        let vertex = positions.vertex(spot)?;
        let homes = self
            .known
            .entry(vertex)
            .or_insert_with(|| homes(positions, vertex));
        let (best, by_game) = homes.split_first()?;
        let own = by_game.binary_search_by_key(&spot.game, |home| home.game);
        Some(own.map_or(*best, |index| by_game[index]))
    }
}

/// The best place of all, then the best of each game in order of games; empty if the position has
/// no continuation.
fn homes(positions: &Positions, vertex: Vertex) -> Vec<Spot> {
    let rank = |&spot: &Spot| (positions.depth(spot), positions.ply(spot));
    let goes_on = |spot: &Spot| !positions.game(*spot).tree().is_terminal(spot.node);
    let mut by_game: Vec<Spot> = Vec::new();
    for spot in positions.spots(vertex).filter(goes_on) {
        match by_game.last_mut().filter(|home| home.game == spot.game) {
            Some(home) if rank(&spot) < rank(home) => *home = spot,
            Some(_) => {}
            None => by_game.push(spot),
        }
    }
    let best = by_game.iter().copied().min_by_key(rank);
    best.into_iter().chain(by_game).collect()
}

/// Boards of successive spots: each costs the moves by which its line differs from the previous
/// one.
#[derive(Clone, Debug)]
pub struct Boards<'a> {
    positions: &'a Positions,
    game: usize,
    /// The nodes from the start to the last spot, each at the index of its ply.
    path: Vec<(NodeId, Board)>,
}

impl<'a> Boards<'a> {
    /// Starts before any move.
    pub fn new(positions: &'a Positions) -> Boards<'a> {
        Boards {
            positions,
            game: 0,
            path: Vec::new(),
        }
    }

    /// The position at a spot.
    pub fn at(&mut self, spot: Spot) -> &Board {
        let game = self.positions.game(spot);
        if self.game != spot.game || self.path.is_empty() {
            self.game = spot.game;
            self.path.clear();
            self.path.push((NodeId::ROOT, game.start().clone()));
        }
        let tree = game.tree();
        let (mut node, mut ply) = (spot.node, self.positions.ply(spot) as usize);
        let mut ahead = Vec::new();
        while self.path.get(ply).is_none_or(|(known, _)| *known != node) && ply > 0 {
            ahead.push(node);
            node = tree.parent(node).unwrap_or(NodeId::ROOT);
            ply -= 1;
        }
        self.path.truncate(ply + 1);
        for node in ahead.into_iter().rev() {
            let mut board = self.path[self.path.len() - 1].1.clone();
            if let Some(&mv) = tree.move_to(node) {
                board.play(mv);
            }
            self.path.push((node, board));
        }
        &self.path[self.path.len() - 1].1
    }
}
