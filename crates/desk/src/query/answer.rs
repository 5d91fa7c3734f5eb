//! The result of a query for one game: positions for lists, PGN with comments.

use std::sync::Arc;

use chess::pgn::{ExportOptions, Game, Note, NoteKind, NotePlace, Style, export_into};
use cql::{Comment, GameResult};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::NodeId;

use crate::place::GameView;

/// The matches in one game.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The game's file.
    pub file: Arc<str>,
    /// Its number in the file, from 1.
    pub game: u64,
    /// The result of the query; its game number counts through all files.
    pub result: GameResult,
    /// The matching positions, if requested.
    pub positions: Vec<Position>,
    /// The game as PGN, if requested.
    pub pgn: String,
    /// The game as it was read, if requested.
    pub tree: Option<Game>,
}

/// A matching position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Position {
    /// The file.
    pub file: Arc<str>,
    /// The game's number in it.
    pub game: u64,
    /// The position's id in its game.
    pub position: u32,
    /// The number of moves to the position.
    #[serde(skip)]
    pub ply: u32,
    /// The moves to the position.
    pub path: String,
    /// The position.
    pub fen: String,
}

impl Answer {
    pub(super) fn new(file: Arc<str>, game: u64, result: GameResult) -> Answer {
        Answer {
            file,
            game,
            result,
            positions: Vec::new(),
            pgn: String::new(),
            tree: None,
        }
    }

    pub(super) fn find_positions(&mut self, game: &Game) {
        let view = tree::View::default();
        let game_view = GameView { game, view: &view };
        let found = self.result.positions.iter().zip(&self.result.nodes);
        self.positions = found
            .map(|(&position, &node)| Position {
                file: self.file.clone(),
                game: self.game,
                position,
                ply: game.tree().ply(node),
                path: game_view.path(node),
                fen: game.board_at(node).fen(),
            })
            .collect();
    }

    /// Writes the game, as it was read, with the comments of the query.
    pub fn write(&mut self) {
        if let Some(mut game) = self.tree.take() {
            self.write_game(&mut game);
        }
    }

    pub(super) fn write_game(&mut self, game: &mut Game) {
        for edit in &self.result.tags {
            match &edit.value {
                Some(value) => game.set_tag(&edit.name, value),
                None => drop(game.remove_tag(&edit.name)),
            }
        }
        for &node in &self.result.removed_comments {
            remove_comments(game, node);
        }
        for (node, words) in joined_by_node(&self.result.comments) {
            append_comment(game, node, &words);
        }
        export_into(game, &ExportOptions::default(), &mut self.pgn);
    }
}

/// The comments of each node as one text, so that adding many takes linear time and memory.
fn joined_by_node(comments: &[Comment]) -> Vec<(NodeId, String)> {
    let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut joined: Vec<(NodeId, String)> = Vec::new();
    for Comment { node, text } in comments {
        let place = *places.entry(*node).or_insert_with(|| {
            joined.push((*node, String::new()));
            joined.len() - 1
        });
        let words = &mut joined[place].1;
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(text);
    }
    joined
}

/// Removes the comments that `originalcomment` reads; those before a variation's first move stay.
fn remove_comments(game: &mut Game, node: NodeId) {
    let others = |note: &&Note| {
        note.place == NotePlace::Before || !matches!(note.kind, NoteKind::Comment(_))
    };
    let kept: Vec<Note> = game.notes_at(node).filter(others).copied().collect();
    game.set_notes(node, kept);
}

/// Appends text to the last comment after the move, or adds a comment.
fn append_comment(game: &mut Game, node: NodeId, words: &str) {
    let words = words.replace(['{', '}'], "_");
    let mut notes: Vec<Note> = game.notes_at(node).copied().collect();
    let last = notes.iter_mut().rfind(|note| {
        note.place == NotePlace::After && note.kind == NoteKind::Comment(Style::Brace)
    });
    match last {
        Some(note) => {
            let joined = format!("{} {words}", game.text(note.text));
            note.text = game.add_text(&joined);
        }
        None => notes.push(Note {
            kind: NoteKind::Comment(Style::Brace),
            place: NotePlace::After,
            text: game.add_text(&words),
        }),
    }
    game.set_notes(node, notes);
}
