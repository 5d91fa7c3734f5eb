//! Linking and expanding whole files.

use std::convert::Infallible;

use chess::Identity;
use chess::pgn::{ExportOptions, Game, export_into};

use super::{Across, Expanded, Linked, expand, link, refer, unite, unlink};
use crate::games::{Games, Run};
use kit::Workers;

/// The operation on references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Remove continuations that are written elsewhere, with references to them.
    Link(Identity),
    /// Write all continuations of a position in one place, with references to it.
    Unite,
    /// Only add references where lines end.
    DeadEnds(Identity),
    /// Undo the other operations.
    Unlink {
        /// The greatest number of moves of an expanded game.
        limit: usize,
    },
    /// Write out the continuation of every reference.
    Expand {
        /// The greatest number of moves of an expanded game.
        limit: usize,
    },
}

/// The result of linking or expanding files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// The games to write; unchanged games are byte for byte the same.
    pub text: Vec<u8>,
    /// The number of games.
    pub games: u64,
    /// References that were created, or that stay.
    pub links: u64,
    /// References that were expanded.
    pub expanded: u64,
    /// References at line ends that were removed.
    pub removed: u64,
    /// Removed moves.
    pub fewer: u64,
    /// Added moves.
    pub more: u64,
    /// Games whose mainline is not the same.
    pub mainlines: u64,
}

/// Links or expands the games of files.
pub fn relink(games: &Games, mode: Mode, workers: &Workers) -> Run<Work> {
    let mut changed = Vec::new();
    let games = games.clone().as_text();
    let run = games.run_holding(
        workers,
        |batch| {
            let mut some = Vec::new();
            batch.read(|game, raw| some.push(Changed::of(game, raw.bytes, mode)));
            some
        },
        |some| {
            changed.extend(some);
            Ok::<(), Infallible>(())
        },
    );
    match run {
        // References across games need all of them: an interrupted run has no result.
        Ok(run) if run.stopped => run.with(Work::default()),
        Ok(run) => run.map(|()| finish(changed, mode)),
        Err(never) => match never {},
    }
}

/// A game before and after.
struct Changed {
    bytes: Vec<u8>,
    old: Game,
    new: Game,
    links: u64,
    expanded: u64,
    removed: u64,
}

impl Changed {
    fn of(game: &mut Game, bytes: &[u8], mode: Mode) -> Changed {
        let old = std::mem::take(game);
        let mut changed = Changed {
            bytes: bytes.to_vec(),
            new: Game::default(),
            links: 0,
            expanded: 0,
            removed: 0,
            old,
        };
        changed.apply(mode);
        changed
    }

    fn apply(&mut self, mode: Mode) {
        match mode {
            Mode::Link(same) => self.set_linked(link(&self.old, same)),
            Mode::Unite => self.set_linked(unite(&self.old)),
            Mode::DeadEnds(_) => self.new = self.old.clone(),
            Mode::Unlink { limit } => self.set_expanded(unlink(&self.old, limit)),
            Mode::Expand { limit } => self.set_expanded(expand(&self.old, limit)),
        }
    }

    fn set_linked(&mut self, linked: Linked) {
        (self.new, self.links) = (linked.game, linked.links);
    }

    fn set_expanded(&mut self, all: Expanded) {
        (self.new, self.links) = (all.game, all.kept);
        (self.expanded, self.removed) = (all.expanded, all.removed);
    }

    fn keeps_mainline(&self) -> bool {
        self.old.mainline_moves().eq(self.new.mainline_moves())
    }

    fn write(&self, text: &mut Vec<u8>) {
        if self.new == self.old {
            text.extend_from_slice(&self.bytes);
            return;
        }
        let mut pgn = String::new();
        export_into(&self.new, &ExportOptions::default().roster(false), &mut pgn);
        text.extend_from_slice(pgn.as_bytes());
        text.push(b'\n');
    }
}

fn finish(mut changed: Vec<Changed>, mode: Mode) -> Work {
    let same = match mode {
        Mode::Link(same) | Mode::DeadEnds(same) => Some(same),
        Mode::Unite => Some(Identity::Strict),
        Mode::Unlink { .. } | Mode::Expand { .. } => None,
    };
    if let Some(same) = same {
        let games = changed
            .iter_mut()
            .map(|each| std::mem::take(&mut each.new))
            .collect();
        let Across { games, links } = refer(games, same);
        for ((each, game), links) in changed.iter_mut().zip(games).zip(links) {
            each.new = game;
            each.links += links;
        }
    }
    let mut work = Work::default();
    for each in &changed {
        let moves = |game: &Game| game.tree().node_count() as u64 - 1;
        work.games += 1;
        work.links += each.links;
        work.expanded += each.expanded;
        work.removed += each.removed;
        work.mainlines += u64::from(!each.keeps_mainline());
        work.fewer += moves(&each.old).saturating_sub(moves(&each.new));
        work.more += moves(&each.new).saturating_sub(moves(&each.old));
        each.write(&mut work.text);
    }
    work
}
