//! Why something in a session was refused.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::edit::EditError;
use kit::input::InputError;
use kit::save::SaveError;

/// What went wrong.
#[derive(Debug)]
pub enum SessionError {
    /// A file could not be read.
    Input(InputError),
    /// These files hold no game.
    NoGames(String),
    /// The edit was refused.
    Edit(EditError),
    /// `undo` at the beginning.
    NothingToUndo,
    /// `redo` without an undo before it.
    NothingToRedo,
    /// `paste` without a cut or copy before it.
    NothingCopied,
    /// Work of an earlier session waits for a decision.
    Leftover(usize),
    /// A journal lies beside the file that does not fit its text.
    Misfit(PathBuf),
    /// Another process edits the file.
    InUse,
    /// `resume` where nothing was left behind.
    NothingLeft,
    /// Standard input, or the sample: a name is needed.
    NoName,
    /// Nothing was changed since the last save.
    Unchanged,
    /// Somebody else wrote the file since it was opened.
    ChangedOnDisk(PathBuf),
    /// There is a file of this name.
    Exists(PathBuf),
    /// The edited text would not be read back as the same games.
    WouldNotReadBack,
    /// Writing failed.
    Save(SaveError),
    /// The journal could not be read or removed.
    Journal(io::Error),
    /// The undo does not fit: the program is wrong.
    Stale,
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Input(error) => error.fmt(f),
            SessionError::NoGames(names) => write!(f, "{names}: no game in there"),
            SessionError::Edit(error) => error.fmt(f),
            SessionError::NothingToUndo => f.write_str("there is nothing to undo"),
            SessionError::NothingToRedo => f.write_str("there is nothing to redo"),
            SessionError::NothingCopied => f.write_str("nothing was cut or copied yet"),
            SessionError::Leftover(changes) => write!(
                f,
                "an earlier session left {changes} unsaved change{}: `resume` takes up its work, `discard` drops it",
                if *changes == 1 { "" } else { "s" },
            ),
            SessionError::Misfit(path) => write!(
                f,
                "{} holds changes of an earlier session that do not fit the file as it is now; `discard` drops them",
                path.display()
            ),
            SessionError::InUse => {
                f.write_str("another gametree is editing this file; look, but do not edit")
            }
            SessionError::NothingLeft => f.write_str("no earlier session left anything behind"),
            SessionError::NoName => f.write_str("this has no file name yet; write `save NAME`"),
            SessionError::Unchanged => f.write_str("nothing was changed since the last save"),
            SessionError::ChangedOnDisk(path) => write!(
                f,
                "{} was changed by somebody else since it was opened; `save!` writes over it, `save NAME` elsewhere",
                path.display()
            ),
            SessionError::Exists(path) => write!(
                f,
                "{} is there already; `save! NAME` writes over it",
                path.display()
            ),
            SessionError::WouldNotReadBack => {
                f.write_str("the edited game would not be read back as it is; nothing was written")
            }
            SessionError::Save(error) => error.fmt(f),
            SessionError::Journal(error) => write!(f, "the journal beside the file: {error}"),
            SessionError::Stale => f.write_str("the change does not fit the game any more"),
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

impl From<tree::Stale> for SessionError {
    fn from(_: tree::Stale) -> SessionError {
        SessionError::Stale
    }
}
