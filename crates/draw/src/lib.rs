//! Pictures of game trees, chess boards and thermographs: SVG, PNG, PDF, Graphviz and HTML.
//!
//! A picture is drawn from plain data: a [`Sketch`] of a tree, a [`Diagram`] of a board, the rows of
//! a variations table, a [`Thermograph`]. The crate has no rules of games and reads no files.
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
mod bounds;
mod diagram;
mod dot;
mod font;
mod ink;
mod page;
mod pdf;
mod pieces;
mod plan;
mod png;
mod rows;
mod scene;
mod sheet;
mod sign;
mod sketch;
mod svg;
mod table;
mod text;
mod thermograph;
mod tree;

use std::fmt;

use gametree_tree::NodeId;
use gametree_tree::table::Row;

use scene::Scene;
use tree::{Branches, Space};

pub use self::png::Pixels;
pub use diagram::{Arrow, Color, Diagram, Paint, Piece, Role, Square};
pub use ink::Theme;
pub use page::{PageBoards, PageChapter, SquareChange};
pub use sheet::{PaperSize, Sheet};
pub use sketch::{Sketch, SketchNode};
pub use svg::escape;
pub use table::TableHeading;
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
    /// The greatest width in pixels of a game with few variations: it is divided into rows. None:
    /// one row. On a sheet of paper, rows have its width.
    pub row_width: Option<f64>,
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
            row_width: Some(ROW_WIDTH),
        }
    }
}

/// The usual width of rows.
const ROW_WIDTH: f64 = 1600.0;

/// The colours and the size of a picture.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Paper {
    /// Light or dark.
    pub theme: Theme,
    /// Scale; none: 1, or less where a PNG would be too large.
    pub scale: Option<f64>,
    /// The pages of a PDF; none: one page of the size of the picture.
    pub sheet: Option<Sheet>,
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
    /// Number of trees.
    pub chapters: usize,
    /// Number of pages of a PDF.
    pub pages: usize,
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
    /// More pages than are printed.
    TooManyPages {
        /// The greatest number.
        most: usize,
    },
    /// More chapters than pages are printed, each on pages of its own.
    TooManyChapters {
        /// The number of chapters.
        chapters: usize,
        /// The greatest number of pages.
        most: usize,
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
            DrawError::TooManyPages { most } => {
                write!(f, "the picture needs more than {most} pages")
            }
            DrawError::TooManyChapters { chapters, most } => write!(
                f,
                "{chapters} chapters need at least a page each; {most} pages are the most"
            ),
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
            DrawError::TooManyPages { .. } => {
                Some("show fewer moves, use a smaller --scale such as 0.5, or a larger --paper")
            }
            DrawError::TooManyChapters { .. } => Some("draw fewer games, or leave out --paper"),
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
    let (bytes, pages) = match format {
        Format::Dot => {
            let text = dot::dot(&branches, sketch, &options.title, paper.theme);
            (text.into_bytes(), 1)
        }
        _ => {
            let scene = branches.scene(space(options, paper, format));
            render(&scene, paper, format)?
        }
    };
    let drawn = drawn(bytes, std::iter::once(sketch), &[branches]);
    Ok(Drawn { pages, ..drawn })
}

/// Draws several trees as one PDF file, each on pages of its own.
pub fn draw_chapters(
    chapters: &[(Sketch, TreeOptions)],
    paper: &Paper,
) -> Result<Drawn, DrawError> {
    let scale = valid_scale(paper)?;
    let branches: Vec<Branches> = chapters
        .iter()
        .map(|(sketch, options)| Branches::new(sketch, options))
        .collect();
    let scenes: Vec<Scene> = chapters
        .iter()
        .zip(&branches)
        .map(|((_, options), branches)| branches.scene(space(options, paper, Format::Pdf)))
        .collect();
    let (bytes, pages) = pdf::pdf(&scenes, paper.theme, scale, paper.sheet)?;
    let sketches = chapters.iter().map(|(sketch, _)| sketch);
    let drawn = drawn(bytes, sketches, &branches);
    Ok(Drawn { pages, ..drawn })
}

/// Draws one or more trees as an HTML page with a board.
pub fn draw_page(chapters: &[PageChapter], paper: &Paper) -> Drawn {
    let branches: Vec<Branches> = chapters
        .iter()
        .map(|chapter| Branches::new(&chapter.sketch, &chapter.options))
        .collect();
    let page = page::html(chapters, &branches, paper.theme);
    let sketches = chapters.iter().map(|chapter| &chapter.sketch);
    drawn(page.into_bytes(), sketches, &branches)
}

/// The space for a tree, in units of the picture.
fn space(options: &TreeOptions, paper: &Paper, format: Format) -> Space {
    let usual = if format == Format::Png {
        png::USUAL_SCALE
    } else {
        1.0
    };
    let scale = paper.scale.unwrap_or(usual);
    let page = paper.sheet.filter(|_| format == Format::Pdf);
    Space {
        row_width: match page {
            Some(sheet) => Some(pdf::inner_width(sheet, scale)),
            None => options.row_width.map(|width| width / scale),
        },
        is_page: page.is_some(),
    }
}

fn drawn<'a>(
    bytes: Vec<u8>,
    sketches: impl Iterator<Item = &'a Sketch>,
    branches: &[Branches],
) -> Drawn {
    Drawn {
        bytes,
        nodes: sketches.map(Sketch::len).sum(),
        shown: branches.iter().map(Branches::shown).sum(),
        arcs: branches.iter().map(|branches| branches.arcs().len()).sum(),
        chapters: branches.len(),
        pages: 1,
    }
}

/// Draws a board as SVG, PNG or PDF.
pub fn draw_board(diagram: &Diagram, paper: &Paper, format: Format) -> Result<Vec<u8>, DrawError> {
    Ok(render(&board::scene(diagram), paper, format)?.0)
}

/// Draws the squares of a board, without coordinates and margins, stretched to this many pixels.
pub fn draw_squares(
    diagram: &Diagram,
    theme: Theme,
    width: u32,
    height: u32,
) -> Result<Pixels, DrawError> {
    png::pixels(&board::bare_scene(diagram), theme, width, height)
}

/// Draws the rows of a variations table as SVG, PNG or PDF.
pub fn draw_table(
    rows: &[Row],
    heading: &TableHeading,
    paper: &Paper,
    format: Format,
) -> Result<Vec<u8>, DrawError> {
    Ok(render(&table::scene(rows, heading), paper, format)?.0)
}

/// Draws a thermograph as SVG, PNG or PDF.
pub fn draw_thermograph(
    graph: &Thermograph,
    title: &str,
    paper: &Paper,
    format: Format,
) -> Result<Vec<u8>, DrawError> {
    Ok(render(&thermograph::scene(graph, title), paper, format)?.0)
}

/// The file, and its number of pages.
fn render(scene: &Scene, paper: &Paper, format: Format) -> Result<(Vec<u8>, usize), DrawError> {
    let scale = valid_scale(paper)?;
    match format {
        Format::Svg => Ok((svg::svg(scene, paper.theme, scale).into_bytes(), 1)),
        Format::Png => Ok((png::png(scene, paper.theme, paper.scale)?, 1)),
        Format::Pdf => {
            let scenes = std::slice::from_ref(scene);
            pdf::pdf(scenes, paper.theme, scale, paper.sheet)
        }
        Format::Dot | Format::Html => Err(DrawError::UnsupportedFormat(format)),
    }
}

fn valid_scale(paper: &Paper) -> Result<f64, DrawError> {
    let scale = paper.scale.unwrap_or(1.0);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(DrawError::Scale(scale));
    }
    Ok(scale)
}
