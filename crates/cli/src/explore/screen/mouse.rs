//! Clicks and the mouse wheel.

use crate::explore::command::{Command, Step};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use desk::NodeId;
use desk::Square;
use ratatui_core::layout::{Position, Rect};

use super::board::Picture;
use super::{Mode, Screen};
use crate::ink::{Ink, Line};

/// Where things were drawn last.
#[derive(Default)]
pub struct Areas {
    /// The screen.
    pub width: usize,
    /// The same, in lines.
    pub height: usize,
    /// The rows of the table.
    pub table: Rect,
    /// Their text.
    pub lines: Vec<Line>,
    /// The notation.
    pub notation: Rect,
    /// Its text.
    pub notation_lines: Vec<Line>,
    /// The squares of the board.
    pub squares: Vec<(Rect, Square)>,
    /// The picture of the board, where the terminal can show one.
    pub picture: Option<Picture>,
    /// The entries of the list of games, with the index of the first.
    pub list: Rect,
    /// The index of the first of them.
    pub first: usize,
}

impl Areas {
    fn node_at(&self, at: Position) -> Option<NodeId> {
        let texts = [
            (self.table, &self.lines),
            (self.notation, &self.notation_lines),
        ];
        let (area, lines) = texts.into_iter().find(|(area, _)| area.contains(at))?;
        let line = lines.get(usize::from(at.y - area.y))?;
        line.node_at((at.x - area.x).into())
    }

    fn square_at(&self, at: Position) -> Option<Square> {
        let found = self.squares.iter().find(|(area, _)| area.contains(at));
        found.map(|&(_, square)| square)
    }
}

impl Screen {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.wheel(Step::Next, KeyCode::Down),
            MouseEventKind::ScrollUp => self.wheel(Step::Back, KeyCode::Up),
            MouseEventKind::Down(MouseButton::Left) => self.click(at),
            _ => {}
        }
    }

    /// Steps through the game, or scrolls the page.
    fn wheel(&mut self, step: Step, code: KeyCode) {
        match self.mode {
            Mode::Walk => self.act(&Command::Step(step)),
            Mode::Read(_) | Mode::Choose(_) => self.key(KeyEvent::new(code, KeyModifiers::NONE)),
            _ => {}
        }
    }

    fn click(&mut self, at: Position) {
        match &mut self.mode {
            Mode::Walk => self.click_game(at),
            Mode::Choose(chooser) if self.areas.list.contains(at) => {
                let row = usize::from(at.y - self.areas.list.y);
                chooser.selected =
                    (self.areas.first + row).min(chooser.games.len().saturating_sub(1));
                self.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
            }
            _ => {}
        }
    }

    fn click_game(&mut self, at: Position) {
        self.message = None;
        if let Some(node) = self.areas.node_at(at) {
            self.session.walk_mut().go(node);
        } else if let Some(square) = self.areas.square_at(at) {
            self.click_square(square);
        }
    }

    /// The first click picks a piece, the second one plays it.
    fn click_square(&mut self, square: Square) {
        let board = self.session.walk().board();
        let ours = |square| {
            board
                .piece_at(square)
                .is_some_and(|piece| piece.color == board.turn())
        };
        match self.picked.take() {
            Some(from) if from != square => {
                let queen = Some(desk::Role::Queen);
                let mv = board
                    .find_move(from, square, None)
                    .or_else(|| board.find_move(from, square, queen));
                match mv {
                    Some(mv) => self.type_line(&board.san(mv)),
                    None if ours(square) => self.picked = Some(square),
                    None => self
                        .show_message(format!("no legal move from {from} to {square}"), Ink::Wrong),
                }
            }
            Some(_) => {}
            None if ours(square) => self.picked = Some(square),
            None => {}
        }
    }
}
