"""The door to span readers: by name, by file, or by the name of a checkpoint; what was read once is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from expound import resources
from expound.errors import ResourceMissing, UserError
from expound.files import is_writable, private_file, user_path
from expound.models.span_search import CloseRead, pack_reads, unpack_reads
from expound.protocols import CloseReader, ContextRead, Reader
from expound.resource_table import TOKENIZER
from expound.types import Span

Kept = TypeVar("Kept")
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
        self._connection = _connect_file(path)

    @property
    def weights(self) -> str:
        """The sha256 of the reader's weights; a checkpoint of a hub has only its name."""
        return getattr(self._reader, "weights", self.name)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        """The spans, in the order of the pairs."""
        return self._look_up(pairs, self._reader.read, _SPANS)

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> Sequence[ContextRead]:
        """Each pair with the score of every span of its context: two thousand bytes a passage, as a vector has."""
        assert isinstance(self._reader, CloseReader)
        return self._look_up(pairs, self._reader.read_closely, _CLOSELY)

    def _look_up(
        self, pairs: Sequence[tuple[str, str]], read: Callable[[list[tuple[str, str]]], Sequence[Kept]], kind: _Kind
    ) -> list[Kept]:
        """What is known of the pairs, and what has to be read of them first."""
        keys = [self._key(question, context) for question, context in pairs]
        # Contexts are not kept, only keys of them: a close read is unpacked over the text at hand.
        contexts = dict(zip(keys, (context for _, context in pairs), strict=True))
        found = self._known(contexts, kind)
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
        fresh = dict(zip(missing, read(list(missing.values())), strict=True)) if missing else {}
        self._keep(fresh, kind)
        found |= fresh
        return [found[key] for key in keys]

    def _key(self, question: str, context: str) -> bytes:
        # A checkpoint has only its name; a file of weights is told by its hash.
        identity = getattr(self._reader, "identity", self.name)
        return sha256(json.dumps([identity, question, context]).encode()).digest()

    def _known(self, contexts: Mapping[bytes, str], kind: _Kind) -> dict[bytes, Any]:
        found: dict[bytes, Any] = {}
        keys = list(contexts)
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            rows = self._connection.execute(f"SELECT * FROM {kind.table} WHERE key IN ({marks})", part)
            for key, kept in rows:
                with suppress(ValueError):  # what is damaged is read again
                    found[key] = kind.unpack(contexts[key], kept)
        return found

    def _keep(self, fresh: Mapping[bytes, Any], kind: _Kind) -> None:
        # A plug-in's reader may have reads of another kind, which nobody knows how to keep.
        rows = [(key, kind.pack(value)) for key, value in fresh.items() if isinstance(value, kind.kept)]
        with suppress(sqlite3.Error):  # the answers are at hand; a full disk only means reading them again
            self._connection.executemany(f"INSERT OR REPLACE INTO {kind.table} VALUES (?, ?)", rows)
            self._connection.commit()


class _Kind(NamedTuple):
    """A table of what is kept: its class, and how it becomes a cell of the table and comes back."""

    table: str
    kept: type
    pack: Callable[[Any], str | bytes]
    unpack: Callable[[str, Any], Any]


_SPANS = _Kind(
    "spans",
    Span,
    lambda span: json.dumps(astuple(span)),
    lambda _, kept: Span(*json.loads(kept)),
)
_CLOSELY = _Kind(
    "closely",
    CloseRead,
    lambda read: pack_reads(read.reads),
    lambda context, kept: CloseRead(context, unpack_reads(kept)),
)


def _connect_file(path: Path) -> sqlite3.Connection:
    """The file of spans; one in memory where nothing can be written, or where the file is damaged."""
    try:
        if is_writable(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
            return _prepare_file(sqlite3.connect(private_file(path), timeout=30))
    except sqlite3.Error:
        pass
    return _prepare_file(sqlite3.connect(":memory:"))


def _prepare_file(connection: sqlite3.Connection) -> sqlite3.Connection:
    # Several processes read while one writes; the old journal would let them wait for each other.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE IF NOT EXISTS spans (key BLOB PRIMARY KEY, span TEXT) WITHOUT ROWID")
    connection.execute("CREATE TABLE IF NOT EXISTS closely (key BLOB PRIMARY KEY, reads BLOB) WITHOUT ROWID")
    return connection
