//! Chapters and pasted PGN.

use chess::pgn::read_game;
use tree::NodeId;

use super::*;

const BOOK: &str = "\u{feff}[Event \"Rep\"]\n[White \"Chapter 1\"]\n[Black \"Open\"]\n\n1.e4 {best}(1.d4 d5 $1 (1... Nf6) 2.c4)1...e5   2. Nf3*\n\n\n[Event \"Rep\"]\n[White \"Chapter 2\"]\n[Black \"Slav\"]\n\n1. d4 d5 2. c4 c6 {odd   layout} *\n\n[Event \"C\"]\n\n1.b4 *";

fn act(session: &mut Session, verb: &str) -> String {
    let verb = Verb::read(verb).expect("a verb");
    session.edit(&verb).expect("an edit")
}

fn refused(session: &mut Session, verb: &str) -> String {
    let verb = Verb::read(verb).expect("a verb");
    session.edit(&verb).expect_err("a refusal").to_string()
}

fn bytes(session: &Session) -> String {
    let bytes = session.file().new_bytes().expect("readable");
    String::from_utf8(bytes).expect("UTF-8")
}

/// The texts of the three games without the blanks around them.
fn games() -> [&'static str; 3] {
    let text = BOOK.strip_prefix('\u{feff}').expect("a mark");
    let (one, rest) = text.split_once("\n\n\n").expect("game 1");
    let (two, three) = rest.split_once("\n\n[Event \"C\"]").expect("game 2");
    [
        one,
        two,
        &BOOK[BOOK.len() - "[Event \"C\"]".len() - three.len()..],
    ]
}

/// Undoes everything, checks the file, and redoes it.
fn check_undo(session: &mut Session) {
    let now = bytes(session);
    let mut steps = 0;
    while session.undo().is_ok() {
        steps += 1;
    }
    assert_eq!(bytes(session), BOOK);
    assert!(!session.is_changed());
    for _ in 0..steps {
        session.redo().expect("redoes");
    }
    assert_eq!(bytes(session), now);
}

#[test]
fn chapters_are_added_at_the_end() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    assert_eq!(
        act(&mut session, "chapter-add Dutch"),
        "added chapter 4, \"Dutch\""
    );
    assert_eq!((session.game(), session.game_count()), (3, 4));
    act(&mut session, "add d4 f5");
    let text = bytes(&session);
    let new = text.strip_prefix(BOOK).expect("the old text").to_owned();
    let game = read_game(new.as_bytes()).expect("a game");
    let tags = ["Event", "White", "Black", "Result"].map(|tag| game.tag(tag).expect("a tag"));
    assert_eq!(tags, ["Rep", "Chapter 4", "Dutch", "*"]);
    assert!(
        new.starts_with("\n\n[Event") && new.ends_with("\n\n1. d4 f5 *"),
        "{new}"
    );
    check_undo(&mut session);
    save(&mut session);
    assert_eq!(desk.text(), text);
    assert_eq!(desk.open().game_count(), 4);
}

#[test]
fn chapters_are_moved_and_deleted_byte_for_byte() {
    let [one, two, three] = games();
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    assert_eq!(
        act(&mut session, "chapter-move 3"),
        "moved chapter 1 to place 3"
    );
    assert_eq!(session.game(), 2);
    assert_eq!(
        bytes(&session),
        format!("\u{feff}{two}\n\n{three}\n\n{one}")
    );
    session.go_to_game(0);
    assert_eq!(
        act(&mut session, "chapter-delete"),
        "deleted chapter 1, \"Slav\""
    );
    assert_eq!((session.game(), session.game_count()), (0, 2));
    assert_eq!(bytes(&session), format!("\u{feff}{three}\n\n{one}"));
    check_undo(&mut session);
    // After a save, a deleted chapter comes back with its bytes.
    let saved = save(&mut session);
    assert_eq!(saved.games, 0);
    session.undo().expect("undoes");
    assert!(session.is_changed());
    assert_eq!(
        bytes(&session),
        format!("\u{feff}{two}\n\n{three}\n\n{one}")
    );
    session.redo().expect("redoes");
    assert!(!session.is_changed());
    act(&mut session, "chapter-delete");
    assert_eq!(
        refused(&mut session, "chapter-delete"),
        "cannot delete the only chapter of the file"
    );
}

