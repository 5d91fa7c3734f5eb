//! Play of a sum, move by move, with the solver as opponent.

use std::fmt;

use sums::{Solver, moves as every_move};

use super::moves::{Judged, NotListed, check_number, count, judge_until};
use super::{Game, Player, SumMove, sum_text};

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Match {
    sum: Vec<Game>,
    to_move: Player,
    history: Vec<Played>,
}

/// A played move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The player.
    pub player: Player,
    /// Its name, as printed and typed.
    pub name: String,
    /// The sum before it.
    pub before: Vec<Game>,
}

/// The reason why a typed move cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// No move has this name.
    Unknown {
        /// The typed text.
        typed: String,
        /// Some legal moves.
        examples: Vec<String>,
    },
    /// Several components have a move of this name.
    Ambiguous {
        /// The possible moves.
        meant: Vec<String>,
    },
    /// There are too many moves to search.
    NotListed(NotListed),
}

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMove::Unknown { typed, examples } => {
                write!(f, "no move {typed}; the moves are {}", examples.join(" "))
            }
            NoMove::Ambiguous { meant } => {
                write!(f, "several moves are called so: {}", meant.join(" "))
            }
            NoMove::NotListed(not_listed) => write!(f, "{not_listed}"),
        }
    }
}

impl std::error::Error for NoMove {}

/// The quality of the opponent's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confidence {
    /// It wins.
    Winning,
    /// No move wins.
    Losing,
    /// The winning moves are not known within the budget.
    Guess,
}

/// The number of moves in a message.
const EXAMPLES: usize = 12;

/// The typed text for a message: shortened, without control characters.
fn shown(typed: &str) -> String {
    /// The greatest length of a move.
    const LONGEST: usize = 60;
    let visible = |letter: char| {
        if letter.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            letter
        }
    };
    typed.chars().take(LONGEST).map(visible).collect()
}

impl Match {
    /// The first player is to move.
    pub fn new(sum: Vec<Game>, first: Player) -> Result<Match, NotListed> {
        for player in Player::BOTH {
            check_number(&sum, player)?;
        }
        Ok(Match {
            sum,
            to_move: first,
            history: Vec::new(),
        })
    }

    /// The current sum.
    pub fn sum(&self) -> &[Game] {
        &self.sum
    }

    /// The player to move.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// The moves so far.
    pub fn history(&self) -> &[Played] {
        &self.history
    }

    /// The legal moves.
    pub fn moves(&self) -> Vec<SumMove> {
        every_move(&self.sum, self.to_move)
    }

    /// The winner: the opponent of a player without moves.
    pub fn winner(&self) -> Option<Player> {
        let can_move = |game: &Game| game.can_move(self.to_move);
        (!self.sum.iter().any(can_move)).then_some(!self.to_move)
    }

    /// Plays a move by its name; the number of the component is optional if only one has the move.
    pub fn play(&mut self, typed: &str) -> Result<(), NoMove> {
        let moves = self.moves();
        // With a single component its number is not printed, but may be typed.
        let typed = match self.sum.len() {
            1 => typed.strip_prefix("0:").unwrap_or(typed),
            _ => typed,
        };
        let mut meant: Vec<&SumMove> = moves.iter().filter(|mv| mv.name() == typed).collect();
        if meant.is_empty() {
            meant = moves.iter().filter(|mv| mv.text == typed).collect();
        }
        match meant[..] {
            [] => Err(NoMove::Unknown {
                typed: shown(typed),
                examples: moves.iter().map(SumMove::name).take(EXAMPLES).collect(),
            }),
            [mv] => {
                self.make(mv.clone());
                Ok(())
            }
            // One name with several results in one component: the rules print moves of both colours
            // alike.
            [mv, ref others @ ..] if others.iter().all(|other| other.result == mv.result) => {
                self.make(mv.clone());
                Ok(())
            }
            _ => Err(NoMove::Ambiguous {
                meant: meant.iter().map(|mv| mv.name()).collect(),
            }),
        }
    }

    fn make(&mut self, mv: SumMove) {
        let before = std::mem::replace(&mut self.sum, mv.result.clone());
        self.history.push(Played {
            player: self.to_move,
            name: mv.name(),
            before,
        });
        self.to_move = !self.to_move;
    }

