use std::num::NonZeroUsize;

use sums::Kind;

use super::*;
use crate::Budget;
use crate::read::read_sum;
use kit::Stop;
use kit::Workers;

fn plan(path: &Path, requests: &[&str]) -> Plan {
    let request = |text: &&str| {
        if text.contains('=') {
            Request::boards(text).unwrap()
        } else {
            Request::From(read_sum(text).unwrap())
        }
    };
    Plan {
        requests: requests.iter().map(request).collect(),
        budget: Budget::default(),
        path: path.to_owned(),
    }
}

fn make(path: &Path, requests: &[&str]) -> Created {
    create(&plan(path, requests), &Workers::alone(), |_| ()).unwrap()
}

fn knows(database: &Database, game: &str, position: &str) -> bool {
    let game = Game::read(Kind::named(game).unwrap(), position).unwrap();
    look_up(database, &[game])
        .iter()
        .all(|(_, entry)| entry.is_some())
}

#[test]
fn components_solved_in_parts_make_the_same_database() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, all) = (folder.path().join("whole.db"), folder.path().join("all.db"));
    for boards in ["clobber_1xn=6", "domineering=2x3", "gen_toads=1,1,1,0:5"] {
        std::fs::remove_file(&whole).ok();
        make(&whole, &[boards]);
        let request = Request::boards(boards).unwrap();
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        for number in 0..request.count() {
            for game in request.components_at(number) {
                parts[game.text().len() % 3].push(game);
            }
        }
        let paths: Vec<PathBuf> = (0..3)
            .map(|part| folder.path().join(format!("{part}.db")))
            .collect();
        for (part, path) in parts.into_iter().zip(&paths) {
            std::fs::remove_file(path).ok();
            let plan = Plan {
                requests: vec![Request::Components(part)],
                ..plan(path, &[])
            };
            create(&plan, &Workers::alone(), |_| ()).unwrap();
        }
        merge(&paths, &all).unwrap();
        assert!(
            std::fs::read(&whole).unwrap() == std::fs::read(&all).unwrap(),
            "{boards}"
        );
    }
}

#[test]
fn every_game_can_be_stored_in_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.db");
    let made = make(
        &path,
        &[
            "clobber_1xn=5",
            "domineering=2x3",
            "nogo=2x2",
            "impartial clobber=2x2",
            "gen_toads=1,1,1,0:5",
            "gen_king_dirt=1,1,0:2x2",
            "hackenbush=3",
            "octal=0.77:20",
            "snort path5 + col cycle4 + sheep (3 0|0 -3) + hackenbush 0-1L,1-2R,1-3L",
        ],
    );
    assert_eq!((made.entries, made.unsolved), (made.new, 0));
    let database = open(&path).unwrap();
    for (game, position) in [
        ("clobber_1xn", "XXO"),
        ("domineering", "..|.."),
        ("nogo", "..|.."),
        ("impartial clobber", "XO|OX"),
        ("gen_toads", "1,1,1,0:X..O"),
        ("gen_king_dirt", "1,1,0:..|.."),
        ("hackenbush", "LRE"),
        ("snort", "path5"),
        ("col", "cycle4"),
        ("sheep", "3 0|0 -3"),
    ] {
        assert!(knows(&database, game, position), "{game} {position}");
    }
    let info = info(&path).unwrap();
    let all: u64 = info.games.values().map(|counts| counts.entries).sum();
    assert_eq!(all, made.entries as u64);
}

#[test]
fn threads_make_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three] = [1, 3].map(|threads| {
        let path = folder.path().join(format!("{threads}.db"));
        let workers = Workers::new(NonZeroUsize::new(threads), Stop::new());
        create(
            &plan(&path, &["nogo_1xn=6", "clobber=2x3"]),
            &workers,
            |_| (),
        )
        .unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(one, three);
}

#[test]
fn an_interrupted_creation_continues() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, stopped] = ["whole.db", "stopped.db"].map(|name| folder.path().join(name));
    let all = make(&whole, &["clobber_1xn=7"]);
    // 1. Stopped halfway: there is a journal and no database.
    let workers = Workers::alone();
    let made = create(&plan(&stopped, &["clobber_1xn=7"]), &workers, |step| {
        if matches!(step, Step::Solving(done, _) if done > 40) {
            workers.stop.raise();
        }
    })
    .unwrap();
    assert!(made.stopped && made.entries > 0 && made.entries < all.entries);
    assert!(!stopped.exists());
    // 2. A torn last record, as after a power cut.
    let journal = folder.path().join("stopped.db.part");
    let bytes = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &bytes[..bytes.len() - 5]).unwrap();
    // 3. Continuing solves only the rest, and ends with the same bytes.
    let mut first = None;
    let rest = create(
        &plan(&stopped, &["clobber_1xn=7"]),
        &Workers::alone(),
        |step| {
            if let Step::Solving(_, total) = step {
                first.get_or_insert(total);
            }
        },
    )
    .unwrap();
    assert_eq!(first, Some((all.entries - made.entries + 1) as u64));
    assert!(!rest.stopped && !journal.exists());
    assert_eq!(
        std::fs::read(whole).unwrap(),
        std::fs::read(stopped).unwrap()
    );
}

