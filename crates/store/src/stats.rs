//! Statistics of a position: the moves played from it, with results, ratings, years and games.

use chess::Move;
use chess::pgn::Outcome;

use crate::bytes::{Bytes, Damage, put_varint};
use crate::facts::Facts;

/// The number of best and of latest games that are kept.
pub const TOP: usize = 5;

/// The games in which one move was played, or all games of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The games, with or without a result.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games in which both players have a rating.
    pub rated: u64,
    /// The sum of White's ratings in those.
    pub white_elo: u64,
    /// The sum of Black's ratings in those.
    pub black_elo: u64,
    /// Games with a rating on both sides and a result.
    pub rated_results: u64,
    /// White's points in those, doubled.
    pub rated_points: u64,
    /// The earliest year; 0 if none is known.
    pub first_year: u32,
    /// The latest year; 0 if none is known.
    pub last_year: u32,
}

impl Tally {
    /// Counts a game.
    #[inline]
    pub fn add(&mut self, facts: Facts) {
        self.games += 1;
        let points = match facts.outcome() {
            Outcome::White => {
                self.white += 1;
                Some(2)
            }
            Outcome::Black => {
                self.black += 1;
                Some(0)
            }
            Outcome::Draw => {
                self.draws += 1;
                Some(1)
            }
            Outcome::Unknown => None,
        };
        if facts.strength() > 0 {
            self.rated += 1;
            self.white_elo += u64::from(facts.white_elo());
            self.black_elo += u64::from(facts.black_elo());
            if let Some(points) = points {
                self.rated_results += 1;
                self.rated_points += points;
            }
        }
        self.add_years(facts.year(), facts.year());
    }

    fn add_years(&mut self, first: u32, last: u32) {
        if first > 0 && (self.first_year == 0 || first < self.first_year) {
            self.first_year = first;
        }
        self.last_year = self.last_year.max(last);
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Tally) {
        let pairs = self.sums_mut().into_iter().zip(other.sums());
        pairs.for_each(|(sum, more)| *sum += more);
        self.add_years(other.first_year, other.last_year);
    }

    fn sums(&self) -> [u64; 9] {
        [
            self.games,
            self.white,
            self.draws,
            self.black,
            self.rated,
            self.white_elo,
            self.black_elo,
            self.rated_results,
            self.rated_points,
        ]
    }

    fn sums_mut(&mut self) -> [&mut u64; 9] {
        [
            &mut self.games,
            &mut self.white,
            &mut self.draws,
            &mut self.black,
            &mut self.rated,
            &mut self.white_elo,
            &mut self.black_elo,
            &mut self.rated_results,
            &mut self.rated_points,
        ]
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.sums().iter().for_each(|&sum| put_varint(out, sum));
        put_varint(out, u64::from(self.first_year));
        put_varint(out, u64::from(self.last_year));
    }

    fn read(bytes: &mut Bytes) -> Result<Tally, Damage> {
        let mut tally = Tally::default();
        for sum in tally.sums_mut() {
            *sum = bytes.varint()?;
        }
        tally.first_year = bytes.varint32()?;
        tally.last_year = bytes.varint32()?;
        Ok(tally)
    }
}

/// A game named in statistics, with what it is ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The number of the game in its segment.
    pub game: u32,
    /// The facts of the game.
    pub facts: Facts,
}

/// All that is known about the games of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// All games in which the position occurred.
    pub total: Tally,
    /// The moves played from it when it occurred first in a game, most frequent first once
    /// [sorted](Stats::sort).
    pub moves: Vec<(Move, Tally)>,
}

impl Stats {
    /// Counts a game, with the move played in the position; `None` where the game ends there.
    #[inline]
    pub fn add(&mut self, m: Option<Move>, facts: Facts) {
        self.total.add(facts);
        if let Some(m) = m {
            self.tally_of(m).add(facts);
        }
    }

    fn tally_of(&mut self, m: Move) -> &mut Tally {
        let at = self.moves.iter().position(|&(other, _)| other == m);
        let at = at.unwrap_or_else(|| {
            self.moves.push((m, Tally::default()));
            self.moves.len() - 1
        });
        &mut self.moves[at].1
    }

    /// Adds the games of other statistics of the same position.
    pub fn merge(&mut self, other: &Stats) {
        self.total.merge(&other.total);
        for (m, tally) in &other.moves {
            self.tally_of(*m).merge(tally);
        }
    }

    /// Sorts the moves: most games first, then by the move.
    pub fn sort(&mut self) {
        self.moves
            .sort_by_key(|&(m, tally)| (std::cmp::Reverse(tally.games), m));
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        self.total.encode(out);
        put_varint(out, self.moves.len() as u64);
        for (m, tally) in &self.moves {
            out.extend_from_slice(&m.bits().to_le_bytes());
            tally.encode(out);
        }
    }

    pub(crate) fn read(bytes: &mut Bytes) -> Result<Stats, Damage> {
        let total = Tally::read(bytes)?;
        let count = bytes.count_within()?;
        let mut moves = Vec::with_capacity(count);
        for _ in 0..count {
            let m = Move::from_bits(bytes.u16()?).ok_or(bytes.damage())?;
            moves.push((m, Tally::read(bytes)?));
        }
        Ok(Stats { total, moves })
    }
}

/// The few games that rank first by some measure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopGames(Vec<Ranked>);

impl TopGames {
    /// Considers a game; `measure` ranks it, larger first, earlier games first among equals.
    #[inline]
    pub fn offer(&mut self, ranked: Ranked, measure: impl Fn(Facts) -> u32) {
        let value = measure(ranked.facts);
        if value == 0 {
            return;
        }
        let is_full = self.0.len() == TOP;
        if is_full
            && self
                .0
                .last()
                .is_some_and(|last| measure(last.facts) >= value)
        {
            return;
        }
        let at = self
            .0
            .partition_point(|other| measure(other.facts) >= value);
        self.0.insert(at, ranked);
        self.0.truncate(TOP);
    }

    /// The games, first first.
    pub fn games(&self) -> &[Ranked] {
        &self.0
    }
}
