//! The parts of a node, and the variables that a node reads.
//!
//! Each match is exhaustive, so that no part of a new kind of node is overlooked.

use super::*;
use crate::ast::{Bound, Range, Variable};

/// The parts of larger queries are not all looked at.
const MOST_VISITS: u32 = 10_000;
/// The values of more variables are not compared.
const MOST_READ: usize = 8;

/// A node of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AnyId {
    Bool(BoolId),
    Set(SetId),
    Num(NumId),
    Text(TextId),
    Place(PlaceId),
    Move(MoveId),
    Dash(DashId),
    Con(ConId),
    Line(LineId),
    Path(PathId),
    Imagine(ImagineId),
}

macro_rules! any_id {
    ($($variant:ident $id:ident;)*) => { $(
        impl From<$id> for AnyId {
            fn from(id: $id) -> AnyId {
                AnyId::$variant(id)
            }
        }
    )* };
}
any_id! {
    Bool BoolId;
    Set SetId;
    Num NumId;
    Text TextId;
    Place PlaceId;
    Move MoveId;
    Dash DashId;
    Con ConId;
    Line LineId;
    Path PathId;
    Imagine ImagineId;
}

impl From<Key> for AnyId {
    fn from(key: Key) -> AnyId {
        match key {
            Key::Num(id) => id.into(),
            Key::Text(id) => id.into(),
            Key::Set(id) => id.into(),
            Key::Place(id) => id.into(),
            Key::Bool(id) => id.into(),
        }
    }
}

/// The parts of one node.
#[derive(Default)]
pub(super) struct Parts {
    pub nodes: Vec<AnyId>,
    /// The variables whose values the node itself uses.
    pub reads: Vec<VarId>,
}

impl Parts {
    fn add(&mut self, id: impl Into<AnyId>) {
        self.nodes.push(id.into());
    }

    fn all<T: Copy + Into<AnyId>>(&mut self, ids: &[T]) {
        ids.iter().for_each(|&id| self.add(id));
    }

    fn some<T: Into<AnyId>>(&mut self, id: Option<T>) {
        self.nodes.extend(id.map(Into::into));
    }

    fn read(&mut self, var: VarId) {
        self.reads.push(var);
    }

