//! Changes of an archive: games removed, segments rewritten, every byte checked.

use std::ops::ControlFlow;
use std::path::Path;

use chess::pgn::Game;
use kit::parallel::End;
use kit::{Progress, Workers};
use store::Part;

use super::create::Filler;
use super::{Archive, ArchiveError, Filter, Stored, Writer};
use crate::games::Run;

/// Games that one task of compaction decodes.
const TASK_GAMES: usize = 2_000;
/// Segments with fewer games are joined.
const SMALL: u64 = 40_000;

/// Removes the games that a filter selects and returns how many.
///
/// They take room until the archive is [compacted](compact).
pub fn remove(path: &Path, filter: &Filter) -> Result<u64, ArchiveError> {
    let writer = Writer::open(path)?;
    let archive = Archive::open(path)?;
    let mut selected = Vec::new();
    for stored in archive.segments() {
        let set = filter.select(stored)?;
        selected.push(set.iter().collect::<Vec<u32>>());
    }
    remove_games(writer, selected)
}

/// Removes games, given by segment, and returns how many.
pub(super) fn remove_games(mut writer: Writer, games: Vec<Vec<u32>>) -> Result<u64, ArchiveError> {
    let mut count = 0;
    for (entry, games) in writer.manifest.segments.iter_mut().zip(games) {
        count += games.len() as u64;
        entry.removed.extend(games);
        entry.removed.sort_unstable();
        entry.removed.dedup();
    }
    if count > 0 {
        writer.commit()?;
    }
    Ok(count)
}

/// What compaction did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compacted {
    /// The bytes of the archive before.
    pub before: u64,
    /// The bytes of the archive after.
    pub after: u64,
    /// Segments that were rewritten.
    pub rewritten: usize,
}

/// Rewrites segments with removed games, and joins small neighbours. The order of games is kept.
pub fn compact(
    path: &Path,
    workers: &Workers,
    progress: &Progress,
) -> Result<Run<Compacted>, ArchiveError> {
    let writer = Writer::open(path)?;
    let archive = Archive::open(path)?;
    let size = |writer: &Writer| {
        writer
            .manifest
            .segments
            .iter()
            .map(|entry| entry.bytes)
            .sum()
    };
    let mut done = Compacted {
        before: size(&writer),
        ..Compacted::default()
    };
    let runs = runs_to_rewrite(archive.segments());
    let run = |stopped| Run {
        value: (),
        stopped,
        unread: Vec::new(),
    };
    let old = writer.manifest.segments.clone();
    let mut writer = writer;
    let mut kept = Vec::new();
    let mut next = 0;
    for rewritten in runs {
        kept.extend_from_slice(&old[next..rewritten.start]);
        next = rewritten.end;
        done.rewritten += rewritten.len();
        writer.manifest.segments.clear();
        let mut filler = Filler::new(writer, workers);
        let stopped = recode(
            &archive.segments()[rewritten],
            &mut filler,
            workers,
            progress,
        )?;
        let (returned, _) = filler.finish()?;
        writer = returned;
        kept.append(&mut writer.manifest.segments);
        if stopped {
            writer.manifest.segments = old;
            writer.remove_strays();
            return Ok(run(true).with(done));
        }
    }
    kept.extend_from_slice(&old[next..]);
    writer.manifest.segments = kept;
    done.after = size(&writer);
    if done.rewritten > 0 {
        writer.commit()?;
    }
    Ok(run(false).with(done))
}

/// Runs of segments worth rewriting: one with removed games, or several small ones.
fn runs_to_rewrite(segments: &[Stored]) -> Vec<std::ops::Range<usize>> {
    let is_touched = |at: usize| segments[at].live.is_some() || segments[at].count() < SMALL;
    let mut runs = Vec::new();
    let mut at = 0;
    while at < segments.len() {
        let end = (at..segments.len()).find(|&other| !is_touched(other));
        let end = end.unwrap_or(segments.len());
        let worth = end - at > 1 || segments[at..end].iter().any(|stored| stored.live.is_some());
        if worth {
            runs.push(at..end);
        }
        at = end.max(at + 1);
    }
    runs
}

/// Decodes the live games of segments and codes them again; true if stopped.
fn recode(
    segments: &[Stored],
    filler: &mut Filler,
    workers: &Workers,
    progress: &Progress,
) -> Result<bool, ArchiveError> {
    let indexed = filler.indexed();
    let tasks = segments.iter().flat_map(|stored| {
        let games = stored.games();
        let chunks: Vec<Vec<u32>> = games.chunks(TASK_GAMES).map(<[u32]>::to_vec).collect();
        chunks.into_iter().map(move |chunk| (stored, chunk))
    });
    let work = |(stored, games): (&Stored, Vec<u32>)| {
        let (mut part, mut game) = (Part::new(indexed), Game::default());
        let mut reader = stored.segment.reader();
        for number in games {
            let read = reader.read_into(number, &mut game);
            read.map_err(|damage| stored.damaged(damage))?;
            part.push(&game);
        }
        Ok(part)
    };
    let end = workers.run(tasks, work, |part: Result<Part, ArchiveError>| {
        let pushed = part.and_then(|part| {
            progress.add_items(part.len() as u64);
            filler.push(part)
        });
        match pushed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    });
    match end {
        End::Broken(error) => Err(error),
        End::Stopped => Ok(true),
        End::Done => Ok(false),
    }
}

/// Checks every byte of an archive, and that every game can be read. Returns the problems.
pub fn check(path: &Path, workers: &Workers) -> Result<Vec<ArchiveError>, ArchiveError> {
    let manifest = super::read_manifest(path)?;
    let mut problems = Vec::new();
    workers.run(
        manifest.segments.iter(),
        |entry| {
            let stored = super::open_segment(path, entry, 0)?;
            let checked = check_segment(&stored);
            checked.map_err(|damage| stored.damaged(damage))
        },
        |checked: Result<(), ArchiveError>| {
            problems.extend(checked.err());
            ControlFlow::<()>::Continue(())
        },
    );
    Ok(problems)
}

fn check_segment(stored: &Stored) -> Result<(), store::Damage> {
    stored.segment.check()?;
    let (mut reader, mut game) = (stored.segment.reader(), Game::default());
    (0..stored.segment.len()).try_for_each(|number| reader.read_into(number, &mut game))
}
