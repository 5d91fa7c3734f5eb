"""Pictures of boards, trees, variations tables, strategies and thermographs: SVG, PNG, PDF and HTML.

Every function returns a `Picture`, which a notebook shows and which can be saved:

>>> from gametree import draw
>>> picture = draw.board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", arrows=["e2e4", "e4e5:B"])
>>> picture.svg[:4]
'<svg'
>>> draw.tree("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *").save("tree.pdf")  # doctest: +SKIP
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from . import _native

if TYPE_CHECKING:
    from .sums import Strategy, Sum, Thermograph, Value

__all__ = ["Picture", "board", "strategy", "table", "thermograph", "tree"]

#: Formats by file extension.
_FORMATS = {"svg": "svg", "png": "png", "pdf": "pdf", "html": "html", "htm": "html", "dot": "dot", "gv": "dot"}


#: An arrow: ``"e2e4"``, ``"e2e4:R"``, or two squares and a color (green, red, yellow, blue).
ArrowLike: TypeAlias = Union[str, tuple[str, str], tuple[str, str, str]]

#: A game: PGN text, a PGN file, or an object whose text is PGN, such as a game of ``gametree.pgn``.
GameSource: TypeAlias = Union[str, "os.PathLike[str]", object]


class Picture:
    """A picture that is rendered when it is needed.

    A notebook shows it as SVG. `svg` and `html` are text; `png` and `pdf` return bytes; `save` writes a
    file in the format of its extension.
    """

    def __init__(
        self,
        render: Callable[[str, _native._Paper], bytes],
        *,
        dark: bool = False,
        title: str = "",
        formats: tuple[str, ...] = ("svg", "png", "pdf"),
    ) -> None:
        self._render = render
        self._dark = dark
        self._title = title
        self._formats = formats
        self._svg: str | None = None

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        if self._svg is None:
            self._svg = self._bytes("svg").decode()
        return self._svg

    @property
    def html(self) -> str:
        """A page: interactive for trees and strategies, otherwise with the picture."""
        if "html" in self._formats:
            return self._bytes("html").decode()
        background = "#1b1b1b" if self._dark else "#ffffff"
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{_escape(self._title)}'
            f'</title><style>body{{margin:1em;background:{background}}}</style></head><body>\n{self.svg}\n'
            "</body></html>\n"
        )

    def png(self, scale: float | None = None) -> bytes:
        """The picture in pixels; without a scale it is twice as large as the SVG, if it fits."""
        return self._bytes("png", scale)

    def pdf(
        self, scale: float | None = None, *, paper: str | None = None, landscape: bool = False
    ) -> bytes:
        """The picture as PDF: one page of its size, or pages of a paper size such as ``"a4"``."""
        return self._bytes("pdf", scale, paper, landscape)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float | None = None,
        paper: str | None = None,
        landscape: bool = False,
    ) -> None:
        """Writes the picture; the extension selects the format. The file is replaced as a whole."""
        target = Path(path)
        extension = target.suffix[1:].lower()
        format = _FORMATS.get(extension)
        known = [*self._formats, "html"] if "html" not in self._formats else list(self._formats)
        if format not in known:
            names = ", ".join(known[:-1]) + " or " + known[-1]
            raise ValueError(f"unknown picture format {target.suffix!r}; use {names}")
        if format == "html":
            data = self.html.encode()
        else:
            data = self._bytes(format, scale, paper, landscape)
        _replace(target, data)

    def _bytes(
        self,
        format: str,
        scale: float | None = None,
        paper: str | None = None,
        landscape: bool = False,
    ) -> bytes:
        return self._render(format, (self._dark, scale, paper, landscape))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {self._title!r}>" if self._title else "<Picture>"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _replace(path: Path, data: bytes) -> None:
    """Writes a new file beside the old one, then renames it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _arrow(arrow: ArrowLike) -> tuple[str, str, str]:
    if not isinstance(arrow, str):
        start, end = arrow[:2]
        return start, end, (arrow[2] if len(arrow) == 3 else "G")[:1]
    squares, _, color = arrow.partition(":")
    if len(squares) != 4:
        raise ValueError(f"invalid arrow {arrow!r}: expected two squares, such as e2e4 or e2e4:R")
    return squares[:2], squares[2:], color[:1] or "G"


def _square(square: str) -> tuple[str, str, str]:
    name, _, color = square.partition(":")
    return name, name, color[:1] or "G"


def _pgn(source: GameSource) -> str:
    if isinstance(source, os.PathLike):
        return _native.read_text(source)
    return str(source)


def board(
    position: GameSource,
    *,
    at: str | None = None,
    game: int = 1,
    arrows: Iterable[ArrowLike] = (),
    squares: Iterable[str] = (),
    last_move: str | None = None,
    plain: bool = False,
    flipped: bool = False,
    coordinates: bool = True,
    title: str = "",
    dark: bool = False,
) -> Picture:
    """A board: a FEN, an object with one (a node, a ``chess.Board``), or with `at` a place in a game such as ``"6.O-O"``.

    Arrows and squares are written ``"e2e4"`` and ``"d4"``, with a color after a colon: G, R, Y or B. A
    board of a game shows its last move and the arrows and squares of the comment unless `plain` is true.

    >>> board("8/8/8/3k4/8/8/8/3K4 w", squares=["d5:R"], last_move="d6d5")
    <Picture>
    >>> board("1. e4 e5 2. Nf3 *", at="2.Nf3", flipped=True)
    <Picture>
    """
    if at is None:
        text = position if isinstance(position, str) else _fen(position)
    else:
        text = _pgn(position)
    marks = [_arrow(arrow) for arrow in arrows]
    ends = None if last_move is None else _arrow(last_move)[:2]
    picture = partial(
        _native.draw_board,
        text=text,
        at=None if at is None else (at, game),
        arrows=[_square(square) for square in squares] + marks,
        last_move=ends,
        plain=plain,
        flipped=flipped,
        coordinates=coordinates,
        caption=title,
    )
    return _checked(Picture(picture, dark=dark, title=title))


