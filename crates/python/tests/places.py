"""Folders that the tests use."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get("GAMETREE_SHARED", ROOT.parent / "shared"))
