//! Sums of games, and questions about them.

use std::time::Instant;

use kit::Stop;
use lab::answers::Answer;
use lab::moves::{Judged, NotListed, judge, list};
use lab::read::{Task, read_sum};
use lab::shared_budget::SharedBudget;
use lab::solve::{Known, Options, Solved, solve_in_turn};
use lab::strategy::{NoStrategy, winning_strategy};
use lab::value::{Ruler, bounds, partial_bounds};
use lab::{Ask, Bounds, Game, GaveUp, Mark, Player, Scale, Solver, SumMove, sum_text};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::{Form, Limits, OutOfBudget, Parsed, Strategy, Walls, player};
use crate::number::Number;
use crate::work;

/// The games of a sum.
#[pyclass(frozen, module = "gametree._native")]
pub struct Components {
    games: Vec<Game>,
}

/// Who wins, as far as known, and the cost of the search.
#[derive(IntoPyObject)]
pub struct Winners {
    /// The answers if Left and if Right moves first: the first player wins.
    wins: (Option<bool>, Option<bool>),
    /// The letters of the outcomes that are still possible.
    possible: Vec<String>,
    gave_up: Option<String>,
    nodes: u64,
    seconds: f64,
}

/// A move: player, component, name, the sum after it, and whether it wins, if known.
type MoveData = (&'static str, usize, String, Components, Option<bool>);

/// The nearest marks of a scale: text of the value and whether it is equal; then why the search was
/// given up.
type BoundsData = (
    Option<(String, bool)>,
    Option<(String, bool)>,
    Option<String>,
);

/// The names of the games, each with a short description.
#[pyfunction]
pub fn games() -> Vec<(&'static str, &'static str)> {
    lab::games().collect()
}

impl Components {
    fn of(games: Vec<Game>) -> Components {
        Components { games }
    }

    /// Asks a solver on another thread.
    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        limits: Limits,
        question: impl FnOnce(&mut Solver, &Options) -> R + Send,
    ) -> PyResult<R> {
        let stop = Stop::new();
        let (options, workers) = limits.options(&stop)?;
        work::run(py, &stop, || {
            question(&mut options.solver(&workers), &options)
        })
    }
}

#[pymethods]
impl Components {
    /// Reads a sum.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Parsed<Components>> {
        let read = work::run(py, &Stop::new(), || read_sum(text))?;
        Ok(match read {
            Ok(games) => Parsed::Done(Components::of(games)),
            Err(fault) => Parsed::failed(fault.message, &fault.span, text),
        })
    }

    /// The sum in input syntax.
    fn text(&self) -> String {
        sum_text(&self.games)
    }

    /// Boards with the names of their cells.
    fn boards(&self) -> String {
        lab::board::boards(&self.games)
    }

    fn plus(&self, other: &Components) -> Components {
        Components::of([&self.games[..], &other.games].concat())
    }

    fn negative(&self) -> Components {
        Components::of(self.games.iter().map(Game::negative).collect())
    }

    fn times(&self, count: usize) -> Components {
        Components::of(vec![&self.games[..]; count].concat())
    }

    fn parts(&self) -> Vec<Components> {
        let alone = |game: &Game| Components::of(vec![game.clone()]);
        self.games.iter().map(alone).collect()
    }

    /// The names of the games.
    fn names(&self) -> Vec<String> {
        self.games.iter().map(|game| game.kind.name()).collect()
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Whether the first player wins, for Left, Right or both as the first player.
    fn solve(&self, py: Python<'_>, first: Option<&str>, limits: Limits) -> PyResult<Winners> {
        let first = first.map(player).transpose()?;
        self.ask(py, limits, |solver, options| {
            solve(solver, options, &self.games, first)
        })
    }

    fn compare(&self, py: Python<'_>, other: &Components, limits: Limits) -> PyResult<Option<i8>> {
        let found = self.ask(py, limits, |solver, _| {
            solver.compare(&self.games, &other.games)
        })?;
        let order = found.map_err(gave_up)?;
        Ok(order.map(|order| order as i8))
    }

    fn value(&self, py: Python<'_>, limits: Limits) -> PyResult<Form> {
        let found = self.ask(py, limits, |solver, _| {
            let value = solver.value(&self.games)?;
            let mut reason = GaveUp::Bytes;
            let form = solver.within_budget(|forms| {
                Form::of(forms, value).inspect_err(|why| reason = (*why).into())
            });
            form.ok_or(reason)
        })?;
        found.map_err(gave_up)
    }

    fn thermograph(&self, py: Python<'_>, limits: Limits) -> PyResult<Walls> {
        let found = self.ask(py, limits, |solver, _| solver.thermograph(&self.games))?;
        let graph = found.map_err(gave_up)?;
        Ok(Walls::of(&graph))
    }

    fn nim_value(&self, py: Python<'_>, limits: Limits) -> PyResult<Option<u64>> {
        let found = self.ask(py, limits, |solver, _| solver.nim_value(&self.games))?;
        found.map_err(gave_up)
    }

    /// The place of the sum on a scale: `numbers` (with a step), `ups` or `ups-star`.
    fn bounds(
        &self,
        py: Python<'_>,
        scale: &str,
        step: Number,
        range: (Number, Number),
        limits: Limits,
    ) -> PyResult<BoundsData> {
        let ruler = ruler(scale, step, &range).ok_or_else(|| {
            PyValueError::new_err(
                "invalid scale: give a positive step, and a range within 2^63 steps of 0",
            )
        })?;
        self.ask(py, limits, |solver, _| {
            bounds_data(solver, &self.games, &ruler)
        })
    }

    /// The moves of a player; without solving, no results.
    fn moves(
        &self,
        py: Python<'_>,
        by: &str,
        judged: bool,
        limits: Limits,
    ) -> PyResult<Vec<MoveData>> {
        let by = player(by)?;
        let found = self.ask(py, limits, |solver, _| {
            let data = |mv: SumMove, wins: Option<bool>| {
                let name = mv.name();
                (
                    super::name(mv.player),
                    mv.component,
                    name,
                    Components::of(mv.result),
                    wins,
                )
            };
            if judged {
                let moves = judge(solver, &self.games, by)?.into_iter();
                let moves = moves.map(|Judged { mv, wins }| data(mv, wins.ok()));
                return Ok(moves.collect());
            }
            let moves = list(&self.games, by, &solver.new_interrupt())?.into_iter();
            Ok(moves.map(|mv| data(mv, None)).collect())
        })?;
        found.map_err(|error: NotListed| OutOfBudget::new_err(error.to_string()))
    }

    /// A strategy of the winner.
    fn winning_strategy(
        &self,
        py: Python<'_>,
        first: &str,
        max_moves: usize,
        limits: Limits,
    ) -> PyResult<Strategy> {
        let first = player(first)?;
        let found = self.ask(py, limits, |solver, _| {
            winning_strategy(solver, &self.games, first, max_moves)
        })?;
        found.map(Strategy::new).map_err(|error| match error {
            NoStrategy::Wrong(_) => PyRuntimeError::new_err(error.to_string()),
            _ => OutOfBudget::new_err(error.to_string()),
        })
    }
}

