//! The scanner: one pass over the bytes of a game, without allocation, that calls a visitor.

use super::Span;
use super::block::{BLOCK, Brace, Lane, Places, Test, bits, bits_at, block_at};
use super::bytes::{BraceEnd, brace_end, eol_of, is_tag, line_end, space_len, trim_end};
use super::complaint::ComplaintKind;
use super::cpu::{Cpu, Portable, Task, run};
use super::nag::{from_glyph, wide_glyph};
use super::outcome::Outcome;
use super::tag::{RawTag, read_tag, tag_line};

/// Receives the tokens of a scan. Spans are ranges of the scanned bytes. Every method has a default.
pub trait Visitor {
    /// A tag pair.
    fn tag(&mut self, _tag: &RawTag) {}

    /// The end of the tags. Returns whether to scan the movetext.
    fn movetext(&mut self) -> bool {
        true
    }

    /// A move number, with the dots directly after it.
    fn number(&mut self, _number: u32, _span: Span) {}

    /// A word: a move or something unknown.
    fn word(&mut self, _span: Span) {}

    /// A glyph (NAG): `$1`, `!`, `±`.
    fn nag(&mut self, _nag: u32, _span: Span) {}

    /// A comment: `text` is its content, `span` includes its delimiters.
    fn comment(&mut self, _style: Style, _text: Span, _span: Span) {}

    /// A variation opens.
    fn open(&mut self, _at: usize) {}

    /// A variation closes.
    fn close(&mut self, _at: usize) {}

    /// A result.
    fn result(&mut self, _outcome: Outcome, _span: Span) {}

    /// A problem.
    fn report(&mut self, _kind: ComplaintKind, _span: Span) {}
}

/// How a comment is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// `{text}`
    Brace,
    /// `; text` to the end of the line.
    Line,
    /// `%text`, an escape line, starting in the first column.
    Escape,
}

/// Scans the bytes of one game, as returned by [`split`](super::split).
pub fn scan(text: &[u8], visitor: &mut impl Visitor) {
    scan_with(text, NoShortcut, visitor);
}

/// The same with a shortcut.
pub(super) fn scan_with<V: Visitor>(text: &[u8], shortcut: impl Shortcut<V>, visitor: &mut V) {
    run(Scan {
        text,
        skips_variations: false,
        shortcut,
        visitor,
    });
}

/// The same without what most variations contain: the visitor gets only their parentheses, or, if
/// the end of a variation is hard to find, all of it.
pub(super) fn scan_mainline(text: &[u8], visitor: &mut impl Visitor) {
    run(Scan {
        text,
        skips_variations: true,
        shortcut: NoShortcut,
        visitor,
    });
}

/// A way to read common tokens without calling a visitor for each.
pub(super) trait Shortcut<V>: Copy {
    /// Reads tokens of the movetext from `at` on, and returns where the next one starts, at the
    /// latest.
    fn pass<C: Cpu>(self, cpu: C, visitor: &mut V, at: usize) -> usize;
}

/// Every token is passed to the visitor.
#[derive(Clone, Copy)]
pub(super) struct NoShortcut;

impl<V> Shortcut<V> for NoShortcut {
    #[inline(always)]
    fn pass<C: Cpu>(self, _: C, _: &mut V, at: usize) -> usize {
        at
    }
}

struct Scan<'a, V, S> {
    text: &'a [u8],
    skips_variations: bool,
    shortcut: S,
    visitor: &'a mut V,
}

impl<V: Visitor, S: Shortcut<V>> Task for Scan<'_, V, S> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut scanner = Scanner {
            text: self.text,
            at: 0,
            eol: None,
            skips_variations: self.skips_variations,
            window: Window::default(),
            visitor: self.visitor,
        };
        scanner.tag_section(cpu);
        if scanner.visitor.movetext() {
            scanner.movetext(cpu, self.shortcut);
        }
    }
}

/// The token that a byte can start in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Letters, digits, spaces, line ends, `{ ( ) $ ! ?`: tested before all others.
    Usual,
    /// White space other than spaces and line ends.
    OddBlank,
    /// `+ - = / # @ < …`: glyphs and unknown words.
    Symbol,
    /// A non-ASCII byte.
    Wide,
    Dot,
    Semicolon,
    Percent,
    Star,
    StrayBrace,
    Comma,
    Bracket,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Symbol; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class_of(byte as u8);
        byte += 1;
    }
    classes
};

const fn class_of(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'\n' | b'\r' | b' ' => Class::Usual,
        b'{' | b'(' | b')' | b'$' | b'!' | b'?' => Class::Usual,
        b'\t' | 0x0b | 0x0c | 0 | 0x1a => Class::OddBlank,
        0x80..=0xff => Class::Wide,
        b'.' => Class::Dot,
        b'}' => Class::StrayBrace,
        b';' => Class::Semicolon,
        b'%' => Class::Percent,
        b'*' => Class::Star,
        b',' => Class::Comma,
        b'[' => Class::Bracket,
        _ => Class::Symbol,
    }
}

