// Sums of combinatorial games.
'use strict';

const native = require('./native.cjs');
const check = require('./check.cjs');
const { parse, run } = require('./work.cjs');

/**
 * Who wins a sum: `outcome` is N (the first player), P (the second), L or R (that player, whoever
 * moves first), or null if the limits were too tight (see `gaveUp`). With `moves: true`, also the
 * winning first moves of each player.
 *
 * @example
 * const { solve } = require('gametree');
 * assert.equal((await solve('clobber XO')).outcome, 'N');
 * assert.equal((await solve('*2 + *3 + *1')).outcome, 'P');
 */
async function solve(sum, { moves = false, time, memory, signal } = {}) {
  const text = check.text(sum, 'a sum');
  return parse(await run(signal, (stop) => native.solve(text, moves, limits(time, memory), stop), text));
}

/**
 * The canonical form of a sum with its outcome, stops, mean and temperature. Rejects if the limits
 * are too tight.
 *
 * @example
 * const { value } = require('gametree');
 * const { value: form, temperature } = await value('domineering ..|..');
 * assert.deepEqual([form, temperature], ['+-1', '1']);
 */
async function value(sum, { time, memory, signal } = {}) {
  const text = check.text(sum, 'a sum');
  return parse(await run(signal, (stop) => native.value(text, limits(time, memory), stop), text));
}

function limits(time, memory) {
  return { time: check.limit(time, 'time'), memory: check.limit(memory, 'memory') };
}

module.exports = { solve, value };
