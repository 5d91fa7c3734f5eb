//! FEN and EPD: lenient reading, exact writing.

use std::fmt;
use std::num::NonZeroU32;

use arrayvec::ArrayVec;
use shakmaty::fen::Fen;
use shakmaty::variant::VariantPosition;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Color, EnPassantMode, File, FromSetup, Piece,
    PositionError, PositionErrorKinds, Rank, Role, Setup, Square,
};

use super::generate::back;
use super::{Board, back_rank, only, set_of};
use crate::variant::Variant;

/// The error of [`Board::from_fen`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// The text is empty.
    Empty,
    /// `8/8/8`: not eight ranks, but this number.
    Ranks(usize),
    /// `9/…`: this rank does not have eight squares.
    Rank(Rank),
    /// `x7/…`: not a piece letter.
    Piece(char),
    /// The side to move is neither `w` nor `b`.
    Turn(String),
    /// This side has no king.
    NoKing(Color),
    /// This side has several kings.
    ManyKings(Color),
    /// The rules of the variant do not allow the position; the reason.
    Variant(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("empty FEN"),
            FenError::Ranks(n) => write!(f, "FEN with {n} ranks instead of 8"),
            FenError::Rank(rank) => write!(f, "rank {rank} of the FEN does not have 8 squares"),
            FenError::Piece(c) => write!(f, "invalid piece {c:?} in the FEN"),
            FenError::Turn(text) => {
                write!(f, "invalid side to move {text:?} in the FEN; use w or b")
            }
            FenError::NoKing(color) => write!(f, "{color} has no king"),
            FenError::ManyKings(color) => write!(f, "{color} has several kings"),
            FenError::Variant(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FenError {}

/// A problem in a FEN that still gives a playable position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FenWarning {
    /// Invalid castling rights; ignored.
    Castling,
    /// An invalid en-passant square; ignored.
    EnPassant,
    /// Counters that are not numbers; 0 and 1 are used.
    Counters,
    /// Text after the FEN; ignored.
    ExtraText,
    /// More pieces than promotions allow.
    TooMuchMaterial,
    /// Pawns on the first or last rank.
    PawnsOnBackRank,
    /// The side that is not to move is in check.
    OppositeCheck,
    /// A check that no legal move can give.
    ImpossibleCheck,
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenWarning::Castling => "invalid castling rights ignored",
            FenWarning::EnPassant => "invalid en-passant square ignored",
            FenWarning::Counters => "invalid counters replaced by 0 and 1",
            FenWarning::ExtraText => "text after the FEN ignored",
            FenWarning::TooMuchMaterial => "more pieces than promotions allow",
            FenWarning::PawnsOnBackRank => "pawns on the first or last rank",
            FenWarning::OppositeCheck => "the side not to move is in check",
            FenWarning::ImpossibleCheck => "check that no legal move can give",
        })
    }
}

/// Reading.
impl Board {
    /// Reads a FEN. All fields after the board are optional. Castling rights are letters or rook
    /// files; they make the board a Chess960 board if necessary.
    ///
    /// ```
    /// # use gametree_chess::{Board, Variant};
    /// let board = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w", Variant::Standard)?;
    /// assert_eq!(board.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    /// # Ok::<(), gametree_chess::FenError>(())
    /// ```
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Board, FenError> {
        if variant.is_chess() {
            // without the warnings that take as long as the rest
            read_chess(fen, variant == Variant::Chess960, &mut Vec::new())
        } else {
            read_variant(fen, variant, &mut Vec::new())
        }
    }

    /// [`Board::from_fen`] with warnings.
    pub fn read_fen(fen: &str, variant: Variant) -> Result<(Board, Vec<FenWarning>), FenError> {
        let mut warnings = Vec::new();
        if !variant.is_chess() {
            let board = read_variant(fen, variant, &mut warnings)?;
            return Ok((board, warnings));
        }
        let board = read_chess(fen, variant == Variant::Chess960, &mut warnings)?;
        board.add_position_warnings(&mut warnings);
        Ok((board, warnings))
    }

    /// The Chess960 starting position with this number, 0 to 959 (518 is standard chess).
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
    Ok(board)
}

fn read_sets(placement: &str) -> Result<[Bitboard; 8], FenError> {
    match read_usual_sets(placement.as_bytes()) {
        Some(sets) => Ok(sets),
        None => read_any_sets(placement),
    }
}

/// The meaning of a byte of the first field.
#[derive(Clone, Copy)]
enum Symbol {
    Piece { color: u8, role: u8 },
    Empty(u32),
    RankEnd,
    Other,
}

