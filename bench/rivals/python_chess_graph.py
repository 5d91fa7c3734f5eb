"""python-chess with a dictionary of board.epd(): each position once, with its moves, how often each
was played, and its origins in order of discovery. Prints `games moves positions`."""

import resource
import sys

import chess.pgn


def add(graph, game):
    """Adds a game's tree, variations too, and returns its number of moves."""
    board, moves = game.board(), 0
    graph.setdefault(board.epd(), ({}, []))
    todo = [(child, board) for child in reversed(game.variations)]
    while todo:
        node, board = todo.pop()
        parent = board.epd()
        board = board.copy(stack=False)
        board.push(node.move)
        key = board.epd()
        out, move = graph[parent][0], node.move.uci()
        if move not in out:
            graph.setdefault(key, ({}, []))[1].append((parent, len(out)))
        out[move] = out.get(move, 0) + 1
        todo += [(child, board) for child in reversed(node.variations)]
        moves += 1
    return moves


def main(path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    graph, games, moves = {}, 0, 0
    with open(path, encoding="utf-8", errors="replace") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            games += 1
            moves += add(graph, game)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{(after - before) * 1024 / len(graph):.1f} bytes per position", file=sys.stderr)
    print(games, moves, len(graph))


main(sys.argv[1])
