//! Rungs of sums of two values, from the rungs of their options.
//!
//! The rungs of a pair are exact, while the rungs of two values, added up, are only bounds. So a sum
//! of two values is decided, and a larger sum is divided into pairs in all ways.

use super::arena::Arena;
use super::common::Common;
use super::components::{Item, Term};
use super::rungs::{OfOptions, Rungs, Shift, Total};
use crate::value::{Player, Value};
use std::sync::Arc;

/// The pairs that may be computed for one pair of a sum. All results are kept, so that the next
/// attempt starts where this one ended.
const EFFORT: u32 = 40;

/// Larger sums are not divided: six values are divided in 15 ways.
const MOST_VALUES: usize = 7;

/// What is known about a value.
#[derive(Clone, Copy)]
struct Known {
    rungs: Rungs,
    negative: u32,
    /// Where Left's options start, where Right's options start, and where they end.
    options: [u32; 3],
}

/// Not computed yet.
const MISSING: u32 = u32::MAX;

const UNKNOWN: Known = Known {
    rungs: Rungs::NONE,
    negative: MISSING,
    options: [MISSING; 3],
};

/// An option of a value: ups and a star, and another value or 0.
#[derive(Clone, Copy)]
struct Part {
    core: u32,
    shift: Shift,
    /// Of the whole option.
    rungs: Rungs,
}

/// The ids of two values, and the rungs of their sum.
#[derive(Clone, Copy)]
struct Entry {
    pair: [u32; 2],
    rungs: Rungs,
}

/// Some entries in a cache line of their own, newest first.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Entry; WAYS]);

const WAYS: usize = 4;

/// No pair contains the value 0.
const NO_PAIR: [u32; 2] = [0; 2];

const EMPTY: Bucket = Bucket(
    [Entry {
        pair: NO_PAIR,
        rungs: Rungs::NONE,
    }; WAYS],
);

/// The number of buckets of the first table.
const START: usize = 1 << 8;

/// A full table becomes this many times as large.
const GROWTH: usize = 4;

/// The pairs that a thread has computed. When there is no more memory, new pairs replace old ones.
pub(super) struct Pairs {
    buckets: Vec<Bucket>,
    inserted: usize,
    /// By the ids of values.
    known: Vec<Known>,
    options: Vec<Part>,
    /// Counts the bytes of all threads.
    common: Arc<Common>,
    counted: usize,
}

impl Pairs {
    pub fn new(common: Arc<Common>) -> Pairs {
        Pairs {
            buckets: Vec::new(),
            inserted: 0,
            known: Vec::new(),
            options: Vec::new(),
            common,
            counted: 0,
        }
    }

