// Games and their nodes: light handles on the native tree.
'use strict';

const native = require('./native.cjs');
const check = require('./check.cjs');
const { Board } = require('./board.cjs');
const { Headers } = require('./headers.cjs');
const { MOVE_BITS, pack, unpack } = require('./move.cjs');

/** Set in a node's number if it has comments or drawings, and if it has glyphs. */
const HAS_NOTES = MOVE_BITS + 1;
const HAS_NAGS = 2 * HAS_NOTES;

/** The continuations of a node without any, shared by all of them. */
const NONE = Object.freeze([]);

/** What makes a Game of a native one. */
const NATIVE = Symbol('native');

const COLORS = { R: 'red', G: 'green', Y: 'yellow', B: 'blue' };
const LETTERS = { red: 'R', green: 'G', yellow: 'Y', blue: 'B' };

/** Nodes whose texts are computed together when a walk asks for one after another. */
const CHUNK = 256;

/**
 * Texts of nodes (SAN or FEN). One text costs a call; in a walk along the tree, the texts of the
 * next nodes are fetched with one call.
 */
class Texts {
  constructor(one, many) {
    this._one = one;
    this._many = many;
    this._first = -1;
    this._texts = [];
    this._last = -2;
  }

  get(game, node) {
    const index = node._index;
    const known = this._texts[index - this._first];
    const follows = index === this._last + 1;
    this._last = index;
    if (known !== undefined) return known;
    if (!follows) return this._one(game._handle, node._id);
    this._texts = this._many(game._handle, node._id, CHUNK).split('\n');
    this._first = index;
    return this._texts[0];
  }
}

/** The glyphs of a node. Changes go into the game. */
class Nags extends Set {
  #node;

  constructor(node, nags) {
    super(nags);
    this.#node = node;
  }

  #write(changed) {
    if (changed) this.#node._setNags(this);
  }

  add(nag) {
    checkNag(nag);
    const changed = !this.has(nag);
    super.add(nag);
    // The constructor of Set calls this method before the fields of this class exist.
    if (#node in this) this.#write(changed);
    return this;
  }

  delete(nag) {
    const changed = super.delete(nag);
    this.#write(changed);
    return changed;
  }

  clear() {
    const changed = this.size > 0;
    super.clear();
    this.#write(changed);
  }
}

/** Throws before anything is changed. */
function checkAnnotations({ nags = [] }) {
  for (const nag of nags) checkNag(nag);
}

function checkEvaluation({ pawns, mate, depth }) {
  check.count(depth, 'the depth of an evaluation');
  const [number, what] = mate === undefined ? [pawns, 'pawns'] : [mate, 'mate'];
  const valid = mate === undefined ? Number.isFinite(number) : Number.isInteger(number);
  if (!valid) throw new RangeError(`an evaluation needs a number: { ${what}: ${number} }; a mate is { mate: 3 }`);
}

/** The text of a comment, with line ends as in PGN; null removes it. */
function comment(text) {
  return check.text(text ?? '', 'a comment').replaceAll(/\r\n?/g, '\n');
}

function checkNag(nag) {
  if (!Number.isInteger(nag) || nag < 0 || nag > 0xffffffff) throw new RangeError(`not a NAG: ${nag}`);
}

/**
 * A position together with the path that leads to it. The same node is always the same object.
 *
 * @example
 * const { readGame } = require('gametree');
 * const game = readGame('1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *');
 * const e4 = game.variations[0];
 * assert.deepEqual(e4.variations.map((node) => node.san()), ['e5', 'c5']);
 * assert.equal(e4.variations[1].end().fen().split(' ')[1], 'b');
 */
class GameNode {
  constructor(game, id, parent, bits, index) {
    this._game = game;
    this._id = id;
    /** The place in the order of a walk, while the tree is as it was read. */
    this._index = index;
    this._parent = parent;
    this._bits = bits;
    this._children = NONE;
    /** Objects that were asked for: `{ move, nags }`. */
    this._made = null;
  }

  /** The node before the move; null at the root. */
  get parent() {
    return this._parent;
  }

  /** The move that leads here; null at the root. */
  get move() {
    if (this._parent === null && this._id === 0) return null;
    return (this._objects.move ??= unpack(this._bits));
  }

  /** The continuations, the main one first. Change them with the methods of the node. */
  get variations() {
    return Object.freeze(this._children);
  }

  get _objects() {
    return (this._made ??= { move: undefined, nags: undefined });
  }

