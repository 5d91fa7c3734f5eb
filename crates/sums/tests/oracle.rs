//! The solver against minimax that uses only the rules, on random sums of all games.

mod support;

use gametree_sums::naive::Naive;
use gametree_sums::value::{Outcome, Player};
use gametree_sums::{Budget, Game, GaveUp, Kind, Solver, Workers, moves};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::{Dice, position};

fn game(dice: &mut Dice, wrapped: bool) -> Game {
    loop {
        let rules =
            gametree_sums::rules::RULESETS[dice.below(gametree_sums::rules::RULESETS.len())];
        let name = format!(
            "{}{}",
            if wrapped { "impartial " } else { "" },
            rules.name()
        );
        let kind = Kind::named(&name).expect("a ruleset");
        if let Ok(game) = Game::read(kind, &position(rules.name(), dice)) {
            return game;
        }
    }
}

fn sum(seed: u64, wrapped: bool) -> Vec<Game> {
    let mut dice = Dice(seed);
    (0..1 + dice.below(3))
        .map(|_| game(&mut dice, wrapped))
        .collect()
}

fn show(sum: &[Game]) -> String {
    sum.iter()
        .map(Game::to_string)
        .collect::<Vec<_>>()
        .join(" + ")
}

/// The number of sums that minimax may search; larger cases are skipped.
const NODES: u64 = 20_000;

/// Three threads, independent of the machine.
struct Three;

impl Workers for Three {
    fn threads(&self) -> usize {
        3
    }

    fn run(&self, work: &(dyn Fn() + Sync)) {
        std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(work))));
    }
}

/// Each is searched for some thousands of nodes.
#[test]
fn threads_agree_with_one() {
    let boards = [
        ("nogo", "....|....|...."),
        ("nogo_1xn", "...................."),
        ("domineering", "......|......|......|......|......|......"),
        ("clobber", "XOXOX|OXOXO|XOXOX|OXOXO"),
        ("amazons", "X...|....|....|...O"),
        ("sheep", "6 0 0 0|0 0 0 0|0 0 0 -6"),
    ];
    for (name, text) in boards {
        let Ok(game) = Game::parse(name, text) else {
            continue;
        };
        let sum = [game];
        for first in Player::BOTH {
            let expected = Solver::default().wins(&sum, first);
            let mut solver = Solver::default();
            solver.set_workers(Arc::new(Three));
            assert_eq!(solver.wins(&sum, first), expected, "{first} {name} {text}");
            let (mut again, first_time) = (Solver::default(), solver.stats().nodes);
            again.restore(&solver.snapshot()).unwrap();
            assert_eq!(again.wins(&sum, first), expected, "{first} {name} {text}");
            assert!(again.stats().nodes <= first_time);
        }
    }
}

/// Both search at the same time, and use each other's results.
#[test]
fn solvers_that_share_agree() {
    let sum = [Game::parse("clobber", "XOXOX|OXOXO|XOXOX|OXOXO").unwrap()];
    let expected = Player::BOTH.map(|first| Solver::default().wins(&sum, first));
    let mut solver = Solver::default();
    let mut other = solver.share();
    let found = std::thread::scope(|scope| {
        let right = scope.spawn(|| other.wins(&sum, Player::Right));
        [solver.wins(&sum, Player::Left), right.join().unwrap()]
    });
    assert_eq!(found, expected);
}

