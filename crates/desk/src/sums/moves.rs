//! The moves of a sum, and which of them win.

use ::sums::{Solver, moves};

use super::{Game, GaveUp, Player, SumMove};

/// A move, and whether it wins.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The move.
    pub mv: SumMove,
    /// Does whoever makes it win?
    pub wins: Result<bool, GaveUp>,
}

/// More moves than anybody wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the sum is too large to list its moves: a component of size over {LARGEST}"
        )
    }
}

impl std::error::Error for TooMany {}

/// Components that are larger have too many moves to list.
const LARGEST: usize = 1 << 16;

/// Every move of a player, by component and name; moves of one name and result are one.
pub fn list(sum: &[Game], player: Player) -> Result<Vec<SumMove>, TooMany> {
    let large = |game: &Game| game.kind.rules().size(&game.position) > LARGEST;
    match sum.iter().any(large) {
        true => Err(TooMany),
        false => Ok(moves(sum, player)),
    }
}

/// Every move of a player with its result.
pub fn judge(solver: &mut Solver, sum: &[Game], player: Player) -> Result<Vec<Judged>, TooMany> {
    let mut judged = Vec::new();
    for mv in list(sum, player)? {
        let wins = solver.wins(&mv.result, !player).map(|opponent| !opponent);
        judged.push(Judged { mv, wins });
    }
    Ok(judged)
}
