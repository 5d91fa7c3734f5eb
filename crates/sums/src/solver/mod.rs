//! The exact solver for sums.

mod arena;
mod bounded;
mod common;
mod components;
mod facts;
mod index;
mod interrupt;
mod known;
mod lists;
mod nim;
mod notes;
mod odds;
mod packed;
mod pages;
mod pairs;
mod parallel;
mod plain;
mod proof;
mod questions;
mod rungs;
mod search;
mod snapshot;
mod sync;
mod table;
mod values;
mod weights;

pub use parallel::Workers;
pub use questions::{Bounds, Mark, Scale, SumMove, moves, moves_until, scaffold};
pub use snapshot::BadSnapshot;

use crate::game::{Game, Kind};
pub use crate::interrupt::GaveUp;
use crate::interrupt::Interrupt;
use crate::value::{Forms, Limits, Outcome, Player};
use arena::Arena;
use common::Common;
use interrupt::LimitCheck;
use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use table::{SumId, Table};

/// The limits of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Time from the start of the question.
    pub time: Option<Duration>,
    /// Sums searched.
    pub nodes: u64,
    /// Bytes of all tables together.
    pub bytes: usize,
}

impl Default for Budget {
    /// No limit of time or nodes, and one gigabyte.
    fn default() -> Budget {
        Budget {
            time: None,
            nodes: u64::MAX,
            bytes: 1 << 30,
        }
    }
}

impl Budget {
    /// Sets the time limit of each question.
    ///
    /// ```
    /// use gametree_sums::Budget;
    /// use std::time::Duration;
    /// let budget = Budget::default().with_time(Duration::from_secs(10)).with_nodes(5_000);
    /// assert_eq!((budget.nodes, budget.bytes), (5_000, Budget::default().bytes));
    /// ```
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Budget {
        self.time = Some(time);
        self
    }

    /// Sets the number of sums that a question may search.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Budget {
        self.nodes = nodes;
        self
    }

    /// Sets the memory limit of all tables.
    #[must_use]
    pub fn with_bytes(mut self, bytes: usize) -> Budget {
        self.bytes = bytes;
        self
    }

    /// The budget of the next question, when `questions` remaining questions share this budget, of
    /// which `time` and `nodes` are spent.
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

/// The cost of the search so far; deterministic with one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Sums searched.
    pub nodes: u64,
    /// Different components found.
    pub components: usize,
    /// Different values found.
    pub values: usize,
    /// Sums in the table.
    pub sums: usize,
    /// Bytes of all tables together.
    pub bytes: usize,
}

