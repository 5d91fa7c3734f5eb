//! Syntax tree → typed nodes: transforms are applied, shorthands expanded, equal parts shared.

mod sequences;
mod values;

use std::collections::HashMap;

use crate::ast::{
    DashUse, Expr, ExprKind as Ast, Infix, Prefix, Program, Range, Simple, Type, VarId, Variable,
};
use crate::ir::*;
use crate::result::Level;
use crate::symmetry::Symmetry;
use crate::{Dialect, Options};

/// The nodes of a query and its root condition.
pub(crate) struct Lowered {
    pub ir: Ir,
    pub body: BoolId,
    /// The place of each `assert` in the source.
    pub asserts: Vec<crate::diagnostic::Span>,
    pub uses: Uses,
}

/// The data that a query needs besides the boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    /// The identity of pieces.
    pub identity: bool,
    /// A filter about the tree's shape.
    pub tree: bool,
    /// `lastgamenumber`
    pub last_game: bool,
    /// `gamenumber`
    pub game_number: bool,
    /// Tags and result.
    pub tags: bool,
    /// Comments and glyphs of the game.
    pub notes: bool,
}

pub(crate) fn lower(program: &Program, options: &Options, level: Level) -> Lowered {
    let mut lower = Lower {
        ir: Ir::new(level, program.variables.iter().any(|v| v.atomic)),
        variables: &program.variables,
        symmetry: Symmetry::IDENTITY,
        variant: 0,
        variants: HashMap::new(),
        has_bans: false,
        vanished: false,
        dialect: options.dialect,
        linearize: options.linearize,
        asserts: Vec::new(),
        uses: Uses::default(),
        sorting: 0,
    };
    if program.header.sort_match_count {
        lower.sort_key("matchcount", false, false, Type::Number);
    }
    let body = lower.condition(&program.body);
    Lowered {
        ir: lower.ir,
        body,
        asserts: lower.asserts,
        uses: lower.uses,
    }
}

/// A part of a query that bans positions by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Inside {
    /// A variant of a transform.
    Variant(usize),
    /// The expanded body of a call.
    Call(*const Expr),
}

struct Lower<'p> {
    ir: Ir,
    variables: &'p [Variable],
    /// The composition of the transforms around the current filter.
    symmetry: Symmetry,
    /// The number of the transform variants and function calls around it, for filters with
    /// `nestban`.
    variant: u32,
    /// The numbers given so far, by the number around and what is inside it.
    variants: HashMap<(u32, Inside), u32>,
    /// A filter with `nestban` was lowered.
    has_bans: bool,
    /// A designator was shifted off the board.
    vanished: bool,
    dialect: Dialect,
    /// `move` filters in lines are bound to the move that the line follows.
    linearize: bool,
    asserts: Vec<crate::diagnostic::Span>,
    uses: Uses,
    /// Sorts around the current filter.
    sorting: u32,
}

impl<'p> Lower<'p> {
    fn b(&mut self, node: Bool) -> BoolId {
        self.ir.bool_node(node)
    }

    fn is_piece(&self, var: VarId) -> bool {
        self.variables[var.0 as usize].is_piece
    }

    /// A filter as a condition.
    fn condition(&mut self, e: &'p Expr) -> BoolId {
        if is_control(e) {
            return self.plain_condition(e);
        }
        match e.ty {
            Type::Set => {
                let set = self.set(e);
                self.b(Bool::NonEmpty(set))
            }
            Type::Number => {
                let num = self.num(e);
                let node = self.counted(num).unwrap_or(Bool::HasNum(num));
                self.b(node)
            }
            Type::Text => {
                let text = self.text(e);
                self.b(Bool::HasText(text))
            }
            Type::Position => {
                let place = self.place(e);
                self.b(Bool::HasPlace(place))
            }
            _ => self.plain_condition(e),
        }
    }

