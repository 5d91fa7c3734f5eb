//! Moves as numbers: what a JavaScript `Move` holds.
//!
//! Bits 0–5 are the origin, 6–11 the destination, 12–14 the promotion, 15–17 the dropped piece and
//! bit 18 marks the null move. Castling is written as UCI writes it: the king's destination, or the
//! rook's square in Chess960.

use chess::{Board, Move, MoveKind, Role, Square, UciMove};
use napi::{Error, Result, Status};

const NULL: u32 = 1 << 18;

/// The first bit that is free for other data.
pub const BITS: u32 = 19;

/// The number of a move on boards like this one.
pub fn pack(board: &Board, mv: Move) -> u32 {
    match mv.kind() {
        MoveKind::Castling => UciMove::from_ascii(board.uci(mv).as_bytes()).map_or(NULL, pack_uci),
        MoveKind::Null => NULL,
        MoveKind::Drop(role) => pack_uci(UciMove::Drop {
            role,
            to: mv.to().unwrap_or(Square::A1),
        }),
        _ => {
            let (from, to) = (mv.from(), mv.to());
            let promotion = mv.promoted().map_or(0, u32::from);
            number(from) | number(to) << 6 | promotion << 12
        }
    }
}

fn number(square: Option<Square>) -> u32 {
    square.map_or(0, u32::from)
}

fn pack_uci(mv: UciMove) -> u32 {
    match mv {
        UciMove::Normal {
            from,
            to,
            promotion,
        } => {
            let promotion = promotion.map_or(0, u32::from);
            u32::from(from) | u32::from(to) << 6 | promotion << 12
        }
        UciMove::Drop { role, to } => u32::from(to) << 6 | u32::from(role) << 15,
        UciMove::Null => NULL,
    }
}

/// The move with this number, if its parts make sense.
fn unpack(packed: u32) -> Option<UciMove> {
    let square = |bits: u32| Square::try_from(bits & 63).ok();
    let role = |bits: u32| Role::try_from(bits & 7).ok();
    if packed & NULL != 0 {
        return Some(UciMove::Null);
    }
    if let Some(role) = role(packed >> 15) {
        let to = square(packed >> 6)?;
        return Some(UciMove::Drop { role, to });
    }
    Some(UciMove::Normal {
        from: square(packed)?,
        to: square(packed >> 6)?,
        promotion: role(packed >> 12),
    })
}

/// The legal move with this number.
pub fn find(board: &Board, packed: u32) -> Result<Move> {
    let uci = unpack(packed).ok_or_else(|| invalid("not a move"))?;
    if uci == UciMove::Null {
        return Ok(Move::NULL);
    }
    let found = board.find_uci(uci);
    found.map_err(|_| invalid(&format!("illegal move {uci} in {}", board.fen())))
}

/// An error for wrong arguments.
pub fn invalid(message: &str) -> Error {
    Error::new(Status::InvalidArg, message)
}
