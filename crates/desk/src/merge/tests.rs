use chess::pgn::{read_game, read_games};
use proptest::prelude::*;

use super::*;
use crate::positions::tests::{SAMPLE, SECOND, corpus, corpus_folders, corpus_games};
use crate::random::{annotations, assert_same, game, through_text};

fn merged(games: &[(&str, &Game)]) -> Merged {
    let mut merged = Merged::default();
    for (name, game) in games {
        merged.add(game, name, &Rules::default());
    }
    merged
}

fn only(merged: Merged) -> Game {
    let mut games = merged.into_games(Order::File);
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn text_of(texts: &[&str], rules: &Rules) -> String {
    let mut merged = Merged::default();
    for (text, name) in texts.iter().zip(["a", "b", "c"]) {
        merged.add(&read_game(text.as_bytes()).unwrap(), name, rules);
    }
    let games = merged.into_games(rules.order);
    let texts = games.iter().map(|game| {
        let text = game.to_string();
        text.split("\n\n")
            .nth(1)
            .unwrap_or_default()
            .trim()
            .replace('\n', " ")
    });
    texts.collect::<Vec<_>>().join(" | ")
}

fn check(texts: &[&str], expected: &str) {
    assert_eq!(text_of(texts, &Rules::default()), expected, "{texts:?}");
}

#[test]
fn comments_and_marks() {
    check(&["1. e4 {x} *", "1. e4 {x} *"], "1. e4 { x } *");
    check(&["1. e4 {x  y} *", "1. e4 {x\ny} *"], "1. e4 { x  y } *");
    check(
        &["1. e4 {x} *", "1. e4 {y} *"],
        "1. e4 { x [%src a] } { y [%src b] } *",
    );
    check(&["1. e4 {x} {y} *", "1. e4 *"], "1. e4 { x } { y } *");
    check(
        &["1. e4 $1 *", "1. e4 $2 $14 *", "1. e4 $1 *"],
        "1. e4 $1 $2 $14 *",
    );
    check(&["1. e4 ; x\n*", "1. e4 {x} *"], "1. e4 ; x *");
    check(
        &["{start} 1. e4 *", "1. d4 *"],
        "{ start } 1. e4 ( 1. d4 ) *",
    );
    // A written source stays, and the signed comment is not added again.
    check(
        &["1. e4 {x [%src z]} *", "1. e4 {x} *"],
        "1. e4 { x [%src z] } *",
    );
    // A comment before an alternative comes after the move once that is the main move.
    check(
        &["*", "1. e4 (1. d4) ({or} 1. c4) *", "1. c4 *"],
        "1. e4 ( 1. d4 ) ( { or } 1. c4 ) *",
    );
    check(
        &["1. c4 *", "1. e4 ({or} 1. c4) *"],
        "1. c4 { or } ( 1. e4 ) *",
    );
    // Unreadable text is kept.
    check(
        &["1. e4 e5 2. Qh9 x *", "1. e4 e5 2. Nf3 *"],
        "1. e4 e5 2. Nf3 ( 2. Qh9 x ) *",
    );
}

#[test]
fn results_tags_and_start_positions() {
    let tagged = |event: &str, result: &str| {
        format!("[Event \"{event}\"]\n[Result \"{result}\"]\n\n1. e4 {result}")
    };
    let both = |a: &str, b: &str| {
        let games = [a, b].map(|text| read_game(text.as_bytes()).unwrap());
        only(merged(&[("a", &games[0]), ("b", &games[1])]))
    };
    let same = both(&tagged("A", "1-0"), &tagged("A", "1-0"));
    assert_eq!(
        (same.tag("Event"), same.tag("Result")),
        (Some("A"), Some("1-0"))
    );
    let other = both(&tagged("A", "1-0"), &tagged("B", "0-1"));
    assert_eq!(
        (other.tag("Event"), other.tag("Result")),
        (Some("?"), Some("*"))
    );
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n";
    check(
        &[
            "1. e4 *",
            &format!("{fen}1. e4 *"),
            &format!("{fen}1. e3 *"),
        ],
        "1. e4 * | 1. e4 ( 1. e3 ) *",
    );
}

#[test]
fn rules() {
    let texts = [
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 {x} 1-0",
        "1. d4 d5 0-1",
        "1. d4 Nf6 $1 *",
    ];
    let rules = |change: fn(&mut Rules)| {
        let mut rules = Rules::default();
        change(&mut rules);
        text_of(&texts, &rules)
    };
    assert_eq!(
        rules(|r| r.cut = Some(2)),
        "1. e4 ( 1. d4 d5 ( 1... Nf6 $1 ) ) 1... e5 *"
    );
    assert_eq!(
        rules(|r| r.order = Order::Frequency),
        "1. d4 ( 1. e4 e5 2. Nf3 { x } ) 1... d5 ( 1... Nf6 $1 ) *"
    );
    assert_eq!(
        rules(|r| (r.cut, r.record) = (Some(1), Record::Counts)),
        "{ 3 games, W/D/L 1/0/1 } 1. e4 { 1 game, W/D/L 1/0/0 } ( 1. d4 { 2 games, W/D/L 0/0/1 } ) *"
    );
    assert_eq!(
        rules(|r| (r.cut, r.record) = (Some(1), Record::Names)),
        "1. e4 { A – B, 1-0 } ( 1. d4 { 0-1 } ) *"
    );
    let keep = KeptAnnotations {
        comments: false,
        nags: false,
        clocks: false,
    };
    let rules = Rules {
        keep,
        ..Rules::default()
    };
    assert_eq!(
        text_of(&texts, &rules),
        "1. e4 ( 1. d4 d5 ( 1... Nf6 ) ) 1... e5 2. Nf3 *"
    );
}

#[test]
fn contradictions_between_sources() {
    let games = [
        "1. e4 $1 {[%eval 0.3]} e5 $14 *",
        "1. e4 $2 {[%eval 0.5]} e5 $14 *",
        "1. e4 $1 $7 *",
    ];
    let games = games.map(|text| read_game(text.as_bytes()).unwrap());
    let merged = merged(&[("a", &games[0]), ("b", &games[1]), ("c", &games[2])]);
    let disagreements = merged.trunks[0].remarks.disagreements();
    let annotations: Vec<_> = disagreements
        .iter()
        .map(|disagreement| (disagreement.about, disagreement.annotations.clone()))
        .collect();
    let pair = |x: &str, y: &str| {
        vec![
            (x.to_owned(), "a".to_owned()),
            (y.to_owned(), "b".to_owned()),
        ]
    };
    assert_eq!(
        annotations,
        [
            (About::Move, pair("!", "?")),
            (About::Eval, pair("0.30", "0.50"))
        ]
    );
}

/// Times and evaluations of single games, on moves of one game and of several.
#[test]
fn measurements_of_single_games() {
    let texts = [
        "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59] good} 2. Nf3 {[%eval 0.3]} *",
        "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:50] [%emt 0:00:10]} 2. d4 {[%clk 0:02:00]} *",
    ];
    let games = texts.map(|text| read_game(text.as_bytes()).unwrap());
    let dropped = |games: &[(&str, &Game)]| {
        let mut merged = merged(games);
        merged.drop_measurements();
        only(merged)
    };
    let both = dropped(&[("a", &games[0]), ("b", &games[1])]);
    let text = both.to_string().replace('\n', " ");
    let expected = "1. e4 { [%clk 0:03:00] } 1... e5 { good } 2. Nf3 { [%eval 0.3] } ( 2. d4 { [%clk 0:02:00] } ) *";
    assert!(text.ends_with(&format!("{expected} ")), "{text}");
    // Merging the result with its sources changes nothing.
    let again = dropped(&[("all", &both), ("a", &games[0]), ("b", &games[1])]);
    assert_eq!(again.to_string(), both.to_string());
    // A time that only one of the games has is not kept.
    let bare = read_game(b"1. e4 *").unwrap();
    let text = dropped(&[("a", &games[0]), ("c", &bare)]).to_string();
    assert!(text.contains("1. e4 e5 { [%clk 0:02:59] good }"), "{text}");
}

#[test]
fn shared_new_and_other_main_moves() {
    let games = ["1. e4 e5 2. Nf3 *", "1. e4 c5 (1... e5 2. Nf3 Nc6) *"];
    let games = games.map(|text| read_game(text.as_bytes()).unwrap());
    let mut merged = merged(&[("a", &games[0])]);
    let stats = merged.add(&games[1], "b", &Rules::default());
    assert_eq!(
        stats,
        MergeStats {
            shared: 3,
            new: 2,
            other_main: 1
        }
    );
}

#[test]
fn the_published_sample_with_another_file() {
    let (Some(a), Some(b)) = (corpus(SAMPLE), corpus(SECOND)) else {
        return;
    };
    let [a, b] = [a, b].map(|text| read_game(&text).unwrap());
    let mut merged = merged(&[("a", &a)]);
    let stats = merged.add(&b, "b", &Rules::default());
    assert_eq!(
        (stats.shared, merged.moves(), merged.comments()),
        (2, 3_562, 10)
    );
}

fn check_pieces(game: &Game, limit: u32) {
    let pieces = split(game, limit).unwrap();
    let mut whole = Merged::default();
    for piece in &pieces {
        assert!(piece.tree().node_count() as u32 - 1 <= limit);
        whole.add(&through_text(piece), "", &Rules::default());
    }
    let whole = only(whole);
    assert_eq!(annotations(&whole), annotations(game));
    assert_eq!(moves_of(&whole), moves_of(game));
}

/// With `GAMETREE_LONG`, every file of the corpora; otherwise the small trees.
#[test]
fn games_of_the_corpora() {
    for folder in corpus_folders() {
        let games = corpus_games(folder);
        for pair in games.chunks(2) {
            let each: Vec<&Game> = pair.iter().collect();
            check_together(&each);
        }
    }
}

/// Blanks before the source and existing sources are stable under merging.
#[test]
fn merging_a_merge_is_identical_to_the_byte() {
    for (a, b) in [
        ("1. e4 {good  } *", "1. e4 {\tbad\n } *"),
        (
            "1. e4 {good [%src x]  [%src y] } *",
            "1. e4 {bad[%src z]} *",
        ),
        ("1. e4 {[%src x] good} *", "1. e4 ;bad \n *"),
    ] {
        let games = [a, b].map(|text| read_game(text.as_bytes()).unwrap());
        let once = only(merged(&[("a", &games[0]), ("b", &games[1])])).to_string();
        let read = read_game(once.as_bytes()).unwrap();
        assert_eq!(only(merged(&[("ab", &read)])).to_string(), once);
        let all = [("ab", &read), ("a", &games[0]), ("b", &games[1])];
        assert_eq!(only(merged(&all)).to_string(), once);
    }
}

/// Nothing is lost, merging again adds nothing, and the order of files changes only the order.
fn check_together(games: &[&Game]) {
    let named = |games: &[&Game]| {
        let mut merged = Merged::default();
        for game in games {
            merged.add(game, "a", &Rules::default());
        }
        merged.into_games(Order::File)
    };
    let all = |games: &[Game]| union(&games.iter().collect::<Vec<_>>());
    let once = named(games);
    assert_same(&all(&once), &union(games));
    assert_eq!(named(&[games, games].concat()), once);
    let back: Vec<&Game> = games.iter().rev().copied().collect();
    assert_same(&all(&named(&back)), &all(&once));
    let read: Vec<Game> = once.iter().map(through_text).collect();
    assert_same(&all(&read), &all(&once));
}

#[test]
fn a_game_with_an_unreadable_start_is_not_merged() {
    let fen = "[Variant \"Seirawan\"]\n[FEN \"8/8[HEhe] w - - 0 1\"]\n\n";
    let read = |text: &str| read_game(text.as_bytes()).unwrap();
    let (odd, other) = (format!("{fen}1. e3 c5 *"), format!("{fen}1. e4 c5 *"));
    let games = [read(&odd), read("1. e4 e5 *"), read(&other)];
    let each: Vec<&Game> = games.iter().collect();
    check_together(&each);
    let merged = merged(&[("a", each[0]), ("b", each[1]), ("c", each[2])]);
    let starts: Vec<_> = merged.into_games(Order::File);
    let variants: Vec<_> = starts.iter().map(|game| game.tag("Variant")).collect();
    assert_eq!(variants, [Some("Seirawan"), None, Some("Seirawan")]);
}

/// All moves, in order.
fn moves_of(game: &Game) -> Vec<Option<Move>> {
    let nodes = game.tree().preorder();
    nodes
        .map(|node| game.tree().move_to(node).copied())
        .collect()
}

#[test]
fn pieces_of_the_published_sample() {
    let Some(text) = corpus(SAMPLE) else { return };
    let game = read_game(&text).unwrap();
    assert_eq!(split(&game, 62), Err(SplitError { needed: 63 }));
    for limit in [63, 100, 1_000, 3_000] {
        check_pieces(&game, limit);
    }
    assert_eq!(split(&game, 3_000).unwrap().len(), 2);
    assert_eq!(split(&game, 3_493).unwrap(), [game]);
}

#[test]
fn very_long_games_are_merged_without_recursion() {
    let line = "Nf3 Nf6 Ng1 Ng8 ".repeat(20_000);
    let game = read_game(line.as_bytes()).unwrap();
    let twice = only(merged(&[("a", &game), ("b", &game)]));
    assert_eq!(twice.tree().node_count(), 80_001);
    assert_eq!(split(&twice, 10), Err(SplitError { needed: 80_000 }));
}

/// The union of the annotations of several games.
fn union(games: &[&Game]) -> crate::random::AnnotationsByPath {
    let mut all = crate::random::AnnotationsByPath::new();
    for (path, (comments, nags)) in games.iter().flat_map(|game| annotations(game)) {
        let (known, marks) = all.entry(path).or_default();
        known.extend(comments);
        marks.extend(nags);
    }
    all
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_added(a in game(), b in game(), c in game()) {
        let all = only(merged(&[("a", &a), ("b", &b), ("c", &c)]));
        prop_assert_eq!(annotations(&all), union(&[&a, &b, &c]));
        prop_assert_eq!(annotations(&through_text(&all)), union(&[&a, &b, &c]));
    }

    #[test]
    fn merging_is_associative(a in game(), b in game(), c in game()) {
        let mut left = merged(&[("a", &a), ("b", &b)]);
        left.absorb(merged(&[("c", &c)]));
        let mut right = merged(&[("a", &a)]);
        right.absorb(merged(&[("b", &b), ("c", &c)]));
        prop_assert_eq!(left.moves(), right.moves());
        prop_assert_eq!(only(left), only(right));
    }

    #[test]
    fn merging_saved_parts_changes_nothing(a in game(), b in game(), c in game()) {
        let saved = |part: Merged| Merged::load(&part.save()).unwrap();
        for order in [Order::File, Order::Frequency] {
            let all = merged(&[("a", &a), ("b", &b), ("c", &c), ("d", &a)]);
            let mut parts = saved(merged(&[("a", &a), ("b", &b)]));
            parts.absorb(saved(merged(&[("c", &c), ("d", &a)])));
            let parts = saved(parts);
            prop_assert_eq!(parts.dropped_tags(), all.dropped_tags());
            prop_assert_eq!(parts.comments(), all.comments());
            prop_assert_eq!(parts.save(), all.save());
            let text = |merged: Merged| merged.into_games(order).iter().map(Game::to_string).collect::<Vec<_>>();
            prop_assert_eq!(text(parts), text(all));
        }
    }

    #[test]
    fn the_order_of_files_changes_only_the_order(a in game(), b in game()) {
        let ab = only(merged(&[("a", &a), ("b", &b)]));
        let ba = only(merged(&[("b", &b), ("a", &a)]));
        prop_assert_eq!(annotations(&ab), annotations(&ba));
    }

    #[test]
    fn merging_again_changes_nothing(a in game(), b in game()) {
        let once = only(merged(&[("a", &a), ("b", &b)]));
        let again = only(merged(&[("a", &a), ("b", &b), ("a", &a), ("c", &b)]));
        prop_assert_eq!(&once, &again);
        let read = through_text(&once);
        let again = only(merged(&[("ab", &read), ("a", &a), ("b", &b)]));
        prop_assert_eq!(again.to_string(), once.to_string());
        prop_assert_eq!(only(merged(&[("ab", &read), ("ab", &read)])), read);
    }

    #[test]
    fn merging_lines_gives_the_game(game in game()) {
        let mut whole = Merged::default();
        let mut count = 0;
        for line in lines(&game) {
            prop_assert!(line.tree().preorder().all(|node| !line.tree().is_branching(node)));
            whole.add(&through_text(&line), "", &Rules::default());
            count += 1;
        }
        prop_assert_eq!(count, game.tree().preorder().filter(|&node| game.tree().is_terminal(node)).count());
        let whole = only(whole);
        prop_assert_eq!(annotations(&whole), annotations(&game));
        prop_assert_eq!(moves_of(&whole), moves_of(&game));
    }

    #[test]
    fn merging_pieces_gives_the_game(game in game(), more in 0u32..20) {
        let longest = game.tree().preorder().map(|node| game.tree().ply(node)).max().unwrap_or(0);
        check_pieces(&game, longest + more);
    }
}

#[test]
fn damaged_saved_parts_are_errors() {
    let game = read_game(b"1. e4 {x} e5 $1 (1... c5) 1-0").unwrap();
    let saved = merged(&[("a", &game)]).save();
    for (from, to) in [
        ("\"times\":[1,", "\"times\":["),
        ("\"node\":1", "\"node\":9"),
        ("\"source\":0", "\"source\":3"),
        ("\"kind\":\"b\"", "\"kind\":\"z\""),
        ("\"place\":0", "\"place\":-7"),
        ("\"outcome\":\"1-0\"", "\"outcome\":\"2-0\""),
        ("{", ""),
    ] {
        let damaged = saved.replacen(from, to, 1);
        assert_ne!(damaged, saved, "{from}");
        let error = Merged::load(&damaged).unwrap_err();
        assert_eq!(error.to_string(), "line 1: not saved merged games");
    }
}

#[test]
fn files_read_by_many_threads_give_the_same() {
    let text = "[Event \"E\"]\n\n1. e4 {a} e5 *\n\n1. e4 {b} c5 *\n\n1. d4 *\n\n".repeat(5_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, &text).unwrap();
    let sources = kit::input::gather([&path], crate::GAME_FILES).unwrap();
    let games = crate::games::Games::new(sources, Default::default());
    let workers = kit::Workers::new(std::num::NonZeroUsize::new(3), kit::Stop::new());
    let run = merge(&games, &Rules::default(), &workers);
    let plan = run.value.plan;
    assert_eq!(
        (
            plan.files[0].games,
            plan.moves,
            plan.comments,
            plan.positions
        ),
        (15_000, 4, 2, 5)
    );
    let mut one = Merged::default();
    for (number, game) in read_games(text.as_bytes()).map(Result::unwrap).enumerate() {
        let name = if number == 0 {
            "games.pgn".to_owned()
        } else {
            format!("games.pgn game {}", number + 1)
        };
        one.add(&game, &name, &Rules::default());
    }
    assert_eq!(run.value.games, one.into_games(Order::File));
}

#[test]
fn the_text_of_a_long_game_comes_in_parts() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(5000);
    let games = [&moves, "e4 e5"].map(|moves| read_game(moves.as_bytes()).unwrap());
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let count = pieces(&games, Cut::Whole, |part| parts.push(part.to_vec()));
    assert_eq!((count, parts.len() > 3), (Ok(2), true));
    let whole = [games[0].to_string(), games[1].to_string()].join("\n");
    assert_eq!(String::from_utf8(parts.concat()).unwrap(), whole);
    // A limit that is too small is reported before any text.
    let short = pieces(&games, Cut::Pieces(3), |part| panic!("{part:?}"));
    assert_eq!(short.map_err(|error| error.needed), Err(20_000));
}
