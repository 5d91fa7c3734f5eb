//! Plain depth-first search of one component.
//!
//! Proof numbers say little about games in which every position has a few moves and play is long,
//! such as Toads and Frogs. A search that tries the moves in a fixed order then visits far fewer
//! positions, because both players use up one end of the board first. It keeps whole positions,
//! without parts, values and bounds, so that a position is much cheaper than in [`super::search`].

use super::GaveUp;
use super::interrupt::LimitCheck;
use crate::game::Kind;
use crate::value::Player;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::ControlFlow;

/// The effort for a position and for a move, in the units of [`super::values`].
pub(super) const EFFORT_PER_POSITION: u64 = 3;
const EFFORT_PER_MOVE: u64 = 1;

/// Cells that are copied in one unit of effort.
const CELLS_PER_EFFORT: u64 = 32;

/// The work for a position besides its cells, in cells.
const CELLS_PER_POSITION: usize = 32;

/// The bytes of a position besides its cells.
const BYTES_PER_POSITION: usize = 16;

/// Nested calls allowed: each takes a few hundred bytes of stack.
pub(super) const MAX_DEPTH: u32 = 1_000;

/// The order in which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveOrder {
    Forward,
    Backward,
}

/// Distinct positions of one component.
struct Positions {
    kind: Kind,
    /// The length of all positions in bytes. A game whose positions change their length is not
    /// searched.
    length: usize,
    /// All positions, one after another.
    cells: Vec<u8>,
    /// The numbers of the positions by their hashes.
    index: HashTable<u32>,
    /// The moves on the path that are still to be searched, one position after another.
    waiting: Vec<u8>,
    /// Bytes that may be used.
    bytes: usize,
}

/// The winners of the positions of one component, as far as they were searched.
pub(super) struct PlainSearch {
    positions: Positions,
    /// For each position and each player whether the player wins, moving first.
    results: Vec<[Option<bool>; 2]>,
    depth: u32,
    /// Positions searched since the last call of [`PlainSearch::take_nodes`].
    nodes: u64,
}

/// The nim values of the positions of one impartial component.
pub(super) struct PlainNim {
    positions: Positions,
    /// For each position the nim values that it may have, as bits.
    possible: Vec<u32>,
    /// The options of the positions on the path.
    options: Vec<u32>,
    depth: u32,
    nodes: u64,
}

/// Nim values from this one on have one bit in [`PlainNim`], and are not searched.
const MAX_NIM: u32 = u32::BITS - 1;

/// In [`PlainNim`]: nothing is known about the value.
const ANY_NIM: u32 = u32::MAX;

/// The search ended without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The effort is spent.
    Effort,
    /// The component cannot be searched this way within memory.
    Unsuitable,
    /// The question gave up.
    GaveUp(GaveUp),
}

impl Stop {
    /// `None` unless the question gave up.
    pub fn result<T>(self) -> Result<Option<T>, GaveUp> {
        match self {
            Stop::GaveUp(reason) => Err(reason),
            Stop::Effort | Stop::Unsuitable => Ok(None),
        }
    }
}

/// What a search may still spend.
pub(super) struct Allowance<'a> {
    pub effort: u64,
    pub order: MoveOrder,
    pub interrupt: &'a mut LimitCheck,
}

impl Allowance<'_> {
    pub fn spend(&mut self, effort: u64) -> Result<(), Stop> {
        self.effort = self.effort.checked_sub(effort).ok_or(Stop::Effort)?;
        Ok(())
    }

    /// Counts a position of this many cells, and gives up when time is over.
    pub fn check_interrupt(&mut self, cells: usize) -> Result<(), Stop> {
        self.interrupt.count(cells + CELLS_PER_POSITION);
        if self.interrupt.is_due() {
            self.interrupt.check_time().map_err(Stop::GaveUp)?;
        }
        Ok(())
    }
}

/// The least number below `most` that is the nim value; `None` if the search stopped before.
pub(super) fn least_nim(
    most: u32,
    mut is_nim_value: impl FnMut(u32) -> Result<bool, Stop>,
) -> Result<Option<u64>, GaveUp> {
    for n in 0..most {
        match is_nim_value(n) {
            Ok(true) => return Ok(Some(u64::from(n))),
            Ok(false) => {}
            Err(stop) => return stop.result(),
        }
    }
    Ok(None)
}

