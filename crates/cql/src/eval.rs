//! Evaluation of a query over one game after another.

mod budget;
mod code;
mod conditions;
mod conts;
mod dashes;
mod futures;
mod line;
mod mates;
mod moves;
mod numbers;
mod output;
mod path;
mod places;
mod played;
mod retro;
mod rolling;
mod search;
mod sets;
mod texts;
mod variables;
mod witnesses;

use crate::ast::{Bound, Range};
use crate::ir::*;
use crate::kinds::KindsCache;
use crate::positions::{NOWHERE, Positions, ROOM};
use crate::result::{GameResult, Level};
use crate::{Host, Query};
use chess::pgn::Game;
use chess::{Board, Move};
use std::sync::Arc;
use tree::NodeId;

pub(crate) use variables::{Entry, Value};

/// Evaluates one query over games, one at a time; each thread has its own.
///
/// It keeps persistent variables from game to game.
pub struct Matcher<'q> {
    q: &'q Query,
    positions: Positions,
    /// The position at which filters are evaluated.
    at: u32,
    /// The only child that `move` filters in a `line` may test.
    only_child: Option<u32>,
    /// After a dash: the position after its move, and the requested squares.
    narrowed: Option<(u32, u64, u64)>,
    /// The pieces of positions by kind.
    kinds: KindsCache,
    moves: dashes::Generated,
    elsewhere: Elsewhere,
    values: Vec<Value>,
    remarks: Vec<Remark>,
    /// Best value of each sort key in this game.
    best: Vec<Option<Entry>>,
    sorts: output::Sorts,
    searches: search::Memory,
    lines: line::Memory,
    paths: path::Memory,
    regexes: texts::Regexes,
    result: GameResult,
    game_number: u64,
    steps: u64,
    memory: budget::Memory,
    host: Option<&'q dyn Host>,
    /// The current game, as far as filters need it.
    tags: texts::Tags,
    witnesses: witnesses::Witnesses,
    played: played::Played,
    futures: futures::Futures,
    /// Tables of states that are not in use.
    spare: Vec<conts::Ends>,
    exploration: conts::Exploration,
}

/// The last values of nodes: at another position, which stay while a loop compares positions with
/// it, and of moves, which functions use several times.
#[derive(Default)]
struct Elsewhere {
    /// By set: the last position and its value there.
    sets: Vec<(u32, u64)>,
    nums: Vec<(u32, Option<i64>)>,
    /// By number that depends on the board alone: its values at all positions, as far as loops
    /// asked for them.
    of_boards: Vec<Vec<Option<Option<i64>>>>,
    /// By square, as far as loops asked for them.
    attackers: Vec<sets::KnownAttackers>,
    /// How often the board of a position was replaced.
    boards: u64,
    moves: Vec<(u32, u64)>,
}

impl Elsewhere {
    fn clear(&mut self, ir: &Ir) {
        self.sets.clear();
        self.sets.resize(ir.sets.len(), (NOWHERE, 0));
        self.nums.clear();
        self.nums.resize(ir.nums.len(), (NOWHERE, None));
        self.of_boards.iter_mut().for_each(Vec::clear);
        self.moves.clear();
        self.moves.resize(ir.moves.len(), (NOWHERE, 0));
    }
}

/// A comment to be added at a position.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub at: u32,
    pub text: Arc<str>,
}

