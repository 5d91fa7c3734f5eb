//! Combinatorial games: values, rulesets, sums and an exact solver.

pub mod value;
