"""A query and opening statistics on Spark, with two workers of this machine.

    python spark_example.py OUT FILES…

OUT is a folder for the results that all workers can reach. Running it again reuses the results.
"""

import sys

import chess
from pyspark.sql import SparkSession

from gametree import cluster


def main(out, *files):
    # For other machines: spark-submit --master …; here a task may fail three times.
    session = SparkSession.builder.master("local[2,4]").getOrCreate()
    print("mates:", cluster.query("mate", files, session, out=out).count)
    index = cluster.opening_index(files, session, out=out)
    for move in index.moves(chess.STARTING_FEN)[:3]:
        print(f"{move.uci}: {move.games} games, {move.white} won, {move.draws} drawn, {move.black} lost")
    session.stop()


# Processes start by importing this file.
if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
