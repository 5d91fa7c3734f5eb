//! Winners and nim values of positions that fit into one word.
//!
//! The searches are those of [`super::plain`]. A position and what is known about it are one entry of
//! a table of words, so that a position takes little more time than finding its options there.

use super::GaveUp;
use super::interrupt::LimitCheck;
use super::plain::{
    Allowance, EFFORT_PER_POSITION, MAX_DEPTH, MoveOrder, Stop, WinSearch, least_nim,
};
use crate::rules::Packed;
use crate::value::Player;

/// Nim values from this one on share a bit, and are not searched.
const MAX_NIM: u32 = u64::BITS - Packed::BITS - 1;

/// Nothing is known about a value.
const ANY_NIM: u16 = u16::MAX;

/// A full table becomes this many times as large.
const GROWTH: usize = 4;

/// Positions with what is known about each: for nim values those that it may have, as bits.
struct Entries {
    /// The position in the lower bits, what is known above; 0 if there is none.
    slots: Vec<u64>,
    used: usize,
}

/// The nim values of positions, as far as they were searched.
pub(super) struct PackedNim {
    board: Packed,
    start: u64,
    entries: Entries,
    /// The options of the positions on the path that are still to be searched.
    waiting: Vec<u64>,
    bytes: usize,
    depth: u32,
    nodes: u64,
}

impl PackedNim {
    /// Prepares a search within this many bytes.
    pub fn new(board: Packed, start: u64, bytes: usize) -> PackedNim {
        PackedNim {
            board,
            start,
            entries: Entries::new(),
            waiting: Vec::new(),
            bytes,
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
        self.depth = 0;
        self.waiting.clear();
        least_nim(MAX_NIM, |n| self.has(self.start, n, &mut allowance))
    }

    /// The positions searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Decides whether a position has the nim value `n`: no option has it, and the position has no
    /// smaller value.
    fn has(&mut self, position: u64, n: u32, allowance: &mut Allowance<'_>) -> Result<bool, Stop> {
        let mut possible = self.entries.get(position).unwrap_or(ANY_NIM);
        if let Some(known) = decided(possible, n) {
            return Ok(known);
        }
        if self.depth == MAX_DEPTH {
            return Err(Stop::Unsuitable);
        }
        self.nodes += 1;
        allowance.spend(EFFORT_PER_POSITION)?;
        allowance.check_interrupt(0)?;
        self.depth += 1;
        // An option of value `n` is enough to answer no. Smaller values matter if there is none.
        if self.has_option(position, n, allowance)? {
            possible &= !(1 << n);
        } else {
            let mut exact = n;
            for m in (0..n).filter(|m| possible >> m & 1 == 1) {
                if !self.has_option(position, m, allowance)? {
                    exact = m;
                    break;
                }
            }
            possible = 1 << exact;
        }
        self.depth -= 1;
        self.entries.set(position, possible, self.bytes)?;
        Ok(possible == 1 << n)
    }

    /// Decides whether an option of a position has the nim value `n`.
    fn has_option(
        &mut self,
        position: u64,
        n: u32,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Stop> {
        // 1. Options whose values are known.
        let (first, mut found) = (self.waiting.len(), false);
        for player in Player::BOTH {
            if found {
                break;
            }
            self.board.moves(position, player, |option| {
                let possible = self.entries.get(option).unwrap_or(ANY_NIM);
                match decided(possible, n) {
                    Some(known) => found |= known,
                    None => self.waiting.push(option),
                }
            });
        }
        // 2. The others.
        let last = self.waiting.len();
        for at in first..last {
            if found {
                break;
            }
            found = self.has(self.waiting[at], n, allowance)?;
        }
        self.waiting.truncate(first);
        Ok(found)
    }
}

/// The winners of positions, as far as they were searched.
pub(super) struct PackedSearch {
    board: Packed,
    start: u64,
    /// See [`results`].
    entries: Entries,
    /// The moves on the path that are still to be searched.
    waiting: Vec<u64>,
    bytes: usize,
    depth: u32,
    nodes: u64,
}

impl PackedSearch {
    /// Prepares a search within this many bytes.
    pub fn new(board: Packed, start: u64, bytes: usize) -> PackedSearch {
        PackedSearch {
            board,
            start,
            entries: Entries::new(),
            waiting: Vec::new(),
            bytes,
            depth: 0,
            nodes: 0,
        }
    }

    /// Decides whether this player wins a position, moving first.
    fn decide(
        &mut self,
        position: u64,
        player: Player,
        allowance: &mut Allowance<'_>,
    ) -> Result<bool, Stop> {
        let [win, loss] = results(player);
        let known = self.entries.get(position).unwrap_or(0);
        if known & (win | loss) != 0 {
            return Ok(known & win != 0);
        }
        if self.depth == MAX_DEPTH {
            return Err(Stop::Unsuitable);
        }
        self.nodes += 1;
        allowance.spend(EFFORT_PER_POSITION)?;
        allowance.check_interrupt(0)?;
        let first = self.push_moves(position, player, allowance.order);
        let mut wins = false;
        self.depth += 1;
        for at in first..self.waiting.len() {
            if !self.decide(self.waiting[at], !player, allowance)? {
                wins = true;
                break;
            }
        }
        self.depth -= 1;
        self.waiting.truncate(first);
        // The moves from here do not lead back, so nothing else became known.
        let result = if wins { win } else { loss };
        self.entries.set(position, known | result, self.bytes)?;
        Ok(wins)
    }

    /// Adds the positions after each move, ordered by the cell that becomes empty; returns the
    /// number of those that were waiting before.
    fn push_moves(&mut self, position: u64, player: Player, order: MoveOrder) -> usize {
        let first = self.waiting.len();
        let waiting = &mut self.waiting;
        self.board
            .moves(position, player, |next| waiting.push(next));
        let left = |next: &u64| position & !next;
        match order {
            MoveOrder::Forward => waiting[first..].sort_unstable_by_key(left),
            MoveOrder::Backward => waiting[first..].sort_unstable_by_key(|next| !left(next)),
        }
        first
    }
}

impl WinSearch for PackedSearch {
    fn wins(
        &mut self,
        first: Player,
        effort: u64,
        order: MoveOrder,
        interrupt: &mut LimitCheck,
    ) -> Result<Option<bool>, GaveUp> {
        self.depth = 0;
        self.waiting.clear();
        let mut allowance = Allowance {
            effort,
            order,
            interrupt,
        };
        match self.decide(self.start, first, &mut allowance) {
            Ok(wins) => Ok(Some(wins)),
            Err(stop) => stop.result(),
        }
    }

    fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }
}

/// The bits of an entry that say that a player, moving first, wins or loses.
#[inline]
fn results(player: Player) -> [u16; 2] {
    match player {
        Player::Left => [1, 2],
        Player::Right => [4, 8],
    }
}

/// Returns whether the value is `n`, if the possible values decide that.
#[inline]
fn decided(possible: u16, n: u32) -> Option<bool> {
    if possible >> n & 1 == 0 {
        Some(false)
    } else if possible == 1 << n {
        Some(true)
    } else {
        None
    }
}

impl Entries {
    /// The slots of the first table.
    const START: usize = 1 << 13;

