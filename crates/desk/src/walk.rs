//! Navigation in a game: the current node and the displayed line.
//!
//! Navigation changes the view, never the game. Choices further down are remembered, so going up
//! and down again returns to the same node.

mod elsewhere;
mod joined;
mod matches;
mod search;
mod transpositions;

use std::ops::Range;

use chess::annotation;
use chess::pgn::{Game, Outcome, nag};
use chess::{Board, Move};
use tree::table::{Caption, Row, Table};
use tree::{LineCounts, NodeId, Tree, View};

use crate::openings::GameOpening;
use crate::place::{GameView, numbering};
use crate::positions::{Identity, LONGEST_PATH};

use elsewhere::OtherGames;
pub use joined::OriginPath;
pub use matches::Matches;
pub use search::SearchText;
pub use transpositions::Transpositions;

/// A game with a current node.
#[derive(Clone, Debug)]
pub struct Walk {
    game: Game,
    view: View,
    at: NodeId,
    lines: LineCounts,
    same: Identity,
    transpositions: Option<Transpositions>,
    matches: Option<Matches>,
    jumps: Vec<Jump>,
    /// In positions mode, the graph that the tree is built from.
    paths: Option<Box<joined::Paths>>,
    other_games: OtherGames,
}

/// A change from one path to another path to the same position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Jump {
    from: NodeId,
    to: NodeId,
}

/// Inspection.
impl Walk {
    /// Starts at the root, with the file's order displayed.
    pub fn new(game: Game) -> Walk {
        let lines = LineCounts::new(game.tree());
        Walk {
            game,
            view: View::new(),
            at: NodeId::ROOT,
            lines,
            same: Identity::default(),
            transpositions: None,
            matches: None,
            jumps: Vec::new(),
            paths: None,
            other_games: OtherGames::default(),
        }
    }

    /// Another game with the same choice of equal positions.
    pub fn another(&self, game: Game) -> Walk {
        Walk {
            same: self.same,
            ..Walk::new(game)
        }
    }

    /// Chooses which positions count as the same.
    pub fn set_identity(&mut self, same: Identity) {
        if same != self.same {
            self.same = same;
            self.transpositions = None;
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Ends the walk and returns the game.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// The tree of moves.
    pub fn tree(&self) -> &Tree<Move> {
        self.game.tree()
    }

    /// The current node.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// The alternatives that are shown first.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The lines through each node.
    pub fn lines(&self) -> &LineCounts {
        &self.lines
    }

    /// The view in which places are resolved.
    pub fn game_view(&self) -> GameView<'_> {
        GameView {
            game: &self.game,
            view: &self.view,
        }
    }

    /// The current position.
    pub fn board(&self) -> Board {
        self.game.board_at(self.at)
    }

    /// The move to the current node.
    pub fn last_move(&self) -> Option<Move> {
        self.tree().move_to(self.at).copied()
    }

    /// The moves to the current node, `1.e4 c5`; empty at the start.
    pub fn path(&self) -> String {
        self.game_view().path(self.at)
    }

    /// The name of the deepest named position on the path to the current node.
    pub fn opening(&self) -> Option<GameOpening> {
        let line = self.tree().line(self.at);
        let moves = line.iter().filter_map(|&node| self.tree().move_to(node));
        GameOpening::of_line(self.game.start(), moves.copied())
    }

    /// The variations table of the displayed line.
    pub fn table(&self) -> Table<'_, Move> {
        let numbering = numbering(self.game.start());
        Table::new(self.tree(), &self.view, &self.lines, numbering)
    }

    /// Some rows of the table, each with at most `alternatives` of them. `=` marks are set once
    /// the [transpositions](Walk::find_transpositions) are known.
    pub fn rows(&self, range: Range<usize>, alternatives: usize) -> Vec<Row> {
        let table = self.table();
        let mut captions = Captions::new(self);
        range
            .map_while(|index| table.row(index, alternatives, |node| captions.of(node)))
            .collect()
    }

    /// All rows of the table.
    pub fn all_rows(&self) -> Vec<Row> {
        self.rows(0..self.table().row_count(), usize::MAX)
    }

    /// The current row; none at the start.
    pub fn current_row(&self) -> Option<usize> {
        self.table().row_of(self.at)
    }

