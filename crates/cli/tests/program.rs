//! The built program on real files: output, written files, exit codes.

mod common;

use std::fs;
use std::process::Stdio;

use common::{gametree, gametree_on, program, root, run};
use serde_json::Value;

#[test]
fn without_a_command_the_sample_is_shown() {
    let output = gametree("");
    assert_eq!(output.code, Some(0));
    assert!(
        output.out.contains("The Catalan") && output.out.contains("Nf6"),
        "{}",
        output.out
    );
}

#[test]
fn every_command_has_help_with_examples() {
    let help = gametree("--help").out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !matches!(*name, "" | "help"))
        .collect();
    assert!(commands.len() >= 5, "{help}");
    for command in commands {
        let output = gametree(&format!("{command} --help"));
        assert_eq!(output.code, Some(0), "{command}");
        assert!(
            output.out.contains("Examples:\n  gametree "),
            "{command}: {}",
            output.out
        );
    }
}

#[test]
fn usage_errors_end_with_status_2() {
    for args in [
        "chekc x",
        "check",
        "stats --nope x",
        "convert --games 0 testdata/several.pgn",
        "stats --tag =x a",
        "stats --threads 0 a",
        "stats --threads 100000 a",
    ] {
        let output = gametree(args);
        assert_eq!(output.code, Some(2), "{args}");
        assert!(output.err.contains("error"), "{args}: {}", output.err);
    }
    assert!(gametree("chekc").err.contains("'check'"));
}

#[test]
fn missing_files_are_named_with_the_fix() {
    for command in ["check", "stats", "convert"] {
        let output = gametree(&format!("{command} testdata/none.pgn"));
        assert_eq!(
            (output.code, output.out.as_str()),
            (Some(2), ""),
            "{command}"
        );
        assert_eq!(
            output.err,
            "error: testdata/none.pgn: no such file or folder\n help: check the spelling; `-` reads standard input\n"
        );
    }
}

/// A Scid index, a picture, a letter: whatever reads games refuses them.
#[test]
fn files_that_are_not_pgn_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut scid = b"Scid.si\0".to_vec();
    scid.extend((0..500u32).flat_map(|n| (n * 7919).to_be_bytes()));
    fs::write(dir.path().join("x.si4"), &scid).unwrap();
    fs::write(dir.path().join("letter.txt"), "Dear Sir,\nthank you.\n").unwrap();
    for command in [
        "check FILE",
        "stats FILE",
        "convert FILE",
        "draw FILE -o x.svg",
        "show FILE",
        "paths FILE",
        "merge FILE -o -",
        "link FILE -o -",
        "audit FILE",
        "diff FILE FILE",
        "check-book --side white --book FILE FILE",
        "query check FILE",
        "explore FILE",
        "edit FILE comment x",
    ] {
        for (file, reason) in [
            ("x.si4", "binary data"),
            ("letter.txt", "no tags and no moves"),
        ] {
            let words = command.replace("FILE", file);
            let output = run(program().args(words.split(' ')).current_dir(dir.path()));
            assert_eq!(output.code, Some(2), "{words}: {}", output.err);
            let message = format!("{file}: not a PGN file: contains {reason}");
            assert!(output.err.contains(&message), "{words}: {}", output.err);
        }
    }
    let output = gametree_on(&scid, "stats -");
    assert_eq!(output.code, Some(2), "{}", output.err);
}

#[test]
fn a_limit_of_zero_finds_nothing() {
    let output = gametree("query --limit 0 --count mate examples/games.pgn");
    assert_eq!(output.out, "0 games, 0 positions\n");
}

#[test]
fn games_are_chosen_by_number() {
    for option in ["--games", "--game"] {
        let output = gametree(&format!("stats {option} 1-3 examples/games.pgn"));
        assert!(
            output.out.starts_with("games                        3\n"),
            "{}",
            output.out
        );
    }
    let output = gametree("show examples/games.pgn --game 1-3");
    assert!(
        output.err.contains("expected the number of one game"),
        "{}",
        output.err
    );
}

#[test]
fn no_time_limit_is_typed_as_zero() {
    let output = run(program().args(["outcome", "--time", "0", "clobber XOXO"]));
    assert_eq!(output.code, Some(0), "{}", output.err);
}

#[test]
fn suggested_commands_are_quoted_for_the_shell() {
    let dir = tempfile::tempdir().unwrap();
    let name = "my book's lines.pgn";
    fs::write(
        dir.path().join(name),
        "1. e4 e5 (1... c5) 2. Nf3 (2. Nc3 Nf6) *\n",
    )
    .unwrap();
    let output = run(program()
        .args(["audit", name, "--side", "white"])
        .current_dir(dir.path()));
    assert!(
        output
            .out
            .contains(r"gametree show 'my book'\''s lines.pgn' "),
        "{}",
        output.out
    );
}

