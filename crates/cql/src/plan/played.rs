//! Moves and ends that a game must have for a condition to hold in it, known before its boards.
//!
//! A need is a conjunction of clauses; a clause is met by any one of its alternatives. Everything
//! here may ask for less than a condition needs, never for more.

use crate::ast::{Bound, Compare, MoveMode, PinPart, Range, VarId, Variable};
use crate::ir::*;
use chess::Move;
use std::cell::Cell;

/// More clauses than this are not kept.
const MOST_CLAUSES: usize = 8;
/// Larger queries are not searched for the assignments of a variable.
const MOST_VISITS: u32 = 2_000;

const CASTLING: u16 = 1 << 7;
const EN_PASSANT: u16 = 1 << 8;
const DROP: u16 = 1 << 9;
const PROMOTIONS: u16 = 0b0111_1100_0000_0000;
const NULL: u16 = 1 << 15;
const ANY_KIND: u16 = !1;
const PAWN: u16 = 1 << 1;
const ROOK: u16 = 1 << 4;
const KING: u16 = 1 << 6;

/// A played move of one of these kinds, from and to these squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct MoveNeed {
    /// By the kind in the bits of a move: 1 to 6 plain, by role; castling, en passant, drop, five
    /// promotions, null move.
    kinds: u16,
    from: u64,
    to: u64,
}

impl MoveNeed {
    fn of_kinds(kinds: u16) -> MoveNeed {
        MoveNeed {
            kinds,
            from: !0,
            to: !0,
        }
    }

    fn or(self, other: MoveNeed) -> MoveNeed {
        MoveNeed {
            kinds: self.kinds | other.kinds,
            from: self.from | other.from,
            to: self.to | other.to,
        }
    }

    #[inline]
    fn is_met_by(&self, mv: Move) -> bool {
        let bits = mv.bits();
        let kind = 1u16 << (bits & 15);
        if self.kinds & kind == 0 {
            return false;
        }
        // the squares of these are not those of one moving piece
        let anywhere = kind & (CASTLING | EN_PASSANT | DROP | NULL) != 0;
        anywhere || self.from >> (bits >> 10) & self.to >> (bits >> 4 & 63) & 1 != 0
    }
}

/// One of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Clause {
    mv: MoveNeed,
    /// A secondary move.
    secondary: bool,
    mate: bool,
    stalemate: bool,
}

impl Clause {
    fn of_move(mv: MoveNeed) -> Clause {
        Clause {
            mv,
            ..Clause::default()
        }
    }

    fn or(self, other: Clause) -> Clause {
        Clause {
            mv: self.mv.or(other.mv),
            secondary: self.secondary || other.secondary,
            mate: self.mate || other.mate,
            stalemate: self.stalemate || other.stalemate,
        }
    }

    fn is_decided_by_moves(&self) -> bool {
        !self.mate && !self.stalemate
    }

    fn is_met_by_moves(&self, moves: &Moves) -> bool {
        self.secondary && moves.has_secondary
            || self.mv.kinds != 0 && moves.played.iter().any(|&mv| self.mv.is_met_by(mv))
    }
}

/// The moves of a game that a query can reach.
#[derive(Default)]
pub(crate) struct Moves {
    pub played: Vec<Move>,
    pub has_secondary: bool,
}

/// What a game must have: every clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlayedNeed(Vec<Clause>);

