//! Sets of squares: designators, geometry, attacks, rays, pins, pawns.

use super::{Entry, Matcher, Value};
use crate::ast::PinPart;
use crate::ir::*;
use crate::positions::{bit, same_squares};
use crate::symmetry::{OFFSETS, bits};
use chess::{Bitboard, Board, Color, Role, Square, attacks};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl<'q> Matcher<'q> {
    /// The squares of a set; the commonest kinds are looked up in place.
    #[inline(always)] // a call for each designator costs more than looking it up
    pub(super) fn set(&mut self, id: SetId) -> u64 {
        let q = self.q;
        match q.ir.set(id) {
            Set::Const(squares) => *squares,
            Set::Pieces { pieces, squares } => self.pieces(*pieces) & squares,
            other => self.worked_out(other),
        }
    }

    /// The squares that hold one of these kinds of pieces here.
    #[inline]
    pub(super) fn pieces(&mut self, mut pieces: u16) -> u64 {
        let kinds = self.kinds();
        let mut set = 0;
        while pieces != 0 {
            set |= kinds[pieces.trailing_zeros() as usize & 15];
            pieces &= pieces - 1;
        }
        set
    }

    /// The pieces here by their kinds, worked out once for each position.
    #[inline]
    pub(super) fn kinds(&mut self) -> &Kinds {
        if self.kinds.1 != self.at || self.positions.is_imagined(self.at) {
            self.kinds = (kinds_on(self.board()), self.at);
        }
        &self.kinds.0
    }

    fn worked_out(&mut self, node: &'q Set) -> u64 {
        match node {
            Set::Var(var) => match self.values[var.0 as usize] {
                Value::Set(set) | Value::Entry(Entry::Set(set)) => set,
                _ => 0,
            },
            Set::PieceVar(var) => match self.values[var.0 as usize] {
                Value::Piece(piece) => self.piece_square(piece),
                _ => 0,
            },
            Set::Flow(flow) => self.flow(flow),
            Set::Not(a) => !self.set(*a),
            Set::And(ids) => {
                let mut all = !0;
                for &id in ids {
                    all &= self.set(id);
                    if all == 0 && self.q.ir.sets.props(id.0).is_pure() {
                        break;
                    }
                }
                all
            }
            Set::Or(ids) | Set::Orbit(ids) => ids.iter().fold(0, |all, &id| all | self.set(id)),
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
            Set::Attackers(from, to) => {
                let (from, to) = (self.set(*from), self.set(*to));
                attackers(self.board(), from, to)
            }
            Set::Attacked(from, to) => {
                let (from, to) = (self.set(*from), self.set(*to));
                attacked(self.board(), from) & to
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
            Set::Pin {
                from,
                through,
                to,
                value,
            } => self.pin(*from, *through, *to, *value),
            Set::Each {
                var,
                is_piece,
                set,
                body,
            } => {
                let mut found = 0;
                self.each(*var, *is_piece, *set, *body, |square, holds| {
                    found |= if holds { 1 << square } else { 0 };
                    true
                });
                found
            }
            other => self.other_set(other),
        }
    }

    fn other_set(&mut self, node: &'q Set) -> u64 {
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
            Set::Move(id) => self.move_squares(*id),
            Set::LegalDash { dash, pseudo, kind } => self.legal_dash(*dash, *pseudo, *kind).0,
            Set::Lookup(dict, key) => match self.lookup(*dict, *key) {
                Some(Entry::Set(set)) => set,
                _ => 0,
            },
            Set::Pawns(kind) => pawns(self.board(), *kind),
            Set::Mate(kind) => self.mate_participants(*kind),
            Set::MoveFrom => {
                let (left, right) = self.narrowing();
                self.positions.spot(self.at).mv.origins(left, right)
            }
            Set::MoveTo => {
                let (left, right) = self.narrowing();
                self.positions.spot(self.at).mv.arrivals(left, right)
            }
            Set::EnPassantSquare => {
                let step = &self.positions.spot(self.at).mv;
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

    /// The pieces that were pawns once.
    fn promoted(&self) -> u64 {
        let way = std::iter::successors(Some(self.at), |&at| self.positions.parent(at));
        let moves = way
            .map(|at| (at, &self.positions.spot(at).mv))
            .filter(|(_, step)| step.promoted.is_some());
        moves.fold(0, |all, (at, step)| {
            all | self.piece_square(self.positions.pieces[at as usize][step.to as usize])
        })
    }

    /// The squares a dash asked for, if its move led here.
    fn narrowing(&self) -> (u64, u64) {
        match self.narrowed {
            Some((at, left, right)) if at == self.at => (left, right),
            _ => (!0, !0),
        }
    }

    fn step_squares(&self, dirs: u8, range: crate::ast::Range, of: u64) -> u64 {
        let mut out = 0;
        let bounds = (-7..=7).filter(|&n| self.in_range(range, n));
        for n in bounds {
            for dir in bits(u64::from(dirs)) {
                let dir = if n < 0 { (dir + 4) % 8 } else { dir };
                let mut set = of;
                for _ in 0..n.unsigned_abs() {
                    set = shifted(set, dir as usize);
                }
                out |= set;
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

    /// A slider, one enemy piece between, and a target behind it.
    fn pin(
        &mut self,
        from: Option<SetId>,
        through: Option<SetId>,
        to: Option<SetId>,
        value: PinPart,
    ) -> u64 {
        let from = from.map_or(!0, |s| self.set(s));
        let through = through.map_or(!0, |s| self.set(s));
        let to = to.map(|s| self.set(s));
        pin_squares(self.board(), from, through, to, value)
    }
}

/// The squares of one part of all pins; without a target, those against kings.
pub(super) fn pin_squares(
    board: &Board,
    from: u64,
    through: u64,
    to: Option<u64>,
    value: PinPart,
) -> u64 {
    let to = to.unwrap_or_else(|| board.by_role(Role::King).into());
    let occupied = u64::from(board.occupied());
    let mut found = 0;
    for color in [Color::White, Color::Black] {
        let theirs = u64::from(board.by_color(!color));
        let from = from & u64::from(board.by_color(color));
        let (through, to) = (through & theirs, to & (theirs | !occupied));
        if from != 0 && through != 0 && to != 0 {
            found |= pins(board, from, through, to, value);
        }
    }
    found
}

/// Whether a slider of `from` looks through `screen` at a square of `to`.
pub(super) fn shoots_through(board: &Board, from: u64, screen: u64, to: u64) -> bool {
    let occupied = u64::from(board.occupied());
    bits(from & occupied).any(|square| {
        let dirs = slides(board, square);
        bits(u64::from(dirs))
            .any(|dir| follow(1 << square, dir as usize, &[screen, to], occupied) != 0)
    })
}

/// The squares of each kind of piece in the order of a designator's bits, the empty ones last.
pub(crate) type Kinds = [u64; 16];

fn kinds_on(board: &Board) -> Kinds {
    let white = u64::from(board.by_color(Color::White));
    let black = u64::from(board.by_color(Color::Black));
    let mut kinds = [0; 16];
    for (i, &role) in ROLES.iter().enumerate() {
        let squares = u64::from(board.by_role(role));
        (kinds[i], kinds[i + 6]) = (squares & white, squares & black);
    }
    kinds[12] = !(white | black);
    kinds
}

/// The roles in the order of a designator's bits.
pub(crate) const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// A set moved by one square; what leaves the board is lost.
#[inline]
pub(super) fn shifted(set: u64, dir: usize) -> u64 {
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
    let occupied = board.occupied();
    let from = from & u64::from(occupied);
    if to.count_ones() < from.count_ones() {
        let all = bits(to).fold(Bitboard::EMPTY, |all, square| {
            let square = Square::new(square);
            all | board.attackers(square, Color::White, occupied)
                | board.attackers(square, Color::Black, occupied)
        });
        return from & u64::from(all);
    }
    bits(from)
        .filter(|&square| u64::from(board.attacks_from(Square::new(square))) & to != 0)
        .fold(0, |all, square| all | 1 << square)
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

/// The last squares of a ray that goes on from `at`; an empty square may be met or passed.
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

/// Pins seen from their targets: what would be attacked from there on an empty board.
fn pins(board: &Board, from: u64, through: u64, to: u64, value: PinPart) -> u64 {
    let occupied = u64::from(board.occupied());
    let queens = u64::from(board.by_role(Role::Queen));
    let straight = from & (queens | u64::from(board.by_role(Role::Rook)));
    let diagonal = from & (queens | u64::from(board.by_role(Role::Bishop)));
    let mut found = 0;
    for target in bits(to) {
        let square = Square::new(target);
        let lines = u64::from(attacks::rook_attacks(square, Bitboard::EMPTY)) & straight
            | u64::from(attacks::bishop_attacks(square, Bitboard::EMPTY)) & diagonal;
        for origin in bits(lines) {
            let way = u64::from(attacks::between(Square::new(origin), square)) & occupied;
            let pinned = way & through;
            if pinned == 0 || way & (way - 1) != 0 {
                continue;
            }
            found |= match value {
                PinPart::From => 1 << origin,
                PinPart::Through => pinned,
                PinPart::To => 1 << target,
            };
        }
    }
    found
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
