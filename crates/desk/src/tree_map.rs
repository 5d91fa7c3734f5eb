//! The tree of a game as a map: each move at its place, large trees folded, only a window described.

use std::collections::HashMap;

use tree::NodeId;
use tree::layout::{Content, Options, Picture, Placed, Plan, Size};

use crate::notation::MoveNames;
use crate::walk::Walk;

/// Larger trees are folded to about this many nodes.
pub const MOST_NODES: usize = 3000;

/// The moves that an unfolded variation shows at most before its next branching.
const LONGEST_RUN: usize = 40;

/// The size of a move, and the space between moves.
const CARD: Size = Size {
    along: 76.0,
    across: 20.0,
};
const FOLD: f64 = 52.0;
const GAP: Size = Size {
    along: 16.0,
    across: 6.0,
};

/// Which parts of a map are folded by hand, by the node whose continuations are hidden.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MapFolds {
    /// Hidden continuations.
    pub closed: Vec<NodeId>,
    /// Shown continuations.
    pub open: Vec<NodeId>,
}

/// A part of a map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// The places of all moves that are not folded.
#[derive(Clone, Debug)]
pub struct TreeMap {
    picture: Picture,
    places: HashMap<NodeId, usize>,
}

/// Something on a map.
#[derive(Clone, PartialEq, Debug)]
pub struct MapItem {
    /// The node; of a fold, the one whose continuations are hidden.
    pub node: NodeId,
    /// The move as text; empty at the start and for a fold.
    pub text: String,
    /// The hidden lines and nodes of a fold; `None` for a move.
    pub folded: Option<(u32, u32)>,
    /// The left edge and the middle of its height.
    pub place: (f64, f64),
    /// Its width and height.
    pub size: (f64, f64),
    /// The right edge and the middle of the height of the item before it.
    pub parent: Option<(NodeId, f64, f64)>,
}

/// Two nodes with the same position, and their places.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MapArc {
    /// The first one.
    pub from: (NodeId, f64, f64),
    /// The other one.
    pub to: (NodeId, f64, f64),
}

impl TreeMap {
    /// Lays out the tree of a game. The path to the current node is always shown.
    pub fn new(walk: &Walk, folds: &MapFolds) -> TreeMap {
        let shown = shown(walk, folds);
        let plan = Plan::showing(walk.tree(), walk.lines(), |node| shown[node.index()]);
        let picture = plan.lay_out(Options::default().gap(GAP), |item| match item.content {
            Content::Node(_) => CARD,
            Content::Fold { .. } => Size::new(FOLD, CARD.across),
        });
        let nodes = picture.items.iter().enumerate();
        let places = nodes.filter_map(|(index, item)| match item.content {
            Content::Node(node) => Some((node, index)),
            Content::Fold { .. } => None,
        });
        TreeMap {
            places: places.collect(),
            picture,
        }
    }

    /// Width and height.
    pub fn size(&self) -> (f64, f64) {
        (self.picture.size.along, self.picture.size.across)
    }

    /// The left edge and the middle of the height of a node, unless it is folded.
    pub fn place(&self, node: NodeId) -> Option<(f64, f64)> {
        let &index = self.places.get(&node)?;
        let item = &self.picture.items[index];
        Some((item.along, item.across))
    }

    /// What a window shows, at most `most` items.
    pub fn window(&self, walk: &Walk, window: Window, most: usize) -> Vec<MapItem> {
        let mut names = MoveNames::new(walk);
        let items = self.picture.items.iter();
        let seen = items.filter(|item| self.touches(item, window));
        seen.take(most)
            .filter_map(|item| self.describe(item, walk, &mut names))
            .collect()
    }

    /// The arcs between equal positions of which one is in a list. Needs the transpositions.
    pub fn arcs(&self, walk: &Walk, items: &[MapItem]) -> Vec<MapArc> {
        let moves = items.iter().filter(|item| item.folded.is_none());
        let pairs = moves.flat_map(|item| {
            let others = walk.transpositions_of(item.node).into_iter();
            others.map(move |other| (item.node.min(other), item.node.max(other)))
        });
        let mut pairs: Vec<(NodeId, NodeId)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        let end = |node| {
            let (x, y) = self.place(node)?;
            Some((node, x, y))
        };
        let arc = |(from, to)| {
            let (from, to) = (end(from)?, end(to)?);
            Some(MapArc { from, to })
        };
        pairs.into_iter().filter_map(arc).collect()
    }

    /// True if an item or the branch to it is in a window.
    fn touches(&self, item: &Placed, window: Window) -> bool {
        let before = item.parent.map(|parent| &self.picture.items[parent]);
        let left = before.map_or(item.along, |before| before.along);
        let top = before.map_or(item.across, |before| before.across.min(item.across));
        let bottom = before.map_or(item.across, |before| before.across.max(item.across));
        let half = item.size.across / 2.0;
        left <= window.x + window.width
            && item.along + item.size.along >= window.x
            && top - half <= window.y + window.height
            && bottom + half >= window.y
    }

