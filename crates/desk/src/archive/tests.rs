//! Archives against the files they were made from.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use chess::Board;
use kit::input::Source;
use kit::{Progress, Workers};

use super::{
    Archive, ArchiveError, Column, Filter, Indexed, ListOptions, add, check, compact, counts,
    create, duplicates, list, opening, remove,
};
use crate::choose::Choice;
use crate::convert::{ConvertOptions, convert};
use crate::games::Games;
use crate::query::{Options, Query, QueryHost, Search, SearchOutput};

/// Files with comments, variations, variants, null moves, odd text and encodings.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = [
        "examples/games.pgn",
        "examples/repertoire.pgn",
        "testdata/several.pgn.zst",
        "testdata/odd.pgn",
        "testdata/variants.pgn",
        "testdata/nested.pgn",
        "testdata/clocks.pgn",
        "testdata/latin1.pgn",
    ];
    names.iter().map(|name| root.join(name)).collect()
}

fn games_of(files: &[PathBuf]) -> Games {
    let sources = files.iter().map(|file| Source::File(file.clone()));
    Games::new(sources.collect(), Choice::default())
}

fn exported(games: &Games) -> String {
    let mut out = Vec::new();
    let run = convert(
        games,
        &ConvertOptions::default(),
        &Workers::default(),
        &mut out,
    )
    .unwrap();
    assert!(run.unread.is_empty(), "{:?}", run.unread);
    String::from_utf8(out).unwrap()
}

fn made(folder: &Path, indexed: Indexed) -> PathBuf {
    let path = folder.join("base");
    let run = create(&path, &games_of(&files()), indexed, &Workers::default()).unwrap();
    assert!(run.unread.is_empty());
    path
}

fn filter(text: &str) -> Filter {
    text.parse().unwrap()
}

#[test]
fn nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), Indexed::Mainlines);
    let source = exported(&games_of(&files()));
    assert_eq!(exported(&games_of(std::slice::from_ref(&path))), source);
    // As text, for commands that work on bytes, and after adding everything again.
    add(&path, &games_of(&files()), &Workers::default()).unwrap();
    assert_eq!(
        exported(&games_of(std::slice::from_ref(&path)).as_text()),
        source.clone() + &source
    );
    assert!(check(&path, &Workers::default()).unwrap().is_empty());
    // One file of both segments, in the same order.
    let done = compact(&path, &Workers::default(), &Progress::default()).unwrap();
    assert_eq!(done.value.rewritten, 2);
    assert_eq!(
        exported(&games_of(std::slice::from_ref(&path))),
        source.clone() + &source
    );
    let again = compact(&path, &Workers::default(), &Progress::default()).unwrap();
    assert_eq!(again.value.rewritten, 0);
}

#[test]
fn filters_select_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), Indexed::Nothing);
    let archive = Archive::open(&path).unwrap();
    let total = |text: &str| {
        let options = ListOptions {
            filter: filter(text),
            ..ListOptions::default()
        };
        list(&archive, &options).unwrap().total
    };
    let all = archive.games();
    assert_eq!(total(""), all);
    assert_eq!(total("Plies>=0"), all);
    assert_eq!(total("Plies<20") + total("not Plies<20"), all);
    assert_eq!(total("Result=1-0 or not Result=1-0"), all);
    assert_eq!(total("Result=1-0 and not (Result=1-0)"), 0);
    assert_eq!(total("Player=\"nobody and nothing\""), 0);
    assert_eq!(total("White!=nobody"), all);
    let by_tag = exported(&games_of(std::slice::from_ref(&path)).filtered(filter("Result=1-0")));
    assert_eq!(
        by_tag.matches("[Event ").count() as u64,
        total("Result=1-0")
    );
    for odd in [
        "\u{202e}",
        "a\u{202e}d",
        "not\u{202e}",
        "(\u{202e}",
        "ä or ö",
        "Elo\u{85}3",
    ] {
        drop(odd.parse::<Filter>());
    }
    for bad in [
        "White=",
        "and",
        "(White=a",
        "Elo>=x",
        "White=a White)",
        "Event=\"a",
        "=3",
    ] {
        let parsed: Result<Filter, _> = bad.parse();
        let accepted = parsed.is_ok() && bad != "White=";
        assert!(!accepted, "{bad}");
    }
    let deep = format!("{}Plies>1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(deep.parse::<Filter>().is_err());
}

