//! Solving a task: the outcome and further questions, within a budget.

use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sums::db::Database;
use sums::{BadSnapshot, Interrupt, Solver};

use super::answers::{Answer, Check, ask, check};
use super::partial::Partial;
use super::read::{Claim, Question, Task};
use super::{Ask, Budget, Game, GaveUp, Outcome, Player, Relation, Stats};
use crate::threads::SearchThreads;
use kit::Stop;
use kit::Workers;
use kit::input::{InputError, Source};
use kit::save::{Overwrite, SaveError, Target, save_over};

/// The memory for tables unless another limit is given: 4 GB, at most half of the memory.
pub fn default_memory() -> usize {
    const USUAL: u64 = 4 << 30;
    let half = kit::limits::memory().map_or(USUAL, |all| all / 2);
    usize::try_from(half.min(USUAL)).unwrap_or(usize::MAX)
}

/// Options of the solver.
#[derive(Clone, Default)]
pub struct Options {
    /// The budget of each question.
    pub budget: Budget,
    /// Check each answer by plain minimax.
    pub verify: bool,
    /// The databases.
    pub databases: Vec<Database>,
}

impl Options {
    /// A solver with the budget and the databases that uses all workers and ends when a stop is
    /// requested.
    pub fn solver(&self, workers: &Workers) -> Solver {
        let mut solver = solver(self.budget, &workers.stop);
        if workers.threads.get() > 1 {
            solver.set_workers(Arc::new(SearchThreads(workers.clone())));
        }
        for database in &self.databases {
            solver.attach(database.clone());
        }
        solver
    }
}

/// A task with its answers.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The answer to each question, in order.
    pub answers: Vec<Answered>,
    /// The sum is its own negative: both players have the same answers.
    pub symmetric: bool,
}

/// A question and its answer.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The question.
    pub question: Question,
    /// The answer.
    pub answer: Result<Answer, GaveUp>,
    /// Partial results, if it was given up.
    pub partial: Option<Partial>,
    /// The result of plain minimax, if requested.
    pub check: Option<Check>,
    /// Sums searched for this question.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
    /// The size of the solver's tables afterwards.
    pub stats: Stats,
}

/// The comparison of an answer with the expected one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// Answered, without an expected answer.
    Completed,
    /// Given up.
    Timeout,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Pass => "PASS",
            Verdict::Fail => "FAIL",
            Verdict::Completed => "COMPLETED",
            Verdict::Timeout => "TIMEOUT",
        })
    }
}

impl Answered {
    /// Compares the answer with the expected one.
    pub fn verdict(&self) -> Verdict {
        match (&self.answer, &self.question.expected) {
            (Err(_), _) => Verdict::Timeout,
            (Ok(_), None) => Verdict::Completed,
            (Ok(answer), Some(expected)) if answer.meets(expected) => Verdict::Pass,
            (Ok(_), Some(_)) => Verdict::Fail,
        }
    }
}

impl Solved {
    /// The outcome, as far as the answers determine it.
    pub fn outcome(&self) -> Known {
        let mut known = Known {
            symmetric: self.symmetric,
            ..Known::default()
        };
        for answered in &self.answers {
            if let (Ask::Wins(first), Ok(Answer::Wins(wins))) =
                (answered.question.ask, &answered.answer)
            {
                known.set(first, *wins);
            }
        }
        known
    }

    /// The reason for the first question that was given up.
    pub fn gave_up(&self) -> Option<GaveUp> {
        self.answers
            .iter()
            .find_map(|answered| answered.answer.as_ref().err().copied())
    }
}

/// Who wins moving first, as far as known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    left: Option<bool>,
    right: Option<bool>,
    /// Both players have the same answer, which may be unknown.
    symmetric: bool,
}

impl Known {
    /// Both answers of an outcome.
    pub fn of(outcome: Outcome) -> Known {
        let [left, right] = Player::BOTH.map(|player| Some(outcome.wins_first(player)));
        Known {
            left,
            right,
            symmetric: false,
        }
    }

    /// Whether this player wins, moving first.
    pub fn wins(&self, first: Player) -> Option<bool> {
        match first {
            Player::Left => self.left,
            Player::Right => self.right,
        }
    }

