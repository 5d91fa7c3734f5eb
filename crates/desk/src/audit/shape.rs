//! Findings about the shape of the tree: dead ends, split theory, duplicates.

use std::collections::{HashMap, HashSet};

use chess::Move;
use chess::pgn::Game;
use kit::number::counted;
use tree::{NodeId, Tree};

use super::{Finding, FindingKind, Options, Severity, next_moves};
use crate::link::{is_linked, is_played_end};
use crate::positions::{Boards, Homes, Identity, Lines, Positions, Spot};

/// Lines without a reference that end in a position that continues in another line. The end of a
/// played game is no such line.
pub fn dead_ends(positions: &Positions, options: &Options, findings: &mut Vec<Finding>) {
    let (mut homes, mut boards) = (Homes::new(positions), Boards::new(positions));
    let lines = positions.all().filter(|&spot| ends(positions, spot));
    let lines = lines.filter(|spot| spot.node != NodeId::ROOT);
    for spot in options.stop.while_running(lines) {
        if let Some(home) = homes.best(spot)
            && !is_linked(positions, spot)
            && !is_played_end(positions, spot)
            && !positions.is_above(home, spot)
        {
            let next = next_moves(positions, boards.at(home), home);
            let message = format!(
                "ends; the same position has {}",
                counted(next.len() as u64, "continuation")
            );
            let finding = Finding::new(FindingKind::DeadEnd, positions, spot, message);
            findings.push(finding.with_other(positions, home).with_moves(next));
        }
    }
}

/// Positions that continue in several places, reached by different moves: one finding for each move
/// order after the first, and one for a line that repeats the position, however often.
pub fn splits(positions: &Positions, options: &Options, findings: &mut Vec<Finding>) {
    let lines = Lines::new(positions);
    for vertex in options.stop.while_running(positions.graph().vertices()) {
        let mut spots = positions
            .spots(vertex)
            .filter(|&spot| !ends(positions, spot));
        let Some(first) = spots.next() else { continue };
        // Chapters with the same first moves are not another move order.
        let mut known = HashSet::from([lines.of(first)]);
        let mut comes_back = false;
        for other in spots {
            let repeats = positions.is_above(first, other);
            let is_new = if repeats {
                !std::mem::replace(&mut comes_back, true)
            } else {
                known.insert(lines.of(other))
            };
            if is_new {
                findings.push(split(positions, first, other, repeats));
            }
        }
    }
}

fn split(positions: &Positions, spot: Spot, other: Spot, repeats: bool) -> Finding {
    let below = |spot| counted(positions.moves_below(spot), "move");
    let message = if repeats {
        "the line returns to this position and continues".to_owned()
    } else {
        let (here, there) = (below(spot), below(other));
        format!("continues in both places: {here} here, {there} there")
    };
    let mut finding =
        Finding::new(FindingKind::Split, positions, spot, message).with_other(positions, other);
    if repeats {
        finding.severity = Severity::Note;
    }
    finding
}

/// Siblings with the same move, and games with the same moves.
pub fn duplicates(positions: &Positions, options: &Options, findings: &mut Vec<Finding>) {
    for spot in options.stop.while_running(positions.all()) {
        for node in doubles(positions.game(spot).tree(), spot.node) {
            let message = "this move occurs twice";
            let spot = Spot { node, ..spot };
            let finding = Finding::new(FindingKind::Duplicate, positions, spot, message);
            findings.push(finding.with_other(positions, spot));
        }
    }
    let mut known: HashMap<(u128, Vec<Option<Move>>), usize> = HashMap::new();
    for (game, it) in options
        .stop
        .while_running(positions.games().iter().enumerate())
    {
        let first = *known.entry(shape(it)).or_insert(game);
        if first != game && !it.tree().is_terminal(NodeId::ROOT) {
            let [spot, other] = [game, first].map(|game| {
                let node = NodeId::ROOT;
                Spot { game, node }
            });
            let [this, earlier] = [spot, other].map(|spot| positions.game_number(spot));
            let message = format!("game {this} has the same moves as game {earlier}");
            let finding = Finding::new(FindingKind::Duplicate, positions, spot, message);
            findings.push(finding.with_other(positions, other));
        }
    }
}

/// The children whose move an earlier sibling has too.
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

/// Equal for equal games: the start and all moves, with a gap where a line ends.
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
