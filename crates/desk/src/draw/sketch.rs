//! A game's tree as the plain data that `draw` takes.

use std::collections::BTreeSet;

use chess::pgn::{Game, nag};
use chess::{Board, Color, Identity, KeyedBoard, Square};
use gametree_draw::{PageBoards, Sketch, SketchBuilder, SketchNode, SquareChange};
use tree::NodeId;

use super::TreePart;
use super::board::{arrow, color, diagram, diagram_at, piece, square, squares_of};
use super::legend::meaning;
use crate::boards::{Visit, visit};
use crate::place::{GameView, number};
use crate::walk::glyphs;

/// A part of a game with its notes and diagrams.
pub fn sketch(game: &Game, part: &TreePart) -> Sketch {
    let mut sketch = None;
    let mut path: Vec<NodeId> = Vec::new();
    visit(game, part.at, |visit| {
        path.truncate(visit.ply as usize);
        let node = node(game, &visit);
        let id = match (path.last(), &mut sketch) {
            (Some(&parent), Some(sketch)) => SketchBuilder::add(sketch, parent, &node),
            _ => {
                let capacity = game.tree().subtree(part.at).count();
                sketch = Some(SketchBuilder::new(&node, capacity));
                NodeId::ROOT
            }
        };
        path.push(id);
    });
    let sketch = sketch.unwrap_or_else(|| SketchBuilder::new(&SketchNode::default(), 1));
    let mut sketch = sketch.finish();
    add_notes(&mut sketch, game);
    add_legend(&mut sketch, game);
    add_diagrams(&mut sketch, game, part);
    sketch
}

/// The boards, comments and arrows of a page, node by node in preorder.
pub fn page_boards(game: &Game, top: NodeId) -> PageBoards {
    let mut boards: Option<PageBoards> = None;
    visit(game, top, |visit| {
        let changes = changes(game, &visit);
        match &mut boards {
            Some(boards) => boards.add_move(&changes),
            None => boards = Some(start(game, &visit, &changes)),
        }
        if let Some(boards) = &mut boards {
            annotate(boards, game, visit.node);
        }
    });
    boards.unwrap_or_else(|| PageBoards::new(&diagram(game.start()), 0, String::new(), &[]))
}

fn start(game: &Game, visit: &Visit<'_>, last: &[SquareChange]) -> PageBoards {
    let board = visit.board.board();
    let game_view = GameView {
        game,
        view: &tree::View::new(),
    };
    let parent = game.tree().parent(visit.node);
    let path = parent.map_or_else(String::new, |parent| game_view.path(parent));
    PageBoards::new(&diagram(board), board.ply(), path, last)
}

fn annotate(boards: &mut PageBoards, game: &Game, source: NodeId) {
    if game.comments_at(source).next().is_none() {
        return;
    }
    let node = game.node(source);
    let comment = [node.starting_comment().into_owned(), node.prose()].join(" ");
    let arrows: Vec<gametree_draw::Arrow> = node.shapes().iter().map(arrow).collect();
    boards.annotate(comment.trim(), &arrows);
}

fn add_notes(sketch: &mut Sketch, game: &Game) {
    for id in sketch.ids() {
        let source = sketch.source(id);
        if game.comments_at(source).next().is_none() {
            continue;
        }
        let prose = game.node(source).prose();
        if !prose.is_empty() {
            sketch.add_note(id, &prose);
        }
    }
}

fn add_diagrams(sketch: &mut Sketch, game: &Game, part: &TreePart) {
    let asks = |source: NodeId| game.nags_at(source).any(|nag| matches!(nag, 220 | 221));
    let mut nodes = sketch.find_all(&part.boards);
    if part.diagrams {
        nodes.extend(sketch.ids().filter(|&id| asks(sketch.source(id))));
    }
    for id in nodes {
        sketch.add_diagram(id, diagram_at(game, sketch.source(id)));
    }
}

fn node(game: &Game, visit: &Visit<'_>) -> SketchNode {
    let mv = game.tree().move_to(visit.node).copied();
    let before = visit.before.map(KeyedBoard::board);
    let (number, text) = match (before, mv) {
        (Some(before), Some(mv)) => {
            let number = if needs_number(game, before, visit) {
                number(before)
            } else {
                String::new()
            };
            (number, before.san(mv).to_string())
        }
        _ => (String::new(), String::new()),
    };
    SketchNode {
        source: visit.node,
        key: visit.board.key(Identity::Strict),
        mover: before.map(|board| color(board.turn())),
        number,
        text,
        glyphs: drawable(glyphs(game, visit.node)),
    }
}

/// Black's moves have a number only where the previous move is not next to them.
fn needs_number(game: &Game, before: &Board, visit: &Visit<'_>) -> bool {
    before.turn() == Color::White
        || visit.ply == 0
        || game.tree().parent(visit.node) == Some(NodeId::ROOT)
        || !game.tree().is_locally_mainline(visit.node)
}

/// More glyphs than this on one move are shortened.
const MOST_GLYPHS: usize = 12;

/// The glyphs of a card, without the request for a diagram.
fn drawable(glyphs: String) -> String {
    if glyphs.is_empty() {
        return glyphs;
    }
    gametree_draw::shortened(&glyphs.replace('D', ""), MOST_GLYPHS)
}

/// Explains the signs in use.
fn add_legend(sketch: &mut Sketch, game: &Game) {
    let nags = { sketch.ids() }.flat_map(|id| game.nags_at(sketch.source(id)));
    let used: BTreeSet<u32> = nags.collect();
    let mut explained: Vec<&str> = Vec::new();
    for nag in used {
        if let (Some(sign), Some(meaning)) = (nag::glyph(nag), meaning(nag))
            && !explained.contains(&sign)
        {
            explained.push(sign);
            sketch.explain(sign, meaning);
        }
    }
}

/// The squares that the move to a node changes, origin and destination first.
fn changes(game: &Game, visit: &Visit<'_>) -> Vec<SquareChange> {
    let mv = game.tree().move_to(visit.node).copied();
    let (Some(before), Some((from, to))) = (visit.before, mv.and_then(squares_of)) else {
        return Vec::new();
    };
    let (before, after) = (before.board(), visit.board.board());
    let differs = |square: &Square| before.piece_at(*square) != after.piece_at(*square);
    let others = Square::ALL
        .into_iter()
        .filter(|square| ![from, to].contains(square))
        .filter(differs);
    [from, to]
        .into_iter()
        .chain(others)
        .map(|changed| (square(changed), after.piece_at(changed).map(piece)))
        .collect()
}
