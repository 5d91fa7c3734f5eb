"""The patterns of PGN text: tags, movetext, and the commands in comments."""

from __future__ import annotations

import re

TAG_ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]

_NAME = "[A-Za-z0-9][A-Za-z0-9_+#=:-]*"

TAG_REGEX = re.compile(rf'^\[({_NAME})\s+"([^\r]*)"\]\s*$')
TAG_NAME_REGEX = re.compile(rf"^{_NAME}\Z")

_SQUARE = "[a-h][1-8]"

MOVETEXT_REGEX = re.compile(
    "("
    rf"[NBKRQ]?[a-h]?[1-8]?[\-x]?{_SQUARE}(?:=?[nbrqkNBRQK])?"
    rf"|[PNBRQK]?@{_SQUARE}"
    "|--|Z0|0000|@@@@"
    "|O-O(?:-O)?|0-0(?:-0)?"
    ")"
    r"|(\{.*)"
    r"|(;.*)"
    r"|(\$[0-9]+)"
    r"|(\()"
    r"|(\))"
    r"|(\*|1-0|0-1|1/2-1/2)"
    r"|([?!]{1,2})",
    re.DOTALL,
)

SKIP_MOVETEXT_REGEX = re.compile(r"[;{}]")


def _command(content: str) -> re.Pattern[str]:
    """A command in square brackets, with one blank on either side if there is one."""
    return re.compile(rf"(?P<prefix>\s?)\[%{content}\](?P<suffix>\s?)")


_TIME = r"\s(?P<hours>\d+):(?P<minutes>\d+):(?P<seconds>\d+(?:\.\d*)?)"
CLOCK_REGEX = _command("clk" + _TIME)
EMT_REGEX = _command("emt" + _TIME)

_PAWNS = r"[+-]?(?:\d{0,10}\.\d{1,2}|\d{1,10}\.?)"
EVAL_REGEX = _command(rf"eval\s(?:\#(?P<mate>[+-]?\d+)|(?P<cp>{_PAWNS}))(?:,(?P<depth>\d+))?")

_SHAPE = rf"[RGYB]{_SQUARE}(?:{_SQUARE})?"
ARROWS_REGEX = _command(rf"(?:csl|cal)\s(?P<arrows>{_SHAPE}(?:,{_SHAPE})*)")


def replace_command(pattern: re.Pattern[str], new: str, text: str, count: int) -> tuple[str, int]:
    """Replaces commands. Where one is removed between two blanks, one blank is left."""

    def replacement(match: re.Match[str]) -> str:
        prefix, suffix = match["prefix"], match["suffix"]
        if new:
            return prefix + new + suffix
        return suffix if prefix else ""

    return pattern.subn(replacement, text, count=count)


def comment_list(comment: str | list[str]) -> list[str]:
    """A comment as a list: an empty one is none."""
    if isinstance(comment, str):
        return [comment] if comment else []
    return comment
