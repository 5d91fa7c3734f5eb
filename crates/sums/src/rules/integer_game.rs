//! Integers: `n` moves for one player.

use super::numbers::{self, nim_value, parse_integer, read};
use super::{Complaint, Flow, Move, MoveVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};

/// The ruleset `integer_game`: a position is the number as text.
pub struct IntegerGame;

impl Ruleset for IntegerGame {
    fn name(&self) -> &'static str {
        "integer_game"
    }

    fn summary(&self) -> &'static str {
        "an integer of any size, such as -3: that many free moves for Left, or for Right when negative"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        Ok(parse_integer(text, 0)?.to_string().into_bytes())
    }

    fn print(&self, position: &[u8]) -> String {
        numbers::print(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        numbers::visit_move(position, player, visit)
    }

    fn print_move(&self, _position: &[u8], _player: Player, _mv: Move) -> String {
        "INT".into()
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
    fn one_move_less() {
        assert_eq!(options(&IntegerGame, "3", Player::Left), ["2"]);
        assert_eq!(options(&IntegerGame, "-3", Player::Right), ["-2"]);
        assert_eq!(moves(&IntegerGame, "3", Player::Right), [] as [&str; 0]);
        ["0", "-7", "123456789012345678901234567890"]
            .iter()
            .for_each(|text| check_laws(&IntegerGame, text));
        assert_eq!(
            known_nim_value(&IntegerGame, "123456789012345678901234567891"),
            Some(1)
        );
        assert!(IntegerGame.parse("3/4").is_err());
    }
}
