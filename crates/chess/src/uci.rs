//! Moves in UCI notation, read without a board.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Role, Square};

use crate::moves::Move;

/// A move as UCI writes it: two squares, without the moving piece.
///
/// A [`Move`] includes the role of the moving piece and whether it castles or captures en passant.
/// The text does not contain that, so a `UciMove` is resolved on a board with
/// [`Board::find_uci`](crate::Board::find_uci) or [`Board::play_uci`](crate::Board::play_uci).
///
/// ```
/// use gametree_chess::{Board, Move, UciMove};
///
/// let uci = Move::from_uci("g1f3")?;
/// assert_eq!(uci.to_string(), "g1f3");
/// let board = Board::new();
/// assert_eq!(board.san(board.find_uci(uci)?).as_str(), "Nf3");
/// assert_eq!(Move::from_uci("0000"), Ok(UciMove::Null));
/// # Ok::<(), gametree_chess::UciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UciMove {
    /// `e2e4`, `e7e8q`; castling as `e1g1` or `e1h1`.
    Normal {
        /// The origin.
        from: Square,
        /// The target; for castling the king's target or the rook's square.
        to: Square,
        /// The piece that a pawn promotes to.
        promotion: Option<Role>,
    },
    /// `N@f3`: a drop (Crazyhouse).
    Drop {
        /// The dropped piece.
        role: Role,
        /// The target.
        to: Square,
    },
    /// `0000`: the null move.
    Null,
}

/// The error of reading a UCI move or of finding it on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UciError {
    /// Not of the form `e2e4`, `e7e8q`, `N@f3` or `0000`.
    Syntax,
    /// The move is not legal in the position.
    Illegal,
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UciError::Syntax => "not a UCI move",
            UciError::Illegal => "illegal move",
        })
    }
}

impl std::error::Error for UciError {}

impl UciMove {
    /// Reads a UCI move. Piece letters may be upper or lower case.
    pub fn from_ascii(text: impl AsRef<[u8]>) -> Result<UciMove, UciError> {
        UciMove::read(text.as_ref()).ok_or(UciError::Syntax)
    }

    fn read(text: &[u8]) -> Option<UciMove> {
        let square = |name: &[u8]| Square::from_ascii(name).ok();
        let role = |letter: u8| Role::from_char(char::from(letter));
        match *text {
            [b'0', b'0', b'0', b'0'] => Some(UciMove::Null),
            [letter, b'@', ref to @ ..] => Some(UciMove::Drop {
                role: role(letter)?,
                to: square(to)?,
            }),
            [a, b, c, d, ref promotion @ ..] => {
                let promotion = match *promotion {
                    [] => None,
                    [letter] => Some(role(letter).filter(|&role| role != Role::Pawn)?),
                    _ => return None,
                };
                let (from, to) = (square(&[a, b])?, square(&[c, d])?);
                (from != to).then_some(UciMove::Normal {
                    from,
                    to,
                    promotion,
                })
            }
            _ => None,
        }
    }
}

impl FromStr for UciMove {
    type Err = UciError;

    fn from_str(text: &str) -> Result<UciMove, UciError> {
        UciMove::from_ascii(text)
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            UciMove::Null => f.write_str("0000"),
            UciMove::Drop { role, to } => write!(f, "{}@{to}", role.upper_char()),
            UciMove::Normal {
                from,
                to,
                promotion,
            } => {
                write!(f, "{from}{to}")?;
                promotion.map_or(Ok(()), |role| write!(f, "{}", role.char()))
            }
        }
    }
}

impl Move {
    /// Reads a UCI move without a board, as python-chess's `Move.from_uci` does.
    ///
    /// The result is a [`UciMove`]: the text does not name the moving piece, which a [`Move`]
    /// includes. Use [`Board::parse_uci`](crate::Board::parse_uci) where there is a board.
    pub fn from_uci(text: impl AsRef<[u8]>) -> Result<UciMove, UciError> {
        UciMove::from_ascii(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that python-chess 1.11.2's `Move.from_uci` accepts and rejects.
    #[test]
    fn reads_what_python_chess_reads() {
        for text in ["e2e4", "e7e8q", "a2a1n", "e1h1", "N@f3", "P@e4", "0000"] {
            assert_eq!(UciMove::from_ascii(text).unwrap().to_string(), text);
        }
        for text in [
            "", "e2", "e2e", "e2e2", "e2e9", "i2e4", "e2e4qq", "e7e8=q", "@e4", "NN@f3", "X@f3",
            "00000", "e2-e4", "O-O",
        ] {
            assert_eq!(UciMove::from_ascii(text), Err(UciError::Syntax), "{text}");
        }
    }
}
