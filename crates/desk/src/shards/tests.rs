use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use kit::input::{Source, gather};
use kit::save::{Target, save};
use kit::{Stop, Workers};

use super::{Plan, Reason, plan};
use crate::archive::{Indexed, create};
use crate::choose::Choice;
use crate::games::Games;
use crate::pgn_input::read_whole;

/// The bytes of all games of some sources, in order.
fn texts(sources: Vec<Source>) -> Vec<Vec<u8>> {
    let workers = Workers::new(NonZeroUsize::new(2), Stop::new());
    let mut all = Vec::new();
    let run = Games::new(sources, Choice::default()).as_text().run(
        &workers,
        |batch| {
            let mut some = Vec::new();
            batch.read_raw(|raw| some.push(raw.bytes.trim_ascii().to_vec()));
            some
        },
        |some| {
            all.extend(some);
            Ok::<(), Infallible>(())
        },
    );
    let Ok(run) = run;
    assert!(run.unread.is_empty(), "{:?}", run.unread);
    all
}

/// The shards of a file, read by their names.
fn from_shards(plan: &Plan) -> Vec<Vec<u8>> {
    let names = plan.pieces.iter().map(|piece| piece.shard.to_string());
    let sources = gather(names, crate::GAME_FILES).unwrap();
    assert!(
        sources
            .iter()
            .all(|source| matches!(source, Source::Shard(_)))
    );
    texts(sources)
}

fn plan_of(path: &Path, size: u64) -> Plan {
    plan(&[Source::File(path.to_owned())], size).unwrap()
}

/// Cuts a file into many sizes of shards, and returns the greatest number of shards.
fn check(path: &Path) -> usize {
    let whole = texts(vec![Source::File(path.to_owned())]);
    let len = fs::metadata(path).unwrap().len();
    let sizes = [2, 3, 7, 20].map(|parts| len / parts + 1);
    let counts = sizes.map(|size| {
        let plan = plan_of(path, size);
        let bytes: u64 = plan.pieces.iter().map(|piece| piece.bytes).sum();
        assert_eq!(bytes, len, "{}", path.display());
        let found = from_shards(&plan);
        assert_eq!(found.len(), whole.len(), "{} by {size}", path.display());
        assert!(found == whole, "{} by {size}", path.display());
        plan.pieces.len()
    });
    counts.into_iter().max().unwrap_or(0)
}

fn games(count: usize, comment: &str, line_end: &str) -> String {
    let mut text = String::new();
    for round in 0..count {
        let moves = "2. Nf3 Nc6 ".repeat(round % 5);
        write!(
            text,
            "[Event \"E\"]\n[Round \"{round}\"]\n\n1. e4 {comment} e5 {moves}\n1-0\n\n"
        )
        .unwrap();
    }
    text.replace('\n', line_end)
}

/// Compresses pieces of a text one after another.
fn in_frames(folder: &Path, text: &str, frame: usize) -> PathBuf {
    let one = folder.join("one.zst");
    let mut bytes = Vec::new();
    for piece in text.as_bytes().chunks(frame) {
        save(Target::File(one.clone()), piece).unwrap();
        bytes.extend(fs::read(&one).unwrap());
    }
    let path = folder.join(format!("{frame}.pgn.zst"));
    fs::write(&path, bytes).unwrap();
    path
}

/// The same as bgzip does it: members that give their size.
fn in_members(folder: &Path, text: &str, member: usize) -> PathBuf {
    let mut bytes = Vec::new();
    for piece in text.as_bytes().chunks(member) {
        let level = flate2::Compression::fast();
        let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), level);
        deflate.write_all(piece).unwrap();
        let data = deflate.finish().unwrap();
        let mut checksum = flate2::Crc::new();
        checksum.update(piece);
        bytes.extend([
            0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0,
        ]);
        bytes.extend((data.len() as u16 + 25).to_le_bytes());
        bytes.extend(data);
        bytes.extend(checksum.sum().to_le_bytes());
        bytes.extend((piece.len() as u32).to_le_bytes());
    }
    let path = folder.join(format!("{member}.pgn.gz"));
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn shards_hold_the_games_of_the_file_in_order() {
    let dir = tempfile::tempdir().unwrap();
    for comment in ["", "{good}", "{a\n\nb}"] {
        for line_end in ["\n", "\r\n"] {
            let text = games(300, comment, line_end);
            let path = dir.path().join("a.pgn");
            fs::write(&path, &text).unwrap();
            assert!(check(&path) >= 18);
            for frame in [300, 1999, 10_000] {
                assert!(check(&in_frames(dir.path(), &text, frame)) >= 2);
                assert!(check(&in_members(dir.path(), &text, frame)) >= 2);
            }
        }
    }
}

