//! From the scanner's events to a game: moves are checked, notes find their nodes.
//!
//! A line that cannot be read on is kept as text: its tokens, one blank between them, up to the
//! parenthesis that closes the line or to the end of the game. Writing that text and reading it
//! again fails at the same word, so nothing is lost however often it happens.

use super::Span;
use super::bytes::eol_of;
use super::complaint::{Complaint, Finding, Kind, Place};
use super::encoding::decode;
use super::game::{Game, Note, NoteKind, NotePlace, Tag, Text};
use super::outcome::Outcome;
use super::scan::{Style, Visitor, could_be_move, looks_like_move, scan};
use super::split::{Border, RawGame};
use super::tag::{RawTag, TagForm, unescape};
use crate::{Board, Move, SanError, Variant};
use std::borrow::Cow;
use tree::NodeId;

/// Turns the bytes of games into games, one after the other, with the same working memory.
#[derive(Default)]
pub struct Builder {
    frames: Vec<Frame>,
    findings: Vec<Finding>,
    pending: Vec<Pending>,
    path: Vec<Move>,
    scratch: Game,
}

impl Builder {
    /// A builder; one for each thread.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Reads a game.
    pub fn read(&mut self, raw: RawGame) -> Game {
        // Read into memory that is there already, then taken over with nothing to spare.
        let mut scratch = std::mem::take(&mut self.scratch);
        self.read_into(raw, &mut scratch);
        let game = scratch.clone();
        self.scratch = scratch;
        game
    }

    /// Reads a game into the memory of another, whose content is forgotten.
    pub fn read_into(&mut self, raw: RawGame, game: &mut Game) {
        game.clear();
        game.place = raw.place;
        game.source_len = raw.bytes.len() as u64;
        self.frames.clear();
        self.findings.clear();
        self.pending.clear();
        let text = decode(raw.bytes);
        let mut build = Build {
            source: &text,
            eol: eol_of(text.as_bytes()),
            plain_line_ends: memchr::memchr(b'\r', text.as_bytes()).is_none(),
            board: Board::new(),
            base: Board::new(),
            base_node: NodeId::ROOT,
            line: Line::MAIN,
            held: None,
            result: None,
            words: None,
            raw: None,
            number: 0..0,
            in_movetext: false,
            tags_seen: 0,
            wrong_number: false,
            early_variation: false,
            game,
            frames: &mut self.frames,
            findings: &mut self.findings,
            pending: &mut self.pending,
            path: &mut self.path,
        };
        build.border(raw.place.border);
        if let Cow::Owned(_) = text {
            build.complain(Kind::NotUtf8, first_converted(raw.bytes, &text));
        }
        scan(text.as_bytes(), &mut build);
        build.finish();
        locate(&mut self.findings, &text, raw.bytes, game);
    }
}

/// The first character that was not UTF-8; up to there bytes and text are the same.
fn first_converted(bytes: &[u8], text: &str) -> Span {
    let at = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let char = text[at..].chars().next();
    at..at + char.map_or(0, char::len_utf8)
}

/// How many complaints of one game are kept.
const COMPLAINTS: usize = 10_000;

/// How many tags of one game are compared with those that follow.
const TAGS_COMPARED: usize = 64;

/// The line that is being read.
#[derive(Clone, Copy)]
struct Line {
    node: NodeId,
    /// Moves read in this line.
    moves: u32,
    /// Alternatives to the node's move read so far.
    alternatives: u32,
    /// The same for the first move of the line, once it has a second.
    first_alternatives: u32,
    /// The frame of the move that this variation is an alternative to …
    anchor: u32,
    /// … and how many alternatives that move had before.
    base: u32,
}

impl Line {
    /// The mainline before its first move.
    const MAIN: Line = Line {
        node: NodeId::ROOT,
        moves: 0,
        alternatives: 0,
        first_alternatives: 0,
        anchor: 0,
        base: 0,
    };

    /// The line of a variation that opens here and starts from `node`; `frames` are open already.
    fn variation(&self, node: NodeId, frames: usize) -> Line {
        let (anchor, base) = match self.moves {
            0 if frames > 0 => (self.anchor, self.base + self.alternatives),
            _ => (frames as u32, self.alternatives),
        };
        Line {
            node,
            anchor,
            base,
            ..Line::MAIN
        }
    }

    /// How many children this line, now closed, gave to the node it starts from.
    fn branches(&self) -> u32 {
        match self.moves {
            0 => self.alternatives,
            1 => 1 + self.alternatives,
            _ => 1 + self.first_alternatives,
        }
    }
}

/// A line that waits for a variation to close.
struct Frame {
    line: Line,
    /// The board before its last move, or the current one if it has no move yet. The other is
    /// found by playing, so that a million open variations cost 128 MB and not twice that.
    board: Board,
    /// Where the `(` stands.
    open: u32,
    /// How many pending notes belong to lines below.
    pending: u32,
}

/// A note or a mark before the first move of a variation.
#[derive(Clone, Copy)]
enum Pending {
    Note(Note),
    Nag(u32),
}

impl Pending {
    fn note_mut(&mut self) -> Option<&mut Note> {
        match self {
            Pending::Note(note) => Some(note),
            Pending::Nag(_) => None,
        }
    }
}

