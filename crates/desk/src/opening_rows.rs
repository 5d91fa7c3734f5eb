//! Opening statistics of all positions of games, as sorted rows that can be added up.
//!
//! Rows of several files with the same position and move are added by summing the counts and taking
//! the least and the greatest date; the result is that of all files together.

use chess::pgn::Game;
use chess::{Color, Identity, KeyedBoard, Move};
use rustc_hash::{FxHashMap, FxHashSet};
use store::{Facts, Tally};

use crate::games::{Games, Run};
use kit::Workers;

/// The games in which a move was played where a position occurred first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningRow {
    /// The position, [`Identity::Strict`].
    pub key: u128,
    /// The move; empty where games end.
    pub uci: Uci,
    /// The counts.
    pub counts: OpeningCounts,
}

/// The counts of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpeningCounts {
    /// Black is to move.
    pub black_to_move: bool,
    /// Games, results and ratings.
    pub tally: Tally,
    /// The earliest and the latest date, if some game has a year.
    pub dates: Option<(DateText, DateText)>,
}

/// A move in UCI notation, padded with zero bytes: moves are ordered like their text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Uci([u8; 8]);

/// A date as `2013.11.??`, ordered like its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DateText([u8; 10]);

/// A position and a move.
type Place = (u128, Uci);

/// The memory of a row while it is counted, in bytes.
const ROW: u64 = 2 * size_of::<(Place, OpeningCounts)>() as u64;

/// Counts the mainlines of games up to a number of half-moves; the rows are sorted by position and
/// move.
pub fn opening_rows(games: &Games, plies: Option<u32>, workers: &Workers) -> Run<Vec<OpeningRow>> {
    let mut counts: FxHashMap<Place, OpeningCounts> = FxHashMap::default();
    let run = games.run_growing(
        workers,
        None,
        |batch| {
            let mut part = Part::default();
            batch.read(|game, _| part.add(game, plies));
            part.counts
        },
        |part| {
            for (place, more) in part {
                counts.entry(place).or_default().add(&more);
            }
            counts.len() as u64 * ROW
        },
    );
    let rows = counts
        .into_iter()
        .map(|((key, uci), counts)| OpeningRow { key, uci, counts });
    let mut rows: Vec<OpeningRow> = rows.collect();
    rows.sort_unstable_by_key(|row| (row.key, row.uci));
    run.with(rows)
}

/// The counts of some games.
#[derive(Default)]
struct Part {
    counts: FxHashMap<Place, OpeningCounts>,
    /// The positions of the current game.
    seen: FxHashSet<u128>,
}

impl Part {
    fn add(&mut self, game: &Game, plies: Option<u32>) {
        let facts = Facts::of(game, 0, false);
        let mut board = KeyedBoard::new(game.start().clone());
        self.seen.clear();
        let mut moves = game.tree().mainline_moves();
        for ply in 0.. {
            let mv = moves.next().copied();
            let key = board.key(Identity::Strict);
            if self.seen.insert(key) {
                let uci = mv.map_or(Uci::default(), |mv| Uci::of(&board, mv));
                let counts = self.counts.entry((key, uci)).or_default();
                counts.add_game(facts, board.board().turn());
            }
            match mv {
                Some(mv) if plies.is_none_or(|plies| ply + 1 < plies) => board.play(mv),
                _ => break,
            }
        }
    }
}

impl OpeningCounts {
    fn add_game(&mut self, facts: Facts, turn: Color) {
        self.black_to_move = turn == Color::Black;
        self.tally.add(facts);
        if facts.year() > 0 {
            let date = DateText::of(facts.date());
            self.add_dates((date, date));
        }
    }

    /// Adds the games of another row.
    pub fn add(&mut self, other: &OpeningCounts) {
        self.black_to_move |= other.black_to_move;
        self.tally.merge(&other.tally);
        let dates = other.dates.into_iter();
        dates.for_each(|dates| self.add_dates(dates));
    }

    /// The ratings of the side to move, added up over the games where both players have one.
    pub fn elo_sum(&self) -> u64 {
        match self.black_to_move {
            true => self.tally.black_elo,
            false => self.tally.white_elo,
        }
    }

