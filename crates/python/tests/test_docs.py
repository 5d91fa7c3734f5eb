"""The examples in docstrings and in the documentation do what they say."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import os
import pkgutil
import shutil
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gametree

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "crates" / "python" / "README.md", ROOT / "docs" / "python.md"]


@contextlib.contextmanager
def in_example_folder() -> Iterator[None]:
    """A folder with copies of the sample files, so that examples can name and write files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for path in (ROOT / "examples").glob("*.pgn"):
            shutil.copy(path, folder)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def modules() -> Iterator[ModuleType]:
    yield gametree
    for found in pkgutil.iter_modules(gametree.__path__, "gametree."):
        yield importlib.import_module(found.name)


class Examples(unittest.TestCase):
    def check(self, test: doctest.DocTest) -> None:
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        with in_example_folder():
            failed = runner.run(test).failed
        self.assertEqual(failed, 0, test.name)

    def test_docstrings(self) -> None:
        finder = doctest.DocTestFinder()
        seen: set[str] = set()
        for module in modules():
            tests = finder.find(module)
            for item in vars(module).values():
                if isinstance(item, type) and item.__module__.startswith("gametree"):
                    tests += finder.find(item, item.__name__, False, dict(vars(module)))
            for test in tests:
                if test.examples and (key := test.docstring) not in seen:
                    seen.add(key)
                    with self.subTest(test.name):
                        self.check(test)
        self.assertGreater(len(seen), 3)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_pages(self) -> None:
        parser = doctest.DocTestParser()
        for page in PAGES:
            if page.exists():
                text = page.read_text().replace("```", "\n")
                test = parser.get_doctest(text, {}, page.name, str(page), 0)
                self.check(test)


if __name__ == "__main__":
    unittest.main()
