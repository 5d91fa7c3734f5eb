//! The games of many sources: read in batches, processed on all cores, with results in order.

mod stored;

use std::fmt;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use chess::pgn::{Builder, Game, GamePlace, RawGame, RawTag, Reader, Utf16, Visitor, scan};
use chess::{Board, Square};

use crate::archive::Filter;
use crate::choose::Choice;
use crate::pgn_input::{self, PgnInput};
use kit::Limits;
use kit::Workers;
use kit::input::{Counter, InputError, Source, TooLarge, is_marked_folder};
use kit::limits::Size;
use kit::parallel::End;
use kit::progress::Progress;
use store::{Line, Position, Selection};

pub use stored::Narrow;
use stored::{StoredBatch, StoredGames, Wanted};
pub(crate) use stored::{archive_error, whole_text};

/// Bytes in a batch, or one game if that is larger: large enough to keep threads busy, small enough
/// that several batches per core need little memory.
const BATCH: usize = 1 << 19;

/// Bytes in the first batch of a source. Each of the next is twice as large, so that the threads
/// share a small source too, and little memory is used for it. A thread alone keeps to this size,
/// which fits into the cache of its processor.
const FIRST_BATCH: usize = 1 << 15;

/// What a game held in memory takes beside its text, in bytes of text: a tree takes twenty times its
/// text.
const GAME_TEXT: usize = 256;

/// The text that a stored game stands for where games are held in memory.
const STORED_TEXT: usize = 1024;

/// Games to read: their sources, and a selection.
#[derive(Clone, Debug)]
pub struct Games {
    sources: Vec<(Source, Choice)>,
    progress: Progress,
    limits: Limits,
    narrow: Option<Narrow>,
    filter: Filter,
    /// Games of archives are written as PGN, for work on their text.
    as_text: bool,
}

impl Games {
    /// The selected games of these sources.
    pub fn new(sources: Vec<Source>, choice: Choice) -> Games {
        let chosen = sources.into_iter().map(|source| (source, choice.clone()));
        Games::of(chosen.collect())
    }

    /// The selected games of each source.
    pub fn of(sources: Vec<(Source, Choice)>) -> Games {
        let only: Vec<Source> = sources.iter().map(|(source, _)| source.clone()).collect();
        let progress = Progress::of(&only);
        Games {
            sources,
            progress,
            limits: Limits::current(),
            narrow: None,
            filter: Filter::default(),
            as_text: false,
        }
    }

    /// Reads only those games of archives that can meet conditions.
    pub fn narrowed(self, narrow: Narrow) -> Games {
        Games {
            narrow: Some(narrow),
            ..self
        }
    }

    /// Reads only those games of archives that can reach a position with these pieces.
    pub fn reaching(self, board: &Board) -> Games {
        let pieces = Square::ALL.into_iter().filter_map(|square| {
            let piece = board.piece_at(square)?;
            Some((piece.color, piece.role, square))
        });
        let selection = Selection {
            positions: Position::with_pieces(&pieces.collect::<Vec<_>>()),
            ..Selection::default()
        };
        self.narrowed(Narrow {
            any_of: vec![selection],
            variations: true,
            excluded: Counter::default(),
        })
    }

    /// Reads only those games of archives that a filter selects.
    pub fn filtered(self, filter: Filter) -> Games {
        Games { filter, ..self }
    }

    /// Gives batches the text of all games: those of archives are written as PGN.
    pub fn as_text(self) -> Games {
        Games {
            as_text: true,
            ..self
        }
    }

    /// True if a source is an archive.
    pub fn has_archives(&self) -> bool {
        self.sources
            .iter()
            .any(|(source, _)| archive_of(source).is_some())
    }

    /// Sets other limits than those of the process.
    pub fn with_limits(self, limits: Limits) -> Games {
        Games { limits, ..self }
    }

    /// Reads this source before all others. Returns whether it is in the list.
    pub fn put_first(&mut self, source: &Source) -> bool {
        let found = self.sources.iter().position(|(other, _)| other == source);
        if let Some(at) = found {
            self.sources[..=at].rotate_right(1);
        }
        found.is_some()
    }

    /// The names of the sources.
    pub fn names(&self) -> Vec<String> {
        let names = self.sources.iter().map(|(source, _)| source.name());
        names.map(std::borrow::Cow::into_owned).collect()
    }

