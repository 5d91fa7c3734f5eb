//! Writing a game in PGN export format: tags, then movetext in lines of 80 columns.
//!
//! The text reads back as an equal game. Three things cannot be written as they are; they are
//! never the result of reading, only of programs: `}` in a comment becomes `❵`, a line end in a tag
//! value a space, and a character that tag names cannot have `_`.

use super::game::{Game, Note, NoteKind, NotePlace, ROSTER, roster_default};
use super::scan::Style;
use super::split::ends_in_result;
use super::tag::escape;
use crate::annotation::without_clocks;
use crate::{Board, Color};
use std::borrow::Cow;
use std::fmt;
use tree::NodeId;

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
    if options.tags {
        write_tags(game, options, text);
    }
    let mut writer = Writer {
        game,
        options,
        out: text,
        column: 0,
        number: Number::Always,
        among_tags: true,
    };
    writer.movetext();
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&export(self, &ExportOptions::default()))
    }
}

/// The tags in writing order: the roster, then the others.
pub fn export_tags(game: &Game, roster: bool) -> Vec<(&str, &str)> {
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

fn write_tags(game: &Game, options: &ExportOptions, text: &mut String) {
    let tags = export_tags(game, options.roster);
    for (name, value) in &tags {
        text.push('[');
        text.push_str(&tag_name(name));
        text.push_str(" \"");
        text.push_str(&escape(value));
        text.push_str("\"]\n");
    }
    if !tags.is_empty() {
        text.push('\n');
    }
}

pub(super) fn tag_name(name: &str) -> Cow<'_, str> {
    let is_bad = |char: char| char.is_ascii_whitespace() || "\"[]{}()\0\u{1a}\u{b}".contains(char);
    if name.contains(is_bad) {
        Cow::Owned(name.replace(is_bad, "_"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The text of a comment as it can be written between braces.
pub(super) fn comment_text(text: &str) -> String {
    text.replace('}', "❵").replace('\r', "\n")
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
    out: &'a mut String,
    /// Characters in the current line.
    column: usize,
    number: Number,
    /// Only `;` and `%` lines were written so far: a reader still expects tags.
    among_tags: bool,
}

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

impl Writer<'_> {
    fn movetext(&mut self) {
        self.line_and_variations();
        self.token(self.game.outcome.as_str());
        self.out.push('\n');
    }

    /// Walks the tree in text order, without recursion.
    fn line_and_variations(&mut self) {
        let mut forks: Vec<Fork> = Vec::new();
        let mut node = NodeId::ROOT;
        let mut board = self.game.start.clone();
        self.glyphs(node);
        self.notes_until(node, &mut 0, u16::MAX);
        loop {
            match self.game.tree.next(node) {
                Some(child) => {
                    let mut notes = 0;
                    self.play(child, &board, &mut notes);
                    forks.push(Fork {
                        board,
                        primary: child,
                        next: self.alternative_after(child),
                        written: 0,
                        notes,
                    });
                }
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

    fn alternative_after(&self, node: NodeId) -> Option<NodeId> {
        let next = self.game.tree.next_sibling(node);
        next.filter(|_| self.options.variations)
    }

    /// Starts the next alternative of the last fork, or continues with its primary move.
    fn next_line(&mut self, forks: &mut Vec<Fork>) -> Option<(NodeId, Board)> {
        let fork = forks.last_mut()?;
        self.notes_until(fork.primary, &mut fork.notes, fork.written);
        if let Some(node) = fork.next {
            self.open();
            self.play(node, &fork.board, &mut 0);
            fork.next = self.alternative_after(node);
            fork.written = fork.written.saturating_add(1);
            return Some((node, self.board_after(fork.board.clone(), node)));
        }
        self.notes_until(fork.primary, &mut fork.notes, u16::MAX);
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
    /// Writes the move of a node with its glyphs, and its notes up to the first alternative; all
    /// notes if the node is an alternative itself.
    fn play(&mut self, node: NodeId, board: &Board, notes: &mut usize) {
        self.notes_before(node);
        self.move_text(node, board);
        self.glyphs(node);
        let is_primary = self.game.tree.is_locally_mainline(node);
        let until = if is_primary { 0 } else { u16::MAX };
        self.notes_until(node, notes, until);
    }

    fn move_text(&mut self, node: NodeId, board: &Board) {
        let Some(&mv) = self.game.tree.move_to(node) else {
            return;
        };
        let san = board.san(mv);
        let number = board.fullmoves();
        let numbering = std::mem::replace(&mut self.number, Number::Usual);
        match (board.turn(), numbering) {
            (_, Number::Never) | (Color::Black, Number::Usual) => self.token(&san),
            (Color::White, _) => self.token(&format!("{number}. {san}")),
            (Color::Black, Number::Always) => self.token(&format!("{number}... {san}")),
        }
    }

    fn glyphs(&mut self, node: NodeId) {
        if self.options.nags {
            for nag in self.game.nags_at(node) {
                self.token(&format!("${nag}"));
            }
        }
    }

    fn notes_before(&mut self, node: NodeId) {
        let game = self.game;
        for note in game
            .notes_at(node)
            .filter(|note| note.place == NotePlace::Before)
        {
            self.note(note);
        }
    }

    /// Writes the notes after the move that belong before alternative number `written`; `done`
    /// counts the notes written.
    fn notes_until(&mut self, node: NodeId, done: &mut usize, written: u16) {
        let game = self.game;
        let after = game
            .notes_at(node)
            .filter(|note| note.place != NotePlace::Before && note.kind != NoteKind::Rest);
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
        let game = self.game;
        for note in game
            .notes_at(node)
            .filter(|note| note.kind == NoteKind::Rest)
        {
            self.unbroken(game.text(note.text));
        }
    }

    /// Writes the unreadable rest as a variation, if moves were added after it.
    fn rest_beside(&mut self, primary: NodeId) {
        let game = self.game;
        let Some(parent) = game
            .tree
            .parent(primary)
            .filter(|_| self.options.variations)
        else {
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
                self.token(&format!("; {text}"));
                self.end_line();
                self.among_tags = among_tags;
            }
            _ => self.token(&format!("{{ {} }}", comment_text(&text))),
        }
        self.number_next_move();
    }

    fn escape_line(&mut self, text: &str) {
        if self.column > 0 {
            self.end_line();
        }
        self.token(&format!("%{}", text.replace(['\n', '\r'], " ")));
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
        let width = token.chars().count();
        let limit = self.options.columns.unwrap_or(usize::MAX);
        if self.column > 0 {
            if self.column + 1 + width > limit {
                self.end_line();
            } else {
                self.push(" ");
            }
        }
        self.push(token);
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
        self.out.push_str(text);
        self.column = match text.rfind('\n') {
            Some(at) => text[at + 1..].chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }
}