impl<'q> Matcher<'q> {
    pub(crate) fn new(q: &'q Query) -> Matcher<'q> {
        Matcher {
            q,
            positions: Positions::default(),
            at: 0,
            only_child: None,
            narrowed: None,
            kinds: KindsCache::default(),
            moves: dashes::Generated::default(),
            elsewhere: Elsewhere::default(),
            values: variables::initial(&q.variables),
            remarks: Vec::new(),
            best: Vec::new(),
            sorts: output::Sorts::default(),
            searches: search::Memory::default(),
            lines: line::Memory::default(),
            paths: path::Memory::default(),
            regexes: texts::Regexes::default(),
            result: GameResult::default(),
            game_number: 0,
            steps: 0,
            memory: budget::Memory::default(),
            host: None,
            tags: texts::Tags::default(),
            witnesses: witnesses::Witnesses::default(),
            played: played::Played::default(),
            futures: futures::Futures::default(),
            spare: Vec::new(),
            exploration: conts::Exploration::default(),
        }
    }

    /// Gives filters access to files and programs: `readfile`, `writefile`, `pipe`,
    /// `similarposition`.
    pub fn with_host(mut self, host: &'q dyn Host) -> Matcher<'q> {
        self.host = Some(host);
        self
    }

    /// Searches one game. `number` is its place in the input, from 1.
    pub fn run(&mut self, game: &Game, number: u64) -> GameResult {
        self.result = GameResult {
            game_number: number,
            ..GameResult::default()
        };
        if !self.q.plan.may_match(game, number) {
            return self.unmatched();
        }
        self.load_header(game, number);
        if !self.may_match_header() {
            return self.unmatched();
        }
        if self.q.plan.rolls {
            return self.roll(game);
        }
        if !self.may_match_moves(game) || !self.has_witnesses(game) {
            return self.unmatched();
        }
        self.begin(game);
        self.search();
        self.finish()
    }

    /// Searches a mainline as [`run`](Matcher::run) does a game whose nodes are those of the
    /// mainline in order; only for queries that [need only moves](Query::needs_only_moves).
    ///
    /// Of the mainline, `skipped` moves before `start` cannot match.
    pub fn run_line(
        &mut self,
        start: &Board,
        skipped: u32,
        moves: &[Move],
        number: u64,
    ) -> GameResult {
        self.result = GameResult {
            game_number: number,
            ..GameResult::default()
        };
        if !self.q.plan.may_match_number(number) {
            return self.unmatched();
        }
        self.load_start(start, number);
        let nodes = (skipped.saturating_add(1)..).map(NodeId);
        self.roll_mainline(skipped, nodes.zip(moves.iter().copied()))
    }

    /// True if a game cannot match, judged by its number and tags; `tags` need not have moves.
    pub fn rules_out(&mut self, tags: &Game, number: u64) -> bool {
        if self.wants_unmatched() {
            return false;
        }
        self.game_number = number;
        self.reset_budget();
        self.tags.load(tags);
        let plan = &self.q.plan;
        !(plan.in_numbers(number) && plan.tag_conditions.iter().all(|&c| self.truth(c)))
    }

    /// False if no position can match, judged by conditions about the game.
    fn may_match_header(&mut self) -> bool {
        let plan = &self.q.plan;
        let mut alternatives = plan.game_alternatives.iter();
        plan.game_conditions.iter().all(|&c| self.truth(c))
            && alternatives.all(|any| any.iter().any(|&c| self.truth(c)))
    }

    /// True if games without a match are requested.
    fn wants_unmatched(&self) -> bool {
        let count = self.q.plan.match_count;
        count.is_some_and(|(low, high)| low <= 0 && high >= 0)
    }

    /// A game ruled out by its header still counts if games without a match are requested.
    fn unmatched(&mut self) -> GameResult {
        let in_numbers = self.q.plan.in_numbers(self.result.game_number);
        self.result.matched = self.wants_unmatched() && in_numbers;
        std::mem::take(&mut self.result)
    }

    /// Loads everything that needs no replay of the moves.
    fn load_header(&mut self, game: &Game, number: u64) {
        if self.q.uses.tags {
            self.tags.load(game);
        }
        self.load_start(game.start(), number);
    }

    fn load_start(&mut self, start: &Board, number: u64) {
        self.positions.load_start(start);
        self.game_number = number;
        self.reset_budget();
        self.at = 0;
        self.kinds.clear(ROOM);
        self.moves.forget();
        self.elsewhere.boards += 1;
    }

    fn begin(&mut self, game: &Game) {
        self.positions.load(
            game,
            self.q.variations,
            self.q.uses.identity,
            self.q.plan.steps,
        );
        if self.q.plan.compares_boards() {
            self.positions.survey();
        }
        if self.q.plan.uses_signs() {
            self.positions.find_signs();
        }
        if self.q.plan.uses_arrivals() {
            self.positions.find_arrivals();
        }
        self.elsewhere.clear(&self.q.ir);
        self.futures.clear();
        self.only_child = None;
        self.narrowed = None;
        self.remarks.clear();
        self.best.clear();
        self.best.resize(self.q.ir.sorts.len(), None);
        self.sorts.clear();
        self.searches.clear();
        let real = self.positions.real();
        self.lines.clear(&self.q.ir, real);
        self.paths.clear(&self.q.ir, real);
        if self.q.uses.notes {
            self.tags.load_notes(game, &self.positions);
        }
        variables::next_game(&mut self.values, &self.q.variables);
    }

    /// Evaluates the query at every position.
    fn search(&mut self) {
        for at in 0..self.positions.real() {
            if !self.q.plan.may_match_at(&self.positions, at)
                || !self.witnesses.are_by(self.q, &self.positions, at)
            {
                continue;
            }
            self.at = at;
            // running out of steps halfway is not a match
            if self.truth(self.q.body) && self.steps > 0 {
                self.result.positions.push(at);
                if self.q.level == Level::Normal {
                    self.remark(at, &self.q.match_string);
                }
            }
            if self.steps == 0 || self.result.failed_assert.is_some() {
                break;
            }
        }
    }

    // --- other positions ---

    /// Evaluates a function at another position.
    fn at_place<T>(&mut self, at: u32, f: impl FnOnce(&mut Self) -> T) -> T {
        let here = std::mem::replace(&mut self.at, at);
        let only = self.only_child.take();
        let narrowed = self.narrowed.take();
        let value = f(self);
        self.at = here;
        self.only_child = only;
        self.narrowed = narrowed;
        value
    }

    /// Evaluates a function after a move of a dash, with the requested squares.
    fn after_dash<T>(
        &mut self,
        to: u32,
        left: u64,
        right: u64,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.at_place(to, |m| {
            m.narrowed = Some((to, left, right));
            f(m)
        })
    }

    /// The board of a position was replaced.
    fn forget_board(&mut self, at: u32) {
        self.kinds.forget(at);
        self.moves.forget();
        self.elsewhere.boards += 1;
    }

    fn board(&self) -> &Board {
        self.positions.board(self.at)
    }

    /// Whether a number is in a range; false if an end of it is unbound.
    fn in_range(&mut self, range: Range, n: i64) -> bool {
        let bounds = (self.bound(range.min), self.bound(range.max));
        matches!(bounds, (Some(min), Some(max)) if min <= n && n <= max)
    }

    /// One end of a range.
    fn bound(&mut self, bound: Bound) -> Option<i64> {
        match bound {
            Bound::Number(n) => Some(n),
            Bound::Variable(var) => self.number_variable(var),
        }
    }

    /// The value of a set on the board of another position.
    fn set_at(&mut self, at: u32, set: SetId) -> u64 {
        if !self.is_of_board(at, set) {
            return self.at_place(at, |m| m.set(set));
        }
        match self.elsewhere.sets.get(set.0 as usize) {
            Some(&(known, value)) if known == at => value,
            _ => {
                let value = self.at_place(at, |m| m.set(set));
                if let Some(slot) = self.elsewhere.sets.get_mut(set.0 as usize) {
                    *slot = (at, value);
                }
                value
            }
        }
    }

    /// The value of a number on the board of another position.
    fn num_at(&mut self, at: u32, num: NumId) -> Option<i64> {
        if !self.is_of_board(at, num) {
            return self.at_place(at, |m| m.num(num));
        }
        match self.elsewhere.nums.get(num.0 as usize) {
            Some(&(known, value)) if known == at => value,
            _ => {
                let value = self.at_place(at, |m| m.num(num));
                if let Some(slot) = self.elsewhere.nums.get_mut(num.0 as usize) {
                    *slot = (at, value);
                }
                value
            }
        }
    }

    /// True if a value depends on the board of a position alone.
    fn is_of_board(&self, at: u32, value: impl HasProps) -> bool {
        self.q.planned
            && value.props(&self.q.ir).without(Props::GAME) == Props::NONE
            && !self.positions.is_imagined(at)
    }

    /// Control filters of any type.
    fn flow<T: Ask>(&mut self, flow: &'q Flow<T>) -> T::Out {
        match flow {
            Flow::Seq(conditions, value) => {
                let mark = self.remarks.len();
                if conditions.iter().all(|&c| self.truth(c)) {
                    value.ask(self)
                } else {
                    self.remarks.truncate(mark);
                    T::nothing()
                }
            }
            Flow::If(test, then, otherwise) => {
                if self.truth(*test) {
                    then.ask(self)
                } else {
                    otherwise.ask(self)
                }
            }
            Flow::At(place, value) => match self.place(*place) {
                Some(at) => self.at_place(at, |m| value.ask(m)),
                None => T::nothing(),
            },
            Flow::Dash(dash, value) => self
                .first_dash(*dash, |m| {
                    m.or_no_comments(|m| Some(value.ask(m)).filter(T::found))
                })
                .unwrap_or_else(T::nothing),
            Flow::Imagine(changes, value) => self
                .imagine(*changes, |m| {
                    let out = value.ask(m);
                    if let Some(at) = T::position(&out) {
                        m.keep_imagined(at);
                    }
                    out
                })
                .unwrap_or_else(T::nothing),
        }
    }
}

/// A node that can be evaluated.
pub(crate) trait Ask: Copy {
    type Out;
    fn ask(self, m: &mut Matcher<'_>) -> Self::Out;
    /// Its value where the filter has none.
    fn nothing() -> Self::Out;
    fn found(out: &Self::Out) -> bool;
    /// Its position, if that is its type.
    fn position(_: &Self::Out) -> Option<u32> {
        None
    }
}

impl Ask for BoolId {
    type Out = bool;
    fn ask(self, m: &mut Matcher<'_>) -> bool {
        m.truth(self)
    }
    fn nothing() -> bool {
        false
    }
    fn found(out: &bool) -> bool {
        *out
    }
}

impl Ask for SetId {
    type Out = u64;
    fn ask(self, m: &mut Matcher<'_>) -> u64 {
        m.set(self)
    }
    fn nothing() -> u64 {
        0
    }
    fn found(out: &u64) -> bool {
        *out != 0
    }
}

macro_rules! ask {
    ($($id:ident $out:ty, $method:ident $(, $position:item)?;)*) => { $(
        impl Ask for $id {
            type Out = Option<$out>;
            fn ask(self, m: &mut Matcher<'_>) -> Option<$out> {
                m.$method(self)
            }
            fn nothing() -> Option<$out> {
                None
            }
            fn found(out: &Option<$out>) -> bool {
                out.is_some()
            }
            $($position)?
        }
    )* };
}
ask! {
    NumId i64, num;
    TextId Arc<str>, text;
    PlaceId u32, place, fn position(out: &Option<u32>) -> Option<u32> {
        *out
    };
}
