//! Loops over pieces and squares: those for which the body cannot hold are not tried.
//!
//! A piece is left out only if the body would fail for it without a lasting effect: before the
//! test that fails, it may give values to variables that nothing else reads.

use crate::ast::{Compare, VarId, Variable};
use crate::ir::*;
use chess::{Square, attacks};

/// What the value of a loop's variable must be.
#[derive(Clone, Debug)]
pub(crate) enum Restriction {
    /// A piece that a move from here moves.
    Mover,
    /// Any, if a move from here matches this.
    Move(DashId, Option<BoolId>),
    /// A square with at least so many squares between it and one of these.
    Apart {
        from: SetId,
        by_square: Box<[u64; 64]>,
    },
}

/// Finds the restrictions of a query's loops.
pub(super) struct RestrictAnalysis<'i> {
    pub ir: &'i Ir,
    pub variables: &'i [Variable],
    pub root: BoolId,
}

/// A move that must match for a body to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstMove {
    pub dash: DashId,
    /// A condition after it that can be tested on its own.
    target: Option<BoolId>,
    /// The condition after it as it stands.
    pub asked: Option<BoolId>,
    /// It is the first move of a path.
    pub is_in_path: bool,
}

/// The first move that a body needs, and the conditions before it.
#[derive(Default)]
struct Prefix {
    moves: Vec<FirstMove>,
    /// Variables with a value of this round.
    written: Vec<VarId>,
    /// Variables of loops within.
    inner: Vec<VarId>,
    /// Nodes evaluated on the way, and how many variables had their value then.
    before: Vec<(AnyId, usize)>,
}