#[test]
fn a_database_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.db");
    let small = make(&path, &["clobber_1xn=4"]);
    let same = make(&path, &["clobber_1xn=4"]);
    assert_eq!((same.entries, same.new), (small.entries, 0));
    let large = make(&path, &["clobber_1xn=6"]);
    assert_eq!(large.entries, small.entries + large.new);
    assert!(large.new > 0);
}

#[test]
fn concurrent_creation_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.db");
    let mut busy = None;
    create(&plan(&path, &["clobber_1xn=4"]), &Workers::alone(), |_| {
        let again = create(&plan(&path, &["clobber_1xn=4"]), &Workers::alone(), |_| ());
        busy.get_or_insert(again.err().unwrap().to_string());
    })
    .unwrap();
    assert!(busy.unwrap().contains("another program"));
}

#[test]
fn merging_databases() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, all] = ["1.db", "2.db", "all.db"].map(|name| folder.path().join(name));
    let entries = make(&one, &["clobber_1xn=5"]).entries + make(&two, &["nogo_1xn=4"]).entries;
    assert_eq!(merge(&[one.clone(), two], &all).unwrap(), entries);
    let mut wrong = Builder::default();
    let entry = Entry::of_outcome(sums::value::Outcome::Right);
    wrong.insert("clobber_1xn", "OXX", entry).unwrap();
    let bad = folder.path().join("bad.db");
    std::fs::write(&bad, wrong.finish()).unwrap();
    let error = merge(&[one, bad.clone()], &all).unwrap_err().to_string();
    assert!(
        error.ends_with("bad.db: the databases disagree about clobber_1xn OXX"),
        "{error}"
    );
}

#[test]
fn requests_are_parsed() {
    let count = |text: &str| Request::boards(text).map(|request| request.count());
    assert_eq!(count("clobber_1xn=2"), Ok(3 + 9));
    assert_eq!(count("domineering=2x2"), Ok(2 + 4 + 4 + 16));
    assert_eq!(count("kayles=100"), Ok(101));
    assert_eq!(count("octal=0.77:9"), Ok(10));
    assert!(matches!(count("clobber"), Err(BadRequest::NoSize(_))));
    assert!(matches!(count("chess=3"), Err(BadRequest::NoGame(_))));
    assert!(matches!(count("clobber=0x3"), Err(BadRequest::BadSize(_))));
    assert!(matches!(
        count("clobber_1xn=2x2"),
        Err(BadRequest::NoBoards(_))
    ));
    assert!(matches!(count("gen_toads=8"), Err(BadRequest::NoBoards(_))));
    assert!(matches!(
        count("explicit=3"),
        Err(BadRequest::NoBoards(_)) | Ok(_)
    ));
    assert!(matches!(count("clobber=9x9"), Err(BadRequest::TooMany(_))));
    assert!(matches!(
        count("clobber=99999999999x99999999999"),
        Err(BadRequest::TooMany(_))
    ));
}

#[test]
fn default_database_path() {
    let place = |variables: &[(&str, &str)]| {
        place_in(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, path)| PathBuf::from(path))
        })
    };
    let home = ("HOME", "/home/me");
    let path = |text: &str| Some(PathBuf::from(text));
    assert_eq!(
        place(&[home]),
        path("/home/me/.local/share/gametree/sums.db")
    );
    assert_eq!(
        place(&[home, ("XDG_DATA_HOME", "/data")]),
        path("/data/gametree/sums.db")
    );
    assert_eq!(place(&[home, ("GAMETREE_SUMS_DB", "my.db")]), path("my.db"));
    assert_eq!(place(&[home, ("GAMETREE_SUMS_DB", "")]), None);
    assert_eq!(place(&[]), None);
}

#[test]
fn other_files_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        open(&path).err().unwrap().to_string()
    };
    assert!(message("empty", b"").ends_with("not a database of components"));
    assert!(message("text", b"hello, this is text").ends_with("not a database of components"));
    let missing = open(&folder.path().join("missing"))
        .err()
        .unwrap()
        .to_string();
    assert!(missing.ends_with("missing: no such file"), "{missing}");
    assert!(open(folder.path()).is_err());
}
