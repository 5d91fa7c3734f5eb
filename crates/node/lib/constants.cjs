// Colours, pieces, squares, castling rights and glyphs, numbered as in python-chess.
'use strict';

const WHITE = true;
const BLACK = false;
const COLOR_NAMES = Object.freeze(['black', 'white']);

const [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING] = [1, 2, 3, 4, 5, 6];
const PIECE_NAMES = Object.freeze([null, 'pawn', 'knight', 'bishop', 'rook', 'queen', 'king']);
const PIECE_SYMBOLS = Object.freeze([null, 'p', 'n', 'b', 'r', 'q', 'k']);

const FILE_NAMES = Object.freeze([...'abcdefgh']);
const RANK_NAMES = Object.freeze([...'12345678']);
const SQUARE_NAMES = Object.freeze(RANK_NAMES.flatMap((rank) => FILE_NAMES.map((file) => file + rank)));
const SQUARES = Object.freeze(SQUARE_NAMES.map((_, square) => square));

/** A1 = 0 to H8 = 63. */
const NAMED_SQUARES = Object.fromEntries(SQUARE_NAMES.map((name, square) => [name.toUpperCase(), square]));

const CASTLING_WHITE_KINGSIDE = 1;
const CASTLING_WHITE_QUEENSIDE = 2;
const CASTLING_BLACK_KINGSIDE = 4;
const CASTLING_BLACK_QUEENSIDE = 8;
const CASTLING_WHITE = 3;
const CASTLING_BLACK = 12;
const CASTLING_ALL = 15;

const NAGS = {
  NAG_NULL: 0,
  NAG_GOOD_MOVE: 1,
  NAG_MISTAKE: 2,
  NAG_BRILLIANT_MOVE: 3,
  NAG_BLUNDER: 4,
  NAG_SPECULATIVE_MOVE: 5,
  NAG_DUBIOUS_MOVE: 6,
  NAG_FORCED_MOVE: 7,
  NAG_SINGULAR_MOVE: 8,
  NAG_WORST_MOVE: 9,
  NAG_DRAWISH_POSITION: 10,
  NAG_QUIET_POSITION: 11,
  NAG_ACTIVE_POSITION: 12,
  NAG_UNCLEAR_POSITION: 13,
  NAG_WHITE_SLIGHT_ADVANTAGE: 14,
  NAG_BLACK_SLIGHT_ADVANTAGE: 15,
  NAG_WHITE_MODERATE_ADVANTAGE: 16,
  NAG_BLACK_MODERATE_ADVANTAGE: 17,
  NAG_WHITE_DECISIVE_ADVANTAGE: 18,
  NAG_BLACK_DECISIVE_ADVANTAGE: 19,
  NAG_WHITE_ZUGZWANG: 22,
  NAG_BLACK_ZUGZWANG: 23,
  NAG_WHITE_MODERATE_COUNTERPLAY: 132,
  NAG_BLACK_MODERATE_COUNTERPLAY: 133,
  NAG_WHITE_DECISIVE_COUNTERPLAY: 134,
  NAG_BLACK_DECISIVE_COUNTERPLAY: 135,
  NAG_WHITE_MODERATE_TIME_PRESSURE: 136,
  NAG_BLACK_MODERATE_TIME_PRESSURE: 137,
  NAG_WHITE_SEVERE_TIME_PRESSURE: 138,
  NAG_BLACK_SEVERE_TIME_PRESSURE: 139,
  NAG_NOVELTY: 146,
};

const STARTING_BOARD_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const STARTING_FEN = `${STARTING_BOARD_FEN} w KQkq - 0 1`;

/** The file of a square, 0 to 7. */
function squareFile(square) {
  return square & 7;
}

/** The rank of a square, 0 to 7. */
function squareRank(square) {
  return square >> 3;
}

/** The square of a file and a rank, each 0 to 7. */
function squareFromFileRank(file, rank) {
  return rank * 8 + file;
}

/** The name of a square: `e4`. */
function squareName(square) {
  return SQUARE_NAMES[square];
}

/** The square with a name, or null. */
function parseSquare(name) {
  const square = SQUARE_NAMES.indexOf(name);
  return square < 0 ? null : square;
}

module.exports = {
  WHITE,
  BLACK,
  COLOR_NAMES,
  PAWN,
  KNIGHT,
  BISHOP,
  ROOK,
  QUEEN,
  KING,
  PIECE_NAMES,
  PIECE_SYMBOLS,
  FILE_NAMES,
  RANK_NAMES,
  SQUARE_NAMES,
  SQUARES,
  ...NAMED_SQUARES,
  CASTLING_WHITE_KINGSIDE,
  CASTLING_WHITE_QUEENSIDE,
  CASTLING_BLACK_KINGSIDE,
  CASTLING_BLACK_QUEENSIDE,
  CASTLING_WHITE,
  CASTLING_BLACK,
  CASTLING_ALL,
  ...NAGS,
  STARTING_BOARD_FEN,
  STARTING_FEN,
  squareFile,
  squareRank,
  squareFromFileRank,
  squareName,
  parseSquare,
};
