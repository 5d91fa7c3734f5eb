//! Properties of nodes, derived from their parts.
//!
//! Each match is exhaustive: a new kind of node does not compile until its properties are decided.

use super::*;
use crate::ast::Bound;
use crate::result::Level;

/// The effects of evaluating a node, and the inputs of its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Props(u8);

impl Props {
    /// The value depends on the board alone.
    pub const NONE: Props = Props(0);
    /// Changes a variable, a dictionary, a tag, a file, the state of `nestban`, or a sort key.
    pub const WRITES: Props = Props(1);
    /// Adds comments or messages.
    pub const COMMENTS: Props = Props(2);
    /// Depends on variables or on earlier results.
    pub const READS: Props = Props(4);
    /// Depends on the place of the position in the tree.
    pub const TREE: Props = Props(8);
    /// Depends on the path being followed.
    pub const PATH: Props = Props(16);
    /// Has a `move` filter that a `line` binds to the move it follows.
    pub const LINEAR: Props = Props(32);
    /// Depends on the game as a whole: tags, result, number.
    pub const GAME: Props = Props(64);

    pub fn has(self, other: Props) -> bool {
        self.0 & other.0 != 0
    }

    pub fn and(self, other: Props) -> Props {
        Props(self.0 | other.0)
    }

    pub fn without(self, other: Props) -> Props {
        Props(self.0 & !other.0)
    }

    /// No effect: evaluating it twice, or not at all, makes no difference.
    pub fn is_pure(self) -> bool {
        !self.has(Props::WRITES.and(Props::COMMENTS))
    }

    fn only_if(self, condition: bool) -> Props {
        if condition { self } else { Props::NONE }
    }
}

/// A reference to nodes whose properties are known.
pub(crate) trait HasProps: Copy {
    fn props(self, ir: &Ir) -> Props;
}

/// A node whose properties follow from its parts.
pub(super) trait Derive {
    fn derive(&self, ir: &Ir) -> Props;
}

impl HasProps for Key {
    fn props(self, ir: &Ir) -> Props {
        match self {
            Key::Num(id) => id.props(ir),
            Key::Text(id) => id.props(ir),
            Key::Set(id) => id.props(ir),
            Key::Place(id) => id.props(ir),
            Key::Bool(id) => id.props(ir),
        }
    }
}

/// Printing a position adds a comment there.
impl HasProps for Piece {
    fn props(self, ir: &Ir) -> Props {
        match self {
            Piece::Var {
                prints_positions, ..
            } => Props::READS.and(ir.comments().only_if(prints_positions)),
            Piece::Value(key @ Key::Place(_)) => key.props(ir).and(ir.comments()),
            Piece::Value(key) => key.props(ir),
        }
    }
}

impl<T: HasProps> HasProps for Option<T> {
    fn props(self, ir: &Ir) -> Props {
        self.map_or(Props::NONE, |id| id.props(ir))
    }
}

impl<T: HasProps> HasProps for &[T] {
    fn props(self, ir: &Ir) -> Props {
        self.iter()
            .fold(Props::NONE, |props, id| props.and(id.props(ir)))
    }
}

impl<A: HasProps, B: HasProps> HasProps for (A, B) {
    fn props(self, ir: &Ir) -> Props {
        self.0.props(ir).and(self.1.props(ir))
    }
}

impl<A: HasProps, B: HasProps, C: HasProps> HasProps for (A, B, C) {
    fn props(self, ir: &Ir) -> Props {
        (self.0, self.1).props(ir).and(self.2.props(ir))
    }
}

impl HasProps for Range {
    fn props(self, _: &Ir) -> Props {
        let reads = |bound| matches!(bound, Bound::Variable(_));
        Props::READS.only_if(reads(self.min) || reads(self.max))
    }
}

impl HasProps for Promotion {
    fn props(self, ir: &Ir) -> Props {
        match self {
            Promotion::Pieces(_) => Props::NONE,
            Promotion::Text(text) => text.props(ir),
        }
    }
}

impl Ir {
    /// The comments of a filter; none if the query is silent.
    fn comments(&self) -> Props {
        Props::COMMENTS.only_if(self.level > Level::Silent)
    }

    /// The comments of `find`, `echo`, `line` and `path` about their results.
    fn found_comments(&self, quiet: bool) -> Props {
        Props::COMMENTS.only_if(self.level == Level::Normal && !quiet)
    }
}

impl<T: HasProps> Derive for Flow<T> {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Flow::Seq(conditions, value) => (&conditions[..], *value).props(ir),
            Flow::If(test, then, otherwise) => (*test, *then, *otherwise).props(ir),
            Flow::At(place, value) => elsewhere(*value, ir).and(place.props(ir)),
            Flow::Dash(dash, value) => elsewhere(*value, ir).and(dash.props(ir)),
            Flow::Imagine(id, value) => (*id, *value).props(ir),
        }
    }
}

