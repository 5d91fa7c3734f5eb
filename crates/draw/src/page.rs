//! A tree as an HTML page: one self-contained file that folds, zooms and shows the board.

use std::collections::BTreeMap;
use std::fmt::Write;

use gametree_tree::NodeId;
use gametree_tree::layout::Content;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::TreeOptions;
use crate::diagram::{Arrow, Color, Diagram, Paint, Piece, Role, Square};
use crate::ink::Theme;
use crate::pieces::stamps;
use crate::scene::{PathStep, Scene};
use crate::sign;
use crate::sketch::Sketch;
use crate::svg::{escape, stamp_definitions};
use crate::tree::Branches;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The piece that a move puts on a square; none if the square becomes empty.
pub type SquareChange = (Square, Option<Piece>);

/// The boards and comments that a page shows beside the tree, node by node in preorder.
#[derive(Clone, PartialEq, Debug)]
pub struct PageBoards {
    start: Start,
    changes: String,
    nodes: u32,
    comments: BTreeMap<u32, String>,
    arrows: BTreeMap<u32, String>,
}

impl PageBoards {
    /// Starts with the root of the sketch: its board, the number of half-moves before it, the moves
    /// to it without the last, and the squares that the last one changed (origin and destination
    /// first).
    pub fn new(board: &Diagram, ply: u32, path: String, last: &[SquareChange]) -> PageBoards {
        PageBoards {
            start: Start {
                board: board.pieces.iter().map(|&piece| letter(piece)).collect(),
                ply,
                path,
                last: changes_text(last),
            },
            changes: String::new(),
            nodes: 1,
            comments: BTreeMap::new(),
            arrows: BTreeMap::new(),
        }
    }

    /// Adds the next node in preorder by the squares that its move changes, origin and destination
    /// first.
    pub fn add_move(&mut self, changes: &[SquareChange]) {
        if self.nodes > 1 {
            self.changes.push(' ');
        }
        self.changes += &changes_text(changes);
        self.nodes += 1;
    }

    /// Attaches a comment and arrows to the last node added.
    pub fn annotate(&mut self, comment: &str, arrows: &[Arrow]) {
        if !comment.is_empty() {
            self.comments.insert(self.nodes - 1, comment.to_owned());
        }
        if !arrows.is_empty() {
            let arrows: Vec<String> = arrows.iter().map(arrow_text).collect();
            self.arrows.insert(self.nodes - 1, arrows.join(","));
        }
    }
}

/// A tree of a page, with its boards.
#[derive(Clone, Debug)]
pub struct PageChapter {
    /// The tree.
    pub sketch: Sketch,
    /// Its boards.
    pub boards: PageBoards,
    /// Its options; the title is the name of the chapter.
    pub options: TreeOptions,
}

/// The page; each chapter has its visible part.
pub(crate) fn html(chapters: &[PageChapter], branches: &[Branches], theme: Theme) -> String {
    let first = chapters.first().map(|chapter| &chapter.options);
    let book = Book {
        chapters: chapters
            .iter()
            .zip(branches)
            .map(|(chapter, branches)| Data::new(chapter, branches))
            .collect(),
        signs: sign_paths(),
        advance: sign::ADVANCE,
        flipped: first.is_some_and(|options| options.flipped),
    };
    let mut title = String::new();
    escape(first.map_or("", |options| &options.title), &mut title);
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
        "legend" => legend(chapters),
        _ => book.json(),
    })
}

/// The meanings of the signs in use, as a list.
fn legend(chapters: &[PageChapter]) -> String {
    let signs = chapters.iter().flat_map(|chapter| &chapter.sketch.legend);
    let mut list = String::new();
    let mut seen: Vec<&str> = Vec::new();
    for (sign, meaning) in signs {
        if seen.contains(&sign.as_str()) {
            continue;
        }
        seen.push(sign);
        list.push_str("<dt class=\"signs\">");
        escape(sign, &mut list);
        list.push_str("</dt><dd>");
        escape(meaning, &mut list);
        list.push_str("</dd>\n");
    }
    if list.is_empty() {
        return list;
    }
    format!("<h2>Signs</h2>\n<dl>\n{list}</dl>\n")
}

/// The outlines of the signs that fonts lack, regular and bold, as SVG paths of size 1.
fn sign_paths() -> BTreeMap<char, [String; 2]> {
    let path = |sign, bold| path_text(&sign::outline(sign, bold).unwrap_or_default());
    let paths = |sign| [path(sign, false), path(sign, true)];
    sign::SIGNS
        .into_iter()
        .map(|sign| (sign, paths(sign)))
        .collect()
}

/// A path in SVG notation, exact enough for a drawing of size 1.
fn path_text(steps: &[PathStep]) -> String {
    let mut text = String::new();
    for step in steps {
        let _ = match *step {
            PathStep::Move(x, y) => write!(text, "M{x:.4} {y:.4}"),
            PathStep::Line(x, y) => write!(text, "L{x:.4} {y:.4}"),
            PathStep::Curve(x1, y1, x2, y2, x, y) => {
                write!(text, "C{x1:.4} {y1:.4} {x2:.4} {y2:.4} {x:.4} {y:.4}")
            }
            PathStep::Close => write!(text, "Z"),
        };
    }
    text
}

/// Replaces `{{name}}` in the template; values are inserted verbatim.
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

