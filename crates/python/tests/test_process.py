"""Other processes: Ctrl-C ends long work at once, and objects can be sent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import gametree
from gametree.sums import Outcome, Sum, Value

#: Time for the interpreter to end after the signal, on a busy machine.
PATIENCE = 0.5
TRIES = 3

READY = "print('ready', flush=True)"


@unittest.skipUnless(os.name == "posix", "signals of POSIX")
class Interrupts(unittest.TestCase):
    def interrupt(self, setup: str, work: str, cwd: str | None = None) -> float:
        """Runs work that takes long, interrupts it, and returns the seconds until it ended."""
        code = f"{setup}\n{READY}\n{work}"
        child = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
        )
        try:
            assert child.stdout is not None
            self.assertEqual(child.stdout.readline(), "ready\n", work)
            time.sleep(0.5)
            self.assertIsNone(child.poll(), f"ended by itself: {work}")
            started = time.monotonic()
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=60)
        finally:
            child.kill()
            child.wait()
        self.assertIn("KeyboardInterrupt", errors, work)
        return time.monotonic() - started

    def check(self, setup: str, work: str, cwd: str | None = None) -> None:
        with self.subTest(work):
            tries = (self.interrupt(setup, work, cwd) for _ in range(TRIES))
            self.assertTrue(any(seconds < PATIENCE for seconds in tries), "too slow")

    def test_solving(self) -> None:
        setup = "from gametree.sums import Sum, Value; hard = Sum('domineering 12x12')"
        for work in [
            "hard.outcome()",
            "hard.value()",
            "hard.moves('left')",
            "hard.winning_strategy('left')",
            "hard.bounds()",
            "hard == 0",
            "Value('^[100]') * 1_000_000_007",
        ]:
            self.check(setup, work)

    def test_reading_and_queries(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n"
            Path(folder, "many.pgn").write_text(game * 500_000)
            setup = "import gametree\nfrom gametree import cql"
            for work in [
                "while True: cql.compile('mate').count('many.pgn')",
                "while True: list(cql.compile('wtm').matches('many.pgn'))",
                "while True:\n  for game in gametree.open('many.pgn'): pass",
                "while True: list(gametree.open('many.pgn'))",
            ]:
                self.check(setup, work, folder)


def outcome(sum: Sum) -> tuple[Outcome, Value, str]:
    return sum.outcome(), sum.value(), sum.text


def ends(game: gametree.Game) -> tuple[str, str]:
    return game.end.fen, str(game)


class Processes(unittest.TestCase):
    def pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))

    def test_sums(self) -> None:
        sums = [Sum("clobber XXO") + n for n in range(4)] + [Sum("domineering ...|...")]
        with self.pool() as pool:
            for sum, found in zip(sums, pool.map(outcome, sums)):
                self.assertEqual(found, outcome(sum))
                self.assertEqual(hash(found[1]), hash(sum.value()))

    def test_games(self) -> None:
        text = "1. e4 e5 (1... c5 {Sicilian} 2. Nf3) 2. Nf3 *\n\n1. d4 *"
        games = gametree.read(text)
        with self.pool() as pool:
            self.assertEqual(list(pool.map(ends, games)), [ends(game) for game in games])


if __name__ == "__main__":
    unittest.main()