fn gave_up(reason: GaveUp) -> PyErr {
    OutOfBudget::new_err(reason.to_string())
}

/// Asks for one or both first players, which share the budget.
fn solve(solver: &mut Solver, options: &Options, games: &[Game], first: Option<Player>) -> Winners {
    let (started, shared) = (Instant::now(), SharedBudget::open(solver));
    let questions = first.map_or(Player::BOTH.to_vec(), |first| vec![first]);
    let mut known = Known::default();
    let (mut gave_up, mut symmetric) = (None, false);
    for (left, &player) in (1..=questions.len()).rev().zip(&questions) {
        if known.wins(player).is_some() {
            continue;
        }
        solver.set_budget(shared.share(solver, left));
        let mut task = Task::of_sum("", games.to_vec());
        task.questions
            .retain(|question| question.ask == Ask::Wins(player));
        let solved = solve_in_turn(&task, options, solver);
        gave_up = gave_up.or(solved.gave_up());
        symmetric |= solved.symmetric;
        note(&mut known, &solved, player);
    }
    let mut possible = known.possible();
    // Both players have the same chances.
    possible.retain(|o| !symmetric || o.wins_first(Player::Left) == o.wins_first(Player::Right));
    Winners {
        wins: (known.wins(Player::Left), known.wins(Player::Right)),
        possible: possible.iter().map(ToString::to_string).collect(),
        gave_up: gave_up
            .filter(|_| questions.iter().any(|&p| known.wins(p).is_none()))
            .map(|reason| reason.to_string()),
        nodes: solver.stats().nodes,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Records an answer, of a symmetric sum for both players.
fn note(known: &mut Known, solved: &Solved, player: Player) {
    let answer = solved.answers.first().map(|answered| &answered.answer);
    if let Some(Ok(Answer::Wins(wins))) = answer {
        known.set(player, *wins);
        if solved.symmetric {
            known.set(!player, *wins);
        }
    }
}

fn ruler(scale: &str, step: Number, (from, to): &(Number, Number)) -> Option<Ruler> {
    let whole = || Ruler::numbers(lab::Dyadic::integer(1), &from.0, &to.0);
    match scale {
        "numbers" => Ruler::numbers(step.0, &from.0, &to.0),
        "ups" => Some(Ruler {
            scale: Scale::Ups,
            ..whole()?
        }),
        _ => Some(Ruler {
            scale: Scale::UpsAndStar,
            ..whole()?
        }),
    }
}

fn bounds_data(solver: &mut Solver, games: &[Game], ruler: &Ruler) -> BoundsData {
    let mark = |mark: Mark| (mark.value.to_string(), mark.equal);
    match bounds(solver, games, ruler) {
        Ok(Bounds { below, above }) => (below.map(mark), above.map(mark), None),
        Err(reason) => {
            let known = partial_bounds(solver, games, ruler);
            let [below, above] = known.map(|mark| mark.map(|text| (text, false)));
            (below, above, Some(reason.to_string()))
        }
    }
}
