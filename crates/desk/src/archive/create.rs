//! Games into an archive: coded on all cores, sorted and written segment by segment.

use std::ops::ControlFlow;
use std::path::Path;

use kit::Workers;
use kit::parallel::End;
use store::{Indexed, Part, SegmentBuilder, Task};

use super::{ArchiveError, Writer};
use crate::games::{Batch, Games, Run};

/// The most games in a part.
const PART_GAMES: usize = 20_000;

/// What was added to an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Games.
    pub games: u64,
    /// Moves of their mainlines.
    pub moves: u64,
    /// Games with problems; what could be read of them is stored.
    pub with_problems: u64,
}

/// Makes a new archive. If reading is stopped or an input fails, nothing is made.
pub fn create(
    path: &Path,
    games: &Games,
    indexed: Indexed,
    workers: &Workers,
) -> Result<Run<Added>, ArchiveError> {
    let is_new = !path.exists();
    let writer = Writer::create(path, indexed)?;
    let run = write_games(writer, games, workers)?;
    if !is_complete(&run) {
        // Only what this call made goes: a lock in a folder without anything else.
        drop(std::fs::remove_file(path.join(super::LOCK)));
        if is_new {
            drop(std::fs::remove_dir(path));
        }
    }
    Ok(run)
}

/// Adds games to an archive, all or none.
pub fn add(path: &Path, games: &Games, workers: &Workers) -> Result<Run<Added>, ArchiveError> {
    write_games(Writer::open(path)?, games, workers)
}

fn is_complete<T>(run: &Run<T>) -> bool {
    !run.stopped && run.unread.is_empty()
}

fn write_games(
    writer: Writer,
    games: &Games,
    workers: &Workers,
) -> Result<Run<Added>, ArchiveError> {
    let indexed = writer.manifest.indexed;
    let mut filler = Filler::new(writer, workers);
    let run = games.run(
        workers,
        |batch| code(batch, indexed),
        |(parts, with_problems)| {
            filler.added.with_problems += with_problems;
            parts.into_iter().try_for_each(|part| filler.push(part))
        },
    )?;
    let (mut writer, added) = filler.finish()?;
    if !is_complete(&run) {
        // The new segments are in no manifest: remove them.
        writer
            .manifest
            .segments
            .truncate(writer.manifest.segments.len() - added.segments);
        writer.remove_strays();
        return Ok(run.with(added.added));
    }
    writer.commit()?;
    Ok(run.with(added.added))
}

fn code(batch: &Batch, indexed: Indexed) -> (Vec<Part>, u64) {
    let mut parts = Vec::new();
    let mut part = Part::new(indexed);
    let mut with_problems = 0;
    batch.read(|game, _| {
        with_problems += u64::from(!game.complaints().is_empty());
        part.push(game);
        if part.len() == PART_GAMES {
            parts.push(std::mem::replace(&mut part, Part::new(indexed)));
        }
    });
    parts.push(part);
    (parts, with_problems)
}

/// Fills segments and writes those that are full.
pub(super) struct Filler<'a> {
    writer: Writer,
    builder: SegmentBuilder,
    workers: &'a Workers,
    added: Added,
    segments: usize,
}

/// What a filler has written.
pub(super) struct Filled {
    pub added: Added,
    pub segments: usize,
}

impl<'a> Filler<'a> {
    pub fn new(writer: Writer, workers: &'a Workers) -> Filler<'a> {
        Filler {
            builder: SegmentBuilder::new(writer.manifest.indexed),
            writer,
            workers,
            added: Added::default(),
            segments: 0,
        }
    }

    pub fn indexed(&self) -> Indexed {
        self.writer.manifest.indexed
    }

    pub fn push(&mut self, part: Part) -> Result<(), ArchiveError> {
        if !self.builder.has_room(&part) {
            self.seal()?;
        }
        self.added.games += part.len() as u64;
        self.added.moves += part.plies();
        self.builder.append(part);
        Ok(())
    }

    /// Writes the segment under construction.
    fn seal(&mut self) -> Result<(), ArchiveError> {
        let empty = SegmentBuilder::new(self.writer.manifest.indexed);
        let builder = std::mem::replace(&mut self.builder, empty);
        if builder.is_empty() {
            return Ok(());
        }
        let games = builder.len() as u32;
        let mut sections = Vec::new();
        let end = self.workers.run(
            builder.into_tasks().into_iter(),
            |task: Task| task(),
            |section| {
                sections.push(section);
                ControlFlow::<()>::Continue(())
            },
        );
        if end == End::Stopped {
            return Ok(());
        }
        let bytes = SegmentBuilder::assemble(&sections);
        drop(sections);
        let entry = self.writer.write_segment(games, &bytes)?;
        self.writer.manifest.segments.push(entry);
        self.segments += 1;
        Ok(())
    }

    /// Writes the last segment; the manifest is not replaced yet.
    pub fn finish(mut self) -> Result<(Writer, Filled), ArchiveError> {
        self.seal()?;
        let filled = Filled {
            added: self.added,
            segments: self.segments,
        };
        Ok((self.writer, filled))
    }
}
