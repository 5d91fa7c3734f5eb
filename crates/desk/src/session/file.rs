//! One open file: its games, their changes, its journal, and saving.

mod chapter_edits;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chess::pgn::{Game, read_game};

use super::chapters::{ChapterId, ChapterText, Chapters, ListEdit};
use super::journal::{self, Fingerprint, Found, InUse, Journal, Leftover, ListRecord, Record};
use super::{SaveForm, SaveOptions, SessionError, backup_of, text};
use crate::archive::Archive;
use crate::book::{Book, read_text};
use crate::chapter;
use crate::edit::{Change, Verb};
use crate::openings::Opening;
use crate::positions::Identity;
use crate::walk::Walk;
use kit::input::{InputError, Source};
use kit::save::{Overwrite, SaveError, Target, copy, save_over};

/// A file with its games, the current one among them.
#[derive(Debug)]
pub struct OpenFile {
    book: Book,
    path: Option<PathBuf>,
    stamp: Option<Stamp>,
    chapters: Chapters,
    /// The current chapter.
    current: ChapterId,
    /// Its place.
    game: usize,
    walk: Walk,
    /// Chapters that were visited, as they were left; new ones stay here even if they are removed.
    parked: HashMap<ChapterId, Walk>,
    done: Vec<Done>,
    undone: Vec<Done>,
    /// The state of each chapter; 0 is that of its text.
    states: HashMap<ChapterId, u64>,
    /// The state of the list of chapters; 0 is that of the file.
    list_state: u64,
    last_state: u64,
    /// The texts of games in states that were saved before, for undoing beyond a save.
    saved_texts: HashMap<(ChapterId, u64), Vec<u8>>,
    journal: JournalState,
}

/// A change that is undone and redone as a whole.
#[derive(Debug)]
struct Done {
    steps: Vec<DoneStep>,
    summary: String,
    /// The current chapter before and after the change.
    from: ChapterId,
    to: ChapterId,
    /// The change is in the journal, so `undo` and `redo` records can refer to it.
    journaled: bool,
}

/// One step of a change and its effect on the state of a game or of the list.
#[derive(Debug)]
struct DoneStep {
    kind: StepKind,
    before: u64,
    after: u64,
}

#[derive(Debug)]
enum StepKind {
    Game(ChapterId, Change),
    List(ListEdit),
}

/// The state of the journal.
#[derive(Debug)]
enum JournalState {
    /// No change was made yet.
    Unneeded,
    /// Changes are recorded.
    Open(Journal),
    /// Changes are not recorded, but no other process can edit the file.
    Lock(Journal),
    /// Changes are not recorded: the file will not be changed.
    Off,
    /// The journal is unreadable; the error.
    Unreadable(String),
    /// Changes of an earlier session, to be resumed or discarded.
    Left(Leftover),
    /// A journal for another text.
    Misfit(PathBuf),
    /// Another process holds it.
    InUse,
}

/// Length and time of a file: a hint that it was changed, without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let found = fs::metadata(path).ok()?;
        Some(Stamp {
            len: found.len(),
            modified: found.modified().ok(),
        })
    }
}

/// The result of a save.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// The path.
    pub path: PathBuf,
    /// The number of rewritten games; the others are byte for byte the same.
    pub games: usize,
    /// True if games were added, removed or moved.
    pub list_changed: bool,
    /// The path of the backup, if requested.
    pub backup: Option<PathBuf>,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.games == 1 { "" } else { "s" };
        write!(f, "saved {}: ", self.path.display())?;
        match self.games {
            0 if self.list_changed => f.write_str("the list of chapters changed")?,
            games => write!(f, "{games} game{s} changed")?,
        }
        match &self.backup {
            Some(backup) => write!(f, ", the old text is in {}", backup.display()),
            None => Ok(()),
        }
    }
}

