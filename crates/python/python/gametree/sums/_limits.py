"""Limits of questions, and numbers as the native part takes them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypedDict, TypeVar

from .. import _native
from .._native import OutOfBudget
from ._words import ParseError

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Limits", "Unpack", "fraction", "integer", "integer_bytes", "is_dyadic", "native_limits"]
__all__ += ["native_number", "read", "within"]

_T = TypeVar("_T")


class Limits(TypedDict, total=False):
    """The limits that every question accepts as keywords; none means no limit."""

    #: Seconds.
    time: float | None
    #: Sums searched.
    nodes: int | None
    #: Bytes of tables.
    memory: int | None
    #: Threads to use (default: one for each processor); not a limit.
    threads: int | None


def native_limits(
    time: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
) -> _native._Limits:
    """Checks the limits."""
    if time is not None and not time >= 0:
        raise ValueError("time must be a number of seconds, at least 0")
    for name, count in (("nodes", nodes), ("memory", memory), ("threads", threads)):
        if count is not None and count < 0:
            raise ValueError(f"{name} must not be negative")
    most = (1 << 63) - 1
    counts = [None if count is None else min(count, most) for count in (nodes, memory, threads)]
    return (None if time is None else min(float(time), 1e9), counts[0], counts[1], counts[2])


def within(limits: _native._Limits, ask: Callable[[_native._Limits], _T]) -> _T | None:
    """The answer; none if it is not found within given limits."""
    try:
        return ask(limits)
    except OutOfBudget:
        if limits[:3] == (None, None, None):
            raise
        return None


def read(parsed: _T | _native._ParseFailure, text: str) -> _T:
    """The object that was read from a text, or the error."""
    if isinstance(parsed, tuple):
        message, start, end = parsed
        raise ParseError(message, text, start, end)
    return parsed


def integer(data: bytes) -> int:
    """An integer of any size."""
    return int.from_bytes(data, "little", signed=True)


def integer_bytes(number: int) -> bytes:
    """The reverse of `integer`."""
    return number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)


def fraction(number: _native._Number) -> Fraction:
    """A number of the native part."""
    numerator, exponent = number
    return Fraction(integer(numerator), 1 << exponent)


def native_number(number: int | Fraction) -> _native._Number:
    """The reverse of `fraction`."""
    if not is_dyadic(number):
        raise ValueError(f"{number} is not a game: its denominator must be a power of two")
    return integer_bytes(number.numerator), number.denominator.bit_length() - 1


def is_dyadic(number: int | Fraction) -> bool:
    """True if the denominator is a power of two."""
    return number.denominator & (number.denominator - 1) == 0
