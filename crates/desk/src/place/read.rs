//! Parsing a place, without a game.

use std::str::FromStr;

use tree::PositionId;
use tree::table::Column;

use super::{Half, Place, PlaceError, PlaceStep};

impl Place {
    /// Reads a place.
    pub fn read(text: &str) -> Result<Place, PlaceError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PlaceError::Empty);
        }
        if let Ok(id) = text.strip_prefix('#').unwrap_or(text).parse() {
            return Ok(Place::Id(PositionId(id)));
        }
        if is_fen(text) {
            return Ok(Place::Fen(text.to_owned()));
        }
        read_steps(text).map(Place::Steps)
    }
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Place, PlaceError> {
        Place::read(text)
    }
}

fn is_fen(text: &str) -> bool {
    let board = text.split_whitespace().next().unwrap_or_default();
    board.matches('/').count() >= 2
}

fn read_steps(text: &str) -> Result<Vec<PlaceStep>, PlaceError> {
    let mut reader = PlaceParser::default();
    for word in text.split_whitespace() {
        reader.word(word)?;
    }
    reader.finish()
}

/// A number was read, and perhaps the side; the move is still missing.
#[derive(Clone, Copy)]
struct PendingNumber<'a> {
    word: &'a str,
    number: u32,
    column: Option<Column>,
}

impl PendingNumber<'_> {
    fn half(&self) -> Half {
        Half {
            number: self.number,
            column: self.column.unwrap_or(Column::First),
        }
    }
}

#[derive(Default)]
struct PlaceParser<'a> {
    steps: Vec<PlaceStep>,
    waiting: Option<PendingNumber<'a>>,
}

impl<'a> PlaceParser<'a> {
    fn word(&mut self, word: &'a str) -> Result<(), PlaceError> {
        if word.chars().all(is_dot) {
            self.dots(word.chars().count());
            return Ok(());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) && !is_castling(word) {
            self.numbered(word)
        } else {
            self.plain(word)
        }
    }

    /// `6.` `...`: separate dots mean that Black is to move.
    fn dots(&mut self, count: usize) {
        if let Some(waiting) = &mut self.waiting
            && count >= 2
        {
            waiting.column = Some(Column::Second);
        }
    }

    /// `6`, `6.`, `6...`, `6Wc`, `6.Bc4`, `6...b`.
    fn numbered(&mut self, word: &'a str) -> Result<(), PlaceError> {
        self.end_waiting()?;
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = word.split_at(digits);
        let number = number.parse().map_err(|_| unreadable(word))?;
        let played = rest.trim_start_matches(is_dot);
        let column = match rest[..rest.len() - played.len()].chars().map(dots_in).sum() {
            0usize => None,
            1 => Some(Column::First),
            _ => Some(Column::Second),
        };
        self.waiting = Some(PendingNumber {
            word,
            number,
            column,
        });
        match (column, played) {
            (_, "") => Ok(()),
            (None, played) => self.coloured(played),
            (Some(_), played) => self.plain(played),
        }
    }

    /// The text after a number without a dot: `Wc` in `6Wc`, but `Bc4` in `6Bc4`.
    fn coloured(&mut self, text: &'a str) -> Result<(), PlaceError> {
        let (first, label) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        match (column_of(first), &mut self.waiting) {
            (Some(column), Some(waiting)) if is_letters(label) => {
                waiting.column = Some(column);
                match label {
                    "" => Ok(()),
                    label => self.plain(label),
                }
            }
            _ => self.plain(text),
        }
    }

    /// A colour, a label or a move.
    fn plain(&mut self, word: &'a str) -> Result<(), PlaceError> {
        let step = match self.waiting {
            Some(ref mut waiting) if waiting.column.is_none() && column_of(word).is_some() => {
                waiting.column = column_of(word);
                return Ok(());
            }
            Some(waiting) if waiting.column.is_some() && is_letters(word) => {
                PlaceStep::Alternative(waiting.half(), word.to_ascii_lowercase())
            }
            _ if is_letters(word) => return Err(unreadable(word)),
            Some(waiting) => PlaceStep::At(waiting.half(), without_suffix(word)),
            None => PlaceStep::Move(without_suffix(word)),
        };
        self.waiting = None;
        self.steps.push(step);
        Ok(())
    }

    /// `6W` means the move of the line; a number alone among other steps is invalid.
    fn end_waiting(&mut self) -> Result<(), PlaceError> {
        match self.waiting.take() {
            None => Ok(()),
            Some(waiting) if waiting.column.is_none() => Err(unreadable(waiting.word)),
            Some(waiting) => {
                self.steps.push(PlaceStep::Main(waiting.half()));
                Ok(())
            }
        }
    }

    fn finish(mut self) -> Result<Vec<PlaceStep>, PlaceError> {
        self.end_waiting()?;
        Ok(self.steps)
    }
}

fn unreadable(word: &str) -> PlaceError {
    PlaceError::Unreadable {
        word: word.to_owned(),
    }
}

fn is_dot(c: char) -> bool {
    dots_in(c) > 0
}

fn dots_in(c: char) -> usize {
    match c {
        '.' => 1,
        '…' => 3,
        _ => 0,
    }
}

fn is_letters(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphabetic())
}

fn is_castling(word: &str) -> bool {
    word.starts_with("0-0")
}

fn column_of(word: &str) -> Option<Column> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "w" | "white" => Some(Column::First),
        "b" | "black" => Some(Column::Second),
        _ => None,
    }
}

/// The move without suffixes such as `!` and `?`.
fn without_suffix(word: &str) -> String {
    word.trim_end_matches(['!', '?']).to_owned()
}
