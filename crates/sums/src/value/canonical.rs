//! Canonical forms from options: detects numbers, then removes dominated and reversible options.

use std::cmp::Ordering;
use std::ops::Bound;

use super::Player::{Left, Right};
use super::forms::{Forms, OutOfBudget};
use super::node::{Stop, Value};
use super::{Dyadic, Nus, Player};

/// Comparisons decided by stops that cost as much as one step.
const QUICK_PER_STEP: u64 = 64;

/// A game `{left|right}` that is being simplified and is not a number.
struct Braces {
    left: Vec<Value>,
    right: Vec<Value>,
    stops: [Stop; 2],
}

impl Forms {
    /// The value of `{left|right}`.
    pub fn game(&mut self, left: &[Value], right: &[Value]) -> Result<Value, OutOfBudget> {
        self.depth = 0;
        let (mut lefts, mut rights) = (self.take_buffer(), self.take_buffer());
        lefts.extend_from_slice(left);
        rights.extend_from_slice(right);
        self.game_within(lefts, rights)
    }

    pub(super) fn take_buffer(&mut self) -> Vec<Value> {
        self.scratch.buffers.pop().unwrap_or_default()
    }

    pub(super) fn return_buffer(&mut self, mut list: Vec<Value>) {
        list.clear();
        self.scratch.buffers.push(list);
    }

    /// The value of a game with these options; takes over both buffers.
    pub(super) fn game_within(
        &mut self,
        left: Vec<Value>,
        right: Vec<Value>,
    ) -> Result<Value, OutOfBudget> {
        // 1. Unless the game is a number, its stops are Left's best Right stop and Right's best Left
        //    stop.
        let left_stop = self.best_stop(&left, Left);
        let right_stop = self.best_stop(&right, Right);
        let value = match (left_stop, right_stop) {
            (Some(l), Some(r)) if self.compare_stops(l, r) != Ordering::Less => {
                let mut game = Braces {
                    left,
                    right,
                    stops: [l, r],
                };
                // 2. Other games are hot or infinitely close to a number.
                let value = self.simplify(&mut game)?;
                self.return_buffer(game.left);
                self.return_buffer(game.right);
                return Ok(value);
            }
            _ => self.simplest(left_stop, right_stop)?,
        };
        self.return_buffer(left);
        self.return_buffer(right);
        Ok(value)
    }

    /// The best stop among a player's options.
    fn best_stop(&self, options: &[Value], player: Player) -> Option<Stop> {
        let better = if player == Left {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let stops = options.iter().map(|&option| self.stop_of(option, !player));
        stops.reduce(|a, b| {
            if self.compare_stops(b, a) == better {
                b
            } else {
                a
            }
        })
    }

    /// The simplest number that is greater than Left's stop and less than Right's. It may equal a
    /// stop where the player who reached the stop has to move next.
    fn simplest(&mut self, left: Option<Stop>, right: Option<Stop>) -> Result<Value, OutOfBudget> {
        let bound = |stop: Option<Stop>, open: Player| match stop {
            None => Bound::Unbounded,
            Some(stop) if stop.side() == open => Bound::Excluded(self.number_of(stop.number)),
            Some(stop) => Bound::Included(self.number_of(stop.number)),
        };
        let simplest = Dyadic::simplest_in(bound(left, Right), bound(right, Left));
        debug_assert!(simplest.is_some(), "the stops are apart");
        self.number(simplest.unwrap_or(Dyadic::ZERO))
    }

    fn simplify(&mut self, game: &mut Braces) -> Result<Value, OutOfBudget> {
        self.enter()?;
        self.remove_dominated(&mut game.left, Left)?;
        self.remove_dominated(&mut game.right, Right)?;
        self.scratch.next_round();
        self.bypass_reversible(game, Left)?;
        self.bypass_reversible(game, Right)?;
        self.leave();
        game.left.sort_unstable();
        game.right.sort_unstable();
        match self.recognise(&game.left, &game.right) {
            Some(nus) => self.nus(nus),
            None => self.intern(&game.left, &game.right, game.stops),
        }
    }

    /// Removes the options that another option dominates.
    ///
    /// After sorting by stops, best first, only an earlier option or one with the same stops can
    /// dominate an option.
    fn remove_dominated(
        &mut self,
        options: &mut Vec<Value>,
        player: Player,
    ) -> Result<(), OutOfBudget> {
        options.sort_unstable();
        options.dedup();
        options.sort_by(|&a, &b| self.best_first(a, b, player));
        let mut kept = 0;
        'next: for i in 0..options.len() {
            let option = options[i];
            self.spend(kept as u64 / QUICK_PER_STEP)?;
            let mut j = 0;
            while j < kept {
                let other = options[j];
                if self.at_least(other, option, player)? {
                    continue 'next;
                }
                if self.best_first(other, option, player) == Ordering::Equal
                    && self.at_least(option, other, player)?
                {
                    options.copy_within(j + 1..kept, j);
                    kept -= 1;
                } else {
                    j += 1;
                }
            }
            options[kept] = option;
            kept += 1;
        }
        options.truncate(kept);
        Ok(())
    }

