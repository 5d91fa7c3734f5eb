"""Visitors that write PGN."""

from __future__ import annotations

from typing import TextIO

import chess

from ._text import comment_list
from ._visitors import SKIP, BaseVisitor, SkipType

_NO_BRACES = str.maketrans("", "", "{}")


class StringExporterMixin:
    """Writes PGN into lines.

    Lines of movetext have at most `columns` characters; None puts all of it on one line. Tags and
    comments are never broken.
    """

    def __init__(
        self,
        *,
        columns: int | None = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        self.columns = columns
        self.headers = headers
        self.comments = comments
        self.variations = variations
        self.found_headers = False
        self.force_movenumber = True
        self.lines: list[str] = []
        self.current_line = ""
        self.variation_depth = 0

    def flush_current_line(self) -> None:
        """Ends the line that is being written."""
        if self.current_line:
            self.lines.append(self.current_line.rstrip())
        self.current_line = ""

    def write_token(self, token: str) -> None:
        """Writes a token, on a new line if it does not fit."""
        if self.columns is not None and len(self.current_line) + len(token) > self.columns:
            self.flush_current_line()
        self.current_line += token

    def write_line(self, line: str = "") -> None:
        """Writes a line of its own."""
        self.flush_current_line()
        self.lines.append(line.rstrip())

    def _writes_here(self) -> bool:
        return self.variations or self.variation_depth == 0

    def end_game(self) -> None:
        self.write_line()

    def begin_headers(self) -> None:
        self.found_headers = False

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        if self.headers:
            self.found_headers = True
            self.write_line(f'[{tagname} "{tagvalue}"]')

    def end_headers(self) -> None:
        if self.found_headers:
            self.write_line()

    def begin_variation(self) -> SkipType | None:
        self.variation_depth += 1
        if not self.variations:
            return SKIP
        self.write_token("( ")
        self.force_movenumber = True
        return None

    def end_variation(self) -> None:
        self.variation_depth -= 1
        if self.variations:
            self.write_token(") ")
            self.force_movenumber = True

    def visit_comment(self, comment: str | list[str]) -> None:
        if self.comments and self._writes_here():
            texts = (text.translate(_NO_BRACES).strip() for text in comment_list(comment))
            self.write_token("".join(f"{{ {text} }} " for text in texts))
            self.force_movenumber = True

    def visit_nag(self, nag: int) -> None:
        if self.comments and self._writes_here():
            self.write_token(f"${nag} ")

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if not self._writes_here():
            return
        if board.turn == chess.WHITE:
            self.write_token(f"{board.fullmove_number}. ")
        elif self.force_movenumber:
            self.write_token(f"{board.fullmove_number}... ")
        self.write_token(board.san(move) + " ")
        self.force_movenumber = False

    def visit_result(self, result: str) -> None:
        self.write_token(result + " ")


class StringExporter(StringExporterMixin, BaseVisitor[str]):
    """Writes a game into a string, without a line break at the end."""

    def result(self) -> str:
        """The text."""
        lines = [*self.lines, self.current_line.rstrip()] if self.current_line else self.lines
        return "\n".join(lines).rstrip()

    def __str__(self) -> str:
        return self.result()


class FileExporter(StringExporterMixin, BaseVisitor[int]):
    """Writes games into a text file, each followed by a blank line.

    The result is the number of characters written.
    """

    def __init__(
        self,
        handle: TextIO,
        *,
        columns: int | None = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(
            columns=columns, headers=headers, comments=comments, variations=variations
        )
        self.handle = handle

    def begin_game(self) -> SkipType | None:
        self.written = 0
        return super().begin_game()

    def flush_current_line(self) -> None:
        if self.current_line:
            self._write(self.current_line)
        self.current_line = ""

    def write_line(self, line: str = "") -> None:
        self.flush_current_line()
        self._write(line)

    def _write(self, line: str) -> None:
        self.written += self.handle.write(line.rstrip() + "\n")

    def result(self) -> int:
        """The number of characters written."""
        return self.written

    def __repr__(self) -> str:
        return f"<FileExporter at {id(self):#x}>"

    def __str__(self) -> str:
        return self.__repr__()
