//! One search on many threads.
//!
//! What is known stands behind one lock. Most of the time goes into finding the options of
//! components: their parts, normal forms, small values and bounds. Every thread does that outside
//! the lock, in an arena of its own, and then carries over what it has found. All go down the same
//! tree of proofs; where others are already busy it looks a little harder than it is, so that they
//! spread.

use super::arena::Arena;
use super::components::{ComponentId, Item, Lists, Term, Worth};
use super::patience::Patience;
use super::proof::{self, Frame, Nodes};
use super::search::EFFORT_PER_NODE;
use super::{GaveUp, Solver, SumId};
use crate::db::Database;
use crate::game::Kind;
use crate::value::{Limits, Player, Value};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Whoever has threads. This crate starts none itself.
pub trait Crew: Send + Sync {
    /// Does the work once on every thread at the same time, and returns when all have ended.
    fn run(&self, work: &(dyn Fn() + Sync));
}

/// A thread's own arena, and what its things are called in the common one.
pub(super) struct Workshop {
    arena: Arena,
    components: Vec<Option<ComponentId>>,
    values: Vec<Option<Value>>,
    /// What the solver was told about its size.
    bytes_told: usize,
}

/// A component whose options are wanted.
struct Order {
    id: ComponentId,
    kind: Kind,
    position: Vec<u8>,
    player: Player,
}

/// What a thread does next.
enum Step {
    /// Find options, then open the node.
    Prepare(Vec<Order>),
    /// Somebody else is opening the node.
    Wait,
    /// The search has come to an end.
    Done,
}

/// What all threads share.
struct Common<'a> {
    solver: Mutex<State<'a>>,
    opened: Condvar,
}

struct State<'a> {
    solver: &'a mut Solver,
    root: u32,
    /// Nodes whose options are being found.
    opening: Vec<u32>,
    end: Result<(), GaveUp>,
}

impl Solver {
    /// Searches with all threads until the node is proven or it is time for something else.
    pub(super) fn prove_together(
        &mut self,
        crew: &dyn Crew,
        root: u32,
    ) -> Result<Option<bool>, GaveUp> {
        let size = std::mem::take(&mut self.arena.value_size);
        let workshops = Mutex::new(std::mem::take(&mut self.workshops));
        // Values are a small part of what a thread keeps.
        let limits = Limits {
            bytes: self.budget.bytes / 16,
            ..Limits::default()
        };
        let databases = self.arena.databases.clone();
        let patience = self.arena.patience.clone();
        let common = Common {
            solver: Mutex::new(State {
                solver: self,
                root,
                opening: Vec::new(),
                end: Ok(()),
            }),
            opened: Condvar::new(),
        };
        crew.run(&|| {
            let idle = locked(&workshops).pop();
            let mut workshop = idle.unwrap_or_else(|| Workshop::new(limits, size, &databases));
            workshop.arena.patience = patience.clone();
            common.work(&mut workshop);
            locked(&workshops).push(workshop);
        });
        let end = common
            .solver
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .end;
        self.arena.value_size = size;
        self.workshops = workshops
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        end.map(|()| self.work.proofs.result(root))
    }
}

/// A panic elsewhere is passed on by who runs the threads; here it only ends the work.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Common<'_> {
    /// One thread's part.
    fn work(&self, workshop: &mut Workshop) {
        let mut state = locked(&self.solver);
        let mut frames = Vec::new();
        let root = Frame::at_root(state.root);
        state.descend(&mut frames, root);
        loop {
            match state.step(&mut frames) {
                Ok(Step::Done) => break,
                Ok(Step::Wait) => {
                    state = self
                        .opened
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
                Ok(Step::Prepare(orders)) => {
                    drop(state);
                    let found: Vec<_> =
                        orders.iter().map(|order| workshop.prepare(order)).collect();
                    state = locked(&self.solver);
                    state.adopt(workshop, orders, found);
                    state
                        .opening
                        .retain(|&node| Some(node) != frames.last().map(|frame| frame.node));
                    self.opened.notify_all();
                }
                Err(reason) => {
                    state.end = Err(reason);
                    break;
                }
            }
        }
        state.climb(&mut frames, 0);
        self.opened.notify_all();
    }
}

impl State<'_> {
    /// Goes on until there is something to be done outside the lock.
    fn step(&mut self, frames: &mut Vec<Frame>) -> Result<Step, GaveUp> {
        // 1. What others have proven meanwhile needs no more work.
        let result = |frame: &Frame| self.solver.work.proofs.result(frame.node).is_some();
        if let Some(depth) = frames.iter().position(result) {
            self.climb(frames, depth);
        }
        while let Some(&frame) = frames.last() {
            if self.end.is_err() || self.solver.pause() {
                return Ok(Step::Done);
            }
            // 2. A node that is met for the first time needs the options of its components.
            if self.solver.proofs().is_closed(frame.node) {
                if self.opening.contains(&frame.node) {
                    return Ok(Step::Wait);
                }
                let orders = self.solver.orders(frame.node);
                if !orders.is_empty() {
                    self.opening.push(frame.node);
                    return Ok(Step::Prepare(orders));
                }
            }
            // 3. Then it is as with one thread.
            match proof::visit(self.solver, frame)? {
                Some(deeper) => self.descend(frames, deeper),
                None => self.climb(frames, frames.len() - 1),
            }
        }
        Ok(Step::Done)
    }

    fn descend(&mut self, frames: &mut Vec<Frame>, frame: Frame) {
        self.solver.proofs().enter(frame.node);
        frames.push(frame);
    }

    fn climb(&mut self, frames: &mut Vec<Frame>, depth: usize) {
        for frame in frames.drain(depth..) {
            self.solver.proofs().leave(frame.node);
        }
    }

    /// Takes over the options that were found.
    fn adopt(
        &mut self,
        workshop: &mut Workshop,
        orders: Vec<Order>,
        found: Vec<Result<Range<u32>, GaveUp>>,
    ) {
        for (order, options) in orders.into_iter().zip(found) {
            let taken = options
                .and_then(|options| workshop.hand_over(&mut self.solver.arena, &order, options));
            if let Err(reason) = taken {
                self.end = Err(reason);
            }
        }
        let used = workshop.bytes_used();
        self.solver.workshop_bytes += used.saturating_sub(workshop.bytes_told);
        workshop.bytes_told = used;
    }
}

