//! A session: open files, the current game, edits with undo and redo, journal and save.

mod chapters;
mod error;
mod file;
mod joined;
mod journal;
mod list;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use chess::pgn::Game;

use crate::archive::{Archive, ArchiveError, Filter, OpeningTable, opening};
use crate::edit::{Clip, Verb};
use crate::openings::Opening;
use crate::query::CompileError;
use crate::walk::{Matches, Walk};
use kit::input::{InputError, Source};

pub use chapters::ChapterError;
pub use error::SessionError;
pub use file::{OpenFile, Saved};
pub use joined::{Marks, MarksTask};
pub use journal::{InUse, ListRecord, Record, journal_bytes, journal_records, path_beside};

/// The game to play moves in beside an archive.
const BOARD: &[u8] = b"[Event \"Board\"]\n\n*\n";

/// Open files and the current game.
#[derive(Debug)]
pub struct Session {
    files: Vec<OpenFile>,
    /// The current file.
    file: usize,
    clip: Option<Clip>,
    /// The CQL query whose matches are marked.
    query: Option<String>,
    all: joined::AllGames,
    /// Archives whose statistics are shown beside the games.
    archives: Vec<Archive>,
}

/// A game of an open file, whatever its number: chapters keep it when they are moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameId {
    file: usize,
    chapter: chapters::ChapterId,
}

/// How to save.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SaveOptions {
    /// Another file than the one that was opened.
    pub to: Option<PathBuf>,
    /// Overwrite changes of another program, and read-only files.
    pub force: bool,
    /// Keep the old text as `NAME.bak`.
    pub backup: bool,
    /// How to write the edited games.
    pub form: SaveForm,
}

/// How edited games are written. All other games are copied byte for byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SaveForm {
    /// Only the edited places change.
    #[default]
    Edits,
    /// In normal form.
    Normal,
}

/// Opening statistics.
impl Session {
    /// Adds an archive to those whose statistics are shown.
    pub fn add_archive(&mut self, archive: Archive) {
        self.archives.push(archive);
    }

    /// True if there are archives.
    pub fn has_archives(&self) -> bool {
        !self.archives.is_empty()
    }

    /// What the games of the archives played from the current position.
    pub fn opening_statistics(&self) -> Result<OpeningTable, ArchiveError> {
        opening(&self.archives, &self.walk().board(), &Filter::default())
    }
}

/// Opening.
impl Session {
    /// Opens files; the first game of the first is the current one.
    pub fn open(sources: &[Source]) -> Result<Session, SessionError> {
        let open = |source: &Source| OpenFile::open(source);
        let files: Result<Vec<OpenFile>, InputError> = sources.iter().map(open).collect();
        Session::new(files?)
    }

    /// Opens files; those that do not exist or have no bytes begin with one game without moves,
    /// and are written by the first save.
    pub fn open_or_begin(sources: &[Source]) -> Result<Session, SessionError> {
        let is_void = |path: &Path| match path.metadata() {
            Ok(found) => found.is_file() && found.len() == 0,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        let open = |source: &Source| match source {
            Source::File(path) if is_void(path) => Ok(OpenFile::begin(path)),
            source => OpenFile::open(source),
        };
        let files: Result<Vec<OpenFile>, InputError> = sources.iter().map(open).collect();
        Session::new(files?)
    }

    /// Games of a text that belongs to no file.
    pub fn from_text(name: &str, text: Vec<u8>) -> Result<Session, SessionError> {
        Session::new(vec![OpenFile::from_text(name, text)])
    }

    /// An archive to be read: an empty game to play moves in, then the games of the archive, whose
    /// numbers from 1 are therefore those of the session from 0. Its statistics are shown.
    pub fn of_archive(archive: Archive) -> Result<Session, SessionError> {
        let board = OpenFile::from_text("board", BOARD.to_vec());
        let mut session = Session::new(vec![board, OpenFile::of_archive(archive.clone())])?;
        session.add_archive(archive);
        Ok(session)
    }

    fn new(files: Vec<OpenFile>) -> Result<Session, SessionError> {
        let names = || files.iter().map(|file| file.name().to_owned());
        let file = files.iter().position(|file| !file.is_empty());
        match file {
            None => Err(SessionError::NoGames(
                names().collect::<Vec<_>>().join(", "),
            )),
            Some(file) => Ok(Session {
                files,
                file,
                clip: None,
                query: None,
                all: joined::AllGames::default(),
                archives: Vec::new(),
            }),
        }
    }
}

/// The current place.
impl Session {
    /// All files.
    pub fn files(&self) -> &[OpenFile] {
        &self.files
    }

    /// The current file.
    pub fn file(&self) -> &OpenFile {
        &self.files[self.file]
    }

    fn file_mut(&mut self) -> &mut OpenFile {
        &mut self.files[self.file]
    }

