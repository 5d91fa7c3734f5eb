//! The option `--parquet`: tables for other programs, in builds with the Cargo feature `parquet`.

use std::path::PathBuf;

use crate::amounts::parse_bytes;

#[cfg(not(feature = "parquet"))]
mod absent;
#[cfg(feature = "parquet")]
mod tables;

#[cfg(not(feature = "parquet"))]
pub use absent::{Matches, export_components, export_games, is_table, opening};
#[cfg(feature = "parquet")]
pub use tables::{Matches, export_components, export_games, is_table, opening};

/// Where tables go, as typed.
#[derive(clap::Args, Clone, Debug)]
pub struct ParquetArgs {
    /// Write Parquet tables into this folder (docs/scale.md lists their columns)
    #[arg(long, value_name = "DIR", help_heading = "Parquet")]
    pub parquet: Option<PathBuf>,
    /// Begin a new Parquet file when one has this many bytes
    #[arg(
        long,
        value_name = "BYTES",
        value_parser = parse_bytes,
        default_value = "128M",
        requires = "parquet",
        help_heading = "Parquet"
    )]
    pub part_size: usize,
}

/// Which tables of games go where, as typed.
#[derive(clap::Args, Clone, Debug)]
pub struct GameTableArgs {
    #[command(flatten)]
    pub place: ParquetArgs,
    /// The tables, separated by commas
    #[arg(
        long,
        value_name = "TABLES",
        value_delimiter = ',',
        default_value = "games,moves,positions,openings",
        requires = "parquet",
        help_heading = "Parquet"
    )]
    pub tables: Vec<TableName>,
}

/// A table of games, as typed.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableName {
    /// One row for each game
    Games,
    /// One row for each move of a mainline
    Moves,
    /// One row for each position of a mainline
    Positions,
    /// One row for each position and move, with the results of its games
    Openings,
}
