// gametree for Node: PGN trees, queries, sums of games.
'use strict';

module.exports = {
  ...require('./lib/constants.cjs'),
  ...pick(require('./lib/move.cjs'), ['Move', 'Piece']),
  ...require('./lib/board.cjs'),
  ...require('./lib/headers.cjs'),
  ...pick(require('./lib/game.cjs'), ['Game', 'GameNode']),
  ...require('./lib/read.cjs'),
};

function pick(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}
