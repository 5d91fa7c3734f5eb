//! Pictures as SVG.

use desk::draw::{
    Diagram, DrawError, Format, Paper, Theme, TreeOptions, TreePart, diagram, diagram_at,
    draw_board as board_picture, draw_tree as tree_picture,
};
use napi::bindgen_prelude::Result;
use napi_derive::napi;

use crate::board::BoardHandle;
use crate::game::{GameHandle, node_of, read_fen};
use crate::task::failure;

/// How a picture looks.
#[napi(object)]
pub struct PictureOptions {
    /// Light lines on dark ground.
    pub dark: bool,
    /// Black at the bottom of boards.
    pub flipped: bool,
    /// Arcs between transpositions.
    pub arcs: bool,
    /// Variations deeper than this are folded.
    pub depth: Option<u32>,
}

impl PictureOptions {
    fn paper(&self) -> Paper {
        Paper {
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            ..Paper::default()
        }
    }
}

/// The board of a FEN.
#[napi(catch_unwind)]
pub fn draw_fen(fen: String, options: PictureOptions) -> Result<String> {
    draw(diagram(&read_fen(&fen, None)?), &options)
}

/// A board.
#[napi(catch_unwind)]
pub fn draw_position(board: &BoardHandle, options: PictureOptions) -> Result<String> {
    draw(diagram(board.borrow().board()), &options)
}

/// The board at a node, with the last move, arrows and marked squares.
#[napi(catch_unwind)]
pub fn draw_node(game: &GameHandle, id: u32, options: PictureOptions) -> Result<String> {
    let game = game.borrow();
    let id = node_of(&game, id)?;
    draw(diagram_at(&game, id), &options)
}

fn draw(mut diagram: Diagram, options: &PictureOptions) -> Result<String> {
    diagram.flipped = options.flipped;
    text(board_picture(&diagram, &options.paper(), Format::Svg))
}

/// The tree below a node.
#[napi(catch_unwind)]
pub fn draw_tree(game: &GameHandle, id: u32, options: PictureOptions) -> Result<String> {
    let game = game.borrow();
    let part = TreePart {
        at: node_of(&game, id)?,
        ..TreePart::default()
    };
    let tree = TreeOptions {
        arcs: options.arcs,
        depth: options.depth,
        flipped: options.flipped,
        ..TreeOptions::default()
    };
    let drawn = tree_picture(&game, &part, &tree, &options.paper(), Format::Svg);
    text(drawn.map(|drawn| drawn.bytes))
}

fn text(picture: std::result::Result<Vec<u8>, DrawError>) -> Result<String> {
    String::from_utf8(picture.map_err(failure)?).map_err(failure)
}
