//! Sessions on real files in temporary folders.

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::edit::VERBS;
use crate::place::Place;

mod chapters;
mod saving;

const TEXT: &str = "[Event \"A\"]\n[Result \"*\"]\n\n1.e4(1.d4)1...e5 {odd   layout}*\n\n\n[Event \"B\"]\n[Result \"*\"]\n\n1. c4 e5 2. g3 *\n\n[Event \"C\"]\n\n1.b4 *";

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new(text: &str) -> Desk {
        let desk = Desk {
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::write(desk.path(), text).expect("written");
        desk
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("games.pgn")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).expect("a file")
    }

    fn open(&self) -> Session {
        Session::open(&[Source::File(self.path())]).expect("opens")
    }

    fn journal(&self) -> PathBuf {
        path_beside(&self.path())
    }
}

fn go(session: &mut Session, place: &str) {
    let walk = session.walk_mut();
    let node = Place::read(place).and_then(|place| place.find(walk.game_view(), walk.at()));
    walk.go(node.expect("a place"));
}

fn edit(session: &mut Session, place: &str, verb: &str) {
    go(session, place);
    session
        .edit(&Verb::read(verb).expect("a verb"))
        .expect("an edit");
}

fn save(session: &mut Session) -> Saved {
    session.save(&SaveOptions::default()).expect("saved")
}

#[test]
fn untouched_games_stay_byte_for_byte() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    assert!(session.go_to_game(1));
    edit(&mut session, "c4", "comment English");
    assert!(session.is_changed());
    let saved = save(&mut session);
    assert_eq!((saved.games, saved.backup), (1, None));
    let text = desk.text();
    let (before, _) = TEXT.split_once("1. c4").expect("game 2");
    let (_, after) = TEXT.split_once("2. g3 *").expect("game 2");
    assert!(text.starts_with(before) && text.ends_with(after), "{text}");
    assert!(text.contains("1. c4 { English } 1... e5 2. g3 *"), "{text}");
    assert!(!session.is_changed() && !desk.journal().exists());
    assert!(matches!(
        session.save(&SaveOptions::default()),
        Err(SessionError::Unchanged)
    ));
}

#[test]
fn undone_changes_are_not_saved() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    assert!(session.go_to_game(1));
    edit(&mut session, "c4", "nag !");
    session.undo().expect("undoes");
    assert!(session.go_to_game(2));
    session.undo().expect("undoes");
    assert_eq!(session.game(), 0);
    assert!(!session.is_changed());
    assert!(matches!(session.undo(), Err(SessionError::NothingToUndo)));
    session.redo().expect("redoes");
    save(&mut session);
    assert_eq!(
        desk.text(),
        TEXT.replace(
            "1.e4(1.d4)1...e5 {odd   layout}*",
            "1.e4 $1(1.d4)1...e5 {odd   layout}*"
        )
    );
}

#[test]
fn undo_goes_beyond_the_last_save() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    save(&mut session);
    let saved = desk.text();
    session.undo().expect("undoes");
    assert!(session.is_changed());
    session.redo().expect("redoes");
    assert!(!session.is_changed());
    session.undo().expect("undoes");
    save(&mut session);
    assert!(!desk.text().contains("$1") && saved.contains("$1"));
}

#[test]
fn a_killed_session_is_resumed() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    save(&mut session);
    edit(&mut session, "1Wa", "first");
    session.undo().expect("undoes");
    // Beyond the save, the journal must record the whole game.
    session.undo().expect("undoes");
    session.redo().expect("redoes");
    session.redo().expect("redoes");
    assert!(session.go_to_game(1));
    edit(&mut session, "c4 e5 g3", "add Nf6 {and so on}");
    edit(&mut session, "1W", "comment a\\nb");
    session.undo().expect("undoes");
    let games: Vec<String> = [0, 1]
        .map(|game| {
            session.go_to_game(game);
            session.walk().game().to_string()
        })
        .into();
    drop(session);

    let mut session = desk.open();
    assert!(matches!(
        session.edit(&Verb::Promote),
        Err(SessionError::Leftover(8))
    ));
    assert_eq!(session.resume().expect("takes up"), "resumed 8 changes");
    for (game, text) in games.iter().enumerate() {
        assert!(session.go_to_game(game));
        assert_eq!(session.walk().game().to_string(), *text);
    }
    session.redo().expect("redoes");
    session.undo().expect("undoes");
    edit(&mut session, "1W", "nag ?");
    drop(session);
    let mut session = desk.open();
    session.resume().expect("takes up again");
    assert!(session.go_to_game(1));
    assert!(session.walk().game().to_string().contains("1. c4 $2"));
    save(&mut session);
    assert!(!desk.journal().exists());
}

