//! Search among the moves and comments of a game.

use chess::pgn::{Cursor, Game};
use tree::NodeId;

use super::Walk;
use crate::positions::Spot;

/// A search term: part of a comment ignoring case, or a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchText {
    text: String,
    small: String,
}

impl SearchText {
    /// A search for this text; none if it is empty.
    pub fn new(text: &str) -> Option<SearchText> {
        let text = text.trim().to_owned();
        let small = text.to_lowercase();
        (!text.is_empty()).then_some(SearchText { text, small })
    }

    fn is_at(&self, cursor: &Cursor<'_>) -> bool {
        let mut comments = cursor.node().game().comments_at(cursor.id());
        comments.any(|(_, comment)| comment.to_lowercase().contains(&self.small))
            || self.may_be_move() && self.is_move(&cursor.san())
    }

    /// `Nf3` also finds `Nf3+`.
    fn is_move(&self, san: &str) -> bool {
        san == self.text || san.trim_end_matches(['+', '#']) == self.text
    }

    fn may_be_move(&self) -> bool {
        self.text.len() <= 12 && !self.text.contains(' ')
    }
}

impl Walk {
    /// Goes to the next match in order of position id, wrapping around. Returns whether there is
    /// one.
    pub fn search(&mut self, text: &SearchText) -> bool {
        if let Some(found) = self.matching_vertices(text) {
            return self.go_to_next_vertex(&found, false);
        }
        let found = self.find_all(text);
        let here = self.tree().position_id(self.at);
        let after = found
            .iter()
            .find(|(id, _)| here.is_none_or(|here| *id > here.0));
        let next = after.or(found.first()).map(|&(_, node)| node);
        self.go_if(next)
    }

    /// The same backwards.
    pub fn search_back(&mut self, text: &SearchText) -> bool {
        if let Some(found) = self.matching_vertices(text) {
            return self.go_to_next_vertex(&found, true);
        }
        let found = self.find_all(text);
        let here = self.tree().position_id(self.at);
        let mut before = found.iter().rev();
        let before = before.find(|(id, _)| here.is_some_and(|here| *id < here.0));
        let next = before.or(found.last()).map(|&(_, node)| node);
        self.go_if(next)
    }

    /// The matching positions of all games in ascending order, in positions mode.
    fn matching_vertices(&self, text: &SearchText) -> Option<Vec<u32>> {
        let positions = self.joined_graph()?.positions();
        let mut found: Vec<u32> = Vec::new();
        for (game, it) in positions.games().iter().enumerate() {
            let nodes = find_all(it, text).into_iter().map(|(_, node)| node);
            let vertices = nodes.filter_map(|node| positions.vertex(Spot { game, node }));
            found.extend(vertices.map(|vertex| vertex.0));
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// All matches, with their position ids.
    pub fn find_all(&self, text: &SearchText) -> Vec<(u32, NodeId)> {
        find_all(self.game(), text)
    }
}

fn find_all(game: &Game, text: &SearchText) -> Vec<(u32, NodeId)> {
    let mut found = Vec::new();
    let mut cursor = game.cursor();
    for id in 0.. {
        if text.is_at(&cursor) {
            found.push((id, cursor.id()));
        }
        if !cursor.walk() {
            break;
        }
    }
    found
}
