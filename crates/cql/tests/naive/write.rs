//! Queries as CQL, with brackets wherever they may be needed.

use crate::query::*;
use std::fmt::{Display, Formatter, Result};

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Set::Pieces(kinds, None) => write!(f, "[{kinds}]"),
            Set::Pieces(kinds, Some((x, y))) => write!(f, "[{kinds}]{}", square(*x, *y)),
            Set::Empty => write!(f, "[]"),
            Set::Or(a, b) => write!(f, "({a} | {b})"),
            Set::And(a, b) => write!(f, "({a} & {b})"),
            Set::Not(a) => write!(f, "(~{a})"),
            Set::Attacks(a, b) => write!(f, "({a} attacks {b})"),
            Set::Steps(directions, (low, high), of) => {
                write!(f, "({} {low} {high} {of})", direction(directions))
            }
            Set::Between(a, b) => write!(f, "between({a} {b})"),
            Set::At(place, of) => write!(f, "({place}:{of})"),
            Set::If(test, a, b) => write!(f, "(if {test} then {a} else {b})"),
            Set::Alike(a, b) => write!(f, "({a} & {b})"),
        }
    }
}

fn square(x: i32, y: i32) -> String {
    format!("{}{}", (b'a' + x as u8) as char, y + 1)
}

fn direction(directions: &[(i32, i32)]) -> &'static str {
    match directions[0] {
        (0, 1) => "up",
        (0, -1) => "down",
        (-1, 0) => "left",
        _ => "northeast",
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Number::Const(n) => write!(f, "{n}"),
            Number::Ply => write!(f, "ply"),
            Number::Depth => write!(f, "depth"),
            Number::Id => write!(f, "positionid"),
            Number::SideToMove => write!(f, "sidetomove"),
            Number::Count(set) => write!(f, "(#{set})"),
            Number::Sum(a, b) => write!(f, "({a} + {b})"),
            Number::Ratio(a, b) => write!(f, "({a} / {b})"),
            Number::At(place, n) => write!(f, "({place}:{n})"),
            Number::Distance(a, b) => write!(f, "distance({a} {b})"),
            Number::FindAll(c) => write!(f, "(find all {c})"),
            Number::Line(line) => write!(f, "({})", Line(line, false)),
            Number::Path(path) => write!(f, "({})", Path(path)),
            Number::Variants(family, c) => write!(f, "({} {c})", counted(*family)),
            Number::Held(variants) => write!(f, "{variants:?}"),
            Number::Moves(a, b, c) => write!(f, "(countmoves {{{a}}}--{{{b}}}({c}))"),
        }
    }
}

fn counted(family: Family) -> &'static str {
    match family {
        Family::Flip => "flip count",
        Family::FlipColor => "flipcolor count",
        Family::Shift | Family::FlipShift => "shift count",
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Place::Here => write!(f, "currentposition"),
            Place::Parent => write!(f, "parent"),
            Place::Child(n) => write!(f, "child({n})"),
            Place::Start => write!(f, "initialposition"),
            Place::Id(n) => write!(f, "(position {n})"),
            Place::Source => write!(f, "s"),
            Place::Target => write!(f, "t"),
            Place::Lca(a, b) => write!(f, "lca({a} {b})"),
            Place::At(a, b) => write!(f, "({a}:{b})"),
            Place::Find(c) => write!(f, "(find {c})"),
            Place::LineEnd(line) => write!(f, "({})", Line(line, true)),
        }
    }
}

