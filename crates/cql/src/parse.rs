//! Tokens → typed syntax tree, with all errors reported.
//!
//! The grammar needs types: in `up x A` the `x` is a distance if it is a number and the operand if
//! it is a set. So the parser assigns types to names, and parses a function's body anew for every
//! call. The type rules are in `check`.

mod assign;
mod check;
mod filters;
mod header;
mod hhdb;
mod moves;
mod names;
mod permissions;
mod sequences;
mod suspicions;
mod text;
mod variants;

use crate::Options;
use crate::ast::{Expr, ExprKind as Ast, Prefix, Program, Type};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Span};
use crate::lex::{self, Token, TokenKind};
use names::Names;

/// The greatest nesting depth of brackets.
const MAX_DEPTH: u32 = 150;
/// The greatest nesting depth of filters, also without brackets, as in `1+1+1`.
const MAX_HEIGHT: u16 = 250;
/// The greatest number of parts of a query with its functions expanded.
const MAX_PARTS: u32 = 400_000;

/// A syntax error that was already reported.
pub(crate) struct Stop;
type Parse<T> = Result<T, Stop>;

/// Binding strength of operators, loosest first.
mod level {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const IN: u8 = 3;
    pub const COMPARE: u8 = 4;
    pub const ADD: u8 = 5;
    pub const MULTIPLY: u8 = 6;
    pub const DASH: u8 = 7;
    pub const ARROW: u8 = 8;
    pub const UNION: u8 = 9;
    pub const MEET: u8 = 10;
    pub const ATTACK: u8 = 11;
    pub const POSTFIX: u8 = 12;
    pub const AT: u8 = 13;
}

/// Parses a query whose first `extra` bytes are filters that come before it.
pub(crate) fn parse(
    source: &str,
    extra: usize,
    options: &Options,
) -> Result<Program, Vec<Diagnostic>> {
    let (tokens, errors) = lex::lex(source);
    let mut parser = Parser::new(source, tokens, errors);
    parser.preset(&options.variables);
    let program = parser.program(extra, &options.transforms);
    let mut errors = parser.errors;
    if let Ok(program) = &program {
        errors.extend(variants::overgrown(&program.body));
        errors.extend(permissions::missing(&program.body, options));
    }
    match program {
        Ok(mut program) if errors.is_empty() => {
            program.warnings = suspicions::warnings(&program.body, source);
            Ok(program)
        }
        _ => {
            errors.sort_by_key(|e| (e.span.start, e.span.end));
            errors.dedup();
            Err(errors)
        }
    }
}

