#!/usr/bin/env python3
"""Measures `gametree.cluster`: the overhead of an engine, and what a second worker gains.

    bench/cluster.py FILES…                    a query over shards made of these PGN files
    bench/cluster.py FILES… --shards 6 --seconds 10 --times 3 --engines local dask ray spark
    bench/cluster.py FILES… --overhead 8       in one process and on Dask, 8 times by turns
    bench/cluster.py FILES… --jobs query openings stats merge --games 100000 1000000

Each shard holds the files again and again, until one process needs about SECONDS of CPU time for
it. Each measurement is a process of its own: CPU time (user + system) of the program and all its
workers, and the time on the clock. The overhead is CPU time beyond that of one process that reads
the same shards without an engine, and beyond starting and ending the engine without work. The time
on the clock means something on a quiet machine only.

With --overhead, one shard is searched by turns in this process and on a Dask worker that has
started: the CPU time of both processes. Turns of seconds bear with a machine whose speed changes.

With --games, the jobs run in one process over so many games, cut from the repeated files: the
numbers of the cost model in docs/scale.md.
"""

import argparse
import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUERY = "check and Q attacks k"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "gametree-cluster-bench")
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--times", type=int, default=1, help="the least of so many runs")
    parser.add_argument("--engines", nargs="*", default=["local", "dask"])
    parser.add_argument("--overhead", type=int, default=0)
    parser.add_argument("--jobs", nargs="*", default=[])
    parser.add_argument("--games", nargs="*", type=int, default=[])
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return work(**json.loads(args.worker))
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.games:
        return growth(args)
    shards = make_shards(args)
    if args.overhead:
        return overhead(shards[0], args.folder / "out", args.overhead)
    engines = [(engine, workers) for engine in args.engines for workers in (1, 2)]
    starts = {one: measure(one[0], [], args.folder, one[1])["cpu"] for one in engines}
    # One after another, again and again: a slow minute of the machine then harms all of them.
    runs = [
        [measure(engine, shards, args.folder, workers) for engine, workers in [("alone", 1), *engines]]
        for _ in range(args.times)
    ]
    base, *found = [least(column) for column in zip(*runs)]
    print(f"alone            {base['cpu']:7.1f} s CPU  {base['clock']:7.1f} s")
    for (engine, workers), one in zip(engines, found):
        assert one["answer"] == base["answer"], (one, base)
        start = starts[engine, workers]
        print(
            f"{engine:8} {workers} worker{'s' * (workers > 1):1} {one['cpu']:6.1f} s CPU"
            f"  {one['clock']:7.1f} s  {start:.1f} s CPU to start and end,"
            f" {(one['cpu'] - start) / base['cpu'] - 1:+.1%} CPU beyond that"
        )
    clocks = {one: run["clock"] for one, run in zip(engines, found)}
    for engine in args.engines:
        print(f"{engine:8} two workers: {clocks[engine, 1] / clocks[engine, 2]:.2f} times as fast as one")


def overhead(shard, out, times):
    """What Dask adds to the work on one shard."""
    from gametree import cluster

    used = {"alone": [], "dask": []}
    with started_engine("dask", 1) as (client, _):
        worker = lambda: client.submit(cpu, pure=False).result()  # noqa: E731
        for _ in range(times):
            shutil.rmtree(out, ignore_errors=True)
            before = cpu()
            alone("query", [shard], out)
            used["alone"].append(cpu() - before)
            shutil.rmtree(out)
            before = cpu() + worker()
            cluster.query(QUERY, [shard], client, out=out)
            used["dask"].append(cpu() + worker() - before)
    for engine, times in used.items():
        print(f"{engine:6} {min(times):6.2f} s CPU, median {statistics.median(times):.2f} s")
    print(f"overhead {min(used['dask']) / min(used['alone']) - 1:+.1%}")


def least(runs):
    """The best of several runs with the same answer."""
    assert all(run["answer"] == runs[0]["answer"] for run in runs), runs
    return {**runs[0], "cpu": min(run["cpu"] for run in runs), "clock": min(run["clock"] for run in runs)}


