//! One tag pair, `[Name "value"]`, in all forms found in files.

use super::block::{Block, Lane};
use super::bytes::{line_end, name_end, skip_blanks, skip_space, trim_end};
use std::borrow::Cow;
use std::ops::Range;

/// A tag in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawTag {
    /// The name; may be empty.
    pub name: Range<usize>,
    /// The text between the quotes, with escapes.
    pub value: Range<usize>,
    /// The whole tag.
    pub span: Range<usize>,
    /// How it is written.
    pub form: TagForm,
}

/// How a tag is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TagForm {
    /// `[Name "value"]` without escapes in the value.
    Fine,
    /// `[Name "a \"b\""]`: the value may contain escapes.
    Escaped,
    /// `[Name "a "b" c"]`: unescaped quotes in the value.
    RawQuote,
    /// `[Name "value`: the line ends before the tag.
    Unterminated,
    /// `[Name]`
    NoValue,
    /// `[Name value]`
    Unquoted,
}

/// Tags of the form `[Name "value"]`, without escapes, each on a line. Where a tag starts does not
/// depend on how the one before it was read, so the processor can read several at once.
pub(crate) struct TagLines<'a> {
    /// The block, and the bytes in it.
    bytes: &'a [u8],
    start: usize,
    /// The start of the next line, and the line ends that were not passed yet.
    line: u32,
    line_ends: u64,
    quotes: u64,
    /// `\` and control characters.
    odd: u64,
    letters_and_digits: u64,
}

impl<'a> TagLines<'a> {
    /// The tags on the complete lines of the block from `at` on.
    #[inline(always)]
    pub(crate) fn at(text: &'a [u8], at: usize) -> TagLines<'a> {
        let block = Block::at(text, at);
        let line_ends = block.bits(|lane| lane.is(b'\n'));
        TagLines {
            bytes: &text[at..],
            start: at,
            line: 0,
            line_ends,
            quotes: block.bits(|lane| lane.is(b'"')),
            odd: block.bits(|lane| lane.is(b'\\').or(lane.up_to(b' ' - 1))),
            letters_and_digits: block.bits(Lane::alphanumeric),
        }
    }

    /// The start of the line after the last tag.
    #[inline(always)]
    pub(crate) fn next_line(&self) -> usize {
        self.start + self.line as usize
    }
}

impl Iterator for TagLines<'_> {
    type Item = RawTag;

    #[inline(always)]
    fn next(&mut self) -> Option<RawTag> {
        if self.line_ends == 0 {
            return None;
        }
        let byte = |offset: u32| self.bytes.get(offset as usize).copied();
        let (line, line_feed) = (self.line, self.line_ends.trailing_zeros());
        let end = line_feed - u32::from(byte(line_feed.wrapping_sub(1)) == Some(b'\r'));
        let name_end = line + 1 + (self.letters_and_digits >> line >> 1).trailing_ones();
        let (open, close) = (name_end + 1, end.wrapping_sub(2));
        let in_line = (1u64 << end) - (1 << line);
        let two_quotes = 1u64.wrapping_shl(open) | 1u64.wrapping_shl(close);
        let is_usual = self.quotes & in_line == two_quotes
            && self.odd & in_line == 0
            && name_end > line + 1
            && close > open
            && byte(line) == Some(b'[')
            && byte(name_end) == Some(b' ')
            && byte(close + 1) == Some(b']');
        self.line_ends &= self.line_ends - 1;
        self.line = line_feed + 1;
        let at = |offset: u32| self.start + offset as usize;
        is_usual.then(|| RawTag {
            name: at(line + 1)..at(name_end),
            value: at(open + 1)..at(close),
            span: at(line)..at(end),
            form: TagForm::Fine,
        })
    }
}

/// Reads the tag whose `[` is at `at`.
pub(crate) fn read_tag(text: &[u8], at: usize, eol: u8) -> RawTag {
    usual_tag(text, at).unwrap_or_else(|| odd_tag(text, at, eol))
}

