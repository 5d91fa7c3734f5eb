//! Input: files, folders and standard input, compressed or not.
//!
//! ```no_run
//! for source in gametree_kit::input::gather(["games/", "more.pgn.zst"], &[".pgn"])? {
//!     let text = source.read_whole()?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compression;
mod frames;
mod shard;
mod stdin;
mod too_large;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use compression::{Compression, Decompressor};
pub use frames::{Layout, layout};
pub(crate) use frames::{SEEK_TABLE, SEEK_TABLE_END};
pub use shard::{NotAPoint, Point, Shard};
pub use stdin::interrupt_stdin;
pub use too_large::TooLarge;

use crate::limits::Limits;

/// The file that makes a folder one source: [`gather`] does not look into such a folder.
pub const FOLDER_MARK: &str = "manifest.gametree";

/// True for a folder that is one source.
pub fn is_marked_folder(path: &Path) -> bool {
    path.join(FOLDER_MARK).is_file()
}

/// A stream of bytes that can be opened and read once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A part of a file.
    Shard(Shard),
    /// Bytes in memory.
    Memory(Arc<[u8]>),
}

impl Source {
    /// Interprets `-`, a path, or `FILE#START-END` if there is such a file and no file with the
    /// whole name.
    pub fn from_arg(arg: impl AsRef<OsStr>) -> Source {
        match arg.as_ref() {
            dash if dash == "-" => Source::Stdin,
            path => match Shard::of_arg(path) {
                Some(shard) => Source::Shard(shard),
                None => Source::File(PathBuf::from(path)),
            },
        }
    }

    /// The file that it is or that it is a part of.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Source::File(path) => Some(path),
            Source::Shard(shard) => Some(&shard.path),
            Source::Stdin | Source::Memory(_) => None,
        }
    }

    /// The name for messages: the path as given, `<stdin>` or `<memory>`.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Source::Stdin => Cow::Borrowed("<stdin>"),
            Source::File(path) => path.to_string_lossy(),
            Source::Shard(shard) => Cow::Owned(shard.to_string()),
            Source::Memory(_) => Cow::Borrowed("<memory>"),
        }
    }

    /// The size on disk or in memory; unknown for a stream.
    pub fn size(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => size_of(path),
            Source::Shard(shard) if is_marked_folder(&shard.path) => None,
            Source::Shard(shard) => Some(shard.size()),
            Source::Memory(bytes) => Some(bytes.len() as u64),
        }
    }

    /// Opens it for reading, decompressing if needed.
    pub fn open(&self) -> Result<Decompressor, InputError> {
        self.open_counted(Counter::default())
    }

    /// Opens it, and counts the bytes read from disk.
    pub fn open_counted(&self, counter: Counter) -> Result<Decompressor, InputError> {
        self.open_within(counter, Limits::current())
    }

    /// The same with other limits than those of the process.
    pub fn open_within(
        &self,
        counter: Counter,
        limits: Limits,
    ) -> Result<Decompressor, InputError> {
        let raw: Box<dyn Read + Send> = match self {
            Source::Stdin => stdin::open(),
            Source::File(path) if is_marked_folder(path) => {
                return Err(InputError::MarkedFolder { path: path.clone() });
            }
            Source::File(path) => Box::new(open_file(path)?),
            Source::Shard(shard) if is_marked_folder(&shard.path) => {
                let path = shard.path.clone();
                return Err(InputError::MarkedFolder { path });
            }
            Source::Shard(shard) => {
                let text = shard.open(counter, limits);
                return text.map_err(|error| self.error_at(error));
            }
            Source::Memory(bytes) => Box::new(Cursor::new(bytes.clone())),
        };
        Decompressor::new(Box::new(Counted { raw, counter }), limits.unpacked)
            .map_err(|error| self.error_at(error))
    }

    /// All of its bytes, decompressed if needed.
    pub fn read_whole(&self) -> Result<Vec<u8>, InputError> {
        self.read_whole_within(Limits::current())
    }

    /// The same with other limits than those of the process.
    pub fn read_whole_within(&self, limits: Limits) -> Result<Vec<u8>, InputError> {
        let mut bytes = Vec::new();
        let input = self.open_within(Counter::default(), limits)?;
        let mut input = input.take(limits.text.0.saturating_add(1));
        input
            .read_to_end(&mut bytes)
            .map_err(|error| self.error_at(error))?;
        if bytes.len() as u64 > limits.text.0 {
            return Err(self.error_at(TooLarge::Whole(limits.text).into()));
        }
        Ok(bytes)
    }

    /// Adds the name of the source to an I/O error.
    pub fn error_at(&self, error: io::Error) -> InputError {
        InputError::Unreadable {
            name: self.name().into_owned(),
            error,
        }
    }
}

/// The size of a file, or of the files of a [marked folder](is_marked_folder).
fn size_of(path: &Path) -> Option<u64> {
    let found = fs::metadata(path).ok()?;
    if found.is_dir() && is_marked_folder(path) {
        let files = fs::read_dir(path).ok()?.filter_map(Result::ok);
        return files.map(|file| Some(file.metadata().ok()?.len())).sum();
    }
    found.is_file().then_some(found.len())
}

