//! The matches of a query as a table.

use kit::Workers;
use kit::table::{Cell, TableDir, TableError, TableWriter};

use super::{TableOptions, columns};
use crate::query::Answer;

/// The table of matches that is being written. Dropped before [`MatchTable::finish`], it leaves no
/// trace.
#[derive(Debug)]
pub struct MatchTable(TableWriter);

impl MatchTable {
    /// The folder of the table.
    pub const NAME: &str = "matches";

    /// Starts the table. One that exists is refused.
    pub fn create(options: &TableOptions, workers: &Workers) -> Result<MatchTable, TableError> {
        let layout = options.layout(0, workers);
        let dir = TableDir::open(&options.dir)?;
        TableWriter::create(&dir, MatchTable::NAME, columns::MATCHES, layout).map(MatchTable)
    }

    /// Adds the matching positions of a game.
    pub fn add(&mut self, answer: &Answer) -> Result<(), TableError> {
        let number = |number: u64| Cell::Int(i64::try_from(number).unwrap_or(i64::MAX));
        answer.positions.iter().try_for_each(|found| {
            self.0.push([
                number(answer.result.game_number),
                Cell::Text(&found.file),
                number(found.game),
                Cell::Int(found.position.into()),
                Cell::Int(found.ply.into()),
                Cell::Text(&found.path),
                Cell::Text(&found.fen),
            ])
        })
    }

    /// Completes the table and returns the number of its rows.
    pub fn finish(self) -> Result<u64, TableError> {
        self.0.finish()?.publish()
    }
}
