//! Linking and expanding whole files.
//!
//! Most games of a database have one line, a result and no reference: nothing changes in them, and
//! other games can only refer to them. Such games are kept as their moves, two bytes each, and
//! their text is in a temporary file.

use std::io;

use chess::Identity;
use chess::link::Link;
use chess::pgn::{ExportOptions, Game, Note, Outcome, RawGame, export_bytes};
use tree::NodeId;

use super::plain::{Plain, PlainGames};
use super::text::NewText;
use super::{Across, Expanded, Linked, expand, is_line, link, refer, unite, unlink};
use crate::games::{Batch, Games, Run};
use crate::sorted::temporary;
use kit::Workers;
use kit::limits::Size;

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

impl Mode {
    /// Which positions are compared across games.
    fn across(self) -> Option<Identity> {
        match self {
            Mode::Link(same) | Mode::DeadEnds(same) => Some(same),
            Mode::Unite => Some(Identity::Strict),
            Mode::Unlink { .. } | Mode::Expand { .. } => None,
        }
    }

    /// True if a game certainly stays as it is, and no reference is added to it.
    fn leaves(self, game: &Game) -> bool {
        let ended = game.outcome() != Outcome::Unknown || game.tree().is_terminal(NodeId::ROOT);
        let is_line = || is_line(game.tree());
        match self {
            Mode::Unlink { .. } | Mode::Expand { .. } => !has_links(game),
            Mode::Link(_) | Mode::DeadEnds(_) => ended && is_line() && !has_links(game),
            // Marks and comments are written anew.
            Mode::Unite => {
                let is_bare = game.notes().rows().is_empty() && game.nags().rows().is_empty();
                ended && is_bare && is_line()
            }
        }
    }
}

fn has_links(game: &Game) -> bool {
    let is_link = |note: &Note| note.is_comment() && Link::read(game.text(note.text)).is_some();
    game.notes().rows().iter().any(|(_, note)| is_link(note))
}

/// What is wanted of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Only the numbers.
    Counts,
    /// The text of the games too.
    Text,
}

/// The result of linking or expanding files.
#[derive(Debug, Default)]
pub struct Work {
    /// The games to write, if they are wanted; unchanged games are byte for byte the same.
    pub text: NewText,
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

/// Links or expands the games of files. Games that can change may take this much memory; by
/// default [`kit::Limits::kept`].
pub fn relink(
    games: &Games,
    mode: Mode,
    wanted: Wanted,
    memory: Option<Size>,
    workers: &Workers,
) -> Run<Work> {
    let games = games.clone().as_text();
    let limit = memory.unwrap_or(games.limits().kept());
    let (mut all, mut failed) = (AllGames::default(), None);
    let mut run = games.run_growing(
        workers,
        Some(limit),
        |batch| Part::read(batch, mode, wanted),
        |part| {
            failed = failed.take().or(all.add(part).err());
            // After an error of the temporary file nothing more is read.
            failed.as_ref().map_or(all.bytes, |_| u64::MAX)
        },
    );
    if let Some(error) = failed {
        run.unread = vec![temporary(&error)];
        return run.with(Work::default());
    }
    // References across games need all of them: an interrupted run has no result.
    if run.stopped {
        return run.with(Work::default());
    }
    run.map(|()| all.finish(mode, wanted, workers))
}

/// Some games of one file.
struct Part {
    games: Vec<Either>,
    /// The text of the plain games, if it is wanted.
    text: Vec<u8>,
}

/// A game that stays as it is, with the size of its text, or another one.
enum Either {
    Plain(Plain),
    Other(Box<Changed>),
}

impl Part {
    fn read(batch: &Batch, mode: Mode, wanted: Wanted) -> Part {
        let mut part = Part {
            games: Vec::new(),
            text: Vec::new(),
        };
        batch.read(|game, raw| part.add(game, raw, mode, wanted));
        part
    }

