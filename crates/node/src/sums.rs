//! Sums of combinatorial games: who wins, and what a sum is worth.

use std::time::{Duration, Instant};

use kit::{Stop, Workers};
use lab::moves::{NotListed, judge};
use lab::read::{Task, read_sum};
use lab::solve::{Options, default_memory, solve as solve_sum};
use lab::value::value_report;
use lab::{Budget, Game, GaveUp, Player};
use napi::bindgen_prelude::{AsyncTask, Result};
use napi_derive::napi;
use serde_json::{Value, json};

use crate::moves::invalid;
use crate::task::{StopHandle, TextTask, failure, start};

/// Limits of a question.
#[napi(object)]
pub struct SumLimits {
    /// Seconds.
    pub time: Option<f64>,
    /// Bytes of memory.
    pub memory: Option<f64>,
}

impl SumLimits {
    fn options(&self) -> Result<Options> {
        let time = self.time.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|_| invalid("time must be a number of seconds, at least 0"))?;
        Ok(Options {
            budget: Budget {
                time,
                nodes: u64::MAX,
                // Larger numbers than memory are cut off by the conversion.
                bytes: self
                    .memory
                    .map_or_else(default_memory, |bytes| bytes as usize),
            },
            ..Options::default()
        })
    }
}

fn read(text: &str) -> Result<Vec<Game>> {
    read_sum(text).map_err(|fault| {
        failure(json!({
            "sum": fault.render(text), "errors": [{
                "message": fault.message, "start": fault.span.start, "end": fault.span.end,
            }],
        }))
    })
}

/// Who wins a sum when either player moves first, as JSON; with `moves`, the winning first moves.
#[napi(catch_unwind)]
pub fn solve(
    sum: String,
    moves: bool,
    limits: SumLimits,
    stop: &StopHandle,
) -> Result<AsyncTask<TextTask>> {
    let (games, options, stop) = (read(&sum)?, limits.options()?, Stop::clone(stop));
    Ok(start(move || {
        let workers = Workers::new(None, stop);
        let deadline = Deadline(Instant::now(), options.budget.time);
        let solved = solve_sum(&Task::of_sum(&sum, games.clone()), &options, &workers);
        let known = solved.outcome();
        let mut answer = json!({
            "outcome": known.outcome().map(|outcome| outcome.to_string()),
            "leftWinsFirst": known.wins(Player::Left),
            "rightWinsFirst": known.wins(Player::Right),
            "gaveUp": solved.gave_up().map(reason),
        });
        if moves {
            answer["winningMoves"] = winning_moves(&games, &options, &workers, &deadline)?;
        }
        Ok(answer.to_string())
    }))
}

/// When the question began, and its time.
struct Deadline(Instant, Option<Duration>);

impl Deadline {
    fn left(&self) -> Option<Duration> {
        self.1.map(|time| time.saturating_sub(self.0.elapsed()))
    }
}

fn winning_moves(
    games: &[Game],
    options: &Options,
    workers: &Workers,
    deadline: &Deadline,
) -> Result<Value> {
    let mut both = json!({});
    for (player, name) in [(Player::Left, "left"), (Player::Right, "right")] {
        let mut options = options.clone();
        options.budget.time = deadline.left();
        let judged = match judge(&mut options.solver(workers), games, player) {
            Ok(judged) => judged,
            Err(NotListed::GaveUp(_)) => return Ok(Value::Null),
            Err(error) => return Err(failure(error)),
        };
        let names = judged.iter().filter(|judged| judged.wins == Ok(true));
        both[name] = names.map(|judged| judged.mv.name()).collect();
    }
    Ok(both)
}

fn reason(reason: GaveUp) -> String {
    reason.to_string()
}

/// The canonical form, outcome, stops, mean and temperature of a sum, as JSON.
#[napi(catch_unwind)]
pub fn value(sum: String, limits: SumLimits, stop: &StopHandle) -> Result<AsyncTask<TextTask>> {
    let (games, options, stop) = (read(&sum)?, limits.options()?, Stop::clone(stop));
    Ok(start(move || {
        let mut solver = options.solver(&Workers::new(None, stop));
        let report = value_report(&mut solver, &games).map_err(|error| failure(reason(error)))?;
        Ok(json!(report).to_string())
    }))
}
