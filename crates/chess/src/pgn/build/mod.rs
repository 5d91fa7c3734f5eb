//! Building a game from the tokens of the scanner: moves are checked, notes are attached to nodes.
//!
//! From its first unreadable move on, a line is kept as text: its tokens, separated by spaces, up
//! to the parenthesis that closes the line or to the end of the game. Writing that text and reading
//! it again fails at the same word, so repeated reading and writing loses nothing.

mod boards;
mod finish;
mod kept;
mod locate;
mod mainline;
mod moves;
mod setup;
mod text;
mod trace;
mod usual;
mod words;

use super::Span;
use super::bytes::eol_of;
use super::complaint::{ComplaintKind, Finding};
use super::encoding::decode_game;
use super::game::{Game, Note, NoteKind, NotePlace, Text};
use super::outcome::Outcome;
use super::scan::{Shortcut, Style, Visitor, could_be_move, scan_with};
use super::split::RawGame;
use super::tag::RawTag;
use crate::Board;
use boards::Boards;
use kept::Kept;
use locate::{first_converted, locate};
use moves::{Frame, Line, push_nag};
use std::borrow::Cow;
use text::{push_comment, push_part, push_without_returns, without_margins};
pub(super) use trace::{Kind, NodeTokens, Own, Token, Trace, trace};
use usual::UsualTokens;
use words::{Held, Words};

/// Builds games from bytes and reuses its working memory from game to game.
#[derive(Default)]
pub struct Builder {
    frames: Vec<Frame>,
    findings: Vec<Finding>,
    pending: Vec<Pending>,
    scratch: Game,
}

impl Builder {
    /// Returns a builder. Use one per thread.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Reads a game.
    pub fn read(&mut self, raw: RawGame) -> Game {
        // Read into allocated memory, then copy without spare capacity.
        let mut scratch = std::mem::take(&mut self.scratch);
        self.read_into(raw, &mut scratch);
        let game = scratch.clone();
        self.scratch = scratch;
        game
    }

    /// Reads a game into an existing one, whose content is replaced.
    pub fn read_into(&mut self, raw: RawGame, game: &mut Game) {
        self.read_with(UsualTokens, raw, game);
    }

    /// Reads a game, with or without a shortcut.
    #[inline(always)]
    fn read_with(
        &mut self,
        shortcut: impl for<'a> Shortcut<Build<'a>>,
        raw: RawGame,
        game: &mut Game,
    ) {
        game.place = raw.place;
        game.source_len = raw.bytes.len() as u64;
        let (text, has_returns) = decode_game(raw.bytes);
        let mut build = self.start(&text, game);
        build.plain_line_ends = !has_returns;
        build.border(raw.place.border);
        if let Cow::Owned(_) = text {
            build.report(ComplaintKind::NotUtf8, first_converted(raw.bytes, &text));
        }
        scan_with(text.as_bytes(), shortcut, &mut build);
        build.finish();
        locate(&mut self.findings, &text, raw.bytes, game);
    }

    /// Reads the tags, the start position, the mainline and the result of a game into an existing
    /// one, whose content is replaced; its nodes are numbered along the mainline. Variations, notes,
    /// glyphs and complaints are left out, so this is faster than reading all.
    pub fn read_mainline_into(&mut self, raw: RawGame, game: &mut Game) {
        game.place = raw.place;
        game.source_len = raw.bytes.len() as u64;
        let (text, has_returns) = decode_game(raw.bytes);
        let mut build = self.start(&text, game);
        build.plain_line_ends = !has_returns;
        build.without_complaints = true;
        if !mainline::read(&text, build) {
            self.read_into(raw, game);
            mainline::keep(game);
        }
    }

    /// An empty game to be built from a text.
    fn start<'a>(&'a mut self, source: &'a str, game: &'a mut Game) -> Build<'a> {
        game.clear();
        self.frames.clear();
        self.findings.clear();
        self.pending.clear();
        Build {
            source,
            eol: eol_of(source.as_bytes()),
            plain_line_ends: false,
            without_complaints: false,
            boards: Boards::new(Board::new()),
            line: Line::MAIN,
            held: None,
            result: None,
            words: None,
            has_words: false,
            kept: None,
            number: 0..0,
            in_movetext: false,
            tags_to_copy: 0..0,
            tags_seen: [0; 4],
            wrong_number: false,
            early_variation: false,
            game,
            frames: &mut self.frames,
            findings: &mut self.findings,
            pending: &mut self.pending,
        }
    }
}

