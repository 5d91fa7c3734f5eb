//! Laws of editing sessions: journals and edit scripts.

use gametree_desk::edit::Verb;
use gametree_desk::session::{Record, Session, journal_bytes, journal_records};

/// The file that is edited.
const TEXT: &str = "[Event \"A\"]\n[Result \"*\"]\n\n1.e4(1.d4 d5)1...e5 {odd   layout}2. Nf3 $1*\n\n\n[Event \"B\"]\n\n1. c4 e5 (1... c5 {x}) 2. g3 *\n";

pub(crate) const JOURNALS: &[&str] = &[
    "edit 1 1 nag $1\nundo\nredo\nedit 2 3 add Nf3 Nc6\nundo\n",
    "edit 1 2 delete\nedit 1 0 comment x\\ny\nchapters replace 1 7 1. e4 *;\nundo\n",
    "chapters insert 3 7 1. d4 *;move 3 1;remove 2;\nundo\nundo\nredo\nedit 9 99999 promote\n",
    "edit 1 1 chapter-split\nedit 1 0 chapter-join 3\nedit 1 0 chapter-delete\nundo\n",
];

pub(crate) const SCRIPTS: &[&str] = &[
    "go 1\nnag !\nundo\nredo\nadd c5 {x} (e6) Nf3\ncut\ngo 0\npaste\n",
    "go 3\npromote\nfirst\nmain\ndelete-others\nkeep-line\nundo\nundo\n",
    "game 2\ngo 1\ncomment a } b\ncomment-before {\ntag White X\\nY\nresult 1-0\nbring\n",
    "go 2\nchapter-split X\nchapter-move 1\nchapter-join 2\nchapter-add Y\nmerge 1. e4 Ke4 *\nundo\n",
    "go 4\narrow red e2e4\nsquare e4\nclock 1:00:00\neval 0.3\ndrop-shapes\nmerge-duplicates\n",
];

/// Any bytes as a journal: the recovered records are a prefix of the written ones, or none; any
/// records can be applied, and undoing them restores the file.
pub fn journal(data: &[u8]) {
    // 1. Arbitrary records, each line with a valid checksum.
    let lines = String::from_utf8_lossy(data);
    let records: Vec<Record> = lines.lines().take(50).filter_map(Record::read).collect();
    let bytes = journal_bytes(TEXT.as_bytes(), &records);
    assert_eq!(
        journal_records(&bytes, TEXT.as_bytes()).as_deref(),
        Some(&*records),
        "records are read as they were written"
    );
    // 2. A damaged journal, and any bytes after a whole one.
    let position = data.iter().map(|&byte| usize::from(byte)).sum::<usize>() % bytes.len();
    let mut damaged = bytes.clone();
    damaged[position] ^= data.first().copied().unwrap_or(0);
    for damaged in [&damaged[..], &bytes[..position], data] {
        if let Some(read) = journal_records(damaged, TEXT.as_bytes()) {
            assert!(records.starts_with(&read), "a prefix is read");
        }
    }
    // 3. Applied, and undone.
    let mut session = open();
    session.apply(&records);
    check_undo(&mut session);
}

/// Any lines as commands: a refused one changes nothing, the file stays readable, and undoing all
/// changes restores it.
pub fn edit_script(data: &[u8]) {
    let mut session = open();
    for line in String::from_utf8_lossy(data).lines().take(100) {
        let before = state(&session);
        if !obey(&mut session, line) {
            assert_eq!(
                state(&session),
                before,
                "a refused command changes nothing: {line:?}"
            );
        }
        if session.walk().tree().node_count() > 2_000 {
            break;
        }
    }
    session
        .file()
        .new_bytes()
        .expect("the edited text is read back");
    check_undo(&mut session);
}

fn open() -> Session {
    Session::from_text("fuzz", TEXT.into()).expect("games")
}

/// Runs a command. Returns whether it was accepted.
fn obey(session: &mut Session, line: &str) -> bool {
    let (word, number) = line.split_once(' ').unwrap_or((line, ""));
    let number: usize = number.trim().parse().unwrap_or(0);
    match word {
        "undo" => session.undo().is_ok(),
        "redo" => session.redo().is_ok(),
        "cut" => session.cut().is_ok(),
        "paste" => session.paste().is_ok(),
        "game" => session.go_to_game(number.wrapping_sub(1)),
        "go" => {
            let node = session.walk().tree().preorder().nth(number);
            node.inspect(|&node| session.walk_mut().go(node)).is_some()
        }
        _ => Verb::read(line).is_ok_and(|verb| session.edit(&verb).is_ok()),
    }
}

fn state(session: &Session) -> (usize, gametree_desk::NodeId, String, bool) {
    let walk = session.walk();
    let text = walk.game().to_string();
    (session.game(), walk.at(), text, session.is_changed())
}

fn check_undo(session: &mut Session) {
    while session.undo().is_ok() {}
    assert!(!session.is_changed(), "everything is undone");
    let bytes = session.file().new_bytes().expect("readable");
    assert_eq!(bytes, TEXT.as_bytes(), "undoing restores the file");
    let mut fresh = open();
    for game in 0..fresh.game_count() {
        assert!(session.go_to_game(game) && fresh.go_to_game(game));
        assert_eq!(
            session.walk().game().to_string(),
            fresh.walk().game().to_string()
        );
    }
}
