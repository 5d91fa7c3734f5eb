"""What python-chess makes of other formats than PGN, line by line, for comparison with ours.

    moves     moves in SAN                -> the EPD of the position after them
    polyglot  FEN, tab, moves in UCI      -> the key of the position, the moves as numbers
    book      path of a book, tab, FEN    -> the moves of the book and their weights
"""

import sys

import chess
import chess.polyglot


def moves(line):
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    return board.epd()


def polyglot(line):
    fen, ucis = line.split("\t")
    board = chess.Board(fen)
    raw = []
    for uci in ucis.split():
        move = board._to_chess960(chess.Move.from_uci(uci))
        promotion = move.promotion - 1 if move.promotion else 0
        raw.append(str(promotion << 12 | move.from_square << 6 | move.to_square))
    return f"{chess.polyglot.zobrist_hash(board):016x} {' '.join(raw)}"


def book(line):
    path, fen = line.split("\t")
    with chess.polyglot.open_reader(path) as reader:
        entries = reader.find_all(chess.Board(fen), minimum_weight=0)
        return ", ".join(sorted(f"{entry.move.uci()} {entry.weight}" for entry in entries))


FORMATS = {"moves": moves, "polyglot": polyglot, "book": book}


def main():
    answer = FORMATS[sys.argv[1]]
    for line in sys.stdin.read().splitlines():
        print(answer(line))


main()