    /// Takes back the last move; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(played) = self.history.pop() else {
            return false;
        };
        self.sum = played.before;
        self.to_move = played.player;
        true
    }

    /// A move for the player to move: a winning one, else one that may win, else any; among equals
    /// the one that leaves the opponent the most moves. The search has the budget of one question.
    /// None if there is no move.
    pub fn suggest(&self, solver: &mut Solver) -> Option<(SumMove, Confidence)> {
        let wins = |one: &Judged| one.wins == Ok(true);
        let judged = judge_until(solver, &self.sum, self.to_move, wins).ok()?;
        if let Some(winning) = judged.iter().find(|one| wins(one)) {
            return Some((winning.mv.clone(), Confidence::Winning));
        }
        let confidence = if judged.iter().any(|one| one.wins.is_err()) {
            Confidence::Guess
        } else {
            Confidence::Losing
        };
        let trap = |mv: &SumMove| {
            let replies = mv.result.iter().map(|game| count(game, !self.to_move));
            replies.fold(0, usize::saturating_add)
        };
        let open = judged
            .into_iter()
            .filter(|one| confidence == Confidence::Losing || one.wins.is_err());
        open.map(|one| one.mv)
            .max_by_key(trap)
            .map(|mv| (mv, confidence))
    }

    /// Plays that move.
    pub fn reply(&mut self, solver: &mut Solver) -> Option<(String, Confidence)> {
        let (mv, confidence) = self.suggest(solver)?;
        let name = mv.name();
        self.make(mv);
        Some((name, confidence))
    }

    /// The game so far as text: the sum, then each move with the resulting sum.
    pub fn log(&self) -> String {
        let start = self
            .history
            .first()
            .map_or(&self.sum, |played| &played.before);
        let mut text = format!("{}\n", sum_text(start));
        let after = self
            .history
            .iter()
            .skip(1)
            .map(|played| &played.before)
            .chain([&self.sum]);
        for (number, (played, sum)) in self.history.iter().zip(after).enumerate() {
            text += &format!(
                "{:>3}. {:<5} {:<12} {}\n",
                number + 1,
                played.player.to_string(),
                played.name,
                sum_text(sum)
            );
        }
        if let Some(winner) = self.winner() {
            text += &format!("{} cannot move: {winner} wins\n", self.to_move);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_sum;

    #[test]
    fn moves_are_played_and_undone() {
        let mut game = Match::new(
            read_sum("clobber_1xn XOXO + nimber 1").unwrap(),
            Player::Left,
        )
        .unwrap();
        assert!(matches!(game.play("9-9"), Err(NoMove::Unknown { .. })));
        game.play("0:1-2").unwrap();
        assert_eq!(
            (game.to_move(), sum_text(game.sum()).as_str()),
            (Player::Right, "clobber_1xn .XXO + nimber 1")
        );
        assert!(game.undo() && !game.undo());
        assert_eq!(sum_text(game.sum()), "clobber_1xn XOXO + nimber 1");
    }

    #[test]
    fn a_reply_costs_no_more_than_a_question() {
        let nodes = 2000;
        let budget = sums::Budget {
            nodes,
            ..sums::Budget::default()
        };
        let mut solver = Solver::new(budget);
        let mut game = Match::new(read_sum("clobber 6x6").unwrap(), Player::Left).unwrap();
        let (_, confidence) = game.reply(&mut solver).unwrap();
        assert_eq!(confidence, Confidence::Guess);
        assert!(solver.stats().nodes < 2 * nodes, "{}", solver.stats().nodes);
    }

    #[test]
    fn typed_text_is_safe_to_print() {
        let mut game = Match::new(read_sum("clobber XO").unwrap(), Player::Left).unwrap();
        let typed = format!("\u{1b}[2J{}", "x".repeat(1000));
        let error = game.play(&typed).unwrap_err().to_string();
        assert!(error.len() < 200 && !error.contains('\u{1b}'), "{error}");
        game.play("0:a1-b1").unwrap();
    }

    #[test]
    fn the_winner_wins_against_every_defence() {
        let mut solver = Solver::default();
        let mut game = Match::new(read_sum("clobber_1xn XOXOXOXO").unwrap(), Player::Left).unwrap();
        assert_eq!(game.suggest(&mut solver).unwrap().1, Confidence::Winning);
        while game.winner().is_none() {
            game.reply(&mut solver);
        }
        assert_eq!(game.winner(), Some(Player::Left));
        assert!(
            game.log().ends_with("Right cannot move: Left wins\n"),
            "{}",
            game.log()
        );
    }
}
