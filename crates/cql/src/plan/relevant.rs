//! The kinds of pieces on whose squares alone a condition depends.

use crate::ir::*;

const PAWNS: u16 = 1 | 1 << 6;

/// The kinds, as bits of a designator; none if the condition depends on something else.
pub(super) fn of_bool(ir: &Ir, id: BoolId) -> Option<u16> {
    match ir.bool(id) {
        Bool::Const(_) => Some(0),
        Bool::And(ids) | Bool::Or(ids) | Bool::Orbit(ids) => all(ids, |id| of_bool(ir, id)),
        Bool::Not(id) => of_bool(ir, *id),
        Bool::NonEmpty(set) => of_set(ir, *set),
        Bool::Count(count) => Some(count.pieces),
        Bool::HasNum(num) => of_num(ir, *num),
        Bool::Subset(a, b) | Bool::SetEq(a, b) => all(&[*a, *b], |id| of_set(ir, id)),
        Bool::Any { set, body, .. } => Some(of_set(ir, *set)? | of_bool(ir, *body)?),
        _ => None,
    }
}

fn of_set(ir: &Ir, id: SetId) -> Option<u16> {
    match ir.set(id) {
        Set::Const(_) | Set::Var(_) => Some(0),
        Set::Pieces { pieces, .. } => Some(*pieces),
        Set::Not(set) => of_set(ir, *set),
        Set::And(sets) | Set::Or(sets) | Set::Orbit(sets) => all(sets, |id| of_set(ir, id)),
        Set::Step { of, .. } => of_set(ir, *of),
        Set::Between(a, b) => all(&[*a, *b], |id| of_set(ir, id)),
        Set::Each { set, body, .. } => Some(of_set(ir, *set)? | of_bool(ir, *body)?),
        Set::Pawns(_) => Some(PAWNS),
        _ => None,
    }
}

fn of_num(ir: &Ir, id: NumId) -> Option<u16> {
    match ir.num(id) {
        Num::Const(_) => Some(0),
        Num::Card(set) => of_set(ir, *set),
        Num::Calc(_, a, b) | Num::Compare(_, a, b) => all(&[*a, *b], |id| of_num(ir, id)),
        Num::Negate(num) | Num::Abs(num) => of_num(ir, *num),
        Num::OrbitMax(nums) => all(nums, |id| of_num(ir, id)),
        Num::OrbitCount { parts, .. } => all(parts, |id| of_bool(ir, id)),
        _ => None,
    }
}

fn all<T: Copy>(ids: &[T], of: impl Fn(T) -> Option<u16>) -> Option<u16> {
    ids.iter().try_fold(0, |kinds, &id| Some(kinds | of(id)?))
}
