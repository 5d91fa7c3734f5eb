//! A condition that holds wherever one of the variants of a transform does, tested before them.
//!
//! Variants of a rotation or reflection often differ only in directions. One filter with all these
//! directions together is necessary for each of them, and fails at most positions.

use crate::ast::VarId;
use crate::ir::*;
use rustc_hash::FxHashMap;

/// Transforms with fewer variants are not worth a test of their own.
const LEAST_VARIANTS: usize = 4;

/// A necessary condition of all variants.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub holds: BoolId,
    /// The variables that the variants read.
    pub reads: Box<[VarId]>,
}

/// The guards of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guards {
    /// By transform, if its variants begin with lines or paths.
    of_orbits: FxHashMap<BoolId, Guard>,
    /// By the condition that a variant looks for.
    of_finds: FxHashMap<BoolId, BoolId>,
}

impl Guards {
    #[inline]
    pub fn of_orbit(&self, id: BoolId) -> Option<&Guard> {
        if self.of_orbits.is_empty() {
            return None;
        }
        self.of_orbits.get(&id)
    }

    #[inline]
    pub fn of_find(&self, body: BoolId) -> Option<BoolId> {
        if self.of_finds.is_empty() {
            return None;
        }
        self.of_finds.get(&body).copied()
    }

    /// True if a transform has a guard.
    pub fn has_orbits(&self) -> bool {
        !self.of_orbits.is_empty()
    }

    /// True if variants share a search.
    pub fn has_finds(&self) -> bool {
        !self.of_finds.is_empty()
    }

    /// Adds the guards of all transforms to the nodes.
    pub fn add(ir: &mut Ir) -> Guards {
        let mut guards = Guards::default();
        let orbits: Vec<(BoolId, Box<[BoolId]>)> = (0..)
            .map(BoolId)
            .zip(ir.bools.iter())
            .filter_map(|(id, node)| match node {
                Bool::Orbit(parts) => Some((id, parts.clone())),
                _ => None,
            })
            .collect();
        let counts: Vec<Box<[BoolId]>> = ir
            .nums
            .iter()
            .filter_map(|node| match node {
                Num::OrbitCount { parts, .. } => Some(parts.clone()),
                _ => None,
            })
            .collect();
        for (id, parts) in &orbits {
            if let Some(guard) = of_beginnings(ir, parts) {
                guards.of_orbits.insert(*id, guard);
            }
        }
        for parts in orbits.iter().map(|(_, parts)| parts).chain(&counts) {
            guards.add_finds(ir, parts);
        }
        guards
    }

    fn add_finds(&mut self, ir: &mut Ir, parts: &[BoolId]) {
        let bodies: Option<Vec<BoolId>> = parts.iter().map(|&id| found(ir, id)).collect();
        let Some(bodies) = bodies.filter(|bodies| bodies.len() >= LEAST_VARIANTS) else {
            return;
        };
        let lasts = |id: BoolId, ir: &Ir| {
            let props = id.props(ir);
            props.is_pure() && !props.has(Props::READS.and(Props::PATH))
        };
        if !bodies.iter().all(|&id| lasts(id, ir)) {
            return;
        }
        let Some(guard) = relaxed_bool(ir, &bodies).filter(|&id| lasts(id, ir)) else {
            return;
        };
        let guarded = bodies.into_iter().filter(|&body| body != guard);
        self.of_finds.extend(guarded.map(|body| (body, guard)));
    }
}

/// The condition that `find` looks for.
fn found(ir: &Ir, id: BoolId) -> Option<BoolId> {
    let Bool::HasPlace(place) = *ir.bool(id) else {
        return None;
    };
    match *ir.place(place) {
        Place::Find { body, .. } => Some(body),
        _ => None,
    }
}

// --- variants that begin with a line or path ---

/// A line or path that a variant begins with, which has no effect if it does not match.
#[derive(Clone, Copy)]
enum Beginning {
    Line(LineId),
    Path(PathId),
}

fn of_beginnings(ir: &mut Ir, parts: &[BoolId]) -> Option<Guard> {
    if parts.len() < LEAST_VARIANTS {
        return None;
    }
    let beginnings = each(parts, |id| beginning(ir, id))?;
    let lines: Option<Vec<LineId>> = each(&beginnings, |begin| match begin {
        Beginning::Line(id) => Some(id),
        Beginning::Path(_) => None,
    });
    let paths: Option<Vec<PathId>> = each(&beginnings, |begin| match begin {
        Beginning::Path(id) => Some(id),
        Beginning::Line(_) => None,
    });
    let (holds, nodes): (BoolId, Vec<AnyId>) = if let Some(lines) = lines {
        let firsts = each(&lines, |id| first_filter(ir, id))?;
        let nodes = lines.into_iter().map(AnyId::from).collect();
        (relaxed_bool(ir, &firsts)?, nodes)
    } else {
        let paths = paths?;
        let firsts = each(&paths, |id| first_dash(ir, id))?;
        let nodes = paths.into_iter().map(AnyId::from).collect();
        (relaxed_dash(ir, &firsts)?, nodes)
    };
    let mut reads: Vec<VarId> = nodes.into_iter().flat_map(|id| ir.reads(id)).collect();
    reads.sort();
    reads.dedup();
    Some(Guard {
        holds,
        reads: reads.into(),
    })
}

