use chess::pgn::{Game, read_games};
use proptest::prelude::*;
use tree::graph;

use super::*;
use crate::link::{link, unite};
use crate::positions::Identity;
use crate::random::game;

const OLD: &str = include_str!("../../../../testdata/graph/old.pgn");
const NEW: &str = include_str!("../../../../testdata/graph/new.pgn");

fn positions(games: Vec<Game>, each: graph::Identity) -> Positions {
    Positions::by(each, games, Identity::Strict)
}

fn changes(old: &str, new: &str, each: graph::Identity) -> Vec<String> {
    let read = |text: &str| read_games(text.as_bytes()).map(Result::unwrap).collect();
    let changes = diff(&positions(read(old), each), &positions(read(new), each));
    let line = |change: &Change| {
        let Change {
            kind,
            at,
            moves,
            old,
            new,
        } = change;
        format!(
            "{kind} {} {moves} {} > {}",
            at.path.as_place(),
            old.join(" "),
            new.join(" ")
        )
    };
    changes.iter().map(line).collect()
}

fn check(old: &str, new: &str, expected: &[&str]) {
    assert_eq!(
        changes(old, new, graph::Identity::Position),
        expected,
        "{old} {new}"
    );
}

#[test]
fn every_kind_of_change() {
    let expected = [
        "tag 0 0 Event Before > Event After",
        "comment 1.e4 0 King's pawn > The king's pawn",
        "reordered 1.e4 0 e5 c5 e6 > c5 e5 e6",
        "glyphs 1.e4 c5 2.Nf3 0 ! > !?",
        "added 1.e4 c5 2.Nf3 Nc6 2  > 2...Nc6 3.Bb5",
        "added 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 2  > 3...a6 4.Ba4",
        "removed 1.e4 e5 2.Nf3 Nc6 3.Bc4 3 3.Bc4 Bc5 4.c3 > ",
    ];
    check(OLD, NEW, &expected);
}

#[test]
fn a_continuation_at_another_place_has_moved() {
    let old = "1. d4 d5 (1... e6 2. c4 d5) 2. c4 e6 3. Nc3 Nf6 *";
    let new = "1. d4 d5 (1... e6 2. c4 d5 3. Nc3 Nf6) 2. c4 e6 *";
    check(
        old,
        new,
        &[
            "moved-here 1.d4 e6 2.c4 d5 3.Nc3 2 1.d4 d5 2.c4 e6 3.Nc3 > 3.Nc3 Nf6",
            "moved-away 1.d4 d5 2.c4 e6 3.Nc3 2 3.Nc3 Nf6 > 1.d4 e6 2.c4 d5 3.Nc3",
        ],
    );
    let by_moves = changes(old, new, graph::Identity::Move);
    let expected = [
        "added 1.d4 e6 2.c4 d5 3.Nc3 2  > 3.Nc3 Nf6",
        "removed 1.d4 d5 2.c4 e6 3.Nc3 2 3.Nc3 Nf6 > ",
    ];
    assert_eq!(by_moves, expected);
}

#[test]
fn games_and_starts() {
    check(
        "1. e4 *",
        "1. e4 *\n\n1. d4 *\n",
        &["game-added 0 1  > ", "added 1.d4 1  > 1.d4"],
    );
    check(
        "*",
        "{x} 1. e4 *",
        &["added 1.e4 1  > 1.e4", "comment 0 0  > x"],
    );
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 *";
    let found = changes("1. e4 *", fen, graph::Identity::Position);
    assert_eq!(
        found[1..],
        ["added 1.e4 1  > 1.e4", "removed 1.e4 1 1.e4 > "]
    );
    check("1. e4 Qh9 *", "1. e4 *", &["comment 1.e4 0 Qh9 > "]);
}

/// Three chapters of a file; the moves of the first two are found in both.
const CHAPTERS: [&str; 3] = [
    "[White \"Open\"]\n\n1. e4 e5 (1... c5) 2. Nf3 *\n\n",
    "[White \"Closed\"]\n\n1. e4 e5 2. d3 *\n\n",
    "[White \"Queen\"]\n\n1. d4 *\n\n",
];

/// The changes have to be the same if games are compared by moves.
fn check_games(old: &str, new: &str, expected: &[&str]) {
    for each in [graph::Identity::Position, graph::Identity::Move] {
        assert_eq!(changes(old, new, each), expected, "{old} {new} {each:?}");
    }
}

#[test]
fn chapters_that_come_go_and_move() {
    let [open, closed, queen] = CHAPTERS;
    let all = CHAPTERS.concat();
    check_games(&all, &all, &[]);
    let copy = closed.replace("Closed", "Copy");
    check_games(
        &all,
        &[open, closed, &copy, queen].concat(),
        &["game-added 0 3  > Copy"],
    );
    check_games(
        &[open, &copy, closed].concat(),
        &[open, closed].concat(),
        &["game-removed 0 3 Copy > "],
    );
    check_games(
        &all,
        &[queen, open, closed].concat(),
        &[
            "game-moved 0 1 game 3 > game 1",
            "reordered 0 0 e4 d4 > d4 e4",
        ],
    );
    check_games(
        &[open, &copy, closed, queen].concat(),
        &[open, &closed.replace("Closed", "Shut"), queen].concat(),
        &[
            "game-removed 0 3 Closed > ",
            "tag 0 0 White Copy > White Shut",
        ],
    );
}

