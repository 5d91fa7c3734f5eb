//! `line` and `path`.

use super::{Parse, Parser, level};
use crate::ast::{Dash, Expr, ExprKind as Ast, Infix, Line, Part, Path, Simple, Type};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::{MANY, TokenKind};

/// The constituents of a path, before targets are attached to their dashes.
enum Item {
    Filter(Expr),
    Dash(Box<Dash>),
    Chain(Vec<Part>),
}

impl Parser<'_> {
    // --- line ---

    pub(super) fn line(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut line = Line {
            back: false,
            range: None,
            single_color: false,
            primary: false,
            secondary: false,
            nestban: false,
            firstmatch: false,
            last_position: false,
            quiet: false,
            parts: Vec::new(),
        };
        while self.line_parameter(&mut line) {}
        line.back = self.is_symbol("<--");
        if !line.back && !self.is_symbol("-->") {
            let message = format!(
                "expected ‘-->’ or ‘<--’ in the line, found {}",
                self.found()
            );
            return Err(self.stop_with(
                self.here(),
                message,
                "for example ‘line --> check --> mate’",
            ));
        }
        self.at += 1;
        line.parts = self.line_parts(line.back)?;
        let span = self.since(start);
        self.check_line(&line, span);
        let ty = if line.last_position {
            Type::Position
        } else {
            Type::Number
        };
        Ok(self.make(Ast::Line(Box::new(line)), ty, span))
    }

    fn line_parameter(&mut self, line: &mut Line) -> bool {
        let word = self
            .token()
            .filter(|t| t.kind == TokenKind::Word)
            .map_or("", |t| t.text);
        let flag = match word {
            "singlecolor" => &mut line.single_color,
            "primary" => &mut line.primary,
            "secondary" => &mut line.secondary,
            "nestban" => &mut line.nestban,
            "firstmatch" => &mut line.firstmatch,
            "lastposition" => &mut line.last_position,
            "quiet" => &mut line.quiet,
            _ => {
                if line.range.is_none() {
                    line.range = self.range();
                    return line.range.is_some();
                }
                return false;
            }
        };
        *flag = true;
        self.at += 1;
        true
    }

    fn check_line(&mut self, line: &Line, span: Span) {
        if line.primary && line.secondary {
            self.complain(Diagnostic::new(
                span,
                "a line cannot be both primary and secondary",
            ));
        }
        if line.back && (line.primary || line.secondary || line.nestban) {
            let message = "‘primary’, ‘secondary’ and ‘nestban’ are for lines that run forward";
            self.complain(Diagnostic::new(span, message));
        }
    }

    /// Constituents with arrows between them.
    fn line_parts(&mut self, back: bool) -> Parse<Vec<Part>> {
        let (arrow, other) = if back { ("<--", "-->") } else { ("-->", "<--") };
        let mut parts = vec![self.line_part(back)?];
        while self.eat_symbol(arrow) {
            parts.push(self.line_part(back)?);
        }
        if self.is_symbol(other) {
            return Err(self.stop(
                self.here(),
                format!("the arrows of this line are ‘{arrow}’"),
            ));
        }
        Ok(parts)
    }

    fn line_part(&mut self, back: bool) -> Parse<Part> {
        self.nested(|p| {
            let mut part = if p.is_symbol("(") && !p.operator_after_parenthesis() {
                p.at += 1;
                let parts = p.line_parts(back)?;
                p.need(")", "after the constituents")?;
                Part::Chain(parts)
            } else {
                let e = p.any(level::OR, "a constituent of the line")?;
                p.check_constituent(&e);
                Part::Filter(e)
            };
            while let Some((min, max)) = p.repetition() {
                part = Part::Repeat {
                    part: Box::new(part),
                    min,
                    max,
                };
            }
            Ok(part)
        })
    }

    /// `*`, `+`, `?`, `{n,m}` after a constituent.
    fn repetition(&mut self) -> Option<(u32, u32)> {
        let token = self.token()?;
        let bounds = match (token.kind, token.text) {
            (TokenKind::WildPlus, _) | (TokenKind::Symbol, "+" | "{+}") => (1, MANY),
            (TokenKind::WildStar, _) | (TokenKind::Symbol, "*" | "{*}") => (0, MANY),
            (TokenKind::Symbol, "?") => (0, 1),
            (TokenKind::Repeat { min, max }, _) => (min, max),
            _ => return None,
        };
        self.at += 1;
        Some(bounds)
    }

    /// A lone number where a filter is due is a misplaced range or repetition.
    fn check_constituent(&mut self, e: &Expr) {
        let arithmetic = match &e.kind {
            Ast::Number(_) => true,
            Ast::Variable(_) => e.ty == Type::Number,
            Ast::Infix(op, ..) => matches!(
                op,
                Infix::Add | Infix::Subtract | Infix::Multiply | Infix::Divide
            ),
            _ => false,
        };
        if arithmetic {
            let message = "a number is not a constituent";
            let help = "compare it with something; for repetition write ‘{+}’ or ‘{*}’";
            self.complain(Diagnostic::new(e.span, message).help(help));
        } else {
            self.check_condition(e);
        }
    }

    /// The token after the parenthesis that closes the one here.
    fn after_parenthesis(&self) -> (bool, Option<usize>) {
        let mut depth = 0;
        let mut braces = 0;
        let mut has_dash = false;
        for (i, token) in self.tokens.iter().enumerate().skip(self.at) {
            match (token.kind, token.text) {
                (TokenKind::Symbol, "{") => braces += 1,
                (TokenKind::Symbol, "}") => braces -= 1,
                (TokenKind::Dash { .. }, _) => has_dash |= braces == 0,
                _ => {}
            }
            depth += super::nesting(token);
            if depth == 0 {
                return (has_dash, Some(i + 1));
            }
        }
        (has_dash, None)
    }

    /// Whether the parenthesis here is only the left side of some operator.
    fn operator_after_parenthesis(&self) -> bool {
        let (_, Some(next)) = self.after_parenthesis() else {
            return false;
        };
        self.tokens
            .get(next)
            .is_some_and(|t| match (t.kind, t.text) {
                (TokenKind::Word, "and" | "or" | "in" | "attacks" | "attackedby") => true,
                (TokenKind::Dash { left_tie, .. }, _) => left_tie,
                (TokenKind::Symbol, "->" | "<-" | "|" | "&" | ":" | "-" | "/" | "%" | "~~") => true,
                (TokenKind::Symbol, symbol) => super::check::comparison(symbol).is_some(),
                _ => false,
            })
    }

    // --- path ---

    pub(super) fn path(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut path = Path {
            range: None,
            focus: None,
            max: None,
            primary: false,
            nestban: false,
            firstmatch: false,
            last_position: false,
            quiet: false,
            verbose: false,
            title: None,
            piece_path: false,
            keep_all_best: false,
            parts: Vec::new(),
        };
        while self.path_parameter(&mut path)? {}
        path.parts = self.path_parts()?;
        if path.parts.is_empty() {
            return Err(self.stop(
                self.here(),
                format!(
                    "a path needs at least one constituent, found {}",
                    self.found()
                ),
            ));
        }
        let span = self.since(start);
        if self.token().is_some_and(|t| t.kind == TokenKind::EndPath) {
            self.at += 1;
        }
        self.check_path(&path, span);
        let ty = if path.last_position {
            Type::Position
        } else {
            Type::Number
        };
        Ok(self.make(Ast::Path(Box::new(path)), ty, span))
    }

    fn path_parameter(&mut self, path: &mut Path) -> Parse<bool> {
        let span = self.here();
        let word = self
            .token()
            .filter(|t| t.kind == TokenKind::Word)
            .map_or("", |t| t.text);
        let twice = match word {
            "singlecolor" | "focus" => path.focus.is_some(),
            "max" => path.max.is_some(),
            "title" => path.title.is_some(),
            _ => false,
        };
        if twice {
            return Err(self.stop(span, "this parameter of the path is given twice"));
        }
        let flag = match word {
            "primary" => &mut path.primary,
            "nestban" => &mut path.nestban,
            "firstmatch" => &mut path.firstmatch,
            "lastposition" => &mut path.last_position,
            "quiet" => &mut path.quiet,
            "verbose" => &mut path.verbose,
            "piecepath" => &mut path.piece_path,
            "keepallbest" => &mut path.keep_all_best,
            _ => return self.path_argument(path, word),
        };
        *flag = true;
        self.at += 1;
        Ok(true)
    }

    fn path_argument(&mut self, path: &mut Path, word: &str) -> Parse<bool> {
        let span = self.here();
        match word {
            "singlecolor" => {
                self.at += 1;
                path.focus = Some((self.side_to_move_pieces(span), false));
            }
            "focus" => {
                self.at += 1;
                let capture = self.eat_word("capture");
                path.focus = Some((
                    self.typed(level::ARROW, Type::Set, "the focus of the path")?,
                    capture,
                ));
            }
            "max"
                if !self
                    .ahead(1)
                    .is_some_and(|t| t.kind == TokenKind::Symbol && t.text == "(") =>
            {
                self.at += 1;
                path.max = Some(self.typed(level::OR, Type::Number, "what ‘max’ measures")?);
            }
            "title" => {
                self.at += 1;
                let Some(title) = self.eat_text() else {
                    return Err(self.stop(
                        self.here(),
                        format!("expected a quoted title, found {}", self.found()),
                    ));
                };
                path.title = Some(title.into());
            }
            _ => {
                if path.range.is_none() {
                    path.range = self.range();
                    return Ok(path.range.is_some());
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `if wtm A else a`
    fn side_to_move_pieces(&mut self, span: Span) -> Expr {
        let designator = |pieces| {
            Ast::Designator(crate::lex::Designator {
                pieces,
                squares: !0,
                names_pieces: true,
            })
        };
        let test = Box::new(self.make(Ast::Simple(Simple::Wtm), Type::Condition, span));
        let then = Box::new(self.make(designator(0b11_1111), Type::Set, span));
        let otherwise = Some(Box::new(self.make(
            designator(0b11_1111 << 6),
            Type::Set,
            span,
        )));
        self.make(
            Ast::If {
                test,
                then,
                otherwise,
            },
            Type::Set,
            span,
        )
    }

    fn check_path(&mut self, path: &Path, span: Span) {
        if path.piece_path && path.focus.is_none() {
            let message =
                "‘piecepath’ shows where the pieces in focus go, and this path has no focus";
            self.complain(Diagnostic::new(span, message).help("add ‘focus’ and a set"));
        }
    }

    fn path_parts(&mut self) -> Parse<Vec<Part>> {
        let mut parts = Vec::new();
        let mut pending = None;
        loop {
            let item = match pending.take() {
                Some(item) => item,
                None => match self.path_item(Parser::at_chain)? {
                    Some(item) => item,
                    None => return Ok(parts),
                },
            };
            let part = match item {
                Item::Chain(chain) => self.repeated(Part::Chain(chain)),
                Item::Filter(e) => self.unrepeated(e)?,
                Item::Dash(dash) => {
                    let (dash, next) = self.with_targets(dash)?;
                    pending = next;
                    if pending.is_some() {
                        Part::Dash(dash)
                    } else {
                        self.repeated(Part::Dash(dash))
                    }
                }
            };
            parts.push(part);
        }
    }

    fn repeated(&mut self, part: Part) -> Part {
        match self.repetition() {
            Some((min, max)) => Part::Repeat {
                part: Box::new(part),
                min,
                max,
            },
            None => part,
        }
    }

    fn unrepeated(&mut self, e: Expr) -> Parse<Part> {
        self.check_constituent(&e);
        let span = self.here();
        if self.repetition().is_some() {
            let message =
                "only moves can be repeated in a path, and there is no move before this sign";
            return Err(self.stop_with(
                span,
                message,
                "put ‘--’ before the filter, or move and filter in parentheses",
            ));
        }
        Ok(Part::Filter(e))
    }

    /// The filters after a dash, up to the next dash or chain, hold after its move.
    fn with_targets(&mut self, mut dash: Box<Dash>) -> Parse<(Box<Dash>, Option<Item>)> {
        let mut targets = Vec::new();
        let next = loop {
            // a repetition after the parenthesis then applies to the move with its targets
            match self.path_item(Parser::at_chain_of_moves)? {
                Some(Item::Filter(e)) => {
                    self.check_constituent(&e);
                    targets.push(e);
                }
                other => break other,
            }
        };
        dash.target = match targets.len() {
            0 => None,
            1 => targets.pop(),
            _ => {
                let span = targets[0].span.to(targets[targets.len() - 1].span);
                Some(self.sequence(targets, span))
            }
        };
        Ok((dash, next))
    }

    fn path_item(&mut self, at_chain: fn(&Self) -> bool) -> Parse<Option<Item>> {
        if !self.starts_filter() {
            return Ok(None);
        }
        if self.is_symbol("(") && at_chain(self) {
            return self.path_chain().map(Some);
        }
        if self
            .token()
            .is_some_and(|t| matches!(t.kind, TokenKind::Dash { .. }))
        {
            return self
                .dash_parts(None, false)
                .map(|d| Some(Item::Dash(Box::new(d))));
        }
        let mut left = self.expr(level::ARROW)?;
        if self
            .token()
            .is_some_and(|t| matches!(t.kind, TokenKind::Dash { left_tie: true, .. }))
        {
            return self
                .dash_parts(Some(left), false)
                .map(|d| Some(Item::Dash(Box::new(d))));
        }
        while let Some(strength) = self.operator(&left) {
            left = self.combine(left, strength)?;
        }
        Ok(Some(Item::Filter(left)))
    }

    /// A parenthesis that holds moves or is repeated.
    fn at_chain(&self) -> bool {
        let (_, next) = self.after_parenthesis();
        let repeated = next.and_then(|n| self.tokens.get(n)).is_some_and(|t| {
            matches!(
                t.kind,
                TokenKind::WildPlus | TokenKind::WildStar | TokenKind::Repeat { .. }
            ) || t.kind == TokenKind::Symbol && t.text == "?"
        });
        repeated || self.at_chain_of_moves()
    }

    fn at_chain_of_moves(&self) -> bool {
        let (has_dash, _) = self.after_parenthesis();
        has_dash && !self.operator_after_parenthesis()
    }

    fn path_chain(&mut self) -> Parse<Item> {
        self.at += 1;
        let parts = self.nested(Parser::path_parts)?;
        if parts.is_empty() {
            return Err(self.stop(
                self.here(),
                format!("expected a constituent, found {}", self.found()),
            ));
        }
        self.need(")", "after the constituents")?;
        Ok(Item::Chain(parts))
    }
}
