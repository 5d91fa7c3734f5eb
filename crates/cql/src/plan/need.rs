//! Needs: what some position of a matching game has on the board, for indexes of whole games.

use crate::ast::Compare;
use crate::ir::*;

use crate::kinds::ROLES;
use chess::{Color, Role, Square};

/// Alternatives of a need beyond this number are not told apart.
const ALTERNATIVES: usize = 16;
/// A placement with more pieces on squares than this excludes hardly any game.
const PLACEMENTS: u32 = 64;

/// The designator of empty squares.
const EMPTY: u16 = 1 << 12;

/// What one position of every matching game has: all of these at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// For each condition, pieces on squares of which at least one is there.
    pub placements: Vec<Vec<(Color, Role, Square)>>,
    /// Bounds on the number of pieces.
    pub counts: Vec<CountNeed>,
    /// Squares that are empty, a bit each.
    pub empty: u64,
}

/// A bound on the number of pieces of some kinds together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountNeed {
    /// The kinds.
    pub pieces: Vec<(Color, Role)>,
    /// The least number.
    pub least: u8,
    /// The greatest number.
    pub most: u8,
}

impl Need {
    /// True if nothing is needed.
    pub fn is_empty(&self) -> bool {
        self.placements.is_empty() && self.counts.is_empty() && self.empty == 0
    }

    /// The pieces on the board, if the need leaves no square open.
    pub fn exact(&self) -> Option<Vec<(Color, Role, Square)>> {
        let mut pieces = Vec::new();
        let mut squares = 0;
        for placement in &self.placements {
            let &[(color, role, square)] = &placement[..] else {
                return None;
            };
            squares |= 1 << square as u32;
            pieces.push((color, role, square));
        }
        let closed = squares | self.empty == !0 || self.most() <= u64::count_ones(squares);
        closed.then_some(pieces)
    }

    /// The most pieces on the board.
    pub(super) fn most(&self) -> u32 {
        let most = |color: Color| {
            let all = |count: &&CountNeed| {
                let side = count.pieces.iter().filter(|piece| piece.0 == color);
                side.count() == ROLES.len()
            };
            let bounds = self.counts.iter().filter(all);
            bounds.map(|count| u32::from(count.most)).min()
        };
        let sides = [most(Color::White), most(Color::Black)];
        sides.iter().map(|most| most.unwrap_or(64)).sum()
    }

    fn and(&self, other: &Need) -> Need {
        Need {
            placements: [&self.placements[..], &other.placements].concat(),
            counts: [&self.counts[..], &other.counts].concat(),
            empty: self.empty | other.empty,
        }
    }
}

/// What each of some conditions on one position needs together: one of the alternatives.
pub(crate) fn needs(ir: &Ir, conditions: &[BoolId]) -> Vec<Need> {
    let mut all = vec![Need::default()];
    for &id in conditions.iter().filter(|id| id.props(ir).is_pure()) {
        all = combine(all, of_bool(ir, id));
    }
    if all.iter().any(Need::is_empty) {
        return Vec::new();
    }
    all
}

/// Both one of the first and one of the second alternatives.
fn combine(first: Vec<Need>, second: Vec<Need>) -> Vec<Need> {
    if second.iter().any(Need::is_empty) || first.len() * second.len() > ALTERNATIVES {
        return first;
    }
    let pairs = first.iter().flat_map(|a| second.iter().map(|b| a.and(b)));
    pairs.collect()
}

/// Nothing is known to be needed.
fn nothing() -> Vec<Need> {
    vec![Need::default()]
}

