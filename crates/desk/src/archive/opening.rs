//! Opening statistics: the moves played from a position in the games of archives.

use chess::openings::Opening;
use chess::{Board, Color, Move};
use serde::Serialize;
use store::{Found, GameSet, Position, Ranked, Stats, TOP, Tally};

use super::{Archive, ArchiveError, Filter, Stored};

/// What was played from a position.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningTable {
    /// The position.
    pub fen: String,
    /// Its ECO code.
    pub eco: Option<&'static str>,
    /// Its name.
    pub opening: Option<&'static str>,
    /// Games in which it occurred.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// The mean rating of all players, in games where both are known.
    pub average_elo: Option<u32>,
    /// The earliest year.
    pub first_year: Option<u32>,
    /// The latest year.
    pub last_year: Option<u32>,
    /// The moves, most frequent first.
    pub moves: Vec<OpeningMove>,
    /// Games with the highest ratings.
    pub best: Vec<OpeningGame>,
    /// The latest games.
    pub latest: Vec<OpeningGame>,
}

/// A move played from the position.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningMove {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI.
    pub uci: String,
    /// Games in which it was played here.
    pub games: u64,
    /// Its share of the games that go on, from 0 to 1.
    pub share: f64,
    /// Games won by White.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// The mean rating of the players who chose it.
    pub average_elo: Option<u32>,
    /// Their performance: the rating that their results against their opponents would make.
    pub performance: Option<i64>,
    /// The earliest year.
    pub first_year: Option<u32>,
    /// The latest year.
    pub last_year: Option<u32>,
    /// Games with the position after the move, by any order of moves.
    pub reached: u64,
    /// The ECO code of that position.
    pub eco: Option<&'static str>,
    /// The name of that position.
    pub opening: Option<&'static str>,
}

/// A game named beside the table.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningGame {
    /// The archive.
    pub archive: String,
    /// The number of the game there, from 1.
    pub number: u64,
    /// White's name.
    pub white: String,
    /// White's rating.
    pub white_elo: Option<u32>,
    /// Black's name.
    pub black: String,
    /// Black's rating.
    pub black_elo: Option<u32>,
    /// The result.
    pub result: String,
    /// The date as in the game.
    pub date: String,
    /// The event.
    pub event: String,
}

/// Looks a position up in archives.
pub fn opening(
    archives: &[Archive],
    board: &Board,
    filter: &Filter,
) -> Result<OpeningTable, ArchiveError> {
    let mut search = OpeningSearch::new(archives, filter)?;
    search.table(board)
}

/// Lookups in the same archives with the same filter.
pub(crate) struct OpeningSearch<'a> {
    archives: &'a [Archive],
    /// For each segment of all archives the selected games; `None`: all.
    within: Vec<Option<GameSet>>,
}

impl<'a> OpeningSearch<'a> {
    pub fn new(
        archives: &'a [Archive],
        filter: &Filter,
    ) -> Result<OpeningSearch<'a>, ArchiveError> {
        let segments = archives.iter().flat_map(Archive::segments);
        let within = segments.map(
            |stored| match filter.is_everything() && stored.live.is_none() {
                true => Ok(None),
                false => filter.select(stored).map(Some),
            },
        );
        Ok(OpeningSearch {
            archives,
            within: within.collect::<Result<_, _>>()?,
        })
    }

    fn segments(&self) -> impl Iterator<Item = (&'a Archive, &'a Stored, Option<&GameSet>)> {
        let archives = self.archives.iter();
        let segments = archives.flat_map(|archive| {
            archive
                .segments()
                .iter()
                .map(move |stored| (archive, stored))
        });
        segments
            .zip(&self.within)
            .map(|((archive, stored), within)| (archive, stored, within.as_ref()))
    }

    pub fn table(&mut self, board: &Board) -> Result<OpeningTable, ArchiveError> {
        let position = Position::of(board);
        let mut stats = Stats::default();
        let (mut best, mut latest) = (Vec::new(), Vec::new());
        for (archive, stored, within) in self.segments() {
            let found = stored.segment.stats(&position, within);
            let found: Found = found.map_err(|damage| stored.damaged(damage))?;
            stats.merge(&found.stats);
            let named = |ranked: &Ranked| (*ranked, archive, stored);
            best.extend(found.best.games().iter().map(named));
            latest.extend(found.latest.games().iter().map(named));
        }
        stats.sort();
        best.sort_by_key(|(ranked, ..)| std::cmp::Reverse(ranked.facts.strength()));
        latest.sort_by_key(|(ranked, ..)| std::cmp::Reverse(ranked.facts.date()));
        let name = |games: Vec<(Ranked, &Archive, &Stored)>| {
            let games = games.into_iter().take(TOP);
            games.map(named_game).collect::<Result<Vec<_>, _>>()
        };
        let table = table_of(board, &stats, |after| self.reached(after))?;
        Ok(OpeningTable {
            best: name(best)?,
            latest: name(latest)?,
            ..table
        })
    }

    /// The games with a position, by any order of moves.
    fn reached(&self, board: &Board) -> Result<u64, ArchiveError> {
        let position = Position::of(board);
        let counts = self.segments().map(|(_, stored, within)| {
            let counted = match within {
                None => stored.segment.count_with(&position),
                Some(within) => stored.segment.games_with(&position).map(|games| {
                    games
                        .into_iter()
                        .filter(|&game| within.contains(game))
                        .count() as u64
                }),
            };
            counted.map_err(|damage| stored.damaged(damage))
        });
        counts.sum()
    }
}

