use super::*;
use crate::Game;
use crate::input::read_short;
use crate::naive::Naive;
use crate::solver::{GaveUp, Scale, Solver, moves, scaffold};
use crate::value::{Forms, Player};
use std::collections::BTreeSet;

/// Games with the letters and sizes of boards that are small enough for plain minimax.
const BOARDS: [(&str, &str, usize, usize); 8] = [
    ("clobber_1xn", ".XO", 1, 6),
    ("nogo_1xn", ".XO", 1, 5),
    ("elephants", ".XO", 1, 6),
    ("toppling_dominoes", "XO#", 1, 4),
    ("domineering", ".#", 2, 4),
    ("clobber", ".XO", 2, 3),
    ("impartial clobber_1xn", ".XO", 1, 6),
    ("impartial domineering", ".#", 3, 2),
];

/// All boards of a size.
fn boards(game: &str, letters: &str, rows: usize, cols: usize) -> Vec<Game> {
    let count = letters.len().pow((rows * cols) as u32);
    let text = |mut number: usize| {
        let mut cell = || {
            let letter = letters.as_bytes()[number % letters.len()] as char;
            number /= letters.len();
            letter
        };
        let rows: Vec<String> = (0..rows)
            .map(|_| (0..cols).map(|_| cell()).collect())
            .collect();
        rows.join("|")
    };
    (0..count)
        .filter_map(|number| Game::parse(game, &text(number)).ok())
        .collect()
}

/// The entries about all components of some games.
fn builder(games: &[Game], change: impl Fn(&mut Solver, &Game, Entry) -> Entry) -> Builder {
    let mut solver = Solver::default();
    let mut builder = Builder::default();
    let parts: BTreeSet<Game> = games.iter().flat_map(Game::components).collect();
    for part in parts {
        let entry = solver.survey(&part).unwrap();
        let entry = change(&mut solver, &part, entry);
        builder
            .insert(&part.kind.name(), &part.text(), entry)
            .unwrap();
    }
    builder.link_equals(&mut Forms::default());
    builder
}

fn whole(_: &mut Solver, _: &Game, entry: Entry) -> Entry {
    entry
}

fn open(bytes: Vec<u8>) -> Result<Database, BadDatabase> {
    Database::open(Arc::new(bytes))
}

#[test]
fn a_wrong_entry_yields_no_strategy() {
    let mut lies = Builder::default();
    // Either of the two may be the normal form.
    for position in ["XOO", "OOX"] {
        let lie = Entry {
            value: Some("1".into()),
            ..Entry::of_outcome(Outcome::Left)
        };
        lies.insert("clobber_1xn", position, lie).unwrap();
    }
    let mut solver = Solver::default();
    solver.attach(open(lies.finish()).unwrap());
    let sum = [Game::parse("clobber_1xn", "XOO").unwrap()];
    let why = solver.winning_strategy(&sum, Player::Left, 100);
    assert_eq!(why.err(), Some(GaveUp::Contradiction));
}

fn strips() -> Builder {
    builder(&boards("clobber_1xn", ".XO", 1, 5), whole)
}

#[test]
fn entries_agree_with_a_solver_without_database() {
    for (game, letters, rows, cols) in BOARDS {
        let bytes = builder(&boards(game, letters, rows, cols), whole).finish();
        let database = open(bytes).unwrap();
        database.check().unwrap();
        assert!(database.len() > 5, "{game}");
        for found in database.entries() {
            let (name, position, entry) = found.unwrap();
            let kind = Kind::named(name).unwrap();
            check_entry(&Game::read_stored(kind, position).unwrap(), &entry);
        }
    }
}

