//! Databases of components as Parquet, for programs that read columns.

use std::fmt;
use std::path::Path;

use kit::Workers;
use kit::table::{Cell, Field, Kind, Layout, TableDir, TableWriter};

pub use kit::table::TableError;

use crate::answers::walls_text;
use crate::db::{self, DbError, Entry};

/// The folder of the table.
pub const COMPONENTS: &str = "components";

/// A column of texts that may be missing.
const fn text(name: &'static str) -> Field {
    Field::new(name, Kind::Text).nullable()
}

const FIELDS: &[Field] = &[
    Field::new("game", Kind::Text),
    Field::new("position", Kind::Text),
    Field::new("outcome", Kind::Text),
    text("value"),
    text("lower"),
    text("upper"),
    text("thermograph"),
    text("equal"),
    text("dominated_left"),
    text("dominated_right"),
];

/// The reason why a database could not be written as a table.
#[derive(Debug)]
pub enum ComponentsError {
    /// The database cannot be read.
    Database(DbError),
    /// The table cannot be written.
    Table(TableError),
}

impl fmt::Display for ComponentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComponentsError::Database(error) => error.fmt(f),
            ComponentsError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ComponentsError {}

impl From<TableError> for ComponentsError {
    fn from(error: TableError) -> ComponentsError {
        ComponentsError::Table(error)
    }
}

/// Writes the entries of a database, sorted by game and position, as the table `components` in the
/// folder `dir`. Returns the number of rows; `None`: stopped, and nothing was written.
pub fn export(
    database: &Path,
    dir: &Path,
    part_size: u64,
    workers: &Workers,
) -> Result<Option<u64>, ComponentsError> {
    let opened = db::open(database).map_err(ComponentsError::Database)?;
    let layout = Layout {
        part_size,
        sorted_by: 0,
        threads: workers.threads,
    };
    let dir = TableDir::open(dir)?;
    let mut table = TableWriter::create(&dir, COMPONENTS, FIELDS, layout)?;
    for found in opened.entries() {
        if workers.stop.is_raised() {
            return Ok(None);
        }
        let bad = |reason| DbError::Bad(database.to_owned(), reason);
        let (game, position, entry) =
            found.map_err(|reason| ComponentsError::Database(bad(reason)))?;
        push(&mut table, game, position, &entry)?;
    }
    Ok(Some(table.finish()?.publish()?))
}

fn push(
    table: &mut TableWriter,
    game: &str,
    position: &str,
    entry: &Entry,
) -> Result<(), TableError> {
    let walls = entry.thermograph.as_ref();
    let walls = walls.map(|walls| walls_text(&walls.left, &walls.right));
    let moves = |moves: &[String]| (!moves.is_empty()).then(|| moves.join(" "));
    let dominated = [&entry.dominated.left, &entry.dominated.right].map(|list| moves(list));
    let [lower, upper] = match &entry.bounds {
        Some([lower, upper]) => [Some(&**lower), Some(&**upper)],
        None => [None, None],
    };
    table.push([
        Cell::Text(game),
        Cell::Text(position),
        Cell::Text(&entry.outcome.to_string()),
        Cell::text(entry.value.as_deref()),
        Cell::text(lower),
        Cell::text(upper),
        Cell::text(walls.as_deref()),
        Cell::text(entry.equal.as_deref()),
        Cell::text(dominated[0].as_deref()),
        Cell::text(dominated[1].as_deref()),
    ])
}
