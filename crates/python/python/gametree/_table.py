"""The variations table of a game: one line, and beside each move its alternatives."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

from ._native import Node

__all__ = ["Cell", "Row", "VariationsTable"]


@dataclass(frozen=True)
class Cell:
    """A move in the table."""

    text: str
    """The move in SAN with its glyphs."""
    node: Node
    """The node after the move."""
    lines: int
    """The number of lines that go through it."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Row:
    """A move number with the moves of both sides."""

    number: int
    white: Cell | None
    black: Cell | None
    alternatives: list[Cell] = field(default_factory=list)
    """Other moves in the place of these, White's first."""


@dataclass(frozen=True)
class VariationsTable:
    """The mainline of a game with the alternatives to each move. A notebook shows it.

    >>> import gametree
    >>> game = gametree.read("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")[0]
    >>> print(game.table())
      1. e4        e5        1...c5
      2. Nf3
    >>> game.table().rows[0].alternatives[0].node.path
    '1.e4 c5'
    """

    rows: list[Row]

    def __str__(self) -> str:
        lines = []
        for row in self.rows:
            white, black = str(row.white or "..."), str(row.black or "")
            others = "  ".join(_numbered(row, cell) for cell in row.alternatives)
            lines.append(f"{row.number:>3}. {white:<9} {black:<9} {others}".rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(self._html_row(row) for row in self.rows)
        head = "<tr><th></th><th>White</th><th>Black</th><th>Alternatives</th></tr>"
        return f"<table>{head}{cells}</table>"

    def _html_row(self, row: Row) -> str:
        others = ", ".join(_numbered(row, cell) for cell in row.alternatives)
        texts = (f"{row.number}.", str(row.white or "…"), str(row.black or ""), others)
        return "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in texts) + "</tr>"


def _numbered(row: Row, cell: Cell) -> str:
    dots = "..." if cell.node.turn == "white" else "."
    return f"{row.number}{dots}{cell.text}"


def build(
    rows: list[tuple[int, _Cell | None, _Cell | None, list[_Cell]]],
) -> VariationsTable:
    """A table from the rows of the native module."""
    return VariationsTable(
        [
            Row(number, _cell(white), _cell(black), [Cell(*cell) for cell in others])
            for number, white, black, others in rows
        ]
    )


_Cell = tuple[str, Node, int]


def _cell(cell: _Cell | None) -> Cell | None:
    return Cell(*cell) if cell else None
