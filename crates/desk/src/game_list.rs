//! The games of a session as a list: columns, sorting, searching. Games are read as they are needed,
//! each once.

use std::cmp::Ordering;

use memchr::memmem::Finder;

use crate::openings::by_tags;
use crate::session::Session;

/// A column to sort by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Column {
    /// The order of the files.
    #[default]
    Number,
    /// White's name.
    White,
    /// Black's name.
    Black,
    /// The result.
    Result,
    /// The ratings: the sum of both.
    Ratings,
    /// The date.
    Date,
    /// ECO code and opening.
    Opening,
    /// The length of the mainline.
    Moves,
}

impl Column {
    /// All columns, from left to right.
    pub const ALL: [Column; 8] = [
        Column::Number,
        Column::White,
        Column::Black,
        Column::Result,
        Column::Ratings,
        Column::Date,
        Column::Opening,
        Column::Moves,
    ];

    /// The column to the right; after the last one the first.
    pub fn next(self) -> Column {
        let next = (self as usize + 1) % Column::ALL.len();
        Column::ALL[next]
    }
}

/// What the list knows about a game.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// White's name; like the other texts, empty if it is not known.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The event; of a chapter, its name.
    pub event: String,
    /// The result.
    pub result: String,
    /// The ratings of White and Black; 0 if not known.
    pub ratings: [u32; 2],
    /// The date.
    pub date: String,
    /// By its tags, else by its positions once they were looked up; empty if it has no name.
    opening: Option<String>,
    /// Half-moves of the mainline, once counted.
    plies: Option<usize>,
}

impl Entry {
    fn of(session: &Session, game: usize) -> Entry {
        let tags = session.tags(game);
        let value = |name: &str| {
            let found = tags.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str())
        };
        let tag = |name: &str| {
            let value = value(name).unwrap_or_default();
            let is_known = !value.starts_with('?') && value != "*";
            if is_known {
                value.to_owned()
            } else {
                String::new()
            }
        };
        let number = |name| tag(name).trim().parse().ok();
        Entry {
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            result: tag("Result"),
            ratings: ["WhiteElo", "BlackElo"].map(|name| number(name).unwrap_or(0)),
            date: tag("Date").replace(".??", ""),
            opening: by_tags(value),
            plies: number("PlyCount").map(|plies| plies as usize),
        }
    }

    /// ECO code and name of the opening, if it was looked up.
    pub fn opening(&self) -> &str {
        self.opening.as_deref().unwrap_or_default()
    }

    /// The number of moves of the mainline, if they were counted.
    pub fn moves(&self) -> usize {
        self.plies.unwrap_or(0).div_ceil(2)
    }
}

/// The games of a session, which must not change while it is listed.
#[derive(Debug, Default)]
pub struct GameList {
    entries: Vec<Option<Box<Entry>>>,
    tags: TagTexts,
    /// All games in the order that was used last.
    sorted: Option<(Order, Vec<usize>)>,
    last: Option<Search>,
}

/// A search and its result.
#[derive(Debug)]
struct Search {
    words: Vec<String>,
    order: Order,
    games: Vec<usize>,
}

impl Search {
    /// True if games with these words are among the games found.
    fn includes(&self, words: &[String], order: Order) -> bool {
        let is_implied = |old: &String| words.iter().any(|word| word.contains(old.as_str()));
        self.order == order && self.words.iter().all(is_implied)
    }
}

/// The tag values of all games in lower case, in one buffer.
#[derive(Debug, Default)]
struct TagTexts {
    text: String,
    /// The end of each game's values.
    ends: Vec<usize>,
}

impl TagTexts {
    fn load(&mut self, session: &Session) {
        for game in self.ends.len()..session.game_count() {
            session.visit_tags(game, |_, value| {
                self.push_lower(value);
                self.text.push('\n');
            });
            self.ends.push(self.text.len());
        }
    }

    fn push_lower(&mut self, value: &str) {
        if value.is_ascii() {
            let start = self.text.len();
            self.text.push_str(value);
            self.text[start..].make_ascii_lowercase();
        } else {
            self.text.push_str(&value.to_lowercase());
        }
    }

    fn get(&self, game: usize) -> &[u8] {
        let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text.as_bytes()[start..self.ends[game]]
    }
}

impl GameList {
    /// The games with all of these words in their tags, in this order.
    pub fn find(&mut self, session: &Session, filter: &str, order: Order) -> Vec<usize> {
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let last = self.last.take();
        let (mut games, sorted_by) = match last.filter(|last| last.includes(&words, order)) {
            Some(last) => (last.games, order),
            None => self.all(session, order, words.is_empty()),
        };
        if !words.is_empty() {
            self.tags.load(session);
            let finders: Vec<Finder> = words.iter().map(Finder::new).collect();
            games.retain(|&game| {
                let tags = self.tags.get(game);
                finders.iter().all(|finder| finder.find(tags).is_some())
            });
        }
        if sorted_by != order {
            self.sort(session, &mut games, order);
        }
        self.last = Some(Search {
            words,
            order,
            games: games.clone(),
        });
        games
    }

    /// All games, sorted if they are to be or have been sorted in this order; their order otherwise
    /// is that of the files.
    fn all(&mut self, session: &Session, order: Order, sort: bool) -> (Vec<usize>, Order) {
        if let Some((_, games)) = self.sorted.as_ref().filter(|(known, _)| *known == order) {
            return (games.clone(), order);
        }
        let mut games: Vec<usize> = (0..session.game_count()).collect();
        if !sort {
            return (games, Order::default());
        }
        self.sort(session, &mut games, order);
        self.sorted = Some((order, games.clone()));
        (games, order)
    }