/// Reads `[Name "value"]` in exactly this form, without escapes.
fn usual_tag(text: &[u8], at: usize) -> Option<RawTag> {
    let letters = |byte: &&u8| byte.is_ascii_alphanumeric();
    let name = at + 1..at + 1 + text[at + 1..].iter().take_while(letters).count();
    let value = name.end + 2;
    if text.get(name.end..value) != Some(b" \"") || name.is_empty() {
        return None;
    }
    let value = value..plain_value_end(text, value);
    (text.get(value.end..value.end + 2)? == b"\"]").then(|| RawTag {
        span: at..value.end + 2,
        name,
        value,
        form: TagForm::Fine,
    })
}

/// The end of the ordinary bytes of a value.
fn plain_value_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let stops = Block::at(text, at)
            .bits(|lane| lane.is(b'"').or(lane.is(b'\\')).or(lane.up_to(b' ' - 1)));
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += Block::LEN;
    }
    text.len()
}

#[cold]
fn odd_tag(text: &[u8], at: usize, eol: u8) -> RawTag {
    let name = skip_blanks(text, at + 1, eol);
    let name = name..name_end(text, name).min(line_end(text, name, eol));
    let next = skip_blanks(text, name.end, eol);
    match text.get(next) {
        Some(b'"') => quoted(text, at, name, next, eol),
        _ => unquoted(text, at, name, next, eol),
    }
}

fn unquoted(text: &[u8], at: usize, name: Range<usize>, next: usize, eol: u8) -> RawTag {
    let line = line_end(text, next, eol);
    let close = memchr::memchr(b']', &text[next..line]).map(|len| next + len);
    let end = trim_end(text, close.unwrap_or(line)).max(next);
    let form = match close {
        None => TagForm::Unterminated,
        Some(_) if end == next => TagForm::NoValue,
        Some(_) => TagForm::Unquoted,
    };
    RawTag {
        name,
        value: next..end,
        span: at..close.map_or(end, |close| close + 1),
        form,
    }
}

/// The value starts at the quote `open`.
fn quoted(text: &[u8], at: usize, name: Range<usize>, open: usize, eol: u8) -> RawTag {
    let line = line_end(text, open, eol);
    let tag = |value_end: usize, close: usize, form| RawTag {
        name: name.clone(),
        value: open + 1..value_end,
        span: at..close + 1,
        form,
    };
    if let Some((quote, close, form)) = closing_quote(text, open + 1, line) {
        return tag(quote, close, form);
    }
    if let Some((quote, close)) = closing_quote_below(text, line, eol) {
        return tag(quote, close, TagForm::Escaped);
    }
    // Remove the end of a tag from the value.
    let mut end = trim_end(text, line).max(open + 1);
    let whole = end;
    for last in [b']', b'"'] {
        if end > open + 1 && text[end - 1] == last {
            end = trim_end(text, end - 1).max(open + 1);
        }
    }
    tag(end, whole.max(open + 1) - 1, TagForm::Unterminated)
}

/// The first unescaped quote before `line` that is followed by a bracket, and that bracket. A
/// backslash before the last such quote of the line is part of the value (`"C:\"]`).
fn closing_quote(text: &[u8], from: usize, line: usize) -> Option<(usize, usize, TagForm)> {
    let mut form = TagForm::Escaped;
    let mut escaped_close = None;
    let mut escaped = false;
    for at in from..line {
        let bracket = || bracket_after(text, at, line);
        match text[at] {
            b'\\' if !escaped => escaped = true,
            b'"' => {
                match (escaped, bracket()) {
                    (false, Some(close)) => return Some((at, close, form)),
                    (true, Some(close)) => escaped_close = Some((at, close, form)),
                    (false, None) => form = TagForm::RawQuote,
                    (true, None) => {}
                }
                escaped = false;
            }
            _ => escaped = false,
        }
    }
    escaped_close
}

fn bracket_after(text: &[u8], quote: usize, line: usize) -> Option<usize> {
    let next = skip_space(&text[..line], quote + 1);
    (next < line && text[next] == b']').then_some(next)
}