/// Opening.
impl OpenFile {
    /// Opens a file and finds the journal of an earlier session.
    pub fn open(source: &Source) -> Result<OpenFile, InputError> {
        let path = match source {
            Source::File(path) => Some(path.clone()),
            Source::Shard(_) | Source::Stdin | Source::Memory(_) => None,
        };
        // Before reading, so that a change in between is noticed.
        let stamp = path.as_deref().and_then(Stamp::of);
        let mut file = OpenFile::of(Book::open(source)?);
        if file.book.is_translated() {
            return Ok(file);
        }
        file.stamp = stamp;
        file.journal = path.as_deref().map_or(JournalState::Unneeded, |path| {
            find_journal(path, file.book.text())
        });
        file.path = path;
        Ok(file)
    }

    /// Begins a new file with one game. Nothing is written before the first save.
    pub fn begin(path: &Path) -> OpenFile {
        let mut file = OpenFile::of(Book::from_text(&path.to_string_lossy(), Vec::new()));
        file.journal = find_journal(path, b"");
        file.path = Some(path.to_owned());
        file.chapters = Chapters::of_new_file();
        file.restore_list();
        file
    }

    /// A text that belongs to no file.
    pub fn from_text(name: &str, text: Vec<u8>) -> OpenFile {
        OpenFile::of(Book::from_text(name, text))
    }

    /// The games of an archive, to be read only.
    pub fn of_archive(archive: Archive) -> OpenFile {
        OpenFile::of(Book::of_archive(archive))
    }

    fn of(book: Book) -> OpenFile {
        let chapters = Chapters::of_book(book.len());
        OpenFile {
            walk: Walk::new(book.read(0).unwrap_or_default()),
            book,
            current: chapters.first(),
            chapters,
            path: None,
            stamp: None,
            game: 0,
            parked: HashMap::new(),
            done: Vec::new(),
            undone: Vec::new(),
            states: HashMap::new(),
            list_state: 0,
            last_state: 0,
            saved_texts: HashMap::new(),
            journal: JournalState::Unneeded,
        }
    }
}

/// A file without a journal needs no fingerprint: most files are never edited.
fn find_journal(path: &Path, text: &[u8]) -> JournalState {
    if fs::symlink_metadata(journal::path_beside(path)).is_err() {
        return JournalState::Unneeded;
    }
    match journal::find(path, Fingerprint::of(text)) {
        Ok(Found::Nothing) => JournalState::Unneeded,
        Ok(Found::InUse) => JournalState::InUse,
        Ok(Found::Work(left)) => JournalState::Left(left),
        Ok(Found::Misfit(path)) => JournalState::Misfit(path),
        Err(error) => JournalState::Unreadable(error.to_string()),
    }
}

/// Inspection.
impl OpenFile {
    /// The name for messages.
    pub fn name(&self) -> &str {
        self.book.name()
    }

    /// The archive, if the games are those of one.
    pub fn archive(&self) -> Option<&Archive> {
        self.book.archive()
    }

