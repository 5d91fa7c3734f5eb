//! `hhdb`: the conventions of the database of endgame studies, expressed by other filters.

use super::{Parse, Parser};
use crate::ast::{
    Award, Bound, Expr, ExprKind as Ast, Group, Infix, Prefix, Range, Side, Simple, Slice, Type,
};
use crate::diagnostic::Span;
use crate::lex::TokenKind;

/// Remarks in the Black tag, with their long names.
const REMARKS: &[(&str, &str)] = &[
    ("AN", "anticipation"),
    ("CR", "colors_reversed"),
    ("(s)", "corrected_solution"),
    ("(c)", "correction"),
    ("U2", "dual_after_move_1"),
    ("U1", "dual_at_move_1"),
    ("(m)", "modification"),
    ("PH", "posthumous"),
    ("TT", "theme_tournament"),
    ("TT", "theme_tourney"),
    ("TE", "theoretical_ending"),
    ("MC", "too_many_composers"),
    ("TW", "twin"),
    ("U5", "unreachable"),
    ("(v)", "version"),
    ("U3", "white_fails"),
    ("U4", "white_wins_in_draw"),
];

/// Data about a tourney in the Event tag: the first group of a pattern, and whether it is a number.
const TOURNEY: &[(&str, &str, bool)] = &[
    (
        "distinction",
        r"^((?:\d+(?:/\d+)?|sp)\.(?:p|hm|c))\b",
        false,
    ),
    ("tourney_edition", r"\b(\d+)(?:st|nd|rd|th)\b", true),
    (
        "tourney_name",
        r"^(?:\S+\.(?:p|hm|c) )?(?:\d+(?:st|nd|rd|th) )?(.*?)(?: (?:1[5-9]|20)\d\d\b[^#]*)?(?:#.*)?$",
        false,
    ),
    ("tourney_year", r"\b((?:1[5-9]|20)\d\d)\b", true),
    ("tourney_year_end", r".*\b((?:1[5-9]|20)\d\d)\b", true),
    (
        "tourney_year_part",
        r"\b(?:1[5-9]|20)\d\d[ /-]([IV]+)\b",
        false,
    ),
];

const GBR: &str = r"[+\-=]\d{4}\.\d{2}[a-h][1-8][a-h][1-8]";