    /// The current game; in positions mode all games.
    pub fn walk(&self) -> &Walk {
        self.all.walk().unwrap_or_else(|| self.file().walk())
    }

    /// The same, to move in. Moving changes no game.
    pub fn walk_mut(&mut self) -> &mut Walk {
        let file = &mut self.files[self.file];
        self.all.walk_mut().unwrap_or_else(|| file.walk_mut())
    }

    /// The archive whose games are open, if any, and the number of its file.
    pub fn archive(&self) -> Option<(usize, &Archive)> {
        let mut files = self.files.iter().enumerate();
        files.find_map(|(index, file)| Some((index, file.archive()?)))
    }

    /// True if the current game is one of an archive.
    pub fn is_archived(&self) -> bool {
        self.file().archive().is_some()
    }

    /// How many games all files have.
    pub fn game_count(&self) -> usize {
        self.files.iter().map(OpenFile::len).sum()
    }

    /// The number of the current game among all games of all files, from 0.
    pub fn game(&self) -> usize {
        let before: usize = self.files[..self.file].iter().map(OpenFile::len).sum();
        before + self.file().game()
    }

    /// The tags of a game, numbered through all files from 0.
    pub fn tags(&self, game: usize) -> Vec<(String, String)> {
        let found = self.locate(game);
        found.map_or_else(Vec::new, |(file, game)| self.files[file].tags(game))
    }

    /// Calls `each` with name and value of each tag of a game, numbered through all files from 0.
    pub fn visit_tags(&self, game: usize, each: impl FnMut(&str, &str)) {
        if let Some((file, game)) = self.locate(game) {
            self.files[file].visit_tags(game, each);
        }
    }

    /// The number of half-moves in the mainline of a game, numbered through all files from 0.
    pub fn mainline_length(&self, game: usize) -> usize {
        let found = self.locate(game);
        found.map_or(0, |(file, game)| self.files[file].mainline_length(game))
    }

    /// The opening of a game by its positions.
    pub fn opening(&self, game: usize) -> Option<Opening> {
        let (file, game) = self.locate(game)?;
        self.files[file].opening(game)
    }

    /// A game as it is now, numbered through all files from 0.
    pub fn read_game(&self, game: usize) -> Option<Game> {
        let (file, game) = self.locate(game)?;
        self.files[file].read(game)
    }

    /// The file of a game that is numbered through all files from 0, and its number there.
    pub fn file_of(&self, game: usize) -> Option<(usize, usize)> {
        self.locate(game)
    }

    /// The games of all files in their order, except those of an archive.
    pub fn game_ids(&self) -> Vec<GameId> {
        let files = self.files.iter().enumerate();
        let files = files.filter(|(_, file)| file.archive().is_none());
        let ids = files.flat_map(|(file, open)| {
            let chapters = open.chapter_ids();
            chapters.map(move |chapter| GameId { file, chapter })
        });
        ids.collect()
    }

    /// The number of the first game of a file through all files.
    pub fn first_game(&self, file: usize) -> usize {
        let before = self.files.iter().take(file);
        before.map(OpenFile::len).sum()
    }

    /// Goes to a game, numbered through all files from 0. Returns whether there is one.
    pub fn go_to_game(&mut self, game: usize) -> bool {
        let Some((file, game)) = self.locate(game) else {
            return false;
        };
        self.file = file;
        let found = self.file_mut().go_to(game);
        self.start_joined();
        found
    }

    /// Marks the positions that match a query, in this game and in those entered later; none clears
    /// the marks. Returns the number of matches in this game.
    pub fn set_query(&mut self, query: Option<&str>) -> Result<usize, CompileError> {
        let found = match query {
            Some(query) => self.walk_mut().find_matches(query)?.len(),
            None => {
                self.walk_mut().clear_matches();
                0
            }
        };
        self.query = query.map(str::to_owned);
        Ok(found)
    }

    /// The query whose positions are marked.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// Finds everything to mark in the table of this game, unless known: transpositions and matches
    /// of the query.
    pub fn find_marks(&mut self) {
        let query = self.query.clone();
        self.find_shared();
        let walk = self.walk_mut();
        walk.find_transpositions();
        match query {
            // It was compiled before.
            Some(query) => drop(walk.find_matches(&query).ok()),
            None => walk.clear_matches(),
        }
    }

    /// True if all of that is known.
    pub fn has_marks(&self) -> bool {
        let walk = self.walk();
        let matches = walk.matches().map(Matches::query);
        let knows_others = self.is_joined() || walk.knows_other_games();
        walk.transpositions().is_some() && knows_others && matches == self.query()
    }

