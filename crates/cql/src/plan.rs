//! What can be ruled out cheaply: whole games by their tags, positions by where they are, most of a
//! transform's variants by where one piece stands.

use crate::ast::Header;
use crate::eval::Body;
use crate::ir::*;
use crate::positions::Positions;
use crate::symmetry::bits;
use chess::pgn::Game;
use rustc_hash::FxHashMap;

/// Necessary conditions of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    game_numbers: Option<(i64, i64)>,
    result: Option<String>,
    pub match_count: Option<(i64, i64)>,
    /// Conditions about the game alone, evaluated before its moves are replayed.
    pub game_conditions: Vec<BoolId>,
    places: Places,
    pub orbits: FxHashMap<BoolId, OrbitIndex>,
    echoes: FxHashMap<Body, Echo>,
}

/// Where a query can match at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Places {
    #[default]
    Everywhere,
    /// No move was played from there.
    Ends,
    Start,
    Nowhere,
}

impl Plan {
    pub fn new(ir: &Ir, body: BoolId, header: &Header) -> Plan {
        let mut plan = Plan {
            game_numbers: header.game_numbers,
            result: header.result.clone(),
            match_count: header.match_count,
            ..Plan::default()
        };
        let mut conditions = Vec::new();
        necessary(ir, body, &mut conditions);
        for id in conditions {
            plan.require(ir, id);
        }
        for id in (0..ir.bools.len() as u32).map(BoolId) {
            if let Bool::Orbit(parts) = ir.bool(id)
                && let Some(index) = OrbitIndex::new(ir, parts)
            {
                plan.orbits.insert(id, index);
            }
        }
        plan
    }

    fn require(&mut self, ir: &Ir, id: BoolId) {
        if is_about_game(ir, id) {
            self.game_conditions.push(id);
        }
        let places = match ir.bool(id) {
            Bool::Const(false) => Places::Nowhere,
            Bool::Test(Test::Initial) => Places::Start,
            Bool::Test(Test::Mate | Test::Stalemate | Test::Terminal) => Places::Ends,
            Bool::NonEmpty(set) if matches!(ir.set(*set), Set::Mate(_)) => Places::Ends,
            _ => return,
        };
        if self.places == Places::Everywhere || places == Places::Nowhere {
            self.places = places;
        }
    }

    pub fn in_numbers(&self, number: u64) -> bool {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.game_numbers
            .is_none_or(|(low, high)| low <= number && number <= high)
    }

    /// False if nothing in the game can match, judged without looking at its moves.
    pub fn may_match(&self, game: &Game, number: u64) -> bool {
        let result = self.result.as_deref();
        self.places != Places::Nowhere
            && self.in_numbers(number)
            && result.is_none_or(|r| r == game.outcome().as_str())
    }

    /// False if the query cannot match at this position.
    #[inline]
    pub fn may_match_at(&self, positions: &Positions, at: u32) -> bool {
        match self.places {
            Places::Everywhere => true,
            // after a null move the game may go on from a mate
            Places::Ends => positions.is_terminal(at) || positions.spot(at + 1).mv.is_null(),
            Places::Start => at == 0,
            Places::Nowhere => false,
        }
    }

    /// The positions that can be targets of an echo from here.
    pub fn echo_targets(&self, body: Body, positions: &Positions, here: u32) -> Targets {
        let plan = self.echoes.get(&body).copied().unwrap_or_default();
        let _ = (plan, here);
        Targets {
            next: 0,
            end: positions.real,
        }
    }

    /// The plan in words, a line each.
    pub fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((low, high)) = self.game_numbers {
            lines.push(format!("games {low} to {high} only"));
        }
        if let Some(result) = &self.result {
            lines.push(format!("games with result {result} only"));
        }
        if !self.game_conditions.is_empty() {
            lines.push(format!(
                "{} condition(s) on tags decide before moves are replayed",
                self.game_conditions.len()
            ));
        }
        lines.extend(match self.places {
            Places::Everywhere => None,
            Places::Ends => Some("only positions without a next move".to_owned()),
            Places::Start => Some("only the initial position".to_owned()),
            Places::Nowhere => Some("no position can match".to_owned()),
        });
        for index in self.orbits.values() {
            lines.push(format!(
                "a transform with {} variants, chosen by where one piece stands",
                index.variants
            ));
        }
        lines
    }
}

/// Conditions that must hold wherever `id` does, up to the first that has effects.
fn necessary(ir: &Ir, id: BoolId, out: &mut Vec<BoolId>) -> bool {
    if let Bool::And(ids) = ir.bool(id) {
        return ids.iter().all(|&id| necessary(ir, id, out));
    }
    let first = before_value(ir, id);
    if !first.iter().all(|&id| necessary(ir, id, out)) {
        return false;
    }
    out.push(id);
    id.props(ir).is_pure()
}

