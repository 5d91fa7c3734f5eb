"""A query and opening statistics on Dask, with two workers of this machine.

    python dask_example.py OUT FILES…

OUT is a folder for the results that all workers can reach. Running it again reuses the results.
"""

import sys

import chess
from distributed import Client, LocalCluster

from gametree import cluster


def main(out, *files):
    # For other machines: Client("tcp://scheduler:8786").
    with LocalCluster(n_workers=2, threads_per_worker=1) as workers, Client(workers) as client:
        print("mates:", cluster.query("mate", files, client, out=out).count)
        index = cluster.opening_index(files, client, out=out)
        for move in index.moves(chess.STARTING_FEN)[:3]:
            print(f"{move.uci}: {move.games} games, {move.white} won, {move.draws} drawn, {move.black} lost")


# Processes start by importing this file.
if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
