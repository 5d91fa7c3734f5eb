//! Saved bytes with right checksums and any contents: an error, or a solver that still works.
//!
//! An input is a sum, a zero byte and changes. The sum is solved and saved, the changes are applied
//! to the saved bytes, and the checksums are recomputed, so that changes get past them. Without
//! changes the answer must be the same as before.

use gametree_sums::db::{Builder, Database};
use gametree_sums::input::read_short;
use gametree_sums::{Budget, Game, Solver};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const SNAPSHOT_SEEDS: &[&str] = &[
    "clobber XOX|OXO + {2||1|*}\0",
    "nogo_1xn ........ + {3|-1}\0\u{20}\u{1}\u{7f}\u{0}\u{0}\u{0}",
    "impartial domineering ...|..# + *2\0\u{40}\u{0}\u{2}\u{41}\u{1}\u{3}",
    "kayles 7 + octal 0.77:5 - domineering ...|...\0\u{30}\u{5}\u{7f}\u{31}\u{6}\u{7f}",
];

pub(crate) const DATABASE_SEEDS: &[&str] = &[
    "clobber_1xn XOXXO\0",
    "domineering ...|..#\0\u{20}\u{1}\u{7f}\u{40}\u{2}\u{7f}",
    "impartial clobber XOX|O.X + nogo ..|..\0\u{10}\u{0}\u{1}\u{60}\u{1}\u{2}",
];

/// The head of a snapshot: its name, its version and its checksum.
const SNAPSHOT_HEAD: usize = 13 + 1 + 8;

/// More nodes, bytes and time than any small input needs.
fn budget() -> Budget {
    Budget {
        nodes: 200,
        bytes: 1 << 23,
        time: Some(Duration::from_millis(200)),
    }
}

/// For any bytes: solver state.
pub fn snapshot(data: &[u8]) {
    let _ = Solver::new(budget()).restore(data);
    let Some((sum, changes)) = question(data) else {
        return;
    };
    let mut solver = Solver::new(budget());
    let expected = solver.outcome(&sum);
    let saved = solver.snapshot();
    let mut changed = saved.clone();
    change(&mut changed[SNAPSHOT_HEAD..], changes);
    seal(&mut changed, SNAPSHOT_HEAD - 8, SNAPSHOT_HEAD..saved.len());
    let mut again = Solver::new(budget());
    let restored = again.restore(&changed);
    let answers = (again.outcome(&sum), again.value(&sum).is_ok());
    let _ = again.nim_value(&sum);
    let twice = Solver::default().restore(&again.snapshot());
    assert_eq!(twice, Ok(()), "what was saved is not read");
    if changed == saved {
        assert_eq!(restored, Ok(()));
        assert!(expected.is_err() || answers.0 == expected, "{sum:?}");
    }
}

/// For any bytes: databases of components.
pub fn database(data: &[u8]) {
    if let Ok(database) = Database::open(Arc::new(data.to_vec())) {
        use_all(&database);
    }
    let Some((sum, changes)) = question(data) else {
        return;
    };
    let mut builder = Builder::default();
    for part in sum.iter().flat_map(Game::components) {
        if let Ok(entry) = Solver::new(budget()).survey(&part) {
            let _ = builder.insert(&part.kind.name(), &part.text(), entry);
        }
    }
    let saved = builder.finish();
    let mut changed = saved.clone();
    change(&mut changed, changes);
    seal_database(&mut changed);
    let is_same = changed == saved;
    let Ok(database) = Database::open(Arc::new(changed)) else {
        assert!(!is_same, "what was saved is not read");
        return;
    };
    use_all(&database);
    let mut solver = Solver::new(budget());
    solver.attach(database.clone());
    let found = solver.outcome(&sum);
    let _ = solver.value(&sum);
    if is_same {
        assert_eq!(database.check(), Ok(()));
        let expected = Solver::new(budget()).outcome(&sum);
        assert!(found.is_err() || expected.is_err() || found == expected);
    }
}

