//! The native part of `gametree.pgn`: reading games and making their nodes.

mod board;
mod build;
mod lines;
mod read;
mod record;
mod san;
mod scan;

use std::cell::Cell;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};

use lines::{LineBuffer, LineError, Lines};
use read::{Extent, Found};
use record::{Problem, Recording};

pub use board::SanBoard;
pub use build::Nodes;

/// A game that was read and not looked at.
#[pyclass(frozen, module = "gametree._native")]
pub struct PgnRecord(record::Record);

#[pymethods]
impl PgnRecord {
    /// The tags; the last of several with the same name.
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        let mut texts = self.0.tag_texts();
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

/// Memory that is used from game to game.
#[derive(Default)]
struct Buffers {
    lines: LineBuffer,
    recording: Recording,
}

/// Games longer than this do not leave their memory behind.
const KEPT_MEMORY: usize = 1 << 20;

thread_local! {
    static BUFFERS: Cell<Option<Box<Buffers>>> = const { Cell::new(None) };
}

/// Reads a game with a file's `readline` and passes it on. Returns None at the end of the file, and
/// the lines read so far if Python has to read the game.
fn with_game<'py>(
    readline: Bound<'py, PyAny>,
    extent: Extent,
    use_game: impl FnOnce(&Recording, &Lines<'py, '_>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // A `readline` that reads games itself finds none, and makes its own.
    let mut buffers = BUFFERS.take().unwrap_or_default();
    let Buffers { lines, recording } = &mut *buffers;
    recording.clear();
    let mut lines = Lines::new(readline, lines);
    let result = match read::read(&mut lines, extent, recording) {
        Ok(Found::Nothing) => Ok(None),
        Ok(Found::Game) => use_game(recording, &lines).map(Some),
        Ok(Found::Unsupported) | Err(LineError::Unreadable) => {
            lines.to_list().map(|list| Some(list.into_any()))
        }
        Err(LineError::Raised(error)) => Err(error),
    };
    if lines.text().len() < KEPT_MEMORY {
        BUFFERS.set(Some(buffers));
    }
    result
}

/// Reads a game with a file's `readline`. Returns None at the end of the file, a record, the lines
/// read so far if Python has to read the game, or a record with its unreadable moves (the number
/// of events before them, and their text) and the lines.
#[pyfunction]
pub fn read_pgn_game<'py>(
    py: Python<'py>,
    readline: Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    with_game(readline, Extent::Game, |recording, lines| {
        let record = Bound::new(py, PgnRecord(recording.finish()))?;
        if recording.problems.is_empty() {
            return Ok(record.into_any());
        }
        let problem = |problem: &Problem| (problem.event, problem.token.to_string());
        let problems: Vec<_> = recording.problems.iter().map(problem).collect();
        let parts = (record, problems, lines.to_list()?);
        Ok(parts.into_pyobject(py)?.into_any())
    })
}

/// Reads the tags of a game and passes over its moves. Returns None at the end of the file, or the
/// lines read so far if Python has to read the game.
#[pyfunction]
pub fn read_pgn_tags<'py>(
    py: Python<'py>,
    readline: Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    with_game(readline, Extent::Headers, |recording, _| {
        let tags = PyDict::new(py);
        for (name, value) in recording.tags() {
            tags.set_item(name, value)?;
        }
        Ok(tags.into_any())
    })
}

/// Passes over a game. Returns True, None at the end of the file, or the lines read so far if Python
/// has to pass over it.
#[pyfunction]
pub fn skip_pgn_game<'py>(
    py: Python<'py>,
    readline: Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    with_game(readline, Extent::Nothing, |_, _| {
        Ok(PyBool::new(py, true).to_owned().into_any())
    })
}

/// Decodes a line of a binary file: UTF-8 or Windows-1252, with the line breaks of text mode.
#[pyfunction]
pub fn decode_pgn_line(line: &[u8]) -> String {
    lines::decode_line(line).into_owned()
}
