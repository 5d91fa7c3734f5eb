//! Lines typed one after another: by a person at a prompt, or by a script.

use std::io::{self, BufRead, IsTerminal};

use rustyline::error::ReadlineError;

use crate::failure::Failure;
use crate::history::Prompt;

/// Where lines come from: an editor with a history on a terminal, plain lines otherwise.
pub enum Lines {
    /// Somebody types.
    Typed(Box<Prompt<()>>, &'static str),
    /// Standard input is a file or a pipe.
    Piped,
}

impl Lines {
    /// Lines from standard input; people are asked with this prompt, and what they type is
    /// remembered under this name.
    pub fn new(prompt: &'static str, name: &str) -> Result<Lines, Failure> {
        if !io::stdin().is_terminal() {
            return Ok(Lines::Piped);
        }
        Ok(Lines::Typed(Box::new(Prompt::new(name)?), prompt))
    }

    /// True if somebody types them.
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
            Lines::Typed(asked, prompt) => match asked.read(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
                Err(_) => Ok(None),
            },
        }
    }
}
