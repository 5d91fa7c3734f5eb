//! Further questions: moves, comparisons, values and bounds.

use super::components::Item;
use super::{GaveUp, Solver};
use crate::game::{Game, Kind};
use crate::input::Scaffold;
use crate::interrupt::Interrupt;
use crate::value::{Dyadic, Forms, Nus, OutOfBudget, Outcome, Player, Thermograph, Value};
use std::cmp::Ordering;
use std::convert::Infallible;
use std::sync::Arc;

/// A move in a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SumMove {
    /// The player who moves.
    pub player: Player,
    /// The component of the move, counted from 0.
    pub component: usize,
    /// The move as its game prints it.
    pub text: String,
    /// The sum after the move.
    pub result: Vec<Game>,
}

impl SumMove {
    /// The move as typed: with the number of the component if the sum has several.
    pub fn name(&self) -> String {
        if self.result.len() > 1 {
            format!("{}:{}", self.component, self.text)
        } else {
            self.text.clone()
        }
    }
}

/// Every move of a player in a sum, sorted by component, then by text.
///
/// ```
/// use gametree_sums::{Game, moves, value::Player};
/// let sum = [Game::parse("clobber_1xn", "XO")?, Game::parse("nimber", "2")?];
/// let names: Vec<String> = moves(&sum, Player::Left).iter().map(|mv| mv.name()).collect();
/// assert_eq!(names, ["0:1-2", "1:*0", "1:*1"]);
/// # Ok::<(), gametree_sums::rules::Complaint>(())
/// ```
pub fn moves(sum: &[Game], player: Player) -> Vec<SumMove> {
    // This interrupt is never due, so the list is complete.
    moves_until(sum, player, &Interrupt::never()).unwrap_or_default()
}

/// Lists the moves like [`moves`], but gives up when the interrupt is due.
pub fn moves_until(
    sum: &[Game],
    player: Player,
    interrupt: &Interrupt,
) -> Result<Vec<SumMove>, GaveUp> {
    let mut found = Vec::new();
    for (component, game) in sum.iter().enumerate() {
        for mv in game.moves_until(player, interrupt)? {
            interrupt.check()?;
            let mut result = sum.to_vec();
            result[component] = mv.result;
            found.push(SumMove {
                player,
                component,
                text: mv.text,
                result,
            });
        }
    }
    Ok(found)
}

/// Scales on which a sum can be bounded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Scale {
    /// Whole numbers of ups.
    Ups,
    /// Whole numbers of ups, plus a star.
    UpsAndStar,
    /// Multiples of a number.
    Numbers {
        /// The distance between two marks; positive.
        step: Dyadic,
    },
}

impl Scale {
    /// The value at a mark.
    pub fn mark(&self, k: i64) -> Nus {
        match self {
            Scale::Ups => Nus::ups(k),
            Scale::UpsAndStar => Nus {
                nimber: 1,
                ..Nus::ups(k)
            },
            Scale::Numbers { step } => Nus::number(multiple(k, step)),
        }
    }
}

/// `k` times a number.
fn multiple(k: i64, step: &Dyadic) -> Dyadic {
    Dyadic::from_big(step.numerator() * k, step.exponent())
}

/// Where a sum lies between the marks of a [`Scale`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The greatest mark that is less than or equal to the sum.
    pub below: Option<Mark>,
    /// The least mark that is greater than or equal to the sum.
    pub above: Option<Mark>,
}

/// A mark of a scale, and how the sum compares with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The number of the mark.
    pub k: i64,
    /// The value of the mark.
    pub value: Nus,
    /// True if the sum is equal to the mark; otherwise the inequality is strict.
    pub equal: bool,
}

impl Game {
    /// The component with this value.
    pub fn of_value(value: &Nus) -> Option<Game> {
        Some(Game {
            kind: Kind::named("explicit")?,
            position: value.to_string().into_bytes(),
        })
    }
}

/// A wall of a thermograph as in `.test` files: its value at temperature -1, then at every
/// temperature where its slope changes.
///
/// ```
/// use gametree_sums::{Game, Solver, scaffold, value::{Dyadic, Player}};
/// let thermograph = Solver::default().thermograph(&[Game::parse("explicit", "{1|-1}")?])?;
/// let [foot, top] = &scaffold(&thermograph, Player::Left)[..] else { panic!("two points") };
/// assert_eq!(foot, &(Dyadic::integer(2), Dyadic::integer(-1)));
/// assert_eq!(top, &(Dyadic::integer(0), Dyadic::integer(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scaffold(thermograph: &Thermograph, player: Player) -> Scaffold {
    let wall = thermograph.wall(player);
    let foot = Dyadic::integer(-1);
    let mut temperatures: Vec<Dyadic> = wall.breaks().filter(|&at| *at > foot).cloned().collect();
    temperatures.push(foot);
    temperatures.sort();
    temperatures
        .into_iter()
        .map(|at| (wall.at(&at), at))
        .collect()
}

