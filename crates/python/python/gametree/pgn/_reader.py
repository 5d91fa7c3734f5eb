"""Reading games from text.

Games of chess and Chess960 are read by native code if they are built by the built-in classes.
All other games, and all other visitors, are served by :class:`_Reader` with real boards.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO, TextIO, Union, overload

import chess

from .. import _native
from ._headers import Headers
from ._nags import MARKS
from ._nodes import _NODES, Game
from ._text import MOVETEXT_REGEX, SKIP_MOVETEXT_REGEX, TAG_REGEX
from ._visitors import (
    SKIP,
    BaseVisitor,
    GameBuilder,
    HeadersBuilder,
    ResultT,
    SkipVisitor,
)

Handle = Union[TextIO, BinaryIO, str, bytes]
ReadLine = Callable[[], Union[str, bytes]]


@overload
def read_game(handle: Handle) -> Game | None: ...
@overload
def read_game(
    handle: Handle, *, Visitor: Callable[[], BaseVisitor[ResultT]]
) -> ResultT | None: ...
def read_game(handle: Handle, *, Visitor: Any = GameBuilder) -> Any:
    """Reads the next game of a file, or None at its end.

    The file may be open in text or binary mode; a str or bytes is PGN text itself. Only
    ``readline`` is called, and the file stands after the game when this returns. Moves that
    cannot be read are logged and collected in ``errors`` of the game.

    >>> game = read_game("1. e4 (1. d4 d5) e5 *")
    >>> [str(node.move) for node in game.variations]
    ['e2e4', 'd2d4']
    """
    readline = _readline(handle)
    if Visitor is not GameBuilder and not _builds_plain_games(Visitor):
        return _Reader(readline, Visitor()).read()
    found = _native.read_pgn_game(readline)
    if found is None:
        return None
    if type(found) is _native.PgnRecord:
        return Game._read(found)
    return _read_rest(found, readline, Visitor)


def read_headers(handle: Handle) -> Headers | None:
    """Reads the tags of the next game and skips its moves; None at the end of the file."""
    readline = _readline(handle)
    tags = _native.read_pgn_tags(readline)
    if tags is None:
        return None
    if isinstance(tags, dict):
        return Headers._read(tags, roster=False)
    headers: Headers | None = _Reader(_after(tags, readline), HeadersBuilder()).read()
    return headers


def skip_game(handle: Handle) -> bool:
    """Skips the next game. Returns False at the end of the file."""
    readline = _readline(handle)
    found = _native.skip_pgn_game(readline)
    if isinstance(found, list):
        return bool(_Reader(_after(found, readline), SkipVisitor()).read())
    return bool(found)


def _readline(handle: Handle) -> ReadLine:
    if not isinstance(handle, (str, bytes)):
        return handle.readline
    if isinstance(handle, str):
        return io.StringIO(handle, newline=None).readline
    return io.BytesIO(handle).readline


def _after(lines: Iterable[str], readline: ReadLine) -> ReadLine:
    """Lines that were read already, then the lines that follow."""
    read = iter(lines)

    def next_line() -> str | bytes:
        for line in read:
            return line
        return readline()

    return next_line


# The methods of a builder that native code stands for.
_BUILDING = [
    name
    for name in dir(GameBuilder)
    if not name.startswith("__") and name != "handle_error" or name == "__init__"
]


def _builds_plain_games(Visitor: Any) -> bool:
    """True for ``Game.builder`` and for builders that only handle errors in another way."""
    if getattr(Visitor, "__func__", None) is Game.builder.__func__:  # type: ignore[attr-defined]
        return Visitor.__self__ is Game
    if not (isinstance(Visitor, type) and issubclass(Visitor, GameBuilder)):
        return False
    return all(getattr(Visitor, name) is getattr(GameBuilder, name) for name in _BUILDING)


def _read_rest(found: Any, readline: ReadLine, Visitor: Any) -> Any:
    """Handles the errors of a game, or reads a game that native code does not read."""
    if isinstance(found, tuple):
        record, problems, lines = found
        game = Game._read(record)
        errors = [_error(game, record, event, token) for event, token in problems]
        if None not in errors:
            _handle_errors(Visitor(), game, errors)
            return game
        found = lines
    return _Reader(_after(found, readline), Visitor()).read()


def _error(
    game: Game, record: _native.PgnRecord, event: int, token: str
) -> ValueError | None:
    """The error of ``chess.Board`` for a move; None if it is able to read it after all."""
    board = game.board()
    for move in record.line_to(event, _NODES):
        board.push(move)
    try:
        board.parse_san(token)
    except ValueError as error:
        return error
    return None


def _handle_errors(visitor: Any, game: Game, errors: Iterable[Any]) -> None:
    visitor.begin_game()
    visitor.game = game
    visitor.variation_stack = [game]
    for error in errors:
        visitor.handle_error(error)


class _Reader:
    """Reads one game line by line for any visitor."""

    def __init__(self, readline: ReadLine, visitor: BaseVisitor[Any]) -> None:
        self.readline = readline
        self.visitor = visitor
        self.line = ""
        # One board for the mainline and one for each open variation.
        self.boards: list[chess.Board] = []
        # In skipped text: the number of open parentheses, and 1 for what is skipped.
        self.skipped_depth = 0
        # True if the visitor skips a variation, which has no board; False after an error.
        self.skips_variation = False

    def read(self) -> Any:
        """The result of the visitor; None at the end of the file."""
        self.next_line()
        self.line = self.line.lstrip("\ufeff")
        while self.line.isspace() or self.is_escaped():
            self.next_line()
        if not self.line:
            return None
        if self.begin():
            self.read_movetext()
        else:
            self.skip_movetext()
        self.visitor.end_game()
        return self.visitor.result()

    def next_line(self) -> None:
        line = self.readline()
        self.line = line if isinstance(line, str) else _native.decode_pgn_line(line)

    def is_escaped(self) -> bool:
        return self.line.startswith(("%", ";"))

    # Tags

    def begin(self) -> bool:
        """Reads the tags and sets up the board. Returns whether moves are wanted."""
        wanted = self.visitor.begin_game() is not SKIP
        if not wanted:
            self.read_tags(None, visit=False)
            return False
        headers = self.visitor.begin_headers()
        if isinstance(headers, Headers):
            self.read_tags(None, visit=True)
        else:
            headers = Headers({})
            self.read_tags(headers, visit=True)
        if self.visitor.end_headers() is SKIP:
            return False
        return self.set_up(headers)

    def read_tags(self, collected: Headers | None, *, visit: bool) -> None:
        """Reads up to the line where movetext starts. One blank line may follow each tag."""
        after_blank = False
        while self.line:
            if self.is_escaped():
                pass
            elif self.line.isspace() and not after_blank:
                after_blank = True
            elif (tag := self.line.lstrip()).startswith("["):
                after_blank = False
                match = TAG_REGEX.match(tag) if visit else None
                if match:
                    name, value = match.groups()
                    self.visitor.visit_header(name, value)
                    if collected is not None:
                        collected[name] = value
            else:
                break
            self.next_line()

    def set_up(self, headers: Headers) -> bool:
        """Sets up the initial position. Returns whether there is one."""
        try:
            variant = headers.variant()
        except ValueError as error:
            self.visitor.handle_error(error)
            variant = chess.Board
        try:
            board = headers._board(variant)
        except ValueError as error:
            self.visitor.handle_error(error)
            return False
        self.boards = [board]
        self.visitor.visit_board(board)
        return True

    # Movetext

    def skip_movetext(self) -> None:
        """Passes over the rest of the game."""
        in_comment = False
        while self.line and (in_comment or not self.line.isspace()):
            if in_comment or not self.line.startswith("%"):
                for match in SKIP_MOVETEXT_REGEX.finditer(self.line):
                    if match[0] != ";":
                        in_comment = match[0] == "{"
                    elif not in_comment:
                        break
            self.next_line()

    def read_movetext(self) -> None:
        """Reads up to a blank line outside comments."""
        while self.line:
            if not self.is_escaped():
                if self.line.isspace():
                    return
                while self.read_tokens():
                    pass
            self.next_line()

    def read_tokens(self) -> bool:
        """Reads the tokens of the line. Returns True after a comment that left a rest of a line."""
        for match in MOVETEXT_REGEX.finditer(self.line):
            token = match[0]
            if token[0] == "{":
                self.read_comment(token[1:])
                return True
            if token == "(":
                self.open()
            elif token == ")":
                self.close()
            elif token[0] != ";" and not self.skipped_depth:
                self.read_token(token)
        return False

    def read_comment(self, text: str) -> None:
        """Reads a comment and leaves the rest of its last line."""
        self.line = text.removeprefix(" ")
        parts = []
        while self.line and "}" not in self.line:
            parts.append(self.line)
            self.next_line()
        last, _, self.line = self.line.partition("}")
        parts.append(last.removesuffix(" "))
        if not self.skipped_depth:
            self.visitor.visit_comment("".join(parts))

    def open(self) -> None:
        if self.skipped_depth:
            self.skipped_depth += 1
        elif self.boards[-1].move_stack:
            if self.visitor.begin_variation() is SKIP:
                self.skipped_depth = 1
                self.skips_variation = True
            else:
                board = self.boards[-1].copy()
                board.pop()
                self.boards.append(board)

    def close(self) -> None:
        if self.skipped_depth > 1:
            self.skipped_depth -= 1
        elif self.skips_variation:
            self.skips_variation = False
            self.skipped_depth = 0
            self.visitor.end_variation()
        elif len(self.boards) > 1:
            self.skipped_depth = 0
            self.visitor.end_variation()
            self.boards.pop()

    def read_token(self, token: str) -> None:
        if token[0] == "$":
            self.visitor.visit_nag(int(token[1:]))
        elif token in MARKS:
            self.visitor.visit_nag(MARKS[token])
        elif token in ("1-0", "0-1", "1/2-1/2", "*") and len(self.boards) == 1:
            self.visitor.visit_result(token)
        else:
            self.read_move(token)

    def read_move(self, token: str) -> None:
        board = self.boards[-1]
        if self.visitor.begin_parse_san(board, token) is not SKIP:
            try:
                move = self.visitor.parse_san(board, token)
            except ValueError as error:
                self.visitor.handle_error(error)
                self.skipped_depth = 1
            else:
                self.visitor.visit_move(board, move)
                board.push(move)
        self.visitor.visit_board(board)
