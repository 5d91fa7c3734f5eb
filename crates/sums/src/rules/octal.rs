//! Octal games: heaps from which beans are taken and which may be split, by a code such as `0.77`.

use super::heaps::{self, Code};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};

/// The ruleset `octal`: the length of the code and the code, then eight bytes for each heap.
pub struct Octal;

impl Ruleset for Octal {
    fn name(&self) -> &'static str {
        "octal"
    }

    fn summary(&self) -> &'static str {
        "code:heap, such as 0.77:20: digit k is the sum of what may be left after taking k beans: 1 nothing, 2 one heap, 4 two heaps, 8 three"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let (code, heap) = text.split_once(':').ok_or_else(|| {
            Complaint::new(
                0..text.len(),
                "expected a code, ':' and the size of the heap, such as 0.77:20",
            )
        })?;
        let code = Code::parse(code)?;
        let heap = super::gen_toads::shifted(text.len() - heap.len(), heaps::parse(heap, "beans"))?;
        Ok(code.write(&heap))
    }

    fn print(&self, position: &[u8]) -> String {
        let (code, heaps) = read(position);
        format!("{code}:{}", heaps::print(heaps))
    }

    fn moves(&self, position: &[u8], _player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let (code, heaps) = read(position);
        heaps::moves(heaps, &code, &mut |mv, next| visit(mv, &code.write(next)))
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let (code, heaps) = read(position);
        heaps::mobility(heaps, &code)
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        let (code, heaps) = read(position);
        heaps::describe(heaps, &code, mv, |taken, left| {
            let left: Vec<String> = left.iter().map(u64::to_string).collect();
            format!(
                "{taken}-{}",
                if left.is_empty() {
                    "0".into()
                } else {
                    left.join("-")
                }
            )
        })
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        position.to_vec()
    }

    fn is_impartial(&self) -> bool {
        true
    }

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let (code, heaps) = read(position);
        heaps.chunks(8).try_for_each(|heap| part(&code.write(heap)))
    }

    fn known_value(&self, position: &[u8], interrupt: &Interrupt) -> Option<Nus> {
        self.known_nim_value(position, interrupt).map(Nus::nimber)
    }

    fn known_nim_value(&self, position: &[u8], interrupt: &Interrupt) -> Option<u64> {
        let (code, heaps) = read(position);
        heaps::nim_value(heaps, &code, interrupt)
    }

    fn size(&self, position: &[u8]) -> usize {
        heaps::size(read(position).1)
    }
}

fn read(position: &[u8]) -> (Code, &[u8]) {
    let (digits, heaps) = position[1..].split_at(usize::from(position[0]));
    (Code::of_digits(digits), heaps)
}

#[cfg(test)]
mod tests {
    use super::super::testing::moves;
    use super::*;

    #[test]
    fn printed_moves_contain_the_heaps_left() {
        assert_eq!(
            moves(&Octal, "0.77:4", Player::Left),
            ["1-2-1", "1-3", "2-1-1", "2-2"]
        );
        assert_eq!(moves(&Octal, "0.3:1", Player::Left), ["1-0"]);
        ["0.77", "077:3", "0.7G:3", "1.0:3", "0.77:x", "00.7:3"]
            .iter()
            .for_each(|text| assert!(Octal.parse(text).is_err(), "{text}"));
    }
}