    #[inline]
    fn bucket(&self, [a, b]: [u32; 2]) -> usize {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let hash = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(SPREAD);
        let hash = (hash ^ hash >> 32).wrapping_mul(SPREAD);
        (hash >> 32) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    fn get(&self, pair: [u32; 2]) -> Option<Rungs> {
        if self.buckets.is_empty() {
            return None;
        }
        let Bucket(entries) = &self.buckets[self.bucket(pair)];
        let found = entries.iter().find(|entry| entry.pair == pair);
        found.map(|entry| entry.rungs)
    }

    fn insert(&mut self, pair: [u32; 2], rungs: Rungs) {
        if self.inserted >= self.buckets.len() * WAYS / 2 {
            self.grow();
        }
        if !self.buckets.is_empty() {
            self.inserted += 1;
            self.place(Entry { pair, rungs });
        }
    }

    fn place(&mut self, entry: Entry) {
        let at = self.bucket(entry.pair);
        let Bucket(entries) = &mut self.buckets[at];
        entries.rotate_right(1);
        entries[0] = entry;
    }

    /// Makes the table larger if all threads together have the memory.
    fn grow(&mut self) {
        let larger = (GROWTH * self.buckets.len()).max(START);
        if !self.common.has_room_for_pairs(larger * size_of::<Bucket>()) {
            return;
        }
        let old = std::mem::replace(&mut self.buckets, vec![EMPTY; larger]);
        for Bucket(entries) in old {
            let entries = entries.into_iter().rev();
            entries
                .filter(|entry| entry.pair != NO_PAIR)
                .for_each(|entry| self.place(entry));
        }
        self.count_bytes();
    }

    /// The options of both players, between these places.
    fn parts(&self, [left, right, end]: [u32; 3]) -> impl Iterator<Item = (Player, &Part)> {
        let (left, right, end) = (left as usize, right as usize, end as usize);
        let of = |player| move |part| (player, part);
        let lefts = self.options[left..right].iter().map(of(Player::Left));
        lefts.chain(self.options[right..end].iter().map(of(Player::Right)))
    }

    /// Tells all threads how much memory this one uses.
    fn count_bytes(&mut self) {
        let bytes = self.buckets.capacity() * size_of::<Bucket>()
            + self.known.capacity() * size_of::<Known>()
            + self.options.capacity() * size_of::<Part>();
        self.common.count_pair_bytes(self.counted, bytes);
        self.counted = bytes;
    }
}

impl Drop for Pairs {
    fn drop(&mut self) {
        self.common.count_pair_bytes(self.counted, 0);
    }
}

/// What pairs prove about a sum.
pub(super) struct Verdict {
    /// The mover wins or loses.
    pub wins: Option<bool>,
    /// How many ups each player, the mover first, lacks for a win as the first player.
    pub lacking: Option<[i64; 2]>,
}

impl Verdict {
    const UNKNOWN: Verdict = Verdict {
        wins: None,
        lacking: None,
    };
}

/// A sum that is divided into pairs.
struct Division {
    count: usize,
    singles: [Rungs; MOST_VALUES],
    /// The rungs of pairs, the larger number first; none of pairs that take too much effort.
    pairs: [[Rungs; MOST_VALUES]; MOST_VALUES],
    mover: Player,
    verdict: Verdict,
}

impl Division {
    /// Divides the values that are not taken in all ways, until one decides the sum.
    fn divide(&mut self, taken: u32, total: Total) {
        if self.verdict.wins.is_some() {
            return;
        }
        let is_free = |at: &usize| taken >> at & 1 == 0;
        let Some(last) = (0..self.count).rev().find(is_free) else {
            return self.judge(total);
        };
        let taken = taken | 1 << last;
        let rest = self.count - taken.count_ones() as usize;
        let mut alone = rest.is_multiple_of(2);
        for other in (0..last).filter(is_free) {
            match self.pairs[last][other] {
                Rungs::NONE => alone = true,
                pair => self.divide(taken | 1 << other, total.plus(pair)),
            }
        }
        if alone {
            self.divide(taken, total.plus(self.singles[last]));
        }
    }

    fn judge(&mut self, total: Total) {
        let now = total.lacking_ups(self.mover);
        let before = self.verdict.lacking.unwrap_or(now);
        self.verdict = Verdict {
            wins: total.decide(self.mover),
            lacking: Some([now[0].min(before[0]), now[1].min(before[1])]),
        };
    }
}

impl Arena {
    /// Judges a sum of infinitesimal values by its pairs.
    pub(super) fn judge_by_pairs(&mut self, items: &[Item], mover: Player) -> Verdict {
        self.divide(items, mover).unwrap_or(Verdict::UNKNOWN)
    }

    fn divide(&mut self, items: &[Item], mover: Player) -> Option<Verdict> {
        let (mut values, mut count) = ([0; MOST_VALUES], 0);
        let mut singles = [Rungs::NONE; MOST_VALUES];
        let mut total = Total::ZERO;
        for item in items {
            let Term::Value(value) = item.term() else {
                return None;
            };
            let value = value.index() as u32;
            let rungs = self.known(value)?.rungs;
            if rungs.as_shift().is_some() {
                total = total.plus(rungs);
            } else {
                *values.get_mut(count)? = value;
                singles[count] = rungs;
                count += 1;
            }
        }
        if count < 2 {
            return None;
        }
        let mut pairs = [[Rungs::NONE; MOST_VALUES]; MOST_VALUES];
        for a in 1..count {
            for b in 0..a {
                let found = self.pair_rungs([values[a], values[b]], &mut EFFORT.clone());
                pairs[a][b] = found.unwrap_or(Rungs::NONE);
            }
        }
        let mut division = Division {
            count,
            singles,
            pairs,
            mover,
            verdict: Verdict::UNKNOWN,
        };
        division.divide(0, total);
        Some(division.verdict)
    }

