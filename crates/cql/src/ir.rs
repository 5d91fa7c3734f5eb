//! The intermediate form of a query: typed nodes, each stored once, with their properties.
//!
//! Only the functions here create nodes; they share equal nodes and derive the properties of each
//! from its parts. Transforms are already applied and functions expanded.

mod assigned;
mod props;
mod walk;

use crate::ast::{
    Award, Castling, Compare, Group, MoveMode, MoveValue, PinPart, Range, Side, Type, VarId,
};
use crate::result::Level;
use props::Derive;
pub(crate) use props::{HasProps, Props};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;
pub(crate) use walk::AnyId;

macro_rules! ids {
    ($($name:ident)*) => { $(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub u32);
    )* };
}
ids!(BoolId SetId NumId TextId PlaceId MoveId DashId ConId LineId PathId ImagineId);

/// Control nodes with a value of any type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flow<T> {
    /// The value of the last, if the others hold.
    Seq(Box<[BoolId]>, T),
    If(BoolId, T, T),
    At(PlaceId, T),
    /// The value after the first matching move that has one.
    Dash(DashId, T),
    Imagine(ImagineId, T),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bool {
    Const(bool),
    And(Box<[BoolId]>),
    Or(Box<[BoolId]>),
    Not(BoolId),
    Flow(Flow<BoolId>),
    NonEmpty(SetId),
    Count(Count),
    HasNum(NumId),
    HasText(TextId),
    HasPlace(PlaceId),
    Subset(SetId, SetId),
    SetEq(SetId, SetId),
    Test(Test),
    ToMove(Side),
    Any {
        var: VarId,
        is_piece: bool,
        set: SetId,
        body: BoolId,
        all: bool,
    },
    Assign(Assign),
    AssignPiece(VarId, SetId),
    AssignSlice(VarId, Option<NumId>, Option<NumId>, TextId),
    Unbind(VarId),
    IsBound(VarId),
    Store(VarId, Key, Key),
    Forget(VarId, Key),
    EachKey {
        dict: VarId,
        var: VarId,
        body: BoolId,
    },
    IfOnly(BoolId, BoolId),
    While(BoolId, BoolId),
    WhileMatch {
        text: TextId,
        pattern: TextId,
        body: BoolId,
    },
    Loop(BoolId),
    Assert(BoolId, u32),
    Move(MoveId),
    Dash(DashId, Option<BoolId>),
    Echo {
        quiet: bool,
        source: VarId,
        target: VarId,
        all: bool,
        body: BoolId,
    },
    Orbit(Box<[BoolId]>),
    Contains {
        text: TextId,
        part: TextId,
    },
    Comment(Box<[Piece]>),
    Message {
        quiet: bool,
        parts: Box<[Piece]>,
    },
    Result(Box<str>),
    HasNag(u8),
    SetTag(Box<str>, TextId),
    RemoveTag(Box<str>),
    RemoveComment,
    Ancestor(PlaceId, PlaceId),
    Equal(Key, Key),
    WriteFile(TextId, TextId),
    OutputFile(TextId),
    Similar {
        file: Box<str>,
        transforms: bool,
    },
    /// In CQL 6.2 `a != b` is `not a == b`, even if a value is missing.
    NumNe(NumId, NumId),
    TextNe(TextId, TextId),
    PlaceNe(PlaceId, PlaceId),
}

