//! Moves: `move`, `--`, `[x]`, `legal`, `countmoves`, `currentmove`.

use super::{Parse, Parser, Stop, level};
use crate::ast::{
    Castling, Dash, DashUse, Expr, ExprKind as Ast, Move, MoveMode, MoveValue, Promotion, Simple,
    Type,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::TokenKind;

impl Parser<'_> {
    /// `move` with its parameters in any order; the first of from, to, capture gives its value.
    pub(super) fn move_filter(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut filter = Move {
            mode: MoveMode::Played,
            value: MoveValue::Matches,
            from: None,
            to: None,
            capture: None,
            promote: None,
            en_passant: None,
            castle: None,
            null: false,
            primary: false,
            secondary: false,
            drop: None,
            comment: Vec::new(),
            target: None,
        };
        let mut first = true;
        let mut count = false;
        while let Some(token) = self.token().filter(|t| t.kind == TokenKind::Word) {
            if !self.move_parameter(&mut filter, token.text, &mut count)? {
                break;
            }
            if first {
                filter.value = match token.text {
                    "from" => MoveValue::From,
                    "to" => MoveValue::To,
                    "capture" | "captures" => MoveValue::Capture,
                    _ => MoveValue::Matches,
                };
                first = false;
            }
        }
        if count {
            filter.value = MoveValue::Count;
        }
        let span = self.since(start);
        self.check_move(&filter, span);
        let ty = match filter.value {
            MoveValue::Matches => Type::Condition,
            MoveValue::Count => Type::Number,
            _ => Type::Set,
        };
        Ok(self.make(Ast::Move(Box::new(filter)), ty, span))
    }

    /// Reads one parameter, if there is one here.
    fn move_parameter(&mut self, filter: &mut Move, word: &str, count: &mut bool) -> Parse<bool> {
        let span = self.here();
        self.at += 1;
        match word {
            "from" => self.move_set(&mut filter.from, span)?,
            "to" => self.move_set(&mut filter.to, span)?,
            "capture" | "captures" => self.move_set(&mut filter.capture, span)?,
            "enpassantsquare" => self.move_set(&mut filter.en_passant, span)?,
            "enpassant" => {
                filter.en_passant = Some(self.make(Ast::Squares(!0), Type::Set, span));
            }
            "promote" => filter.promote = Some(self.pieces("‘promote’")?),
            "drop" => filter.drop = Some(self.pieces_or_any()),
            "o-o" => self.move_castle(filter, Castling::Short, span)?,
            "o-o-o" => self.move_castle(filter, Castling::Long, span)?,
            "castle" => self.move_castle(filter, Castling::Any, span)?,
            "null" => filter.null = true,
            "primary" => filter.primary = true,
            "secondary" => filter.secondary = true,
            "previous" => self.move_mode(filter, MoveMode::Previous, span)?,
            "legal" => self.move_mode(filter, MoveMode::Legal, span)?,
            "pseudolegal" => self.move_mode(filter, MoveMode::Pseudolegal, span)?,
            "reverse" => self.move_mode(filter, MoveMode::Reverse, span)?,
            "count" => *count = true,
            "comment" if matches!(filter.mode, MoveMode::Played | MoveMode::Previous) => {
                filter.comment = self.text_parts("‘comment’")?;
            }
            _ => {
                self.at -= 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn move_set(&mut self, slot: &mut Option<Expr>, word: Span) -> Parse<()> {
        if slot.is_some() {
            return Err(self.stop(word, format!("‘{}’ is given twice", word.of(self.source))));
        }
        *slot = Some(self.typed(
            level::AT,
            Type::Set,
            &format!("the operand of ‘{}’", word.of(self.source)),
        )?);
        Ok(())
    }

    fn move_mode(&mut self, filter: &mut Move, mode: MoveMode, word: Span) -> Parse<()> {
        if filter.mode != MoveMode::Played {
            return Err(self.stop(
                word,
                "only one of previous, legal, pseudolegal and reverse is allowed",
            ));
        }
        filter.mode = mode;
        Ok(())
    }

    fn move_castle(&mut self, filter: &mut Move, castle: Castling, word: Span) -> Parse<()> {
        if filter.castle.is_some() {
            return Err(self.stop(word, "castling is given twice"));
        }
        filter.castle = Some(castle);
        Ok(())
    }

    /// A designator without squares.
    fn pieces(&mut self, after: &str) -> Parse<u16> {
        let span = self.here();
        match self.token().map(|t| t.kind) {
            Some(TokenKind::Designator(d)) if d.squares == !0 && d.names_pieces => {
                self.at += 1;
                Ok(d.pieces)
            }
            _ => {
                let message = format!(
                    "expected pieces without squares after {after}, found {}",
                    self.found()
                );
                Err(self.stop(span, message))
            }
        }
    }

    fn pieces_or_any(&mut self) -> u16 {
        match self.token().map(|t| t.kind) {
            Some(TokenKind::Designator(d)) if d.squares == !0 && d.names_pieces => {
                self.at += 1;
                d.pieces
            }
            _ => !0,
        }
    }

    fn check_move(&mut self, filter: &Move, span: Span) {
        let generated = !matches!(filter.mode, MoveMode::Played | MoveMode::Previous);
        if generated && (filter.null || filter.primary || filter.secondary) {
            let message = "null, primary and secondary are about moves that were played";
            self.complain(Diagnostic::new(span, message));
        }
        if filter.primary && filter.secondary {
            self.complain(Diagnostic::new(
                span,
                "no move is both primary and secondary",
            ));
        }
        if filter.en_passant.is_some() && filter.promote.is_some() {
            self.complain(Diagnostic::new(
                span,
                "no move is both an en-passant capture and a promotion",
            ));
        }
    }

    /// `move … : F`, with `all` before `F` if every move must satisfy it.
    pub(super) fn speculate(&mut self, left: Expr) -> Parse<Expr> {
        self.at += 1;
        let all = self.eat_word("all");
        let target = self.any(level::AT, "the filter after ‘:’")?;
        let span = self.since(left.span);
        let Ast::Move(mut filter) = left.kind else {
            return Err(Stop);
        };
        if matches!(filter.mode, MoveMode::Previous) {
            let message = "‘move previous’ has been made already; only other moves can be tried";
            self.complain(Diagnostic::new(span, message));
        }
        filter.target = Some((target, all));
        let ty = match (filter.value, all) {
            (MoveValue::Count, _) => Type::Number,
            (_, true) | (MoveValue::Matches, _) => Type::Condition,
            _ => Type::Set,
        };
        Ok(self.make(Ast::Move(filter), ty, span))
    }

    // --- dashes ---

    /// A dash, with its left side if one touches it.
    pub(super) fn dash(&mut self, left: Option<Expr>) -> Parse<Expr> {
        let start = left.as_ref().map_or(self.here(), |l| l.span);
        let dash = self.dash_parts(left, true)?;
        let ty = dash.target.as_ref().map_or(Type::Condition, |t| t.ty);
        let span = self.since(start);
        Ok(self.make(Ast::Dash(Box::new(dash), DashUse::Played), ty, span))
    }

    /// The part after a left side: `--`, right side, promotion, and a target in parentheses.
    pub(super) fn dash_parts(&mut self, left: Option<Expr>, with_target: bool) -> Parse<Dash> {
        let Some(TokenKind::Dash {
            capture,
            left_tie,
            right_tie,
        }) = self.token().map(|t| t.kind)
        else {
            return Err(Stop);
        };
        let span = self.here();
        if left_tie && left.is_none() && with_target {
            let message = "something other than a set touches this dash on the left";
            return Err(self.stop_with(span, message, "put a blank before the dash"));
        }
        let left = left.map(|l| self.want(l, Type::Set, "the left side of a dash"));
        self.at += 1;
        let mut dash = Dash {
            capture,
            left,
            right: None,
            promotion: None,
            target: None,
        };
        if right_tie {
            dash.right = self.dash_right()?;
            dash.promotion = self.dash_promotion()?;
        }
        if with_target && self.is_symbol("(") && self.token().is_some_and(|t| !t.gap.any) {
            dash.target = Some(self.dash_target()?);
        }
        Ok(dash)
    }

    fn dash_right(&mut self) -> Parse<Option<Expr>> {
        if self.is_symbol("=") || self.is_symbol("(") {
            return Ok(None);
        }
        let before_promotion = self
            .ahead(1)
            .is_some_and(|t| t.kind == TokenKind::Symbol && t.text == "=");
        if before_promotion && let Some(name) = self.name_here() {
            let set = self.named(name)?;
            return Ok(Some(self.want(set, Type::Set, "the right side of a dash")));
        }
        if !self.starts_filter() {
            return Ok(None);
        }
        Ok(Some(self.typed(
            level::ARROW,
            Type::Set,
            "the right side of a dash",
        )?))
    }

    fn dash_promotion(&mut self) -> Parse<Option<Promotion>> {
        if !self.eat_symbol("=") {
            return Ok(None);
        }
        let e = self.any(level::AT, "the piece promoted to")?;
        Ok(Some(match e.kind {
            Ast::Designator(d) if d.squares == !0 && d.names_pieces => Promotion::Pieces(d.pieces),
            Ast::Squares(squares) if squares == !0 => Promotion::Pieces(!0),
            _ => Promotion::Text(self.want(e, Type::Text, "a promotion that is not a piece")),
        }))
    }

    fn dash_target(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut filters = self.filters();
        if filters.is_empty() {
            return Err(self.stop(
                self.here(),
                format!("expected the target of the dash, found {}", self.found()),
            ));
        }
        self.need(")", "after the target of the dash")?;
        if filters.len() == 1 {
            return Ok(filters.remove(0));
        }
        let span = self.since(start);
        Ok(self.sequence(filters, span))
    }

    /// The dash required by a preceding word.
    fn dash_after(&mut self, word: &str) -> Parse<(Dash, Span)> {
        let e = self.any(level::DASH, &format!("the dash after ‘{word}’"))?;
        match e.kind {
            Ast::Dash(dash, DashUse::Played) => Ok((*dash, e.span)),
            Ast::Error => Err(Stop),
            _ => Err(self.stop(e.span, format!("expected a ‘--’ filter after ‘{word}’"))),
        }
    }

    /// `currentmove A--B(t)`
    pub(super) fn current_move(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (dash, _) = self.dash_after(start.of(self.source))?;
        let ty = dash.target.as_ref().map_or(Type::Condition, |t| t.ty);
        let span = self.since(start);
        Ok(self.make(Ast::Dash(Box::new(dash), DashUse::Current), ty, span))
    }

    /// `legal A--B`, `pseudolegal A--B`: the squares reached.
    pub(super) fn legal(&mut self, count: bool) -> Parse<Expr> {
        let start = self.here();
        let pseudo = self.is(TokenKind::Word, "pseudolegal");
        self.at += 1;
        let (dash, dash_span) = self.dash_after(start.of(self.source))?;
        self.check_legal(&dash, dash_span);
        let span = self.since(start);
        let ty = if count { Type::Number } else { Type::Set };
        Ok(self.make(
            Ast::Dash(Box::new(dash), DashUse::Legal { pseudo, count }),
            ty,
            span,
        ))
    }

    /// A move that was not played leads to no position, so its target can only name its kind.
    fn check_legal(&mut self, dash: &Dash, span: Span) {
        use Simple::{Castle, EnPassant, LongCastle, ShortCastle};
        let plain = match dash.target.as_ref().map(|t| &t.kind) {
            None => true,
            Some(Ast::Simple(kind)) => {
                matches!(kind, Castle | ShortCastle | LongCastle | EnPassant)
            }
            Some(_) => false,
        };
        if !plain {
            let message = "the target of a legal move can only be o-o, o-o-o, castle or enpassant";
            let help = "to look at the position after the move write ‘move legal … : filter’";
            self.complain(Diagnostic::new(span, message).help(help));
        }
    }

    /// `countmoves --`, `countmoves legal --`
    pub(super) fn count_moves(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        if self.is(TokenKind::Word, "legal") || self.is(TokenKind::Word, "pseudolegal") {
            let mut e = self.legal(true)?;
            e.span = self.since(start);
            return Ok(e);
        }
        let (dash, _) = self.dash_after("countmoves")?;
        let span = self.since(start);
        Ok(self.make(
            Ast::Dash(Box::new(dash), DashUse::Count),
            Type::Number,
            span,
        ))
    }
}
