//! Writing a game in PGN export format: tags, then movetext in lines of 80 columns.
//!
//! The text reads back as an equal game. Three things cannot be written as they are; they are
//! never the result of reading, only of programs: `}` in a comment becomes `❵`, a line end in a tag
//! value a space, and a character that tag names cannot have `_`.

use super::block::{BLOCK, Lane, Places, Test, bits_at, block_at, count, half};
use super::cpu::{Cpu, Portable, Task, run};
use super::game::{Game, Note, NoteKind, NotePlace, ROSTER, Text, roster_default};
use super::scan::Style;
use super::split::ends_in_result;
use super::tag::{Alphanumeric, escape};
use crate::annotation::without_clocks;
use crate::board::ShortText;
use crate::{Board, Color, MoveText};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use tree::{NodeId, SideTable};

/// Options of [`export`]. Start from [`ExportOptions::default`], which writes everything, and
/// change options one by one:
///
/// ```
/// use gametree_chess::pgn::ExportOptions;
///
/// let options = ExportOptions::default().columns(None).comments(false);
/// assert!(options.variations && !options.comments);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// The maximum width of lines; `None` writes the movetext in one line.
    pub columns: Option<usize>,
    /// Write tags.
    pub tags: bool,
    /// Write all tags of the seven-tag roster, including those that the game does not have.
    pub roster: bool,
    /// Write comments, and words that are not moves.
    pub comments: bool,
    /// Write variations.
    pub variations: bool,
    /// Write glyphs (NAGs).
    pub nags: bool,
    /// Write clock and elapsed times in comments.
    pub clocks: bool,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions {
            columns: Some(80),
            tags: true,
            roster: true,
            comments: true,
            variations: true,
            nags: true,
            clocks: true,
        }
    }
}

/// Declares a setter for each option.
macro_rules! setters {
    ($($option:ident: $type:ty, $doc:literal;)*) => {
        impl ExportOptions {
            $(
                #[doc = $doc]
                pub fn $option(mut self, $option: $type) -> ExportOptions {
                    self.$option = $option;
                    self
                }
            )*
        }
    };
}

setters! {
    columns: Option<usize>, "Sets the maximum width of lines; `None` writes the movetext in one line.";
    tags: bool, "Whether to write tags.";
    roster: bool, "Whether to write all tags of the seven-tag roster.";
    comments: bool, "Whether to write comments, and words that are not moves.";
    variations: bool, "Whether to write variations.";
    nags: bool, "Whether to write glyphs (NAGs).";
    clocks: bool, "Whether to write clock and elapsed times in comments.";
}

/// Writes a game. The text ends with a line end; write an empty line between games.
///
/// ```
/// use gametree_chess::pgn::{ExportOptions, export, read_game};
///
/// let game = read_game(b"1.e4(1.d4)e5 {yes} 2.Nf3 *").unwrap();
/// let options = ExportOptions::default().tags(false);
/// assert_eq!(export(&game, &options), "1. e4 ( 1. d4 ) 1... e5 { yes } 2. Nf3 *\n");
/// ```
pub fn export(game: &Game, options: &ExportOptions) -> String {
    let mut text = String::new();
    export_into(game, options, &mut text);
    text
}

/// Appends the text of a game to `text`.
pub fn export_into(game: &Game, options: &ExportOptions, text: &mut String) {
    let mut bytes = Vec::new();
    export_bytes(game, options, &mut bytes);
    text.push_str(&String::from_utf8_lossy(&bytes));
}

/// Appends the text of a game, in UTF-8, to `bytes`: the fastest way to write many games.
pub fn export_bytes(game: &Game, options: &ExportOptions, bytes: &mut Vec<u8>) {
    write(game, options, bytes, None);
}

/// Hands out the text of a game, in UTF-8, piece by piece: a game of millions of moves needs no
/// memory for its text.
pub fn export_chunks(game: &Game, options: &ExportOptions, mut each: impl FnMut(&[u8])) {
    let mut rest = Vec::new();
    write(game, options, &mut rest, Some(&mut each));
    each(&rest);
}

/// Takes text that was written.
type Sink<'a> = &'a mut dyn FnMut(&[u8]);

/// The length of pieces of text, about.
const CHUNK: usize = 1 << 16;

