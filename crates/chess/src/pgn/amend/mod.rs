//! Writing a changed game over the text it was read from: what did not change keeps its bytes.
//!
//! The old text is read again together with the place of each of its parts ([`trace`]). Nodes of
//! both games with the same moves from the start are the same node. Then the changed game is written
//! in text order: from the old text where a part is found there, in the style of that text where it
//! is new. The blanks between two parts are the old ones if these parts were neighbours before.

mod blanks;
mod gaps;
mod item;
mod line;
mod page;
mod pairs;
mod style;

use super::build::trace;
use super::game::Game;
use super::read::read_game;
use super::split::split;
use super::write::{ExportOptions, export};
use line::Printer;

/// The text of `game` with as few changes as possible to `old`, the text of the same game before it
/// was changed. `None` if that text would not be read as this game.
///
/// ```
/// use gametree_chess::pgn::{amend, read_game};
///
/// let old = "1.e4   e5\n2.Nf3 {odd   layout} *\n";
/// let mut game = read_game(old.as_bytes()).unwrap();
/// let end = game.end().id();
/// game.add_san(end, "Nc6").unwrap();
/// let new = amend(&game, old).unwrap();
/// assert_eq!(new, "1.e4   e5\n2.Nf3 {odd   layout} 2...Nc6 *\n");
/// ```
pub fn amend(game: &Game, old: &str) -> Option<String> {
    let trace = trace(old)?;
    let new = Printer::new(game, &trace, old).print();
    is_text_of(&new, game).then_some(new)
}

/// True if the text is read as one game, this one.
fn is_text_of(text: &str, game: &Game) -> bool {
    if split(text.as_bytes()).nth(1).is_some() {
        return false;
    }
    let Some(again) = read_game(text.as_bytes()) else {
        return false;
    };
    let same_head = again.outcome() == game.outcome()
        && again.start() == game.start()
        && again.tags().eq(game.tags());
    same_head && (again.nodes_eq(game) || again.nodes_eq(&normalised(game)))
}

/// The game as it is read from its normal form. Some edits leave notes after more alternatives than
/// there are.
fn normalised(game: &Game) -> Game {
    let text = export(game, &ExportOptions::default().roster(false));
    read_game(text.as_bytes()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
