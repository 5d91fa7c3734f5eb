//! Cheap tests before evaluation: whole games by their tags, positions by their place, most
//! variants of a transform by the square of one piece, most targets of an echo by the differences.

mod arrival;
mod code;
mod describe;
mod echo;
mod guard;
mod moves_needed;
mod need;
mod orbit;
mod pieces;
mod played;
mod relevant;
mod restrict;
mod sign;
mod visit;
mod witness;

use crate::ast::{Header, VarId, Variable};
use crate::ir::*;
use crate::positions::Positions;
use crate::signs::Signs;
pub(crate) use arrival::Arrival;
use chess::pgn::Game;
pub(crate) use code::{Code, END, MAX_WAITING, Op, Operand, PlaceOperand};
use echo::EchoPlan;
pub(crate) use echo::{EchoMasks, Targets};
pub(crate) use guard::{Guard, Guards};
pub(crate) use moves_needed::{MANY_MOVES, MovesNeeded};
pub use need::{CountNeed, Need};
pub(crate) use orbit::OrbitIndex;
pub(crate) use pieces::{PieceTest, Spot};
pub(crate) use played::Moves;
use played::{PlayedAnalysis, PlayedNeed};
use restrict::RestrictAnalysis;
pub(crate) use restrict::Restriction;
use rustc_hash::FxHashMap;
pub(crate) use visit::{Visit, is_fixed};
pub(crate) use witness::{Witness, WitnessPlace};

/// Necessary conditions of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    game_numbers: Option<(i64, i64)>,
    result: Option<String>,
    pub match_count: Option<(i64, i64)>,
    /// Conditions about the game alone, evaluated before its moves are replayed.
    pub game_conditions: Vec<BoolId>,
    /// Those of them that its tags decide, evaluated before its moves are read.
    pub tag_conditions: Vec<BoolId>,
    /// Of each of these lists, one condition about the game must hold.
    pub game_alternatives: Vec<Vec<BoolId>>,
    /// The query is about the board alone, so one board can be updated through the game.
    pub rolls: bool,
    /// It only counts pieces, so its value changes only with captures and promotions.
    pub counts_material: bool,
    /// If it does, the most pieces on the board where it can hold.
    pub most_men: u32,
    /// The kinds of pieces whose squares decide, if nothing else on the board does.
    pub relevant: Option<u16>,
    /// Necessary conditions on some positions, tested before a line or path is searched.
    pub witness: Option<Witness>,
    /// The moves and ends of a matching game.
    pub played: PlayedNeed,
    /// The moves that each path needs.
    path_needs: Vec<PlayedNeed>,
    /// By path: the filter or move that it must begin with, if that can be tested on its own.
    path_firsts: Vec<Option<PathFirst>>,
    /// By path: a part of it depends on the position alone, and can rule out ways on.
    path_sketches: Vec<bool>,
    /// By path: the least number of its moves.
    path_moves: Vec<u32>,
    /// By line: the moves of pieces that it needs.
    line_moves: Vec<Vec<MovesNeeded>>,
    /// By line: the filter tied to its first move, if it has no effects.
    line_firsts: Vec<Option<BoolId>>,
    /// By line: the variables on whose values it depends, if it depends on nothing else that changes.
    line_reads: Vec<Option<Box<[VarId]>>>,
    /// By conjunction: a line that must match, after conditions with comments.
    lines_within: FxHashMap<BoolId, LineId>,
    /// By condition: the signs of which it needs one; empty if there are none.
    signs: Vec<Signs>,
    /// Necessary conditions of the variants of transforms.
    guards: Guards,
    /// By the body of a search.
    arrivals: FxHashMap<Key, Arrival>,
    /// What some position of a matching game has: one of these, or unknown if there is none.
    needs: Vec<Need>,
    places: Places,
    /// Filters are about moves, so the effects of all moves are computed at once.
    pub steps: bool,
    /// By the number of their condition.
    orbits: Vec<Option<OrbitIndex>>,
    echoes: FxHashMap<(Key, VarId, VarId), EchoPlan>,
    /// By the variable and the body of a loop.
    restrictions: FxHashMap<(VarId, BoolId), Restriction>,
    /// The same loops, if they only compare squares of a piece.
    piece_tests: FxHashMap<(VarId, BoolId), Vec<PieceTest>>,
    /// By the number of the condition that `find` or `echo` looks for.
    visits: Vec<Vec<Visit>>,
    /// By the body of a search that depends on the piece of one variable: the variable, and the place
    /// of its cached truth values for the first piece.
    found_pieces: FxHashMap<BoolId, (VarId, usize)>,
    /// By `move` filter: its target need not be evaluated for moves from other squares.
    waiting_targets: Vec<bool>,
    /// By number: the operations of a calculation; empty if there are none.
    codes: Vec<Option<Code>>,
    /// The same for loops, and for the bodies of loops over squares and over positions.
    statements: Vec<Option<Code>>,
}

