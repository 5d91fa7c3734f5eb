use chess::pgn::{read_game, read_games};

use super::*;

const BOOK: &str = include_str!("../../../../testdata/graph/book.pgn");
const GAMES: &str = include_str!("../../../../testdata/graph/games.pgn");

fn book() -> Positions {
    Positions::of(vec![read_game(BOOK.as_bytes()).unwrap()], Identity::Strict)
}

fn reports(side: &Side) -> Vec<Option<Report>> {
    let book = book();
    let games = read_games(GAMES.as_bytes()).map(Result::unwrap);
    games
        .map(|game| report(&book, &game, "games.pgn", side, Identity::Strict))
        .collect()
}

#[test]
fn verdicts() {
    let reports = reports(&Side::Player("smith".into()));
    let found: Vec<_> = reports
        .iter()
        .map(|report| {
            report.as_ref().map(|r| {
                (
                    r.verdict,
                    r.at.path.as_place(),
                    r.played.as_deref(),
                    r.detours,
                )
            })
        })
        .collect();
    let expected = [
        Some((
            Verdict::Deviation,
            "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6",
            Some("4.Bxc6"),
            0,
        )),
        Some((Verdict::Gap, "1.e4 c5 2.Nf3", Some("2...e6"), 0)),
        Some((
            Verdict::BookEnded,
            "1.Nf3 c5 2.e4 d6 3.d4 cxd4 4.Nxd4",
            Some("4...Nf6"),
            1,
        )),
        Some((Verdict::Completed, "1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6", None, 0)),
        None,
    ];
    assert_eq!(found, expected);
    let first = reports[0].as_ref().unwrap();
    assert_eq!(
        (first.book.as_slice(), first.opening.as_str()),
        (["Ba4".to_owned()].as_slice(), "C70")
    );
    let named = &reports[3].as_ref().unwrap().opening;
    assert_eq!(named, "C65 Ruy Lopez: Berlin Defense");
}

#[test]
fn verdicts_for_the_other_side() {
    let verdict = |side| {
        reports(&Side::Colour(side))[0]
            .as_ref()
            .map(|report| report.verdict)
    };
    assert_eq!(verdict(Color::White), Some(Verdict::Deviation));
    assert_eq!(verdict(Color::Black), Some(Verdict::Gap));
}

#[test]
fn side_of_a_book() {
    let guess = |text: &str| {
        let game = read_game(text.as_bytes()).unwrap();
        Side::guess(&Positions::of(vec![game], Identity::Strict))
    };
    assert_eq!(guess(BOOK), Some(Color::White));
    assert_eq!(guess("1. e4 (1. d4 d5) 1... e5 *"), Some(Color::Black));
    assert_eq!(guess("1. e4 e5 *"), None);
}

#[test]
fn other_start_positions_and_repetitions() {
    let one = |text: &str| {
        let game = read_game(text.as_bytes()).unwrap();
        report(
            &book(),
            &game,
            "",
            &Side::Colour(Color::White),
            Identity::Strict,
        )
        .unwrap()
    };
    assert_eq!(
        one("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *").verdict,
        Verdict::Elsewhere
    );
    assert_eq!(one("*").verdict, Verdict::Completed);
    // The game returns to the start and leaves the book later.
    let late = one("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Nf3 d6 *");
    assert_eq!(
        (late.verdict, late.played.as_deref(), late.detours),
        (Verdict::Gap, Some("4...d6"), 1)
    );
}

#[test]
fn the_player_on_one_side() {
    let side = |colour| reports(&Side::PlayerAs("smith".into(), colour));
    let both = reports(&Side::Player("smith".into()));
    let white: Vec<_> = both
        .iter()
        .map(|report| report.clone().filter(|report| report.side == Color::White))
        .collect();
    assert_eq!(side(Color::White), white);
    assert_eq!(side(Color::Black).iter().flatten().count(), 0);
    // A game in which the player has the other colour.
    let game = read_game(b"[White \"Ben\"]\n[Black \"Smith\"]\n\n1. e4 b6 *").unwrap();
    let book = Positions::of(vec![read_game(b"1. e4 e5 *").unwrap()], Identity::Strict);
    let verdict = |side| {
        let side = Side::PlayerAs("smith".into(), side);
        let report = report(&book, &game, "games.pgn", &side, Identity::Strict);
        report.map(|report| report.verdict)
    };
    assert_eq!(verdict(Color::White), None);
    assert_eq!(verdict(Color::Black), Some(Verdict::Deviation));
}

#[test]
fn tallies() {
    let mut tally = Tally::default();
    reports(&Side::Player("Anna".into()))
        .iter()
        .flatten()
        .for_each(|report| tally.count(report));
    assert_eq!(tally.total.verdicts, [1, 1, 1, 1, 0]);
    assert_eq!(score(&tally.total), Some(0.5));
    assert_eq!(tally.openings.len(), 4);
}
