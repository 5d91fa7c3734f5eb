//! Atomic saves.
//!
//! A file is written beside its target and renamed over it when it is complete and on disk; until
//! then the target is unchanged. An [`Output`] dropped before [`Output::finish`] leaves no trace;
//! the temporary file of a killed process is removed by the next save in its folder.

mod frames;
mod temporary;

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use frames::Frames;
use tempfile::NamedTempFile;
pub use temporary::create_beside;
#[cfg(feature = "parquet")]
pub(crate) use temporary::create_folder_in;

use crate::input::Compression;

/// The destination of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output, written `-`.
    Stdout,
    /// A file, compressed according to its extension (`.gz`, `.bz2`, `.zst`).
    File(PathBuf),
}

impl Target {
    /// Interprets `-` or a path.
    pub fn from_arg(arg: impl AsRef<OsStr>) -> Target {
        match arg.as_ref() {
            dash if dash == "-" => Target::Stdout,
            path => Target::File(PathBuf::from(path)),
        }
    }

    /// True if writing there replaces an existing file.
    pub fn replaces(&self) -> bool {
        matches!(self, Target::File(path) if path.is_file())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Stdout => f.write_str("<stdout>"),
            Target::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The existing files that a save may replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overwrite {
    /// Those with write permission.
    #[default]
    Writable,
    /// Read-only files too.
    ReadOnly,
}

/// The reason why an output could not be written.
#[derive(Debug)]
pub struct SaveError {
    /// The target.
    pub target: Target,
    /// The error of the system.
    pub error: io::Error,
}

impl SaveError {
    /// True if the target is a read-only file, which [`Overwrite::ReadOnly`] replaces.
    pub fn is_read_only(&self) -> bool {
        let inner = self.error.get_ref();
        inner.is_some_and(|inner| inner.is::<ReadOnlyFile>())
    }
}

/// The inner error of a refusal to replace a read-only file.
#[derive(Debug)]
struct ReadOnlyFile;

impl fmt::Display for ReadOnlyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file is read-only")
    }
}

impl std::error::Error for ReadOnlyFile {}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.kind() {
            io::ErrorKind::NotFound => write!(
                f,
                "{}: the folder to write into does not exist",
                self.target
            ),
            io::ErrorKind::PermissionDenied if !self.is_read_only() => {
                write!(f, "{}: permission denied", self.target)
            }
            io::ErrorKind::IsADirectory => {
                write!(f, "{}: is a folder; give a file name", self.target)
            }
            _ => write!(f, "{}: {}", self.target, self.error),
        }
    }
}

impl std::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// A writer whose target does not change before [`finish`](Output::finish).
pub struct Output {
    target: Target,
    encoder: Encoder,
}

impl Output {
    /// Starts writing. A read-only file is refused.
    pub fn create(target: Target) -> Result<Output, SaveError> {
        Output::create_over(target, Overwrite::Writable)
    }

    /// Starts writing, with a rule for existing files.
    pub fn create_over(target: Target, overwrite: Overwrite) -> Result<Output, SaveError> {
        match open(&target, overwrite) {
            Ok(encoder) => Ok(Output { target, encoder }),
            Err(error) => Err(SaveError { target, error }),
        }
    }

    /// Completes the compression, syncs to disk and renames the file to its target.
    pub fn finish(self) -> Result<(), SaveError> {
        let Output { target, encoder } = self;
        encoder
            .finish()
            .and_then(Sink::finish)
            .map_err(|error| SaveError { target, error })
    }
}

impl Write for Output {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.encoder.as_write().write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.as_write().flush()
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output({})", self.target)
    }
}

/// Writes `bytes` to `target` atomically. A read-only file is refused.
pub fn save(target: Target, bytes: &[u8]) -> Result<(), SaveError> {
    save_over(target, bytes, Overwrite::Writable)
}

/// Writes `bytes` to `target` atomically, with a rule for existing files.
pub fn save_over(target: Target, bytes: &[u8], overwrite: Overwrite) -> Result<(), SaveError> {
    let mut output = Output::create_over(target, overwrite)?;
    match output.write_all(bytes) {
        Ok(()) => output.finish(),
        Err(error) => Err(SaveError {
            target: output.target,
            error,
        }),
    }
}

/// Copies a file atomically, byte for byte. A symbolic link at `to` is replaced, not followed.
pub fn copy(from: &Path, to: &Path, overwrite: Overwrite) -> Result<(), SaveError> {
    copy_file(from, to, overwrite).map_err(|error| SaveError {
        target: Target::File(to.to_owned()),
        error,
    })
}

fn copy_file(from: &Path, to: &Path, overwrite: Overwrite) -> io::Result<()> {
    let mut old = File::open(from)?;
    match fs::symlink_metadata(to) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if found.is_file() => refuse_read_only(to, &found, overwrite)?,
        Ok(_) | Err(_) => {}
    }
    let mut copy = create_like(to, Some(&old.metadata()?))?;
    io::copy(&mut old, &mut copy)?;
    persist(copy, to)
}

