//! Prints the outcome of each sum given as an argument.
//!
//! ```text
//! cargo run -p gametree-lab --example who_wins -- 'clobber_1xn XOXOXO + 3/4' 'nogo 2x3'
//! ```
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use gametree_kit::Workers;
use gametree_lab::{read, solve};

fn main() {
    for text in std::env::args().skip(1) {
        let reading = read::read("argument", text.clone());
        for task in &reading.tasks {
            let found = solve::solve(task, &solve::Options::default(), &Workers::default());
            println!("{text}: {}", found.outcome());
        }
        for fault in &reading.faults {
            eprintln!("{text}: {fault:?}");
        }
    }
}