/// A result that was read. Until something else follows it is the game's; then it becomes words
/// of its own, from which the last one that is not `*` is taken back in the end.
#[derive(Clone, Copy)]
struct Held {
    outcome: Outcome,
    node: NodeId,
    place: NotePlace,
    /// It stands in a variation …
    inner: bool,
    /// … before its first move.
    before: bool,
    /// Where it stands in the source.
    at: usize,
}

impl Held {
    fn is_known(&self) -> bool {
        self.outcome != Outcome::Unknown
    }
}

/// Words that are no moves, being gathered.
struct Words {
    node: NodeId,
    place: NotePlace,
    start: u32,
    before: bool,
    span: Span,
}

/// A line that could not be read on, being gathered.
struct Raw {
    kind: NoteKind,
    node: NodeId,
    place: NotePlace,
    start: u32,
    /// Parentheses opened since.
    depth: u32,
    /// A result that only comments follow so far, and where it stands in the text.
    result: Option<(Outcome, Span)>,
}

struct Build<'a> {
    source: &'a str,
    eol: u8,
    /// There is no `\r` in it.
    plain_line_ends: bool,
    game: &'a mut Game,
    board: Board,
    /// A position further up the line, from which the one before the last move is found when a
    /// variation asks for it.
    base: Board,
    base_node: NodeId,
    line: Line,
    /// The result that was just read.
    held: Option<Held>,
    /// The best of those before it.
    result: Option<Held>,
    words: Option<Words>,
    raw: Option<Raw>,
    /// The last move number.
    number: Span,
    in_movetext: bool,
    /// One bit for each kind of tag name.
    tags_seen: u64,
    wrong_number: bool,
    /// A variation stood before the first move.
    early_variation: bool,
    frames: &'a mut Vec<Frame>,
    findings: &'a mut Vec<Finding>,
    pending: &'a mut Vec<Pending>,
    path: &'a mut Vec<Move>,
}

