//! One position: every move order that leads to it, and all its continuations.

use std::collections::{BTreeSet, HashMap};

use chess::link::Link;
use chess::pgn::Game;
use chess::{Board, Color, Move};
use serde::Serialize;
use tree::NodeId;
use tree::graph::{EdgeId, Vertex};

use crate::place::number;
use crate::positions::{Address, MovesBelow, Positions, Spot, Way};

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Paths {
    /// The position.
    pub fen: String,
    /// How often it stands in the games.
    pub times: u64,
    /// The move orders: those that are written, in order, then those that transpose on their way.
    pub orders: Vec<MoveOrder>,
    /// True if these are all.
    pub complete: bool,
    /// The continuations of all move orders together.
    pub continuations: Vec<Continuation>,
}

/// One way to a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveOrder {
    /// The first place where it is written. If it is not written in full, the moves of it and the
    /// first game they begin in.
    #[serde(flatten)]
    pub at: Address,
    /// How often it is written.
    pub times: u64,
    /// If it is not written in full: how far it is. It transposes there.
    pub joins: Option<Way>,
    /// The continuations that are written after it.
    pub next: Vec<String>,
    /// How many moves follow it in all.
    pub below: u64,
    /// A reference to where the line goes on, if there is one.
    pub link: Option<String>,
}

/// One move from the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Continuation {
    /// The move with its number.
    #[serde(rename = "move")]
    pub mv: String,
    /// The first place it leads to.
    #[serde(flatten)]
    pub at: Address,
    /// How often this move is played from this position.
    pub times: u64,
    /// How often the next position is reached, by whatever move.
    pub position_times: u64,
    /// The numbers of the move orders it is written after, from 1.
    pub orders: Vec<usize>,
}

/// Everything about one position; at most `limit` move orders.
pub fn paths(positions: &Positions, vertex: Vertex, limit: usize) -> Option<Paths> {
    let below = positions.moves_below();
    let mut orders = Orders::written(positions, &below, vertex, limit);
    orders.add_unwritten(vertex, limit);
    orders.finish(vertex)
}

/// Every position that several moves lead to, in order of discovery, with its move orders as far
/// as they are written; at most `limit` of each.
pub fn transposed(positions: &Positions, limit: usize) -> Vec<Paths> {
    let below = positions.moves_below();
    let graph = positions.graph();
    let several = graph
        .vertices()
        .filter(|&vertex| graph.is_transposition(vertex));
    let all = several
        .filter_map(|vertex| Orders::written(positions, &below, vertex, limit).finish(vertex));
    all.collect()
}

/// Move orders as they are found.
struct Orders<'a> {
    positions: &'a Positions,
    below: &'a MovesBelow,
    list: Vec<MoveOrder>,
    /// The number of each, by start and moves.
    known: HashMap<(Vertex, Vec<Move>), usize>,
    /// True if there are more than could be listed.
    more: bool,
}