#[test]
fn leftovers_can_be_dropped() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    drop(session);
    let mut session = desk.open();
    session.discard().expect("dropped");
    assert!(!desk.journal().exists());
    assert!(matches!(session.resume(), Err(SessionError::NothingLeft)));
    edit(&mut session, "e4", "nag ?");
    session.drop_changes();
    assert!(!session.is_changed() && !session.walk().game().to_string().contains("$2"));
    assert!(!desk.journal().exists());
    assert_eq!(desk.text(), TEXT);
}

#[test]
fn a_journal_that_does_not_fit_is_not_resumed() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    drop(session);
    fs::write(desk.path(), "1. d4 *").expect("written");
    let mut session = desk.open();
    assert!(matches!(session.resume(), Err(SessionError::Misfit(_))));
    assert!(matches!(
        session.edit(&Verb::DeleteAfter),
        Err(SessionError::Misfit(_))
    ));
    session.discard().expect("dropped");
    session.edit(&Verb::DeleteAfter).expect("an edit");
}

#[test]
fn two_sessions_do_not_edit_one_file() {
    let desk = Desk::new(TEXT);
    let mut one = desk.open();
    let mut two = desk.open();
    edit(&mut one, "e4", "nag !");
    go(&mut two, "e4");
    assert!(matches!(
        two.edit(&Verb::Nag(2)),
        Err(SessionError::InUse(_))
    ));
    let mut three = desk.open();
    go(&mut three, "e4");
    assert!(matches!(
        three.edit(&Verb::Nag(2)),
        Err(SessionError::InUse(_))
    ));
    save(&mut one);
    assert!(two.file().is_changed_on_disk());
}

#[test]
fn changes_of_other_programs_are_not_overwritten() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    assert!(!session.file().is_changed_on_disk());
    fs::write(desk.path(), "1. d4 *\n\n").expect("written");
    let refused = session.save(&SaveOptions::default());
    assert!(matches!(refused, Err(SessionError::ChangedOnDisk(_))));
    assert_eq!(desk.text(), "1. d4 *\n\n");
    let forced = SaveOptions {
        force: true,
        backup: true,
        ..SaveOptions::default()
    };
    let saved = session.save(&forced).expect("forced");
    let backup = saved.backup.expect("a backup");
    assert!(backup.ends_with("games.pgn.bak"));
    assert_eq!(fs::read_to_string(backup).expect("a file"), "1. d4 *\n\n");
    assert!(desk.text().contains("1.e4 $1"));
}

#[test]
fn a_copy_elsewhere_changes_nothing_here() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    let copy = desk.folder.path().join("copy.pgn");
    let to = SaveOptions {
        to: Some(copy.clone()),
        ..SaveOptions::default()
    };
    session.save(&to).expect("saved");
    assert!(session.is_changed());
    assert_eq!(desk.text(), TEXT);
    assert!(matches!(session.save(&to), Err(SessionError::Exists(_))));
    let mut sample = Session::from_text("sample", TEXT.into()).expect("opens");
    edit(&mut sample, "e4", "nag !");
    assert!(matches!(
        sample.save(&SaveOptions::default()),
        Err(SessionError::NoName)
    ));
    let to = SaveOptions {
        to: Some(copy.with_file_name("new.pgn")),
        ..SaveOptions::default()
    };
    sample.save(&to).expect("saved");
    assert!(!sample.is_changed());
}