impl Visitor for Build<'_> {
    fn tag(&mut self, tag: &RawTag) {
        if self.in_movetext {
            return self.tag_after_text(tag);
        }
        self.add_tag(tag);
    }

    fn movetext(&mut self) -> bool {
        self.in_movetext = true;
        self.set_up();
        true
    }

    fn number(&mut self, number: u32, span: Span) {
        if let Some(raw) = &self.raw {
            // After a result, `1.` would start another game when it is read again.
            if raw.result.is_none() {
                self.keep(&span);
            }
            return;
        }
        if self.words.is_some() && !self.slice(&span).ends_with('.') {
            return self.unknown_word(span);
        }
        self.number = span.clone();
        if number != self.board.fullmoves() && !self.wrong_number {
            self.wrong_number = true;
            self.complain(Kind::WrongNumber, span);
        }
    }

    #[inline]
    fn word(&mut self, span: Span) {
        if self.raw.is_some() {
            return self.keep(&span);
        }
        let word = &self.source.as_bytes()[span.clone()];
        match self.board.parse_san(word) {
            Ok(mv) if could_be_move(word) => self.play(mv, &span),
            Ok(_) => self.unknown_word(span),
            Err(error) => self.no_move(error, span),
        }
    }

    fn nag(&mut self, nag: u32, span: Span) {
        if self.raw.is_some() {
            return self.keep_text(&format!("${nag}"));
        }
        if self.is_variation_start() {
            self.settle();
            self.complain(Kind::NagBeforeMove, span);
            return self.pending.push(Pending::Nag(nag));
        }
        push_nag(self.game, self.line.node, nag);
    }

    fn comment(&mut self, style: Style, text: Span, _: Span) {
        let text = self.slice(&text);
        let text = match style {
            Style::Brace if self.plain_line_ends => Cow::Borrowed(without_margins(text)),
            _ => comment_text(text, style, self.eol),
        };
        if text.is_empty() && style != Style::Escape {
            return;
        }
        if self.raw.is_some() {
            return self.keep_comment(style, &text);
        }
        self.settle();
        let text = self.add(&text);
        self.note(NoteKind::Comment(style), text);
    }

    fn open(&mut self, at: usize) {
        if let Some(raw) = &mut self.raw {
            raw.depth += 1;
            return self.keep(&(at..at + 1));
        }
        self.settle();
        let before_move = self.line.moves == 0;
        if before_move {
            self.complain(Kind::VariationBeforeMove, at..at + 1);
            self.early_variation = true;
        }
        let start = match before_move {
            true => self.line.node,
            false => self.step_back(),
        };
        let board = match before_move {
            true => self.board.clone(),
            false => self.base.clone(),
        };
        let line = self.line.variation(start, self.frames.len());
        self.frames.push(Frame {
            line: self.line,
            board: board.clone(),
            open: at as u32,
            pending: self.pending.len() as u32,
        });
        self.board = board;
        self.base.clone_from(&self.board);
        self.base_node = start;
        self.line = line;
    }

    fn close(&mut self, at: usize) {
        let mut kept = false;
        if let Some(raw) = self.raw.as_mut().filter(|raw| raw.depth > 0) {
            raw.depth -= 1;
            return self.keep(&(at..at + 1));
        }
        if self.frames.is_empty() {
            return self.complain(Kind::StrayParenthesis, at..at + 1);
        }
        if self.raw.is_some() {
            self.end_raw();
            kept = true;
        }
        self.settle();
        self.end_variation(at, kept);
    }

    fn result(&mut self, outcome: Outcome, span: Span) {
        if self.raw.is_some() {
            return self.keep_result(outcome);
        }
        self.settle();
        let inner = !self.frames.is_empty();
        if !inner && self.result.is_some() {
            self.complain(Kind::SecondResult, span.clone());
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

    fn complain(&mut self, kind: Kind, span: Span) {
        if self.findings.len() < COMPLAINTS {
            let node = self.line.node;
            self.findings.push(Finding { kind, span, node });
        }
    }
}

/// Tags and the initial position.
impl<'a> Build<'a> {
    fn border(&mut self, border: Border) {
        match border {
            Border::Blank => {}
            Border::Tags => self.complain(Kind::NoBlankLine, 0..0),
            Border::NumberOne => self.complain(Kind::GamesRunTogether, 0..0),
            Border::Limit => self.complain(Kind::GameTooLong, 0..0),
        }
    }

    fn add(&mut self, text: &str) -> Text {
        self.game.add_text(text)
    }

    #[inline]
    fn add_tag(&mut self, tag: &RawTag) {
        let (name, value) = match tag.form {
            TagForm::Fine => {
                let whole = self.add(self.slice(&(tag.name.start..tag.value.end)));
                whole.split(tag.name.len(), tag.value.len())
            }
            _ => self.odd_tag(tag),
        };
        if self.has_tag(name) {
            self.complain(Kind::TagRepeated, tag.span.clone());
        }
        self.game.tags.push(Tag { name, value });
    }

    #[cold]
    fn odd_tag(&mut self, tag: &RawTag) -> (Text, Text) {
        if let Some(kind) = tag_complaint(tag.form) {
            self.complain(kind, tag.span.clone());
        }
        let name = self.add(self.slice(&tag.name));
        (name, self.add(&unescape(self.slice(&tag.value))))
    }

    /// A tag after text may set the position, if no move was read from another one.
    #[cold]
    fn tag_after_text(&mut self, tag: &RawTag) {
        self.settle();
        let kept = self
            .raw
            .as_ref()
            .map(|raw| self.game.text.split_off(raw.start as usize));
        self.add_tag(tag);
        if let (Some(raw), Some(kept)) = (&mut self.raw, kept) {
            raw.start = self.game.text.len() as u32;
            return self.game.text.push_str(&kept);
        }
        let sets_up = matches!(self.slice(&tag.name), "FEN" | "SetUp" | "Variant");
        let is_early = self.game.tags.len() < TAGS_COMPARED;
        if sets_up && is_early && self.game.tree.is_terminal(NodeId::ROOT) {
            self.set_up();
        }
    }

    fn slice(&self, span: &Span) -> &'a str {
        self.source.get(span.clone()).unwrap_or_default()
    }

    /// True if a tag of this name was read. Most are told apart by a look at their ends.
    fn has_tag(&mut self, name: Text) -> bool {
        let text = self.game.text.as_bytes();
        let name = &text[name.range()];
        let bit = match name {
            [first, .., last] => {
                1 << ((*first as usize * 5 + *last as usize + name.len() * 11) % 64)
            }
            _ => 1,
        };
        let is_new = self.tags_seen & bit == 0;
        self.tags_seen |= bit;
        let is_same = |tag: &Tag| text[tag.name.range()] == *name;
        !is_new && self.game.tags.iter().take(TAGS_COMPARED).any(is_same)
    }

    /// Sets the initial position by the tags that are known.
    fn set_up(&mut self) {
        match self.start() {
            Some(board) => {
                self.game.start = board.clone();
                self.base = board.clone();
                self.board = board;
            }
            None => {
                self.game.start = Board::new();
                self.start_raw(NoteKind::Rest);
                self.keep_notes_so_far();
            }
        }
    }

    /// Words before the tags are part of the text as if they stood after them; lines of `;` and
    /// `%` are no part of it, unless something else stands before them.
    fn keep_notes_so_far(&mut self) {
        for nag in self.game.nags.remove(NodeId::ROOT) {
            self.keep_text(&format!("${nag}"));
        }
        let is_line =
            |note: &Note| matches!(note.kind, NoteKind::Comment(Style::Line | Style::Escape));
        let mut notes = self.game.notes.remove(NodeId::ROOT);
        let lines = match self.has_raw_text() {
            true => 0,
            false => notes.iter().take_while(|note| is_line(note)).count(),
        };
        for note in notes.split_off(lines) {
            self.keep_note(&note);
        }
        self.game.notes.set(NodeId::ROOT, notes);
    }

    fn has_raw_text(&self) -> bool {
        self.raw
            .as_ref()
            .is_some_and(|raw| self.game.text.len() > raw.start as usize)
    }

    /// The initial position; none if the FEN gives no position.
    fn start(&mut self) -> Option<Board> {
        let variant = self.variant();
        let fen = self.game.tag("FEN").map(str::trim).unwrap_or_default();
        if fen.is_empty() {
            if self.game.tag("SetUp") == Some("1") {
                self.complain(Kind::SetUpWithoutFen, 0..0);
            }
            return Some(Board::for_variant(variant));
        }
        match Board::read_fen(fen, variant) {
            Ok((board, warnings)) => {
                if !warnings.is_empty() {
                    self.complain(Kind::OddFen, 0..0);
                }
                Some(board)
            }
            Err(_) => {
                self.complain(Kind::BadFen, 0..0);
                None
            }
        }
    }

    fn variant(&mut self) -> Variant {
        let Some(tag) = self.game.tag("Variant") else {
            return Variant::Standard;
        };
        Variant::from_tag(tag).unwrap_or_else(|| {
            self.complain(Kind::UnknownVariant, 0..0);
            Variant::Standard
        })
    }
}

