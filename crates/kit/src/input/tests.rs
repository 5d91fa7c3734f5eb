use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use super::{
    Compression, Counter, Decompressor, InputError, Layout, Point, Shard, Source, gather, layout,
};
use crate::limits::{Limits, Size};

const PGN: &[&str] = &[".pgn"];

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn unpack(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Decompressor::new(Box::new(Cursor::new(bytes)), Size(u64::MAX))?.read_to_end(&mut text)?;
    Ok(text)
}

#[test]
fn compression_is_detected_by_the_first_bytes() {
    for text in [
        b"".as_slice(),
        b"1",
        b"1. e4 *",
        &b"1. e4 e5 *\n".repeat(40_000),
    ] {
        for packed in [text.to_vec(), gz(text), bz2(text), zst(text)] {
            assert_eq!(unpack(packed).unwrap(), text);
        }
    }
}

#[test]
fn members_streams_and_frames_may_follow_one_another() {
    for pack in [gz, bz2, zst] {
        let packed = [pack(b"1. e4 *\n\n"), pack(b""), pack(b"1. d4 *\n")].concat();
        assert_eq!(unpack(packed).unwrap(), b"1. e4 *\n\n1. d4 *\n");
    }
}

#[test]
fn a_skippable_frame_may_come_first() {
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'a', b'b', b'c'];
    assert_eq!(
        unpack([&skippable[..], &zst(b"1. e4 *")].concat()).unwrap(),
        b"1. e4 *"
    );
}

#[test]
fn truncated_data_is_an_error_after_the_readable_part() {
    let text = b"1. e4 e5 *\n".repeat(10_000);
    for pack in [gz, bz2, zst] {
        let mut packed = pack(&text);
        packed.truncate(packed.len() - 5);
        let mut read = Vec::new();
        let error = Decompressor::new(Box::new(Cursor::new(packed)), Size(u64::MAX))
            .unwrap()
            .read_to_end(&mut read)
            .unwrap_err();
        let blamed = Source::from_arg("x.pgn.gz").error_at(error);
        assert_eq!(
            blamed.to_string(),
            "x.pgn.gz: unexpected end of compressed data"
        );
        assert!(blamed.fix().unwrap().contains("truncated"));
        assert!(text.starts_with(&read));
    }
}

#[test]
fn unsupported_formats_are_named_with_a_hint() {
    for (bytes, says, fix) in [
        (
            &b"PK\x03\x04abc"[..],
            "zip archives are not supported",
            "unzip -p",
        ),
        (
            b"\xfd7zXZ\0abc",
            "xz compression is not supported",
            "xz -dc",
        ),
        (
            b"7z\xbc\xaf\x27\x1cabc",
            "7z archives are not supported",
            "7z x -so",
        ),
    ] {
        let error = Source::from_arg("f").error_at(unpack(bytes.to_vec()).unwrap_err());
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.fix().unwrap().contains(fix));
    }
}

#[test]
fn compression_by_file_name() {
    for (name, packing) in [
        ("a.pgn", Compression::Plain),
        ("a.pgn.gz", Compression::Gzip),
        ("A.PGN.BZ2", Compression::Bzip2),
        ("a.zst", Compression::Zstd),
        ("gz", Compression::Plain),
    ] {
        assert_eq!(Compression::of_name(name.as_ref()), packing, "{name}");
    }
}

fn touch(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "*\n").unwrap();
    }
}

fn names(folder: &Path, sources: &[Source]) -> Vec<String> {
    let strip = |s: &Source| match s {
        Source::Stdin | Source::Memory(_) | Source::Shard(_) => "-".to_owned(),
        Source::File(path) => path
            .strip_prefix(folder)
            .unwrap()
            .to_string_lossy()
            .into_owned(),
    };
    sources.iter().map(strip).collect()
}

#[test]
fn folders_are_searched_all_levels_down_in_order() {
    let dir = tempfile::tempdir().unwrap();
    touch(
        dir.path(),
        &[
            "b.pgn",
            "a/z.PGN.zst",
            "a/b/c.pgn.gz",
            "a/notes.txt",
            "c.pgn.bz2",
            "d.pgn~",
        ],
    );
    let found = gather([dir.path()], PGN).unwrap();
    assert_eq!(
        names(dir.path(), &found),
        ["a/b/c.pgn.gz", "a/z.PGN.zst", "b.pgn", "c.pgn.bz2"]
    );
}

