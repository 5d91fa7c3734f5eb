//! The built program: `query`, `cql`, `debug` and `audit --where`.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Output, gametree_on, program, root, run};
use serde_json::Value;

const GAMES: &str = "examples/games.pgn";

/// A folder that goes away again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("gametree-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Runs the program with words that may hold blanks.
fn gametree(args: &[&str]) -> Output {
    run(program().args(args))
}

/// The same in a folder.
fn gametree_in(folder: &Folder, args: &[&str]) -> Output {
    run(program().current_dir(&folder.0).args(args))
}

fn games() -> String {
    root().join(GAMES).display().to_string()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

mod query {
    use super::*;

    #[test]
    fn counts_lists_and_objects_agree() {
        let count = gametree(&["query", "--count", "mate", GAMES]);
        assert_eq!(
            (count.out.as_str(), count.code),
            ("11 games, 11 positions\n", Some(0))
        );
        let list = gametree(&["query", "--list", "--quiet", "mate", GAMES]);
        assert_eq!(list.out.lines().count(), 11);
        let first: Vec<&str> = list.out.lines().next().unwrap().split('\t').collect();
        assert_eq!(first[..2], [GAMES, "1"]);
        assert!(first[2].ends_with("17.Rd8#"));
        let objects = gametree(&["query", "--json", "--quiet", "mate", GAMES]);
        let objects: Vec<Value> = objects
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(objects.len(), 11);
        assert_eq!(objects[0]["path"], first[2]);
        assert_eq!(objects[0]["fen"], first[3]);
        let fens = gametree(&["query", "--fen", "--quiet", "mate", GAMES]);
        assert_eq!(fens.out.lines().next().unwrap(), first[3]);
        let json = gametree(&["query", "--count", "--json", "mate", GAMES]);
        let json: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(
            (&json["games"], &json["positions"]),
            (&11.into(), &11.into())
        );
        assert_eq!(json["game_numbers"].as_array().unwrap().len(), 11);
    }

    #[test]
    fn first_and_limit_cut_the_answer() {
        let first = gametree(&["query", "--count", "--first", "check", GAMES]);
        let (games, positions) = first.out.trim().split_once(", ").unwrap();
        let number = |text: &str| text.split(' ').next().unwrap().to_owned();
        assert_eq!(number(games), number(positions));
        let limit = gametree(&["query", "--list", "--quiet", "--limit", "2", "mate", GAMES]);
        assert_eq!(limit.out.lines().count(), 2);
    }

    #[test]
    fn a_file_of_its_own_and_standard_input() {
        let folder = Folder::new("query-file");
        let query = folder.file("mate.cql", "cql(quiet)\n// the end\nmate\n");
        let output = gametree(&["query", "-f", query.to_str().unwrap(), "--count", GAMES]);
        assert_eq!(output.out, "11 games, 11 positions\n");
        let text = fs::read(root().join(GAMES)).unwrap();
        let output = gametree_on(&text, "query --count mate -");
        assert_eq!(output.out, "11 games, 11 positions\n");
    }

    #[test]
    fn games_carry_the_comments() {
        let folder = Folder::new("query-games");
        let out = folder.0.join("out.pgn");
        let query = "mate comment(\"in \" ply \" plies\")";
        let output = gametree(&["query", query, GAMES, "-o", out.to_str().unwrap()]);
        assert_eq!(output.code, Some(0));
        let text = read(&out);
        assert!(text.contains("{ Game number 1 }"));
        assert!(text.contains("17. Rd8# { CQL in 33 plies } 1-0") || text.contains("in 33 plies"));
        assert_eq!(text.matches("[Event ").count(), 11);
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let many: Vec<&str> = [GAMES; 40].to_vec();
        let on = |threads: &str| {
            let mut args = vec![
                "query",
                "--threads",
                threads,
                "sort \"length\" ply mate persistent mates+=1",
            ];
            args.extend(&many);
            let output = gametree(&args);
            (output.out, output.err)
        };
        assert_eq!(on("1"), on("2"));
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let output = gametree(&["query", "stalmate or #K attacks 3", GAMES]);
        assert_eq!(output.code, Some(2));
        assert_eq!(output.out, "");
        assert!(output.err.contains("did you mean ‘stalemate’?"));
        assert!(output.err.contains("must be a set of squares"));
    }

    #[test]
    fn the_tree_without_variations_gets_a_hint() {
        let output = gametree(&["query", "--count", "depth > 0", GAMES]);
        assert!(output.err.contains("--variations"));
        let output = gametree(&["query", "--count", "--variations", "depth > 0", GAMES]);
        assert!(!output.err.contains("--variations"));
        assert!(!output.out.starts_with("0 games"));
    }

    #[test]
    fn the_query_may_come_from_standard_input() {
        let output = gametree_on(b"mate", &format!("query --count -f - {GAMES}"));
        assert_eq!(
            output.out,
            gametree(&["query", "--count", "mate", GAMES]).out
        );
    }

    #[test]
    fn endless_loops_are_given_up() {
        let output = gametree(&["query", "--count", "--steps", "1000", "loop true", GAMES]);
        assert!(output.err.contains("given up"), "{}", output.err);
        assert_eq!(output.out, "0 games, 0 positions\n");
        assert_eq!(output.code, Some(2), "all of the first ten games");
    }

    #[test]
    fn a_game_given_up_exits_with_status_1() {
        let query = "gamenumber == 3 loop true";
        let output = gametree(&["query", "--count", "--steps", "1000", query, GAMES]);
        assert_eq!(output.code, Some(1), "{}", output.err);
        assert!(
            output
                .err
                .contains("1 game given up after too many steps (number 3)")
        );
        assert!(output.err.contains("--steps N allows more"));
    }

    #[test]
    fn persistent_variables_that_grow_too_large_end_the_search() {
        let folder = Folder::new("persistent");
        let games = folder.file("games.pgn", &"[Event \"E\"]\n\n1. e4 *\n\n".repeat(9000));
        let in_parallel = "dictionary D D[str(gamenumber ply)] = fen";
        let in_order = "dictionary D not D[str(gamenumber)] D[str(gamenumber ply)] = fen";
        for query in [in_parallel, in_order] {
            let output = run(program()
                .args(["query", "--count", "--memory", "1M", query])
                .arg(&games));
            assert_eq!(output.code, Some(2), "{query}: {}", output.err);
            let message = "the persistent variables need too much memory";
            assert!(output.err.contains(message), "{query}: {}", output.err);
            assert!(output.err.contains("--memory BYTES allows more"));
        }
    }

    #[test]
    fn suspicious_conditions_get_a_warning() {
        let output = gametree(&["query", "--count", "K e4", GAMES]);
        assert_eq!(output.code, Some(0));
        assert!(
            output
                .err
                .starts_with("warning: ‘K’ and ‘e4’ are two conditions")
        );
        assert!(output.err.contains("did you mean ‘Ke4’?"), "{}", output.err);
        let output = gametree(&["query", "--count", "isolated pawn", GAMES]);
        assert!(output.err.contains("did you mean ‘isolatedpawns’?"));
    }

    #[test]
    fn a_piece_variable_without_a_value_is_reported() {
        let query = "(if false piece x = K) x attacks k";
        let output = gametree(&["query", "--count", query, GAMES]);
        assert_eq!(output.out, "0 games, 0 positions\n");
        assert!(
            output
                .err
                .contains("variable ‘x’ has no value where it is read")
        );
        let output = gametree(&["query", "--count", "--dialect", "cql62", query, GAMES]);
        assert_eq!(output.code, Some(2), "as in CQL 6.2");
    }

    #[test]
    fn a_query_that_never_ends_is_given_up_after_ten_games() {
        let folder = Folder::new("endless");
        let games = folder.file("games.pgn", &"[Event \"E\"]\n\n1. e4 *\n\n".repeat(500));
        let out = folder.file("out.pgn", "kept");
        let output = run(program()
            .args(["query", "--steps", "1000", "ply == 1 or loop true"])
            .args([&games, Path::new("-o"), &out]));
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("10 games given up"), "{}", output.err);
        assert!(
            output
                .err
                .contains("10 games were given up; the search ended"),
            "{}",
            output.err
        );
        assert_eq!(fs::read_to_string(out).unwrap(), "kept");
    }

    #[test]
    fn ctrl_c_is_noticed_in_the_middle_of_a_game() {
        let folder = Folder::new("interrupt");
        let begun = folder.0.join("begun.txt");
        let query = format!("pipe(\"touch {}\" \"\") == \"\" loop true", begun.display());
        let child = program()
            .args(["query", "--count", "--steps", &u64::MAX.to_string()])
            .arg("--allow-programs")
            .args([&query, GAMES])
            .spawn()
            .unwrap();
        while !begun.exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    }

    #[test]
    fn a_failed_assert_ends_the_search() {
        let output = gametree(&["query", "--count", "assert ply < 10", GAMES]);
        assert_eq!(output.code, Some(2));
        assert!(
            output
                .err
                .contains("game 1: assertion failed: assert ply < 10")
        );
    }

    #[test]
    fn without_query_or_files_the_fix_is_named() {
        let output = gametree(&["query"]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("gametree query 'QUERY' FILES"));
        let output = gametree(&["query", "mate"]);
        assert!(output.err.contains("name PGN files"));
        let output = gametree(&["query", GAMES]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("no query:"), "{}", output.err);
        assert!(output.err.contains("gametree query 'QUERY' FILES"));
    }

    #[test]
    fn a_query_file_in_place_of_a_query_gets_a_hint() {
        let output = gametree(&["query", "mates.cql", GAMES]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("use -f FILE"), "{}", output.err);
        let output = gametree(&["query", "mates.", GAMES]);
        assert!(!output.err.contains("use -f FILE"), "{}", output.err);
    }

    #[test]
    fn explain_shows_the_plan() {
        let output = gametree(&["query", "--explain", "year > 1900 mate"]);
        assert!(output.out.contains("only positions without a next move"));
    }

    #[test]
    fn the_repl_goes_on_after_a_mistake() {
        let output = gametree_on(
            b"mate\nstalmate\nvariations on\ndepth > 0\nhelp\nquit\n",
            &format!("query --repl {GAMES}"),
        );
        assert_eq!(output.code, Some(0));
        assert!(output.out.contains("11 games, 11 positions"));
        assert!(output.err.contains("did you mean ‘stalemate’?"));
        assert!(output.out.contains("Type a query"));
        assert!(
            output
                .out
                .lines()
                .filter(|line| line.contains(" – "))
                .count()
                > 10
        );
    }
}