impl PlayedNeed {
    fn one(clause: Clause) -> PlayedNeed {
        PlayedNeed(vec![clause])
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn and(mut self, other: PlayedNeed) -> PlayedNeed {
        for clause in other.0 {
            if !self.0.contains(&clause) && self.0.len() < MOST_CLAUSES {
                self.0.push(clause);
            }
        }
        self
    }

    /// One or the other: any pair of their clauses is a clause of both.
    fn or(self, other: PlayedNeed) -> PlayedNeed {
        let both = |(a, b): (Clause, Clause)| a.or(b);
        let mut all = PlayedNeed::default();
        if self.0.len() == other.0.len() {
            // variants of a transform: their clauses correspond
            let pairs = self.0.into_iter().zip(other.0).map(both);
            return pairs.fold(all, |all, clause| all.and(PlayedNeed::one(clause)));
        }
        for &a in &self.0 {
            for &b in &other.0 {
                all = all.and(PlayedNeed::one(a.or(b)));
            }
        }
        all
    }

    /// False if the moves rule out the condition.
    pub fn may_be_met_by(&self, moves: &Moves) -> bool {
        let met = |clause: &Clause| !clause.is_decided_by_moves() || clause.is_met_by_moves(moves);
        self.0.iter().all(met)
    }

    /// The ends that decide, if the moves do not: a mate, a stalemate or either.
    pub fn ends<'n>(&'n self, moves: &'n Moves) -> impl Iterator<Item = (bool, bool)> + 'n {
        let open = self.0.iter().filter(|c| !c.is_decided_by_moves());
        open.filter(|c| !c.is_met_by_moves(moves))
            .map(|c| (c.mate, c.stalemate))
    }
}

/// The pieces and squares that a set can have at most.
#[derive(Clone, Copy)]
struct Extent {
    pieces: u16,
    squares: u64,
}

const ANYTHING: Extent = Extent {
    pieces: !0,
    squares: !0,
};
const NOTHING: Extent = Extent {
    pieces: 0,
    squares: 0,
};

impl Extent {
    fn or(self, other: Extent) -> Extent {
        Extent {
            pieces: self.pieces | other.pieces,
            squares: self.squares | other.squares,
        }
    }

    fn and(self, other: Extent) -> Extent {
        Extent {
            pieces: self.pieces & other.pieces,
            squares: self.squares & other.squares,
        }
    }

    /// The kinds of moves by these pieces.
    fn kinds(self) -> u16 {
        let roles = ((self.pieces | self.pieces >> 6) & 0b11_1111) << 1;
        let mut kinds = roles;
        if roles & PAWN != 0 {
            kinds |= EN_PASSANT | PROMOTIONS;
        }
        if roles & (KING | ROOK) != 0 {
            kinds |= CASTLING | NULL;
        }
        kinds
    }
}

/// Derives needs from conditions.
pub(crate) struct PlayedAnalysis<'i> {
    ir: &'i Ir,
    /// The extent of each variable, whichever filter gives it a value.
    variables: Vec<Extent>,
    /// Only what is tested before the first effect counts.
    until_effect: bool,
    /// The query, for the places where variables get their values.
    root: BoolId,
    /// True while those places are searched, as what they need may depend on variables again.
    searching: Cell<bool>,
    /// Variables with a value before the first game.
    preset: Vec<bool>,
}

impl<'i> PlayedAnalysis<'i> {
    /// None if conditions can be about moves that were not played.
    pub fn new(
        ir: &'i Ir,
        variables: &[Variable],
        root: BoolId,
        until_effect: bool,
    ) -> Option<Self> {
        let unplayed = |spec: &MoveSpec| {
            !matches!(spec.mode, MoveMode::Played | MoveMode::Previous) && spec.target.is_some()
        };
        if ir.imagines.len() > 0 || ir.moves.iter().any(unplayed) {
            return None;
        }
        let mut analysis = PlayedAnalysis {
            ir,
            variables: vec![NOTHING; variables.len()],
            until_effect,
            root,
            searching: Cell::new(false),
            preset: variables.iter().map(|v| v.preset.is_some()).collect(),
        };
        analysis.learn_variables(variables);
        Some(analysis)
    }

    /// The need of the whole query; none if a game without a match can have a lasting effect.
    pub fn of_query(&self, variables: &[Variable]) -> PlayedNeed {
        let lasts = |node: &Bool| {
            matches!(
                node,
                Bool::Message { .. }
                    | Bool::Assert(..)
                    | Bool::WriteFile(..)
                    | Bool::OutputFile(_)
                    | Bool::SetTag(..)
                    | Bool::RemoveTag(_)
            )
        };
        let pipes = |text: &Text| matches!(text, Text::Pipe(..));
        if variables.iter().any(|v| v.persistent)
            || self.ir.bools.iter().any(lasts)
            || self.ir.texts.iter().any(pipes)
        {
            return PlayedNeed::default();
        }
        self.bool(self.root)
    }

