//! The shape of values: followers, birthday, all-small games and their atomic weight.

use std::cmp::Ordering;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Player::{Left, Right};
use super::forms::{Forms, OutOfBudget};
use super::node::Value;
use super::{Dyadic, Nus, Player};

/// The atomic weight of an all-small game.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    ups: Value,
    /// No follower has a larger nimber.
    nimber: u64,
}

impl Forms {
    /// All positions of the canonical form, including itself; options come before their parents.
    pub fn followers(&mut self, value: Value) -> Result<Vec<Value>, OutOfBudget> {
        self.postorder(value, |_, _| true)
    }

    /// The maximum number of moves in the canonical form.
    pub fn birthday(&mut self, value: Value) -> Result<BigInt, OutOfBudget> {
        let parts = self.open_followers(value)?;
        let mut birthdays: FxHashMap<Value, BigInt> = FxHashMap::default();
        for part in parts {
            let own = match self.as_nus(part) {
                Some(nus) => nus.birthday(),
                None => {
                    let options = self.both_options(part)?;
                    let last = options.iter().map(|option| &birthdays[option]).max();
                    last.map_or(BigInt::ZERO, |last| last + 1)
                }
            };
            birthdays.insert(part, own);
        }
        Ok(birthdays.remove(&value).unwrap_or_default())
    }

    /// Returns true if in every follower either both players can move or neither can.
    pub fn is_all_small(&mut self, value: Value) -> Result<bool, OutOfBudget> {
        let parts = self.open_followers(value)?;
        Ok(parts
            .into_iter()
            .all(|part| self.as_nus(part).is_none_or(|nus| nus.number.is_zero())))
    }

    /// The atomic weight of an all-small game, roughly its number of ups; `None` for other games.
    ///
    /// It follows from the weights of the options, minus 2 for Left's and plus 2 for Right's. If
    /// several integers fit, the comparison of the game with a remote star decides: the largest if
    /// the game is greater, the least if it is less, else 0.
    pub fn atomic_weight(&mut self, value: Value) -> Result<Option<Value>, OutOfBudget> {
        // Followers with other stops are not expanded: they are not all-small.
        let unknown = |forms: &Forms, value: Value| {
            let open = forms.as_nus(value).is_none() && forms.is_infinitesimal(value);
            open && !forms.weights.contains_key(&value)
        };
        for part in self.postorder(value, unknown)? {
            if unknown(self, part) {
                let weight = self.weight_by_options(part)?;
                self.weights.insert(part, weight);
            }
        }
        Ok(self.known_weight(value)?.map(|weight| weight.ups))
    }

    fn is_infinitesimal(&self, value: Value) -> bool {
        let stops = &self.node(value).stops;
        stops.iter().all(|stop| stop.number == Value::ZERO)
    }

    /// The weight of a closed form, or of a value whose weight was computed.
    fn known_weight(&mut self, value: Value) -> Result<Option<Weight>, OutOfBudget> {
        let Some(nus) = self.as_nus(value) else {
            return Ok(self.weights.get(&value).copied().flatten());
        };
        if !nus.number.is_zero() {
            return Ok(None);
        }
        let (ups, nimber) = (nus.ups, nus.nimber | 1);
        let ups = self.integer(ups)?;
        Ok(Some(Weight { ups, nimber }))
    }

