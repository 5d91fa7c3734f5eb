//! Repetitions and transpositions: positions that occur several times.

use rustc_hash::FxHashMap;
use tree::NodeId;
use tree::graph::Vertex;

use super::{Lines, PositionCounts, Positions, Spot};

/// Which positions occur again on one line, and which are reached by several lines.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// By vertex.
    kinds: Vec<Kind>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// The line of the first occurrence, or [`NO_LINE`].
    first: u32,
    between_lines: bool,
    repeated: bool,
}

/// The number 0; lines are counted from 1 here.
const NO_LINE: u32 = 0;

impl Shared {
    /// Compares the lines to all occurrences of each position. O(n).
    pub fn new(positions: &Positions) -> Shared {
        let lines = Lines::new(positions);
        let mut kinds = vec![Kind::default(); positions.graph().vertex_count()];
        let mut path = Path::new(positions);
        // For each occurrence, by its line: the line of the next one on the same path.
        let mut next: FxHashMap<u32, u32> = FxHashMap::default();
        for spot in positions.all() {
            let Some(vertex) = positions.vertex(spot) else {
                continue;
            };
            let line = lines.of(spot) + 1;
            let kind = &mut kinds[vertex.index()];
            match path.enter(spot, vertex, line) {
                NO_LINE if kind.first == NO_LINE => kind.first = line,
                NO_LINE => kind.between_lines |= kind.first != line,
                previous => {
                    kind.repeated = true;
                    kind.between_lines |= *next.entry(previous).or_insert(line) != line;
                }
            }
        }
        Shared { kinds }
    }

    /// True for a transposition between lines: two paths of which neither is a prefix of the other.
    pub fn is_between_lines(&self, vertex: Vertex) -> bool {
        self.kinds[vertex.index()].between_lines
    }

    /// True for a repetition within a line: the position occurs twice on one path.
    pub fn is_repeated(&self, vertex: Vertex) -> bool {
        self.kinds[vertex.index()].repeated
    }

    /// The number of positions, and of those that several paths reach.
    pub fn counts(&self) -> PositionCounts {
        let mut counts = PositionCounts::default();
        for kind in &self.kinds {
            counts.add(kind.between_lines, kind.repeated);
        }
        counts
    }
}

/// The path to the current node in preorder.
struct Path<'a> {
    positions: &'a Positions,
    game: usize,
    nodes: Vec<OnPath>,
    /// By vertex: the line of its last occurrence on the path.
    last: Vec<u32>,
}

/// A node of the path.
struct OnPath {
    node: NodeId,
    vertex: Vertex,
    /// The line of the previous occurrence of its position on the path.
    previous: u32,
}

impl<'a> Path<'a> {
    fn new(positions: &'a Positions) -> Path<'a> {
        Path {
            positions,
            game: 0,
            nodes: Vec::new(),
            last: vec![NO_LINE; positions.graph().vertex_count()],
        }
    }

    /// Goes on to the next spot. Returns the line of the previous occurrence of its position on the
    /// path.
    fn enter(&mut self, spot: Spot, vertex: Vertex, line: u32) -> u32 {
        let is_new_game = std::mem::replace(&mut self.game, spot.game) != spot.game;
        let parent = self.positions.game(spot).tree().parent(spot.node);
        let is_left = |row: &mut OnPath| is_new_game || Some(row.node) != parent;
        while let Some(left) = self.nodes.pop_if(is_left) {
            self.last[left.vertex.index()] = left.previous;
        }
        let previous = std::mem::replace(&mut self.last[vertex.index()], line);
        self.nodes.push(OnPath {
            node: spot.node,
            vertex,
            previous,
        });
        previous
    }
}
