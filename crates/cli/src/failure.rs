//! How a command ends: one list of exit codes, one kind of failure.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use desk::archive::ArchiveError;
use kit::input::InputError;
use kit::save::SaveError;
use lab::db::{BadDatabase, DbError};

/// The exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Success.
    Fine = 0,
    /// The command found problems, differences or no answer.
    Found = 1,
    /// The command could not do its work.
    Failed = 2,
    /// Ctrl-C; finished results were written.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The reader of standard output closed the pipe; this counts as success.
    ClosedPipe,
    /// An error message.
    Reported {
        /// The problem and its location.
        message: String,
        /// How to fix it.
        fix: Option<String>,
    },
}

impl Failure {
    /// A failure without a suggested fix.
    pub fn new(message: impl Display) -> Failure {
        Failure::Reported {
            message: message.to_string(),
            fix: None,
        }
    }

    /// A failure with a suggested fix.
    pub fn with_fix(message: impl Display, fix: impl Display) -> Failure {
        Failure::Reported {
            message: message.to_string(),
            fix: Some(fix.to_string()),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::Reported {
            message: error.to_string(),
            fix: error.fix(),
        }
    }
}

impl From<DbError> for Failure {
    fn from(error: DbError) -> Failure {
        let fix = match &error {
            DbError::NotFound(_) => "create one with `gametree sums db create`",
            DbError::Bad(
                _,
                BadDatabase::Truncated | BadDatabase::Damaged | BadDatabase::Inconsistent(_),
            ) => "damaged entries are not used; delete the database and create it again",
            _ => return Failure::new(error),
        };
        Failure::with_fix(error, fix)
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Failure {
        let fix = error.fix();
        match error {
            ArchiveError::Save(error) => error.into(),
            error => Failure::Reported {
                message: error.to_string(),
                fix: fix.map(str::to_owned),
            },
        }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Failure {
        match error.error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ if error.is_read_only() => Failure::with_fix(error, "--force overwrites it"),
            _ => Failure::new(error),
        }
    }
}

/// Only writing to standard output gives a bare I/O error here: inputs and saves have their own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::new(format_args!("standard output: {error}")),
        }
    }
}