#[test]
fn cut_and_paste_between_games() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    assert!(matches!(session.paste(), Err(SessionError::NothingCopied)));
    go(&mut session, "d4");
    session.cut().expect("cuts");
    assert_eq!(session.walk().path(), "");
    assert!(session.go_to_game(2));
    session.paste().expect("pastes");
    assert_eq!(session.walk().path(), "1.d4");
    save(&mut session);
    assert!(desk.text().ends_with("1.b4 ( 1.d4 ) *"), "{}", desk.text());
}

#[test]
fn games_of_several_files_are_numbered_through() {
    let (one, two) = (Desk::new(TEXT), Desk::new("[Event \"D\"]\n\n1. a3 *\n"));
    let sources = [Source::File(one.path()), Source::File(two.path())];
    let mut session = Session::open(&sources).expect("opens");
    assert_eq!(session.game_count(), 4);
    assert!(session.go_to_game(3));
    assert_eq!(session.game(), 3);
    assert_eq!(session.tags(3)[0].1, "D");
    edit(&mut session, "a3", "tag Event Other");
    assert_eq!(session.tags(3)[0].1, "Other");
    assert!(!session.go_to_game(4));
    save(&mut session);
    assert_eq!(one.text(), TEXT);
}

#[test]
fn files_without_games_are_refused() {
    let desk = Desk::new(" \n");
    let refused = Session::open(&[Source::File(desk.path())]);
    assert!(matches!(refused, Err(SessionError::NoGames(_))));
}

/// Everything that a refused command must not change.
fn state(session: &Session, desk: &Desk) -> (String, Vec<u8>, Option<Vec<u8>>, String) {
    let walk = session.walk();
    let place = format!(
        "{} {:?} {:?} {} {}",
        session.game(),
        walk.at(),
        walk.view(),
        session.is_changed(),
        walk.game()
    );
    let undo = format!("{:?}", session.file());
    let (_, undo) = undo.split_once(", done: ").expect("a list of changes");
    let (undo, _) = undo.split_once(", states: ").expect("their states");
    let undo = undo.to_owned();
    let file = fs::read(desk.path()).expect("a file");
    (place, file, fs::read(desk.journal()).ok(), undo)
}

#[test]
fn adding_known_moves_changes_nothing() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    let before = state(&session, &desk);
    let verb = Verb::Add("e4 e5".to_owned());
    assert!(matches!(session.edit(&verb), Err(SessionError::Edit(_))));
    assert_eq!(state(&session, &desk), before);
    assert!(!desk.journal().exists());
}

/// For every verb, a place where it is refused.
const REFUSED: [(&str, &str); VERBS.len()] = [
    ("1W", "promote"),
    ("1Wa", "demote"),
    ("1W", "first"),
    ("1W", "main"),
    ("0", "delete"),
    ("1B", "delete-after"),
    ("1W", "delete-variation"),
    ("1B", "delete-others"),
    ("0", "keep-only"),
    ("0", "keep-line"),
    ("0", "add e4 e5"),
    ("1B", "comment odd   layout"),
    ("0", "comment-before x"),
    ("0", "nag !"),
    ("1W", "drop-nag"),
    ("0", "arrow e2e4"),
    ("0", "square e4"),
    ("1W", "drop-shapes"),
    ("1W", "clock"),
    ("1W", "eval"),
    ("1W", "tag Event A"),
    ("1W", "drop-tag FEN"),
    ("1W", "merge-duplicates"),
    ("1W", "bring"),
    ("1W", "result *"),
    ("1W", "merge 1. e4 e5"),
    ("1W", "chapter-add"),
    ("1W", "chapter-name A"),
    ("1W", "chapter-move 1"),
    ("1W", "chapter-delete"),
    ("0", "chapter-split"),
    ("1W", "chapter-join 1"),
];

/// Verbs that are accepted in any of these places.
const ACCEPTED: &[&str] = &[
    "arrow",
    "square",
    "chapter-add",
    "chapter-name",
    "chapter-delete",
];