/// The sum minus the mark.
fn difference(sum: &[Game], scale: &Scale, k: i64) -> Vec<Game> {
    let mark = scale
        .mark(k)
        .negative()
        .and_then(|mark| Game::of_value(&mark));
    sum.iter().cloned().chain(mark).collect()
}

/// The greatest `k` for which `holds` is true, if it is true for all smaller ones.
fn last_mark<E>(
    low: i64,
    high: i64,
    mut holds: impl FnMut(i64) -> Result<bool, E>,
) -> Result<Option<i64>, E> {
    if low > high || !holds(low)? {
        return Ok(None);
    }
    let (mut yes, mut no) = (low, high.saturating_add(1));
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if holds(middle)? {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Ok(Some(yes))
}

/// The effort allowed for adding up known values.
const KNOWN_EFFORT: u64 = 10_000;

/// Moves of larger positions are not listed.
const MAX_MOVES: usize = 1 << 20;

impl Solver {
    /// The moves after which the opponent, moving first, loses.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver, value::Player};
    /// let sum = [Game::parse("nimber", "3")?, Game::parse("nimber", "5")?];
    /// let winning = Solver::default().winning_moves(&sum, Player::Left)?;
    /// assert_eq!(winning[0].name(), "1:*3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_moves(&mut self, sum: &[Game], player: Player) -> Result<Vec<SumMove>, GaveUp> {
        self.start();
        let large = |game: &Game| game.kind.rules().size(&game.position) > MAX_MOVES;
        if sum.iter().any(large) {
            return Err(GaveUp::Bytes);
        }
        // A player who loses has no winning move, and that is one search instead of many.
        let mut winning = Vec::new();
        let root = self.root(sum)?;
        if !self.solve(root, player)? {
            return Ok(winning);
        }
        for mv in moves_until(sum, player, &self.arena.interrupt.signal)? {
            let root = self.root(&mv.result)?;
            if !self.solve(root, !player)? {
                winning.push(mv);
            }
        }
        winning.dedup_by(|a, b| a.component == b.component && a.text == b.text);
        Ok(winning)
    }

    /// Returns whether this player wins, moving first, if that is known without a search.
    ///
    /// ```
    /// use gametree_sums::{Budget, Game, Solver, moves, value::Player};
    /// let mut solver = Solver::new(Budget::default().with_nodes(300));
    /// let sum = [Game::parse("nogo_1xn", "..................")?];
    /// assert!(solver.wins(&sum, Player::Left).is_err());
    /// assert_eq!(solver.known(&sum, Player::Left), None);
    /// let first = &moves(&sum, Player::Left)[0];
    /// assert_eq!(solver.known(&first.result, Player::Right), Some(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known(&mut self, sum: &[Game], first: Player) -> Option<bool> {
        let mut items = Vec::new();
        for game in sum {
            self.arena
                .split_into(game.kind, &game.position, &mut items)
                .ok()?;
        }
        self.replace_known_impartial(&mut items)?;
        self.arena.normalise_items(&mut items).ok()?;
        let root = self.table().intern(&items).ok()?;
        self.table()
            .result(root, first)
            .or_else(|| self.decided_by_bounds(&items, first))
            .or_else(|| self.sum_of_values(root, first, KNOWN_EFFORT))
    }

    /// Compares two sums; `None` if they are confused.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver};
    /// use std::cmp::Ordering;
    /// let square = [Game::parse("domineering", "..|..")?];
    /// let switch = [Game::parse("explicit", "+-1")?];
    /// assert_eq!(Solver::default().compare(&square, &switch)?, Some(Ordering::Equal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&mut self, left: &[Game], right: &[Game]) -> Result<Option<Ordering>, GaveUp> {
        let difference: Vec<Game> = left
            .iter()
            .cloned()
            .chain(right.iter().map(Game::negative))
            .collect();
        Ok(match self.outcome(&difference)? {
            Outcome::Left => Some(Ordering::Greater),
            Outcome::Right => Some(Ordering::Less),
            Outcome::Previous => Some(Ordering::Equal),
            Outcome::Next => None,
        })
    }

    /// Finds the marks of a scale, from `low` to `high`, between which the sum lies.
    ///
    /// ```
    /// use gametree_sums::{Game, Scale, Solver};
    /// let sum = [Game::parse("clobber_1xn", "XXOXXO")?];
    /// let bounds = Solver::default().bounds(&sum, &Scale::Ups, -4, 4)?;
    /// assert_eq!((bounds.below.unwrap().k, bounds.above.unwrap().k), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(
        &mut self,
        sum: &[Game],
        scale: &Scale,
        low: i64,
        high: i64,
    ) -> Result<Bounds, GaveUp> {
        self.start();
        let below = last_mark(low, high, |k| self.is_at_least(sum, scale, k))?;
        let above = last_mark(-high, -low, |k| self.is_at_most(sum, scale, -k))?;
        let describe = |solver: &mut Solver, k: i64, reverse: bool| -> Result<Mark, GaveUp> {
            let equal = if reverse {
                solver.is_at_least(sum, scale, k)?
            } else {
                solver.is_at_most(sum, scale, k)?
            };
            Ok(Mark {
                k,
                value: scale.mark(k),
                equal,
            })
        };
        Ok(Bounds {
            below: below.map(|k| describe(self, k, false)).transpose()?,
            above: above.map(|k| describe(self, -k, true)).transpose()?,
        })
    }

    /// The bounds that [`Solver::bounds`] proved before it gave up: the greatest mark known to be
    /// less than or equal to the sum, and the least mark known to be greater than or equal to it.
    pub fn known_bounds(
        &mut self,
        sum: &[Game],
        scale: &Scale,
        low: i64,
        high: i64,
    ) -> [Option<i64>; 2] {
        let below = last_mark(low, high, |k| {
            Ok::<bool, Infallible>(self.is_known_to_lose(sum, scale, k, Player::Right))
        });
        let above = last_mark(-high, -low, |k| {
            Ok::<bool, Infallible>(self.is_known_to_lose(sum, scale, -k, Player::Left))
        });
        [below.ok().flatten(), above.ok().flatten().map(|k| -k)]
    }

    /// Returns true if it is proven that `first` loses the sum minus the mark.
    fn is_known_to_lose(&mut self, sum: &[Game], scale: &Scale, k: i64, first: Player) -> bool {
        self.known(&difference(sum, scale, k), first) == Some(false)
    }

    fn is_at_least(&mut self, sum: &[Game], scale: &Scale, k: i64) -> Result<bool, GaveUp> {
        self.loses_difference(sum, scale, k, Player::Right)
    }

    fn is_at_most(&mut self, sum: &[Game], scale: &Scale, k: i64) -> Result<bool, GaveUp> {
        self.loses_difference(sum, scale, k, Player::Left)
    }

    /// Decides whether `first` loses the sum minus the mark.
    fn loses_difference(
        &mut self,
        sum: &[Game],
        scale: &Scale,
        k: i64,
        first: Player,
    ) -> Result<bool, GaveUp> {
        let root = self.root(&difference(sum, scale, k))?;
        Ok(!self.solve(root, first)?)
    }

    /// The canonical form of a sum, as far as the budget allows.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver};
    /// let mut solver = Solver::default();
    /// let value = solver.value(&[Game::parse("domineering", "...|...")?])?;
    /// assert_eq!(solver.forms().show(value), "{2|-1/2}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&mut self, sum: &[Game]) -> Result<Value, GaveUp> {
        self.start();
        let root = self.root(sum)?;
        let items: Vec<Item> = self.table().items(root).collect();
        let before = self.stats().components;
        let mut effort = 1 << 16;
        loop {
            if let Some(value) = self.arena.value_of_items(&items, effort) {
                return Ok(value);
            }
            self.check_budget()?;
            // Nothing is searched here: components count as nodes.
            if (self.stats().components - before) as u64 > self.budget.nodes {
                return Err(GaveUp::Nodes);
            }
            if self.arena.is_too_deep() {
                return Err(GaveUp::Depth);
            }
            if self.arena.common.forms().bytes() > self.budget.bytes / 5 {
                return Err(GaveUp::Bytes);
            }
            effort = effort.saturating_mul(2);
        }
    }

    /// Runs a computation on values within the time that is left for the last question; `None` if
    /// it exceeds the time or the memory.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver};
    /// let mut solver = Solver::default();
    /// let value = solver.value(&[Game::parse("nimber", "5")?])?;
    /// let followers = solver.within_budget(|forms| forms.followers(value));
    /// assert_eq!(followers.map(|all| all.len()), Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within_budget<T>(
        &mut self,
        run: impl FnOnce(&mut Forms) -> Result<T, OutOfBudget>,
    ) -> Option<T> {
        let mut effort = u64::MAX;
        self.arena.metered(&mut effort, run)
    }

    /// The thermograph of a sum, with its mean and temperature.
    ///
    /// ```
    /// use gametree_sums::{Game, Solver, value::Dyadic};
    /// let thermograph = Solver::default().thermograph(&[Game::parse("switch_game", "3, -1")?])?;
    /// assert_eq!((thermograph.mean(), thermograph.temperature()), (&Dyadic::integer(1), &Dyadic::integer(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thermograph(&mut self, sum: &[Game]) -> Result<Arc<Thermograph>, GaveUp> {
        let value = self.value(sum)?;
        let found = self.within_budget(|forms| forms.thermograph(value));
        self.check_budget()?;
        found.ok_or(GaveUp::Bytes)
    }

    /// The Left stop and the Right stop of a sum.
    pub fn stops(&mut self, sum: &[Game]) -> Result<[Dyadic; 2], GaveUp> {
        let value = self.value(sum)?;
        Ok(Player::BOTH.map(|first| self.arena.common.forms().stop(value, first).clone()))
    }
}
