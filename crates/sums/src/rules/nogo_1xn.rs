//! NoGo on a path.
//!
//! A strip of up to 64 cells is a few words, one bit for a cell. Adding a bit to a set carries it
//! through a run of cells, so that all groups are looked at at once; the board of [`super::nogo`]
//! goes from group to group.

use super::grid::HEAD;
use super::nogo::{
    LETTERS, STORED, bounds, check, count_placements, empties, known_value, negative, place_at,
    placements, swapped, territories, unit,
};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, grid, strip};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::ops::ControlFlow;

/// The ruleset `nogo_1xn`: the boards of `nogo` with one row.
pub struct Nogo1xn;

impl Ruleset for Nogo1xn {
    fn name(&self) -> &'static str {
        "nogo_1xn"
    }

    fn summary(&self) -> &'static str {
        "a strip of '.', 'X', 'O', such as ..X.: place a stone; every group of stones must keep an empty neighbour"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let position = row(text, LETTERS)?;
        check(&position, text)?;
        Ok(position)
    }

    fn parse_stored(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        row(text, STORED)
    }

    fn print(&self, position: &[u8]) -> String {
        strip::print(&position[HEAD..])
    }

    fn text_length(&self, position: &[u8]) -> usize {
        position.len() - HEAD
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let Some(row) = Row::of(position) else {
            return placements(position, player, visit);
        };
        let mut next = position.to_vec();
        bits(row.legal()[player as usize]).try_for_each(|at| place_at(&mut next, at, player, visit))
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        match Row::of(position) {
            Some(row) => row.legal().map(|legal| legal.count_ones() as usize),
            None => count_placements(position),
        }
    }

    fn print_move(&self, _position: &[u8], player: Player, mv: Move) -> String {
        let [at, ..] = mv.parts();
        format!("{}_{}", at + 1, player.stone() as char)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        negative(position)
    }

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        match Row::of(position) {
            Some(row) => row.territories(position, part),
            None => territories(position, part),
        }
    }

    /// The length of a group does not matter, only the cells at its ends.
    fn normalise(&self, position: &mut Vec<u8>) {
        match shortened(position) {
            Some(strip) => strip.least_mirror().unpack(&mut position[HEAD..]),
            None => strip::least_mirror(&mut position[HEAD..]),
        }
    }

    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        let packed = shortened(position);
        let cells = &mut position[HEAD..];
        if let Some(strip) = packed {
            let least = strip.least_mirror().min(strip.swapped().least_mirror());
            least.unpack(cells);
            return;
        }
        let mut negative: Vec<u8> = cells.iter().map(|&cell| swapped(cell)).collect();
        strip::least_mirror(cells);
        strip::least_mirror(&mut negative);
        if negative[..] < cells[..] {
            cells.copy_from_slice(&negative);
        }
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        known_value(position)
    }

    fn bounds(&self, _position: &[u8], mobility: [usize; 2]) -> Option<(i64, i64)> {
        Some(bounds(mobility))
    }

    fn opening(&self) -> Option<[char; 2]> {
        Some(['.'; 2])
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO")
    }

    /// A strip falls into independent parts, so the effort grows with the number of moves alone: 1×31
    /// takes a seventh of the time.
    fn effort(&self, moves: u32) -> u32 {
        moves
    }

    fn size(&self, position: &[u8]) -> usize {
        empties(position)
    }
}

/// A strip of up to 64 cells as sets of cells, the first cell in the lowest bit.
struct Row {
    /// All cells.
    all: u64,
    /// Empty cells where a player may play, now or later.
    open: u64,
    /// Empty cells where neither player may ever play.
    shut: u64,
    /// Stones of groups that are known to be immortal.
    immortal: u64,
    stones: [u64; 2],
}

/// The mortal groups of one player, by the number of their empty neighbours.
struct Groups {
    /// Groups with one: the opponent may not play there.
    stuffy: u64,
    /// Groups with two.
    airy: u64,
}

