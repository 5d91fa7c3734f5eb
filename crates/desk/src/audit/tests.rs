use std::collections::{BTreeMap, HashSet};

use chess::Move;
use chess::pgn::{Game, read_game, read_games};
use proptest::prelude::*;
use tree::NodeId;

use super::*;
use crate::link::{refer, unite};
use crate::merge::{Merged, Order, Rules};
use crate::place::Place;
use crate::positions::tests::{SAMPLE, SECOND, corpus, deep_line, nested, siblings};
use crate::random::game;

const EVERY_KIND: &str = include_str!("../../../../testdata/graph/audit.pgn");
const REFERENCE: &str = include_str!("../../../../testdata/graph/reference.pgn");

fn read(text: &str) -> Vec<Game> {
    read_games(text.as_bytes()).map(Result::unwrap).collect()
}

fn positions(games: Vec<Game>) -> Positions {
    Positions::of(games, Identity::Strict)
}

fn plain(games: Vec<Game>) -> Vec<Finding> {
    audit(&positions(games), &Options::default())
}

fn count(findings: &[Finding], kind: FindingKind) -> usize {
    findings
        .iter()
        .filter(|finding| finding.kind == kind)
        .count()
}

/// All findings for White with the reference.
fn everything(text: &str) -> (Positions, Vec<Finding>) {
    let book = positions(read(text));
    let mut reference = Reference::default();
    for game in read(REFERENCE) {
        reference.add(&book, &game, Identity::Strict);
    }
    let options = Options {
        side: Some(Color::White),
        reference: Some(&reference),
        rare: Some(3),
        ..Options::default()
    };
    let findings = audit(&book, &options);
    (book, findings)
}

/// Every path can be opened.
fn check_paths(book: &Positions, findings: &[Finding]) {
    for finding in findings {
        let place = Place::read(finding.at.path.as_place()).expect("a path");
        assert!(
            book.locate(&place, finding.at.game as usize - 1).is_ok(),
            "{finding:?}"
        );
        if let Some(other) = &finding.other {
            let game = finding.other_game.unwrap_or(finding.at.game) as usize - 1;
            let place = Place::read(other.as_place()).expect("a path");
            assert!(book.locate(&place, game).is_ok(), "{finding:?}");
        }
    }
}

