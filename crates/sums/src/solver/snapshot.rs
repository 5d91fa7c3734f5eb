//! What a solver has proven, as bytes that outlive it.
//!
//! ```text
//! "gametree sums"  version      13 bytes and one
//! checksum of all that follows  8 bytes
//! games      count, then of each: text
//! values     count, then of each: 0 and text, or 1 and the values of Left's and Right's options
//! positions  count, then of each: game, text, value + 1 or 0, nim values excluded, nim value + 1 or 0
//! sums       count, then of each: results, items (2 · position, or 2 · value + 1), proof numbers
//! ```
//! Results are two bits for each player: 3 he wins moving first, 2 he loses, 1 that is being searched,
//! and two proof numbers follow. Version 1 had no such numbers.
//!
//! Numbers are written seven bits to a byte, the lowest first; lists and texts begin with their
//! length. Positions are kept as text, so that nothing is believed about their bytes.

use super::components::{ComponentId, Item, Term, Worth};
use super::proof::Nodes;
use super::{Solver, SumId};
use crate::game::{Game, Kind};
use crate::value::{Forms, Player, Value};
use rustc_hash::FxHashMap;

const MAGIC: &[u8; 13] = b"gametree sums";
const VERSION: u8 = 2;
const HEAD: usize = MAGIC.len() + 1 + 8;

/// Why bytes are no memory of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadSnapshot {
    /// Something else altogether.
    NotASnapshot,
    /// Written by another version.
    Version(u8),
    /// Cut short or changed.
    Damaged,
}

impl std::fmt::Display for BadSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadSnapshot::NotASnapshot => f.write_str("this is not what a solver has saved"),
            BadSnapshot::Version(found) => {
                write!(
                    f,
                    "saved in version {found} of the format, this program reads versions 1 to {VERSION}"
                )
            }
            BadSnapshot::Damaged => f.write_str("damaged: the checksum is wrong"),
        }
    }
}

impl std::error::Error for BadSnapshot {}

