//! Random queries.

use crate::common::Dice;
use crate::query::*;

const PIECES: [&str; 12] = [
    "K", "k", "R", "Pp", "KQRBNP", "kqrbnp", "_", "Qq", "p", "P", "Kk", "RBN",
];

pub fn condition(dice: &mut Dice, depth: u32) -> Condition {
    conditions(dice, depth, false)
}

/// `echo`: inside an echo, whose positions have names.
fn conditions(dice: &mut Dice, depth: u32, echo: bool) -> Condition {
    let more = |dice: &mut Dice| Box::new(conditions(dice, depth + 1, echo));
    let choice = if depth > 3 {
        dice.below(9)
    } else {
        dice.below(24)
    };
    match choice {
        0 | 1 => Condition::Some(set(dice, depth + 1, echo)),
        2 => dice.pick(&[Condition::Check, Condition::Mate, Condition::Terminal]),
        3 => Condition::ToMove(dice.one_in(2)),
        4 => dice.pick(&[
            Condition::Initial,
            Condition::Mainline,
            Condition::Secondary,
        ]),
        5 | 6 => {
            let order = order(dice);
            Condition::Compare(
                number(dice, depth + 1, echo),
                order,
                number(dice, depth + 1, echo),
            )
        }
        7 => {
            let order = order(dice);
            Condition::Related(
                place(dice, depth + 1, echo),
                order,
                place(dice, depth + 1, echo),
            )
        }
        8 => Condition::Is(place(dice, depth + 1, echo)),
        9 | 10 => Condition::Or(more(dice), more(dice)),
        11 | 12 => Condition::And(more(dice), more(dice)),
        13 => Condition::Not(more(dice)),
        14 => Condition::If(more(dice), more(dice), more(dice)),
        15 => Condition::At(place(dice, depth + 1, echo), more(dice)),
        16 => Condition::FindBack(1, 1 + dice.below(4) as i64, more(dice)),
        17 | 18 => Condition::Line(Box::new(line(dice, depth + 1, echo))),
        19 => Condition::Path(Box::new(path(dice, depth + 1, echo))),
        20 => Condition::Transform(family(dice), more(dice)),
        21 | 22 if !echo => Condition::Echo(Box::new(echoed(dice, depth + 1))),
        _ => {
            let (left, right) = (set(dice, depth + 2, echo), set(dice, depth + 2, echo));
            Condition::Dash(dice.one_in(4), left, right, more(dice))
        }
    }
}

/// Conditions that the planner uses, and others.
fn echoed(dice: &mut Dice, depth: u32) -> Condition {
    let side = |place| Number::At(place, Box::new(Number::SideToMove));
    let differing = Set::Not(Box::new(Set::Alike(Place::Source, Place::Target)));
    let number = Number::Const(dice.below(6) as i64);
    let order = order(dice);
    let known = match dice.below(5) {
        0 => Condition::Related(Place::Source, order, Place::Target),
        1 => Condition::Related(Place::Target, order, Place::Source),
        2 => Condition::Compare(side(Place::Source), order, Number::SideToMove),
        3 => Condition::Compare(Number::Count(Box::new(differing)), order, number),
        _ => Condition::ToMove(dice.one_in(2)),
    };
    let other = conditions(dice, depth, true);
    Condition::And(Box::new(known), Box::new(other))
}

fn set(dice: &mut Dice, depth: u32, echo: bool) -> Set {
    let more = |dice: &mut Dice| Box::new(set(dice, depth + 1, echo));
    let choice = if depth > 4 {
        dice.below(5)
    } else {
        dice.below(15)
    };
    match choice {
        0 | 1 => Set::Pieces(dice.pick(&PIECES).into(), None),
        2 | 3 => {
            let square = (dice.below(8) as i32, dice.below(8) as i32);
            Set::Pieces(dice.pick(&PIECES).into(), Some(square))
        }
        4 => Set::Empty,
        5 => Set::Or(more(dice), more(dice)),
        6 => Set::And(more(dice), more(dice)),
        7 => Set::Not(more(dice)),
        8 | 9 => Set::Attacks(more(dice), more(dice)),
        10 => {
            let directions = dice.pick(&[vec![(0, 1)], vec![(0, -1)], vec![(-1, 0)], vec![(1, 1)]]);
            let low = dice.below(3) as i32;
            Set::Steps(directions, (low, low + dice.below(3) as i32), more(dice))
        }
        11 => Set::Between(more(dice), more(dice)),
        12 => Set::At(place(dice, depth + 1, echo), more(dice)),
        13 => {
            let test = Box::new(conditions(dice, depth + 1, echo));
            Set::If(test, more(dice), more(dice))
        }
        _ => Set::Alike(place(dice, depth + 1, echo), place(dice, depth + 1, echo)),
    }
}

