//! The built program on sums: answers, error messages, exit codes.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::{Output, gametree, gametree_on, program, run};
use serde_json::Value;

/// Runs a command on one sum.
fn on(command: &str, sum: &str) -> Output {
    run(program().args(command.split_whitespace()).arg(sum))
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&output.out)
        .unwrap_or_else(|error| panic!("{error}: {}{}", output.out, output.err))
}

mod solve {
    use super::*;

    #[test]
    fn both_players_and_the_outcome() {
        let output = on(
            "solve",
            "clobber XOXOXO + domineering ...|... + 3/4 + {1|-1}",
        );
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(
            output.out,
            "Left first    Left wins\nRight first   Left wins\noutcome       L: Left wins, moving first or second\n"
        );
    }

    #[test]
    fn claims_are_true_or_false() {
        for (claim, code, expected) in [
            ("2*clobber XXO = ^^", 0, "true: left = right"),
            ("clobber XXO < 0", 1, "false: left > right"),
            ("* || 0", 0, "true: left || right"),
            ("domineering ..|.. >= 1", 1, "false: left || right"),
        ] {
            let output = on("solve", claim);
            assert_eq!(output.code, Some(code), "{claim}");
            assert!(output.out.contains(expected), "{claim}: {}", output.out);
        }
    }

    #[test]
    fn the_language_of_files_from_every_place() {
        let text = "[clobber_1xn] XXO {B win, W loss, winning moves B 2-3}";
        let typed = on("solve", text);
        assert_eq!(typed.code, Some(0), "{}", typed.err);
        assert!(
            typed.out.contains("Left wins by  2-3  as expected"),
            "{}",
            typed.out
        );
        for args in ["solve", "solve -", "solve -f -"] {
            assert_eq!(gametree_on(text.as_bytes(), args).out, typed.out, "{args}");
        }
        let file = gametree("solve -f testdata/sums/suite/strips.test");
        assert_eq!(file.code, Some(0), "{}", file.err);
    }

    #[test]
    fn one_sum_a_line() {
        let output = gametree_on(
            b"# two lines\nnimber 3 + nimber 3\n\n  clobber XXO\n",
            "solve --json",
        );
        let outcomes: Vec<Value> = output
            .out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["outcome"].clone())
            .collect();
        assert_eq!(outcomes, ["P", "L"]);
    }

    #[test]
    fn an_answer_that_was_not_expected_is_status_1() {
        let output = on("solve", "[clobber_1xn] XO {B loss}");
        assert_eq!(output.code, Some(1));
        assert!(
            output.out.contains("but loss was expected"),
            "{}",
            output.out
        );
    }

    #[test]
    fn minimax_agrees() {
        let output = on(
            "solve --verify --json",
            "clobber_1xn XOXO + domineering ..|.. + 1/2",
        );
        for question in json(&output)["questions"].as_array().unwrap() {
            assert_eq!(question["minimax"], "agrees");
        }
        let large = on("solve --verify", "kayles 2000000000");
        assert!(large.out.contains("too large for minimax"), "{}", large.out);
    }

    #[test]
    fn giving_up_prints_partial_answers() {
        let output = on(
            "solve --nodes 1 --threads 1",
            "amazons X.....|......|......|......|......|.....O",
        );
        assert_eq!(output.code, Some(1), "{}", output.out);
        assert!(
            output.out.contains("not solved within the node limit"),
            "{}",
            output.out
        );
        assert!(
            output
                .out
                .contains("outcome       N or P: not fully solved"),
            "{}",
            output.out
        );
        assert!(
            output.err.contains("use a larger --nodes"),
            "{}",
            output.err
        );
        let lopsided = on("solve --nodes 1 --threads 1", "clobber 5x5");
        assert!(
            lopsided.out.ends_with("outcome       not known\n"),
            "{}",
            lopsided.out
        );
    }

    #[test]
    fn giving_up_prints_proven_moves_and_bounds() {
        let sum = "nogo_1xn ....................";
        let output = on("solve --threads 1 --nodes 3000 --json", sum);
        let so_far = &json(&output)["questions"][0]["so_far"];
        let count = |key: &str| so_far[key].as_array().map_or(0, Vec::len);
        assert_eq!(count("winning"), 0, "{so_far}");
        assert!(count("losing") > 0, "{so_far}");
        assert_eq!(count("losing") + count("open"), 20, "{so_far}");
        let output = on("bounds --threads 1 --nodes 50 --scale numbers", sum);
        assert_eq!(output.code, Some(1), "{}", output.err);
        let line = "numbers       -16 <= G; not solved within the node limit\n";
        assert_eq!(output.out, line);
        assert!(
            output.err.contains("use a larger --nodes"),
            "{}",
            output.err
        );
    }

    #[test]
    fn nodes_are_the_same_every_time_on_one_thread() {
        let nodes = || {
            let output = on("solve --json --threads 1", "nogo_1xn ................");
            json(&output)["questions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|q| q["nodes"].as_u64().unwrap())
                .sum::<u64>()
        };
        assert_eq!(nodes(), nodes());
    }

    #[test]
    fn work_is_saved_and_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work.sums");
        let sum = "nogo_1xn ....................";
        let given_up = run(program()
            .args(["solve", "--threads", "1", "--nodes", "2000", sum, "--save"])
            .arg(&work));
        assert_eq!(given_up.code, Some(1), "{}", given_up.err);
        assert!(given_up.err.contains(" sums saved to "), "{}", given_up.err);
        let nodes = |output: &Output| json(output)["questions"][0]["nodes"].as_u64().unwrap();
        let resumed = run(program()
            .args(["solve", "--threads", "1", "--json", sum, "--resume"])
            .arg(&work));
        assert_eq!(resumed.code, Some(0), "{}", resumed.err);
        assert!(nodes(&resumed) < nodes(&on("solve --json --threads 1", sum)));
        let bad = run(program().args(["solve", sum, "--resume", "README.md"]));
        assert_eq!(bad.code, Some(2));
        assert!(
            bad.err.contains("README.md: not a saved solver state"),
            "{}",
            bad.err
        );
    }

    #[cfg(unix)]
    #[test]
    fn ctrl_c_keeps_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work.sums");
        let mut command = program();
        command.args(["solve", "--save"]).arg(&work);
        command.arg("amazons X.....|......|......|......|......|.....O");
        let child = command
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(130),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("stopped"));
        assert!(fs::read(work).unwrap().starts_with(b"gametree sums"));
    }

    #[test]
    fn games_are_listed() {
        let output = gametree("solve --games");
        for name in ["clobber_1xn", "sheep", "hackenbush", "octal"] {
            assert!(
                output.out.lines().any(|line| line.starts_with(name)),
                "{name}"
            );
        }
    }
}

