//! The directory that a query may write into.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// A directory that the user allowed a query to write into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedDir {
    /// Without symbolic links.
    root: PathBuf,
}

/// The reason why a query may not write a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The path leads out of the directory, perhaps by a symbolic link.
    Outside,
    /// The file is a symbolic link.
    Symlink,
    /// The path does not name a file.
    NoFile,
    /// The folder of the file cannot be reached.
    Folder(io::Error),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Outside => f.write_str("outside the allowed directory"),
            Refused::Symlink => f.write_str("is a symbolic link"),
            Refused::NoFile => f.write_str("not a file name"),
            Refused::Folder(error) => write!(f, "its folder cannot be reached: {error}"),
        }
    }
}

impl std::error::Error for Refused {}

impl AllowedDir {
    /// Allows an existing directory.
    pub fn new(dir: &Path) -> io::Result<AllowedDir> {
        let root = fs::canonicalize(dir)?;
        if root.is_dir() {
            Ok(AllowedDir { root })
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// The file that a path in a query names; relative paths start at the directory.
    ///
    /// The folder of the file must exist, so that symbolic links on the way are known.
    pub fn resolve(&self, path: impl AsRef<Path>) -> Result<PathBuf, Refused> {
        let path = self.root.join(path);
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Refused::NoFile);
        };
        let folder = fs::canonicalize(folder).map_err(Refused::Folder)?;
        if !folder.starts_with(&self.root) {
            return Err(Refused::Outside);
        }
        let file = folder.join(name);
        match fs::symlink_metadata(&file) {
            Ok(found) if found.is_symlink() => Err(Refused::Symlink),
            Ok(found) if found.is_dir() => Err(Refused::NoFile),
            _ => Ok(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_inside_are_allowed() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        let allowed = AllowedDir::new(dir.path()).unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        for (path, file) in [
            ("a.pgn", "a.pgn"),
            ("sub/a.pgn", "sub/a.pgn"),
            ("sub/../a.pgn", "a.pgn"),
            ("./a.pgn", "a.pgn"),
        ] {
            assert_eq!(allowed.resolve(path).unwrap(), root.join(file), "{path}");
        }
        let absolute = root.join("sub/b.pgn");
        assert_eq!(allowed.resolve(&absolute).unwrap(), absolute);
    }

    #[test]
    fn nothing_outside_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let allowed = AllowedDir::new(&inner).unwrap();
        let outside = dir.path().join("a.pgn");
        for path in ["../a.pgn", "../inner2/a.pgn", "/a.pgn", "..", "", "."] {
            assert!(allowed.resolve(path).is_err(), "{path}");
        }
        assert!(allowed.resolve(&outside).is_err());
        assert!(matches!(
            allowed.resolve("no/a.pgn"),
            Err(Refused::Folder(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_do_not_lead_out() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(dir.path().join("secret"), "x").unwrap();
        symlink(dir.path(), inner.join("out")).unwrap();
        symlink(dir.path().join("secret"), inner.join("link.pgn")).unwrap();
        let allowed = AllowedDir::new(&inner).unwrap();
        assert!(matches!(
            allowed.resolve("out/a.pgn"),
            Err(Refused::Outside)
        ));
        assert!(matches!(allowed.resolve("link.pgn"), Err(Refused::Symlink)));
    }
}