fn of_bool(ir: &Ir, id: BoolId) -> Vec<Need> {
    match ir.bool(id) {
        Bool::And(ids) => ids
            .iter()
            .fold(nothing(), |all, &id| combine(all, of_bool(ir, id))),
        Bool::Or(ids) | Bool::Orbit(ids) if ids.len() <= ALTERNATIVES => {
            let all: Vec<Need> = ids.iter().flat_map(|&id| of_bool(ir, id)).collect();
            match all.len() <= ALTERNATIVES {
                true => all,
                false => nothing(),
            }
        }
        Bool::NonEmpty(set) => of_set(ir, *set),
        Bool::Any {
            set, all: false, ..
        } => of_set(ir, *set),
        Bool::Count(count) => of_count(*count),
        Bool::SetEq(all, held) => match (ir.set(*all), ir.set(*held)) {
            (Set::Const(all), Set::Pieces { pieces, squares }) if all == squares => {
                of_filled(*pieces, *squares)
            }
            _ => nothing(),
        },
        _ => nothing(),
    }
}

/// A piece of these kinds on each of these squares.
fn of_filled(pieces: u16, squares: u64) -> Vec<Need> {
    if pieces == EMPTY {
        return vec![Need {
            empty: squares,
            ..Need::default()
        }];
    }
    let each = Square::ALL
        .into_iter()
        .filter(|&square| squares >> square as u32 & 1 != 0)
        .map(|square| of_pieces(pieces, 1 << square as u32));
    each.fold(nothing(), combine)
}

/// What a set needs to have a square.
fn of_set(ir: &Ir, id: SetId) -> Vec<Need> {
    let every = |sets: &[SetId]| {
        sets.iter()
            .fold(nothing(), |all, &set| combine(all, of_set(ir, set)))
    };
    match ir.set(id) {
        Set::Pieces { pieces, squares } => of_pieces(*pieces, *squares),
        Set::And(sets) | Set::Ray { sets, .. } => every(sets),
        Set::Attackers(a, b) | Set::Attacked(a, b) => every(&[*a, *b]),
        Set::Step { of, .. } => of_set(ir, *of),
        Set::Each { set, .. } => of_set(ir, *set),
        _ => nothing(),
    }
}

/// A piece of these kinds on one of these squares.
fn of_pieces(pieces: u16, squares: u64) -> Vec<Need> {
    let Some(kinds) = kinds(pieces) else {
        return nothing();
    };
    if squares == !0 {
        return vec![count_need(kinds, 1, u8::MAX)];
    }
    if kinds.len() as u32 * squares.count_ones() > PLACEMENTS {
        return nothing();
    }
    let placements = kinds.iter().flat_map(|&(color, role)| {
        Square::ALL
            .into_iter()
            .filter(move |&square| squares >> square as u32 & 1 != 0)
            .map(move |square| (color, role, square))
    });
    vec![Need {
        placements: vec![placements.collect()],
        ..Need::default()
    }]
}

/// The kinds of a designator; `None` if it names empty squares too.
fn kinds(pieces: u16) -> Option<Vec<(Color, Role)>> {
    if pieces >> 12 != 0 || pieces == 0 {
        return None;
    }
    let kind = |bit: usize| match bit < 6 {
        true => (Color::White, ROLES[bit]),
        false => (Color::Black, ROLES[bit - 6]),
    };
    Some(
        (0..12)
            .filter(|bit| pieces >> bit & 1 != 0)
            .map(kind)
            .collect(),
    )
}

fn count_need(pieces: Vec<(Color, Role)>, least: u8, most: u8) -> Need {
    let count = CountNeed {
        pieces,
        least,
        most,
    };
    Need {
        counts: vec![count],
        ..Need::default()
    }
}

/// A count over the whole board.
fn of_count(count: Count) -> Vec<Need> {
    let Some(kinds) = kinds(count.pieces).filter(|_| count.squares == !0) else {
        return nothing();
    };
    let n = count.n;
    let (least, most) = match count.op {
        Compare::Equal => (n, n),
        Compare::Greater => (n.saturating_add(1), i64::MAX),
        Compare::GreaterEqual => (n, i64::MAX),
        Compare::Less => (0, n.saturating_sub(1)),
        Compare::LessEqual => (0, n),
        _ => return nothing(),
    };
    let bounded = |n: i64| u8::try_from(n.max(0)).unwrap_or(u8::MAX);
    vec![count_need(kinds, bounded(least), bounded(most))]
}
