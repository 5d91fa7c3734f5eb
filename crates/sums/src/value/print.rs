//! Values as text, in the notation of the literature: `3/4^*`, `{4||-4|-10}`, `+-1`, `+_2`.

use std::cmp::Ordering;
use std::fmt;

use rustc_hash::FxHashMap;

use super::Player::{Left, Right};
use super::forms::Forms;
use super::node::Value;
use super::{Dyadic, Nus, Player};

/// Returned when the text of a value would be longer than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong {
    /// The length of the text in bytes (a lower bound if it exceeds 64 bits).
    pub length: u64,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the canonical form takes {} characters", self.length)
    }
}

impl std::error::Error for TooLong {}

/// The maximum number of bars in a row, as in `{a|||b||c|d}`; deeper games use braces.
const MOST_BARS: usize = 4;

/// The notation of a value.
enum Style {
    Closed(Nus),
    /// `number + ↑[n]` or `number + ↑<n>`, or their negatives, with an optional star.
    Uptimal(Uptimal),
    /// `number + tiny` or `number + miny` of a game.
    Tiny {
        number: Value,
        miny: bool,
        of: Value,
    },
    /// `±` and the options of Left.
    PlusMinus,
    Braces,
}

/// `↑[n] = ↑¹ + … + ↑ⁿ` or `↑<n> = ↑ⁿ`, plus a number.
#[derive(Clone, PartialEq, Eq)]
struct Uptimal {
    number: Dyadic,
    up: bool,
    sum: bool,
    n: u64,
    star: bool,
}

/// A piece of text that is still to be written.
enum Piece {
    Word(&'static str),
    Value(Value),
    Operand(Value),
    Inside(Value),
}

/// Prints one value; styles, ranks and lengths are computed for its smallest parts first.
struct Printer<'a> {
    forms: &'a mut Forms,
    style: FxHashMap<Value, Style>,
    /// The rank in an order that depends only on structure.
    rank: FxHashMap<Value, u32>,
    bars: FxHashMap<Value, usize>,
    length: FxHashMap<Value, u64>,
}

impl Forms {
    /// The value as text of at most `most` bytes, which [`Forms::parse`] parses as the same value.
    ///
    /// The text depends only on the value, not on the other values in the arena.
    pub fn text(&mut self, value: Value, most: usize) -> Result<String, TooLong> {
        let mut printer = Printer {
            forms: self,
            style: FxHashMap::default(),
            rank: FxHashMap::default(),
            bars: FxHashMap::default(),
            length: FxHashMap::default(),
        };
        let parts = printer.choose_styles(value);
        printer.rank_all(&parts);
        printer.measure(&parts);
        let length = printer.length[&value];
        if length > most as u64 {
            return Err(TooLong { length });
        }
        Ok(printer.write(value, length as usize))
    }

    /// The value as text for a message; if the text is too long, a note with its length.
    pub fn show(&mut self, value: Value) -> String {
        const MOST_BYTES: usize = 4_000;
        self.text(value, MOST_BYTES)
            .unwrap_or_else(|long| format!("{{{} characters}}", long.length))
    }
}