#[test]
fn another_order_in_one_game_of_several() {
    let first = "[White \"A\"]\n\n1. e4 e5 (1... c5) *\n\n";
    let second = "[White \"B\"]\n\n1. e4 e5 (1... c5) *\n\n";
    check_games(
        &[first, second].concat(),
        &[first, &second.replace("e5 (1... c5)", "c5 (1... e5)")].concat(),
        &["reordered 1.e4 0 e5 c5 > c5 e5"],
    );
}

#[test]
fn continuations_that_move_to_another_game() {
    let [open, closed, queen] = CHAPTERS;
    let united = "[White \"Open\"]\n\n1. e4 e5 (1... c5) 2. Nf3 (2. d3) *\n\n";
    check_games(
        &[open, closed, queen].concat(),
        &[united, queen].concat(),
        &[
            "game-removed 0 3 Closed > ",
            "moved-here 1.e4 e5 2.d3 1 game 2: 1.e4 e5 2.d3 > 2.d3",
        ],
    );
    check_games(
        &[united, queen].concat(),
        &[open, closed, queen].concat(),
        &[
            "game-added 0 3  > Closed",
            "moved-away 1.e4 e5 2.d3 1 2.d3 > game 2: 1.e4 e5 2.d3",
        ],
    );
}

fn count(changes: &[Change], kind: ChangeKind) -> u64 {
    let of_kind = changes.iter().filter(|change| change.kind == kind);
    match kind {
        ChangeKind::Added | ChangeKind::Removed => of_kind.map(|change| change.moves).sum(),
        _ => of_kind.count() as u64,
    }
}

/// The number of moves of the first that the second lacks, by comparing all.
fn only_in(these: &Positions, others: &Positions) -> u64 {
    let all = |positions: &Positions| -> BTreeSet<String> {
        let mut edges = BTreeSet::new();
        for spot in positions.all() {
            let name = if positions.is_by_position() {
                positions.board(spot).epd()
            } else {
                positions.move_path(spot).0
            };
            let vertex = positions.vertex(spot).unwrap();
            edges.extend(
                positions
                    .moves(vertex)
                    .map(|(_, mv)| format!("{name} {}", mv.uci())),
            );
        }
        edges
    };
    all(these).difference(&all(others)).count() as u64
}

proptest! {
    #[test]
    fn differences_are_symmetric(a in game(), b in game(), by_moves in any::<bool>()) {
        let each = if by_moves { graph::Identity::Move } else { graph::Identity::Position };
        let [a, b] = [a, b].map(|game| positions(vec![game], each));
        let (forth, back) = (diff(&a, &b), diff(&b, &a));
        prop_assert_eq!(diff(&a, &a), []);
        prop_assert_eq!(forth.is_empty(), back.is_empty());
        prop_assert_eq!(count(&forth, ChangeKind::Added), only_in(&b, &a));
        for (kind, inverse) in [(ChangeKind::Added, ChangeKind::Removed), (ChangeKind::Removed, ChangeKind::Added), (ChangeKind::Reordered, ChangeKind::Reordered), (ChangeKind::MovedHere, ChangeKind::MovedAway), (ChangeKind::MovedAway, ChangeKind::MovedHere), (ChangeKind::Comment, ChangeKind::Comment), (ChangeKind::Glyphs, ChangeKind::Glyphs)] {
            prop_assert_eq!(count(&forth, kind), count(&back, inverse));
        }
    }

    #[test]
    fn linking_moves_continuations_away(game in game()) {
        let linked = link(&game, Identity::Strict);
        let [a, b] = [game, linked.game].map(|game| positions(vec![game], graph::Identity::Position));
        let found = diff(&a, &b);
        prop_assert!(found.iter().all(|change| change.kind == ChangeKind::MovedAway));
        let moved: u64 = found.iter().map(|change| change.moves).sum();
        prop_assert_eq!(moved, linked.fewer);
    }

    #[test]
    fn uniting_changes_places_and_order_only(game in game()) {
        let united = unite(&game).game;
        let [a, b] = [game, united].map(|game| positions(vec![game], graph::Identity::Position));
        let kinds = [ChangeKind::Reordered, ChangeKind::MovedHere, ChangeKind::MovedAway];
        let other: Vec<_> = diff(&a, &b).into_iter().filter(|change| !kinds.contains(&change.kind)).collect();
        prop_assert_eq!(other, []);
    }
}

/// As `link` once rewrote it.
#[test]
fn a_shortened_mainline_is_a_change() {
    check(
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 Nf6 *",
        "1. Nf3 (1. e4 Nf6) 1... Nf6 2. Ng1 Ng8 *",
        &[
            "moved-here 1.e4 2 1.Nf3 Nf6 2.Ng1 Ng8 3.e4 > 1.e4 Nf6",
            "moved-away 1.Nf3 Nf6 2.Ng1 Ng8 3.e4 2 3.e4 Nf6 > 1.e4",
        ],
    );
}
