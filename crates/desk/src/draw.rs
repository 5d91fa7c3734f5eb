//! Pictures of trees and boards: SVG, PNG, PDF, DOT and pages that fold.
//!
//! ```
//! use desk::draw::{Format, Paper, TreeWish, draw_tree};
//!
//! let game = chess::pgn::read_game(b"1. e4 e5 (1... c5) 2. Nf3 *").unwrap();
//! let drawn = draw_tree(&game, &TreeWish::default(), &Paper::default(), Format::Svg)?;
//! assert_eq!((drawn.nodes, drawn.shown), (5, 5));
//! assert!(drawn.bytes.starts_with(b"<svg"));
//! # Ok::<(), desk::draw::DrawError>(())
//! ```

pub(crate) mod board;
mod branches;
mod dot;
pub(crate) mod font;
mod html;
pub(crate) mod ink;
mod pdf;
mod pieces;
mod plan;
mod png;
pub(crate) mod scene;
pub(crate) mod sketch;
pub(crate) mod svg;

use std::fmt;

use chess::pgn::Game;
use tree::NodeId;

use branches::Branches;
use scene::Scene;
use sketch::Sketch;

use crate::input::Packing;

pub use board::{Diagram, squares_of};
pub use ink::Theme;

/// The form of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines and words, for browsers and drawing programs.
    Svg,
    /// Pixels.
    Png,
    /// A page to print.
    Pdf,
    /// A graph for Graphviz.
    Dot,
    /// A page that folds, zooms and shows the board.
    Html,
}

impl Format {
    /// The form that a file's name asks for by its ending, packed (`tree.svg.gz`) or not.
    pub fn of_name(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        let mut packings = Packing::ENDINGS.iter();
        let name = packings
            .find_map(|(ending, _)| name.strip_suffix(ending))
            .unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "pdf" => Some(Format::Pdf),
            "dot" | "gv" => Some(Format::Dot),
            "html" | "htm" => Some(Format::Html),
            _ => None,
        }
    }
}

/// What a picture of a tree should show.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeWish {
    /// The node from which on the tree is drawn.
    pub at: NodeId,
    /// How many moves deep; none: to the ends.
    pub depth: Option<u32>,
    /// About how many nodes; what is less important is folded and counted. None: all.
    pub budget: Option<usize>,
    /// Nodes that are shown with a board.
    pub boards: Vec<NodeId>,
    /// Nodes that are to catch the eye; as many of them are shown as the budget has room for.
    pub marked: Vec<NodeId>,
    /// Show a board where the game is marked so (`$220`, `$221`, "D").
    pub diagrams: bool,
    /// Join equal positions by arcs.
    pub arcs: bool,
    /// Boards with Black below.
    pub flipped: bool,
    /// What stands above.
    pub title: String,
}

impl Default for TreeWish {
    fn default() -> TreeWish {
        TreeWish {
            at: NodeId::ROOT,
            depth: None,
            budget: None,
            boards: Vec::new(),
            marked: Vec::new(),
            diagrams: false,
            arcs: true,
            flipped: false,
            title: String::new(),
        }
    }
}

/// What a picture is drawn on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Paper {
    /// Light or dark.
    pub theme: Theme,
    /// How much larger than usual.
    pub scale: Option<f64>,
}

/// A picture, and what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many nodes the tree has.
    pub nodes: usize,
    /// How many of them are shown.
    pub shown: usize,
    /// How many arcs join equal positions.
    pub arcs: usize,
}

/// Why something cannot be drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum DrawError {
    /// A scale that is no positive number.
    Scale(f64),
    /// More pixels than fit into memory.
    TooLarge {
        /// So many pixels wide.
        width: f64,
        /// So many pixels high.
        height: f64,
    },
    /// A board is no graph.
    NotForBoards(Format),
    /// The font for PDF could not be made.
    Font(String),
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::Scale(scale) => write!(f, "a picture cannot be drawn at scale {scale}"),
            DrawError::TooLarge { width, height } => {
                write!(f, "the picture would have {width} × {height} pixels")
            }
            DrawError::NotForBoards(format) => {
                write!(f, "this cannot be drawn as {format}")
            }
            DrawError::Font(why) => write!(f, "the font cannot be put into the PDF: {why}"),
        }
    }
}

impl std::error::Error for DrawError {}

impl DrawError {
    /// What could be done about it.
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            DrawError::Scale(_) => Some("1 is the usual size, 2 is twice as large"),
            DrawError::TooLarge { .. } => {
                Some("show less of it, draw it smaller (--scale 0.1), or draw an SVG")
            }
            DrawError::NotForBoards(_) => Some("draw it as SVG, PNG or PDF"),
            DrawError::Font(_) => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Svg => "SVG",
            Format::Png => "PNG",
            Format::Pdf => "PDF",
            Format::Dot => "DOT",
            Format::Html => "HTML",
        })
    }
}

/// Draws a game's tree.
pub fn draw_tree(
    game: &Game,
    wish: &TreeWish,
    paper: &Paper,
    format: Format,
) -> Result<Drawn, DrawError> {
    let sketch = Sketch::new(game, wish.at);
    let branches = Branches::new(Some(game), &sketch, wish);
    let bytes = match format {
        Format::Dot => dot::dot(&branches, &sketch, &wish.title, paper.theme).into_bytes(),
        Format::Html => html::html(game, &sketch, &branches, wish, paper.theme).into_bytes(),
        _ => render(&branches.scene(), paper, format)?,
    };
    Ok(Drawn {
        bytes,
        nodes: sketch.nodes.len(),
        shown: branches.shown(),
        arcs: branches.arcs().len(),
    })
}

/// Draws any tree whose moves are words. A page that shows boards is for games alone.
pub(crate) fn draw_sketch(
    sketch: &Sketch,
    wish: &TreeWish,
    paper: &Paper,
    format: Format,
) -> Result<Vec<u8>, DrawError> {
    let branches = Branches::new(None, sketch, wish);
    match format {
        Format::Dot => Ok(dot::dot(&branches, sketch, &wish.title, paper.theme).into_bytes()),
        _ => render(&branches.scene(), paper, format),
    }
}

/// Draws a board.
pub fn draw_board(diagram: &Diagram, paper: &Paper, format: Format) -> Result<Vec<u8>, DrawError> {
    render(&board::scene(diagram), paper, format)
}

pub(crate) fn render(scene: &Scene, paper: &Paper, format: Format) -> Result<Vec<u8>, DrawError> {
    let scale = paper.scale.unwrap_or(1.0);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(DrawError::Scale(scale));
    }
    match format {
        Format::Svg => Ok(svg::svg(scene, paper.theme, scale).into_bytes()),
        Format::Png => png::png(scene, paper.theme, paper.scale),
        Format::Pdf => pdf::pdf(scene, paper.theme, scale),
        Format::Dot | Format::Html => Err(DrawError::NotForBoards(format)),
    }
}

#[cfg(test)]
mod tests;