    fn sort(&mut self, session: &Session, games: &mut [usize], order: Order) {
        if order.column != Column::Number {
            for &game in games.iter() {
                self.entry(session, game);
                match order.column {
                    Column::Moves => self.count_moves(session, game),
                    Column::Opening => self.name_opening(session, game),
                    _ => {}
                }
            }
            games.sort_by(|&a, &b| self.compare(order, a, b));
        } else if order.is_reversed {
            games.reverse();
        }
    }

    /// Games without a value come last in both directions.
    fn compare(&self, order: Order, a: usize, b: usize) -> Ordering {
        let (Some(Some(a)), Some(Some(b))) = (self.entries.get(a), self.entries.get(b)) else {
            return Ordering::Equal;
        };
        let texts = |a: &str, b: &str| (a.is_empty().cmp(&b.is_empty()), a.cmp(b));
        let numbers = |a: usize, b: usize| ((a == 0).cmp(&(b == 0)), a.cmp(&b));
        let rating = |entry: &Entry| entry.ratings.iter().sum::<u32>() as usize;
        let (missing, compared) = match order.column {
            Column::Number => (Ordering::Equal, Ordering::Equal),
            Column::White => texts(&a.white, &b.white),
            Column::Black => texts(&a.black, &b.black),
            Column::Result => texts(&a.result, &b.result),
            Column::Ratings => numbers(rating(a), rating(b)),
            Column::Date => texts(&a.date, &b.date),
            Column::Opening => texts(a.opening(), b.opening()),
            Column::Moves => numbers(a.plies.unwrap_or(0), b.plies.unwrap_or(0)),
        };
        missing.then(if order.is_reversed {
            compared.reverse()
        } else {
            compared
        })
    }

    fn entry(&mut self, session: &Session, game: usize) -> &mut Entry {
        if self.entries.len() <= game {
            self.entries.resize_with(game + 1, || None);
        }
        let entry = &mut self.entries[game];
        entry.get_or_insert_with(|| Box::new(Entry::of(session, game)))
    }

    fn count_moves(&mut self, session: &Session, game: usize) {
        let entry = self.entry(session, game);
        if entry.plies.is_none() {
            entry.plies = Some(session.mainline_length(game));
        }
    }

    fn name_opening(&mut self, session: &Session, game: usize) {
        let entry = self.entry(session, game);
        if entry.opening.is_none() {
            let opening = session.opening(game).map(|opening| opening.to_string());
            entry.opening = Some(opening.unwrap_or_default());
        }
    }

    /// The description of a game, opening and length included.
    pub fn described(&mut self, session: &Session, game: usize) -> &Entry {
        self.name_opening(session, game);
        self.counted(session, game)
    }

    /// The same, without looking up an opening that the tags do not name.
    pub fn counted(&mut self, session: &Session, game: usize) -> &Entry {
        self.count_moves(session, game);
        self.entry(session, game)
    }
}

/// An order of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// The column to sort by.
    pub column: Column,
    /// From high to low.
    pub is_reversed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "\
[White \"Carlsen, Magnus\"]\n[Black \"Duda, Jan\"]\n[WhiteElo \"2850\"]\n[BlackElo \"2730\"]\n\
[Date \"2021.08.03\"]\n[Result \"0-1\"]\n[ECO \"C42\"]\n\n1. e4 e5 2. Nf3 Nf6 0-1\n\n\
[White \"Caruana\"]\n[Black \"Carlsen, Magnus\"]\n[Date \"2018.??.??\"]\n[Result \"1/2-1/2\"]\n\n\
1. e4 c5 (1... e5 2. f4 exf4) 1/2-1/2\n\n\
[Event \"Chapter 3\"]\n[White \"?\"]\n[Black \"?\"]\n\n1. d4 *\n";

    fn session() -> Session {
        Session::from_text("test", GAMES.as_bytes().to_vec()).expect("games")
    }

    fn sorted(column: Column, is_reversed: bool) -> Vec<usize> {
        let order = Order {
            column,
            is_reversed,
        };
        GameList::default().find(&session(), "", order)
    }

    #[test]
    fn every_word_is_searched_in_all_tags() {
        let (session, mut list) = (session(), GameList::default());
        let mut find = |text: &str| list.find(&session, text, Order::default());
        assert_eq!(find("carlsen"), [0, 1]);
        assert_eq!(find("carlsen duda"), [0]);
        assert_eq!(find("2018 caruana"), [1]);
        assert_eq!(find("duda 2018"), [0; 0]);
        assert_eq!(find(" "), [0, 1, 2]);
    }

    #[test]
    fn a_search_typed_letter_by_letter_finds_the_same_games() {
        let (session, mut list) = (session(), GameList::default());
        let orders = [Column::Number, Column::White, Column::Date].map(|column| Order {
            column,
            is_reversed: column == Column::White,
        });
        for order in orders {
            for text in [
                "", "c", "ca", "car", "car ", "car d", "car", "c", "d", "d c", "", "0",
            ] {
                let fresh = GameList::default().find(&session, text, order);
                assert_eq!(
                    list.find(&session, text, order),
                    fresh,
                    "{text:?} {order:?}"
                );
            }
        }
    }

    #[test]
    fn games_are_sorted_and_unknown_values_come_last() {
        assert_eq!(sorted(Column::White, false), [0, 1, 2]);
        assert_eq!(sorted(Column::White, true), [1, 0, 2]);
        assert_eq!(sorted(Column::Date, false), [1, 0, 2]);
        assert_eq!(sorted(Column::Ratings, true), [0, 1, 2]);
        assert_eq!(sorted(Column::Moves, false), [2, 1, 0]);
        assert_eq!(sorted(Column::Number, true), [2, 1, 0]);
    }
}