    /// The rungs of the sum of two values or zeros, if no more than this many pairs have to be
    /// computed.
    fn pair_rungs(&mut self, [a, b]: [u32; 2], effort: &mut u32) -> Option<Rungs> {
        if a == 0 || b == 0 {
            return self.known(a | b).map(|known| known.rungs);
        }
        let [minus_a, minus_b] = [self.known(a)?.negative, self.known(b)?.negative];
        if minus_a == b {
            return Some(Rungs::ZERO);
        }
        // A pair and its negative share an entry.
        let pair = [a.min(b), a.max(b)];
        let negative = [minus_a.min(minus_b), minus_a.max(minus_b)];
        if negative < pair {
            let rungs = self.known_pair_rungs(negative, effort)?;
            Some(rungs.negative())
        } else {
            self.known_pair_rungs(pair, effort)
        }
    }

    fn known_pair_rungs(&mut self, pair: [u32; 2], effort: &mut u32) -> Option<Rungs> {
        if let Some(rungs) = self.pairs.get(pair) {
            return Some(rungs);
        }
        // This limits the depth of nested calls as well.
        *effort = effort.checked_sub(1)?;
        let sides = [(pair[0], pair[1]), (pair[1], pair[0])];
        let mut best = OfOptions::NONE;
        // 1. The parts of each option give bounds.
        for (moved, other) in sides {
            let ends = self.option_parts(moved)?;
            let other = self.known(other)?.rungs;
            for (player, part) in self.pairs.parts(ends) {
                best.add_parts(player, part.rungs, other);
            }
        }
        // 2. Only options that may be better are computed.
        for (moved, other) in sides {
            let ends = self.option_parts(moved)?;
            let rungs = self.known(other)?.rungs;
            for player in Player::BOTH {
                for at in ends[player as usize]..ends[player as usize + 1] {
                    let part = self.pairs.options[at as usize];
                    if best.may_improve(player, part.rungs, rungs) {
                        let option = self.pair_rungs([part.core, other], effort)?;
                        best.add(player, option.plus(part.shift));
                    }
                }
            }
        }
        let rungs = best.rungs()?;
        self.pairs.insert(pair, rungs);
        Some(rungs)
    }

    /// What is known about a value, perhaps without its options; `None` if its rungs are not known.
    #[inline]
    fn known(&mut self, value: u32) -> Option<Known> {
        match self.pairs.known.get(value as usize) {
            Some(known) if known.negative != MISSING => Some(*known),
            _ => self.learn(value),
        }
    }

    fn learn(&mut self, id: u32) -> Option<Known> {
        let value = Value::from_index(id);
        let rungs = match value {
            Value::ZERO => Rungs::ZERO,
            _ => self.facts(Item::value(value)).rungs,
        };
        if rungs == Rungs::NONE {
            return None;
        }
        let known = Known {
            rungs,
            negative: self.negative_value(value).ok()?.index() as u32,
            ..UNKNOWN
        };
        let all = &mut self.pairs.known;
        if all.len() <= id as usize {
            all.resize(id as usize + 1, UNKNOWN);
        }
        all[id as usize] = known;
        self.pairs.count_bytes();
        Some(known)
    }

