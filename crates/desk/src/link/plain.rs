//! Games of one line, kept as their moves.

use std::io;

use chess::link::LinkKind;
use chess::pgn::{Game, Outcome};
use chess::{Board, Identity, KeyedBoard, Move};
use rustc_hash::{FxHashMap, FxHashSet};
use tree::NodeId;

use super::{can_hold_link, links_at, noted_nodes};
use crate::positions::Keys;
use crate::sorted::run_all;
use kit::Workers;

/// A game of one line.
pub(super) struct Plain {
    start: Option<Box<Board>>,
    moves: Vec<Move>,
    number: u64,
    outcome: Outcome,
    /// The size of its text.
    pub(super) text: u64,
}

impl Plain {
    /// The game, with or without its moves.
    pub(super) fn of(game: &Game, with_moves: bool) -> Plain {
        let standard = *game.start() == Board::new();
        Plain {
            start: (!standard).then(|| Box::new(game.start().clone())),
            moves: match with_moves {
                true => game.mainline_moves().collect(),
                false => Vec::new(),
            },
            number: game.place().number,
            outcome: game.outcome(),
            text: 0,
        }
    }

    /// The memory of the game, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let start = self.start.as_ref().map_or(0, |_| size_of::<Board>());
        (size_of::<Row>() + start + size_of_val(&*self.moves)) as u64
    }
}

/// Games of one line, in order.
#[derive(Default)]
pub(super) struct PlainGames {
    rows: Vec<Row>,
    moves: Vec<Move>,
    /// The start positions that are not the usual one, by row.
    starts: FxHashMap<usize, Box<Board>>,
}

struct Row {
    /// The number of games before it, of all kinds.
    before: usize,
    /// The end of its moves.
    end: usize,
    number: u64,
    text: u64,
    outcome: Outcome,
}

/// The first place in a plain game where a position goes on: with the fewest moves before it, then
/// in the first game.
type Best = FxHashMap<u128, (usize, usize)>;

/// Games that are searched at once.
const CHUNK: usize = 1 << 12;

impl PlainGames {
    pub(super) fn push(&mut self, before: usize, game: Plain) {
        if let Some(start) = game.start {
            self.starts.insert(self.rows.len(), start);
        }
        self.moves.extend_from_slice(&game.moves);
        self.rows.push(Row {
            before,
            end: self.moves.len(),
            number: game.number,
            text: game.text,
            outcome: game.outcome,
        });
    }

    /// The number of games of all kinds before a game.
    pub(super) fn games_before(&self, at: usize) -> usize {
        self.rows[at].before
    }

    /// For each game the number of games before it and the size of its text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (usize, u64)> {
        self.rows.iter().map(|row| (row.before, row.text))
    }

    /// A game without tags and comments.
    pub(super) fn game(&self, at: usize) -> Game {
        let row = &self.rows[at];
        let mut game = Game::from_board(self.start(at));
        let end = self.moves_of(at).iter();
        end.fold(NodeId::ROOT, |node, &mv| game.add_variation(node, mv));
        game.set_outcome(row.outcome);
        game.set_number(row.number);
        game
    }

    fn start(&self, at: usize) -> Board {
        let start = self.starts.get(&at);
        start.map_or_else(Board::new, |start| (**start).clone())
    }

    fn moves_of(&self, at: usize) -> &[Move] {
        let start = at.checked_sub(1).map_or(0, |before| self.rows[before].end);
        &self.moves[start..self.rows[at].end]
    }

    /// The games that references in other games can lead to, in order: for each position where a
    /// line ends the best place to go on, and the games that existing references name.
    pub(super) fn referred(
        &self,
        others: &[&Game],
        same: Identity,
        workers: &Workers,
    ) -> Vec<usize> {
        let numbers: FxHashSet<u64> = others.iter().flat_map(|game| numbers_in(game)).collect();
        let ends: FxHashSet<u128> = others
            .iter()
            .flat_map(|game| end_positions(game, same))
            .collect();
        let mut wanted: Vec<usize> = self.best(&ends, same, workers);
        let numbered = (0..self.rows.len()).filter(|&at| numbers.contains(&self.rows[at].number));
        wanted.extend(numbered);
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// The game with the best place for each of the positions.
    fn best(&self, ends: &FxHashSet<u128>, same: Identity, workers: &Workers) -> Vec<usize> {
        let mut best = Best::default();
        let chunks = (0..self.rows.len())
            .step_by(CHUNK)
            .filter(|_| !ends.is_empty());
        let search = |first: usize| {
            let mut found = Best::default();
            let last = self.rows.len().min(first + CHUNK);
            (first..last).for_each(|at| self.search(at, ends, same, &mut found));
            io::Result::Ok(found)
        };
        // Searching does no I/O.
        let _ = run_all(workers, chunks, search, |found| {
            for (key, place) in found {
                let known = best.entry(key).or_insert(place);
                *known = place.min(*known);
            }
        });
        best.into_values().map(|(_, at)| at).collect()
    }

    fn search(&self, at: usize, ends: &FxHashSet<u128>, same: Identity, found: &mut Best) {
        let mut board = KeyedBoard::new(self.start(at));
        for (ply, &mv) in self.moves_of(at).iter().enumerate() {
            let key = board.key(same);
            if ends.contains(&key) {
                let known = found.entry(key).or_insert((ply, at));
                *known = (ply, at).min(*known);
            }
            board.play(mv);
        }
    }
}

/// The numbers of the games that references in a game name.
fn numbers_in(game: &Game) -> impl Iterator<Item = u64> {
    let nodes = noted_nodes(game).into_iter();
    nodes.flat_map(|node| {
        let links = links_at(game, node).filter_map(|(_, link)| link.game);
        links.collect::<Vec<_>>()
    })
}

/// The positions at the ends of lines that may get a reference.
fn end_positions(game: &Game, same: Identity) -> Vec<u128> {
    let tree = game.tree();
    let mut keys = Keys::new(game, same);
    let mut ends = Vec::new();
    for node in tree.preorder() {
        let key = keys.at(node);
        if tree.is_terminal(node) && can_end_with_link(game, node) {
            ends.push(key);
        }
    }
    ends
}

/// True if a reference may be added, once those at line ends are removed.
fn can_end_with_link(game: &Game, node: NodeId) -> bool {
    let mut links = links_at(game, node);
    can_hold_link(game, node) || links.any(|(_, link)| link.kind == LinkKind::End)
}