    pub fn of_path(&self, id: PathId) -> PlayedNeed {
        self.cons(&self.ir.path(id).parts)
    }

    pub fn of_line(&self, id: LineId) -> PlayedNeed {
        self.cons(&self.ir.line(id).parts)
    }

    // --- extents ---

    /// A variable has at most the extent of all filters that bind it; the extents of variables
    /// that depend on others grow until they no longer change.
    fn learn_variables(&mut self, variables: &[Variable]) {
        for (extent, variable) in self.variables.iter_mut().zip(variables) {
            if variable.persistent || variable.preset.is_some() {
                *extent = ANYTHING;
            }
        }
        for _ in 0..variables.len() + 1 {
            for node in self.ir.bools.iter() {
                match node {
                    Bool::Any { var, set, .. } | Bool::AssignPiece(var, set) => {
                        self.widen(var.0, *set, variables)
                    }
                    Bool::Assign(Assign::Set { var, value, .. }) => {
                        self.widen(var.0, *value, variables)
                    }
                    Bool::EachKey { var, .. } => self.variables[var.0 as usize] = ANYTHING,
                    _ => {}
                }
            }
            for node in self.ir.sets.iter() {
                if let Set::Each { var, set, .. } = node {
                    self.widen(var.0, *set, variables);
                }
            }
        }
    }

    fn widen(&mut self, var: u32, set: SetId, variables: &[Variable]) {
        let mut extent = self.extent(set);
        if variables[var as usize].is_piece {
            extent.squares = !0;
            // a pawn may promote
            for pawn in [1u16, 1 << 6] {
                if extent.pieces & pawn != 0 {
                    extent.pieces |= pawn * 0b11_1111;
                }
            }
        } else {
            extent.pieces = !0;
        }
        let known = &mut self.variables[var as usize];
        *known = known.or(extent);
    }

    fn extent(&self, id: SetId) -> Extent {
        let union = |ids: &[SetId]| ids.iter().fold(NOTHING, |all, &id| all.or(self.extent(id)));
        match self.ir.set(id) {
            Set::Pieces { pieces, squares } => Extent {
                pieces: *pieces,
                squares: *squares,
            },
            Set::Const(squares) => Extent {
                pieces: !0,
                squares: *squares,
            },
            Set::Var(var) | Set::PieceVar(var) => self.variables[var.0 as usize],
            Set::And(ids) => ids
                .iter()
                .fold(ANYTHING, |all, &id| all.and(self.extent(id))),
            Set::Or(ids) | Set::Orbit(ids) => union(ids),
            Set::Flow(Flow::Seq(_, set)) => self.extent(*set),
            Set::Flow(Flow::If(_, then, otherwise)) => union(&[*then, *otherwise]),
            Set::Each { set, .. } => self.extent(*set),
            Set::Attackers(from, _) => self.extent(*from),
            Set::Attacked(_, to) => self.extent(*to),
            Set::Pin(spec) => {
                let part = match spec.value {
                    PinPart::From => spec.from,
                    PinPart::Through => spec.through,
                    PinPart::To => spec.to,
                };
                part.map_or(ANYTHING, |set| self.extent(set))
            }
            _ => ANYTHING,
        }
    }

    fn extent_or_any(&self, set: Option<SetId>) -> Extent {
        set.map_or(ANYTHING, |set| self.extent(set))
    }

    // --- needs ---

    /// All of some conditions in order.
    fn all<T: HasProps>(&self, parts: &[T], of: impl Fn(T) -> PlayedNeed) -> PlayedNeed {
        let mut need = PlayedNeed::default();
        for &part in parts {
            need = need.and(of(part));
            if self.until_effect && !part.props(self.ir).is_pure() {
                break;
            }
        }
        need
    }

