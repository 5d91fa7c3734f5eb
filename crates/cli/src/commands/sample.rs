//! `gametree` without a command: the sample repertoire.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;

use desk::book::Book;
use desk::session::Session;

use super::edit::session_failure;
use super::{explore, show};
use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// The repertoire, part of the program so that no file is needed.
const REPERTOIRE: &str = include_str!("../repertoire.pgn");

const NAME: &str = "sample repertoire";

/// Explores it on a terminal, else prints its table.
pub fn run(shell: &mut Shell) -> Result<Exit, Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let session = Session::from_text(NAME, REPERTOIRE.into()).map_err(session_failure)?;
        return explore::explore(session, false, shell);
    }
    let book = Book::from_text(NAME, REPERTOIRE.into());
    let mut walk = show::open_game(&book, NonZeroUsize::MIN)?;
    walk.find_transpositions();
    show::print(&book, NonZeroUsize::MIN, &walk, shell.columns(), shell)?;
    Ok(Exit::Fine)
}