/// What a path must begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathFirst {
    Filter(BoolId),
    /// A move, and what holds after it.
    Move(DashId, Option<BoolId>),
}

/// The filter or move that a path must begin with, as far as it has no effects and does not depend
/// on the path itself. Nothing else of the path is evaluated where it fails.
fn testable_first(ir: &Ir, id: PathId) -> Option<PathFirst> {
    let is_testable = |props: Props| props.is_pure() && !props.has(Props::PATH);
    match *ir.con(guard::first_part(ir, &ir.path(id).parts)?) {
        Con::Filter { body, .. } if is_testable(body.props(ir)) => Some(PathFirst::Filter(body)),
        Con::Dash(dash, target) if is_testable(dash.props(ir)) => {
            let target = target.filter(|target| is_testable(target.props(ir)));
            Some(PathFirst::Move(dash, target))
        }
        _ => None,
    }
}

/// True if nothing else changes a value: the condition holds or fails for the whole game.
pub(crate) fn is_of_position(props: Props) -> bool {
    props.is_pure() && !props.has(Props::READS.and(Props::PATH))
}

/// True if a path with effects, or with values that change, has parts without either that can fail.
fn can_be_sketched(ir: &Ir, id: PathId) -> bool {
    let spec = ir.path(id);
    let parts = ir.path_parts(id);
    let is_fixed = is_of_position(parts);
    spec.focus.is_none()
        && !parts.has(Props::WRITES)
        && !is_fixed
        && spec.parts.iter().any(|&con| can_fail(ir, con))
        && spec.parts.iter().all(|&con| repeats_moves(ir, con))
}

/// True if every repetition makes a move, so that no state leads back to itself.
fn repeats_moves(ir: &Ir, con: ConId) -> bool {
    match ir.con(con) {
        Con::Filter { .. } | Con::Dash(..) => true,
        Con::Chain(cons) => cons.iter().all(|&con| repeats_moves(ir, con)),
        Con::Repeat { of, .. } => makes_move(ir, *of) && repeats_moves(ir, *of),
    }
}

fn makes_move(ir: &Ir, con: ConId) -> bool {
    match ir.con(con) {
        Con::Filter { .. } => false,
        Con::Dash(..) => true,
        Con::Chain(cons) => cons.iter().any(|&con| makes_move(ir, con)),
        Con::Repeat { of, min, .. } => *min > 0 && makes_move(ir, *of),
    }
}

fn can_fail(ir: &Ir, con: ConId) -> bool {
    match ir.con(con) {
        Con::Filter { body, .. } => is_of_position(body.props(ir)),
        Con::Dash(dash, target) => {
            let spec = ir.dash(*dash);
            let is_any = spec.left.is_none() && spec.right.is_none() && spec.promotion.is_none();
            !is_any && is_of_position(dash.props(ir))
                || target.is_some_and(|target| is_of_position(target.props(ir)))
        }
        Con::Chain(cons) => cons.iter().any(|&con| can_fail(ir, con)),
        Con::Repeat { of, .. } => can_fail(ir, *of),
    }
}

/// The filter that a line forward must begin with, tied to the move that it follows.
fn tied_first(ir: &Ir, id: LineId) -> Option<BoolId> {
    let spec = ir.line(id);
    match *ir.con(guard::first_part(ir, &spec.parts)?) {
        Con::Filter { body, linear: true } if !spec.back => {
            Some(body).filter(|body| body.props(ir).is_pure())
        }
        _ => None,
    }
}