fn number(dice: &mut Dice, depth: u32, echo: bool) -> Number {
    let more = |dice: &mut Dice| Box::new(number(dice, depth + 1, echo));
    let below = |dice: &mut Dice| Box::new(conditions(dice, depth + 1, echo));
    let choice = if depth > 3 {
        dice.below(4)
    } else {
        dice.below(14)
    };
    match choice {
        0 | 1 => Number::Const(dice.below(7) as i64),
        2 => dice.pick(&[Number::Ply, Number::Depth, Number::Id, Number::SideToMove]),
        3 => Number::Count(Box::new(set(dice, depth + 1, echo))),
        4 => Number::Sum(more(dice), more(dice)),
        5 => Number::Ratio(more(dice), more(dice)),
        6 => Number::At(place(dice, depth + 1, echo), more(dice)),
        7 => Number::Distance(place(dice, depth + 1, echo), place(dice, depth + 1, echo)),
        8 => Number::FindAll(below(dice)),
        9 | 10 => Number::Line(Box::new(line(dice, depth + 1, echo))),
        11 => Number::Path(Box::new(path(dice, depth + 1, echo))),
        12 => Number::Variants(family(dice), below(dice)),
        _ => {
            let (left, right) = (set(dice, depth + 2, echo), set(dice, depth + 2, echo));
            Number::Moves(Box::new(left), Box::new(right), below(dice))
        }
    }
}

fn place(dice: &mut Dice, depth: u32, echo: bool) -> Place {
    let choice = if depth > 3 {
        dice.below(7)
    } else {
        dice.below(12)
    };
    match choice {
        0 => Place::Here,
        1 => Place::Parent,
        2 => Place::Child(dice.below(3) as i64),
        3 => Place::Start,
        4 => Place::Id(dice.below(20) as i64),
        5 | 6 if echo => dice.pick(&[Place::Source, Place::Target]),
        5..=8 => {
            let more = |dice: &mut Dice| Box::new(place(dice, depth + 1, echo));
            if depth > 3 {
                return Place::Parent;
            }
            if dice.one_in(2) {
                Place::Lca(more(dice), more(dice))
            } else {
                Place::At(more(dice), more(dice))
            }
        }
        9 | 10 => Place::Find(Box::new(conditions(dice, depth + 1, echo))),
        _ => Place::LineEnd(Box::new(line(dice, depth + 1, echo))),
    }
}

fn order(dice: &mut Dice) -> Order {
    dice.pick(&[Order::Less, Order::LessEqual, Order::Equal, Order::Unequal])
}

fn family(dice: &mut Dice) -> Family {
    dice.pick(&[
        Family::Flip,
        Family::FlipColor,
        Family::Shift,
        Family::FlipShift,
    ])
}

fn line(dice: &mut Dice, depth: u32, echo: bool) -> Sequence {
    let count = 1 + dice.below(3);
    let back = dice.one_in(4);
    Sequence {
        back,
        single_color: dice.one_in(5),
        primary: !back && dice.one_in(5),
        parts: (0..count).map(|_| part(dice, depth, echo)).collect(),
    }
}

fn path(dice: &mut Dice, depth: u32, echo: bool) -> Sequence {
    let count = 1 + dice.below(2);
    Sequence {
        back: false,
        single_color: false,
        primary: dice.one_in(5),
        parts: (0..count).map(|_| part(dice, depth, echo)).collect(),
    }
}

fn part(dice: &mut Dice, depth: u32, echo: bool) -> Part {
    let inner = if dice.one_in(4) {
        let count = 2 + dice.below(2);
        Part::Chain((0..count).map(|_| part(dice, depth + 2, echo)).collect())
    } else {
        Part::One(conditions(dice, depth + 2, echo))
    };
    if depth > 4 || dice.one_in(2) || inner.may_be_empty() {
        return inner;
    }
    let (low, high) = dice.pick(&[
        (0, usize::MAX),
        (1, usize::MAX),
        (0, 1),
        (2, 3),
        (2, usize::MAX),
    ]);
    Part::Repeat(Box::new(inner), low, high)
}
