//! Text to sums and questions: the language of `.test` files, and a short form for people.

mod file;
mod short;

pub use file::{Ask, Document, Expected, Problem, Question, Scaffold, read_file};
pub use short::{Relation, Statement, read_short};

use std::ops::Range;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Byte range within the whole text.
    pub span: Range<usize>,
    /// What is wrong and what was expected.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Fault {
        Fault {
            span,
            message: message.into(),
        }
    }

    /// Line and column, both from 1, columns counted in characters.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = &text.as_bytes()[..self.span.start.min(text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1;
        (line, column)
    }

    /// The message with its line and a caret under the place, for a terminal.
    pub fn render(&self, text: &str) -> String {
        let (line, column) = self.place(text);
        let source = text.lines().nth(line - 1).unwrap_or("");
        let rest = source.chars().count() + 1 - column.min(source.chars().count() + 1);
        let marked = text
            .get(self.span.clone())
            .unwrap_or("")
            .chars()
            .take_while(|&letter| letter != '\n')
            .count();
        let carets = "^".repeat(marked.clamp(1, rest.max(1)));
        // A board may be a megabyte long: show the part around the place.
        let from = column.saturating_sub(60);
        let shown: String = source.chars().skip(from).take(100).collect();
        let carets: String = carets.chars().take(100).collect();
        format!(
            "line {line}, column {column}: {}\n  {shown}\n  {}{carets}",
            self.message,
            " ".repeat(column - 1 - from.min(column - 1))
        )
    }
}

/// True if the text is in the language of files rather than the short form.
pub fn is_file_language(text: &str) -> bool {
    let start = text.trim_start();
    let block = start.strip_prefix('{').map(str::trim_start);
    start.is_empty()
        || start.starts_with('[')
        || start.starts_with("/*")
        || block.is_some_and(|inner| inner.starts_with("version"))
}
