"""Runs python-chess's own tests of chess.pgn with gametree.pgn in its place.

    chess_pgn_suite.py FOLDER

FOLDER has the sources of python-chess; its test.py is not changed.
"""

import importlib.util
import logging
import os
import sys
import unittest

TESTS = [
    "PgnTestCase",
    "AtomicTestCase.test_atomic960",
    "CrazyhouseTestCase.test_lichess_pgn",
    "GiveawayTestCase.test_antichess_pgn",
]


def main(folder):
    os.chdir(folder)
    sys.path.insert(0, folder)
    import chess

    import gametree.pgn

    assert "chess.pgn" not in sys.modules, "chess.pgn must be replaced before it is imported"
    sys.modules["chess.pgn"] = chess.pgn = gametree.pgn
    spec = importlib.util.spec_from_file_location("chess_tests", "test.py")
    module = sys.modules["chess_tests"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # An error in the log is a failure, as when test.py runs itself.
    logging.getLogger().addHandler(module.RaiseLogHandler(logging.ERROR))
    suite = unittest.defaultTestLoader.loadTestsFromNames(TESTS, module)
    result = unittest.TextTestRunner().run(suite)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
