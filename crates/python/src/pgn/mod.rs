//! The native part of `gametree.pgn`: reading games and making their nodes.

mod build;
mod lines;
mod read;
mod record;
mod san;
mod scan;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use lines::{LineError, Lines};
use read::{Extent, Found};

pub use build::Nodes;

/// A game that was read and not looked at.
#[pyclass(frozen, module = "gametree._native")]
pub struct PgnRecord(record::Record);

#[pymethods]
impl PgnRecord {
    /// The tags; the last of several with the same name.
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        let mut texts = self.0.tags.iter();
        while let (Some(name), Some(value)) = (texts.next(), texts.next()) {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The first result of the movetext that is not `*`.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.0.result
    }

    /// Gives a game its nodes.
    fn build(&self, game: Bound<'_, PyAny>, nodes: &Nodes) -> PyResult<()> {
        nodes.build(&self.0, game)
    }

    /// The moves before an event.
    fn line_to<'py>(
        &self,
        py: Python<'py>,
        event: usize,
        nodes: &Nodes,
    ) -> PyResult<Bound<'py, PyList>> {
        let moves = PyList::empty(py);
        for m in self.0.line_to(event) {
            moves.append(nodes.chess_move(py, m, self.0.chess960)?)?;
        }
        Ok(moves)
    }
}

/// Reads a game with a file's `readline`. Returns None at the end of the file, a record, the lines
/// read so far if Python has to read the game, or a record with its unreadable moves (the event
/// before which they occur, and their text) and the lines.
#[pyfunction]
pub fn read_pgn_game<'py>(
    py: Python<'py>,
    readline: Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut lines = Lines::new(readline);
    let recording = match read::read(&mut lines, Extent::Game) {
        Ok(Found::Nothing) => return Ok(None),
        Ok(Found::Game(recording)) => recording,
        Ok(Found::Unsupported) | Err(LineError::Unreadable) => {
            return Ok(Some(lines.to_list()?.into_any()));
        }
        Err(LineError::Raised(error)) => return Err(error),
    };
    let problems: Vec<(usize, String)> = recording
        .problems
        .iter()
        .map(|problem| (problem.event, problem.token.to_string()))
        .collect();
    let record = Bound::new(py, PgnRecord(recording.finish()))?.into_any();
    if problems.is_empty() {
        return Ok(Some(record));
    }
    let parts = (record, problems, lines.to_list()?);
    Ok(Some(parts.into_pyobject(py)?.into_any()))
}

/// Reads the tags of a game and passes over its moves. Returns None at the end of the file, or the
/// lines read so far if Python has to read the game.
#[pyfunction]
pub fn read_pgn_tags<'py>(
    py: Python<'py>,
    readline: Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut lines = Lines::new(readline);
    match read::read(&mut lines, Extent::Headers) {
        Ok(Found::Nothing) => Ok(None),
        Ok(Found::Game(recording)) => {
            let record = PgnRecord(recording.finish());
            Ok(Some(record.tags(py)?.into_any()))
        }
        Ok(Found::Unsupported) | Err(LineError::Unreadable) => {
            Ok(Some(lines.to_list()?.into_any()))
        }
        Err(LineError::Raised(error)) => Err(error),
    }
}

/// Passes over a game. Returns whether there was one, or the lines read so far if Python has to
/// pass over it.
#[pyfunction]
pub fn skip_pgn_game<'py>(
    py: Python<'py>,
    readline: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut lines = Lines::new(readline);
    match read::read(&mut lines, Extent::Nothing) {
        Ok(found) => {
            let found = !matches!(found, Found::Nothing);
            Ok(found.into_pyobject(py)?.to_owned().into_any())
        }
        Err(LineError::Unreadable) => Ok(lines.to_list()?.into_any()),
        Err(LineError::Raised(error)) => Err(error),
    }
}

/// Decodes a line of a binary file: UTF-8 or Windows-1252, with the line breaks of text mode.
#[pyfunction]
pub fn decode_pgn_line(line: &[u8]) -> String {
    lines::decode_line(line).into_owned()
}
