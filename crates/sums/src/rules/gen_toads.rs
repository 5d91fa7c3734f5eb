//! Generalised Toads and Frogs: X goes right and O left; free animals slide, blocked ones jump.

use super::elephants::{herds, mirrored_swap};
use super::{Complaint, Flow, Move, MoveVisitor, Packed, PartVisitor, Ruleset, integer, strip};
use crate::interrupt::Interrupt;
use crate::value::{Nus, Player};
use std::ops::{ControlFlow, Range};

/// The ruleset `gen_toads`: four parameters, one byte each, then the strip.
pub struct GenToads {
    /// True for the impartial version, where no position is a nonzero number.
    shared: bool,
}

/// The partisan version.
pub static GEN_TOADS: GenToads = GenToads { shared: false };

/// The bytes before the strip.
const HEAD: usize = 4;

/// The distances that animals move.
struct Parameters {
    slide: std::ops::RangeInclusive<usize>,
    jump: usize,
    over_friends: bool,
}

impl Parameters {
    fn of(position: &[u8]) -> Parameters {
        let [least, most, jump, friendly] = [0, 1, 2, 3].map(|at| usize::from(position[at]));
        Parameters {
            slide: least..=most,
            jump,
            over_friends: friendly == 1,
        }
    }
}

impl Ruleset for GenToads {
    fn name(&self) -> &'static str {
        "gen_toads"
    }

    fn summary(&self) -> &'static str {
        "(minimum slide,maximum slide,maximum jump,jump over own animals 0 or 1:strip), such as 1,1,1,0:XX..OO: X goes right, O left; a free animal slides, a blocked one jumps"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let (mut position, strip_at) = parameters(text, HEAD)?;
        let wrong = match position[..] {
            [0, ..] => Some("the minimum slide must be at least 1"),
            [least, most, ..] if least > most => Some("the minimum slide exceeds the maximum"),
            [.., friendly] if friendly > 1 => Some("the fourth parameter must be 0 or 1"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Err(Complaint::new(0..strip_at - 1, wrong));
        }
        position.extend(shifted(strip_at, strip::parse(&text[strip_at..], ".XO"))?);
        Ok(position)
    }

    fn print(&self, position: &[u8]) -> String {
        let head: Vec<String> = position[..HEAD].iter().map(u8::to_string).collect();
        format!("{}:{}", head.join(","), strip::print(&position[HEAD..]))
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let parameters = Parameters::of(position);
        let cells = &position[HEAD..];
        let mut next = position.to_vec();
        for from in (0..cells.len()).filter(|&at| cells[at] == player.stone()) {
            targets(&parameters, cells, from, player, &mut |to| {
                next.swap(HEAD + from, HEAD + to);
                visit(Move::of([from, to, 0]), &next)?;
                next.swap(HEAD + from, HEAD + to);
                ControlFlow::Continue(())
            })?;
        }
        ControlFlow::Continue(())
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        strip::print_step(mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        [&position[..HEAD], &mirrored_swap(&position[HEAD..])].concat()
    }

    fn impartial(&self) -> Option<&'static dyn Ruleset> {
        Some(&GenToads { shared: true })
    }

    /// Animals that can never move are walls: no animal jumps over a whole row of them. The value
    /// of animals that are far beyond all others is their number of steps.
    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let (head, cells) = position.split_at(HEAD);
        let parameters = Parameters::of(position);
        let stuck = stuck(&parameters, cells);
        let mut board = head.to_vec();
        let mut start = 0;
        for at in 0..=cells.len() {
            if at == cells.len() || stuck.as_ref().is_some_and(|stuck| stuck[at]) {
                stretches(parameters.jump, &cells[start..at], &mut |stretch| {
                    let mut visit = |cells: &[u8]| {
                        board.truncate(HEAD);
                        board.extend_from_slice(cells);
                        part(&board)
                    };
                    if self.shared || *parameters.slide.start() > 1 {
                        return visit(stretch);
                    }
                    split_far(parameters.jump, stretch, &mut visit)
                })?;
                start = at + 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// With one kind of animal, all possible steps will be made.
    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        let cells = &position[HEAD..];
        let meet = cells.contains(&b'X') && cells.contains(&b'O');
        (position[0] == 1 && !meet).then(|| {
            let [left, right] =
                Player::BOTH.map(|player| total_distance(cells, player, 0..cells.len()));
            integer(left - right)
        })
    }

    /// Animals that have passed all others can make all their steps; no move is shorter than the
    /// least slide or a jump over one animal.
    fn bounds(&self, position: &[u8], _mobility: [usize; 2]) -> Option<(i64, i64)> {
        let cells = &position[HEAD..];
        let shortest = i64::from(position[0].min(2));
        let most =
            Player::BOTH.map(|player| total_distance(cells, player, 0..cells.len()) / shortest);
        let sure = Player::BOTH.map(|player| match shortest {
            1 => total_distance(cells, player, beyond(cells, player)),
            _ => 0,
        });
        Some((sure[0] - most[1], most[0] - sure[1]))
    }

    fn size(&self, position: &[u8]) -> usize {
        position.len() - HEAD
    }

    fn packed(&self, position: &[u8]) -> Option<(Packed, u64)> {
        let cells = &position[HEAD..];
        let Parameters {
            slide,
            jump,
            over_friends,
        } = Parameters::of(position);
        let distance = |distance: usize| distance.min(cells.len()) as u32;
        let strip = PackedStrip {
            length: cells.len(),
            shortest_slide: *slide.start() as u32,
            longest_slide: distance(*slide.end()),
            jump: distance(jump),
            over_friends,
        };
        (cells.len() <= PackedStrip::MAX_CELLS).then(|| (strip.into(), PackedStrip::pack(cells)))
    }
}

