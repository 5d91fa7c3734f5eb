//! Positions of the game tree.

use super::{Entry, Matcher, Value};
use crate::ast::Compare;
use crate::ir::*;

impl<'q> Matcher<'q> {
    /// A position; without a value, its comments are dropped. Loops over positions spend their time
    /// in variables and in the next position up.
    #[inline]
    pub(super) fn place(&mut self, id: PlaceId) -> Option<u32> {
        let q = self.q;
        match q.ir.place(id) {
            Place::Var(var) => match self.values[var.0 as usize] {
                Value::Entry(Entry::Place(at)) => Some(at),
                _ => self.any_place(id),
            },
            Place::Here => Some(self.at),
            Place::Parent => self.positions.parent(self.at),
            Place::Flow(Flow::At(of, value))
                if matches!(q.ir.place(*value), Place::Parent)
                    && !id.props(&q.ir).has(Props::COMMENTS) =>
            {
                let of = self.variable_or_place(*of)?;
                self.positions.parent(of)
            }
            _ => self.any_place(id),
        }
    }

    /// The same without a call for variables.
    #[inline]
    fn variable_or_place(&mut self, id: PlaceId) -> Option<u32> {
        if let Place::Var(var) = self.q.ir.place(id)
            && let Value::Entry(Entry::Place(at)) = self.values[var.0 as usize]
        {
            return Some(at);
        }
        self.any_place(id)
    }

    #[inline(never)]
    fn any_place(&mut self, id: PlaceId) -> Option<u32> {
        if id.props(&self.q.ir).has(Props::COMMENTS) {
            return self.or_no_comments(|m| m.place_value(id));
        }
        self.place_value(id)
    }

    fn place_value(&mut self, id: PlaceId) -> Option<u32> {
        let q = self.q;
        match q.ir.place(id) {
            Place::Here => Some(self.at),
            Place::Parent => self.positions.parent(self.at),
            Place::Root => Some(0),
            Place::Child(n) => {
                let n = self.num(*n)?;
                let n = usize::try_from(n).ok()?;
                self.positions.children(self.at).nth(n)
            }
            Place::Number(n) => {
                let n = u32::try_from(self.num(*n)?).ok()?;
                (!self.positions.is_imagined(n)).then_some(n)
            }
            Place::Var(var) => match self.values[var.0 as usize] {
                Value::Entry(Entry::Place(at)) => Some(at),
                _ => {
                    self.report_unbound(*var);
                    None
                }
            },
            Place::Flow(flow) => self.flow(flow),
            Place::Lca(a, b) => {
                let (a, b) = (self.place(*a)?, self.place(*b)?);
                Some(self.positions.lca(a, b))
            }
            Place::ById(op, a, b) => {
                let (a, b) = (self.place(*a)?, self.place(*b)?);
                super::numbers::holds(*op, &a, &b).then_some(a)
            }
            Place::ByAncestry(op, a, b) => {
                let (a, b) = (self.place(*a)?, self.place(*b)?);
                self.by_ancestry(*op, a, b).then_some(a)
            }
            Place::Find { quiet, back, body } => self.find(*quiet, *back, *body),
            Place::Line(id) => self.line(*id).map(|m| m.last),
            Place::Path(id) => self.path(*id).map(|m| m.last),
            Place::PathStart => self.paths.start(),
            Place::PathLast => self.paths.last(),
            Place::Lookup(dict, key) => match self.lookup(*dict, *key)? {
                Entry::Place(at) => Some(at),
                _ => None,
            },
            Place::Save => {
                self.searches.saved = true;
                Some(self.at)
            }
        }
    }

    fn by_ancestry(&self, op: Compare, a: u32, b: u32) -> bool {
        match op {
            Compare::Less | Compare::Above => self.positions.is_above(a, b),
            Compare::LessEqual | Compare::AboveEqual => a == b || self.positions.is_above(a, b),
            Compare::Greater | Compare::Below => self.positions.is_above(b, a),
            Compare::GreaterEqual | Compare::BelowEqual => a == b || self.positions.is_above(b, a),
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
        }
    }
}
