"""One file on its way into a corpus: read, cleaned, split, compared with what is there, stored."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from expound.corpus.clean import clean
from expound.corpus.duplicates import (
    SKETCH_SIZE,
    Shingles,
    are_near,
    fingerprint,
    may_be_near,
    numbers_of,
    shingles,
    sketch,
    words_of,
)
from expound.corpus.fetched_files import address_of
from expound.corpus.read import read_file
from expound.corpus.read.document import Document, PartlyRead
from expound.corpus.read.language import detect_language
from expound.corpus.split import split
from expound.corpus.store import UNFINISHED, Store
from expound.corpus.summary import Summary
from expound.corpus.where import parse_where
from expound.errors import BadInput
from expound.files import sha256_of
from expound.text.genre import RECORDS
from expound.types import Passage

_LANGUAGE_SAMPLE = 2000  # characters: some paragraphs, with which the detector is sure
# A round figure: lists of names and tables sound like any language, and a wrong remark is worse than none.
_SURE = 0.6
_SAY_EVERY = 1000  # a line of progress every fraction of a second
# About four seconds of work ("Speed" in recipes/LOG.md), which is what a kill can lose.
_COMMIT_EVERY = 20_000


class FileIngest:
    """One file on its way into the store."""

    def __init__(
        self, store: Store, root: Path, path: Path, *, where: list[str], summary: Summary, said: Callable[[int], None]
    ) -> None:
        self.store, self.root, self.path, self.summary, self.said = store, root, path, summary, said
        self.key = os.path.abspath(path)
        self.address = address_of(store, self.key)
        self.where_text = "\n".join(where)
        self.accepts = parse_where(where)
        self.known = store.document(self.key)
        # A file that was never read to its end may be committed piece by piece: nothing older can be lost.
        self.is_fresh = self.known is None or not self.known.sha256
        # Passages carry the round in which they were last seen: what the newest has not seen is gone from the file.
        self.round = int(store.fact("round", "0")) + 1
        self.sample = ""
        self._number = 0

    def run(self) -> None:
        status = self.path.stat()
        known = self.known
        same_filter = known is not None and known.filter == self.where_text
        # It was cut off, or lost a passage that stood for one of its own: whatever the disk says, it is read again.
        if known and known.size == UNFINISHED:
            same_filter = False
        # Size and time, as `rsync` looks: reading every file to compare hashes would take minutes.
        if known and same_filter and (known.size, known.modified) == (status.st_size, status.st_mtime_ns):
            self.summary.unchanged += 1
            return
        digest = sha256_of(self.path)
        # Touched, or copied anew, but the same: only the time is noted.
        if known and same_filter and known.sha256 == digest:
            self._remember(status, digest)
            self.summary.unchanged += 1
            return
        self.store.set_fact("round", str(self.round))
        # Without a digest: should the run be cut off, the document counts as unfinished.
        self.document = self._remember(status, "")
        try:
            self._read()
        except KeyboardInterrupt:
            # Keep what a long new file has given so far: the next run finds it there and goes on.
            if self.is_fresh:
                self._commit()
            raise
        self._finish(status, digest)

    def _commit(self) -> None:
        self.store.connection.execute("COMMIT")
        self.store.connection.execute("BEGIN IMMEDIATE")

    def _read(self) -> None:
        self._number = 0
        for count, passage in enumerate(self._passages(), start=1):
            if count % _SAY_EVERY == 0:
                self.said(count)
            # Only a new file: an old one keeps its former passages until the new ones are all there.
            if count % _COMMIT_EVERY == 0 and self.is_fresh:
                self._commit()
            if self.accepts(passage):
                self._put(passage)
            else:
                self.summary.filtered += 1

    def _finish(self, status: os.stat_result, digest: str) -> None:
        # A new document has nothing from an earlier round.
        if self.known is not None:
            self.store.drop_unseen(self.document, self.round)
        while self.document in self.store.bereft:  # an alias of ours lost its passage: read it in again
            self.store.bereft.discard(self.document)
            self.round += 1
            self.store.set_fact("round", str(self.round))
            self._read()
            self.store.drop_unseen(self.document, self.round)
        self._remember(status, digest)
        self.store.connection.execute("DELETE FROM rejects WHERE path = ?", (self.key,))
        if self.known is None:
            self.summary.added += 1
        else:
            self.summary.changed += 1

    def _passages(self) -> Iterator[Passage]:
        for item in read_file(self.path):
            if isinstance(item, PartlyRead):
                self._remark(item.text)
            elif isinstance(item, Document):
                # Where it was fetched from is known; what a page says of its own address is not.
                yield from self._split(replace(item, url=self.address or item.url))
            else:
                # Such as "Paris - ", as tables of passages write it.
                title = item.title.removesuffix(" -")  # what is left of an empty section name
                # Ready passages are prose that others have cut out of wikis; files are kept as they stand.
                text = clean(item.text, title=title)
                self._sample_language(text)
                yield replace(item, title=title, text=text)

    def _remark(self, text: str) -> None:
        # A file may be read twice, for an alias that lost its passage.
        if text not in self.summary.remarks:
            self.summary.remarks.append(text)

    def _split(self, document: Document) -> Iterator[Passage]:
        for passage in split(document, file=self.label):
            self._sample_language(passage.text)
            number = self._next_number()
            # Numbered over all documents of the file: a file of records holds many.
            yield replace(passage, id=f"{self.label}#{number}")

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    @property
    def label(self) -> str:
        """How the file is shown: its address, its path below the given folder, or its name."""
        if self.address:
            return self.address
        path = Path(self.key)
        short = path.relative_to(self.root).as_posix() if path != self.root else path.name
        taken = "SELECT 1 FROM documents WHERE label = ? AND path <> ?"
        # Two roots may hold a file of the same name; the second is shown with its whole path.
        return self.key if self.store.connection.execute(taken, (short, self.key)).fetchone() else short

    def _sample_language(self, text: str) -> None:
        # The first pages tell the language; a book must not be kept in memory for it.
        if len(self.sample) < _LANGUAGE_SAMPLE:
            self.sample += " " + text[:_LANGUAGE_SAMPLE]

    def _remember(self, status: os.stat_result, digest: str) -> int:
        language, sure = detect_language(self.sample) or ("", 0.0)
        # The product is made for English: other languages are told to the user, and read nevertheless.
        if language not in ("", "en") and sure >= _SURE:
            self.summary.other_languages[str(self.path)] = language
        size = status.st_size if digest else UNFINISHED
        return self.store.put_document(
            (self.key, str(self.root), self.label, size, status.st_mtime_ns, digest, self.where_text,
             self.path.stem, language)
        )  # fmt: skip

    def _put(self, passage: Passage) -> None:
        """Store a passage, or an alias if its words are there already."""
        if not passage.text:
            return
        store, document = self.store, self.document
        # Compared as text, which is cheap; only what changed is hashed and compared with all others.
        if self.known and store.keep_if_same(passage, document, self.round):
            return
        words = self._words(passage.title, passage.text)
        mark = fingerprint(words)
        if self.known and store.keep_alias_if_same(passage.id, document, self.round, mark):
            return
        # Before its twin is looked for: the old text under this id must not be found as one.
        self._make_room(passage.id)
        pieces = shingles(words)
        twin = self._exact_twin(mark) or self._near_twin(words, pieces)
        if twin:
            kind, number = twin
            row = (passage.id, document, self.round, number, kind, mark)
            store.connection.execute("INSERT INTO aliases VALUES (?,?,?,?,?,?)", row)
            self.summary.aliases += 1
            return
        number = store.put_passage(passage, document, self.round, mark)
        keys = [(key, number) for key in sketch(pieces)]
        store.connection.executemany("INSERT OR IGNORE INTO sketches VALUES (?,?)", keys)
        self.summary.passages += 1

    def _words(self, title: str, text: str) -> list[str]:
        """What two passages are compared by. In records the title is data: one answer may belong to two questions."""
        return words_of(f"{title} {text}" if RECORDS.search(self.path.name) else text)

    def _make_room(self, identifier: str) -> None:
        """An id that this file used before is replaced; one of another file is an error."""
        owner = self.store.owner(identifier)
        if owner is None:
            return
        # Of this very round: the file itself has the id twice.
        if owner != self.document or self._seen_this_round(identifier):
            raise BadInput(
                f"{self.path}: the passage id {identifier!r} stands twice in this corpus; ids must be unique"
            )
        self.store.drop_ids([identifier])

    def _seen_this_round(self, identifier: str) -> bool:
        query = "SELECT 1 FROM {} WHERE id = ?1 AND round = ?2"
        query = f"{query.format('passages')} UNION {query.format('aliases')}"
        return self.store.connection.execute(query, (identifier, self.round)).fetchone() is not None

    def _exact_twin(self, mark: int) -> tuple[str, int] | None:
        # A passage of this file from an earlier round is about to be replaced, and can stand for nothing.
        query = "SELECT number FROM passages WHERE fingerprint = ? AND (document <> ? OR round = ?)"
        row = self.store.connection.execute(query, (mark, self.document, self.round)).fetchone()
        return ("exact", int(row[0])) if row else None

    def _near_twin(self, words: list[str], pieces: Shingles) -> tuple[str, int] | None:
        candidates = self._find_sharing(sketch(pieces))
        numbers = numbers_of(words) if candidates else []
        for number in candidates:
            # Passages of this file that this round has not seen may be about to go.
            query = "SELECT title, text FROM passages WHERE number = ? AND (document <> ? OR round = ?)"
            row = self.store.connection.execute(query, (number, self.document, self.round)).fetchone()
            other = self._words(*row) if row else []
            # From the cheapest comparison to the dearest.
            if (
                row
                and may_be_near(pieces, other)
                # The same words with other figures are another row, another year, another version: never a duplicate.
                and numbers == numbers_of(other)
                and are_near(pieces, shingles(other))
            ):
                return "near", number
        return None

    def _find_sharing(self, keys: list[int]) -> list[int]:
        """The first passages that have two of the keys or more."""
        query = _WITH_KEYS[len(keys)]
        # Counted here: SQLite would set up a table to sort even when there is nothing to count.
        rows = self.store.connection.execute(query, keys).fetchall()
        counts = Counter(row[0] for row in rows) if len(rows) > 1 else {}
        return sorted(number for number, count in counts.items() if count >= 2)[:_MOST_CANDIDATES]


_WITH_KEYS = [
    f"SELECT passage FROM sketches WHERE key IN ({','.join('?' * count)})" for count in range(SKETCH_SIZE + 1)
]
# Passages of a form that differ in a name share their sketch by the thousand, and each comparison reads a text.
_MOST_CANDIDATES = 20
