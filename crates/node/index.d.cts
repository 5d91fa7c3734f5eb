// Types of gametree for Node.

/** True for White, false for Black. */
export type Color = boolean;
/** 0 (a1) to 63 (h8). */
export type Square = number;
/** 1 (pawn) to 6 (king). */
export type PieceType = 1 | 2 | 3 | 4 | 5 | 6;

export const WHITE: true;
export const BLACK: false;
export const COLOR_NAMES: readonly string[];
export const PAWN: 1;
export const KNIGHT: 2;
export const BISHOP: 3;
export const ROOK: 4;
export const QUEEN: 5;
export const KING: 6;
export const PIECE_NAMES: readonly (string | null)[];
export const PIECE_SYMBOLS: readonly (string | null)[];
export const FILE_NAMES: readonly string[];
export const RANK_NAMES: readonly string[];
export const SQUARE_NAMES: readonly string[];
export const SQUARES: readonly Square[];
export const A1: Square;
export const B1: Square;
export const C1: Square;
export const D1: Square;
export const E1: Square;
export const F1: Square;
export const G1: Square;
export const H1: Square;
export const A2: Square;
export const B2: Square;
export const C2: Square;
export const D2: Square;
export const E2: Square;
export const F2: Square;
export const G2: Square;
export const H2: Square;
export const A3: Square;
export const B3: Square;
export const C3: Square;
export const D3: Square;
export const E3: Square;
export const F3: Square;
export const G3: Square;
export const H3: Square;
export const A4: Square;
export const B4: Square;
export const C4: Square;
export const D4: Square;
export const E4: Square;
export const F4: Square;
export const G4: Square;
export const H4: Square;
export const A5: Square;
export const B5: Square;
export const C5: Square;
export const D5: Square;
export const E5: Square;
export const F5: Square;
export const G5: Square;
export const H5: Square;
export const A6: Square;
export const B6: Square;
export const C6: Square;
export const D6: Square;
export const E6: Square;
export const F6: Square;
export const G6: Square;
export const H6: Square;
export const A7: Square;
export const B7: Square;
export const C7: Square;
export const D7: Square;
export const E7: Square;
export const F7: Square;
export const G7: Square;
export const H7: Square;
export const A8: Square;
export const B8: Square;
export const C8: Square;
export const D8: Square;
export const E8: Square;
export const F8: Square;
export const G8: Square;
export const H8: Square;
export const CASTLING_WHITE_KINGSIDE: 1;
export const CASTLING_WHITE_QUEENSIDE: 2;
export const CASTLING_BLACK_KINGSIDE: 4;
export const CASTLING_BLACK_QUEENSIDE: 8;
export const CASTLING_WHITE: 3;
export const CASTLING_BLACK: 12;
export const CASTLING_ALL: 15;
export const NAG_NULL: number;
export const NAG_GOOD_MOVE: number;
export const NAG_MISTAKE: number;
export const NAG_BRILLIANT_MOVE: number;
export const NAG_BLUNDER: number;
export const NAG_SPECULATIVE_MOVE: number;
export const NAG_DUBIOUS_MOVE: number;
export const NAG_FORCED_MOVE: number;
export const NAG_SINGULAR_MOVE: number;
export const NAG_WORST_MOVE: number;
export const NAG_DRAWISH_POSITION: number;
export const NAG_QUIET_POSITION: number;
export const NAG_ACTIVE_POSITION: number;
export const NAG_UNCLEAR_POSITION: number;
export const NAG_WHITE_SLIGHT_ADVANTAGE: number;
export const NAG_BLACK_SLIGHT_ADVANTAGE: number;
export const NAG_WHITE_MODERATE_ADVANTAGE: number;
export const NAG_BLACK_MODERATE_ADVANTAGE: number;
export const NAG_WHITE_DECISIVE_ADVANTAGE: number;
export const NAG_BLACK_DECISIVE_ADVANTAGE: number;
export const NAG_WHITE_ZUGZWANG: number;
export const NAG_BLACK_ZUGZWANG: number;
export const NAG_WHITE_MODERATE_COUNTERPLAY: number;
export const NAG_BLACK_MODERATE_COUNTERPLAY: number;
export const NAG_WHITE_DECISIVE_COUNTERPLAY: number;
export const NAG_BLACK_DECISIVE_COUNTERPLAY: number;
export const NAG_WHITE_MODERATE_TIME_PRESSURE: number;
export const NAG_BLACK_MODERATE_TIME_PRESSURE: number;
export const NAG_WHITE_SEVERE_TIME_PRESSURE: number;
export const NAG_BLACK_SEVERE_TIME_PRESSURE: number;
export const NAG_NOVELTY: number;
export const STARTING_BOARD_FEN: string;
export const STARTING_FEN: string;

