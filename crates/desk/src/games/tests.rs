use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Games, Run};
use crate::choose::Choice;
use crate::positions::read_all;
use kit::Stop;
use kit::Workers;
use kit::input::gather;
use kit::limits::{Limits, Size};

fn write(folder: &Path, name: &str, games: std::ops::Range<u32>) {
    let text: String = games
        .map(|n| format!("[Event \"{name} {n}\"]\n\n1. e4 e5 *\n\n"))
        .collect();
    fs::write(folder.join(name), text).unwrap();
}

fn workers(threads: usize) -> Workers {
    Workers::new(NonZeroUsize::new(threads), Stop::new())
}

/// The Event tags of all games, in the order of the results.
fn events(games: &Games, workers: &Workers) -> (Vec<String>, Run<()>) {
    let mut all = Vec::new();
    let run = games.run(
        workers,
        |batch| {
            let mut events = Vec::new();
            batch.read(|game, _| events.push(game.tag("Event").unwrap_or_default().to_owned()));
            events
        },
        |events| {
            all.extend(events);
            Ok::<(), Infallible>(())
        },
    );
    let Ok(run) = run;
    (all, run)
}

#[test]
fn a_selection_for_each_source() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.pgn", 0..3);
    write(dir.path(), "b.pgn", 0..3);
    let source = |name| kit::input::Source::from_arg(dir.path().join(name));
    let only = |rule: &str| Choice {
        tags: vec![rule.parse().unwrap()],
        ..Choice::default()
    };
    let mut games = Games::of(vec![
        (source("a.pgn"), only("Event=pgn 2")),
        (source("b.pgn"), Choice::default()),
    ]);
    let (all, _) = events(&games, &workers(2));
    assert_eq!(all, ["a.pgn 2", "b.pgn 0", "b.pgn 1", "b.pgn 2"]);
    // The selection moves with its source.
    assert!(games.put_first(&source("b.pgn")));
    let (all, _) = events(&games, &workers(2));
    assert_eq!(all, ["b.pgn 0", "b.pgn 1", "b.pgn 2", "a.pgn 2"]);
}

#[test]
fn games_of_several_files_come_in_order_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.pgn", 0..30_000);
    write(dir.path(), "b.pgn", 0..3);
    let expected: Vec<String> = (0..30_000)
        .map(|n| format!("a.pgn {n}"))
        .chain((0..3).map(|n| format!("b.pgn {n}")))
        .collect();
    for threads in [1, 2, 5] {
        let games = Games::new(
            gather([dir.path()], crate::GAME_FILES).unwrap(),
            Choice::default(),
        );
        let (all, run) = events(&games, &workers(threads));
        assert!(all == expected, "{threads} threads");
        assert!(!run.stopped && run.unread.is_empty());
        assert_eq!(games.progress().items(), 30_003);
        assert_eq!(
            Some(games.progress().bytes()),
            games.progress().total_bytes()
        );
    }
}

#[test]
fn games_are_chosen_by_number_and_tag() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.pgn", 0..100);
    write(dir.path(), "b.pgn", 0..20);
    let choice = Choice {
        numbers: Some("2-4,50".parse().unwrap()),
        tags: vec!["Event!=2".parse().unwrap()],
    };
    let games = Games::new(gather([dir.path()], crate::GAME_FILES).unwrap(), choice);
    assert_eq!(
        events(&games, &workers(2)).0,
        ["a.pgn 1", "a.pgn 3", "a.pgn 49", "b.pgn 1", "b.pgn 3"]
    );
}

#[test]
fn raw_tags_select_the_same_games_as_reading() {
    let dir = tempfile::tempdir().unwrap();
    let tags = ["A", "M\u{fc}ller", "say \\\"A\\\"", "B\"] [Black \"A", ""];
    let text: String = tags
        .iter()
        .map(|tag| format!("[White \"{tag}\"]\n\n1. e4 *\n\n"))
        .collect();
    fs::write(
        dir.path().join("a.pgn"),
        [text.as_bytes(), b"[White \"\xc4A\"]\n\n*\n"].concat(),
    )
    .unwrap();
    for rule in [
        "White=a",
        "White!=a",
        "White=m\u{fc}",
        "White~\\u{e4}",
        "White=\"a\"",
        "Black=a",
        "White",
        "Black!=a",
    ] {
        let choice = Choice {
            tags: vec![rule.parse().unwrap()],
            ..Choice::default()
        };
        let games = Games::new(
            gather([dir.path()], crate::GAME_FILES).unwrap(),
            choice.clone(),
        );
        let (mut read, mut raw) = (Vec::new(), Vec::new());
        let Ok(_) = games.run::<_, Infallible>(
            &workers(1),
            |batch| {
                let (mut read, mut raw) = (Vec::new(), Vec::new());
                batch.read(|game, _| read.push(game.place().number));
                batch.read_raw(|game| raw.push(game.place.number));
                (read, raw)
            },
            |part| {
                (read, raw) = part;
                Ok(())
            },
        );
        let everything = Games::new(
            gather([dir.path()], crate::GAME_FILES).unwrap(),
            Choice::default(),
        );
        let mut expected = Vec::new();
        let Ok(_) = everything.run::<_, Infallible>(
            &workers(1),
            |batch| {
                let mut wanted = Vec::new();
                batch.read(|game, _| {
                    if choice.matches_tags(|name| game.tag(name)) {
                        wanted.push(game.place().number);
                    }
                });
                wanted
            },
            |part| {
                expected = part;
                Ok(())
            },
        );
        assert_eq!((&read, &raw), (&expected, &expected), "{rule}");
    }
}