#[test]
fn lists_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), Indexed::Nothing);
    let archive = Archive::open(&path).unwrap();
    let options = ListOptions {
        columns: vec![Column::Number, Column::Plies, Column::named("White")],
        sort: Some((Column::Plies, super::Direction::Down)),
        skip: 1,
        limit: 3,
        ..ListOptions::default()
    };
    let found = list(&archive, &options).unwrap();
    assert_eq!(found.total, archive.games());
    let plies: Vec<u32> = found
        .rows
        .iter()
        .map(|row| row.values[1].parse().unwrap())
        .collect();
    assert_eq!(plies.len(), 3);
    assert!(plies.is_sorted_by(|a, b| a >= b));
    let results = counts(&archive, &Filter::default(), &Column::named("Result")).unwrap();
    assert!(results.is_sorted_by(|a, b| a.games >= b.games));
    let players = counts(&archive, &Filter::default(), &Column::Player).unwrap();
    assert!(!players.is_empty());
}

#[test]
fn statistics_of_removed_games_are_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), Indexed::Mainlines);
    let table = |text: &str| {
        let archives = [Archive::open(&path).unwrap()];
        opening(&archives, &Board::new(), &filter(text)).unwrap()
    };
    let before = table("");
    let won = table("Result=1-0");
    assert!(won.games > 0 && won.games < before.games);
    let removed = remove(&path, &filter("Result=1-0")).unwrap();
    let after = table("");
    assert_eq!(before.games - after.games, won.games);
    let info = Archive::open(&path).unwrap().info().unwrap();
    assert_eq!(info.removed, removed);
    // The numbers of the remaining games have no gaps.
    let options = ListOptions {
        limit: u64::MAX,
        ..ListOptions::default()
    };
    let rows = list(&Archive::open(&path).unwrap(), &options).unwrap().rows;
    assert!(
        rows.iter()
            .zip(1..)
            .all(|(row, number)| row.number == number)
    );
    let text = exported(&games_of(std::slice::from_ref(&path)));
    compact(&path, &Workers::default(), &Progress::default()).unwrap();
    assert_eq!(exported(&games_of(std::slice::from_ref(&path))), text);
    let info = Archive::open(&path).unwrap().info().unwrap();
    assert_eq!(info.removed, 0);
}

#[test]
fn duplicates_by_moves_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 1-0";
    let game = |white: &str, date: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"B\"]\n[Date \"{date}\"]\n\n{moves}\n\n")
    };
    let text = [
        game("Carlsen, Magnus", "2013.11.22", moves),
        game("Carlsen,M", "2013.??.??", moves),
        game(
            "Magnus Carlsen",
            "2013.11.22",
            &moves.replace("e5", "e5 {a comment}"),
        ),
        game("Anand, V", "2013.11.22", moves),
        game("Carlsen, Magnus", "2014.11.22", moves),
    ];
    let file = folder.path().join("games.pgn");
    fs::write(&file, text.concat()).unwrap();
    let path = folder.path().join("base");
    create(
        &path,
        &games_of(&[file]),
        Indexed::Nothing,
        &Workers::default(),
    )
    .unwrap();
    let plan = duplicates(&path).unwrap();
    let pairs: Vec<(u64, u64)> = plan
        .duplicates
        .iter()
        .map(|one| (one.kept, one.removed))
        .collect();
    assert_eq!(pairs, [(3, 1), (3, 2)]);
    // The archive stays locked while the plan is inspected.
    assert!(matches!(
        remove(&path, &filter("Plies>0")),
        Err(ArchiveError::Locked(_))
    ));
    assert_eq!(plan.carry_out().unwrap(), 2);
    assert!(duplicates(&path).unwrap().duplicates.is_empty());
}

