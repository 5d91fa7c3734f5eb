//! Real games for the tests that need many of them.

use std::fs;
use std::path::{Path, PathBuf};

/// The files to read, and how many games of each.
pub struct Corpora {
    pub files: Vec<PathBuf>,
    pub limit: usize,
}

/// The files of `../shared/corpora` next to the repository, if it exists. `GAMETREE_CORPORA` sets
/// another folder, of which all games are read.
pub fn corpora() -> Option<Corpora> {
    let named = std::env::var_os("GAMETREE_CORPORA").map(PathBuf::from);
    let limit = if named.is_some() { usize::MAX } else { 20 };
    let folder = named.or_else(|| outside::find("corpora"))?;
    let mut files = Vec::new();
    collect(&folder, &mut files);
    Some(Corpora { files, limit })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "pgn") {
            files.push(path);
        }
    }
}
