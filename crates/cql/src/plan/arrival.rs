//! Squares at which a move must arrive for a search to succeed at the position before it.

use super::is_fixed;
use super::restrict::{FirstMove, RestrictAnalysis};
use crate::ast::VarId;
use crate::ir::*;

/// A move from a position must arrive at one of these squares, which are the same at all positions
/// searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub squares: SetId,
    /// They may depend on the number of moves of a path, which is 1 then.
    pub is_in_path: bool,
}

/// The squares for a search whose variable `target`, if any, differs from position to position.
pub(super) fn of_search(
    analysis: &RestrictAnalysis<'_>,
    body: Key,
    target: Option<VarId>,
) -> Option<Arrival> {
    let first = analysis.first_move(body)?;
    let ir = analysis.ir;
    let mut changing = ir.changes(body.into());
    changing.extend(target);
    let stays = |set: SetId| {
        let reads = ir.reads(set.into());
        !reads.iter().any(|var| changing.contains(var))
    };
    let right = ir.dash(first.dash).right;
    if let Some(squares) = right.filter(|&set| is_fixed(ir, set) && stays(set)) {
        let is_plain = !ir.dash(first.dash).capture;
        return is_plain.then_some(Arrival {
            squares,
            is_in_path: false,
        });
    }
    let squares = arrives_in(ir, &first).filter(|&set| stays(set))?;
    Some(Arrival {
        squares,
        is_in_path: true,
    })
}

/// The squares to which the target of a move compares `to`.
fn arrives_in(ir: &Ir, first: &FirstMove) -> Option<SetId> {
    let target = first.asked.filter(|_| first.is_in_path)?;
    if target.props(ir).has(Props::WRITES) {
        return None;
    }
    let Bool::SetEq(a, b) = *ir.bool(target) else {
        return None;
    };
    let squares = match (ir.set(a), ir.set(b)) {
        (Set::MoveTo, _) => b,
        (_, Set::MoveTo) => a,
        _ => return None,
    };
    (is_fixed(ir, squares) || is_entry(ir, squares)).then_some(squares)
}

/// An entry of a dictionary, by a constant, a variable or the number of moves.
fn is_entry(ir: &Ir, set: SetId) -> bool {
    let Set::Lookup(_, Key::Num(key)) = *ir.set(set) else {
        return false;
    };
    let key = ir.num(key);
    matches!(
        key,
        Num::Const(_) | Num::Var(_) | Num::Measure(Measure::PathCount)
    )
}
