//! Calculations and statements as lists of operations.

use super::numbers::{calculate, holds, root};
use super::{Entry, Matcher, Value};
use crate::ast::VarId;
use crate::ir::{NumId, SetId};
use crate::plan::{Code, END, MAX_WAITING, Op, Operand, PlaceOperand};

/// The state of a list of operations.
struct Run {
    next: usize,
    /// The number at hand.
    n: i64,
    waiting: [i64; MAX_WAITING],
    len: usize,
}

impl Run {
    fn push(&mut self, n: i64) {
        self.waiting[self.len % MAX_WAITING] = self.n;
        self.len += 1;
        self.n = n;
    }

    fn pop(&mut self) -> i64 {
        self.len = self.len.wrapping_sub(1);
        self.waiting[self.len % MAX_WAITING]
    }
}

impl<'q> Matcher<'q> {
    /// The result of a calculation; none where a part has no value, or where a statement fails.
    pub(super) fn run_code(&mut self, code: &'q Code) -> Option<i64> {
        if !self.step() {
            return None;
        }
        let mut run = Run {
            next: 0,
            n: 0,
            waiting: [0; MAX_WAITING],
            len: 0,
        };
        while let Some(&op) = code.ops.get(run.next) {
            let at = run.next;
            run.next += 1;
            if self.operate(op, &mut run).is_none() {
                match code.fails.get(at) {
                    Some(&next) if next != END => run.next = usize::from(next),
                    _ => return None,
                }
                run.len = 0;
                if self.steps == 0 {
                    return None;
                }
            }
        }
        Some(run.n)
    }

    /// One operation; none if it fails.
    #[inline(always)] // the loop around it keeps its state in registers
    fn operate(&mut self, op: Op, run: &mut Run) -> Option<()> {
        match op {
            Op::Push(operand) => {
                let n = self.operand_value(operand, run.n)?;
                run.push(n);
            }
            Op::Node(num) => {
                let n = self.num(num)?;
                run.push(n);
            }
            Op::Calc(op, Operand::AtHand) => run.n = calculate(op, run.pop(), run.n)?,
            Op::Calc(op, operand) => {
                run.n = calculate(op, run.n, self.operand_value(operand, run.n)?)?;
            }
            Op::Compare(op, operand) => {
                let right = self.operand_value(operand, run.n)?;
                if operand == Operand::AtHand {
                    run.n = run.pop();
                }
                return holds(op, &run.n, &right).then_some(());
            }
            Op::Negate => run.n = run.n.checked_neg()?,
            Op::Abs => run.n = run.n.checked_abs()?,
            Op::Sqrt => run.n = (run.n >= 0).then(|| root(run.n))?,
            Op::Drop => run.n = run.pop(),
            Op::Assign(var) => {
                self.bind_number(var, run.n);
                run.n = run.pop();
            }
            Op::Update(var, op, operand) => {
                let old = self.operand_value(Operand::Var(var), 0)?;
                let n = calculate(op, old, self.operand_value(operand, 0)?)?;
                self.bind_number(var, n);
            }
            Op::AssignPlace(var, place) => {
                let at = self.place_operand(place)?;
                self.keep_imagined(at);
                self.bind_place(var, at);
            }
            Op::Exists(place) => drop(self.place_operand(place)?),
            Op::Require(condition) => return self.truth(condition).then_some(()),
            Op::RequireAt(var, condition) => {
                let at = self.place_variable(var)?;
                return self.known_truth(at, condition).then_some(());
            }
            Op::Fail => return None,
            Op::Jump(next) => run.next = usize::from(next),
            Op::Again(next) => {
                run.next = usize::from(next);
                return self.step().then_some(());
            }
        }
        Some(())
    }

    #[inline(always)] // a few instructions in most cases
    fn operand_value(&mut self, operand: Operand, at_hand: i64) -> Option<i64> {
        match operand {
            Operand::Const(n) => Some(n),
            Operand::AtHand => Some(at_hand),
            Operand::Rank(set) => self.single(set).map(|square| i64::from(square / 8) + 1),
            Operand::File(set) => self.single(set).map(|square| i64::from(square % 8) + 1),
            Operand::OfBoard(num) => self.num_of_board(self.at, num),
            Operand::OfBoardAt(var, num) => {
                let at = self.place_variable(var)?;
                self.num_of_board(at, num)
            }
            Operand::Var(var) => match self.values[var.0 as usize].number() {
                Some(n) => Some(n),
                None => self.number_variable(var),
            },
        }
    }

    #[inline(always)] // as above
    fn place_operand(&mut self, place: PlaceOperand) -> Option<u32> {
        match place {
            PlaceOperand::Var(var) => self.place_variable(var),
            PlaceOperand::Above(var) => {
                let at = self.place_variable(var)?;
                self.positions.parent(at)
            }
            PlaceOperand::Node(id) => self.place(id),
        }
    }

    #[inline(always)] // as above
    fn place_variable(&mut self, var: VarId) -> Option<u32> {
        match self.values[var.0 as usize] {
            Value::Entry(Entry::Place(at)) => Some(at),
            _ => {
                self.report_unbound(var);
                None
            }
        }
    }

    /// The value of a number that depends on the board alone, computed once for each position.
    #[inline]
    fn num_of_board(&mut self, at: u32, num: NumId) -> Option<i64> {
        let known = self.elsewhere.of_boards.get(num.0 as usize);
        match known.and_then(|known| known.get(at as usize)) {
            Some(Some(value)) => *value,
            _ => self.learn_num(at, num),
        }
    }

    #[inline(never)]
    fn learn_num(&mut self, at: u32, num: NumId) -> Option<i64> {
        let value = self.at_place(at, |m| m.num(num));
        // boards of such positions are replaced by others
        if self.q.plan.rolls || self.positions.is_imagined(at) {
            return value;
        }
        let (slot, real) = (num.0 as usize, self.positions.real() as usize);
        let all = &mut self.elsewhere.of_boards;
        if all.len() <= slot {
            all.resize_with(slot + 1, Vec::new);
        }
        let is_new = all[slot].is_empty();
        if is_new {
            all[slot].resize(real, None);
        }
        if let Some(known) = all[slot].get_mut(at as usize) {
            *known = Some(value);
        }
        if is_new {
            self.keep_for_game(real as u64 * size_of::<Option<Option<i64>>>() as u64);
        }
        value
    }

    /// The only square of a set.
    #[inline]
    fn single(&mut self, set: SetId) -> Option<u32> {
        let squares = self.set(set);
        squares.is_power_of_two().then(|| squares.trailing_zeros())
    }
}