    fn best_first(&self, a: Value, b: Value, player: Player) -> Ordering {
        let by = |first| self.compare_stops(self.stop_of(a, first), self.stop_of(b, first));
        let worse_first = by(Left).then(by(Right));
        if player == Left {
            worse_first.reverse()
        } else {
            worse_first
        }
    }

    /// Returns true if `a` is at least as good as `b` for the player.
    fn at_least(&mut self, a: Value, b: Value, player: Player) -> Result<bool, OutOfBudget> {
        match player {
            Left => self.le_within(b, a),
            Right => self.le_within(a, b),
        }
    }

    /// Replaces a player's reversible options by the options after the opponent's reversing answer.
    ///
    /// Whether an option is reversible depends only on the value of the game, which does not
    /// change: one pass that includes the added options is enough.
    fn bypass_reversible(&mut self, game: &mut Braces, player: Player) -> Result<(), OutOfBudget> {
        let mut reversed = false;
        let mut i = 0;
        while i < game.of(player).len() {
            let option = game.of(player)[i];
            match self.reversing_answer(game, option, player)? {
                None => i += 1,
                Some(answer) => {
                    reversed = true;
                    let range = self.range(answer, player)?;
                    game.of_mut(player).swap_remove(i);
                    game.of_mut(player).extend_from_slice(&self.pool[range]);
                }
            }
        }
        if reversed {
            self.remove_dominated(game.of_mut(player), player)
        } else {
            Ok(())
        }
    }

