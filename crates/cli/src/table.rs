//! The variations table on a terminal of any width from 60 columns.
//!
//! ```text
//!      White       Black        alternatives (and lines below)
//!    1 e4 277      ...          a d4 293    b c4 65     c Nf3 1
//!    1 ...         c5 70        a …e5 105   b …e6 85
//! ```

use desk::NodeId;
use desk::table::{Cell, Row, label};
use desk::walk::Walk;

use crate::ink::{Ink, Line, width};
use kit::number::grouped;

/// The narrowest terminal for which the table is made.
pub const NARROWEST: usize = 60;

/// Columns before White's move: the sign of the current row is in the moves' own column.
const NUMBER: usize = 5;

/// How the columns are spread over the terminal's width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// For each of the two moves.
    main: usize,
    /// For an alternative; a long one takes two.
    slot: usize,
    /// Number of alternatives per line.
    slots: usize,
}

impl Layout {
    /// The longest move with its marks, `exd8=Q+!?" =`, the sign before it and a blank after it.
    const MAIN: usize = 13;

    /// The layout for a terminal of this many columns.
    pub fn new(columns: usize) -> Layout {
        let main = match columns.max(NARROWEST) {
            ..80 => Self::MAIN - 1,
            _ => Self::MAIN,
        };
        Layout::with_moves(columns, main)
    }

    /// The layout with this many columns for each of the two moves, if there is room.
    pub fn with_moves(columns: usize, main: usize) -> Layout {
        let columns = columns.max(NARROWEST);
        let main = main.min(columns / 3);
        let rest = columns - NUMBER - 2 * main;
        let slots = (rest / 11).max(1);
        Layout {
            main,
            slot: (rest / slots).min(15),
            slots,
        }
    }

    /// Number of alternatives per line.
    pub fn slots(&self) -> usize {
        self.slots
    }

    fn first(&self) -> usize {
        NUMBER
    }

    fn second(&self) -> usize {
        NUMBER + self.main
    }

    fn alternatives(&self) -> usize {
        NUMBER + 2 * self.main
    }

    /// The heading.
    pub fn head(&self) -> Line {
        self.head_of(["White", "Black"])
    }

    /// The same for players of any game.
    pub fn head_of(&self, players: [&str; 2]) -> Line {
        let mut line = Line::default();
        line.pad_to(self.first() + 1);
        line.push(players[0], Ink::Head);
        line.pad_to(self.second() + 1);
        line.push(players[1], Ink::Head);
        line.pad_to(self.alternatives());
        line.push("alternatives", Ink::Head);
        line.push(" (and lines below)", Ink::Faint);
        line
    }

    /// One row, in as many lines as its alternatives need.
    pub fn row(&self, row: &Row, current: NodeId) -> Vec<Line> {
        let mut lines = vec![self.moves(row, current)];
        let dots = match row.second {
            Some(_) => "…",
            None => "",
        };
        let mut slot = 0;
        for (index, other) in row.alternatives.iter().enumerate() {
            let cell = alternative(&label(index), dots, other);
            self.place(&mut lines, &mut slot, cell);
        }
        if row.more > 0 {
            let more = Line::of(format!("and {} more", grouped(row.more as u64)), Ink::Faint);
            self.place(&mut lines, &mut slot, more);
        }
        lines.extend(self.result(row));
        lines
    }

    /// The result of the game, below its last move.
    fn result(&self, row: &Row) -> Option<Line> {
        let last = row.second.as_ref().or(row.first.as_ref())?;
        let mut line = Line::default();
        line.pad_to(self.first() + 1);
        line.push(&last.caption.result, Ink::Head);
        (!last.caption.result.is_empty()).then_some(line)
    }

