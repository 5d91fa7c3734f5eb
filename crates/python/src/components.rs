//! Databases of components of sums, made in parts.

use std::path::PathBuf;

use kit::Stop;
use lab::db::{self, DbError, Plan, Request};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::source;
use crate::sums::Limits;
use crate::work;

/// The boards of `clobber_1xn=10`, `clobber=3x4` and so on.
fn boards(text: &str) -> PyResult<Request> {
    Request::boards(text)
        .map_err(|error| PyValueError::new_err(format!("{error}; {}", error.fix())))
}

fn db_error(error: &DbError) -> PyErr {
    let message = error.to_string();
    match error {
        DbError::NotFound(_) => PyFileNotFoundError::new_err(message),
        DbError::Bad(..) => PyValueError::new_err(message),
        DbError::Unreadable(..) | DbError::Save(_) | DbError::Busy(_) => {
            PyOSError::new_err(message)
        }
    }
}

/// The number of boards up to a size: `clobber_1xn=10`.
#[pyfunction]
pub fn count_boards(text: &str) -> PyResult<u64> {
    Ok(boards(text)?.count())
}

/// The components of the boards from `start` to before `end`, each once: its name, the number of the
/// first board that has it, and its place among the components of that board.
#[pyfunction]
pub fn list_components(
    py: Python<'_>,
    text: &str,
    start: u64,
    end: u64,
) -> PyResult<Vec<(String, u64, usize)>> {
    let request = boards(text)?;
    let stop = Stop::new();
    work::run(py, &stop, || {
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        for number in stop.while_running(start..end.min(request.count())) {
            for (place, game) in request.components_at(number).into_iter().enumerate() {
                let name = format!("{} {}", game.kind.name(), game.text());
                if seen.insert(game) {
                    found.push((name, number, place));
                }
            }
        }
        found
    })
}

/// Solves the components at these places into a database. Returns the numbers of components in it,
/// and of those beyond the limits.
#[pyfunction]
pub fn survey_components(
    py: Python<'_>,
    text: &str,
    places: Vec<(u64, usize)>,
    path: PathBuf,
    limits: Limits,
) -> PyResult<(usize, usize)> {
    let request = boards(text)?;
    let mut games = Vec::new();
    for (number, place) in places {
        let components = request.components_at(number);
        let game = components.into_iter().nth(place).ok_or_else(|| {
            PyValueError::new_err(format!("board {number} of {text} has no component {place}"))
        })?;
        games.push(game);
    }
    let stop = Stop::new();
    let workers = source::workers(limits.threads(), stop.clone())?;
    let plan = Plan {
        requests: vec![Request::Components(games)],
        budget: limits.budget()?,
        path,
    };
    let made = work::run(py, &stop, || db::create(&plan, &workers, |_| ()))?;
    let made = made.map_err(|error| db_error(&error))?;
    Ok((made.entries, made.unsolved))
}

/// Merges databases into one and returns its number of components.
#[pyfunction]
pub fn merge_databases(py: Python<'_>, paths: Vec<PathBuf>, path: PathBuf) -> PyResult<usize> {
    let merged = work::run(py, &Stop::new(), || db::merge(&paths, &path))?;
    merged.map_err(|error| db_error(&error))
}