    /// The path to save to.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.chapters.len()
    }

    /// True if it has no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The chapters in their order.
    pub(super) fn chapter_ids(&self) -> impl Iterator<Item = ChapterId> + '_ {
        self.chapters.ids()
    }

    /// True if the file does not exist before the first save.
    pub fn is_new(&self) -> bool {
        self.book.is_empty() && !self.is_empty()
    }

    /// The number of the current game, from 0.
    pub fn game(&self) -> usize {
        self.game
    }

    /// The current game.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    pub(super) fn walk_mut(&mut self) -> &mut Walk {
        &mut self.walk
    }

    pub(super) fn set_identity(&mut self, same: Identity) {
        let parked = self.parked.values_mut();
        parked
            .chain([&mut self.walk])
            .for_each(|walk| walk.set_identity(same));
    }

    /// The current tags of a game.
    pub fn tags(&self, game: usize) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        self.visit_tags(game, |name, value| {
            tags.push((name.to_owned(), value.to_owned()));
        });
        tags
    }

    /// Calls `each` with name and value of each current tag of a game.
    pub fn visit_tags(&self, game: usize, mut each: impl FnMut(&str, &str)) {
        let id = self.chapters.get(game);
        let text = id.and_then(|id| self.chapters.text(id));
        match text {
            Some(&ChapterText::Book(index)) if !self.is_game_changed(game) => {
                self.book.visit_tags(index, each);
            }
            _ => {
                if let Some(game) = self.read(game) {
                    game.tags().for_each(|(name, value)| each(name, value));
                }
            }
        }
    }

    /// The number of half-moves in the mainline of a game.
    pub fn mainline_length(&self, game: usize) -> usize {
        let id = self.chapters.get(game);
        let text = id.and_then(|id| self.chapters.text(id));
        match (self.walk_of(game), text) {
            (None, Some(ChapterText::Book(index))) => self.book.mainline_length(*index),
            (Some(walk), _) => walk.game().mainline_moves().count(),
            (None, _) => self
                .read(game)
                .map_or(0, |game| game.mainline_moves().count()),
        }
    }

    /// The opening of a game by its positions.
    pub(super) fn opening(&self, game: usize) -> Option<Opening> {
        let found = match self.walk_of(game) {
            Some(walk) => Opening::of_game(walk.game()),
            None => Opening::of_game(&self.read(game)?),
        };
        found.map(|(opening, _)| opening)
    }

    /// The walk in a game, if it was visited. While the list changes, the current chapter may be at
    /// another place than the current game.
    pub(super) fn walk_of(&self, game: usize) -> Option<&Walk> {
        let id = self.chapters.get(game)?;
        if id == self.current {
            Some(&self.walk)
        } else {
            self.parked.get(&id)
        }
    }

    /// A game as it is now.
    pub(super) fn read(&self, game: usize) -> Option<Game> {
        let known = self.walk_of(game).map(|walk| walk.game().clone());
        known.or_else(|| self.read_text(self.chapters.get(game)?))
    }

    /// A chapter as in its text.
    fn read_text(&self, id: ChapterId) -> Option<Game> {
        match self.chapters.text(id)? {
            ChapterText::Book(index) => self.book.read(*index),
            ChapterText::Kept(text) => read_game(text),
            ChapterText::New => None,
        }
    }

    /// The length of the text.
    pub(super) fn text_len(&self) -> usize {
        self.book.text().len()
    }

    pub(super) fn forget_other_games(&mut self) {
        let walks = self.parked.values_mut().chain([&mut self.walk]);
        walks.for_each(Walk::forget_other_games);
    }

    /// True if there are unsaved changes.
    pub fn is_changed(&self) -> bool {
        let is_changed =
            |(&id, &state): (&ChapterId, &u64)| state != 0 && self.chapters.is_listed(id);
        self.list_state != 0 || self.states.iter().any(is_changed)
    }

    /// True if this game has unsaved changes.
    pub fn is_game_changed(&self, game: usize) -> bool {
        let id = self.chapters.get(game);
        id.is_some_and(|id| self.state_of(id) != 0)
    }

    fn state_of(&self, id: ChapterId) -> u64 {
        self.states.get(&id).copied().unwrap_or(0)
    }

    /// True if another program changed the file since it was opened or saved. Compares the text.
    pub fn is_changed_on_disk(&self) -> bool {
        let path = self.path.as_deref().filter(|path| path.is_file());
        path.is_some_and(|path| {
            let now = read_text(&Source::File(path.to_owned()));
            now.map_or(true, |text| text != self.book.text())
        })
    }

    /// The same, but without reading a file of the same length and time: for hints.
    pub fn seems_changed_on_disk(&self) -> bool {
        let stamp = self.path.as_deref().and_then(Stamp::of);
        stamp != self.stamp && self.is_changed_on_disk()
    }

    /// The error that keeps the last changes out of the journal, if any.
    pub fn journal_trouble(&self) -> Option<&str> {
        match &self.journal {
            JournalState::Open(journal) => journal.trouble(),
            JournalState::Unreadable(why) => Some(why),
            _ => None,
        }
    }

    /// A number for the current list of chapters: the same number, the same list.
    pub fn list_state(&self) -> u64 {
        self.list_state
    }

    /// What `undo` would undo.
    pub fn undo_summary(&self) -> Option<&str> {
        self.done.last().map(|done| done.summary.as_str())
    }

    /// What `redo` would redo.
    pub fn redo_summary(&self) -> Option<&str> {
        self.undone.last().map(|done| done.summary.as_str())
    }

    /// The decision that is needed before the file can be edited.
    pub fn obstacle(&self) -> Option<SessionError> {
        match &self.journal {
            _ if self.archive().is_some() => Some(SessionError::Archived),
            JournalState::Left(left) => Some(SessionError::Leftover(left.len())),
            JournalState::Misfit(path) => Some(SessionError::Misfit(path.clone())),
            JournalState::InUse => self.in_use(),
            _ => None,
        }
    }

    fn in_use(&self) -> Option<SessionError> {
        let path = self.path.as_deref()?;
        Some(InUse::of(path).into())
    }

    pub(super) fn go_to(&mut self, game: usize) -> bool {
        if game == self.game {
            return true;
        }
        let id = self.chapters.get(game);
        let found = id.is_some_and(|id| self.enter(id));
        if found {
            self.game = game;
        }
        found
    }

    /// Makes a chapter the current one, even if it is not in the list.
    fn enter(&mut self, id: ChapterId) -> bool {
        if id == self.current {
            return true;
        }
        let known = self.parked.remove(&id);
        let read = || Some(self.walk.another(self.read_text(id)?));
        let Some(walk) = known.or_else(read) else {
            return false;
        };
        let left = std::mem::replace(&mut self.walk, walk);
        // Of an archive any number of games may be visited, and none is changed.
        if self.archive().is_none() {
            self.parked.insert(self.current, left);
        }
        self.current = id;
        true
    }

    /// Goes to a chapter after the list changed; if it is gone, to the one at its place.
    fn settle(&mut self, id: ChapterId) {
        let place = self.chapters.place_of(id).unwrap_or(self.game);
        let place = place.min(self.len().saturating_sub(1));
        if let Some(id) = self.chapters.get(place) {
            self.enter(id);
            self.game = place;
        }
    }
}

