//! Opening statistics beside the board: the moves that the games of archives played here.

use desk::archive::{OpeningGame, OpeningMove, OpeningTable};
use desk::session::Session;

use crate::ink::{Ink, Line};
use crate::score::{results, score_bar};
use kit::number::{counted, grouped};

/// Columns of a row without the bar.
const NUMBERS: usize = 36;
/// The narrowest and the widest bar.
const BAR: (usize, usize) = (4, 24);

/// The statistics of the current position.
pub fn lines(session: &Session, columns: usize) -> Vec<Line> {
    if !session.has_archives() {
        let hint = "no archive; open files with --archive NAME";
        return vec![Line::of(hint, Ink::Faint)];
    }
    match session.opening_statistics() {
        Ok(table) => table_lines(&table, columns),
        Err(error) => vec![Line::of(error.to_string(), Ink::Wrong)],
    }
}

fn table_lines(table: &OpeningTable, columns: usize) -> Vec<Line> {
    let games = counted(table.games, "game");
    let results = results(table.white, table.draws, table.black);
    let mut lines = vec![Line::of(format!("{games}{results}"), Ink::Head)];
    if let (Some(eco), Some(name)) = (table.eco, table.opening) {
        lines.push(Line::of(format!("{eco} {name}"), Ink::Plain));
    }
    if !table.moves.is_empty() {
        let head = format!(
            "{:<7}{:>9} {:>6}  {:>4} {:>4}",
            "move", "games", "share", "Elo", "last"
        );
        lines.push(Line::of(head, Ink::Faint));
    }
    let bar = columns.saturating_sub(NUMBERS).clamp(BAR.0, BAR.1);
    lines.extend(table.moves.iter().map(|m| move_line(m, bar)));
    for (title, games) in [("best", &table.best), ("latest", &table.latest)] {
        if !games.is_empty() {
            lines.push(Line::default());
            lines.push(Line::of(format!("{title} games"), Ink::Faint));
            lines.extend(games.iter().map(game_line));
        }
    }
    lines
}

fn move_line(m: &OpeningMove, bar: usize) -> Line {
    let number = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
    let mut line = Line::of(format!("{:<7}", m.san), Ink::Plain);
    let (elo, last) = (number(m.average_elo), number(m.last_year));
    let share = 100.0 * m.share;
    let numbers = format!(
        "{:>9} {share:>4.0} %  {elo:>4} {last:>4}  ",
        grouped(m.games)
    );
    line.push(numbers, Ink::Plain);
    line.push(score_bar(m, bar), Ink::Faint);
    line
}

fn game_line(game: &OpeningGame) -> Line {
    let text = format!(
        "{} {} – {}  {}",
        game.date, game.white, game.black, game.result
    );
    Line::of(text, Ink::Plain)
}
