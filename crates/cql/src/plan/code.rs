//! Calculations and the statements of loops as a list of operations, so that each number of an
//! expression, and each statement, costs a few instructions and not a call.

use crate::ast::{Compare, VarId};
use crate::ir::*;

/// Longer expressions are calculated node by node.
const MAX_LENGTH: usize = 256;
/// The most numbers that wait for an operation.
pub(crate) const MAX_WAITING: usize = 16;

/// A list of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    pub ops: Box<[Op]>,
    /// By operation: the one that follows if it fails, with no numbers waiting; [`END`] if the
    /// whole list has no value then.
    pub fails: Box<[u16]>,
}

/// No operation.
pub(crate) const END: u16 = u16::MAX;

/// An operation on the number at hand and those that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// The number at hand waits; this one takes its place.
    Push(Operand),
    /// The same for the value of a node.
    Node(NumId),
    Calc(Calc, Operand),
    Compare(Compare, Operand),
    Negate,
    Abs,
    Sqrt,
    /// The last number that waits takes the place of the one at hand.
    Drop,
    /// Assigns the number at hand; the last one that waits takes its place.
    Assign(VarId),
    /// Assigns the result of a calculation with the variable's own value.
    Update(VarId, Calc, Operand),
    AssignPlace(VarId, PlaceOperand),
    /// There is such a position.
    Exists(PlaceOperand),
    /// It fails unless this holds.
    Require(BoolId),
    /// The same at the position of a variable.
    RequireAt(VarId, BoolId),
    Fail,
    Jump(u16),
    /// The next round of a loop begins there.
    Again(u16),
}

/// The right operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Const(i64),
    Var(VarId),
    /// The rank of a single square.
    Rank(SetId),
    /// Its file.
    File(SetId),
    /// A number that depends on the board alone.
    OfBoard(NumId),
    /// The same on the board at the position of a variable.
    OfBoardAt(VarId, NumId),
    /// The number at hand; the left one is the last that waits.
    AtHand,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceOperand {
    Var(VarId),
    /// The parent of the position of a variable.
    Above(VarId),
    Node(PlaceId),
}

/// The operations of a node; none if they are not worth it.
pub(super) fn of_num(ir: &Ir, id: NumId) -> Option<Code> {
    if id.props(ir).has(Props::COMMENTS) {
        return None; // comments of parts without a value are dropped
    }
    let mut writer = Writer::new(ir, false);
    writer.num(id)?;
    // a node that is a single operation has no parts to join
    (writer.ops.len() > 1).then(|| writer.finish())
}

/// The operations of a loop, or of the body of a loop over squares; none if they are not worth it.
pub(super) fn of_statement(ir: &Ir, id: BoolId) -> Option<Code> {
    if id.props(ir).has(Props::COMMENTS) || !has_statements(ir, id) {
        return None;
    }
    let mut writer = Writer::new(ir, true);
    writer.condition(id)?;
    Some(writer.finish())
}

/// True if a condition consists of statements, in part at least.
fn has_statements(ir: &Ir, id: BoolId) -> bool {
    match ir.bool(id) {
        Bool::Assign(Assign::Num(..) | Assign::Place(..)) => true,
        Bool::While(..) | Bool::Loop(_) => true,
        Bool::HasNum(num) => compares_boards(ir, *num),
        Bool::And(ids) => ids.iter().any(|&id| has_statements(ir, id)),
        Bool::IfOnly(_, then) => has_statements(ir, *then),
        Bool::Flow(Flow::If(_, then, otherwise)) => {
            has_statements(ir, *then) || has_statements(ir, *otherwise)
        }
        _ => false,
    }
}

/// True for numbers of other positions, which are known after the first round.
fn compares_boards(ir: &Ir, num: NumId) -> bool {
    let is_elsewhere = |id: &NumId| match *ir.num(*id) {
        Num::Flow(Flow::At(_, num)) => num.props(ir).without(Props::GAME) == Props::NONE,
        _ => false,
    };
    match *ir.num(num) {
        Num::Compare(_, a, b) => [a, b].iter().any(is_elsewhere),
        _ => false,
    }
}

/// Loops, and the bodies of loops over squares and over positions.
pub(super) fn loops(ir: &Ir) -> impl Iterator<Item = BoolId> + '_ {
    let tests = (0..).map(BoolId).zip(ir.bools.iter());
    let tests = tests.filter_map(|(id, node)| match *node {
        Bool::Any { body, .. } | Bool::Echo { body, .. } => Some(body),
        Bool::While(..) | Bool::Loop(_) => Some(id),
        _ => None,
    });
    let sets = ir.sets.iter().filter_map(|node| match *node {
        Set::Each { body, .. } => Some(body),
        _ => None,
    });
    tests.chain(sets)
}

