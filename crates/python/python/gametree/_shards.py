"""Parts of files that are read like files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import _native


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """A part of a file, between two games. Its text ``FILE#START-END`` names it in every function
    and every command that takes files, on any computer that has the file.

    Shards are small and can be pickled: send them to other processes and open them there.
    """

    path: str
    """The file, or the folder of an archive."""
    start: int
    """The first byte: in a compressed file the start of a frame, in an archive a game, from 0."""
    end: int
    """The byte after the last one, or the frame that holds it, or the game after the last one."""
    start_skip: int = 0
    """The bytes of text in the first frame that belong to the shard before."""
    end_skip: int = 0
    """The bytes of text in the frame at ``end`` that belong to this shard."""
    size: int = field(default=0, compare=False)
    """The bytes on disk; of an archive, about."""

    def __str__(self) -> str:
        start = f"{self.start}+{self.start_skip}" if self.start_skip else f"{self.start}"
        end = f"{self.end}+{self.end_skip}" if self.end_skip else f"{self.end}"
        return f"{self.path}#{start}-{end}"

    def __fspath__(self) -> str:
        return str(self)


def shards(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    size: int | str = "256M",
) -> list[Shard]:
    """Cuts files into parts of at most about ``size`` bytes on disk, without a pass over them.

    The shards of a file hold exactly its games, in order, each once. Each can be read wherever
    a path can: ``gametree.open(shard)``, ``gametree.columns(shard)``, ``query.matches(shard)``.
    Games are numbered from 1 in each shard.

    PGN text is cut anywhere, ``.zst`` between frames, ``.gz`` if it is of bgzip, archives by game
    numbers. A larger file that cannot be cut is one shard, with a warning;
    ``gametree convert FILE --keep -o COPY.pgn.zst`` and ``gametree.write`` make files that can.

    >>> import gametree
    >>> parts = gametree.shards("games.pgn", size="2k")
    >>> print(parts[0], len(parts))
    games.pgn#0-1959 3
    >>> sum(len(list(gametree.open(part))) for part in parts)
    15
    """
    rows, messages = _native.plan_shards(paths, str(size))
    for message in messages:
        warnings.warn(message, stacklevel=2)
    return [
        Shard(path, start, end, start_skip, end_skip, size)
        for path, (start, start_skip), (end, end_skip), size in rows
    ]
