//! The solver on the test cases of another program, if they are available.
//!
//! By default a sample, each within some hundred nodes; with `GAMETREE_LONG` all cases, within
//! millions.

mod support;

use gametree_sums::value::Player;
use gametree_sums::{Budget, Game, GaveUp, Solver};
use support::rows;

fn long() -> bool {
    std::env::var_os("GAMETREE_LONG").is_some()
}

fn solver() -> Solver {
    let long = long();
    Solver::new(
        Budget::default()
            .with_nodes(if long { 10_000_000 } else { 150 })
            .with_bytes(if long { 4 << 30 } else { 1 << 28 }),
    )
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

/// The answer of the solver to a question of the table; `None` for unsupported questions.
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
                let expected = if query.starts_with("winning") {
                    sorted(&row["answer"])
                } else {
                    row["answer"].to_ascii_lowercase()
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