pub(crate) struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token<'s>>,
    at: usize,
    depth: u32,
    parts: u32,
    /// The number of unnamed sort keys so far.
    sorts: u32,
    names: Names,
    errors: Vec<Diagnostic>,
    /// A limit was exceeded, and nothing else is reported.
    is_refused: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, tokens: Vec<Token<'s>>, errors: Vec<Diagnostic>) -> Parser<'s> {
        Parser {
            source,
            tokens,
            at: 0,
            depth: 0,
            parts: 0,
            sorts: 0,
            names: Names::default(),
            errors,
            is_refused: false,
        }
    }

    // --- tokens ---

    fn token(&self) -> Option<Token<'s>> {
        self.tokens.get(self.at).copied()
    }

    fn ahead(&self, n: usize) -> Option<Token<'s>> {
        self.tokens.get(self.at + n).copied()
    }

    /// The span of the next token, or of the end of the source without trailing blanks.
    fn here(&self) -> Span {
        let end = self.source.trim_end().len();
        self.token().map_or(Span::new(end, end), |t| t.span)
    }

    fn previous(&self) -> Span {
        self.at
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or(Span::default(), |t| t.span)
    }

    fn since(&self, start: Span) -> Span {
        Span {
            start: start.start,
            end: self.previous().end.max(start.end),
        }
    }

    fn is(&self, kind: TokenKind, text: &str) -> bool {
        self.token()
            .is_some_and(|t| t.kind == kind && t.text == text)
    }

    fn is_symbol(&self, text: &str) -> bool {
        self.is(TokenKind::Symbol, text)
    }

    fn eat_symbol(&mut self, text: &str) -> bool {
        let found = self.is_symbol(text);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, text: &str) -> bool {
        let found = self.is(TokenKind::Word, text);
        self.at += usize::from(found);
        found
    }

    fn eat_text(&mut self) -> Option<&'s str> {
        let token = self.token().filter(|t| t.kind == TokenKind::Text)?;
        self.at += 1;
        Some(token.text)
    }

    fn need(&mut self, symbol: &str, after: &str) -> Parse<()> {
        if self.eat_symbol(symbol) {
            return Ok(());
        }
        Err(self.stop(
            self.here(),
            format!("expected ‘{symbol}’ {after}, found {}", self.found()),
        ))
    }

    /// The name of the next token in messages.
    fn found(&self) -> String {
        match self.token() {
            None => "the end of the query".into(),
            Some(t) if t.kind == TokenKind::EndPath => "the blank line that ends the path".into(),
            Some(t) if t.kind == TokenKind::EndLineComment => "the end of the line".into(),
            Some(t) => format!("‘{}’", t.span.of(self.source)),
        }
    }

    // --- diagnostics ---

    fn complain(&mut self, diagnostic: Diagnostic) {
        if !self.is_refused && self.errors.len() < lex::MAX_ERRORS {
            self.errors.push(diagnostic);
        }
    }

    fn stop(&mut self, span: Span, message: impl Into<String>) -> Stop {
        self.complain(Diagnostic::new(span, message));
        Stop
    }

    fn stop_with(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Stop {
        self.complain(Diagnostic::new(span, message).help(help));
        Stop
    }

    // --- building ---

    fn make(&mut self, kind: Ast, ty: Type, span: Span) -> Expr {
        self.parts += 1;
        let mut e = Expr {
            kind,
            span,
            ty,
            height: 1,
        };
        let mut below = 0;
        crate::ast::children(&e, &mut |child| below = below.max(child.height));
        e.height += below;
        if e.height > MAX_HEIGHT {
            let message = format!("filters are nested more than {MAX_HEIGHT} deep here");
            self.complain(Diagnostic::new(span, message).kind(DiagnosticKind::TooLarge));
            e.kind = Ast::Error;
            (e.ty, e.height) = (Type::Unknown, 1);
        }
        e
    }

    fn broken(&mut self, span: Span) -> Expr {
        self.make(Ast::Error, Type::Unknown, span)
    }

    /// Parses one level deeper; refuses queries that are nested too deeply or too large.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.refuse(format!(
                "filters are nested more than {MAX_DEPTH} deep here"
            )));
        }
        if self.parts >= MAX_PARTS {
            let message = "the query grows too large when its functions are expanded";
            return Err(self.refuse(message.into()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reports a limit and stops: further errors would only repeat the report.
    fn refuse(&mut self, message: String) -> Stop {
        let error = Diagnostic::new(self.here(), message).kind(DiagnosticKind::TooLarge);
        self.errors = vec![error];
        self.at = self.tokens.len();
        self.is_refused = true;
        Stop
    }

    // --- sequences of filters ---

    /// Filters up to a token that cannot begin one; errors in one do not hide errors in the next.
    fn filters(&mut self) -> Vec<Expr> {
        let mut filters = Vec::new();
        while self.starts_filter() {
            let start = self.at;
            match self.expr(level::OR) {
                Ok(filter) => filters.push(filter),
                Err(Stop) => {
                    self.recover(start);
                    let span = self.since(self.tokens[start].span);
                    filters.push(self.broken(span));
                }
            }
        }
        filters
    }

    fn starts_filter(&self) -> bool {
        let Some(token) = self.token() else {
            return false;
        };
        match token.kind {
            TokenKind::Word => !matches!(
                token.text,
                "or" | "and" | "in" | "then" | "else" | "attacks" | "attackedby" | "cql"
            ),
            TokenKind::Symbol => matches!(
                token.text,
                "(" | "{" | "." | "[]" | "#" | "~" | "-" | "`" | "[forall]"
            ),
            TokenKind::Number(_)
            | TokenKind::Text
            | TokenKind::Designator(_)
            | TokenKind::PieceDeclaration
            | TokenKind::Dash { .. } => true,
            TokenKind::LineComment | TokenKind::Group(_) | TokenKind::GroupStart(_) => true,
            TokenKind::NamedGroup | TokenKind::NamedGroupStart => true,
            _ => false,
        }
    }

    /// Skips to the next line or to the bracket that closes the sequence of `start`.
    fn recover(&mut self, start: usize) {
        let mut depth = self.tokens[start..self.at.max(start)]
            .iter()
            .fold(0i32, |d, t| d + nesting(t));
        self.at = self.at.max(start + 1);
        depth = depth.max(0);
        while let Some(token) = self.token() {
            let change = nesting(&token);
            if depth == 0 && (change < 0 || token.gap.newline)
                || matches!(token.kind, TokenKind::EndPath)
            {
                return;
            }
            depth = (depth + change).max(0);
            self.at += 1;
        }
    }

    /// `{ … }`
    fn braces(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.need("{", "here")?;
        let mut filters = self.filters();
        if !self.is_symbol("}") {
            return Err(self.stop(
                self.here(),
                format!("expected a filter or ‘}}’, found {}", self.found()),
            ));
        }
        self.at += 1;
        let span = self.since(start);
        match filters.len() {
            0 => Err(self.stop_with(
                span,
                "these braces are empty",
                "write at least one filter between them",
            )),
            1 if !keeps_braces(&filters[0]) => Ok(unwrapped(filters.remove(0))),
            _ => Ok(self.sequence(filters, span)),
        }
    }

    fn sequence(&mut self, filters: Vec<Expr>, span: Span) -> Expr {
        let ty = filters.last().map_or(Type::Condition, |f| f.ty);
        for filter in &filters[..filters.len().saturating_sub(1)] {
            self.check_condition(filter);
        }
        self.make(Ast::Sequence(filters), ty, span)
    }

    /// `( … )`: exactly one filter.
    fn parentheses(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.need("(", "here")?;
        if self.is_symbol(")") {
            let span = self.since(start).to(self.here());
            return Err(self.stop(span, "these parentheses are empty"));
        }
        let inner = self.expr(level::OR)?;
        if !self.is_symbol(")") {
            let message = format!("expected ‘)’, found {}", self.found());
            return Err(self.stop_with(
                self.here(),
                message,
                "parentheses hold one filter; braces hold several",
            ));
        }
        self.at += 1;
        let span = self.since(start);
        if keeps_braces(&inner) {
            return Ok(self.sequence(vec![inner], span));
        }
        Ok(unwrapped(inner))
    }

    // --- one filter ---

    /// A filter with operators that bind at least as tightly as `level`.
    fn expr(&mut self, level: u8) -> Parse<Expr> {
        self.nested(|p| {
            let mut left = p.primary()?;
            while let Some(strength) = p.operator(&left)
                && strength >= level
            {
                left = p.combine(left, strength)?;
            }
            Ok(left)
        })
    }

    /// The binding strength of the next token after `left`, if it is an operator here.
    fn operator(&self, left: &Expr) -> Option<u8> {
        let token = self.token()?;
        let value = !matches!(left.ty, Type::Condition);
        let number = matches!(left.ty, Type::Number | Type::Unknown);
        let text = matches!(left.ty, Type::Text | Type::Unknown);
        let place = matches!(left.ty, Type::Position | Type::Unknown);
        let plain = matches!(left.ty, Type::Number | Type::Text);
        Some(match (token.kind, token.text) {
            (TokenKind::Word, "or") => level::OR,
            (TokenKind::Word, "and") => level::AND,
            (TokenKind::Word, "in") => level::IN,
            (TokenKind::Word, "attacks" | "attackedby" | "attack") => level::ATTACK,
            (TokenKind::Symbol, "+" | "*") if self.is_wildcard() => return None,
            (TokenKind::Symbol, "+") if number || text || value => level::ADD,
            (TokenKind::Symbol, "-") if number => level::ADD,
            (TokenKind::Symbol, "*" | "/" | "%") => level::MULTIPLY,
            // a number or text before these is the operand of something further left
            (TokenKind::Symbol, "|" | "&" | "->" | "<-") if plain => return None,
            (TokenKind::Symbol, "|") => level::UNION,
            (TokenKind::Symbol, "&") => level::MEET,
            (TokenKind::Symbol, "->" | "<-") => level::ARROW,
            (TokenKind::Symbol, "~~") if text => level::POSTFIX,
            // after `piecename e4` it applies to the name, not to the square
            (TokenKind::Symbol, "~~") => level::IN,
            (TokenKind::Symbol, "[") if text => level::POSTFIX,
            (TokenKind::Symbol, ":") if place || matches!(left.kind, Ast::Move(_)) => level::AT,
            (TokenKind::Symbol, symbol) if check::comparison(symbol).is_some() => level::COMPARE,
            (TokenKind::Dash { left_tie: true, .. }, _) => level::DASH,
            _ => return None,
        })
    }

    /// Whether the `+` or `*` here repeats a constituent of a `line`.
    fn is_wildcard(&self) -> bool {
        match self.ahead(1) {
            None => true,
            Some(t) => match t.kind {
                TokenKind::Symbol => {
                    matches!(t.text, "}" | ")" | "-->" | "<--" | "?" | "{+}" | "{*}")
                }
                TokenKind::Repeat { .. } | TokenKind::EndPath => true,
                _ => false,
            },
        }
    }

    fn combine(&mut self, left: Expr, strength: u8) -> Parse<Expr> {
        match strength {
            level::OR => self.chain(left, "or", level::AND),
            level::AND => self.chain(left, "and", level::IN),
            level::IN if self.is_symbol("~~") => self.postfix(left),
            level::IN => self.inclusion(left),
            level::COMPARE => self.comparison(left),
            level::ADD | level::MULTIPLY => self.arithmetic(left, strength),
            level::DASH => self.dash(Some(left)),
            level::ARROW => self.arrows(left),
            level::UNION => self.set_chain(left, "|", level::MEET),
            level::MEET => self.meet(left),
            level::ATTACK => self.attack(left),
            level::POSTFIX => self.postfix(left),
            _ => self.at_position(left),
        }
    }

    fn primary(&mut self) -> Parse<Expr> {
        let Some(token) = self.token() else {
            return Err(self.stop(self.here(), "expected a filter, found the end of the query"));
        };
        match token.kind {
            TokenKind::Word => self.word(token),
            TokenKind::Number(n) => Ok(self.take(Ast::Number(n), Type::Number)),
            TokenKind::Text => Ok(self.take(Ast::Text(token.text.into()), Type::Text)),
            TokenKind::Designator(d) => Ok(self.take(Ast::Designator(d), Type::Set)),
            TokenKind::PieceDeclaration => self.piece_declaration(),
            TokenKind::Dash { .. } => self.dash(None),
            TokenKind::LineComment => self.line_comment(),
            TokenKind::Group(_)
            | TokenKind::GroupStart(_)
            | TokenKind::NamedGroup
            | TokenKind::NamedGroupStart => Ok(self.group(token)),
            TokenKind::Symbol => self.sign(token),
            _ => Err(self.stop(
                token.span,
                format!("expected a filter, found {}", self.found()),
            )),
        }
    }

    /// Parses a filter that starts with the next token.
    fn take(&mut self, kind: Ast, ty: Type) -> Expr {
        let span = self.here();
        self.at += 1;
        self.make(kind, ty, span)
    }

    fn sign(&mut self, token: Token<'s>) -> Parse<Expr> {
        match token.text {
            "(" => self.parentheses(),
            "{" => self.braces(),
            "." => Ok(self.take(Ast::Squares(!0), Type::Set)),
            "[]" => Ok(self.take(Ast::Squares(0), Type::Set)),
            "#" => self.count(),
            "~" => self.prefix(Prefix::Complement, level::ATTACK, Type::Set, Type::Set),
            "-" => self.negate(),
            "`" => self.identity(),
            "[forall]" => self.for_all(),
            "-->" | "<--" => {
                let help =
                    "put braces around each constituent of the line that has several filters";
                Err(self.stop_with(
                    token.span,
                    format!("‘{}’ is outside a line", token.text),
                    help,
                ))
            }
            _ => Err(self.stop(
                token.span,
                format!("expected a filter, found {}", self.found()),
            )),
        }
    }
}

/// Visits a filter and everything inside it.
pub(crate) fn walk(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(e);
    crate::ast::children(e, &mut |child| walk(child, visit));
}

/// A variable in brackets is passed by value, so the brackets matter.
fn keeps_braces(inner: &Expr) -> bool {
    matches!(inner.kind, Ast::Variable(_))
}

/// Brackets limit the scope of their contents.
fn unwrapped(mut inner: Expr) -> Expr {
    if let Ast::Contains { param, .. } = &mut inner.kind {
        *param = None;
    }
    inner
}

fn nesting(token: &Token<'_>) -> i32 {
    match (token.kind, token.text) {
        (TokenKind::Symbol, "(" | "{" | "[") => 1,
        (TokenKind::Symbol, ")" | "}" | "]") => -1,
        _ => 0,
    }
}
