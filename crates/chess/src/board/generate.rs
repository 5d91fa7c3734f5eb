//! Move generation.

use shakmaty::{Bitboard, CastlingSide, Color, Position, Rank, Role, Square, attacks};

use super::{Board, beside, castled, is_last_rank, only};
use crate::moves::{Move, MoveKind, MoveList};

/// The promotion pieces, in the order in which moves are listed.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Board {
    /// All legal moves, without the null move.
    pub fn legal_moves(&self) -> MoveList {
        match &self.rules {
            Some(rules) => rules.legal_moves().into_iter().map(Into::into).collect(),
            None => self.moves_under(&KingSafety::of(self)),
        }
    }

    /// All pseudo-legal moves: those that may leave the king in check are included. Castling is
    /// listed only if legal. In variants other than chess these are the legal moves.
    pub fn pseudo_legal_moves(&self) -> MoveList {
        match self.rules {
            Some(_) => self.legal_moves(),
            None => self.moves_under(&KingSafety::NONE),
        }
    }

    /// True if the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        if let Some(rules) = &self.rules {
            return !rules.legal_moves().is_empty();
        }
        if self.king_can_step() {
            return true;
        }
        let safety = KingSafety::of(self);
        let can_go = |(_, _, targets): (Role, Square, Bitboard)| targets.any();
        if self.piece_targets(&safety).any(can_go) {
            return true;
        }
        let mut moves = MoveList::new();
        self.pawn_moves(&mut moves);
        self.castling_moves(&mut moves);
        moves.into_iter().any(|m| safety.allows(self, m))
    }

    /// True if the king has a square to go to. Most checked kings have one, and finding it takes
    /// less time than listing the moves of the other pieces.
    fn king_can_step(&self) -> bool {
        let us = self.turn;
        let Some(king) = self.king_of(us) else {
            return false;
        };
        let others = self.occupied() & !only(king);
        let is_safe = |to: Square| self.is_unattacked(us, to, others | only(to), !only(to));
        let mut targets = (on_lines(Role::King, king) & !self.by_color(us)).into_iter();
        targets.any(is_safe)
    }

    fn moves_under(&self, safety: &KingSafety) -> MoveList {
        let mut moves = MoveList::new();
        self.pawn_moves(&mut moves);
        moves.retain(|m| safety.allows(self, *m));
        for (role, from, targets) in self.piece_targets(safety) {
            moves.extend(targets.into_iter().map(|to| Move::plain(role, from, to)));
        }
        self.castling_moves(&mut moves);
        moves
    }

    /// The targets of each piece other than pawns.
    fn piece_targets<'a>(
        &'a self,
        safety: &'a KingSafety,
    ) -> impl Iterator<Item = (Role, Square, Bitboard)> + 'a {
        let us = self.turn;
        let roles = [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ];
        let pieces = roles.into_iter().flat_map(move |role| {
            self.by_piece(role.of(us))
                .into_iter()
                .map(move |from| (role, from))
        });
        pieces.map(move |(role, from)| {
            let reach = attacks::attacks(from, role.of(us), self.occupied()) & !self.by_color(us);
            (role, from, safety.among(self, role, from, reach))
        })
    }

    /// True if the move is legal. The null move is legal; in variants it is illegal in check.
    pub fn is_legal(&self, m: Move) -> bool {
        if m.is_null() {
            return self.rules.is_none() || self.passed().is_some();
        }
        if self.rules.is_some() {
            return self
                .move_to_shakmaty(m)
                .is_some_and(|m| self.rules_allow(m));
        }
        self.is_pseudo_legal(m) && KingSafety::of(self).allows(self, m)
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        let (from, to) = (m.source(), m.target());
        let ours = |role: Role| self.by_piece(role.of(self.turn)).contains(from);
        match m.kind() {
            MoveKind::Plain(Role::Pawn) | MoveKind::Promotion(_) | MoveKind::EnPassant => {
                let mut moves = MoveList::new();
                self.pawn_moves(&mut moves);
                moves.contains(&m)
            }
            MoveKind::Plain(role) => {
                let reach = attacks::attacks(from, role.of(self.turn), self.occupied());
                ours(role) && (reach & !self.by_color(self.turn)).contains(to)
            }
            MoveKind::Castling => ours(Role::King) && self.may_castle_with(from, to),
            MoveKind::Drop(_) | MoveKind::Null => false,
        }
    }

    fn pawn_moves(&self, moves: &mut MoveList) {
        let (us, empty) = (self.turn, !self.occupied());
        let pawns = self.by_piece(us.pawn());
        let (forward, start) = (us.fold_wb(8, -8), us.relative_rank(Rank::Third));
        let single = pawns.shift(forward) & empty;
        let double = (single & Bitboard::from(start)).shift(forward) & empty;
        for to in single {
            push_pawn_move(moves, us, back(us, to, 1), to);
        }
        for to in double {
            moves.push(Move::plain(Role::Pawn, back(us, to, 2), to));
        }
        for from in pawns {
            for to in attacks::pawn_attacks(us, from) & self.by_color(!us) {
                push_pawn_move(moves, us, from, to);
            }
        }
        if let Some(to) = self.ep {
            let takers = attacks::pawn_attacks(!us, to) & pawns;
            moves.extend(takers.into_iter().map(|from| Move::en_passant(from, to)));
        }
    }

    fn castling_moves(&self, moves: &mut MoveList) {
        let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
        moves.extend(
            sides
                .into_iter()
                .filter_map(|side| self.castling_move(side)),
        );
    }

    /// The castling move on one side, if legal.
    pub(super) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        if (self.castling & self.by_color(self.turn)).is_empty() {
            return None;
        }
        let (king, rook) = (
            self.king_of(self.turn)?,
            self.castling_rook(self.turn, side)?,
        );
        self.may_castle_with(king, rook)
            .then(|| Move::castling(king, rook))
    }

    fn may_castle_with(&self, king: Square, rook: Square) -> bool {
        if !(self.castling & self.by_color(self.turn)).contains(rook) {
            return false;
        }
        let (king_to, rook_to) = castled(king, rook);
        let others = self.occupied() & !(only(king) | only(rook));
        let walk = attacks::between(king, king_to) | only(king_to);
        let path = walk | attacks::between(rook, rook_to) | only(rook_to);
        let is_safe =
            |square, occupied| self.is_unattacked(self.turn, square, occupied, Bitboard::FULL);
        // On the way the castling rook still shields the king; at the end it is on another square.
        (others & path).is_empty()
            && (walk | only(king))
                .into_iter()
                .all(|sq| is_safe(sq, others | only(rook)))
            && is_safe(king_to, others | only(rook_to))
    }

    /// The en-passant square, if a capture there is legal.
    pub(super) fn legal_en_passant(&self) -> Option<Square> {
        let to = self.ep?;
        let takers = attacks::pawn_attacks(!self.turn, to) & self.by_piece(self.turn.pawn());
        takers
            .into_iter()
            .any(|from| self.is_safe_en_passant(from, to))
            .then_some(to)
    }

    /// True if the king is safe after this capture, which removes two pawns from the rank.
    pub(super) fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let gone = only(from) | only(beside(from, to));
        self.is_king_safe((self.occupied() & !gone) | only(to), !gone)
    }

    /// True if none of `enemies` attacks the king, for a given set of occupied squares.
    #[inline(always)]
    pub(super) fn is_king_safe(&self, occupied: Bitboard, enemies: Bitboard) -> bool {
        let king = self.king_of(self.turn);
        king.is_none_or(|king| self.is_unattacked(self.turn, king, occupied, enemies))
    }

    /// True if none of `enemies` attacks the square of this side, for a given set of occupied
    /// squares.
    ///
    /// Few sliders are on a line with the square. Testing them costs less than computing sliding
    /// attacks from the square. Whether there is one is unpredictable, so one is tested in any case.
    #[inline(always)]
    pub(super) fn is_unattacked(
        &self,
        us: Color,
        square: Square,
        occupied: Bitboard,
        enemies: Bitboard,
    ) -> bool {
        let enemies = enemies & self.by_color(!us);
        let near = |role| on_lines(role, square) & self.by_role(role);
        let pawns = pawn_captures(!us, square) & self.by_role(Role::Pawn);
        let leapers = (near(Role::Knight) | near(Role::King) | pawns) & enemies;
        let sliders = self.sliders_on_lines(square) & enemies;
        let is_blocked = |slider| is_blocked(square, slider, occupied);
        let first_attacks = sliders.any() & !is_blocked(lowest(sliders));
        !(leapers.any() | first_attacks) && sliders.without_first().into_iter().all(is_blocked)
    }

    /// The bishops, rooks and queens of both sides that attack the square on an empty board.
    #[inline]
    fn sliders_on_lines(&self, square: Square) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        ((self.by_role(Role::Rook) | queens) & on_lines(Role::Rook, square))
            | ((self.by_role(Role::Bishop) | queens) & on_lines(Role::Bishop, square))
    }
}

