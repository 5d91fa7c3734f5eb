"""Work on shards gives what one process gives, on every engine, whatever happens to the workers.

``./test --cluster`` also tests Ray and Spark.
"""

from __future__ import annotations

import collections
import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import chess
import chess.pgn

import gametree
from gametree import _native, cluster, cql
from gametree.cluster import _parquet, _tasks
from gametree.cluster._engines import run_all

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
SHARDS = [
    EXAMPLES / "games.pgn",
    EXAMPLES / "repertoire.pgn",
    ROOT / "testdata" / "several.pgn.zst",
    ROOT / "testdata" / "clocks.pgn",
]
QUERY = "check and not mate"
BOARDS = ("clobber_1xn", 6)


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def wanted(module: str) -> bool:
    """True if an engine that takes long to start is to be tested."""
    return has(module) and bool(os.environ.get("GAMETREE_CLUSTER"))


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def run_here(tasks: list[_tasks.Task], *_options: object) -> list[_tasks.Outcome]:
    """An engine without workers."""
    return [_tasks.run(task) for task in tasks]


def rows(files: list[str]) -> list[tuple[Any, ...]]:
    """All rows of Parquet files, in order."""
    store = cluster.Store(Path(files[0]).parent)
    return [tuple(row.values()) for row in _parquet.read(files, store)]


class Alone:
    """The answers of one process."""

    def __init__(self) -> None:
        paths = [str(path) for path in SHARDS]
        self.matches = [
            (match.game.file, match.number, match.game.number, node.id, node.ply, node.path, node.fen)
            for match in cql.compile(QUERY).matches(paths)
            for node in match.nodes
        ]
        self.count = cql.compile(QUERY).count(paths)
        self.openings = _native.opening_rows(paths)
        self.stats = _native.stats(paths)
        self.merged = gametree.merge(paths)
        self.by_frequency = gametree.merge(paths, by_frequency=True, plies=12)


class Laws:
    """What every engine has to do. Subclasses give the engine."""

    engine: ClassVar[Any] = "local"
    options: ClassVar[dict[str, Any]] = {}
    alone: ClassVar[Alone]

    @classmethod
    def setUpClass(cls) -> None:
        cls.alone = Alone()

    def test_query(self: Any) -> None:
        with folder() as out:
            found = cluster.query(QUERY, SHARDS, self.engine, out=out, **self.options)
            self.assertEqual(found.count, self.alone.count)
            self.assertGreater(found.count.positions, 20)
            matches = [(row.source, row.game, row.number, row.position, row.ply, row.path, row.fen) for row in found]
            self.assertEqual(matches, self.alone.matches)

    def test_opening_index(self: Any) -> None:
        with folder() as out:
            index = cluster.opening_index(SHARDS, self.engine, out=out, ranges=3, **self.options)
            columns = self.alone.openings.to_numpy().values()
            expected = [tuple(row) for row in zip(*(column.tolist() for column in columns))]
            self.assertEqual(rows(index.files), expected)
            self.assertEqual(len(index.files), 3)

    def test_stats(self: Any) -> None:
        with folder() as out:
            found = cluster.stats(SHARDS, self.engine, out=out, **self.options)
            self.assertEqual(found, self.alone.stats)

    def test_merge(self: Any) -> None:
        with folder() as out:
            found = cluster.merge(SHARDS, self.engine, out=out, fan_in=2, **self.options)
            self.assertEqual(list(gametree.open(found.file)), self.alone.merged.games)
            report = self.alone.merged.report
            self.assertEqual(
                (found.games, found.moves, found.comments, found.dropped_tags),
                (report["games"], report["moves"], report["comments"], report["dropped_tags"]),
            )
            again = cluster.merge(
                SHARDS, self.engine, out=out, plies=12, by_frequency=True, **self.options
            )
            self.assertEqual(list(gametree.open(again.file)), self.alone.by_frequency.games)

    def test_component_database(self: Any) -> None:
        with folder() as out:
            made = cluster.component_database(
                *BOARDS, self.engine, out=out, slices=3, parts=2, memory=1 << 28, **self.options
            )
            self.assertEqual(made.unsolved, 0)
            places = _native.list_components("clobber_1xn=6", 0, 1 << 40)
            whole = str(out / "whole.db")
            entries, _ = _native.survey_components(
                "clobber_1xn=6",
                [(number, place) for _, number, place in places],
                whole,
                (None, None, 1 << 28, 1),
            )
            self.assertEqual(made.components, entries)
            self.assertGreater(entries, 50)
            self.assertEqual(Path(made.file).read_bytes(), Path(whole).read_bytes())

    @unittest.skipUnless(sys.platform == "linux", "finds workers in /proc")
    def test_killed_worker(self: Any) -> None:
        with folder() as out, Killer(out / "slow.pgn", SHARDS[0].read_bytes()) as killer:
            shards = [SHARDS[1], killer.path, SHARDS[2]]
            found = cluster.query(QUERY, shards, self.engine, out=out / "results", **self.options)
            self.assertEqual(len(killer.readers), 2, "killed once, then read")
            expected = cql.compile(QUERY).count([str(SHARDS[1]), str(SHARDS[0]), str(SHARDS[2])])
            self.assertEqual(found.count, expected)
            self.assertEqual(len(list(found)), expected.positions)

    def test_bad_shards(self: Any) -> None:
        with folder() as out:
            truncated = out / "truncated.pgn.zst"
            truncated.write_bytes(SHARDS[2].read_bytes()[:200])
            shards = [SHARDS[0], out / "missing.pgn", SHARDS[3], truncated]
            with self.assertRaises(cluster.ShardError) as caught:
                cluster.query(QUERY, shards, self.engine, out=out / "results", **self.options)
            self.assertEqual(list(caught.exception.bad), [str(shards[1]), str(truncated)])
            for name in caught.exception.bad:
                self.assertIn(name, str(caught.exception))
            # The results of the others are kept, and used again.
            kept = {path: path.stat().st_mtime_ns for path in out.glob("results/*/*.parquet")}
            self.assertEqual(len(kept), 2)
            os.unlink(truncated)
            good = [SHARDS[0], SHARDS[1], SHARDS[3]]
            found = cluster.query(QUERY, good, self.engine, out=out / "results", **self.options)
            self.assertEqual(found.count, cql.compile(QUERY).count([str(path) for path in good]))
            again = {path: path.stat().st_mtime_ns for path in map(Path, found.files)}
            self.assertEqual([kept.get(path) for path in again], [*again.values()][:1] + [None] + [*again.values()][2:])

    def test_done_twice(self: Any) -> None:
        """Two workers that do the same task at the same time leave one result."""
        with folder() as out:
            found = cluster.query(QUERY, SHARDS[0], self.engine, out=out, **self.options)
            [file] = found.files
            before = Path(file).read_bytes()
            os.unlink(f"{file}.json")
            shard = cluster.Piece(str(SHARDS[0]))
            options = {"cql": QUERY, "variations": None, "threads": 1}
            task = _tasks.Task("query", str(out), file, "twice", shard, options=options)
            outcomes = run_all([task, task], self.engine, self.options.get("workers"), False)
            self.assertEqual([outcome.error for outcome in outcomes], [None, None])
            self.assertEqual(Path(file).read_bytes(), before)
            self.assertEqual(sorted(os.listdir(Path(file).parent)), sorted([Path(file).name, f"{Path(file).name}.json"]))
            again = cluster.query(QUERY, SHARDS[0], self.engine, out=out, **self.options)
            self.assertEqual(again.count, found.count)


