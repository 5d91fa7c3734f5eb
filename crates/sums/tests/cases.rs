//! The solver on the cases of other programs and on published boards, where those are at hand.
//!
//! A sample, each within some hundred nodes; with `GAMETREE_LONG` all of them, within millions.

mod support;

use sums::value::{Outcome, Player};
use sums::{Budget, Game, GaveUp, Solver};
use support::{Row, rows};

fn long() -> bool {
    std::env::var_os("GAMETREE_LONG").is_some()
}

fn solver() -> Solver {
    let long = long();
    Solver::new(Budget {
        nodes: if long { 10_000_000 } else { 150 },
        bytes: if long { 4 << 30 } else { 1 << 28 },
        time: None,
    })
}

/// `[game] position + [game] position`
fn sum(text: &str) -> Option<Vec<Game>> {
    let text = text.strip_prefix('[')?;
    text.split(" + [").map(component).collect()
}

fn component(text: &str) -> Option<Game> {
    let (name, position) = text.split_once(']')?;
    let position = position.trim();
    let inside = position
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    Game::parse(name, inside.unwrap_or(position)).ok()
}

/// What the solver says to a question of the table; none for questions that are not ours.
fn answer(solver: &mut Solver, sum: &[Game], query: &str) -> Option<Result<String, GaveUp>> {
    let wins = |wins: bool| if wins { "win" } else { "loss" }.to_owned();
    let names = |solver: &mut Solver, player| {
        let moves = solver.winning_moves(sum, player)?;
        let mut names: Vec<String> = moves.iter().map(|mv| mv.name()).collect();
        names.sort();
        Ok(names.join(" "))
    };
    Some(match query {
        "Left(B) to move" => solver.wins(sum, Player::Left).map(wins),
        "Right(W) to move" => solver.wins(sum, Player::Right).map(wins),
        "nim_value" => solver
            .nim_value(sum)
            .map(|value| value.unwrap_or(u64::MAX).to_string()),
        "winning_moves B" | "winning_moves N" => names(solver, Player::Left),
        "winning_moves W" => names(solver, Player::Right),
        _ => return None,
    })
}

fn sorted(moves: &str) -> String {
    let mut names: Vec<&str> = moves
        .split_whitespace()
        .filter(|&name| name != "None")
        .collect();
    names.sort_unstable();
    names.join(" ")
}

#[test]
fn cases_of_mcgs() {
    let rows = rows("mcgs-cases.jsonl");
    let (mut right, mut given_up, mut not_read) = (0, 0, Vec::new());
    for row in rows.iter().step_by(if long() { 1 } else { 151 }) {
        let (position, query) = (&row["position"], row["query"].as_str());
        let Some(sum) = sum(position) else {
            not_read.push(position);
            continue;
        };
        match answer(&mut solver(), &sum, query) {
            None => {}
            Some(Err(_)) => given_up += 1,
            Some(Ok(found)) => {
                let expected = match query.starts_with("winning") {
                    true => sorted(&row["answer"]),
                    false => row["answer"].to_ascii_lowercase(),
                };
                assert_eq!(found, expected, "{query} of {position}");
                right += 1;
            }
        }
    }
    assert!(
        rows.is_empty() || right > 30,
        "{right} right, {given_up} given up, not read: {not_read:?}"
    );
}

/// A board that a table describes by its size.
fn board(row: &Row) -> Option<Game> {
    let (game, position) = (row["game"].as_str(), row["position"].as_str());
    if let Some(count) = position.strip_prefix("(XO)^") {
        return Game::parse(game, &"XO".repeat(count.parse().ok()?)).ok();
    }
    let (size, rest) = position.split_once(' ').unwrap_or((position, ""));
    let (rows, cols) = size.split_once('x')?;
    let (rows, cols): (usize, usize) = (rows.parse().ok()?, cols.parse().ok()?);
    let letter = |at: usize| match rest.starts_with("checkerboard") {
        true => ['X', 'O'][at % 2],
        false => '.',
    };
    let line = |row: usize| (0..cols).map(|col| letter(row + col)).collect::<String>();
    let text = (0..rows).map(line).collect::<Vec<_>>().join("|");
    let known = rest.is_empty() || rest.starts_with("empty") || rest.starts_with("checkerboard");
    let name = if game == "cram" {
        "impartial domineering"
    } else {
        game
    };
    Game::parse(name, &text).ok().filter(|_| known)
}

#[test]
fn published_boards() {
    let rows = rows("cgt-truth.jsonl");
    let outcomes = ["L", "R", "N", "P"];
    let (mut right, mut given_up) = (0, 0);
    for row in &rows {
        let Some(game) = board(row) else { continue };
        let sum = [game];
        let found = match row["query"].as_str() {
            // The table takes the nim values of Cram for numbers there.
            "outcome" if row["game"] == "cram" => continue,
            "outcome" if outcomes.contains(&row["answer"].as_str()) => solver()
                .outcome(&sum)
                .map(|outcome: Outcome| outcome.to_string()),
            "nim_value" => solver()
                .nim_value(&sum)
                .map(|value| value.unwrap_or(u64::MAX).to_string()),
            _ => continue,
        };
        match found {
            Err(_) => given_up += 1,
            Ok(found) => {
                assert_eq!(found, row["answer"], "{} {}", row["game"], row["position"]);
                right += 1;
            }
        }
    }
    assert!(
        rows.is_empty() || right > 90,
        "{right} right, {given_up} given up"
    );
}