    /// The opponent's answer to an option that is at least as good for the opponent as the game
    /// itself.
    fn reversing_answer(
        &mut self,
        game: &Braces,
        option: Value,
        player: Player,
    ) -> Result<Option<Value>, OutOfBudget> {
        for i in self.range(option, !player)? {
            let answer = self.pool[i];
            let reverses = match player {
                Left => self.below(answer, game)?,
                Right => self.above(answer, game)?,
            };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Is `a ≤ game`?
    fn below(&mut self, a: Value, game: &Braces) -> Result<bool, OutOfBudget> {
        let by_stops = self.stops_decide(self.node(a).stops, game.stops);
        let known = by_stops.or(self.is_number(a).then_some(true));
        if let Some(answer) = known.or_else(|| self.scratch.known_order(a).below) {
            return Ok(answer);
        }
        self.enter()?;
        let answer = self.below_by_options(a, game)?;
        self.leave();
        self.scratch.known_order_mut(a, self.nodes.len()).below = Some(answer);
        Ok(answer)
    }

    fn below_by_options(&mut self, a: Value, game: &Braces) -> Result<bool, OutOfBudget> {
        for &right in &game.right {
            if self.le_within(right, a)? {
                return Ok(false);
            }
        }
        for i in self.range(a, Left)? {
            if self.above(self.pool[i], game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is `game ≤ a`?
    fn above(&mut self, a: Value, game: &Braces) -> Result<bool, OutOfBudget> {
        let by_stops = self.stops_decide(game.stops, self.node(a).stops);
        let known = by_stops.or(self.is_number(a).then_some(true));
        if let Some(answer) = known.or_else(|| self.scratch.known_order(a).above) {
            return Ok(answer);
        }
        self.enter()?;
        let answer = self.above_by_options(a, game)?;
        self.leave();
        self.scratch.known_order_mut(a, self.nodes.len()).above = Some(answer);
        Ok(answer)
    }

    fn above_by_options(&mut self, a: Value, game: &Braces) -> Result<bool, OutOfBudget> {
        for &left in &game.left {
            if self.le_within(a, left)? {
                return Ok(false);
            }
        }
        for i in self.range(a, Right)? {
            if self.below(self.pool[i], game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Recognises number + ups + nimber by its canonical options.
    fn recognise(&self, left: &[Value], right: &[Value]) -> Option<Nus> {
        let (&l, &r) = (left.first()?, right.first()?);
        if left == right {
            return self.recognise_nimber(left);
        }
        match (left.len(), right.len()) {
            (1, 1) => self
                .recognise_up(l, r)
                .or_else(|| self.recognise_down(l, r)),
            (2, 1) | (1, 2) => self.recognise_up_star(left, right),
            _ => None,
        }
    }

    /// `x + *k = {x, x+*, … | x, x+*, …}`.
    fn recognise_nimber(&self, options: &[Value]) -> Option<Nus> {
        let number = &self.closed_of(options[0])?.number;
        let heaps = options.len() as u64;
        let mut sum = 0u128;
        for &option in options {
            let nus = self.closed_of(option)?;
            if nus.number != *number || nus.ups != 0 || nus.nimber >= heaps {
                return None;
            }
            sum += u128::from(nus.nimber);
        }
        // `n` distinct heaps smaller than `n` are all heaps from 0 to `n - 1`.
        debug_assert_eq!(sum, u128::from(heaps) * u128::from(heaps - 1) / 2);
        Some(Nus {
            number: number.clone(),
            ups: 0,
            nimber: heaps,
        })
    }

    /// `x + n·↑ + *k = {x | x + (n-1)·↑ + *(k⊕1)}` with `n > 0`.
    fn recognise_up(&self, left: Value, right: Value) -> Option<Nus> {
        let (number, rest) = (self.as_number(left)?, self.closed_of(right)?);
        let fits = rest.number == *number && rest.ups >= 0 && !rest.is_number();
        let ups = rest.ups.checked_add(1)?;
        fits.then(|| Nus {
            number: number.clone(),
            ups,
            nimber: rest.nimber ^ 1,
        })
    }

    fn recognise_down(&self, left: Value, right: Value) -> Option<Nus> {
        let (number, rest) = (self.as_number(right)?, self.closed_of(left)?);
        let fits = rest.number == *number && rest.ups <= 0 && !rest.is_number();
        let ups = rest.ups.checked_sub(1)?;
        fits.then(|| Nus {
            number: number.clone(),
            ups,
            nimber: rest.nimber ^ 1,
        })
    }

    /// `x + ↑* = {x, x+* | x}` and its negative.
    fn recognise_up_star(&self, left: &[Value], right: &[Value]) -> Option<Nus> {
        let (two, one, ups) = if left.len() == 2 {
            (left, right, 1)
        } else {
            (right, left, -1)
        };
        let number = self.as_number(one[0])?;
        let star = Nus {
            number: number.clone(),
            ups: 0,
            nimber: 1,
        };
        let fits = two.contains(&one[0])
            && two
                .iter()
                .any(|&option| self.closed_of(option) == Some(&star));
        fits.then_some(Nus { ups, ..star })
    }
}

impl Braces {
    fn of(&self, player: Player) -> &Vec<Value> {
        if player == Left {
            &self.left
        } else {
            &self.right
        }
    }

    fn of_mut(&mut self, player: Player) -> &mut Vec<Value> {
        if player == Left {
            &mut self.left
        } else {
            &mut self.right
        }
    }
}
