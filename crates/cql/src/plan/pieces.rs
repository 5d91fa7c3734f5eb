//! Loops over pieces that only compare where a piece stands: answered from the tables of pieces.

use crate::ast::VarId;
use crate::ir::*;

/// The position at which a piece is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    Here,
    At(PlaceId),
}

/// A condition on the squares of one piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceTest {
    pub a: Spot,
    /// The position with the same square; none if the piece must only be there.
    pub b: Option<Spot>,
    pub negated: bool,
}

/// The body of a loop as tests of the piece, if it consists of nothing else.
pub(super) fn tests(ir: &Ir, var: VarId, body: BoolId) -> Option<Vec<PieceTest>> {
    match ir.bool(body) {
        Bool::And(ids) => ids.iter().map(|&id| test(ir, var, id)).collect(),
        _ => Some(vec![test(ir, var, body)?]),
    }
}

fn test(ir: &Ir, var: VarId, id: BoolId) -> Option<PieceTest> {
    match ir.bool(id) {
        Bool::NonEmpty(set) => Some(PieceTest {
            a: spot(ir, var, *set)?,
            b: None,
            negated: false,
        }),
        Bool::Flow(Flow::At(place, inner)) => {
            let Bool::NonEmpty(set) = ir.bool(*inner) else {
                return None;
            };
            let is_known = matches!(ir.place(*place), Place::Var(_));
            let is_piece = *ir.set(*set) == Set::PieceVar(var);
            (is_known && is_piece).then_some(PieceTest {
                a: Spot::At(*place),
                b: None,
                negated: false,
            })
        }
        Bool::SetEq(a, b) => Some(PieceTest {
            a: spot(ir, var, *a)?,
            b: Some(spot(ir, var, *b)?),
            negated: false,
        }),
        Bool::Not(id) => {
            let test = test(ir, var, *id)?;
            Some(PieceTest {
                negated: !test.negated,
                ..test
            })
        }
        _ => None,
    }
}

fn spot(ir: &Ir, var: VarId, set: SetId) -> Option<Spot> {
    match *ir.set(set) {
        Set::PieceVar(v) if v == var => Some(Spot::Here),
        Set::Flow(Flow::At(place, inner)) => {
            let is_known = matches!(ir.place(place), Place::Var(_));
            let is_piece = *ir.set(inner) == Set::PieceVar(var);
            (is_known && is_piece).then_some(Spot::At(place))
        }
        _ => None,
    }
}
