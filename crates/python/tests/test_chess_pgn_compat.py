"""python-chess's own tests pass with gametree.pgn in place of chess.pgn."""

import pathlib
import re
import subprocess
import sys
import tarfile
import unittest

from places import ROOT

VERSION = "1.11.2"
TESTS = 52


class PythonChessTests(unittest.TestCase):
    def test_release(self):
        runner = pathlib.Path(__file__).with_name("chess_pgn_suite.py")
        command = [sys.executable, str(runner), str(self.sources())]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(re.search(r"Ran (\d+) tests", run.stderr)[1], str(TESTS))

    def sources(self):
        """The sources of the release, fetched from PyPI once."""
        folder = ROOT / "target" / "python-chess"
        sources = folder / f"chess-{VERSION}"
        if not sources.is_dir():
            command = [sys.executable, "-m", "pip", "download", f"chess=={VERSION}", "--no-deps"]
            command += ["--no-binary", ":all:", "--dest", str(folder)]
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                self.skipTest(f"pip cannot fetch python-chess: {run.stderr.strip()[-200:]}")
            with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
                archive.extractall(folder, filter="data")
        return sources


if __name__ == "__main__":
    unittest.main()
