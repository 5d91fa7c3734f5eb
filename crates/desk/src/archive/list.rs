//! Lists of stored games: columns, sorted, by page; and counts of players, events, openings.

use std::cmp::{Ordering, Reverse};

use rustc_hash::FxHashMap;
use serde::Serialize;
use store::Line;

use super::{Archive, ArchiveError, Filter, Stored};
use crate::openings::GameOpening;

/// A column of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// The number of the game in the archive, from 1.
    Number,
    /// A tag.
    Tag(String),
    /// The year of the game.
    Year,
    /// The number of moves by either side.
    Plies,
    /// The lower rating of both players.
    Elo,
    /// The name of the opening, by position.
    Opening,
    /// Either player; for counts only.
    Player,
}

impl Column {
    /// The column with this name.
    pub fn named(name: &str) -> Column {
        match name {
            "Number" => Column::Number,
            "Year" => Column::Year,
            "Plies" => Column::Plies,
            "Elo" => Column::Elo,
            "Opening" => Column::Opening,
            "Player" => Column::Player,
            tag => Column::Tag(tag.into()),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Column::Number => "Number",
            Column::Tag(tag) => tag,
            Column::Year => "Year",
            Column::Plies => "Plies",
            Column::Elo => "Elo",
            Column::Opening => "Opening",
            Column::Player => "Player",
        }
    }
}

/// Which games to list, and how.
#[derive(Clone, Debug, Default)]
pub struct ListOptions {
    /// Which games.
    pub filter: Filter,
    /// The columns of each row.
    pub columns: Vec<Column>,
    /// The order; none: that of the archive.
    pub sort: Option<(Column, Direction)>,
    /// Rows to pass over.
    pub skip: u64,
    /// The most rows.
    pub limit: u64,
}

impl ListOptions {
    /// No rows, only the number of games.
    pub fn only(filter: Filter) -> ListOptions {
        ListOptions {
            filter,
            ..ListOptions::default()
        }
    }
}

/// The direction of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Smallest first.
    #[default]
    Up,
    /// Largest first.
    Down,
}

/// A part of a list.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// All games that the filter selects.
    pub total: u64,
    /// The rows asked for.
    pub rows: Vec<GameRow>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// The number of the game in the archive, from 1.
    pub number: u64,
    /// The values of the columns; empty where a game has none.
    pub values: Vec<String>,
}

/// A value, and the games that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The value.
    pub value: String,
    /// The games.
    pub games: u64,
}

/// What a game is sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Number(u64),
    Text(Box<str>),
}

impl Key {
    fn compare(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a.cmp(b),
            (Key::Text(a), Key::Text(b)) => a.cmp(b),
            (Key::Number(_), Key::Text(_)) => Ordering::Less,
            (Key::Text(_), Key::Number(_)) => Ordering::Greater,
        }
    }
}

/// A selected game: its segment, its number there, and its number in the archive.
#[derive(Clone, Copy, Debug)]
struct Place {
    segment: usize,
    game: u32,
    number: u64,
}

/// Lists games of an archive.
pub fn list(archive: &Archive, options: &ListOptions) -> Result<List, ArchiveError> {
    let sort = options.sort.as_ref().map(|(column, way)| (column, *way));
    let found = Listing::new(archive, &options.filter, sort)?;
    Ok(List {
        total: found.len(),
        rows: found.rows(options.skip, options.limit, &options.columns)?,
    })
}

/// The selected games of an archive in the order of a list, to be read page by page.
#[derive(Clone, Debug)]
pub struct Listing {
    archive: Archive,
    places: Vec<Place>,
}

impl Listing {
    /// Selects the games that meet a filter, and sorts them.
    pub fn new(
        archive: &Archive,
        filter: &Filter,
        sort: Option<(&Column, Direction)>,
    ) -> Result<Listing, ArchiveError> {
        let places = selected(archive, filter)?;
        let places = match sort {
            Some((column, direction)) => sorted(archive, places, column, direction)?,
            None => places,
        };
        Ok(Listing {
            archive: archive.clone(),
            places,
        })
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.places.len() as u64
    }

