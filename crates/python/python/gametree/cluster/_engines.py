"""Engines that run tasks: processes of this machine, Dask, Ray, Spark.

An engine gets tasks and returns their outcomes. What it moves are names of files and counts.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeAlias

from ._files import load
from ._tasks import Outcome, Task, run

Engine: TypeAlias = "str | Any"
"""``"local"``, a ``distributed.Client``, ``"ray"`` or the address of a Ray cluster, or a
``pyspark.sql.SparkSession``."""

#: How often a task is tried again after its worker has ended.
RETRIES = 3


class WorkerError(RuntimeError):
    """Workers ended again and again, for example because they ran out of memory."""


def run_all(
    tasks: Sequence[Task], engine: Engine, workers: int | None, progress: bool | None
) -> list[Outcome]:
    """The outcomes of all tasks, in the order of the tasks."""
    outcomes: list[Outcome | None] = [None] * len(tasks)
    if tasks:
        finished = _backend(engine, workers)(tasks)
        for index, outcome in _watched(finished, tasks, engine, progress):
            outcomes[index] = outcome
    return [outcome for outcome in outcomes if outcome is not None]


_Finished = Iterator[tuple[int, Outcome]]


def _backend(engine: Engine, workers: int | None) -> Callable[[Sequence[Task]], _Finished]:
    if isinstance(engine, str):
        if engine == "local":
            return lambda tasks: _local(tasks, workers)
        if engine == "ray" or engine == "auto" or ":" in engine:
            return lambda tasks: _ray(tasks, None if engine == "ray" else engine)
        raise ValueError(
            f"unknown engine {engine!r}: expected 'local', 'ray', the address of a Ray cluster,"
            " a Dask client or a Spark session"
        )
    if hasattr(engine, "submit") and hasattr(engine, "scheduler_info"):
        return lambda tasks: _dask(tasks, engine)
    if hasattr(engine, "sparkContext"):
        return lambda tasks: _spark(tasks, engine)
    raise TypeError(
        f"expected 'local', 'ray', a Dask client or a Spark session, not {type(engine).__name__}"
    )


def _watched(
    finished: _Finished, tasks: Sequence[Task], engine: Engine, progress: bool | None
) -> _Finished:
    """The same outcomes, with a bar if tqdm is installed. Dask, Ray and Spark have their own."""
    wanted = progress if progress is not None else engine == "local" and sys.stderr.isatty()
    if not wanted:
        return finished
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return finished
    return iter(tqdm(finished, total=len(tasks), desc=tasks[0].kind, unit="shard"))


def _local(tasks: Sequence[Task], workers: int | None) -> _Finished:
    """Processes of this machine. A process that ends breaks the whole pool: a new one does what
    is left."""
    left = dict(enumerate(tasks))
    broken = 0
    while left:
        before = len(left)
        count = min(workers or os.cpu_count() or 1, before)
        pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))
        try:
            for index, outcome in _pooled(pool, left):
                del left[index]
                yield index, outcome
        except BrokenProcessPool as error:
            broken = broken + 1 if len(left) == before else 0
            if broken >= RETRIES:
                names = ", ".join(task.name for task in list(left.values())[:count])
                raise WorkerError(
                    f"workers end without a result; first in line: {names}. A script must call"
                    ' this under `if __name__ == "__main__":`'
                ) from error
        finally:
            # After an exception (Ctrl-C too), what has not begun does not begin.
            pool.shutdown(wait=True, cancel_futures=True)


def _pooled(pool: ProcessPoolExecutor, tasks: dict[int, Task]) -> _Finished:
    futures: dict[Future[Outcome], int] = {
        pool.submit(run, task): index for index, task in tasks.items()
    }
    while futures:
        done, _ = wait(futures, return_when=FIRST_COMPLETED)
        # Results that came before the pool broke count.
        failed: BaseException | None = None
        for future in done:
            index = futures.pop(future)
            failed = future.exception() or failed
            if future.exception() is None:
                yield index, future.result()
        if failed is not None:
            raise failed


def _dask(tasks: Sequence[Task], client: Any) -> _Finished:
    as_completed = load("distributed").as_completed
    # The name before the last dash is what the dashboard shows.
    name = f"gametree-{tasks[0].kind.replace(' ', '_')}-{uuid.uuid4().hex}"
    futures = {
        client.submit(run, task, key=f"{name}{index}", pure=False, retries=RETRIES): index
        for index, task in enumerate(tasks)
    }
    for future in as_completed(list(futures)):
        try:
            outcome = future.result()
        except Exception as error:
            _raise_if_killed(error, tasks[futures[future]], "KilledWorker")
            raise
        yield futures[future], outcome


def _ray(tasks: Sequence[Task], address: str | None) -> _Finished:
    ray = load("ray")
    if not ray.is_initialized():
        ray.init(address=address)
    work = ray.remote(max_retries=RETRIES)(run)
    waiting = {work.remote(task): index for index, task in enumerate(tasks)}
    while waiting:
        [done], _ = ray.wait(list(waiting), num_returns=1)
        index = waiting.pop(done)
        try:
            outcome = ray.get(done)
        except Exception as error:
            _raise_if_killed(error, tasks[index], "WorkerCrashedError", "OutOfMemoryError")
            raise
        yield index, outcome


def _spark(tasks: Sequence[Task], session: Any) -> _Finished:
    context = session.sparkContext
    context.setJobDescription(f"gametree: {tasks[0].kind}")
    numbered = context.parallelize(list(enumerate(tasks)), len(tasks))
    try:
        # One task of Spark for each of ours: its scheduler, retries and progress apply to them.
        yield from numbered.map(_run_numbered).collect()
    finally:
        context.setJobDescription(None)


def _run_numbered(numbered: tuple[int, Task]) -> tuple[int, Outcome]:
    index, task = numbered
    return index, run(task)


def _raise_if_killed(error: Exception, task: Task, *names: str) -> None:
    if type(error).__name__ in names:
        raise WorkerError(f"{task.name}: workers end without a result: {error}") from error
