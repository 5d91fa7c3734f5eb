//! The work on one shard of a collection: results that can be joined with those of other shards.

use std::io::Write;
use std::path::{Path, PathBuf};

use desk::games::Games;
use desk::merge::{self, Merged, Order, Rules};
use desk::opening_rows::OpeningRow;
use desk::stats::Options;
use kit::Stop;
use kit::save::{Output, Target};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::game::PyGame;
use crate::games::Source;
use crate::graph::{handles, to_python};
use crate::source;
use crate::table::{Column, PyTable, Text};
use crate::work;

/// The files of a source; games in memory are no shard.
fn files(source: &Bound<'_, PyAny>) -> PyResult<Box<Games>> {
    match Source::of(source)? {
        Source::Files(games) => Ok(games),
        Source::Games(_) => Err(PyTypeError::new_err("expected files, not games in memory")),
    }
}

/// The opening statistics of all positions, sorted by key and move: see `gametree.cluster`.
#[pyfunction]
#[pyo3(signature = (source, *, plies=None, threads=None))]
pub fn opening_rows(
    source: &Bound<'_, PyAny>,
    plies: Option<u32>,
    threads: Option<usize>,
) -> PyResult<PyTable> {
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let games = files(source)?;
    let rows = work::run(source.py(), &stop, || {
        source::complete(desk::opening_rows::opening_rows(&games, plies, &workers))
    })??;
    opening_table(&rows)
}

fn opening_table(rows: &[OpeningRow]) -> PyResult<PyTable> {
    let (mut uci, mut first, mut last) = (Text::default(), Text::default(), Text::default());
    for row in rows {
        let dates = row.counts.dates.as_ref();
        uci.push(text(Some(row.uci.as_bytes())));
        first.push(text(dates.map(|(first, _)| first.as_bytes())));
        last.push(text(dates.map(|(_, last)| last.as_bytes())));
    }
    let keys = |part: fn(u128) -> u64| Column::U64(rows.iter().map(|row| part(row.key)).collect());
    let counts = |count: fn(&OpeningRow) -> u64| {
        Column::I64(rows.iter().map(|row| count(row) as i64).collect())
    };
    let columns = [
        ("key_hi", keys(|key| (key >> 64) as u64)),
        ("key_lo", keys(|key| key as u64)),
        ("uci", Column::Text(uci)),
        ("games", counts(|row| row.counts.tally.games)),
        ("white", counts(|row| row.counts.tally.white)),
        ("draws", counts(|row| row.counts.tally.draws)),
        ("black", counts(|row| row.counts.tally.black)),
        ("elo_games", counts(|row| row.counts.tally.rated)),
        ("elo_sum", counts(|row| row.counts.elo_sum())),
        (
            "opponent_elo_sum",
            counts(|row| row.counts.opponent_elo_sum()),
        ),
        ("elo_results", counts(|row| row.counts.tally.rated_results)),
        ("elo_points", counts(|row| row.counts.elo_points())),
        ("first_date", Column::Text(first)),
        ("last_date", Column::Text(last)),
    ];
    let columns = columns.map(|(name, column)| (name.to_owned(), column));
    PyTable::new(columns.into())
}

/// A text of ASCII letters, if there is one that is not empty.
fn text(bytes: Option<&[u8]>) -> Option<&str> {
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.filter(|text| !text.is_empty())
}

/// The counts of `gametree stats --no-positions`.
#[pyfunction]
#[pyo3(signature = (source, *, threads=None))]
pub fn stats<'py>(
    source: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let games = files(source)?;
    let options = Options {
        positions: false,
        ..Options::default()
    };
    let stats = work::run(source.py(), &stop, || {
        source::complete(desk::stats::stats(&games, options, &workers))
    })??;
    let stats = serde_json::to_value(&stats);
    let stats = stats.map_err(|error| PyValueError::new_err(error.to_string()))?;
    to_python(source.py(), &stats)
}

/// Merges the games of a source into a file that `join_merges` reads. Returns the number of games.
#[pyfunction]
#[pyo3(signature = (source, path, *, plies=None, threads=None))]
pub fn merge_shard(
    source: &Bound<'_, PyAny>,
    path: PathBuf,
    plies: Option<u32>,
    threads: Option<usize>,
) -> PyResult<u64> {
    let stop = Stop::new();
    let workers = source::workers(threads, stop.clone())?;
    let games = files(source)?;
    let rules = Rules {
        cut: plies,
        ..Rules::default()
    };
    work::run(source.py(), &stop, || {
        let (merged, count) = source::complete(merge::merge_part(&games, &rules, &workers))?;
        save(&merged, path)?;
        Ok(count)
    })?
}

/// Joins files of `merge_shard`, in order, into one of the same kind.
#[pyfunction]
pub fn join_merges(py: Python<'_>, paths: Vec<PathBuf>, path: PathBuf) -> PyResult<()> {
    work::run(py, &Stop::new(), || save(&load(&paths)?, path))?
}

/// The merged games of a file of `merge_shard`, and the report of the merge.
#[pyfunction]
#[pyo3(signature = (path, *, by_frequency=false))]
pub fn finish_merge<'py>(
    py: Python<'py>,
    path: PathBuf,
    by_frequency: bool,
) -> PyResult<(Vec<PyGame>, Bound<'py, PyAny>)> {
    let order = match by_frequency {
        true => Order::Frequency,
        false => Order::File,
    };
    let (games, report) = work::run(py, &Stop::new(), || {
        let merged = load(&[path])?;
        let report = serde_json::json!({
            "moves": merged.moves(),
            "comments": merged.comments(),
            "dropped_tags": merged.dropped_tags(),
        });
        PyResult::Ok((merged.into_games(order), report))
    })??;
    Ok((handles(games), to_python(py, &report)?))
}

fn load(paths: &[PathBuf]) -> PyResult<Merged> {
    let mut merged = Merged::default();
    for path in paths {
        let text = std::fs::read_to_string(path)?;
        merged.absorb(Merged::load(&text).map_err(|error| bad(path, &error))?);
    }
    Ok(merged)
}

fn bad(path: &Path, error: &dyn std::error::Error) -> PyErr {
    PyValueError::new_err(format!("{}: {error}", path.display()))
}

fn save(merged: &Merged, path: PathBuf) -> PyResult<()> {
    let failed = |error| source::save_error(&error);
    let mut output = Output::create(Target::File(path)).map_err(failed)?;
    output.write_all(merged.save().as_bytes())?;
    output.finish().map_err(failed)?;
    Ok(())
}