/// Moves.
impl Build<'_> {
    #[inline]
    fn play(&mut self, mv: Move, span: &Span) {
        if self.words.is_some() || self.held.is_some() {
            self.move_after_other(span);
        }
        self.board.play(mv);
        let line = &mut self.line;
        match line.moves {
            0 => return self.first_move(mv),
            1 => line.first_alternatives = line.alternatives,
            _ => {}
        }
        line.node = self.game.tree.add_child(line.node, mv);
        line.alternatives = 0;
        line.moves += 1;
    }

    /// The first move of a line; that of the game is the primary one, though alternatives to it
    /// may stand before it.
    fn first_move(&mut self, mv: Move) {
        let parent = self.line.node;
        self.line.node = match self.frames.is_empty() {
            true => self.game.tree.add_primary(parent, mv),
            false => self.game.tree.add_child(parent, mv),
        };
        self.line.moves = 1;
        if !self.pending.is_empty() {
            self.place_pending(self.line.node);
        }
    }

    #[cold]
    fn move_after_other(&mut self, span: &Span) {
        if self.held.is_some_and(|held| !held.inner) {
            self.complain(Kind::MoveAfterResult, span.clone());
        }
        self.settle();
    }

    /// Gives what stood before the first move of a variation to that move.
    fn place_pending(&mut self, node: NodeId) {
        for pending in self.take_pending() {
            match pending {
                Pending::Note(Note {
                    kind: NoteKind::Words,
                    text,
                    ..
                }) => {
                    self.push_words(node, NotePlace::Before, false, text);
                }
                Pending::Note(note) => self.game.notes.push(node, note),
                Pending::Nag(nag) => push_nag(self.game, node, nag),
            }
        }
    }

    /// What waits for the first move of the current variation.
    fn take_pending(&mut self) -> Vec<Pending> {
        let base = self.frames.last().map_or(0, |frame| frame.pending as usize);
        self.pending.split_off(base)
    }

    #[cold]
    fn no_move(&mut self, error: SanError, span: Span) {
        let word = &self.source.as_bytes()[span.clone()];
        if is_redundant(word) {
            return;
        }
        if !looks_like_move(word) {
            return self.unknown_word(span);
        }
        if self.take_apart(&span) {
            return;
        }
        let kind = match error {
            SanError::Syntax => Kind::UnreadableMove,
            SanError::Ambiguous(_) => Kind::AmbiguousMove,
            SanError::Illegal | SanError::MissingPromotion => Kind::IllegalMove,
        };
        self.complain(kind, span.clone());
        let number = self.number_before(&span);
        self.settle();
        match self.is_variation_start() {
            true => self.start_raw(NoteKind::Variation),
            false => self.start_raw(NoteKind::Rest),
        }
        if let Some(number) = number {
            self.keep(&number);
        }
        self.keep(&span);
    }

    /// The move number that stands right before a word; not after a result, where `1.` would start
    /// another game when it is read again.
    fn number_before(&self, span: &Span) -> Option<Span> {
        let number = self.number.clone();
        let between = self.slice(&(number.end..span.start));
        let is_gap = |char: char| char.is_whitespace() || char == '.' || char == '…';
        let is_right_before = self.slice(&number).ends_with('.') && between.chars().all(is_gap);
        let after_result = self.held.is_some() || self.result.is_some() || self.early_variation;
        (is_right_before && !after_result).then_some(number)
    }

    /// Reads `e4e5` as two moves, `Qh4#0-1` as a move and a result.
    fn take_apart(&mut self, span: &Span) -> bool {
        self.take_moves_apart(span) || self.take_result_off(span)
    }

    fn take_moves_apart(&mut self, span: &Span) -> bool {
        let word = self.slice(span).as_bytes();
        let glued = (2..word.len().min(16).saturating_sub(1)).find_map(|at| {
            let (first, second) = word.split_at_checked(at)?;
            let mut board = self.board.clone();
            let first = board.play_san(first).ok().filter(|_| ends_move(first))?;
            Some((first, board.parse_san(second).ok()?))
        });
        let Some((first, second)) = glued else {
            return false;
        };
        self.complain(Kind::GluedMoves, span.clone());
        self.play(first, span);
        self.play(second, span);
        true
    }

    fn take_result_off(&mut self, span: &Span) -> bool {
        let word = self.slice(span);
        let glued = ["1-0", "0-1", "1/2-1/2"].iter().find_map(|result| {
            let mv = word.strip_suffix(result)?.as_bytes();
            let mv = self.board.parse_san(mv).ok().filter(|_| ends_move(mv))?;
            Some((
                mv,
                Outcome::read(result.as_bytes())?,
                span.end - result.len(),
            ))
        });
        let Some((mv, outcome, at)) = glued else {
            return false;
        };
        self.complain(Kind::GluedMoves, span.clone());
        self.play(mv, span);
        self.result(outcome, at..span.end);
        true
    }

    fn unknown_word(&mut self, span: Span) {
        let word = self.slice(&span);
        if let Some(words) = &mut self.words {
            self.game.text.push(' ');
            words.span.end = span.end;
        } else {
            self.settle();
            self.words = Some(Words {
                node: self.line.node,
                place: self.place(),
                start: self.game.text.len() as u32,
                before: self.is_variation_start(),
                span,
            });
        }
        self.game.text.push_str(word);
    }

    /// The words are over: they become a note.
    fn end_words(&mut self) {
        let Some(words) = self.words.take() else {
            return;
        };
        let text = self.game.text_from(words.start);
        let words_text = self.game.text(text);
        // A draw offer is known, and of a `$` was complained already.
        if words_text != "(=)" && !words_text.starts_with('$') {
            self.complain(Kind::UnknownWord, words.span);
        }
        self.push_words(words.node, words.place, words.before, text);
    }
}

