//! Batches of games from an archive.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use chess::pgn::{ExportOptions, Game, GamePlace, RawGame, export_bytes};
use kit::Mapped;
use kit::input::{Counter, InputError};
use store::{Damage, GameSet, Line, Reader, Selection};

use crate::archive::{Archive, ArchiveError, Filter, Stored, with_tag};
use crate::choose::Choice;

/// Games in a batch: some milliseconds of work.
const BATCH_GAMES: usize = 1000;

/// Conditions that every match of a search meets, for games whose archive can test them without
/// reading the moves.
#[derive(Clone, Debug)]
pub struct Narrow {
    /// The conditions: one of these selections.
    pub any_of: Vec<Selection>,
    /// Variations are searched too.
    pub variations: bool,
    /// The games that were not read because they cannot match.
    pub excluded: Counter,
}

/// Which games to read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub choice: &'a Choice,
    pub filter: &'a Filter,
    pub narrow: Option<&'a Narrow>,
}

/// An archive that is read in batches.
pub(super) struct StoredGames {
    archive: Archive,
    /// The games to read, as indices from 0.
    range: Range<u64>,
    /// The next segment.
    segment: usize,
    /// The games of the current segment that remain, in reverse order, with their numbers.
    rest: Vec<(u32, u64)>,
    /// The bytes of the file that stand for each game, for the progress.
    bytes_per_game: u64,
    /// The games of the segments so far, selected or not.
    pub seen: u64,
}

impl StoredGames {
    /// Opens the games of an archive with these indices.
    pub fn open(path: &Path, range: Range<u64>) -> Result<StoredGames, InputError> {
        Ok(StoredGames {
            archive: Archive::open(path).map_err(archive_error)?,
            range,
            segment: 0,
            rest: Vec::new(),
            bytes_per_game: 0,
            seen: 0,
        })
    }

    /// True if no batch follows.
    pub fn is_over(&self) -> bool {
        self.rest.is_empty() && self.segment >= self.archive.segments().len()
    }

    /// The next batch; `None` at the end.
    pub fn next(
        &mut self,
        wanted: Wanted<'_>,
        counter: &Counter,
    ) -> Result<Option<StoredBatch>, InputError> {
        while self.rest.is_empty() {
            let Some(stored) = self.archive.segments().get(self.segment) else {
                return Ok(None);
            };
            self.segment += 1;
            let numbers = stored.earlier..stored.earlier + stored.count();
            if numbers.start >= self.range.end || numbers.end <= self.range.start {
                continue;
            }
            let games = selected(stored, wanted, &self.range).map_err(archive_error)?;
            self.seen = numbers.end;
            self.bytes_per_game = stored.bytes / (games.len() as u64).max(1);
            if games.is_empty() {
                counter.add(stored.bytes);
            }
            self.rest = games;
            self.rest.reverse();
        }
        let from = self.rest.len().saturating_sub(BATCH_GAMES);
        let mut games = self.rest.split_off(from);
        games.reverse();
        counter.add(self.bytes_per_game * games.len() as u64);
        Ok(Some(StoredBatch {
            stored: self.archive.segments()[self.segment - 1].clone(),
            games,
            damage: OnceLock::new(),
        }))
    }
}

/// The most games of an archive that are opened at once as one text.
const WHOLE: u64 = 200_000;

/// The games of an archive with these indices as PGN, for programs that walk through single games.
pub(crate) fn whole_text(path: &Path, range: Range<u64>) -> Result<Vec<u8>, InputError> {
    let mut games = StoredGames::open(path, range.clone())?;
    let end = range.end.min(games.archive.games());
    if end.saturating_sub(range.start) > WHOLE {
        return Err(InputError::MarkedFolder {
            path: path.to_owned(),
        });
    }
    let wanted = Wanted {
        choice: &Choice::default(),
        filter: &Filter::default(),
        narrow: None,
    };
    let mut text = Vec::new();
    while let Some(batch) = games.next(wanted, &Counter::default())? {
        if !text.is_empty() {
            text.push(b'\n');
        }
        text.extend(batch.as_text().0);
        if let Some(error) = batch.error() {
            return Err(error);
        }
    }
    Ok(text)
}

/// The selected games of a segment within a range, with their numbers in the archive.
fn selected(
    stored: &Stored,
    wanted: Wanted<'_>,
    range: &Range<u64>,
) -> Result<Vec<(u32, u64)>, ArchiveError> {
    let damaged = |damage| stored.damaged(damage);
    let Wanted {
        choice,
        filter,
        narrow,
    } = wanted;
    let mut games = stored.live();
    for rule in &choice.tags {
        games.intersect(&with_tag(&stored.segment, rule).map_err(damaged)?);
    }
    if !filter.is_everything() {
        games.intersect(&filter.select(stored)?);
    }
    let in_range = range.start <= stored.earlier && stored.earlier + stored.count() <= range.end;
    if choice.numbers.is_some() || !in_range {
        for (game, number) in stored.numbered(&games) {
            if !range.contains(&(number - 1)) || !choice.includes_number(number) {
                games.remove(game);
            }
        }
    }
    if let Some(narrow) = narrow {
        let mut set = GameSet::new(stored.segment.len(), false);
        for selection in &narrow.any_of {
            let found = stored.segment.select(selection, narrow.variations);
            set.unite(&found.map_err(damaged)?);
        }
        let before = games.count();
        games.intersect(&set);
        narrow.excluded.add(u64::from(before - games.count()));
    }
    Ok(stored.numbered(&games))
}