fn write<'a>(
    game: &'a Game,
    options: &'a ExportOptions,
    bytes: &'a mut Vec<u8>,
    each: Option<Sink<'a>>,
) {
    if options.tags {
        write_tags(game, options, bytes);
    }
    let mut writer = Writer {
        game,
        options,
        notes: Lookup::new(&game.notes),
        nags: Lookup::new(&game.nags),
        has_rests: has_rests(game),
        out: bytes,
        each,
        limit: options.columns.unwrap_or(usize::MAX),
        column: 0,
        number: Number::Always,
        among_tags: true,
    };
    writer.movetext();
}

fn has_rests(game: &Game) -> bool {
    let mut notes = game.notes.rows().iter();
    notes.any(|(_, note)| note.kind == NoteKind::Rest)
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&export(self, &ExportOptions::default()))
    }
}

/// The tags in writing order: the roster, then the others.
pub fn export_tags(game: &Game, roster: bool) -> Vec<(&str, &str)> {
    if starts_with_roster(game) {
        return game.tags().collect();
    }
    let mut tags: Vec<(&str, &str)> = Vec::with_capacity(game.tags.len() + ROSTER.len());
    for name in ROSTER {
        match game.tag(name) {
            Some(value) => tags.push((name, value)),
            None if roster && name == "Result" => tags.push((name, game.outcome.as_str())),
            None if roster => tags.push((name, roster_default(name))),
            None => {}
        }
    }
    let mut seen = [false; ROSTER.len()];
    tags.extend(game.tags().filter(|(name, _)| {
        let of_roster = ROSTER.iter().position(|known| known == name);
        // The first one of a duplicate roster tag is written already.
        of_roster.is_none_or(|index| std::mem::replace(&mut seen[index], true))
    }));
    tags
}

/// True if the tags are in writing order already, as in most files.
fn starts_with_roster(game: &Game) -> bool {
    let names = game.tags().map(|(name, _)| name);
    names.take(ROSTER.len()).eq(ROSTER)
}

fn write_tags(game: &Game, options: &ExportOptions, out: &mut Vec<u8>) {
    let start = out.len();
    if !starts_with_roster(game) {
        let tags = export_tags(game, options.roster);
        tags.into_iter().for_each(|tag| write_tag(tag, out));
    } else if let Some(tags) = tags_as_read(game) {
        out.push(b'[');
        out.extend_from_slice(tags);
        out.extend_from_slice(b"\"]\n");
    } else {
        game.tags().for_each(|tag| write_tag(tag, out));
    }
    if out.len() > start {
        out.push(b'\n');
    }
}

/// The tags without the first and last signs, if they are together in the game's text as they are
/// to be written, which is so in most games that were read.
fn tags_as_read(game: &Game) -> Option<&[u8]> {
    let text = game.text.as_bytes();
    let start = game.tags.first()?.name.range().start;
    let mut end = None;
    for tag in &game.tags {
        let (name, value) = (tag.name.range(), tag.value.range());
        if let Some(end) = end
            && text.get(end..name.start)? != b"\"]\n["
        {
            return None;
        }
        if text.get(name.end..value.start)? != b" \"" || !is_plain_name(text, name) {
            return None;
        }
        end = Some(value.end);
    }
    let tags = text.get(start..end?)?;
    // One quote before each value; a quote and a line end between two tags; no others.
    let expected = 3 * game.tags.len() - 2;
    (run(CountEscaped(tags)) == expected as u64).then_some(tags)
}

/// True if a name consists of letters and digits and is not very long.
fn is_plain_name(text: &[u8], name: Range<usize>) -> bool {
    let mut end = None;
    let plain = half(
        Portable,
        block_at(text, name.start, &mut end),
        0,
        &Alphanumeric,
    );
    plain.trailing_ones() as usize >= name.len()
}

/// Finds the bytes of a comment that are not ASCII, end a line or the comment.
struct OddInComment;

impl Test for OddInComment {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let lane = place.plus(0);
        let line_end = lane.is(b'\n').or(lane.is(b'\r'));
        lane.or(line_end).or(lane.is(b'}'))
    }
}

/// Counts the bytes that cannot be written in the value of a tag as they are.
struct CountEscaped<'a>(&'a [u8]);

