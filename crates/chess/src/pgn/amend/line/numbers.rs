//! Moves and their numbers.

use super::super::item::Item;
use super::Printer;
use crate::Color;
use crate::pgn::build::{Kind, NodeTokens};
use crate::pgn::game::Game;
use tree::NodeId;

/// The color that moved to each node, by index.
pub(super) fn colors(game: &Game) -> Vec<Color> {
    let tree = game.tree();
    let mut colors = vec![!game.start().turn(); tree.capacity_used()];
    for node in tree.preorder() {
        if let Some(parent) = tree.parent(node) {
            colors[node.index()] = !colors[parent.index()];
        }
    }
    colors
}

impl<'a> Printer<'a> {
    /// Writes a move with its number, if it needs one; `ply` counts the moves before it.
    pub(super) fn put_move(&mut self, node: NodeId, ply: u32) {
        let Some(tokens) = self.tokens_of(node) else {
            return self.put_new_move(node, ply);
        };
        let NodeTokens { number, word, .. } = tokens;
        let Some(word) = word else { return };
        let first = number.unwrap_or(word);
        let is_in_place = self.page.last().map(|last| last + 1) == Some(first)
            || (self.page.last_kind().is_none() && first == 0);
        let has_number = if is_in_place {
            number.is_some()
        } else {
            self.needs_number(ply)
        };
        match number {
            Some(number) if has_number => {
                self.page.put(self.page.old(number..number + 1));
                self.page.put(self.page.old(word..word + 1));
            }
            None if has_number => {
                // The number takes over the blanks before the move.
                let mut number = self.new_number(ply);
                number.first = Some(word);
                self.page.put(number);
                let mut word = self.page.old(word..word + 1);
                word.first = None;
                self.page.put(word);
            }
            _ => {
                let mut word = self.page.old(word..word + 1);
                word.first = Some(first);
                self.page.put(word);
            }
        }
    }

    fn put_new_move(&mut self, node: NodeId, ply: u32) {
        if self.needs_number(ply) {
            self.page.put(self.new_number(ply));
        }
        let (Some(&mv), Some(parent)) = (
            self.game.tree().move_to(node),
            self.game.tree().parent(node),
        ) else {
            return;
        };
        let san = self.game.board_at(parent).san(mv);
        self.page.put(Item::new(san.to_string(), Kind::Move));
    }

    fn color(&self, ply: u32) -> Color {
        let first = self.game.start().turn();
        if ply.is_multiple_of(2) { first } else { !first }
    }

    fn needs_number(&self, ply: u32) -> bool {
        let style = &self.page.style;
        style.has_number(self.color(ply), self.page.last_kind())
    }

    fn new_number(&self, ply: u32) -> Item<'a> {
        let start = self.game.start();
        let black_first = u32::from(start.turn() == Color::Black);
        let number = start.fullmoves().saturating_add((ply + black_first) / 2);
        let text = self.page.style.number(number, self.color(ply));
        Item::new(text, Kind::Number)
    }
}
