"""Pictures: formats, options, errors, files and notebooks."""

from __future__ import annotations

import os
import pickle
import random
import runpy
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from gametree import draw
from gametree.draw import Picture
from gametree.sums import Sum, Value

ROOT = Path(__file__).resolve().parents[3]
REPERTOIRE = ROOT / "examples" / "repertoire.pgn"
LONG = "GAMETREE_LONG" in os.environ

FEN = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
PGN = '[White "Anna"]\n[Black "Ben"]\n\n1. d4 Nf6 (1... d5 2. c4 Nf6 {&<>"}) 2. c4 $1 d5 1-0\n\n1. e4 *'


def words(picture: Picture) -> str:
    """The text of a picture; parsing it proves that it is XML."""
    return " ".join(ElementTree.fromstring(picture.svg).itertext())


def all_pictures() -> dict[str, Picture]:
    return {
        "board": draw.board(FEN),
        "tree": draw.tree(PGN),
        "table": draw.table(PGN),
        "thermograph": draw.thermograph("{4||2|-1}"),
        "strategy": draw.strategy(Sum("clobber_1xn XOXOXOXO").winning_strategy("left")),
    }


class Formats(unittest.TestCase):
    def test_every_format(self) -> None:
        for name, picture in all_pictures().items():
            with self.subTest(name):
                self.assertTrue(words(picture))
                self.assertEqual(picture._repr_svg_(), picture.svg)
                self.assertTrue(picture.png().startswith(b"\x89PNG"))
                self.assertTrue(picture.pdf().startswith(b"%PDF"))
                self.assertTrue(picture.pdf(paper="a4", landscape=True).startswith(b"%PDF"))
                self.assertIn("<html", picture.html)
                self.assertLess(len(picture.png(scale=0.5)), len(picture.png(scale=2)))

    def test_save(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, picture in all_pictures().items():
                for extension in ("svg", "PNG", "pdf", "html"):
                    path = Path(folder, f"{name}.{extension}")
                    picture.save(path)
                    picture.save(str(path))
                    self.assertGreater(path.stat().st_size, 100)
            all_pictures()["tree"].save(Path(folder, "tree.dot"))
            self.assertEqual(len(os.listdir(folder)), 21)
            with self.assertRaisesRegex(ValueError, "use svg, png, pdf or html"):
                draw.board(FEN).save(Path(folder, "board.gif"))
            with self.assertRaises(ValueError):
                draw.board(FEN).save(Path(folder, "board.dot"))
            with self.assertRaises(FileNotFoundError):
                draw.board(FEN).save(Path(folder, "none", "board.svg"))

    def test_save_replaces_the_file_as_a_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "board.svg")
            path.write_text("old")
            path.chmod(0o640)
            with mock.patch("os.replace", side_effect=OSError("full")), self.assertRaises(OSError):
                draw.board(FEN).save(path)
            self.assertEqual((path.read_text(), os.listdir(folder)), ("old", ["board.svg"]))
            draw.board(FEN).save(path)
            self.assertTrue(path.read_text().startswith("<svg"))
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)

    def test_errors_of_papers(self) -> None:
        picture = draw.board(FEN)
        for scale in (0, -1, float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "scale"):
                picture.png(scale)
        with self.assertRaisesRegex(ValueError, "smaller scale"):
            picture.png(1e6)
        with self.assertRaisesRegex(ValueError, "use a3, a4"):
            picture.pdf(paper="a17")

    def test_pickle(self) -> None:
        for name, picture in all_pictures().items():
            with self.subTest(name):
                self.assertEqual(pickle.loads(pickle.dumps(picture)).svg, picture.svg)

    @unittest.skipUnless(Path("/proc/self/statm").exists(), "no /proc")
    def test_memory_is_freed(self) -> None:
        def round_() -> int:
            for picture in all_pictures().values():
                picture.png()
            return int(Path("/proc/self/statm").read_text().split()[1])

        for _ in range(20):
            before = round_()
        for _ in range(100):
            after = round_()
        self.assertLess((after - before) * os.sysconf("SC_PAGE_SIZE"), 16 << 20)

    def test_threads(self) -> None:
        expected = {name: picture.svg for name, picture in all_pictures().items()}
        with ThreadPoolExecutor(6) as pool:
            for found in pool.map(lambda _: all_pictures(), range(12)):
                self.assertEqual({name: picture.svg for name, picture in found.items()}, expected)