impl Task for CountEscaped<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        count(cpu, self.0, self.0.len(), Escaped)
    }
}

/// Finds the bytes that cannot be written in the value of a tag as they are.
#[derive(Clone, Copy)]
struct Escaped;

impl Test for Escaped {
    #[inline(always)]
    fn test<C: Cpu>(place: Places<C>) -> C::Lane {
        let lane = place.plus(0);
        let line_end = lane.is(b'\n').or(lane.is(b'\r'));
        lane.is(b'\\').or(lane.is(b'"')).or(line_end)
    }
}

fn write_tag((name, value): (&str, &str), out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(tag_name(name).as_bytes());
    out.extend_from_slice(b" \"");
    out.extend_from_slice(escape(value).as_bytes());
    out.extend_from_slice(b"\"]\n");
}

pub(super) fn tag_name(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Cow::Borrowed(name);
    }
    let is_bad = |char: char| char.is_ascii_whitespace() || "\"[]{}()\0\u{1a}\u{b}".contains(char);
    Cow::Owned(name.replace(is_bad, "_"))
}

/// The text of a comment as it can be written between braces.
pub(super) fn comment_text(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'}', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('}', "❵").replace('\r', "\n"))
}

/// Whether to write the number of the next move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    /// Only for a move by White.
    Usual,
    /// For any move: something else was written before it.
    Always,
    /// For no move: after a word that looks like a result, `1.` would start a new game.
    Never,
}

struct Writer<'a> {
    game: &'a Game,
    options: &'a ExportOptions,
    notes: Lookup<'a, Note>,
    nags: Lookup<'a, u32>,
    /// Some line ends with text that could not be read.
    has_rests: bool,
    out: &'a mut Vec<u8>,
    /// Takes the text when it is long.
    each: Option<Sink<'a>>,
    /// The maximum width of lines.
    limit: usize,
    /// Characters in the current line.
    column: usize,
    number: Number,
    /// Only `;` and `%` lines were written so far: a reader still expects tags.
    among_tags: bool,
}

/// Finds rows of a side table by node. Fast where nodes follow in nearly ascending order, as they
/// do in text order in a game that was read.
struct Lookup<'a, T> {
    rows: &'a [(NodeId, T)],
    /// The first row of the node that was looked up last, or of a later node.
    at: usize,
}

impl<'a, T> Lookup<'a, T> {
    fn new(table: &'a SideTable<T>) -> Lookup<'a, T> {
        Lookup {
            rows: table.rows(),
            at: 0,
        }
    }

    /// The rows of a node.
    #[inline(always)]
    fn get(&mut self, node: NodeId) -> &'a [(NodeId, T)] {
        if self.rows.is_empty() {
            &[]
        } else {
            self.find(node)
        }
    }

    fn find(&mut self, node: NodeId) -> &'a [(NodeId, T)] {
        let is_before = |row: &(NodeId, T)| row.0 < node;
        let passed = self.rows[..self.at]
            .last()
            .is_some_and(|row| !is_before(row));
        if passed || self.rows.get(self.at + NEAR).is_some_and(is_before) {
            self.at = self.rows.partition_point(is_before);
        }
        let ahead = &self.rows[self.at..];
        self.at += ahead.iter().take_while(|row| is_before(row)).count();
        let rest = &self.rows[self.at..];
        let count = rest.iter().take_while(|row| row.0 == node).count();
        &rest[..count]
    }
}

/// The number of rows to skip one by one.
const NEAR: usize = 8;

/// A move whose alternatives are being written.
struct Fork {
    /// The board before the move.
    board: Board,
    primary: NodeId,
    next: Option<NodeId>,
    written: u16,
    /// The number of notes of the primary move that are written.
    notes: usize,
}

/// The walk, compiled for this processor.
struct Movetext<'a, 'b>(&'a mut Writer<'b>);

impl Task for Movetext<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        self.0.line_and_variations();
    }
}

