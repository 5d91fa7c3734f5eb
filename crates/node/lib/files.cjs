// Files of games: reading, writing, queries, audits, merges and the graph of positions.
'use strict';

const native = require('./native.cjs');
const check = require('./check.cjs');
const { Game, wrap } = require('./game.cjs');
const { readGames } = require('./read.cjs');
const { origin, parse, path, run, translate } = require('./work.cjs');

/**
 * The games of files or folders of any size, compressed or not, read on other threads.
 *
 * @example
 * const { openGames } = require('gametree');
 * let count = 0;
 * for await (const game of openGames('examples/repertoire.pgn')) count += game.countNodes() > 1;
 * assert.ok(count > 0);
 */
async function* openGames(source, { threads, signal } = {}) {
  signal?.throwIfAborted();
  const stream = open(source, threads);
  try {
    for (;;) {
      const games = await next(stream);
      if (games.length === 0) return;
      for (const game of games) {
        signal?.throwIfAborted();
        yield wrap(game);
      }
    }
  } finally {
    native.closeStream(stream);
  }
}

function open(source, threads) {
  try {
    return native.openStream(origin(source), check.count(threads, 'threads', 1));
  } catch (error) {
    throw translate(error, '');
  }
}

/** The next games of a stream that are not an empty batch. */
async function next(stream) {
  try {
    return await native.nextGames(stream);
  } catch (error) {
    throw translate(error, '');
  }
}

/** Writes games to a file: whole or not at all, compressed if the name ends in .gz, .bz2 or .zst. */
async function writeGames(file, games) {
  const name = path(file);
  const all = games instanceof Game ? [games] : [...games];
  if (!all.every((game) => game instanceof Game)) throw new TypeError('expected games to write');
  const text = native.joinGames(all.map((game) => game._handle));
  await run(undefined, () => native.writeText(name, text));
}

/**
 * Runs a CQL query on other threads. Rejects with a `CqlError` if it cannot be compiled, and with
 * the reason of the signal if that aborts.
 *
 * @example
 * const { query, readGames } = require('gametree');
 * const games = readGames('1. f3 e5 2. g4 Qh4# 0-1');
 * const found = await query('mate', games);
 * assert.equal(found.matches[0].positions[0].path, '1.f3 e5 2.g4 Qh4#');
 */
async function query(cql, source, { signal, limit, count = false, threads } = {}) {
  check.text(cql, 'a query');
  const options = { count, limit: check.count(limit, 'limit'), threads: check.count(threads, 'threads', 1) };
  const answer = await run(signal, (stop) => native.query(cql, origin(source), options, stop), cql);
  const [counts, ...matches] = answer.split('\n');
  return { ...parse(counts), matches: matches.map((json) => new QueryMatch(json)) };
}

/** The matching positions of a game. A search may find millions: JSON is read when asked for. */
class QueryMatch {
  #json;

  constructor(json) {
    this.#json = json;
  }

  #parsed() {
    if (typeof this.#json === 'string') this.#json = parse(this.#json);
    return this.#json;
  }

  get file() {
    return this.#parsed().file;
  }

  get game() {
    return this.#parsed().game;
  }

  get positions() {
    return this.#parsed().positions;
  }

  get comments() {
    return this.#parsed().comments;
  }

  toJSON() {
    return this.#parsed();
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `QueryMatch ${inspect(this.#parsed(), options)}`;
  }
}

/** The problems of a repertoire, worst first: what `gametree audit --json` writes. */
async function audit(source, { side, signal } = {}) {
  return parse(await run(signal, (stop) => native.audit(origin(source), side, stop)));
}

/** The games of the sources merged into one tree for each starting position. */
async function merge(source, { signal } = {}) {
  return readGames(await run(signal, (stop) => native.merge(origin(source), stop)));
}

/**
 * The positions of some games, each once, with all paths that lead to it.
 *
 * @example
 * const { Graph, readGames } = require('gametree');
 * const games = readGames('1. d4 Nf6 2. c4 e6 * 1. c4 Nf6 2. d4 g6 *');
 * const graph = await Graph.of(games);
 * const moves = (await graph.at('d4 Nf6 c4')).continuations.map(({ move }) => move);
 * assert.deepEqual(moves, ['2...e6', '2...g6']);
 */
class Graph {
  #native;
  #counts;

  constructor(graph) {
    this.#native = graph;
    this.#counts = parse(native.graphCounts(graph));
  }

  /** Reads the positions of files or games. */
  static async of(source, { signal } = {}) {
    const [graph] = await run(signal, (stop) => native.readGraph(origin(source), stop));
    return new Graph(graph);
  }

  /** Games. */
  get games() {
    return this.#counts.games;
  }

  /** Different positions. */
  get positions() {
    return this.#counts.counts.positions;
  }

  /** Different moves, each once for each position in which it is played. */
  get moves() {
    return this.#counts.moves;
  }

  /** Positions that several paths reach. */
  get transposed() {
    return this.#counts.counts.transposed;
  }

  /** Move orders and continuations of a position, given by its FEN or by moves (`d4 Nf6 c4`). */
  async at(place = '') {
    const isFen = check.text(place, 'a position').includes('/');
    // Position 0 is the start.
    const moves = isFen ? null : place || '0';
    return parse(await native.graphAt(this.#native, isFen ? place : null, moves));
  }

  /** The positions that several paths reach. */
  async transpositions({ limit = 0xffffffff, signal } = {}) {
    return parse(await run(signal, (stop) => native.graphTranspositions(this.#native, check.count(limit, 'limit'), stop)));
  }
}

module.exports = { Graph, audit, merge, openGames, query, writeGames };
