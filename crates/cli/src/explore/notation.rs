//! The game as text: all moves with their comments in full, variations indented and foldable.
//!
//! A cheap outline of the unfolded part says which moves stand in which block; only the blocks that
//! are seen are laid out.

use std::collections::{HashMap, HashSet};

use desk::place::number;
use desk::walk::{Walk, glyphs, variation_start};
use desk::{Board, NodeId};
use kit::number::counted;

use crate::ink::{Ink, Line, flow, width};

/// Moves in a block at most: long lines without comments are laid out in parts.
const BLOCK: usize = 40;

/// Variations with more lines are folded at first.
const MANY_LINES: u32 = 20;

/// Which variations are folded.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// Folded or unfolded by hand, by the first move of the variation.
    chosen: HashMap<NodeId, bool>,
    /// All others, if that was asked for.
    all: Option<bool>,
    /// A variation that was folded around the current move: it opens when another move is visited.
    around: Option<(NodeId, NodeId)>,
}

impl Folds {
    /// Nothing is folded.
    pub fn none() -> Folds {
        Folds {
            all: Some(false),
            ..Folds::default()
        }
    }

    /// Folds or unfolds the variation of the current move; in the mainline all alternatives to this
    /// move. Returns false if there is nothing to fold.
    pub fn toggle(&mut self, walk: &Walk) -> bool {
        let (tree, at) = (walk.tree(), walk.at());
        if let Some(start) = variation_start(tree, at) {
            let is_folded = self.around == Some((start, at));
            self.around = (!is_folded).then_some((start, at));
            return true;
        }
        let others: Vec<NodeId> = tree.siblings(at).filter(|&node| node != at).collect();
        let fold = others.iter().any(|&node| !self.is_folded(walk, node));
        self.chosen.extend(others.iter().map(|&node| (node, fold)));
        !others.is_empty()
    }

    /// Folds all variations, or unfolds them if that was done last.
    pub fn toggle_all(&mut self) {
        *self = Folds {
            all: Some(self.all != Some(true)),
            ..Folds::default()
        };
    }

    fn is_folded(&self, walk: &Walk, variation: NodeId) -> bool {
        // In positions mode only the first moves of alternatives are known.
        let usual = walk.joined_graph().is_some() || walk.lines().through(variation) > MANY_LINES;
        let chosen = self.chosen.get(&variation).copied();
        chosen.or(self.all).unwrap_or(usual)
    }
}

/// The outline of a game.
pub struct Notation<'a> {
    walk: &'a Walk,
    blocks: Vec<Block>,
    /// The block with the current move.
    current: usize,
}

/// Some lines of text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Block {
    /// How many variations it is nested in.
    depth: usize,
    content: Content,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Content {
    /// Moves with short comments.
    Moves {
        nodes: Vec<NodeId>,
        /// A variation begins here.
        opens: bool,
    },
    /// A comment.
    Text(String),
    /// A variation by its first move.
    Folded(NodeId),
}

