//! Where the items of a tree are drawn: one column for each ply. The columns of a long game with
//! few variations are divided into rows, like text that wraps.

mod routes;

use std::ops::Range;

use gametree_tree::layout::{Picture, Placed, Plan};

use routes::{Routes, TRACK};

/// The space between columns without arcs.
pub const GAP_ALONG: f64 = 20.0;
/// The space between cards of a column.
pub const GAP_ACROSS: f64 = 6.0;
/// More branches than this do not continue in the next row: then the tree stays in one row.
const MOST_RETURNS: usize = 8;
/// A tree with more cards than this in a column, on average, stays in one row.
const FEW_CARDS: f64 = 2.5;
/// The distance of parallel lines from the end of a row to the start of the next.
const RETURN: f64 = 5.0;
/// The space between rows, and beside them, for the first of these lines.
const ROW_GAP: f64 = 12.0;

/// The items of a tree with their coordinates, and the lines between them that need a route.
pub struct Arrangement {
    /// The items.
    pub items: Vec<Placed>,
    /// The width of everything.
    pub width: f64,
    /// The height of everything.
    pub height: f64,
    /// The items that start a new row, each with the branch to it.
    pub returns: Vec<(usize, Vec<Point>)>,
    /// The arcs.
    pub arcs: Vec<Vec<Point>>,
}

/// A corner of a polyline.
pub type Point = (f64, f64);

/// The constraints of an arrangement.
pub struct Constraints<'a> {
    /// The greatest width of a row, if the tree may be divided.
    pub row_width: Option<f64>,
    /// For each column, whether a row may well start there: with a move of White.
    pub good_starts: &'a [bool],
    /// Pairs of items to be joined; the first of each pair is the same for equal positions.
    pub arcs: &'a [(usize, usize)],
}

/// Arranges the items of a tree that was laid out in one row.
pub fn arrange(plan: &Plan, picture: &Picture, constraints: &Constraints) -> Arrangement {
    let columns = Columns::new(plan, picture);
    let single = Table::new(
        &columns,
        picture,
        std::iter::once(0..columns.widths.len()).collect(),
    );
    let routes = Routes::new(&single, constraints.arcs, None);
    let extra = routes.channel_widths();
    let width: f64 = columns.total(0..columns.widths.len(), &extra);
    let cards = picture.items.len() as f64 / columns.widths.len() as f64;
    let is_flat = cards <= FEW_CARDS && width > 2.0 * picture.size.across;
    let cut = constraints
        .row_width
        .filter(|&most| is_flat && width > most)
        .and_then(|most| columns.cut(&extra, most, constraints.good_starts));
    let Some(rows) = cut else {
        return single.arrangement(&extra, &routes);
    };
    let table = Table::new(&columns, picture, rows);
    let routes = Routes::new(&table, constraints.arcs, Some(&extra));
    table.arrangement(&extra, &routes)
}

/// The columns before they are divided.
pub struct Columns {
    /// The column of each item.
    of: Vec<usize>,
    widths: Vec<f64>,
    /// The number of branches that lead to each column.
    entries: Vec<usize>,
}

impl Columns {
    fn new(plan: &Plan, picture: &Picture) -> Columns {
        let of: Vec<usize> = plan.items().iter().map(|item| item.ply as usize).collect();
        let count = of.iter().max().map_or(0, |last| last + 1);
        let (mut widths, mut entries) = (vec![0.0_f64; count], vec![0; count]);
        for (&column, item) in of.iter().zip(&picture.items) {
            widths[column] = widths[column].max(item.size.along);
            entries[column] += 1;
        }
        Columns {
            of,
            widths,
            entries,
        }
    }

    /// The width of some columns with the space between them and the arcs after each.
    fn total(&self, columns: Range<usize>, extra: &[f64]) -> f64 {
        let gaps = columns.len().saturating_sub(1) as f64 * GAP_ALONG;
        let width = |column: usize| self.widths[column] + extra[column];
        columns.map(width).sum::<f64>() + gaps
    }

    /// Rows of at most this width, if only a few branches continue in the next row.
    fn cut(&self, extra: &[f64], most: f64, good_starts: &[bool]) -> Option<Vec<Range<usize>>> {
        (1..=MOST_RETURNS).find_map(|returns| {
            let rows = self.cut_at(extra, most - 2.0 * side(returns), good_starts);
            let fits = |row: &Range<usize>| self.entries[row.start] <= returns;
            rows.iter().skip(1).all(fits).then_some(rows)
        })
    }