mod check {
    use super::*;

    #[test]
    fn complaints_are_shown_below_their_line() {
        let output = gametree("check testdata/odd.pgn");
        assert_eq!(output.code, Some(0));
        let drawn = "\
error: illegal move: Ke3
 --> testdata/odd.pgn:5:13  (game 1, after 1...e5)
5 | 1. e4 e5 2. Ke3 Nc6 {kept as text} 3. Nf3 1-0
  |             ^^^ kept the rest of the line as text
";
        assert!(output.out.contains(drawn), "{}", output.out);
        assert!(output.out.contains("illegal-move"), "{}", output.out);
    }

    #[test]
    fn strict_changes_the_exit_status() {
        assert_eq!(gametree("check --strict testdata/odd.pgn").code, Some(1));
        assert_eq!(
            gametree("check --strict testdata/several.pgn examples").code,
            Some(0)
        );
    }

    #[test]
    fn json_has_one_object_per_line_and_nothing_else() {
        let output = gametree("check --json testdata/odd.pgn");
        let rows: Vec<Value> = output
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(rows.len() >= 10);
        for row in &rows {
            for key in [
                "file", "line", "column", "game", "path", "kind", "message", "done",
            ] {
                assert!(!row[key].is_null(), "{key} in {row}");
            }
        }
        let illegal = &rows[0];
        assert_eq!(
            (&illegal["kind"], &illegal["path"]),
            (&"illegal-move".into(), &"e4 e5".into())
        );
    }

    #[test]
    fn few_are_shown_and_all_are_counted() {
        let output = gametree("check --max 2 testdata/odd.pgn");
        assert_eq!(output.out.matches("-->").count(), 2);
        assert!(
            output.out.contains("more; use --max N to show more"),
            "{}",
            output.out
        );
        let only_counts = gametree("check --max 0 testdata/odd.pgn");
        assert!(
            !only_counts.out.contains("-->") && only_counts.out.starts_with("13 games, "),
            "{}",
            only_counts.out
        );
    }

    #[test]
    fn levels_omit_less_severe_problems() {
        let output = gametree("check --level error testdata/odd.pgn");
        assert!(
            !output.out.contains("warning") && !output.out.contains("note:"),
            "{}",
            output.out
        );
    }

    #[test]
    fn quiet_leaves_only_complaints() {
        let output = gametree("check -q testdata/several.pgn");
        assert_eq!(
            (output.code, output.out.as_str(), output.err.as_str()),
            (Some(0), "", "")
        );
    }

    #[test]
    fn latin1_and_line_ends_of_all_sorts_are_read() {
        let output = gametree("check testdata/crlf.pgn testdata/cr.pgn");
        assert!(
            output.out.ends_with("3 games, 0 complaints\n"),
            "{}",
            output.out
        );
        let output = gametree("check --max 0 testdata/latin1.pgn");
        assert!(output.out.contains("not-utf8"), "{}", output.out);
    }
}

mod stats {
    use super::*;

    fn json(args: &str) -> Value {
        let output = gametree(args);
        assert_eq!(output.code, Some(0), "{}", output.err);
        serde_json::from_str(&output.out).unwrap()
    }

    #[test]
    fn json_has_the_keys_that_scripts_rely_on() {
        let stats = json("stats --json testdata/nested.pgn");
        let keys = [
            "games",
            "moves",
            "nodes",
            "lines",
            "positions",
            "transposed",
            "longest_line",
            "max_depth",
            "complaints",
        ];
        // Counted with python-chess.
        let expected = [4, 61, 65, 21, 47, 3, 11, 6, 0];
        assert_eq!(keys.map(|key| stats[key].as_u64().unwrap()), expected);
        assert_eq!(stats["results"]["*"], 4);
        assert!(
            stats["depths"]["0"].is_u64()
                && stats["line_lengths"].is_object()
                && stats["branching"].is_object()
        );
    }

    #[test]
    fn compressed_files_are_counted_like_the_plain_one() {
        let plain = json("stats --json testdata/several.pgn");
        for name in [
            "several.pgn.gz",
            "several.pgn.bz2",
            "several.pgn.zst",
            "frames.pgn.zst",
        ] {
            assert_eq!(
                json(&format!("stats --json testdata/{name}")),
                plain,
                "{name}"
            );
        }
        let text = fs::read(root().join("testdata/several.pgn.zst")).unwrap();
        let piped: Value = serde_json::from_str(&gametree_on(&text, "stats --json -").out).unwrap();
        assert_eq!(piped, plain);
    }

    #[test]
    fn threads_do_not_change_the_answer() {
        let one = gametree("stats --threads 1 testdata examples").out;
        for threads in ["2", "7"] {
            assert_eq!(
                gametree(&format!("stats --threads {threads} testdata examples")).out,
                one
            );
        }
    }