#[test]
fn games_in_comments_are_not_borders() {
    let dir = tempfile::tempdir().unwrap();
    let quoted = games(20, "", "\n");
    let mut text = String::new();
    for round in 0..30 {
        write!(
            text,
            "[Event \"{round}\"]\n\n1. e4 {{\n{quoted}}} 1-0\n\n% {{\n\n"
        )
        .unwrap();
    }
    let path = dir.path().join("a.pgn");
    fs::write(&path, &text).unwrap();
    check(&path);
    check(&in_frames(dir.path(), &text, 777));
}

#[test]
fn files_in_one_piece_are_one_shard_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let text = games(300, "{good}", "\n");
    let reason = |path: &Path| {
        let plan = plan_of(path, 500);
        assert_eq!(plan.pieces.len(), 1);
        assert_eq!(
            from_shards(&plan),
            texts(vec![Source::File(path.to_owned())])
        );
        plan.unsplit[0].reason
    };
    for name in ["a.pgn.zst", "a.pgn.gz", "a.pgn.bz2"] {
        let path = dir.path().join(name);
        save(Target::File(path.clone()), text.as_bytes()).unwrap();
        assert!(matches!(reason(&path), Reason::OnePiece(_)), "{name}");
    }
    let path = dir.path().join("a.pgn");
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
    fs::write(&path, wide.collect::<Vec<u8>>()).unwrap();
    assert_eq!(reason(&path), Reason::Encoding);
    fs::write(&path, text.replace('\n', "\r")).unwrap();
    assert_eq!(reason(&path), Reason::NoBorder);
}

#[test]
fn small_files_and_shards_stay_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, games(3, "", "\n")).unwrap();
    let plan = plan_of(&path, 1 << 20);
    assert_eq!((plan.pieces.len(), plan.unsplit.len()), (1, 0));
    let again = super::plan(&[Source::Shard(plan.pieces[0].shard.clone())], 10).unwrap();
    assert_eq!(again, plan);
    assert!(super::plan(&[Source::Stdin], 10).is_err());
    fs::write(&path, "").unwrap();
    assert!(from_shards(&plan_of(&path, 10)).is_empty());
}

#[test]
fn a_damaged_frame_costs_its_shard() {
    let dir = tempfile::tempdir().unwrap();
    let text = games(300, "{good}", "\n");
    let path = in_frames(dir.path(), &text, 2000);
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 20);
    fs::write(&path, bytes).unwrap();
    let plan = plan_of(&path, 200);
    assert!(plan.pieces.len() > 3);
    let sources = plan
        .pieces
        .iter()
        .map(|piece| Source::Shard(piece.shard.clone()));
    let failed = sources
        .filter(|source| source.read_whole().is_err())
        .count();
    assert_eq!(failed, 1);
}

#[test]
fn a_file_that_became_shorter_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, games(30, "", "\n")).unwrap();
    let plan = plan_of(&path, 500);
    fs::write(&path, games(3, "", "\n")).unwrap();
    let last = plan.pieces.last().unwrap().shard.clone();
    let error = Source::Shard(last).read_whole().unwrap_err();
    assert!(error.to_string().contains("shorter"), "{error}");
}

#[test]
fn shards_of_an_archive_hold_its_games() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.pgn");
    fs::write(&file, games(50, "{good}", "\n")).unwrap();
    let archive = dir.path().join("base");
    let games = Games::new(vec![Source::File(file)], Choice::default());
    create(&archive, &games, Indexed::default(), &Workers::default()).unwrap();
    let whole = texts(vec![Source::File(archive.clone())]);
    assert_eq!(whole.len(), 50);
    let size = Source::File(archive.clone()).size().unwrap() / 4;
    let plan = plan_of(&archive, size);
    assert!(plan.pieces.len() >= 4);
    assert!(from_shards(&plan) == whole);
}

#[test]
fn shards_of_real_files_hold_their_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    if !folder.is_dir() {
        return;
    }
    let mut several = 0;
    for source in gather([folder], crate::GAME_FILES).unwrap() {
        match source {
            // Files that are refused as a whole are refused in parts.
            Source::File(path) if read_whole(&Source::File(path.clone())).is_ok() => {
                several += usize::from(check(&path) > 1);
            }
            _ => {}
        }
    }
    assert!(several > 10, "{several}");
}
