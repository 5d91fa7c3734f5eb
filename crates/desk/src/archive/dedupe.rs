//! The same game from several sources: equal moves, and names and dates that agree.

use std::path::Path;

use chess::pgn::Game;
use twox_hash::XxHash3_64;

use super::change::remove_games;
use super::{Archive, ArchiveError, Stored, Writer};

/// Games with fewer moves are the same only if event and round agree too.
const SHORT: u32 = 16;

/// A game that another one makes superfluous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The number of the game that stays, from 1.
    pub kept: u64,
    /// The number of the game to remove, from 1.
    pub removed: u64,
    /// Players and date of the game that stays.
    pub game: String,
}

/// What removing duplicates would do.
#[derive(Debug)]
pub struct DuplicatePlan {
    /// Games of the archive.
    pub games: u64,
    /// The duplicates, in order of the games that stay.
    pub duplicates: Vec<Duplicate>,
    /// The games to remove, by segment.
    removed: Vec<Vec<u32>>,
    writer: Writer,
}

/// Finds the duplicates of an archive. The archive is locked until the plan is carried out or
/// dropped.
pub fn duplicates(path: &Path) -> Result<DuplicatePlan, ArchiveError> {
    let writer = Writer::open(path)?;
    let archive = Archive::open(path)?;
    let mut prints = prints(&archive)?;
    prints.sort_unstable_by_key(|print| (print.hash, print.number));
    let mut removed = vec![Vec::new(); archive.segments().len()];
    let mut duplicates = Vec::new();
    for same in prints
        .chunk_by(|a, b| a.hash == b.hash)
        .filter(|same| same.len() > 1)
    {
        for group in groups(&archive, same)? {
            let Some(kept) = group
                .iter()
                .max_by_key(|entry| (entry.worth, std::cmp::Reverse(entry.print.number)))
            else {
                continue;
            };
            for entry in group
                .iter()
                .filter(|entry| entry.print.number != kept.print.number)
            {
                removed[entry.print.segment as usize].push(entry.print.game);
                duplicates.push(Duplicate {
                    kept: kept.print.number,
                    removed: entry.print.number,
                    game: kept.description(),
                });
            }
        }
    }
    duplicates.sort_by_key(|duplicate| (duplicate.kept, duplicate.removed));
    Ok(DuplicatePlan {
        games: archive.games(),
        duplicates,
        removed,
        writer,
    })
}

impl DuplicatePlan {
    /// Removes the duplicates and returns how many.
    pub fn carry_out(self) -> Result<u64, ArchiveError> {
        remove_games(self.writer, self.removed)
    }
}

/// A game by the hash of its moves.
#[derive(Clone, Copy, Debug)]
struct Print {
    hash: u64,
    number: u64,
    segment: u32,
    game: u32,
}

fn prints(archive: &Archive) -> Result<Vec<Print>, ArchiveError> {
    let mut prints = Vec::with_capacity(archive.games() as usize);
    for (segment, stored) in archive.segments().iter().enumerate() {
        let damaged = |damage| stored.damaged(damage);
        for (number, game) in (stored.earlier + 1..).zip(stored.games()) {
            let hash = stored.segment.moves_hash(game).map_err(damaged)?;
            prints.push(Print {
                hash,
                number,
                segment: segment as u32,
                game,
            });
        }
    }
    Ok(prints)
}

/// What decides whether two games with equal moves are the same.
struct Entry {
    print: Print,
    white: String,
    black: String,
    date: String,
    /// Event and round, for short games.
    event: Option<String>,
    /// The start position and all moves.
    line: u64,
    /// Comments and variations, then tags: the richest game stays.
    worth: (usize, usize),
    players: String,
}

