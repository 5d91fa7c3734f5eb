//! Texts, tags, comments and output.

use super::{Parse, Parser, level};
use crate::ast::{Change, Expr, ExprKind as Ast, Group, Infix, Prefix, Side, Simple, Type};
use crate::diagnostic::{Diagnostic, Span};
use crate::lex::{Designator, Token, TokenKind};

impl<'s> Parser<'s> {
    pub(super) fn text_keyword(&mut self, word: &str, span: Span) -> Parse<Expr> {
        match word {
            "str" => self.str_filter(),
            "comment" => self.comment(),
            "message" => self.message(),
            "ascii" => self.ascii(),
            "player" => self.player(),
            "elo" => self.elo(),
            "event" => self.tag_word("Event"),
            "site" => self.tag_word("Site"),
            "date" => self.tag_word("Date"),
            "eventdate" => self.tag_word("EventDate"),
            "eco" => self.tag_word("ECO"),
            "round" => self.tag_word("Round"),
            "tag" => self.tag(),
            "settag" => self.set_tag(),
            "removetag" => self.remove_tag(),
            "result" => self.result(),
            "fen" => self.fen(),
            "originalcomment" | "hascomment" => self.original_comment(),
            "hhdb" => self.hhdb(),
            "similarposition" => self.similar_position(),
            "imagine" => self.imagine(),
            "pipe" => self.pipe(),
            "outputfile" => self.output_file(),
            _ => {
                let message = format!("‘{word}’ cannot begin a filter");
                let help = match word {
                    "then" | "else" => "it belongs to an ‘if’",
                    "all" | "quiet" | "count" => "it is a parameter of the filter before it",
                    "cql" => "the header must be at the beginning",
                    _ => "it is a parameter of some other filter",
                };
                Err(self.stop_with(span, message, help))
            }
        }
    }

    // --- texts made of parts ---

    /// One filter, or several in parentheses.
    pub(super) fn text_parts(&mut self, after: &str) -> Parse<Vec<Expr>> {
        if !self.eat_symbol("(") {
            return Ok(vec![self.text_part(after)?]);
        }
        let mut parts = Vec::new();
        while self.starts_filter() {
            parts.push(self.text_part(after)?);
            self.eat_symbol(",");
        }
        if parts.is_empty() {
            return Err(self.stop(
                self.here(),
                format!("expected the text of {after}, found {}", self.found()),
            ));
        }
        self.need(")", &format!("after the text of {after}"))?;
        Ok(parts)
    }

    /// Here a quoted string after a tag is a separate part, not a search term.
    fn text_part(&mut self, after: &str) -> Parse<Expr> {
        let span = self.here();
        if self.is(TokenKind::Word, "fen")
            && self.ahead(1).is_some_and(|t| t.kind == TokenKind::Text)
        {
            self.at += 1;
            return Ok(self.make(Ast::Simple(Simple::Fen), Type::Text, span));
        }
        let e = self.any(level::OR, &format!("the text of {after}"))?;
        match e.kind {
            Ast::Contains {
                text,
                param: Some(token),
                ..
            } => {
                self.at = token;
                Ok(*text)
            }
            _ => Ok(e),
        }
    }

    fn str_filter(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let parts = self.text_parts("‘str’")?;
        let span = self.since(start);
        Ok(self.make(Ast::Str(parts), Type::Text, span))
    }

    fn comment(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let parts = self.text_parts("‘comment’")?;
        let span = self.since(start);
        Ok(self.make(Ast::Comment(parts), Type::Condition, span))
    }

    /// `/// a b c` up to the end of the line.
    pub(super) fn line_comment(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut parts = Vec::new();
        while self.starts_filter() {
            parts.push(self.text_part("the comment")?);
        }
        if parts.is_empty() {
            return Err(self.stop_with(
                start,
                "this comment is empty",
                "a remark begins with two slashes",
            ));
        }
        if self
            .token()
            .is_some_and(|t| t.kind != TokenKind::EndLineComment)
        {
            return Err(self.stop(
                self.here(),
                format!("{} cannot stand in a comment", self.found()),
            ));
        }
        let span = self.since(start);
        self.at += 1;
        Ok(self.make(Ast::Comment(parts), Type::Condition, span))
    }

