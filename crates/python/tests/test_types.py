"""The types of the package are complete, and the stubs agree with the native module."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gametree

PACKAGE = Path(gametree.__file__).parent


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


class Types(unittest.TestCase):
    def check(self, *command: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            # The list that PyO3 adds says no more than the stub.
            (Path(folder) / "allowed").write_text("gametree._native.__all__\n")
            environment = dict(os.environ)
            # Installed packages are found without it, and mypy refuses their folder there.
            if "site-packages" not in PACKAGE.parts:
                environment["MYPYPATH"] = str(PACKAGE.parent)
            run = subprocess.run(
                [sys.executable, "-m", *command],
                capture_output=True,
                text=True,
                cwd=folder,
                env=environment,
            )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    @unittest.skipUnless(has("mypy"), "mypy is not installed")
    def test_strict(self) -> None:
        self.check("mypy", "--strict", "-p", "gametree")

    @unittest.skipUnless(has("mypy"), "mypy is not installed")
    def test_stubs(self) -> None:
        self.check("mypy.stubtest", "--allowlist", "allowed", "gametree._native")

    @unittest.skipUnless(has("pyright"), "pyright is not installed")
    def test_pyright(self) -> None:
        self.check("pyright", "--pythonpath", sys.executable, str(PACKAGE))


if __name__ == "__main__":
    unittest.main()
