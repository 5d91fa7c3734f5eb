//! The syntax tree of a query, each part with its type and its source tokens.

use crate::diagnostic::Span;
use crate::lex::Designator;

/// A filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its source tokens.
    pub span: Span,
    /// The type of its value.
    pub ty: Type,
    /// The nesting depth of its filters, itself included.
    pub height: u16,
}

/// The type of a filter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A match without a value.
    Condition,
    /// An integer.
    Number,
    /// A string.
    Text,
    /// A set of squares.
    Set,
    /// A position of the game tree.
    Position,
    /// A dictionary.
    Dictionary,
    /// The filter is in error; it fits any type, so that one mistake is reported once.
    Unknown,
}

impl Type {
    /// The name of the type in messages.
    pub fn name(self) -> &'static str {
        match self {
            Type::Condition => "a condition",
            Type::Number => "a number",
            Type::Text => "a text",
            Type::Set => "a set of squares",
            Type::Position => "a position",
            Type::Dictionary => "a dictionary",
            Type::Unknown => "something",
        }
    }

    /// Whether a value of this type fits where `other` is expected.
    pub fn fits(self, other: Type) -> bool {
        self == other || self == Type::Unknown || other == Type::Unknown
    }
}

/// A variable of the query, by its index in the query's list of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// The properties of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name; that of a function's parameter has a number appended.
    pub name: String,
    /// The type of its first value.
    pub ty: Type,
    /// It holds one piece and follows it.
    pub is_piece: bool,
    /// It keeps its value from game to game.
    pub persistent: bool,
    /// It is not printed at the end.
    pub quiet: bool,
    /// Paths restore it on backtracking.
    pub atomic: bool,
    /// Types of keys and values, for a dictionary.
    pub entry: (Type, Type),
    /// The text given on the command line or by the caller.
    pub preset: Option<Preset>,
    /// The query assigns it.
    pub assigned: bool,
}

