//! Source text → tokens, each a slice of the source.
//!
//! Blanks matter in a few places, so they are resolved here: which side of a `--` touches its
//! neighbour, where a `///` comment ends, which blank line ends a `path`, and whether a `+` or `*`
//! inside a `path` repeats a constituent.

mod designator;
mod layout;

use crate::diagnostic::{Diagnostic, Span};
pub use designator::Designator;

/// One word, number, sign or designator of the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'s> {
    /// Its kind.
    pub kind: TokenKind,
    /// Its canonical spelling: the slice of the source, or the ASCII word of a Unicode sign.
    pub text: &'s str,
    /// Its place.
    pub span: Span,
    /// The blanks and comments before it.
    pub gap: Gap,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind {
    /// A keyword or a name.
    Word,
    /// Digits.
    Number(i64),
    /// A quoted string; the text excludes the quotes.
    Text,
    /// A piece designator such as `Ra1-8` or `[Qq]`.
    Designator(Designator),
    /// `[Aa]` or `◭` directly before a name: declares a piece variable.
    PieceDeclaration,
    /// A sign, by its ASCII spelling in `text`.
    Symbol,
    /// `--` or `[x]`, and which neighbours touch it.
    Dash {
        /// `[x]` rather than `--`.
        capture: bool,
        /// A set touches it on the left.
        left_tie: bool,
        /// A set, promotion or target touches it on the right.
        right_tie: bool,
    },
    /// `{n}`, `{n,}`, `{,m}`, `{n,m}`.
    Repeat {
        /// At least this often.
        min: u32,
        /// At most this often.
        max: u32,
    },
    /// `\3`: text of a group of the last regular-expression match.
    Group(u8),
    /// `\-3`: where that group starts.
    GroupStart(u8),
    /// `\{name}`; the text is the name.
    NamedGroup,
    /// `\-{name}`; the text is the name.
    NamedGroupStart,
    /// `///`
    LineComment,
    /// End of the line that `///` is on.
    EndLineComment,
    /// A blank line that ends a `path`.
    EndPath,
    /// `+` that repeats a constituent of a `path`.
    WildPlus,
    /// `*` that repeats a constituent of a `path`.
    WildStar,
    /// `1-0`, `0-1`, `1/2-1/2`, `*` after `result`.
    Result,
    /// The name after `input` or `output`.
    FileName,
}

/// The blanks and comments before a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// There are any.
    pub any: bool,
    /// They contain a line end.
    pub newline: bool,
    /// They contain an empty line.
    pub blank_line: bool,
}

/// The largest repetition count.
pub(crate) const MANY: u32 = 100_000;

/// The greatest number of reported errors.
pub(crate) const MAX_ERRORS: usize = 50;

/// All tokens of a source, and its lexical errors.
pub fn lex(source: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        source,
        at: 0,
        tokens: Vec::new(),
        errors: Vec::new(),
    };
    while lexer.at < source.len() && source[lexer.at..].starts_with('\u{feff}') {
        lexer.at += '\u{feff}'.len_utf8();
    }
    lexer.run();
    let Lexer {
        tokens, mut errors, ..
    } = lexer;
    let tokens = layout::resolve(tokens, source.len(), &mut errors);
    errors.truncate(MAX_ERRORS);
    (tokens, errors)
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    tokens: Vec<Token<'s>>,
    errors: Vec<Diagnostic>,
}

/// Signs of the language; a sign comes before its own prefixes.
const SYMBOLS: &[&str] = &[
    "[element]",
    "[forall]",
    "[<=]",
    "[>=]",
    "[<]",
    "[>]",
    "-->",
    "<--",
    "{*}",
    "{+}",
    "->",
    "<-",
    "~~",
    "<=",
    ">=",
    "==",
    "!=",
    "+=",
    "-=",
    "*=",
    "/=",
    "%=",
    "|=",
    "&=",
    "=?",
    "[]",
    "+",
    "-",
    "*",
    "/",
    "=",
    ">",
    "<",
    ".",
    "(",
    ")",
    "{",
    "}",
    "|",
    "?",
    ":",
    "#",
    "~",
    "&",
    "%",
    ",",
    "[",
    "]",
    "`",
];

/// Unicode signs and their ASCII equivalents; words among them are keywords.
pub(crate) const UNICODE: &[(&str, &str)] = &[
    ("∪=", "|="),
    ("∩=", "&="),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("⊢", "path"),
    ("∀", "[forall]"),
    ("∊", "[element]"),
    ("∈", "[element]"),
    ("←", "<-"),
    ("→", "->"),
    ("◎", "focus"),
    ("∙", "currentposition"),
    ("✵", "flip"),
    ("⬓", "flipcolor"),
    ("▦", "."),
    ("∪", "|"),
    ("∩", "&"),
    ("≺", "[<]"),
    ("≻", "[>]"),
    ("≼", "[<=]"),
    ("≽", "[>=]"),
];