/// Conditions without operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    Check,
    Mate,
    Stalemate,
    Initial,
    Terminal,
    Mainline,
    VirtualMainline,
    VirtualMainline62,
    Primary,
    Secondary,
    Castle,
    ShortCastle,
    LongCastle,
    EnPassant,
    NullMove,
    Try,
    LegalPosition,
    ReachablePosition,
    VariantWin,
    VariantLoss,
    VariantEnd,
    VariantDraw,
    Cooked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Assign {
    Set {
        var: VarId,
        value: SetId,
        only_nonempty: bool,
    },
    Num(VarId, NumId),
    Text(VarId, TextId),
    Place(VarId, PlaceId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Set {
    Const(u64),
    Pieces {
        pieces: u16,
        squares: u64,
    },
    Var(VarId),
    PieceVar(VarId),
    Flow(Flow<SetId>),
    Not(SetId),
    And(Box<[SetId]>),
    Or(Box<[SetId]>),
    Same(PlaceId, PlaceId),
    Step {
        dirs: u8,
        range: Range,
        of: SetId,
    },
    Attackers(SetId, SetId),
    Attacked(SetId, SetId),
    Between(SetId, SetId),
    Ray {
        dirs: u8,
        attack: bool,
        first: bool,
        sets: Box<[SetId]>,
    },
    Pin(PinSpec),
    Each {
        var: VarId,
        is_piece: bool,
        set: SetId,
        body: BoolId,
    },
    MakeSquare(NumId, NumId),
    NamedSquare(TextId),
    Move(MoveId),
    LegalDash {
        dash: DashId,
        pseudo: bool,
        kind: Option<Test>,
    },
    Lookup(VarId, Key),
    Pawns(Pawns),
    Mate(MateKind),
    MoveFrom,
    MoveTo,
    EnPassantSquare,
    Promoted,
    Orbit(Box<[SetId]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pawns {
    Connected,
    Isolated,
    Doubled,
    Passed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MateKind {
    pub stalemate: bool,
    /// 0 pure, 1 model, 2 ideal.
    pub degree: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Num {
    Const(i64),
    Var(VarId),
    Flow(Flow<NumId>),
    Card(SetId),
    Length(TextId),
    Entries(VarId),
    Measure(Measure),
    OfSet(SetMeasure, SetId),
    Calc(Calc, NumId, NumId),
    Negate(NumId),
    Abs(NumId),
    Sqrt(NumId),
    Int(TextId),
    Ascii(TextId),
    Extreme {
        max: bool,
        args: Box<[NumId]>,
    },
    Compare(Compare, NumId, NumId),
    Distance(PlaceId, PlaceId),
    IndexOf(TextId, TextId),
    Find {
        quiet: bool,
        back: bool,
        range: Range,
        body: BoolId,
    },
    Echo {
        quiet: bool,
        source: VarId,
        target: VarId,
        all: bool,
        sort: bool,
        body: NumId,
    },
    Consecutive {
        quiet: bool,
        range: Option<Range>,
        left: PlaceId,
        right: PlaceId,
        names: (Box<str>, Box<str>),
        site: u32,
    },
    OrbitCount {
        range: Range,
        parts: Box<[BoolId]>,
    },
    OrbitMax(Box<[NumId]>),
    Move(MoveId),
    DashCount(DashId, Option<BoolId>),
    LegalCount {
        dash: DashId,
        pseudo: bool,
        kind: Option<Test>,
    },
    Line(LineId),
    Path(PathId),
    Sort {
        key: u32,
        value: NumId,
        site: u32,
    },
    Elo(Option<Side>),
    Year,
    GroupStart(Group),
    Award {
        kind: Award,
        special: bool,
        max: bool,
    },
    Lookup(VarId, Key),
}

/// Numbers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Measure {
    Ply,
    MoveNumber,
    MoveNumber62,
    Depth,
    PositionId,
    GameNumber,
    LastGameNumber,
    SideToMove,
    PathCount,
    PathCountUnfocused,
    HalfMoveClock,
}

/// Numbers of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SetMeasure {
    Power,
    Type,
    ColorType,
    PieceId,
    Rank,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Calc {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Text {
    Const(Arc<str>),
    Var(VarId),
    Flow(Flow<TextId>),
    Join(TextId, TextId),
    Slice(TextId, Option<NumId>, Option<NumId>),
    Char(TextId, NumId),
    Match(TextId, TextId),
    Group(Group),
    Str(Box<[Piece]>),
    FromAscii(NumId),
    Upper(TextId),
    Lower(TextId),
    Tag(Box<str>),
    Players,
    OriginalComment,
    Fen,
    Fen62,
    TypeName(SetId),
    PieceName(SetId),
    Extreme { max: bool, args: Box<[TextId]> },
    Compare(Compare, TextId, TextId),
    Sort { key: u32, value: TextId, site: u32 },
    ReadFile(TextId),
    Pipe(TextId, TextId),
    Lookup(VarId, Key),
    Variant,
    ZobristKey,
    CastlingRights,
    CurrentMutation,
    Composer,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Here,
    Parent,
    Root,
    Child(NumId),
    Number(NumId),
    Var(VarId),
    Flow(Flow<PlaceId>),
    Lca(PlaceId, PlaceId),
    ById(Compare, PlaceId, PlaceId),
    ByAncestry(Compare, PlaceId, PlaceId),
    Find {
        quiet: bool,
        back: bool,
        body: BoolId,
    },
    Line(LineId),
    Path(PathId),
    PathStart,
    PathLast,
    Lookup(VarId, Key),
    Save,
}

/// A value of some type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Num(NumId),
    Text(TextId),
    Set(SetId),
    Place(PlaceId),
    Bool(BoolId),
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    Var {
        var: VarId,
        /// It holds a position, or a dictionary that may.
        prints_positions: bool,
    },
    Value(Key),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MoveSpec {
    pub mode: MoveMode,
    pub value: MoveValue,
    pub from: Option<SetId>,
    pub to: Option<SetId>,
    pub capture: Option<SetId>,
    pub promote: Option<u16>,
    pub en_passant: Option<SetId>,
    pub castle: Option<Castling>,
    pub null: bool,
    pub primary: bool,
    pub secondary: bool,
    pub drop: Option<u16>,
    pub comment: Box<[Piece]>,
    pub target: Option<(BoolId, bool)>,
}

impl MoveSpec {
    /// True for played moves of which only the squares matter.
    pub fn is_plain(&self) -> bool {
        let asks = self.capture.is_some()
            || self.promote.is_some()
            || self.en_passant.is_some()
            || self.castle.is_some()
            || self.null
            || self.primary
            || self.secondary
            || self.drop.is_some();
        self.mode == MoveMode::Played && !asks && self.comment.is_empty() && self.target.is_none()
    }
}

/// This many of these pieces are on these squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Count {
    pub pieces: u16,
    pub squares: u64,
    pub op: Compare,
    pub n: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PinSpec {
    pub from: Option<SetId>,
    pub through: Option<SetId>,
    pub to: Option<SetId>,
    pub value: PinPart,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DashSpec {
    pub capture: bool,
    pub left: Option<SetId>,
    pub right: Option<SetId>,
    pub promotion: Option<Promotion>,
    /// About the move that led here, rather than those played from here.
    pub current: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Promotion {
    Pieces(u16),
    Text(TextId),
}

/// A constituent of a line or path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Con {
    Filter { body: BoolId, linear: bool },
    Dash(DashId, Option<BoolId>),
    Chain(Box<[ConId]>),
    Repeat { of: ConId, min: u32, max: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LineSpec {
    pub back: bool,
    pub range: Option<Range>,
    pub single_color: bool,
    pub primary: bool,
    pub secondary: bool,
    pub nestban: bool,
    pub firstmatch: bool,
    pub quiet: bool,
    pub parts: Box<[ConId]>,
    pub site: u32,
    /// The variant of a transform that it is part of; with `nestban` each has its own positions.
    pub variant: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PathSpec {
    pub range: Option<Range>,
    pub focus: Option<(SetId, bool)>,
    pub max: Option<NumId>,
    pub primary: bool,
    pub nestban: bool,
    pub firstmatch: bool,
    pub quiet: bool,
    pub verbose: bool,
    pub title: Option<Box<str>>,
    pub piece_path: bool,
    pub keep_all_best: bool,
    pub parts: Box<[ConId]>,
    pub site: u32,
    /// The variant of a transform that it is part of; with `nestban` each has its own positions.
    pub variant: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ImagineSpec {
    pub put: Box<[(u16, SetId)]>,
    pub turn: Option<Side>,
}

/// The sort order of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortKey {
    pub name: String,
    pub min: bool,
    pub quiet: bool,
    pub ty: Type,
}

/// Nodes of one kind, each stored once.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    nodes: Vec<(T, Props)>,
    known: FxHashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table {
            nodes: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn intern(&mut self, node: T, props: Props) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push((node.clone(), props));
        self.known.insert(node, id);
        id
    }
}

impl<T> Table<T> {
    #[inline]
    pub fn get(&self, id: u32) -> &T {
        &self.nodes[id as usize].0
    }

    #[inline]
    pub fn props(&self, id: u32) -> Props {
        self.nodes[id as usize].1
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.nodes.iter().map(|(node, _)| node)
    }
}

/// All nodes of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ir {
    pub bools: Table<Bool>,
    pub sets: Table<Set>,
    pub nums: Table<Num>,
    pub texts: Table<Text>,
    pub places: Table<Place>,
    pub moves: Table<MoveSpec>,
    pub dashes: Table<DashSpec>,
    pub cons: Table<Con>,
    pub lines: Table<LineSpec>,
    pub paths: Table<PathSpec>,
    pub imagines: Table<ImagineSpec>,
    pub sorts: Vec<SortKey>,
    /// The properties of matching the constituents of each line.
    line_parts: Vec<Props>,
    /// The same for each path.
    path_parts: Vec<Props>,
    /// The comments that filters make.
    level: Level,
    /// True if a path restores a variable on backtracking.
    has_atomics: bool,
}

macro_rules! tables {
    ($($make:ident $look:ident $field:ident $id:ident $node:ident;)*) => {
        impl Ir { $(
            pub fn $make(&mut self, node: $node) -> $id {
                if let Some(&id) = self.$field.known.get(&node) {
                    return $id(id);
                }
                let props = node.derive(self);
                $id(self.$field.intern(node, props))
            }
            #[inline]
            pub fn $look(&self, id: $id) -> &$node {
                self.$field.get(id.0)
            }
        )* }
        $( impl HasProps for $id {
            #[inline]
            fn props(self, ir: &Ir) -> Props {
                ir.$field.props(self.0)
            }
        } )*
    };
}
tables! {
    bool_node bool bools BoolId Bool;
    set_node set sets SetId Set;
    num_node num nums NumId Num;
    text_node text texts TextId Text;
    place_node place places PlaceId Place;
    move_node mv moves MoveId MoveSpec;
    dash_node dash dashes DashId DashSpec;
    con_node con cons ConId Con;
    new_line line lines LineId LineSpec;
    new_path path paths PathId PathSpec;
    imagine_node imagine imagines ImagineId ImagineSpec;
}

impl Ir {
    /// No nodes yet.
    pub fn new(level: Level, has_atomics: bool) -> Ir {
        Ir {
            level,
            has_atomics,
            ..Ir::default()
        }
    }

    /// True if a path restores a variable on backtracking.
    #[inline]
    pub fn has_atomics(&self) -> bool {
        self.has_atomics
    }

    pub fn line_node(&mut self, spec: LineSpec) -> LineId {
        let parts = spec.parts_props(self);
        let id = self.new_line(spec);
        self.line_parts.resize(self.lines.len(), parts);
        id
    }

    pub fn path_node(&mut self, spec: PathSpec) -> PathId {
        let parts = spec.parts_props(self);
        let id = self.new_path(spec);
        self.path_parts.resize(self.paths.len(), parts);
        id
    }

    /// The properties of matching the constituents of a line.
    #[inline]
    pub fn line_parts(&self, id: LineId) -> Props {
        self.line_parts[id.0 as usize]
    }

    /// The properties of matching the constituents of a path.
    #[inline]
    pub fn path_parts(&self, id: PathId) -> Props {
        self.path_parts[id.0 as usize]
    }
}
