//! The second look at the tokens, where blanks and nesting decide what they mean.

use super::{Gap, Kind, Token};
use crate::diagnostic::{Diagnostic, Span};

/// Settles ties of dashes, ends of `///` comments and of paths, and repetition signs in paths.
pub(super) fn settle<'s>(
    mut tokens: Vec<Token<'s>>,
    end: usize,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Token<'s>> {
    tie_dashes(&mut tokens);
    let mut layout = Layout {
        out: Vec::with_capacity(tokens.len()),
        open: Vec::new(),
        in_comment: false,
        errors,
    };
    for token in tokens {
        layout.push(token);
    }
    layout.finish(end);
    layout.out
}

fn tie_dashes(tokens: &mut [Token<'_>]) {
    for i in 0..tokens.len() {
        let left = i
            .checked_sub(1)
            .is_some_and(|p| !tokens[i].gap.any && ties_left(&tokens[p]));
        let right = tokens
            .get(i + 1)
            .is_some_and(|next| !next.gap.any && ties_right(next));
        if let Kind::Dash {
            left_tie,
            right_tie,
            ..
        } = &mut tokens[i].kind
        {
            (*left_tie, *right_tie) = (left, right);
        }
    }
}

/// Whether a dash directly after this token has it as its left operand.
fn ties_left(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Symbol => {
            let opens = token.text.ends_with([
                '(', '{', ':', '+', '-', '*', '/', '>', '<', ',', '~', '=', '|', '&',
            ]);
            !opens && !matches!(token.text, "[element]" | "[forall]")
        }
        Kind::Word => !matches!(
            token.text,
            "path" | "focus" | "flip" | "flipcolor" | "currentposition"
        ),
        Kind::Dash { .. } | Kind::LineComment | Kind::PieceDeclaration => false,
        _ => true,
    }
}

/// Whether a dash directly before this token has it as its right operand.
fn ties_right(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Symbol => {
            !token.text.starts_with(['}', ')', '*', '+', '?', ':', ']'])
                && !token.text.starts_with("{*")
                && !token.text.starts_with("{+")
        }
        Kind::Repeat { .. } | Kind::LineComment | Kind::Dash { .. } => false,
        _ => true,
    }
}

struct Layout<'s, 'e> {
    out: Vec<Token<'s>>,
    /// Open brackets and paths, innermost last.
    open: Vec<(&'static str, Span)>,
    in_comment: bool,
    errors: &'e mut Vec<Diagnostic>,
}

impl<'s> Layout<'s, '_> {
    fn push(&mut self, mut token: Token<'s>) {
        if self.in_comment && token.gap.newline {
            self.end_comment(token.span.start as usize);
        }
        if token.gap.blank_line {
            self.end_paths(token.span.start as usize);
        }
        match token.kind {
            Kind::LineComment => self.in_comment = true,
            Kind::Word if token.text == "path" => self.open.push(("path", token.span)),
            Kind::Symbol => self.symbol(&mut token),
            _ => {}
        }
        self.out.push(token);
    }

    fn symbol(&mut self, token: &mut Token<'s>) {
        match token.text {
            "+" | "{+}" if self.in_path() => token.kind = Kind::WildPlus,
            "*" | "{*}" if self.in_path() => token.kind = Kind::WildStar,
            "(" => self.open.push(("(", token.span)),
            "{" => self.open.push(("{", token.span)),
            "[" => self.open.push(("[", token.span)),
            ")" => self.close("(", token),
            "}" => self.close("{", token),
            "]" => self.close("[", token),
            _ => {}
        }
    }

    /// Directly inside a path, but for round brackets.
    fn in_path(&self) -> bool {
        self.open
            .iter()
            .rev()
            .find(|(what, _)| *what != "(")
            .is_some_and(|(what, _)| *what == "path")
    }

    fn close(&mut self, opener: &str, token: &Token<'s>) {
        while self.open.last().is_some_and(|(what, _)| *what == "path") {
            self.open.pop();
        }
        match self.open.last() {
            Some((what, _)) if *what == opener => {
                self.open.pop();
            }
            Some(&(what, span)) => {
                let message = format!("‘{}’ closes what ‘{what}’ opened", token.text);
                self.errors.push(
                    Diagnostic::new(token.span, message).help("close the inner bracket first"),
                );
                if self.open.iter().any(|(o, _)| *o == opener) {
                    while self.open.pop().is_some_and(|(o, _)| o != opener) {}
                }
                let _ = span;
            }
            None => {
                let message = format!("‘{}’ closes nothing", token.text);
                self.errors.push(
                    Diagnostic::new(token.span, message)
                        .help(format!("there is no ‘{opener}’ before it")),
                );
            }
        }
    }

    fn mark(&mut self, kind: Kind, at: usize) {
        self.out.push(Token {
            kind,
            text: "",
            span: Span::new(at, at),
            gap: Gap::default(),
        });
    }

    fn end_comment(&mut self, at: usize) {
        self.in_comment = false;
        self.mark(Kind::EndLineComment, at);
    }

    fn end_paths(&mut self, at: usize) {
        while self.open.last().is_some_and(|(what, _)| *what == "path") {
            self.open.pop();
            self.mark(Kind::EndPath, at);
        }
    }

    fn finish(&mut self, end: usize) {
        if self.in_comment {
            self.end_comment(end);
        }
        for &(what, span) in self.open.iter().filter(|(what, _)| *what != "path") {
            self.errors
                .push(Diagnostic::new(span, format!("‘{what}’ is never closed")));
        }
    }
}
