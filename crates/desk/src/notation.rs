//! The game as text: all moves with their comments in full, variations indented and foldable.
//!
//! A cheap outline of the unfolded part says which moves stand in which block; only the blocks that
//! are seen are laid out.

use std::collections::HashSet;
use std::fmt;

use chess::{Board, Color};
use rustc_hash::FxHashMap;
use tree::NodeId;

use crate::place::number;
use crate::walk::{Walk, glyphs, variation_start};

/// Moves in a block at most: long lines without comments are laid out in parts.
pub const BLOCK: usize = 40;

/// Variations with more lines are folded at first.
const MANY_LINES: u32 = 20;

/// Which variations are folded.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// Folded or unfolded by hand, by the first move of the variation.
    chosen: FxHashMap<NodeId, bool>,
    /// All others, if that was asked for.
    all: Option<bool>,
    /// A variation that was folded around the current move: it opens when another move is visited.
    around: Option<(NodeId, NodeId)>,
    /// Folds chosen by hand hide the current move too.
    hides_current: bool,
}

impl Folds {
    /// Nothing is folded.
    pub fn none() -> Folds {
        Folds {
            all: Some(false),
            ..Folds::default()
        }
    }

    /// These variations are folded and unfolded, even around the current move; all others as `all`
    /// says, or by their size.
    pub fn chosen(
        closed: impl IntoIterator<Item = NodeId>,
        open: impl IntoIterator<Item = NodeId>,
        all: Option<bool>,
    ) -> Folds {
        let closed = closed.into_iter().map(|node| (node, true));
        let open = open.into_iter().map(|node| (node, false));
        Folds {
            chosen: closed.chain(open).collect(),
            all,
            hides_current: true,
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

    /// The variations that are unfolded only because the current move is in them. With the same
    /// ones, the outline of a game is the same.
    pub fn unfolded_around(&self, walk: &Walk) -> Vec<NodeId> {
        let tree = walk.tree();
        let above = tree.ancestors(walk.at());
        let starts = above.filter(|&node| !tree.is_locally_mainline(node));
        starts
            .filter(|&start| !self.hides(start) && self.is_folded(walk, start))
            .collect()
    }

    fn hides(&self, variation: NodeId) -> bool {
        self.hides_current && self.chosen.get(&variation) == Some(&true)
    }

    fn is_folded(&self, walk: &Walk, variation: NodeId) -> bool {
        // In positions mode only the first moves of alternatives are known.
        let usual = walk.joined_graph().is_some() || walk.lines().through(variation) > MANY_LINES;
        let chosen = self.chosen.get(&variation).copied();
        chosen.or(self.all).unwrap_or(usual)
    }
}

/// Which moves, comments and folded variations a game consists of, from top to bottom.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The block with the current move.
    pub current: usize,
    /// The block of each move, by the number of its node; of a folded variation, by its first move.
    places: FxHashMap<NodeId, u32>,
}

/// Some lines of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// How many variations it is nested in.
    pub depth: usize,
    /// Its content.
    pub content: Content,
}

/// The content of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Moves with short comments.
    Moves {
        /// The moves.
        nodes: Vec<NodeId>,
        /// A variation begins here.
        opens: bool,
    },
    /// The comment after a move.
    Comment(NodeId),
    /// The comment before the first move of a variation.
    CommentBefore(NodeId),
    /// A variation by its first move.
    Folded(NodeId),
    /// The result of the game.
    Result,
}

impl Outline {
    /// The outline. Cost: the number of moves that are not folded.
    pub fn new(walk: &Walk, folds: &Folds) -> Outline {
        let mut builder = Builder {
            walk,
            outline: Outline {
                blocks: Vec::new(),
                current: 0,
                places: FxHashMap::default(),
            },
        };
        builder.add_game(folds);
        builder.outline.current = builder.outline.block_of(walk);
        builder.outline
    }