    /// True if no game was selected.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Some rows of the list.
    pub fn rows(
        &self,
        skip: u64,
        limit: u64,
        columns: &[Column],
    ) -> Result<Vec<GameRow>, ArchiveError> {
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let row = |&place: &Place| {
            let stored = &self.archive.segments()[place.segment];
            let values = columns.iter().map(|column| value(stored, place, column));
            Ok(GameRow {
                number: place.number,
                values: values.collect::<Result<_, _>>()?,
            })
        };
        self.places.iter().skip(skip).take(limit).map(row).collect()
    }
}

fn selected(archive: &Archive, filter: &Filter) -> Result<Vec<Place>, ArchiveError> {
    let mut places = Vec::new();
    for (segment, stored) in archive.segments().iter().enumerate() {
        let set = filter.select(stored)?;
        for (rank, game) in (1..).zip(stored.games()) {
            if set.contains(game) {
                places.push(Place {
                    segment,
                    game,
                    number: stored.earlier + rank,
                });
            }
        }
    }
    Ok(places)
}

fn sorted(
    archive: &Archive,
    places: Vec<Place>,
    column: &Column,
    direction: Direction,
) -> Result<Vec<Place>, ArchiveError> {
    let mut keyed = match column {
        Column::Number | Column::Year | Column::Plies | Column::Elo => {
            let keyed = places.into_iter().map(|place| {
                let stored = &archive.segments()[place.segment];
                Ok((number(stored, place, column)?, place))
            });
            keyed.collect::<Result<Vec<_>, ArchiveError>>()?
        }
        Column::Tag(_) | Column::Opening | Column::Player => ranked(archive, places, column)?,
    };
    // Stable: games with equal keys stay in the order of the archive.
    match direction {
        Direction::Up => keyed.sort_by_key(|&(key, _)| key),
        Direction::Down => keyed.sort_by_key(|&(key, _)| Reverse(key)),
    }
    Ok(keyed.into_iter().map(|(_, place)| place).collect())
}

/// The number in a column that has numbers only; 0 if it is not known.
fn number(stored: &Stored, place: Place, column: &Column) -> Result<u64, ArchiveError> {
    let facts = || {
        let facts = stored.segment.facts(place.game);
        facts.map_err(|damage| stored.damaged(damage))
    };
    Ok(match column {
        Column::Year => facts()?.year().into(),
        Column::Plies => facts()?.plies().into(),
        Column::Elo => {
            let facts = facts()?;
            facts.white_elo().min(facts.black_elo()).into()
        }
        _ => place.number,
    })
}

/// The values of a column in some games of a segment.
struct Values {
    distinct: Vec<Key>,
    /// For each game the index of its value.
    indices: Vec<usize>,
}

