//! Counts games, moves, positions and errors of files.
//!
//! ```text
//! cargo run -p gametree-desk --example opening_stats -- examples/repertoire.pgn
//! ```
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use gametree_desk::GAME_FILES;
use gametree_desk::choose::Choice;
use gametree_desk::games::Games;
use gametree_desk::stats::{Options, stats};
use gametree_kit::Workers;
use gametree_kit::input::{InputError, gather};

fn main() -> Result<(), InputError> {
    let sources = gather(std::env::args_os().skip(1), GAME_FILES)?;
    let games = Games::new(sources, Choice::default());
    let run = stats(&games, Options::default(), &Workers::default());
    let stats = run.value;
    println!("{} games, {} moves", stats.games, stats.moves);
    if let Some(positions) = stats.positions {
        println!("{positions} positions");
    }
    for error in run.unread {
        eprintln!("{error}");
    }
    Ok(())
}
