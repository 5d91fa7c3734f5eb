//! ECO codes and names of opening positions.
//!
//! Names belong to positions, so transpositions have the name that their order of moves has in the
//! books. The table is built when it is used first, which takes some milliseconds.
//!
//! ```
//! use gametree_chess::openings::Opening;
//!
//! let game = gametree_chess::pgn::read_game(b"1. c4 e6 2. Nc3 d5 3. d4 a5 *").unwrap();
//! let (opening, ply) = Opening::of_game(&game).unwrap();
//! assert_eq!(opening.to_string(), "D31 Queen's Gambit Declined: Queen's Knight Variation");
//! assert_eq!(ply, 5);
//! ```

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use crate::board::{Board, Identity, KeyedBoard};
use crate::moves::Move;
use crate::pgn::Game;

/// The name of an opening position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, `B90`.
    pub eco: &'static str,
    /// Family, variation, subvariation: `Sicilian Defense: Najdorf Variation, English Attack`.
    pub name: &'static str,
}

impl Opening {
    /// The name of a position.
    pub fn at(board: &Board) -> Option<Opening> {
        Opening::of_key(board.key(Identity::Strict))
    }

    /// The name of the position with this strict key.
    pub fn of_key(key: u128) -> Option<Opening> {
        TABLE.get(key)
    }

    /// The name of the deepest named position of a line, and its number of half-moves from the
    /// start of the line.
    pub fn of_line(start: &Board, moves: impl IntoIterator<Item = Move>) -> Option<(Opening, u32)> {
        let mut board = KeyedBoard::new(start.clone());
        let mut found = Opening::of_key(board.key(Identity::Strict)).map(|name| (name, 0));
        for (mv, ply) in moves.into_iter().zip(1..) {
            board.play(mv);
            if board.board().occupied().count() < TABLE.fewest_pieces {
                break;
            }
            let name = Opening::of_key(board.key(Identity::Strict));
            found = name.map(|name| (name, ply)).or(found);
        }
        found
    }

    /// The same for the mainline of a game.
    pub fn of_game(game: &Game) -> Option<(Opening, u32)> {
        Opening::of_line(game.start(), game.mainline_moves())
    }
}

/// `B90 Sicilian Defense: Najdorf Variation`.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("openings/table.tsv")));

struct Table {
    names: HashMap<u128, Opening, BuildHasherDefault<KeyHasher>>,
    /// By the lowest bits of a key, whether a named position has them: few others do, and this fits
    /// in the fastest cache.
    filter: [u64; FILTER_BITS / 64],
    /// No position with fewer pieces has a name.
    fewest_pieces: usize,
}

const FILTER_BITS: usize = 1 << 16;

/// The word of the filter and the bit in it.
#[inline]
fn filter_bit(key: u128) -> (usize, u64) {
    let bit = key as usize % FILTER_BITS;
    (bit / 64, 1 << (bit % 64))
}

impl Table {
    #[inline]
    fn get(&self, key: u128) -> Option<Opening> {
        let (word, bit) = filter_bit(key);
        if self.filter[word] & bit == 0 {
            return None;
        }
        self.names.get(&key).copied()
    }

    fn read(text: &'static str) -> Table {
        let rows = text.lines().filter(|row| !row.starts_with('#'));
        let mut table = Table {
            names: HashMap::with_capacity_and_hasher(rows.clone().count(), Default::default()),
            filter: [0; FILTER_BITS / 64],
            fewest_pieces: usize::MAX,
        };
        let mut line = vec![KeyedBoard::new(Board::new())];
        for row in rows {
            table.add(row, &mut line);
        }
        table
    }

    /// Adds a row; `line` has the boards of the line before it. Rows of another form are ignored.
    fn add(&mut self, row: &'static str, line: &mut Vec<KeyedBoard>) -> Option<()> {
        let mut columns = row.split('\t');
        let (eco, name) = (columns.next()?, columns.next()?);
        let shared: usize = columns.next()?.parse().ok()?;
        line.truncate(shared + 1);
        for san in columns.next()?.split(' ') {
            let mut board = line.last()?.clone();
            board.play(board.board().parse_san(san).ok()?);
            line.push(board);
        }
        let board = line.last()?;
        self.fewest_pieces = self.fewest_pieces.min(board.board().occupied().count());
        let key = board.key(Identity::Strict);
        let (word, bit) = filter_bit(key);
        self.filter[word] |= bit;
        self.names.insert(key, Opening { eco, name });
        Some(())
    }
}

/// Keys are random numbers already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read_game;

    fn name(pgn: &str) -> Option<String> {
        let game = read_game(pgn.as_bytes()).unwrap();
        Opening::of_game(&game).map(|(opening, ply)| format!("{ply} {opening}"))
    }

    #[test]
    fn a_game_has_the_name_of_its_deepest_named_position() {
        assert_eq!(name("*"), None);
        assert_eq!(name("1. e4 *").unwrap(), "1 B00 King's Pawn Game");
        assert_eq!(
            name("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 h5 *").unwrap(),
            "10 B90 Sicilian Defense: Najdorf Variation"
        );
        // The moves of variations do not count.
        assert_eq!(
            name("1. e4 (1. d4 d5) *").unwrap(),
            "1 B00 King's Pawn Game"
        );
    }

    #[test]
    fn names_follow_positions() {
        let french = name("1. d4 e6 2. e4 d5 *").unwrap();
        assert!(french.starts_with("4 C00 French"), "{french}");
        // Two moves later by the loss of a tempo on both sides.
        let late = name("1. e3 e6 2. e4 d6 3. d4 d5 *").unwrap();
        assert!(late.starts_with("6 C00 French"), "{late}");
    }

    #[test]
    fn set_up_positions_have_names_and_variants_do_not() {
        let after_e4 = "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n";
        assert_eq!(
            name(&format!("{after_e4}*")).unwrap(),
            "0 B00 King's Pawn Game"
        );
        assert_eq!(name("[Variant \"Atomic\"]\n\n1. e4 *"), None);
    }
}
