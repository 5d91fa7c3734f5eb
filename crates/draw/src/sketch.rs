//! The tree that a picture shows: nodes with their labels, position keys, notes and diagrams.

use gametree_tree::{LineCounts, NodeId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagram::{Color, Diagram};
use crate::text::shortened;

/// A tree ready to be drawn.
///
/// Its nodes are numbered in preorder, from 0; the move to each is the node of the source tree that
/// it represents.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub(crate) tree: Tree<NodeId>,
    pub(crate) lines: LineCounts,
    pub(crate) nodes: Vec<SketchNode>,
    /// The index after the last node of each subtree.
    ends: Vec<u32>,
    /// Texts for tooltips, by node.
    pub(crate) notes: FxHashMap<NodeId, String>,
    /// The meanings of the signs on moves.
    pub(crate) legend: Vec<(String, String)>,
    /// The nodes drawn with a board.
    pub(crate) diagrams: FxHashMap<NodeId, Diagram>,
}

/// A node of a sketch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SketchNode {
    /// The node of the source tree.
    pub source: NodeId,
    /// Moves from the sketch's root.
    pub ply: u32,
    /// The position: nodes with equal keys are joined by arcs.
    pub key: u128,
    /// The side that made the move to this node; none at the start.
    pub mover: Option<Color>,
    /// The number before the move, `6.` or `6...`; empty where the previous move implies it.
    pub number: String,
    /// The move as text.
    pub text: String,
    /// The glyphs on the move, as printed.
    pub glyphs: String,
}

impl Default for SketchNode {
    /// The root: no move leads to it.
    fn default() -> SketchNode {
        SketchNode {
            source: NodeId::ROOT,
            ply: 0,
            key: 0,
            mover: None,
            number: String::new(),
            text: String::new(),
            glyphs: String::new(),
        }
    }
}

impl SketchNode {
    /// The text on its card.
    pub fn label(&self) -> String {
        format!("{}{}{}", self.number, self.text, self.glyphs)
    }
}

/// Longer notes are shortened.
const NOTE_LENGTH: usize = 300;

impl Sketch {
    /// A tree whose nodes are numbered in preorder, with the description of each node.
    pub fn new(tree: Tree<NodeId>, nodes: Vec<SketchNode>) -> Sketch {
        Sketch {
            lines: LineCounts::new(&tree),
            ends: ends(&tree, nodes.len()),
            tree,
            nodes,
            notes: FxHashMap::default(),
            legend: Vec::new(),
            diagrams: FxHashMap::default(),
        }
    }

    /// Number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has at least its root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a tooltip and a comment sign to a node.
    pub fn add_note(&mut self, node: NodeId, note: &str) {
        self.notes.insert(node, shortened(note, NOTE_LENGTH));
    }

    /// Explains a sign below the picture, and in the help of a page.
    pub fn explain(&mut self, sign: &str, meaning: &str) {
        self.legend.push((sign.to_owned(), meaning.to_owned()));
    }

    /// Draws a board below the card of a node.
    pub fn add_diagram(&mut self, node: NodeId, diagram: Diagram) {
        self.diagrams.insert(node, diagram);
    }

    /// True if `above` lies on the path to `below`. O(1).
    pub(crate) fn is_ancestor(&self, above: NodeId, below: NodeId) -> bool {
        above < below && below.0 < self.ends[above.index()]
    }

    /// A node of the sketch.
    pub(crate) fn node(&self, id: NodeId) -> &SketchNode {
        &self.nodes[id.index()]
    }

    /// The nodes that represent the given nodes of the source tree, in preorder.
    pub fn find_all(&self, sources: &[NodeId]) -> Vec<NodeId> {
        let wanted: FxHashSet<NodeId> = sources.iter().copied().collect();
        let nodes = (0..).map(NodeId).zip(&self.nodes);
        let found = nodes.filter(|(_, node)| wanted.contains(&node.source));
        found.map(|(id, _)| id).collect()
    }
}

/// The index after the last node of each subtree, of a tree numbered in preorder.
fn ends(tree: &Tree<NodeId>, count: usize) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..=count as u32).collect();
    for node in (1..count as u32).rev().map(NodeId) {
        if let Some(parent) = tree.parent(node) {
            ends[parent.index()] = ends[parent.index()].max(ends[node.index()]);
        }
    }
    ends
}
