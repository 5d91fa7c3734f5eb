//! Cannibal Clobber: as Clobber, but a stone may take a stone of its own colour too.

use super::clobber::{captures, groups, print_step, stones};
use super::grid::{self, Grid, HEAD, Symmetry};
use super::heaps::Code;
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `cannibal_clobber`.
pub struct CannibalClobber;

impl Ruleset for CannibalClobber {
    fn name(&self) -> &'static str {
        "cannibal_clobber"
    }

    fn summary(&self) -> &'static str {
        "rows of '.', 'X', 'O' joined by '|': move a stone onto any neighbouring stone, taking it"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        grid::parse(text, ".XO")
    }

    fn print(&self, position: &[u8]) -> String {
        grid::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        grid::text_length(position)
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        captures(position, player, |target| target != b'.', visit)
    }

    fn print_move(&self, position: &[u8], _player: Player, mv: Move) -> String {
        print_step(position, mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        grid::swap_stones(position)
    }

    /// Separate groups of stones stay separate; a single stone has no move.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        groups(position, &mut |group| {
            if stones(group) > 1 {
                part(group)?;
            }
            ControlFlow::Continue(())
        })
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        grid::least_image(position, Symmetry::Square);
    }

    /// When both players move both colours, the colours do not matter.
    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        let stones = position[HEAD..].iter_mut().filter(|cell| **cell == b'O');
        stones.for_each(|stone| *stone = b'X');
        self.normalise(position);
    }

    /// A row of stones is a heap of Officers: one is taken, and one row or two are left.
    fn known_nim_value(&self, position: &[u8], interrupt: &Interrupt) -> Option<u64> {
        let grid = Grid::of(position);
        let is_row = grid.rows == 1 || grid.cols == 1;
        let full = is_row && !grid.cells.contains(&b'.');
        full.then(|| Code::OFFICERS.nim_value(grid.cells.len() as u64, interrupt))?
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['X', 'O'])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO")
    }

    fn size(&self, position: &[u8]) -> usize {
        stones(position)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, known_nim_value, moves, parts};
    use super::*;

    #[test]
    fn own_stones_may_be_taken() {
        assert_eq!(
            moves(&CannibalClobber, "XXO", Player::Left),
            ["a1-b1", "b1-a1", "b1-c1"]
        );
        assert_eq!(moves(&CannibalClobber, "XXO", Player::Right), ["c1-b1"]);
    }

    #[test]
    fn rows_of_both_players_are_officers() {
        let value = |text: &str| known_nim_value(&CannibalClobber, text);
        assert_eq!(value("XOXO"), Some(0));
        assert_eq!(value("X|O|X"), Some(2));
        assert_eq!(value("XO|XO"), None);
        let same = |text: &str| {
            let mut position = CannibalClobber.parse(text).unwrap();
            CannibalClobber.normalise_impartial(&mut position);
            CannibalClobber.print(&position)
        };
        assert_eq!(same("XO.|OOX"), same("XXX|.XX"));
    }

    #[test]
    fn lone_stones_are_dead() {
        assert_eq!(parts(&CannibalClobber, "XX.O|...O|X..."), ["OO", "XX"]);
        ["XO|OX", "X.O|OOX"]
            .iter()
            .for_each(|text| check_laws(&CannibalClobber, text));
    }
}