fn check_entry(game: &Game, entry: &Entry) {
    let mut solver = Solver::default();
    let sum = [game.clone()];
    // 1. Outcome by minimax, value and thermograph by a solver without database.
    for first in Player::BOTH {
        let wins = Naive::new(u64::MAX).wins(&sum, first);
        assert_eq!(wins, Some(entry.outcome.wins_first(first)), "{game}");
    }
    let value = solver.value(&sum).unwrap();
    let text = entry.value.as_deref().unwrap();
    assert_eq!(solver.forms().parse(text).unwrap(), value, "{game}");
    let graph = solver.thermograph(&sum).unwrap();
    for player in Player::BOTH {
        let walls = entry.thermograph.as_ref().unwrap();
        assert_eq!(walls[player], scaffold(&graph, player), "{game}");
    }
    // 2. The equal sum has the same value.
    if let Some(equal) = &entry.equal {
        let equal = read_short(equal).unwrap().sum;
        let found = solver.compare(&sum, &equal).unwrap();
        assert_eq!(found, Some(std::cmp::Ordering::Equal), "{game}");
    }
    // 3. For each dominated move a move that is at least as good remains.
    for player in Player::BOTH {
        let (idle, kept): (Vec<_>, Vec<_>) = moves(&sum, player)
            .into_iter()
            .partition(|mv| entry.dominated[player].contains(&mv.text));
        for mv in idle {
            let worse = |better: &&crate::SumMove| {
                let found = solver.compare(&mv.result, &better.result).unwrap();
                match player {
                    Player::Left => found.is_some_and(|order| order.is_le()),
                    Player::Right => found.is_some_and(|order| order.is_ge()),
                }
            };
            assert!(kept.iter().find(worse).is_some(), "{game} {}", mv.text);
        }
    }
}

/// Pseudo-random sums of a few boards, the same on every run.
fn random_sums(count: usize) -> Vec<Vec<Game>> {
    let pools = BOARDS.map(|(game, letters, rows, cols)| boards(game, letters, rows, cols));
    let mut dice = 7u64;
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1);
        (dice >> 33) as usize % sides
    };
    let mut sum = || {
        (0..1 + roll(4))
            .map(|_| {
                let pool = &pools[roll(pools.len())];
                pool[roll(pool.len())].clone()
            })
            .collect()
    };
    (0..count).map(|_| sum()).collect()
}

fn all_boards() -> Vec<Game> {
    BOARDS
        .iter()
        .flat_map(|(game, letters, rows, cols)| boards(game, letters, *rows, *cols))
        .collect()
}

#[test]
fn answers_are_the_same_with_a_database() {
    let full = open(builder(&all_boards(), whole).finish()).unwrap();
    let bare = open(builder(&all_boards(), without_value).finish()).unwrap();
    for database in [full, bare] {
        for sum in random_sums(300) {
            let mut plain = Solver::default();
            let mut helped = Solver::default();
            // Search all components, so that the database is used.
            helped = helped.searching_only();
            helped.attach(database.clone());
            assert_eq!(plain.outcome(&sum), helped.outcome(&sum), "{sum:?}");
            assert_eq!(plain.nim_value(&sum), helped.nim_value(&sum), "{sum:?}");
        }
    }
}

/// Removes the value, as if it had been too long; outcome, bounds and dominated moves remain.
fn without_value(solver: &mut Solver, game: &Game, entry: Entry) -> Entry {
    let step = Dyadic::new(1, 3);
    let scale = Scale::Numbers { step };
    let found = solver
        .bounds(std::slice::from_ref(game), &scale, -80, 80)
        .unwrap();
    let [low, high] = [found.below, found.above].map(|mark| mark.unwrap().value.to_string());
    Entry {
        value: None,
        bounds: Some([low, high]),
        ..entry
    }
}

#[test]
fn a_database_replaces_the_search() {
    let sum = [Game::parse("clobber_1xn", "XOXOXOXOXOXOXO").unwrap()];
    let database = open(builder(&boards("clobber_1xn", ".XO", 1, 8), whole).finish()).unwrap();
    let mut plain = Solver::default().searching_only();
    let mut helped = Solver::default().searching_only();
    helped.attach(database);
    assert_eq!(plain.outcome(&sum), helped.outcome(&sum));
    let (plain, helped) = (plain.stats().nodes, helped.stats().nodes);
    assert!(2 * helped < plain, "{helped} against {plain}");
}

#[test]
fn missing_entries_are_not_found() {
    let database = open(strips().finish()).unwrap();
    let clobber = Kind::named("clobber_1xn").unwrap();
    assert!(database.get(clobber, "OXX").is_some());
    assert_eq!(database.get(clobber, "nonsense"), None);
    assert_eq!(database.get(Kind::named("nogo_1xn").unwrap(), "OXX"), None);
    assert!(!database.is_damaged());
}

