// Positions with their history.
'use strict';

const native = require('./native.cjs');
const { STARTING_FEN, SQUARES } = require('./constants.cjs');
const check = require('./check.cjs');
const { Piece, pack, unpack } = require('./move.cjs');

/**
 * A position in which moves can be played and taken back.
 *
 * @example
 * const { Board } = require('gametree');
 * const board = new Board();
 * board.pushSan('e4');
 * assert.equal(board.turn, false);
 * assert.equal(board.pop().uci(), 'e2e4');
 */
class Board {
  #native;
  /** The node this board was made from: `pop` goes back along its line. */
  #node = null;

  constructor(fen = STARTING_FEN) {
    this.#native = fen instanceof Board ? native.copyBoard(fen.#native) : native.newBoard(check.text(fen, 'a FEN'));
  }

  /** The position of a node. */
  static ofNode(node, game, id) {
    const board = new Board(BOARD);
    board.#native = native.boardOf(game, id);
    board.#node = node;
    return board;
  }

  /** True if White is to move. */
  get turn() {
    return this.#state()[0] === 1;
  }

  /** Castling rights as a sum of `CASTLING_WHITE_KINGSIDE` and its siblings. */
  get castlingRights() {
    return this.#state()[1];
  }

  /** The square that a pawn passed over in the last move, or null. */
  get epSquare() {
    const square = this.#state()[2];
    return square === 64 ? null : square;
  }

  /** Half-moves since the last capture or pawn move. */
  get halfmoveClock() {
    return this.#state()[3];
  }

  /** The number of the next move, as in PGN. */
  get fullmoveNumber() {
    return this.#state()[4];
  }

  #state() {
    return native.boardState(this.#native);
  }

  /** The piece on a square, or null. */
  pieceAt(square) {
    if (!SQUARES.includes(square)) throw new RangeError(`not a square: ${square}; use 0 (a1) to 63 (h8)`);
    const piece = native.boardPiece(this.#native, square);
    return piece === 0 ? null : new Piece(piece & 7, piece >= 8);
  }

  /** The square of a king, or null. */
  king(color) {
    const isKing = (square) => this.pieceAt(square)?.equals(new Piece(6, color));
    return SQUARES.find(isKing) ?? null;
  }

  /** Plays a move. Throws if it is illegal. */
  push(move) {
    native.boardPush(this.#native, pack(move));
  }

  /** Takes the last move back and returns it; null at the start of the line. */
  pop() {
    const popped = native.boardPop(this.#native);
    if (popped !== null) return unpack(popped);
    const { parent, move } = this.#node ?? {};
    if (!parent) return null;
    this.#native = parent.board().#native;
    this.#node = parent;
    return move;
  }

  /** Plays a move in SAN and returns it. Throws if it cannot be read or is illegal. */
  pushSan(san) {
    const packed = native.boardParseSan(this.#native, check.text(san, 'a move'));
    native.boardPush(this.#native, packed);
    return unpack(packed);
  }

  /** Plays a move in UCI notation and returns it. */
  pushUci(uci) {
    const packed = native.boardParseUci(this.#native, check.text(uci, 'a move'));
    native.boardPush(this.#native, packed);
    return unpack(packed);
  }

  /** Reads a legal move in SAN. */
  parseSan(san) {
    return unpack(native.boardParseSan(this.#native, check.text(san, 'a move')));
  }

  /** Reads a legal move in UCI notation. */
  parseUci(uci) {
    return unpack(native.boardParseUci(this.#native, check.text(uci, 'a move')));
  }

  /** A legal move in SAN. */
  san(move) {
    return native.boardSan(this.#native, pack(move));
  }

  /** A legal move in UCI notation; in Chess960, castling goes to the square of the rook. */
  uci(move) {
    return native.boardUci(this.#native, pack(move));
  }

  /** All legal moves. */
  *legalMoves() {
    for (const packed of native.boardLegalMoves(this.#native)) yield unpack(packed);
  }

  isLegal(move) {
    return native.boardIsLegal(this.#native, pack(move));
  }

  isCheck() {
    return this.#is(1);
  }

  isCheckmate() {
    return this.#is(2);
  }

  isStalemate() {
    return this.#is(4);
  }

  hasInsufficientMaterial() {
    return this.#is(8);
  }

  isGameOver() {
    return this.#is(16);
  }

  #is(fact) {
    return (native.boardStatus(this.#native) & fact) !== 0;
  }

  fen() {
    return native.boardFen(this.#native);
  }

  /** Replaces the position and forgets the history. Throws if the FEN is invalid. */
  setFen(fen) {
    native.boardSetFen(this.#native, check.text(fen, 'a FEN'));
    this.#node = null;
  }

  /** The starting position of the variant. */
  reset() {
    native.boardReset(this.#native);
    this.#node = null;
  }

  /** A copy with its history. */
  copy() {
    const copy = new Board(this);
    copy.#node = this.#node;
    return copy;
  }

  /** The native board. */
  get _native() {
    return this.#native;
  }

  /** The FEN. */
  toJSON() {
    return this.fen();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Board { ${this.fen()} }`;
  }

  /** Eight lines of letters, White below. */
  toString() {
    const expand = (rank) => rank.replace(/\d/g, (count) => '.'.repeat(Number(count)));
    const ranks = this.fen().split(' ')[0].replace(/\[.*|~/g, '').split('/').slice(0, 8);
    return ranks.map((rank) => [...expand(rank)].join(' ')).join('\n');
  }
}

/** What the constructor copies when the caller replaces the position at once. */
const BOARD = new Board();

module.exports = { Board };
