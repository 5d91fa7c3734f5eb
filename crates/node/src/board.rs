//! Boards with their history.

use std::cell::RefCell;

use chess::pgn::Game;
use chess::{Board, BoardStack, CastlingSide, Color, Square, Variant};
use napi::bindgen_prelude::{External, Result, Uint32Array};
use napi_derive::napi;

use crate::game::{GameHandle, handle as game_handle, node_of, read_fen};
use crate::moves::{self, invalid};

/// A board that JavaScript owns.
pub type BoardHandle = External<RefCell<BoardStack>>;

fn handle(board: BoardStack) -> BoardHandle {
    let size = 400 + 200 * board.moves().len();
    External::new_with_size_hint(RefCell::new(board), size)
}

/// The position of a FEN.
#[napi(catch_unwind)]
pub fn new_board(fen: String) -> Result<BoardHandle> {
    Ok(handle(BoardStack::new(read_fen(&fen, None)?)))
}

/// The position of a node, with the moves that lead to it.
#[napi(catch_unwind)]
pub fn board_of(game: &GameHandle, id: u32) -> Result<BoardHandle> {
    let game = game.borrow();
    let id = node_of(&game, id)?;
    Ok(handle(BoardStack::new(game.board_at(id))))
}

/// A copy with its history.
#[napi(catch_unwind)]
pub fn copy_board(board: &BoardHandle) -> BoardHandle {
    handle(board.borrow().clone())
}

/// Replaces the position, in the same variant, and clears the history.
#[napi(catch_unwind)]
pub fn board_set_fen(board: &BoardHandle, fen: String) -> Result<()> {
    let variant = variant_of(&board.borrow());
    *board.borrow_mut() = BoardStack::new(read_fen(&fen, variant)?);
    Ok(())
}

/// Standard chess is not insisted on: a FEN with a pocket makes it Crazyhouse.
fn variant_of(board: &Board) -> Option<Variant> {
    Some(board.variant()).filter(|variant| *variant != Variant::Standard)
}

/// Sets the starting position of the variant and clears the history.
#[napi(catch_unwind)]
pub fn board_reset(board: &BoardHandle) {
    let variant = board.borrow().variant();
    *board.borrow_mut() = BoardStack::new(Board::for_variant(variant));
}

/// A game that starts from a position.
#[napi(catch_unwind)]
pub fn game_of_board(board: &BoardHandle) -> GameHandle {
    game_handle(Game::from_board(board.borrow().board().clone()))
}

/// The position as FEN.
#[napi(catch_unwind)]
pub fn board_fen(board: &BoardHandle) -> String {
    board.borrow().fen()
}

/// Numbers that describe the position: side to move (1: White), castling rights, en-passant square
/// (64: none), half-move clock, move number.
#[napi(catch_unwind)]
pub fn board_state(board: &BoardHandle) -> Vec<u32> {
    let board = board.borrow();
    let turn = u32::from(board.turn() == Color::White);
    let passed = board.passed_square().map_or(64, u32::from);
    let rights = castling_rights(&board);
    vec![turn, rights, passed, board.halfmoves(), board.fullmoves()]
}

/// 1, 2: White on the king's and queen's side; 4, 8: Black.
fn castling_rights(board: &Board) -> u32 {
    let sides = [
        (Color::White, CastlingSide::KingSide),
        (Color::White, CastlingSide::QueenSide),
        (Color::Black, CastlingSide::KingSide),
        (Color::Black, CastlingSide::QueenSide),
    ];
    let rights = sides.into_iter().zip([1, 2, 4, 8]);
    let rights = rights.filter(|&((color, side), _)| board.castling_rook(color, side).is_some());
    rights.map(|(_, bit)| bit).sum()
}

/// The piece on a square: its type, plus 8 if it is white; 0 if there is none.
#[napi(catch_unwind)]
pub fn board_piece(board: &BoardHandle, square: u32) -> Result<u32> {
    let square = Square::try_from(square).map_err(|_| invalid("not a square (0 to 63)"))?;
    let piece = board.borrow().piece_at(square);
    Ok(piece.map_or(0, |piece| {
        u32::from(piece.role) + if piece.color == Color::White { 8 } else { 0 }
    }))
}

/// Plays a legal move.
#[napi(catch_unwind)]
pub fn board_push(board: &BoardHandle, packed: u32) -> Result<()> {
    let mut board = board.borrow_mut();
    let mv = moves::find(&board, packed)?;
    board.push(mv);
    Ok(())
}

/// Takes the last move back.
#[napi(catch_unwind)]
pub fn board_pop(board: &BoardHandle) -> Option<u32> {
    let mut board = board.borrow_mut();
    let mv = board.pop()?;
    Some(moves::pack(&board, mv))
}

/// Reads a move in SAN.
#[napi(catch_unwind)]
pub fn board_parse_san(board: &BoardHandle, san: String) -> Result<u32> {
    let board = board.borrow();
    match board.parse_san(&san) {
        Ok(mv) => Ok(moves::pack(&board, mv)),
        Err(error) => Err(invalid(&format!("{san}: {error} in {}", board.fen()))),
    }
}

/// Reads a move in UCI notation.
#[napi(catch_unwind)]
pub fn board_parse_uci(board: &BoardHandle, uci: String) -> Result<u32> {
    let board = board.borrow();
    match board.parse_uci(&uci) {
        Ok(mv) => Ok(moves::pack(&board, mv)),
        Err(error) => Err(invalid(&format!("{uci}: {error} in {}", board.fen()))),
    }
}

/// A legal move in SAN.
#[napi(catch_unwind)]
pub fn board_san(board: &BoardHandle, packed: u32) -> Result<String> {
    let board = board.borrow();
    let mv = moves::find(&board, packed)?;
    Ok(board.san(mv).to_string())
}

/// All legal moves.
#[napi(catch_unwind)]
pub fn board_legal_moves(board: &BoardHandle) -> Uint32Array {
    let board = board.borrow();
    let legal = board.legal_moves();
    let legal: Vec<u32> = legal.iter().map(|&mv| moves::pack(&board, mv)).collect();
    Uint32Array::new(legal)
}

/// True if the move is legal.
#[napi(catch_unwind)]
pub fn board_is_legal(board: &BoardHandle, packed: u32) -> bool {
    let mv = moves::find(&board.borrow(), packed);
    mv.is_ok_and(|mv| !mv.is_null())
}

/// A legal move as UCI writes it on this board: castling in Chess960 goes to the rook's square.
#[napi(catch_unwind)]
pub fn board_uci(board: &BoardHandle, packed: u32) -> Result<String> {
    let board = board.borrow();
    let mv = moves::find(&board, packed)?;
    Ok(board.uci(mv).to_string())
}

/// Facts about the position: check 1, checkmate 2, stalemate 4, insufficient material 8, end of the
/// game 16.
#[napi(catch_unwind)]
pub fn board_status(board: &BoardHandle) -> u32 {
    let board = board.borrow();
    let facts = [
        board.is_check(),
        board.is_checkmate(),
        board.is_stalemate(),
        board.is_insufficient_material(),
        board.outcome().is_some(),
    ];
    let facts = facts.into_iter().zip([1, 2, 4, 8, 16]);
    facts.filter(|&(is, _)| is).map(|(_, bit)| bit).sum()
}