/// True for the ASCII bytes that can continue a word.
static IN_WORD: [bool; 256] = {
    let mut in_word = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_sign = matches!(
            CLASSES[byte],
            Class::Symbol | Class::Dot | Class::Bracket | Class::Percent
        );
        in_word[byte] = is_sign || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    in_word
};

struct Scanner<'a, V> {
    text: &'a [u8],
    at: usize,
    /// The byte that ends lines, once it was needed.
    eol: Option<u8>,
    skips_variations: bool,
    window: Window,
    visitor: &'a mut V,
}

/// What the tokens of a block of the text are found by, as bits. With them the next token is found
/// without looking at the bytes of this one, so the processor can read several tokens at once.
#[derive(Clone, Copy, Default)]
struct Window {
    start: usize,
    /// All but letters, digits and the signs around them: `-` to `:`, `@` to `z`, `+` and `#`.
    word_ends: u64,
    /// Those of them at which a common move ends.
    move_ends: u64,
    braces: u64,
}

/// Finds letters, digits and the signs around them.
struct InWords;

impl Test for InWords {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let lane = place.plus(0);
        let check = lane.is(b'+').or(lane.is(b'#'));
        check
            .or(lane.within(b'-', b':'))
            .or(lane.within(b'@', b'z'))
    }
}

/// Finds the last bytes of common moves without their check marks.
struct EndsMove;

impl Test for EndsMove {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let lane = place.plus(0);
        lane.within(b'1', b'8').or(lane.is(b'O'))
    }
}

/// Finds check marks.
struct Check;

impl Test for Check {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'+').or(place.plus(0).is(b'#'))
    }
}

/// Finds the bytes that follow common moves.
struct FollowsMove;

impl Test for FollowsMove {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let lane = place.plus(0);
        let blank = lane.is(b' ').or(lane.is(b'\r')).or(lane.is(b'\n'));
        let mark = lane.is(b'!').or(lane.is(b'?'));
        blank.or(mark).or(lane.is(b')').or(lane.is(b'{')))
    }
}

impl Window {
    #[inline(always)]
    fn new<C: Cpu>(cpu: C, text: &[u8], start: usize) -> Window {
        let mut end = None;
        let bytes = block_at(text, start, &mut end);
        let without_check = bits(cpu, bytes, EndsMove);
        let moves = without_check | (without_check << 1 & bits(cpu, bytes, Check));
        Window {
            start,
            word_ends: !bits(cpu, bytes, InWords),
            move_ends: moves << 1 & bits(cpu, bytes, FollowsMove),
            braces: bits(cpu, bytes, Brace),
        }
    }

    /// These bits from a position on.
    #[inline(always)]
    fn from(&self, bits: u64, at: usize) -> u64 {
        match at.wrapping_sub(self.start) {
            offset @ 0..BLOCK => bits >> offset,
            _ => 0,
        }
    }
}