def make_shards(args):
    """Files that take one process about so long each."""
    from gametree import cql

    text = b"".join(path.read_bytes().rstrip() + b"\n\n" for path in args.files)
    sample = args.folder / "sample.pgn"
    sample.write_bytes(text)
    # The first run also reads the program and the file from disk.
    cql.compile(QUERY).count(sample, threads=1)
    before = cpu()
    cql.compile(QUERY).count(sample, threads=1)
    times = max(1, round(args.seconds / (cpu() - before)))
    shards = []
    for number in range(args.shards):
        shards.append(args.folder / f"shard-{number}.pgn")
        with open(shards[-1], "wb") as file:
            for _ in range(times):
                file.write(text)
    print(f"{args.shards} shards of {times * len(text) / 1e6:.0f} MB")
    return [str(path) for path in shards]


def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure(engine, shards, folder, workers=1, job="query"):
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    task = json.dumps(dict(engine=engine, shards=shards, out=str(out), workers=workers, job=job))
    started = time.monotonic()
    run = subprocess.run([sys.executable, __file__, "--worker", task], stdout=subprocess.PIPE, check=True)
    found = json.loads(run.stdout.splitlines()[-1])
    found.setdefault("clock", time.monotonic() - started)
    found["bytes"] = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) if out.exists() else 0
    return found


def work(engine, shards, out, workers, job):
    """One measurement, in its own process. The clock runs from the first task to the last."""
    if engine == "alone":
        started = time.monotonic()
        answer = alone(job, shards, out)
        clock = time.monotonic() - started
    else:
        with started_engine(engine, workers) as (chosen, options):
            started = time.monotonic()
            answer = on_engine(job, shards, out, chosen, options)
            clock = time.monotonic() - started
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps(dict(cpu=cpu(), clock=clock, memory=memory * 1024, answer=answer)))


def alone(job, shards, out):
    """The same work with the native module only; results are written as the cluster writes them."""
    from gametree import _native
    from gametree.cluster import _parquet

    os.makedirs(out)
    target = f"{out}/result"
    if job == "query":
        query = _native.compile_cql(QUERY)
        counts = [0, 0, 0]
        for number, shard in enumerate(shards):
            table, found = query.table(shard, threads=1)
            _parquet.write(table, f"{target}-{number}.parquet")
            counts = [a + b for a, b in zip(counts, found)]
        return counts
    if job == "openings":
        table = _native.opening_rows(shards, threads=1)
        _parquet.write(table, f"{target}.parquet")
        return len(table)
    if job == "stats":
        return _native.stats(shards, threads=1)["games"]
    games = _native.merge_shard(shards, f"{target}.merged", plies=30, threads=1)
    return games


def on_engine(job, shards, out, engine, options):
    from gametree import cluster

    if job != "query":
        raise SystemExit("engines are measured with the query")
    return list(cluster.query(QUERY, shards, engine, out=out, **options).count)


@contextlib.contextmanager
def started_engine(engine, workers):
    if engine == "local":
        yield "local", {"workers": workers}
    elif engine == "dask":
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as one:
            with Client(one) as client:
                yield client, {}
    elif engine == "ray":
        import ray

        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        yield "ray", {}
        ray.shutdown()
    else:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(f"local[{workers},4]")
        session = builder.config("spark.ui.enabled", "false").getOrCreate()
        yield session, {}
        session.stop()


def growth(args):
    """The jobs in one process over growing numbers of games."""
    text = b"".join(path.read_bytes().rstrip() + b"\n\n" for path in args.files)
    for games in args.games:
        path = args.folder / f"{games}.pgn"
        write_games(path, text, games)
        for job in args.jobs or ["query", "openings", "stats", "merge"]:
            found = measure("alone", [str(path)], args.folder, job=job)
            print(
                f"{games:9} games {path.stat().st_size / 1e6:7.0f} MB  {job:9}"
                f" {found['cpu']:6.1f} s CPU {found['memory'] / 1e6:6.0f} MB of memory"
                f" {found['bytes'] / 1e6:7.1f} MB written  {found['answer']}"
            )


def write_games(path, text, games):
    """So many games, repeating the text."""
    starts = [0]
    while (at := text.find(b"\n\n[Event ", starts[-1] + 1)) >= 0:
        starts.append(at + 2)
    with open(path, "wb") as file:
        while games > 0:
            take = min(games, len(starts))
            file.write(text if take == len(starts) else text[: starts[take]])
            games -= take


if __name__ == "__main__":
    main()
