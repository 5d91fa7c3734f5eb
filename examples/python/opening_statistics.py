"""The most frequent openings of a PGN file, with White's score.

python opening_statistics.py games.pgn
"""

import sys
from collections import defaultdict
from itertools import islice

import gametree

PLIES = 4
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def main(path: str) -> None:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for game in gametree.open(path):
        opening = " ".join(node.san for node in islice(game.mainline(), PLIES))
        if opening and game.result in POINTS:
            scores[opening].append(POINTS[game.result])
    print(f"{'games':>6} {'score':>6}  opening")
    for opening, points in sorted(scores.items(), key=lambda item: -len(item[1]))[:20]:
        print(f"{len(points):>6} {sum(points) / len(points):>6.0%}  {opening}")


if __name__ == "__main__":
    main(sys.argv[1])
