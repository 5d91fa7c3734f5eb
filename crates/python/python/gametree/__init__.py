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
from typing import IO, Any, TypeAlias

from . import _native
from ._native import (
    Complaint,
    Eval,
    Game,
    GameIterator,
    Games,
    Headers,
    Node,
    Walk,
    __version__,
)

__all__ = [
    "Complaint",
    "Eval",
    "Game",
    "GameIterator",
    "Games",
    "Headers",
    "Node",
    "Path",
    "Walk",
    "__version__",
    "open",
    "read",
    "write",
]

Mapping.register(Headers)  # pyright: ignore[reportAttributeAccessIssue]

Path: TypeAlias = "str | os.PathLike[str]"
"""A file or a folder."""


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