    fn cut_at(&self, extra: &[f64], most: f64, good_starts: &[bool]) -> Vec<Range<usize>> {
        let mut rows = Vec::new();
        let mut start = 0;
        while start < self.widths.len() {
            let mut end = start + 1;
            let mut total = self.total(start..end, extra);
            while end < self.widths.len() {
                total += GAP_ALONG + self.widths[end] + extra[end];
                if total > most {
                    break;
                }
                end += 1;
            }
            if end < self.widths.len()
                && end - start > 2
                && !good_starts[end]
                && good_starts[end - 1]
            {
                end -= 1;
            }
            rows.push(start..end);
            start = end;
        }
        rows
    }
}

/// The space beside a row for the lines to the next one.
fn side(returns: usize) -> f64 {
    ROW_GAP + RETURN * returns as f64
}

/// Items in rows and columns, with their heights; the columns' places are computed last.
pub struct Table<'a> {
    columns: &'a Columns,
    picture: &'a Picture,
    rows: Vec<Row>,
    row_of_column: Vec<usize>,
    /// The middle of each item.
    across: Vec<f64>,
    /// The upper and lower edges of the items of each column, from top to bottom.
    occupied: Vec<Vec<(f64, f64)>>,
}

/// A row.
pub struct Row {
    columns: Range<usize>,
    /// The items in its first column that continue the row before, from top to bottom.
    entries: Vec<usize>,
    /// The upper edge.
    pub top: f64,
    /// The lower edge.
    pub bottom: f64,
}

impl<'a> Table<'a> {
    fn new(columns: &'a Columns, picture: &'a Picture, rows: Vec<Range<usize>>) -> Table<'a> {
        let mut row_of_column = vec![0; columns.widths.len()];
        for (row, range) in rows.iter().enumerate() {
            row_of_column[range.clone()].fill(row);
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
        for (item, &column) in columns.of.iter().enumerate() {
            members[row_of_column[column]].push(item);
        }
        let mut across: Vec<f64> = picture.items.iter().map(|item| item.across).collect();
        let rows = stack(columns, picture, rows, members, &mut across);
        Table {
            occupied: occupied(columns, picture, &across),
            columns,
            picture,
            rows,
            row_of_column,
            across,
        }
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.columns.widths.len()
    }

    /// The column of an item.
    pub fn column(&self, item: usize) -> usize {
        self.columns.of[item]
    }

    /// The row of a column.
    pub fn row_of(&self, column: usize) -> usize {
        self.row_of_column[column]
    }

    /// A row.
    pub fn row(&self, row: usize) -> &Row {
        &self.rows[row]
    }

    /// The upper edge of an item.
    pub fn top(&self, item: usize) -> f64 {
        self.across[item] - self.picture.items[item].size.across / 2.0
    }

    /// The item of a column within a distance of a height, if there is one: its edges.
    pub fn card_near(&self, column: usize, y: f64, distance: f64) -> Option<(f64, f64)> {
        let cards = &self.occupied[column];
        let above = cards.partition_point(|&(top, _)| top - distance < y);
        let &(top, bottom) = cards.get(above.checked_sub(1)?)?;
        (y < bottom + distance).then_some((top, bottom))
    }

    /// Computes the coordinates.
    fn arrangement(&self, extra: &[f64], routes: &Routes) -> Arrangement {
        let most_returns = self
            .rows
            .iter()
            .map(|row| row.entries.len())
            .max()
            .unwrap_or(0);
        let inset = if self.rows.len() > 1 {
            side(most_returns)
        } else {
            0.0
        };
        let mut starts = vec![0.0; self.column_count()];
        let mut ends: Vec<f64> = Vec::new();
        for row in &self.rows {
            let mut x = inset;
            for column in row.columns.clone() {
                starts[column] = x;
                x += self.columns.widths[column] + extra[column] + GAP_ALONG;
            }
            ends.push(x - GAP_ALONG);
        }
        let place = |(index, item): (usize, &Placed)| Placed {
            along: starts[self.columns.of[index]],
            across: self.across[index],
            ..*item
        };
        let items: Vec<Placed> = self.picture.items.iter().enumerate().map(place).collect();
        let channel = |column: usize, track: usize| {
            starts[column] + self.columns.widths[column] + TRACK * (track as f64 + 1.0) + 1.0
        };
        let arcs = routes.polylines(&items, channel);
        let returns = self.returns(&items, &ends);
        let polylines = || {
            arcs.iter()
                .chain(returns.iter().map(|(_, polyline)| polyline))
                .flatten()
        };
        let reach = |part: fn(&Point) -> f64| polylines().map(part).fold(0.0, f64::max);
        let width = ends.iter().copied().fold(0.0, f64::max);
        let height = self.rows.last().map_or(0.0, |row| row.bottom);
        Arrangement {
            width: width.max(reach(|point| point.0)),
            height: height.max(reach(|point| point.1)),
            items,
            returns,
            arcs,
        }
    }

