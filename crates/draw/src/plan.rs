//! Selection of the visible nodes of a sketch, and of equal positions among them.

use std::hash::BuildHasher;

use gametree_tree::NodeId;
use gametree_tree::layout::{Content, Plan};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use crate::TreeOptions;
use crate::sketch::Sketch;

/// The nodes to show: the most important ones, those with a board, and highlighted ones.
pub fn plan(sketch: &Sketch, options: &TreeOptions, boards: &[NodeId], marked: &[NodeId]) -> Plan {
    let mut shown = match options.budget {
        None => vec![true; sketch.len()],
        Some(budget) => within(sketch, budget),
    };
    for &board in boards {
        for node in sketch.tree.ancestors(board) {
            shown[node.index()] = true;
        }
    }
    reveal(sketch, marked, options.budget.unwrap_or(0), &mut shown);
    if let Some(deepest) = options.depth {
        let plies = sketch.plies().into_iter();
        for (shown, ply) in shown.iter_mut().zip(plies) {
            *shown &= ply <= deepest;
        }
    }
    Plan::showing(&sketch.tree, &sketch.lines, |node| shown[node.index()])
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
    let mut shown = vec![false; sketch.len()];
    for item in Plan::folded(&sketch.tree, &sketch.lines, budget).items() {
        if let Content::Node(node) = item.content {
            shown[node.index()] = true;
        }
    }
    shown
}

/// Pairs of items with the same position: a known position reached by another path. Continuations
/// with the same moves need no arcs, and a cycle is not a transposition.
pub fn arcs(sketch: &Sketch, plan: &Plan) -> Vec<(u32, u32)> {
    let first = first_with_position(sketch, plan);
    let hasher = FxBuildHasher;
    // The table stores items; what they stand for is looked up.
    let mut moves: HashTable<u32> = HashTable::new();
    let parent = |item: u32| plan.item(item as usize).parent.map(|parent| first[parent]);
    let origin = |item: u32| (parent(item), first[item as usize]);
    let ends = sketch.ends();
    let is_below = |node: NodeId, item: u32| match plan.item(item as usize).content {
        Content::Node(above) => above < node && node.0 < ends[above.index()],
        Content::Fold { .. } => false,
    };
    let mut arcs = Vec::new();
    for (index, item) in (0..).zip(plan.items()) {
        let Content::Node(node) = item.content else {
            continue;
        };
        let own = origin(index);
        let is_equal = |&other: &u32| origin(other) == own;
        let entry = moves.entry(hasher.hash_one(own), is_equal, |&item| {
            hasher.hash_one(origin(item))
        });
        let is_new = match entry {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(index);
                true
            }
        };
        let known = first[index as usize];
        if is_new && known != index && !is_below(node, known) {
            arcs.push((known, index));
        }
    }
    arcs
}

/// For each item, the first item with its position; folds have none but themselves.
fn first_with_position(sketch: &Sketch, plan: &Plan) -> Vec<u32> {
    let hasher = FxBuildHasher;
    let mut known: HashTable<u32> = HashTable::new();
    let key = |item: u32| match plan.item(item as usize).content {
        Content::Node(node) => Some(sketch.key(node)),
        Content::Fold { .. } => None,
    };
    let first = |index: u32| {
        let own = key(index);
        if own.is_none() {
            return index;
        }
        let hash = |item: &u32| hasher.hash_one(key(*item));
        let entry = known.entry(hash(&index), |&other| key(other) == own, hash);
        *entry.or_insert(index).get()
    };
    (0..plan.len() as u32).map(first).collect()
}
