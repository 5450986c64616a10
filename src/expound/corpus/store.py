"""The passages of one corpus in a SQLite file: transactions make every change whole or absent."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.corpus.passage_rows import COLUMNS, FROM, passage_of, values_of
from expound.corpus.sqlite_errors import START_ANEW, NamedConnection, storage_errors
from expound.errors import Damaged, WrongVersion
from expound.files import is_writable, private_file
from expound.text.titled import context_of, shown_text
from expound.types import Passage

# 2 since passages know their parts: docs/design/2026-11-17-documents.md.
SCHEMA_VERSION = 2
UNFINISHED = -1
"""The size of a document that has to be read again."""

# The sketches of a large corpus are looked up all over their table: in SQLite's own 2 MB few are at hand.
_CACHE_KILOBYTES = 64_000

# A passage's number only rises, also after removals (AUTOINCREMENT): an index remembers up to where it has got. Removed
# numbers wait in a table of their own until the index has taken them out. Sketches are one tree, sorted by key
# (WITHOUT ROWID): a lookup reads neighbours, and there is no second copy of the rows.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, root TEXT NOT NULL, label TEXT NOT NULL,
    size INTEGER NOT NULL, modified INTEGER NOT NULL, sha256 TEXT NOT NULL, filter TEXT NOT NULL,
    title TEXT NOT NULL, language TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS passages (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, document INTEGER NOT NULL,
    round INTEGER NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, page INTEGER, heading TEXT NOT NULL,
    url TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, meta TEXT NOT NULL, parts TEXT NOT NULL,
    fingerprint INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS aliases (
    id TEXT PRIMARY KEY, document INTEGER NOT NULL, round INTEGER NOT NULL, passage INTEGER NOT NULL,
    kind TEXT NOT NULL, fingerprint INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sketches (key INTEGER NOT NULL, passage INTEGER NOT NULL, PRIMARY KEY (key, passage))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rejects (path TEXT PRIMARY KEY, root TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS removed (number INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS passages_by_document ON passages (document);
CREATE INDEX IF NOT EXISTS passages_by_fingerprint ON passages (fingerprint);
CREATE INDEX IF NOT EXISTS aliases_by_passage ON aliases (passage);
"""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """What is remembered of a file, to tell whether it changed."""

    number: int
    path: str
    size: int
    modified: int
    sha256: str
    filter: str