impl Solver {
    /// Everything proven so far.
    ///
    /// ```
    /// use sums::{Budget, Game, Solver, value::Player};
    /// let sum = [Game::parse("nogo_1xn", "............")?];
    /// let mut solver = Solver::default();
    /// let wins = solver.wins(&sum, Player::Left)?;
    /// let mut again = Solver::default();
    /// again.restore(&solver.snapshot())?;
    /// assert_eq!(again.wins(&sum, Player::Left)?, wins);
    /// assert_eq!(again.stats().nodes, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let sums = self.known_sums();
        let positions = writer.positions(self);
        let mut values = Vec::new();
        for &(sum, _) in &sums {
            let items = self.table().items(sum);
            values.extend(items.filter_map(|item| match item.term() {
                Term::Value(value) => Some(value),
                Term::Component(_) => None,
            }));
        }
        values.extend(positions.iter().filter_map(|&id| self.known_value(id)));
        let values = writer.values(&mut self.arena.common.forms(), values);
        for &id in &positions {
            writer.knowledge(self, id, &values);
        }
        writer.sums(self, &sums, &values);
        writer.finish()
    }

    /// The sums about which something is known, each with its results.
    fn known_sums(&self) -> Vec<(SumId, u8)> {
        let results = |sum: SumId| {
            Player::BOTH.iter().fold(0, |bits, &first| {
                let result = match self.table().result(sum, first) {
                    None => u8::from(self.proofs().open_effort(sum.node(first)).is_some()),
                    Some(false) => 2,
                    Some(true) => 3,
                };
                bits | result << (2 * first as u8)
            })
        };
        let sums = self.table().ids().map(|id| (id, results(id)));
        sums.filter(|&(_, results)| results != 0).collect()
    }

    fn known_value(&self, id: ComponentId) -> Option<Value> {
        match self.arena.common.components.get(id).worth() {
            Worth::Known(value) => Some(value),
            _ => None,
        }
    }

    /// Learns what another solver has proven, as far as the budget of memory allows.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), BadSnapshot> {
        let body = checked(bytes)?;
        let mut reader = Reader { bytes: body, at: 0 };
        self.remember(&mut reader).ok_or(BadSnapshot::Damaged)?;
        Ok(())
    }

    /// None where the bytes end too early or say what cannot be.
    fn remember(&mut self, reader: &mut Reader) -> Option<()> {
        // 1. Games and values by their numbers in the file; what takes too much is left out.
        let kinds = reader.list(|reader| Some(Kind::named(reader.text()?)))?;
        let mut values: Vec<Option<Value>> = Vec::new();
        for _ in 0..reader.number()? {
            let value = reader.value(&mut self.arena.common.forms(), &values)?;
            values.push(value);
        }
        let value_at = |number: u64| values.get(usize::try_from(number).ok()?).copied().flatten();
        // 2. Positions.
        let mut items: Vec<Option<Item>> = Vec::new();
        for _ in 0..reader.number()? {
            let kind = *kinds.get(usize::try_from(reader.number()?).ok()?)?;
            let text = reader.text()?;
            let game = kind.and_then(|kind| Game::read(kind, text).ok());
            let (worth, excluded, exact) = (reader.number()?, reader.number()?, reader.number()?);
            let components = &self.arena.common.components;
            let id = game.and_then(|game| components.intern(game.kind, &game.position).ok());
            items.push(id.map(Item::component));
            let Some(id) = id else {
                continue;
            };
            if let Some(value) = worth.checked_sub(1).and_then(value_at) {
                components.get(id).set_worth(Worth::Known(value));
            }
            if let Some(nim) = exact.checked_sub(1) {
                components
                    .get(id)
                    .set_nim(u64::from(u32::try_from(nim).ok()?));
            }
            self.exclude_nims(id, excluded).ok();
        }
        // 3. Sums.
        for _ in 0..reader.number()? {
            let results = u8::try_from(reader.number()?).ok()?;
            let item = |number: u64| match number & 1 {
                0 => items
                    .get(usize::try_from(number >> 1).ok()?)
                    .copied()
                    .flatten(),
                _ => value_at(number >> 1).map(Item::value),
            };
            let sum: Vec<Option<Item>> = reader.list(|reader| Some(item(reader.number()?)))?;
            let mut missing = [[0; 2]; 2];
            for first in Player::BOTH
                .into_iter()
                .filter(|&first| is_open(results, first))
            {
                missing[first as usize] = [reader.word()?, reader.word()?];
            }
            if let Some(sum) = sum.into_iter().collect::<Option<Vec<Item>>>() {
                self.learn_sum(sum, results, missing);
            }
            if self.arena.common.bytes_used() > self.budget.bytes / 2 {
                break;
            }
        }
        Some(())
    }

    fn learn_sum(&mut self, mut sum: Vec<Item>, results: u8, missing: [[u32; 2]; 2]) {
        sum.sort_unstable();
        let Ok(id) = self.table().intern(&sum) else {
            return;
        };
        for first in Player::BOTH {
            let wins = match result(results, first) {
                0 => continue,
                1 => {
                    let missing = missing[first as usize];
                    self.proofs().restore_effort(id.node(first), missing);
                    continue;
                }
                result => result == 3,
            };
            self.proofs().prove(id.node(first), wins);
            if let [item] = sum[..]
                && let Term::Component(component) = item.term()
            {
                self.arena.prove(component, first, wins);
            }
        }
    }
}

/// The two bits about a player.
fn result(results: u8, first: Player) -> u8 {
    results >> (2 * first as u8) & 3
}

/// Proof numbers stand for the result.
fn is_open(results: u8, first: Player) -> bool {
    result(results, first) == 1
}

/// The bytes after the head, if they are what was written.
fn checked(bytes: &[u8]) -> Result<&[u8], BadSnapshot> {
    if !bytes.starts_with(MAGIC) || bytes.len() < HEAD {
        return Err(BadSnapshot::NotASnapshot);
    }
    let version = bytes[MAGIC.len()];
    if !(1..=VERSION).contains(&version) {
        return Err(BadSnapshot::Version(version));
    }
    let (head, body) = bytes.split_at(HEAD);
    match head[MAGIC.len() + 1..] == checksum(body).to_le_bytes() {
        true => Ok(body),
        false => Err(BadSnapshot::Damaged),
    }
}

/// FNV-1a: against damage, not against malice.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// What is written, section by section.
#[derive(Default)]
struct Writer {
    head: Vec<u8>,
    values: Vec<u8>,
    positions: Vec<u8>,
    sums: Vec<u8>,
    kinds: Vec<Kind>,
    numbers: FxHashMap<ComponentId, u64>,
}

