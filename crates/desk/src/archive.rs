//! Archives: folders of immutable segments with many games, and one manifest replaced atomically.
//!
//! Readers never wait: they use the manifest that was there when they opened the archive. A writer
//! holds a lock, writes new segments, and replaces the manifest last, so a killed writer leaves the
//! archive as it was.

mod change;
mod create;
mod dedupe;
mod filter;
mod list;
mod opening;

#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::pgn::Game;
use kit::input::FOLDER_MARK;
use kit::save::{SaveError, Target, save};
use kit::{Mapped, map};
use serde::Serialize;
use store::{Damage, Manifest, Reader, SegmentEntry};

pub use change::{Compacted, check, compact, remove};
pub use create::{Added, add, create};
pub use dedupe::{Duplicate, DuplicatePlan, duplicates};
pub(crate) use filter::with_tag;
pub use filter::{BadFilter, Filter};
pub use list::{Column, Count, Direction, GameRow, List, ListOptions, Listing, counts, list};
#[cfg(feature = "parquet")]
pub(crate) use opening::table_of;
pub use opening::{OpeningGame, OpeningMove, OpeningTable, opening};
pub use store::{GameSet, Indexed};

/// The segment of an archive, mapped into memory.
pub(crate) type Segment = store::Segment<Mapped>;

/// The file that a writer locks.
const LOCK: &str = "lock";
/// How often opening is tried again when a writer replaced the segments meanwhile.
const ATTEMPTS: u32 = 20;

/// An opened archive.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    manifest: Arc<Manifest>,
    segments: Vec<Stored>,
}

/// A segment of an opened archive.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub segment: Arc<Segment>,
    /// The file, for messages.
    pub file: PathBuf,
    /// The games that are not removed; `None`: all.
    pub live: Option<Arc<GameSet>>,
    /// The number of live games in the segments before.
    pub earlier: u64,
    /// The length of the file.
    pub bytes: u64,
}

impl Stored {
    /// The number of games that are not removed.
    pub fn count(&self) -> u64 {
        let live = self.live.as_ref();
        u64::from(live.map_or(self.segment.len(), |live| live.count()))
    }

    /// The games that are not removed, in order.
    pub fn games(&self) -> Vec<u32> {
        match &self.live {
            Some(live) => live.iter().collect(),
            None => (0..self.segment.len()).collect(),
        }
    }

    /// The games that are not removed.
    pub fn live(&self) -> GameSet {
        match &self.live {
            Some(live) => GameSet::clone(live),
            None => GameSet::new(self.segment.len(), true),
        }
    }

    /// The games of a set of live ones, in order, with their numbers in the archive.
    pub fn numbered(&self, set: &GameSet) -> Vec<(u32, u64)> {
        let first = self.earlier + 1;
        match &self.live {
            Some(live) => {
                let numbered = live.iter().zip(first..);
                numbered.filter(|&(game, _)| set.contains(game)).collect()
            }
            None => set
                .iter()
                .map(|game| (game, first + u64::from(game)))
                .collect(),
        }
    }

    /// The game at this place among those that are not removed, from 0.
    fn nth(&self, rank: u64) -> Option<u32> {
        match &self.live {
            Some(live) => live.iter().nth(usize::try_from(rank).ok()?),
            None => u32::try_from(rank).ok(),
        }
    }

    pub fn damaged(&self, damage: Damage) -> ArchiveError {
        ArchiveError::Damaged(self.file.clone(), damage)
    }
}

