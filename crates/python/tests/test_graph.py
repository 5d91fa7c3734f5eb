"""Graphs of positions, and merging, comparing and linking games."""

from __future__ import annotations

import unittest
from collections import Counter
from pathlib import Path

import gametree

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples" / "games.pgn"
REPERTOIRE = ROOT / "examples" / "repertoire.pgn"


class Graphs(unittest.TestCase):
    def test_positions_are_those_of_the_games(self) -> None:
        games = list(gametree.open(REPERTOIRE))
        times = Counter(node.key for game in games for node in game.walk())
        for source in (REPERTOIRE, games):
            graph = gametree.Graph(source)
            self.assertEqual({at.key: at.times for at in graph.positions}, dict(times))
            self.assertEqual(len(graph), len(times))

    def test_edges_join_positions(self) -> None:
        graph = gametree.Graph(REPERTOIRE)
        positions = graph.positions
        for position in positions:
            for edge in position.continuations:
                self.assertEqual(edge.source, position)
                self.assertIn(edge.target, positions)
                self.assertIn(position, [origin.source for origin in edge.target.origins])
                self.assertEqual(edge.times, len(edge.nodes))
                self.assertEqual({node.san for node in edge.nodes}, {edge.san})
                self.assertEqual({node.uci for node in edge.nodes}, {edge.uci})
        edges = graph.edges()
        self.assertEqual(len(edges), graph.edge_count)
        self.assertEqual(sum(data["times"] for _, _, data in edges), sum(game.node_count - 1 for game in gametree.open(REPERTOIRE)))

    def test_transpositions(self) -> None:
        graph = gametree.Graph(gametree.read("1. d4 d5 (1... e6 2. c4 d5) 2. c4 e6 *"))
        [position] = graph.transpositions
        self.assertTrue(position.is_transposition)
        self.assertFalse(position.is_repetition)
        self.assertEqual(position, graph.find("1.d4 e6 2.c4 d5"))
        self.assertEqual(position, graph.find(position.fen))
        orders = [order["path"] for order in position.paths()["orders"]]
        self.assertEqual(orders, ["1.d4 d5 2.c4 e6", "1.d4 e6 2.c4 d5"])
        self.assertEqual(graph.counts()["between_lines"], 1)
        self.assertEqual([node.path for node in position.nodes], orders)
        self.assertEqual(graph.starts[0].fen, gametree.read("*")[0].root.fen)

    def test_places(self) -> None:
        graph = gametree.Graph(REPERTOIRE)
        with self.assertRaises(KeyError):
            graph.find("1.a3")
        with self.assertRaises(ValueError):
            graph.find("")
        with self.assertRaises(FileNotFoundError):
            gametree.Graph("no-such-file.pgn")

    def test_audit(self) -> None:
        graph = gametree.Graph(REPERTOIRE)
        kinds = Counter(finding["kind"] for finding in graph.audit("white"))
        self.assertGreater(sum(kinds.values()), 0)
        files = graph.audit("white", reference=GAMES)
        memory = graph.audit("white", reference=list(gametree.open(GAMES)))
        self.assertEqual(files, memory)
        with self.assertRaises(ValueError):
            graph.audit("green")


class Collections(unittest.TestCase):
    def test_merge(self) -> None:
        files = gametree.merge([GAMES, REPERTOIRE])
        memory = gametree.merge(list(gametree.open([GAMES, REPERTOIRE])))
        positions = {node.key for game in gametree.open([GAMES, REPERTOIRE]) for node in game.walk()}
        for merged in (files, memory):
            self.assertEqual({node.key for game in merged.games for node in game.walk()}, positions)
        again = gametree.merge(files.games)
        self.assertEqual([game.node_count for game in again.games], [game.node_count for game in files.games])
        self.assertEqual(len(files.report["files"]), 2)

    def test_diff(self) -> None:
        self.assertEqual(gametree.diff(REPERTOIRE, REPERTOIRE), [])
        [change] = gametree.diff(
            gametree.read("1. e4 e5 *"), gametree.read("1. e4 e5 2. f4 exf4 *")
        )
        self.assertEqual((change["kind"], change["moves"]), ("added", 2))

    def test_links(self) -> None:
        games = list(gametree.open(REPERTOIRE))
        linked = gametree.link(games)
        self.assertEqual(gametree.link(REPERTOIRE), linked)
        self.assertEqual(gametree.unlink(linked), games)


if __name__ == "__main__":
    unittest.main()