#[test]
fn games_before_a_read_error_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let noise = |n: u32| n.wrapping_mul(2_654_435_761);
    for n in 0..5000 {
        write!(packed, "[Event \"{n}\"]\n\n1. e4 {{{}}} e5 *\n\n", noise(n)).unwrap();
    }
    let mut packed = packed.finish().unwrap();
    packed.truncate(packed.len() / 2);
    fs::write(dir.path().join("a.pgn.gz"), packed).unwrap();
    write(dir.path(), "b.pgn", 0..1);
    let games = Games::new(
        gather([dir.path()], crate::GAME_FILES).unwrap(),
        Choice::default(),
    );
    let (all, run) = events(&games, &workers(2));
    assert!(all.len() > 2000, "{} games", all.len());
    assert_eq!(all.last().map(String::as_str), Some("b.pgn 0"));
    assert_eq!(run.unread.len(), 1);
    assert!(
        run.unread[0]
            .to_string()
            .ends_with("a.pgn.gz: unexpected end of compressed data"),
        "{}",
        run.unread[0]
    );
}

#[test]
fn a_raised_stop_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.pgn", 0..10);
    let workers = workers(2);
    workers.stop.raise();
    let (all, run) = events(
        &Games::new(
            gather([dir.path()], crate::GAME_FILES).unwrap(),
            Choice::default(),
        ),
        &workers,
    );
    assert!(run.stopped && all.is_empty());
}

#[test]
fn a_missing_file_is_reported() {
    let games = Games::new(
        vec![kit::input::Source::from_arg("nowhere.pgn")],
        Choice::default(),
    );
    let (_, run) = events(&games, &workers(1));
    assert_eq!(
        run.unread[0].to_string(),
        "nowhere.pgn: no such file or folder"
    );
}

/// An endless game is read in pieces; memory holds little more than one piece.
#[test]
fn games_are_cut_at_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let moves = "Nf3 Nf6 Ng1 Ng8\n".repeat(100_000);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(moves.as_bytes()).unwrap();
    fs::write(dir.path().join("a.pgn.gz"), packed.finish().unwrap()).unwrap();
    let limits = Limits {
        text: Size(100_000),
        ..Limits::default()
    };
    let sources = gather([dir.path()], crate::GAME_FILES).unwrap();
    let games = Games::new(sources, Choice::default()).with_limits(limits);
    for threads in [1, 4] {
        let in_progress = AtomicUsize::new(0);
        let (mut moves, mut pieces) = (0, 0);
        let Ok(run) = games.run::<_, Infallible>(
            &workers(threads),
            |batch| {
                assert_eq!(in_progress.fetch_add(1, Ordering::SeqCst), 0);
                let mut lines = Vec::new();
                batch.read(|game, raw| {
                    assert!(raw.bytes.len() <= 100_000);
                    lines.push(game.mainline_moves().count());
                });
                in_progress.fetch_sub(1, Ordering::SeqCst);
                lines
            },
            |lines| {
                pieces += lines.len();
                moves += lines.iter().sum::<usize>();
                Ok(())
            },
        );
        assert_eq!((pieces, moves), (16, 400_000));
        assert!(run.unread.is_empty());
    }
}

#[test]
fn games_held_in_memory_are_limited() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.pgn", 0..100_000);
    let sources = || gather([dir.path()], crate::GAME_FILES).unwrap();
    let games = |text| {
        Games::new(sources(), Choice::default()).with_limits(Limits {
            text: Size(text),
            ..Limits::default()
        })
    };
    let all = read_all(&games(1 << 30), &workers(2));
    assert_eq!((all.value.len(), all.unread.len()), (100_000, 0));
    // The text is shorter than that; what each game takes beside it counts too.
    let some = read_all(&games(16 << 20), &workers(2));
    assert!(!some.value.is_empty() && some.value.len() < 100_000);
    let error = some.unread[0].to_string();
    assert!(error.ends_with("a.pgn: larger than 16 MiB, too large to hold in memory"));
}

#[test]
fn results_that_grow_are_limited() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "a.pgn", 0..100_000);
    let sources = gather([dir.path()], crate::GAME_FILES).unwrap();
    let limits = Limits {
        text: Size(1 << 20),
        ..Limits::default()
    };
    let games = Games::new(sources, Choice::default()).with_limits(limits);
    let run_with = |bytes: u64| {
        let mut batches = 0;
        let run = games.run_growing(
            &workers(2),
            None,
            |_| (),
            |()| {
                batches += 1;
                batches * bytes
            },
        );
        (batches, run.unread.first().map(ToString::to_string))
    };
    assert_eq!(run_with(1).1, None);
    let (batches, error) = run_with(5 << 20);
    assert_eq!(batches, 2);
    assert!(error.is_some_and(|error| error.ends_with("the result takes more than 8 MiB")));
}
