//! The moves of a game, looked at before its positions are computed.

use super::Matcher;
use crate::plan::Moves;
use chess::pgn::Game;
use tree::NodeId;

/// What the moves of the current game allow.
#[derive(Default)]
pub(super) struct Played {
    moves: Moves,
    /// By path: whether the game has the moves it needs.
    paths: Vec<bool>,
}

impl Played {
    #[inline]
    pub fn allows_path(&self, path: usize) -> bool {
        self.paths.get(path).is_none_or(|&possible| possible)
    }
}

impl Matcher<'_> {
    /// False if the moves or the ends of the game rule out a match.
    pub(super) fn may_match_moves(&mut self, game: &Game) -> bool {
        self.played.paths.clear();
        if !self.q.plan.needs_moves() {
            return true;
        }
        load(&mut self.played.moves, game, self.q.variations);
        let moves = &self.played.moves;
        self.played.paths.extend(self.q.plan.possible_paths(moves));
        if self.wants_unmatched() {
            return true;
        }
        self.q.plan.played.may_be_met_by(moves) && self.has_ends(game)
    }

    /// Whether the game has the mates and stalemates that the query needs.
    fn has_ends(&mut self, game: &Game) -> bool {
        let moves = &self.played.moves;
        if self.q.plan.played.ends(moves).next().is_none() {
            return true;
        }
        let (mut mate, mut stalemate) = (false, false);
        self.roll_over(game, |m, at| {
            if at.is_end {
                mate |= m.board().is_checkmate();
                stalemate |= m.board().is_stalemate();
            }
        });
        self.load_header(game, self.game_number);
        let moves = &self.played.moves;
        let mut needed = self.q.plan.played.ends(moves);
        needed.all(|(mates, stalemates)| mates && mate || stalemates && stalemate)
    }
}

fn load(moves: &mut Moves, game: &Game, variations: bool) {
    let tree = game.tree();
    moves.played.clear();
    let (mut node, mut mainline) = (NodeId::ROOT, 1);
    while let Some(next) = tree.next(node) {
        moves.played.extend(tree.move_to(next).copied());
        (node, mainline) = (next, mainline + 1);
    }
    moves.has_secondary = variations && tree.node_count() > mainline;
    if moves.has_secondary {
        moves.played.clear();
        let all = tree.preorder().filter_map(|node| tree.move_to(node));
        moves.played.extend(all);
    }
}
