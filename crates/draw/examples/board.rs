//! Draws a position with one arrow as SVG on standard output.
//!
//! ```text
//! cargo run -p gametree-draw --example board > board.svg
//! ```

use std::io::{self, Write};

use gametree_draw::{Arrow, Color, Diagram, Format, Paint, Paper, Piece, Role, Square, draw_board};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut pieces = [None; 64];
    let mut put = |square: usize, color, role| pieces[square] = Some(Piece { color, role });
    put(4, Color::White, Role::King);
    put(12, Color::White, Role::Pawn);
    put(60, Color::Black, Role::King);
    let mut diagram = Diagram::new(pieces, Color::White);
    diagram.caption = "White to move".to_owned();
    let arrow = |from, to| {
        Some(Arrow {
            from: Square::new(from)?,
            to: Square::new(to)?,
            paint: Paint::Green,
        })
    };
    diagram.arrows.extend(arrow(12, 28));
    let svg = draw_board(&diagram, &Paper::default(), Format::Svg)?;
    io::stdout().write_all(&svg)?;
    Ok(())
}
