"""What python-chess makes of other formats than PGN, line by line, for comparison with ours.

    moves   moves in SAN  ->  the EPD of the position after them
"""

import sys

import chess


def moves(line):
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    return board.epd()


FORMATS = {"moves": moves}


def main():
    answer = FORMATS[sys.argv[1]]
    for line in sys.stdin.read().splitlines():
        print(answer(line))


main()
