"""The longest sequences of forced moves: positions with only one legal move, one after another.

python longest_forced_lines.py games.pgn
"""

import sys

import gametree


def forced_lines(game: gametree.Game) -> list[list[gametree.Node]]:
    """The sequences of the mainline in which one side has a single legal move each time."""
    found: list[list[gametree.Node]] = []
    lines: dict[str, list[gametree.Node]] = {"white": [], "black": []}
    for node in [game.root, *game.mainline()]:
        line = lines[node.turn]
        if len(node.legal_moves) == 1:
            line.append(node)
        elif line:
            found.append(line)
            lines[node.turn] = []
    return found + [line for line in lines.values() if line]


def main(path: str) -> None:
    lines = [line for game in gametree.open(path) for line in forced_lines(game)]
    lines.sort(key=len, reverse=True)
    for line in lines[:10]:
        first, headers = line[0], line[0].game.headers
        players = f"{headers.get('White', '?')} - {headers.get('Black', '?')}"
        moves = " ".join(node.legal_moves[0] for node in line)
        print(f"{len(line)} forced moves of {first.turn}: {moves}")
        print(f"    {players}, game {first.game.number}, after {first.path[-40:]}")


if __name__ == "__main__":
    main(sys.argv[1])
