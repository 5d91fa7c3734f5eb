//! The list of games as lines: its columns and their widths.

use desk::game_list::{Column, Entry, GameList, Order};
use desk::session::Session;

use crate::ink::{Ink, Line, width};
use crate::printer::printable_line;

/// The lines of some games.
pub fn lines(list: &mut GameList, session: &Session, games: &[usize], columns: usize) -> Vec<Line> {
    let layout = Layout::new(columns);
    let line = |&game: &usize| {
        let sign = if game == session.game() { ">" } else { " " };
        let entry = if layout.opening > 0 {
            list.described(session, game)
        } else {
            list.counted(session, game)
        };
        layout.line(sign, game + 1, entry)
    };
    games.iter().map(line).collect()
}

/// The heading of a column.
fn name(column: Column) -> &'static str {
    match column {
        Column::Number => "#",
        Column::White => "White",
        Column::Black => "Black",
        Column::Result => "Result",
        Column::Ratings => "Ratings",
        Column::Date => "Date",
        Column::Opening => "Opening",
        Column::Moves => "Moves",
    }
}

fn ratings(entry: &Entry) -> String {
    let text = |rating: u32| match rating {
        0 => "–".to_owned(),
        rating => rating.to_string(),
    };
    match entry.ratings {
        [0, 0] => String::new(),
        [white, black] => format!("{:>4} {:>4}", text(white), text(black)),
    }
}

fn moves(entry: &Entry) -> String {
    match entry.moves() {
        0 => String::new(),
        moves => moves.to_string(),
    }
}

/// The widths of the columns; 0 for those that have no room.
struct Layout {
    name: usize,
    ratings: usize,
    date: usize,
    opening: usize,
}

impl Layout {
    /// The sign and the number.
    const NUMBER: usize = 8;
    /// Result and moves.
    const FIXED: usize = 8 + 6;

    fn new(columns: usize) -> Layout {
        let date = if columns >= 64 { 11 } else { 0 };
        let ratings = if columns >= 84 { 10 } else { 0 };
        let rest = columns.saturating_sub(Self::NUMBER + Self::FIXED + date + ratings);
        let opening = if columns >= 100 { rest / 3 } else { 0 };
        Layout {
            name: ((rest - opening) / 2).max(8),
            ratings,
            date,
            opening,
        }
    }

    /// The heading, with a sign at the column that the games are sorted by.
    fn head(&self, order: Order) -> Line {
        let mut line = Line::default();
        let mut at = 0;
        for (column, width) in self.columns() {
            let sign = match (order.column == column, order.is_reversed) {
                (false, _) => "",
                (true, false) => "↑",
                (true, true) => "↓",
            };
            let name = format!("{}{sign}", name(column));
            let ink = if sign.is_empty() {
                Ink::Faint
            } else {
                Ink::Head
            };
            self.put(&mut line, &mut at, width, column, &name, ink);
        }
        line
    }

    fn line(&self, sign: &str, number: usize, entry: &Entry) -> Line {
        let mut line = Line::default();
        let mut at = 0;
        let is_chapter = entry.white.is_empty() && entry.black.is_empty();
        for (column, width) in self.columns() {
            let (text, width) = match column {
                Column::Number => (format!("{sign}{number:>6}"), width),
                // A chapter has a name instead of players.
                Column::White if is_chapter => (entry.event.clone(), 2 * width),
                Column::Black if is_chapter => continue,
                Column::White => (entry.white.clone(), width),
                Column::Black => (entry.black.clone(), width),
                Column::Result => (entry.result.clone(), width),
                Column::Ratings => (ratings(entry), width),
                Column::Date => (entry.date.clone(), width),
                Column::Opening => (entry.opening().to_owned(), width),
                Column::Moves => (format!("{:>5}", moves(entry)), width),
            };
            self.put(&mut line, &mut at, width, column, &text, Ink::Plain);
        }
        line
    }

    fn columns(&self) -> impl Iterator<Item = (Column, usize)> {
        let width = |column| match column {
            Column::Number => Self::NUMBER,
            Column::White | Column::Black => self.name,
            Column::Result => 8,
            Column::Ratings => self.ratings,
            Column::Date => self.date,
            Column::Opening => self.opening,
            Column::Moves => 6,
        };
        let columns = Column::ALL.map(|column| (column, width(column)));
        columns.into_iter().filter(|&(_, width)| width > 0)
    }

    /// Writes a text into its column, with a blank after it.
    fn put(
        &self,
        line: &mut Line,
        at: &mut usize,
        room: usize,
        column: Column,
        text: &str,
        ink: Ink,
    ) {
        let text = match (column, ink) {
            (Column::Number, Ink::Faint | Ink::Head) => format!("{text:>7}"),
            _ => cut(&printable_line(text), room.saturating_sub(1)),
        };
        line.push(text, ink);
        *at += room;
        line.pad_to(*at);
    }
}

/// The heading of the list.
pub fn head(columns: usize, order: Order) -> Line {
    Layout::new(columns).head(order)
}

/// The text, or its beginning and `…`.
fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if width(&kept) + width(c.encode_utf8(&mut [0; 4])) >= columns {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "\
[White \"Carlsen, Magnus\"]\n[Black \"Duda, Jan\"]\n[WhiteElo \"2850\"]\n[BlackElo \"2730\"]\n\
[Date \"2021.08.03\"]\n[Result \"0-1\"]\n[ECO \"C42\"]\n\n1. e4 e5 2. Nf3 Nf6 0-1\n\n\
[White \"Caruana\"]\n[Black \"Carlsen, Magnus\"]\n[Date \"2018.??.??\"]\n[Result \"1/2-1/2\"]\n\n\
1. e4 c5 (1... e5 2. f4 exf4) 1/2-1/2\n\n\
[Event \"Chapter 3\"]\n[White \"?\"]\n[Black \"?\"]\n\n1. d4 *\n";

    fn session() -> Session {
        Session::from_text("test", GAMES.as_bytes().to_vec()).expect("games")
    }

    #[test]
    fn columns_fit_at_every_width() {
        let session = session();
        for columns in [40, 60, 80, 100, 120, 200] {
            let lines = lines(&mut GameList::default(), &session, &[0, 1, 2], columns);
            let head = head(columns, Order::default());
            for line in lines.iter().chain([&head]) {
                assert!(
                    line.width() <= columns.max(38),
                    "{}: {columns}",
                    line.paint(false)
                );
            }
            assert!(lines[2].paint(false).contains("Chapter 3"));
        }
        let wide = lines(&mut GameList::default(), &session, &[0], 120);
        let wide = wide[0].paint(false);
        for part in [
            "Carlsen",
            "Duda",
            "0-1",
            "2850 2730",
            "2021.08.03",
            "C42",
            "    2",
        ] {
            assert!(wide.contains(part), "{part}: {wide}");
        }
    }
}
