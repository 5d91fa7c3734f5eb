//! Switches of two numbers: each player has one move, to a number.

use super::numbers::{nim_value, option, parse_number};
use super::{Complaint, Flow, Move, MoveVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Dyadic, Nus, Player, Switch};
use std::ops::ControlFlow;

/// The ruleset `switch_game`: a position is `left|right`, or a number after the first move.
pub struct SwitchGame;

impl Ruleset for SwitchGame {
    fn name(&self) -> &'static str {
        "switch_game"
    }

    fn summary(&self) -> &'static str {
        "two fractions, such as (3, -1/2): Left can move to the first, Right to the second"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let numbers = parse_numbers(text)?;
        let [left, right] = &numbers[..] else {
            let message = format!("a switch has two numbers, found {}", numbers.len());
            return Err(Complaint::new(0..text.len(), message));
        };
        Ok(format!("{left}|{right}").into_bytes())
    }

    fn print(&self, position: &[u8]) -> String {
        String::from_utf8_lossy(position).replace('|', ", ")
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let next = match read(position) {
            Stage::Open(switch) => Some(if player == Player::Left {
                switch.left
            } else {
                switch.right
            }),
            Stage::Number(number) => option(&number, player),
        };
        if let Some(next) = next {
            visit(Move(0), next.to_string().as_bytes())?;
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, position: &[u8], player: Player, _mv: Move) -> String {
        let text = match (read(position), player) {
            (Stage::Open(_), Player::Left) => "SWITCH_L",
            (Stage::Open(_), Player::Right) => "SWITCH_R",
            (Stage::Number(_), Player::Left) => "DEC",
            (Stage::Number(_), Player::Right) => "INC",
        };
        text.into()
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        match read(position) {
            Stage::Open(switch) => format!("{}|{}", -switch.right, -switch.left).into_bytes(),
            Stage::Number(number) => (-number).to_string().into_bytes(),
        }
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        match read(position) {
            Stage::Open(switch) => switch.to_nus(),
            Stage::Number(number) => Some(Nus::number(number)),
        }
    }

    fn known_nim_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        match read(position) {
            Stage::Number(number) => nim_value(&number),
            Stage::Open(switch) => {
                let options = [nim_value(&switch.left)?, nim_value(&switch.right)?];
                (0..).find(|value| !options.contains(value))
            }
        }
    }

    fn size(&self, _position: &[u8]) -> usize {
        1
    }
}

/// A position before or after the first move.
enum Stage {
    Open(Switch),
    Number(Dyadic),
}

fn read(position: &[u8]) -> Stage {
    let text = String::from_utf8_lossy(position);
    let number = |text: &str| parse_number(text, 0).unwrap_or(Dyadic::ZERO);
    match text.split_once('|') {
        Some((left, right)) => Stage::Open(Switch::new(number(left), number(right))),
        None => Stage::Number(number(&text)),
    }
}

/// Numbers separated by blanks or one comma.
fn parse_numbers(text: &str) -> Result<Vec<Dyadic>, Complaint> {
    let tight = join_slashes(text);
    let mut numbers = Vec::new();
    let mut at = 0;
    let mut comma_open = false;
    for field in tight.split(',') {
        let mut word_at = at;
        let before = numbers.len();
        for word in field.split(char::is_whitespace) {
            if !word.is_empty() {
                numbers.push(parse_number(word, word_at)?);
            }
            word_at += word.len() + 1;
        }
        if numbers.len() == before && (comma_open || tight.contains(',')) {
            return Err(Complaint::new(
                at.min(text.len())..text.len(),
                "expected a number next to the comma",
            ));
        }
        comma_open = true;
        at += field.len() + 1;
    }
    Ok(numbers)
}

/// Replaces `3 / 4` by `3/4`; byte offsets stay valid up to the first replacement.
fn join_slashes(text: &str) -> String {
    let mut joined = String::new();
    for letter in text.chars() {
        if letter == '/' {
            let kept = joined.trim_end().len();
            joined.truncate(kept);
        }
        if !(letter.is_whitespace() && joined.ends_with('/')) {
            joined.push(letter);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, known_nim_value, known_value, moves, options};
    use super::*;

    #[test]
    fn one_move_each() {
        assert_eq!(options(&SwitchGame, "3/4, -4", Player::Left), ["3/4"]);
        assert_eq!(options(&SwitchGame, "3 -1", Player::Right), ["-1"]);
        assert_eq!(
            moves(&SwitchGame, "3 / 4 , -1", Player::Right),
            ["SWITCH_R"]
        );
        ["3, -1", "1/2, 5", "0, 0"]
            .iter()
            .for_each(|text| check_laws(&SwitchGame, text));
    }

    #[test]
    fn cold_switches_are_numbers() {
        let value = |text: &str| known_value(&SwitchGame, text).map(|value| value.to_string());
        assert_eq!(value("1, 2").as_deref(), Some("3/2"));
        assert_eq!(value("1, 1").as_deref(), Some("1*"));
        assert_eq!(value("1, -1"), None);
        assert_eq!(known_nim_value(&SwitchGame, "-6, 7"), Some(2));
    }

    #[test]
    fn bad_switches_are_refused() {
        ["1", "1,2,3", "1,", ",1", "1,,2", "1/3, 2", ""]
            .iter()
            .for_each(|text| assert!(SwitchGame.parse(text).is_err(), "{text}"));
    }
}