    fn any<T: Copy>(&self, parts: &[T], of: impl Fn(T) -> PlayedNeed) -> PlayedNeed {
        let needs = parts.iter().map(|&part| of(part));
        needs.reduce(PlayedNeed::or).unwrap_or_default()
    }

    /// One part, then another unless the first has effects.
    fn then(&self, first: PlayedNeed, pure: bool, rest: impl FnOnce() -> PlayedNeed) -> PlayedNeed {
        if self.until_effect && !pure {
            return first;
        }
        first.and(rest())
    }

    fn bool(&self, id: BoolId) -> PlayedNeed {
        match self.ir.bool(id) {
            Bool::And(ids) => self.all(ids, |id| self.bool(id)),
            Bool::Or(ids) | Bool::Orbit(ids)
                if !self.until_effect || id.props(self.ir).is_pure() =>
            {
                self.any(ids, |id| self.bool(id))
            }
            Bool::Not(id) if *self.ir.bool(*id) == Bool::Test(Test::Mainline) => secondary(),
            Bool::Flow(flow) => self.flow(flow, |id| self.bool(id)),
            Bool::NonEmpty(set) => self.set(*set),
            Bool::HasNum(num) => self.num(*num),
            Bool::HasPlace(place) => self.place(*place),
            Bool::Test(test) => self.test(*test),
            Bool::Any {
                set,
                body,
                all: false,
                ..
            } => self.bound(*set, *body),
            Bool::Assign(Assign::Num(_, num)) => self.num(*num),
            Bool::Assign(Assign::Place(_, place)) => self.place(*place),
            Bool::AssignPiece(_, set) => self.set(*set),
            Bool::Loop(body) => self.bool(*body),
            Bool::Move(id) => self.mv(*id),
            Bool::Dash(dash, target) => self.dash(*dash, *target),
            Bool::Echo { body, .. } => self.bool(*body),
            _ => PlayedNeed::default(),
        }
    }

    fn bound(&self, set: SetId, body: BoolId) -> PlayedNeed {
        self.then(self.set(set), set.props(self.ir).is_pure(), || {
            self.bool(body)
        })
    }

    fn flow<T: HasProps>(&self, flow: &Flow<T>, of: impl Fn(T) -> PlayedNeed) -> PlayedNeed {
        match flow {
            Flow::Seq(conditions, value) => {
                let need = self.all(conditions, |id| self.bool(id));
                self.then(need, conditions[..].props(self.ir).is_pure(), || of(*value))
            }
            Flow::If(test, then, otherwise) => {
                self.then(PlayedNeed::default(), test.props(self.ir).is_pure(), || {
                    of(*then).or(of(*otherwise))
                })
            }
            Flow::At(place, value) => {
                self.then(self.place(*place), place.props(self.ir).is_pure(), || {
                    of(*value)
                })
            }
            Flow::Dash(dash, value) => self.then(
                self.dash(*dash, None),
                dash.props(self.ir).is_pure(),
                || of(*value),
            ),
            Flow::Imagine(..) => PlayedNeed::default(),
        }
    }

    fn test(&self, test: Test) -> PlayedNeed {
        match test {
            Test::Mate => end(true),
            Test::Stalemate => end(false),
            Test::Secondary | Test::Try => secondary(),
            Test::Castle | Test::ShortCastle | Test::LongCastle => kinds(CASTLING),
            Test::EnPassant => kinds(EN_PASSANT),
            Test::NullMove => kinds(NULL),
            _ => PlayedNeed::default(),
        }
    }