mod outside {
    use super::*;

    #[test]
    fn files_are_read_and_written() {
        let folder = Folder::new("query-files");
        folder.file("names.txt", "Morphy, Paul\n");
        let query = "initial player white in readfile \"names.txt\" writefile(\"found.txt\" str(gamenumber \\n))";
        let args = ["query", "--count", "--allow-files", ".", query, &games()];
        let output = gametree_in(&folder, &args);
        assert_eq!(output.out, "1 game, 1 position\n", "{}", output.err);
        assert_eq!(read(&folder.0.join("found.txt")), "1\n");
    }

    #[test]
    fn files_are_refused_before_any_game_is_read() {
        let folder = Folder::new("query-refused");
        for query in ["mate outputfile \"a.pgn\"", "writefile(\"a.txt\" fen)"] {
            for command in ["query", "cql"] {
                folder.file("q.cql", query);
                let output = match command {
                    "query" => gametree_in(&folder, &["query", query, "missing.pgn"]),
                    _ => gametree_in(&folder, &["cql", "-i", "missing.pgn", "q.cql"]),
                };
                assert_eq!(output.code, Some(2));
                assert!(
                    output
                        .err
                        .contains("writes files, which this query may not do")
                );
                assert!(output.err.contains("^^^"), "{}", output.err);
                assert!(output.err.contains("--allow-files DIR"), "{}", output.err);
            }
        }
        assert!(!folder.0.join("a.pgn").exists());
    }

