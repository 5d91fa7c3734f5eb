//! The journal beside a file: each change is on disk before the next one starts, so a killed
//! process loses nothing.
//!
//! It is text. Each line has a checksum, a blank, and a record:
//!
//! ```text
//! 3f2a9c01 gametree-journal 2 48213 9e3779b97f4a7c159e3779b97f4a7c15    length and hash of the text
//! 77c1d2aa edit 1 17 promote                            game, position id, verb
//! 0b44ee12 undo
//! 5d90a1f3 redo
//! 6cd0b3e5 chapters insert 4 21 [White "Slav"]\n\n*\n;    a changed list, see `ListRecord`
//! e2f81a90 saving 48300 c2b2ae3d27d4eb4f…               the file is about to get this text
//! ```
//!
//! Reading ends at the first incomplete or damaged line. Position ids are those at the time of the
//! change. A line that cannot be written waits in memory and is tried again with the next one.
//!
//! The process that edits holds the lock of the journal, so the journal also keeps other processes
//! from editing the file.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use kit::save::create_beside;
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::edit::{Verb, escape, unescape};

/// Length and hash of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    len: u64,
    hash: u128,
}

impl Fingerprint {
    /// The fingerprint of a text.
    pub fn of(text: &[u8]) -> Fingerprint {
        Fingerprint {
            len: text.len() as u64,
            hash: XxHash3_128::oneshot(text),
        }
    }
}

/// An event of a session.
#[derive(Clone, PartialEq, Debug)]
pub enum Record {
    /// A change of a game.
    Edit {
        /// The number of the game, from 0.
        game: usize,
        /// The position.
        id: u32,
        /// The change.
        verb: Verb,
    },
    /// The last change was undone.
    Undo,
    /// The last undone change was redone.
    Redo,
    /// New chapters; after an undo or redo beyond the last save, whole games.
    Chapters(Vec<ListRecord>),
    /// The file is about to be saved with this text.
    Saving(Fingerprint),
}

/// A change of the list of games. Places are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListRecord {
    /// A game was inserted.
    Insert {
        /// Its place.
        game: usize,
        /// Its text.
        text: String,
    },
    /// A game was removed.
    Remove {
        /// Its place.
        game: usize,
    },
    /// A game was moved.
    Move {
        /// Its old place.
        from: usize,
        /// Its new place.
        to: usize,
    },
    /// A game was replaced.
    Replace {
        /// Its place.
        game: usize,
        /// Its new text.
        text: String,
    },
}

impl ListRecord {
    pub(super) fn is_insert(&self) -> bool {
        matches!(self, ListRecord::Insert { .. })
    }

    /// Words separated by blanks, ended by `;`. A text has its length in bytes before it.
    fn line(&self) -> String {
        let with_text = |word: &str, game: usize, text: &str| {
            let text = escape(text);
            format!("{word} {} {} {text};", game + 1, text.len())
        };
        match self {
            ListRecord::Insert { game, text } => with_text("insert", *game, text),
            ListRecord::Remove { game } => format!("remove {};", game + 1),
            ListRecord::Move { from, to } => format!("move {} {};", from + 1, to + 1),
            ListRecord::Replace { game, text } => with_text("replace", *game, text),
        }
    }

    /// Reads one record. Returns the rest of the line.
    fn read(line: &str) -> Option<(ListRecord, &str)> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "remove" => {
                let (game, rest) = rest.split_once(';')?;
                let game = read_number(game)?;
                Some((ListRecord::Remove { game }, rest))
            }
            "move" => {
                let (places, rest) = rest.split_once(';')?;
                let (from, to) = places.split_once(' ')?;
                let (from, to) = (read_number(from)?, read_number(to)?);
                Some((ListRecord::Move { from, to }, rest))
            }
            "insert" | "replace" => {
                let (game, rest) = read_game_number(rest)?;
                let (len, rest) = rest.split_once(' ')?;
                let (text, rest) = rest.split_at_checked(len.parse().ok()?)?;
                let (text, rest) = (unescape(text), rest.strip_prefix(';')?);
                let record = if word == "insert" {
                    ListRecord::Insert { game, text }
                } else {
                    ListRecord::Replace { game, text }
                };
                Some((record, rest))
            }
            _ => None,
        }
    }

    fn read_all(mut line: &str) -> Option<Vec<ListRecord>> {
        let mut records = Vec::new();
        while !line.is_empty() {
            let (record, rest) = ListRecord::read(line)?;
            records.push(record);
            line = rest;
        }
        (!records.is_empty()).then_some(records)
    }
}

