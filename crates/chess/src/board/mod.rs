//! A chess position: pieces, legal moves, playing moves.
//!
//! Standard chess and Chess960 use this module's own rules, which resolve a move from its target
//! square. The other variants use shakmaty; its pieces are mirrored here, so looking at a board
//! costs the same in all variants.

mod fen;
mod generate;
mod key;
mod outcome;
mod print;
mod resolve;
mod san;
mod sets;

use std::fmt;

use shakmaty::variant::VariantPosition;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Color, EnPassantMode, Piece, Position, Rank, Role,
    Square, attacks,
};

use crate::moves::{Move, MoveKind, king_file, rook_file};
use crate::uci::UciError;
use crate::variant::Variant;

use generate::lowest;
use sets::replaced;

pub use fen::{FenError, FenWarning};
pub use key::{Identity, KeyedBoard};
pub use outcome::{Outcome, Termination};
pub(crate) use print::ShortText;
pub(crate) use resolve::Word;
pub use san::SanError;

/// A position with its counters, without history.
///
/// Boards are small and cheap to clone. To take moves back use a
/// [`BoardStack`](crate::BoardStack), or a [`Cursor`](crate::pgn::Cursor) in a game.
///
/// # Equality
/// Two boards are equal if variant, pieces, side to move, castling rights, counters and the
/// [passed square](Board::passed_square) are equal. For "the same position" in the sense of
/// repetition and transposition compare [`Board::key`].
///
/// ```
/// # use gametree_chess::Board;
/// let mut board = Board::new();
/// for san in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"] {
///     board.play_san(san)?;
/// }
/// assert!(board.is_checkmate());
/// # Ok::<(), gametree_chess::SanError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    /// White's pieces at 0, Black's at 7, the pieces of each role at the role's number. With eight
    /// elements an index of three bits needs no bounds check.
    sets: [Bitboard; 8],
    /// The rooks that may still castle.
    castling: Bitboard,
    halfmoves: u32,
    fullmoves: u32,
    /// The square a pawn passed in the last move, even if no capture is possible there.
    ep: Option<Square>,
    turn: Color,
    chess960: bool,
    /// The position in shakmaty, for all variants except chess and Chess960.
    rules: Option<Box<VariantPosition>>,
}

#[inline]
const fn set_of(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

/// Which of a board's sets contain a piece, by colour and role: all squares or none.
static SETS_OF: [[[Bitboard; 8]; 8]; 2] = {
    let mut sets_of = [[[Bitboard::EMPTY; 8]; 8]; 2];
    let mut role = 0;
    while role < 8 {
        sets_of[set_of(Color::White) & 1][role][set_of(Color::White)] = Bitboard::FULL;
        sets_of[set_of(Color::Black) & 1][role][set_of(Color::Black)] = Bitboard::FULL;
        sets_of[0][role][role] = Bitboard::FULL;
        sets_of[1][role][role] = Bitboard::FULL;
        role += 1;
    }
    sets_of
};

/// All squares or none.
#[inline]
const fn all_if(condition: bool) -> Bitboard {
    Bitboard(0u64.wrapping_sub(condition as u64))
}

/// A square as a set.
#[inline]
const fn only(square: Square) -> Bitboard {
    Bitboard(1 << square as u32)
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({:?} {})", self.variant(), self.fen())
    }
}

/// Construction.
impl Board {
    /// The starting position of chess.
    pub fn new() -> Board {
        let (roles, colors) = shakmaty::Board::new().into_bitboards();
        Board {
            sets: sets(&roles, &colors),
            castling: Bitboard::CORNERS,
            halfmoves: 0,
            fullmoves: 1,
            ep: None,
            turn: Color::White,
            chess960: false,
            rules: None,
        }
    }

    /// The starting position of a variant; that of chess for Chess960.
    pub fn for_variant(variant: Variant) -> Board {
        match variant {
            Variant::Standard => Board::new(),
            Variant::Chess960 => Board {
                chess960: true,
                ..Board::new()
            },
            _ => Board::from_rules(VariantPosition::new(variant.rules())),
        }
    }

