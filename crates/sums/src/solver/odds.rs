//! An estimate of who wins a sum of all-small games, for the order of the search.
//!
//! The odds depend on the atomic weight, and on how many ups each player lacks for a proof by
//! [`super::rungs`]. The factors are fitted to the sums that arise from strips of Clobber.

use super::facts::{Facts, middle_of_ups};
use super::rungs;
use crate::value::Player;

/// Quarters of a doubling of the odds: for the first move, for each up that the opponent lacks more
/// than the mover, and for half an up of atomic weight.
const FIRST_MOVE: i64 = 10;
const LACKING_UP: i64 = 4;
const HALF_UP: i64 = 5;

/// The ups that a player lacks if that is not known.
const USUAL_LACK: [i64; 2] = [2, 2];

/// `16 · 2^(i/4)`.
const POWERS: [u32; 4] = [16, 19, 23, 27];

/// The largest exponent of two.
const MOST_DOUBLINGS: i64 = 16;

/// The effort to prove that the mover loses: the more the mover seems to win, the more. `None` if
/// the atomic weight is not known. The ups that the mover and the opponent lack are those of the
/// items if none are given.
pub(crate) fn effort_to_refute(
    facts: &[Facts],
    lacking: Option<[i64; 2]>,
    mover: Player,
    moves: u32,
) -> Option<u32> {
    let left = middle_of_ups(facts)?;
    let weight = if mover == Player::Left { left } else { -left };
    let of_items = || rungs::lacking_ups(facts.iter().map(|facts| facts.rungs), mover);
    let [mine, theirs] = lacking.or_else(of_items).unwrap_or(USUAL_LACK);
    let quarters = FIRST_MOVE + LACKING_UP * (theirs - mine) + HALF_UP * weight / 4;
    // One divided by the chance that the mover loses.
    let risk = 16 + sixteenths(quarters);
    Some(moves.isqrt() * risk / 16)
}

/// `16 · 2^(quarters/4)`.
fn sixteenths(quarters: i64) -> u32 {
    let power = POWERS[quarters.rem_euclid(4) as usize];
    match quarters.div_euclid(4).min(MOST_DOUBLINGS) {
        negative @ ..0 => power
            .checked_shr(negative.unsigned_abs() as u32)
            .unwrap_or(0),
        doublings => power << doublings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarters_double() {
        for quarters in -80..60 {
            let (one, two) = (sixteenths(quarters), sixteenths(quarters + 4));
            assert!(two / 2 == one, "{quarters}");
        }
        assert_eq!(
            (
                sixteenths(0),
                sixteenths(-400),
                sixteenths(i64::from(u8::MAX))
            ),
            (16, 0, 27 << 16)
        );
    }
}
