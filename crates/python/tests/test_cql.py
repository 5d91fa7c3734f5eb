"""CQL queries: matches, counts, errors, and no access to files or programs."""

from __future__ import annotations

import os
import pickle
import tempfile
import threading
import unittest
from pathlib import Path

import gametree
from gametree import cql

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples" / "games.pgn"
REPERTOIRE = ROOT / "examples" / "repertoire.pgn"


class Searches(unittest.TestCase):
    def test_matches_are_nodes_of_games(self) -> None:
        query = cql.compile("check", variations=True)
        for source in (REPERTOIRE, gametree.open(REPERTOIRE), list(gametree.open(REPERTOIRE))):
            found = [node for match in query.matches(source) for node in match.nodes]
            expected = [
                node.path for game in gametree.open(REPERTOIRE) for node in game.walk() if node.is_check
            ]
            self.assertEqual([node.path for node in found], expected)
            self.assertEqual(query.count(source).positions, len(expected))

    def test_numbers_and_ids(self) -> None:
        games = list(gametree.open([GAMES, GAMES]))
        for match in cql.compile("mate").matches([GAMES, GAMES]):
            game = games[match.number - 1]
            self.assertEqual(match.game, game)
            self.assertEqual(match.game.number, game.number)
            self.assertEqual([game.node(id).path for id in match.positions], [node.path for node in match.nodes])

    def test_limit(self) -> None:
        query = cql.compile("mate")
        for source in (GAMES, list(gametree.open(GAMES))):
            self.assertEqual(len(list(query.matches(source, limit=2))), 2)

    def test_comments_and_sorted_values(self) -> None:
        query = cql.compile('mate comment("here") sort "men" [Aa]')
        for source in (GAMES, list(gametree.open(GAMES))):
            matches = list(query.matches(source))
            for match in matches:
                self.assertIn((match.nodes[0], "here"), match.comments)
            values = [match.values[0] for match in matches]
            self.assertEqual(values, sorted(values, key=lambda value: -int(value or 0)))

    def test_dropped_iterators_do_not_block(self) -> None:
        query = cql.compile("check")
        for _ in range(20):
            next(query.matches([GAMES] * 50))

    def test_threads_share_a_query(self) -> None:
        query = cql.compile("mate")
        expected = query.count(GAMES)
        counts: list[cql.Count] = []
        workers = [
            threading.Thread(target=lambda: counts.append(query.count(GAMES))) for _ in range(8)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(timeout=60)
        self.assertEqual(counts, [expected] * 8)

    def test_pickle(self) -> None:
        query = pickle.loads(pickle.dumps(cql.compile("mate", variations=True)))
        self.assertEqual(query.source, "mate")
        self.assertEqual(query.count(GAMES), cql.compile("mate").count(GAMES))


class Errors(unittest.TestCase):
    def test_the_place_is_given(self) -> None:
        with self.assertRaises(cql.CqlError) as caught:
            cql.compile('comment("ü")\nand chek')
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.line, error.column, error.position), (2, 5, 17))
        self.assertIn("chek", str(error))

    def test_no_files_and_no_programs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                for source in ('writefile("x.txt" "y")', 'cql(output x.pgn) mate'):
                    try:
                        query = cql.compile(source)
                    except cql.CqlError:
                        continue
                    list(query.matches(GAMES))
                self.assertEqual(os.listdir("."), [])
            finally:
                os.chdir(before)

    def test_sources(self) -> None:
        query = cql.compile("mate")
        with self.assertRaises(FileNotFoundError):
            query.matches("no-such-file.pgn")
        with self.assertRaises(TypeError):
            query.count(3)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
