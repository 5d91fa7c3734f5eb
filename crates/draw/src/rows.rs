//! Where the items of a tree are drawn: one column for each ply. The columns of a long game with
//! few variations are divided into rows, like text that wraps.

mod routes;

use std::ops::Range;

use gametree_tree::layout::{Placed, Places, Plan};

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
pub struct Arrangement<'a> {
    plan: &'a Plan,
    places: Places,
    coordinates: Coordinates,
}

/// The coordinates that differ from those of the tree in one row.
struct Coordinates {
    /// Where the columns start.
    starts: Vec<f64>,
    /// The middle of each item, if the tree is divided into rows.
    across: Option<Vec<f64>>,
    width: f64,
    height: f64,
    returns: Vec<(usize, Vec<Point>)>,
    arcs: Vec<Vec<Point>>,
}

impl<'a> Arrangement<'a> {
    /// An item with its coordinates.
    pub fn item(&self, index: usize) -> Placed {
        let item = self.plan.item(index);
        let moved = self.coordinates.across.as_ref();
        Placed {
            content: item.content,
            parent: item.parent,
            along: self.coordinates.starts[item.ply as usize],
            across: moved.map_or_else(|| self.places.across(index), |across| across[index]),
            size: self.places.size(index),
        }
    }

    /// The items.
    pub fn items(&self) -> impl Iterator<Item = Placed> {
        (0..self.plan.len()).map(|index| self.item(index))
    }

    /// The width of everything.
    pub fn width(&self) -> f64 {
        self.coordinates.width
    }

    /// The height of everything.
    pub fn height(&self) -> f64 {
        self.coordinates.height
    }

    /// The items that start a new row, each with the branch to it.
    pub fn returns(&self) -> &[(usize, Vec<Point>)] {
        &self.coordinates.returns
    }

    /// The arcs.
    pub fn arcs(&self) -> &[Vec<Point>] {
        &self.coordinates.arcs
    }
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
    pub arcs: &'a [(u32, u32)],
}

/// Arranges the items of a tree that was laid out in one row.
pub fn arrange<'a>(plan: &'a Plan, places: Places, constraints: &Constraints) -> Arrangement<'a> {
    let coordinates = coordinates(plan, &places, constraints);
    Arrangement {
        plan,
        places,
        coordinates,
    }
}

fn coordinates(plan: &Plan, places: &Places, constraints: &Constraints) -> Coordinates {
    let columns = Columns::new(plan, places);
    let single = Table::new(
        &columns,
        (plan, places),
        std::iter::once(0..columns.widths.len()).collect(),
        constraints,
    );
    let routes = Routes::new(&single, constraints.arcs, None);
    let extra = routes.channel_widths();
    let width: f64 = columns.total(0..columns.widths.len(), &extra);
    let cards = plan.len() as f64 / columns.widths.len() as f64;
    let is_flat = cards <= FEW_CARDS && width > 2.0 * places.whole().across;
    let cut = constraints
        .row_width
        .filter(|&most| is_flat && width > most)
        .and_then(|most| columns.cut(&extra, most, constraints.good_starts));
    let Some(rows) = cut else {
        return single.coordinates(&extra, &routes);
    };
    let table = Table::new(&columns, (plan, places), rows, constraints);
    let routes = Routes::new(&table, constraints.arcs, Some(&extra));
    table.coordinates(&extra, &routes)
}

/// The columns before they are divided.
pub struct Columns {
    widths: Vec<f64>,
    /// The number of branches that lead to each column.
    entries: Vec<usize>,
}

