//! Whether persistent variables can be gathered by several matchers and added up.

use crate::ast::{Expr, Infix, Kind, Program, Simple, Type, VarId};

/// How a query's persistent variables come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Merging {
    /// There are none, or they only count.
    Sum,
    /// The order of games matters.
    InOrder,
}

impl Merging {
    pub fn of(program: &Program) -> Merging {
        let mut search = Search {
            program,
            ordered: false,
        };
        search.visit(&program.body);
        if search.ordered {
            Merging::InOrder
        } else {
            Merging::Sum
        }
    }

    pub fn is_parallel(self) -> bool {
        self == Merging::Sum
    }
}

struct Search<'p> {
    program: &'p Program,
    ordered: bool,
}

impl Search<'_> {
    fn is_persistent(&self, var: VarId) -> bool {
        self.program.variables[var.0 as usize].persistent
    }

    fn visit(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Assign { var, value, .. } if self.is_persistent(*var) => match &value.kind {
                // x += n, as long as n is the same whatever came before
                Kind::Infix(Infix::Add | Infix::Subtract, left, right)
                    if left.kind == Kind::Variable(*var)
                        && e.ty == Type::Condition
                        && value.ty == Type::Number =>
                {
                    self.visit(right);
                }
                _ => self.ordered = true,
            },
            Kind::Variable(var) | Kind::Unbind(var) | Kind::IsBound(var)
                if self.is_persistent(*var) =>
            {
                self.ordered = true;
            }
            Kind::Lookup { dict, .. }
            | Kind::Store { dict, .. }
            | Kind::Forget { dict, .. }
            | Kind::EachKey { dict, .. }
                if self.is_persistent(*dict) =>
            {
                self.ordered = true;
            }
            Kind::Prefix(crate::ast::Prefix::ReadFile, _)
            | Kind::Infix(Infix::WriteFile, ..)
            | Kind::Pipe { .. } => {
                self.ordered = true;
            }
            Kind::Simple(Simple::True) => {}
            _ => crate::ast::children(e, &mut |child| self.visit(child)),
        }
    }
}
