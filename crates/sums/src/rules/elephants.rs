//! Elephants and Rhinos: X walks one step to the right, O one step to the left, onto empty cells.

use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset, integer, strip};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::ops::ControlFlow;

/// The ruleset `elephants`.
pub struct Elephants {
    /// True for the impartial version, where herds have no simpler form.
    shared: bool,
}

/// The partisan version.
pub static ELEPHANTS: Elephants = Elephants { shared: false };

impl Ruleset for Elephants {
    fn name(&self) -> &'static str {
        "elephants"
    }

    fn summary(&self) -> &'static str {
        "a strip of '.', 'X', 'O', such as X..O: X steps to the right, O to the left, onto an empty cell"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        strip::parse(text, ".XO")
    }

    fn print(&self, position: &[u8]) -> String {
        strip::print(position)
    }

    fn text_length(&self, position: &[u8]) -> usize {
        position.len()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let mut next = position.to_vec();
        for from in (0..position.len()).filter(|&at| position[at] == player.stone()) {
            let ahead = strip::ahead(from, player, 1, position.len());
            if let Some(to) = ahead.filter(|&to| position[to] == b'.') {
                next.swap(from, to);
                visit(Move::of([from, to, 0]), &next)?;
                next.swap(from, to);
            }
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        strip::print_step(mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        mirrored_swap(position)
    }

    /// Animals that walk away from each other are independent; two that face each other are
    /// blocked.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        if self.shared {
            return herds(position, true, part);
        }
        herds(position, true, &mut |herd| visit_simplified(herd, part))
    }

    fn impartial(&self) -> Option<&'static dyn Ruleset> {
        Some(&Elephants { shared: true })
    }

    /// With one kind of animal, all possible steps will be made.
    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        unopposed_steps(position).map(integer)
    }

    /// With one kind of animal, the number of steps is fixed.
    fn known_nim_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        unopposed_steps(position).map(|steps| steps.unsigned_abs() % 2)
    }

    fn letters(&self) -> Option<&'static str> {
        Some(".XO")
    }

    /// A herd with animals of both kinds is decided by the next step of a leader.
    fn size(&self, position: &[u8]) -> usize {
        if self.shared { position.len() } else { 1 }
    }
}

/// Visits parts that are equal in value to a herd: a number of free steps, and one gap of one cell
/// between leaders who face each other across an odd number of cells.
///
/// Behind `k` elephants' leader, free steps stay possible until they are used up, so they are a
/// number; a step of the leader gives the others `k - 1` more of them. The same holds for `m`
/// rhinos. A step of either leader also takes a cell of the gap, so each cell is a switch
/// `{k-1|-(m-1)}`: a move in a sum of `g` equal switches leaves `g - 1` of them, whichever it is
/// in. Two such switches add up to `k - m`.
fn visit_simplified(herd: &[u8], part: &mut PartVisitor<'_>) -> Flow {
    let front = herd.iter().rposition(|&cell| cell == b'X');
    let back = herd.iter().position(|&cell| cell == b'O');
    let (Some(front), Some(back)) = (front, back) else {
        return part(herd);
    };
    let count = |stone: u8| herd.iter().filter(|&&cell| cell == stone).count();
    let (elephants, rhinos, gap) = (count(b'X'), count(b'O'), back - front - 1);
    let behind = [&herd[..=front], &herd[back..]];
    let behind: i64 = behind.into_iter().filter_map(unopposed_steps).sum();
    let pairs = (gap / 2) as i64 * (elephants as i64 - rhinos as i64);
    visit_steps(behind + pairs, part)?;
    if gap % 2 == 1 {
        let cells = [(b'X', elephants), (b'.', 1), (b'O', rhinos)];
        let leaders = cells.map(|(cell, count)| vec![cell; count]);
        part(&leaders.concat())?;
    }
    ControlFlow::Continue(())
}

/// Visits strips with this number of free steps, negative for Right's, on few cells.
fn visit_steps(steps: i64, part: &mut PartVisitor<'_>) -> Flow {
    let total = steps.unsigned_abs() as usize;
    let free = total.isqrt().max(1);
    for (animals, free) in [(total / free, free), (1, total % free)] {
        if animals * free == 0 {
            continue;
        }
        let mut herd = vec![b'X'; animals];
        herd.resize(animals + free, b'.');
        if steps < 0 {
            herd = mirrored_swap(&herd);
        }
        part(&herd)?;
    }
    ControlFlow::Continue(())
}