    /// The block with the current move, or the folded variation that it is in.
    pub fn block_of(&self, walk: &Walk) -> usize {
        let mut above = walk.tree().ancestors(walk.at());
        let place = above.find_map(|node| self.places.get(&node));
        place.map_or(0, |&place| place as usize)
    }
}

struct Builder<'a> {
    walk: &'a Walk,
    outline: Outline,
}

impl Builder<'_> {
    fn add_game(&mut self, folds: &Folds) {
        let walk = self.walk;
        let tree = walk.tree();
        let above: HashSet<NodeId> = tree.ancestors(walk.at()).collect();
        let around = folds.around.filter(|&(_, at)| at == walk.at());
        let is_folded = |node: NodeId| {
            if above.contains(&node) {
                around.is_some_and(|(start, _)| start == node) || folds.hides(node)
            } else {
                folds.is_folded(walk, node)
            }
        };
        self.add_comment(0, NodeId::ROOT);
        let mut lines: Vec<(NodeId, usize)> = Vec::new();
        lines.extend(tree.next(NodeId::ROOT).map(|first| (first, 0)));
        while let Some((start, depth)) = lines.pop() {
            let is_variation = !tree.is_locally_mainline(start);
            if is_variation && is_folded(start) {
                self.add_folded(depth, start);
                continue;
            }
            let rest = self.add_line(depth, start);
            lines.extend(rest.map(|rest| (rest, depth)));
            let branching = rest.map_or_else(|| self.last_node(), |rest| tree.parent(rest));
            let Some(last) = branching.filter(|&last| tree.is_locally_mainline(last)) else {
                continue;
            };
            let first = lines.len();
            let others = tree.siblings(last).filter(|&other| other != last);
            lines.extend(others.map(|other| (other, depth + 1)));
            lines[first..].reverse();
        }
        self.add_result();
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
            self.add(depth, Content::CommentBefore(node));
        }
        match self.outline.blocks.last_mut() {
            Some(Block {
                content: Content::Moves { nodes, .. },
                ..
            }) if !is_new && nodes.len() < BLOCK && before.is_empty() => nodes.push(node),
            _ => {
                let nodes = vec![node];
                self.add(depth, Content::Moves { nodes, opens });
            }
        }
        let place = self.outline.blocks.len() - 1;
        self.outline.places.insert(node, place as u32);
    }

    /// Adds the comment after a move as lines of its own, unless it is part of the moves' text.
    fn add_comment(&mut self, depth: usize, node: NodeId) -> bool {
        let text = comment(self.walk, node);
        let is_own = !text.is_empty() && !is_inline(depth, &text);
        if is_own {
            self.add(depth, Content::Comment(node));
        }
        is_own
    }

    fn add(&mut self, depth: usize, content: Content) {
        self.outline.blocks.push(Block { depth, content });
    }

    fn add_folded(&mut self, depth: usize, node: NodeId) {
        let place = self.outline.blocks.len();
        self.outline.places.insert(node, place as u32);
        self.add(depth, Content::Folded(node));
    }

    fn add_result(&mut self) {
        let is_game = self.walk.joined_graph().is_none();
        if is_game && !self.outline.blocks.is_empty() {
            self.add(0, Content::Result);
        }
    }

    /// The last move that was added.
    fn last_node(&self) -> Option<NodeId> {
        let mut blocks = self.outline.blocks.iter().rev();
        blocks.find_map(|block| match &block.content {
            Content::Moves { nodes, .. } => nodes.last().copied(),
            _ => None,
        })
    }
}

/// The names of moves, best requested in order: each move is then played once.
#[derive(Debug)]
pub struct MoveNames<'a> {
    walk: &'a Walk,
    boards: FxHashMap<NodeId, Board>,
}

/// A move as it is printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveName {
    /// `12.` or `12...`; empty where the move before it implies it.
    pub number: String,
    /// The move.
    pub san: String,
    /// Its marks.
    pub glyphs: String,
}