impl<'s> Lexer<'s> {
    fn run(&mut self) {
        loop {
            let gap = self.skip_gap();
            if self.at >= self.source.len() {
                return;
            }
            let start = self.at;
            match self.next() {
                Some((kind, text)) => {
                    let span = Span::new(start, self.at);
                    self.tokens.push(Token {
                        kind,
                        text,
                        span,
                        gap,
                    });
                }
                None => self.reject(start),
            }
        }
    }

    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn since(&self, start: usize) -> &'s str {
        &self.source[start..self.at]
    }

    /// Skips blanks and comments; a line that holds only a comment is not empty.
    fn skip_gap(&mut self) -> Gap {
        let mut gap = Gap::default();
        let mut line_is_empty = false;
        while let Some(c) = self.peek() {
            let rest = self.rest();
            if c == '\n' {
                gap.blank_line |= line_is_empty;
                (gap.newline, line_is_empty) = (true, true);
                self.at += 1;
            } else if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if c == ';'
                || rest.starts_with("//") && (!rest.starts_with("///") || rest.starts_with("////"))
            {
                line_is_empty = false;
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                line_is_empty = false;
                self.skip_block_comment();
            } else {
                break;
            }
            gap.any = true;
        }
        gap
    }

    fn skip_block_comment(&mut self) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => {
                let span = Span::new(self.at, self.at + 2);
                self.errors.push(
                    Diagnostic::new(span, "this comment is never closed")
                        .help("close it with ‘*/’"),
                );
                self.at = self.source.len();
            }
        }
    }

    fn next(&mut self) -> Option<(TokenKind, &'s str)> {
        self.file_name()
            .or_else(|| self.piece_declaration())
            .or_else(|| self.line_comment())
            .or_else(|| self.result())
            .or_else(|| self.number())
            .or_else(|| self.repeat())
            .or_else(|| self.castling())
            .or_else(|| self.unicode())
            .or_else(|| self.backslash())
            .or_else(|| self.designator())
            .or_else(|| self.dash())
            .or_else(|| self.symbol())
            .or_else(|| self.text())
            .or_else(|| self.word())
    }

    fn reject(&mut self, start: usize) {
        let c = self.source[start..].chars().next().unwrap_or(' ');
        self.at = start + c.len_utf8();
        let message = format!("unexpected character ‘{c}’");
        self.errors
            .push(Diagnostic::new(Span::new(start, self.at), message));
    }

    /// `[Aa]T` and `◭T` where `T` is a name.
    fn piece_declaration(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        if !(self.eat("[Aa]") || self.eat("[aA]") || self.eat("◭")) {
            return None;
        }
        let mut probe = designator::DesignatorReader::new(self.rest());
        let names = probe.squares().is_none() && starts_name(self.rest()) && {
            let word = word_prefix(self.rest());
            !crate::words::is_reserved(word)
        };
        if names {
            return Some((TokenKind::PieceDeclaration, self.since(start)));
        }
        self.at = start;
        None
    }

    fn line_comment(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        self.eat("///")
            .then(|| (TokenKind::LineComment, self.since(start)))
    }

    fn after_word(&self, word: &str) -> bool {
        self.tokens
            .last()
            .is_some_and(|t| t.kind == TokenKind::Word && t.text == word)
    }

    fn result(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        if !self.after_word("result") {
            return None;
        }
        let found = ["1/2-1/2", "1-0", "0-1", "*"].iter().any(|r| self.eat(r));
        found.then(|| (TokenKind::Result, self.since(start)))
    }

    fn number(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        self.at += digits(self.rest());
        if self.at == start {
            return None;
        }
        let text = self.since(start);
        let value = text
            .parse()
            .ok()
            .filter(|&n: &i64| n <= i64::from(i32::MAX));
        if value.is_none() {
            let message = "this number is too large";
            self.errors.push(
                Diagnostic::new(Span::new(start, self.at), message)
                    .help("the largest is 2147483647"),
            );
        }
        Some((TokenKind::Number(value.unwrap_or(0)), text))
    }

    /// `{2}`, `{2,}`, `{,4}`, `{2,4}`, without blanks.
    fn repeat(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        let inside = self.rest().strip_prefix('{')?;
        let is_inside = |b: &u8| b.is_ascii_digit() || *b == b',';
        let close = inside.bytes().take_while(is_inside).count();
        if !inside[close..].starts_with('}') {
            return None;
        }
        let (low, high) = match inside[..close].split_once(',') {
            Some((low, high)) => (low, Some(high)),
            None => (&inside[..close], None),
        };
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(low)
            || !high.is_none_or(all_digits)
            || low.is_empty() && high.is_none_or(str::is_empty)
        {
            return None;
        }
        self.at += close + 2;
        let span = Span::new(start, self.at);
        let min = self.repeat_bound(low, span).unwrap_or(0);
        let max = match high {
            Some(text) => self.repeat_bound(text, span).unwrap_or(MANY),
            None => min,
        };
        if max < min {
            self.errors.push(Diagnostic::new(
                span,
                "the second number is smaller than the first",
            ));
        }
        Some((
            TokenKind::Repeat {
                min,
                max: max.max(min),
            },
            self.since(start),
        ))
    }

    fn repeat_bound(&mut self, text: &str, span: Span) -> Option<u32> {
        if text.is_empty() {
            return None;
        }
        let value = text.parse().ok().filter(|&n| n <= MANY);
        if value.is_none() {
            self.errors.push(Diagnostic::new(
                span,
                format!("at most {MANY} repetitions are allowed"),
            ));
        }
        Some(value.unwrap_or(MANY))
    }

    fn castling(&mut self) -> Option<(TokenKind, &'s str)> {
        let rest = self.rest();
        let text = ["o-o-o", "o-o"].into_iter().find(|t| rest.starts_with(t))?;
        if starts_name(&rest[text.len()..]) {
            return None;
        }
        self.at += text.len();
        Some((TokenKind::Word, text))
    }

    fn unicode(&mut self) -> Option<(TokenKind, &'s str)> {
        let &(sign, ascii) = UNICODE
            .iter()
            .find(|(sign, _)| self.rest().starts_with(sign))?;
        self.at += sign.len();
        let is_word = ascii.starts_with(|c: char| c.is_ascii_alphabetic());
        Some((
            if is_word {
                TokenKind::Word
            } else {
                TokenKind::Symbol
            },
            ascii,
        ))
    }

    /// `\n`, `\"`, `\3`, `\-3`, `\{name}`, `\-{name}`.
    fn backslash(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        if !self.eat("\\") {
            return None;
        }
        for (name, value) in [
            ("\"", "\""),
            ("\\", "\\"),
            ("n", "\n"),
            ("r", "\r"),
            ("t", "\t"),
        ] {
            let ends = name.len() == 1 && !name.starts_with(char::is_alphabetic)
                || word_prefix(self.rest()) == name;
            if ends && self.eat(name) {
                return Some((TokenKind::Text, value));
            }
        }
        let index = self.eat("-");
        if self.eat("{") {
            return self.named_group(start, index);
        }
        let from = self.at;
        self.at += digits(self.rest()).min(2);
        let Ok(group) = self.since(from).parse() else {
            self.at = start + 1;
            let message = "a backslash is followed by a group number, a name in braces, or one of n r t \" \\";
            self.errors
                .push(Diagnostic::new(Span::new(start, self.at), message));
            return Some((TokenKind::Text, ""));
        };
        Some((
            if index {
                TokenKind::GroupStart(group)
            } else {
                TokenKind::Group(group)
            },
            self.since(start),
        ))
    }

    fn named_group(&mut self, start: usize, index: bool) -> Option<(TokenKind, &'s str)> {
        let from = self.at;
        let Some(length) = self.rest().find('}') else {
            self.at = self.source.len();
            self.errors.push(Diagnostic::new(
                Span::new(start, from),
                "this group name is never closed",
            ));
            return Some((TokenKind::NamedGroup, ""));
        };
        self.at += length + 1;
        let kind = if index {
            TokenKind::NamedGroupStart
        } else {
            TokenKind::NamedGroup
        };
        Some((kind, &self.source[from..from + length]))
    }

    fn designator(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        if self.opens_index() {
            return None;
        }
        let mut reader = designator::DesignatorReader::new(self.rest());
        let designator = reader.designator()?;
        self.at += reader.consumed();
        for problem in reader.problems() {
            self.errors
                .push(Diagnostic::new(Span::new(start, self.at), *problem));
        }
        Some((TokenKind::Designator(designator), self.since(start)))
    }

    /// A `[` that touches a name on its left opens an index, as in `D[k]`.
    fn opens_index(&self) -> bool {
        self.rest().starts_with('[')
            && self.tokens.last().is_some_and(|t| {
                t.kind == TokenKind::Word
                    && t.span.end as usize == self.at
                    && !crate::words::is_reserved(t.text)
            })
    }

    fn dash(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with("-->") {
            return None;
        }
        let capture = rest.starts_with("[x]") || rest.starts_with('×');
        let found = ["[x]", "×", "――", "--"].iter().any(|d| self.eat(d));
        found.then(|| {
            (
                TokenKind::Dash {
                    capture,
                    left_tie: false,
                    right_tie: false,
                },
                self.since(start),
            )
        })
    }

    fn symbol(&mut self) -> Option<(TokenKind, &'s str)> {
        let symbol = SYMBOLS.iter().find(|s| self.rest().starts_with(**s))?;
        self.at += symbol.len();
        Some((TokenKind::Symbol, symbol))
    }

    fn text(&mut self) -> Option<(TokenKind, &'s str)> {
        let start = self.at;
        if !self.eat("\"") {
            return None;
        }
        let rest = self.rest();
        let length = rest.find(['"', '\n']).unwrap_or(rest.len());
        self.at += length;
        let text = &rest[..length];
        if !self.eat("\"") {
            let span = Span::new(start, self.at);
            self.errors.push(
                Diagnostic::new(span, "this string has no closing quote")
                    .help("strings end on their line"),
            );
        }
        Some((TokenKind::Text, text))
    }

    fn file_name(&mut self) -> Option<(TokenKind, &'s str)> {
        if !self.after_word("input") && !self.after_word("output") {
            return None;
        }
        let rest = self.rest();
        let stops = |c: char| c.is_whitespace() || "()<>\"".contains(c);
        let length = rest.find(stops).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then_some((TokenKind::FileName, &rest[..length]))
    }

    fn word(&mut self) -> Option<(TokenKind, &'s str)> {
        let word = word_prefix(self.rest());
        self.at += word.len();
        (!word.is_empty()).then_some((TokenKind::Word, word))
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn starts_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
}