/// The numbers at which evaluation of an expression begins.
pub(super) fn roots(ir: &Ir) -> impl Iterator<Item = NumId> + '_ {
    let conditions = ir.bools.iter().flat_map(|node| match *node {
        Bool::HasNum(num) | Bool::Assign(Assign::Num(_, num)) => [Some(num), None],
        Bool::NumNe(a, b) => [Some(a), Some(b)],
        _ => [None, None],
    });
    let squares = ir.sets.iter().flat_map(|node| match *node {
        Set::MakeSquare(file, rank) => [Some(file), Some(rank)],
        _ => [None, None],
    });
    let sorts = ir.nums.iter().flat_map(|node| match *node {
        Num::Sort { value, .. } => [Some(value), None],
        _ => [None, None],
    });
    conditions.chain(squares).chain(sorts).flatten()
}

struct Writer<'a> {
    ir: &'a Ir,
    ops: Vec<Op>,
    /// By operation: the label at which it goes on if it fails.
    fails: Vec<u16>,
    /// By label: its operation, as far as it is known. Failure of the whole list has none.
    labels: Vec<u16>,
    on_failure: u16,
    waiting: usize,
    in_loop: bool,
}

impl<'a> Writer<'a> {
    fn new(ir: &'a Ir, in_loop: bool) -> Writer<'a> {
        Writer {
            ir,
            ops: Vec::new(),
            fails: Vec::new(),
            labels: vec![END],
            on_failure: 0,
            waiting: 0,
            in_loop,
        }
    }

    /// The list with operations in the place of labels.
    fn finish(mut self) -> Code {
        let labels = &self.labels;
        let place = |label: &mut u16| *label = labels[usize::from(*label)];
        self.fails.iter_mut().for_each(place);
        for op in &mut self.ops {
            if let Op::Jump(label) | Op::Again(label) = op {
                place(label);
            }
        }
        Code {
            ops: self.ops.into(),
            fails: self.fails.into(),
        }
    }

    fn label(&mut self) -> u16 {
        self.labels.push(END);
        self.labels.len() as u16 - 1
    }

    /// A label is at the next operation.
    fn here(&mut self, label: u16) {
        self.labels[usize::from(label)] = self.ops.len() as u16;
    }

    /// Adds a condition whose failure goes on at a label.
    fn condition_or(&mut self, id: BoolId, label: u16) -> Option<()> {
        let before = std::mem::replace(&mut self.on_failure, label);
        let written = self.condition(id);
        self.on_failure = before;
        written
    }

    /// Adds the operations of a number.
    fn num(&mut self, id: NumId) -> Option<()> {
        if let Some(operand) = self.operand(id) {
            return self.push(Op::Push(operand));
        }
        match *self.ir.num(id) {
            Num::Calc(op, a, b) => self.pair(a, b, |operand| Op::Calc(op, operand)),
            Num::Compare(op, a, b) => self.pair(a, b, |operand| Op::Compare(op, operand)),
            Num::Negate(a) => self.then(a, Op::Negate),
            Num::Abs(a) => self.then(a, Op::Abs),
            Num::Sqrt(a) => self.then(a, Op::Sqrt),
            Num::Flow(Flow::Seq(ref conditions, value)) => {
                for &condition in conditions {
                    self.condition(condition)?;
                }
                self.num(value)
            }
            _ => self.push(Op::Node(id)),
        }
    }

    fn condition(&mut self, id: BoolId) -> Option<()> {
        match *self.ir.bool(id) {
            Bool::Assign(Assign::Num(var, num)) => self.assign(var, num),
            Bool::HasNum(num) if self.is_calculated(num) => {
                self.num(num)?;
                self.waiting -= 1;
                self.add(Op::Drop)
            }
            Bool::Assign(Assign::Place(var, place)) => {
                self.add(Op::AssignPlace(var, self.place(place)))
            }
            Bool::HasPlace(place) => self.add(Op::Exists(self.place(place))),
            Bool::Flow(Flow::At(place, condition)) => match *self.ir.place(place) {
                Place::Var(var) => self.add(Op::RequireAt(var, condition)),
                _ => self.add(Op::Require(id)),
            },
            // those that go on after a failure forget the numbers that wait
            _ if self.waiting == 0 => self.branch(id),
            _ => self.add(Op::Require(id)),
        }
    }

    /// Conditions of conditions, which decide about the next operation.
    fn branch(&mut self, id: BoolId) -> Option<()> {
        match *self.ir.bool(id) {
            Bool::And(ref ids) => ids.iter().try_for_each(|&id| self.condition(id))?,
            Bool::Not(inner) => {
                let end = self.label();
                self.condition_or(inner, end)?;
                self.add(Op::Fail)?;
                self.here(end);
            }
            Bool::IfOnly(test, then) => {
                let end = self.label();
                self.condition_or(test, end)?;
                self.condition(then)?;
                self.here(end);
            }
            Bool::Flow(Flow::If(test, then, otherwise)) => {
                let (other, end) = (self.label(), self.label());
                self.condition_or(test, other)?;
                self.condition(then)?;
                self.add(Op::Jump(end))?;
                self.here(other);
                self.condition(otherwise)?;
                self.here(end);
            }
            Bool::While(test, body) => {
                let (start, end) = (self.label(), self.label());
                let next = self.label();
                self.here(start);
                self.condition_or(test, end)?;
                self.condition_or(body, next)?;
                self.here(next);
                self.add(Op::Again(start))?;
                self.here(end);
            }
            Bool::Loop(body) => {
                let (start, end) = (self.label(), self.label());
                // it fails if its first round does
                self.condition(body)?;
                self.here(start);
                self.condition_or(body, end)?;
                self.add(Op::Again(start))?;
                self.here(end);
            }
            _ => return self.add(Op::Require(id)),
        }
        Some(())
    }

    fn assign(&mut self, var: VarId, num: NumId) -> Option<()> {
        if let Num::Calc(op, a, b) = *self.ir.num(num)
            && *self.ir.num(a) == Num::Var(var)
            && let Some(operand) = self.operand(b)
        {
            return self.add(Op::Update(var, op, operand));
        }
        self.num(num)?;
        self.waiting -= 1;
        self.add(Op::Assign(var))
    }

    /// True for a number that is joined from parts.
    fn is_calculated(&self, num: NumId) -> bool {
        matches!(self.ir.num(num), Num::Calc(..) | Num::Compare(..))
    }

    fn place(&self, id: PlaceId) -> PlaceOperand {
        let variable = |id: PlaceId| match *self.ir.place(id) {
            Place::Var(var) => Some(var),
            _ => None,
        };
        let above = |id: PlaceId| match *self.ir.place(id) {
            Place::Flow(Flow::At(of, value)) if *self.ir.place(value) == Place::Parent => {
                variable(of)
            }
            _ => None,
        };
        let node = PlaceOperand::Node(id);
        let above = || above(id).map_or(node, PlaceOperand::Above);
        variable(id).map_or_else(above, PlaceOperand::Var)
    }

    fn pair(&mut self, a: NumId, b: NumId, op: impl Fn(Operand) -> Op) -> Option<()> {
        self.num(a)?;
        if let Some(operand) = self.operand(b) {
            return self.add(op(operand));
        }
        self.num(b)?;
        self.waiting -= 1;
        self.add(op(Operand::AtHand))
    }

    fn then(&mut self, a: NumId, op: Op) -> Option<()> {
        self.num(a)?;
        self.add(op)
    }

    /// A node that needs no operation of its own.
    fn operand(&self, id: NumId) -> Option<Operand> {
        match *self.ir.num(id) {
            Num::Const(n) => Some(Operand::Const(n)),
            Num::Var(var) => Some(Operand::Var(var)),
            Num::OfSet(SetMeasure::Rank, set) => Some(Operand::Rank(set)),
            Num::OfSet(SetMeasure::File, set) => Some(Operand::File(set)),
            Num::Flow(Flow::At(place, num)) if self.is_of_board(num) => {
                match *self.ir.place(place) {
                    Place::Var(var) => Some(Operand::OfBoardAt(var, num)),
                    _ => None,
                }
            }
            _ if self.is_of_board(id) => Some(Operand::OfBoard(id)),
            _ => None,
        }
    }

    /// True for a number on which a loop can come back to, and which stays the same.
    fn is_of_board(&self, num: NumId) -> bool {
        self.in_loop && num.props(self.ir).without(Props::GAME) == Props::NONE
    }

    /// Adds an operation after which one number more waits.
    fn push(&mut self, op: Op) -> Option<()> {
        self.waiting += 1;
        (self.waiting <= MAX_WAITING).then_some(())?;
        self.add(op)
    }

    fn add(&mut self, op: Op) -> Option<()> {
        self.ops.push(op);
        self.fails.push(self.on_failure);
        (self.ops.len() <= MAX_LENGTH).then_some(())
    }
}