    #[test]
    fn variants_are_played_by_their_rules() {
        let stats = json("stats --json testdata/variants.pgn");
        assert_eq!(
            (&stats["games"], &stats["moves"], &stats["complaints"]),
            (&8.into(), &43.into(), &0.into())
        );
    }

    #[test]
    fn the_text_names_what_it_counts() {
        let output = gametree("stats examples/repertoire.pgn");
        for word in [
            "games",
            "moves",
            "positions",
            "transposed",
            "games by result",
            "lines by length",
        ] {
            assert!(output.out.contains(word), "{word}: {}", output.out);
        }
        let output = gametree("stats --no-positions examples/repertoire.pgn");
        assert!(!output.out.contains("transposed"), "{}", output.out);
    }
}

mod convert {
    use super::*;

    #[test]
    fn compression_and_decompression_change_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let original = fs::read(root().join("testdata/several.pgn")).unwrap();
        for name in ["x.pgn", "x.pgn.gz", "x.pgn.bz2", "x.pgn.zst"] {
            let path = dir.path().join(name);
            let output = run(program()
                .args(["convert", "--keep", "testdata/several.pgn", "-o"])
                .arg(&path));
            assert_eq!(
                (output.code, output.out.as_str()),
                (Some(0), ""),
                "{}",
                output.err
            );
            assert!(
                output.err.starts_with("note: 6 games written to "),
                "{}",
                output.err
            );
            let back = run(program().args(["convert", "--keep"]).arg(&path));
            assert!(back.out.as_bytes() == original, "{name}");
        }
    }

    #[test]
    fn the_extension_selects_the_format() {
        let dir = tempfile::tempdir().unwrap();
        for (name, starts) in [
            ("x.jsonl", "{\"file\""),
            ("x.fen", "rnbqkbnr/"),
            ("x.epd", "rnbqkbnr/"),
            ("x.uci", "position startpos moves e2e4"),
            ("x.pgn", "[Event "),
        ] {
            let path = dir.path().join(name);
            run(program()
                .args(["convert", "-q", "testdata/several.pgn", "-o"])
                .arg(&path));
            assert!(
                fs::read_to_string(&path).unwrap().starts_with(starts),
                "{name}"
            );
        }
    }

    #[test]
    fn games_are_chosen_and_parts_left_out() {
        let output =
            gametree("convert testdata/several.pgn --tag White=anderssen --drop comments,nags");
        assert!(
            output.out.starts_with("[Event \"London\"]")
                && output.out.ends_with("23. Be7# 1-0\n\n"),
            "{}",
            output.out
        );
        let output = gametree("convert testdata/clocks.pgn --drop clocks,variations");
        assert!(
            !output.out.contains("%clk")
                && !output.out.contains('(')
                && output.out.contains("%eval"),
            "{}",
            output.out
        );
        assert_eq!(
            gametree("convert testdata/several.pgn --games 3-5 --to uci")
                .out
                .lines()
                .count(),
            3
        );
    }

    #[test]
    fn converting_in_place_keeps_the_file_if_the_input_is_broken() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pgn.gz");
        let mut packed = fs::read(root().join("testdata/several.pgn.gz")).unwrap();
        packed.truncate(packed.len() - 10);
        fs::write(&path, &packed).unwrap();
        let output = run(program().arg("convert").arg(&path).arg("-o").arg(&path));
        assert_eq!(output.code, Some(2));
        assert!(
            output.err.contains("was not written")
                && output.err.contains("unexpected end of compressed data"),
            "{}",
            output.err
        );
        assert!(fs::read(&path).unwrap() == packed);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_conversion_of_no_games_writes_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.pgn");
        let none = "convert examples/games.pgn --tag White=nobody";
        for form in ["", " --keep", " --to json"] {
            let mut program = program();
            program
                .args(format!("{none}{form} -o").split(' '))
                .arg(&path);
            let output = run(&mut program);
            assert_eq!(output.code, Some(2), "{}", output.err);
            assert!(output.err.contains("no games to convert"), "{}", output.err);
            assert!(!path.exists());
        }
        let output = gametree(none);
        assert_eq!((output.code, output.out.as_str()), (Some(0), ""));
        assert!(output.err.contains("no games to convert"), "{}", output.err);
    }

    #[test]
    fn write_errors_are_reported() {
        let output = gametree("convert testdata/several.pgn -o testdata/none/x.pgn");
        assert_eq!(output.code, Some(2));
        assert!(
            output
                .err
                .contains("testdata/none/x.pgn: the folder to write into does not exist"),
            "{}",
            output.err
        );
        let output = gametree("convert testdata/several.pgn -o testdata");
        assert!(
            output.err.contains("testdata: is a folder"),
            "{}",
            output.err
        );
    }

    #[test]
    fn order_is_that_of_the_input_on_any_number_of_threads() {
        let one = gametree("convert --threads 1 testdata examples --to json").out;
        assert!(gametree("convert --threads 5 testdata examples --to json").out == one);
    }
}

