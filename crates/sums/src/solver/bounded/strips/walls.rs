//! Bounds on the walls of thermographs.

use crate::value::{Dyadic, Player, Thermograph};
use std::cmp::{max, min};

/// Numbers are counted in this part of 1.
pub(super) const PART_OF_ONE: i32 = 64;

/// The number of temperatures: 0, 1/2, 1, 3/2. With 16 temperatures the search visits only a
/// hundredth fewer positions.
const COUNT: usize = 4;

/// The difference between two temperatures.
const STEP: i16 = PART_OF_ONE as i16 / 2;

/// A number for each temperature.
type Row = [i16; COUNT];

fn row(of: impl Fn(usize) -> i16) -> Row {
    std::array::from_fn(of)
}

/// Lower and upper bounds on the Left wall, then on the Right wall.
///
/// With the temperature the Left wall falls and the Right wall rises, by no more than the
/// temperature does, and the Left wall is nowhere below the Right wall.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Walls {
    low: [Row; 2],
    high: [Row; 2],
}

impl Walls {
    /// The walls of a game between two numbers.
    pub fn between(low: i32, high: i32) -> Walls {
        Walls {
            low: [[low as i16; COUNT]; 2],
            high: [[high as i16; COUNT]; 2],
        }
    }

    pub fn of_thermograph(graph: &Thermograph) -> Walls {
        let at = |player: Player, number: usize| {
            let at = graph.wall(player).at(&Dyadic::new(number as i64, 1));
            at.to_f64() * f64::from(PART_OF_ONE)
        };
        Walls {
            low: Player::BOTH.map(|player| row(|number| at(player, number).floor() as i16)),
            high: Player::BOTH.map(|player| row(|number| at(player, number).ceil() as i16)),
        }
    }

    /// The walls of a sum of parts and a number: `R(G)+R(H) ≤ R(G+H) ≤ R(G)+L(H) ≤ L(G+H) ≤
    /// L(G)+L(H)` at each temperature.
    pub fn of_sum<'a>(parts: impl Iterator<Item = &'a Walls>, number: i32) -> Walls {
        let mut sum = Walls::between(number, number);
        // Bounds on what the best first move gains.
        let mut gains = [Row::default(); 2];
        for Walls { low, high } in parts {
            for at in 0..COUNT {
                sum.low[1][at] += low[1][at];
                sum.high[0][at] += high[0][at];
                gains[0][at] = max(gains[0][at], low[0][at] - low[1][at]);
                gains[1][at] = max(gains[1][at], high[0][at] - high[1][at]);
            }
        }
        sum.low[0] = row(|at| sum.low[1][at] + gains[0][at]);
        sum.high[1] = row(|at| sum.high[0][at] - gains[1][at]);
        sum.sharpen();
        sum
    }

    /// Derives bounds at each temperature from those at others.
    fn sharpen(&mut self) {
        let Walls {
            low: [left_low, right_low],
            high: [left_high, right_high],
        } = self;
        for at in (1..COUNT).rev() {
            left_low[at - 1] = max(left_low[at - 1], left_low[at]);
            left_high[at - 1] = min(left_high[at - 1], left_high[at] + STEP);
            right_low[at - 1] = max(right_low[at - 1], right_low[at] - STEP);
            right_high[at - 1] = min(right_high[at - 1], right_high[at]);
        }
        for at in 1..COUNT {
            left_low[at] = max(left_low[at], left_low[at - 1] - STEP);
            left_high[at] = min(left_high[at], left_high[at - 1]);
            right_low[at] = max(right_low[at], right_low[at - 1]);
            right_high[at] = min(right_high[at], right_high[at - 1] + STEP);
        }
        for at in 0..COUNT {
            left_low[at] = max(left_low[at], right_low[at]);
            right_high[at] = min(right_high[at], left_high[at]);
        }
    }

    /// With the bounds of both.
    pub fn within(mut self, other: &Walls) -> Walls {
        for side in 0..2 {
            for at in 0..COUNT {
                self.low[side][at] = max(self.low[side][at], other.low[side][at]);
                self.high[side][at] = min(self.high[side][at], other.high[side][at]);
            }
        }
        self
    }

    /// Returns whether Left wins, moving first, if the walls decide that.
    pub fn decide(&self) -> Option<bool> {
        let [left, _] = &self.low;
        if left[0] > 0 {
            return Some(true);
        }
        let [left, _] = &self.high;
        (left[0] < 0).then_some(false)
    }

    /// An estimate of the result if Left moves first.
    pub fn guess(&self) -> i32 {
        i32::from(self.low[0][0]) + i32::from(self.high[0][0])
    }
}

/// The best walls of the options, with the cost of a move: for Left the Right walls less the
/// temperature, for Right the Left walls plus the temperature.
pub(super) struct Scaffolds(Walls);

impl Scaffolds {
    /// Of no options.
    pub fn new() -> Scaffolds {
        let none = [[i16::MIN / 4; COUNT], [i16::MAX / 4; COUNT]];
        Scaffolds(Walls {
            low: none,
            high: none,
        })
    }

    /// Adds an option of a player.
    pub fn add(&mut self, player: usize, option: &Walls) {
        for at in 0..COUNT {
            let cost = STEP * at as i16;
            for (best, option) in [
                (&mut self.0.low, &option.low),
                (&mut self.0.high, &option.high),
            ] {
                if player == 0 {
                    best[0][at] = max(best[0][at], option[1][at] - cost);
                } else {
                    best[1][at] = min(best[1][at], option[0][at] + cost);
                }
            }
        }
    }

    /// The walls of the game: the scaffolds where that of Left is not below that of Right, and
    /// above them a mast, which is between the scaffolds.
    pub fn walls(self) -> Walls {
        let Walls { low, high } = self.0;
        let mut walls = self.0;
        for at in 0..COUNT {
            if low[0][at] < high[1][at] {
                walls.high[0][at] = max(high[0][at], high[1][at]);
                walls.low[1][at] = min(low[1][at], low[0][at]);
            }
        }
        walls.sharpen();
        walls
    }
}