/// Toads and Frogs on a short strip: a position is one word, a bit for each toad, then for each
/// frog.
pub struct PackedStrip {
    length: usize,
    /// Distances of moves, at most the length: then shifts do not overflow.
    shortest_slide: u32,
    longest_slide: u32,
    jump: u32,
    over_friends: bool,
}

impl PackedStrip {
    /// The maximum number of cells.
    const MAX_CELLS: usize = Packed::BITS as usize / 2;

    fn pack(cells: &[u8]) -> u64 {
        let bit = |(at, &cell): (usize, &u8)| match cell {
            b'X' => 1 << at,
            b'O' => 1 << (at + PackedStrip::MAX_CELLS),
            _ => 0,
        };
        cells.iter().enumerate().map(bit).sum()
    }

    /// Visits the positions after each move of a player.
    #[inline]
    pub(crate) fn moves(&self, position: u64, player: Player, visit: impl FnMut(u64)) {
        // Compiled for each player, because shifts by a known sign take half as long.
        match player {
            Player::Left => self.moves_of::<true>(position, visit),
            Player::Right => self.moves_of::<false>(position, visit),
        }
    }

    #[inline]
    fn moves_of<const LEFT: bool>(&self, position: u64, mut visit: impl FnMut(u64)) {
        let toads = position & ((1 << PackedStrip::MAX_CELLS) - 1);
        let frogs = position >> PackedStrip::MAX_CELLS;
        let free = !(toads | frogs) & ((1 << self.length) - 1);
        let (mine, theirs, shift) = if LEFT {
            (toads, frogs, 0)
        } else {
            (frogs, toads, PackedStrip::MAX_CELLS)
        };
        // 1. Slides: the cells up to the target are free.
        let mut sliding = mine;
        let mut distance = 1;
        while distance <= self.longest_slide {
            sliding &= behind::<LEFT>(free, distance);
            if sliding == 0 {
                break;
            }
            if distance >= self.shortest_slide {
                each_step::<LEFT>(sliding, distance, |step| visit(position ^ step << shift));
            }
            distance += 1;
        }
        // 2. Jumps: the cells before the target are taken, and may be jumped over.
        let others = if self.over_friends {
            toads | frogs
        } else {
            theirs
        };
        let mut jumping = mine;
        let mut over = 1;
        while over <= self.jump {
            jumping &= behind::<LEFT>(others, over);
            if jumping == 0 {
                break;
            }
            let landing = jumping & behind::<LEFT>(free, over + 1);
            each_step::<LEFT>(landing, over + 1, |step| visit(position ^ step << shift));
            over += 1;
        }
    }
}

