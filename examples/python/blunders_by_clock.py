"""How the time on the clock and the number of blunders go together.

python blunders_by_clock.py lichess.pgn.zst

A blunder loses two pawns or more by the evaluations in the file ([%eval]); the time is that of the
player after the move ([%clk]).
"""

import sys
from collections import Counter

import gametree

BLUNDER = 200
LIMITS = (10, 30, 60, 120, 300, 600)


def score(node: gametree.Node) -> int | None:
    """Centipawns for White; a mate counts as 20 pawns."""
    if node.eval is None:
        return None
    if node.eval.centipawns is not None:
        return node.eval.centipawns
    return 2000 if (node.eval.mate or 0) > 0 else -2000


def loss(before: int, node: gametree.Node, after: int) -> int:
    """What the move cost its player."""
    white_moved = node.turn == "black"
    return before - after if white_moved else after - before


def bucket(clock: float) -> str:
    for limit in LIMITS:
        if clock < limit:
            return f"under {limit} s"
    return f"{LIMITS[-1]} s and more"


def main(path: str) -> None:
    moves: Counter[str] = Counter()
    blunders: Counter[str] = Counter()
    for game in gametree.open(path):
        before = 0
        for node in game.mainline():
            after = score(node)
            if after is None:
                continue
            if node.clock is not None:
                moves[bucket(node.clock)] += 1
                blunders[bucket(node.clock)] += loss(before, node, after) >= BLUNDER
            before = after
    print(f"{'moves':>8} {'blunders':>8}  time left")
    for name in [bucket(limit - 1) for limit in LIMITS] + [bucket(LIMITS[-1])]:
        if moves[name]:
            print(f"{moves[name]:>8} {blunders[name] / moves[name]:>8.1%}  {name}")


if __name__ == "__main__":
    main(sys.argv[1])