    /// Sets one of the two answers.
    pub fn set(&mut self, first: Player, wins: bool) {
        match first {
            Player::Left => self.left = Some(wins),
            Player::Right => self.right = Some(wins),
        }
    }

    /// The outcomes that are still possible.
    pub fn possible(&self) -> Vec<Outcome> {
        let all = [
            Outcome::Left,
            Outcome::Right,
            Outcome::Next,
            Outcome::Previous,
        ];
        let fits = |outcome: &Outcome| {
            let [left, right] = Player::BOTH.map(|player| outcome.wins_first(player));
            self.left.is_none_or(|wins| wins == left)
                && self.right.is_none_or(|wins| wins == right)
                && (!self.symmetric || left == right)
        };
        all.into_iter().filter(fits).collect()
    }

    /// True if neither answer is known.
    pub fn is_nothing(&self) -> bool {
        *self == Known::default()
    }

    /// The outcome, once both are known.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.possible()[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_nothing() {
            return f.write_str("not known");
        }
        let letters: Vec<String> = self.possible().iter().map(Outcome::to_string).collect();
        f.write_str(&letters.join(" or "))
    }
}

impl Claim {
    /// Whether the claim is true, when the difference of its sides has this outcome.
    pub fn holds(&self, difference: Known) -> Option<bool> {
        let verdicts: Vec<bool> = difference
            .possible()
            .into_iter()
            .map(|outcome| agrees(self.relation, outcome))
            .collect();
        let first = *verdicts.first()?;
        verdicts
            .iter()
            .all(|&verdict| verdict == first)
            .then_some(first)
    }
}

fn agrees(relation: Relation, difference: Outcome) -> bool {
    match relation {
        Relation::Less => difference == Outcome::Right,
        Relation::LessOrEqual => matches!(difference, Outcome::Right | Outcome::Previous),
        Relation::Equal => difference == Outcome::Previous,
        Relation::GreaterOrEqual => matches!(difference, Outcome::Left | Outcome::Previous),
        Relation::Greater => difference == Outcome::Left,
        Relation::Confused => difference == Outcome::Next,
    }
}

/// The sign between two sums whose difference has this outcome: `<`, `=`, `>`, `||`.
pub fn relation_of(difference: Outcome) -> Relation {
    match difference {
        Outcome::Left => Relation::Greater,
        Outcome::Right => Relation::Less,
        Outcome::Previous => Relation::Equal,
        Outcome::Next => Relation::Confused,
    }
}

/// Answers the questions of a task, each on all threads.
pub fn solve(task: &Task, options: &Options, workers: &Workers) -> Solved {
    solve_in_turn(task, options, &mut options.solver(workers))
}

/// Answers the questions of a task one after another.
pub fn solve_in_turn(task: &Task, options: &Options, solver: &mut Solver) -> Solved {
    let interrupt = solver.new_interrupt().with_time(Some(SYMMETRY_TIME));
    let symmetric = is_own_negative(&task.sum, &interrupt);
    let mut answers: Vec<Answered> = Vec::new();
    for question in &task.questions {
        let mirror = answers
            .iter()
            .find(|mirror| symmetric && ask_both_players(mirror.question.ask, question.ask));
        answers.push(match mirror {
            Some(mirror) => mirrored(mirror, task, question, options),
            None => answer(solver, task, question, options),
        });
    }
    Solved { answers, symmetric }
}

/// The time to find out whether a sum is symmetric: it is not part of any question.
const SYMMETRY_TIME: Duration = Duration::from_millis(30);

