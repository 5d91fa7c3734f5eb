//! Splitting a text into games, at memory speed.
//!
//! The rules, in the order in which they are tested:
//! - a tag line after movetext starts a new game, anywhere outside a comment;
//! - a blank line among the tags ends a game only if the next tag is `Event` or one that the game
//!   already has (so games without movetext are separated);
//! - a blank line in the movetext ends a game after a result, or before move number 1; otherwise
//!   the game continues, with a complaint;
//! - a result followed by move number 1 ends a game, with or without a blank line;
//! - lines of text without moves before the first tag belong to the game with these tags, `;` and
//!   `%` lines to the game after them, or to the last game.
//!
//! Every byte belongs to one game, so the concatenated games are the file.

use super::block::{BLOCK, Lane, Places, Test, bits, block_at, count};
use super::bytes::{
    BraceEnd, brace_end, eol_at, eol_of, first_line_end, is_tag, line_end, skip_blanks, skip_space,
    trim_end,
};
use super::cpu::{Cpu, Task, run};
use super::outcome::Outcome;
use super::scan::is_move_like;
use super::tag::read_tag;
use memchr::{memchr, memchr2};
use std::collections::BTreeSet;

/// The bytes of one game and their position in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawGame<'a> {
    /// All bytes up to the start of the next game.
    pub bytes: &'a [u8],
    /// Their position in the file.
    pub place: GamePlace,
}

/// The position of a game in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GamePlace {
    /// The number of the game, from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// The number of its first line, from 1.
    pub line: u64,
    /// How it is separated from the game before it.
    pub border: Border,
}

/// How a game is separated from the game before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Border {
    /// By blank lines, or it is the first game.
    #[default]
    Blank,
    /// `*⏎[Event "B"]`: tags directly after a game.
    Tags,
    /// `1. e4 * 1. d4 *`: move number 1 directly after a result.
    NumberOne,
    /// The game before it was longer than the limit and was split.
    Limit,
}

/// Splits a complete text into games.
///
/// ```
/// let pgn = b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
/// let games: Vec<_> = gametree_chess::pgn::split(pgn).collect();
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[1].place.line, 5);
/// ```
pub fn split(text: &[u8]) -> Split<'_> {
    Split {
        text,
        next: GamePlace {
            number: 1,
            line: 1,
            ..GamePlace::default()
        },
    }
}

/// Iterator over the games of a text.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    text: &'a [u8],
    next: GamePlace,
}

impl<'a> Iterator for Split<'a> {
    type Item = RawGame<'a>;

    fn next(&mut self) -> Option<RawGame<'a>> {
        let End::Game(end) = game_end(self.text, true) else {
            return None;
        };
        let end = if end.len <= GAME_LIMIT {
            end
        } else {
            cut(self.text, GAME_LIMIT)
        };
        let (bytes, rest) = self.text.split_at(end.len);
        let place = self.next;
        self.text = rest;
        self.next = place.after(end);
        Some(RawGame { bytes, place })
    }
}

impl GamePlace {
    /// The position of the game after this one, which ends there.
    pub(crate) fn after(self, end: GameEnd) -> GamePlace {
        GamePlace {
            number: self.number + 1,
            offset: self.offset + end.len as u64,
            line: self.line + end.lines,
            border: end.border,
        }
    }
}

/// The maximum number of bytes of a game; a longer one is split at a line end.
pub const GAME_LIMIT: usize = 1 << 29;

/// Where to split a text that is longer than the limit: at a line end, or at least between
/// characters.
pub(crate) fn cut(text: &[u8], limit: usize) -> GameEnd {
    let len = cut_len(text, limit);
    let bytes = &text[..len];
    GameEnd {
        len,
        lines: memchr::memchr_iter(eol_of(bytes), bytes).count() as u64,
        border: Border::Limit,
    }
}

