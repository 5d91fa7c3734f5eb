//! Reports: the size and branching of a tree, and the details of one node.

use std::collections::BTreeMap;

use chess::pgn::Game;
use serde::Serialize;
use tree::graph::Vertex;
use tree::table::{Column, label};
use tree::{NodeId, PreorderIndex};

use crate::joined::Joined;
use crate::openings::GameOpening;
use crate::place::numbering;
use crate::positions::{Address, Boards, PositionCounts, Positions, Spot};
use crate::walk::{Walk, glyphs};

/// The figures of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// Paths from the start to a leaf.
    pub lines: u64,
    /// Moves: nodes without the start.
    pub moves: u64,
    /// Different positions, the start included, and how they are reached.
    #[serde(flatten)]
    pub counts: PositionCounts,
    /// Half-moves of the longest line.
    pub longest: u32,
    /// The greatest number of secondary moves on a path.
    pub depth: u32,
    /// Nodes with comments.
    pub commented: u64,
    /// Nodes with glyphs.
    pub marked: u64,
    /// The number of lines by number of secondary moves.
    pub lines_by_depth: BTreeMap<u32, u64>,
    /// The number of lines by number of half-moves.
    pub lines_by_length: BTreeMap<u32, u64>,
    /// The number of nodes by number of continuations.
    pub nodes_by_moves: BTreeMap<u32, u64>,
}

impl Report {
    /// The figures of a game.
    pub fn of(walk: &mut Walk) -> Report {
        Report {
            counts: walk.find_transpositions().counts(),
            ..Report::of_shape(walk.game())
        }
    }

    /// The figures that need no positions.
    fn of_shape(game: &Game) -> Report {
        let index = PreorderIndex::of(game.tree());
        let mut report = Report {
            moves: index.node_count() as u64 - 1,
            ..Report::default()
        };
        for id in index.positions() {
            report.count(game, index.node(id), index.ply(id), index.depth(id));
        }
        report
    }

    fn count(&mut self, game: &Game, node: NodeId, ply: u32, depth: u32) {
        let children = game.tree().child_count(node) as u32;
        *self.nodes_by_moves.entry(children).or_default() += 1;
        self.commented += u64::from(game.comments_at(node).next().is_some());
        self.marked += u64::from(game.nags_at(node).len() > 0);
        self.depth = self.depth.max(depth);
        if children == 0 {
            self.lines += 1;
            self.longest = self.longest.max(ply);
            *self.lines_by_depth.entry(depth).or_default() += 1;
            *self.lines_by_length.entry(ply).or_default() += 1;
        }
    }
}

/// The figures of joined games, counted by position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PositionsReport {
    /// Games.
    pub games: u64,
    /// Different moves: each once for each position in which it is played.
    pub moves: u64,
    /// Lines, each continuation counted where it is written first.
    pub lines: u64,
    /// Different positions, the starts included, and how they are reached.
    #[serde(flatten)]
    pub counts: PositionCounts,
    /// Half-moves of the longest line in a game.
    pub longest: u32,
    /// The most deviations that are needed to reach a position.
    pub least_depth: u32,
    /// The most deviations on a line in a game.
    pub greatest_depth: u32,
    /// Positions with comments.
    pub commented: u64,
    /// Positions with glyphs.
    pub marked: u64,
    /// The number of positions by the fewest deviations on a line to them.
    pub positions_by_least_depth: BTreeMap<u32, u64>,
    /// The same by the most deviations.
    pub positions_by_greatest_depth: BTreeMap<u32, u64>,
    /// The number of positions by number of continuations.
    pub positions_by_moves: BTreeMap<u32, u64>,
}

impl PositionsReport {
    /// The figures of joined games.
    pub fn of(joined: &Joined) -> PositionsReport {
        let (positions, graph) = (joined.positions(), joined.positions().graph());
        let mut report = PositionsReport {
            games: positions.games().len() as u64,
            moves: graph.edge_count() as u64,
            lines: graph
                .starts()
                .iter()
                .map(|&start| u64::from(joined.lines_below(start)))
                .sum(),
            counts: joined.shared().counts(),
            ..PositionsReport::default()
        };
        for vertex in graph.vertices() {
            report.count(positions, vertex);
        }
        for game in positions.games() {
            report.longest = report.longest.max(Report::of_shape(game).longest);
        }
        report
    }

    fn count(&mut self, positions: &Positions, vertex: Vertex) {
        let graph = positions.graph();
        let (least, greatest) = (graph.min_depth(vertex), graph.max_depth(vertex));
        self.least_depth = self.least_depth.max(least);
        self.greatest_depth = self.greatest_depth.max(greatest);
        *self.positions_by_least_depth.entry(least).or_default() += 1;
        *self
            .positions_by_greatest_depth
            .entry(greatest)
            .or_default() += 1;
        let moves = graph.degree(vertex) as u32;
        *self.positions_by_moves.entry(moves).or_default() += 1;
        let mut spots = positions.spots(vertex);
        let game = |spot| positions.game(spot);
        let commented = |spot: Spot| game(spot).comments_at(spot.node).next().is_some();
        let marked = |spot: Spot| game(spot).nags_at(spot.node).len() > 0;
        self.commented += u64::from(spots.clone().any(commented));
        self.marked += u64::from(spots.any(marked));
    }
}