    #[test]
    fn files_outside_the_directory_stay_as_they_were() {
        let folder = Folder::new("query-escape");
        let victim = folder.file("victim.pgn", "kept");
        folder.file("victim.txt", "kept");
        fs::create_dir(folder.0.join("dir")).unwrap();
        std::os::unix::fs::symlink(&victim, folder.0.join("dir/link.pgn")).unwrap();
        let absolute = victim.display().to_string();
        for path in [
            "../victim.pgn",
            &absolute,
            "link.pgn",
            "sub/../../victim.pgn",
        ] {
            let query = format!("mate outputfile \"{path}\"");
            let args = ["query", "--allow-files", "dir", &query, "-o", "-", &games()];
            let output = gametree_in(&folder, &args);
            assert_eq!(output.code, Some(2), "{path}: {}", output.err);
            assert_eq!(read(&victim), "kept", "{path}");
        }
        let query = "writefile(\"../victim.txt\" fen)";
        let args = ["query", "--count", "--allow-files", "dir", query, &games()];
        let output = gametree_in(&folder, &args);
        assert_eq!(output.code, Some(2), "{}", output.err);
        assert!(
            output.err.contains("outside the allowed directory"),
            "{}",
            output.err
        );
        assert_eq!(read(&folder.0.join("victim.txt")), "kept");
    }

