//! The game as text, in lines of a width.

use desk::NodeId;
pub use desk::notation::Folds;
use desk::notation::{Block, Content, MoveNames, Outline, comment, comment_before, is_inline};
use desk::walk::Walk;
use kit::number::counted;

use crate::ink::{Ink, Line, width};

/// More lines than this are laid out beyond the window, for a block is that long.
const BLOCK: usize = desk::notation::BLOCK;

/// The notation of a game.
pub struct Notation<'a> {
    walk: &'a Walk,
    outline: Outline,
}

impl<'a> Notation<'a> {
    /// The notation of a game.
    pub fn new(walk: &'a Walk, folds: &Folds) -> Notation<'a> {
        let outline = Outline::new(walk, folds);
        Notation { walk, outline }
    }

    /// As many lines as there is room for, with the current move a third of the way down.
    pub fn window(&self, columns: usize, height: usize) -> Vec<Line> {
        let mut writer = Writer::new(self.walk, columns);
        // The block above the first visible one is laid out first, so that boards are known.
        let first = self.outline.current.saturating_sub(height);
        let mut lines: Vec<Line> = Vec::new();
        let mut here = 0;
        for (index, block) in self.outline.blocks.iter().enumerate().skip(first) {
            if index == self.outline.current {
                here = lines.len();
            }
            lines.extend(writer.block(block));
            if index >= self.outline.current && lines.len() >= here + height + BLOCK {
                break;
            }
        }
        let is_current = |line: &Line| line.spans.iter().any(|span| span.ink == Ink::Current);
        let here = lines.iter().position(is_current).unwrap_or(here);
        let last = lines.len().saturating_sub(height);
        lines.drain(..here.saturating_sub(height / 3).min(last));
        lines.truncate(height);
        lines
    }

    /// All lines.
    pub fn all(&self, columns: usize) -> Vec<Line> {
        let mut writer = Writer::new(self.walk, columns);
        let blocks = self.outline.blocks.iter();
        blocks.flat_map(|block| writer.block(block)).collect()
    }
}

/// Lays out blocks, best in their order: each move is then played once.
struct Writer<'a> {
    walk: &'a Walk,
    columns: usize,
    names: MoveNames<'a>,
}

impl<'a> Writer<'a> {
    fn new(walk: &'a Walk, columns: usize) -> Writer<'a> {
        Writer {
            walk,
            columns: columns.max(20),
            names: MoveNames::new(walk),
        }
    }

    fn block(&mut self, block: &Block) -> Vec<Line> {
        let indent = (1 + 2 * block.depth).min(self.columns / 3);
        let mut text = Paragraph::new(indent, self.columns);
        match &block.content {
            Content::Moves { nodes, opens } => {
                if block.depth > 0 {
                    text.sign(if *opens { "▾ " } else { "  " });
                }
                let mut has_number = true;
                for &node in nodes {
                    has_number = self.write_move(&mut text, block.depth, node, has_number);
                }
            }
            &Content::Comment(node) => text.comment(&comment(self.walk, node)),
            &Content::CommentBefore(node) => text.comment(&comment_before(self.walk, node)),
            Content::Result => text.comment(self.walk.game().outcome().as_str()),
            &Content::Folded(node) => {
                text.sign("▸ ");
                let is_above = self
                    .walk
                    .tree()
                    .is_generalised_ancestor(node, self.walk.at());
                let ink = if is_above { Ink::Current } else { Ink::Plain };
                text.word(&self.names.of(node, true).to_string(), ink, Some(node));
                let lines = self.walk.lines().through(node);
                text.words(&counted(lines.into(), "line"), Ink::Faint);
            }
        }
        text.lines
    }

    /// Writes a move and its comment. Returns whether the next move needs a number.
    fn write_move(
        &mut self,
        text: &mut Paragraph,
        depth: usize,
        node: NodeId,
        has_number: bool,
    ) -> bool {
        let ink = match depth {
            _ if node == self.walk.at() => Ink::Current,
            0 => Ink::Head,
            _ => Ink::Plain,
        };
        text.word(
            &self.names.of(node, has_number).to_string(),
            ink,
            Some(node),
        );
        let comment = comment(self.walk, node);
        if is_inline(depth, &comment) {
            text.words(&comment, Ink::Faint);
        }
        !comment.is_empty()
    }
}

/// Words in lines of a width, indented.
struct Paragraph {
    lines: Vec<Line>,
    indent: usize,
    columns: usize,
    /// No word is in the last line.
    is_empty: bool,
}

impl Paragraph {
    fn new(indent: usize, columns: usize) -> Paragraph {
        let mut paragraph = Paragraph {
            lines: Vec::new(),
            indent,
            columns,
            is_empty: false,
        };
        paragraph.begin_line();
        paragraph
    }

