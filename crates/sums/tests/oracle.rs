//! The solver against a minimax that knows nothing but the rules, on random sums of all games.

use proptest::prelude::*;
use std::sync::Arc;
use sums::naive::Naive;
use sums::value::{Outcome, Player};
use sums::{Budget, Crew, Game, GaveUp, Kind, Solver, moves};

/// Numbers that look random and are the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn letters(&mut self, letters: &str, length: usize) -> String {
        (0..length)
            .map(|_| letters.as_bytes()[self.below(letters.len())] as char)
            .collect()
    }

    fn rows(&mut self, letters: &str, rows: usize, cols: usize) -> String {
        (0..rows)
            .map(|_| self.letters(letters, cols))
            .collect::<Vec<_>>()
            .join("|")
    }
}

/// A small position of the game, as text; not always a legal one.
fn position(name: &str, dice: &mut Dice) -> String {
    let cells = 1 + dice.below(6);
    let (rows, cols) = [(1, 4), (2, 2), (2, 3), (3, 2)][dice.below(4)];
    match name {
        "clobber_1xn" | "elephants" => dice.letters(".XXOO", cells),
        "nogo_1xn" => dice.letters("....XO", cells.min(5)),
        "toppling_dominoes" => dice.letters("XO#", cells),
        "gen_toads" => format!(
            "{}:{}",
            dice.pick(&["1,1,1,0", "1,2,1,1", "2,3,2,0", "1,1,0,0"]),
            dice.letters("..XO", cells)
        ),
        "clobber" | "cannibal_clobber" => dice.rows(".XXOO", rows, cols),
        "nogo" => dice.rows("...XO#", rows, cols.min(2)),
        "amazons" => dice.rows("..#XO", 2, 2),
        "gen_king_dirt" => format!(
            "{}:{}",
            dice.pick(&["0,0,0", "1,0,0", "1,1,1"]),
            dice.rows("..XO#", 2, 2)
        ),
        "domineering" => dice.rows("...#", rows, cols),
        "fission" => dice.rows("..X#", 3, 2),
        "sheep" => {
            let mut herd = || dice.pick(&["0", "0", "2", "-3", "1", "3"]).to_string();
            format!(
                "{} {} {}|{} {} {}",
                herd(),
                herd(),
                herd(),
                herd(),
                herd(),
                herd()
            )
        }
        "integer_game" => (dice.below(7) as i64 - 3).to_string(),
        "dyadic_rational" => format!(
            "{}/{}",
            dice.below(9) as i64 - 4,
            dice.pick(&["1", "2", "4"])
        ),
        "switch_game" => format!(
            "{}/2, {}",
            dice.below(9) as i64 - 4,
            dice.below(7) as i64 - 3
        ),
        "up_star" => dice.pick(&["1", "-2", "*", "2 *", "-1 *"]).into(),
        "nimber" | "kayles" => dice.below(5).to_string(),
        "explicit" => dice
            .pick(&[
                "{1|-1}",
                "{2||0|-1}",
                "{0,*|^}",
                "+-{1|0}",
                "{*|*2}",
                "1/2^*",
                "{|}",
                "{0|{0|-1}}",
            ])
            .into(),
        "col" | "snort" => dice
            .pick(&["path3", "cycle4", "star3", "path4:.X..", "1-2,2-3,1-3,3-4"])
            .into(),
        "hackenbush" => dice
            .pick(&["LRL", "ELR", "0-1L,1-2R,1-3E", "0-1L,0-1R", "RRE"])
            .into(),
        "octal" => format!(
            "{}:{}",
            dice.pick(&["0.77", "0.07", "4.3", "0.8"]),
            dice.below(6)
        ),
        other => match sums::rules::ruleset(other).and_then(|(_, rules)| rules.letters()) {
            Some(letters) => dice.rows(letters, rows, cols),
            None => panic!("write some small positions of {other} here"),
        },
    }
}

fn game(dice: &mut Dice, wrapped: bool) -> Game {
    loop {
        let rules = sums::rules::RULESETS[dice.below(sums::rules::RULESETS.len())];
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

/// Sums searched by the check: larger ones are left out.
const NODES: u64 = 20_000;

/// Three threads, whatever the machine has.
struct Three;

impl Crew for Three {
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
            solver.work_with(Arc::new(Three));
            assert_eq!(solver.wins(&sum, first), expected, "{first} {name} {text}");
            let (mut again, first_time) = (Solver::default(), solver.stats().nodes);
            again.recall(&solver.memory()).unwrap();
            assert_eq!(again.wins(&sum, first), expected, "{first} {name} {text}");
            assert!(again.stats().nodes <= first_time);
        }
    }
}

#[test]
fn threads_keep_to_the_budget() {
    let sum = [Game::parse("clobber", "XOXOXOX|OXOXOXO|XOXOXOX|OXOXOXO|XOXOXOX").unwrap()];
    let mut solver = Solver::new(Budget {
        nodes: 5_000,
        ..Budget::default()
    });
    solver.work_with(Arc::new(Three));
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
    fn a_sum_less_itself_is_nothing(seed: u64) {
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
            if let Ok(strategy) = solver.why(&sum, first, 5_000) {
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