    /// The other nodes with the position of this one, in order of their ids, except those on the
    /// same path: a cycle is not a transposition. Empty before
    /// [`find_transpositions`](Walk::find_transpositions).
    pub fn transpositions_of(&self, node: NodeId) -> Vec<NodeId> {
        let transpositions = self.transpositions.as_ref();
        transpositions.map_or_else(Vec::new, |transpositions| transpositions.of(node).collect())
    }

    /// True if another path, in this game or another, leads to the position of a node. Needs the
    /// transpositions.
    pub fn has_other_paths(&self, node: NodeId) -> bool {
        let transpositions = self.transpositions.as_ref();
        transpositions.is_some_and(|transpositions| transpositions.transposes(node))
            || self.transposes_elsewhere(node)
    }

    /// The paths to the [transpositions](Walk::transpositions_of) of a node, up to a limit, and the
    /// number of further ones: in this game, then in other games; in positions mode the other
    /// origins. Very long paths are given as position ids.
    pub fn other_paths(&self, node: NodeId, most: usize) -> (Vec<String>, usize) {
        if self.paths.is_some() {
            return self.other_origins(most);
        }
        let transpositions = self.transpositions_of(node);
        let elsewhere = self.addresses_elsewhere(node);
        let own = transpositions.iter().map(|&other| self.short_path(other));
        let others = elsewhere
            .iter()
            .map(|place| format!("game {}, {}", place.game, place.path));
        let paths: Vec<String> = own.chain(others).take(most).collect();
        let more = transpositions.len() + elsewhere.len() - paths.len();
        (paths, more)
    }

    /// The paths to the current position by other origins, in positions mode.
    fn other_origins(&self, most: usize) -> (Vec<String>, usize) {
        let (origins, more) = self.origins(most.saturating_add(1));
        let is_other = |origin: &OriginPath| !origin.is_current && !origin.is_repetition;
        let mut others = origins.into_iter().filter(is_other);
        let paths = others.by_ref().take(most).map(|origin| origin.path);
        let paths: Vec<String> = paths.collect();
        (paths, others.count() + more)
    }

    fn short_path(&self, node: NodeId) -> String {
        let moves = self.tree().ancestors(node).skip(1);
        let id = self
            .transpositions
            .as_ref()
            .and_then(|transpositions| transpositions.position_id(node));
        match id.filter(|_| moves.take(LONGEST_PATH + 1).count() > LONGEST_PATH) {
            Some(id) => format!("#{id}"),
            None => self.game_view().path(node),
        }
    }

    /// The positions reached by several paths, if they were computed.
    pub fn transpositions(&self) -> Option<&Transpositions> {
        self.transpositions.as_ref()
    }

    pub(crate) fn set_transpositions(&mut self, transpositions: Transpositions) {
        self.transpositions = Some(transpositions);
    }

    /// Finds positions that are reached by several paths, unless known.
    pub fn find_transpositions(&mut self) -> &Transpositions {
        let (game, same, is_built) = (&self.game, self.same, self.paths.is_none());
        self.transpositions.get_or_insert_with(|| {
            if is_built {
                Transpositions::new(game, same)
            } else {
                Transpositions::default()
            }
        })
    }
}

/// Navigation.
impl Walk {
    /// Goes to a node and displays its line.
    pub fn go(&mut self, node: NodeId) {
        if self.tree().contains(node) && self.tree().is_attached(node) {
            self.at = node;
            self.view.show(self.game.tree(), node);
            self.forget_jumps();
            self.remember_origin();
            self.build_displayed();
        }
    }

    /// Forgets the way back when another path is taken.
    fn forget_jumps(&mut self) {
        let (tree, at) = (self.game.tree(), self.at);
        let is_left = |jump: &mut Jump| !tree.is_generalised_ancestor(jump.to, at);
        while self.jumps.pop_if(is_left).is_some() {}
    }

    /// To the next move of the displayed line. Returns whether there is one, like the other
    /// methods.
    pub fn forward(&mut self) -> bool {
        self.go_if(self.view.next(self.tree(), self.at))
    }

    /// One move back; after [`next_transposition`](Walk::next_transposition), back to the path that
    /// was left.
    pub fn back(&mut self) -> bool {
        let returning = self.jumps.pop_if(|jump| jump.to == self.at);
        let from = returning.map(|jump| jump.from);
        let from = from.filter(|&from| self.tree().is_attached(from));
        self.go_if(from.or_else(|| self.tree().parent(self.at)))
    }

