//! The board on the screen.

use std::io::{self, Write};

use desk::annotation::{Paint, Shape};
use desk::draw::{Theme, draw_squares};
use desk::{Board, Color, Piece, Square};
use ratatui_core::buffer::{Buffer, CellDiffOption};
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::terminal::Frame;

use super::palette::Palette;
use super::{Screen, blocks};
use crate::board::{Diagram, Field, filled, outlined};
use crate::ink::Ink;

/// How large the squares of the board are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Squares {
    /// Two at least: a piece and a sign.
    pub columns: u16,
    /// One at least.
    pub lines: u16,
}

/// The largest squares, in lines.
const LARGEST: u16 = 6;

/// Pictures of block characters need squares of this many lines.
const LOWEST_BLOCKS: u16 = 5;

impl Squares {
    /// A piece and a sign in one line.
    pub const SMALLEST: Squares = Squares {
        columns: 2,
        lines: 1,
    };

    /// The largest for which the board fits, if a cell has this width and height.
    pub fn fitting(columns: u16, lines: u16, cell: (u16, u16)) -> Option<Squares> {
        let fits = |size: &Squares| size.width() <= columns && size.height() <= lines;
        let sizes = (1..=LARGEST).rev().map(|lines| {
            let columns = f64::from(lines * cell.1) / f64::from(cell.0.max(1));
            Squares {
                columns: (columns.round() as u16).max(2),
                lines,
            }
        });
        sizes.into_iter().find(fits)
    }

    /// True if a comment below the board would be too narrow to read.
    pub fn is_narrow(self) -> bool {
        self.lines == 1
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

/// A picture of the board and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    area: Rect,
    diagram: desk::draw::Diagram,
}

/// Fills the cells below a picture. It is never printed, but any other character differs from it
/// and replaces the picture.
const BELOW_PICTURE: char = '�';

/// Pictures.
impl Screen {
    /// The current position as a picture.
    fn diagram(&self) -> desk::draw::Diagram {
        let walk = self.session.walk();
        let mut diagram = desk::draw::diagram_at(walk.game(), walk.at());
        diagram.flipped = self.below == Color::Black;
        diagram.arrows.extend(self.picked.map(|square| {
            let picked = Shape {
                paint: Paint::Yellow,
                from: square,
                to: square,
            };
            desk::draw::arrow(&picked)
        }));
        diagram
    }

    /// Leaves room for the picture, which is drawn after everything else.
    fn draw_picture(&mut self, buffer: &mut Buffer, area: Rect) {
        for place in area.positions() {
            if let Some(cell) = buffer.cell_mut(place) {
                cell.set_char(BELOW_PICTURE)
                    .set_diff_option(CellDiffOption::Skip);
            }
        }
        let diagram = self.diagram();
        self.areas.picture = Some(Picture { area, diagram });
    }

    fn draw_blocks(&mut self, buffer: &mut Buffer, area: Rect) {
        let diagram = self.diagram();
        let picture = Picture { area, diagram };
        let known = self.blocks.take().filter(|(known, _)| *known == picture);
        let (picture, cells) = known.unwrap_or_else(|| {
            let (width, height) = blocks::size(area.width, area.height);
            let pixels = draw_squares(&picture.diagram, Theme::Light, width, height);
            let cells = pixels.map_or_else(|_| Vec::new(), |pixels| blocks::cells(&pixels));
            (picture, cells)
        });
        blocks::draw(buffer, area, &cells, self.palette);
        self.blocks = Some((picture, cells));
    }

    /// Shows or removes the picture, after the rest of the screen was drawn.
    pub(super) fn update_picture(&mut self) -> io::Result<()> {
        let (Some(graphics), wanted) = (self.graphics, self.areas.picture.take()) else {
            return Ok(());
        };
        if wanted == self.shown {
            return Ok(());
        }
        let mut bytes = graphics.protocol.hide();
        if let Some(Picture { area, diagram }) = &wanted {
            let (width, height) = graphics.cell;
            let (width, height) = (
                u32::from(area.width) * u32::from(width),
                u32::from(area.height) * u32::from(height),
            );
            bytes.extend(format!("\x1b[{};{}H", area.y + 1, area.x + 1).bytes());
            if let Ok(pixels) = draw_squares(diagram, Theme::Light, width, height) {
                bytes.extend(graphics.protocol.show(&pixels, area.width, area.height));
            }
        }
        self.shown = wanted;
        let mut output = io::stdout();
        output.write_all(&bytes)?;
        output.flush()
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
        let squares = Rect {
            width: 8 * size.columns,
            height: 8 * size.lines,
            ..grid.square(0, 0)
        };
        self.areas.squares = self.draw_fields(buffer, grid, &diagram);
        if self.graphics.is_some() {
            self.draw_picture(buffer, squares);
        } else if size.lines >= LOWEST_BLOCKS && self.palette.has_many() {
            self.draw_blocks(buffer, squares);
        }
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
                buffer.set_style(square, style);
                match field.piece.filter(|_| self.has_silhouettes(grid.size)) {
                    Some(piece) => draw_silhouette(buffer, square, piece, style),
                    None => {
                        let text = field_text(field, self.palette, picked);
                        let (x, y) = (grid.middle_of_file(column), grid.middle(row));
                        buffer.set_string(x, y, text, style);
                    }
                }
                let has_sign = self.palette == Palette::Plain && (field.last || picked);
                if let Some(arrow) = field.arrow.filter(|_| !has_sign) {
                    let (x, y) = match field.piece {
                        Some(_) => (square.right() - 1, square.y),
                        None => (grid.middle_of_file(column), grid.middle(row)),
                    };
                    buffer.set_string(x, y, arrow.to_string(), style);
                }
                drawn.push((square, field.square));
            }
        }
        drawn
    }

    fn has_silhouettes(&self, size: Squares) -> bool {
        let (columns, lines) = blocks::SILHOUETTE;
        size.columns >= columns && size.lines >= lines && self.palette.has_many()
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
    let piece = |piece: Piece| {
        if palette.has_many() {
            filled(piece.role)
        } else {
            outlined(piece)
        }
    };
    format!("{}{sign}", field.piece.map_or(empty, piece))
}

fn draw_silhouette(buffer: &mut Buffer, square: Rect, piece: Piece, style: Style) {
    let (columns, lines) = blocks::SILHOUETTE;
    let x = square.x + (square.width - columns) / 2;
    let y = square.y + (square.height - lines).div_ceil(2);
    for (y, line) in (y..).zip(blocks::silhouette(piece.role)) {
        buffer.set_string(x, y, line, style);
    }
}

/// A mark beside the board for the side to move.
fn turn_sign(board: &Board) -> &'static str {
    board.turn().fold_wb("○", "●")
}