impl Archive {
    /// Opens an archive for reading.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let mut attempt = 1;
        loop {
            match Archive::open_once(path) {
                // A writer has replaced the manifest after it was read here.
                Err(ArchiveError::Io(_, error))
                    if error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS =>
                {
                    attempt += 1;
                }
                other => return other,
            }
        }
    }

    fn open_once(path: &Path) -> Result<Archive, ArchiveError> {
        let manifest = read_manifest(path)?;
        let mut segments = Vec::new();
        let mut earlier = 0;
        for entry in &manifest.segments {
            let stored = open_segment(path, entry, earlier)?;
            earlier += stored.count();
            segments.push(stored);
        }
        Ok(Archive {
            path: path.into(),
            manifest: Arc::new(manifest),
            segments,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.manifest.games()
    }

    /// A game by its number, from 1; `None`: there is no such game.
    pub fn read_game(&self, number: u64) -> Result<Option<Game>, ArchiveError> {
        self.read_with(number, |reader, at, game| reader.read_into(at, game))
    }

    /// The tags of a game by its number, from 1, as a game without moves.
    pub fn read_tags(&self, number: u64) -> Result<Option<Game>, ArchiveError> {
        self.read_with(number, |reader, at, game| reader.read_tags_into(at, game))
    }

    fn read_with(
        &self,
        number: u64,
        read: impl FnOnce(&mut Reader<'_, Mapped>, u32, &mut Game) -> Result<(), Damage>,
    ) -> Result<Option<Game>, ArchiveError> {
        let Some((stored, at)) = self.locate(number) else {
            return Ok(None);
        };
        let mut game = Game::default();
        let done = read(&mut stored.segment.reader(), at, &mut game);
        done.map_err(|damage| stored.damaged(damage))?;
        Ok(Some(game))
    }

    /// The length of the mainline of a game by its number, from 1, in half-moves.
    pub fn plies(&self, number: u64) -> Result<usize, ArchiveError> {
        let Some((stored, at)) = self.locate(number) else {
            return Ok(0);
        };
        let facts = stored.segment.facts(at);
        Ok(facts.map_err(|damage| stored.damaged(damage))?.plies() as usize)
    }

    /// The segment of a game, and its number there.
    fn locate(&self, number: u64) -> Option<(&Stored, u32)> {
        let index = number.checked_sub(1)?;
        let after = self
            .segments
            .partition_point(|stored| stored.earlier <= index);
        let stored = self.segments.get(after.checked_sub(1)?)?;
        let rank = index - stored.earlier;
        let at = stored.nth(rank).filter(|_| rank < stored.count())?;
        Some((stored, at))
    }

    pub(crate) fn segments(&self) -> &[Stored] {
        &self.segments
    }

    /// What the archive holds and takes.
    pub fn info(&self) -> Result<Info, ArchiveError> {
        let mut info = Info {
            games: self.games(),
            segments: self.segments.len() as u64,
            indexed: match self.manifest.indexed {
                Indexed::Nothing => "nothing",
                Indexed::Mainlines => "mainlines",
                Indexed::Variations => "mainlines and variations",
            },
            ..Info::default()
        };
        for (stored, entry) in self.segments.iter().zip(&self.manifest.segments) {
            let [games, index, signatures] = stored.segment.sizes();
            info.removed += entry.removed.len() as u64;
            info.moves += stored.segment.plies();
            info.bytes += stored.bytes;
            info.game_bytes += games;
            info.index_bytes += index;
            info.signature_bytes += signatures;
            let facts = stored.segment.all_facts();
            for facts in facts.map_err(|damage| stored.damaged(damage))? {
                let year = facts.year();
                if year > 0 {
                    let first = info.first_year.get_or_insert(year);
                    *first = year.min(*first);
                    info.last_year = info.last_year.max(Some(year));
                }
            }
        }
        Ok(info)
    }
}

/// What an archive holds and takes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Info {
    /// Games that are not removed.
    pub games: u64,
    /// Games that are removed but still take room until the archive is compacted.
    pub removed: u64,
    /// Moves of the mainlines, removed games included.
    pub moves: u64,
    /// The earliest year.
    pub first_year: Option<u32>,
    /// The latest year.
    pub last_year: Option<u32>,
    /// Files with games.
    pub segments: u64,
    /// Which positions of new games are indexed.
    pub indexed: &'static str,
    /// The size of all segments.
    pub bytes: u64,
    /// Of these: games and tags.
    pub game_bytes: u64,
    /// Of these: the position index.
    pub index_bytes: u64,
    /// Of these: signatures.
    pub signature_bytes: u64,
}

/// The reason why an archive could not be read or changed.
#[derive(Debug)]
pub enum ArchiveError {
    /// The folder does not exist or is no archive.
    NotArchive(PathBuf),
    /// The folder exists and is not empty.
    Exists(PathBuf),
    /// Another program changes the archive.
    Locked(PathBuf),
    /// A file contradicts its checksum.
    Damaged(PathBuf, Damage),
    /// A file could not be read.
    Io(PathBuf, io::Error),
    /// A file could not be written.
    Save(SaveError),
}

impl ArchiveError {
    /// A hint for the user.
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            ArchiveError::NotArchive(_) => Some("make one: gametree archive create NAME FILES"),
            ArchiveError::Exists(_) => {
                Some("choose another name, or add to an archive: gametree archive add NAME FILES")
            }
            ArchiveError::Locked(_) => Some("wait until the other program is done"),
            ArchiveError::Damaged(_, Damage::OTHER_VERSION) => {
                Some("make the archive again from its sources")
            }
            ArchiveError::Damaged(..) => {
                Some("restore this file from a copy, or make the archive again from its sources")
            }
            ArchiveError::Io(..) | ArchiveError::Save(_) => None,
        }
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::NotArchive(path) => write!(f, "{}: not an archive", path.display()),
            ArchiveError::Exists(path) => {
                write!(f, "{}: exists already and is not empty", path.display())
            }
            ArchiveError::Locked(path) => {
                write!(
                    f,
                    "{}: another program is changing this archive",
                    path.display()
                )
            }
            ArchiveError::Damaged(path, damage) => write!(f, "{}: {damage}", path.display()),
            ArchiveError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ArchiveError::Save(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ArchiveError {}

impl From<SaveError> for ArchiveError {
    fn from(error: SaveError) -> ArchiveError {
        ArchiveError::Save(error)
    }
}

fn read_manifest(path: &Path) -> Result<Manifest, ArchiveError> {
    let file = path.join(FOLDER_MARK);
    let bytes = fs::read(&file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            ArchiveError::NotArchive(path.into())
        }
        _ => ArchiveError::Io(file.clone(), error),
    })?;
    Manifest::read(&bytes).map_err(|damage| ArchiveError::Damaged(file, damage))
}