/// A part evaluated at another position, where no line binds its `move` filters.
fn elsewhere(body: impl HasProps, ir: &Ir) -> Props {
    body.props(ir).without(Props::LINEAR).and(Props::TREE)
}

impl Derive for Bool {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Bool::Const(_) | Bool::Count(_) | Bool::ToMove(_) | Bool::Similar { .. } => Props::NONE,
            Bool::And(ids) | Bool::Or(ids) | Bool::Orbit(ids) => ids.props(ir),
            Bool::Not(id) => id.props(ir),
            Bool::Flow(flow) => flow.derive(ir),
            Bool::NonEmpty(set) => set.props(ir),
            Bool::HasNum(num) => num.props(ir),
            Bool::HasText(text) => text.props(ir),
            Bool::HasPlace(place) => place.props(ir),
            Bool::Subset(a, b) | Bool::SetEq(a, b) => (*a, *b).props(ir),
            Bool::Test(test) => test.derive(ir),
            Bool::Any { set, body, .. } => (*set, *body).props(ir).and(Props::READS),
            Bool::IfOnly(test, then) => (*test, *then).props(ir),
            Bool::Move(id) => id.props(ir),
            Bool::Dash(dash, target) => dash_props(*dash, *target, ir),
            Bool::Echo { quiet, body, .. } => elsewhere(*body, ir).and(ir.found_comments(*quiet)),
            Bool::Contains { text, part } => (*text, *part).props(ir),
            Bool::Result(_) => Props::GAME,
            Bool::HasNag(_) => Props::TREE,
            Bool::Ancestor(a, b) => (*a, *b).props(ir).and(Props::TREE),
            Bool::Equal(a, b) => (*a, *b).props(ir),
            Bool::NumNe(a, b) => (*a, *b).props(ir),
            Bool::TextNe(a, b) => (*a, *b).props(ir),
            Bool::PlaceNe(a, b) => (*a, *b).props(ir),
            Bool::IsBound(_) => Props::READS,
            Bool::Comment(parts) => parts.props(ir).and(ir.comments()),
            Bool::Message { parts, .. } => writes(&parts[..], ir).and(Props::COMMENTS),
            Bool::Assign(assign) => writes(assign.value(), ir),
            Bool::AssignPiece(_, set) => writes(*set, ir),
            Bool::AssignSlice(_, from, to, text) => {
                writes((*from, *to, *text), ir).and(Props::READS)
            }
            Bool::Store(_, key, value) => writes((*key, *value), ir),
            Bool::Forget(_, key) => writes(*key, ir),
            Bool::EachKey { body, .. } => writes(*body, ir).and(Props::READS),
            Bool::While(test, body) => writes((*test, *body), ir),
            Bool::WhileMatch {
                text,
                pattern,
                body,
            } => writes((*text, *pattern, *body), ir),
            Bool::Loop(body) | Bool::Assert(body, _) => writes(*body, ir),
            Bool::SetTag(_, text) | Bool::OutputFile(text) => writes(*text, ir),
            Bool::WriteFile(name, text) => writes((*name, *text), ir),
            Bool::Unbind(_) | Bool::RemoveTag(_) | Bool::RemoveComment => Props::WRITES,
        }
    }
}

/// A filter with effects, and its parts.
fn writes(parts: impl HasProps, ir: &Ir) -> Props {
    parts.props(ir).and(Props::WRITES)
}

fn dash_props(dash: DashId, target: Option<BoolId>, ir: &Ir) -> Props {
    dash.props(ir).and(target.props(ir).without(Props::LINEAR))
}

impl Assign {
    /// The variable that gets a value.
    pub fn variable(self) -> VarId {
        match self {
            Assign::Set { var, .. }
            | Assign::Num(var, _)
            | Assign::Text(var, _)
            | Assign::Place(var, _) => var,
        }
    }

    /// The value.
    pub fn value(self) -> Key {
        match self {
            Assign::Set { value, .. } => Key::Set(value),
            Assign::Num(_, num) => Key::Num(num),
            Assign::Text(_, text) => Key::Text(text),
            Assign::Place(_, place) => Key::Place(place),
        }
    }
}

impl Derive for Test {
    fn derive(&self, _: &Ir) -> Props {
        match self {
            Test::Check | Test::Mate | Test::Stalemate | Test::LegalPosition => Props::NONE,
            Test::Initial
            | Test::Terminal
            | Test::Mainline
            | Test::VirtualMainline
            | Test::VirtualMainline62
            | Test::Primary
            | Test::Secondary
            | Test::Castle
            | Test::ShortCastle
            | Test::LongCastle
            | Test::EnPassant
            | Test::NullMove
            | Test::Try
            | Test::ReachablePosition
            | Test::VariantWin
            | Test::VariantLoss
            | Test::VariantEnd
            | Test::VariantDraw
            | Test::Cooked => Props::TREE,
        }
    }
}

