//! Thermographs: the value of a game at each temperature, from −1 upwards.

use std::cmp::Ordering;
use std::fmt;

use super::Player::{Left, Right};
use super::{Dyadic, Player};

/// The two walls of a thermograph; above the temperature of the game both are the mast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thermograph {
    left: Trajectory,
    right: Trajectory,
}

/// A piecewise linear function of the temperature `t ≥ -1`, with slopes −1, 0 and 1.
///
/// Breakpoints are dyadic, because the game has no loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trajectory {
    /// Sorted by temperature; the first begins at −1, the last has no end.
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

    /// The mean: the value of the mast.
    pub fn mean(&self) -> &Dyadic {
        self.left.mast()
    }

    /// The temperature, where the mast begins.
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

    /// The walls of two scaffolds: the scaffolds up to their intersection, then the mast.
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

    /// The temperatures where the slope changes, hottest first.
    pub fn breaks(&self) -> impl Iterator<Item = &Dyadic> {
        self.segments[1..].iter().rev().map(|segment| &segment.from)
    }

    /// The slopes between the breaks, hottest first.
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
        for range in linear_ranges(self, other) {
            let (mut now, mut then) = (&range.a, &range.b);
            let order = then.value.cmp(&now.value).then(then.slope.cmp(&now.slope));
            if order == better {
                (now, then) = (then, now);
            }
            best.push(now.clone());
            if then.slope.cmp(&now.slope) == better
                && let Some(t) = range.crossing()
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

    /// The temperature at which the scaffolds meet, and their value there.
    fn intersection(&self, right: &Trajectory) -> (Dyadic, Dyadic) {
        for range in linear_ranges(self, right) {
            if range.a.value <= range.b.value {
                return (range.a.from.clone(), range.a.value.clone());
            }
            if let Some(t) = range.crossing() {
                let mean = range.a.at(&t);
                return (t, mean);
            }
        }
        let last = self.last();
        (last.from.clone(), last.value.clone()) // scaffolds always meet: one falls, one rises
    }

    /// The function up to `t`, then a mast.
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

    /// Adds a segment, unless it has the slope of the last one.
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

/// A range of temperatures on which two functions are linear.
struct LinearRange {
    a: Segment,
    b: Segment,
    to: Option<Dyadic>,
}

impl LinearRange {
    /// The temperature strictly inside the range at which the functions cross.
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

/// The ranges on which both functions are linear, coldest first.
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
    let range = |i: usize| LinearRange {
        a: segment(a, cuts[i]),
        b: segment(b, cuts[i]),
        to: cuts.get(i + 1).map(|&to| to.clone()),
    };
    (0..cuts.len()).map(range).collect()
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
    /// Mast, breaks and slopes of the Left wall, then of the Right wall, hottest first.
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
