//! The answer of a build without Parquet.

use std::path::{Path, PathBuf};

use desk::Board;
use desk::archive::OpeningTable;
use desk::games::Games;
use desk::query::Answer;

use super::{GameTableArgs, ParquetArgs};
use crate::failure::{Exit, Failure};
use crate::shell::Shell;

fn unsupported() -> Failure {
    Failure::with_fix(
        "this build has no Parquet support",
        "build with: cargo build --release --features parquet",
    )
}

/// True if a folder holds a table of openings instead of an archive.
pub fn is_table(dir: &Path) -> bool {
    dir.join("openings").is_dir() && !kit::input::is_marked_folder(dir)
}

/// Refuses.
pub fn export_games(
    _: Games,
    _: &GameTableArgs,
    _: &'static str,
    _: &mut Shell,
) -> Result<Exit, Failure> {
    Err(unsupported())
}

/// Refuses.
pub fn export_components(_: &Path, _: &ParquetArgs, _: &mut Shell) -> Result<Exit, Failure> {
    Err(unsupported())
}

/// Refuses.
pub fn opening(_: &[PathBuf], _: &Board) -> Result<OpeningTable, Failure> {
    Err(unsupported())
}

/// A table of matches, which this build cannot make.
#[derive(Debug)]
pub enum Matches {}

impl Matches {
    /// Refuses.
    pub fn create(_: &ParquetArgs, _: &mut Shell) -> Result<Matches, Failure> {
        Err(unsupported())
    }

    /// Cannot be called.
    pub fn add(&mut self, _: &Answer) -> Result<(), Failure> {
        match *self {}
    }

    /// Cannot be called.
    pub fn finish(self) -> Result<(), Failure> {
        match self {}
    }
}