  /** The native game; throws if the node was removed. */
  get _native() {
    if (this._id < 0) throw new Error('this node was removed from its game');
    return this._game._handle;
  }

  // Annotations

  /** The comment after the move, commands such as `[%clk …]` included. */
  get comment() {
    return this._bits & HAS_NOTES ? native.comment(this._native, this._id) : '';
  }

  set comment(text) {
    this._annotate(() => native.setComment(this._native, this._id, comment(text)));
  }

  /** The comment before the move, where a variation starts. */
  get startingComment() {
    return this._bits & HAS_NOTES ? native.startingComment(this._native, this._id) : '';
  }

  set startingComment(text) {
    this._annotate(() => native.setStartingComment(this._native, this._id, comment(text)));
  }

  /** The glyphs: a Set of numbers. */
  get nags() {
    const known = () => (this._bits & HAS_NAGS ? native.nags(this._native, this._id) : []);
    return (this._objects.nags ??= new Nags(this, known()));
  }

  set nags(nags) {
    this._objects.nags = new Nags(this, nags);
    this._setNags(this._objects.nags);
  }

  _setNags(nags) {
    native.setNags(this._native, this._id, [...nags]);
    this._bits |= HAS_NAGS;
  }

  /** The clock after the move in seconds, or null. */
  get clock() {
    return this._bits & HAS_NOTES ? native.clock(this._native, this._id) : null;
  }

  set clock(seconds) {
    this._annotate(() => native.setClock(this._native, this._id, seconds));
  }

  /** The evaluation in pawns for White, ±Infinity for a mate (see `mate`), or null. */
  get eval() {
    const found = this.evaluation;
    if (found === null) return null;
    return found.pawns ?? (found.mate < 0 ? -Infinity : Infinity);
  }

  set eval(pawns) {
    if (pawns === this.eval) return;
    this.evaluation = pawns === null ? null : { pawns };
  }

  /** The number of moves to mate, negative if Black mates, or null. */
  get mate() {
    return this.evaluation?.mate ?? null;
  }

  /** The evaluation as `{ pawns, mate, depth }`, or null. */
  get evaluation() {
    return this._bits & HAS_NOTES ? native.eval(this._native, this._id) : null;
  }

  set evaluation(evaluation) {
    if (evaluation !== null) checkEvaluation(evaluation);
    this._annotate(() => native.setEval(this._native, this._id, evaluation));
  }

  /** The arrows: `{ color, tail, head }`. */
  get arrows() {
    const arrows = this._shapes().filter(({ tail, head }) => tail !== head);
    return arrows;
  }

  set arrows(arrows) {
    this._setShapes([...this._shapes().filter(({ tail, head }) => tail === head), ...arrows]);
  }

  /** The marked squares: `{ color, square }`. */
  get shapes() {
    const squares = this._shapes().filter(({ tail, head }) => tail === head);
    return squares.map(({ color, tail }) => ({ color, square: tail }));
  }

  set shapes(shapes) {
    const squares = [...shapes].map(({ color, square }) => ({ color, tail: square, head: square }));
    this._setShapes([...squares, ...this.arrows]);
  }

  _shapes() {
    if (!(this._bits & HAS_NOTES)) return [];
    const numbers = native.shapes(this._native, this._id);
    const shapes = [];
    for (let i = 0; i < numbers.length; i += 3) {
      const color = COLORS[String.fromCharCode(numbers[i])];
      shapes.push({ color, tail: numbers[i + 1], head: numbers[i + 2] });
    }
    return shapes;
  }

  _setShapes(shapes) {
    const number = ({ color, tail, head }) => [(LETTERS[color] ?? String(color)).charCodeAt(0), tail, head];
    this._annotate(() => native.setShapes(this._native, this._id, shapes.flatMap(number)));
  }

  _annotate(change) {
    change();
    this._bits |= HAS_NOTES;
  }

  // The position

  /** A board with this position. `pop` goes back along the line. */
  board() {
    return Board.ofNode(this, this._native, this._id);
  }

  /** The position as FEN. */
  fen() {
    const { _fens: fens } = this._game;
    return fens ? fens.get(this._game, this) : native.fen(this._native, this._id);
  }

  /** The move in SAN; null at the root. */
  san() {
    if (this._parent === null && this._id === 0) return null;
    const { _sans: sans } = this._game;
    return sans ? sans.get(this._game, this) : native.san(this._native, this._id);
  }