/// Variations and notes.
impl Build<'_> {
    /// True before the first move of a variation.
    fn is_variation_start(&self) -> bool {
        self.line.moves == 0 && !self.frames.is_empty()
    }

    /// Makes the position before the last move the base; returns its node.
    fn step_back(&mut self) -> NodeId {
        let parent = self.parent();
        let tree = &self.game.tree;
        let above = tree
            .ancestors(parent)
            .take_while(|&node| node != self.base_node);
        self.path
            .extend(above.filter_map(|node| tree.move_to(node)));
        while let Some(mv) = self.path.pop() {
            self.base.play(mv);
        }
        self.base_node = parent;
        parent
    }

    fn parent(&self) -> NodeId {
        self.game
            .tree
            .parent(self.line.node)
            .unwrap_or(NodeId::ROOT)
    }

    /// The place of a note that stands here.
    fn place(&self) -> NotePlace {
        let Line {
            moves,
            alternatives,
            ..
        } = self.line;
        let is_primary = || self.game.tree.is_locally_mainline(self.line.node);
        match moves > 0 && alternatives > 0 && is_primary() {
            true => after_alternatives(alternatives),
            false => NotePlace::After,
        }
    }

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

    /// Closes the innermost variation and goes back to the line it was an alternative to.
    fn end_variation(&mut self, at: usize, kept: bool) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let span = frame.open as usize..at;
        let waiting = self.pending.len() > frame.pending as usize;
        let empty = self.line.moves == 0 && self.line.alternatives == 0 && !kept;
        if empty && !waiting {
            self.complain(Kind::EmptyVariation, span);
        } else if self.line.moves == 0 && waiting {
            self.complain(Kind::VariationWithoutMoves, span);
            self.start_raw(NoteKind::Variation);
            self.end_raw();
        }
        let branches = self.line.branches();
        if let Some(frame) = self.frames.pop() {
            self.go_back(frame);
        }
        self.line.alternatives += branches;
    }

    fn go_back(&mut self, frame: Frame) {
        self.line = frame.line;
        self.board = frame.board;
        self.base.clone_from(&self.board);
        self.base_node = self.line.node;
        if self.line.moves > 0 {
            self.base_node = self.parent();
            if let Some(&mv) = self.game.tree.move_to(self.line.node) {
                self.board.play(mv);
            }
        }
    }
}

/// Words and results.
impl Build<'_> {
    /// Something follows: words are over, and a result was not the last thing. A `*` that is not
    /// the game's result says nothing.
    #[inline]
    fn settle(&mut self) {
        if self.words.is_some() || self.held.is_some() {
            self.settle_now();
        }
    }

    fn settle_now(&mut self) {
        self.end_words();
        let Some(held) = self.held.take() else {
            return;
        };
        if held.inner {
            self.complain(
                Kind::ResultInVariation,
                held.at..held.at + held.outcome.as_str().len(),
            );
        }
        if held.is_known() {
            self.result_as_words(held);
        }
        if !held.inner && overrides(held, self.result) {
            self.result = Some(held);
        }
    }

    fn result_as_words(&mut self, held: Held) {
        let text = self.add(held.outcome.as_str());
        self.push_words(held.node, held.place, held.before, text);
    }

    /// Takes back the words that a result had become.
    fn take_back(&mut self, held: Held) {
        let mut notes = self.game.notes.remove(held.node);
        let is_result = |note: &Note| {
            let text = self.game.text(note.text);
            note.kind == NoteKind::Words
                && note.place == held.place
                && text == held.outcome.as_str()
        };
        if let Some(at) = notes.iter().rposition(is_result) {
            notes.remove(at);
            self.join_words(&mut notes, at);
        }
        self.game.notes.set(held.node, notes);
    }

    /// Joins the note at `at` to the one before it, if both are words.
    fn join_words(&mut self, notes: &mut Vec<Note>, at: usize) {
        let [.., before, after] = &notes[..notes.len().min(at + 1)] else {
            return;
        };
        if at > 0 && at < notes.len() && joins(&self.game.text, before, after) {
            let text = join(&mut self.game.text, before.text, after.text);
            notes[at - 1].text = text;
            notes.remove(at);
        }
    }

    /// Words stand at a node, or before the first move of the current variation. What follows
    /// other words directly is joined to them.
    fn push_words(&mut self, node: NodeId, place: NotePlace, before: bool, text: Text) {
        let kind = NoteKind::Words;
        let place = if before { NotePlace::Before } else { place };
        let base = self.frames.last().map_or(0, |frame| frame.pending as usize);
        let last = match before {
            true => self.pending[base..].last_mut().and_then(Pending::note_mut),
            false => self.game.notes.get_mut(node).last(),
        };
        let note = Note { kind, place, text };
        if let Some(last) = last.filter(|last| joins(&self.game.text, last, &note)) {
            last.text = join(&mut self.game.text, last.text, text);
            return;
        }
        match before {
            true => self.pending.push(Pending::Note(note)),
            false => self.game.notes.push(node, note),
        }
    }
}