/// A value that a variable has before the first game.
#[derive(Clone, Debug, PartialEq)]
pub enum Preset {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// The kinds of filters.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// In error, and reported.
    Error,
    /// A filter that is one word.
    Simple(Simple),
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
    /// A piece designator.
    Designator(Designator),
    /// A fixed set: `.` and `[]`.
    Squares(u64),
    /// A variable.
    Variable(VarId),
    /// `a and b and c`
    And(Vec<Expr>),
    /// `a or b or c`
    Or(Vec<Expr>),
    /// `{ a b c }`: matches if all do, with the value of the last.
    Sequence(Vec<Expr>),
    /// A word or sign before its operand.
    Prefix(Prefix, Box<Expr>),
    /// An operator between two operands, or a word with two arguments.
    Infix(Infix, Box<Expr>, Box<Expr>),
    /// `a | b | c`
    Union(Vec<Expr>),
    /// `a & b & c`
    Meet(Vec<Expr>),
    /// `up 1 2 A`
    Step {
        dirs: u8,
        range: Range,
        of: Box<Expr>,
    },
    /// `A -> B -> C`, or with `<-`.
    Arrows { sets: Vec<Expr>, right: bool },
    /// `ray` and `xray`.
    Ray {
        dirs: u8,
        attack: bool,
        sets: Vec<Expr>,
    },
    /// `pin from A through B to C`
    Pin {
        from: Option<Box<Expr>>,
        through: Option<Box<Expr>>,
        to: Option<Box<Expr>>,
        value: PinPart,
    },
    /// `move …`
    Move(Box<Move>),
    /// `A--B`, `A[x]B`, and their use in `currentmove`, `countmoves` and `legal`.
    Dash(Box<Dash>, DashUse),
    /// `line --> …`
    Line(Box<Line>),
    /// `path …`
    Path(Box<Path>),
    /// `find …`
    Find {
        quiet: bool,
        back: bool,
        count: Option<Range>,
        body: Box<Expr>,
    },
    /// `echo (s t) …`
    Echo {
        quiet: bool,
        source: VarId,
        target: VarId,
        all: bool,
        body: Box<Expr>,
    },
    /// `consecutivemoves (a b)`
    Consecutive {
        quiet: bool,
        range: Option<Range>,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `flip F`, `shift count F`, …
    Transform {
        which: Transform,
        count: Option<Range>,
        body: Box<Expr>,
    },
    /// `max(a b)` and `min(a b)`
    Extreme { max: bool, args: Vec<Expr> },
    /// `if a then b else c`
    If {
        test: Box<Expr>,
        then: Box<Expr>,
        otherwise: Option<Box<Expr>>,
    },
    /// `while (a) b`
    While { test: Box<Expr>, body: Box<Expr> },
    /// `while (s ~~ "re") b`
    WhileMatch {
        text: Box<Expr>,
        pattern: Box<Expr>,
        body: Box<Expr>,
    },
    /// `x = v`
    Assign {
        var: VarId,
        value: Box<Expr>,
        only_nonempty: bool,
    },
    /// `piece x = S`
    AssignPiece { var: VarId, set: Box<Expr> },
    /// `x[i:j] = s`
    AssignSlice {
        var: VarId,
        slice: Box<Slice>,
        value: Box<Expr>,
    },
    /// `square x in S F`, `piece all x in S F`
    Each {
        var: VarId,
        all: bool,
        set: Box<Expr>,
        body: Box<Expr>,
    },
    /// `D[k]`
    Lookup { dict: VarId, key: Box<Expr> },
    /// `D[k] = v`
    Store {
        dict: VarId,
        key: Box<Expr>,
        value: Box<Expr>,
    },
    /// `unbind D[k]`
    Forget { dict: VarId, key: Box<Expr> },
    /// `k [element] D F`
    EachKey {
        dict: VarId,
        var: VarId,
        body: Box<Expr>,
    },
    /// `unbind x`
    Unbind(VarId),
    /// `isbound x`
    IsBound(VarId),
    /// A call of a function, its body expanded.
    Call {
        args: Vec<(VarId, Expr)>,
        body: Box<Expr>,
    },
    /// `s[i]`, `s[i:j]`
    Slice { text: Box<Expr>, slice: Box<Slice> },
    /// `\3`, `\-3`
    Group { which: Group, start: bool },
    /// `str(…)`
    Str(Vec<Expr>),
    /// `comment(…)` and `/// …`
    Comment(Vec<Expr>),
    /// `message(…)`
    Message { quiet: bool, parts: Vec<Expr> },
    /// `sort …`
    Sort {
        min: bool,
        quiet: bool,
        name: String,
        body: Box<Expr>,
    },
    /// `player`
    Player(Option<Side>),
    /// `elo`
    Elo(Option<Side>),
    /// A tag by its name.
    Tag(String),
    /// `result 1-0`
    Result(String),
    /// `fen "…"`: the board matches this pattern.
    BoardIs(Vec<Designator>),
    /// `hascomment "!"`: the move has this annotation glyph.
    HasNag(u8),
    /// `event "x"`: the text contains the string; `param` is its token.
    Contains {
        text: Box<Expr>,
        part: Box<Expr>,
        param: Option<usize>,
    },
    /// `settag("N" s)`
    SetTag { name: String, value: Box<Expr> },
    /// `removetag "N"`
    RemoveTag(String),
    /// `hhdb prize` and similar: place in the award.
    Award {
        kind: Award,
        special: bool,
        max: bool,
    },
    /// `similarposition "f.pgn"`
    Similar { file: String, transforms: bool },
    /// `imagine … : F`
    Imagine {
        changes: Vec<Change>,
        body: Box<Expr>,
    },
    /// `pipe("command" text)`
    Pipe {
        command: Box<Expr>,
        input: Box<Expr>,
    },
    /// `outputfile s`: the file to write this game to.
    OutputFile(Box<Expr>),
}

/// Filters that are one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is named as the word it is
pub enum Simple {
    True,
    False,
    Check,
    Mate,
    Stalemate,
    Wtm,
    Btm,
    Initial,
    Terminal,
    Mainline,
    Variation,
    VirtualMainline,
    Ply,
    MoveNumber,
    Depth,
    PositionId,
    GameNumber,
    LastGameNumber,
    SideToMove,
    White,
    Black,
    CurrentPosition,
    Parent,
    InitialPosition,
    From,
    To,
    Primary,
    Secondary,
    Castle,
    ShortCastle,
    LongCastle,
    EnPassant,
    EnPassantSquare,
    NullMove,
    Try,
    PathCount,
    PathCountUnfocused,
    PathStart,
    PathLastPosition,
    ConnectedPawns,
    IsolatedPawns,
    DoubledPawns,
    PassedPawns,
    PureMate,
    ModelMate,
    IdealMate,
    PureStalemate,
    ModelStalemate,
    IdealStalemate,
    CurrentTransform,
    Year,
    RemoveComment,
    LegalPosition,
    ReachablePosition,
    CurrentMutation,
    Variant,
    VariantWin,
    VariantLoss,
    VariantEnd,
    VariantDraw,
    ZobristKey,
    PromotedPieces,
    SavePosition,
    Fen,
    OriginalComment,
    Cooked,
    CastlingRights,
    HalfMoveClock,
    Composer,
}

/// Words and signs before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is named as the word it is
pub enum Prefix {
    Not,
    Complement,
    Count,
    Light,
    Dark,
    Power,
    Type,
    ColorType,
    TypeName,
    PieceName,
    PieceId,
    Rank,
    File,
    Negate,
    Abs,
    Sqrt,
    Int,
    Ascii,
    Uppercase,
    Lowercase,
    NoTransform,
    Loop,
    Assert,
    Identity,
    MakeSquare,
    ReadFile,
    Position,
    Child,
}

/// Operators and words with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is named as the operator it is
pub enum Infix {
    In,
    Compare(Compare),
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Attacks,
    AttackedBy,
    At,
    Ancestor,
    Descendant,
    Lca,
    Distance,
    Between,
    MakeSquare,
    IndexOf,
    Match,
    Equal,
    WriteFile,
    SameSquares,
}

/// Comparisons; the bracketed ones compare positions by ancestry in every dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `[<]`
    Above,
    /// `[<=]`
    AboveEqual,
    /// `[>]`
    Below,
    /// `[>=]`
    BelowEqual,
}

