//! Statistics of games: moves, lines, positions, depth, results.

mod line;
mod preorder;
mod seen;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use chess::openings::Opening;
use chess::pgn::{Game, Outcome};
use chess::{Identity, KeyedBoard};
use rustc_hash::FxHashMap;
use serde::Serialize;

use self::line::Line;
use self::preorder::{Step, preorder};
use self::seen::{Occurrences, Seen};
use crate::games::{Games, Run};
use crate::positions::PositionCounts;
use crate::sorted::temporary;
use kit::limits::Size;
use kit::{Limits, Workers};

/// Games by opening.
type Openings = FxHashMap<Opening, u64>;

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
    /// Positions that several paths reach, within one line or between lines.
    pub transposed: Option<u64>,
    /// Of these, transpositions between lines: neither path is a prefix of the other.
    pub between_lines: Option<u64>,
    /// Of these, repetitions within a line: the position occurs twice on one path.
    pub repeated: Option<u64>,
    /// The most half-moves of a line.
    pub longest_line: u32,
    /// The greatest variation depth.
    pub max_depth: u32,
    /// Complaints.
    pub complaints: u64,
    /// Games by result.
    pub results: Results,
    /// Games by opening: that of the deepest named position of the mainline.
    pub openings: Vec<OpeningCount>,
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

/// The games of an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningCount {
    /// The ECO code.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
    /// The number of games.
    pub games: u64,
}

/// Options of the statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Count distinct positions.
    pub positions: bool,
    /// Which positions count as the same.
    pub same: Identity,
    /// The most memory for distinct positions, about 20 bytes for each; those that do not fit are
    /// written to a temporary file.
    pub memory: Size,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            positions: true,
            same: Identity::Strict,
            memory: Limits::default_memory(),
        }
    }
}

/// Counts.
pub fn stats(games: &Games, options: Options, workers: &Workers) -> Run<Stats> {
    let seen = options.positions.then(|| Seen::new(options.memory.0));
    let mut total = Stats::default();
    let mut openings = Openings::default();
    let run = games.run(
        workers,
        |batch| {
            let mut tally = Tally::default();
            let wanted = seen.as_ref().map(|seen| (seen, options.same));
            batch.read(|game, _| tally.add(game, wanted));
            if let Some(seen) = &seen {
                tally.note(seen);
            }
            tally.finish()
        },
        |part| {
            let (part, some) = part?;
            total.join(part);
            for (opening, count) in some {
                *openings.entry(opening).or_default() += count;
            }
            Ok(())
        },
    );
    total.openings = by_count(openings);
    let counts = seen.map_or(Ok(None), |seen| seen.count(workers).map(Some));
    match run.and_then(|run| Ok((run, counts?))) {
        Ok((run, counts)) => {
            counts.into_iter().for_each(|counts| total.set(counts));
            run.with(total)
        }
        Err(error) => Run {
            value: total,
            stopped: false,
            unread: vec![temporary(&error)],
        },
    }
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

    fn set(&mut self, counts: PositionCounts) {
        self.positions = Some(counts.positions);
        self.transposed = Some(counts.transposed);
        self.between_lines = Some(counts.between_lines);
        self.repeated = Some(counts.repeated);
    }
}

impl Results {
    /// Counts a game.
    pub fn add(&mut self, outcome: Outcome) {
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

/// The openings with most games first.
fn by_count(openings: Openings) -> Vec<OpeningCount> {
    let mut counts: Vec<(Opening, u64)> = openings.into_iter().collect();
    counts.sort_by_key(|&(opening, games)| (Reverse(games), opening));
    let count = |(Opening { eco, name }, games)| OpeningCount { eco, name, games };
    counts.into_iter().map(count).collect()
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
    occurrences: Occurrences,
    openings: Openings,
    line: Line,
    /// The first error of the temporary file.
    failed: Option<io::Error>,
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
    fn add(&mut self, game: &Game, positions: Option<(&Seen, Identity)>) {
        self.stats.games += 1;
        self.stats.complaints += game.complaints().len() as u64;
        self.stats.results.add(game.outcome());
        let opening = match positions {
            Some((seen, same)) => self.add_positions(game, seen, same),
            None => self.add_nodes(game),
        };
        if let Some(opening) = opening {
            *self.openings.entry(opening).or_default() += 1;
        }
    }

    /// Returns the opening.
    fn add_nodes(&mut self, game: &Game) -> Option<Opening> {
        preorder(game.tree()).for_each(|step| self.add_node(&step));
        Opening::of_game(game).map(|(opening, _)| opening)
    }

    fn add_node(&mut self, step: &Step) {
        self.stats.nodes += 1;
        self.branching.add(step.children);
        if step.ply > 0 {
            self.stats.moves += 1;
            self.depths.add(step.depth);
        }
        if step.children == 0 {
            self.stats.lines += 1;
            self.line_lengths.add(step.ply);
        }
    }

    /// Plays through the whole tree and returns the opening.
    fn add_positions(&mut self, game: &Game, seen: &Seen, same: Identity) -> Option<Opening> {
        let tree = game.tree();
        let mut opening = None;
        self.line.start(KeyedBoard::new(game.start().clone()), same);
        for step in preorder(tree) {
            self.add_node(&step);
            self.line.back_to((step.ply as usize).max(1));
            if let Some(&mv) = tree.move_to(step.node) {
                self.line.play(mv, tree.next_sibling(step.node).is_none());
            }
            self.line.report(&mut self.occurrences);
            if step.depth == 0 {
                let key = self.line.strict_key();
                opening = key.and_then(Opening::of_key).or(opening);
            }
            if self.occurrences.len() >= MOST_ARRIVALS {
                self.note(seen);
            }
        }
        opening
    }

    /// Adds the occurrences to those of all threads.
    fn note(&mut self, seen: &Seen) {
        let result = seen.note(&mut self.occurrences);
        self.failed = self.failed.take().or(result.err());
    }

    fn finish(self) -> io::Result<(Stats, Openings)> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let (depths, line_lengths) = (self.depths.histogram(), self.line_lengths.histogram());
        let stats = Stats {
            max_depth: depths.keys().next_back().copied().unwrap_or(0),
            longest_line: line_lengths.keys().next_back().copied().unwrap_or(0),
            depths,
            line_lengths,
            branching: self.branching.histogram(),
            ..self.stats
        };
        Ok((stats, self.openings))
    }
}

#[cfg(test)]
mod tests;