impl Writer {
    /// Numbers the positions that can be read back from their text.
    fn positions(&mut self, solver: &Solver) -> Vec<ComponentId> {
        let components = &solver.arena.common.components;
        let mut kept = Vec::new();
        let mut position = Vec::new();
        for id in components.ids() {
            let kind = components.get(id).kind();
            components.get(id).position(&mut position);
            let text = kind.rules().print(&position);
            if kind.rules().parse(&text).is_ok_and(|read| read == position) {
                self.numbers.insert(id, kept.len() as u64);
                kept.push(id);
            }
        }
        number(&mut self.positions, kept.len() as u64);
        kept
    }

    /// Writes values, options first, and tells their numbers.
    fn values(&mut self, forms: &mut Forms, wanted: Vec<Value>) -> FxHashMap<Value, u64> {
        let mut numbers: FxHashMap<Value, u64> = FxHashMap::default();
        let mut written = Vec::new();
        let mut stack: Vec<(Value, bool)> =
            wanted.into_iter().map(|value| (value, false)).collect();
        while let Some((value, opened)) = stack.pop() {
            if numbers.contains_key(&value) {
                continue;
            }
            if let Some(nus) = forms.as_nus(value) {
                written.push(0);
                text(&mut written, &nus.to_string());
            } else {
                let Some(sides) = options(forms, value) else {
                    continue;
                };
                if !opened {
                    stack.push((value, true));
                    stack.extend(sides.concat().into_iter().map(|option| (option, false)));
                    continue;
                }
                let known: Option<Vec<Vec<u64>>> = sides
                    .iter()
                    .map(|side| {
                        side.iter()
                            .map(|option| numbers.get(option).copied())
                            .collect()
                    })
                    .collect();
                let Some(known) = known else {
                    continue;
                };
                written.push(1);
                for side in known {
                    number(&mut written, side.len() as u64);
                    side.into_iter()
                        .for_each(|option| number(&mut written, option));
                }
            }
            numbers.insert(value, numbers.len() as u64);
        }
        number(&mut self.values, numbers.len() as u64);
        self.values.extend(written);
        numbers
    }

    fn knowledge(&mut self, solver: &Solver, id: ComponentId, values: &FxHashMap<Value, u64>) {
        let component = solver.arena.common.components.get(id);
        let kind = component.kind();
        let at = self
            .kinds
            .iter()
            .position(|&seen| seen == kind)
            .unwrap_or_else(|| {
                self.kinds.push(kind);
                self.kinds.len() - 1
            });
        number(&mut self.positions, at as u64);
        let mut position = Vec::new();
        component.position(&mut position);
        text(&mut self.positions, &kind.rules().print(&position));
        let value = solver.known_value(id).and_then(|value| values.get(&value));
        number(&mut self.positions, value.map_or(0, |number| number + 1));
        // Which nim values it does not have is said among the sums.
        number(&mut self.positions, 0);
        number(
            &mut self.positions,
            component.nim().map_or(0, |nim| nim + 1),
        );
    }

    fn sums(&mut self, solver: &Solver, sums: &[(SumId, u8)], values: &FxHashMap<Value, u64>) {
        let mut written = Vec::new();
        let mut count = 0;
        for &(sum, results) in sums {
            let items = solver.table().items(sum).map(|item| match item.term() {
                Term::Component(id) => self.numbers.get(&id).map(|number| number << 1),
                Term::Value(value) => values.get(&value).map(|number| number << 1 | 1),
            });
            if let Some(items) = items.collect::<Option<Vec<u64>>>() {
                number(&mut written, u64::from(results));
                number(&mut written, items.len() as u64);
                items
                    .into_iter()
                    .for_each(|item| number(&mut written, item));
                for first in Player::BOTH
                    .into_iter()
                    .filter(|&first| is_open(results, first))
                {
                    let missing = solver
                        .proofs()
                        .open_effort(sum.node(first))
                        .unwrap_or_default();
                    missing
                        .iter()
                        .for_each(|&effort| number(&mut written, u64::from(effort)));
                }
                count += 1;
            }
        }
        number(&mut self.sums, count);
        self.sums.extend(written);
    }

