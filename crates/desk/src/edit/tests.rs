//! Every verb, done, undone and done again.

use chess::pgn::{Game, read_game};

use super::*;
use crate::place::Place;
use crate::walk::Walk;

const PGN: &str = "[Event \"E\"]\n[Result \"*\"]\n\n1. e4 {[%csl Ge4] good} (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4 {before} e5) 1... e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 *";

fn walk(pgn: &str) -> Walk {
    Walk::new(read_game(pgn.as_bytes()).expect("a game"))
}

fn go(walk: &mut Walk, place: &str) {
    let node = Place::read(place).and_then(|place| place.find(walk.game_view(), walk.at()));
    walk.go(node.expect("a place"));
}

fn movetext(game: &Game) -> String {
    let text = game.to_string();
    let (_, moves) = text.split_once("\n\n").expect("tags");
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Applies a verb, compares the moves, undoes and redoes it.
fn check(place: &str, verb: &str, after: &str) {
    check_in(PGN, place, verb, after);
}

fn check_in(pgn: &str, place: &str, verb: &str, after: &str) {
    let mut walk = walk(pgn);
    go(&mut walk, place);
    let (before, at) = (walk.game().clone(), walk.at());
    let verb = Verb::read(verb).expect("a verb");
    assert_eq!(Verb::read(&verb.to_string()).as_ref(), Ok(&verb), "{verb}");
    let change = walk
        .edit(&verb)
        .unwrap_or_else(|error| panic!("{verb}: {error}"));
    assert_eq!(movetext(walk.game()), after, "{verb}");
    assert!(!change.summary().is_empty());
    let (done, stood) = (walk.game().clone(), walk.at());
    change.undo(&mut walk).expect("undoes");
    assert_eq!((walk.game(), walk.at()), (&before, at), "{verb}");
    change.redo(&mut walk).expect("redoes");
    assert_eq!((walk.game(), walk.at()), (&done, stood), "{verb}");
    assert_eq!(walk.lines(), &tree::LineCounts::new(walk.tree()), "{verb}");
}

fn refused(place: &str, verb: &str, message: &str) {
    let mut walk = walk(PGN);
    if !place.is_empty() {
        go(&mut walk, place);
    }
    let before = walk.game().clone();
    let verb = Verb::read(verb).expect("a verb");
    let error = walk.edit(&verb).expect_err("refused");
    assert_eq!(error.to_string(), message);
    assert_eq!(walk.game(), &before);
}

const D4: &str = "( 1. d4 d5 ( 1... Nf6 2. c4 ) 2. c4 )";
const C4: &str = "( 1. c4 { before } 1... e5 )";
const E4: &str = "1. e4 { [%csl Ge4] good }";
const REST: &str = "1... e5 ( 1... c5 2. Nf3 ) 2. Nf3 $1 Nc6 *";

#[test]
fn order() {
    check("c4", "promote", &format!("{E4} {C4} {D4} {REST}"));
    check(
        "e4",
        "demote",
        &format!(
            "1. d4 ( {E4} 1... e5 ( 1... c5 2. Nf3 ) 2. Nf3 $1 Nc6 ) {C4} 1... d5 ( 1... Nf6 2. c4 ) 2. c4 *"
        ),
    );
    check(
        "c4",
        "first",
        &format!(
            "1. c4 {{ before }} ( {E4} 1... e5 ( 1... c5 2. Nf3 ) 2. Nf3 $1 Nc6 ) {D4} 1... e5 *"
        ),
    );
    check(
        "d4 Nf6",
        "main",
        &format!(
            "1. d4 ( {E4} 1... e5 ( 1... c5 2. Nf3 ) 2. Nf3 $1 Nc6 ) {C4} 1... Nf6 ( 1... d5 2. c4 ) 2. c4 *"
        ),
    );
    refused("e4", "promote", "this is already the first move here");
    refused("c4", "demote", "this is already the last move here");
    refused("e4 e5", "main", "this is already the mainline");
    refused(
        "",
        "promote",
        "no move here: this is the starting position; go to a move first",
    );
}

#[test]
fn transpositions() {
    let pgn = "[Event \"E\"]\n\n1. d4 d5 (1... e6 2. c4 d5 3. Nc3 {b} Nf6) \
               (1... Nf6 2. c4 e6 3. Nc3 d5 4. Bg5) 2. c4 e6 {here} 3. Nc3 $1 {a} (3. Nf3) *";
    check_in(
        pgn,
        "d4 e6 c4 d5",
        "bring",
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 $1 { b } { a } ( 3. Nf3 ) 3... Nf6 ) \
         ( 1... Nf6 2. c4 e6 3. Nc3 d5 4. Bg5 ) \
         2. c4 e6 { here } { Transposes to 1.d4 e6 2.c4 d5 } *",
    );
    check_in(
        pgn,
        "d4 e6 c4 d5 Nc3 Nf6",
        "bring",
        "1. d4 d5 ( 1... e6 2. c4 d5 3. Nc3 { b } 3... Nf6 4. Bg5 ) \
         ( 1... Nf6 2. c4 e6 3. Nc3 d5 { Transposes to 1.d4 e6 2.c4 d5 3.Nc3 Nf6 } ) \
         2. c4 e6 { here } 3. Nc3 $1 { a } ( 3. Nf3 ) *",
    );
    refused(
        "e4",
        "bring",
        "no other path to this position has continuations",
    );
}

