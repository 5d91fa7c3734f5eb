//! The number of moves that pieces must make in a line or path.

use crate::ast::{MoveMode, VarId};
use crate::ir::*;

/// The least number of moves of a path.
pub(super) fn of_path(ir: &Ir, id: PathId) -> u32 {
    count(ir, &ir.path(id).parts, |con| matches!(con, Con::Dash(..)))
}

/// A piece whose moves a line needs, and their least number.
pub(super) fn of_line(ir: &Ir, id: LineId) -> Option<(VarId, u32)> {
    let parts = &ir.line(id).parts;
    let piece = parts.iter().find_map(|&con| first_mover(ir, con))?;
    let moves = |con: &Con| matches!(con, Con::Filter { body, linear: true } if mover(ir, *body) == Some(piece));
    (!ir.line(id).back).then(|| (piece, count(ir, parts, moves)))
}

fn count(ir: &Ir, cons: &[ConId], counts: impl Fn(&Con) -> bool + Copy) -> u32 {
    let one = |&con: &ConId| match ir.con(con) {
        Con::Chain(cons) => count(ir, cons, counts),
        Con::Repeat { of, min, .. } => count(ir, &[*of], counts).saturating_mul(*min),
        con => u32::from(counts(con)),
    };
    cons.iter().map(one).fold(0, u32::saturating_add)
}

fn first_mover(ir: &Ir, con: ConId) -> Option<VarId> {
    match ir.con(con) {
        Con::Filter { body, linear: true } => mover(ir, *body),
        Con::Chain(cons) => cons.iter().find_map(|&con| first_mover(ir, con)),
        Con::Repeat { of, .. } => first_mover(ir, *of),
        Con::Filter { .. } | Con::Dash(..) => None,
    }
}

/// `move from T`: the piece that moves.
fn mover(ir: &Ir, body: BoolId) -> Option<VarId> {
    let id = match ir.bool(body) {
        Bool::Move(id) => *id,
        Bool::NonEmpty(set) => match ir.set(*set) {
            Set::Move(id) => *id,
            _ => return None,
        },
        _ => return None,
    };
    let spec = ir.mv(id);
    let is_played = spec.mode == MoveMode::Played && !matches!(spec.target, Some((_, true)));
    match *ir.set(spec.from?) {
        Set::PieceVar(var) if is_played && spec.drop.is_none() => Some(var),
        _ => None,
    }
}