    fn weight_by_options(&mut self, game: Value) -> Result<Option<Weight>, OutOfBudget> {
        let mut nimber = 1;
        let mut shifted = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let two = self.integer(if player == Left { -2 } else { 2 })?;
            for option in self.options(game, player)?.to_vec() {
                let Some(weight) = self.known_weight(option)? else {
                    return Ok(None);
                };
                nimber = nimber.max(weight.nimber);
                shifted[player as usize].push(self.sum(weight.ups, two)?);
            }
        }
        let [left, right] = shifted;
        let mut ups = self.game(&left, &right)?;
        if self.as_number(ups).is_some_and(Dyadic::is_integer) {
            let remote = self.remote_star(nimber)?;
            ups = match self.compare(game, remote)? {
                Some(Ordering::Greater) => self.last_integer(&right, Right)?,
                Some(_) => self.last_integer(&left, Left)?,
                None => Value::ZERO,
            };
        }
        Ok(Some(Weight { ups, nimber }))
    }

    /// The integer closest to a player's weights that none of them reaches.
    pub(crate) fn last_integer(
        &mut self,
        weights: &[Value],
        player: Player,
    ) -> Result<Value, OutOfBudget> {
        let stops: Vec<Dyadic> = weights
            .iter()
            .map(|&weight| self.stop(weight, !player).clone())
            .collect();
        let nearest = match player {
            Left => stops.into_iter().max(),
            Right => stops.into_iter().min(),
        };
        let step = Dyadic::integer(if player == Left { 1 } else { -1 });
        // Start one beyond the stop, on the side that is reached, and move away.
        let start = nearest.unwrap_or(Dyadic::ZERO).floor();
        let mut n = if player == Left {
            start
        } else {
            &start + &Dyadic::ONE
        };
        loop {
            let integer = self.number(n.clone())?;
            if self.none_reaches(weights, integer, player) {
                return Ok(integer);
            }
            n = &n + &step;
        }
    }

    fn none_reaches(&self, weights: &[Value], integer: Value, player: Player) -> bool {
        let reached = |weight: &Value| match self.compare_number(*weight, integer) {
            Some(Ordering::Equal) => true,
            Some(Ordering::Greater) => player == Left,
            Some(Ordering::Less) => player == Right,
            None => false,
        };
        !weights.iter().any(reached)
    }

    /// A nimber larger than this one, so that it is remote for all games with no larger one.
    fn remote_star(&mut self, largest: u64) -> Result<Value, OutOfBudget> {
        let size = largest
            .checked_add(1)
            .and_then(u64::checked_next_power_of_two);
        self.nus(Nus::nimber(size.ok_or(OutOfBudget::Bytes)?))
    }

    /// The followers down to closed forms, options first.
    fn open_followers(&mut self, value: Value) -> Result<Vec<Value>, OutOfBudget> {
        self.postorder(value, |forms, value| forms.as_nus(value).is_none())
    }

    /// A value and its followers, options first; only values for which `open` is true are expanded.
    fn postorder(
        &mut self,
        value: Value,
        open: impl Fn(&Forms, Value) -> bool,
    ) -> Result<Vec<Value>, OutOfBudget> {
        let mut followers = Vec::new();
        let mut met = FxHashSet::from_iter([value]);
        // Each value on the path, and its next option: a list of all options that wait could be
        // far longer.
        let mut path = vec![(value, 0)];
        while let Some((value, next)) = path.last_mut() {
            let (value, at) = (*value, *next);
            *next += 1;
            self.spend(1)?;
            let option = if open(self, value) {
                self.nth_option(value, at)?
            } else {
                None
            };
            match option {
                Some(option) if met.insert(option) => path.push((option, 0)),
                Some(_) => {}
                None => {
                    followers.push(value);
                    path.pop();
                }
            }
        }
        Ok(followers)
    }

    /// An option by its number, Left's before Right's.
    fn nth_option(&mut self, value: Value, at: usize) -> Result<Option<Value>, OutOfBudget> {
        let left = self.range(value, Left)?;
        let right = self.range(value, Right)?;
        let place = left.chain(right).nth(at);
        Ok(place.map(|place| self.pool[place]))
    }

    fn both_options(&mut self, value: Value) -> Result<Vec<Value>, OutOfBudget> {
        let mut options = self.options(value, Left)?.to_vec();
        options.extend_from_slice(self.options(value, Right)?);
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::Interrupt;

    /// Forms that give up at the third check of the interrupt.
    fn interrupted_soon() -> Forms {
        let mut forms = Forms::default();
        forms.set_interrupt(Interrupt::after_checks(3));
        forms
    }

    #[test]
    fn every_option_of_a_follower_is_a_step() {
        let mut forms = interrupted_soon();
        let nimber = forms.nus(Nus::nimber(1_000)).expect("a small form");
        assert_eq!(forms.followers(nimber), Err(OutOfBudget::Interrupted));
    }

    #[test]
    fn options_of_a_large_nimber_can_be_interrupted() {
        let mut forms = interrupted_soon();
        let nimber = forms.nus(Nus::nimber(100_000)).expect("a closed form");
        let options = forms.options(nimber, Left).map(<[Value]>::len);
        assert_eq!(options, Err(OutOfBudget::Interrupted));
    }

    #[test]
    fn followers_come_after_their_options() {
        let mut forms = Forms::default();
        let value = forms.parse("{3|{1,^*|-2||*3}}").expect("a value");
        let followers = forms.followers(value).expect("a small form");
        let place = |value: Value| followers.iter().position(|&known| known == value);
        for &follower in &followers {
            for option in forms.both_options(follower).expect("a small form") {
                assert!(place(option) < place(follower) && place(option).is_some());
            }
        }
        assert_eq!(followers.last(), Some(&value));
    }
}
