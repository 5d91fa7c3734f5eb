//! Parsers for sums and questions: the language of `.test` files, and a short form for typing.

mod file;
mod short;

pub use file::{Ask, Document, Expected, Problem, Question, Scaffold, read_file};
pub use short::{Relation, Statement, read_short};

use std::ops::Range;

/// An error in a text, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The byte range within the whole text.
    pub span: Range<usize>,
    /// The error and the expected text.
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
            message: printable(&message.into(), LONGEST_MESSAGE),
        }
    }

    /// Line and column, both counted from 1; columns are counted in characters.
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

    /// The message with its line and a caret below the error, for a terminal.
    pub fn render(&self, text: &str) -> String {
        let (line, column) = self.place(text);
        let source = text.lines().nth(line - 1).unwrap_or("");
        // A board may be a megabyte long: show only the text around the error.
        let from = column.saturating_sub(60);
        let shown: String = source
            .chars()
            .skip(from)
            .take(EXCERPT)
            .map(visible)
            .collect();
        let indent = column - 1 - from.min(column - 1);
        let marked = text
            .get(self.span.clone())
            .unwrap_or("")
            .chars()
            .take_while(|&letter| letter != '\n');
        let room = shown.chars().count().saturating_sub(indent).max(1);
        let carets = "^".repeat(marked.take(room).count().max(1));
        format!(
            "line {line}, column {column}: {}\n  {shown}\n  {}{carets}",
            self.message,
            " ".repeat(indent)
        )
    }
}

/// The maximum number of characters of a line that are shown.
const EXCERPT: usize = 100;

/// The maximum number of characters of a message that are shown: it may quote the input.
const LONGEST_MESSAGE: usize = 500;

/// Shortens a text, and replaces control characters.
fn printable(text: &str, longest: usize) -> String {
    let mut shown: String = text.chars().take(longest).map(visible).collect();
    if text.len() > shown.len() && text.chars().nth(longest).is_some() {
        shown.push('…');
    }
    shown
}

/// Replaces a control character, which could move the cursor of a terminal, by a visible one.
fn visible(letter: char) -> char {
    match letter {
        '\t' => ' ',
        letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
        letter => letter,
    }
}

/// The length of the bracketed text at the start, including both brackets.
fn bracket_length(text: &str, open: char) -> Option<usize> {
    let close = if open == '{' { '}' } else { ')' };
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        depth += usize::from(letter == open);
        depth -= usize::from(letter == close && depth > 0);
        if depth == 0 {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

/// Returns true if the text is in the language of files rather than the short form.
pub fn is_file_language(text: &str) -> bool {
    let start = text.trim_start();
    start.is_empty()
        || start.starts_with('[')
        || start.starts_with("/*")
        || start.strip_prefix('{').is_some_and(is_block)
}

/// Returns true if the text after an opening brace is a version or questions, not a game.
fn is_block(inner: &str) -> bool {
    let Some((inner, _)) = inner.split_once('}') else {
        return inner.trim_start().starts_with("version");
    };
    let word = inner
        .split([',', ' ', '\n', '\t', '\r'])
        .find(|word| !word.is_empty());
    !inner.contains('|')
        && word
            .is_none_or(|word| ["B", "W", "N", "winning", "thermograph", "version"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_questions_are_not_games() {
        for text in [
            "{B}",
            "{ W win, B}",
            "{}",
            "{version 1.0} {B}",
            "[nimber] 3 {N}",
            "{winning moves B}",
        ] {
            assert!(is_file_language(text), "{text}");
        }
        for text in ["{1|-1}", "{|}", "{0||1|2}", "{1", "{1}", "{Bob}", "B"] {
            assert!(!is_file_language(text), "{text}");
        }
    }

    #[test]
    fn rendered_text_is_short_without_control_characters() {
        let long = "y".repeat(100_000);
        let shown = read_short(&long).unwrap_err().render(&long);
        assert!(shown.len() < 1000, "{}", shown.len());
        let control = "clobber X\u{1b}[2J\u{7}";
        let shown = read_short(control).unwrap_err().render(control);
        assert!(!shown.contains(['\u{1b}', '\u{7}']), "{shown}");
        for line in shown.lines().skip(1) {
            assert!(line.chars().count() <= EXCERPT + 2, "{line}");
        }
        let deep = "{".repeat(3000);
        let widths: Vec<usize> = read_short(&deep)
            .unwrap_err()
            .render(&deep)
            .lines()
            .skip(1)
            .map(|line| line.chars().count())
            .collect();
        assert!(widths[1] <= widths[0], "{widths:?}");
    }
}
