//! Variables and dictionaries.

use super::Matcher;
use crate::ast::{Preset, Type, VarId, Variable};
use crate::ir::*;
use crate::positions::{NO_PIECE, bit};
use crate::result::GiveUp;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Dictionaries as large as this are freed after the game.
const MANY_ENTRIES: usize = 1 << 12;

/// The value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Unbound,
    Entry(Entry),
    Set(u64),
    Piece(u8),
    /// In a box, so that a value is small and one number tells its kind.
    Dictionary(Box<FxHashMap<Entry, Entry>>),
}

/// A value that can be a key or an entry of a dictionary, or sort games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Entry {
    Num(i64),
    Text(Arc<str>),
    Set(u64),
    Place(u32),
}

impl Value {
    pub fn number(&self) -> Option<i64> {
        match self {
            Value::Entry(Entry::Num(n)) => Some(*n),
            _ => None,
        }
    }
}

/// The values before the first game.
pub(super) fn initial(variables: &[Variable]) -> Vec<Value> {
    variables.iter().map(first_value).collect()
}

fn first_value(v: &Variable) -> Value {
    match (&v.preset, v.ty) {
        (Some(Preset::Number(n)), _) => Value::Entry(Entry::Num(*n)),
        (Some(Preset::Text(t)), _) => Value::Entry(Entry::Text(t.as_str().into())),
        (None, Type::Dictionary) => Value::Dictionary(Box::default()),
        (None, Type::Number) if v.persistent => Value::Entry(Entry::Num(0)),
        (None, Type::Text) if v.persistent => Value::Entry(Entry::Text("".into())),
        (None, Type::Set) if v.persistent => Value::Set(0),
        _ => Value::Unbound,
    }
}

/// Between games only persistent variables keep their values.
pub(super) fn next_game(values: &mut [Value], variables: &[Variable]) {
    for (value, variable) in values.iter_mut().zip(variables) {
        if variable.persistent {
            continue;
        }
        match value {
            // its memory is used again
            Value::Dictionary(map) if map.capacity() < MANY_ENTRIES => map.clear(),
            _ => *value = first_value(variable),
        }
    }
}

impl Value {
    /// Merges values accumulated separately from the same first value; those of `self` are from
    /// earlier games.
    fn gather(&mut self, later: &mut Value, first: &Value) {
        match (self, later, first) {
            (
                Value::Entry(Entry::Num(n)),
                Value::Entry(Entry::Num(m)),
                Value::Entry(Entry::Num(first)),
            ) => *n = n.saturating_add(m.saturating_sub(*first)),
            (
                Value::Entry(Entry::Text(text)),
                Value::Entry(Entry::Text(more)),
                Value::Entry(Entry::Text(first)),
            ) => {
                let added = more.strip_prefix(&**first).unwrap_or(more);
                *text = format!("{text}{added}").into();
            }
            (Value::Set(set), Value::Set(more), _) => *set |= *more,
            (Value::Dictionary(entries), Value::Dictionary(more), _) => {
                if entries.is_empty() {
                    std::mem::swap(entries, more);
                } else {
                    entries.extend(more.drain());
                }
            }
            _ => {}
        }
    }
}

impl Matcher<'_> {
    /// Moves here the values that another matcher of the same query accumulated in later games, which
    /// must be [restarted](Matcher::restart) before it searches more; see
    /// [`crate::Query::is_parallel`]. Fails if the values of all games take too much memory.
    pub fn absorb(&mut self, later: &mut Matcher<'_>) -> Result<(), GiveUp> {
        for (i, variable) in self.q.variables.iter().enumerate() {
            if self.q.merging.is_gathered(i) {
                self.values[i].gather(&mut later.values[i], &first_value(variable));
            }
        }
        self.keep_absorbed(later)
    }

    /// Forgets the values of persistent variables, as if no game had been searched; the memory is
    /// kept for the next games.
    pub fn restart(&mut self) {
        self.values = initial(&self.q.variables);
        self.forget_persistent();
    }
}

impl<'q> Matcher<'q> {
    fn bind(&mut self, var: VarId, value: Value) -> bool {
        let bytes = match &value {
            Value::Entry(entry @ Entry::Text(_)) => entry.bytes(),
            _ => 0,
        };
        self.values[var.0 as usize] = value;
        if bytes > 0 {
            self.keep_in(var, bytes);
        }
        true
    }

    /// Most variables that get a number have one already: nothing need be dropped then.
    #[inline]
    pub(super) fn bind_number(&mut self, var: VarId, n: i64) -> bool {
        match &mut self.values[var.0 as usize] {
            Value::Entry(Entry::Num(old)) => *old = n,
            other => *other = Value::Entry(Entry::Num(n)),
        }
        true
    }

    /// The same for a set.
    #[inline]
    pub(super) fn bind_set(&mut self, var: VarId, set: u64) -> bool {
        match &mut self.values[var.0 as usize] {
            Value::Set(old) => *old = set,
            other => *other = Value::Set(set),
        }
        true
    }

    /// The same for a position.
    #[inline]
    pub(super) fn bind_place(&mut self, var: VarId, at: u32) -> bool {
        match &mut self.values[var.0 as usize] {
            Value::Entry(Entry::Place(old)) => *old = at,
            other => *other = Value::Entry(Entry::Place(at)),
        }
        true
    }

    /// The same for a piece.
    #[inline]
    pub(super) fn bind_piece(&mut self, var: VarId, piece: u8) -> bool {
        match &mut self.values[var.0 as usize] {
            Value::Piece(old) => *old = piece,
            other => *other = Value::Piece(piece),
        }
        true
    }

