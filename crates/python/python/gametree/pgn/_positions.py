"""The boards of nodes, one move from the board that was asked for last.

python-chess replays a game from its start for each board. Here each thread keeps one board and
the moves that led to it, and plays or takes back what is different.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import chess

if TYPE_CHECKING:
    from ._headers import Headers


class _Last(threading.local):
    board: chess.Board | None = None
    start: tuple[str | None, str | None] = (None, None)
    moves: list[chess.Move] = []


_LAST = _Last()


def replay(headers: Headers, moves: list[chess.Move]) -> chess.Board:
    """The board after these moves. Do not change it, and do not keep it: see :func:`copy_of`."""
    start = (headers._others.get("Variant"), headers._others.get("FEN"))
    board, known = _LAST.board, _LAST.moves
    if board is None or _LAST.start != start:
        board, known = headers.board(), []
    _LAST.board = None  # unknown if a move cannot be played
    common = _common_length(known, moves)
    for _ in range(len(known) - common):
        board.pop()
    for move in moves[common:]:
        board.push(move)
    _LAST.board, _LAST.start, _LAST.moves = board, start, moves
    return board


def forget() -> None:
    """Drops the board, which may have been left in the middle of a move."""
    _LAST.board = None


def copy_of(board: chess.Board) -> chess.Board:
    """A copy with the moves. Unlike that of python-chess, it copies no single move."""
    if type(board) is not chess.Board:
        return board.copy()
    copy = board.copy(stack=False)
    copy.move_stack = board.move_stack.copy()
    copy._stack = board._stack.copy()
    return copy


def _common_length(known: list[chess.Move], moves: list[chess.Move]) -> int:
    if moves[: len(known)] == known:
        return len(known)
    count = 0
    for a, b in zip(known, moves):
        if a is not b:
            break
        count += 1
    return count
