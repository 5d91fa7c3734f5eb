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
    items: Vec<Packed>,
    /// The numbers of nodes and lines of each fold.
    folds: Vec<(u32, u32)>,
}

/// An item in 12 bytes: a plan may have millions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Packed {
    /// A node, or [`FOLD`] and the index of a fold: nodes are fewer than `FOLD`.
    content: u32,
    /// [`NONE`] for the root.
    parent: u32,
    /// The ply times two; 1 is added on the mainline.
    ply: u32,
}

const FOLD: u32 = 1 << 31;

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
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item> + DoubleEndedIterator + Clone + '_ {
        self.items.iter().map(|&packed| self.unpacked(packed))
    }

    /// The item at an index, which must be less than [`len`](Plan::len).
    #[inline]
    pub fn item(&self, index: usize) -> Item {
        self.unpacked(self.items[index])
    }

    /// The number of items.
    #[expect(clippy::len_without_is_empty, reason = "a plan has at least the root")]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of moves from the root to each item.
    pub(super) fn plies(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.items.iter().map(|packed| (packed.ply / 2) as usize)
    }

    /// The number of moves from the root to an item.
    #[inline]
    pub(super) fn ply(&self, index: usize) -> usize {
        (self.items[index].ply / 2) as usize
    }

    /// The index of the parent item.
    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        some(self.items[index].parent)
    }

    fn unpacked(&self, packed: Packed) -> Item {
        let content = match packed.content.checked_sub(FOLD) {
            None => Content::Node(NodeId(packed.content)),
            Some(fold) => {
                let (nodes, lines) = self.folds[fold as usize];
                Content::Fold { nodes, lines }
            }
        };
        Item {
            content,
            parent: some(packed.parent),
            ply: packed.ply / 2,
            mainline: packed.ply % 2 == 1,
        }
    }

    fn push(&mut self, item: &Item) {
        let content = match item.content {
            Content::Node(node) => node.0,
            Content::Fold { nodes, lines } => {
                self.folds.push((nodes, lines));
                FOLD + (self.folds.len() - 1) as u32
            }
        };
        self.items.push(Packed {
            content,
            parent: item.parent.map_or(NONE, |parent| parent as u32),
            ply: item.ply * 2 + u32::from(item.mainline),
        });
    }

    fn of<M>(
        tree: &Tree<M>,
        shown: impl Fn(NodeId) -> bool,
        fold: impl Fn(NodeId) -> Option<Content>,
    ) -> Plan {
        let mut plan = Plan {
            items: Vec::new(),
            folds: Vec::new(),
        };
        let mut open = vec![Item {
            content: Content::Node(NodeId::ROOT),
            parent: None,
            ply: 0,
            mainline: true,
        }];
        while let Some(item) = open.pop() {
            let index = plan.len();
            plan.push(&item);
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
        plan
    }
}

const NONE: u32 = u32::MAX;

fn some(raw: u32) -> Option<usize> {
    (raw != NONE).then_some(raw as usize)
}

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