/// The differences from MCGS listed in docs/differences.md.
mod differences {
    use super::*;

    #[test]
    fn sums_beyond_mcgs_are_answered() {
        for (asked, answer) in [
            (
                "[integer_game] 2000000000 2000000000 -2000000000 -2000000000 [up_star] * {B}",
                "win",
            ),
            ("[integer_game] 99999999999999999999999 {W}", "loss"),
            ("[impartial integer_game] 100000 {N}", "0"),
            ("[kayles] 2000000000 {N}", "1"),
            ("[nimber] 5000 [kayles] 30 {B}", "win"),
            ("{version 1.2} [clobber_1xn] XO {B}", "win"),
            ("[clobber_1xn]XO{B}", "win"),
            ("[sheep] (90 0|0 -90) {B}", "loss"),
            (
                "[clobber_1xn] XO [clobber_1xn] OX {winning moves B}",
                "None",
            ),
        ] {
            let output = on("solve --json", asked);
            assert_eq!(output.code, Some(0), "{asked}: {}", output.err);
            assert_eq!(json(&output)["questions"][0]["answer"], answer, "{asked}");
        }
    }

    #[test]
    fn unreadable_sums_are_reported_and_the_rest_is_solved() {
        let text = "[clobber_1xn] XZ {B}\n[up_star] () {B}\n[clobber_1xn] XO {B}\n[nimber] 3";
        let output = gametree_on(text.as_bytes(), "solve");
        assert_eq!(output.code, Some(2));
        assert_eq!(output.out, "clobber_1xn XO\nLeft first    Left wins\n\n");
        for place in ["line 1, column 16", "line 2, column 12", "line 4, column 1"] {
            assert!(output.err.contains(place), "{}", output.err);
        }
    }

    #[test]
    fn wide_boards_have_columns() {
        let row = format!("{}XO", ".".repeat(26));
        let output = on("moves --player left", &format!("clobber {row}"));
        assert!(output.out.contains("aa1-ab1"), "{}", output.out);
    }

    #[test]
    fn winning_moves_in_equal_components_may_be_given_once() {
        let asked = on("solve --json", "[integer_game] 1 1 {winning moves B}");
        assert_eq!(json(&asked)["questions"][0]["answer"], "0:INT 1:INT");
        for (list, code) in [("0:INT 1:INT", 0), ("0:INT", 0), ("1:INT", 1)] {
            let text = format!("[integer_game] 1 1 {{winning moves B {list}}}");
            assert_eq!(on("solve", &text).code, Some(code), "{list}");
        }
    }

    #[test]
    fn all_moves_together_cost_what_a_question_may() {
        let output = on("moves --player left --nodes 2000", "clobber 4x5");
        assert_eq!(output.code, Some(1));
        let head = "Left: 0 of 31 moves win, 31 not solved within the node limit\n";
        assert!(output.out.starts_with(head), "{}", output.out);
        let output = on("moves --player left --nodes 10M", "clobber 3x4");
        assert!(
            output.out.starts_with("Left: 0 of 17 moves win\n"),
            "{}",
            output.out
        );
    }

    #[test]
    fn the_largest_boards_are_given_up_in_time() {
        for (command, sum) in [
            ("outcome", "nogo 60x60"),
            ("outcome --threads 1", "cannibal_clobber 60x60"),
            ("outcome", "clobber_1xn (XO)^32768"),
            ("value", "domineering 200x200"),
            ("bounds", "clobber 60x60"),
        ] {
            let output = on(&format!("{command} --time 100ms"), sum);
            let text = output.out + &output.err;
            assert!(
                text.contains("not solved within the time limit"),
                "{sum}: {text}"
            );
        }
    }