enum Encoder {
    Plain(Sink),
    Gzip(flate2::write::GzEncoder<Sink>),
    Bzip2(bzip2::write::BzEncoder<Sink>),
    Zstd(Frames<Sink>),
}

impl Encoder {
    fn new(compression: Compression, sink: Sink) -> io::Result<Encoder> {
        Ok(match compression {
            Compression::Plain => Encoder::Plain(sink),
            Compression::Gzip => Encoder::Gzip(flate2::write::GzEncoder::new(
                sink,
                flate2::Compression::default(),
            )),
            Compression::Bzip2 => Encoder::Bzip2(bzip2::write::BzEncoder::new(
                sink,
                bzip2::Compression::default(),
            )),
            Compression::Zstd => Encoder::Zstd(Frames::new(sink)?),
        })
    }

    fn as_write(&mut self) -> &mut dyn Write {
        match self {
            Encoder::Plain(inner) => inner,
            Encoder::Gzip(inner) => inner,
            Encoder::Bzip2(inner) => inner,
            Encoder::Zstd(inner) => inner,
        }
    }

    fn finish(self) -> io::Result<Sink> {
        match self {
            Encoder::Plain(inner) => Ok(inner),
            Encoder::Gzip(inner) => inner.finish(),
            Encoder::Bzip2(inner) => inner.finish(),
            Encoder::Zstd(inner) => inner.finish(),
        }
    }
}

/// The destination of the compressed bytes.
enum Sink {
    Stdout(BufWriter<io::Stdout>),
    /// A pipe or device, which cannot be replaced by renaming.
    Device(BufWriter<File>),
    File {
        beside: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
}

fn open(target: &Target, overwrite: Overwrite) -> io::Result<Encoder> {
    let Target::File(path) = target else {
        return Ok(Encoder::Plain(Sink::Stdout(BufWriter::new(io::stdout()))));
    };
    let sink = open_sink(path, overwrite)?;
    Encoder::new(Compression::of_name(path.as_os_str()), sink)
}

fn open_sink(path: &Path, overwrite: Overwrite) -> io::Result<Sink> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(Sink::Device(BufWriter::new(
            File::options().write(true).open(path)?,
        ))),
        Ok(found) => {
            refuse_read_only(path, &found, overwrite)?;
            // Replaces the file that a symbolic link points to, not the link.
            beside(fs::canonicalize(path)?, Some(&found))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => beside(path.to_owned(), None),
        Err(error) => Err(error),
    }
}

/// Renaming needs no permission of the file it replaces, so the file's own is checked here. Root
/// may open everything: the permission bits count too.
fn refuse_read_only(path: &Path, found: &fs::Metadata, overwrite: Overwrite) -> io::Result<()> {
    if overwrite == Overwrite::ReadOnly {
        return Ok(());
    }
    let opened = File::options().write(true).open(path);
    let is_denied = opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied);
    if is_denied || found.permissions().readonly() {
        let error = io::Error::new(io::ErrorKind::PermissionDenied, ReadOnlyFile);
        return Err(error);
    }
    Ok(())
}

fn beside(path: PathBuf, old: Option<&fs::Metadata>) -> io::Result<Sink> {
    Ok(Sink::File {
        beside: BufWriter::new(create_like(&path, old)?),
        path,
    })
}

/// A temporary file beside `path` with the permissions and owner of the old file.
fn create_like(path: &Path, old: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let file = create_beside(path)?;
    remember(file.path());
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
        keep_owner(file.path(), old);
    }
    Ok(file)
}

/// Gives a complete file its name.
fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_folder(path);
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    folder
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The temporary files and folders of this process; those of finished outputs no longer exist.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(crate) fn remember(path: &Path) {
    if let Ok(mut paths) = TEMPORARY.lock() {
        paths.push(path.to_owned());
    }
}

/// Removes the files of unfinished outputs, before a process ends without dropping them.
pub fn remove_unfinished() {
    if let Ok(mut paths) = TEMPORARY.lock() {
        for path in paths.drain(..) {
            // Temporary folders hold parts of tables.
            if fs::remove_file(&path).is_err() {
                drop(fs::remove_dir_all(path));
            }
        }
    }
}

impl Sink {
    fn finish(self) -> io::Result<()> {
        match self {
            Sink::Stdout(mut out) => out.flush(),
            Sink::Device(mut out) => out.flush(),
            Sink::File { beside, path } => {
                let file = beside
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)?;
                persist(file, &path)
            }
        }
    }
}

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(out) => out.write(buf),
            Sink::Device(out) => out.write(buf),
            Sink::File { beside, .. } => beside.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(out) => out.flush(),
            Sink::Device(out) => out.flush(),
            Sink::File { beside, .. } => beside.flush(),
        }
    }
}

/// Makes the rename itself durable. Not every file system can; the file is complete either way.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder_of(path)) {
        folder.sync_all().ok();
    }
}

/// Only root can keep another owner; for other users the file becomes their own.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt;
    std::os::unix::fs::chown(path, Some(old.uid()), Some(old.gid())).ok();
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

#[cfg(test)]
mod tests;