    /// For a set not to be empty.
    fn set(&self, id: SetId) -> PlayedNeed {
        match self.ir.set(id) {
            Set::And(ids) => self.all(ids, |id| self.set(id)),
            Set::Ray { sets, .. } => self.all(sets, |id| self.set(id)),
            Set::Or(ids) | Set::Orbit(ids) if !self.until_effect => {
                self.any(ids, |id| self.set(id))
            }
            Set::Flow(flow) => self.flow(flow, |id| self.set(id)),
            Set::Each { set, body, .. } => self.bound(*set, *body),
            Set::Attackers(a, b) | Set::Attacked(a, b) | Set::Between(a, b) => {
                self.all(&[*a, *b], |id| self.set(id))
            }
            Set::Step { of, .. } => self.set(*of),
            Set::Move(id) => self.mv(*id),
            Set::Mate(kind) => end(!kind.stalemate),
            Set::EnPassantSquare => kinds(EN_PASSANT),
            Set::Promoted => kinds(PROMOTIONS),
            _ => PlayedNeed::default(),
        }
    }

    /// For a number to have a value.
    fn num(&self, id: NumId) -> PlayedNeed {
        match self.ir.num(id) {
            Num::Flow(flow) => self.flow(flow, |id| self.num(id)),
            Num::Calc(_, a, b) => self.all(&[*a, *b], |id| self.num(id)),
            Num::Compare(op, a, b) => self.compare(*op, *a, *b),
            Num::Negate(num) | Num::Abs(num) | Num::Sqrt(num) => self.num(*num),
            Num::Find { range, body, .. } if least(*range) >= 1 => self.bool(*body),
            Num::Echo { body, .. } => self.num(*body),
            Num::OrbitCount { range, parts } if least(*range) >= 1 && !self.until_effect => {
                self.any(parts, |id| self.bool(id))
            }
            Num::OrbitMax(parts) if !self.until_effect => self.any(parts, |id| self.num(id)),
            Num::Extreme { args, .. } if !self.until_effect => self.any(args, |id| self.num(id)),
            Num::Line(id) => self.of_line(*id),
            Num::Path(id) => self.of_path(*id),
            Num::Sort { value, .. } => self.num(*value),
            _ => PlayedNeed::default(),
        }
    }

    fn compare(&self, op: Compare, a: NumId, b: NumId) -> PlayedNeed {
        let least = |id: NumId| match self.ir.num(id) {
            Num::Const(n) => *n,
            _ => i64::MIN,
        };
        let (a_positive, b_positive) = match op {
            Compare::Greater => (least(b) >= 0, false),
            Compare::GreaterEqual => (least(b) >= 1, false),
            Compare::Less => (false, least(a) >= 0),
            Compare::LessEqual => (false, least(a) >= 1),
            Compare::Equal => (least(b) >= 1, least(a) >= 1),
            _ => (false, false),
        };
        let of = |id: NumId, positive: bool| {
            if positive {
                self.positive(id)
            } else {
                self.num(id)
            }
        };
        let raised = match op {
            Compare::Greater => self.raised(a, least(b).saturating_add(1)),
            Compare::GreaterEqual | Compare::Equal => self.raised(a, least(b)),
            _ => None,
        };
        if let Some(need) = raised {
            return need;
        }
        self.then(of(a, a_positive), a.props(self.ir).is_pure(), || {
            of(b, b_positive)
        })
    }

    /// For a variable that counts up, or the length of one, to reach a number: what is tested
    /// before some value at least as great is assigned.
    fn raised(&self, id: NumId, least: i64) -> Option<PlayedNeed> {
        let var = match *self.ir.num(id) {
            Num::Sort { value, .. } => return self.raised(value, least),
            Num::Var(var) => var,
            Num::Length(text) => match *self.ir.text(text) {
                Text::Var(var) => var,
                _ => return None,
            },
            _ => return None,
        };
        let is_preset = self.preset[var.0 as usize];
        if self.until_effect || least == i64::MIN || is_preset || self.searching.get() {
            return None;
        }
        let mut search = Raises {
            analysis: self,
            var,
            least,
            left: MOST_VISITS,
            found: None,
        };
        self.searching.set(true);
        search.bool(self.root, &PlayedNeed::default());
        self.searching.set(false);
        (search.left > 0).then_some(search.found)?
    }

