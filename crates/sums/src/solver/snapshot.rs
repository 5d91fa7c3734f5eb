//! Saves and restores all results of a solver, as bytes.
//!
//! ```text
//! "gametree sums"  version      13 bytes and one
//! checksum of all that follows  8 bytes
//! games      count, then of each: text
//! values     count, then of each: 0 and text, or 1 and the values of Left's and Right's options
//! positions  count, then of each: game, text, value + 1 or 0, nim values excluded, nim value + 1 or 0
//! sums       count, then of each: results, items (2 · position, or 2 · value + 1), proof numbers
//! ```
//! Results are two bits for each player: 3 if the player wins moving first, 2 if the player loses,
//! 1 if the search is not finished and two proof numbers follow. Version 1 had no proof numbers.
//!
//! Numbers are written seven bits to a byte, the lowest first; lists and texts begin with their
//! length. Positions are text, so that nothing depends on the bytes that rulesets use.
//!
//! The checksum detects damage, not forgery: a forged file can claim a wrong winner. But no file
//! makes the solver panic, or use more memory than its budget and a multiple of the file's size.

use super::components::{ComponentId, Item, Term, ValueState};
use super::proof::Nodes;
use super::{Solver, SumId};
use crate::fnv::checksum;
use crate::game::{Game, Kind};
use crate::value::{Forms, Player, Value};
use rustc_hash::FxHashMap;

const MAGIC: &[u8; 13] = b"gametree sums";
const VERSION: u8 = 2;
const HEAD: usize = MAGIC.len() + 1 + 8;

/// Steps of canonical forms allowed for the values of a file, for each of its bytes.
const STEPS_PER_BYTE: u64 = 1_000;

/// Entries between two checks of the memory in use.
const CHECK_INTERVAL: u64 = 256;

/// Why bytes are not a snapshot of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadSnapshot {
    /// The bytes do not start with the signature of a snapshot.
    NotASnapshot,
    /// Written by another version.
    Version(u8),
    /// Truncated or changed.
    Damaged,
    /// The checksum is right, but the contents are inconsistent.
    Inconsistent,
}

impl std::fmt::Display for BadSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadSnapshot::NotASnapshot => f.write_str("not a saved solver state"),
            BadSnapshot::Version(found) => {
                write!(
                    f,
                    "format version {found}, this program reads versions 1 to {VERSION}"
                )
            }
            BadSnapshot::Damaged => f.write_str("damaged: wrong checksum"),
            BadSnapshot::Inconsistent => f.write_str("inconsistent saved state"),
        }
    }
}

impl std::error::Error for BadSnapshot {}

impl Solver {
    /// Encodes all results so far.
    ///
    /// ```
    /// use gametree_sums::{Budget, Game, Solver, value::Player};
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
        let mut writer = SnapshotWriter::default();
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

