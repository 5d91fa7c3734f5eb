//! The stored form of a value: its id, its stops and the location of its options.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Dyadic, Nus, Player};

/// A game's value: the id of its canonical form in the [`Forms`](super::Forms) that made it.
///
/// # Equality
/// Two values of one `Forms` are equal exactly when the games are equal. Ids are ordered by
/// creation; [`Forms::compare`](super::Forms::compare) compares games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub(super) u32);

impl Value {
    /// The game 0, the same in every [`Forms`](super::Forms).
    pub const ZERO: Value = Value(0);

    /// The number of the value: ids are assigned from 0 upwards.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The value with this [`Value::index`].
    pub(crate) fn from_index(index: u32) -> Value {
        Value(index)
    }
}

/// One canonical form.
pub(super) struct Node {
    /// The Left and the Right stop, each with the player to move there.
    pub(super) stops: [Stop; 2],
    /// Indexes of the options in the pool: Left's, then Right's.
    pub(super) first: u32,
    pub(super) lefts: u32,
    pub(super) rights: u32,
    /// The negative, if computed.
    pub(super) negative: u32,
    /// Index among the closed forms, if the value is number + ups + nimber.
    pub(super) closed: u32,
}

/// A stop with its side, which is enough to compare a game with a number.
///
/// Keys order stops: `4·⌊x·2²⁰⌋ + 2·(rounding was inexact) + (Right is to move)`. Of two stops at
/// one number, the one where Right has to move next is better for Left. The numbers themselves are
/// compared only if both keys have the same floor and are inexact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    pub(super) key: i64,
    /// The id of the number.
    pub(super) number: Value,
}

/// Marks missing options, a missing negative or a missing closed form.
pub(super) const NONE: u32 = u32::MAX;
impl Node {
    #[inline]
    pub(super) fn range(&self, player: Player) -> Range<usize> {
        let (first, middle) = (self.first as usize, (self.first + self.lefts) as usize);
        match player {
            Player::Left => first..middle,
            Player::Right => middle..middle + self.rights as usize,
        }
    }

    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.closed != NONE
    }
}

impl Stop {
    /// The player to move at the stop.
    pub(super) fn side(self) -> Player {
        if self.key & 1 == 0 {
            Player::Left
        } else {
            Player::Right
        }
    }

    pub(super) fn new(number: Value, coarse: i64, side: Player) -> Stop {
        Stop {
            key: coarse * 2 + i64::from(side == Player::Right),
            number,
        }
    }
}

/// The stops of `x + n·↑ + *k`; their sides encode the comparison of the game with `x`.
pub(super) fn closed_stops(number: Value, nus: &Nus) -> [Stop; 2] {
    let coarse = coarse(&nus.number);
    let to_number = nus.partial_cmp(&Nus::number(nus.number.clone()));
    let not_above = matches!(to_number, Some(Ordering::Less | Ordering::Equal));
    let not_below = matches!(to_number, Some(Ordering::Greater | Ordering::Equal));
    let right_to_move = |yes| if yes { Player::Right } else { Player::Left };
    [
        Stop::new(number, coarse, right_to_move(!not_above)),
        Stop::new(number, coarse, right_to_move(not_below)),
    ]
}

/// `2·⌊x·2²⁰⌋ + (rounding was inexact)`, limited to 60 bits.
pub(super) fn coarse(x: &Dyadic) -> i64 {
    const BITS: u32 = 20;
    const MOST: i64 = 1 << 60;
    let (floor, more) = x.floor_scaled(BITS);
    match floor {
        Some(floor) if (-MOST..MOST).contains(&floor) => floor * 2 + i64::from(more),
        _ if x.sign() == Ordering::Less => -2 * MOST - 1,
        _ => 2 * MOST + 1,
    }
}