impl<V: Visitor> Scanner<'_, V> {
    /// Reads tags, and the `;` and `%` lines between them.
    #[inline(always)]
    fn tag_section(&mut self, cpu: impl Cpu) {
        loop {
            let (text, mut at) = (self.text, self.at);
            while let Some((tag, next)) = tag_line(cpu, text, at) {
                at = next;
                self.visitor.tag(&tag);
            }
            self.at = at;
            let Some(&byte) = text.get(at) else {
                break;
            };
            match byte {
                b'[' => self.tag(),
                b';' => self.line_comment(Style::Line),
                b'%' if self.column_one() => self.line_comment(Style::Escape),
                _ => match space_len(self.text, self.at) {
                    0 => break,
                    len => self.at += len,
                },
            }
        }
    }

    fn eol(&mut self) -> u8 {
        let text = self.text;
        *self.eol.get_or_insert_with(|| eol_of(text))
    }

    fn tag(&mut self) {
        let eol = self.eol();
        let tag = read_tag(self.text, self.at, eol);
        self.at = tag.span.end.max(self.at + 1);
        self.at += usize::from(self.text.get(self.at) == Some(&b'\n'));
        self.visitor.tag(&tag);
    }

    #[inline(always)]
    fn movetext(&mut self, cpu: impl Cpu, shortcut: impl Shortcut<V>) {
        let text = self.text;
        let mut at = self.at;
        loop {
            at = shortcut.pass(cpu, self.visitor, at);
            let Some(&byte) = text.get(at) else {
                break;
            };
            let mut byte = byte;
            // The common tokens are tested one by one: separate branches can be predicted, a jump
            // by class cannot. A move follows a number.
            if byte.is_ascii_digit()
                && let Some((number, end)) = usual_number(text, at)
            {
                self.visitor.number(number, at..end);
                at = self.next_token(end);
                match text.get(at) {
                    Some(&next) => byte = next,
                    None => break,
                }
            }
            let start = at;
            if byte.is_ascii_alphabetic() {
                if let Some(end) = self.usual_word_end(cpu, at) {
                    at = self.next_token(end);
                    self.visitor.word(start..end);
                    continue;
                }
            } else if byte == b'{' {
                if let Some(end) = self.usual_comment_end(cpu, at) {
                    at = self.next_token(end);
                    self.visitor
                        .comment(Style::Brace, start + 1..end - 1, start..end);
                    continue;
                }
            } else if byte == b')' {
                at = self.next_token(at + 1);
                self.visitor.close(start);
                continue;
            } else if byte == b' ' {
                at += 1;
                continue;
            }
            self.at = at;
            self.any_token(byte);
            at = self.at;
        }
    }

    #[inline(always)]
    fn next_token(&self, at: usize) -> usize {
        next_token(self.text, at)
    }

    /// The end of a word that ends like a common move.
    #[inline(always)]
    fn usual_word_end(&mut self, cpu: impl Cpu, at: usize) -> Option<usize> {
        let mut ends = self.window.from(self.window.word_ends, at);
        if ends == 0 {
            self.window = Window::new(cpu, self.text, at);
            ends = self.window.word_ends;
        }
        let first = ends & ends.wrapping_neg();
        let is_usual = self.window.from(self.window.move_ends, at) & first != 0;
        is_usual.then(|| at + ends.trailing_zeros() as usize)
    }

    /// The end of most bytes of words from `at` on.
    #[inline(always)]
    fn word_run(&mut self, cpu: impl Cpu, at: usize) -> usize {
        let mut ends = self.window.from(self.window.word_ends, at);
        if ends == 0 {
            self.window = Window::new(cpu, self.text, at);
            ends = self.window.word_ends;
        }
        at + ends.trailing_zeros() as usize
    }

    /// The end of the comment whose `{` is at `open`, if it contains no brace and does not end with
    /// the text.
    #[inline(always)]
    fn usual_comment_end(&self, cpu: impl Cpu, open: usize) -> Option<usize> {
        match self.window.from(self.window.braces, open + 1) {
            0 => usual_comment_end(cpu, self.text, open),
            braces => closing_brace(self.text, open + 1, braces),
        }
    }

    #[inline(never)]
    fn any_token(&mut self, byte: u8) {
        let class = CLASSES[usize::from(byte)];
        if class != Class::Usual {
            self.odd_token(class);
        } else if byte == b'(' {
            self.open();
        } else if byte == b'$' {
            self.dollar();
        } else if byte == b'!' || byte == b'?' {
            self.marks();
        } else if byte.is_ascii_alphabetic() {
            self.word();
        } else if byte.is_ascii_digit() {
            self.number();
        } else if byte == b'{' {
            self.brace_comment();
        } else if byte == b'\n' || byte == b'\r' {
            self.line_end();
        } else if byte == b')' {
            self.emit(1, |v, span| v.close(span.start));
            self.skip_blank();
        } else {
            self.at += 1;
        }
    }

    #[inline(never)]
    fn odd_token(&mut self, class: Class) {
        match class {
            Class::Usual | Class::OddBlank | Class::Dot => self.at += 1,
            Class::Semicolon => self.line_comment(Style::Line),
            Class::Star => self.emit(1, |v, span| v.result(Outcome::Unknown, span)),
            Class::Symbol => self.symbol(),
            Class::Wide => self.wide(),
            Class::Percent if self.column_one() => self.line_comment(Style::Escape),
            Class::Bracket if self.is_tag_line() => self.tag_section(Portable),
            Class::Percent | Class::Bracket => self.word(),
            Class::StrayBrace => self.emit(1, |v, span| v.report(ComplaintKind::StrayBrace, span)),
            Class::Comma => self.emit(1, |v, span| v.report(ComplaintKind::StrayPunctuation, span)),
        }
    }

    /// Skips `len` bytes and passes them to the visitor.
    #[inline]
    fn emit(&mut self, len: usize, visit: impl FnOnce(&mut V, Span)) {
        let start = self.at;
        self.at += len;
        visit(self.visitor, start..start + len);
    }

    fn column_one(&mut self) -> bool {
        let eol = self.eol();
        let before = &self.text[..self.at];
        before.last().is_none_or(|&byte| byte == eol) || before == "\u{feff}".as_bytes()
    }

    /// True for a tag after text. The splitter keeps it only if it belongs to this game.
    fn is_tag_line(&mut self) -> bool {
        let eol = self.eol();
        let line = memchr::memrchr(eol, &self.text[..self.at]).map_or(0, |end| end + 1);
        let at_start = trim_end(self.text, self.at) <= line;
        at_start && is_tag(self.text, self.at, eol)
    }

    /// Reports a blank line in the movetext, unless nothing follows.
    #[inline]
    fn line_end(&mut self) {
        let next = match &self.text[self.at..] {
            [b'\r', b'\n', ..] => self.at + 2,
            _ => self.at + 1,
        };
        match self.text.get(next) {
            Some(b'!'..=b'~') => self.at = next,
            _ => self.line_ends(),
        }
    }

    fn line_ends(&mut self) {
        let (start, eol) = (self.at, self.eol());
        let mut line_ends = 0;
        while let Some(&byte) = self.text.get(self.at) {
            let len = space_len(self.text, self.at);
            if len == 0 {
                break;
            }
            line_ends += (byte == eol) as u32;
            self.at += len;
        }
        if line_ends > 1 && self.at < self.text.len() {
            self.visitor
                .report(ComplaintKind::BlankLine, start..self.at);
        }
    }

    /// The end of the word that starts here.
    fn word_end(&mut self) -> usize {
        let end = self.word_run(Portable, self.at);
        if end == self.window.start + BLOCK {
            return self.long_word_end();
        }
        let check = matches!(self.text.get(end), Some(b'+' | b'#'));
        let end = end + usize::from(check);
        let continues = |byte: &u8| !byte.is_ascii() || IN_WORD[*byte as usize];
        if end == self.at || self.text.get(end).is_some_and(continues) {
            self.long_word_end()
        } else {
            end
        }
    }

    #[inline(never)]
    fn long_word_end(&self) -> usize {
        let mut end = self.at + 1;
        loop {
            match self.text.get(end) {
                Some(&byte) if IN_WORD[byte as usize] => end += 1,
                Some(&byte) if byte >= 0x80 && !self.wide_word_ends(end) => end += 1,
                _ => return end,
            }
        }
    }

    /// True if a glyph, a Unicode space or an ellipsis starts at `at`.
    #[cold]
    fn wide_word_ends(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        space_len(self.text, at) > 0
            || rest.starts_with("…".as_bytes())
            || wide_glyph(rest).is_some()
    }

    fn word(&mut self) {
        let end = self.word_end();
        let word = &self.text[self.at..end];
        match word {
            [.., b'1'..=b'8' | b'O'] if self.text.get(end) != Some(&b'(') => self.emit_word(end),
            [.., b'1'..=b'8' | b'O', b'+' | b'#'] => self.emit_word(end),
            _ => self.odd_word(end),
        }
    }

    #[inline(never)]
    fn emit_word(&mut self, end: usize) {
        let span = self.at..end;
        self.at = end;
        self.skip_blank();
        self.visitor.word(span);
    }

    /// Skips the space or line end that usually follows, to save an iteration of the loop.
    #[inline(always)]
    fn skip_blank(&mut self) {
        self.at = self.next_token(self.at);
    }

    /// A word that does not end like a common move.
    fn odd_word(&mut self, end: usize) {
        let end = match &self.text[end..] {
            [
                b'(',
                b'Q' | b'R' | b'B' | b'N' | b'K' | b'q' | b'r' | b'b' | b'n' | b'k',
                b')',
                ..,
            ] if matches!(self.text[end - 1], b'1' | b'8') => end + 3,
            _ => end,
        };
        let end = self.without_dots(end);
        let word = &self.text[self.at..end];
        if let Some(nag) = sign(word) {
            return self.emit(word.len(), |v, span| v.nag(nag, span));
        }
        match glued_glyph(word) {
            Some((at, nag)) => {
                let sign = self.at + at..end;
                self.emit_word(sign.start);
                self.at = sign.end;
                self.visitor.nag(nag, sign);
            }
            None => self.emit_word(end),
        }
    }

    /// The end of the word without trailing dots, unless it consists of dots.
    fn without_dots(&self, end: usize) -> usize {
        let dots = self.text[self.at..end]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'.');
        (end - dots.count()).max(self.at + 1)
    }

    fn number(&mut self) {
        if let Some((outcome, len)) = usual_result(&self.text[self.at..]) {
            return self.emit(len, |v, span| v.result(outcome, span));
        }
        let mut number = 0u32;
        let mut end = self.at;
        while let Some(digit @ b'0'..=b'9') = self.text.get(end) {
            number = number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            end += 1;
        }
        match self.text.get(end) {
            Some(b'.') if number > 0 => self.emit_number(number, end),
            other => self.odd_number(number, end, other.copied()),
        }
    }

    /// Digits that are not a move number in its usual form.
    fn odd_number(&mut self, number: u32, end: usize, next: Option<u8>) {
        match next {
            Some(b'.' | b',') if self.is_half_point() => self.result_or_word(number, end),
            Some(b'-' | b'/' | b':' | 0x80..) => self.result_or_word(number, end),
            _ if self.text[self.at..].starts_with(b"0000") => self.word(),
            _ => self.emit_number(number, end),
        }
    }

    /// `0.5-0.5`
    fn is_half_point(&self) -> bool {
        matches!(&self.text[self.at..], [b'0', b'.' | b',', b'5', ..])
    }

    /// Emits a number whose digits end at `end`, with the dots that follow.
    #[inline]
    fn emit_number(&mut self, number: u32, end: usize) {
        let start = self.at;
        self.at = end;
        while self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
        }
        let span = start..self.at;
        self.skip_blank();
        self.visitor.number(number, span);
    }

    /// `1-0`, `0-0`, or a number with other text directly after it.
    fn result_or_word(&mut self, number: u32, digits_end: usize) {
        let comma = self.is_half_point();
        let end = if comma && self.text[self.at + 1] == b',' {
            (self.at..self.text.len())
                .find(|&at| self.text[at].is_ascii_whitespace())
                .unwrap_or(self.text.len())
        } else {
            self.word_end()
        };
        let end = self.without_dots(end);
        let word = &self.text[self.at..end];
        match Outcome::read(word) {
            Some(outcome) => self.emit_result(outcome, end),
            None if self.wide_word_ends(digits_end) => self.emit_number(number, digits_end),
            None if comma => self.emit_number(number, digits_end),
            None => self.word(),
        }
    }

    fn emit_result(&mut self, outcome: Outcome, end: usize) {
        let span = self.at..end;
        if self.text[span.clone()] != *outcome.as_str().as_bytes() {
            self.visitor.report(ComplaintKind::OddResult, span.clone());
        }
        self.at = end;
        self.visitor.result(outcome, span);
    }

    /// An ASCII glyph, or a word that starts with a sign: `+-`, `=`, `--`, `@@@@`.
    fn symbol(&mut self) {
        let end = self.word_end();
        self.odd_word(end);
    }

    /// Non-ASCII text: a space, an ellipsis, a glyph, a figurine, `½`.
    fn wide(&mut self) {
        let rest = &self.text[self.at..];
        let space = space_len(self.text, self.at);
        if space > 0 {
            self.at += space;
        } else if rest.starts_with("…".as_bytes()) {
            self.at += "…".len();
        } else if let Some((len, nag)) = wide_glyph(rest) {
            self.emit(len, |v, span| v.nag(nag, span));
        } else {
            self.wide_word();
        }
    }

    fn wide_word(&mut self) {
        let end = self.word_end();
        let end = self.without_dots(end);
        match Outcome::read(&self.text[self.at..end]) {
            Some(outcome) => self.emit_result(outcome, end),
            None => self.odd_word(end),
        }
    }

    /// `!` and `?`, in pairs.
    fn marks(&mut self) {
        let run = self.text[self.at..]
            .iter()
            .take_while(|byte| b"!?".contains(byte))
            .count();
        if run > 2 {
            self.visitor
                .report(ComplaintKind::OddMark, self.at..self.at + run);
        }
        let end = self.at + run;
        while self.at < end {
            let len = (end - self.at).min(2);
            let nag = match &self.text[self.at..self.at + len] {
                b"!" => 1,
                b"?" => 2,
                b"!!" => 3,
                b"??" => 4,
                b"!?" => 5,
                _ => 6,
            };
            self.emit(len, |v, span| v.nag(nag, span));
        }
    }

    #[inline]
    fn dollar(&mut self) {
        let bytes = self.text[self.at..].first_chunk();
        match bytes.and_then(|bytes| usual_nag(*bytes)) {
            Some((nag, len)) => {
                self.emit(len, |v, span| v.nag(nag, span));
                self.skip_blank();
            }
            None => self.any_dollar(),
        }
    }

    fn any_dollar(&mut self) {
        let rest = self.text[self.at + 1..].iter();
        let digits = rest.take_while(|byte| byte.is_ascii_digit()).count();
        let end = self.at + 1 + digits;
        let add = |nag: u32, digit: &u8| nag.checked_mul(10)?.checked_add(u32::from(digit - b'0'));
        let kind = match self.text[self.at + 1..end].iter().try_fold(0, add) {
            Some(_) if digits == 0 => ComplaintKind::NagWithoutNumber,
            Some(nag) => return self.emit(1 + digits, |v, span| v.nag(nag, span)),
            None => ComplaintKind::NagTooLarge,
        };
        let end = self.word_end();
        self.visitor.report(kind, self.at..end);
        self.emit_word(end);
    }

    /// `(`; but `(=)`, the draw offer, is a word and `(D)`, a diagram, a glyph.
    fn open(&mut self) {
        match &self.text[self.at..] {
            [b'(', b'=', b')', ..] => self.emit_word(self.at + 3),
            [b'(', b'D', b')', ..] => self.emit(3, |v, span| v.nag(220, span)),
            _ => {
                let end = self.skipped_variation_end();
                self.emit(1, |v, span| v.open(span.start));
                if let Some(end) = end {
                    self.at = self.next_token(end);
                    self.visitor.close(end - 1);
                }
            }
        }
    }

    /// The end of the variation that opens here, if it is skipped. Parentheses in it are balanced,
    /// whatever they mean. `None` if there is more than moves and plain comments.
    fn skipped_variation_end(&self) -> Option<usize> {
        if !self.skips_variations {
            return None;
        }
        let (mut start, mut depth) = (self.at, 0u32);
        loop {
            let mut marks = bits_at(self.text, start, VariationMark);
            let mut next = start + BLOCK;
            while marks != 0 {
                let at = start + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                match self.text[at] {
                    b'(' => depth += 1,
                    b')' if depth == 1 => return Some(at + 1),
                    b')' => depth -= 1,
                    b'{' => {
                        next = plain_comment_end(self.text, at)?;
                        break;
                    }
                    _ => return None,
                }
            }
            start = next;
            if start >= self.text.len() {
                return None;
            }
        }
    }

    #[inline]
    fn brace_comment(&mut self) {
        let (start, eol) = (self.at, self.eol());
        let (text, end) = match brace_end(self.text, start, eol) {
            BraceEnd::Closed(close) => (start + 1..close, close + 1),
            BraceEnd::Nested(close) => {
                let span = start..close + 1;
                self.visitor.report(ComplaintKind::BraceInComment, span);
                (start + 1..close, close + 1)
            }
            BraceEnd::Open(end) => {
                self.visitor
                    .report(ComplaintKind::UnclosedBrace, start..end);
                (start + 1..trim_end(self.text, end).max(start + 1), end)
            }
        };
        self.at = end;
        self.skip_blank();
        self.visitor.comment(Style::Brace, text, start..end);
    }

    fn line_comment(&mut self, style: Style) {
        let (start, eol) = (self.at, self.eol());
        self.at = line_end(self.text, start, eol);
        let text = start + 1..trim_end(self.text, self.at).max(start + 1);
        self.visitor.comment(style, text, start..self.at);
    }
}