    /// The progress of reading, which other threads can query.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Processes all games: `work` on many threads at once, `collect` on this thread, in order.
    ///
    /// A source that fails is skipped from there on and reported at the end. Games that exceed the
    /// limit for texts are cut.
    pub fn run<R: Send, E>(
        &self,
        workers: &Workers,
        work: impl Fn(&Batch) -> R + Sync,
        collect: impl FnMut(R) -> Result<(), E>,
    ) -> Result<Run<()>, E> {
        let shared = Shared::new(self.limits, None, workers);
        self.run_with(&shared, workers, work, collect)
    }

    /// The same for work that holds all games in memory: games beyond the limit for texts in total
    /// are not read.
    pub fn run_holding<R: Send, E>(
        &self,
        workers: &Workers,
        work: impl Fn(&Batch) -> R + Sync,
        collect: impl FnMut(R) -> Result<(), E>,
    ) -> Result<Run<()>, E> {
        let room = Some(AtomicU64::new(self.limits.text.0));
        let shared = Shared::new(self.limits, room, workers);
        self.run_with(&shared, workers, work, collect)
    }

    /// The same for work whose result grows with the games: `collect` returns the bytes of the
    /// result so far. Games that follow once the limit is exceeded are not read; by default it is
    /// [`Limits::kept`].
    pub fn run_growing<R: Send>(
        &self,
        workers: &Workers,
        limit: Option<Size>,
        work: impl Fn(&Batch) -> R + Sync,
        mut collect: impl FnMut(R) -> u64,
    ) -> Run<()> {
        let exceeded = limit.map_or(TooLarge::Kept(self.limits.kept()), TooLarge::Memory);
        let limit = limit.unwrap_or(self.limits.kept());
        let done = self.run(
            workers,
            |batch| (batch.name.clone(), work(batch)),
            |(name, part)| {
                if collect(part) > limit.0 {
                    return Err(name);
                }
                Ok(())
            },
        );
        done.unwrap_or_else(|name| Run {
            value: (),
            stopped: false,
            unread: vec![InputError::Unreadable {
                name: name.to_string(),
                error: exceeded.into(),
            }],
        })
    }

    /// The limits of memory.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    fn run_with<R: Send, E>(
        &self,
        shared: &Shared,
        workers: &Workers,
        work: impl Fn(&Batch) -> R + Sync,
        mut collect: impl FnMut(R) -> Result<(), E>,
    ) -> Result<Run<()>, E> {
        let mut unread = Vec::new();
        let end = workers.run(
            self.sources
                .iter()
                .flat_map(|(source, choice)| self.batches(source, choice, shared)),
            |batch| {
                batch.map(|batch| {
                    let answer = work(&batch);
                    let error = batch.stored.as_ref().and_then(StoredBatch::error);
                    (answer, error, shared.recycle(batch))
                })
            },
            |answer| match answer {
                Err(error) => {
                    unread.push(error);
                    ControlFlow::Continue(())
                }
                Ok((answer, error, games)) => {
                    unread.extend(error);
                    self.progress.add_items(games);
                    collect(answer).map_or_else(ControlFlow::Break, ControlFlow::Continue)
                }
            },
        );
        match end {
            End::Broken(error) => Err(error),
            End::Done => Ok(Run {
                value: (),
                stopped: false,
                unread,
            }),
            End::Stopped => Ok(Run {
                value: (),
                stopped: true,
                unread,
            }),
        }
    }

    fn batches<'a>(
        &'a self,
        source: &'a Source,
        choice: &'a Choice,
        shared: &'a Shared,
    ) -> Batches<'a> {
        Batches {
            name: source.name().into(),
            source,
            shared,
            seen: 0,
            size: FIRST_BATCH,
            utf16: None,
            choice,
            games: self,
            state: State::Closed,
        }
    }
}

/// The result of processing games.
#[derive(Debug)]
pub struct Run<T> {
    /// The result.
    pub value: T,
    /// True if a stop was requested: the result covers the games processed until then.
    pub stopped: bool,
    /// Sources that could not be read to the end.
    pub unread: Vec<InputError>,
}

