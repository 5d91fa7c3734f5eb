//! Laws of values on random games, checked against the definitions.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::Player::{Left, Right};
use super::{Build, Dyadic, Forms, Limits, Nus, OutOfBudget, Outcome, Value};

/// A game as a tree, without any simplification.
#[derive(Clone, Debug)]
struct Tree {
    left: Vec<Tree>,
    right: Vec<Tree>,
}

impl Tree {
    fn of_nus(nus: &Nus) -> Tree {
        let [left, right] = nus
            .options()
            .map(|options| options.iter().map(Tree::of_nus).collect());
        Tree { left, right }
    }

    fn le(&self, other: &Tree) -> bool {
        !self.left.iter().any(|left| other.le(left))
            && !other.right.iter().any(|right| right.le(self))
    }

    fn negative(&self) -> Tree {
        let mirror = |options: &[Tree]| options.iter().map(Tree::negative).collect();
        Tree {
            left: mirror(&self.right),
            right: mirror(&self.left),
        }
    }

    fn value(&self, forms: &mut Forms) -> Value {
        let left: Vec<Value> = self.left.iter().map(|option| option.value(forms)).collect();
        let right: Vec<Value> = self
            .right
            .iter()
            .map(|option| option.value(forms))
            .collect();
        forms.game(&left, &right).expect("small")
    }
}

/// The canonical form of a value as a tree.
fn tree_of(forms: &mut Forms, value: Value) -> Tree {
    let [left, right] = [Left, Right].map(|player| {
        let options = forms.options(value, player).expect("small").to_vec();
        options
            .into_iter()
            .map(|option| tree_of(forms, option))
            .collect()
    });
    Tree { left, right }
}

fn any_nus() -> impl Strategy<Value = Nus> {
    let number = (-4i64..5, 0u32..3).prop_map(|(n, e)| Dyadic::new(n, e));
    (
        number,
        prop_oneof![4 => Just(0i64), 1 => -2i64..3],
        prop_oneof![3 => Just(0u64), 1 => 0u64..4],
    )
        .prop_map(|(number, ups, nimber)| Nus {
            number,
            ups,
            nimber,
        })
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let leaf = any_nus().prop_map(|nus| Tree::of_nus(&nus));
    leaf.prop_recursive(3, 24, 3, |inner| {
        let options = || prop::collection::vec(inner.clone(), 0..3);
        (options(), options()).prop_map(|(left, right)| Tree { left, right })
    })
}

/// All-small games: either both players can move or neither can.
fn all_small_tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree {
        left: vec![],
        right: vec![],
    });
    leaf.prop_recursive(4, 40, 3, |inner| {
        let options = || prop::collection::vec(inner.clone(), 1..3);
        (options(), options()).prop_map(|(left, right)| Tree { left, right })
    })
}

fn either_tree() -> impl Strategy<Value = Tree> {
    prop_oneof![any_tree(), all_small_tree()]
}