    fn message(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let quiet = self.eat_word("quiet");
        let parts = self.text_parts("‘message’")?;
        let span = self.since(start);
        Ok(self.make(Ast::Message { quiet, parts }, Type::Condition, span))
    }

    /// `ascii "A"` is 65, `ascii 65` is "A".
    fn ascii(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let e = self.any(level::ADD, "the operand of ‘ascii’")?;
        let ty = if e.ty == Type::Number {
            Type::Text
        } else {
            Type::Number
        };
        let e = if ty == Type::Text {
            e
        } else {
            self.want(e, Type::Text, "the operand of ‘ascii’")
        };
        let span = self.since(start);
        Ok(self.make(Ast::Prefix(Prefix::Ascii, Box::new(e)), ty, span))
    }

    /// `s ~~ "re"`
    pub(super) fn regex_match(&mut self, left: Expr) -> Parse<Expr> {
        self.at += 1;
        let start = left.span;
        let left = self.want(left, Type::Text, "the left side of ‘~~’");
        let pattern = self.typed(level::AT, Type::Text, "the pattern")?;
        self.check_pattern(&pattern);
        let span = self.since(start);
        Ok(self.make(
            Ast::Infix(Infix::Match, Box::new(left), Box::new(pattern)),
            Type::Text,
            span,
        ))
    }

    fn check_pattern(&mut self, pattern: &Expr) {
        if let Ast::Text(text) = &pattern.kind
            && let Err(error) = crate::regex::compile(text)
        {
            let message = format!("invalid regular expression: {error}");
            self.complain(Diagnostic::new(pattern.span, message));
        }
    }

    pub(super) fn group(&mut self, token: Token<'s>) -> Expr {
        let (which, start) = match token.kind {
            TokenKind::Group(n) => (Group::Number(n), false),
            TokenKind::GroupStart(n) => (Group::Number(n), true),
            TokenKind::NamedGroupStart => (Group::Name(token.text.into()), true),
            _ => (Group::Name(token.text.into()), false),
        };
        let ty = if start { Type::Number } else { Type::Text };
        self.take(Ast::Group { which, start }, ty)
    }

    // --- sorting ---

    pub(super) fn sort(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let quiet = self.eat_word("quiet");
        let directed = self.ahead(1).is_some_and(|t| t.kind == TokenKind::Text);
        let min = directed && self.eat_word("min");
        if directed && !min {
            self.eat_word("max");
        }
        let name = match self.token() {
            Some(t) if t.kind == TokenKind::Text && !t.text.is_empty() => {
                self.at += 1;
                t.text.to_owned()
            }
            _ => {
                self.sorts += 1;
                format!("<sort-id-{}>", self.sorts)
            }
        };
        let body = self.any(level::OR, "the sort value")?;
        let number = matches!(body.kind, Ast::Number(_));
        if number
            || !matches!(
                body.ty,
                Type::Number | Type::Text | Type::Set | Type::Unknown
            )
        {
            let what = if number { "a constant" } else { body.ty.name() };
            let message =
                format!("games are sorted by a number, a text or the size of a set, found {what}");
            self.complain(Diagnostic::new(body.span, message));
        }
        let ty = if body.ty == Type::Set {
            Type::Number
        } else {
            body.ty
        };
        let span = self.since(start);
        Ok(self.make(
            Ast::Sort {
                min,
                quiet,
                name,
                body: Box::new(body),
            },
            ty,
            span,
        ))
    }

    // --- tags ---

    fn side(&mut self) -> Option<Side> {
        if self.eat_word("white") {
            return Some(Side::White);
        }
        self.eat_word("black").then_some(Side::Black)
    }

    fn player(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let side = self.side();
        let span = self.since(start);
        let player = self.make(Ast::Player(side), Type::Text, span);
        Ok(self.searched(player))
    }

    fn elo(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let side = self.side();
        let span = self.since(start);
        Ok(self.make(Ast::Elo(side), Type::Number, span))
    }

    fn tag_word(&mut self, name: &str) -> Parse<Expr> {
        let tag = self.take(Ast::Tag(name.into()), Type::Text);
        Ok(self.searched(tag))
    }

