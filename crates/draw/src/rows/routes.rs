//! Routes of arcs between equal positions: along the free channels after the columns, never
//! through a card.

use rustc_hash::FxHashMap;

use super::{ARC_GAP, Point, Table};

/// The distance of parallel arcs in a channel.
pub const TRACK: f64 = 5.0;
/// More arcs than this beside one another share their tracks.
const MOST_TRACKS: usize = 12;
/// The height below a card's upper edge where arcs join it: beside its branch.
const JOINT: f64 = 16.0;
/// The distance of an arc from the cards that it passes.
const CLEARANCE: f64 = 3.0;
/// Routes that pass more columns than this run below all cards.
const FAR: usize = 60;
/// Nothing is drawn above this height: there is the title.
const HIGHEST: f64 = -12.0;
/// The cards that are passed in search of a free height.
const MOST_STEPS: usize = 16;
/// The number of free heights that are tried for the part of a route between two columns.
const TRIES: usize = 8;

/// The routes of all arcs, before the columns have their places.
pub struct Routes {
    buses: Vec<Bus>,
    arcs: Vec<Route>,
    tracks: Vec<usize>,
    /// The heights of the arcs' ends, by item.
    joints: FxHashMap<usize, f64>,
}

/// The vertical part that the arcs of one position share in the channel after one column.
struct Bus {
    column: usize,
    top: f64,
    bottom: f64,
    track: usize,
}

impl Bus {
    fn reach(&mut self, y: f64) {
        self.top = self.top.min(y);
        self.bottom = self.bottom.max(y);
    }
}

/// The route of an arc.
struct Route {
    from: usize,
    to: usize,
    /// The bus at the first card, and at the second.
    buses: (usize, usize),
    bridge: Bridge,
}

/// The part of a route from one bus to another.
#[derive(Clone, Copy)]
enum Bridge {
    /// They are the same.
    None,
    /// At one height.
    Level(f64),
    /// Above the row, left of all columns, and above the other row.
    Around(f64, f64),
}

impl Routes {
    /// Finds a route for each arc. With widths of channels given, arcs share tracks to keep within
    /// them.
    pub fn new(table: &Table, arcs: &[(u32, u32)], widths: Option<&[f64]>) -> Routes {
        let mut planner = Planner {
            table,
            buses: Vec::new(),
            known: FxHashMap::default(),
            lanes: FxHashMap::default(),
        };
        let joint = |item: usize| table.top(item) + JOINT;
        let arcs = || arcs.iter().map(|&(from, to)| (from as usize, to as usize));
        let ends = arcs().flat_map(|(from, to)| [from, to]);
        let joints: FxHashMap<usize, f64> = ends.map(|item| (item, joint(item))).collect();
        let routes: Vec<Route> = arcs()
            .map(|(from, to)| planner.route(from, to, joint(from), joint(to)))
            .collect();
        let mut buses = planner.buses;
        let tracks = assign_tracks(&mut buses, table.column_count(), widths);
        Routes {
            buses,
            arcs: routes,
            tracks,
            joints,
        }
    }

    /// The width that arcs need after each column.
    pub fn channel_widths(&self) -> Vec<f64> {
        let width = |&tracks: &usize| match tracks {
            0 => 0.0,
            _ => TRACK * tracks as f64 + 2.0,
        };
        self.tracks.iter().map(width).collect()
    }

    /// The corners of each arc; `end` is the place where an item ends along its row, and `channel`
    /// that of a track after a column.
    pub fn polylines(
        &self,
        end: impl Fn(usize) -> f64,
        channel: impl Fn(usize, usize) -> f64,
    ) -> Vec<Vec<Point>> {
        let bus_x = |bus: usize| channel(self.buses[bus].column, self.buses[bus].track);
        let height = |item: usize| self.joints.get(&item).copied().unwrap_or_default();
        let polyline = |route: &Route| {
            let (x1, x2) = (bus_x(route.buses.0), bus_x(route.buses.1));
            let (y1, y2) = (height(route.from), height(route.to));
            let mut polyline = vec![(end(route.from), y1), (x1, y1)];
            match route.bridge {
                Bridge::None => {}
                Bridge::Level(y) => polyline.extend([(x1, y), (x2, y)]),
                Bridge::Around(first, second) => {
                    polyline.extend([(x1, first), (0.0, first), (0.0, second), (x2, second)]);
                }
            }
            polyline.extend([(x2, y2), (end(route.to), y2)]);
            polyline
        };
        self.arcs.iter().map(polyline).collect()
    }
}

struct Planner<'a> {
    table: &'a Table<'a>,
    buses: Vec<Bus>,
    /// The bus of each position, given by its first card, after each column.
    known: FxHashMap<(usize, usize), usize>,
    /// The columns between which a height is in use.
    lanes: FxHashMap<i64, Vec<(usize, usize)>>,
}