fn open_segment(path: &Path, entry: &SegmentEntry, earlier: u64) -> Result<Stored, ArchiveError> {
    let file = path.join(entry.file_name());
    let io_error = |error| ArchiveError::Io(file.clone(), error);
    let opened = File::open(&file).map_err(io_error)?;
    let bytes = opened.metadata().map_err(io_error)?.len();
    let damaged = |damage| ArchiveError::Damaged(file.clone(), damage);
    if bytes != entry.bytes {
        return Err(damaged(Damage("contents")));
    }
    let segment = store::Segment::open(map(&opened).map_err(io_error)?).map_err(damaged)?;
    if segment.len() != entry.games {
        return Err(damaged(Damage("contents")));
    }
    let live = (!entry.removed.is_empty()).then(|| {
        let mut live = GameSet::new(entry.games, true);
        entry.removed.iter().for_each(|&game| live.remove(game));
        Arc::new(live)
    });
    Ok(Stored {
        segment: Arc::new(segment),
        file,
        live,
        earlier,
        bytes,
    })
}

/// The right to change an archive, held until it is dropped or the program ends.
#[derive(Debug)]
struct Lock {
    _file: File,
}

impl Lock {
    fn of(path: &Path) -> Result<Lock, ArchiveError> {
        let name = path.join(LOCK);
        let io_error = |error| ArchiveError::Io(name.clone(), error);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&name);
        let file = file.map_err(io_error)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(fs::TryLockError::WouldBlock) => Err(ArchiveError::Locked(path.into())),
            Err(fs::TryLockError::Error(error)) => Err(io_error(error)),
        }
    }
}

/// An archive that is being changed.
#[derive(Debug)]
struct Writer {
    path: PathBuf,
    manifest: Manifest,
    _lock: Lock,
}

impl Writer {
    /// Locks an archive and removes what a killed writer left.
    fn open(path: &Path) -> Result<Writer, ArchiveError> {
        read_manifest(path)?;
        let lock = Lock::of(path)?;
        let writer = Writer {
            path: path.into(),
            manifest: read_manifest(path)?,
            _lock: lock,
        };
        writer.remove_strays();
        Ok(writer)
    }

    /// Makes a new archive without games in a folder that is new or empty.
    fn create(path: &Path, indexed: Indexed) -> Result<Writer, ArchiveError> {
        let io_error = |error| ArchiveError::Io(path.into(), error);
        match fs::read_dir(path) {
            Ok(mut files) => {
                if !files.all(|file| file.is_ok_and(|file| file.file_name() == LOCK)) {
                    return Err(ArchiveError::Exists(path.into()));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(io_error)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(ArchiveError::Exists(path.into()));
            }
            Err(error) => return Err(io_error(error)),
        }
        Ok(Writer {
            path: path.into(),
            manifest: Manifest {
                indexed,
                next: 1,
                ..Manifest::default()
            },
            _lock: Lock::of(path)?,
        })
    }

    /// Writes a segment that no manifest names yet.
    fn write_segment(&mut self, games: u32, bytes: &[u8]) -> Result<SegmentEntry, ArchiveError> {
        let entry = SegmentEntry {
            number: self.manifest.next,
            games,
            bytes: bytes.len() as u64,
            removed: Vec::new(),
        };
        self.manifest.next += 1;
        save(Target::File(self.path.join(entry.file_name())), bytes)?;
        Ok(entry)
    }

    /// Replaces the manifest: from here on the change is done.
    fn commit(self) -> Result<(), ArchiveError> {
        let file = self.path.join(FOLDER_MARK);
        save(Target::File(file), &self.manifest.encode())?;
        self.remove_strays();
        Ok(())
    }

    /// Removes segments that the manifest does not name. Errors are left to the next writer.
    fn remove_strays(&self) {
        let named: Vec<String> = self
            .manifest
            .segments
            .iter()
            .map(SegmentEntry::file_name)
            .collect();
        let files = fs::read_dir(&self.path)
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        for file in files {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.starts_with("segment-") && !named.contains(&name) {
                drop(fs::remove_file(file.path()));
            }
        }
    }
}
