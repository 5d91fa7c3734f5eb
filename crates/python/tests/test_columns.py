"""Columns agree with the games, and the libraries that read them agree with each other."""

from __future__ import annotations

import importlib.util
import unittest
from pathlib import Path
from typing import Any

import gametree

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples" / "games.pgn"
REPERTOIRE = ROOT / "examples" / "repertoire.pgn"
CLOCKS = ROOT / "testdata" / "clocks.pgn"


def needs(module: str) -> Any:
    missing = importlib.util.find_spec(module) is None
    return unittest.skipIf(missing, f"{module} is not installed")


def everything(source: Any, **options: Any) -> gametree.Columns:
    return gametree.columns(source, san=True, fens=True, keys=True, **options)


class Columns(unittest.TestCase):
    @needs("numpy")
    def test_rows_are_the_nodes_of_the_games(self) -> None:
        for path in (GAMES, REPERTOIRE, CLOCKS):
            columns = everything(path, variations=True)
            rows = columns.positions.to_numpy()
            games = list(gametree.open(path))
            self.assertEqual(columns.games["White"].tolist(), [game.headers.get("White") for game in games])
            self.assertEqual(columns.games["result"].tolist(), [game.result for game in games])
            edges = iter(columns.edges())
            for index, game in enumerate(games):
                first = int(columns.games["first_row"][index])
                self.assertEqual(columns.games["rows"][index], game.node_count)
                for node in game.walk():
                    row = first + node.id
                    self.assertEqual(rows["game"][row], index)
                    self.assertEqual(rows["fen"][row], node.fen)
                    self.assertEqual(rows["san"][row] or "", node.san)
                    self.assertEqual(rows["uci"][row] or "", node.uci)
                    self.assertEqual((rows["ply"][row], rows["depth"][row]), (node.ply, node.depth))
                    self.assertEqual(int.from_bytes(rows["key"][row], "little"), node.key)
                    if node.parent:
                        self.assertEqual(rows["parent"][row], first + node.parent.id)
                        self.assertEqual(next(edges), (first + node.parent.id, row))
                    self.check_measurements(rows, row, node)

    def check_measurements(self, rows: dict[str, Any], row: int, node: gametree.Node) -> None:
        clock, score = rows["clock"][row], rows["eval"][row]
        if node.clock is None:
            self.assertNotEqual(clock, clock)
        else:
            self.assertAlmostEqual(float(clock), node.clock, 3)
        if node.eval and node.eval.mate is not None:
            self.assertEqual(rows["mate"][row], node.eval.mate)
        elif node.eval and node.eval.centipawns is not None:
            self.assertAlmostEqual(float(score), node.eval.centipawns / 100, 5)
        else:
            self.assertTrue(score != score and rows["mate"][row] == 0)

    @needs("numpy")
    def test_unusual_measurements(self) -> None:
        texts = [
            "[%clk 0:05:00]", "[%clk 1:59:59.9]", "[%clk 0:00:01.25]", "[%clk 5:00]", "[%CLK 0:00:07]",
            "%clk 0:05:00]", "[%clk x] [%clk 0:05:00]", "[%clkx 0:05:00]", "[%clk 12:00:00]", "[%clk",
            "[%eval 0.3]", "[%eval -0.25]", "[%eval +1.5]", "[%eval 12.75,20]", "[%eval #-3]", "[%eval 1]",
            "[%eval 0.1][%clk 0:01:02] text [%eval 5.0]", "[%eval x]", "[%eval -9.99] 100 %", "[%", "%",
        ]
        games = gametree.read("\n\n".join(f"1. e4 {{{text}}} *" for text in texts))
        rows = gametree.columns(games).positions.to_numpy()
        for index, game in enumerate(games):
            with self.subTest(texts[index]):
                self.check_measurements(rows, 2 * index + 1, game.end)

    @needs("numpy")
    def test_squares(self) -> None:
        columns = gametree.columns(gametree.read('[SetUp "1"]\n[FEN "8/P6k/8/8/8/8/8/4K2R w K - 0 1"]\n1. a8=N Kg7 2. O-O *'))
        rows = columns.positions
        self.assertEqual(rows["from_square"].tolist(), [255, 48, 55, 4])
        self.assertEqual(rows["to_square"].tolist(), [255, 56, 54, 6])
        self.assertEqual(rows["promotion"].tolist(), [0, 2, 0, 0])
        self.assertEqual(rows["uci"].tolist(), [None, "a7a8n", "h7g7", "e1g1"])

    @needs("numpy")
    def test_sources_and_threads(self) -> None:
        files = everything([GAMES, REPERTOIRE])
        memory = everything(list(gametree.open([GAMES, REPERTOIRE])))
        single = everything(gametree.open([GAMES, REPERTOIRE]), threads=1)
        for name in files.positions.names:
            column = files.positions.to_numpy()[name]
            for other in (memory, single):
                same = [str(value) for value in other.positions.to_numpy()[name].tolist()]
                self.assertEqual([str(value) for value in column.tolist()], same, name)
        self.assertEqual(files.edges(), memory.edges())

    @needs("numpy")
    def test_arrays_outlive_their_table(self) -> None:
        plies = gametree.columns(GAMES).positions["ply"]
        self.assertFalse(plies.flags.writeable)
        self.assertEqual(plies[:3].tolist(), [0, 1, 2])

    def test_exceptions(self) -> None:
        with self.assertRaises(FileNotFoundError):
            gametree.columns("no-such-file.pgn")
        with self.assertRaises(KeyError):
            gametree.columns(GAMES).games["nothing"]
        with self.assertRaises(ValueError):
            gametree.columns("1. e4\n*")
        for wrong in (3, [3], [GAMES, next(iter(gametree.open(GAMES)))]):
            with self.assertRaises(TypeError):
                gametree.columns(wrong)  # type: ignore[arg-type]

    def test_no_games(self) -> None:
        columns = everything([])
        self.assertEqual((len(columns.games), len(columns.positions), columns.edges()), (0, 0, []))


