"""Games of files: reading, walking, writing, sending to other processes."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import gametree

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples" / "games.pgn"
REPERTOIRE = ROOT / "examples" / "repertoire.pgn"
DATA = ROOT / "testdata"


def repertoire() -> gametree.Game:
    return next(iter(gametree.open(REPERTOIRE)))


def count_nodes(game: gametree.Game) -> int:
    return sum(1 for _ in game.walk())


class Reading(unittest.TestCase):
    def test_all_forms_of_a_source(self) -> None:
        games = list(gametree.open(GAMES))
        self.assertEqual(len(games), 15)
        self.assertEqual(list(gametree.open(str(GAMES))), games)
        self.assertEqual(list(gametree.open([GAMES, GAMES])), games + games)
        self.assertEqual(gametree.read(GAMES.read_text()), games)
        self.assertEqual(gametree.read(GAMES.read_bytes()), games)
        with GAMES.open() as file:
            self.assertEqual(gametree.read(file), games)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.pgn").write_bytes(GAMES.read_bytes())
            self.assertEqual(list(gametree.open(folder)), games)

    def test_compressed_files(self) -> None:
        plain = list(gametree.open(DATA / "several.pgn"))
        for extension in ("gz", "bz2", "zst"):
            packed = gametree.open(DATA / f"several.pgn.{extension}")
            self.assertEqual(list(packed), plain)

    def test_each_loop_reads_again(self) -> None:
        games = gametree.open(GAMES)
        self.assertEqual(list(games), list(games))
        self.assertEqual(games.files, [str(GAMES)])

    def test_selection(self) -> None:
        numbers = [game.number for game in gametree.open(GAMES, numbers="2-3,5")]
        self.assertEqual(numbers, [2, 3, 5])
        morphy = gametree.open(GAMES, tags={"White": "Morphy"})
        self.assertTrue(all("Morphy" in game.headers["White"] for game in morphy))
        self.assertEqual(
            list(morphy), list(gametree.open(GAMES, tags=["White=Morphy"]))
        )

    def test_exceptions(self) -> None:
        with self.assertRaises(FileNotFoundError) as caught:
            gametree.open("no-such-file.pgn")
        self.assertEqual(caught.exception.filename, "no-such-file.pgn")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(FileNotFoundError):
                gametree.open(folder)
            with self.assertRaises(FileNotFoundError):
                gametree.write([], Path(folder) / "none" / "x.pgn")
        for wrong in (3, None, b"1. e4", [3]):
            with self.assertRaises(TypeError):
                gametree.open(wrong)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            gametree.read(3)  # type: ignore[arg-type]
        for wrong_choice in ({"numbers": "x"}, {"tags": "~"}, {"threads": 0}):
            with self.assertRaises(ValueError):
                gametree.open(GAMES, **wrong_choice)  # type: ignore[arg-type]

    def test_a_damaged_file_gives_its_games_and_then_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cut.pgn.gz"
            path.write_bytes((DATA / "several.pgn.gz").read_bytes()[:-30])
            with self.assertRaises(OSError):
                list(gametree.open(path))

    def test_dropped_iterators_end_their_threads(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.pgn"
            path.write_bytes(GAMES.read_bytes() * 1000)
            before = native_threads()
            for _ in range(20):
                games = iter(gametree.open(path))
                next(games)
                del games
            gc.collect()
            for _ in range(200):
                if native_threads() <= before:
                    break
                threading.Event().wait(0.05)
            self.assertLessEqual(native_threads(), before)

    @unittest.skipIf(os.name == "nt", "sends SIGINT")
    def test_an_interrupt_ends_the_loop(self) -> None:
        code = (
            "import gametree, os, signal, sys\n"
            "for number, game in enumerate(gametree.open(sys.argv[1])):\n"
            "    if number == 3: os.kill(os.getpid(), signal.SIGINT)\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.pgn"
            path.write_bytes(GAMES.read_bytes() * 3000)
            run = subprocess.run(
                [sys.executable, "-c", code, path], capture_output=True, timeout=60
            )
        self.assertIn(b"KeyboardInterrupt", run.stderr)

    def test_threads_share_an_iterator(self) -> None:
        games = iter(gametree.open([GAMES] * 20))
        counts = [0] * 4

        def take(index: int) -> None:
            for game in games:
                counts[index] += count_nodes(game)

        workers = [threading.Thread(target=take, args=(index,)) for index in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(timeout=60)
            self.assertFalse(worker.is_alive())
        expected = sum(game.node_count for game in gametree.open(GAMES))
        self.assertEqual(sum(counts), 20 * expected)


class Trees(unittest.TestCase):
    def test_a_walk_agrees_with_single_nodes(self) -> None:
        game = repertoire()
        nodes = list(game.walk())
        self.assertEqual(len(nodes), game.node_count)
        for index, node in enumerate(game.walk()):
            alone = game.node(index)
            self.assertEqual(node, alone)
            self.assertEqual(hash(node), hash(alone))
            self.assertEqual(node, nodes[index])
            for name in ("id", "fen", "board_fen", "epd", "key", "san", "uci", "ply", "depth"):
                self.assertEqual(getattr(node, name), getattr(alone, name), name)
                self.assertEqual(getattr(node, name), getattr(nodes[index], name), name)
            for name in ("turn", "is_mainline", "is_check", "is_capture", "path"):
                self.assertEqual(getattr(node, name), getattr(alone, name), name)

    def test_relations(self) -> None:
        game = repertoire()
        for node in game.walk():
            self.assertEqual([child.parent for child in node.children], [node] * len(node.children))
            self.assertEqual(node.line[-1], node)
            self.assertEqual(len(node.line), node.ply + 1)
            self.assertEqual(node.is_end, node.next is None)
            self.assertEqual(node.game, game)
        below = game.root.children[0].children[1]
        self.assertEqual([node.id for node in below.walk()][0], below.id)
        self.assertEqual(
            {node.san for node in below.walk()},
            {node.san for node in (game.node(node.id) for node in below.walk())},
        )
        self.assertEqual(len(game.edges()), game.node_count - 1)
        with self.assertRaises(IndexError):
            game.node(game.node_count)

    def test_annotations(self) -> None:
        [game] = gametree.read(
            "1. e4 $1 {a [%clk 0:01:00.5]} {b [%eval -0.5,12][%csl Rd5][%cal Ge2e4]} ({c} 1. d4 {[%eval #3] [%emt 0:00:02]}) *"
        )
        e4, d4 = game.root.children
        self.assertEqual(e4.nags, [1])
        self.assertEqual(e4.glyphs, "!")
        self.assertEqual(len(e4.comments), 2)
        self.assertEqual(e4.clock, 60.5)
        self.assertEqual(e4.shapes, ["Rd5", "Ge2e4"])
        self.assertEqual(d4.starting_comment, "c")
        self.assertEqual(d4.elapsed, 2.0)
        assert e4.eval and d4.eval
        self.assertEqual((e4.eval.centipawns, e4.eval.mate, e4.eval.depth), (-50, None, 12))
        self.assertEqual((d4.eval.centipawns, d4.eval.mate), (None, 3))

    def test_headers_are_a_mapping(self) -> None:
        headers = next(iter(gametree.open(GAMES))).headers
        plain = dict(headers)
        self.assertEqual(headers, plain)
        self.assertEqual(list(headers), list(plain))
        self.assertEqual(headers.items(), list(plain.items()))
        self.assertEqual(headers.get("White"), "Morphy, Paul")
        self.assertIsNone(headers.get("None"))
        self.assertEqual(headers.get("None", 3), 3)
        self.assertIn("White", headers)
        self.assertNotIn(3, headers)
        with self.assertRaises(KeyError):
            headers["None"]

    def test_notebooks(self) -> None:
        game = repertoire()
        table = game.table()
        row = table.rows[0]
        assert row.white and row.black
        self.assertEqual([cell.text for cell in (row.white, row.black)], ["d4", "Nf6"])
        self.assertEqual([str(cell) for cell in row.alternatives], ["d5", "e6", "f5"])
        self.assertEqual(row.alternatives[0].node, game.root.children[0].children[1])
        self.assertIn("<td>Nf6</td>", game._repr_html_())
        [hostile] = gametree.read('[White "<script>"] *')
        self.assertNotIn("<script>", hostile._repr_html_())
        self.assertTrue(game.end._repr_svg_().startswith("<svg"))

    def test_errors_have_places(self) -> None:
        errors = [error for game in gametree.open(DATA / "odd.pgn") for error in game.errors]
        self.assertEqual((errors[0].kind, errors[0].line, errors[0].column), ("illegal-move", 5, 13))
        self.assertTrue(all(error.severity == "error" for error in errors))


class Copies(unittest.TestCase):
    def test_written_games_are_equal(self) -> None:
        games = list(gametree.open(GAMES)) + list(gametree.open(REPERTOIRE))
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.pgn", "a.pgn.gz", "a.pgn.bz2", "a.pgn.zst"):
                path = Path(folder) / name
                self.assertEqual(gametree.write(games, path), len(games))
                self.assertEqual(list(gametree.open(path)), games)
            games[0].write(path)
            self.assertEqual(list(gametree.open(path)), games[:1])

    def test_a_failed_write_changes_nothing(self) -> None:
        def failing():  # type: ignore[no-untyped-def]
            yield from gametree.open(GAMES)
            raise RuntimeError("stop")

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.pgn"
            path.write_text("before")
            with self.assertRaises(RuntimeError):
                gametree.write(failing(), path)
            with self.assertRaises(TypeError):
                gametree.write([3], path)  # type: ignore[list-item]
            self.assertEqual(path.read_text(), "before")
            self.assertEqual(os.listdir(folder), ["a.pgn"])

    def test_pickle_and_copy(self) -> None:
        for game in gametree.open([GAMES, REPERTOIRE]):
            again = pickle.loads(pickle.dumps(game))
            self.assertEqual(again, game)
            self.assertEqual(hash(again), hash(game))
            self.assertEqual((again.number, again.file), (game.number, game.file))
            self.assertIs(copy.deepcopy(game), game)
            node = pickle.loads(pickle.dumps(game.end))
            self.assertEqual(node.path, game.end.path)

    def test_other_processes(self) -> None:
        games = list(gametree.open(GAMES))
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            counts = pool.map(count_nodes, games)
        self.assertEqual(counts, [game.node_count for game in games])


class Robustness(unittest.TestCase):
    def test_mutated_input(self) -> None:
        """10,000 damaged texts: no exception, and writing then reading gives the same game."""
        seeds = [path.read_bytes() for path in (DATA / "nested.pgn", DATA / "odd.pgn", DATA / "clocks.pgn")]
        dice = random.Random(1)
        for _ in range(10_000):
            text = bytearray(dice.choice(seeds))
            for _ in range(dice.randint(1, 8)):
                at = dice.randrange(len(text))
                match dice.randrange(3):
                    case 0:
                        text[at] = dice.randrange(256)
                    case 1:
                        del text[at : at + dice.randint(1, 20)]
                    case _:
                        text[at:at] = dice.choice((b"(", b")", b"{", b"}", b"[", b'"', b"$", b"Nf3 ", b"\0"))
            for game in gametree.read(bytes(text)):
                for node in game.walk():
                    node.fen, node.san, node.comment
                self.assertEqual(pickle.loads(pickle.dumps(game)), game)

    @unittest.skipUnless(sys.platform == "linux", "reads /proc")
    def test_memory_stays_flat(self) -> None:
        sizes = []
        for _ in range(100):
            for game in gametree.open(REPERTOIRE):
                [(node.fen, node.key, node.children) for node in game.walk()]
                pickle.loads(pickle.dumps(game))
            sizes.append(resident())
        self.assertLess(sizes[-1] - sizes[20], 4 << 20)


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def native_threads() -> int:
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else 0


if __name__ == "__main__":
    unittest.main()
