//! Numbers.

use super::{Entry, Matcher};
use crate::ast::{Compare, Side, VarId};
use crate::ir::*;
use chess::{Color, Role, Square};

/// Whether a comparison holds between two ordered values.
#[inline]
pub(super) fn holds<T: Ord + ?Sized>(op: Compare, a: &T, b: &T) -> bool {
    match op {
        Compare::Less | Compare::Above => a < b,
        Compare::LessEqual | Compare::AboveEqual => a <= b,
        Compare::Greater | Compare::Below => a > b,
        Compare::GreaterEqual | Compare::BelowEqual => a >= b,
        Compare::Equal => a == b,
        Compare::NotEqual => a != b,
    }
}

impl<'q> Matcher<'q> {
    /// A number; without a value, its comments are dropped.
    pub(super) fn num(&mut self, id: NumId) -> Option<i64> {
        let q = self.q;
        match q.ir.num(id) {
            Num::Const(n) => Some(*n),
            Num::Var(var) => match self.values[var.0 as usize].number() {
                Some(n) => Some(n),
                None => self.number_variable(*var),
            },
            Num::Card(set) => Some(i64::from(self.any_set(*set).count_ones())),
            Num::OfSet(SetMeasure::Rank, set) => {
                let set = self.any_set(*set);
                set.is_power_of_two()
                    .then(|| i64::from(set.trailing_zeros() / 8) + 1)
            }
            Num::OfSet(SetMeasure::File, set) => {
                let set = self.any_set(*set);
                set.is_power_of_two()
                    .then(|| i64::from(set.trailing_zeros() % 8) + 1)
            }
            _ => match q.plan.num_code(id) {
                Some(code) => self.run_code(code),
                None => self.calculated(id),
            },
        }
    }

    /// A number that is calculated node by node.
    fn calculated(&mut self, id: NumId) -> Option<i64> {
        let q = self.q;
        match q.ir.num(id) {
            _ if id.props(&q.ir).has(Props::COMMENTS) => self.or_no_comments(|m| m.num_value(id)),
            Num::Calc(op, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                calculate(*op, a, b)
            }
            Num::Compare(op, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                holds(*op, &a, &b).then_some(a)
            }
            _ => self.num_value(id),
        }
    }

    /// A part of a calculation; most are constants and variables.
    #[inline(always)] // that is why: it saves the call
    fn operand(&mut self, id: NumId) -> Option<i64> {
        match self.q.ir.num(id) {
            Num::Const(n) => Some(*n),
            Num::Var(var) => match self.values[var.0 as usize].number() {
                Some(n) => Some(n),
                None => self.number_variable(*var),
            },
            _ => self.num(id),
        }
    }

    #[inline(never)] // keeps the frame of its callers small
    fn any_set(&mut self, id: SetId) -> u64 {
        self.set(id)
    }

    #[inline(never)]
    fn num_value(&mut self, id: NumId) -> Option<i64> {
        let q = self.q;
        match q.ir.num(id) {
            Num::Const(n) => Some(*n),
            Num::Var(var) => self.number_variable(*var),
            Num::Flow(Flow::At(place, num)) => {
                let at = self.place(*place)?;
                self.num_at(at, *num)
            }
            Num::Flow(flow) => self.flow(flow),
            Num::Card(set) => Some(i64::from(self.set(*set).count_ones())),
            Num::Length(text) => {
                let text = self.text(*text)?;
                self.spend_on(&text);
                Some(self.length(&text))
            }
            Num::Entries(dict) => Some(self.entries(*dict)),
            Num::Measure(measure) => self.measure(*measure),
            Num::OfSet(measure, set) => self.of_set(*measure, *set),
            Num::Calc(op, a, b) => {
                let (a, b) = (self.num(*a)?, self.num(*b)?);
                calculate(*op, a, b)
            }
            Num::Negate(a) => self.num(*a)?.checked_neg(),
            Num::Abs(a) => self.num(*a)?.checked_abs(),
            Num::Sqrt(a) => self.num(*a).filter(|&n| n >= 0).map(root),
            Num::Int(text) => self.text(*text)?.trim().parse().ok(),
            Num::Ascii(text) => {
                let text = self.text(*text)?;
                let mut chars = text.chars();
                chars
                    .next()
                    .filter(|_| chars.next().is_none())
                    .map(|c| i64::from(u32::from(c)))
            }
            Num::Extreme { max, args } => self.extreme_num(*max, args),
            Num::Compare(op, a, b) => {
                let (a, b) = (self.num(*a)?, self.num(*b)?);
                holds(*op, &a, &b).then_some(a)
            }
            Num::Distance(a, b) => {
                let (a, b) = (self.place(*a)?, self.place(*b)?);
                Some(self.positions.distance(a, b).into())
            }
            Num::IndexOf(part, text) => {
                let (part, text) = (self.text(*part)?, self.text(*text)?);
                self.spend_on(&text);
                text.find(&*part).map(|at| self.length(&text[..at]))
            }
            other => self.searched_num(other),
        }
    }