    fn describe(&self, item: &Placed, walk: &Walk, names: &mut MoveNames) -> Option<MapItem> {
        let parent = item.parent.map(|parent| &self.picture.items[parent]);
        let parent = parent.and_then(|parent| match parent.content {
            Content::Node(node) => Some((node, parent.along + parent.size.along, parent.across)),
            Content::Fold { .. } => None,
        });
        let (node, text, folded) = match item.content {
            Content::Node(node) => (node, name(walk, names, node), None),
            Content::Fold { nodes, lines } => (parent?.0, String::new(), Some((lines, nodes))),
        };
        Some(MapItem {
            node,
            text,
            folded,
            place: (item.along, item.across),
            size: (item.size.along, item.size.across),
            parent,
        })
    }
}

/// Black's moves have a number only where the previous move is not beside them.
fn name(walk: &Walk, names: &mut MoveNames, node: NodeId) -> String {
    let tree = walk.tree();
    let is_first = tree.parent(node) == Some(NodeId::ROOT);
    let has_number = is_first || !tree.is_locally_mainline(node);
    names.of(node, has_number).to_string()
}

/// The nodes that are shown if their ancestors are.
fn shown(walk: &Walk, folds: &MapFolds) -> Vec<bool> {
    let tree = walk.tree();
    let mut shown = usual(walk);
    for &node in &folds.open {
        if tree.contains(node) {
            tree.children(node)
                .for_each(|child| show_run(walk, child, &mut shown));
        }
    }
    for &node in &folds.closed {
        if tree.contains(node) {
            tree.children(node)
                .for_each(|child| shown[child.index()] = false);
        }
    }
    for node in tree.ancestors(walk.at()) {
        shown[node.index()] = true;
    }
    shown
}

fn usual(walk: &Walk) -> Vec<bool> {
    let tree = walk.tree();
    if tree.node_count() <= MOST_NODES {
        return vec![true; tree.capacity_used()];
    }
    let mut shown = vec![false; tree.capacity_used()];
    for item in Plan::folded(tree, walk.lines(), MOST_NODES).items() {
        if let Content::Node(node) = item.content {
            shown[node.index()] = true;
        }
    }
    shown
}

/// Shows a move and the moves after it up to the next branching.
fn show_run(walk: &Walk, first: NodeId, shown: &mut [bool]) {
    let tree = walk.tree();
    let mut node = first;
    for _ in 0..LONGEST_RUN {
        shown[node.index()] = true;
        match tree.next(node) {
            Some(next) if !tree.is_branching(node) => node = next,
            _ => break,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::read_game;

    const EVERYTHING: Window = Window {
        x: 0.0,
        y: 0.0,
        width: 1e9,
        height: 1e9,
    };

    fn walk(pgn: &str) -> Walk {
        Walk::new(read_game(pgn.as_bytes()).unwrap())
    }

    #[test]
    fn a_small_tree_is_shown_whole_and_folds_by_hand() {
        let mut walk = walk("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *");
        let map = TreeMap::new(&walk, &MapFolds::default());
        let items = map.window(&walk, EVERYTHING, 100);
        let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        assert_eq!(texts, ["", "1.e4", "e5", "2.Nf3", "1...c5", "2.Nf3"]);
        let e4 = walk.tree().next(NodeId::ROOT).unwrap();
        let folds = MapFolds {
            closed: vec![e4],
            open: Vec::new(),
        };
        let map = TreeMap::new(&walk, &folds);
        let items = map.window(&walk, EVERYTHING, 100);
        assert_eq!(items.len(), 3);
        assert_eq!((items[2].node, items[2].folded), (e4, Some((2, 4))));
        walk.to_end();
        let map = TreeMap::new(&walk, &folds);
        assert!(map.place(walk.at()).is_some());
    }

    #[test]
    fn a_window_has_what_touches_it() {
        let mut walk = walk("1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 3. Bb5 a6 *");
        walk.find_transpositions();
        let map = TreeMap::new(&walk, &MapFolds::default());
        let (width, height) = map.size();
        let right = Window {
            x: width - 10.0,
            y: 0.0,
            width: 10.0,
            height,
        };
        let items = map.window(&walk, right, 100);
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].text, "a6");
        assert_eq!(map.window(&walk, EVERYTHING, 3).len(), 3);
    }

    #[test]
    fn equal_positions_are_joined() {
        let mut walk = walk("1. d4 Nf6 (1... e6 2. c4 Nf6) 2. c4 e6 *");
        walk.find_transpositions();
        let map = TreeMap::new(&walk, &MapFolds::default());
        let items = map.window(&walk, EVERYTHING, 100);
        assert_eq!(map.arcs(&walk, &items).len(), 1);
    }
}
