//! Printed values are parsed as the same value: by the arena of values, by the ruleset `explicit`,
//! and in the short form.

mod support;

use gametree_sums::input::{read_file, read_short};
use gametree_sums::rules::RULESETS;
use gametree_sums::value::{Build, Dyadic, Forms, Nus, OutOfBudget, Value};
use gametree_sums::{Game, Kind, Solver};
use proptest::prelude::*;
use support::{Dice, position};

/// The maximum length of the output of `gametree value`.
const PAGE: usize = 4_000;

/// Prints a value and parses it in every way.
fn check(solver: &mut Solver, value: Value) {
    let Ok(text) = solver.forms().text(value, PAGE) else {
        return;
    };
    assert_eq!(solver.forms().parse(&text), Ok(value), "{text}");
    let game = Game::parse("explicit", &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let typed = read_short(&text).unwrap_or_else(|fault| panic!("{}", fault.render(&text)));
    assert!(typed.compared.is_none(), "{text} was read as a comparison");
    let filed = read_file(&format!("[explicit] ({text}) {{B}}"));
    assert_eq!(filed.faults, [], "{text}");
    for sum in [
        std::slice::from_ref(&game),
        &typed.sum,
        &filed.problems[0].sum,
    ] {
        let read = solver.value(sum).expect("as small as the value");
        assert_eq!(
            read,
            value,
            "{text} was read as {}",
            solver.forms().show(read)
        );
    }
}

/// A game with a special notation, or a combination of such games.
fn any_game() -> impl Strategy<Value = Draft> {
    let closed = (-6i64..7, 0u32..3, -3i64..4, 0u64..4);
    let leaf = prop_oneof![
        closed.prop_map(|(n, e, ups, nimber)| Draft::Closed(Nus {
            number: Dyadic::new(n, e),
            ups,
            nimber,
        })),
        (1u64..5, any::<bool>()).prop_map(|(n, power)| Draft::Uptimal(n, power)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let list = || prop::collection::vec(inner.clone(), 0..3);
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (list(), list()).prop_map(|(left, right)| Draft::Braces(left, right)),
            (boxed(), boxed()).prop_map(|(a, b)| Draft::Plus(a, b)),
            boxed().prop_map(Draft::Minus),
            boxed().prop_map(Draft::Tiny),
            boxed().prop_map(Draft::PlusMinus),
        ]
    })
}

/// The construction of a game.
#[derive(Clone, Debug)]
enum Draft {
    Closed(Nus),
    Uptimal(u64, bool),
    Braces(Vec<Draft>, Vec<Draft>),
    Plus(Box<Draft>, Box<Draft>),
    Minus(Box<Draft>),
    Tiny(Box<Draft>),
    PlusMinus(Box<Draft>),
}

impl Draft {
    fn value(&self, forms: &mut Forms) -> Result<Value, OutOfBudget> {
        match self {
            Draft::Closed(nus) => forms.closed(nus.clone()),
            Draft::Uptimal(n, true) => forms.up_power(*n),
            Draft::Uptimal(n, false) => forms.up_sum(*n),
            Draft::Braces(left, right) => {
                let left: Result<Vec<_>, _> = left.iter().map(|game| game.value(forms)).collect();
                let right: Result<Vec<_>, _> = right.iter().map(|game| game.value(forms)).collect();
                forms.braces(&left?, &right?)
            }
            Draft::Plus(one, other) => {
                let (one, other) = (one.value(forms)?, other.value(forms)?);
                forms.plus(one, &other)
            }
            Draft::Minus(game) => game.value(forms).and_then(|game| forms.minus(&game)),
            Draft::Tiny(game) => game.value(forms).and_then(|game| forms.tiny(&game)),
            Draft::PlusMinus(game) => game.value(forms).and_then(|game| forms.plus_minus(&[game])),
        }
    }
}

proptest! {
    #[test]
    fn values_of_every_notation(draft in any_game()) {
        let mut solver = Solver::default();
        solver.forms().allow_steps(100_000);
        let value = draft.value(&mut solver.forms());
        if let Ok(value) = value {
            check(&mut solver, value);
        }
    }
}

#[test]
fn values_of_small_positions_of_every_game() {
    let mut solver = Solver::default();
    for (seed, rules) in RULESETS.iter().enumerate() {
        let mut dice = Dice(seed as u64);
        for wrapped in ["", "impartial "] {
            let kind = Kind::named(&format!("{wrapped}{}", rules.name())).expect("a ruleset");
            for _ in 0..100 {
                let Ok(game) = Game::read(kind, &position(rules.name(), &mut dice)) else {
                    continue;
                };
                let value = solver.value(&[game]).expect("small");
                check(&mut solver, value);
            }
        }
    }
}
