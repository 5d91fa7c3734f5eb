//! What statistics and filters ask of a game, in eight bytes.

use chess::Board;
use chess::pgn::{Game, Outcome};

/// Result, ratings, date and length of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(u64);

/// Ratings, years and lengths larger than these are stored as these.
const RATING_LIMIT: u64 = (1 << 12) - 1;
const YEAR_LIMIT: u64 = (1 << 12) - 1;
const PLIES_LIMIT: u64 = (1 << 14) - 1;

impl Facts {
    /// The facts of a game whose mainline has this many moves.
    pub fn of(game: &Game, plies: usize, branches: bool) -> Facts {
        let odd = *game.start() != Board::default();
        let rating = |tag| {
            game.tag(tag)
                .map_or(0, |text| number(text).min(RATING_LIMIT))
        };
        let date = Date::of(game);
        let outcome = match game.outcome() {
            Outcome::White => 1,
            Outcome::Black => 2,
            Outcome::Draw => 3,
            Outcome::Unknown => 0,
        };
        Facts(
            outcome
                | rating("WhiteElo") << 2
                | rating("BlackElo") << 14
                | date.year.min(YEAR_LIMIT) << 26
                | date.month << 38
                | date.day << 42
                | (plies as u64).min(PLIES_LIMIT) << 47
                | u64::from(branches) << 61
                | u64::from(odd) << 62,
        )
    }

    pub(crate) const fn from_bits(bits: u64) -> Facts {
        Facts(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// The result after the moves.
    pub const fn outcome(self) -> Outcome {
        match self.0 & 3 {
            1 => Outcome::White,
            2 => Outcome::Black,
            3 => Outcome::Draw,
            _ => Outcome::Unknown,
        }
    }

    /// White's rating; 0 if unknown.
    pub const fn white_elo(self) -> u32 {
        (self.0 >> 2 & RATING_LIMIT) as u32
    }

    /// Black's rating; 0 if unknown.
    pub const fn black_elo(self) -> u32 {
        (self.0 >> 14 & RATING_LIMIT) as u32
    }

    /// The mean of the two ratings, 0 if one is unknown: the order of best games.
    pub const fn strength(self) -> u32 {
        match (self.white_elo(), self.black_elo()) {
            (0, _) | (_, 0) => 0,
            (white, black) => white + black,
        }
    }

    /// The year; 0 if unknown.
    pub const fn year(self) -> u32 {
        (self.0 >> 26 & YEAR_LIMIT) as u32
    }

    /// The date as a number that sorts by time: year, month, day; unknown parts are 0.
    pub const fn date(self) -> u32 {
        let (month, day) = ((self.0 >> 38 & 15) as u32, (self.0 >> 42 & 31) as u32);
        (self.year() * 100 + month) * 100 + day
    }

    /// The number of moves by either side in the mainline.
    pub const fn plies(self) -> u32 {
        (self.0 >> 47 & PLIES_LIMIT) as u32
    }

    /// True if the game does not begin at the usual position.
    pub const fn starts_oddly(self) -> bool {
        self.0 >> 62 & 1 != 0
    }

    /// True if the game has variations.
    pub const fn branches(self) -> bool {
        self.0 >> 61 & 1 != 0
    }
}

struct Date {
    year: u64,
    month: u64,
    day: u64,
}

impl Date {
    /// The date of the game, from the first tag that holds a year.
    fn of(game: &Game) -> Date {
        let dates = ["Date", "UTCDate", "EventDate"]
            .into_iter()
            .filter_map(|tag| Some(Date::read(game.tag(tag)?)));
        dates
            .into_iter()
            .find(|date| date.year > 0)
            .unwrap_or(Date::read(""))
    }

    fn read(text: &str) -> Date {
        let mut parts = text.split(['.', '-', '/']).map(number);
        let mut next = |limit| parts.next().filter(|&part| part <= limit).unwrap_or(0);
        Date {
            year: next(YEAR_LIMIT),
            month: next(12),
            day: next(31),
        }
    }
}

/// The number a text begins with; 0 if there is none.
fn number(text: &str) -> u64 {
    let digits = text.trim_start().bytes().take_while(u8::is_ascii_digit);
    digits
        .take(6)
        .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_from_tags() {
        let text =
            b"[Date \"2013.11.??\"]\n[WhiteElo \"2870\"]\n[BlackElo \"2775 \"]\n\n1. e4 e5 1/2-1/2";
        let game = chess::pgn::read_game(text).unwrap();
        let facts = Facts::of(&game, 2, false);
        assert_eq!(facts.date(), 20131100);
        assert_eq!((facts.white_elo(), facts.black_elo()), (2870, 2775));
        assert_eq!(facts.outcome(), Outcome::Draw);
        assert_eq!((facts.plies(), facts.branches()), (2, false));
    }

    #[test]
    fn odd_values_are_bounded() {
        let text = b"[Date \"99999.77.1\"]\n[WhiteElo \"204269\"]\n\n*";
        let facts = Facts::of(&chess::pgn::read_game(text).unwrap(), 99_999, true);
        assert_eq!(facts.white_elo(), 4095);
        assert_eq!((facts.date(), facts.plies()), (0, 16383));
        assert!(facts.branches());
    }
}
