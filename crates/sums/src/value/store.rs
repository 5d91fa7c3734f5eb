//! Storage of canonical forms: interning, closed forms and their options.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::FxHasher;

use super::forms::{Forms, OutOfBudget};
use super::node::{NONE, Node, Stop, Value, closed_stops, coarse};
use super::shape::Weight;
use super::{Dyadic, Nus, Player};

/// Ids stay below 2³¹, as the caches of pairs require.
const MOST_NODES: usize = (1 << 31) - 1;
/// Approximate bytes of a cached thermograph: two walls with a few breaks.
const THERMOGRAPH_BYTES: usize = 500;
/// Bytes of a new form without its options, including tables.
const NODE_BYTES: usize = 96;
/// Options created between two checks of the interrupt: about a millisecond.
const OPTIONS_PER_CHECK: usize = 1 << 12;

impl Forms {
    #[inline]
    pub(super) fn node(&self, value: Value) -> &Node {
        &self.nodes[value.index()]
    }

    #[inline]
    pub(super) fn stop_of(&self, value: Value, first: Player) -> Stop {
        self.node(value).stops[first as usize]
    }

    /// Compares two stops from Left's point of view.
    #[inline]
    pub(super) fn compare_stops(&self, a: Stop, b: Stop) -> Ordering {
        if a.key >> 1 != b.key >> 1 || a.key & 2 == 0 {
            a.key.cmp(&b.key)
        } else {
            self.compare_close_stops(a, b)
        }
    }

    #[cold]
    fn compare_close_stops(&self, a: Stop, b: Stop) -> Ordering {
        let numbers = self.number_of(a.number).cmp(self.number_of(b.number));
        numbers.then((a.key & 1).cmp(&(b.key & 1)))
    }

    #[inline]
    pub(super) fn closed_of(&self, value: Value) -> Option<&Nus> {
        self.closed.get(self.node(value).closed as usize)
    }

    /// Returns true for a number: a number, and no other game, equals its stops.
    #[inline]
    pub(super) fn is_number(&self, value: Value) -> bool {
        self.node(value).stops[0].number == value
    }

    /// The number of a value that must be a number, such as a stop.
    pub(super) fn number_of(&self, value: Value) -> &Dyadic {
        self.closed_of(value)
            .map_or(const { &Dyadic::ZERO }, |nus| &nus.number)
    }

    /// The range of a player's options in the pool; those of a closed form are created on demand.
    #[inline]
    pub(super) fn range(&mut self, of: Value, player: Player) -> Result<Range<usize>, OutOfBudget> {
        if self.node(of).first == NONE {
            self.expand(of)?;
        }
        Ok(self.node(of).range(player))
    }

    /// The form with these sorted options, which must be canonical and not closed.
    pub(super) fn intern(
        &mut self,
        left: &[Value],
        right: &[Value],
        stops: [Stop; 2],
    ) -> Result<Value, OutOfBudget> {
        let hash = hash_options(left, right);
        let (nodes, pool) = (&self.nodes, &self.pool);
        let options = |id: &u32, player| &pool[nodes[*id as usize].range(player)];
        let same =
            |id: &u32| options(id, Player::Left) == left && options(id, Player::Right) == right;
        if let Some(&id) = self.by_options.find(hash, same) {
            return Ok(Value(id));
        }
        self.check_room(left.len() + right.len())?;
        let id = self.nodes.len() as u32;
        let first = self.push_options(left, right);
        let (lefts, rights) = (left.len() as u32, right.len() as u32);
        self.nodes.push(Node {
            stops,
            first,
            lefts,
            rights,
            negative: NONE,
            closed: NONE,
        });
        let (nodes, pool) = (&self.nodes, &self.pool);
        self.by_options.insert_unique(hash, id, |&id| {
            let node = &nodes[id as usize];
            hash_options(
                &pool[node.range(Player::Left)],
                &pool[node.range(Player::Right)],
            )
        });
        Ok(Value(id))
    }

    /// The form of number + ups + nimber.
    pub(super) fn intern_closed(&mut self, nus: Nus) -> Result<Value, OutOfBudget> {
        if let Some(known) = self.find_closed(&nus) {
            return Ok(known);
        }
        self.check_room(0)?;
        let number = if nus.is_number() {
            Value(self.nodes.len() as u32)
        } else {
            self.intern_closed(Nus::number(nus.number.clone()))?
        };
        Ok(self.push_closed(number, nus))
    }