/// The most pieces of a game, by their numbers.
const PIECES: usize = 64;

/// The positions at which a query can match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Places {
    #[default]
    Everywhere,
    /// No move was played from there.
    Ends,
    Start,
    Nowhere,
}

impl Plan {
    /// The conditions of the header.
    pub fn of_header(header: &Header) -> Plan {
        Plan {
            game_numbers: header.game_numbers,
            result: header.result.clone(),
            match_count: header.match_count,
            ..Plan::default()
        }
    }

    /// The same with the guards of transforms.
    pub fn with_guards(self, guards: Guards) -> Plan {
        Plan { guards, ..self }
    }

    /// The conditions derived from the query itself.
    pub fn study(&mut self, ir: &Ir, variables: &[Variable], body: BoolId) {
        let root = body;
        let props = body.props(ir).without(Props::GAME);
        self.rolls = props == Props::NONE || props == Props::READS && ir.is_closed(body);
        // a variable without a value must be reported
        let is_assigned = ir.assigns_before_reading(root, variables);
        if !self.rolls && is_assigned {
            self.study_moves(ir, variables, body);
        }
        self.counts_material = is_material(ir, body);
        self.relevant = relevant::of_bool(ir, body);
        let paths = (0..ir.paths.len() as u32).map(PathId);
        self.path_moves = paths.map(|id| moves_needed::of_path(ir, id)).collect();
        let paths = (0..ir.paths.len() as u32).map(PathId);
        self.path_firsts = paths.map(|id| testable_first(ir, id)).collect();
        let lines = (0..ir.lines.len() as u32).map(LineId);
        self.line_moves = lines.map(|id| moves_needed::of_line(ir, id)).collect();
        let lines = (0..ir.lines.len() as u32).map(LineId);
        self.line_firsts = lines.clone().map(|id| tied_first(ir, id)).collect();
        let is_alone = |id: &LineId| !ir.line_parts(*id).has(Props::PATH);
        let reads = |id: LineId| ir.variables_read(id.into(), variables);
        self.line_reads = lines
            .map(|id| Some(id).filter(is_alone).and_then(reads))
            .collect();
        self.steps = ir.dashes.len() + ir.moves.len() > 0;
        let mut conditions = Vec::new();
        necessary(ir, body, &mut conditions);
        self.needs = need::needs(ir, &conditions);
        self.most_men = self.needs.iter().map(Need::most).max().unwrap_or(64);
        for id in conditions {
            self.require(ir, id);
            self.game_alternatives.extend(game_alternatives(ir, id));
            let witness = Witness::new(ir, id);
            self.witness = self.witness.or(witness);
        }
        if self.places == Places::Everywhere && is_assigned {
            self.places = later_places(ir, variables, root).unwrap_or_default();
        }
        for id in (0..ir.bools.len() as u32).map(BoolId) {
            self.prepare(ir, variables, body, id);
        }
        self.study_loops(ir, variables, body);
        self.study_searches(ir);
        self.study_signs(ir);
        self.study_calculations(ir);
        self.study_targets(ir);
        self.study_pieces(ir, variables);
        if is_assigned {
            let paths = (0..ir.paths.len() as u32).map(PathId);
            self.path_sketches = paths.map(|id| can_be_sketched(ir, id)).collect();
            self.study_lines(ir);
            self.study_arrivals(ir, variables, root);
        }
        for num in ir.nums.iter() {
            if let Num::Echo {
                source,
                target,
                body,
                ..
            } = num
            {
                self.echo(ir, variables, root, Key::Num(*body), (*source, *target));
            }
        }
    }

    fn study_signs(&mut self, ir: &Ir) {
        let signs = (0..ir.bools.len() as u32).map(|id| sign::of_bool(ir, BoolId(id)));
        let signs: Vec<Signs> = signs.collect();
        let is_asked = |(node, own): (&Bool, &Signs)| match node {
            Bool::IfOnly(test, _) => signs[test.0 as usize] != 0,
            Bool::Dash(..) | Bool::HasNum(_) => *own != 0,
            _ => false,
        };
        if ir.bools.iter().zip(&signs).any(is_asked) {
            self.signs = signs;
        }
    }

