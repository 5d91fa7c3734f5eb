"""Compares `gametree opening` with a count by python-chess.

    python opening.py PROGRAM FILE [POSITIONS]

Makes an archive of FILE, counts all games with python-chess, and compares moves, results, years and
transpositions at POSITIONS positions (500 unless given), spread over all that occur.
"""

import collections
import json
import subprocess
import sys
import tempfile

import chess.pgn

RESULTS = {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}


def count(path):
    """For each position: the games, and for each first move from it, games and results."""
    games = collections.Counter()
    moves = collections.defaultdict(collections.Counter)
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            result = RESULTS.get(game.headers.get("Result"))
            seen = set()
            node = game
            board = game.board()
            while True:
                key = board.epd(en_passant="legal")
                following = node.next()
                if key not in seen:
                    seen.add(key)
                    games[key] += 1
                    if following is not None:
                        moves[key][following.uci(), "games"] += 1
                        if result:
                            moves[key][following.uci(), result] += 1
                if following is None:
                    break
                board.push(following.move)
                node = following
    return games, moves


def expected(key, games, moves):
    found = {}
    for (uci, what), number in moves[key].items():
        found.setdefault(uci, dict(games=0, white=0, draws=0, black=0))[what] = number
    for uci, numbers in found.items():
        board = chess.Board(key + " 0 1")
        board.push_uci(uci)
        numbers["reached"] = games[board.epd(en_passant="legal")]
    return games[key], found


def answer(program, archive, key):
    command = [program, "opening", archive, "--at", key + " 0 1", "--json"]
    table = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    names = ["games", "white", "draws", "black", "reached"]
    return table["games"], {m["uci"]: {name: m[name] for name in names} for m in table["moves"]}


def main(program, path, positions=500):
    games, moves = count(path)
    keys = sorted(games, key=lambda key: (-games[key], key))
    # The most frequent ones, and a spread of the others.
    half = int(positions) // 2
    chosen = keys[:half] + keys[half :: max(1, (len(keys) - half) // max(1, half))]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        archive = folder + "/base"
        subprocess.run([program, "-q", "archive", "create", archive, path], check=True)
        for key in chosen:
            if answer(program, archive, key) != expected(key, games, moves):
                print(f"{key}: {answer(program, archive, key)} != {expected(key, games, moves)}")
                wrong += 1
    state = "FAILED" if wrong else "ok"
    print(f"test result: {state}. {len(chosen) - wrong} passed; {wrong} failed; positions of {path}")
    return wrong == 0


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
