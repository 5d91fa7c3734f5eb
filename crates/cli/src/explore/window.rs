//! As much of the variations table as there is room for, around the move where one stands.

use desk::table::Row;
use desk::walk::Walk;

use crate::ink::{Ink, Line};
use crate::table::Layout;

/// A part of the table.
pub struct Window {
    /// Its lines, without the heading.
    pub lines: Vec<Line>,
    /// The first row that is shown.
    pub top: usize,
    /// How many rows there are before and after.
    pub above: usize,
    /// The same below.
    pub below: usize,
}

impl Window {
    /// The rows from `top` on, or from elsewhere if the current one would not be seen.
    pub fn new(walk: &Walk, layout: &Layout, height: usize, top: usize) -> Window {
        let sight = Sight {
            walk,
            layout,
            height: height.max(1),
            rows: walk.table().row_count(),
        };
        let current = walk.current_row().unwrap_or(0);
        let top = match top <= current && sight.ends_before(top, current) {
            true => top,
            false => sight.top_around(current),
        };
        sight.draw(top)
    }
}

struct Sight<'a> {
    walk: &'a Walk,
    layout: &'a Layout,
    height: usize,
    rows: usize,
}

impl Sight<'_> {
    /// One row's lines. A row may fill half of the window: the rest of its moves are counted.
    fn row(&self, index: usize) -> Vec<Line> {
        let most = self.layout.slots() * (self.height / 2).max(1);
        let rows: Vec<Row> = self.walk.rows(index..index + 1, most - 1);
        rows.iter()
            .flat_map(|row| self.layout.row(row, self.walk.at()))
            .collect()
    }

    /// True if all of this row is seen in a window that begins at `top`.
    fn ends_before(&self, top: usize, row: usize) -> bool {
        // Every row takes a line at least.
        row - top < self.height
            && (top..=row).map(|row| self.row(row).len()).sum::<usize>() <= self.height
    }

    /// The top that puts this row a third of the way down, without blank space at the end.
    fn top_around(&self, row: usize) -> usize {
        let wanted = self.row(row).len() + self.height / 3;
        let centred = self.top_for(row, wanted.min(self.height));
        let last = self.top_for(self.rows.saturating_sub(1), self.height);
        centred.min(last.max(self.top_for(row, self.height)))
    }

    /// The first row of those that end with this one and fit into so many lines.
    fn top_for(&self, row: usize, lines: usize) -> usize {
        let mut left = lines;
        let mut top = row;
        for index in (0..=row).rev() {
            match left.checked_sub(self.row(index).len()) {
                Some(rest) => (left, top) = (rest, index),
                None => break,
            }
        }
        top
    }

    fn draw(&self, top: usize) -> Window {
        let mut lines: Vec<Line> = Vec::new();
        let mut next = top;
        while next < self.rows {
            let row = self.row(next);
            if !lines.is_empty() && lines.len() + row.len() > self.height {
                break;
            }
            lines.extend(row);
            next += 1;
        }
        lines.truncate(self.height);
        if self.rows == 0 {
            lines.push(Line::of("     no moves yet: type one", Ink::Faint));
        }
        Window {
            lines,
            top,
            above: top,
            below: self.rows - next.min(self.rows),
        }
    }
}
