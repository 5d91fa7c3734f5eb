//! Looks up components in databases, and computes the entries of databases.

use super::arena::{Arena, closed_form, normalise};
use super::components::{ComponentId, Item, ValueState};
use super::questions::{Scale, scaffold};
use super::{GaveUp, Solver};
use crate::db::{Database, Entry, VALUE_STEPS};
use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::player::ByPlayer;
use crate::rules::parse_number;
use crate::value::{Dyadic, OutOfBudget, Player, Value};
use std::ops::ControlFlow;

/// Longer values are not stored: searching is cheaper than parsing them.
const LONGEST_VALUE: usize = 4_000;

/// The effort allowed for the value of a component in a database.
const VALUE_EFFORT: u64 = 1 << 20;

/// The effort allowed for comparing two moves.
const COMPARE_EFFORT: u64 = 1 << 16;

/// Bounds are multiples of 2^-3.
const BOUND_EXPONENT: u32 = 3;

impl Game {
    /// The independent parts of a position in their normal forms, as databases store them, without
    /// those whose values the rules give in closed form.
    ///
    /// ```
    /// use gametree_sums::Game;
    /// let parts = Game::parse("clobber_1xn", "XO.OOX")?.components();
    /// assert_eq!(parts.iter().map(|part| part.text()).collect::<Vec<_>>(), ["OX", "OOX"]);
    /// # Ok::<(), gametree_sums::rules::Complaint>(())
    /// ```
    pub fn components(&self) -> Vec<Game> {
        let mut found = Vec::new();
        let _ = self.kind.rules().split(&self.position, &mut |part| {
            if closed_form(self.kind, part, &Interrupt::never()).is_none() {
                let mut position = part.to_vec();
                normalise(self.kind, &mut position);
                found.push(Game {
                    kind: self.kind,
                    position,
                });
            }
            ControlFlow::Continue(())
        });
        found
    }
}

/// Lookup.
impl Arena {
    /// The item of a component: its value if a database contains it, or if the bounds of the rules
    /// may have met there.
    #[inline]
    pub(super) fn item_of(&mut self, id: ComponentId, by_bounds: bool) -> Item {
        if !self.databases.is_empty() && !self.common.components.get(id).mark_queried() {
            self.query_databases(id);
        }
        if (by_bounds || !self.databases.is_empty())
            && let ValueState::Known(value) = self.common.components.get(id).value_state()
        {
            return Item::value(value);
        }
        Item::component(id)
    }

    /// Adds the results about a component from databases.
    fn query_databases(&mut self, id: ComponentId) {
        let Some(entry) = self.entry(id) else {
            return;
        };
        let component = self.common.components.get(id);
        if let Some(value) = self.value_of_entry(&entry) {
            component.set_value_state(ValueState::Known(value));
            return;
        }
        component.mark_listed();
        if let Some([low, high]) = entry.bounds
            && let (Ok(low), Ok(high)) = (parse_number(&low), parse_number(&high))
        {
            self.bound(id, &low, &high);
        }
        for first in Player::BOTH {
            self.prove(id, first, entry.outcome.wins_first(first));
        }
    }

    /// The value of an entry, if it agrees with the outcome in the entry.
    fn value_of_entry(&self, entry: &Entry) -> Option<Value> {
        let text = entry.value.as_ref()?;
        let mut effort = VALUE_STEPS;
        let value = self.metered(&mut effort, |forms| {
            forms.parse(text).map_err(|_| OutOfBudget::Steps)
        })?;
        (self.common.forms().outcome(value) == entry.outcome).then_some(value)
    }

    fn entry(&self, id: ComponentId) -> Option<Entry> {
        let component = self.common.components.get(id);
        let kind = component.kind();
        let mut position = Vec::new();
        component.position(&mut position);
        let length = kind.rules().text_length(&position);
        let mut databases = self
            .databases
            .iter()
            .filter(|database| database.may_contain(kind, length))
            .peekable();
        databases.peek()?;
        let text = kind.rules().print(&position);
        databases.find_map(|database| database.get(kind, &text))
    }

    /// The moves that databases list as dominated.
    pub(super) fn dominated(&self, id: ComponentId, player: Player) -> Vec<String> {
        if !self.common.components.get(id).is_listed() {
            return Vec::new();
        }
        self.entry(id).map_or_else(Vec::new, |mut entry| {
            std::mem::take(&mut entry.dominated[player])
        })
    }
}