#[test]
fn chapters_are_named() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    act(&mut session, "chapter-name Open games");
    assert!(bytes(&session).contains("[White \"Chapter 1\"]\n[Black \"Open games\"]\n"));
    assert_eq!(
        refused(&mut session, "chapter-name Open games"),
        "the chapter already has this name"
    );
    session.go_to_game(2);
    act(&mut session, "chapter-name Orang-Utan");
    assert!(bytes(&session).contains("[White \"Orang-Utan\"]"));
    check_undo(&mut session);
}

#[test]
fn a_split_chapter_is_joined_again() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    let whole = session.walk().game().clone();
    assert_eq!(
        refused(&mut session, "chapter-split"),
        "no move here: go to the move whose continuations become a chapter"
    );
    go(&mut session, "d4");
    assert_eq!(
        act(&mut session, "chapter-split"),
        "split off chapter 2, \"1.d4\""
    );
    assert_eq!(
        (session.game(), session.walk().path().as_str()),
        (1, "1.d4")
    );
    let new = session.walk().game().to_string();
    assert!(new.contains("1. d4 d5 $1 ( 1... Nf6 ) 2. c4 *"), "{new}");
    session.go_to_game(0);
    assert_eq!(
        session
            .walk()
            .game()
            .node(NodeId::ROOT)
            .next()
            .map(|node| node.comment().into_owned()),
        Some("best".to_owned())
    );
    check_undo(&mut session);
    session.go_to_game(0);
    assert_eq!(
        act(&mut session, "chapter-join 2"),
        "joined chapter 2, \"1.d4\": added 3 moves"
    );
    assert_eq!(session.game_count(), 3);
    assert_eq!(session.walk().game().to_string(), whole.to_string());
    check_undo(&mut session);
    for (verb, why) in [
        ("chapter-join 1", "cannot join a chapter with itself"),
        (
            "chapter-join 9",
            "no chapter 9; the file has chapters 1 to 3",
        ),
        ("chapter-move 1", "the chapter is already at this place"),
    ] {
        session.go_to_game(0);
        assert_eq!(refused(&mut session, verb), why);
    }
    go(&mut session, "e4 e5 Nf3");
    assert_eq!(
        refused(&mut session, "chapter-split"),
        "no continuations: the line ends here"
    );
}

#[test]
fn a_chapter_that_starts_from_the_position_is_joined_there() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let text = format!("1. e4 e5 *\n\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n2. f4 *\n");
    let mut session = Session::from_text("test", text.into()).expect("games");
    assert!(refused(&mut session, "chapter-join 2").starts_with("the chapters have different"));
    go(&mut session, "e4 e5");
    act(&mut session, "chapter-join 2");
    assert!(
        session
            .walk()
            .game()
            .to_string()
            .contains("1. e4 e5 2. f4 *")
    );
}

#[test]
fn killed_sessions_restore_chapters() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    go(&mut session, "d4");
    act(&mut session, "chapter-split The closed games");
    act(&mut session, "chapter-add Dutch");
    act(&mut session, "add d4 f5");
    act(&mut session, "chapter-move 1");
    save(&mut session);
    session.undo().expect("undoes beyond the save");
    session.undo().expect("undoes");
    session.redo().expect("redoes");
    session.go_to_game(1);
    act(&mut session, "chapter-delete");
    session.go_to_game(0);
    act(&mut session, "chapter-join 2");
    session.undo().expect("undoes");
    let now = bytes(&session);
    drop(session);
    let mut session = desk.open();
    let resumed = session.resume().expect("resumes");
    assert!(!resumed.contains("could not"), "{resumed}");
    assert_eq!(bytes(&session), now);
}