/// A plain search for the winner of one component.
pub(super) trait WinSearch {
    /// Decides whether `first` wins the component, moving first, with this effort. `None` if that
    /// was not enough; the results of all positions that were decided are kept.
    fn wins(
        &mut self,
        first: Player,
        effort: u64,
        order: MoveOrder,
        interrupt: &mut LimitCheck,
    ) -> Result<Option<bool>, GaveUp>;

    /// The positions searched since the last call.
    fn take_nodes(&mut self) -> u64;
}

impl WinSearch for PlainSearch {
    fn wins(
        &mut self,
        first: Player,
        effort: u64,
        order: MoveOrder,
        interrupt: &mut LimitCheck,
    ) -> Result<Option<bool>, GaveUp> {
        self.depth = 0;
        self.positions.waiting.clear();
        let mut allowance = Allowance {
            effort,
            order,
            interrupt,
        };
        match self.decide(0, first, &mut allowance) {
            Ok(wins) => Ok(Some(wins)),
            Err(stop) => stop.result(),
        }
    }

    fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }
}

impl PlainSearch {
    /// Prepares a search within this many bytes.
    pub fn new(kind: Kind, position: &[u8], bytes: usize) -> PlainSearch {
        PlainSearch {
            positions: Positions::new(kind, position, bytes),
            results: vec![[None; 2]],
            depth: 0,
            nodes: 0,
        }
    }

    /// Decides whether this player wins a position, moving first.
    fn decide(
        &mut self,
        number: usize,
        player: Player,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Stop> {
        if let Some(wins) = self.results[number][player as usize] {
            return Ok(wins);
        }
        if self.depth == MAX_DEPTH {
            return Err(Stop::Unsuitable);
        }
        self.nodes += 1;
        let moves = self.positions.make_moves(number, player, allowance)?;
        let mut wins = false;
        self.depth += 1;
        for at in 0..moves.count {
            let at = match allowance.order {
                MoveOrder::Forward => at,
                MoveOrder::Backward => moves.count - 1 - at,
            };
            let child = self.positions.intern(moves, at);
            self.results.resize(self.positions.len(), [None; 2]);
            if !self.decide(child, !player, allowance)? {
                wins = true;
                break;
            }
        }
        self.depth -= 1;
        self.positions.waiting.truncate(moves.start);
        self.results[number][player as usize] = Some(wins);
        Ok(wins)
    }
}

impl PlainNim {
    /// Prepares a search within this many bytes.
    pub fn new(kind: Kind, position: &[u8], bytes: usize) -> PlainNim {
        PlainNim {
            positions: Positions::new(kind, position, bytes),
            possible: vec![ANY_NIM],
            options: Vec::new(),
            depth: 0,
            nodes: 0,
        }
    }

    /// Computes the nim value with this effort. `None` if that was not enough.
    pub fn nim_value(
        &mut self,
        effort: u64,
        interrupt: &mut LimitCheck,
    ) -> Result<Option<u64>, GaveUp> {
        let mut allowance = Allowance {
            effort,
            order: MoveOrder::Forward,
            interrupt,
        };
        // A search that stopped has left its path.
        self.depth = 0;
        self.options.clear();
        self.positions.waiting.clear();
        least_nim(MAX_NIM, |n| self.has(0, n, &mut allowance))
    }

    /// The positions searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns whether a position has the nim value `n`, if that is known.
    fn known(&self, number: usize, n: u32) -> Option<bool> {
        let possible = self.possible[number];
        if possible >> n & 1 == 0 {
            Some(false)
        } else if possible == 1 << n {
            Some(true)
        } else {
            None
        }
    }

