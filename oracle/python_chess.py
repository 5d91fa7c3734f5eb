"""What python-chess makes of games, for comparison with ours.

Reads games from standard input, each as a line with its length in bytes and then so many bytes of
UTF-8, and writes for each game: a line `G` with the number of errors, or `X` with the exception
that python-chess raised; a line `H` for each header; a line `N` for each node in preorder (SAN,
FEN, NAGs, starting comment, comment, number of children); a line `E`. Fields are separated by
tabs; backslash, tab and line ends in them are escaped.
"""

import io
import logging
import sys

import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def escape(text):
    for char, name in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(char, name)
    return text


def line(kind, *fields):
    sys.stdout.write("\t".join([kind] + [escape(str(field)) for field in fields]) + "\n")


def dump_node(node, board, san):
    nags = " ".join(str(nag) for nag in sorted(node.nags))
    fen = board.fen()
    line("N", san, fen, nags, node.starting_comment, node.comment, len(node.variations))


def dump_tree(game):
    board = game.board()
    dump_node(game, board, "")
    stack = [iter(game.variations)]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            if stack:
                board.pop()
            continue
        san = board.san(node.move)
        board.push(node.move)
        dump_node(node, board, san)
        stack.append(iter(node.variations))


def dump(text):
    try:
        game = chess.pgn.read_game(io.StringIO(text))
        if game is None:
            line("G", 0)
            return
        line("G", len(game.errors))
        for name, value in game.headers.items():
            line("H", name, value)
        dump_tree(game)
    except Exception as error:
        line("X", type(error).__name__)


def main():
    while length := sys.stdin.buffer.readline():
        text = sys.stdin.buffer.read(int(length)).decode()
        dump(text.replace("\r\n", "\n").replace("\r", "\n"))
        line("E")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
