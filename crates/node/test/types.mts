// Compiled, not run: the types accept what the API offers and refuse what it does not.
import { Board, CqlError, Game, type GameNode, Graph, Headers, Move, NAG_GOOD_MOVE, openGames, query, readGame, solve, value, WHITE, writeGames, drawBoard, drawTree } from '../index.mjs';

const game: Game | null = readGame('1. e4 *');
if (game) {
  const node: GameNode = game.end();
  const san: string | null = node.san();
  const children: readonly GameNode[] = node.variations;
  node.nags.add(NAG_GOOD_MOVE);
  node.nags = [1, 2];
  node.comment = `${san} ${children.length}`;
  node.clock = null;
  const white: string | undefined = game.headers.get('White');
  for (const [name, text] of game.headers) console.log(name, text, white);
  for (const move of node.mainlineMoves()) console.log(move.uci());
  const added: GameNode = node.addLine([Move.fromUci('e7e5')], { comment: 'x' });
  drawBoard(added, { flipped: true });
  drawTree(game);
  // @ts-expect-error a node's parent cannot be set
  node.parent = null;
  // @ts-expect-error a move is not a text
  node.addVariation('e2e4');
}
const board = new Board();
const turn: boolean = board.turn === WHITE;
for (const move of board.legalMoves()) console.log(move.promotion, turn);
const headers = new Headers({ White: 'x' });
console.log(headers.size);

async function work(signal: AbortSignal): Promise<void> {
  for await (const each of openGames('x.pgn', { threads: 2 })) console.log(each.errors[0]?.line);
  try {
    const { matches } = await query('mate', ['a.pgn', 'b.pgn'], { signal });
    console.log(matches[0]?.positions[0]?.fen);
  } catch (error) {
    if (error instanceof CqlError) console.log(error.errors[0]?.start);
  }
  const graph: Graph = await Graph.of('x.pgn');
  console.log((await graph.at('e4')).continuations[0]?.results['1-0']);
  const { outcome } = await solve('clobber XO', { time: 1 });
  const { temperature } = await value('*');
  console.log(outcome === 'N', temperature);
  await writeGames('y.pgn', []);
}
console.log(work);