    /// Decides whether a position has the nim value `n`: no option has it, and the position has no
    /// smaller value.
    fn has(&mut self, number: usize, n: u32, allowance: &mut Allowance<'_>) -> Result<bool, Stop> {
        if let Some(known) = self.known(number, n) {
            return Ok(known);
        }
        if self.depth == MAX_DEPTH {
            return Err(Stop::Unsuitable);
        }
        self.nodes += 1;
        let moves = self.positions.make_moves(number, Player::Left, allowance)?;
        let first = self.options.len();
        for at in 0..moves.count {
            let option = self.positions.intern(moves, at);
            self.options.push(option as u32);
        }
        self.positions.waiting.truncate(moves.start);
        self.possible.resize(self.positions.len(), ANY_NIM);
        self.depth += 1;
        // An option of value `n` is enough to answer no. The smaller values matter if there is none.
        let mut exact = None;
        for m in std::iter::once(n).chain(0..n) {
            if self.possible[number] >> m & 1 == 1 {
                if self.has_option(first, m, allowance)? {
                    self.possible[number] &= !(1 << m);
                    if m == n {
                        break;
                    }
                } else {
                    exact = Some(m);
                    if m != n {
                        break;
                    }
                }
            }
        }
        if let Some(exact) = exact {
            self.possible[number] = 1 << exact;
        }
        self.depth -= 1;
        self.options.truncate(first);
        Ok(exact == Some(n))
    }

