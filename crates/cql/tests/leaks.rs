//! A condition that does not match leaves no comment, for any combination of operators.
//!
//! Tags, messages, files and variables are not restored, as in CQL 6.2. `CQL_ROUNDS` sets the
//! number of conditions; they are reproducible unless `CQL_SEED` is set.

mod common;

use common::{Dice, random_game, rounds_and_dice};
use gametree_chess::pgn::Game;
use gametree_cql::{Options, Query};
use std::collections::HashSet;

const OPERATORS: &str = include_str!("../testdata/operators.tsv");
const CHECKLIST: &str = include_str!("../testdata/checklist.tsv");

/// Variables and functions that templates use.
const PRELUDE: &str = "i = 0 txt = \"abc\" squares = K here = currentposition piece unit = K \
    dictionary D D[\"abc\"] = 1 local dictionary L L[1] = \"abc\" \
    function call(x) {x > 1 comment(x)} function twice(x) {x + x} ";

/// Templates by the letter of their type.
struct Templates(Vec<(char, &'static str)>);

impl Templates {
    fn new() -> Templates {
        let rows = OPERATORS.lines().filter(|row| !row.starts_with("# "));
        let templates = rows.map(|row| {
            let mut fields = row.split('\t').skip(1);
            let ty = fields.next().unwrap().chars().next().unwrap();
            (ty, fields.next().unwrap())
        });
        Templates(templates.collect())
    }

    fn of(&self, ty: char) -> Vec<&'static str> {
        let fitting = self.0.iter().filter(|(of, _)| *of == ty);
        fitting.map(|(_, template)| *template).collect()
    }

    /// A random filter of a type. Some of its parts comment before they are evaluated.
    fn write(&self, ty: char, depth: u32, dice: &mut Dice) -> String {
        let choices = self.of(ty);
        let leaves: Vec<&str> = choices.iter().copied().filter(|t| holes(t) == 0).collect();
        let template = dice.pick(if depth == 0 { &leaves } else { &choices });
        let text = self.fill(template, depth.saturating_sub(1), dice);
        if dice.one_in(3) {
            format!("{{comment(\"leak\") {text}}}")
        } else {
            format!("{{ {text} }}")
        }
    }

    fn fill(&self, template: &str, depth: u32, dice: &mut Dice) -> String {
        let mut text = String::new();
        let mut at = 0;
        for (hole, ty) in hole_places(template) {
            text += &template[at..hole];
            text += &self.write(ty, depth, dice);
            at = hole + 1;
        }
        text + &template[at..]
    }
}

/// The places of letters of types that stand alone in a template.
fn hole_places(template: &str) -> Vec<(usize, char)> {
    let bytes = template.as_bytes();
    let is_word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'"' || *b == b'_')
    };
    let alone = |at: usize| !(is_word(at + 1) || at > 0 && is_word(at - 1));
    let letters = template
        .char_indices()
        .filter(|(_, c)| "CNTSP".contains(*c));
    letters.filter(|&(at, _)| alone(at)).collect()
}

fn holes(template: &str) -> usize {
    hole_places(template).len()
}

fn options(planned: bool) -> Options {
    Options::default()
        .with_variations(true)
        .with_steps(300_000)
        .with_planned(planned)
        .with_write_files(true)
        .with_run_programs(true)
}

fn compiles(condition: &str) -> bool {
    Query::compile(&format!("{PRELUDE} {condition}"), &options(true)).is_ok()
}

/// All comments of a query; none if it was given up.
fn comments(query: &str, game: &Game, planned: bool) -> Option<Vec<String>> {
    let compiled = Query::compile(query, &options(planned));
    let compiled = compiled.unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let result = compiled.matcher().run(game, 1);
    let texts = result.comments.iter().map(|c| c.text.to_string());
    result.given_up.is_none().then(|| texts.collect())
}

