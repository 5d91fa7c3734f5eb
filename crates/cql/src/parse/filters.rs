//! Filters that begin with a word.

use super::{Parse, Parser, level};
use crate::ast::{
    Bound, Expr, ExprKind as Ast, Infix, PinPart, Prefix, Range, Simple, Transform, Type,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::{Token, TokenKind};
use crate::words;

/// The eight directions, a bit each, clockwise from north.
pub(crate) mod dir {
    pub const N: u8 = 1;
    pub const NE: u8 = 2;
    pub const E: u8 = 4;
    pub const SE: u8 = 8;
    pub const S: u8 = 16;
    pub const SW: u8 = 32;
    pub const W: u8 = 64;
    pub const NW: u8 = 128;
    pub const ALL: u8 = 255;
}

fn directions(word: &str) -> Option<u8> {
    use dir::*;
    Some(match word {
        "up" => N,
        "down" => S,
        "left" => W,
        "right" => E,
        "northeast" => NE,
        "northwest" => NW,
        "southeast" => SE,
        "southwest" => SW,
        "horizontal" => E | W,
        "vertical" => N | S,
        "orthogonal" => N | S | E | W,
        "diagonal" => NE | NW | SE | SW,
        "maindiagonal" => NE | SW,
        "offdiagonal" => NW | SE,
        "anydirection" => ALL,
        _ => return None,
    })
}

fn simple(word: &str) -> Option<(Simple, Type)> {
    use Simple::*;
    let condition = match word {
        "true" => True,
        "false" => False,
        "check" => Check,
        "mate" => Mate,
        "stalemate" => Stalemate,
        "wtm" => Wtm,
        "btm" => Btm,
        "initial" => Initial,
        "terminal" => Terminal,
        "mainline" => Mainline,
        "variation" => Variation,
        "virtualmainline" => VirtualMainline,
        "primary" => Primary,
        "secondary" => Secondary,
        "castle" => Castle,
        "o-o" => ShortCastle,
        "o-o-o" => LongCastle,
        "enpassant" => EnPassant,
        "nullmove" => NullMove,
        "try" => Try,
        "removecomment" => RemoveComment,
        "pathdebug" => True,
        "legalposition" => LegalPosition,
        "reachableposition" => ReachablePosition,
        "variantwin" => VariantWin,
        "variantloss" => VariantLoss,
        "variantend" => VariantEnd,
        "variantdraw" => VariantDraw,
        "cql_hhdbhascook" => Cooked,
        _ => return simple_value(word),
    };
    Some((condition, Type::Condition))
}

fn simple_value(word: &str) -> Option<(Simple, Type)> {
    use Simple::*;
    Some(match word {
        "ply" => (Ply, Type::Number),
        "movenumber" => (MoveNumber, Type::Number),
        "depth" => (Depth, Type::Number),
        "positionid" => (PositionId, Type::Number),
        "gamenumber" => (GameNumber, Type::Number),
        "lastgamenumber" => (LastGameNumber, Type::Number),
        "sidetomove" => (SideToMove, Type::Number),
        "white" => (White, Type::Number),
        "black" => (Black, Type::Number),
        "pathcount" => (PathCount, Type::Number),
        "pathcountunfocused" => (PathCountUnfocused, Type::Number),
        "year" => (Year, Type::Number),
        "halfmoveclock" => (HalfMoveClock, Type::Number),
        "currentposition" | "curpos" => (CurrentPosition, Type::Position),
        "parent" => (Parent, Type::Position),
        "initialposition" => (InitialPosition, Type::Position),
        "pathstart" => (PathStart, Type::Position),
        "pathlastposition" => (PathLastPosition, Type::Position),
        "saveposition" => (SavePosition, Type::Position),
        "from" => (From, Type::Set),
        "to" => (To, Type::Set),
        "enpassantsquare" => (EnPassantSquare, Type::Set),
        "connectedpawns" => (ConnectedPawns, Type::Set),
        "isolatedpawns" => (IsolatedPawns, Type::Set),
        "doubledpawns" => (DoubledPawns, Type::Set),
        "passedpawns" => (PassedPawns, Type::Set),
        "puremate" => (PureMate, Type::Set),
        "modelmate" => (ModelMate, Type::Set),
        "idealmate" => (IdealMate, Type::Set),
        "purestalemate" => (PureStalemate, Type::Set),
        "modelstalemate" => (ModelStalemate, Type::Set),
        "idealstalemate" => (IdealStalemate, Type::Set),
        "promotedpieces" => (PromotedPieces, Type::Set),
        "currenttransform" => (CurrentTransform, Type::Text),
        "currentmutation" => (CurrentMutation, Type::Text),
        "variant" => (Variant, Type::Text),
        "zobristkey" => (ZobristKey, Type::Text),
        "castlingrights" => (CastlingRights, Type::Text),
        _ => return None,
    })
}

/// Operators written as a word before their operand: operand's level, its type, the result's type.
fn word_prefix(word: &str) -> Option<(Prefix, u8, Type, Type)> {
    use Type::*;
    Some(match word {
        "light" => (Prefix::Light, level::AT, Set, Set),
        "dark" => (Prefix::Dark, level::AT, Set, Set),
        "power" => (Prefix::Power, level::DASH, Set, Number),
        "type" => (Prefix::Type, level::DASH, Set, Number),
        "colortype" => (Prefix::ColorType, level::DASH, Set, Number),
        "typename" => (Prefix::TypeName, level::DASH, Set, Text),
        "piecename" => (Prefix::PieceName, level::DASH, Set, Text),
        "pieceid" => (Prefix::PieceId, level::DASH, Set, Number),
        "rank" => (Prefix::Rank, level::DASH, Set, Number),
        "file" => (Prefix::File, level::DASH, Set, Number),
        "abs" => (Prefix::Abs, level::ADD, Number, Number),
        "sqrt" => (Prefix::Sqrt, level::ADD, Number, Number),
        "int" => (Prefix::Int, level::ADD, Text, Number),
        "uppercase" => (Prefix::Uppercase, level::MULTIPLY, Text, Text),
        "lowercase" => (Prefix::Lowercase, level::MULTIPLY, Text, Text),
        "readfile" => (Prefix::ReadFile, level::ADD, Text, Text),
        "position" => (Prefix::Position, level::ADD, Number, Position),
        _ => return None,
    })
}

/// Words with two arguments in parentheses: their types, and that of the result.
fn word_pair(word: &str) -> Option<(Infix, Type, Type)> {
    Some(match word {
        "ancestor" => (Infix::Ancestor, Type::Position, Type::Condition),
        "descendant" => (Infix::Descendant, Type::Position, Type::Condition),
        "lca" => (Infix::Lca, Type::Position, Type::Position),
        "distance" => (Infix::Distance, Type::Position, Type::Number),
        "between" => (Infix::Between, Type::Set, Type::Set),
        "indexof" => (Infix::IndexOf, Type::Text, Type::Number),
        "equal" => (Infix::Equal, Type::Unknown, Type::Condition),
        "writefile" => (Infix::WriteFile, Type::Text, Type::Condition),
        _ => return None,
    })
}

pub(super) fn transform(word: &str) -> Option<Transform> {
    Some(match word {
        "flip" | "dihedral" | "flipdihedral" => Transform::Flip,
        "flipvertical" => Transform::FlipVertical,
        "fliphorizontal" => Transform::FlipHorizontal,
        "flipcolor" => Transform::FlipColor,
        "reversecolor" => Transform::ReverseColor,
        "rotate90" => Transform::Rotate90,
        "rotate45" => Transform::Rotate45,
        "shift" => Transform::Shift,
        "shifthorizontal" => Transform::ShiftHorizontal,
        "shiftvertical" => Transform::ShiftVertical,
        _ => return None,
    })
}

/// The replacements of words of older versions.
fn retired(word: &str) -> Option<&'static str> {
    Some(match word {
        "any" => "write ‘.’ for any square",
        "on" => "write ‘&’",
        "lightsquares" => "write ‘light .’",
        "darksquares" => "write ‘dark .’",
        "next" | "next2" | "previous2" => "write a ‘line’ filter",
        "pgn" => "write ‘input’",
        _ => return None,
    })
}