/// Games of one segment.
#[derive(Debug)]
pub(super) struct StoredBatch {
    stored: Stored,
    /// Games and their numbers in the archive.
    games: Vec<(u32, u64)>,
    /// What was found damaged while reading.
    damage: OnceLock<Damage>,
}

impl StoredBatch {
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// The error met while reading, if any.
    pub fn error(&self) -> Option<InputError> {
        let damage = self.damage.get()?;
        Some(archive_error(self.stored.damaged(*damage)))
    }

    /// Reads the games.
    pub fn read(&self, mut each: impl FnMut(&mut Game, RawGame)) {
        self.read_with(|reader, game, at, raw| {
            reader.read_into(at, game)?;
            each(game, raw);
            Ok(())
        });
    }

    /// Reads the games without their tags.
    pub fn read_without_tags(&self, mut each: impl FnMut(&mut Game, RawGame)) {
        self.read_with(|reader, game, at, raw| {
            reader.read_moves_into(at, game)?;
            each(game, raw);
            Ok(())
        });
    }

    /// Reads the games, except those that `rules_out` by their tags.
    pub fn read_unless<S>(
        &self,
        state: &mut S,
        rules_out: impl Fn(&mut S, &Game, RawGame) -> bool,
        mut each: impl FnMut(&mut S, &mut Game, RawGame),
    ) {
        self.read_with(|reader, game, at, raw| {
            reader.read_tags_into(at, game)?;
            if !rules_out(state, game, raw) {
                reader.read_into(at, game)?;
                each(state, game, raw);
            }
            Ok(())
        });
    }

    /// Reads only the mainlines, or their ends with at most this many pieces.
    pub fn read_lines(&self, pieces: Option<u32>, mut each: impl FnMut(&Line, RawGame)) {
        let mut line = Line::default();
        self.read_with(|reader, _, at, raw| {
            match pieces {
                Some(pieces) => reader.read_end_into(at, pieces, &mut line)?,
                None => reader.read_line_into(at, &mut line)?,
            }
            each(&line, raw);
            Ok(())
        });
    }

    /// Adds the tags of the game with this number.
    pub fn add_tags(&self, number: u64, game: &mut Game) {
        self.with_game(number, |reader, at| reader.add_tags(at, game));
    }

    /// The game with this number.
    pub fn game(&self, number: u64) -> Game {
        let mut game = Game::default();
        self.with_game(number, |reader, at| reader.read_into(at, &mut game));
        game
    }

    fn with_game(
        &self,
        number: u64,
        work: impl FnOnce(&mut Reader<'_, Mapped>, u32) -> Result<(), Damage>,
    ) {
        let found = self
            .games
            .binary_search_by_key(&number, |&(_, number)| number);
        let Ok(at) = found else { return };
        if let Err(damage) = work(&mut self.stored.segment.reader(), self.games[at].0) {
            self.damage.get_or_init(|| damage);
        }
    }

    /// Does something with each game; ends at damage.
    fn read_with(
        &self,
        mut work: impl FnMut(&mut Reader<'_, Mapped>, &mut Game, u32, RawGame) -> Result<(), Damage>,
    ) {
        let mut reader = self.stored.segment.reader();
        let mut game = Game::default();
        for &(at, number) in &self.games {
            let place = GamePlace {
                number,
                ..GamePlace::default()
            };
            let raw = RawGame { bytes: &[], place };
            if let Err(damage) = work(&mut reader, &mut game, at, raw) {
                self.damage.get_or_init(|| damage);
                return;
            }
        }
    }

    /// The games as PGN: their places, the end of each, and the text.
    pub fn as_text(&self) -> (Vec<u8>, Vec<(GamePlace, usize)>) {
        let (mut text, mut games) = (Vec::new(), Vec::new());
        self.read(|game, raw| {
            if !text.is_empty() {
                text.push(b'\n');
            }
            let offset = text.len() as u64;
            export_bytes(game, &ExportOptions::default(), &mut text);
            games.push((
                GamePlace {
                    offset,
                    ..raw.place
                },
                text.len(),
            ));
        });
        (text, games)
    }
}

/// An error of an archive as that of a source.
pub(crate) fn archive_error(error: ArchiveError) -> InputError {
    match error {
        ArchiveError::Io(path, error) => InputError::Unreadable {
            name: path.display().to_string(),
            error,
        },
        ArchiveError::Damaged(path, damage) => InputError::Unreadable {
            name: path.display().to_string(),
            error: std::io::Error::other(damage),
        },
        other => InputError::Unreadable {
            name: "archive".into(),
            error: std::io::Error::other(other.to_string()),
        },
    }
}
