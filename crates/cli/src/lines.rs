//! Input lines from a prompt or a script.

use std::io::{self, BufRead, IsTerminal};

use rustyline::error::ReadlineError;

use crate::failure::Failure;
use crate::history::Prompt;

/// The source of lines: a prompt with a history on a terminal, else plain lines.
pub enum Lines {
    /// A terminal.
    Typed(Box<Prompt<()>>, &'static str),
    /// Standard input is a file or a pipe.
    Piped,
}

impl Lines {
    /// Lines from standard input; on a terminal, with this prompt and the history of this name.
    pub fn new(prompt: &'static str, name: &str) -> Result<Lines, Failure> {
        if !io::stdin().is_terminal() {
            return Ok(Lines::Piped);
        }
        Ok(Lines::Typed(Box::new(Prompt::new(name)?), prompt))
    }

    /// True if they are typed on a terminal.
    pub fn are_typed(&self) -> bool {
        matches!(self, Lines::Typed(..))
    }

    /// The next line; none at the end.
    pub fn next(&mut self) -> Result<Option<String>, Failure> {
        match self {
            Lines::Piped => {
                let mut line = Vec::new();
                let read = io::stdin().lock().read_until(b'\n', &mut line);
                let read = read.map_err(|error| Failure::new(format_args!("<stdin>: {error}")))?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
            }
            Lines::Typed(editor, prompt) => match editor.read(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
                Err(_) => Ok(None),
            },
        }
    }
}