/** The file of a square, 0 to 7. */
export function squareFile(square: Square): number;
/** The rank of a square, 0 to 7. */
export function squareRank(square: Square): number;
/** The square of a file and a rank, each 0 to 7. */
export function squareFromFileRank(file: number, rank: number): Square;
/** The name of a square: `e4`. */
export function squareName(square: Square): string;
/** The square with a name, or null. */
export function parseSquare(name: string): Square | null;

/** A move: two squares, and what a pawn becomes or which piece is dropped. */
export class Move {
  constructor(fromSquare: Square, toSquare: Square, promotion?: PieceType | null, drop?: PieceType | null);
  readonly fromSquare: Square;
  readonly toSquare: Square;
  readonly promotion: PieceType | null;
  readonly drop: PieceType | null;
  /** Reads UCI notation: `e2e4`, `a7a8q`, `N@f3`, `0000`. Throws a SyntaxError for anything else. */
  static fromUci(text: string): Move;
  /** The null move, which passes the turn. */
  static null(): Move;
  isNull(): boolean;
  uci(): string;
  equals(other: unknown): boolean;
  copy(): Move;
  toString(): string;
}

/** A piece: its type and colour. */
export class Piece {
  constructor(pieceType: PieceType, color: Color);
  readonly pieceType: PieceType;
  readonly color: Color;
  /** The piece with this letter. Throws a SyntaxError for other texts. */
  static fromSymbol(symbol: string): Piece;
  /** The letter: upper case for White. */
  symbol(): string;
  /** The figurine. */
  unicodeSymbol(): string;
  /** The English name: `knight`. */
  name(): string;
  equals(other: unknown): boolean;
  toString(): string;
}

/** A position in which moves can be played and taken back. */
export class Board {
  /** Throws if the FEN is invalid. */
  constructor(fen?: string | Board);
  readonly turn: Color;
  /** A sum of `CASTLING_WHITE_KINGSIDE` and its siblings. */
  readonly castlingRights: number;
  /** The square that a pawn passed over in the last move, or null. */
  readonly epSquare: Square | null;
  readonly halfmoveClock: number;
  readonly fullmoveNumber: number;
  pieceAt(square: Square): Piece | null;
  king(color: Color): Square | null;
  /** Plays a move. Throws if it is illegal. */
  push(move: Move): void;
  /** Takes the last move back; null at the start of the line. */
  pop(): Move | null;
  pushSan(san: string): Move;
  pushUci(uci: string): Move;
  parseSan(san: string): Move;
  parseUci(uci: string): Move;
  san(move: Move): string;
  uci(move: Move): string;
  legalMoves(): Generator<Move, void, undefined>;
  isLegal(move: Move): boolean;
  isCheck(): boolean;
  isCheckmate(): boolean;
  isStalemate(): boolean;
  hasInsufficientMaterial(): boolean;
  isGameOver(): boolean;
  fen(): string;
  /** Replaces the position and forgets the history. */
  setFen(fen: string): void;
  reset(): void;
  copy(): Board;
  /** The FEN. */
  toJSON(): string;
  toString(): string;
}

/** The tags of a game in the order in which they were written. */
export class Headers implements Iterable<[string, string]> {
  constructor(tags?: Record<string, string> | Iterable<[string, string]>);
  get(name: string): string | undefined;
  /**
   * Sets a tag. `Result` also sets the result of the game; `FEN` and `Variant` also set the starting
   * position, and throw if the game has moves.
   */
  set(name: string, value: string): this;
  has(name: string): boolean;
  delete(name: string): boolean;
  clear(): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void;
  readonly size: number;
  toObject(): Record<string, string>;
  toJSON(): Record<string, string>;
  copy(): Headers;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}

export type Paint = 'red' | 'green' | 'yellow' | 'blue';

export interface Arrow {
  color: Paint;
  tail: Square;
  head: Square;
}

export interface Shape {
  color: Paint;
  square: Square;
}

/** An evaluation for White: pawns, or moves to mate (negative if Black mates). */
export interface Evaluation {
  pawns?: number | undefined;
  mate?: number | undefined;
  depth?: number | undefined;
}