/// True if a sum is equal to its negative component by component, as the empty board of Domineering
/// with as many rows as columns: then both players have the same winning chances. False too if the
/// interrupt is due before that is known.
fn is_own_negative(sum: &[Game], interrupt: &Interrupt) -> bool {
    let normal = |game: Game| {
        let mut position = game.position;
        game.kind.rules().normalise(&mut position);
        (game.kind, position)
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for game in sum.iter().filter(|game| !game.kind.is_impartial()) {
        if interrupt.is_due() {
            return false;
        }
        ours.push(normal(game.clone()));
        theirs.push(normal(game.negative()));
    }
    ours.sort_unstable();
    theirs.sort_unstable();
    ours == theirs
}

/// The outcome questions: does a player win, moving first?
fn ask_both_players(one: Ask, other: Ask) -> bool {
    matches!((one, other), (Ask::Wins(a), Ask::Wins(b)) if a != b)
}

/// The answer about one player for the other.
fn mirrored(mirror: &Answered, task: &Task, question: &Question, options: &Options) -> Answered {
    Answered {
        question: question.clone(),
        check: checked(task, question, &mirror.answer, options),
        partial: None,
        nodes: 0,
        time: Duration::ZERO,
        ..mirror.clone()
    }
}

/// Loads saved results into a solver.
pub fn resume(solver: &mut Solver, source: &Source) -> Result<(), ResumeError> {
    let mut bytes = Vec::new();
    let mut input = source.open().map_err(ResumeError::Input)?;
    input
        .read_to_end(&mut bytes)
        .map_err(|error| ResumeError::Input(source.error_at(error)))?;
    solver.restore(&bytes).map_err(|reason| ResumeError::Bad {
        name: source.name().into_owned(),
        reason,
    })
}

/// The reason why results could not be loaded.
#[derive(Debug)]
pub enum ResumeError {
    /// The file cannot be read.
    Input(InputError),
    /// It is not a saved solver state.
    Bad {
        /// The file.
        name: String,
        /// The error.
        reason: BadSnapshot,
    },
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResumeError::Input(error) => write!(f, "{error}"),
            ResumeError::Bad { name, reason } => write!(f, "{name}: {reason}"),
        }
    }
}

impl std::error::Error for ResumeError {}

/// Saves the results of a solver.
pub fn save(solver: &mut Solver, target: Target, overwrite: Overwrite) -> Result<(), SaveError> {
    save_over(target, &solver.snapshot(), overwrite)
}

/// A solver on one thread that ends when a stop is requested.
pub fn solver(budget: Budget, stop: &Stop) -> Solver {
    let mut solver = Solver::new(budget);
    solver.stop_with(stop.flag());
    solver
}

fn answer(solver: &mut Solver, task: &Task, question: &Question, options: &Options) -> Answered {
    let (started, nodes) = (Instant::now(), solver.stats().nodes);
    let answer = ask(solver, &task.sum, question.ask);
    let time = started.elapsed();
    let stats = solver.stats();
    let partial = answer
        .is_err()
        .then(|| Partial::of(solver, &task.sum, question.ask));
    Answered {
        question: question.clone(),
        check: checked(task, question, &answer, options),
        answer,
        partial,
        nodes: stats.nodes - nodes,
        time,
        stats,
    }
}

/// The result of plain minimax, if requested.
fn checked(
    task: &Task,
    question: &Question,
    answer: &Result<Answer, GaveUp>,
    options: &Options,
) -> Option<Check> {
    let answer = answer.as_ref().ok().filter(|_| options.verify)?;
    Some(check(&task.sum, question.ask, answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_sum;

    #[test]
    fn sums_that_are_their_own_negatives() {
        for (text, own) in [
            ("domineering 3x3", true),
            ("domineering 3x4", false),
            ("domineering 3x4 + domineering 4x3", true),
            ("clobber 3x4 + nimber 3 + impartial clobber XXO", true),
            ("clobber 3x3", false),
            ("clobber XXO", false),
            ("clobber XXO - clobber XXO", true),
            ("amazons X..|...|..O", true),
            ("1 - 1", true),
            ("1", false),
        ] {
            let sum = read_sum(text).unwrap();
            assert_eq!(is_own_negative(&sum, &Interrupt::never()), own, "{text}");
            let due = Interrupt::after(Duration::ZERO);
            assert!(!is_own_negative(&sum, &due), "{text}");
        }
    }

    #[test]
    fn one_question_answers_both_about_a_symmetric_sum() {
        let sum = read_sum("nogo 3x3").unwrap();
        let task = Task::of_sum("", sum);
        let pools =
            [1, 2].map(|threads| Workers::new(std::num::NonZeroUsize::new(threads), Stop::new()));
        for workers in pools {
            let solved = solve(&task, &Options::default(), &workers);
            assert_eq!(solved.outcome().to_string(), "N");
            assert_eq!(solved.answers[1].nodes, 0);
            let options = Options {
                budget: Budget {
                    nodes: 1,
                    ..Budget::default()
                },
                ..Options::default()
            };
            assert_eq!(
                solve(&task, &options, &workers).outcome().to_string(),
                "N or P"
            );
        }
    }
}