impl Row {
    /// None if the strip is too long.
    fn of(position: &[u8]) -> Option<Row> {
        let cells = &position[HEAD..];
        if cells.is_empty() || cells.len() > u64::BITS as usize {
            return None;
        }
        let [mut low, mut dotted, mut plain, mut empty, mut stone] = [0; 5];
        for (at, eight) in cells.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..eight.len()].copy_from_slice(eight);
            let word = u64::from_le_bytes(word);
            let bit = |bit: u32| gather(word >> bit) << (8 * at);
            low |= bit(0);
            dotted |= bit(2);
            plain |= bit(3);
            empty |= bit(5);
            stone |= bit(6);
        }
        // See the bits of the letters: stones are `X` 1011000, `O` 1001111, `B` 1000010, `W` 1010111,
        // the others `.` 0101110, `+` 0101011, `#` 0100011.
        let mut row = Row {
            all: u64::MAX >> (u64::BITS as usize - cells.len()),
            open: empty & dotted,
            shut: empty & plain & !dotted,
            immortal: stone & !plain,
            stones: [stone & !low, stone & low],
        };
        row.spread_immortality();
        Some(row)
    }

    #[inline]
    fn beside(&self, set: u64) -> u64 {
        (set << 1 | set >> 1) & self.all
    }

    /// A group that is marked, or next to a cell where neither player may ever play, is immortal.
    fn spread_immortality(&mut self) {
        let safe = self.beside(self.shut) | self.immortal;
        if safe != 0 {
            let [left, right] = self.stones;
            self.immortal = runs(left, safe & left) | runs(right, safe & right);
        }
    }

    #[inline]
    fn groups(&self, player: Player) -> Groups {
        let stones = self.stones[player as usize] & !self.immortal;
        let with_left = runs_up(stones, stones & self.open << 1);
        let with_right = runs_down(stones, stones & self.open >> 1);
        Groups {
            stuffy: with_left ^ with_right,
            airy: with_left & with_right,
        }
    }

    /// The cells where each player may place a stone.
    fn legal(&self) -> [u64; 2] {
        let [left, right] = Player::BOTH.map(|player| self.groups(player));
        let beside_empty = self.beside(self.open | self.shut);
        [(&left, &right, 0), (&right, &left, 1)].map(|(own, other, player)| {
            let firm = own.airy | self.stones[player] & self.immortal;
            self.open & !self.beside(other.stuffy) & (beside_empty | self.beside(firm))
        })
    }

    /// Visits the parts that do not affect each other, as [`territories`] does.
    fn territories(mut self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let legal = self.legal();
        let dead = self.open & !legal[0] & !legal[1];
        if dead != 0 {
            self.shut |= dead;
            self.open &= !dead;
            self.spread_immortality();
        }
        let bridges = Player::BOTH.map(|player| self.groups(player).airy);
        let bridges = bridges[0] | bridges[1];
        let mut rest = self.open | bridges;
        while rest != 0 {
            let first = rest & rest.wrapping_neg();
            let run = rest & !rest.wrapping_add(first);
            rest &= !run;
            self.visit_part(position, run, legal, part)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits a part between two stones, walls or ends of the strip.
    fn visit_part(
        &self,
        position: &[u8],
        run: u64,
        legal: [u64; 2],
        part: &mut PartVisitor<'_>,
    ) -> Flow {
        let ends = self.beside(run) & !run & (self.stones[0] | self.stones[1] | self.shut);
        let alone = Player::BOTH
            .into_iter()
            .find(|&player| run & legal[!player as usize] == 0);
        if let Some(player) = alone
            && let Some(count) = self.count_fillings(run, ends, player)
        {
            return (0..count).try_for_each(|_| part(unit(player)));
        }
        let cells = run | ends;
        let (first, last) = (cells.trailing_zeros(), cells.ilog2());
        let mut board = [0; HEAD + u64::BITS as usize];
        let length = HEAD + (last - first + 1) as usize;
        board[HEAD..length].copy_from_slice(&position[HEAD..][first as usize..=last as usize]);
        for (at, cell) in [(first, HEAD), (last, length - 1)] {
            if self.shut >> at & 1 == 1 {
                board[cell] = b'+';
            } else if self.immortal >> at & 1 == 1 {
                let is_left = self.stones[0] >> at & 1 == 1;
                board[cell] = if is_left { b'B' } else { b'W' };
            }
        }
        board[..HEAD].copy_from_slice(&((length - HEAD) as u16).to_le_bytes());
        part(&board[..length])
    }

    /// The number of stones that will be placed in a part where only one player may play: all cells
    /// if an immortal group of the player or a permanently empty cell is adjacent, otherwise all
    /// but one. `None` if groups of the opponent could lose their last empty neighbour.
    fn count_fillings(&self, run: u64, ends: u64, player: Player) -> Option<u32> {
        if (run | ends) & self.stones[!player as usize] & !self.immortal != 0 {
            return None;
        }
        let cells = run & self.open;
        let safe = self.stones[player as usize] & self.immortal | self.shut;
        let all = self.beside(cells) & safe != 0;
        Some(cells.count_ones() - u32::from(!all))
    }
}

/// The lowest bits of the eight bytes of a word.
#[inline]
fn gather(word: u64) -> u64 {
    const LOWEST: u64 = u64::MAX / 0xff;
    // Each factor moves the bit of one byte to its place in the highest byte.
    (word & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The runs of a set that contain a seed, from the first seed of each on.
#[inline]
fn runs_up(set: u64, seeds: u64) -> u64 {
    // The carry of a seed clears all cells up to the end of its run; further seeds stay.
    set & !set.wrapping_add(seeds) | seeds
}

/// The runs of a set that contain a seed, up to the last seed of each.
#[inline]
fn runs_down(set: u64, seeds: u64) -> u64 {
    runs_up(set.reverse_bits(), seeds.reverse_bits()).reverse_bits()
}

/// The runs of a set that contain a seed.
#[inline]
fn runs(set: u64, seeds: u64) -> u64 {
    runs_up(set, seeds) | runs_down(set, seeds)
}

/// The numbers of the bits of a set, in ascending order.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (at < u64::BITS).then_some(at as usize)
    })
}

