//! Parquet tables from the command line; oracle/parquet.py reads them with other programs.

mod common;

use std::path::Path;

use common::{Output, program, root, run};

fn in_folder(folder: &Path, args: &[&str]) -> Output {
    run(program().current_dir(folder).args(args))
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("tables/openings")).unwrap();
    let games = root().join("examples/games.pgn");
    let games = games.to_string_lossy();
    for args in [
        &["convert", &games, "--parquet", "out"][..],
        &["query", "check", &games, "--parquet", "out"],
        &["sums", "db", "export", "x.db", "--parquet", "out"],
        &["opening", "tables"],
    ] {
        let output = in_folder(folder.path(), args);
        assert_eq!(output.code, Some(2), "{args:?}");
        assert!(output.err.contains("no Parquet support"), "{}", output.err);
        assert!(output.err.contains("--features parquet"), "{}", output.err);
        assert!(!folder.path().join("out").exists());
    }
}

#[cfg(feature = "parquet")]
mod with_parquet {
    use std::fs;
    use std::process::Stdio;
    use std::time::Duration;

    use super::*;

    fn fine(folder: &Path, args: &[&str]) -> Output {
        let output = in_folder(folder, args);
        assert_eq!(output.code, Some(0), "{args:?}: {}", output.err);
        output
    }

    fn games() -> String {
        let games = root().join("examples/games.pgn");
        games.to_string_lossy().into_owned()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn tables_answer_like_archives() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fine(folder, &["archive", "create", "base", &games()]);
        let note = fine(
            folder,
            &["archive", "export", "base", "--parquet", "tables"],
        )
        .err;
        assert!(
            note.contains("games written to tables; rows: games"),
            "{note}"
        );
        assert_eq!(
            names(&folder.join("tables")),
            ["games", "moves", "openings", "positions"]
        );
        for at in ["", "e4", "e4 e5", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4", "h4 a5 h5 a4"] {
            let ask = |base: &str| {
                let args = ["opening", base, "--at", at, "--json"];
                let words = if at.is_empty() {
                    [args[0], args[1], args[4]].to_vec()
                } else {
                    args.to_vec()
                };
                let answer = fine(folder, &words).out;
                let games = answer.find(",\"best\"").unwrap();
                answer[..games].to_owned()
            };
            assert_eq!(ask("tables"), ask("base"), "{at}");
        }
        let text = fine(folder, &["opening", "tables", "--at", "e4"]).out;
        assert!(
            text.contains("King's Pawn Game") && text.contains("reached"),
            "{text}"
        );
    }

    #[test]
    fn tables_are_never_changed_and_errors_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let only = [
            "convert",
            &games(),
            "--parquet",
            "tables",
            "--tables",
            "openings",
        ];
        fine(folder, &only);
        assert_eq!(names(&folder.join("tables")), ["openings"]);
        let again = in_folder(folder, &only);
        assert_eq!(again.code, Some(2));
        assert!(
            again.err.contains("openings: exists already"),
            "{}",
            again.err
        );
        let missing = ["convert", &games(), "missing.pgn", "--parquet", "new"];
        assert_eq!(in_folder(folder, &missing).code, Some(2));
        let none = [
            "convert",
            &games(),
            "--tag",
            "White=nobody",
            "--parquet",
            "new",
        ];
        let none = in_folder(folder, &none);
        assert!(none.err.contains("no games to convert"), "{}", none.err);
        assert_eq!(names(folder), ["tables"]);
        let filter = ["opening", "tables", "--filter", "Elo>=2500"];
        assert!(in_folder(folder, &filter).err.contains("--filter needs"));
        let both = in_folder(folder, &["opening", "tables", "base"]);
        assert!(
            both.err.contains("base: no table of openings"),
            "{}",
            both.err
        );
    }

    #[test]
    fn the_files_do_not_depend_on_the_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (threads, name) in [("1", "one"), ("3", "three")] {
            let args = ["convert", &games(), "--parquet", name, "--threads", threads];
            fine(folder, &args);
        }
        for table in names(&folder.join("one")) {
            let read =
                |name: &str| fs::read(folder.join(name).join(&table).join("part-00000.parquet"));
            assert_eq!(read("one").unwrap(), read("three").unwrap(), "{table}");
        }
    }

    #[test]
    fn damaged_tables_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fine(
            folder,
            &[
                "convert",
                &games(),
                "--parquet",
                "tables",
                "--tables",
                "openings",
            ],
        );
        let part = folder.join("tables/openings/part-00000.parquet");
        let good = fs::read(&part).unwrap();
        for end in [0, 3, 100, good.len() / 2, good.len() - 1] {
            fs::write(&part, &good[..end]).unwrap();
            let output = in_folder(folder, &["opening", "tables"]);
            assert_eq!(output.code, Some(2), "{end}: {}", output.err);
            assert!(output.err.contains("part-00000.parquet"), "{}", output.err);
        }
        fs::remove_file(part).unwrap();
        let output = in_folder(folder, &["opening", "tables"]);
        assert!(output.err.contains("no Parquet files"), "{}", output.err);
    }

    #[test]
    fn matches_and_components() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fine(folder, &["query", "mate", &games(), "--parquet", "tables"]);
        fine(
            folder,
            &["sums", "db", "create", "s.db", "--game", "clobber_1xn=4"],
        );
        fine(
            folder,
            &["sums", "db", "export", "s.db", "--parquet", "tables"],
        );
        assert_eq!(names(&folder.join("tables")), ["components", "matches"]);
        let missing = ["sums", "db", "export", "no.db", "--parquet", "tables"];
        let missing = in_folder(folder, &missing);
        assert!(
            missing.err.contains("no.db: no such file"),
            "{}",
            missing.err
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupted_export_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut command = program();
        command
            .current_dir(folder)
            .args(["convert", "-", "--parquet", "tables"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Standard input stays open: the export waits for more games.
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, &fs::read(games()).unwrap()).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "it ended before the signal"
        );
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &id])
            .status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(names(&folder.join("tables")), [""; 0]);
    }
}