impl<T> Run<T> {
    /// Converts the result, which may fail.
    pub fn map<U>(self, becomes: impl FnOnce(T) -> U) -> Run<U> {
        Run {
            value: becomes(self.value),
            stopped: self.stopped,
            unread: self.unread,
        }
    }

    /// Converts the result.
    pub fn with<U>(self, value: U) -> Run<U> {
        Run {
            value,
            stopped: self.stopped,
            unread: self.unread,
        }
    }
}

/// Consecutive games of one source.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The source's name.
    pub name: Arc<str>,
    /// The number of games in the sources before this one.
    pub earlier: u64,
    /// The encoding of the source, if its text was converted to UTF-8.
    pub utf16: Option<Utf16>,
    choice: &'a Choice,
    bytes: Vec<u8>,
    /// Each game's place in the source, and the end of its bytes in the batch.
    games: Vec<(GamePlace, usize)>,
    /// The games of an archive, instead of the text.
    stored: Option<StoredBatch>,
    /// Held as long as the bytes are.
    _permit: Permit<'a>,
}

impl Batch<'_> {
    /// Reads the selected games.
    pub fn read(&self, each: impl FnMut(&mut Game, RawGame)) {
        match &self.stored {
            Some(stored) => stored.read(each),
            None => self.read_text(Extent::Whole, each),
        }
    }

    /// Reads the selected games of a text.
    fn read_text(&self, extent: Extent, mut each: impl FnMut(&mut Game, RawGame)) {
        let mut builder = Builder::new();
        let mut game = Game::default();
        for raw in self.raw_games() {
            let tested = self.test_tags(raw);
            if tested == TagTest::NoMatch {
                continue;
            }
            extent.read_into(&mut builder, raw, &mut game);
            if tested == TagTest::Match || self.choice.matches_tags(|name| game.tag(name)) {
                each(&mut game, raw);
            }
        }
    }

    /// Reads the selected games, those of archives without their tags, which
    /// [`add_tags`](Batch::add_tags) adds.
    pub fn read_without_tags(&self, each: impl FnMut(&mut Game, RawGame)) {
        self.read_extent(Extent::Whole, each);
    }

    /// The same; of games in a text only as much as this.
    pub(crate) fn read_extent(&self, extent: Extent, each: impl FnMut(&mut Game, RawGame)) {
        match &self.stored {
            Some(stored) => stored.read_without_tags(each),
            None => self.read_text(extent, each),
        }
    }

    /// True if the games are read from a text, so that a mainline is read faster than a game.
    pub(crate) fn is_text(&self) -> bool {
        self.stored.is_none()
    }

    /// The games of an archive, whose mainlines can be read alone.
    pub(crate) fn lines(&self) -> Option<Lines<'_>> {
        self.stored.as_ref().map(Lines)
    }

    /// Adds the tags of a game that was read without them.
    pub fn add_tags(&self, place: GamePlace, game: &mut Game) {
        if let Some(stored) = &self.stored {
            stored.add_tags(place.number, game);
        }
    }

    /// Reads the selected games, except those that their tags alone rule out. `rules_out` gets the
    /// tags of a game without its moves; it is not called where reading the tags needs the full
    /// parser. Games of archives are read as a whole.
    pub(crate) fn read_unless<S>(
        &self,
        extent: Extent,
        state: &mut S,
        rules_out: impl Fn(&mut S, &Game, RawGame) -> bool,
        mut each: impl FnMut(&mut S, &mut Game, RawGame),
    ) {
        if let Some(stored) = &self.stored {
            return stored.read_unless(state, rules_out, each);
        }
        let (mut builder, mut game) = (Builder::new(), Game::default());
        let wanted = |raw: &RawGame| self.test_tags(*raw) != TagTest::NoMatch;
        for raw in self.raw_games().filter(wanted) {
            let tags = Tags::of(raw.bytes);
            let without_moves = tags.plain.then(|| tags.game());
            if !without_moves.is_some_and(|game| rules_out(state, &game, raw)) {
                extent.read_into(&mut builder, raw, &mut game);
                if self.choice.matches_tags(|name| game.tag(name)) {
                    each(state, &mut game, raw);
                }
            }
        }
    }

    /// The bytes of the selected games; moves are not parsed.
    pub fn read_raw(&self, mut each: impl FnMut(RawGame)) {
        if let Some(stored) = &self.stored {
            let (text, games) = stored.as_text();
            return raw_games(&text, &games).for_each(each);
        }
        let mut builder = Builder::new();
        let wants = |game: Game| self.choice.matches_tags(|name| game.tag(name));
        for raw in self.raw_games() {
            match self.test_tags(raw) {
                TagTest::NoMatch => {}
                TagTest::Unsure if !wants(builder.read(raw)) => {}
                TagTest::Match | TagTest::Unsure => each(raw),
            }
        }
    }

    fn raw_games(&self) -> impl Iterator<Item = RawGame<'_>> {
        raw_games(&self.bytes, &self.games)
    }

    /// Whether a game is selected, as far as its raw tags decide.
    fn test_tags(&self, raw: RawGame) -> TagTest {
        if self.choice.tags.is_empty() {
            return TagTest::Match;
        }
        let tags = Tags::of(raw.bytes);
        let value = |name: &str| {
            tags.pairs
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
        };
        match (tags.plain, self.choice.matches_tags(value)) {
            (false, _) => TagTest::Unsure,
            (true, true) => TagTest::Match,
            (true, false) => TagTest::NoMatch,
        }
    }
}