/// The cells at a distance behind these, as bits.
#[inline]
fn behind<const LEFT: bool>(cells: u64, distance: u32) -> u64 {
    if LEFT {
        cells >> distance
    } else {
        cells << distance
    }
}

/// For each of the cells, visits its bit together with that of the cell at a distance ahead.
#[inline]
fn each_step<const LEFT: bool>(mut cells: u64, distance: u32, mut visit: impl FnMut(u64)) {
    while cells != 0 {
        let from = cells & cells.wrapping_neg();
        cells ^= from;
        let to = if LEFT {
            from << distance
        } else {
            from >> distance
        };
        visit(from | to);
    }
}

/// The animals that can never move: each is blocked by others that cannot move either. `None` if
/// all can move.
fn stuck(parameters: &Parameters, cells: &[u8]) -> Option<Vec<bool>> {
    let at_an_end = cells.first() == Some(&b'O') || cells.last() == Some(&b'X');
    if !at_an_end && !cells.windows(2).any(|pair| pair == b"XO") {
        return None;
    }
    let mut stuck: Vec<bool> = cells.iter().map(|&cell| cell != b'.').collect();
    let mut free: Vec<usize> = (0..cells.len()).filter(|&at| !stuck[at]).collect();
    while let Some(at) = free.pop() {
        for player in Player::BOTH {
            mark_free(parameters, cells, at, player, &mut stuck, &mut free);
        }
    }
    Some(stuck)
}

/// Marks the animals of a player as free that can reach a cell that is empty or may become empty.
fn mark_free(
    parameters: &Parameters,
    cells: &[u8],
    to: usize,
    player: Player,
    stuck: &mut [bool],
    free: &mut Vec<usize>,
) {
    let behind = |distance| strip::ahead(to, !player, distance, cells.len());
    for at in (1..=parameters.jump + 1).map_while(behind) {
        if cells[at] == player.stone() {
            if std::mem::replace(&mut stuck[at], false) {
                free.push(at);
            }
            if !parameters.over_friends {
                return;
            }
        }
    }
}

/// The total distance of a player's animals among these cells to the end of the strip, where they
/// stand next to each other; none of the player's animals is beyond these cells.
fn total_distance(cells: &[u8], player: Player, among: Range<usize>) -> i64 {
    let mine = among.filter(|&at| cells[at] == player.stone());
    let (mut count, mut places) = (0, 0);
    for at in mine {
        count += 1;
        places += match player {
            Player::Left => cells.len() - 1 - at,
            Player::Right => at,
        } as i64;
    }
    places - count * (count - 1) / 2
}

/// The cells that a player's animals reach when they have passed all others.
fn beyond(cells: &[u8], player: Player) -> Range<usize> {
    let is_other = |&cell: &u8| cell == (!player).stone();
    match player {
        Player::Left => cells.iter().rposition(is_other).map_or(0, |last| last + 1)..cells.len(),
        Player::Right => 0..cells.iter().position(is_other).unwrap_or(cells.len()),
    }
}

/// Visits the independent parts between two walls.
fn stretches(jump: usize, cells: &[u8], visit: &mut PartVisitor<'_>) -> Flow {
    if jump == 0 {
        // Without jumps the game is Elephants and Rhinos with longer steps.
        return herds(cells, true, visit);
    }
    let first = cells.iter().position(|&cell| cell == b'X');
    let last = cells.iter().rposition(|&cell| cell == b'O');
    match (first, last) {
        (Some(first), Some(last)) if first < last => visit(cells),
        _ => {
            if let Some(last) = last {
                visit(&cells[..=last])?;
            }
            if let Some(first) = first {
                visit(&cells[first..])?;
            }
            ControlFlow::Continue(())
        }
    }
}

/// Longer strips are not searched for animals that are far beyond the others.
const LONGEST: usize = 256;

