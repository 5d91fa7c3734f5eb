"""PGN: a drop-in for ``chess.pgn`` of python-chess that reads many times faster.

Replace ``import chess.pgn`` by ``import gametree.pgn``. Boards and moves are those of python-chess.

>>> import io
>>> import gametree.pgn as pgn
>>> game = pgn.read_game(io.StringIO("1. e4 {Best by test.} e5 (1... c5 2. Nf3) 2. Nf3 *"))
>>> game.next().comment
'Best by test.'
>>> game.end().board().fen()
'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
"""

from __future__ import annotations

from ._export import FileExporter, StringExporter, StringExporterMixin
from ._headers import Headers, HeadersT
from ._nags import (
    NAG_NULL,
    NAG_GOOD_MOVE,
    NAG_MISTAKE,
    NAG_BRILLIANT_MOVE,
    NAG_BLUNDER,
    NAG_SPECULATIVE_MOVE,
    NAG_DUBIOUS_MOVE,
    NAG_FORCED_MOVE,
    NAG_SINGULAR_MOVE,
    NAG_WORST_MOVE,
    NAG_DRAWISH_POSITION,
    NAG_QUIET_POSITION,
    NAG_ACTIVE_POSITION,
    NAG_UNCLEAR_POSITION,
    NAG_WHITE_SLIGHT_ADVANTAGE,
    NAG_BLACK_SLIGHT_ADVANTAGE,
    NAG_WHITE_MODERATE_ADVANTAGE,
    NAG_BLACK_MODERATE_ADVANTAGE,
    NAG_WHITE_DECISIVE_ADVANTAGE,
    NAG_BLACK_DECISIVE_ADVANTAGE,
    NAG_WHITE_ZUGZWANG,
    NAG_BLACK_ZUGZWANG,
    NAG_WHITE_MODERATE_COUNTERPLAY,
    NAG_BLACK_MODERATE_COUNTERPLAY,
    NAG_WHITE_DECISIVE_COUNTERPLAY,
    NAG_BLACK_DECISIVE_COUNTERPLAY,
    NAG_WHITE_MODERATE_TIME_PRESSURE,
    NAG_BLACK_MODERATE_TIME_PRESSURE,
    NAG_WHITE_SEVERE_TIME_PRESSURE,
    NAG_BLACK_SEVERE_TIME_PRESSURE,
    NAG_NOVELTY,
)
from ._nodes import ChildNode, Game, GameNode, Mainline, MainlineMapT
from ._reader import read_game, read_headers, skip_game
from ._text import (
    ARROWS_REGEX,
    CLOCK_REGEX,
    EMT_REGEX,
    EVAL_REGEX,
    MOVETEXT_REGEX,
    SKIP_MOVETEXT_REGEX,
    TAG_NAME_REGEX,
    TAG_REGEX,
    TAG_ROSTER,
)
from ._time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from ._visitors import (
    LOGGER,
    SKIP,
    BaseVisitor,
    BoardBuilder,
    GameBuilder,
    GameT,
    HeadersBuilder,
    ResultT,
    SkipType,
    SkipVisitor,
)

__all__ = [
    "ARROWS_REGEX",
    "BaseVisitor",
    "BoardBuilder",
    "CLOCK_REGEX",
    "ChildNode",
    "EMT_REGEX",
    "EVAL_REGEX",
    "FileExporter",
    "Game",
    "GameBuilder",
    "GameNode",
    "GameT",
    "Headers",
    "HeadersBuilder",
    "HeadersT",
    "LOGGER",
    "MOVETEXT_REGEX",
    "Mainline",
    "MainlineMapT",
    "NAG_ACTIVE_POSITION",
    "NAG_BLACK_DECISIVE_ADVANTAGE",
    "NAG_BLACK_DECISIVE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_ADVANTAGE",
    "NAG_BLACK_MODERATE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_TIME_PRESSURE",
    "NAG_BLACK_SEVERE_TIME_PRESSURE",
    "NAG_BLACK_SLIGHT_ADVANTAGE",
    "NAG_BLACK_ZUGZWANG",
    "NAG_BLUNDER",
    "NAG_BRILLIANT_MOVE",
    "NAG_DRAWISH_POSITION",
    "NAG_DUBIOUS_MOVE",
    "NAG_FORCED_MOVE",
    "NAG_GOOD_MOVE",
    "NAG_MISTAKE",
    "NAG_NOVELTY",
    "NAG_NULL",
    "NAG_QUIET_POSITION",
    "NAG_SINGULAR_MOVE",
    "NAG_SPECULATIVE_MOVE",
    "NAG_UNCLEAR_POSITION",
    "NAG_WHITE_DECISIVE_ADVANTAGE",
    "NAG_WHITE_DECISIVE_COUNTERPLAY",
    "NAG_WHITE_MODERATE_ADVANTAGE",
    "NAG_WHITE_MODERATE_COUNTERPLAY",
    "NAG_WHITE_MODERATE_TIME_PRESSURE",
    "NAG_WHITE_SEVERE_TIME_PRESSURE",
    "NAG_WHITE_SLIGHT_ADVANTAGE",
    "NAG_WHITE_ZUGZWANG",
    "NAG_WORST_MOVE",
    "ResultT",
    "SKIP",
    "SKIP_MOVETEXT_REGEX",
    "SkipType",
    "SkipVisitor",
    "StringExporter",
    "StringExporterMixin",
    "TAG_NAME_REGEX",
    "TAG_REGEX",
    "TAG_ROSTER",
    "TimeControl",
    "TimeControlPart",
    "TimeControlType",
    "parse_time_control",
    "read_game",
    "read_headers",
    "skip_game",
]


def _adopt() -> None:
    """Gives classes the name that users import them by, for pickles and messages."""
    for name in __all__:
        item = globals()[name]
        if isinstance(item, type):
            item.__module__ = __name__


_adopt()