class Store:
    """The passages, documents, aliases and rejects of one corpus."""

    def __init__(self, path: Path, *, is_made: bool = True) -> None:
        """Open the store; unless it `is_made` on the way, one that is not there or is empty is an error."""
        self.path = path
        # Collected in memory for the file that is being read; `documents.size` remembers it for all the others.
        self.bereft: set[int] = set()
        """Documents that lost an alias since this was last emptied."""
        with storage_errors(path):
            if not is_made and not (path.exists() and path.stat().st_size):
                raise Damaged(f"{path} is empty; {START_ANEW}")
            if is_writable(path.parent):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                # Before SQLite makes it open to others; its log beside it is made in the same mode.
                if not path.exists():
                    private_file(path)
                # Transactions are ours to begin and end: Python's own would commit in the middle of a file.
                self.connection = sqlite3.connect(path, timeout=10, isolation_level=None, factory=NamedConnection)
            else:  # a read-only disk can still be searched
                self.connection = sqlite3.connect(
                    f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None, factory=NamedConnection
                )
            self.connection.path = path
            self._prepare(is_made=is_made)

    def _prepare(self, *, is_made: bool) -> None:
        # 0 is what SQLite says of a file that nobody has set a version in.
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not is_made:
            raise Damaged(f"{self.path} holds no passages; {START_ANEW}")
        if version not in (0, SCHEMA_VERSION):
            raise WrongVersion(
                f"{self.path} was written by another version of expound (format {version}, this one reads "
                f"{SCHEMA_VERSION}); remove the corpus and add the documents again"
            )
        if version == SCHEMA_VERSION and not is_writable(self.path.parent):
            return
        # Readers go on while one process writes.
        self.connection.execute("PRAGMA journal_mode=WAL")
        # After a power cut the last commits may be missing, but never half of one.
        self.connection.execute("PRAGMA synchronous=NORMAL")
        self.connection.execute(f"PRAGMA cache_size=-{_CACHE_KILOBYTES}")
        if version == 0:
            self.connection.executescript(_SCHEMA)
            self.connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes of the block, or none of them."""
        with storage_errors(self.path):
            # The lock is taken at once: waiting for it in the middle could end in a deadlock with another writer.
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            # Ctrl-C as well.
            except BaseException:
                # A full disk may have rolled back already; a second rollback would hide the first error.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    # -- reading

    def count(self, table: str = "passages") -> int:
        return int(self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def count_up_to(self, most: int) -> int:
        """The number of passages, or `most` if there are more: whether a corpus is small is told without a scan."""
        row = self.connection.execute("SELECT count(*) FROM (SELECT 1 FROM passages LIMIT ?)", (most,)).fetchone()
        return int(row[0])

    def passages(self, numbers: Sequence[int]) -> dict[int, Passage]:
        """The passages with these numbers; numbers of removed passages are left out."""
        marks = ",".join("?" * len(numbers))
        rows = self.connection.execute(f"SELECT {COLUMNS} {FROM} WHERE p.number IN ({marks})", list(numbers))
        return {int(row[0]): passage_of(row) for row in rows}

    def iter_passages(self, *, after: int = 0) -> Iterator[tuple[int, Passage]]:
        """Every passage with its number, in order, from behind a given number."""
        cursor = self.connection.cursor()
        for row in cursor.execute(f"SELECT {COLUMNS} {FROM} WHERE p.number > ? ORDER BY p.number", (after,)):
            yield int(row[0]), passage_of(row)

    def iter_texts(self, *, after: int = 0) -> Iterator[tuple[int, str, str]]:
        """Number, title with headings, and text as shown of every passage from behind a number: what an index needs."""
        for number, passage in self.iter_passages(after=after):
            yield number, context_of(passage.title, passage.source.heading), shown_text(passage)

    def aliases(self, number: int) -> list[str]:
        """The ids of the duplicates that a passage stands for."""
        rows = self.connection.execute("SELECT id FROM aliases WHERE passage = ? ORDER BY id", (number,))
        return [row[0] for row in rows]

    def number_of(self, identifier: str) -> int | None:
        """The number of the passage with this id; a duplicate's id leads to the passage that stands for it."""
        query = "SELECT number FROM passages WHERE id = ?1 UNION SELECT passage FROM aliases WHERE id = ?1"
        row = self.connection.execute(query, (identifier,)).fetchone()
        return int(row[0]) if row else None

    def neighbour(self, number: int, step: int) -> Passage | None:
        """The passage so many places behind a passage of the same document, or before it if negative."""
        row = self.connection.execute(
            "SELECT document, end, title FROM passages WHERE number = ?", (number,)
        ).fetchone()
        if row is None:
            return None
        document, end, title = row
        beside = self._split_neighbour(number, step) if end else self._ready_neighbour(document, number, step)
        found = self.passages([beside]).get(beside) if beside else None
        # A file of records holds many documents; the same title means the same one.
        # Passages of one file that belong to another record are no surroundings.
        return found if found and found.title == title else None

    def _split_neighbour(self, number: int, step: int) -> int | None:
        """By the place in the id: a changed passage gets a new number, its place stays."""
        identifier = self.connection.execute("SELECT id FROM passages WHERE number = ?", (number,)).fetchone()[0]
        label, _, place = str(identifier).rpartition("#")
        return self.number_of(f"{label}#{int(place) + step}") if place.isdecimal() else None

    def _ready_neighbour(self, document: int, number: int, step: int) -> int | None:
        """By number: ready passages have ids of their own and are stored in the order of their file."""
        side, order = ("<", "DESC") if step < 0 else (">", "ASC")
        query = f"SELECT number FROM passages WHERE document = ? AND number {side} ? ORDER BY number {order}"
        # The offset counts from the nearest, so a step of 1 skips none.
        row = self.connection.execute(f"{query} LIMIT 1 OFFSET ?", (document, number, abs(step) - 1)).fetchone()
        return int(row[0]) if row else None

    def path_of(self, number: int) -> str:
        """The file that a passage comes from, in full."""
        query = "SELECT d.path FROM passages p JOIN documents d ON d.number = p.document WHERE p.number = ?"
        row = self.connection.execute(query, (number,)).fetchone()
        return str(row[0]) if row else ""

    def rejects(self) -> list[tuple[str, str]]:
        """Files that could not be read, each with its reason."""
        return list(self.connection.execute("SELECT path, reason FROM rejects ORDER BY path"))

    def unfinished(self) -> list[tuple[str, str, str]]:
        """Root, path and filter of documents that have to be read again."""
        query = "SELECT root, path, filter FROM documents WHERE size = ?"
        return list(self.connection.execute(query, (UNFINISHED,)))

    def roots(self) -> list[str]:
        """The paths that were added."""
        return [row[0] for row in self.connection.execute("SELECT DISTINCT root FROM documents ORDER BY root")]

    def filter_of(self, root: str) -> list[str]:
        """The conditions under which a root was last added."""
        # All documents of a root were added with the same conditions.
        row = self.connection.execute("SELECT filter FROM documents WHERE root = ? LIMIT 1", (root,)).fetchone()
        return str(row[0]).split("\n") if row and row[0] else []

    def languages(self) -> dict[str, int]:
        """Documents per language, most frequent first."""
        rows = self.connection.execute("SELECT language, count(*) FROM documents GROUP BY 1 ORDER BY 2 DESC, 1")
        return {row[0]: row[1] for row in rows}

    def fact(self, name: str, default: str = "") -> str:
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def set_fact(self, name: str, value: str) -> None:
        with storage_errors(self.path):
            self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def document(self, path: str) -> DocumentRow | None:
        query = "SELECT number, path, size, modified, sha256, filter FROM documents WHERE path = ?"
        row = self.connection.execute(query, (path,)).fetchone()
        return DocumentRow(*row) if row else None

    def paths_under(self, root: str) -> list[str]:
        """The documents and rejects that came in with a root, or lie below it."""
        below = f"{root}{os.sep}"
        # Not LIKE: a folder's name may hold its wildcards.
        query = "SELECT path FROM {} WHERE root = ?1 OR substr(path, 1, length(?2)) = ?2"
        query = f"{query.format('documents')} UNION {query.format('rejects')}"
        return [row[0] for row in self.connection.execute(query, (root, below))]

    # -- writing, inside a transaction

    def put_document(self, values: Sequence[Any]) -> int:
        """Insert or update a document (path, root, label, size, modified, sha256, filter, title, language)."""
        self.connection.execute(
            "INSERT INTO documents (path, root, label, size, modified, sha256, filter, title, language) "
            "VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT (path) DO UPDATE SET root=excluded.root, label=excluded.label, "
            "size=excluded.size, modified=excluded.modified, sha256=excluded.sha256, filter=excluded.filter, "
            "title=excluded.title, language=excluded.language",
            values,
        )
        # An update gives no row id back.
        row = self.connection.execute("SELECT number FROM documents WHERE path = ?", (values[0],)).fetchone()
        return int(row[0])

    def put_passage(self, passage: Passage, document: int, round_: int, fingerprint: int) -> int:
        """Insert a passage; returns its number."""
        cursor = self.connection.execute(
            "INSERT INTO passages "
            "(id, document, round, title, text, page, heading, url, start, end, meta, parts, fingerprint) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (passage.id, document, round_, *values_of(passage), fingerprint),
        )
        return int(cursor.lastrowid or 0)

    def keep_if_same(self, passage: Passage, document: int, round_: int) -> bool:
        """Mark an unchanged passage of the document as seen in this round; False if it is new or changed."""
        # `page IS ?`: with `=` no page would equal no page.
        cursor = self.connection.execute(
            "UPDATE passages SET round = ? WHERE id = ? AND document = ? AND title = ? AND text = ? AND page IS ? "
            "AND heading = ? AND url = ? AND start = ? AND end = ? AND meta = ? AND parts = ?",
            (round_, passage.id, document, *values_of(passage)),
        )
        return cursor.rowcount > 0

    def keep_alias_if_same(self, identifier: str, document: int, round_: int, fingerprint: int) -> bool:
        """Mark an unchanged alias of the document as seen in this round."""
        # Not if its passage is one of the same document that this round has not seen: that may be about to go.
        cursor = self.connection.execute(
            "UPDATE aliases SET round = ?1 WHERE id = ?2 AND document = ?3 AND fingerprint = ?4 AND EXISTS "
            "(SELECT 1 FROM passages p WHERE p.number = aliases.passage AND (p.document <> ?3 OR p.round = ?1))",
            (round_, identifier, document, fingerprint),
        )
        return cursor.rowcount > 0

    def owner(self, identifier: str) -> int | None:
        """The document that has a passage or alias of this id."""
        query = "SELECT document FROM passages WHERE id = ?1 UNION SELECT document FROM aliases WHERE id = ?1"
        row = self.connection.execute(query, (identifier,)).fetchone()
        return int(row[0]) if row else None

    def drop_ids(self, identifiers: Iterable[str]) -> None:
        """Remove passages or aliases by id, remembering the numbers for the index."""
        for identifier in identifiers:
            self._remove("id = ?", (identifier,))
            self.connection.execute("DELETE FROM aliases WHERE id = ?", (identifier,))

    def drop_unseen(self, document: int, round_: int) -> int:
        """Remove the document's passages that this round did not see; returns how many."""
        self.connection.execute("DELETE FROM aliases WHERE document = ? AND round <> ?", (document, round_))
        return self._remove("document = ? AND round <> ?", (document, round_))

    def drop_path(self, path: str) -> bool:
        """Remove a document with its passages, or a reject; True if there was a document."""
        self.connection.execute("DELETE FROM rejects WHERE path = ?", (path,))
        row = self.document(path)
        if row is None:
            return False
        self.connection.execute("DELETE FROM aliases WHERE document = ?", (row.number,))
        self._remove("document = ?", (row.number,))
        self.connection.execute("DELETE FROM documents WHERE number = ?", (row.number,))
        return True

    def put_reject(self, path: str, root: str, reason: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO rejects VALUES (?, ?, ?)", (path, root, reason))

    def _remove(self, condition: str, values: tuple[Any, ...]) -> int:
        """Remove passages; the aliases of a removed passage go too, so their text comes back when read again."""
        # A passage's number is never used again, so that the index cannot mix up old and new.
        select = f"SELECT number FROM passages WHERE {condition}"
        # Before they are deleted: afterwards nobody could say which they were.
        self.connection.execute(f"INSERT OR IGNORE INTO removed {select}", values)
        self.connection.execute(f"DELETE FROM sketches WHERE passage IN ({select})", values)
        self._forget_sources_of_aliases(select, values)
        return self.connection.execute(f"DELETE FROM passages WHERE {condition}", values).rowcount

    def _forget_sources_of_aliases(self, select: str, values: tuple[Any, ...]) -> None:
        """Make files whose passages were aliases of removed ones look changed, so that they are read again."""
        query = f"SELECT DISTINCT document FROM aliases WHERE passage IN ({select})"
        # All at once: the loop changes a table that the query reads.
        for (document,) in self.connection.execute(query, values).fetchall():
            self.bereft.add(document)
            self.connection.execute("UPDATE documents SET size = ? WHERE number = ?", (UNFINISHED, document))
        self.connection.execute(f"DELETE FROM aliases WHERE passage IN ({select})", values)