/// A secondary move on the path to a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Deviation {
    /// Its address in the table of the file's order, `1Wa`.
    pub address: String,
    /// The move.
    pub san: String,
    /// The primary move in its place.
    pub instead_of: String,
}

/// The secondary moves on the path to a node, from the start.
pub fn deviations(game: &Game, node: NodeId) -> Vec<Deviation> {
    let tree = game.tree();
    let numbering = numbering(game.start());
    let mut board = game.start().clone();
    let mut found = Vec::new();
    for (at, ply) in tree.line(node).into_iter().skip(1).zip(0..) {
        let (Some(parent), Some(&mv)) = (tree.parent(at), tree.move_to(at)) else {
            continue;
        };
        let primary = tree.next(parent).filter(|&first| first != at);
        let primary = primary.and_then(|first| tree.move_to(first));
        if let (Some(&primary), Some(choice)) = (primary, tree.choice(at)) {
            let (number, column) = numbering.of(ply);
            let player = match column {
                Column::First => 'W',
                Column::Second => 'B',
            };
            found.push(Deviation {
                address: format!("{number}{player}{}", label(choice - 1)),
                san: board.san(mv).to_string(),
                instead_of: board.san(primary).to_string(),
            });
        }
        board.play(mv);
    }
    found
}

/// The half-moves before a node, by the numbers that PGN prints: 1 after the first move, 79 before
/// Black's move 40.
pub fn half_move(game: &Game, ply: u32) -> u32 {
    let first = numbering(game.start());
    let black = u32::from(first.first_column == Column::Second);
    let before = first.first_number.saturating_sub(1).saturating_mul(2);
    before.saturating_add(black).saturating_add(ply)
}

/// The details of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeReport {
    /// Its position id; in positions mode the number of its position.
    pub id: u32,
    /// The moves to it.
    pub path: String,
    /// Its position.
    pub fen: String,
    /// The name of the deepest named position on the path.
    pub opening: Option<GameOpening>,
    /// Half-moves from the start.
    pub ply: u32,
    /// Half-moves by the numbers that PGN prints, with the start's.
    pub halfmove: u32,
    /// Secondary moves on the path.
    pub depth: u32,
    /// These moves.
    pub deviations: Vec<Deviation>,
    /// In positions mode, the fewest and the most secondary moves on a line to the position.
    pub depths: Option<(u32, u32)>,
    /// In positions mode, the places where the position is written: the first ones.
    pub places: Vec<Address>,
    /// The number of further places.
    pub more_places: u64,
    /// Lines through it.
    pub lines: u32,
    /// Moves below it.
    pub moves: u64,
    /// Its index among its siblings, from 1, and their number.
    pub rank: Option<(usize, usize)>,
    /// The next moves.
    pub continuations: Vec<String>,
    /// Its glyphs.
    pub glyphs: String,
    /// Its comment, commands included.
    pub comment: String,
    /// Other paths to its position.
    pub also: Vec<String>,
}

impl NodeReport {
    /// At most this many places are listed.
    pub const MOST_PLACES: usize = 20;

    /// The details of the current node.
    pub fn of(walk: &mut Walk) -> NodeReport {
        let own = NodeReport::of_node(walk);
        match (walk.joined_graph(), walk.vertex_of(walk.at())) {
            (Some(joined), Some(vertex)) => own.of_position(walk, joined, vertex),
            _ => own,
        }
    }

    fn of_node(walk: &mut Walk) -> NodeReport {
        walk.find_transpositions();
        let (tree, at) = (walk.tree(), walk.at());
        let node = walk.game().node(at);
        let board = node.board();
        let san = |child| tree.move_to(child).map(|&mv| board.san(mv).to_string());
        let rank = tree.choice(at).zip(tree.parent(at));
        NodeReport {
            id: tree.position_id(at).map_or(0, |id| id.0),
            path: walk.path(),
            fen: board.fen(),
            opening: walk.opening(),
            ply: tree.ply(at),
            halfmove: half_move(walk.game(), tree.ply(at)),
            depth: tree.depth(at),
            deviations: deviations(walk.game(), at),
            depths: None,
            places: Vec::new(),
            more_places: 0,
            lines: walk.lines().through(at),
            moves: tree.subtree(at).count() as u64 - 1,
            rank: rank.map(|(choice, parent)| (choice + 1, tree.child_count(parent))),
            continuations: tree.children(at).filter_map(san).collect(),
            glyphs: glyphs(walk.game(), at),
            comment: node.comment().into_owned(),
            also: walk.other_paths(at, usize::MAX).0,
        }
    }

