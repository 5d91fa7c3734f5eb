//! Problems of a query: messages with their place in the source.

use std::fmt::{self, Write as _};

/// A range of the source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to `end`.
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The shortest range that covers both.
    pub(crate) fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The text it covers.
    pub fn of(self, source: &str) -> &str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

/// The category of a diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The query is not valid.
    #[default]
    Invalid,
    /// The query exceeds a limit on depth or size.
    TooLarge,
    /// The query writes a file; see [`Options::write_files`](crate::Options::write_files).
    WritesFile,
    /// The query runs a program; see [`Options::run_programs`](crate::Options::run_programs).
    RunsProgram,
    /// The query is valid, but probably means something else. Such a diagnostic is a warning.
    Suspicious,
}

/// One problem of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The category.
    pub kind: DiagnosticKind,
    /// The place in the source.
    pub span: Span,
    /// The problem.
    pub message: String,
    /// The expected text, or a correction.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind: DiagnosticKind::default(),
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(span, message).kind(DiagnosticKind::Suspicious)
    }

    pub(crate) fn kind(mut self, kind: DiagnosticKind) -> Diagnostic {
        self.kind = kind;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// True if the query compiles anyway.
    pub fn is_warning(&self) -> bool {
        self.kind == DiagnosticKind::Suspicious
    }

    /// Line and column (both from 1, columns in characters) of the start.
    fn line_column(&self, source: &str) -> (usize, usize) {
        let start = floor_boundary(source, self.span.start as usize);
        let before = &source[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    /// The message with the source line and carets under the span.
    pub fn render(&self, source: &str) -> String {
        let (line, column) = self.line_column(source);
        let start = floor_boundary(source, self.span.start as usize);
        let end = floor_boundary(source, (self.span.end as usize).max(start));
        let whole = source.lines().nth(line - 1).unwrap_or("");
        let (text, column_shown) = excerpt(whole, column);
        let room = text.chars().count().saturating_sub(column_shown - 1).max(1);
        let width = source[start..end]
            .chars()
            .take_while(|&c| c != '\n')
            .take(room)
            .count()
            .max(1);
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let pad: String = text
            .chars()
            .take(column_shown - 1)
            .map(|c| if c == '\t' { c } else { ' ' })
            .collect();
        let level = if self.is_warning() {
            "warning"
        } else {
            "error"
        };
        let mut out = format!(
            "{level}: {}\n{gutter}--> line {line}, column {column}\n",
            self.message
        );
        let _ = writeln!(out, "{number} | {text}");
        let _ = writeln!(out, "{gutter} | {pad}{}", "^".repeat(width));
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{gutter} = {help}");
        }
        out
    }
}

/// A long line is cut to this many characters around the place.
const EXCERPT: usize = 160;

/// The part of a line around a column, and the column in it.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= EXCERPT {
        return (line.to_owned(), column);
    }
    let skipped = column.saturating_sub(EXCERPT / 2).min(length - EXCERPT);
    let mut text: String = line.chars().skip(skipped).take(EXCERPT).collect();
    if skipped + EXCERPT < length {
        text.push('…');
    }
    if skipped == 0 {
        return (text, column);
    }
    text.insert(0, '…');
    (text, column - skipped + 1)
}

/// The errors of a query that does not compile, in the order of the source.
///
/// It prints itself with source excerpts.
///
/// ```
/// use gametree_cql::{Options, Query};
///
/// let error = Query::compile("stalmate", &Options::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "error: unknown filter or variable ‘stalmate’\n \
///      --> line 1, column 1\n\
///      1 | stalmate\n  | ^^^^^^^^\n  = did you mean ‘stalemate’?\n"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl CompileError {
    pub(crate) fn new(text: impl Into<String>, diagnostics: Vec<Diagnostic>) -> CompileError {
        CompileError {
            text: text.into(),
            diagnostics,
        }
    }

    /// The text that was compiled: [`Options::filters`](crate::Options::filters), then the query.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The errors; their spans are places in [`text`](CompileError::text).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Replaces the help of all errors of a kind, to name the option of a program.
    pub fn with_help(mut self, kind: DiagnosticKind, help: &str) -> CompileError {
        let of_kind = self.diagnostics.iter_mut().filter(|d| d.kind == kind);
        of_kind.for_each(|d| d.help = Some(help.into()));
        self
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            if i > 0 {
                f.write_char('\n')?;
            }
            f.write_str(&diagnostic.render(&self.text))?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

fn floor_boundary(source: &str, mut at: usize) -> usize {
    at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let source = "x ".repeat(10_000) + "foo" + &" y".repeat(10_000);
        let start = source.find("foo").unwrap();
        let text = Diagnostic::new(Span::new(start, start + 3), "unknown").render(&source);
        assert!(text.len() < 1_000, "{}", text.len());
        let lines: Vec<&str> = text.lines().collect();
        let column = lines[3].chars().position(|c| c == '^').unwrap();
        let shown: String = lines[2].chars().skip(column).take(3).collect();
        assert_eq!(shown, "foo");
    }

    #[test]
    fn caret_stands_under_the_words() {
        let source = "check\n\t♔ foo";
        let start = source.find("foo").unwrap();
        let text = Diagnostic::new(Span::new(start, start + 3), "unknown name")
            .help("did you mean ‘from’?")
            .render(source);
        assert_eq!(
            text,
            "error: unknown name\n --> line 2, column 4\n2 | \t♔ foo\n  | \t  ^^^\n  = did you mean ‘from’?\n"
        );
    }
}