    /// Decides whether one of the last options, from this one on, has the nim value `n`.
    fn has_option(
        &mut self,
        first: usize,
        n: u32,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Stop> {
        let last = self.options.len();
        let is_known = |&option: &u32| self.known(option as usize, n) == Some(true);
        if self.options[first..].iter().any(is_known) {
            return Ok(true);
        }
        for at in first..last {
            if self.has(self.options[at] as usize, n, allowance)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The moves of a position, among those that are waiting.
#[derive(Clone, Copy)]
struct Moves {
    /// The offset of the first one.
    start: usize,
    count: usize,
}

impl Positions {
    fn new(kind: Kind, position: &[u8], bytes: usize) -> Positions {
        let mut positions = Positions {
            kind,
            length: position.len(),
            cells: Vec::new(),
            index: HashTable::new(),
            waiting: position.to_vec(),
            bytes,
        };
        positions.intern(Moves { start: 0, count: 1 }, 0);
        positions.waiting.clear();
        positions
    }

    fn len(&self) -> usize {
        self.index.len()
    }

    /// Adds the positions after each move to those that are waiting.
    fn make_moves(
        &mut self,
        number: usize,
        player: Player,
        allowance: &mut Allowance<'_>,
    ) -> Result<Moves, Stop> {
        allowance.spend(EFFORT_PER_POSITION)?;
        let length = self.length;
        let used = self.cells.len() + self.len() * BYTES_PER_POSITION;
        let position = &self.cells[number * length..][..length];
        let start = self.waiting.len();
        let waiting = &mut self.waiting;
        let (mut count, mut outcome) = (0, Ok(()));
        for &mover in self.kind.movers(player) {
            let _ = self.kind.rules().moves(position, mover, &mut |_, next| {
                if next.len() != length || used + waiting.len() > self.bytes {
                    outcome = Err(Stop::Unsuitable);
                    return ControlFlow::Break(());
                }
                waiting.extend_from_slice(next);
                count += 1;
                outcome = allowance.spend(EFFORT_PER_MOVE + length as u64 / CELLS_PER_EFFORT);
                match outcome {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            outcome?;
        }
        allowance.check_interrupt(length)?;
        Ok(Moves { start, count })
    }

    /// The number of the position after a move, which is added if it is new.
    fn intern(&mut self, moves: Moves, at: usize) -> usize {
        let length = self.length;
        let position = &self.waiting[moves.start + at * length..][..length];
        let cells = &self.cells;
        let stored = |number: u32| &cells[number as usize * length..][..length];
        let hash = hash_of(position);
        let found = self.index.find(hash, |&number| stored(number) == position);
        if let Some(&number) = found {
            return number as usize;
        }
        // The limit on bytes keeps this far below the range of the type.
        let number = self.index.len();
        self.index
            .insert_unique(hash, number as u32, |&number| hash_of(stored(number)));
        self.cells.extend_from_slice(position);
        number
    }
}

fn hash_of(position: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(position);
    hasher.finish()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::Budget;
    use super::*;
    use crate::game::Game;
    use crate::naive::Naive;
    use crate::solver::Solver;

    const ORDERS: [MoveOrder; 2] = [MoveOrder::Forward, MoveOrder::Backward];

    fn game(name: &str, text: &str) -> Game {
        Game::parse(name, text).unwrap()
    }

    fn search(game: &Game, bytes: usize) -> PlainSearch {
        PlainSearch::new(game.kind, &game.position, bytes)
    }

    /// Searches with this effort, forward.
    fn wins(search: &mut PlainSearch, first: Player, effort: u64) -> Option<bool> {
        let limits = &mut LimitCheck::new(0);
        search
            .wins(first, effort, MoveOrder::Forward, limits)
            .unwrap()
    }

    #[test]
    fn agrees_with_minimax() {
        for (name, text) in [
            ("gen_toads", "1,1,3,1:X.XO.XO.O"),
            ("gen_toads", "1,2,1,0:X..XO.O"),
            ("clobber", "XOX|OXO|XOX"),
            ("impartial clobber", "XOXO|OXOX"),
            ("domineering", "...|...|..."),
            ("sheep", "4 0 0|0 0 -4"),
        ] {
            let game = game(name, text);
            for first in Player::BOTH {
                let expected = Naive::new(1 << 20).wins(std::slice::from_ref(&game), first);
                assert!(expected.is_some());
                for order in ORDERS {
                    let limits = &mut LimitCheck::new(0);
                    let found = search(&game, 1 << 20).wins(first, 1 << 20, order, limits);
                    assert_eq!(found, Ok(expected), "{name} {text} {first:?}");
                }
            }
        }
    }

    #[test]
    fn nim_values_agree_with_the_definition() {
        for (name, text) in [
            ("impartial gen_toads", "1,3,1,0:X.X.O.O"),
            ("impartial gen_toads", "1,2,2,1:XX.O.XO"),
            ("impartial clobber", "XOX|OXO"),
            ("impartial domineering", "...|..."),
            ("impartial elephants", "X..O.X.O"),
        ] {
            let game = game(name, text);
            let expected = Naive::new(1 << 20).nim_value(std::slice::from_ref(&game));
            assert!(expected.is_some());
            let mut search = PlainNim::new(game.kind, &game.position, 1 << 20);
            let limits = &mut LimitCheck::new(0);
            assert_eq!(search.nim_value(1 << 20, limits), Ok(expected), "{text}");
            let mut small = PlainNim::new(game.kind, &game.position, 1 << 20);
            assert_eq!(small.nim_value(5, limits), Ok(None), "{text}");
        }
    }

    #[test]
    fn results_are_kept_for_the_next_call() {
        let game = game("gen_toads", "1,1,3,1:X.XXO.XO.O");
        let mut all = search(&game, 1 << 20);
        let expected = wins(&mut all, Player::Left, 1 << 20);
        let nodes = all.take_nodes();
        let mut in_parts = search(&game, 1 << 20);
        let calls = (1..).find(|_| wins(&mut in_parts, Player::Left, 200).is_some());
        assert!(calls > Some(1), "{calls:?}");
        assert_eq!(wins(&mut in_parts, Player::Left, 0), expected);
        assert!(nodes > 0 && in_parts.take_nodes() > nodes);
    }

    #[test]
    fn limits_end_the_search() {
        let toads = game("gen_toads", "1,1,3,1:X..XXXO.XOXXO...XX.O");
        let mut small = search(&toads, 1_000);
        assert_eq!(wins(&mut small, Player::Left, u64::MAX), None);
        assert!(small.take_nodes() < 100);
        let kayles = game("kayles", "7");
        assert_eq!(
            wins(&mut search(&kayles, 1 << 20), Player::Left, u64::MAX),
            None
        );
        let mut solver = Solver::new(Budget::default().with_nodes(6_000));
        assert_eq!(solver.wins(&[toads], Player::Right), Err(GaveUp::Nodes));
    }

    #[test]
    fn long_games_with_few_moves_take_few_nodes() {
        let sum = [game("gen_toads", "1,1,3,1:X..XXXO.XOXXO...XX.O")];
        let mut solver = Solver::new(Budget::default().with_nodes(20_000));
        assert_eq!(solver.wins(&sum, Player::Right), Ok(false));
        assert_eq!(solver.wins(&sum, Player::Left), Ok(true));
        // The results are kept.
        let nodes = solver.stats().nodes;
        assert_eq!(solver.wins(&sum, Player::Left), Ok(true));
        assert_eq!(solver.stats().nodes, nodes);
    }
}