impl Record {
    fn line(&self) -> String {
        match self {
            Record::Edit { game, id, verb } => format!("edit {} {id} {verb}", game + 1),
            Record::Undo => "undo".to_owned(),
            Record::Redo => "redo".to_owned(),
            Record::Chapters(records) => {
                let records: String = records.iter().map(ListRecord::line).collect();
                format!("chapters {records}")
            }
            Record::Saving(Fingerprint { len, hash }) => format!("saving {len} {hash:032x}"),
        }
    }

    /// Reads the payload of a line.
    pub fn read(line: &str) -> Option<Record> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "undo" => Some(Record::Undo),
            "redo" => Some(Record::Redo),
            "saving" => read_fingerprint(rest).map(Record::Saving),
            "chapters" => ListRecord::read_all(rest).map(Record::Chapters),
            "edit" => {
                let (game, rest) = read_game_number(rest)?;
                let (id, verb) = rest.split_once(' ')?;
                let (id, verb) = (id.parse().ok()?, Verb::read(verb).ok()?);
                Some(Record::Edit { game, id, verb })
            }
            _ => None,
        }
    }
}

fn read_game_number(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.split_once(' ')?;
    Some((read_number(number)?, rest))
}

/// A number from 1 as one from 0.
fn read_number(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1)
}

fn read_fingerprint(text: &str) -> Option<Fingerprint> {
    let (len, hash) = text.split_once(' ')?;
    Some(Fingerprint {
        len: len.parse().ok()?,
        hash: u128::from_str_radix(hash, 16).ok()?,
    })
}

const HEADER: &str = "gametree-journal 2 ";

fn with_checksum(payload: &str) -> String {
    format!("{:08x} {payload}\n", checksum(payload))
}

/// The payload of a line, if the line is complete and undamaged.
fn checked(line: &str) -> Option<&str> {
    let (sum, payload) = line.strip_suffix('\n')?.split_once(' ')?;
    let is_right = u32::from_str_radix(sum, 16) == Ok(checksum(payload));
    is_right.then_some(payload)
}

/// The low half of the hash: enough to detect a damaged line.
fn checksum(payload: &str) -> u32 {
    XxHash3_64::oneshot(payload.as_bytes()) as u32
}

/// The bytes of a journal with these records, for a file with this text.
pub fn journal_bytes(text: &[u8], records: &[Record]) -> Vec<u8> {
    let lines = records.iter().map(|record| with_checksum(&record.line()));
    let bytes = header(Fingerprint::of(text)) + &lines.collect::<String>();
    bytes.into_bytes()
}

/// The records of a journal that are not saved in this text. None if it is for another text.
pub fn journal_records(bytes: &[u8], text: &[u8]) -> Option<Vec<Record>> {
    let text = Fingerprint::of(text);
    let contents = read(bytes)?.since_save(text);
    (contents.base == text).then_some(contents.records)
}

fn header(text: Fingerprint) -> String {
    let Fingerprint { len, hash } = text;
    with_checksum(&format!("{HEADER}{len} {hash:032x}"))
}

/// The path of a file's journal: a hidden file beside it.
pub fn path_beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.gametree-journal"))
}

/// A journal that is being written. Only one process at a time holds it.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// None until the journal could be created.
    file: Option<File>,
    /// The length that is certainly on disk.
    written: u64,
    /// Lines that are not on disk yet.
    pending: String,
    /// The error that keeps them from the disk.
    trouble: Option<String>,
}