    /// Targets without effects, which read no variables but those of the origin.
    fn study_targets(&mut self, ir: &Ir) {
        let waits = |spec: &MoveSpec| {
            let (Some(from), Some(to)) = (spec.from, spec.to) else {
                return spec.to.is_none();
            };
            let known = ir.reads(from.into());
            to.props(ir).is_pure() && ir.reads(to.into()).iter().all(|var| known.contains(var))
        };
        self.waiting_targets = ir.moves.iter().map(waits).collect();
    }

    /// True if the target of a `move` filter need not be evaluated for moves from other squares.
    #[inline]
    pub fn target_waits(&self, id: MoveId) -> bool {
        self.waiting_targets
            .get(id.0 as usize)
            .is_some_and(|&waits| waits)
    }

    fn study_calculations(&mut self, ir: &Ir) {
        for id in code::roots(ir) {
            if let Some(code) = code::of_num(ir, id) {
                self.codes.resize(ir.nums.len(), None);
                self.codes[id.0 as usize] = Some(code);
            }
        }
        for id in code::loops(ir) {
            if let Some(code) = code::of_statement(ir, id) {
                self.statements.resize(ir.bools.len(), None);
                self.statements[id.0 as usize] = Some(code);
            }
        }
    }

    /// Searches for what depends on the piece of one variable.
    fn study_pieces(&mut self, ir: &Ir, variables: &[Variable]) {
        let places = ir.places.iter().filter_map(|node| match *node {
            Place::Find { body, .. } => Some(body),
            _ => None,
        });
        let numbers = ir.nums.iter().filter_map(|node| match *node {
            Num::Find { body, .. } => Some(body),
            _ => None,
        });
        let elsewhere = ir.bools.iter().filter_map(|node| match *node {
            Bool::Flow(Flow::At(_, body)) => Some(body),
            _ => None,
        });
        for body in places.chain(numbers).chain(elsewhere) {
            let props = body.props(ir);
            if !props.is_pure() || props.has(Props::PATH) {
                continue;
            }
            if let Some(&[var]) = ir.variables_read(body.into(), variables).as_deref() {
                // beside those of conditions that depend on no variable
                let first = ir.bools.len() + PIECES * self.found_pieces.len();
                self.found_pieces.entry(body).or_insert((var, first));
            }
        }
    }

    /// The variable on whose piece the body of a search depends, and the place of its cached truth
    /// values for the first piece.
    #[inline]
    pub fn found_piece(&self, body: BoolId) -> Option<(VarId, usize)> {
        if self.found_pieces.is_empty() {
            return None;
        }
        self.found_pieces.get(&body).copied()
    }

    /// The operations of a loop, or of the body of one over squares or over positions.
    #[inline]
    pub fn statement(&self, id: BoolId) -> Option<&Code> {
        self.statements.get(id.0 as usize)?.as_ref()
    }

    /// The operations of a calculation.
    #[inline]
    pub fn num_code(&self, id: NumId) -> Option<&Code> {
        self.codes.get(id.0 as usize)?.as_ref()
    }

    /// Conjunctions in which a line follows comments, which need not be made if it cannot match.
    fn study_lines(&mut self, ir: &Ir) {
        for (id, node) in (0..).map(BoolId).zip(ir.bools.iter()) {
            let Bool::And(ids) = node else { continue };
            let writes = |id: &BoolId| id.props(ir).has(Props::WRITES);
            let before = ids.iter().take_while(|id| !writes(id));
            let line = before.enumerate().find_map(|(i, &id)| {
                let Bool::HasNum(num) = *ir.bool(id) else {
                    return None;
                };
                match *ir.num(num) {
                    Num::Line(line) if i > 0 => Some(line),
                    _ => None,
                }
            });
            let useful = line.filter(|line| !self.line_moves(*line).is_empty());
            self.lines_within.extend(useful.map(|line| (id, line)));
        }
    }

