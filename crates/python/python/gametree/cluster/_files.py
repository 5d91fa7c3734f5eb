"""Shards, and the result files of workers: written once and as a whole, under names that a retry
finds again."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Bytes that are copied at a time.
_BLOCK = 1 << 20


def load(module: str) -> Any:
    """A module of another package, which may be missing."""
    return importlib.import_module(module)


def is_remote(path: str) -> bool:
    """True for a URL that fsspec opens; ``file://`` is a local path."""
    return "://" in path and not path.startswith("file://")


def local_path(path: str) -> str:
    """A local path without ``file://``."""
    return path.removeprefix("file://")


def filesystem(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    try:
        fsspec = load("fsspec")
    except ImportError as error:
        raise ImportError(f"{url}: install fsspec to read and write URLs") from error
    system, path = fsspec.core.url_to_fs(url)
    return system, str(path)


def open_bytes(path: str) -> Any:
    """A file or a URL, open for reading."""
    if not is_remote(path):
        return open(local_path(path), "rb")
    system, inner = filesystem(path)
    return system.open(inner, "rb")


#: A part of a file, as ``str(gametree.Shard)`` writes it.
_PART = re.compile(r"(.*)(#(\d+)(\+\d+)?-(\d+)(\+\d+)?)", re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """A shard as workers get it: a file, a folder, an archive or a URL, or a part of it."""

    path: str
    """The file."""
    part: str = ""
    """``#START-END``, or nothing for all of it."""

    @staticmethod
    def of(shard: str | os.PathLike[str]) -> Piece:
        """The piece that a path, a URL or a ``gametree.Shard`` names."""
        text = os.fspath(shard)
        found = None if os.path.exists(text) else _PART.fullmatch(text)
        path, part = (found[1], found[2]) if found else (text, "")
        # Workers may have other working directories.
        return Piece(path if "://" in path else os.path.abspath(path), part)

    @property
    def name(self) -> str:
        return self.path + self.part

    def identity(self) -> list[Any]:
        """What distinguishes the shard from others, and from the same file at another time."""
        return [self.name, self._version()]

    def _version(self) -> Any:
        try:
            if is_remote(self.path):
                system, path = filesystem(self.path)
                return str(system.ukey(path))
            return _versions(Path(local_path(self.path)))
        except (OSError, NotImplementedError):
            # The worker reports what is wrong with it.
            return None

    @contextlib.contextmanager
    def open(self) -> Iterator[str]:
        """A local path with the games of the shard, as long as the context lasts."""
        if not is_remote(self.path):
            yield local_path(self.path) + self.part
            return
        with tempfile.TemporaryDirectory(prefix="gametree-") as folder:
            # The name tells the compression, and the source of comments.
            copy = os.path.join(folder, os.path.basename(self.path.rstrip("/")))
            self._copy(copy)
            yield copy

    def _copy(self, target: str) -> None:
        """Copies a URL, or the bytes of a part of it."""
        start, left = 0, None
        if found := _PART.fullmatch(self.name):
            if found[4] or found[6]:
                raise ValueError("parts of frames cannot be read from a URL; use whole frames")
            start, left = int(found[3]), int(found[5]) - int(found[3])
        with open_bytes(self.path) as source, open(target, "wb") as copy:
            source.seek(start)
            while left is None or left > 0:
                block = source.read(_BLOCK if left is None else min(_BLOCK, left))
                if not block:
                    break
                copy.write(block)
                left = None if left is None else left - len(block)


def _versions(path: Path) -> list[Any]:
    """Size and time of a file, or of all files in a folder."""
    if path.is_dir():
        return [[str(file.relative_to(path)), *_versions(file)] for file in sorted(path.iterdir())]
    about = path.stat()
    return [about.st_size, about.st_mtime_ns]


def digest(*what: Any) -> str:
    """A short name for a value."""
    text = json.dumps(what, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Store:
    """A folder for results, local or at a URL, that all workers can reach."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        text = os.fspath(root)
        # Workers may have other working directories.
        self.root = text.rstrip("/") if is_remote(text) else os.path.abspath(local_path(text))

    @property
    def remote(self) -> bool:
        return is_remote(self.root)

    def join(self, *names: str) -> str:
        return "/".join((self.root, *names))

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; ``None`` if there is none."""
        try:
            if self.remote:
                system, inner = filesystem(path)
                return bytes(system.cat_file(inner))
            return Path(path).read_bytes()
        except FileNotFoundError:
            return None

    def remove(self, path: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            if self.remote:
                system, inner = filesystem(path)
                system.rm_file(inner)
            else:
                os.unlink(path)

    @contextlib.contextmanager
    def writing(self, path: str) -> Iterator[str]:
        """A local path to write to. The file appears under its name at the end, and not if an
        exception is raised. Of two writers, the last one replaces the file."""
        if self.remote:
            with tempfile.TemporaryDirectory(prefix="gametree-") as folder:
                part = os.path.join(folder, os.path.basename(path))
                yield part
                system, inner = filesystem(path)
                system.makedirs(os.path.dirname(inner), exist_ok=True)
                system.put_file(part, inner)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        folder, name = os.path.split(path)
        part = os.path.join(folder, f".{name}-{uuid.uuid4().hex}.part")
        try:
            yield part
            os.replace(part, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)

    def write(self, path: str, content: bytes) -> None:
        with self.writing(path) as part:
            Path(part).write_bytes(content)

    @contextlib.contextmanager
    def local(self, path: str) -> Iterator[str]:
        """A local copy of a result."""
        if not self.remote:
            yield path
            return
        with tempfile.TemporaryDirectory(prefix="gametree-") as folder:
            copy = os.path.join(folder, os.path.basename(path))
            with open_bytes(path) as source, open(copy, "wb") as target:
                shutil.copyfileobj(source, target, _BLOCK)
            yield copy
