//! Real games with one change each: the other lines of their text stay as they are.
//!
//! Reads the first games of each file in `../shared/corpora`, or all games of `GAMETREE_CORPORA`.

mod common;

use std::fs;
use std::path::Path;

use common::{Corpora, corpora};
use gametree_chess::pgn::{
    Game, Note, NoteKind, NotePlace, Style, amend, decode, read_game, split,
};
use gametree_tree::NodeId;

/// What was seen in all games.
#[derive(Default, Debug)]
struct Seen {
    games: usize,
    /// Games whose text cannot be amended.
    refused: usize,
    changes: usize,
    /// Changes that touch more lines than expected.
    wide: Vec<String>,
}

#[test]
fn one_change_is_a_small_difference() {
    let Some(Corpora { files, limit }) = corpora() else {
        return;
    };
    let mut seen = Seen::default();
    for file in &files {
        check_file(file, limit, &mut seen);
    }
    assert!(seen.games > 0, "no game was read");
    assert!(seen.refused * 50 <= seen.games, "{seen:?}");
    assert!(seen.wide.len() * 200 <= seen.changes, "{seen:?}");
}

fn check_file(file: &Path, limit: usize, seen: &mut Seen) {
    let bytes = fs::read(file).unwrap_or_default();
    for raw in split(&bytes).take(limit) {
        let old = decode(raw.bytes);
        let Some(game) = read_game(old.as_bytes()) else {
            continue;
        };
        seen.games += 1;
        match amend(&game, &old) {
            Some(same) => assert_eq!(same, old, "{}", file.display()),
            None => {
                seen.refused += 1;
                continue;
            }
        }
        for (name, change) in CHANGES {
            let mut new = game.clone();
            if change(&mut new) {
                check_change(name, &new, &old, seen);
            }
        }
    }
}

fn check_change(name: &str, game: &Game, old: &str, seen: &mut Seen) {
    seen.changes += 1;
    let new = amend(game, old);
    let lines = new.as_deref().map(|new| changed_lines(old, new));
    // A line may be broken in two, and a variation may have lines of its own.
    if !lines.is_some_and(|(gone, added)| gone <= 2 && added <= 3) {
        seen.wide.push(format!("{name} {lines:?}"));
    }
}

/// The number of lines between the first and the last difference, in both texts.
fn changed_lines(old: &str, new: &str) -> (usize, usize) {
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    while old.last().is_some() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let same = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    (old.len() - same, new.len() - same)
}

type NamedChange = (&'static str, fn(&mut Game) -> bool);

const CHANGES: [NamedChange; 5] = [
    ("add", add_move),
    ("alternative", add_alternative),
    ("comment", comment_in_the_middle),
    ("glyph", mark_in_the_middle),
    ("delete", delete_last_move),
];

fn middle(game: &Game) -> Option<NodeId> {
    let line: Vec<NodeId> = game.mainline().map(|node| node.id()).collect();
    line.get(line.len() / 2).copied()
}

fn add_move(game: &mut Game) -> bool {
    let end = game.end().id();
    let Some(mv) = game.board_at(end).legal_moves().first().copied() else {
        return false;
    };
    game.add_variation(end, mv);
    true
}

fn add_alternative(game: &mut Game) -> bool {
    let Some(parent) = middle(game) else {
        return false;
    };
    let known: Vec<_> = game
        .tree()
        .children(parent)
        .filter_map(|child| game.tree().move_to(child).copied())
        .collect();
    let moves = game.board_at(parent).legal_moves();
    let Some(&mv) = moves.iter().find(|mv| !known.contains(mv)) else {
        return false;
    };
    game.add_variation(parent, mv);
    true
}

fn comment_in_the_middle(game: &mut Game) -> bool {
    let Some(node) = middle(game) else {
        return false;
    };
    if game.comments_at(node).next().is_some() {
        return false;
    }
    let note = Note {
        kind: NoteKind::Comment(Style::Brace),
        place: NotePlace::After,
        text: game.add_text("A remark."),
    };
    game.add_notes([(node, note)]);
    true
}

fn mark_in_the_middle(game: &mut Game) -> bool {
    let Some(node) = middle(game) else {
        return false;
    };
    game.set_nags(node, [1, 36]);
    true
}

fn delete_last_move(game: &mut Game) -> bool {
    let end = game.end().id();
    if game.tree().siblings(end).count() != 1 || game.comments_at(end).next().is_some() {
        return false;
    }
    game.tree_mut().detach(end);
    true
}
