//! The end of a game: checkmate, stalemate and other terminations.

use shakmaty::{Bitboard, Color, Position, Role};

use super::Board;

/// The outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub termination: Termination,
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move.
    Stalemate,
    /// Neither side can checkmate.
    InsufficientMaterial,
    /// 75 moves by each side without a capture or pawn move.
    SeventyFiveMoves,
    /// A rule of the variant: a king on the hill, the third check, no pieces left.
    Variant,
}

impl Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl Board {
    /// True if the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// True if the side to move is not in check and cannot move, and no rule of the variant has
    /// ended the game.
    pub fn is_stalemate(&self) -> bool {
        let over = self
            .rules
            .as_ref()
            .is_some_and(|rules| rules.is_variant_end());
        !over && !self.is_check() && !self.has_legal_move()
    }

    /// True if neither side has the material to win.
    pub fn is_insufficient_material(&self) -> bool {
        match &self.rules {
            Some(rules) => rules.is_insufficient_material(),
            None => Color::ALL.into_iter().all(|color| self.cannot_win(color)),
        }
    }

    /// True if this side does not have the material to win.
    pub fn cannot_win(&self, color: Color) -> bool {
        if let Some(rules) = &self.rules {
            return rules.has_insufficient_material(color);
        }
        let [ours, theirs] = [color, !color].map(|color| self.by_color(color));
        let majors =
            self.by_role(Role::Pawn) | self.by_role(Role::Rook) | self.by_role(Role::Queen);
        if (ours & majors).any() {
            return false;
        }
        // A knight mates only with a blocking enemy piece; queens cannot be that piece.
        let (knights, bishops) = (self.by_role(Role::Knight), self.by_role(Role::Bishop));
        if (ours & knights).any() {
            let helpers = theirs & !(self.by_role(Role::King) | self.by_role(Role::Queen));
            return ours.count() <= 2 && helpers.is_empty();
        }
        // A bishop needs a blocking piece on the colour it cannot reach.
        let one_shade = (bishops & Bitboard::DARK_SQUARES).is_empty()
            || (bishops & Bitboard::LIGHT_SQUARES).is_empty();
        let blockers = self.by_role(Role::Pawn) | knights;
        (ours & bishops).is_empty() || (one_shade && blockers.is_empty())
    }

    /// The outcome; `None` if the game can continue.
    pub fn outcome(&self) -> Option<Outcome> {
        let over = |winner, termination| {
            Some(Outcome {
                winner,
                termination,
            })
        };
        if let Some(known) = self
            .rules
            .as_ref()
            .and_then(|rules| rules.variant_outcome().known())
        {
            return over(known.winner(), Termination::Variant);
        }
        if !self.has_legal_move() {
            return if self.is_check() {
                over(Some(!self.turn), Termination::Checkmate)
            } else {
                over(None, Termination::Stalemate)
            };
        }
        if self.is_insufficient_material() {
            return over(None, Termination::InsufficientMaterial);
        }
        if self.halfmoves >= 150 {
            return over(None, Termination::SeventyFiveMoves);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn outcome(fen: &str, variant: Variant) -> Option<(&'static str, Termination)> {
        let board = Board::from_fen(fen, variant).expect("a sound FEN");
        board
            .outcome()
            .map(|outcome| (outcome.result(), outcome.termination))
    }

    #[test]
    fn games_end() {
        use Termination::{Checkmate, InsufficientMaterial, SeventyFiveMoves, Stalemate};
        for (fen, end) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -",
                Some(("0-1", Checkmate)),
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", Some(("1/2-1/2", Stalemate))),
            (
                "8/8/4k3/8/8/3NK3/8/8 w - -",
                Some(("1/2-1/2", InsufficientMaterial)),
            ),
            ("8/8/4k3/8/8/3BK3/8/4b3 w - -", None),
            (
                "8/8/4k3/8/8/3RK3/8/8 w - - 150 90",
                Some(("1/2-1/2", SeventyFiveMoves)),
            ),
            ("8/8/4k3/8/8/3RK3/8/8 w - - 149 90", None),
        ] {
            assert_eq!(outcome(fen, Variant::Standard), end, "{fen}");
        }
    }

    #[test]
    fn variants_end_by_their_own_rules() {
        let hill = "8/8/8/4k3/8/8/8/K7 w - -";
        assert_eq!(
            outcome(hill, Variant::KingOfTheHill),
            Some(("0-1", Termination::Variant))
        );
        let checks = "8/8/8/4k3/8/8/8/K6R w - - 3+0 0 1";
        assert_eq!(
            outcome(checks, Variant::ThreeCheck),
            Some(("0-1", Termination::Variant))
        );
    }
}