/// True if a square between these two is occupied.
#[inline(always)]
pub(super) fn is_blocked(from: Square, to: Square, occupied: Bitboard) -> bool {
    (BETWEEN[from.to_usize() & 63][to.to_usize() & 63] & occupied).any()
}

static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut at = 0;
    while at < 64 * 64 {
        let (from, to) = (Square::new(at as u32 / 64), Square::new(at as u32 % 64));
        between[at / 64][at % 64] = attacks::between(from, to);
        at += 1;
    }
    between
};

/// The first square of a set; any square if it is empty.
#[inline(always)]
pub(super) fn lowest(squares: Bitboard) -> Square {
    Square::new(squares.0.trailing_zeros() & 63)
}

/// The attacks of a piece other than a pawn on an empty board.
#[inline]
pub(super) fn on_lines(role: Role, square: Square) -> Bitboard {
    LINES[role as usize & 7][square.to_usize() & 63]
}

/// The squares from which a pawn of this colour attacks the square.
#[inline]
fn pawn_captures(color: Color, square: Square) -> Bitboard {
    LINES[CAPTURES as usize + color.is_black() as usize][square.to_usize() & 63]
}

/// The rows of pawn moves in [`LINES`], White's before Black's.
pub(super) const PUSHES: u8 = 8;
pub(super) const CAPTURES: u8 = 10;

