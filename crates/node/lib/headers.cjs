// The tags of a game.
'use strict';

const native = require('./native.cjs');
const check = require('./check.cjs');

/** Tags that describe the starting position. */
const STARTS = new Set(['FEN', 'Variant']);

/**
 * The tags of a game in the order in which they were written. Changes go into the game.
 *
 * @example
 * const { readGame } = require('gametree');
 * const { headers } = readGame('[White "Anderssen"]\n\n1. e4 *');
 * assert.equal(headers.get('White'), 'Anderssen');
 * headers.set('Black', 'Kieseritzky');
 * assert.deepEqual([...headers.keys()], ['White', 'Black']);
 */
class Headers {
  #game;
  #tags = new Map();

  /** The tags of a native game, or tags without a game. */
  constructor(tags = [], game = null) {
    this.#game = game;
    const entries = typeof tags[Symbol.iterator] === 'function' ? tags : Object.entries(tags);
    for (const [name, value] of entries) this.#tags.set(name, value);
  }

  /** The tags of a native game. */
  static of(game) {
    const texts = native.tags(game);
    const tags = [];
    for (let i = 0; i < texts.length; i += 2) tags.push([texts[i], texts[i + 1]]);
    return new Headers(tags, game);
  }

  get(name) {
    return this.#tags.get(name);
  }

  /**
   * Sets a tag. `Result` also sets the result of the game; `FEN` and `Variant` also set the starting
   * position, and throw if the game has moves.
   */
  set(name, value) {
    if (!/^[A-Za-z0-9_+#=:-]+$/.test(name)) throw new RangeError(`not the name of a tag: ${JSON.stringify(name)}`);
    check.text(value, 'the value of a tag');
    if (this.#game) native.setTag(this.#game, name, value);
    if (this.#game && STARTS.has(name)) this.#reload();
    else this.#tags.set(name, value);
    return this;
  }

  /** The tags of the game after a change that touches several. */
  #reload() {
    this.#tags = Headers.of(this.#game).#tags;
  }

  has(name) {
    return this.#tags.has(name);
  }

  delete(name) {
    if (this.#game === null) return this.#tags.delete(name);
    const removed = native.removeTag(this.#game, name);
    this.#reload();
    return removed;
  }

  clear() {
    for (const name of [...this.#tags.keys()]) this.delete(name);
  }

  keys() {
    return this.#tags.keys();
  }

  values() {
    return this.#tags.values();
  }

  entries() {
    return this.#tags.entries();
  }

  forEach(callback, self) {
    this.#tags.forEach((value, name) => callback.call(self, value, name, this));
  }

  get size() {
    return this.#tags.size;
  }

  /** The tags as a plain object. */
  toObject() {
    return Object.fromEntries(this.#tags);
  }

  toJSON() {
    return this.toObject();
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `Headers ${inspect(this.toObject(), options)}`;
  }

  /** The same tags without a game. */
  copy() {
    return new Headers(this.#tags);
  }

  [Symbol.iterator]() {
    return this.#tags[Symbol.iterator]();
  }
}

module.exports = { Headers };