/// The maximum number of complaints kept per game.
const COMPLAINTS: usize = 10_000;

/// The number of tags of a game that are checked for duplicates.
const TAGS_COMPARED: usize = 64;

/// A note or a glyph before the first move of a variation.
#[derive(Clone, Copy)]
enum Pending {
    Note(Note),
    Nag(u32),
}

/// A game being built.
struct Build<'a> {
    source: &'a str,
    eol: u8,
    /// True if the source is known to contain no `\r`.
    plain_line_ends: bool,
    /// True if complaints are not kept.
    without_complaints: bool,
    game: &'a mut Game,
    boards: Boards,
    line: Line,
    /// The result that was read last, if nothing follows it yet.
    held: Option<Held>,
    /// The result to use among those before it.
    result: Option<Held>,
    words: Option<Words>,
    has_words: bool,
    kept: Option<Kept>,
    /// The last move number.
    number: Span,
    in_movetext: bool,
    /// Tags that will be copied to the end of the game's text, in one piece.
    tags_to_copy: Span,
    /// A Bloom filter of tag names.
    tags_seen: [u64; 4],
    wrong_number: bool,
    /// True if a variation precedes the first move.
    early_variation: bool,
    frames: &'a mut Vec<Frame>,
    findings: &'a mut Vec<Finding>,
    pending: &'a mut Vec<Pending>,
}

impl Visitor for Build<'_> {
    #[inline(always)]
    fn tag(&mut self, tag: &RawTag) {
        if self.in_movetext {
            return self.tag_after_text(tag);
        }
        self.add_tag(tag);
    }

    fn movetext(&mut self) -> bool {
        self.in_movetext = true;
        self.copy_tags();
        self.set_up();
        true
    }

    #[inline(always)]
    fn number(&mut self, number: u32, span: Span) {
        if (self.kept.is_some() || self.words.is_some()) && self.is_other_number(&span) {
            return;
        }
        self.number = span.clone();
        if number != self.boards.now().fullmoves() && !self.wrong_number {
            self.wrong_number = true;
            self.report(ComplaintKind::WrongNumber, span);
        }
    }

    #[inline(always)]
    fn word(&mut self, span: Span) {
        if self.kept.is_some() {
            return self.keep(&span);
        }
        let text = self.source.as_bytes();
        match self.boards.play_plain_san(text, span.clone()) {
            Some(mv) => self.add_move(mv, &span),
            None => self.odd_word(span),
        }
    }

    fn nag(&mut self, nag: u32, span: Span) {
        if self.kept.is_some() {
            return self.keep_text(&format!("${nag}"));
        }
        if self.is_variation_start() {
            self.flush();
            self.report(ComplaintKind::NagBeforeMove, span);
            return self.pending.push(Pending::Nag(nag));
        }
        push_nag(self.game, self.line.node, nag);
    }

    #[inline(always)]
    fn comment(&mut self, style: Style, text: Span, _: Span) {
        if style == Style::Brace && self.kept.is_none() && self.eol == b'\n' {
            self.brace_comment(text);
        } else {
            self.any_comment(style, text);
        }
    }

    fn open(&mut self, at: usize) {
        if let Some(kept) = &mut self.kept {
            kept.depth += 1;
            return self.keep(&(at..at + 1));
        }
        self.flush();
        let mut start = self.line.node;
        if self.line.moves == 0 {
            self.report(ComplaintKind::VariationBeforeMove, at..at + 1);
            self.early_variation = true;
        } else {
            start = self.parent();
            self.boards.take_back();
        }
        self.frames.push(Frame {
            line: self.line,
            board: self.boards.now().clone(),
            open: at as u32,
            pending: self.pending.len() as u32,
        });
        self.line = self.line.variation(start, self.frames.len() - 1);
    }

    fn close(&mut self, at: usize) {
        let mut was_kept = false;
        if let Some(kept) = self.kept.as_mut().filter(|kept| kept.depth > 0) {
            kept.depth -= 1;
            return self.keep(&(at..at + 1));
        }
        if self.frames.is_empty() {
            return self.report(ComplaintKind::StrayParenthesis, at..at + 1);
        }
        if self.kept.is_some() {
            self.end_keeping();
            was_kept = true;
        }
        self.flush();
        self.end_variation(at, was_kept);
    }

    fn result(&mut self, outcome: Outcome, span: Span) {
        if self.kept.is_some() {
            return self.keep_result(outcome);
        }
        self.flush();
        let inner = !self.frames.is_empty();
        if !inner && self.result.is_some() {
            self.report(ComplaintKind::SecondResult, span.clone());
        }
        self.held = Some(Held {
            outcome,
            node: self.line.node,
            place: self.place(),
            inner,
            before: self.is_variation_start(),
            at: span.start,
        });
    }

    fn report(&mut self, kind: ComplaintKind, span: Span) {
        let node = self.line.node;
        match self.findings.len() {
            0..COMPLAINTS => self.findings.push(Finding { kind, span, node }),
            COMPLAINTS => {
                let kind = ComplaintKind::TooMany;
                self.findings.push(Finding { kind, span, node });
            }
            _ => {}
        }
    }
}

