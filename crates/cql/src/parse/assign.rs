//! Variables: assignment, pieces and squares in turn, dictionaries.

use super::{Parse, Parser, level, names::variable};
use crate::ast::{Expr, ExprKind as Ast, Slice, Type, VarId, Variable};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::TokenKind;

const ASSIGNING: &[&str] = &["=", "=?", "+=", "-=", "*=", "/=", "%=", "|=", "&="];

impl<'s> Parser<'s> {
    /// Whether a name and an assignment sign come next.
    pub(super) fn at_assignment(&self) -> bool {
        self.name_here().is_some()
            && self
                .ahead(1)
                .is_some_and(|t| t.kind == TokenKind::Symbol && ASSIGNING.contains(&t.text))
    }

    /// Whether `name [element] …` comes next.
    pub(super) fn at_element(&self) -> bool {
        self.name_here().is_some()
            && self
                .ahead(1)
                .is_some_and(|t| t.kind == TokenKind::Symbol && t.text == "[element]")
    }

    /// `persistent [quiet] x op v`, `atomic x = v`.
    pub(super) fn marked_assignment(&mut self) -> Parse<Expr> {
        let start = self.here();
        let persistent = self.eat_word("persistent");
        let atomic = self.eat_word("atomic");
        let persistent = persistent || self.eat_word("persistent");
        let quiet = persistent && self.eat_word("quiet");
        if persistent && atomic {
            return Err(self.stop(start, "a variable cannot be both persistent and atomic"));
        }
        if self.is(TokenKind::Word, "piece")
            || self
                .token()
                .is_some_and(|t| t.kind == TokenKind::PieceDeclaration)
        {
            return Err(self.stop(
                self.here(),
                "a piece variable can be neither atomic nor persistent",
            ));
        }
        if !self.at_assignment() {
            self.expect_no_designator()?;
            let message = format!(
                "expected an assignment after ‘{}’, found {}",
                start.of(self.source),
                self.found()
            );
            return Err(self.stop(self.here(), message));
        }
        let name = self.token().map_or("", |t| t.text);
        let is_new = self.names.find(name).is_none();
        let target = self.here();
        let mut filter = self.assignment(persistent)?;
        filter.span = self.since(start);
        if let Some(id) = self.names.find(name) {
            let known = self.names.get_mut(id);
            if persistent && !is_new && !known.persistent {
                self.complain(Diagnostic::new(
                    target,
                    format!("‘{name}’ is in use already and not persistent"),
                ));
            } else {
                known.persistent |= persistent;
                known.quiet |= quiet;
                known.atomic |= atomic;
            }
        }
        Ok(filter)
    }

    /// `x = v`, `x =? S`, `x += v`, …
    pub(super) fn assignment(&mut self, may_be_new: bool) -> Parse<Expr> {
        let start = self.here();
        let name = self.token().map_or("", |t| t.text);
        let sign = self.ahead(1).map_or("", |t| t.text);
        self.at += 2;
        let role = format!("the value for ‘{name}’");
        let value = self.any(level::ADD, &role)?;
        if matches!(value.ty, Type::Condition | Type::Dictionary) {
            let message = format!("{} cannot be assigned to ‘{name}’", value.ty.name());
            self.complain(
                Diagnostic::new(value.span, message)
                    .help("assign a number, a text, a set or a position"),
            );
        }
        let ty = if value.ty == Type::Condition {
            Type::Unknown
        } else {
            value.ty
        };
        let known = self.names.find(name);
        if known.is_none() && !matches!(sign, "=" | "=?") && !may_be_new {
            let message = format!("‘{name}’ has no value for ‘{sign}’ to change");
            self.complain(
                Diagnostic::new(start, message).help(format!("assign it first: ‘{name} = …’")),
            );
        }
        let var = self.declare(name, start, ty, false);
        if self.names.get(var).is_piece {
            self.complain(
                Diagnostic::new(start, format!("‘{name}’ is a piece variable"))
                    .help("use ‘piece x = …’"),
            );
        }
        let value = self.operated(var, name, sign, start, value);
        let span = self.since(start);
        let kind = Ast::Assign {
            var,
            value: Box::new(value),
            only_nonempty: sign == "=?",
        };
        Ok(self.make(kind, Type::Condition, span))
    }