fn cut_len(text: &[u8], limit: usize) -> usize {
    if let Some(at) = memchr::memrchr2(b'\n', b'\r', &text[..limit]) {
        return at + 1;
    }
    let is_char_start = |at: &usize| text[*at] & 0xc0 != 0x80;
    let near = (limit.saturating_sub(3).max(1)..=limit)
        .rev()
        .find(is_char_start);
    near.unwrap_or(limit)
}

/// The result of [`game_end`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Game(GameEnd),
    /// More bytes are needed.
    More,
    /// The text is blank.
    Nothing,
}

/// Where a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameEnd {
    /// The number of its bytes.
    pub len: usize,
    /// The number of its line ends.
    pub lines: u64,
    /// How the next game is separated from it.
    pub border: Border,
}

/// Finds the end of the first game in `text`. `whole` means that no more bytes follow.
pub(crate) fn game_end(text: &[u8], whole: bool) -> End {
    run(FindEnd { text, whole })
}

struct FindEnd<'a> {
    text: &'a [u8],
    whole: bool,
}

impl Task for FindEnd<'_> {
    type Output = End;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> End {
        search(self.text, self.whole, cpu)
    }
}

#[inline(always)]
fn search(text: &[u8], whole: bool, cpu: impl Cpu) -> End {
    let start = skip_space(text, 0);
    if start == text.len() {
        return if whole { End::Nothing } else { End::More };
    }
    let first_end = first_line_end(&text[start..]);
    // A `\r` at the end may be the first half of `\r\n`.
    if !whole && first_end.is_none_or(|end| start + end + 1 == text.len()) {
        return End::More;
    }
    let search = Search {
        text,
        whole,
        eol: eol_at(&text[start..], first_end),
        at: start,
        tags: Tags::default(),
        has_tags: false,
        has_text: false,
        noted: Noted {
            result: false,
            end: 0,
        },
        meter: Meter { at: 0, depth: 0 },
    };
    search.run(cpu)
}

/// The search for one game's end.
struct Search<'a> {
    text: &'a [u8],
    whole: bool,
    eol: u8,
    at: usize,
    tags: Tags,
    has_tags: bool,
    /// The movetext contains something other than comments.
    has_text: bool,
    noted: Noted,
    meter: Meter,
}

/// Whether a result precedes `end`, or the comments that end there.
struct Noted {
    result: bool,
    end: usize,
}

/// What the search looks for in a block of movetext, as bits.
#[derive(Clone, Copy)]
struct Marks {
    /// `;`, ` 1.`, and line ends before lines that can be more than movetext.
    stops: u64,
    opens: u64,
    closes: u64,
}

impl Marks {
    /// The marks of the block from `start` on. Which blocks have braces is unpredictable, so all
    /// marks are computed for each.
    #[inline(always)]
    fn new<C: Cpu>(cpu: C, text: &[u8], start: usize, eol: u8) -> Marks {
        let mut end = None;
        let bytes = block_at(text, start, &mut end);
        Marks {
            stops: match eol {
                b'\n' => bits(cpu, bytes, Stop::<b'\n'>),
                _ => bits(cpu, bytes, Stop::<b'\r'>),
            },
            opens: bits(cpu, bytes, Byte::<b'{'>),
            closes: bits(cpu, bytes, Byte::<b'}'>),
        }
    }

    /// The bytes after which a comment is open, if braces alternate; `is_open` before the first.
    #[inline(always)]
    fn inside(&self, cpu: impl Cpu, is_open: bool) -> u64 {
        cpu.parities(self.opens ^ self.closes) ^ all_if(is_open)
    }
}

/// All bits, or none.
#[inline(always)]
fn all_if(condition: bool) -> u64 {
    u64::from(condition).wrapping_neg()
}

/// Finds a byte.
#[derive(Clone, Copy)]
struct Byte<const BYTE: u8>;

impl<const BYTE: u8> Test for Byte<BYTE> {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        place.plus(0).is(BYTE)
    }
}

/// Finds `;`, ` 1.`, and line ends before lines that can be more than movetext. A line is ordinary
/// movetext if it starts with a visible character that is not `%`, `[` or a 1 without another digit.
struct Stop<const EOL: u8>;

