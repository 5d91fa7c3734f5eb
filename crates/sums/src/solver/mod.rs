//! The exact solver for sums.

mod arena;
mod common;
mod components;
mod facts;
mod index;
mod interrupt;
mod known;
mod lists;
mod nim;
mod notes;
mod pages;
mod proof;
mod questions;
mod search;
mod snapshot;
mod sync;
mod table;
mod together;
mod values;

pub use questions::{Bounds, Mark, Scale, SumMove, moves, moves_until, scaffold};
pub use snapshot::BadSnapshot;
pub use together::Workers;

use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::value::{Forms, Limits, Outcome, Player};
use arena::Arena;
use common::Common;
use interrupt::Watch;
use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use table::{SumId, Table};

/// What a question may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Time from the moment the question is asked.
    pub time: Option<Duration>,
    /// Sums searched.
    pub nodes: u64,
    /// Bytes of all tables together.
    pub bytes: usize,
}

impl Default for Budget {
    /// As long as it takes, within a gigabyte.
    fn default() -> Budget {
        Budget {
            time: None,
            nodes: u64::MAX,
            bytes: 1 << 30,
        }
    }
}

impl Budget {
    /// What the next of so many questions may cost when all of them share this budget, of which
    /// so much is spent.
    #[must_use]
    pub fn share(self, time: Duration, nodes: u64, questions: usize) -> Budget {
        let questions = questions.max(1);
        Budget {
            time: self
                .time
                .map(|all| all.saturating_sub(time) / u32::try_from(questions).unwrap_or(u32::MAX)),
            nodes: match self.nodes {
                u64::MAX => u64::MAX,
                all => all.saturating_sub(nodes) / questions as u64,
            },
            bytes: self.bytes,
        }
    }
}

/// The answer when a question would cost more than its [`Budget`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GaveUp {
    /// Time ran out.
    Time,
    /// Too many sums were searched.
    Nodes,
    /// The tables are full.
    Bytes,
    /// Positions follow one another in more moves than can be kept in mind.
    Depth,
    /// Somebody asked to stop.
    Stopped,
    /// A sum was said to be won, and no move wins it: a database or saved work says what is not so.
    Contradiction,
}

impl std::fmt::Display for GaveUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            GaveUp::Time => "not solved in the time allowed",
            GaveUp::Nodes => "not solved within the number of nodes allowed",
            GaveUp::Bytes => "not solved within the memory allowed",
            GaveUp::Depth => "not solved: the game takes too many moves",
            GaveUp::Stopped => "stopped",
            GaveUp::Contradiction => "a database or saved work says what is not so",
        })
    }
}

impl std::error::Error for GaveUp {}

/// What the search has cost so far; the same on every run with one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Sums searched.
    pub nodes: u64,
    /// Different components met.
    pub components: usize,
    /// Different values met.
    pub values: usize,
    /// Sums in the table.
    pub sums: usize,
    /// Bytes of all tables together.
    pub bytes: usize,
}

/// Answers questions about sums, and remembers all it has proven.
///
/// ```
/// use sums::{Game, Solver, value::{Outcome, Player}};
/// let mut solver = Solver::default();
/// let sum = [Game::parse("clobber_1xn", "XXO")?, Game::parse("up_star", "-1")?];
/// assert_eq!(solver.outcome(&sum)?, Outcome::Previous);
/// assert!(!solver.wins(&sum, Player::Left)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    arena: Arena,
    work: search::Work,
    budget: Budget,
    /// Read together with those who search the same question.
    meter: Arc<search::Meter>,
    nodes_allowed: u64,
    /// Nim values nested in one another at the moment.
    nim_depth: usize,
    values_at_root: bool,
    workers: Option<Arc<dyn Workers>>,
    /// Solvers of other threads, kept for the next search on many threads.
    helpers: Vec<Solver>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(Budget::default())
    }
}

/// The questions.
impl Solver {
    /// A solver that knows nothing yet; the budget holds for each question.
    pub fn new(budget: Budget) -> Solver {
        let limits = Limits {
            bytes: budget.bytes / 4,
            ..Limits::default()
        };
        Solver {
            arena: Arena::new(Arc::new(Common::new(limits)), Watch::new(budget.bytes)),
            work: search::Work::default(),
            budget,
            meter: Arc::default(),
            nodes_allowed: u64::MAX,
            nim_depth: 0,
            values_at_root: true,
            workers: None,
            helpers: Vec::new(),
        }
    }

