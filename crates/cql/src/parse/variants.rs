//! The size of a query with the variants of its transforms expanded.

use crate::ast::{Expr, ExprKind as Ast, children};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::symmetry::Symmetry;

/// The greatest number of filters with every variant expanded: some seconds of work.
const MOST: usize = 5_000_000;

/// Errors for transforms with too many variants.
pub(super) fn overgrown(body: &Expr) -> Vec<Diagnostic> {
    let mut complaints = Vec::new();
    expanded_size(body, &mut complaints);
    complaints
}

/// The number of filters in the expansion of one; none if a part of it is too large.
fn expanded_size(e: &Expr, complaints: &mut Vec<Diagnostic>) -> Option<usize> {
    let mut filters = Some(1usize);
    children(e, &mut |child| {
        let inner = expanded_size(child, complaints);
        filters = filters
            .zip(inner)
            .map(|(all, more)| all.saturating_add(more));
    });
    let Ast::Transform { which, .. } = e.kind else {
        return filters;
    };
    let filters = filters?.saturating_mul(Symmetry::of(which).len());
    if filters > MOST {
        let message = "this transform has too many variants";
        let advice = "transforms within transforms multiply: ‘flip shift’ has 1,800 variants";
        let error = Diagnostic::new(e.span, message).kind(DiagnosticKind::TooLarge);
        complaints.push(error.help(advice));
        return None;
    }
    Some(filters)
}
