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

use super::block::{Block, Lane, Places, places};
use super::bytes::{
    BraceEnd, brace_end, eol_at, eol_of, first_line_end, is_tag, line_end, skip_blanks, skip_space,
    trim_end,
};
use super::outcome::Outcome;
use super::scan::is_move_like;
use super::tag::read_tag;
use memchr::{memchr, memchr2, memmem};
use std::collections::BTreeSet;
use std::sync::LazyLock;

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
        ones: Ones::default(),
    }
}

/// Iterator over the games of a text.
#[derive(Clone, Debug)]
pub struct Split<'a> {
    text: &'a [u8],
    next: GamePlace,
    ones: Ones,
}

impl<'a> Iterator for Split<'a> {
    type Item = RawGame<'a>;

    fn next(&mut self) -> Option<RawGame<'a>> {
        let End::Game(len, border) = game_end(self.text, true, &mut self.ones) else {
            return None;
        };
        let (len, border) = if len <= GAME_LIMIT {
            (len, border)
        } else {
            (cut(self.text, GAME_LIMIT), Border::Limit)
        };
        let (bytes, rest) = self.text.split_at(len);
        let place = self.next;
        self.text = rest;
        self.next = place.after(bytes, border);
        Some(RawGame { bytes, place })
    }
}

impl GamePlace {
    /// The position of the game after one with these bytes.
    pub(crate) fn after(self, bytes: &[u8], border: Border) -> GamePlace {
        GamePlace {
            number: self.number + 1,
            offset: self.offset + bytes.len() as u64,
            line: self.line + memchr::memchr_iter(eol_of(bytes), bytes).count() as u64,
            border,
        }
    }
}

/// The maximum number of bytes of a game; a longer one is split at a line end.
pub const GAME_LIMIT: usize = 1 << 29;

/// Where to split a text that is longer than the limit: at a line end, or at least between
/// characters.
pub(crate) fn cut(text: &[u8], limit: usize) -> usize {
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
    /// The number of bytes of the game, and how the next one is separated from it.
    Game(usize, Border),
    /// More bytes are needed.
    More,
    /// The text is blank.
    Nothing,
}

/// Finds the end of the first game in `text`. `whole` means that no more bytes follow; `ones` caches
/// findings of earlier searches in the same text.
pub(crate) fn game_end(text: &[u8], whole: bool, ones: &mut Ones) -> End {
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
        plain_lines: true,
        noted: Noted {
            result: false,
            end: 0,
        },
        ones,
        meter: Meter { at: 0, depth: 0 },
    };
    search.run()
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
    /// So far, all comments ended on the line where they started.
    plain_lines: bool,
    noted: Noted,
    ones: &'a mut Ones,
    meter: Meter,
}

/// Whether a result precedes `end`, or the comments that end there.
struct Noted {
    result: bool,
    end: usize,
}

/// The next ` 1.` in the text, inside or outside comments. The search looks far ahead, and its
/// result is kept from game to game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ones {
    /// There is none before this position.
    free: usize,
    /// True if there is one at `free`.
    hit: bool,
}

impl Ones {
    /// The distance of the look-ahead.
    const STRIDE: usize = 1 << 15;

    /// The first one within `from..until`.
    #[inline]
    fn next(&mut self, text: &[u8], from: usize, until: usize) -> Option<usize> {
        if self.free < from {
            *self = Ones {
                free: from,
                hit: false,
            };
        }
        if self.free < until && !self.hit {
            self.search(text, until);
        }
        (self.hit && self.free < until).then_some(self.free)
    }

    fn search(&mut self, text: &[u8], until: usize) {
        let end = (self.free + Ones::STRIDE).max(until + 2).min(text.len());
        match ONE.find(&text[self.free..end]) {
            Some(len) => {
                *self = Ones {
                    free: self.free + len,
                    hit: true,
                }
            }
            // The last two bytes may be its start.
            None => self.free = self.free.max(end.saturating_sub(2)),
        }
    }

    /// Continues with the text `len` bytes later.
    pub(crate) fn pass(&mut self, len: usize) {
        if self.free >= len {
            self.free -= len;
        } else {
            *self = Ones::default();
        }
    }
}

static ONE: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b" 1."));

/// What the search looks for in a block of movetext, as bits.
#[derive(Clone, Copy, Default)]
struct Marks {
    /// `;` and line ends.
    stops: u64,
    opens: u64,
    closes: u64,
}

