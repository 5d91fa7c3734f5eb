//! `gametree explore FILE…`: browse and edit games.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;

use desk::GAME_FILES;
use desk::place::Place;
use desk::session::Session;
use kit::input::gather;

use super::edit::{go, session_failure};
use crate::explore::screen::Pictures;
use crate::explore::{line, screen};
use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::identity::SamePosition;
use crate::search::invalid_query;
use crate::settings::Settings;
use crate::shell::Shell;

/// Browse and edit games, full screen or line by line
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The keys follow Lichess: left and right step through the moves, up and down choose an alternative,
1 to 6 set glyphs, ? lists all keys. Type a move to play or add it. F flips the board, because f
starts a move. Nothing is written until you save.

Line mode reads the commands of the `:` prompt from standard input. Its exit status is 1 if one of
them failed.

Examples:
  gametree explore repertoire.pgn
  gametree explore games/ --game 3 --at 12W
  printf '6Bc\\nboard\\n' | gametree explore repertoire.pgn
  gametree explore --positions white.pgn      all chapters as one, by position
  gametree explore repertoire.pgn --resume    after a crash")]
pub struct Args {
    /// Files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<std::ffi::OsString>,
    /// Number of the game to open, counted through all files
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    /// Start at this position
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Highlight positions that match a CQL query; ( and ) step through them
    #[arg(long = "where", value_name = "QUERY")]
    query: Option<String>,
    /// See each position once, with the moves of all games [default: as in the last session]
    #[arg(long)]
    positions: bool,
    /// See the lines of one game
    #[arg(long, conflicts_with = "positions")]
    tree: bool,
    #[command(flatten)]
    same: SamePosition,
    /// Use line mode even on a terminal
    #[arg(long)]
    line: bool,
    /// When to show the board as a picture (Kitty, iTerm2, Sixel)
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pictures: Pictures,
    /// Restore the unsaved changes of an earlier session
    #[arg(long, conflicts_with = "discard")]
    resume: bool,
    /// Discard the unsaved changes of an earlier session
    #[arg(long)]
    discard: bool,
}

/// Opens the files and explores.
pub fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let sources = gather(&args.files, GAME_FILES)?;
    let mut session = Session::open(&sources).map_err(session_failure)?;
    if args.resume {
        let message = session.resume().map_err(session_failure)?;
        shell.note(&message);
    }
    if args.discard {
        let message = session.discard().map_err(session_failure)?;
        shell.note(&message);
    }
    session.set_identity(args.same.identity());
    let remembered = || io::stdin().is_terminal() && Settings::load().positions;
    session.set_joined(args.positions || !args.tree && remembered());
    go(&mut session, args.game, args.at.as_ref())?;
    if let Some(query) = &args.query {
        session.set_query(Some(query)).map_err(invalid_query)?;
    }
    explore(session, args.line, args.pictures, shell)
}

/// Full screen if standard input and output are terminals.
pub fn explore(
    session: Session,
    line: bool,
    pictures: Pictures,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    if !line && io::stdin().is_terminal() && io::stdout().is_terminal() {
        screen::run(session, pictures, shell)
    } else {
        line::run(session, shell)
    }
}