    fn finish(mut self) -> Vec<u8> {
        number(&mut self.head, self.kinds.len() as u64);
        self.kinds
            .iter()
            .for_each(|kind| text(&mut self.head, &kind.name()));
        let body = [self.head, self.values, self.positions, self.sums].concat();
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

fn options(forms: &mut Forms, value: Value) -> Option<[Vec<Value>; 2]> {
    let left = forms.options(value, Player::Left).ok()?.to_vec();
    let right = forms.options(value, Player::Right).ok()?.to_vec();
    Some([left, right])
}

fn number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 128 {
        out.push(n as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn number(&mut self) -> Option<u64> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(n);
            }
        }
        None
    }

    fn word(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        let end = self.at.checked_add(length)?;
        let text = std::str::from_utf8(self.bytes.get(self.at..end)?).ok()?;
        self.at = end;
        Some(text)
    }

    /// A list with its length in front. Each entry takes a byte at least, which bounds the memory.
    fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = usize::try_from(self.number()?).ok()?;
        if length > self.bytes.len() - self.at {
            return None;
        }
        (0..length).map(|_| entry(self)).collect()
    }

    /// A value by its text or its options; none within if it takes too much.
    fn value(&mut self, forms: &mut Forms, seen: &[Option<Value>]) -> Option<Option<Value>> {
        if self.byte()? == 0 {
            return Some(forms.parse(self.text()?).ok());
        }
        let mut side = || {
            let option = |number: u64| seen.get(usize::try_from(number).ok()?).copied();
            self.list(|reader| option(reader.number()?))
        };
        let (left, right) = (side()?, side()?);
        let known = |side: Vec<Option<Value>>| side.into_iter().collect::<Option<Vec<Value>>>();
        Some(
            known(left)
                .zip(known(right))
                .and_then(|(left, right)| forms.game(&left, &right).ok()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, GaveUp};
    use super::*;
    use crate::input::read_short;

    fn sum(text: &str) -> Vec<Game> {
        read_short(text).unwrap().sum
    }

    #[test]
    fn what_was_proven_is_not_searched_again() {
        for text in [
            "clobber_1xn XOXOXOXOXOXOXOXO",
            "nogo_1xn .............. + {3|-1} + amazons X..|...|..O",
            "impartial clobber XOX|OXO|XOX",
        ] {
            let sum = sum(text);
            let mut solver = Solver::default();
            let outcome = solver.outcome(&sum).unwrap();
            let mut again = Solver::default();
            again.restore(&solver.snapshot()).unwrap();
            assert_eq!(again.outcome(&sum), Ok(outcome), "{text}");
            assert!(again.stats().nodes <= solver.stats().nodes / 2, "{text}");
        }
    }

    #[test]
    fn damage_is_noticed() {
        let mut solver = Solver::default();
        solver.outcome(&sum("nogo_1xn ...........")).unwrap();
        let bytes = solver.snapshot();
        let recall = |bytes: &[u8]| Solver::default().restore(bytes);
        assert_eq!(recall(&bytes), Ok(()));
        assert_eq!(recall(b"{version 1.7}"), Err(BadSnapshot::NotASnapshot));
        for at in [HEAD, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(recall(&changed), Err(BadSnapshot::Damaged), "{at}");
        }
        assert_eq!(recall(&bytes[..bytes.len() - 1]), Err(BadSnapshot::Damaged));
        let mut newer = bytes.clone();
        newer[MAGIC.len()] = 9;
        assert_eq!(recall(&newer), Err(BadSnapshot::Version(9)));
    }

    #[test]
    fn any_bytes_with_a_right_checksum_are_answered() {
        for body in [
            &[0xff; 40][..],
            &[0, 0, 0, 0],
            &[1, 3, b'x', b'y', b'z'],
            &[0, 1, 1, 1, 5, 0],
        ] {
            let mut bytes = MAGIC.to_vec();
            bytes.push(VERSION);
            bytes.extend(checksum(body).to_le_bytes());
            bytes.extend(body);
            Solver::default().restore(&bytes).ok();
        }
    }

    #[test]
    fn work_that_was_given_up_is_kept() {
        let sum = sum("nogo_1xn ....................");
        let mut solver = Solver::new(Budget {
            nodes: 2_000,
            ..Default::default()
        });
        assert_eq!(solver.wins(&sum, Player::Left), Err(GaveUp::Nodes));
        let mut alone = Solver::default();
        alone.wins(&sum, Player::Left).unwrap();
        let mut resumed = Solver::default();
        resumed.restore(&solver.snapshot()).unwrap();
        resumed.wins(&sum, Player::Left).unwrap();
        assert!(resumed.stats().nodes < alone.stats().nodes);
    }
}