    #[test]
    fn other_files_are_out_of_reach() {
        let folder = Folder::new("query-reach");
        folder.file("secret.key", "x");
        let query = "initial (readfile \"secret.key\" ~~ \"x\" or writefile(\"a.sh\" \"x\"))";
        let args = ["query", "--count", "--allow-files", ".", query, &games()];
        let output = gametree_in(&folder, &args);
        assert_eq!(output.code, Some(2));
        assert!(
            output
                .err
                .contains("the extension must be .cqo, .cql or .txt")
        );
        assert!(!folder.0.join("a.sh").exists());
    }

    #[test]
    fn programs_run_only_if_allowed() {
        let query = "initial pipe(\"tr a-z A-Z\" player white) ~~ \"MORPHY\"";
        let refused = gametree(&["query", "--count", query, GAMES]);
        assert_eq!(refused.code, Some(2));
        assert!(
            refused
                .err
                .contains("--allow-programs lets the query run programs")
        );
        let output = gametree(&["query", "--count", "--allow-programs", query, GAMES]);
        assert!(output.out.starts_with("1 game,"), "{}", output.out);
    }

    #[test]
    fn the_last_number_is_known_before_the_first_game() {
        let output = gametree(&[
            "query",
            "--list",
            "--quiet",
            "initial gamenumber==lastgamenumber",
            GAMES,
        ]);
        assert_eq!(output.out.lines().count(), 1);
        assert!(output.out.contains("\t15\tstart\t"));
    }

    #[test]
    fn similar_positions_are_found_turned_or_not() {
        let folder = Folder::new("query-similar");
        folder.file(
            "one.pgn",
            "[FEN \"8/8/8/8/8/5k2/8/4K2R w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n",
        );
        let turned = "[FEN \"8/8/8/8/8/2k5/8/R2K4 w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n";
        folder.file("two.pgn", turned);
        let ask = |query: &str| gametree_in(&folder, &["query", "--count", query, "two.pgn"]).out;
        assert_eq!(ask("similarposition \"one.pgn\""), "1 game, 1 position\n");
        assert_eq!(
            ask("similarposition notransform \"one.pgn\""),
            "0 games, 0 positions\n"
        );
        assert_eq!(
            ask("similarposition notransform \"two.pgn\""),
            "1 game, 1 position\n"
        );
    }

    #[test]
    fn games_go_to_the_files_that_the_query_names() {
        let folder = Folder::new("query-split");
        let query = "terminal outputfile eco + \".pgn\"";
        let args = [
            "query",
            "--allow-files",
            ".",
            query,
            "-o",
            "rest.pgn",
            &games(),
        ];
        let output = gametree_in(&folder, &args);
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(read(&folder.0.join("C41.pgn")).contains("Morphy"));
    }
}

#[test]
fn a_query_may_begin_with_a_dash() {
    for query in ["--(mate)", "--=Q", "--e4", "-- check"] {
        let output = gametree(&["query", "--count", "--quiet", query, &games()]);
        assert_eq!(output.code, Some(0), "{query}: {}", output.err);
    }
    let output = gametree(&["query", "--cuont", "mate", &games()]);
    assert!(output.err.contains("--count"), "{}", output.err);
}

mod cql {
    use super::*;

    /// Runs the program in the way of the original, on a query file; its output is `out.pgn`.
    fn cql(name: &str, query: &str, options: &[&str]) -> (Output, String) {
        let folder = Folder::new(name);
        folder.file("q.cql", query);
        let games = games();
        let mut args = vec!["cql", "-i", &games, "-o", "out.pgn"];
        args.extend(options);
        args.push("q.cql");
        let output = gametree_in(&folder, &args);
        let text = fs::read_to_string(folder.0.join("out.pgn")).unwrap_or_default();
        (output, text)
    }

