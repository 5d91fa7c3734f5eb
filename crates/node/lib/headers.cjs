// The tags of a game.
'use strict';

const native = require('./native.cjs');

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

  /** Sets a tag. `FEN` also sets the starting position; it throws if the game has moves. */
  set(name, value) {
    if (!/^[A-Za-z0-9_+#=:-]+$/.test(name)) throw new RangeError(`not the name of a tag: ${JSON.stringify(name)}`);
    if (this.#game) native.setTag(this.#game, name, String(value));
    this.#tags.set(name, String(value));
    return this;
  }

  has(name) {
    return this.#tags.has(name);
  }

  delete(name) {
    if (this.#game) native.removeTag(this.#game, name);
    return this.#tags.delete(name);
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

  /** The same tags without a game. */
  copy() {
    return new Headers(this.#tags);
  }

  [Symbol.iterator]() {
    return this.#tags[Symbol.iterator]();
  }
}

module.exports = { Headers };