/// Another process edits the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InUse {
    /// Its number and command, where the system tells.
    by: Option<(u32, String)>,
}

impl InUse {
    /// The process that holds the journal of a file.
    pub(super) fn of(file: &Path) -> InUse {
        InUse {
            by: holder(&path_beside(file)),
        }
    }
}

impl fmt::Display for InUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some((process, command)) => {
                write!(f, "{command} is editing this file (process {process})")
            }
            None => f.write_str("another gametree process is editing this file"),
        }
    }
}

/// The process that locked a file: Linux lists all locks with the number of the file.
#[cfg(target_os = "linux")]
fn holder(journal: &Path) -> Option<(u32, String)> {
    use std::os::unix::fs::MetadataExt;
    let inode = format!(":{}", fs::metadata(journal).ok()?.ino());
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let mut locks = locks.lines().map(|line| line.split_whitespace());
    let process = locks.find_map(|mut words| {
        let is_flock = words.nth(1) == Some("FLOCK");
        let process = words.nth(2)?.parse().ok()?;
        (is_flock && words.next()?.ends_with(&inode)).then_some(process)
    })?;
    let line = fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let command = line.split('\0').nth(1).filter(is_word).unwrap_or("");
    Some((process, format!("gametree {command}").trim_end().to_owned()))
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &Path) -> Option<(u32, String)> {
    None
}

impl Journal {
    /// Starts the journal of a file whose text has this fingerprint. A journal that cannot be
    /// created keeps its records in memory, and reports the [trouble](Journal::trouble).
    pub fn begin(file: &Path, text: Fingerprint) -> Result<Journal, InUse> {
        let mut journal = Journal {
            path: path_beside(file),
            file: None,
            written: 0,
            pending: header(text),
            trouble: None,
        };
        match journal.flush() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(InUse::of(file)),
            flushed => {
                journal.trouble = flushed.err().map(|error| error.to_string());
                Ok(journal)
            }
        }
    }

    /// Adds a record and waits for the disk.
    pub fn record(&mut self, record: &Record) {
        self.pending += &with_checksum(&record.line());
        self.trouble = self.flush().err().map(|error| error.to_string());
    }

    /// The error that keeps the last records from the disk, if any.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            None => self.file = Some(create(&self.path, self.pending.as_bytes())?),
            Some(file) => {
                // A failed attempt may have left a part of a line.
                file.set_len(self.written)?;
                file.seek(SeekFrom::Start(self.written))?;
                file.write_all(self.pending.as_bytes())?;
                file.sync_data()?;
            }
        }
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Removes the journal: its changes are saved, or were discarded on purpose.
    pub fn end(self) -> io::Result<()> {
        if self.file.is_some() {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }

    /// Makes all further writes fail.
    #[cfg(all(test, unix))]
    pub fn fill_disk(&mut self) {
        self.file = OpenOptions::new().write(true).open("/dev/full").ok();
    }
}

/// Creates a locked file with its first lines. It gets its name when it is complete, so no other
/// process sees a journal without a lock or header.
fn create(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = create_beside(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file.persist_noclobber(path)?)
}

/// A journal that an earlier session left behind.
#[derive(Debug)]
pub struct Leftover {
    journal: Journal,
    records: Vec<Record>,
    /// Where the first record starts and each record ends.
    ends: Vec<u64>,
}

/// The state of a file's journal.
#[derive(Debug)]
pub enum Found {
    /// There is none.
    Nothing,
    /// Another process is editing the file.
    InUse,
    /// Changes of a session that ended without saving them.
    Work(Leftover),
    /// A journal for another text: the file was changed since, or it is not a journal.
    Misfit(PathBuf),
}

impl Leftover {
    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// All records.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Continues the journal after this many of its records; the others are deleted.
    pub fn go_on_after(self, records: usize) -> Journal {
        let mut journal = self.journal;
        journal.written = self.ends.get(records).copied().unwrap_or(journal.written);
        journal.trouble = journal.flush().err().map(|error| error.to_string());
        journal
    }