impl Display for Order {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Order::Less => "<",
            Order::LessEqual => "<=",
            Order::Equal => "==",
            Order::Unequal => "!=",
        })
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Condition::Some(set) => write!(f, "{{{set}}}"),
            Condition::Is(place) => write!(f, "{{{place}}}"),
            Condition::Check => write!(f, "check"),
            Condition::Mate => write!(f, "mate"),
            Condition::ToMove(white) => write!(f, "{}", if *white { "wtm" } else { "btm" }),
            Condition::Initial => write!(f, "initial"),
            Condition::Terminal => write!(f, "terminal"),
            Condition::Mainline => write!(f, "mainline"),
            Condition::Secondary => write!(f, "secondary"),
            Condition::Compare(a, order, b) => write!(f, "({a} {order} {b})"),
            Condition::Related(a, order, b) => write!(f, "({a} {order} {b})"),
            Condition::Or(a, b) => write!(f, "({a} or {b})"),
            Condition::And(a, b) => write!(f, "{{{a} {b}}}"),
            Condition::Not(a) => write!(f, "(not {a})"),
            Condition::If(a, b, c) => write!(f, "(if {a} then {b} else {c})"),
            Condition::At(place, c) => write!(f, "({place}:{c})"),
            Condition::FindBack(low, high, c) => write!(f, "{{find <-- {low} {high} {c}}}"),
            Condition::Line(line) => write!(f, "{{{}}}", Line(line, false)),
            Condition::Path(path) => write!(f, "{{{}}}", Path(path)),
            Condition::Transform(family, c) => write!(f, "{{{} {c}}}", named(*family)),
            Condition::Echo(c) => write!(f, "(echo (s t) {c})"),
            Condition::Dash(false, a, b, c) => write!(f, "{{{{{a}}}--{{{b}}}({c})}}"),
            Condition::Dash(true, a, b, c) => write!(f, "{{{{{a}}}[x]{{{b}}}({c})}}"),
        }
    }
}

fn named(family: Family) -> &'static str {
    match family {
        Family::Flip => "flip",
        Family::FlipColor => "flipcolor",
        Family::Shift => "shift",
        Family::FlipShift => "flip shift",
    }
}

struct Line<'s>(&'s Sequence, bool);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Line(line, last) = self;
        write!(f, "line")?;
        let options = [
            (line.single_color, "singlecolor"),
            (line.primary, "primary"),
            (*last, "lastposition"),
        ];
        for (_, word) in options.iter().filter(|(wanted, _)| *wanted) {
            write!(f, " {word}")?;
        }
        let arrow = if line.back { "<--" } else { "-->" };
        line.parts.iter().try_for_each(|part| {
            write!(f, " {arrow} ")?;
            constituent(f, part, arrow)
        })
    }
}

fn constituent(f: &mut Formatter<'_>, part: &Part, arrow: &str) -> Result {
    match part {
        Part::One(c) => write!(f, "{{{c}}}"),
        Part::Chain(parts) => {
            write!(f, "(")?;
            for (i, part) in parts.iter().enumerate() {
                write!(
                    f,
                    "{}",
                    if i > 0 {
                        format!(" {arrow} ")
                    } else {
                        String::new()
                    }
                )?;
                constituent(f, part, arrow)?;
            }
            write!(f, ")")
        }
        Part::Repeat(of, low, high) => {
            // a repetition of a repetition needs brackets
            write!(f, "(")?;
            constituent(f, of, arrow)?;
            write!(f, "){}", times(*low, *high))
        }
    }
}

fn times(low: usize, high: usize) -> String {
    match (low, high) {
        (0, usize::MAX) => "{*}".into(),
        (1, usize::MAX) => "{+}".into(),
        (0, 1) => "?".into(),
        (_, usize::MAX) => format!("{{{low},}}"),
        _ => format!("{{{low},{high}}}"),
    }
}

struct Path<'s>(&'s Sequence);

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "path{}", if self.0.primary { " primary" } else { "" })?;
        self.0.parts.iter().try_for_each(|part| step(f, part))
    }
}

fn step(f: &mut Formatter<'_>, part: &Part) -> Result {
    match part {
        Part::One(c) => write!(f, " --({c})"),
        Part::Chain(parts) => {
            write!(f, " (")?;
            parts.iter().try_for_each(|part| step(f, part))?;
            write!(f, ")")
        }
        Part::Repeat(of, low, high) => {
            write!(f, " (")?;
            step(f, of)?;
            write!(f, "){}", times(*low, *high))
        }
    }
}
