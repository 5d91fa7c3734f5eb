"""No input makes gametree.pgn fail, and both of its readers read it alike."""

import logging
import random
import unittest

from pgn_comparison import SlowBuilder, compare
from places import ROOT

import gametree.pgn as pgn

INPUTS = 10_000
# The reader in Python is slow: it reads one input of this many.
COMPARED = 10

PIECES = [
    *"(){};$[]%*\n\"\\ \t\r\0\u00a0\udc80é♞",
    "\n\n", "{ ", " }", "( ", ") ", "1-0", "e4", "Nf3", "O-O", "--", "$7", "!?", "e8=Q", "1...",
    '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n', '[Variant "Atomic"]\n', '[Variant "Chess960"]\n',
]


class Fuzz(unittest.TestCase):
    def test_mutated_games(self):
        folder = ROOT / "testdata"
        texts = [file.read_text("utf-8", "replace") for file in sorted(folder.glob("*.pgn"))]
        texts += (folder / "pgn" / "edge-cases.txt").read_text("utf-8").split("\n\n\n")
        choice = random.Random(1)
        for number in range(INPUTS):
            text = mutated(choice.choice(texts), choice)
            with self.subTest(number=number):
                game = pgn.read_game(text)
                if game is None:
                    continue
                list(game.mainline())
                if number % COMPARED == 0:
                    self.assertIsNone(compare(game, pgn.read_game(text, Visitor=SlowBuilder)))
                    if not game.errors:
                        str(game)

    def test_random_bytes(self):
        choice = random.Random(2)
        for _ in range(INPUTS // 10):
            pgn.read_game(choice.randbytes(choice.randrange(200)))


def mutated(text, choice):
    for _ in range(choice.randint(1, 6)):
        start = choice.randrange(len(text) + 1)
        end = min(len(text), start + choice.randrange(8))
        piece = choice.choice([choice.choice(PIECES), text[end : end + 20], ""])
        text = text[:start] + piece + text[end:]
    return text


def setUpModule():
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL + 1)


def tearDownModule():
    logging.getLogger("chess.pgn").setLevel(logging.NOTSET)


if __name__ == "__main__":
    unittest.main()
