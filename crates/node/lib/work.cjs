// Work on other threads: sources of games, abort signals, errors.
'use strict';

const { fileURLToPath } = require('node:url');
const native = require('./native.cjs');
const { Game } = require('./game.cjs');

/** A query or a sum that cannot be read. `errors` lists what is wrong and where. */
class InputSyntaxError extends SyntaxError {
  constructor(message, errors) {
    super(message);
    this.name = new.target.name;
    this.errors = errors;
  }
}

/** A CQL query that cannot be compiled. */
class CqlError extends InputSyntaxError {}

/** A sum of games that cannot be read. */
class SumError extends InputSyntaxError {}

/** The files or the text of a source: a path, a URL, a game, or several of one kind. */
function origin(source) {
  const items = Array.isArray(source) ? source : [source];
  if (items.length > 0 && items.every((item) => item instanceof Game)) {
    return { paths: [], text: native.joinGames(items.map((game) => game._handle)) };
  }
  return { paths: items.map(path) };
}

function path(item) {
  if (item instanceof URL) return fileURLToPath(item);
  if (typeof item !== 'string') throw new TypeError('expected a path, a file URL, a Game, or an array of them');
  if (item.includes('\n')) throw new TypeError('this is text, not a path: read it with readGames first');
  return item;
}

/**
 * Runs native work that heeds a flag, and raises the flag when the signal aborts.
 * @param {AbortSignal | undefined} signal
 * @param {(stop: object) => Promise<any>} start
 * @param {string} text the text in which errors have a place
 */
async function run(signal, start, text = '') {
  signal?.throwIfAborted();
  const stop = native.newStop();
  const raise = () => native.raiseStop(stop);
  signal?.addEventListener('abort', raise, { once: true });
  try {
    return await start(stop);
  } catch (error) {
    throw signal?.aborted ? signal.reason : translate(error, text);
  } finally {
    signal?.removeEventListener('abort', raise);
    signal?.throwIfAborted();
  }
}

/** The error that JavaScript programs expect. */
function translate(error, text) {
  const code = /^(E[A-Z]+): /.exec(error.message);
  if (code) return Object.assign(new Error(error.message), { code: code[1] });
  if (!error.message.startsWith('{')) return error;
  const { cql, sum, errors } = JSON.parse(error.message);
  const placed = errors.map(({ start, end, ...rest }) => ({ ...rest, start: letters(text, start), end: letters(text, end) }));
  return cql === undefined ? new SumError(sum, placed) : new CqlError(cql, placed);
}

/** The index in a string of a place that is counted in bytes of UTF-8. */
function letters(text, bytes) {
  return Buffer.from(text).subarray(0, bytes).toString().length;
}

/** JSON of the native part with names as JavaScript writes them. */
function parse(json) {
  const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  const rename = (value) =>
    Object.fromEntries(Object.entries(value).map(([name, item]) => [camel(name), item]));
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  return JSON.parse(json, (_, value) => (isObject(value) ? rename(value) : value));
}

module.exports = { CqlError, SumError, origin, parse, path, run, translate };
