//! The items to draw: a whole tree, or its most important part with the rest folded.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{LineCounts, NodeId, Tree};

/// The content of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// A node.
    Node(NodeId),
    /// The hidden children of the parent item's node, with their subtrees.
    Fold {
        /// The number of hidden nodes.
        nodes: u32,
        /// The number of lines through them.
        lines: u32,
    },
}

/// An item to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// Its content.
    pub content: Content,
    /// The index of the parent item; `None` for the root.
    pub parent: Option<usize>,
    /// The number of moves from the root.
    pub ply: u32,
    /// True if it is on the mainline.
    pub mainline: bool,
}

/// The items to draw, in preorder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    items: Vec<Item>,
}

impl Plan {
    /// All nodes.
    pub fn whole<M>(tree: &Tree<M>) -> Plan {
        Plan::of(tree, |_| true, |_| None)
    }

    /// The most important nodes, about `budget` of them. The hidden children of each are folded
    /// into one mark. The mainline comes first; then importance grows with the number of lines and
    /// falls with the variation depth.
    pub fn folded<M>(tree: &Tree<M>, lines: &LineCounts, budget: usize) -> Plan {
        let sizes = tree.subtree_sizes();
        let mut shown = most_important(tree, lines, budget);
        unfold_single_nodes(tree, &sizes, &mut shown);
        Plan::folding(tree, lines, &sizes, |node| shown[node.index()])
    }

    /// The nodes for which `shown` returns true and whose ancestors are all shown. The hidden
    /// children of each are folded into one mark.
    pub fn showing<M>(tree: &Tree<M>, lines: &LineCounts, shown: impl Fn(NodeId) -> bool) -> Plan {
        Plan::folding(tree, lines, &tree.subtree_sizes(), shown)
    }

    fn folding<M>(
        tree: &Tree<M>,
        lines: &LineCounts,
        sizes: &[u32],
        shown: impl Fn(NodeId) -> bool,
    ) -> Plan {
        let fold = |node: NodeId| {
            let hidden = tree.children(node).filter(|&child| !shown(child));
            let counts = hidden.map(|child| (sizes[child.index()], lines.through(child)));
            let (nodes, lines) = counts.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
            (nodes > 0).then_some(Content::Fold { nodes, lines })
        };
        Plan::of(tree, &shown, fold)
    }

    /// The items in preorder.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    fn of<M>(
        tree: &Tree<M>,
        shown: impl Fn(NodeId) -> bool,
        fold: impl Fn(NodeId) -> Option<Content>,
    ) -> Plan {
        let mut items: Vec<Item> = Vec::new();
        let mut open = vec![Item {
            content: Content::Node(NodeId::ROOT),
            parent: None,
            ply: 0,
            mainline: true,
        }];
        while let Some(item) = open.pop() {
            let index = items.len();
            items.push(item);
            let Content::Node(node) = item.content else {
                continue;
            };
            let primary = tree.next(node).map(Content::Node);
            let child_item = |content: Content| Item {
                content,
                parent: Some(index),
                ply: item.ply + 1,
                mainline: item.mainline && primary == Some(content),
            };
            let children = tree
                .children(node)
                .filter(|&child| shown(child))
                .map(Content::Node);
            let below = open.len();
            open.extend(children.chain(fold(node)).map(child_item));
            open[below..].reverse();
        }
        Plan { items }
    }

    /// The children of each item.
    pub(super) fn family(&self) -> Family {
        let mut family = Family {
            first_child: vec![NONE; self.items.len()],
            next_sibling: vec![NONE; self.items.len()],
        };
        for (i, item) in self.items.iter().enumerate().rev() {
            if let Some(parent) = item.parent {
                family.next_sibling[i] =
                    std::mem::replace(&mut family.first_child[parent], i as u32);
            }
        }
        family
    }
}

/// The children of each item, in order.
pub(super) struct Family {
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
}

impl Family {
    pub(super) fn children(&self, item: usize) -> impl Iterator<Item = usize> + '_ {
        let some = |raw: u32| (raw != NONE).then_some(raw as usize);
        let first = some(self.first_child[item]);
        std::iter::successors(first, move |&child| some(self.next_sibling[child]))
    }
}

const NONE: u32 = u32::MAX;

/// The best `budget` nodes. The next one chosen is always the best child of a chosen node, so all
/// ancestors of a chosen node are chosen.
fn most_important<M>(tree: &Tree<M>, lines: &LineCounts, budget: usize) -> Vec<bool> {
    let mut chosen = vec![false; tree.capacity_used()];
    let mut open = BinaryHeap::from([Candidate {
        importance: u64::MAX,
        ply: Reverse(0),
        depth: 0,
        node: Reverse(NodeId::ROOT),
    }]);
    for _ in 0..budget.max(1) {
        let Some(best) = open.pop() else { break };
        let node = best.node.0;
        chosen[node.index()] = true;
        for (child, choice) in tree.children(node).zip(0..) {
            let depth = best.depth + u32::from(choice > 0);
            open.push(Candidate {
                importance: importance(lines.through(child), depth),
                ply: Reverse(best.ply.0 + 1),
                depth,
                node: Reverse(child),
            });
        }
    }
    chosen
}

/// A child of a chosen node. Of equally important ones the earlier comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    importance: u64,
    ply: Reverse<u32>,
    node: Reverse<NodeId>,
    depth: u32,
}

fn importance(lines: u32, depth: u32) -> u64 {
    match depth {
        0 => u64::MAX,
        _ => (u64::from(lines) << 31) / (u64::from(depth) + 1),
    }
}

/// Shows a single folded node instead of its mark: both need the same space.
fn unfold_single_nodes<M>(tree: &Tree<M>, sizes: &[u32], shown: &mut [bool]) {
    for node in tree.preorder() {
        if !shown[node.index()] {
            continue;
        }
        let mut hidden = tree.children(node).filter(|child| !shown[child.index()]);
        if let (Some(single), None) = (hidden.next(), hidden.next())
            && sizes[single.index()] == 1
        {
            shown[single.index()] = true;
        }
    }
}