#[test]
fn one_finding_of_every_kind() {
    let (book, findings) = everything(EVERY_KIND);
    check_paths(&book, &findings);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    findings
        .iter()
        .for_each(|finding| *counts.entry(finding.kind.name()).or_default() += 1);
    let expected = [
        ("broken-link", 1),
        ("dead-end", 3),
        ("duplicate", 2),
        ("gap", 1),
        ("glyph-conflict", 2),
        ("illegal", 1),
        ("no-answer", 3),
        ("no-moves", 2),
        ("rare", 7),
        ("split", 3),
        ("two-answers", 1),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    assert_eq!(counts.len(), FindingKind::ALL.len());
}

fn check(text: &str, side: Option<Color>, expected: &[(FindingKind, &str, Option<&str>)]) {
    let options = Options {
        side,
        ..Options::default()
    };
    let findings = audit(&positions(read(text)), &options);
    let found: Vec<_> = findings
        .iter()
        .map(|f| {
            (
                f.kind,
                f.at.path.as_place(),
                f.other.as_ref().map(MovePath::as_place),
            )
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn shapes() {
    use FindingKind::*;
    check("1. d4 d5 (1... Nf6) 2. c4 *", None, &[]);
    check(
        "1. d4 d5 (1... e6 2. c4 d5) 2. c4 e6 3. Nc3 *",
        None,
        &[(DeadEnd, "1.d4 e6 2.c4 d5", Some("1.d4 d5 2.c4 e6"))],
    );
    // A valid reference repairs it; a broken one is worse.
    check(
        "1. d4 d5 (1... e6 2. c4 d5 {Transposes to 1.d4 d5 2.c4 e6}) 2. c4 e6 3. Nc3 *",
        None,
        &[],
    );
    check(
        "1. d4 d5 (1... e6 2. c4 d5 {Transposes to 1.d4 d5 2.c4}) 2. c4 e6 3. Nc3 *",
        None,
        &[
            (BrokenLink, "1.d4 e6 2.c4 d5", None),
            (DeadEnd, "1.d4 e6 2.c4 d5", Some("1.d4 d5 2.c4 e6")),
        ],
    );
    check(
        "1. d4 d5 (1... e6 2. c4 d5 3. Nf3) 2. c4 e6 3. Nc3 *",
        None,
        &[(Split, "1.d4 d5 2.c4 e6", Some("1.d4 e6 2.c4 d5"))],
    );
    // Chapters with the same first moves are not split; a chapter that stops where another
    // continues is.
    check("1. d4 d5 *\n\n1. d4 e6 *\n", None, &[]);
    check(
        "1. d4 *\n\n1. d4 e6 *\n",
        None,
        &[(DeadEnd, "1.d4", Some("1.d4"))],
    );
    check(
        "1. e4 (1. e4 e5) *",
        None,
        &[
            (DeadEnd, "1.e4", Some("1.e4")),
            (Duplicate, "1.e4", Some("1.e4")),
        ],
    );
    check("1. Nf3 Nf6 2. Ng1 Ng8 *", None, &[]);
    // The end of a game with a result is no dead end.
    check("1. d4 d5 (1... e6 2. c4 d5 3. Nc3) 2. c4 e6 1-0", None, &[]);
    check(
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *",
        None,
        &[(Split, "0", Some("1.Nf3 Nf6 2.Ng1 Ng8"))],
    );
}

#[test]
fn answers_of_a_side() {
    use FindingKind::*;
    let text = "1. e4 (1. d4 d5 2. c4) 1... e5 (1... c5) 2. Nf3 *";
    check(
        text,
        Some(Color::White),
        &[(TwoAnswers, "0", None), (NoAnswer, "1.e4 c5", None)],
    );
    check(
        text,
        Some(Color::Black),
        &[
            (TwoAnswers, "1.e4", None),
            (NoAnswer, "1.e4 e5 2.Nf3", None),
            (NoAnswer, "1.d4 d5 2.c4", None),
        ],
    );
    // Mate needs no answer.
    check("1. f3 e5 2. g4 Qh4# *", Some(Color::White), &[]);
}

#[test]
fn glyphs_of_degree_and_of_opinion() {
    let severities = |text: &str| -> Vec<Severity> {
        let findings = plain(read(text));
        findings
            .iter()
            .filter(|f| f.kind == FindingKind::GlyphConflict)
            .map(|f| f.severity)
            .collect()
    };
    assert_eq!(severities("1. e4 $1 $2 *"), [Severity::Warning]);
    assert_eq!(severities("1. e4 $1 $3 *"), [Severity::Note]);
    assert_eq!(severities("1. e4 $1 $14 *"), []);
    assert_eq!(
        severities("1. e4 $1 *\n\n1. e4 $4 *\n"),
        [Severity::Warning]
    );
    assert_eq!(
        severities("1. d4 d5 2. c4 $14 *\n\n1. c4 d5 2. d4 $17 *\n"),
        [Severity::Warning]
    );
    // Another move to the same position may be better or worse.
    assert_eq!(
        severities("1. d4 d5 2. c4 $1 *\n\n1. c4 d5 2. d4 $2 *\n"),
        []
    );
}

#[test]
fn gaps_by_position() {
    let (_, findings) = everything("1. d4 d5 2. c4 e6 3. Nc3 *");
    let gaps: Vec<_> = findings
        .iter()
        .filter(|f| f.kind == FindingKind::Gap)
        .collect();
    assert_eq!(gaps.len(), 1);
    assert_eq!(
        (gaps[0].games, gaps[0].share, gaps[0].moves[0].as_str()),
        (Some(2), Some(0.6667), "2...c6")
    );
    // Three of four games with 1.d4 go on with 1...d5, two of these three with 2...c6.
    assert_eq!(gaps[0].probability, Some(0.5));
    assert!(gaps[0].message.ends_with("met in 50 % of my games"));
    // The reply is answered in another move order.
    let (_, findings) = everything("1. d4 d5 (1... c6 2. c4 d5 3. Nf3) 2. c4 e6 3. Nc3 *");
    assert_eq!(count(&findings, FindingKind::Gap), 0);
}

/// Of a collection of four games, by hand.
#[test]
fn coverage() {
    let games = [
        "1. d4 d5 2. c4 e6",
        "1. d4 d5 2. c4 c6",
        "1. d4 f5",
        "1. e4 e5",
    ];
    let games = games.map(|text| read_game(text.as_bytes()).unwrap());
    let check = |repertoire: &str, met, answered| {
        let book = positions(read(repertoire));
        let mut reference = Reference::default();
        for game in &games {
            reference.add(&book, game, Identity::Strict);
        }
        let found = reference.coverage(&book, Color::White, Identity::Strict);
        assert_eq!((found.met, found.answered), (met, answered), "{repertoire}");
    };
    // Reached: 1...d5 twice and 1...f5; 2...e6 and 2...c6.
    check("1. d4 d5 2. c4 e6 3. Nc3 *", 5, 3);
    // An answer in another move order counts; a line that ends does not answer.
    check("1. d4 d5 (1... c6 2. c4 d5 3. Nc3) 2. c4 e6 *", 5, 3);
    check("1. e4 c5 2. Nf3 *", 1, 0);
    check("1. c4 *", 0, 0);
    assert_eq!(Coverage::default().share(), None);
}

#[test]
fn the_published_samples() {
    let (Some(a), Some(b)) = (corpus(SAMPLE), corpus(SECOND)) else {
        return;
    };
    let [a, b] = [a, b].map(|text| read_game(&text).unwrap());
    let findings = plain(vec![a.clone()]);
    assert_eq!(
        (
            count(&findings, FindingKind::DeadEnd),
            count(&findings, FindingKind::Split)
        ),
        (15, 20)
    );
    let mut merged = Merged::default();
    merged.add(&a, "a", &Rules::default());
    merged.add(&b, "b", &Rules::default());
    let merged = merged.into_games(Order::File);
    let book = positions(merged.clone());
    assert_eq!(book.graph().vertex_count(), 3_520);
    let findings = plain(merged);
    check_paths(&book, &findings);
    assert_eq!(
        (
            count(&findings, FindingKind::DeadEnd),
            count(&findings, FindingKind::Split)
        ),
        (16, 20)
    );
    // What is left is the line that comes back to a position.
    let linked = plain(refer(vec![unite(&a).game], Identity::Strict).games);
    assert_eq!(
        (
            count(&linked, FindingKind::DeadEnd),
            count(&linked, FindingKind::Split)
        ),
        (0, 1)
    );
}

/// The same by comparing all pairs of nodes.
fn naive(game: &Game) -> (usize, usize) {
    let nodes: Vec<NodeId> = game.tree().preorder().collect();
    let epd: Vec<String> = nodes
        .iter()
        .map(|&node| game.board_at(node).epd())
        .collect();
    let ends = |index: usize| game.tree().is_terminal(nodes[index]);
    let same = |a: usize| {
        (0..nodes.len()).filter(move |&b| b != a).filter({
            let epd = &epd;
            move |&b| epd[a] == epd[b]
        })
    };
    let all = 0..nodes.len();
    // The best place to go on; a line that returns to it is a repetition.
    let rank = |&b: &usize| (game.tree().depth(nodes[b]), game.tree().ply(nodes[b]));
    let best = |a: usize| same(a).filter(|&b| !ends(b)).min_by_key(rank);
    let goes_on = |a: usize| best(a).is_some_and(|b| !game.tree().is_ancestor(nodes[b], nodes[a]));
    let dead = all.clone().filter(|&a| a > 0 && ends(a) && goes_on(a));
    // Of the places where a position continues, the first does not count, those below it count once
    // together, and each other move order counts once.
    let tree = game.tree();
    let line = |a: usize| -> Vec<Option<Move>> {
        let nodes = tree.line(nodes[a]);
        nodes
            .iter()
            .map(|&node| tree.move_to(node).copied())
            .collect()
    };
    let is_first = |a: &usize| !ends(*a) && !same(*a).any(|b| b < *a && !ends(b));
    let split = all.clone().filter(is_first).map(|a| {
        let others = same(a).filter(|&b| !ends(b));
        let (back, elsewhere): (Vec<_>, Vec<_>) =
            others.partition(|&b| tree.is_ancestor(nodes[a], nodes[b]));
        let mut orders: HashSet<_> = elsewhere.into_iter().map(line).collect();
        orders.remove(&line(a));
        orders.len() + usize::from(!back.is_empty())
    });
    (dead.count(), split.sum())
}

proptest! {
    #[test]
    fn findings_equal_the_naive_model(game in game()) {
        let findings = plain(vec![game.clone()]);
        let found = (count(&findings, FindingKind::DeadEnd), count(&findings, FindingKind::Split));
        prop_assert_eq!(found, naive(&game));
        let book = positions(vec![game.clone()]);
        for side in [Color::White, Color::Black] {
            let mut reference = Reference::default();
            reference.add(&book, &game, Identity::Strict);
            let options = Options { side: Some(side), reference: Some(&reference), rare: Some(2), ..Options::default() };
            check_paths(&book, &audit(&book, &options));
        }
        let linked = refer(vec![unite(&game).game], Identity::Strict).games;
        let findings = plain(linked);
        prop_assert_eq!((count(&findings, FindingKind::DeadEnd), count(&findings, FindingKind::BrokenLink)), (0, 0));
    }
}

/// At these sizes, quadratic work takes minutes.
#[test]
fn deep_and_wide_trees_take_linear_time() {
    let options = Options {
        side: Some(Color::White),
        ..Options::default()
    };
    let audit = |game| audit(&positions(vec![game]), &options);
    let found = audit(nested(40_000));
    assert_eq!(count(&found, FindingKind::Duplicate), 40_000);
    // All other lines end in a position of their own path.
    assert_eq!(count(&found, FindingKind::DeadEnd), 3);
    let found = audit(siblings(40_000));
    assert_eq!(count(&found, FindingKind::Duplicate), 40_000 - 4);
    let found = audit(deep_line(100_000));
    assert_eq!(count(&found, FindingKind::Split), 4);
}

#[test]
fn a_stop_ends_the_audit() {
    let options = Options::default();
    let game = || vec![nested(100)];
    assert!(!audit(&positions(game()), &options).is_empty());
    options.stop.raise();
    assert_eq!(audit(&positions(game()), &options), []);
}