impl Solver {
    /// The components of a node whose options have not been found yet.
    fn orders(&self, node: u32) -> Vec<Order> {
        let player = Player::BOTH[node as usize & 1];
        let components = &self.arena.components;
        let items = self.table.items(SumId(node >> 1));
        let wanted = items.iter().filter_map(|item| match item.term() {
            Term::Component(id) if components.options(id, player).is_none() => Some(Order {
                id,
                kind: components.get(id).kind,
                position: components.position(id).to_vec(),
                player,
            }),
            _ => None,
        });
        wanted.collect()
    }
}

impl Workshop {
    fn new(limits: Limits, value_size: u32, databases: &[Database]) -> Workshop {
        let mut arena = Arena::new(limits, Patience::new(limits.bytes));
        arena.value_size = value_size;
        arena.databases = databases.to_vec();
        Workshop {
            arena,
            components: Vec::new(),
            values: Vec::new(),
            bytes_told: 0,
        }
    }

    pub fn bytes_used(&self) -> usize {
        self.arena.bytes_used() + self.components.capacity() * 8 + self.values.capacity() * 8
    }

    /// Finds options with all that will be asked about their parts.
    fn prepare(&mut self, order: &Order) -> Result<Range<u32>, GaveUp> {
        self.arena.effort_allowed += EFFORT_PER_NODE;
        let id = self.arena.components.intern(order.kind, &order.position);
        let options = self.arena.options(id, order.player)?;
        for number in options.clone() {
            self.arena.look_up()?;
            for at in 0..self.arena.components.option(number).len() {
                let item = self.arena.components.option(number)[at];
                if let Term::Component(part) = item.term()
                    && self.arena.cheap_value(part).is_none()
                {
                    self.arena.facts(item);
                }
            }
        }
        Ok(options)
    }

    /// Tells the common arena.
    fn hand_over(
        &mut self,
        common: &mut Arena,
        order: &Order,
        options: Range<u32>,
    ) -> Result<(), GaveUp> {
        let mut lists = Lists::default();
        let mut items = Vec::new();
        for number in options {
            items.clear();
            for at in 0..self.arena.components.option(number).len() {
                let item = self.arena.components.option(number)[at];
                items.push(self.translate(common, item)?);
            }
            items.sort_unstable();
            lists.push(&items);
        }
        if common.components.options(order.id, order.player).is_none() {
            common
                .components
                .set_options(order.id, order.player, &mut lists);
            if order.kind.is_impartial() {
                common.components.share_options(order.id);
            }
        }
        Ok(())
    }

    /// The same item in the common arena.
    fn translate(&mut self, common: &mut Arena, item: Item) -> Result<Item, GaveUp> {
        match item.term() {
            Term::Value(value) => Ok(Item::value(self.value(common, value)?)),
            Term::Component(id) => Ok(Item::component(self.component(common, id)?)),
        }
    }

    fn component(&mut self, common: &mut Arena, id: ComponentId) -> Result<ComponentId, GaveUp> {
        if let Some(Some(known)) = self.components.get(id.0 as usize) {
            return Ok(*known);
        }
        let own = self.arena.components.get(id);
        let (kind, worth) = (own.kind, own.worth);
        let there = common
            .components
            .intern(kind, self.arena.components.position(id));
        keep(&mut self.components, id.0 as usize, there);
        if common.components.get(there).worth == Worth::Unknown {
            let worth = match worth {
                Worth::Known(value) => Worth::Known(self.value(common, value)?),
                other => other,
            };
            common.components.get_mut(there).worth = worth;
        }
        common.learn_facts(there, || self.arena.facts(Item::component(id)));
        Ok(there)
    }

    fn value(&mut self, common: &mut Arena, value: Value) -> Result<Value, GaveUp> {
        if let Some(Some(known)) = self.values.get(value.index()) {
            return Ok(*known);
        }
        let there = match self.arena.forms.as_nus(value) {
            Some(nus) => common.forms.nus(nus.clone())?,
            None => {
                let mut lists = [Vec::new(), Vec::new()];
                for player in Player::BOTH {
                    for option in self.arena.forms.options(value, player)?.to_vec() {
                        lists[player as usize].push(self.value(common, option)?);
                    }
                }
                common.forms.game(&lists[0], &lists[1])?
            }
        };
        keep(&mut self.values, value.index(), there);
        Ok(there)
    }
}

fn keep<T: Copy>(list: &mut Vec<Option<T>>, index: usize, known: T) {
    if list.len() <= index {
        list.resize(index + 1, None);
    }
    list[index] = Some(known);
}