    fn new() -> Entries {
        Entries {
            slots: vec![0; Entries::START],
            used: 0,
        }
    }

    /// What is known about a position.
    #[inline]
    fn get(&self, position: u64) -> Option<u16> {
        match self.slots[self.slot(position)] {
            0 => None,
            entry => Some((entry >> Packed::BITS) as u16),
        }
    }

    /// Stores what is known about a position: at least one bit, so that no entry is 0. The table
    /// grows up to `most` bytes.
    fn set(&mut self, position: u64, known: u16, most: usize) -> Result<(), Stop> {
        if 2 * self.used >= self.slots.len() {
            if GROWTH * self.slots.len() * size_of::<u64>() > most {
                return Err(Stop::Unsuitable);
            }
            self.grow();
        }
        let at = self.slot(position);
        self.used += usize::from(self.slots[at] == 0);
        self.slots[at] = u64::from(known) << Packed::BITS | position;
        Ok(())
    }

    /// The slot of a position, or the free one where it belongs.
    #[inline]
    fn slot(&self, position: u64) -> usize {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        const POSITION: u64 = (1 << Packed::BITS) - 1;
        let last = self.slots.len() - 1;
        let shift = u64::BITS - self.slots.len().trailing_zeros();
        let mut at = (position.wrapping_mul(SPREAD) >> shift) as usize;
        while self.slots[at] != 0 && self.slots[at] & POSITION != position {
            at = (at + 1) & last;
        }
        at
    }

