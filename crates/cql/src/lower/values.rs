//! Filters that have a value.

use super::{Lower, Node};
use crate::Dialect;
use crate::ast::{
    Change, Compare, Dash, DashUse, Expr, ExprKind as Ast, Infix, Move, MoveMode, MoveValue,
    Prefix, Promotion as AstPromotion, Side, Simple, Slice, Type, VarId,
};
use crate::ir::*;

const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

impl<'p> Lower<'p> {
    fn s(&mut self, node: Set) -> SetId {
        self.ir.set_node(node)
    }

    fn n(&mut self, node: Num) -> NumId {
        self.ir.num_node(node)
    }

    fn t(&mut self, node: Text) -> TextId {
        self.ir.text_node(node)
    }

    fn p(&mut self, node: Place) -> PlaceId {
        self.ir.place_node(node)
    }

    /// Control filters of any type; none for other filters.
    fn control<I, N>(
        &mut self,
        e: &'p Expr,
        lower: fn(&mut Self, &'p Expr) -> I,
        wrap: fn(Flow<I>) -> N,
    ) -> Option<I>
    where
        Self: Node<N, Id = I>,
    {
        let flow = match &e.kind {
            Ast::Sequence(es) => {
                let (last, first) = es.split_last()?;
                let conditions = self.conditions(first);
                let value = lower(self, last);
                if conditions.is_empty() {
                    return Some(value);
                }
                Flow::Seq(conditions, value)
            }
            Ast::If {
                test,
                then,
                otherwise: Some(otherwise),
            } => Flow::If(
                self.condition(test),
                lower(self, then),
                lower(self, otherwise),
            ),
            Ast::Infix(Infix::At, place, value) => Flow::At(self.place(place), lower(self, value)),
            Ast::Call { args, body } => return Some(self.call(args, body, lower, wrap)),
            Ast::Prefix(Prefix::NoTransform, a) => {
                return Some(self.untransformed(|l| lower(l, a)));
            }
            Ast::Prefix(Prefix::Identity, a) => return Some(lower(self, a)),
            Ast::Dash(dash, kind @ (DashUse::Played | DashUse::Current)) => {
                let target = dash.target.as_ref()?;
                Flow::Dash(self.dash_spec(dash, *kind), lower(self, target))
            }
            Ast::Imagine { changes, body } => {
                Flow::Imagine(self.imagine(changes), lower(self, body))
            }
            _ => return None,
        };
        Some(self.node(wrap(flow)))
    }

    // --- sets ---

    pub(super) fn set(&mut self, e: &'p Expr) -> SetId {
        if let Some(id) = self.control(e, Self::set, Set::Flow) {
            return id;
        }
        match &e.kind {
            Ast::Designator(d) => self.designator(d.pieces, d.squares),
            Ast::Squares(squares) => self.s(Set::Const(*squares)),
            Ast::Variable(var) if self.is_piece(*var) => self.s(Set::PieceVar(*var)),
            Ast::Variable(var) => self.s(Set::Var(*var)),
            Ast::Union(es) => {
                let ids: Box<[SetId]> = es.iter().map(|e| self.set(e)).collect();
                self.s(Set::Or(ids))
            }
            Ast::Meet(es) => {
                let ids: Box<[SetId]> = es.iter().map(|e| self.set(e)).collect();
                self.meet(ids)
            }
            Ast::Prefix(op, a) => self.set_prefix(*op, a),
            Ast::Infix(op, a, b) => self.set_infix(*op, a, b),
            Ast::Simple(simple) => self.simple_set(*simple),
            Ast::Transform { which, body, .. } => {
                let parts = self.orbit(*which, body, Self::set);
                self.s(Set::Orbit(parts))
            }
            _ => self.seen_set(e),
        }
    }

    /// Sets read from the board: steps, rays, pins, pieces in turn.
    fn seen_set(&mut self, e: &'p Expr) -> SetId {
        match &e.kind {
            Ast::Step { dirs, range, of } => {
                let (dirs, of) = (self.symmetry.directions(*dirs), self.set(of));
                let range = *range;
                self.s(Set::Step { dirs, range, of })
            }
            Ast::Arrows { sets, right } => self.arrows(sets, *right),
            Ast::Ray { dirs, attack, sets } => {
                let sets: Box<[SetId]> = sets.iter().map(|e| self.set(e)).collect();
                let (dirs, attack) = (self.symmetry.directions(*dirs), *attack);
                let ray = Set::Ray {
                    dirs,
                    attack,
                    first: false,
                    sets,
                };
                self.s(ray)
            }
            Ast::Pin {
                from,
                through,
                to,
                value,
            } => {
                let mut part = |e: &'p Option<Box<Expr>>| e.as_ref().map(|e| self.set(e));
                let parts = [part(from), part(through), part(to)];
                let [from, through, to] = parts;
                let pin = PinSpec {
                    from,
                    through,
                    to,
                    value: *value,
                };
                self.s(Set::Pin(pin))
            }
            Ast::Each { var, set, body, .. } => self.each_set(*var, set, body),
            _ => self.moved_set(e),
        }
    }

    fn each_set(&mut self, var: VarId, set: &'p Expr, body: &'p Expr) -> SetId {
        let is_piece = self.is_piece(var);
        self.uses.identity |= is_piece;
        let (set, body) = (self.set(set), self.condition(body));
        let each = Set::Each {
            var,
            is_piece,
            set,
            body,
        };
        self.s(each)
    }

    /// The squares of moves, and stored sets.
    fn moved_set(&mut self, e: &'p Expr) -> SetId {
        match &e.kind {
            Ast::Move(spec) => {
                let id = self.move_spec(spec);
                self.s(Set::Move(id))
            }
            Ast::Dash(dash, DashUse::Legal { pseudo, .. }) => {
                let (dash, kind) = self.legal_dash(dash);
                let pseudo = *pseudo;
                self.s(Set::LegalDash { dash, pseudo, kind })
            }
            Ast::Lookup { dict, key } => {
                let key = self.key(key);
                self.s(Set::Lookup(*dict, key))
            }
            _ => self.s(Set::Const(0)),
        }
    }

    fn designator(&mut self, pieces: u16, squares: u64) -> SetId {
        let (pieces, squares) = (self.symmetry.pieces(pieces), self.symmetry.squares(squares));
        self.vanished |= squares == 0;
        if pieces == 0x1fff {
            return self.s(Set::Const(squares));
        }
        self.s(Set::Pieces { pieces, squares })
    }

    /// `Qa1-8 & b` of two designators is one designator.
    fn meet(&mut self, ids: Box<[SetId]>) -> SetId {
        let mut whole: Option<(u16, u64)> = Some((0x1fff, !0));
        for &id in &ids {
            let part = match *self.ir.set(id) {
                Set::Const(squares) => Some((0x1fff, squares)),
                Set::Pieces { pieces, squares } => Some((pieces, squares)),
                _ => None,
            };
            whole = whole.zip(part).map(|((p, s), (q, t))| (p & q, s & t));
        }
        match whole {
            Some((0x1fff, squares)) => self.s(Set::Const(squares)),
            Some((pieces, squares)) => self.s(Set::Pieces { pieces, squares }),
            None => self.s(Set::And(ids)),
        }
    }

    fn set_prefix(&mut self, op: Prefix, a: &'p Expr) -> SetId {
        match op {
            Prefix::Complement => {
                let a = self.set(a);
                match *self.ir.set(a) {
                    Set::Const(squares) => self.s(Set::Const(!squares)),
                    Set::Pieces { pieces, squares } if squares == !0 => self.s(Set::Pieces {
                        pieces: !pieces & 0x1fff,
                        squares,
                    }),
                    _ => self.s(Set::Not(a)),
                }
            }
            Prefix::Light | Prefix::Dark => {
                let light = (op == Prefix::Light) != self.symmetry.swaps_shades();
                let shade = self.s(Set::Const(if light { LIGHT } else { !LIGHT }));
                let a = self.set(a);
                self.meet(Box::new([a, shade]))
            }
            Prefix::MakeSquare => {
                let name = self.text(a);
                self.s(Set::NamedSquare(name))
            }
            _ => self.s(Set::Const(0)),
        }
    }

    fn set_infix(&mut self, op: Infix, a: &'p Expr, b: &'p Expr) -> SetId {
        match op {
            Infix::Attacks => {
                let (a, b) = (self.set(a), self.set(b));
                self.set_pair(a, b, Set::Attackers)
            }
            Infix::AttackedBy => {
                let (a, b) = (self.set(a), self.set(b));
                self.set_pair(b, a, Set::Attacked)
            }
            Infix::Between => {
                let (a, b) = (self.set(a), self.set(b));
                self.set_pair(a, b, Set::Between)
            }
            Infix::MakeSquare => {
                let (a, b) = (self.num(a), self.num(b));
                self.s(Set::MakeSquare(a, b))
            }
            Infix::SameSquares => {
                let (a, b) = (self.place(a), self.place(b));
                self.s(Set::Same(a, b))
            }
            _ => self.s(Set::Const(0)),
        }
    }

    fn set_pair(&mut self, a: SetId, b: SetId, make: fn(SetId, SetId) -> Set) -> SetId {
        self.s(make(a, b))
    }

    /// Two sets make an attack, more a line of pieces with nothing between.
    fn arrows(&mut self, sets: &'p [Expr], right: bool) -> SetId {
        let mut ids: Vec<SetId> = sets.iter().map(|e| self.set(e)).collect();
        if !right {
            ids.reverse();
        }
        if let [from, to] = ids[..] {
            return self.set_pair(from, to, if right { Set::Attackers } else { Set::Attacked });
        }
        self.s(Set::Ray {
            dirs: 255,
            attack: true,
            first: right,
            sets: ids.into(),
        })
    }

    fn simple_set(&mut self, simple: Simple) -> SetId {
        let mate = |stalemate, degree| Set::Mate(MateKind { stalemate, degree });
        let set = match simple {
            Simple::From => Set::MoveFrom,
            Simple::To => Set::MoveTo,
            Simple::EnPassantSquare => Set::EnPassantSquare,
            Simple::ConnectedPawns => Set::Pawns(Pawns::Connected),
            Simple::IsolatedPawns => Set::Pawns(Pawns::Isolated),
            Simple::DoubledPawns => Set::Pawns(Pawns::Doubled),
            Simple::PassedPawns => Set::Pawns(Pawns::Passed),
            Simple::PureMate => mate(false, 0),
            Simple::ModelMate => mate(false, 1),
            Simple::IdealMate => mate(false, 2),
            Simple::PureStalemate => mate(true, 0),
            Simple::ModelStalemate => mate(true, 1),
            Simple::IdealStalemate => mate(true, 2),
            Simple::PromotedPieces => {
                self.uses.identity = true;
                Set::Promoted
            }
            _ => Set::Const(0),
        };
        self.s(set)
    }

    // --- numbers ---

    pub(super) fn num(&mut self, e: &'p Expr) -> NumId {
        if e.ty == Type::Set {
            let set = self.set(e);
            return self.n(Num::Card(set));
        }
        if let Some(id) = self.control(e, Self::num, Num::Flow) {
            return id;
        }
        match &e.kind {
            Ast::Number(n) => self.n(Num::Const(*n)),
            Ast::Variable(var) => self.n(Num::Var(*var)),
            Ast::Simple(simple) => self.simple_num(*simple),
            Ast::Prefix(op, a) => self.num_prefix(*op, a),
            Ast::Infix(op, a, b) => self.num_infix(*op, a, b),
            Ast::Extreme { max, args } => {
                let args: Box<[NumId]> = args.iter().map(|e| self.num(e)).collect();
                self.n(Num::Extreme { max: *max, args })
            }
            Ast::Transform {
                which,
                count: Some(range),
                body,
            } => self.orbit_count(*which, *range, body),
            Ast::Transform {
                which,
                count: None,
                body,
            } => {
                let parts = self.orbit(*which, body, Self::num);
                self.n(Num::OrbitMax(parts))
            }
            _ => self.searched_num(e),
        }
    }

    /// Numbers from a traversal of the tree.
    fn searched_num(&mut self, e: &'p Expr) -> NumId {
        match &e.kind {
            Ast::Find {
                quiet,
                back,
                count: Some(range),
                body,
            } => {
                let (quiet, back, range) = (*quiet, *back, *range);
                let body = self.condition(body);
                let find = Num::Find {
                    quiet,
                    back,
                    range,
                    body,
                };
                self.n(find)
            }
            Ast::Echo {
                quiet,
                source,
                target,
                all,
                body,
            } => {
                let ends = (*source, *target);
                self.echo_num(*quiet, ends, *all, body)
            }
            Ast::Consecutive {
                quiet,
                range,
                left,
                right,
            } => self.consecutive(*quiet, *range, left, right, e),
            Ast::Move(spec) => {
                let id = self.move_spec(spec);
                self.n(Num::Move(id))
            }
            Ast::Dash(dash, kind) => self.dash_num(dash, *kind),
            Ast::Line(line) => {
                let id = self.line(line, e.span);
                self.n(Num::Line(id))
            }
            Ast::Path(path) => {
                let id = self.path(path, e.span);
                self.n(Num::Path(id))
            }
            _ => self.recorded_num(e),
        }
    }

    fn echo_num(
        &mut self,
        quiet: bool,
        (source, target): (VarId, VarId),
        all: bool,
        body: &'p Expr,
    ) -> NumId {
        let body = self.num(body);
        let sort = self.sorting > 0;
        let echo = Num::Echo {
            quiet,
            source,
            target,
            all,
            sort,
            body,
        };
        self.n(echo)
    }

    /// Stored numbers: sort keys, tags, groups, entries of dictionaries.
    fn recorded_num(&mut self, e: &'p Expr) -> NumId {
        match &e.kind {
            Ast::Sort {
                min,
                quiet,
                name,
                body,
            } => {
                let key = self.sort_key(name, *min, *quiet, Type::Number);
                self.sorting += 1;
                let value = self.num(body);
                self.sorting -= 1;
                let site = e.span.start;
                self.n(Num::Sort { key, value, site })
            }
            Ast::Elo(side) => {
                self.uses.tags = true;
                let side = side.map(|s| self.symmetry.side(s));
                self.n(Num::Elo(side))
            }
            Ast::Group { which, .. } => self.n(Num::GroupStart(which.clone())),
            Ast::Award { kind, special, max } => {
                self.uses.tags = true;
                let (kind, special, max) = (*kind, *special, *max);
                self.n(Num::Award { kind, special, max })
            }
            Ast::Lookup { dict, key } => {
                let key = self.key(key);
                self.n(Num::Lookup(*dict, key))
            }
            _ => self.n(Num::Const(0)),
        }
    }

    /// The key of that name, created if it is new.
    pub(super) fn sort_key(&mut self, name: &str, min: bool, quiet: bool, ty: Type) -> u32 {
        if let Some(i) = self.ir.sorts.iter().position(|k| k.name == name) {
            return i as u32;
        }
        self.ir.sorts.push(SortKey {
            name: name.into(),
            min,
            quiet,
            ty,
        });
        self.ir.sorts.len() as u32 - 1
    }

    fn consecutive(
        &mut self,
        quiet: bool,
        range: Option<crate::ast::Range>,
        left: &'p Expr,
        right: &'p Expr,
        whole: &Expr,
    ) -> NumId {
        let name = |e: &Expr| match e.kind {
            Ast::Variable(var) => self.variables[var.0 as usize].name.as_str().into(),
            _ => "position".into(),
        };
        let names = (name(left), name(right));
        let (left, right) = (self.place(left), self.place(right));
        self.n(Num::Consecutive {
            quiet,
            range,
            left,
            right,
            names,
            site: whole.span.start,
        })
    }

    fn simple_num(&mut self, simple: Simple) -> NumId {
        let measure = match simple {
            Simple::White | Simple::Black => {
                let side = self.symmetry.side(if simple == Simple::White {
                    Side::White
                } else {
                    Side::Black
                });
                let value = if side == Side::White { 1 } else { -1 };
                return self.n(Num::Const(value));
            }
            Simple::Year => {
                self.uses.tags = true;
                return self.n(Num::Year);
            }
            Simple::Ply => Measure::Ply,
            Simple::MoveNumber if self.dialect == Dialect::Cql62 => Measure::MoveNumber62,
            Simple::MoveNumber => Measure::MoveNumber,
            Simple::Depth => {
                self.uses.tree = true;
                Measure::Depth
            }
            Simple::PositionId => {
                self.uses.tree = true;
                Measure::PositionId
            }
            Simple::GameNumber => {
                self.uses.game_number = true;
                Measure::GameNumber
            }
            Simple::LastGameNumber => {
                self.uses.last_game = true;
                Measure::LastGameNumber
            }
            Simple::PathCount => Measure::PathCount,
            Simple::PathCountUnfocused => Measure::PathCountUnfocused,
            Simple::HalfMoveClock => Measure::HalfMoveClock,
            _ => Measure::SideToMove,
        };
        self.n(Num::Measure(measure))
    }

    fn num_prefix(&mut self, op: Prefix, a: &'p Expr) -> NumId {
        let of_set = match op {
            Prefix::Power => Some(SetMeasure::Power),
            Prefix::Type => Some(SetMeasure::Type),
            Prefix::ColorType => Some(SetMeasure::ColorType),
            Prefix::PieceId => Some(SetMeasure::PieceId),
            Prefix::Rank => Some(SetMeasure::Rank),
            Prefix::File => Some(SetMeasure::File),
            _ => None,
        };
        if let Some(measure) = of_set {
            self.uses.identity |= measure == SetMeasure::PieceId;
            let set = self.set(a);
            return self.n(Num::OfSet(measure, set));
        }
        if op == Prefix::Count && a.ty == Type::Dictionary {
            let Ast::Variable(var) = a.kind else {
                return self.n(Num::Const(0));
            };
            return self.n(Num::Entries(var));
        }
        if op == Prefix::Count && a.ty == Type::Set {
            return self.num(a);
        }
        if matches!(op, Prefix::Count | Prefix::Int | Prefix::Ascii) {
            let text = self.text(a);
            let make = match op {
                Prefix::Count => Num::Length,
                Prefix::Int => Num::Int,
                _ => Num::Ascii,
            };
            return self.n(make(text));
        }
        let a = self.num(a);
        let make = match op {
            Prefix::Abs => Num::Abs,
            Prefix::Sqrt => Num::Sqrt,
            _ => Num::Negate,
        };
        self.n(make(a))
    }

    fn num_infix(&mut self, op: Infix, a: &'p Expr, b: &'p Expr) -> NumId {
        match op {
            Infix::Distance => {
                self.uses.tree = true;
                let (a, b) = (self.place(a), self.place(b));
                self.n(Num::Distance(a, b))
            }
            Infix::IndexOf => {
                let (a, b) = (self.text(a), self.text(b));
                self.n(Num::IndexOf(a, b))
            }
            _ => {
                let (a, b) = (self.num(a), self.num(b));
                let calc = match op {
                    Infix::Compare(op) => return self.n(Num::Compare(op, a, b)),
                    Infix::Add => Calc::Add,
                    Infix::Subtract => Calc::Subtract,
                    Infix::Multiply => Calc::Multiply,
                    Infix::Divide => Calc::Divide,
                    _ => Calc::Remainder,
                };
                self.n(Num::Calc(calc, a, b))
            }
        }
    }

    // --- texts ---

    pub(super) fn text(&mut self, e: &'p Expr) -> TextId {
        if let Some(id) = self.control(e, Self::text, Text::Flow) {
            return id;
        }
        match &e.kind {
            Ast::Text(text) => self.t(Text::Const(text.as_str().into())),
            Ast::Variable(var) => self.t(Text::Var(*var)),
            Ast::Simple(simple) => self.simple_text(*simple),
            Ast::Prefix(op, a) => self.text_prefix(*op, a),
            Ast::Infix(op, a, b) => {
                let (a, b) = (self.text(a), self.text(b));
                match op {
                    Infix::Match => self.t(Text::Match(a, b)),
                    Infix::Compare(op) => self.t(Text::Compare(*op, a, b)),
                    _ => self.t(Text::Join(a, b)),
                }
            }
            Ast::Slice { text, slice } => {
                let text = self.text(text);
                self.slice(text, slice)
            }
            Ast::Group { which, .. } => self.t(Text::Group(which.clone())),
            Ast::Str(parts) => {
                let parts = self.pieces(parts);
                self.t(Text::Str(parts))
            }
            Ast::Extreme { max, args } => {
                let args: Box<[TextId]> = args.iter().map(|e| self.text(e)).collect();
                self.t(Text::Extreme { max: *max, args })
            }
            _ => self.recorded_text(e),
        }
    }

    /// Stored texts: tags, sort keys, entries of dictionaries, output of programs.
    fn recorded_text(&mut self, e: &'p Expr) -> TextId {
        match &e.kind {
            Ast::Player(side) => {
                let side = side.map(|side| self.symmetry.side(side));
                self.tag(match side {
                    None => Text::Players,
                    Some(Side::White) => Text::Tag("White".into()),
                    Some(Side::Black) => Text::Tag("Black".into()),
                })
            }
            Ast::Tag(name) => {
                let name = match (self.symmetry.swaps_colors(), name.as_str()) {
                    (true, "White") => "Black",
                    (true, "Black") => "White",
                    (_, same) => same,
                };
                self.tag(Text::Tag(name.into()))
            }
            Ast::Sort {
                min,
                quiet,
                name,
                body,
            } => {
                let key = self.sort_key(name, *min, *quiet, Type::Text);
                let value = self.text(body);
                let site = e.span.start;
                self.t(Text::Sort { key, value, site })
            }
            Ast::Lookup { dict, key } => {
                let key = self.key(key);
                self.t(Text::Lookup(*dict, key))
            }
            Ast::Pipe { command, input } => {
                let (command, input) = (self.text(command), self.text(input));
                self.t(Text::Pipe(command, input))
            }
            _ => self.t(Text::Const("".into())),
        }
    }

    fn tag(&mut self, text: Text) -> TextId {
        self.uses.tags = true;
        self.t(text)
    }

    fn simple_text(&mut self, simple: Simple) -> TextId {
        self.uses.notes |= matches!(simple, Simple::OriginalComment | Simple::Composer);
        self.uses.tags |= simple == Simple::Composer;
        let text = match simple {
            Simple::CurrentTransform => Text::Const(self.symmetry.name().into()),
            Simple::Fen if self.dialect == Dialect::Cql62 => Text::Fen62,
            Simple::Fen => Text::Fen,
            Simple::OriginalComment => Text::OriginalComment,
            Simple::Variant => Text::Variant,
            Simple::ZobristKey => Text::ZobristKey,
            Simple::CastlingRights => Text::CastlingRights,
            Simple::CurrentMutation => Text::CurrentMutation,
            Simple::Composer => Text::Composer,
            _ => Text::Const("".into()),
        };
        self.t(text)
    }

    fn text_prefix(&mut self, op: Prefix, a: &'p Expr) -> TextId {
        match op {
            Prefix::TypeName | Prefix::PieceName => {
                let set = self.set(a);
                let make = if op == Prefix::TypeName {
                    Text::TypeName
                } else {
                    Text::PieceName
                };
                self.t(make(set))
            }
            Prefix::Ascii => {
                let num = self.num(a);
                self.t(Text::FromAscii(num))
            }
            _ => {
                let text = self.text(a);
                match op {
                    Prefix::Uppercase => self.t(Text::Upper(text)),
                    Prefix::Lowercase => self.t(Text::Lower(text)),
                    _ => self.t(Text::ReadFile(text)),
                }
            }
        }
    }

    fn slice(&mut self, text: TextId, slice: &'p Slice) -> TextId {
        match slice {
            Slice::At(index) => {
                let index = self.num(index);
                self.t(Text::Char(text, index))
            }
            Slice::Between(from, to) => {
                let from = from.as_ref().map(|e| self.num(e));
                let to = to.as_ref().map(|e| self.num(e));
                self.t(Text::Slice(text, from, to))
            }
        }
    }

    pub(super) fn assign_slice(&mut self, var: VarId, slice: &'p Slice, value: &'p Expr) -> BoolId {
        let (from, to) = match slice {
            Slice::At(index) => {
                let from = self.num(index);
                let one = self.n(Num::Const(1));
                (Some(from), Some(self.n(Num::Calc(Calc::Add, from, one))))
            }
            Slice::Between(from, to) => (
                from.as_ref().map(|e| self.num(e)),
                to.as_ref().map(|e| self.num(e)),
            ),
        };
        let value = self.text(value);
        self.b(Bool::AssignSlice(var, from, to, value))
    }

    /// A variable inside a text, printed by its type.
    fn printed_variable(&self, var: VarId) -> Piece {
        let ty = self.variables[var.0 as usize].ty;
        Piece::Var {
            var,
            prints_positions: matches!(ty, Type::Position | Type::Dictionary),
        }
    }

    pub(super) fn pieces(&mut self, parts: &'p [Expr]) -> Box<[Piece]> {
        parts
            .iter()
            .map(|e| match e.kind {
                Ast::Variable(var) => self.printed_variable(var),
                _ => Piece::Value(self.key(e)),
            })
            .collect()
    }

    pub(super) fn key(&mut self, e: &'p Expr) -> Key {
        match e.ty {
            Type::Number => Key::Num(self.num(e)),
            Type::Text => Key::Text(self.text(e)),
            Type::Set => Key::Set(self.set(e)),
            Type::Position => Key::Place(self.place(e)),
            _ => Key::Bool(self.condition(e)),
        }
    }

    // --- positions ---

    pub(super) fn place(&mut self, e: &'p Expr) -> PlaceId {
        if let Some(id) = self.control(e, Self::place, Place::Flow) {
            return id;
        }
        match &e.kind {
            Ast::Variable(var) => self.p(Place::Var(*var)),
            Ast::Simple(simple) => self.simple_place(*simple),
            Ast::Prefix(op, n) => {
                self.uses.tree = true;
                let n = self.num(n);
                let make = if *op == Prefix::Child {
                    Place::Child
                } else {
                    Place::Number
                };
                self.p(make(n))
            }
            Ast::Infix(op, a, b) => self.place_infix(*op, a, b),
            Ast::Find {
                quiet, back, body, ..
            } => {
                let body = self.condition(body);
                self.p(Place::Find {
                    quiet: *quiet,
                    back: *back,
                    body,
                })
            }
            Ast::Line(line) => {
                let id = self.line(line, e.span);
                self.p(Place::Line(id))
            }
            Ast::Path(path) => {
                let id = self.path(path, e.span);
                self.p(Place::Path(id))
            }
            Ast::Lookup { dict, key } => {
                let key = self.key(key);
                self.p(Place::Lookup(*dict, key))
            }
            _ => self.p(Place::Here),
        }
    }

    fn simple_place(&mut self, simple: Simple) -> PlaceId {
        let place = match simple {
            Simple::Parent => Place::Parent,
            Simple::InitialPosition => Place::Root,
            Simple::PathStart => Place::PathStart,
            Simple::PathLastPosition => Place::PathLast,
            Simple::SavePosition => Place::Save,
            _ => Place::Here,
        };
        self.p(place)
    }

    fn place_infix(&mut self, op: Infix, a: &'p Expr, b: &'p Expr) -> PlaceId {
        self.uses.tree = true;
        let (a, b) = (self.place(a), self.place(b));
        let node = match op {
            Infix::Compare(op) if self.dialect == Dialect::Cql62 && !by_ancestry(op) => {
                Place::ById(op, a, b)
            }
            Infix::Compare(op) => Place::ByAncestry(op, a, b),
            _ => Place::Lca(a, b),
        };
        self.p(node)
    }

    // --- moves ---

    pub(super) fn move_spec(&mut self, spec: &'p Move) -> MoveId {
        let mut part = |e: &'p Option<Expr>| e.as_ref().map(|e| self.set(e));
        let (from, to) = (part(&spec.from), part(&spec.to));
        let (capture, en_passant) = (part(&spec.capture), part(&spec.en_passant));
        let comment = self.pieces(&spec.comment);
        let target = spec
            .target
            .as_ref()
            .map(|(e, all)| (self.condition(e), *all));
        if spec.mode == MoveMode::Played {
            self.uses.tree |= spec.value == MoveValue::Count || spec.secondary;
        }
        let Move {
            mode,
            value,
            promote,
            castle,
            null,
            primary,
            secondary,
            drop,
            ..
        } = *spec;
        let node = MoveSpec {
            mode,
            value,
            from,
            to,
            capture,
            promote,
            en_passant,
            castle,
            null,
            primary,
            secondary,
            drop,
            comment,
            target,
        };
        self.ir.move_node(node)
    }

    pub(super) fn dash_spec(&mut self, dash: &'p Dash, kind: DashUse) -> DashId {
        let left = dash.left.as_ref().map(|e| self.set(e));
        let right = dash.right.as_ref().map(|e| self.set(e));
        let promotion = dash.promotion.as_ref().map(|p| match p {
            AstPromotion::Pieces(pieces) => Promotion::Pieces(*pieces),
            AstPromotion::Text(e) => Promotion::Text(self.text(e)),
        });
        let current = kind == DashUse::Current;
        self.ir.dash_node(DashSpec {
            capture: dash.capture,
            left,
            right,
            promotion,
            current,
        })
    }

    pub(super) fn dash_condition(&mut self, dash: &'p Dash, kind: DashUse) -> BoolId {
        let id = self.dash_spec(dash, kind);
        let target = dash.target.as_ref().map(|e| self.condition(e));
        self.b(Bool::Dash(id, target))
    }

    fn dash_num(&mut self, dash: &'p Dash, kind: DashUse) -> NumId {
        if let DashUse::Legal { pseudo, .. } = kind {
            let (dash, kind) = self.legal_dash(dash);
            return self.n(Num::LegalCount { dash, pseudo, kind });
        }
        self.uses.tree = true;
        let id = self.dash_spec(dash, kind);
        let target = dash.target.as_ref().map(|e| self.condition(e));
        self.n(Num::DashCount(id, target))
    }

    fn legal_dash(&mut self, dash: &'p Dash) -> (DashId, Option<Test>) {
        let kind = match dash.target.as_ref().map(|t| &t.kind) {
            Some(Ast::Simple(simple)) => super::simple_test(*simple),
            _ => None,
        };
        (self.dash_spec(dash, DashUse::Played), kind)
    }

    pub(super) fn imagine(&mut self, changes: &'p [Change]) -> ImagineId {
        let mut put = Vec::new();
        let mut turn = None;
        for change in changes {
            match change {
                Change::Put(piece, squares) => {
                    put.push((self.symmetry.pieces(*piece), self.set(squares)))
                }
                Change::Turn(side) => turn = Some(self.symmetry.side(*side)),
            }
        }
        self.ir.imagine_node(ImagineSpec {
            put: put.into(),
            turn,
        })
    }
}

fn by_ancestry(op: Compare) -> bool {
    matches!(
        op,
        Compare::Above | Compare::AboveEqual | Compare::Below | Compare::BelowEqual
    )
}
