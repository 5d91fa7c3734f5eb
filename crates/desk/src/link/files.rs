//! Linking and expanding whole files.

use std::convert::Infallible;

use chess::pgn::{ExportOptions, Game, export_into};

use super::{Across, expand, link, refer};
use crate::games::{Games, Run};
use kit::Workers;

/// The operation on references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Write each continuation once, with references to it.
    Link,
    /// Only add references where lines end.
    DeadEnds,
    /// Write continuations out again.
    Unlink {
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
    /// Removed moves.
    pub fewer: u64,
    /// Added moves.
    pub more: u64,
}

/// Links or expands the games of files.
pub fn relink(games: &Games, mode: Mode, workers: &Workers) -> Run<Work> {
    let mut changed = Vec::new();
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
}

impl Changed {
    fn of(game: &mut Game, bytes: &[u8], mode: Mode) -> Changed {
        let old = std::mem::take(game);
        let (new, links, expanded) = match mode {
            Mode::Link => {
                let linked = link(&old);
                (linked.game, linked.links, 0)
            }
            Mode::DeadEnds => (old.clone(), 0, 0),
            Mode::Unlink { limit } => {
                let all = expand(&old, limit);
                (all.game, all.kept, all.expanded)
            }
        };
        Changed {
            bytes: bytes.to_vec(),
            old,
            new,
            links,
            expanded,
        }
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
    if let Mode::Link | Mode::DeadEnds = mode {
        let games = changed
            .iter_mut()
            .map(|each| std::mem::take(&mut each.new))
            .collect();
        let Across { games, links } = refer(games, mode == Mode::DeadEnds);
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
        work.fewer += moves(&each.old).saturating_sub(moves(&each.new));
        work.more += moves(&each.new).saturating_sub(moves(&each.old));
        each.write(&mut work.text);
    }
    work
}
