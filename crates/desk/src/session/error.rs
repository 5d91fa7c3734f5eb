//! Errors of a session.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::chapters::ChapterError;
use super::journal::InUse;
use crate::edit::EditError;
use kit::input::InputError;
use kit::save::SaveError;

/// Why a session refused a command. A refused command changes nothing.
#[derive(Debug)]
pub enum SessionError {
    /// A file could not be read.
    Input(InputError),
    /// These files hold no game.
    NoGames(String),
    /// The edit was refused.
    Edit(EditError),
    /// `undo` without a change.
    NothingToUndo,
    /// `redo` without an undo before it.
    NothingToRedo,
    /// `paste` without a cut or copy before it.
    NothingCopied,
    /// An earlier session left this many unsaved changes.
    Leftover(usize),
    /// The journal of the file is for another text.
    Misfit(PathBuf),
    /// Another process is editing the file.
    InUse(InUse),
    /// `resume` or `discard` without changes of an earlier session.
    NothingLeft,
    /// Standard input, or the sample: a name is needed.
    NoName,
    /// There are no changes to save.
    Unchanged,
    /// Another program changed the file since it was opened.
    ChangedOnDisk(PathBuf),
    /// A file with this name exists.
    Exists(PathBuf),
    /// The edited text would not be read back as the same games.
    WouldNotReadBack,
    /// Writing failed.
    Save(SaveError),
    /// The journal could not be removed.
    Journal(io::Error),
    /// In positions mode, several games have the place of a change; their numbers from 0.
    SeveralGames(Vec<usize>),
    /// This game, numbered from 0, does not have the place of a change.
    NotInGame(usize),
    /// In positions mode, a move is the first one in its game already, but the moves of another game
    /// come before it. The numbers of both games, from 0.
    FirstInGame {
        /// The game with the move.
        game: usize,
        /// The game whose moves come first.
        before: usize,
    },
    /// The chapters cannot be changed like this.
    Chapter(ChapterError),
    /// A change of a game in an archive.
    Archived,
    /// A change does not match the game: a bug in this program.
    Stale,
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Input(error) => error.fmt(f),
            SessionError::NoGames(names) => write!(f, "{names}: no games found"),
            SessionError::Edit(error) => error.fmt(f),
            SessionError::NothingToUndo => f.write_str("nothing to undo"),
            SessionError::NothingToRedo => f.write_str("nothing to redo"),
            SessionError::NothingCopied => {
                f.write_str("nothing to paste; cut or copy a move first")
            }
            SessionError::Leftover(changes) => write!(
                f,
                "an earlier session left {changes} unsaved change{}: `resume` applies, `discard` deletes {}",
                if *changes == 1 { "" } else { "s" },
                if *changes == 1 { "it" } else { "them" },
            ),
            SessionError::Misfit(path) => write!(
                f,
                "{} holds changes of an earlier session, but the file was changed since; `discard` deletes them",
                path.display()
            ),
            SessionError::InUse(by) => by.fmt(f),
            SessionError::NothingLeft => f.write_str("no unsaved changes of an earlier session"),
            SessionError::NoName => f.write_str("no file name; use `save NAME`"),
            SessionError::Unchanged => f.write_str("no changes to save"),
            SessionError::ChangedOnDisk(path) => write!(
                f,
                "{} was changed by another program; `save!` overwrites it, `save NAME` writes another file",
                path.display()
            ),
            SessionError::Exists(path) => {
                write!(f, "{} exists; `save! NAME` overwrites it", path.display())
            }
            SessionError::WouldNotReadBack => f.write_str(
                "the edited text would not be read back as the same games; nothing was written",
            ),
            SessionError::Save(error) if error.is_read_only() => {
                write!(f, "{error}; `save!` overwrites it")
            }
            SessionError::Save(error) => error.fmt(f),
            SessionError::Journal(error) => write!(f, "cannot remove the journal: {error}"),
            SessionError::SeveralGames(games) => several_games(f, games),
            SessionError::NotInGame(game) => write!(f, "game {} does not have this move", game + 1),
            SessionError::FirstInGame { game, before } => {
                let (game, before) = (game + 1, before + 1);
                write!(
                    f,
                    "already the first move in game {game}, but the moves of game {before} come \
                     first: `add --in {before}` the move there, or `chapter-move` game {game}"
                )
            }
            SessionError::Chapter(error) => error.fmt(f),
            SessionError::Archived => f.write_str("games of an archive cannot be edited"),
            SessionError::Stale => f.write_str("the change does not match the game"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<InputError> for SessionError {
    fn from(error: InputError) -> SessionError {
        SessionError::Input(error)
    }
}

impl From<EditError> for SessionError {
    fn from(error: EditError) -> SessionError {
        SessionError::Edit(error)
    }
}

impl From<SaveError> for SessionError {
    fn from(error: SaveError) -> SessionError {
        SessionError::Save(error)
    }
}

impl From<InUse> for SessionError {
    fn from(by: InUse) -> SessionError {
        SessionError::InUse(by)
    }
}

fn several_games(f: &mut fmt::Formatter<'_>, games: &[usize]) -> fmt::Result {
    const MOST: usize = 10;
    let numbers = games.iter().take(MOST).map(|game| (game + 1).to_string());
    let more = if games.len() > MOST {
        " and others"
    } else {
        ""
    };
    write!(
        f,
        "games {}{more} have this move; choose one with --in GAME",
        numbers.collect::<Vec<_>>().join(", ")
    )
}

impl From<ChapterError> for SessionError {
    fn from(error: ChapterError) -> SessionError {
        SessionError::Chapter(error)
    }
}

impl From<tree::Stale> for SessionError {
    fn from(_: tree::Stale) -> SessionError {
        SessionError::Stale
    }
}