/// A short strip as a number, its first cell in the highest byte: comparing numbers needs no
/// branches, which no processor could predict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Packed {
    cells: u128,
    length: usize,
}

impl Packed {
    const BYTES: usize = size_of::<u128>();

    /// None if the strip is too long.
    fn of(cells: &[u8]) -> Option<Packed> {
        let mut bytes = [0; Packed::BYTES];
        bytes.get_mut(..cells.len())?.copy_from_slice(cells);
        Some(Packed {
            cells: u128::from_be_bytes(bytes),
            length: cells.len(),
        })
    }

    fn unpack(self, cells: &mut [u8]) {
        cells.copy_from_slice(&self.cells.to_be_bytes()[..self.length]);
    }

    fn unused_bits(self) -> u32 {
        8 * (Packed::BYTES - self.length) as u32
    }

    /// A stone is next to a stone of the same group, or a wall to a wall.
    fn has_long_groups(self) -> bool {
        let low_bits = u128::from_ne_bytes([0x7f; Packed::BYTES]);
        let change = self.cells ^ self.cells >> 8;
        let is_equal = !(((change & low_bits) + low_bits) | change);
        // Of all letters only the empty cell has the bits 5 and 2.
        let is_empty = self.cells << 2 & self.cells << 5;
        let others = u128::MAX.unbounded_shl(self.unused_bits()) >> 8 & !low_bits;
        is_equal & !is_empty & others != 0
    }

    fn least_mirror(self) -> Packed {
        let unused = self.unused_bits();
        let mirror = self.cells.swap_bytes().unbounded_shl(unused);
        Packed {
            cells: self.cells.min(mirror),
            length: self.length,
        }
    }

    /// See [`swapped`]: of all letters, only stones have bit 6, and of these only `X` and `O` bit 3.
    fn swapped(self) -> Packed {
        let ones = u128::from_ne_bytes([1; Packed::BYTES]);
        let stones = self.cells >> 6 & ones;
        let plain = self.cells >> 3 & stones;
        let (marked, more) = (
            u128::from(b'B' ^ b'W'),
            u128::from(b'B' ^ b'W' ^ b'X' ^ b'O'),
        );
        Packed {
            cells: self.cells ^ (stones * marked) ^ (plain * more),
            length: self.length,
        }
    }
}

/// Leaves one stone of each group; the strip as a number, if it is short enough.
fn shortened(position: &mut Vec<u8>) -> Option<Packed> {
    let packed = Packed::of(&position[HEAD..]);
    if packed.is_some_and(|strip| !strip.has_long_groups()) {
        return packed;
    }
    shorten_groups(position);
    Packed::of(&position[HEAD..])
}

/// Leaves one stone of each group.
fn shorten_groups(position: &mut Vec<u8>) {
    let (mut kept, mut last) = (HEAD, 0);
    for at in HEAD..position.len() {
        let cell = position[at];
        position[kept] = cell;
        kept += usize::from((cell == b'.') | (cell != last));
        last = cell;
    }
    position.truncate(kept);
    position[..HEAD].copy_from_slice(&((kept - HEAD) as u16).to_le_bytes());
}