#[test]
fn the_simplest_equal_sum_is_set() {
    let mut games = boards("domineering", ".#", 2, 3);
    games.extend(boards("clobber_1xn", ".XO", 1, 5));
    let database = open(builder(&games, whole).finish()).unwrap();
    let equal = |game: &str, position: &str| {
        let part = &Game::parse(game, position).unwrap().components()[0];
        database.get(part.kind, &part.text()).unwrap().equal
    };
    assert_eq!(equal("clobber_1xn", "XXO").as_deref(), Some("^"));
    assert_eq!(equal("domineering", "..|..").as_deref(), None);
    assert_eq!(equal("domineering", "..#|..#").as_deref(), None);
}

#[test]
fn merging_adds_up_and_refuses_contradictions() {
    let parts = [strips(), builder(&boards("domineering", ".#", 2, 3), whole)];
    let mut all = Builder::default();
    for part in &parts {
        // Merging the same entries again changes nothing.
        all.merge(&open(part.finish()).unwrap()).unwrap();
        all.merge(&open(part.finish()).unwrap()).unwrap();
    }
    assert_eq!(all.len(), parts[0].len() + parts[1].len());
    assert_eq!(open(all.finish()).unwrap().games().count(), 2);
    let mut wrong = Builder::default();
    wrong
        .insert("clobber_1xn", "OXX", Entry::of_outcome(Outcome::Right))
        .unwrap();
    assert_eq!(
        all.merge(&open(wrong.finish()).unwrap()),
        Err(BadDatabase::Conflict("clobber_1xn OXX".to_owned()))
    );
    let mut less = Builder::default();
    less.insert("clobber_1xn", "OXX", Entry::of_outcome(Outcome::Left))
        .unwrap();
    all = strips();
    all.merge(&open(less.finish()).unwrap()).unwrap();
    assert_eq!(all.finish(), strips().finish());
}

#[test]
fn other_files_and_versions_are_refused() {
    assert_eq!(
        open(b"root:x:0:0".to_vec()).err(),
        Some(BadDatabase::NotADatabase)
    );
    assert_eq!(open(Vec::new()).err(), Some(BadDatabase::NotADatabase));
    let good = strips().finish();
    let versioned = |version: u32| {
        let mut bytes = good.clone();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        open(bytes).err()
    };
    assert_eq!(versioned(99), Some(BadDatabase::Version(99)));
    assert_eq!(
        versioned(VERSION.swap_bytes()),
        Some(BadDatabase::ByteOrder)
    );
}

#[test]
fn unknown_games_are_ignored() {
    let mut builder = strips();
    builder
        .insert("quantum_go", "??", Entry::of_outcome(Outcome::Left))
        .unwrap();
    let database = open(builder.finish()).unwrap();
    database.check().unwrap();
    let clobber = Kind::named("clobber_1xn").unwrap();
    assert!(database.get(clobber, "OXX").is_some());
}

#[test]
fn damage_is_detected_and_not_used() {
    let good = builder(&boards("clobber_1xn", ".XO", 1, 4), whole).finish();
    let truth: Vec<_> = open(good.clone())
        .unwrap()
        .entries()
        .map(|found| found.map(|(game, text, entry)| (game.to_owned(), text.to_owned(), entry)))
        .collect::<Result<_, _>>()
        .unwrap();
    for length in 0..good.len() {
        assert!(open(good[..length].to_vec()).is_err(), "{length}");
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        let Ok(database) = open(bad) else {
            continue;
        };
        assert!(database.check().is_err(), "{at}");
        for (game, position, entry) in &truth {
            let found = database.get(Kind::named(game).unwrap(), position);
            assert!(found.is_none_or(|found| found == *entry), "{at}");
        }
    }
}

/// Replaces eight bytes of the head, and its checksum.
fn with_head(good: &[u8], at: usize, number: u64) -> Vec<u8> {
    let mut bad = good.to_vec();
    let name = 4 + "clobber_1xn".len();
    let head = 24 + name + 20;
    bad[at..at + 8].copy_from_slice(&number.to_le_bytes());
    let sum = checksum(&[&bad[..head]]);
    bad[head..head + 8].copy_from_slice(&sum.to_le_bytes());
    bad
}

