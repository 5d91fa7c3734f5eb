//! Reusable memory for simplifications.

use super::node::Value;

/// Buffers and cached comparisons of one simplification, kept for the next.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) buffers: Vec<Vec<Value>>,
    /// For each value, the known results of comparing it with the game being simplified.
    known: Vec<KnownOrder>,
    round: u32,
}

impl Scratch {
    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<KnownOrder>()
    }

    /// Discards all cached comparisons.
    pub(super) fn next_round(&mut self) {
        match self.round.checked_add(1) {
            Some(round) => self.round = round,
            None => {
                *self = Scratch {
                    round: 1,
                    ..Scratch::default()
                }
            }
        }
    }

    /// The cached comparisons of a value.
    pub(super) fn known_order(&self, a: Value) -> KnownOrder {
        let known = self.known.get(a.index()).copied().unwrap_or_default();
        if known.round == self.round {
            known
        } else {
            KnownOrder::default()
        }
    }

    /// The cached comparisons of a value, for writing; `values` is the number of all values.
    pub(super) fn known_order_mut(&mut self, a: Value, values: usize) -> &mut KnownOrder {
        if self.known.len() <= a.index() {
            self.known.resize(values, KnownOrder::default());
        }
        let (round, known) = (self.round, &mut self.known[a.index()]);
        if known.round != round {
            *known = KnownOrder {
                round,
                below: None,
                above: None,
            };
        }
        known
    }
}

/// Cached comparisons, valid in one round of [`Scratch`].
#[derive(Clone, Copy, Default)]
pub(super) struct KnownOrder {
    round: u32,
    pub(super) below: Option<bool>,
    pub(super) above: Option<bool>,
}
