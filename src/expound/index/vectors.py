"""Every vector and every rank that was ever computed, kept by the hash of its text."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING

from expound.errors import StorageFull
from expound.files import is_writable, private_file

if TYPE_CHECKING:
    from expound.protocols import Embedder, Ranker, Vectors

_AT_ONCE = 500
_DOUBLE = Struct("<d")


class VectorStore:
    """Vectors in half precision in one SQLite file; several processes may use it at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if is_writable(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(private_file(path), timeout=30, isolation_level=None)
        else:  # nothing can be kept on a read-only disk
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0])

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The stored vectors among the keys, as float16 bytes."""
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
            self._connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", items)
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise StorageFull(f"vectors could not be kept in {self.path}: {error}") from error


class CachedEmbedder:
    """An embedder that never computes a vector twice, also across runs."""

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = store

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        keys = [vector_key(self.name, text) for text in texts]
        found = self._store.get(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
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
