//! The journal beside a file: every change is on disk before the next one, so that a killed
//! process loses nothing.
//!
//! It is text. Each line has a checksum, a blank, and a record:
//!
//! ```text
//! 3f2a9c01 gametree-journal 1 48213 9e3779b97f4a7c15    length and fingerprint of the file's text
//! 77c1d2aa edit 1 17 promote                            game, position id, verb
//! 0b44ee12 undo
//! 5d90a1f3 redo
//! 91be07c4 game 1 [Event "…"]\n…                        the whole game as it became
//! e2f81a90 saving 48300 c2b2ae3d27d4eb4f                the file is about to have this text
//! ```
//!
//! A line that is torn ends the reading. Position ids are those at the time of the change.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::edit::{Verb, escape, unescape};

/// What a text is known by: its length and a hash (FNV-1a).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    len: u64,
    hash: u64,
}

impl Fingerprint {
    /// That of a text.
    pub fn of(text: &[u8]) -> Fingerprint {
        Fingerprint {
            len: text.len() as u64,
            hash: fnv(text),
        }
    }
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Record {
    /// A verb was done.
    Edit {
        /// In which game, from 0.
        game: usize,
        /// At which position.
        id: u32,
        /// What.
        verb: Verb,
    },
    /// The last change was taken back.
    Undo,
    /// What was taken back was done again.
    Redo,
    /// A game became this: an undo or redo beyond the last save.
    Game {
        /// Which game, from 0.
        game: usize,
        /// Its text.
        text: String,
    },
    /// The file is about to be saved with this text.
    Saving(Fingerprint),
}

impl Record {
    fn line(&self) -> String {
        match self {
            Record::Edit { game, id, verb } => format!("edit {} {id} {verb}", game + 1),
            Record::Undo => "undo".to_owned(),
            Record::Redo => "redo".to_owned(),
            Record::Game { game, text } => format!("game {} {}", game + 1, escape(text)),
            Record::Saving(Fingerprint { len, hash }) => format!("saving {len} {hash:016x}"),
        }
    }

    fn read(line: &str) -> Option<Record> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "undo" => Some(Record::Undo),
            "redo" => Some(Record::Redo),
            "saving" => read_fingerprint(rest).map(Record::Saving),
            "game" => {
                let (game, text) = read_game_number(rest)?;
                let text = unescape(text);
                Some(Record::Game { game, text })
            }
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
    let number: usize = number.parse().ok()?;
    Some((number.checked_sub(1)?, rest))
}

fn read_fingerprint(text: &str) -> Option<Fingerprint> {
    let (len, hash) = text.split_once(' ')?;
    Some(Fingerprint {
        len: len.parse().ok()?,
        hash: u64::from_str_radix(hash, 16).ok()?,
    })
}

const HEADER: &str = "gametree-journal 1 ";

fn with_checksum(payload: &str) -> String {
    format!("{:08x} {payload}\n", fnv(payload.as_bytes()) as u32)
}

fn checked(line: &str) -> Option<&str> {
    let (sum, payload) = line.strip_suffix('\n')?.split_once(' ')?;
    let is_right = u32::from_str_radix(sum, 16) == Ok(fnv(payload.as_bytes()) as u32);
    is_right.then_some(payload)
}

/// Where the journal of a file is: beside it, out of sight.
pub fn path_beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.gametree-journal"))
}

/// A journal that is being written. Only one process at a time can have it.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Begins the journal of a file whose text has this fingerprint.
    pub fn begin(file: &Path, text: Fingerprint) -> io::Result<Journal> {
        let path = path_beside(file);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        file.try_lock().map_err(io::Error::from)?;
        let mut journal = Journal { file, path };
        let Fingerprint { len, hash } = text;
        journal.write(&format!("{HEADER}{len} {hash:016x}"))?;
        Ok(journal)
    }

    /// Writes a record and waits for the disk.
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        self.write(&record.line())
    }

    fn write(&mut self, payload: &str) -> io::Result<()> {
        self.file.write_all(with_checksum(payload).as_bytes())?;
        self.file.sync_data()
    }

    /// The work is saved, or thrown away on purpose: no trace stays.
    pub fn end(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

/// A journal that an earlier session left behind.
#[derive(Debug)]
pub struct Leftover {
    journal: Journal,
    base: Fingerprint,
    records: Vec<Record>,
    /// Where each record ends.
    ends: Vec<u64>,
}

/// What was found beside a file.
#[derive(Debug)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// Another process is at work on the file.
    InUse,
    /// The work of a session that did not end well.
    Work(Leftover),
    /// A journal that fits no text we know: the file was changed since, or it is no journal.
    Misfit(PathBuf),
}