/// The table of sorted statistics, without games; `reached` counts the games with a position.
pub(crate) fn table_of<E>(
    board: &Board,
    stats: &Stats,
    reached: impl Fn(&Board) -> Result<u64, E>,
) -> Result<OpeningTable, E> {
    let total = stats.total;
    let named = Opening::at(board);
    let all: u64 = stats.moves.iter().map(|(_, tally)| tally.games).sum();
    let moves = stats.moves.iter().map(|(m, tally)| {
        let mut after = board.clone();
        after.play(*m);
        let share = tally.games as f64 / all.max(1) as f64;
        Ok(move_row(board, *m, &after, tally, share, reached(&after)?))
    });
    Ok(OpeningTable {
        fen: board.fen(),
        eco: named.map(|opening| opening.eco),
        opening: named.map(|opening| opening.name),
        games: total.games,
        white: total.white,
        draws: total.draws,
        black: total.black,
        average_elo: mean(total.white_elo + total.black_elo, 2 * total.rated),
        first_year: known(total.first_year),
        last_year: known(total.last_year),
        moves: moves.collect::<Result<_, E>>()?,
        best: Vec::new(),
        latest: Vec::new(),
    })
}

fn move_row(
    board: &Board,
    m: Move,
    after: &Board,
    tally: &Tally,
    share: f64,
    reached: u64,
) -> OpeningMove {
    let named = Opening::at(after);
    let own = match board.turn() {
        Color::White => tally.white_elo,
        Color::Black => tally.black_elo,
    };
    OpeningMove {
        san: board.san(m).to_string(),
        uci: board.uci(m).to_string(),
        games: tally.games,
        share,
        white: tally.white,
        draws: tally.draws,
        black: tally.black,
        average_elo: mean(own, tally.rated),
        performance: performance(tally, board.turn()),
        first_year: known(tally.first_year),
        last_year: known(tally.last_year),
        reached,
        eco: named.map(|opening| opening.eco),
        opening: named.map(|opening| opening.name),
    }
}

fn known(year: u32) -> Option<u32> {
    Some(year).filter(|&year| year > 0)
}

fn mean(sum: u64, count: u64) -> Option<u32> {
    let rounded = (sum + count / 2).checked_div(count)?;
    u32::try_from(rounded).ok()
}

/// The opponents' mean rating, and the difference that the score stands for in the Elo model, at
/// most 800 points.
fn performance(tally: &Tally, side: Color) -> Option<i64> {
    if tally.rated_results == 0 {
        return None;
    }
    let (opponents, points) = match side {
        Color::White => (tally.black_elo, tally.rated_points),
        Color::Black => (
            tally.white_elo,
            2 * tally.rated_results - tally.rated_points,
        ),
    };
    let score = points as f64 / (2 * tally.rated_results) as f64;
    let difference = 400.0 * (score / (1.0 - score)).log10();
    let opponents = opponents as f64 / tally.rated as f64;
    Some((opponents + difference.clamp(-800.0, 800.0)).round() as i64)
}

fn named_game(
    (ranked, archive, stored): (Ranked, &Archive, &Stored),
) -> Result<OpeningGame, ArchiveError> {
    let tag = |name: &str| {
        let value = stored.segment.tag(ranked.game, name);
        let value = value.map_err(|damage| stored.damaged(damage))?;
        Ok::<String, ArchiveError>(value.unwrap_or_default().to_string())
    };
    let elo = |elo: u32| Some(elo).filter(|&elo| elo > 0);
    let before = match &stored.live {
        Some(live) => live.iter().take_while(|&game| game < ranked.game).count() as u64,
        None => u64::from(ranked.game),
    };
    Ok(OpeningGame {
        archive: archive.path().display().to_string(),
        number: stored.earlier + before + 1,
        white: tag("White")?,
        white_elo: elo(ranked.facts.white_elo()),
        black: tag("Black")?,
        black_elo: elo(ranked.facts.black_elo()),
        result: ranked.facts.outcome().as_str().to_string(),
        date: tag("Date")?,
        event: tag("Event")?,
    })
}