    fn study_arrivals(&mut self, ir: &Ir, variables: &[Variable], root: BoolId) {
        let analysis = RestrictAnalysis {
            ir,
            variables,
            root,
        };
        let places = ir.places.iter().filter_map(|node| match node {
            Place::Find { body, .. } => Some((Key::Bool(*body), None)),
            _ => None,
        });
        let tests = ir.bools.iter().filter_map(|node| match node {
            Bool::Echo { body, target, .. } => Some((Key::Bool(*body), Some(*target))),
            _ => None,
        });
        let numbers = ir.nums.iter().filter_map(|node| match node {
            Num::Find { body, .. } => Some((Key::Bool(*body), None)),
            Num::Echo { body, target, .. } => Some((Key::Num(*body), Some(*target))),
            _ => None,
        });
        for (body, target) in places.chain(tests).chain(numbers) {
            let arrival = arrival::of_search(&analysis, body, target);
            self.arrivals.extend(arrival.map(|arrival| (body, arrival)));
        }
    }

    fn study_searches(&mut self, ir: &Ir) {
        let tests = ir.bools.iter().filter_map(|node| match node {
            Bool::Echo { body, target, .. } => Some((*body, Some(*target))),
            _ => None,
        });
        let places = ir.places.iter().filter_map(|node| match node {
            Place::Find {
                body, back: false, ..
            } => Some((*body, None)),
            _ => None,
        });
        let numbers = ir.nums.iter().filter_map(|node| match node {
            Num::Find {
                body, back: false, ..
            } => Some((*body, None)),
            _ => None,
        });
        self.visits.resize(ir.bools.len(), Vec::new());
        for (body, target) in tests.chain(places).chain(numbers) {
            let mut visits = visit::visits(ir, body);
            // a target is another position each time
            let target: Vec<VarId> = target.into_iter().collect();
            visits.retain(|visit| !ir.reads_any(visit.squares.into(), &target, None));
            self.visits[body.0 as usize] = visits;
        }
    }

