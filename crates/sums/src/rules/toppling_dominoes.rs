//! Toppling Dominoes: a domino is toppled to one side, which removes it and all dominoes there.

use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, strip};
use crate::interrupt::Interrupt;
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `toppling_dominoes`.
pub struct TopplingDominoes;

impl Ruleset for TopplingDominoes {
    fn name(&self) -> &'static str {
        "toppling_dominoes"
    }

    fn summary(&self) -> &'static str {
        "a row of 'X', 'O' and '#' (either player's), such as XO#X: topple a domino to the left or right, removing it and all on that side"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        strip::parse(text, "XO#")
    }

    fn print(&self, position: &[u8]) -> String {
        strip::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        position.len()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        for at in 0..position.len() {
            if position[at] == player.stone() || position[at] == b'#' {
                visit(Move::of([at, 0, 0]), &position[at + 1..])?;
                visit(Move::of([at, 1, 0]), &position[..at])?;
            }
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        let [at, side, _] = mv.parts();
        format!("{}{}", at + 1, if side == 0 { 'L' } else { 'R' })
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        strip::swap_stones(position)
    }

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        if !position.is_empty() {
            part(position)?;
        }
        ControlFlow::Continue(())
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        strip::least_mirror(position);
    }

    /// Either player can topple every domino, so the moves leave every smaller number of dominoes.
    fn known_nim_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        Some(position.len() as u64)
    }

    /// A row of `n` dominoes has only about `n²/2` positions, far fewer than other games.
    fn letters(&self) -> Option<&'static str> {
        Some("XO#")
    }

    fn size(&self, position: &[u8]) -> usize {
        position.len().div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, known_nim_value, moves, options};
    use super::*;
    use crate::game::Game;
    use crate::naive::Naive;

    #[test]
    fn the_nim_value_is_the_number_of_dominoes() {
        for text in ["", "X", "#", "XO", "OO#X", "XXO#OOX"] {
            let game = Game::parse("impartial toppling_dominoes", text).unwrap();
            let expected = Naive::new(1 << 20).nim_value(&[game]);
            assert!(expected.is_some());
            assert_eq!(known_nim_value(&TopplingDominoes, text), expected);
        }
    }

    #[test]
    fn dominoes_topple_both_ways() {
        assert_eq!(
            options(&TopplingDominoes, "XO#", Player::Left),
            ["", "", "O#", "XO"]
        );
        assert_eq!(
            moves(&TopplingDominoes, "XO#", Player::Right),
            ["2L", "2R", "3L", "3R"]
        );
        ["", "XO#", "OOX"]
            .iter()
            .for_each(|text| check_laws(&TopplingDominoes, text));
    }
}
