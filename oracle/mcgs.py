#!/usr/bin/env python3
"""Asks gametree and MCGS who wins random sums, and compares every answer.

    GAMETREE_MCGS=path/to/MCGS oracle/mcgs.py PROGRAM [SEED [SUMS]]

Each sum has one to four small components of any game that both know. Asked are the winner for
either player who begins and all winning moves, or the nim value of an impartial sum.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

# Its tables need not be as large as for hard problems, and then it starts at once.
SMALL_TABLES = ["--tt-sumgame-idx-bits", "22", "--tt-imp-sumgame-idx-bits", "20"]
PARTISAN = "{B, W, winning moves B, winning moves W}"


def main():
    rival = os.environ.get("GAMETREE_MCGS")
    if not rival or len(sys.argv) < 2:
        sys.exit(__doc__)
    program, seed, sums = (sys.argv[1:] + ["1", "500"][len(sys.argv) - 2 :])[:3]
    with tempfile.NamedTemporaryFile("w", suffix=".test") as file:
        file.write(document(random.Random(int(seed)), int(sums)))
        file.flush()
        asked = ours(program, file.name)
        theirs = answers_of(rival, file.name)
    if len(asked) != len(theirs):
        sys.exit(f"{len(asked)} answers, and {len(theirs)} of MCGS")
    wrong = [row for row, their in zip(asked, theirs) if not same(row, their)]
    for row in wrong:
        print("different:", *row)
    print(f"seed {seed}: {len(asked) - len(wrong)} answers equal, {len(wrong)} different")
    sys.exit(1 if wrong else 0)


def document(dice, sums):
    """So many random sums with questions, as MCGS reads them."""
    games = partisan_games(dice)
    impartial = ["kayles", "nimber"] + [name for name in games if name in BOARDS]
    lines = ["{version 1.7}"]
    for _ in range(sums):
        is_impartial = dice.random() < 0.15
        names = dice.choices(impartial if is_impartial else list(games), k=dice.randint(1, 4))
        wrap = "impartial " if is_impartial else ""
        parts = [f"[{wrap if name in BOARDS else ''}{name}] {games[name]()}" for name in names]
        lines.append(" ".join(parts) + (" {N}" if is_impartial else " " + PARTISAN))
    return "\n".join(lines) + "\n"


BOARDS = {
    "clobber_1xn", "nogo_1xn", "elephants", "toppling_dominoes", "clobber", "cannibal_clobber",
    "nogo", "amazons", "domineering", "fission",
}


def partisan_games(dice):
    """For each game, what writes a random position of it."""

    def row(letters, length):
        return "".join(dice.choices(letters, k=length))

    def board(letters, cells):
        rows, columns = dice.choice([(r, c) for r in range(1, 5) for c in range(1, 6) if r * c <= cells])
        return [row(letters, columns) for _ in range(rows)]

    def grid(letters, cells):
        return "|".join(board(letters, cells))

    def nogo(make):
        rows = make()
        while not can_breathe(rows):
            rows = make()
        return "|".join(rows)

    def number():
        return dice.choice([str(dice.randint(-4, 4)), f"{dice.randint(-9, 9)}/{dice.choice([2, 4, 8])}"])

    def few(*choices):
        return dice.choice(choices)

    return {
        "clobber_1xn": lambda: row("XO.XO", dice.randint(1, 9)),
        "nogo_1xn": lambda: nogo(lambda: [row("...XO", dice.randint(1, 7))]),
        "elephants": lambda: row("XO..", dice.randint(1, 8)),
        "toppling_dominoes": lambda: row("XO", dice.randint(1, 7)),
        "clobber": lambda: grid("XO.", 9),
        "cannibal_clobber": lambda: grid("XO..", 7),
        "nogo": lambda: nogo(lambda: board("...XO", 8)),
        "amazons": lambda: grid("XO..##.", 7),
        "domineering": lambda: grid("...#", 12),
        "fission": lambda: grid("...X#", 9),
        "integer_game": lambda: str(dice.randint(-4, 4)),
        "dyadic_rational": number,
        "switch_game": lambda: f"({number()},{number()})",
        "up_star": lambda: few(f"{dice.randint(-3, 3)}", f"({dice.randint(-3, 3)} *)"),
        "nimber": lambda: str(dice.randint(0, 5)),
        "kayles": lambda: str(dice.randint(0, 8)),
        "gen_toads": lambda: f"({few('1,1', '1,2', '2,2')},{few('1,0', '1,1', '2,0', '0,1', '0,0')}:"
        f"{row('XO..', dice.randint(2, 7))})",
        "gen_king_dirt": lambda: f"({dice.randint(0, 2)},{dice.randint(0, 2)},0:{grid('XO..#', 5)})",
        "sheep": lambda: f"({' '.join(few('0', '0', '0', '2', '-2', '3', '-3') for _ in range(5))})",
    }


def can_breathe(rows):
    """Does every group of stones have an empty neighbour, as NoGo wants it?"""
    cells = {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}
    return all(letter == "." or breathes(cells, at) for at, letter in cells.items())


def breathes(cells, start):
    group, todo = {start}, [start]
    while todo:
        row, column = todo.pop()
        for at in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if cells.get(at) == ".":
                return True
            if cells.get(at) == cells[start] and at not in group:
                group.add(at)
                todo.append(at)
    return False


def ours(program, path):
    """Each question as (sum, asked, answer, components)."""
    command = [program, "solve", "--json", "-f", path]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    sums = map(json.loads, said.splitlines())
    return [
        (solved["sum"], question["ask"], question["answer"], solved["components"])
        for solved in sums
        for question in solved["questions"]
    ]


def answers_of(rival, path):
    command = [rival, "--no-use-db", *SMALL_TABLES, "--file", path]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"^Got: (.*)$", said, re.MULTILINE)


def same(row, theirs):
    """MCGS lists winning moves in the first of equal components only."""
    _, asked, answer, components = row
    if asked.startswith("winning") and answer != "None" and len(components) > 1:
        kept = [name for name in answer.split() if is_first(name, components)]
        answer = " ".join(kept)
    return answer.lower() == theirs.strip().lower()


def is_first(name, components):
    index = int(name.split(":")[0])
    return components.index(components[index]) == index


if __name__ == "__main__":
    main()