class Readers(unittest.TestCase):
    @needs("polars")
    def test_polars(self) -> None:
        import polars

        columns = everything(CLOCKS)
        frame = polars.DataFrame(columns.positions)
        self.assertEqual(frame.columns, columns.positions.names)
        self.assertEqual(frame["fen"].to_list(), columns.positions["fen"].tolist())
        self.assertEqual(frame["clock"].to_list()[:3], [None, 180.0, 180.0])
        self.assertEqual(frame["from_square"].to_list()[:2], [None, 12])
        self.assertEqual(polars.DataFrame(columns.positions).shape, frame.shape)

    @needs("duckdb")
    def test_duckdb(self) -> None:
        import duckdb

        games = gametree.columns(GAMES).games
        found = duckdb.sql("select count(*), sum(rows) from games").fetchall()
        self.assertEqual(found, [(15, 325)])
        self.assertIsNotNone(games)

    @needs("pandas")
    def test_pandas(self) -> None:
        import pandas

        table = everything(CLOCKS).positions
        frame = pandas.DataFrame(table.to_numpy())
        self.assertEqual(frame["uci"].tolist()[1:3], ["e2e4", "e7e5"])
        self.assertIn("e2e4", repr(frame[["uci", "key"]]))

    @needs("pyarrow")
    def test_pyarrow(self) -> None:
        import pyarrow

        table = everything(REPERTOIRE, variations=True).positions
        self.assertEqual(pyarrow.table(table).num_rows, len(table))
        self.assertEqual(pyarrow.schema(table).names, table.names)

    @needs("networkx")
    def test_networkx(self) -> None:
        import networkx

        game = next(iter(gametree.open(REPERTOIRE)))
        tree = networkx.DiGraph(game.edges())
        self.assertTrue(networkx.is_arborescence(tree))
        self.assertEqual(len(tree), game.node_count)


if __name__ == "__main__":
    unittest.main()
