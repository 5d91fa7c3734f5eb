//! Squares that a piece must reach for a search to find something.

use super::necessary;
use crate::ast::VarId;
use crate::ir::*;

/// A piece must reach one of these squares, which are the same at all positions searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub piece: VarId,
    pub squares: SetId,
    /// The set is that of the piece's square, so it has one square, or none if the piece is gone.
    pub is_whole: bool,
    /// The piece must move there.
    pub arrives: bool,
}

/// The squares that pieces must reach for a condition to hold at some later position.
pub(super) fn visits(ir: &Ir, body: BoolId) -> Vec<Visit> {
    let mut conditions = Vec::new();
    necessary(ir, body, &mut conditions);
    conditions.into_iter().filter_map(|id| of(ir, id)).collect()
}

fn of(ir: &Ir, id: BoolId) -> Option<Visit> {
    match ir.bool(id) {
        Bool::SetEq(a, b) => {
            let (piece, squares) = match (piece(ir, *a), piece(ir, *b)) {
                (Some(piece), _) => (piece, *b),
                (_, Some(piece)) => (piece, *a),
                _ => return None,
            };
            visit(ir, piece, squares, true)
        }
        Bool::NonEmpty(set) => {
            let Set::And(sets) = ir.set(*set) else {
                return None;
            };
            let piece = sets.iter().find_map(|&set| piece(ir, set))?;
            let squares = sets.iter().find(|&&set| is_fixed(ir, set))?;
            visit(ir, piece, *squares, false)
        }
        Bool::Dash(dash, _) => {
            let spec = ir.dash(*dash);
            let piece = piece(ir, spec.left?)?;
            let visit = visit(ir, piece, spec.right?, false)?;
            (!spec.capture && !spec.current).then_some(Visit {
                arrives: true,
                ..visit
            })
        }
        _ => None,
    }
}

fn visit(ir: &Ir, piece: VarId, squares: SetId, is_whole: bool) -> Option<Visit> {
    is_fixed(ir, squares).then_some(Visit {
        piece,
        squares,
        is_whole,
        arrives: false,
    })
}

fn piece(ir: &Ir, set: SetId) -> Option<VarId> {
    match *ir.set(set) {
        Set::PieceVar(var) => Some(var),
        _ => None,
    }
}

/// True if a set is the same wherever it is evaluated, as long as no variable changes.
pub(crate) fn is_fixed(ir: &Ir, set: SetId) -> bool {
    match ir.set(set) {
        Set::Const(_) | Set::Var(_) => true,
        Set::Flow(Flow::At(place, inner)) => {
            matches!(ir.place(*place), Place::Var(_)) && inner.props(ir).is_pure()
        }
        Set::And(sets) | Set::Or(sets) => sets.iter().all(|&set| is_fixed(ir, set)),
        Set::Not(set) => is_fixed(ir, *set),
        _ => false,
    }
}
