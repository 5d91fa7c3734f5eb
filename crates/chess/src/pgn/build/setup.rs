//! Tags, and the start position from them.

use super::boards::Boards;
use super::{Build, TAGS_COMPARED};
use crate::pgn::Span;
use crate::pgn::complaint::ComplaintKind;
use crate::pgn::game::{Note, NoteKind, Tag, Text};
use crate::pgn::scan::{Style, Visitor, scan};
use crate::pgn::split::Border;
use crate::pgn::tag::{RawTag, TagForm, unescape};
use crate::{Board, Variant};
use tree::NodeId;

impl Build<'_> {
    pub(super) fn border(&mut self, border: Border) {
        match border {
            Border::Blank => {}
            Border::Tags => self.report(ComplaintKind::NoBlankLine, 0..0),
            Border::NumberOne => self.report(ComplaintKind::GamesRunTogether, 0..0),
            Border::Limit => self.report(ComplaintKind::GameTooLong, 0..0),
        }
    }

    #[inline(always)]
    pub(super) fn add_tag(&mut self, tag: &RawTag) {
        let is_known = self.may_have_tag(&self.source.as_bytes()[tag.name.clone()]);
        let (name, value) = match tag.form {
            TagForm::Fine => self.fine_tag(tag),
            _ => self.odd_tag(tag),
        };
        if is_known && self.has_tag(name) {
            self.report(ComplaintKind::TagRepeated, tag.span.clone());
        }
        self.game.tags.push(Tag { name, value });
    }

    /// The text of the tag will be copied together with that of the tags around it.
    #[inline(always)]
    fn fine_tag(&mut self, tag: &RawTag) -> (Text, Text) {
        let follows = tag.name.start.wrapping_sub(self.tags_to_copy.end) <= TAG_GAP;
        if !follows {
            self.start_copy(tag.name.start);
        }
        self.tags_to_copy.end = tag.value.end;
        let text = |part: &Span| {
            let start = self.game.text.len() + part.start - self.tags_to_copy.start;
            Text::new(start, part.len())
        };
        (text(&tag.name), text(&tag.value))
    }

    /// Copies the tags so far; the next ones start here.
    #[cold]
    fn start_copy(&mut self, start: usize) {
        self.copy_tags();
        self.tags_to_copy = start..start;
    }

    /// Copies the tags whose text was not copied yet.
    pub(super) fn copy_tags(&mut self) {
        let tags = std::mem::take(&mut self.tags_to_copy);
        self.game.text.push_str(self.slice(&tags));
    }

    #[cold]
    pub(super) fn odd_tag(&mut self, tag: &RawTag) -> (Text, Text) {
        if let Some(kind) = tag_complaint(tag.form) {
            self.report(kind, tag.span.clone());
        }
        self.copy_tags();
        let name = self.add(self.slice(&tag.name));
        (name, self.add(&unescape(self.slice(&tag.value))))
    }

    /// A tag after text may set the start position, if no move was read yet.
    #[cold]
    pub(super) fn tag_after_text(&mut self, tag: &RawTag) {
        self.flush();
        let text = &mut self.game.text;
        let text = self
            .kept
            .as_ref()
            .map(|kept| text.split_off(kept.start as usize));
        self.add_tag(tag);
        self.copy_tags();
        if let (Some(kept), Some(text)) = (&mut self.kept, text) {
            kept.start = self.game.text.len() as u32;
            return self.game.text.push_str(&text);
        }
        let sets_up = matches!(self.slice(&tag.name), "FEN" | "SetUp" | "Variant");
        let is_early = self.game.tags.len() < TAGS_COMPARED;
        if sets_up && is_early && self.game.tree.is_terminal(NodeId::ROOT) {
            self.set_up();
        }
    }

    /// False if no tag with this name was read. Stores that it was read.
    #[inline]
    fn may_have_tag(&mut self, name: &[u8]) -> bool {
        let (word, bit) = tag_bit(name);
        let is_known = self.tags_seen[word] & bit != 0;
        self.tags_seen[word] |= bit;
        is_known
    }

    /// True if a tag with this name was read.
    #[cold]
    fn has_tag(&mut self, name: Text) -> bool {
        self.copy_tags();
        let text = self.game.text.as_bytes();
        let is_same = |tag: &Tag| text[tag.name.range()] == text[name.range()];
        self.game.tags.iter().take(TAGS_COMPARED).any(is_same)
    }

    /// The value of the first tag with this name. Most games have none of those that are needed.
    fn tag_value(&self, name: &str) -> Option<&str> {
        let (word, bit) = tag_bit(name.as_bytes());
        let is_known = self.tags_seen[word] & bit != 0;
        is_known.then(|| self.game.tag(name)).flatten()
    }
}