/// Reads every entry.
fn use_all(database: &Database) {
    let _ = database.check();
    for found in database.entries().take(1_000) {
        if let Ok((game, position, _)) = found
            && let Ok(game) = Game::parse(game, position)
        {
            let _ = database.get(game.kind, position);
        }
    }
}

/// The sum and the changes of an input, if the sum is small.
fn question(data: &[u8]) -> Option<(Vec<Game>, &[u8])> {
    let end = data.iter().position(|&byte| byte == 0)?;
    let text = std::str::from_utf8(&data[..end]).ok()?;
    let sum = read_short(text).ok()?.sum;
    let bytes: usize = sum.iter().map(|game| game.position.len()).sum();
    (bytes <= 40).then_some((sum, &data[end + 1..]))
}

/// Three bytes are a change: two for the place, one for the byte there.
fn change(bytes: &mut [u8], changes: &[u8]) {
    for &[low, high, byte] in changes.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes([low, high])) % bytes.len().max(1);
        if let Some(old) = bytes.get_mut(place) {
            *old = byte;
        }
    }
}

/// FNV-1a with 64 bits.
fn checksum(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Writes the checksum of a range.
fn seal(bytes: &mut [u8], at: usize, range: std::ops::Range<usize>) {
    let sum = checksum(&[&bytes[range]]).to_le_bytes();
    bytes[at..at + 8].copy_from_slice(&sum);
}

/// Writes the checksums of the head and of each entry that can be found. None where the bytes end.
fn seal_database(bytes: &mut [u8]) -> Option<()> {
    let mut head = Cursor { at: 20 };
    let mut sections = Vec::new();
    for _ in 0..head.number(bytes, 4)? {
        let name = head.text(bytes)?;
        sections.push((name, head.number(bytes, 8)?, head.number(bytes, 8)?));
        head.number(bytes, 4)?;
    }
    if head.at + 8 > bytes.len() {
        return None;
    }
    seal(bytes, head.at, 0..head.at);
    for (name, entries, index) in sections {
        for entry in 0..entries {
            let at = index.checked_add(entry.checked_mul(8)?)?;
            let start = Cursor { at }.number(bytes, 8)?;
            let end = end_of_entry(bytes, start)?;
            let sum = checksum(&[bytes.get(name.clone())?, bytes.get(start..end)?]);
            bytes
                .get_mut(end..end.checked_add(8)?)?
                .copy_from_slice(&sum.to_le_bytes());
        }
    }
    Some(())
}

/// The place of the checksum of an entry.
fn end_of_entry(bytes: &[u8], start: usize) -> Option<usize> {
    let mut cursor = Cursor { at: start };
    cursor.text(bytes)?;
    cursor.number(bytes, 1)?;
    for _ in 0..3 {
        cursor.text(bytes)?;
    }
    for list in 0..5 {
        // The third is a text.
        let texts = if list == 2 {
            1
        } else {
            cursor.number(bytes, 4)?
        };
        for _ in 0..texts {
            cursor.text(bytes)?;
        }
    }
    Some(cursor.at)
}

/// A place in the bytes of a database.
struct Cursor {
    at: usize,
}

impl Cursor {
    fn number(&mut self, bytes: &[u8], length: usize) -> Option<usize> {
        let end = self.at.checked_add(length)?;
        let mut number = [0; 8];
        number[..length].copy_from_slice(bytes.get(self.at..end)?);
        self.at = end;
        usize::try_from(u64::from_le_bytes(number)).ok()
    }

    /// The range of a text.
    fn text(&mut self, bytes: &[u8]) -> Option<std::ops::Range<usize>> {
        let length = self.number(bytes, 4)?;
        let end = self.at.checked_add(length)?;
        bytes.get(self.at..end)?;
        let start = std::mem::replace(&mut self.at, end);
        Some(start..end)
    }
}