#[test]
fn files_are_taken_as_given_whatever_their_name() {
    let dir = tempfile::tempdir().unwrap();
    touch(dir.path(), &["b.txt", "a.pgn"]);
    let args = [
        dir.path().join("b.txt").into_os_string(),
        "-".into(),
        dir.path().join("a.pgn").into_os_string(),
    ];
    let found = gather(args, PGN).unwrap();
    assert_eq!(names(dir.path(), &found), ["b.txt", "-", "a.pgn"]);
}

#[cfg(unix)]
#[test]
fn cyclic_links_do_not_loop() {
    let dir = tempfile::tempdir().unwrap();
    touch(dir.path(), &["a/b.pgn"]);
    std::os::unix::fs::symlink(dir.path(), dir.path().join("a/up")).unwrap();
    assert_eq!(gather([dir.path()], PGN).unwrap().len(), 1);
}

#[test]
fn errors_name_the_place_and_the_fix() {
    let dir = tempfile::tempdir().unwrap();
    let missing = gather([dir.path().join("none.pgn")], PGN).unwrap_err();
    assert!(
        missing
            .to_string()
            .ends_with("none.pgn: no such file or folder")
    );
    assert!(matches!(
        gather([dir.path()], PGN).unwrap_err(),
        InputError::EmptyFolder { .. }
    ));
    assert!(matches!(
        gather(["-", "-"], PGN).unwrap_err(),
        InputError::StdinTwice
    ));
}

#[test]
fn compressed_bytes_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn.gz");
    let packed = gz(&b"1. e4 *\n".repeat(1000));
    fs::write(&path, &packed).unwrap();
    let source = Source::from_arg(&path);
    let counter = Counter::default();
    source
        .open_counted(counter.clone())
        .unwrap()
        .read_to_end(&mut Vec::new())
        .unwrap();
    assert_eq!(Some(counter.get()), source.size());
}

#[test]
fn compression_extensions_are_stripped() {
    for (name, stem) in [
        ("a.svg.gz", "a.svg"),
        ("A.PGN.ZST", "A.PGN"),
        ("a.bz2", "a"),
        ("a.svg", "a.svg"),
        ("é", "é"),
        ("", ""),
    ] {
        assert_eq!(Compression::strip_extension(name), stem);
    }
}

#[test]
fn a_bomb_is_read_up_to_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits {
        unpacked: Size(100_000),
        text: Size(10_000),
    };
    let text = vec![b' '; 100_001];
    for packed in [gz(&text), bz2(&text), zst(&text)] {
        let path = dir.path().join("bomb");
        fs::write(&path, &packed).unwrap();
        let source = Source::from_arg(&path);
        let mut stream = source.open_within(Counter::default(), limits).unwrap();
        let error = source.error_at(stream.read_to_end(&mut Vec::new()).unwrap_err());
        assert!(
            error
                .to_string()
                .ends_with("bomb: unpacks to more than 97.7 KiB")
        );
        assert!(error.fix().unwrap().starts_with("--max-unpacked"));
        let error = source.read_whole_within(limits).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("bomb: larger than 9.8 KiB, too large to open")
        );
        assert!(error.fix().unwrap().starts_with("--max-text"));
    }
}

#[test]
fn limits_are_reached_but_not_exceeded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    let limits = Limits {
        unpacked: Size(1000),
        text: Size(1000),
    };
    let text = [b' '; 1000];
    for bytes in [gz(&text), text.to_vec()] {
        fs::write(&path, bytes).unwrap();
        let whole = Source::from_arg(&path).read_whole_within(limits);
        assert_eq!(whole.unwrap(), text);
    }
    // A plain file has its size on disk.
    fs::write(&path, [b' '; 2000]).unwrap();
    let source = Source::from_arg(&path);
    let mut stream = source.open_within(Counter::default(), limits).unwrap();
    assert_eq!(stream.read_to_end(&mut Vec::new()).unwrap(), 2000);
    assert!(source.read_whole_within(limits).is_err());
}

#[test]
fn bytes_in_memory_are_a_source() {
    let source = Source::Memory(b"1. e4 *".as_slice().into());
    assert_eq!(source.name(), "<memory>");
    assert_eq!(source.size(), Some(7));
    assert_eq!(source.read_whole().expect("readable"), b"1. e4 *");
}

fn layout_of(bytes: &[u8]) -> Layout {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    fs::write(&path, bytes).unwrap();
    layout(&path).unwrap()
}

/// Frames as libraries and tools write them: of a stream, with sizes, with checksums, of one block
/// that is repeated, incompressible or empty.
fn frames() -> Vec<Vec<u8>> {
    let mut noise = 1u64;
    let noise = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1);
        (noise >> 56) as u8
    });
    let noise: Vec<u8> = noise.take(400_000).collect();
    let checked = |text: &[u8]| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    vec![
        zst(b"1. e4 *"),
        zstd::bulk::compress(b"1. e4 *", 1).unwrap(),
        zstd::bulk::compress(&[b' '; 1_000_000], 1).unwrap(),
        zst(&noise),
        checked(&noise),
        checked(b""),
        zst(&b"1. e4 e5 *\n".repeat(40_000)),
    ]
}

