"""A progress bar for games read from files."""

from __future__ import annotations

from collections.abc import Iterator

from ._native import Game, GameIterator


def watch(games: GameIterator) -> Iterator[Game]:
    """The same games, with a bar of tqdm if that is installed."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        yield from games
        return
    with tqdm(total=games.total_bytes, unit="B", unit_scale=True) as bar:
        for count, game in enumerate(games):
            if count % 256 == 0:
                bar.update(games.bytes_read - bar.n)
            yield game
        bar.update(games.bytes_read - bar.n)