impl<const EOL: u8> Test for Stop<EOL> {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let (here, next, third) = (place.plus(0), place.plus(1), place.plus(2));
        let one = next.is(b'1');
        let other = next.is(b'%').or(next.is(b'['));
        let other = other.or(one.without(third.within(b'0', b'9')));
        let ordinary = next.within(b'!', b'~').without(other);
        let line = here.is(EOL).without(ordinary);
        let number_one = here.is(b' ').and(one).and(third.is(b'.'));
        line.or(number_one).or(here.is(b';'))
    }
}

/// The nesting depth of parentheses at a position, computed on demand.
struct Meter {
    at: usize,
    depth: usize,
}

/// The names of the tags so far, collected on demand.
#[derive(Default)]
struct Tags {
    /// Where to continue.
    next: usize,
    names: BTreeSet<Vec<u8>>,
}

impl Tags {
    /// Collects the names of the tags up to `to`.
    fn collect(&mut self, text: &[u8], to: usize, eol: u8) {
        while self.next < to {
            if text[self.next] == b'[' {
                let tag = read_tag(text, self.next, eol);
                self.names.insert(text[tag.name].to_vec());
                self.next = tag.span.end;
            } else {
                self.next = skip_space(text, line_end(text, self.next, eol));
            }
        }
    }
}

/// Finds lines that are not `…"]` with a `[` after the line end, or have another `]`. The places
/// are two bytes before the line end.
struct OddTagLine;

impl Test for OddTagLine {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let line_end = place.plus(2).is(b'\n');
        let usual = place.plus(0).is(b'"').and(place.plus(3).is(b'['));
        let bracket = place.plus(1).is(b']');
        line_end.differs(bracket).or(line_end.without(usual))
    }
}

/// The same for `\r\n`.
struct OddTagLineAfterReturn;

impl Test for OddTagLineAfterReturn {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let (returns, feeds) = (place.plus(2).is(b'\r'), place.plus(3).is(b'\n'));
        let usual = place.plus(0).is(b'"').and(place.plus(4).is(b'['));
        let bracket = place.plus(1).is(b']');
        let odd = returns.differs(bracket).or(returns.differs(feeds));
        odd.or(returns.without(usual))
    }
}

/// How the search of a section ended.
enum SectionEnd {
    /// The game ends here.
    Border(usize, Border),
    /// The text ended.
    TextEnd,
}