    /// The sums with a result or with open children, each with its results.
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
        match self.arena.common.components.get(id).value_state() {
            ValueState::Known(value) => Some(value),
            _ => None,
        }
    }

    /// Adds the results of another solver, as far as the memory budget allows.
    ///
    /// After an error the solver may have added some of the results.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), BadSnapshot> {
        let body = checked(bytes)?;
        let mut reader = SnapshotReader { bytes: body, at: 0 };
        self.restore_all(&mut reader)
            .ok_or(BadSnapshot::Inconsistent)
    }

    /// Returns `None` if the bytes end too early or are inconsistent. Entries that this solver
    /// cannot use, such as those about an unknown game, are skipped.
    fn restore_all(&mut self, reader: &mut SnapshotReader) -> Option<()> {
        let kinds = reader.list(|reader| Some(Kind::named(reader.text()?)))?;
        let values = self.restore_values(reader)?;
        let mut items = Vec::new();
        for number in 0..reader.number()? {
            if self.is_full(number) {
                return Some(());
            }
            items.push(self.restore_position(reader, &kinds, &values)?);
        }
        for number in 0..reader.number()? {
            if self.is_full(number) {
                return Some(());
            }
            self.restore_sum(reader, &items, &values)?;
        }
        (reader.at == reader.bytes.len()).then_some(())
    }

    /// Returns true if half of the memory is used; the rest is reserved for the search.
    fn is_full(&self, number: u64) -> bool {
        number.is_multiple_of(CHECK_INTERVAL)
            && self.arena.common.bytes_used() > self.budget.bytes / 2
    }

    fn restore_values(&self, reader: &mut SnapshotReader) -> Option<Vec<Option<Value>>> {
        let mut steps = (reader.bytes.len() as u64).saturating_mul(STEPS_PER_BYTE);
        let mut values: Vec<Option<Value>> = Vec::new();
        for _ in 0..reader.number()? {
            let saved = reader.value(&values)?;
            let build = |forms: &mut Forms| match saved {
                SavedValue::Text(text) => Ok(forms.parse(text).ok()),
                SavedValue::Options(Some([left, right])) => forms.game(&left, &right).map(Some),
                SavedValue::Options(None) => Ok(None),
            };
            values.push(self.arena.metered(&mut steps, build).flatten());
        }
        Some(values)
    }

    fn restore_position(
        &mut self,
        reader: &mut SnapshotReader,
        kinds: &[Option<Kind>],
        values: &[Option<Value>],
    ) -> Option<Option<Item>> {
        let kind = entry(kinds, reader.number()?)?;
        let text = reader.text()?;
        let value = match reader.number()?.checked_sub(1) {
            Some(number) => entry(values, number)?,
            None => None,
        };
        let (excluded, nim) = (reader.number()?, reader.number()?.checked_sub(1));
        let Some(game) = kind.and_then(|kind| component(kind, text)) else {
            return Some(None);
        };
        if excluded != 0 && !game.kind.is_impartial() || !is_possible(&game, nim) {
            return None;
        }
        let components = &self.arena.common.components;
        let Ok(id) = components.intern(game.kind, &game.position) else {
            return Some(None);
        };
        if let Some(value) = value {
            components.get(id).set_value_state(ValueState::Known(value));
        }
        if let Some(nim) = nim {
            components.get(id).set_nim(nim);
        }
        // Ignored: without memory the search gives up soon.
        let _ = self.exclude_nims(id, excluded);
        Some(Some(Item::component(id)))
    }

    fn restore_sum(
        &mut self,
        reader: &mut SnapshotReader,
        items: &[Option<Item>],
        values: &[Option<Value>],
    ) -> Option<()> {
        let results = u8::try_from(reader.number()?)
            .ok()
            .filter(|results| (1..16).contains(results))?;
        let item = |number: u64| match number & 1 {
            0 => entry(items, number >> 1),
            _ => Some(entry(values, number >> 1)?.map(Item::value)),
        };
        let sum: Vec<Option<Item>> = reader.list(|reader| item(reader.number()?))?;
        let mut efforts = [[0; 2]; 2];
        for first in Player::BOTH {
            if is_open(results, first) {
                efforts[first as usize] = [reader.word()?, reader.word()?];
            }
        }
        match sum.into_iter().collect::<Option<Vec<Item>>>() {
            Some(sum) => self.add_sum(sum, results, efforts),
            None => Some(()),
        }
    }

    fn add_sum(&mut self, mut sum: Vec<Item>, results: u8, efforts: [[u32; 2]; 2]) -> Option<()> {
        sum.sort_unstable();
        let Ok(id) = self.table().intern(&sum) else {
            return Some(());
        };
        for first in Player::BOTH {
            let wins = match result(results, first) {
                0 => continue,
                1 => {
                    let effort = efforts[first as usize];
                    if !self.proofs().restore_effort(id.node(first), effort) {
                        return None;
                    }
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
        Some(())
    }
}

/// The entry with this number, if it exists.
fn entry<T: Copy>(entries: &[T], number: u64) -> Option<T> {
    entries.get(usize::try_from(number).ok()?).copied()
}

/// Parses a position, if it is a component: a single part in normal form whose value the rules do
/// not give.
fn component(kind: Kind, text: &str) -> Option<Game> {
    let game = Game::read_stored(kind, text).ok()?;
    (game.components() == [game.clone()]).then_some(game)
}

/// A nim value needs an impartial game with at least as many moves.
fn is_possible(game: &Game, nim: Option<u64>) -> bool {
    nim.is_none_or(|nim| {
        let counts = game.kind.rules().mobility(&game.position);
        let movers = game.kind.movers(Player::Left).iter();
        let moves: usize = movers.map(|&mover| counts[mover as usize]).sum();
        game.kind.is_impartial() && nim <= moves as u64
    })
}

/// The two bits of a player.
fn result(results: u8, first: Player) -> u8 {
    results >> (2 * first as u8) & 3
}

/// Proof numbers are stored in place of a result.
fn is_open(results: u8, first: Player) -> bool {
    result(results, first) == 1
}

/// The bytes after the head, if the checksum is right.
fn checked(bytes: &[u8]) -> Result<&[u8], BadSnapshot> {
    if !bytes.starts_with(MAGIC) || bytes.len() < HEAD {
        return Err(BadSnapshot::NotASnapshot);
    }
    let version = bytes[MAGIC.len()];
    if !(1..=VERSION).contains(&version) {
        return Err(BadSnapshot::Version(version));
    }
    let (head, body) = bytes.split_at(HEAD);
    if head[MAGIC.len() + 1..] == checksum(&[body]).to_le_bytes() {
        Ok(body)
    } else {
        Err(BadSnapshot::Damaged)
    }
}

/// The sections of a snapshot.
#[derive(Default)]
struct SnapshotWriter {
    head: Vec<u8>,
    values: Vec<u8>,
    positions: Vec<u8>,
    sums: Vec<u8>,
    kinds: Vec<Kind>,
    numbers: FxHashMap<ComponentId, u64>,
}

impl SnapshotWriter {
    /// Numbers the positions whose text is parsed as the same position.
    fn positions(&mut self, solver: &Solver) -> Vec<ComponentId> {
        let components = &solver.arena.common.components;
        let mut kept = Vec::new();
        let mut position = Vec::new();
        for id in components.ids() {
            let kind = components.get(id).kind();
            components.get(id).position(&mut position);
            let text = kind.rules().print(&position);
            if kind
                .rules()
                .parse_stored(&text)
                .is_ok_and(|read| read == position)
            {
                self.numbers.insert(id, kept.len() as u64);
                kept.push(id);
            }
        }
        number(&mut self.positions, kept.len() as u64);
        kept
    }

    /// Writes values, options first, and returns their numbers.
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
        // Excluded nim values are stored with the sums.
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
        bytes.extend(checksum(&[&body]).to_le_bytes());
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

struct SnapshotReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> SnapshotReader<'a> {
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

    /// A list after its length. Each entry takes at least a byte, which bounds the memory.
    fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = usize::try_from(self.number()?).ok()?;
        if length > self.bytes.len() - self.at {
            return None;
        }
        (0..length).map(|_| entry(self)).collect()
    }

    /// A value by its text or its options.
    fn value(&mut self, seen: &[Option<Value>]) -> Option<SavedValue<'a>> {
        match self.byte()? {
            0 => Some(SavedValue::Text(self.text()?)),
            1 => {
                let mut side = || self.list(|reader| entry(seen, reader.number()?));
                let sides = [side()?, side()?].map(|side| side.into_iter().collect());
                let [Some(left), Some(right)] = sides else {
                    return Some(SavedValue::Options(None));
                };
                Some(SavedValue::Options(Some([left, right])))
            }
            _ => None,
        }
    }
}

