//! `gametree` without a command: the sample repertoire.

use std::io::{self, IsTerminal};

use desk::session::Session;

use super::{explore, show};
use crate::explore::screen::Pictures;
use crate::failure::{Exit, Failure};
use crate::sessions::session_failure;
use crate::shell::Shell;

/// The repertoire, part of the program so that no file is needed.
const REPERTOIRE: &str = include_str!("../repertoire.pgn");

const NAME: &str = "sample repertoire";

/// Explores it on a terminal, else prints its table.
pub fn run(shell: &mut Shell) -> Result<Exit, Failure> {
    let mut session = session()?;
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return explore::explore(session, false, Pictures::default(), shell);
    }
    session.find_marks();
    show::print(&session, shell.columns(), shell)?;
    Ok(Exit::Fine)
}

/// The repertoire as an open file.
pub fn session() -> Result<Session, Failure> {
    Session::from_text(NAME, REPERTOIRE.into()).map_err(session_failure)
}
