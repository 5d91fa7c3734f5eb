//! Thermographs: what each temperature of play is worth, down to −1.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::Player::{Left, Right};
use super::forms::{Forms, OutOfBudget, Value};
use super::{Dyadic, Nus, Player};

/// The two walls of a game's thermograph; above the temperature they are one mast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thermograph {
    left: Trajectory,
    right: Trajectory,
}

/// A piecewise linear function of the temperature `t ≥ -1`, with slopes −1, 0 and 1.
///
/// Breakpoints are dyadic: walls of games without loops meet nowhere else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trajectory {
    /// From the coldest upwards; the first begins at −1, the last has no end.
    pieces: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Piece {
    from: Dyadic,
    value: Dyadic,
    slope: i8,
}

/// Fractions finer than this are refused: their thermographs have a break for every halving.
const MOST_HALVINGS: u64 = 1_000;

impl Thermograph {
    /// The wall of a player.
    pub fn wall(&self, player: Player) -> &Trajectory {
        match player {
            Left => &self.left,
            Right => &self.right,
        }
    }

    /// The value of the mast: what the game is worth on average.
    pub fn mean(&self) -> &Dyadic {
        self.left.mast()
    }

    /// Where the mast begins: what a move is worth.
    pub fn temperature(&self) -> &Dyadic {
        (&self.left.last().from).max(&self.right.last().from)
    }

    fn integer(n: Dyadic) -> Thermograph {
        let wall = Trajectory {
            pieces: vec![Piece {
                from: coldest(),
                value: n,
                slope: 0,
            }],
        };
        Thermograph {
            left: wall.clone(),
            right: wall,
        }
    }

    /// The walls that two scaffolds make: up to where they meet, then the mast.
    fn of_scaffolds(left: Trajectory, right: Trajectory) -> Thermograph {
        let (meeting, mean) = left.meeting(&right);
        Thermograph {
            left: left.masted(&meeting, &mean),
            right: right.masted(&meeting, &mean),
        }
    }
}

impl Trajectory {
    /// The value at a temperature.
    pub fn at(&self, t: &Dyadic) -> Dyadic {
        let after = self.pieces.partition_point(|piece| piece.from <= *t);
        self.pieces[after.saturating_sub(1)].at(t)
    }

    /// The value at all high temperatures.
    pub fn mast(&self) -> &Dyadic {
        &self.last().value
    }

    /// Where the slope changes, from the hottest downwards.
    pub fn breaks(&self) -> impl Iterator<Item = &Dyadic> {
        self.pieces[1..].iter().rev().map(|piece| &piece.from)
    }

    /// The slopes between the breaks, from the hottest downwards.
    pub fn slopes(&self) -> impl Iterator<Item = i8> {
        self.pieces.iter().rev().map(|piece| piece.slope)
    }

    fn last(&self) -> &Piece {
        &self.pieces[self.pieces.len() - 1] // there is always one
    }

    /// The function plus `slope · t`.
    fn tilted(&self, slope: i8) -> Trajectory {
        let tilt = |piece: &Piece| Piece {
            from: piece.from.clone(),
            value: &piece.value + &scaled(&piece.from, slope),
            slope: piece.slope + slope,
        };
        Trajectory {
            pieces: self.pieces.iter().map(tilt).collect(),
        }
    }

