//! Claims of the rules about a position (parts, normal form, value, bounds) against the value
//! computed only from its moves.

mod support;

use gametree_sums::Interrupt;
use gametree_sums::rules::{RULESETS, Ruleset};
use gametree_sums::value::{Dyadic, Forms, Player, Value};
use proptest::prelude::*;
use std::cmp::Ordering::{Greater, Less};
use std::collections::HashMap;
use std::ops::ControlFlow;
use support::{Dice, position};

/// Values computed only from moves.
struct Plain<'a> {
    rules: &'a dyn Ruleset,
    forms: Forms,
    values: HashMap<Vec<u8>, Value>,
    nim_values: HashMap<Vec<u8>, u64>,
}

/// Positions with more followers are skipped.
const MOST: usize = 3_000;

impl Plain<'_> {
    fn new(rules: &dyn Ruleset) -> Plain<'_> {
        Plain {
            rules,
            forms: Forms::default(),
            values: HashMap::new(),
            nim_values: HashMap::new(),
        }
    }

    fn options(&self, position: &[u8], player: Player) -> Vec<Vec<u8>> {
        let mut options = Vec::new();
        let _ = self.rules.moves(position, player, &mut |_, next| {
            options.push(next.to_vec());
            ControlFlow::Continue(())
        });
        options
    }

    fn value(&mut self, position: &[u8]) -> Option<Value> {
        if let Some(&value) = self.values.get(position) {
            return Some(value);
        }
        if self.values.len() > MOST {
            return None;
        }
        let [left, right] = Player::BOTH.map(|player| {
            let options = self.options(position, player);
            options.iter().map(|next| self.value(next)).collect()
        });
        let (left, right): (Option<Vec<_>>, Option<Vec<_>>) = (left, right);
        let value = self.forms.game(&left?, &right?).ok()?;
        self.values.insert(position.to_vec(), value);
        Some(value)
    }

    /// The nim value when each player may make the moves of both.
    fn nim_value(&mut self, position: &[u8]) -> Option<u64> {
        if let Some(&value) = self.nim_values.get(position) {
            return Some(value);
        }
        if self.nim_values.len() > MOST {
            return None;
        }
        let options = Player::BOTH.map(|player| self.options(position, player));
        let options = options.iter().flatten().map(|next| self.nim_value(next));
        let options = options.collect::<Option<Vec<u64>>>()?;
        let value = (0..).find(|value| !options.contains(value))?;
        self.nim_values.insert(position.to_vec(), value);
        Some(value)
    }
}

/// Checks all claims of the rules about a position.
fn check(rules: &dyn Ruleset, position: &[u8]) -> Result<(), TestCaseError> {
    let mut plain = Plain::new(rules);
    let shown = format!("{} {}", rules.name(), rules.print(position));
    if let Some(value) = plain.value(position) {
        check_value(&mut plain, position, value, &shown)?;
    }
    plain.rules = rules.impartial().unwrap_or(rules);
    if let Some(nim_value) = plain.nim_value(position) {
        check_nim_value(&mut plain, position, nim_value, &shown)?;
    }
    Ok(())
}

fn parts(rules: &dyn Ruleset, position: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let _ = rules.split(position, &mut |part| {
        parts.push(part.to_vec());
        ControlFlow::Continue(())
    });
    parts
}

fn check_value(
    plain: &mut Plain<'_>,
    position: &[u8],
    value: Value,
    shown: &str,
) -> Result<(), TestCaseError> {
    let rules = plain.rules;
    let mut sum = Value::ZERO;
    for part in parts(rules, position) {
        let mut normal = part.clone();
        rules.normalise(&mut normal);
        let [given, normal_value] = [&part, &normal].map(|part| plain.value(part));
        let (Some(given), Some(normal_value)) = (given, normal_value) else {
            return Ok(());
        };
        prop_assert_eq!(given, normal_value, "normal form of a part of {}", shown);
        sum = plain.forms.sum(sum, given).expect("small");
        if let Some(known) = rules.known_value(&part, &Interrupt::never()) {
            let known = plain.forms.nus(known).expect("small");
            prop_assert_eq!(known, given, "known value of a part of {}", shown);
        }
        for (known, value) in [(&part, given), (&normal, normal_value)] {
            check_bounds(plain, known, value, shown)?;
        }
    }
    prop_assert_eq!(sum, value, "parts of {}", shown);
    let negative = plain.value(&rules.negative(position));
    let mirrored = plain.forms.negative(value).expect("small");
    prop_assert!(
        negative.is_none_or(|negative| negative == mirrored),
        "negative of {}",
        shown
    );
    Ok(())
}