/// The number of steps on a strip with one kind of animal, negative for Right's.
fn unopposed_steps(position: &[u8]) -> Option<i64> {
    let steps = |player: Player, cells: &mut dyn Iterator<Item = &u8>| {
        let (mut free, mut steps) = (0, 0);
        for &cell in cells {
            free += i64::from(cell == b'.');
            steps += if cell == player.stone() { free } else { 0 };
        }
        steps
    };
    match (position.contains(&b'X'), position.contains(&b'O')) {
        (_, false) => Some(steps(Player::Left, &mut position.iter().rev())),
        (false, true) => Some(-steps(Player::Right, &mut position.iter())),
        (true, true) => None,
    }
}

/// The strip reversed, with the players exchanged.
pub(crate) fn mirrored_swap(position: &[u8]) -> Vec<u8> {
    position
        .iter()
        .rev()
        .map(|&cell| strip::swapped(cell))
        .collect()
}

/// Visits the runs in which animals walk towards each other, without useless cells.
///
/// With `facing_blocks`, neighbours `XO` can never move again.
pub(crate) fn herds(position: &[u8], facing_blocks: bool, part: &mut PartVisitor<'_>) -> Flow {
    let mut start = 0;
    let mut last = None;
    for at in 0..=position.len() {
        let cell = position.get(at).copied();
        let cut = match (last, cell) {
            (_, None) => true,
            (Some((_, b'O')), Some(b'X')) => true,
            (Some((before, b'X')), Some(b'O')) => facing_blocks && before + 1 == at,
            _ => false,
        };
        if cut {
            visit_herd(&position[start..at], part)?;
            start = at;
        }
        if let Some(animal @ (b'X' | b'O')) = cell {
            last = Some((at, animal));
        }
    }
    ControlFlow::Continue(())
}

/// Removes the cells behind the outermost animals, and skips herds that cannot move.
fn visit_herd(mut herd: &[u8], part: &mut PartVisitor<'_>) -> Flow {
    if let Some(last) = herd.iter().rposition(|&cell| cell != b'.')
        && herd[last] == b'O'
    {
        herd = &herd[..=last];
    }
    if let Some(first) = herd.iter().position(|&cell| cell != b'.')
        && herd[first] == b'X'
    {
        herd = &herd[first..];
    }
    if herd.iter().any(|&cell| cell != b'.') && herd.contains(&b'.') {
        part(herd)?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, known_value, moves, parts};
    use super::*;
    use crate::Solver;
    use crate::game::Game;
    use crate::naive::Naive;

    #[test]
    fn animals_walk_ahead() {
        assert_eq!(moves(&ELEPHANTS, "X..O.X", Player::Left), ["1-2"]);
        assert_eq!(moves(&ELEPHANTS, "X..O.X", Player::Right), ["4-3"]);
    }

    #[test]
    fn herds_are_independent() {
        assert_eq!(parts(&ELEPHANTS, ".X.O.X..O.."), ["X.O"]);
        let shared = Elephants { shared: true };
        assert_eq!(parts(&shared, ".X.O.X..O.."), ["X..O", "X.O"]);
        assert_eq!(parts(&ELEPHANTS, ".X.XO.O"), ["O.O", "X.X"]);
        ["", "X.O", "OX", "X.XO.O."]
            .iter()
            .for_each(|text| check_laws(&ELEPHANTS, text));
    }

    #[test]
    fn unopposed_herds_are_integers() {
        let value = |text: &str| known_value(&ELEPHANTS, text);
        assert_eq!(value("X.....X."), Some(integer(7)));
        assert_eq!(value("..O.O"), Some(integer(-5)));
        assert_eq!(value("X.O"), None);
    }

    #[test]
    fn herds_are_steps_and_a_gap_of_one_cell() {
        assert_eq!(parts(&ELEPHANTS, "X.X...O"), ["XX.", "XX.O"]);
        assert_eq!(parts(&ELEPHANTS, "XX....O.O.O"), ["..OO", ".O"]);
        assert_eq!(parts(&ELEPHANTS, "X....O"), [""; 0]);
    }

    /// Plain minimax on every strip with up to seven cells, plus a number.
    #[test]
    fn simplified_herds_have_the_same_winners() {
        let mut solver = Solver::default();
        for code in 0..3usize.pow(7) {
            let cell = |at| b".XO"[code / 3usize.pow(at) % 3] as char;
            let strip: String = (0..7).map(cell).collect();
            let game = Game::parse("elephants", &strip).unwrap();
            for number in ["0", "1", "-2"] {
                let sum = [game.clone(), Game::parse("integer_game", number).unwrap()];
                for first in Player::BOTH {
                    let expected = Naive::new(1 << 16).wins(&sum, first).unwrap();
                    assert_eq!(solver.wins(&sum, first), Ok(expected), "{strip} {number}");
                }
            }
        }
    }
}
