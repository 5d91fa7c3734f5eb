//! Dyadic rationals: numbers in canonical form, with at most one move for each player.

use super::numbers::{self, nim_value, parse_number, read};
use super::{Complaint, Flow, Move, MoveVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};

/// The ruleset `dyadic_rational`: a position is the number as text.
pub struct DyadicRational;

impl Ruleset for DyadicRational {
    fn name(&self) -> &'static str {
        "dyadic_rational"
    }

    fn summary(&self) -> &'static str {
        "a fraction over a power of two, such as 3/4: Left moves down, Right up, to the next simpler number"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        Ok(parse_number(text, 0)?.to_string().into_bytes())
    }

    fn print(&self, position: &[u8]) -> String {
        numbers::print(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        numbers::visit_move(position, player, visit)
    }

    fn print_move(&self, _position: &[u8], player: Player, _mv: Move) -> String {
        if player == Player::Left { "DEC" } else { "INC" }.into()
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        numbers::negative(position)
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        Some(Nus::number(read(position)))
    }

    fn known_nim_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        nim_value(&read(position))
    }

    fn size(&self, _position: &[u8]) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, known_nim_value, moves, options};
    use super::*;

    #[test]
    fn numbers_move_to_simpler_numbers() {
        assert_eq!(options(&DyadicRational, "5/4", Player::Left), ["1"]);
        assert_eq!(options(&DyadicRational, "5/4", Player::Right), ["3/2"]);
        assert_eq!(moves(&DyadicRational, "-6/2", Player::Right), ["INC"]);
        assert_eq!(moves(&DyadicRational, "-3", Player::Left), [] as [&str; 0]);
        ["3/4", "-5", "0", "99999999999999999999999/1024"]
            .iter()
            .for_each(|text| check_laws(&DyadicRational, text));
    }

    #[test]
    fn impartial_numbers() {
        let nim = |text: &str| known_nim_value(&DyadicRational, text);
        assert_eq!(
            [nim("7"), nim("-6"), nim("1/2"), nim("3/4")],
            [Some(1), Some(0), Some(2), Some(0)]
        );
    }

    #[test]
    fn other_fractions_are_refused() {
        ["1/3", "1/0", "x", "", "1/", "1/-2x"]
            .iter()
            .for_each(|text| assert!(DyadicRational.parse(text).is_err(), "{text}"));
    }
}
