//! Merging the persistent variables of several matchers.

use crate::ast::{Expr, ExprKind, Infix, Prefix, Program, Type, VarId};

/// How persistent variables are merged when several matchers search games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Merging {
    /// Each variable has one operation; none for constants.
    Gathered(Vec<Option<Way>>),
    /// The order of games matters.
    InOrder,
}

/// The operation that merges values, those of earlier games first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// `x += 3`
    Sum,
    /// `x += "text"`
    Append,
    /// `x |= S`
    Union,
    /// `D[k] = v`: the last value stays.
    Overwrite,
}

impl Merging {
    pub fn of(program: &Program) -> Merging {
        let mut analysis = MergeAnalysis {
            program,
            ways: vec![None; program.variables.len()],
            ordered: false,
        };
        analysis.visit(&program.body);
        if analysis.ordered {
            Merging::InOrder
        } else {
            Merging::Gathered(analysis.ways)
        }
    }

    pub fn is_parallel(&self) -> bool {
        *self != Merging::InOrder
    }

    /// Whether a variable is merged from the values of the matchers.
    pub fn is_gathered(&self, var: usize) -> bool {
        match self {
            Merging::Gathered(ways) => ways.get(var).is_some_and(Option::is_some),
            Merging::InOrder => false,
        }
    }
}

struct MergeAnalysis<'p> {
    program: &'p Program,
    ways: Vec<Option<Way>>,
    ordered: bool,
}

impl MergeAnalysis<'_> {
    fn is_persistent(&self, var: VarId) -> bool {
        self.program.variables[var.0 as usize].persistent
    }

    /// A variable that is changed in two ways depends on their order.
    fn note(&mut self, var: VarId, way: Way) {
        let known = &mut self.ways[var.0 as usize];
        self.ordered |= known.is_some_and(|known| known != way);
        *known = Some(way);
    }

    fn visit(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign { var, value, .. } if self.is_persistent(*var) => {
                self.visit_assignment(*var, value);
            }
            // `dictionary D` itself, among other filters
            ExprKind::Sequence(filters) => {
                let others = filters.iter().filter(|filter| !is_declaration(filter));
                others.for_each(|filter| self.visit(filter));
            }
            ExprKind::Store { dict, key, value } if self.is_persistent(*dict) => {
                self.note(*dict, Way::Overwrite);
                self.visit(key);
                self.visit(value);
            }
            ExprKind::Variable(var) | ExprKind::Unbind(var) | ExprKind::IsBound(var)
                if self.is_persistent(*var) =>
            {
                self.ordered = true;
            }
            ExprKind::Lookup { dict, .. }
            | ExprKind::Forget { dict, .. }
            | ExprKind::EachKey { dict, .. }
                if self.is_persistent(*dict) =>
            {
                self.ordered = true;
            }
            ExprKind::Prefix(Prefix::ReadFile, _)
            | ExprKind::Infix(Infix::WriteFile, ..)
            | ExprKind::Pipe { .. } => self.ordered = true,
            _ => crate::ast::children(e, &mut |child| self.visit(child)),
        }
    }

    /// `x op= v`, if `v` does not depend on earlier games.
    fn visit_assignment(&mut self, var: VarId, value: &Expr) {
        let is_itself = |e: &Expr| e.kind == ExprKind::Variable(var);
        let (way, parts): (Way, Vec<&Expr>) = match &value.kind {
            ExprKind::Infix(Infix::Add | Infix::Subtract, left, right)
                if is_itself(left) && value.ty == Type::Number =>
            {
                (Way::Sum, vec![right])
            }
            ExprKind::Infix(Infix::Add, left, right)
                if is_itself(left) && value.ty == Type::Text =>
            {
                (Way::Append, vec![right])
            }
            ExprKind::Union(sets) if sets.first().is_some_and(is_itself) => {
                (Way::Union, sets[1..].iter().collect())
            }
            _ => return self.ordered = true,
        };
        self.note(var, way);
        parts.into_iter().for_each(|part| self.visit(part));
    }
}

fn is_declaration(filter: &Expr) -> bool {
    matches!(filter.kind, ExprKind::Variable(_)) && filter.ty == Type::Dictionary
}