    /// Deletes it.
    pub fn discard(self) -> io::Result<()> {
        self.journal.end()
    }
}

/// Finds the journal of a file whose text has this fingerprint.
pub fn find(file: &Path, text: Fingerprint) -> io::Result<Found> {
    let path = path_beside(file);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
        // A device could be endless.
        Ok(found) if !found.is_file() => return Err(io::Error::other("not a regular file")),
        Ok(_) => {}
    }
    let mut file = match OpenOptions::new().read(true).write(true).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        opened => opened?,
    };
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(Found::InUse),
        Err(TryLockError::Error(error)) => return Err(error),
        // Its owner removed it between the two calls.
        Ok(()) if !is_at(&file, &path) => return Ok(Found::Nothing),
        Ok(()) => {}
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let read = read(&bytes).map(|contents| contents.since_save(text));
    Ok(match read {
        Some(contents) if contents.records.is_empty() => {
            fs::remove_file(&path)?;
            Found::Nothing
        }
        Some(contents) if contents.base == text => Found::Work(contents.left_in(path, file)),
        Some(_) | None => Found::Misfit(path),
    })
}

/// True if the path still leads to the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    let (open, there) = (file.metadata().map(id), fs::symlink_metadata(path).map(id));
    open.is_ok_and(|open| there.is_ok_and(|there| open == there))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The readable part of a journal.
#[derive(Debug)]
struct Contents {
    base: Fingerprint,
    records: Vec<Record>,
    /// Where the first record starts and each record ends.
    ends: Vec<u64>,
}

/// Reads up to the first damaged line. None if that is the first one.
fn read(bytes: &[u8]) -> Option<Contents> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    let mut lines = text.split_inclusive('\n');
    let header = lines.next()?;
    let base = read_fingerprint(checked(header)?.strip_prefix(HEADER)?)?;
    let mut records = Vec::new();
    let mut end = header.len() as u64;
    let mut ends = vec![end];
    for line in lines {
        let Some(record) = checked(line).and_then(Record::read) else {
            break;
        };
        end += line.len() as u64;
        records.push(record);
        ends.push(end);
    }
    Some(Contents {
        base,
        records,
        ends,
    })
}

impl Contents {
    /// The records after the save that gave the file its present text. Without such a save, all of
    /// them: the process may have been killed before the save was complete.
    fn since_save(mut self, text: Fingerprint) -> Contents {
        let is_save = |record: &Record| *record == Record::Saving(text);
        if let Some(save) = self.records.iter().rposition(is_save) {
            self.records.drain(..=save);
            self.ends.drain(..=save);
            self.base = text;
        }
        let is_save = |record: &Record| matches!(record, Record::Saving(_));
        // The entry before the first record is its start, and stays.
        let mut dropped = self.records.iter().map(is_save);
        let mut is_first = true;
        self.ends
            .retain(|_| std::mem::take(&mut is_first) || dropped.next() == Some(false));
        self.records.retain(|record| !is_save(record));
        self
    }