    /// The ratings of its opponents, added up.
    pub fn opponent_elo_sum(&self) -> u64 {
        match self.black_to_move {
            true => self.tally.white_elo,
            false => self.tally.black_elo,
        }
    }

    /// The points of the side to move in games with both ratings and a result, doubled.
    pub fn elo_points(&self) -> u64 {
        match self.black_to_move {
            true => 2 * self.tally.rated_results - self.tally.rated_points,
            false => self.tally.rated_points,
        }
    }

    fn add_dates(&mut self, (first, last): (DateText, DateText)) {
        self.dates = Some(match self.dates {
            Some((known_first, known_last)) => (known_first.min(first), known_last.max(last)),
            None => (first, last),
        });
    }
}

impl Uci {
    fn of(board: &KeyedBoard, mv: Move) -> Uci {
        let mut bytes = [0; 8];
        let text = board.board().uci(mv);
        bytes
            .iter_mut()
            .zip(text.bytes())
            .for_each(|(to, byte)| *to = byte);
        Uci(bytes)
    }

    /// The text; empty where games end.
    pub fn as_bytes(&self) -> &[u8] {
        let length = self.0.iter().position(|&byte| byte == 0);
        &self.0[..length.unwrap_or(self.0.len())]
    }
}

impl DateText {
    /// The date of a number such as 20131100; unknown parts are 0.
    fn of(date: u32) -> DateText {
        let digit = |place: u32| b'0' + (date / 10_u32.pow(place) % 10) as u8;
        let pair = |place: u32| match date / 10_u32.pow(place) % 100 {
            0 => [b'?', b'?'],
            _ => [digit(place + 1), digit(place)],
        };
        let ([m1, m2], [d1, d2]) = (pair(2), pair(0));
        let year = [digit(7), digit(6), digit(5), digit(4)];
        let [y1, y2, y3, y4] = year;
        DateText([y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2])
    }

    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::Choice;
    use kit::input::Source;

    fn rows(text: &str, plies: Option<u32>) -> Vec<OpeningRow> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).unwrap();
        let games = Games::new(vec![Source::File(path)], Choice::default());
        opening_rows(&games, plies, &Workers::alone()).value
    }

    fn total(rows: &[OpeningRow], uci: &str) -> OpeningCounts {
        let mut total = OpeningCounts::default();
        let found = rows
            .iter()
            .filter(|row| row.uci.as_bytes() == uci.as_bytes());
        found.for_each(|row| total.add(&row.counts));
        total
    }

    #[test]
    fn a_position_counts_once_in_a_game() {
        let rows = rows("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0\n\n1. Nf3 *", None);
        let games = |uci| total(&rows, uci).tally.games;
        assert_eq!((games("g1f3"), games("g8f6"), games("e2e4")), (2, 1, 0));
        assert_eq!(total(&rows, "g8f6").tally.white, 1);
        // Both games end somewhere.
        assert_eq!(games(""), 2);
        assert!(rows.is_sorted_by_key(|row| (row.key, row.uci)));
    }

    #[test]
    fn ratings_dates_and_depth() {
        let game = |date: &str, elo: &str, moves: &str| {
            format!("[Date \"{date}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2000\"]\n\n{moves}\n\n")
        };
        let text = game("2013.11.??", "2100", "1. e4 e5 1-0")
            + &game("1999.01.02", "", "1. e4 c5 0-1")
            + &game("????.??.??", "2300", "1. e4 e5 1/2-1/2");
        let rows = rows(&text, Some(1));
        assert_eq!(rows.len(), 1);
        let counts = rows[0].counts;
        let tally = counts.tally;
        assert_eq!((tally.white, tally.draws, tally.black), (1, 1, 1));
        assert_eq!(
            (tally.rated, counts.elo_sum(), counts.opponent_elo_sum()),
            (2, 4400, 4000)
        );
        assert_eq!((tally.rated_results, counts.elo_points()), (2, 3));
        let (first, last) = counts.dates.unwrap();
        assert_eq!(first.as_bytes(), b"1999.01.02");
        assert_eq!(last.as_bytes(), b"2013.11.??");
    }
}
