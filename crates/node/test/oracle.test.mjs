// Trees in JavaScript equal those of python-chess, node by node.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const python = path.join(root, 'target/oracle/bin/python');
const corpora = path.join(root, '../shared/corpora');
const LARGEST = 100_000;

function compare(...args) {
  const command = [path.join(root, 'oracle/compare.py'), ...args];
  const { status, stdout, stderr } = spawnSync(python, command, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

test('small files', { skip: !fs.existsSync(python) && 'python-chess is not installed: run ./test' }, () => {
  compare('crates/node/tools/convert.mjs', 'testdata', 'examples');
});

test('corpora', { skip: !fs.existsSync(corpora) && '../shared/corpora is not there' }, () => {
  const names = fs.readdirSync(corpora, { recursive: true }).filter((name) => name.endsWith('.pgn'));
  const files = names.map((name) => path.join(corpora, name)).filter((file) => fs.statSync(file).size < LARGEST);
  // Every tenth: the tests of the Rust library read all of them.
  compare('--corpus', 'crates/node/tools/convert.mjs', ...files.sort().filter((_, index) => index % 10 === 0));
});