/// The first byte at or after `at` that is not a space or line end; `at` before a blank line and
/// other rare line ends.
#[inline(always)]
pub(super) fn next_token(text: &[u8], at: usize) -> usize {
    // Branches: what follows need not wait for the bytes.
    if text.get(at) == Some(&b' ') {
        return at + 1;
    }
    match text.get(at..).unwrap_or_default() {
        [b'\n', b'!'..=b'~', ..] => at + 1,
        [b'\r', b'\n', b'!'..=b'~', ..] => at + 2,
        _ => at,
    }
}

/// The end of the comment whose `{` is at `open`, if it contains no brace and does not end with
/// the text.
#[inline(always)]
pub(super) fn usual_comment_end(cpu: impl Cpu, text: &[u8], open: usize) -> Option<usize> {
    let mut start = open + 1;
    let mut braces = bits(cpu, block_at(text, start, &mut None), Brace);
    while braces == 0 {
        start += BLOCK;
        braces = bits(cpu, text.get(start..)?.first_chunk()?, Brace);
    }
    closing_brace(text, start, braces)
}

/// The end of the first of some braces, given as bits from `start` on, if it is a closing one.
#[inline(always)]
fn closing_brace(text: &[u8], start: usize, braces: u64) -> Option<usize> {
    let close = start + braces.trailing_zeros() as usize;
    (text.get(close) == Some(&b'}')).then_some(close + 1)
}