#[test]
fn a_new_file_is_written_by_the_first_save() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new.pgn");
    let begin = || Session::open_or_begin(&[Source::File(path.clone())]).expect("begins");
    let mut session = begin();
    assert!(session.file().is_new() && !session.is_changed());
    act(&mut session, "add e4 e5");
    assert!(!path.exists() && path_beside(&path).exists());
    drop(session);
    let mut session = begin();
    assert!(matches!(
        session.file().obstacle(),
        Some(SessionError::Leftover(1))
    ));
    session.resume().expect("resumes");
    session.undo().expect("undoes");
    assert!(!session.is_changed());
    session.redo().expect("redoes");
    save(&mut session);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(
        text.starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"2"),
        "{text}"
    );
    assert!(text.ends_with("[Result \"*\"]\n\n1. e4 e5 *\n"), "{text}");
    assert!(!session.file().is_new() && !path_beside(&path).exists());
    // Without changes, `save` writes the file too; an empty file is new.
    fs::write(&path, "").expect("written");
    let mut session = begin();
    save(&mut session);
    assert!(
        fs::read_to_string(&path)
            .expect("a file")
            .ends_with("\n\n*\n")
    );
}

#[test]
fn pasted_moves_are_merged_where_they_fit() {
    let check = |at: &str, pgn: &str, wanted: &str, text: &str| {
        let mut session = Session::from_text("test", "1. e4 e5 2. Nf3 *".into()).expect("a game");
        if !at.is_empty() {
            go(&mut session, at);
        }
        let summary = session.paste_pgn(pgn.as_bytes(), None).expect("pasted");
        assert_eq!(summary, wanted);
        let now = session.walk().game().to_string();
        assert!(now.contains(text), "{now}");
        session.undo().expect("undoes");
        assert_eq!(bytes(&session), "1. e4 e5 2. Nf3 *");
    };
    check(
        "e4 e5",
        "Bc4 Nf6",
        "merged 2 new moves after 1...e5",
        "( 2. Bc4 Nf6 )",
    );
    check(
        "e4 e5",
        "2. Nf3 Nc6 *",
        "merged 1 new move after 1...e5",
        "2. Nf3 Nc6",
    );
    // Only from the start, or numbered from there.
    check(
        "e4 e5",
        "1. e4 c5 *",
        "merged 1 new move after the start",
        "( 1... c5 )",
    );
    check(
        "e4 e5",
        "1. d4 d5 *",
        "merged 2 new moves after the start",
        "( 1. d4 d5 )",
    );
    check(
        "e4 e5",
        "d4 d5",
        "merged 2 new moves after 1...e5",
        "( 2. d4 d5 )",
    );
    check(
        "",
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {x} c5 1-0\n",
        "merged 1 new move after the start; its tags were left out",
        "1. e4 { x }",
    );
    check(
        "e4 e5",
        "2. f4 exf4 3. Ke5 {no} Nf6 *",
        "merged 2 new moves after 1...e5; kept as a comment: \"Ke5\" (illegal move)",
        "exf4 { ",
    );
    check(
        "e4 e5",
        "2. Bc4 ; the bishop\r2... Nf6 *",
        "merged 2 new moves after 1...e5",
        "( 2. Bc4 ",
    );
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    check(
        "e4 e5",
        &format!("[FEN \"{fen}\"]\n\n2. f4 *"),
        "merged 1 new move after 1...e5; its tags were left out",
        "( 2. f4 )",
    );
}