/// Visits the strip without the animals that are far beyond all others, and for each of these a
/// strip on which it makes its steps alone.
fn split_far(jump: usize, cells: &[u8], visit: &mut PartVisitor<'_>) -> Flow {
    let toads = count_far(jump, cells.iter().rev(), b'X');
    let frogs = count_far(jump, cells.iter(), b'O');
    if toads + frogs == 0 || cells.len() > LONGEST {
        return visit(cells);
    }
    let mut rest = cells.to_vec();
    for (stone, count) in [(b'X', toads), (b'O', frogs)] {
        for _ in 0..count {
            let at = rest.iter().rposition(|&cell| cell == b'X').unwrap_or(0);
            let mut alone = rest.split_off(at);
            alone.fill(b'.');
            rest.extend_from_slice(&alone[1..]);
            alone[0] = stone;
            if stone == b'O' {
                alone.reverse();
            }
            if alone.len() > 1 {
                visit(&alone)?;
            }
        }
        rest = mirrored_swap(&rest);
    }
    if rest.contains(&b'X') && rest.contains(&b'O') {
        visit(&rest)?;
    }
    ControlFlow::Continue(())
}

/// Counts the animals that are so far beyond all others that they block none of them; cells are
/// counted from the end to which they go.
///
/// A toad that jumps over the last frog lands at most `jump` cells behind it. Behind that there
/// must be room for all toads that are not far, so that none of them has to wait for a far one.
/// Then both the steps of the far toads and those of the others once they have passed are free
/// moves of Left, and it does not matter who makes them: with the far toads taken off, and their
/// places at the end too, the game is less by the number of their steps.
fn count_far<'a>(jump: usize, cells: impl Iterator<Item = &'a u8> + Clone, own: u8) -> usize {
    let total = cells.clone().filter(|&&cell| cell == own).count();
    let other = cells.clone().position(|&cell| cell != own && cell != b'.');
    let (mut count, mut far) = (0, 0);
    for (distance, &cell) in cells.take(other.unwrap_or(usize::MAX)).enumerate() {
        if cell == own {
            count += 1;
            let needed = distance + jump + 1 + total - count;
            if other.is_none_or(|other| needed <= other) {
                far = count;
            }
        }
    }
    far
}

/// Visits the cells to which the animal can move.
fn targets(
    parameters: &Parameters,
    cells: &[u8],
    from: usize,
    player: Player,
    visit: &mut dyn FnMut(usize) -> Flow,
) -> Flow {
    let ahead = |distance| strip::ahead(from, player, distance, cells.len());
    match ahead(1).map(|at| cells[at]) {
        None => ControlFlow::Continue(()),
        Some(b'.') => {
            let free = (1..=*parameters.slide.end())
                .map_while(ahead)
                .take_while(|&at| cells[at] == b'.');
            free.skip(parameters.slide.start() - 1).try_for_each(visit)
        }
        Some(_) if parameters.jump == 0 => ControlFlow::Continue(()),
        Some(_) => {
            let jumped = (1..=parameters.jump + 1).map_while(ahead);
            let landing = jumped
                .take_while(|&at| cells[at] != player.stone() || parameters.over_friends)
                .find(|&at| cells[at] == b'.');
            landing.into_iter().try_for_each(visit)
        }
    }
}

/// Parses `count` numbers of at most 255 before a colon; returns them and the offset of the rest.
pub(crate) fn parameters(text: &str, count: usize) -> Result<(Vec<u8>, usize), Complaint> {
    let colon = text.find(':').ok_or_else(|| {
        Complaint::new(
            0..text.len(),
            format!(
                "expected {count} parameters and ':' before the board, such as {}:.X.",
                vec!["1"; count].join(",")
            ),
        )
    })?;
    let mut numbers = Vec::new();
    let mut at = 0;
    for field in text[..colon].split(',') {
        let number = field.trim().parse::<u8>().map_err(|_| {
            Complaint::new(
                at..at + field.len(),
                format!("'{}' is not a number from 0 to 255", field.trim()),
            )
        })?;
        numbers.push(number);
        at += field.len() + 1;
    }
    if numbers.len() != count {
        let message = format!("{} parameters before ':', expected {count}", numbers.len());
        return Err(Complaint::new(0..colon, message));
    }
    Ok((numbers, colon + 1))
}

/// Shifts the range of a complaint about the rest of a text to the whole text.
pub(crate) fn shifted<T>(by: usize, result: Result<T, Complaint>) -> Result<T, Complaint> {
    result.map_err(|complaint| Complaint {
        span: complaint.span.start + by..complaint.span.end + by,
        ..complaint
    })
}

