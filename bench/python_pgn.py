#!/usr/bin/env python3
"""Runs gametree.pgn beside chess.pgn of python-chess on the same files and prints the ratios.

    bench/python_pgn.py                    slices of the corpora in ../shared
    bench/python_pgn.py FILES…             these files
    bench/python_pgn.py --times 5 --megabytes 2

Both modules must be installed for the Python that runs this. Each measurement is a process of its
own: CPU time (user + system) of the loop without start-up, the least of N runs; memory is the
growth of the resident set while all games are kept. Games must be equal, except those in which
chess.pgn reports an error: it loses moves after an error in a variation.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "target" / "bench-data"
SHARED = Path(os.environ.get("GAMETREE_SHARED", ROOT.parent / "shared"))
OURS, THEIRS = "gametree.pgn", "chess.pgn"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--times", type=int, default=3, help="runs of each measurement, the least counts")
    parser.add_argument("--megabytes", type=float, default=2, help="size of the slices of the corpora")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return work(*args.worker)
    files = args.files or [slice_of(name, args.megabytes) for name in ("plain", "clocks", "annotated")]
    print("| file | task | gametree.pgn | chess.pgn | ratio |")
    print("|---|---|---|---|---|")
    bad = sum(compare(file, args.times) for file in files)
    sys.exit(1 if bad else 0)


def slice_of(name, megabytes):
    """The first games of a corpus."""
    size = int(megabytes * 1e6)
    files = sorted((SHARED / "corpora" / name).rglob("*.pgn"))
    if not files:
        sys.exit(f"no corpus {name!r} in {SHARED}; name files, or the folder with GAMETREE_SHARED")
    text = b""
    for file in files:
        text += file.read_bytes().replace(b"\r\n", b"\n").strip() + b"\n\n"
        if len(text) >= size:
            text = text[: text.rfind(b"\n\n[Event ", 0, size) + 2]
            break
    DATA.mkdir(parents=True, exist_ok=True)
    path = DATA / f"python-{name}-{megabytes:g}.pgn"
    path.write_bytes(text)
    return path


def compare(file, times):
    """Prints the rows of a file. Returns the number of games that differ without a reason."""
    for task in TASKS:
        # The slow one first and once: it is the same work, and there is nothing to warm up.
        theirs = run(THEIRS, task, file, 1)
        ours = run(OURS, task, file, times)
        ratio = theirs[task_unit(task)] / max(ours[task_unit(task)], 1e-9)
        print(f"| {file.stem} | {task} | {shown(task, ours)} | {shown(task, theirs)} | {ratio:.1f} |", flush=True)
    ours, theirs = (run(module, "digest", file, 1)["games"] for module in (OURS, THEIRS))
    pairs = list(zip(ours, theirs))
    lossy = sum(a != b for a, b in pairs if b["errors"])
    wrong = sum(a != b for a, b in pairs if not b["errors"]) + abs(len(ours) - len(theirs))
    print(f"{file.stem}: {len(ours)} games, {wrong} differ, {lossy} differ after an error in chess.pgn\n")
    return wrong


def task_unit(task):
    return "bytes" if task == "keep" else "seconds"


def shown(task, result):
    if task == "keep":
        return f"{result['bytes'] / 1e6:.1f} MB"
    return f"{result['seconds']:.4f} s"


def run(module, task, file, times):
    command = [sys.executable, __file__, "--worker", module, task, str(file)]
    runs = []
    for _ in range(times):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        runs.append(json.loads(output))
    return min(runs, key=lambda result: result["seconds"])


def work(name, task, file):
    import importlib
    import logging

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL + 1)
    module = importlib.import_module(name)
    result = {}
    with open(file, encoding="utf-8", errors="replace") as handle:
        before, memory = time.process_time(), resident()
        found = TASKS.get(task, digests)(module, handle)
        result["seconds"] = time.process_time() - before
        result["bytes"] = resident() - memory
        if task == "digest":
            result["games"] = found
    print(json.dumps(result))


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def games(module, handle):
    while (game := module.read_game(handle)) is not None:
        yield game


def nodes(game):
    stack = [game]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.variations)


def read(module, handle):
    for _ in games(module, handle):
        pass


def touch(module, handle):
    for game in games(module, handle):
        stack = [game]
        while stack:
            node = stack.pop()
            node.move, node.comment, node.nags
            stack.extend(node.variations)


def mainline(module, handle):
    for game in games(module, handle):
        for node in game.mainline():
            node.move, node.comment


def boards(module, handle):
    """The board of every node of the mainline, in every tenth game: quadratic in chess.pgn."""
    for number, game in enumerate(games(module, handle)):
        if number % 10 == 0:
            for node in game.mainline():
                node.board()


def keep(module, handle):
    return list(games(module, handle))


def headers(module, handle):
    while module.read_headers(handle) is not None:
        pass


def export(module, handle):
    for game in games(module, handle):
        str(game)


def digests(module, handle):
    found = []
    for game in games(module, handle):
        parts = [(str(node.move), node.comment, node.starting_comment, sorted(node.nags)) for node in nodes(game)]
        text = repr((list(game.headers.items()), parts))
        found.append({"digest": zlib.crc32(text.encode()), "errors": len(game.errors)})
    return found


TASKS = {
    "read": read,
    "touch": touch,
    "mainline": mainline,
    "boards": boards,
    "headers": headers,
    "export": export,
    "keep": keep,
}

if __name__ == "__main__":
    main()
