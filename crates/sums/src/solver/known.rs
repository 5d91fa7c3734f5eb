//! What a solver learns from databases, and what databases learn from it.

use super::arena::Arena;
use super::components::{ComponentId, Item, Term, Worth};
use super::{GaveUp, Solver};
use crate::db::{Database, Entry};
use crate::game::Kind;
use crate::value::{Outcome, Player};

/// Values longer than this are not written down: searching is cheaper than reading them.
const LONGEST_VALUE: usize = 4_000;

impl Arena {
    /// Takes over what databases know about a component.
    pub(super) fn ask_databases(&mut self, id: ComponentId) {
        self.components.get_mut(id).asked = true;
        let kind = self.components.get(id).kind;
        let position = self.components.position(id);
        let Some(entry) = self
            .databases
            .iter()
            .find_map(|database| database.get(kind, position))
        else {
            return;
        };
        let value = entry.value.and_then(|text| self.forms.parse(&text).ok());
        if let Some(value) = value.filter(|&value| self.forms.outcome(value) == entry.outcome) {
            self.components.get_mut(id).worth = Worth::Known(value);
        }
        for first in Player::BOTH {
            self.prove(id, first, entry.outcome.wins_first(first));
        }
    }
}

impl Solver {
    /// Uses a database from now on.
    pub fn attach(&mut self, database: Database) {
        self.arena.databases.push(database);
    }

    /// Finds outcome and, where it is cheap, value of every component of a position.
    pub fn learn(&mut self, kind: Kind, position: &[u8]) -> Result<(), GaveUp> {
        self.start();
        let mut items = Vec::new();
        self.arena.split_into(kind, position, &mut items)?;
        for item in items {
            let Term::Component(id) = item.term() else {
                continue;
            };
            let known = matches!(self.arena.components.get(id).worth, Worth::Known(_));
            if known || self.arena.value_beside(id, VALUE_EFFORT).is_some() {
                continue;
            }
            let sum = self.table.intern(&[Item::component(id)]);
            for first in Player::BOTH {
                self.solve(sum, first)?;
            }
        }
        Ok(())
    }

    /// Shows every component of a game whose outcome is known.
    pub fn each_known(&mut self, kind: Kind, mut show: impl FnMut(&[u8], Entry)) {
        for id in self.arena.components.ids() {
            if self.arena.components.get(id).kind != kind {
                continue;
            }
            let entry = match self.arena.components.get(id).worth {
                Worth::Known(value) => {
                    let outcome = self.arena.forms.outcome(value);
                    Some(Entry {
                        outcome,
                        value: self.arena.forms.text(value, LONGEST_VALUE).ok(),
                    })
                }
                _ => self.proven_outcome(id).map(|outcome| Entry {
                    outcome,
                    value: None,
                }),
            };
            if let Some(entry) = entry {
                show(self.arena.components.position(id), entry);
            }
        }
    }

    /// The outcome of a component that the search has settled for both players.
    fn proven_outcome(&self, id: ComponentId) -> Option<Outcome> {
        let sum = self.table.find(&[Item::component(id)])?;
        let [left, right] = Player::BOTH.map(|first| self.work.result(sum, first));
        Some(match (left?, right?) {
            (true, true) => Outcome::Next,
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::Previous,
        })
    }
}

/// What may be spent on the value of a component for a database.
const VALUE_EFFORT: u64 = 1 << 20;
