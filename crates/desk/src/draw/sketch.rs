//! What a picture of a tree is made from: its nodes with their labels, keys and lines.

use chess::pgn::Game;
use chess::{Color, Identity, KeyedBoard};
use rustc_hash::FxHashSet;
use tree::{LineCounts, NodeId, Tree};

use crate::place::number;
use crate::walk::glyphs;

/// A game's tree, or the part of it below a node, ready to be drawn.
///
/// Its nodes are numbered in preorder, from 0; the move to each is the game's node it stands for.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// The nodes.
    pub tree: Tree<NodeId>,
    /// The lines through them.
    pub lines: LineCounts,
    /// What is known of each, by its index.
    pub nodes: Vec<Node>,
    /// Where the nodes below each one end.
    ends: Vec<u32>,
}

/// A node of a sketch.
#[derive(Clone, Debug)]
pub struct Node {
    /// The game's node.
    pub source: NodeId,
    /// Moves from the sketch's root.
    pub ply: u32,
    /// The position.
    pub key: u128,
    /// Who made the move that led here; none at the start of the game.
    pub mover: Option<Color>,
    /// The number before the move, `6.` or `6...`; empty where readers know it from the move
    /// before.
    pub number: String,
    /// The move, as it is written.
    pub text: String,
    /// The marks on it, as they are printed.
    pub glyphs: String,
}

impl Node {
    /// What is written on its card.
    pub fn label(&self) -> String {
        format!("{}{}{}", self.number, self.text, self.glyphs)
    }
}

impl Sketch {
    /// The part of a game from a node on.
    pub fn new(game: &Game, top: NodeId) -> Sketch {
        let mut tree = Tree::with_capacity(game.tree().capacity_used());
        let mut nodes: Vec<Node> = Vec::new();
        // The path to the node in hand: nodes of the sketch.
        let mut path: Vec<NodeId> = Vec::new();
        visit(game, top, |step| {
            path.truncate(step.ply as usize);
            let id = match path.last() {
                None => NodeId::ROOT,
                Some(&parent) => tree.add_child(parent, step.source),
            };
            path.push(id);
            nodes.push(node(game, &step));
        });
        Sketch::of(tree, nodes)
    }

    /// Any tree, its nodes numbered in preorder.
    pub fn of(tree: Tree<NodeId>, nodes: Vec<Node>) -> Sketch {
        Sketch {
            lines: LineCounts::new(&tree),
            ends: ends(&tree, nodes.len()),
            tree,
            nodes,
        }
    }

    /// True if one node lies on the path to the other. O(1).
    pub fn is_ancestor(&self, above: NodeId, below: NodeId) -> bool {
        above < below && below.0 < self.ends[above.index()]
    }

    /// A node of the sketch.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The sketch's nodes that stand for some of the game, in preorder.
    pub fn find_all(&self, sources: &[NodeId]) -> Vec<NodeId> {
        let wanted: FxHashSet<NodeId> = sources.iter().copied().collect();
        let nodes = (0..).map(NodeId).zip(&self.nodes);
        let found = nodes.filter(|(_, node)| wanted.contains(&node.source));
        found.map(|(id, _)| id).collect()
    }
}

/// Where the nodes below each one end, of a tree whose nodes are numbered in preorder.
fn ends(tree: &Tree<NodeId>, count: usize) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..=count as u32).collect();
    for node in (1..count as u32).rev().map(NodeId) {
        if let Some(parent) = tree.parent(node) {
            ends[parent.index()] = ends[parent.index()].max(ends[node.index()]);
        }
    }
    ends
}

/// A node on a walk in preorder.
pub struct Visit<'a> {
    /// The game's node.
    pub source: NodeId,
    /// Moves from the top of the walk.
    pub ply: u32,
    /// The position before the move; none where the game starts.
    pub before: Option<&'a KeyedBoard>,
    /// The position.
    pub board: &'a KeyedBoard,
}

/// Walks a part of a game in preorder with the boards at hand.
pub fn visit(game: &Game, top: NodeId, mut each: impl FnMut(Visit<'_>)) {
    let tree = game.tree();
    let before_top = tree
        .parent(top)
        .map(|parent| KeyedBoard::new(game.board_at(parent)));
    let mut path = vec![(top, KeyedBoard::new(game.board_at(top)))];
    for source in tree.subtree(top) {
        if source != top
            && let (Some(parent), Some(&mv)) = (tree.parent(source), tree.move_to(source))
        {
            while path.last().is_some_and(|(at, _)| *at != parent) {
                path.pop();
            }
            let Some((_, board)) = path.last() else {
                return;
            };
            let mut board = board.clone();
            board.play(mv);
            path.push((source, board));
        }
        let ply = path.len() - 1;
        let before = match ply {
            0 => before_top.as_ref(),
            _ => Some(&path[ply - 1].1),
        };
        each(Visit {
            source,
            ply: ply as u32,
            before,
            board: &path[ply].1,
        });
    }
}

fn node(game: &Game, step: &Visit<'_>) -> Node {
    let mv = game.tree().move_to(step.source).copied();
    let before = step.before.map(KeyedBoard::board);
    let (number, text) = match (before, mv) {
        (Some(before), Some(mv)) => {
            let needed = before.turn() == Color::White
                || step.ply == 0
                || game.tree().parent(step.source) == Some(NodeId::ROOT)
                || !game.tree().is_locally_mainline(step.source);
            let number = match needed {
                true => number(before),
                false => String::new(),
            };
            (number, before.san(mv).to_string())
        }
        _ => (String::new(), String::new()),
    };
    Node {
        source: step.source,
        ply: step.ply,
        key: step.board.key(Identity::Strict),
        mover: before.map(|board| board.turn()),
        number,
        text,
        glyphs: match glyphs(game, step.source) {
            none if none.is_empty() => none,
            some => drawable(some),
        },
    }
}

/// More signs than this on one move are not written out.
const MOST_SIGNS: usize = 12;

/// The signs as a card shows them: those that our font lacks are written otherwise, and a wish for
/// a diagram is no sign for readers.
fn drawable(glyphs: String) -> String {
    let glyphs = glyphs
        .replace('D', "")
        .replace('⩲', "+=")
        .replace('⩱', "=+")
        .replace('⌓', "(better)");
    shortened(&glyphs, MOST_SIGNS)
}

/// The beginning of a text that has more characters than this.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