impl Parser<'_> {
    pub(super) fn hhdb(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.at += 1;
        if let Some(award) = self.award(start)? {
            return Ok(award);
        }
        let Some(key) = self
            .token()
            .filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Text))
            .map(|t| t.text)
        else {
            return Err(self.stop(
                self.here(),
                format!("expected an hhdb keyword, found {}", self.found()),
            ));
        };
        self.at += 1;
        let span = self.since(start);
        if let Some((short, _)) = REMARKS
            .iter()
            .find(|(short, long)| *short == key || *long == key)
        {
            let black = self.make(Ast::Player(Some(Side::Black)), Type::Text, span);
            return Ok(self.has(black, short, span));
        }
        let filter = match self.tourney(key, span) {
            Some(filter) => filter,
            None => self.hhdb_key(key, span)?,
        };
        let filter = self.make_untransformed(filter, span);
        Ok(if filter.ty == Type::Text {
            self.searched(filter)
        } else {
            filter
        })
    }

    fn tourney(&mut self, key: &str, span: Span) -> Option<Expr> {
        let (_, pattern, is_number) = TOURNEY.iter().find(|(name, ..)| *name == key)?;
        let text = self.group_of(Ast::Tag("Event".into()), pattern, span);
        Some(if *is_number {
            self.int(text, span)
        } else {
            text
        })
    }

    fn int(&mut self, text: Expr, span: Span) -> Expr {
        self.make(Ast::Prefix(Prefix::Int, Box::new(text)), Type::Number, span)
    }

    fn hhdb_key(&mut self, key: &str, span: Span) -> Parse<Expr> {
        Ok(match key {
            "<cook>" => self.comment_has("<cook", span),
            "<minor_dual>" => self.comment_has("<minor_dual", span),
            "<eg>" | "<main>" | "<or>" => self.comment_has(key, span),
            "composer" => self.make(Ast::Simple(Simple::Composer), Type::Text, span),
            "cooked" => self.make(Ast::Simple(Simple::Cooked), Type::Condition, span),
            "diagram" => self.group_of(Ast::Tag("Event".into()), "#([^ ]+)", span),
            "source" => self.make(Ast::Tag("Event".into()), Type::Text, span),
            "dual" => self.black_matches("U[12]", span),
            "egdiagram" => {
                let first = self.first_comment(span);
                let number = self.group_of(first.kind, r"EG#(\d+)", span);
                self.int(number, span)
            }
            "firstcomment" => self.first_comment(span),
            "stipulation" => {
                let first = self.first_comment(span);
                self.group_of(first.kind, r"stipulation: ([^.]+)\.", span)
            }
            "gbr" => self.gbr(span),
            "mainline" => self.hhdb_variation(span, true),
            "variation" => self.hhdb_variation(span, false),
            "search" => self.hhdb_search(span),
            "sound" => self.hhdb_sound(span),
            "unsound" => {
                let cooked = self.make(Ast::Simple(Simple::Cooked), Type::Condition, span);
                let marked = self.black_matches("U[1-5]", span);
                self.make(Ast::Or(vec![cooked, marked]), Type::Condition, span)
            }
            _ => {
                let known = REMARKS
                    .iter()
                    .flat_map(|r| [r.0, r.1])
                    .chain(TOURNEY.iter().map(|t| t.0))
                    .chain(KEYS.iter().copied());
                let help = match crate::words::nearest(key, known) {
                    Some(near) => format!("did you mean ‘{near}’?"),
                    None => "see the list of words of the study database".into(),
                };
                return Err(self.stop_with(span, format!("unknown hhdb keyword ‘{key}’"), help));
            }
        })
    }

    /// `hhdb prize`, `hhdb special hm max`, `hhdb sort award`, …
    fn award(&mut self, start: Span) -> Parse<Option<Expr>> {
        let (mut kind, mut special, mut max, mut sort, mut any) =
            (None, false, false, false, false);
        while let Some(token) = self.token().filter(|t| t.kind == TokenKind::Word) {
            match token.text {
                "award" => kind = Some(Award::Any),
                "prize" => kind = Some(Award::Prize),
                "hm" => kind = Some(Award::HonourableMention),
                "commendation" => kind = Some(Award::Commendation),
                "special" => special = true,
                "max" => max = true,
                "sort" if !any => sort = true,
                _ => break,
            }
            any = true;
            self.at += 1;
        }
        if !any {
            return Ok(None);
        }
        let span = self.since(start);
        if sort && (max || kind.is_none() && !special) {
            return Err(self.stop(span, "‘hhdb sort’ takes a kind of award, and no ‘max’"));
        }
        let kind = kind.unwrap_or(Award::Any);
        if sort {
            return Ok(Some(self.sort_awards(kind, special, span)));
        }
        Ok(Some(self.make(
            Ast::Award { kind, special, max },
            Type::Number,
            span,
        )))
    }

    /// Sorts by kind of award, then by place, then by the places shared.
    fn sort_awards(&mut self, kind: Award, special: bool, span: Span) -> Expr {
        let kinds = match kind {
            Award::Any => vec![Award::Prize, Award::HonourableMention, Award::Commendation],
            one => vec![one],
        };
        let options = kinds
            .into_iter()
            .flat_map(|k| [(k, false), (k, true)])
            .filter(|&(_, s)| s || !special);
        let options: Vec<Expr> = options.map(|(k, s)| self.sort_award(k, s, span)).collect();
        self.make(Ast::Or(options), Type::Condition, span)
    }

    fn sort_award(&mut self, kind: Award, special: bool, span: Span) -> Expr {
        let category = 2 * (kind as i64) - 1 + i64::from(special);
        let award = |special, max| Ast::Award { kind, special, max };
        let mut filters = vec![self.make(award(special, false), Type::Number, span)];
        if !special {
            let marked = self.make(award(true, false), Type::Number, span);
            filters.push(self.make(
                Ast::Prefix(Prefix::Not, Box::new(marked)),
                Type::Condition,
                span,
            ));
        }
        for (name, key) in [
            ("cql_category", Ast::Number(category)),
            ("cql_truerank", award(special, false)),
            ("cql_maxrank", award(special, true)),
        ] {
            let body = Box::new(self.make(key, Type::Number, span));
            let sort = Ast::Sort {
                min: true,
                quiet: true,
                name: name.into(),
                body,
            };
            filters.push(self.make(sort, Type::Number, span));
        }
        filters.push(self.make(Ast::Simple(Simple::True), Type::Condition, span));
        self.make(Ast::Sequence(filters), Type::Condition, span)
    }

    fn make_untransformed(&mut self, e: Expr, span: Span) -> Expr {
        let ty = e.ty;
        self.make(Ast::Prefix(Prefix::NoTransform, Box::new(e)), ty, span)
    }

    fn has(&mut self, text: Expr, part: &str, span: Span) -> Expr {
        let part = Box::new(self.make(Ast::Text(part.into()), Type::Text, span));
        let filter = self.make(
            Ast::Contains {
                text: Box::new(text),
                part,
                param: None,
            },
            Type::Condition,
            span,
        );
        self.make_untransformed(filter, span)
    }

    fn comment_has(&mut self, part: &str, span: Span) -> Expr {
        let comment = self.make(Ast::Simple(Simple::OriginalComment), Type::Text, span);
        self.has(comment, part, span)
    }

    fn matches(&mut self, text: Ast, pattern: &str, span: Span) -> Expr {
        let text = Box::new(self.make(text, Type::Text, span));
        let pattern = Box::new(self.make(Ast::Text(pattern.into()), Type::Text, span));
        self.make(Ast::Infix(Infix::Match, text, pattern), Type::Text, span)
    }

    /// Whether the remarks match; a condition, so that a string after it is not a search term.
    fn black_matches(&mut self, pattern: &str, span: Span) -> Expr {
        let found = self.matches(Ast::Player(Some(Side::Black)), pattern, span);
        self.make(Ast::Or(vec![found]), Type::Condition, span)
    }

    /// The first group of a pattern.
    fn group_of(&mut self, text: Ast, pattern: &str, span: Span) -> Expr {
        let found = self.matches(text, pattern, span);
        let group = self.make(
            Ast::Group {
                which: Group::Number(1),
                start: false,
            },
            Type::Text,
            span,
        );
        self.make(Ast::Sequence(vec![found, group]), Type::Text, span)
    }

    fn first_comment(&mut self, span: Span) -> Expr {
        let root = Box::new(self.make(Ast::Simple(Simple::InitialPosition), Type::Position, span));
        let comment = Box::new(self.make(Ast::Simple(Simple::OriginalComment), Type::Text, span));
        self.make(Ast::Infix(Infix::At, root, comment), Type::Text, span)
    }

    /// `hhdb gbr [kings|material|pawns|pieces]`: the code of the material, or a part of it.
    fn gbr(&mut self, span: Span) -> Expr {
        let code = self.matches(Ast::Player(Some(Side::Black)), GBR, span);
        let part = self
            .token()
            .filter(|t| t.kind == TokenKind::Word)
            .map_or("", |t| t.text);
        let (from, to) = match part {
            "kings" => (Some(-4), None),
            "material" => (Some(1), Some(-4)),
            "pawns" => (Some(6), Some(8)),
            "pieces" => (Some(1), Some(5)),
            _ => return code,
        };
        self.at += 1;
        let mut number = |n: Option<i64>| n.map(|n| self.make(Ast::Number(n), Type::Number, span));
        let slice = Box::new(Slice::Between(number(from), number(to)));
        self.make(
            Ast::Slice {
                text: Box::new(code),
                slice,
            },
            Type::Text,
            span,
        )
    }

    /// On the mainline: no secondary move leads here, except those marked as main.
    fn hhdb_variation(&mut self, span: Span, mainline: bool) -> Expr {
        let secondary = self.make(Ast::Simple(Simple::Secondary), Type::Condition, span);
        let marked = self.comment_has("<main>", span);
        let unmarked = self.make(
            Ast::Prefix(Prefix::Not, Box::new(marked)),
            Type::Condition,
            span,
        );
        let body = Box::new(self.make(Ast::And(vec![secondary, unmarked]), Type::Condition, span));
        let count = Some(Range {
            min: Bound::Number(1),
            max: Bound::Number(i64::MAX),
        });
        let found = self.make(
            Ast::Find {
                quiet: true,
                back: true,
                count,
                body,
            },
            Type::Number,
            span,
        );
        let op = if mainline {
            Prefix::Not
        } else {
            Prefix::Identity
        };
        let found = self.make(Ast::Prefix(op, Box::new(found)), Type::Condition, span);
        self.make(Ast::Or(vec![found]), Type::Condition, span)
    }

    /// Event, both players and the first comment, a line each.
    fn hhdb_search(&mut self, span: Span) -> Expr {
        let newline = Ast::Text("\n".into());
        let parts = [
            Ast::Tag("Event".into()),
            newline.clone(),
            Ast::Player(Some(Side::White)),
            newline.clone(),
            Ast::Player(Some(Side::Black)),
        ];
        let mut parts: Vec<Expr> = parts
            .into_iter()
            .map(|p| self.make(p, Type::Text, span))
            .collect();
        let test = Box::new(self.first_comment(span));
        let first = self.first_comment(span);
        let newline = self.make(newline, Type::Text, span);
        let then = Box::new(self.make(Ast::Str(vec![newline, first]), Type::Text, span));
        let nothing = Box::new(self.make(Ast::Text(String::new()), Type::Text, span));
        parts.push(self.make(
            Ast::If {
                test,
                then,
                otherwise: Some(nothing),
            },
            Type::Text,
            span,
        ));
        self.make(Ast::Str(parts), Type::Text, span)
    }

    fn hhdb_sound(&mut self, span: Span) -> Expr {
        let cooked = self.make(Ast::Simple(Simple::Cooked), Type::Condition, span);
        let duals = self.black_matches("U[12]", span);
        let both = self.make(Ast::And(vec![cooked, duals]), Type::Condition, span);
        let worse = self.black_matches("U[345]", span);
        let either = self.make(Ast::Or(vec![both, worse]), Type::Condition, span);
        self.make(
            Ast::Prefix(Prefix::Not, Box::new(either)),
            Type::Condition,
            span,
        )
    }
}

const KEYS: &[&str] = &[
    "<cook>",
    "<eg>",
    "<main>",
    "<minor_dual>",
    "<or>",
    "composer",
    "cooked",
    "diagram",
    "dual",
    "egdiagram",
    "firstcomment",
    "gbr",
    "mainline",
    "search",
    "sound",
    "source",
    "stipulation",
    "unsound",
    "variation",
    "award",
    "prize",
    "hm",
    "commendation",
    "special",
    "sort",
];