#[test]
fn queries_find_the_same_as_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), Indexed::Mainlines);
    let queries = [
        "mate",
        "A<=8 mate",
        "stalemate or mate",
        "cql(result 1-0) mate",
        "initial",
        "terminal",
        "A<=16 a<=14",
        "check",
        "Nd5",
        "Nd5 pd6",
        "flip{Bb5 nc6}",
        "R==1 r==1 Q==0 q==0",
        "A<=3",
        "[QR]==0",
        "Qh5 or Qf3",
        "K attacks p",
        "move from N capture p",
        "[Pp]e4",
        "_e4",
        "piece $x in N $x attacks k",
        "path {Nf3 Bb5}",
        "line --> Nf3 --> check",
        "parent:Nf3",
        "Pa2-h2==0",
        "P[a-h]4>3",
        "pin",
        "q==2",
        "Q==2",
        "cql(matchcount 0) mate",
        "variations",
        "not Ke1",
        "white elo > 2500 Nf3",
        "shift{Ne5 pe6}",
        "fen \"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R\"",
        "flipcolor fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR\"",
        "fen \"rnbqkbnr/pppp.ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR\" wtm",
        "fen \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR\" A==16 not btm",
    ];
    for source in queries {
        for variations in [false, true] {
            let options = Options::default().with_variations(variations);
            let Ok(query) = Query::compile(source, &options) else {
                continue;
            };
            let ask = |games: &Games| {
                let search = Search {
                    query: &query,
                    output: SearchOutput::Games,
                    first: false,
                    limit: None,
                };
                let mut texts = Vec::new();
                let run = search.run(games, &Workers::default(), &QueryHost::new(), |answer| {
                    texts.push(answer.pgn);
                    Ok::<(), Infallible>(())
                });
                let Ok(run) = run;
                (texts, run.value.games, run.value.positions, run.value.read)
            };
            let (in_files, in_archive) = (
                ask(&games_of(&files())),
                ask(&games_of(std::slice::from_ref(&path))),
            );
            assert_eq!(in_archive, in_files, "{source} {variations}");
        }
    }
}

#[test]
fn damage_is_told_and_never_believed() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path(), Indexed::Mainlines);
    let good = exported(&games_of(std::slice::from_ref(&path)));
    let segment = path.join("segment-000001.games");
    let manifest = path.join("manifest.gametree");
    for file in [segment, manifest] {
        let bytes = fs::read(&file).unwrap();
        for at in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            let mut bad = bytes.clone();
            bad[at] ^= 0x10;
            fs::write(&file, &bad).unwrap();
            let problems = check(&path, &Workers::default());
            assert!(
                problems.is_err() || !problems.unwrap().is_empty(),
                "byte {at}"
            );
            let mut out = Vec::new();
            let games = games_of(std::slice::from_ref(&path));
            let run = convert(
                &games,
                &ConvertOptions::default(),
                &Workers::default(),
                &mut out,
            )
            .unwrap();
            let told = !run.unread.is_empty();
            assert!(told || out == good.as_bytes(), "byte {at}");
        }
        fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        assert!(Archive::open(&path).is_err());
        fs::write(&file, &bytes).unwrap();
    }
    assert_eq!(exported(&games_of(&[path])), good);
}

#[test]
fn folders_that_are_no_archives() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        Archive::open(folder.path()),
        Err(ArchiveError::NotArchive(_))
    ));
    fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let made = create(
        folder.path(),
        &games_of(&files()),
        Indexed::Nothing,
        &Workers::default(),
    );
    assert!(matches!(made, Err(ArchiveError::Exists(_))));
    // An input that cannot be read leaves nothing behind.
    let path = folder.path().join("new");
    let missing = [folder.path().join("missing.pgn")];
    let run = create(
        &path,
        &games_of(&missing),
        Indexed::Nothing,
        &Workers::default(),
    )
    .unwrap();
    assert_eq!(run.unread.len(), 1);
    assert!(!path.exists());
}
