//! Move frequencies in a collection of games, at the positions of a repertoire.

use std::collections::HashMap;
use std::convert::Infallible;

use chess::pgn::Game;
use chess::{Color, KeyedBoard, Move};
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use tree::NodeId;
use tree::graph::Vertex;

use crate::games::{Games, Run};
use crate::polyglot::{WEIGHT, is_book, number_at};
use crate::positions::{Boards, Identity, Positions};
use kit::Workers;

/// How many of the positions that games reach a repertoire answers.
///
/// Counted are the positions after each reply to a position of the repertoire, with my side to
/// move, as often as the games reach them; one is answered if the repertoire has a move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Coverage {
    /// Positions that the games reach.
    pub met: u64,
    /// Of these, positions that the repertoire answers.
    pub answered: u64,
}

impl Coverage {
    /// The share of answered positions; none if no position was reached.
    pub fn share(&self) -> Option<f64> {
        (self.met > 0).then(|| self.answered as f64 / self.met as f64)
    }
}

/// How often each move was played from positions of a repertoire. Other positions are not stored,
/// so collections of any size fit.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    games: u64,
    moves: HashMap<(Vertex, Move), u64, FxBuildHasher>,
    reached: HashMap<Vertex, u64, FxBuildHasher>,
}

impl Reference {
    /// Counts the mainlines of a collection.
    pub fn read(
        positions: &Positions,
        games: &Games,
        same: Identity,
        workers: &Workers,
    ) -> Run<Reference> {
        let mut total = Reference::default();
        let run = games.run(
            workers,
            |batch| {
                let mut part = Reference::default();
                batch.read_without_tags(|game, _| part.add(positions, game, same));
                part
            },
            |part| {
                total.absorb(part);
                Ok::<(), Infallible>(())
            },
        );
        match run {
            Ok(run) => run.with(total),
            Err(never) => match never {},
        }
    }

    /// Counts a game's mainline. In a Polyglot book each move, also of variations, counts as often
    /// as its weight.
    pub fn add(&mut self, positions: &Positions, game: &Game, same: Identity) {
        if is_book(game) {
            return self.add_book(positions, game, same);
        }
        self.games += 1;
        let mut board = KeyedBoard::new(game.start().clone());
        for mv in game.mainline_moves() {
            if let Some(vertex) = positions.graph().find(board.key(same)) {
                *self.moves.entry((vertex, mv)).or_default() += 1;
                *self.reached.entry(vertex).or_default() += 1;
            }
            board.play(mv);
        }
    }

    /// Counts the moves of a book; its games are the weights at its start.
    fn add_book(&mut self, positions: &Positions, game: &Game, same: Identity) {
        let mut cursor = game.cursor();
        while cursor.walk() {
            let (Some(board), Some(mv)) = (cursor.board_before(), cursor.node().mv()) else {
                continue;
            };
            let weight: u64 = number_at(game, cursor.id(), WEIGHT).map_or(0, u64::from);
            if game.tree().parent(cursor.id()) == Some(NodeId::ROOT) {
                self.games += weight;
            }
            if let Some(vertex) = positions.graph().find(board.key(same)) {
                *self.moves.entry((vertex, mv)).or_default() += weight;
                *self.reached.entry(vertex).or_default() += weight;
            }
        }
    }

    fn absorb(&mut self, other: Reference) {
        self.games += other.games;
        for (key, count) in other.moves {
            *self.moves.entry(key).or_default() += count;
        }
        for (vertex, count) in other.reached {
            *self.reached.entry(vertex).or_default() += count;
        }
    }

    /// The number of games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How often a game continued from a position.
    pub fn reached(&self, vertex: Vertex) -> u64 {
        self.reached.get(&vertex).copied().unwrap_or(0)
    }

    /// How often a game continued with this move.
    pub fn played(&self, vertex: Vertex, mv: Move) -> u64 {
        self.moves.get(&(vertex, mv)).copied().unwrap_or(0)
    }

    /// The share of a move among those played from a position; none if no move was played.
    pub fn share(&self, vertex: Vertex, mv: Move) -> Option<f64> {
        let reached = self.reached(vertex);
        (reached > 0).then(|| self.played(vertex, mv) as f64 / reached as f64)
    }

    /// The share of the positions reached in the games that the repertoire of a side answers.
    pub fn coverage(&self, positions: &Positions, side: Color, same: Identity) -> Coverage {
        let mut coverage = Coverage::default();
        let mut boards = Boards::new(positions);
        let mut played: Vec<_> = self.all().collect();
        // In order of discovery, a position and the next one have most of their moves in common.
        played.sort_unstable_by_key(|&(vertex, mv, _)| (vertex, mv));
        for (vertex, mv, games) in played {
            let spot = positions.spots(vertex).next();
            let Some(spot) = spot.filter(|&spot| positions.turn(spot) != side) else {
                continue;
            };
            let mut board = boards.at(spot).clone();
            board.play(mv);
            let next = positions.graph().find(board.key(same));
            coverage.met += games;
            if next.is_some_and(|next| positions.graph().degree(next) > 0) {
                coverage.answered += games;
            }
        }
        coverage
    }

    /// The moves played, by position, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = (Vertex, Move, u64)> + '_ {
        self.moves
            .iter()
            .map(|(&(vertex, mv), &count)| (vertex, mv, count))
    }
}
