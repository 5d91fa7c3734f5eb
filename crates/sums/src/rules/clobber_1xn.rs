//! Clobber on a path: a stone moves onto a neighbouring stone of the opponent and takes it.

use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, strip};
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `clobber_1xn`.
pub struct Clobber1xn;

impl Ruleset for Clobber1xn {
    fn name(&self) -> &'static str {
        "clobber_1xn"
    }

    fn summary(&self) -> &'static str {
        "a strip of '.', 'X', 'O', such as XOXO: move a stone onto a neighbouring stone of the opponent, taking it"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        strip::parse(text, ".XO")
    }

    fn print(&self, position: &[u8]) -> String {
        strip::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        position.len()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let (mine, theirs) = (player.stone(), (!player).stone());
        let mut next = position.to_vec();
        for right in 1..position.len() {
            for (from, to) in [(right - 1, right), (right, right - 1)] {
                if position[from] == mine && position[to] == theirs {
                    (next[from], next[to]) = (b'.', mine);
                    visit(Move::of([from, to, 0]), &next)?;
                    (next[from], next[to]) = (mine, theirs);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let facing = |pair: &&[u8]| matches!(pair, [b'X', b'O'] | [b'O', b'X']);
        [position.windows(2).filter(facing).count(); 2]
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        strip::print_step(mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        strip::swap_stones(position)
    }

    /// Empty cells are never filled again, and a run of one colour never moves.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        for run in position.split(|&cell| cell == b'.') {
            if run.contains(&b'X') && run.contains(&b'O') {
                part(run)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        strip::least_mirror(position);
    }

    fn is_all_small(&self) -> bool {
        true
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['X', 'O'])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO")
    }

    fn size(&self, position: &[u8]) -> usize {
        position.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn stones_take_their_neighbours() {
        assert_eq!(options(&Clobber1xn, "XXO.O", Player::Left), ["X.X.O"]);
        assert_eq!(moves(&Clobber1xn, "OXO", Player::Left), ["2-1", "2-3"]);
        assert_eq!(moves(&Clobber1xn, "OXO", Player::Right), ["1-2", "3-2"]);
    }

    #[test]
    fn runs_are_independent() {
        assert_eq!(parts(&Clobber1xn, "XXO.XX.OX.O"), ["OX", "OXX"]);
        ["", "XO", "XXO.O", ".OX"]
            .iter()
            .for_each(|text| check_laws(&Clobber1xn, text));
    }
}
