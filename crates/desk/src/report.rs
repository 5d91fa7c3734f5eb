//! Reports: the size and branching of a tree, and the details of one node.

use std::collections::BTreeMap;

use chess::pgn::Game;
use serde::Serialize;
use tree::{NodeId, PreorderIndex};

use crate::place::numbering;
use crate::walk::{Walk, glyphs};

/// The figures of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// Paths from the start to a leaf.
    pub lines: u64,
    /// Moves: nodes without the start.
    pub moves: u64,
    /// Different positions, the start included.
    pub positions: u64,
    /// Positions that are reached by several paths.
    pub shared: u64,
    /// Half-moves of the longest line.
    pub longest: u32,
    /// The greatest number of secondary moves on a path.
    pub depth: u32,
    /// Nodes with comments.
    pub commented: u64,
    /// Nodes with marks.
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
        let transpositions = walk.find_transpositions();
        let (positions, shared) = (
            transpositions.positions() as u64,
            transpositions.shared() as u64,
        );
        let mut report = Report::of_shape(walk.game());
        (report.positions, report.shared) = (positions, shared);
        report
    }

    fn of_shape(game: &Game) -> Report {
        let index = PreorderIndex::of(game.tree());
        let mut report = Report {
            lines: 0,
            moves: index.node_count() as u64 - 1,
            positions: 0,
            shared: 0,
            longest: 0,
            depth: 0,
            commented: 0,
            marked: 0,
            lines_by_depth: BTreeMap::new(),
            lines_by_length: BTreeMap::new(),
            nodes_by_moves: BTreeMap::new(),
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

/// The details of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeReport {
    /// Its position id.
    pub id: u32,
    /// The moves to it.
    pub path: String,
    /// Its position.
    pub fen: String,
    /// Half-moves from the start.
    pub ply: u32,
    /// Secondary moves on the path.
    pub depth: u32,
    /// Lines through it.
    pub lines: u32,
    /// Moves below it.
    pub moves: u64,
    /// Its index among its siblings, from 1, and their number.
    pub rank: Option<(usize, usize)>,
    /// The next moves.
    pub continuations: Vec<String>,
    /// Its marks.
    pub glyphs: String,
    /// Its comment, commands included.
    pub comment: String,
    /// Other paths to its position.
    pub also: Vec<String>,
}

impl NodeReport {
    /// The details of the current node.
    pub fn of(walk: &mut Walk) -> NodeReport {
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
            ply: tree.ply(at),
            depth: tree.depth(at),
            lines: walk.lines().through(at),
            moves: tree.subtree(at).count() as u64 - 1,
            rank: rank.map(|(choice, parent)| (choice + 1, tree.child_count(parent))),
            continuations: tree.children(at).filter_map(san).collect(),
            glyphs: glyphs(walk.game(), at),
            comment: node.comment().into_owned(),
            also: walk
                .transpositions_of(at)
                .iter()
                .map(|&other| walk.game_view().path(other))
                .collect(),
        }
    }
}

/// One line of the list of all nodes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeLine {
    /// Its position id.
    pub id: u32,
    /// Half-moves before the next move by the numbers that PGN prints: 2 before White's move 2.
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
    let first = numbering(game.start());
    let start = 2 * first.first_number.saturating_sub(1)
        + u32::from(first.first_column == tree::table::Column::Second);
    let mut cursor = game.cursor();
    for id in index.positions() {
        let named = index.children(id).filter_map(|child| {
            let mv = *tree.move_to(index.node(child))?;
            Some((cursor.board().san(mv).to_string(), child.0))
        });
        each(NodeLine {
            id: id.0,
            half_move: start + index.ply(id),
            depth: index.depth(id),
            moves: named.collect(),
        })?;
        // the cursor walks in preorder too
        cursor.walk();
    }
    Ok(())
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
        assert_eq!((report.moves, report.positions, report.shared), (7, 7, 1));
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
