//! The layout of the screen.

use ratatui::layout::{Constraint, Layout as Split, Rect};

use super::board::Squares;
use crate::table::NARROWEST;

/// The areas of the screen.
pub struct Plan {
    /// The title.
    pub title: Rect,
    /// The board and how large its squares are, where there is room.
    pub board: Option<(Rect, Squares)>,
    /// The comments on the move.
    pub comment: Rect,
    /// The variations table.
    pub table: Rect,
    /// The last message, or the prompt.
    pub message: Rect,
    /// The key hints.
    pub status: Rect,
}

impl Plan {
    /// For a screen of this size.
    pub fn new(area: Rect) -> Plan {
        let rows = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ];
        let [title, body, message, status] = Split::vertical(rows).areas(area);
        let beside = body.width.saturating_sub(NARROWEST as u16);
        let (board, comment, table) = match Squares::fitting(beside, body.height.saturating_sub(4))
        {
            Some(size) => Plan::side_by_side(body, size),
            None => Plan::stacked(body),
        };
        Plan {
            title,
            board,
            comment,
            table,
            message,
            status,
        }
    }

    /// Board and comment on the left, the table on the right.
    fn side_by_side(body: Rect, size: Squares) -> (Option<(Rect, Squares)>, Rect, Rect) {
        let [left, table] =
            Split::horizontal([Constraint::Length(size.width() + 1), Constraint::Fill(1)])
                .areas(body);
        let [board, comment] =
            Split::vertical([Constraint::Length(size.height() + 1), Constraint::Fill(1)])
                .areas(left);
        let narrow = size.columns == 2;
        if !narrow {
            return (Some((board, size)), comment, table);
        }
        // A comment of 19 columns is hard to read: it goes below the table.
        let [table, comment] =
            Split::vertical([Constraint::Fill(1), Constraint::Length(5)]).areas(table);
        (Some((board, size)), comment, table)
    }

    /// The board and the comment above, the table below; no board where there is no room.
    fn stacked(body: Rect) -> (Option<(Rect, Squares)>, Rect, Rect) {
        let size = Squares {
            columns: 2,
            lines: 1,
        };
        let roomy = body.height >= size.height() + 9 && body.width >= size.width() + 20;
        if !roomy {
            let [table, comment] =
                Split::vertical([Constraint::Fill(1), Constraint::Length(3)]).areas(body);
            return (None, comment, table);
        }
        let [above, table] =
            Split::vertical([Constraint::Length(size.height()), Constraint::Fill(1)]).areas(body);
        let [board, comment] =
            Split::horizontal([Constraint::Length(size.width() + 1), Constraint::Fill(1)])
                .areas(above);
        (Some((board, size)), comment, table)
    }
}
