//! One position: every move order that leads to it, and all its continuations.

use std::collections::BTreeSet;

use chess::link::Link;
use chess::pgn::Game;
use chess::{Board, Color, Move};
use kit::Stop;
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::NodeId;
use tree::graph::{EdgeId, Vertex};

use crate::place::number;
use crate::positions::{Address, Boards, Lines, MovePath, PositionCounts, Positions, Shared, Spot};
use crate::stats::Results;

/// The move orders and continuations of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Paths {
    /// The position.
    pub fen: String,
    /// How often it occurs in the games.
    pub times: u64,
    /// The move orders: written ones in order, then those that transpose on the way.
    pub orders: Vec<MoveOrder>,
    /// True if the list is complete.
    pub complete: bool,
    /// The continuations of all move orders together.
    pub continuations: Vec<Continuation>,
}

/// One move order that leads to a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveOrder {
    /// The first place where it is written. If it is not written in full, its moves and the first
    /// game that has the first of them.
    #[serde(flatten)]
    pub at: Address,
    /// The same place; if it is not written in full, where its written part ends.
    #[serde(skip)]
    pub spot: Spot,
    /// How often it is written.
    pub times: u64,
    /// If it is not written in full: the length of the written part. It transposes there.
    pub joins: Option<MovePath>,
    /// The continuations written after it.
    pub next: Vec<String>,
    /// The number of moves below it.
    pub below: u64,
    /// A reference to the continuation of the line, if present.
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
    /// The same place.
    #[serde(skip)]
    pub spot: Spot,
    /// How often this move is played from this position.
    pub times: u64,
    /// How often the next position is reached, by any move.
    pub position_times: u64,
    /// The numbers of the move orders it is written after, from 1.
    pub orders: Vec<usize>,
    /// The games in which it is a move of the mainline, by result.
    pub results: Results,
}

/// The move orders, at most `limit`, and continuations of a position.
pub fn paths(positions: &Positions, vertex: Vertex, limit: usize) -> Option<Paths> {
    let lines = Lines::new(positions);
    let mut orders = Orders::written(positions, &lines, vertex, limit);
    orders.add_unwritten(vertex, limit);
    orders.finish(vertex, &mut Boards::new(positions))
}

/// Every position where move orders meet, in order of discovery, with its written move orders; at
/// most `limit` of each. Fewer if a stop is requested.
pub fn transposed(positions: &Positions, limit: usize, stop: &Stop) -> Transposed {
    let (lines, mut boards) = (Lines::new(positions), Boards::new(positions));
    let graph = positions.graph();
    let several = graph
        .vertices()
        .filter(|&vertex| graph.is_transposition(vertex));
    let all = stop.while_running(several).filter_map(|vertex| {
        let orders = Orders::written(positions, &lines, vertex, limit);
        orders.finish(vertex, &mut boards)
    });
    Transposed {
        meetings: all.collect(),
        counts: Shared::new(positions).counts(),
    }
}

/// The positions where move orders meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transposed {
    /// Each with its move orders. The positions after it are reached by several paths too, and are
    /// counted only.
    pub meetings: Vec<Paths>,
    /// The counts of all positions.
    pub counts: PositionCounts,
}

/// The move orders found so far.
struct Orders<'a> {
    positions: &'a Positions,
    lines: &'a Lines,
    list: Vec<MoveOrder>,
    /// The index of each written move order, by line.
    known: FxHashMap<u32, usize>,
    /// True if the list is incomplete.
    more: bool,
}