    /// The better of two functions for a player, temperature by temperature.
    fn best(&self, other: &Trajectory, player: Player) -> Trajectory {
        let better = if player == Left {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let mut best = Trajectory { pieces: Vec::new() };
        for step in steps(self, other) {
            let (mut now, mut then) = (&step.a, &step.b);
            let order = then.value.cmp(&now.value).then(then.slope.cmp(&now.slope));
            if order == better {
                (now, then) = (then, now);
            }
            best.push(now.clone());
            if then.slope.cmp(&now.slope) == better
                && let Some(t) = step.crossing()
            {
                best.push(Piece {
                    value: then.at(&t),
                    from: t,
                    slope: then.slope,
                });
            }
        }
        best
    }

    /// Where the Left scaffold comes down to the Right one, and their value there.
    fn meeting(&self, right: &Trajectory) -> (Dyadic, Dyadic) {
        for step in steps(self, right) {
            if step.a.value <= step.b.value {
                return (step.a.from.clone(), step.a.value.clone());
            }
            if let Some(t) = step.crossing() {
                let mean = step.a.at(&t);
                return (t, mean);
            }
        }
        let last = self.last();
        (last.from.clone(), last.value.clone()) // scaffolds always meet: one falls, one rises
    }

    /// The function up to `t`, and from there on a mast.
    fn masted(&self, t: &Dyadic, mean: &Dyadic) -> Trajectory {
        let mut wall = Trajectory { pieces: Vec::new() };
        for piece in self.pieces.iter().take_while(|piece| piece.from < *t) {
            wall.push(piece.clone());
        }
        wall.push(Piece {
            from: t.clone(),
            value: mean.clone(),
            slope: 0,
        });
        wall
    }

    /// Adds a piece, unless it goes on like the last.
    fn push(&mut self, piece: Piece) {
        if self
            .pieces
            .last()
            .is_none_or(|last| last.slope != piece.slope)
        {
            self.pieces.push(piece);
        }
    }
}

impl Piece {
    fn at(&self, t: &Dyadic) -> Dyadic {
        &self.value + &scaled(&(t - &self.from), self.slope)
    }
}

/// A stretch of temperature on which two functions are linear.
struct Step {
    a: Piece,
    b: Piece,
    to: Option<Dyadic>,
}

impl Step {
    /// Where the two cross strictly inside the stretch.
    fn crossing(&self) -> Option<Dyadic> {
        let gap = &self.a.value - &self.b.value;
        let closing = self.b.slope - self.a.slope;
        let ahead = match closing {
            1 => gap,
            -1 => -gap,
            2 => gap.half(),
            -2 => -gap.half(),
            _ => return None,
        };
        let t = &self.a.from + &ahead;
        let inside = ahead.sign() == Ordering::Greater && self.to.as_ref().is_none_or(|to| t < *to);
        inside.then_some(t)
    }
}

/// The stretches on which both functions are linear, from the coldest upwards.
fn steps(a: &Trajectory, b: &Trajectory) -> Vec<Step> {
    let mut cuts: Vec<&Dyadic> = a
        .pieces
        .iter()
        .chain(&b.pieces)
        .map(|piece| &piece.from)
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |of: &Trajectory, from: &Dyadic| {
        let after = of.pieces.partition_point(|piece| piece.from <= *from);
        let piece = &of.pieces[after.saturating_sub(1)];
        Piece {
            from: from.clone(),
            value: piece.at(from),
            slope: piece.slope,
        }
    };
    let step = |i: usize| Step {
        a: piece(a, cuts[i]),
        b: piece(b, cuts[i]),
        to: cuts.get(i + 1).map(|&to| to.clone()),
    };
    (0..cuts.len()).map(step).collect()
}

fn scaled(x: &Dyadic, slope: i8) -> Dyadic {
    match slope {
        0 => Dyadic::ZERO,
        1 => x.clone(),
        -1 => -x,
        n => (0..n.unsigned_abs()).fold(Dyadic::ZERO, |sum, _| &sum + &scaled(x, n.signum())),
    }
}

fn coldest() -> Dyadic {
    Dyadic::integer(-1)
}

impl Forms {
    /// The thermograph.
    pub fn thermograph(&mut self, value: Value) -> Result<Arc<Thermograph>, OutOfBudget> {
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            if self.thermographs.contains_key(&top) {
                stack.pop();
                continue;
            }
            let parts = self.thermograph_parts(top)?;
            let before = stack.len();
            stack.extend(
                parts
                    .iter()
                    .filter(|part| !self.thermographs.contains_key(part)),
            );
            if stack.len() == before {
                self.spend(1)?;
                let graph = self.thermograph_of_known(top)?;
                self.thermographs.insert(top, Arc::new(graph));
                stack.pop();
            }
        }
        Ok(self.thermographs[&value].clone())
    }

