"""A query and opening statistics on Ray, with two workers of this machine.

    python ray_example.py OUT FILES…

OUT is a folder for the results that all workers can reach. Running it again reuses the results.
"""

import sys

import chess
import ray

from gametree import cluster


def main(out, *files):
    # For other machines: ray.init("ray://head:10001").
    ray.init(num_cpus=2)
    print("mates:", cluster.query("mate", files, "ray", out=out).count)
    index = cluster.opening_index(files, "ray", out=out)
    for move in index.moves(chess.STARTING_FEN)[:3]:
        print(f"{move.uci}: {move.games} games, {move.white} won, {move.draws} drawn, {move.black} lost")
    ray.shutdown()


# Processes start by importing this file.
if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
