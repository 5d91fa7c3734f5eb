//! Targets of an echo: most are ruled out before the filter is evaluated.

use crate::ast::{Compare, VarId, Variable};
use crate::ir::*;
use crate::positions::{Positions, same_squares};
use chess::Color;
use std::cell::Cell;

/// The empty squares, as a bit of a designator.
const EMPTY: u16 = 1 << 12;

/// Necessary conditions derived from an echo's body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EchoPlan {
    /// The target comes after the source.
    later: bool,
    earlier: bool,
    /// The target is below the source.
    below: bool,
    /// The same side is to move in both.
    same_side: bool,
    /// This side is to move in the target.
    white_to_move: Option<bool>,
    /// The least and greatest number of different squares.
    differing: Option<(u32, u32)>,
    /// Both have the same number of pieces.
    same_count: bool,
    /// Each square of the target has the piece of the source on this square.
    pub mapped: Option<[u8; 64]>,
    /// All squares that differ are in this set of the source.
    pub within: Option<SetId>,
    /// The squares that differ are empty in the target.
    emptied: bool,
}

/// The sets of a plan, evaluated for one source.
#[derive(Clone, Copy, Default)]
pub(crate) struct EchoMasks {
    /// The occupied squares of a target.
    pub occupied: Option<u64>,
    /// The squares that may differ.
    pub within: Option<u64>,
}

/// The position that a filter is about: source or target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Source,
    Target,
}

impl EchoPlan {
    pub fn new(
        ir: &Ir,
        variables: &[Variable],
        root: BoolId,
        body: Key,
        (source, target): (VarId, VarId),
    ) -> EchoPlan {
        let analysis = EchoAnalysis {
            ir,
            variables,
            root,
            body,
            source,
            target,
            differences: Cell::new(None),
        };
        let mut plan = EchoPlan::default();
        match body {
            Key::Bool(id) => analysis.learn_all(id, &mut plan),
            Key::Num(id) => analysis.learn_value(id, &mut plan),
            Key::Text(_) | Key::Set(_) | Key::Place(_) => false,
        };
        plan
    }

    /// The positions that can be targets from here.
    pub fn targets(self, positions: &Positions, here: u32, masks: EchoMasks) -> Targets {
        let first = if self.later || self.below { here } else { 0 };
        let end = match (self.below, self.earlier) {
            (true, _) => positions.end(here),
            (_, true) => here + 1,
            _ => positions.real(),
        };
        let side = positions.board(here).turn();
        let wanted = match self.white_to_move {
            Some(white) => Some(if white { Color::White } else { Color::Black }),
            None => self.same_side.then_some(side),
        };
        Targets {
            plan: self,
            here,
            next: first,
            end,
            side: wanted,
            masks,
        }
    }

    /// True if every target is below its source.
    pub fn is_below(&self) -> bool {
        self.below
    }

    /// True if boards are compared before anything else.
    pub fn compares_boards(&self) -> bool {
        self.differing.is_some()
            || self.same_count
            || self.mapped.is_some()
            || self.within.is_some()
            || self.emptied
    }

    pub fn describe(&self) -> Option<String> {
        (*self != EchoPlan::default()).then(|| {
            let mut parts = Vec::new();
            if self.later || self.below {
                parts.push("later positions".to_owned());
            }
            if self.same_side || self.white_to_move.is_some() {
                parts.push("one side to move".to_owned());
            }
            if self.same_count || self.mapped.is_some() || self.within.is_some() || self.emptied {
                parts.push("occupied squares that fit".to_owned());
            }
            if let Some((low, high)) = self.differing {
                parts.push(format!("{low} to {high} squares that differ"));
            }
            format!("an echo looks only at targets with {}", parts.join(", "))
        })
    }
}

/// Derives the plan from conditions about the two positions.
struct EchoAnalysis<'i> {
    ir: &'i Ir,
    variables: &'i [Variable],
    root: BoolId,
    body: Key,
    source: VarId,
    target: VarId,
    /// The variable that holds the squares that differ.
    differences: Cell<Option<VarId>>,
}