#[test]
fn deleting() {
    check("d4", "delete", &format!("{E4} {C4} {REST}"));
    check(
        "d4 Nf6 c4",
        "delete",
        &format!("{E4} ( 1. d4 d5 ( 1... Nf6 ) 2. c4 ) {C4} {REST}"),
    );
    check(
        "d4 Nf6 c4",
        "delete-variation",
        &format!("{E4} ( 1. d4 d5 2. c4 ) {C4} {REST}"),
    );
    check("d4", "delete-after", &format!("{E4} ( 1. d4 ) {C4} {REST}"));
    check(
        "e4 c5",
        "delete-others",
        &format!("{E4} {D4} {C4} 1... c5 2. Nf3 *"),
    );
    check("d4", "keep-only", "1. d4 d5 ( 1... Nf6 2. c4 ) 2. c4 *");
    check("d4", "keep-line", "1. d4 d5 2. c4 *");
    refused(
        "e4 e5 Nf3 Nc6",
        "delete-after",
        "no continuations to delete",
    );
    refused(
        "e4",
        "delete-variation",
        "this is the mainline, not a variation",
    );
    refused("c4 e5", "delete-others", "this move has no alternatives");
    refused(
        "",
        "delete",
        "no move here: this is the starting position; go to a move first",
    );
}

#[test]
fn adding() {
    check(
        "c4 e5",
        "add Nc3 Nf6 (2... Nc6 {is fine}) 3. Nf3 $1",
        &format!(
            "{E4} {D4} ( 1. c4 {{ before }} 1... e5 2. Nc3 Nf6 ( 2... Nc6 {{ is fine }} ) 3. Nf3 $1 ) {REST}"
        ),
    );
    check(
        "e4",
        "add e5 Nf3 {hello} d6",
        &format!(
            "{E4} {D4} {C4} 1... e5 ( 1... c5 2. Nf3 ) 2. Nf3 $1 {{ hello }} 2... Nc6 ( 2... d6 ) *"
        ),
    );
    refused("e4", "add e5 Nf3", "the tree already has these moves");
    refused(
        "e4",
        "add e5 Ke3",
        "illegal move: \"Ke3\"; nothing was added",
    );
    refused(
        "e4",
        "add e6 (",
        "unclosed variation: \"(\"; nothing was added",
    );
}

