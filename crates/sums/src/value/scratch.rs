//! What one simplification needs, kept to be used again.

use super::node::Value;

/// Buffers and memory of one simplification, kept to be used again.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) spare: Vec<Vec<Value>>,
    /// By value: what is known of its order with the game being simplified.
    seen: Vec<Seen>,
    round: u32,
}

impl Scratch {
    pub(super) fn bytes(&self) -> usize {
        self.seen.capacity() * size_of::<Seen>()
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
    pub(super) fn seen(&self, a: Value) -> Seen {
        let seen = self.seen.get(a.index()).copied().unwrap_or_default();
        if seen.round == self.round {
            seen
        } else {
            Seen::default()
        }
    }

    /// The same to be written; there are so many values.
    pub(super) fn seen_mut(&mut self, a: Value, values: usize) -> &mut Seen {
        if self.seen.len() <= a.index() {
            self.seen.resize(values, Seen::default());
        }
        let (round, seen) = (self.round, &mut self.seen[a.index()]);
        if seen.round != round {
            *seen = Seen {
                round,
                below: None,
                above: None,
            };
        }
        seen
    }
}

/// Answers that hold in one round of [`Scratch`].
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    round: u32,
    pub(super) below: Option<bool>,
    pub(super) above: Option<bool>,
}