impl<'a> Orders<'a> {
    fn written(
        positions: &'a Positions,
        lines: &'a Lines,
        vertex: Vertex,
        limit: usize,
    ) -> Orders<'a> {
        let mut orders = Orders {
            positions,
            lines,
            list: Vec::new(),
            known: FxHashMap::default(),
            more: false,
        };
        for spot in positions.spots(vertex) {
            orders.add_spot(spot, limit);
        }
        orders
    }

    fn add_spot(&mut self, spot: Spot, limit: usize) {
        let game = self.positions.game(spot);
        let line = self.lines.of(spot);
        let next = self.list.len();
        if next >= limit && !self.known.contains_key(&line) {
            self.more = true;
            return;
        }
        let index = *self.known.entry(line).or_insert(next);
        if index == next {
            self.list.push(MoveOrder {
                at: self.positions.address(spot),
                spot,
                times: 0,
                joins: None,
                next: Vec::new(),
                below: 0,
                link: None,
            });
        }
        let order = &mut self.list[index];
        order.times += 1;
        order.below += self.positions.moves_below(spot);
        order.link = order.link.take().or_else(|| link_text(game, spot.node));
    }

    /// The result, after all move orders are found.
    fn finish(mut self, vertex: Vertex, boards: &mut Boards) -> Option<Paths> {
        let positions = self.positions;
        let board = boards.at(positions.spots(vertex).next()?);
        let mut played = self.played(vertex);
        let continuations = positions
            .moves(vertex)
            .filter_map(|(edge, mv)| self.continuation(board, edge, mv, played.remove(&mv)?))
            .collect();
        Some(Paths {
            fen: board.fen(),
            times: positions.spots(vertex).count() as u64,
            complete: !self.more,
            continuations,
            orders: self.list,
        })
    }

    /// The first place where each move from a position is written, and the move orders before it.
    fn played(&self, vertex: Vertex) -> FxHashMap<Move, Played> {
        let mut played: FxHashMap<Move, Played> = FxHashMap::default();
        for spot in self.positions.spots(vertex) {
            let tree = self.positions.game(spot).tree();
            let order = self.known.get(&self.lines.of(spot));
            for node in tree.children(spot.node) {
                if let Some(&mv) = tree.move_to(node) {
                    let first = Spot { node, ..spot };
                    let entry = played.entry(mv).or_insert_with(|| Played::new(first));
                    entry.orders.extend(order);
                    if self.positions.depth(first) == 0 {
                        entry.count(self.positions, first);
                    }
                }
            }
        }
        played
    }

    /// Adds the move orders of the graph that no game contains.
    fn add_unwritten(&mut self, vertex: Vertex, limit: usize) {
        let graph = self.positions.graph();
        let found = graph.paths(vertex, limit);
        for path in &found.paths {
            let start = path.first().map_or(vertex, |&edge| graph.source(edge));
            let moves: Vec<Move> = path.iter().map(|&edge| *graph.move_of(edge)).collect();
            if self.lines.find(start, &moves).is_some() {
                continue;
            }
            if self.list.len() >= limit {
                self.more = true;
                break;
            }
            let order = self.unwritten(start, &moves);
            self.list.extend(order);
        }
        self.more |= !found.complete;
    }

    fn unwritten(&self, start: Vertex, moves: &[Move]) -> Option<MoveOrder> {
        let positions = self.positions;
        let roots = positions
            .spots(start)
            .filter(|spot| spot.node == NodeId::ROOT);
        // The game that contains the longest part of it.
        let ends = roots.map(|root| follow(positions.game(root), root, moves));
        let (end, _) = ends.max_by_key(|&(_, count)| count)?;
        let start = positions.game(end).start().clone();
        Some(MoveOrder {
            at: Address {
                game: positions.game_number(end),
                path: MovePath(moves_text(start, moves)),
            },
            spot: end,
            times: 0,
            joins: Some(positions.address(end).path),
            next: Vec::new(),
            below: 0,
            link: None,
        })
    }

    fn continuation(
        &mut self,
        board: &Board,
        edge: EdgeId,
        mv: Move,
        played: Played,
    ) -> Option<Continuation> {
        let san = board.san(mv).to_string();
        for &order in &played.orders {
            self.list.get_mut(order)?.next.push(san.clone());
        }
        let graph = self.positions.graph();
        Some(Continuation {
            mv: format!("{}{san}", number(board)),
            at: self.positions.address(played.first),
            spot: played.first,
            times: u64::from(graph.times(edge)),
            position_times: graph.times_reached(graph.target(edge)),
            orders: played.orders.into_iter().map(|order| order + 1).collect(),
            results: played.results,
        })
    }
}

/// Where a move from a position is written.
struct Played {
    first: Spot,
    /// The indices of the move orders before it.
    orders: BTreeSet<usize>,
    results: Results,
    /// The last game that was counted.
    counted: Option<usize>,
}

impl Played {
    fn new(first: Spot) -> Played {
        Played {
            first,
            orders: BTreeSet::new(),
            results: Results::default(),
            counted: None,
        }
    }

    /// Counts the result of a game once, however often its mainline repeats the move.
    fn count(&mut self, positions: &Positions, spot: Spot) {
        if self.counted.replace(spot.game) != Some(spot.game) {
            self.results.add(positions.game(spot).outcome());
        }
    }
}

/// Plays moves as far as a game has them; returns the node and the number of moves.
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

/// Moves in SAN with numbers.
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
