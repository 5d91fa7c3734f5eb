//! The output of each compiler stage for a query, as text.

use crate::{CompileError, Options, Query, lex};
use std::fmt::Write as _;

/// A stage of compiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The tokens.
    Tokens,
    /// The syntax tree with types.
    Ast,
    /// The nodes that are evaluated.
    Ir,
    /// The cheap tests that rule out games and positions.
    Plan,
}

/// The output of a stage for a query; errors are reported as by [`Query::compile`].
pub fn debug(source: &str, options: &Options, stage: Stage) -> Result<String, CompileError> {
    match stage {
        Stage::Tokens => {
            let (tokens, errors) = lex::lex(source);
            if !errors.is_empty() {
                return Err(CompileError::new(source, errors));
            }
            let line = |t: &lex::Token<'_>| {
                format!(
                    "{:>4}..{:<4} {:?} {:?}\n",
                    t.span.start, t.span.end, t.kind, t.text
                )
            };
            Ok(tokens.iter().map(line).collect())
        }
        Stage::Ast => {
            let (full, program) = Query::parse(source, options)?;
            let mut text = format!("{:?}\n", program.header);
            show(&program.body, &full, 0, &mut text);
            Ok(text)
        }
        Stage::Ir => Query::compile(source, options).map(|q| show_ir(&q)),
        Stage::Plan => Query::compile(source, options).map(|q| {
            let lines = q.explain();
            if lines.is_empty() {
                "every position of every game is looked at\n".into()
            } else {
                lines.join("\n") + "\n"
            }
        }),
    }
}

fn show(e: &crate::ast::Expr, source: &str, depth: usize, out: &mut String) {
    let kind = format!("{:?}", e.kind);
    let name: String = kind.chars().take_while(|c| c.is_alphanumeric()).collect();
    let detail = match &e.kind {
        crate::ast::ExprKind::Simple(s) => format!(" {s:?}"),
        crate::ast::ExprKind::Prefix(op, _) => format!(" {op:?}"),
        crate::ast::ExprKind::Infix(op, ..) => format!(" {op:?}"),
        _ => String::new(),
    };
    let words: String = e
        .span
        .of(source)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let short: String = words.chars().take(60).collect();
    let _ = writeln!(
        out,
        "{}{name}{detail}: {} ‹{short}›",
        "  ".repeat(depth),
        e.ty.name()
    );
    crate::ast::children(e, &mut |child| show(child, source, depth + 1, out));
}

fn show_ir(q: &Query) -> String {
    let mut out = format!("match {:?}\n", q.body);
    fn table<T: std::fmt::Debug>(out: &mut String, name: &str, nodes: impl Iterator<Item = T>) {
        for (i, node) in nodes.enumerate() {
            let _ = writeln!(out, "{name}({i}) = {node:?}");
        }
    }
    table(&mut out, "BoolId", q.ir.bools.iter());
    table(&mut out, "SetId", q.ir.sets.iter());
    table(&mut out, "NumId", q.ir.nums.iter());
    table(&mut out, "TextId", q.ir.texts.iter());
    table(&mut out, "PlaceId", q.ir.places.iter());
    table(&mut out, "MoveId", q.ir.moves.iter());
    table(&mut out, "DashId", q.ir.dashes.iter());
    table(&mut out, "ConId", q.ir.cons.iter());
    table(&mut out, "LineId", q.ir.lines.iter());
    table(&mut out, "PathId", q.ir.paths.iter());
    out
}