/// Transforms of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is named as the word it is
pub enum Transform {
    Flip,
    FlipVertical,
    FlipHorizontal,
    FlipColor,
    ReverseColor,
    Rotate90,
    Rotate45,
    Shift,
    ShiftHorizontal,
    ShiftVertical,
}

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The least.
    pub min: Bound,
    /// The greatest.
    pub max: Bound,
}

impl Range {
    /// Any number.
    pub const ANY: Range = Range {
        min: Bound::Number(i64::MIN),
        max: Bound::Number(i64::MAX),
    };

    /// From one constant to another.
    pub const fn constant(min: i64, max: i64) -> Range {
        Range {
            min: Bound::Number(min),
            max: Bound::Number(max),
        }
    }
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A constant.
    Number(i64),
    /// The value of a variable.
    Variable(VarId),
}

/// The square of a pin that is its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PinPart {
    From,
    Through,
    To,
}

/// The moves that a `move` filter tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveMode {
    /// The moves played from here.
    Played,
    /// The move that led here.
    Previous,
    /// The legal moves.
    Legal,
    /// Also those that leave the king in check.
    Pseudolegal,
    /// The moves that could have led here.
    Reverse,
}

/// The value of a `move` filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MoveValue {
    Matches,
    From,
    To,
    Capture,
    Count,
}

