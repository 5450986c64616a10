"""The door to span readers: by name, by file, or by the name of a checkpoint; what was read once is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path

from expound import resources
from expound.errors import ResourceMissing, UserError
from expound.files import is_writable, private_file, user_path
from expound.protocols import CloseReader, ContextRead, Reader
from expound.resource_table import TOKENIZER
from expound.types import Span

_AT_ONCE = 400  # older builds of SQLite take at most 999 parameters in a statement


def open_reader(name: str = "auto") -> Reader | None:
    """`auto` is the reader that ships with expound, `none` is none; else an ONNX file, or a checkpoint."""
    if name == "none":
        return None
    # The number changes with what is kept: an older expound keeps its own file.
    return CachedReader(_open(name), resources.home_folder("cache") / "spans-1.sqlite")


def resources_of(name: str) -> tuple[str, ...]:
    """The fetched files that a reader cannot do without; a checkpoint has a tokenizer of its own."""
    return (TOKENIZER,) if name == "auto" or Path(name).suffix == ".onnx" else ()


def _open(name: str) -> Reader:
    from expound.models.reader import SpanReader, default_reader

    if name == "auto":
        reader = default_reader()
        if reader is None:
            raise ResourceMissing("the reader needs its tokenizer; run: expound models get minilm-tokenizer")
        return reader
    path = user_path(name)
    if path.suffix == ".onnx":
        if not path.is_file():
            raise UserError(f"there is no reader {path}")
        return SpanReader(path, resources.path("minilm-tokenizer"))
    from expound.models.hub_reader import HubReader

    checkpoint = HubReader(name)
    checkpoint.load()
    return checkpoint


class CachedReader:
    """A reader that never reads the same question and text twice, also across runs."""

    def __init__(self, reader: Reader, path: Path) -> None:
        self.name, self._reader = reader.name, reader
        self._connection = _connected(path)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        """The spans, in the order of the pairs."""
        keys = [self._key(question, context) for question, context in pairs]
        found = self._known(list(dict.fromkeys(keys)))
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
        fresh = dict(zip(missing, self._reader.read(list(missing.values())), strict=True)) if missing else {}
        self._keep(fresh)
        found |= fresh
        return [found[key] for key in keys]

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> Sequence[ContextRead]:
        """Each pair with the score of every span of its context; these are not kept: they are large, and soon had."""
        assert isinstance(self._reader, CloseReader)
        return self._reader.read_closely(pairs)

    def _key(self, question: str, context: str) -> bytes:
        # A checkpoint has only its name; a file of weights is told by its hash.
        identity = getattr(self._reader, "identity", self.name)
        return sha256(json.dumps([identity, question, context]).encode()).digest()

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, Span]:
        found: dict[bytes, Span] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(f"SELECT key, span FROM spans WHERE key IN ({marks})", part)
            found |= {key: Span(*json.loads(span)) for key, span in rows}
        return found

    def _keep(self, spans: dict[bytes, Span]) -> None:
        rows = [(key, json.dumps(astuple(span))) for key, span in spans.items()]
        with suppress(sqlite3.Error):  # the answers are at hand; a full disk only means reading them again
            self._connection.executemany("INSERT OR IGNORE INTO spans VALUES (?, ?)", rows)
            self._connection.commit()


def _connected(path: Path) -> sqlite3.Connection:
    """The file of spans; one in memory where nothing can be written, or where the file is damaged."""
    try:
        if is_writable(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
            return _prepared(sqlite3.connect(private_file(path), timeout=30))
    except sqlite3.Error:
        pass
    return _prepared(sqlite3.connect(":memory:"))


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE IF NOT EXISTS spans (key BLOB PRIMARY KEY, span TEXT) WITHOUT ROWID")
    return connection
