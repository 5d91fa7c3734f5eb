//! Paths, selections and threads that a call names, and errors of files as Python exceptions.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use desk::choose::{Choice, Numbers, TagRule};
use desk::games::Run;
use kit::input::{self, InputError};
use kit::save::SaveError;
use kit::{Stop, Workers};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The paths of an argument: one, or an iterable of them.
pub fn paths(argument: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if let Some(path) = path(argument)? {
        return Ok(vec![path]);
    }
    let items = argument.try_iter().map_err(|_| not_a_source(argument))?;
    let items = items.map(|item| {
        let item = item?;
        path(&item)?.ok_or_else(|| not_a_source(&item))
    });
    items.collect()
}

/// A path, if the argument is one; text that is clearly PGN is refused with the fix.
pub fn path(argument: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if argument.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(
            "bytes are not a path: use gametree.read() for PGN text",
        ));
    }
    let Ok(path) = argument.extract::<PathBuf>() else {
        return Ok(None);
    };
    if path.as_os_str().as_encoded_bytes().contains(&b'\n') {
        return Err(PyValueError::new_err(
            "this is text, not a path: use gametree.read() for PGN text",
        ));
    }
    Ok(Some(path))
}

pub fn not_a_source(found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name();
    let name = name.map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected a path, a list of paths, or games, not {name}"
    ))
}

/// The selected games of files and folders.
pub fn files(paths: Vec<PathBuf>, choice: Choice) -> PyResult<desk::games::Games> {
    let sources = input::gather(paths, desk::GAME_FILES).map_err(|error| input_error(&error))?;
    Ok(desk::games::Games::new(sources, choice))
}

/// A selection by tags (`{"White": "Carlsen"}` or `["WhiteElo>=2700"]`) and numbers (`"1-10,15"`).
pub fn choice(
    tags: Option<&Bound<'_, PyAny>>,
    numbers: Option<&Bound<'_, PyAny>>,
) -> PyResult<Choice> {
    let invalid = |error: &dyn std::error::Error| PyValueError::new_err(error.to_string());
    let tags = tags.map_or(Ok(Vec::new()), conditions)?;
    let tags = tags.iter().map(|rule| rule.parse::<TagRule>());
    let numbers = numbers.map(|numbers| numbers.str()).transpose()?;
    let numbers = numbers.map(|numbers| numbers.to_string().parse::<Numbers>());
    Ok(Choice {
        numbers: numbers.transpose().map_err(|error| invalid(&error))?,
        tags: tags.collect::<Result<_, _>>().map_err(|e| invalid(&e))?,
    })
}

fn conditions(tags: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(tags) = tags.cast::<PyDict>() {
        let pairs = tags
            .iter()
            .map(|(name, value)| Ok(format!("{}={}", name.str()?, value.str()?)));
        return pairs.collect();
    }
    match tags.extract::<String>() {
        Ok(rule) => Ok(vec![rule]),
        Err(_) => tags.extract(),
    }
}

/// The threads that a call may use; all cores by default.
pub fn workers(threads: Option<usize>, stop: Stop) -> PyResult<Workers> {
    let threads = threads.map(|threads| {
        NonZeroUsize::new(threads)
            .ok_or_else(|| PyValueError::new_err("threads must be at least 1"))
    });
    Ok(Workers::new(threads.transpose()?, stop))
}

/// The result of work on files, unless one of them could not be read to the end.
pub fn complete<T>(run: Run<T>) -> PyResult<T> {
    match run.unread.first() {
        Some(error) => Err(input_error(error)),
        None => Ok(run.value),
    }
}

pub fn input_error(error: &InputError) -> PyErr {
    match error {
        InputError::NotFound { path } => {
            let not_found = io::Error::from_raw_os_error(ENOENT);
            os_error(&not_found, &path.to_string_lossy())
        }
        InputError::Unreadable { name, error } => os_error(error, name),
        InputError::EmptyFolder { .. } => PyFileNotFoundError::new_err(with_fix(error)),
        InputError::MarkedFolder { .. } | InputError::StdinTwice => {
            PyValueError::new_err(with_fix(error))
        }
    }
}

/// "No such file or directory" and "Permission denied", the same numbers on all systems.
const ENOENT: i32 = 2;
const EACCES: i32 = 13;

fn with_fix(error: &InputError) -> String {
    let fix = error.fix().map(|fix| format!("; {fix}"));
    format!("{error}{}", fix.unwrap_or_default())
}

pub fn save_error(error: &SaveError) -> PyErr {
    os_error(&error.error, &error.target.to_string())
}

/// `OSError` or, by its number, a subclass; with the file name.
fn os_error(error: &io::Error, name: &str) -> PyErr {
    let number = error.raw_os_error().or(match error.kind() {
        io::ErrorKind::NotFound => Some(ENOENT),
        io::ErrorKind::PermissionDenied => Some(EACCES),
        _ => None,
    });
    match number {
        Some(number) => {
            // Python repeats the number, which Rust puts at the end of the message.
            let message = io::Error::from_raw_os_error(number).to_string();
            let plain = message.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, plain.to_owned(), name.to_owned()))
        }
        None => PyOSError::new_err(format!("{name}: {error}")),
    }
}