    fn from_rules(rules: VariantPosition) -> Board {
        let mut board = Board {
            rules: Some(Box::new(rules)),
            ..Board::new()
        };
        board.mirror_rules();
        board
    }

    /// The same position with the other side to move, which need not be legal.
    pub(crate) fn with_other_turn(&self) -> Board {
        Board {
            turn: !self.turn,
            ..self.clone()
        }
    }

    /// Copies the state of shakmaty's position into the board's own fields.
    fn mirror_rules(&mut self) {
        let Some(rules) = &self.rules else { return };
        let (roles, colors) = rules.board().clone().into_bitboards();
        self.sets = sets(&roles, &colors);
        self.castling = rules.castles().castling_rights();
        self.chess960 = rules.castles().mode() == CastlingMode::Chess960;
        self.halfmoves = rules.halfmoves();
        self.fullmoves = rules.fullmoves().get();
        self.ep = rules.ep_square(EnPassantMode::Always);
        self.turn = rules.turn();
    }
}

fn sets(roles: &shakmaty::ByRole<Bitboard>, colors: &shakmaty::ByColor<Bitboard>) -> [Bitboard; 8] {
    let mut sets = [Bitboard::EMPTY; 8];
    for color in Color::ALL {
        sets[set_of(color)] = *colors.get(color);
    }
    for role in Role::ALL {
        sets[role as usize & 7] = *roles.get(role);
    }
    sets
}

/// Queries.
impl Board {
    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The full-move number, at least 1.
    #[inline]
    pub const fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// The half-move number computed from full-move number and side to move: 0 for White's first move.
    #[inline]
    pub const fn ply(&self) -> u32 {
        let black = matches!(self.turn, Color::Black) as u32;
        self.fullmoves
            .saturating_sub(1)
            .saturating_mul(2)
            .saturating_add(black)
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        match &self.rules {
            Some(rules) => Variant::from_rules(rules.variant()),
            None if self.chess960 => Variant::Chess960,
            None => Variant::Standard,
        }
    }

