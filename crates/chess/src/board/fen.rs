//! Positions in writing: FEN and EPD, read leniently and written exactly.

use std::fmt::{self, Write as _};
use std::num::NonZeroU32;

use shakmaty::fen::Fen;
use shakmaty::variant::VariantPosition;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Color, EnPassantMode, File, FromSetup, Piece,
    PositionError, PositionErrorKinds, Rank, Role, Setup, Square,
};

use super::generate::back;
use super::{Board, back_rank, only, set_of};
use crate::variant::Variant;

/// Why a FEN gives no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Nothing is written.
    Empty,
    /// `8/8/8`: so many ranks are written where eight should be.
    Ranks(usize),
    /// `9/…`: this rank has not eight squares.
    Rank(Rank),
    /// `x7/…`: no piece is written so.
    Piece(char),
    /// Neither `w` nor `b` to move.
    Turn(String),
    /// This side has no king.
    NoKing(Color),
    /// This side has several kings.
    ManyKings(Color),
    /// The rules of the variant do not allow the position; why, in words.
    Variant(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("empty FEN"),
            FenError::Ranks(n) => write!(f, "FEN with {n} ranks instead of 8"),
            FenError::Rank(rank) => write!(f, "rank {rank} of the FEN has not 8 squares"),
            FenError::Piece(c) => write!(f, "{c:?} is no piece in a FEN"),
            FenError::Turn(text) => write!(f, "FEN with {text:?} to move instead of w or b"),
            FenError::NoKing(color) => write!(f, "{color} has no king"),
            FenError::ManyKings(color) => write!(f, "{color} has several kings"),
            FenError::Variant(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FenError {}

/// Something odd about a FEN that gives a playable position all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FenWarning {
    /// Castling rights without king or rook in place, or unreadable: dropped.
    Castling,
    /// An en-passant square behind no pawn, or unreadable: dropped.
    EnPassant,
    /// Counters that are no numbers: 0 and 1 are used.
    Counters,
    /// More text than a FEN has: ignored.
    ExtraText,
    /// More pieces than promotions can explain.
    TooMuchMaterial,
    /// Pawns on the first or last rank.
    PawnsOnBackRank,
    /// The side to move could take the king.
    OppositeCheck,
    /// A check that no move can have given.
    ImpossibleCheck,
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenWarning::Castling => "castling rights without king or rook in place were dropped",
            FenWarning::EnPassant => "an en-passant square behind no pawn was dropped",
            FenWarning::Counters => "unreadable counters were taken as 0 and 1",
            FenWarning::ExtraText => "text after the FEN was ignored",
            FenWarning::TooMuchMaterial => "more pieces than promotions can explain",
            FenWarning::PawnsOnBackRank => "pawns on the first or last rank",
            FenWarning::OppositeCheck => "the side not to move is in check",
            FenWarning::ImpossibleCheck => "a check that no move can have given",
        })
    }
}

/// Reading.
impl Board {
    /// The position of a FEN. Everything after the board may be missing; castling rights may be
    /// given by letters or by the rooks' files, and make the board a Chess960 one if need be.
    ///
    /// ```
    /// # use chess::{Board, Variant};
    /// let board = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w", Variant::Standard)?;
    /// assert_eq!(board.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    /// # Ok::<(), chess::FenError>(())
    /// ```
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Board, FenError> {
        Board::read_fen(fen, variant).map(|(board, _)| board)
    }

    /// [`Board::from_fen`], also telling what is odd about it.
    pub fn read_fen(fen: &str, variant: Variant) -> Result<(Board, Vec<FenWarning>), FenError> {
        let mut warnings = Vec::new();
        let board = match variant.is_chess() {
            true => read_chess(fen, variant == Variant::Chess960, &mut warnings)?,
            false => read_refereed(fen, variant, &mut warnings)?,
        };
        Ok((board, warnings))
    }