    fn range(&mut self, range: Range) {
        for bound in [range.min, range.max] {
            if let Bound::Variable(var) = bound {
                self.read(var);
            }
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Var { var, .. } => self.read(*var),
                Piece::Value(key) => self.add(*key),
            }
        }
    }

    fn flow<T: Copy + Into<AnyId>>(&mut self, flow: &Flow<T>) {
        match flow {
            Flow::Seq(conditions, value) => {
                self.all(conditions);
                self.add(*value);
            }
            Flow::If(test, then, otherwise) => {
                self.add(*test);
                self.all(&[*then, *otherwise]);
            }
            Flow::At(place, value) => {
                self.add(*place);
                self.add(*value);
            }
            Flow::Dash(dash, value) => {
                self.add(*dash);
                self.add(*value);
            }
            Flow::Imagine(id, value) => {
                self.add(*id);
                self.add(*value);
            }
        }
    }

    fn bool(&mut self, node: &Bool) {
        match node {
            Bool::Const(_)
            | Bool::Count(_)
            | Bool::Test(_)
            | Bool::ToMove(_)
            | Bool::Result(_)
            | Bool::HasNag(_)
            | Bool::RemoveTag(_)
            | Bool::RemoveComment
            | Bool::Similar { .. } => {}
            Bool::And(ids) | Bool::Or(ids) | Bool::Orbit(ids) => self.all(ids),
            Bool::Not(id) | Bool::Loop(id) | Bool::Assert(id, _) => self.add(*id),
            Bool::Flow(flow) => self.flow(flow),
            Bool::NonEmpty(set) | Bool::AssignPiece(_, set) => self.add(*set),
            Bool::HasNum(num) => self.add(*num),
            Bool::HasText(text) | Bool::SetTag(_, text) | Bool::OutputFile(text) => self.add(*text),
            Bool::HasPlace(place) => self.add(*place),
            Bool::Subset(a, b) | Bool::SetEq(a, b) => self.all(&[*a, *b]),
            Bool::Any { set, body, .. } => {
                self.add(*set);
                self.add(*body);
            }
            Bool::Assign(assign) => self.add(assign.value()),
            Bool::AssignSlice(var, from, to, text) => {
                self.read(*var);
                self.some(*from);
                self.some(*to);
                self.add(*text);
            }
            // what is unbound is no longer what it was
            Bool::Unbind(var) | Bool::IsBound(var) => self.read(*var),
            Bool::Store(dict, key, value) => {
                self.read(*dict);
                self.all(&[*key, *value]);
            }
            Bool::Forget(dict, key) => {
                self.read(*dict);
                self.add(*key);
            }
            Bool::EachKey { dict, body, .. } => {
                self.read(*dict);
                self.add(*body);
            }
            Bool::IfOnly(a, b) | Bool::While(a, b) => self.all(&[*a, *b]),
            Bool::WhileMatch {
                text,
                pattern,
                body,
            } => {
                self.all(&[*text, *pattern]);
                self.add(*body);
            }
            Bool::Move(id) => self.add(*id),
            Bool::Dash(dash, target) => {
                self.add(*dash);
                self.some(*target);
            }
            Bool::Echo { body, .. } => self.add(*body),
            Bool::Contains { text, part } => self.all(&[*text, *part]),
            Bool::Comment(parts) | Bool::Message { parts, .. } => self.pieces(parts),
            Bool::Ancestor(a, b) | Bool::PlaceNe(a, b) => self.all(&[*a, *b]),
            Bool::Equal(a, b) => self.all(&[*a, *b]),
            Bool::WriteFile(a, b) | Bool::TextNe(a, b) => self.all(&[*a, *b]),
            Bool::NumNe(a, b) => self.all(&[*a, *b]),
        }
    }

    fn set(&mut self, node: &Set) {
        match node {
            Set::Const(_)
            | Set::Pieces { .. }
            | Set::Pawns(_)
            | Set::Mate(_)
            | Set::MoveFrom
            | Set::MoveTo
            | Set::EnPassantSquare
            | Set::Promoted => {}
            Set::Var(var) | Set::PieceVar(var) => self.read(*var),
            Set::Flow(flow) => self.flow(flow),
            Set::Not(set) => self.add(*set),
            Set::And(sets) | Set::Or(sets) | Set::Orbit(sets) | Set::Ray { sets, .. } => {
                self.all(sets)
            }
            Set::Same(a, b) => self.all(&[*a, *b]),
            Set::Step { range, of, .. } => {
                self.range(*range);
                self.add(*of);
            }
            Set::Attackers(a, b) | Set::Attacked(a, b) | Set::Between(a, b) => self.all(&[*a, *b]),
            Set::Pin(pin) => [pin.from, pin.through, pin.to]
                .into_iter()
                .for_each(|set| self.some(set)),
            Set::Each { set, body, .. } => {
                self.add(*set);
                self.add(*body);
            }
            Set::MakeSquare(a, b) => self.all(&[*a, *b]),
            Set::NamedSquare(text) => self.add(*text),
            Set::Move(id) => self.add(*id),
            Set::LegalDash { dash, .. } => self.add(*dash),
            Set::Lookup(dict, key) => {
                self.read(*dict);
                self.add(*key);
            }
        }
    }

    fn num(&mut self, node: &Num) {
        match node {
            Num::Const(_)
            | Num::Measure(_)
            | Num::Elo(_)
            | Num::Year
            | Num::GroupStart(_)
            | Num::Award { .. } => {}
            Num::Var(var) | Num::Entries(var) => self.read(*var),
            Num::Flow(flow) => self.flow(flow),
            Num::Card(set) | Num::OfSet(_, set) => self.add(*set),
            Num::Length(text) | Num::Int(text) | Num::Ascii(text) => self.add(*text),
            Num::Calc(_, a, b) | Num::Compare(_, a, b) => self.all(&[*a, *b]),
            Num::Negate(num) | Num::Abs(num) | Num::Sqrt(num) => self.add(*num),
            Num::Extreme { args, .. } | Num::OrbitMax(args) => self.all(args),
            Num::Distance(a, b) => self.all(&[*a, *b]),
            Num::IndexOf(a, b) => self.all(&[*a, *b]),
            Num::Find { range, body, .. } => {
                self.range(*range);
                self.add(*body);
            }
            Num::Echo { body, .. } => self.add(*body),
            Num::Consecutive {
                range, left, right, ..
            } => {
                range.iter().for_each(|&range| self.range(range));
                self.all(&[*left, *right]);
            }
            Num::OrbitCount { range, parts } => {
                self.range(*range);
                self.all(parts);
            }
            Num::Move(id) => self.add(*id),
            Num::DashCount(dash, target) => {
                self.add(*dash);
                self.some(*target);
            }
            Num::LegalCount { dash, .. } => self.add(*dash),
            Num::Line(id) => self.add(*id),
            Num::Path(id) => self.add(*id),
            Num::Sort { value, .. } => self.add(*value),
            Num::Lookup(dict, key) => {
                self.read(*dict);
                self.add(*key);
            }
        }
    }

    fn text(&mut self, node: &Text) {
        match node {
            Text::Const(_)
            | Text::Group(_)
            | Text::Tag(_)
            | Text::Players
            | Text::OriginalComment
            | Text::Fen
            | Text::Fen62
            | Text::Variant
            | Text::ZobristKey
            | Text::CastlingRights
            | Text::CurrentMutation
            | Text::Composer => {}
            Text::Var(var) => self.read(*var),
            Text::Flow(flow) => self.flow(flow),
            Text::Join(a, b) | Text::Match(a, b) | Text::Compare(_, a, b) | Text::Pipe(a, b) => {
                self.all(&[*a, *b])
            }
            Text::Slice(text, from, to) => {
                self.add(*text);
                self.some(*from);
                self.some(*to);
            }
            Text::Char(text, index) => {
                self.add(*text);
                self.add(*index);
            }
            Text::Str(parts) => self.pieces(parts),
            Text::FromAscii(num) => self.add(*num),
            Text::Upper(text) | Text::Lower(text) | Text::ReadFile(text) => self.add(*text),
            Text::TypeName(set) | Text::PieceName(set) => self.add(*set),
            Text::Extreme { args, .. } => self.all(args),
            Text::Sort { value, .. } => self.add(*value),
            Text::Lookup(dict, key) => {
                self.read(*dict);
                self.add(*key);
            }
        }
    }

    fn place(&mut self, node: &Place) {
        match node {
            Place::Here
            | Place::Parent
            | Place::Root
            | Place::PathStart
            | Place::PathLast
            | Place::Save => {}
            Place::Child(num) | Place::Number(num) => self.add(*num),
            Place::Var(var) => self.read(*var),
            Place::Flow(flow) => self.flow(flow),
            Place::Lca(a, b) | Place::ById(_, a, b) | Place::ByAncestry(_, a, b) => {
                self.all(&[*a, *b])
            }
            Place::Find { body, .. } => self.add(*body),
            Place::Line(id) => self.add(*id),
            Place::Path(id) => self.add(*id),
            Place::Lookup(dict, key) => {
                self.read(*dict);
                self.add(*key);
            }
        }
    }

    fn rest(&mut self, ir: &Ir, id: AnyId) {
        match id {
            AnyId::Move(id) => {
                let spec = ir.mv(id);
                for set in [spec.from, spec.to, spec.capture, spec.en_passant] {
                    self.some(set);
                }
                self.pieces(&spec.comment);
                self.some(spec.target.map(|(target, _)| target));
            }
            AnyId::Dash(id) => {
                let spec = ir.dash(id);
                self.some(spec.left);
                self.some(spec.right);
                if let Some(Promotion::Text(text)) = spec.promotion {
                    self.add(text);
                }
            }
            AnyId::Con(id) => match ir.con(id) {
                Con::Filter { body, .. } => self.add(*body),
                Con::Dash(dash, target) => {
                    self.add(*dash);
                    self.some(*target);
                }
                Con::Chain(cons) => self.all(cons),
                Con::Repeat { of, .. } => self.add(*of),
            },
            AnyId::Line(id) => {
                let spec = ir.line(id);
                spec.range.iter().for_each(|&range| self.range(range));
                self.all(&spec.parts);
            }
            AnyId::Path(id) => {
                let spec = ir.path(id);
                spec.range.iter().for_each(|&range| self.range(range));
                self.some(spec.focus.map(|(set, _)| set));
                self.some(spec.max);
                self.all(&spec.parts);
            }
            AnyId::Imagine(id) => {
                let puts = ir.imagine(id).put.iter();
                puts.for_each(|(_, set)| self.add(*set));
            }
            AnyId::Bool(_) | AnyId::Set(_) | AnyId::Num(_) | AnyId::Text(_) | AnyId::Place(_) => {}
        }
    }

    pub fn of(ir: &Ir, id: AnyId) -> Parts {
        let mut parts = Parts::default();
        match id {
            AnyId::Bool(id) => parts.bool(ir.bool(id)),
            AnyId::Set(id) => parts.set(ir.set(id)),
            AnyId::Num(id) => parts.num(ir.num(id)),
            AnyId::Text(id) => parts.text(ir.text(id)),
            AnyId::Place(id) => parts.place(ir.place(id)),
            other => parts.rest(ir, other),
        }
        parts
    }
}

