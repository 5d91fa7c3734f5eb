//! Saving changes the edited places only.

use chess::pgn::read_game;
use proptest::prelude::*;

use super::*;

const REPERTOIRE: &str = "\
[Event \"Open games\"]
[White \"Me\"]
[Result \"*\"]

{The move of the king's pawn.} 1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6
3. d4) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {The
main line.} 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8
10. d4 Nbd7 *
";

/// The file after an edit at a place.
fn after(text: &str, place: &str, verb: &str) -> String {
    let desk = Desk::new(text);
    let mut session = desk.open();
    edit(&mut session, place, verb);
    save(&mut session);
    desk.text()
}

/// The lines that differ, as in `diff`.
fn difference(old: &str, new: &str) -> String {
    let (mut old, mut new): (Vec<&str>, Vec<&str>) =
        (old.split('\n').collect(), new.split('\n').collect());
    while old.last().is_some() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let pairs = old.iter().zip(&new);
    let same = pairs.take_while(|(old, new)| old == new).count();
    let old = old[same..].iter().map(|line| format!("-{line}\n"));
    old.chain(new[same..].iter().map(|line| format!("+{line}\n")))
        .collect()
}

fn check(place: &str, verb: &str, expected: &str) {
    let new = after(REPERTOIRE, place, verb);
    assert_eq!(difference(REPERTOIRE, &new), expected, "{verb} at {place}");
}

const MAINLINE: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7";

#[test]
fn one_edit_changes_one_line() {
    check(
        MAINLINE,
        "add c4",
        "-10. d4 Nbd7 *\n+10. d4 Nbd7 11. c4 *\n",
    );
    check(
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3",
        "add Bb7",
        "+(9... Bb7)\n",
    );
    check(
        "e4 e5 Nf3 Nc6 Bb5 a6",
        "comment Morphy",
        "-3. d4) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {The\n\
         -main line.} 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8\n\
         +3. d4) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {Morphy}\n\
         +4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8\n",
    );
    check(
        "0",
        "comment The best.",
        "-{The move of the king's pawn.} 1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6\n\
         +{The best.} 1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6\n",
    );
    check(MAINLINE, "nag !", "-10. d4 Nbd7 *\n+10. d4 Nbd7 $1 *\n");
    check(
        "e4 c5",
        "delete",
        "-{The move of the king's pawn.} 1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6\n\
         -3. d4) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {The\n\
         +{The move of the king's pawn.} 1. e4 e5\n\
         +(1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {The\n",
    );
    check(
        "e4 c5 c3",
        "promote",
        "-{The move of the king's pawn.} 1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6\n\
         -3. d4) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {The\n\
         +{The move of the king's pawn.} 1. e4 e5 (1... c5 2. c3 (2. Nf3 d6\n\
         +3. d4) 2... d5) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 {The\n",
    );
    check("0", "tag White You", "-[White \"Me\"]\n+[White \"You\"]\n");
    check("0", "tag ECO C88", "+[ECO \"C88\"]\n");
}

#[test]
fn normal_form_is_written_on_request() {
    let desk = Desk::new("1.e4   e5 2.Nf3 *\n\n1.d4   *\n");
    let mut session = desk.open();
    edit(&mut session, "e4", "nag !");
    let options = SaveOptions {
        form: SaveForm::Normal,
        ..SaveOptions::default()
    };
    session.save(&options).expect("saved");
    assert_eq!(desk.text(), "1. e4 $1 e5 2. Nf3 *\n\n1.d4   *\n");
}

#[test]
fn odd_texts_are_kept_around_an_edit() {
    let check = |text: &str, place: &str, verb: &str, expected: &str| {
        assert_eq!(after(text, place, verb), expected, "{verb} in {text:?}");
    };
    check(
        "[Event \"A\"]\r\n\r\n1.e4\r\ne5\r\n2.Nf3 *",
        "e4 e5 Nf3",
        "comment a\\nb",
        "[Event \"A\"]\r\n\r\n1.e4\r\ne5\r\n2.Nf3 { a\r\nb } *",
    );
    check(
        "\u{feff}1.e4   e5 *",
        "e4 e5",
        "nag !?",
        "\u{feff}1.e4   e5 $5 *",
    );
    check(
        "% escape\n[A \"b\"]\n; line\n[C \"d\"]\n\n1.e4 ; best by test\n% more\n1...e5 *\n",
        "e4 e5",
        "add Nf3",
        "% escape\n[A \"b\"]\n; line\n[C \"d\"]\n\n1.e4 ; best by test\n% more\n1...e5 2.Nf3 *\n",
    );
    check(
        "1.e4 ; best by test\ne5 *\n",
        "e4",
        "nag !",
        "1.e4 $1 ; best by test\ne5 *\n",
    );
    check(
        "1.e4 (1.d4 (1.c4 e5 (1...c5) 2.g3) d5 (1...Nf6)) e5",
        "d4 Nf6",
        "add c4",
        "1.e4 (1.d4 (1.c4 e5 (1...c5) 2.g3) d5 (1...Nf6 2.c4)) e5",
    );
    // A full line grows.
    let long =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3\nO-O *\n";
    check(
        long,
        "e4 e5 Nf3",
        "nag $146",
        "1. e4 e5 2. Nf3 $146 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3\nO-O *\n",
    );
}

#[test]
fn undo_after_a_save_restores_the_text() {
    let desk = Desk::new(TEXT);
    let mut session = desk.open();
    edit(&mut session, "1Wa", "delete");
    edit(&mut session, "e4", "add c5 {odd} (c6)");
    save(&mut session);
    let edited = desk.text();
    session.undo().expect("undoes");
    save(&mut session);
    session.undo().expect("undoes");
    save(&mut session);
    assert_eq!(desk.text(), TEXT);
    session.redo().expect("redoes");
    session.redo().expect("redoes");
    save(&mut session);
    assert_eq!(desk.text(), edited);
}

#[test]
fn braces_are_replaced_with_a_note() {
    let desk = Desk::new("1.e4 {a} e5 *\n");
    let mut session = desk.open();
    go(&mut session, "e4");
    let verb = Verb::read("comment the set {e4, d4}").expect("a verb");
    assert_eq!(
        session.edit(&verb).expect("an edit"),
        "commented 1.e4; PGN comments cannot contain braces, so { } are written as ❴ ❵"
    );
    save(&mut session);
    assert_eq!(desk.text(), "1.e4 {the set ❴e4, d4❵} e5 *\n");
    let session = desk.open();
    let comment = session
        .walk()
        .game()
        .root()
        .next()
        .map(|node| node.comment().into_owned());
    let typed = crate::edit::typed_comment(&comment.unwrap_or_default());
    assert_eq!(typed, "the set {e4, d4}");
}

#[test]
fn comments_of_several_lines_survive() {
    let text = "1.e4 { one\n\n  two\\n } e5 *\n";
    let desk = Desk::new(text);
    let mut session = desk.open();
    edit(&mut session, "1W", "nag !");
    edit(&mut session, "1W", "clock 1:00:00");
    edit(&mut session, "1W", "clock");
    edit(&mut session, "1W", "drop-nag");
    edit(&mut session, "1B", "comment a\\n\\n[b]\\n%c");
    save(&mut session);
    let text = text.replace(" *", " { a\n\n[b]\n%c } *");
    assert_eq!(desk.text(), text);
    let mut session = desk.open();
    edit(&mut session, "1W", "clock 1:00:00");
    save(&mut session);
    assert_eq!(
        desk.text(),
        text.replace("two\\n }", "two\\n [%clk 1:00:00] }")
    );
}

/// Texts in odd styles.
const STYLES: [&str; 9] = [
    TEXT,
    REPERTOIRE,
    "1.e4 {a} $1 ( 1.d4 ( 1.c4 ) d5 ) {b} $3 1...e5 {} 2.Nf3 * {after}\n\n1. d4 *\n",
    "[A \"b\"]\r\n; line\r\n% escape\r\n[C \"d\"]\r\n\r\n; more\r\n1. e4 ; best\r\ne5 (1... c5\r\n; x\r\n) 1-0\r\n",
    "1.e4! e5?! 2 . Nf3 … Nc6 , 3.Bb5 ± ( 3.Bc4 = Bc5 )1/2-1/2",
    "e2e4 e7e5 (c7c5 g1f3)\n\tg1f3\n\tb8c6 1-0",
    "1. e4 e5 (1... Qh1 {?} 2. x) ({c} 1... c5 *) 2. Nf3 (2. bad) 2... Nc6 3. Ke3 x 1-0",
    "\u{feff}1. e4\n   ( 1. d4\n      ( 1... d5 )\n   )\n1... e5\n   ( 1... c5 )\n2. Nf3 *\n",
    "1. e4 bla bla e5 (1... e6 1-0) (1... e6) 2. Nf3 {x} {y} $1 $2 {z} Nc6",
];

#[test]
fn a_result_in_a_variation_stays_when_it_becomes_the_mainline() {
    for (text, place, verb, expected) in [
        (
            "1. e4 e5 (1... e6 1-0) 2. Nf3 *",
            "e4 e6",
            "first",
            "1. e4 e6 { 1-0 } (1... e5 2. Nf3) *",
        ),
        (
            "1. e4 e5 (1... c5 0-1 2. Nf3) *",
            "e4 c5",
            "main",
            "1. e4 c5 { 0-1 } (1... e5) 2. Nf3 *",
        ),
        (
            "1. e4 e5 (1... e6 1-0) *",
            "e4 e5",
            "delete",
            "1. e4 e6 { 1-0 } *",
        ),
        (
            "1. e4 e5 (1... e6 2. Ke9 1-0) *",
            "e4 e6",
            "first",
            "1. e4 e6 { 2. Ke9 1-0 } (1... e5) *",
        ),
    ] {
        let desk = Desk::new(text);
        let mut session = desk.open();
        edit(&mut session, place, verb);
        save(&mut session);
        assert_eq!(desk.text(), expected);
        session.undo().expect("undoes");
        save(&mut session);
        assert_eq!(desk.text(), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn a_saved_file_reads_back_as_the_edited_game(
        style in 0..STYLES.len(),
        script in prop::collection::vec((0..VERBS.len(), any::<prop::sample::Index>(), any::<u32>()), 1..12)
    ) {
        let text = STYLES[style];
        let desk = Desk::new(text);
        let mut session = desk.open();
        for (verb, argument, place) in script {
            let argument = ARGUMENTS[argument.index(ARGUMENTS.len())];
            let nodes: Vec<_> = session.walk().tree().preorder().collect();
            session.walk_mut().go(nodes[place as usize % nodes.len()]);
            if let Ok(verb) = Verb::read(&format!("{} {argument}", VERBS[verb].word)) {
                // A refused verb changes nothing.
                let _ = session.edit(&verb);
            }
        }
        if session.is_changed() {
            let game = session.walk().game().to_string();
            let saved = session.save(&SaveOptions::default());
            prop_assert!(saved.is_ok(), "{:?}", saved);
            let mut again = desk.open();
            prop_assert!(again.go_to_game(session.game()));
            prop_assert_eq!(again.walk().game().to_string(), game);
            prop_assert_eq!(again.game_count(), session.game_count());
            while session.undo().is_ok() {}
            if session.is_changed() {
                save(&mut session);
            }
        }
        prop_assert_eq!(desk.text(), text);
        prop_assert!(read_game(text.as_bytes()).is_some());
    }
}