    /// The right side of `x += v`, expanded to `x + v`.
    fn operated(&mut self, var: VarId, name: &str, sign: &str, span: Span, value: Expr) -> Expr {
        if matches!(sign, "=" | "=?") {
            return if sign == "=?" {
                self.want(value, Type::Set, &format!("the value for ‘{name} =?’"))
            } else {
                value
            };
        }
        let ty = self.names.get(var).ty;
        let old = self.make(Ast::Variable(var), ty, span);
        match sign {
            "|=" | "&=" => {
                let (old, value) = (
                    self.want(old, Type::Set, "the left side"),
                    self.want(value, Type::Set, "the right side"),
                );
                let whole = old.span.to(value.span);
                let parts = vec![old, value];
                self.make(
                    if sign == "|=" {
                        Ast::Union(parts)
                    } else {
                        Ast::Meet(parts)
                    },
                    Type::Set,
                    whole,
                )
            }
            _ => self.calculate(&sign[..1], old, value),
        }
    }

    /// Reports a variable with the name of a piece: a single letter is often a designator.
    fn expect_no_designator(&mut self) -> Parse<()> {
        let Some(TokenKind::Designator(_)) = self.token().map(|t| t.kind) else {
            return Ok(());
        };
        let name = self.here().of(self.source);
        let message = format!("‘{name}’ is a piece designator and cannot name a variable");
        Err(self.stop(self.here(), message))
    }

    /// `piece [all] x in S F`, `piece x = S`.
    pub(super) fn piece(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let all = self.eat_word("all");
        let (name, span) = self.expect_name("a piece variable")?;
        if !all && self.eat_symbol("=") {
            return self.assign_piece(start, name, span);
        }
        if !self.eat_word("in") {
            let message = format!(
                "expected ‘in’ or ‘=’ after ‘piece {name}’, found {}",
                self.found()
            );
            return Err(self.stop(self.here(), message));
        }
        self.each(start, name, span, all, true)
    }

    /// `square [all] x in S F`
    pub(super) fn square(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let all = self.eat_word("all");
        let (name, span) = self.expect_name("a square variable")?;
        if !self.eat_word("in") {
            let message = format!(
                "expected ‘in’ after ‘square {name}’, found {}",
                self.found()
            );
            return Err(self.stop(self.here(), message));
        }
        self.each(start, name, span, all, false)
    }

    /// `[Aa]x [element] S F`, `[Aa]x = S`.
    pub(super) fn piece_declaration(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (name, span) = self.expect_name("a piece variable")?;
        if self.eat_symbol("=") {
            return self.assign_piece(start, name, span);
        }
        self.need("[element]", &format!("after ‘{name}’"))?;
        self.each(start, name, span, false, true)
    }

    /// `[forall] x [element] S F`
    pub(super) fn for_all(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let is_piece = self
            .token()
            .is_some_and(|t| t.kind == TokenKind::PieceDeclaration);
        self.at += usize::from(is_piece);
        let (name, span) = self.expect_name("a variable")?;
        self.need("[element]", &format!("after ‘{name}’"))?;
        self.each(start, name, span, true, is_piece)
    }

    /// `x [element] S F`, of a set or a dictionary.
    pub(super) fn element(&mut self) -> Parse<Expr> {
        let start = self.here();
        let (name, span) = self.expect_name("a variable")?;
        self.at += 1;
        if let Some(dict) = self.dictionary_here() {
            return self.each_key(start, name, span, dict);
        }
        self.each(start, name, span, false, false)
    }

    fn dictionary_here(&self) -> Option<VarId> {
        let id = self.name_here().and_then(|n| self.names.find(n))?;
        let indexed = self
            .ahead(1)
            .is_some_and(|t| t.kind == TokenKind::Symbol && t.text == "[");
        (self.names.get(id).ty == Type::Dictionary && !indexed).then_some(id)
    }