impl<'a> Build<'a> {
    /// A number in text that is kept or among words. Returns false if it is a move number.
    #[cold]
    #[inline(never)]
    fn is_other_number(&mut self, span: &Span) -> bool {
        if let Some(kept) = &self.kept {
            // After a result, `1.` would start another game when the text is read again.
            if kept.result.is_none() {
                self.keep(span);
            }
            return true;
        }
        let is_word = !self.slice(span).ends_with('.');
        if is_word {
            self.unknown_word(span.clone());
        }
        is_word
    }

    /// A comment in braces, without one space at both ends, in a text whose lines end with `\n`.
    #[inline(always)]
    fn brace_comment(&mut self, Span { start, end }: Span) {
        if start + 2 > end {
            return self.any_comment(Style::Brace, start..end);
        }
        let is_blank = |at: usize| self.source.as_bytes().get(at) == Some(&b' ');
        let end = end - usize::from(is_blank(end - 1));
        let start = start + usize::from(is_blank(start));
        if start == end {
            return;
        }
        self.flush();
        let before = self.game.text.len() as u32;
        if self.plain_line_ends {
            push_part(&mut self.game.text, self.source, start..end);
        } else {
            push_without_returns(&mut self.game.text, self.source, start..end);
        }
        let text = self.game.text_from(before);
        self.note(NoteKind::Comment(Style::Brace), text);
    }

    #[inline(never)]
    fn any_comment(&mut self, style: Style, text: Span) {
        let text = self.slice(&text);
        if style != Style::Escape && without_margins(text).is_empty() {
            return;
        }
        if self.kept.is_some() {
            let mut clean = String::new();
            push_comment(&mut clean, text, style, self.eol);
            return self.keep_comment(style, &clean);
        }
        self.flush();
        self.copy_tags();
        let start = self.game.text.len() as u32;
        push_comment(&mut self.game.text, text, style, self.eol);
        let text = self.game.text_from(start);
        self.note(NoteKind::Comment(style), text);
    }

    /// A move in another notation, or not a move.
    #[cold]
    #[inline(never)]
    fn odd_word(&mut self, span: Span) {
        let word = &self.source.as_bytes()[span.clone()];
        match self.boards.now().parse_san(word) {
            Ok(mv) if could_be_move(word) => self.play(mv, &span),
            Ok(_) => self.unknown_word(span),
            Err(error) => self.unreadable_word(error, span),
        }
    }

    fn slice(&self, span: &Span) -> &'a str {
        self.source.get(span.clone()).unwrap_or_default()
    }

    fn add(&mut self, text: &str) -> Text {
        self.game.add_text(text)
    }

    #[inline(always)]
    fn note(&mut self, kind: NoteKind, text: Text) {
        if self.is_variation_start() {
            let place = NotePlace::Before;
            return self.pending.push(Pending::Note(Note { kind, place, text }));
        }
        let place = self.place();
        self.game
            .notes
            .push(self.line.node, Note { kind, place, text });
    }
}
