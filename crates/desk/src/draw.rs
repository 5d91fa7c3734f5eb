//! Pictures of games and boards, drawn by the crate `draw`.
//!
//! ```
//! use gametree_desk::draw::{Format, Paper, TreeOptions, draw_tree};
//!
//! let game = gametree_chess::pgn::read_game(b"1. e4 e5 (1... c5) 2. Nf3 *").unwrap();
//! let drawn = draw_tree(&game, &TreeOptions::default(), &Paper::default(), Format::Svg)?;
//! assert_eq!((drawn.nodes, drawn.shown), (5, 5));
//! assert!(drawn.bytes.starts_with(b"<svg"));
//! # Ok::<(), gametree_desk::draw::DrawError>(())
//! ```

mod board;
mod sketch;

use chess::pgn::Game;
use tree::NodeId;

pub use board::{arrow, diagram, diagram_at, squares_of};
pub use gametree_draw::{Diagram, DrawError, Drawn, Format, Paper, Theme, draw_board};

/// What a picture of a game's tree shows.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeOptions {
    /// The root of the picture.
    pub at: NodeId,
    /// Depth in moves; none: to the ends.
    pub depth: Option<u32>,
    /// Approximate number of nodes; less important ones are folded and counted. None: all.
    pub budget: Option<usize>,
    /// Nodes drawn with a board.
    pub boards: Vec<NodeId>,
    /// Nodes to highlight; as many as the budget allows are visible.
    pub marked: Vec<NodeId>,
    /// Draw a board where the game asks for a diagram (`$220`, `$221`, "D").
    pub diagrams: bool,
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

/// Draws a game's tree.
pub fn draw_tree(
    game: &Game,
    options: &TreeOptions,
    paper: &Paper,
    format: Format,
) -> Result<Drawn, DrawError> {
    let sketch = sketch::sketch(game, options);
    let options_of_picture = gametree_draw::TreeOptions {
        depth: options.depth,
        budget: options.budget,
        marked: options.marked.clone(),
        arcs: options.arcs,
        flipped: options.flipped,
        title: options.title.clone(),
    };
    if format == Format::Html {
        let boards = sketch::page_boards(game, options.at);
        return Ok(gametree_draw::draw_page(
            &sketch,
            &boards,
            &options_of_picture,
            paper,
        ));
    }
    gametree_draw::draw_tree(&sketch, &options_of_picture, paper, format)
}

#[cfg(test)]
mod tests;
