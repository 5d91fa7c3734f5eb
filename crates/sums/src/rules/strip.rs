//! Strips: boards of one row, stored as their letters.

use super::{Complaint, LARGEST_BOARD, Move};
use crate::value::Player;

/// Reads a strip of the given letters; lower case is accepted.
pub(crate) fn parse(text: &str, letters: &str) -> Result<Vec<u8>, Complaint> {
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    if trimmed.len() > LARGEST_BOARD {
        return Err(Complaint::new(
            0..text.len(),
            format!(
                "board too large: {} cells, at most {LARGEST_BOARD} are allowed",
                trimmed.len()
            ),
        ));
    }
    trimmed
        .char_indices()
        .map(|(at, letter)| {
            let capital = letter.to_ascii_uppercase();
            if letters.contains(capital) && capital.is_ascii() {
                return Ok(capital as u8);
            }
            let span = start + at..start + at + letter.len_utf8();
            Err(Complaint::new(
                span,
                format!("'{letter}' is not a cell: expected {}", list(letters)),
            ))
        })
        .collect()
}

/// The letters of a strip.
pub(crate) fn print(position: &[u8]) -> String {
    position.iter().map(|&cell| cell as char).collect()
}

/// The letters as `'.', 'X' or 'O'`.
pub(crate) fn list(letters: &str) -> String {
    let quoted: Vec<String> = letters
        .chars()
        .map(|letter| format!("'{letter}'"))
        .collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// The letters with X and O exchanged.
pub(crate) fn swap_stones(cells: &[u8]) -> Vec<u8> {
    cells.iter().map(|&cell| swapped(cell)).collect()
}

/// X for O, O for X, anything else unchanged.
pub(crate) fn swapped(cell: u8) -> u8 {
    match cell {
        b'X' => b'O',
        b'O' => b'X',
        other => other,
    }
}

/// The lesser of the strip and its mirror image.
pub(crate) fn least_mirror(position: &mut [u8]) {
    if position.iter().rev().lt(position.iter()) {
        position.reverse();
    }
}

/// Prints a step from one cell to another as `3-4`.
pub(crate) fn print_step(mv: Move) -> String {
    let [from, to, _] = mv.parts();
    format!("{}-{}", from + 1, to + 1)
}

/// The cell at a distance in the direction of a player: Left moves to the right, Right to the left.
pub(crate) fn ahead(at: usize, player: Player, distance: usize, length: usize) -> Option<usize> {
    match player {
        Player::Left => Some(at + distance).filter(|&to| to < length),
        Player::Right => at.checked_sub(distance),
    }
}