/// The sources named by command-line arguments: files as given, folders by their files with one of
/// `extensions` (also compressed: `.gz`, `.bz2`, `.zst`; recursive, sorted), `-` for standard
/// input, `FILE#START-END` for a [`Shard`]. A [marked folder](is_marked_folder) is one source.
pub fn gather<A: AsRef<OsStr>>(
    args: impl IntoIterator<Item = A>,
    extensions: &'static [&'static str],
) -> Result<Vec<Source>, InputError> {
    let mut found = Vec::new();
    for arg in args {
        match Source::from_arg(arg) {
            Source::Stdin if found.contains(&Source::Stdin) => return Err(InputError::StdinTwice),
            Source::File(path) if is_marked_folder(&path) => found.push(Source::File(path)),
            Source::File(path) if path.is_dir() => found.extend(in_folder(&path, extensions)?),
            Source::File(path) => found.push(existing(path)?),
            other => found.push(other),
        }
    }
    Ok(found)
}

/// The reason why a source could not be read.
#[derive(Debug)]
pub enum InputError {
    /// A path that does not exist.
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder without a file of the expected kind.
    EmptyFolder {
        /// The folder as given.
        path: PathBuf,
        /// The expected extensions.
        extensions: &'static [&'static str],
    },
    /// A folder that is one source, and too large to be read as a file.
    MarkedFolder {
        /// The folder as given.
        path: PathBuf,
    },
    /// `- -`: standard input can be read only once.
    StdinTwice,
    /// Opening or reading failed.
    Unreadable {
        /// The source's name.
        name: String,
        /// The error of the system or of the decompressor.
        error: io::Error,
    },
}

impl InputError {
    /// A hint for the user.
    pub fn fix(&self) -> Option<String> {
        let fix = match self {
            InputError::NotFound { .. } => Some("check the spelling; `-` reads standard input"),
            InputError::EmptyFolder { extensions, .. } => {
                let names = extensions.iter().map(|extension| format!("*{extension}"));
                let names = names.collect::<Vec<_>>().join(", ");
                return Some(format!(
                    "in folders only {names} are read, also with .gz, .bz2 or .zst; \
                     name other files explicitly"
                ));
            }
            InputError::MarkedFolder { path } => {
                return Some(format!(
                    "write some games to a file: gametree archive export {} --where FILTER -o FILE.pgn",
                    path.display()
                ));
            }
            InputError::StdinTwice => Some("give `-` once"),
            InputError::Unreadable { error, .. } => match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    Some("the file is truncated: copy or download it again")
                }
                io::ErrorKind::IsADirectory => Some("name one of the files in it"),
                io::ErrorKind::PermissionDenied => Some("check the permissions of the file"),
                _ => compression::fix(error).or_else(|| too_large::fix(error)),
            },
        };
        fix.map(str::to_owned)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::NotFound { path } => {
                write!(f, "{}: no such file or folder", path.display())
            }
            InputError::EmptyFolder { path, extensions } => {
                let extensions = extensions.join(" or ");
                write!(
                    f,
                    "{}: no {extensions} files in this folder",
                    path.display()
                )
            }
            InputError::MarkedFolder { path } => {
                write!(
                    f,
                    "{}: is an archive with too many games to open as one file",
                    path.display()
                )
            }
            InputError::StdinTwice => write!(f, "standard input can be read only once"),
            InputError::Unreadable { name, error } => match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    write!(f, "{name}: unexpected end of compressed data")
                }
                io::ErrorKind::IsADirectory => write!(f, "{name}: is a folder, not a file"),
                io::ErrorKind::PermissionDenied => write!(f, "{name}: permission denied"),
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

/// A counter that other threads can read.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// The current count.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds to the count.
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
        _ => Source::File(path.to_owned()).error_at(error),
    })
}

fn existing(path: PathBuf) -> Result<Source, InputError> {
    match fs::metadata(&path) {
        Ok(_) => Ok(Source::File(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(InputError::NotFound { path }),
        Err(error) => Err(Source::File(path).error_at(error)),
    }
}

fn in_folder(
    folder: &Path,
    extensions: &'static [&'static str],
) -> Result<Vec<Source>, InputError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let error_at = |error| Source::File(folder.clone()).error_at(error);
        for entry in fs::read_dir(&folder).map_err(error_at)? {
            let entry = entry.map_err(error_at)?;
            // Symbolic links to folders are not followed: they could form a cycle.
            if entry.file_type().map_err(error_at)?.is_dir() {
                match is_marked_folder(&entry.path()) {
                    true => found.push(Source::File(entry.path())),
                    false => folders.push(entry.path()),
                }
            } else if has_extension(&entry.file_name(), extensions) && entry.path().is_file() {
                found.push(Source::File(entry.path()));
            }
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(InputError::EmptyFolder {
            path: folder.to_owned(),
            extensions,
        });
    }
    Ok(found)
}

fn has_extension(name: &OsStr, extensions: &[&str]) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let name = Compression::strip_extension(&name);
    extensions.iter().any(|extension| name.ends_with(extension))
}

#[cfg(test)]
mod tests;
