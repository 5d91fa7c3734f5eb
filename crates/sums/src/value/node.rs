//! One canonical form as it is kept: its id, its stops, where its options are.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Dyadic, Nus, Player};

/// A game's value: the id of its canonical form in the [`Forms`](super::Forms) that made it.
///
/// # Equality
/// Two values of one `Forms` are equal exactly when the games are equal. The order of ids is the
/// order of creation, not the order of games: that one is [`Forms::compare`](super::Forms::compare).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub(super) u32);

impl Value {
    /// The game 0, the same in every [`Forms`](super::Forms).
    pub const ZERO: Value = Value(0);

    /// A small number that names the value: ids are given out from 0 upwards.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The value that [`Value::index`] named.
    pub(crate) fn from_index(index: u32) -> Value {
        Value(index)
    }
}

/// One canonical form.
pub(super) struct Node {
    /// The Left and the Right stop with the side they are reached from.
    pub(super) stops: [Stop; 2],
    /// Where the pool holds the options: of Left, then of Right.
    pub(super) first: u32,
    pub(super) lefts: u32,
    pub(super) rights: u32,
    /// The negative, once known.
    pub(super) negative: u32,
    /// Where the closed forms hold it, if it is number + ups + nimber.
    pub(super) closed: u32,
}

/// A stop with its side: all that a comparison with a number needs to know.
///
/// Keys order stops: `4·⌊x·2²⁰⌋ + 2·(x is more than that) + (Right is to move)`. Of two stops at
/// one number the one where Right has to move next is better for Left. Only keys that both say
/// "more than that" of the same floor leave the order to the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stop {
    pub(super) key: i64,
    /// The id of the number.
    pub(super) number: Value,
}

/// Marks what is not there: options, a negative, a closed form.
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
    /// Who is to move there.
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

/// At the stop of `x + n·↑ + *k` the side tells how the game compares with `x`.
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

/// `2·⌊x·2²⁰⌋ + (x is more than that)`, as far as 60 bits reach.
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
