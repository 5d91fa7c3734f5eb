//! Searches with a table of fixed size: they end by time, not by memory.
//!
//! The tables of [`super::search`] keep every sum and its children. A hard board fills them within
//! minutes. The searches here keep positions of a fixed number of words, allocate nothing for a
//! node, and replace positions that took little effort when the table is full. A replaced position
//! is searched again, so that a small table costs time but not exactness.
//!
//! A [`Board`] describes one family of positions: [`nogo`], [`amazons`], [`clobber`],
//! [`domineering`] and [`king_dirt`] are sets of cells, one bit for a cell; [`strips`] are sums of
//! strips of NoGo; [`sum`] has sums of all games, as bytes.

mod amazons;
mod cells;
mod clobber;
mod domineering;
mod king_dirt;
mod nogo;
mod search;
mod strips;
mod sum;
mod table;

#[cfg(all(test, not(loom)))]
mod tests;

use super::GaveUp;
use super::interrupt::LimitCheck;
use crate::game::Game;
use crate::value::Player;
use search::Search;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The effort for a position and for a child, in the units of [`super::values`].
const EFFORT_PER_POSITION: u64 = super::plain::EFFORT_PER_POSITION;
const EFFORT_PER_CHILD: u64 = 3;

/// The search ended without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// The effort is spent.
    Effort,
    /// A position does not fit.
    Unsuitable,
    /// The question gave up.
    GaveUp(GaveUp),
}

/// The order in which positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The move with the best score first, to the end: for games in which most moves are alike and
    /// the score is a good estimate.
    BestScore,
    /// The move that seems easiest to prove: for games in which the numbers of moves differ.
    ProofNumbers,
}

/// Positions of one family, each with a player to move.
trait Board: Sized {
    type Position: Copy + Send + Sync;
    /// Positions with the same key have the same winner. The default is not a key of a position
    /// with moves.
    type Key: Copy + Ord + Hash + Default + Send + Sync;
    const ORDER: Order;
    /// Cells that are worked on for a child, for [`LimitCheck::count`].
    const CELLS_PER_CHILD: usize;

    /// The board that these games are played on; `None` if it is too large.
    fn new(games: &[Game]) -> Option<Self>;

    /// Takes what it needs of these bytes, and returns those that are left for the table.
    fn share_memory(&mut self, bytes: usize) -> usize {
        bytes
    }

    /// The bytes it uses itself.
    fn bytes_used(&self) -> usize {
        0
    }

    /// The position of these games; `None` if they are played on another board.
    fn read(&mut self, games: &[Game], first: Player) -> Option<Self::Position>;

    fn key(&self, position: &Self::Position) -> Self::Key;

    /// Returns whether the mover wins, if that is known without a search.
    fn decide(&mut self, position: &Self::Position) -> Option<bool>;

    /// Visits the position after each move of the mover.
    fn moves(&mut self, position: &Self::Position, visit: &mut Visitor<'_, Self::Position>)
    -> Flow;

    /// How many further moves the search by score makes to order the moves of a position.
    fn lookahead(_: &Self::Position) -> u32 {
        0
    }
}

/// Called for the position after a move.
type Visitor<'a, P> = dyn FnMut(P, Estimate) -> Flow + 'a;
type Flow = ControlFlow<Incomplete>;

/// Why not all moves of a position were visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Incomplete {
    /// A move wins.
    Wins,
    /// The position after a move does not fit.
    DoesNotFit,
}

/// An estimate of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Estimate {
    /// Whether the opponent wins.
    Known(bool),
    Open {
        /// The larger the better for the player who made the move.
        score: i32,
        /// The effort to prove that the opponent loses: more, the more replies there are.
        effort: u32,
    },
}

/// A search with its table, for one question after another.
pub(super) trait BoundedSearch: Send + Sync {
    /// Sets the sum and the player of the question; false if this search is for others. Results
    /// about earlier questions stay in the table.
    fn ask(&mut self, games: &[Game], first: Player) -> bool;

    /// Decides whether the first player wins, with this effort.
    fn wins(&mut self, effort: u64, interrupt: &mut LimitCheck) -> Result<Answer, GaveUp>;

    /// The positions searched since the last call.
    fn take_nodes(&mut self) -> u64;

    /// The order in which it searches.
    fn order(&self) -> Order;

    /// The bytes of the table and the board.
    fn bytes_used(&self) -> usize;
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Wins(bool),
    /// The effort was not enough.
    Unknown,
    /// The sum cannot be searched this way.
    Unsuitable,
}

/// A fast search of a single board, if there is one for its game and size.
pub(super) fn board_search(games: &[Game], bytes: usize) -> Option<Box<dyn BoundedSearch>> {
    let [game] = games else {
        return None;
    };
    match game.kind.rules().name() {
        "nogo" => search::<nogo::Nogo>(games, bytes),
        "nogo_1xn" if strips::is_long(game) => search::<strips::Strips>(games, bytes),
        "amazons" => search::<amazons::Amazons>(games, bytes),
        "clobber" => search::<clobber::Clobber>(games, bytes),
        "gen_king_dirt" => search::<king_dirt::KingDirt>(games, bytes),
        "domineering" => search::<domineering::Domineering>(games, bytes),
        _ => None,
    }
}

/// A search of any sum whose positions fit into a few words.
pub(super) fn sum_search(games: &[Game], bytes: usize) -> Option<Box<dyn BoundedSearch>> {
    search::<sum::Sums>(games, bytes)
}

fn search<B: Board + Send + Sync + 'static>(
    games: &[Game],
    bytes: usize,
) -> Option<Box<dyn BoundedSearch>> {
    if games.iter().any(|game| game.kind.is_wrapped()) {
        return None;
    }
    Some(Box::new(Search::<B>::new(games, bytes)?))
}
