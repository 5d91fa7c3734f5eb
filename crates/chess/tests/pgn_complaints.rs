//! Every kind of complaint is caused by the input in its doc comment.

use gametree_chess::pgn::{Builder, ComplaintKind, Game, Reader, split};

fn complaints(text: &[u8]) -> Vec<ComplaintKind> {
    let mut builder = Builder::new();
    let games = split(text).map(|raw| builder.read(raw));
    games
        .flat_map(|game| {
            game.complaints()
                .iter()
                .map(|complaint| complaint.kind)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The example as bytes: a Latin-1 character is one byte.
fn example(kind: ComplaintKind) -> Vec<u8> {
    kind.example().chars().map(|char| char as u8).collect()
}

#[test]
fn every_kind_has_its_example() {
    for &kind in ComplaintKind::ALL {
        if !kind.example().is_empty() {
            let found = complaints(&example(kind));
            assert!(
                found.contains(&kind),
                "{:?} gives {found:?}, not {kind:?}",
                kind.example()
            );
        }
    }
}

/// An example causes one complaint; a missing result is ignored.
#[test]
fn examples_cause_no_other_complaint() {
    let mut others = Vec::new();
    for &kind in ComplaintKind::ALL {
        let found = complaints(&example(kind)).into_iter();
        let found = found.filter(|&other| other != kind && other != ComplaintKind::MissingResult);
        others.extend(found.map(|other| (kind, other)));
    }
    assert_eq!(others, []);
}

#[test]
fn a_correct_game_has_no_complaints() {
    let text = "[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 {x} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. O-O 1-0\n\n";
    let text = text.replace(" 3. O-O", "");
    assert_eq!(complaints(text.repeat(2).as_bytes()), []);
}

#[test]
fn a_game_over_the_limit() {
    let mut reader = Reader::with_limit(&b"e4\ne5 e4 e5 e4 e5"[..], 4);
    let mut builder = Builder::new();
    let mut kinds = Vec::new();
    while let Some(raw) = reader.next_game().unwrap() {
        let game = builder.read(raw);
        kinds.extend(game.complaints().iter().map(|complaint| complaint.kind));
    }
    assert!(kinds.contains(&ComplaintKind::GameTooLong));
}

#[test]
fn a_game_with_too_many_complaints() {
    let kinds = complaints(&b")".repeat(20_000));
    assert_eq!(kinds.len(), 10_001);
    assert!(kinds.contains(&ComplaintKind::TooMany));
}

fn second_game(text: &[u8]) -> Game {
    Builder::new().read(split(text).nth(1).unwrap())
}

#[test]
fn locations_refer_to_the_file() {
    let game = second_game(
        b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 d5 2. \xe9t\xe9 Qh9 c4 *\n",
    );
    let places: Vec<_> = game
        .complaints()
        .iter()
        .map(|c| {
            (
                c.kind,
                c.location.offset,
                c.location.line,
                c.location.column,
                c.game,
                &*c.excerpt,
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            (ComplaintKind::NotUtf8, 47, 7, 13, 2, "é"),
            (ComplaintKind::UnknownWord, 47, 7, 13, 2, "été"),
            (ComplaintKind::UnreadableMove, 51, 7, 17, 2, "Qh9"),
        ]
    );
    assert_eq!(game.node(game.complaints()[2].node).san(), "d5");
    let text = game.complaints()[2].to_string();
    assert_eq!(
        text,
        "7:17: error: invalid move: \"Qh9\"; kept the rest of the line as text"
    );
}