    /// True if castling follows Chess960 (in any variant).
    #[inline]
    pub const fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sets[0] | self.sets[7]
    }

    /// The pieces of one colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.sets[set_of(color)]
    }

    /// The pieces of one role, of both colours.
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.sets[role as usize & 7]
    }

    /// The pieces of one role and colour.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.by_role(piece.role) & self.by_color(piece.color)
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let color = Color::from_white(self.sets[0].contains(square));
        Some(Piece { color, role })
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|&role| self.by_role(role).contains(square))
    }

    /// The king of one colour; `None` if there is none (or several, in Antichess).
    #[inline]
    pub fn king_of(&self, color: Color) -> Option<Square> {
        self.by_piece(color.king()).single_square()
    }

    /// The rooks with castling rights.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The rook with castling rights on one side.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king_of(color)?;
        let rooks = self.castling & self.by_color(color);
        rooks
            .into_iter()
            .find(|&rook| CastlingSide::from_king_side(king < rook) == side)
    }

    /// The square a pawn passed in the last move, even if no capture is possible there.
    #[inline]
    pub const fn passed_square(&self) -> Option<Square> {
        self.ep
    }

    /// The en-passant square if a capture there is legal.
    pub fn en_passant(&self) -> Option<Square> {
        match &self.rules {
            Some(rules) => rules.ep_square(EnPassantMode::Legal),
            None => self.legal_en_passant(),
        }
    }

    /// The pieces in both pockets (Crazyhouse); `None` in other variants.
    pub fn pockets(&self) -> Option<&shakmaty::ByColor<shakmaty::ByRole<u8>>> {
        self.rules.as_ref()?.pockets()
    }

    /// The remaining checks of each side (Three-check); `None` in other variants.
    pub fn remaining_checks(&self) -> Option<&shakmaty::ByColor<shakmaty::RemainingChecks>> {
        self.rules.as_ref()?.remaining_checks()
    }

    /// The squares attacked by the piece on a square.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let attacked = |piece| attacks::attacks(square, piece, self.occupied());
        self.piece_at(square).map_or(Bitboard::EMPTY, attacked)
    }

    /// The pieces of one colour that attack a square, for a given set of occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        self.by_color(color)
            & ((attacks::rook_attacks(square, occupied) & (self.by_role(Role::Rook) | queens))
                | (attacks::bishop_attacks(square, occupied)
                    & (self.by_role(Role::Bishop) | queens))
                | (attacks::knight_attacks(square) & self.by_role(Role::Knight))
                | (attacks::king_attacks(square) & self.by_role(Role::King))
                | (attacks::pawn_attacks(!color, square) & self.by_role(Role::Pawn)))
    }

    /// The pieces that give check.
    pub fn checkers(&self) -> Bitboard {
        if let Some(rules) = &self.rules {
            return rules.checkers();
        }
        self.king_of(self.turn)
            .map_or(Bitboard::EMPTY, |king| self.checkers_of(king))
    }

    /// Most sliders are not on a line with the king. That test is cheaper than computing their
    /// attacks.
    fn checkers_of(&self, king: Square) -> Bitboard {
        let theirs = self.by_color(!self.turn);
        let queens = self.by_role(Role::Queen);
        let straight = theirs & (self.by_role(Role::Rook) | queens);
        let diagonal = theirs & (self.by_role(Role::Bishop) | queens);
        let mut checkers = theirs
            & ((attacks::knight_attacks(king) & self.by_role(Role::Knight))
                | (attacks::king_attacks(king) & self.by_role(Role::King))
                | (attacks::pawn_attacks(self.turn, king) & self.by_role(Role::Pawn)));
        if (attacks::rook_attacks(king, Bitboard::EMPTY) & straight).any() {
            checkers |= attacks::rook_attacks(king, self.occupied()) & straight;
        }
        if (attacks::bishop_attacks(king, Bitboard::EMPTY) & diagonal).any() {
            checkers |= attacks::bishop_attacks(king, self.occupied()) & diagonal;
        }
        checkers
    }

    /// True if the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// True if the move is a capture.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        match m.kind() {
            MoveKind::EnPassant => true,
            MoveKind::Plain(_) | MoveKind::Promotion(_) => self.occupied().contains(m.target()),
            MoveKind::Castling | MoveKind::Drop(_) | MoveKind::Null => false,
        }
    }

    /// The captured piece and its square.
    pub fn captured(&self, m: Move) -> Option<(Square, Role)> {
        match m.kind() {
            MoveKind::EnPassant => Some((beside(m.source(), m.target()), Role::Pawn)),
            MoveKind::Plain(_) | MoveKind::Promotion(_) => {
                Some((m.target(), self.role_at(m.target())?))
            }
            MoveKind::Castling | MoveKind::Drop(_) | MoveKind::Null => None,
        }
    }

    /// The position as a shakmaty type; `None` if shakmaty rejects it (see [`FenWarning`]).
    pub fn to_shakmaty(&self) -> Option<VariantPosition> {
        if let Some(rules) = &self.rules {
            return Some((**rules).clone());
        }
        let mode = CastlingMode::from_chess960(self.chess960);
        fen::variant_position(self.variant(), self.setup(), mode).ok()
    }

    /// A move as a shakmaty type; `None` for the null move.
    pub fn move_to_shakmaty(&self, m: Move) -> Option<shakmaty::Move> {
        use shakmaty::Move as M;
        let (from, to) = (m.source(), m.target());
        let capture = self.captured(m).map(|(_, role)| role);
        Some(match m.kind() {
            MoveKind::Plain(role) => M::Normal {
                role,
                from,
                capture,
                to,
                promotion: None,
            },
            MoveKind::Promotion(role) => M::Normal {
                role: Role::Pawn,
                from,
                capture,
                to,
                promotion: Some(role),
            },
            MoveKind::Castling => M::Castle {
                king: from,
                rook: to,
            },
            MoveKind::EnPassant => M::EnPassant { from, to },
            MoveKind::Drop(role) => M::Put { role, to },
            MoveKind::Null => return None,
        })
    }
}

