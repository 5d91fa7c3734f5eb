//! Explicit games `{L|R}`: the options themselves are written down.

use super::numbers::option;
use super::{Complaint, Move, Ruleset};
use crate::value::{self, Build, Dyadic, Nus, OutOfBudget, Player};
use std::fmt;

/// The ruleset `explicit`: a position is its text, without blanks and with all braces.
pub struct Explicit;

/// Braces within one another.
const DEEPEST: usize = 1_024;

/// Letters of a game.
const LONGEST: usize = 1 << 16;

impl Ruleset for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn summary(&self) -> &'static str {
        "a game by its options, as {2|-1}, {4||-4|-10} or {0,*|^3}, or a value as 3/4, *2, vv*, +-1"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        Ok(Form::parse(text)?.to_string().into_bytes())
    }

    fn print(&self, position: &[u8]) -> String {
        String::from_utf8_lossy(position).into_owned()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut dyn FnMut(Move, &[u8])) {
        let form = read(position);
        form.options(player, &mut |index, next| {
            visit(Move(index), next.to_string().as_bytes())
        });
    }

    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String {
        let mut text = String::new();
        read(position).options(player, &mut |index, next| {
            if index == mv.0 {
                text = next.to_string();
            }
        });
        text
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        read(position).negative().to_string().into_bytes()
    }

    fn split(&self, position: &[u8], part: &mut dyn FnMut(&[u8])) {
        let form = read(position);
        form.parts()
            .iter()
            .for_each(|form| part(form.to_string().as_bytes()));
    }

    fn known_value(&self, position: &[u8]) -> Option<Nus> {
        match read(position) {
            Form::Value(value) => Some(value),
            Form::Options(..) | Form::Sum(_) => None,
        }
    }

    fn size(&self, position: &[u8]) -> usize {
        let mut depth = 0usize;
        let depths = position.iter().map(|&letter| {
            depth = match letter {
                b'{' => depth + 1,
                b'}' => depth.saturating_sub(1),
                _ => depth,
            };
            depth
        });
        depths.max().unwrap_or(0)
    }
}

/// A game as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// A number, ups and a nimber, added up.
    Value(Nus),
    /// Left's options and Right's.
    Options(Vec<Form>, Vec<Form>),
    /// Games side by side: one value at most, and first; then those with options.
    Sum(Vec<Form>),
}

impl Form {
    fn parse(text: &str) -> Result<Form, Complaint> {
        if text.len() > LONGEST {
            return Err(Complaint::new(0..text.len(), "this game is too long"));
        }
        match value::parse(text, &mut Drafts) {
            Ok(draft) => Ok(draft.form),
            Err(error) => Err(Complaint::new(error.span.clone(), error.to_string())),
        }
    }

    fn negative(&self) -> Form {
        let negate = |forms: &[Form]| forms.iter().map(Form::negative).collect();
        match self {
            Form::Value(value) => Form::Value(value.negative().unwrap_or(Nus::ZERO)),
            Form::Options(left, right) => Form::Options(negate(right), negate(left)),
            Form::Sum(parts) => Form::Sum(negate(parts)),
        }
    }

    /// Shows the options with their numbers.
    fn options(&self, player: Player, show: &mut dyn FnMut(u64, Form)) {
        match self {
            Form::Options(left, right) => {
                let own = if player == Player::Left { left } else { right };
                own.iter()
                    .enumerate()
                    .for_each(|(index, form)| show(index as u64, form.clone()));
            }
            Form::Value(value) => value_options(value, player, show),
            Form::Sum(parts) => sum_options(parts, player, show),
        }
    }

    /// The games that stand side by side in this one.
    fn parts(&self) -> &[Form] {
        match self {
            Form::Value(value) if *value == Nus::ZERO => &[],
            Form::Value(_) | Form::Options(..) => std::slice::from_ref(self),
            Form::Sum(parts) => parts,
        }
    }
}

/// The options of `number + ups + nimber`, played as a sum of its three parts.
fn value_options(value: &Nus, player: Player, show: &mut dyn FnMut(u64, Form)) {
    let with = |number: Dyadic, ups: i64, nimber: u64| {
        Form::Value(Nus {
            number,
            ups,
            nimber,
        })
    };
    let (ups, nimber) = (value.ups, value.nimber);
    if let Some(number) = option(&value.number, player) {
        show(0, with(number, ups, nimber));
    }
    let ahead = if player == Player::Left { ups } else { -ups };
    match ahead {
        0 => {}
        1.. => show(1, with(value.number.clone(), 0, nimber)),
        ..0 => show(
            1,
            with(value.number.clone(), ups - ups.signum(), nimber ^ 1),
        ),
    }
    (0..nimber).for_each(|smaller| show(2 + smaller, with(value.number.clone(), ups, smaller)));
}

/// A move in one part; the others stay.
fn sum_options(parts: &[Form], player: Player, show: &mut dyn FnMut(u64, Form)) {
    let mut count = 0;
    for (at, part) in parts.iter().enumerate() {
        part.options(player, &mut |_, next| {
            let mut others = parts[..at].iter().chain(&parts[at + 1..]);
            let sum = others.try_fold(next, |sum, part| side_by_side(&sum, part));
            if let Some(sum) = sum {
                show(count, sum);
                count += 1;
            }
        });
    }
}

