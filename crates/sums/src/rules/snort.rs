//! Snort: players colour the vertices of a graph; neighbours never get different colours.

use super::col::{
    colourings, count_colourings, exchange, parse_colouring, print_colouring, vertices,
};
use super::graph::Graph;
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::value::Player;

/// The ruleset `snort`, with the letters of `col`.
pub struct Snort;

impl Ruleset for Snort {
    fn name(&self) -> &'static str {
        "snort"
    }

    fn summary(&self) -> &'static str {
        "a graph, such as path5, cycle6, star4, complete4, grid2x3 or edges 1-2,2-3:X..: colour a vertex; neighbours must not get different colours"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        parse_colouring(text, |player| !player)
    }

    fn print(&self, position: &[u8]) -> String {
        Graph::read(position).print()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        colourings(position, player, !player, visit)
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        count_colourings(position)
    }

    fn print_move(&self, _position: &[u8], player: Player, mv: Move) -> String {
        print_colouring(player, mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        exchange(position)
    }

    /// An edge between two vertices reserved for the same player does not matter.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let matters = |a: u8, b: u8| a == b'.' || b == b'.' || a != b;
        Graph::read(position).parts(|letter| letter != b'#', matters, &mut |graph| {
            part(&graph.write())
        })
    }

    fn normalise(&self, position: &mut Vec<u8>) {
        *position = Graph::read(position).normal().write();
    }

    fn size(&self, position: &[u8]) -> usize {
        vertices(position)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, options, parts};
    use super::*;

    #[test]
    fn neighbours_agree() {
        assert_eq!(options(&Snort, "path2", Player::Left), ["1-2:#L", "1-2:L#"]);
        assert_eq!(parts(&Snort, "path4:.X.."), ["1-2:L.", "1:L"]);
        ["path4", "cycle5:.X...", "1-2,3"]
            .iter()
            .for_each(|text| check_laws(&Snort, text));
    }
}
