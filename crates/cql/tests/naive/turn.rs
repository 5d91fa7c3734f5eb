//! Transforms: a query turned, mirrored, shifted, or with the colours swapped.

use crate::query::*;

/// The effect on a square and on a direction.
#[derive(Clone, Copy)]
pub struct Turn {
    mirror_files: bool,
    mirror_ranks: bool,
    swap: bool,
    shift: (i32, i32),
    colors: bool,
}

const NOTHING: Turn = Turn {
    mirror_files: false,
    mirror_ranks: false,
    swap: false,
    shift: (0, 0),
    colors: false,
};

/// The different variants of a condition.
pub fn variants(family: Family, of: &Condition) -> Vec<Condition> {
    distinct(
        turns(family)
            .iter()
            .filter_map(|t| t.condition(of))
            .collect(),
    )
}

fn distinct(mut all: Vec<Condition>) -> Vec<Condition> {
    all.sort_by_cached_key(|c| c.to_string());
    all.dedup_by_key(|c| c.to_string());
    all
}

fn turns(family: Family) -> Vec<Turn> {
    let flips = || {
        (0..8).map(|n| Turn {
            mirror_files: n & 1 != 0,
            mirror_ranks: n & 2 != 0,
            swap: n & 4 != 0,
            ..NOTHING
        })
    };
    let shifts = (-7..=7).flat_map(|x| (-7..=7).map(move |y| (x, y)));
    match family {
        Family::Flip => flips().collect(),
        Family::FlipColor => vec![
            NOTHING,
            Turn {
                mirror_ranks: true,
                colors: true,
                ..NOTHING
            },
        ],
        Family::Shift => shifts.map(|shift| Turn { shift, ..NOTHING }).collect(),
        Family::FlipShift => shifts
            .flat_map(|shift| flips().map(move |turn| Turn { shift, ..turn }))
            .collect(),
    }
}

impl Turn {
    /// None if the square leaves the board.
    fn square(self, (x, y): (i32, i32)) -> Option<(i32, i32)> {
        let x = if self.mirror_files { 7 - x } else { x };
        let y = if self.mirror_ranks { 7 - y } else { y };
        let (x, y) = if self.swap { (y, x) } else { (x, y) };
        let (x, y) = (x + self.shift.0, y + self.shift.1);
        ((0..8).contains(&x) && (0..8).contains(&y)).then_some((x, y))
    }

    fn direction(self, (x, y): (i32, i32)) -> (i32, i32) {
        let x = if self.mirror_files { -x } else { x };
        let y = if self.mirror_ranks { -y } else { y };
        if self.swap { (y, x) } else { (x, y) }
    }