class Killer:
    """A shard in a pipe: the first process that reads it is killed, the second one gets the games."""

    def __init__(self, path: Path, games: bytes) -> None:
        self.path = path
        self.games = games
        self.readers: list[int] = []
        self.ended = threading.Event()

    def __enter__(self) -> Killer:
        os.mkfifo(self.path)
        # Open for both directions, so that neither side waits for the other.
        self.pipe = os.open(self.path, os.O_RDWR)
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.ended.set()
        self.thread.join()

    def serve(self) -> None:
        try:
            first = self.wait_for_reader()
            if first is None:
                return
            os.kill(first, signal.SIGKILL)
            if self.wait_for_reader() is not None:
                os.write(self.pipe, self.games)
        finally:
            os.close(self.pipe)

    def wait_for_reader(self) -> int | None:
        """Another process that has the pipe open."""
        while not self.ended.wait(0.01):
            for process in os.listdir("/proc"):
                if process.isdigit() and int(process) not in (os.getpid(), *self.readers):
                    if self.is_open_in(process):
                        self.readers.append(int(process))
                        return int(process)
        return None

    def is_open_in(self, process: str) -> bool:
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    if os.readlink(f"/proc/{process}/fd/{descriptor}") == str(self.path):
                        return True
        return False


class Local(Laws, unittest.TestCase):
    options: ClassVar[dict[str, Any]] = {"workers": 2}

    def test_workers_that_always_end(self) -> None:
        with folder() as out, EndlessKiller(out / "slow.pgn", b"") as killer:
            with self.assertRaisesRegex(cluster.WorkerError, "slow.pgn"):
                cluster.query(QUERY, killer.path, out=out / "results", workers=1)
            self.assertEqual(len(killer.readers), 3)


class EndlessKiller(Killer):
    """Every process that reads the pipe is killed."""

    def serve(self) -> None:
        try:
            while (reader := self.wait_for_reader()) is not None:
                os.kill(reader, signal.SIGKILL)
        finally:
            os.close(self.pipe)


