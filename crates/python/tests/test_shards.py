"""Parts of files hold the games of the files."""

from __future__ import annotations

import os
import pickle
import tempfile
import unittest
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import gametree
from gametree import cql

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples" / "games.pgn"


def pgn_of(shard: gametree.Shard) -> list[str]:
    return [str(game) for game in gametree.open(shard)]


class Shards(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_union_is_the_file(self) -> None:
        whole = [str(game) for game in gametree.open(GAMES)]
        for size in ("1k", "2k", 5000, "1M"):
            parts = gametree.shards(GAMES, size=size)
            self.assertEqual(sum((pgn_of(part) for part in parts), []), whole)
            self.assertEqual(list(map(str, gametree.open(parts))), whole)
            self.assertEqual(sum(part.size for part in parts), GAMES.stat().st_size)
            self.assertEqual([part.start for part in parts[1:]], [part.end for part in parts[:-1]])
        self.assertEqual(len(gametree.shards(GAMES)), 1)
        self.assertGreater(len(gametree.shards(GAMES, size="1k")), 3)

    def test_a_shard_is_a_source_everywhere(self) -> None:
        first, *rest = gametree.shards(GAMES, size="2k")
        games = list(gametree.open(first))
        self.assertEqual(list(gametree.open(str(first))), games)
        columns = gametree.columns(first)
        self.assertEqual(len(columns.games), len(games))
        query = cql.compile("mate")
        found = sum(query.count(part).games for part in [first, *rest])
        self.assertEqual(found, query.count(GAMES).games)
        self.assertEqual(os.fspath(first), str(first))

    def test_frames(self) -> None:
        frames = b""
        for first in range(1, 16, 3):
            one = self.folder / "one.pgn.zst"
            gametree.write(gametree.open(GAMES, numbers=f"{first}-{first + 2}"), one)
            frames += one.read_bytes()
        path = self.folder / "all.pgn.zst"
        path.write_bytes(frames)
        parts = gametree.shards(path, size=600)
        self.assertGreater(len(parts), 2)
        whole = list(map(str, gametree.open(path)))
        self.assertEqual(sum((pgn_of(part) for part in parts), []), whole)

    def test_a_file_in_one_piece_warns(self) -> None:
        path = self.folder / "games.pgn.gz"
        gametree.write(gametree.open(GAMES), path)
        with self.assertWarnsRegex(UserWarning, "one piece.*gametree convert"):
            [part] = gametree.shards(path, size="1k")
        self.assertEqual(list(gametree.open(part)), list(gametree.open(GAMES)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            gametree.shards(path)

    def test_other_processes(self) -> None:
        parts = gametree.shards(GAMES, size="1k")
        self.assertEqual(pickle.loads(pickle.dumps(parts)), parts)
        self.assertLess(len(pickle.dumps(parts[0])), 500)
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            texts = sum(pool.map(pgn_of, parts), [])
        self.assertEqual(texts, [str(game) for game in gametree.open(GAMES)])

    def test_errors(self) -> None:
        with self.assertRaises(FileNotFoundError):
            gametree.shards("none.pgn")
        with self.assertRaisesRegex(ValueError, "expected a size"):
            gametree.shards(GAMES, size="many")
        with self.assertRaises(FileNotFoundError):
            gametree.open("none.pgn#0-10")


if __name__ == "__main__":
    unittest.main()
