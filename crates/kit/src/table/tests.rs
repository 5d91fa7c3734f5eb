use std::num::NonZeroUsize;

use super::*;

const FIELDS: &[Field] = &[
    Field::new("key", Kind::U64).coded(Coding::Plain),
    Field::new("row", Kind::I64).coded(Coding::Delta),
    Field::new("small", Kind::I32).nullable(),
    Field::new("mate", Kind::I16).nullable(),
    Field::new("clock", Kind::F32).nullable(),
    Field::new("odd", Kind::Bool),
    Field::new("name", Kind::Text).nullable(),
];

fn layout(part_size: u64) -> Layout {
    Layout {
        part_size,
        sorted_by: 1,
        threads: NonZeroUsize::MIN,
    }
}

/// The key of a row: over the whole range of unsigned numbers, three rows each.
fn key(row: i64) -> u64 {
    (row as u64 / 3).wrapping_mul(u64::MAX / 100_000)
}

fn cells<'a>(row: i64, name: &'a str) -> [Cell<'a>; 7] {
    let odd = row % 2 == 1;
    [
        Cell::Unsigned(key(row)),
        Cell::Int(row),
        if odd { Cell::Null } else { Cell::Int(-row) },
        if odd { Cell::Int(-3) } else { Cell::Null },
        Cell::Float(row as f32 / 2.0),
        Cell::Bool(odd),
        if odd { Cell::Text(name) } else { Cell::Null },
    ]
}

fn write(dir: &Path, rows: i64, part_size: u64) -> Finished {
    let dir = TableDir::open(dir).unwrap();
    let mut writer = TableWriter::create(&dir, "t", FIELDS, layout(part_size)).unwrap();
    for row in 0..rows {
        writer.push(cells(row, &format!("name {row}"))).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn keys_are_found_in_parts_by_reading_few_rows() {
    let dir = tempfile::tempdir().unwrap();
    let rows = 290_000;
    assert_eq!(
        write(dir.path(), rows, 1 << 20).publish().unwrap(),
        rows as u64
    );
    let parts = std::fs::read_dir(dir.path().join("t")).unwrap().count();
    assert!(parts > 1, "{parts}");
    let table = Table::open(&dir.path().join("t"), "key").unwrap();
    for row in [0, 1, 131_070, 131_073, rows / 2, rows - 1] {
        let found = table.near(key(row), FIELDS).unwrap();
        assert!(found.len() <= 10_000, "{} rows read", found.len());
        let numbers: Vec<Cell> = found.cells(1).collect();
        let at = numbers.iter().position(|cell| *cell == Cell::Int(row));
        let at = at.unwrap_or_else(|| panic!("row {row} not found"));
        let name = format!("name {row}");
        for (column, expected) in cells(row, &name).into_iter().enumerate() {
            assert_eq!(found.cells(column).nth(at), Some(expected));
        }
        let with_key = found
            .cells(0)
            .filter(|cell| *cell == Cell::Unsigned(key(row)));
        let all = (0..rows).filter(|other| key(*other) == key(row)).count();
        assert_eq!(with_key.count(), all);
    }
    assert!(table.near(key(rows - 1) + 1, FIELDS).unwrap().is_empty());
}

#[test]
fn a_table_without_rows_is_a_table() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(write(dir.path(), 0, 1 << 20).publish().unwrap(), 0);
    let table = Table::open(&dir.path().join("t"), "key").unwrap();
    assert!(table.near(0, FIELDS).unwrap().is_empty());
}

#[test]
fn a_table_that_exists_is_refused_and_an_unfinished_one_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    drop(write(dir.path(), 10, 1 << 20));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    write(dir.path(), 10, 1 << 20).publish().unwrap();
    let folder = TableDir::open(dir.path()).unwrap();
    let again = TableWriter::create(&folder, "t", FIELDS, layout(1 << 20));
    assert!(matches!(again, Err(TableError::Exists(_))));
    let new = dir.path().join("new");
    drop(write(&new, 10, 1 << 20));
    assert!(!new.exists());
}

#[test]
fn folders_of_killed_processes_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    let stale = dir.path().join(".gametree-stale.tmp");
    std::fs::create_dir_all(stale.join("part")).unwrap();
    write(dir.path(), 1, 1 << 20).publish().unwrap();
    let names: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names, ["t"]);
}

#[test]
fn wrong_columns_and_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 10, 1 << 20).publish().unwrap();
    let folder = dir.path().join("t");
    assert!(matches!(
        Table::open(&folder, "row"),
        Err(TableError::Column(_, "row"))
    ));
    let table = Table::open(&folder, "key").unwrap();
    let other = [Field::new("name", Kind::I64)];
    assert!(matches!(
        table.near(0, &other),
        Err(TableError::Column(_, "name"))
    ));
    std::fs::write(folder.join("part-00001.parquet"), b"PAR1 no").unwrap();
    let error = Table::open(&folder, "key").unwrap_err().to_string();
    assert!(error.contains("part-00001.parquet"), "{error}");
    assert!(matches!(
        Table::open(dir.path(), "key"),
        Err(TableError::NoParts(_))
    ));
}

#[test]
fn damaged_files_cause_no_panic() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 40, 1 << 20).publish().unwrap();
    let part = dir.path().join("t/part-00000.parquet");
    let good = std::fs::read(&part).unwrap();
    let mut state = 1u64;
    let mut next = |limit: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % limit
    };
    for _ in 0..500 {
        let mut bad = good.clone();
        for _ in 0..1 + next(3) {
            let at = next(bad.len());
            bad[at] = next(256) as u8;
        }
        std::fs::write(&part, bad).unwrap();
        if let Ok(table) = Table::open(&dir.path().join("t"), "key") {
            drop(table.near(0, FIELDS));
        }
    }
}
