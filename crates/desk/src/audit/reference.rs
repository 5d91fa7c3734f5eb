//! Move frequencies in a collection of games, at the positions of a repertoire.

use std::collections::HashMap;
use std::convert::Infallible;

use chess::pgn::Game;
use chess::{KeyedBoard, Move};
use rustc_hash::FxBuildHasher;
use tree::graph::Vertex;

use crate::games::{Games, Run};
use crate::positions::{Identity, Positions};
use kit::Workers;

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
                batch.read(|game, _| part.add(positions, game, same));
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

    /// Counts a game's mainline.
    pub fn add(&mut self, positions: &Positions, game: &Game, same: Identity) {
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

    /// The moves played, by position, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = (Vertex, Move, u64)> + '_ {
        self.moves
            .iter()
            .map(|(&(vertex, mv), &count)| (vertex, mv, count))
    }
}
