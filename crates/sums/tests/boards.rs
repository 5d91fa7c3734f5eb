//! Values of whole boards.

mod support;

use std::time::Instant;

use gametree_sums::value::{Forms, Nus, Outcome, Player, Value};
use support::{Boards, Row, chequered, empty, rows};

fn rows_of(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

#[test]
fn small_boards_of_domineering() {
    // Conway, On Numbers and Games, chapter 10.
    let cases = [
        (".|.", "1"),
        ("..", "-1"),
        ("..|..", "+-1"),
        (".#|..", "*"),
        ("...|...", "{2|-1/2}"),
        ("...|...|...", "+-1"),
    ];
    for (board, text) in cases {
        let (mut boards, value) = Boards::domineering(&rows_of(board));
        assert_eq!(boards.forms.show(value), text, "{board}");
    }
}

#[test]
fn rows_of_clobber() {
    for n in 1..=9 {
        let (boards, value) = Boards::clobber(&["xo".repeat(n)]);
        // Albert, Grossman, Nowakowski, Wolfe 2005: the first player wins but for n = 3.
        let expected = if n == 3 {
            Outcome::Previous
        } else {
            Outcome::Next
        };
        assert_eq!(boards.forms.outcome(value), expected, "(xo)^{n}");
        let (boards, value) = Boards::clobber(&["xxo".repeat(n)]);
        let ups = Nus::ups((n as i64 + 1) / 2);
        assert_eq!(boards.forms.as_nus(value), Some(&ups), "(xxo)^{n}");
    }
}

#[test]
fn boards_in_the_tables() {
    let rows = rows("cgt-truth.jsonl");
    let mut checked = 0;
    for row in &rows {
        let Some((mut boards, value)) = board_of(row) else {
            continue;
        };
        let forms = &mut boards.forms;
        match row["query"].as_str() {
            "outcome" => assert_eq!(forms.outcome(value).to_string(), row["answer"], "{row:?}"),
            "value" | "value expanded to braces over number/up/star" => {
                assert_eq!(forms.parse(&row["answer"]), Ok(value), "{row:?}");
            }
            _ => continue,
        }
        checked += 1;
    }
    assert!(rows.is_empty() || checked >= 100, "{checked} rows checked");
}

/// The board of a row, if it is small.
fn board_of(row: &Row) -> Option<(Boards, Value)> {
    let position = row["position"].as_str();
    let size = position
        .split_once(' ')
        .and_then(|(size, _)| size.split_once('x'));
    let size = size.and_then(|(m, n)| Some((m.parse().ok()?, n.parse().ok()?)));
    let small = |(m, n): (usize, usize), most| (m * n <= most).then_some((m, n));
    match (row["game"].as_str(), size) {
        ("domineering", Some(size)) => {
            let (m, n) = small(size, 25)?;
            Some(Boards::domineering(&empty(m, n)))
        }
        ("clobber", Some(size)) => {
            let (m, n) = small(size, 14)?;
            Some(Boards::clobber(&chequered(m, n)))
        }
        ("domineering", None) if position.starts_with(['.', '#']) => {
            Some(Boards::domineering(&rows_of(position)))
        }
        ("clobber", None) if position.len() <= 16 => Some(Boards::clobber(&rows_of(position))),
        _ => None,
    }
}

/// Evaluates the board named in the environment, for measurements:
/// `GAMETREE_BOARD="domineering 5 5"`.
#[test]
fn board_named_in_the_environment() {
    let Ok(name) = std::env::var("GAMETREE_BOARD") else {
        return;
    };
    let words: Vec<&str> = name.split_whitespace().collect();
    let size = |i: usize| words[i].parse().expect("a size");
    let start = Instant::now();
    let (boards, value) = match words[0] {
        "domineering" => Boards::domineering(&empty(size(1), size(2))),
        _ => Boards::clobber(&chequered(size(1), size(2))),
    };
    let forms: &Forms = &boards.forms;
    eprintln!(
        "{name}: {:?}, {} positions, {} values, {} steps, {} KB, outcome {}, stops {} {}",
        start.elapsed(),
        boards.positions(),
        forms.len(),
        forms.steps(),
        forms.bytes() / 1024,
        forms.outcome(value),
        forms.stop(value, Player::Left),
        forms.stop(value, Player::Right),
    );
}
