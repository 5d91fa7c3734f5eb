//! Writing tables and reading opening statistics.

use std::path::{Path, PathBuf};

use desk::Board;
use desk::archive::OpeningTable;
use desk::games::Games;
use desk::query::Answer;
use desk::tables::{
    Exported, GameTable, MatchTable, ParquetOpenings, TableError, TableOptions, export,
    has_openings,
};
use kit::number::{counted, grouped};
use lab::tables::ComponentsError;

use super::{GameTableArgs, ParquetArgs, TableName};
use crate::failure::{Exit, Failure};
use crate::files::{ending, no_games};
use crate::progress::Bar;
use crate::shell::Shell;

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Reported {
            message: error.to_string(),
            fix: error.fix().map(str::to_owned),
        }
    }
}

impl From<TableName> for GameTable {
    fn from(name: TableName) -> GameTable {
        match name {
            TableName::Games => GameTable::Games,
            TableName::Moves => GameTable::Moves,
            TableName::Positions => GameTable::Positions,
            TableName::Openings => GameTable::Openings,
        }
    }
}

impl ParquetArgs {
    fn options(&self) -> TableOptions {
        TableOptions {
            dir: self.parquet.clone().unwrap_or_default(),
            part_size: self.part_size as u64,
        }
    }
}

/// True if a folder holds a table of openings instead of an archive.
pub fn is_table(dir: &Path) -> bool {
    has_openings(dir) && !kit::input::is_marked_folder(dir)
}

/// Writes tables of games; `command` is for messages.
pub fn export_games(
    games: Games,
    args: &GameTableArgs,
    command: &'static str,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let options = args.place.options();
    let tables: Vec<GameTable> = args.tables.iter().map(|&name| name.into()).collect();
    let workers = shell.workers();
    let bar = Bar::follow(shell, games.progress(), false);
    let run = export(&games, &tables, &options, &workers);
    drop(bar);
    let run = run?;
    if run.stopped || !run.unread.is_empty() {
        shell.note(&format!("nothing was written to {}", options.dir.display()));
        return Ok(ending(shell, &run, Exit::Fine));
    }
    if run.value.games == 0 {
        return Err(no_games(command));
    }
    shell.note(&summary(&run.value, &options.dir));
    Ok(Exit::Fine)
}

/// `2 games written to DIR: games 2 rows, moves 81`
fn summary(exported: &Exported, dir: &Path) -> String {
    let rows = exported.rows.iter();
    let rows = rows.map(|(table, rows)| format!("{} {}", table.name(), grouped(*rows)));
    format!(
        "{} written to {}; rows: {}",
        counted(exported.games, "game"),
        dir.display(),
        rows.collect::<Vec<_>>().join(", ")
    )
}

/// Writes the table of a database of components.
pub fn export_components(
    database: &Path,
    args: &ParquetArgs,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let options = args.options();
    let workers = shell.workers();
    let rows = lab::tables::export(database, &options.dir, options.part_size, &workers);
    let rows = rows.map_err(|error| match error {
        ComponentsError::Database(error) => Failure::from(error),
        ComponentsError::Table(error) => error.into(),
    })?;
    let Some(rows) = rows else {
        shell.note(&format!("nothing was written to {}", options.dir.display()));
        return Ok(Exit::Interrupted);
    };
    shell.note(&format!(
        "{} written to {}",
        counted(rows, "component"),
        options.dir.display()
    ));
    Ok(Exit::Fine)
}

/// The opening statistics of folders with tables.
pub fn opening(dirs: &[PathBuf], board: &Board) -> Result<OpeningTable, Failure> {
    Ok(ParquetOpenings::open(dirs)?.table(board)?)
}

/// A table of matches that is being written.
#[derive(Debug)]
pub struct Matches(MatchTable);

impl Matches {
    /// Starts the table.
    pub fn create(args: &ParquetArgs, shell: &mut Shell) -> Result<Matches, Failure> {
        let table = MatchTable::create(&args.options(), &shell.workers());
        Ok(Matches(table?))
    }

    /// Adds the matching positions of a game.
    pub fn add(&mut self, answer: &Answer) -> Result<(), Failure> {
        Ok(self.0.add(answer)?)
    }

    /// Completes the table.
    pub fn finish(self) -> Result<(), Failure> {
        self.0.finish()?;
        Ok(())
    }
}