    #[test]
    fn threads_search_one_question_together() {
        for sum in [
            "domineering 5x6",
            "clobber 3x6",
            "amazons X...|....|....|...O",
        ] {
            let alone = on("outcome --threads 1", sum);
            let together = on("outcome --threads 4", sum);
            assert_eq!(together.out, alone.out, "{sum}: {}", together.err);
        }
    }

    #[test]
    fn values_are_given_up_after_so_many_nodes() {
        let output = on("value --nodes 100", "nogo 5x5");
        assert_eq!(output.code, Some(1));
        assert!(
            output.err.contains("within the node limit"),
            "{}",
            output.err
        );
    }

    #[test]
    fn one_player_asked_twice_is_no_outcome() {
        let output = on("solve", "[clobber_1xn] XO {B win, B loss}");
        assert_eq!(output.code, Some(1));
        assert!(!output.out.contains("outcome"), "{}", output.out);
    }
}

mod pictures {
    use super::*;

    fn drawn(command: &str, sum: &str, name: &str) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        let output = run(program()
            .args(command.split_whitespace())
            .arg(sum)
            .arg("-o")
            .arg(&file));
        assert_eq!(output.code, Some(0), "{}", output.err);
        fs::read(file).unwrap()
    }

    #[test]
    fn a_strategy_is_drawn_in_every_form() {
        let sum = "clobber_1xn XOXOXOXO";
        let text = |name: &str| String::from_utf8(drawn("why", sum, name).to_vec()).unwrap();
        let svg = text("s.svg");
        assert!(svg.contains("Left moves first, Left wins") && svg.contains("7 lines, 20 moves"));
        let dot = text("s.dot");
        // A start and 20 moves; 20 branches and one arc between equal sums.
        assert_eq!(dot.matches("[label=").count(), 21);
        assert_eq!(dot.matches(" -> ").count(), 21);
        assert_eq!(dot.matches("style=dashed").count(), 1);
        let page = text("s.html");
        assert_eq!(page.matches("<li id=").count(), 20);
        assert_eq!(page.matches("continues as after").count(), 1);
        assert_eq!(
            page.matches("<details").count(),
            page.matches("</details>").count()
        );
        assert!(drawn("why", sum, "s.png").starts_with(b"\x89PNG"));
        assert!(drawn("why", sum, "s.pdf").starts_with(b"%PDF"));
    }

    #[test]
    fn a_thermograph_is_drawn() {
        let svg = drawn("thermograph", "{4||2|-1}", "t.svg");
        let svg = String::from_utf8(svg).unwrap();
        assert!(svg.contains("mean 9/4") && svg.contains(">7/4<"), "{svg}");
        assert!(drawn("thermograph", "3", "t.png").starts_with(b"\x89PNG"));
        let output = run(program().args(["thermograph", "3", "-o", "t.dot"]));
        assert!(
            output.err.contains("this picture cannot be drawn as DOT"),
            "{}",
            output.err
        );
        let output = run(program().args(["why", "3", "-o", "picture"]));
        assert!(output.err.contains("; use svg, png"), "{}", output.err);
    }
}

mod databases {
    use super::*;
    use std::path::Path;
    use std::time::Duration;

    fn create(file: &Path, request: &str) -> Command {
        let mut command = program();
        command.args(["sums", "db", "create"]).arg(file);
        command.args(["--threads", "1", "--game", request]);
        command
    }

