//! Nim heaps: take any number of beans.

use super::{Complaint, Flow, Move, MoveVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};

/// The ruleset `nimber`: eight bytes for the size of the heap.
pub struct Nimber;

impl Ruleset for Nimber {
    fn name(&self) -> &'static str {
        "nimber"
    }

    fn summary(&self) -> &'static str {
        "the size of a Nim heap: either player makes it smaller"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let size = text
            .trim()
            .parse::<u64>()
            .ok()
            .filter(|&size| size < 1 << 62);
        let size = size.ok_or_else(|| {
            Complaint::new(
                0..text.len(),
                format!(
                    "'{}' is not a heap size: expected 0 to 2^62 - 1",
                    text.trim()
                ),
            )
        })?;
        Ok(size.to_le_bytes().to_vec())
    }

    fn print(&self, position: &[u8]) -> String {
        read(position).to_string()
    }

    fn moves(&self, position: &[u8], _player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        (0..read(position)).try_for_each(|size| visit(Move(size), &size.to_le_bytes()))
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        [usize::try_from(read(position)).unwrap_or(usize::MAX); 2]
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        format!("*{}", mv.0)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        position.to_vec()
    }

    fn is_impartial(&self) -> bool {
        true
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        Some(Nus::nimber(read(position)))
    }

    fn known_nim_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        Some(read(position))
    }

    fn size(&self, position: &[u8]) -> usize {
        read(position) as usize
    }
}

/// The size of a heap, or any other number of eight bytes.
pub(crate) fn read(position: &[u8]) -> u64 {
    let mut size = [0; 8];
    size.copy_from_slice(&position[..8]);
    u64::from_le_bytes(size)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves};
    use super::*;

    #[test]
    fn heaps_shrink() {
        assert_eq!(moves(&Nimber, "3", Player::Left), ["*0", "*1", "*2"]);
        ["0", "5"].iter().for_each(|text| check_laws(&Nimber, text));
        ["-1", "x", "99999999999999999999"]
            .iter()
            .for_each(|text| assert!(Nimber.parse(text).is_err()));
    }
}
