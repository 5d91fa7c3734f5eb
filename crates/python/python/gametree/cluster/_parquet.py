"""Parquet files through pyarrow, DuckDB or Polars, whichever is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import Any

from ._files import Store, filesystem, load

#: Rows in a group of a Parquet file: what is read at once, and skipped at once.
GROUP = 1 << 17

#: The order of the rows of an opening index; no move comes first.
KEYS = ("key_hi", "key_lo", "uci")
#: Columns that are added up.
SUMS = (
    "games",
    "white",
    "draws",
    "black",
    "elo_games",
    "elo_sum",
    "opponent_elo_sum",
    "elo_results",
    "elo_points",
)


def library() -> str:
    """The name of an installed library that reads and writes Parquet."""
    for name in ("pyarrow", "duckdb", "polars"):
        if importlib.util.find_spec(name) is not None:
            return name
    raise ImportError("install pyarrow, duckdb or polars: results are Parquet files")


def write(table: Any, path: str) -> None:
    """Writes a table of the native module, or of the library in use."""
    name = library()
    if name == "pyarrow":
        table = load("pyarrow").table(table)
        load("pyarrow.parquet").write_table(
            table, path, compression="zstd", row_group_size=GROUP
        )
    elif name == "duckdb":
        connection = load("duckdb").connect()
        connection.register("rows", table)
        _copy(connection, "rows", path)
    else:
        frame = load("polars").DataFrame(table)
        frame.write_parquet(path, compression="zstd", row_group_size=GROUP)


def read(paths: Sequence[str], store: Store) -> Iterator[dict[str, Any]]:
    """The rows of files, one after another."""
    for path in paths:
        with store.local(path) as copy:
            yield from _rows(copy)


def _rows(path: str) -> Iterator[dict[str, Any]]:
    name = library()
    if name == "pyarrow":
        for batch in load("pyarrow.parquet").ParquetFile(path).iter_batches():
            yield from batch.to_pylist()
    elif name == "duckdb":
        found = load("duckdb").connect().execute("from read_parquet(?)", [path])
        names = [column[0] for column in found.description]
        while rows := found.fetchmany(GROUP):
            for row in rows:
                yield dict(zip(names, row))
    else:
        yield from load("polars").read_parquet(path).iter_rows(named=True)


def select(path: str, store: Store, key: int) -> list[dict[str, Any]]:
    """The rows of one position in a file of an opening index."""
    high, low = key >> 64, key & ((1 << 64) - 1)
    with store.local(path) as copy:
        return _select(copy, high, low)


def _select(path: str, high: int, low: int) -> list[dict[str, Any]]:
    name = library()
    if name == "pyarrow":
        here = _is("key_hi", "==", high) & _is("key_lo", "==", low)
        table = load("pyarrow.parquet").read_table(path, filters=here)
        return list(table.to_pylist())
    if name == "duckdb":
        query = "from read_parquet(?) where key_hi = ?::ubigint and key_lo = ?::ubigint"
        found = load("duckdb").connect().execute(query, [path, high, low])
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]
    column = load("polars").col
    rows = load("polars").scan_parquet(path)
    rows = rows.filter((column("key_hi") == high) & (column("key_lo") == low))
    return list(rows.collect().to_dicts())


def _is(column: str, relation: str, number: int) -> Any:
    """A condition of pyarrow on half a key, which may be greater than a signed number."""
    pyarrow = load("pyarrow")
    relations = {"==": "__eq__", ">=": "__ge__", "<=": "__le__"}
    field = load("pyarrow.compute").field(column)
    return getattr(field, relations[relation])(pyarrow.scalar(number, pyarrow.uint64()))


def add_up(paths: Sequence[str], store: Store, low: int, high: int, target: str) -> int:
    """Adds up the rows of sorted runs whose ``key_hi`` is from ``low`` to ``high``, in order.
    Returns the number of rows."""
    name = "pyarrow" if store.remote else library()
    if name == "pyarrow":
        return _add_up_pyarrow(paths, store, low, high, target)
    if name == "duckdb":
        return _add_up_duckdb(paths, low, high, target)
    return _add_up_polars(paths, low, high, target)


def _add_up_pyarrow(
    paths: Sequence[str], store: Store, low: int, high: int, target: str
) -> int:
    dataset = load("pyarrow.dataset")
    within = _is("key_hi", ">=", low) & _is("key_hi", "<=", high)
    system = None
    files = list(paths)
    if store.remote:
        system = filesystem(store.root)[0]
        files = [filesystem(path)[1] for path in files]
    table = dataset.dataset(files, format="parquet", filesystem=system).to_table(filter=within)
    columns = table.schema.names
    sums = [(name, "sum") for name in SUMS]
    found = table.group_by(list(KEYS), use_threads=False).aggregate(
        [*sums, ("first_date", "min"), ("last_date", "max")]
    )
    names = [f"{name}_sum" for name in SUMS] + ["first_date_min", "last_date_max"]
    found = found.select([*KEYS, *names]).rename_columns(columns)
    # No move comes first, in all versions of pyarrow.
    found = found.append_column("moves", found["uci"].is_valid())
    order = [(key, "ascending") for key in ("key_hi", "key_lo", "moves", "uci")]
    found = found.sort_by(order).drop_columns(["moves"])
    write(found, target)
    return int(found.num_rows)


def _add_up_duckdb(paths: Sequence[str], low: int, high: int, target: str) -> int:
    connection = load("duckdb").connect()
    sums = ", ".join(f"sum({name})::bigint as {name}" for name in SUMS)
    keys = ", ".join(KEYS)
    connection.execute(
        f"create table rows as select {keys}, {sums}, min(first_date) as first_date,"
        " max(last_date) as last_date from read_parquet(?)"
        " where key_hi between ?::ubigint and ?::ubigint"
        f" group by {keys} order by {keys} nulls first",
        [list(paths), low, high],
    )
    _copy(connection, "rows", target)
    [(count,)] = connection.execute("select count(*) from rows").fetchall()
    return int(count)


def _copy(connection: Any, rows: str, target: str) -> None:
    quoted = target.replace("'", "''")
    connection.execute(
        f"copy (from {rows}) to '{quoted}'"
        f" (format parquet, compression zstd, row_group_size {GROUP})"
    )


def _add_up_polars(paths: Sequence[str], low: int, high: int, target: str) -> int:
    polars = load("polars")
    column = polars.col
    rows = polars.scan_parquet(list(paths))
    rows = rows.filter(column("key_hi").is_between(low, high)).group_by(list(KEYS)).agg(
        *[column(name).sum() for name in SUMS],
        column("first_date").min(),
        column("last_date").max(),
    )
    found = rows.sort(list(KEYS)).collect()
    found.write_parquet(target, compression="zstd", row_group_size=GROUP)
    return int(found.height)
