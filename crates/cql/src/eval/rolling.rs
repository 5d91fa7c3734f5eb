//! Queries about the board alone: one board rolls through the game and nothing else is kept.

use super::Matcher;
use crate::positions::NOWHERE;
use crate::result::{Comment, GameResult, Level};
use chess::pgn::Game;
use tree::NodeId;

impl Matcher<'_> {
    /// Searches a game for a condition that depends on nothing but the board.
    pub(super) fn roll(&mut self, game: &Game) -> GameResult {
        if self.q.variations {
            self.roll_through(game);
        } else {
            self.roll_along(game);
        }
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

    fn roll_along(&mut self, game: &Game) {
        let tree = game.tree();
        let (mut node, mut id) = (NodeId::ROOT, 0);
        loop {
            let next = tree.next(node).and_then(|n| Some((n, *tree.move_to(n)?)));
            let is_end = next.is_none_or(|(_, mv)| mv.is_null());
            if self.q.plan.may_match_in(is_end, id) && self.truth(self.q.body) && self.steps > 0 {
                self.result.positions.push(id);
                self.result.nodes.push(node);
            }
            let Some((below, mv)) = next.filter(|_| self.steps > 0) else {
                return;
            };
            self.positions.boards[0].play(mv);
            self.kinds.1 = NOWHERE;
            (node, id) = (below, id + 1);
        }
    }

    /// The same through all variations, with one board for each ply of the way.
    fn roll_through(&mut self, game: &Game) {
        let tree = game.tree();
        let mut way: Vec<NodeId> = Vec::new();
        for (id, node) in (0..).zip(tree.preorder()) {
            if let (Some(above), Some(&mv)) = (tree.parent(node), tree.move_to(node)) {
                while way.last().is_some_and(|&n| n != above) {
                    way.pop();
                }
                self.positions.boards.truncate(way.len());
                let Some(above) = (way.len() as u32).checked_sub(1) else {
                    return;
                };
                self.positions.push_board(above, mv);
            }
            way.push(node);
            self.at = way.len() as u32 - 1;
            self.positions.real = self.at + 1;
            self.kinds.1 = NOWHERE;
            let next = tree.next(node).and_then(|n| tree.move_to(n));
            let is_end = next.is_none_or(|mv| mv.is_null());
            if self.q.plan.may_match_in(is_end, id) && self.truth(self.q.body) && self.steps > 0 {
                self.result.positions.push(id);
                self.result.nodes.push(node);
            }
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