/// A value may continue on the next line, if that line is not a tag and closes the value.
fn closing_quote_below(text: &[u8], line: usize, eol: u8) -> Option<(usize, usize)> {
    let next = skip_blanks(text, (line + 1).min(text.len()), eol);
    let end = line_end(text, next, eol);
    if end == next || matches!(text[next], b'[' | b'%' | b';') {
        return None;
    }
    let (quote, close, form) = closing_quote(text, next, end)?;
    (form == TagForm::Escaped && bracket_is_last(text, close, end)).then_some((quote, close))
}

fn bracket_is_last(text: &[u8], close: usize, line: usize) -> bool {
    skip_space(&text[..line], close + 1) == line
}

/// The value with `\"` and `\\` unescaped and line ends replaced by spaces.
pub(crate) fn unescape(raw: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'\\', b'\n', b'\r', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some('"' | '\\')) => value.extend(chars.next()),
            ('\r', Some('\n')) => {}
            ('\n' | '\r', _) => value.push(' '),
            _ => value.push(char),
        }
    }
    Cow::Owned(value)
}

/// The value escaped for writing between quotes.
pub(crate) fn escape(value: &str) -> Cow<'_, str> {
    if !value.contains(['\\', '"', '\n', '\r']) {
        return Cow::Borrowed(value);
    }
    let mut raw = String::with_capacity(value.len() + 8);
    for char in value.chars() {
        match char {
            '\\' | '"' => raw.extend(['\\', char]),
            '\n' | '\r' => raw.push(' '),
            _ => raw.push(char),
        }
    }
    Cow::Owned(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, name: &str, value: &str, rest: &str, form: TagForm) {
        let tag = read_tag(text.as_bytes(), 0, b'\n');
        assert_eq!(&text[tag.name], name, "name in {text:?}");
        assert_eq!(unescape(&text[tag.value]), value, "value in {text:?}");
        assert_eq!(&text[tag.span.end..], rest, "rest of {text:?}");
        let found = match tag.form {
            TagForm::Escaped => TagForm::Fine,
            form => form,
        };
        assert_eq!(found, form, "form of {text:?}");
    }

    #[test]
    fn forms() {
        use TagForm::*;
        check("[A \"b\"]x", "A", "b", "x", Fine);
        check("[A\"b\" ]", "A", "b", "", Fine);
        check("[ A \t \"b\"]", "A", "b", "", Fine);
        check("[A \"\"]", "A", "", "", Fine);
        check("[A \"x ] y\"]", "A", "x ] y", "", Fine);
        check(r#"[A "a \"b\" c\\d"]"#, "A", r#"a "b" c\d"#, "", Fine);
        check(r#"[A "c:\"]"#, "A", r"c:\", "", Fine);
        check(r#"[A "a "b" c"]"#, "A", r#"a "b" c"#, "", RawQuote);
        check("[A \"b\"][C \"d\"]", "A", "b", "[C \"d\"]", Fine);
        check("[A \"b\nc\"]\n", "A", "b c", "\n", Fine);
        check("[A \"b\n[C \"d\"]", "A", "b", "\n[C \"d\"]", Unterminated);
        check("[A \"b]\n", "A", "b", "\n", Unterminated);
        check("[A \"", "A", "", "", Unterminated);
        check("[A \"b\"\n", "A", "b", "\n", Unterminated);
        check("[A]", "A", "", "", NoValue);
        check("[A b c]", "A", "b c", "", Unquoted);
        check("[A b", "A", "b", "", Unterminated);
        check("[", "", "", "", Unterminated);
        check("[]", "", "", "", NoValue);
        check("[ \"b\"]", "", "b", "", Fine);
        check("[BlackType: \"b\"]", "BlackType:", "b", "", Fine);
    }

    #[test]
    fn escape_and_back() {
        for value in ["", "a", "\"", "\\", "\\\"", "a\\b\"c\\\\"] {
            assert_eq!(unescape(&escape(value)), value);
        }
    }
}
