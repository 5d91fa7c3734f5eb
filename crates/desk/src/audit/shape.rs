//! Findings about the shape of the tree: dead ends, split theory, duplicates.

use std::collections::{HashMap, HashSet};

use chess::Move;
use chess::pgn::Game;
use tree::{NodeId, Tree};

use super::{Finding, Kind, Severity, counted, next_moves};
use crate::link::links_at;
use crate::positions::{Address, Identity, Positions, Spot};

/// Lines that end, without a reference, in a position that goes on elsewhere.
pub fn dead_ends(positions: &Positions, same: Identity, findings: &mut Vec<Finding>) {
    let lines = positions.all().filter(|&spot| ends(positions, spot));
    for spot in lines.filter(|spot| spot.node != NodeId::ROOT) {
        if let Some(home) = positions.best_place(spot)
            && !is_linked(positions, spot, same)
        {
            let next = next_moves(positions, home);
            let message = format!(
                "stops; the same position has {}",
                counted(next.len(), "continuation")
            );
            let finding = Finding::new(Kind::DeadEnd, positions.address(spot), message);
            let finding = finding.with_other(positions.address(home)).with_moves(next);
            findings.push(finding);
        }
    }
}

/// Positions that go on in several places, reached by different moves: one finding for each move
/// order after the first, and one for a line that comes back, however often it does.
pub fn splits(positions: &Positions, findings: &mut Vec<Finding>) {
    let below = positions.moves_below();
    for vertex in positions.graph().vertices() {
        let mut spots = positions
            .spots(vertex)
            .filter(|&spot| !ends(positions, spot));
        let Some(first) = spots.next() else { continue };
        let mut told: HashSet<Vec<Move>> = HashSet::new();
        let mut comes_back = false;
        for other in spots {
            let repeats = repeats(positions, first, other);
            // Chapters that begin alike are no other move order.
            let again = repeats && std::mem::replace(&mut comes_back, true);
            if again || line(positions, other) == line(positions, first) {
                continue;
            }
            if repeats || told.insert(line(positions, other)) {
                let [at, place] = [first, other].map(|spot| positions.address(spot));
                findings.push(split(
                    at,
                    place,
                    [first, other].map(|spot| below.of(spot)),
                    repeats,
                ));
            }
        }
    }
}

/// The moves to a spot.
fn line(positions: &Positions, spot: Spot) -> Vec<Move> {
    let tree = positions.game(spot).tree();
    let line = tree.line(spot.node);
    line.iter()
        .filter_map(|&node| tree.move_to(node).copied())
        .collect()
}

fn split(at: Address, other: Address, below: [u64; 2], repeats: bool) -> Finding {
    let message = match repeats {
        true => "the line comes back to this position, and goes on".to_owned(),
        false => format!(
            "goes on in both places: {} here, {} there",
            counted(below[0] as usize, "move"),
            counted(below[1] as usize, "move")
        ),
    };
    let mut finding = Finding::new(Kind::Split, at, message).with_other(other);
    if repeats {
        finding.severity = Severity::Note;
    }
    finding
}

/// Siblings with the same move, and games with the same moves.
pub fn duplicates(positions: &Positions, findings: &mut Vec<Finding>) {
    for spot in positions.all() {
        for node in doubles(positions.game(spot).tree(), spot.node) {
            let at = positions.address(Spot { node, ..spot });
            let other = at.clone();
            let finding = Finding::new(Kind::Duplicate, at, "this move is written twice");
            findings.push(finding.with_other(other));
        }
    }
    let mut known: HashMap<(u128, Vec<Option<Move>>), usize> = HashMap::new();
    for (game, it) in positions.games().iter().enumerate() {
        let first = *known.entry(shape(it)).or_insert(game);
        if first != game && !it.tree().is_terminal(NodeId::ROOT) {
            let [at, other] = [game, first].map(|game| {
                let node = NodeId::ROOT;
                positions.address(Spot { game, node })
            });
            let message = format!("game {} has the same moves as game {}", at.game, other.game);
            findings.push(Finding::new(Kind::Duplicate, at, message).with_other(other));
        }
    }
}

/// The children whose move an earlier one has too.
fn doubles(tree: &Tree<Move>, node: NodeId) -> Vec<NodeId> {
    if !tree.is_branching(node) {
        return Vec::new();
    }
    let mut known = HashSet::new();
    let children = tree.children(node);
    children
        .filter(|&child| !known.insert(tree.move_to(child)))
        .collect()
}

/// What makes games the same: where they start and all their moves, a gap where a line ends.
fn shape(game: &Game) -> (u128, Vec<Option<Move>>) {
    let tree = game.tree();
    let mut moves = Vec::new();
    for node in tree.preorder() {
        moves.extend(tree.move_to(node).map(|mv| Some(*mv)));
        if tree.is_terminal(node) {
            moves.push(None);
        }
    }
    (game.start().key(Identity::Strict), moves)
}

fn ends(positions: &Positions, spot: Spot) -> bool {
    positions.game(spot).tree().is_terminal(spot.node)
}

fn is_linked(positions: &Positions, spot: Spot, same: Identity) -> bool {
    let mut links = links_at(positions.game(spot), spot.node);
    links.any(|(_, link)| super::remarks::leads(positions, spot, &link, same))
}

/// True if one place lies on the way to the other.
fn repeats(positions: &Positions, first: Spot, other: Spot) -> bool {
    let tree = positions.game(first).tree();
    first.game == other.game && tree.is_ancestor(first.node, other.node)
}
