//! Moving the continuation of another place here, with a reference left there.

use std::fmt;

use chess::Identity;
use chess::link::Link;
use chess::pgn::{Game, Note};
use tree::{Edit, NodeId, Stale};

use super::{add_links, noted_nodes, remove_links, resolve};
use crate::positions::move_path;

/// The reason why a continuation cannot be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BringError {
    /// The two places have different positions.
    OtherPosition,
    /// The target is part of the continuation, or both places are the same.
    Below,
}

impl fmt::Display for BringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BringError::OtherPosition => "the two places have different positions",
            BringError::Below => "a continuation cannot be moved into itself",
        })
    }
}

impl std::error::Error for BringError {}

impl From<Stale> for BringError {
    fn from(_: Stale) -> BringError {
        BringError::Below
    }
}

/// Moves the continuation of `there` to `here`, after the continuation here, and leaves a reference
/// there. Moves in both are merged with all their annotations.
///
/// The edit undoes the change of the tree; the caller restores notes and marks.
pub fn bring(
    game: &mut Game,
    here: NodeId,
    there: NodeId,
    same: Identity,
) -> Result<Edit, BringError> {
    if game.board_at(here).key(same) != game.board_at(there).key(same) {
        return Err(BringError::OtherPosition);
    }
    if game.tree().is_generalised_ancestor(there, here) {
        return Err(BringError::Below);
    }
    let mut edit = Edit::default();
    while let Some(child) = game.tree().next(there) {
        edit = edit.then(game.tree_mut().detach(child));
        edit = edit.then(game.tree_mut().attach(child, here, usize::MAX)?);
    }
    let mut pairs = Vec::new();
    let merged = game
        .tree_mut()
        .merge_duplicates_below(here, |gone, stays| pairs.push((gone, stays)));
    pairs
        .into_iter()
        .for_each(|(gone, stays)| merge_annotations(game, gone, stays));
    remove_cycle(game, here, there, same);
    let link = Link::to(move_path(game, here).0);
    add_links(game, [(there, link)]);
    Ok(edit.then(merged))
}

/// Moves the annotations of a removed node to the remaining one, without duplicates.
fn merge_annotations(game: &mut Game, gone: NodeId, stays: NodeId) {
    let words = |note: &Note| {
        let text = game.text(note.text);
        (
            note.kind,
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        )
    };
    let mut notes: Vec<Note> = game.notes_at(stays).copied().collect();
    let known: Vec<_> = notes.iter().map(words).collect();
    notes.extend(
        game.notes_at(gone)
            .filter(|note| !known.contains(&words(note))),
    );
    let mut nags: Vec<u32> = game.nags_at(stays).collect();
    let more: Vec<u32> = game
        .nags_at(gone)
        .filter(|nag| !nags.contains(nag))
        .collect();
    nags.extend(more);
    game.set_notes(stays, notes);
    game.set_nags(stays, nags);
}

/// Removes references from here to there, which would now form a cycle.
fn remove_cycle(game: &mut Game, here: NodeId, there: NodeId, same: Identity) {
    let leads_there =
        |game: &Game, link: &Link| resolve(game, here, link, game, same) == Some(there);
    if noted_nodes(game).contains(&here) {
        let before = game.clone();
        remove_links(game, here, |link| {
            link.game.is_none() && leads_there(&before, link)
        });
    }
}