/// Computation of entries.
impl Solver {
    /// Uses a database from now on.
    pub fn attach(&mut self, database: Database) {
        self.arena.databases.push(database);
    }

    /// Computes the entry of a component for a database, without the simplest equal sum.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver, value::Outcome};
    /// let entry = Solver::default().survey(&Game::parse("domineering", "..|..")?)?;
    /// assert_eq!((entry.outcome, entry.value.as_deref()), (Outcome::Next, Some("+-1")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survey(&mut self, game: &Game) -> Result<Entry, GaveUp> {
        let sum = std::slice::from_ref(game);
        let mut entry = match self.cheap_sum_value(sum)? {
            Some(value) => self.entry_with_value(value),
            None => Entry::of_outcome(self.outcome(sum)?),
        };
        if entry.value.is_none() {
            entry.bounds = self.bounds_of(game)?;
        }
        for player in Player::BOTH {
            entry.dominated[player] = self.dominated_moves(game, player)?;
        }
        Ok(entry)
    }

    /// The value of a sum, if it is cheap to compute.
    fn cheap_sum_value(&mut self, sum: &[Game]) -> Result<Option<Value>, GaveUp> {
        self.start();
        let root = self.root(sum)?;
        let items: Vec<Item> = self.table().items(root).collect();
        self.check_budget()?;
        Ok(self.arena.value_of_items(&items, VALUE_EFFORT))
    }

    fn entry_with_value(&mut self, value: Value) -> Entry {
        let mut forms = self.arena.common.forms();
        let walls = forms.thermograph(value).ok().map(|graph| ByPlayer {
            left: scaffold(&graph, Player::Left),
            right: scaffold(&graph, Player::Right),
        });
        Entry {
            value: forms.text(value, LONGEST_VALUE).ok(),
            thermograph: walls,
            ..Entry::of_outcome(forms.outcome(value))
        }
    }

    /// Bounds on a component: numbers, or ups in games whose stops are all 0.
    fn bounds_of(&mut self, game: &Game) -> Result<Option<[String; 2]>, GaveUp> {
        let rules = game.kind.rules();
        let far = i64::try_from(rules.size(&game.position) + 1).unwrap_or(i64::MAX >> 8);
        let eighths = Scale::Numbers {
            step: Dyadic::new(1, BOUND_EXPONENT),
        };
        let (scale, far) = if rules.is_all_small() {
            (Scale::Ups, far)
        } else {
            (eighths, far << BOUND_EXPONENT)
        };
        let found = self.bounds(std::slice::from_ref(game), &scale, -far, far)?;
        Ok(found
            .below
            .zip(found.above)
            .map(|(low, high)| [low.value.to_string(), high.value.to_string()]))
    }

    /// The names of the moves that another move of the same player dominates.
    fn dominated_moves(&mut self, game: &Game, player: Player) -> Result<Vec<String>, GaveUp> {
        let moves = game.moves(player);
        let mut values = Vec::new();
        for mv in &moves {
            values.push(self.cheap_sum_value(std::slice::from_ref(&mv.result))?);
        }
        let mut dominated: Vec<bool> = Vec::new();
        for at in 0..moves.len() {
            let is_dominated =
                (0..moves.len()).any(|other| self.is_dominated(&values, at, other, player));
            dominated.push(is_dominated);
        }
        // Moves with the same text count as dominated only if all of them are.
        let stays = |text: &str| {
            let mut same = moves
                .iter()
                .zip(&dominated)
                .filter(|(mv, _)| mv.text == text);
            same.any(|(_, &dominated)| !dominated)
        };
        let texts = moves.iter().map(|mv| mv.text.clone());
        let mut names: Vec<String> = texts.filter(|text| !stays(text)).collect();
        names.dedup();
        Ok(names)
    }

    /// Returns true if another move dominates the move `at`. Of equal moves the first one remains.
    fn is_dominated(
        &mut self,
        values: &[Option<Value>],
        at: usize,
        other: usize,
        player: Player,
    ) -> bool {
        let (Some(mine), Some(theirs)) = (values[at], values[other]) else {
            return false;
        };
        if mine == theirs {
            return other < at;
        }
        let (less, more) = match player {
            Player::Left => (mine, theirs),
            Player::Right => (theirs, mine),
        };
        let mut effort = COMPARE_EFFORT;
        let found = self
            .arena
            .metered(&mut effort, |forms| forms.le(less, more));
        found.unwrap_or(false)
    }
}
