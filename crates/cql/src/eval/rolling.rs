//! Queries about the board alone: one board is updated move by move, and nothing else is stored.

use super::Matcher;
use crate::result::{Comment, GameResult, Level};
use chess::pgn::Game;
use chess::{Board, Color, Move, MoveKind, Role, Variant};
use tree::NodeId;

/// The current position of the board.
pub(super) struct Rolled {
    pub id: u32,
    /// The position before it; itself if there is none.
    pub above: u32,
    pub node: NodeId,
    /// No move is played from there, or only a null move.
    pub is_end: bool,
    /// The kinds of pieces, as bits of a designator, whose squares the move changed.
    pub touched: u16,
}

/// True if a move is neither a capture nor a promotion.
#[inline]
fn leaves_material(board: &Board, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Plain(_) => mv.to().is_some_and(|to| !board.occupied().contains(to)),
        kind => kind == MoveKind::Castling,
    }
}

/// The nodes of a mainline after the start, with their moves.
fn mainline(game: &Game) -> impl Iterator<Item = (NodeId, Move)> + '_ {
    let tree = game.tree();
    let nodes = std::iter::successors(tree.next(NodeId::ROOT), |&node| tree.next(node));
    nodes.map_while(|node| Some((node, *tree.move_to(node)?)))
}

/// The kinds of pieces whose squares a plain move changes; all for other moves.
fn touched(board: &Board, mv: Move) -> u16 {
    const EMPTY: u16 = 1 << 12;
    let bit = |color: Color, role: Role| {
        let kind = 1u16 << (u32::from(role) - 1);
        if color == Color::White {
            kind
        } else {
            kind << 6
        }
    };
    match mv.kind() {
        // captures of other variants may remove more
        MoveKind::Plain(role) if board.variant() == Variant::Standard => {
            let captured = board.captured(mv);
            let taken = captured.map_or(0, |(_, role)| bit(!board.turn(), role));
            bit(board.turn(), role) | taken | EMPTY
        }
        _ => !0,
    }
}