  /** The move in UCI notation; null at the root. */
  uci() {
    return this.move?.uci() ?? null;
  }

  /** Half-moves since the root. */
  ply() {
    let count = 0;
    for (let node = this; node._parent !== null; node = node._parent) count += 1;
    return count;
  }

  /** The number of the next move, as in PGN. */
  moveNumber() {
    return Math.floor((native.startPly(this._native) + this.ply()) / 2) + 1;
  }

  // Walking

  isEnd() {
    return this.variations.length === 0;
  }

  isMainline() {
    let node = this;
    while (node._parent !== null && node._parent.variations[0] === node) node = node._parent;
    return node._parent === null;
  }

  isMainVariation() {
    return this._parent === null || this._parent.variations[0] === this;
  }

  startsVariation() {
    return !this.isMainVariation();
  }

  root() {
    let node = this;
    while (node._parent !== null) node = node._parent;
    return node;
  }

  end() {
    let node = this;
    while (node.variations.length > 0) node = node.variations[0];
    return node;
  }

  next() {
    return this.variations[0] ?? null;
  }

  *mainline() {
    for (let node = this.next(); node !== null; node = node.next()) yield node;
  }

  *mainlineMoves() {
    for (const node of this.mainline()) yield node.move;
  }

  /** This node and all below it, each line before the alternatives to its moves. */
  *[Symbol.iterator]() {
    const open = [this];
    while (open.length > 0) {
      const node = open.pop();
      yield node;
      const children = node.variations;
      for (let i = children.length - 1; i >= 0; i -= 1) open.push(children[i]);
    }
  }

  countNodes() {
    let count = 0;
    for (const _ of this) count += 1;
    return count;
  }

  /** True if a continuation has this move. */
  hasVariation(move) {
    return this.variation(move) !== null;
  }

  /** The continuation with this move or index, or null. */
  variation(move) {
    if (typeof move === 'number') return this.variations[move] ?? null;
    return this.variations.find((node) => node === move || node.move.equals(move)) ?? null;
  }

  accept(visitor) {
    return visitor.visitGameNode(this);
  }

  // Changing

  /** Adds a continuation after the others. Throws if the move is illegal here. */
  addVariation(move, options = {}) {
    checkAnnotations(options);
    const node = this._add(move, native.addVariation);
    this._children = [...this._children, node];
    return node._annotated(options);
  }

  /** Adds the main continuation. Throws if the move is illegal here. */
  addMainVariation(move, options = {}) {
    checkAnnotations(options);
    const node = this._add(move, native.addMainVariation);
    this._children = [node, ...this._children];
    return node._annotated(options);
  }

  /** A new node for a move, in the native tree. */
  _add(move, add) {
    // All nodes that exist are made before the tree changes.
    if (this._game._children === null) this._game._load();
    const [id, packed] = add(this._native, this._id, pack(move));
    this._game._forgetTexts();
    return new GameNode(this._game, id, this, packed, -1);
  }

  _annotated({ comment = '', startingComment = '', nags = [] }) {
    if (comment) this.comment = comment;
    if (startingComment) this.startingComment = startingComment;
    for (const nag of nags) this.nags.add(nag);
    return this;
  }

  /** Adds moves one after another and returns the last node. Nothing is added if one is illegal. */
  addLine(moves, { comment = '', startingComment = '', nags = [] } = {}) {
    checkAnnotations({ nags });
    let first = null;
    let node = this;
    try {
      for (const move of moves) {
        node = node.addVariation(move);
        first ??= node;
      }
    } catch (error) {
      if (first) this.removeVariation(first);
      throw error;
    }
    first?._annotated({ startingComment });
    return first ? node._annotated({ comment, nags }) : node;
  }

  /** Removes a continuation and everything after it. */
  removeVariation(which) {
    const node = this.variation(which);
    if (node === null) throw new RangeError('no such continuation here');
    native.removeVariation(this._native, node._id);
    this._game._forgetTexts();
    this._children = this.variations.filter((child) => child !== node);
    for (const removed of [...node]) removed._id = -1;
    node._parent = null;
  }

  /** Moves this node before its previous sibling. */
  promote() {
    this._moveTo((index) => index - 1, native.promote);
  }

  /** Moves this node after its next sibling. */
  demote() {
    this._moveTo((index) => index + 1, native.demote);
  }

  /** Makes this node the main continuation of its parent. */
  promoteToMain() {
    this._moveTo(() => 0, native.promoteToMain);
  }

