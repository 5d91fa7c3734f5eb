//! Opening statistics from Parquet: the rows of a position are found by the statistics of pages.

use std::path::Path;

use chess::{Board, Color, Identity};
use kit::table::{Cell, Rows, Table, TableError};
use store::{Stats, Tally};

use super::{GameTable, columns};
use crate::archive::{OpeningTable, table_of};

/// True if a folder has a table of opening statistics.
pub fn has_openings(dir: &Path) -> bool {
    dir.join(GameTable::Openings.name()).is_dir()
}

/// Tables of opening statistics, searched as one.
#[derive(Debug)]
pub struct ParquetOpenings(Vec<Table>);

impl ParquetOpenings {
    /// Opens the tables of these folders.
    pub fn open<P: AsRef<Path>>(dirs: &[P]) -> Result<ParquetOpenings, TableError> {
        let tables = dirs.iter().map(|dir| {
            let folder = dir.as_ref().join(GameTable::Openings.name());
            Table::open(&folder, columns::OPENINGS[0].name)
        });
        tables.collect::<Result<_, _>>().map(ParquetOpenings)
    }

    /// Looks a position up. Games are not named: the table does not hold any.
    pub fn table(&self, board: &Board) -> Result<OpeningTable, TableError> {
        let mut stats = self.stats(board)?;
        stats.sort();
        table_of(board, &stats, |after| Ok(self.stats(after)?.total.games))
    }

    fn stats(&self, board: &Board) -> Result<Stats, TableError> {
        let key = board.key(Identity::Strict);
        let mut stats = Stats::default();
        for table in &self.0 {
            let rows = table.near((key >> 64) as u64, columns::OPENINGS)?;
            add_rows(&mut stats, &rows, key, board);
        }
        Ok(stats)
    }
}

/// Adds the rows of a position.
fn add_rows(stats: &mut Stats, rows: &Rows, key: u128, board: &Board) {
    let (key_hi, key_lo) = ((key >> 64) as u64, key as u64);
    let keys = rows.cells(0).zip(rows.cells(1));
    let wanted = (Cell::Unsigned(key_hi), Cell::Unsigned(key_lo));
    let at: Vec<usize> = (0..)
        .zip(keys)
        .filter_map(|(row, key)| (key == wanted).then_some(row))
        .collect();
    let Some((&first, &last)) = at.first().zip(at.last()) else {
        return;
    };
    let columns = (2..columns::OPENINGS.len()).map(|column| {
        let cells = rows.cells(column).skip(first).take(last + 1 - first);
        cells.collect::<Vec<_>>()
    });
    let columns: Vec<Vec<Cell>> = columns.collect();
    for row in at {
        // A damaged file can have fewer values in one column than in another.
        let cells = columns.iter().map(|cells| cells.get(row - first).copied());
        let row: Vec<Cell> = cells.map(|cell| cell.unwrap_or(Cell::Null)).collect();
        let tally = tally(&row[1..], board.turn());
        stats.total.merge(&tally);
        if let Cell::Text(uci) = row[0]
            && let Ok(m) = board.parse_uci(uci)
        {
            let one = Stats {
                total: Tally::default(),
                moves: vec![(m, tally)],
            };
            stats.merge(&one);
        }
    }
}

/// Larger counts are of damaged files; sums of these do not overflow.
const MOST: u64 = 1 << 48;

/// The tally of a row, from the column `games` on.
fn tally(row: &[Cell], turn: Color) -> Tally {
    let mut cells = row.iter();
    let mut count = || match cells.next() {
        Some(Cell::Int(number)) => u64::try_from(*number).unwrap_or(0).min(MOST),
        _ => 0,
    };
    let (games, white, draws, black) = (count(), count(), count(), count());
    let (rated, own, opponent) = (count(), count(), count());
    let rated_results = count();
    let points = count().min(2 * rated_results);
    let mut year = || match cells.next() {
        Some(Cell::Text(date)) => date.get(..4).and_then(|year| year.parse().ok()),
        _ => None,
    };
    let (first_year, last_year) = (year(), year());
    let (white_elo, black_elo, rated_points) = match turn {
        Color::White => (own, opponent, points),
        Color::Black => (opponent, own, 2 * rated_results - points),
    };
    Tally {
        games,
        white,
        draws,
        black,
        rated,
        white_elo,
        black_elo,
        rated_results,
        rated_points,
        first_year: first_year.unwrap_or(0),
        last_year: last_year.unwrap_or(0),
    }
}