/// Editing. A refused change leaves everything as it was, the journal included.
impl OpenFile {
    pub(super) fn edit(&mut self, verb: &Verb) -> Result<String, SessionError> {
        self.refuse_obstacle()?;
        let is_first = matches!(self.journal, JournalState::Unneeded);
        self.open_journal()?;
        let (game, at) = (self.game, self.walk.at());
        let id = self.walk.tree().position_id(at);
        let summary = self.apply_verb(verb).inspect_err(|_| {
            if is_first {
                self.end_journal();
            }
        })?;
        self.record(&self.added_chapters(verb).unwrap_or_else(|| Record::Edit {
            game,
            id: id.map_or(0, |id| id.0),
            verb: verb.clone(),
        }));
        Ok(summary)
    }

    /// Applies a verb and keeps the change for undoing.
    fn apply_verb(&mut self, verb: &Verb) -> Result<String, SessionError> {
        if let Verb::Chapter(verb) = verb {
            return self.edit_chapters(verb);
        }
        let change = self.walk.edit(verb)?;
        let summary = change.summary().to_owned();
        self.push_change(change, summary.clone());
        Ok(summary)
    }

    pub(super) fn undo(&mut self) -> Result<String, SessionError> {
        self.refuse_obstacle()?;
        if self.done.is_empty() {
            return Err(SessionError::NothingToUndo);
        }
        self.open_journal()?;
        self.undo_change()
    }

    fn undo_change(&mut self) -> Result<String, SessionError> {
        let done = self.done.pop().ok_or(SessionError::NothingToUndo)?;
        let mut records = Vec::new();
        for step in done.steps.iter().rev() {
            self.undo_step(step)?;
            records.extend(self.list_record(step, Direction::Undo));
        }
        self.settle(done.from);
        let summary = format!("undone: {}", done.summary);
        self.record_step(done.journaled, Record::Undo, records);
        self.undone.push(done);
        Ok(summary)
    }

