//! Temporary files and folders that the next run removes if their process was killed.
//!
//! A process holds the lock of its temporary file or folder while it writes. The system releases
//! the lock when the process ends, so a temporary file without a lock is stale.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;
#[cfg(feature = "parquet")]
use tempfile::TempDir;

const PREFIX: &str = ".gametree-";
const SUFFIX: &str = ".tmp";

/// A new locked file in the folder of `path`, after removing the stale ones there. It is deleted
/// when dropped.
pub fn create_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = super::folder_of(path);
    remove_stale(folder);
    loop {
        let file = create(folder)?;
        match file.as_file().try_lock() {
            // Another process found the file before it was locked, and removes it.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !file.path().exists() => {}
            // Without locks no file counts as stale.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

#[cfg(feature = "parquet")]
/// A new folder in `parent`, after removing the stale ones there; locked as long as the file
/// returned is open, where folders can be locked. It is deleted when dropped.
pub fn create_folder_in(parent: &Path) -> io::Result<(TempDir, Option<File>)> {
    remove_stale(parent);
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let folder = builder.tempdir_in(parent)?;
        let Ok(lock) = File::open(folder.path()) else {
            return Ok((folder, None));
        };
        match lock.try_lock() {
            // Another process found the folder before it was locked, and removes it.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !folder.path().exists() => {}
            Ok(()) => return Ok((folder, Some(lock))),
            // Without locks no folder counts as stale.
            Err(TryLockError::Error(_)) => return Ok((folder, None)),
        }
    }
}

fn create(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(ordinary());
    builder.tempfile_in(folder)
}

/// A new file gets permissions by the user's umask, not a temporary file's 0600.
#[cfg(unix)]
fn ordinary() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

/// Errors are ignored: a file that cannot be removed does no harm.
fn remove_stale(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_temporary_name(&entry.file_name())) {
        if let Ok(kind) = entry.file_type() {
            remove_if_stale(&entry.path(), kind).ok();
        }
    }
}

fn is_temporary_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

fn remove_if_stale(path: &Path, kind: FileType) -> io::Result<()> {
    if !kind.is_file() && !kind.is_dir() {
        return Ok(());
    }
    let file = File::open(path)?;
    // The lock is kept while the file is removed: its owner cannot take it in between.
    match file.try_lock() {
        Ok(()) if kind.is_dir() => fs::remove_dir_all(path),
        Ok(()) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}