    fn keep_stored(&mut self, entry: &Entry) {
        if let Entry::Place(at) = entry {
            self.keep_imagined(*at);
        }
    }

    /// Keeps an imagined position that is stored or passed on: its number must not be reused.
    #[inline]
    pub(super) fn keep_imagined(&mut self, at: u32) {
        self.searches.saved |= self.positions.is_imagined(at);
    }

    /// Assigns a value; fails if there is none.
    pub(super) fn assign(&mut self, assign: Assign) -> bool {
        match assign {
            Assign::Set {
                var,
                value,
                only_nonempty,
            } => {
                let set = self.set(value);
                !(only_nonempty && set == 0) && self.bind_set(var, set)
            }
            Assign::Num(var, num) => match self.num(num) {
                Some(n) => self.bind_number(var, n),
                None => false,
            },
            Assign::Text(var, text) => match self.text(text) {
                Some(t) => self.bind(var, Value::Entry(Entry::Text(t))),
                None => false,
            },
            Assign::Place(var, place) => match self.place(place) {
                Some(p) => {
                    self.keep_imagined(p);
                    self.bind_place(var, p)
                }
                None => false,
            },
        }
    }

    /// The value of a number variable.
    pub(super) fn number_variable(&mut self, var: VarId) -> Option<i64> {
        let number = self.values[var.0 as usize].number();
        if number.is_none() {
            self.report_unbound(var);
        }
        number
    }

    /// Binds a piece if the set is one square with a piece on it.
    pub(super) fn assign_piece(&mut self, var: VarId, set: SetId) -> bool {
        let set = self.set(set);
        if set.count_ones() != 1 {
            return false;
        }
        let piece = self.piece_on(set.trailing_zeros());
        piece != NO_PIECE && self.bind_piece(var, piece)
    }

    pub(super) fn unbind(&mut self, var: VarId) -> bool {
        let slot = &mut self.values[var.0 as usize];
        *slot = match slot {
            Value::Dictionary(_) => Value::Dictionary(Box::default()),
            _ => Value::Unbound,
        };
        true
    }

    /// The square of a bound piece at this position, if it is still there.
    #[inline]
    pub(super) fn piece_square(&self, piece: u8) -> u64 {
        let pieces = self.positions.pieces.get(self.at as usize);
        pieces.map_or(0, |pieces| bit(pieces.square(piece)))
    }

    pub(super) fn entry(&mut self, key: Key) -> Option<Entry> {
        match key {
            Key::Num(id) => self.num(id).map(Entry::Num),
            Key::Text(id) => self.text(id).map(Entry::Text),
            Key::Set(id) => Some(Entry::Set(self.set(id))),
            Key::Place(id) => self.place(id).map(Entry::Place),
            Key::Bool(id) => self.truth(id).then_some(Entry::Num(1)),
        }
    }

    pub(super) fn key(&mut self, key: Key) -> Option<Entry> {
        self.entry(key)
    }

    pub(super) fn lookup(&mut self, dict: VarId, key: Key) -> Option<Entry> {
        // the key of an entry that cannot be there need not be computed
        if self.q.planned
            && matches!(&self.values[dict.0 as usize], Value::Dictionary(map) if map.is_empty())
            && key.props(&self.q.ir).is_pure()
        {
            return None;
        }
        let key = self.entry(key)?;
        match &self.values[dict.0 as usize] {
            Value::Dictionary(map) => map.get(&key).cloned(),
            _ => None,
        }
    }

    pub(super) fn store(&mut self, dict: VarId, key: Key, value: Key) -> bool {
        let (Some(key), Some(value)) = (self.entry(key), self.entry(value)) else {
            return false;
        };
        self.keep_stored(&key);
        self.keep_stored(&value);
        if let Value::Dictionary(map) = &mut self.values[dict.0 as usize] {
            // entries are kept until the game ends, or permanently
            let bytes = key.bytes() + value.bytes();
            map.insert(key, value);
            self.spend(bytes);
            self.keep_in(dict, bytes);
        }
        true
    }

    pub(super) fn forget(&mut self, dict: VarId, key: Key) -> bool {
        let Some(key) = self.entry(key) else {
            return false;
        };
        if let Value::Dictionary(map) = &mut self.values[dict.0 as usize] {
            map.remove(&key);
        }
        true
    }

    /// Evaluates the body with each key in order.
    pub(super) fn each_key(&mut self, dict: VarId, var: VarId, body: BoolId) -> bool {
        let Value::Dictionary(map) = &self.values[dict.0 as usize] else {
            return true;
        };
        let mut keys: Vec<Entry> = map.keys().cloned().collect();
        keys.sort_unstable();
        let old = std::mem::replace(&mut self.values[var.0 as usize], Value::Unbound);
        for key in keys {
            self.values[var.0 as usize] = match key {
                Entry::Set(set) => Value::Set(set),
                other => Value::Entry(other),
            };
            self.truth(body);
            if self.steps == 0 {
                break;
            }
        }
        self.values[var.0 as usize] = old;
        true
    }

    // --- atomic variables ---

    /// The values that a path restores on backtracking.
    pub(super) fn atomics(&self) -> Vec<(usize, Value)> {
        if !self.q.ir.has_atomics() {
            return Vec::new();
        }
        let slots = self
            .q
            .variables
            .iter()
            .enumerate()
            .filter(|(_, v)| v.atomic);
        slots.map(|(i, _)| (i, self.values[i].clone())).collect()
    }

    pub(super) fn restore_atomics(&mut self, atomics: &[(usize, Value)]) {
        for (slot, value) in atomics {
            self.values[*slot] = value.clone();
        }
    }
}
