// Moves and pieces.
'use strict';

const { PIECE_NAMES, PIECE_SYMBOLS, SQUARE_NAMES, parseSquare } = require('./constants.cjs');

const NULL_BIT = 1 << 18;
const MOVE_BITS = (1 << 19) - 1;
const UCI = /^([a-h][1-8])([a-h][1-8])([nbrqkNBRQK])?$/;
const DROP = /^([PNBRQKpnbrqk])@([a-h][1-8])$/;
const NULL_UCI = new Set(['0000', '@@@@', '--', 'Z0']);

/**
 * A move: two squares, and what a pawn becomes or which piece is dropped. It knows no position.
 *
 * @example
 * const { Move } = require('gametree');
 * const move = Move.fromUci('e2e4');
 * assert.deepEqual([move.fromSquare, move.toSquare, move.uci()], [12, 28, 'e2e4']);
 */
class Move {
  constructor(fromSquare, toSquare, promotion = null, drop = null) {
    this.fromSquare = fromSquare;
    this.toSquare = toSquare;
    this.promotion = promotion;
    this.drop = drop;
    Object.freeze(this);
  }

  /** Reads UCI notation: `e2e4`, `a7a8q`, `N@f3`, `0000`. Throws a SyntaxError for anything else. */
  static fromUci(text) {
    if (NULL_UCI.has(text)) return Move.null();
    const drop = DROP.exec(text);
    if (drop) {
      const square = parseSquare(drop[2]);
      return new Move(square, square, null, PIECE_SYMBOLS.indexOf(drop[1].toLowerCase()));
    }
    const parts = UCI.exec(text);
    if (!parts) throw new SyntaxError(`not a move in UCI notation: ${JSON.stringify(text)}; write e2e4 or a7a8q`);
    const promotion = parts[3] ? PIECE_SYMBOLS.indexOf(parts[3].toLowerCase()) : null;
    return new Move(parseSquare(parts[1]), parseSquare(parts[2]), promotion);
  }

  /** The null move, which passes the turn. */
  static null() {
    return new Move(0, 0);
  }

  /** True for the null move. */
  isNull() {
    return this.fromSquare === this.toSquare && this.drop === null;
  }

  /** UCI notation. */
  uci() {
    if (this.isNull()) return '0000';
    const to = SQUARE_NAMES[this.toSquare];
    if (this.drop !== null) return `${PIECE_SYMBOLS[this.drop].toUpperCase()}@${to}`;
    const promotion = this.promotion === null ? '' : PIECE_SYMBOLS[this.promotion];
    return SQUARE_NAMES[this.fromSquare] + to + promotion;
  }

  /** True if the other move has the same squares, promotion and drop. */
  equals(other) {
    return (
      other instanceof Move &&
      this.fromSquare === other.fromSquare &&
      this.toSquare === other.toSquare &&
      this.promotion === other.promotion &&
      this.drop === other.drop
    );
  }

  copy() {
    return new Move(this.fromSquare, this.toSquare, this.promotion, this.drop);
  }

  toString() {
    return this.uci();
  }
}

/** The move as the native part numbers it. */
function pack(move) {
  if (!(move instanceof Move)) throw new TypeError('expected a Move; read one with Move.fromUci or board.parseSan');
  if (move.isNull()) return NULL_BIT;
  const { fromSquare, toSquare, promotion, drop } = move;
  const valid = SQUARE_NAMES[fromSquare] && SQUARE_NAMES[toSquare];
  if (!valid) throw new RangeError('squares of a Move are numbers from 0 to 63');
  if (drop !== null) return (toSquare << 6) | (drop << 15);
  return fromSquare | (toSquare << 6) | ((promotion ?? 0) << 12);
}

/** The move with the native part's number. */
function unpack(packed) {
  if (packed & NULL_BIT) return Move.null();
  const to = (packed >> 6) & 63;
  const drop = (packed >> 15) & 7;
  if (drop) return new Move(to, to, null, drop);
  return new Move(packed & 63, to, (packed >> 12) & 7 || null);
}

/**
 * A piece: its type (`PAWN` to `KING`) and colour (`WHITE` or `BLACK`).
 *
 * @example
 * const { Piece, KNIGHT, WHITE } = require('gametree');
 * assert.equal(new Piece(KNIGHT, WHITE).symbol(), 'N');
 */
class Piece {
  constructor(pieceType, color) {
    this.pieceType = pieceType;
    this.color = color;
    Object.freeze(this);
  }

  /** The piece with this letter. Throws a SyntaxError for other texts. */
  static fromSymbol(symbol) {
    const pieceType = PIECE_SYMBOLS.indexOf(symbol.toLowerCase());
    if (pieceType < 1) throw new SyntaxError(`not a piece: ${JSON.stringify(symbol)}; use one of PNBRQKpnbrqk`);
    return new Piece(pieceType, symbol !== symbol.toLowerCase());
  }

  /** The letter: upper case for White. */
  symbol() {
    const letter = PIECE_SYMBOLS[this.pieceType];
    return this.color ? letter.toUpperCase() : letter;
  }

  /** The figurine. */
  unicodeSymbol() {
    return { P: '♙', N: '♘', B: '♗', R: '♖', Q: '♕', K: '♔', p: '♟', n: '♞', b: '♝', r: '♜', q: '♛', k: '♚' }[
      this.symbol()
    ];
  }

  /** The English name: `knight`. */
  name() {
    return PIECE_NAMES[this.pieceType];
  }

  equals(other) {
    return other instanceof Piece && this.pieceType === other.pieceType && this.color === other.color;
  }

  toString() {
    return this.symbol();
  }
}

module.exports = { Move, Piece, pack, unpack, MOVE_BITS };
