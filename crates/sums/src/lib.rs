//! Combinatorial games: values, rulesets, sums and an exact solver.
