"""Game trees: PGN, CQL queries, transpositions and combinatorial games."""

from ._native import __version__

__all__ = ["__version__"]
