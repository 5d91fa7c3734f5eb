//! Navigation, captions of the table, transpositions, search.

use super::*;
use crate::place::Place;
use crate::positions::tests::{deep_line, nested};
use chess::pgn::read_game;

fn walk(pgn: &str) -> Walk {
    Walk::new(read_game(pgn.as_bytes()).expect("a game"))
}

const PGN: &str = "1. e4 {best by test} (1. d4 Nf6 2. c4 e6 3. Nf3 d5 4. Nc3 c6) (1. c4 Nf6 2. d4 g6) \
                   1... c5 (1... e5 2. Nf3! Nc6 (2... Nf6)) 2. Nf3 d6 *";

fn go(walk: &mut Walk, place: &str) {
    let node = Place::read(place).and_then(|place| place.find(walk.game_view(), walk.at()));
    walk.go(node.expect("a place"));
}

#[test]
fn every_step_and_back() {
    let mut walk = walk(PGN);
    assert!(!walk.back() && !walk.to_start() && !walk.next_alternative());
    assert!(walk.forward() && walk.forward());
    assert_eq!(walk.path(), "1.e4 c5");
    assert!(walk.next_alternative());
    assert_eq!(walk.path(), "1.e4 e5");
    assert!(walk.to_end());
    assert_eq!(walk.path(), "1.e4 e5 2.Nf3 Nc6");
    assert!(walk.next_alternative() && walk.previous_alternative() && walk.previous_alternative());
    assert_eq!(walk.path(), "1.e4 e5 2.Nf3 Nf6");
    assert!(walk.leave_variation());
    assert_eq!(walk.path(), "1.e4 e5 2.Nf3 Nc6");
    assert!(walk.leave_variation());
    assert_eq!(walk.path(), "1.e4 c5");
    assert!(!walk.leave_variation());
    assert!(walk.previous_branching());
    assert_eq!(walk.path(), "1.e4");
    assert!(!walk.previous_branching() && walk.next_branching());
    assert_eq!(walk.path(), "1.e4 c5");
}

#[test]
fn choices_further_down_are_remembered() {
    let mut walk = walk(PGN);
    go(&mut walk, "e4 e5 Nf3 Nf6");
    assert!(walk.to_start() && walk.to_end());
    assert_eq!(walk.path(), "1.e4 e5 2.Nf3 Nf6");
    go(&mut walk, "1W");
    assert!(walk.next_alternative() && walk.previous_alternative() && walk.to_end());
    assert_eq!(walk.path(), "1.e4 e5 2.Nf3 Nf6");
    walk.reset();
    assert_eq!(walk.path(), "1.e4");
    assert!(walk.to_end());
    assert_eq!(walk.path(), "1.e4 c5 2.Nf3 d6");
}

#[test]
fn captions() {
    let mut walk = walk(PGN);
    walk.find_transpositions();
    go(&mut walk, "e4 e5 Nf3");
    let rows = walk.all_rows();
    let e4 = rows[0].first.as_ref().expect("a move");
    assert!(e4.caption.comment && !e4.caption.transposes);
    assert_eq!((e4.caption.text.as_str(), e4.lines), ("e4", 3));
    let names: Vec<_> = rows[0]
        .alternatives
        .iter()
        .map(|cell| cell.caption.text.as_str())
        .collect();
    assert_eq!(names, ["d4", "c4"]);
    let nf3 = rows[2].first.as_ref().expect("a move");
    assert_eq!(nf3.caption.glyphs, "!");
    assert_eq!(walk.current_row(), Some(2));
}

#[test]
fn one_position_two_paths() {
    let mut walk = walk(PGN);
    let transpositions = walk.find_transpositions();
    // After 1.d4 Nf6 2.c4 and 1.c4 Nf6 2.d4.
    assert_eq!(transpositions.counts().between_lines, 1);
    go(&mut walk, "d4 Nf6 c4");
    assert_eq!(walk.transpositions_of(walk.at()).len(), 1);
    assert!(walk.next_transposition());
    assert_eq!(walk.path(), "1.c4 Nf6 2.d4");
    assert!(walk.next_transposition());
    assert_eq!(walk.path(), "1.d4 Nf6 2.c4");
}

#[test]
fn a_cycle_is_not_a_transposition() {
    let mut walk = walk("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *");
    let counts = walk.find_transpositions().counts();
    assert_eq!((counts.positions, counts.transposed), (4, 2));
    assert_eq!((counts.between_lines, counts.repeated), (0, 2));
    go(&mut walk, "Nf3");
    assert!(!walk.next_transposition());
}

