//! Tables as folders of Parquet files: rows kept column by column, parts of a given size, and
//! lookups that read a few pages.

mod pages;
mod read;
mod rows;
mod write;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

pub use read::Table;
pub use rows::{Cell, Rows};
pub use write::{Finished, Layout, TableDir, TableWriter};

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub kind: Kind,
    /// Whether values may be missing.
    pub nullable: bool,
    /// How the values are stored.
    pub coding: Coding,
}

impl Field {
    /// A column with a value in every row, stored with a dictionary.
    pub const fn new(name: &'static str, kind: Kind) -> Field {
        Field {
            name,
            kind,
            nullable: false,
            coding: Coding::Dictionary,
        }
    }

    /// The same column, where values may be missing.
    pub const fn nullable(self) -> Field {
        Field {
            nullable: true,
            ..self
        }
    }

    /// The same column, stored in this way.
    pub const fn coded(self, coding: Coding) -> Field {
        Field { coding, ..self }
    }
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A signed number of 16 bits.
    I16,
    /// A signed number of 32 bits.
    I32,
    /// A signed number of 64 bits.
    I64,
    /// An unsigned number of 64 bits.
    U64,
    /// A number of 32 bits with a fraction.
    F32,
    /// UTF-8.
    Text,
}

/// How the values of a column are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coding {
    /// Each different value once: for values that repeat.
    Dictionary,
    /// As they are: for values that hardly repeat.
    Plain,
    /// As differences: for whole numbers that grow.
    Delta,
}

/// The reason why a table could not be written or read.
#[derive(Debug)]
pub enum TableError {
    /// The folder of the table exists and is not empty.
    Exists(PathBuf),
    /// The folder has no Parquet files.
    NoParts(PathBuf),
    /// A file lacks a column, or its column has another type.
    Column(PathBuf, &'static str),
    /// A file or folder could not be read or written.
    Io(PathBuf, io::Error),
    /// A file is not valid Parquet, or data could not be written as Parquet.
    Parquet(PathBuf, String),
}

impl TableError {
    /// A hint for the user.
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            TableError::Exists(_) => Some("choose another folder, or delete this one"),
            TableError::Column(..) => Some("docs/scale.md lists the columns of each table"),
            TableError::NoParts(_) | TableError::Io(..) | TableError::Parquet(..) => None,
        }
    }

    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> TableError + '_ {
        |error| TableError::Io(path.to_owned(), error)
    }

    pub(crate) fn parquet(path: &Path) -> impl Fn(ParquetError) -> TableError + '_ {
        |error| match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => TableError::Io(path.to_owned(), *error),
                Err(other) => TableError::Parquet(path.to_owned(), other.to_string()),
            },
            other => TableError::Parquet(path.to_owned(), other.to_string()),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Exists(path) => {
                write!(f, "{}: exists already and is not empty", path.display())
            }
            TableError::NoParts(path) => write!(f, "{}: no Parquet files", path.display()),
            TableError::Column(path, name) => write!(
                f,
                "{}: column {name} is missing or has another type",
                path.display()
            ),
            TableError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            TableError::Parquet(path, reason) => write!(f, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for TableError {}

#[cfg(test)]
mod tests;
