"""Visitors: what the reader and ``Game.accept`` call for each part of a game."""

from __future__ import annotations

import abc
import enum
import logging
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import chess

from ._headers import Headers, HeadersT
from ._text import comment_list

if TYPE_CHECKING:
    from ._nodes import Game, GameNode

LOGGER = logging.getLogger("chess.pgn")

ResultT = TypeVar("ResultT", covariant=True)
GameT = TypeVar("GameT", bound="Game")


class SkipType(enum.Enum):
    """The type of :data:`SKIP`."""

    SKIP = None


SKIP = SkipType.SKIP
"""Returned by a method of a visitor to skip the game or the variation."""


class BaseVisitor(abc.ABC, Generic[ResultT]):
    """The base of visitors. The methods are called in the order of the text.

    A board that is passed to a method may be changed if it is restored before the method returns.
    """

    def begin_game(self) -> SkipType | None:
        """Called at the start of a game."""
        return None

    def begin_headers(self) -> Headers | None:
        """Called before the tags. The reader uses the headers returned, if any, for the initial
        position; otherwise it collects the tags itself."""
        return None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Called for each tag."""

    def end_headers(self) -> SkipType | None:
        """Called after the tags."""
        return None

    def begin_parse_san(self, board: chess.Board, san: str) -> SkipType | None:
        """Called by the reader before each move."""
        return None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """Called by the reader to read a move."""
        return board.parse_san(san)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        """Called for each move, with the position before it."""

    def visit_board(self, board: chess.Board) -> None:
        """Called for the initial position and after each move."""

    def visit_comment(self, comment: str) -> None:
        """Called for each comment."""

    def visit_nag(self, nag: int) -> None:
        """Called for each numeric annotation glyph."""

    def begin_variation(self) -> SkipType | None:
        """Called at the start of each variation, not for the mainline."""
        return None

    def end_variation(self) -> None:
        """Called at the end of each variation."""

    def visit_result(self, result: str) -> None:
        """Called for the result at the end of a game."""

    def end_game(self) -> None:
        """Called at the end of a game."""

    @abc.abstractmethod
    def result(self) -> ResultT:
        """The result of the visit."""

    def handle_error(self, error: Exception) -> None:
        """Called for errors in the text. Raises them unless overridden."""
        raise error


class GameBuilder(BaseVisitor[GameT]):
    """Builds a game: the default visitor of ``read_game``."""

    @overload
    def __init__(self: GameBuilder[Game]) -> None: ...
    @overload
    def __init__(self, *, Game: type[GameT]) -> None: ...
    def __init__(self, *, Game: Any = None) -> None:
        if Game is None:
            from ._nodes import Game
        self.Game = Game

    def begin_game(self) -> SkipType | None:
        self.game: GameT = self.Game()
        self.variation_stack: list[GameNode] = [self.game]
        self.starting_comments: list[str] = []
        self.in_variation = False
        return None

    @property
    def starting_comment(self) -> str:
        """The comments before the next move, joined."""
        return " ".join(self.starting_comments)

    @starting_comment.setter
    def starting_comment(self, comment: str) -> None:
        self.starting_comments = comment_list(comment)

    def begin_headers(self) -> Headers | None:
        return self.game.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.game.headers[tagname] = tagvalue

    def visit_nag(self, nag: int) -> None:
        self.variation_stack[-1].nags.add(nag)

    def begin_variation(self) -> SkipType | None:
        parent = self.variation_stack[-1].parent
        assert parent is not None, "a variation must follow a move"
        self.variation_stack.append(parent)
        self.in_variation = False
        return None

    def end_variation(self) -> None:
        self.variation_stack.pop()

    def visit_result(self, result: str) -> None:
        headers = self.game.headers
        if headers.get("Result", "*") == "*":
            headers["Result"] = result

    def visit_comment(self, comment: str | list[str]) -> None:
        node = self.variation_stack[-1]
        comments = [text for text in comment_list(comment) if text]
        before_first_move = node.parent is None and not node.variations
        if self.in_variation or before_first_move:
            node.comments.extend(comments)
        else:
            self.starting_comments.extend(comments)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        node = self.variation_stack[-1].add_variation(move)
        node.starting_comments, self.starting_comments = self.starting_comments, []
        self.variation_stack[-1] = node
        self.in_variation = True

    def handle_error(self, error: Exception) -> None:
        """Logs an error and adds it to the errors of the game."""
        LOGGER.error("%s while parsing %r", error, self.game)
        self.game.errors.append(error)

    def result(self) -> GameT:
        """The game."""
        return self.game


class HeadersBuilder(BaseVisitor[HeadersT]):
    """Collects tags and skips the moves."""

    @overload
    def __init__(self: HeadersBuilder[Headers]) -> None: ...
    @overload
    def __init__(self, *, Headers: type[HeadersT]) -> None: ...
    def __init__(self, *, Headers: Any = Headers) -> None:
        self.Headers = Headers

    def begin_headers(self) -> HeadersT:
        self.headers: HeadersT = self.Headers({})
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.headers[tagname] = tagvalue

    def end_headers(self) -> SkipType:
        return SKIP

    def result(self) -> HeadersT:
        """The headers."""
        return self.headers


class BoardBuilder(BaseVisitor[chess.Board]):
    """The position at the end of the mainline, with its moves on the stack."""

    def begin_game(self) -> SkipType | None:
        self.skip_variation_depth = 0
        return None

    def begin_variation(self) -> SkipType:
        self.skip_variation_depth += 1
        return SKIP

    def end_variation(self) -> None:
        if self.skip_variation_depth:
            self.skip_variation_depth -= 1

    def visit_board(self, board: chess.Board) -> None:
        if self.skip_variation_depth == 0:
            self.board = board

    def result(self) -> chess.Board:
        """The board."""
        return self.board


class SkipVisitor(BaseVisitor[Literal[True]]):
    """Skips a game."""

    def begin_game(self) -> SkipType:
        return SKIP

    def end_headers(self) -> SkipType:
        return SKIP

    def begin_variation(self) -> SkipType:
        return SKIP

    def result(self) -> Literal[True]:
        """True: there was a game."""
        return True
