//! The whole query: an optional `cql(…)`, and the filters.

use super::{Parse, Parser, Stop};
use crate::ast::{Expr, ExprKind as Ast, Header, Program, Simple, Type};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::TokenKind;

impl Parser<'_> {
    /// The whole text: filters in the first `extra` bytes, an optional header, the filters.
    pub(super) fn program(&mut self, extra: usize, transforms: &[String]) -> Parse<Program> {
        let mut filters = Vec::new();
        while self
            .token()
            .is_some_and(|t| (t.span.start as usize) < extra)
        {
            match self.expr(super::level::OR) {
                Ok(filter) => filters.push(filter),
                Err(Stop) => self.at += 1,
            }
        }
        let header = if self.is(TokenKind::Word, "cql") {
            self.header()
        } else {
            Header::default()
        };
        filters.extend(self.filters());
        while let Some(token) = self.token() {
            let message = match (token.kind, token.text) {
                (TokenKind::EndPath | TokenKind::EndLineComment, _) => None,
                (TokenKind::Symbol, "|" | "&" | "->" | "<-") => Some(format!(
                    "{} needs a set of squares on its left",
                    self.found()
                )),
                (TokenKind::Symbol, ":") => Some("‘:’ needs a position on its left".to_owned()),
                _ => Some(format!("{} cannot begin a filter", self.found())),
            };
            if let Some(message) = message {
                let mut complaint = Diagnostic::new(token.span, message);
                complaint.help = self.help_with_sign(token.text);
                self.complain(complaint);
            }
            self.at += 1;
            filters.extend(self.filters());
        }
        let span = Span::new(0, self.source.len());
        let body = match filters.len() {
            0 => self.make(Ast::Simple(Simple::True), Type::Condition, span),
            1 => filters.remove(0),
            _ => self.sequence(filters, span),
        };
        self.check_condition(&body);
        let body = self.transformed(body, transforms, span);
        if !self.errors.is_empty() {
            return Err(Stop);
        }
        Ok(Program {
            header,
            body,
            variables: std::mem::take(&mut self.names.variables),
            warnings: Vec::new(),
        })
    }

    /// A suggestion for a sign that cannot begin a filter.
    fn help_with_sign(&self, sign: &str) -> Option<String> {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at))?;
        match (sign, before.kind) {
            ("=", TokenKind::Designator(_)) => Some(format!(
                "‘{}’ is a piece designator and cannot name a variable; ‘==’ compares",
                before.text
            )),
            ("=", _) => Some("‘==’ compares".into()),
            (",", _) => Some("filters follow one another without commas".into()),
            _ => None,
        }
    }

    /// The query under the transforms of the options.
    fn transformed(&mut self, mut body: Expr, transforms: &[String], span: Span) -> Expr {
        for name in transforms.iter().rev() {
            let Some(which) = super::filters::transform(name) else {
                self.complain(Diagnostic::new(
                    Span::new(0, 0),
                    format!("unknown transform ‘{name}’"),
                ));
                continue;
            };
            body = self.make(
                Ast::Transform {
                    which,
                    count: None,
                    body: Box::new(body),
                },
                Type::Condition,
                span,
            );
        }
        body
    }

    fn header(&mut self) -> Header {
        let mut header = Header::default();
        self.at += 1;
        if self.need("(", "after ‘cql’").is_err() {
            return header;
        }
        while !self.eat_symbol(")") {
            if self.token().is_none() {
                self.complain(
                    Diagnostic::new(self.here(), "the header is never closed")
                        .help("close it with ‘)’"),
                );
                return header;
            }
            if self.parameter(&mut header).is_err() && !self.is_symbol(")") {
                self.at += 1;
            }
        }
        header
    }

    fn parameter(&mut self, header: &mut Header) -> Parse<()> {
        let span = self.here();
        let word = self
            .token()
            .filter(|t| t.kind == TokenKind::Word)
            .map_or("", |t| t.text);
        match word {
            "input" => header.input.push(self.file()?),
            "output" => header.output = Some(self.file()?),
            "variations" => header.variations = true,
            "silent" => header.silent = true,
            "quiet" => header.quiet = true,
            "gamenumber" => header.game_numbers = Some(self.numbers()?),
            "matchcount" => header.match_count = Some(self.numbers()?),
            "sort" if self.ahead(1).is_some_and(|t| t.text == "matchcount") => {
                self.at += 1;
                header.sort_match_count = true;
                header.match_count = Some(self.numbers()?);
            }
            "result" => {
                self.at += 1;
                let text = self
                    .token()
                    .filter(|t| matches!(t.kind, TokenKind::Result | TokenKind::Text))
                    .map(|t| t.text);
                header.result = Some(self.checked_result(text)?);
            }
            "matchstring" => {
                self.at += 1;
                let Some(text) = self
                    .token()
                    .filter(|t| t.kind == TokenKind::Text)
                    .map(|t| t.text)
                else {
                    return Err(self.stop(
                        self.here(),
                        format!("expected a quoted string, found {}", self.found()),
                    ));
                };
                header.match_string = Some(text.into());
            }
            _ => {
                let message = format!("unknown header parameter {}", self.found());
                let help = "input, output, variations, gamenumber, result, matchcount, sort matchcount, matchstring, silent, quiet";
                return Err(self.stop_with(span, message, help));
            }
        }
        self.at += 1;
        Ok(())
    }

    fn file(&mut self) -> Parse<String> {
        self.at += 1;
        match self.token() {
            Some(t) if matches!(t.kind, TokenKind::FileName | TokenKind::Text) => Ok(t.text.into()),
            _ => Err(self.stop(
                self.here(),
                format!("expected the name of a file, found {}", self.found()),
            )),
        }
    }

    /// One or two numbers; stays on the last.
    fn numbers(&mut self) -> Parse<(i64, i64)> {
        self.at += 1;
        let Some(TokenKind::Number(low)) = self.token().map(|t| t.kind) else {
            return Err(self.stop(
                self.here(),
                format!("expected a number, found {}", self.found()),
            ));
        };
        match self.ahead(1).map(|t| t.kind) {
            Some(TokenKind::Number(high)) => {
                self.at += 1;
                Ok((low, high))
            }
            _ => Ok((low, low)),
        }
    }

    pub(super) fn checked_result(&mut self, text: Option<&str>) -> Parse<String> {
        match text {
            Some(text @ ("1-0" | "0-1" | "1/2-1/2" | "*")) => Ok(text.into()),
            _ => {
                let message = format!(
                    "expected 1-0, 0-1, 1/2-1/2 or * after ‘result’, found {}",
                    self.found()
                );
                Err(self.stop(self.here(), message))
            }
        }
    }
}