/// The games with the rank of their value among all values: texts are compared once for each value
/// instead of once for each game.
fn ranked(
    archive: &Archive,
    places: Vec<Place>,
    column: &Column,
) -> Result<Vec<(u64, Place)>, ArchiveError> {
    let (mut keys, mut indices) = (Vec::new(), Vec::with_capacity(places.len()));
    for in_segment in places.chunk_by(|a, b| a.segment == b.segment) {
        let stored = &archive.segments()[in_segment[0].segment];
        let values = values(stored, in_segment, column)?;
        indices.extend(values.indices.into_iter().map(|index| keys.len() + index));
        keys.extend(values.distinct);
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_unstable_by(|&a, &b| keys[a].compare(&keys[b]));
    let (mut ranks, mut rank) = (vec![0; keys.len()], 0);
    for pair in order.windows(2) {
        rank += u64::from(keys[pair[0]] != keys[pair[1]]);
        ranks[pair[1]] = rank;
    }
    let ranks = indices.into_iter().map(|index| ranks[index]);
    Ok(ranks.zip(places).collect())
}

fn values(stored: &Stored, places: &[Place], column: &Column) -> Result<Values, ArchiveError> {
    let damaged = |damage| stored.damaged(damage);
    if let Column::Tag(tag) = column {
        let found = stored.segment.tag_column(tag).map_err(damaged)?;
        let mut distinct: Vec<Key> = match &found {
            Some(found) => found.values().map_err(damaged)?.map(text_key).collect(),
            None => Vec::new(),
        };
        // The last one stands for games without this tag.
        let missing = distinct.len();
        distinct.push(Key::Number(0));
        let index = |place: &Place| {
            let id = found.as_ref().and_then(|found| found.id(place.game));
            id.map_or(missing, |id| (id as usize).min(missing))
        };
        return Ok(Values {
            indices: places.iter().map(index).collect(),
            distinct,
        });
    }
    let texts = places.iter().map(|&place| value(stored, place, column));
    let distinct = texts.map(|text| Ok(text_key(&text?)));
    Ok(Values {
        distinct: distinct.collect::<Result<_, ArchiveError>>()?,
        indices: (0..places.len()).collect(),
    })
}

/// Numbers are sorted by value.
fn text_key(text: &str) -> Key {
    match text.parse() {
        Ok(number) => Key::Number(number),
        Err(_) => Key::Text(text.to_lowercase().into()),
    }
}

fn value(stored: &Stored, place: Place, column: &Column) -> Result<String, ArchiveError> {
    let damaged = |damage| stored.damaged(damage);
    let known = |number: u32| {
        if number == 0 {
            String::new()
        } else {
            number.to_string()
        }
    };
    let facts = || stored.segment.facts(place.game).map_err(damaged);
    let tag = |name: &str| {
        let value = stored.segment.tag(place.game, name).map_err(damaged)?;
        Ok(value.unwrap_or_default().to_string())
    };
    match column {
        Column::Number => Ok(place.number.to_string()),
        Column::Tag(name) => tag(name),
        Column::Year => Ok(known(facts()?.year())),
        Column::Plies => Ok(facts()?.plies().to_string()),
        Column::Elo => Ok(known(facts()?.white_elo().min(facts()?.black_elo()))),
        Column::Opening => opening_of(stored, place.game),
        Column::Player => Ok(format!("{} – {}", tag("White")?, tag("Black")?)),
    }
}

fn opening_of(stored: &Stored, number: u32) -> Result<String, ArchiveError> {
    let mut line = Line::default();
    let read = stored.segment.reader().read_line_into(number, &mut line);
    read.map_err(|damage| stored.damaged(damage))?;
    let opening = GameOpening::of_line(&line.start, line.moves);
    Ok(opening.map_or_else(String::new, |opening| {
        format!("{} {}", opening.eco, opening.name)
    }))
}

/// The values of a column with the games that have them, most games first.
pub fn counts(
    archive: &Archive,
    filter: &Filter,
    column: &Column,
) -> Result<Vec<Count>, ArchiveError> {
    let mut totals: FxHashMap<String, u64> = FxHashMap::default();
    for stored in archive.segments() {
        let set = filter.select(stored)?;
        match column {
            Column::Player => {
                count_tag(stored, &set, "White", &mut totals)?;
                count_tag(stored, &set, "Black", &mut totals)?;
            }
            Column::Tag(tag) => count_tag(stored, &set, tag, &mut totals)?,
            _ => {
                for (rank, game) in (1..).zip(stored.games()) {
                    if set.contains(game) {
                        let place = Place {
                            segment: 0,
                            game,
                            number: stored.earlier + rank,
                        };
                        *totals.entry(value(stored, place, column)?).or_default() += 1;
                    }
                }
            }
        }
    }
    let mut counts: Vec<Count> = totals
        .into_iter()
        .map(|(value, games)| Count { value, games })
        .collect();
    counts.sort_by(|a, b| (Reverse(a.games), &a.value).cmp(&(Reverse(b.games), &b.value)));
    Ok(counts)
}

fn count_tag(
    stored: &Stored,
    set: &store::GameSet,
    tag: &str,
    totals: &mut FxHashMap<String, u64>,
) -> Result<(), ArchiveError> {
    let damaged = |damage| stored.damaged(damage);
    let Some(column) = stored.segment.tag_column(tag).map_err(damaged)? else {
        return Ok(());
    };
    let values: Vec<&str> = column.values().map_err(damaged)?.collect();
    let mut counts = vec![0; values.len()];
    for id in set.iter().filter_map(|game| column.id(game)) {
        if let Some(count) = counts.get_mut(id as usize) {
            *count += 1;
        }
    }
    for (value, count) in values
        .into_iter()
        .zip(counts)
        .filter(|&(_, count)| count > 0)
    {
        *totals.entry(value.to_string()).or_default() += count;
    }
    Ok(())
}