impl Derive for Set {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Set::Const(_) | Set::Pieces { .. } | Set::Pawns(_) | Set::Mate(_) => Props::NONE,
            Set::Var(_) | Set::PieceVar(_) => Props::READS,
            Set::Flow(flow) => flow.derive(ir),
            Set::Not(set) => set.props(ir),
            Set::And(sets) | Set::Or(sets) | Set::Orbit(sets) => sets.props(ir),
            Set::Ray { sets, .. } => sets.props(ir),
            Set::Same(a, b) => (*a, *b).props(ir).and(Props::TREE),
            Set::Step { range, of, .. } => (*range, *of).props(ir),
            Set::Attackers(a, b) | Set::Attacked(a, b) | Set::Between(a, b) => (*a, *b).props(ir),
            Set::Pin(pin) => pin.derive(ir),
            Set::Each { set, body, .. } => (*set, *body).props(ir).and(Props::READS),
            Set::MakeSquare(file, rank) => (*file, *rank).props(ir),
            Set::NamedSquare(name) => name.props(ir),
            Set::Move(id) => id.props(ir),
            Set::LegalDash { dash, .. } => dash.props(ir),
            Set::Lookup(_, key) => key.props(ir).and(Props::READS),
            Set::MoveFrom | Set::MoveTo | Set::EnPassantSquare | Set::Promoted => Props::TREE,
        }
    }
}

impl Derive for PinSpec {
    fn derive(&self, ir: &Ir) -> Props {
        (self.from, self.through, self.to).props(ir)
    }
}

impl Derive for Num {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Num::Const(_) => Props::NONE,
            Num::Var(_) | Num::Entries(_) | Num::GroupStart(_) => Props::READS,
            Num::Flow(flow) => flow.derive(ir),
            Num::Card(set) => set.props(ir),
            Num::Length(text) | Num::Int(text) | Num::Ascii(text) => text.props(ir),
            Num::Measure(measure) => measure.derive(ir),
            Num::OfSet(measure, set) => {
                // the ids of pieces depend on the path from the initial position
                let tree = Props::TREE.only_if(*measure == SetMeasure::PieceId);
                set.props(ir).and(tree)
            }
            Num::Calc(_, a, b) | Num::Compare(_, a, b) => (*a, *b).props(ir),
            Num::Negate(num) | Num::Abs(num) | Num::Sqrt(num) => num.props(ir),
            Num::Extreme { args, .. } | Num::OrbitMax(args) => args.props(ir),
            Num::Distance(a, b) => (*a, *b).props(ir).and(Props::TREE),
            Num::IndexOf(part, text) => (*part, *text).props(ir),
            Num::Find {
                quiet, range, body, ..
            } => elsewhere(*body, ir)
                .and(range.props(ir))
                .and(ir.found_comments(*quiet)),
            Num::Echo { quiet, body, .. } => elsewhere(*body, ir).and(ir.found_comments(*quiet)),
            Num::Consecutive {
                quiet,
                range,
                left,
                right,
                ..
            } => {
                let parts = (*range, *left, *right).props(ir).and(Props::TREE);
                // the longest run is stored and commented at the end
                let notes = ir.found_comments(*quiet);
                parts
                    .and(notes)
                    .and(Props::WRITES.only_if(notes != Props::NONE))
            }
            Num::OrbitCount { range, parts } => (*range, &parts[..]).props(ir),
            Num::Move(id) => id.props(ir),
            Num::DashCount(dash, target) => dash_props(*dash, *target, ir),
            Num::LegalCount { dash, .. } => dash.props(ir),
            Num::Line(id) => id.props(ir),
            Num::Path(id) => id.props(ir),
            Num::Sort { value, .. } => writes(*value, ir).and(Props::COMMENTS),
            Num::Elo(_) | Num::Year | Num::Award { .. } => Props::GAME,
            Num::Lookup(_, key) => key.props(ir).and(Props::READS),
        }
    }
}

impl Derive for Measure {
    fn derive(&self, _: &Ir) -> Props {
        match self {
            Measure::SideToMove | Measure::HalfMoveClock => Props::NONE,
            Measure::Ply
            | Measure::MoveNumber
            | Measure::MoveNumber62
            | Measure::Depth
            | Measure::PositionId => Props::TREE,
            Measure::GameNumber | Measure::LastGameNumber => Props::GAME,
            Measure::PathCount | Measure::PathCountUnfocused => Props::PATH.and(Props::READS),
        }
    }
}

