//! Pieces of text with their role, so that a pipe, a terminal and the full screen can each style
//! them in their own way.

use anstyle::{AnsiColor, Color, Style};
use desk::NodeId;

use crate::printer::{Tint, printable, printable_line};

/// The role of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ink {
    /// Nothing special.
    #[default]
    Plain,
    /// The current move.
    Current,
    /// The current move, by its index in the file.
    CurrentMove(usize),
    /// A move, by its index in the file: its colour stays when it is shown first.
    Choice(usize),
    /// Labels, counts, numbers: less prominent.
    Faint,
    /// Headings.
    Head,
    /// Something is wrong.
    Wrong,
    /// Something went well.
    Good,
}

/// A piece of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The text.
    pub text: String,
    /// The role.
    pub ink: Ink,
    /// The node that a click on it goes to, if any.
    pub node: Option<NodeId>,
}

/// A line of text in pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The pieces from left to right.
    pub spans: Vec<Span>,
}

impl Line {
    /// A line of one piece.
    pub fn of(text: impl Into<String>, ink: Ink) -> Line {
        let mut line = Line::default();
        line.push(text, ink);
        line
    }

    /// Adds a piece.
    pub fn push(&mut self, text: impl Into<String>, ink: Ink) {
        self.push_node(text, ink, None);
    }

    /// Adds a piece that links to a node.
    pub fn push_node(&mut self, text: impl Into<String>, ink: Ink, node: Option<NodeId>) {
        let text = text.into();
        if !text.is_empty() {
            let text = printable_line(&text).into_owned();
            self.spans.push(Span { text, ink, node });
        }
    }

    /// Fills up with blanks to this column.
    pub fn pad_to(&mut self, column: usize) {
        let missing = column.saturating_sub(self.width());
        self.push(" ".repeat(missing), Ink::Plain);
    }

    /// Breaks the line to fit into `columns` columns.
    pub fn fold(self, columns: usize) -> Vec<Line> {
        let columns = columns.max(1);
        if self.width() <= columns {
            return vec![self];
        }
        let (mut folded, mut line) = (Vec::new(), Line::default());
        for span in self.spans {
            for c in span.text.chars() {
                if line.width() + width(c.encode_utf8(&mut [0; 4])) > columns {
                    folded.push(std::mem::take(&mut line));
                }
                line.push_char(c, span.ink, span.node);
            }
        }
        folded.push(line);
        folded
    }

    fn push_char(&mut self, c: char, ink: Ink, node: Option<NodeId>) {
        match self.spans.last_mut() {
            Some(last) if (last.ink, last.node) == (ink, node) => last.text.push(c),
            _ => self.push_node(c, ink, node),
        }
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// The line without trailing blanks, for a printer; with its styles if `coloured`.
    pub fn paint(&self, coloured: bool) -> String {
        let mut text = String::new();
        for span in self.trimmed() {
            let tint = if coloured {
                Tint::new(span.ink.style())
            } else {
                Tint::default()
            };
            text += &format!("{tint}{}{tint:#}", span.text);
        }
        text
    }

    /// The pieces of the line.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    fn trimmed(&self) -> Vec<Span> {
        let mut spans = self.spans.clone();
        while let Some(last) = spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            spans.pop();
        }
        spans
    }

    /// The node at this column.
    pub fn node_at(&self, column: usize) -> Option<NodeId> {
        let mut end = 0;
        let span = self.spans.iter().find(|span| {
            end += width(&span.text);
            column < end
        });
        span.and_then(|span| span.node)
    }
}

/// The number of columns a text takes when it is printed.
pub fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(&*printable(text))
}

/// Breaks a text into lines of at most `columns` columns, between words where it can.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            for c in word.chars() {
                if width(&line) + width(c.encode_utf8(&mut [0; 4])) > columns {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
        lines.push(line);
    }
    lines
}

impl Ink {
    /// Its style among the sixteen colours every terminal has.
    pub fn style(self) -> Style {
        match self {
            Ink::Plain => Style::new(),
            Ink::Current => Style::new().bold().invert(),
            Ink::CurrentMove(index) => Style::new().bold().invert().fg_color(choice_color(index)),
            Ink::Choice(index) => Style::new().fg_color(choice_color(index)),
            Ink::Faint => Style::new().dimmed(),
            Ink::Head => Style::new().bold(),
            Ink::Wrong => AnsiColor::Red.on_default().bold(),
            Ink::Good => AnsiColor::Green.on_default(),
        }
    }
}

/// The file's first move has the terminal's own colour, the others each their own up to the sixth.
fn choice_color(index: usize) -> Option<Color> {
    const ALTERNATIVES: [AnsiColor; 5] = [
        AnsiColor::BrightRed,
        AnsiColor::Green,
        AnsiColor::Yellow,
        AnsiColor::Magenta,
        AnsiColor::Cyan,
    ];
    let alternative = index.checked_sub(1)?;
    let color = ALTERNATIVES.get(alternative).copied();
    Some(color.unwrap_or(AnsiColor::BrightBlue).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_broken_and_short_ones_kept() {
        assert_eq!(wrap("to be or not", 5), ["to be", "or", "not"]);
        assert_eq!(wrap("abcdefg hi", 3), ["abc", "def", "g", "hi"]);
        assert_eq!(wrap("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap("", 4), Vec::<String>::new());
    }

    #[test]
    fn blanks_at_the_end_are_not_painted() {
        let mut line = Line::of("e4", Ink::Choice(1));
        line.pad_to(9);
        assert_eq!(line.width(), 9);
        assert_eq!(line.paint(false), "e4");
        assert_eq!(
            line.paint(true),
            format!("{0}e4{0:#}", Tint::new(Ink::Choice(1).style()))
        );
    }
}