impl<'s> Parser<'s> {
    pub(super) fn word(&mut self, token: Token<'s>) -> Parse<Expr> {
        let word = token.text;
        if self.at_assignment() {
            return self.assignment(false);
        }
        if self.at_element() {
            return self.element();
        }
        let soft = words::SOFT.contains(&word);
        if soft && self.known(word)
            || !soft && !words::is_reserved(word) && !word.starts_with("cql_")
        {
            if !self.known(word)
                && let Some(help) = retired(word)
            {
                let message = format!("‘{word}’ is no longer part of the language");
                return Err(self.stop_with(token.span, message, help));
            }
            return self.named(word);
        }
        if let Some((simple, ty)) = simple(word) {
            return Ok(self.take(Ast::Simple(simple), ty));
        }
        if let Some((op, level, takes, gives)) = word_prefix(word) {
            return self.prefix(op, level, takes, gives);
        }
        if let Some((op, takes, gives)) = word_pair(word) {
            return self.pair(op, takes, gives);
        }
        if let Some(dirs) = directions(word) {
            return self.step(dirs);
        }
        if let Some(which) = transform(word) {
            return self.transform(which);
        }
        self.keyword(word, token.span)
    }

    fn keyword(&mut self, word: &str, span: Span) -> Parse<Expr> {
        match word {
            "not" => self.not(),
            "child" => self.child(),
            "makesquare" => self.make_square(),
            "max" | "min" => self.extreme(word == "max"),
            "ray" | "xray" => self.ray(word == "xray"),
            "pin" => self.pin(),
            "if" => self.if_filter(),
            "while" => self.while_filter(),
            "loop" => self.wrap(Prefix::Loop, Type::Condition),
            "assert" => self.wrap(Prefix::Assert, Type::Condition),
            "notransform" => self.no_transform(),
            "find" => self.find(),
            "echo" => self.echo(),
            "consecutivemoves" => self.consecutive_moves(),
            "sort" => self.sort(),
            "piece" => self.piece(),
            "square" => self.square(),
            "string" => self.each_string(),
            "persistent" | "atomic" => self.marked_assignment(),
            "dictionary" | "local" => self.dictionary(),
            "unbind" => self.unbind(),
            "isbound" | "isunbound" => self.is_bound(),
            "function" => self.function(),
            "move" => self.move_filter(),
            "currentmove" | "previous" => self.current_move(),
            "legal" | "pseudolegal" => self.legal(false),
            "countmoves" => self.count_moves(),
            "line" => self.line(),
            "path" => self.path(),
            _ => self.text_keyword(word, span),
        }
    }

