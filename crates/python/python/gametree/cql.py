"""Queries in CQL, the Chess Query Language.

>>> from gametree import cql
>>> query = cql.compile("mate")
>>> query.count("games.pgn")
Count(games=11, positions=11, searched=15)
>>> for match in query.matches("games.pgn", limit=2):
...     print(match.number, match.game.headers["White"], match.nodes[0].san)
1 Morphy, Paul Rd8#
2 Anderssen, Adolf Be7#

A query never writes a file and never starts a program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _native
from ._native import Match, Matches

if TYPE_CHECKING:
    from . import Source

__all__ = ["Count", "CqlError", "Match", "Matches", "Query", "compile"]


class CqlError(ValueError):
    """A query that cannot be compiled, or whose search could not be completed.

    >>> from gametree import cql
    >>> try:
    ...     cql.compile("mate\\nand chek")
    ... except cql.CqlError as error:
    ...     print(error.line, error.column, error.position, error.message)
    2 5 9 unknown filter or variable ‘chek’
    """

    message: str
    """The problem."""
    line: int | None
    """The line of the query, from 1; ``None`` for problems of the search."""
    column: int | None
    """The column in the line, from 1."""
    position: int | None
    """The index in the text of the query."""
    help: str | None
    """A correction, if there is one."""

    def __init__(
        self,
        text: str,
        *,
        message: str | None = None,
        line: int | None = None,
        column: int | None = None,
        position: int | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(text)
        self.message = message or text
        self.line = line
        self.column = column
        self.position = position
        self.help = help


class Count(NamedTuple):
    """The size of an answer."""

    games: int
    """Games that match."""
    positions: int
    """Positions that match."""
    searched: int
    """Games that were searched."""


class Query:
    """A compiled query. It can be used many times, by many threads, and it can be pickled."""

    __slots__ = ("_native", "_source", "_variations")

    def __init__(self, source: str, variations: bool | None = None) -> None:
        self._source = source
        self._variations = variations
        self._native = _native.compile_cql(source, variations)

    @property
    def source(self) -> str:
        """The text of the query."""
        return self._source

    @property
    def warnings(self) -> list[str]:
        """Conditions that probably mean something else."""
        return self._native.warnings()

    def explain(self) -> list[str]:
        """The cheap tests by which whole games are skipped."""
        return self._native.explain()

    def matches(
        self, source: Source, *, limit: int | None = None, threads: int | None = None
    ) -> Matches:
        """The matching games with their positions, in the order of the files, or sorted if the
        query sorts. The search runs on all cores while you work on the first matches.

        >>> from gametree import cql
        >>> [match] = cql.compile("check").matches("games.pgn", limit=1)
        >>> [node.san for node in match.nodes]
        ['Bxb5+', 'Bxd7+', 'Qb8+', 'Rd8#']
        """
        return self._native.matches(source, limit=limit, threads=threads)

    def count(self, source: Source, *, threads: int | None = None) -> Count:
        """The numbers of matching games and positions."""
        return Count(*self._native.count(source, threads=threads))

    def __repr__(self) -> str:
        return f"<Query {self._source!r}>"

    def __reduce__(self) -> tuple[type[Query], tuple[str, bool | None]]:
        return Query, (self._source, self._variations)


def compile(query: str, *, variations: bool | None = None) -> Query:
    """Compiles a query. ``variations`` overrides what the query says about them.

    >>> from gametree import cql
    >>> cql.compile("piece", variations=True)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    gametree.cql.CqlError: ...

    :raises CqlError: with line, column and message.
    """
    return Query(query, variations)