    fn undo_step(&mut self, step: &DoneStep) -> Result<(), SessionError> {
        match &step.kind {
            StepKind::Game(id, change) => {
                self.enter(*id);
                change.undo(&mut self.walk)?;
                self.states.insert(*id, step.before);
            }
            StepKind::List(edit) => {
                self.chapters.apply(edit.inverse());
                self.list_state = step.before;
            }
        }
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<String, SessionError> {
        self.refuse_obstacle()?;
        if self.undone.is_empty() {
            return Err(SessionError::NothingToRedo);
        }
        self.open_journal()?;
        self.redo_change()
    }

    fn redo_change(&mut self) -> Result<String, SessionError> {
        let done = self.undone.pop().ok_or(SessionError::NothingToRedo)?;
        let mut records = Vec::new();
        for step in &done.steps {
            self.redo_step(step)?;
            records.extend(self.list_record(step, Direction::Redo));
        }
        self.settle(done.to);
        let summary = format!("redone: {}", done.summary);
        self.record_step(done.journaled, Record::Redo, records);
        self.done.push(done);
        Ok(summary)
    }

    fn redo_step(&mut self, step: &DoneStep) -> Result<(), SessionError> {
        match &step.kind {
            StepKind::Game(id, change) => {
                self.enter(*id);
                change.redo(&mut self.walk)?;
                self.states.insert(*id, step.after);
            }
            StepKind::List(edit) => {
                self.chapters.apply(*edit);
                self.list_state = step.after;
            }
        }
        Ok(())
    }

    /// Keeps a change of the current game for undoing.
    fn push_change(&mut self, change: Change, summary: String) {
        let step = self.game_step(change);
        self.push(vec![step], summary, self.current);
    }

    /// The step of a change that was made in the current game.
    fn game_step(&mut self, change: Change) -> DoneStep {
        self.last_state += 1;
        let before = self.states.insert(self.current, self.last_state);
        DoneStep {
            kind: StepKind::Game(self.current, change),
            before: before.unwrap_or(0),
            after: self.last_state,
        }
    }

    /// Keeps a change for undoing; `from` was the current chapter before it.
    fn push(&mut self, steps: Vec<DoneStep>, summary: String, from: ChapterId) {
        self.done.push(Done {
            steps,
            summary,
            from,
            to: self.current,
            journaled: true,
        });
        self.undone.clear();
    }
}

/// Which way a change is repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Undo,
    Redo,
}

/// The journal.
impl OpenFile {
    fn refuse_obstacle(&self) -> Result<(), SessionError> {
        self.obstacle().map_or(Ok(()), Err)
    }

    fn open_journal(&mut self) -> Result<(), InUse> {
        if let (JournalState::Unneeded, Some(path)) = (&self.journal, &self.path) {
            let journal = Journal::begin(path, Fingerprint::of(self.book.text()))?;
            self.journal = JournalState::Open(journal);
        }
        Ok(())
    }