impl EchoAnalysis<'_> {
    /// The body is evaluated at the target.
    fn end(&self, place: PlaceId) -> Option<End> {
        match self.ir.place(place) {
            Place::Var(var) if *var == self.source => Some(End::Source),
            Place::Var(var) if *var == self.target => Some(End::Target),
            Place::Here => Some(End::Target),
            _ => None,
        }
    }

    /// Derives constraints from conditions up to the first with effects; false if there is one.
    fn learn_all(&self, id: BoolId, plan: &mut EchoPlan) -> bool {
        match self.ir.bool(id) {
            Bool::And(ids) => ids.iter().all(|&id| self.learn_all(id, plan)),
            Bool::Assign(Assign::Set { var, value, .. }) => self.learn_variable(*var, *value),
            _ => {
                self.learn(id, plan);
                id.props(self.ir).is_pure()
            }
        }
    }

    /// A variable of the body alone holds a set: a target that is left out need not set it.
    fn learn_variable(&self, var: VarId, value: SetId) -> bool {
        let is_difference = matches!(self.ir.set(value), Set::Not(same) if self.is_same(*same));
        let is_own = !self.variables[var.0 as usize].persistent
            && !self
                .ir
                .reads_any(self.root.into(), &[var], Some(self.body.into()))
            && self.differences.get().is_none();
        if is_own && is_difference {
            self.differences.set(Some(var));
        }
        is_own && is_difference
    }

    /// The squares that differ.
    fn is_difference(&self, set: SetId) -> bool {
        match *self.ir.set(set) {
            Set::Var(var) => self.differences.get() == Some(var),
            Set::Not(same) => self.is_same(same),
            _ => false,
        }
    }

    /// `differences == _ & source:A`: where the boards can differ.
    fn learn_within(&self, set: SetId, plan: &mut EchoPlan) {
        match self.ir.set(set) {
            Set::And(sets) => sets.iter().for_each(|&set| self.learn_within(set, plan)),
            Set::Pieces { pieces, .. } => plan.emptied |= *pieces == EMPTY,
            Set::Flow(Flow::At(place, inner))
                if self.end(*place) == Some(End::Source) && inner.props(self.ir) == Props::NONE =>
            {
                plan.within = Some(*inner);
            }
            _ => {}
        }
    }

    /// `square all x in . piecename x == source:piecename f(x)`.
    fn learn_map(&self, var: VarId, body: BoolId, plan: &mut EchoPlan) {
        let Bool::HasText(text) = self.ir.bool(body) else {
            return;
        };
        let Text::Compare(Compare::Equal, a, b) = *self.ir.text(*text) else {
            return;
        };
        let (Text::PieceName(here), Text::Flow(Flow::At(place, name))) =
            (self.ir.text(a), self.ir.text(b))
        else {
            return;
        };
        let Text::PieceName(there) = self.ir.text(*name) else {
            return;
        };
        if *self.ir.set(*here) == Set::Var(var) && self.end(*place) == Some(End::Source) {
            plan.mapped = mapping(self.ir, *there, var);
        }
    }

    /// The same from the conditions for a number to have a value.
    fn learn_value(&self, id: NumId, plan: &mut EchoPlan) -> bool {
        match self.ir.num(id) {
            Num::Flow(Flow::Seq(ids, value)) => {
                ids.iter().all(|&id| self.learn_all(id, plan)) && self.learn_value(*value, plan)
            }
            Num::Compare(op, a, b) => {
                self.learn_numbers(*op, *a, *b, plan);
                false
            }
            _ => false,
        }
    }

    fn are_both(&self, a: Option<End>, b: Option<End>) -> bool {
        matches!((a, b), (Some(a), Some(b)) if a != b)
    }

    fn learn(&self, id: BoolId, plan: &mut EchoPlan) {
        match self.ir.bool(id) {
            Bool::HasPlace(place) => self.learn_order(*place, plan),
            Bool::ToMove(side) => plan.white_to_move = Some(*side == crate::ast::Side::White),
            Bool::Any {
                var,
                is_piece: false,
                set,
                body,
                all: true,
            } if *self.ir.set(*set) == Set::Const(!0) => self.learn_map(*var, *body, plan),
            Bool::SetEq(a, b) if self.is_difference(*a) => self.learn_within(*b, plan),
            Bool::SetEq(a, b) => {
                let alike = self.is_same(*a) && *self.ir.set(*b) == Set::Const(!0);
                if alike || self.is_same(*b) && *self.ir.set(*a) == Set::Const(!0) {
                    plan.differing = Some((0, 0));
                }
            }
            Bool::HasNum(num) => {
                if let Num::Compare(op, a, b) = *self.ir.num(*num) {
                    self.learn_numbers(op, a, b, plan);
                }
            }
            _ => {}
        }
    }

    fn learn_order(&self, place: PlaceId, plan: &mut EchoPlan) {
        let (by_ancestry, op, a, b) = match *self.ir.place(place) {
            Place::ById(op, a, b) => (false, op, a, b),
            Place::ByAncestry(op, a, b) => (true, op, a, b),
            _ => return,
        };
        let (a, b) = (self.end(a), self.end(b));
        if !self.are_both(a, b) {
            return;
        }
        use Compare::{
            Above, AboveEqual, Below, BelowEqual, Greater, GreaterEqual, Less, LessEqual,
        };
        let first_is_left = match op {
            Less | LessEqual | Above | AboveEqual => true,
            Greater | GreaterEqual | Below | BelowEqual => false,
            _ => return,
        };
        let source_first = first_is_left == (a == Some(End::Source));
        plan.later |= source_first;
        plan.earlier |= !source_first;
        plan.below |= source_first && by_ancestry;
    }

    fn learn_numbers(&self, op: Compare, a: NumId, b: NumId, plan: &mut EchoPlan) {
        if op == Compare::Equal && self.are_both(self.side_to_move(a), self.side_to_move(b)) {
            plan.same_side = true;
        }
        if op == Compare::Equal && self.are_both(self.all_pieces(a), self.all_pieces(b)) {
            plan.same_count = true;
        }
        let (Num::Card(set), Num::Const(n)) = (self.ir.num(a), self.ir.num(b)) else {
            return;
        };
        let (op, n) = match *self.ir.set(*set) {
            Set::Not(inner) if self.is_same(inner) => (op, *n),
            Set::Same(..) if self.is_same(*set) => (of_rest(op), 64i64.saturating_sub(*n)),
            _ => return,
        };
        let n = u32::try_from(n).unwrap_or(64).min(64);
        plan.differing = match op {
            Compare::Equal => Some((n, n)),
            Compare::LessEqual => Some((0, n)),
            Compare::Less => Some((0, n.saturating_sub(1))),
            _ => plan.differing,
        };
    }

    /// The position whose number of pieces a number is.
    fn all_pieces(&self, num: NumId) -> Option<End> {
        match self.ir.num(num) {
            Num::Card(set) => {
                let all = Set::Pieces {
                    pieces: EMPTY - 1,
                    squares: !0,
                };
                (*self.ir.set(*set) == all).then_some(End::Target)
            }
            Num::Flow(Flow::At(place, inner)) => {
                let inner = self.all_pieces(*inner);
                (inner == Some(End::Target)).then(|| self.end(*place))?
            }
            _ => None,
        }
    }

    /// The position whose `sidetomove` a number is.
    fn side_to_move(&self, num: NumId) -> Option<End> {
        match self.ir.num(num) {
            Num::Measure(Measure::SideToMove) => Some(End::Target),
            Num::Flow(Flow::At(place, inner)) => {
                let inner = self.ir.num(*inner);
                (*inner == Num::Measure(Measure::SideToMove)).then(|| self.end(*place))?
            }
            _ => None,
        }
    }

    /// `source & target`: the squares with equal contents.
    fn is_same(&self, set: SetId) -> bool {
        match *self.ir.set(set) {
            Set::Same(a, b) => self.are_both(self.end(a), self.end(b)),
            _ => false,
        }
    }
}

