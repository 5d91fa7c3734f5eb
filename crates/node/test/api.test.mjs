// The API that users of pgn-chess-tree know.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import * as gametree from '../index.mjs';

const { Board, Game, GameNode, Headers, Move, Piece, readGame, readGames } = gametree;
const NESTED = '[White "A"]\n[Black "B"]\n\n1. e4 {best [%clk 0:01:02] [%eval 0.31]} e5! ({alt} 1... c5 2. Nf3 (2. c3) d6) 2. Nf3 Nc6 *';

test('CommonJS and ES modules are the same objects', () => {
  const common = createRequire(import.meta.url)('../index.cjs');
  const names = Object.keys(common).sort();
  assert.deepEqual(Object.keys(gametree).filter((name) => name !== 'default').sort(), names);
  for (const name of names) assert.equal(gametree[name], common[name], name);
});

test('an alternative is a sibling of the move it replaces', () => {
  const game = readGame(NESTED);
  const e4 = game.variations[0];
  assert.deepEqual(e4.variations.map((node) => node.san()), ['e5', 'c5']);
  assert.deepEqual(e4.variations[1].variations.map((node) => node.san()), ['Nf3', 'c3']);
  assert.equal(e4.variations[1].startingComment, 'alt');
  assert.ok(e4.variations[1].startsVariation());
});

test('a node is one object', () => {
  const game = readGame(NESTED);
  assert.ok(game instanceof Game && game instanceof GameNode);
  assert.equal(game.variations[0], game.next());
  assert.equal(game.next().parent, game);
  assert.equal(game.end().root(), game);
  assert.ok(game.next() instanceof GameNode && !(game.next() instanceof Game));
  assert.equal(game.next().move, game.next().move);
});

test('the root has neither parent nor move', () => {
  const game = readGame(NESTED);
  assert.deepEqual([game.parent, game.move, game.san(), game.uci(), game.ply()], [null, null, null, null, 0]);
});

test('variations read like an array', () => {
  const { variations } = readGame(NESTED).next();
  assert.ok(Array.isArray(variations));
  assert.equal(variations.length, 2);
  assert.equal([...variations][1], variations.at(-1));
});

test('headers', () => {
  const { headers } = readGame(NESTED);
  assert.deepEqual([...headers], [['White', 'A'], ['Black', 'B']]);
  assert.equal(headers.get('Elo'), undefined);
  headers.set('Elo', '2700');
  assert.ok(headers.has('Elo'));
  headers.delete('White');
  assert.deepEqual([...headers.keys()], ['Black', 'Elo']);
  assert.throws(() => headers.set('a b', 'x'), RangeError);
  assert.deepEqual(new Headers({ A: '1' }).toObject(), { A: '1' });
});

test('annotations are read and written', () => {
  const game = readGame(NESTED);
  const e4 = game.next();
  assert.deepEqual([e4.clock, e4.eval, e4.mate], [62, 0.31, null]);
  assert.deepEqual([...e4.next().nags], [1]);
  e4.clock = 61.5;
  e4.eval = -1.5;
  e4.next().nags.add(14);
  e4.next().nags.delete(1);
  e4.arrows = [{ color: 'red', tail: gametree.E4, head: gametree.E5 }];
  e4.shapes = [{ color: 'green', square: gametree.D4 }];
  e4.next().comment = 'plain';
  const again = readGame(String(game)).next();
  assert.deepEqual([again.clock, again.eval], [61.5, -1.5]);
  assert.deepEqual([...again.next().nags], [14]);
  assert.deepEqual(again.arrows, [{ color: 'red', tail: 28, head: 36 }]);
  assert.deepEqual(again.shapes, [{ color: 'green', square: 27 }]);
  assert.equal(again.next().comment, 'plain');
  e4.clock = null;
  e4.eval = null;
  assert.deepEqual([e4.clock, e4.eval], [null, null]);
});

test('mates are infinite evaluations', () => {
  const game = readGame('1. e4 {[%eval #-3]} *');
  assert.deepEqual([game.next().eval, game.next().mate], [-Infinity, -3]);
});