/// Finds the signs that decide where a variation ends.
#[derive(Clone, Copy)]
struct VariationMark;

impl Test for VariationMark {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let lane = place.plus(0);
        let brackets = lane.within(b'(', b')').or(lane.within(b'{', b'}'));
        let line_comments = lane.is(b';').or(lane.is(b'%'));
        brackets.or(line_comments).or(lane.is(b'['))
    }
}

/// The end of the comment whose `{` is at `open`, if it contains no other brace.
fn plain_comment_end(text: &[u8], open: usize) -> Option<usize> {
    let close = open + 1 + memchr::memchr2(b'{', b'}', &text[open + 1..])?;
    (text[close] == b'}').then_some(close + 1)
}

/// A move number below 1000 with one or three dots, and its end, if eight bytes of the text follow
/// its start.
#[inline(always)]
pub(super) fn usual_number(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let head: &[u8; 8] = text[at..].first_chunk()?;
    let digit = |byte: u8| u32::from(byte.wrapping_sub(b'0'));
    let (number, dots, len) = match *head {
        [a, b'.', b, c, d, ..] => (digit(a), [b, c, d], 2),
        [a, b @ b'0'..=b'9', b'.', c, d, e, ..] => (digit(a) * 10 + digit(b), [c, d, e], 3),
        [a, b @ b'0'..=b'9', c @ b'0'..=b'9', b'.', d, e, f, ..] => {
            (digit(a) * 100 + digit(b) * 10 + digit(c), [d, e, f], 4)
        }
        _ => return None,
    };
    let len = match dots {
        [b'.', b'.', next] if next != b'.' => len + 2,
        [next, ..] if next != b'.' => len,
        _ => return None,
    };
    (number > 0).then_some((number, at + len))
}

