//! Solves a sum within a time limit, and prints the moves that win it.
//!
//! ```text
//! cargo run -p gametree-sums --example winning_moves -- 'clobber XOXO + domineering ..|..'
//! ```

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::time::Duration;

use gametree_sums::input::read_short;
use gametree_sums::value::Player;
use gametree_sums::{Budget, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "clobber XOXO + domineering ..|..".to_owned());
    let sum = read_short(&text)?.sum;
    let mut solver = Solver::new(Budget::default().with_time(Duration::from_secs(10)));
    println!("{text}: outcome {}", solver.outcome(&sum)?);
    for player in Player::BOTH {
        let moves = solver.winning_moves(&sum, player)?;
        let names: Vec<String> = moves.iter().map(|mv| mv.name()).collect();
        println!("{player} wins by: {}", names.join(" "));
    }
    Ok(())
}