    /// `f(a b)` where both arguments have the same type.
    fn pair(&mut self, op: Infix, takes: Type, gives: Type) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let name = start.of(self.source).to_owned();
        self.need("(", &format!("after ‘{name}’"))?;
        let first = self.typed(level::OR, takes, &format!("the first argument of ‘{name}’"))?;
        self.eat_symbol(",");
        let second = self.typed(
            level::OR,
            takes,
            &format!("the second argument of ‘{name}’"),
        )?;
        self.need(")", &format!("after the two arguments of ‘{name}’"))?;
        let span = self.since(start);
        Ok(self.make(
            Ast::Infix(op, Box::new(first), Box::new(second)),
            gives,
            span,
        ))
    }

    fn not(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let operand = self.any(level::IN, "the operand of ‘not’")?;
        self.check_condition(&operand);
        let span = self.since(start);
        Ok(self.make(
            Ast::Prefix(Prefix::Not, Box::new(operand)),
            Type::Condition,
            span,
        ))
    }

    fn wrap(&mut self, op: Prefix, ty: Type) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let operand = self.any(
            level::OR,
            &format!("the filter after ‘{}’", start.of(self.source)),
        )?;
        self.check_condition(&operand);
        let span = self.since(start);
        Ok(self.make(Ast::Prefix(op, Box::new(operand)), ty, span))
    }

    fn no_transform(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let operand = self.any(level::OR, "the filter after ‘notransform’")?;
        let (ty, span) = (operand.ty, self.since(start));
        Ok(self.make(
            Ast::Prefix(Prefix::NoTransform, Box::new(operand)),
            ty,
            span,
        ))
    }

    /// `child`, `child(n)`
    fn child(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let which = if self.eat_symbol("(") {
            let n = self.typed(level::ADD, Type::Number, "the number of the child")?;
            self.need(")", "after the number of the child")?;
            n
        } else {
            self.make(Ast::Number(0), Type::Number, start)
        };
        let span = self.since(start);
        Ok(self.make(
            Ast::Prefix(Prefix::Child, Box::new(which)),
            Type::Position,
            span,
        ))
    }

    /// `makesquare "e4"`, `makesquare(file rank)`
    fn make_square(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let parenthesis = self.eat_symbol("(");
        let first = self.any(level::ADD, "the name of the square, or its file and rank")?;
        if first.ty == Type::Text {
            if parenthesis {
                self.need(")", "after the name of the square")?;
            }
            let span = self.since(start);
            return Ok(self.make(
                Ast::Prefix(Prefix::MakeSquare, Box::new(first)),
                Type::Set,
                span,
            ));
        }
        if !parenthesis {
            return Err(self.stop_with(
                first.span,
                "file and rank stand in parentheses",
                "‘makesquare(file rank)’",
            ));
        }
        let first = self.want(first, Type::Number, "the file");
        self.eat_symbol(",");
        let second = self.typed(level::ADD, Type::Number, "the rank")?;
        self.need(")", "after file and rank")?;
        let span = self.since(start);
        Ok(self.make(
            Ast::Infix(Infix::MakeSquare, Box::new(first), Box::new(second)),
            Type::Set,
            span,
        ))
    }

    fn extreme(&mut self, max: bool) -> Parse<Expr> {
        let start = self.here();
        let name = start.of(self.source).to_owned();
        self.at += 1;
        self.need("(", &format!("after ‘{name}’"))?;
        let mut args = Vec::new();
        while self.starts_filter() {
            args.push(self.expr(level::ADD)?);
            self.eat_symbol(",");
        }
        self.need(")", &format!("after the arguments of ‘{name}’"))?;
        let span = self.since(start);
        if args.len() < 2 {
            return Err(self.stop(span, format!("‘{name}’ takes at least two arguments")));
        }
        let ty = if args[0].ty == Type::Text {
            Type::Text
        } else {
            Type::Number
        };
        let role = format!("every argument of ‘{name}’ here");
        let args = args.into_iter().map(|a| self.want(a, ty, &role)).collect();
        Ok(self.make(Ast::Extreme { max, args }, ty, span))
    }

    /// `up [range] S`
    fn step(&mut self, dirs: u8) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let range = self.range().unwrap_or(Range::constant(1, 7));
        let role = format!("the operand of ‘{}’", start.of(self.source));
        let of = Box::new(self.typed(level::AT, Type::Set, &role)?);
        let span = self.since(start);
        Ok(self.make(Ast::Step { dirs, range, of }, Type::Set, span))
    }

    fn transform(&mut self, which: Transform) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let count = if which == Transform::ReverseColor {
            None
        } else {
            self.range()
        };
        let body = match count {
            Some(_) => self.counted()?,
            None => self.any(
                level::OR,
                &format!("the filter after ‘{}’", start.of(self.source)),
            )?,
        };
        if which == Transform::Rotate45 {
            self.check_rotate45(&body, start);
        }
        let ty = match (count, body.ty) {
            (Some(_), _) => Type::Number,
            (None, Type::Set | Type::Number | Type::Unknown) => body.ty,
            (None, _) => Type::Condition,
        };
        let span = self.since(start);
        Ok(self.make(
            Ast::Transform {
                which,
                count,
                body: Box::new(body),
            },
            ty,
            span,
        ))
    }

    /// The operand of a counting transform: `flip count check == 2` compares the count, because
    /// `check` has no value to compare.
    fn counted(&mut self) -> Parse<Expr> {
        self.nested(|p| {
            let mut left = p.any(level::AT, "the operand of ‘count’")?;
            while let Some(strength) = p.operator(&left) {
                let applies = match strength {
                    level::COMPARE => left.ty != Type::Condition,
                    level::ADD | level::MULTIPLY => !matches!(left.ty, Type::Condition | Type::Set),
                    _ => true,
                };
                if !applies {
                    break;
                }
                left = p.combine(left, strength)?;
            }
            Ok(left)
        })
    }

    /// An eighth of a turn applies to directions, not to squares.
    fn check_rotate45(&mut self, body: &Expr, start: Span) {
        let mut found = None;
        crate::parse::walk(body, &mut |e| {
            let fixed = match &e.kind {
                Ast::Designator(d) => d.squares != !0,
                Ast::Prefix(Prefix::Light | Prefix::Dark, _) => true,
                _ => false,
            };
            if fixed && found.is_none() {
                found = Some(e.span);
            }
        });
        if let Some(span) = found {
            let message = "‘rotate45’ cannot turn particular squares or their colours";
            let help = format!(
                "only directions can be turned by ‘{}’",
                start.of(self.source)
            );
            self.complain(Diagnostic::new(span, message).help(help));
        }
    }

    /// One or two numbers or number variables, or `count`.
    pub(super) fn range(&mut self) -> Option<Range> {
        if self.eat_word("count") {
            return Some(Range::ANY);
        }
        let min = self.bound()?;
        let max = self.bound().unwrap_or(min);
        Some(Range { min, max })
    }

    /// A number or number variable that is not part of a larger expression.
    fn bound(&mut self) -> Option<Bound> {
        let start = self.at;
        let negative = self.eat_symbol("-");
        let bound = match self.token()?.kind {
            TokenKind::Number(n) => Some(Bound::Number(if negative { -n } else { n })),
            TokenKind::Word if !negative => {
                let id = self.name_here().and_then(|name| self.names.find(name));
                id.filter(|&id| self.names.get(id).ty == Type::Number)
                    .map(Bound::Variable)
            }
            _ => None,
        };
        self.at += 1;
        let stands_alone = self.token().is_none_or(|t| match t.kind {
            TokenKind::Symbol => matches!(
                t.text,
                "(" | "{" | "-->" | "<--" | ")" | "}" | "~" | "." | "#" | "[]" | "[forall]"
            ),
            TokenKind::Word => !matches!(t.text, "or" | "and" | "in" | "attacks" | "attackedby"),
            _ => true,
        });
        if bound.is_none() || !stands_alone {
            self.at = start;
            return None;
        }
        bound
    }

    /// `ray up right (S1 S2)`, `xray (S1 S2)`
    fn ray(&mut self, xray: bool) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut attack = xray;
        let mut dirs = 0;
        if !xray && (self.eat_word("attack") || self.eat_word("attacks")) {
            attack = true;
        }
        while !attack
            && let Some(more) = self
                .token()
                .filter(|t| t.kind == TokenKind::Word)
                .and_then(|t| directions(t.text))
        {
            dirs |= more;
            self.at += 1;
        }
        self.need("(", "before the sets of the ray")?;
        let sets = self.filters();
        self.need(")", "after the sets of the ray")?;
        let span = self.since(start);
        if sets.len() < 2 {
            return Err(self.stop(span, "a ray needs at least two sets"));
        }
        let sets = sets
            .into_iter()
            .map(|s| self.want(s, Type::Set, "each part of a ray"))
            .collect();
        let dirs = if dirs == 0 { dir::ALL } else { dirs };
        Ok(self.make(Ast::Ray { dirs, attack, sets }, Type::Set, span))
    }

    /// `pin [from A] [through B] [to C]`; its value is the squares of the part named first.
    fn pin(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (mut from, mut through, mut to, mut value) = (None, None, None, None);
        loop {
            let word = self.here();
            let (slot, part) = match self.token().map_or("", |t| t.text) {
                "from" => (&mut from, PinPart::From),
                "through" => (&mut through, PinPart::Through),
                "to" => (&mut to, PinPart::To),
                _ => break,
            };
            if slot.is_some() {
                return Err(self.stop(word, "this part of the pin is given twice"));
            }
            self.at += 1;
            let set = self.typed(
                level::AT,
                Type::Set,
                &format!("the operand of ‘{}’", word.of(self.source)),
            )?;
            *slot = Some(Box::new(set));
            value.get_or_insert(part);
        }
        let span = self.since(start);
        let value = value.unwrap_or(PinPart::Through);
        Ok(self.make(
            Ast::Pin {
                from,
                through,
                to,
                value,
            },
            Type::Set,
            span,
        ))
    }

    fn if_filter(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let test = self.any(level::OR, "the condition after ‘if’")?;
        self.eat_word("then");
        let then = self.any(level::OR, "the branch of ‘if’")?;
        let otherwise = if self.eat_word("else") {
            Some(Box::new(self.any(level::OR, "the operand of ‘else’")?))
        } else {
            None
        };
        let ty = match &otherwise {
            Some(e) if e.ty.fits(then.ty) => {
                if e.ty == Type::Unknown {
                    then.ty
                } else {
                    e.ty
                }
            }
            _ => Type::Condition,
        };
        let span = self.since(start);
        Ok(self.make(
            Ast::If {
                test: Box::new(test),
                then: Box::new(then),
                otherwise,
            },
            ty,
            span,
        ))
    }

    /// `while (F) G`; with a regular expression as `F`, once for each match.
    fn while_filter(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        self.need("(", "after ‘while’")?;
        let parenthesised = self.is_symbol("(") || self.is_symbol("{");
        let test = self.any(level::OR, "the condition of ‘while’")?;
        self.need(")", "after the condition of ‘while’")?;
        let body = Box::new(self.any(level::OR, "the body of ‘while’")?);
        let span = self.since(start);
        let kind = match test.kind {
            Ast::Infix(Infix::Match, text, pattern) if !parenthesised => Ast::WhileMatch {
                text,
                pattern,
                body,
            },
            _ => Ast::While {
                test: Box::new(test),
                body,
            },
        };
        Ok(self.make(kind, Type::Condition, span))
    }

    fn find(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let (mut quiet, mut back, mut all, mut count) = (false, false, false, None);
        loop {
            if self.eat_word("quiet") {
                quiet = true;
            } else if self.eat_word("all") {
                all = true;
            } else if self.eat_symbol("<--") {
                back = true;
            } else if let Some(range) = (count.is_none() && !all).then(|| self.range()).flatten() {
                count = Some(range);
            } else {
                break;
            }
        }
        if all && count.is_some() {
            return Err(self.stop(self.since(start), "‘find’ takes either ‘all’ or a range"));
        }
        let count = if all {
            Some(Range::constant(1, i64::MAX))
        } else {
            count
        };
        let body = self.any(level::OR, "the filter after ‘find’")?;
        self.check_condition(&body);
        let ty = if count.is_some() {
            Type::Number
        } else {
            Type::Position
        };
        let span = self.since(start);
        Ok(self.make(
            Ast::Find {
                quiet,
                back,
                count,
                body: Box::new(body),
            },
            ty,
            span,
        ))
    }

    /// `echo (source target) [in all] F`
    fn echo(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let quiet = self.eat_word("quiet");
        self.need("(", "before the two variables of ‘echo’")?;
        let (first, first_span) = self.expect_name("the source position")?;
        let source = self.declare(first, first_span, Type::Position, false);
        let (second, second_span) = self.expect_name("the target position")?;
        let target = self.declare(second, second_span, Type::Position, false);
        if first == second {
            return Err(self.stop(second_span, "the two variables of ‘echo’ must differ"));
        }
        self.need(")", "after the two variables of ‘echo’")?;
        let all = self.is(TokenKind::Word, "in") && self.ahead(1).is_some_and(|t| t.text == "all");
        self.at += 2 * usize::from(all);
        let body = self.any(level::OR, "the filter after ‘echo(…)’")?;
        let ty = if body.ty == Type::Number {
            Type::Number
        } else {
            Type::Condition
        };
        let span = self.since(start);
        Ok(self.make(
            Ast::Echo {
                quiet,
                source,
                target,
                all,
                body: Box::new(body),
            },
            ty,
            span,
        ))
    }

    fn consecutive_moves(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut quiet = self.eat_word("quiet");
        let range = self.range();
        quiet |= self.eat_word("quiet");
        self.need("(", "after ‘consecutivemoves’")?;
        let left = Box::new(self.typed(level::OR, Type::Position, "the first position")?);
        let right = Box::new(self.typed(level::OR, Type::Position, "the second position")?);
        self.need(")", "after the two positions")?;
        let span = self.since(start);
        Ok(self.make(
            Ast::Consecutive {
                quiet,
                range,
                left,
                right,
            },
            Type::Number,
            span,
        ))
    }
}
