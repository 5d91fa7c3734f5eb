//! What is wrong with a query, where, and what was expected there.

use std::fmt::Write as _;

/// A stretch of the source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The shortest stretch that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The words it covers.
    pub fn of(self, source: &str) -> &str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

/// One complaint about a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The words it is about.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What was expected or what to write instead, if there is something useful to say.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A complaint without advice.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span,
            message: message.into(),
            help: None,
        }
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Line and column (both from 1, columns in characters) of the first word.
    pub fn line_column(&self, source: &str) -> (usize, usize) {
        let start = floor_boundary(source, self.span.start as usize);
        let before = &source[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    /// The complaint with the line it is about and a caret under the words.
    pub fn render(&self, source: &str) -> String {
        let (line, column) = self.line_column(source);
        let start = floor_boundary(source, self.span.start as usize);
        let end = floor_boundary(source, (self.span.end as usize).max(start));
        let text = source.lines().nth(line - 1).unwrap_or("");
        let room = text.chars().count().saturating_sub(column - 1).max(1);
        let width = source[start..end]
            .chars()
            .take_while(|&c| c != '\n')
            .count()
            .clamp(1, room);
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let pad: String = text
            .chars()
            .take(column - 1)
            .map(|c| if c == '\t' { c } else { ' ' })
            .collect();
        let mut out = format!(
            "error: {}\n{gutter}--> line {line}, column {column}\n",
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
