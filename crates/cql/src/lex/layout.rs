//! The second pass over the tokens, which interprets blanks and nesting.

use super::{Gap, Token, TokenKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Span};

/// The greatest number of open brackets. The parser allows fewer; this bounds the work here.
const MAX_OPEN: usize = 1_000;

/// Resolves ties of dashes, ends of `///` comments and of paths, and repetition signs in paths.
pub(super) fn resolve<'s>(
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
        if layout.open.len() > MAX_OPEN {
            layout.refuse(token.span);
            return layout.out;
        }
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
        if let TokenKind::Dash {
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
        TokenKind::Symbol => {
            let opens = token.text.ends_with([
                '(', '{', ':', '+', '-', '*', '/', '>', '<', ',', '~', '=', '|', '&',
            ]);
            !opens && !matches!(token.text, "[element]" | "[forall]")
        }
        TokenKind::Word => !matches!(
            token.text,
            "path" | "focus" | "flip" | "flipcolor" | "currentposition"
        ),
        TokenKind::Dash { .. } | TokenKind::LineComment | TokenKind::PieceDeclaration => false,
        _ => true,
    }
}

/// Whether a dash directly before this token has it as its right operand.
fn ties_right(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Symbol => {
            !token.text.starts_with(['}', ')', '*', '+', '?', ':', ']'])
                && !token.text.starts_with("{*")
                && !token.text.starts_with("{+")
        }
        TokenKind::Repeat { .. } | TokenKind::LineComment | TokenKind::Dash { .. } => false,
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
            TokenKind::LineComment => self.in_comment = true,
            TokenKind::Word if token.text == "path" => self.open.push(("path", token.span)),
            TokenKind::Symbol => self.symbol(&mut token),
            _ => {}
        }
        self.out.push(token);
    }

    fn symbol(&mut self, token: &mut Token<'s>) {
        match token.text {
            "+" | "{+}" if self.in_path() => token.kind = TokenKind::WildPlus,
            "*" | "{*}" if self.in_path() => token.kind = TokenKind::WildStar,
            "(" => self.open.push(("(", token.span)),
            "{" => self.open.push(("{", token.span)),
            "[" => self.open.push(("[", token.span)),
            ")" => self.close("(", token),
            "}" => self.close("{", token),
            "]" => self.close("[", token),
            _ => {}
        }
    }

    /// Reports that the query is nested too deeply, and nothing else.
    fn refuse(&mut self, span: Span) {
        let message = format!("brackets are nested more than {MAX_OPEN} deep here");
        let error = Diagnostic::new(span, message).kind(DiagnosticKind::TooLarge);
        *self.errors = vec![error];
        self.out.clear();
    }

    /// Directly inside a path, ignoring round brackets.
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
            Some(&(what, _)) => {
                let message = format!("‘{}’ closes what ‘{what}’ opened", token.text);
                self.errors.push(
                    Diagnostic::new(token.span, message).help("close the inner bracket first"),
                );
                if self.open.iter().any(|(o, _)| *o == opener) {
                    while self.open.pop().is_some_and(|(o, _)| o != opener) {}
                }
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

    fn mark(&mut self, kind: TokenKind, at: usize) {
        self.out.push(Token {
            kind,
            text: "",
            span: Span::new(at, at),
            gap: Gap::default(),
        });
    }

    fn end_comment(&mut self, at: usize) {
        self.in_comment = false;
        self.mark(TokenKind::EndLineComment, at);
    }

    fn end_paths(&mut self, at: usize) {
        while self.open.last().is_some_and(|(what, _)| *what == "path") {
            self.open.pop();
            self.mark(TokenKind::EndPath, at);
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