    #[test]
    fn matches_are_counted_and_written() {
        let (output, text) = cql("cql-plain", "cql() mate", &[]);
        assert_eq!(output.out, "11 matches of 15 games\n");
        assert_eq!(text.matches("[Event ").count(), 11);
    }

    #[test]
    fn the_output_is_named_by_the_query() {
        let folder = Folder::new("cql-named");
        folder.file("ends.cql", "cql() mate");
        let output = gametree_in(&folder, &["cql", "--input", &games(), "ends.cql"]);
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(folder.0.join("ends-out.pgn").exists());
    }

    #[test]
    fn the_header_names_files_too() {
        let folder = Folder::new("cql-header");
        let header = format!("cql(input {} output there.pgn) mate", games());
        folder.file("q.cql", &header);
        let refused = gametree_in(&folder, &["cql", "q.cql"]);
        assert_eq!(refused.code, Some(2));
        assert!(
            refused.err.contains("-o there.pgn writes there"),
            "{}",
            refused.err
        );
        let output = gametree_in(&folder, &["cql", "-allow-files", ".", "q.cql"]);
        assert_eq!(output.out, "11 matches of 15 games\n", "{}", output.err);
        assert!(folder.0.join("there.pgn").exists());
    }

    #[test]
    fn options_narrow_the_search() {
        let matches = |name: &str, query: &str, options: &[&str]| {
            let (output, _) = cql(name, query, options);
            output
                .out
                .split(' ')
                .next()
                .unwrap_or_default()
                .parse::<u32>()
                .unwrap_or(u32::MAX)
        };
        assert_eq!(
            matches("cql-1", "cql() mate", &["-gamenumber", "1", "3"]),
            3
        );
        assert_eq!(matches("cql-2", "cql() mate", &["-g", "1"]), 1);
        assert_eq!(matches("cql-3", "cql() mate", &["-player", "Morphy"]), 1);
        assert_eq!(matches("cql-4", "cql() mate", &["-black", "Morphy"]), 0);
        assert_eq!(
            matches("cql-5", "cql() mate", &["-cql", "btm", "-cql", "wtm"]),
            0
        );
        let by_header = matches("cql-6", "cql(matchcount 1 1) check", &[]);
        assert_eq!(
            matches("cql-7", "cql() check", &["-matchcount", "1", "1"]),
            by_header
        );
        assert_eq!(matches("cql-8", "cql() depth>0", &["-VARIATIONS"]), 7);
        assert_eq!(
            matches("cql-9", "cql(variations) depth>0", &["-mainline"]),
            0
        );
        assert_eq!(
            matches("cql-10", "cql() mate", &["-year", "1850", "1860"]),
            3
        );
        assert_eq!(
            matches(
                "cql-11",
                "cql() ply==plies mate",
                &["-assign", "plies", "33"]
            ),
            1
        );
        assert_eq!(matches("cql-12", "cql() mate", &["-limit", "4", "-s"]), 4);
        assert_eq!(matches("cql-13", "cql() mate", &["-result", "0-1"]), 2);
    }

    #[test]
    fn comments_are_as_wanted() {
        let (_, text) = cql("cql-c1", "cql() mate", &["-matchstring", "HERE"]);
        assert!(text.contains("{ HERE }"));
        let (_, text) = cql("cql-c2", "cql() mate", &["-silent"]);
        assert!(!text.contains("CQL") && !text.contains("Game number"));
        let (_, text) = cql("cql-c3", "cql() mate", &["-noheader"]);
        assert!(text.contains("CQL") && !text.contains("Game number"));
    }

    #[test]
    fn what_the_query_may_do_is_narrowed() {
        let query = "cql() settag(\"Theme\" \"x\") sort \"length\" ply mate";
        let (_, text) = cql("cql-n1", query, &[]);
        assert!(text.contains("[Theme ") && text.contains("length: "));
        let (_, text) = cql("cql-n2", query, &["-nosettag", "-nosortcomments"]);
        assert!(!text.contains("[Theme ") && !text.contains("length: "));
    }

    #[test]
    fn output_is_added_to_or_spared() {
        let folder = Folder::new("cql-append");
        folder.file("q.cql", "cql() mate");
        let games = games();
        let run = |options: &[&str]| {
            let args = [
                &["cql", "-i", &games, "-o", "sub/out.pgn"],
                options,
                &["q.cql"],
            ]
            .concat();
            gametree_in(&folder, &args)
        };
        assert_eq!(run(&[]).code, Some(2));
        assert_eq!(run(&["-createdirectories"]).code, Some(0));
        assert_eq!(run(&["-a"]).code, Some(0));
        let text = fs::read_to_string(folder.0.join("sub/out.pgn")).unwrap();
        assert_eq!(text.matches("[Event ").count(), 22);
        let output = run(&["-noclobber"]);
        assert!(output.err.contains("exists"), "{}", output.err);
    }

