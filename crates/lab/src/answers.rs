//! Answers to single questions: by the solver, and independently by plain minimax.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use sums::input::Scaffold;
use sums::naive::Naive;
use sums::value::Trajectory;
use sums::{Solver, SumMove, moves};

use super::moves::check_number;
use super::{Ask, Dyadic, Expected, Game, GaveUp, Player, Thermograph};

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Whether the player who moves first wins.
    Wins(bool),
    /// The nim value.
    NimValue(u64),
    /// The winning moves.
    Moves(Winning),
    /// The thermograph.
    Thermograph(Arc<Thermograph>),
}

/// Winning moves, by their names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Winning {
    /// All of them, sorted.
    pub names: Vec<String>,
    /// Those among them whose component also occurs earlier in the sum.
    repeated: Vec<String>,
}

impl Winning {
    fn new(sum: &[Game], moves: &[SumMove]) -> Winning {
        let names = |moves: &mut dyn Iterator<Item = &SumMove>| -> Vec<String> {
            let names: BTreeSet<String> = moves.map(SumMove::name).collect();
            names.into_iter().collect()
        };
        let stands_earlier = |mv: &&SumMove| {
            let component = &sum[mv.component];
            sum[..mv.component].contains(component)
        };
        Winning {
            names: names(&mut moves.iter()),
            repeated: names(&mut moves.iter().filter(stands_earlier)),
        }
    }

    /// True if the list names them. Moves in a duplicate component may be listed once.
    fn meets(&self, wanted: &[String]) -> bool {
        let once = self.names.iter();
        self.names == wanted || once.filter(|name| !self.repeated.contains(name)).eq(wanted)
    }
}

/// The question as written in a block: `B`, `N`, `winning moves W`.
pub fn ask_text(ask: Ask) -> String {
    match ask {
        Ask::Wins(player) => player.letter().to_string(),
        Ask::NimValue => "N".to_owned(),
        Ask::WinningMoves(player) => {
            format!("winning moves {}", player.map_or('N', Player::letter))
        }
        Ask::Thermograph => "thermograph".to_owned(),
    }
}

/// An expected result as written in a block.
pub fn expected_text(expected: &Expected) -> String {
    match expected {
        Expected::Win(win) => win_text(*win).to_owned(),
        Expected::NimValue(value) => value.to_string(),
        Expected::Moves(moves) => moves_text(moves),
        Expected::Thermograph { left, right } => walls_text(left, right),
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Wins(win) => f.write_str(win_text(*win)),
            Answer::NimValue(value) => write!(f, "{value}"),
            Answer::Moves(winning) => f.write_str(&moves_text(&winning.names)),
            Answer::Thermograph(graph) => {
                let [left, right] = Player::BOTH.map(|player| points(graph, player));
                f.write_str(&walls_text(&left, &right))
            }
        }
    }
}

fn win_text(win: bool) -> &'static str {
    if win { "win" } else { "loss" }
}

fn moves_text(moves: &[String]) -> String {
    if moves.is_empty() {
        "None".to_owned()
    } else {
        moves.join(" ")
    }
}

/// The walls of a thermograph as written in a block: `L: (2, -1) (0, 1) R: (-2, -1) (0, 1)`.
pub fn walls_text(left: &Scaffold, right: &Scaffold) -> String {
    let wall = |points: &Scaffold| {
        points
            .iter()
            .map(|(value, t)| format!(" ({value}, {t})"))
            .collect::<String>()
    };
    format!("L:{} R:{}", wall(left), wall(right))
}

/// The corners of a wall, as (value, temperature), from the coldest to the foot of the mast.
pub fn points(graph: &Thermograph, player: Player) -> Scaffold {
    let wall: &Trajectory = graph.wall(player);
    let mut temperatures: Vec<&Dyadic> = wall.breaks().collect();
    temperatures.push(graph.temperature());
    let coldest = Dyadic::integer(-1);
    temperatures.push(&coldest);
    temperatures.sort();
    temperatures.dedup();
    temperatures
        .into_iter()
        .map(|t| (wall.at(t), t.clone()))
        .collect()
}

