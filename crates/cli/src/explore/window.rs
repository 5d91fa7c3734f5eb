//! The part of the variations table around the current move that fits the screen.

use desk::walk::Walk;

use crate::ink::{Ink, Line};
use crate::table::Layout;

/// A part of the table.
pub struct Window {
    /// Its lines, without the heading.
    pub lines: Vec<Line>,
    /// How many rows there are before it: the number of its first row.
    pub above: usize,
    /// How many come after it.
    pub below: usize,
}

impl Window {
    /// The rows from `top` on, or other rows if the current one would not be visible.
    pub fn new(walk: &Walk, layout: &Layout, height: usize, top: usize) -> Window {
        let current = walk.current_row().unwrap_or(0);
        let sight = Sight::new(walk, layout, height.max(1), current);
        let top = if sight.shows(top, current) {
            top
        } else {
            sight.top_around(current)
        };
        sight.draw(top)
    }
}

/// The rows that may be visible together with the current one, drawn.
struct Sight {
    height: usize,
    /// The number of the first row that is drawn.
    first: usize,
    drawn: Vec<Vec<Line>>,
    rows: usize,
}

impl Sight {
    fn new(walk: &Walk, layout: &Layout, height: usize, current: usize) -> Sight {
        // Every row takes a line at least. A row may fill half of the window: the rest of its
        // moves are counted.
        let first = current.saturating_sub(height);
        let most = layout.slots() * (height / 2).max(1) - 1;
        let rows = walk.rows(first..current + height + 1, most);
        let drawn = rows.iter().map(|row| layout.row(row, walk.at())).collect();
        Sight {
            height,
            first,
            drawn,
            rows: walk.table().row_count(),
        }
    }

    fn lines_of(&self, row: usize) -> usize {
        let drawn = row
            .checked_sub(self.first)
            .and_then(|row| self.drawn.get(row));
        drawn.map_or(1, Vec::len)
    }

    /// True if all of this row is visible in a window that begins at `top`.
    fn shows(&self, top: usize, row: usize) -> bool {
        let near = top <= row && row - top < self.height;
        near && (top..=row).map(|row| self.lines_of(row)).sum::<usize>() <= self.height
    }

    /// The top that puts this row a third of the way down, without blank space at the end.
    fn top_around(&self, row: usize) -> usize {
        let wanted = self.lines_of(row) + self.height / 3;
        let lowest = self.top_for(self.rows.saturating_sub(1).max(row), self.height);
        let highest = self.top_for(row, self.height);
        self.top_for(row, wanted.min(self.height))
            .min(lowest.max(highest))
    }

    /// The first of the rows that end with this one and fit into this many lines.
    fn top_for(&self, row: usize, lines: usize) -> usize {
        let mut left = lines;
        let mut top = row;
        for index in (row.saturating_sub(lines)..=row).rev() {
            match left.checked_sub(self.lines_of(index)) {
                Some(rest) => (left, top) = (rest, index),
                None => break,
            }
        }
        top
    }

    fn draw(mut self, top: usize) -> Window {
        let mut lines: Vec<Line> = Vec::new();
        let mut next = top;
        let seen = self
            .drawn
            .drain(top.saturating_sub(self.first).min(self.drawn.len())..);
        for row in seen {
            if !lines.is_empty() && lines.len() + row.len() > self.height {
                break;
            }
            lines.extend(row);
            next += 1;
        }
        lines.truncate(self.height);
        if self.rows == 0 {
            lines.push(Line::of("     no moves yet; type one", Ink::Faint));
        }
        Window {
            lines,
            above: top,
            below: self.rows.saturating_sub(next),
        }
    }
}