test('wrong moves are collected and do not throw', () => {
  const game = readGame('1. e4 e5 2. Ke3 Nc6 *');
  assert.equal(game.errors.length, 1);
  const [error] = game.errors;
  assert.deepEqual([error.san, error.line, error.column], ['Ke3', 1, 13]);
  assert.equal(readGame(''), null);
  assert.deepEqual(readGames('  \n'), []);
  assert.throws(() => readGame(null), TypeError);
});

test('games come one after another', () => {
  const text = '1. e4 * '.repeat(200);
  assert.equal([...gametree.iterGames(text)].length, 200);
  for (const game of gametree.iterGames(text)) {
    assert.equal(game.end().san(), 'e4');
    break;
  }
});

test('edits', () => {
  const game = readGame(NESTED);
  const e4 = game.next();
  const [e5, c5] = e4.variations;
  const e6 = e4.addVariation(Move.fromUci('e7e6'), { comment: 'French', nags: [5] });
  e6.promote();
  assert.deepEqual(e4.variations, [e5, e6, c5]);
  e6.promoteToMain();
  assert.deepEqual(e4.variations, [e6, e5, c5]);
  e6.demote();
  assert.deepEqual(e4.variations, [e5, e6, c5]);
  assert.ok(!e6.isMainline() && e5.isMainline());
  const last = game.end().addLine([Move.fromUci('f1b5'), Move.fromUci('a7a6')], { comment: 'Spanish' });
  assert.deepEqual([last.san(), last.comment, last.moveNumber()], ['a6', 'Spanish', 4]);
  e4.removeVariation(c5);
  assert.deepEqual([c5.parent, e4.variations.length], [null, 2]);
  assert.throws(() => c5.fen(), /removed/);
  const main = game.addMainVariation(Move.fromUci('d2d4'));
  assert.equal(game.next(), main);
  const text = '1. d4 ( 1. e4 { best [%clk 0:01:02] [%eval 0.31] } 1... e5 $1 ( 1... e6 $5 { French } ) 2. Nf3 Nc6 3. Bb5 a6 { Spanish } ) *';
  assert.equal(String(game).split('\n\n')[1].replaceAll('\n', ' ').trim(), text);
});

test('illegal moves are refused and change nothing', () => {
  const game = readGame(NESTED);
  const before = String(game);
  assert.throws(() => game.addVariation(Move.fromUci('e2e5')), /illegal move e2e5/);
  assert.throws(() => game.addLine([Move.fromUci('d2d4'), Move.fromUci('d2d4')]), /illegal/);
  assert.throws(() => game.addVariation('e2e4'), TypeError);
  assert.equal(String(game), before);
  assert.equal(game.variations.length, 1);
});

test('many moves added one by one cost the same each', () => {
  const game = new Game();
  let node = game;
  for (let i = 0; i < 20_000; i += 1) node = node.addVariation(Move.fromUci(['g1f3', 'g8f6', 'f3g1', 'f6g8'][i % 4]));
  assert.equal(game.countNodes(), 20_001);
  assert.equal(node.ply(), 20_000);
  assert.equal(node.san(), 'Ng8');
});