#[test]
fn search_wraps_around() {
    let mut walk = walk(PGN);
    let wanted = SearchText::new("Nf3").expect("a text");
    let mut paths = Vec::new();
    for _ in 0..4 {
        assert!(walk.search(&wanted));
        paths.push(walk.path());
    }
    assert_eq!(
        paths,
        [
            "1.e4 c5 2.Nf3",
            "1.e4 e5 2.Nf3",
            "1.d4 Nf6 2.c4 e6 3.Nf3",
            "1.e4 c5 2.Nf3"
        ]
    );
    assert!(walk.search_back(&wanted));
    assert_eq!(walk.path(), "1.d4 Nf6 2.c4 e6 3.Nf3");
    assert!(walk.search(&SearchText::new("BY Test").expect("a text")));
    assert_eq!(walk.path(), "1.e4");
    assert!(!walk.search(&SearchText::new("nowhere").expect("a text")));
    assert_eq!(SearchText::new("  "), None);
}

#[test]
fn back_after_a_transposition() {
    let mut walk =
        walk("1. d4 d5 (1... e6 2. c4 d5 3. Nc3 Nf6) (1... Nf6 2. c4 d5) 2. c4 e6 3. Nf3 *");
    walk.find_transpositions();
    let path = |walk: &Walk| walk.path();
    go(&mut walk, "d4 d5 c4 e6");
    assert!(walk.next_transposition());
    assert_eq!(path(&walk), "1.d4 e6 2.c4 d5");
    walk.forward();
    walk.back();
    assert_eq!(path(&walk), "1.d4 e6 2.c4 d5");
    // Leaving the other path returns to the first.
    walk.back();
    assert_eq!(path(&walk), "1.d4 d5 2.c4 e6");
    walk.back();
    assert_eq!(path(&walk), "1.d4 d5 2.c4");
    // After navigation in between, `back` follows the moves.
    walk.to_start();
    go(&mut walk, "d4 d5 c4 e6");
    walk.next_transposition();
    walk.to_start();
    go(&mut walk, "d4 e6 c4 d5");
    walk.back();
    assert_eq!(path(&walk), "1.d4 e6 2.c4");
}

#[test]
fn matches_of_a_query() {
    let mut walk = walk("1. e4 e5 (1... f5 2. Qh5+ g6) 2. Qh5 Nc6 3. Qxf7+ *");
    assert!(walk.find_matches("chekc").is_err() && walk.matches().is_none());
    assert_eq!(
        walk.find_matches("check").map(|matches| matches.len()).ok(),
        Some(2)
    );
    assert!(walk.next_match());
    assert_eq!(walk.path(), "1.e4 e5 2.Qh5 Nc6 3.Qxf7+");
    assert!(walk.next_match());
    assert_eq!(walk.path(), "1.e4 f5 2.Qh5+");
    assert!(walk.previous_match());
    assert_eq!(walk.path(), "1.e4 e5 2.Qh5 Nc6 3.Qxf7+");
    assert!(walk.previous_match());
    assert_eq!(walk.path(), "1.e4 f5 2.Qh5+");
    let rows = walk.all_rows();
    let marked = |row: &Row| row.first.as_ref().is_some_and(|cell| cell.caption.matches);
    assert!(rows.iter().any(marked));
    // A change invalidates them.
    walk.edit(&crate::edit::Verb::Delete).expect("deleted");
    assert!(walk.matches().is_none());
    assert_eq!(
        walk.find_matches("check").map(|matches| matches.len()).ok(),
        Some(1)
    );
}

/// At these sizes, quadratic work takes minutes.
#[test]
fn deep_trees_take_linear_time() {
    let mut line = Walk::new(deep_line(200_000));
    assert_eq!(line.find_transpositions().counts().between_lines, 0);
    let rows = line.all_rows();
    assert_eq!(rows.len(), 100_000);
    assert!(
        rows.iter()
            .flat_map(|row| &row.second)
            .all(|cell| !cell.caption.transposes)
    );
    let mut tree = Walk::new(nested(100_000));
    assert_eq!(tree.find_transpositions().counts().between_lines, 4);
    assert!(
        tree.transpositions()
            .is_some_and(|transpositions| transpositions.of(NodeId(1)).count() > 20_000)
    );
    let (paths, more) = tree.other_paths(NodeId(1), 500);
    assert_eq!((paths.len(), more), (500, 49_500));
    assert_eq!((paths[0].as_str(), paths[499].as_str()), ("1.Nf3", "#2001"));
    let end = tree.tree().preorder().last();
    end.into_iter().for_each(|end| tree.go(end));
    assert_eq!(tree.all_rows().len(), 100_001);
}
