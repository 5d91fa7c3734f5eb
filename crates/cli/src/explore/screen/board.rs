//! The board on the screen.

use desk::annotation::Shape;
use desk::{Board, Square};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Screen;
use super::palette::Palette;
use crate::board::{Diagram, Field, outlined};
use crate::ink::Ink;

/// How large the squares of the board are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Squares {
    /// Two at least: a piece and a sign.
    pub columns: u16,
    /// One at least.
    pub lines: u16,
}

impl Squares {
    const SIZES: [Squares; 3] = [
        Squares {
            columns: 6,
            lines: 3,
        },
        Squares {
            columns: 4,
            lines: 2,
        },
        Squares {
            columns: 2,
            lines: 1,
        },
    ];

    /// The largest for which the board fits.
    pub fn fitting(columns: u16, lines: u16) -> Option<Squares> {
        let fits = |size: &Squares| size.width() <= columns && size.height() <= lines;
        Self::SIZES.into_iter().find(fits)
    }

    /// With the names of the ranks and a blank.
    pub fn width(self) -> u16 {
        8 * self.columns + 3
    }

    /// With the names of the files.
    pub fn height(self) -> u16 {
        8 * self.lines + 1
    }
}

impl Screen {
    /// Draws the current position.
    pub(super) fn draw_board(&mut self, frame: &mut Frame, area: Rect, size: Squares) {
        let walk = self.session.walk();
        let board = walk.board();
        let shapes: Vec<Shape> = walk.game().node(walk.at()).shapes();
        let diagram = Diagram {
            board: &board,
            below: self.below,
            last: walk.last_move(),
            shapes: &shapes,
        };
        let grid = Grid { area, size };
        let buffer = frame.buffer_mut();
        self.areas.squares = self.draw_fields(buffer, grid, &diagram);
        self.draw_names(buffer, grid, &diagram);
        let turn = if board.turn() == self.below {
            grid.below().min(area.bottom().saturating_sub(1))
        } else {
            area.y
        };
        let style = self.palette.style(Ink::Head);
        buffer.set_string(area.x, turn, turn_sign(&board), style);
    }

    /// The squares with their pieces, and the area of each.
    fn draw_fields(
        &self,
        buffer: &mut Buffer,
        grid: Grid,
        diagram: &Diagram<'_>,
    ) -> Vec<(Rect, Square)> {
        let mut drawn = Vec::new();
        for (row, (_, fields)) in (0u16..).zip(diagram.ranks()) {
            for (column, field) in (0u16..).zip(&fields) {
                let square = grid.square(column, row);
                let picked = self.picked == Some(field.square);
                let style = self.palette.square(field, picked);
                let text = field_text(field, self.palette, picked);
                buffer.set_style(square, style);
                buffer.set_string(grid.middle_of_file(column), grid.middle(row), text, style);
                drawn.push((square, field.square));
            }
        }
        drawn
    }

    /// The numbers of the ranks and the letters of the files.
    fn draw_names(&self, buffer: &mut Buffer, grid: Grid, diagram: &Diagram<'_>) {
        let style = self.palette.style(Ink::Faint);
        for (row, (rank, _)) in (0u16..).zip(diagram.ranks()) {
            let name = rank.char().to_string();
            buffer.set_string(grid.area.x + 1, grid.middle(row), name, style);
        }
        for (column, file) in (0u16..).zip(diagram.files()) {
            let name = file.char().to_string();
            buffer.set_string(grid.middle_of_file(column), grid.below(), name, style);
        }
    }
}

/// Where the squares lie.
#[derive(Clone, Copy)]
struct Grid {
    area: Rect,
    size: Squares,
}

impl Grid {
    /// Columns for the numbers of the ranks.
    const RANKS: u16 = 3;

    fn square(self, column: u16, row: u16) -> Rect {
        Rect {
            x: self.area.x + Grid::RANKS + column * self.size.columns,
            y: self.area.y + row * self.size.lines,
            width: self.size.columns,
            height: self.size.lines,
        }
    }

    fn middle_of_file(self, column: u16) -> u16 {
        self.square(column, 0).x + (self.size.columns - 2) / 2
    }

    fn middle(self, row: u16) -> u16 {
        self.square(0, row).y + (self.size.lines - 1) / 2
    }

    fn below(self) -> u16 {
        self.area.y + 8 * self.size.lines
    }
}

/// Two columns of a square: the piece, and a sign if there are no colours.
fn field_text(field: &Field, palette: Palette, picked: bool) -> String {
    let empty = match (palette, field.is_dark()) {
        (Palette::Plain, true) => '·',
        _ => ' ',
    };
    let sign = match (palette, picked, field.last, field.paint) {
        (Palette::Plain, true, ..) => '*',
        (Palette::Plain, _, true, _) => '<',
        (Palette::Plain, _, _, Some(_)) => '+',
        _ => ' ',
    };
    format!("{}{sign}", field.piece.map_or(empty, outlined))
}

/// A mark beside the board for the side to move.
fn turn_sign(board: &Board) -> &'static str {
    board.turn().fold_wb("○", "●")
}
