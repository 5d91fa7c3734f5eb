// Pictures as SVG.
'use strict';

const native = require('./native.cjs');
const check = require('./check.cjs');
const { GameNode } = require('./game.cjs');
const { Board } = require('./board.cjs');

/**
 * A board as SVG: of a node (with its last move and arrows), a Board or a FEN.
 *
 * @example
 * const { Board, drawBoard } = require('gametree');
 * assert.match(drawBoard(new Board(), { flipped: true }), /^<svg/);
 */
function drawBoard(position, { dark = false, flipped = false } = {}) {
  const options = { dark, flipped, arcs: false };
  if (position instanceof GameNode) return native.drawNode(position._native, position._id, options);
  if (position instanceof Board) return native.drawPosition(position._native, options);
  return native.drawFen(check.text(position, 'a position'), options);
}

/**
 * The tree below a node as SVG.
 *
 * @example
 * const { drawTree, readGame } = require('gametree');
 * assert.match(drawTree(readGame('1. e4 e5 (1... c5) *')), /^<svg/);
 */
function drawTree(node, { dark = false, flipped = false, arcs = true, depth } = {}) {
  if (!(node instanceof GameNode)) throw new TypeError('expected a game or a node');
  return native.drawTree(node._native, node._id, { dark, flipped, arcs, depth });
}

module.exports = { drawBoard, drawTree };
