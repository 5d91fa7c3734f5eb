//! Tables of games as Parquet, for programs that read columns: games, moves, positions, opening
//! statistics, and matches of a query.

mod columns;
mod game;
mod lookup;
mod matches;
mod openings;

use std::path::PathBuf;

use kit::Workers;
use kit::table::{Field, Finished, Layout, TableDir, TableWriter};

pub use kit::table::TableError;
pub use lookup::{ParquetOpenings, has_openings};
pub use matches::MatchTable;

use self::game::Part;
use self::openings::Openings;
use crate::games::{Games, Run};

/// A table of games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GameTable {
    /// One row for each game.
    Games,
    /// One row for each move of a mainline.
    Moves,
    /// One row for each position of a mainline.
    Positions,
    /// One row for each position and move, with the results of its games, sorted.
    Openings,
}

impl GameTable {
    /// Every table of games.
    pub const ALL: [GameTable; 4] = [
        GameTable::Games,
        GameTable::Moves,
        GameTable::Positions,
        GameTable::Openings,
    ];

    /// The folder of the table.
    pub const fn name(self) -> &'static str {
        match self {
            GameTable::Games => "games",
            GameTable::Moves => "moves",
            GameTable::Positions => "positions",
            GameTable::Openings => "openings",
        }
    }

    const fn fields(self) -> &'static [Field] {
        match self {
            GameTable::Games => columns::GAMES,
            GameTable::Moves => columns::MOVES,
            GameTable::Positions => columns::POSITIONS,
            GameTable::Openings => columns::OPENINGS,
        }
    }

    /// The number of columns that the rows are sorted by, where lookups need it.
    const fn sorted_by(self) -> usize {
        match self {
            GameTable::Openings => 3,
            GameTable::Games | GameTable::Moves | GameTable::Positions => 0,
        }
    }
}

/// Where and how tables are written.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The folder, which gets a folder for each table.
    pub dir: PathBuf,
    /// A new file begins when one has this many bytes.
    pub part_size: u64,
}

impl TableOptions {
    fn layout(&self, sorted_by: usize, workers: &Workers) -> Layout {
        Layout {
            part_size: self.part_size,
            sorted_by,
            threads: workers.threads,
        }
    }
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Games; if there are none, nothing was written.
    pub games: u64,
    /// The rows of each table.
    pub rows: Vec<(GameTable, u64)>,
}

/// Writes tables of the games, all or nothing: a run that was stopped, or that could not read all
/// games, writes nothing.
pub fn export(
    games: &Games,
    tables: &[GameTable],
    options: &TableOptions,
    workers: &Workers,
) -> Result<Run<Exported>, TableError> {
    let mut writers = Writers::create(tables, options, workers)?;
    let run = games.run(
        workers,
        |batch| {
            let mut part = Part::new(tables);
            batch.read(|game, raw| {
                let number = batch.earlier + raw.place.number;
                part.add(game, &batch.name, number, raw.place.number);
            });
            part.sort();
            part
        },
        |part| writers.take(part),
    )?;
    if run.stopped || !run.unread.is_empty() || writers.games == 0 {
        return Ok(run.with(Exported::default()));
    }
    let exported = writers.finish(workers)?;
    let stopped = exported.is_none();
    Ok(Run {
        value: exported.unwrap_or_default(),
        stopped,
        unread: run.unread,
    })
}

/// The tables that are being written.
struct Writers {
    tables: Vec<(GameTable, TableWriter)>,
    openings: Openings,
    games: u64,
}

impl Writers {
    fn create(
        tables: &[GameTable],
        options: &TableOptions,
        workers: &Workers,
    ) -> Result<Writers, TableError> {
        let mut tables = tables.to_vec();
        tables.sort();
        tables.dedup();
        let dir = TableDir::open(&options.dir)?;
        let writers = tables.into_iter().map(|table| {
            let layout = options.layout(table.sorted_by(), workers);
            let writer = TableWriter::create(&dir, table.name(), table.fields(), layout);
            Ok((table, writer?))
        });
        Ok(Writers {
            tables: writers.collect::<Result<_, TableError>>()?,
            openings: Openings::new(&options.dir),
            games: 0,
        })
    }

    fn take(&mut self, part: Part) -> Result<(), TableError> {
        self.games += part.count;
        for (table, writer) in &mut self.tables {
            match table {
                GameTable::Games => writer.write(&part.games)?,
                GameTable::Moves => writer.write(&part.moves)?,
                GameTable::Positions => writer.write(&part.positions)?,
                GameTable::Openings => {}
            }
        }
        self.openings.add(part.entries)
    }

    /// Completes all tables, then gives them their places; `None`: stopped.
    fn finish(self, workers: &Workers) -> Result<Option<Exported>, TableError> {
        let mut finished: Vec<(GameTable, Finished)> = Vec::new();
        let mut openings = Some(self.openings);
        for (table, mut writer) in self.tables {
            if table == GameTable::Openings
                && let Some(openings) = openings.take()
            {
                openings.write(&mut writer, &workers.stop)?;
            }
            if workers.stop.is_raised() {
                return Ok(None);
            }
            finished.push((table, writer.finish()?));
        }
        let rows = finished
            .into_iter()
            .map(|(table, finished)| Ok((table, finished.publish()?)));
        Ok(Some(Exported {
            games: self.games,
            rows: rows.collect::<Result<_, TableError>>()?,
        }))
    }
}
