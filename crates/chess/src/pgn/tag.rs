//! One tag pair, `[Name "value"]`, in all forms found in files.

use super::block::{BLOCK, Lane, Overlap, Places, Test, bits, bits_at, block_at, half};
use super::bytes::{line_end, name_end, skip_blanks, skip_space, trim_end};
use super::cpu::{Cpu, Portable};
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

/// Reads a tag of the form `[Name "value"]`, without escapes, alone on a line. Returns it with the
/// start of the next line. Its only branches lead to long tags and to other forms.
#[inline(always)]
pub(crate) fn tag_line<C: Cpu>(cpu: C, text: &[u8], at: usize) -> Option<(RawTag, usize)> {
    let bytes: &Overlap = text.get(at..)?.first_chunk()?;
    // The next line waits for this only; everything else is tested in the meantime.
    let line_feeds = bits(cpu, bytes, LineFeed);
    let line_feed = line_feeds.trailing_zeros();
    let quotes = bits(cpu, bytes, Quote);
    let stops = bits(cpu, bytes, Stop);
    let end = stops.trailing_zeros();
    let name = half(cpu, bytes, 0, &Alphanumeric) >> 1;
    let name_end = 1 + name.trailing_ones();
    let open = name_end + 1;
    let byte = |offset: u32| bytes.get(offset as usize).copied();
    let starts_well = (name_end > 1) & (bytes[0] == b'[') & (byte(name_end) == Some(b' '));
    if line_feeds == 0 {
        let is_long = starts_well & (stops == 0) & (quotes == 1u64.wrapping_shl(open));
        let ends = if is_long {
            long_value_end(cpu, text, at)
        } else {
            None
        };
        let (end, next) = ends?;
        return Some((fine_tag(at, open, end), next));
    }
    let close = end.wrapping_sub(2);
    let in_line = 1u64.wrapping_shl(end).wrapping_sub(1);
    let two_quotes = 1u64.wrapping_shl(open) | 1u64.wrapping_shl(close);
    let is_return = (line_feed == end + 1) & (byte(end) == Some(b'\r'));
    let is_usual = ((line_feed == end) | is_return)
        & (quotes & in_line == two_quotes)
        & starts_well
        & (close > open)
        & (byte(close.wrapping_add(1)) == Some(b']'));
    let tag = || fine_tag(at, open, at + close as usize);
    is_usual.then(|| (tag(), at + line_feed as usize + 1))
}

/// The end of a value that is longer than a block, and the start of the next line.
#[inline(always)]
fn long_value_end(cpu: impl Cpu, text: &[u8], tag: usize) -> Option<(usize, usize)> {
    let mut at = tag + BLOCK;
    loop {
        let bytes: &Overlap = text.get(at..)?.first_chunk()?;
        let stops = bits(cpu, bytes, Stop) | bits(cpu, bytes, Quote);
        if stops == 0 {
            at += BLOCK;
            continue;
        }
        let end = at + stops.trailing_zeros() as usize;
        return match text[end..] {
            [b'"', b']', b'\n', ..] => Some((end, end + 3)),
            [b'"', b']', b'\r', b'\n', ..] => Some((end, end + 4)),
            _ => None,
        };
    }
}

/// A tag in its usual form, with the offset of its first quote and the position of its second.
#[inline(always)]
fn fine_tag(at: usize, open: u32, close: usize) -> RawTag {
    let open = at + open as usize;
    RawTag {
        name: at + 1..open - 1,
        value: open + 1..close,
        span: at..close + 2,
        form: TagForm::Fine,
    }
}

/// Finds line feeds.
pub(crate) struct LineFeed;

impl Test for LineFeed {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'\n')
    }
}

/// Finds `"`.
struct Quote;

impl Test for Quote {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'"')
    }
}

/// Finds backslashes and control characters.
struct Stop;

impl Test for Stop {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(b'\\').or(place.plus(0).up_to(b' ' - 1))
    }
}

/// Finds ASCII letters and digits.
pub(super) struct Alphanumeric;

impl Test for Alphanumeric {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).alphanumeric()
    }
}

/// Reads the tag whose `[` is at `at`.
pub(crate) fn read_tag(text: &[u8], at: usize, eol: u8) -> RawTag {
    usual_tag(text, at).unwrap_or_else(|| odd_tag(text, at, eol))
}

/// Reads `[Name "value"]` in exactly this form, with a name of at most 30 bytes, without escapes.
fn usual_tag(text: &[u8], at: usize) -> Option<RawTag> {
    let name = half(Portable, block_at(text, at, &mut None), 0, &Alphanumeric) >> 1;
    let name = at + 1..at + 1 + name.trailing_ones() as usize;
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
        let stops = bits_at(text, at, Stop) | bits_at(text, at, Quote);
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += BLOCK;
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
    // All bytes are tested, several at once.
    let is_special =
        |byte: u8| (byte == b'\\') | (byte == b'"') | (byte == b'\n') | (byte == b'\r');
    if !value
        .bytes()
        .fold(false, |found, byte| found | is_special(byte))
    {
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