    fn grow(&mut self) {
        let larger = vec![0; GROWTH * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let at = self.slot(entry & ((1 << Packed::BITS) - 1));
            self.slots[at] = entry;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::naive::Naive;

    /// A search of at most 2²⁴ bytes.
    fn search(text: &str) -> (Game, PackedNim) {
        let game = Game::parse("impartial gen_toads", text).unwrap();
        let (board, start) = game.kind.rules().packed(&game.position).unwrap();
        (game, PackedNim::new(board, start, 1 << 24))
    }

    #[test]
    fn nim_values_agree_with_the_definition() {
        for text in [
            "1,3,1,0:X.X.O.O",
            "1,2,2,1:XX.O.XO",
            "1,3,2,1:X..X.O..O",
            "1,1,1,0:XX.OO",
            "1,9,1,0:X.......",
            "1,1,1,0:XO",
        ] {
            let (game, mut search) = search(text);
            let expected = Naive::new(1 << 20).nim_value(std::slice::from_ref(&game));
            assert!(expected.is_some());
            let limits = &mut LimitCheck::new(0);
            assert_eq!(search.nim_value(1 << 24, limits), Ok(expected), "{text}");
        }
    }

    #[test]
    fn winners_agree_with_minimax() {
        for text in [
            "1,3,1,0:X.X.O.O",
            "1,2,2,1:XX.O.XO",
            "1,3,2,1:X..X.O..O",
            "2,2,0,0:X.X...O.O",
            "1,1,1,0:XO",
        ] {
            let game = Game::parse("gen_toads", text).unwrap();
            let (board, start) = game.kind.rules().packed(&game.position).unwrap();
            let mut search = PackedSearch::new(board, start, 1 << 20);
            let limits = &mut LimitCheck::new(0);
            for first in Player::BOTH {
                let expected = Naive::new(1 << 20).wins(std::slice::from_ref(&game), first);
                assert!(expected.is_some());
                for order in [MoveOrder::Forward, MoveOrder::Backward] {
                    let found = search.wins(first, 1 << 20, order, limits);
                    assert_eq!(found, Ok(expected), "{text} {first:?}");
                    assert_eq!(search.take_nodes() > 0, order == MoveOrder::Forward);
                }
            }
        }
    }

    #[test]
    fn boards_of_fission_agree_with_minimax() {
        for text in [
            "...|.X.|...",
            ".X..|....|.X#.",
            ".X...|.....|..#..",
            "......X.X..",
            "X",
        ] {
            let sum = [Game::parse("impartial fission", text).unwrap()];
            let expected = Naive::new(1 << 20).nim_value(&sum);
            assert!(expected.is_some());
            let limits = &mut LimitCheck::new(0);
            let (board, start) = sum[0].kind.rules().packed(&sum[0].position).unwrap();
            let found = PackedNim::new(board, start, 1 << 20).nim_value(1 << 20, limits);
            assert_eq!(found, Ok(expected), "{text}");
            let sum = [Game::parse("fission", text).unwrap()];
            let (board, start) = sum[0].kind.rules().packed(&sum[0].position).unwrap();
            let mut search = PackedSearch::new(board, start, 1 << 20);
            for first in Player::BOTH {
                let expected = Naive::new(1 << 20).wins(&sum, first);
                let found = search.wins(first, 1 << 20, MoveOrder::Forward, limits);
                assert_eq!(found, Ok(expected), "{text} {first:?}");
            }
        }
    }

    #[test]
    fn limits_end_the_search() {
        let limits = &mut LimitCheck::new(0);
        let (_, mut search) = search("1,3,1,0:X.XX.XXO..OOOX..");
        assert_eq!(search.nim_value(100, limits), Ok(None));
        search.bytes = 0;
        assert_eq!(search.nim_value(u64::MAX, limits), Ok(None));
    }

    /// A single toad on a long strip has a nim value that has no bit of its own.
    #[test]
    fn large_nim_values_are_left_to_other_searches() {
        let limits = &mut LimitCheck::new(0);
        let (_, mut large) = search("1,20,1,0:X...................");
        assert_eq!(large.nim_value(u64::MAX, limits), Ok(None));
        let (_, mut small) = search("1,14,1,0:X..............");
        assert_eq!(small.nim_value(u64::MAX, limits), Ok(Some(14)));
    }

    #[test]
    fn entries_survive_growth() {
        let mut entries = Entries::new();
        for position in 1..20_000 {
            entries
                .set(position, 1 << (position % 16), 1 << 20)
                .unwrap();
        }
        for position in 1..20_000 {
            assert_eq!(entries.get(position), Some(1 << (position % 16)));
        }
        assert_eq!(entries.get(20_000), None);
        let more = (20_000..).map(|position| entries.set(position, 1, 1 << 20));
        assert_eq!(
            more.take(1 << 20).find(Result::is_err),
            Some(Err(Stop::Unsuitable))
        );
    }
}
