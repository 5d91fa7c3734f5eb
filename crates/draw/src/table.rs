//! The variations table as a picture: one line in two columns, with its alternatives.

use gametree_tree::table::{Cell, Row, label};

use crate::board::paper;
use crate::font;
use crate::ink::Ink;
use crate::scene::{Anchor, Layer, Look, Mark, Scene, Shape, Words};
use crate::text::shortened;

/// The words around a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableHeading {
    /// The title above the table.
    pub title: String,
    /// The names of the players: the heads of the two columns of moves.
    pub players: [String; 2],
}

/// The font size.
const LETTERS: f64 = 14.0;
/// The height of a line.
const LINE: f64 = 24.0;
/// The margin around the table.
const MARGIN: f64 = 14.0;
/// The column of numbers.
const NUMBERS: f64 = 40.0;
/// The space between columns and between alternatives.
const GAP: f64 = 20.0;
/// The space between words.
const BLANK: f64 = 5.0;
/// The width of the lines of alternatives.
const ALTERNATIVES: f64 = 520.0;
/// Longer words are shortened.
const LONGEST: usize = 60;

/// Words of one colour.
struct Span {
    text: String,
    ink: Ink,
    bold: bool,
    /// The space before it.
    space: f64,
}

impl Span {
    fn new(text: impl Into<String>, ink: Ink) -> Span {
        Span {
            text: text.into(),
            ink,
            bold: false,
            space: 0.0,
        }
    }

    /// The same after a blank. A blank in the text would be lost: SVG trims it.
    fn spaced(self) -> Span {
        Span {
            space: BLANK,
            ..self
        }
    }

    fn bold(self) -> Span {
        Span { bold: true, ..self }
    }

    fn width(&self) -> f64 {
        self.space + font::width(&self.text, LETTERS, self.bold)
    }
}

/// A row in words: its moves, and its alternatives in lines.
struct Entry {
    number: Vec<Span>,
    moves: [Vec<Span>; 2],
    alternatives: Vec<Vec<Vec<Span>>>,
    result: String,
}

impl Entry {
    fn of(row: &Row) -> Entry {
        let branches = !row.alternatives.is_empty() || row.more > 0;
        let has_ended = row.first.as_ref().is_some_and(|cell| cell.ends);
        let second = match &row.second {
            None if has_ended => Vec::new(),
            second => moved(second.as_ref(), branches),
        };
        let last = row.second.as_ref().or(row.first.as_ref());
        Entry {
            number: vec![Span::new(row.number.to_string(), Ink::Faint)],
            moves: [
                moved(row.first.as_ref(), branches && row.second.is_none()),
                second,
            ],
            alternatives: in_lines(alternatives(row)),
            result: last.map_or_else(String::new, |cell| cell.caption.result.clone()),
        }
    }

    fn lines(&self) -> usize {
        self.alternatives.len().max(1) + usize::from(!self.result.is_empty())
    }
}

/// A move of the displayed line, with its number of lines where it has alternatives.
fn moved(cell: Option<&Cell>, counted: bool) -> Vec<Span> {
    let Some(cell) = cell else {
        return vec![Span::new("…", Ink::Faint)];
    };
    let mut spans = name(cell, "");
    spans[0].bold = true;
    if counted || cell.ends {
        spans.push(below(cell));
    }
    spans
}

/// The move and its marks.
fn name(cell: &Cell, dots: &str) -> Vec<Span> {
    let caption = &cell.caption;
    let ink = if caption.matches {
        Ink::Marked
    } else {
        Ink::Text
    };
    let text = format!("{dots}{}{}", caption.text, caption.glyphs);
    let mut spans = vec![Span::new(shortened(&text, LONGEST), ink)];
    if caption.comment {
        spans.push(Span::new("•", Ink::Comment));
    }
    if caption.transposes {
        spans.push(Span::new("=", Ink::Transposition(0)).spaced());
    }
    if !caption.written_in.is_empty() {
        spans.push(Span::new(format!("[{}]", caption.written_in), Ink::Faint).spaced());
    }
    spans
}

