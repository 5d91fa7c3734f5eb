//! One budget for several questions.

use std::time::{Duration, Instant};

use sums::{Budget, Solver};

/// A budget that several questions share: each gets its share of the rest.
#[derive(Clone, Copy, Debug)]
pub struct SharedBudget {
    budget: Budget,
    begun: Instant,
    nodes: u64,
}

impl SharedBudget {
    /// The budget of a solver, from now on for several questions.
    pub fn open(solver: &Solver) -> SharedBudget {
        SharedBudget {
            budget: solver.budget(),
            begun: Instant::now(),
            nodes: solver.stats().nodes,
        }
    }

    /// The whole budget.
    pub fn whole(&self) -> Budget {
        self.budget
    }

    /// The budget for the next of this many questions.
    pub fn share(&self, solver: &Solver, questions: usize) -> Budget {
        let nodes = solver.stats().nodes - self.nodes;
        self.budget.share(self.begun.elapsed(), nodes, questions)
    }

    /// The whole budget with the share of the time for the next of this many questions.
    pub fn share_time(&self, solver: &Solver, questions: usize) -> Budget {
        Budget {
            time: self.share(solver, questions).time,
            ..self.budget
        }
    }

    /// True if all of the time is spent.
    pub fn is_out_of_time(&self) -> bool {
        let time = self.budget.time;
        time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    /// True if nothing is left for this many questions.
    pub fn is_empty_for(&self, solver: &Solver, questions: usize) -> bool {
        let left = self.share(solver, questions);
        left.nodes == 0 || left.time == Some(Duration::ZERO)
    }
}
