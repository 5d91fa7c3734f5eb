"""Games and their nodes."""

from __future__ import annotations

import abc
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, cast

import chess
import chess.engine
import chess.svg

from .. import _native
from . import _copying, _positions
from ._export import StringExporter
from ._headers import Headers
from ._san_board import board_for
from ._text import (
    ARROWS_REGEX,
    CLOCK_REGEX,
    EMT_REGEX,
    EVAL_REGEX,
    comment_list,
    replace_command,
)
from ._time_control import TimeControl, parse_time_control
from ._visitors import SKIP, BaseVisitor, GameBuilder, GameT, ResultT

if TYPE_CHECKING:
    import re

MainlineMapT = TypeVar("MainlineMapT")

Key = Union[int, chess.Move, "GameNode"]


class GameNode(abc.ABC):
    """A position of a game with the path that led to it.

    Nodes are equal only to themselves.
    """

    __slots__ = ("variations", "comments", "starting_comments", "nags", "__dict__", "__weakref__")

    variations: list[ChildNode]
    """The children; the first one is the mainline."""

    comments: list[str]
    """The comments after the move; for a game, those before the first move."""

    starting_comments: list[str]
    """The comments before the move."""

    nags: set[int]
    """The numeric annotation glyphs of the move."""

    def __init__(self, *, comment: str | list[str] = "") -> None:
        self.variations = []
        self.comments = comment_list(comment)
        self.starting_comments = []
        self.nags = set()

    @property
    def comment(self) -> str:
        """The comments after the move, joined with blanks."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, comment: str | list[str]) -> None:
        self.comments = comment_list(comment)

    @property
    def starting_comment(self) -> str:
        """The comments before the move, joined with blanks."""
        return " ".join(self.starting_comments)

    @starting_comment.setter
    def starting_comment(self, comment: str | list[str]) -> None:
        self.starting_comments = comment_list(comment)

    # Where a node is

    @property
    @abc.abstractmethod
    def parent(self) -> GameNode | None:
        """The parent; None for a game."""

    @property
    @abc.abstractmethod
    def move(self) -> chess.Move | None:
        """The move that leads here; None for a game."""

    @abc.abstractmethod
    def board(self) -> chess.Board:
        """A new board with the position and the moves that led to it."""

    @abc.abstractmethod
    def ply(self) -> int:
        """The number of half-moves up to here, counted as the initial position counts them."""

    def turn(self) -> chess.Color:
        """The side to move."""
        return self.ply() % 2 == 0

    def root(self) -> GameNode:
        """The node without a parent."""
        node: GameNode = self
        while (parent := node.parent) is not None:
            node = parent
        return node

    def game(self) -> Game:
        """The game."""
        root = self.root()
        assert isinstance(root, Game), "the root of this node is not a game"
        return root

    def end(self) -> GameNode:
        """The last node of the mainline from here."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """True if no move follows."""
        return not self.variations

    def starts_variation(self) -> bool:
        """True if this is not the first child of its parent."""
        parent = self.parent
        return parent is not None and bool(parent.variations) and parent.variations[0] != self

    def is_mainline(self) -> bool:
        """True if this node and all before it are first children."""
        node: GameNode = self
        while (parent := node.parent) is not None:
            if not parent.variations or parent.variations[0] != node:
                return False
            node = parent
        return True

    def is_main_variation(self) -> bool:
        """True if this is the first child of its parent, or the game."""
        parent = self.parent
        return parent is None or not parent.variations or parent.variations[0] == self

    # Children

    def __getitem__(self, move: Key) -> ChildNode:
        try:
            return self.variations[move]  # type: ignore[index]
        except TypeError:
            pass
        for child in self.variations:
            if child.move == move or child == move:
                return child
        raise KeyError(move)

    def __contains__(self, move: Key) -> bool:
        try:
            self[move]
        except KeyError:
            return False
        return True

    def variation(self, move: Key) -> ChildNode:
        """The child by index, by move, or the child itself; KeyError if there is none."""
        return self[move]

    def has_variation(self, move: Key) -> bool:
        """True if there is such a child."""
        return move in self

    def promote_to_main(self, move: Key) -> None:
        """Makes a child the first."""
        child = self[move]
        self.variations.remove(child)
        self.variations.insert(0, child)

    def promote(self, move: Key) -> None:
        """Moves a child up by one place."""
        self._swap(self.variations.index(self[move]), -1)

    def demote(self, move: Key) -> None:
        """Moves a child down by one place."""
        self._swap(self.variations.index(self[move]), 1)

    def _swap(self, index: int, step: int) -> None:
        other, children = index + step, self.variations
        if 0 <= other < len(children):
            children[index], children[other] = children[other], children[index]

    def remove_variation(self, move: Key) -> None:
        """Removes a child and everything after it."""
        self.variations.remove(self[move])

    def add_variation(
        self,
        move: chess.Move,
        *,
        comment: str | list[str] = "",
        starting_comment: str | list[str] = "",
        nags: Iterable[int] = (),
    ) -> ChildNode:
        """Adds a child after the others. All nodes are made here: override it for nodes of your
        own class."""
        return ChildNode(
            self, move, comment=comment, starting_comment=starting_comment, nags=nags
        )

    def add_main_variation(
        self, move: chess.Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> ChildNode:
        """Adds a child before the others."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def add_line(
        self,
        moves: Iterable[chess.Move],
        *,
        comment: str | list[str] = "",
        starting_comment: str | list[str] = "",
        nags: Iterable[int] = (),
    ) -> GameNode:
        """Adds a line of moves and returns its last node, which gets the comment and the NAGs."""
        node: GameNode = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        node.comments.extend(comment_list(comment))
        node.nags.update(nags)
        return node

    def next(self) -> ChildNode | None:
        """The first child, if any."""
        return self.variations[0] if self.variations else None

    def mainline(self) -> Mainline[ChildNode]:
        """The nodes of the mainline after this one."""
        return Mainline(self, _node_itself)

    def mainline_moves(self) -> Mainline[chess.Move]:
        """The moves of the mainline after this node."""
        return Mainline(self, _move_of)

    # Commands in comments

    def eval(self) -> chess.engine.PovScore | None:
        """The value of the first ``[%eval …]``, from the side to move."""
        match = EVAL_REGEX.search(self.comment)
        if match is None:
            return None
        turn = self.turn()
        score: chess.engine.Score
        if match["mate"]:
            score = chess.engine.Mate(int(match["mate"]))
            if score.moves == 0:  # the side to move is mated, whoever it is
                return chess.engine.PovScore(score, turn)
        else:
            score = chess.engine.Cp(round(float(match["cp"]) * 100))
        return chess.engine.PovScore(score if turn else -score, turn)

    def eval_depth(self) -> int | None:
        """The depth in the first ``[%eval …]``."""
        match = EVAL_REGEX.search(self.comment)
        return int(match["depth"]) if match and match["depth"] else None

    def set_eval(self, score: chess.engine.PovScore | None, depth: int | None = None) -> None:
        """Sets or removes the ``[%eval …]``."""
        value = None
        if score is not None:
            white = score.white()
            centipawns, mate = white.score(), white.mate()
            if centipawns is not None:
                value = f"{centipawns / 100:.2f}"
            elif mate:
                value = f"#{mate}"
        if value is not None and depth is not None:
            value += f",{max(depth, 0)}"
        self._set_command(EVAL_REGEX, f"[%eval {value}]" if value is not None else "")

    def arrows(self) -> list[chess.svg.Arrow]:
        """The arrows and squares of all ``[%cal …]`` and ``[%csl …]``."""
        matches = ARROWS_REGEX.finditer(self.comment)
        texts = (text for match in matches for text in match["arrows"].split(","))
        return [chess.svg.Arrow.from_pgn(text) for text in texts]

    def set_arrows(
        self, arrows: Iterable[chess.svg.Arrow | tuple[chess.Square, chess.Square]]
    ) -> None:
        """Sets or removes all ``[%cal …]`` and ``[%csl …]``."""
        squares: list[str] = []
        lines: list[str] = []
        for shape in arrows:
            arrow = shape if isinstance(shape, chess.svg.Arrow) else chess.svg.Arrow(*shape)
            (squares if arrow.tail == arrow.head else lines).append(arrow.pgn())
        kept = (replace_command(ARROWS_REGEX, "", text, 0)[0] for text in self.comments)
        self.comments = [text for text in kept if text]
        commands = ""
        if squares:
            commands += f"[%csl {','.join(squares)}]"
        if lines:
            commands += f"[%cal {','.join(lines)}]"
        if commands:
            self.comments.insert(0, commands)

    def clock(self) -> float | None:
        """The seconds on the clock after the move, from the first ``[%clk …]``."""
        return self._seconds(CLOCK_REGEX)

    def set_clock(self, seconds: float | None) -> None:
        """Sets or removes the ``[%clk …]``."""
        self._set_command(CLOCK_REGEX, _time_command("clk", seconds))

    def emt(self) -> float | None:
        """The seconds used for the move, from the first ``[%emt …]``."""
        return self._seconds(EMT_REGEX)

    def set_emt(self, seconds: float | None) -> None:
        """Sets or removes the ``[%emt …]``."""
        self._set_command(EMT_REGEX, _time_command("emt", seconds))

    def _seconds(self, pattern: re.Pattern[str]) -> float | None:
        match = pattern.search(self.comment)
        if match is None:
            return None
        return int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + float(match["seconds"])

    def _set_command(self, pattern: re.Pattern[str], command: str) -> None:
        """Replaces the first command of a kind, or adds one as a comment of its own."""
        found = 0
        comments = []
        for text in self.comments:
            if not found:
                text, found = replace_command(pattern, command, text, 1)
            if text:
                comments.append(text)
        if command and not found:
            comments.append(command)
        self.comments = comments

    # Visitors

    @abc.abstractmethod
    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Lets a visitor visit the node and all after it, and returns its result."""

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Lets a visitor visit the game that starts here."""
        if visitor.begin_game() is not SKIP:
            game, board = self.game(), self.board()
            start = Game.without_tag_roster()
            start.setup(board)
            visitor.begin_headers()
            for name, value in game.headers.items():
                if name not in start.headers:
                    visitor.visit_header(name, value)
            for name, value in start.headers.items():
                visitor.visit_header(name, value)
            if visitor.end_headers() is not SKIP:
                visitor.visit_board(board)
                if self.variations:
                    _visit_line(self.variations[0], board, visitor, siblings=True)
                visitor.visit_result(game.headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))

    # Copies: without recursion, because games are deep

    def __copy__(self: NodeT) -> NodeT:
        return _copying.shallow(self)

    def __deepcopy__(self: NodeT, memo: dict[int, Any]) -> NodeT:
        return cast(NodeT, _copying.deep(self, memo))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _copying.reduce(self)

    def __setstate__(self, state: Any) -> None:
        _copying.restore(self, state)


