//! Statistics of games: moves, lines, positions, depth, results.

mod seen;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chess::openings::Opening;
use chess::pgn::{Game, Outcome};
use chess::{Identity, KeyedBoard, Move};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::PreorderIndex;

use self::seen::{Occurrences, Path, Seen};
use crate::games::{Games, Run};
use kit::Workers;

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
    /// Count distinct positions, which takes about 40 bytes for each.
    pub positions: bool,
    /// Which positions count as the same.
    pub same: Identity,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            positions: true,
            same: Identity::Strict,
        }
    }
}

/// The tree of a larger game takes so much memory that little is left for its positions.
const HUGE_GAME: usize = 1 << 20;

/// Counts.
pub fn stats(games: &Games, options: Options, workers: &Workers) -> Run<Stats> {
    let seen = options
        .positions
        .then(|| Seen::new(games.limits().kept().0));
    let mut total = Stats::default();
    let mut openings = Openings::default();
    let run = games.run_growing(
        workers,
        |batch| {
            let mut tally = Tally::default();
            let wanted = seen.as_ref().map(|seen| (seen, options.same));
            batch.read(|game, _| tally.add(game, wanted));
            if let Some(seen) = &seen {
                seen.note(&mut tally.occurrences);
            }
            tally.finish()
        },
        |(part, some)| {
            total.join(part);
            for (opening, count) in some {
                *openings.entry(opening).or_default() += count;
            }
            seen.as_ref().map_or(0, Seen::bytes_wanted)
        },
    );
    total.openings = by_count(openings);
    if let Some(counts) = seen.map(Seen::count) {
        total.positions = Some(counts.positions);
        total.transposed = Some(counts.transposed);
        total.between_lines = Some(counts.between_lines);
        total.repeated = Some(counts.repeated);
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
    fn add(&mut self, game: &Game, positions: Option<(&Seen, Identity)>) {
        self.stats.games += 1;
        self.stats.complaints += game.complaints().len() as u64;
        self.stats.results.add(game.outcome());
        if let Some((opening, _)) = Opening::of_game(game) {
            *self.openings.entry(opening).or_default() += 1;
        }
        self.add_nodes(game);
        if let Some((seen, same)) = positions {
            self.add_positions(game, seen, same);
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

    /// Plays through the whole tree.
    fn add_positions(&mut self, game: &Game, seen: &Seen, same: Identity) {
        let tree = game.tree();
        let mut line = Line::from(KeyedBoard::new(game.start().clone()), same);
        for id in self.index.positions() {
            let (node, ply) = (self.index.node(id), self.index.ply(id));
            line.back_to((ply as usize).max(1));
            if let Some(&mv) = tree.move_to(node) {
                line.play(mv, tree.next_sibling(node).is_none());
            }
            line.report(&mut self.occurrences);
            if self.occurrences.len() >= MOST_ARRIVALS {
                seen.note(&mut self.occurrences);
                // The run ends with an error after this game.
                if self.index.node_count() > HUGE_GAME && seen.is_full() {
                    break;
                }
            }
        }
    }

    fn finish(self) -> (Stats, Openings) {
        let (depths, line_lengths) = (self.depths.histogram(), self.line_lengths.histogram());
        let stats = Stats {
            max_depth: depths.keys().next_back().copied().unwrap_or(0),
            longest_line: line_lengths.keys().next_back().copied().unwrap_or(0),
            depths,
            line_lengths,
            branching: self.branching.histogram(),
            ..self.stats
        };
        (stats, self.openings)
    }
}

/// The current path, with the positions on it. There is a board only for the steps that are needed
/// again: a line without alternatives needs one, whatever its length.
struct Line {
    same: Identity,
    steps: Vec<Step>,
    /// Boards, each with the number of steps to it.
    boards: Vec<(usize, KeyedBoard)>,
    /// By position, the last step with it.
    last: FxHashMap<u128, usize>,
}

struct Step {
    path: Path,
    key: u128,
    /// The step before with the same position.
    previous: Option<usize>,
}

impl Line {
    fn from(start: KeyedBoard, same: Identity) -> Line {
        let mut line = Line {
            same,
            steps: Vec::new(),
            boards: Vec::new(),
            last: FxHashMap::default(),
        };
        line.push(Path::from(start.key(Identity::Strict)), start);
        line
    }

    fn push(&mut self, path: Path, board: KeyedBoard) {
        let key = board.key(self.same);
        let previous = self.last.insert(key, self.steps.len());
        self.steps.push(Step {
            path,
            key,
            previous,
        });
        self.boards.push((self.steps.len(), board));
    }

    /// Plays a move. The board before the last alternative is not needed again.
    fn play(&mut self, mv: Move, is_last: bool) {
        if let (Some(step), Some((_, board))) = (self.steps.last(), self.boards.last()) {
            let (path, mut board) = (step.path.then(mv), board.clone());
            board.play(mv);
            if is_last {
                self.boards.pop();
            }
            self.push(path, board);
        }
    }

    /// Goes back until this many steps are left.
    fn back_to(&mut self, count: usize) {
        while self.boards.pop_if(|(steps, _)| *steps > count).is_some() {}
        for step in self.steps.drain(count.min(self.steps.len())..).rev() {
            match step.previous {
                Some(previous) => drop(self.last.insert(step.key, previous)),
                None => drop(self.last.remove(&step.key)),
            }
        }
    }

    fn report(&self, occurrences: &mut Occurrences) {
        if let Some(step) = self.steps.last() {
            let previous = step.previous.map(|index| self.steps[index].path);
            occurrences.push(step.key, step.path, previous);
        }
    }
}

#[cfg(test)]
mod tests;