/// Lines kept as text.
impl Build<'_> {
    fn start_raw(&mut self, kind: NoteKind) {
        let (mut node, mut place) = (self.line.node, NotePlace::After);
        let mut kind = kind;
        if kind == NoteKind::Variation {
            (node, place) = self.variation_place();
        } else if let Some(first) = self.game.tree.next(node) {
            // Only alternatives to the move that could not be read: they come first now.
            kind = NoteKind::Variation;
            place = after_alternatives(self.line.alternatives.saturating_sub(1));
            node = first;
        }
        self.raw = Some(Raw {
            kind,
            node,
            place,
            start: self.game.text.len() as u32,
            depth: 0,
            result: None,
        });
        self.keep_pending();
    }

    /// A variation without a readable move hangs on the move that it is an alternative to.
    fn variation_place(&self) -> (NodeId, NotePlace) {
        let Some(Frame { line, .. }) = self.frames.get(self.line.anchor as usize) else {
            return (self.line.node, NotePlace::After);
        };
        let alternatives = self.line.base + self.line.branches();
        let is_primary = self.game.tree.is_locally_mainline(line.node);
        match line.moves > 0 && is_primary {
            true => (line.node, after_alternatives(alternatives)),
            false => (line.node, NotePlace::After),
        }
    }

    /// What stood before the first move of the variation is part of the text.
    fn keep_pending(&mut self) {
        for pending in self.take_pending() {
            match pending {
                Pending::Nag(nag) => self.keep_text(&format!("${nag}")),
                Pending::Note(note) => self.keep_note(&note),
            }
        }
    }

    fn keep_note(&mut self, note: &Note) {
        let text = self.game.text(note.text).to_owned();
        match note.kind {
            NoteKind::Comment(style) => self.keep_comment(style, &text),
            _ => self.keep_text(&text),
        }
    }

    fn keep(&mut self, span: &Span) {
        self.keep_text(self.slice(span));
    }

    /// Keeps a token, with a blank before it: so no word comes to stand where lines start.
    fn keep_text(&mut self, token: &str) {
        if let Some(raw) = &mut self.raw {
            raw.result = None;
            append(&mut self.game.text, raw.start, token);
        }
    }

    fn keep_comment(&mut self, style: Style, text: &str) {
        let token = match style {
            Style::Brace => format!("{{ {text} }}"),
            Style::Line => format!("; {text}\n"),
            Style::Escape => format!("\n%{text}\n"),
        };
        if let Some(raw) = &self.raw {
            append(&mut self.game.text, raw.start, &token);
        }
    }

    fn keep_result(&mut self, outcome: Outcome) {
        let start = self.game.text.len();
        self.keep_text(outcome.as_str());
        if let Some(raw) = &mut self.raw {
            raw.result = Some((outcome, start..self.game.text.len()));
        }
    }

    /// The line is over: its text becomes a note.
    fn end_raw(&mut self) {
        let Some(raw) = self.raw.take() else { return };
        let text = self.game.text_from(raw.start);
        if !self.game.text(text).trim().is_empty() {
            let Raw {
                kind, node, place, ..
            } = raw;
            self.game.notes.push(node, Note { kind, place, text });
        }
    }
}