def _fen(position: object) -> str:
    board = getattr(position, "board", None)
    fen = getattr(board() if callable(board) else position, "fen", None)
    if fen is None:
        raise TypeError(f"a board is drawn from a FEN, not from {type(position).__name__}")
    return str(fen() if callable(fen) else fen)


def _checked(picture: Picture) -> Picture:
    """Draws the picture, so that errors are raised here."""
    picture.svg
    return picture


def tree(
    source: GameSource,
    *,
    game: int = 1,
    at: str | None = None,
    depth: int | None = None,
    budget: int | None = 300,
    boards: Iterable[str] = (),
    where: str | None = None,
    diagrams: bool = False,
    arcs: bool = True,
    flipped: bool = False,
    title: str | None = None,
    width: float | None = 1600,
    dark: bool = False,
) -> Picture:
    """The tree of a game. The page (`Picture.html`) is interactive and has a board.

    `at` is the place where the picture starts, `depth` the number of half-moves. About `budget` moves are
    shown, the most important ones; None shows all. `boards` are places with a board; with `diagrams` there
    is one wherever the game asks for it. `where` marks the positions that match a CQL query. Arcs join
    equal positions. A long game is divided into rows of `width` pixels; None: one row.

    >>> tree("1. d4 Nf6 (1... d5 2. c4 Nf6) 2. c4 *", boards=["2.c4"])
    <Picture>
    """
    data: _native._TreeData = {
        "pgn": _pgn(source),
        "game": game,
        "at": at,
        "depth": depth,
        "budget": budget,
        "boards": list(boards),
        "query": where,
        "diagrams": diagrams,
        "arcs": arcs,
        "flipped": flipped,
        "title": title,
        "width": width or None,
    }
    formats = ("svg", "png", "pdf", "dot", "html")
    picture = partial(_native.draw_tree, data=data)
    return _checked(Picture(picture, dark=dark, title=title or "", formats=formats))


def table(
    source: GameSource,
    *,
    game: int = 1,
    at: str | None = None,
    where: str | None = None,
    alternatives: int | None = None,
    title: str | None = None,
    dark: bool = False,
) -> Picture:
    """The variations table of a game: one line, and beside each move its alternatives.

    `at` is a place that the line goes through (default: the mainline). `alternatives` is the greatest number
    shown for a move. `where` marks the moves to positions that match a CQL query. The number after a move is
    that of the lines below it; = marks a position that other moves reach too.

    >>> table("1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nf3 *", at="1...c5")
    <Picture>
    """
    data: _native._TableData = {
        "pgn": _pgn(source),
        "game": game,
        "at": at,
        "query": where,
        "alternatives": alternatives,
        "title": title,
    }
    picture = partial(_native.draw_table, data=data)
    return _checked(Picture(picture, dark=dark, title=title or ""))


def strategy(strategy: Strategy, *, dark: bool = False) -> Picture:
    """The tree of a winning strategy, with arcs between equal sums; Left's moves are black.

    >>> from gametree.sums import Sum
    >>> strategy(Sum("clobber_1xn XOXOXOXO").winning_strategy("left"))
    <Picture 'clobber_1xn XOXOXOXO'>
    """
    formats = ("svg", "png", "pdf", "dot", "html")
    render = partial(_draw_strategy, strategy)
    return Picture(render, dark=dark, title=strategy.sum.text, formats=formats)


def _draw_strategy(strategy: Strategy, format: str, paper: _native._Paper) -> bytes:
    return strategy._drawing().draw(format, paper)


def thermograph(
    game: str | Value | Sum | Thermograph, *, title: str | None = None, dark: bool = False
) -> Picture:
    """The thermograph of a value, a sum, or a text that is read as a sum.

    >>> thermograph("{4||2|-1}")
    <Picture '{4|{2|-1}}'>
    """
    from . import sums
    from .sums._limits import native_number

    graph = game if isinstance(game, sums.Thermograph) else _thermograph(game)
    walls = [
        [(native_number(value), native_number(t)) for value, t in wall]
        for wall in (graph.left_wall, graph.right_wall)
    ]
    numbers = (graph.mean, graph.temperature, graph.left_stop, graph.right_stop)
    shown = graph.title if title is None else title
    render = partial(
        _native.draw_thermograph,
        walls=(walls[0], walls[1]),
        numbers=[native_number(number) for number in numbers],
        title=shown,
    )
    return Picture(render, dark=dark, title=shown)


def _thermograph(game: str | Value | Sum) -> Thermograph:
    from .sums import Sum, Value

    return game.thermograph if isinstance(game, Value) else Sum(game).thermograph()
