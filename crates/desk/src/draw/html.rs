//! A tree as a page: one file that needs nothing else, folds, zooms and shows the board.

use std::collections::BTreeMap;

use chess::pgn::Game;
use chess::{Board, Color, Role, Square};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::NodeId;
use tree::layout::What;

use super::TreeWish;
use super::board::squares_of;
use super::branches::Branches;
use super::ink::Theme;
use super::pieces::stamps;
use super::scene::Scene;
use super::sketch::{Sketch, Visit, visit};
use super::svg::{escape, stamp_definitions};
use crate::place::Ground;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn html(
    game: &Game,
    sketch: &Sketch,
    branches: &Branches,
    wish: &TreeWish,
    theme: Theme,
) -> String {
    let data = Data::new(game, sketch, branches, wish);
    let mut title = String::new();
    escape(&wish.title, &mut title);
    let pieces = Scene {
        stamps: stamps(),
        ..Scene::default()
    };
    fill(PAGE, |name| match name {
        "title" => title.clone(),
        "theme" => match theme {
            Theme::Light => "auto".to_owned(),
            Theme::Dark => "dark".to_owned(),
        },
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "pieces" => stamp_definitions(&pieces, Theme::Light),
        _ => data.json(),
    })
}

/// Puts values where the template names them, `{{so}}`; what stands in a value stays as it is.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        page += &value(name);
        page += rest;
    }
    page
}

/// All that the page knows of the tree; nodes are numbered in preorder.
#[derive(Serialize, Default)]
struct Data {
    start: Start,
    /// The moves, joined by blanks; that to the root may be empty.
    moves: String,
    /// For each node but the root, how many steps up from the node before lead to its parent.
    up: Vec<u32>,
    /// For each node but the root, which squares its move changes, joined by blanks: square and
    /// piece by turns, those that the piece left and reached first.
    changes: String,
    signs: BTreeMap<u32, String>,
    comments: BTreeMap<u32, String>,
    shapes: BTreeMap<u32, String>,
    /// Nodes whose position is known from an earlier one, and that one.
    twins: Vec<(u32, u32)>,
    /// Nodes that catch the eye.
    marked: Vec<u32>,
    /// Nodes that are not shown at first, with all below them.
    folded: Vec<u32>,
    arcs: bool,
    flipped: bool,
}

/// Where the picture starts.
#[derive(Serialize, Default)]
struct Start {
    /// What stands on a1, b1, … h8.
    board: String,
    /// Half-moves played, as the numbers of moves count them.
    ply: u32,
    /// The moves that led there, but for the last.
    path: String,
    /// What the last of them changed.
    last: String,
}

impl Data {
    fn new(game: &Game, sketch: &Sketch, branches: &Branches, wish: &TreeWish) -> Data {
        let mut data = Data {
            arcs: wish.arcs,
            flipped: wish.flipped,
            folded: folded(sketch, branches),
            marked: (0..sketch.nodes.len() as u32)
                .filter(|&node| branches.is_marked(NodeId(node)))
                .collect(),
            ..Data::default()
        };
        let mut first: FxHashMap<u128, u32> = FxHashMap::default();
        let mut index = 0;
        let mut ply_before = 0;
        visit(game, wish.at, |step| {
            let node = &sketch.nodes[index as usize];
            let known = *first.entry(node.key).or_insert(index);
            if known != index {
                data.twins.push((index, known));
            }
            if index == 0 {
                data.start = start(game, &step);
            } else {
                data.up.push(ply_before + 1 - step.ply);
                data.moves.push(' ');
                if index > 1 {
                    data.changes.push(' ');
                }
                data.changes += &changes(game, &step);
            }
            data.moves += &node.text;
            data.annotate(game, index, &node.glyphs, step.source);
            ply_before = step.ply;
            index += 1;
        });
        data
    }

    fn annotate(&mut self, game: &Game, index: u32, glyphs: &str, source: NodeId) {
        if !glyphs.is_empty() {
            self.signs.insert(index, glyphs.to_owned());
        }
        if game.comments_at(source).next().is_none() {
            return;
        }
        let node = game.node(source);
        let prose = [node.starting_comment().into_owned(), node.prose()];
        let prose = prose.join(" ").trim().to_owned();
        if !prose.is_empty() {
            self.comments.insert(index, prose);
        }
        let shapes: Vec<String> = node
            .shapes()
            .iter()
            .map(|shape| shape.to_string())
            .collect();
        if !shapes.is_empty() {
            self.shapes.insert(index, shapes.join(","));
        }
    }

    /// As JSON that cannot end the element it stands in.
    fn json(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        json.replace('<', "\\u003c")
    }
}

fn start(game: &Game, step: &Visit<'_>) -> Start {
    let board = step.board.board();
    let ground = Ground {
        tree: game.tree(),
        start: game.start(),
        view: &tree::View::new(),
    };
    let parent = game.tree().parent(step.source);
    Start {
        board: Square::ALL
            .map(|square| letter(board, square))
            .iter()
            .collect(),
        ply: board.ply(),
        path: parent.map_or_else(String::new, |parent| ground.path(parent)),
        last: changes(game, step),
    }
}

/// The nodes that are folded away, without those below them.
fn folded(sketch: &Sketch, branches: &Branches) -> Vec<u32> {
    let mut shown = vec![false; sketch.nodes.len()];
    let items = branches.plan().items().iter();
    let nodes = items.filter_map(|item| match item.what {
        What::Node(node) => Some(node),
        What::Fold { .. } => None,
    });
    nodes.for_each(|node| shown[node.index()] = true);
    let all = (0..sketch.nodes.len() as u32).map(NodeId);
    let is_top = |node: &NodeId| {
        let parent = sketch.tree.parent(*node);
        !shown[node.index()] && parent.is_some_and(|parent| shown[parent.index()])
    };
    all.filter(is_top).map(|node| node.0).collect()
}

/// A letter for each square, a1 first.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn changes(game: &Game, step: &Visit<'_>) -> String {
    let mv = game.tree().move_to(step.source).copied();
    let (Some(before), Some((from, to))) = (step.before, mv.and_then(squares_of)) else {
        return String::new();
    };
    let (before, after) = (before.board(), step.board.board());
    let differs = |square: &Square| before.piece_at(*square) != after.piece_at(*square);
    let others = Square::ALL
        .into_iter()
        .filter(|square| ![from, to].contains(square))
        .filter(differs);
    let mut text = String::new();
    for square in [from, to].into_iter().chain(others) {
        text.push(SQUARES[usize::from(square)].into());
        text.push(letter(after, square));
    }
    text
}

/// What stands on a square, White's in capitals; `.` for nothing.
fn letter(board: &Board, square: Square) -> char {
    let Some(piece) = board.piece_at(square) else {
        return '.';
    };
    let letter = match piece.role {
        Role::Pawn => 'p',
        Role::Knight => 'n',
        Role::Bishop => 'b',
        Role::Rook => 'r',
        Role::Queen => 'q',
        Role::King => 'k',
    };
    match piece.color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_not_templates() {
        let page = fill("<{{a}}|{{b}}>", |name| match name {
            "a" => "{{b}}".to_owned(),
            _ => "x".to_owned(),
        });
        assert_eq!(page, "<{{b}}|x>");
    }
}