impl Printer<'_> {
    /// Chooses the style of each value that will be written, and returns these values, parts first.
    fn choose_styles(&mut self, root: Value) -> Vec<Value> {
        let mut parts = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((value, done)) = stack.pop() {
            if done {
                parts.push(value);
            } else if !self.style.contains_key(&value) {
                let style = self.style_of(value);
                stack.push((value, true));
                stack.extend(self.written_in(value, &style).map(|part| (part, false)));
                self.style.insert(value, style);
            }
        }
        parts
    }

    fn style_of(&mut self, value: Value) -> Style {
        if let Some(nus) = self.forms.as_nus(value) {
            return Style::Closed(nus.clone());
        }
        if let Some(uptimal) = self.uptimal(value) {
            return Style::Uptimal(uptimal);
        }
        for miny in [false, true] {
            if let Some((number, of)) = self.tiny(value, miny) {
                return Style::Tiny { number, miny, of };
            }
        }
        if self.is_own_negative(value) {
            Style::PlusMinus
        } else {
            Style::Braces
        }
    }

    fn is_own_negative(&mut self, value: Value) -> bool {
        let mirrored = self.options(value, Left).len() == self.options(value, Right).len()
            && *self.forms.stop(value, Left) == -self.forms.stop(value, Right);
        mirrored && self.forms.negative(value) == Ok(value)
    }

    fn options(&self, value: Value, player: Player) -> &[Value] {
        if self.forms.node(value).is_closed() {
            &[]
        } else {
            &self.forms.pool[self.forms.node(value).range(player)]
        }
    }

    /// The values that are written as part of this one.
    fn written_in(&self, value: Value, style: &Style) -> impl Iterator<Item = Value> + use<> {
        let parts = match style {
            Style::Closed(_) | Style::Uptimal(_) => Vec::new(),
            Style::Tiny { number, of, .. } => vec![*number, *of],
            Style::PlusMinus => self.options(value, Left).to_vec(),
            Style::Braces => [self.options(value, Left), self.options(value, Right)].concat(),
        };
        parts.into_iter()
    }

    /// `x + tiny(G) = {x || x | x-G}` for a `G` whose Left stop is above 0; miny is its negative.
    fn tiny(&mut self, value: Value, miny: bool) -> Option<(Value, Value)> {
        let (near, far) = if miny { (Right, Left) } else { (Left, Right) };
        let only = |options: &[Value]| match *options {
            [option] => Some(option),
            _ => None,
        };
        let number = only(self.options(value, near))?;
        let threat = only(self.options(value, far))?;
        let gain = only(self.options(threat, far))?;
        if !self.forms.is_number(number) || only(self.options(threat, near)) != Some(number) {
            return None;
        }
        let of = if miny {
            self.forms.difference(gain, number)
        } else {
            self.forms.difference(number, gain)
        };
        let of = of.ok()?;
        (self.forms.stop(of, Left).sign() == Ordering::Greater).then_some((number, of))
    }

    fn uptimal(&self, value: Value) -> Option<Uptimal> {
        self.uptimal_of(value, true)
            .or_else(|| self.uptimal_of(value, false))
    }

    /// Recognises `↑[n] = {↑[n-1]|*}`, `↑[n]* = {0,↑[n-1]*|0}`, `↑<n> = {0|↓[n-1]*}` and
    /// `↑<n>* = {0,*|↓[n-1]}`, plus a number.
    fn uptimal_of(&self, value: Value, up: bool) -> Option<Uptimal> {
        let (near, far) = if up { (Left, Right) } else { (Right, Left) };
        let number = self.forms.node(value).stops[0].number;
        let star = self.with(number, 0, 1);
        let (nears, fars) = (self.options(value, near), self.options(value, far));
        let found = |sum, n, star| {
            let number = self.forms.number_of(number).clone();
            Some(Uptimal {
                number,
                up,
                sum,
                n,
                star,
            })
        };
        match (nears, fars) {
            (&[a], &[b]) if Some(b) == star => {
                found(true, self.uptimal_index(a, number, up, false)? + 1, false)
            }
            (&[a], &[b]) if a == number => {
                found(false, self.uptimal_index(b, number, !up, true)? + 1, false)
            }
            (&[a, b], &[c]) | (&[b, a], &[c]) if c == number && a == number => {
                found(true, self.uptimal_index(b, number, up, true)? + 1, true)
            }
            (&[a, b], &[c]) | (&[b, a], &[c]) if a == number && Some(b) == star => {
                found(false, self.uptimal_index(c, number, !up, false)? + 1, true)
            }
            _ => None,
        }
    }

    /// The `n` of `↑[n]` or `↓[n]`, with or without star, plus a number.
    fn uptimal_index(&self, mut value: Value, number: Value, up: bool, star: bool) -> Option<u64> {
        let near = if up { Left } else { Right };
        let foot = self.with(number, if up { 1 } else { -1 }, u64::from(star))?;
        let turn = if star {
            number
        } else {
            self.with(number, 0, 1)?
        };
        let mut n = 1;
        while value != foot {
            if *self.options(value, !near) != [turn] {
                return None;
            }
            value = match *self.options(value, near) {
                [a] if !star => a,
                [a, b] if star && a == number => b,
                [a, b] if star && b == number => a,
                _ => return None,
            };
            n += 1;
        }
        Some(n)
    }

    /// `number + ups·↑ + *nimber`, if the arena contains it.
    fn with(&self, number: Value, ups: i64, nimber: u64) -> Option<Value> {
        let number = self.forms.number_of(number).clone();
        self.forms.find_closed(&Nus {
            number,
            ups,
            nimber,
        })
    }

    /// Ranks the values by structure: closed forms first, then by height, then by the ranks of the
    /// options.
    fn rank_all(&mut self, parts: &[Value]) {
        let mut height: FxHashMap<Value, u32> = FxHashMap::default();
        for &value in parts {
            let below = self
                .written_in(value, &self.style[&value])
                .map(|part| height[&part]);
            let own = below.max().map_or(0, |most| most + 1);
            height.insert(value, own);
        }
        let mut by_height = parts.to_vec();
        by_height.sort_unstable_by_key(|value| (height[value], *value));
        let mut rank = 0;
        for level in by_height.chunk_by(|a, b| height[a] == height[b]) {
            let mut keyed: Vec<_> = level.iter().map(|&v| (self.structure(v), v)).collect();
            keyed.sort_by(|(a, v), (b, w)| a.cmp(b).then_with(|| self.compare_plain(*v, *w)));
            for (_, value) in keyed {
                self.rank.insert(value, rank);
                rank += 1;
            }
        }
    }

    /// The style of a value, as a number, and the ranks of its parts.
    fn structure(&self, value: Value) -> (u8, Vec<u32>) {
        let ranks = |values: &[Value]| {
            let mut ranks: Vec<u32> = values.iter().map(|v| self.rank[v]).collect();
            ranks.sort_unstable();
            ranks
        };
        match &self.style[&value] {
            Style::Closed(_) => (0, vec![]),
            Style::Uptimal(_) => (1, vec![]),
            Style::Tiny { number, of, miny } => {
                (2 + u8::from(*miny), vec![self.rank[number], self.rank[of]])
            }
            Style::PlusMinus => (4, ranks(self.options(value, Left))),
            Style::Braces => {
                let [left, right] = [Left, Right].map(|player| ranks(self.options(value, player)));
                (5, [vec![left.len() as u32], left, right].concat())
            }
        }
    }

    /// Compares two values without parts.
    fn compare_plain(&self, a: Value, b: Value) -> Ordering {
        match (&self.style[&a], &self.style[&b]) {
            (Style::Closed(x), Style::Closed(y)) => {
                let key = |x: &Nus| (x.ups.unsigned_abs(), x.ups < 0, x.nimber);
                x.number.cmp(&y.number).then_with(|| key(x).cmp(&key(y)))
            }
            (Style::Uptimal(x), Style::Uptimal(y)) => {
                let key = |x: &Uptimal| (x.n, x.sum, x.up, x.star);
                x.number.cmp(&y.number).then_with(|| key(x).cmp(&key(y)))
            }
            _ => Ordering::Equal,
        }
    }

    /// Computes the number of bars and the length of all values.
    fn measure(&mut self, parts: &[Value]) {
        for &value in parts {
            if matches!(self.style[&value], Style::Braces) {
                let bare = [Left, Right].map(|player| self.bare_bars(value, player));
                self.bars.insert(value, 1 + bare[0].max(bare[1]));
            }
            let mut length = 0u64;
            for piece in self.pieces(value) {
                length = length.saturating_add(self.piece_length(&piece));
            }
            self.length.insert(value, length);
        }
    }

    /// The bars of a player's only option, if it is written without braces.
    fn bare_bars(&self, value: Value, player: Player) -> usize {
        self.bare_option(value, player)
            .map_or(0, |option| self.bars[&option])
    }

    fn bare_option(&self, value: Value, player: Player) -> Option<Value> {
        match *self.options(value, player) {
            [option] if self.bars.get(&option).is_some_and(|&bars| bars < MOST_BARS) => {
                Some(option)
            }
            _ => None,
        }
    }

    fn piece_length(&self, piece: &Piece) -> u64 {
        match piece {
            Piece::Word(word) => word.len() as u64,
            Piece::Value(value) => match &self.style[value] {
                Style::Closed(nus) => nus.to_string().len() as u64,
                Style::Uptimal(uptimal) => uptimal.to_string().len() as u64,
                _ => self.length[value],
            },
            Piece::Operand(value) => {
                let parentheses = if self.needs_no_parentheses(*value) {
                    0
                } else {
                    2
                };
                self.piece_length(&Piece::Value(*value))
                    .saturating_add(parentheses)
            }
            Piece::Inside(value) => self.length[value] - 2,
        }
    }

    /// Returns true if the value needs no parentheses after `+-` and `+_`.
    fn needs_no_parentheses(&self, value: Value) -> bool {
        match &self.style[&value] {
            Style::Closed(nus) => nus.is_number() && nus.number.sign() != Ordering::Less,
            Style::Braces => true,
            _ => false,
        }
    }

    /// The pieces of the text of a value.
    fn pieces(&self, value: Value) -> Vec<Piece> {
        match &self.style[&value] {
            Style::Closed(_) | Style::Uptimal(_) => vec![Piece::Value(value)],
            Style::Tiny { number, miny, of } => {
                let sign = Piece::Word(if *miny { "-_" } else { "+_" });
                let number = Some(*number).filter(|&number| number != Value::ZERO);
                let number = number.map(Piece::Value).into_iter();
                number.chain([sign, Piece::Operand(*of)]).collect()
            }
            Style::PlusMinus => match *self.options(value, Left) {
                [option] => vec![Piece::Word("+-"), Piece::Operand(option)],
                _ => {
                    let mut pieces = vec![Piece::Word("+-{")];
                    self.list(value, Left, &mut pieces);
                    pieces.push(Piece::Word("}"));
                    pieces
                }
            },
            Style::Braces => {
                let mut pieces = vec![Piece::Word("{")];
                self.list(value, Left, &mut pieces);
                pieces.push(Piece::Word(&"||||"[..self.bars[&value]]));
                self.list(value, Right, &mut pieces);
                pieces.push(Piece::Word("}"));
                pieces
            }
        }
    }

    fn list(&self, value: Value, player: Player, pieces: &mut Vec<Piece>) {
        if let (Style::Braces, Some(only)) = (&self.style[&value], self.bare_option(value, player))
        {
            return pieces.push(Piece::Inside(only));
        }
        let mut options = self.options(value, player).to_vec();
        options.sort_unstable_by_key(|option| self.rank[option]);
        for (i, option) in options.into_iter().enumerate() {
            if i > 0 {
                pieces.push(Piece::Word(","));
            }
            pieces.push(Piece::Value(option));
        }
    }

    fn write(&self, root: Value, length: usize) -> String {
        let mut text = String::with_capacity(length);
        let mut stack = vec![Piece::Value(root)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Word(word) => text.push_str(word),
                Piece::Value(value) => match &self.style[&value] {
                    Style::Closed(nus) => text.push_str(&nus.to_string()),
                    Style::Uptimal(uptimal) => text.push_str(&uptimal.to_string()),
                    _ => stack.extend(self.pieces(value).into_iter().rev()),
                },
                Piece::Operand(value) if self.needs_no_parentheses(value) => {
                    stack.push(Piece::Value(value))
                }
                Piece::Operand(value) => {
                    stack.extend([Piece::Word(")"), Piece::Value(value), Piece::Word("(")]);
                }
                Piece::Inside(value) => {
                    let pieces = self.pieces(value);
                    let inside = 1..pieces.len() - 1;
                    stack.extend(pieces.into_iter().take(inside.end).skip(1).rev());
                }
            }
        }
        text
    }
}

