//! What one simplification needs, kept to be used again.

use super::node::Value;

/// Buffers and memory of one simplification, kept to be used again.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) buffers: Vec<Vec<Value>>,
    /// By value: what is known of its order with the game being simplified.
    known: Vec<KnownOrder>,
    round: u32,
}

impl Scratch {
    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<KnownOrder>()
    }

    /// Forgets all answers.
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

    /// What is known of a value.
    pub(super) fn known_order(&self, a: Value) -> KnownOrder {
        let known = self.known.get(a.index()).copied().unwrap_or_default();
        if known.round == self.round {
            known
        } else {
            KnownOrder::default()
        }
    }

    /// The same to be written; there are so many values.
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

/// Answers that hold in one round of [`Scratch`].
#[derive(Clone, Copy, Default)]
pub(super) struct KnownOrder {
    round: u32,
    pub(super) below: Option<bool>,
    pub(super) above: Option<bool>,
}