/// How much of a game is read from a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Whole,
    /// Tags, mainline and result.
    Mainline,
}

impl Extent {
    fn read_into(self, builder: &mut Builder, raw: RawGame, game: &mut Game) {
        match self {
            Extent::Whole => builder.read_into(raw, game),
            Extent::Mainline => builder.read_mainline_into(raw, game),
        }
    }
}

/// The mainlines of a batch of stored games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a>(&'a StoredBatch);

impl Lines<'_> {
    /// Reads the mainlines, or their ends with at most this many pieces.
    pub fn read(&self, pieces: Option<u32>, each: impl FnMut(&Line, RawGame)) {
        self.0.read_lines(pieces, each);
    }

    /// The whole game at this place.
    pub fn game(&self, place: GamePlace) -> Game {
        self.0.game(place.number)
    }
}

/// Games one after another; each is given by its place and its end.
fn raw_games<'a>(
    bytes: &'a [u8],
    games: &'a [(GamePlace, usize)],
) -> impl Iterator<Item = RawGame<'a>> {
    let starts = [0].into_iter().chain(games.iter().map(|&(_, end)| end));
    starts.zip(games).map(|(start, &(place, end))| RawGame {
        bytes: &bytes[start..end],
        place,
    })
}

/// The folder of a source that is an archive, and the indices of its games in it.
pub(crate) fn archive_of(source: &Source) -> Option<(&Path, Range<u64>)> {
    let path = source.path().filter(|path| is_marked_folder(path))?;
    let games = match source {
        Source::Shard(shard) => shard.start.offset..shard.end.offset,
        _ => 0..u64::MAX,
    };
    Some((path, games))
}

/// The result of a test of the raw tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TagTest {
    Match,
    NoMatch,
    Unsure,
}

/// The tags of a game as written in the file.
struct Tags<'a> {
    text: &'a [u8],
    /// No tag has escapes or needs its encoding detected.
    plain: bool,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Tags<'a> {
    fn of(text: &'a [u8]) -> Tags<'a> {
        let mut tags = Tags {
            text,
            plain: true,
            pairs: Vec::new(),
        };
        scan(text, &mut tags);
        tags
    }

    /// A game with these tags and no moves.
    fn game(&self) -> Game {
        let mut game = Game::default();
        self.pairs
            .iter()
            .for_each(|(name, value)| game.push_tag(name, value));
        game
    }
}

impl Visitor for Tags<'_> {
    fn tag(&mut self, tag: &RawTag) {
        let plain = |bytes| {
            std::str::from_utf8(bytes)
                .ok()
                .filter(|text| text.is_ascii() && !text.contains('\\'))
        };
        match (
            plain(&self.text[tag.name.clone()]),
            plain(&self.text[tag.value.clone()]),
        ) {
            (Some(name), Some(value)) => self.pairs.push((name, value)),
            _ => self.plain = false,
        }
    }

    fn movetext(&mut self) -> bool {
        false
    }
}

