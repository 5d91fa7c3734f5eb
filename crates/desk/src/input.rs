//! Where bytes come from: files, folders and standard input, compressed or not.
//!
//! ```no_run
//! use std::io::Read;
//!
//! for source in desk::input::gather(["games/", "more.pgn.zst"])? {
//!     let mut text = Vec::new();
//!     source.open()?.read_to_end(&mut text)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod packed;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use packed::{Packing, Unpack};

/// Something that can be opened and read from its beginning to its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// What `-` or a path means, without looking at the disk.
    pub fn from_arg(arg: impl AsRef<OsStr>) -> Source {
        match arg.as_ref() {
            dash if dash == "-" => Source::Stdin,
            path => Source::File(PathBuf::from(path)),
        }
    }

    /// The name for messages: the path as given, or `<stdin>`.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Source::Stdin => Cow::Borrowed("<stdin>"),
            Source::File(path) => path.to_string_lossy(),
        }
    }

    /// How many bytes it takes on disk; unknown for a stream.
    pub fn size(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => fs::metadata(path)
                .ok()
                .filter(fs::Metadata::is_file)
                .map(|m| m.len()),
        }
    }

    /// Opens it, unpacking what is packed: text comes out.
    pub fn open(&self) -> Result<Unpack, InputError> {
        self.open_counted(Counter::default())
    }

    /// The same, counting the bytes taken from the disk as they are taken.
    pub fn open_counted(&self, counter: Counter) -> Result<Unpack, InputError> {
        let raw: Box<dyn Read + Send> = match self {
            Source::Stdin => Box::new(io::stdin()),
            Source::File(path) => Box::new(open_file(path)?),
        };
        Unpack::new(Box::new(Counted { raw, counter })).map_err(|error| self.blame(error))
    }

    /// Says of an I/O error where it happened.
    pub fn blame(&self, error: io::Error) -> InputError {
        InputError::Unreadable {
            name: self.name().into_owned(),
            error,
        }
    }
}

/// What the arguments of a command line name: files as they are, folders by the games in them
/// (`*.pgn`, also `.gz`, `.bz2`, `.zst`, all levels down, sorted), `-` for standard input.
pub fn gather<A: AsRef<OsStr>>(
    args: impl IntoIterator<Item = A>,
) -> Result<Vec<Source>, InputError> {
    let mut found = Vec::new();
    for arg in args {
        match Source::from_arg(arg) {
            Source::Stdin if found.contains(&Source::Stdin) => return Err(InputError::StdinTwice),
            Source::File(path) if path.is_dir() => found.extend(in_folder(&path)?),
            Source::File(path) => found.push(existing(path)?),
            Source::Stdin => found.push(Source::Stdin),
        }
    }
    Ok(found)
}

/// Why something could not be read.
#[derive(Debug)]
pub enum InputError {
    /// A path that leads nowhere.
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder without a single game file.
    EmptyFolder {
        /// The folder as given.
        path: PathBuf,
    },
    /// `- -`: standard input can be read only once.
    StdinTwice,
    /// Opening or reading failed.
    Unreadable {
        /// The source's name.
        name: String,
        /// What the system, or the unpacking, said.
        error: io::Error,
    },
}

impl InputError {
    /// What the user could do about it.
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            InputError::NotFound { .. } => Some("check the spelling; `-` reads standard input"),
            InputError::EmptyFolder { .. } => Some(
                "folders are searched for *.pgn, *.pgn.gz, *.pgn.bz2 and *.pgn.zst; name other files one by one",
            ),
            InputError::StdinTwice => Some("give `-` once"),
            InputError::Unreadable { error, .. } => match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    Some("the file is cut short: copy or download it again")
                }
                io::ErrorKind::IsADirectory => Some("name one of the files in it"),
                io::ErrorKind::PermissionDenied => Some("ask for the right to read it, or copy it"),
                _ => packed::fix(error),
            },
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::NotFound { path } => {
                write!(f, "{}: there is no such file or folder", path.display())
            }
            InputError::EmptyFolder { path } => {
                write!(f, "{}: no game files in this folder", path.display())
            }
            InputError::StdinTwice => write!(f, "standard input can be read only once"),
            InputError::Unreadable { name, error } => match error.kind() {
                io::ErrorKind::UnexpectedEof => write!(f, "{name}: the packed data ends too early"),
                io::ErrorKind::IsADirectory => write!(f, "{name}: this is a folder, not a file"),
                io::ErrorKind::PermissionDenied => write!(f, "{name}: no permission to read it"),
                _ => write!(f, "{name}: {error}"),
            },
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            InputError::Unreadable { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// A count of bytes that another thread may look at.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// What was counted so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts on.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }
}

struct Counted {
    raw: Box<dyn Read + Send>,
    counter: Counter,
}

impl Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.raw.read(buf)?;
        self.counter.add(n as u64);
        Ok(n)
    }
}

fn open_file(path: &Path) -> Result<File, InputError> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => InputError::NotFound {
            path: path.to_owned(),
        },
        _ => Source::File(path.to_owned()).blame(error),
    })
}

fn existing(path: PathBuf) -> Result<Source, InputError> {
    match fs::metadata(&path) {
        Ok(_) => Ok(Source::File(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(InputError::NotFound { path }),
        Err(error) => Err(Source::File(path).blame(error)),
    }
}

fn in_folder(folder: &Path) -> Result<Vec<Source>, InputError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let blame = |error| Source::File(folder.clone()).blame(error);
        for entry in fs::read_dir(&folder).map_err(blame)? {
            let entry = entry.map_err(blame)?;
            // A link to a folder is not followed: it may lead back to where we came from.
            if entry.file_type().map_err(blame)?.is_dir() {
                folders.push(entry.path());
            } else if is_game_file(&entry.file_name()) && entry.path().is_file() {
                found.push(Source::File(entry.path()));
            }
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(InputError::EmptyFolder {
            path: folder.to_owned(),
        }),
        false => Ok(found),
    }
}

fn is_game_file(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let name = Packing::ENDINGS
        .iter()
        .find_map(|(ending, _)| name.strip_suffix(ending))
        .unwrap_or(&name);
    name.ends_with(".pgn")
}

#[cfg(test)]
mod tests;
