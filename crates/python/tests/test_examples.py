"""The programs in examples/python run on the sample files."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "examples" / "games.pgn"


class Programs(unittest.TestCase):
    def run_program(self, name: str, path: Path) -> str:
        program = ROOT / "examples" / "python" / f"{name}.py"
        run = subprocess.run(
            [sys.executable, program, path], capture_output=True, text=True
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_opening_statistics(self) -> None:
        self.assertIn("e4 e5", self.run_program("opening_statistics", GAMES))

    def test_blunders_by_clock(self) -> None:
        output = self.run_program("blunders_by_clock", ROOT / "testdata" / "clocks.pgn")
        self.assertIn("under 300 s", output)

    def test_longest_forced_lines(self) -> None:
        self.assertIn("forced moves of", self.run_program("longest_forced_lines", GAMES))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_to_pandas(self) -> None:
        self.assertIn("Morphy, Paul", self.run_program("to_pandas", GAMES))


if __name__ == "__main__":
    unittest.main()