    /// A quoted string directly after a text tests whether the text contains it.
    pub(super) fn searched(&mut self, text: Expr) -> Expr {
        let param = self.at;
        let Some(token) = self
            .token()
            .filter(|t| t.kind == TokenKind::Text && !t.text.is_empty())
        else {
            return text;
        };
        self.at += 1;
        let span = text.span.to(token.span);
        let part = Box::new(self.make(Ast::Text(token.text.into()), Type::Text, token.span));
        self.make(
            Ast::Contains {
                text: Box::new(text),
                part,
                param: Some(param),
            },
            Type::Condition,
            span,
        )
    }

    fn quoted(&mut self, what: &str) -> Parse<&'s str> {
        match self.eat_text() {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(self.stop(
                self.here(),
                format!("expected {what} in quotes, found {}", self.found()),
            )),
        }
    }

    fn tag(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let name = self.quoted("the name of a tag")?;
        let span = self.since(start);
        Ok(self.make(Ast::Tag(name.into()), Type::Text, span))
    }

    fn set_tag(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        self.need("(", "after ‘settag’")?;
        let span = self.here();
        let name = self.quoted("the name of a tag")?;
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            self.complain(Diagnostic::new(
                span,
                "the name of a tag is made of letters, digits and underscores",
            ));
        }
        self.eat_symbol(",");
        let value = Box::new(self.typed(level::OR, Type::Text, "the value of the tag")?);
        self.need(")", "after the value of the tag")?;
        let span = self.since(start);
        Ok(self.make(
            Ast::SetTag {
                name: name.into(),
                value,
            },
            Type::Condition,
            span,
        ))
    }

    fn remove_tag(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let parenthesis = self.eat_symbol("(");
        let name = self.quoted("the name of a tag")?;
        if parenthesis {
            self.need(")", "after the name of the tag")?;
        }
        let span = self.since(start);
        Ok(self.make(Ast::RemoveTag(name.into()), Type::Condition, span))
    }

    fn result(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let text = self
            .token()
            .filter(|t| matches!(t.kind, TokenKind::Result | TokenKind::Text))
            .map(|t| t.text);
        let result = self.checked_result(text)?;
        self.at += 1;
        let span = self.since(start);
        Ok(self.make(Ast::Result(result), Type::Condition, span))
    }

    fn original_comment(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let glyph = self
            .token()
            .filter(|t| t.kind == TokenKind::Text)
            .and_then(|t| nag(t.text));
        if let Some(glyph) = glyph {
            self.at += 1;
            let span = self.since(start);
            return Ok(self.make(Ast::HasNag(glyph), Type::Condition, span));
        }
        let comment = self.make(Ast::Simple(Simple::OriginalComment), Type::Text, start);
        Ok(self.searched(comment))
    }

    // --- boards ---

    /// `fen` is the position as text; `fen "…"` compares the board with a pattern.
    fn fen(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let Some(token) = self.token().filter(|t| t.kind == TokenKind::Text) else {
            return Ok(self.make(Ast::Simple(Simple::Fen), Type::Text, start));
        };
        self.at += 1;
        let board = board_pattern(token.text).map_err(|message| self.stop(token.span, message))?;
        let span = self.since(start);
        Ok(self.make(Ast::BoardIs(board), Type::Condition, span))
    }

    fn similar_position(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut transforms = true;
        loop {
            if self.eat_word("notransform") {
                transforms = false;
            } else if !self.eat_word("nosort") {
                break;
            }
        }
        let file = self.quoted("the name of a file")?.to_owned();
        let span = self.since(start);
        Ok(self.make(Ast::Similar { file, transforms }, Type::Condition, span))
    }

    /// `imagine Qe4 _a1 N(S) wtm : F`
    fn imagine(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let mut changes = Vec::new();
        while !self.eat_symbol(":") {
            changes.push(self.change()?);
        }
        if changes.is_empty() {
            return Err(self.stop(self.since(start), "‘imagine’ changes nothing here"));
        }
        let body = Box::new(self.any(level::AT, "the filter after ‘:’")?);
        let (ty, span) = (body.ty, self.since(start));
        Ok(self.make(Ast::Imagine { changes, body }, ty, span))
    }

    fn change(&mut self) -> Parse<Change> {
        let span = self.here();
        if self.eat_word("wtm") {
            return Ok(Change::Turn(Side::White));
        }
        if self.eat_word("btm") {
            return Ok(Change::Turn(Side::Black));
        }
        let Some(TokenKind::Designator(d)) = self.token().map(|t| t.kind) else {
            let message = format!(
                "expected a piece on its square, ‘wtm’, ‘btm’ or ‘:’, found {}",
                self.found()
            );
            return Err(self.stop_with(span, message, "for example ‘imagine Qe4 _d1 : mate’"));
        };
        self.at += 1;
        if d.pieces.count_ones() != 1 {
            return Err(self.stop(
                span,
                "exactly one kind of piece can be imagined on a square; ‘_’ empties it",
            ));
        }
        if self.is_symbol("(") && self.token().is_some_and(|t| !t.gap.any) {
            self.at += 1;
            let set = self.typed(level::OR, Type::Set, "the squares to put it on")?;
            self.need(")", "after the squares")?;
            return Ok(Change::Put(d.pieces, set));
        }
        if d.squares == !0 {
            return Err(self.stop(span, "expected a square for this piece"));
        }
        let set = self.make(Ast::Squares(d.squares), Type::Set, span);
        Ok(Change::Put(d.pieces, set))
    }

    // --- files and programs ---

    fn pipe(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        self.need("(", "after ‘pipe’")?;
        let command = Box::new(self.typed(level::OR, Type::Text, "the command")?);
        self.eat_symbol(",");
        let input = Box::new(self.typed(level::OR, Type::Text, "the command's input")?);
        self.need(")", "after the command and its input")?;
        let span = self.since(start);
        Ok(self.make(Ast::Pipe { command, input }, Type::Text, span))
    }

    fn output_file(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        let name = Box::new(self.typed(level::ADD, Type::Text, "the name of the file")?);
        let span = self.since(start);
        Ok(self.make(Ast::OutputFile(name), Type::Condition, span))
    }
}