  _moveTo(place, change) {
    const siblings = this._parent?.variations ?? NONE;
    const from = siblings.indexOf(this);
    const to = place(from);
    if (from < 0 || to < 0 || to >= siblings.length) return;
    change(this._native, this._id);
    this._game._forgetTexts();
    this._parent._children = siblings.toSpliced(from, 1).toSpliced(to, 0, this);
  }

  /** The node alone: its move, position and annotations. */
  toJSON() {
    const { comment, startingComment, nags } = this;
    return { san: this.san(), uci: this.uci(), fen: this.fen(), comment, startingComment, nags: [...nags] };
  }

  toString() {
    return this.move === null ? 'start' : `${this.moveNumber()}: ${this.san()}`;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `${this.constructor.name} { ${this._id < 0 ? 'removed' : this.toString()} }`;
  }
}

/**
 * A game: its tags, its tree, and what could not be read.
 *
 * @example
 * const { readGame } = require('gametree');
 * const game = readGame('[White "Anderssen"]\n\n1. e4 e5 2. Nf6 *');
 * assert.equal(game.headers.get('White'), 'Anderssen');
 * assert.equal(game.errors[0].san, 'Nf6');
 */
class Game extends GameNode {
  constructor(handle = null) {
    super(null, 0, null, HAS_NOTES | HAS_NAGS, 0);
    this._game = this;
    this._handle = handle?.[NATIVE] ?? native.newGame(null);
    this._children = null;
    this._headers = undefined;
    this._sans = null;
    this._fens = null;
  }

  /** A game with the seven standard tags. */
  static withDefaults() {
    const game = new Game();
    for (const name of ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result']) {
      game.headers.set(name, { Date: '????.??.??', Result: '*' }[name] ?? '?');
    }
    return game;
  }

  /** A game that starts from a position. Throws if the FEN is invalid. */
  static fromFen(fen) {
    const game = Game.withDefaults();
    game.headers.set('FEN', fen);
    game.headers.set('SetUp', '1');
    return game;
  }

  /** A game that starts from the position of a board, in its variant. */
  static fromBoard(board) {
    if (!(board instanceof Board)) throw new TypeError('expected a Board');
    return wrap(native.gameOfBoard(board._native));
  }

  get variations() {
    if (this._children === null) this._load();
    return Object.freeze(this._children);
  }

  /** Makes all nodes, from three numbers each. */
  _load() {
    this._children = NONE;
    const numbers = native.nodes(this._handle);
    const nodes = new Array(numbers.length / 3);
    nodes[0] = this;
    for (let i = 3, index = 1; i < numbers.length; i += 3, index += 1) {
      const parent = nodes[numbers[i + 1]];
      const id = numbers[i];
      const node = new GameNode(this, id, parent, numbers[i + 2], index);
      // A literal of one element takes less memory than an array that grew to it.
      if (parent._children === NONE) parent._children = [node];
      else parent._children.push(node);
      nodes[id] = node;
    }
    this._sans = new Texts(native.san, native.sans);
    this._fens = new Texts(native.fen, native.fens);
  }

  /** After a change of the tree, texts are computed one by one. */
  _forgetTexts() {
    this._sans = null;
    this._fens = null;
  }

  /** The tags. */
  get headers() {
    return (this._headers ??= Headers.of(this._handle));
  }

  /** What is wrong in the text: `{ message, san, line, column, fen }`. */
  get errors() {
    return this.complaints.filter(({ severity }) => severity === 'error');
  }

  /** Everything noticed while reading, errors included. */
  get complaints() {
    const found = JSON.parse(native.complaints(this._handle));
    return found.map(({ text, ...rest }) => ({ ...rest, san: text }));
  }

  /** The bytes of the game in its text or file: `{ start, end }`. */
  get source() {
    const [start, end] = native.source(this._handle);
    return { start, end };
  }

  /** The game as PGN. */
  toPgn({ columns = 80 } = {}) {
    return native.toPgn(this._handle, check.count(columns ?? 0, 'columns'));
  }

  /** The tags and the game as PGN. */
  toJSON() {
    return { headers: this.headers.toObject(), pgn: this.toPgn() };
  }

  toString() {
    return this.toPgn();
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    const { White = '?', Black = '?', Result = '*' } = this.headers.toObject();
    return `Game { ${White} – ${Black}, ${Result} }`;
  }
}

/** The Game of a native one. */
function wrap(handle) {
  return new Game({ [NATIVE]: handle });
}

module.exports = { Game, GameNode, wrap };
