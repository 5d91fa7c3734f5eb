//! The moves that pieces must make in a line or path.

use crate::ast::{MoveMode, VarId};
use crate::ir::*;

/// Fewer moves than this are made anyway, so they are not counted.
pub(crate) const MANY_MOVES: u32 = 4;

/// The moves of one piece that a line needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovesNeeded {
    pub piece: VarId,
    /// Their least number.
    pub least: u32,
    /// One of them arrives at a square of this variable.
    pub to: Option<VarId>,
}

/// The least number of moves of a path.
pub(super) fn of_path(ir: &Ir, id: PathId) -> u32 {
    count(ir, &ir.path(id).parts, |con| matches!(con, Con::Dash(..)))
}

/// The moves that a line needs, by piece.
pub(super) fn of_line(ir: &Ir, id: LineId) -> Vec<MovesNeeded> {
    let spec = ir.line(id);
    let mut needed = Vec::new();
    if !spec.back {
        collect(ir, &spec.parts, &mut needed);
    }
    for moves in &mut needed {
        let is_mover = |con: &Con| tied_mover(ir, con).map(|(piece, _)| piece) == Some(moves.piece);
        moves.least = count(ir, &spec.parts, is_mover);
    }
    needed
}

/// The pieces that move in constituents that must match.
fn collect(ir: &Ir, cons: &[ConId], needed: &mut Vec<MovesNeeded>) {
    for &con in cons {
        match ir.con(con) {
            Con::Chain(cons) => collect(ir, cons, needed),
            Con::Repeat { of, min, .. } if *min > 0 => collect(ir, &[*of], needed),
            con => {
                let Some((piece, to)) = tied_mover(ir, con) else {
                    continue;
                };
                let to = to.and_then(|to| match *ir.set(to) {
                    Set::Var(var) => Some(var),
                    _ => None,
                });
                match needed.iter_mut().find(|moves| moves.piece == piece) {
                    Some(moves) => moves.to = moves.to.or(to),
                    None => needed.push(MovesNeeded {
                        piece,
                        least: 0,
                        to,
                    }),
                }
            }
        }
    }
}

fn count(ir: &Ir, cons: &[ConId], counts: impl Fn(&Con) -> bool + Copy) -> u32 {
    let one = |&con: &ConId| match ir.con(con) {
        Con::Chain(cons) => count(ir, cons, counts),
        Con::Repeat { of, min, .. } => count(ir, &[*of], counts).saturating_mul(*min),
        con => u32::from(counts(con)),
    };
    cons.iter().map(one).fold(0, u32::saturating_add)
}

/// `move from T to X`, tied to the move that the line follows: the piece and its target.
fn tied_mover(ir: &Ir, con: &Con) -> Option<(VarId, Option<SetId>)> {
    match con {
        Con::Filter { body, linear: true } => mover(ir, *body),
        _ => None,
    }
}

fn mover(ir: &Ir, body: BoolId) -> Option<(VarId, Option<SetId>)> {
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
        Set::PieceVar(var) if is_played && spec.drop.is_none() => Some((var, spec.to)),
        _ => None,
    }
}