    #[test]
    fn a_database_is_created_read_and_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("strips.db");
        let made = run(&mut create(&file, "clobber_1xn=6"));
        assert_eq!(made.code, Some(0), "{}", made.err);
        let about =
            |args: &[&str]| run(program().args(["sums", "db", "info"]).arg(&file).args(args));
        assert!(about(&[]).out.contains("all checksums valid"));
        let known = about(&["--json", "--of", "clobber_1xn XXO"]);
        assert_eq!(json(&known)["value"], "^");
        let unknown = about(&["--of", "clobber_1xn XXOXXOXXO"]);
        assert_eq!(unknown.code, Some(1));
        assert!(unknown.out.ends_with("not found\n"), "{}", unknown.out);
        // It is used when it is named, and when it is in the usual place.
        let sum = "clobber_1xn XOXOX.XXOXO";
        let nodes = |output: &Output| json(output)["questions"][0]["stats"]["components"].clone();
        let solve = |command: &mut Command| run(command.args(["solve", "--json", sum]));
        let plain = solve(&mut program());
        let named = run(program().args(["solve", "--json", sum, "--db"]).arg(&file));
        let usual = solve(program().env("GAMETREE_SUMS_DB", &file));
        let refused = run(program()
            .env("GAMETREE_SUMS_DB", &file)
            .args(["solve", "--json", "--no-db", sum]));
        assert_eq!(nodes(&named), nodes(&usual));
        assert_eq!(nodes(&plain), nodes(&refused));
        assert_ne!(nodes(&plain), nodes(&usual));
        for output in [named, usual, refused] {
            assert_eq!(json(&output)["outcome"], json(&plain)["outcome"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn killed_work_continues() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, killed] = ["whole.db", "killed.db"].map(|name| folder.path().join(name));
        let journal = folder.path().join("killed.db.part");
        let request = "nogo_1xn=9";
        assert_eq!(run(&mut create(&whole, request)).code, Some(0));
        let mut child = create(&killed, request)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Killed, without warning, as soon as there is something in the journal.
        while fs::metadata(&journal).map_or(0, |about| about.len()) < 1000
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let again = run(&mut create(&killed, request));
        assert_eq!(again.code, Some(0), "{}", again.err);
        assert!(!journal.exists());
        assert_eq!(fs::read(whole).unwrap(), fs::read(killed).unwrap());
    }

    #[test]
    fn a_bad_database_is_reported_and_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("good.db");
        run(&mut create(&good, "clobber_1xn=5"));
        let bytes = fs::read(&good).unwrap();
        let mut newer = bytes.clone();
        newer[8] = 77;
        let mut turned = bytes.clone();
        turned[8..12].reverse();
        // The outcome of the component that will be asked for.
        let mut damaged = bytes.clone();
        let place = bytes.windows(5).position(|five| five == b"OXOXX").unwrap() + 5;
        damaged[place] ^= 1;
        for (bytes, complaint) in [
            (
                &bytes[..bytes.len() / 2],
                "the database is truncated or damaged; solving without it",
            ),
            (
                &newer[..],
                "the database has format 77, this program reads 2; solving",
            ),
            (
                &turned[..],
                "the database has the wrong byte order; solving",
            ),
            (&b"not at all"[..], "not a database of components; solving"),
            (
                &damaged[..],
                "the database is damaged; the damaged entries were not used",
            ),
        ] {
            let bad = folder.path().join("bad.db");
            fs::write(&bad, bytes).unwrap();
            let output = run(program()
                .args(["outcome", "clobber_1xn XXOXO", "--db"])
                .arg(&bad));
            assert_eq!(
                (output.code, output.out.as_str()),
                (Some(0), "N: the first player wins\n")
            );
            assert!(output.err.contains(complaint), "{}", output.err);
            let info = run(program().args(["sums", "db", "info"]).arg(&bad));
            assert_eq!(info.code, Some(2));
        }
        let missing = run(program().args(["outcome", "1", "--db", "there-is-none.db"]));
        assert_eq!(missing.code, Some(2));
        assert!(missing.err.contains("there-is-none.db: no such file"));
    }

    #[test]
    fn impossible_requests_are_refused() {
        for (request, complaint) in [
            ("chess=3", "unknown game 'chess'"),
            ("clobber", "missing size in 'clobber'"),
            ("clobber=ax3", "invalid size 'ax3'"),
            ("clobber=9x9", "boards of clobber of this size"),
            ("sheep=3x3", "cannot be listed"),
        ] {
            let output = run(program().args(["sums", "db", "create", "x.db", "--game", request]));
            assert_eq!(output.code, Some(2), "{request}");
            assert!(
                output.err.contains(complaint) && output.err.contains("help:"),
                "{}",
                output.err
            );
        }
    }
}

mod bad_input {
    use super::*;

    #[test]
    fn faults_have_line_and_caret() {
        let output = on("solve", "clobber XO + clobber XZ");
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""));
        let drawn = "line 1, column 23: clobber: 'Z' is not a cell: expected '.', 'X' or 'O'\n  clobber XO + clobber XZ\n                        ^";
        assert!(output.err.contains(drawn), "{}", output.err);
    }

    #[test]
    fn one_bad_sum_does_not_stop_the_others() {
        let output = gametree("solve -f testdata/sums/faulty.test");
        assert_eq!(output.code, Some(2));
        assert_eq!(
            output.out.matches("as expected").count(),
            2,
            "{}",
            output.out
        );
        for place in [
            "line 3,", "line 4,", "line 5,", "line 6,", "line 7,", "line 8,", "line 10,",
        ] {
            assert!(output.err.contains(place), "{place}: {}", output.err);
        }
        assert!(
            output.err.contains("testdata/sums/faulty.test, line 3"),
            "{}",
            output.err
        );
    }

    #[test]
    fn inputs_that_break_other_solvers_are_answered() {
        for text in [
            "[integer_game] 2000000000 2000000000 -2000000000 -2000000000 [up_star] * {B win}",
            "[impartial integer_game] 100000 {N}",
            "[integer_game] 99999999999999999999 {B win, W loss}",
            "[integer_game] 300000 -300000 {B loss}",
            "[kayles] 2000000000 {N}",
            "[nimber] 5000 [kayles] 30 {B win}",
            "[kayles] 5000 {N}",
            "{version 1.7} {B loss}",
        ] {
            let output = on("solve --time 20", text);
            assert_eq!(output.code, Some(0), "{text}: {}{}", output.out, output.err);
        }
    }

    #[test]
    fn invalid_sums_are_refused() {
        for text in [
            "[clobber_1xn XO {B}",
            "[clobber_1xn] XO {B",
            "[clobber_1xn] /* XO {B}",
            "[clobber_1xn] XO {N}",
            "[switch_game] (1, 2, 3) {B}",
            "[gen_toads] X..O {B}",
            "[clobber_1xn] XO {B,}",
            "[nosuch] 3 {B}",
            "XO {B}",
            "[dyadic_rational] 1/3 {B}",
            "[dyadic_rational] 1/0 {B}",
            "[up_star] () {B}",
            "[nimber] -5 {N}",
            "[nimber] 99999999999999999999 {N}",
            "[clobber] XO|X {B}",
            "[clobber_1xn] XO",
            "",
            "1 +",
            "{1|",
            "nosuch 3",
            "99999*clobber XO",
        ] {
            let output = on("solve", text);
            assert_eq!(output.code, Some(2), "{text}: {}{}", output.out, output.err);
            assert!(output.err.starts_with("error: "), "{text}: {}", output.err);
        }
    }

    #[test]
    fn unknown_options_are_named() {
        let output = gametree("outcome --tset");
        assert_eq!(output.code, Some(2));
        assert!(
            output.err.contains("unknown option --tset"),
            "{}",
            output.err
        );
    }
}