    fn kinds(self, kinds: &str) -> String {
        let swap = |c: char| {
            if c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            }
        };
        if self.colors {
            kinds.chars().map(swap).collect()
        } else {
            kinds.into()
        }
    }

    fn condition(self, c: &Condition) -> Option<Condition> {
        let cond = |c: &Condition| self.condition(c).map(Box::new);
        Some(match c {
            Condition::Some(set) => Condition::Some(self.set(set)?),
            Condition::Is(place) => Condition::Is(self.place(place)?),
            Condition::ToMove(white) => Condition::ToMove(*white != self.colors),
            Condition::Compare(a, order, b) => {
                Condition::Compare(self.number(a)?, *order, self.number(b)?)
            }
            Condition::Related(a, order, b) => {
                Condition::Related(self.place(a)?, *order, self.place(b)?)
            }
            Condition::Or(a, b) => Condition::Or(cond(a)?, cond(b)?),
            Condition::And(a, b) => Condition::And(cond(a)?, cond(b)?),
            Condition::Not(a) => Condition::Not(cond(a)?),
            Condition::If(a, b, c) => Condition::If(cond(a)?, cond(b)?, cond(c)?),
            Condition::At(place, c) => Condition::At(self.place(place)?, cond(c)?),
            Condition::FindBack(low, high, c) => Condition::FindBack(*low, *high, cond(c)?),
            Condition::Line(line) => Condition::Line(self.sequence(line)?),
            Condition::Path(path) => Condition::Path(self.sequence(path)?),
            Condition::Transform(family, c) => self.nested(variants(*family, c))?,
            Condition::Echo(c) => Condition::Echo(cond(c)?),
            Condition::Dash(takes, a, b, c) => {
                Condition::Dash(*takes, self.set(a)?, self.set(b)?, cond(c)?)
            }
            Condition::Check
            | Condition::Mate
            | Condition::Initial
            | Condition::Terminal
            | Condition::Mainline
            | Condition::Secondary => c.clone(),
        })
    }

    /// A transform inside another: those of its variants that stay on the board.
    fn nested(self, variants: Vec<Condition>) -> Option<Condition> {
        let turned = variants.iter().filter_map(|v| self.condition(v));
        turned.reduce(|a, b| Condition::Or(Box::new(a), Box::new(b)))
    }

    fn held(self, variants: &[Condition]) -> Number {
        let turned = variants.iter().filter_map(|v| self.condition(v)).collect();
        Number::Held(distinct(turned))
    }

    fn set(self, s: &Set) -> Option<Set> {
        let set = |s: &Set| self.set(s).map(Box::new);
        Some(match s {
            Set::Pieces(kinds, None) => Set::Pieces(self.kinds(kinds), None),
            Set::Pieces(kinds, Some(square)) => {
                Set::Pieces(self.kinds(kinds), Some(self.square(*square)?))
            }
            Set::Empty => Set::Empty,
            Set::Or(a, b) => Set::Or(set(a)?, set(b)?),
            Set::And(a, b) => Set::And(set(a)?, set(b)?),
            Set::Not(a) => Set::Not(set(a)?),
            Set::Attacks(a, b) => Set::Attacks(set(a)?, set(b)?),
            Set::Steps(directions, range, of) => {
                let turned = directions.iter().map(|&d| self.direction(d)).collect();
                Set::Steps(turned, *range, set(of)?)
            }
            Set::Between(a, b) => Set::Between(set(a)?, set(b)?),
            Set::At(place, of) => Set::At(self.place(place)?, set(of)?),
            Set::If(test, a, b) => Set::If(Box::new(self.condition(test)?), set(a)?, set(b)?),
            Set::Alike(a, b) => Set::Alike(self.place(a)?, self.place(b)?),
        })
    }

    fn number(self, n: &Number) -> Option<Number> {
        let number = |n: &Number| self.number(n).map(Box::new);
        let cond = |c: &Condition| self.condition(c).map(Box::new);
        Some(match n {
            Number::Const(_) | Number::Ply | Number::Depth | Number::Id | Number::SideToMove => {
                n.clone()
            }
            Number::Count(set) => Number::Count(Box::new(self.set(set)?)),
            Number::Sum(a, b) => Number::Sum(number(a)?, number(b)?),
            Number::Ratio(a, b) => Number::Ratio(number(a)?, number(b)?),
            Number::At(place, n) => Number::At(self.place(place)?, number(n)?),
            Number::Distance(a, b) => Number::Distance(self.place(a)?, self.place(b)?),
            Number::FindAll(c) => Number::FindAll(cond(c)?),
            Number::Line(line) => Number::Line(self.sequence(line)?),
            Number::Path(path) => Number::Path(self.sequence(path)?),
            Number::Variants(family, c) => self.held(&variants(*family, c)),
            Number::Held(variants) => self.held(variants),
            Number::Moves(a, b, c) => {
                Number::Moves(Box::new(self.set(a)?), Box::new(self.set(b)?), cond(c)?)
            }
        })
    }

    fn place(self, p: &Place) -> Option<Place> {
        let place = |p: &Place| self.place(p).map(Box::new);
        Some(match p {
            Place::Lca(a, b) => Place::Lca(place(a)?, place(b)?),
            Place::At(a, b) => Place::At(place(a)?, place(b)?),
            Place::Find(c) => Place::Find(Box::new(self.condition(c)?)),
            Place::LineEnd(line) => Place::LineEnd(self.sequence(line)?),
            _ => p.clone(),
        })
    }

    fn sequence(self, s: &Sequence) -> Option<Box<Sequence>> {
        let parts: Option<Vec<Part>> = s.parts.iter().map(|p| self.part(p)).collect();
        Some(Box::new(Sequence {
            parts: parts?,
            ..*s
        }))
    }

    fn part(self, part: &Part) -> Option<Part> {
        Some(match part {
            Part::One(c) => Part::One(self.condition(c)?),
            Part::Chain(parts) => {
                Part::Chain(parts.iter().map(|p| self.part(p)).collect::<Option<_>>()?)
            }
            Part::Repeat(of, low, high) => Part::Repeat(Box::new(self.part(of)?), *low, *high),
        })
    }
}