/// State shared by the batches of all sources.
struct Shared {
    limits: Limits,
    /// The bytes of a large batch.
    batch: usize,
    /// The bytes that still fit in memory, if all games are held there.
    room: Option<AtomicU64>,
    /// The games of the finished sources.
    earlier: AtomicU64,
    /// Empty buffers for reuse: threads that allocate memory wait for one another.
    spare: Mutex<Vec<Vec<u8>>>,
    /// The bytes of all batches in progress.
    in_progress: Mutex<u64>,
    finished: Condvar,
}

impl Shared {
    fn new(limits: Limits, room: Option<AtomicU64>, workers: &Workers) -> Shared {
        let is_alone = workers.threads == NonZeroUsize::MIN;
        Shared {
            limits,
            batch: if is_alone { FIRST_BATCH } else { BATCH },
            room,
            earlier: AtomicU64::new(0),
            spare: Mutex::default(),
            in_progress: Mutex::default(),
            finished: Condvar::new(),
        }
    }

    /// Reserves this many bytes; false if there is not enough room.
    fn reserve(&self, bytes: usize) -> bool {
        let take = |room: u64| room.checked_sub(bytes as u64);
        let room = self.room.as_ref();
        room.is_none_or(|room| {
            room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                .is_ok()
        })
    }

    fn buffer(&self) -> Vec<u8> {
        let spare = self.spare.lock();
        let buffer = spare.unwrap_or_else(PoisonError::into_inner).pop();
        buffer.unwrap_or_else(|| Vec::with_capacity(self.batch + self.batch / 8))
    }

    /// Waits until this many more bytes fit beside the batches in progress; a batch alone always
    /// fits.
    fn permit(&self, bytes: usize) -> Permit<'_> {
        let bytes = bytes as u64;
        let is_full = |sum: &mut u64| *sum > 0 && *sum + bytes > self.limits.text.0;
        let sum = self
            .in_progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let sum = self.finished.wait_while(sum, is_full);
        *sum.unwrap_or_else(PoisonError::into_inner) += bytes;
        Permit {
            shared: self,
            bytes,
        }
    }

    /// Keeps the buffer of a finished batch and counts its games.
    fn recycle(&self, batch: Batch) -> u64 {
        let mut buffer = batch.bytes;
        buffer.clear();
        if buffer.capacity() <= 2 * BATCH {
            let spare = self.spare.lock();
            spare.unwrap_or_else(PoisonError::into_inner).push(buffer);
        }
        let stored = batch.stored.as_ref().map_or(0, StoredBatch::len);
        (batch.games.len() + stored) as u64
    }
}

/// A reservation of bytes, released when the batch is dropped, also in a panic.
struct Permit<'a> {
    shared: &'a Shared,
    bytes: u64,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let sum = self.shared.in_progress.lock();
        *sum.unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.shared.finished.notify_all();
    }
}

impl fmt::Debug for Permit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Permit({})", self.bytes)
    }
}

/// The batches of one source.
struct Batches<'a> {
    name: Arc<str>,
    source: &'a Source,
    shared: &'a Shared,
    /// The games of this source so far.
    seen: u64,
    /// The bytes of the next batch.
    size: usize,
    utf16: Option<Utf16>,
    choice: &'a Choice,
    games: &'a Games,
    state: State,
}

enum State {
    Closed,
    Stored(Box<StoredGames>),
    Open(Box<Reader<UntilError>>, ReadError),
    Over,
}

impl<'a> Iterator for Batches<'a> {
    type Item = Result<Batch<'a>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let State::Closed = self.state
            && let Err(error) = self.open()
        {
            return Some(Err(error));
        }
        if let State::Stored(_) = self.state {
            return self.next_stored();
        }
        let (mut bytes, mut games) = (self.shared.buffer(), Vec::new());
        while bytes.len() < self.size && self.add_game(&mut bytes, &mut games) {}
        self.size = self.shared.batch.min(2 * self.size);
        if games.is_empty() {
            let seen = std::mem::take(&mut self.seen);
            self.shared.earlier.fetch_add(seen, Ordering::Relaxed);
            return self.close().map(Err);
        }
        if !self.shared.reserve(bytes.len() + games.len() * GAME_TEXT) {
            self.state = State::Over;
            let error = TooLarge::Games(self.shared.limits.text);
            return Some(Err(self.source.error_at(error.into())));
        }
        Some(Ok(Batch {
            name: self.name.clone(),
            earlier: self.shared.earlier.load(Ordering::Relaxed),
            utf16: self.utf16,
            choice: self.choice,
            _permit: self.shared.permit(bytes.len()),
            bytes,
            games,
            stored: None,
        }))
    }

    /// No batch follows if this is known without reading; otherwise any number.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let is_over = match &self.state {
            State::Over => true,
            State::Stored(source) => source.is_over(),
            State::Closed | State::Open(..) => false,
        };
        (0, is_over.then_some(0))
    }
}