#[test]
fn frames_are_found_from_header_to_header() {
    let frames = frames();
    let bytes = frames.concat();
    let mut starts = vec![0];
    for frame in &frames[..frames.len() - 1] {
        starts.push(starts[starts.len() - 1] + frame.len() as u64);
    }
    assert_eq!(layout_of(&bytes), Layout::Frames(starts.clone()));
    // The end of a download that was interrupted.
    assert_eq!(layout_of(&bytes[..bytes.len() - 9]), Layout::Frames(starts));
    assert_eq!(layout_of(&frames[6]), Layout::One(Compression::Zstd));
    let followed_by_text = [&bytes[..], b"1. e4 *"].concat();
    assert_eq!(layout_of(&followed_by_text), Layout::One(Compression::Zstd));
    assert_eq!(layout_of(b"1. e4 *"), Layout::Plain);
    assert_eq!(layout_of(b""), Layout::Plain);
    assert_eq!(layout_of(&gz(b"1. e4 *")), Layout::One(Compression::Gzip));
    assert_eq!(layout_of(&bz2(b"1. e4 *")), Layout::One(Compression::Bzip2));
}

#[test]
fn frames_of_pzstd_give_their_sizes() {
    let sized = |size: usize| {
        let mut bytes = vec![0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0];
        bytes.extend((size as u32).to_le_bytes());
        bytes
    };
    let (mut bytes, mut wrong, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for frame in frames() {
        bytes.extend(sized(frame.len()));
        wrong.extend(sized(frame.len() + 1));
        starts.push(bytes.len() as u64);
        bytes.extend(&frame);
        wrong.extend(&frame);
    }
    starts[0] = 0;
    assert_eq!(layout_of(&bytes), Layout::Frames(starts.clone()));
    assert_eq!(layout_of(&wrong), Layout::Frames(starts));
}

#[test]
fn no_header_makes_the_search_fail() {
    let bytes = frames()[..3].concat();
    for at in 0..40 {
        for value in [0, 1, 0x28, 0x50, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            layout_of(&bytes);
        }
    }
}

#[test]
fn names_of_shards() {
    let point = |offset, skip| Point { offset, skip };
    for (text, start, end) in [
        ("a.pgn#0-10", point(0, 0), point(10, 0)),
        ("a#1.pgn#5-5", point(5, 0), point(5, 0)),
        ("a.zst#4+7-4+9", point(4, 7), point(4, 9)),
    ] {
        let shard = Shard::parse(text.as_ref()).unwrap();
        assert_eq!((shard.start, shard.end), (start, end));
        assert_eq!(shard.to_string(), text);
    }
    for text in [
        "a.pgn",
        "a#",
        "a#1",
        "a#1-",
        "a#-1",
        "#1-2",
        "a#2-1",
        "a#1-+2",
        "a# 1-2",
        "a#+1-2",
        "a#1-99999999999999999999",
    ] {
        assert_eq!(Shard::parse(text.as_ref()), None, "{text}");
    }
}

#[test]
fn a_shard_is_a_part_of_the_text() {
    let dir = tempfile::tempdir().unwrap();
    let (plain, packed) = (dir.path().join("a.pgn"), dir.path().join("a.zst"));
    fs::write(&plain, b"0123456789").unwrap();
    let frames = [zst(b"0123"), zst(b"456789")];
    fs::write(&packed, frames.concat()).unwrap();
    let second = frames[0].len();
    let read = |path: &Path, range: &str| {
        let name = format!("{}#{range}", path.display());
        let source = Source::from_arg(&name);
        assert_eq!(source.name(), name);
        source.read_whole()
    };
    assert_eq!(read(&plain, "2-5").unwrap(), b"234");
    assert_eq!(read(&packed, &format!("0+1-{second}+2")).unwrap(), b"12345");
    assert_eq!(
        read(&packed, &format!("{second}+1-{second}+3")).unwrap(),
        b"56"
    );
    assert!(
        read(&plain, "2-11")
            .unwrap_err()
            .to_string()
            .contains("shorter")
    );
    assert!(read(&packed, &format!("0+99-{second}")).is_err());
    // A file of this name is not a shard.
    let real = dir.path().join("a.pgn#2-5");
    fs::write(&real, b"real").unwrap();
    assert_eq!(Source::from_arg(&real), Source::File(real));
}
