#!/usr/bin/env python3
"""Write the table of opening names from the files of github.com/lichess-org/chess-openings.

    git clone https://github.com/lichess-org/chess-openings
    python3 tools/openings.py chess-openings > crates/chess/src/openings/table.tsv

The lines are sorted by their moves. Each gives the number of moves that it shares with the line
before it, and only the moves after them.
"""

import csv
import pathlib
import subprocess
import sys

HEAD = """\
# ECO codes and names of opening positions, from github.com/lichess-org/chess-openings ({commit}),
# released under CC0 1.0 (public domain). Columns: ECO code, name, number of moves shared with the
# line before, further moves. Written by tools/openings.py.
"""


def lines(folder):
    for volume in "abcde":
        with open(folder / f"{volume}.tsv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                moves = [word for word in row["pgn"].split() if not word.endswith(".")]
                yield moves, row["eco"], row["name"]


def shared(a, b):
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def main():
    folder = pathlib.Path(sys.argv[1])
    command = ["git", "-C", str(folder), "log", "-1", "--format=%h of %cs"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    sys.stdout.write(HEAD.format(commit=commit))
    before = []
    for moves, eco, name in sorted(lines(folder)):
        same = shared(before, moves)
        print(eco, name, same, " ".join(moves[same:]), sep="\t")
        before = moves


main()