    fn add(&mut self, game: &mut Game, raw: RawGame, mode: Mode, wanted: Wanted) {
        if !mode.leaves(game) {
            let changed = Changed::of(game, raw.bytes, mode);
            return self.games.push(Either::Other(Box::new(changed)));
        }
        let mut plain = Plain::of(game, mode.across().is_some());
        if wanted == Wanted::Text {
            plain.text = raw.bytes.len() as u64;
            self.text.extend_from_slice(raw.bytes);
        }
        self.games.push(Either::Plain(plain));
    }
}

/// All games in their order.
#[derive(Default)]
struct AllGames {
    plain: PlainGames,
    /// The others, each with the number of games before it.
    others: Vec<(usize, Box<Changed>)>,
    text: NewText,
    count: usize,
    /// The memory of all games, roughly.
    bytes: u64,
}

impl AllGames {
    fn add(&mut self, part: Part) -> io::Result<()> {
        self.text.keep(&part.text)?;
        for game in part.games {
            match game {
                Either::Plain(plain) => {
                    self.bytes += plain.bytes();
                    self.plain.push(self.count, plain);
                }
                Either::Other(other) => {
                    self.bytes += other.size();
                    self.others.push((self.count, other));
                }
            }
            self.count += 1;
        }
        Ok(())
    }

    fn finish(mut self, mode: Mode, wanted: Wanted, workers: &Workers) -> Work {
        if let Some(same) = mode.across() {
            self.refer(same, workers);
        }
        let mut work = Work {
            games: self.count as u64,
            ..Work::default()
        };
        for (_, each) in &self.others {
            let moves = |game: &Game| game.tree().node_count() as u64 - 1;
            work.links += each.links;
            work.expanded += each.expanded;
            work.removed += each.removed;
            work.mainlines += u64::from(!each.keeps_mainline());
            work.fewer += moves(&each.old).saturating_sub(moves(&each.new));
            work.more += moves(&each.new).saturating_sub(moves(&each.old));
        }
        if wanted == Wanted::Text {
            self.arrange();
            work.text = self.text;
        }
        work
    }

    /// Adds references across games: to the others, and to those plain games that can be referred
    /// to.
    fn refer(&mut self, same: Identity, workers: &Workers) {
        let new: Vec<&Game> = self.others.iter().map(|(_, each)| &each.new).collect();
        let wanted = self.plain.referred(&new, same, workers);
        let mut wanted = wanted.into_iter().peekable();
        let (mut games, mut is_other) = (Vec::new(), Vec::new());
        for (before, each) in &mut self.others {
            while let Some(at) = wanted.next_if(|&at| self.plain.games_before(at) < *before) {
                games.push(self.plain.game(at));
                is_other.push(false);
            }
            games.push(std::mem::take(&mut each.new));
            is_other.push(true);
        }
        games.extend(wanted.map(|at| self.plain.game(at)));
        is_other.resize(games.len(), false);
        let Across { games, links } = refer(games, same);
        let found = games.into_iter().zip(links).zip(is_other);
        let found = found.filter_map(|(found, is_other)| is_other.then_some(found));
        for ((_, each), (game, links)) in self.others.iter_mut().zip(found) {
            each.new = game;
            each.links += links;
        }
    }

    /// Puts the texts into the order of the games.
    fn arrange(&mut self) {
        let mut plain = self.plain.texts().peekable();
        let mut kept = |before: usize| {
            let mut sum = 0;
            while let Some((_, bytes)) = plain.next_if(|&(at, _)| at < before) {
                sum += bytes;
            }
            sum
        };
        for (before, each) in &self.others {
            self.text.push_kept(kept(*before));
            self.text.push(|text| each.write(text));
        }
        self.text.push_kept(kept(usize::MAX));
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

    /// The memory for the game and for comparing its positions with others, roughly.
    fn size(&self) -> u64 {
        const GAME: usize = 2_000;
        const NODE: usize = 150;
        let nodes = self.old.tree().capacity_used() + self.new.tree().capacity_used();
        (GAME + NODE * nodes + 4 * self.bytes.len()) as u64
    }

    fn write(&self, text: &mut Vec<u8>) {
        if self.new == self.old {
            text.extend_from_slice(&self.bytes);
            return;
        }
        export_bytes(&self.new, &ExportOptions::default().roster(false), text);
        text.push(b'\n');
    }
}
