//! Thermographs: what each temperature of play is worth, down to −1.

use std::cmp::Ordering;
use std::fmt;

use super::Player::{Left, Right};
use super::{Dyadic, Player};

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
    segments: Vec<Segment>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Segment {
    from: Dyadic,
    value: Dyadic,
    slope: i8,
}

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

    pub(super) fn integer(n: Dyadic) -> Thermograph {
        let wall = Trajectory {
            segments: vec![Segment {
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
    pub(super) fn of_scaffolds(left: Trajectory, right: Trajectory) -> Thermograph {
        let (intersection, mean) = left.intersection(&right);
        Thermograph {
            left: left.with_mast(&intersection, &mean),
            right: right.with_mast(&intersection, &mean),
        }
    }
}

impl Trajectory {
    /// The value at a temperature.
    pub fn at(&self, t: &Dyadic) -> Dyadic {
        let after = self.segments.partition_point(|segment| segment.from <= *t);
        self.segments[after.saturating_sub(1)].at(t)
    }

    /// The value at all high temperatures.
    pub fn mast(&self) -> &Dyadic {
        &self.last().value
    }

    /// Where the slope changes, from the hottest downwards.
    pub fn breaks(&self) -> impl Iterator<Item = &Dyadic> {
        self.segments[1..].iter().rev().map(|segment| &segment.from)
    }

    /// The slopes between the breaks, from the hottest downwards.
    pub fn slopes(&self) -> impl Iterator<Item = i8> {
        self.segments.iter().rev().map(|segment| segment.slope)
    }

    fn last(&self) -> &Segment {
        &self.segments[self.segments.len() - 1] // there is always one
    }

    /// The function plus `slope · t`.
    pub(super) fn tilted(&self, slope: i8) -> Trajectory {
        let tilt = |segment: &Segment| Segment {
            from: segment.from.clone(),
            value: &segment.value + &scaled(&segment.from, slope),
            slope: segment.slope + slope,
        };
        Trajectory {
            segments: self.segments.iter().map(tilt).collect(),
        }
    }

    /// The better of two functions for a player, temperature by temperature.
    pub(super) fn best(&self, other: &Trajectory, player: Player) -> Trajectory {
        let better = if player == Left {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let mut best = Trajectory {
            segments: Vec::new(),
        };
        for step in linear_ranges(self, other) {
            let (mut now, mut then) = (&step.a, &step.b);
            let order = then.value.cmp(&now.value).then(then.slope.cmp(&now.slope));
            if order == better {
                (now, then) = (then, now);
            }
            best.push(now.clone());
            if then.slope.cmp(&now.slope) == better
                && let Some(t) = step.crossing()
            {
                best.push(Segment {
                    value: then.at(&t),
                    from: t,
                    slope: then.slope,
                });
            }
        }
        best
    }

    /// Where the Left scaffold comes down to the Right one, and their value there.
    fn intersection(&self, right: &Trajectory) -> (Dyadic, Dyadic) {
        for step in linear_ranges(self, right) {
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
    fn with_mast(&self, t: &Dyadic, mean: &Dyadic) -> Trajectory {
        let mut wall = Trajectory {
            segments: Vec::new(),
        };
        for segment in self.segments.iter().take_while(|segment| segment.from < *t) {
            wall.push(segment.clone());
        }
        wall.push(Segment {
            from: t.clone(),
            value: mean.clone(),
            slope: 0,
        });
        wall
    }

    /// Adds a piece, unless it goes on like the last.
    fn push(&mut self, segment: Segment) {
        if self
            .segments
            .last()
            .is_none_or(|last| last.slope != segment.slope)
        {
            self.segments.push(segment);
        }
    }
}

impl Segment {
    fn at(&self, t: &Dyadic) -> Dyadic {
        &self.value + &scaled(&(t - &self.from), self.slope)
    }
}

/// A stretch of temperature on which two functions are linear.
struct LinearRange {
    a: Segment,
    b: Segment,
    to: Option<Dyadic>,
}

impl LinearRange {
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
fn linear_ranges(a: &Trajectory, b: &Trajectory) -> Vec<LinearRange> {
    let mut cuts: Vec<&Dyadic> = a
        .segments
        .iter()
        .chain(&b.segments)
        .map(|segment| &segment.from)
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let segment = |of: &Trajectory, from: &Dyadic| {
        let after = of.segments.partition_point(|segment| segment.from <= *from);
        let segment = &of.segments[after.saturating_sub(1)];
        Segment {
            from: from.clone(),
            value: segment.at(from),
            slope: segment.slope,
        }
    };
    let step = |i: usize| LinearRange {
        a: segment(a, cuts[i]),
        b: segment(b, cuts[i]),
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
