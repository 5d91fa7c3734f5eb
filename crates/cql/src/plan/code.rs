//! Calculations as a list of operations, so that each number of an expression costs a few
//! instructions and not a call.

use crate::ast::{Compare, VarId};
use crate::ir::*;

/// Longer expressions are calculated node by node.
const MAX_LENGTH: usize = 64;
/// The most numbers that wait for an operation.
pub(crate) const MAX_WAITING: usize = 16;

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
    /// Assigns the number at hand; the last one that waits takes its place.
    Assign(VarId),
    /// There is no value unless this holds.
    Require(BoolId),
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
    /// The number at hand; the left one is the last that waits.
    AtHand,
}

/// The operations of a node; none if they are not worth it.
pub(super) fn of_num(ir: &Ir, id: NumId) -> Option<Box<[Op]>> {
    if id.props(ir).has(Props::COMMENTS) {
        return None; // comments of parts without a value are dropped
    }
    let mut writer = Writer {
        ir,
        ops: Vec::new(),
        waiting: 0,
    };
    writer.num(id)?;
    // a node that is a single operation has no parts to join
    (writer.ops.len() > 1).then(|| writer.ops.into())
}

/// The operations of a body that assigns numbers; none if it has no such parts.
pub(super) fn of_body(ir: &Ir, id: BoolId) -> Option<Box<[Op]>> {
    if id.props(ir).has(Props::COMMENTS) {
        return None;
    }
    let single = [id];
    let parts = match ir.bool(id) {
        Bool::And(ids) => ids,
        _ => &single[..],
    };
    let assigns = |id: &BoolId| matches!(ir.bool(*id), Bool::Assign(Assign::Num(..)));
    if !parts.iter().any(assigns) {
        return None;
    }
    let mut writer = Writer {
        ir,
        ops: Vec::new(),
        waiting: 0,
    };
    for &part in parts {
        writer.condition(part)?;
    }
    Some(writer.ops.into())
}

/// The bodies of loops.
pub(super) fn bodies(ir: &Ir) -> impl Iterator<Item = BoolId> + '_ {
    let tests = ir.bools.iter().filter_map(|node| match *node {
        Bool::Any { body, .. } => Some(body),
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
    waiting: usize,
}

impl Writer<'_> {
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
            Bool::Assign(Assign::Num(var, num)) => {
                self.num(num)?;
                self.waiting -= 1;
                self.add(Op::Assign(var))
            }
            _ => self.add(Op::Require(id)),
        }
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
            _ => None,
        }
    }

    /// Adds an operation after which one number more waits.
    fn push(&mut self, op: Op) -> Option<()> {
        self.waiting += 1;
        (self.waiting <= MAX_WAITING).then_some(())?;
        self.add(op)
    }

    fn add(&mut self, op: Op) -> Option<()> {
        self.ops.push(op);
        (self.ops.len() <= MAX_LENGTH).then_some(())
    }
}