/// Two games as one, unless their ups are too many to count.
fn side_by_side(one: &Form, other: &Form) -> Option<Form> {
    let mut value = Nus::ZERO;
    let mut rest = Vec::new();
    for part in one.parts().iter().chain(other.parts()) {
        match part {
            Form::Value(more) => value = value.sum(more)?,
            part => rest.push(part.clone()),
        }
    }
    if rest.is_empty() {
        return Some(Form::Value(value));
    }
    if value != Nus::ZERO {
        rest.insert(0, Form::Value(value));
    }
    match rest.len() {
        1 => rest.pop(),
        _ => Some(Form::Sum(rest)),
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Value(value) => write!(f, "{value}"),
            Form::Options(left, right) => {
                f.write_str("{")?;
                joined(left, ",", f)?;
                f.write_str("|")?;
                joined(right, ",", f)?;
                f.write_str("}")
            }
            Form::Sum(parts) => joined(parts, "+", f),
        }
    }
}

fn joined(forms: &[Form], by: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, form) in forms.iter().enumerate() {
        f.write_str(if index > 0 { by } else { "" })?;
        write!(f, "{form}")?;
    }
    Ok(())
}

fn read(position: &[u8]) -> Form {
    Form::parse(&String::from_utf8_lossy(position)).unwrap_or(Form::Value(Nus::ZERO))
}

/// A form that is being put together, and its measures: `+-+-+-1` doubles with every sign.
#[derive(Clone)]
struct Draft {
    form: Form,
    /// Braces within one another.
    depth: usize,
    /// About as many letters as it is written with.
    length: usize,
}

impl Draft {
    fn new(form: Form, depth: usize, length: usize) -> Result<Draft, OutOfBudget> {
        if depth > DEEPEST {
            return Err(OutOfBudget::Depth);
        }
        if length > LONGEST {
            return Err(OutOfBudget::Bytes);
        }
        Ok(Draft {
            form,
            depth,
            length,
        })
    }
}

/// Puts forms together as they are written.
struct Drafts;

impl Build for Drafts {
    type Game = Draft;

    fn closed(&mut self, nus: Nus) -> Result<Draft, OutOfBudget> {
        let length = nus.to_string().len();
        Draft::new(Form::Value(nus), 0, length)
    }

    fn braces(&mut self, left: &[Draft], right: &[Draft]) -> Result<Draft, OutOfBudget> {
        let all = || left.iter().chain(right);
        let depth = all().map(|option| option.depth).max().unwrap_or(0) + 1;
        let length = all().map(|option| option.length + 1).sum::<usize>() + 2;
        let forms = |drafts: &[Draft]| drafts.iter().map(|draft| draft.form.clone()).collect();
        Draft::new(Form::Options(forms(left), forms(right)), depth, length)
    }

    fn minus(&mut self, game: &Draft) -> Result<Draft, OutOfBudget> {
        Draft::new(game.form.negative(), game.depth, game.length)
    }

    fn plus(&mut self, one: &Draft, other: &Draft) -> Result<Draft, OutOfBudget> {
        let sum = side_by_side(&one.form, &other.form).ok_or(OutOfBudget::Ups)?;
        Draft::new(sum, one.depth.max(other.depth), one.length + other.length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_laws, options};
    use super::*;

    fn written(text: &str) -> String {
        Explicit.print(&Explicit.parse(text).unwrap())
    }

    #[test]
    fn bars_and_braces() {
        assert_eq!(written("{ 2 | -1 }"), "{2|-1}");
        assert_eq!(written("{4||-4|-10}"), "{4|{-4|-10}}");
        assert_eq!(written("{0,*|}"), "{0,*|}");
        assert_eq!(written("+-1"), "{1|-1}");
        assert_eq!(written("-{1|0,^}"), "{0,v|-1}");
        assert_eq!(written("{1|||0||-1|-2}"), "{1|{0|{-1|-2}}}");
        assert_eq!(written("+-{1,{2|0}}"), "{1,{2|0}|-1,{0|-2}}");
        assert_eq!(written("1-_2"), "1+{{2|0}|0}");
        assert_eq!(written("1+_(1*) - 1"), "{0|{0|-1*}}");
        assert_eq!(written("{^[2]|v<2>*}"), "{{{0|*}|*}|*+{*+{0|*}|0}}");
        assert_eq!(written("2.{1|0}"), "{1|0}+{1|0}");
        assert_eq!(
            [written("vv*"), written("3/4^3*2"), written("*")],
            ["vv*", "3/4^3*2", "*"]
        );
    }

    #[test]
    fn options_are_those_written() {
        assert_eq!(options(&Explicit, "{0,*|^3}", Player::Left), ["*", "0"]);
        assert_eq!(options(&Explicit, "1^", Player::Left), ["1", "^"]);
        assert_eq!(options(&Explicit, "^", Player::Right), ["*"]);
        assert_eq!(
            options(&Explicit, "^+{2|0}+{1|-1}", Player::Right),
            ["*+{2|0}+{1|-1}", "-1^+{2|0}", "^+{1|-1}"]
        );
        [
            "{1|-1}",
            "{|}",
            "1^*+{2|0}+{{1|0}|-1}",
            "{{1|0}|{0|-1}}",
            "^*",
        ]
        .iter()
        .for_each(|text| check_laws(&Explicit, text));
    }

    #[test]
    fn broken_games_are_refused() {
        let deep = "{".repeat(10_000);
        let doubled = format!("{}1", "+-".repeat(100));
        let copies = "1000000000.{1|0}";
        let nested = format!("{}0{}", "{".repeat(2_000), "|0}".repeat(2_000));
        [
            "{1|2", "{1}", "{1|2|3}", "", "x", "1/3", "{1|2}}", "^^3", &deep, &doubled, copies,
            &nested,
        ]
        .iter()
        .for_each(|text| assert!(Explicit.parse(text).is_err(), "{text}"));
        assert_eq!(Explicit.parse("{1|?}").unwrap_err().span, 3..4);
    }
}