mod exit_codes_and_output {
    use super::*;

    #[test]
    fn colour_is_for_terminals_or_on_request() {
        let coloured = |output: &common::Output| output.out.contains('\u{1b}');
        assert!(!coloured(&gametree("check testdata/odd.pgn")));
        assert!(coloured(&gametree("check --color always testdata/odd.pgn")));
        assert!(!coloured(&gametree("check --color never testdata/odd.pgn")));
        assert!(!coloured(&run(program()
            .env("NO_COLOR", "1")
            .args(["check", "testdata/odd.pgn"]))));
    }

    #[cfg(unix)]
    #[test]
    fn a_closed_pipe_is_no_failure() {
        let path = std::env::temp_dir();
        for command in [
            "convert testdata/several.pgn",
            "check testdata/odd.pgn",
            "stats testdata",
            "completions bash",
        ] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = run(program()
                .args(command.split(' '))
                .stdout(Stdio::from(writer))
                .env("TMPDIR", &path));
            assert_eq!(
                (output.code, output.err.as_str()),
                (Some(0), ""),
                "{command}"
            );
        }
    }

    #[test]
    fn a_full_disk_is_a_failure() {
        if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
            let output = run(program()
                .args(["convert", "testdata/several.pgn"])
                .stdout(Stdio::from(full)));
            assert_eq!(output.code, Some(2));
            assert!(
                output.err.starts_with("error: <stdout>: "),
                "{}",
                output.err
            );
        }
    }

    #[test]
    fn completions_for_all_shells_and_a_page_for_each_command() {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let output = gametree(&format!("completions {shell}"));
            assert!(
                output.out.contains("gametree") && output.out.contains("convert"),
                "{shell}"
            );
        }
        let dir = tempfile::tempdir().unwrap();
        let output = run(program().arg("man").arg(dir.path().join("man1")));
        assert_eq!(output.code, Some(0), "{}", output.err);
        for page in [
            "gametree.1",
            "gametree-check.1",
            "gametree-stats.1",
            "gametree-convert.1",
        ] {
            let text = fs::read_to_string(dir.path().join("man1").join(page)).unwrap();
            assert!(text.contains(".TH"), "{page}");
        }
    }

    /// Ctrl-C while reading: no partial file remains, the exit status reports the signal.
    #[cfg(unix)]
    #[test]
    fn an_interrupt_ends_well() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out.pgn");
        let mut child = program()
            .args(["convert", "-", "-o"])
            .arg(&out)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            // Without end: only the interrupt can end it.
            while std::io::Write::write_all(&mut stdin, b"[Event \"E\"]\n\n1. e4 e5 2. Nf3 *\n\n")
                .is_ok()
            {}
        });
        while fs::read_dir(dir.path())
            .unwrap()
            .flatten()
            .all(|file| file.metadata().map_or(0, |m| m.len()) == 0)
        {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        let ended = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(
            ended.status.code(),
            Some(130),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
        assert_eq!(
            fs::read_dir(dir.path()).unwrap().count(),
            0,
            "a partial file"
        );
    }

    #[test]
    fn limits_bound_what_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let [plain, packed] = ["long.pgn", "long.pgn.zst"].map(|name| dir.path().join(name));
        fs::write(&plain, "Nf3 Nf6 Ng1 Ng8\n".repeat(100_000)).unwrap();
        let on = |args: &str, file: &std::path::Path| {
            run(program().args(args.split_whitespace()).arg(file))
        };
        let made = run(program().arg("convert").arg(&plain).arg("-o").arg(&packed));
        assert_eq!(made.code, Some(0), "{}", made.err);

        let cut = on("check --max-text 1M", &plain);
        assert!(
            cut.out.contains("game longer than the limit"),
            "{}",
            cut.out
        );
        assert_eq!(on("check", &plain).code, Some(0));
        for command in ["show", "audit", "paths"] {
            let refused = on(&format!("{command} --max-text 1M"), &packed);
            assert_eq!(refused.code, Some(2), "{command}: {}", refused.out);
            assert!(refused.err.contains("long.pgn.zst: larger than 1 MiB"));
            assert!(refused.err.contains("--max-text SIZE raises the limit"));
        }
        let bomb = on("check --max-unpacked 1M", &packed);
        assert_eq!(bomb.code, Some(2), "{}", bomb.out);
        assert!(
            bomb.err
                .contains("long.pgn.zst: unpacks to more than 1 MiB")
        );
        assert!(bomb.err.contains("--max-unpacked SIZE raises the limit"));
        assert_eq!(on("check --max-unpacked x", &packed).code, Some(2));
    }
}
