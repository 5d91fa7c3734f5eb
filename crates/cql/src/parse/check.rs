//! The type rules: the operands and result of each operator.

use super::{Parse, Parser, level};
use crate::ast::{Compare, Expr, ExprKind as Ast, Infix, Prefix, Simple, Type};
use crate::diagnostic::Diagnostic;

/// The comparison of a sign.
pub(super) fn comparison(symbol: &str) -> Option<Compare> {
    Some(match symbol {
        "<" => Compare::Less,
        "<=" => Compare::LessEqual,
        ">" => Compare::Greater,
        ">=" => Compare::GreaterEqual,
        "==" => Compare::Equal,
        "!=" => Compare::NotEqual,
        "[<]" => Compare::Above,
        "[<=]" => Compare::AboveEqual,
        "[>]" => Compare::Below,
        "[>=]" => Compare::BelowEqual,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Reports an error unless `e` is of type `ty`; `role` names its use.
    pub(super) fn want(&mut self, mut e: Expr, ty: Type, role: &str) -> Expr {
        if !e.ty.fits(ty) {
            let message = format!("{role} must be {}, found {}", ty.name(), e.ty.name());
            self.complain(Diagnostic::new(e.span, message));
            e.ty = Type::Unknown;
        }
        e
    }

    /// A filter of type `ty` made with operators at least as tight as `level`.
    pub(super) fn typed(&mut self, level: u8, ty: Type, role: &str) -> Parse<Expr> {
        if !self.starts_filter() {
            let message = format!(
                "{role} is missing: expected {}, found {}",
                ty.name(),
                self.found()
            );
            return Err(self.stop(self.here(), message));
        }
        let e = self.expr(level)?;
        Ok(self.want(e, ty, role))
    }

    pub(super) fn any(&mut self, level: u8, role: &str) -> Parse<Expr> {
        if !self.starts_filter() {
            return Err(self.stop(
                self.here(),
                format!("{role} is missing: found {}", self.found()),
            ));
        }
        self.expr(level)
    }

    /// Reports a bare number or text as a condition, which is a mistake.
    pub(super) fn check_condition(&mut self, e: &Expr) {
        let slip = match &e.kind {
            Ast::Number(_) | Ast::Text(_) => true,
            Ast::Infix(op, ..) => {
                matches!(
                    op,
                    Infix::Add
                        | Infix::Subtract
                        | Infix::Multiply
                        | Infix::Divide
                        | Infix::Remainder
                )
            }
            Ast::Prefix(op, _) => matches!(op, Prefix::Negate),
            Ast::Simple(simple) => {
                matches!(simple, Simple::SideToMove | Simple::White | Simple::Black)
            }
            Ast::Sequence(filters) => {
                if let Some(last) = filters.last() {
                    self.check_condition(last);
                }
                false
            }
            _ => false,
        };
        if slip {
            let message = format!("{} is not a condition", e.ty.name());
            self.complain(
                Diagnostic::new(e.span, message).help("compare it with something, as in ‘… == 2’"),
            );
        }
    }

    fn binary(&mut self, op: Infix, left: Expr, right: Expr, ty: Type) -> Expr {
        let span = left.span.to(right.span);
        self.make(Ast::Infix(op, Box::new(left), Box::new(right)), ty, span)
    }

    pub(super) fn prefix(
        &mut self,
        op: Prefix,
        level: u8,
        takes: Type,
        gives: Type,
    ) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let role = format!("the operand of ‘{}’", start.of(self.source));
        let operand = self.typed(level, takes, &role)?;
        let span = self.since(start);
        Ok(self.make(Ast::Prefix(op, Box::new(operand)), gives, span))
    }

    /// `a or b or c`, `a and b and c`.
    pub(super) fn chain(&mut self, left: Expr, word: &str, tighter: u8) -> Parse<Expr> {
        let mut parts = vec![left];
        while self.eat_word(word) {
            parts.push(self.any(tighter, &format!("the right side of ‘{word}’"))?);
        }
        for part in &parts {
            self.check_condition(part);
        }
        let span = self.since(parts[0].span);
        let kind = if word == "or" {
            Ast::Or(parts)
        } else {
            Ast::And(parts)
        };
        Ok(self.make(kind, Type::Condition, span))
    }

    /// `A | B | C`
    pub(super) fn set_chain(&mut self, left: Expr, symbol: &str, tighter: u8) -> Parse<Expr> {
        let start = left.span;
        let mut parts = vec![self.want(left, Type::Set, "the left side of ‘|’")];
        while self.eat_symbol(symbol) {
            parts.push(self.typed(tighter, Type::Set, "the right side of ‘|’")?);
        }
        let span = self.since(start);
        Ok(self.make(Ast::Union(parts), Type::Set, span))
    }

    /// `A & B` of sets; of two positions, the squares with equal contents.
    pub(super) fn meet(&mut self, left: Expr) -> Parse<Expr> {
        let start = left.span;
        if left.ty == Type::Position {
            self.at += 1;
            let right = self.typed(
                level::ATTACK,
                Type::Position,
                "the right side of ‘&’ after a position",
            )?;
            return Ok(self.binary(Infix::SameSquares, left, right, Type::Set));
        }
        let mut parts = vec![self.want(left, Type::Set, "the left side of ‘&’")];
        while self.eat_symbol("&") {
            parts.push(self.typed(level::ATTACK, Type::Set, "the right side of ‘&’")?);
        }
        let span = self.since(start);
        Ok(self.make(Ast::Meet(parts), Type::Set, span))
    }

    /// `A in B` of sets or of texts.
    pub(super) fn inclusion(&mut self, left: Expr) -> Parse<Expr> {
        self.at += 1;
        if left.ty == Type::Text {
            let right = self.typed(
                level::COMPARE,
                Type::Text,
                "the right side of ‘in’ after a text",
            )?;
            let span = left.span.to(right.span);
            let kind = Ast::Contains {
                text: Box::new(right),
                part: Box::new(left),
                param: None,
            };
            return Ok(self.make(kind, Type::Condition, span));
        }
        let left = self.want(left, Type::Set, "the left side of ‘in’");
        let right = self.typed(level::DASH, Type::Set, "the right side of ‘in’ after a set")?;
        Ok(self.binary(Infix::In, left, right, Type::Condition))
    }

    /// Comparisons chain to the right and have the value of their left side.
    pub(super) fn comparison(&mut self, left: Expr) -> Parse<Expr> {
        let sign = self.here();
        let Some(op) = self.token().and_then(|t| comparison(t.text)) else {
            return Err(super::Stop);
        };
        self.at += 1;
        let right = self.any(level::COMPARE, "the right side of the comparison")?;
        Ok(self.compare(op, left, right, sign.of(self.source)))
    }

    fn compare(&mut self, op: Compare, left: Expr, right: Expr, sign: &str) -> Expr {
        let by_ancestry = matches!(
            op,
            Compare::Above | Compare::AboveEqual | Compare::Below | Compare::BelowEqual
        );
        if by_ancestry {
            let left = self.want(left, Type::Position, &format!("the left side of ‘{sign}’"));
            let right = self.want(
                right,
                Type::Position,
                &format!("the right side of ‘{sign}’"),
            );
            return self.binary(Infix::Compare(op), left, right, Type::Position);
        }
        let equality = matches!(op, Compare::Equal | Compare::NotEqual);
        let ty = match (left.ty, right.ty) {
            (Type::Unknown, _) | (_, Type::Unknown) => Type::Unknown,
            (Type::Set, Type::Set) if equality => Type::Condition,
            (Type::Number | Type::Set, Type::Number | Type::Set) => Type::Number,
            (Type::Text, Type::Text) => Type::Text,
            (Type::Position, Type::Position) => Type::Position,
            (l, r) => {
                let message = format!("‘{sign}’ cannot compare {} with {}", l.name(), r.name());
                let span = left.span.to(right.span);
                self.complain(Diagnostic::new(span, message));
                Type::Unknown
            }
        };
        let ty = if op == Compare::NotEqual && ty != Type::Unknown {
            Type::Condition
        } else {
            ty
        };
        self.binary(Infix::Compare(op), left, right, ty)
    }

    pub(super) fn arithmetic(&mut self, left: Expr, strength: u8) -> Parse<Expr> {
        let sign = self.here().of(self.source).to_owned();
        self.at += 1;
        let right = self.any(strength + 1, &format!("the right side of ‘{sign}’"))?;
        Ok(self.calculate(&sign, left, right))
    }

    pub(super) fn calculate(&mut self, sign: &str, left: Expr, right: Expr) -> Expr {
        let op = match sign {
            "+" => Infix::Add,
            "-" => Infix::Subtract,
            "*" => Infix::Multiply,
            "/" => Infix::Divide,
            _ => Infix::Remainder,
        };
        let ty = if op == Infix::Add && left.ty == Type::Text {
            Type::Text
        } else {
            Type::Number
        };
        let left = self.want(left, ty, &format!("the left side of ‘{sign}’"));
        let role = format!("the right side of ‘{sign}’ after {}", ty.name());
        let right = self.want(right, ty, &role);
        self.binary(op, left, right, ty)
    }

    pub(super) fn attack(&mut self, left: Expr) -> Parse<Expr> {
        let attacks = !self.eat_word("attackedby");
        self.at += usize::from(attacks);
        let left = self.want(left, Type::Set, "the left side of an attack");
        let right = self.typed(level::POSTFIX, Type::Set, "the right side of an attack")?;
        let op = if attacks {
            Infix::Attacks
        } else {
            Infix::AttackedBy
        };
        Ok(self.binary(op, left, right, Type::Set))
    }

    /// `A -> B -> C` or `A <- B <- C`.
    pub(super) fn arrows(&mut self, left: Expr) -> Parse<Expr> {
        let start = left.span;
        let right = self.is_symbol("->");
        let arrow = if right { "->" } else { "<-" };
        let mut sets = vec![self.want(left, Type::Set, "the left side of an arrow")];
        while self.eat_symbol(arrow) {
            sets.push(self.typed(level::UNION, Type::Set, "what an arrow points to")?);
        }
        let span = self.since(start);
        Ok(self.make(Ast::Arrows { sets, right }, Type::Set, span))
    }

    /// `P : F`
    pub(super) fn at_position(&mut self, left: Expr) -> Parse<Expr> {
        if matches!(left.kind, Ast::Move(_)) {
            return self.speculate(left);
        }
        self.at += 1;
        let left = self.want(left, Type::Position, "the operand of ‘:’");
        let right = self.any(level::AT, "the filter after ‘:’")?;
        let ty = right.ty;
        Ok(self.binary(Infix::At, left, right, ty))
    }

    /// `#X` of a set, a text or a dictionary.
    pub(super) fn count(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let operand = self.any(level::DASH, "what ‘#’ counts")?;
        if !matches!(
            operand.ty,
            Type::Set | Type::Text | Type::Dictionary | Type::Unknown
        ) {
            let message = format!(
                "‘#’ counts a set, a text or a dictionary, found {}",
                operand.ty.name()
            );
            self.complain(Diagnostic::new(operand.span, message));
        }
        let span = self.since(start);
        Ok(self.make(
            Ast::Prefix(Prefix::Count, Box::new(operand)),
            Type::Number,
            span,
        ))
    }

    pub(super) fn negate(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let operand = self.typed(level::AT, Type::Number, "the operand of ‘-’")?;
        let span = self.since(start);
        if let Ast::Number(n) = operand.kind {
            return Ok(self.make(Ast::Number(-n), Type::Number, span));
        }
        Ok(self.make(
            Ast::Prefix(Prefix::Negate, Box::new(operand)),
            Type::Number,
            span,
        ))
    }

    /// `` `F ``: the value of `F` itself, as a value and not by name.
    pub(super) fn identity(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let operand = self.any(level::AT, "the operand of ‘`’")?;
        let (ty, span) = (operand.ty, self.since(start));
        Ok(self.make(Ast::Prefix(Prefix::Identity, Box::new(operand)), ty, span))
    }
}