    pub(super) fn find_closed(&self, nus: &Nus) -> Option<Value> {
        let same = |id: &u32| self.closed_of(Value(*id)) == Some(nus);
        self.by_closed
            .find(hash_nus(nus), same)
            .map(|&id| Value(id))
    }

    /// Stores a new closed form, with the id of the number it is close to.
    pub(super) fn push_closed(&mut self, number: Value, nus: Nus) -> Value {
        let id = self.nodes.len() as u32;
        let closed = self.closed.len() as u32;
        let hash = hash_nus(&nus);
        let stops = closed_stops(number, &nus);
        self.nodes.push(Node {
            stops,
            first: NONE,
            lefts: 0,
            rights: 0,
            negative: NONE,
            closed,
        });
        self.closed.push(nus);
        let (nodes, all) = (&self.nodes, &self.closed);
        let rehash = |id: &u32| hash_nus(&all[nodes[*id as usize].closed as usize]);
        self.by_closed.insert_unique(hash, id, rehash);
        Value(id)
    }

    /// The stop with another number and the same side.
    pub(super) fn translated(&self, stop: Stop, number: Value) -> Stop {
        Stop::new(number, coarse(self.number_of(number)), stop.side())
    }

    /// The stop with the players exchanged; `number` is the negative of its number.
    pub(super) fn mirrored(&self, stop: Stop, number: Value) -> Stop {
        Stop::new(number, coarse(self.number_of(number)), !stop.side())
    }

    /// Creates the canonical options of a closed form.
    #[cold]
    fn expand(&mut self, value: Value) -> Result<(), OutOfBudget> {
        let Some(nus) = self.closed_of(value).cloned() else {
            return Ok(());
        };
        // Each option of a nimber is a separate form.
        let each = usize::try_from(nus.nimber).unwrap_or(usize::MAX);
        self.check_room(each.saturating_mul(NODE_BYTES / 2))?;
        let [left, right] = nus.options();
        let mut options = Vec::with_capacity(left.len() + right.len());
        let (lefts, rights) = (left.len() as u32, right.len() as u32);
        for option in left.into_iter().chain(right) {
            if options.len() % OPTIONS_PER_CHECK == OPTIONS_PER_CHECK - 1 {
                self.check_interrupt()?;
            }
            options.push(self.intern_closed(option)?);
        }
        options[..lefts as usize].sort_unstable();
        options[lefts as usize..].sort_unstable();
        let first = self.push_options(&options, &[]);
        let node = &mut self.nodes[value.index()];
        (node.first, node.lefts, node.rights) = (first, lefts, rights);
        Ok(())
    }

    fn push_options(&mut self, left: &[Value], right: &[Value]) -> u32 {
        let first = self.pool.len() as u32; // `check_room` keeps it in range
        self.pool.extend_from_slice(left);
        self.pool.extend_from_slice(right);
        first
    }

    /// Checks that there is space for one more form with this many options.
    fn check_room(&self, options: usize) -> Result<(), OutOfBudget> {
        let full = self.nodes.len() + 2 >= MOST_NODES
            || options >= NONE as usize - self.pool.len()
            || options * size_of::<Value>() + NODE_BYTES + self.form_bytes()
                > self.limits.bytes / 2;
        if full {
            Err(OutOfBudget::Bytes)
        } else {
            Ok(())
        }
    }

    /// Bytes of all data about single forms.
    pub(super) fn form_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.pool.capacity() * size_of::<Value>()
            + self.closed.capacity() * size_of::<Nus>()
            + self.by_options.allocation_size()
            + self.by_closed.allocation_size()
            + self.scratch.bytes()
            + self.thermographs.len() * THERMOGRAPH_BYTES
            + self.weights.capacity() * size_of::<(Value, Option<Weight>)>()
    }

    /// Bytes allowed for one cache of pairs.
    pub(super) fn table_bytes(&self) -> usize {
        self.limits.bytes / 4
    }
}

fn hash_options(left: &[Value], right: &[Value]) -> u64 {
    let mut hasher = FxHasher::default();
    left.iter().for_each(|value| hasher.write_u32(value.0));
    hasher.write_u32(NONE);
    right.iter().for_each(|value| hasher.write_u32(value.0));
    hasher.finish()
}

fn hash_nus(nus: &Nus) -> u64 {
    let mut hasher = FxHasher::default();
    nus.hash(&mut hasher);
    hasher.finish()
}