#[test]
fn every_refused_verb_changes_nothing() {
    for (help, (place, line)) in VERBS.iter().zip(REFUSED) {
        assert!(line.starts_with(help.word), "{line} is not {}", help.word);
        if !ACCEPTED.contains(&help.word) {
            check_refused(place, line, false);
            check_refused(place, line, true);
        }
    }
}

fn check_refused(place: &str, line: &str, after_undo: bool) {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    if after_undo {
        edit(&mut session, "0", "comment x");
        session.undo().expect("undoes");
    }
    go(&mut session, place);
    let before = state(&session, &desk);
    let verb = Verb::read(line).expect("a verb");
    assert!(session.edit(&verb).is_err(), "{line}");
    assert_eq!(state(&session, &desk), before, "{line}");
    assert_eq!(desk.journal().exists(), after_undo, "{line}");
    assert_eq!(session.redo().is_ok(), after_undo, "{line}");
}

/// Words that verbs accept, and some that they do not.
const ARGUMENTS: &[&str] = &[
    "",
    "e4",
    "Nf3 Nc6",
    "e5 {x} (c5 $2) Nf3",
    "e9",
    "{}",
    "{a",
    "!",
    "?!",
    "$14",
    "$300",
    "e2e4",
    "red e4",
    "e4 blue",
    "0.35",
    "#-3",
    "1:30:00",
    "none",
    "Event X",
    "FEN x",
    "Result 0-1",
    "Event",
    "White-Elo 1",
    "1-0",
    "*",
    "}",
    "\\n",
    "[%clk 1:00:00]",
    "odd   layout",
    "A",
    "1",
    "2",
    "3",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn refused_commands_change_nothing(
        script in prop::collection::vec((0..VERBS.len() + 7, any::<prop::sample::Index>(), any::<u32>()), 1..24)
    ) {
        let desk = Desk::new(TEXT);
        let mut session = desk.open();
        for (verb, argument, place) in script {
            let argument = ARGUMENTS[argument.index(ARGUMENTS.len())];
            if place % 3 == 0 {
                let nodes: Vec<_> = session.walk().tree().preorder().collect();
                session.walk_mut().go(nodes[place as usize / 3 % nodes.len()]);
            }
            let before = state(&session, &desk);
            let refused = match verb.checked_sub(VERBS.len()) {
                None => match Verb::read(&format!("{} {argument}", VERBS[verb].word)) {
                    Ok(verb) => session.edit(&verb).is_err(),
                    Err(_) => continue,
                },
                Some(0 | 1) => session.undo().is_err(),
                Some(2) => session.redo().is_err(),
                Some(3) => session.cut().is_err(),
                Some(4) => session.paste().is_err(),
                Some(5) => !session.go_to_game(place as usize % 4),
                _ => session.resume().is_err() && session.discard().is_err(),
            };
            if refused {
                prop_assert_eq!(state(&session, &desk), before);
            }
        }
        // A kill now loses nothing, and undoing everything restores the file.
        let now = session.file().new_bytes().expect("readable");
        let is_changed = session.is_changed();
        drop(session);
        let mut session = desk.open();
        prop_assert_eq!(session.resume().is_ok(), is_changed);
        prop_assert_eq!(session.file().new_bytes().expect("readable"), now);
        while session.undo().is_ok() {}
        prop_assert!(!session.is_changed());
        prop_assert_eq!(session.file().new_bytes().expect("readable"), TEXT.as_bytes());
        drop(session);
        prop_assert!(!desk.journal().exists());
    }
}

