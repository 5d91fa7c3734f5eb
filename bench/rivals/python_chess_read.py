"""python-chess reading every game of a file into its tree: prints `games moves`."""

import sys

import chess.pgn


def moves_below(game):
    todo, moves = [game], 0
    while todo:
        node = todo.pop()
        moves += len(node.variations)
        todo.extend(node.variations)
    return moves


def main(path):
    games = moves = 0
    with open(path, encoding="utf-8", errors="replace") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            games += 1
            moves += moves_below(game)
    print(games, moves)


main(sys.argv[1])