    /// For a number to be 1 or more.
    fn positive(&self, id: NumId) -> PlayedNeed {
        match self.ir.num(id) {
            Num::Card(set) => self.set(*set),
            Num::Sort { value, .. } => self.positive(*value),
            Num::DashCount(dash, target) => self.dash(*dash, *target),
            Num::Move(id) => self.mv(*id),
            Num::OrbitCount { parts, .. } if !self.until_effect => {
                self.any(parts, |id| self.bool(id))
            }
            Num::OrbitMax(parts) if !self.until_effect => self.any(parts, |id| self.positive(id)),
            Num::Find { body, .. } => self.bool(*body),
            _ => self.num(id),
        }
    }

    fn place(&self, id: PlaceId) -> PlayedNeed {
        match self.ir.place(id) {
            Place::Flow(flow) => self.flow(flow, |id| self.place(id)),
            Place::Lca(a, b) | Place::ById(_, a, b) | Place::ByAncestry(_, a, b) => {
                self.all(&[*a, *b], |id| self.place(id))
            }
            Place::Find { body, .. } => self.bool(*body),
            Place::Line(id) => self.of_line(*id),
            Place::Path(id) => self.of_path(*id),
            _ => PlayedNeed::default(),
        }
    }

    fn cons(&self, cons: &[ConId]) -> PlayedNeed {
        self.all(cons, |id| self.con(id))
    }

    fn con(&self, id: ConId) -> PlayedNeed {
        match self.ir.con(id) {
            Con::Filter { body, .. } => self.bool(*body),
            Con::Dash(dash, target) => self.dash(*dash, *target),
            Con::Chain(cons) => self.cons(cons),
            Con::Repeat { min: 0, .. } => PlayedNeed::default(),
            Con::Repeat { of, .. } => self.con(*of),
        }
    }

    fn dash(&self, id: DashId, target: Option<BoolId>) -> PlayedNeed {
        let spec = self.ir.dash(id);
        let (left, right) = (
            self.extent_or_any(spec.left),
            self.extent_or_any(spec.right),
        );
        let mut kinds = left.kinds() | DROP;
        if spec.capture {
            kinds &= !(DROP | CASTLING | NULL);
        }
        kinds &= match spec.promotion {
            None => ANY_KIND,
            Some(Promotion::Pieces(pieces)) => promotions(pieces),
            Some(Promotion::Text(_)) => PROMOTIONS,
        };
        let need = MoveNeed {
            kinds,
            from: left.squares,
            to: right.squares,
        };
        self.then(of_move(need), id.props(self.ir).is_pure(), || {
            target.map(|id| self.bool(id)).unwrap_or_default()
        })
    }

    fn mv(&self, id: MoveId) -> PlayedNeed {
        let spec = self.ir.mv(id);
        if !matches!(spec.mode, MoveMode::Played | MoveMode::Previous) {
            return PlayedNeed::default();
        }
        let (from, to) = (self.extent_or_any(spec.from), self.extent_or_any(spec.to));
        let mut allowed = from.kinds() | DROP;
        for (asked, kinds) in [
            (spec.capture.is_some(), !(DROP | CASTLING | NULL)),
            (spec.en_passant.is_some(), EN_PASSANT),
            (spec.castle.is_some(), CASTLING),
            (spec.null, NULL),
            (spec.drop.is_some(), DROP),
            (
                spec.promote.is_some(),
                promotions(spec.promote.unwrap_or(0)),
            ),
        ] {
            allowed &= if asked { kinds } else { ANY_KIND };
        }
        let need = of_move(MoveNeed {
            kinds: allowed,
            from: from.squares,
            to: to.squares,
        });
        match spec.target {
            // all of no moves satisfy it
            Some((_, true)) => PlayedNeed::default(),
            _ if spec.secondary => need.and(secondary()),
            _ => need,
        }
    }
}

/// The search for assignments that raise a variable.
struct Raises<'a, 'i> {
    analysis: &'a PlayedAnalysis<'i>,
    var: VarId,
    least: i64,
    left: u32,
    /// What one of the assignments needs.
    found: Option<PlayedNeed>,
}

