"""Compares `gametree query` over an archive with the same query over the PGN file.

    python queries.py PROGRAM FILE [FOLDER OF QUERIES]

Runs 200 queries drawn at random from all that signatures and the index can answer, 30 for exact
positions of the games, and the `.cql` files of a folder if one is given. Both runs must write the same games and fail with the same status.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

DRAWN = 200
EXACT = 30
SEED = 20
PIECES = "KQRBNPkqrbnp"
SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]
AREAS = ["a-h1", "a2-7", "c-f3-6", "[d4,e5]", "h-h6-8", "g1-3"]


def piece(rng):
    group = rng.choice([1, 1, 1, 2, 3])
    letters = "".join(rng.sample(PIECES, group))
    return letters if group == 1 else f"[{letters}]"


def placed(rng):
    where = rng.choice(SQUARES) if rng.random() < 0.7 else rng.choice(AREAS)
    return rng.choice([piece(rng), "A", "a"]) + where


def count(rng):
    what = rng.choice(["A", "a", "[Aa]", piece(rng), piece(rng)])
    return f"{what} {rng.choice(['==', '<=', '>=', '<', '>', '!='])} {rng.randrange(0, 9)}"


def position(rng):
    return f"{{{' '.join(placed(rng) for _ in range(rng.randrange(2, 5)))}}}"


def other(rng):
    return rng.choice(
        [
            "mate",
            "check",
            "stalemate",
            "wtm",
            "btm",
            "initial",
            "terminal",
            f"result {rng.choice(['1-0', '0-1', '1/2-1/2'])}",
            f"year >= {rng.randrange(1900, 2024)}",
            f"elo white >= {rng.randrange(1500, 2800)}",
            f"player \"{rng.choice(['a', 'Carlsen', 'son', 'zz'])}\"",
            f"movenumber == {rng.randrange(1, 60)}",
            f"power A < {rng.randrange(3, 20)}",
            f"attacks ({placed(rng)} {placed(rng)})",
            f"move from {placed(rng)}",
            f"move to {rng.choice(SQUARES)} capture {rng.choice('QRBNPqrbnp')}",
            f"move promote {rng.choice('QRBN')}",
            "comment \"met\"",
        ]
    )


def condition(rng, depth):
    kinds = [placed, placed, placed, count, count, position, other]
    if depth == 0:
        return rng.choice(kinds)(rng)
    inner = lambda: condition(rng, depth - 1)
    return rng.choice(
        [
            lambda: f"{{{inner()} {inner()}}}",
            lambda: f"({inner()} or {inner()})",
            lambda: f"not {inner()}",
            lambda: f"flip {{{inner()}}}",
            lambda: f"flipcolor {{{inner()}}}",
            lambda: f"shift {{{inner()}}}",
            lambda: f"find {{{inner()}}}",
            lambda: f"if {inner()} then {inner()} else {inner()}",
            lambda: f"path {{({inner()}) -- ({inner()})}}",
            inner,
            inner,
        ]
    )()


def query(rng):
    return " ".join(condition(rng, rng.choice([0, 0, 1, 1, 2])) for _ in range(rng.randrange(1, 4)))


def exact_queries(program, file, rng):
    """Boards that occur in the games, as FEN patterns, some with a square left open."""
    done = subprocess.run([program, "query", "ply<30", "--fen", file], capture_output=True, check=True)
    boards = [line.split()[0] for line in done.stdout.decode().splitlines()]
    for board in rng.sample(boards, EXACT):
        pattern = board.replace("P", ".", 1) if rng.random() < 0.3 else board
        yield [f'{rng.choice(["", "wtm ", "flip "])}fen "{pattern}"']


def run(program, source, arguments):
    command = [program, "query", *arguments, source]
    done = subprocess.run(command, capture_output=True, timeout=600)
    return done.returncode, done.stdout


def main():
    program, file, *folder = sys.argv[1:]
    rng = random.Random(SEED)
    queries = [[query(rng)] for _ in range(DRAWN)]
    queries.extend(exact_queries(program, file, rng))
    for path in sorted(pathlib.Path(folder[0]).glob("*.cql")) if folder else []:
        queries.append(["-f", str(path)])
    wrong = found = refused = 0
    with tempfile.TemporaryDirectory() as scratch:
        archive = f"{scratch}/archive"
        subprocess.run([program, "-q", "archive", "create", archive, file], check=True)
        # What `query` writes of a PGN file names the file; an exported copy has the archive's text.
        exported = f"{scratch}/exported.pgn"
        subprocess.run([program, "-q", "archive", "export", archive, "-o", exported], check=True)
        for arguments in queries:
            for extra in [[], ["--variations"]]:
                ours = run(program, archive, [*arguments, *extra])
                truth = run(program, exported, [*arguments, *extra])
                refused += truth[0] > 1
                found += len(truth[1]) > 0
                if ours != truth:
                    wrong += 1
                    print("differs:", *arguments, *extra)
    runs = 2 * len(queries)
    print(f"{len(queries)} queries, twice each: {found} runs with matches, {refused} refused")
    # Equal answers mean little if most queries match nothing.
    state = "ok" if wrong == 0 and 4 * found > runs else "FAILED"
    print(f"test result: {state}. {runs - wrong} passed; {wrong} failed; queries over {file}")
    sys.exit(state != "ok")


main()