/// The squares from which a square can be reached on an empty board: by the pieces other than pawns,
/// in the row of their number, and by pawns.
pub(super) static LINES: [[Bitboard; 64]; 16] = {
    let mut lines = [[Bitboard::EMPTY; 64]; 16];
    let (pushes, captures) = (PUSHES as usize, CAPTURES as usize);
    let mut square = 0;
    while square < 64 {
        let at = Square::new(square as u32);
        lines[Role::Knight as usize][square] = attacks::knight_attacks(at);
        lines[Role::Bishop as usize][square] = attacks::bishop_attacks(at, Bitboard::EMPTY);
        lines[Role::Rook as usize][square] = attacks::rook_attacks(at, Bitboard::EMPTY);
        lines[Role::Queen as usize][square] = attacks::queen_attacks(at, Bitboard::EMPTY);
        lines[Role::King as usize][square] = attacks::king_attacks(at);
        lines[pushes][square] = Bitboard(only(at).0 >> 8 | (only(at).0 & FOURTH_RANK) >> 16);
        lines[pushes + 1][square] = Bitboard(only(at).0 << 8 | (only(at).0 & FIFTH_RANK) << 16);
        lines[captures][square] = attacks::pawn_attacks(Color::Black, at);
        lines[captures + 1][square] = attacks::pawn_attacks(Color::White, at);
        square += 1;
    }
    lines
};

const FOURTH_RANK: u64 = 0xff << 24;
const FIFTH_RANK: u64 = 0xff << 32;

/// Checks and pins: decides which moves leave the king safe without playing them.
struct KingSafety {
    king: Option<Square>,
    /// Targets with which a piece other than the king answers a check; all squares without check.
    answers: Bitboard,
    /// Pieces that are the only one between the king and an enemy slider.
    pinned: Bitboard,
}

impl KingSafety {
    /// No king: all moves are safe.
    const NONE: KingSafety = KingSafety {
        king: None,
        answers: Bitboard::FULL,
        pinned: Bitboard::EMPTY,
    };

    fn of(board: &Board) -> KingSafety {
        let Some(king) = board.king_of(board.turn) else {
            return KingSafety::NONE;
        };
        let checkers = board.attackers(king, !board.turn, board.occupied());
        let answers = match checkers.single_square() {
            Some(checker) => attacks::between(king, checker) | checkers,
            None if checkers.any() => Bitboard::EMPTY,
            None => Bitboard::FULL,
        };
        KingSafety {
            king: Some(king),
            answers,
            pinned: pinned(board, king),
        }
    }

    /// The targets that leave the king safe.
    fn among(&self, board: &Board, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let Some(king) = self.king else {
            return targets;
        };
        if role == Role::King {
            let occupied = board.occupied() & !only(king);
            let safe = |to: &Square| board.attackers(*to, !board.turn, occupied).is_empty();
            return targets.into_iter().filter(safe).collect();
        }
        if self.pinned.contains(from) {
            targets & self.answers & attacks::ray(king, from)
        } else {
            targets & self.answers
        }
    }

    fn allows(&self, board: &Board, m: Move) -> bool {
        match (m.kind(), m.role()) {
            (MoveKind::Castling, _) => true, // generated only if legal
            (MoveKind::EnPassant, _) => {
                self.king.is_none() || board.is_safe_en_passant(m.source(), m.target())
            }
            (_, Some(role)) => self.among(board, role, m.source(), only(m.target())).any(),
            (_, None) => false,
        }
    }
}

fn pinned(board: &Board, king: Square) -> Bitboard {
    let snipers = board.sliders_on_lines(king) & board.by_color(!board.turn);
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers {
        let blockers = attacks::between(king, sniper) & board.occupied();
        if !blockers.more_than_one() {
            pinned |= blockers;
        }
    }
    pinned & board.by_color(board.turn)
}

/// The square `ranks` ranks behind, from this side's point of view.
#[inline]
pub(super) fn back(us: Color, square: Square, ranks: u32) -> Square {
    let square = square.to_u32();
    let behind = match us {
        Color::White => square.wrapping_sub(8 * ranks),
        Color::Black => square.wrapping_add(8 * ranks),
    };
    Square::new(behind & 63)
}

fn push_pawn_move(moves: &mut MoveList, us: Color, from: Square, to: Square) {
    if is_last_rank(us, to) {
        moves.extend(PROMOTIONS.map(|role| Move::promotion(from, to, role)));
    } else {
        moves.push(Move::plain(Role::Pawn, from, to));
    }
}