impl Writer<'_> {
    fn movetext(&mut self) {
        run(Movetext(self));
        self.token(self.game.outcome.as_str());
        self.out.push(b'\n');
    }

    /// Walks the tree in text order, without recursion.
    #[inline(always)]
    fn line_and_variations(&mut self) {
        let mut forks: Vec<Fork> = Vec::new();
        let mut node = NodeId::ROOT;
        let mut board = self.game.start.clone();
        self.glyphs(node);
        let notes = self.notes.get(node);
        self.notes_until(notes, &mut 0, u16::MAX);
        loop {
            if self.out.len() >= CHUNK
                && let Some(each) = &mut self.each
            {
                each(self.out);
                self.out.clear();
            }
            match self.game.tree.next(node) {
                Some(child) => match self.alternative_after(child) {
                    None => {
                        self.play_usual(child, &mut board, u16::MAX);
                        self.rest_beside(child);
                        node = child;
                        continue;
                    }
                    Some(next) => forks.push(self.fork(child, board, next)),
                },
                None => {
                    self.rest(node);
                    // A fork remains only while one of its variations is open.
                    if forks.is_empty() {
                        return;
                    }
                    self.close();
                }
            }
            let Some(next) = self.next_line(&mut forks) else {
                return;
            };
            (node, board) = next;
        }
    }

    /// Writes a primary move that has alternatives.
    fn fork(&mut self, primary: NodeId, board: Board, next: NodeId) -> Fork {
        let notes = self.play(primary, &mut board.clone(), 0);
        Fork {
            board,
            primary,
            next: Some(next),
            written: 0,
            notes,
        }
    }

    fn alternative_after(&self, node: NodeId) -> Option<NodeId> {
        let next = self.game.tree.next_sibling(node);
        next.filter(|_| self.options.variations)
    }

    /// Starts the next alternative of the last fork, or continues with its primary move.
    fn next_line(&mut self, forks: &mut Vec<Fork>) -> Option<(NodeId, Board)> {
        let fork = forks.last_mut()?;
        let notes = self.notes.get(fork.primary);
        self.notes_until(notes, &mut fork.notes, fork.written);
        if let Some(node) = fork.next {
            self.open();
            let mut board = fork.board.clone();
            self.play(node, &mut board, u16::MAX);
            fork.next = self.alternative_after(node);
            fork.written = fork.written.saturating_add(1);
            return Some((node, board));
        }
        self.notes_until(notes, &mut fork.notes, u16::MAX);
        let fork = forks.pop()?;
        self.rest_beside(fork.primary);
        Some((fork.primary, self.board_after(fork.board, fork.primary)))
    }

    fn board_after(&self, mut board: Board, node: NodeId) -> Board {
        if let Some(&mv) = self.game.tree.move_to(node) {
            board.play(mv);
        }
        board
    }
}