    fn moves(&self, row: &Row, current: NodeId) -> Line {
        let mut line = Line::default();
        line.push(format!("{:>4} ", row.number), Ink::Faint);
        let branching = !row.alternatives.is_empty() || row.more > 0;
        let counted = |is_last: bool| branching && is_last;
        self.main(
            &mut line,
            &row.first,
            current,
            counted(row.second.is_none()),
        );
        line.pad_to(self.second());
        let has_ended = row.first.as_ref().is_some_and(|cell| cell.ends);
        if !has_ended {
            self.main(&mut line, &row.second, current, counted(true));
        }
        line.pad_to(self.alternatives());
        line
    }

    /// One of the two moves; `·` if it ends the line, or else its number of lines where it has
    /// alternatives to compare it with.
    fn main(&self, line: &mut Line, cell: &Option<Cell>, current: NodeId, counted: bool) {
        let Some(cell) = cell else {
            return line.push(" ...", Ink::Faint);
        };
        let is_current = cell.node == current;
        let (sign, ink) = if is_current {
            (">", Ink::CurrentMove(cell.choice))
        } else {
            (" ", Ink::Choice(cell.choice))
        };
        let name = name(cell);
        let mut free = self.main.saturating_sub(2 + width(&name));
        let mut push_if_room = |line: &mut Line, text: String| {
            if let Some(rest) = free.checked_sub(width(&text)) {
                free = rest;
                line.push_node(text, Ink::Faint, Some(cell.node));
            }
        };
        line.push_node(sign, Ink::Plain, Some(cell.node));
        line.push_node(&name, ink, Some(cell.node));
        push_if_room(line, written_in(cell));
        let count = format!(" {}", below(cell));
        if cell.ends {
            line.push_node(count, Ink::Faint, Some(cell.node));
        } else if counted {
            push_if_room(line, count);
        }
    }

    /// Puts an alternative into the next free slot, or the next line.
    fn place(&self, lines: &mut Vec<Line>, slot: &mut usize, cell: Line) {
        let wanted = (cell.width() + 1).div_ceil(self.slot).min(self.slots);
        if *slot + wanted > self.slots {
            lines.push(Line::default());
            *slot = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.pad_to(self.alternatives() + *slot * self.slot);
            line.spans.extend(cell.spans);
        }
        *slot += wanted;
    }
}

fn alternative(label: &str, dots: &str, cell: &Cell) -> Line {
    let mut line = Line::default();
    let node = Some(cell.node);
    line.push_node(format!("{label} "), Ink::Faint, node);
    line.push_node(
        format!("{dots}{}", name(cell)),
        Ink::Choice(cell.choice),
        node,
    );
    line.push_node(written_in(cell), Ink::Faint, node);
    let mark = if cell.caption.matches_below { "*" } else { "" };
    line.push_node(format!(" {}{mark}", below(cell)), Ink::Faint, node);
    line
}

/// The number of lines through a move, or `·` if it ends its line.
fn below(cell: &Cell) -> String {
    if cell.ends {
        "·".to_owned()
    } else {
        grouped(cell.lines.into())
    }
}

/// The move with its glyphs and marks: `*` matches the query, `"` has a comment, ` =` is reached by
/// another path too. The blank distinguishes it from the glyph of an equal position.
fn name(cell: &Cell) -> String {
    let caption = &cell.caption;
    let mark = |is: bool, mark| if is { mark } else { "" };
    format!(
        "{}{}{}{}{}",
        caption.text,
        caption.glyphs,
        mark(caption.matches, "*"),
        mark(caption.comment, "\""),
        mark(caption.transposes, " ="),
    )
}

/// ` [1,2]`: the games in which the move is written, in positions mode.
fn written_in(cell: &Cell) -> String {
    match cell.caption.written_in.as_str() {
        "" => String::new(),
        games => format!(" [{games}]"),
    }
}

/// The other paths to the current position, as lines to print.
pub fn other_paths(walk: &Walk) -> impl Iterator<Item = String> {
    const MOST: usize = 20;
    let (paths, more) = walk.other_paths(walk.at(), MOST);
    let more = (more > 0).then(|| format!("= and {} more paths", grouped(more as u64)));
    let paths = paths.into_iter().map(|path| format!("= {path}"));
    paths.chain(more)
}