/// A result before a line end or at the end of the text, and its length.
fn usual_result(text: &[u8]) -> Option<(Outcome, usize)> {
    let results = [Outcome::White, Outcome::Black, Outcome::Draw];
    let (outcome, after) = results.into_iter().find_map(|outcome| {
        let after = text.strip_prefix(outcome.as_str().as_bytes())?;
        Some((outcome, after))
    })?;
    let ends = matches!(after, [] | [b'\n' | b'\r', ..]);
    ends.then_some((outcome, text.len() - after.len()))
}

/// The number of a glyph after a `$`, if it has at most two digits, and its length with the `$`.
#[inline(always)]
pub(super) fn usual_nag(bytes: [u8; 4]) -> Option<(u32, usize)> {
    let digit = |byte: u8| u32::from(byte.wrapping_sub(b'0'));
    match bytes {
        [_, a @ b'0'..=b'9', next, _] if digit(next) > 9 => Some((digit(a), 2)),
        [_, a @ b'0'..=b'9', b, next] if digit(b) <= 9 && digit(next) > 9 => {
            Some((digit(a) * 10 + digit(b), 3))
        }
        _ => None,
    }
}

/// The number of a glyph that is a word of signs or capital letters.
fn sign(word: &[u8]) -> Option<u32> {
    match word {
        b"N" | b"TN" => Some(146),
        b"D" => Some(220),
        b"RR" => Some(145),
        [b'a'..=b'z' | b'A'..=b'Z', ..] | [_, _, _, _, _, _, _, _, _, ..] => None,
        _ => from_glyph(std::str::from_utf8(word).ok()?),
    }
}