impl Answer {
    /// True if the answer is the expected one.
    pub fn meets(&self, expected: &Expected) -> bool {
        match (self, expected) {
            (Answer::Wins(found), Expected::Win(wanted)) => found == wanted,
            (Answer::NimValue(found), Expected::NimValue(wanted)) => found == wanted,
            (Answer::Moves(found), Expected::Moves(wanted)) => found.meets(wanted),
            (Answer::Thermograph(found), Expected::Thermograph { left, right }) => {
                corners(points(found, Player::Left)) == corners(left.clone())
                    && corners(points(found, Player::Right)) == corners(right.clone())
            }
            _ => false,
        }
    }
}

/// A wall without points on straight lines: the normal form of a wall.
fn corners(wall: Scaffold) -> Scaffold {
    let mut kept: Scaffold = Vec::new();
    for (value, t) in wall {
        // Slopes are -1, 0 and 1 only: the direction of the value determines the slope.
        while let [.., (v0, _), (v1, _)] = &kept[..]
            && v1.cmp(v0) == value.cmp(v1)
        {
            kept.pop();
        }
        kept.push((value, t));
    }
    // The mast is vertical: a vertical piece below it is part of it.
    if let [.., (v0, _), (v1, _)] = &kept[..]
        && v0 == v1
    {
        kept.pop();
    }
    kept
}

/// Asks the solver.
pub fn ask(solver: &mut Solver, sum: &[Game], ask: Ask) -> Result<Answer, GaveUp> {
    Ok(match ask {
        Ask::Wins(first) => Answer::Wins(solver.wins(sum, first)?),
        Ask::NimValue => Answer::NimValue(nim_value(solver, sum)?),
        Ask::WinningMoves(player) => {
            let player = player.unwrap_or(Player::Left);
            check_number(sum, player).map_err(|_| GaveUp::Bytes)?;
            let winning = solver.winning_moves(sum, player)?;
            Answer::Moves(Winning::new(sum, &winning))
        }
        Ask::Thermograph => Answer::Thermograph(solver.thermograph(sum)?),
    })
}

/// The reader accepts nim values of impartial sums only.
fn nim_value(solver: &mut Solver, sum: &[Game]) -> Result<u64, GaveUp> {
    Ok(solver.nim_value(sum)?.unwrap_or(0))
}

/// The result of checking an answer by plain minimax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// The same.
    Agrees,
    /// A different answer: one of the two is wrong.
    Differs,
    /// The sum is too large for minimax, or it does not support the question.
    TooLarge,
}

/// The number of sums that minimax may visit.
const NAIVE_NODES: u64 = 500_000;

/// Enough stack even if these sums form a single line of play.
const NAIVE_STACK: usize = NAIVE_NODES as usize * 1024;

/// Larger heaps and boards have too many moves.
const NAIVE_SIZE: usize = 2_000;

/// Checks an answer by minimax on the rules alone.
pub fn check(sum: &[Game], asked: Ask, answer: &Answer) -> Check {
    let size: usize = sum.iter().map(size_of).fold(0, usize::saturating_add);
    if size > NAIVE_SIZE {
        return Check::TooLarge;
    }
    let work = || naive_answer(sum, asked);
    let found = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(NAIVE_STACK)
            .spawn_scoped(scope, work);
        thread.ok()?.join().ok()?
    });
    match found {
        None => Check::TooLarge,
        Some(found) if found == *answer => Check::Agrees,
        Some(_) => Check::Differs,
    }
}

fn size_of(game: &Game) -> usize {
    game.kind.rules().size(&game.position)
}

fn naive_answer(sum: &[Game], ask: Ask) -> Option<Answer> {
    let mut naive = Naive::new(NAIVE_NODES);
    Some(match ask {
        Ask::Wins(first) => Answer::Wins(naive.wins(sum, first)?),
        Ask::NimValue => Answer::NimValue(naive.nim_value(sum)?),
        Ask::WinningMoves(player) => {
            let player = player.unwrap_or(Player::Left);
            let mut winning = Vec::new();
            for mv in moves(sum, player) {
                if !naive.wins(&mv.result, !player)? {
                    winning.push(mv);
                }
            }
            Answer::Moves(Winning::new(sum, &winning))
        }
        Ask::Thermograph => return None,
    })
}