impl Marks {
    #[inline]
    fn new(text: &[u8], start: usize, eol: u8) -> Marks {
        let block = Block::at(text, start);
        let stops = block.bits(|lane| lane.is(eol).or(lane.is(b';')));
        let braces = block.bits(|lane| lane.is(b'{').or(lane.is(b'}')));
        if braces == 0 {
            return Marks {
                stops,
                ..Marks::default()
            };
        }
        let opens = block.bits(|lane| lane.is(b'{'));
        Marks {
            stops,
            opens,
            closes: braces ^ opens,
        }
    }

    /// The bytes after which a comment is open, if braces alternate; `is_open` before the first.
    #[inline]
    fn inside(&self, is_open: bool) -> u64 {
        let mut inside = self.opens ^ self.closes;
        if inside != 0 {
            for shift in [1, 2, 4, 8, 16, 32] {
                inside ^= inside << shift;
            }
        }
        if is_open { !inside } else { inside }
    }
}

/// The bytes that start ordinary lines of movetext.
static STARTS_MOVETEXT: [bool; 256] = {
    let mut ordinary = [false; 256];
    let mut byte = b'2';
    while byte <= b'~' {
        ordinary[byte as usize] = !matches!(byte, b'[' | b';');
        byte += 1;
    }
    ordinary
};

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
#[inline(always)]
fn is_odd_tag_line(place: Places) -> Lane {
    let line_end = place.plus(2).is(b'\n');
    let usual = place.plus(0).is(b'"').and(place.plus(3).is(b'['));
    let bracket = place.plus(1).is(b']');
    line_end
        .differs(bracket)
        .or(line_end.differs(line_end.and(usual)))
}

/// The same for `\r\n`.
#[inline(always)]
fn is_odd_tag_line_after_return(place: Places) -> Lane {
    let (returns, feeds) = (place.plus(2).is(b'\r'), place.plus(3).is(b'\n'));
    let usual = place.plus(0).is(b'"').and(place.plus(4).is(b'['));
    let bracket = place.plus(1).is(b']');
    let odd = returns.differs(bracket).or(returns.differs(feeds));
    odd.or(returns.differs(returns.and(usual)))
}

/// The position of the highest bit.
#[inline]
fn last_bit(bits: u64) -> Option<usize> {
    bits.checked_ilog2().map(|bit| bit as usize)
}

/// How the search of a section ended.
enum SectionEnd {
    /// The game ends here.
    Border(usize, Border),
    /// The text ended.
    TextEnd,
}

