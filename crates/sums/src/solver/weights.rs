//! Bounds on the atomic weights of components without canonical forms.
//!
//! The weight of a position follows from the weights of its options, as for values
//! ([`crate::value::Forms::atomic_weight`]). Weights are far simpler than the positions: those of a
//! strip of a hundred stones are mostly numbers.

use super::arena::Arena;
use super::components::{ComponentId, Item, Term};
use super::facts::Ups;
use super::lists::OptionAt;
use super::values::EFFORT_PER_OPTION;
use crate::value::{Dyadic, Forms, OutOfBudget, Player, Value};

/// An atomic weight lies between these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weight {
    low: Value,
    high: Value,
}

/// The effort allowed for the value of a component, whose weight is exact.
const VALUE_EFFORT: u64 = 1_000;

/// Nested calls allowed: each takes a few hundred bytes of stack.
const MAX_DEPTH: u32 = 2_000;

impl Weight {
    const ZERO: Weight = Weight::exactly(Value::ZERO);

    const fn exactly(weight: Value) -> Weight {
        Weight {
            low: weight,
            high: weight,
        }
    }

    fn plus(self, other: Weight, forms: &mut Forms) -> Result<Weight, OutOfBudget> {
        Ok(Weight {
            low: forms.sum(self.low, other.low)?,
            high: forms.sum(self.high, other.high)?,
        })
    }

    fn ups(self, forms: &Forms) -> Ups {
        Ups {
            low: Ups::of_weight(forms, self.low).low,
            high: Ups::of_weight(forms, self.high).high,
        }
    }
}

impl Arena {
    /// Finds the atomic weights of a component and its followers, and stores them as facts, if that
    /// takes no more than this effort.
    pub fn weigh(&mut self, id: ComponentId, mut effort: u64) {
        let kind = self.common.components.get(id).kind();
        if kind.rules().is_all_small() && !kind.is_wrapped() {
            let _ = self.weight(id, &mut effort);
        }
    }

    fn weight(&mut self, id: ComponentId, effort: &mut u64) -> Option<Weight> {
        if let Some(&weight) = self.weights.get(&id) {
            return Some(weight);
        }
        let weight = match self.paid_value(id, VALUE_EFFORT, effort)? {
            Some(value) => self.weight_of_value(value, effort)?,
            None if self.depth == MAX_DEPTH => return None,
            None => {
                self.depth += 1;
                let weight = self.weight_by_options(id, effort);
                self.depth -= 1;
                weight?
            }
        };
        self.weights.insert(id, weight);
        let mut facts = self.facts(Item::component(id));
        facts.ups = weight.ups(&self.common.forms());
        self.store_facts(Item::component(id), &facts);
        Some(weight)
    }

    fn weight_of_value(&self, value: Value, effort: &mut u64) -> Option<Weight> {
        let weight = self.metered(effort, |forms| forms.atomic_weight(value))?;
        weight.map(Weight::exactly)
    }

    fn weight_by_options(&mut self, id: ComponentId, effort: &mut u64) -> Option<Weight> {
        let mut shifted = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let mut options = self.options(id, player).ok()?;
            *effort = effort.checked_sub(EFFORT_PER_OPTION * (1 + u64::from(options.len())))?;
            while let Some(option) = self.common.lists.next(&mut options) {
                let weight = self.weight_of_option(option, effort)?;
                let shifted = &mut shifted[player as usize];
                self.metered(effort, |forms| {
                    let two = forms.integer(if player == Player::Left { -2 } else { 2 })?;
                    shifted.push(weight.plus(Weight::exactly(two), forms)?);
                    Ok(())
                })?;
            }
        }
        if shifted.iter().any(Vec::is_empty) {
            return None;
        }
        let is_symmetric = self.negative_component(id).ok()? == id;
        self.metered(effort, |forms| bounds(forms, &shifted, is_symmetric))
    }

    fn weight_of_option(&mut self, option: OptionAt, effort: &mut u64) -> Option<Weight> {
        let mut total = Weight::ZERO;
        let count = self.common.lists.items(option).len();
        for at in 0..count {
            let item = self.common.lists.items(option).nth(at)?;
            let weight = match item.term() {
                Term::Value(value) => self.weight_of_value(value, effort)?,
                Term::Component(part) => self.weight(part, effort)?,
            };
            total = self.metered(effort, |forms| total.plus(weight, forms))?;
        }
        Some(total)
    }
}

