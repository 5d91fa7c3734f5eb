//! Partial results of a question that was given up.

use std::fmt;
use std::time::Duration;

use sums::{Interrupt, Solver};

use super::moves::list;
use super::{Ask, Game, Player};

/// The time to collect partial results: a question that was given up should end soon.
const MOST_TIME: Duration = Duration::from_millis(40);

/// Partial results.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Partial {
    /// Winning moves.
    pub winning: Vec<String>,
    /// Losing moves.
    pub losing: Vec<String>,
    /// Unsolved moves.
    pub open: Vec<String>,
    /// Excluded nim values.
    pub excluded: Vec<u64>,
}

impl Partial {
    /// Collects the results that a solver has already; no search.
    pub fn of(solver: &mut Solver, sum: &[Game], ask: Ask) -> Partial {
        match ask {
            Ask::Wins(first) => Partial::of_moves(solver, sum, first),
            Ask::WinningMoves(player) => {
                Partial::of_moves(solver, sum, player.unwrap_or(Player::Left))
            }
            Ask::NimValue => Partial {
                excluded: solver.excluded_nim_values(sum),
                ..Partial::default()
            },
            Ask::Thermograph => Partial::default(),
        }
    }

    fn of_moves(solver: &mut Solver, sum: &[Game], player: Player) -> Partial {
        let mut partial = Partial::default();
        let interrupt = Interrupt::after(MOST_TIME);
        for mv in list(sum, player, &interrupt).unwrap_or_default() {
            if interrupt.is_due() {
                return Partial::default();
            }
            let names = match solver.known(&mv.result, !player) {
                Some(true) => &mut partial.losing,
                Some(false) => &mut partial.winning,
                None => &mut partial.open,
            };
            names.push(mv.name());
        }
        partial
    }

    fn moves(&self) -> usize {
        self.winning.len() + self.losing.len() + self.open.len()
    }
}

/// `2 of 8 moves lose`, `not 0, 1 or 3`; empty if nothing is known.
impl fmt::Display for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut known = Vec::new();
        if !self.winning.is_empty() {
            known.push(format!("{} win", self.winning.join(" ")));
        }
        if !self.losing.is_empty() {
            known.push(format!(
                "{} of {} moves lose",
                self.losing.len(),
                self.moves()
            ));
        }
        if !self.excluded.is_empty() {
            let values: Vec<String> = self.excluded.iter().map(u64::to_string).collect();
            known.push(format!("it is not {}", values.join(", ")));
        }
        f.write_str(&known.join(", "))
    }
}
