//! Combinatorial games: values, rulesets, sums and an exact solver.

mod player;
pub mod rules;
pub mod value;

pub use player::ByPlayer;