/// A `move` filter.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each is named as the parameter it is
pub struct Move {
    pub mode: MoveMode,
    pub value: MoveValue,
    pub from: Option<Expr>,
    pub to: Option<Expr>,
    pub capture: Option<Expr>,
    pub promote: Option<u16>,
    pub en_passant: Option<Expr>,
    pub castle: Option<Castling>,
    pub null: bool,
    pub primary: bool,
    pub secondary: bool,
    pub drop: Option<u16>,
    pub comment: Vec<Expr>,
    /// The filter after `:`, and whether every move must satisfy it.
    pub target: Option<(Expr, bool)>,
}

/// Which castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Castling {
    Short,
    Long,
    Any,
}

/// `left--right=promotion(target)`
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Dash {
    pub capture: bool,
    pub left: Option<Expr>,
    pub right: Option<Expr>,
    pub promotion: Option<Promotion>,
    pub target: Option<Expr>,
}

/// The condition on a promotion.
#[derive(Clone, Debug, PartialEq)]
pub enum Promotion {
    /// One of these pieces.
    Pieces(u16),
    /// One of the letters of a text; any, if it is empty or `.`.
    Text(Expr),
}

/// The use of a dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DashUse {
    Played,
    Count,
    Current,
    Legal { pseudo: bool, count: bool },
}

/// A `line` filter.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each is named as the parameter it is
pub struct Line {
    pub back: bool,
    pub range: Option<Range>,
    pub single_color: bool,
    pub primary: bool,
    pub secondary: bool,
    pub nestban: bool,
    pub firstmatch: bool,
    pub last_position: bool,
    pub quiet: bool,
    pub parts: Vec<Part>,
}

/// A constituent of a `line` or `path`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Part {
    Filter(Expr),
    Dash(Box<Dash>),
    Chain(Vec<Part>),
    Repeat { part: Box<Part>, min: u32, max: u32 },
}

/// A `path` filter.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each is named as the parameter it is
pub struct Path {
    pub range: Option<Range>,
    pub focus: Option<(Expr, bool)>,
    pub max: Option<Expr>,
    pub primary: bool,
    pub nestban: bool,
    pub firstmatch: bool,
    pub last_position: bool,
    pub quiet: bool,
    pub verbose: bool,
    pub title: Option<String>,
    pub piece_path: bool,
    pub keep_all_best: bool,
    pub parts: Vec<Part>,
}

/// The contents of the brackets of `s[…]`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Slice {
    At(Expr),
    Between(Option<Expr>, Option<Expr>),
}

/// A group of a regular expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Group {
    Number(u8),
    Name(String),
}

/// Kinds of awards in the database of studies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Award {
    Any,
    Prize,
    HonourableMention,
    Commendation,
}

/// A change to an imagined position.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Put this piece (a bit of a designator) on these squares; the empty piece clears them.
    Put(u16, Expr),
    /// Give the move to this side.
    Turn(Side),
}

/// The header, `cql(…)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Files to read.
    pub input: Vec<String>,
    /// File to write.
    pub output: Option<String>,
    /// Search variations too.
    pub variations: bool,
    /// Games with these numbers only.
    pub game_numbers: Option<(i64, i64)>,
    /// Games with this result only.
    pub result: Option<String>,
    /// Games with this many matching positions only.
    pub match_count: Option<(i64, i64)>,
    /// Sort by the number of matching positions.
    pub sort_match_count: bool,
    /// The comment at matching positions.
    pub match_string: Option<String>,
    /// No comments at all.
    pub silent: bool,
    /// Only comments that the query requests.
    pub quiet: bool,
}

/// A whole query.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The header.
    pub header: Header,
    /// The filters.
    pub body: Expr,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Warnings.
    pub warnings: Vec<crate::diagnostic::Diagnostic>,
}

