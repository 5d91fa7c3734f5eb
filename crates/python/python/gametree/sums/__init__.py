"""Sums of combinatorial games: exact winners, moves, values and thermographs.

A sum is written as the program ``gametree solve`` takes it: games by name and position, and values.

>>> from gametree.sums import Sum, Value
>>> Sum("clobber XOX|OXO + 1/2 + *3").outcome()
Outcome.L
>>> Sum("domineering ...|...").value()
Value('{2|-1/2}')
>>> Sum("domineering ...|...").value().temperature
Fraction(5, 4)

Left is also called Black and plays X; Right is also called White and plays O. A player who cannot
move loses.

Every question accepts the limits ``time`` (seconds), ``nodes`` and ``memory`` (bytes), and the number of
``threads`` to use. With a limit, a question that is not solved within it returns ``None``. Without
limits, the only limit is that of the program: 4 GiB of memory, at most half of the machine's;
exceeding it raises `OutOfBudget`. Ctrl-C ends every question at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _native
from .._native import OutOfBudget
from ._limits import Limits
from ._strategy import Strategy, StrategyNode
from ._sum import Bounds, GameLike, Move, Solution, Sum
from ._value import Thermograph, Value
from ._words import Outcome, ParseError, Player, Relation

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Bounds",
    "Limits",
    "Move",
    "Outcome",
    "OutOfBudget",
    "ParseError",
    "Player",
    "Relation",
    "Solution",
    "Strategy",
    "StrategyNode",
    "Sum",
    "Thermograph",
    "Value",
    "games",
    "solve",
]


def games() -> dict[str, str]:
    """The names of all games, each with a description of its positions and moves.

    >>> games()["nimber"]
    'the size of a Nim heap: either player makes it smaller'
    """
    return dict(_native.games())


def solve(
    sum: str | GameLike,
    player: str | None = None,
    **limits: Unpack[Limits],
) -> Solution:
    """Who wins a sum, given as text or as an object; see `Sum.solve`.

    >>> solution = solve("clobber XOXOXO + domineering ...|... + 3/4 + {1|-1}", time=60)
    >>> solution.outcome, solution.winner
    (Outcome.L, Player.LEFT)
    """
    return Sum(sum).solve(player, **limits)


# The public place of the classes, for messages and pickles.
for _name in __all__:
    if isinstance(_item := globals()[_name], type) and _item is not OutOfBudget:
        _item.__module__ = __name__
