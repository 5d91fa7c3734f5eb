//! Pictures of games and boards, drawn by the crate `draw`.
//!
//! ```
//! use gametree_desk::draw::{Format, Paper, TreeOptions, TreePart, draw_tree};
//!
//! let game = gametree_chess::pgn::read_game(b"1. e4 e5 (1... c5) 2. Nf3 *").unwrap();
//! let (part, options) = (TreePart::default(), TreeOptions::default());
//! let drawn = draw_tree(&game, &part, &options, &Paper::default(), Format::Svg)?;
//! assert_eq!((drawn.contents.nodes, drawn.contents.shown), (5, 5));
//! assert!(drawn.bytes.starts_with(b"<svg"));
//! # Ok::<(), gametree_desk::draw::DrawError>(())
//! ```

mod board;
mod legend;
mod sketch;

use std::io;

use chess::pgn::Game;
use tree::NodeId;

pub use board::{arrow, diagram, diagram_at, squares_of};
pub use gametree_draw::{
    Contents, Diagram, DrawError, Drawn, Format, Paper, PaperSize, Pixels, Sheet, Theme,
    TreeOptions, WriteError, draw_board, draw_squares,
};
use gametree_draw::{PageChapter, draw_page};

/// The part of a game that a picture shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreePart {
    /// The root of the picture.
    pub at: NodeId,
    /// Nodes drawn with a board.
    pub boards: Vec<NodeId>,
    /// Draw a board where the game asks for a diagram (`$220`, `$221`, "D").
    pub diagrams: bool,
}

impl Default for TreePart {
    /// The whole game, without boards.
    fn default() -> TreePart {
        TreePart {
            at: NodeId::ROOT,
            boards: Vec::new(),
            diagrams: false,
        }
    }
}

/// A game of a file, and how to draw it.
#[derive(Clone, Debug)]
pub struct Chapter<'a> {
    /// The game.
    pub game: &'a Game,
    /// The part to draw.
    pub part: TreePart,
    /// The options; the title is the name of the chapter.
    pub options: TreeOptions,
}

/// Draws a part of a game's tree.
pub fn draw_tree(
    game: &Game,
    part: &TreePart,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
) -> Result<Drawn, DrawError> {
    match format {
        Format::Html => Ok(page(game, part, options, paper)),
        _ => gametree_draw::draw_tree(&sketch::sketch(game, part), options, paper, format),
    }
}

/// Draws a part of a game's tree into a file. An SVG of millions of moves needs little memory: the
/// game is dropped when its labels are known.
pub fn write_tree(
    game: Game,
    part: &TreePart,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
    out: &mut dyn io::Write,
) -> Result<Contents, WriteError> {
    if format == Format::Html {
        let Drawn { bytes, contents } = page(&game, part, options, paper);
        let written = out.write_all(&bytes).map_err(WriteError::Io);
        return written.map(|()| contents);
    }
    let sketch = sketch::sketch(&game, part);
    drop(game);
    gametree_draw::write_tree(&sketch, options, paper, format, out)
}

fn page(game: &Game, part: &TreePart, options: &TreeOptions, paper: &Paper) -> Drawn {
    let chapter = PageChapter {
        sketch: sketch::sketch(game, part),
        boards: sketch::page_boards(game, part.at),
        options: options.clone(),
    };
    draw_page(&[chapter], paper)
}

/// Draws several games as one PDF file or one HTML page.
pub fn draw_chapters(
    chapters: &[Chapter],
    paper: &Paper,
    format: Format,
) -> Result<Drawn, DrawError> {
    let sketches = chapters
        .iter()
        .map(|chapter| (sketch::sketch(chapter.game, &chapter.part), chapter));
    match format {
        Format::Html => {
            let page = sketches.map(|(sketch, chapter)| PageChapter {
                sketch,
                boards: sketch::page_boards(chapter.game, chapter.part.at),
                options: chapter.options.clone(),
            });
            Ok(draw_page(&page.collect::<Vec<_>>(), paper))
        }
        Format::Pdf => {
            let pages = sketches.map(|(sketch, chapter)| (sketch, chapter.options.clone()));
            gametree_draw::draw_chapters(&pages.collect::<Vec<_>>(), paper)
        }
        _ => Err(DrawError::UnsupportedFormat(format)),
    }
}

#[cfg(test)]
mod tests;
