//! Shared by `show`, `explore`, `edit` and `draw`: places, marks, the same trees.

#[path = "../common/mod.rs"]
mod common;
mod corpora;

use common::{gametree, gametree_on, program, run};
use serde_json::Value;

const CHECKS: &[u8] = b"1. e4 e5 (1... f5 2. Qh5+ g6) 2. Qh5 Nc6 3. Qxf7+ *";

#[test]
fn queries_mark_what_matches() {
    let output = gametree_on(CHECKS, "show - --where check");
    assert!(output.out.contains("2 * match"), "{}", output.out);
    assert!(output.out.contains("3  Qxf7+*"), "{}", output.out);
    // One lies further down this alternative.
    assert!(output.out.contains("a …f5 1*"), "{}", output.out);
    let output = gametree_on(CHECKS, "show - --where check --json");
    let json: Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(json["matches"], 2);
    let rows = json["rows"].as_array().expect("rows");
    let matches = |row: &Value| row["white"]["matches"] == true;
    assert_eq!(rows.iter().filter(|row| matches(row)).count(), 1);
    let plain: Value =
        serde_json::from_str(&gametree_on(CHECKS, "show - --json").out).expect("JSON");
    assert!(plain["matches"].is_null());
}

#[test]
fn queries_that_cannot_be_read_are_refused() {
    for command in ["show -", "explore -", "draw - -o no.svg"] {
        let output = gametree_on(CHECKS, &format!("{command} --where chekc"));
        assert_eq!(output.code, Some(2), "{command}: {}", output.out);
        assert!(output.err.contains("chekc"), "{command}: {}", output.err);
    }
}

#[test]
fn matches_are_walked_through() {
    let script = b"where check\nmatch\nmatch\nmatch-back\nstart\nwhere\nmatch\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("checks.pgn");
    std::fs::write(&file, CHECKS).expect("written");
    let output = gametree_on(script, &format!("explore {}", file.display()));
    let places: Vec<&str> = output
        .out
        .lines()
        .filter(|line| line.starts_with("at ") || line.contains("match"))
        .collect();
    assert_eq!(
        places,
        [
            "at the starting position",
            "2 matches, marked *",
            "at the starting position",
            "> match",
            "at 1.e4 e5 2.Qh5 Nc6 3.Qxf7+",
            "> match",
            "at 1.e4 f5 2.Qh5+",
            "> match-back",
            "at 1.e4 e5 2.Qh5 Nc6 3.Qxf7+",
            "at the starting position",
            "matches cleared",
            "at the starting position",
            "> match",
        ],
        "{}",
        output.out
    );
    assert!(output.err.contains("`where QUERY` first"), "{}", output.err);
}

#[test]
fn marked_positions_are_drawn_though_folded() {
    let draw = |args: &str| {
        let output = gametree_on(CHECKS, &format!("draw - -o - --format svg {args}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out
    };
    assert!(!draw("--budget 2").contains("Qh5+"));
    let budget = draw("--budget 6 --where check");
    assert!(
        budget.contains("Qxf7+") && budget.contains("2 marked"),
        "{budget}"
    );
    let page = gametree_on(CHECKS, "draw - -o - --format html --where check");
    assert!(page.out.contains("\"marked\":[5,7]"), "{}", page.out);
    let dot = gametree_on(CHECKS, "draw - -o - --format dot --where check");
    assert_eq!(dot.out.matches("penwidth=3,").count(), 2, "{}", dot.out);
}

#[test]
fn all_chapters_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = b"[White \"One\"]\n\n1. e4 *\n\n[White \"Two\"]\n\n1. d4 d5 *\n";
    let file = folder.path().join("two.pgn");
    std::fs::write(&file, games).expect("written");
    let draw = |args: &str| {
        let mut command = program();
        command.current_dir(folder.path()).arg("draw").arg(&file);
        run(command.args(args.split(' ')))
    };
    let output = draw("--chapters -o tree.svg");
    assert_eq!(output.code, Some(0), "{}", output.err);
    for (name, title) in [("tree-1.svg", "One"), ("tree-2.svg", "Two")] {
        let svg = std::fs::read_to_string(folder.path().join(name)).expect(name);
        assert!(svg.contains(title), "{svg}");
    }
    let page = draw("--chapters -o - --format html").out;
    assert!(page.contains("\"title\":\"One") && page.contains("\"title\":\"Two"));
    for (args, problem) in [
        ("--chapters -o - --format svg", "not standard output"),
        ("--chapters --game 2 -o x.pdf", "cannot be used with"),
        ("--paper a4 -o x.png", "--paper divides a PDF into pages"),
        ("--landscape -o x.pdf", "--paper <SIZE>"),
    ] {
        let output = draw(args);
        assert_eq!(output.code, Some(2), "{args}");
        assert!(output.err.contains(problem), "{args}: {}", output.err);
    }
}

#[test]
fn bringing_is_a_verb_for_scripts() {
    let game = b"1. d4 d5 (1... e6 2. c4 d5 3. Nc3) 2. c4 e6 *";
    let mut command = program();
    command.args(["edit", "-", "bring", "--at", "d4 d5 c4 e6"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.pgn");
    std::fs::write(&file, game).expect("written");
    let output = run(command.stdin(std::fs::File::open(&file).expect("a file")));
    let moves = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        moves,
        "1. d4 d5 (1... e6 2. c4 d5 { Transposes to 1.d4 d5 2.c4 e6 }) 2. c4 e6 3. Nc3 *"
    );
    assert!(gametree("edit --help").out.contains("bring"));
}