    /// Another solver, for another thread, that knows what this one knows: whatever either of them
    /// finds out is known to both. Each counts its own nodes; the memory is one.
    ///
    /// ```
    /// use sums::{Game, Solver, value::Player};
    /// let sum = [Game::parse("nogo_1xn", ".............")?];
    /// let mut solver = Solver::default();
    /// let mut other = solver.share();
    /// solver.wins(&sum, Player::Left)?;
    /// other.wins(&sum, Player::Left)?;
    /// assert_eq!(other.stats().nodes, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn share(&self) -> Solver {
        Solver {
            arena: self.arena.share(),
            work: search::Work::default(),
            budget: self.budget,
            meter: Arc::default(),
            nodes_allowed: u64::MAX,
            nim_depth: 0,
            values_at_root: self.values_at_root,
            workers: None,
            helpers: Vec::new(),
        }
    }

    /// A solver that searches every component, however small: slower, for checking.
    #[must_use]
    pub fn searching_only(mut self) -> Solver {
        self.arena.value_size = 0;
        self.values_at_root = false;
        self
    }

    /// What the search has cost so far.
    pub fn stats(&self) -> Stats {
        let common = &self.arena.common;
        let values = common.forms().len();
        Stats {
            nodes: self.meter.nodes.load(Ordering::Relaxed),
            components: common.components.len(),
            values,
            sums: common.table.len(),
            bytes: common.bytes_used(),
        }
    }

    /// The canonical forms that this solver's values belong to. Solvers that share what they know
    /// wait for one another while they are held.
    pub fn forms(&mut self) -> impl DerefMut<Target = Forms> + '_ {
        self.arena.common.forms()
    }

    /// What each question may cost.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// What each question may cost from now on; the memory stays as it was.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = Budget {
            bytes: self.budget.bytes,
            ..budget
        };
    }

    /// Gives up with [`GaveUp::Stopped`] soon after this flag is raised.
    pub fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.arena.interrupt.signal.set_flag(flag);
    }

    /// Searches on many threads from now on. Answers stay the same; how many nodes they take
    /// depends on chance.
    pub fn set_workers(&mut self, workers: Arc<dyn Workers>) {
        self.workers = Some(workers);
    }

    /// Does this player win, moving first?
    pub fn wins(&mut self, sum: &[Game], first: Player) -> Result<bool, GaveUp> {
        self.start();
        self.still_wins(sum, first)
    }

    /// The same as part of the question that was asked last: its budget goes on.
    pub(crate) fn still_wins(&mut self, sum: &[Game], first: Player) -> Result<bool, GaveUp> {
        let root = self.root(sum)?;
        self.solve(root, first)
    }

    /// The interrupt of the question that was asked last.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.arena.interrupt.signal
    }

    /// An interrupt that is due when a question asked now would be given up, or is stopped.
    #[must_use]
    pub fn new_interrupt(&self) -> Interrupt {
        self.interrupt().clone().with_time(self.budget.time)
    }

    /// Who wins.
    pub fn outcome(&mut self, sum: &[Game]) -> Result<Outcome, GaveUp> {
        self.start();
        let root = self.root(sum)?;
        let left = self.solve(root, Player::Left)?;
        let right = self.solve(root, Player::Right)?;
        Ok(match (left, right) {
            (true, true) => Outcome::Next,
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::Previous,
        })
    }

    /// Starts the clock and the count of nodes for one question.
    pub(crate) fn start(&mut self) {
        // A question that ended with a panic has left its depth behind.
        (self.nim_depth, self.arena.depth) = (0, 0);
        self.arena.interrupt.signal.set_time(self.budget.time);
        let nodes = self.meter.nodes.load(Ordering::Relaxed);
        self.nodes_allowed = nodes.saturating_add(self.budget.nodes);
    }

    /// All sums that were searched.
    fn table(&self) -> &Table {
        &self.arena.common.table
    }

    /// The sum of games as written.
    fn root(&mut self, sum: &[Game]) -> Result<SumId, GaveUp> {
        let mut items = Vec::new();
        for game in sum {
            self.arena
                .split_into(game.kind, &game.position, &mut items)?;
        }
        self.settle_impartial(&mut items)?;
        self.arena.tidy(&mut items)?;
        self.table().intern(&items)
    }
}
