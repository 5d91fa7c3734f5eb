//! Sets of squares: designators, geometry, attacks, rays, pins, pawns.

use super::{Entry, Matcher, Value};
use crate::ast::{PinPart, VarId};
use crate::ir::*;
use crate::kinds::Kinds;
use crate::positions::{NOWHERE, bit, same_squares};
use crate::symmetry::{FILE_A, FILE_H, OFFSETS, bits};
use chess::{Board, Color, Role, Square, attacks};

/// The attackers of a square.
#[derive(Clone, Copy)]
pub(super) struct KnownAttackers {
    at: u32,
    /// The boards that had been forgotten by then.
    boards: u64,
    squares: u64,
}

impl KnownAttackers {
    const NONE: KnownAttackers = KnownAttackers {
        at: NOWHERE,
        boards: 0,
        squares: 0,
    };
}

impl<'q> Matcher<'q> {
    /// The squares of a set, with a fast path for the commonest kinds.
    #[inline(always)] // a call for each designator costs more than looking it up
    pub(super) fn set(&mut self, id: SetId) -> u64 {
        let q = self.q;
        match q.ir.set(id) {
            Set::Const(squares) => *squares,
            Set::Pieces { pieces, squares } => self.pieces(*pieces) & squares,
            Set::Pin(spec) => self.pin(id, spec),
            Set::Var(var) => match self.values[var.0 as usize] {
                Value::Set(set) => set,
                _ => self.other_variable(*var),
            },
            other => self.compute_set(other),
        }
    }

    /// The squares that hold one of these kinds of pieces here.
    #[inline(always)] // as above
    pub(super) fn pieces(&mut self, pieces: u16) -> u64 {
        self.kinds().of(pieces)
    }

    /// The pieces here by their kinds, computed once for each position.
    #[inline(always)] // as above
    pub(super) fn kinds(&mut self) -> &Kinds {
        if !self.kinds.has(self.at) {
            self.read_kinds();
        }
        self.kinds.at(self.at)
    }

    #[inline(never)]
    fn read_kinds(&mut self) {
        self.kinds.read(self.at, self.positions.board(self.at));
    }

    fn compute_set(&mut self, node: &'q Set) -> u64 {
        match node {
            Set::Not(a) => !self.set(*a),
            Set::And(ids) => self.meet(ids),
            Set::Or(ids) | Set::Orbit(ids) => self.union(ids),
            Set::Attackers(from, to) => self.attackers_of(*from, *to),
            Set::Attacked(from, to) => self.attacked_by(*from, *to),
            Set::Move(id) => self.move_squares(*id),
            Set::PieceVar(var) => match self.values[var.0 as usize] {
                Value::Piece(piece) => self.piece_square(piece),
                _ => self.no_squares(*var),
            },
            Set::Flow(Flow::At(place, set)) => match self.place(*place) {
                Some(at) => self.set_at(at, *set),
                None => 0,
            },
            Set::Flow(flow) => self.flow(flow),
            other => self.other_set(other),
        }
    }

    /// A variable that holds an entry of a dictionary, or nothing.
    #[cold]
    fn other_variable(&mut self, var: VarId) -> u64 {
        match self.values[var.0 as usize] {
            Value::Entry(Entry::Set(set)) => set,
            _ => self.no_squares(var),
        }
    }

    /// A variable without a value holds no squares.
    #[cold]
    fn no_squares(&mut self, var: VarId) -> u64 {
        self.report_unbound(var);
        0
    }

    // Separate functions keep `compute_set` small, which is most of its cost.

    #[inline(never)]
    fn meet(&mut self, ids: &[SetId]) -> u64 {
        let mut all = !0;
        for &id in ids {
            all &= self.set(id);
            if all == 0 && self.q.ir.sets.props(id.0).is_pure() {
                break;
            }
        }
        all
    }

    #[inline(never)]
    fn union(&mut self, ids: &[SetId]) -> u64 {
        ids.iter().fold(0, |all, &id| all | self.set(id))
    }

    #[inline(never)]
    fn attackers_of(&mut self, from: SetId, to: SetId) -> u64 {
        let is_of_loop = matches!(self.q.ir.set(from), Set::Var(_) | Set::PieceVar(_));
        let (from, to) = (self.set(from), self.set(to));
        if is_of_loop && to.is_power_of_two() {
            return from & self.all_attackers(to.trailing_zeros());
        }
        attackers(self.board(), from, to)
    }

