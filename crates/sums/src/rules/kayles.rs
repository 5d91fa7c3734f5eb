//! Kayles: knock down one pin or two neighbouring ones of a row.

use super::octal::Code;
use super::{Complaint, Move, Ruleset, nimber};
use crate::value::{Nus, Player};

/// The ruleset `kayles`: eight bytes for the row, eight for a second row after a split.
pub struct Kayles;

impl Ruleset for Kayles {
    fn name(&self) -> &'static str {
        "kayles"
    }

    fn summary(&self) -> &'static str {
        "the number of pins in a row: knock down one, or two that stand side by side"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let pins = text
            .trim()
            .parse::<u64>()
            .ok()
            .filter(|&pins| pins < 1 << 62);
        let pins = pins.ok_or_else(|| {
            Complaint::new(
                0..text.len(),
                format!(
                    "'{}' is no number of pins: expected 0 to 2^62 - 1",
                    text.trim()
                ),
            )
        })?;
        Ok(write(pins, 0))
    }

    fn print(&self, position: &[u8]) -> String {
        let (large, small) = read(position);
        if small == 0 {
            large.to_string()
        } else {
            format!("{large} + {small}")
        }
    }

    fn moves(&self, position: &[u8], _player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        let (pins, _) = read(position);
        for take in 1..=pins.min(2) {
            let rest = pins - take;
            for small in 0..=rest / 2 {
                visit(Move(take << 62 | small), &write(rest - small, small));
            }
        }
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        let (take, small) = (mv.0 >> 62, mv.0 & ((1 << 62) - 1));
        format!("{take}-{small}-{}", read(position).0 - take - small)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        position.to_vec()
    }

    fn is_impartial(&self) -> bool {
        true
    }

    fn split(&self, position: &[u8], part: &mut dyn FnMut(&[u8])) {
        let (large, small) = read(position);
        [large, small]
            .into_iter()
            .filter(|&pins| pins > 0)
            .for_each(|pins| part(&write(pins, 0)));
    }

    fn known_value(&self, position: &[u8]) -> Option<Nus> {
        self.known_nim_value(position).map(Nus::nimber)
    }

    fn known_nim_value(&self, position: &[u8]) -> Option<u64> {
        let (large, small) = read(position);
        Some(Code::KAYLES.nim_value(large)? ^ Code::KAYLES.nim_value(small)?)
    }

    fn size(&self, position: &[u8]) -> usize {
        read(position).0 as usize
    }
}

fn write(large: u64, small: u64) -> Vec<u8> {
    [large.to_le_bytes(), small.to_le_bytes()].concat()
}

fn read(position: &[u8]) -> (u64, u64) {
    (nimber::read(position), nimber::read(&position[8..]))
}

#[cfg(test)]
mod tests {
    use super::super::testing::moves;
    use super::*;

    #[test]
    fn pins_fall() {
        assert_eq!(
            moves(&Kayles, "4", Player::Left),
            ["1-0-3", "1-1-2", "2-0-2", "2-1-1"]
        );
        let nim = |pins: &str| Kayles.known_nim_value(&Kayles.parse(pins).unwrap());
        assert_eq!(nim("11"), Some(6));
        assert_eq!(nim("2000000000"), nim("80"));
        assert!(Kayles.parse("-1").is_err());
    }
}