/// The number of lines through a move, or a dot if it ends its line.
fn below(cell: &Cell) -> Span {
    let text = if cell.ends {
        "·".to_owned()
    } else {
        cell.lines.to_string()
    };
    let ink = if cell.caption.matches_below {
        Ink::Marked
    } else {
        Ink::Faint
    };
    Span::new(text, ink).spaced()
}

fn alternatives(row: &Row) -> Vec<Vec<Span>> {
    let dots = if row.second.is_some() { "…" } else { "" };
    let cells = row.alternatives.iter().enumerate().map(|(index, cell)| {
        let mut spans = vec![Span::new(label(index), Ink::Faint)];
        let mut name = name(cell, dots);
        name[0].space = BLANK;
        spans.extend(name);
        spans.push(below(cell));
        spans
    });
    let more =
        (row.more > 0).then(|| vec![Span::new(format!("and {} more", row.more), Ink::Faint)]);
    cells.chain(more).collect()
}

/// The alternatives, as many on each line as there is room for.
fn in_lines(cells: Vec<Vec<Span>>) -> Vec<Vec<Vec<Span>>> {
    let mut lines: Vec<Vec<Vec<Span>>> = Vec::new();
    let mut used = f64::INFINITY;
    for cell in cells {
        let needed = width(&cell) + GAP;
        if used + needed > ALTERNATIVES + GAP {
            lines.push(Vec::new());
            used = 0.0;
        }
        used += needed;
        if let Some(line) = lines.last_mut() {
            line.push(cell);
        }
    }
    lines
}

fn width(spans: &[Span]) -> f64 {
    spans.iter().map(Span::width).sum()
}

/// The table as a picture.
pub fn scene(rows: &[Row], heading: &TableHeading) -> Scene {
    let entries: Vec<Entry> = rows.iter().map(Entry::of).collect();
    let layout = Layout::of(&entries, heading);
    let mut drawing = Drawing::default();
    let mut y = MARGIN;
    if !heading.title.is_empty() {
        let title = vec![Span::new(shortened(&heading.title, 2 * LONGEST), Ink::Text).bold()];
        drawing.put(&title, MARGIN, y);
        y += LINE + 4.0;
    }
    drawing.put_head(&layout, heading, y);
    y += LINE;
    for (index, entry) in entries.iter().enumerate() {
        let height = LINE * entry.lines() as f64;
        if index % 2 == 0 {
            drawing.shade(y, layout.width, height);
        }
        drawing.put_entry(&layout, entry, y);
        y += height;
    }
    let (width, height) = (layout.width, y + MARGIN);
    Scene {
        title: heading.title.clone(),
        width,
        height,
        stamps: Vec::new(),
        layers: vec![
            Layer {
                name: "paper",
                marks: [vec![paper(width, height)], drawing.shades].concat(),
            },
            Layer {
                name: "moves",
                marks: drawing.words,
            },
        ],
    }
}

/// Where the columns begin.
struct Layout {
    first: f64,
    second: f64,
    alternatives: f64,
    width: f64,
}

impl Layout {
    fn of(entries: &[Entry], heading: &TableHeading) -> Layout {
        let column = |index: usize| {
            let head = width(&head(&heading.players[index]));
            let moves = entries.iter().map(|entry| width(&entry.moves[index]));
            moves.fold(head, f64::max) + GAP
        };
        let first = MARGIN + NUMBERS;
        let second = first + column(0);
        let alternatives = second + column(1);
        let title = font::width(&heading.title, LETTERS, true) + 2.0 * MARGIN;
        let lines = entries.iter().flat_map(|entry| &entry.alternatives);
        let longest = lines.map(|line| line.iter().map(|cell| width(cell) + GAP).sum::<f64>());
        let longest = longest.fold(width(&last_head()), f64::max);
        Layout {
            first,
            second,
            alternatives,
            width: (alternatives + longest + MARGIN).max(title.min(alternatives + ALTERNATIVES)),
        }
    }
}