impl Search<'_> {
    #[inline(always)]
    fn run(mut self, cpu: impl Cpu) -> End {
        let section_end = loop {
            if let Some(end) = self.tag_section(cpu) {
                break end;
            }
            self.meter.at = self.at;
            self.noted = Noted {
                result: false,
                end: self.at,
            };
            self.has_text = false;
            if let Some(end) = self.movetext(cpu) {
                break end;
            }
        };
        let (len, border) = match section_end {
            SectionEnd::Border(at, border) => (at, border),
            SectionEnd::TextEnd if self.whole => (self.text.len(), Border::Blank),
            SectionEnd::TextEnd => return End::More,
        };
        let lines = match self.eol {
            b'\n' => count(cpu, self.text, len, Byte::<b'\n'>),
            _ => count(cpu, self.text, len, Byte::<b'\r'>),
        };
        End::Game(GameEnd { len, lines, border })
    }

    /// Skips tags and `;` and `%` lines, up to the first byte of movetext.
    #[inline(always)]
    fn tag_section(&mut self, cpu: impl Cpu) -> Option<SectionEnd> {
        loop {
            let before = self.at;
            self.at = skip_space(self.text, before);
            match self.text.get(self.at) {
                None => return Some(SectionEnd::TextEnd),
                Some(b'[') if !self.whole && self.line_is_cut() => {
                    return Some(SectionEnd::TextEnd);
                }
                Some(b'[') if self.new_game_of_tags(before) => {
                    return Some(SectionEnd::Border(self.line_start(), Border::Blank));
                }
                Some(b'[') => self.pass_tag(cpu),
                Some(b';') => self.pass_line(),
                Some(b'%') if self.column_one(self.at) => self.pass_line(),
                Some(_) => return None,
            }
        }
    }

    /// True if the text ends on this line or the next, so a tag may be incomplete.
    fn line_is_cut(&self) -> bool {
        let end = line_end(self.text, self.at, self.eol);
        end == self.text.len() || line_end(self.text, end + 1, self.eol) == self.text.len()
    }

    /// Skips a tag, or all lines that consist of one tag.
    #[inline(always)]
    fn pass_tag(&mut self, cpu: impl Cpu) {
        if !self.has_tags {
            self.has_tags = true;
            self.tags.next = self.at;
        }
        let start = self.at;
        if self.eol == b'\n' && self.pass_tag_lines(cpu) {
            return;
        }
        while let Some(end) = self.tag_line_end() {
            self.at = end;
            match self.text.get(end + 1) {
                Some(b'[') => self.at += 1,
                _ => return,
            }
        }
        if self.at == start {
            self.at = read_tag(self.text, self.at, self.eol).span.end;
        }
    }

    /// Skips lines that consist of one tag, as [`tag_line_end`](Self::tag_line_end) does, block by
    /// block. Returns true at the line end before a line without a tag, false at a tag that needs
    /// a closer look.
    #[inline(always)]
    fn pass_tag_lines(&mut self, cpu: impl Cpu) -> bool {
        let end = line_end(self.text, self.at, b'\n');
        if end < self.at + r#"["]"#.len() {
            return false;
        }
        let after_return = self.text[end - 1] == b'\r';
        let mut start = self.at;
        while let Some(bytes) = self.text[start..].first_chunk() {
            let odd = if after_return {
                bits(cpu, bytes, OddTagLineAfterReturn)
            } else {
                bits(cpu, bytes, OddTagLine)
            };
            if odd != 0 {
                return self.end_tag_lines(start + odd.trailing_zeros() as usize);
            }
            start += BLOCK;
        }
        false
    }

    /// The lines end at a `]` or line end directly after `odd`.
    fn end_tag_lines(&mut self, odd: usize) -> bool {
        let end = match self.text[odd..] {
            [b'"', b']', b'\n', ..] => Some(odd + 2),
            [b'"', b']', b'\r', b'\n', ..] => Some(odd + 3),
            _ => None,
        };
        if let Some(end) = end {
            self.at = end;
            return true;
        }
        let lines = &self.text[self.at..odd + 2];
        self.at += memchr::memrchr(b'\n', lines).map_or(0, |end| end + 1);
        false
    }

    /// The end of this line if it consists of one tag: its first `]` is its last byte and follows a
    /// quote.
    #[inline]
    fn tag_line_end(&self) -> Option<usize> {
        let close = self.at + memchr2(b']', self.eol, &self.text[self.at..])?;
        match self.text.get(close - 1..close + 3)? {
            [b'"', b']', eol, _] if *eol == self.eol => Some(close + 1),
            [b'"', b']', b'\r', b'\n'] if self.eol == b'\n' => Some(close + 2),
            _ => None,
        }
    }

    fn pass_line(&mut self) {
        self.at = line_end(self.text, self.at, self.eol);
    }

    /// True after a blank line among tags if the next tag is `Event` or a duplicate.
    fn new_game_of_tags(&mut self, before: usize) -> bool {
        if !self.has_tags || !self.blank_line_in(before, self.at) {
            return false;
        }
        self.tags.collect(self.text, self.at, self.eol);
        let name = &self.text[read_tag(self.text, self.at, self.eol).name];
        name == b"Event" || self.tags.names.contains(name)
    }

    /// True if the white space from `from` to `to` contains an empty line.
    fn blank_line_in(&self, from: usize, to: usize) -> bool {
        memchr::memchr_iter(self.eol, &self.text[from..to])
            .nth(1)
            .is_some()
    }

    /// Skips movetext up to the end of the game, or to tags that belong to this game.
    #[inline(always)]
    fn movetext(&mut self, cpu: impl Cpu) -> Option<SectionEnd> {
        while let Some(hit) = self.next_hit(cpu) {
            if !self.has_text {
                self.has_text = self.has_text_before(hit);
            }
            match self.text[hit] {
                b'{' => {
                    if let Some(end) = self.pass_comment(hit) {
                        return Some(end);
                    }
                }
                b' ' => {
                    if self.after_result(hit) && self.depth(hit) == 0 {
                        return Some(SectionEnd::Border(hit + 1, Border::NumberOne));
                    }
                    self.at = hit + 1;
                }
                b';' => self.note(hit, line_end(self.text, hit, self.eol)),
                _ => match self.line_after(hit) {
                    NextLine::Text(at) => self.at = at,
                    NextLine::Tags(at) => {
                        self.at = at;
                        return None;
                    }
                    NextLine::Border(at, border) => return Some(SectionEnd::Border(at, border)),
                    NextLine::TextEnd => return Some(SectionEnd::TextEnd),
                },
            }
        }
        Some(SectionEnd::TextEnd)
    }

    /// The next `;`, ` 1.`, line end before a line that can be more than movetext, or comment that
    /// needs a closer look. Comments with a `}` and no other brace are skipped.
    #[inline(always)]
    fn next_hit(&self, cpu: impl Cpu) -> Option<usize> {
        let mut from = self.at;
        let mut is_open = false;
        while from < self.text.len() {
            let marks = Marks::new(cpu, self.text, from, self.eol);
            let inside = marks.inside(cpu, is_open);
            let before = inside << 1 | u64::from(is_open);
            let nested = marks.opens & before;
            let stray = marks.closes & !before;
            let hits = (marks.stops & !before) | nested | stray;
            if hits == 0 {
                is_open = inside >> 63 != 0;
                from += BLOCK;
                continue;
            }
            let at = hits.trailing_zeros() as usize;
            if stray >> at & 1 != 0 {
                (from, is_open) = (from + at + 1, false);
            } else if nested >> at & 1 != 0 {
                return self.last_open(from + at);
            } else {
                return Some(from + at);
            }
        }
        if is_open {
            self.last_open(self.text.len())
        } else {
            None
        }
    }

    /// The last `{` before a position.
    #[cold]
    fn last_open(&self, before: usize) -> Option<usize> {
        let open = memchr::memrchr(b'{', &self.text[self.at..before]);
        open.map(|open| self.at + open)
    }

    /// True if there is something other than comments from here to `end`.
    fn has_text_before(&self, end: usize) -> bool {
        let text = &self.text[..end];
        let mut at = skip_space(text, self.at);
        while text.get(at) == Some(&b'{') {
            match memchr(b'}', &text[at..]) {
                Some(len) => at = skip_space(text, at + len + 1),
                None => break,
            }
        }
        at < end
    }

    /// Skips the comment at `open`. If more text can follow, the end of an unclosed comment is known
    /// only if another `{` follows.
    fn pass_comment(&mut self, open: usize) -> Option<SectionEnd> {
        match brace_end(self.text, open, self.eol) {
            BraceEnd::Closed(close) | BraceEnd::Nested(close) => self.note(open, close + 1),
            BraceEnd::Open(end) => {
                let next = memchr2(b'{', b'}', &self.text[end..]).map(|len| self.text[end + len]);
                if !self.whole && next != Some(b'{') {
                    return Some(SectionEnd::TextEnd);
                }
                self.note(open, end);
            }
        }
        None
    }

    /// Skips a comment and stores whether a result precedes it.
    fn note(&mut self, open: usize, end: usize) {
        let result = self.after_result(open);
        self.noted = Noted { result, end };
        self.at = end;
    }

    /// True if a result precedes `at`, ignoring comments. Calls with later positions continue here.
    fn after_result(&mut self, at: usize) -> bool {
        let last = trim_end(self.text, at);
        let mut end = last;
        let result = loop {
            if end <= self.noted.end && self.noted.end > 0 {
                break self.noted.result;
            }
            match self.comment_before(end) {
                Some(open) => end = trim_end(self.text, open),
                None => break self.ends_in_result(end),
            }
        };
        self.noted = Noted {
            result,
            end: last.max(self.noted.end),
        };
        result
    }

    /// The start of the comment that ends here: the first `{` after the `}` before it.
    fn comment_before(&self, end: usize) -> Option<usize> {
        let text = &self.text[self.noted.end.min(end)..end];
        let text = text.strip_suffix(b"}")?;
        let from = memchr::memrchr(b'}', text).map_or(0, |close| close + 1);
        let open = from + memchr(b'{', &text[from..])?;
        Some(self.noted.end + open)
    }

    fn ends_in_result(&self, end: usize) -> bool {
        let looks_so = matches!(
            &self.text[..end],
            [.., b'*']
                | [
                    ..,
                    b'-' | b'/' | b':' | b'.' | b',' | 0x80..,
                    b'0' | b'1' | b'2' | b'5' | 0xbd
                ]
        );
        looks_so && ends_in_result(&self.text[self.noted.end.min(end)..end])
    }

    fn depth(&mut self, at: usize) -> usize {
        self.meter.advance(self.text, at, self.eol);
        self.meter.depth
    }

    /// Classifies the line after the line end at `end`.
    fn line_after(&mut self, end: usize) -> NextLine {
        let start = end + 1;
        // The common case first: a line of movetext.
        match self.text.get(start) {
            Some(b'%') => return self.escape_line(start),
            Some(b'[' | b'1' | b';') => {}
            Some(b'!'..=b'~') => return NextLine::Text(start),
            _ => {}
        }
        let at = skip_space(self.text, start);
        let Some(&byte) = self.text.get(at) else {
            return NextLine::TextEnd;
        };
        let blank = self.blank_line_in(end, at);
        match byte {
            b'[' => self.bracket_line(end, at, blank),
            b'1' => self.number_line(end, at, blank),
            b'%' | b';' if blank && self.after_result(end) => self.lines_between(at),
            b'%' if self.column_one(at) => self.escape_line(at),
            _ if blank && self.after_result(end) => self.border(at, Border::Blank),
            _ => NextLine::Text(at),
        }
    }

    fn escape_line(&mut self, at: usize) -> NextLine {
        self.note(at, line_end(self.text, at, self.eol));
        NextLine::Text(self.at)
    }

    /// A tag starts a new game, unless this one has only comments or words so far.
    fn bracket_line(&mut self, end: usize, at: usize, blank: bool) -> NextLine {
        let is_tag = is_tag(self.text, at, self.eol);
        let after_pause = blank || self.after_result(end);
        let is_letter = self.text.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        let starts_tags = is_tag || (after_pause && is_letter);
        if !starts_tags {
            return NextLine::Text(at);
        }
        match self.has_tags || self.has_moves(end) {
            true if blank => self.border(at, Border::Blank),
            true => self.border(at, Border::Tags),
            false if is_tag => NextLine::Tags(at),
            false => NextLine::Text(at),
        }
    }

    /// True if the game contains a move or a result. Used only for games without tags.
    fn has_moves(&self, end: usize) -> bool {
        self.has_text && is_move_like(&self.text[..end], self.eol)
    }

    /// A line that starts with 1: a new game, if it is move number 1 and this game has ended.
    fn number_line(&mut self, end: usize, at: usize, blank: bool) -> NextLine {
        let digits = self.text[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let dot = skip_blanks(self.text, at + digits, self.eol);
        let number_one = digits == 1 && self.text.get(dot) == Some(&b'.');
        if !blank && !number_one {
            return NextLine::Text(at);
        }
        let result = self.after_result(end);
        match (blank, result) {
            (true, true) => self.border(at, Border::Blank),
            (true, false) if number_one && self.has_text && self.depth(end) == 0 => {
                self.border(at, Border::Blank)
            }
            (false, true) if number_one && self.depth(end) == 0 => {
                self.border(at, Border::NumberOne)
            }
            _ => NextLine::Text(at),
        }
    }

    /// `;` and `%` lines after a finished game belong to the next one, if there is one.
    fn lines_between(&mut self, first: usize) -> NextLine {
        let mut at = first;
        while let Some(b'%' | b';') = self.text.get(at) {
            at = skip_space(self.text, line_end(self.text, at, self.eol));
        }
        if at == self.text.len() {
            NextLine::TextEnd
        } else {
            self.border(first, Border::Blank)
        }
    }

    fn border(&mut self, at: usize, border: Border) -> NextLine {
        self.at = at;
        NextLine::Border(self.line_start(), border)
    }

    /// The start of the current line if only white space precedes the current position.
    fn line_start(&self) -> usize {
        let start = memchr::memrchr(self.eol, &self.text[..self.at]).map_or(0, |end| end + 1);
        if skip_blanks(self.text, start, self.eol) == self.at {
            start
        } else {
            self.at
        }
    }

    fn column_one(&self, at: usize) -> bool {
        at == 0 || self.text[at - 1] == self.eol || self.text[..at] == *"\u{feff}".as_bytes()
    }
}

