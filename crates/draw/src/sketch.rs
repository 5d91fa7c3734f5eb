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
    nodes: Nodes,
    /// Texts for tooltips, by node.
    pub(crate) notes: FxHashMap<NodeId, String>,
    /// The meanings of the signs on moves.
    pub(crate) legend: Vec<(String, String)>,
    /// The nodes drawn with a board.
    pub(crate) diagrams: FxHashMap<NodeId, Diagram>,
}

/// The descriptions of nodes by index, each in few bytes: a tree may have millions.
#[derive(Clone, Debug)]
struct Nodes {
    /// The source of the root; those of the others are the moves of the tree.
    root: NodeId,
    keys: Vec<u128>,
    movers: Vec<Option<Color>>,
    /// The labels of all nodes, concatenated.
    labels: String,
    /// Where each label ends.
    ends: Vec<u32>,
    /// The lengths of the move and of the glyphs in each label.
    parts: Vec<[u8; 2]>,
}

/// A node of a sketch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SketchNode {
    /// The node of the source tree.
    pub source: NodeId,
    /// The position: nodes with equal keys are joined by arcs.
    pub key: u128,
    /// The side that made the move to this node; none at the start.
    pub mover: Option<Color>,
    /// The number before the move, `6.` or `6...`; empty where the previous move implies it. This
    /// and the other texts are cut after 255 bytes.
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
            key: 0,
            mover: None,
            number: String::new(),
            text: String::new(),
            glyphs: String::new(),
        }
    }
}

impl Nodes {
    fn with_capacity(root: NodeId, capacity: usize) -> Nodes {
        Nodes {
            root,
            keys: Vec::with_capacity(capacity),
            movers: Vec::with_capacity(capacity),
            labels: String::new(),
            ends: Vec::with_capacity(capacity),
            parts: Vec::with_capacity(capacity),
        }
    }

    fn push(&mut self, node: &SketchNode) {
        self.keys.push(node.key);
        self.movers.push(node.mover);
        let [_, text, glyphs] = [&node.number, &node.text, &node.glyphs].map(|part| {
            let part = &part[..part.floor_char_boundary(LONGEST)];
            self.labels.push_str(part);
            part.len() as u8
        });
        self.ends.push(self.labels.len() as u32);
        self.parts.push([text, glyphs]);
    }
}

/// A sketch whose nodes are added one by one, in preorder.
#[derive(Clone, Debug)]
pub struct SketchBuilder {
    tree: Tree<NodeId>,
    nodes: Nodes,
}

impl SketchBuilder {
    /// Starts with the root; `capacity` is the expected number of nodes.
    pub fn new(root: &SketchNode, capacity: usize) -> SketchBuilder {
        let mut nodes = Nodes::with_capacity(root.source, capacity);
        nodes.push(root);
        SketchBuilder {
            tree: Tree::with_capacity(capacity),
            nodes,
        }
    }

    /// Adds the next node in preorder and returns its number.
    pub fn add(&mut self, parent: NodeId, node: &SketchNode) -> NodeId {
        self.nodes.push(node);
        self.tree.add_child(parent, node.source)
    }

    /// The sketch.
    pub fn finish(self) -> Sketch {
        let SketchBuilder { tree, mut nodes } = self;
        nodes.labels.shrink_to_fit();
        Sketch {
            lines: LineCounts::new(&tree),
            tree,
            nodes,
            notes: FxHashMap::default(),
            legend: Vec::new(),
            diagrams: FxHashMap::default(),
        }
    }
}

/// The most bytes of the number, the move or the glyphs on a card.
const LONGEST: usize = u8::MAX as usize;

/// Longer notes are shortened.
const NOTE_LENGTH: usize = 300;

impl Sketch {
    /// A tree whose nodes are numbered in preorder, with the description of each node. For a large
    /// tree, [`SketchBuilder`] needs less memory.
    pub fn new(tree: Tree<NodeId>, descriptions: &[SketchNode]) -> Sketch {
        let root = descriptions
            .first()
            .map_or(NodeId::ROOT, |node| node.source);
        let mut nodes = Nodes::with_capacity(root, descriptions.len());
        descriptions.iter().for_each(|node| nodes.push(node));
        SketchBuilder { tree, nodes }.finish()
    }

    /// Number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has at least its root")]
    pub fn len(&self) -> usize {
        self.nodes.parts.len()
    }

    /// The nodes in preorder.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.len() as u32).map(NodeId)
    }

    /// The node of the source tree that a node represents.
    pub fn source(&self, node: NodeId) -> NodeId {
        self.tree.move_to(node).copied().unwrap_or(self.nodes.root)
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

    /// The number of moves from the root to each node.
    pub(crate) fn plies(&self) -> Vec<u32> {
        let mut plies: Vec<u32> = Vec::with_capacity(self.len());
        for node in self.ids() {
            let parent = self.tree.parent(node);
            plies.push(parent.map_or(0, |parent| plies[parent.index()] + 1));
        }
        plies
    }

    /// The index after the last node of each subtree.
    pub(crate) fn ends(&self) -> Vec<u32> {
        let count = self.len() as u32;
        let mut ends: Vec<u32> = (1..=count).collect();
        for node in (1..count).rev().map(NodeId) {
            if let Some(parent) = self.tree.parent(node) {
                ends[parent.index()] = ends[parent.index()].max(ends[node.index()]);
            }
        }
        ends
    }

    /// The position of a node.
    pub(crate) fn key(&self, node: NodeId) -> u128 {
        self.nodes.keys[node.index()]
    }

    /// The side that made the move to a node.
    pub(crate) fn mover(&self, node: NodeId) -> Option<Color> {
        self.nodes.movers[node.index()]
    }

    /// The text on the card of a node: number, move and glyphs.
    pub(crate) fn label(&self, node: NodeId) -> &str {
        let ends = &self.nodes.ends;
        let before = node.index().checked_sub(1).map_or(0, |node| ends[node]);
        let label = before as usize..ends[node.index()] as usize;
        self.nodes.labels.get(label).unwrap_or_default()
    }

    /// The move to a node as text.
    pub(crate) fn text(&self, node: NodeId) -> &str {
        let [text, glyphs] = self.nodes.parts[node.index()].map(usize::from);
        let label = self.label(node);
        let end = label.len().saturating_sub(glyphs);
        let start = end.saturating_sub(text);
        label.get(start..end).unwrap_or_default()
    }

    /// The glyphs on the move to a node.
    pub(crate) fn glyphs(&self, node: NodeId) -> &str {
        let [_, glyphs] = self.nodes.parts[node.index()].map(usize::from);
        let label = self.label(node);
        let start = label.len().saturating_sub(glyphs);
        label.get(start..).unwrap_or_default()
    }

    /// The nodes that represent the given nodes of the source tree, in preorder.
    pub fn find_all(&self, sources: &[NodeId]) -> Vec<NodeId> {
        let wanted: FxHashSet<NodeId> = sources.iter().copied().collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let is_wanted = |node: &NodeId| wanted.contains(&self.source(*node));
        self.ids().filter(is_wanted).collect()
    }
}