/// Moves and notes.
impl Writer<'_> {
    /// Plays the move of a node and writes it with its glyphs and the notes that belong before
    /// alternative number `until`. Returns the number of notes written after the move.
    #[inline(always)]
    fn play_usual(&mut self, node: NodeId, board: &mut Board, until: u16) -> usize {
        let notes = self.notes.get(node);
        for (_, note) in notes {
            if note.place == NotePlace::Before {
                self.note(note);
            }
        }
        self.move_text(node, board);
        self.glyphs(node);
        let mut done = 0;
        if !notes.is_empty() {
            self.notes_until(notes, &mut done, until);
        }
        done
    }

    /// [`play_usual`](Self::play_usual) for moves with alternatives and first moves of variations.
    #[inline(never)]
    fn play(&mut self, node: NodeId, board: &mut Board, until: u16) -> usize {
        self.play_usual(node, board, until)
    }

    #[inline(always)]
    fn move_text(&mut self, node: NodeId, board: &mut Board) {
        let Some(&mv) = self.game.tree.move_to(node) else {
            return;
        };
        let (turn, number) = (board.turn(), board.fullmoves());
        let numbering = std::mem::replace(&mut self.number, Number::Usual);
        let text = board.play_to_san(mv);
        let number_part = match (turn, numbering) {
            (_, Number::Never) | (Color::Black, Number::Usual) => Some(Part::default()),
            (Color::White, _) => Part::number(b"", number, b". "),
            (Color::Black, Number::Always) => Part::number(b"", number, b"... "),
        };
        match number_part {
            Some(start) => self.word(Word {
                start,
                end: text.into(),
            }),
            None => self.move_with_long_number(turn, number, text),
        }
    }

    #[cold]
    fn move_with_long_number(&mut self, turn: Color, number: u32, text: ShortText) {
        let (dots, text): (_, MoveText) = (turn.fold_wb(".", "..."), text.into());
        self.token(&format!("{number}{dots} {text}"));
    }

    #[inline(always)]
    fn glyphs(&mut self, node: NodeId) {
        if self.options.nags {
            for (_, nag) in self.nags.get(node) {
                match Part::number(b"$", *nag, b"") {
                    Some(start) => self.word(Word {
                        start,
                        ..Word::default()
                    }),
                    None => self.token(&format!("${nag}")),
                }
            }
        }
    }

    /// Writes the notes after the move that belong before alternative number `written`; `done`
    /// counts the notes written.
    fn notes_until(&mut self, notes: &[(NodeId, Note)], done: &mut usize, written: u16) {
        let notes = notes.iter().map(|(_, note)| note);
        let after =
            notes.filter(|note| note.place != NotePlace::Before && note.kind != NoteKind::Rest);
        for note in after.skip(*done) {
            match note.place {
                NotePlace::AfterAlternatives(place) if place > written => break,
                _ => self.note(note),
            }
            *done += 1;
        }
    }

    /// Writes the unreadable rest of the line that ends here.
    fn rest(&mut self, node: NodeId) {
        if !self.has_rests {
            return;
        }
        let game = self.game;
        for note in game
            .notes_at(node)
            .filter(|note| note.kind == NoteKind::Rest)
        {
            self.unbroken(game.text(note.text));
        }
    }

    /// Writes the unreadable rest as a variation, if moves were added after it.
    #[inline(always)]
    fn rest_beside(&mut self, primary: NodeId) {
        if self.has_rests && self.options.variations {
            self.rest_as_variation(primary);
        }
    }

    fn rest_as_variation(&mut self, primary: NodeId) {
        let game = self.game;
        let Some(parent) = game.tree.parent(primary) else {
            return;
        };
        for note in game
            .notes_at(parent)
            .filter(|note| note.kind == NoteKind::Rest)
        {
            self.text_variation(game.text(note.text));
        }
    }

    fn note(&mut self, note: &Note) {
        let game = self.game;
        let is_plain = note.kind == NoteKind::Comment(Style::Brace)
            && self.options.comments
            && self.options.clocks
            && self.plain_comment(note.text);
        if is_plain {
            return;
        }
        let text = game.text(note.text);
        match note.kind {
            NoteKind::Comment(style) if self.options.comments => self.comment(style, text),
            NoteKind::Words if self.options.comments => {
                self.unbroken(text);
                if ends_in_result(text.as_bytes()) {
                    self.number = Number::Never;
                }
            }
            NoteKind::Variation if self.options.variations => self.text_variation(text),
            _ => {}
        }
    }

    fn comment(&mut self, style: Style, text: &str) {
        let text = if self.options.clocks {
            Cow::Borrowed(text)
        } else {
            without_clocks(text)
        };
        let among_tags = self.among_tags;
        match style {
            Style::Escape => {
                self.escape_line(&text);
                self.among_tags = among_tags;
            }
            _ if text.is_empty() => return,
            Style::Line if !text.contains(['\n', '\r']) => {
                self.enclosed("; ", &text, "");
                self.end_line();
                self.among_tags = among_tags;
            }
            _ => self.enclosed("{ ", &comment_text(&text), " }"),
        }
        self.number_next_move();
    }

    /// Writes a short comment in braces as [`comment`](Self::comment) does, if it is ASCII, on one
    /// line and without braces. One look finds that out, and a fixed number of bytes is copied.
    #[inline(always)]
    fn plain_comment(&mut self, text: Text) -> bool {
        let all = self.game.text.as_bytes();
        let Range { start, end } = text.range();
        let block = all.get(start..).and_then(<[u8]>::first_chunk::<BLOCK>);
        let (Some(block), 1..=BLOCK) = (block, end - start) else {
            return false;
        };
        let len = end - start;
        if bits_at(all, start, OddInComment) & (u64::MAX >> (BLOCK - len)) != 0 {
            return false;
        }
        self.separate(len + "{  }".len());
        self.among_tags = false;
        self.out.extend_from_slice(b"{ ");
        let end = self.out.len() + len;
        self.out.extend_from_slice(block);
        self.out.truncate(end);
        self.out.extend_from_slice(b" }");
        self.column += len + "{  }".len();
        self.number_next_move();
        true
    }

    fn escape_line(&mut self, text: &str) {
        if self.column > 0 {
            self.end_line();
        }
        self.enclosed("%", &text.replace(['\n', '\r'], " "), "");
        self.end_line();
    }

    /// Writes the number of the next move, unless a word that looks like a result precedes it.
    fn number_next_move(&mut self) {
        if self.number == Number::Usual {
            self.number = Number::Always;
        }
    }

    fn text_variation(&mut self, text: &str) {
        self.token("(");
        self.unbroken(text);
        self.close();
    }

    fn open(&mut self) {
        self.token("(");
        self.number = Number::Always;
    }

    fn close(&mut self) {
        self.token(")");
        self.number = Number::Always;
    }
}

