//! Conditions that need a sign of the position: a kind of move from it, the start or an end.

use super::guard;
use crate::ir::*;
use crate::signs::{self, Signs};

/// The signs of which a condition needs one; none if that is unknown.
pub(super) fn of_bool(ir: &Ir, id: BoolId) -> Signs {
    match ir.bool(id) {
        Bool::Test(Test::Initial) => signs::INITIAL,
        Bool::Test(Test::Mate | Test::Stalemate | Test::Terminal) => signs::END,
        Bool::Dash(dash, target) => of_dash(ir, *dash, *target),
        Bool::HasNum(num) => of_num(ir, *num),
        Bool::And(ids) => of_all(ir, ids),
        _ => 0,
    }
}

/// The first signs that a conjunction needs; what is before them must not be missed.
fn of_all(ir: &Ir, ids: &[BoolId]) -> Signs {
    for &id in ids {
        let signs = of_bool(ir, id);
        if signs != 0 {
            return signs;
        }
        let props = id.props(ir);
        if !props.is_pure() || props.has(Props::READS) {
            return 0;
        }
    }
    0
}

/// The signs that a path needs where it begins.
fn of_num(ir: &Ir, id: NumId) -> Signs {
    let Num::Path(path) = *ir.num(id) else {
        return 0;
    };
    // a focus is evaluated before the path
    let first =
        guard::first_part(ir, &ir.path(path).parts).filter(|_| ir.path(path).focus.is_none());
    match first.map(|con| ir.con(con)) {
        Some(Con::Filter { body, .. }) => of_bool(ir, *body),
        Some(Con::Dash(dash, target)) => of_dash(ir, *dash, *target),
        _ => 0,
    }
}

fn of_dash(ir: &Ir, id: DashId, target: Option<BoolId>) -> Signs {
    let spec = ir.dash(id);
    let sides = (spec.left, spec.right).props(ir);
    if spec.current || !sides.is_pure() || sides.has(Props::READS) {
        return 0;
    }
    match (spec.promotion, target.map(|target| ir.bool(target))) {
        (Some(Promotion::Pieces(pieces)), _) => signs::of_promotions(pieces),
        // the text is read only after a promotion
        (Some(Promotion::Text(_)), _) => signs::PROMOTIONS,
        (None, Some(Bool::Test(Test::EnPassant))) => signs::EN_PASSANT,
        (None, Some(Bool::Test(Test::Castle | Test::ShortCastle | Test::LongCastle))) => {
            signs::CASTLING
        }
        _ => 0,
    }
}
