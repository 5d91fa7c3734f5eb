//! Changes of a game, with both states of everything that changed.

use chess::pgn::{Game, Note, Outcome};
use tree::{Edit, NodeId, Stale};

use crate::walk::Walk;

/// One change, which may have several steps.
#[derive(Clone, Debug)]
pub struct Change {
    pub(super) steps: Vec<ChangeStep>,
    /// The current node before the change.
    pub(super) before: NodeId,
    /// The current node after the change.
    pub(super) after: NodeId,
    /// A message.
    pub(super) summary: String,
}

/// One step of a change.
#[derive(Clone, Debug)]
pub(super) enum ChangeStep {
    /// The structure of the tree.
    Tree(Edit),
    /// The notes of a node. Their texts stay in the game, which only ever adds to them.
    Notes {
        node: NodeId,
        old: Vec<Note>,
        new: Vec<Note>,
    },
    /// The marks of a node.
    Nags {
        node: NodeId,
        old: Vec<u32>,
        new: Vec<u32>,
    },
    /// Tags and result.
    Head { old: Head, new: Head },
    /// The whole game.
    Whole { old: Box<Game>, new: Box<Game> },
}

/// The tags and the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub(super) tags: Vec<(String, String)>,
    pub(super) outcome: Outcome,
}

impl Head {
    pub(super) fn of(game: &Game) -> Head {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Head {
            tags: game.tags().map(owned).collect(),
            outcome: game.outcome(),
        }
    }

    fn put(&self, game: &mut Game) {
        game.set_outcome(self.outcome);
        for (name, _) in Head::of(game).tags {
            game.remove_tag(&name);
        }
        for (name, value) in &self.tags {
            game.push_tag(name, value);
        }
    }
}

impl Change {
    /// A message: `promoted 6.Bc4`.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// True if nothing changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Undoes the change.
    pub fn undo(&self, walk: &mut Walk) -> Result<(), Stale> {
        for step in self.steps.iter().rev() {
            step.inverse().take(walk)?;
        }
        walk.leave_deleted();
        walk.clear_matches();
        walk.go(self.before);
        Ok(())
    }

    /// Redoes the change.
    pub fn redo(&self, walk: &mut Walk) -> Result<(), Stale> {
        for step in &self.steps {
            step.take(walk)?;
        }
        walk.leave_deleted();
        walk.clear_matches();
        walk.go(self.after);
        Ok(())
    }

    /// Replaces the game.
    pub(crate) fn replacing(walk: &mut Walk, new: Game) -> Change {
        let old = walk.replace_game(new.clone());
        Change {
            steps: vec![ChangeStep::Whole {
                old: Box::new(old),
                new: Box::new(new),
            }],
            before: NodeId::ROOT,
            after: NodeId::ROOT,
            summary: "restored the last state of the game".to_owned(),
        }
    }
}

impl ChangeStep {
    fn inverse(&self) -> ChangeStep {
        match self.clone() {
            ChangeStep::Tree(edit) => ChangeStep::Tree(edit.inverse()),
            ChangeStep::Notes { node, old, new } => ChangeStep::Notes {
                node,
                old: new,
                new: old,
            },
            ChangeStep::Nags { node, old, new } => ChangeStep::Nags {
                node,
                old: new,
                new: old,
            },
            ChangeStep::Head { old, new } => ChangeStep::Head { old: new, new: old },
            ChangeStep::Whole { old, new } => ChangeStep::Whole { old: new, new: old },
        }
    }

    /// Goes from the old state to the new one.
    pub(super) fn take(&self, walk: &mut Walk) -> Result<(), Stale> {
        match self {
            ChangeStep::Tree(edit) => {
                walk.game_mut().tree_mut().apply(edit)?;
                walk.tree_changed(edit);
            }
            ChangeStep::Notes { node, new, .. } => {
                walk.game_mut().set_notes(*node, new.iter().copied());
            }
            ChangeStep::Nags { node, new, .. } => {
                walk.game_mut().set_nags(*node, new.iter().copied());
            }
            ChangeStep::Head { new, .. } => new.put(walk.game_mut()),
            ChangeStep::Whole { new, .. } => {
                walk.replace_game((**new).clone());
            }
        }
        Ok(())
    }
}