/// The name at the beginning of a text, or nothing.
fn word_prefix(text: &str) -> &str {
    if !starts_name(text) {
        return "";
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<String> {
        let (tokens, errors) = lex(source);
        assert_eq!(errors, []);
        tokens.iter().map(show).collect()
    }

    fn show(t: &Token<'_>) -> String {
        match t.kind {
            TokenKind::Dash {
                capture,
                left_tie,
                right_tie,
            } => {
                let sign = if capture { "x" } else { "--" };
                format!(
                    "{}{sign}{}",
                    if left_tie { "<" } else { "" },
                    if right_tie { ">" } else { "" }
                )
            }
            TokenKind::EndPath => "end-path".into(),
            TokenKind::EndLineComment => "end-comment".into(),
            TokenKind::WildPlus => "wild+".into(),
            TokenKind::WildStar => "wild*".into(),
            TokenKind::Designator(_) => format!("‹{}›", t.text),
            _ => t.text.into(),
        }
    }

    #[test]
    fn designators_come_before_names() {
        assert_eq!(
            kinds("Ra1 [Qq]a-h3 ab3 D[kk] ♕♛a3"),
            [
                "‹Ra1›",
                "‹[Qq]a-h3›",
                "‹ab3›",
                "D",
                "[",
                "kk",
                "]",
                "‹♕♛a3›"
            ]
        );
    }

    #[test]
    fn dashes_bind_to_their_neighbours() {
        assert_eq!(
            kinds("Q--R -- x --(mate) A[x]b"),
            [
                "‹Q›", "<-->", "‹R›", "--", "x", "-->", "(", "mate", ")", "‹A›", "<x>", "‹b›"
            ]
        );
    }

    #[test]
    fn paths_end_at_blank_lines_and_repeat() {
        assert_eq!(
            kinds("path -- check + 1 + 2"),
            ["path", "--", "check", "wild+", "1", "wild+", "2"]
        );
        assert_eq!(
            kinds("path -- check\n\n x+1"),
            ["path", "--", "check", "end-path", "x", "+", "1"]
        );
        assert_eq!(
            kinds("path -- {x+1} // note\n check"),
            ["path", "--", "{", "x", "+", "1", "}", "check"]
        );
    }

    #[test]
    fn line_comments_end_with_their_line() {
        assert_eq!(
            kinds("check /// \"a\" x\nmate //// no\n"),
            ["check", "///", "a", "x", "end-comment", "mate"]
        );
    }

    #[test]
    fn all_errors_are_reported() {
        let (_, errors) = lex("check @ \"abc\n /* open");
        assert_eq!(errors.len(), 3, "{errors:?}");
    }
}