impl fmt::Display for Uptimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.number.is_zero() {
            write!(f, "{}", self.number)?;
        }
        let arrow = if self.up { '^' } else { 'v' };
        if self.sum {
            write!(f, "{arrow}[{}]", self.n)?
        } else {
            write!(f, "{arrow}<{}>", self.n)?
        }
        f.write_str(if self.star { "*" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cases: &[(&str, &str)]) {
        let mut forms = Forms::default();
        for (input, text) in cases {
            let value = forms
                .parse(input)
                .unwrap_or_else(|error| panic!("{input}: {error}"));
            assert_eq!(forms.show(value), *text, "{input}");
            assert_eq!(forms.parse(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn closed_forms() {
        check(&[
            ("{|}", "0"),
            ("3/4", "3/4"),
            ("6/8", "3/4"),
            ("*2", "*2"),
            ("1+*", "1*"),
            ("^3*", "^3*"),
            ("vv", "vv"),
            ("-1 + ^^", "-1^^"),
            ("-1^", "-1^"),
            ("2-1^", "1v"),
            ("-{1|^}", "{v|-1}"),
            ("↑↑⇑*", "^4*"),
            ("{0|*}", "^"),
            ("{0|^*5}", "^^*4"),
            ("*3+*5", "*6"),
            ("^^^^^^+vvv*+^19*3+v14", "^8*2"),
            ("3.^", "^3"),
            ("-2.(1*)", "-2"),
        ]);
    }

    #[test]
    fn games_in_braces() {
        check(&[
            ("{2|-1}", "{2|-1}"),
            ("{{4|-4}|{-4|-10}}", "-4"),
            ("{{4|-4}|{-5|-10}}", "{+-4||-5|-10}"),
            ("{4||-4|-10}", "{4||-4|-10}"),
            ("{3|||2||1|0,*||||-1/2}", "{3|||2||1|0,*||||-1/2}"),
            ("{{{{{6|5}|4}|3}|2}|1}", "{{6|5||4|||3||||2}|1}"),
            (
                "{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}",
                "{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}",
            ),
            ("3+-1", "{4|2}"),
            ("{1|}", "2"),
        ]);
    }

    #[test]
    fn games_with_names() {
        check(&[
            ("{1|-1}", "+-1"),
            ("±1/2", "+-1/2"),
            ("{1*|-1*}", "+-(1*)"),
            ("+-{1,1*}", "+-{1,1*}"),
            ("+-1+-2+-3+-4", "+-{10|8||6|4|||4|2||0|-2}"),
            ("{0||0|-2}", "+_2"),
            ("{2|0||0}", "-_2"),
            ("5+Tiny({3|1})", "5+_{3|1}"),
            ("5-Tiny(2)", "5-_2"),
            ("{^|*}", "^[2]"),
            ("{0,^*|0}", "^[2]*"),
            ("{0|v*}", "^<2>"),
            ("{0,*|v}", "^<2>*"),
            ("v[3]", "v[3]"),
            ("-^<4>*", "v<4>*"),
            ("7^[3]", "7^[3]"),
            ("{0||0|v3}", "{0||0|v3}"),
        ]);
    }

    #[test]
    fn text_is_the_same_in_any_arena() {
        let text = "+-{^,^<2>*,{0|^,+-{*,^}},{^^*|v,+-{*,^}}}";
        let (mut fresh, mut used) = (Forms::default(), Forms::default());
        for other in ["{^^*|v,+-{*,^}}", "{0|^,+-{*,^}}", "^<2>", "17/32^*"] {
            used.parse(other).expect("a value");
        }
        let (a, b) = (
            fresh.parse(text).expect("a value"),
            used.parse(text).expect("a value"),
        );
        assert_ne!(a, b);
        assert_eq!(fresh.text(a, 100), Ok(text.to_owned()));
        assert_eq!(used.text(b, 100), Ok(text.to_owned()));
    }

    #[test]
    fn long_texts_are_refused() {
        let mut forms = Forms::default();
        let value = forms.parse("{9||8|0}").expect("a value");
        assert_eq!(forms.text(value, 7), Err(TooLong { length: 8 }));
        assert_eq!(forms.text(value, 8).as_deref(), Ok("{9||8|0}"));
    }

    #[test]
    fn deep_games_are_written_and_read_without_a_stack() {
        let mut forms = Forms::default();
        let mut tower = forms.integer(-100_000).expect("closed");
        for n in 0..20_000 {
            let high = forms.integer(n + 2).expect("closed");
            tower = forms.game(&[high], &[tower]).expect("shallow");
        }
        let text = forms.text(tower, 1 << 20).expect("long, but not so long");
        assert_eq!(forms.parse(&text), Ok(tower));
    }
}
