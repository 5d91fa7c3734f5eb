// Reads games in Node with one library and touches the SAN and FEN of every node.
//
//   node read.mjs LIBRARY FILE     prints: nodes, letters of all SAN and FEN
//
// mliebelt gives no positions and checks no move: it prints the number of games only. chess.js
// drops variations and cannot read some games: it prints what it could.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [library, file] = process.argv.slice(2);
const text = fs.readFileSync(file, 'utf8');

/** The texts of single games, for libraries that read one at a time. */
function games() {
  return text.replaceAll('\r', '').split(/\n\n(?=\[Event )/);
}

/** Games are forgotten after their turn. */
function gametree() {
  const { iterGames } = require('../../../crates/node/index.cjs');
  return walk(iterGames(text));
}

/** All games are kept, as chessops keeps them. */
function kept() {
  const { readGames } = require('../../../crates/node/index.cjs');
  return walk(readGames(text));
}

function walk(games) {
  let [nodes, letters] = [0, 0];
  for (const game of games) {
    for (const node of game) {
      if (node.parent === null) continue;
      nodes += 1;
      letters += node.san().length + node.fen().length;
    }
  }
  return `${nodes} ${letters}`;
}

async function chessops() {
  const { parsePgn, startingPosition } = await import('chessops/pgn');
  const { makeSanAndPlay, parseSan } = await import('chessops/san');
  const { makeFen } = await import('chessops/fen');
  let [nodes, letters] = [0, 0];
  for (const game of parsePgn(text)) {
    const start = startingPosition(game.headers);
    if (start.isErr) continue;
    const open = [[game.moves, start.value]];
    while (open.length > 0) {
      const [node, position] = open.pop();
      for (const child of node.children) {
        const after = position.clone();
        const move = parseSan(after, child.data.san);
        if (!move) continue;
        letters += makeSanAndPlay(after, move).length + makeFen(after.toSetup()).length;
        nodes += 1;
        open.push([child, after]);
      }
    }
  }
  return `${nodes} ${letters}`;
}

async function chessjs() {
  const { Chess } = await import('chess.js');
  let [nodes, letters] = [0, 0];
  for (const game of games()) {
    const chess = new Chess();
    try {
      chess.loadPgn(game);
    } catch {
      continue;
    }
    for (const { san, after } of chess.history({ verbose: true })) {
      nodes += 1;
      letters += san.length + after.length;
    }
  }
  return `${nodes} ${letters}`;
}

async function mliebelt() {
  const { parseGames } = require('@mliebelt/pgn-parser');
  let count = 0;
  for (const game of games()) {
    try {
      count += parseGames(game).length;
    } catch {
      continue;
    }
  }
  return `${count}`;
}

console.log(await { gametree, kept, chessops, chessjs, mliebelt }[library]());
