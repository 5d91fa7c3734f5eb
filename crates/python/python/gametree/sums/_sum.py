"""Sums of games, and questions about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias, Union, overload

from .. import _native
from .._native import OutOfBudget
from ._limits import Limits, is_dyadic, native_limits, native_number, read, within
from ._strategy import Strategy
from ._value import Thermograph, Value, html_rows, shortened
from ._words import Outcome, ParseError, Player, Relation, relation

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: What can be added to a sum or compared with it.
GameLike: TypeAlias = Union[int, Fraction, Value, "Sum"]


@dataclass(frozen=True)
class Move:
    """A move in a sum."""

    #: Who makes it.
    player: Player
    #: The index of its component.
    component: int
    #: The name of the move, such as ``0:a1-b1``.
    name: str
    #: The sum after the move.
    result: Sum = field(compare=False)
    #: True if the player wins by this move; none if that is not known.
    wins: bool | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Bounds:
    """The nearest values of a scale that are comparable with a sum."""

    #: The greatest value of the scale that is less than or equal to the sum; none if there is none.
    lower: Value | None
    #: The least value of the scale that is greater than or equal to the sum; none if there is none.
    upper: Value | None
    #: True if the sum is equal to the value, which is then the lower and the upper bound.
    exact: bool
    #: Why the search ended early; the bounds are proven, but there may be nearer ones.
    gave_up: str | None

    def __str__(self) -> str:
        if self.exact:
            return f"G = {self.lower}"
        sign = "<" if self.gave_up is None else "<="
        low = "" if self.lower is None else f"{self.lower} {sign} "
        high = "" if self.upper is None else f" {sign} {self.upper}"
        return f"{low}G{high}"


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """Who wins a sum, as far as it was solved. `Sum.solve` returns it."""

    #: The sum.
    sum: Sum
    #: The first player whom the question was about; none: both.
    player: Player | None
    #: The winner if Left moves first.
    left_first: Player | None
    #: The winner if Right moves first.
    right_first: Player | None
    #: The outcomes that are still possible: one if the sum is solved for both first players.
    possible: tuple[Outcome, ...]
    #: Why the solver gave up; none if it did not.
    gave_up: str | None
    #: The number of sums searched.
    nodes: int
    #: The time that it took.
    seconds: float
    _limits: Limits

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, if it is known."""
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def winner(self) -> Player | None:
        """The winner if `player` moves first; without it, the player who wins moving first or second."""
        match self.player:
            case Player.LEFT:
                return self.left_first
            case Player.RIGHT:
                return self.right_first
            case None:
                return self.left_first if self.left_first == self.right_first else None

    def winning_moves(self, player: str | None = None) -> list[Move]:
        """The winning moves of a player (default: of the first player), found with the same limits."""
        return self.sum.winning_moves(self._first(player), **self._limits)

    def strategy(self, player: str | None = None) -> Strategy | None:
        """The winner's strategy if this player moves first, found with the same limits."""
        return self.sum.winning_strategy(self._first(player), **self._limits)

    def _first(self, player: str | None) -> Player:
        if player is not None:
            return Player.of(player)
        if self.player is None:
            raise ValueError("name the first player: 'left' or 'right'")
        return self.player

    def _repr_html_(self) -> str:
        def name(winner: Player | None) -> str:
            return "not known" if winner is None else f"{winner.value.title()} wins"

        letters = " or ".join(outcome.value for outcome in self.possible)
        rows = [("sum", shortened(self.sum.text))]
        if self.player is not Player.RIGHT:
            rows.append(("Left first", name(self.left_first)))
        if self.player is not Player.LEFT:
            rows.append(("Right first", name(self.right_first)))
        rows.append(("outcome", letters))
        if self.gave_up is not None:
            rows.append(("gave up", self.gave_up))
        return html_rows(rows)

    def __repr__(self) -> str:
        known = "" if self.gave_up is None else f", {self.gave_up}"
        letters = " or ".join(outcome.value for outcome in self.possible)
        return f"<Solution of {str(self.sum)!r}: {letters}{known}>"