NodeT = TypeVar("NodeT", bound=GameNode)


def _time_command(name: str, seconds: float | None) -> str:
    if seconds is None:
        return ""
    seconds = max(0, seconds)
    minutes = int(seconds // 60)
    rest = f"{seconds % 3600 % 60:06.3f}".rstrip("0").rstrip(".")
    return f"[%{name} {minutes // 60}:{minutes % 60:02}:{rest}]"


class ChildNode(GameNode):
    """A node with the move that leads to it."""

    if TYPE_CHECKING:
        # Slots, which type checkers do not take for the properties of the base class.
        @property
        def parent(self) -> GameNode:
            """The parent."""
            ...

        @parent.setter
        def parent(self, parent: GameNode) -> None: ...

        @property
        def move(self) -> chess.Move:
            """The move that leads here."""
            ...

        @move.setter
        def move(self, move: chess.Move) -> None: ...
    else:
        __slots__ = ("parent", "move")

    def __init__(
        self,
        parent: GameNode,
        move: chess.Move,
        *,
        comment: str | list[str] = "",
        starting_comment: str | list[str] = "",
        nags: Iterable[int] = (),
    ) -> None:
        super().__init__(comment=comment)
        self.parent = parent
        self.move = move
        parent.variations.append(self)
        self.nags.update(nags)
        self.starting_comments = comment_list(starting_comment)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            # Most nodes have none: nodes that were read get the list when they are asked for it.
            if name == "starting_comments":
                self.starting_comments = comments = []
                return comments
            raise _no_attribute(self, name)

    def board(self) -> chess.Board:
        return _positions.copy_of(_position(self))

    def ply(self) -> int:
        count = 0
        node: GameNode = self
        while (parent := node.parent) is not None:
            count += 1
            node = parent
        return node.game().ply() + count

    def san(self) -> str:
        """The move in standard algebraic notation."""
        return _ask(self.parent, lambda board: board.san(self.move))

    def uci(self, *, chess960: bool | None = None) -> str:
        """The move in UCI notation."""
        return _ask(self.parent, lambda board: board.uci(self.move, chess960=chess960))

    def end(self) -> ChildNode:
        return cast(ChildNode, super().end())

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        _visit_line(self, self.parent.board(), visitor, siblings=False)
        return visitor.result()

    def __repr__(self) -> str:
        try:
            board = self.parent.board()
        except ValueError:
            text = f"dangling: {self.move}"
        else:
            dots = "." if board.turn == chess.WHITE else "..."
            text = f"{board.fullmove_number}{dots} {board.san(self.move)} ..."
        return f"<{type(self).__name__} at {id(self):#x} ({text})>"


class Game(GameNode):
    """A game: the root of its nodes, with tags.

    >>> import chess
    >>> import gametree.pgn as pgn
    >>> game = pgn.Game()
    >>> node = game.add_variation(chess.Move.from_uci("e2e4"), comment="Best by test.")
    >>> print(node)
    1. e4 { Best by test. }
    """

    __slots__ = ("headers", "errors", "_record")

    headers: Headers
    """The tags. A new game has those of the seven-tag roster."""

    errors: list[Exception]
    """The errors found when the game was read."""

    _record: _native.PgnRecord | None

    def __init__(
        self, headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None
    ) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    @property
    def parent(self) -> None:
        """None: a game has no parent."""
        return None

    @property
    def move(self) -> None:
        """None: no move leads to a game."""
        return None

    @staticmethod
    def _read(record: _native.PgnRecord) -> Game:
        """A game that was read and gets its tags and nodes when they are asked for."""
        game = _new_object(Game)
        game._record = record
        return game

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name == "errors":
                self.errors = errors = []
                return errors
            if name in _LAZY:
                with _LOADING:
                    record = self._record
                    if record is not None:
                        _load(self, record, name)
                return object.__getattribute__(self, name)
            if name == "_record":
                return None
            raise _no_attribute(self, name)

    def board(self) -> chess.Board:
        """A new board with the initial position."""
        return self.headers.board()

    def ply(self) -> int:
        return self.board().ply() if "FEN" in self.headers else 0

    def setup(self, board: chess.Board | str) -> None:
        """Sets the initial position: the tags ``FEN``, ``SetUp`` and ``Variant``."""
        if isinstance(board, str):
            start = chess.Board(board)
            start.chess960 = start.has_chess960_castling_rights()
        else:
            start = board
        fen, variant = start.fen(), type(start).aliases[0]
        if fen == type(start).starting_fen:
            self.headers.pop("FEN", None)
            self.headers.pop("SetUp", None)
        else:
            self.headers["FEN"] = fen
            self.headers["SetUp"] = "1"
        if variant != "Standard":
            self.headers["Variant"] = variant
            self.headers["FEN"] = fen
        elif start.chess960:
            self.headers["Variant"] = "Chess960"
        else:
            self.headers.pop("Variant", None)

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        if visitor.begin_game() is not SKIP:
            for name, value in self.headers.items():
                visitor.visit_header(name, value)
            if visitor.end_headers() is not SKIP:
                board = self.board()
                visitor.visit_board(board)
                for comment in self.comments:
                    visitor.visit_comment(comment)
                if self.variations:
                    _visit_line(self.variations[0], board, visitor, siblings=True)
                visitor.visit_result(self.headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def time_control(self) -> TimeControl:
        """The time control, from the tag ``TimeControl``."""
        return parse_time_control(self.headers.get("TimeControl", ""))

    @classmethod
    def from_board(cls: type[GameT], board: chess.Board) -> GameT:
        """A game with the moves of a board."""
        game = cls()
        game.setup(board.root())
        game.add_line(board.move_stack)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: type[GameT]) -> GameT:
        """An empty game without tags."""
        return cls(headers={})

    @classmethod
    def builder(cls: type[GameT]) -> GameBuilder[GameT]:
        """A visitor that builds games of this class."""
        return GameBuilder(Game=cls)

    def __repr__(self) -> str:
        tags = {name: self.headers.get(name, "?") for name in ("White", "Black", "Site")}
        date = self.headers.get("Date", "????.??.??")
        players = f"{tags['White']!r} vs. {tags['Black']!r}"
        errors = f", {len(self.errors)} errors" if self.errors else ""
        place = f"{date!r} at {tags['Site']!r}"
        return f"<{type(self).__name__} at {id(self):#x} ({players}, {place}{errors})>"


_new_object: Callable[[type[Game]], Game] = object.__new__
_NODES = _native.PgnNodes(ChildNode, chess.Move)
_PARTS = ("variations", "comments", "starting_comments", "nags")
_LAZY = {"headers", *_PARTS}
_LOADING = threading.RLock()


def _no_attribute(node: GameNode, name: str) -> AttributeError:
    return AttributeError(f"{type(node).__name__!r} object has no attribute {name!r}")


def _load(game: Game, record: _native.PgnRecord, wanted: str) -> None:
    """Makes the tags or the nodes of a game that was read."""
    values = _copying.slot_values(game)
    if "headers" not in values:
        headers = Headers._read(record.tags(), roster=True)
        if record.result is not None and headers["Result"] == "*":
            headers["Result"] = record.result
        game.headers = headers
    if wanted == "headers":
        return
    record.build(game, _NODES)
    game._record = None
    # What was assigned before stays.
    for name in _PARTS:
        if name in values:
            setattr(game, name, values[name])


def _position(node: GameNode) -> chess.Board:
    """The board of a node, to look at and not to keep."""
    moves: list[chess.Move] = []
    while (parent := node.parent) is not None and (move := node.move) is not None:
        moves.append(move)
        node = parent
    moves.reverse()
    game = node.game()
    if type(game).board is Game.board and type(game.headers) is Headers:
        return _positions.replay(game.headers, moves)
    board = game.board()
    for move in moves:
        board.push(move)
    return board


def _ask(node: GameNode, question: Callable[[chess.Board], str]) -> str:
    """The answer of a node's board. Boards of other classes of nodes are their own affair."""
    if type(node).board not in (ChildNode.board, Game.board):
        return question(node.board())
    try:
        return question(_position(node))
    except BaseException:
        _positions.forget()
        raise


class Mainline(Generic[MainlineMapT]):
    """The mainline after a node."""

    def __init__(self, start: GameNode, f: Callable[[ChildNode], MainlineMapT]) -> None:
        self.start = start
        self.f = f

    def __bool__(self) -> bool:
        return bool(self.start.variations)

    def __iter__(self) -> Iterator[MainlineMapT]:
        children, f = self.start.variations, self.f
        while children:
            node = children[0]
            yield f(node)
            children = node.variations

    def __reversed__(self) -> Iterator[MainlineMapT]:
        node = self.start.end()
        while (parent := node.parent) is not None and node != self.start:
            yield self.f(cast(ChildNode, node))
            node = parent

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Lets a visitor visit the nodes, without variations."""
        board = board_for(visitor, self.start.board())
        node = self.start.next()
        while node is not None:
            _visit_node(node, board, visitor)
            board.push(node.move)
            node = node.next()
        return visitor.result()

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))

    def __repr__(self) -> str:
        moves = self.accept(StringExporter(columns=None, comments=False))
        return f"<Mainline at {id(self):#x} ({moves})>"


def _node_itself(node: ChildNode) -> ChildNode:
    return node


def _move_of(node: ChildNode) -> chess.Move:
    return node.move


def _visit_node(node: ChildNode, board: chess.Board, visitor: BaseVisitor[Any]) -> None:
    """Visits one node; the board has the position before its move."""
    for comment in node.starting_comments:
        visitor.visit_comment(comment)
    visitor.visit_move(board, node.move)
    if type(visitor).visit_board is not BaseVisitor.visit_board:
        board.push(node.move)
        visitor.visit_board(board)
        board.pop()
    for nag in sorted(node.nags):
        visitor.visit_nag(nag)
    for comment in node.comments:
        visitor.visit_comment(comment)


def _visit_line(
    start: ChildNode, board: chess.Board, visitor: BaseVisitor[Any], *, siblings: bool
) -> None:
    """Visits a node and all after it, in the order of the text. The steps still to do are on a
    stack: variations are nested deeper than Python recurses."""
    steps: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
    board = board_for(visitor, board)

    def visit(node: ChildNode, siblings: bool) -> None:
        _visit_node(node, board, visitor)
        steps.append((proceed, (node,)))
        if siblings:
            others = node.parent.variations[1:]
            steps.extend((visit_variation, (other,)) for other in reversed(others))

    def visit_variation(node: ChildNode) -> None:
        if visitor.begin_variation() is SKIP:
            visitor.end_variation()
        else:
            steps.append((visitor.end_variation, ()))
            visit(node, False)

    def proceed(node: ChildNode) -> None:
        if node.variations:
            board.push(node.move)
            steps.append((take_back, ()))
            visit(node.variations[0], True)

    def take_back() -> None:
        board.pop()

    visit(start, siblings)
    while steps:
        step, arguments = steps.pop()
        step(*arguments)