    /// Numbers that come from searching or from the game.
    fn searched_num(&mut self, node: &'q Num) -> Option<i64> {
        match node {
            Num::Find {
                quiet,
                back,
                range,
                body,
            } => self.find_all(*quiet, *back, *range, *body),
            Num::Echo {
                quiet,
                source,
                target,
                all,
                sort,
                body,
            } => self.echo_max(*quiet, *source, *target, *all, *sort, *body),
            Num::Consecutive {
                quiet,
                range,
                left,
                right,
                names,
                site,
            } => {
                let (left, right) = (self.place(*left)?, self.place(*right)?);
                self.consecutive(*quiet, *range, left, right, names, *site)
            }
            Num::OrbitCount { range, parts } => {
                let count = self.count_parts(parts);
                self.in_range(*range, count).then_some(count)
            }
            Num::OrbitMax(parts) => self.extreme_num(true, parts),
            Num::Move(id) => self.move_count(*id),
            Num::DashCount(dash, target) => Some(self.dash_count(*dash, *target)),
            Num::LegalCount { dash, pseudo, kind } => {
                Some(self.legal_dash(*dash, *pseudo, *kind).1)
            }
            Num::Line(id) => self.line(*id).map(|m| m.value),
            Num::Path(id) => self.path(*id).map(|m| m.value),
            Num::Sort { key, value, site } => self.sort_num(*key, *value, *site),
            Num::Elo(side) => self.elo(*side),
            Num::Year => self.tags.year(),
            Num::GroupStart(group) => self.group_start(group),
            Num::Award { kind, special, max } => self.tags.award(*kind, *special, *max),
            Num::Lookup(dict, key) => match self.lookup(*dict, *key)? {
                Entry::Num(n) => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    fn entries(&self, dict: VarId) -> i64 {
        match &self.values[dict.0 as usize] {
            super::Value::Dictionary(map) => map.len() as i64,
            _ => 0,
        }
    }

    fn measure(&mut self, measure: Measure) -> Option<i64> {
        Some(match measure {
            Measure::SideToMove => match self.board().turn() {
                Color::White => 1,
                Color::Black => -1,
            },
            Measure::HalfMoveClock => self.board().halfmoves().into(),
            Measure::GameNumber => self.game_number as i64,
            Measure::LastGameNumber => self.host.and_then(|host| host.last_game_number())? as i64,
            Measure::Ply => self.positions.ply(self.at).into(),
            Measure::MoveNumber => self.positions.move_number(self.at, false),
            Measure::MoveNumber62 => self.positions.move_number(self.at, true),
            Measure::Depth => self.positions.depth(self.at).into(),
            Measure::PositionId => {
                return (!self.positions.is_imagined(self.at)).then_some(self.at.into());
            }
            Measure::PathCount => self.paths.count()?,
            Measure::PathCountUnfocused => {
                let start = self.positions.ply(self.paths.start()?);
                i64::from(self.positions.ply(self.at)) - i64::from(start) - self.paths.count()?
            }
        })
    }

    fn of_set(&mut self, measure: SetMeasure, set: SetId) -> Option<i64> {
        let set = self.set(set);
        if measure == SetMeasure::Power {
            return Some(self.power(set));
        }
        if set.count_ones() != 1 {
            return None;
        }
        let square = set.trailing_zeros();
        let piece = self.board().piece_at(Square::new(square));
        let kind = piece.map_or(0, |p| i64::from(u32::from(p.role)));
        match measure {
            SetMeasure::Rank => Some(i64::from(square / 8) + 1),
            SetMeasure::File => Some(i64::from(square % 8) + 1),
            SetMeasure::Type => Some(kind),
            SetMeasure::ColorType => Some(if piece.is_some_and(|p| p.color == Color::Black) {
                -kind
            } else {
                kind
            }),
            _ => Some(self.piece_on(square))
                .filter(|&p| p != crate::positions::NO_PIECE)
                .map(i64::from),
        }
    }

    fn power(&self, set: u64) -> i64 {
        let board = self.board();
        let count = |role| i64::from((u64::from(board.by_role(role)) & set).count_ones());
        9 * count(Role::Queen)
            + 5 * count(Role::Rook)
            + 3 * (count(Role::Bishop) + count(Role::Knight))
            + count(Role::Pawn)
    }

    /// The extreme value; of the comments, only those of parts that reach it stay.
    fn extreme_num(&mut self, max: bool, args: &'q [NumId]) -> Option<i64> {
        let start = self.remarks.len();
        let mut best = None;
        for &arg in args {
            let mark = self.remarks.len();
            let Some(value) = self.num(arg) else { continue };
            match best {
                Some(old) if old == value => {}
                Some(old) if (value > old) == max => {
                    self.remarks.drain(start..mark.min(self.remarks.len()));
                    best = Some(value);
                }
                Some(_) => self.remarks.truncate(mark),
                None => best = Some(value),
            }
        }
        best
    }

    fn elo(&self, side: Option<Side>) -> Option<i64> {
        match side {
            Some(Side::White) => self.tags.elo[0],
            Some(Side::Black) => self.tags.elo[1],
            None => self.tags.elo.iter().copied().flatten().max(),
        }
    }
}

/// The integer square root.
pub(super) fn root(n: i64) -> i64 {
    // up to here floating point is exact: the roots of a square and its neighbours differ by more
    // than rounding
    const EXACT: i64 = 1 << 50;
    if n < EXACT {
        (n as f64).sqrt() as i64
    } else {
        n.isqrt()
    }
}

#[inline]
pub(super) fn calculate(op: Calc, a: i64, b: i64) -> Option<i64> {
    match op {
        Calc::Add => a.checked_add(b),
        Calc::Subtract => a.checked_sub(b),
        Calc::Multiply => a.checked_mul(b),
        Calc::Divide => a.checked_div(b),
        Calc::Remainder => a.checked_rem(b),
    }
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn roots_are_exact() {
        let near = [
            1i64,
            2,
            3,
            1 << 12,
            (1 << 25) - 1,
            1 << 25,
            (1 << 25) + 1,
            3_037_000_499,
        ];
        for k in near {
            for n in [k * k - 1, k * k, k * k + 1] {
                assert_eq!(root(n), n.isqrt(), "{n}");
            }
        }
        assert_eq!(root(0), 0);
        assert_eq!(root(i64::MAX), i64::MAX.isqrt());
    }
}