#[cfg(test)]
mod tests {
    use super::super::packed::testing::check_packed_moves;
    use super::super::testing::{check_laws, known_value, moves, parts};
    use super::*;

    #[test]
    fn free_animals_slide_and_blocked_ones_jump() {
        assert_eq!(
            moves(&GEN_TOADS, "2,3,2,0:X...X...O.O", Player::Left),
            ["1-3", "1-4", "5-7", "5-8"]
        );
        assert_eq!(moves(&GEN_TOADS, "1,1,1,0:XO.X", Player::Left), ["1-3"]);
        assert_eq!(moves(&GEN_TOADS, "1,1,1,0:XX.O", Player::Left), ["2-3"]);
        assert_eq!(
            moves(&GEN_TOADS, "1,1,1,1:XX.O", Player::Left),
            ["1-3", "2-3"]
        );
        assert_eq!(
            moves(&GEN_TOADS, "1,1,1,0:.XXO", Player::Right),
            [] as [&str; 0]
        );
        assert_eq!(moves(&GEN_TOADS, "1,1,2,0:.XXO", Player::Right), ["4-1"]);
    }

    #[test]
    fn without_jumps_herds_are_independent() {
        assert_eq!(
            parts(&GEN_TOADS, "1,2,0,0:X.O.X..O"),
            ["1,2,0,0:X..O", "1,2,0,0:X.O"]
        );
        assert_eq!(parts(&GEN_TOADS, "1,2,1,0:X.O.X..O"), ["1,2,1,0:X.O.X..O"]);
        ["1,1,1,0:XX..OO", "2,3,2,0:X...X...O.O"]
            .iter()
            .for_each(|text| check_laws(&GEN_TOADS, text));
    }

    #[test]
    fn animals_that_can_never_move_are_walls() {
        assert_eq!(
            parts(&GEN_TOADS, "1,1,1,0:X..XXOO.O"),
            ["1,1,1,0:.O", "1,1,1,0:X.."]
        );
        assert_eq!(parts(&GEN_TOADS, "1,1,2,0:XXOO"), [] as [&str; 0]);
        assert_eq!(parts(&GEN_TOADS, "1,1,1,0:OX.O.XX"), ["1,1,1,0:X.O."]);
    }

    #[test]
    fn animals_far_beyond_the_others_are_worth_their_steps() {
        assert_eq!(
            parts(&GEN_TOADS, "1,1,1,0:X.O...X.."),
            ["1,1,1,0:X..", "1,1,1,0:X.O....."]
        );
        assert_eq!(parts(&GEN_TOADS, "1,1,1,0:X.O..X"), ["1,1,1,0:X.O.."]);
        let shared = GEN_TOADS.impartial().unwrap();
        assert_eq!(parts(shared, "1,1,1,0:X.O...X.."), ["1,1,1,0:X.O...X.."]);
        let value = |text: &str| known_value(&GEN_TOADS, text);
        assert_eq!(value("1,2,1,0:X..X."), Some(integer(4)));
        assert_eq!(value("1,2,1,1:O..O.O"), Some(integer(-5)));
        assert_eq!(value("2,2,1,1:X..X."), None);
    }

    #[test]
    fn packed_moves_are_the_moves() {
        for text in [
            "1,1,1,0:XX.O.OX.",
            "1,3,1,0:X.XX.XXO..OOOX..",
            "2,3,2,0:X...X...O.O",
            "1,2,3,1:OX.XXO.OO..X",
            "9,255,255,1:X..........O.X.O.......O",
        ] {
            check_packed_moves(&GEN_TOADS, text, 2);
        }
        let long = GEN_TOADS
            .parse("1,1,1,0:X.......................O")
            .unwrap();
        assert!(GEN_TOADS.packed(&long).is_none());
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_eq!(GEN_TOADS.parse("1,x,1,0:XO").unwrap_err().span, 2..3);
        assert_eq!(GEN_TOADS.parse("0,1,1,0:XO").unwrap_err().span, 0..7);
        assert_eq!(GEN_TOADS.parse("1,1,1,0:X?").unwrap_err().span, 9..10);
        assert!(GEN_TOADS.parse("XO").is_err());
        assert!(GEN_TOADS.parse("1,1,0:XO").is_err());
    }
}
