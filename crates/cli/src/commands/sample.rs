//! `gametree` without a command: the sample repertoire.

use std::num::NonZeroUsize;

use desk::book::Book;

use super::show;
use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// The repertoire, part of the program so that it is there wherever the program is.
const REPERTOIRE: &str = include_str!("../../../../examples/repertoire.pgn");

/// Shows it.
pub fn run(shell: &mut Shell) -> Result<Exit, Failure> {
    let book = Book::from_text("repertoire.pgn", REPERTOIRE.into());
    let mut walk = show::open_game(&book, NonZeroUsize::MIN)?;
    walk.find_twins();
    show::print(&book, NonZeroUsize::MIN, &walk, shell.columns(), shell)?;
    Ok(Exit::Fine)
}