    /// `Pa-h2 >= 3`: a number of pieces compared with a constant.
    fn counted(&self, num: NumId) -> Option<Bool> {
        let Num::Compare(op, set, n) = *self.ir.num(num) else {
            return None;
        };
        let (Num::Card(set), &Num::Const(n)) = (self.ir.num(set), self.ir.num(n)) else {
            return None;
        };
        match *self.ir.set(*set) {
            Set::Pieces { pieces, squares } => Some(Bool::Count(Count {
                pieces,
                squares,
                op,
                n,
            })),
            _ => None,
        }
    }

    fn conditions(&mut self, es: &'p [Expr]) -> Box<[BoolId]> {
        es.iter().map(|e| self.condition(e)).collect()
    }

    fn constant(&mut self, value: bool) -> BoolId {
        self.b(Bool::Const(value))
    }

    fn and(&mut self, ids: Box<[BoolId]>) -> BoolId {
        if ids.len() == 1 {
            return ids[0];
        }
        self.b(Bool::And(ids))
    }

    fn not(&mut self, id: BoolId) -> BoolId {
        self.b(Bool::Not(id))
    }

    fn test(&mut self, test: Test) -> BoolId {
        self.uses.notes |= test == Test::Cooked;
        self.b(Bool::Test(test))
    }

    fn plain_condition(&mut self, e: &'p Expr) -> BoolId {
        match &e.kind {
            Ast::Simple(simple) => self.simple_condition(*simple),
            Ast::And(es) | Ast::Sequence(es) => {
                let ids = self.conditions(es);
                self.and(ids)
            }
            Ast::Or(es) => {
                let ids = self.conditions(es);
                self.b(Bool::Or(ids))
            }
            Ast::Prefix(op, a) => self.prefix_condition(*op, a, e),
            Ast::Infix(op, a, b) => self.infix_condition(*op, a, b),
            Ast::Each {
                var,
                all,
                set,
                body,
            } => self.each_condition(*var, *all, set, body),
            Ast::If {
                test,
                then,
                otherwise,
            } => self.if_condition(test, then, otherwise.as_deref()),
            Ast::Call { args, body } => self.call(args, body, Self::condition, Bool::Flow),
            Ast::Transform {
                which,
                count: None,
                body,
            } => self.orbit_condition(*which, body),
            Ast::Move(spec) => {
                let id = self.move_spec(spec);
                self.b(Bool::Move(id))
            }
            Ast::Dash(dash, kind) => self.dash_condition(dash, *kind),
            Ast::Imagine { changes, body } => {
                let id = self.imagine(changes);
                let body = self.condition(body);
                self.flow(Flow::Imagine(id, body))
            }
            _ => self.other_condition(e),
        }
    }

    fn flow(&mut self, flow: Flow<BoolId>) -> BoolId {
        self.b(Bool::Flow(flow))
    }

    fn simple_condition(&mut self, simple: Simple) -> BoolId {
        use crate::ast::Side::{Black, White};
        match simple {
            Simple::True => self.constant(true),
            Simple::False => self.constant(false),
            Simple::Wtm | Simple::Btm => {
                let side = self
                    .symmetry
                    .side(if simple == Simple::Wtm { White } else { Black });
                self.b(Bool::ToMove(side))
            }
            Simple::Variation => {
                let mainline = self.tree_test(Test::Mainline);
                self.not(mainline)
            }
            Simple::VirtualMainline if self.dialect == Dialect::Cql62 => {
                self.tree_test(Test::VirtualMainline62)
            }
            Simple::RemoveComment => self.b(Bool::RemoveComment),
            _ => match simple_test(simple) {
                Some(test) => self.tree_test(test),
                None => self.constant(false),
            },
        }
    }

    fn tree_test(&mut self, test: Test) -> BoolId {
        self.uses.tree |= matches!(
            test,
            Test::Mainline
                | Test::VirtualMainline
                | Test::VirtualMainline62
                | Test::Primary
                | Test::Secondary
                | Test::Try
        );
        self.test(test)
    }

