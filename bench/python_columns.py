#!/usr/bin/env python3
"""Runs the columns, walks and kept games of gametree beside other Python packages.

    bench/python_columns.py                the files of bench/make-data (100 MB; 2 MB for python-chess)
    bench/python_columns.py LARGE SMALL    these files
    bench/python_columns.py --times 5

The rivals, python-chess and rust_pgn_reader_python_binding, must be installed for the Python that
runs this; a missing one is left out. Each measurement is a process of its own: CPU time (user +
system) of the work without start-up, the least of N runs, per megabyte of text, so that
python-chess needs not read 100 MB. All packages read the small file and must give the same answer:
counts of games and moves, and a checksum of moves, clocks and evaluations, or of FENs.
"""

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "target" / "bench-data"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="a large and a small file")
    parser.add_argument("--times", type=int, default=3, help="runs of each measurement, the least counts")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return work(*args.worker)
    pairs = [args.files] if args.files else [
        (DATA / f"{name}.pgn", DATA / f"{name}-small.pgn") for name in ("plain", "clocks")
    ]
    if not all(path.exists() for pair in pairs for path in pair):
        sys.exit("no data: run bench/make-data first, or name a large and a small file")
    print("| file | task | package | MB of text per second of CPU (keep: per MB of memory) | ratio | answer |")
    print("|---|---|---|---|---|---|")
    wrong = [task for large, small in pairs for task in TASKS if not compare(task, large, small, args.times)]
    sys.exit(1 if wrong else 0)


def compare(task, large, small, times):
    """Prints the rows of a task. Returns whether all packages give the same answer."""
    speeds, answers = {}, {}
    for who in TASKS[task]:
        package = who.split(" ")[0]
        if importlib.util.find_spec(PACKAGES[package]) is None:
            continue
        slow = package == "python-chess"
        answers[who] = run(task, who, small)["answer"]
        file, rounds = (small, 1) if slow else (large, times)
        results = [run(task, who, file) for _ in range(rounds)]
        cost = min(result["bytes"] / 1e6 if task == "keep" else result["seconds"] for result in results)
        speeds[who] = file.stat().st_size / 1e6 / max(cost, 1e-9)
    ours = speeds["gametree"]
    expected = answers["gametree"]
    for who, speed in speeds.items():
        same = "same" if answers[who] == expected else f"differs: {answers[who]} against {expected}"
        print(f"| {large.stem} | {task} | {who} | {speed:.3g} | {ours / speed:.1f} | {same} |", flush=True)
    return all(answer == expected for answer in answers.values())


def run(task, who, file):
    command = [sys.executable, __file__, "--worker", f"{task}:{who}", str(file)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def work(what, file):
    task, who = what.split(":")
    function = TASKS[task][who]
    package = who.split(" ")[0]
    __import__(PACKAGES[package])
    if task != "walk" and task != "keep":
        __import__("numpy")
    before, memory = time.process_time(), resident()
    found, answer = function(file)
    result = {"seconds": time.process_time() - before, "bytes": resident() - memory}
    # What is only needed for the comparison is not measured, and large files are not compared.
    result["answer"] = answer(found) if Path(file).stat().st_size < 10e6 else None
    print(json.dumps(result))


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def read_games(file):
    import logging

    import chess.pgn

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL + 1)
    with open(file, encoding="utf-8", errors="replace") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            yield game


def columns_gametree(file):
    import gametree

    return gametree.columns(file), answer_gametree


def answer_gametree(columns):
    rows = columns.positions
    moved = rows["ply"] > 0
    return answer(len(columns.games), rows["uci"][moved], rows["clock"][moved])


def columns_python_chess(file):
    white, moves, clocks, evals, games = [], [], [], [], 0
    for game in read_games(file):
        games += 1
        white.append(game.headers.get("White"))
        for node in game.mainline():
            moves.append(node.move.uci())
            clocks.append(node.clock())
            evals.append(node.eval())
    return (games, moves, clocks), lambda found: answer(*found)


def columns_rust_pgn_reader(file):
    import rust_pgn_reader_python_binding as reader

    text = Path(file).read_text(encoding="utf-8", errors="replace")
    games = ["[Event " + game for game in text.split("\n[Event ")]
    games[0] = games[0].removeprefix("[Event ")
    return reader.parse_games_from_strings(games), answer_rust_pgn_reader


def answer_rust_pgn_reader(parsed):
    moves, clocks = [], []
    for game in parsed:
        moves += game.moves_uci()
        clocks += list(game.clocks)
    return answer(parsed.num_games, moves, clocks)


def answer(games, moves, clocks):
    """Games, moves, a checksum of the moves, and the sum of the clocks in seconds."""
    known = sum(float(clock) for clock in clocks if clock is not None and clock == clock)
    return [games, len(moves), zlib.crc32(" ".join(moves).encode()), round(known)]


def walk_gametree(file):
    import gametree

    checksum = 0
    for game in gametree.open(file):
        for node in game.walk():
            checksum = zlib.crc32(node.board_fen.encode(), checksum)
    return checksum, lambda found: found


def walk_python_chess(file):
    checksum = 0
    for game in read_games(file):
        for node in preorder(game):
            checksum = zlib.crc32(node.board().board_fen().encode(), checksum)
    return checksum, lambda found: found


def walk_python_chess_push(file):
    """One board with push and pop, as written by people who know that `board()` replays the game."""
    checksum = 0

    def visit(node, board):
        nonlocal checksum
        checksum = zlib.crc32(board.board_fen().encode(), checksum)
        for child in node.variations:
            board.push(child.move)
            visit(child, board)
            board.pop()

    sys.setrecursionlimit(100_000)
    for game in read_games(file):
        visit(game, game.board())
    return checksum, lambda found: found


def preorder(game):
    stack = [game]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.variations))


def keep_gametree(file):
    import gametree

    return list(gametree.open(file)), len


def keep_python_chess(file):
    return list(read_games(file)), len


PACKAGES = {
    "gametree": "gametree",
    "python-chess": "chess",
    "rust_pgn_reader": "rust_pgn_reader_python_binding",
}

TASKS = {
    "columns": {
        "gametree": columns_gametree,
        "rust_pgn_reader": columns_rust_pgn_reader,
        "python-chess": columns_python_chess,
    },
    "walk": {
        "gametree": walk_gametree,
        "python-chess": walk_python_chess,
        "python-chess (push and pop)": walk_python_chess_push,
    },
    "keep": {"gametree": keep_gametree, "python-chess": keep_python_chess},
}

if __name__ == "__main__":
    main()