impl Entry {
    fn new(stored: &Stored, print: Print) -> Result<Entry, ArchiveError> {
        let mut game = Game::default();
        let read = stored.segment.reader().read_into(print.game, &mut game);
        read.map_err(|damage| stored.damaged(damage))?;
        let tag = |name| game.tag(name).unwrap_or_default();
        let plies = game.mainline_moves().count() as u32;
        let event = (plies < SHORT).then(|| format!("{}\n{}", tag("Event"), tag("Round")));
        let moves = game.mainline_moves().flat_map(|m| m.bits().to_le_bytes());
        let line: Vec<u8> = game
            .start()
            .fen()
            .into_bytes()
            .into_iter()
            .chain(moves)
            .collect();
        let notes = game.notes().rows().len() + game.nags().rows().len();
        Ok(Entry {
            print,
            white: normalised(tag("White")),
            black: normalised(tag("Black")),
            date: tag("Date").to_string(),
            event,
            line: XxHash3_64::oneshot(&line),
            worth: (notes + game.tree().capacity_used(), game.tags().len()),
            players: format!("{} – {}", tag("White"), tag("Black")),
        })
    }

    fn is_same(&self, other: &Entry) -> bool {
        self.line == other.line
            && names_agree(&self.white, &other.white)
            && names_agree(&self.black, &other.black)
            && dates_agree(&self.date, &other.date)
            && self.event == other.event
    }

    fn description(&self) -> String {
        match self.date.as_str() {
            "" => self.players.clone(),
            date => format!("{}, {date}", self.players),
        }
    }
}

/// Groups of the same game among games with equal moves.
fn groups(archive: &Archive, prints: &[Print]) -> Result<Vec<Vec<Entry>>, ArchiveError> {
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for &print in prints {
        let entry = Entry::new(&archive.segments()[print.segment as usize], print)?;
        let found = groups
            .iter_mut()
            .find(|group| group.iter().all(|other| entry.is_same(other)));
        match found {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    groups.retain(|group| group.len() > 1);
    Ok(groups)
}

/// A name as family name and first letter: `Carlsen, Magnus`, `Magnus Carlsen` and `Carlsen,M`
/// become `carlsen m`.
fn normalised(name: &str) -> String {
    let (family, given) = match name.split_once(',') {
        Some((family, given)) => (family.trim(), given.trim()),
        None => name
            .trim()
            .rsplit_once(' ')
            .map_or((name.trim(), ""), |(given, family)| (family, given.trim())),
    };
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let first: String = letters(given).chars().take(1).collect();
    format!("{} {first}", letters(family))
}

/// Equal names; a missing given name agrees with any.
fn names_agree(a: &str, b: &str) -> bool {
    let parts = |name: &str| {
        name.split_once(' ')
            .map(|(family, first)| (family.to_string(), first.to_string()))
    };
    match (parts(a), parts(b)) {
        (Some((family_a, first_a)), Some((family_b, first_b))) => {
            family_a == family_b && (first_a.is_empty() || first_b.is_empty() || first_a == first_b)
        }
        _ => a == b,
    }
}

/// Equal dates; unknown parts (`??`) agree with any.
fn dates_agree(a: &str, b: &str) -> bool {
    let part = |text: &str, at: usize| -> Option<u32> {
        text.split(['.', '-', '/']).nth(at)?.parse().ok()
    };
    (0..3).all(|at| match (part(a, at), part(b, at)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_spellings() {
        let same = |a: &str, b: &str| names_agree(&normalised(a), &normalised(b));
        assert!(same("Carlsen, Magnus", "Magnus Carlsen"));
        assert!(same("Carlsen,M", "carlsen, magnus"));
        assert!(same("Carlsen", "Carlsen, M."));
        assert!(!same("Carlsen, Magnus", "Carlsen, Henrik"));
        assert!(!same("Polgar, Judit", "Polgar, Susan"));
    }

    #[test]
    fn dates_with_unknown_parts() {
        assert!(dates_agree("2013.11.22", "2013.??.??"));
        assert!(dates_agree("2013.11.22", ""));
        assert!(!dates_agree("2013.11.22", "2013.11.23"));
    }
}