test('walking', () => {
  const game = readGame(NESTED);
  assert.deepEqual([...game.mainline()].map((node) => node.san()), ['e4', 'e5', 'Nf3', 'Nc6']);
  assert.deepEqual([...game.mainlineMoves()].map(String), ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
  assert.deepEqual([...game].slice(1).map((node) => node.san()), ['e4', 'e5', 'Nf3', 'Nc6', 'c5', 'Nf3', 'd6', 'c3']);
  assert.ok(game.end().isEnd() && game.end().isMainline());
  assert.equal(game.end().next(), null);
  assert.equal(game.accept({ visitGameNode: (node) => node.countNodes() }), 9);
});

test('texts of nodes do not depend on the order in which they are asked', () => {
  const inOrder = [...readGame(NESTED)].map((node) => [node.san(), node.fen()]);
  const nodes = [...readGame(NESTED)];
  const backwards = nodes.toReversed().map((node) => [node.san(), node.fen()]);
  assert.deepEqual(backwards.toReversed(), inOrder);
  for (const node of nodes) assert.equal(node.board().fen(), node.fen());
});

test('boards play and take back', () => {
  const board = new Board();
  board.pushSan('e4');
  board.pushUci('d7d5');
  assert.deepEqual([board.turn, board.fullmoveNumber, board.halfmoveClock], [gametree.WHITE, 2, 0]);
  assert.equal(board.epSquare, gametree.D6);
  assert.equal(board.castlingRights, gametree.CASTLING_ALL);
  assert.equal(board.san(board.parseSan('exd5')), 'exd5');
  const copy = board.copy();
  assert.equal(board.pop().uci(), 'd7d5');
  assert.equal(board.pop().uci(), 'e2e4');
  assert.equal(board.pop(), null);
  assert.equal(board.fen(), gametree.STARTING_FEN);
  assert.equal(copy.pop().uci(), 'd7d5');
  assert.throws(() => board.push(Move.fromUci('e2e5')), /illegal/);
  assert.throws(() => board.setFen('nonsense'), /invalid FEN/);
  assert.throws(() => board.pieceAt(64), RangeError);
  assert.deepEqual(board.pieceAt(gametree.E1), new Piece(gametree.KING, gametree.WHITE));
  assert.equal(board.king(gametree.BLACK), gametree.E8);
});

test('the board of a node goes back along its line', () => {
  const board = readGame(NESTED).end().board();
  const played = [];
  for (let move = board.pop(); move; move = board.pop()) played.push(move.uci());
  assert.deepEqual(played, ['b8c6', 'g1f3', 'e7e5', 'e2e4']);
  assert.equal(board.fen(), gametree.STARTING_FEN);
});

test('mate, stalemate and check', () => {
  const mated = readGame('1. f3 e5 2. g4 Qh4# *').end().board();
  assert.ok(mated.isCheckmate() && mated.isCheck() && mated.isGameOver());
  assert.equal([...mated.legalMoves()].length, 0);
  assert.ok(new Board('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1').isStalemate());
});

/** Positions after so many half-moves: https://www.chessprogramming.org/Perft_Results */
function perft(board, depth) {
  if (depth === 0) return 1;
  let count = 0;
  for (const move of board.legalMoves()) {
    board.push(move);
    count += perft(board, depth - 1);
    board.pop();
  }
  return count;
}

test('legal moves are those of published counts', () => {
  assert.equal(perft(new Board(), 3), 8902);
  const kiwipete = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
  assert.equal(perft(new Board(kiwipete), 2), 2039);
});

test('moves', () => {
  assert.equal(Move.fromUci('a7a8q').promotion, gametree.QUEEN);
  assert.equal(Move.fromUci('N@f3').drop, gametree.KNIGHT);
  assert.equal(Move.null().uci(), '0000');
  assert.ok(Move.fromUci('e2e4').equals(new Move(12, 28)));
  assert.ok(!Move.fromUci('e2e4').equals(Move.fromUci('e2e3')));
  assert.throws(() => Move.fromUci('e9e4'), SyntaxError);
});

test('games from a position', () => {
  const fen = '8/8/8/8/8/4k3/4p3/4K3 b - - 3 60';
  const game = Game.fromFen(fen);
  assert.equal(game.fen(), fen);
  assert.equal(game.moveNumber(), 60);
  assert.match(String(game), /\[FEN "8\/8/);
  assert.equal(Game.fromBoard(new Board(fen)).fen(), fen);
  assert.throws(() => Game.fromFen('x'), /invalid FEN/);
  const played = readGame('1. e4 *');
  assert.throws(() => played.headers.set('FEN', fen), /cannot change/);
});

test('Chess960 castling is written as UCI writes it', () => {
  const game = readGame('1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *');
  assert.equal(game.end().uci(), 'e1g1');
  const fen = 'nrk1brnb/pp1ppppp/2p5/3q4/5P2/PP6/2PPP1PP/NRK1BRNB w FBfb - 0 4';
  const shuffled = readGame(`[Variant "Chess960"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n1. Nf3 Nf6 2. Ng5 Qxg2 3. Bxg2 *`);
  assert.deepEqual(shuffled.errors, []);
});

test('tags and the game agree', () => {
  const game = readGame('1. e4 e5 *');
  game.headers.set('Result', '1-0');
  assert.match(String(game), /1-0\n*$/);
  const fen = '8/8/8/8/8/4k3/4p3/4K3 b - - 3 60';
  const ending = Game.fromFen(fen);
  ending.headers.delete('FEN');
  assert.equal(ending.fen(), gametree.STARTING_FEN);
  const house = new Game();
  house.headers.set('Variant', 'Crazyhouse');
  assert.match(house.fen(), /\[\]/);
  assert.throws(() => game.headers.set('Variant', 'Atomic'), /cannot change/);
});

test('boards of variants can be entered again', () => {
  const game = readGame('[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *');
  const board = game.end().board();
  assert.equal(new Board(board.fen()).fen(), board.fen());
  assert.equal(Game.fromBoard(board).fen(), board.fen());
  assert.match(gametree.drawBoard(board), /<svg/);
  board.setFen(board.fen());
  board.reset();
  assert.match(board.fen(), /\[\]/);
});

test('castling is one move, however it is given', () => {
  const game = readGame('1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *');
  const node = game.end().addVariation(Move.fromUci('e1h1'));
  assert.equal(node.uci(), 'e1g1');
  assert.ok(game.end().parent.hasVariation(Move.fromUci('e1g1')));
});

test('handles cannot be changed by accident', () => {
  const game = readGame(NESTED);
  assert.throws(() => game.next().variations.push(game), TypeError);
  assert.throws(() => {
    game.next().move.toSquare = 5;
  }, TypeError);
});

test('wrong arguments', () => {
  const game = readGame(NESTED);
  const before = String(game);
  const node = game.next();
  assert.throws(() => node.addVariation(Move.fromUci('d7d5'), { nags: [-1] }), RangeError);
  assert.throws(() => {
    node.eval = NaN;
  }, RangeError);
  assert.throws(() => {
    node.evaluation = { pawns: 1, depth: -1 };
  }, RangeError);
  assert.throws(() => {
    node.comment = 5;
  }, TypeError);
  assert.throws(() => new Board(null), TypeError);
  assert.throws(() => new Board().pushSan(null), TypeError);
  assert.throws(() => game.headers.set('White', undefined), TypeError);
  assert.equal(String(game), before);
  assert.ok(!new Board().isLegal(Move.null()));
});

test('an evaluation assigned to itself stays', () => {
  const game = readGame('1. e4 {[%eval #-3]} *');
  const before = String(game);
  game.next().eval = game.next().eval;
  assert.equal(String(game), before);
  game.next().comment = 'a\r\nb';
  assert.equal(game.next().comment, 'a\nb');
});

test('games, nodes and boards as JSON', () => {
  const game = readGame(NESTED);
  assert.equal(JSON.parse(JSON.stringify(game)).headers.White, 'A');
  assert.equal(JSON.parse(JSON.stringify(game.next())).san, 'e4');
  assert.equal(JSON.parse(JSON.stringify(new Board())), gametree.STARTING_FEN);
});

test('constants are numbered as in python-chess', () => {
  assert.deepEqual([gametree.A1, gametree.E4, gametree.H8], [0, 28, 63]);
  assert.deepEqual([gametree.NAG_GOOD_MOVE, gametree.NAG_MISTAKE, gametree.NAG_BRILLIANT_MOVE, gametree.NAG_BLUNDER], [1, 2, 3, 4]);
  assert.deepEqual([gametree.PAWN, gametree.KING, gametree.WHITE], [1, 6, true]);
});