#[test]
fn pasted_games_become_chapters() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    let pgn = "[White \"X\"]\n\n1. e4 Ke4 *\n\n[White \"Y\"]\n\n1. c4 *\n";
    assert_eq!(
        session.paste_pgn(pgn.as_bytes(), None).expect("pasted"),
        "added chapters 4 to 5; kept as text: \"Ke4\" (illegal move)"
    );
    assert_eq!((session.game(), session.game_count()), (3, 5));
    assert!(bytes(&session).starts_with(BOOK));
    check_undo(&mut session);
    let now = bytes(&session);
    drop(session);
    let mut session = desk.open();
    session.resume().expect("resumes");
    assert_eq!(bytes(&session), now);
    // A game from another position is a chapter, prose is nothing.
    let fen = "[FEN \"8/8/8/8/8/k7/8/K6R w - - 0 1\"]\n\n1. Rh3# *";
    assert_eq!(
        session.paste_pgn(fen.as_bytes(), None).expect("pasted"),
        "added chapter 6"
    );
    for (text, why) in [
        ("", "no moves to add"),
        ("Ke5", "illegal move: \"Ke5\"; nothing was added"),
    ] {
        let refused = session
            .paste_pgn(text.as_bytes(), None)
            .expect_err("refused");
        assert_eq!(refused.to_string(), why);
    }
}

#[test]
fn chapters_in_positions_mode() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    session.set_joined(true);
    session
        .walk_mut()
        .go_to(&Place::read("d4 d5 c4").expect("a place"))
        .expect("a position");
    assert_eq!(
        refused(&mut session, "chapter-delete"),
        "games 1, 2, 3 have this move; choose one with --in GAME"
    );
    let split = Verb::read("chapter-split Slav again").expect("a verb");
    assert!(matches!(
        session.edit(&split),
        Err(SessionError::SeveralGames(games)) if games == [0, 1]
    ));
    session.edit_in(&split, Some(1)).expect("split");
    assert!(session.is_joined());
    assert_eq!(
        (session.game_count(), session.walk().path().as_str()),
        (4, "1.d4 d5 2.c4")
    );
    assert!(session.walk_mut().forward());
    let delete = Verb::read("chapter-delete").expect("a verb");
    session.edit_in(&delete, Some(2)).expect("deleted");
    assert_eq!(session.walk().path(), "1.d4 d5 2.c4");
    act(&mut session, "chapter-add");
    assert_eq!((session.game(), session.walk().path().as_str()), (3, ""));
    check_undo(&mut session);
    assert!(session.is_joined());
}

#[test]
fn numbers_of_chapters_count_through_all_files() {
    let (one, two) = (Desk::new(BOOK), Desk::new("1. a3 *\n\n1. a4 *\n"));
    let sources = [Source::File(one.path()), Source::File(two.path())];
    let mut session = Session::open(&sources).expect("opens");
    assert_eq!(
        refused(&mut session, "chapter-move 4"),
        "game 4 is in another file"
    );
    session.go_to_game(3);
    assert_eq!(
        refused(&mut session, "chapter-join 3"),
        "game 3 is in another file"
    );
    act(&mut session, "chapter-join 5");
    save(&mut session);
    assert_eq!(
        two.text().replace("( ", "(").replace(" )", ")"),
        "1. a3 (1. a4) *\n"
    );
}

#[test]
fn a_chapter_that_an_undo_brought_back_is_resumed() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    act(&mut session, "chapter-delete");
    save(&mut session);
    session.undo().expect("undoes");
    drop(session);
    let mut session = desk.open();
    session.resume().expect("resumes");
    save(&mut session);
    assert_eq!(
        desk.text().matches("\"Open\"").count(),
        1,
        "{}",
        desk.text()
    );
    assert_eq!(
        desk.text().matches("\"Slav\"").count(),
        1,
        "{}",
        desk.text()
    );
}

#[test]
fn the_undo_of_a_resumed_chapter_names_it() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    act(&mut session, "chapter-add Dutch");
    drop(session);
    let mut session = desk.open();
    session.resume().expect("resumes");
    let undone = session.undo().expect("undoes");
    assert_eq!(undone, "undone: added chapter 4, \"Dutch\"");
}

#[test]
fn a_save_after_a_deletion_says_what_changed() {
    let desk = Desk::new(BOOK);
    let mut session = desk.open();
    act(&mut session, "chapter-delete");
    let saved = save(&mut session).to_string();
    assert!(saved.ends_with(": the list of chapters changed"), "{saved}");
}