    /// To the initial position.
    pub fn to_start(&mut self) -> bool {
        let is_there = self.at == NodeId::ROOT;
        self.go_if((!is_there).then_some(NodeId::ROOT))
    }

    /// To the end of the displayed line.
    pub fn to_end(&mut self) -> bool {
        let end = self.view.line(self.tree(), self.at).last();
        self.go_if(end.filter(|&end| end != self.at))
    }

    /// To the alternative after this move in the file's order; after the last comes the first.
    pub fn next_alternative(&mut self) -> bool {
        let tree = self.tree();
        let first = || tree.parent(self.at).and_then(|parent| tree.next(parent));
        let next = tree.next_sibling(self.at).or_else(first);
        self.go_if(next.filter(|&next| next != self.at))
    }

    /// To the alternative before this move; before the first comes the last.
    pub fn previous_alternative(&mut self) -> bool {
        let tree = self.tree();
        let last = || {
            tree.parent(self.at)
                .and_then(|parent| tree.last_child(parent))
        };
        let previous = tree.previous_sibling(self.at).or_else(last);
        self.go_if(previous.filter(|&previous| previous != self.at))
    }

    /// To the nearest move above that has alternatives.
    pub fn previous_branching(&mut self) -> bool {
        let tree = self.tree();
        let mut above = tree.ancestors(self.at).skip(1);
        let found = above.find(|&node| has_alternatives(tree, node));
        drop(above);
        self.go_if(found)
    }

    /// To the next move of the line that has alternatives.
    pub fn next_branching(&mut self) -> bool {
        let tree = self.tree();
        let mut below = self.view.line(tree, self.at).skip(1);
        let found = below.find(|&node| has_alternatives(tree, node));
        drop(below);
        self.go_if(found)
    }

    /// Out of the current variation, to the move that it is an alternative to.
    pub fn leave_variation(&mut self) -> bool {
        let tree = self.tree();
        let first = variation_start(tree, self.at);
        let main = first.and_then(|first| tree.next(tree.parent(first)?));
        self.go_if(main)
    }

    /// To the next path to the current position. Needs the transpositions.
    pub fn next_transposition(&mut self) -> bool {
        if self.paths.is_some() {
            return self.next_origin();
        }
        let transpositions = self.transpositions_of(self.at);
        let next = transpositions
            .iter()
            .find(|&&other| other > self.at)
            .or(transpositions.first());
        let Some(&to) = next else {
            return false;
        };
        self.jump(to)
    }

    /// Goes to another path to the current position; [`back`](Walk::back) returns.
    pub(crate) fn jump(&mut self, to: NodeId) -> bool {
        // After a full round, there is no way back to remember.
        let jumps = std::mem::take(&mut self.jumps);
        let from = self.at;
        self.go(to);
        let first = jumps.iter().position(|jump| jump.from == to);
        self.jumps = jumps;
        match first {
            Some(first) => self.jumps.truncate(first),
            None => self.jumps.push(Jump { from, to }),
        }
        true
    }

    /// Displays the file's order again, and returns to the mainline.
    pub fn reset(&mut self) {
        self.view.reset();
        let tree = self.game.tree();
        let mut above = tree.ancestors(self.at);
        self.at = above
            .find(|&node| tree.is_mainline(node))
            .unwrap_or(NodeId::ROOT);
        drop(above);
        self.build_displayed();
    }

    fn go_if(&mut self, node: Option<NodeId>) -> bool {
        if let Some(node) = node {
            self.go(node);
        }
        node.is_some()
    }
}

/// The game, mutable: for edits only.
impl Walk {
    pub(crate) fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// Updates everything derived from the tree after a change.
    pub(crate) fn tree_changed(&mut self, edit: &tree::Edit) {
        self.lines.update(self.game.tree(), edit);
        self.transpositions = None;
        self.forget_other_games();
    }

    /// Returns to the nearest ancestor that is still in the tree.
    pub(crate) fn leave_deleted(&mut self) {
        if !self.tree().is_attached(self.at) {
            self.at = NodeId::ROOT;
        }
    }

