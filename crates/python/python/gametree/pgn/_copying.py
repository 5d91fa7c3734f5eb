"""Copies and pickles of games of any depth.

A game is copied as a list of its nodes in preorder. A node is copied with its whole game.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ._nodes import GameNode

NodeT = TypeVar("NodeT", bound="GameNode")


def slot_values(node: GameNode) -> dict[str, Any]:
    """The values of the slots that have one; nothing is loaded for it."""
    values = {}
    for cls in type(node).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            descriptor = cls.__dict__.get(name)
            if descriptor is not None and name not in ("__dict__", "__weakref__"):
                try:
                    values[name] = descriptor.__get__(node)
                except AttributeError:
                    pass
    return values


def shallow(node: NodeT) -> NodeT:
    """Another node with the same values."""
    _load(node)
    new = type(node).__new__(type(node))
    for name, value in slot_values(node).items():
        setattr(new, name, value)
    vars(new).update(vars(node))
    return new


def deep(node: GameNode, memo: dict[int, Any]) -> GameNode:
    """The copy of a node in a copy of its game."""
    top, path = _locate(node)
    copied: GameNode | None = memo.get(id(top))
    if copied is None:
        nodes, parents = _preorder(top)
        copies = [type(each).__new__(type(each)) for each in nodes]
        memo.update((id(old), new) for old, new in zip(nodes, copies))
        rows = [copy.deepcopy(_values(each), memo) for each in nodes]
        outer = copy.deepcopy(top.parent, memo)
        _connect(copies, parents, rows, outer)
        copied = copies[0]
    return _follow(copied, path)


def reduce(node: GameNode) -> tuple[Any, ...]:
    """What pickle stores: the game, or the game and the way to the node."""
    top, path = _locate(node)
    if path:
        return _follow, (top, path)
    nodes, parents = _preorder(top)
    rows = [(type(each), _values(each)) for each in nodes]
    return _bare, (type(top),), (parents, rows, top.parent)


def restore(top: GameNode, state: Any) -> None:
    """Gives a new node what :func:`reduce` stored."""
    parents, rows, outer = state
    nodes = [top, *(_bare(cls) for cls, _ in rows[1:])]
    _connect(nodes, parents, [values for _, values in rows], outer)


def _bare(cls: type[GameNode]) -> GameNode:
    return cls.__new__(cls)


def _load(node: GameNode) -> None:
    """Makes the nodes of a game that was read."""
    node.variations


def _locate(node: GameNode) -> tuple[GameNode, list[int]]:
    """The highest node from which this one can be reached, and the way: an index per move."""
    path: list[int] = []
    while (parent := node.parent) is not None:
        for index, child in enumerate(parent.variations):
            if child is node:
                path.append(index)
                node = parent
                break
        else:
            break  # removed from its parent
    path.reverse()
    return node, path


def _follow(node: GameNode, path: list[int]) -> GameNode:
    for index in path:
        node = node.variations[index]
    return node


def _preorder(top: GameNode) -> tuple[list[GameNode], list[int]]:
    """All nodes from here, and the number of each one's parent."""
    _load(top)
    nodes: list[GameNode] = []
    parents: list[int] = []
    stack: list[tuple[GameNode, int]] = [(top, -1)]
    while stack:
        node, parent = stack.pop()
        number = len(nodes)
        nodes.append(node)
        parents.append(parent)
        stack.extend((child, number) for child in reversed(node.variations))
    return nodes, parents


def _values(node: GameNode) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of a node without its relatives, by slot and by other attribute."""
    slots = slot_values(node)
    for name in ("parent", "variations", "_record"):
        slots.pop(name, None)
    return slots, dict(vars(node))


def _connect(
    nodes: list[GameNode], parents: list[int], rows: list[Any], outer: GameNode | None
) -> None:
    for node, parent, (slots, others) in zip(nodes, parents, rows):
        for name, value in slots.items():
            setattr(node, name, value)
        vars(node).update(others)
        node.variations = []
        if parent >= 0:
            setattr(node, "parent", nodes[parent])
            nodes[parent].variations.append(node)  # type: ignore[arg-type]
    if outer is not None:
        setattr(nodes[0], "parent", outer)
