"""A query and opening statistics with two processes of this machine.

    python local_example.py OUT FILES…

OUT is a folder for the results that all workers can reach. Running it again reuses the results.
"""

import sys

import chess

from gametree import cluster


def main(out, *files):
    print("mates:", cluster.query("mate", files, "local", out=out, workers=2).count)
    index = cluster.opening_index(files, "local", out=out, workers=2)
    for move in index.moves(chess.STARTING_FEN)[:3]:
        print(f"{move.uci}: {move.games} games, {move.white} won, {move.draws} drawn, {move.black} lost")


# Processes start by importing this file.
if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
