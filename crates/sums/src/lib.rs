//! Combinatorial games: two dozen rulesets, sums of games, canonical values, and an exact solver.
//!
//! ```
//! use gametree_sums::{Solver, input::read_short, value::Outcome};
//! let statement = read_short("clobber XXO + domineering ..|.. + {1|-1} - ^")?;
//! assert_eq!(Solver::default().outcome(&statement.sum)?, Outcome::Previous);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`rules`]: the games, one file each, and the trait [`rules::Ruleset`] for new ones.
//! - [`input`]: the language of `.test` files, and a short form for typing.
//! - [`Solver`]: outcomes of sums, nim values, winning moves, comparisons, bounds and values,
//!   within a [`Budget`] and until an [`Interrupt`] is due. A question that would exceed these limits
//!   returns [`GaveUp`], never a guess.
//! - [`Strategy`]: a winning strategy as a tree that can be checked using only the rules.
//! - [`value`]: canonical forms, thermographs, and the notation for them.
//! - [`db`]: databases of components, as bytes.
//! - [`naive`]: minimax that uses only the rules, to check the solver.
//!
//! # Limitations
//!
//! The crate does no I/O and starts no threads: the caller reads files, and may provide threads for
//! the solver. It supports neither loopy games (positions never repeat) nor misère play, and gives
//! no heuristic answers.

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

extern crate gametree_tree as tree;

pub mod db;
mod fnv;
mod game;
pub mod input;
mod interrupt;
pub mod naive;
mod player;
pub mod rules;
mod solver;
mod strategy;
pub mod value;

pub use game::{Game, GameMove, Kind};
pub use interrupt::{GaveUp, Interrupt};
pub use player::ByPlayer;
pub use solver::{
    BadSnapshot, Bounds, Budget, Mark, Scale, Solver, Stats, SumMove, Workers, moves, moves_until,
    scaffold,
};
pub use strategy::{Flaw, Strategy, StrategyMove};
