"""Work on more games than one machine holds, on engines that exist: processes, Dask, Ray, Spark.

Each function takes shards (files, parts of files, folders, archives, URLs), an ``engine`` and
``out``, a folder that all workers can reach. A worker reads one shard and writes one result file.
Only names of files and counts pass through the program that calls.

>>> from gametree import cluster
>>> found = cluster.query("mate", ["games.pgn", "repertoire.pgn"], out="results", workers=2)
>>> found.count
Count(games=11, positions=11, searched=18)

The engine ``"local"`` starts processes, which import the main program: a script needs
``if __name__ == "__main__":`` around its calls.

Results are those of one process, in the same order. A worker that ends in the midst is replaced.
A shard that cannot be read is named in a ``ShardError``, after all others are done. Calling again
with the same arguments reuses the finished results.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .. import _native
from ..cql import Count, Query
from . import _parquet
from ._engines import Engine, WorkerError, run_all
from ._files import Piece, Store, digest
from ._tasks import Counts, Task

__all__ = [
    "ComponentDatabase",
    "Engine",
    "MatchRow",
    "MergedGames",
    "OpeningIndex",
    "OpeningMove",
    "QueryResult",
    "ShardError",
    "ShardLike",
    "WorkerError",
    "component_database",
    "merge",
    "opening_index",
    "query",
    "stats",
]

ShardLike: TypeAlias = "str | os.PathLike[str]"
"""A file, a folder, an archive, a URL that fsspec opens, or a part of a file: ``gametree.Shard``."""


class ShardError(RuntimeError):
    """Some shards could not be processed. The results of the others are kept: correct the shards
    or leave them out, and call again."""

    bad: dict[str, str]
    """The reason for each shard."""

    def __init__(self, bad: dict[str, str]) -> None:
        lines = "".join(f"\n  {name}: {reason}" for name, reason in bad.items())
        super().__init__(f"{len(bad)} of the shards could not be processed:{lines}")
        self.bad = bad

    def __reduce__(self) -> tuple[type[ShardError], tuple[dict[str, str]]]:
        return ShardError, (self.bad,)


@dataclass(frozen=True)
class _Job:
    """One call: where it runs, and the names of its results."""

    kind: str
    options: dict[str, Any]
    store: Store
    engine: Engine
    workers: int | None
    resume: bool
    progress: bool | None

    @property
    def folder(self) -> str:
        """The name of the folder of results: the same for the same question."""
        name = self.kind.replace(" ", "-")
        return f"{name}-{digest(self.kind, self.options, _native.__version__)}"

    def target(self, index: int, what: Any, suffix: str) -> str:
        """The name of a result, derived from the job and from what it is about."""
        return self.store.join(self.folder, f"{index:06}-{digest(what)}{suffix}")

    def over(self, shards: Sequence[Piece], suffix: str) -> list[Task]:
        """A task for each shard."""
        return [
            Task(
                kind=self.kind,
                store=self.store.root,
                target=self.target(index, shard.identity(), suffix),
                name=shard.name,
                shard=shard,
                options=self.options,
            )
            for index, shard in enumerate(shards)
        ]

    def task(self, kind: str, target: str, inputs: Iterable[str], **options: Any) -> Task:
        """A task that joins results."""
        name = target.rsplit("/", 1)[-1]
        return Task(kind, self.store.root, target, name, None, tuple(inputs), options)

    def run(self, tasks: Sequence[Task]) -> list[Counts]:
        """The counts of all tasks, in order."""
        if not self.resume:
            for task in tasks:
                self.store.remove(task.receipt)
        outcomes = run_all(tasks, self.engine, self.workers, self.progress)
        bad = {
            task.name: outcome.error
            for task, outcome in zip(tasks, outcomes)
            if outcome.error is not None
        }
        if bad:
            raise ShardError(bad)
        return [outcome.counts or {} for outcome in outcomes]


def _pieces(shards: ShardLike | Iterable[ShardLike]) -> list[Piece]:
    """Shards of any form; a single one is a list of one."""
    if isinstance(shards, (str, os.PathLike)):
        return [Piece.of(shards)]
    return [Piece.of(shard) for shard in shards]


# Queries


@dataclass(frozen=True)
class MatchRow:
    """A matching position."""

    game: int
    """The number of the game in all shards together, from 1."""
    source: str
    """The file of the game."""
    number: int
    """The number of the game in its file, from 1."""
    position: int
    """The id of the position in its game."""
    ply: int
    """The number of moves to the position."""
    path: str
    """The moves to the position."""
    fen: str
    """The position."""


@dataclass(frozen=True)
class QueryResult:
    """The matches of a query: Parquet files, one for each shard, in the order of the shards.

    The columns are those of ``MatchRow``, but ``game`` counts within the shard, and so does
    ``number`` if the shard is a part of a file. Looping over the result gives a ``MatchRow`` for
    each.
    """

    count: Count
    """Matching games, matching positions, and games searched."""
    files: list[str]
    """The file of each shard."""
    counts: list[Count]
    """The counts of each shard."""
    shards: list[Piece] = field(repr=False)
    out: str = field(repr=False)

    def __iter__(self) -> Iterator[MatchRow]:
        before = 0
        before_in_file: Counter[str] = Counter()
        for shard, file, count in zip(self.shards, self.files, self.counts):
            earlier = before_in_file[shard.path] if shard.part else 0
            for row in _parquet.read([file], Store(self.out)):
                row["game"] += before
                row["number"] += earlier
                yield MatchRow(**row)
            before += count.searched
            before_in_file[shard.path] += count.searched


def query(
    cql: str | Query,
    shards: ShardLike | Iterable[ShardLike],
    engine: Engine = "local",
    *,
    out: str | os.PathLike[str],
    variations: bool | None = None,
    threads: int = 1,
    workers: int | None = None,
    resume: bool = True,
    progress: bool | None = None,
) -> QueryResult:
    """Searches shards with a CQL query.

    ``threads`` is the number of threads of a worker. ``workers`` is the number of processes of the
    engine ``"local"``; other engines know theirs. ``resume=False`` does everything anew.

    :raises CqlError: if the query is wrong.
    :raises ValueError: if the answer depends on more than one game: ``sort``, persistent variables,
        and numbers of games.
    :raises ShardError: if shards could not be read.
    """
    text, chosen = (cql.source, cql._variations) if isinstance(cql, Query) else (cql, None)
    chosen = chosen if variations is None else variations
    if not _native.compile_cql(text, chosen).is_local():
        raise ValueError(
            "this query depends on several games (sort, persistent or gamenumber), and shards are"
            " searched apart"
        )
    options = {"cql": text, "variations": chosen, "threads": threads}
    job = _Job("query", options, Store(out), engine, workers, resume, progress)
    parts = _pieces(shards)
    tasks = job.over(parts, ".parquet")
    counts = [
        Count(found["games"], found["positions"], found["searched"]) for found in job.run(tasks)
    ]
    total = Count(*(sum(column) for column in zip(*counts))) if counts else Count(0, 0, 0)
    return QueryResult(total, [task.target for task in tasks], counts, parts, job.store.root)


# Opening statistics


@dataclass(frozen=True)
class OpeningMove:
    """The games in which a move was played where a position occurred first."""

    uci: str | None
    """The move; ``None`` for games that end there."""
    games: int
    white: int
    """Games won by White."""
    draws: int
    black: int
    """Games won by Black."""
    elo_games: int
    """Games where both players have a rating."""
    elo_sum: int
    """The ratings of the side to move in those, added up."""
    opponent_elo_sum: int
    """The ratings of its opponents, added up."""
    elo_results: int
    """Of those games, the ones with a result."""
    elo_points: int
    """The points of the side to move in them, doubled."""
    first_date: str | None
    """The earliest date."""
    last_date: str | None
    """The latest date."""


@dataclass(frozen=True)
class OpeningIndex:
    """Opening statistics of all positions: Parquet files, each with a range of keys, in order.

    The columns are ``key_hi`` and ``key_lo`` (the halves of ``Node.key``), and those of
    ``OpeningMove``. All rows of a position are in one file, one after another.
    """

    folder: str
    """The folder of the table: ``gametree opening FOLDER`` answers from it."""
    files: list[str]
    rows: int
    """The number of rows in all files."""

    def moves(self, position: str | int) -> list[OpeningMove]:
        """The moves played from a position, most frequent first; the position is a FEN or a key.
        Only the file with its key is read."""
        key = position if isinstance(position, int) else _key(position)
        file = (key >> 64) * len(self.files) >> 64
        rows = _parquet.select(self.files[file], Store(self.folder), key)
        moves = [
            OpeningMove(**{name: row[name] for name in row if not name.startswith("key_")})
            for row in rows
        ]
        return sorted(moves, key=lambda move: (-move.games, move.uci or ""))


def _key(fen: str) -> int:
    [game] = _native.read(f'[SetUp "1"]\n[FEN "{fen}"]\n\n*')
    if game.errors:
        raise ValueError(f"invalid FEN: {fen}")
    return game.root.key


#: Rows of all runs that one worker adds up, unless the caller names a number of ranges.
_ROWS_AT_ONCE = 4_000_000


def opening_index(
    shards: ShardLike | Iterable[ShardLike],
    engine: Engine = "local",
    *,
    out: str | os.PathLike[str],
    plies: int | None = None,
    ranges: int | None = None,
    threads: int = 1,
    workers: int | None = None,
    resume: bool = True,
    progress: bool | None = None,
) -> OpeningIndex:
    """Opening statistics of all positions of shards.

    Each shard gives a sorted run of rows. Then the runs are added up, each range of keys by
    one worker. ``plies`` counts only so many half-moves of each game. ``ranges`` is the number of
    files; by default it follows from the number of rows.
    """
    options = {"plies": plies, "threads": threads}
    job = _Job("openings", options, Store(out), engine, workers, resume, progress)
    tasks = job.over(_pieces(shards), ".parquet")
    rows = sum(counts["rows"] for counts in job.run(tasks))
    count = ranges or max(1, -(-rows // _ROWS_AT_ONCE))
    runs = [task.target for task in tasks]
    folder = job.store.join(job.folder, f"index-{digest(runs, count)}")
    if not runs:
        return OpeningIndex(folder, [], 0)
    added = [
        job.task(
            "add up",
            f"{folder}/openings/{index:06}.parquet",
            runs,
            low=-(-(index << 64) // count),
            high=-(-((index + 1) << 64) // count) - 1,
        )
        for index in range(count)
    ]
    rows = sum(counts["rows"] for counts in job.run(added))
    return OpeningIndex(folder, [task.target for task in added], rows)


# Statistics


def stats(
    shards: ShardLike | Iterable[ShardLike],
    engine: Engine = "local",
    *,
    out: str | os.PathLike[str],
    threads: int = 1,
    workers: int | None = None,
    resume: bool = True,
    progress: bool | None = None,
) -> dict[str, Any]:
    """The counts of ``gametree stats --no-positions --json`` over all shards."""
    options = {"threads": threads}
    job = _Job("stats", options, Store(out), engine, workers, resume, progress)
    tasks = job.over(_pieces(shards), ".json")
    job.run(tasks)
    total: dict[str, Any] = {}
    for task in tasks:
        content = job.store.read(task.target)
        if content is None:
            raise FileNotFoundError(task.target)
        _join_stats(total, json.loads(content))
    if "openings" in total:
        total["openings"] = _openings_by_count(total["openings"])
    return total


#: Counts that are not added up.
_GREATEST = ("longest_line", "max_depth")


def _join_stats(total: dict[str, Any], part: Mapping[str, Any]) -> None:
    for name, value in part.items():
        if name == "openings":
            known = total.setdefault(name, Counter())
            known.update({(row["eco"], row["name"]): row["games"] for row in value})
        elif isinstance(value, dict):
            known = total.setdefault(name, {})
            for key, count in value.items():
                known[key] = known.get(key, 0) + count
        elif name in _GREATEST:
            total[name] = max(total.get(name, 0), value)
        elif value is None:
            total[name] = None
        else:
            total[name] = total.get(name, 0) + value


def _openings_by_count(openings: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    ordered = sorted(openings.items(), key=lambda item: (-item[1], item[0]))
    return [{"eco": eco, "name": name, "games": games} for (eco, name), games in ordered]


# Merging


@dataclass(frozen=True)
class MergedGames:
    """The result of a merge."""

    file: str
    """The merged games, PGN."""
    games: int
    """Their number: one for each start position and variant."""
    moves: int
    """Their moves."""
    comments: int
    """Their comments."""
    dropped_tags: list[str]
    """Tags that are left out because games have different values."""


#: Results that one worker joins.
_FAN_IN = 8


def merge(
    shards: ShardLike | Iterable[ShardLike],
    engine: Engine = "local",
    *,
    out: str | os.PathLike[str],
    plies: int | None = None,
    by_frequency: bool = False,
    fan_in: int = _FAN_IN,
    threads: int = 1,
    workers: int | None = None,
    resume: bool = True,
    progress: bool | None = None,
) -> MergedGames:
    """Merges the games of shards into one tree, as ``gametree.merge`` does.

    Neighbours are joined, ``fan_in`` at a time, until one result is left. The tree must fit into
    the memory of a worker; ``plies`` limits it.
    """
    options = {"plies": plies, "threads": threads}
    job = _Job("merge", options, Store(out), engine, workers, resume, progress)
    tasks = job.over(_pieces(shards), ".merged")
    if not tasks:
        raise ValueError("no shards")
    if fan_in < 2:
        raise ValueError("fan_in must be at least 2")
    counts = job.run(tasks)
    while len(tasks) > 1:
        tasks = _join_neighbours(job, tasks, counts, fan_in)
        counts = job.run(tasks)
    last = tasks[0].target
    target = job.target(0, [last, by_frequency], ".pgn")
    [report] = job.run([job.task("finish", target, [last], by_frequency=by_frequency)])
    return MergedGames(
        target, report["games"], report["moves"], report["comments"], report["dropped_tags"]
    )


def _join_neighbours(
    job: _Job, tasks: Sequence[Task], counts: Sequence[Counts], fan_in: int
) -> list[Task]:
    joined = []
    for start in range(0, len(tasks), fan_in):
        inputs = [task.target for task in tasks[start : start + fan_in]]
        games = sum(count["games"] for count in counts[start : start + fan_in])
        target = job.target(start // fan_in, inputs, ".merged")
        joined.append(job.task("join", target, inputs, games=games))
    return joined


# Components of sums


@dataclass(frozen=True)
class ComponentDatabase:
    """A database of components, as ``gametree sums db create`` makes it."""

    file: str
    components: int
    """The number of components in it."""
    unsolved: int
    """Components beyond the limits, which are omitted."""


#: Boards whose components one worker lists.
_BOARDS_AT_ONCE = 1_000_000
#: Components that one worker solves, unless the caller names a number of parts.
_COMPONENTS_AT_ONCE = 2_000


def component_database(
    game: str,
    size: int | str,
    engine: Engine = "local",
    *,
    out: str | os.PathLike[str],
    slices: int | None = None,
    parts: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    threads: int = 1,
    workers: int | None = None,
    resume: bool = True,
    progress: bool | None = None,
) -> ComponentDatabase:
    """A database of all components of the boards of a game up to a size, ``10`` or ``"3x4"``.

    First ``slices`` of the boards are listed, then ``parts`` of the components are solved, each
    component once, then the parts are merged. ``time`` (seconds), ``nodes`` and ``memory`` (bytes)
    limit each question about a component, as in ``gametree.sums``; set ``memory`` if several
    workers share a machine.
    """
    boards = f"{game}={size}"
    count = _native.count_boards(boards)
    limits = [time, nodes, memory, threads]
    options = {"boards": boards, "limits": limits}
    job = _Job("components", options, Store(out), engine, workers, resume, progress)
    listed = _list_slices(job, boards, count, slices or -(-count // _BOARDS_AT_ONCE))
    lists = [task.target for task in listed]
    found = sum(counts["components"] for counts in job.run(listed))
    buckets = parts or max(1, -(-found // _COMPONENTS_AT_ONCE))
    surveys = [
        job.task(
            "survey",
            job.target(bucket, [lists, buckets], ".db"),
            lists,
            bucket=bucket,
            buckets=buckets,
            **options,
        )
        for bucket in range(buckets)
    ]
    unsolved = sum(counts["unsolved"] for counts in job.run(surveys))
    databases = [task.target for task in surveys]
    target = job.target(0, databases, "-all.db")
    [merged] = job.run([job.task("merge databases", target, databases)])
    return ComponentDatabase(target, merged["components"], unsolved)


def _list_slices(job: _Job, boards: str, count: int, slices: int) -> list[Task]:
    cuts = [count * index // slices for index in range(slices + 1)]
    return [
        job.task(
            "list components",
            job.target(index, [start, end], ".list.gz"),
            [],
            boards=boards,
            start=start,
            end=end,
        )
        for index, (start, end) in enumerate(zip(cuts, cuts[1:]))
    ]
