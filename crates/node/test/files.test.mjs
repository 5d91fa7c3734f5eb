// Files, queries, the graph, sums and pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as gametree from '../index.mjs';

const { CqlError, Graph, SumError, audit, merge, openGames, query, readGames, solve, value, writeGames } = gametree;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const at = (name) => path.join(root, name);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gametree-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

async function all(games) {
  const found = [];
  for await (const game of games) found.push(game);
  return found;
}

test('files are read as texts are', async () => {
  const file = at('testdata/several.pgn');
  const expected = readGames(fs.readFileSync(file)).map(String);
  for (const ending of ['', '.gz', '.bz2', '.zst']) {
    assert.deepEqual((await all(openGames(file + ending))).map(String), expected, ending);
  }
  assert.deepEqual((await all(openGames(pathToFileURL(file)))).map(String), expected);
  assert.equal((await all(openGames([file, file]))).length, 2 * expected.length);
  assert.ok((await all(openGames(at('testdata')))).length > expected.length);
});

test('a missing file is ENOENT', async () => {
  await assert.rejects(all(openGames('missing.pgn')), { code: 'ENOENT' });
  await assert.rejects(query('mate', 'missing.pgn'), { code: 'ENOENT' });
});

test('wrong arguments are told before anything happens', async () => {
  const file = at('testdata/several.pgn');
  for (const threads of [-1, 0, 1.5, NaN]) await assert.rejects(all(openGames(file, { threads })), RangeError);
  assert.ok((await all(openGames(file, { threads: 1e9 }))).length > 0);
  await assert.rejects(query('mate', file, { limit: -1 }), RangeError);
  await assert.rejects(query(null, file), TypeError);
  await assert.rejects(writeGames(null, []), TypeError);
  await assert.rejects(solve('1', { time: -1 }), RangeError);
  assert.equal((await solve('1', { time: Infinity })).outcome, 'L');
});

test('a loop over games can be left', async () => {
  const file = path.join(folder, 'many.pgn');
  fs.writeFileSync(file, '1. e4 e5 2. Nf3 *\n\n'.repeat(50_000));
  for await (const game of openGames(file)) {
    assert.equal(game.end().san(), 'Nf3');
    break;
  }
  assert.equal((await all(openGames(file))).length, 50_000);
});

test('written games are read back', async () => {
  const games = readGames('1. e4 {a} (1. d4) e5 * [White "X"] 1. c4 *');
  for (const name of ['out.pgn', 'out.pgn.zst']) {
    const file = path.join(folder, name);
    await writeGames(file, games);
    assert.deepEqual((await all(openGames(file))).map(String), games.map(String));
  }
  await assert.rejects(writeGames(path.join(folder, 'no/such/folder.pgn'), games));
  await assert.rejects(writeGames(path.join(folder, 'x.pgn'), ['1. e4']), TypeError);
});

test('queries', async () => {
  const games = readGames('1. f3 e5 2. g4 Qh4# 0-1 [Event "x"] 1. e4 *');
  const found = await query('mate', games);
  assert.deepEqual([found.games, found.positions], [1, 1]);
  assert.equal(found.matches[0].positions[0].path, '1.f3 e5 2.g4 Qh4#');
  const counted = await query('mate', games, { count: true });
  assert.deepEqual([counted.games, counted.matches], [1, []]);
  const error = await query('mate änd', games).catch((error) => error);
  assert.ok(error instanceof CqlError && error instanceof SyntaxError);
  assert.deepEqual([error.errors[0].start, error.errors[0].end], [5, 6]);
});

test('an abort ends a query', async () => {
  const file = path.join(folder, 'large.pgn');
  fs.writeFileSync(file, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n\n'.repeat(100_000));
  await assert.rejects(query('mate', file, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  const slow = 'square x in . square y in . square z in . (x attacks y and y attacks z and z attacks x and y attacks x)';
  const aborted = query(slow, file, { signal: AbortSignal.timeout(50) });
  await assert.rejects(aborted, { name: 'TimeoutError' });
});

test('audit, merge and graph', async () => {
  const repertoire = at('examples/repertoire.pgn');
  const findings = await audit(repertoire, { side: 'white' });
  assert.ok(findings.some(({ kind }) => kind === 'dead-end'));
  await assert.rejects(audit(repertoire, { side: 'left' }), /white/);
  const [merged] = await merge(readGames('1. e4 e5 * 1. e4 c5 *'));
  assert.deepEqual(merged.next().variations.map((node) => node.san()), ['e5', 'c5']);
  const graph = await Graph.of(readGames('1. d4 Nf6 2. c4 e6 * 1. c4 Nf6 2. d4 g6 *'));
  assert.deepEqual([graph.games, graph.transposed], [2, 1]);
  const here = await graph.at('c4 Nf6 d4');
  assert.deepEqual(here.continuations.map(({ move }) => move), ['2...e6', '2...g6']);
  assert.deepEqual(await graph.at(here.fen), here);
  assert.equal((await graph.at()).continuations.length, 2);
  assert.equal((await graph.transpositions()).length, 1);
  assert.equal((await graph.transpositions({ limit: 0 })).length, 0);
  await assert.rejects(graph.at('e4'), Error);
});

test('sums', async () => {
  assert.deepEqual((await solve('clobber XO', { moves: true })).winningMoves, { left: ['a1-b1'], right: ['b1-a1'] });
  assert.equal((await solve('1 + -1')).outcome, 'P');
  assert.equal((await solve('1/2')).outcome, 'L');
  const { value: form, leftStop, mean } = await value('{3|1}');
  assert.deepEqual([form, leftStop, mean], ['{3|1}', '3', '2']);
  const error = await solve('clobber XO + foo 3').catch((error) => error);
  assert.ok(error instanceof SumError);
  assert.equal(error.errors[0].start, 13);
  const before = performance.now();
  await solve(`clobber ${'XO'.repeat(30)}`, { time: 0.5, moves: true });
  assert.ok(performance.now() - before < 5_000);
  const large = `domineering ${Array(9).fill('.........').join('|')}`;
  const given = await solve(large, { time: 0.1 });
  assert.equal(given.outcome, null);
  assert.ok(given.gaveUp);
  await assert.rejects(solve(large, { signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' });
});

test('pictures', () => {
  const [game] = readGames('1. e4 e5 (1... c5) *');
  assert.match(gametree.drawTree(game), /<svg/);
  assert.match(gametree.drawTree(game, { dark: true, depth: 0 }), /<svg/);
  assert.notEqual(gametree.drawBoard(game.end()), gametree.drawBoard(game.end(), { flipped: true }));
  assert.throws(() => gametree.drawBoard('nonsense'), /invalid FEN/);
});