fn check_bounds(
    plain: &mut Plain<'_>,
    position: &[u8],
    value: Value,
    shown: &str,
) -> Result<(), TestCaseError> {
    let counts = Player::BOTH.map(|player| plain.options(position, player).len());
    let mobility = plain.rules.mobility(position);
    prop_assert_eq!(mobility, counts, "mobility of {}", shown);
    let outcome = plain.forms.outcome(value);
    for player in Player::BOTH {
        prop_assert!(
            outcome.wins_first(player) || !plain.rules.has_winning_move(position, player),
            "{:?} has no winning move in {}",
            player,
            shown
        );
    }
    if plain.rules.is_all_small() {
        let stops = Player::BOTH.map(|player| plain.forms.stop(value, player).clone());
        prop_assert_eq!(
            stops,
            [Dyadic::ZERO, Dyadic::ZERO],
            "{} is not all small",
            shown
        );
    }
    let Some((low, high)) = plain.rules.bounds(position, mobility) else {
        return Ok(());
    };
    let [low_value, high_value] = [low, high].map(|n| plain.forms.integer(n).expect("small"));
    let below = plain.forms.compare(value, low_value).expect("small");
    let above = plain.forms.compare(value, high_value).expect("small");
    let text = plain.rules.print(position);
    prop_assert!(
        !matches!(below, Some(Less) | None),
        "{} is below {}",
        text,
        low
    );
    prop_assert!(
        !matches!(above, Some(Greater) | None),
        "{} is above {}",
        text,
        high
    );
    Ok(())
}

fn check_nim_value(
    plain: &mut Plain<'_>,
    position: &[u8],
    nim_value: u64,
    shown: &str,
) -> Result<(), TestCaseError> {
    let mut sum = 0;
    for part in parts(plain.rules, position) {
        let mut normal = part.clone();
        plain.rules.normalise_impartial(&mut normal);
        let [given, normal] = [&part, &normal].map(|part| plain.nim_value(part));
        let (Some(given), Some(normal)) = (given, normal) else {
            return Ok(());
        };
        prop_assert_eq!(
            given,
            normal,
            "impartial normal form of a part of {}",
            shown
        );
        sum ^= given;
        let known = plain.rules.known_nim_value(&part, &Interrupt::never());
        prop_assert!(
            known.is_none_or(|known| known == given),
            "nim value of a part of {}",
            shown
        );
    }
    prop_assert_eq!(sum, nim_value, "impartial parts of {}", shown);
    Ok(())
}

/// A larger position of a game whose rules make many claims.
fn larger(dice: &mut Dice) -> (&'static str, String) {
    let name = [
        "sheep",
        "gen_toads",
        "gen_king_dirt",
        "elephants",
        "cannibal_clobber",
    ][dice.below(5)];
    let text = match name {
        "sheep" => {
            let (rows, cols) = [(1, 7), (2, 5), (3, 3), (3, 4), (4, 3)][dice.below(5)];
            let mut herd = |_| dice.pick(&["0", "0", "0", "0", "0", "-1", "2", "-2", "3", "-4"]);
            let row = |_| (0..cols).map(&mut herd).collect::<Vec<_>>().join(" ");
            (0..rows).map(row).collect::<Vec<_>>().join("|")
        }
        "gen_toads" => {
            let parameters = [
                "1,1,1,0", "1,1,1,1", "1,2,1,1", "1,2,3,0", "1,3,2,1", "2,3,2,0",
            ];
            let length = 6 + dice.below(8);
            format!(
                "{}:{}",
                dice.pick(&parameters),
                dice.rows("....XO", 1, length)
            )
        }
        "gen_king_dirt" => format!(
            "{}:{}",
            dice.pick(&["1,1,0", "1,1,1", "2,2,0", "0,1,0"]),
            dice.rows("...XO#", 3, 3)
        ),
        "elephants" => dice.rows("..XO", 1, 9),
        _ => dice.rows("..XO", 3, 3),
    };
    (name, text)
}

/// The number of cases; set `GAMETREE_FUZZ=100000` for a long run.
fn cases() -> u32 {
    let asked = std::env::var("GAMETREE_FUZZ").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn claims_about_small_positions_hold(seed: u64) {
        let mut dice = Dice(seed);
        let rules = RULESETS[dice.below(RULESETS.len())];
        if let Ok(position) = rules.parse(&position(rules.name(), &mut dice)) {
            check(rules, &position)?;
        }
    }

    #[test]
    fn claims_about_larger_positions_hold(seed: u64) {
        let (name, text) = larger(&mut Dice(seed));
        let (_, rules) = gametree_sums::rules::ruleset(name).expect("a game");
        if let Ok(position) = rules.parse(&text) {
            check(rules, &position)?;
        }
    }
}
