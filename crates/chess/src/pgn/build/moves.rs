//! Moves and variations.

use super::{Build, Pending};
use crate::pgn::Span;
use crate::pgn::complaint::ComplaintKind;
use crate::pgn::game::{Game, NoteKind, NotePlace};
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::{Visitor, looks_like_move};
use crate::{Board, Move, SanError};
use tree::NodeId;

/// The current line.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub node: NodeId,
    /// The number of moves in this line.
    pub moves: u32,
    /// The number of alternatives to the node's move.
    pub alternatives: u32,
    /// The same for the first move of the line, once there is a second move.
    pub first_alternatives: u32,
    /// The frame of the move that this variation is an alternative to.
    pub anchor: u32,
    /// The number of alternatives that move had before.
    pub base: u32,
}

impl Line {
    /// The mainline before its first move.
    pub(super) const MAIN: Line = Line {
        node: NodeId::ROOT,
        moves: 0,
        alternatives: 0,
        first_alternatives: 0,
        anchor: 0,
        base: 0,
    };

    /// The line of a variation that starts from `node`; `frames` is the number of open variations.
    pub(super) fn variation(&self, node: NodeId, frames: usize) -> Line {
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

    /// The number of children that this closed line added to the node where it starts.
    pub(super) fn branches(&self) -> u32 {
        match self.moves {
            0 => self.alternatives,
            1 => 1 + self.alternatives,
            _ => 1 + self.first_alternatives,
        }
    }
}

/// A line interrupted by a variation.
pub(super) struct Frame {
    pub line: Line,
    /// The board before its last move, or the current one if it has no move yet. The other board is
    /// recomputed, so a million open variations need 128 MB and not twice that.
    pub board: Board,
    /// The offset of the `(`.
    pub open: u32,
    /// The number of pending notes of outer lines.
    pub pending: u32,
}

/// Moves.
impl Build<'_> {
    pub(super) fn play(&mut self, mv: Move, span: &Span) {
        self.boards.play(mv);
        self.add_move(mv, span);
    }

    /// Adds a move that was played on the board.
    #[inline(always)]
    pub(super) fn add_move(&mut self, mv: Move, span: &Span) {
        if self.words.is_some() || self.held.is_some() {
            self.move_after_other(span);
        }
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

    /// The first move of a line. That of the game is the primary one, even if alternatives precede
    /// it.
    pub(super) fn first_move(&mut self, mv: Move) {
        let parent = self.line.node;
        self.line.node = if self.frames.is_empty() {
            self.game.tree.add_primary(parent, mv)
        } else {
            self.game.tree.add_child(parent, mv)
        };
        self.line.moves = 1;
        if !self.pending.is_empty() {
            self.place_pending(self.line.node);
        }
    }

    #[cold]
    pub(super) fn move_after_other(&mut self, span: &Span) {
        if self.held.is_some_and(|held| !held.inner) {
            self.report(ComplaintKind::MoveAfterResult, span.clone());
        }
        self.flush();
    }

    /// Attaches notes and glyphs before the first move of a variation to that move.
    pub(super) fn place_pending(&mut self, node: NodeId) {
        for pending in self.take_pending() {
            match pending {
                Pending::Note(note) => self.game.notes.push(node, note),
                Pending::Nag(nag) => push_nag(self.game, node, nag),
            }
        }
    }

    /// Takes the notes and glyphs before the first move of the current variation.
    pub(super) fn take_pending(&mut self) -> Vec<Pending> {
        let base = self.frames.last().map_or(0, |frame| frame.pending as usize);
        self.pending.split_off(base)
    }

    #[cold]
    pub(super) fn unreadable_word(&mut self, error: SanError, span: Span) {
        let word = &self.source.as_bytes()[span.clone()];
        if is_redundant(word) {
            return;
        }
        if !looks_like_move(word) {
            return self.unknown_word(span);
        }
        if self.split_word(&span) {
            return;
        }
        let kind = match error {
            SanError::Syntax => ComplaintKind::UnreadableMove,
            SanError::Ambiguous(_) => ComplaintKind::AmbiguousMove,
            SanError::Illegal | SanError::MissingPromotion => ComplaintKind::IllegalMove,
        };
        self.report(kind, span.clone());
        let number = self.number_before(&span);
        self.flush();
        self.start_keeping(if self.is_variation_start() {
            NoteKind::Variation
        } else {
            NoteKind::Rest
        });
        if let Some(number) = number {
            self.keep(&number);
        }
        self.keep(&span);
    }

    /// The move number directly before a word. `None` after a result, where `1.` would start another
    /// game when the text is read again.
    pub(super) fn number_before(&self, span: &Span) -> Option<Span> {
        let number = self.number.clone();
        let between = self.slice(&(number.end..span.start));
        let is_gap = |char: char| char.is_whitespace() || char == '.' || char == '…';
        let is_right_before = self.slice(&number).ends_with('.') && between.chars().all(is_gap);
        let after_result = self.held.is_some() || self.result.is_some() || self.early_variation;
        (is_right_before && !after_result).then_some(number)
    }

    /// Reads `e4e5` as two moves, `Qh4#0-1` as a move and a result.
    pub(super) fn split_word(&mut self, span: &Span) -> bool {
        self.split_moves(span) || self.split_result(span)
    }

    pub(super) fn split_moves(&mut self, span: &Span) -> bool {
        let word = self.slice(span).as_bytes();
        let glued = (2..word.len().min(16).saturating_sub(1)).find_map(|at| {
            let (first, second) = word.split_at_checked(at)?;
            let mut board = self.boards.now().clone();
            let first = board.play_san(first).ok().filter(|_| ends_move(first))?;
            Some((first, board.parse_san(second).ok()?))
        });
        let Some((first, second)) = glued else {
            return false;
        };
        self.report(ComplaintKind::GluedMoves, span.clone());
        self.play(first, span);
        self.play(second, span);
        true
    }

    pub(super) fn split_result(&mut self, span: &Span) -> bool {
        let word = self.slice(span);
        let glued = ["1-0", "0-1", "1/2-1/2"].iter().find_map(|result| {
            let mv = word.strip_suffix(result)?.as_bytes();
            let mv = self
                .boards
                .now()
                .parse_san(mv)
                .ok()
                .filter(|_| ends_move(mv))?;
            Some((
                mv,
                Outcome::read(result.as_bytes())?,
                span.end - result.len(),
            ))
        });
        let Some((mv, outcome, at)) = glued else {
            return false;
        };
        self.report(ComplaintKind::GluedMoves, span.clone());
        self.play(mv, span);
        self.result(outcome, at..span.end);
        true
    }
}

/// Variations.
impl Build<'_> {
    /// True before the first move of a variation.
    #[inline]
    pub(super) fn is_variation_start(&self) -> bool {
        self.line.moves == 0 && !self.frames.is_empty()
    }

