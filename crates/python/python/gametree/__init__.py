"""Game trees: PGN, CQL queries, transpositions and combinatorial games.

>>> import gametree
>>> for game in gametree.open("games.pgn", numbers="1-3"):
...     print(game.headers["White"], game.result, game.node_count)
Morphy, Paul 1-0 34
Anderssen, Adolf 1-0 46
Anderssen, Adolf 1-0 48
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, NamedTuple, TypeAlias

from . import _native
from ._native import (
    Columns,
    Complaint,
    Edge,
    Eval,
    Game,
    GameIterator,
    Games,
    Graph,
    Headers,
    Node,
    Position,
    Table,
    Walk,
    __version__,
)
from ._shards import Shard, shards

__all__ = [
    "Columns",
    "Complaint",
    "Edge",
    "Eval",
    "Game",
    "GameIterator",
    "Games",
    "Graph",
    "Headers",
    "Merge",
    "Node",
    "Path",
    "Position",
    "Shard",
    "Source",
    "Table",
    "Walk",
    "__version__",
    "columns",
    "diff",
    "link",
    "merge",
    "open",
    "read",
    "shards",
    "unlink",
    "write",
]

Mapping.register(Headers)  # pyright: ignore[reportAttributeAccessIssue]

Path: TypeAlias = "str | os.PathLike[str]"
"""A file, a folder, or a part of a file (``Shard``)."""

Source: TypeAlias = "Path | Games | Game | Iterable[Path] | Iterable[Game]"
"""Files and folders, or games in memory."""

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black")


def open(
    source: Path | Sequence[Path],
    *,
    tags: Mapping[str, str] | Sequence[str] | str | None = None,
    numbers: str | int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Games:
    """The games of PGN files, read lazily, in order, and on all cores.

    A folder stands for the PGN files in it. Files may be compressed (``.gz``, ``.bz2``, ``.zst``).
    Memory is bounded however large the files are, unless you keep the games. A game with
    errors is read as far as possible, see ``Game.errors``.

    ``tags`` selects games: ``{"White": "Anna"}`` if the tag contains the text, or conditions such
    as ``["WhiteElo>=2700", "Event~^Tata"]``. ``numbers`` selects them by their number in the
    file: ``"1-10,15"``. ``progress=True`` shows a bar if tqdm is installed.

    >>> import gametree
    >>> games = gametree.open("games.pgn")
    >>> sum(game.node_count for game in games)
    363
    >>> [game.result for game in gametree.open("games.pgn", tags={"White": "Morphy"})]
    ['1-0']

    :raises FileNotFoundError: if a file does not exist.
    :raises OSError: at the end of the loop, if a file could not be read to its end.
    """
    return _native.open(
        source, tags=tags, numbers=numbers, threads=threads, progress=progress
    )


def read(text: str | bytes | IO[Any]) -> list[Game]:
    """The games of a PGN text, or of an open file.

    >>> import gametree
    >>> [game] = gametree.read("1. e4 e5 *")
    >>> game.end.fen
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    """
    return _native.read(text)


def write(games: Game | Iterable[Game], path: Path) -> int:
    """Writes games to a PGN file and returns their number.

    The file is compressed according to its extension (``.gz``, ``.bz2``, ``.zst``). It appears
    when it is complete: if something fails, an existing file keeps its content.

    >>> import gametree
    >>> gametree.write(gametree.open("games.pgn"), "copy.pgn.zst")
    15
    >>> list(gametree.open("copy.pgn.zst")) == list(gametree.open("games.pgn"))
    True
    """
    return _native.write(games, path)


def columns(
    source: Source,
    *,
    tags: Sequence[str] = ROSTER,
    moves: bool = True,
    san: bool = False,
    clocks: bool = True,
    evals: bool = True,
    fens: bool = False,
    keys: bool = False,
    variations: bool = False,
    threads: int | None = None,
) -> Columns:
    """The games of whole files as two tables, for NumPy, Polars, pandas and DuckDB.

    ``columns.games`` has one row for each game: ``file``, ``number``, the ``tags`` you name,
    ``result``, and ``first_row`` and ``rows``, its place in the other table.

    ``columns.positions`` has one row for each position of the mainline, the start position
    included, or of all variations: ``game`` (the row of the game), ``ply``, and

    - with ``variations``: ``depth`` and ``parent`` (the row before the move);
    - with ``moves``: ``from_square`` and ``to_square`` (0 is a1, 63 is h8), ``promotion`` (0, or
      2 knight to 5 queen) and ``uci`` of the move that leads to the position;
    - with ``san``: ``san``, the same move in SAN;
    - with ``clocks``: ``clock`` in seconds;
    - with ``evals``: ``eval`` in pawns and ``mate`` in moves, positive if White is better;
    - with ``fens``: ``fen``; with ``keys``: ``key``, 16 bytes, equal for equal positions.

    What is missing is null in Arrow. In NumPy it is NaN, ``None``, 255 for squares, 0 for mates
    and 4294967295 for parents.

    >>> import gametree
    >>> columns = gametree.columns("games.pgn")
    >>> columns
    <Columns of 15 games, 325 positions>
    >>> columns.games.names
    ['file', 'number', 'Event', 'Site', 'Date', 'Round', 'White', 'Black', 'result', 'first_row', 'rows']

    With Polars, ``polars.DataFrame(columns.games)``; with DuckDB, ``duckdb.sql("from games")``
    where ``games = columns.games``; with pandas, ``pandas.DataFrame(columns.games.to_numpy())``.
    """
    return _native.columns(
        source,
        tags=list(tags),
        moves=moves,
        san=san,
        clocks=clocks,
        evals=evals,
        fens=fens,
        keys=keys,
        variations=variations,
        threads=threads,
    )


class Merge(NamedTuple):
    """The result of a merge."""

    games: list[Game]
    """The merged games: one for each start position and variant."""
    report: dict[str, Any]
    """Counts, and for files also what each of them added and which annotations contradict."""


def merge(
    source: Source,
    *,
    plies: int | None = None,
    by_frequency: bool = False,
    threads: int | None = None,
) -> Merge:
    """Merges games into one tree. Every comment is kept; merging again changes nothing.

    ``plies`` cuts each game after so many half-moves. ``by_frequency`` makes the most frequent
    move the primary one.

    >>> import gametree
    >>> merged = gametree.merge("games.pgn", plies=6)
    >>> merged.games[0].node_count, merged.report["moves"]
    (58, 75)
    """
    games, report = _native.merge_games(
        source, plies=plies, by_frequency=by_frequency, threads=threads
    )
    return Merge(games, report)


def diff(
    old: Source, new: Source, *, base_fen: bool = False, threads: int | None = None
) -> list[dict[str, Any]]:
    """The differences between two collections, compared by position.

    >>> import gametree
    >>> old = gametree.read("1. e4 e5 2. Nf3 *")
    >>> new = gametree.read("1. e4 e5 2. Nf3 Nc6 *")
    >>> for change in gametree.diff(old, new):
    ...     print(change["kind"], change["path"], change["new"])
    added 1.e4 e5 2.Nf3 Nc6 ['2...Nc6']
    """
    return _native.diff_games(old, new, base_fen=base_fen, threads=threads)


def link(
    source: Source, *, base_fen: bool = False, threads: int | None = None
) -> list[Game]:
    """The games without repeated continuations: a line that transposes to another line with equal
    continuations ends with a reference to it. ``unlink`` restores the games.

    >>> import gametree
    >>> games = list(gametree.open("repertoire.pgn"))
    >>> gametree.unlink(gametree.link(games)) == games
    True
    """
    return _native.link_games(source, base_fen=base_fen, threads=threads)


def unlink(source: Source, *, threads: int | None = None) -> list[Game]:
    """The games with all continuations that ``link`` replaced by references."""
    return _native.link_games(source, undo=True, threads=threads)