/// The comparison of 64 - x with 64 - n where x is compared with n.
fn of_rest(op: Compare) -> Compare {
    match op {
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
        same => same,
    }
}

/// The square that a set is for each square of a variable, if it depends on nothing else.
fn mapping(ir: &Ir, set: SetId, var: VarId) -> Option<[u8; 64]> {
    let mut map = [0; 64];
    for (square, to) in (0..).zip(&mut map) {
        *to = image(ir, set, var, square)?;
    }
    Some(map)
}

fn image(ir: &Ir, set: SetId, var: VarId, square: u8) -> Option<u8> {
    match *ir.set(set) {
        Set::Var(v) if v == var => Some(square),
        Set::MakeSquare(file, rank) => {
            let (file, rank) = (
                coordinate(ir, file, var, square)?,
                coordinate(ir, rank, var, square)?,
            );
            let is_on_board = (1..=8).contains(&file) && (1..=8).contains(&rank);
            is_on_board.then_some((8 * (rank - 1) + file - 1) as u8)
        }
        _ => None,
    }
}

fn coordinate(ir: &Ir, num: NumId, var: VarId, square: u8) -> Option<i64> {
    match *ir.num(num) {
        Num::Const(n) => Some(n),
        Num::OfSet(SetMeasure::Rank, set) => Some(i64::from(image(ir, set, var, square)? / 8) + 1),
        Num::OfSet(SetMeasure::File, set) => Some(i64::from(image(ir, set, var, square)? % 8) + 1),
        Num::Calc(op, a, b) => {
            let a = coordinate(ir, a, var, square)?;
            let b = coordinate(ir, b, var, square)?;
            match op {
                Calc::Add => a.checked_add(b),
                Calc::Subtract => a.checked_sub(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Targets of an echo, in order.
pub(crate) struct Targets {
    plan: EchoPlan,
    here: u32,
    next: u32,
    end: u32,
    side: Option<Color>,
    masks: EchoMasks,
}

impl Targets {
    pub fn next(&mut self, positions: &Positions) -> Option<u32> {
        while self.next < self.end {
            let at = match self.plan.differing {
                Some((_, high)) => self.skip(positions, high)?,
                None if self.plan.compares_boards() => self.skip_unfit(positions)?,
                None => self.next,
            };
            self.next = at + 1;
            if self.is_possible(positions, at) {
                return Some(at);
            }
        }
        None
    }

    /// The next position with few enough changes of occupancy, the cheapest test.
    fn skip(&self, positions: &Positions, high: u32) -> Option<u32> {
        let here = u64::from(positions.board(self.here).occupied());
        let range = self.next as usize..self.end as usize;
        let others = positions.occupied.get(range)?;
        // up to two different squares are recognised without a full count
        let found = match high {
            0 => others.iter().position(|there| here == *there),
            1 => others.iter().position(|there| less(here ^ there) == 0),
            2 => others
                .iter()
                .position(|there| less(less(here ^ there)) == 0),
            _ => others
                .iter()
                .position(|there| (here ^ there).count_ones() <= high),
        };
        Some(self.next + found? as u32)
    }

    /// The next position whose occupied squares fit.
    fn skip_unfit(&self, positions: &Positions) -> Option<u32> {
        let here = u64::from(positions.board(self.here).occupied());
        let range = self.next as usize..self.end as usize;
        let others = positions.occupied.get(range)?;
        let outside = self.masks.within.map_or(0, |within| !within);
        let found = match self.masks.occupied {
            Some(wanted) => others.iter().position(|&there| there == wanted),
            None if self.plan.same_count => {
                let pieces = here.count_ones();
                others.iter().position(|there| there.count_ones() == pieces)
            }
            None => {
                let filled = if self.plan.emptied { !here } else { 0 };
                let fits = |&there: &u64| (here ^ there) & outside == 0 && there & filled == 0;
                others.iter().position(fits)
            }
        };
        Some(self.next + found? as u32)
    }

    fn is_possible(&self, positions: &Positions, at: u32) -> bool {
        let board = positions.board(at);
        if self.side.is_some_and(|side| board.turn() != side) {
            return false;
        }
        let Some((low, high)) = self.plan.differing else {
            return true;
        };
        if at == self.here {
            return low == 0;
        }
        let source = positions.board(self.here);
        (low..=high).contains(&(!same_squares(source, board)).count_ones())
    }
}

/// A set without its first square.
fn less(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}