/// A saved value; without options if one of them was skipped.
enum SavedValue<'a> {
    Text(&'a str),
    Options(Option<[Vec<Value>; 2]>),
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::{Budget, GaveUp};
    use super::*;
    use crate::input::read_short;

    fn sum(text: &str) -> Vec<Game> {
        read_short(text).unwrap().sum
    }

    #[test]
    fn restored_results_are_not_searched_again() {
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
    fn damage_is_detected() {
        let mut solver = Solver::default();
        solver.outcome(&sum("nogo_1xn ...........")).unwrap();
        let bytes = solver.snapshot();
        let restore = |bytes: &[u8]| Solver::default().restore(bytes);
        assert_eq!(restore(&bytes), Ok(()));
        assert_eq!(restore(b"{version 1.7}"), Err(BadSnapshot::NotASnapshot));
        for at in [HEAD, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(restore(&changed), Err(BadSnapshot::Damaged), "{at}");
        }
        assert_eq!(
            restore(&bytes[..bytes.len() - 1]),
            Err(BadSnapshot::Damaged)
        );
        let mut newer = bytes.clone();
        newer[MAGIC.len()] = 9;
        assert_eq!(restore(&newer), Err(BadSnapshot::Version(9)));
    }

    /// A snapshot with this body and the right checksum.
    fn sealed(body: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend(checksum(&[body]).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// A body from numbers and texts.
    fn body(parts: &[Part]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in parts {
            match part {
                Part::Number(n) => number(&mut bytes, *n),
                Part::Text(words) => text(&mut bytes, words),
            }
        }
        bytes
    }

    enum Part {
        Number(u64),
        Text(&'static str),
    }
    use Part::{Number as N, Text as T};

    /// One game, one value, one position and one sum.
    fn small(position: [u64; 3], sum: &[u64]) -> Vec<u8> {
        let mut parts = vec![N(1), T("impartial domineering"), N(1), N(0), T("*2"), N(1)];
        parts.extend([N(0), T("..|..")]);
        parts.extend(position.map(N));
        parts.push(N(1));
        parts.extend(sum.iter().map(|&n| N(n)));
        body(&parts)
    }

    #[test]
    fn impossible_contents_are_refused() {
        let restore = |body: &[u8]| Solver::default().restore(&sealed(body));
        let good = small([0, 0, 1], &[3, 1, 0]);
        assert_eq!(restore(&good), Ok(()));
        let huge = u64::MAX;
        for (what, body) in [
            ("nothing", vec![]),
            ("huge numbers", vec![0xff; 40]),
            ("a number without end", vec![0x80; 40]),
            ("a huge count of games", body(&[N(huge)])),
            ("a huge count of values", body(&[N(0), N(huge)])),
            ("a huge count of positions", body(&[N(0), N(0), N(huge)])),
            ("a huge count of sums", body(&[N(0), N(0), N(0), N(huge)])),
            ("a huge text", body(&[N(1), N(huge)])),
            ("a value of an unknown form", body(&[N(0), N(1), N(2)])),
            (
                "an option that comes later",
                body(&[N(0), N(1), N(1), N(1), N(0), N(0), N(0), N(0)]),
            ),
            ("a value out of range", small([3, 0, 1], &[3, 1, 0])),
            ("a huge value", small([huge, 0, 1], &[3, 1, 0])),
            (
                "a nim value of 2^32 - 1",
                small([0, 0, 1 << 32], &[3, 1, 0]),
            ),
            ("a nim value of 2^64 - 2", small([0, 0, huge], &[3, 1, 0])),
            (
                "a nim value above the number of moves",
                small([0, 0, 6], &[3, 1, 0]),
            ),
            ("unknown results", small([0, 0, 1], &[16, 1, 0])),
            ("huge results", small([0, 0, 1], &[huge, 1, 0])),
            ("a position out of range", small([0, 0, 1], &[3, 1, 2])),
            ("an item out of range", small([0, 0, 1], &[3, 1, 3])),
            ("a huge item", small([0, 0, 1], &[3, 1, huge])),
            ("a huge sum", small([0, 0, 1], &[3, huge, 0])),
            ("a huge proof number", small([0, 0, 1], &[1, 1, 0, huge, 1])),
            (
                "a proof number of 2^32 - 1",
                small([0, 0, 1], &[1, 1, 0, u64::from(u32::MAX), 1]),
            ),
            ("a proof number of 0", small([0, 0, 1], &[1, 1, 0, 0, 1])),
            ("further bytes", [&good[..], &[0]].concat()),
        ] {
            assert_eq!(restore(&body), Err(BadSnapshot::Inconsistent), "{what}");
        }
    }

    #[test]
    fn a_partisan_game_has_no_nim_value() {
        let body = body(&[
            N(1),
            T("clobber_1xn"),
            N(0),
            N(1),
            N(0),
            T("OX"),
            N(0),
            N(0),
            N(1),
            N(0),
        ]);
        let found = Solver::default().restore(&sealed(&body));
        assert_eq!(found, Err(BadSnapshot::Inconsistent));
    }

    #[test]
    fn unusable_entries_are_left_out() {
        for (game, position) in [
            ("a game of the future", ".."),
            ("domineering", "no board"),
            ("domineering", "..#|..#|#.."),
            ("nimber", "1000000000000"),
            ("explicit", "*1000000000000"),
        ] {
            let body = body(&[
                N(1),
                T(game),
                N(0),
                N(1),
                N(0),
                T(position),
                N(0),
                N(0),
                N(0),
                N(1),
                N(3),
                N(1),
                N(0),
            ]);
            let mut solver = Solver::default();
            assert_eq!(solver.restore(&sealed(&body)), Ok(()), "{game} {position}");
            assert_eq!((solver.stats().components, solver.stats().sums), (0, 0));
        }
    }

    /// Random changes with the right checksum: an error, or a solver that answers or gives up.
    #[test]
    fn no_change_makes_the_solver_panic() {
        let questions = [
            "nogo_1xn ......... + {3|-1}",
            "impartial domineering ...|...|..# + *2",
            "clobber XOX|OXO + {2||1|*}",
        ];
        let budget = Budget::default().with_nodes(300).with_bytes(1 << 24);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 11) as usize % below
        };
        for question in questions {
            let sum = sum(question);
            let mut solver = Solver::default();
            solver.outcome(&sum).unwrap();
            let good = solver.snapshot();
            let (mut errors, mut rounds) = (0, 0);
            while rounds < 400 {
                rounds += 1;
                let mut body = good[HEAD..].to_vec();
                for _ in 0..1 + next(4) {
                    let at = next(body.len());
                    match next(4) {
                        0 => body[at] = next(256) as u8,
                        1 => body[at] ^= 1 << next(8),
                        2 => drop(body.splice(at..at, [0xff; 9])),
                        _ => drop(body.remove(at)),
                    }
                }
                let mut again = Solver::new(budget);
                if again.restore(&sealed(&body)).is_err() {
                    errors += 1;
                }
                let _ = again.outcome(&sum);
                let _ = again.value(&sum);
                let _ = again.nim_value(&sum);
                let saved = again.snapshot();
                assert_eq!(Solver::default().restore(&saved), Ok(()), "{question}");
            }
            assert!(errors > 0 && errors < rounds, "{question}: {errors}");
        }
    }

    /// A restored solver has almost all results.
    #[test]
    fn a_restored_solver_has_the_same_results() {
        for text in [
            "clobber XOXO|OXOX + nogo ...|... + amazons X..|..O",
            "impartial domineering ....|....|....",
            "col cycle5:..... + snort path4:.X.. + hackenbush 0-1L,1-2R,1-3E",
            "toppling_dominoes XO#XO + elephants X.O.XO + fission ...|.X.",
        ] {
            let sum = sum(text);
            let mut solver = Solver::default().searching_only();
            solver.outcome(&sum).unwrap();
            let mut again = Solver::default();
            again.restore(&solver.snapshot()).unwrap();
            // The negative of a component may be in several parts, and is then left out.
            let kept = 100 * again.stats().components;
            assert!(kept >= 99 * solver.stats().components, "{text}");
        }
    }

    #[test]
    fn unfinished_searches_are_saved() {
        let sum = sum("nogo_1xn ....................");
        let mut solver = Solver::new(Budget::default().with_nodes(2_000));
        assert_eq!(solver.wins(&sum, Player::Left), Err(GaveUp::Nodes));
        let mut alone = Solver::default();
        alone.wins(&sum, Player::Left).unwrap();
        let mut resumed = Solver::default();
        resumed.restore(&solver.snapshot()).unwrap();
        resumed.wins(&sum, Player::Left).unwrap();
        assert!(resumed.stats().nodes < alone.stats().nodes);
    }
}
