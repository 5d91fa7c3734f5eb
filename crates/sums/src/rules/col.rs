//! Col: players colour the vertices of a graph; neighbours never get the same colour.

use super::graph::{self, Graph};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, strip};
use crate::value::Player;
use std::ops::ControlFlow;

/// The ruleset `col`.
///
/// A letter encodes who may still colour a vertex: `.` both, `L` only Left, `R` only Right, `#`
/// none.
pub struct Col;

impl Ruleset for Col {
    fn name(&self) -> &'static str {
        "col"
    }

    fn summary(&self) -> &'static str {
        "a graph, such as path5, cycle6, star4, complete4, grid2x3 or edges 1-2,2-3:X..: colour a vertex; neighbours must not get the same colour"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        parse_colouring(text, |player| player)
    }

    fn print(&self, position: &[u8]) -> String {
        Graph::read(position).print()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        colourings(position, player, player, visit)
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

    /// An edge matters while one player could colour both its ends.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let shared = |a, b| {
            Player::BOTH
                .iter()
                .any(|&player| may_colour(a, player) && may_colour(b, player))
        };
        Graph::read(position).parts(|letter| letter != b'#', shared, &mut |graph| {
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

/// Returns true if this player may colour a vertex with this letter.
pub(crate) fn may_colour(letter: u8, player: Player) -> bool {
    letter == b'.' || letter == if player == Player::Left { b'L' } else { b'R' }
}

/// The letter after the player has lost the right to colour the vertex.
fn forbid(letter: u8, player: Player) -> u8 {
    match (may_colour(letter, player), may_colour(letter, !player)) {
        (true, true) => {
            if player == Player::Left {
                b'R'
            } else {
                b'L'
            }
        }
        (true, false) => b'#',
        (false, _) => letter,
    }
}

/// Reads a graph whose letters may also be stones already placed.
pub(crate) fn parse_colouring(
    text: &str,
    loses: impl Fn(Player) -> Player,
) -> Result<Vec<u8>, Complaint> {
    let mut graph = Graph::parse(text, ".XOLR#")?;
    let neighbours = graph.neighbours();
    let placed = graph.letters.clone();
    for player in Player::BOTH {
        for vertex in (0..placed.len()).filter(|&vertex| placed[vertex] == player.stone()) {
            neighbours
                .of(vertex)
                .filter(|&to| !matches!(placed[to], b'X' | b'O'))
                .for_each(|to| {
                    graph.letters[to] = forbid(graph.letters[to], loses(player));
                });
        }
    }
    graph
        .letters
        .iter_mut()
        .filter(|letter| matches!(letter, b'X' | b'O'))
        .for_each(|letter| *letter = b'#');
    Ok(graph.write())
}

/// Visits every colouring of one vertex; `loses` is the player who loses the right to colour its
/// neighbours.
pub(crate) fn colourings(
    position: &[u8],
    player: Player,
    loses: Player,
    visit: &mut MoveVisitor<'_>,
) -> Flow {
    let graph = Graph::read(position);
    let neighbours = graph.neighbours();
    let mut next = position.to_vec();
    for vertex in
        (0..graph.letters.len()).filter(|&vertex| may_colour(graph.letters[vertex], player))
    {
        next[graph::LETTERS + vertex] = b'#';
        for to in neighbours.of(vertex) {
            next[graph::LETTERS + to] = forbid(graph.letters[to], loses);
        }
        visit(Move::of([vertex, 0, 0]), &next)?;
        for changed in neighbours.of(vertex).chain([vertex]) {
            next[graph::LETTERS + changed] = graph.letters[changed];
        }
    }
    ControlFlow::Continue(())
}

/// The number of vertices each player may colour.
pub(crate) fn count_colourings(position: &[u8]) -> [usize; 2] {
    let letters = Graph::read(position).letters;
    Player::BOTH.map(|player| {
        letters
            .iter()
            .filter(|&&letter| may_colour(letter, player))
            .count()
    })
}

/// Prints a move as `3_X`.
pub(crate) fn print_colouring(player: Player, mv: Move) -> String {
    format!("{}_{}", mv.parts()[0] + 1, player.stone() as char)
}

/// The graph with the players' rights exchanged.
pub(crate) fn exchange(position: &[u8]) -> Vec<u8> {
    let mut graph = Graph::read(position);
    for letter in &mut graph.letters {
        *letter = match *letter {
            b'L' => b'R',
            b'R' => b'L',
            other => strip::swapped(other),
        };
    }
    graph.write()
}

/// The number of vertices that a player may still colour.
pub(crate) fn vertices(position: &[u8]) -> usize {
    Graph::read(position)
        .letters
        .iter()
        .filter(|&&letter| letter != b'#')
        .count()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, options, parts};
    use super::*;

    #[test]
    fn neighbours_differ() {
        assert_eq!(options(&Col, "path2", Player::Left), ["1-2:#R", "1-2:R#"]);
        assert_eq!(moves(&Col, "path3:X..", Player::Left), ["3_X"]);
        assert_eq!(moves(&Col, "path3:X..", Player::Right), ["2_O", "3_O"]);
    }

    #[test]
    fn useless_edges_separate() {
        assert_eq!(parts(&Col, "1-2:LR"), ["1:L", "1:R"]);
        assert_eq!(parts(&Col, "path3:.X."), ["1:R", "1:R"]);
        ["path4", "cycle5:.X...", "1-2,3"]
            .iter()
            .for_each(|text| check_laws(&Col, text));
    }
}