    /// The pieces that attack a square, found once for all squares or pieces of a loop.
    fn all_attackers(&mut self, square: u32) -> u64 {
        let boards = self.elsewhere.boards;
        if let Some(known) = self.elsewhere.attackers.get(square as usize)
            && (known.at, known.boards) == (self.at, boards)
        {
            return known.squares;
        }
        let squares = attackers_of_square(self.board(), Square::new(square));
        let all = &mut self.elsewhere.attackers;
        all.resize(64, KnownAttackers::NONE);
        all[square as usize & 63] = KnownAttackers {
            at: self.at,
            boards,
            squares,
        };
        squares
    }

    #[inline(never)]
    fn attacked_by(&mut self, from: SetId, to: SetId) -> u64 {
        let (from, to) = (self.set(from), self.set(to));
        attacked(self.board(), from) & to
    }

    #[inline(never)]
    fn pin(&mut self, id: SetId, spec: &PinSpec) -> u64 {
        let to = match spec.to {
            Some(to) => self.set(to),
            None => self.board().by_role(Role::King).into(),
        };
        // most positions have no pin at all
        if id.props(&self.q.ir).is_pure() && !has_pins(self.board(), to) {
            return 0;
        }
        let from = spec.from.map_or(!0, |s| self.set(s));
        let through = spec.through.map_or(!0, |s| self.set(s));
        pin_squares(self.board(), from, through, to, spec.value)
    }

    #[inline(never)]
    fn other_set(&mut self, node: &'q Set) -> u64 {
        match node {
            Set::Same(a, b) => match (self.place(*a), self.place(*b)) {
                (Some(a), Some(b)) => {
                    same_squares(self.positions.board(a), self.positions.board(b))
                }
                _ => 0,
            },
            Set::Step { dirs, range, of } => {
                let of = self.set(*of);
                self.step_squares(*dirs, *range, of)
            }
            Set::Between(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                between(a, b)
            }
            Set::Ray {
                dirs,
                attack,
                first,
                sets,
            } => self.ray(*dirs, *attack, *first, sets),
            Set::Each {
                var,
                is_piece,
                set,
                body,
            } => self.satisfying(*var, *is_piece, *set, *body),
            other => self.rare_set(other),
        }
    }

    fn rare_set(&mut self, node: &'q Set) -> u64 {
        match node {
            Set::MakeSquare(file, rank) => match (self.num(*file), self.num(*rank)) {
                (Some(file @ 1..=8), Some(rank @ 1..=8)) => 1 << (8 * (rank - 1) + file - 1),
                _ => 0,
            },
            Set::NamedSquare(name) => {
                let square = self
                    .text(*name)
                    .and_then(|name| name.parse::<Square>().ok());
                square.map_or(0, |s| bit(s as u8))
            }
            Set::LegalDash { dash, pseudo, kind } => self.legal_dash(*dash, *pseudo, *kind).0,
            Set::Lookup(dict, key) => match self.lookup(*dict, *key) {
                Some(Entry::Set(set)) => set,
                _ => 0,
            },
            Set::Pawns(kind) => pawns(self.board(), *kind),
            Set::Mate(kind) => self.mate_participants(*kind),
            Set::MoveFrom => {
                let (left, right) = self.narrowing();
                self.positions.step(self.at).origins(left, right)
            }
            Set::MoveTo => {
                let (left, right) = self.narrowing();
                self.positions.step(self.at).arrivals(left, right)
            }
            Set::EnPassantSquare => {
                let step = self.positions.step(self.at);
                if step.en_passant {
                    step.captured.map_or(0, bit)
                } else {
                    0
                }
            }
            Set::Promoted => self.promoted(),
            _ => 0,
        }
    }

    /// The promoted pieces.
    fn promoted(&self) -> u64 {
        let way = self.positions.ancestors(self.at);
        let moves = way
            .map(|at| (at, self.positions.step(at)))
            .filter(|(_, step)| step.promoted.is_some());
        moves.fold(0, |all, (at, step)| {
            all | self.piece_square(self.positions.pieces[at as usize].on(step.to))
        })
    }

    /// The squares of a dash, if its move led here.
    fn narrowing(&self) -> (u64, u64) {
        match self.narrowed {
            Some((at, left, right)) if at == self.at => (left, right),
            _ => (!0, !0),
        }
    }

    fn step_squares(&mut self, dirs: u8, range: crate::ast::Range, of: u64) -> u64 {
        let (Some(min), Some(max)) = (self.bound(range.min), self.bound(range.max)) else {
            return 0;
        };
        let mut out = if min <= 0 && max >= 0 { of } else { 0 };
        for dir in bits(u64::from(dirs)) {
            out |= stepped(of, dir as usize, min, max);
            if min < 0 {
                let (least, most) = (max.saturating_neg(), min.saturating_neg());
                out |= stepped(of, (dir as usize + 4) % 8, least, most);
            }
        }
        out
    }