impl Derive for Text {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Text::Const(_) | Text::ZobristKey | Text::CastlingRights => Props::NONE,
            Text::Var(_) | Text::Group(_) => Props::READS,
            Text::Flow(flow) => flow.derive(ir),
            Text::Join(a, b) | Text::Compare(_, a, b) => (*a, *b).props(ir),
            Text::Slice(text, from, to) => (*text, *from, *to).props(ir),
            Text::Char(text, index) => (*text, *index).props(ir),
            // the groups of the match are stored
            Text::Match(text, pattern) => writes((*text, *pattern), ir),
            Text::Str(parts) => parts.props(ir),
            Text::FromAscii(num) => num.props(ir),
            Text::Upper(text) | Text::Lower(text) => text.props(ir),
            Text::Tag(_) | Text::Players | Text::Variant => Props::GAME,
            Text::OriginalComment
            | Text::Fen
            | Text::Fen62
            | Text::CurrentMutation
            | Text::Composer => Props::TREE,
            Text::TypeName(set) | Text::PieceName(set) => set.props(ir),
            Text::Extreme { args, .. } => args.props(ir),
            Text::Sort { value, .. } => writes(*value, ir).and(Props::COMMENTS),
            Text::ReadFile(name) => name.props(ir).and(Props::READS),
            Text::Pipe(command, input) => writes((*command, *input), ir),
            Text::Lookup(_, key) => key.props(ir).and(Props::READS),
        }
    }
}

impl Derive for Place {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Place::Here | Place::Parent | Place::Root => Props::TREE,
            Place::Child(num) | Place::Number(num) => num.props(ir).and(Props::TREE),
            Place::Var(_) => Props::READS,
            Place::Flow(flow) => flow.derive(ir),
            Place::Lca(a, b) | Place::ById(_, a, b) | Place::ByAncestry(_, a, b) => {
                (*a, *b).props(ir).and(Props::TREE)
            }
            Place::Find { quiet, body, .. } => elsewhere(*body, ir).and(ir.found_comments(*quiet)),
            Place::Line(id) => id.props(ir),
            Place::Path(id) => id.props(ir),
            Place::PathStart | Place::PathLast => Props::PATH.and(Props::READS),
            Place::Lookup(_, key) => key.props(ir).and(Props::READS),
            Place::Save => Props::WRITES,
        }
    }
}

impl Derive for MoveSpec {
    fn derive(&self, ir: &Ir) -> Props {
        let sets = [self.from, self.to, self.capture, self.en_passant];
        let target = self.target.map(|(target, _)| target);
        (&sets[..], &self.comment[..], target)
            .props(ir)
            .and(Props::TREE)
            .and(ir.comments().only_if(!self.comment.is_empty()))
            .and(Props::LINEAR.only_if(self.mode == MoveMode::Played))
    }
}

impl Derive for DashSpec {
    fn derive(&self, ir: &Ir) -> Props {
        (self.left, self.right, self.promotion)
            .props(ir)
            .and(Props::TREE)
    }
}

impl Derive for Con {
    fn derive(&self, ir: &Ir) -> Props {
        match self {
            Con::Filter { body, .. } => body.props(ir).without(Props::LINEAR),
            Con::Dash(dash, target) => dash_props(*dash, *target, ir),
            Con::Chain(parts) => parts.props(ir),
            Con::Repeat { of, .. } => of.props(ir),
        }
    }
}

impl Derive for LineSpec {
    fn derive(&self, ir: &Ir) -> Props {
        self.parts_props(ir)
            .and(self.range.props(ir))
            .and(Props::TREE)
            .and(ir.found_comments(self.quiet))
            .and(Props::WRITES.only_if(self.nestban))
    }
}

impl LineSpec {
    /// The properties of matching the constituents.
    pub(super) fn parts_props(&self, ir: &Ir) -> Props {
        self.parts.props(ir)
    }
}

impl Derive for PathSpec {
    fn derive(&self, ir: &Ir) -> Props {
        let focus = self.focus.map(|(set, _)| set);
        let comments = self.verbose || self.piece_path || self.title.is_some();
        let notes = if comments && ir.level > Level::Silent {
            Props::COMMENTS
        } else {
            ir.found_comments(self.quiet)
        };
        // later filters can refer to the last path found
        let found = Props::TREE.and(Props::WRITES);
        self.parts_props(ir)
            .and((self.range, focus).props(ir))
            .and(notes)
            .without(Props::PATH)
            .and(found)
    }
}

impl PathSpec {
    /// The properties of matching the constituents; atomic variables change on the way.
    pub(super) fn parts_props(&self, ir: &Ir) -> Props {
        (&self.parts[..], self.max)
            .props(ir)
            .and(Props::WRITES.only_if(ir.has_atomics))
    }
}

impl Derive for ImagineSpec {
    fn derive(&self, ir: &Ir) -> Props {
        self.put
            .iter()
            .fold(Props::TREE, |props, (_, set)| props.and(set.props(ir)))
    }
}
