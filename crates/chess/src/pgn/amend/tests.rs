//! Changes of games in many styles, compared with the expected text.

use super::*;
use crate::pgn::{Note, NoteKind, NotePlace, Outcome, Style};
use tree::NodeId;

/// The node after these moves.
fn at(game: &Game, moves: &str) -> NodeId {
    let mut node = game.root();
    for san in moves.split_whitespace() {
        let mut children = node.variations();
        let next = children.find(|child| child.san() == san);
        node = next.unwrap_or_else(|| panic!("no {san} in {moves}"));
    }
    node.id()
}

fn check(old: &str, change: impl FnOnce(&mut Game), expected: &str) {
    let mut game = read_game(old.as_bytes()).expect("a game");
    change(&mut game);
    assert_eq!(amend(&game, old).as_deref(), Some(expected), "{old}");
}

fn comment(game: &mut Game, moves: &str, text: &str) {
    let node = at(game, moves);
    let text = game.add_text(text);
    let note = Note {
        kind: NoteKind::Comment(Style::Brace),
        place: NotePlace::After,
        text,
    };
    game.set_notes(node, [note]);
}

/// Replaces the first occurrence.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?} in {text:?}");
    text.replacen(from, to, 1)
}

const REPERTOIRE: &str = "\
[Event \"Open games\"]
[White \"Me\"]
[Result \"*\"]

1. e4 {Best by test.} 1... e5
(1... c5 2. Nf3 (2. c3 d5) d6 3. d4)
(1... e6 2. d4)
2. Nf3 Nc6 3. Bb5 a6 {The
main line.} 4. Ba4 Nf6 5. O-O
Be7 $1 *
";

#[test]
fn unchanged_games_keep_every_byte() {
    for old in [
        REPERTOIRE,
        "*",
        "\u{feff}1.e4 *",
        "[A \"b\"]\n; line\n% escape\n[C \"d\"]\n\n; more\n1. e4 ; best\ne5 *\n",
        "1. e4 {a} $1 ( 1. d4 ( 1. c4 ) d5 ) {b} $3 1... e5 {} 2. Nf3 * {after}\n",
        "1.e4! e5?! 2 . Nf3 … Nc6 , 3.Bb5 ± ( 3.Bc4 = )1/2-1/2",
        "e2e4 e7e5 g1f3 0-0 1-0\r\n",
        "1. e4 (1. d4 (1. c4 c5 (1... e5)) d5) (1. b4) 1... e5 *",
        "1. e4 e5 (1... Qh1 {?} 2. x) 2. Ke3 (bad) 1-0",
        "1. e4 bla bla e5 (1... c5 *) (1... e6 1-0) 2. Nf3 *",
        "1. {odd} e4 1... 2. e5 () *",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 7\"]\n\n7... Kd7 8. O-O (8. Kd2) Kc6 *",
    ] {
        check(old, |_| {}, old);
    }
}

#[test]
fn a_move_is_added() {
    let add = |moves: &'static str, san: &'static str| {
        move |game: &mut Game| {
            let node = at(game, moves);
            game.add_san(node, san).expect("a move");
        }
    };
    check(
        REPERTOIRE,
        add("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7", "Re1"),
        &with(REPERTOIRE, "Be7 $1 *", "Be7 $1 6. Re1 *"),
    );
    check(
        REPERTOIRE,
        add("e4 c5 Nf3 d6 d4", "cxd4"),
        &with(REPERTOIRE, "3. d4)", "3. d4 cxd4)"),
    );
    check(
        REPERTOIRE,
        add("e4 e5 Nf3 Nc6 Bb5", "Nf6"),
        &with(
            REPERTOIRE,
            "a6 {The\nmain line.} 4.",
            "a6 {The\nmain line.}\n(3... Nf6)\n4.",
        ),
    );
}

/// Lines of 79 columns, as most programs write them.
const FULL: &str = "\
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O
9. h3 Na5 10. Bc2 c5 11. d4 Qc7 *
";

#[test]
fn a_full_line_grows() {
    let add = |san: &'static [&'static str]| {
        move |game: &mut Game| {
            let mut node = at(game, "e4 e5 Nf3 Nc6 Bb5 a6");
            for san in san {
                node = game.add_san(node, san).expect("a move");
            }
        }
    };
    check(
        FULL,
        add(&["Bxc6"]),
        &with(FULL, "4. Ba4 Nf6", "4. Ba4 ( 4. Bxc6 ) 4... Nf6"),
    );
    check(
        FULL,
        |game| drop(game.set_nags(at(game, "e4 e5"), [1])),
        &with(FULL, "e5", "e5 $1"),
    );
    check(
        FULL,
        |game| comment(game, "e4 e5", "A comment that makes the line longer."),
        &with(FULL, "e5", "e5 { A comment that makes the line longer. }"),
    );
    // New text that fills lines of its own is broken, the rest is not.
    check(
        FULL,
        add(&[
            "Bxc6", "dxc6", "O-O", "f6", "d4", "exd4", "Nxd4", "c5", "Nb3", "Qxd1", "Rxd1", "Bg4",
            "f3", "Be6", "Nc3", "Bd6",
        ]),
        &with(
            FULL,
            "4. Ba4 Nf6",
            "4. Ba4 ( 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4\n\
             c5 8. Nb3 Qxd1 9. Rxd1 Bg4 10. f3 Be6 11. Nc3 Bd6 )\n4... Nf6",
        ),
    );
}

#[test]
fn comments_and_glyphs_change_in_place() {
    check(
        REPERTOIRE,
        |game| comment(game, "e4", "Always."),
        &with(REPERTOIRE, "{Best by test.}", "{Always.}"),
    );
    check(
        REPERTOIRE,
        |game| drop(game.set_notes(at(game, "e4"), [])),
        &with(REPERTOIRE, "e4 {Best by test.} 1... e5", "e4 e5"),
    );
    check(
        REPERTOIRE,
        |game| comment(game, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "two\nlines"),
        &with(REPERTOIRE, "4. Ba4 Nf6", "4. Ba4 {two\nlines} 4... Nf6"),
    );
    check(
        REPERTOIRE,
        |game| drop(game.set_nags(at(game, "e4 e5 Nf3 Nc6"), [1])),
        &with(REPERTOIRE, "Nc6", "Nc6 $1"),
    );
    check(
        "1.e4! e5 2.Nf3 *",
        |game| drop(game.set_nags(at(game, "e4 e5"), [6, 14])),
        "1.e4! e5?! $14 2.Nf3 *",
    );
}

#[test]
fn variations_are_deleted_and_promoted() {
    check(
        REPERTOIRE,
        |game| {
            let node = at(game, "e4 c5");
            game.tree_mut().detach(node);
        },
        &with(REPERTOIRE, "(1... c5 2. Nf3 (2. c3 d5) d6 3. d4)\n", ""),
    );
    check(
        "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 (2. f4 exf4) 2... Nc6 *",
        |game| {
            let node = at(game, "e4 c5");
            game.tree_mut().promote(node);
        },
        "1. e4 c5 (1... e5 2. Nf3 (2. f4 exf4) 2... Nc6) 2. Nf3 d6 *",
    );
    check(
        "1.e4 ( 1.d4 d5 ) 1...e5 ( 1...c5 ) 2.Nf3 *",
        |game| {
            let node = at(game, "d4");
            game.tree_mut().detach(node);
        },
        "1.e4 e5 ( 1...c5 ) 2.Nf3 *",
    );
    // Alternatives nested in one another stay nested.
    check(
        "1. e4 (1. d4 (1. c4 c5) d5) e5 *",
        |game| {
            let node = at(game, "c4 c5");
            game.tree_mut().detach(node);
        },
        "1. e4 (1. d4 (1. c4) d5) e5 *",
    );
    check(
        "1. e4 (1. d4 (1. c4 c5) d5) e5 *",
        |game| {
            let node = at(game, "d4");
            game.tree_mut().detach(node);
        },
        "1. e4 (1. c4 c5) e5 *",
    );
}

#[test]
fn tags_and_the_result() {
    check(
        REPERTOIRE,
        |game| game.set_tag("White", "A \"B\""),
        &with(REPERTOIRE, "\"Me\"", "\"A \\\"B\\\"\""),
    );
    check(
        REPERTOIRE,
        |game| game.set_tag("ECO", "C60"),
        &with(
            REPERTOIRE,
            "[Result \"*\"]\n",
            "[Result \"*\"]\n[ECO \"C60\"]\n",
        ),
    );
    check(
        REPERTOIRE,
        |game| assert!(game.remove_tag("White")),
        &with(REPERTOIRE, "[White \"Me\"]\n", ""),
    );
    check(
        REPERTOIRE,
        |game| game.set_outcome(Outcome::Draw),
        &with(
            &with(REPERTOIRE, "Be7 $1 *", "Be7 $1 1/2-1/2"),
            "[Result \"*\"]",
            "[Result \"1/2-1/2\"]",
        ),
    );
    check(
        "1.e4 *\n",
        |game| game.set_tag("A", "b"),
        "[A \"b\"]\n\n1.e4 *\n",
    );
    check(
        "[A \"b\"]\r\n\r\n1.e4 *",
        |game| assert!(game.remove_tag("A")),
        "1.e4 *",
    );
}

#[test]
fn comments_among_tags() {
    let old = "[A \"b\"]\n; one\n[C \"d\"]\n; two\n\n1. e4 *\n";
    check(
        old,
        |game| comment(game, "", "three"),
        "[A \"b\"]\n[C \"d\"]\n{ three }\n\n1. e4 *\n",
    );
    check(
        old,
        |game| game.set_tag("C", "x"),
        &with(old, "\"d\"", "\"x\""),
    );
}