/// Layout.
impl Writer<'_> {
    /// Writes a token, on a new line if the current one is full.
    fn token(&mut self, token: &str) {
        self.separate(width(token));
        self.push(token);
    }

    /// Writes a token that consists of a text between two ASCII signs.
    fn enclosed(&mut self, open: &str, text: &str, close: &str) {
        let (before, after) = (open.len(), close.len());
        let inner = width(text);
        self.separate(before + inner + after);
        self.among_tags = false;
        self.out.reserve(before + text.len() + after);
        for part in [open, text, close] {
            self.out.extend_from_slice(part.as_bytes());
        }
        self.column = after
            + match memchr::memrchr(b'\n', text.as_bytes()) {
                Some(at) => width(&text[at + 1..]),
                None => self.column + before + inner,
            };
    }

    /// Writes a word as [`Writer::token`] does. Copying a fixed number of bytes is cheaper than
    /// copying a few.
    #[inline(always)]
    fn word(&mut self, Word { start, end }: Word) {
        let len = start.len + end.len;
        self.separate(len);
        self.among_tags = false;
        let before = self.out.len();
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&start.bits.to_le_bytes());
        self.out.extend_from_slice(&bytes);
        let room = self.out[before..].get_mut(start.len..start.len + 8);
        if let Some(room) = room {
            room.copy_from_slice(&end.bits.to_le_bytes());
        }
        self.out.truncate(before + len);
        self.column += len;
    }

    /// Ends the line if a token of this width does not fit, otherwise writes a space before it.
    #[inline(always)]
    fn separate(&mut self, width: usize) {
        if self.column > 0 {
            let fits = self.column + 1 + width <= self.limit;
            self.out.push(if fits { b' ' } else { b'\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
    }

    /// Writes text so that it is not read differently at the start of a line, where `[` starts a
    /// tag and `%` an escape line.
    fn unbroken(&mut self, text: &str) {
        let is_line = text.starts_with([';', '\n']);
        let is_tag = text.starts_with('[');
        if (self.among_tags && (is_line || is_tag)) || (self.column == 0 && is_tag) {
            self.token("{ }");
        }
        if self.column > 0 || text.starts_with('%') {
            self.push(" ");
        }
        self.push(text);
        self.number_next_move();
    }

    fn push(&mut self, text: &str) {
        self.among_tags = false;
        self.out.extend_from_slice(text.as_bytes());
        self.column = match memchr::memrchr(b'\n', text.as_bytes()) {
            Some(at) => width(&text[at + 1..]),
            None => self.column + width(text),
        };
    }

    fn end_line(&mut self) {
        self.out.push(b'\n');
        self.column = 0;
    }
}

/// The number of characters.
fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}

/// A move with its number, or a glyph: two parts of at most eight ASCII characters, each in one
/// number with the first character in the lowest bits.
#[derive(Clone, Copy, Default)]
struct Word {
    start: Part,
    end: Part,
}

#[derive(Clone, Copy, Default)]
struct Part {
    bits: u64,
    len: usize,
}

impl Part {
    /// A number below 1000 between signs; `None` if it is larger.
    #[inline(always)]
    fn number<const N: usize, const M: usize>(
        before: &[u8; N],
        number: u32,
        after: &[u8; M],
    ) -> Option<Part> {
        let &[a, b, c, len] = DIGITS.get(number as usize)?;
        let digits = u32::from_le_bytes([a, b, c, 0]);
        let mut part = Part::default();
        part.push(u64_of(before), N);
        part.push(u64::from(digits), usize::from(len));
        part.push(u64_of(after), M);
        Some(part)
    }

    #[inline(always)]
    fn push(&mut self, bits: u64, len: usize) {
        self.bits |= bits << ((8 * self.len) & 63);
        self.len += len;
    }
}

impl From<ShortText> for Part {
    #[inline(always)]
    fn from(text: ShortText) -> Part {
        Part {
            bits: u64::from_le_bytes(text.bytes()),
            len: text.len(),
        }
    }
}

/// A few characters as a number.
#[inline(always)]
fn u64_of<const N: usize>(text: &[u8; N]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..N].copy_from_slice(text);
    u64::from_le_bytes(bytes)
}

