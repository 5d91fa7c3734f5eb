use chess::Identity;
use chess::pgn::read_games;

use super::*;
use crate::place::Place;
use crate::positions::tests::{nested, siblings};

fn find(text: &str, at: &str, limit: usize) -> Paths {
    let games = read_games(text.as_bytes()).map(Result::unwrap).collect();
    let positions = Positions::of(games, Identity::Strict);
    let vertex = positions.locate(&Place::read(at).unwrap(), 0).unwrap();
    paths(&positions, vertex, limit).unwrap()
}

fn orders(found: &Paths) -> Vec<(&str, u64)> {
    found
        .orders
        .iter()
        .map(|order| (order.at.path.as_place(), order.below))
        .collect()
}

#[test]
fn written_and_unwritten_orders() {
    let text = "1. d4 Nf6 (1... d5 2. c4 Nf6 3. Nc3) 2. c4 (2. Nf3 d5 3. c4) 2... d5 3. Nf3 e6 *";
    let found = find(text, "d4 Nf6 c4 d5 Nf3", 100);
    let expected = [
        ("1.d4 Nf6 2.c4 d5 3.Nf3", 1),
        ("1.d4 Nf6 2.Nf3 d5 3.c4", 0),
        ("1.d4 d5 2.c4 Nf6 3.Nf3", 0),
    ];
    assert_eq!(orders(&found), expected);
    assert!(found.complete);
    assert_eq!(
        found.orders[2].joins.as_ref().unwrap().0,
        "1.d4 d5 2.c4 Nf6"
    );
    assert_eq!(found.orders[0].next, ["e6"]);
}

#[test]
fn counts_by_move_and_by_position() {
    let text = "1. d4 d5 2. c4 *\n\n1. c4 d5 2. d4 *\n\n1. d4 d5 2. c4 e6 *\n\n1. d4 d5 2. Nf3 *\n";
    let found = find(text, "d4 d5", 100);
    assert_eq!((found.times, found.orders[0].times), (3, 3));
    let counts: Vec<_> = found
        .continuations
        .iter()
        .map(|c| (c.mv.as_str(), c.times, c.position_times))
        .collect();
    assert_eq!(counts, [("2.c4", 2, 3), ("2.Nf3", 1, 1)]);
}

#[test]
fn results_of_mainlines() {
    let text = "1. d4 d5 2. c4 1-0\n\n1. c4 d5 2. d4 e6 1/2-1/2\n\n1. d4 d5 (1... e6) 2. c4 e6 0-1\n\n1. d4 (1. e4) d5 2. Nf3 *\n";
    let found = find(text, "d4 d5", 100);
    let results = |found: &Paths| -> Vec<(String, [u64; 4])> {
        let all = found.continuations.iter().map(|next| {
            let Results {
                white,
                draw,
                black,
                unknown,
            } = next.results;
            (next.mv.clone(), [white, draw, black, unknown])
        });
        all.collect()
    };
    let expected = [
        ("2.c4".to_owned(), [1, 0, 1, 0]),
        ("2.Nf3".to_owned(), [0, 0, 0, 1]),
    ];
    assert_eq!(results(&found), expected);
    // A move that a game repeats counts once; a move of a variation has no result.
    let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 (3. e4) 1/2-1/2";
    let expected = [
        ("1.Nf3".to_owned(), [0, 1, 0, 0]),
        ("1.e4".to_owned(), [0; 4]),
    ];
    assert_eq!(results(&find(text, "0", 100)), expected);
}

#[test]
fn cycles_end() {
    let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 (3. e4) 3... Nf6 4. Ng1 Ng8 5. e4 *";
    let found = find(text, "0", 100);
    assert_eq!(
        orders(&found),
        [
            ("0", 10),
            ("1.Nf3 Nf6 2.Ng1 Ng8", 6),
            ("1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8", 1)
        ]
    );
    let moves: Vec<_> = found.continuations.iter().map(|c| c.mv.as_str()).collect();
    assert_eq!(moves, ["1.Nf3", "1.e4"]);
}

#[test]
fn limits_hold() {
    let text = "1. Nf3 Nf6 2. Nc3 (2. Ng1 Ng8 3. Nc3 Nf6 4. Nf3) 2... Nc6 *";
    let found = find(text, "Nf3 Nf6 Nc3", 1);
    assert_eq!(found.orders.len(), 1);
    assert!(!found.complete);
}

#[test]
fn an_order_written_twice_is_written() {
    let text = "1. Nf3 (1. Nf3 d5 2. g3) (1. g3 d5 2. Nf3 Nf6) *";
    let found = find(text, "g3 d5 Nf3", 100);
    let expected = [("1.Nf3 d5 2.g3", 0), ("1.g3 d5 2.Nf3", 1)];
    assert_eq!(orders(&found), expected);
    assert!(found.complete);
}

/// At these sizes, quadratic work takes minutes.
#[test]
fn deep_and_wide_trees_take_linear_time() {
    let found = |game| {
        let positions = Positions::of(vec![game], Identity::Strict);
        transposed(&positions, 10, &Stop::new()).meetings
    };
    let deep = found(nested(64_000));
    assert_eq!(deep.len(), 1);
    assert_eq!(deep[0].times, 32_001);
    assert_eq!(found(siblings(64_000)).len(), 0);
    let stop = Stop::new();
    stop.raise();
    let positions = Positions::of(vec![nested(100)], Identity::Strict);
    assert_eq!(transposed(&positions, 10, &stop).meetings, []);
}
