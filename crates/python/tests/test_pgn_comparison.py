"""gametree.pgn and chess.pgn read the same games from the same text."""

import logging
import unittest

from pgn_comparison import differences
from places import ROOT, SHARED

# The tests take this many games of each large file.
SAMPLE = 25

EDGE_CASES = [
    "",
    "\ufeff\ufeff1. e4 *",
    "%escaped\n; comment\n\n1. e4\n%escaped\ne5 ; rest\n*",
    "1. e4 hello e5 ± 2. Nf3 … Nc6 *",
    "1.e4e5 2.Nf3Nc6 *",
    "1. e2-e4 e7e5 2. g1f3 Ng8-f6 3. f1c4 Bf8c5 4. e1g1 Ke8g8 *",
    "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 1/2-1/2",
    "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. e1h1 *",
    "1. e4 d5 2. ed5 c6 3. dc6 Nxc6 *",
    "1. e4 d5 2. xd5 *",
    "1. e3 b6 2. Bc4 a6 3. bc4 *",
    "1. e4 -- 2. Z0 0000 3. @@@@ d5 *",
    "1. N@f3 *",
    "12e4 e5 *",
    "1. e4 $0 $139 $4999 $70000 !! ?! !?! e5 *",
    "1. e4 $99999999999999999999 *",
    "1. e4 ( ) {c} e5 *",
    "1. e4 ( {start} {second} 1. d4 {end} $3 ) {after} e5 *",
    "1. e4 e5 ( ( 1. d4 ) ) *",
    "{a} {} { } {b}\n1. e4 {x }{ y} {  two  } *",
    "1. e4 {open\n\nmore ; { text",
    "1. e4 {\n}\n{ \n } e5 {x} ",
    "1. e4 ) e5 ( 1... c5 *",
    "1. e4 *\n1. d4 d5 1-0",
    "[White \"a\"]\n\n[Black \"b\"]\n\n\n1. e4 *",
    "[White \"a\"]\n[Black\"b\"]\n[ Odd \"c\"]\n[A \"x\\\"y\"]\n[B \"]\n[C \"d\"] \n\n1. e4 *",
    "[Result \"1-0\"]\n\n1. e4 0-1",
    "[Result \"*\"]\n\n1. e4 * 0-1 1-0",
    "[FEN \"8/8/8/8/8/8/4P3/4K2k w - - 0 1\"]\n\n1. e4 Kg2 *",
    "[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. O-O-O Ke7 *",
    "[FEN \"4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. a8 *",
    "[FEN \"4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. a7a8q *",
    "[FEN \"rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1\"]\n\n1. O-O O-O-O *",
    "[FEN \"not a FEN\"]\n\n1. e4 *",
    "[FEN \"8/8/8/8/8/8/4P3/8 w - - 0 1\"]\n\n1. e4 *",
    "[Variant \"Chess960\"]\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O e8g8 *",
    "[Variant \"Unknown\"]\n\n1. e4 *",
    "[Variant \"From Position\"]\n\n1. e4 *",
    "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *",
    "[Variant \"Suicide\"]\n\n1. e3 b5 2. Bxb5 *",
    "1. e4\u00a0e5\u2003 2. Nf3\n\u00a0\n1. d4",
]


class Comparison(unittest.TestCase):
    def check(self, name, text, limit=None):
        with self.subTest(name):
            found, _, _ = differences(text, limit)
            self.assertEqual(found, [])

    def test_edge_cases(self):
        for text in EDGE_CASES:
            self.check(text, text)

    def test_repository(self):
        for folder in ("testdata", "examples"):
            self.check_folder(ROOT / folder)

    def test_corpora(self):
        if not (SHARED / "corpora").is_dir():
            self.skipTest("the corpora are not here; GAMETREE_SHARED names their folder")
        self.check_folder(SHARED / "corpora", skipped="stress")

    def check_folder(self, folder, skipped=None):
        for file in sorted(folder.rglob("*.pgn")):
            if skipped not in file.parts:
                text = file.read_bytes().decode("utf-8", errors="replace")
                self.check(str(file), text, SAMPLE)


def setUpModule():
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL + 1)


def tearDownModule():
    logging.getLogger("chess.pgn").setLevel(logging.NOTSET)


if __name__ == "__main__":
    unittest.main()