/// The start and number of a glyph directly after a move: `Nf3+-`, `e5=`.
fn glued_glyph(word: &[u8]) -> Option<(usize, u32)> {
    if !matches!(word, [.., b'-' | b'=' | b'~' | b'+' | 0x80..]) {
        return None;
    }
    let ends_move = |last| {
        matches!(
            last,
            b'1'..=b'8' | b'O' | b'+' | b'#' | b'Q' | b'R' | b'B' | b'N'
        )
    };
    (2..word.len()).find_map(|at| {
        let (front, back) = word.split_at(at);
        let nag = sign(back)?;
        (ends_move(front[at - 1]) && looks_like_move(front)).then_some((at, nag))
    })
}

/// True if the text contains a move or a result.
pub(crate) fn is_move_like(text: &[u8], eol: u8) -> bool {
    struct Moves<'a> {
        text: &'a [u8],
        found: bool,
    }
    impl Visitor for Moves<'_> {
        fn word(&mut self, span: Span) {
            self.found |= could_be_move(&self.text[span]);
        }

        fn result(&mut self, _: Outcome, _: Span) {
            self.found = true;
        }

        fn open(&mut self, _: usize) {
            self.found = true;
        }
    }
    let mut visitor = Moves { text, found: false };
    Scanner {
        text,
        at: 0,
        eol: Some(eol),
        skips_variations: false,
        window: Window::default(),
        visitor: &mut visitor,
    }
    .movetext(Portable, NoShortcut);
    visitor.found
}

/// True for words that may be moves: those that look like one, and some that are moves only if they
/// are legal.
#[inline]
pub(crate) fn could_be_move(word: &[u8]) -> bool {
    match word {
        [.., b'a'..=b'h', b'1'..=b'8'] | [.., b'a'..=b'h', b'1'..=b'8', b'+' | b'#'] => true,
        [b'a'..=b'h', b'a'..=b'h'] | [b'a'..=b'h', b'x' | b':', b'a'..=b'h'] => true,
        _ => {
            let spelled = ["null", "pass"]
                .iter()
                .any(|null| word.eq_ignore_ascii_case(null.as_bytes()));
            spelled || looks_like_move(word)
        }
    }
}