fn head(name: &str) -> Vec<Span> {
    vec![Span::new(shortened(name, LONGEST), Ink::Faint).bold()]
}

fn last_head() -> Vec<Span> {
    vec![
        Span::new("Alternatives", Ink::Faint).bold(),
        Span::new("(and lines below)", Ink::Faint).spaced(),
    ]
}

/// Marks, the shades of rows apart from the words on them.
#[derive(Default)]
struct Drawing {
    shades: Vec<Mark>,
    words: Vec<Mark>,
}

impl Drawing {
    fn put_head(&mut self, layout: &Layout, heading: &TableHeading, y: f64) {
        self.put(&head(&heading.players[0]), layout.first, y);
        self.put(&head(&heading.players[1]), layout.second, y);
        self.put(&last_head(), layout.alternatives, y);
    }

    fn put_entry(&mut self, layout: &Layout, entry: &Entry, y: f64) {
        let number_end = layout.first - GAP / 2.0;
        self.put(&entry.number, number_end - width(&entry.number), y);
        self.put(&entry.moves[0], layout.first, y);
        self.put(&entry.moves[1], layout.second, y);
        for (line, cells) in entry.alternatives.iter().enumerate() {
            let mut x = layout.alternatives;
            for cell in cells {
                self.put(cell, x, y + LINE * line as f64);
                x += width(cell) + GAP;
            }
        }
        let result = [Span::new(entry.result.clone(), Ink::Text).bold()];
        if !entry.result.is_empty() {
            let below = LINE * (entry.lines() - 1) as f64;
            self.put(&result, layout.first, y + below);
        }
    }

    /// Words from left to right in a line with this upper edge.
    fn put(&mut self, spans: &[Span], x: f64, y: f64) {
        let mut x = x;
        for span in spans {
            self.words.push(Mark::Words(Words {
                x: x + span.space,
                y: y + LINE / 2.0 + LETTERS * 0.36,
                anchor: Anchor::Start,
                size: LETTERS,
                bold: span.bold,
                ink: span.ink,
                text: span.text.clone(),
                note: None,
            }));
            x += span.width();
        }
    }

    fn shade(&mut self, y: f64, width: f64, height: f64) {
        let band = Shape::Rect {
            x: MARGIN / 2.0,
            y,
            width: width - MARGIN,
            height,
            round: 3.0,
        };
        self.shades.push(Mark::Shape(band, Look::filled(Ink::Fold)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gametree_tree::NodeId;
    use gametree_tree::table::Caption;

    fn cell(text: &str) -> Cell {
        Cell {
            node: NodeId(1),
            choice: 0,
            lines: 3,
            ends: false,
            caption: Caption {
                text: text.to_owned(),
                ..Caption::default()
            },
        }
    }

    fn row(alternatives: usize) -> Row {
        Row {
            number: 1,
            first: Some(cell("e4")),
            second: None,
            alternatives: vec![cell("Nxf3+"); alternatives],
            more: 0,
        }
    }

    #[test]
    fn all_words_are_inside_the_picture() {
        for alternatives in [0, 1, 9, 200] {
            let scene = scene(&[row(alternatives), row(0)], &TableHeading::default());
            let words = scene.layers.iter().flat_map(|layer| &layer.marks);
            for mark in words {
                if let Mark::Words(words) = mark {
                    let end = words.x + font::width(&words.text, words.size, words.bold);
                    assert!(words.x >= 0.0 && end <= scene.width, "{words:?}");
                    assert!(words.y <= scene.height, "{words:?}");
                }
            }
        }
    }

    #[test]
    fn a_row_is_as_high_as_its_alternatives() {
        let height = |n| scene(&[row(n)], &TableHeading::default()).height;
        assert_eq!(height(0), height(3));
        assert!(height(100) > height(3) + 5.0 * LINE);
    }
}
