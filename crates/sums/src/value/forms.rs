//! The arena of canonical forms: stores each value once, with its options and stops.

use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::cache::{PairMap, PairSet};
use super::node::{Node, Value};
use super::scratch::Scratch;
use super::shape::Weight;
use super::{Dyadic, Nus, Outcome, Player, Thermograph};
use crate::interrupt::Interrupt;

/// The limits of a [`Forms`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Uncached comparisons, sums and simplifications.
    pub steps: u64,
    /// Bytes: half of them for forms, a quarter each for cached comparisons and cached sums.
    pub bytes: usize,
    /// Nested calls; each takes a few hundred bytes of stack.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            bytes: 2 << 30,
            depth: 2_000,
        }
    }
}

impl Limits {
    /// Sets the number of steps.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Limits {
        self.steps = steps;
        self
    }

    /// Sets the number of bytes.
    #[must_use]
    pub fn with_bytes(mut self, bytes: usize) -> Limits {
        self.bytes = bytes;
        self
    }

    /// Sets the depth of nested calls.
    #[must_use]
    pub fn with_depth(mut self, depth: u32) -> Limits {
        self.depth = depth;
        self
    }
}

/// Returned when a value would exceed the [`Limits`].
///
/// Intermediate results are kept: a repeated call with larger limits continues from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OutOfBudget {
    /// Too many steps.
    Steps,
    /// Too many bytes.
    Bytes,
    /// Options nested too deep.
    Depth,
    /// The number of ups does not fit into 64 bits.
    Ups,
    /// The interrupt is due.
    Interrupted,
}

impl std::fmt::Display for OutOfBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            OutOfBudget::Steps => "the value takes more steps than allowed",
            OutOfBudget::Bytes => "the value takes more memory than allowed",
            OutOfBudget::Depth => "the value's options are nested deeper than allowed",
            OutOfBudget::Ups => "the value has more ups than 64 bits count",
            OutOfBudget::Interrupted => "the value was not found in time",
        })
    }
}

impl std::error::Error for OutOfBudget {}

/// Canonical forms, interned: equal games have equal ids.
///
/// Numbers, ups and nimbers are stored in closed form; their options are created on demand.
/// Comparisons and sums are cached.
pub struct Forms {
    pub(super) nodes: Vec<Node>,
    /// The options of all nodes: Left's, then Right's for each node.
    pub(super) pool: Vec<Value>,
    pub(super) closed: Vec<Nus>,
    pub(super) by_options: HashTable<u32>,
    pub(super) by_closed: HashTable<u32>,
    pub(super) order: PairSet,
    pub(super) sums: PairMap,
    pub(super) limits: Limits,
    pub(super) steps: u64,
    pub(super) interrupt: Interrupt,
    /// The number of steps at which the interrupt is checked next.
    pub(super) next_check: u64,
    pub(super) depth: u32,
    pub(super) scratch: Scratch,
    pub(super) thermographs: FxHashMap<Value, Arc<Thermograph>>,
    /// The atomic weights found so far; none for games that are not all-small.
    pub(super) weights: FxHashMap<Value, Option<Weight>>,
}

impl Default for Forms {
    fn default() -> Forms {
        Forms::new(Limits::default())
    }
}

/// Construction and inspection of values.
impl Forms {
    /// Creates an arena that contains only 0.
    pub fn new(limits: Limits) -> Forms {
        let mut forms = Forms {
            nodes: Vec::new(),
            pool: Vec::new(),
            closed: Vec::new(),
            by_options: HashTable::new(),
            by_closed: HashTable::new(),
            order: PairSet::new(),
            sums: PairMap::new(),
            limits,
            steps: 0,
            interrupt: Interrupt::never(),
            next_check: 0,
            depth: 0,
            scratch: Scratch::default(),
            thermographs: FxHashMap::default(),
            weights: FxHashMap::default(),
        };
        forms.push_closed(Value::ZERO, Nus::ZERO);
        forms
    }

    /// The limits; they may be changed between calls.
    pub(crate) fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    /// Allows this many further steps.
    pub fn allow_steps(&mut self, more: u64) {
        self.limits.steps = self.steps.saturating_add(more);
    }

    /// Gives up with [`OutOfBudget::Interrupted`] when this interrupt is due.
    pub(crate) fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
        self.next_check = self.steps;
    }

    /// Steps taken so far: deterministic for a sequence of calls.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: 0 is always present.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes of forms and tables together.
    pub fn bytes(&self) -> usize {
        self.form_bytes() + self.order.bytes() + self.sums.bytes()
    }

    /// The integer `n`.
    pub fn integer(&mut self, n: i64) -> Result<Value, OutOfBudget> {
        self.number(Dyadic::integer(n))
    }

    /// A number.
    pub fn number(&mut self, number: Dyadic) -> Result<Value, OutOfBudget> {
        self.nus(Nus::number(number))
    }

    /// Number + ups + nimber.
    pub fn nus(&mut self, nus: Nus) -> Result<Value, OutOfBudget> {
        self.intern_closed(nus)
    }

    /// The value as number + ups + nimber, if it is one.
    pub fn as_nus(&self, value: Value) -> Option<&Nus> {
        self.closed_of(value)
    }

    /// The value as a number, if it is one.
    pub fn as_number(&self, value: Value) -> Option<&Dyadic> {
        self.closed_of(value)
            .filter(|nus| nus.is_number())
            .map(|nus| &nus.number)
    }

    /// The canonical options of a player.
    pub fn options(&mut self, value: Value, player: Player) -> Result<&[Value], OutOfBudget> {
        let range = self.range(value, player)?;
        Ok(&self.pool[range])
    }

    /// The number at which play stops when `first` moves first and both play well.
    pub fn stop(&self, value: Value, first: Player) -> &Dyadic {
        let stop = self.stop_of(value, first);
        self.number_of(stop.number)
    }

    /// The player to move at the stop, when `first` moves first: decides the comparison with the stop.
    pub(crate) fn stop_side(&self, value: Value, first: Player) -> Player {
        self.stop_of(value, first).side()
    }

    /// The outcome.
    pub fn outcome(&self, value: Value) -> Outcome {
        Outcome::of_relation(self.compare_number(value, Value::ZERO))
    }

    /// Returns true if the value is infinitely close to a number: both stops are equal.
    pub fn is_numberish(&self, value: Value) -> bool {
        let [left, right] = self.node(value).stops;
        left.number == right.number
    }
}
