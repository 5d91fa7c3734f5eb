//! Explicit games `{L|R}`: the text lists the options.

use super::numbers::option;
use super::{Complaint, Flow, Move, MoveVisitor, PartVisitor, Ruleset};
use crate::interrupt::Interrupt;
use crate::value::{self, Build, Dyadic, Nus, OutOfBudget, Player};
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The ruleset `explicit`: a position is its text, without blanks and with all braces.
pub struct Explicit;

/// The depth of nested braces.
const DEEPEST: usize = 1_024;

/// The maximum length of a game in characters.
const LONGEST: usize = 1 << 16;

impl Ruleset for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn summary(&self) -> &'static str {
        "a game by its options, such as {2|-1}, {4||-4|-10} or {0,*|^3}, or a value such as 3/4, *2, vv*, +-1"
    }

    fn parse(&self, text: &str) -> Result<Vec<u8>, Complaint> {
        Ok(Form::parse(text)?.to_string().into_bytes())
    }

    fn print(&self, position: &[u8]) -> String {
        String::from_utf8_lossy(position).into_owned()
    }

    fn moves(&self, position: &[u8], player: Player, visit: &mut MoveVisitor<'_>) -> Flow {
        let form = read(position);
        form.options(player, &mut |index, next| {
            visit(Move(index), next.to_string().as_bytes())
        })
    }

    fn mobility(&self, position: &[u8]) -> [usize; 2] {
        let form = read(position);
        Player::BOTH.map(|player| form.count_options(player))
    }

    fn print_move(&self, position: &[u8], player: Player, mv: Move) -> String {
        let mut text = String::new();
        let _ = read(position).options(player, &mut |index, next| {
            if index < mv.0 {
                return ControlFlow::Continue(());
            }
            text = next.to_string();
            ControlFlow::Break(())
        });
        text
    }

    fn negative(&self, position: &[u8]) -> Vec<u8> {
        read(position).negative().to_string().into_bytes()
    }

    fn split(&self, position: &[u8], part: &mut PartVisitor<'_>) -> Flow {
        let form = read(position);
        form.parts()
            .iter()
            .try_for_each(|form| part(form.to_string().as_bytes()))
    }

    fn known_value(&self, position: &[u8], _interrupt: &Interrupt) -> Option<Nus> {
        match &*read(position) {
            Form::Value(value) => Some(value.clone()),
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

/// A game as entered.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// Number + ups + nimber.
    Value(Nus),
    /// Left's options and Right's.
    Options(Vec<Rc<Form>>, Vec<Rc<Form>>),
    /// A sum: at most one value, which comes first, then games with options.
    Sum(Vec<Rc<Form>>),
}

impl Form {
    fn parse(text: &str) -> Result<Rc<Form>, Complaint> {
        if text.len() > LONGEST {
            return Err(Complaint::new(0..text.len(), "this game is too long"));
        }
        match value::parse(text, &mut Drafts { work: 0 }) {
            Ok(draft) => Ok(draft.form),
            Err(error) => Err(Complaint::new(error.span.clone(), error.to_string())),
        }
    }

    fn negative(&self) -> Form {
        let negate =
            |forms: &[Rc<Form>]| forms.iter().map(|form| Rc::new(form.negative())).collect();
        match self {
            Form::Value(value) => Form::Value(value.negative().unwrap_or(Nus::ZERO)),
            Form::Options(left, right) => Form::Options(negate(right), negate(left)),
            Form::Sum(parts) => Form::Sum(negate(parts)),
        }
    }

    /// Visits the options with their numbers.
    fn options(&self, player: Player, visit: &mut OptionVisitor<'_>) -> Flow {
        match self {
            Form::Options(left, right) => {
                let own = if player == Player::Left { left } else { right };
                let mut numbered = own.iter().zip(0..);
                numbered.try_for_each(|(form, index)| visit(index, form))
            }
            Form::Value(value) => value_options(value, player, visit),
            Form::Sum(parts) => sum_options(parts, player, visit),
        }
    }

    /// The maximum number of options that [`Form::options`] visits.
    fn count_options(&self, player: Player) -> usize {
        match self {
            Form::Options(left, _) if player == Player::Left => left.len(),
            Form::Options(_, right) => right.len(),
            Form::Value(value) => usize::try_from(value.nimber)
                .unwrap_or(usize::MAX)
                .saturating_add(usize::from(option(&value.number, player).is_some()))
                .saturating_add(usize::from(value.ups != 0)),
            Form::Sum(parts) => parts
                .iter()
                .map(|part| part.count_options(player))
                .fold(0, usize::saturating_add),
        }
    }

    /// The terms of the game as a sum.
    fn parts(self: &Rc<Form>) -> &[Rc<Form>] {
        match &**self {
            Form::Value(value) if *value == Nus::ZERO => &[],
            Form::Value(_) | Form::Options(..) => std::slice::from_ref(self),
            Form::Sum(parts) => parts,
        }
    }
}

/// Called with the number of each option and the option.
type OptionVisitor<'a> = dyn FnMut(u64, &Rc<Form>) -> Flow + 'a;

/// The options of `number + ups + nimber`, played as a sum of its three parts.
fn value_options(value: &Nus, player: Player, visit: &mut OptionVisitor<'_>) -> Flow {
    let with = |number: Dyadic, ups: i64, nimber: u64| {
        Rc::new(Form::Value(Nus {
            number,
            ups,
            nimber,
        }))
    };
    let (ups, nimber) = (value.ups, value.nimber);
    if let Some(number) = option(&value.number, player) {
        visit(0, &with(number, ups, nimber))?;
    }
    let ahead = if player == Player::Left { ups } else { -ups };
    match ahead {
        0 => {}
        1.. => visit(1, &with(value.number.clone(), 0, nimber))?,
        ..0 => visit(
            1,
            &with(value.number.clone(), ups - ups.signum(), nimber ^ 1),
        )?,
    }
    (0..nimber)
        .try_for_each(|smaller| visit(2 + smaller, &with(value.number.clone(), ups, smaller)))
}

/// The options of a sum: a move in one part; the others do not change.
fn sum_options(parts: &[Rc<Form>], player: Player, visit: &mut OptionVisitor<'_>) -> Flow {
    let mut count = 0;
    for (at, part) in parts.iter().enumerate() {
        part.options(player, &mut |_, next| {
            let others = parts[..at].iter().chain(&parts[at + 1..]);
            let Some(sum) = sum_of(next.parts().iter().chain(others)) else {
                return ControlFlow::Continue(());
            };
            count += 1;
            visit(count - 1, &sum)
        })?;
    }
    ControlFlow::Continue(())
}

/// The sum of several games; `None` if the number of ups overflows.
fn sum_of<'a>(parts: impl Iterator<Item = &'a Rc<Form>>) -> Option<Rc<Form>> {
    let mut value = Nus::ZERO;
    let mut rest = Vec::new();
    for part in parts {
        match &**part {
            Form::Value(more) => value = value.sum(more)?,
            _ => rest.push(Rc::clone(part)),
        }
    }
    if rest.is_empty() {
        return Some(Rc::new(Form::Value(value)));
    }
    if value != Nus::ZERO {
        rest.insert(0, Rc::new(Form::Value(value)));
    }
    match rest.len() {
        1 => rest.pop(),
        _ => Some(Rc::new(Form::Sum(rest))),
    }
}

