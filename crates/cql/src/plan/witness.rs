//! Witnesses: positions that a line or path requires, recognised by the board alone.

use crate::ast::{Bound, Range};
use crate::ir::*;
use rustc_hash::FxHashMap;

/// A condition on the board that must hold at several positions of a matching game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Witness {
    pub holds: BoolId,
    /// The least number of such positions in the game.
    pub at_least: u32,
    /// The least number of consecutive ones, or of every second one.
    pub in_a_row: u32,
    pub every_second: bool,
    pub place: WitnessPlace,
}

/// The place of the condition, relative to a position at which the query matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WitnessPlace {
    Anywhere,
    /// After some move from there.
    Below,
    There,
}

impl Witness {
    /// The witness of a necessary condition, if that is a line or path without effects of its own.
    pub fn new(ir: &Ir, id: BoolId) -> Option<Witness> {
        match ir.bool(id) {
            Bool::HasNum(num) => Witness::of_num(ir, *num),
            Bool::HasPlace(place) => match *ir.place(*place) {
                Place::Line(line) => Witness::of_line(ir, line),
                Place::Path(path) => Witness::of_path(ir, path),
                _ => None,
            },
            _ => None,
        }
    }

    fn of_num(ir: &Ir, id: NumId) -> Option<Witness> {
        match *ir.num(id) {
            Num::Line(line) => Witness::of_line(ir, line),
            Num::Path(path) => Witness::of_path(ir, path),
            Num::Compare(_, value, with) => {
                Witness::of_num(ir, value).or_else(|| Witness::of_num(ir, with))
            }
            _ => None,
        }
    }

    fn of_line(ir: &Ir, id: LineId) -> Option<Witness> {
        let spec = ir.line(id);
        let tally = Tally::new(ir, &spec.parts, Tally::add_filter);
        let is_uniform = tally.asked.len() == 1;
        let witness = tally.witness(ir, &spec.parts, ir.line_parts(id), spec.range)?;
        let rows = spec.parts.iter().map(|&con| row(ir, con, witness.holds));
        Some(Witness {
            in_a_row: if is_uniform {
                witness.at_least
            } else {
                rows.max().unwrap_or(0)
            },
            every_second: spec.single_color,
            ..witness
        })
    }

    fn of_path(ir: &Ir, id: PathId) -> Option<Witness> {
        let spec = ir.path(id);
        // filters of a path consume no move, so several may hold at one position
        let tally = Tally::new(ir, &spec.parts, Tally::add_still);
        // with `max` the range does not limit the number of moves
        let range = spec.range.filter(|_| spec.max.is_none());
        let props = ir
            .path_parts(id)
            .and(spec.focus.map(|(set, _)| set).props(ir));
        tally.witness(ir, &spec.parts, props, range)
    }

    pub fn describe(&self) -> String {
        let at_least = match self.at_least {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        };
        let in_a_row = match (self.in_a_row, self.every_second) {
            (0 | 1, _) => String::new(),
            (n, false) => format!(", {n} of them in a row"),
            (n, true) => format!(", {n} of them in a row for one side"),
        };
        format!("only games where what the line or path needs holds {at_least}{in_a_row}")
    }
}

/// How often each condition must hold, each time at another position.
#[derive(Default)]
struct Tally {
    needed: FxHashMap<BoolId, u32>,
    /// Conditions that may hold at positions already counted.
    still: Vec<BoolId>,
    /// The condition on the positions that the length counts.
    asked: Vec<Option<BoolId>>,
}

type AddFilter = fn(&mut Tally, BoolId, u32);

impl Tally {
    fn new(ir: &Ir, parts: &[ConId], add_filter: AddFilter) -> Tally {
        let mut tally = Tally::default();
        parts
            .iter()
            .for_each(|&con| tally.add(ir, con, 1, add_filter));
        for id in std::mem::take(&mut tally.still) {
            tally.needed.entry(id).or_insert(1);
        }
        tally
    }

    fn add(&mut self, ir: &Ir, con: ConId, times: u32, add_filter: AddFilter) {
        match ir.con(con) {
            Con::Chain(cons) => cons
                .iter()
                .for_each(|&con| self.add(ir, con, times, add_filter)),
            Con::Repeat { of, min, .. } => {
                self.add(ir, *of, times.saturating_mul(*min), add_filter);
            }
            Con::Dash(_, target) => self.ask(*target, times),
            Con::Filter { body, .. } => add_filter(self, *body, times),
        }
    }

    fn add_filter(&mut self, id: BoolId, times: u32) {
        self.ask(Some(id), times);
    }

    fn add_still(&mut self, id: BoolId, times: u32) {
        self.still.extend((times > 0).then_some(id));
    }

    fn ask(&mut self, condition: Option<BoolId>, times: u32) {
        if !self.asked.contains(&condition) {
            self.asked.push(condition);
        }
        if let Some(id) = condition.filter(|_| times > 0) {
            let count = self.needed.entry(id).or_default();
            *count = count.saturating_add(times);
        }
    }

    /// The most selective condition: at the start if possible, otherwise the most frequent.
    fn witness(
        mut self,
        ir: &Ir,
        parts: &[ConId],
        props: Props,
        range: Option<Range>,
    ) -> Option<Witness> {
        if !props.is_pure() {
            return None;
        }
        if let [Some(id)] = self.asked[..] {
            let least = u32::try_from(least(range)).unwrap_or(0);
            let count = self.needed.entry(id).or_default();
            *count = least.max(*count);
        }
        let (first, place) = first(ir, *parts.first()?);
        let of_board = |id: &BoolId| id.props(ir) == Props::NONE;
        let mut all: Vec<Witness> = self
            .needed
            .into_iter()
            .filter(|(id, count)| of_board(id) && *count > 0)
            .map(|(holds, at_least)| Witness {
                holds,
                at_least,
                in_a_row: 0,
                every_second: false,
                place: if first == Some(holds) {
                    place
                } else {
                    WitnessPlace::Anywhere
                },
            })
            .collect();
        all.sort_by_key(|w| (w.place, w.at_least, w.holds));
        all.pop()
    }
}

/// The condition at the start of a constituent, and its place.
fn first(ir: &Ir, con: ConId) -> (Option<BoolId>, WitnessPlace) {
    match ir.con(con) {
        Con::Filter { body, .. } => (Some(*body), WitnessPlace::There),
        Con::Dash(_, target) => (*target, WitnessPlace::Below),
        Con::Chain(cons) => match cons.first() {
            Some(&con) => first(ir, con),
            None => (None, WitnessPlace::Anywhere),
        },
        Con::Repeat { of, min, .. } if *min > 0 => first(ir, *of),
        Con::Repeat { .. } => (None, WitnessPlace::Anywhere),
    }
}

/// The number of consecutive positions at which a constituent of a line requires a condition.
fn row(ir: &Ir, con: ConId, holds: BoolId) -> u32 {
    match ir.con(con) {
        Con::Filter { body, .. } => u32::from(*body == holds),
        Con::Dash(..) => 0,
        Con::Chain(cons) => cons
            .iter()
            .map(|&con| row(ir, con, holds))
            .max()
            .unwrap_or(0),
        Con::Repeat { min: 0, .. } => 0,
        Con::Repeat { of, min, .. } => match ir.con(*of) {
            Con::Filter { .. } => row(ir, *of, holds) * min,
            _ => row(ir, *of, holds),
        },
    }
}

fn least(range: Option<Range>) -> i64 {
    match range.map(|range| range.min) {
        Some(Bound::Number(n)) => n,
        _ => 0,
    }
}