mod other_questions {
    use super::*;

    #[test]
    fn outcomes() {
        for (sum, letter) in [
            ("clobber XXO", "L"),
            ("-clobber XXO", "R"),
            ("*2", "N"),
            ("* + nimber 1", "P"),
        ] {
            let output = on("outcome", sum);
            assert_eq!(output.code, Some(0), "{}", output.err);
            assert!(
                output.out.starts_with(&format!("{letter}: ")),
                "{sum}: {}",
                output.out
            );
        }
        assert_eq!(json(&on("outcome --json", "^"))["outcome"], "L");
    }

    #[test]
    fn comparisons() {
        let compare = |left: &str, right: &str| run(program().args(["compare", left, right]));
        assert!(compare("domineering ..|..", "+-1").out.starts_with("=:"));
        assert!(compare("clobber XXO", "*").out.starts_with("||:"));
        assert!(compare("1/2", "3/4").out.starts_with("<:"));
        assert_eq!(on("compare", "clobber XXO > 0").code, Some(0));
        assert_eq!(on("compare", "clobber XXO < 0").code, Some(1));
        assert!(
            on("compare", "clobber XXO")
                .err
                .contains("no second sum to compare with")
        );
        let typed = gametree_on(b"clobber XXO\n", "compare - ^");
        assert!(typed.out.starts_with("=:"), "{}", typed.err);
    }