/// The error of [`Board::play_checked`]: the rules do not allow the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {}", self.0.uci())
    }
}

impl std::error::Error for IllegalMove {}

/// Playing moves.
impl Board {
    /// Plays a legal move or the null move.
    ///
    /// The move is not checked. An illegal move results in a meaningless position, but never in a
    /// panic; see [`Board::play_checked`].
    #[inline]
    pub fn play(&mut self, m: Move) {
        match self.rules {
            None => self.play_chess(m),
            Some(_) => self.play_variant(m),
        }
    }

    /// Plays a move if it is legal. The null move is legal, even in check; in variants it is
    /// illegal in check.
    pub fn play_checked(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove(m));
        }
        self.play(m);
        Ok(())
    }

    /// Reads a move in SAN as [`Board::parse_san`] does, and plays it.
    #[inline]
    pub fn play_san(&mut self, san: impl AsRef<[u8]>) -> Result<Move, SanError> {
        let m = self.parse_san(san)?;
        self.play(m);
        Ok(m)
    }

    /// Reads a move in UCI notation as [`Board::parse_uci`] does, and plays it.
    pub fn play_uci(&mut self, uci: impl AsRef<[u8]>) -> Result<Move, UciError> {
        let m = self.parse_uci(uci)?;
        self.play(m);
        Ok(m)
    }

    /// Plays a move of the piece on `from` that is not a promotion.
    #[inline(always)]
    fn play_plain(&mut self, us: Color, role: Role, from: Bitboard, to: Square) {
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.carry(us, role, role, from, to);
        self.turn = !us;
        self.fullmoves = self.fullmoves.saturating_add(us.is_black() as u32);
    }

    /// The same with the position after the move on another board; both without rules of a variant.
    /// To write it there costs no more than to change this board, and this one need not be copied.
    #[inline(always)]
    fn play_plain_on(&self, next: &mut Board, us: Color, role: Role, from: Bitboard, to: Square) {
        debug_assert!(self.rules.is_none() && next.rules.is_none());
        debug_assert!(next.turn == !us && next.chess960 == self.chess960);
        let carried = self.carried(us, role, role, from, to);
        next.fullmoves = self.fullmoves.saturating_add(us.is_black() as u32);
        next.halfmoves = self.halfmoves.saturating_add(1) * u32::from(!carried.is_final);
        next.ep = carried.ep;
        next.castling = carried.castling;
        next.sets = carried.sets;
    }

    /// Plays a legal move or the null move on another board, which has the other side to move.
    #[inline]
    pub(crate) fn play_on(&self, next: &mut Board, m: Move) {
        match m.kind() {
            MoveKind::Plain(role) if self.rules.is_none() => {
                self.play_plain_on(next, self.turn, role, only(m.source()), m.target());
            }
            _ => {
                next.clone_from(self);
                next.play(m);
            }
        }
    }

    #[inline]
    fn play_chess(&mut self, m: Move) {
        let us = self.turn;
        if let MoveKind::Plain(role) = m.kind() {
            return self.play_plain(us, role, only(m.source()), m.target());
        }
        self.ep = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.play_special(m);
        self.turn = !us;
        self.fullmoves = self.fullmoves.saturating_add(us.is_black() as u32);
    }

    #[inline(never)]
    fn play_special(&mut self, m: Move) {
        match m.kind() {
            MoveKind::Promotion(role) => {
                self.carry(self.turn, Role::Pawn, role, only(m.source()), m.target());
            }
            MoveKind::EnPassant => {
                self.clear(only(beside(m.source(), m.target())));
                self.carry(
                    self.turn,
                    Role::Pawn,
                    Role::Pawn,
                    only(m.source()),
                    m.target(),
                );
            }
            MoveKind::Castling => self.castle(m.source(), m.target()),
            MoveKind::Plain(_) | MoveKind::Drop(_) | MoveKind::Null => {}
        }
    }

    /// Moves the piece on `from`, which becomes `becomes`; a piece on the target is captured.
    #[inline(always)]
    fn carry(&mut self, us: Color, role: Role, becomes: Role, from: Bitboard, to: Square) {
        let carried = self.carried(us, role, becomes, from, to);
        self.sets = carried.sets;
        self.castling = carried.castling;
        self.halfmoves *= u32::from(!carried.is_final);
        self.ep = carried.ep;
    }

    #[inline(always)]
    fn carried(&self, us: Color, role: Role, becomes: Role, from: Bitboard, to: Square) -> Carried {
        // No branches: the moved piece and captures are unpredictable.
        let to_set = only(to);
        let pawn = role == Role::Pawn;
        let takes = (self.occupied() & to_set).any();
        let (start, end) = (lowest(from).to_u32(), to.to_u32());
        let passed = Square::new((start + end) / 2);
        let double = pawn & (start ^ end == 16);
        let home = back_rank(us) & all_if(role == Role::King);
        let sets = &SETS_OF[set_of(us) & 1][becomes as usize & 7];
        Carried {
            sets: replaced(&self.sets, from | to_set, to_set, sets),
            castling: self.castling & !(from | to_set | home),
            ep: double.then_some(passed),
            is_final: pawn | takes,
        }
    }

    #[inline]
    fn clear(&mut self, squares: Bitboard) {
        for set in &mut self.sets {
            *set &= !squares;
        }
    }

    #[inline]
    fn castle(&mut self, king: Square, rook: Square) {
        let (king_to, rook_to) = castled(king, rook);
        self.clear(only(king) | only(rook));
        self.sets[set_of(self.turn)] |= only(king_to) | only(rook_to);
        self.sets[Role::King as usize] |= only(king_to);
        self.sets[Role::Rook as usize] |= only(rook_to);
        self.castling &= !back_rank(self.turn);
    }

    #[cold]
    fn play_variant(&mut self, m: Move) {
        if m.is_null() {
            return self.pass_variant();
        }
        let played = self.move_to_shakmaty(m).filter(|&m| self.rules_allow(m));
        if let (Some(m), Some(rules)) = (played, &mut self.rules) {
            rules.play_unchecked(m);
            self.mirror_rules();
        }
    }

    fn rules_allow(&self, m: shakmaty::Move) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.is_legal(m))
    }

    fn pass_variant(&mut self) {
        if let Some(rules) = self.passed() {
            self.rules = Some(Box::new(rules));
            self.mirror_rules();
        }
    }

    /// Shakmaty's position after a null move; `None` if the side to move is in check, because
    /// shakmaty rejects positions in which a king can be captured.
    fn passed(&self) -> Option<VariantPosition> {
        let rules = self.rules.as_ref()?;
        let mut setup = rules.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        if self.turn == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        fen::variant_position(self.variant(), setup, rules.castles().mode()).ok()
    }
}

/// What a piece changes when it goes from one square to another.
struct Carried {
    sets: [Bitboard; 8],
    castling: Bitboard,
    ep: Option<Square>,
    /// True for captures and pawn moves.
    is_final: bool,
}

/// The squares of king and rook after castling.
#[inline]
fn castled(king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::from_king_side(king < rook);
    let at = |file| Square::from_coords(file, king.rank());
    (at(king_file(side)), at(rook_file(side)))
}

/// The square next to `from` on the file of `to`: the pawn captured en passant.
#[inline]
fn beside(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

#[inline]
const fn back_rank(color: Color) -> Bitboard {
    Bitboard(match color {
        Color::White => 0xff,
        Color::Black => 0xff << 56,
    })
}

/// True if pawns of this colour promote on the square.
#[inline]
fn is_last_rank(color: Color, square: Square) -> bool {
    square.rank() == color.relative_rank(Rank::Eighth)
}