    /// The lines from the end of each row to the start of the next: they are nested, so that no two
    /// of them cross.
    fn returns(&self, items: &[Placed], ends: &[f64]) -> Vec<(usize, Vec<Point>)> {
        let mut returns = Vec::new();
        for (number, row) in self.rows.iter().enumerate().skip(1) {
            let count = row.entries.len();
            for (i, &entry) in row.entries.iter().enumerate() {
                let Some(parent) = items[entry].parent else {
                    continue;
                };
                let (from, to) = (&items[parent], &items[entry]);
                let inner = RETURN * i as f64;
                let outer = RETURN * (count - i) as f64;
                let right = ends[number - 1] + outer + 2.0;
                let gutter = row.top - ROW_GAP - inner;
                let left = to.along - ROW_GAP + RETURN - inner;
                returns.push((
                    entry,
                    vec![
                        (from.along + from.size.along, from.across),
                        (right, from.across),
                        (right, gutter),
                        (left, gutter),
                        (left, to.across),
                        (to.along, to.across),
                    ],
                ));
            }
        }
        returns
    }
}

/// Puts the rows below one another; `members` are the items of each.
fn stack(
    columns: &Columns,
    picture: &Picture,
    rows: Vec<Range<usize>>,
    members: Vec<Vec<usize>>,
    across: &mut [f64],
) -> Vec<Row> {
    let upper = |item: usize| {
        let placed = &picture.items[item];
        placed.across - placed.size.across / 2.0
    };
    let is_divided = rows.len() > 1;
    let mut stacked: Vec<Row> = Vec::with_capacity(rows.len());
    let mut top = 0.0;
    for (range, mut members) in rows.into_iter().zip(members) {
        members.sort_by(|&a, &b| upper(a).total_cmp(&upper(b)).then(a.cmp(&b)));
        let is_entry = |item: &&usize| range.start > 0 && columns.of[**item] == range.start;
        let entries: Vec<usize> = members.iter().filter(is_entry).copied().collect();
        if range.start > 0 {
            top += 2.0 * ROW_GAP + RETURN * entries.len() as f64 + ARC_GAP;
        }
        let bottom = if is_divided {
            close_up(picture, &members, top, across)
        } else {
            picture.size.across
        };
        stacked.push(Row {
            columns: range,
            entries,
            top,
            bottom,
        });
        top = bottom;
    }
    stacked
}

/// The upper and lower edges of the items of each column, from top to bottom.
fn occupied(columns: &Columns, picture: &Picture, across: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut occupied: Vec<Vec<(f64, f64)>> = vec![Vec::new(); columns.widths.len()];
    for (item, &column) in columns.of.iter().enumerate() {
        let half = picture.items[item].size.across / 2.0;
        occupied[column].push((across[item] - half, across[item] + half));
    }
    for column in &mut occupied {
        column.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    occupied
}

/// The space above a row for arcs from other rows.
pub const ARC_GAP: f64 = 8.0;

/// Puts the items of a row below `top` without the space that items of other rows need, and returns
/// the lower edge.
fn close_up(picture: &Picture, members: &[usize], top: f64, across: &mut [f64]) -> f64 {
    let mut end = f64::MIN;
    let mut shift = 0.0;
    let mut bottom = top;
    for &item in members {
        let placed = &picture.items[item];
        let (upper, lower) = (
            placed.across - placed.size.across / 2.0,
            placed.across + placed.size.across / 2.0,
        );
        if end == f64::MIN {
            shift = top - upper;
        } else if upper > end + GAP_ACROSS {
            shift -= upper - end - GAP_ACROSS;
        }
        end = end.max(lower);
        across[item] = placed.across + shift;
        bottom = end + shift;
    }
    bottom
}
