//! Calculations as lists of operations.

use super::Matcher;
use super::numbers::{calculate, holds, root};
use crate::ir::SetId;
use crate::plan::{MAX_WAITING, Op, Operand};

impl<'q> Matcher<'q> {
    /// The result of a calculation; none where a part has no value.
    pub(super) fn run_code(&mut self, code: &'q [Op]) -> Option<i64> {
        if !self.step() {
            return None;
        }
        let mut waiting = [0i64; MAX_WAITING];
        let (mut len, mut n) = (0usize, 0i64);
        for op in code {
            match *op {
                Op::Push(operand) => {
                    waiting[len % MAX_WAITING] = n;
                    len += 1;
                    n = self.operand_value(operand, n)?;
                }
                Op::Node(num) => {
                    waiting[len % MAX_WAITING] = n;
                    len += 1;
                    n = self.num(num)?;
                }
                Op::Calc(op, Operand::AtHand) => {
                    len = len.wrapping_sub(1);
                    n = calculate(op, waiting[len % MAX_WAITING], n)?;
                }
                Op::Calc(op, operand) => n = calculate(op, n, self.operand_value(operand, n)?)?,
                Op::Compare(op, operand) => {
                    let right = self.operand_value(operand, n)?;
                    if operand == Operand::AtHand {
                        len = len.wrapping_sub(1);
                        n = waiting[len % MAX_WAITING];
                    }
                    holds(op, &n, &right).then_some(())?;
                }
                Op::Negate => n = n.checked_neg()?,
                Op::Abs => n = n.checked_abs()?,
                Op::Sqrt => n = (n >= 0).then(|| root(n))?,
                Op::Assign(var) => {
                    self.bind_number(var, n);
                    len = len.wrapping_sub(1);
                    n = waiting[len % MAX_WAITING];
                }
                Op::Require(condition) => self.truth(condition).then_some(())?,
            }
        }
        Some(n)
    }

    #[inline(always)] // a few instructions in most cases
    fn operand_value(&mut self, operand: Operand, at_hand: i64) -> Option<i64> {
        match operand {
            Operand::Const(n) => Some(n),
            Operand::AtHand => Some(at_hand),
            Operand::Rank(set) => self.single(set).map(|square| i64::from(square / 8) + 1),
            Operand::File(set) => self.single(set).map(|square| i64::from(square % 8) + 1),
            Operand::Var(var) => match self.values[var.0 as usize].number() {
                Some(n) => Some(n),
                None => self.number_variable(var),
            },
        }
    }

    /// The only square of a set.
    #[inline]
    fn single(&mut self, set: SetId) -> Option<u32> {
        let squares = self.set(set);
        squares.is_power_of_two().then(|| squares.trailing_zeros())
    }
}
