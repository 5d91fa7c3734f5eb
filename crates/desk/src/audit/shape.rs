//! Findings about the shape of the tree: dead ends, split theory, duplicates.

use std::collections::HashMap;

use chess::Move;
use chess::pgn::Game;
use tree::NodeId;

use super::{Finding, Kind, Severity, counted, next_moves};
use crate::link::links_at;
use crate::positions::{Identity, Positions, Spot};

/// Lines that end, without a reference, in a position that goes on elsewhere.
pub fn dead_ends(positions: &Positions, same: Identity, findings: &mut Vec<Finding>) {
    let lines = positions.all().filter(|&spot| ends(positions, spot));
    for spot in lines.filter(|spot| spot.node != NodeId::ROOT) {
        if let Some(home) = home(positions, spot)
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

/// Positions that go on in several places, reached by different moves.
pub fn splits(positions: &Positions, findings: &mut Vec<Finding>) {
    for vertex in positions.graph().vertices() {
        let mut going_on = positions
            .spots(vertex)
            .filter(|&spot| !ends(positions, spot));
        let Some(first) = going_on.next() else {
            continue;
        };
        for other in going_on {
            let [at, place] = [first, other].map(|spot| positions.address(spot));
            // Chapters that begin alike are no other move order.
            if at.path == place.path {
                continue;
            }
            let [here, there] = [first, other].map(|spot| below(positions, spot));
            let repeats = repeats(positions, first, other);
            let message = match repeats {
                true => "the line comes back to this position, and goes on".to_owned(),
                false => format!(
                    "goes on in both places: {} here, {} there",
                    counted(here, "move"),
                    counted(there, "move")
                ),
            };
            let mut finding = Finding::new(Kind::Split, at, message).with_other(place);
            if repeats {
                finding.severity = Severity::Note;
            }
            findings.push(finding);
        }
    }
}

/// Siblings with the same move, and games with the same moves.
pub fn duplicates(positions: &Positions, findings: &mut Vec<Finding>) {
    for spot in positions.all() {
        let tree = positions.game(spot).tree();
        let Some(mv) = tree.move_to(spot.node) else {
            continue;
        };
        let first = tree
            .siblings(spot.node)
            .find(|&node| tree.move_to(node) == Some(mv));
        if first.is_some_and(|first| first != spot.node) {
            let at = positions.address(spot);
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

/// The best place where a position goes on: with the fewest secondary moves, then moves, before it.
fn home(positions: &Positions, spot: Spot) -> Option<Spot> {
    let spots = positions.spots(positions.vertex(spot)?);
    let going_on = spots.filter(|&other| !ends(positions, other));
    going_on.min_by_key(|other| {
        let tree = positions.game(*other).tree();
        (
            other.game != spot.game,
            tree.depth(other.node),
            tree.ply(other.node),
        )
    })
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

fn below(positions: &Positions, spot: Spot) -> usize {
    positions.game(spot).tree().subtree(spot.node).count() - 1
}