    fn each(
        &mut self,
        start: Span,
        name: &str,
        span: Span,
        all: bool,
        is_piece: bool,
    ) -> Parse<Expr> {
        let set = self.typed(
            level::DASH,
            Type::Set,
            &format!("the set that ‘{name}’ runs over"),
        )?;
        let var = self.declare(name, span, Type::Set, is_piece);
        let body = self.any(level::OR, &format!("the filter that ‘{name}’ must satisfy"))?;
        self.check_condition(&body);
        let ty = if all { Type::Condition } else { Type::Set };
        let span = self.since(start);
        Ok(self.make(
            Ast::Each {
                var,
                all,
                set: Box::new(set),
                body: Box::new(body),
            },
            ty,
            span,
        ))
    }

    fn assign_piece(&mut self, start: Span, name: &str, span: Span) -> Parse<Expr> {
        let set = self.typed(level::DASH, Type::Set, &format!("the square for ‘{name}’"))?;
        let var = self.declare(name, span, Type::Set, true);
        let span = self.since(start);
        Ok(self.make(
            Ast::AssignPiece {
                var,
                set: Box::new(set),
            },
            Type::Condition,
            span,
        ))
    }

    // --- dictionaries ---

    /// `dictionary D`, `local dictionary D`, perhaps followed by `[k]` or `[k] = v`.
    pub(super) fn dictionary(&mut self) -> Parse<Expr> {
        let start = self.here();
        let local = self.eat_word("local");
        if !self.eat_word("dictionary") {
            return Err(self.stop(
                self.here(),
                format!(
                    "expected ‘dictionary’ after ‘local’, found {}",
                    self.found()
                ),
            ));
        }
        let (name, span) = self.expect_name("a dictionary")?;
        let id = match self.names.find(name) {
            Some(id) if self.names.get(id).ty == Type::Dictionary => id,
            Some(_) => {
                return Err(self.stop(
                    span,
                    format!("‘{name}’ is in use already and no dictionary"),
                ));
            }
            None => self.names.declare(Variable {
                persistent: !local,
                ..variable(name, Type::Dictionary)
            }),
        };
        if self.is_symbol("[") {
            return self.lookup(id, start);
        }
        let span = self.since(start);
        Ok(self.make(Ast::Variable(id), Type::Dictionary, span))
    }

    /// `D[k]` and `D[k] = v`.
    pub(super) fn lookup(&mut self, dict: VarId, start: Span) -> Parse<Expr> {
        self.at += 1;
        let key = self.any(level::OR, "the key")?;
        self.need("]", "after the key")?;
        self.entry(dict, true, &key);
        if !self.eat_symbol("=") {
            let entry = &mut self.names.get_mut(dict).entry.1;
            *entry = if *entry == Type::Unknown {
                Type::Text
            } else {
                *entry
            };
            let (ty, span) = (*entry, self.since(start));
            return Ok(self.make(
                Ast::Lookup {
                    dict,
                    key: Box::new(key),
                },
                ty,
                span,
            ));
        }
        let value = self.any(level::ADD, "the value for the key")?;
        self.entry(dict, false, &value);
        let span = self.since(start);
        Ok(self.make(
            Ast::Store {
                dict,
                key: Box::new(key),
                value: Box::new(value),
            },
            Type::Condition,
            span,
        ))
    }

    /// All keys of a dictionary have one type, and all values.
    fn entry(&mut self, dict: VarId, is_key: bool, e: &Expr) {
        let what = if is_key { "keys" } else { "values" };
        let known = self.names.get_mut(dict);
        let name = known.name.clone();
        let slot = if is_key {
            &mut known.entry.0
        } else {
            &mut known.entry.1
        };
        if matches!(e.ty, Type::Condition | Type::Dictionary) {
            let message =
                format!("the {what} of a dictionary are numbers, texts, sets or positions");
            self.complain(Diagnostic::new(e.span, message));
        } else if *slot == Type::Unknown {
            *slot = e.ty;
        } else if !slot.fits(e.ty) {
            let message = format!(
                "the {what} of ‘{name}’ are of another type: {}, found {}",
                slot.name(),
                e.ty.name()
            );
            self.complain(Diagnostic::new(e.span, message));
        }
    }

