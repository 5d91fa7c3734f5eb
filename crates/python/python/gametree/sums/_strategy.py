"""Winning strategies as trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from .. import _native
from ._limits import native_limits
from ._words import Player

if TYPE_CHECKING:
    from ._sum import Sum

class Strategy(Sequence["StrategyNode"]):
    """A winning strategy: a tree with all moves of the loser, and one answer to each.

    It is a sequence of its nodes in the order of the variations; the first is the root.

    >>> from gametree.sums import Sum
    >>> strategy = Sum("clobber_1xn XOXO + *").winning_strategy("left")
    >>> strategy.winner, strategy.root.children[0].move
    (Player.LEFT, '0:3-4')
    >>> print(strategy.root.text)
    0:3-4
      0:2-1
        1:0
      1:0
        0:1-2
    """

    #: The sum.
    sum: Sum
    #: The first player.
    first: Player
    #: The winner.
    winner: Player
    #: The number of lines.
    lines: int

    def __init__(
        self, sum: Sum, first: Player, data: dict[str, Any], native: _native.Strategy | None = None
    ) -> None:
        self.sum, self.first = sum, first
        self.winner = Player.of(data["winner"])
        self.lines = data["lines"]
        self._data = data
        self._native = native
        self._children: list[list[int]] = [[] for _ in data["nodes"]]
        for index, node in enumerate(data["nodes"]):
            if node["parent"] is not None:
                self._children[node["parent"]].append(index)

    @property
    def root(self) -> StrategyNode:
        """The node of the sum itself."""
        return StrategyNode(self, 0)

    @property
    def move_count(self) -> int:
        """The number of moves."""
        return len(self) - 1

    def __len__(self) -> int:
        return len(self._children)

    @overload
    def __getitem__(self, index: int) -> StrategyNode: ...
    @overload
    def __getitem__(self, index: slice) -> list[StrategyNode]: ...
    def __getitem__(self, index: int | slice) -> StrategyNode | list[StrategyNode]:
        if isinstance(index, slice):
            return [StrategyNode(self, at) for at in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"no node {index}: the strategy has {len(self)}")
        return StrategyNode(self, at)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Strategy, (self.sum, self.first, self._data))

    def __str__(self) -> str:
        first, winner = (player.value.title() for player in (self.first, self.winner))
        moves, lines = (_counted(self.move_count, "move"), _counted(self.lines, "line"))
        return f"{first} moves first, {winner} wins: {moves}, {lines}"

    def __repr__(self) -> str:
        return f"<Strategy of {self.sum.text!r}: {self}>"

    def _drawing(self) -> _native.Strategy:
        """The strategy to draw, found again after unpickling."""
        if self._native is None:
            games, most = self.sum._games, len(self)
            self._native = games.winning_strategy(self.first.value, most, native_limits())
        return self._native

    def _repr_svg_(self) -> str:
        from .. import draw

        return draw.strategy(self).svg


class StrategyNode:
    """A node of a strategy: the sum after some moves."""

    __slots__ = ("index", "strategy")

    def __init__(self, strategy: Strategy, index: int) -> None:
        #: The strategy.
        self.strategy = strategy
        #: The index in the strategy.
        self.index = index

    @property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = self.strategy._data["nodes"][self.index]
        return data

    @property
    def move(self) -> str | None:
        """The name of the move to this node; none for the root."""
        name: str | None = self._data["move"]
        return name

    @property
    def player(self) -> Player | None:
        """The player who made that move."""
        name = self._data["player"]
        return None if name is None else Player.of(name)

    @property
    def parent(self) -> StrategyNode | None:
        """The node before the move."""
        index = self._data["parent"]
        return None if index is None else StrategyNode(self.strategy, index)

    @property
    def children(self) -> list[StrategyNode]:
        """The next moves; none if play continues at `link`."""
        return [StrategyNode(self.strategy, at) for at in self.strategy._children[self.index]]

    @property
    def link(self) -> StrategyNode | None:
        """The node with the same sum at which play continues, if it occurred before."""
        index = self._data["link"]
        return None if index is None else StrategyNode(self.strategy, index)

    @property
    def path(self) -> list[StrategyNode]:
        """The nodes from the first move to this one."""
        nodes: list[StrategyNode] = []
        node: StrategyNode | None = self
        while node is not None and node.move is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def sum(self) -> Sum:
        """The sum after the moves to this node."""
        sum = self.strategy.sum
        for node in self.path:
            assert node.move is not None and node.player is not None
            sum = sum.play(node.move, node.player)
        return sum

    @property
    def text(self) -> str:
        """The moves below this node, indented by their depth; ``...``: continues at its link."""
        lines: list[str] = []
        stack = [(child, 0) for child in reversed(self.children)]
        while stack:
            node, depth = stack.pop()
            lines.append("  " * depth + str(node.move))
            if node.link is not None:
                lines.append("  " * (depth + 1) + "...")
            stack += [(child, depth + 1) for child in reversed(node.children)]
        return "\n".join(lines)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrategyNode):
            return NotImplemented
        return self.strategy is other.strategy and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self.strategy), self.index))

    def __repr__(self) -> str:
        moves = " ".join(str(node.move) for node in self.path)
        return f"<StrategyNode {self.index}: {moves or 'root'}>"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