impl<'a> MoveNames<'a> {
    /// The names of the moves of a game.
    pub fn new(walk: &'a Walk) -> MoveNames<'a> {
        MoveNames {
            walk,
            boards: FxHashMap::default(),
        }
    }

    /// The name of a move; White's moves always have a number, Black's if it is asked for.
    pub fn of(&mut self, node: NodeId, has_number: bool) -> MoveName {
        let tree = self.walk.tree();
        let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) else {
            return MoveName::default();
        };
        let board = self.board_at(parent);
        let number = match board.turn() {
            Color::Black if !has_number => String::new(),
            _ => number(&board),
        };
        let san = board.san(mv).to_string();
        let mut after = board;
        after.play(mv);
        self.boards.insert(node, after);
        let glyphs = glyphs(self.walk.game(), node);
        MoveName {
            number,
            san,
            glyphs,
        }
    }

    fn board_at(&mut self, node: NodeId) -> Board {
        let walk = self.walk;
        let board = self.boards.entry(node);
        board.or_insert_with(|| walk.game().board_at(node)).clone()
    }
}

/// `12.Nf3!?`.
impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.number, self.san, self.glyphs)
    }
}

/// The comment after a move, without clock times.
pub fn comment(walk: &Walk, node: NodeId) -> String {
    flow(&walk.game().node(node).prose())
}

/// The comment before the first move of a variation.
pub fn comment_before(walk: &Walk, node: NodeId) -> String {
    flow(&walk.game().node(node).starting_comment())
}

/// True for a comment that continues the line of moves: a short one within a variation.
pub fn is_inline(depth: usize, text: &str) -> bool {
    depth > 0 && !text.contains('\n')
}

/// The text of a comment without the line ends that PGN's narrow lines gave it. Lines that were
/// meant as lines and paragraphs stay.
pub fn flow(text: &str) -> String {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_wrapped = text.lines().any(|line| length(line.trim()) > WRAPPED);
    let mut flowing = String::new();
    let mut before = String::new();
    for line in text.lines().map(words) {
        let meant = before.is_empty() || line.is_empty() || is_line_end(&before, &line, is_wrapped);
        if !flowing.is_empty() && !line.is_empty() {
            flowing.push(if meant { '\n' } else { ' ' });
        }
        flowing += &line;
        before = line;
    }
    flowing
}

/// A comment with a longer line was wrapped by the program that wrote it.
const WRAPPED: usize = 60;

/// The width to which PGN is usually wrapped.
const PGN_WIDTH: usize = 79;

/// True if a line of a comment seems to end on purpose: before a list item, or where there was room
/// for the next word and a sentence begins.
fn is_line_end(line: &str, next: &str, is_wrapped: bool) -> bool {
    let first = next.split(' ').next().unwrap_or_default();
    let is_item = matches!(first, "-" | "–" | "*" | "•");
    let has_room = length(line) + 1 + length(first) <= PGN_WIDTH;
    let is_sentence = line.ends_with(['.', '!', '?', ':', ';']);
    let is_capital = first.starts_with(char::is_uppercase);
    let begins = if is_wrapped {
        is_sentence && is_capital
    } else {
        is_sentence || is_capital
    };
    is_item || has_room && begins
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_comment_stay_where_they_were_meant() {
        assert_eq!(flow("a\nb  c\n\nd"), "a b c\nd");
        assert_eq!(flow("Two ideas:\n- a4\n- b4"), "Two ideas:\n- a4\n- b4");
        assert_eq!(flow("First line\nSecond line"), "First line\nSecond line");
        assert_eq!(flow("the knight\nis strong"), "the knight is strong");
        let long = "White has given up the bishop pair but controls all of the dark squares; then";
        assert_eq!(
            flow(&format!("{long}\nBlack is lost.\nA study.")),
            format!("{long} Black is lost.\nA study.")
        );
        assert_eq!(
            flow(&format!("after this the\nKnight is lost\n{long}")),
            format!("after this the Knight is lost {long}")
        );
    }
}
