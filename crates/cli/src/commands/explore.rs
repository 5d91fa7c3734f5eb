//! `gametree explore FILE…`: browse and edit games.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use desk::GAME_FILES;
use desk::archive::Archive;
use desk::place::Place;
use desk::session::Session;
use kit::input::{Compression, InputError, Source, gather};

use crate::explore::screen::Pictures;
use crate::explore::{line, screen};
use crate::failure::{Exit, Failure};
use crate::files::game_number;
use crate::identity::SamePosition;
use crate::search::invalid_query;
use crate::sessions::{go, session_failure};
use crate::settings::Settings;
use crate::shell::Shell;

/// Browse and edit games, full screen or line by line
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The keys follow Lichess: left and right step through the moves, up and down choose an alternative,
1 to 6 set glyphs, ? lists all keys. Type a move to play or add it. F flips the board, because f
starts a move. Nothing is written until you save.

A FILE.pgn that does not exist is begun with one game without moves; `save` writes it. Pasted PGN is
merged at the current move; several games become chapters.

Line mode reads the commands of the `:` prompt from standard input. Its exit status is 1 if one of
them failed.

Examples:
  gametree explore repertoire.pgn
  gametree explore games/ --game 3 --at 12W
  gametree explore new.pgn                    begin a new file
  printf '6Bc\\nboard\\n' | gametree explore repertoire.pgn
  gametree explore --positions white.pgn      all chapters as one, by position
  gametree explore repertoire.pgn --archive base    opening statistics with o
  gametree explore repertoire.pgn --resume    after a crash")]
pub struct Args {
    /// Files, folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<OsString>,
    /// Number of the game to open, counted through all files
    #[arg(long, value_name = "N", default_value = "1", value_parser = game_number)]
    game: NonZeroUsize,
    /// Start at this position
    #[arg(long, value_name = "PLACE")]
    at: Option<Place>,
    /// Archives whose opening statistics are shown beside the games (key o, command `opening`)
    #[arg(long, value_name = "NAME", num_args = 1..)]
    archive: Vec<PathBuf>,
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
    let sources = sources(&args.files)?;
    let mut session = Session::open_or_begin(&sources).map_err(session_failure)?;
    if args.resume {
        let message = session.resume().map_err(session_failure)?;
        shell.note(&message);
    }
    if args.discard {
        let message = session.discard().map_err(session_failure)?;
        shell.note(&message);
    }
    for path in &args.archive {
        session.add_archive(Archive::open(path)?);
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

/// The files to open. A file that does not exist is begun if its name is that of a game file.
pub fn sources(files: &[OsString]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for file in files {
        match new_file(file)? {
            Some(new) => sources.push(new),
            None => sources.extend(gather([file], GAME_FILES)?),
        }
    }
    let stdin = sources.iter().filter(|source| **source == Source::Stdin);
    if stdin.count() > 1 {
        return Err(InputError::StdinTwice.into());
    }
    Ok(sources)
}

fn new_file(file: &OsString) -> Result<Option<Source>, Failure> {
    let path = Path::new(file);
    if path.symlink_metadata().is_ok() || !is_game_file(file) {
        return Ok(None);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::with_fix(
            format_args!("{}: no such folder", folder.display()),
            "check the spelling, or create the folder first",
        )),
        None => Ok(Some(Source::File(path.to_owned()))),
    }
}

/// True for the name of a game file, compressed or not.
pub fn is_game_file(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let name = Compression::strip_extension(&name);
    GAME_FILES.iter().any(|extension| name.ends_with(extension))
}

/// Full screen if standard input and output are terminals.
pub fn explore(
    session: Session,
    line: bool,
    pictures: Pictures,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    if !line && is_on_terminal() {
        screen::run(session, pictures, shell)
    } else {
        line::run(session, shell)
    }
}

/// True if standard input and output are a terminal.
pub fn is_on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}
