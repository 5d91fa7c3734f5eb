//! Text in aligned columns.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::printer::printable_line;
use crate::shell::Theme;

/// Which side of a column its values are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Writes rows under a heading, each column as wide as its widest value, at most `widest`.
pub fn write_columns(
    out: &mut impl Write,
    theme: &Theme,
    heads: &[(&str, Align)],
    rows: &[Vec<String>],
    widest: usize,
) -> io::Result<()> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|text| cut(text, widest)).collect())
        .collect();
    let width = |at: usize| {
        let values = rows
            .iter()
            .filter_map(|row| row.get(at))
            .map(|text| text.width());
        values.chain([heads[at].0.width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let Theme { bold, .. } = theme;
    let line = |cells: &[&str]| {
        let cells = cells.iter().zip(&widths).zip(heads);
        let cells = cells.map(|((text, width), (_, align))| padded(text, *width, *align));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    let names: Vec<&str> = heads.iter().map(|(name, _)| *name).collect();
    writeln!(out, "{bold}{}{bold:#}", line(&names))?;
    for row in &rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        writeln!(out, "{}", line(&cells))?;
    }
    Ok(())
}

fn padded(text: &str, width: usize, align: Align) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    match align {
        Align::Left => format!("{text}{space}"),
        Align::Right => format!("{space}{text}"),
    }
}

/// The text on one line, with a mark where it was cut.
fn cut(text: &str, widest: usize) -> String {
    let text = printable_line(text);
    if text.width() <= widest {
        return text.into_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + 2 > widest {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}