/// The digits of numbers, then zeros, then the number of digits.
static DIGITS: [[u8; 4]; 1000] = {
    let mut digits = [[0; 4]; 1000];
    let mut number = 0;
    while number < 1000 {
        let [a, b, c] = [number / 100, number / 10 % 10, number % 10];
        let [a, b, c] = [b'0' + a as u8, b'0' + b as u8, b'0' + c as u8];
        digits[number] = match number {
            0..10 => [c, 0, 0, 1],
            10..100 => [b, c, 0, 2],
            _ => [a, b, c, 3],
        };
        number += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read_game;

    fn movetext(text: &str) -> String {
        let game = read_game(text.as_bytes()).unwrap_or_default();
        export(&game, &ExportOptions::default().tags(false))
    }

    #[test]
    fn tags_are_written_alike_together_and_one_by_one() {
        let roster = ROSTER.map(|name| format!("[{name} \"?\"]"));
        let others = ["[Annotator \"é, 漢\"]", "[A \"\"]", "[Long \"0123456789\"]"];
        for line_end in ["\n", "\r\n", " \n", "\n\n"] {
            let tags = roster.iter().map(String::as_str).chain(others);
            let text = tags.fold(String::new(), |text, tag| text + tag + line_end);
            let text = format!("{text}{line_end}*\n");
            let mut game = read_game(text.as_bytes()).unwrap();
            let as_read = export(&game, &ExportOptions::default());
            assert_eq!(tags_as_read(&game).is_some(), line_end == "\n");
            game.set_tag("Site", "?");
            assert!(tags_as_read(&game).is_none());
            assert_eq!(export(&game, &ExportOptions::default()), as_read);
        }
    }

    #[test]
    fn values_that_need_escapes_are_not_copied() {
        let roster = ROSTER.map(|name| format!("[{name} \"?\"]\n")).concat();
        for value in [r#"a\"b"#, r"a\\b"] {
            let text = format!("{roster}[A \"{value}\"]\n[B \"c\"]\n\n*\n");
            let game = read_game(text.as_bytes()).unwrap();
            assert!(tags_as_read(&game).is_none());
            assert_eq!(export(&game, &ExportOptions::default()), text);
        }
    }

    #[test]
    fn numbers_of_any_length() {
        let fen = "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 998\"]";
        assert_eq!(
            movetext(&format!("{fen}\n\nKd1 Kd8 Ke1 {{a}} Ke8 Kd1 {{b}} Kd8 *")),
            "998. Kd1 Kd8 999. Ke1 { a } 999... Ke8 1000. Kd1 { b } 1000... Kd8 *\n"
        );
        assert_eq!(
            movetext("e4 $0 $9 $10 $999 $1000 $4294967295 e5 *"),
            "1. e4 $0 $9 $10 $999 $1000 $4294967295 e5 *\n"
        );
    }

    #[test]
    fn short_comments_are_written_like_others() {
        let plain = "0123456789".repeat(14);
        for len in 0..=plain.len() {
            for odd in ["", "é", "\n", "{", "x"] {
                let comment = format!("{}{odd}", &plain[..len]);
                let text = format!("1. e4 {{ {comment} }} e5 {{ [%x] }} 2. d4 *");
                let game = read_game(text.as_bytes()).unwrap();
                let options = ExportOptions::default();
                // Leaving out the clocks, of which there are none, takes the other way.
                let expected = export(&game, &options.clone().clocks(false));
                assert_eq!(export(&game, &options), expected, "{comment:?}");
            }
        }
    }
}