fn beginning(ir: &Ir, id: BoolId) -> Option<Beginning> {
    match ir.bool(id) {
        Bool::And(ids) => beginning(ir, *ids.first()?),
        Bool::HasPlace(place) | Bool::Assign(Assign::Place(_, place)) => match *ir.place(*place) {
            Place::Line(id) => harmless(ir, id),
            Place::Path(id) => harmless_path(ir, id),
            _ => None,
        },
        Bool::HasNum(num) | Bool::Assign(Assign::Num(_, num)) => num_beginning(ir, *num),
        _ => None,
    }
}

fn num_beginning(ir: &Ir, id: NumId) -> Option<Beginning> {
    match *ir.num(id) {
        Num::Line(id) => harmless(ir, id),
        Num::Path(id) => harmless_path(ir, id),
        // a key has no value to sort by if the path has none
        Num::Sort { value, .. } => num_beginning(ir, value),
        Num::Compare(_, a, b) if matches!(ir.num(a), Num::Const(_)) => num_beginning(ir, b),
        Num::Compare(_, a, _) => num_beginning(ir, a),
        _ => None,
    }
}

fn harmless(ir: &Ir, id: LineId) -> Option<Beginning> {
    let spec = ir.line(id);
    let is_harmless = !spec.back && !ir.line_parts(id).has(Props::WRITES);
    is_harmless.then_some(Beginning::Line(id))
}

fn harmless_path(ir: &Ir, id: PathId) -> Option<Beginning> {
    let focus = ir.path(id).focus.map(|(set, _)| set);
    let is_harmless = focus.props(ir).is_pure() && !ir.path_parts(id).has(Props::WRITES);
    is_harmless.then_some(Beginning::Path(id))
}

/// The filter that must hold where a line starts.
fn first_filter(ir: &Ir, id: LineId) -> Option<BoolId> {
    let mut con = *ir.line(id).parts.first()?;
    loop {
        con = match ir.con(con) {
            Con::Filter { body, .. } => return Some(*body),
            Con::Chain(cons) => *cons.first()?,
            Con::Repeat { of, min, .. } if *min > 0 => *of,
            Con::Repeat { .. } | Con::Dash(..) => return None,
        }
    }
}

/// The move that a path must begin with.
fn first_dash(ir: &Ir, id: PathId) -> Option<DashId> {
    let Con::Dash(dash, _) = *ir.con(first_part(ir, &ir.path(id).parts)?) else {
        return None;
    };
    let props = dash.props(ir);
    let is_plain = !ir.dash(dash).current && props.is_pure() && !props.has(Props::PATH);
    is_plain.then_some(dash)
}

/// The filter or move that a line or path with these constituents must begin with.
pub(super) fn first_part(ir: &Ir, parts: &[ConId]) -> Option<ConId> {
    let mut con = *parts.first()?;
    loop {
        con = match ir.con(con) {
            Con::Filter { .. } | Con::Dash(..) => return Some(con),
            Con::Chain(cons) => *cons.first()?,
            Con::Repeat { of, min, .. } if *min > 0 => *of,
            Con::Repeat { .. } => return None,
        }
    }
}

// --- one filter for several ---

/// The move that each of these is, whatever a path has in focus.
fn relaxed_dash(ir: &mut Ir, ids: &[DashId]) -> Option<BoolId> {
    let first = ir.dash(*ids.first()?).clone();
    if ids.iter().any(|&id| ir.dash(id).capture != first.capture) {
        return None;
    }
    let left = each(ids, |id| ir.dash(id).left).and_then(|sets| relaxed_set(ir, &sets));
    let right = each(ids, |id| ir.dash(id).right).and_then(|sets| relaxed_set(ir, &sets));
    if left.is_none() && right.is_none() {
        return None;
    }
    let dash = ir.dash_node(DashSpec {
        left,
        right,
        promotion: None,
        ..first
    });
    Some(ir.bool_node(Bool::Dash(dash, None)))
}

