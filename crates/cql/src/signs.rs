//! Signs of a position: the kinds of moves played from it, and whether it begins or ends a line.
//!
//! A condition that needs one of some signs is not evaluated where none of them is.

use crate::kinds::ROLES;
use chess::Role;

/// A set of signs.
pub(crate) type Signs = u8;

/// The initial position.
pub(crate) const INITIAL: Signs = 1;
/// No move is played from there, or a null move.
pub(crate) const END: Signs = 2;
pub(crate) const EN_PASSANT: Signs = 4;
pub(crate) const CASTLING: Signs = 8;
/// Promotions to knight, bishop, rook and queen; to another piece counts as all of them.
pub(crate) const PROMOTIONS: Signs = 0xf0;
/// Every sign, where nothing is known.
pub(crate) const ANY: Signs = !0;

/// The sign of a promotion.
pub(crate) fn of_promotion(role: Role) -> Signs {
    match role {
        Role::Knight => 0x10,
        Role::Bishop => 0x20,
        Role::Rook => 0x40,
        Role::Queen => 0x80,
        Role::Pawn | Role::King => PROMOTIONS,
    }
}

/// The signs of promotions to the pieces of a designator.
pub(crate) fn of_promotions(pieces: u16) -> Signs {
    let kinds = ROLES.iter().enumerate();
    let named = kinds.filter(|(i, _)| pieces & (1u16 << i | 1 << (i + 6)) != 0);
    named.fold(0, |signs, (_, &role)| signs | of_promotion(role))
}
