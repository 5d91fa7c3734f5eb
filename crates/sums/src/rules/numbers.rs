//! Numbers as positions: their text, their moves, and their nim values in impartial play.

use super::{Complaint, Flow, Move, MoveVisitor};
use crate::value::{Dyadic, Player};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Writes a position, which is the number's text.
pub(crate) fn print(position: &[u8]) -> String {
    String::from_utf8_lossy(position).into_owned()
}

/// Visits the only move of a player, if there is one.
pub(crate) fn visit_move(position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
    if let Some(next) = option(&read(position), player) {
        visit(Move(0), next.to_string().as_bytes())?;
    }
    ControlFlow::Continue(())
}

/// The number with the other sign.
pub(crate) fn negative(position: &[u8]) -> Vec<u8> {
    (-read(position)).to_string().into_bytes()
}

/// The number of a position.
pub(crate) fn read(position: &[u8]) -> Dyadic {
    let text = String::from_utf8_lossy(position);
    parse_number(&text, 0).unwrap_or(Dyadic::ZERO)
}

/// The option of a player in a number.
pub(crate) fn option(number: &Dyadic, player: Player) -> Option<Dyadic> {
    let blocked = match player {
        Player::Left => Ordering::Greater,
        Player::Right => Ordering::Less,
    };
    if number.is_integer() && number.sign() != blocked {
        return None;
    }
    let step = Dyadic::from_big(BigInt::from(1), number.exponent());
    Some(if player == Player::Left {
        number - &step
    } else {
        number + &step
    })
}

/// The nim value when both players may make both moves.
///
/// An integer is a sequence of forced moves. A fraction has two options, of which exactly one has
/// the next smaller denominator; the depth is the number of bits of the denominator, and the
/// computation follows a path, not a tree.
pub(crate) fn nim_value(number: &Dyadic) -> Option<u64> {
    /// Numbers with more bits are not evaluated.
    const MOST_BITS: u64 = 4096;
    if number.exponent() > MOST_BITS {
        return None;
    }
    Some(neighbours_nim_value(number))
}

/// By induction on the denominator, together with the values of the options.
fn neighbours_nim_value(number: &Dyadic) -> u64 {
    if number.is_integer() {
        return u64::from(number.numerator().bit(0));
    }
    // Every fraction with denominator 2^e has one option with denominator 2^(e-1) and one simpler.
    // Few values are needed: those of numbers within one step of the truncations of this number.
    let mut known: std::collections::HashMap<Dyadic, u64> = std::collections::HashMap::new();
    let mut open = vec![number.clone()];
    while let Some(top) = open.last().cloned() {
        let mut seen = [false; 3];
        let mut missing = None;
        for player in Player::BOTH {
            let Some(next) = option(&top, player) else {
                continue;
            };
            let value = if next.is_integer() {
                Some(u64::from(next.numerator().bit(0)))
            } else {
                known.get(&next).copied()
            };
            match value {
                Some(value) => seen[value as usize] = true,
                None => missing = Some(next),
            }
        }
        match missing {
            Some(next) => open.push(next),
            None => {
                let mex = seen.iter().position(|&seen| !seen).unwrap_or(2);
                known.insert(top, mex as u64);
                open.pop();
            }
        }
    }
    known.get(number).copied().unwrap_or(0)
}

/// Reads `p` or `p/q` where `q` is a power of two.
pub(crate) fn parse_number(text: &str, shift: usize) -> Result<Dyadic, Complaint> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let numerator = parse_integer(top, shift)?;
    let denominator = parse_integer(bottom, shift + top.len() + 1)?;
    Dyadic::ratio(&numerator, &denominator).ok_or_else(|| {
        let span = shift..shift + text.len();
        Complaint::new(
            span,
            format!(
                "'{}' is not a dyadic fraction: the denominator must be a power of two",
                text.trim()
            ),
        )
    })
}

/// The maximum number of digits: reading and writing take quadratic time.
const MOST_DIGITS: usize = 20_000;

/// Reads an integer of at most [`MOST_DIGITS`] digits.
pub(crate) fn parse_integer(text: &str, shift: usize) -> Result<BigInt, Complaint> {
    let word = text.trim();
    let start = shift + text.len() - text.trim_start().len();
    let span = start..start + word.len();
    if word.len() > MOST_DIGITS {
        return Err(Complaint::new(span, "this number has too many digits"));
    }
    word.parse()
        .map_err(|_| Complaint::new(span, format!("'{word}' is not an integer")))
}