    /// Replaces the game.
    pub(crate) fn replace_game(&mut self, game: Game) -> Game {
        let new = self.another(game);
        let old = std::mem::replace(self, new);
        old.game
    }
}

/// The first move of the innermost variation that a node is in; none in the mainline.
pub fn variation_start(tree: &Tree<Move>, node: NodeId) -> Option<NodeId> {
    let mut above = tree.ancestors(node);
    above.find(|&node| !tree.is_locally_mainline(node))
}

fn has_alternatives(tree: &Tree<Move>, node: NodeId) -> bool {
    tree.parent(node)
        .is_some_and(|parent| tree.is_branching(parent))
}

/// Captions of moves, requested along a line: each costs at most one move.
struct Captions<'a> {
    walk: &'a Walk,
    /// The node before the last requested move, and its position.
    before: Option<(NodeId, Board)>,
}

impl<'a> Captions<'a> {
    fn new(walk: &'a Walk) -> Captions<'a> {
        Captions { walk, before: None }
    }

    fn of(&mut self, node: NodeId) -> Caption {
        Caption {
            text: self.san(node).unwrap_or_default(),
            glyphs: glyphs(&self.walk.game, node),
            comment: has_comment(&self.walk.game, node),
            transposes: self.transposes(node),
            written_in: self.written_in(node),
            matches: self.walk.is_match(node),
            matches_below: self.walk.has_match_below(node),
            result: self.result(node),
        }
    }

    /// The result, after the last move of the mainline.
    fn result(&self, node: NodeId) -> String {
        let (tree, outcome) = (self.walk.tree(), self.walk.game.outcome());
        let is_end = tree.is_terminal(node) && tree.is_mainline(node);
        if is_end && outcome != Outcome::Unknown {
            outcome.to_string()
        } else {
            String::new()
        }
    }

    fn san(&mut self, node: NodeId) -> Option<String> {
        let tree = self.walk.tree();
        let (parent, mv) = (tree.parent(node)?, *tree.move_to(node)?);
        let board = self.board_at(parent);
        let san = board.san(mv).to_string();
        self.before = Some((parent, board));
        Some(san)
    }

    /// The position at a node: the last one, its successor, or replayed from the start.
    fn board_at(&mut self, node: NodeId) -> Board {
        let tree = self.walk.tree();
        match self.before.take() {
            Some((at, board)) if at == node => board,
            Some((at, mut board)) if tree.parent(node) == Some(at) => {
                if let Some(&mv) = tree.move_to(node) {
                    board.play(mv);
                }
                board
            }
            _ => self.walk.game.board_at(node),
        }
    }

    /// The games that have the move, unless they are those of the move before it.
    fn written_in(&self, node: NodeId) -> String {
        let Some(joined) = self.walk.joined_graph() else {
            return String::new();
        };
        let games = |node| match self.walk.edge_to(node) {
            Some(edge) => joined.written_in(edge),
            None => joined.all_games(),
        };
        let parent = self.walk.tree().parent(node).map(games);
        let (numbers, more) = games(node);
        if parent.is_some_and(|before| before == (numbers.clone(), more)) {
            return String::new();
        }
        game_list(&numbers, more)
    }

    fn transposes(&self, node: NodeId) -> bool {
        if let (Some(joined), Some(vertex)) = (self.walk.joined_graph(), self.walk.vertex_of(node))
        {
            return joined.shared().is_between_lines(vertex);
        }
        self.walk.has_other_paths(node)
    }
}

/// True if there is a comment with more than measurements: clock times, evaluations, weights.
fn has_comment(game: &Game, node: NodeId) -> bool {
    let mut comments = game.comments_at(node);
    comments.any(|(_, text)| !annotation::without_measurements(text).trim().is_empty())
}

/// The numbers of some games, `1,3`, and `…` if there are more.
pub fn game_list(numbers: &[u32], more: bool) -> String {
    let mut text = numbers
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(",");
    if more {
        text.push('…');
    }
    text
}

/// The printed marks of a move: `!?`, `⩲`; `$146` where there is no sign.
pub fn glyphs(game: &Game, node: NodeId) -> String {
    let glyph = |nag| nag::glyph(nag).map_or_else(|| format!("${nag}"), str::to_owned);
    game.nags_at(node).map(glyph).collect()
}

#[cfg(test)]
mod tests;