/// Each searches on three threads with its own deadline. A search that gives up leaves nodes that
/// it was opening; the other must neither wait for them nor miss its own deadline.
#[test]
fn solvers_that_share_keep_their_own_deadlines() {
    let sum = [Game::parse("clobber", "XOXOXOX|OXOXOXO|XOXOXOX|OXOXOXO|XOXOXOX").unwrap()];
    let mut first = Solver::default();
    first.set_workers(Arc::new(Three));
    let mut solvers = vec![first.share(), first.share(), first];
    let start = Instant::now();
    std::thread::scope(|scope| {
        for (number, solver) in (1..).zip(&mut solvers) {
            solver.set_workers(Arc::new(Three));
            let sum = &sum;
            scope.spawn(move || {
                for _ in 0..4 - number {
                    solver.set_budget(
                        Budget::default().with_time(Duration::from_millis(150 * number)),
                    );
                    let found = solver.wins(sum, Player::Left);
                    assert_eq!(found, Err(GaveUp::Time));
                }
            });
        }
    });
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn nim_values_are_the_same_on_many_threads() {
    for (name, text) in [
        ("impartial domineering", ".....|.....|.....|....."),
        ("impartial nogo", "....|....|...."),
        ("impartial clobber", "XOXOX|OXOXO|XOXOX|OXOXO"),
    ] {
        let sum = [Game::parse(name, text).unwrap()];
        let expected = Solver::default().nim_value(&sum);
        let mut solver = Solver::default();
        solver.set_workers(Arc::new(Three));
        assert_eq!(solver.nim_value(&sum), expected, "{name} {text}");
    }
}

#[test]
fn threads_keep_to_the_budget() {
    let sum = [Game::parse("clobber", "XOXOXOX|OXOXOXO|XOXOXOX|OXOXOXO|XOXOXOX").unwrap()];
    let mut solver = Solver::new(Budget::default().with_nodes(5_000));
    solver.set_workers(Arc::new(Three));
    assert_eq!(solver.wins(&sum, Player::Left), Err(GaveUp::Nodes));
    assert!(solver.stats().nodes <= 5_010);
}

fn cases() -> u32 {
    std::env::var("GAMETREE_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn partisan_sums(seed: u64) {
        let sum = sum(seed, false);
        let mut solvers = [Solver::default(), Solver::default().searching_only()];
        for first in Player::BOTH {
            let Some(expected) = Naive::new(NODES).wins(&sum, first) else { return Ok(()) };
            for solver in &mut solvers {
                prop_assert_eq!(solver.wins(&sum, first), Ok(expected), "{} moves first in {}", first, show(&sum));
            }
        }
    }

    #[test]
    fn mixed_sums(seed: u64) {
        let mut dice = Dice(seed);
        let sum: Vec<Game> = (0..2).map(|index| game(&mut dice, index == 0)).collect();
        for first in Player::BOTH {
            let Some(expected) = Naive::new(NODES).wins(&sum, first) else { return Ok(()) };
            prop_assert_eq!(Solver::default().wins(&sum, first), Ok(expected), "{} moves first in {}", first, show(&sum));
        }
    }

    #[test]
    fn impartial_sums(seed: u64) {
        let sum = sum(seed, true);
        let Some(expected) = Naive::new(NODES).nim_value(&sum) else { return Ok(()) };
        let mut solver = Solver::default();
        prop_assert_eq!(solver.nim_value(&sum), Ok(Some(expected)), "{}", show(&sum));
        prop_assert_eq!(solver.wins(&sum, Player::Right), Ok(expected != 0), "{}", show(&sum));
    }

    #[test]
    fn impartial_boards(seed: u64) {
        let mut dice = Dice(seed);
        let (name, letters) = [("domineering", "....#"), ("clobber", ".XO"), ("cannibal_clobber", "..XO"), ("nogo", "...#")][dice.below(4)];
        let text = if name == "domineering" { dice.rows(letters, 4, 4) } else { dice.rows(letters, 2, 4) };
        let Ok(game) = Game::parse(&format!("impartial {name}"), &text) else { return Ok(()) };
        let Some(expected) = Naive::new(NODES).nim_value(std::slice::from_ref(&game)) else { return Ok(()) };
        prop_assert_eq!(Solver::default().nim_value(&[game]), Ok(Some(expected)), "{} {}", name, text);
    }

    #[test]
    fn boards_of_one_game(seed: u64) {
        let mut dice = Dice(seed);
        let (name, letters) = [("domineering", "...#"), ("clobber", ".XO"), ("nogo", "....XO#"), ("amazons", "..#XO"), ("fission", "..X#"), ("cannibal_clobber", "..XO")][dice.below(6)];
        let text = dice.rows(letters, 3, if name == "domineering" || name == "fission" { 4 } else { 3 });
        let Ok(game) = Game::parse(name, &text) else { return Ok(()) };
        let sum = [game];
        for first in Player::BOTH {
            let Some(expected) = Naive::new(NODES).wins(&sum, first) else { return Ok(()) };
            for mut solver in [Solver::default(), Solver::default().searching_only()] {
                prop_assert_eq!(solver.wins(&sum, first), Ok(expected), "{} {} {}", first, name, text);
            }
        }
    }

    #[test]
    fn a_sum_minus_itself_is_zero(seed: u64) {
        let sum = sum(seed, seed % 2 == 0);
        let difference: Vec<Game> = sum.iter().cloned().chain(sum.iter().map(Game::negative)).collect();
        prop_assert_eq!(Solver::default().outcome(&difference), Ok(Outcome::Previous), "{}", show(&difference));
    }

    #[test]
    fn winning_moves_win_and_strategies_hold(seed: u64) {
        let sum = sum(seed, seed % 4 == 0);
        let mut naive = Naive::new(NODES);
        for first in Player::BOTH {
            let mut expected = Vec::new();
            for mv in moves(&sum, first) {
                match naive.wins(&mv.result, !first) {
                    None => return Ok(()),
                    Some(false) => expected.push(mv.name()),
                    Some(true) => {}
                }
            }
            expected.dedup();
            let mut solver = Solver::default();
            let found: Vec<String> = solver.winning_moves(&sum, first).unwrap().iter().map(|mv| mv.name()).collect();
            prop_assert_eq!(found, expected, "{} moves first in {}", first, show(&sum));
            if let Ok(strategy) = solver.winning_strategy(&sum, first, 5_000) {
                prop_assert_eq!(strategy.verify(), Ok(()), "{} moves first in {}", first, show(&sum));
            }
        }
    }

    #[test]
    fn values_have_the_outcome(seed: u64) {
        let sum = sum(seed, seed % 4 == 0);
        let mut solver = Solver::default();
        let value = solver.value(&sum).unwrap();
        let outcome = solver.forms().outcome(value);
        prop_assert_eq!(Solver::default().outcome(&sum), Ok(outcome), "{}", show(&sum));
    }
}