impl<'a> Orders<'a> {
    fn written(
        positions: &'a Positions,
        below: &'a MovesBelow,
        vertex: Vertex,
        limit: usize,
    ) -> Orders<'a> {
        let mut orders = Orders {
            positions,
            below,
            list: Vec::new(),
            known: HashMap::new(),
            more: false,
        };
        for spot in positions.spots(vertex) {
            orders.add_spot(spot, limit);
        }
        orders
    }

    fn add_spot(&mut self, spot: Spot, limit: usize) {
        let game = self.positions.game(spot);
        let Some(key) = self.key(spot) else { return };
        let next = self.list.len();
        if next >= limit && !self.known.contains_key(&key) {
            self.more = true;
            return;
        }
        let index = *self.known.entry(key).or_insert(next);
        if index == next {
            self.list.push(MoveOrder {
                at: self.positions.address(spot),
                times: 0,
                joins: None,
                next: Vec::new(),
                below: 0,
                link: None,
            });
        }
        let order = &mut self.list[index];
        order.times += 1;
        order.below += self.below.of(spot);
        order.link = order.link.take().or_else(|| link_text(game, spot.node));
    }

    fn key(&self, spot: Spot) -> Option<(Vertex, Vec<Move>)> {
        let tree = self.positions.game(spot).tree();
        let start = self.positions.vertex(Spot {
            node: NodeId::ROOT,
            ..spot
        })?;
        let line = tree.line(spot.node);
        let moves = line.iter().filter_map(|&node| tree.move_to(node).copied());
        Some((start, moves.collect()))
    }

    /// What is known of the position, now that its move orders are.
    fn finish(mut self, vertex: Vertex) -> Option<Paths> {
        let positions = self.positions;
        let board = positions.board_of(vertex)?;
        let continuations = positions
            .moves(vertex)
            .filter_map(|(edge, mv)| self.continuation(&board, edge, mv))
            .collect();
        Some(Paths {
            fen: board.fen(),
            times: positions.spots(vertex).count() as u64,
            complete: !self.more,
            continuations,
            orders: self.list,
        })
    }

    /// Adds the ways that the graph knows and no game has.
    fn add_unwritten(&mut self, vertex: Vertex, limit: usize) {
        let graph = self.positions.graph();
        let found = graph.paths(vertex, limit);
        for path in &found.paths {
            let start = path.first().map_or(vertex, |&edge| graph.source(edge));
            let moves: Vec<Move> = path.iter().map(|&edge| *graph.move_of(edge)).collect();
            if self.known.contains_key(&(start, moves.clone())) {
                continue;
            }
            if self.list.len() >= limit {
                self.more = true;
                break;
            }
            let order = self.unwritten(start, &moves);
            self.list.extend(order);
            self.known.insert((start, moves), usize::MAX);
        }
        self.more |= !found.complete;
    }

    fn unwritten(&self, start: Vertex, moves: &[Move]) -> Option<MoveOrder> {
        let positions = self.positions;
        let roots = positions
            .spots(start)
            .filter(|spot| spot.node == NodeId::ROOT);
        // The game that has most of it.
        let ends = roots.map(|root| follow(positions.game(root), root, moves));
        let (end, _) = ends.max_by_key(|&(_, count)| count)?;
        let game = positions.game(end);
        Some(MoveOrder {
            at: Address {
                game: positions.address(end).game,
                path: Way(moves_text(game.start().clone(), moves)),
            },
            times: 0,
            joins: Some(positions.way(end)),
            next: Vec::new(),
            below: 0,
            link: None,
        })
    }

    fn continuation(&mut self, board: &Board, edge: EdgeId, mv: Move) -> Option<Continuation> {
        let positions = self.positions;
        let san = board.san(mv).to_string();
        let mut orders: BTreeSet<usize> = BTreeSet::new();
        for child in positions.written(edge) {
            let parent = positions.game(child).tree().parent(child.node)?;
            let key = self.key(Spot {
                node: parent,
                ..child
            })?;
            orders.extend(self.known.get(&key));
        }
        for &order in &orders {
            self.list[order].next.push(san.clone());
        }
        let graph = positions.graph();
        Some(Continuation {
            mv: format!("{}{san}", number(board)),
            at: positions.address(positions.written(edge).next()?),
            times: u64::from(graph.times(edge)),
            position_times: graph.times_reached(graph.target(edge)),
            orders: orders.into_iter().map(|order| order + 1).collect(),
        })
    }
}

/// Plays moves as far as a game has them; where that is, and how many they were.
fn follow(game: &Game, from: Spot, moves: &[Move]) -> (Spot, usize) {
    let mut at = from.node;
    for (count, mv) in moves.iter().enumerate() {
        match game.tree().child_by(at, |other| other == mv) {
            Some(child) => at = child,
            None => return (Spot { node: at, ..from }, count),
        }
    }
    (Spot { node: at, ..from }, moves.len())
}

/// Moves as players write them.
fn moves_text(mut board: Board, moves: &[Move]) -> String {
    let mut words = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let numbered = index == 0 || board.turn() == Color::White;
        let number = if numbered {
            number(&board)
        } else {
            String::new()
        };
        words.push(format!("{number}{}", board.san(mv)));
        board.play(mv);
    }
    words.join(" ")
}

fn link_text(game: &Game, node: NodeId) -> Option<String> {
    let mut comments = game.comments_at(node);
    comments
        .find_map(|(_, text)| Link::read(text))
        .map(|link| link.to_string())
}

#[cfg(test)]
mod tests;