    pub(super) fn parent(&self) -> NodeId {
        self.game
            .tree
            .parent(self.line.node)
            .unwrap_or(NodeId::ROOT)
    }

    /// The place of a note at the current position.
    #[inline]
    pub(super) fn place(&self) -> NotePlace {
        let Line {
            moves,
            alternatives,
            ..
        } = self.line;
        let is_primary = || self.game.tree.is_locally_mainline(self.line.node);
        if moves > 0 && alternatives > 0 && is_primary() {
            after_alternatives(alternatives)
        } else {
            NotePlace::After
        }
    }

    /// Closes the innermost variation and returns to the line it interrupted.
    pub(super) fn end_variation(&mut self, at: usize, kept: bool) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let span = frame.open as usize..at;
        let waiting = self.pending.len() > frame.pending as usize;
        let empty = self.line.moves == 0 && self.line.alternatives == 0 && !kept;
        if empty && !waiting {
            self.report(ComplaintKind::EmptyVariation, span);
        } else if self.line.moves == 0 && waiting {
            self.report(ComplaintKind::VariationWithoutMoves, span);
            self.start_keeping(NoteKind::Variation);
            self.end_keeping();
        }
        let branches = self.line.branches();
        if let Some(frame) = self.frames.pop() {
            self.go_back(frame);
        }
        self.line.alternatives += branches;
    }

    pub(super) fn go_back(&mut self, frame: Frame) {
        self.line = frame.line;
        self.boards.go(frame.board);
        if self.line.moves > 0
            && let Some(&mv) = self.game.tree.move_to(self.line.node)
        {
            self.boards.play(mv);
        }
    }
}

pub(super) fn after_alternatives(count: u32) -> NotePlace {
    match u16::try_from(count) {
        Ok(0) => NotePlace::After,
        Ok(count) => NotePlace::AfterAlternatives(count),
        Err(_) => NotePlace::AfterAlternatives(u16::MAX),
    }
}

/// Adds a glyph to a node, unless the node has it already.
pub(super) fn push_nag(game: &mut Game, node: NodeId, nag: u32) {
    let rows = game.nags.rows().iter().rev();
    let mut here = rows.take(8).take_while(|(at, _)| *at == node);
    if !here.any(|(_, known)| *known == nag) {
        game.nags.push(node, nag);
    }
}

pub(super) fn ends_move(word: &[u8]) -> bool {
    matches!(
        word,
        [
            ..,
            b'1'..=b'8' | b'O' | b'+' | b'#' | b'Q' | b'R' | b'B' | b'N'
        ]
    )
}

/// Words that repeat what the move expresses already.
pub(super) fn is_redundant(word: &[u8]) -> bool {
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