/// Building the outline.
impl<'a> Notation<'a> {
    /// The outline. Cost: the number of moves that are not folded.
    pub fn new(walk: &'a Walk, folds: &Folds) -> Notation<'a> {
        let tree = walk.tree();
        let mut notation = Notation {
            walk,
            blocks: Vec::new(),
            current: 0,
        };
        let above: HashSet<NodeId> = tree.ancestors(walk.at()).collect();
        let around = folds.around.filter(|&(_, at)| at == walk.at());
        let is_folded = |node: NodeId| {
            if above.contains(&node) {
                around.is_some_and(|(start, _)| start == node)
            } else {
                folds.is_folded(walk, node)
            }
        };
        notation.add_comment(0, NodeId::ROOT);
        let mut lines: Vec<(NodeId, usize)> = Vec::new();
        lines.extend(tree.next(NodeId::ROOT).map(|first| (first, 0)));
        while let Some((start, depth)) = lines.pop() {
            let is_variation = !tree.is_locally_mainline(start);
            if is_variation && is_folded(start) {
                notation.add_folded(depth, start, above.contains(&start));
                continue;
            }
            let rest = notation.add_line(depth, start);
            lines.extend(rest.map(|rest| (rest, depth)));
            let branching = rest.map_or_else(|| notation.last_node(), |rest| tree.parent(rest));
            let Some(last) = branching.filter(|&last| tree.is_locally_mainline(last)) else {
                continue;
            };
            let first = lines.len();
            let others = tree.siblings(last).filter(|&other| other != last);
            lines.extend(others.map(|other| (other, depth + 1)));
            lines[first..].reverse();
        }
        notation.add_result();
        notation
    }

    /// Adds moves up to the first that has alternatives. Returns the move after it, if any.
    fn add_line(&mut self, depth: usize, start: NodeId) -> Option<NodeId> {
        let tree = self.walk.tree();
        let mut node = start;
        let mut is_new = true;
        loop {
            self.add_move(depth, node, is_new, node == start);
            is_new = self.add_comment(depth, node);
            let next = tree.next(node);
            let has_others = tree.is_locally_mainline(node)
                && tree
                    .parent(node)
                    .is_some_and(|from| tree.is_branching(from));
            match next {
                Some(next) if !has_others => node = next,
                next => return next,
            }
        }
    }

    fn add_move(&mut self, depth: usize, node: NodeId, is_new: bool, is_start: bool) {
        let opens = is_start && !self.walk.tree().is_locally_mainline(node);
        let before = self.walk.game().node(node).starting_comment();
        if !before.is_empty() {
            self.add_text(depth, flow(&before));
        }
        match self.blocks.last_mut() {
            Some(Block {
                content: Content::Moves { nodes, .. },
                ..
            }) if !is_new && nodes.len() < BLOCK && before.is_empty() => nodes.push(node),
            _ => self.blocks.push(Block {
                depth,
                content: Content::Moves {
                    nodes: vec![node],
                    opens,
                },
            }),
        }
        if node == self.walk.at() {
            self.current = self.blocks.len() - 1;
        }
    }

    /// Adds the comment after a move as lines of its own, unless it is part of the moves' text.
    fn add_comment(&mut self, depth: usize, node: NodeId) -> bool {
        let text = comment(self.walk, node);
        let is_own = !text.is_empty() && !is_inline(depth, &text);
        if is_own {
            self.add_text(depth, text);
        }
        is_own
    }

    fn add_text(&mut self, depth: usize, text: String) {
        let content = Content::Text(text);
        self.blocks.push(Block { depth, content });
    }

    fn add_folded(&mut self, depth: usize, node: NodeId, is_current: bool) {
        if is_current {
            self.current = self.blocks.len();
        }
        let content = Content::Folded(node);
        self.blocks.push(Block { depth, content });
    }

    fn add_result(&mut self) {
        let is_game = self.walk.joined_graph().is_none();
        if is_game && !self.blocks.is_empty() {
            let result = self.walk.game().outcome().to_string();
            self.add_text(0, result);
        }
    }

    /// The last move that was added.
    fn last_node(&self) -> Option<NodeId> {
        let mut blocks = self.blocks.iter().rev();
        blocks.find_map(|block| match &block.content {
            Content::Moves { nodes, .. } => nodes.last().copied(),
            _ => None,
        })
    }
}

/// Layout.
impl Notation<'_> {
    /// As many lines as there is room for, with the current move a third of the way down.
    pub fn window(&self, columns: usize, height: usize) -> Vec<Line> {
        let mut writer = Writer::new(self.walk, columns);
        // The block above the first visible one is laid out first, so that boards are known.
        let first = self.current.saturating_sub(height);
        let mut lines: Vec<Line> = Vec::new();
        let mut here = 0;
        for (index, block) in self.blocks.iter().enumerate().skip(first) {
            if index == self.current {
                here = lines.len();
            }
            lines.extend(writer.block(block));
            if index >= self.current && lines.len() >= here + height + BLOCK {
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
        let blocks = self.blocks.iter();
        blocks.flat_map(|block| writer.block(block)).collect()
    }
}

/// The comment after a move, without clock times.
fn comment(walk: &Walk, node: NodeId) -> String {
    flow(&walk.game().node(node).prose())
}

/// Comments within variations continue the line of moves.
fn is_inline(depth: usize, text: &str) -> bool {
    depth > 0 && !text.contains('\n')
}

/// Lays out blocks, best in their order: each move is then played once.
struct Writer<'a> {
    walk: &'a Walk,
    columns: usize,
    boards: HashMap<NodeId, Board>,
}

impl<'a> Writer<'a> {
    fn new(walk: &'a Walk, columns: usize) -> Writer<'a> {
        Writer {
            walk,
            columns: columns.max(20),
            boards: HashMap::new(),
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
            Content::Text(comment) => {
                text.sign("  ");
                for line in comment.lines() {
                    text.end_line();
                    text.words(line, Ink::Faint);
                }
            }
            &Content::Folded(node) => {
                text.sign("▸ ");
                let is_above = self
                    .walk
                    .tree()
                    .is_generalised_ancestor(node, self.walk.at());
                let ink = if is_above { Ink::Current } else { Ink::Plain };
                text.word(&self.name(node, true), ink, Some(node));
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
        text.word(&self.name(node, has_number), ink, Some(node));
        let comment = comment(self.walk, node);
        if is_inline(depth, &comment) {
            text.words(&comment, Ink::Faint);
        }
        !comment.is_empty()
    }

    /// `12.Nf3!?`; White's moves always have a number.
    fn name(&mut self, node: NodeId, has_number: bool) -> String {
        let tree = self.walk.tree();
        let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) else {
            return String::new();
        };
        let board = self.board_at(parent);
        let number = match board.turn() {
            desk::Color::Black if !has_number => String::new(),
            _ => number(&board),
        };
        let san = board.san(mv);
        let mut after = board;
        after.play(mv);
        self.boards.insert(node, after);
        format!("{number}{san}{}", glyphs(self.walk.game(), node))
    }

    fn board_at(&mut self, node: NodeId) -> Board {
        let walk = self.walk;
        let board = self.boards.entry(node);
        board.or_insert_with(|| walk.game().board_at(node)).clone()
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
