//! Statistics of games: moves, lines, positions, depth, results.

mod seen;

use std::collections::BTreeMap;

use chess::pgn::{Game, Outcome};
use chess::{Identity, KeyedBoard};
use serde::Serialize;
use tree::PreorderIndex;

use self::seen::{Arrival, Path, Seen};
use crate::games::{Games, Run};
use kit::Workers;

/// How often each number occurred.
pub type Histogram = BTreeMap<u32, u64>;

/// The counts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Moves, those of variations included.
    pub moves: u64,
    /// Nodes: moves and initial positions.
    pub nodes: u64,
    /// Lines: leaves of the trees.
    pub lines: u64,
    /// Distinct positions in all games together; none if they were not counted.
    pub positions: Option<u64>,
    /// Positions reached by several paths.
    pub transposed: Option<u64>,
    /// The most half-moves of a line.
    pub longest_line: u32,
    /// The greatest variation depth.
    pub max_depth: u32,
    /// Complaints.
    pub complaints: u64,
    /// Games by result.
    pub results: Results,
    /// Moves by variation depth.
    pub depths: Histogram,
    /// Lines by length in half-moves.
    pub line_lengths: Histogram,
    /// Nodes by number of children.
    pub branching: Histogram,
}

/// Games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Results {
    /// Won by White.
    #[serde(rename = "1-0")]
    pub white: u64,
    /// Won by Black.
    #[serde(rename = "0-1")]
    pub black: u64,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    pub draw: u64,
    /// Unknown.
    #[serde(rename = "*")]
    pub unknown: u64,
}

/// Options of the statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Count distinct positions, which takes about 40 bytes for each.
    pub positions: bool,
}

/// Counts.
pub fn stats(games: &Games, options: Options, workers: &Workers) -> Run<Stats> {
    let seen = options.positions.then(Seen::new);
    let mut total = Stats::default();
    let run = games.run_growing(
        workers,
        |batch| {
            let mut tally = Tally::default();
            batch.read(|game, _| tally.add(game, seen.as_ref()));
            if let Some(seen) = &seen {
                seen.note(&mut tally.arrivals);
            }
            tally.finish()
        },
        |part| {
            total.join(part);
            seen.as_ref().map_or(0, Seen::bytes)
        },
    );
    if let Some((positions, transposed)) = seen.map(Seen::count) {
        total.positions = Some(positions);
        total.transposed = Some(transposed);
    }
    run.with(total)
}

impl Stats {
    /// Adds other counts, except distinct positions, which are counted in a shared table.
    fn join(&mut self, part: Stats) {
        self.games += part.games;
        self.moves += part.moves;
        self.nodes += part.nodes;
        self.lines += part.lines;
        self.longest_line = self.longest_line.max(part.longest_line);
        self.max_depth = self.max_depth.max(part.max_depth);
        self.complaints += part.complaints;
        self.results.join(part.results);
        join(&mut self.depths, part.depths);
        join(&mut self.line_lengths, part.line_lengths);
        join(&mut self.branching, part.branching);
    }
}

impl Results {
    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::White => &mut self.white,
            Outcome::Black => &mut self.black,
            Outcome::Draw => &mut self.draw,
            Outcome::Unknown => &mut self.unknown,
        } += 1;
    }

    fn join(&mut self, part: Results) {
        self.white += part.white;
        self.black += part.black;
        self.draw += part.draw;
        self.unknown += part.unknown;
    }
}

fn join(total: &mut Histogram, part: Histogram) {
    for (value, count) in part {
        *total.entry(value).or_default() += count;
    }
}

/// Positions that are added to the shared table at once, so that a long game takes little memory.
const MOST_ARRIVALS: usize = 1 << 18;

/// Counts in progress.
#[derive(Default)]
struct Tally {
    stats: Stats,
    depths: Counts,
    line_lengths: Counts,
    branching: Counts,
    arrivals: Vec<Arrival>,
    /// The nodes of the current game.
    index: PreorderIndex,
}

/// A histogram that is quick to add to.
#[derive(Default)]
struct Counts(Vec<u64>);

impl Counts {
    #[inline]
    fn add(&mut self, value: u32) {
        let value = value as usize;
        if self.0.len() <= value {
            self.0.resize(value + 1, 0);
        }
        self.0[value] += 1;
    }

    fn histogram(&self) -> Histogram {
        (0..)
            .zip(self.0.iter().copied())
            .filter(|&(_, count)| count > 0)
            .collect()
    }
}

impl Tally {
    fn add(&mut self, game: &Game, seen: Option<&Seen>) {
        self.stats.games += 1;
        self.stats.complaints += game.complaints().len() as u64;
        self.stats.results.add(game.outcome());
        self.add_nodes(game);
        if let Some(seen) = seen {
            self.add_positions(game, seen);
        }
    }

    fn add_nodes(&mut self, game: &Game) {
        let tree = game.tree();
        self.index.rebuild(tree);
        for id in self.index.positions() {
            let children = tree.child_count(self.index.node(id)) as u32;
            self.add_node(self.index.ply(id), self.index.depth(id), children);
        }
    }

    fn add_node(&mut self, ply: u32, depth: u32, children: u32) {
        self.stats.nodes += 1;
        self.branching.add(children);
        if ply > 0 {
            self.stats.moves += 1;
            self.depths.add(depth);
        }
        if children == 0 {
            self.stats.lines += 1;
            self.line_lengths.add(ply);
        }
    }

    /// Plays through the whole tree, with one board for each ply of the current path that has
    /// further alternatives: a line needs one board, whatever its length.
    fn add_positions(&mut self, game: &Game, seen: &Seen) {
        let tree = game.tree();
        let start = KeyedBoard::new(game.start().clone());
        let mut path = vec![(0, Path::from(start.key(Identity::Strict)), start)];
        for id in self.index.positions() {
            let (node, ply) = (self.index.node(id), self.index.ply(id));
            while path.last().is_some_and(|&(at, ..)| at >= ply.max(1)) {
                path.pop();
            }
            if let (Some(&m), Some((_, way, board))) = (tree.move_to(node), path.last()) {
                let (way, mut board) = (way.then(m), board.clone());
                board.play(m);
                if tree.next_sibling(node).is_none() {
                    path.pop();
                }
                path.push((ply, way, board));
            }
            if let Some((_, way, board)) = path.last() {
                self.arrivals
                    .push(Arrival::new(board.key(Identity::Strict), *way));
            }
            if self.arrivals.len() >= MOST_ARRIVALS {
                seen.note(&mut self.arrivals);
            }
        }
    }

    fn finish(self) -> Stats {
        let (depths, line_lengths) = (self.depths.histogram(), self.line_lengths.histogram());
        Stats {
            max_depth: depths.keys().next_back().copied().unwrap_or(0),
            longest_line: line_lengths.keys().next_back().copied().unwrap_or(0),
            depths,
            line_lengths,
            branching: self.branching.histogram(),
            ..self.stats
        }
    }
}

#[cfg(test)]
mod tests;
