//! Filters that need a permission they do not have.

use super::walk;
use crate::Options;
use crate::ast::{Expr, ExprKind as Ast, Infix};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// An error for each filter that writes files or runs programs without permission.
pub(super) fn missing(body: &Expr, options: &Options) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    walk(body, &mut |e| {
        let (allowed, message, kind) = match e.kind {
            Ast::OutputFile(_) => (
                options.write_files,
                "‘outputfile’ writes files, which this query may not do",
                DiagnosticKind::WritesFile,
            ),
            Ast::Infix(Infix::WriteFile, ..) => (
                options.write_files,
                "‘writefile’ writes files, which this query may not do",
                DiagnosticKind::WritesFile,
            ),
            Ast::Pipe { .. } => (
                options.run_programs,
                "‘pipe’ runs a program, which this query may not do",
                DiagnosticKind::RunsProgram,
            ),
            _ => return,
        };
        if !allowed {
            errors.push(Diagnostic::new(e.span, message).kind(kind));
        }
    });
    errors
}