/// The number of an annotation glyph.
fn nag(text: &str) -> Option<u8> {
    Some(match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "+/=" => 14,
        "=/+" => 15,
        "+/-" => 16,
        "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        _ => return text.strip_prefix('$')?.parse().ok().filter(|&n| n > 0),
    })
}

/// The board of a FEN in which `A`, `a`, `_` and `.` stand for any white piece, any black piece, no
/// piece, anything.
fn board_pattern(fen: &str) -> Result<Vec<Designator>, String> {
    let board = fen.split_whitespace().next().unwrap_or("");
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return Err(format!("a board has 8 ranks, found {}", rows.len()));
    }
    let mut squares: Vec<(u16, u64)> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut file = 0;
        for c in row.chars() {
            let (pieces, width) =
                pattern_letter(c).ok_or_else(|| format!("‘{c}’ is not a piece letter"))?;
            for f in file..file + width {
                put(
                    &mut squares,
                    pieces,
                    1u64.checked_shl(f + 8 * (7 - i as u32)).unwrap_or(0),
                );
            }
            file += width;
        }
        if file != 8 {
            return Err(format!("a rank has 8 squares, and ‘{row}’ has {file}"));
        }
    }
    // every square of the group must hold one of its pieces
    Ok(squares
        .into_iter()
        .filter(|&(pieces, _)| pieces != 0x1fff)
        .map(|(pieces, squares)| Designator {
            pieces,
            squares,
            names_pieces: true,
        })
        .collect())
}

fn put(squares: &mut Vec<(u16, u64)>, pieces: u16, square: u64) {
    match squares.iter_mut().find(|(p, _)| *p == pieces) {
        Some((_, set)) => *set |= square,
        None => squares.push((pieces, square)),
    }
}

fn pattern_letter(c: char) -> Option<(u16, u32)> {
    Some(match c {
        '1'..='8' => (1 << 12, c as u32 - '0' as u32),
        'A' => (0b11_1111, 1),
        'a' => (0b11_1111 << 6, 1),
        '.' => (0x1fff, 1),
        _ => (1 << "PNBRQKpnbrqk_".find(c)?, 1),
    })
}