/// Reads a board of one row.
fn row(text: &str, letters: &str) -> Result<Vec<u8>, Complaint> {
    let cells = strip::parse(text, letters)?;
    grid::check_width(&mut None, cells.len(), 0..text.len())?;
    let mut position = (cells.len() as u16).to_le_bytes().to_vec();
    position.extend(cells);
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, parts};
    use super::*;

    #[test]
    fn groups_keep_an_empty_neighbour() {
        assert_eq!(moves(&Nogo1xn, "..X.", Player::Left), ["1_X", "2_X", "4_X"]);
        assert_eq!(moves(&Nogo1xn, "..X.", Player::Right), ["1_O", "2_O"]);
    }

    /// All strips of up to this many cells.
    fn all_strips(longest: u32) -> impl Iterator<Item = Vec<u8>> {
        let letters = b".XOBW+#";
        let strip = move |length: u32, number: usize| {
            let cell = |at: u32| letters[number / letters.len().pow(at) % letters.len()];
            let mut position = vec![length as u8, 0];
            position.extend((0..length).map(cell));
            position
        };
        (1..=longest).flat_map(move |length| {
            (0..letters.len().pow(length)).map(move |number| strip(length, number))
        })
    }

    #[test]
    fn short_strips_have_the_moves_and_parts_of_boards() {
        let normal_parts = |split: &dyn Fn(&mut PartVisitor<'_>) -> Flow| {
            let mut found = Vec::new();
            let _ = split(&mut |part| {
                let mut part = part.to_vec();
                Nogo1xn.normalise(&mut part);
                found.push(part);
                ControlFlow::Continue(())
            });
            found.sort();
            found
        };
        for position in all_strips(6) {
            let text = Nogo1xn.print(&position);
            assert_eq!(
                Nogo1xn.mobility(&position),
                count_placements(&position),
                "{text}"
            );
            let expected = normal_parts(&|visit| territories(&position, visit));
            let found = normal_parts(&|visit| Nogo1xn.split(&position, visit));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn strips_of_many_cells_have_parts() {
        for length in [63, 64, 65] {
            let open = ".".repeat(length);
            assert_eq!(parts(&Nogo1xn, &open), [&open[..]]);
            assert_eq!(moves(&Nogo1xn, &open, Player::Left).len(), length);
        }
    }

    #[test]
    fn impartial_normal_forms_are_the_least_images() {
        let letters = b".XOBW+";
        for number in 0..6usize.pow(5) {
            let cell = |at: u32| letters[number / 6usize.pow(at) % 6];
            let mut position = vec![5, 0];
            position.extend((0..5).map(cell));
            let mut negative = Nogo1xn.negative(&position);
            Nogo1xn.normalise(&mut negative);
            let mut expected = position.clone();
            Nogo1xn.normalise(&mut expected);
            expected = expected.min(negative);
            Nogo1xn.normalise_impartial(&mut position);
            assert_eq!(position, expected);
        }
    }

    #[test]
    fn short_strips_have_the_normal_forms_of_long_ones() {
        let letters = b".XOBW+";
        for number in 0..6usize.pow(5) {
            let cell = |at: u32| letters[number / 6usize.pow(at) % 6];
            let mut cells: Vec<u8> = (0..5).map(cell).collect();
            let packed = Packed::of(&cells).expect("short enough");
            let mut negative: Vec<u8> = cells.iter().map(|&cell| swapped(cell)).collect();
            assert!(packed.swapped() == Packed::of(&negative).expect("short enough"));
            packed.least_mirror().unpack(&mut negative);
            strip::least_mirror(&mut cells);
            assert_eq!(negative, cells);
        }
        assert!(Packed::of(&[b'.'; 16]).is_some() && Packed::of(&[b'.'; 17]).is_none());
    }

    #[test]
    fn marks_of_normal_forms_cannot_be_typed() {
        for mark in ["B", "W", "+", "b", "w"] {
            let text = format!("..{mark}.");
            let complaint = Nogo1xn.parse(&text).unwrap_err();
            assert_eq!(complaint.span, 2..3);
            assert!(
                complaint.message.ends_with("expected '.', 'X', 'O' or '#'"),
                "{}",
                complaint.message
            );
            assert!(super::super::nogo::Nogo.parse(&text).is_err(), "{mark}");
            assert!(Nogo1xn.parse_stored(&text).is_ok(), "{mark}");
        }
    }

    #[test]
    fn groups_shrink_to_one_stone() {
        assert_eq!(parts(&Nogo1xn, "..XXX.."), ["..X.."]);
        ["...", "..XXO..", "X."]
            .iter()
            .for_each(|text| check_laws(&Nogo1xn, text));
    }
}