    #[test]
    fn moves_with_their_results() {
        let output = on("moves --json", "nimber 3 + nimber 5");
        let moves = json(&output)["moves"].as_array().unwrap().clone();
        let winning: Vec<String> = moves
            .iter()
            .filter(|mv| mv["wins"] == true)
            .map(|mv| {
                format!(
                    "{} {}",
                    mv["player"].as_str().unwrap(),
                    mv["move"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(winning, ["Left 1:*3", "Right 1:*3"]);
        assert_eq!(moves.len(), 16);
        let legal = on("moves --legal --player right", "clobber XO");
        assert_eq!(legal.out, "Right: 1 move\n  b1-a1  clobber O.\n");
        assert!(
            on("moves", "kayles 2000000000")
                .err
                .contains("too large to list its moves")
        );
    }

    #[test]
    fn bounds_on_three_scales() {
        let output = on("bounds", "clobber XXOXXO");
        assert_eq!(
            output.out,
            "ups           G = ^\nups and star  v* < G < ^3*\nnumbers       0 < G < 1/4\n"
        );
        let eighths = on(
            "bounds --scale numbers --step 1/8 --from -2 --to 3",
            "domineering ...|...",
        );
        assert_eq!(eighths.out, "numbers       -5/8 < G < 17/8\n");
        assert!(
            on("bounds --step 0", "1")
                .err
                .contains("use a positive --step")
        );
        assert!(
            on("bounds --from 2 --to 1", "1")
                .err
                .contains("--from is greater than --to")
        );
    }

    #[test]
    fn values() {
        let value = json(&on("value --json", "domineering ...|..."));
        for (name, text) in [
            ("value", "{2|-1/2}"),
            ("outcome", "N"),
            ("left_stop", "2"),
            ("right_stop", "-1/2"),
            ("mean", "3/4"),
            ("temperature", "5/4"),
        ] {
            assert_eq!(value[name], text, "{name}");
        }
        let too_much = on(
            "value --memory 1M --time 20",
            "amazons X....|.....|.....|.....|....O",
        );
        assert_eq!(too_much.code, Some(1), "{}", too_much.out);
        assert!(
            too_much.err.contains("not solved within the memory limit"),
            "{}",
            too_much.err
        );
    }

    #[test]
    fn thermographs_as_text_corners_and_pictures() {
        let corners = json(&on("thermograph --json", "switch_game (3, -1)"));
        assert_eq!(
            corners["left_wall"],
            serde_json::json!([["4", "-1"], ["1", "2"]])
        );
        assert_eq!(
            (&corners["mean"], &corners["temperature"]),
            (&"1".into(), &"2".into())
        );
        let drawn = on("thermograph", "{4||2|-1}");
        assert!(
            drawn.out.contains("mean 9/4, temperature 7/4"),
            "{}",
            drawn.out
        );
        let folder = tempfile::tempdir().unwrap();
        let picture = folder.path().join("t.svg");
        let output = run(program()
            .args(["thermograph", "{4||2|-1}", "-o"])
            .arg(&picture));
        assert_eq!(
            (output.code, output.out.as_str()),
            (Some(0), ""),
            "{}",
            output.err
        );
        assert!(fs::read_to_string(picture).unwrap().starts_with("<svg"));
    }
}

mod suites {
    use super::*;

    #[test]
    fn a_folder_passes() {
        let output = gametree("solve --test testdata/sums/suite --json");
        assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
        let summary = json(&output);
        assert_eq!(
            (&summary["passed"], &summary["failed"], &summary["timeout"]),
            (&18.into(), &0.into(), &0.into()),
            "{}",
            output.out
        );
        assert_eq!(summary["completed"], 4);
    }

    #[test]
    fn failures_and_time_outs_are_reported() {
        let output = gametree("solve --test testdata/sums/wrong.test --nodes 10");
        assert_eq!(output.code, Some(1), "{}", output.err);
        assert!(
            output
                .out
                .contains("wrong.test 0: clobber_1xn XO {B}: win, expected loss"),
            "{}",
            output.out
        );
        assert!(
            output.out.contains("1 passed, 1 failed, 1 given up"),
            "{}",
            output.out
        );
    }

    #[test]
    fn what_cannot_be_read_is_status_2() {
        let output = gametree("solve --test testdata/sums/faulty.test --json");
        assert_eq!(output.code, Some(2));
        assert_eq!(json(&output)["faults"], 8, "{}", output.err);
        assert_eq!(gametree("solve --test testdata/none").code, Some(2));
        assert_eq!(gametree("solve --test docs").code, Some(2));
    }

    #[test]
    fn tables_pages_and_earlier_runs() {
        let folder = tempfile::tempdir().unwrap();
        let [before, now, page] =
            ["before.csv", "now.csv", "page.html"].map(|name| folder.path().join(name));
        let test = |more: &[&std::ffi::OsStr]| {
            run(program()
                .args(["solve", "--test", "testdata/sums/wrong.test"])
                .args(more))
        };
        test(&[
            "--nodes".as_ref(),
            "10".as_ref(),
            "--csv".as_ref(),
            before.as_ref(),
        ]);
        let table = fs::read_to_string(&before).unwrap();
        assert!(
            table.starts_with("File,Case,Games,Player,Expected Result,Result,Time (ms),Status,"),
            "{table}"
        );
        assert!(
            table.contains("wrong.test,0,clobber_1xn XO,B,loss,win,"),
            "{table}"
        );
        let output = test(&[
            "--csv".as_ref(),
            now.as_ref(),
            "--html".as_ref(),
            page.as_ref(),
            "--compare".as_ref(),
            before.as_ref(),
        ]);
        assert!(
            output.out.contains("newly passing: 1\n  wrong.test 2 W"),
            "{}{}",
            output.out,
            output.err
        );
        let page = fs::read_to_string(&page).unwrap();
        assert!(
            page.contains("\"before\":{\"status\":\"TIMEOUT\"") && !page.contains("src=\"http"),
            "{page}"
        );
    }

    #[test]
    fn an_invalid_table_is_refused() {
        let output = gametree("solve --test testdata/sums/suite --compare README.md");
        assert_eq!(output.code, Some(2));
        assert!(
            output.err.contains("the table has no column"),
            "{}",
            output.err
        );
    }
}

mod why {
    use super::*;

    #[test]
    fn the_strategy_stands_in_the_table() {
        let output = on("why --columns 80", "clobber_1xn XOXOXOXO");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(
            output
                .out
                .starts_with("clobber_1xn XOXOXOXO · Left moves first, Left wins · "),
            "{}",
            output.out
        );
        assert!(output.out.contains("      Left"), "{}", output.out);
        assert!(output.out.contains("Left wins\n"), "{}", output.out);
    }

    #[test]
    fn the_loser_has_every_move_and_the_winner_one() {
        let strategy = json(&on(
            "why --json --first right",
            "domineering ...|... + nimber 2",
        ));
        assert_eq!(strategy["verified"], true);
        let winner = strategy["winner"].as_str().unwrap();
        let nodes = strategy["nodes"].as_array().unwrap();
        for (at, node) in nodes.iter().enumerate() {
            let children: Vec<&Value> =
                nodes.iter().filter(|child| child["parent"] == at).collect();
            if children.iter().any(|child| child["player"] == winner) {
                assert_eq!(children.len(), 1, "{node}");
            }
        }
    }

    #[test]
    fn places_are_moves_and_addresses() {
        let table = on("why", "clobber_1xn XOXOXO");
        let address = run(program().args(["why", "clobber_1xn XOXOXO", "--at", "1Lb"]));
        assert_eq!(address.code, Some(0), "{}", address.err);
        assert_ne!(address.out, table.out);
        let none = run(program().args(["why", "clobber_1xn XOXOXO", "--at", "7-8"]));
        assert_eq!(none.code, Some(2));
        assert!(
            none.err
                .contains("no move or address 7-8 here; the moves are: "),
            "{}",
            none.err
        );
    }

    #[test]
    fn too_large_strategies_are_reported() {
        let output = on("why --max-moves 5", "clobber_1xn XOXOXO");
        assert_eq!(output.code, Some(1));
        assert!(output.err.contains("more than 5 moves"), "{}", output.err);
        assert!(
            output.err.contains("use a larger --max-moves"),
            "{}",
            output.err
        );
    }
}

mod play {
    use super::*;

    fn play(input: &str, args: &[&str]) -> Output {
        let folder = tempfile::tempdir().unwrap();
        let typed = folder.path().join("typed");
        fs::write(&typed, input).unwrap();
        let stdin = fs::File::open(typed).unwrap();
        run(program().arg("play").args(args).stdin(stdin))
    }

    #[test]
    fn a_whole_game_from_a_script() {
        let output = play("1:*3\n*2\n*1\n0:*0\n", &["nimber 3 + nimber 5"]);
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(
            output.out.starts_with(
                "nimber 3 + nimber 5; Left (you) to move\nLeft plays 1:*3: nimber 3 + nimber 3\n"
            ),
            "{}",
            output.out
        );
    }

    #[test]
    fn the_solver_wins_won_positions() {
        let output = play(
            "hint\n",
            &["clobber_1xn XOXOXOXO", "--you", "right", "--first", "left"],
        );
        assert!(output.out.contains("Left plays "), "{}", output.out);
        assert!(output.out.contains("no move wins"), "{}", output.out);
    }

    #[test]
    fn moves_are_taken_back_and_logged() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("game.txt");
        let output = play(
            "undo\n9-9\n1-2\nundo\nlog\nmoves\nquit\n",
            &["clobber_1xn XOXO", "--log", log.to_str().unwrap()],
        );
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(
            output.err.contains("no move of yours to take back"),
            "{}",
            output.err
        );
        assert!(output.err.contains("no move 9-9"), "{}", output.err);
        assert!(output.out.contains("1-2 3-2 3-4"), "{}", output.out);
        assert_eq!(fs::read_to_string(log).unwrap(), "clobber_1xn XOXO\n");
    }
}

mod help_and_exit_codes {
    use super::*;

    const COMMANDS: [&str; 9] = [
        "solve",
        "outcome",
        "moves",
        "compare",
        "bounds",
        "value",
        "thermograph",
        "why",
        "play",
    ];

    /// The words of a line of a shell; text after two blanks is a remark.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut quoted, mut blanks) = (vec![String::new()], false, 0);
        for letter in line.trim().chars() {
            match letter {
                '\'' => quoted = !quoted,
                ' ' if !quoted && blanks == 1 => break,
                ' ' if !quoted => {
                    blanks = 1;
                    words.push(String::new());
                    continue;
                }
                _ => words.last_mut().unwrap().push(letter),
            }
            blanks = 0;
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_example_of_help_is_understood() {
        let mut tried = 0;
        for command in COMMANDS {
            let help = gametree(&format!("{command} --help")).out;
            let examples = help.lines().filter(|line| line.starts_with("  gametree "));
            // Commands that need files or much time are tested elsewhere.
            let short = examples.filter(|line| {
                ![
                    " -f",
                    "--test",
                    "--time",
                    "--save",
                    " -o",
                    "--log",
                    ".db",
                    " db create",
                ]
                .iter()
                .any(|option| line.contains(option))
            });
            for example in short {
                let line = example
                    .split(" | jq")
                    .next()
                    .unwrap()
                    .split(" > ")
                    .next()
                    .unwrap();
                let words = words(line);
                let output = run(program().args(&words[1..]));
                assert!(
                    matches!(output.code, Some(0 | 1)),
                    "{example}: {}",
                    output.err
                );
                assert!(!output.err.contains("error"), "{example}: {}", output.err);
                tried += 1;
            }
        }
        assert!(tried > 20, "{tried}");
    }

    #[test]
    fn unwritable_outputs_are_refused_before_the_work() {
        for options in ["solve --save none/x", "solve --save ."] {
            let output = on(options, "domineering 12x12");
            assert_eq!(
                (output.code, output.out.as_str()),
                (Some(2), ""),
                "{}",
                output.err
            );
        }
        for command in [
            "why -o none/x.svg",
            "thermograph -o none/x.svg",
            "play --log none/x",
        ] {
            let output = on(command, "domineering 12x12");
            assert_eq!(
                (output.code, output.out.as_str()),
                (Some(2), ""),
                "{}",
                output.err
            );
        }
        let output = on("why -o x.xyz", "domineering 12x12");
        assert!(output.err.contains("dot or html"), "{}", output.err);
        for options in [
            "--csv none/x.csv",
            "--html none/x.html",
            "--compare none.csv",
        ] {
            let output = gametree(&format!("solve --test testdata/sums/suite {options}"));
            assert_eq!(
                (output.code, output.out.as_str()),
                (Some(2), ""),
                "{}",
                output.err
            );
        }
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        for options in ["--csv x.csv", "--html x.html", "--compare x.csv"] {
            let output = on(&format!("solve {options}"), "*");
            assert_eq!(output.code, Some(2), "{options}");
            assert!(output.err.contains("--test DIR"), "{}", output.err);
        }
        for options in ["--save x", "--resume x", "--stats"] {
            let output = gametree(&format!("solve --test testdata/sums/suite {options}"));
            assert_eq!(output.code, Some(2), "{options}");
        }
    }

    #[test]
    fn a_suite_is_verified_too() {
        let output = gametree("solve --test testdata/sums/suite/strips.test --verify --json");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(json(&output)["minimax"]["differs"], 0);
        assert!(
            json(&output)["minimax"]["agrees"].as_u64() > Some(5),
            "{}",
            output.out
        );
    }

    #[test]
    fn changed_answers_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let before = folder.path().join("before.csv");
        let suite = ["solve", "--test", "testdata/sums/suite/strips.test"];
        run(program().args(suite).arg("--csv").arg(&before));
        let compare = || run(program().args(suite).arg("--compare").arg(&before));
        assert_eq!(compare().code, Some(0));
        let table = fs::read_to_string(&before).unwrap();
        // Without an expected answer, another program may give a different one.
        fs::write(
            &before,
            table
                .replace("W,,win", "W,,Loss")
                .replace("B,,win", "B,,Win"),
        )
        .unwrap();
        let output = compare();
        assert_eq!(output.code, Some(1), "{}", output.out);
        assert!(
            output
                .out
                .contains("with another result: 1\n  strips.test 6 W"),
            "{}",
            output.out
        );
    }

    #[test]
    fn a_table_on_standard_output_stands_alone() {
        let output = gametree("solve --test testdata/sums/suite/strips.test --csv -");
        assert!(
            output
                .out
                .lines()
                .last()
                .unwrap()
                .starts_with("strips.test,7,"),
            "{}",
            output.out
        );
    }

    #[test]
    fn nothing_is_no_sum() {
        for command in [
            "solve", "outcome", "value", "moves", "bounds", "why", "play",
        ] {
            let output = on(command, " ");
            assert_eq!(output.code, Some(2), "{command}");
            assert!(output.err.contains("no sum "), "{command}: {}", output.err);
        }
        assert_eq!(on("compare", "").code, Some(2));
        assert_eq!(run(program().args(["compare", "", "0"])).code, Some(2));
    }

    #[test]
    fn huge_values_are_counted() {
        let found = json(&on("value --json", "snort path20"));
        assert!(found["value"].is_null() && found["length"].as_u64() > Some(1_000_000));
        let output = on("value", "snort path20");
        assert!(
            output
                .out
                .starts_with("value         too long to write: 1,"),
            "{}",
            output.out
        );
    }

    #[test]
    fn one_sum_is_one_sum() {
        for (command, text) in [("outcome -", "*\n*2\n"), ("compare -", "1 < 2\n3 < 2\n")] {
            let output = gametree_on(text.as_bytes(), command);
            assert_eq!(output.code, Some(2), "{command}: {}", output.out);
            assert!(output.err.contains("solve -f"), "{command}: {}", output.err);
        }
    }

    #[test]
    fn files_from_elsewhere() {
        let marked = gametree_on(b"\xef\xbb\xbfclobber XO\r\n*2\r\n", "solve");
        assert_eq!(marked.code, Some(0), "{}", marked.err);
        let zero = gametree_on(b"{B loss}", "solve");
        assert_eq!(zero.code, Some(0), "{}", zero.err);
        let binary = gametree_on(b"clobber XO\n\0\x1b[2J\nclobber X\n", "solve");
        assert_eq!((binary.code, binary.out.as_str()), (Some(2), ""));
        assert!(!binary.err.contains('\u{1b}'), "{}", binary.err);
        let wrong = "\u{7}nonsense\n".repeat(500);
        let many = gametree_on(wrong.as_bytes(), "solve");
        assert!(many.err.contains("480 more faults"), "{}", many.err);
        assert!(!many.err.contains('\u{7}'));
    }

    #[test]
    fn printed_sums_can_be_read_again() {
        for sum in [
            "switch_game (3, -1/2)",
            "impartial switch_game (2, 1)",
            "kayles 5",
            "octal 4.07:6",
            "impartial clobber XO.|OX.",
            "gen_king_dirt 1,1,1:.",
            "sheep (3 0|0 -3)",
            "toppling_dominoes XO#",
            "hackenbush 0-1L,1-2R,1-3E,3-0R",
            "col path4",
            "{0,*|^3}",
        ] {
            let output = on("moves --json", sum);
            for mv in json(&output)["moves"].as_array().unwrap() {
                let result = mv["result"].as_str().unwrap();
                let outcome = json(&on("outcome --json", result))["outcome"].clone();
                let good = if mv["player"] == "Left" {
                    ["L", "P"]
                } else {
                    ["R", "P"]
                };
                let wins = good.iter().any(|class| outcome == *class);
                assert_eq!(mv["wins"], wins, "{sum}: {result} is {outcome}");
            }
        }
    }

    #[test]
    fn a_huge_heap_is_given_up_in_time() {
        let output = on("solve --nodes 100", "octal 0.007:200000");
        assert_eq!(output.code, Some(1), "{}", output.err);
    }
}
