//! The lines of a Python file object.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use chess::pgn::decode;

/// How many lines are read between two checks for Ctrl-C.
const SIGNAL_INTERVAL: usize = 1 << 12;

/// Lines taken with `readline` and nothing else, so that the file stands after the game when the
/// game has been read. All of them are kept: if a game is not for this reader, another one needs
/// them.
pub struct Lines<'py, 'a> {
    readline: Bound<'py, PyAny>,
    buffer: &'a mut LineBuffer,
    /// A line that is not valid Unicode (lone surrogates). Reading stops there.
    unreadable: Option<Bound<'py, PyAny>>,
}

/// The text that was read and where its lines end.
#[derive(Default)]
pub struct LineBuffer {
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// A line as a range of the text.
#[derive(Clone, Copy)]
pub struct Line {
    pub start: usize,
    pub end: usize,
}

impl Line {
    /// At the end of the file.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Why reading a line failed.
pub enum LineError {
    /// An exception of the file object.
    Raised(PyErr),
    /// Text that UTF-8 cannot represent.
    Unreadable,
}

impl From<PyErr> for LineError {
    fn from(error: PyErr) -> LineError {
        LineError::Raised(error)
    }
}

impl<'py, 'a> Lines<'py, 'a> {
    pub fn new(readline: Bound<'py, PyAny>, buffer: &'a mut LineBuffer) -> Lines<'py, 'a> {
        buffer.text.clear();
        buffer.ends.clear();
        Lines {
            readline,
            buffer,
            unreadable: None,
        }
    }

    /// Everything that was read.
    pub fn text(&self) -> &[u8] {
        &self.buffer.text
    }

    /// The bytes of a line.
    pub fn bytes(&self, line: Line) -> &[u8] {
        &self.buffer.text[line.start..line.end]
    }

    /// The next line with its line break; empty at the end of the file.
    pub fn read(&mut self) -> Result<Line, LineError> {
        let line = self.readline.call0()?;
        let start = self.buffer.text.len();
        if let Ok(text) = line.cast::<PyString>() {
            match text.to_str() {
                Ok(text) => self.buffer.text.extend_from_slice(text.as_bytes()),
                Err(_) => {
                    self.unreadable = Some(line);
                    return Err(LineError::Unreadable);
                }
            }
        } else if let Ok(bytes) = line.cast::<PyBytes>() {
            let text = decode_line(bytes.as_bytes());
            self.buffer.text.extend_from_slice(text.as_bytes());
        } else {
            let message = "readline() must return str or bytes; pass a file opened for reading";
            return Err(PyTypeError::new_err(message).into());
        }
        let end = self.buffer.text.len();
        self.buffer.ends.push(end);
        if self.buffer.ends.len().is_multiple_of(SIGNAL_INTERVAL) {
            self.readline.py().check_signals()?;
        }
        Ok(Line { start, end })
    }

    /// All lines as Python strings.
    pub fn to_list(&self) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(self.readline.py());
        let mut start = 0;
        for &end in &self.buffer.ends {
            list.append(String::from_utf8_lossy(&self.buffer.text[start..end]))?;
            start = end;
        }
        if let Some(line) = &self.unreadable {
            list.append(line)?;
        }
        Ok(list)
    }
}

/// Decodes a line of a binary file: UTF-8 or Windows-1252, with the line breaks of text mode.
pub fn decode_line(bytes: &[u8]) -> Cow<'_, str> {
    let decoded = decode(bytes);
    match decoded.strip_suffix("\r\n") {
        Some(line) => Cow::Owned(format!("{line}\n")),
        None => decoded,
    }
}

/// What `str.isspace` is true for; false for the empty text.
pub fn is_blank(line: &[u8]) -> bool {
    match line {
        [] => false,
        [b'\n'] => true,
        [first, ..] if first.is_ascii_graphic() => false,
        _ => std::str::from_utf8(line).is_ok_and(|line| line.chars().all(is_space)),
    }
}

/// A character that `str.isspace` is true for.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Lines that start like this are no part of a game.
pub fn is_escaped(line: &[u8]) -> bool {
    matches!(line, [b'%' | b';', ..])
}
