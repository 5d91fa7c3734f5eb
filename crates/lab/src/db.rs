//! Databases of components on disk: created on all cores, read through a memory map.

mod create;
mod request;

pub use create::{Created, Plan, Step, create};
pub use request::{BadRequest, Request};

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sums::db::Builder;
pub use sums::db::{BadDatabase, Database, Entry, VERSION};
use sums::value::Forms;

use super::Game;
use kit::save::{SaveError, Target, save};

/// An error of opening or creating a database.
#[derive(Debug)]
pub enum DbError {
    /// The file does not exist.
    NotFound(PathBuf),
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is not a database, or damaged, or contradicts another.
    Bad(PathBuf, BadDatabase),
    /// The new database or its journal cannot be written.
    Save(SaveError),
    /// Another process is creating the same database.
    Busy(PathBuf),
}

impl fmt::Display for DbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DbError::NotFound(path) => write!(f, "{}: no such file", path.display()),
            DbError::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            DbError::Bad(path, reason) => write!(f, "{}: {reason}", path.display()),
            DbError::Save(error) => write!(f, "{error}"),
            DbError::Busy(path) => write!(
                f,
                "{}: another program is making this database",
                path.display()
            ),
        }
    }
}

impl std::error::Error for DbError {}

impl From<SaveError> for DbError {
    fn from(error: SaveError) -> DbError {
        DbError::Save(error)
    }
}

/// Opens a database; entries are read on lookup.
pub fn open(path: &Path) -> Result<Database, DbError> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => DbError::NotFound(path.to_owned()),
        _ => DbError::Unreadable(path.to_owned(), error),
    })?;
    let bad = |reason| DbError::Bad(path.to_owned(), reason);
    match file.metadata() {
        Ok(about) if about.is_dir() => return Err(bad(BadDatabase::NotADatabase)),
        // An empty file cannot be mapped.
        Ok(about) if about.len() == 0 => return Err(bad(BadDatabase::NotADatabase)),
        _ => {}
    }
    let map = kit::map(&file).map_err(|error| DbError::Unreadable(path.to_owned(), error))?;
    Database::open(Arc::new(map)).map_err(bad)
}

/// The default database: the file named by `GAMETREE_SUMS_DB` (none if it is empty), else
/// `gametree/sums.db` in the user's data folder.
pub fn default_path() -> Option<PathBuf> {
    place_in(|name| std::env::var_os(name).map(PathBuf::from))
}

fn place_in(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let filled = |path: &PathBuf| !path.as_os_str().is_empty();
    if let Some(named) = variable("GAMETREE_SUMS_DB") {
        return Some(named).filter(filled);
    }
    let absolute = |path: &PathBuf| path.is_absolute();
    let home = || Some(variable("HOME").filter(filled)?.join(".local/share"));
    let data = variable("XDG_DATA_HOME").filter(absolute).or_else(home)?;
    Some(data.join("gametree").join("sums.db"))
}

/// The contents of a database.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Entries of each game, by name.
    pub games: BTreeMap<String, Counts>,
    /// Bytes of the file.
    pub bytes: u64,
}

/// The number of entries by their data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All.
    pub entries: u64,
    /// With a value.
    pub values: u64,
    /// With bounds instead.
    pub bounds: u64,
    /// With a thermograph.
    pub thermographs: u64,
    /// With a simpler equal sum.
    pub equals: u64,
    /// Dominated moves.
    pub dominated: u64,
}

impl Counts {
    fn add(&mut self, entry: &Entry) {
        self.entries += 1;
        self.values += u64::from(entry.value.is_some());
        self.bounds += u64::from(entry.bounds.is_some());
        self.thermographs += u64::from(entry.thermograph.is_some());
        self.equals += u64::from(entry.equal.is_some());
        self.dominated += (entry.dominated.left.len() + entry.dominated.right.len()) as u64;
    }
}

/// Reads all of a database and checks every checksum.
pub fn info(path: &Path) -> Result<Info, DbError> {
    let database = open(path)?;
    let bad = |reason| DbError::Bad(path.to_owned(), reason);
    database.check().map_err(bad)?;
    let mut info = Info {
        bytes: std::fs::metadata(path).map_or(0, |about| about.len()),
        ..Info::default()
    };
    for found in database.entries() {
        let (game, _, entry) = found.map_err(bad)?;
        info.games.entry(game.to_owned()).or_default().add(&entry);
    }
    Ok(info)
}

/// The entries of a database for the components of a sum.
pub fn look_up(database: &Database, sum: &[Game]) -> Vec<(Game, Option<Entry>)> {
    let parts = sum.iter().flat_map(Game::components);
    parts
        .map(|part| {
            let entry = database.get(part.kind, &part.text());
            (part, entry)
        })
        .collect()
}

/// Merges databases into one and returns its number of entries; refuses contradictions.
pub fn merge(paths: &[PathBuf], target: &Path) -> Result<usize, DbError> {
    let mut builder = Builder::default();
    for path in paths {
        let bad = |reason| DbError::Bad(path.clone(), reason);
        builder.merge(&open(path)?).map_err(bad)?;
    }
    write(&mut builder, target)?;
    Ok(builder.len())
}

/// Names equal sums and writes the database atomically.
fn write(builder: &mut Builder, path: &Path) -> Result<(), SaveError> {
    builder.link_equals(&mut Forms::default());
    save(Target::File(path.to_owned()), &builder.finish())
}

#[cfg(test)]
mod tests;