impl Ir {
    /// The nodes that a node is made of.
    pub fn parts(&self, id: AnyId) -> Vec<AnyId> {
        Parts::of(self, id).nodes
    }

    /// Whether an assignment within a node changes one of some variables.
    pub fn assigns_any(&self, root: AnyId, variables: &[VarId]) -> bool {
        let mut seen = FxHashMap::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if seen.insert(id, ()).is_some() {
                continue;
            }
            let changed = match id {
                AnyId::Bool(id) => match *self.bool(id) {
                    Bool::Assign(assign) => Some(assign.variable()),
                    Bool::AssignPiece(var, _)
                    | Bool::AssignSlice(var, ..)
                    | Bool::Unbind(var)
                    | Bool::EachKey { var, .. } => Some(var),
                    _ => None,
                },
                _ => None,
            };
            if changed.is_some_and(|var| variables.contains(&var)) {
                return true;
            }
            work.extend(Parts::of(self, id).nodes);
        }
        false
    }

    /// Whether a condition reads only squares that its own loops give.
    pub fn is_closed(&self, id: BoolId) -> bool {
        let mut left = MOST_VISITS;
        self.closed(id.into(), &mut Vec::new(), &mut left) && left > 0
    }

    fn closed(&self, id: AnyId, scope: &mut Vec<VarId>, left: &mut u32) -> bool {
        *left = left.saturating_sub(1);
        let stateful = match id {
            AnyId::Num(id) => matches!(self.num(id), Num::GroupStart(_)),
            AnyId::Text(id) => matches!(self.text(id), Text::Group(_) | Text::ReadFile(_)),
            _ => false,
        };
        let bound = match id {
            AnyId::Bool(id) => match *self.bool(id) {
                Bool::Any { var, is_piece, .. } => Some((var, is_piece)),
                _ => None,
            },
            AnyId::Set(id) => match *self.set(id) {
                Set::Each { var, is_piece, .. } => Some((var, is_piece)),
                _ => None,
            },
            _ => None,
        };
        if *left == 0 || stateful || bound.is_some_and(|(_, is_piece)| is_piece) {
            return false;
        }
        let depth = scope.len();
        scope.extend(bound.map(|(var, _)| var));
        let parts = Parts::of(self, id);
        let closed = parts.reads.iter().all(|var| scope.contains(var))
            && parts.nodes.iter().all(|&id| self.closed(id, scope, left));
        scope.truncate(depth);
        closed
    }

    /// The variables that a node reads.
    pub fn reads(&self, root: AnyId) -> Vec<VarId> {
        let mut reads = Vec::new();
        self.each_part(root, |_, parts| reads.extend(&parts.reads));
        reads
    }

    /// The variables on whose values a node depends; none if they are many, positions or
    /// dictionaries, or if it depends on the last match of a text or on a file.
    pub fn variables_read(&self, root: AnyId, variables: &[Variable]) -> Option<Box<[VarId]>> {
        let (mut reads, mut is_stateful) = (Vec::new(), false);
        self.each_part(root, |id, parts| {
            reads.extend(&parts.reads);
            is_stateful |= match id {
                AnyId::Num(id) => {
                    matches!(
                        self.num(id),
                        Num::GroupStart(_) | Num::Entries(_) | Num::Lookup(..)
                    )
                }
                AnyId::Text(id) => matches!(
                    self.text(id),
                    Text::Group(_) | Text::ReadFile(_) | Text::Pipe(..) | Text::Lookup(..)
                ),
                AnyId::Set(id) => matches!(self.set(id), Set::Lookup(..)),
                AnyId::Place(id) => matches!(self.place(id), Place::Lookup(..)),
                _ => false,
            };
        });
        reads.sort();
        reads.dedup();
        let is_plain = |var: &VarId| {
            let ty = variables[var.0 as usize].ty;
            matches!(ty, Type::Set | Type::Number | Type::Text)
        };
        let is_usable = !is_stateful && reads.len() <= MOST_READ && reads.iter().all(is_plain);
        is_usable.then(|| reads.into())
    }

    /// The variables and dictionaries that evaluating a node may change.
    pub fn changes(&self, root: AnyId) -> Vec<VarId> {
        let mut changes = Vec::new();
        self.each_part(root, |id, _| match id {
            AnyId::Bool(id) => match *self.bool(id) {
                Bool::Assign(assign) => changes.push(assign.variable()),
                Bool::AssignPiece(var, _)
                | Bool::AssignSlice(var, ..)
                | Bool::Unbind(var)
                | Bool::Store(var, ..)
                | Bool::Forget(var, _)
                | Bool::Any { var, .. }
                | Bool::EachKey { var, .. } => changes.push(var),
                Bool::Echo { source, target, .. } => changes.extend([source, target]),
                _ => {}
            },
            AnyId::Set(id) => {
                if let Set::Each { var, .. } = *self.set(id) {
                    changes.push(var);
                }
            }
            AnyId::Num(id) => {
                if let Num::Echo { source, target, .. } = *self.num(id) {
                    changes.extend([source, target]);
                }
            }
            _ => {}
        });
        changes
    }

    /// Calls `f` with each node that a node is made of, and its parts.
    fn each_part(&self, root: AnyId, mut f: impl FnMut(AnyId, &Parts)) {
        let mut seen = FxHashMap::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if seen.insert(id, ()).is_some() {
                continue;
            }
            let parts = Parts::of(self, id);
            f(id, &parts);
            work.extend(parts.nodes);
        }
    }

    /// Whether a node reads one of some variables, apart from its parts within `except`.
    pub fn reads_any(&self, root: AnyId, variables: &[VarId], except: Option<AnyId>) -> bool {
        let mut seen = FxHashMap::default();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            let is_new = seen.insert(id, ()).is_none();
            if !is_new || except == Some(id) {
                continue;
            }
            let parts = Parts::of(self, id);
            if parts.reads.iter().any(|var| variables.contains(var)) {
                return true;
            }
            work.extend(parts.nodes);
        }
        false
    }
}
