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
//! - [`input`]: the language of `.test` files and a short form for people.
//! - [`Solver`]: who wins a sum, nim values, winning moves, comparisons, bounds, values; within a
//!   [`Budget`], until an [`Interrupt`] is due. A question that would cost more is given up
//!   ([`GaveUp`]), never guessed.
//! - [`Strategy`]: a winning strategy as a tree that can be checked by the rules alone.
//! - [`value`]: canonical forms, thermographs, and the notation for them.
//! - [`db`]: databases of components, as bytes.
//! - [`naive`]: minimax that uses nothing but the rules, to check the rest.
//!
//! # What it does not do
//!
//! The crate does no input or output and starts no threads: the caller reads files, and may lend
//! threads to the solver. It has no loopy games (positions never repeat) and no misère play, and
//! offers no heuristic answers.

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
pub use interrupt::Interrupt;
pub use player::ByPlayer;
pub use solver::{
    BadSnapshot, Bounds, Budget, GaveUp, Mark, Scale, Solver, Stats, SumMove, Workers, moves,
    moves_until, scaffold,
};
pub use strategy::{Flaw, Strategy, StrategyMove};