fn relation(a: &Tree, b: &Tree) -> Option<Ordering> {
    match (a.le(b), b.le(a)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}

proptest! {
    #[test]
    fn equality_and_order_are_those_of_the_definition(a in either_tree(), b in either_tree()) {
        let forms = &mut Forms::default();
        let (x, y) = (a.value(forms), b.value(forms));
        let expected = relation(&a, &b);
        prop_assert_eq!(forms.compare(x, y), Ok(expected));
        prop_assert_eq!(x == y, expected == Some(Ordering::Equal));
        let reverse = expected.map(Ordering::reverse);
        prop_assert_eq!(forms.compare(y, x), Ok(reverse));
    }

    #[test]
    fn canonical_form_is_equal_and_canonical(a in either_tree()) {
        let forms = &mut Forms::default();
        let value = a.value(forms);
        let canonical = tree_of(forms, value);
        prop_assert_eq!(relation(&a, &canonical), Some(Ordering::Equal));
        prop_assert_eq!(canonical.value(forms), value);
        check_canonical(&canonical)?;
    }

    #[test]
    fn closed_forms_are_recognised(nus in any_nus()) {
        let forms = &mut Forms::default();
        let value = Tree::of_nus(&nus).value(forms);
        prop_assert_eq!(forms.as_nus(value), Some(&nus));
        prop_assert_eq!(forms.outcome(value), nus.outcome());
    }

    #[test]
    fn outcome_is_the_order_with_zero(a in either_tree()) {
        let forms = &mut Forms::default();
        let value = a.value(forms);
        let zero = Tree { left: vec![], right: vec![] };
        prop_assert_eq!(forms.outcome(value), Outcome::of_relation(relation(&a, &zero)));
    }

    #[test]
    fn negatives_mirror_and_cancel(a in either_tree()) {
        let forms = &mut Forms::default();
        let value = a.value(forms);
        let mirror = a.negative().value(forms);
        prop_assert_eq!(forms.difference(value, value), Ok(Value::ZERO));
        prop_assert_eq!(forms.sum(value, mirror), Ok(Value::ZERO));
        prop_assert_eq!(forms.negative(value), Ok(mirror));
        for player in [Left, Right] {
            prop_assert_eq!(forms.stop(value, player), &-forms.stop(mirror, !player));
        }
    }

    #[test]
    fn sums_commute_and_associate(a in any_tree(), b in all_small_tree(), c in any_tree()) {
        let forms = &mut Forms::default();
        let (a, b, c) = (a.value(forms), b.value(forms), c.value(forms));
        let ab = forms.sum(a, b).expect("small");
        prop_assert_eq!(forms.sum(b, a), Ok(ab));
        let bc = forms.sum(b, c).expect("small");
        prop_assert_eq!(forms.sum(ab, c), forms.sum(a, bc));
        prop_assert_eq!(forms.difference(ab, b), Ok(a));
    }

    #[test]
    fn sum_moves_in_either_part(a in either_tree(), b in either_tree()) {
        let forms = &mut Forms::default();
        let (a, b) = (a.value(forms), b.value(forms));
        let [left, right] = [Left, Right].map(|player| {
            let mut options = Vec::new();
            for (moved, still) in [(a, b), (b, a)] {
                for option in forms.options(moved, player).expect("small").to_vec() {
                    options.push(forms.sum(option, still).expect("small"));
                }
            }
            options
        });
        prop_assert_eq!(forms.game(&left, &right), forms.sum(a, b));
    }

    #[test]
    fn text_is_read_back(a in either_tree(), b in any_tree()) {
        let forms = &mut Forms::default();
        let (a, b) = (a.value(forms), b.value(forms));
        let sum = forms.sum(a, b).expect("small");
        for value in [a, b, sum] {
            let text = forms.text(value, 1 << 20).expect("short");
            prop_assert_eq!(forms.parse(&text), Ok(value), "{}", text);
        }
    }

    #[test]
    fn thermographs_agree_with_stops_and_sums(a in either_tree(), b in any_tree()) {
        let forms = &mut Forms::default();
        let (a, b) = (a.value(forms), b.value(forms));
        let graph = forms.thermograph(a).expect("small");
        for player in [Left, Right] {
            prop_assert_eq!(&graph.wall(player).at(&Dyadic::ZERO), forms.stop(a, player));
            prop_assert_eq!(graph.wall(player).at(&Dyadic::integer(99)), graph.mean().clone());
        }
        prop_assert_eq!(graph.mean(), &forms.mean(a).expect("small"));
        prop_assert_eq!(graph.temperature(), &forms.temperature(a).expect("small"));
        let sum = forms.sum(a, b).expect("small");
        let (mean_a, mean_b) = (forms.mean(a).expect("small"), forms.mean(b).expect("small"));
        prop_assert_eq!(forms.mean(sum), Ok(mean_a + mean_b));
        let [hot_a, hot_b, hot] = [a, b, sum].map(|v| forms.temperature(v).expect("small"));
        prop_assert!(hot <= hot_a.max(hot_b));
    }

    #[test]
    fn closed_thermographs_are_those_of_the_options(nus in any_nus(), more in 0i64..3) {
        let forms = &mut Forms::default();
        let (ups, heap) = (nus.ups * (1 + more), nus.nimber * (1 + more as u64));
        let nimber = if ups == 0 { heap.max(1) } else { heap }; // numbers have other temperatures
        let nus = Nus { ups, nimber, ..nus };
        let [left, right] = nus.options();
        let walls = |options: Vec<Nus>, forms: &mut Forms, player| {
            let mut best: Option<Dyadic> = None;
            for option in options {
                let option = forms.nus(option).expect("closed");
                let graph = forms.thermograph(option).expect("small");
                let here = graph.wall(player).at(&Dyadic::new(-1, 2));
                best = Some(match best {
                    None => here,
                    Some(best) if player == Right => best.max(here),
                    Some(best) => best.min(here),
                });
            }
            best.expect("there are options")
        };
        let quarter = Dyadic::new(1, 2);
        let expected = [&walls(left, forms, Right) + &quarter, &walls(right, forms, Left) - &quarter];
        let value = forms.nus(nus).expect("closed");
        let graph = forms.thermograph(value).expect("small");
        for (player, expected) in [Left, Right].into_iter().zip(expected) {
            prop_assert_eq!(graph.wall(player).at(&Dyadic::new(-1, 2)), expected);
        }
    }

    #[test]
    fn ids_do_not_depend_on_the_tables(a in either_tree(), b in either_tree()) {
        let small = Limits::default().with_bytes(1 << 19);
        let (forms, tight) = (&mut Forms::default(), &mut Forms::new(small));
        let (x, y) = (a.value(forms), b.value(forms));
        let (v, w) = (a.value(tight), b.value(tight));
        prop_assert_eq!(forms.sum(x, y), tight.sum(v, w));
    }
}

/// No option is dominated, none is reversible.
fn check_canonical(game: &Tree) -> Result<(), TestCaseError> {
    for (i, left) in game.left.iter().enumerate() {
        for (j, other) in game.left.iter().enumerate() {
            prop_assert!(i == j || !left.le(other), "dominated");
        }
        prop_assert!(
            !left.right.iter().any(|answer| answer.le(game)),
            "reversible"
        );
        check_canonical(left)?;
    }
    for (i, right) in game.right.iter().enumerate() {
        for (j, other) in game.right.iter().enumerate() {
            prop_assert!(i == j || !other.le(right), "dominated");
        }
        prop_assert!(
            !right.left.iter().any(|answer| game.le(answer)),
            "reversible"
        );
        check_canonical(right)?;
    }
    Ok(())
}

#[test]
fn budgets_are_kept_and_work_goes_on() {
    let mut forms = Forms::new(Limits::default().with_steps(40));
    let mut hot = Value::ZERO;
    let mut build = |forms: &mut Forms| -> Result<Value, OutOfBudget> {
        for n in 1..6 {
            let (left, right) = (forms.integer(1 << n)?, forms.integer(-3 * n)?);
            let switch = forms.game(&[left], &[right])?;
            hot = forms.sum(hot, switch)?;
        }
        Ok(hot)
    };
    assert_eq!(build(&mut forms), Err(OutOfBudget::Steps));
    forms.limits_mut().steps = u64::MAX;
    assert!(build(&mut forms).is_ok());
}

#[test]
fn many_options_count_as_steps() {
    let mut forms = Forms::default();
    let options: Vec<Value> = (0..20_000)
        .map(|n| {
            let (high, low) = (Dyadic::integer(100_000 + n), Dyadic::integer(-n));
            let (high, low) = (forms.number(high)?, forms.number(low)?);
            forms.game(&[high], &[low])
        })
        .collect::<Result<_, _>>()
        .expect("each is a switch");
    let right = forms.integer(-1_000_000).expect("closed");
    forms.allow_steps(10_000);
    assert_eq!(forms.game(&options, &[right]), Err(OutOfBudget::Steps));
}

#[test]
fn stops_need_the_worst_answer() {
    let mut forms = Forms::default();
    let value = forms.parse("{1,{2|-1}|-1,{0|-4}}").expect("small");
    assert_eq!(forms.stop(value, Left), &Dyadic::integer(1));
    assert_eq!(forms.stop(value, Right), &Dyadic::integer(-1));
}

#[test]
fn memory_is_limited() {
    let mut forms = Forms::new(Limits::default().with_bytes(1 << 18));
    let (star, huge) = (Nus::nimber(1), Nus::nimber(1 << 40));
    let (star, huge) = (
        forms.nus(star).expect("small"),
        forms.nus(huge).expect("closed"),
    );
    assert_eq!(forms.options(huge, Left).err(), Some(OutOfBudget::Bytes));
    assert_eq!(forms.compare(star, huge), Ok(None));
    let sum = (0..100_000).try_fold(Value::ZERO, |_, n| forms.integer(n));
    assert_eq!(sum, Err(OutOfBudget::Bytes));
}

#[test]
fn deep_games_do_not_overflow_the_stack() {
    let mut forms = Forms::default();
    let tower = (0..100_000).try_fold(Value::ZERO, |below, n| {
        let high = forms.integer(n + 2)?;
        let inner = forms.game(&[high], &[below])?;
        let minus = forms.integer(-n - 2)?;
        forms.game(&[inner], &[minus])
    });
    let tower = tower.expect("each step is shallow");
    assert_eq!(forms.negative(tower), Err(OutOfBudget::Depth));
    assert_eq!(forms.sum(tower, tower), Err(OutOfBudget::Depth));
}

#[test]
fn deep_comparisons_do_not_overflow_the_stack() {
    let mut forms = Forms::default();
    let sum = forms.up_sum(9_000).expect("step by step");
    let power = forms.up_power(900).expect("within the depth");
    let minus = forms.parse("{2|-3}").expect("small");
    for (a, b) in [(sum, power), (power, sum), (sum, minus)] {
        assert!(matches!(forms.sum(a, b), Ok(_) | Err(OutOfBudget::Depth)));
        assert!(matches!(
            forms.compare(a, b),
            Ok(_) | Err(OutOfBudget::Depth)
        ));
    }
    assert_eq!(forms.text(sum, 100).as_deref(), Ok("^[9000]"));
}

#[test]
fn large_numbers_and_many_ups() {
    let mut forms = Forms::default();
    let most = forms.nus(Nus::ups(i64::MAX)).expect("closed");
    let up = forms.nus(Nus::ups(1)).expect("closed");
    assert_eq!(forms.sum(most, up), Err(OutOfBudget::Ups));
    let tiny = forms.number(Dyadic::new(1, 500)).expect("closed");
    let huge = forms.number(Dyadic::new(1, 0)).expect("closed");
    assert_eq!(
        forms.compare(tiny, Value::ZERO),
        Ok(Some(Ordering::Greater))
    );
    assert_eq!(forms.compare(most, tiny), Ok(Some(Ordering::Less)));
    let between = forms.game(&[tiny], &[huge]).expect("a number");
    assert_eq!(forms.as_number(between), Some(&Dyadic::new(1, 1)));
}