    /// The same in positions mode.
    fn of_position(self, walk: &Walk, joined: &Joined, vertex: Vertex) -> NodeReport {
        let (positions, graph) = (joined.positions(), joined.positions().graph());
        let mut spots = positions.spots(vertex);
        let places: Vec<Address> = spots
            .by_ref()
            .take(Self::MOST_PLACES)
            .map(|spot| Address {
                game: spot.game as u64 + 1,
                ..positions.address(spot)
            })
            .collect();
        NodeReport {
            id: vertex.0,
            depths: Some((graph.min_depth(vertex), graph.max_depth(vertex))),
            places,
            more_places: spots.count() as u64,
            moves: joined.moves_below(vertex),
            also: walk.other_paths(walk.at(), Self::MOST_PLACES).0,
            ..self
        }
    }
}

/// One line of the list of all nodes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeLine {
    /// Its position id.
    pub id: u32,
    /// Half-moves by the numbers that PGN prints: 1 after the first move.
    pub half_move: u32,
    /// Secondary moves on the path.
    pub depth: u32,
    /// The next moves, and the position ids they lead to.
    pub moves: Vec<(String, u32)>,
}

/// Calls `each` for every node in order of position id.
pub fn each_node<E>(game: &Game, mut each: impl FnMut(NodeLine) -> Result<(), E>) -> Result<(), E> {
    let tree = game.tree();
    let index = PreorderIndex::of(tree);
    let mut cursor = game.cursor();
    for id in index.positions() {
        let named = index.children(id).filter_map(|child| {
            let mv = *tree.move_to(index.node(child))?;
            Some((cursor.board().san(mv).to_string(), child.0))
        });
        each(NodeLine {
            id: id.0,
            half_move: half_move(game, index.ply(id)),
            depth: index.depth(id),
            moves: named.collect(),
        })?;
        // the cursor walks in preorder too
        cursor.walk();
    }
    Ok(())
}

/// Calls `each` for every position of joined games, in order of their numbers.
pub fn each_position<E>(
    joined: &Joined,
    mut each: impl FnMut(PositionLine) -> Result<(), E>,
) -> Result<(), E> {
    let (positions, graph) = (joined.positions(), joined.positions().graph());
    let mut boards = Boards::new(positions);
    for vertex in graph.vertices() {
        let Some(first) = positions.spots(vertex).next() else {
            continue;
        };
        let board = boards.at(first);
        let moves = positions.moves(vertex);
        each(PositionLine {
            id: vertex.0,
            half_move: half_move(positions.game(first), graph.min_ply(vertex)),
            least_depth: graph.min_depth(vertex),
            greatest_depth: graph.max_depth(vertex),
            moves: moves
                .map(|(edge, mv)| (board.san(mv).to_string(), graph.target(edge).0))
                .collect(),
        })?;
    }
    Ok(())
}

/// One line of the list of all positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PositionLine {
    /// The number of the position.
    pub id: u32,
    /// The fewest half-moves before it, by the numbers that PGN prints.
    pub half_move: u32,
    /// The fewest secondary moves on a line to it.
    pub least_depth: u32,
    /// The most secondary moves on a line to it.
    pub greatest_depth: u32,
    /// The next moves, and the numbers of the positions they lead to.
    pub moves: Vec<(String, u32)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::pgn::read_game;

    fn walk(pgn: &str) -> Walk {
        Walk::new(read_game(pgn.as_bytes()).expect("a game"))
    }

    #[test]
    fn depth_counts_deviations_not_parentheses() {
        for pgn in ["1. e4 (1. d4 (1. c4)) *", "1. e4 (1. d4) (1. c4) *"] {
            let report = Report::of(&mut walk(pgn));
            assert_eq!((report.depth, report.lines, report.moves), (1, 3, 3));
            assert_eq!(report.lines_by_depth, BTreeMap::from([(0, 1), (1, 2)]));
        }
    }

    #[test]
    fn positions_are_counted_once() {
        let mut walk = walk("1. d4 {x} (1. c4 Nf6 2. d4) Nf6 2. c4! e6 *");
        let report = Report::of(&mut walk);
        assert_eq!((report.moves, report.counts.positions), (7, 7));
        assert_eq!(
            (report.counts.between_lines, report.counts.repeated),
            (1, 0)
        );
        assert_eq!((report.longest, report.commented, report.marked), (4, 1, 1));
        assert_eq!(
            report.nodes_by_moves,
            BTreeMap::from([(0, 2), (1, 5), (2, 1)])
        );
        walk.to_end();
        walk.back();
        let node = NodeReport::of(&mut walk);
        assert_eq!((node.id, node.ply, node.lines, node.moves), (3, 3, 1, 1));
        assert_eq!(node.also, ["1.c4 Nf6 2.d4"]);
        assert_eq!((node.glyphs.as_str(), node.rank), ("!", Some((1, 1))));
    }

    #[test]
    fn every_node_is_listed() {
        let game = read_game(b"1. e4 (1. d4 d5) e5 *").expect("a game");
        let mut lines = Vec::new();
        each_node(&game, |line| {
            lines.push(line);
            Ok::<(), ()>(())
        })
        .expect("no error");
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0].moves, [("e4".to_owned(), 1), ("d4".to_owned(), 3)]);
        assert_eq!((lines[3].depth, lines[3].half_move), (1, 1));
    }
}