impl Leftover {
    /// How many changes there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True if nothing happened.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// What happened.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Goes on with the journal after so many of its records; the others are forgotten.
    pub fn go_on_after(self, records: usize) -> io::Result<Journal> {
        let mut journal = self.journal;
        let end = records.checked_sub(1).and_then(|last| self.ends.get(last));
        if let Some(&end) = end {
            journal.file.set_len(end)?;
        }
        journal.file.seek(SeekFrom::End(0))?;
        Ok(journal)
    }

    /// Throws it away.
    pub fn discard(self) -> io::Result<()> {
        self.journal.end()
    }
}

/// Looks for a journal beside a file whose text has this fingerprint.
pub fn find(file: &Path, text: Fingerprint) -> io::Result<Found> {
    let path = path_beside(file);
    let opened = OpenOptions::new().read(true).write(true).open(&path);
    let mut journal = match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
        Ok(file) => Journal { file, path },
    };
    match journal.file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(Found::InUse),
        Err(TryLockError::Error(error)) => return Err(error),
        Ok(()) => {}
    }
    let mut bytes = Vec::new();
    journal.file.read_to_end(&mut bytes)?;
    let path = journal.path.clone();
    match read(journal, &bytes).map(|left| left.since_save(text)) {
        None => Ok(Found::Misfit(path)),
        Some(left) if left.is_empty() => {
            left.discard()?;
            Ok(Found::Nothing)
        }
        Some(left) if left.base == text => Ok(Found::Work(left)),
        Some(_) => Ok(Found::Misfit(path)),
    }
}

/// Reads as far as the lines are whole. None if not even the first is.
fn read(journal: Journal, bytes: &[u8]) -> Option<Leftover> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    let mut lines = text.split_inclusive('\n');
    let header = lines.next()?;
    let base = read_fingerprint(checked(header)?.strip_prefix(HEADER)?)?;
    let (mut records, mut ends) = (Vec::new(), Vec::new());
    let mut end = header.len() as u64;
    for line in lines {
        let Some(record) = checked(line).and_then(Record::read) else {
            break;
        };
        end += line.len() as u64;
        records.push(record);
        ends.push(end);
    }
    Some(Leftover {
        journal,
        base,
        records,
        ends,
    })
}

impl Leftover {
    /// What happened after the save that gave the file its present text. Without such a save, all
    /// of it: the process may have died on the way to the disk.
    fn since_save(mut self, text: Fingerprint) -> Leftover {
        let is_save = |record: &Record| *record == Record::Saving(text);
        if let Some(save) = self.records.iter().rposition(is_save) {
            self.records.drain(..=save);
            self.ends.drain(..=save);
            self.base = text;
        }
        let is_save = |record: &Record| matches!(record, Record::Saving(_));
        let kept = self.records.iter().map(|record| !is_save(record));
        let kept: Vec<bool> = kept.collect();
        let mut kept_ends = kept.iter();
        self.ends.retain(|_| kept_ends.next() == Some(&true));
        self.records.retain(|record| !is_save(record));
        self
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
            Record::Game {
                game: 0,
                text: "[Event \"é\"]\n\n1. e4 *\n".to_owned(),
            },
        ]
    }

    fn left(file: &Path, text: &[u8]) -> Leftover {
        match find(file, Fingerprint::of(text)).expect("readable") {
            Found::Work(left) => left,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_written_is_read_however_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        let mut journal = Journal::begin(&file, Fingerprint::of(b"text")).expect("begins");
        for record in records() {
            journal.record(&record).expect("written");
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
                Found::InUse => panic!("nobody uses it"),
            }
        }
    }

    #[test]
    fn a_save_settles_what_came_before_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.pgn");
        let mut journal = Journal::begin(&file, Fingerprint::of(b"old")).expect("begins");
        journal.record(&Record::Undo).expect("written");
        journal
            .record(&Record::Saving(Fingerprint::of(b"new")))
            .expect("written");
        drop(journal);
        // Killed before the rename: the work is still to be done.
        assert_eq!(left(&file, b"old").records(), [Record::Undo]);
        assert!(matches!(
            find(&file, Fingerprint::of(b"other")),
            Ok(Found::Misfit(_))
        ));
        // Killed after it: nothing is left to do.
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
