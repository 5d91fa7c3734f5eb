//! Pictures of games and boards, drawn by the crate `draw`.
//!
//! ```
//! use gametree_desk::draw::{Format, Paper, TreeOptions, TreePart, draw_tree};
//!
//! let game = gametree_chess::pgn::read_game(b"1. e4 e5 (1... c5) 2. Nf3 *").unwrap();
//! let (part, options) = (TreePart::default(), TreeOptions::default());
//! let drawn = draw_tree(&game, &part, &options, &Paper::default(), Format::Svg)?;
//! assert_eq!((drawn.nodes, drawn.shown), (5, 5));
//! assert!(drawn.bytes.starts_with(b"<svg"));
//! # Ok::<(), gametree_desk::draw::DrawError>(())
//! ```

mod board;
mod sketch;

use chess::pgn::Game;
use tree::NodeId;

pub use board::{arrow, diagram, diagram_at, squares_of};
pub use gametree_draw::{Diagram, DrawError, Drawn, Format, Paper, Theme, TreeOptions, draw_board};

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

/// Draws a part of a game's tree.
pub fn draw_tree(
    game: &Game,
    part: &TreePart,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
) -> Result<Drawn, DrawError> {
    let sketch = sketch::sketch(game, part);
    if format == Format::Html {
        let boards = sketch::page_boards(game, part.at);
        return Ok(gametree_draw::draw_page(&sketch, &boards, options, paper));
    }
    gametree_draw::draw_tree(&sketch, options, paper, format)
}

#[cfg(test)]
mod tests;