/// Answers questions about sums, and keeps all results.
///
/// ```
/// use gametree_sums::{Game, Solver, value::{Outcome, Player}};
/// let mut solver = Solver::default();
/// let sum = [Game::parse("clobber_1xn", "XXO")?, Game::parse("up_star", "-1")?];
/// assert_eq!(solver.outcome(&sum)?, Outcome::Previous);
/// assert!(!solver.wins(&sum, Player::Left)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    arena: Arena,
    buffers: search::SearchBuffers,
    budget: Budget,
    /// Shared with the helpers that search the same question.
    cost: Arc<search::SearchCost>,
    nodes_allowed: u64,
    /// The depth of nested searches for nim values.
    nim_depth: usize,
    /// Components of this size get their nim values from those of all their options.
    nim_size: u32,
    values_at_root: bool,
    /// The last bounded search, for sums of these kinds.
    bounded: Option<(Vec<Kind>, Box<dyn bounded::BoundedSearch>)>,
    /// The bytes for its table: none in solvers that share the tables of another, because that
    /// would multiply the memory.
    bounded_bytes: usize,
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
    /// Creates a solver without results; the budget applies to each question.
    pub fn new(budget: Budget) -> Solver {
        let limits = Limits::default().with_bytes(budget.bytes / 4);
        let bytes = budget.bytes - budget.bytes / search::BOUNDED_SHARE;
        Solver {
            arena: Arena::new(Arc::new(Common::new(limits)), LimitCheck::new(bytes)),
            buffers: search::SearchBuffers::default(),
            budget,
            cost: Arc::default(),
            nodes_allowed: u64::MAX,
            nim_depth: 0,
            nim_size: 0,
            values_at_root: true,
            bounded: None,
            bounded_bytes: budget.bytes / search::BOUNDED_SHARE,
            workers: None,
            helpers: Vec::new(),
        }
    }

    /// Creates a solver for another thread that shares the tables of this one: each can use the
    /// results of the other. Each counts its own nodes; the memory budget is shared, and when it is
    /// used up, only the first solver continues its question.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver, value::Player};
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
            buffers: search::SearchBuffers::default(),
            budget: self.budget,
            cost: Arc::default(),
            nodes_allowed: u64::MAX,
            nim_depth: 0,
            nim_size: self.nim_size,
            values_at_root: self.values_at_root,
            bounded: None,
            bounded_bytes: 0,
            workers: None,
            helpers: Vec::new(),
        }
    }

    /// Searches every component, even small ones: slower, for checking.
    #[must_use]
    pub fn searching_only(mut self) -> Solver {
        self.arena.value_size = 0;
        self.values_at_root = false;
        self
    }

    /// The cost of the search so far.
    pub fn stats(&self) -> Stats {
        let common = &self.arena.common;
        let values = common.forms().len();
        let bounded = self
            .bounded
            .as_ref()
            .map_or(0, |(_, search)| search.bytes_used());
        Stats {
            nodes: self.cost.nodes.load(Ordering::Relaxed),
            components: common.components.len(),
            values,
            sums: common.table.len(),
            bytes: common.bytes_used() + bounded,
        }
    }

    /// Locks the canonical forms that this solver's values belong to. Solvers that share the tables
    /// wait until the lock is released.
    pub fn forms(&mut self) -> impl DerefMut<Target = Forms> + '_ {
        self.arena.common.forms()
    }

    /// The limits of each question.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Sets the limits of further questions, except for the memory limit, which does not change.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = Budget {
            bytes: self.budget.bytes,
            ..budget
        };
    }

    /// Gives up with [`GaveUp::Stopped`] soon after this flag is set.
    pub fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.arena.interrupt.signal.set_flag(flag);
    }

    /// Uses many threads for further searches. Answers stay the same; the number of nodes varies.
    pub fn set_workers(&mut self, workers: Arc<dyn Workers>) {
        self.workers = Some(workers);
    }

    /// Returns whether this player wins, moving first.
    pub fn wins(&mut self, sum: &[Game], first: Player) -> Result<bool, GaveUp> {
        self.start();
        self.still_wins(sum, first)
    }

    /// Like [`Solver::wins`], but as part of the last question: its budget continues.
    pub(crate) fn still_wins(&mut self, sum: &[Game], first: Player) -> Result<bool, GaveUp> {
        let root = self.root(sum)?;
        self.solve(root, first)
    }

    /// The interrupt of the last question.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.arena.interrupt.signal
    }

    /// An interrupt with the time limit of a question that starts now, and the stop flag.
    #[must_use]
    pub fn new_interrupt(&self) -> Interrupt {
        self.interrupt().clone().with_time(self.budget.time)
    }

    /// The outcome of a sum.
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

    /// Starts the time limit and the node limit of a question.
    pub(crate) fn start(&mut self) {
        // After a panic the depth was not reset.
        (self.nim_depth, self.arena.depth) = (0, 0);
        self.arena.interrupt.signal.set_time(self.budget.time);
        let nodes = self.cost.nodes.load(Ordering::Relaxed);
        self.nodes_allowed = nodes.saturating_add(self.budget.nodes);
    }

    /// All sums of the search.
    fn table(&self) -> &Table {
        &self.arena.common.table
    }

    /// The id of a sum of games, in normal form.
    fn root(&mut self, sum: &[Game]) -> Result<SumId, GaveUp> {
        let mut items = Vec::new();
        for game in sum {
            self.arena
                .split_into(game.kind, &game.position, &mut items)?;
        }
        self.replace_impartial(&mut items)?;
        self.arena.normalise_items(&mut items)?;
        self.table().intern(&items)
    }
}