/// The largest distance from the value of a tag to the name of the next: `"]`, line end, `[`.
const TAG_GAP: usize = r#""]["#.len() + "\r\n".len();

/// The bit of a tag name in the Bloom filter. The factors give sixty common names sixty bits.
#[inline]
fn tag_bit(name: &[u8]) -> (usize, u64) {
    let middle = usize::from(name.get(name.len() * 2 / 3).copied().unwrap_or(0));
    let hash = match name {
        [first, .., last] => *first as usize * 24 + middle * 63 + *last as usize * 55 + name.len(),
        _ => middle,
    };
    (hash / 64 % 4, 1 << (hash % 64))
}

/// The start position.
impl Build<'_> {
    /// Sets the start position from the tags so far.
    pub(super) fn set_up(&mut self) {
        match self.start() {
            Some(board) => {
                self.game.start = board.clone();
                self.boards = Boards::new(board);
            }
            None => {
                self.game.start = Board::new();
                self.start_keeping(NoteKind::Rest);
                self.keep_notes_so_far();
            }
        }
    }

    /// Words before the tags become part of the kept text, as if they were after the tags. `;` and
    /// `%` lines do not, unless something else precedes them.
    pub(super) fn keep_notes_so_far(&mut self) {
        for nag in self.game.nags.remove(NodeId::ROOT) {
            self.keep_text(&format!("${nag}"));
        }
        let is_line =
            |note: &Note| matches!(note.kind, NoteKind::Comment(Style::Line | Style::Escape));
        let mut notes = self.game.notes.remove(NodeId::ROOT);
        let lines = if self.has_kept_text() {
            0
        } else {
            notes.iter().take_while(|note| is_line(note)).count()
        };
        for note in notes.split_off(lines) {
            self.keep_note(&note);
        }
        self.game.notes.set(NodeId::ROOT, notes);
    }

    /// The start position; `None` if the FEN is invalid.
    pub(super) fn start(&mut self) -> Option<Board> {
        let variant = self.variant();
        let fen = self.tag_value("FEN").map(str::trim).unwrap_or_default();
        if fen.is_empty() {
            if self.tag_value("SetUp") == Some("1") {
                self.report_tag(ComplaintKind::SetUpWithoutFen, "SetUp");
            }
            return Some(Board::for_variant(variant));
        }
        let read = match self.without_complaints {
            true => Board::from_fen(fen, variant).map(|board| (board, Vec::new())),
            false => Board::read_fen(fen, variant),
        };
        match read {
            Ok((board, warnings)) => {
                if !warnings.is_empty() {
                    self.report_tag(ComplaintKind::OddFen, "FEN");
                }
                Some(board)
            }
            Err(_) => {
                self.report_tag(ComplaintKind::BadFen, "FEN");
                None
            }
        }
    }

    pub(super) fn variant(&mut self) -> Variant {
        let Some(tag) = self.tag_value("Variant") else {
            return Variant::Standard;
        };
        Variant::from_tag(tag).unwrap_or_else(|| {
            self.report_tag(ComplaintKind::UnknownVariant, "Variant");
            Variant::Standard
        })
    }
}

/// Complaints about tags.
impl Build<'_> {
    /// Scans the tags again to find the location of the tag. This is rare, so locations are not
    /// stored.
    #[cold]
    pub(super) fn report_tag(&mut self, kind: ComplaintKind, name: &str) {
        let mut tag = FirstTag {
            text: self.source,
            name,
            span: 0..0,
        };
        scan(self.source.as_bytes(), &mut tag);
        self.report(kind, tag.span);
    }
}

/// The location of the first tag with this name.
struct FirstTag<'a> {
    text: &'a str,
    name: &'a str,
    span: Span,
}

impl Visitor for FirstTag<'_> {
    fn movetext(&mut self) -> bool {
        false
    }

    fn tag(&mut self, tag: &RawTag) {
        if self.span.is_empty() && self.text.get(tag.name.clone()) == Some(self.name) {
            self.span = tag.span.clone();
        }
    }
}

pub(super) fn tag_complaint(form: TagForm) -> Option<ComplaintKind> {
    match form {
        TagForm::Fine | TagForm::Escaped => None,
        TagForm::RawQuote => Some(ComplaintKind::TagQuote),
        TagForm::Unterminated => Some(ComplaintKind::TagUnterminated),
        TagForm::NoValue => Some(ComplaintKind::TagWithoutValue),
        TagForm::Unquoted => Some(ComplaintKind::TagUnquoted),
    }
}