    fn locate(&self, game: usize) -> Option<(usize, usize)> {
        let mut first = 0;
        for (index, file) in self.files.iter().enumerate() {
            if game < first + file.len() {
                return Some((index, game - first));
            }
            first += file.len();
        }
        None
    }
}

/// Editing.
impl Session {
    /// Applies a verb at the current node. Returns a message. In positions mode it is refused if
    /// several games have the move; [`edit_in`](Session::edit_in) names one.
    pub fn edit(&mut self, verb: &Verb) -> Result<String, SessionError> {
        self.edit_in(verb, None)
    }

    /// Undoes the last change of this file, and goes to its game.
    pub fn undo(&mut self) -> Result<String, SessionError> {
        let summary = self.file_mut().undo()?;
        self.games_changed();
        Ok(summary)
    }

    /// Redoes the change that was undone last.
    pub fn redo(&mut self) -> Result<String, SessionError> {
        let summary = self.file_mut().redo()?;
        self.games_changed();
        Ok(summary)
    }

    /// Copies this move with everything after it; in positions mode from its longest place.
    pub fn copy(&mut self) -> String {
        self.clip = Some(self.clip_here());
        "copied this move and its continuations; `paste` inserts them elsewhere".to_owned()
    }

    /// Cuts this move with everything after it.
    pub fn cut(&mut self) -> Result<String, SessionError> {
        let clip = self.clip_here();
        self.edit(&Verb::Delete)?;
        self.clip = Some(clip);
        Ok("cut this move and its continuations; `paste` inserts them elsewhere".to_owned())
    }

    /// Adds the cut or copied moves at the current node.
    pub fn paste(&mut self) -> Result<String, SessionError> {
        let clip = self.clip.clone().ok_or(SessionError::NothingCopied)?;
        self.edit(&Verb::Add(clip.text().to_owned()))
    }

    /// True if there are cut or copied moves.
    pub fn has_clip(&self) -> bool {
        self.clip.is_some()
    }

    /// True if a file has unsaved changes.
    pub fn is_changed(&self) -> bool {
        self.files.iter().any(OpenFile::is_changed)
    }

    /// Saves the current file.
    pub fn save(&mut self, options: &SaveOptions) -> Result<Saved, SessionError> {
        self.file_mut().save(options)
    }

    /// Saves all files with changes; with another name, the current file only.
    pub fn save_all(&mut self, options: &SaveOptions) -> Result<Vec<Saved>, SessionError> {
        let changed = self.files.iter_mut().filter(|file| file.is_changed());
        let mut changed: Vec<&mut OpenFile> = changed.collect();
        if options.to.is_some() || changed.is_empty() {
            return Ok(vec![self.save(options)?]);
        }
        changed.iter_mut().map(|file| file.save(options)).collect()
    }

    /// Applies the changes that an earlier session left unsaved.
    pub fn resume(&mut self) -> Result<String, SessionError> {
        let summary = self.file_mut().resume()?;
        self.games_changed();
        Ok(summary)
    }

    /// Applies records of a journal up to the first that does not match the games. Returns their
    /// number.
    pub fn apply(&mut self, records: &[Record]) -> usize {
        let applied = self.file_mut().apply(records);
        self.games_changed();
        applied
    }

    /// Keeps other processes from editing the current file, for a change that is saved at once and
    /// needs no journal. Refused if the file was changed since it was opened.
    pub fn lock(&mut self) -> Result<(), SessionError> {
        self.file_mut().lock()
    }

    /// Keeps no journal of the current file, for changes that are written elsewhere.
    pub fn disable_journal(&mut self) {
        self.file_mut().disable_journal();
    }

    /// The files whose unsaved changes are lost when the session ends: no journal has them. For all
    /// other files [`resume`](Session::resume) restores them.
    pub fn unprotected(&self) -> impl Iterator<Item = &OpenFile> {
        let changed = self.files.iter().filter(|file| file.is_changed());
        changed.filter(|file| file.path().is_none() || file.journal_trouble().is_some())
    }

    /// Deletes these changes.
    pub fn discard(&mut self) -> Result<String, SessionError> {
        self.file_mut().discard()
    }

    /// Reads the current file again after another program changed it. Unsaved changes and
    /// everything to undo are lost; a file that has no games any more is not accepted.
    pub fn reload(&mut self) -> Result<(), SessionError> {
        let path = self.file().path().ok_or(SessionError::NoName)?;
        let source = Source::File(path.to_owned());
        let game = self.file().game();
        self.file_mut().drop_changes();
        let mut file = OpenFile::open(&source)?;
        if file.is_empty() {
            return Err(SessionError::NoGames(file.name().to_owned()));
        }
        file.set_identity(self.identity());
        file.go_to(game);
        *self.file_mut() = file;
        self.games_changed();
        Ok(())
    }

    /// Discards unsaved changes and their journals.
    pub fn drop_changes(&mut self) {
        self.files.iter_mut().for_each(OpenFile::drop_changes);
        self.games_changed();
    }
}

/// The path of a backup.
fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".bak");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests;