/// The end.
impl Build<'_> {
    fn finish(mut self) {
        self.end_words();
        self.end_raw_text();
        self.close_all();
        if self.early_variation {
            self.reorder_first_moves();
        }
        let mut held = self.final_result();
        if self.early_variation && self.line.moves == 0 {
            held = self.result_of_early_line(held);
        }
        let tag = self.game.tag("Result");
        let tag = tag.map(|tag| Outcome::read(tag.trim().as_bytes()));
        let end = self.source.trim_end().len();
        if held.is_none() {
            self.complain(Kind::MissingResult, end..end);
        }
        match (tag, held) {
            (Some(None), _) => self.complain(Kind::BadResultTag, 0..0),
            (Some(Some(tag)), Some(held)) if contradict(tag, held) => {
                self.complain(Kind::ResultContradiction, end..end);
            }
            _ => {}
        }
        self.game.outcome = held.or(tag.flatten()).unwrap_or_default();
        self.game.notes.settle();
        self.settle_nags();
    }

    /// Marks after a variation come to stand beside those before it, perhaps the same ones.
    fn settle_nags(&mut self) {
        let in_order = self.game.nags.rows().is_sorted_by_key(|(node, _)| *node);
        if !in_order {
            self.game.nags.settle();
            let nags = std::mem::take(&mut self.game.nags);
            for &(node, nag) in nags.rows() {
                push_nag(self.game, node, nag);
            }
        }
    }

    fn final_result(&mut self) -> Option<Outcome> {
        match (self.result, self.held.take()) {
            // An older one stays among the words.
            (old, Some(held)) if overrides(held, old) => Some(held.outcome),
            (Some(result), _) => {
                self.take_back(result);
                Some(result.outcome)
            }
            (None, held) => held.map(|held| held.outcome),
        }
    }

    /// A variation turned out to be the mainline: results in it count after all.
    fn result_of_early_line(&mut self, held: Option<Outcome>) -> Option<Outcome> {
        if held.is_some_and(|outcome| outcome != Outcome::Unknown) {
            return held;
        }
        self.game.notes.settle();
        let game = &*self.game;
        let line = game.tree.mainline();
        let words = line.flat_map(|node| game.notes_at(node).map(move |note| (node, note)));
        let results = words.filter(|(_, note)| note.kind == NoteKind::Words);
        let known = results.filter_map(|(node, note)| {
            let outcome = Outcome::read(game.text(note.text).as_bytes())?;
            let place = note.place;
            let held = Held {
                outcome,
                node,
                place,
                inner: false,
                before: false,
                at: 0,
            };
            (outcome != Outcome::Unknown).then_some(held)
        });
        let Some(last) = known.last() else {
            return held;
        };
        self.take_back(last);
        Some(last.outcome)
    }

    /// Unreadable text is over; a result at its end is the game's, if it counts.
    fn end_raw_text(&mut self) {
        let Some(raw) = &mut self.raw else { return };
        if let Some((outcome, span)) = raw.result.take() {
            let held = Held {
                outcome,
                node: raw.node,
                place: NotePlace::After,
                inner: false,
                before: false,
                at: 0,
            };
            if overrides(held, self.result) {
                take_out(&mut self.game.text, raw.start, span);
                self.held = Some(held);
            }
        }
        for _ in 0..raw.depth {
            append(&mut self.game.text, raw.start, ")");
        }
    }

    /// Which first move is the primary one was not known before: notes stand by it as they would
    /// had it been read first.
    fn reorder_first_moves(&mut self) {
        let children: Vec<NodeId> = self.game.tree.children(NodeId::ROOT).collect();
        let Some((&primary, alternatives)) = children.split_first() else {
            return;
        };
        let notes = self.game.notes.remove(primary).into_iter();
        let (before, mut after): (Vec<Note>, Vec<Note>) = notes.partition(is_before);
        after.sort_by_key(|note| note.kind == NoteKind::Rest);
        self.game.notes.set(primary, after);
        for note in before {
            let place = NotePlace::After;
            match note.kind {
                NoteKind::Words => self.push_words(NodeId::ROOT, place, false, note.text),
                _ => self.game.notes.push(NodeId::ROOT, Note { place, ..note }),
            }
        }
        for &alternative in alternatives {
            for note in self.game.notes.get_mut(alternative) {
                note.place = note.place.min(NotePlace::After);
            }
        }
    }

    fn close_all(&mut self) {
        if let Some(frame) = self.frames.last() {
            let open = frame.open as usize;
            self.complain(Kind::UnclosedVariation, open..open + 1);
        }
        let mut kept = self.raw.is_some();
        self.end_raw();
        let end = self.source.len();
        while !self.frames.is_empty() {
            self.end_variation(end, kept);
            kept = true;
        }
    }
}

fn after_alternatives(count: u32) -> NotePlace {
    match u16::try_from(count) {
        Ok(0) => NotePlace::After,
        Ok(count) => NotePlace::AfterAlternatives(count),
        Err(_) => NotePlace::AfterAlternatives(u16::MAX),
    }
}

/// Adds a mark to a node, unless it has it already.
fn push_nag(game: &mut Game, node: NodeId, nag: u32) {
    let rows = game.nags.rows().iter().rev();
    let mut here = rows.take(8).take_while(|(at, _)| *at == node);
    if !here.any(|(_, known)| *known == nag) {
        game.nags.push(node, nag);
    }
}

/// Takes a token out of text, leaving no blank line where it stood alone.
fn take_out(text: &mut String, start: u32, mut span: Span) {
    let after = &text[span.end..];
    if text[..span.start].ends_with('\n') && after.starts_with(" \n") {
        span.end += 2;
    } else if span.start == start as usize && after.starts_with(' ') {
        span.end += 1;
    }
    text.replace_range(span, "");
}

fn is_before(note: &Note) -> bool {
    note.place == NotePlace::Before
}

/// True if the new result counts, not the old one: the last one does that is not `*`.
fn overrides(new: Held, old: Option<Held>) -> bool {
    new.is_known() || !old.is_some_and(|old| old.is_known())
}

/// True if these notes are words in a row; results stay apart from others.
fn joins(text: &str, before: &Note, after: &Note) -> bool {
    let is_plain = |note: &Note| {
        let is_result = Outcome::read(text[note.text.range()].as_bytes()).is_some();
        note.kind == NoteKind::Words && !is_result
    };
    before.place == after.place && is_plain(before) && is_plain(after)
}

fn join(all: &mut String, before: Text, after: Text) -> Text {
    let joined = format!("{} {}", &all[before.range()], &all[after.range()]);
    Text::at_end(all, &joined)
}

