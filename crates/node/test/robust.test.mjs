// Damaged texts, memory, examples of the documentation, types.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';
import { readGames } from '../index.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../../..');
const require = createRequire(import.meta.url);

/** The same numbers each time (xorshift). */
function* random(seed) {
  let state = seed;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

test('10,000 damaged texts are read, walked and written', () => {
  const names = ['nested.pgn', 'odd.pgn', 'clocks.pgn', 'variants.pgn'];
  const seeds = names.map((name) => fs.readFileSync(path.join(root, 'testdata', name)).subarray(0, 600));
  const numbers = random(2026);
  const next = (limit) => numbers.next().value % limit;
  for (let round = 0; round < 10_000; round += 1) {
    const bytes = Buffer.from(seeds[round % seeds.length]);
    for (let change = 0; change <= next(6); change += 1) {
      const from = next(bytes.length);
      if (next(2)) bytes[from] = next(256);
      else bytes.copy(bytes, next(bytes.length), from, from + next(40));
    }
    for (const game of readGames(bytes)) {
      for (const node of game) assert.equal(typeof (node.comment + node.fen() + node.san()), 'string');
      assert.ok(String(game).length > 0 && Array.isArray(game.errors));
    }
  }
});

test('a million nodes made and dropped leave no memory behind', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const text = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n'.repeat(1_000);
  const round = async () => {
    let nodes = 0;
    for (const game of readGames(text)) for (const node of game) nodes += node.fen().length > 0;
    // Native memory is freed between turns of the event loop.
    await new Promise(setImmediate);
    collect();
    return nodes;
  };
  for (let i = 0; i < 20; i += 1) await round();
  const before = process.memoryUsage().rss;
  let nodes = 0;
  while (nodes < 1_000_000) nodes += await round();
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 30e6, `${grown} bytes more`);
});

const AsyncFunction = (async () => {}).constructor;

/** Runs an example from the root of the project. */
function runExample(code, name) {
  assert.match(code, /require\('gametree'\)/, name);
  const load = (id) => (id === 'gametree' ? require('../index.cjs') : require(id));
  const quiet = { log() {} };
  return new AsyncFunction('require', 'assert', 'console', code)(load, assert, quiet);
}

test('examples of the documentation run', async () => {
  process.chdir(root);
  let count = 0;
  const lib = path.join(here, '../lib');
  for (const name of fs.readdirSync(lib)) {
    const source = fs.readFileSync(path.join(lib, name), 'utf8');
    for (const [, example] of source.matchAll(/@example\n((?: \* .*\n)+)/g)) {
      await runExample(example.replaceAll(/^ \* /gm, ''), name);
      count += 1;
    }
  }
  const readme = fs.readFileSync(path.join(here, '../README.md'), 'utf8');
  for (const [, example] of readme.matchAll(/```js\n([^]*?)```/g)) {
    await runExample(example, 'README.md');
    count += 1;
  }
  assert.ok(count >= 15, `${count} examples`);
});

test('types agree with their use', (context) => {
  let compiler;
  try {
    compiler = require.resolve('typescript/bin/tsc');
  } catch {
    return context.skip('typescript is not installed: npm install in crates/node');
  }
  const args = [compiler, '--strict', '--noEmit', '--exactOptionalPropertyTypes', '--target', 'es2023',
    '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', path.join(here, 'types.mts')];
  try {
    execFileSync(process.execPath, args, { cwd: here, encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout);
  }
  return undefined;
});

test('every export has a type', () => {
  const types = fs.readFileSync(path.join(here, '../index.d.cts'), 'utf8');
  const declared = [...types.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(require('../index.cjs')).sort());
});