impl Search<'_> {
    fn run(mut self) -> End {
        let section_end = loop {
            if let Some(end) = self.tag_section() {
                break end;
            }
            self.meter.at = self.at;
            self.noted = Noted {
                result: false,
                end: self.at,
            };
            self.has_text = false;
            if let Some(end) = self.movetext() {
                break end;
            }
        };
        match section_end {
            SectionEnd::Border(at, border) => {
                self.ones.pass(at);
                End::Game(at, border)
            }
            SectionEnd::TextEnd if self.whole => End::Game(self.text.len(), Border::Blank),
            SectionEnd::TextEnd => End::More,
        }
    }

    /// Skips tags and `;` and `%` lines, up to the first byte of movetext.
    fn tag_section(&mut self) -> Option<SectionEnd> {
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
                Some(b'[') => self.pass_tag(),
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
    fn pass_tag(&mut self) {
        if !self.has_tags {
            self.has_tags = true;
            self.tags.next = self.at;
        }
        let start = self.at;
        if self.eol == b'\n' && self.pass_tag_lines() {
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
    fn pass_tag_lines(&mut self) -> bool {
        let end = line_end(self.text, self.at, b'\n');
        if end < self.at + r#"["]"#.len() {
            return false;
        }
        let after_return = self.text[end - 1] == b'\r';
        let mut start = self.at;
        while let Some(bytes) = self.text[start..].first_chunk() {
            let odd = if after_return {
                places(bytes, is_odd_tag_line_after_return)
            } else {
                places(bytes, is_odd_tag_line)
            };
            if odd != 0 {
                return self.end_tag_lines(start + odd.trailing_zeros() as usize);
            }
            start += Block::LEN;
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
    fn movetext(&mut self) -> Option<SectionEnd> {
        loop {
            let Some(hit) = self.next_hit() else {
                return Some(self.last_segment());
            };
            if let Some(end) = self.segment(hit) {
                return Some(end);
            }
            match self.text[hit] {
                b'{' => {
                    if let Some(end) = self.pass_comments(hit) {
                        return Some(end);
                    }
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
    }

    /// The next `;`, line end before a line that can be more than movetext, or comment that needs a
    /// closer look. If comments span lines, those with a `}` and no other brace are skipped.
    #[inline]
    fn next_hit(&self) -> Option<usize> {
        let mut from = self.at;
        let mut comment = None;
        while from < self.text.len() {
            let mut marks = Marks::new(self.text, from, self.eol);
            if self.plain_lines {
                marks.stops |= marks.opens;
            }
            let inside = marks.inside(comment.is_some());
            let before = inside << 1 | u64::from(comment.is_some());
            let nested = marks.opens & before;
            let stray = marks.closes & !before;
            let mut hits = (marks.stops & !before) | nested | stray;
            while self.is_ordinary_line(from, hits) {
                hits &= hits - 1;
            }
            if hits == 0 {
                comment = match inside >> 63 {
                    0 => None,
                    _ => last_bit(marks.opens).map(|at| from + at).or(comment),
                };
                from += Block::LEN;
                continue;
            }
            let at = hits.trailing_zeros() as usize;
            if stray >> at & 1 != 0 {
                (from, comment) = (from + at + 1, None);
            } else if nested >> at & 1 != 0 {
                let opens = marks.opens & ((1 << at) - 1);
                return last_bit(opens).map(|at| from + at).or(comment);
            } else {
                return Some(from + at);
            }
        }
        comment
    }

    /// True if the first hit is a line end before an ordinary line of movetext.
    #[inline]
    fn is_ordinary_line(&self, from: usize, hits: u64) -> bool {
        let end = from + hits.trailing_zeros() as usize;
        match self.text.get(end..end + 2) {
            Some(&[here, next]) => hits != 0 && here == self.eol && STARTS_MOVETEXT[next as usize],
            _ => false,
        }
    }

    /// Searches the text from here to `end` for the start of another game, and notes whether there is
    /// text.
    #[inline]
    fn segment(&mut self, end: usize) -> Option<SectionEnd> {
        if !self.has_text {
            self.has_text = self.has_text_before(end);
        }
        let (mut at, mut in_comment) = (self.at, false);
        while let Some(one) = self.ones.next(self.text, at, end) {
            if let Some(brace) = memchr::memrchr2(b'{', b'}', &self.text[at..one]) {
                in_comment = self.text[at + brace] == b'{';
            }
            if !in_comment && self.after_result(one) && self.depth(one) == 0 {
                return Some(SectionEnd::Border(one + 1, Border::NumberOne));
            }
            at = one + 1;
        }
        None
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

    fn last_segment(&mut self) -> SectionEnd {
        self.segment(self.text.len()).unwrap_or(SectionEnd::TextEnd)
    }

    /// Skips the rest of the line if it is plain, otherwise the comment at `open`.
    fn pass_comments(&mut self, open: usize) -> Option<SectionEnd> {
        if self.plain_lines
            && self.has_text
            && let Some(end) = self.plain_line_end(open)
        {
            return self.pass_plain_line(open, end);
        }
        self.pass_comment(open)
    }

    /// The end of the line if all comments from `open` on are closed on it. The last brace decides,
    /// because after a `}` no comment is open. Such a line is skipped as a whole. If a game has
    /// another line, this is not tried again: its comments span lines.
    fn plain_line_end(&mut self, open: usize) -> Option<usize> {
        let end = line_end(self.text, open, self.eol);
        let line = &self.text[open..end];
        let last = memchr::memrchr2(b'{', b'}', line).map(|at| line[at]);
        self.plain_lines =
            end < self.text.len() && last == Some(b'}') && memchr(b';', line).is_none();
        self.plain_lines.then_some(end)
    }

    fn pass_plain_line(&mut self, open: usize, end: usize) -> Option<SectionEnd> {
        self.at = open;
        let border = self.segment(end);
        self.at = end;
        border
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
            let mut ones = Ones::default();
            if let End::Game(len, _) = game_end(&text.as_bytes()[..cut], false, &mut ones) {
                let first = text[..len].trim();
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