/// The class of the line after a line end.
enum NextLine {
    Text(usize),
    Tags(usize),
    Border(usize, Border),
    TextEnd,
}

impl Meter {
    /// Counts parentheses outside comments up to `to`.
    fn advance(&mut self, text: &[u8], to: usize, eol: u8) {
        while self.at < to {
            match text[self.at] {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b'{' => match brace_end(text, self.at, eol) {
                    BraceEnd::Closed(end) | BraceEnd::Nested(end) | BraceEnd::Open(end) => {
                        self.at = end.max(self.at);
                    }
                },
                b';' => self.at = line_end(text, self.at, eol),
                _ => {}
            }
            self.at += 1;
        }
    }
}

/// True if the last word of the text is a result.
pub(crate) fn ends_in_result(text: &[u8]) -> bool {
    let from = text.len().saturating_sub(24);
    let is_border = |byte: &u8| byte.is_ascii_whitespace() || b"(){}!?*$;,".contains(byte);
    if text.last() == Some(&b'*') {
        return true;
    }
    let start = text[from..].iter().rposition(is_border);
    match start {
        Some(start) => Outcome::read(&text[from + start + 1..]).is_some(),
        None => from == 0 && Outcome::read(text).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of a text, trimmed.
    fn games(text: &str) -> Vec<&str> {
        let games: Vec<_> = split(text.as_bytes()).collect();
        let whole: Vec<u8> = games.iter().flat_map(|game| game.bytes).copied().collect();
        assert!(text.as_bytes().starts_with(&whole));
        assert_eq!(
            trim_end(text.as_bytes(), text.len()),
            trim_end(&whole, whole.len())
        );
        games
            .iter()
            .map(|game| std::str::from_utf8(game.bytes).unwrap().trim())
            .collect()
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(games(text), expected, "splitting {text:?}");
        for cut in 0..text.len() {
            if let End::Game(end) = game_end(&text.as_bytes()[..cut], false) {
                let first = text[..end.len].trim();
                assert_eq!(first, expected[0], "first {cut} bytes of {text:?}");
            }
        }
    }

    #[test]
    fn borders() {
        check("1. e4 e5 *", &["1. e4 e5 *"]);
        check("", &[]);
        check("\n \n", &[]);
        check(
            "[A \"a\"]\n\n1. e4 *\n\n[A \"b\"]\n\n1. d4 *",
            &["[A \"a\"]\n\n1. e4 *", "[A \"b\"]\n\n1. d4 *"],
        );
        // tags without a blank line before them
        check(
            "[A \"a\"]\n\n1. e4 *\n[A \"b\"]\n\n1. d4",
            &["[A \"a\"]\n\n1. e4 *", "[A \"b\"]\n\n1. d4"],
        );
        // bare games
        check("1. e4 1-0\n1. d4 0-1", &["1. e4 1-0", "1. d4 0-1"]);
        check(
            "1. e4 1-0 1. d4 0-1 1. c4 *",
            &["1. e4 1-0", "1. d4 0-1", "1. c4 *"],
        );
        check("1. e4 1-0 {x} 1. d4 0-1", &["1. e4 1-0 {x}", "1. d4 0-1"]);
        check(
            "1. e4 e5\n\n1. d4 d5\n\n1. c4 *",
            &["1. e4 e5", "1. d4 d5", "1. c4 *"],
        );
        check(
            "1. e4 1/2\n\n1. e4 ½-½\n\n1. d4 1–0\n\n1. c4 1/2-1/2",
            &["1. e4 1/2", "1. e4 ½-½", "1. d4 1–0", "1. c4 1/2-1/2"],
        );
        check("e4 *\n\nd4 *", &["e4 *", "d4 *"]);
    }

    #[test]
    fn no_borders() {
        for text in [
            "[A \"a\"]\n\n1. e4 e5\n\n2. Nf3 Nc6 *",
            "[A \"a\"]\n\n[B \"b\"]\n\n1. e4 *",
            "[A \"a\"]\n\n{intro}\n\n1. e4 *",
            "{intro}\n\n[A \"a\"]\n\n1. e4 *",
            "Games of the week\n\n[A \"a\"]\n\n1. e4 *",
            "1. e4 1-0 e5 2. Nf3 *",
            "1. e4 (1. d4 1-0 1. d4) e5 *",
            "1. e4 (1. d4 d5\n\n1. c4 c5) e5 *",
            "1. e4 {x\n\n[A \"b\"]\n\n1. d4} e5 *",
            "1. e4 {1-0 1. d4} e5 *",
            "1. e4 *\n\n; the end\n% really\n\n",
            "[A \"(\"]\n\n1. e4 (1. d4 * 1. c4) *",
            "[A \"a\"]\n\n1. e4\n[%clk 1]\ne5 *",
            "1. e4\n1. d4 *",
        ] {
            check(text, &[text.trim()]);
        }
    }

    #[test]
    fn games_of_tags_alone() {
        check(
            "[Event \"A\"]\n\n\n[Event \"B\"]",
            &["[Event \"A\"]", "[Event \"B\"]"],
        );
        check(
            "[White \"A\"]\n\n[White \"B\"]",
            &["[White \"A\"]", "[White \"B\"]"],
        );
        check(
            "[White \"A\"]\n[White \"B\"]",
            &["[White \"A\"]\n[White \"B\"]"],
        );
        check(
            "[White \"A\"]\n\n[WhiteElo \"B\"]",
            &["[White \"A\"]\n\n[WhiteElo \"B\"]"],
        );
    }

    #[test]
    fn a_forgotten_brace_costs_one_game() {
        let (a, b) = ("[A \"a\"]\n\n1. e4 {never *", "[A \"b\"]\n\n1. d4 {ok} *");
        check(&format!("{a}\n\n{b}"), &[a, b]);
    }

    #[test]
    fn line_ends() {
        check(
            "[A \"a\"]\r\r1. e4 *\r\r[A \"b\"]\r\r1. d4 *\r",
            &["[A \"a\"]\r\r1. e4 *", "[A \"b\"]\r\r1. d4 *"],
        );
        check(
            "[A \"a\"]\r\n\r\n1. e4 *\r\n\r\n\u{feff}[A \"b\"]\r\n\r\n1. d4 *",
            &[
                "[A \"a\"]\r\n\r\n1. e4 *",
                "\u{feff}[A \"b\"]\r\n\r\n1. d4 *",
            ],
        );
    }

    #[test]
    fn places() {
        let games: Vec<_> = split(b"\n[A \"a\"]\n*\n[A \"b\"]\n* 1. e4")
            .map(|game| game.place)
            .collect();
        let place = |number, offset, line, border| GamePlace {
            number,
            offset,
            line,
            border,
        };
        assert_eq!(
            games,
            [
                place(1, 0, 1, Border::Blank),
                place(2, 11, 4, Border::Tags),
                place(3, 21, 5, Border::NumberOne),
            ]
        );
    }
}
