//! The moves of a sum, and which of them win.

use kit::limits::Size;
use sums::{Interrupt, Solver, moves_until};

use super::{Game, GaveUp, Player, SumMove};
use crate::shared_budget::SharedBudget;

/// A move, and whether it wins.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The move.
    pub mv: SumMove,
    /// True if the player who makes it wins.
    pub wins: Result<bool, GaveUp>,
}

/// The reason why the moves of a sum are not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotListed {
    /// A component has too many moves.
    Size,
    /// The sums after all moves together are too large.
    Results,
    /// Listing them took too long or was interrupted.
    GaveUp(GaveUp),
}

impl std::fmt::Display for NotListed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const TOO_LARGE: &str = "the sum is too large to list its moves:";
        match self {
            NotListed::Size => write!(f, "{TOO_LARGE} a component of size over {LARGEST}"),
            NotListed::Results => {
                let limit = Size(MOST_BYTES as u64);
                write!(f, "{TOO_LARGE} the sums after them take more than {limit}")
            }
            NotListed::GaveUp(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for NotListed {}

/// Larger components have too many moves to list.
const LARGEST: usize = 1 << 16;

/// The greatest total size in bytes of the sums after all moves: they are written within a tenth of
/// a second.
const MOST_BYTES: usize = 16 << 20;

/// Every move of a player, by component and name; moves with equal name and result are merged.
pub fn list(
    sum: &[Game],
    player: Player,
    interrupt: &Interrupt,
) -> Result<Vec<SumMove>, NotListed> {
    check_number(sum, player)?;
    moves_until(sum, player, interrupt).map_err(NotListed::GaveUp)
}

/// Refuses to list moves whose results would be too large.
pub fn check_number(sum: &[Game], player: Player) -> Result<(), NotListed> {
    let large = |game: &Game| game.kind.rules().size(&game.position) > LARGEST;
    if sum.iter().any(large) {
        return Err(NotListed::Size);
    }
    let bytes: usize = sum
        .iter()
        .map(|game| size_of::<Game>() + game.position.len())
        .sum();
    let all = sum.iter().fold(0, |all: usize, game| {
        all.saturating_add(count(game, player))
    });
    if all.saturating_mul(bytes) > MOST_BYTES {
        return Err(NotListed::Results);
    }
    Ok(())
}

/// The number of moves of a player in a component.
pub(super) fn count(game: &Game, player: Player) -> usize {
    let moves = game.kind.rules().mobility(&game.position);
    if game.kind.is_wrapped() {
        moves[0].saturating_add(moves[1])
    } else {
        moves[player as usize]
    }
}

/// Every move of a player with its result. All of them together share the budget of one question:
/// each gets its share of the rest, and unsolved moves get another one.
pub fn judge(solver: &mut Solver, sum: &[Game], player: Player) -> Result<Vec<Judged>, NotListed> {
    judge_until(solver, sum, player, |_| false)
}

/// The same, but stops at the first move that satisfies `enough`.
pub fn judge_until(
    solver: &mut Solver,
    sum: &[Game],
    player: Player,
    enough: impl Fn(&Judged) -> bool,
) -> Result<Vec<Judged>, NotListed> {
    let shared = SharedBudget::open(solver);
    let mut judged: Vec<Judged> = list(sum, player, &solver.new_interrupt())?
        .into_iter()
        .map(|mv| Judged {
            mv,
            wins: Err(GaveUp::Time),
        })
        .collect();
    while judge_open(solver, &shared, player, &mut judged, &enough) {}
    solver.set_budget(shared.whole());
    Ok(judged)
}

/// Tries to solve each open move once more; returns whether another round can help.
fn judge_open(
    solver: &mut Solver,
    shared: &SharedBudget,
    player: Player,
    judged: &mut [Judged],
    enough: &impl Fn(&Judged) -> bool,
) -> bool {
    let mut left = count_open(judged);
    let mut stopped = false;
    for one in judged.iter_mut().filter(|one| one.is_open()) {
        solver.set_budget(shared.share(solver, left));
        left -= 1;
        if shared.is_out_of_time() {
            return false;
        }
        one.wins = if stopped {
            Err(GaveUp::Stopped)
        } else {
            solver.wins(&one.mv.result, !player).map(|wins| !wins)
        };
        stopped = one.wins == Err(GaveUp::Stopped);
        if enough(one) {
            return false;
        }
    }
    let open = count_open(judged);
    open > 0 && !shared.is_empty_for(solver, open)
}

fn count_open(judged: &[Judged]) -> usize {
    judged.iter().filter(|one| one.is_open()).count()
}

impl Judged {
    /// True if more time or more nodes can help.
    fn is_open(&self) -> bool {
        matches!(self.wins, Err(GaveUp::Time | GaveUp::Nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_sum;

    #[test]
    fn moves_with_large_results_are_not_listed() {
        let checked = |text: &str| check_number(&read_sum(text).unwrap(), Player::Left);
        assert_eq!(checked("nimber 65536"), Ok(()));
        assert_eq!(checked("nimber 65537"), Err(NotListed::Size));
        assert_eq!(checked("clobber 40x40"), Ok(()));
        assert_eq!(checked("clobber 100x100"), Err(NotListed::Results));
        assert_eq!(checked("10000*clobber XO"), Err(NotListed::Results));
        let many = format!("[integer_game] {}", "1 ".repeat(100_000));
        assert_eq!(checked(&many), Err(NotListed::Results));
    }
}