/// The weight of a game with these weights of options, of which 2 is subtracted for Left and added
/// for Right.
///
/// It is the game with these options, unless that is an integer: then it is one of the integers
/// that fit, and 0 if the game is its own negative.
fn bounds(
    forms: &mut Forms,
    shifted: &[Vec<Weight>; 2],
    is_symmetric: bool,
) -> Result<Weight, OutOfBudget> {
    let lows = shifted.each_ref().map(|list| low_ends(list));
    let highs = shifted.each_ref().map(|list| high_ends(list));
    let formal = Weight {
        low: forms.game(&lows[0], &lows[1])?,
        high: forms.game(&highs[0], &highs[1])?,
    };
    let is_integer = |forms: &Forms| forms.as_number(formal.low).is_some_and(Dyadic::is_integer);
    let is_exact = lows == highs;
    if is_exact && !is_integer(forms) {
        return Ok(formal);
    }
    if is_exact && is_symmetric {
        return Ok(Weight::ZERO);
    }
    let mut least = forms.last_integer(&lows[0], Player::Left)?;
    let mut greatest = forms.last_integer(&highs[1], Player::Right)?;
    if !is_exact {
        // The game may be an integer or not: the bounds must hold in either case.
        let below = &forms.stop(formal.low, Player::Right).floor() - &Dyadic::ONE;
        let above = &-(-forms.stop(formal.high, Player::Left).clone()).floor() + &Dyadic::ONE;
        let (below, above) = (forms.number(below)?, forms.number(above)?);
        if forms.le(below, least)? {
            least = below;
        }
        if forms.le(greatest, above)? {
            greatest = above;
        }
    }
    Ok(Weight {
        low: least,
        high: greatest,
    })
}

fn low_ends(list: &[Weight]) -> Vec<Value> {
    list.iter().map(|weight| weight.low).collect()
}

fn high_ends(list: &[Weight]) -> Vec<Value> {
    list.iter().map(|weight| weight.high).collect()
}

#[cfg(test)]
mod tests {
    use super::super::facts::testing::all_small_games;
    use super::*;
    use crate::game::Game;
    use crate::naive::Naive;
    use crate::solver::Solver;

    /// The weights of the options of a game, shifted, with these added to their bounds.
    fn shifted(forms: &mut Forms, game: Value, wider: &[Weight]) -> [Vec<Weight>; 2] {
        let mut next = wider.iter().cycle();
        Player::BOTH.map(|player| {
            let two = if player == Player::Left { -2 } else { 2 };
            let two = Weight::exactly(forms.integer(two).unwrap());
            let options = forms.options(game, player).unwrap().to_vec();
            let weights = options.into_iter().map(|option| {
                let weight = forms.atomic_weight(option).unwrap().expect("all-small");
                let weight = Weight::exactly(weight).plus(two, forms).unwrap();
                weight.plus(*next.next().unwrap(), forms).unwrap()
            });
            weights.collect()
        })
    }

    #[test]
    fn bounds_enclose_the_weight() {
        let mut forms = Forms::default();
        let mut parse = |low: &str, high: &str| Weight {
            low: forms.parse(low).unwrap(),
            high: forms.parse(high).unwrap(),
        };
        let zero = Weight::ZERO;
        let wider = [
            vec![zero],
            vec![parse("-1", "0"), zero, parse("0", "1/2")],
            vec![parse("{0|-1}", "^"), parse("v*", "1*"), zero],
            vec![parse("-3", "{2|1}"), parse("-1/2", "3")],
        ];
        let mut exact = 0;
        for game in all_small_games(&mut forms) {
            if forms.as_nus(game).is_some() {
                continue;
            }
            let weight = forms.atomic_weight(game).unwrap().expect("all-small");
            let is_symmetric = forms.negative(game).unwrap() == game;
            for wider in &wider {
                let shifted = shifted(&mut forms, game, wider);
                let found = bounds(&mut forms, &shifted, is_symmetric).unwrap();
                assert!(forms.le(found.low, weight).unwrap());
                assert!(forms.le(weight, found.high).unwrap());
                exact += u32::from(found == Weight::exactly(weight));
            }
        }
        assert!(exact > 0);
    }

    #[test]
    fn weighed_strips_are_won_by_the_same_player() {
        let strips = [
            "XOXOXO", "OXOXO", "OOXOXO", "XXOXO", "XOXOX", "OOXOX", "XXO", "OOXX", "XOOXO", "XOXX",
        ];
        let mut solver = Solver::default().searching_only();
        let games = strips.map(|strip| Game::parse("clobber_1xn", strip).unwrap());
        for game in &games {
            let mut items = Vec::new();
            let arena = &mut solver.arena;
            arena
                .split_into(game.kind, &game.position, &mut items)
                .unwrap();
            for item in items {
                let Term::Component(id) = item.term() else {
                    continue;
                };
                arena.weigh(id, u64::MAX);
                assert_ne!(arena.facts(item).ups, Ups::NONE);
            }
        }
        let mut naive = Naive::new(u64::MAX);
        for a in 0..games.len() {
            for b in 0..=a {
                let sum = [games[a].clone(), games[b].clone()];
                for first in Player::BOTH {
                    assert_eq!(solver.wins(&sum, first).ok(), naive.wins(&sum, first));
                }
            }
        }
    }

    #[test]
    fn boards_of_numbers_have_no_weight() {
        let mut solver = Solver::default();
        let game = Game::parse("domineering", "...|...").unwrap();
        let id = solver
            .arena
            .common
            .components
            .intern(game.kind, &game.position)
            .unwrap();
        solver.arena.weigh(id, u64::MAX);
        assert_eq!(solver.arena.facts(Item::component(id)).ups, Ups::NONE);
    }
}