class Boards(unittest.TestCase):
    def test_options_change_the_picture(self) -> None:
        pictures = [
            draw.board(FEN),
            draw.board(FEN, flipped=True),
            draw.board(FEN, coordinates=False),
            draw.board(FEN, arrows=["e2e4"]),
            draw.board(FEN, arrows=[("e2", "e4", "red")]),
            draw.board(FEN, squares=["e4"]),
            draw.board(FEN, last_move="f1b5"),
            draw.board(FEN, dark=True),
            draw.board(FEN, title="<Spanish> & more"),
        ]
        self.assertEqual(len({picture.svg for picture in pictures}), len(pictures))
        self.assertIn("<Spanish> & more", words(pictures[-1]))
        self.assertEqual(
            draw.board(FEN, arrows=["e2e4:R"]).svg, draw.board(FEN, arrows=[("e2", "e4", "R")]).svg
        )

    def test_board_objects(self) -> None:
        class Board:
            def fen(self) -> str:
                return FEN

        class Node:
            fen = FEN

        class ChessNode:
            def board(self) -> Board:
                return Board()

        for item in (Board(), Node(), ChessNode()):
            self.assertEqual(draw.board(item).svg, draw.board(FEN).svg)

    def test_places_in_games(self) -> None:
        with_move = draw.board(PGN, at="2.c4")
        self.assertNotEqual(with_move.svg, draw.board(PGN, at="2.c4", plain=True).svg)
        self.assertNotEqual(with_move.svg, draw.board(PGN, at="1.e4", game=2).svg)
        self.assertIn("svg", draw.board(REPERTOIRE, at="6.O-O").svg)

    def test_errors(self) -> None:
        for arguments in (
            {"position": "not a FEN"},
            {"position": ""},
            {"position": FEN, "arrows": ["e2"]},
            {"position": FEN, "arrows": ["e2e9"]},
            {"position": FEN, "arrows": ["e2e4:Q"]},
            {"position": FEN, "squares": ["z1"]},
            {"position": FEN, "last_move": "e2"},
            {"position": PGN, "at": "7.Qh8"},
        ):
            with self.subTest(arguments), self.assertRaises(ValueError):
                draw.board(**arguments)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            draw.board(5)
        with self.assertRaises(IndexError):
            draw.board(PGN, at="1.e4", game=3)
        with self.assertRaises(FileNotFoundError):
            draw.board(Path("none.pgn"), at="1.e4")


class Trees(unittest.TestCase):
    def test_tree(self) -> None:
        self.assertIn("Anna – Ben", words(draw.tree(PGN)))
        self.assertIn("1.d4", words(draw.tree(PGN)))
        self.assertNotIn("1.d4", words(draw.tree(PGN, game=2)))
        self.assertIn("Title", words(draw.tree(PGN, title="Title")))
        few, all_ = (draw.tree(REPERTOIRE, budget=budget) for budget in (30, None))
        self.assertLess(len(few.svg), len(all_.svg))
        shapes = [
            draw.tree(PGN),
            draw.tree(PGN, arcs=False),
            draw.tree(PGN, depth=1),
            draw.tree(PGN, at="1...d5"),
            draw.tree(PGN, boards=["2.c4"]),
            draw.tree(PGN, boards=["2.c4"], flipped=True),
            draw.tree(PGN, where="wtm"),
            draw.tree(PGN, dark=True),
        ]
        self.assertEqual(len({picture.svg for picture in shapes}), len(shapes))
        self.assertIn("<script", draw.tree(PGN).html)

    def test_table(self) -> None:
        text = words(draw.table(PGN))
        for word in ("Anna – Ben", "White", "Black", "d4", "c4!", "1-0", "…d5"):
            self.assertIn(word, text)
        self.assertIn("=", words(draw.table(PGN, at="1...d5")))
        self.assertIn("and 1 more", words(draw.table(PGN, alternatives=0)))
        self.assertNotEqual(draw.table(PGN, where="btm").svg, draw.table(PGN).svg)

    def test_errors(self) -> None:
        for make in (draw.tree, draw.table):
            with self.assertRaises(IndexError):
                make(PGN, game=0)
            with self.assertRaises(ValueError):
                make(PGN, at="9.Qxh7")
            with self.assertRaises(ValueError):
                make(PGN, where="nosuchfilter(")
            with self.assertRaises(FileNotFoundError):
                make(Path("none.pgn"))

    def test_mutated_games(self) -> None:
        """Every text is drawn or refused with a ValueError or an IndexError."""
        random_ = random.Random(3)
        drawn = 0
        for _ in range(5_000 if LONG else 1_500):
            text = list(PGN)
            for _ in range(random_.randint(1, 6)):
                at = random_.randrange(len(text))
                text[at : at + random_.randint(0, 3)] = random_.choices(
                    "abcdefgh12345678NBRQK()[]{}<>&\"'\0\n$!?.-=é", k=random_.randint(0, 3)
                )
            for make in (draw.tree, draw.table):
                try:
                    ElementTree.fromstring(make("".join(text)).svg)
                    drawn += 1
                except (ValueError, IndexError):
                    pass
        self.assertGreater(drawn, 500)

    def test_mutated_fens(self) -> None:
        random_ = random.Random(4)
        for _ in range(2_000):
            fen = list(FEN)
            for _ in range(random_.randint(1, 3)):
                fen[random_.randrange(len(fen))] = random_.choice("pnbrqkPNBRQK/12345678 wb-é~")
            try:
                draw.board("".join(fen), title="".join(fen))
            except ValueError:
                pass


class Notebooks(unittest.TestCase):
    def test_reprs(self) -> None:
        strategy = Sum("clobber_1xn XOXO + *").winning_strategy("left")
        self.assertTrue(strategy._repr_svg_().startswith("<svg"))
        self.assertTrue(Value("{2|-1}").thermograph._repr_svg_().startswith("<svg"))
        html = Value("{2|-1}")._repr_html_()
        self.assertIn("<svg", html)
        self.assertIn("3/2", html)
        self.assertNotIn("<svg", Value(1)._repr_html_())
        self.assertIn("1 X O .", Sum("clobber XO.|OXO")._repr_html_())
        self.assertIn("Left wins", Sum("clobber XXO").solve()._repr_html_())
        self.assertIn("node limit", Sum("domineering 12x12").solve(nodes=9)._repr_html_())

    def test_gallery(self) -> None:
        script = ROOT / "examples" / "python" / "gallery.py"
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "gallery.html")
            with mock.patch.object(sys, "argv", ["gallery.py", str(page)]), mock.patch("builtins.print"):
                runpy.run_path(str(script), run_name="__main__")
            self.assertGreater(page.read_text(encoding="utf-8").count("<svg"), 7)


if __name__ == "__main__":
    unittest.main()