impl Planner<'_> {
    fn route(&mut self, from: usize, to: usize, y1: f64, y2: f64) -> Route {
        let first = self.bus(from, self.table.column(from), y1);
        let second = self.bus(from, self.table.column(to), y2);
        let bridge = if first == second {
            Bridge::None
        } else {
            self.bridge(first, second, y2)
        };
        if let Bridge::Level(y) = bridge {
            self.buses[first].reach(y);
            self.buses[second].reach(y);
        }
        if let Bridge::Around(start, end) = bridge {
            self.buses[first].reach(start);
            self.buses[second].reach(end);
        }
        Route {
            from,
            to,
            buses: (first, second),
            bridge,
        }
    }

    /// The bus of a position after a column; it reaches the given height.
    fn bus(&mut self, position: usize, column: usize, y: f64) -> usize {
        let next = self.buses.len();
        let bus = *self.known.entry((position, column)).or_insert(next);
        if bus == next {
            self.buses.push(Bus {
                column,
                top: y,
                bottom: y,
                track: 0,
            });
        }
        self.buses[bus].reach(y);
        bus
    }

    fn bridge(&mut self, first: usize, second: usize, near: f64) -> Bridge {
        let (a, b) = (self.buses[first].column, self.buses[second].column);
        let (row_a, row_b) = (self.table.row_of(a), self.table.row_of(b));
        if row_a == row_b {
            return Bridge::Level(self.lane(a.min(b), a.max(b), near));
        }
        // The space above a row has no cards.
        let above = |row: usize| self.table.row(row).top - ARC_GAP / 2.0;
        match (row_a.abs_diff(row_b), row_a.max(row_b)) {
            (1, later) => Bridge::Level(self.table.row(later - 1).bottom + ARC_GAP / 2.0),
            _ => Bridge::Around(above(row_a.max(1)), above(row_b.max(1))),
        }
    }

    /// A height near the given one where no card lies between the channels after two columns.
    fn lane(&mut self, left: usize, right: usize, near: f64) -> f64 {
        let below_all = self.table.row(self.table.row_of(left)).bottom + CLEARANCE;
        if right - left > FAR {
            return below_all;
        }
        let (mut down, mut up) = (near, near);
        let mut found = None;
        for _ in 0..TRIES / 2 {
            down = self.free(left, right, down, 1.0).unwrap_or(below_all);
            up = self.free(left, right, up, -1.0).unwrap_or(below_all);
            for y in [down, up].into_iter().filter(|&y| y > HIGHEST) {
                found.get_or_insert(y);
                if self.claim(left, right, y) {
                    return y;
                }
            }
            down += 2.0 * CLEARANCE;
            up -= 2.0 * CLEARANCE;
        }
        found.unwrap_or(below_all)
    }

    /// The next free height in a direction; none if many cards are in between.
    fn free(&self, left: usize, right: usize, start: f64, direction: f64) -> Option<f64> {
        let mut y = start;
        for _ in 0..MOST_STEPS {
            let mut columns = left + 1..=right;
            let card = columns.find_map(|column| self.table.card_near(column, y, CLEARANCE - 0.5));
            match card {
                None => return Some(y),
                Some((_, bottom)) if direction > 0.0 => y = bottom + CLEARANCE,
                Some((top, _)) => y = top - CLEARANCE,
            }
        }
        None
    }

    /// Takes a height between two columns; false if it is in use there.
    fn claim(&mut self, left: usize, right: usize, y: f64) -> bool {
        let used = self.lanes.entry((y * 4.0).round() as i64).or_default();
        let is_free = used
            .iter()
            .rev()
            .take(64)
            .all(|&(l, r)| r < left || right < l);
        if is_free {
            used.push((left, right));
        }
        is_free
    }
}

/// Gives overlapping buses of a channel different tracks, and returns the number of tracks of each.
fn assign_tracks(buses: &mut [Bus], columns: usize, widths: Option<&[f64]>) -> Vec<usize> {
    let mut by_column: Vec<Vec<usize>> = vec![Vec::new(); columns];
    for (index, bus) in buses.iter().enumerate() {
        by_column[bus.column].push(index);
    }
    let mut counts = vec![0; columns];
    for (column, mut members) in by_column.into_iter().enumerate() {
        let most = match widths {
            None => MOST_TRACKS,
            Some(widths) => ((widths[column] - 2.0) / TRACK).round().max(1.0) as usize,
        };
        members.sort_by(|&a, &b| buses[a].top.total_cmp(&buses[b].top).then(a.cmp(&b)));
        let mut ends: Vec<f64> = Vec::new();
        for &member in &members {
            let track = track_for(&mut ends, &buses[member], most);
            buses[member].track = track;
        }
        // The bus that starts first is the outermost: those within it do not cross it.
        for &member in &members {
            buses[member].track = ends.len() - 1 - buses[member].track;
        }
        counts[column] = ends.len();
    }
    counts
}

/// The first free track; the one that ends first if all are in use.
fn track_for(ends: &mut Vec<f64>, bus: &Bus, most: usize) -> usize {
    let free = ends.iter().position(|&end| end + TRACK < bus.top);
    let track = match free {
        Some(track) => track,
        None if ends.len() < most => {
            ends.push(f64::MIN);
            ends.len() - 1
        }
        None => {
            let ends = ends.iter().enumerate();
            ends.min_by(|a, b| a.1.total_cmp(b.1))
                .map_or(0, |(track, _)| track)
        }
    };
    ends[track] = ends[track].max(bus.bottom);
    track
}