    fn begin_line(&mut self) {
        let mut line = Line::default();
        line.pad_to(self.indent);
        self.lines.push(line);
        self.is_empty = true;
    }

    fn end_line(&mut self) {
        if !self.is_empty {
            self.begin_line();
        }
    }

    /// A sign in the first line; the others are indented as far.
    fn sign(&mut self, sign: &str) {
        self.indent += width(sign);
        if let Some(line) = self.lines.last_mut() {
            line.push(sign, Ink::Faint);
        }
    }

    fn comment(&mut self, comment: &str) {
        self.sign("  ");
        for line in comment.lines() {
            self.end_line();
            self.words(line, Ink::Faint);
        }
    }

    fn words(&mut self, text: &str, ink: Ink) {
        for word in text.split_whitespace() {
            self.word(word, ink, None);
        }
    }

    fn word(&mut self, word: &str, ink: Ink, node: Option<NodeId>) {
        let used = self.lines.last().map_or(0, Line::width);
        if !self.is_empty && used + 1 + width(word) > self.columns {
            self.begin_line();
        }
        let is_first = std::mem::replace(&mut self.is_empty, false);
        if let Some(line) = self.lines.last_mut() {
            line.push(if is_first { "" } else { " " }, Ink::Plain);
            line.push_node(word, ink, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use desk::session::Session;

    const GAME: &str = "{Intro} 1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 {Quiet.} d5) 2... d6) (1... e6) \
                        2. Nf3 {One line.\n\nAnother.} Nc6 3. Bb5 1-0\n";

    fn session(text: &str) -> Session {
        Session::from_text("test", text.as_bytes().to_vec()).expect("a game")
    }

    fn text(lines: &[Line]) -> Vec<String> {
        lines.iter().map(|line| line.paint(false)).collect()
    }

    #[test]
    fn variations_are_indented_and_comments_are_whole() {
        let session = session(GAME);
        let notation = Notation::new(session.walk(), &Folds::none());
        assert_eq!(
            text(&notation.all(40)),
            [
                "   Intro",
                " 1.e4 e5",
                "   ▾ 1...c5 Sicilian 2.Nf3",
                "     ▾ 2.c3 Quiet. 2...d5",
                "     2...d6",
                "   ▾ 1...e6",
                " 2.Nf3",
                "   One line.",
                "   Another.",
                " 2...Nc6 3.Bb5",
                "   1-0",
            ]
        );
    }

    #[test]
    fn the_current_variation_opens_and_can_be_folded() {
        let mut session = session(GAME);
        let mut folds = Folds::default();
        folds.toggle_all();
        let lines = |session: &Session, folds: &Folds| {
            text(&Notation::new(session.walk(), folds).window(40, 20)).join("\n")
        };
        let closed = lines(&session, &folds);
        assert!(closed.contains("▸ 1...c5 2 lines"), "{closed}");
        assert!(!closed.contains("2.c3"), "{closed}");
        for step in ["e4", "c5", "c3"] {
            let place = desk::place::Place::read(step).expect("a move");
            session
                .walk_mut()
                .go_to(&place)
                .expect("a move of the game");
        }
        let open = lines(&session, &folds);
        assert!(
            open.contains("▾ 2.c3 Quiet.") && open.contains("▸ 1...e6"),
            "{open}"
        );
        assert!(folds.toggle(session.walk()));
        assert!(lines(&session, &folds).contains("▸ 2.c3 1 line"));
        session.walk_mut().forward();
        assert!(lines(&session, &folds).contains("▾ 2.c3 Quiet."));
    }

    #[test]
    fn the_window_of_a_long_game_has_the_current_move() {
        let cycle = "Nf3 Nf6 Ng1 Ng8 ".repeat(500);
        let mut session = session(&format!("{cycle}*\n"));
        session.walk_mut().to_end();
        session.walk_mut().back();
        let notation = Notation::new(session.walk(), &Folds::default());
        let lines = notation.window(50, 12);
        assert_eq!(lines.len(), 12);
        let current = |line: &Line| line.spans.iter().any(|span| span.ink == Ink::Current);
        assert!(lines.iter().any(current), "{:?}", text(&lines));
    }
}