class Sum:
    """A sum of games, each a component.

    >>> sum = Sum("clobber XXO - ^")
    >>> str(sum), len(sum)
    ('clobber XXO + v', 2)
    >>> sum == 0
    True
    >>> Sum("domineering 2x2") == Value("+-1")
    True
    >>> [move.name for move in Sum("nimber 3 + nimber 5 + nimber 7").winning_moves("left")]
    ['0:*2', '1:*4', '2:*6']

    ``+``, ``-`` and multiples by integers make new sums; nothing is computed. Comparisons are those of
    game values and are solved by search: ``G == H`` if the second player wins G - H. The hash is that of
    the value, which must be computed for it; `text` and `identical` compare sums as written.
    """

    __slots__ = ("_games",)
    _games: _native.Components

    def __init__(self, text: str | GameLike = "0") -> None:
        if isinstance(text, Sum):
            self._games = text._games
            return
        if not isinstance(text, (str, int, Fraction, Value)):
            raise TypeError(f"a sum is made from text or a value, not {type(text).__name__}")
        if not isinstance(text, str):
            text = _value_text(Value(text))
        if not text.strip():
            raise ParseError("no sum given; 0 is the empty sum", text, 0, 0)
        self._games = read(_native.Components.parse(text), text)

    @classmethod
    def _of_games(cls, games: _native.Components) -> Sum:
        sum = cls.__new__(cls)
        sum._games = games
        return sum

    # Text and parts

    @property
    def text(self) -> str:
        """The sum in the notation that `Sum` reads."""
        return self._games.text()

    @property
    def boards(self) -> str:
        """The boards with the names of their cells, as text."""
        return self._games.boards()

    @property
    def components(self) -> list[Sum]:
        """The components, each as a sum of its own."""
        return [Sum._of_games(part) for part in self._games.parts()]

    @property
    def names(self) -> list[str]:
        """The name of the game of each component."""
        return self._games.names()

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[Sum]:
        return iter(self.components)

    def __bool__(self) -> bool:
        """True: a sum without components is a sum too."""
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Sum({self.text!r})"

    def _repr_html_(self) -> str:
        boards = self.boards
        below = f"<pre>{escape(shortened(boards))}</pre>" if boards else ""
        return f"<code>{escape(shortened(self.text))}</code>{below}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Sum, (self.text,))

    def __copy__(self) -> Sum:
        return self

    def __deepcopy__(self, memo: object) -> Sum:
        return self

    def identical(self, other: Sum) -> bool:
        """True if both sums have the same components in any order.

        >>> Sum("clobber XO + *").identical(Sum("* + clobber XO"))
        True
        """
        texts = [sorted(part.text for part in sum.components) for sum in (self, other)]
        return texts[0] == texts[1]

    # Arithmetic

    def __add__(self, other: GameLike) -> Sum:
        if not isinstance(other, (Sum, Value, int, Fraction)):
            return NotImplemented
        return Sum._of_games(self._games.plus(Sum(other)._games))

    def __radd__(self, other: int | Fraction | Value) -> Sum:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return Sum(other) + self

    def __sub__(self, other: GameLike) -> Sum:
        if not isinstance(other, (Sum, Value, int, Fraction)):
            return NotImplemented
        return self + -Sum(other)

    def __rsub__(self, other: int | Fraction | Value) -> Sum:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return Sum(other) - self

    def __neg__(self) -> Sum:
        return Sum._of_games(self._games.negative())

    def __pos__(self) -> Sum:
        return self

    def __mul__(self, count: int) -> Sum:
        if not isinstance(count, int):
            return NotImplemented
        if abs(count) * len(self) > _MOST_COMPONENTS:
            raise OverflowError(f"a sum has at most {_MOST_COMPONENTS:,} components")
        one = self if count >= 0 else -self
        return Sum._of_games(one._games.times(abs(count)))

    __rmul__ = __mul__

    # Order

    @overload
    def compare(self, other: GameLike) -> Relation: ...
    @overload
    def compare(self, other: GameLike, **limits: Unpack[Limits]) -> Relation | None: ...
    def compare(self, other: GameLike, **limits: Unpack[Limits]) -> Relation | None:
        """How the values of two sums compare; they are not computed.

        >>> Sum("clobber XXO").compare(Value("*"))
        Relation.CONFUSED
        """
        if isinstance(other, (int, Fraction)) and not is_dyadic(other):
            value = self.value(**limits)
            return None if value is None else value.compare(other)
        games = Sum(other)._games
        return within(
            native_limits(**limits), lambda limits: relation(self._games.compare(games, limits))
        )

    def confused_with(self, other: GameLike) -> bool:
        """True if neither sum is greater than or equal to the other."""
        return self.compare(other) is Relation.CONFUSED

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Sum, Value, int, Fraction)):
            return self.compare(other) is Relation.EQUAL
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.value())

    def __le__(self, other: GameLike) -> bool:
        if not isinstance(other, (Sum, Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) in (Relation.LESS, Relation.EQUAL)

    def __lt__(self, other: GameLike) -> bool:
        if not isinstance(other, (Sum, Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) is Relation.LESS

    def __ge__(self, other: GameLike) -> bool:
        if not isinstance(other, (Sum, Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) in (Relation.GREATER, Relation.EQUAL)

    def __gt__(self, other: GameLike) -> bool:
        if not isinstance(other, (Sum, Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) is Relation.GREATER

    # Questions

    def solve(self, player: str | None = None, **limits: Unpack[Limits]) -> Solution:
        """Who wins if this player moves first; without a player, for both. Giving up is an answer too.

        >>> solution = Sum("clobber XOXO + *").solve("left")
        >>> solution.winner, [move.name for move in solution.winning_moves()]
        (Player.LEFT, ['0:c1-d1'])
        >>> Sum("nogo_1xn ..................").solve(nodes=5, threads=1)
        <Solution of 'nogo_1xn ..................': N or P, not solved within the node limit>
        """
        first = None if player is None else Player.of(player)
        checked = native_limits(**limits)
        found = self._games.solve(None if first is None else first.value, checked)

        def winner(wins: bool | None, mover: Player) -> Player | None:
            return None if wins is None else mover if wins else mover.opponent

        return Solution(
            sum=self,
            player=first,
            left_first=winner(found["wins"][0], Player.LEFT),
            right_first=winner(found["wins"][1], Player.RIGHT),
            possible=tuple(Outcome(letter) for letter in found["possible"]),
            gave_up=found["gave_up"],
            nodes=found["nodes"],
            seconds=found["seconds"],
            _limits=limits,
        )

    @overload
    def outcome(self) -> Outcome: ...
    @overload
    def outcome(self, **limits: Unpack[Limits]) -> Outcome | None: ...
    def outcome(self, **limits: Unpack[Limits]) -> Outcome | None:
        """Who wins.

        >>> Sum("nimber 3 + nimber 5 + nimber 6").outcome()
        Outcome.P
        """
        solution = self.solve(**limits)
        if solution.outcome is None and native_limits(**limits)[:3] == (None, None, None):
            raise OutOfBudget(solution.gave_up)
        return solution.outcome

    @overload
    def value(self) -> Value: ...
    @overload
    def value(self, **limits: Unpack[Limits]) -> Value | None: ...
    def value(self, **limits: Unpack[Limits]) -> Value | None:
        """The value: the canonical form.

        >>> Sum("clobber XXOXXO + clobber XO").value()
        Value('^*')
        """
        return within(
            native_limits(**limits), lambda limits: Value._of_form(self._games.value(limits))
        )

    @overload
    def nim_value(self) -> int: ...
    @overload
    def nim_value(self, **limits: Unpack[Limits]) -> int | None: ...
    def nim_value(self, **limits: Unpack[Limits]) -> int | None:
        """The nim value of a sum of impartial games.

        >>> Sum("kayles 20 + impartial clobber 3x4").nim_value()
        1
        """

        def ask(limits: _native._Limits) -> int:
            size = self._games.nim_value(limits)
            if size is None:
                raise ValueError("not a sum of impartial games: it has no nim value")
            return size

        return within(native_limits(**limits), ask)

    @overload
    def thermograph(self) -> Thermograph: ...
    @overload
    def thermograph(self, **limits: Unpack[Limits]) -> Thermograph | None: ...
    def thermograph(self, **limits: Unpack[Limits]) -> Thermograph | None:
        """The thermograph.

        >>> Sum("domineering ...|...").thermograph().mean
        Fraction(3, 4)
        """

        def ask(limits: _native._Limits) -> Thermograph:
            return Thermograph._of(self._games.thermograph(limits), self.text)

        return within(native_limits(**limits), ask)

    def bounds(
        self,
        scale: str = "numbers",
        *,
        step: int | Fraction = Fraction(1, 4),
        low: int | Fraction = -16,
        high: int | Fraction = 16,
        **limits: Unpack[Limits],
    ) -> Bounds:
        """The nearest comparable values of a scale, found without computing the value.

        The scale is ``"numbers"`` (multiples of `step`), ``"ups"`` (multiples of up) or ``"ups-star"``
        (multiples of up, plus star), from `low` to `high`.

        >>> print(Sum("clobber XXOXXO + clobber XO").bounds("ups"))
        v < G < ^3
        >>> print(Sum("clobber XXOXXO + clobber XO").bounds("ups-star"))
        G = ^*
        """
        if scale not in ("numbers", "ups", "ups-star"):
            raise ValueError(f"unknown scale {scale!r}; use 'numbers', 'ups' or 'ups-star'")
        if low > high:
            raise ValueError("empty scale: low is greater than high")
        ends = (native_number(low), native_number(high))
        found = self._games.bounds(scale, native_number(step), ends, native_limits(**limits))
        below, above, gave_up = found
        return Bounds(
            lower=None if below is None else Value(below[0]),
            upper=None if above is None else Value(above[0]),
            exact=below is not None and below[1],
            gave_up=gave_up,
        )

    # Moves

    def moves(self, player: str, **limits: Unpack[Limits]) -> list[Move]:
        """The moves of a player, with the winner of each. The limits are for all moves together.

        >>> for move in Sum("clobber XOXO + *").moves("left"):
        ...     print(move, move.wins, move.result)
        0:a1-b1 False clobber .XXO + *
        0:c1-b1 False clobber XX.O + *
        0:c1-d1 True clobber XO.X + *
        1:0 False clobber XOXO + 0
        """
        name = Player.of(player).value
        return _moves(self._games.moves(name, True, native_limits(**limits)))

    def legal_moves(self, player: str) -> list[Move]:
        """The moves of a player, without solving: `Move.wins` is none."""
        name = Player.of(player).value
        return _moves(self._games.moves(name, False, native_limits()))

    def winning_moves(self, player: str, **limits: Unpack[Limits]) -> list[Move]:
        """The moves of a player that are proven to win."""
        moves = self.moves(player, **limits)
        return [move for move in moves if move.wins]

    def play(self, move: str, player: str) -> Sum:
        """The sum after a move, given by its name.

        >>> Sum("clobber XOXO + *").play("0:c1-d1", "left")
        Sum('clobber XO.X + *')
        """
        moves = self.legal_moves(player)
        for legal in moves:
            if legal.name == move:
                return legal.result
        names = ", ".join(legal.name for legal in moves[:10]) or "none"
        raise ValueError(f"no move {move!r} for {Player.of(player)}; the moves are: {names}")

    @overload
    def winning_strategy(
        self, first: str, *, max_moves: int = 100_000
    ) -> Strategy: ...
    @overload
    def winning_strategy(
        self,
        first: str,
        *,
        max_moves: int = 100_000,
        **limits: Unpack[Limits],
    ) -> Strategy | None: ...
    def winning_strategy(
        self,
        first: str,
        *,
        max_moves: int = 100_000,
        **limits: Unpack[Limits],
    ) -> Strategy | None:
        """A strategy of the winner if `first` moves first: an answer to every move of the loser.

        It is checked by an independent verifier that knows only the rules. A strategy with more than
        `max_moves` moves raises `OutOfBudget`, or returns none if there is a limit.

        >>> print(Sum("clobber_1xn XOXOXOXO").winning_strategy("left"))
        Left moves first, Left wins: 20 moves, 7 lines
        """
        mover = Player.of(first)
        if max_moves < 0:
            raise ValueError("max_moves must not be negative")

        def ask(limits: _native._Limits) -> Strategy:
            native = self._games.winning_strategy(mover.value, max_moves, limits)
            return Strategy(self, mover, json.loads(native.json()), native)

        return within(native_limits(**limits), ask)


#: More components than this are refused.
_MOST_COMPONENTS = 1_000_000


def _value_text(value: Value) -> str:
    text = value._form.text()
    if isinstance(text, int):
        raise OutOfBudget(f"the value takes {text:,} characters: too long for a sum")
    return text


def _moves(found: list[_native._MoveData]) -> list[Move]:
    return [
        Move(Player(player), component, name, Sum._of_games(result), wins)
        for player, component, name, result, wins in found
    ]