    /// The least number of moves of a path.
    #[inline]
    pub fn path_moves(&self, id: PathId) -> u32 {
        self.path_moves.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// True if parts of a path that depend on the position alone can rule out ways on.
    #[inline]
    pub fn sketches_path(&self, id: PathId) -> bool {
        self.path_sketches
            .get(id.0 as usize)
            .is_some_and(|&can| can)
    }

    /// The filter or move that a path must begin with, if that can be tested on its own.
    #[inline]
    pub fn path_first(&self, id: PathId) -> Option<PathFirst> {
        self.path_firsts.get(id.0 as usize).copied().flatten()
    }

    /// The moves of pieces that a line needs.
    #[inline]
    pub fn line_moves(&self, id: LineId) -> &[MovesNeeded] {
        self.line_moves
            .get(id.0 as usize)
            .map_or(&[], |moves| moves)
    }

    /// The filter tied to the first move of a line.
    #[inline]
    pub fn line_first(&self, id: LineId) -> Option<BoolId> {
        self.line_firsts.get(id.0 as usize).copied().flatten()
    }

    /// The variables on whose values a line depends; none if it depends on more that changes.
    #[inline]
    pub fn line_reads(&self, id: LineId) -> Option<&[VarId]> {
        self.line_reads.get(id.0 as usize)?.as_deref()
    }

    /// A line that must match for a conjunction to hold.
    #[inline]
    pub fn line_within(&self, id: BoolId) -> Option<LineId> {
        if self.lines_within.is_empty() {
            return None;
        }
        self.lines_within.get(&id).copied()
    }

    /// The signs of a position of which a condition needs one; none if that is unknown.
    #[inline]
    pub fn signs(&self, id: BoolId) -> Signs {
        self.signs.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// True if a condition needs signs.
    pub fn uses_signs(&self) -> bool {
        !self.signs.is_empty()
    }

    /// A necessary condition of all variants of a transform.
    #[inline]
    pub fn guard(&self, id: BoolId) -> Option<&Guard> {
        self.guards.of_orbit(id)
    }

    /// A necessary condition of what `find` looks for, shared by the variants of a transform.
    #[inline]
    pub fn find_guard(&self, body: BoolId) -> Option<BoolId> {
        self.guards.of_find(body)
    }

    /// The squares at which a move must arrive where a search succeeds.
    #[inline]
    pub fn arrival(&self, body: Key) -> Option<Arrival> {
        if self.arrivals.is_empty() {
            return None;
        }
        self.arrivals.get(&body).copied()
    }

    /// True if a search needs the squares at which moves arrive.
    pub fn uses_arrivals(&self) -> bool {
        !self.arrivals.is_empty()
    }

    /// The squares that pieces must reach for a search to succeed.
    #[inline]
    pub fn visits(&self, body: BoolId) -> &[Visit] {
        self.visits
            .get(body.0 as usize)
            .map_or(&[], |visits| visits)
    }

    fn study_loops(&mut self, ir: &Ir, variables: &[Variable], root: BoolId) {
        let analysis = RestrictAnalysis {
            ir,
            variables,
            root,
        };
        let tests = ir.bools.iter().filter_map(|node| match node {
            Bool::Any {
                var,
                is_piece,
                body,
                all: false,
                ..
            } => Some((*var, *is_piece, *body)),
            _ => None,
        });
        let sets = ir.sets.iter().filter_map(|node| match node {
            Set::Each {
                var,
                is_piece,
                body,
                ..
            } => Some((*var, *is_piece, *body)),
            _ => None,
        });
        for (var, is_piece, body) in tests.chain(sets) {
            if let Some(restriction) = analysis.of_loop(var, is_piece, body) {
                self.restrictions.insert((var, body), restriction);
            }
            if let Some(tests) = pieces::tests(ir, var, body).filter(|_| is_piece) {
                self.piece_tests.insert((var, body), tests);
            }
        }
    }

    /// The body of a loop as tests of a piece.
    #[inline]
    pub fn piece_tests(&self, var: VarId, body: BoolId) -> Option<&[PieceTest]> {
        if self.piece_tests.is_empty() {
            return None;
        }
        self.piece_tests.get(&(var, body)).map(Vec::as_slice)
    }

    /// The restriction of the variable of a loop.
    #[inline]
    pub fn restriction(&self, var: VarId, body: BoolId) -> Option<&Restriction> {
        if self.restrictions.is_empty() {
            return None;
        }
        self.restrictions.get(&(var, body))
    }

    fn study_moves(&mut self, ir: &Ir, variables: &[Variable], body: BoolId) {
        if let Some(analysis) = PlayedAnalysis::new(ir, variables, body, false) {
            self.played = analysis.of_query(variables);
        }
        if let Some(analysis) = PlayedAnalysis::new(ir, variables, body, true) {
            let paths = (0..ir.paths.len() as u32).map(PathId);
            self.path_needs = paths.map(|id| analysis.of_path(id)).collect();
        }
    }

    /// True if the moves of a game can rule out the query or a part of it.
    pub fn needs_moves(&self) -> bool {
        !self.played.is_empty() || self.path_needs.iter().any(|need| !need.is_empty())
    }

    /// Whether each path can be found in a game with these moves.
    pub fn possible_paths<'p>(&'p self, moves: &'p Moves) -> impl Iterator<Item = bool> + 'p {
        self.path_needs.iter().map(|need| need.may_be_met_by(moves))
    }

    fn prepare(&mut self, ir: &Ir, variables: &[Variable], root: BoolId, id: BoolId) {
        match ir.bool(id) {
            Bool::Orbit(parts) => {
                self.orbits.resize(ir.bools.len(), None);
                self.orbits[id.0 as usize] = OrbitIndex::new(ir, parts);
            }
            Bool::Echo {
                source,
                target,
                body,
                ..
            } => self.echo(ir, variables, root, Key::Bool(*body), (*source, *target)),
            _ => {}
        }
    }

    fn echo(
        &mut self,
        ir: &Ir,
        variables: &[Variable],
        root: BoolId,
        body: Key,
        ends: (VarId, VarId),
    ) {
        // targets are ruled out by the source only if it stays the same
        let plan = if ir.assigns_any(body.into(), &[ends.0, ends.1]) {
            EchoPlan::default()
        } else {
            EchoPlan::new(ir, variables, root, body, ends)
        };
        self.echoes.insert((body, ends.0, ends.1), plan);
    }

    fn require(&mut self, ir: &Ir, id: BoolId) {
        if is_about_game(ir, id) {
            self.game_conditions.push(id);
            if !goes_beyond_tags(ir, id) {
                self.tag_conditions.push(id);
            }
        }
        let Some(places) = places(ir, id) else {
            return;
        };
        if self.places == Places::Everywhere || places == Places::Nowhere {
            self.places = places;
        }
    }

    /// What a position of every matching game has: one of these; empty if that is unknown, or if
    /// games without a matching position can match.
    pub fn needs(&self) -> &[Need] {
        match self.match_count {
            Some((0, _)) => &[],
            _ => &self.needs,
        }
    }

    /// True if games are ruled out by their number or their tags.
    pub fn filters_by_tags(&self) -> bool {
        self.game_numbers.is_some() || !self.tag_conditions.is_empty()
    }

    pub fn in_numbers(&self, number: u64) -> bool {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.game_numbers
            .is_none_or(|(low, high)| low <= number && number <= high)
    }

    /// False if no position of the game can match, decided without its moves.
    pub fn may_match(&self, game: &Game, number: u64) -> bool {
        let result = self.result.as_deref();
        self.may_match_number(number) && result.is_none_or(|r| r == game.outcome().as_str())
    }

    /// False if no position of the game can match, decided by its number.
    pub fn may_match_number(&self, number: u64) -> bool {
        self.places != Places::Nowhere && self.in_numbers(number)
    }

    /// True if the boards of a game decide, and not its tags or result.
    pub fn needs_only_boards(&self) -> bool {
        let is_of_game = self.game_conditions.is_empty() && self.game_alternatives.is_empty();
        self.rolls && self.result.is_none() && is_of_game
    }

    /// True if only positions without a next move can match.
    pub fn only_ends(&self) -> bool {
        self.places == Places::Ends
    }

    /// False if the query cannot match at this position.
    #[inline]
    pub fn may_match_at(&self, positions: &Positions, at: u32) -> bool {
        // after a null move the game may continue from a mate
        let is_end = || positions.is_terminal(at) || positions.is_null_move(at + 1);
        match self.places {
            Places::Everywhere => true,
            Places::Ends => is_end(),
            Places::Start => at == 0,
            Places::Nowhere => false,
        }
    }

    /// The same, given whether the position is an end.
    #[inline]
    pub fn may_match_in(&self, is_end: bool, id: u32) -> bool {
        match self.places {
            Places::Everywhere => true,
            Places::Ends => is_end,
            Places::Start => id == 0,
            Places::Nowhere => false,
        }
    }

    /// The index of the variants of a transform.
    #[inline]
    pub fn orbit(&self, id: BoolId) -> Option<&OrbitIndex> {
        self.orbits.get(id.0 as usize)?.as_ref()
    }

    /// True if an echo compares the number of different squares.
    pub fn compares_boards(&self) -> bool {
        self.echoes.values().any(EchoPlan::compares_boards)
    }

    /// What is known about the targets of an echo.
    pub fn echo_plan(&self, echo: (Key, VarId, VarId)) -> EchoPlan {
        self.echoes.get(&echo).copied().unwrap_or_default()
    }

    /// True if all targets of an echo are below its source.
    pub fn echoes_below(&self, echo: (Key, VarId, VarId)) -> bool {
        self.echoes.get(&echo).is_some_and(EchoPlan::is_below)
    }

    /// The positions that can be targets of an echo from here.
    pub fn echo_targets(
        &self,
        echo: (Key, VarId, VarId),
        positions: &Positions,
        here: u32,
        masks: EchoMasks,
    ) -> Targets {
        self.echo_plan(echo).targets(positions, here, masks)
    }
}

/// The only positions at which a condition can hold, if they are few.
fn places(ir: &Ir, id: BoolId) -> Option<Places> {
    match ir.bool(id) {
        Bool::Const(false) => Some(Places::Nowhere),
        Bool::Test(Test::Initial) => Some(Places::Start),
        Bool::Test(Test::Mate | Test::Stalemate | Test::Terminal) => Some(Places::Ends),
        Bool::NonEmpty(set) if matches!(ir.set(*set), Set::Mate(_)) => Some(Places::Ends),
        Bool::And(ids) => ids.iter().find_map(|&id| places(ir, id)),
        // variants of a transform
        Bool::Orbit(ids) if id.props(ir).is_pure() => {
            let is_end = |id: &BoolId| places(ir, *id) == Some(Places::Ends);
            ids.iter().all(is_end).then_some(Places::Ends)
        }
        _ => None,
    }
}

/// The same for a query that first gives values to variables: nothing reads what they would be at
/// other positions.
fn later_places(ir: &Ir, variables: &[Variable], root: BoolId) -> Option<Places> {
    let Bool::And(ids) = ir.bool(root) else {
        return None;
    };
    for &id in ids {
        if let Some(places) = places(ir, id).filter(|_| id.props(ir).is_pure()) {
            return Some(places);
        }
        let (value, lasts) = match ir.bool(id) {
            Bool::Assign(assign) => {
                let variable = &variables[assign.variable().0 as usize];
                (assign.value().props(ir), variable.persistent)
            }
            _ => (id.props(ir), false),
        };
        if lasts || value.has(Props::WRITES) {
            return None;
        }
    }
    None
}

/// Conditions implied by `id`, up to the first with effects.
fn necessary(ir: &Ir, id: BoolId, out: &mut Vec<BoolId>) -> bool {
    if let Bool::And(ids) = ir.bool(id) {
        return ids.iter().all(|&id| necessary(ir, id, out));
    }
    out.push(id);
    id.props(ir).is_pure()
}

/// True if only the number of pieces of each kind matters.
fn is_material(ir: &Ir, id: BoolId) -> bool {
    match ir.bool(id) {
        Bool::Count(count) => count.squares == !0,
        Bool::And(ids) | Bool::Or(ids) => ids.iter().all(|&id| is_material(ir, id)),
        Bool::Not(id) => is_material(ir, *id),
        _ => false,
    }
}

/// The conditions about the game that the variants of a transform begin with.
fn game_alternatives(ir: &Ir, id: BoolId) -> Option<Vec<BoolId>> {
    let Bool::Orbit(parts) = ir.bool(id) else {
        return None;
    };
    let first = |&id: &BoolId| match ir.bool(id) {
        Bool::And(ids) => ids.first().copied(),
        _ => Some(id),
    };
    let firsts = parts.iter().map(first);
    firsts
        .map(|id| id.filter(|&id| is_about_game(ir, id)))
        .collect()
}

/// True if the game's tags, result and number decide, at any position.
fn is_about_game(ir: &Ir, id: BoolId) -> bool {
    match ir.bool(id) {
        Bool::Result(_) => true,
        Bool::And(ids) | Bool::Or(ids) => ids.iter().all(|&id| is_about_game(ir, id)),
        Bool::Not(id) => is_about_game(ir, *id),
        Bool::HasNum(num) => is_games_number(ir, *num),
        Bool::HasText(text) => is_games_text(ir, *text),
        Bool::Contains { text, part } => is_games_text(ir, *text) && is_games_text(ir, *part),
        _ => false,
    }
}

/// Of conditions about the game: those that need its moves, its result or its start.
fn goes_beyond_tags(ir: &Ir, id: BoolId) -> bool {
    match ir.bool(id) {
        Bool::Result(_) => true,
        Bool::And(ids) | Bool::Or(ids) => ids.iter().any(|&id| goes_beyond_tags(ir, id)),
        Bool::Not(id) => goes_beyond_tags(ir, *id),
        Bool::HasText(text) => is_of_start(ir, *text),
        Bool::Contains { text, part } => is_of_start(ir, *text) || is_of_start(ir, *part),
        _ => false,
    }
}

fn is_of_start(ir: &Ir, id: TextId) -> bool {
    match ir.text(id) {
        Text::Variant => true,
        Text::Compare(_, a, b) => is_of_start(ir, *a) || is_of_start(ir, *b),
        _ => false,
    }
}

fn is_games_number(ir: &Ir, id: NumId) -> bool {
    match ir.num(id) {
        Num::Const(_) | Num::Elo(_) | Num::Year | Num::Measure(Measure::GameNumber) => true,
        Num::Compare(_, a, b) | Num::Calc(_, a, b) => {
            is_games_number(ir, *a) && is_games_number(ir, *b)
        }
        _ => false,
    }
}

fn is_games_text(ir: &Ir, id: TextId) -> bool {
    match ir.text(id) {
        Text::Const(_) | Text::Tag(_) | Text::Players | Text::Variant => true,
        Text::Compare(_, a, b) => is_games_text(ir, *a) && is_games_text(ir, *b),
        _ => false,
    }
}
