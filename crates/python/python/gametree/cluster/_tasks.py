"""The work of one worker: shard in, result file out."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .. import _native, write
from . import _parquet
from ._files import Piece, Store

Counts = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """A piece of work. All that it needs is in it, so that any worker can do it, again and again."""

    kind: str
    """The name of the work, in ``WORK``."""
    store: str
    """The folder of the results."""
    target: str
    """The result file."""
    name: str
    """What the task is about, for messages."""
    shard: Piece | None = None
    inputs: tuple[str, ...] = ()
    """Result files of earlier tasks."""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def receipt(self) -> str:
        """The file that is written last: with it, the result is complete."""
        return f"{self.target}.json"


@dataclass(frozen=True)
class Outcome:
    """The end of a task: small counts, or the reason why there are none."""

    counts: Counts | None
    error: str | None = None


def run(task: Task) -> Outcome:
    """Does a task, unless its result is there. Errors of the data are outcomes, which no engine
    tries again; the end of a worker is left to the engine."""
    store = Store(task.store)
    if (done := store.read(task.receipt)) is not None:
        return Outcome(json.loads(done))
    try:
        counts = WORK[task.kind](task, store)
    except Exception as error:
        return Outcome(None, f"{type(error).__name__}: {error}")
    store.write(task.receipt, json.dumps(counts).encode())
    return Outcome(counts)


def _shard(task: Task) -> Piece:
    if task.shard is None:
        raise ValueError(f"{task.name}: no shard")
    return task.shard


def _query(task: Task, store: Store) -> Counts:
    query = _native.compile_cql(task.options["cql"], task.options["variations"])
    shard = _shard(task)
    with shard.open() as path:
        # Not the name of a copy or of a part; in folders and archives, that of the file.
        name = None if os.path.isdir(path) else shard.path
        table, (games, positions, searched) = query.table(
            path, name=name, threads=task.options["threads"]
        )
    with store.writing(task.target) as part:
        _parquet.write(table, part)
    return {"games": games, "positions": positions, "searched": searched}


def _openings(task: Task, store: Store) -> Counts:
    with _shard(task).open() as path:
        table = _native.opening_rows(
            path, plies=task.options["plies"], threads=task.options["threads"]
        )
    with store.writing(task.target) as part:
        _parquet.write(table, part)
    return {"rows": len(table)}


def _add_up(task: Task, store: Store) -> Counts:
    low, high = task.options["low"], task.options["high"]
    with store.writing(task.target) as part:
        rows = _parquet.add_up(task.inputs, store, low, high, part)
    return {"rows": rows}


def _stats(task: Task, store: Store) -> Counts:
    with _shard(task).open() as path:
        stats = _native.stats(path, threads=task.options["threads"])
    store.write(task.target, json.dumps(stats).encode())
    return {"games": stats["games"]}


def _merge(task: Task, store: Store) -> Counts:
    with _shard(task).open() as path, store.writing(task.target) as part:
        games = _native.merge_shard(
            path, part, plies=task.options["plies"], threads=task.options["threads"]
        )
    return {"games": games}


def _join(task: Task, store: Store) -> Counts:
    with _Copies(store, task.inputs) as copies, store.writing(task.target) as part:
        _native.join_merges(copies.paths, part)
    return {"games": task.options["games"]}


def _finish(task: Task, store: Store) -> Counts:
    with store.local(task.inputs[0]) as path:
        games, report = _native.finish_merge(path, by_frequency=task.options["by_frequency"])
    with store.writing(task.target) as part:
        write(games, part)
    return {"games": len(games), **report}


def _list_components(task: Task, store: Store) -> Counts:
    found = _native.list_components(
        task.options["boards"], task.options["start"], task.options["end"]
    )
    lines = "".join(f"{json.dumps(row)}\n" for row in found)
    store.write(task.target, gzip.compress(lines.encode(), 1, mtime=0))
    return {"components": len(found)}


def _survey(task: Task, store: Store) -> Counts:
    bucket, buckets = task.options["bucket"], task.options["buckets"]
    # The lists are in the order of the boards, so the first place of a component is the same
    # however many lists there are.
    places: dict[str, tuple[int, int]] = {}
    for listed in task.inputs:
        content = store.read(listed)
        if content is None:
            raise FileNotFoundError(listed)
        for line in gzip.decompress(content).splitlines():
            name, number, place = json.loads(line)
            if zlib.crc32(name.encode()) % buckets == bucket:
                places.setdefault(name, (number, place))
    with store.writing(task.target) as part:
        entries, unsolved = _native.survey_components(
            task.options["boards"], list(places.values()), part, tuple(task.options["limits"])
        )
    return {"components": entries, "unsolved": unsolved}


def _merge_databases(task: Task, store: Store) -> Counts:
    with _Copies(store, task.inputs) as copies, store.writing(task.target) as part:
        entries = _native.merge_databases(copies.paths, part)
    return {"components": entries}


class _Copies:
    """Local copies of several results."""

    def __init__(self, store: Store, paths: tuple[str, ...]) -> None:
        self._stack = contextlib.ExitStack()
        self._store, self._names = store, paths
        self.paths: list[str] = []

    def __enter__(self) -> _Copies:
        self.paths = [self._stack.enter_context(self._store.local(name)) for name in self._names]
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()


WORK: dict[str, Callable[[Task, Store], Counts]] = {
    "query": _query,
    "openings": _openings,
    "add up": _add_up,
    "stats": _stats,
    "merge": _merge,
    "join": _join,
    "finish": _finish,
    "list components": _list_components,
    "survey": _survey,
    "merge databases": _merge_databases,
}