    // --- rays ---

    /// Lines of squares that begin in the first set and meet the others in order with only empty
    /// squares between.
    fn ray(&mut self, dirs: u8, attack: bool, first: bool, sets: &'q [SetId]) -> u64 {
        let sets: Vec<u64> = sets.iter().map(|&s| self.set(s)).collect();
        let board = self.board();
        let occupied = u64::from(board.occupied());
        let Some((&start, rest)) = sets.split_first() else {
            return 0;
        };
        let mut found = 0;
        for square in bits(start) {
            let reach = if attack {
                slides(board, square) & dirs
            } else {
                dirs
            };
            for dir in bits(u64::from(reach)) {
                let last = follow(1 << square, dir as usize, rest, occupied);
                found |= if last == 0 {
                    0
                } else if first {
                    1 << square
                } else {
                    last
                };
            }
        }
        found
    }
}

/// A set shifted by each number of squares from `min` to `max`, at least one.
fn stepped(mut set: u64, dir: usize, min: i64, max: i64) -> u64 {
    if (min, max) == (1, 1) {
        return shifted(set, dir); // most steps are of one square
    }
    let mut out = 0;
    for n in 1..=max.min(7) {
        set = shifted(set, dir);
        if n >= min {
            out |= set;
        }
    }
    out
}

/// The squares of one part of all pins.
pub(super) fn pin_squares(board: &Board, from: u64, through: u64, to: u64, value: PinPart) -> u64 {
    let mut found = 0;
    pins(board, to, |pin| {
        if pin.from & from != 0 && pin.through & through != 0 {
            found |= match value {
                PinPart::From => pin.from,
                PinPart::Through => pin.through,
                PinPart::To => pin.to,
            };
        }
        true
    });
    found
}

fn has_pins(board: &Board, to: u64) -> bool {
    let mut found = false;
    pins(board, to, |_| {
        found = true;
        false
    });
    found
}

/// Whether a slider of `from` attacks a square of `to` through `screen`.
pub(super) fn shoots_through(board: &Board, from: u64, screen: u64, to: u64) -> bool {
    let occupied = u64::from(board.occupied());
    bits(from & occupied).any(|square| {
        let dirs = slides(board, square);
        bits(u64::from(dirs))
            .any(|dir| follow(1 << square, dir as usize, &[screen, to], occupied) != 0)
    })
}

/// A set shifted by one square; squares off the board are dropped.
#[inline]
pub(super) const fn shifted(set: u64, dir: usize) -> u64 {
    let (x, y) = OFFSETS[dir];
    let set = match x {
        1 => (set & !FILE_H) << 1,
        -1 => (set & !FILE_A) >> 1,
        _ => set,
    };
    match y {
        1 => set << 8,
        -1 => set >> 8,
        _ => set,
    }
}

/// The squares of `from` whose piece attacks a square of `to`.
pub(crate) fn attackers(board: &Board, from: u64, to: u64) -> u64 {
    let from = from & u64::from(board.occupied());
    if to.count_ones() < from.count_ones() {
        let all = bits(to).map(|square| attackers_of_square(board, Square::new(square)));
        return from & all.fold(0, |all, set| all | set);
    }
    bits(from)
        .filter(|&square| u64::from(board.attacks_from(Square::new(square))) & to != 0)
        .fold(0, |all, square| all | 1 << square)
}

/// The pieces of both sides that attack a square.
fn attackers_of_square(board: &Board, square: Square) -> u64 {
    let occupied = board.occupied();
    let queens = board.by_role(Role::Queen);
    let straight = attacks::rook_attacks(square, occupied) & (board.by_role(Role::Rook) | queens);
    let diagonal =
        attacks::bishop_attacks(square, occupied) & (board.by_role(Role::Bishop) | queens);
    let leaping = attacks::knight_attacks(square) & board.by_role(Role::Knight)
        | attacks::king_attacks(square) & board.by_role(Role::King);
    let pawns = |color: Color| attacks::pawn_attacks(!color, square) & board.by_color(color);
    let pawns = (pawns(Color::White) | pawns(Color::Black)) & board.by_role(Role::Pawn);
    u64::from(straight | diagonal | leaping | pawns)
}

/// The squares attacked by the pieces on `from`.
pub(crate) fn attacked(board: &Board, from: u64) -> u64 {
    let from = from & u64::from(board.occupied());
    bits(from).fold(0, |all, square| {
        all | u64::from(board.attacks_from(Square::new(square)))
    })
}