impl<'a> Batches<'a> {
    /// The next games of an archive.
    fn next_stored(&mut self) -> Option<Result<Batch<'a>, InputError>> {
        let State::Stored(source) = &mut self.state else {
            return None;
        };
        let counter = self.games.progress.byte_counter();
        let wanted = Wanted {
            choice: self.choice,
            filter: &self.games.filter,
            narrow: self.games.narrow.as_ref(),
        };
        let batch = match source.next(wanted, &counter) {
            Ok(Some(batch)) => batch,
            Ok(None) => {
                self.shared
                    .earlier
                    .fetch_add(source.seen, Ordering::Relaxed);
                self.state = State::Over;
                return None;
            }
            Err(error) => {
                self.state = State::Over;
                return Some(Err(error));
            }
        };
        if !self.shared.reserve(batch.len() * STORED_TEXT) {
            self.state = State::Over;
            let error = TooLarge::Games(self.shared.limits.text);
            return Some(Err(self.source.error_at(error.into())));
        }
        let (bytes, games) = match self.games.as_text {
            true => batch.as_text(),
            false => (Vec::new(), Vec::new()),
        };
        Some(Ok(Batch {
            name: self.name.clone(),
            earlier: self.shared.earlier.load(Ordering::Relaxed),
            utf16: None,
            choice: self.choice,
            _permit: self.shared.permit(bytes.len()),
            bytes,
            games,
            stored: (!self.games.as_text).then_some(batch),
        }))
    }

    fn open(&mut self) -> Result<(), InputError> {
        self.state = State::Over;
        if let Some((path, games)) = archive_of(self.source) {
            self.state = State::Stored(Box::new(StoredGames::open(path, games)?));
            return Ok(());
        }
        let error = ReadError::default();
        let limits = self.shared.limits;
        let counter = self.games.progress.byte_counter();
        let text = pgn_input::open(self.source, counter, limits)?;
        let text = UntilError {
            text,
            error: error.clone(),
        };
        let longest = usize::try_from(limits.text.0).unwrap_or(usize::MAX);
        let reader = Reader::with_limit(text, longest);
        self.state = State::Open(Box::new(reader), error);
        Ok(())
    }

    /// Moves the next selected game into a batch; false if there is none.
    fn add_game(&mut self, bytes: &mut Vec<u8>, games: &mut Vec<(GamePlace, usize)>) -> bool {
        let State::Open(reader, _) = &mut self.state else {
            return false;
        };
        while let Ok(Some(raw)) = reader.next_game() {
            self.seen = raw.place.number;
            if self.choice.is_over(raw.place.number) {
                self.state = State::Over;
                return false;
            }
            if self.choice.includes_number(raw.place.number) {
                bytes.extend_from_slice(raw.bytes);
                games.push((raw.place, bytes.len()));
                self.utf16 = reader.utf16();
                return true;
            }
        }
        false
    }

    /// Ends the reading and returns the error met on the way, once.
    fn close(&mut self) -> Option<InputError> {
        let State::Open(_, error) = std::mem::replace(&mut self.state, State::Over) else {
            return None;
        };
        let error = error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()?;
        Some(self.source.error_at(error))
    }
}

/// A read error, to be reported after the readable part was used.
type ReadError = Arc<Mutex<Option<io::Error>>>;

/// A text that ends at the first read error, so that no game before it is lost.
struct UntilError {
    text: PgnInput,
    error: ReadError,
}

impl Read for UntilError {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self.text.read(buf) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Ok(0)
            }
            read => read,
        }
    }
}

#[cfg(test)]
mod tests;