export interface Annotations {
  comment?: string;
  startingComment?: string;
  nags?: Iterable<number>;
}

export interface GameNodeVisitor<T> {
  visitGameNode(node: GameNode): T;
}

/** A position together with the path that leads to it. The same node is always the same object. */
export class GameNode implements Iterable<GameNode> {
  protected constructor();
  /** The node before the move; null at the root. */
  readonly parent: GameNode | null;
  /** The move that leads here; null at the root. */
  readonly move: Move | null;
  /** The continuations, the main one first. */
  readonly variations: readonly GameNode[];
  /** The comment after the move. */
  comment: string;
  /** The comment before the move, where a variation starts. */
  startingComment: string;
  /** The glyphs. */
  get nags(): Set<number>;
  set nags(nags: Iterable<number>);
  /** The clock after the move in seconds, or null. */
  clock: number | null;
  /** The evaluation in pawns for White, ±Infinity for a mate (see `mate`), or null. */
  eval: number | null;
  /** The number of moves to mate, negative if Black mates, or null. */
  readonly mate: number | null;
  evaluation: Evaluation | null;
  arrows: Arrow[];
  /** The marked squares. */
  shapes: Shape[];
  /** A board with this position. `pop` goes back along the line. */
  board(): Board;
  fen(): string;
  /** The move in SAN; null at the root. */
  san(): string | null;
  /** The move in UCI notation; null at the root. */
  uci(): string | null;
  /** Half-moves since the root. */
  ply(): number;
  /** The number of the next move, as in PGN. */
  moveNumber(): number;
  isEnd(): boolean;
  isMainline(): boolean;
  isMainVariation(): boolean;
  startsVariation(): boolean;
  /** The game, unless the node was removed from it. */
  root(): GameNode;
  end(): GameNode;
  next(): GameNode | null;
  mainline(): Generator<GameNode, void, undefined>;
  mainlineMoves(): Generator<Move, void, undefined>;
  /** This node and all below it. */
  [Symbol.iterator](): Generator<GameNode, void, undefined>;
  countNodes(): number;
  hasVariation(move: Move | GameNode | number): boolean;
  /** The continuation with this move or index, or null. */
  variation(move: Move | GameNode | number): GameNode | null;
  accept<T>(visitor: GameNodeVisitor<T>): T;
  /** Adds a continuation after the others. Throws if the move is illegal here. */
  addVariation(move: Move, annotations?: Annotations): GameNode;
  /** Adds the main continuation. Throws if the move is illegal here. */
  addMainVariation(move: Move, annotations?: Annotations): GameNode;
  /** Adds moves one after another and returns the last node. Nothing is added if one is illegal. */
  addLine(moves: Iterable<Move>, annotations?: Annotations): GameNode;
  /** Removes a continuation and everything after it. */
  removeVariation(which: Move | GameNode | number): void;
  promote(): void;
  demote(): void;
  promoteToMain(): void;
  /** The node alone: its move, position and annotations. */
  toJSON(): object;
  toString(): string;
}

/** What is wrong in the text of a game. */
export interface GameError {
  message: string;
  severity: 'error' | 'warning';
  /** The text that could not be read. */
  san: string;
  line: number;
  column: number;
  /** The position there. */
  fen: string;
}

/** A game: its tags, its tree, and what could not be read. */
export class Game extends GameNode {
  constructor();
  static withDefaults(): Game;
  /** Throws if the FEN is invalid. */
  static fromFen(fen: string): Game;
  static fromBoard(board: Board): Game;
  readonly headers: Headers;
  readonly errors: GameError[];
  /** Everything noticed while reading, errors included. */
  readonly complaints: GameError[];
  /** The bytes of the game in its text or file. */
  readonly source: { start: number; end: number };
  toPgn(options?: { columns?: number | null }): string;
}

/** A path, a file URL, a game, or several of one kind. Folders stand for their PGN files. */
export type GameSource = string | URL | Game | readonly (string | URL)[] | readonly Game[];

/** The first game of a text, or null if there is none. */
export function readGame(text: string | Uint8Array): Game | null;
/** All games of a text. */
export function readGames(text: string | Uint8Array): Game[];
/** The games of a text, one after another. */
export function iterGames(text: string | Uint8Array): Generator<Game, void, undefined>;
/** The games of files or folders of any size, compressed or not, read on other threads. */
export function openGames(
  source: GameSource,
  options?: { threads?: number; signal?: AbortSignal },
): AsyncGenerator<Game, void, undefined>;
/** Writes games to a file: whole or not at all, compressed if the name ends in .gz, .bz2 or .zst. */
export function writeGames(path: string | URL, games: Game | Iterable<Game>): Promise<void>;

