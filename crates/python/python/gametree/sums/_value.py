"""Values of games: canonical forms and thermographs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from .. import _native
from ._limits import fraction, integer, is_dyadic, native_number, read
from ._words import Outcome, Player, Relation, relation

class Value:
    """The value of a game: its canonical form. Equal games have equal values.

    A value is made from its notation, from a number, or from the values of its options. It is
    immutable, hashable and can be pickled. Values form a partially ordered group: they can be added,
    subtracted, multiplied by integers and compared, also with integers and fractions.

    >>> Value("{4||2|-1}")
    Value('{4||2|-1}')
    >>> Value("^") + Value("*") == Value("{0,*|0}")
    True
    >>> 3 * Value("1/4") + 1
    Value('7/4')
    >>> Value("^") > 0, Value("*") > 0, Value("*") < 0, Value("*") == 0
    (True, False, False, False)
    >>> Value("*").compare(0)
    Relation.CONFUSED
    >>> Value.of([2], [-1])
    Value('{2|-1}')
    """

    __slots__ = ("_form",)
    _form: _native.Form

    def __init__(self, value: str | int | Fraction | Value = 0) -> None:
        if isinstance(value, str):
            self._form = read(_native.Form.parse(value), value)
        elif isinstance(value, Value):
            self._form = value._form
        elif isinstance(value, (int, Fraction)):
            self._form = _native.Form.number(native_number(value))
        else:
            raise TypeError(f"a value is made from text or a number, not {type(value).__name__}")

    @classmethod
    def _of_form(cls, form: _native.Form) -> Value:
        value = cls.__new__(cls)
        value._form = form
        return value

    @classmethod
    def _of_nodes(cls, nodes: list[_native._NodeData]) -> Value:
        return cls._of_form(_native.Form.from_nodes(nodes))

    @classmethod
    def of(
        cls,
        left: Iterable[str | int | Fraction | Value] = (),
        right: Iterable[str | int | Fraction | Value] = (),
    ) -> Value:
        """The value of the game with these options of Left and Right.

        >>> Value.of([0], [1])
        Value('1/2')
        """
        options = [[Value(option)._form for option in side] for side in (left, right)]
        return cls._of_form(_native.Form.braces(options[0], options[1]))

    # Text

    def __str__(self) -> str:
        text = self._form.text()
        return f"<value of {text:,} characters>" if isinstance(text, int) else text

    def __repr__(self) -> str:
        text = self._form.text()
        return f"<Value of {text:,} characters>" if isinstance(text, int) else f"Value({text!r})"

    def _repr_html_(self) -> str:
        text = str(self)
        rows = [("value", shortened(text)), ("outcome", str(self.outcome))]
        rows += [("left stop", str(self.left_stop)), ("right stop", str(self.right_stop))]
        picture = ""
        if len(text) <= READABLE:
            graph = self.thermograph
            rows += [("mean", str(graph.mean)), ("temperature", str(graph.temperature))]
            rows += [("birthday", str(self.birthday))]
            if not self.is_number:
                picture = graph._repr_svg_()
        return html_rows(rows) + picture

    # Identity

    def __reduce__(self) -> tuple[Any, ...]:
        return (Value._of_nodes, (self._form.nodes(),))

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: object) -> Value:
        return self

    def __hash__(self) -> int:
        number = self.number
        return hash(self._form.digest) if number is None else hash(number)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self._form.equals(other._form)
        if isinstance(other, (int, Fraction)):
            return self.number == other
        return NotImplemented

    def __bool__(self) -> bool:
        """False for 0."""
        return self.number != 0

    # Order

    def compare(self, other: str | int | Fraction | Value) -> Relation:
        """How this value compares with another.

        >>> Value("^").compare("*"), Value("^").compare("^^"), Value("2").compare(1)
        (Relation.CONFUSED, Relation.LESS, Relation.GREATER)
        """
        if isinstance(other, (int, Fraction)) and not is_dyadic(other):
            return self._compare_other_number(other)
        return relation(self._form.compare(Value(other)._form))

    def _compare_other_number(self, other: int | Fraction) -> Relation:
        """The comparison with a number that is not the value of a finite game."""
        if self.left_stop < other:
            return Relation.LESS
        return Relation.GREATER if self.right_stop > other else Relation.CONFUSED

    def confused_with(self, other: str | int | Fraction | Value) -> bool:
        """True if neither value is greater than or equal to the other.

        >>> Value("*").confused_with(0)
        True
        """
        return self.compare(other) is Relation.CONFUSED

    def __le__(self, other: int | Fraction | Value) -> bool:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) in (Relation.LESS, Relation.EQUAL)

    def __lt__(self, other: int | Fraction | Value) -> bool:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) is Relation.LESS

    def __ge__(self, other: int | Fraction | Value) -> bool:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) in (Relation.GREATER, Relation.EQUAL)

    def __gt__(self, other: int | Fraction | Value) -> bool:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return self.compare(other) is Relation.GREATER

    # Arithmetic

    def __add__(self, other: int | Fraction | Value) -> Value:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return Value._of_form(self._form.plus(Value(other)._form))

    __radd__ = __add__

    def __sub__(self, other: int | Fraction | Value) -> Value:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return Value._of_form(self._form.minus(Value(other)._form))

    def __rsub__(self, other: int | Fraction) -> Value:
        if not isinstance(other, (int, Fraction)):
            return NotImplemented
        return Value(other) - self

    def __mul__(self, count: int) -> Value:
        if not isinstance(count, int):
            return NotImplemented
        if not -(1 << 63) <= count < 1 << 63:
            raise OverflowError("the multiple does not fit into 64 bits")
        return Value._of_form(self._form.times(count))

    __rmul__ = __mul__

    def __neg__(self) -> Value:
        return Value._of_form(self._form.negative())

    def __pos__(self) -> Value:
        return self

    # Properties

    @property
    def number(self) -> Fraction | None:
        """The number, if the value is one.

        >>> Value("{0|1}").number
        Fraction(1, 2)
        """
        number = self._form.as_number()
        return None if number is None else fraction(number)

    @property
    def is_number(self) -> bool:
        """True for numbers."""
        return self._form.as_number() is not None

    @property
    def is_integer(self) -> bool:
        """True for integers."""
        number = self._form.as_number()
        return number is not None and number[1] == 0

    @property
    def nimber(self) -> int | None:
        """The size of the Nim heap with this value; none if it is not a nimber. 0 is the empty heap.

        >>> Value("*2 + *3").nimber
        1
        """
        closed = self._form.as_closed()
        if closed is None or closed[1] or integer(closed[0][0]):
            return None
        return closed[2]

    @property
    def is_nimber(self) -> bool:
        """True for 0 and nimbers."""
        return self.nimber is not None

    @property
    def is_numberish(self) -> bool:
        """True if the value is a number plus an infinitesimal: its stops are equal."""
        return self._form.is_numberish()

    @property
    def is_infinitesimal(self) -> bool:
        """True if both stops are 0."""
        return self.left_stop == self.right_stop == 0

    @property
    def is_all_small(self) -> bool:
        """True if in every follower both players can move, or neither."""
        return self._form.is_all_small()

    @property
    def outcome(self) -> Outcome:
        """Who wins a game of this value."""
        return Outcome(self._form.outcome())

    @property
    def left_stop(self) -> Fraction:
        """The number at which play stops if Left moves first and both play well."""
        return fraction(self._form.stops()[0])

    @property
    def right_stop(self) -> Fraction:
        """The number at which play stops if Right moves first and both play well."""
        return fraction(self._form.stops()[1])

    @property
    def mean(self) -> Fraction:
        """The mean value."""
        return self.thermograph.mean

    @property
    def temperature(self) -> Fraction:
        """The temperature: how much a move is worth. It is negative for numbers.

        >>> Value("{2|-1}").temperature, Value("*").temperature, Value("1/2").temperature
        (Fraction(3, 2), Fraction(0, 1), Fraction(-1, 2))
        """
        return self.thermograph.temperature

    @property
    def birthday(self) -> int:
        """The length of the longest play of the canonical form."""
        return integer(self._form.birthday())

    @property
    def follower_count(self) -> int:
        """The number of distinct positions of the canonical form, this one included."""
        return self._form.followers()

    @property
    def atomic_weight(self) -> Value | None:
        """The atomic weight of an all-small value; none for others.

        >>> Value("^3*").atomic_weight
        Value('3')
        """
        weight = self._form.atomic_weight()
        return None if weight is None else Value._of_form(weight)

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph."""
        return Thermograph._of(self._form.thermograph(), str(self))

    def options(self, player: str) -> list[Value]:
        """The canonical options of a player.

        >>> Value("^").options("left"), Value("^").options("right")
        ([Value('0')], [Value('*')])
        """
        forms = self._form.options(Player.of(player).value)
        return [Value._of_form(form) for form in forms]

    def incentives(self, player: str) -> list[Value]:
        """What each canonical move gains: the option minus this value for Left, the reverse for Right.

        >>> Value("{2|-1}").incentives("left")
        [Value('{3|0}')]
        """
        forms = self._form.incentives(Player.of(player).value)
        return [Value._of_form(form) for form in forms]