impl Columns {
    fn new(plan: &Plan, places: &Places) -> Columns {
        let columns = || plan.items().map(|item| item.ply as usize);
        let count = columns().max().map_or(0, |last| last + 1);
        let (mut widths, mut entries) = (vec![0.0_f64; count], vec![0; count]);
        for (index, column) in columns().enumerate() {
            widths[column] = widths[column].max(places.size(index).along);
            entries[column] += 1;
        }
        Columns { widths, entries }
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
    plan: &'a Plan,
    places: &'a Places,
    rows: Vec<Row>,
    row_of_column: Vec<usize>,
    /// The middle of each item, if there are several rows.
    across: Option<Vec<f64>>,
    /// The items of each column, from top to bottom; empty if there are no arcs to route.
    members: ByColumn,
}

/// Items sorted by columns.
#[derive(Default)]
struct ByColumn {
    items: Vec<u32>,
    /// The end of each column among the items.
    ends: Vec<u32>,
}

impl ByColumn {
    /// The items of each column in preorder.
    fn new(plan: &Plan, columns: &Columns) -> ByColumn {
        // The ends start as the starts, and move with each item.
        let starts = columns.entries.iter().scan(0, |end, &count| {
            let start = *end;
            *end += count as u32;
            Some(start)
        });
        let mut ends: Vec<u32> = starts.collect();
        let mut items = vec![0; plan.len()];
        for (index, item) in (0..).zip(plan.items()) {
            let end = &mut ends[item.ply as usize];
            items[*end as usize] = index;
            *end += 1;
        }
        ByColumn { items, ends }
    }

    fn range(&self, column: usize) -> Range<usize> {
        let end = |column: usize| self.ends.get(column).map_or(0, |&end| end as usize);
        column.checked_sub(1).map_or(0, end)..end(column)
    }
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
    fn new(
        columns: &'a Columns,
        (plan, places): (&'a Plan, &'a Places),
        rows: Vec<Range<usize>>,
        constraints: &Constraints,
    ) -> Table<'a> {
        let mut row_of_column = vec![0; columns.widths.len()];
        for (row, range) in rows.iter().enumerate() {
            row_of_column[range.clone()].fill(row);
        }
        let (rows, across) = if rows.len() > 1 {
            let mut members: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
            for (index, item) in plan.items().enumerate() {
                members[row_of_column[item.ply as usize]].push(index);
            }
            let (rows, across) = stack(plan, places, rows, members);
            (rows, Some(across))
        } else {
            (single_row(places, rows), None)
        };
        let mut table = Table {
            columns,
            plan,
            places,
            rows,
            row_of_column,
            across,
            members: ByColumn::default(),
        };
        if !constraints.arcs.is_empty() {
            table.members = table.sorted_columns();
        }
        table
    }

    fn sorted_columns(&self) -> ByColumn {
        let mut members = ByColumn::new(self.plan, self.columns);
        for column in 0..self.column_count() {
            let range = members.range(column);
            let top = |item: u32| self.edges(item as usize).0;
            members.items[range].sort_by(|&a, &b| top(a).total_cmp(&top(b)));
        }
        members
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.columns.widths.len()
    }

    /// The column of an item.
    pub fn column(&self, item: usize) -> usize {
        self.plan.item(item).ply as usize
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
        self.edges(item).0
    }

    /// The upper and the lower edge of an item.
    fn edges(&self, item: usize) -> (f64, f64) {
        let (at, half) = (self.across(item), self.places.size(item).across / 2.0);
        (at - half, at + half)
    }

    fn across(&self, item: usize) -> f64 {
        let moved = self.across.as_ref();
        moved.map_or_else(|| self.places.across(item), |across| across[item])
    }

    /// The item of a column within a distance of a height, if there is one: its edges.
    pub fn card_near(&self, column: usize, y: f64, distance: f64) -> Option<(f64, f64)> {
        let cards = &self.members.items[self.members.range(column)];
        let is_above = |&card: &u32| self.edges(card as usize).0 - distance < y;
        let above = cards.partition_point(is_above);
        let &card = cards.get(above.checked_sub(1)?)?;
        let (top, bottom) = self.edges(card as usize);
        (y < bottom + distance).then_some((top, bottom))
    }