/// The conditions of a sequence that ends in a value: `mate Pa2` is a set of squares.
fn before_value(ir: &Ir, id: BoolId) -> &[BoolId] {
    match ir.bool(id) {
        Bool::NonEmpty(set) => match ir.set(*set) {
            Set::Flow(Flow::Seq(first, _)) => first,
            _ => &[],
        },
        Bool::HasNum(num) => match ir.num(*num) {
            Num::Flow(Flow::Seq(first, _)) => first,
            _ => &[],
        },
        Bool::HasText(text) => match ir.text(*text) {
            Text::Flow(Flow::Seq(first, _)) => first,
            _ => &[],
        },
        _ => &[],
    }
}

/// True if the game's tags, result and number decide, whatever the position.
fn is_about_game(ir: &Ir, id: BoolId) -> bool {
    match ir.bool(id) {
        Bool::Result(_) => true,
        Bool::And(ids) | Bool::Or(ids) => ids.iter().all(|&id| is_about_game(ir, id)),
        Bool::Not(id) => is_about_game(ir, *id),
        Bool::HasNum(num) => is_games_number(ir, *num),
        Bool::HasText(text) => is_games_text(ir, *text),
        Bool::Contains { text, part } => is_games_text(ir, *text) && is_games_text(ir, *part),
        _ => false,
    }
}

fn is_games_number(ir: &Ir, id: NumId) -> bool {
    match ir.num(id) {
        Num::Const(_) | Num::Elo(_) | Num::Year | Num::Measure(Measure::GameNumber) => true,
        Num::Compare(_, a, b) | Num::Calc(_, a, b) => {
            is_games_number(ir, *a) && is_games_number(ir, *b)
        }
        _ => false,
    }
}

fn is_games_text(ir: &Ir, id: TextId) -> bool {
    match ir.text(id) {
        Text::Const(_) | Text::Tag(_) | Text::Players | Text::Variant => true,
        Text::Compare(_, a, b) => is_games_text(ir, *a) && is_games_text(ir, *b),
        _ => false,
    }
}

/// Variants of a transform by a square on which they need some piece.
#[derive(Clone, Debug)]
pub(crate) struct OrbitIndex {
    /// By kind of piece, then by square.
    by_piece: Vec<(u16, Vec<Vec<BoolId>>)>,
    variants: usize,
}

impl OrbitIndex {
    fn new(ir: &Ir, parts: &[BoolId]) -> Option<OrbitIndex> {
        let mut index = OrbitIndex {
            by_piece: Vec::new(),
            variants: parts.len(),
        };
        for &part in parts {
            let (pieces, squares) = key(ir, part)?;
            index.add(pieces, squares, part);
        }
        (parts.len() >= 8).then_some(index)
    }

    fn add(&mut self, pieces: u16, squares: u64, part: BoolId) {
        let at = match self.by_piece.iter().position(|(p, _)| *p == pieces) {
            Some(at) => at,
            None => {
                self.by_piece.push((pieces, vec![Vec::new(); 64]));
                self.by_piece.len() - 1
            }
        };
        for square in bits(squares) {
            self.by_piece[at].1[square as usize].push(part);
        }
    }

    /// The kinds of pieces that decide, with the variants for each square.
    pub fn kinds(&self) -> &[(u16, Vec<Vec<BoolId>>)] {
        &self.by_piece
    }
}

/// The condition of a variant that rules most others out: the rarest piece on the fewest squares.
fn key(ir: &Ir, part: BoolId) -> Option<(u16, u64)> {
    let mut conditions = Vec::new();
    necessary(ir, part, &mut conditions);
    let designators = conditions.into_iter().filter_map(|id| match ir.bool(id) {
        Bool::NonEmpty(set) => match *ir.set(*set) {
            Set::Pieces { pieces, squares }
                if pieces.count_ones() == 1 && squares.count_ones() <= 4 =>
            {
                Some((pieces, squares))
            }
            _ => None,
        },
        _ => None,
    });
    designators.min_by_key(|&(pieces, squares)| rarity(pieces) * squares.count_ones())
}

/// About how many of a kind of piece are on a board.
fn rarity(piece: u16) -> u32 {
    match piece.trailing_zeros() % 6 {
        5 => 1,
        4 => 2,
        0 => 8,
        _ if piece == 1 << 12 => 64,
        _ => 3,
    }
}

/// What is known of an echo's body.
#[derive(Clone, Copy, Debug, Default)]
struct Echo {}

/// Targets of an echo, in order.
pub(crate) struct Targets {
    next: u32,
    end: u32,
}

impl Targets {
    pub fn next(&mut self, _positions: &Positions) -> Option<u32> {
        let here = self.next;
        self.next += 1;
        (here < self.end).then_some(here)
    }
}