/// The sum of two games. A sum without other references grows in place, so that parsing a long sum
/// takes linear time.
fn add(one: Rc<Form>, other: &Rc<Form>) -> Option<Rc<Form>> {
    match (Rc::try_unwrap(one), &**other) {
        (Ok(Form::Sum(mut parts)), Form::Options(..)) => {
            parts.push(Rc::clone(other));
            Some(Rc::new(Form::Sum(parts)))
        }
        (Ok(one), _) => sum_of(Rc::new(one).parts().iter().chain(other.parts())),
        (Err(one), _) => sum_of(one.parts().iter().chain(other.parts())),
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

fn joined(forms: &[Rc<Form>], by: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, form) in forms.iter().enumerate() {
        f.write_str(if index > 0 { by } else { "" })?;
        write!(f, "{form}")?;
    }
    Ok(())
}

fn read(position: &[u8]) -> Rc<Form> {
    Form::parse(&String::from_utf8_lossy(position))
        .unwrap_or_else(|_| Rc::new(Form::Value(Nus::ZERO)))
}

/// A form under construction, and its size: `+-+-+-1` doubles with every sign.
#[derive(Clone)]
struct Draft {
    form: Rc<Form>,
    /// The depth of nested braces.
    depth: usize,
    /// The approximate length of its text.
    length: usize,
}

impl Draft {
    fn new(form: Rc<Form>, depth: usize, length: usize) -> Result<Draft, OutOfBudget> {
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

/// Constructs forms as entered.
struct Drafts {
    /// The total length of all copied forms.
    work: usize,
}

/// The maximum length of all copies for one game: `-(-(-(…` copies the game with every sign.
const MOST_WORK: usize = 64 * LONGEST;

impl Drafts {
    fn copy(&mut self, letters: usize) -> Result<(), OutOfBudget> {
        self.work += letters;
        if self.work > MOST_WORK {
            return Err(OutOfBudget::Steps);
        }
        Ok(())
    }
}

impl Build for Drafts {
    type Game = Draft;

    fn closed(&mut self, nus: Nus) -> Result<Draft, OutOfBudget> {
        let length = nus.to_string().len();
        Draft::new(Rc::new(Form::Value(nus)), 0, length)
    }

    fn braces(&mut self, left: &[Draft], right: &[Draft]) -> Result<Draft, OutOfBudget> {
        let all = || left.iter().chain(right);
        self.copy(left.len() + right.len())?;
        let depth = all().map(|option| option.depth).max().unwrap_or(0) + 1;
        let length = all().map(|option| option.length + 1).sum::<usize>() + 2;
        let forms = |drafts: &[Draft]| drafts.iter().map(|draft| Rc::clone(&draft.form)).collect();
        let form = Form::Options(forms(left), forms(right));
        Draft::new(Rc::new(form), depth, length)
    }

    fn minus(&mut self, game: &Draft) -> Result<Draft, OutOfBudget> {
        self.copy(game.length)?;
        Draft::new(Rc::new(game.form.negative()), game.depth, game.length)
    }

    fn plus(&mut self, one: Draft, other: &Draft) -> Result<Draft, OutOfBudget> {
        let (depth, length) = (one.depth.max(other.depth), one.length + other.length);
        let sum = add(one.form, &other.form).ok_or(OutOfBudget::Ups)?;
        Draft::new(sum, depth, length)
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
        let many = ["1"; 25_000].join(",");
        let signs = format!("{}{{{many}|}}{}", "-(".repeat(1_000), ")".repeat(1_000));
        let nested = format!("{}0{}", "{".repeat(2_000), "|0}".repeat(2_000));
        [
            "{1|2", "{1}", "{1|2|3}", "", "x", "1/3", "{1|2}}", "^^3", &deep, &doubled, copies,
            &nested, &signs,
        ]
        .iter()
        .for_each(|text| assert!(Explicit.parse(text).is_err(), "{text}"));
        assert_eq!(Explicit.parse("{1|?}").unwrap_err().span, 3..4);
    }
}