    /// Computes the coordinates.
    fn coordinates(self, extra: &[f64], routes: &Routes) -> Coordinates {
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
        let channel = |column: usize, track: usize| {
            starts[column] + self.columns.widths[column] + TRACK * (track as f64 + 1.0) + 1.0
        };
        let end = |item: usize| starts[self.column(item)] + self.places.size(item).along;
        let arcs = routes.polylines(end, channel);
        let returns = self.returns(&starts, &ends);
        let polylines = || {
            arcs.iter()
                .chain(returns.iter().map(|(_, polyline)| polyline))
                .flatten()
        };
        let reach = |part: fn(&Point) -> f64| polylines().map(part).fold(0.0, f64::max);
        let width = ends.iter().copied().fold(0.0, f64::max);
        let height = self.rows.last().map_or(0.0, |row| row.bottom);
        Coordinates {
            width: width.max(reach(|point| point.0)),
            height: height.max(reach(|point| point.1)),
            starts,
            across: self.across,
            returns,
            arcs,
        }
    }

    /// The lines from the end of each row to the start of the next: they are nested, so that no two
    /// of them cross.
    fn returns(&self, starts: &[f64], ends: &[f64]) -> Vec<(usize, Vec<Point>)> {
        let mut returns = Vec::new();
        for (number, row) in self.rows.iter().enumerate().skip(1) {
            let count = row.entries.len();
            for (i, &entry) in row.entries.iter().enumerate() {
                let Some(parent) = self.plan.item(entry).parent else {
                    continue;
                };
                let along = |item: usize| starts[self.column(item)];
                let (from, to) = (self.across(parent), self.across(entry));
                let inner = RETURN * i as f64;
                let outer = RETURN * (count - i) as f64;
                let right = ends[number - 1] + outer + 2.0;
                let gutter = row.top - ROW_GAP - inner;
                let left = along(entry) - ROW_GAP + RETURN - inner;
                returns.push((
                    entry,
                    vec![
                        (along(parent) + self.places.size(parent).along, from),
                        (right, from),
                        (right, gutter),
                        (left, gutter),
                        (left, to),
                        (along(entry), to),
                    ],
                ));
            }
        }
        returns
    }
}

/// The only row of a tree that is not divided.
fn single_row(places: &Places, rows: Vec<Range<usize>>) -> Vec<Row> {
    let row = |columns: Range<usize>| Row {
        columns,
        entries: Vec::new(),
        top: 0.0,
        bottom: places.whole().across,
    };
    rows.into_iter().map(row).collect()
}

/// Puts the rows below one another, and returns the middle of each item; `members` are the items of
/// each row.
fn stack(
    plan: &Plan,
    places: &Places,
    rows: Vec<Range<usize>>,
    members: Vec<Vec<usize>>,
) -> (Vec<Row>, Vec<f64>) {
    let upper = |item: usize| places.across(item) - places.size(item).across / 2.0;
    let mut across = vec![0.0; places.len()];
    let mut stacked: Vec<Row> = Vec::with_capacity(rows.len());
    let mut top = 0.0;
    for (range, mut members) in rows.into_iter().zip(members) {
        members.sort_by(|&a, &b| upper(a).total_cmp(&upper(b)).then(a.cmp(&b)));
        let column = |item: usize| plan.item(item).ply as usize;
        let is_entry = |item: &&usize| range.start > 0 && column(**item) == range.start;
        let entries: Vec<usize> = members.iter().filter(is_entry).copied().collect();
        if range.start > 0 {
            top += 2.0 * ROW_GAP + RETURN * entries.len() as f64 + ARC_GAP;
        }
        let bottom = close_up(places, &members, top, &mut across);
        stacked.push(Row {
            columns: range,
            entries,
            top,
            bottom,
        });
        top = bottom;
    }
    (stacked, across)
}

/// The space above a row for arcs from other rows.
pub const ARC_GAP: f64 = 8.0;

/// Puts the items of a row below `top` without the space that items of other rows need, and returns
/// the lower edge.
fn close_up(places: &Places, members: &[usize], top: f64, across: &mut [f64]) -> f64 {
    let mut end = f64::MIN;
    let mut shift = 0.0;
    let mut bottom = top;
    for &item in members {
        let (at, half) = (places.across(item), places.size(item).across / 2.0);
        let (upper, lower) = (at - half, at + half);
        if end == f64::MIN {
            shift = top - upper;
        } else if upper > end + GAP_ACROSS {
            shift -= upper - end - GAP_ACROSS;
        }
        end = end.max(lower);
        across[item] = at + shift;
        bottom = end + shift;
    }
    bottom
}
