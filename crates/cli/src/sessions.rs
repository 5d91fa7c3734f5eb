//! Sessions as commands open them.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use desk::place::Place;
use desk::session::{Session, SessionError};
use kit::input::Source;
use kit::number::grouped;

use crate::explore::command::Refusal;
use crate::failure::Failure;
use crate::identity::Joined;

/// Opens files at a game, in tree or positions mode.
pub fn open_at(
    files: &[PathBuf],
    number: NonZeroUsize,
    joined: Joined,
) -> Result<Session, Failure> {
    let sources: Vec<Source> = files.iter().map(Source::from_arg).collect();
    let mut session = Session::open(&sources).map_err(session_failure)?;
    let games = session.game_count();
    if !session.go_to_game(number.get() - 1) {
        let name = session.file().name();
        let games = grouped(games as u64);
        return Err(Failure::new(format_args!(
            "{name}: no game {number}; the file has games 1 to {games}"
        )));
    }
    joined.apply(&mut session);
    Ok(session)
}

/// Goes to a game and a place in it.
pub fn go(
    session: &mut Session,
    number: NonZeroUsize,
    place: Option<&Place>,
) -> Result<(), Failure> {
    let games = session.game_count();
    if !session.go_to_game(number.get() - 1) {
        let message = format!(
            "no game {number}; the file has games 1 to {}",
            grouped(games as u64)
        );
        return Err(Failure::new(message));
    }
    match place {
        Some(place) => session.walk_mut().go_to(place).map_err(place_failure),
        None => Ok(()),
    }
}

/// A session's refusal as a failure of the command.
pub fn session_failure(error: SessionError) -> Failure {
    match error {
        SessionError::Input(error) => error.into(),
        SessionError::Save(error) => error.into(),
        SessionError::Leftover(_) => Failure::with_fix(
            error,
            "restore them with `gametree explore FILE --resume`, or discard them with `--discard`",
        ),
        SessionError::ChangedOnDisk(path) => Failure::with_fix(
            format_args!("{} was changed by another program", path.display()),
            "run the command again",
        ),
        error => Failure::new(Refusal::Session(error)),
    }
}

/// A place that could not be found.
pub fn place_failure(error: desk::place::PlaceError) -> Failure {
    Failure::new(&error)
}

/// The last part of a path.
pub fn file_name(name: &str) -> &str {
    let path = Path::new(name);
    let last = path.file_name().and_then(|last| last.to_str());
    last.unwrap_or(name)
}