    /// The array of Chess960 with this number, 0 to 959 (518 is that of chess).
    pub fn chess960(number: u32) -> Option<Board> {
        let setup = shakmaty::Board::chess960;
        let (roles, colors) = (number < 960).then(|| setup(number))?.into_bitboards();
        let castling = roles.rook;
        let sets = super::sets(&roles, &colors);
        Some(Board {
            sets,
            castling,
            chess960: true,
            ..Board::new()
        })
    }
}

fn read_chess(
    fen: &str,
    chess960: bool,
    warnings: &mut Vec<FenWarning>,
) -> Result<Board, FenError> {
    let mut fields = fen.split_ascii_whitespace();
    let placement = fields.next().ok_or(FenError::Empty)?;
    let mut board = Board {
        sets: read_sets(placement)?,
        chess960,
        ..Board::new()
    };
    for color in Color::ALL {
        match board.by_piece(color.king()).count() {
            0 => return Err(FenError::NoKing(color)),
            1 => {}
            _ => return Err(FenError::ManyKings(color)),
        }
    }
    board.turn = match fields.next() {
        None | Some("w" | "W") => Color::White,
        Some("b" | "B") => Color::Black,
        Some(text) => return Err(FenError::Turn(text.to_owned())),
    };
    board.read_castling(fields.next().unwrap_or("-"), warnings);
    board.read_en_passant(fields.next().unwrap_or("-"), warnings);
    board.halfmoves = read_counter(fields.next(), 0, warnings);
    board.fullmoves = read_counter(fields.next(), 1, warnings).max(1);
    if fields.next().is_some() {
        warnings.push(FenWarning::ExtraText);
    }
    board.warn_of_oddities(warnings);
    Ok(board)
}

fn read_sets(placement: &str) -> Result<[Bitboard; 8], FenError> {
    let ranks = placement.split('/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    let mut sets = [Bitboard::EMPTY; 8];
    for (text, rank) in placement.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for c in text.chars() {
            match (c, Piece::from_char(c)) {
                ('1'..='8', _) => file += c as usize - '0' as usize,
                ('~', _) => {} // after a promoted piece in Crazyhouse
                (_, None) => return Err(FenError::Piece(c)),
                (_, Some(piece)) => {
                    let at = *File::ALL.get(file).ok_or(FenError::Rank(rank))?;
                    let square = only(Square::from_coords(at, rank));
                    sets[set_of(piece.color)] |= square;
                    sets[piece.role as usize & 7] |= square;
                    file += 1;
                }
            }
        }
        if file != 8 {
            return Err(FenError::Rank(rank));
        }
    }
    Ok(sets)
}

fn read_counter(text: Option<&str>, missing: u32, warnings: &mut Vec<FenWarning>) -> u32 {
    let Some(text) = text else { return missing };
    match text.parse::<u64>() {
        Ok(number) => number.try_into().unwrap_or(u32::MAX),
        Err(_) => {
            if !warnings.contains(&FenWarning::Counters) {
                warnings.push(FenWarning::Counters);
            }
            missing
        }
    }
}

