// Games from texts.
'use strict';

const native = require('./native.cjs');
const { wrap } = require('./game.cjs');

/** The largest number of games in one text. */
const ALL = 0xffffffff;

function bytes(text) {
  if (typeof text === 'string') return Buffer.from(text);
  if (text instanceof Uint8Array) return text;
  throw new TypeError('expected PGN as a string or a Uint8Array; use openGames for files');
}

/**
 * The first game of a text, or null if there is none. Wrong moves are listed in `errors`.
 *
 * @example
 * const { readGame } = require('gametree');
 * assert.equal(readGame('1. e4 e5 *').end().san(), 'e5');
 * assert.equal(readGame(''), null);
 */
function readGame(text) {
  const [game] = native.readGames(bytes(text), 1);
  return game ? wrap(game) : null;
}

/**
 * All games of a text.
 *
 * @example
 * const { readGames } = require('gametree');
 * assert.equal(readGames('1. e4 * 1. d4 *').length, 2);
 */
function readGames(text) {
  return native.readGames(bytes(text), ALL).map(wrap);
}

/** Games that are read together: few enough to forget, enough to make up for the call. */
const BATCH = 64;

/**
 * The games of a text, one after another. Games that are no longer used can be forgotten, so this
 * is faster than `readGames` for many games.
 */
function* iterGames(text) {
  const source = native.openText(bytes(text));
  for (;;) {
    const games = native.nextOfText(source, BATCH);
    if (games.length === 0) return;
    for (const game of games) yield wrap(game);
  }
}

module.exports = { readGame, readGames, iterGames };