    /// The places of the options of a value; `None` if the rungs of one of them are not known.
    fn option_parts(&mut self, value: u32) -> Option<[u32; 3]> {
        let known = self.known(value)?.options;
        if known[0] != MISSING {
            return Some(known);
        }
        let mut parts = Vec::new();
        let mut ends = [0; 2];
        let common = Arc::clone(&self.common);
        for player in Player::BOTH {
            let mut options = self.value_options(Value::from_index(value), player).ok()?;
            while let Some(option) = common.lists.next(&mut options) {
                let item = common.lists.items(option).next()?;
                let Term::Value(option) = item.term() else {
                    return None;
                };
                let core = option.index() as u32;
                let rungs = self.known(core)?.rungs;
                let (core, shift) = match rungs.as_shift() {
                    Some(shift) => (0, shift),
                    None => (core, (0, 0)),
                };
                parts.push(Part { core, shift, rungs });
            }
            ends[player as usize] = parts.len() as u32;
        }
        let start = self.pairs.options.len() as u32;
        self.pairs.options.append(&mut parts);
        self.pairs.count_bytes();
        let places = [start, start + ends[0], start + ends[1]];
        self.pairs.known[value as usize].options = places;
        Some(places)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::Solver;
    use super::super::facts::testing::all_small_games;
    use super::*;
    use crate::value::Forms;

    /// A solver with its own values of small games.
    fn solver() -> (Solver, Vec<Value>) {
        let solver = Solver::default();
        let games = all_small_games(&mut solver.arena.common.forms());
        (solver, games)
    }

    fn rungs(forms: &mut Forms, value: Value) -> Rungs {
        Rungs::of_value(forms, value, 0).unwrap()
    }

    #[test]
    fn rungs_of_pairs_are_those_of_the_sums() {
        let (mut solver, games) = solver();
        let arena = &mut solver.arena;
        for a in 0..games.len() {
            for b in 0..=a {
                let pair = [games[a], games[b]].map(|value| value.index() as u32);
                let found = arena.pair_rungs(pair, &mut u32::MAX.clone()).unwrap();
                let mut forms = arena.common.forms();
                let sum = forms.sum(games[a], games[b]).unwrap();
                assert_eq!(found, rungs(&mut forms, sum));
            }
        }
    }

    #[test]
    fn pairs_decide_as_the_sums_do() {
        let (mut solver, games) = solver();
        let arena = &mut solver.arena;
        let (mut pairs, mut decided) = ([0; 2], 0);
        for a in 0..games.len() {
            let b = (5 * a + 3) % games.len();
            let c = (7 * a + 1) % games.len();
            let d = (11 * a + 5) % games.len();
            for all in [&[a, b][..], &[a, b, c], &[a, b, c, d], &[a, b, c, d, a]] {
                let values: Vec<Value> = all.iter().map(|&at| games[at]).collect();
                let items: Vec<Item> = values.iter().copied().map(Item::value).collect();
                let total = arena.total(&values, u64::MAX).unwrap();
                let outcome = arena.common.forms().outcome(total);
                let open = |value: &Value| arena.common.forms().as_nus(*value).is_none();
                let is_pair = values.iter().copied().filter(|value| open(value)).count() == 2;
                for mover in Player::BOTH {
                    let verdict = arena.judge_by_pairs(&items, mover);
                    pairs[0] += usize::from(is_pair);
                    pairs[1] += usize::from(is_pair && verdict.wins.is_some());
                    if let Some(wins) = verdict.wins {
                        assert_eq!(wins, outcome.wins_first(mover));
                        decided += 1;
                    }
                }
            }
        }
        assert_eq!(pairs[0], pairs[1]);
        assert!(pairs[0] > 0 && decided > pairs[0]);
    }

    #[test]
    fn hot_values_and_components_are_not_judged() {
        let mut solver = Solver::default();
        let hot = solver.arena.common.forms().parse("{1|-1}").unwrap();
        let items = [Item::value(hot); 2];
        let verdict = solver.arena.judge_by_pairs(&items, Player::Left);
        assert!(verdict.wins.is_none() && verdict.lacking.is_none());
    }

    #[test]
    fn pairs_stay_within_their_memory() {
        let (mut solver, games) = solver();
        let common = Arc::clone(&solver.arena.common);
        common.count_pair_bytes(0, usize::MAX >> 2);
        let pair = [games[3], games[9]].map(|value| value.index() as u32);
        assert!(
            solver
                .arena
                .pair_rungs(pair, &mut u32::MAX.clone())
                .is_some()
        );
        assert!(solver.arena.pairs.buckets.is_empty());
        common.count_pair_bytes(usize::MAX >> 2, 0);
        assert!(
            solver
                .arena
                .pair_rungs(pair, &mut u32::MAX.clone())
                .is_some()
        );
        assert!(!solver.arena.pairs.buckets.is_empty());
    }
}
