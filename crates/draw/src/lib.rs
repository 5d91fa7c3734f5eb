//! Pictures of game trees, chess boards and thermographs: SVG, PNG, PDF, Graphviz and HTML.
//!
//! A picture is drawn from plain data: a [`Sketch`] of a tree, a [`Diagram`] of a board, the rows of
//! a variations table, a [`Thermograph`]. The crate has no rules of games and reads no files.
//!
//! ```
//! use gametree_draw::{Color, Format, Paper, SketchBuilder, SketchNode, TreeOptions, draw_tree};
//! use gametree_tree::NodeId;
//!
//! let mut sketch = SketchBuilder::new(&SketchNode::default(), 2);
//! let e4 = SketchNode {
//!     source: NodeId(1),
//!     key: 1,
//!     mover: Some(Color::White),
//!     number: "1.".to_owned(),
//!     text: "e4".to_owned(),
//!     ..SketchNode::default()
//! };
//! sketch.add(NodeId::ROOT, &e4);
//! let drawn = draw_tree(&sketch.finish(), &TreeOptions::default(), &Paper::default(), Format::Svg)?;
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

use std::{fmt, io};

use gametree_tree::NodeId;
use gametree_tree::table::Row;

use scene::Scene;
use tree::{Branches, Space};

pub use self::png::Pixels;
pub use diagram::{Arrow, Color, Diagram, Paint, Piece, Role, Square};
pub use ink::Theme;
pub use page::{PageBoards, PageChapter, SquareChange};
pub use sheet::{PaperSize, Sheet};
pub use sketch::{Sketch, SketchBuilder, SketchNode};
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
    /// The contents.
    pub contents: Contents,
}

/// The contents of a picture in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contents {
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

/// The reason why a picture was not written.
#[derive(Debug)]
pub enum WriteError {
    /// It cannot be drawn.
    Draw(DrawError),
    /// The file cannot be written.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Draw(error) => error.fmt(f),
            WriteError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<DrawError> for WriteError {
    fn from(error: DrawError) -> WriteError {
        WriteError::Draw(error)
    }
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
    let mut bytes = Vec::new();
    // Writing into memory does not fail.
    let (contents, _) = draw_into(sketch, options, paper, format, &mut bytes)?;
    Ok(Drawn { bytes, contents })
}

/// Draws a tree into a file. The shapes of an SVG are made while it is written, so that a tree of
/// millions of moves needs about 80 bytes of memory for each.
pub fn write_tree(
    sketch: &Sketch,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
    out: &mut dyn io::Write,
) -> Result<Contents, WriteError> {
    let (contents, written) = draw_into(sketch, options, paper, format, out)?;
    written.map(|()| contents).map_err(WriteError::Io)
}

/// The contents, and whether the file could be written.
fn draw_into(
    sketch: &Sketch,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
    out: &mut dyn io::Write,
) -> Result<(Contents, io::Result<()>), DrawError> {
    let scale = valid_scale(paper)?;
    let branches = Branches::new(sketch, options);
    let mut contents = contents(std::iter::once(sketch), std::slice::from_ref(&branches));
    let picture = || branches.arranged(space(options, paper, format));
    let bytes = match format {
        Format::Svg => {
            let picture = picture();
            let (frame, layers) = (picture.frame(), picture.layers());
            let written = svg::write_streams(frame, layers, paper.theme, scale, out);
            return Ok((contents, written));
        }
        Format::Dot => {
            let text = dot::dot(&branches, sketch, &options.title, paper.theme);
            text.into_bytes()
        }
        Format::Png => {
            let picture = picture();
            // Before millions of shapes are made.
            png::check_size(picture.frame(), paper.scale)?;
            render(&picture.scene(), paper, format)?.0
        }
        Format::Pdf if paper.sheet.is_none() => {
            let picture = picture();
            pdf::page_of_streams(picture.frame(), picture.layers(), paper.theme, scale)?
        }
        Format::Pdf | Format::Html => {
            let (bytes, pages) = render(&picture().scene(), paper, format)?;
            contents.pages = pages;
            bytes
        }
    };
    Ok((contents, out.write_all(&bytes)))
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
        .map(|((_, options), branches)| {
            let space = space(options, paper, Format::Pdf);
            branches.arranged(space).scene()
        })
        .collect();
    let (bytes, pages) = pdf::pdf(&scenes, paper.theme, scale, paper.sheet)?;
    let sketches = chapters.iter().map(|(sketch, _)| sketch);
    let contents = Contents {
        pages,
        ..contents(sketches, &branches)
    };
    Ok(Drawn { bytes, contents })
}

/// Draws one or more trees as an HTML page with a board.
pub fn draw_page(chapters: &[PageChapter], paper: &Paper) -> Drawn {
    let branches: Vec<Branches> = chapters
        .iter()
        .map(|chapter| Branches::new(&chapter.sketch, &chapter.options))
        .collect();
    let page = page::html(chapters, &branches, paper.theme);
    let sketches = chapters.iter().map(|chapter| &chapter.sketch);
    Drawn {
        bytes: page.into_bytes(),
        contents: contents(sketches, &branches),
    }
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

fn contents<'a>(sketches: impl Iterator<Item = &'a Sketch>, branches: &[Branches]) -> Contents {
    Contents {
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
        Format::Svg => {
            let mut bytes = Vec::new();
            // Writing into memory does not fail.
            let _ = svg::write_scene(scene, paper.theme, scale, &mut bytes);
            Ok((bytes, 1))
        }
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
