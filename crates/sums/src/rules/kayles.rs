//! Kayles: knock down one pin or two neighbouring ones of a row.

use super::heaps::{self, Code};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};

/// The ruleset `kayles`: eight bytes for each row.
pub struct Kayles;

impl Ruleset for Kayles {
    fn name(&self) -> &'static str {
        "kayles"
    }

    fn summary(&self) -> &'static str {
        "the number of pins in a row: knock down one, or two that stand side by side"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        heaps::parse(text, "pins")
    }

    fn print(&self, position: &[u8]) -> String {
        heaps::print(position)
    }

    fn moves(&self, position: &[u8], _player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        heaps::moves(position, &Code::KAYLES, visit)
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        heaps::mobility(position, &Code::KAYLES)
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        heaps::describe(position, &Code::KAYLES, mv, |taken, left| {
            let mut left = left.to_vec();
            left.resize(2, 0);
            left.sort_unstable();
            format!("{taken}-{}-{}", left[0], left[1])
        })
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        position.to_vec()
    }

    fn is_impartial(&self) -> bool {
        true
    }

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        position.chunks(8).try_for_each(part)
    }

    fn known_value(&self, position: &[u8], interrupt: &Interrupt) -> Option<Nus> {
        self.known_nim_value(position, interrupt).map(Nus::nimber)
    }

    fn known_nim_value(&self, position: &[u8], interrupt: &Interrupt) -> Option<u64> {
        heaps::nim_value(position, &Code::KAYLES, interrupt)
    }

    fn size(&self, position: &[u8]) -> usize {
        heaps::size(position)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{known_nim_value, moves};
    use super::*;

    #[test]
    fn pins_fall() {
        assert_eq!(
            moves(&Kayles, "4", Player::Left),
            ["1-0-3", "1-1-2", "2-0-2", "2-1-1"]
        );
        let nim = |pins: &str| known_nim_value(&Kayles, pins);
        assert_eq!(nim("11"), Some(6));
        assert_eq!(nim("2000000000"), nim("80"));
        assert!(Kayles.parse("-1").is_err());
    }
}