static SYMBOLS: [Symbol; 256] = {
    let mut symbols = [Symbol::Other; 256];
    symbols[b'/' as usize] = Symbol::RankEnd;
    let mut number = 1;
    while number <= 8 {
        symbols[b'0' as usize + number] = Symbol::Empty(number as u32);
        number += 1;
    }
    let letters = b"pnbrqk";
    let mut role = 0;
    while role < 6 {
        let letter = letters[role];
        let (white, black) = (set_of(Color::White) as u8, set_of(Color::Black) as u8);
        role += 1;
        symbols[letter as usize] = piece(black, role);
        symbols[letter.to_ascii_uppercase() as usize] = piece(white, role);
    }
    symbols
};

const fn piece(color: u8, role: usize) -> Symbol {
    let role = role as u8;
    Symbol::Piece { color, role }
}

/// The pieces of a placement without errors and rare signs.
fn read_usual_sets(placement: &[u8]) -> Option<[Bitboard; 8]> {
    let mut sets = [0u64; 8];
    let (mut rank_start, mut file) = (56u32, 0);
    for &byte in placement {
        match SYMBOLS[usize::from(byte)] {
            Symbol::Piece { color, role } if file < 8 => {
                let square = 1 << (rank_start + file);
                sets[usize::from(color & 7)] |= square;
                sets[usize::from(role & 7)] |= square;
                file += 1;
            }
            Symbol::Empty(squares) if file < 8 => file += squares,
            Symbol::RankEnd if file == 8 => (rank_start, file) = (rank_start.checked_sub(8)?, 0),
            _ => return None,
        }
    }
    (rank_start == 0 && file == 8).then(|| sets.map(Bitboard))
}

