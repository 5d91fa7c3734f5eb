//! Selection of the visible nodes of a sketch, and of equal positions among them.

use gametree_tree::NodeId;
use gametree_tree::layout::{Content, Plan};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::TreeOptions;
use crate::sketch::Sketch;

/// The nodes to show: the most important ones, those with a board, and highlighted ones.
pub fn plan(sketch: &Sketch, options: &TreeOptions, boards: &[NodeId], marked: &[NodeId]) -> Plan {
    let mut shown = match options.budget {
        None => vec![true; sketch.nodes.len()],
        Some(budget) => within(sketch, budget),
    };
    for &board in boards {
        for node in sketch.tree.ancestors(board) {
            shown[node.index()] = true;
        }
    }
    reveal(sketch, marked, options.budget.unwrap_or(0), &mut shown);
    let deepest = options.depth.unwrap_or(u32::MAX);
    Plan::showing(&sketch.tree, &sketch.lines, |node| {
        shown[node.index()] && sketch.node(node).ply <= deepest
    })
}

/// Shows highlighted nodes with their ancestors, within a limit of additional nodes.
fn reveal(sketch: &Sketch, marked: &[NodeId], mut budget: usize, shown: &mut [bool]) {
    for &node in marked {
        let above = sketch.tree.ancestors(node);
        let hidden: Vec<NodeId> = above.take_while(|node| !shown[node.index()]).collect();
        match budget.checked_sub(hidden.len()) {
            Some(rest) => budget = rest,
            None => return,
        }
        hidden
            .into_iter()
            .for_each(|node| shown[node.index()] = true);
    }
}

fn within(sketch: &Sketch, budget: usize) -> Vec<bool> {
    let mut shown = vec![false; sketch.nodes.len()];
    for item in Plan::folded(&sketch.tree, &sketch.lines, budget).items() {
        if let Content::Node(node) = item.content {
            shown[node.index()] = true;
        }
    }
    shown
}

/// Pairs of items with the same position: a known position reached by another path. Continuations
/// with the same moves need no arcs, and a cycle is not a transposition.
pub fn arcs(sketch: &Sketch, plan: &Plan) -> Vec<(usize, usize)> {
    let mut first: FxHashMap<u128, (usize, NodeId)> = FxHashMap::default();
    let mut origins: FxHashSet<(u128, u128)> = FxHashSet::default();
    let mut arcs = Vec::new();
    for (index, item) in plan.items().iter().enumerate() {
        let Content::Node(node) = item.content else {
            continue;
        };
        let key = sketch.node(node).key;
        let parent = sketch.tree.parent(node);
        let is_new = parent.is_none_or(|parent| origins.insert((sketch.node(parent).key, key)));
        let &mut (known, same) = first.entry(key).or_insert((index, node));
        if is_new && known != index && !sketch.is_ancestor(same, node) {
            arcs.push((known, index));
        }
    }
    arcs
}
