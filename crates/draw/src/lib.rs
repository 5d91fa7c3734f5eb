//! Pictures of game trees, chess boards and thermographs: SVG, PNG, PDF, Graphviz and HTML.
//!
//! A picture is drawn from plain data: a [`Sketch`] of a tree, a [`Diagram`] of a board, a
//! [`Thermograph`]. The crate has no rules of games and reads no files.
//!
//! ```
//! use gametree_draw::{Color, Format, Paper, Sketch, SketchNode, TreeOptions, draw_tree};
//! use gametree_tree::{NodeId, Tree};
//!
//! let mut tree = Tree::new();
//! tree.add_child(NodeId::ROOT, NodeId(1));
//! let start = SketchNode::default();
//! let e4 = SketchNode {
//!     source: NodeId(1),
//!     ply: 1,
//!     key: 1,
//!     mover: Some(Color::White),
//!     number: "1.".to_owned(),
//!     text: "e4".to_owned(),
//!     ..SketchNode::default()
//! };
//! let sketch = Sketch::new(tree, vec![start, e4]);
//! let drawn = draw_tree(&sketch, &TreeOptions::default(), &Paper::default(), Format::Svg)?;
//! assert!(drawn.bytes.starts_with(b"<svg"));
//! # Ok::<(), gametree_draw::DrawError>(())
//! ```

// A panic is a bug: what input can cause is an error.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod board;
mod diagram;
mod dot;
mod font;
mod ink;
mod page;
mod pdf;
mod pieces;
mod plan;
mod png;
mod scene;
mod sketch;
mod svg;
mod text;
mod thermograph;
mod tree;

use std::fmt;

use gametree_tree::NodeId;

use scene::Scene;
use tree::Branches;

pub use diagram::{Arrow, Color, Diagram, Paint, Piece, Role, Square};
pub use ink::Theme;
pub use page::{PageBoards, SquareChange};
pub use sketch::{Sketch, SketchNode};
pub use svg::escape;
pub use text::shortened;
pub use thermograph::{Number, Thermograph, thermograph_text};

/// The format of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Vector graphics for browsers and drawing programs.
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
    /// The format of a file extension; the name must not end in a compression format.
    pub fn of_name(name: &str) -> Option<Format> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            "pdf" => Some(Format::Pdf),
            "dot" | "gv" => Some(Format::Dot),
            "html" | "htm" => Some(Format::Html),
            _ => None,
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

/// Options of a picture of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeOptions {
    /// Depth in moves; none: to the ends.
    pub depth: Option<u32>,
    /// Approximate number of nodes; less important ones are folded and counted. None: all.
    pub budget: Option<usize>,
    /// Nodes of the source tree to highlight; as many as the budget allows are visible.
    pub marked: Vec<NodeId>,
    /// Join equal positions by arcs.
    pub arcs: bool,
    /// Boards with Black below.
    pub flipped: bool,
    /// The title above the picture.
    pub title: String,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            depth: None,
            budget: None,
            marked: Vec::new(),
            arcs: true,
            flipped: false,
            title: String::new(),
        }
    }
}

/// The colours and the size of a picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Paper {
    /// Light or dark.
    pub theme: Theme,
    /// Scale; none: 1, or less where a PNG would be too large.
    pub scale: Option<f64>,
}

/// A picture and its contents in numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The file.
    pub bytes: Vec<u8>,
    /// Number of nodes of the tree.
    pub nodes: usize,
    /// Number of visible nodes.
    pub shown: usize,
    /// Number of arcs between equal positions.
    pub arcs: usize,
}

/// The reason why a picture cannot be drawn.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum DrawError {
    /// A scale that is not a positive number.
    Scale(f64),
    /// More pixels than fit into memory.
    TooLarge {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
    },
    /// The picture does not support this format.
    UnsupportedFormat(Format),
    /// The font for PDF could not be built.
    Font(String),
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::Scale(scale) => write!(f, "invalid scale {scale}"),
            DrawError::TooLarge { width, height } => {
                write!(f, "picture too large: {width} × {height} pixels")
            }
            DrawError::UnsupportedFormat(format) => {
                write!(f, "this picture cannot be drawn as {format}")
            }
            DrawError::Font(why) => write!(f, "cannot embed the font in the PDF: {why}"),
        }
    }
}

impl std::error::Error for DrawError {}

impl DrawError {
    /// A hint for the user.
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            DrawError::Scale(_) => Some("1 is the normal size, 2 is twice as large"),
            DrawError::TooLarge { .. } => {
                Some("show fewer moves, use a smaller --scale such as 0.1, or draw an SVG")
            }
            DrawError::UnsupportedFormat(_) => Some("use SVG, PNG or PDF"),
            DrawError::Font(_) => None,
        }
    }
}

/// Draws a tree as SVG, PNG, PDF or DOT; for HTML see [`draw_page`].
pub fn draw_tree(
    sketch: &Sketch,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
) -> Result<Drawn, DrawError> {
    let branches = Branches::new(sketch, options);
    let bytes = match format {
        Format::Dot => dot::dot(&branches, sketch, &options.title, paper.theme).into_bytes(),
        _ => render(&branches.scene(), paper, format)?,
    };
    Ok(drawn(bytes, sketch, &branches))
}

/// Draws a tree as an HTML page with a board.
pub fn draw_page(
    sketch: &Sketch,
    boards: &PageBoards,
    options: &TreeOptions,
    paper: &Paper,
) -> Drawn {
    let branches = Branches::new(sketch, options);
    let page = page::html(sketch, boards, &branches, options, paper.theme);
    drawn(page.into_bytes(), sketch, &branches)
}

fn drawn(bytes: Vec<u8>, sketch: &Sketch, branches: &Branches) -> Drawn {
    Drawn {
        bytes,
        nodes: sketch.len(),
        shown: branches.shown(),
        arcs: branches.arcs().len(),
    }
}

/// Draws a board as SVG, PNG or PDF.
pub fn draw_board(diagram: &Diagram, paper: &Paper, format: Format) -> Result<Vec<u8>, DrawError> {
    render(&board::scene(diagram), paper, format)
}

/// Draws a thermograph as SVG, PNG or PDF.
pub fn draw_thermograph(
    graph: &Thermograph,
    title: &str,
    paper: &Paper,
    format: Format,
) -> Result<Vec<u8>, DrawError> {
    render(&thermograph::scene(graph, title), paper, format)
}

fn render(scene: &Scene, paper: &Paper, format: Format) -> Result<Vec<u8>, DrawError> {
    let scale = paper.scale.unwrap_or(1.0);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(DrawError::Scale(scale));
    }
    match format {
        Format::Svg => Ok(svg::svg(scene, paper.theme, scale).into_bytes()),
        Format::Png => png::png(scene, paper.theme, paper.scale),
        Format::Pdf => pdf::pdf(scene, paper.theme, scale),
        Format::Dot | Format::Html => Err(DrawError::UnsupportedFormat(format)),
    }
}