#[test]
fn a_change_of_the_same_length_and_time_is_noticed() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    let time = fs::metadata(desk.path()).and_then(|found| found.modified());
    fs::write(desk.path(), TEXT.replace("1.b4", "1.c4")).expect("written");
    let file = fs::File::options()
        .write(true)
        .open(desk.path())
        .expect("opens");
    file.set_modified(time.expect("a time")).expect("set");
    assert!(session.file().is_changed_on_disk());
    let refused = session.save(&SaveOptions::default());
    assert!(matches!(refused, Err(SessionError::ChangedOnDisk(_))));
    fs::write(desk.path(), TEXT).expect("written");
    save(&mut session);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_until_everything_is_written() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    assert_eq!(session.unprotected().count(), 0);
    session.file_mut().fill_disk();
    edit(&mut session, "1W", "comment lost");
    assert!(session.file().journal_trouble().is_some());
    assert_eq!(session.unprotected().count(), 1);
    let rescued = session.file().rescue().expect("a copy");
    let text = fs::read_to_string(&rescued).expect("a file");
    fs::remove_file(rescued).expect("removed");
    assert!(text.contains("1.e4 $1 {lost}"), "{text}");
    // Saving to another place still works.
    let to = SaveOptions {
        to: Some(desk.folder.path().join("other.pgn")),
        ..SaveOptions::default()
    };
    session.save(&to).expect("saved");
    save(&mut session);
    assert_eq!(session.unprotected().count(), 0);
    assert_eq!(desk.text(), text);
}

#[test]
fn a_missing_folder_is_reported_with_the_first_change() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    fs::remove_dir_all(desk.folder.path()).expect("removed");
    edit(&mut session, "e4", "nag !");
    assert_eq!(session.unprotected().count(), 1);
    fs::create_dir(desk.folder.path()).expect("created");
    edit(&mut session, "1W", "nag ?");
    assert_eq!(session.unprotected().count(), 0);
    fs::write(desk.path(), TEXT).expect("written");
    drop(session);
    let mut session = desk.open();
    assert_eq!(session.resume().expect("resumes"), "resumed 2 changes");
}

#[test]
fn a_locked_file_is_edited_by_one_and_leaves_no_journal() {
    let desk = Desk::new(TEXT);
    let (mut one, mut two, mut late) = (desk.open(), desk.open(), desk.open());
    one.lock().expect("locks");
    assert!(matches!(two.lock(), Err(SessionError::InUse(_))));
    assert!(matches!(
        two.edit(&Verb::DeleteAfter),
        Err(SessionError::InUse(_))
    ));
    edit(&mut one, "e4", "nag !");
    save(&mut one);
    drop(one);
    assert!(matches!(late.lock(), Err(SessionError::ChangedOnDisk(_))));
    drop(late);
    assert!(!desk.journal().exists());
    let mut failed = desk.open();
    failed.lock().expect("locks");
    edit(&mut failed, "e4", "nag ?");
    drop(failed);
    assert!(!desk.journal().exists());
}

#[cfg(unix)]
#[test]
fn backups_do_not_follow_links_and_read_only_files_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    fs::set_permissions(desk.path(), PermissionsExt::from_mode(0o444)).expect("set");
    let error = session
        .save(&SaveOptions::default())
        .expect_err("read-only");
    assert!(
        error
            .to_string()
            .ends_with("the file is read-only; `save!` overwrites it"),
        "{error}"
    );
    assert_eq!(desk.text(), TEXT);
    let [elsewhere, backup] =
        ["elsewhere", "games.pgn.bak"].map(|name| desk.folder.path().join(name));
    fs::write(&elsewhere, "mine").expect("written");
    std::os::unix::fs::symlink(&elsewhere, &backup).expect("a link");
    let options = SaveOptions {
        force: true,
        backup: true,
        ..SaveOptions::default()
    };
    session.save(&options).expect("saved");
    assert_eq!(fs::read_to_string(&elsewhere).expect("a file"), "mine");
    assert_eq!(fs::read_to_string(&backup).expect("a file"), TEXT);
    assert!(desk.text().contains("1.e4 $1"));
}

#[test]
fn utf_16_is_saved_as_utf_16() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let text = "\u{feff}[White \"Grün\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1.d4   *\n";
    let desk = Desk::new("");
    fs::write(desk.path(), utf16(text)).expect("written");
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    save(&mut session);
    let bytes = fs::read(desk.path()).expect("a file");
    assert_eq!(bytes, utf16(&text.replace("1. e4", "1. e4 $1")));
}
