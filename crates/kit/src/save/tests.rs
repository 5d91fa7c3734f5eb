use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use super::{Output, Overwrite, Target, copy, save, save_over};
use crate::input::Source;

fn read(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    Source::from_arg(path)
        .open()
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn saved_data_is_read_back_in_every_compression() {
    let dir = tempfile::tempdir().unwrap();
    let text = b"1. e4 e5 *\n".repeat(1000);
    for name in ["a.pgn", "a.pgn.gz", "a.pgn.bz2", "a.pgn.zst"] {
        let path = dir.path().join(name);
        save(Target::from_arg(&path), &text).unwrap();
        assert_eq!(read(&path), text, "{name}");
    }
    let plain = fs::metadata(dir.path().join("a.pgn")).unwrap().len();
    assert!(fs::metadata(dir.path().join("a.pgn.zst")).unwrap().len() < plain / 10);
}

#[test]
fn nothing_changes_before_the_finish() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, "old").unwrap();
    let mut output = Output::create(Target::from_arg(&path)).unwrap();
    output.write_all(b"new").unwrap();
    output.flush().unwrap();
    assert_eq!(read(&path), b"old");
    drop(output);
    assert_eq!((read(&path), entries(dir.path())), (b"old".to_vec(), 1));
    save(Target::from_arg(&path), b"new").unwrap();
    assert_eq!((read(&path), entries(dir.path())), (b"new".to_vec(), 1));
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_and_new_files_are_ordinary() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (old, new, ordinary) = (
        dir.path().join("old"),
        dir.path().join("new"),
        dir.path().join("ordinary"),
    );
    fs::write(&old, "").unwrap();
    fs::set_permissions(&old, PermissionsExt::from_mode(0o640)).unwrap();
    fs::write(&ordinary, "").unwrap();
    for path in [&old, &new] {
        save(Target::from_arg(path), b"x").unwrap();
    }
    assert_eq!((mode(&old), mode(&new)), (0o640, mode(&ordinary)));
}

#[cfg(unix)]
#[test]
fn a_link_still_leads_to_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let (file, link) = (dir.path().join("file"), dir.path().join("link"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    save(Target::from_arg(&link), b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(read(&file), b"new");
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_not_replaced() {
    save(Target::from_arg("/dev/null"), b"x").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn errors_name_the_target() {
    let dir = tempfile::tempdir().unwrap();
    let error = save(Target::from_arg(dir.path()), b"x").unwrap_err();
    assert!(
        error.to_string().ends_with("is a folder; give a file name"),
        "{error}"
    );
    let error = save(Target::from_arg(dir.path().join("no/a.pgn")), b"x").unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("no/a.pgn: the folder to write into does not exist"),
        "{error}"
    );
}

#[test]
fn a_dash_is_standard_output() {
    assert_eq!(Target::from_arg("-"), Target::Stdout);
    assert!(!Target::Stdout.replaces());
}

#[cfg(unix)]
#[test]
fn read_only_files_are_replaced_only_on_request() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).unwrap();
    let error = save(Target::from_arg(&path), b"new").unwrap_err();
    assert!(error.is_read_only());
    assert!(
        error.to_string().ends_with("the file is read-only"),
        "{error}"
    );
    assert_eq!((read(&path), entries(dir.path())), (b"old".to_vec(), 1));
    save_over(Target::from_arg(&path), b"new", Overwrite::ReadOnly).unwrap();
    assert_eq!(read(&path), b"new");
    assert!(fs::metadata(&path).unwrap().permissions().readonly());
}

#[cfg(unix)]
#[test]
fn copies_replace_a_link_and_not_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let [file, copied, elsewhere] =
        ["a.pgn", "a.pgn.bak", "elsewhere"].map(|name| dir.path().join(name));
    fs::write(&file, "text").unwrap();
    fs::write(&elsewhere, "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &copied).unwrap();
    copy(&file, &copied, Overwrite::Writable).unwrap();
    assert_eq!(
        (read(&copied), read(&elsewhere)),
        (b"text".into(), b"mine".into())
    );
    assert!(!fs::symlink_metadata(&copied).unwrap().is_symlink());
}

#[test]
fn stale_temporary_files_go_and_live_ones_stay() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    let stale = dir.path().join(".gametree-dead.tmp");
    let other = dir.path().join(".gametree-note.txt");
    fs::write(&stale, "half").unwrap();
    fs::write(&other, "mine").unwrap();
    let mut live = Output::create(Target::from_arg(&path)).unwrap();
    live.write_all(b"first").unwrap();
    save(Target::from_arg(&path), b"second").unwrap();
    assert!(!stale.exists() && other.exists());
    live.finish().unwrap();
    assert_eq!((read(&path), entries(dir.path())), (b"first".to_vec(), 2));
}