    fn each_key(&mut self, start: Span, name: &str, span: Span, dict: VarId) -> Parse<Expr> {
        self.at += 1;
        let ty = match self.names.get(dict).entry.0 {
            Type::Unknown => Type::Text,
            ty => ty,
        };
        let var = self.declare(name, span, ty, false);
        let body = self.any(level::OR, "the filter for each key")?;
        let span = self.since(start);
        Ok(self.make(
            Ast::EachKey {
                dict,
                var,
                body: Box::new(body),
            },
            Type::Condition,
            span,
        ))
    }

    /// `string k in D F`
    pub(super) fn each_string(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (name, span) = self.expect_name("a text variable")?;
        if !self.eat_word("in") {
            return Err(self.stop(
                self.here(),
                format!("expected ‘in’, found {}", self.found()),
            ));
        }
        let Some(dict) = self.dictionary_here() else {
            return Err(self.stop(
                self.here(),
                format!("expected a dictionary, found {}", self.found()),
            ));
        };
        self.each_key(start, name, span, dict)
    }

    /// `unbind x`, `unbind D`, `unbind D[k]`.
    pub(super) fn unbind(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (name, span) = self.expect_name("what to unbind")?;
        let Some(id) = self.names.find(name) else {
            return Err(self.stop(span, format!("unknown variable ‘{name}’")));
        };
        if self.names.get(id).ty == Type::Dictionary && self.eat_symbol("[") {
            let key = self.any(level::OR, "the key")?;
            self.need("]", "after the key")?;
            self.entry(id, true, &key);
            let span = self.since(start);
            return Ok(self.make(
                Ast::Forget {
                    dict: id,
                    key: Box::new(key),
                },
                Type::Condition,
                span,
            ));
        }
        let span = self.since(start);
        Ok(self.make(Ast::Unbind(id), Type::Condition, span))
    }

    /// `isbound x`, `isunbound x`; the name may be quoted.
    pub(super) fn is_bound(&mut self) -> Parse<Expr> {
        let start = self.here();
        let negated = self.is(TokenKind::Word, "isunbound");
        self.at += 1;
        let name = match self.eat_text() {
            Some(text) => text,
            None => self.expect_name("the variable in question")?.0,
        };
        let id = self.names.find(name).unwrap_or_else(|| {
            self.names.declare(Variable {
                assigned: false,
                ..variable(name, Type::Unknown)
            })
        });
        let span = self.since(start);
        let bound = self.make(Ast::IsBound(id), Type::Condition, span);
        if !negated {
            return Ok(bound);
        }
        Ok(self.make(
            Ast::Prefix(crate::ast::Prefix::Not, Box::new(bound)),
            Type::Condition,
            span,
        ))
    }

    // --- texts ---

    /// `s[i]`, `s[i:j]`, `s ~~ "re"`, and `x[i:j] = v` of a variable.
    pub(super) fn postfix(&mut self, left: Expr) -> Parse<Expr> {
        if self.is_symbol("~~") {
            return self.regex_match(left);
        }
        let start = left.span;
        self.at += 1;
        let slice = Box::new(self.slice()?);
        if let Ast::Variable(var) = left.kind
            && self.eat_symbol("=")
        {
            let value = self.typed(level::ADD, Type::Text, "the text to put there")?;
            let span = self.since(start);
            return Ok(self.make(
                Ast::AssignSlice {
                    var,
                    slice,
                    value: Box::new(value),
                },
                Type::Condition,
                span,
            ));
        }
        let left = self.want(left, Type::Text, "the operand of ‘[’");
        let span = self.since(start);
        Ok(self.make(
            Ast::Slice {
                text: Box::new(left),
                slice,
            },
            Type::Text,
            span,
        ))
    }

    fn slice(&mut self) -> Parse<Slice> {
        let from = if self.is_symbol(":") {
            None
        } else {
            Some(self.typed(level::ADD, Type::Number, "the index")?)
        };
        if !self.eat_symbol(":") {
            self.need("]", "after the index")?;
            return from.map(Slice::At).ok_or(super::Stop);
        }
        let to = if self.is_symbol("]") {
            None
        } else {
            Some(self.typed(level::ADD, Type::Number, "the second index")?)
        };
        self.need("]", "after the indices")?;
        Ok(Slice::Between(from, to))
    }
}
