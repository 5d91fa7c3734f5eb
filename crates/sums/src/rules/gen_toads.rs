//! Generalised Toads and Frogs: X goes right and O left; free animals slide, blocked ones jump.

use super::elephants::{herds, mirrored_swap};
use super::{Complaint, Move, Ruleset, strip};
use crate::value::Player;

/// The ruleset `gen_toads`: four parameters, one byte each, then the strip.
pub struct GenToads;

/// The bytes before the strip.
const HEAD: usize = 4;

/// How far animals go.
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
        "(least slide,most slide,most jumped over,over friends 0 or 1:strip), as 1,1,1,0:XX..OO: X goes right, O left; a free animal slides, a blocked one jumps"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let (mut position, strip_at) = parameters(text, HEAD)?;
        let wrong = match position[..] {
            [0, ..] => Some("the least slide must be at least 1"),
            [least, most, ..] if least > most => Some("the least slide exceeds the most"),
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

    fn moves(&self, position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        let parameters = Parameters::of(position);
        let cells = &position[HEAD..];
        let mut next = position.to_vec();
        for from in (0..cells.len()).filter(|&at| cells[at] == player.stone()) {
            targets(&parameters, cells, from, player, &mut |to| {
                next.swap(HEAD + from, HEAD + to);
                visit(Move::of([from, to, 0]), &next);
                next.swap(HEAD + from, HEAD + to);
            });
        }
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        strip::print_step(mv)
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        [&position[..HEAD], &mirrored_swap(&position[HEAD..])].concat()
    }

    /// Without jumps the animals are elephants and rhinos that may walk further.
    fn split(&self, position: &[u8], part: &mut dyn FnMut(&[u8])) {
        if position[2] > 0 {
            return part(position);
        }
        herds(&position[HEAD..], true, &mut |herd| {
            part(&[&position[..HEAD], herd].concat())
        });
    }

    fn size(&self, position: &[u8]) -> usize {
        position.len() - HEAD
    }
}

/// Shows where the animal can go.
fn targets(
    parameters: &Parameters,
    cells: &[u8],
    from: usize,
    player: Player,
    show: &mut dyn FnMut(usize),
) {
    let ahead = |distance| strip::ahead(from, player, distance, cells.len());
    match ahead(1).map(|at| cells[at]) {
        None => {}
        Some(b'.') => {
            let free = (1..=*parameters.slide.end())
                .map_while(ahead)
                .take_while(|&at| cells[at] == b'.');
            free.skip(parameters.slide.start() - 1).for_each(show);
        }
        Some(_) if parameters.jump == 0 => {}
        Some(_) => {
            let jumped = (1..=parameters.jump + 1).map_while(ahead);
            let landing = jumped
                .take_while(|&at| cells[at] != player.stone() || parameters.over_friends)
                .find(|&at| cells[at] == b'.');
            landing.into_iter().for_each(show);
        }
    }
}

/// Reads `count` numbers of at most 255 before a colon; returns where the rest begins.
pub(crate) fn parameters(text: &str, count: usize) -> Result<(Vec<u8>, usize), Complaint> {
    let colon = text.find(':').ok_or_else(|| {
        Complaint::new(
            0..text.len(),
            format!(
                "expected {count} parameters and ':' before the board, as {}:.X.",
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
                format!("'{}' is no number from 0 to 255", field.trim()),
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

/// A complaint about the rest of a text, in terms of the whole text.
pub(crate) fn shifted<T>(by: usize, result: Result<T, Complaint>) -> Result<T, Complaint> {
    result.map_err(|complaint| Complaint {
        span: complaint.span.start + by..complaint.span.end + by,
        ..complaint
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves, parts};
    use super::*;

    #[test]
    fn free_animals_slide_and_blocked_ones_jump() {
        assert_eq!(
            moves(&GenToads, "2,3,2,0:X...X...O.O", Player::Left),
            ["1-3", "1-4", "5-7", "5-8"]
        );
        assert_eq!(moves(&GenToads, "1,1,1,0:XO.X", Player::Left), ["1-3"]);
        assert_eq!(moves(&GenToads, "1,1,1,0:XX.O", Player::Left), ["2-3"]);
        assert_eq!(
            moves(&GenToads, "1,1,1,1:XX.O", Player::Left),
            ["1-3", "2-3"]
        );
        assert_eq!(
            moves(&GenToads, "1,1,1,0:.XXO", Player::Right),
            [] as [&str; 0]
        );
        assert_eq!(moves(&GenToads, "1,1,2,0:.XXO", Player::Right), ["4-1"]);
    }

    #[test]
    fn without_jumps_herds_are_independent() {
        assert_eq!(
            parts(&GenToads, "1,2,0,0:X.O.X..O"),
            ["1,2,0,0:X..O", "1,2,0,0:X.O"]
        );
        assert_eq!(parts(&GenToads, "1,2,1,0:X.O.X..O"), ["1,2,1,0:X.O.X..O"]);
        ["1,1,1,0:XX..OO", "2,3,2,0:X...X...O.O"]
            .iter()
            .for_each(|text| check_laws(&GenToads, text));
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert_eq!(GenToads.parse("1,x,1,0:XO").unwrap_err().span, 2..3);
        assert_eq!(GenToads.parse("0,1,1,0:XO").unwrap_err().span, 0..7);
        assert_eq!(GenToads.parse("1,1,1,0:X?").unwrap_err().span, 9..10);
        assert!(GenToads.parse("XO").is_err());
        assert!(GenToads.parse("1,1,0:XO").is_err());
    }
}
