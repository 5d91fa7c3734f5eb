"""The tags of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, TypeVar

import chess

from ._text import TAG_NAME_REGEX, TAG_ROSTER

if TYPE_CHECKING:
    from ._visitors import HeadersBuilder

HeadersT = TypeVar("HeadersT", bound="Headers")

_DEFAULTS = dict.fromkeys(TAG_ROSTER, "?") | {"Date": "????.??.??", "Result": "*"}

_CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}
_WILD = {f"wild/{number}" for number in (*range(9), "8a")}


class Headers(MutableMapping[str, str]):
    """Tags by name: those of the seven-tag roster first, the others in the order they were added.

    >>> Headers(White="Reti")["White"]
    'Reti'
    """

    def __init__(
        self, data: Mapping[str, str] | Iterable[tuple[str, str]] | None = None, **kwargs: str
    ) -> None:
        self._roster: dict[str, str] = {}
        self._others: dict[str, str] = {}
        self.update(_DEFAULTS if data is None else data, **kwargs)

    @classmethod
    def _read(cls: type[HeadersT], tags: dict[str, str], *, roster: bool) -> HeadersT:
        """Headers from the tags of a file, over those of the seven-tag roster if wanted."""
        headers = cls.__new__(cls)
        headers._roster = _DEFAULTS.copy() if roster else {}
        for name in _DEFAULTS:
            if name in tags:
                headers._roster[name] = tags.pop(name)
        headers._others = tags
        return headers

    def is_chess960(self) -> bool:
        """True if the ``Variant`` tag names Chess960."""
        return self.get("Variant", "").lower() in _CHESS960

    def is_wild(self) -> bool:
        """True if the ``Variant`` tag names a chess variant with standard rules, ``wild/0`` to
        ``wild/8a``."""
        return self.get("Variant", "").lower() in _WILD

    def variant(self) -> type[chess.Board]:
        """The class of the boards of this game; ValueError if the variant is unknown."""
        if "Variant" not in self or self.is_chess960() or self.is_wild():
            return chess.Board
        from chess.variant import find_variant

        return find_variant(self["Variant"])

    def board(self) -> chess.Board:
        """The initial position."""
        return self._board(self.variant())

    def _board(self, variant: type[chess.Board]) -> chess.Board:
        fen = self.get("FEN", variant.starting_fen)
        board = variant(fen, chess960=self.is_chess960())
        board.chess960 = board.chess960 or board.has_chess960_castling_rights()
        return board

    def _part(self, name: str) -> dict[str, str]:
        return self._roster if name in _DEFAULTS else self._others

    def __setitem__(self, name: str, value: str) -> None:
        if name not in _DEFAULTS:
            if not TAG_NAME_REGEX.match(name):
                raise ValueError(f"invalid pgn header tag: {name!r}")
            if "\n" in value or "\r" in value:
                raise ValueError(f"line break in pgn header {name}: {value!r}")
        self._part(name)[name] = value

    def __getitem__(self, name: str) -> str:
        return self._part(name)[name]

    def __delitem__(self, name: str) -> None:
        del self._part(name)[name]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in TAG_ROSTER if name in self._roster)
        yield from self._others

    def __len__(self) -> int:
        return len(self._roster) + len(self._others)

    def copy(self: HeadersT) -> HeadersT:
        """A copy."""
        return type(self)(self)

    def __copy__(self: HeadersT) -> HeadersT:
        return self.copy()

    def __repr__(self) -> str:
        tags = ", ".join(f"{name}={value!r}" for name, value in self.items())
        return f"{type(self).__name__}({tags})"

    @classmethod
    def builder(cls: type[HeadersT]) -> HeadersBuilder[HeadersT]:
        """A visitor that collects headers of this class."""
        from ._visitors import HeadersBuilder

        return HeadersBuilder(Headers=cls)
