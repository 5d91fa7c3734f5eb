// gametree for Node: PGN trees, queries, sums of games.
'use strict';

const { Move, Piece } = require('./lib/move.cjs');
const { Game, GameNode } = require('./lib/game.cjs');
const { CqlError, SumError } = require('./lib/work.cjs');

module.exports = {
  ...require('./lib/constants.cjs'),
  Move,
  Piece,
  ...require('./lib/board.cjs'),
  ...require('./lib/headers.cjs'),
  Game,
  GameNode,
  CqlError,
  SumError,
  ...require('./lib/read.cjs'),
  ...require('./lib/files.cjs'),
  ...require('./lib/sums.cjs'),
  ...require('./lib/draw.cjs'),
};
