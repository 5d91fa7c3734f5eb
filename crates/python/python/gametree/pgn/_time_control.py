"""The ``TimeControl`` tag."""

from __future__ import annotations

import dataclasses
import enum


class TimeControlType(enum.Enum):
    """The kind of a time control, by the time of its first part."""

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


@dataclasses.dataclass
class TimeControlPart:
    """One part: the number of moves (0 for all), and seconds."""

    moves: int = 0
    time: int = 0
    increment: float = 0
    delay: float = 0


@dataclasses.dataclass
class TimeControl:
    """A time control."""

    parts: list[TimeControlPart] = dataclasses.field(default_factory=list)
    type: TimeControlType = TimeControlType.UNKNOWN


# The seconds below which a first part is of a kind, with the increments of 60 moves.
_LIMITS = [
    (180, TimeControlType.BULLET),
    (900, TimeControlType.BLITZ),
    (3600, TimeControlType.RAPID),
]


def parse_time_control(time_control: str) -> TimeControl:
    """Reads the value of a ``TimeControl`` tag.

    >>> parse_time_control("40/7200:3600+30").type
    <TimeControlType.STANDARD: 2>
    """
    if not time_control or time_control[0] == "?":
        return TimeControl()
    if time_control[0] == "-":
        return TimeControl(type=TimeControlType.UNLIMITED)
    parts = [_read_part(part) for part in time_control.split(":")]
    if not all(part.moves for part in parts[:-1]):
        raise ValueError("only the last part of a time control can be without a number of moves")
    return TimeControl(parts, _kind(parts[0]))


def _read_part(text: str) -> TimeControlPart:
    part = TimeControlPart()
    base, *bonuses = text.split("+")
    if bonuses:
        bonus = bonuses[0]
        if bonus[-1:] in ("d", "D"):
            part.delay = float(bonus[:-1])
        else:
            part.increment = float(bonus)
    first, *rest = base.split("/")
    if rest:
        part.moves, part.time = int(first), int(rest[0])
    else:
        part.time = int(first)
    return part


def _kind(part: TimeControlPart) -> TimeControlType:
    seconds = part.time + 60 * part.increment
    for limit, kind in _LIMITS:
        if seconds < limit:
            return kind
    return TimeControlType.STANDARD
