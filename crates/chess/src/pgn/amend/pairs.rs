//! The nodes of two games that are reached by the same moves.

use crate::Move;
use crate::pgn::game::Game;
use std::collections::HashMap;
use tree::NodeId;

/// For each node of `new`, by index, the node of `old` with the same moves from the start.
pub(super) fn pairs(new: &Game, old: &Game) -> Vec<Option<NodeId>> {
    let mut pairs = vec![None; new.tree().capacity_used()];
    pairs[NodeId::ROOT.index()] = Some(NodeId::ROOT);
    let mut stack = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((new_parent, old_parent)) = stack.pop() {
        pair_children(new, new_parent, old, old_parent, |child, same| {
            pairs[child.index()] = Some(same);
            stack.push((child, same));
        });
    }
    pairs
}

fn pair_children(
    new: &Game,
    new_parent: NodeId,
    old: &Game,
    old_parent: NodeId,
    mut found: impl FnMut(NodeId, NodeId),
) {
    let mut children = new.tree().children(new_parent);
    let mut others = old.tree().children(old_parent);
    // The usual case, one child each, needs no map.
    let (Some(child), Some(other)) = (children.next(), others.next()) else {
        return;
    };
    let is_same = new.tree().move_to(child) == old.tree().move_to(other);
    if is_same && others.clone().next().is_none() {
        return found(child, other);
    }
    let mut by_move: HashMap<Option<Move>, Vec<NodeId>> = HashMap::new();
    let all: Vec<NodeId> = std::iter::once(other).chain(others).collect();
    for &other in all.iter().rev() {
        let mv = old.tree().move_to(other).copied();
        by_move.entry(mv).or_default().push(other);
    }
    for child in std::iter::once(child).chain(children) {
        let mv = new.tree().move_to(child).copied();
        let others = by_move.get_mut(&mv);
        if let Some(other) = others.and_then(|others| take_likeliest(others, child, new, old)) {
            found(child, other);
        }
    }
}

/// How many siblings with the same move are compared.
const COMPARED: usize = 8;

/// Of several siblings with the same move, the first that goes on in the same way.
fn take_likeliest(
    others: &mut Vec<NodeId>,
    child: NodeId,
    new: &Game,
    old: &Game,
) -> Option<NodeId> {
    let reply = |game: &Game, node| {
        let tree = game.tree();
        tree.next(node).and_then(|next| tree.move_to(next).copied())
    };
    let wanted = reply(new, child);
    let mut nearest = others.iter().rev().take(COMPARED);
    let at = nearest.position(|&other| reply(old, other) == wanted);
    match at {
        Some(at) => Some(others.remove(others.len() - 1 - at)),
        None => others.pop(),
    }
}
