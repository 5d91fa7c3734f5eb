//! The layout of the screen.

use ratatui_core::layout::{Constraint, Layout as Split, Rect};

use super::board::Squares;
use crate::table::NARROWEST;

/// Columns that the notation needs beside the table.
const NOTATION: u16 = 40;

/// Lines that the table needs above the notation: with heading and path, and twelve rows.
const LOWEST_TABLE: u16 = 15;

/// Lines that the table needs below the board: path, heading, five rows, and how many more there
/// are.
const LOWEST_ROWS: u16 = 8;

/// Lines that the notation needs below the table.
const LOWEST_NOTATION: u16 = 10;

/// The areas of the screen.
pub struct Plan {
    /// The title.
    pub title: Rect,
    /// The board and how large its squares are, where there is room.
    pub board: Option<(Rect, Squares)>,
    /// The comments on the move.
    pub comment: Rect,
    /// The variations table; empty where the notation takes its place.
    pub table: Rect,
    /// The notation; empty if it is not shown.
    pub notation: Rect,
    /// The last message, or the prompt.
    pub message: Rect,
    /// The key hints.
    pub status: Rect,
}

impl Plan {
    /// For a screen of this size with cells of this width and height, with or without the notation.
    pub fn new(area: Rect, cell: (u16, u16), has_notation: bool) -> Plan {
        let rows = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ];
        let [title, body, message, status] = Split::vertical(rows).areas(area);
        let beside = body.width.saturating_sub(NARROWEST as u16);
        let fitting = |columns| Squares::fitting(columns, body.height.saturating_sub(4), cell);
        // A smaller board makes room for the notation, unless that would be the smallest.
        let with_notation = fitting(beside.saturating_sub(NOTATION))
            .filter(|size| has_notation && !size.is_narrow());
        let (board, comment, table) = match with_notation.or_else(|| fitting(beside)) {
            Some(size) => Plan::side_by_side(body, size),
            None => Plan::stacked(body, cell),
        };
        let (table, notation) = if has_notation {
            Plan::beside_table(table)
        } else {
            (table, Rect::default())
        };
        Plan {
            title,
            board,
            comment,
            table,
            notation,
            message,
            status,
        }
    }

    /// The table and the notation: beside it, below it, or in its place.
    fn beside_table(area: Rect) -> (Rect, Rect) {
        if area.width >= NARROWEST as u16 + NOTATION {
            let share = [
                Constraint::Min(NARROWEST as u16),
                Constraint::Percentage(45),
            ];
            let [table, notation] = Split::horizontal(share).spacing(1).areas(area);
            (table, notation)
        } else if area.height >= LOWEST_TABLE + LOWEST_NOTATION {
            let share = [Constraint::Fill(1), Constraint::Fill(1)];
            let [table, notation] = Split::vertical(share).areas(area);
            (table, notation)
        } else {
            (Rect::default(), area)
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
        if !size.is_narrow() {
            return (Some((board, size)), comment, table);
        }
        // A comment of 19 columns is hard to read: it goes below the table.
        let [table, comment] =
            Split::vertical([Constraint::Fill(1), Constraint::Length(5)]).areas(table);
        (Some((board, size)), comment, table)
    }

    /// The board and the comment above, the table below; no board where there is no room.
    fn stacked(body: Rect, cell: (u16, u16)) -> (Option<(Rect, Squares)>, Rect, Rect) {
        let lines = Squares::SMALLEST.height();
        let size = Squares::fitting(body.width.saturating_sub(20), lines, cell);
        let Some(size) = size.filter(|_| body.height >= lines + LOWEST_ROWS) else {
            let [table, comment] =
                Split::vertical([Constraint::Fill(1), Constraint::Length(3)]).areas(body);
            return (None, comment, table);
        };
        let [above, table] =
            Split::vertical([Constraint::Length(size.height()), Constraint::Fill(1)]).areas(body);
        let [board, comment] =
            Split::horizontal([Constraint::Length(size.width() + 1), Constraint::Fill(1)])
                .areas(above);
        (Some((board, size)), comment, table)
    }
}
