//! Queries of the oracle.

/// A set of squares.
#[derive(Clone, Debug)]
pub enum Set {
    /// These pieces (of `KQRBNPkqrbnp_`) on one square or anywhere.
    Pieces(String, Option<(i32, i32)>),
    Empty,
    Or(Box<Set>, Box<Set>),
    And(Box<Set>, Box<Set>),
    Not(Box<Set>),
    /// Those of the first that attack one of the second.
    Attacks(Box<Set>, Box<Set>),
    /// Squares some steps away in any of these directions.
    Steps(Vec<(i32, i32)>, (i32, i32), Box<Set>),
    Between(Box<Set>, Box<Set>),
    At(Place, Box<Set>),
    If(Box<Condition>, Box<Set>, Box<Set>),
    /// Squares with equal contents in both positions.
    Alike(Place, Place),
}

/// A number, or none.
#[derive(Clone, Debug)]
pub enum Number {
    Const(i64),
    Ply,
    Depth,
    Id,
    SideToMove,
    Count(Box<Set>),
    Sum(Box<Number>, Box<Number>),
    Ratio(Box<Number>, Box<Number>),
    At(Place, Box<Number>),
    Distance(Place, Place),
    FindAll(Box<Condition>),
    /// The length of the longest line.
    Line(Box<Sequence>),
    /// The length of the longest path.
    Path(Box<Sequence>),
    /// The number of different variants of a transform that hold.
    Variants(Family, Box<Condition>),
    /// The same inside another transform, with its variants expanded.
    Held(Vec<Condition>),
    /// Moves from here with these squares to positions where the condition holds.
    Moves(Box<Set>, Box<Set>, Box<Condition>),
}

/// A position, or none.
#[derive(Clone, Debug)]
pub enum Place {
    Here,
    Parent,
    Child(i64),
    Start,
    Id(i64),
    /// The source or target of the echo around it.
    Source,
    Target,
    Lca(Box<Place>, Box<Place>),
    At(Box<Place>, Box<Place>),
    Find(Box<Condition>),
    /// The last position of the longest line.
    LineEnd(Box<Sequence>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Less,
    LessEqual,
    Equal,
    Unequal,
}

#[derive(Clone, Debug)]
pub enum Condition {
    Some(Set),
    Is(Place),
    Check,
    Mate,
    ToMove(bool),
    Initial,
    Terminal,
    Mainline,
    Secondary,
    Compare(Number, Order, Number),
    /// By ancestry.
    Related(Place, Order, Place),
    Or(Box<Condition>, Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
    If(Box<Condition>, Box<Condition>, Box<Condition>),
    At(Place, Box<Condition>),
    FindBack(i64, i64, Box<Condition>),
    Line(Box<Sequence>),
    Path(Box<Sequence>),
    Transform(Family, Box<Condition>),
    Echo(Box<Condition>),
    /// A move (or capture) with these squares leads to a position where the condition holds.
    Dash(bool, Set, Set, Box<Condition>),
}

/// The transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Flip,
    FlipColor,
    Shift,
    FlipShift,
}

/// The constituents of a line or path.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub back: bool,
    pub single_color: bool,
    pub primary: bool,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub enum Part {
    /// Holds at a position; of a path: after a move.
    One(Condition),
    Chain(Vec<Part>),
    /// The least and greatest number of repetitions.
    Repeat(Box<Part>, usize, usize),
}

impl Part {
    /// It may match without any position or move.
    pub fn may_be_empty(&self) -> bool {
        match self {
            Part::One(_) => false,
            Part::Chain(parts) => parts.iter().all(Part::may_be_empty),
            Part::Repeat(of, low, _) => *low == 0 || of.may_be_empty(),
        }
    }
}
