//! Games in the order of a query's sort keys: their text is kept in a file, not in memory.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use cql::{GameResult, Query, SortValue};

/// Matching games, collected until the last one is known.
#[derive(Debug)]
pub struct Sorted<'q> {
    query: &'q Query,
    texts: BufWriter<File>,
    end: u64,
    games: Vec<Waiting>,
}

/// A game's keys, and the place of its text.
#[derive(Debug)]
struct Waiting {
    keys: GameResult,
    start: u64,
    len: u64,
}

impl<'q> Sorted<'q> {
    /// An empty collection.
    pub fn new(query: &'q Query) -> io::Result<Sorted<'q>> {
        let texts = BufWriter::new(tempfile::tempfile()?);
        Ok(Sorted {
            query,
            texts,
            end: 0,
            games: Vec::new(),
        })
    }

    /// Adds a game.
    pub fn push(
        &mut self,
        game_number: u64,
        sort: Vec<Option<SortValue>>,
        text: &[u8],
    ) -> io::Result<()> {
        self.texts.write_all(text)?;
        let mut keys = GameResult::default();
        keys.game_number = game_number;
        keys.sort = sort;
        let len = text.len() as u64;
        self.games.push(Waiting {
            keys,
            start: self.end,
            len,
        });
        self.end += len;
        Ok(())
    }

    /// Writes all games in order.
    pub fn write(mut self, out: &mut impl Write) -> io::Result<()> {
        self.texts.flush()?;
        let mut texts = self
            .texts
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        let query = self.query;
        self.games.sort_by(|a, b| query.compare(&a.keys, &b.keys));
        for Waiting { start, len, .. } in self.games {
            texts.seek(SeekFrom::Start(start))?;
            io::copy(&mut (&texts).take(len), out)?;
        }
        Ok(())
    }
}
