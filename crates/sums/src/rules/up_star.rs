//! Ups and stars: `n·↑` or `n·↑ + *`, played in canonical form.

use super::{Complaint, Flow, Move, MoveVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{Dyadic, Nus, Player};
use std::ops::ControlFlow;

/// The ruleset `up_star`: eight bytes for the number of ups, one for the star.
pub struct UpStar;

impl Ruleset for UpStar {
    fn name(&self) -> &'static str {
        "up_star"
    }

    fn summary(&self) -> &'static str {
        "a number of ups, a star, or both, such as (-2 *)"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        let mut ups = None;
        let mut star = false;
        let mut at = 0;
        for word in text.split([' ', '\t', '\n', '\r', ',']) {
            let span = at..at + word.len();
            at += word.len() + 1;
            match word {
                "" => {}
                "*" if star => return Err(Complaint::new(span, "more than one star")),
                "*" => star = true,
                _ if ups.is_some() => {
                    return Err(Complaint::new(span, "more than one number of ups"));
                }
                _ => ups = Some(parse_ups(word, span)?),
            }
        }
        if ups.is_none() && !star {
            return Err(Complaint::new(
                0..text.len(),
                "expected a number of ups, '*', or both",
            ));
        }
        Ok(write(ups.unwrap_or(0), star))
    }

    fn print(&self, position: &[u8]) -> String {
        match read(position) {
            (0, true) => "*".into(),
            (ups, true) => format!("{ups} *"),
            (ups, false) => ups.to_string(),
        }
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let (ups, star) = read(position);
        let mut visit = |ups: i64, star: bool| {
            visit(Move(u64::from(star) | (ups as u64) << 1), &write(ups, star))
        };
        let ahead = if player == Player::Left { ups } else { -ups };
        match ahead {
            0 if star => visit(0, false),
            0 => ControlFlow::Continue(()),
            1 if star => {
                visit(0, false)?;
                visit(0, true)
            }
            1.. => visit(0, false),
            ..0 => visit(ups - ups.signum(), !star),
        }
    }

    fn print_move(&self, _position: &[u8], _player: Player, mv: Move) -> String {
        let ups = mv.0 as i64 >> 1;
        format!("{ups}{}", if mv.0 & 1 == 1 { "*" } else { "" })
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        let (ups, star) = read(position);
        write(-ups, star)
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        let (ups, star) = read(position);
        Some(Nus {
            number: Dyadic::ZERO,
            ups,
            nimber: u64::from(star),
        })
    }

    /// In the impartial version `n` ups have nim value 2 if `n` is odd and 1 if it is even.
    fn known_nim_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<u64> {
        Some(match read(position) {
            (0, star) => u64::from(star),
            (ups, _) => {
                if ups % 2 == 0 {
                    1
                } else {
                    2
                }
            }
        })
    }

    fn size(&self, _position: &[u8]) -> usize {
        1
    }
}

fn parse_ups(word: &str, span: std::ops::Range<usize>) -> Result<i64, Complaint> {
    /// Sums of many terms must stay within 64 bits.
    const MOST: i64 = 1 << 40;
    match word.parse::<i64>() {
        Ok(ups) if ups.abs() <= MOST => Ok(ups),
        Ok(_) => Err(Complaint::new(
            span,
            format!("at most {MOST} ups are allowed"),
        )),
        Err(_) => Err(Complaint::new(
            span,
            format!("'{word}' is neither a number of ups nor '*'"),
        )),
    }
}

fn write(ups: i64, star: bool) -> Vec<u8> {
    let mut position = ups.to_le_bytes().to_vec();
    position.push(u8::from(star));
    position
}

fn read(position: &[u8]) -> (i64, bool) {
    let mut ups = [0; 8];
    ups.copy_from_slice(&position[..8]);
    (i64::from_le_bytes(ups), position[8] == 1)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, moves};
    use super::*;

    #[test]
    fn canonical_moves() {
        assert_eq!(moves(&UpStar, "3 *", Player::Left), ["0"]);
        assert_eq!(moves(&UpStar, "3 *", Player::Right), ["2"]);
        assert_eq!(moves(&UpStar, "1 *", Player::Left), ["0", "0*"]);
        assert_eq!(moves(&UpStar, "-3", Player::Left), ["-2*"]);
        assert_eq!(moves(&UpStar, "*", Player::Right), ["0"]);
        ["0", "*", "-2 *", "7"]
            .iter()
            .for_each(|text| check_laws(&UpStar, text));
    }

    #[test]
    fn bad_texts_are_refused() {
        ["", "* *", "1 2", "x", "99999999999999999999"]
            .iter()
            .for_each(|text| assert!(UpStar.parse(text).is_err(), "{text}"));
    }
}
