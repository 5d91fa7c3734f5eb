//! NoGo on a path.

use super::grid::HEAD;
use super::nogo::{
    LETTERS, STORED, bounds, check, count_placements, empties, known_value, negative, placements,
    swapped, territories,
};
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, grid, strip};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};

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
        placements(position, player, visit)
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        count_placements(position)
    }

    fn print_move(&self, _position: &[u8], player: Player, mv: Move) -> String {
        let [at, ..] = mv.parts();
        format!("{}_{}", at + 1, player.stone() as char)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        negative(position)
    }

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        territories(position, part)
    }

    /// The length of a group does not matter, only the cells at its ends.
    fn normalise(&self, position: &mut Vec<u8>) {
        shorten_groups(position);
        match Packed::of(&position[HEAD..]) {
            Some(strip) => strip.least_mirror().unpack(&mut position[HEAD..]),
            None => strip::least_mirror(&mut position[HEAD..]),
        }
    }

    fn normalise_impartial(&self, position: &mut Vec<u8>) {
        shorten_groups(position);
        let cells = &mut position[HEAD..];
        if let Some(strip) = Packed::of(cells) {
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

    fn least_mirror(self) -> Packed {
        let unused = 8 * (Packed::BYTES - self.length) as u32;
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