    /// The mean.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic, OutOfBudget> {
        match self.as_nus(value) {
            Some(nus) => Ok(nus.number.clone()),
            None => Ok(self.thermograph(value)?.mean().clone()),
        }
    }

    /// The temperature: what a move gains; `-1/2^k` for a number with denominator `2^k`.
    pub fn temperature(&mut self, value: Value) -> Result<Dyadic, OutOfBudget> {
        match self.as_nus(value) {
            Some(nus) if !nus.is_number() => Ok(Dyadic::ZERO),
            Some(nus) => Ok(-Dyadic::from_big(1.into(), nus.number.exponent())),
            None => Ok(self.thermograph(value)?.temperature().clone()),
        }
    }

    /// The values whose thermographs make this one's.
    fn thermograph_parts(&mut self, value: Value) -> Result<Vec<Value>, OutOfBudget> {
        let Some(nus) = self.as_nus(value) else {
            return Ok([
                self.options(value, Left)?.to_vec(),
                self.options(value, Right)?.to_vec(),
            ]
            .concat());
        };
        if nus.number.exponent() > MOST_HALVINGS {
            return Err(OutOfBudget::Depth);
        }
        if nus.is_number() && nus.number.is_integer() {
            return Ok(Vec::new());
        }
        let alike = thermally_alike(nus);
        if alike != *nus {
            return Ok(vec![self.nus(alike)?]);
        }
        let [left, right] = alike.options();
        left.into_iter()
            .chain(right)
            .map(|nus| self.nus(nus))
            .collect()
    }

    /// The thermograph of a value whose parts' are known.
    fn thermograph_of_known(&mut self, value: Value) -> Result<Thermograph, OutOfBudget> {
        if let Some(nus) = self.as_nus(value) {
            if nus.is_number() && nus.number.is_integer() {
                return Ok(Thermograph::integer(nus.number.clone()));
            }
            let alike = thermally_alike(nus);
            if alike != *nus {
                let alike = self.nus(alike)?;
                return Ok((*self.thermographs[&alike]).clone());
            }
        }
        let [left, right] = [self.scaffold(value, Left)?, self.scaffold(value, Right)?];
        match (left, right) {
            (Some(left), Some(right)) => Ok(Thermograph::of_scaffolds(left, right)),
            _ => Ok(Thermograph::integer(self.stop(value, Left).clone())), // one-sided: an integer
        }
    }

    /// The best of the opponent's walls after a player's move, which costs her `t`.
    fn scaffold(&mut self, of: Value, player: Player) -> Result<Option<Trajectory>, OutOfBudget> {
        let mut best: Option<Trajectory> = None;
        let tax = if player == Left { -1 } else { 1 };
        for i in self.range(of, player)? {
            let wall = self.thermographs[&self.pool[i]].wall(!player).tilted(tax);
            best = Some(match best {
                None => wall,
                Some(best) => best.best(&wall, player),
            });
        }
        Ok(best)
    }
}

/// A small game with the same thermograph.
///
/// Every nimber from `*2` on threatens the same, and beyond `3·↑` neither more ups nor the nimber
/// change a wall: for `t < 0` the Left wall of `x + n·↑ + *k` is the Right wall of `x` less `t`,
/// so its Right wall is that of `x` for all larger `n`.
fn thermally_alike(nus: &Nus) -> Nus {
    Nus {
        number: nus.number.clone(),
        ups: nus.ups.clamp(-3, 3),
        nimber: nus.nimber.min(2 + (nus.nimber & 1)),
    }
}

impl fmt::Display for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},[", self.mast())?;
        list(f, self.breaks())?;
        f.write_str("],[")?;
        list(f, self.slopes())?;
        f.write_str("]")
    }
}

impl fmt::Display for Thermograph {
    /// Mast, breaks and slopes of the Left wall, then of the Right one, from the hottest down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Thermograph({},{})", self.left, self.right)
    }
}

fn list<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    for (i, item) in items.enumerate() {
        write!(f, "{}{item}", if i > 0 { "," } else { "" })?;
    }
    Ok(())
}