    fn prefix_condition(&mut self, op: Prefix, a: &'p Expr, whole: &'p Expr) -> BoolId {
        match op {
            Prefix::Not => {
                let a = self.condition(a);
                self.not(a)
            }
            Prefix::Loop => {
                let a = self.condition(a);
                self.b(Bool::Loop(a))
            }
            Prefix::Assert => {
                let a = self.condition(a);
                self.asserts.push(whole.span);
                self.b(Bool::Assert(a, self.asserts.len() as u32 - 1))
            }
            Prefix::NoTransform => self.untransformed(|l| l.condition(a)),
            _ => self.condition(a),
        }
    }

    fn untransformed<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.symmetry);
        let result = lower(self);
        self.symmetry = outer;
        result
    }

    fn infix_condition(&mut self, op: Infix, a: &'p Expr, b: &'p Expr) -> BoolId {
        match op {
            Infix::In => {
                let (a, b) = (self.set(a), self.set(b));
                self.b(Bool::Subset(a, b))
            }
            Infix::Compare(op) => self.compare_condition(op, a, b),
            Infix::At => {
                let place = self.place(a);
                let body = self.condition(b);
                self.flow(Flow::At(place, body))
            }
            Infix::Ancestor => self.ancestor(a, b),
            Infix::Descendant => self.ancestor(b, a),
            Infix::Equal => {
                let (a, b) = (self.key(a), self.key(b));
                self.b(Bool::Equal(a, b))
            }
            Infix::WriteFile => {
                let (a, b) = (self.text(a), self.text(b));
                self.b(Bool::WriteFile(a, b))
            }
            _ => self.constant(false),
        }
    }

    fn ancestor(&mut self, above: &'p Expr, below: &'p Expr) -> BoolId {
        self.uses.tree = true;
        let (a, b) = (self.place(above), self.place(below));
        self.b(Bool::Ancestor(a, b))
    }

    /// Equality of sets, and inequality of all types.
    fn compare_condition(&mut self, op: crate::ast::Compare, a: &'p Expr, b: &'p Expr) -> BoolId {
        use crate::ast::Compare::{Equal, NotEqual};
        let (left, right) = (a.ty, b.ty);
        if left == Type::Set && right == Type::Set {
            let (a, b) = (self.set(a), self.set(b));
            let equal = self.b(Bool::SetEq(a, b));
            return if op == NotEqual {
                self.not(equal)
            } else {
                equal
            };
        }
        let strict = self.dialect != Dialect::Cql62 && op == NotEqual;
        let op = if strict { NotEqual } else { Equal };
        let equal = match left {
            Type::Text => {
                let (a, b) = (self.text(a), self.text(b));
                if strict {
                    return self.b(Bool::TextNe(a, b));
                }
                let text = self.ir.text_node(Text::Compare(op, a, b));
                self.b(Bool::HasText(text))
            }
            Type::Position => {
                let (a, b) = (self.place(a), self.place(b));
                return self.b(Bool::PlaceNe(a, b));
            }
            _ => {
                let (a, b) = (self.num(a), self.num(b));
                if strict {
                    return self.b(Bool::NumNe(a, b));
                }
                let num = self.ir.num_node(Num::Compare(op, a, b));
                self.b(Bool::HasNum(num))
            }
        };
        self.not(equal)
    }

    fn each_condition(&mut self, var: VarId, all: bool, set: &'p Expr, body: &'p Expr) -> BoolId {
        let is_piece = self.is_piece(var);
        self.uses.identity |= is_piece;
        let set = self.set(set);
        let body = self.condition(body);
        self.b(Bool::Any {
            var,
            is_piece,
            set,
            body,
            all,
        })
    }

    fn if_condition(
        &mut self,
        test: &'p Expr,
        then: &'p Expr,
        otherwise: Option<&'p Expr>,
    ) -> BoolId {
        let (test, then) = (self.condition(test), self.condition(then));
        match otherwise {
            Some(e) => {
                let otherwise = self.condition(e);
                self.flow(Flow::If(test, then, otherwise))
            }
            None => self.b(Bool::IfOnly(test, then)),
        }
    }

    /// Assigns the arguments, then evaluates the body.
    fn call<I, N>(
        &mut self,
        args: &'p [(VarId, Expr)],
        body: &'p Expr,
        lower: fn(&mut Self, &'p Expr) -> I,
        wrap: fn(Flow<I>) -> N,
    ) -> I
    where
        Self: Node<N, Id = I>,
    {
        let binds: Box<[BoolId]> = args
            .iter()
            .map(|(var, e)| self.assign(*var, e, false))
            .collect();
        // Each call has a body of its own.
        let call = Inside::Call(body);
        let body = self.inside(call, |lowering| lower(lowering, body));
        if binds.is_empty() {
            return body;
        }
        let flow = Flow::Seq(binds, body);
        self.node(wrap(flow))
    }

    fn assign(&mut self, var: VarId, value: &'p Expr, only_nonempty: bool) -> BoolId {
        let assign = match value.ty {
            Type::Set => {
                let value = self.set(value);
                Assign::Set {
                    var,
                    value,
                    only_nonempty,
                }
            }
            Type::Text => {
                let value = self.text(value);
                Assign::Text(var, value)
            }
            Type::Position => {
                let value = self.place(value);
                Assign::Place(var, value)
            }
            _ => {
                let value = self.num(value);
                Assign::Num(var, value)
            }
        };
        self.b(Bool::Assign(assign))
    }

    fn other_condition(&mut self, e: &'p Expr) -> BoolId {
        match &e.kind {
            Ast::While { test, body } => {
                let (test, body) = (self.condition(test), self.condition(body));
                self.b(Bool::While(test, body))
            }
            Ast::WhileMatch {
                text,
                pattern,
                body,
            } => {
                let (text, pattern) = (self.text(text), self.text(pattern));
                let body = self.condition(body);
                let matching = Bool::WhileMatch {
                    text,
                    pattern,
                    body,
                };
                self.b(matching)
            }
            Ast::Echo {
                quiet,
                source,
                target,
                all,
                body,
            } => {
                let (quiet, source, target, all) = (*quiet, *source, *target, *all);
                let body = self.condition(body);
                let echo = Bool::Echo {
                    quiet,
                    source,
                    target,
                    all,
                    body,
                };
                self.b(echo)
            }
            Ast::Contains { text, part, .. } => {
                let (text, part) = (self.text(text), self.text(part));
                self.b(Bool::Contains { text, part })
            }
            Ast::BoardIs(designators) => self.board_is(designators),
            _ => self.remembered(e),
        }
    }

    /// Filters that change or test variables and dictionaries.
    fn remembered(&mut self, e: &'p Expr) -> BoolId {
        match &e.kind {
            Ast::Assign {
                var,
                value,
                only_nonempty,
            } => self.assign(*var, value, *only_nonempty),
            Ast::AssignPiece { var, set } => {
                self.uses.identity = true;
                let set = self.set(set);
                self.b(Bool::AssignPiece(*var, set))
            }
            Ast::AssignSlice { var, slice, value } => self.assign_slice(*var, slice, value),
            Ast::Unbind(var) => self.b(Bool::Unbind(*var)),
            Ast::IsBound(var) => self.b(Bool::IsBound(*var)),
            Ast::Store { dict, key, value } => {
                let (key, value) = (self.key(key), self.key(value));
                self.b(Bool::Store(*dict, key, value))
            }
            Ast::Forget { dict, key } => {
                let key = self.key(key);
                self.b(Bool::Forget(*dict, key))
            }
            Ast::EachKey { dict, var, body } => {
                let (dict, var, body) = (*dict, *var, self.condition(body));
                self.b(Bool::EachKey { dict, var, body })
            }
            _ => self.written(e),
        }
    }

    /// Filters with output.
    fn written(&mut self, e: &'p Expr) -> BoolId {
        match &e.kind {
            Ast::Comment(parts) => {
                let parts = self.pieces(parts);
                self.b(Bool::Comment(parts))
            }
            Ast::Message { quiet, parts } => {
                let parts = self.pieces(parts);
                self.b(Bool::Message {
                    quiet: *quiet,
                    parts,
                })
            }
            Ast::Result(result) => {
                let result = match (self.symmetry.swaps_colors(), result.as_str()) {
                    (true, "1-0") => "0-1",
                    (true, "0-1") => "1-0",
                    (_, same) => same,
                };
                self.uses.tags = true;
                self.b(Bool::Result(result.into()))
            }
            Ast::HasNag(nag) => {
                self.uses.notes = true;
                self.b(Bool::HasNag(*nag))
            }
            Ast::SetTag { name, value } => {
                let value = self.text(value);
                self.b(Bool::SetTag(name.as_str().into(), value))
            }
            Ast::RemoveTag(name) => self.b(Bool::RemoveTag(name.as_str().into())),
            Ast::OutputFile(name) => {
                let name = self.text(name);
                self.b(Bool::OutputFile(name))
            }
            Ast::Similar { file, transforms } => self.b(Bool::Similar {
                file: file.as_str().into(),
                transforms: *transforms,
            }),
            // a dictionary alone, and filters in error
            _ => self.constant(true),
        }
    }

    /// Every square of each group holds one of its pieces.
    fn board_is(&mut self, designators: &[crate::lex::Designator]) -> BoolId {
        let ids = designators
            .iter()
            .map(|d| {
                let squares = self.symmetry.squares(d.squares);
                let all = self.ir.set_node(Set::Const(squares));
                let held = Set::Pieces {
                    pieces: self.symmetry.pieces(d.pieces),
                    squares,
                };
                let held = self.ir.set_node(held);
                self.b(Bool::SetEq(all, held))
            })
            .collect();
        self.and(ids)
    }

    // --- transforms ---

    /// The filter under each symmetry, without duplicates and without those shifted off the board.
    fn orbit<I: Eq + std::hash::Hash + Copy>(
        &mut self,
        which: crate::ast::Transform,
        body: &'p Expr,
        lower: fn(&mut Self, &'p Expr) -> I,
    ) -> Box<[I]> {
        let outer = self.symmetry.clone();
        let vanished = std::mem::replace(&mut self.vanished, false);
        let has_bans = std::mem::replace(&mut self.has_bans, false);
        let mut parts: Vec<I> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for inner in Symmetry::of(which) {
            self.symmetry = outer.after(&inner);
            self.vanished = false;
            let mut part = lower(self, body);
            if !self.vanished && seen.insert(part) {
                // Variants may differ only outside of a `nestban`.
                if self.has_bans && !parts.is_empty() {
                    let variant = Inside::Variant(parts.len());
                    part = self.inside(variant, |lowering| lower(lowering, body));
                }
                parts.push(part);
            }
        }
        self.vanished = vanished || parts.is_empty();
        self.has_bans |= has_bans;
        self.symmetry = outer;
        parts.into_boxed_slice()
    }

    /// Lowers a part with a number of its own: each variant of a transform and each call of a
    /// function bans positions by itself.
    fn inside<T>(&mut self, part: Inside, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.variant;
        let next = self.variants.len() as u32 + 1;
        self.variant = *self.variants.entry((outer, part)).or_insert(next);
        let lowered = lower(self);
        self.variant = outer;
        lowered
    }

    fn orbit_condition(&mut self, which: crate::ast::Transform, body: &'p Expr) -> BoolId {
        let parts = self.orbit(which, body, Self::condition);
        self.any_of(parts)
    }

    fn any_of(&mut self, parts: Box<[BoolId]>) -> BoolId {
        let parts = self.flattened(&parts);
        match parts.len() {
            0 => self.constant(false),
            1 => parts[0],
            _ => self.b(Bool::Orbit(parts)),
        }
    }

    /// A transform of a transform is one transform with all their variants.
    fn flattened(&self, parts: &[BoolId]) -> Box<[BoolId]> {
        let mut seen = std::collections::HashSet::new();
        let inner = parts.iter().flat_map(|&part| match self.ir.bool(part) {
            Bool::Orbit(inner) => inner.to_vec(),
            _ => vec![part],
        });
        inner.filter(|&part| seen.insert(part)).collect()
    }

    fn orbit_count(&mut self, which: crate::ast::Transform, range: Range, body: &'p Expr) -> NumId {
        let parts = self.orbit(which, body, Self::condition);
        self.ir.num_node(Num::OrbitCount { range, parts })
    }
}

/// Whether a filter only passes on the value of another: then as a condition it matches if that
/// filter does.
fn is_control(e: &Expr) -> bool {
    match &e.kind {
        Ast::Sequence(_) | Ast::If { .. } | Ast::Call { .. } | Ast::Each { .. } => true,
        Ast::Imagine { .. } | Ast::Infix(Infix::At, ..) => true,
        Ast::Transform { count, .. } => count.is_none(),
        Ast::Prefix(op, _) => matches!(op, Prefix::NoTransform | Prefix::Identity),
        Ast::Dash(_, kind) => matches!(kind, DashUse::Played | DashUse::Current),
        _ => false,
    }
}

fn simple_test(simple: Simple) -> Option<Test> {
    Some(match simple {
        Simple::Check => Test::Check,
        Simple::Mate => Test::Mate,
        Simple::Stalemate => Test::Stalemate,
        Simple::Initial => Test::Initial,
        Simple::Terminal => Test::Terminal,
        Simple::Mainline => Test::Mainline,
        Simple::VirtualMainline => Test::VirtualMainline,
        Simple::Primary => Test::Primary,
        Simple::Secondary => Test::Secondary,
        Simple::Castle => Test::Castle,
        Simple::ShortCastle => Test::ShortCastle,
        Simple::LongCastle => Test::LongCastle,
        Simple::EnPassant => Test::EnPassant,
        Simple::NullMove => Test::NullMove,
        Simple::Try => Test::Try,
        Simple::LegalPosition => Test::LegalPosition,
        Simple::ReachablePosition => Test::ReachablePosition,
        Simple::VariantWin => Test::VariantWin,
        Simple::VariantLoss => Test::VariantLoss,
        Simple::VariantEnd => Test::VariantEnd,
        Simple::VariantDraw => Test::VariantDraw,
        Simple::Cooked => Test::Cooked,
        _ => return None,
    })
}

/// Creates a node of some type.
trait Node<N> {
    type Id;
    fn node(&mut self, node: N) -> Self::Id;
}

macro_rules! node {
    ($($node:ident $id:ident $make:ident;)*) => { $(
        impl Node<$node> for Lower<'_> {
            type Id = $id;
            fn node(&mut self, node: $node) -> $id {
                self.ir.$make(node)
            }
        }
    )* };
}
node! {
    Bool BoolId bool_node;
    Set SetId set_node;
    Num NumId num_node;
    Text TextId text_node;
    Place PlaceId place_node;
}