impl RestrictAnalysis<'_> {
    /// The restriction of the variable of a loop.
    pub fn of_loop(&self, var: VarId, is_piece: bool, body: BoolId) -> Option<Restriction> {
        let mut prefix = Prefix::default();
        if self.begins(body, &mut prefix) && self.is_private(&prefix, Key::Bool(body)) {
            let moves = &prefix.moves;
            if is_piece && moves.iter().all(|first| self.dash_moves(var, first.dash)) {
                return Some(Restriction::Mover);
            }
            if let [FirstMove { dash, target, .. }] = moves[..] {
                let mut unknown = vec![var];
                unknown.extend(prefix.written.iter().chain(&prefix.inner));
                let reads = |id: AnyId| self.ir.reads_any(id, &unknown, None);
                let known = !reads(dash.into()) && !target.is_some_and(|id| reads(id.into()));
                return known.then_some(Restriction::Move(dash, target));
            }
        }
        self.apart(var, body)
    }

    /// The only move without which a body fails, without lasting effects.
    pub fn first_move(&self, body: Key) -> Option<FirstMove> {
        let mut prefix = Prefix::default();
        let begins = match body {
            Key::Bool(id) => self.begins(id, &mut prefix),
            Key::Num(id) => self.value_begins(id, &mut prefix),
            Key::Text(_) | Key::Set(_) | Key::Place(_) => false,
        };
        match prefix.moves[..] {
            [first] if begins && self.is_private(&prefix, body) => Some(first),
            _ => None,
        }
    }

    /// The same for a number that has no value without the move.
    fn value_begins(&self, id: NumId, prefix: &mut Prefix) -> bool {
        match self.ir.num(id) {
            Num::Flow(Flow::Seq(ids, _)) => self.one_begins(ids, prefix),
            _ => self.num_begins(id, prefix),
        }
    }

    /// Whether the variables of a prefix are read only after it, and only in this body.
    fn is_private(&self, prefix: &Prefix, body: Key) -> bool {
        let lasts = |var: &VarId| self.variables[var.0 as usize].persistent;
        let written = &prefix.written;
        let early =
            |&(node, known): &(AnyId, usize)| self.ir.reads_any(node, &written[known..], None);
        !written.iter().any(lasts)
            && !prefix.before.iter().any(early)
            && (written.is_empty()
                || !self
                    .ir
                    .reads_any(self.root.into(), written, Some(body.into())))
    }

    /// True if the body fails without lasting effects unless a move from here matches; collects
    /// that move and what is evaluated before it.
    fn begins(&self, id: BoolId, prefix: &mut Prefix) -> bool {
        match self.ir.bool(id) {
            Bool::And(ids) => self.one_begins(ids, prefix),
            // a part may not rely on variables of the part before it
            Bool::Or(ids) | Bool::Orbit(ids) => {
                let written = prefix.written.len();
                ids.iter()
                    .all(|&id| self.begins(id, prefix) && prefix.written.len() == written)
            }
            Bool::Any {
                var,
                set,
                body,
                all: false,
                ..
            } if set.props(self.ir).is_pure() => {
                prefix.before.push(((*set).into(), prefix.written.len()));
                prefix.inner.push(*var);
                self.begins(*body, prefix)
            }
            Bool::HasNum(num) | Bool::Assign(Assign::Num(_, num)) => self.num_begins(*num, prefix),
            Bool::HasPlace(place) | Bool::Assign(Assign::Place(_, place)) => {
                matches!(*self.ir.place(*place), Place::Path(id) if self.path_begins(id, prefix))
            }
            Bool::Dash(dash, target) => self.dash_begins(*dash, *target, false, prefix),
            _ => false,
        }
    }

    fn one_begins(&self, ids: &[BoolId], prefix: &mut Prefix) -> bool {
        for &id in ids {
            if self.begins(id, prefix) {
                return true;
            }
            if !self.is_harmless(id) {
                return false;
            }
            prefix.before.push((id.into(), prefix.written.len()));
            match *self.ir.bool(id) {
                Bool::Assign(assign) => prefix.written.push(assign.variable()),
                Bool::AssignPiece(var, _) => prefix.written.push(var),
                _ => {}
            }
        }
        false
    }

    /// No effect that outlasts a failure, or the value of a variable.
    fn is_harmless(&self, id: BoolId) -> bool {
        let props = match self.ir.bool(id) {
            Bool::Assign(assign) => assign.value().props(self.ir),
            Bool::AssignPiece(_, set) => set.props(self.ir),
            _ => id.props(self.ir),
        };
        !props.has(Props::WRITES)
    }

    fn num_begins(&self, id: NumId, prefix: &mut Prefix) -> bool {
        match *self.ir.num(id) {
            Num::Path(path) => self.path_begins(path, prefix),
            Num::Sort { value, .. } => self.num_begins(value, prefix),
            Num::Compare(_, a, b) => {
                self.num_begins(a, prefix)
                    || matches!(self.ir.num(a), Num::Const(_)) && self.num_begins(b, prefix)
            }
            _ => false,
        }
    }

    fn path_begins(&self, id: PathId, prefix: &mut Prefix) -> bool {
        let spec = self.ir.path(id);
        let focus = spec.focus.map(|(set, _)| set);
        let first = spec.parts.first();
        focus.props(self.ir).is_pure() && first.is_some_and(|&con| self.con_begins(con, prefix))
    }

    fn con_begins(&self, id: ConId, prefix: &mut Prefix) -> bool {
        match self.ir.con(id) {
            Con::Dash(dash, target) => self.dash_begins(*dash, *target, true, prefix),
            Con::Chain(cons) => cons
                .first()
                .is_some_and(|&con| self.con_begins(con, prefix)),
            Con::Repeat { of, min, .. } => *min > 0 && self.con_begins(*of, prefix),
            Con::Filter { .. } => false,
        }
    }

    fn dash_begins(
        &self,
        dash: DashId,
        asked: Option<BoolId>,
        is_in_path: bool,
        prefix: &mut Prefix,
    ) -> bool {
        // what a target does before it fails would be lost
        let lasts = |id: BoolId| id.props(self.ir).has(Props::WRITES.and(Props::PATH));
        let is_plain = !self.ir.dash(dash).current && dash.props(self.ir).is_pure();
        prefix.moves.push(FirstMove {
            dash,
            target: asked.filter(|&id| !lasts(id)),
            asked,
            is_in_path,
        });
        is_plain
    }

    /// A dash from the square of this piece.
    fn dash_moves(&self, var: VarId, id: DashId) -> bool {
        let spec = self.ir.dash(id);
        let is_piece = |set: SetId| *self.ir.set(set) == Set::PieceVar(var);
        spec.left.is_some_and(|left| match self.ir.set(left) {
            Set::And(sets) => sets.iter().any(|&set| is_piece(set)),
            _ => is_piece(left),
        })
    }

    // --- squares far apart ---

    /// `between(x y) & … == 6`: so many squares are between.
    fn apart(&self, var: VarId, body: BoolId) -> Option<Restriction> {
        let Bool::HasNum(num) = self.ir.bool(body) else {
            return None;
        };
        let Num::Compare(op, count, least) = *self.ir.num(*num) else {
            return None;
        };
        let (Num::Card(set), Num::Const(n)) = (self.ir.num(count), self.ir.num(least)) else {
            return None;
        };
        let least = match op {
            Compare::Equal | Compare::GreaterEqual => *n,
            Compare::Greater => n.checked_add(1)?,
            _ => return None,
        };
        let from = match self.ir.set(*set) {
            Set::And(sets) => sets.iter().find_map(|&set| self.between(var, set))?,
            _ => self.between(var, *set)?,
        };
        (body.props(self.ir).is_pure() && least >= 1).then(|| Restriction::Apart {
            from,
            by_square: Box::new(far(least)),
        })
    }

    /// The other end of `between`, if it can be evaluated before the loop.
    fn between(&self, var: VarId, set: SetId) -> Option<SetId> {
        let Set::Between(a, b) = *self.ir.set(set) else {
            return None;
        };
        let is_var =
            |set: SetId| matches!(*self.ir.set(set), Set::Var(v) | Set::PieceVar(v) if v == var);
        let other = if is_var(a) { b } else { a };
        ((is_var(a) || is_var(b)) && !self.ir.reads_any(other.into(), &[var], None))
            .then_some(other)
    }
}

/// By square: the squares with at least so many squares between.
fn far(least: i64) -> [u64; 64] {
    let mut table = [0; 64];
    for (a, far) in table.iter_mut().enumerate() {
        for b in 0..64 {
            let between = attacks::between(Square::new(a as u32), Square::new(b));
            if between.count() as i64 >= least {
                *far |= 1 << b;
            }
        }
    }
    table
}