impl Board {
    fn read_castling(&mut self, text: &str, warnings: &mut Vec<FenWarning>) {
        self.castling = Bitboard::EMPTY;
        let mut wanted = Bitboard::EMPTY;
        let mut odd = false;
        for c in text.chars().filter(|&c| c != '-') {
            match self.castling_letter(c) {
                Some(rook) => wanted |= only(rook),
                None => odd = true,
            }
        }
        for color in Color::ALL {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                self.castling |= self.outermost(color, side, wanted);
            }
        }
        self.chess960 |= Color::ALL
            .into_iter()
            .any(|color| self.castles_unusually(color));
        if odd || self.castling != wanted {
            warnings.push(FenWarning::Castling);
        }
    }

    /// The rook that a letter of the castling field means: `K` and `Q` the outermost on that side
    /// of the king, otherwise the one on that file.
    fn castling_letter(&self, c: char) -> Option<Square> {
        let color = Color::from_white(c.is_ascii_uppercase());
        let rooks = self.by_piece(color.rook()) & back_rank(color);
        let rook = match c.to_ascii_lowercase() {
            'k' => self.outermost(color, CastlingSide::KingSide, rooks),
            'q' => self.outermost(color, CastlingSide::QueenSide, rooks),
            c => rooks & Bitboard::from(File::from_char(c)?),
        };
        rook.single_square()
    }

    /// The outermost of some rooks on one side of the king, if the king is on its first rank.
    fn outermost(&self, color: Color, side: CastlingSide, rooks: Bitboard) -> Bitboard {
        let rooks = rooks & back_rank(color);
        let king = self
            .king_of(color)
            .filter(|&king| back_rank(color).contains(king));
        let rook = match side {
            CastlingSide::KingSide => rooks.last().filter(|&rook| king.is_some_and(|k| k < rook)),
            CastlingSide::QueenSide => rooks.first().filter(|&rook| king.is_some_and(|k| rook < k)),
        };
        rook.map_or(Bitboard::EMPTY, only)
    }

    /// True if this side may castle, but not from the squares of standard chess.
    fn castles_unusually(&self, color: Color) -> bool {
        let rooks = self.castling & back_rank(color);
        let home = self
            .king_of(color)
            .is_some_and(|king| king.file() == File::E);
        rooks.any() && (!home || (rooks & !Bitboard::CORNERS).any())
    }

    fn read_en_passant(&mut self, text: &str, warnings: &mut Vec<FenWarning>) {
        self.ep = Square::from_ascii(text.as_bytes())
            .ok()
            .filter(|&sq| self.was_passed(sq));
        if self.ep.is_none() && text != "-" {
            warnings.push(FenWarning::EnPassant);
        }
    }

    /// True if a pawn of the side not to move may just have passed over this square.
    fn was_passed(&self, square: Square) -> bool {
        let them = !self.turn;
        let (from, to) = (back(them, square, 1), back(self.turn, square, 1));
        square.rank() == them.relative_rank(Rank::Third)
            && self.by_piece(them.pawn()).contains(to)
            && !self.occupied().contains(square)
            && !self.occupied().contains(from)
    }

    fn warn_of_oddities(&self, warnings: &mut Vec<FenWarning>) {
        let mode = CastlingMode::from_chess960(self.chess960);
        if let Err(error) = shakmaty::Chess::from_setup(self.setup(), mode) {
            let kinds = error.kinds();
            let odd = ODDITIES
                .into_iter()
                .filter(|(kind, _)| kinds.contains(*kind));
            warnings.extend(odd.map(|(_, warning)| warning));
        }
    }
}

const ODDITIES: [(PositionErrorKinds, FenWarning); 4] = [
    (
        PositionErrorKinds::TOO_MUCH_MATERIAL,
        FenWarning::TooMuchMaterial,
    ),
    (
        PositionErrorKinds::PAWNS_ON_BACKRANK,
        FenWarning::PawnsOnBackRank,
    ),
    (
        PositionErrorKinds::OPPOSITE_CHECK,
        FenWarning::OppositeCheck,
    ),
    (
        PositionErrorKinds::IMPOSSIBLE_CHECK,
        FenWarning::ImpossibleCheck,
    ),
];

fn read_refereed(
    fen: &str,
    variant: Variant,
    warnings: &mut Vec<FenWarning>,
) -> Result<Board, FenError> {
    let parsed = Fen::from_ascii(fen.trim().as_bytes());
    let setup = parsed
        .map_err(|error| FenError::Variant(error.to_string()))?
        .into_setup();
    let mode = CastlingMode::detect(&setup);
    if let Err(error) = VariantPosition::from_setup(variant.rules(), setup.clone(), mode) {
        let kinds = error.kinds();
        let recoverable = [
            (
                PositionErrorKinds::INVALID_CASTLING_RIGHTS,
                FenWarning::Castling,
            ),
            (PositionErrorKinds::INVALID_EP_SQUARE, FenWarning::EnPassant),
        ];
        let odd = recoverable.into_iter().chain(ODDITIES);
        warnings.extend(
            odd.filter(|(kind, _)| kinds.contains(*kind))
                .map(|(_, odd)| odd),
        );
    }
    referee(variant, setup, mode)
        .map(Board::refereed)
        .map_err(FenError::Variant)
}

