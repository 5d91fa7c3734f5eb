"""Compares Parquet tables with python-chess, with the JSON output of the program, and with one another.

    python parquet.py PROGRAM GUIDE FILE FILE

Writes tables of the two files, reads them with pyarrow, DuckDB and Polars, and runs the SQL of the
section "Parquet tables" of GUIDE.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import chess.pgn
import duckdb
import polars
import pyarrow.parquet

TABLES = ("games", "moves", "positions", "openings")
#: Positions at which the answers of tables and archives are compared.
LOOKUPS = 40


def run(program, *words, folder):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def read(folder):
    """The rows of a table, equal with three readers."""
    parts = sorted(str(part) for part in folder.glob("*.parquet"))
    rows = pyarrow.parquet.read_table(parts).to_pylist()
    found = duckdb.connect().execute("from read_parquet(?)", [parts])
    names = [column[0] for column in found.description]
    assert [dict(zip(names, row)) for row in found.fetchall()] == rows, f"DuckDB: {folder}"
    assert polars.read_parquet(parts).to_dicts() == rows, f"Polars: {folder}"
    return rows


def write_rated(path, target):
    """Writes the games of a file with ratings, other results and other dates, some of them missing."""
    with open(target, "w", encoding="utf-8") as file:
        for number, game in enumerate(games_of(path)):
            tags = game.headers
            tags["Result"] = ("1-0", "0-1", "1/2-1/2", "*")[number % 4]
            tags["Date"] = ("2019.05.17", "2020.??.??", "????.??.??")[number % 3]
            if number % 5:
                tags["WhiteElo"] = str(2400 + 13 * number)
            if number % 7:
                tags["BlackElo"] = str(2500 - 11 * number)
            print(game, file=file, end="\n\n")


def games_of(path):
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def rating(text):
    return int(text) if text else None


def expected_rows(files):
    """What python-chess reads: games, moves and positions."""
    games, moves, positions = [], [], []
    for path in files:
        for number, game in enumerate(games_of(path), 1):
            line = list(game.mainline())
            tags = game.headers
            about = dict(game=len(games) + 1, result=tags["Result"])
            games.append(
                dict(
                    **about,
                    number=number,
                    event=tags.get("Event"),
                    white=tags.get("White"),
                    white_elo=rating(tags.get("WhiteElo")),
                    black_elo=rating(tags.get("BlackElo")),
                    plies=len(line),
                    moves=" ".join(node.uci() for node in line),
                )
            )
            seen = set()
            for ply, node in enumerate([game, *line]):
                if ply > 0:
                    clock, score = node.clock(), node.eval()
                    pawns = score and score.white().score()
                    moves.append(
                        dict(
                            game=about["game"],
                            ply=ply,
                            uci=node.uci(),
                            san=node.san(),
                            clock=clock,
                            eval=None if pawns is None else pawns / 100,
                            mate=score and score.white().mate(),
                        )
                    )
                board = node.board()
                position = board.epd(en_passant="legal")
                positions.append(
                    dict(
                        **about,
                        ply=ply,
                        uci=line[ply].uci() if ply < len(line) else None,
                        turn="w" if board.turn else "b",
                        repeated=position in seen,
                        epd=position,
                    )
                )
                seen.add(position)
    return games, moves, positions


def compare(table, found, expected):
    """Compares the columns that `expected` has."""
    assert len(found) == len(expected), f"{table}: {len(found)} rows, expected {len(expected)}"
    for row, wanted in zip(found, expected):
        for name, value in wanted.items():
            other = row[name]
            if isinstance(value, float) and other is not None:
                assert abs(other - value) < 1e-3, f"{table}: {row}, expected {wanted}"
            else:
                assert other == value, f"{table}.{name}: {row}, expected {wanted}"


def check_games(folder, files):
    games, moves, positions = expected_rows(files)
    compare("games", read(folder / "games"), games)
    compare("moves", read(folder / "moves"), moves)
    found = read(folder / "positions")
    compare("positions", found, [{k: v for k, v in row.items() if k != "epd"} for row in positions])
    # Equal keys are equal positions.
    keys = {}
    for row, wanted in zip(found, positions):
        key = row["key_hi"], row["key_lo"]
        assert keys.setdefault(key, wanted["epd"]) == wanted["epd"], wanted
    assert len(set(keys.values())) == len(keys), "a position with two keys"
    return sorted(set(keys.values()))


def sql_of(guide):
    text = pathlib.Path(guide).read_text(encoding="utf-8")
    section = re.split(r"^## ", text, flags=re.M)
    [section] = [part for part in section if part.startswith("Parquet tables\n")]
    return re.findall(r"```sql\n(.*?)```", section, flags=re.S)


def answers(folder, query):
    query = re.sub(r"'(tables|more)/", rf"'{folder}/\1/", query)
    found = duckdb.connect().execute(query)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row)) for row in found.fetchall()]


def check_sql(program, guide, folder, files):
    top, grouped, joined, by_position = (answers(folder, query) for query in sql_of(guide))
    openings = read(folder / "tables" / "openings")
    assert grouped == openings, "the GROUP BY of positions is not openings"
    assert any(row["elo_points"] for row in openings), "no ratings to compare"
    order = [(row["key_hi"], row["key_lo"], row["uci"] or "") for row in openings]
    assert order == sorted(set(order)), "openings are not sorted"
    run(program, "convert", *files, *files[1:], "--parquet", "all", "--tables", "openings", folder=folder)
    assert joined == read(folder / "all" / "openings"), "joined tables differ from the table of all games"
    table = json.loads(run(program, "opening", "base", "--json", folder=folder))
    moves = sorted(table["moves"], key=lambda row: (-row["games"], row["uci"]))
    assert [(row["uci"], row["games"]) for row in top] == [(row["uci"], row["games"]) for row in moves[:5]]
    assert by_position, "no game found by position"


def check_lookups(program, folder, positions):
    step = max(1, len(positions) // LOOKUPS)
    for epd in positions[::step]:
        by_archive, by_tables, by_two = (
            json.loads(run(program, "opening", *where, "--at", epd + " 0 1", "--json", folder=folder))
            for where in (["base"], ["tables"], ["one", "more"])
        )
        for table in (by_archive, by_tables, by_two):
            del table["best"], table["latest"]
        assert by_tables == by_archive, f"{epd}: {by_tables}, archive: {by_archive}"
        assert by_two == by_archive, f"{epd}: {by_two}, archive: {by_archive}"
    return len(positions[::step])


def check_matches(program, folder, files):
    query = "check or move from N capture ."
    query = ["query", query, *files]
    lines = run(program, *query, "--json", folder=folder).splitlines()
    run(program, *query, "--parquet", "tables", folder=folder)
    found = read(folder / "tables" / "matches")
    expected = [json.loads(line) for line in lines]
    assert expected, "nothing matches"
    compare(
        "matches",
        found,
        [
            dict(source=row["file"], number=row["game"], position=row["position"], path=row["path"], fen=row["fen"])
            for row in expected
        ],
    )
    games = {row["game"]: row for row in read(folder / "tables" / "games")}
    for row in found:
        game = games[row["game"]]
        assert (game["source"], game["number"]) == (row["source"], row["number"]), row
        board = chess.Board(game["fen"] or chess.STARTING_FEN)
        for uci in game["moves"].split()[: row["ply"]]:
            board.push_uci(uci)
        assert board.epd(en_passant="legal") == chess.Board(row["fen"]).epd(en_passant="legal"), row
    return len(found)


def check_components(program, folder):
    run(program, "sums", "db", "create", "small.db", "--game", "clobber_1xn=5", folder=folder)
    run(program, "sums", "db", "export", "small.db", "--parquet", "tables", folder=folder)
    rows = read(folder / "tables" / "components")
    info = json.loads(run(program, "sums", "db", "info", "small.db", "--json", folder=folder))
    assert len(rows) == sum(game["components"] for game in info["games"])
    for row in rows:
        component = f"{row['game']} {row['position']}"
        [entry] = map(
            json.loads,
            run(program, "sums", "db", "info", "small.db", "--of", component, "--json", folder=folder).splitlines(),
        )
        for name in ("outcome", "value", "thermograph", "equal"):
            assert row[name] == entry[name], f"{row}: {entry}"
        for side in ("left", "right"):
            moves = (row[f"dominated_{side}"] or "").split()
            assert moves == entry["dominated"][side], f"{row}: {entry}"
    return len(rows)


def main(program, guide, *files):
    program = str(pathlib.Path(program).resolve())
    files = [str(pathlib.Path(file).resolve()) for file in files]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rated = folder / "rated.pgn"
        write_rated(files[0], rated)
        files.append(str(rated))
        run(program, "archive", "create", "base", *files, folder=folder)
        run(program, "convert", *files, "--parquet", "tables", folder=folder)
        run(program, "archive", "export", "base", "--parquet", "exported", folder=folder)
        run(program, "convert", files[0], "--parquet", "one", "--tables", "openings", folder=folder)
        run(program, "convert", *files[1:], "--parquet", "more", "--tables", "openings", folder=folder)
        for table in TABLES[1:]:
            rows = read(folder / "exported" / table)
            assert rows == read(folder / "tables" / table), f"archive export differs: {table}"
        positions = check_games(folder / "tables", files)
        check_sql(program, guide, folder, files)
        lookups = check_lookups(program, folder, positions)
        matches = check_matches(program, folder, files)
        components = check_components(program, folder)
        refused = subprocess.run(
            [program, "convert", *files, "--parquet", "tables"], cwd=folder, capture_output=True, text=True
        )
        assert refused.returncode == 2 and "exists already" in refused.stderr, refused.stderr
    print(
        f"equal: {len(positions)} positions, {lookups} lookups, {matches} matches, {components} components"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
