//! `gametree explore FILE…`: walk through games and edit them.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;

use desk::GAME_FILES;
use kit::input::gather;
use desk::place::Place;
use desk::session::Session;

use super::edit::{go, session_failure};
use super::show::seek;
use crate::explore::{line, screen};
use crate::failure::{Exit, Failure};
use crate::shell::Shell;

/// Walk through games and edit them, on the full screen or line by line
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Keys are those of Lichess: arrows move, up and down choose among alternatives, 1 to 6 set glyphs, ?
shows all of them. Typing a move plays it, or adds it; so F turns the board, as f begins a move.
Nothing is written before you save.

Line mode reads the same commands that `:` offers on the full screen. Its exit status is 1 if one
of them was refused.

Examples:
  gametree explore repertoire.pgn
  gametree explore games/ --game 3 --at 6Wc
  printf '6Wc\\nboard\\n' | gametree explore repertoire.pgn
  gametree explore repertoire.pgn --resume    after a crash")]
pub struct Args {
    /// Files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<std::ffi::OsString>,
    /// Open this game, numbered through all files
    #[arg(long, value_name = "N", default_value = "1")]
    game: NonZeroUsize,
    /// Go to this place
    #[arg(long, value_name = "PATH")]
    at: Option<Place>,
    /// Mark the positions that match a query in CQL; ( and ) go from one to the next
    #[arg(long = "where", value_name = "QUERY")]
    query: Option<String>,
    /// Line by line, even on a terminal
    #[arg(long)]
    line: bool,
    /// Take up the unsaved changes of an earlier session
    #[arg(long, conflicts_with = "discard")]
    resume: bool,
    /// Drop the unsaved changes of an earlier session
    #[arg(long)]
    discard: bool,
}

/// Opens the files and explores.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let sources = gather(&args.files, GAME_FILES)?;
    let mut session = Session::open(&sources).map_err(session_failure)?;
    if args.resume {
        let said = session.resume().map_err(session_failure)?;
        shell.note(&said);
    }
    if args.discard {
        let said = session.discard().map_err(session_failure)?;
        shell.note(&said);
    }
    go(&mut session, args.game, args.at.as_ref())?;
    if let Some(query) = &args.query {
        seek(session.walk_mut(), query)?;
        // It is understood, and known here already.
        session.seek(Some(query)).ok();
    }
    explore(session, args.line, shell)
}

/// On the full screen where there is one.
pub fn explore(session: Session, line: bool, shell: &mut Shell) -> Result<Exit, Failure> {
    match !line && io::stdin().is_terminal() && io::stdout().is_terminal() {
        true => screen::run(session, shell),
        false => line::run(session, shell),
    }
}