#[test]
fn comments() {
    check(
        "d4",
        "comment solid\\nand sound",
        &format!(
            "{E4} ( 1. d4 {{ solid and sound }} 1... d5 ( 1... Nf6 2. c4 ) 2. c4 ) {C4} {REST}"
        ),
    );
    check(
        "e4",
        "comment best",
        &format!("1. e4 {{ [%csl Ge4] best }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "comment",
        &format!("1. e4 {{ [%csl Ge4] }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "comment } [%x y]",
        &format!("1. e4 {{ ❵ [%x y] }} {D4} {C4} {REST}"),
    );
    check(
        "d4",
        "comment-before or else",
        &format!("{E4} ( {{ or else }} 1. d4 d5 ( 1... Nf6 2. c4 ) 2. c4 ) {C4} {REST}"),
    );
    check("c4", "comment", &format!("{E4} {D4} ( 1. c4 e5 ) {REST}"));
    refused(
        "d4",
        "comment",
        "no comment to remove; to add one, use comment TEXT",
    );
    refused("e4", "comment good", "the comment already has this text");
}

#[test]
fn marks() {
    let nf3 =
        |marks: &str| format!("{E4} {D4} {C4} 1... e5 ( 1... c5 2. Nf3 ) 2. Nf3{marks} Nc6 *");
    check("2W", "nag !?", &nf3(" $5"));
    check("2W", "nag $14", &nf3(" $1 $14"));
    check("2W", "nag 146", &nf3(" $1 $146"));
    // a file may hold two of a kind
    check_in("1. e4 $1 $14 $2 e5 *", "e4", "nag 2", "1. e4 $2 $14 e5 *");
    check("2W", "drop-nag !", &nf3(""));
    check("2W", "drop-nag", &nf3(""));
    refused("2W", "nag !", "the move already has this glyph");
    refused("1W", "drop-nag", "the move does not have this glyph");
    check(
        "e4",
        "arrow e2e4 red",
        &format!("1. e4 {{ [%csl Ge4][%cal Re2e4] good }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "arrow Ye2-e4",
        &format!("1. e4 {{ [%csl Ge4][%cal Ye2e4] good }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "square blue e4",
        &format!("1. e4 {{ [%csl Be4] good }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "square e4",
        &format!("1. e4 {{ good }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "drop-shapes",
        &format!("1. e4 {{ good }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "clock 1:30:00",
        &format!("1. e4 {{ [%csl Ge4] good [%clk 1:30:00] }} {D4} {C4} {REST}"),
    );
    check(
        "e4",
        "eval 0.35",
        &format!("1. e4 {{ [%csl Ge4] good [%eval 0.35] }} {D4} {C4} {REST}"),
    );
    refused("d4", "clock none", "no change: this is already the value");
}

#[test]
fn head() {
    let mut walk = walk(PGN);
    let before = walk.game().clone();
    let mut changes = Vec::new();
    for verb in [
        "tag White Anna",
        "tag Event Club championship",
        "result 1-0",
        "drop-tag Event",
        "tag Result 0-1",
    ] {
        changes.push(walk.edit(&Verb::read(verb).expect("a verb")).expect(verb));
    }
    let text = walk.game().to_string();
    assert!(
        text.contains("[White \"Anna\"]")
            && text.contains("[Result \"0-1\"]")
            && text.ends_with("0-1\n"),
        "{text}"
    );
    for change in changes.iter().rev() {
        change.undo(&mut walk).expect("undoes");
    }
    assert_eq!(walk.game(), &before);
    refused(
        "",
        "tag FEN 8/8/8/8/8/8/8/8 w - - 0 1",
        "cannot change the tag FEN: the moves would no longer be legal from another starting position",
    );
    refused("", "tag Event E", "the tag already has this value");
}

#[test]
fn duplicates_become_one() {
    let mut walk = walk("1. e4 (1. e4 {twice} c5 $6) (1. d4) e5 *");
    let before = walk.game().clone();
    go(&mut walk, "e4 e5");
    let change = walk.edit(&Verb::MergeDuplicates).expect("merges");
    let text = movetext(walk.game());
    assert_eq!(text, "1. e4 { twice } ( 1. d4 ) 1... e5 ( 1... c5 $6 ) *");
    assert_eq!(change.summary(), "merged one duplicate");
    change.undo(&mut walk).expect("undoes");
    assert_eq!(walk.game(), &before);
    change.redo(&mut walk).expect("redoes");
    let error = walk
        .edit(&Verb::MergeDuplicates)
        .expect_err("there is none");
    assert_eq!(error.to_string(), "no duplicate moves");
}

#[test]
fn cut_moves_can_be_pasted() {
    let mut walk = walk(PGN);
    go(&mut walk, "d4 d5");
    let clip = Clip::of(walk.game(), walk.at());
    assert_eq!(clip.text(), "1... d5 2. c4");
    go(&mut walk, "1W");
    let all = Clip::of(walk.game(), tree::NodeId::ROOT);
    let mut empty = self::walk("*");
    empty.edit(&Verb::Add(all.text().to_owned())).expect("adds");
    assert_eq!(movetext(empty.game()), movetext(walk.game()));
}

#[test]
fn invalid_verbs() {
    for (text, message) in [
        ("jump", "unknown verb \"jump\""),
        (
            "promot",
            "unknown verb \"promot\"; did you mean \"promote\"?",
        ),
        ("promote 3", "promote takes no argument, found \"3\""),
        ("add", "add requires an argument: add MOVES"),
        (
            "result",
            "result requires an argument: result 1-0|0-1|1/2-1/2|*",
        ),
        (
            "result 2-0",
            "invalid result \"2-0\"; use 1-0, 0-1, 1/2-1/2 or *",
        ),
        ("clock soon", "invalid time \"soon\"; use 1:30:00 or 5:00"),
        (
            "eval good",
            "invalid evaluation \"good\"; use 0.35, -1.2 or #3",
        ),
        (
            "tag White-Elo 1",
            "invalid tag name \"White-Elo\"; use letters, digits and _",
        ),
    ] {
        assert_eq!(Verb::read(text).expect_err(text).to_string(), message);
    }
    for text in [
        "nag x",
        "arrow e9e4",
        "arrow e4",
        "square e2e4",
        "square é",
        "arrow purple e2e4",
        "nag $99999999999",
    ] {
        assert!(Verb::read(text).is_err(), "{text}");
    }
}