    #[test]
    fn queries_are_rewritten() {
        let folder = Folder::new("cql-rewrite");
        folder.file("q.cql", "cql() flip Ka1 // K\n");
        let read = |name| fs::read_to_string(folder.0.join(name)).unwrap();
        gametree_in(&folder, &["cql", "-u", "q.cql"]);
        assert_eq!(read("q.cql"), "cql() ✵ ♔a1 // K\n");
        gametree_in(&folder, &["cql", "-a", "q.cql"]);
        assert_eq!(read("q.cql"), "cql() flip Ka1 // K\n");
        gametree_in(&folder, &["cql", "-html", "q.cql"]);
        assert!(read("q-cql.html").contains("<span class=\"piece\">Ka1</span>"));
    }

    #[test]
    fn programs_are_talked_to() {
        let (output, _) = cql("cql-gui", "cql() mate", &["-gui"]);
        assert!(output.out.contains("<CqlGuiVariable> numbermatches 11\n"));
        assert!(output.out.ends_with("<CqlGuiNormalExit>\n"));
        let (output, _) = cql("cql-gui-error", "cql() maet", &["-gui"]);
        assert!(output.out.contains("<CqlGuiError>\n"));
        let (output, _) = cql(
            "cql-idle",
            "cql() mate",
            &["-alwayscomment", "-showmatches"],
        );
        assert!(
            output.err.contains("-alwayscomment has no effect"),
            "{}",
            output.err
        );
        let (output, _) = cql("cql-stdout", "cql() mate", &["-guipgnstdout"]);
        assert!(!output.out.contains("11 matches") && output.out.contains("[Event "));
    }

    #[test]
    fn unknown_options_are_reported() {
        let (output, _) = cql("cql-u", "cql() mate", &["-nosuchoption"]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("unknown option -nosuchoption"));
        let (output, _) = cql("cql-v", "cql() mate", &["-threads", "many"]);
        assert!(
            output
                .err
                .contains("option -threads requires a number, found `many`")
        );
        let (output, _) = cql("cql-p", "cql() maet", &["-parse"]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("did you mean ‘mate’?"));
    }
}

mod debug {
    use super::*;

    #[test]
    fn every_stage_shows_itself() {
        for stage in ["tokens", "ast", "ir", "plan"] {
            let output = gametree(&["debug", stage, "flip Ka1 or year > 2000 mate"]);
            assert_eq!(output.code, Some(0), "{stage}: {}", output.err);
            assert!(!output.out.trim().is_empty(), "{stage}");
        }
        let output = gametree(&["debug", "ast", "flop"]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("‘flop’"));
    }
}

mod audit {
    use super::*;

    #[test]
    fn findings_are_kept_where_the_query_matches() {
        let repertoire = "testdata/graph";
        let file = fs::read_dir(root().join(repertoire)).unwrap();
        let files: Vec<PathBuf> = file.map(|f| f.unwrap().path()).collect();
        let path = files
            .iter()
            .filter(|f| f.extension().is_some_and(|e| e == "pgn"));
        let mut narrowed = false;
        for path in path {
            let path = path.to_str().unwrap();
            let all = gametree(&["audit", path, "--json"]).out;
            let none = gametree(&["audit", path, "--json", "--where", "false"]).out;
            let every = gametree(&["audit", path, "--json", "--where", "true"]).out;
            let some = gametree(&["audit", path, "--json", "--where", "wtm"]).out;
            assert_eq!((all.as_str(), none.as_str()), (every.as_str(), ""));
            assert!(some.lines().all(|line| all.contains(line)));
            narrowed |= some.len() < all.len();
        }
        assert!(narrowed);
    }

    #[test]
    fn a_misspelt_query_is_refused_before_reading() {
        let output = gametree(&["audit", "no-such-file.pgn", "--where", "maet"]);
        assert_eq!(output.code, Some(2));
        assert!(output.err.contains("did you mean ‘mate’?"));
    }
}