pub(super) fn between(a: u64, b: u64) -> u64 {
    let pairs = bits(a).flat_map(|a| bits(b).map(move |b| (a, b)));
    pairs.fold(0, |all, (a, b)| {
        all | u64::from(attacks::between(Square::new(a), Square::new(b)))
    })
}

/// Directions in which the piece on a square slides.
fn slides(board: &Board, square: u32) -> u8 {
    const ORTHOGONAL: u8 = 0b0101_0101;
    match board.role_at(Square::new(square)) {
        Some(Role::Queen) => 255,
        Some(Role::Rook) => ORTHOGONAL,
        Some(Role::Bishop) => !ORTHOGONAL,
        _ => 0,
    }
}

/// The last squares of a ray that continues from `at`; an empty square may be a member or be
/// passed.
fn follow(at: u64, dir: usize, sets: &[u64], occupied: u64) -> u64 {
    let Some((&next, rest)) = sets.split_first() else {
        return at;
    };
    let mut found = 0;
    let mut at = shifted(at, dir);
    while at != 0 {
        if at & next != 0 {
            found |= follow(at, dir, rest, occupied);
        }
        if at & occupied != 0 {
            break;
        }
        at = shifted(at, dir);
    }
    found
}

/// A slider, a single enemy piece between, and a target behind it, empty or of that enemy.
struct Pin {
    from: u64,
    through: u64,
    to: u64,
}

/// Calls `f` with the pins against these squares until it returns false. They are found from the
/// target: sliders in line, then the pieces between.
#[inline]
fn pins(board: &Board, to: u64, mut f: impl FnMut(Pin) -> bool) {
    let queens = board.by_role(Role::Queen);
    let straight = u64::from(board.by_role(Role::Rook) | queens);
    let diagonal = u64::from(board.by_role(Role::Bishop) | queens);
    let white = u64::from(board.by_color(Color::White));
    let black = u64::from(board.by_color(Color::Black));
    for target in bits(to) {
        let enemies = match 1 << target {
            square if white & square != 0 => black,
            square if black & square != 0 => white,
            _ => !0,
        };
        let lines = STRAIGHT[target as usize] & straight | DIAGONAL[target as usize] & diagonal;
        for origin in bits(lines & enemies) {
            let way = attacks::between(Square::new(origin), Square::new(target));
            let through = u64::from(way) & (white | black);
            let from = 1 << origin;
            let alone = through.is_power_of_two() && (white & from == 0) != (white & through == 0);
            let to = 1 << target;
            if alone && !f(Pin { from, through, to }) {
                return;
            }
        }
    }
}

/// The squares in line with a square along ranks and files, and along diagonals.
static STRAIGHT: [u64; 64] = lines(&[0, 2, 4, 6]);
static DIAGONAL: [u64; 64] = lines(&[1, 3, 5, 7]);

const fn lines(dirs: &[usize; 4]) -> [u64; 64] {
    let mut lines = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < dirs.len() {
            let mut at = shifted(1 << square, dirs[i]);
            while at != 0 {
                lines[square] |= at;
                at = shifted(at, dirs[i]);
            }
            i += 1;
        }
        square += 1;
    }
    lines
}

fn pawns(board: &Board, kind: Pawns) -> u64 {
    let all = u64::from(board.by_role(Role::Pawn));
    let side = |color| all & u64::from(board.by_color(color));
    let (white, black) = (side(Color::White), side(Color::Black));
    match kind {
        Pawns::Connected => connected(white) | connected(black),
        Pawns::Isolated => all & !(connected(white) | connected(black)),
        Pawns::Doubled => doubled(white) | doubled(black),
        Pawns::Passed => {
            passed(white, black) | passed(black.swap_bytes(), white.swap_bytes()).swap_bytes()
        }
    }
}

/// Whole files of the squares of a set.
fn files(set: u64) -> u64 {
    let row = (0..8).fold(0, |row, rank| row | set >> (8 * rank) & 0xff);
    row * FILE_A
}

fn connected(pawns: u64) -> u64 {
    let files = files(pawns);
    pawns & ((files & !FILE_H) << 1 | (files & !FILE_A) >> 1)
}

fn doubled(pawns: u64) -> u64 {
    bits(pawns)
        .filter(|&p| files(1 << p) & pawns & !(1 << p) != 0)
        .fold(0, |all, p| all | 1 << p)
}

/// White pawns without black ones ahead on their own or an adjacent file.
fn passed(white: u64, black: u64) -> u64 {
    let wide = black | (black & !FILE_H) << 1 | (black & !FILE_A) >> 1;
    let mut stopped = wide >> 8;
    stopped |= stopped >> 8;
    stopped |= stopped >> 16;
    stopped |= stopped >> 32;
    white & !stopped
}