/// Calls `f` with each filter directly inside another.
pub fn children(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    use ExprKind::*;
    match &e.kind {
        // 1. Filters without parts.
        Error | Simple(_) | Number(_) | Text(_) | Designator(_) | Squares(_) | Variable(_)
        | Unbind(_) | IsBound(_) => {}
        Group { .. }
        | Player(_)
        | Elo(_)
        | Tag(_)
        | Result(_)
        | BoardIs(_)
        | HasNag(_)
        | RemoveTag(_) => {}
        Award { .. } | Similar { .. } => {}
        // 2. A list of parts.
        And(es) | Or(es) | Sequence(es) | Union(es) | Meet(es) | Str(es) | Comment(es) => {
            es.iter().for_each(f)
        }
        Arrows { sets, .. } | Ray { sets, .. } => sets.iter().for_each(f),
        Message { parts, .. } => parts.iter().for_each(f),
        Extreme { args, .. } => args.iter().for_each(f),
        // 3. One part.
        Prefix(_, a)
        | Step { of: a, .. }
        | Find { body: a, .. }
        | Echo { body: a, .. }
        | Transform { body: a, .. } => f(a),
        Assign { value: a, .. }
        | AssignPiece { set: a, .. }
        | Lookup { key: a, .. }
        | Forget { key: a, .. } => f(a),
        EachKey { body: a, .. }
        | Sort { body: a, .. }
        | SetTag { value: a, .. }
        | OutputFile(a) => f(a),
        // 4. Two parts.
        Infix(_, a, b)
        | Store {
            key: a, value: b, ..
        }
        | While { test: a, body: b }
        | Each {
            set: a, body: b, ..
        } => {
            f(a);
            f(b);
        }
        Consecutive {
            left: a, right: b, ..
        }
        | Contains {
            text: a, part: b, ..
        }
        | Pipe {
            command: a,
            input: b,
        } => {
            f(a);
            f(b);
        }
        // 5. Filters with a structure of their own.
        WhileMatch {
            text,
            pattern,
            body,
        } => {
            f(text);
            f(pattern);
            f(body);
        }
        If {
            test,
            then,
            otherwise,
        } => {
            f(test);
            f(then);
            otherwise.iter().for_each(|e| f(e));
        }
        Pin {
            from, through, to, ..
        } => [from, through, to].into_iter().flatten().for_each(|e| f(e)),
        Slice { text, slice } => {
            f(text);
            slice_children(slice, f);
        }
        AssignSlice { slice, value, .. } => {
            slice_children(slice, f);
            f(value);
        }
        Call { args, body } => {
            args.iter().for_each(|(_, e)| f(e));
            f(body);
        }
        Imagine { changes, body } => {
            changes.iter().for_each(|c| {
                if let Change::Put(_, e) = c {
                    f(e)
                }
            });
            f(body);
        }
        Move(m) => {
            [&m.from, &m.to, &m.capture, &m.en_passant]
                .into_iter()
                .flatten()
                .for_each(&mut *f);
            m.comment.iter().for_each(&mut *f);
            m.target.iter().for_each(|(e, _)| f(e));
        }
        Dash(dash, _) => dash_children(dash, f),
        Line(line) => line.parts.iter().for_each(|p| part_children(p, f)),
        Path(path) => {
            path.focus.iter().for_each(|(e, _)| f(e));
            path.max.iter().for_each(&mut *f);
            path.parts.iter().for_each(|p| part_children(p, f));
        }
    }
}

fn slice_children(slice: &Slice, f: &mut dyn FnMut(&Expr)) {
    match slice {
        Slice::At(e) => f(e),
        Slice::Between(from, to) => from.iter().chain(to).for_each(f),
    }
}

fn dash_children(dash: &Dash, f: &mut dyn FnMut(&Expr)) {
    [&dash.left, &dash.right, &dash.target]
        .into_iter()
        .flatten()
        .for_each(&mut *f);
    if let Some(Promotion::Text(e)) = &dash.promotion {
        f(e);
    }
}

fn part_children(part: &Part, f: &mut dyn FnMut(&Expr)) {
    match part {
        Part::Filter(e) => f(e),
        Part::Dash(dash) => dash_children(dash, f),
        Part::Chain(parts) => parts.iter().for_each(|p| part_children(p, f)),
        Part::Repeat { part, .. } => part_children(part, f),
    }
}