    fn left_in(self, path: PathBuf, file: File) -> Leftover {
        let journal = Journal {
            path,
            file: Some(file),
            written: self.ends.last().copied().unwrap_or(0),
            pending: String::new(),
            trouble: None,
        };
        Leftover {
            journal,
            records: self.records,
            ends: self.ends,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        vec![
            Record::Edit {
                game: 2,
                id: 17,
                verb: Verb::Comment("a\nb \\n c".to_owned()),
            },
            Record::Undo,
            Record::Redo,
            Record::Chapters(vec![
                ListRecord::Insert {
                    game: 2,
                    text: "{é; a\nb} 1. e4 *".to_owned(),
                },
                ListRecord::Move { from: 2, to: 0 },
                ListRecord::Replace {
                    game: 0,
                    text: String::new(),
                },
                ListRecord::Remove { game: 1 },
            ]),
        ]
    }

    fn left(file: &Path, text: &[u8]) -> Leftover {
        match find(file, Fingerprint::of(text)).expect("readable") {
            Found::Work(left) => left,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn truncated_journals_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        let mut journal = Journal::begin(&file, Fingerprint::of(b"text")).expect("begins");
        for record in records() {
            journal.record(&record);
        }
        drop(journal);
        assert_eq!(left(&file, b"text").records(), records());
        let whole = fs::read(path_beside(&file)).expect("a journal");
        let lines: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        for cut in 0..whole.len() {
            fs::write(path_beside(&file), &whole[..cut]).expect("cut");
            let complete = lines.iter().filter(|&&end| end < cut).count();
            match find(&file, Fingerprint::of(b"text")).expect("readable") {
                Found::Misfit(_) => assert_eq!(complete, 0),
                Found::Nothing => {
                    assert_eq!(complete, 1);
                    assert!(!path_beside(&file).exists());
                }
                Found::Work(left) => assert_eq!(left.records(), &records()[..complete - 1]),
                Found::InUse => panic!("no process holds it"),
            }
        }
    }

    #[test]
    fn records_that_do_not_fit_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        for kept in 0..=records().len() {
            let mut journal = Journal::begin(&file, Fingerprint::of(b"text")).expect("begins");
            records().iter().for_each(|record| journal.record(record));
            drop(journal);
            let mut journal = left(&file, b"text").go_on_after(kept);
            journal.record(&Record::Undo);
            drop(journal);
            let left = left(&file, b"text");
            let (last, before) = left.records().split_last().expect("a record");
            assert_eq!((before, last), (&records()[..kept], &Record::Undo));
            left.discard().expect("removed");
        }
    }

    #[cfg(unix)]
    #[test]
    fn records_wait_while_the_disk_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        let mut journal = Journal::begin(&file, Fingerprint::of(b"text")).expect("begins");
        journal.record(&records()[0]);
        let disk = journal.file.as_ref().and_then(|file| file.try_clone().ok());
        journal.fill_disk();
        journal.record(&records()[1]);
        assert!(journal.trouble().is_some());
        journal.file = disk;
        journal.record(&records()[2]);
        assert_eq!(journal.trouble(), None);
        drop(journal);
        assert_eq!(left(&file, b"text").records(), &records()[..3]);
    }

    #[test]
    fn a_missing_folder_is_reported() {
        let mut journal =
            Journal::begin(Path::new("/nowhere/a.pgn"), Fingerprint::of(b"")).expect("not in use");
        assert!(journal.trouble().is_some());
        journal.record(&Record::Undo);
        assert!(journal.trouble().is_some());
        journal.end().expect("nothing to remove");
    }

    #[test]
    fn records_before_a_save_are_obsolete() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        let mut journal = Journal::begin(&file, Fingerprint::of(b"old")).expect("begins");
        journal.record(&Record::Undo);
        journal.record(&Record::Saving(Fingerprint::of(b"new")));
        drop(journal);
        // Killed before the rename: the records still apply.
        assert_eq!(left(&file, b"old").records(), [Record::Undo]);
        assert!(matches!(
            find(&file, Fingerprint::of(b"other")),
            Ok(Found::Misfit(_))
        ));
        // Killed after it: no record is left to apply.
        assert!(matches!(
            find(&file, Fingerprint::of(b"new")),
            Ok(Found::Nothing)
        ));
        assert!(!path_beside(&file).exists());
    }

    #[test]
    fn one_process_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        let journal = Journal::begin(&file, Fingerprint::of(b"")).expect("begins");
        assert!(matches!(
            find(&file, Fingerprint::of(b"")),
            Ok(Found::InUse)
        ));
        assert!(Journal::begin(&file, Fingerprint::of(b"")).is_err());
        journal.end().expect("ends");
        assert!(matches!(
            find(&file, Fingerprint::of(b"")),
            Ok(Found::Nothing)
        ));
    }
}
