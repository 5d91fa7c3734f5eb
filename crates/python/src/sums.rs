//! Combinatorial games for Python: sums, canonical forms, questions within limits.
//!
//! Objects are immutable and own their data: no table outlives a question.

mod form;
mod strategy;
mod sum;

use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::Duration;

use gametree_sums::value::{Player, Thermograph};
use kit::{Stop, Workers};
use lab::Budget;
use lab::solve::{Options, default_memory};
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

use crate::number::Number;

pub use form::Form;
pub use strategy::Strategy;
pub use sum::{Components, games};

pyo3::create_exception!(
    gametree.sums,
    OutOfBudget,
    PyException,
    "The answer takes more time, nodes, memory or moves than allowed."
);

/// A read text, or the error in it: message, start and end, counted in characters.
#[derive(IntoPyObject)]
pub enum Parsed<T> {
    Done(T),
    Failed(String, usize, usize),
}

impl<T> Parsed<T> {
    fn failed(message: String, span: &Range<usize>, text: &str) -> Parsed<T> {
        let characters = |byte: usize| {
            let ends = text.char_indices().map(|(at, _)| at);
            ends.take_while(|&at| at < byte).count()
        };
        Parsed::Failed(message, characters(span.start), characters(span.end))
    }
}

/// Both walls from temperature −1 to the foot of the mast, the mean and the temperature.
#[derive(IntoPyObject)]
pub struct Walls(Vec<(Number, Number)>, Vec<(Number, Number)>, Number, Number);

impl Walls {
    fn of(graph: &Thermograph) -> Walls {
        let [left, right] = Player::BOTH.map(|player| {
            let points = lab::answers::points(graph, player).into_iter();
            points.map(|(v, t)| (Number(v), Number(t))).collect()
        });
        let mean = Number(graph.mean().clone());
        Walls(left, right, mean, Number(graph.temperature().clone()))
    }
}

/// Time in seconds, nodes, bytes of memory, threads; none: the usual limit.
#[derive(FromPyObject, Clone, Copy)]
pub struct Limits(Option<f64>, Option<u64>, Option<usize>, Option<usize>);

impl Limits {
    pub fn budget(&self) -> PyResult<Budget> {
        let time = self.0.map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| PyValueError::new_err("time must be a number of seconds, at least 0"))
        });
        Ok(Budget {
            time: time.transpose()?,
            nodes: self.1.unwrap_or(u64::MAX),
            bytes: self.2.unwrap_or_else(default_memory),
        })
    }

    /// The number of threads.
    pub fn threads(&self) -> Option<usize> {
        self.3
    }

    /// The budget, and the threads that a search uses.
    fn options(&self, stop: &Stop) -> PyResult<(Options, Workers)> {
        let options = Options {
            budget: self.budget()?,
            ..Options::default()
        };
        let threads = self.3.and_then(NonZeroUsize::new);
        Ok((options, Workers::new(threads, stop.clone())))
    }
}

/// A player by the name that the Python package uses.
fn player(name: &str) -> PyResult<Player> {
    match name {
        "left" => Ok(Player::Left),
        "right" => Ok(Player::Right),
        _ => Err(PyValueError::new_err("expected left or right")),
    }
}

fn name(player: Player) -> &'static str {
    match player {
        Player::Left => "left",
        Player::Right => "right",
    }
}
