//! Work on sums of combinatorial games: read tasks, solve, test, explain, play, databases on disk.
//!
//! ```
//! use gametree_kit::Workers;
//! use gametree_lab::{read, solve};
//!
//! let reading = read::read("example", "clobber_1xn XOXOXO + 3/4".to_owned());
//! let found = solve::solve(&reading.tasks[0], &solve::Options::default(), &Workers::alone());
//! assert_eq!(found.outcome().to_string(), "L");
//! ```
//!
//! Results are plain structs. The crate prints nothing and knows no chess.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_draw as draw;
extern crate gametree_kit as kit;
extern crate gametree_sums as sums;
extern crate gametree_tree as tree;

pub mod answers;
pub mod board;
pub mod db;
pub mod moves;
pub mod partial;
pub mod picture;
pub mod play;
pub mod read;
pub mod report;
pub mod shared_budget;
pub mod solve;
pub mod strategy;
pub mod suite;
#[cfg(feature = "parquet")]
pub mod tables;
pub mod thermograph;
mod threads;
pub mod value;

pub use draw::{DrawError, Format, Paper, Theme};
pub use sums::input::{Ask, Expected, Fault, Relation};
pub use sums::value::{Dyadic, Outcome, Player, Thermograph};
pub use sums::{Bounds, Budget, Game, GaveUp, Mark, Scale, Solver, Stats, SumMove};

/// Components in input syntax, joined by ` + `; `0` for the empty sum.
pub fn sum_text(sum: &[Game]) -> String {
    let terms: Vec<String> = sum.iter().map(term_text).collect();
    if terms.is_empty() {
        "0".to_owned()
    } else {
        terms.join(" + ")
    }
}

/// A value by itself, any other game with its name; a played switch is a number.
fn term_text(game: &Game) -> String {
    let text = game.text();
    let mut name = game.kind.name();
    if name.ends_with("switch_game") && !text.contains(',') {
        name = name.replace("switch_game", "dyadic_rational");
    }
    match name.as_str() {
        "explicit" => text,
        _ if text.contains([' ', '(']) || text.is_empty() => format!("{name} ({text})"),
        _ => format!("{name} {text}"),
    }
}

/// All games: the name of each with a one-line description.
pub fn games() -> impl Iterator<Item = (&'static str, &'static str)> {
    sums::rules::RULESETS
        .iter()
        .map(|rules| (rules.name(), rules.summary()))
}
