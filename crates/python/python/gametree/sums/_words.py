"""Players, outcomes, relations and errors of sums."""

from __future__ import annotations

from enum import Enum


class Player(str, Enum):
    """A player: ``Player.LEFT`` (Black, X) or ``Player.RIGHT`` (White, O).

    Arguments of type player also accept names: ``"left"``, ``"L"``, ``"black"``, ``"B"``, ``"X"``, and the
    same for Right.

    >>> Player.of("white")
    Player.RIGHT
    >>> Player.LEFT.opponent
    Player.RIGHT
    """

    LEFT = "left"
    RIGHT = "right"

    @classmethod
    def of(cls, name: str) -> Player:
        """The player with this name."""
        match name.lower():
            case "left" | "l" | "black" | "b" | "x":
                return cls.LEFT
            case "right" | "r" | "white" | "w" | "o":
                return cls.RIGHT
            case _:
                raise ValueError(f"unknown player {name!r}; use 'left' or 'right'")

    @property
    def opponent(self) -> Player:
        """The other player."""
        return Player.RIGHT if self is Player.LEFT else Player.LEFT

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Player.{self.name}"


class Outcome(str, Enum):
    """Who wins a sum; equal to its letter.

    >>> Outcome.N == "N"
    True
    >>> Outcome.N.wins_first("left"), Outcome.R.wins_first("left")
    (True, False)
    """

    #: Left wins, moving first or second.
    L = "L"
    #: Right wins, moving first or second.
    R = "R"
    #: The first player (the next to move) wins.
    N = "N"
    #: The second player (the previous to move) wins.
    P = "P"

    def wins_first(self, player: str) -> bool:
        """True if this player wins, moving first."""
        return self is Outcome.N or self.value == Player.of(player).value[0].upper()

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Outcome.{self.name}"


class Relation(str, Enum):
    """How two games compare; equal to its sign."""

    LESS = "<"
    EQUAL = "="
    GREATER = ">"
    #: Neither is greater or equal: the first player wins the difference.
    CONFUSED = "||"

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Relation.{self.name}"


def relation(order: int | None) -> Relation:
    """The relation of -1, 0, 1 or none."""
    if order is None:
        return Relation.CONFUSED
    return (Relation.EQUAL, Relation.GREATER, Relation.LESS)[order]


class ParseError(ValueError):
    """A text that is not a sum or a value, with the place of the error.

    >>> from gametree.sums import Sum
    >>> try:
    ...     Sum("clobber XO + clobber XZ")
    ... except ParseError as error:
    ...     print(error)
    line 1, column 23: clobber: 'Z' is not a cell: expected '.', 'X' or 'O'
      clobber XO + clobber XZ
                            ^
    """

    #: The error, without its place.
    message: str
    #: The text that was read.
    text: str
    #: Index of the first wrong character.
    start: int
    #: Index after the last wrong character.
    end: int

    def __init__(self, message: str, text: str, start: int, end: int) -> None:
        super().__init__(message, text, start, end)
        self.message, self.text, self.start, self.end = message, text, start, end

    @property
    def line(self) -> int:
        """The line of the error, counted from 1."""
        return self.text.count("\n", 0, self.start) + 1

    @property
    def column(self) -> int:
        """The column of the error, counted from 1."""
        return self.start - self._line_start + 1

    @property
    def _line_start(self) -> int:
        return self.text.rfind("\n", 0, self.start) + 1

    def __str__(self) -> str:
        before, after = 60, 20
        first = max(self._line_start, self.start - before)
        excerpt = self.text[first : self.start + after].split("\n")[0]
        shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in excerpt)
        room = max(1, len(shown) - (self.start - first))
        carets = "^" * min(room, max(1, self.end - self.start))
        indent = " " * (self.start - first)
        return f"line {self.line}, column {self.column}: {self.message}\n  {shown}\n  {indent}{carets}"
