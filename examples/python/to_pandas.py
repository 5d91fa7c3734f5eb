"""A PGN file as pandas data frames: one of games, one of positions.

python to_pandas.py games.pgn

Needs pandas; with Polars, `polars.DataFrame(columns.games)` does the same.
"""

import sys

import pandas

import gametree


def main(path: str) -> None:
    columns = gametree.columns(path, tags=["White", "Black", "Date"], san=True, fens=True)
    games = pandas.DataFrame(columns.games.to_numpy())
    positions = pandas.DataFrame(columns.positions.to_numpy())
    print(games[["White", "Black", "result", "rows"]].to_string())
    moves = positions[positions["ply"] > 0]
    print("\nThe most frequent moves:")
    print(moves["san"].value_counts().head(10).to_string())
    print("\nPlies of a game:")
    print(positions.groupby("game")["ply"].max().describe().to_string())


if __name__ == "__main__":
    main(sys.argv[1])