/// A condition that each of these implies, also where a line ties them to one of the moves.
fn relaxed_bool(ir: &mut Ir, ids: &[BoolId]) -> Option<BoolId> {
    let (&first, rest) = ids.split_first()?;
    let is_tied = first.props(ir).has(Props::LINEAR);
    if rest.iter().all(|&id| id == first) && !is_tied {
        return first.props(ir).is_pure().then_some(first);
    }
    match ir.bool(first).clone() {
        Bool::NonEmpty(_) => {
            let sets = each(ids, |id| match ir.bool(id) {
                Bool::NonEmpty(set) => Some(*set),
                _ => None,
            })?;
            let set = relaxed_set(ir, &sets)?;
            Some(ir.bool_node(Bool::NonEmpty(set)))
        }
        Bool::And(_) => {
            let rows = each(ids, |id| match ir.bool(id) {
                Bool::And(parts) => Some(parts.clone()),
                _ => None,
            })?;
            let parts: Vec<BoolId> = columns(&rows)?
                .iter()
                .filter_map(|ids| relaxed_bool(ir, ids))
                .collect();
            match parts[..] {
                [] => None,
                [part] => Some(part),
                _ => Some(ir.bool_node(Bool::And(parts.into()))),
            }
        }
        _ => None,
    }
}

/// A set that contains each of these.
fn relaxed_set(ir: &mut Ir, ids: &[SetId]) -> Option<SetId> {
    let (&first, rest) = ids.split_first()?;
    let props = first.props(ir);
    let is_same = rest.iter().all(|&id| id == first);
    if is_same && (!props.has(Props::LINEAR) || matches!(ir.set(first), Set::Move(_))) {
        return props.is_pure().then_some(first);
    }
    match ir.set(first).clone() {
        Set::Pieces { .. } => {
            let kinds = each(ids, |id| match *ir.set(id) {
                Set::Pieces { pieces, squares } => Some((pieces, squares)),
                _ => None,
            })?;
            let (pieces, squares) = kinds
                .iter()
                .fold((0, 0), |all, kind| (all.0 | kind.0, all.1 | kind.1));
            Some(ir.set_node(Set::Pieces { pieces, squares }))
        }
        Set::Step { range, .. } => {
            let steps = each(ids, |id| match *ir.set(id) {
                Set::Step {
                    dirs,
                    range: other,
                    of,
                } if other == range => Some((dirs, of)),
                _ => None,
            })?;
            let inner: Vec<SetId> = steps.iter().map(|&(_, of)| of).collect();
            let of = relaxed_set(ir, &inner)?;
            let dirs = steps.iter().fold(0, |all, (dirs, _)| all | dirs);
            Some(ir.set_node(Set::Step { dirs, range, of }))
        }
        Set::And(_) => {
            let rows = each(ids, |id| match ir.set(id) {
                Set::And(parts) => Some(parts.clone()),
                _ => None,
            })?;
            let parts: Vec<SetId> = columns(&rows)?
                .iter()
                .filter_map(|ids| relaxed_set(ir, ids))
                .collect();
            match parts[..] {
                [] => None,
                [part] => Some(part),
                _ => Some(ir.set_node(Set::And(parts.into()))),
            }
        }
        Set::Move(first) => {
            let moves = each(ids, |id| match *ir.set(id) {
                Set::Move(id) => Some(id),
                _ => None,
            })?;
            let first = ir.mv(first).clone();
            let relaxed = relaxed_move(ir, first, &moves)?;
            let id = ir.move_node(relaxed);
            Some(ir.set_node(Set::Move(id)))
        }
        _ => None,
    }
}

/// Moves that differ only in their squares.
fn relaxed_move(ir: &mut Ir, first: MoveSpec, ids: &[MoveId]) -> Option<MoveSpec> {
    let is_alike = |&id: &MoveId| {
        let spec = ir.mv(id);
        let moved = MoveSpec {
            from: spec.from,
            to: spec.to,
            ..first.clone()
        };
        *spec == moved
    };
    if !first.is_plain() || !ids.iter().all(is_alike) {
        return None;
    }
    let from: Option<Vec<SetId>> = ids.iter().map(|&id| ir.mv(id).from).collect();
    let to: Option<Vec<SetId>> = ids.iter().map(|&id| ir.mv(id).to).collect();
    Some(MoveSpec {
        from: from.and_then(|sets| relaxed_set(ir, &sets)),
        to: to.and_then(|sets| relaxed_set(ir, &sets)),
        ..first
    })
}

/// The parts of nodes of one kind; none if one is of another.
fn each<T: Copy, U>(ids: &[T], part: impl Fn(T) -> Option<U>) -> Option<Vec<U>> {
    ids.iter().map(|&id| part(id)).collect()
}

/// The parts of several conjunctions, by their place in it.
fn columns<T: Copy>(rows: &[Box<[T]>]) -> Option<Vec<Vec<T>>> {
    let width = rows.first()?.len();
    let is_even = rows.iter().all(|row| row.len() == width);
    is_even.then(|| {
        let column = |i| rows.iter().map(|row| row[i]).collect();
        (0..width).map(column).collect()
    })
}