export interface InputProblem {
  message: string;
  help?: string | null;
  /** Where the text is wrong. */
  start: number;
  end: number;
}

/** A CQL query that cannot be compiled. */
export class CqlError extends SyntaxError {
  readonly errors: InputProblem[];
}

/** A sum of games that cannot be read. */
export class SumError extends SyntaxError {
  readonly errors: InputProblem[];
}

export interface QueryMatch {
  file: string;
  /** The number of the game. */
  game: number;
  positions: { file: string; game: number; position: number; path: string; fen: string }[];
  comments: string[];
}

export interface QueryResult {
  /** Games that match. */
  games: number;
  /** Positions that match. */
  positions: number;
  /** Empty if only counts were asked for. */
  matches: QueryMatch[];
}

/** Runs a CQL query on other threads. */
export function query(
  cql: string,
  source: GameSource,
  options?: { signal?: AbortSignal; limit?: number; count?: boolean; threads?: number },
): Promise<QueryResult>;

export interface Finding {
  kind: string;
  severity: 'error' | 'warning' | 'note';
  game: number;
  path: string;
  message: string;
  /** The moves in question. */
  moves?: string[];
  /** Another path to the position. */
  other?: string | null;
}

/** The problems of a repertoire. */
export function audit(
  source: GameSource,
  options?: { side?: 'white' | 'black'; signal?: AbortSignal },
): Promise<Finding[]>;

/** The games of the sources merged into one tree for each starting position. */
export function merge(source: GameSource, options?: { signal?: AbortSignal }): Promise<Game[]>;

export type Results = Record<'1-0' | '1/2-1/2' | '0-1' | '*', number>;

export interface PositionPaths {
  fen: string;
  /** Occurrences of the position. */
  times: number;
  /** The paths that lead to it. */
  orders: { game: number; path: string; times: number; below: number; next: string[] }[];
  /** The moves played from it, whatever the path. */
  continuations: { move: string; game: number; path: string; times: number; results: Results }[];
  /** False if paths were left out. */
  complete: boolean;
}

/** The positions of some games, each once, with all paths that lead to it. */
export class Graph {
  private constructor();
  static of(source: GameSource, options?: { signal?: AbortSignal }): Promise<Graph>;
  readonly games: number;
  readonly positions: number;
  readonly moves: number;
  readonly transposed: number;
  /** Move orders and continuations of a position, given by its FEN or by moves (`d4 Nf6 c4`). */
  at(place?: string): Promise<PositionPaths>;
  transpositions(options?: { limit?: number; signal?: AbortSignal }): Promise<PositionPaths[]>;
}

export interface Limits {
  /** Seconds. */
  time?: number;
  /** Bytes. */
  memory?: number;
  signal?: AbortSignal;
}

export interface Solution {
  /** N: the first player wins; P: the second; L, R: that player. Null if the limits were too tight. */
  outcome: 'N' | 'P' | 'L' | 'R' | null;
  leftWinsFirst: boolean | null;
  rightWinsFirst: boolean | null;
  /** Why there is no answer. */
  gaveUp: string | null;
  /** The winning first moves, if asked for; null if the limits were too tight. */
  winningMoves?: { left: string[]; right: string[] } | null;
}

/** Who wins a sum of games. */
export function solve(sum: string, options?: Limits & { moves?: boolean }): Promise<Solution>;

export interface ValueReport {
  /** The canonical form; null if it is too long to write. */
  value: string | null;
  outcome: 'N' | 'P' | 'L' | 'R';
  leftStop: string;
  rightStop: string;
  mean: string | null;
  temperature: string | null;
  birthday: string | null;
  atomicWeight: string | null;
  followers: number | null;
  /** Letters of the canonical form. */
  length: number;
}

/** The canonical form of a sum with its outcome, stops, mean and temperature. */
export function value(sum: string, options?: Limits): Promise<ValueReport>;

/** A board as SVG: of a node, a Board or a FEN. */
export function drawBoard(
  position: GameNode | Board | string,
  options?: { dark?: boolean; flipped?: boolean },
): string;
/** The tree below a node as SVG. */
export function drawTree(
  node: GameNode,
  options?: { dark?: boolean; flipped?: boolean; arcs?: boolean; depth?: number },
): string;