@unittest.skipUnless(has("distributed"), "distributed is not installed")
class Dask(Laws, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        from distributed import Client, LocalCluster

        cls.cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        )
        cls.engine = Client(cls.cluster)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.close()
        cls.cluster.close()


@unittest.skipUnless(wanted("ray"), "./test --cluster")
class Ray(Laws, unittest.TestCase):
    engine: ClassVar[Any] = "ray"

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)

    @classmethod
    def tearDownClass(cls) -> None:
        import ray

        ray.shutdown()


@unittest.skipUnless(wanted("pyspark"), "./test --cluster")
class Spark(Laws, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        from pyspark.sql import SparkSession

        # Two workers; a task may fail three times.
        builder = SparkSession.builder.master("local[2,4]").appName("gametree")
        builder = builder.config("spark.ui.enabled", "false")
        cls.engine = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.stop()


class Examples(unittest.TestCase):
    """The programs in examples/cluster run, with two workers each."""

    def check(self, engine: str) -> None:
        program = EXAMPLES / "cluster" / f"{engine}_example.py"
        with folder() as out:
            run = subprocess.run(
                [sys.executable, program, out, *SHARDS[:2]],
                capture_output=True,
                text=True,
                env={**os.environ, "PYSPARK_PYTHON": sys.executable},
            )
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("mates: Count(games=11, positions=11, searched=18)", run.stdout)
        self.assertIn("e2e4: 8 games, 8 won", run.stdout)

    def test_local(self) -> None:
        self.check("local")

    @unittest.skipUnless(has("distributed"), "distributed is not installed")
    def test_dask(self) -> None:
        self.check("dask")

    @unittest.skipUnless(wanted("ray"), "./test --cluster")
    def test_ray(self) -> None:
        self.check("ray")

    @unittest.skipUnless(wanted("pyspark"), "./test --cluster")
    def test_spark(self) -> None:
        self.check("spark")


class Openings(unittest.TestCase):
    def test_python_chess(self) -> None:
        """All counts agree with those of python-chess."""
        with folder() as out:
            index = cluster.opening_index(SHARDS[:1], out=out, workers=1)
            expected = count_openings(SHARDS[0])
            found = 0
            for epd, moves in expected.items():
                answer = {move.uci: [move.games, move.white, move.draws, move.black] for move in index.moves(f"{epd} 0 1")}
                self.assertEqual(answer, moves, epd)
                found += len(answer)
            self.assertEqual(found, index.rows)

    def test_program(self) -> None:
        """The program says the same of an archive, which can be a shard too."""
        programs = [ROOT / "target" / profile / "gametree" for profile in ("debug", "release")]
        program = next((path for path in programs if path.exists()), None)
        if program is None:
            self.skipTest("the program is not built")
        with folder() as out:
            archive = out / "base"
            files = [str(path) for path in SHARDS]
            subprocess.run([program, "-q", "archive", "create", archive, *files], check=True)
            index = cluster.opening_index([archive], out=out / "results", workers=1)
            for fen in (chess.STARTING_FEN, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"):
                command = [program, "opening", archive, "--at", fen, "--json"]
                table = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
                moves = index.moves(fen)
                self.assertEqual(sum(move.games for move in moves), table["games"])
                names = ("games", "white", "draws", "black")
                self.assertEqual(
                    {move.uci: [getattr(move, name) for name in names] for move in moves if move.uci},
                    {move["uci"]: [move[name] for name in names] for move in table["moves"]},
                )
                years = {move.uci: move.last_date and int(move.last_date[:4]) for move in moves if move.uci}
                self.assertEqual(years, {move["uci"]: move["last_year"] for move in table["moves"]})

    def test_libraries(self) -> None:
        """Files of pyarrow, DuckDB and Polars have the same rows."""
        answers = []
        for name in ("pyarrow", "duckdb", "polars"):
            if not has(name):
                continue
            # Only for this process: workers would choose themselves.
            with folder() as out, mock.patch.object(_parquet, "library", return_value=name):
                with mock.patch.object(cluster, "run_all", run_here):
                    index = cluster.opening_index(SHARDS, out=out, ranges=2)
                    fen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"
                    answers.append((rows(index.files), index.moves(fen), index.rows))
        self.assertGreater(len(answers), 0)
        for answer in answers:
            self.assertEqual(answer, answers[0])


def count_openings(path: Path) -> dict[str, dict[str | None, list[int]]]:
    """For each position the moves with games, wins of White, draws, wins of Black."""
    found: dict[str, dict[str | None, list[int]]] = collections.defaultdict(dict)
    places = {"1-0": 1, "1/2-1/2": 2, "0-1": 3}
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            node: Any = game
            seen = set()
            while node is not None:
                epd, following = node.board().epd(en_passant="legal"), node.next()
                if epd not in seen:
                    seen.add(epd)
                    counts = found[epd].setdefault(following.uci() if following else None, [0] * 4)
                    counts[0] += 1
                    if game.headers["Result"] in places:
                        counts[places[game.headers["Result"]]] += 1
                node = following
    return found


class Arguments(unittest.TestCase):
    def test_queries_about_several_games(self) -> None:
        for text in ("sort A", "gamenumber>3", "lastgamenumber>3", "persistent X+=1"):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "several games"):
                cluster.query(text, SHARDS, out="unused")
        with self.assertRaises(cql.CqlError):
            cluster.query("chek", SHARDS, out="unused")

    def test_engines(self) -> None:
        with folder() as out:
            with self.assertRaisesRegex(ValueError, "unknown engine"):
                cluster.stats(SHARDS, "hadoop", out=out)
            with self.assertRaises(TypeError):
                cluster.stats(SHARDS, 3, out=out)

    def test_no_shards(self) -> None:
        with folder() as out:
            self.assertEqual(cluster.query("mate", [], out=out).count, (0, 0, 0))
            self.assertEqual(cluster.opening_index([], out=out).files, [])

    def test_changed_shard(self) -> None:
        """A shard that has changed is read again."""
        with folder() as out:
            shard = out / "games.pgn"
            for games in (1, 2):
                shard.write_text("1. e4 e5 *\n\n" * games)
                found = cluster.stats(shard, out=out / "results", workers=1)
                self.assertEqual(found["games"], games)


@unittest.skipUnless(has("fsspec"), "fsspec is not installed")
class Urls(unittest.TestCase):
    def test_urls(self) -> None:
        expected = cql.compile(QUERY).count([str(path) for path in SHARDS])
        import fsspec

        memory = fsspec.filesystem("memory")
        for path in SHARDS:
            memory.pipe(f"/shards/{path.name}", path.read_bytes())
        urls = {
            "file": [f"file://{path}" for path in SHARDS],
            "memory": [f"memory://shards/{path.name}" for path in SHARDS],
        }
        # The file system in memory belongs to this process.
        with folder() as out, mock.patch.object(cluster, "run_all", run_here):
            for scheme, shards in urls.items():
                for target in (str(out / scheme), f"memory://{scheme}-results"):
                    found = cluster.query(QUERY, shards, out=target)
                    self.assertEqual(found.count, expected)
                    self.assertEqual(len(list(found)), expected.positions)
                    self.assertEqual({row.source for row in found} - set(shards), set())
                index = cluster.opening_index(shards, out=f"memory://{scheme}-index", ranges=2)
                whole = cluster.opening_index(SHARDS, out=out / f"{scheme}-index", ranges=2)
                self.assertEqual(index.rows, whole.rows)
                self.assertEqual(index.moves(chess.STARTING_FEN), whole.moves(chess.STARTING_FEN))
                merged = cluster.merge(shards, out=f"memory://{scheme}-merge")
                self.assertEqual(
                    memory.cat_file(merged.file.removeprefix("memory:/")),
                    Path(cluster.merge(SHARDS, out=out / "merge").file).read_bytes(),
                )



class Parts(unittest.TestCase):
    def test_parts_of_files(self) -> None:
        """The parts of a file are the file, with the same numbers."""
        for path in SHARDS[::2]:
            parts = gametree.shards(path, size="2k")
            with folder() as out, mock.patch.object(cluster, "run_all", run_here):
                found = cluster.query("mate", parts, out=out / "parts")
                whole = cluster.query("mate", path, out=out / "whole")
                self.assertEqual(list(found), list(whole))
                self.assertEqual(found.count, whole.count)
        self.assertGreater(len(gametree.shards(SHARDS[0], size="2k")), 2)

    @unittest.skipUnless(has("fsspec"), "fsspec is not installed")
    def test_parts_of_urls(self) -> None:
        import fsspec

        fsspec.filesystem("memory").pipe("/whole/games.pgn", SHARDS[0].read_bytes())
        parts = gametree.shards(SHARDS[0], size="2k")
        urls = [f"memory://whole/games.pgn#{part.start}-{part.end}" for part in parts]
        with folder() as out, mock.patch.object(cluster, "run_all", run_here):
            found = cluster.query("mate", urls, out=out / "urls")
            whole = cluster.query("mate", SHARDS[0], out=out / "whole")
            numbers = [[(row.game, row.number, row.fen) for row in rows] for rows in (found, whole)]
            self.assertEqual(numbers[0], numbers[1])
            with self.assertRaisesRegex(cluster.ShardError, "whole frames"):
                cluster.query("mate", f"{urls[0]}+7", out=out / "frames")


if __name__ == "__main__":
    unittest.main()
