#!/usr/bin/env node
// Writes games as `gametree convert FILE --to json --fens -o -` does, for oracle/compare.py.
import fs from 'node:fs';
import { readGames } from '../index.mjs';

/** The game with its nodes in preorder, each with the place of its parent. */
function describe(game, number) {
  const places = new Map();
  const nodes = [];
  for (const node of game) {
    places.set(node, nodes.length);
    nodes.push({
      parent: places.get(node.parent) ?? null,
      san: node.san(),
      uci: node.uci(),
      fen: node.fen(),
      nags: [...node.nags],
      comment: node.comment,
      starting_comment: node.startingComment,
    });
  }
  const { start, end } = game.source;
  return { game: number, offset: start, bytes: end - start, tags: [...game.headers], nodes };
}

const file = process.argv[3];
readGames(fs.readFileSync(file)).forEach((game, index) => {
  fs.writeSync(1, `${JSON.stringify(describe(game, index + 1))}\n`);
});