#[cfg(test)]
mod tests {
    use crate::{Options, Query};
    use chess::pgn::read_game;

    #[test]
    fn each_variant_has_its_own_nestban() {
        let pgn = "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2 Ke7 2. Ke3 Ke6 3. Kd3 Kd6 *";
        let game = read_game(pgn.as_bytes()).unwrap();
        let run = |source: &str| {
            let query = Query::compile(source, &Options::default()).unwrap();
            query.matcher().run(&game, 1).positions
        };
        let path = "path focus T nestban (--){2,}";
        assert_eq!(
            run(&format!("flipcolor {{piece T in K {{{path}}}}}")),
            [0, 1]
        );
        assert_eq!(run(&format!("piece T in [Kk] {{{path}}}")), [0]);
    }

    /// CQL 6.2 matches for each of these queries.
    #[test]
    fn each_call_has_its_own_nestban() {
        let game = read_game(b"1. e4 e5 2. Nf3 Nc6 *").unwrap();
        let matches = |source: &str| {
            let query = Query::compile(source, &Options::default()).unwrap();
            !query.matcher().run(&game, 1).positions.is_empty()
        };
        let f = "function F() {line nestban --> wtm --> btm}";
        assert!(matches(&format!("{f} F() F()")));
        assert!(matches(&format!("{f} function G() {{F() F()}} G() G()")));
        assert!(matches(
            "line nestban --> wtm --> btm line nestban --> wtm --> btm"
        ));
    }
}