/// The data of the page.
#[derive(Serialize)]
struct Book<'a> {
    chapters: Vec<Data<'a>>,
    signs: BTreeMap<char, [String; 2]>,
    /// The width of these signs.
    advance: f64,
    flipped: bool,
}

impl Book<'_> {
    /// JSON that cannot end the HTML element that contains it.
    fn json(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        json.replace('<', "\\u003c")
    }
}

/// The data of a chapter; nodes are numbered in preorder.
#[derive(Serialize)]
struct Data<'a> {
    title: &'a str,
    start: &'a Start,
    /// The moves, joined by blanks; the root's may be empty.
    moves: String,
    /// For each node except the root, the number of steps up from the previous node to its parent.
    up: Vec<u32>,
    /// For each node except the root, the squares that its move changes, joined by blanks: square
    /// and piece in turn, origin and destination first.
    changes: &'a str,
    signs: BTreeMap<u32, String>,
    comments: &'a BTreeMap<u32, String>,
    shapes: &'a BTreeMap<u32, String>,
    /// Nodes whose position occurred before, with the earlier node.
    transpositions: Vec<(u32, u32)>,
    /// Highlighted nodes.
    marked: Vec<u32>,
    /// Nodes that are folded at first, with all below them.
    folded: Vec<u32>,
    arcs: bool,
}

/// The start of the picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Start {
    /// The pieces on a1, b1, … h8.
    board: String,
    /// Half-moves played, by the move numbers.
    ply: u32,
    /// The moves to it, except the last.
    path: String,
    /// The squares that the last move changed.
    last: String,
}

impl<'a> Data<'a> {
    fn new(chapter: &'a PageChapter, branches: &Branches) -> Data<'a> {
        let PageChapter {
            sketch,
            boards,
            options,
        } = chapter;
        let texts = sketch.ids().map(|node| sketch.text(node));
        let glyphs = sketch.ids().map(|node| (node.0, sketch.glyphs(node)));
        Data {
            title: &options.title,
            start: &boards.start,
            moves: texts.collect::<Vec<_>>().join(" "),
            up: steps_up(sketch),
            changes: &boards.changes,
            signs: glyphs
                .filter(|(_, glyphs)| !glyphs.is_empty())
                .map(|(index, glyphs)| (index, glyphs.to_owned()))
                .collect(),
            comments: &boards.comments,
            shapes: &boards.arrows,
            transpositions: transpositions(sketch),
            marked: { sketch.ids() }
                .filter(|&node| branches.is_marked(node))
                .map(|node| node.0)
                .collect(),
            folded: folded(sketch, branches),
            arcs: options.arcs,
        }
    }
}

/// For each node except the root, the number of steps up from the previous node to its parent.
fn steps_up(sketch: &Sketch) -> Vec<u32> {
    let plies = sketch.plies();
    let pairs = plies.windows(2);
    pairs.map(|pair| pair[0] + 1 - pair[1]).collect()
}

/// Nodes whose position occurred at an earlier node, with that node.
fn transpositions(sketch: &Sketch) -> Vec<(u32, u32)> {
    let mut first: FxHashMap<u128, u32> = FxHashMap::default();
    let nodes = sketch.ids().map(|node| (node.0, sketch.key(node)));
    let pairs = nodes.map(|(index, key)| (index, *first.entry(key).or_insert(index)));
    pairs.filter(|(index, earlier)| index != earlier).collect()
}

/// The folded nodes, without those below them.
fn folded(sketch: &Sketch, branches: &Branches) -> Vec<u32> {
    let mut shown = vec![false; sketch.len()];
    let items = branches.plan().items();
    let nodes = items.filter_map(|item| match item.content {
        Content::Node(node) => Some(node),
        Content::Fold { .. } => None,
    });
    nodes.for_each(|node| shown[node.index()] = true);
    let all = sketch.ids();
    let is_top = |node: &NodeId| {
        let parent = sketch.tree.parent(*node);
        !shown[node.index()] && parent.is_some_and(|parent| shown[parent.index()])
    };
    all.filter(is_top).map(|node| node.0).collect()
}

/// A letter for each square, a1 first.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Square and piece in turn.
fn changes_text(changes: &[SquareChange]) -> String {
    let mut text = String::new();
    for &(square, piece) in changes {
        text.push(SQUARES[square.index()].into());
        text.push(letter(piece));
    }
    text
}

/// The letter of a piece, White's in capitals; `.` for none.
fn letter(piece: Option<Piece>) -> char {
    let Some(piece) = piece else {
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

/// An arrow in the notation of PGN: `Gd2d4`, a marked square as `Rd5`.
fn arrow_text(arrow: &Arrow) -> String {
    let mut text = String::from(match arrow.paint {
        Paint::Green => 'G',
        Paint::Red => 'R',
        Paint::Yellow => 'Y',
        Paint::Blue => 'B',
    });
    let _ = write!(text, "{}", arrow.from);
    if arrow.from != arrow.to {
        let _ = write!(text, "{}", arrow.to);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_inserted_verbatim() {
        let page = fill("<{{a}}|{{b}}>", |name| match name {
            "a" => "{{b}}".to_owned(),
            _ => "x".to_owned(),
        });
        assert_eq!(page, "<{{b}}|x>");
    }
}