/// The referee's position, odd or not, or in words why there is none.
pub(super) fn referee(
    variant: Variant,
    setup: Setup,
    mode: CastlingMode,
) -> Result<VariantPosition, String> {
    let position = VariantPosition::from_setup(variant.rules(), setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material);
    // In Racing Kings no check can be answered, so that a king would be taken.
    let position = match variant {
        Variant::RacingKings => position,
        _ => position.or_else(PositionError::ignore_impossible_check),
    };
    position.map_err(|error| error.to_string())
}

/// Writing.
impl Board {
    /// The position in six fields (more in variants), the en-passant square only if a capture
    /// there is legal.
    pub fn fen(&self) -> String {
        match &self.rules {
            Some(rules) => Fen::from_position(&**rules, EnPassantMode::Legal).to_string(),
            None => {
                let mut fen = self.epd();
                let _ = write!(fen, " {} {}", self.halfmoves, self.fullmoves);
                fen
            }
        }
    }

    /// The position in four fields: board, side, castling, en passant (and the remaining checks).
    pub fn epd(&self) -> String {
        if let Some(rules) = &self.rules {
            return shakmaty::fen::Epd::from_position(&**rules, EnPassantMode::Legal).to_string();
        }
        let mut epd = self.base_fen();
        epd.push(' ');
        match self.en_passant() {
            Some(square) => epd.push_str(&square.to_string()),
            None => epd.push('-'),
        }
        epd
    }

    /// The position in three fields: board, side, castling.
    pub fn base_fen(&self) -> String {
        if self.rules.is_some() {
            let epd = self.epd();
            let end = epd
                .match_indices(' ')
                .nth(2)
                .map_or(epd.len(), |(at, _)| at);
            return epd[..end].to_owned();
        }
        let mut fen = String::with_capacity(96);
        self.push_placement(&mut fen);
        fen.push_str(match self.turn {
            Color::White => " w ",
            Color::Black => " b ",
        });
        self.push_castling(&mut fen);
        fen
    }

    /// The first field of the FEN: where the pieces stand.
    pub fn board_fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        self.push_placement(&mut fen);
        fen
    }

    fn push_placement(&self, fen: &mut String) {
        let mut squares = [None; 64];
        for role in Role::ALL {
            for square in self.by_role(role) {
                let color = Color::from_white(self.sets[0].contains(square));
                squares[square.to_usize() & 63] = Some(role.of(color).char());
            }
        }
        for (i, rank) in squares.chunks(8).rev().enumerate() {
            if i > 0 {
                fen.push('/');
            }
            let mut empty = 0;
            for square in rank {
                match square {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(fen, &mut empty);
                        fen.push(*piece);
                    }
                }
            }
            push_empty(fen, &mut empty);
        }
    }

    fn push_castling(&self, fen: &mut String) {
        let before = fen.len();
        for color in [Color::White, Color::Black] {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                if let Some(rook) = self.castling_rook(color, side) {
                    let letter = self.castling_char(color, side, rook);
                    fen.push(color.fold_wb(letter.to_ascii_uppercase(), letter));
                }
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
    }

    /// `k` or `q` for the outermost rook, otherwise the file.
    fn castling_char(&self, color: Color, side: CastlingSide, rook: Square) -> char {
        let rooks = self.by_piece(color.rook());
        match side {
            _ if self.outermost(color, side, rooks) != only(rook) => rook.file().char(),
            CastlingSide::KingSide => 'k',
            CastlingSide::QueenSide => 'q',
        }
    }

    /// The position as shakmaty's unchecked setup.
    pub(super) fn setup(&self) -> Setup {
        let mut board = shakmaty::Board::empty();
        for role in Role::ALL {
            for color in Color::ALL {
                for square in self.by_piece(role.of(color)) {
                    board.set_piece_at(square, role.of(color));
                }
            }
        }
        Setup {
            board,
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.ep,
            halfmoves: self.halfmoves,
            fullmoves: NonZeroU32::new(self.fullmoves).unwrap_or(NonZeroU32::MIN),
            ..Setup::empty()
        }
    }
}

fn push_empty(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
