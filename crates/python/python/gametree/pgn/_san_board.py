"""What exporters need of a board, many times faster than ``chess.Board``."""

from __future__ import annotations

from typing import Any, cast

import chess

from .. import _native
from ._export import StringExporterMixin
from ._visitors import BaseVisitor


def board_for(visitor: BaseVisitor[Any], board: chess.Board) -> chess.Board:
    """The board that a visitor gets: a :class:`_SanBoard` if the visitor only writes moves."""
    writes = getattr(visitor.visit_move, "__func__", None) is StringExporterMixin.visit_move
    sees_boards = type(visitor).visit_board is not BaseVisitor.visit_board
    if sees_boards or not writes or type(board) is not chess.Board:
        return board
    try:
        native = _native.PgnBoard(board.fen(), board.chess960)
    except ValueError:
        return board
    return cast(chess.Board, _SanBoard(board, native))


class _SanBoard:
    """Plays and writes legal moves natively. After any other move the real board does the rest."""

    __slots__ = ("board", "native", "played")

    def __init__(self, board: chess.Board, native: _native.PgnBoard) -> None:
        self.board = board
        self.native: _native.PgnBoard | None = native
        self.played: list[chess.Move] = []

    @property
    def turn(self) -> chess.Color:
        return (self.native or self.board).turn

    @property
    def fullmove_number(self) -> int:
        return (self.native or self.board).fullmove_number

    def san(self, move: chess.Move) -> str:
        text = self.native.san(move) if self.native else None
        return self._real_board().san(move) if text is None else text

    def push(self, move: chess.Move) -> None:
        if self.native and self.native.push(move):
            self.played.append(move)
        else:
            self._real_board().push(move)

    def pop(self) -> None:
        if self.native:
            self.native.pop()
            self.played.pop()
        else:
            self.board.pop()

    def _real_board(self) -> chess.Board:
        if self.native:
            self.native = None
            for move in self.played:
                self.board.push(move)
        return self.board