fn check(condition: &str, game: &Game) {
    for query in [
        format!("{PRELUDE} {{initial {condition} comment(\"held\")}} or initial"),
        format!("{PRELUDE} {{initial {condition} false}} or initial"),
        format!("{PRELUDE} initial max({{{condition} 7/0}} 3)"),
        format!("{PRELUDE} not {{initial {condition}}}"),
    ] {
        let Some(comments) = comments(&query, game, true) else {
            continue;
        };
        let held = comments.iter().any(|c| c == "held");
        let leaks = comments.iter().any(|c| c.contains("leak"));
        assert!(held || !leaks, "{query}\n{comments:?}");
        if let Some(naive) = self::comments(&query, game, false) {
            assert_eq!(comments, naive, "{query}");
        }
    }
}

/// Every operator of the checklist has a template, and every template compiles.
#[test]
fn every_operator_has_a_template() {
    let names = |table: &'static str| {
        let rows = table.lines().filter(|row| !row.starts_with("# "));
        rows.flat_map(|row| row.split('\t').next().unwrap().split(' '))
    };
    let covered: HashSet<&str> = names(OPERATORS).collect();
    let missing: Vec<&str> = names(CHECKLIST).filter(|n| !covered.contains(n)).collect();
    assert_eq!(missing, [""; 0]);
    let mut dice = Dice(7);
    let game = random_game(&mut dice, 12);
    let templates = Templates::new();
    let mut refused = Vec::new();
    for (ty, template) in &templates.0 {
        for _ in 0..3 {
            let text = templates.fill(template, 0, &mut dice);
            let condition = as_condition(*ty, &text);
            if compiles(&condition) {
                check(&condition, &game);
            } else {
                refused.push(condition);
            }
        }
    }
    assert_eq!(refused, [""; 0]);
}

#[test]
fn a_condition_that_fails_leaves_no_comment() {
    let (rounds, mut dice) = rounds_and_dice(400, 0x5eed_1eaf);
    let templates = Templates::new();
    let mut tried = 0;
    for _ in 0..rounds {
        let game = random_game(&mut dice, 12);
        let ty = dice.pick(&['C', 'N', 'T', 'S', 'P']);
        let condition = as_condition(ty, &templates.write(ty, 3, &mut dice));
        // a few nestings are refused, such as squares inside `rotate45`
        if compiles(&condition) {
            check(&condition, &game);
            tried += 1;
        }
    }
    assert!(tried * 2 > rounds, "{tried} of {rounds} compile");
}

/// A bare number or text is not a condition.
fn as_condition(ty: char, text: &str) -> String {
    match ty {
        'N' => format!("(({text}) > 1)"),
        'T' => format!("(({text}) != \"zzz\")"),
        _ => format!("{{{text}}}"),
    }
}

/// The shortest queries that once kept the comment of a failed condition.
#[test]
fn comments_inside_effects_are_dropped() {
    let game = gametree_chess::pgn::read_game(b"1. e4 e5 *").unwrap();
    for effect in [
        "settag(\"X\" {comment(\"leak\") \"abc\" ~~ \"zzz\"})",
        "writefile({comment(\"leak\") \"abc\"} \"x\" ~~ \"y\")",
        "outputfile {comment(\"leak\") \"abc\" ~~ \"zzz\"}",
        "{while (\"a\" ~~ {comment(\"leak\") \"a\"}) {true} false}",
        "pipe({comment(\"leak\") \"cat\"} \"x\") == \"y\"",
        "{txt = \"abc\" txt[0:1] = {comment(\"leak\") \"x\"} false}",
        "#{comment(\"leak\") false K} == 5",
        "max({comment(\"leak\") 1/0} 3) == 4",
    ] {
        let query = format!("{{initial {effect}}} or initial");
        let found = comments(&query, &game, true).unwrap();
        assert!(!found.iter().any(|c| c == "leak"), "{query}: {found:?}");
    }
}