#[test]
fn absurd_numbers_with_right_checksums_are_inconsistent() {
    let good = builder(&boards("clobber_1xn", ".XO", 1, 4), whole).finish();
    let entries = 24 + 4 + "clobber_1xn".len();
    let index = entries + 8;
    let is_inconsistent =
        |bad: Vec<u8>| matches!(open(bad).err(), Some(BadDatabase::Inconsistent(_)));
    for absurd in [u64::MAX, u64::MAX / 8, 1 << 61, good.len() as u64] {
        assert!(
            is_inconsistent(with_head(&good, entries, absurd)),
            "{absurd}"
        );
        assert!(is_inconsistent(with_head(&good, index, absurd)), "{absurd}");
    }
    assert!(is_inconsistent(with_head(&good, index, 0)));
    assert!(open(with_head(&good, entries, 1)).is_ok());
}

#[test]
fn entries_with_right_checksums_are_checked() {
    let entry = || Entry::of_outcome(Outcome::Left);
    let bounds = |low: &str, high: &str| Some([low.to_owned(), high.to_owned()]);
    let absurd = [
        Entry {
            value: Some("-1".to_owned()),
            ..entry()
        },
        Entry {
            value: Some("{1|".to_owned()),
            ..entry()
        },
        Entry {
            bounds: bounds("2", "1"),
            ..entry()
        },
        Entry {
            bounds: bounds("x", "1"),
            ..entry()
        },
    ];
    for entry in absurd {
        let mut builder = Builder::default();
        builder.insert("clobber_1xn", "OXX", entry).unwrap();
        let checked = open(builder.finish()).unwrap().check();
        let message = checked.unwrap_err().to_string();
        assert!(message.starts_with("inconsistent database: "), "{message}");
    }
    // A value that would take too long is not computed.
    let mut builder = Builder::default();
    let endless: Vec<String> = (0..60).map(|n| format!("+-{}", 1u64 << n)).collect();
    let value = Some(endless.concat());
    let next = Entry::of_outcome(Outcome::Next);
    builder
        .insert("clobber_1xn", "OXX", Entry { value, ..next })
        .unwrap();
    builder.link_equals(&mut Forms::default());
    let database = open(builder.finish()).unwrap();
    assert_eq!(database.check(), Ok(()));
    let mut solver = Solver::default();
    solver.attach(database);
    let sum = [Game::parse("clobber_1xn", "OXX").unwrap()];
    assert!(solver.outcome(&sum).is_ok());
}

/// Changes each byte of an entry and corrects the checksum: the result is an error or an entry, not
/// a panic.
#[test]
fn changed_entries_with_right_checksums_do_not_panic() {
    let good = builder(&boards("clobber_1xn", ".XO", 1, 4), whole).finish();
    let first = 24 + 4 + "clobber_1xn".len() + 20 + 8;
    let end = {
        let mut reader = EntryReader::new(&good, first);
        reader.entry("clobber_1xn").unwrap();
        reader.at() - 8
    };
    for at in first..end {
        for change in [0x01, 0x41, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= change;
            let sum = checksum(&[b"clobber_1xn", &bad[first..end]]);
            bad[end..end + 8].copy_from_slice(&sum.to_le_bytes());
            let database = open(bad).unwrap();
            let _ = database.check();
            let mut solver = Solver::default();
            solver.attach(database);
            let sum = [Game::parse("clobber_1xn", "OXX").unwrap()];
            let _ = solver.outcome(&sum);
        }
    }
}

#[test]
fn a_truncated_journal_yields_its_complete_entries() {
    let mut journal = Builder::journal_head();
    let database = open(strips().finish()).unwrap();
    let mut ends = vec![journal.len()];
    for found in database.entries().take(3) {
        let (game, position, entry) = found.unwrap();
        journal.extend(Builder::journal_entry(game, position, &entry));
        ends.push(journal.len());
    }
    for length in 8..=journal.len() {
        let mut builder = Builder::default();
        let whole = builder.read_journal(&journal[..length]).unwrap();
        let entries = ends.iter().filter(|&&end| end <= length).count() - 1;
        assert_eq!((builder.len(), whole), (entries, ends[entries]), "{length}");
    }
    assert!(Builder::default().read_journal(b"something").is_err());
}
