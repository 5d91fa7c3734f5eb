//! Whether every variable has a value when it is read.
//!
//! A query that reads a variable without a value is reported, so games may be skipped only if that
//! cannot happen.

use super::walk::Parts;
use super::*;
use crate::ast::Variable;

/// Larger queries are not looked at.
const MOST_VISITS: u32 = 10_000;

impl Ir {
    /// False if a variable may be read before it gets a value.
    pub fn assigns_before_reading(&self, root: BoolId, variables: &[Variable]) -> bool {
        let has_value =
            |v: &Variable| v.persistent || v.preset.is_some() || v.ty == Type::Dictionary;
        let mut check = Check {
            ir: self,
            assigned: variables.iter().map(has_value).collect(),
            variables,
            left: MOST_VISITS,
        };
        check.node(root.into()) && check.left > 0
    }
}

struct Check<'i> {
    ir: &'i Ir,
    /// By variable: it has a value if everything up to here holds.
    assigned: Vec<bool>,
    variables: &'i [Variable],
    left: u32,
}

impl Check<'_> {
    fn assign(&mut self, var: VarId) {
        self.assigned[var.0 as usize] = true;
    }

    /// Checks a node; what it assigns counts afterwards if it must have been assigned.
    fn node(&mut self, id: AnyId) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return false;
        }
        match id {
            AnyId::Bool(id) => self.bool(id),
            AnyId::Con(id) => match self.ir.con(id) {
                Con::Repeat { min: 0, of, .. } => self.apart((*of).into()),
                _ => self.in_order(AnyId::Con(id)),
            },
            AnyId::Set(set) if matches!(self.ir.set(set), Set::Each { .. }) => {
                if let Set::Each { var, .. } = *self.ir.set(set) {
                    self.assign(var);
                }
                self.apart_parts(id)
            }
            AnyId::Set(_)
            | AnyId::Text(_)
            | AnyId::Path(_)
            | AnyId::Line(_)
            | AnyId::Dash(_)
            | AnyId::Move(_)
            | AnyId::Num(_)
            | AnyId::Place(_) => {
                if let AnyId::Num(num) = id
                    && let Num::Echo { source, target, .. } = *self.ir.num(num)
                {
                    self.assign(source);
                    self.assign(target);
                }
                if self.always_evaluates(id) {
                    self.in_order(id)
                } else {
                    self.apart_parts(id)
                }
            }
            AnyId::Imagine(_) => self.apart_parts(id),
        }
    }

    /// True if all parts were evaluated, and those with a truth value held.
    fn always_evaluates(&self, id: AnyId) -> bool {
        fn holds<T>(flow: &Flow<T>) -> bool {
            matches!(flow, Flow::Seq(..) | Flow::At(..) | Flow::Dash(..))
        }
        match id {
            AnyId::Set(set) => matches!(self.ir.set(set), Set::Flow(flow) if holds(flow)),
            AnyId::Text(text) => matches!(self.ir.text(text), Text::Flow(flow) if holds(flow)),
            AnyId::Num(num) if matches!(self.ir.num(num), Num::Flow(flow) if holds(flow)) => true,
            AnyId::Place(id) if matches!(self.ir.place(id), Place::Flow(flow) if holds(flow)) => {
                true
            }
            AnyId::Num(num) => matches!(
                self.ir.num(num),
                Num::Path(_) | Num::Sort { .. } | Num::Compare(..) | Num::Echo { .. }
            ),
            AnyId::Place(place) => {
                matches!(self.ir.place(place), Place::Path(_) | Place::Find { .. })
            }
            AnyId::Path(_) => true,
            _ => false,
        }
    }

    fn bool(&mut self, id: BoolId) -> bool {
        match *self.ir.bool(id) {
            Bool::And(_) | Bool::HasNum(_) | Bool::HasPlace(_) | Bool::Dash(..) => {
                self.in_order(id.into())
            }
            Bool::Flow(Flow::Seq(..) | Flow::At(..)) => self.in_order(id.into()),
            Bool::Assign(assign) => {
                let ok = self.in_order(id.into());
                self.assign(assign.variable());
                ok
            }
            Bool::AssignPiece(var, _) => {
                let ok = self.in_order(id.into());
                self.assign(var);
                ok
            }
            Bool::Any { var, .. } => {
                self.assign(var);
                self.apart_parts(id.into())
            }
            Bool::Echo { source, target, .. } => {
                self.assign(source);
                self.assign(target);
                self.in_order(id.into())
            }
            Bool::EachKey { var, .. } => {
                self.assign(var);
                self.apart_parts(id.into())
            }
            Bool::IfOnly(test, then) => {
                let before = self.assigned.clone();
                let ok = self.node(test.into()) && self.node(then.into());
                self.assigned = before;
                ok
            }
            // asking whether it has a value reports nothing, but then it may have none
            Bool::Unbind(var) => {
                // a dictionary becomes empty
                let is_map = self.variables[var.0 as usize].ty == Type::Dictionary;
                self.assigned[var.0 as usize] = is_map;
                true
            }
            Bool::IsBound(_) => false,
            _ => self.apart_parts(id.into()),
        }
    }

    fn reads(&self, parts: &Parts) -> bool {
        parts.reads.iter().all(|var| self.assigned[var.0 as usize])
    }

    /// The parts one after another, each with what the one before assigned.
    fn in_order(&mut self, id: AnyId) -> bool {
        let parts = Parts::of(self.ir, id);
        self.reads(&parts) && parts.nodes.into_iter().all(|id| self.node(id))
    }

    /// The parts, none of which may have held.
    fn apart_parts(&mut self, id: AnyId) -> bool {
        let parts = Parts::of(self.ir, id);
        self.reads(&parts) && parts.nodes.into_iter().all(|id| self.apart(id))
    }

    fn apart(&mut self, id: AnyId) -> bool {
        let before = self.assigned.clone();
        let ok = self.node(id);
        self.assigned = before;
        ok
    }
}