#[test]
fn an_empty_chapter_is_no_transposition() {
    let mut session = Session::from_text("test", "1. e4 e5 *\n".into()).expect("games");
    act(&mut session, "chapter-add New");
    session.find_marks();
    let walk = session.walk();
    assert_eq!(walk.other_paths(walk.at(), 9), (vec![], 0));
}

#[test]
fn a_pasted_fen_is_a_chapter() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut session = Session::from_text("test", "1. e4 e5 *\n".into()).expect("games");
    session
        .paste_pgn(format!(" {fen}\n").as_bytes(), None)
        .expect("a chapter");
    assert_eq!((session.game(), session.game_count()), (1, 2));
    assert_eq!(session.walk().board().fen(), fen);
}

#[test]
fn lengths_follow_the_chapters() {
    let desk = Desk::new("1. e4 e5 2. Nf3 *\n\n1. d4 *\n\n1. c4 c5 *\n");
    let mut session = desk.open();
    let lengths = |session: &Session| {
        let games = 0..session.game_count();
        let lengths = games.map(|game| session.file().mainline_length(game));
        lengths.collect::<Vec<_>>()
    };
    assert_eq!(lengths(&session), [3, 1, 2]);
    act(&mut session, "chapter-move 3");
    assert_eq!(lengths(&session), [1, 2, 3]);
}

/// Random commands; `%` is a number.
const COMMANDS: &[&str] = &[
    "chapter-add X",
    "chapter-name New name",
    "chapter-move %",
    "chapter-delete",
    "chapter-split",
    "chapter-split Y",
    "chapter-join %",
    "add d4 d5 c4 {x}",
    "merge 1. d4 Nf6 (1... f5) 2. c4 *",
    "comment x",
    "delete",
    "tag Black Z",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_chapter_commands_are_undone_and_resumed(
        script in prop::collection::vec((0..COMMANDS.len() + 6, 0..6usize, any::<u32>()), 1..30)
    ) {
        let desk = Desk::new(BOOK);
        let mut session = desk.open();
        let mut saves = 0;
        for (command, number, place) in script {
            session.go_to_game(place as usize % session.game_count());
            let nodes: Vec<NodeId> = session.walk().tree().preorder().collect();
            session.walk_mut().go(nodes[place as usize / 7 % nodes.len()]);
            let before = (bytes(&session), session.game(), state(&session, &desk));
            let done = match command.checked_sub(COMMANDS.len()) {
                None => {
                    let line = COMMANDS[command].replace('%', &number.to_string());
                    Verb::read(&line).is_ok_and(|verb| session.edit(&verb).is_ok())
                }
                Some(0 | 1) => session.undo().is_ok(),
                Some(2) => session.redo().is_ok(),
                Some(3) => session.paste_pgn(b"1. e4 *\n\n1. c4 *\n", None).is_ok(),
                Some(4) => {
                    session.set_joined(place % 2 == 0);
                    true
                }
                _ => {
                    let saved = session.save(&SaveOptions::default()).is_ok();
                    saves += usize::from(saved);
                    saved
                }
            };
            if !done {
                prop_assert_eq!((bytes(&session), session.game(), state(&session, &desk)), before);
            }
        }
        // A kill loses nothing; the layout may differ after an undo beyond a save.
        let normal = |session: &Session| -> Vec<String> {
            (0..session.game_count())
                .map(|game| session.file().read(game).expect("a game").to_string())
                .collect()
        };
        let (now, text) = (normal(&session), bytes(&session));
        let is_changed = session.is_changed();
        drop(session);
        let mut undone = desk.open();
        prop_assert_eq!(undone.resume().is_ok(), is_changed);
        prop_assert_eq!(&normal(&undone), &now);
        if saves == 0 {
            prop_assert_eq!(bytes(&undone), text);
            while undone.undo().is_ok() {}
            prop_assert!(!undone.is_changed());
            prop_assert_eq!(bytes(&undone), BOOK);
        }
    }
}
