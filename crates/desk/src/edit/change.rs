//! What was done to a game, with both states of everything that changed.

use chess::pgn::{Game, Note, Outcome};
use tree::{Edit, NodeId, Stale};

use crate::walk::Walk;

/// One change, which may consist of several small ones.
#[derive(Clone, Debug)]
pub struct Change {
    pub(super) steps: Vec<Step>,
    /// Where one stood before.
    pub(super) before: NodeId,
    /// Where one stands after it.
    pub(super) after: NodeId,
    /// What was done, for messages.
    pub(super) said: String,
}

/// Something small that changed.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Where moves hang.
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
    /// Another game altogether.
    Whole { old: Box<Game>, new: Box<Game> },
}

/// What stands above the moves, and the result below them.
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
    /// What was done: `promoted 6.Bc4`.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Takes the change back.
    pub fn undo(&self, walk: &mut Walk) -> Result<(), Stale> {
        for step in self.steps.iter().rev() {
            step.inverse().take(walk)?;
        }
        walk.stand_firm();
        walk.stop_seeking();
        walk.go(self.before);
        Ok(())
    }

    /// Does the change again.
    pub fn redo(&self, walk: &mut Walk) -> Result<(), Stale> {
        for step in &self.steps {
            step.take(walk)?;
        }
        walk.stand_firm();
        walk.stop_seeking();
        walk.go(self.after);
        Ok(())
    }

    /// Puts another game in the place of this one.
    pub(crate) fn replacing(walk: &mut Walk, new: Game) -> Change {
        let old = walk.replace_game(new.clone());
        Change {
            steps: vec![Step::Whole {
                old: Box::new(old),
                new: Box::new(new),
            }],
            before: NodeId::ROOT,
            after: NodeId::ROOT,
            said: "brought the game to its last state".to_owned(),
        }
    }
}

impl Step {
    fn inverse(&self) -> Step {
        match self.clone() {
            Step::Tree(edit) => Step::Tree(edit.inverse()),
            Step::Notes { node, old, new } => Step::Notes {
                node,
                old: new,
                new: old,
            },
            Step::Nags { node, old, new } => Step::Nags {
                node,
                old: new,
                new: old,
            },
            Step::Head { old, new } => Step::Head { old: new, new: old },
            Step::Whole { old, new } => Step::Whole { old: new, new: old },
        }
    }

    /// Goes from the old state to the new one.
    pub(super) fn take(&self, walk: &mut Walk) -> Result<(), Stale> {
        match self {
            Step::Tree(edit) => {
                walk.game_mut().tree_mut().apply(edit)?;
                walk.tree_changed(edit);
            }
            Step::Notes { node, new, .. } => {
                walk.game_mut().set_notes(*node, new.iter().copied());
            }
            Step::Nags { node, new, .. } => {
                walk.game_mut().set_nags(*node, new.iter().copied());
            }
            Step::Head { new, .. } => new.put(walk.game_mut()),
            Step::Whole { new, .. } => {
                walk.replace_game((**new).clone());
            }
        }
        Ok(())
    }
}