impl Raises<'_, '_> {
    /// Searches a condition that is evaluated after everything in `need` holds.
    fn bool(&mut self, id: BoolId, need: &PlayedNeed) {
        match self.analysis.ir.bool(id) {
            Bool::And(ids) => self.in_order(ids, need),
            Bool::Flow(Flow::Seq(ids, value)) => {
                let ids: Vec<BoolId> = ids.iter().copied().chain([*value]).collect();
                self.in_order(&ids, need);
            }
            Bool::IfOnly(test, then) => self.in_order(&[*test, *then], need),
            Bool::Assign(Assign::Num(var, num)) if *var == self.var => {
                let is_low = matches!(self.analysis.ir.num(*num), Num::Const(n) if *n < self.least);
                self.assigned(is_low, need);
                self.parts(id.into(), need);
            }
            Bool::Assign(Assign::Text(var, text)) if *var == self.var => {
                let length = |text: &str| text.chars().count() as i64;
                let is_low = matches!(self.analysis.ir.text(*text), Text::Const(t) if length(t) < self.least);
                self.assigned(is_low, need);
                self.parts(id.into(), need);
            }
            Bool::AssignSlice(var, ..) if *var == self.var => self.assigned(false, need),
            Bool::EachKey { var, .. } if *var == self.var => self.assigned(false, need),
            _ => self.parts(id.into(), need),
        }
    }

    fn assigned(&mut self, is_low: bool, need: &PlayedNeed) {
        if !is_low {
            self.found = Some(match self.found.take() {
                Some(other) => other.or(need.clone()),
                None => need.clone(),
            });
        }
    }

    fn in_order(&mut self, ids: &[BoolId], need: &PlayedNeed) {
        let mut need = need.clone();
        for &id in ids {
            self.bool(id, &need);
            need = need.and(self.analysis.bool(id));
        }
    }

    fn parts(&mut self, id: AnyId, need: &PlayedNeed) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return;
        }
        if let AnyId::Path(path) = id {
            let mut need = need.clone();
            for &con in &self.analysis.ir.path(path).parts {
                self.con(con, &need);
                need = need.and(self.analysis.con(con));
            }
            return;
        }
        for part in self.analysis.ir.parts(id) {
            match part {
                AnyId::Bool(id) => self.bool(id, need),
                other => self.parts(other, need),
            }
        }
    }

    fn con(&mut self, id: ConId, need: &PlayedNeed) {
        match self.analysis.ir.con(id) {
            Con::Dash(dash, Some(target)) => {
                let need = need.clone().and(self.analysis.dash(*dash, None));
                self.bool(*target, &need);
            }
            Con::Chain(cons) => {
                let mut need = need.clone();
                for &con in cons {
                    self.con(con, &need);
                    need = need.and(self.analysis.con(con));
                }
            }
            Con::Repeat { of, .. } => self.con(*of, need),
            Con::Dash(..) | Con::Filter { .. } => self.parts(id.into(), need),
        }
    }
}

fn of_move(need: MoveNeed) -> PlayedNeed {
    let any = MoveNeed::of_kinds(ANY_KIND);
    if need.or(any) == need {
        return PlayedNeed::default();
    }
    PlayedNeed::one(Clause::of_move(need))
}

fn kinds(kinds: u16) -> PlayedNeed {
    of_move(MoveNeed::of_kinds(kinds))
}

fn secondary() -> PlayedNeed {
    PlayedNeed::one(Clause {
        secondary: true,
        ..Clause::default()
    })
}

/// A mate, or a stalemate.
fn end(mate: bool) -> PlayedNeed {
    PlayedNeed::one(Clause {
        mate,
        stalemate: !mate,
        ..Clause::default()
    })
}

/// The promotions to one of some pieces of either colour.
fn promotions(pieces: u16) -> u16 {
    let roles = (pieces | pieces >> 6) & 0b11_1110;
    roles << 9
}

fn least(range: Range) -> i64 {
    match range.min {
        Bound::Number(n) => n,
        Bound::Variable(_) => 0,
    }
}