/// Adds a token to text that began at `start`.
fn append(text: &mut String, start: u32, token: &str) {
    let is_first = text.len() == start as usize;
    let after_line = !is_first && text.ends_with('\n');
    match token.strip_prefix('\n') {
        // No blank line between two lines.
        Some(line) if after_line => return text.push_str(line),
        // A line that starts with a bracket would be a tag.
        None if after_line && token.starts_with('[') => text.push_str(" { } "),
        _ if is_first => {}
        _ => text.push(' '),
    }
    text.push_str(token);
}

fn contradict(tag: Outcome, held: Outcome) -> bool {
    tag != held && tag != Outcome::Unknown && held != Outcome::Unknown
}

fn tag_complaint(form: TagForm) -> Option<Kind> {
    match form {
        TagForm::Fine | TagForm::Escaped => None,
        TagForm::RawQuote => Some(Kind::TagQuote),
        TagForm::Unterminated => Some(Kind::TagUnterminated),
        TagForm::NoValue => Some(Kind::TagWithoutValue),
        TagForm::Unquoted => Some(Kind::TagUnquoted),
    }
}

/// The comment without the blank that the writer puts at both ends, and with `\n` as line end.
fn comment_text(text: &str, style: Style, eol: u8) -> Cow<'_, str> {
    match style {
        Style::Escape => one_line(text),
        Style::Line => one_line(text.strip_prefix(' ').unwrap_or(text)),
        Style::Brace => {
            let text = without_margins(text);
            match text.contains('\r') || (eol == b'\r' && text.contains('\n')) {
                true => Cow::Owned(with_line_ends(text, eol)),
                false => Cow::Borrowed(text),
            }
        }
    }
}

/// The text without one blank at both ends.
fn without_margins(text: &str) -> &str {
    let text = text.strip_prefix(' ').unwrap_or(text);
    text.strip_suffix(' ').unwrap_or(text)
}

/// The text with `\n` where lines end, and a blank where another control character of lines is.
fn with_line_ends(text: &str, eol: u8) -> String {
    let (lone_return, lone_feed) = match eol {
        b'\r' => ("\n", " "),
        _ => (" ", "\n"),
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\r', b'\n', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (end, len) = match &rest.as_bytes()[at..] {
            [b'\r', b'\n', ..] => ("\n", 2),
            [b'\r', ..] => (lone_return, 1),
            _ => (lone_feed, 1),
        };
        out.push_str(end);
        rest = &rest[at + len..];
    }
    out + rest
}

fn one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\r', '\n']) {
        true => Cow::Owned(text.replace(['\r', '\n'], " ")),
        false => Cow::Borrowed(text),
    }
}

fn ends_move(word: &[u8]) -> bool {
    matches!(
        word,
        [
            ..,
            b'1'..=b'8' | b'O' | b'+' | b'#' | b'Q' | b'R' | b'B' | b'N'
        ]
    )
}

/// Words that say what the move says already.
fn is_redundant(word: &[u8]) -> bool {
    matches!(
        word,
        b"+" | b"++"
            | b"#"
            | b"e.p"
            | b"ep"
            | b"mate"
            | b"ch"
            | b"check"
            | b"dbl"
            | b"dis"
            | b"checkmate"
    )
}

/// Finds offset, line and column of everything that was found.
fn locate(findings: &mut Vec<Finding>, text: &str, bytes: &[u8], game: &mut Game) {
    findings.sort_by_key(|finding| finding.span.start);
    let mut walk = Walk::new(text, bytes);
    for Finding { kind, span, node } in findings.drain(..) {
        walk.go(span.start);
        let place = Place {
            offset: game.place.offset + walk.source as u64,
            len: span.len() as u32,
            line: game.place.line + walk.line,
            column: walk.column,
        };
        let excerpt = text.get(span).unwrap_or_default();
        let excerpt: String = excerpt.chars().take(40).collect();
        game.complaints.push(Complaint {
            kind,
            place,
            game: game.place.number,
            node,
            excerpt: excerpt.into(),
        });
    }
}

/// A place in the text of a game that moves forward.
struct Walk<'a> {
    text: &'a str,
    /// The bytes it was converted from.
    bytes: &'a [u8],
    eol: u8,
    at: usize,
    /// The same place in the bytes.
    source: usize,
    line: u64,
    column: u32,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, bytes: &'a [u8]) -> Walk<'a> {
        Walk {
            text,
            bytes,
            eol: eol_of(text.as_bytes()),
            at: 0,
            source: 0,
            line: 0,
            column: 1,
        }
    }

    fn go(&mut self, to: usize) {
        let passed = self.text.get(self.at..to).unwrap_or_default();
        let lines = memchr::memchr_iter(self.eol, passed.as_bytes()).count();
        if lines > 0 {
            self.line += lines as u64;
            self.column = 1;
        }
        let last = passed.rfind(char::from(self.eol)).map_or(0, |end| end + 1);
        self.column += passed[last..].chars().count() as u32;
        self.source += match self.text.len() == self.bytes.len() {
            true => passed.len(),
            false => self.source_len(passed),
        };
        self.at = to.max(self.at);
    }

    /// How many bytes became this text, of which some were no UTF-8.
    fn source_len(&self, passed: &str) -> usize {
        let mut source = self.source;
        for char in passed.chars() {
            let is_utf8 =
                self.bytes[source..].starts_with(char.encode_utf8(&mut [0; 4]).as_bytes());
            source += if is_utf8 { char.len_utf8() } else { 1 };
        }
        source - self.source
    }
}