impl Matcher<'_> {
    /// Searches a game for a condition that depends on the board alone.
    pub(super) fn roll(&mut self, game: &Game) -> GameResult {
        if !self.q.variations {
            return self.roll_mainline(0, mainline(game));
        }
        self.roll_through(game, |m, at| {
            if m.q.plan.may_match_in(at.is_end, at.id) {
                let held = m.truth(m.q.body);
                m.note_match(held, at.id, at.node);
            }
        });
        self.conclude_roll()
    }

    /// The same for the moves of a mainline and their nodes; only queries that count material skip
    /// moves before them.
    pub(super) fn roll_mainline(
        &mut self,
        skipped: u32,
        moves: impl Iterator<Item = (NodeId, Move)>,
    ) -> GameResult {
        let plan = &self.q.plan;
        if plan.only_ends() {
            self.roll_to_ends(moves);
        } else if plan.counts_material {
            self.roll_material(skipped, moves);
        } else {
            let mut held = false;
            self.roll_along(moves, |m, at| {
                if !m.q.plan.may_match_in(at.is_end, at.id) {
                    return;
                }
                let relevant = m.q.plan.relevant;
                if at.id == 0 || relevant.is_none_or(|kinds| kinds & at.touched != 0) {
                    held = m.truth(m.q.body);
                }
                m.note_match(held, at.id, at.node);
            });
        }
        self.conclude_roll()
    }

    /// Evaluates only positions without a next move: the last one, and those before null moves.
    fn roll_to_ends(&mut self, moves: impl Iterator<Item = (NodeId, Move)>) {
        let (mut node, mut id) = (NodeId::ROOT, 0);
        for (below, mv) in moves {
            if mv.is_null() {
                self.test_at(id, node);
            }
            self.positions.boards[0].play(mv);
            (node, id) = (below, id + 1);
        }
        self.test_at(id, node);
    }

    fn test_at(&mut self, id: u32, node: NodeId) {
        if self.steps > 0 {
            self.forget_board(self.at);
            let held = self.truth(self.q.body);
            self.note_match(held, id, node);
        }
    }

    /// Evaluates only after captures and promotions, when few enough pieces are left.
    fn roll_material(&mut self, skipped: u32, moves: impl Iterator<Item = (NodeId, Move)>) {
        let mut held = self.test_material();
        self.note_match(held, skipped, NodeId(skipped));
        for (id, (node, mv)) in (skipped.saturating_add(1)..).zip(moves) {
            let board = &mut self.positions.boards[0];
            let is_quiet = leaves_material(board, mv);
            board.play(mv);
            if !is_quiet {
                held = self.test_material();
            }
            self.note_match(held, id, node);
        }
    }

    fn test_material(&mut self) -> bool {
        let men = self.board().occupied().count() as u32;
        self.forget_board(self.at);
        men <= self.q.plan.most_men && self.steps > 0 && self.truth(self.q.body)
    }

    /// Running out of steps halfway is not a match.
    #[inline]
    fn note_match(&mut self, held: bool, id: u32, node: NodeId) {
        if held && self.steps > 0 {
            self.result.positions.push(id);
            self.result.nodes.push(node);
        }
    }

    fn conclude_roll(&mut self) -> GameResult {
        self.best.clear();
        self.best.resize(self.q.ir.sorts.len(), None);
        self.remarks.clear();
        self.conclude();
        if self.result.matched {
            self.note_sorts(self.result.positions.len() as i64);
            self.result.comments = self.rolled_comments();
        }
        std::mem::take(&mut self.result)
    }

    /// Passes every position to `each`, in the order of their ids, until the steps are used up.
    pub(super) fn roll_over(&mut self, game: &Game, each: impl FnMut(&mut Self, Rolled)) {
        if self.q.variations {
            self.roll_through(game, each);
        } else {
            self.roll_along(mainline(game), each);
        }
    }

    fn roll_along(
        &mut self,
        mut moves: impl Iterator<Item = (NodeId, Move)>,
        mut each: impl FnMut(&mut Self, Rolled),
    ) {
        let (mut node, mut id) = (NodeId::ROOT, 0u32);
        let mut changed = !0;
        let follows_pieces = self.q.plan.relevant.is_some();
        loop {
            let next = moves.next();
            let rolled = Rolled {
                id,
                above: id.saturating_sub(1),
                node,
                is_end: next.is_none_or(|(_, mv)| mv.is_null()),
                touched: changed,
            };
            each(self, rolled);
            let Some((below, mv)) = next.filter(|_| self.steps > 0) else {
                return;
            };
            let board = &mut self.positions.boards[0];
            if follows_pieces {
                changed = touched(board, mv);
            }
            board.play(mv);
            self.forget_board(self.at);
            (node, id) = (below, id + 1);
        }
    }

    /// The same through all variations, with one board for each ply of the path.
    fn roll_through(&mut self, game: &Game, mut each: impl FnMut(&mut Self, Rolled)) {
        let tree = game.tree();
        let mut way: Vec<(NodeId, u32)> = Vec::new();
        for (id, node) in (0..).zip(tree.preorder()) {
            let mut above = id;
            if let (Some(parent), Some(&mv)) = (tree.parent(node), tree.move_to(node)) {
                while way.last().is_some_and(|&(n, _)| n != parent) {
                    way.pop();
                }
                self.positions.boards.truncate(way.len());
                let Some(&(_, before)) = way.last() else {
                    return;
                };
                above = before;
                self.positions.push_board(way.len() as u32 - 1, Some(mv));
            }
            way.push((node, id));
            self.at = way.len() as u32 - 1;
            self.forget_board(self.at);
            let next = tree.next(node).and_then(|n| tree.move_to(n));
            let rolled = Rolled {
                id,
                above,
                node,
                is_end: next.is_none_or(|mv| mv.is_null()),
                // the previous position in this order may belong to another line
                touched: !0,
            };
            each(self, rolled);
            if self.steps == 0 {
                return;
            }
        }
    }

    fn rolled_comments(&mut self) -> Vec<Comment> {
        let mut comments = Vec::new();
        if let Some(text) = self.game_number_comment() {
            let node = NodeId::ROOT;
            comments.push(Comment { node, text });
        }
        if self.q.level == Level::Normal && !self.q.match_string.is_empty() {
            let text: std::sync::Arc<str> = self.q.match_string.as_str().into();
            let matches = self.result.nodes.iter();
            comments.extend(matches.map(|&node| Comment {
                node,
                text: text.clone(),
            }));
        }
        let sorts = self.remarks.drain(..);
        comments.extend(sorts.map(|r| Comment {
            node: NodeId::ROOT,
            text: r.text,
        }));
        comments
    }
}
