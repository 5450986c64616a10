"""Every vector and every rank that was ever computed, kept by the hash of its text."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING

from expound.errors import StorageFull
from expound.files import is_writable, private_file, remark, storage_error

if TYPE_CHECKING:
    from expound.protocols import Embedder, Ranker, Vectors

_AT_ONCE = 500  # older builds of SQLite take at most 999 parameters in a statement
_DOUBLE = Struct("<d")
_SIGNS_OF_DAMAGE = ("not a database", "malformed", "disk I/O", "no such table", "no such column")


class VectorStore:
    """Vectors in half precision in one SQLite file; several processes may use it at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._connection = _open_cache(path)
        except sqlite3.DatabaseError as error:
            self._start_anew(error)

    def _start_anew(self, error: sqlite3.DatabaseError) -> None:
        """Throw a damaged cache away: all that it held can be computed again."""
        # Locked or not allowed is no damage: nothing may be thrown away for it.
        if not any(sign in str(error) for sign in _SIGNS_OF_DAMAGE):
            raise storage_error(OSError(errno.EACCES, str(error)), self.path) from error
        remark(f"{self.path} is damaged ({error}): it is thrown away, and what it held is computed again")
        for ending in ("", "-wal", "-shm"):
            if is_writable(self.path.parent):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        # Nothing can be removed there: the cache is kept in memory for this run.
        self._connection = _open_cache(self.path if is_writable(self.path.parent) else None)

    def close(self) -> None:
        self._connection.close()

    def __len__(self) -> int:
        try:
            return int(self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
        except sqlite3.DatabaseError as error:
            self._start_anew(error)
            return 0

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The stored vectors among the keys, as float16 bytes."""
        try:
            return self._find_kept(keys)
        except sqlite3.DatabaseError as error:
            self._start_anew(error)
            return {}

    def _find_kept(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            found.update(self._connection.execute(f"SELECT key, value FROM vectors WHERE key IN ({marks})", part))
        return found

    def put(self, items: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep vectors; a full disk loses only these."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            # Two processes may compute the same vector; both are right.
            self._connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", items)
            self._connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise StorageFull(f"vectors could not be kept in {self.path}: {error}") from error


def _open_cache(path: Path | None) -> sqlite3.Connection:
    """The cache's file; one that cannot be written is only read, and without any nothing is kept."""
    if path is None or not (is_writable(path.parent) or path.exists()):
        connection = sqlite3.connect(":memory:", isolation_level=None)
    elif not is_writable(path.parent):
        # `immutable`: without it SQLite wants to write a lock beside a file that only reads.
        return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(private_file(path), timeout=30, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    # A power cut may lose the latest vectors, which are computed again; commits do not wait for the disk.
    connection.execute("PRAGMA synchronous=NORMAL")
    # Keys are hashes in no order: with a row id there would be two trees to look through.
    connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
    return connection


class CachedEmbedder:
    """An embedder that never computes a vector twice, also across runs."""

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = store

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        keys = [vector_key(self.name, text) for text in texts]
        # A batch may hold the same text twice.
        found = self._store.get(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            # Half precision also for the vectors at hand: the first run must rank as all later ones do.
            vectors = self._embedder.embed(list(missing.values())).astype(np.float16)
            fresh = [(key, vector.tobytes()) for key, vector in zip(missing, vectors, strict=True)]
            with suppress(StorageFull):  # the vectors are at hand, only the next question pays for it
                self._store.put(fresh)
            found.update(fresh)
        joined = b"".join(found[key] for key in keys)
        return np.frombuffer(joined, dtype=np.float16).reshape(len(keys), -1).astype(np.float32)


class CachedRanker:
    """A ranker that never judges a pair twice, also across runs: a question asked again needs no network at all."""

    def __init__(self, ranker: Ranker, store: VectorStore, *, version: str) -> None:
        self.name = ranker.name
        self._ranker, self._store, self._version = ranker, store, version

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        # The question is part of the key: a ranker reads both together. The version tells retrained weights apart.
        keys = [vector_key(f"{self.name} {self._version}\0{question}", text) for text in texts]
        found = self._store.get(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            logits = self._ranker.rank(question, list(missing.values()))
            fresh = [(key, _DOUBLE.pack(logit)) for key, logit in zip(missing, logits, strict=True)]
            with suppress(StorageFull):
                self._store.put(fresh)
            found.update(fresh)
        return [float(_DOUBLE.unpack(found[key])[0]) for key in keys]


def vector_key(embedder: str, text: str) -> bytes:
    """The key of a text's vector."""
    return blake2b(f"{embedder}\0{text}".encode(), digest_size=16).digest()
