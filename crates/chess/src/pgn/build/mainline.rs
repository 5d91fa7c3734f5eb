//! Reading the mainline alone: the moves of variations are not checked, notes are not kept.
//!
//! Where the mainline depends on more than its own moves, the game is left to the builder.

use super::Build;
use super::words::later_result;
use crate::Move;
use crate::pgn::Span;
use crate::pgn::game::Game;
use crate::pgn::outcome::Outcome;
use crate::pgn::scan::{Visitor, could_be_move, scan_mainline};
use crate::pgn::tag::RawTag;
use tree::NodeId;

/// Reads the mainline of a text. False if only the builder can read it; then the game is not usable.
pub(super) fn read(text: &str, build: Build<'_>) -> bool {
    let mut mainline = Mainline {
        build,
        depth: 0,
        result: None,
        is_unusual: false,
    };
    scan_mainline(text.as_bytes(), &mut mainline);
    mainline.finish()
}

/// Removes all but the tags, the start position, the mainline and the result from a game.
pub(super) fn keep(game: &mut Game) {
    let moves = game
        .tree
        .mainline()
        .filter_map(|node| game.tree.move_to(node));
    let moves: Vec<Move> = moves.copied().collect();
    game.tree.clear();
    let play = |node, mv| game.tree.add_child(node, mv);
    moves.into_iter().fold(NodeId::ROOT, play);
    game.notes.clear();
    game.nags.clear();
    game.complaints.clear();
}

/// A mainline being read.
struct Mainline<'a> {
    build: Build<'a>,
    /// The number of open variations.
    depth: u32,
    result: Option<Outcome>,
    /// True if the builder has to read the game.
    is_unusual: bool,
}

impl Mainline<'_> {
    fn finish(mut self) -> bool {
        self.is_unusual |= self.depth > 0;
        if self.is_unusual {
            return false;
        }
        let game = self.build.game;
        let from_tag = || Outcome::read(game.tag("Result")?.trim().as_bytes());
        game.outcome = self.result.or_else(from_tag).unwrap_or_default();
        true
    }

    #[cold]
    #[inline(never)]
    fn odd_word(&mut self, span: Span) {
        let word = &self.build.source.as_bytes()[span.clone()];
        match self.build.boards.now().parse_san(word) {
            Ok(mv) if could_be_move(word) => self.build.play(mv, &span),
            _ => self.is_unusual = true,
        }
    }
}

impl Visitor for Mainline<'_> {
    fn tag(&mut self, tag: &RawTag) {
        if self.build.in_movetext {
            self.is_unusual = true;
        } else {
            self.build.add_tag(tag);
        }
    }

    fn movetext(&mut self) -> bool {
        self.build.movetext();
        // an invalid FEN: all moves are kept as text
        self.is_unusual |= self.build.kept.is_some();
        !self.is_unusual
    }

    #[inline(always)]
    fn word(&mut self, span: Span) {
        if self.depth > 0 || self.is_unusual {
            return;
        }
        let text = self.build.source.as_bytes();
        match self.build.boards.play_plain_san(text, span.clone()) {
            Some(mv) => self.build.add_move(mv, &span),
            None => self.odd_word(span),
        }
    }

    fn open(&mut self, _: usize) {
        self.depth += 1;
        // the variation may become the mainline
        self.is_unusual |= self.build.line.moves == 0;
    }

    fn close(&mut self, _: usize) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn result(&mut self, outcome: Outcome, _: Span) {
        if self.depth == 0 {
            self.result = Some(later_result(self.result, outcome));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Builder, split};

    fn mainline(game: &Game) -> Vec<Move> {
        let tree = game.tree();
        let moves = tree.mainline().filter_map(|node| tree.move_to(node));
        moves.copied().collect()
    }

    /// Compares the mainline with that of the whole game.
    fn check(text: &str) {
        let (mut whole, mut only) = (Game::default(), Game::default());
        let mut builder = Builder::new();
        for raw in split(text.as_bytes()) {
            builder.read_into(raw, &mut whole);
            builder.read_mainline_into(raw, &mut only);
            assert_eq!(mainline(&only), mainline(&whole), "{text}");
            assert_eq!(only.outcome(), whole.outcome(), "{text}");
            assert_eq!(only.start(), whole.start(), "{text}");
            assert!(only.tags().eq(whole.tags()), "{text}");
            let nodes = only.tree().mainline().map(|node| node.0);
            assert!(nodes.eq(0..only.tree().node_count() as u32), "{text}");
            assert!(only.complaints().is_empty(), "{text}");
        }
    }

    #[test]
    fn usual_games() {
        check("[Event \"A\"]\n\n1. e4 {a} e5 (1... c5 2. Nf3 (2. c3 {b ) }) d6) 2. Nf3 $1 Nc6 1-0");
        check("1. e4! (1. d4) (1. c4 e5) e5 2. Ke2 1/2-1/2");
        check("[Result \"0-1\"]\n\n1. e4 e5 2. -- d6");
        check("1. e4 (1. Nf3 (=) e8(Q)) e5 {(} 2. d4 {)} (2. f4\n) *");
    }

    #[test]
    fn unusual_games() {
        for text in [
            "(1. d4 d5) 1. e4 e5 *",
            "(1. d4 d5 1-0)",
            "1. e4 (1. d4 ; ) a comment\n d5) e5 *",
            "1. e4 (1. d4 {a {b} c) e5 *",
            "1. e4 (1. d4 } d5) e5 *",
            "1. e4 (1. d4\n% ) \nd5) e5 *",
            "1. e4 (1. d4 d5 2. c4",
            "1. e4 e5) 2. Nf3 Nc6 *",
            "1. e4 (1. d4 Qh1 (x) 0-1) e5 1-0 2. Nf3 *",
            "1. e4 1-0 e5 0-1 2. Nf3 *",
            "1. e4 e5 2. Qh9 Nc6 *",
            "1. e4 words e5 2. Nf3Nc6 3. Bb5a6 *",
            "1. e4e5 Nf3# 1-0",
            "[FEN \"nothing\"]\n\n1. e4 e5 *",
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 (1... Ke7) *",
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 (3. P@d4) *",
            "1. e4 (1. d4 {open",
            "1. e4 ()e5 (1... c5 1-0) *",
            "",
        ] {
            check(text);
        }
    }
}