/// True for words that look like moves, legal or not: those with a square, castling and null moves.
pub(crate) fn looks_like_move(word: &[u8]) -> bool {
    let names_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'9']);
    let castles = |word: &[u8]| {
        matches!(word, [b'O' | b'0' | b'o', b'-', b'O' | b'0' | b'o', ..])
            || word.starts_with("O–O".as_bytes())
            || word.starts_with("0–0".as_bytes())
    };
    word.windows(2).any(names_square)
        || castles(word)
        || matches!(word, b"--" | b"Z0" | b"0000" | b"@@@@" | b"OO" | b"OOO")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    /// The tokens of a scan in short form.
    struct Log<'a> {
        text: &'a str,
        log: String,
    }

    impl Visitor for Log<'_> {
        fn tag(&mut self, tag: &RawTag) {
            let text = self.text;
            write!(
                self.log,
                "[{}={}] ",
                &text[tag.name.clone()],
                &text[tag.value.clone()]
            )
            .unwrap();
        }
        fn number(&mut self, number: u32, _: Span) {
            write!(self.log, "{number}. ").unwrap();
        }
        fn word(&mut self, span: Span) {
            write!(self.log, "{} ", &self.text[span]).unwrap();
        }
        fn nag(&mut self, nag: u32, _: Span) {
            write!(self.log, "${nag} ").unwrap();
        }
        fn comment(&mut self, style: Style, text: Span, _: Span) {
            let sign = match style {
                Style::Brace => "{}",
                Style::Line => ";",
                Style::Escape => "%",
            };
            write!(self.log, "{sign}<{}> ", &self.text[text]).unwrap();
        }
        fn open(&mut self, _: usize) {
            self.log += "( ";
        }
        fn close(&mut self, _: usize) {
            self.log += ") ";
        }
        fn result(&mut self, outcome: Outcome, _: Span) {
            write!(self.log, "<{outcome}> ").unwrap();
        }
        fn report(&mut self, kind: ComplaintKind, _: Span) {
            write!(self.log, "#{} ", kind.name()).unwrap();
        }
    }

    fn check(text: &str, expected: &str) {
        let mut log = Log {
            text,
            log: String::new(),
        };
        scan(text.as_bytes(), &mut log);
        assert_eq!(log.log.trim_end(), expected, "scanning {text:?}");
    }

    #[test]
    fn tokens() {
        check("1. e4 e5 *", "1. e4 e5 <*>");
        check(
            "1.e4 1...e5 2.Nf3 2…Nc6 3 . Bb5 3.. a6",
            "1. e4 1. e5 2. Nf3 2. Nc6 3. Bb5 3. a6",
        );
        check("[A \"b\"] e4", "[A=b] e4");
        check(
            "[A \"b\"]\n; c\n% d\n[C \"e\"]\n\ne4",
            "[A=b] ;< c> %< d> [C=e] e4",
        );
        check("e4{a}(d4;x)\n)e5", "e4 {}<a> ( d4 ;<x)> ) e5");
        check("e4!? $3e5$14$1 ±=N D", "e4 $5 $3 e5 $14 $1 $14 $146 $220");
        check(
            "Qh4+− Nf3+- Nf3+ Nf3= Nf3=+ e8=Q+ O-O-O+ Qxe5++",
            "Qh4 $18 Nf3 $18 Nf3+ Nf3 $10 Nf3 $15 e8=Q+ O-O-O+ Qxe5++",
        );
        check("e4± Nf3∞ ♘f3 O–O", "e4 $16 Nf3 $13 ♘f3 O–O");
        check(
            "e8(Q) e4(D) e5 (=) (D)(d4)",
            "e8(Q) e4 $220 e5 (=) $220 ( d4 )",
        );
        check("0-0 0-0-0 0000 -- @@@@ Z0", "0-0 0-0-0 0000 -- @@@@ Z0");
        check("exd6e.p. e.p. Nf3.", "exd6e.p e.p Nf3");
        check("e4\n%x } {\ne5 %y", "e4 %<x } {> e5 %y");
        check(
            "$ $-1 $4294967296",
            "#NagWithoutNumber $ #NagWithoutNumber $-1 #NagTooLarge $4294967296",
        );
        check("e4\u{a0}e5\u{feff}\x0cd4\0d5\x1a", "e4 e5 d4 d5");
    }

    #[test]
    fn results() {
        check("1-0 0-1 1/2-1/2 *", "<1-0> <0-1> <1/2-1/2> <*>");
        check("½-½", "#OddResult <1/2-1/2>");
        check("1–0", "#OddResult <1-0>");
        check("0.5-0.5", "#OddResult <1/2-1/2>");
        check("1/2\n", "#OddResult <1/2-1/2>");
    }

    #[test]
    fn oddities() {
        check("e4 } ) ,", "e4 #StrayBrace ) #StrayPunctuation");
        check("{a {b} c", "#BraceInComment {}<a {b> c");
        check("e4 {x", "e4 #UnclosedBrace {}<x>");
        check("e4!!!", "e4 #OddMark $3 $1");
        check("e4\n \ne5\n\n", "e4 #BlankLine e5");
    }
}