#: Longer texts are shortened in notebooks.
READABLE = 2_000


def shortened(text: str) -> str:
    """A text for a notebook."""
    return text if len(text) <= READABLE else f"{text[:READABLE]}…"


def html_rows(rows: Iterable[tuple[str, str]]) -> str:
    """A table for a notebook."""
    style = 'style="text-align:left;overflow-wrap:anywhere"'
    cells = "".join(
        f"<tr><th {style}>{escape(name)}</th><td {style}>{escape(text)}</td></tr>"
        for name, text in rows
    )
    return f"<table>{cells}</table>"


@dataclass(frozen=True)
class Thermograph:
    """The thermograph of a value, with exact numbers.

    >>> graph = Value("{4||2|-1}").thermograph
    >>> graph.mean, graph.temperature
    (Fraction(9, 4), Fraction(7, 4))
    >>> [(str(value), str(t)) for value, t in graph.left_wall]
    [('5', '-1'), ('9/4', '7/4')]
    >>> graph.wall_at("left", 1), graph.wall_at("right", 1)
    (Fraction(3, 1), Fraction(2, 1))
    """

    #: Left's wall: pairs of value and temperature, from temperature -1 to the foot of the mast.
    left_wall: tuple[tuple[Fraction, Fraction], ...]
    #: Right's wall.
    right_wall: tuple[tuple[Fraction, Fraction], ...]
    #: The mean value: the value of the mast.
    mean: Fraction
    #: The temperature: the foot of the mast.
    temperature: Fraction
    #: The title of pictures.
    title: str = ""

    @classmethod
    def _of(cls, walls: _native._Walls, title: str) -> Thermograph:
        def points(wall: list[tuple[_native._Number, _native._Number]]) -> Any:
            return tuple((fraction(value), fraction(t)) for value, t in wall)

        left, right, mean, temperature = walls
        return cls(points(left), points(right), fraction(mean), fraction(temperature), title)

    @property
    def mast(self) -> Fraction:
        """The value of the mast: the mean."""
        return self.mean

    @property
    def left_stop(self) -> Fraction:
        """Left's wall at temperature 0."""
        return self.wall_at("left", 0)

    @property
    def right_stop(self) -> Fraction:
        """Right's wall at temperature 0."""
        return self.wall_at("right", 0)

    def wall(self, player: str) -> tuple[tuple[Fraction, Fraction], ...]:
        """The wall of a player."""
        return self.left_wall if Player.of(player) is Player.LEFT else self.right_wall

    def wall_at(self, player: str, temperature: int | Fraction) -> Fraction:
        """The value of a player's wall at a temperature of at least -1."""
        at = Fraction(temperature)
        if at < -1:
            raise ValueError("a thermograph begins at temperature -1")
        wall = self.wall(player)
        for (value, start), (next_value, end) in zip(wall, wall[1:]):
            if at <= end:
                return value + (next_value - value) * (at - start) / (end - start)
        return self.mean

    def _repr_svg_(self) -> str:
        from .. import draw

        return draw.thermograph(self).svg