    /// Keeps other processes from editing the file until this one ends, for a change that is saved
    /// at once and needs no journal.
    pub(super) fn lock(&mut self) -> Result<(), SessionError> {
        self.refuse_obstacle()?;
        if let Some(path) = &self.path {
            let journal = Journal::begin(path, Fingerprint::of(self.book.text()))?;
            self.journal = JournalState::Lock(journal);
        }
        // Another process may have saved the file between reading and locking.
        match &self.path {
            Some(path) if self.is_changed_on_disk() => {
                Err(SessionError::ChangedOnDisk(path.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Keeps no journal, for changes that are written elsewhere.
    pub(super) fn disable_journal(&mut self) {
        self.journal = JournalState::Off;
    }

    /// Makes all further writes to the journal fail.
    #[cfg(all(test, unix))]
    pub(super) fn fill_disk(&mut self) {
        if let JournalState::Open(journal) = &mut self.journal {
            journal.fill_disk();
        }
    }

    /// Removes the journal, if this process has it.
    fn end_journal(&mut self) {
        let journal = std::mem::replace(&mut self.journal, JournalState::Unneeded);
        match journal {
            JournalState::Open(journal) | JournalState::Lock(journal) => {
                if let Err(error) = journal.end() {
                    self.journal = JournalState::Unreadable(error.to_string());
                }
            }
            other => self.journal = other,
        }
    }

    fn record(&mut self, record: &Record) {
        if let JournalState::Open(journal) = &mut self.journal {
            journal.record(record);
        }
    }

    /// Records an undo or redo. Changes before the last save are not in the journal, so the whole
    /// games are recorded instead; earlier records cannot be referred to after that.
    fn record_step(&mut self, journaled: bool, word: Record, games: Vec<ListRecord>) {
        if journaled {
            return self.record(&word);
        }
        self.record(&Record::Chapters(games));
        self.forget_records();
    }

    /// A step that was undone or redone, as a record that refers to no other.
    fn list_record(&self, step: &DoneStep, direction: Direction) -> Option<ListRecord> {
        if !matches!(self.journal, JournalState::Open(_)) {
            return None;
        }
        let edit = match &step.kind {
            StepKind::Game(id, _) => {
                let game = self.chapters.place_of(*id)?;
                let text = text::plain(self.walk.game());
                return Some(ListRecord::Replace { game, text });
            }
            StepKind::List(edit) if direction == Direction::Undo => edit.inverse(),
            StepKind::List(edit) => *edit,
        };
        Some(match (edit.from, edit.to) {
            (Some(from), Some(to)) => ListRecord::Move { from, to },
            (Some(game), None) => ListRecord::Remove { game },
            (_, game) => self.inserted(game?)?,
        })
    }

    /// The record of an inserted chapter.
    fn inserted(&self, game: usize) -> Option<ListRecord> {
        let text = text::plain(&self.read(game)?);
        Some(ListRecord::Insert { game, text })
    }

    fn forget_records(&mut self) {
        for done in self.done.iter_mut().chain(&mut self.undone) {
            done.journaled = false;
        }
    }

    pub(super) fn resume(&mut self) -> Result<String, SessionError> {
        let left = match std::mem::replace(&mut self.journal, JournalState::Unneeded) {
            JournalState::Left(left) => left,
            other => {
                self.journal = other;
                return Err(self.misfit().unwrap_or(SessionError::NothingLeft));
            }
        };
        let records = left.records().to_vec();
        let applied = self.apply(&records);
        self.journal = JournalState::Open(left.go_on_after(applied));
        let s = if applied == 1 { "" } else { "s" };
        Ok(match records.len() - applied {
            0 => format!("resumed {applied} change{s}"),
            rest => format!("resumed {applied} change{s}; {rest} could not be applied"),
        })
    }

    /// Applies records up to the first that does not match the games. Returns their number.
    pub(super) fn apply(&mut self, records: &[Record]) -> usize {
        let applied = records
            .iter()
            .take_while(|record| self.replay(record).is_ok());
        applied.count()
    }

    fn misfit(&self) -> Option<SessionError> {
        match &self.journal {
            JournalState::Misfit(path) => Some(SessionError::Misfit(path.clone())),
            JournalState::InUse => self.in_use(),
            _ => None,
        }
    }

    fn replay(&mut self, record: &Record) -> Result<(), SessionError> {
        match record {
            Record::Edit { game, id, verb } => {
                let node = self
                    .go_to(*game)
                    .then(|| self.walk.tree().preorder().nth(*id as usize));
                self.walk.go(node.flatten().ok_or(SessionError::Stale)?);
                self.apply_verb(verb)?;
            }
            Record::Undo => drop(self.undo_change()?),
            Record::Redo => drop(self.redo_change()?),
            Record::Chapters(records) => self.replay_list(records)?,
            Record::Saving(_) => {}
        }
        Ok(())
    }

    pub(super) fn discard(&mut self) -> Result<String, SessionError> {
        let removed = match std::mem::replace(&mut self.journal, JournalState::Unneeded) {
            JournalState::Left(left) => left.discard(),
            JournalState::Misfit(path) => fs::remove_file(path),
            other => {
                self.journal = other;
                return Err(self.misfit().unwrap_or(SessionError::NothingLeft));
            }
        };
        removed.map_err(SessionError::Journal)?;
        Ok("discarded the changes of the earlier session".to_owned())
    }

    /// Discards unsaved changes: the games are as in the file again.
    pub(super) fn drop_changes(&mut self) {
        self.end_journal();
        self.done.clear();
        self.undone.clear();
        self.states.clear();
        self.saved_texts.clear();
        self.parked.clear();
        self.restore_list();
    }

    /// The games of the book; for a new file, one without moves.
    fn restore_list(&mut self) {
        self.list_state = 0;
        self.chapters = if self.is_new() {
            Chapters::of_new_file()
        } else {
            Chapters::of_book(self.book.len())
        };
        self.game = self.game.min(self.len().saturating_sub(1));
        self.current = self
            .chapters
            .get(self.game)
            .unwrap_or(self.chapters.first());
        let game = self.book.read(self.game);
        self.walk = self.walk.another(game.unwrap_or_else(chapter::first));
    }
}

/// Saving.
impl OpenFile {
    pub(super) fn save(&mut self, options: &SaveOptions) -> Result<Saved, SessionError> {
        let own = self.path.clone();
        let path = options
            .to
            .clone()
            .or(own.clone())
            .ok_or(SessionError::NoName)?;
        let is_own = own.as_ref() == Some(&path);
        self.may_write(&path, is_own, options.force)?;
        let overwrite = if options.force {
            Overwrite::ReadOnly
        } else {
            Overwrite::Writable
        };
        // 1. The new text, checked to be readable.
        let book = self.new_book(&path.to_string_lossy(), options.form)?;
        // 2. The journal records the new text, so that a kill at any moment leaves a known state.
        if is_own {
            self.record(&Record::Saving(Fingerprint::of(book.text())));
        }
        // 3. Back up the old text, put the new one in its place.
        let backup = options
            .backup
            .then(|| backup_of(&path))
            .filter(|_| path.is_file());
        if let Some(backup) = &backup {
            copy(&path, backup, overwrite)?;
        }
        save_over(Target::File(path.clone()), &book.bytes(), overwrite)?;
        // 4. From here on, the new text is the file.
        let games = (0..self.len()).filter(|&game| self.is_rewritten(game));
        let games = games.count();
        let list_changed = self.list_state != 0;
        if is_own || own.is_none() {
            self.adopt(book, path.clone());
        }
        Ok(Saved {
            path,
            games,
            list_changed,
            backup,
        })
    }

    fn may_write(&self, path: &Path, is_own: bool, force: bool) -> Result<(), SessionError> {
        if !is_own {
            return if !force && path.exists() {
                Err(SessionError::Exists(path.to_owned()))
            } else {
                Ok(())
            };
        }
        if let Some(obstacle) = self.obstacle() {
            return Err(obstacle);
        }
        if !self.is_changed() && !self.is_new() {
            return Err(SessionError::Unchanged);
        }
        if !force && self.is_changed_on_disk() {
            return Err(SessionError::ChangedOnDisk(path.to_owned()));
        }
        Ok(())
    }

    /// The file with all changes, as bytes in its encoding.
    pub fn new_bytes(&self) -> Result<Vec<u8>, SessionError> {
        self.new_bytes_in(SaveForm::Edits)
    }

    /// The same with the edited games in this form.
    pub fn new_bytes_in(&self, form: SaveForm) -> Result<Vec<u8>, SessionError> {
        Ok(self.new_book(self.name(), form)?.bytes().into_owned())
    }

    /// Saves the file with all changes under a new name in the folder for temporary files: the last
    /// resort for changes that are not in the journal. Returns its path.
    pub fn rescue(&self) -> Result<PathBuf, SessionError> {
        let name = self.path.as_deref().and_then(Path::file_name);
        let name = name.unwrap_or_default().to_string_lossy();
        let mut builder = tempfile::Builder::new();
        builder.prefix("gametree-").suffix(&*name);
        let bytes = self.new_bytes()?;
        let write = || {
            let mut file = builder.tempfile()?;
            file.write_all(&bytes)?;
            file.as_file().sync_all()?;
            Ok(file.keep()?.1)
        };
        write().map_err(|error| {
            let target = Target::File(std::env::temp_dir());
            SessionError::Save(SaveError { target, error })
        })
    }

    /// The new text, checked to be readable. If only the normal form is, that is used.
    fn new_book(&self, name: &str, form: SaveForm) -> Result<Book, SessionError> {
        let book = self.book.with_text(name, self.new_text(form));
        if self.reads_back(&book) {
            return Ok(book);
        }
        let book = self.book.with_text(name, self.new_text(SaveForm::Normal));
        if self.reads_back(&book) {
            Ok(book)
        } else {
            Err(SessionError::WouldNotReadBack)
        }
    }

    /// The text with all changes. Unchanged games are copied byte for byte.
    fn new_text(&self, form: SaveForm) -> Vec<u8> {
        if !self.chapters.is_book(self.book.len()) {
            return self.new_list_text(form);
        }
        let mut text = Vec::with_capacity(self.book.text().len());
        let mut end = 0;
        for game in 0..self.len() {
            let Some(raw) = self.book.raw(game) else {
                continue;
            };
            end = raw.place.offset as usize + raw.bytes.len();
            match self.changed_game(game) {
                Some(changed) => text.extend_from_slice(&self.changed_text(game, changed, form)),
                None => text.extend_from_slice(raw.bytes),
            }
        }
        // Blanks after the last game belong to no game.
        text.extend_from_slice(self.book.text().get(end..).unwrap_or_default());
        text
    }

    fn changed_text(&self, game: usize, changed: &Game, form: SaveForm) -> Cow<'_, [u8]> {
        let raw = self.raw(game).unwrap_or_default();
        let saved = self.chapters.get(game);
        let saved = saved.and_then(|id| self.saved_texts.get(&(id, self.state_of(id))));
        let is_last = game + 1 == self.len();
        let normal = || Cow::Owned(text::normal(changed, raw, is_last));
        match (form, saved) {
            (SaveForm::Normal, _) => normal(),
            (SaveForm::Edits, Some(saved)) => Cow::Borrowed(saved),
            (SaveForm::Edits, None) => text::edited(changed, raw).map_or_else(normal, Cow::Owned),
        }
    }

    fn changed_game(&self, game: usize) -> Option<&Game> {
        let walk = self.walk_of(game).filter(|_| self.is_game_changed(game));
        walk.map(Walk::game)
    }

    /// True if the new text has the same number of games, and the changed games are equal in normal
    /// form.
    fn reads_back(&self, book: &Book) -> bool {
        let is_same = |game: usize| {
            if !self.is_rewritten(game) {
                return self.keeps_bytes(game, book);
            }
            let texts = (self.read(game), book.read(game));
            matches!(texts, (Some(now), Some(again)) if now.to_string() == again.to_string())
        };
        book.len() == self.len() && (0..self.len()).all(is_same)
    }

    fn adopt(&mut self, book: Book, path: PathBuf) {
        self.stamp = Stamp::of(&path);
        let old_texts = self.changed_texts();
        let old = std::mem::replace(&mut self.book, book);
        self.chapters.adopt(|game| {
            old.raw(game)
                .map_or_else(Box::default, |raw| raw.bytes.into())
        });
        self.path = Some(path);
        self.renumber_states(old_texts);
        self.forget_records();
        self.end_journal();
    }

    /// The states on disk now become 0, the earlier states 0 another number, with their old texts.
    fn renumber_states(&mut self, old_texts: Vec<(ChapterId, Vec<u8>)>) {
        self.last_state += 1;
        let old_zero = self.last_state;
        for (id, text) in old_texts {
            self.saved_texts.insert((id, old_zero), text);
        }
        let list = std::mem::take(&mut self.list_state);
        let (chapters, states) = (&self.chapters, &self.states);
        let renumber = |on_disk: u64, state: u64| match state {
            state if state == on_disk => 0,
            0 => old_zero,
            state => state,
        };
        for step in steps_of(&mut self.done, &mut self.undone) {
            let on_disk = match &step.kind {
                StepKind::List(_) => list,
                StepKind::Game(id, _) if !chapters.is_listed(*id) => continue,
                StepKind::Game(id, _) => states.get(id).copied().unwrap_or(0),
            };
            step.before = renumber(on_disk, step.before);
            step.after = renumber(on_disk, step.after);
        }
        self.states.retain(|&id, _| !chapters.is_listed(id));
    }
}

fn steps_of<'a>(
    done: &'a mut [Done],
    undone: &'a mut [Done],
) -> impl Iterator<Item = &'a mut DoneStep> {
    done.iter_mut()
        .chain(undone)
        .flat_map(|done| &mut done.steps)
}

impl Drop for OpenFile {
    /// Removes a journal without unsaved changes, which would block the next session.
    fn drop(&mut self) {
        if matches!(self.journal, JournalState::Lock(_)) || !self.is_changed() {
            self.end_journal();
        }
    }
}
