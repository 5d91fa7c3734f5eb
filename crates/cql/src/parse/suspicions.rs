//! Conditions that cannot fail and probably mean something else.

use crate::ast::{Expr, ExprKind as Ast, Infix, Prefix, Simple, children};
use crate::diagnostic::Diagnostic;
use crate::lex::Designator;

/// All pieces and empty squares, the meaning of a designator without a piece.
const ANY_PIECE: u16 = 0x1fff;
const WHITE_KING: u16 = 1 << 5;
const BLACK_KING: u16 = 1 << 11;
const EMPTY: u16 = 1 << 12;
const ALL_SQUARES: u64 = !0;

/// A warning for each condition that cannot fail.
pub(super) fn warnings(body: &Expr, source: &str) -> Vec<Diagnostic> {
    let mut lint = Lint {
        source,
        warnings: Vec::new(),
    };
    lint.condition(body);
    lint.warnings
}

struct Lint<'s> {
    source: &'s str,
    warnings: Vec<Diagnostic>,
}

impl Lint<'_> {
    /// Checks a filter used as a condition, and everything inside it.
    fn condition(&mut self, e: &Expr) {
        match &e.kind {
            Ast::Sequence(filters) | Ast::And(filters) => self.all(filters),
            Ast::Or(filters) => self.alternatives(filters),
            Ast::Prefix(Prefix::Not, inner) => self.condition(inner),
            Ast::Infix(Infix::At, place, filter) => {
                self.value(place);
                self.condition(filter);
            }
            Ast::Find { body, .. } => self.condition(body),
            _ => {
                if let Some(reason) = never_fails(e) {
                    self.warn(e, &reason);
                }
                self.value(e);
            }
        }
    }

    /// Checks the parts of a filter whose value is used.
    fn value(&mut self, e: &Expr) {
        match &e.kind {
            Ast::Sequence(filters) => {
                if let Some((last, conditions)) = filters.split_last() {
                    self.all(conditions);
                    self.value(last);
                }
            }
            Ast::And(_) | Ast::Or(_) | Ast::Find { .. } => self.condition(e),
            _ => children(e, &mut |child| self.value(child)),
        }
    }

    fn all(&mut self, filters: &[Expr]) {
        let mut rest = filters;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if let Some(joined) = after.first().and_then(|next| self.joined(first, next)) {
                let message = format!(
                    "‘{}’ and ‘{}’ are two conditions, and neither can fail",
                    first.span.of(self.source),
                    after[0].span.of(self.source)
                );
                let warning = Diagnostic::warning(first.span.to(after[0].span), message);
                self.warnings
                    .push(warning.help(format!("did you mean ‘{joined}’?")));
                rest = &after[1..];
            } else {
                self.condition(first);
            }
        }
    }

    /// `K e4`, probably meant as `Ke4`.
    fn joined(&self, piece: &Expr, square: &Expr) -> Option<String> {
        let (Ast::Designator(p), Ast::Designator(s)) = (&piece.kind, &square.kind) else {
            return None;
        };
        let split = p.squares == ALL_SQUARES && p.pieces != ANY_PIECE && names_squares(s);
        let text = |e: &Expr| e.span.of(self.source).to_owned();
        split.then(|| text(piece) + &text(square))
    }

    fn alternatives(&mut self, filters: &[Expr]) {
        for filter in filters {
            if matches!(filter.kind, Ast::Simple(Simple::True)) {
                self.warn(filter, "‘true’ makes the whole ‘or’ match everywhere");
            }
            self.condition(filter);
        }
    }

    fn warn(&mut self, e: &Expr, reason: &str) {
        let warning = Diagnostic::warning(e.span, format!("this condition cannot fail: {reason}"));
        let help = match &e.kind {
            Ast::Designator(d) if names_squares(d) => {
                let square = e.span.of(self.source);
                format!("write the piece before the square, as in ‘K{square}’ or ‘[Aa]{square}’")
            }
            Ast::Designator(_) => {
                let piece = e.span.of(self.source);
                format!("write the squares after the piece, as in ‘{piece}e4’")
            }
            Ast::Simple(Simple::True) => "leave ‘true’ out".to_owned(),
            _ => format!("compare it, as in ‘{} > 0’", e.span.of(self.source)),
        };
        self.warnings.push(warning.help(help));
    }
}

fn names_squares(d: &Designator) -> bool {
    d.pieces == ANY_PIECE && d.squares != 0 && d.squares != ALL_SQUARES
}

/// The reason why a filter matches at every position, if it does.
fn never_fails(e: &Expr) -> Option<String> {
    match &e.kind {
        Ast::Designator(d) if names_squares(d) => {
            Some("a set of squares is never empty".to_owned())
        }
        Ast::Designator(d) if d.squares == ALL_SQUARES => {
            let king = d.pieces & (WHITE_KING | BLACK_KING) != 0;
            let empty = d.pieces & EMPTY != 0 && d.pieces != ANY_PIECE;
            if king {
                Some("there is always a king".to_owned())
            } else {
                empty.then(|| "there is always an empty square".to_owned())
            }
        }
        Ast::Simple(
            Simple::Ply
            | Simple::MoveNumber
            | Simple::Depth
            | Simple::PositionId
            | Simple::GameNumber,
        )
        | Ast::Prefix(Prefix::Count | Prefix::Power, _) => {
            Some("a number always matches, even 0".to_owned())
        }
        _ => None,
    }
}