fn read_any_sets(placement: &str) -> Result<[Bitboard; 8], FenError> {
    let ranks = placement.bytes().filter(|&byte| byte == b'/').count() + 1;
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    let mut sets = [Bitboard::EMPTY; 8];
    let mut ranks = Rank::ALL.into_iter().rev();
    let (mut rank, mut file) = (Rank::Eighth, 8);
    for c in std::iter::once('/').chain(placement.chars()) {
        match (c, Piece::from_char(c)) {
            ('/', _) if file != 8 => return Err(FenError::Rank(rank)),
            ('/', _) => (rank, file) = (ranks.next().unwrap_or(rank), 0),
            ('1'..='8', _) => file += c as usize - '0' as usize,
            ('~', _) => {} // marks a promoted piece in Crazyhouse
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
    match file {
        8 => Ok(sets),
        _ => Err(FenError::Rank(rank)),
    }
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
            .any(|color| self.castles_as_chess960(color));
        if odd || self.castling != wanted {
            warnings.push(FenWarning::Castling);
        }
    }

    /// The rook for a letter of the castling field: `K` and `Q` the outermost on that side of the
    /// king, otherwise the one on that file.
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

    /// The outermost of these rooks on one side of the king, if the king is on its first rank.
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

    /// True if this side has castling rights that standard chess does not have.
    fn castles_as_chess960(&self, color: Color) -> bool {
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

    /// True if the last move can be a double pawn push over this square.
    fn was_passed(&self, square: Square) -> bool {
        let them = !self.turn;
        let (from, to) = (back(them, square, 1), back(self.turn, square, 1));
        square.rank() == them.relative_rank(Rank::Third)
            && self.by_piece(them.pawn()).contains(to)
            && !self.occupied().contains(square)
            && !self.occupied().contains(from)
    }

    fn add_position_warnings(&self, warnings: &mut Vec<FenWarning>) {
        let mode = CastlingMode::from_chess960(self.chess960);
        if let Err(error) = shakmaty::Chess::from_setup(self.setup(), mode) {
            let kinds = error.kinds();
            let found = POSITION_WARNINGS
                .into_iter()
                .filter(|(kind, _)| kinds.contains(*kind));
            warnings.extend(found.map(|(_, warning)| warning));
        }
    }
}

const POSITION_WARNINGS: [(PositionErrorKinds, FenWarning); 4] = [
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

fn read_variant(
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
        let found = recoverable
            .into_iter()
            .chain(POSITION_WARNINGS)
            .filter(|(kind, _)| kinds.contains(*kind));
        warnings.extend(found.map(|(_, warning)| warning));
    }
    variant_position(variant, setup, mode)
        .map(Board::from_rules)
        .map_err(FenError::Variant)
}

/// Shakmaty's position, including unusual ones, or the reason why there is none.
pub(super) fn variant_position(
    variant: Variant,
    setup: Setup,
    mode: CastlingMode,
) -> Result<VariantPosition, String> {
    let position = VariantPosition::from_setup(variant.rules(), setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material);
    // In Racing Kings checks are illegal and cannot be answered.
    let position = match variant {
        Variant::RacingKings => position,
        _ => position.or_else(PositionError::ignore_impossible_check),
    };
    position.map_err(|error| error.to_string())
}

/// Writing.
impl Board {
    /// The position as FEN: six fields, more in variants. The en-passant square is written only if
    /// a capture there is legal.
    pub fn fen(&self) -> String {
        match &self.rules {
            Some(rules) => Fen::from_position(&**rules, EnPassantMode::Legal).to_string(),
            None => {
                let mut fen = self.epd();
                fen.push(' ');
                push_number(&mut fen, self.halfmoves);
                fen.push(' ');
                push_number(&mut fen, self.fullmoves);
                fen
            }
        }
    }

    /// The position as EPD: board, side, castling, en passant (and the remaining checks).
    pub fn epd(&self) -> String {
        if let Some(rules) = &self.rules {
            return shakmaty::fen::Epd::from_position(&**rules, EnPassantMode::Legal).to_string();
        }
        let mut epd = self.base_fen();
        epd.push(' ');
        match self.en_passant() {
            Some(square) => epd.extend([square.file().char(), square.rank().char()]),
            None => epd.push('-'),
        }
        epd
    }

    /// The first three fields of the FEN: board, side, castling.
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

    /// The first field of the FEN: the pieces.
    pub fn board_fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        self.push_placement(&mut fen);
        fen
    }

    fn push_placement(&self, fen: &mut String) {
        let mut squares = [0; 64];
        for role in Role::ALL {
            for square in self.by_role(role) {
                let color = Color::from_white(self.sets[0].contains(square));
                squares[square.to_usize() & 63] = role.of(color).char() as u8;
            }
        }
        // Letter by letter into a string would take most of the time of a FEN.
        let mut text = ArrayVec::<u8, 80>::new();
        for (rank, pieces) in self
            .occupied()
            .0
            .to_le_bytes()
            .into_iter()
            .enumerate()
            .rev()
        {
            if rank < 7 {
                text.push(b'/');
            }
            let (mut pieces, mut file) = (pieces, 0);
            while pieces != 0 {
                let next = pieces.trailing_zeros() as usize;
                push_empty(&mut text, next - file);
                text.push(squares[rank * 8 + next]);
                file = next + 1;
                pieces &= pieces - 1;
            }
            push_empty(&mut text, 8 - file);
        }
        fen.push_str(std::str::from_utf8(&text).unwrap_or_default());
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

fn push_empty(text: &mut ArrayVec<u8, 80>, squares: usize) {
    if squares > 0 {
        text.push(b'0' + squares as u8);
    }
}

/// Appends a number without the formatting machinery.
fn push_number(fen: &mut String, number: u32) {
    if number >= 10 {
        push_number(fen, number / 10);
    }
    fen.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_placements_are_read_like_any() {
        let placements = [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "4k3/8/2p5/1P1q1N1b/7R/8/8/K7",
            "8/8/8/8/8/8/8/8",
        ];
        let signs = "/12345678PNBRQKpnbrqk09x~é";
        for placement in placements {
            let read = |text: &str| read_usual_sets(text.as_bytes());
            assert_eq!(read(placement), read_any_sets(placement).ok());
            assert!(read(placement).is_some());
            let places = placement.char_indices().map(|(at, _)| at);
            for at in places.chain([placement.len()]) {
                for sign in signs.chars() {
                    let rest = placement.get(at + 1..).unwrap_or_default();
                    for rest in [rest, &placement[at..]] {
                        let text = format!("{}{sign}{rest}", &placement[..at]);
                        let usual = read(&text);
                        let any = read_any_sets(&text).ok();
                        assert!(usual.is_none() || usual == any, "{text}");
                        let is_usual = !text.contains('~');
                        assert!(!is_usual || usual == any, "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn boards_without_warnings_are_the_same() {
        for fen in [
            "4k3/8/8/8/8/8/4P3/4K3 w",
            "PPPPk3/8/8/8/8/8/QQQQQQQQ/QQQQK3 b KQ e3 x y z",
        ] {
            let (board, _) = Board::read_fen(fen, Variant::Standard).unwrap();
            assert_eq!(Board::from_fen(fen, Variant::Standard), Ok(board));
        }
    }
}
