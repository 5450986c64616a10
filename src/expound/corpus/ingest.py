"""Bring a corpus up to date with files and folders: read, clean, split, drop duplicates, store."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
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
from expound.corpus.read import read_file
from expound.corpus.read.document import Document
from expound.corpus.read.language import detect_language
from expound.corpus.read.unread import FilesFound, find, how_to_read
from expound.corpus.split import split
from expound.corpus.store import UNFINISHED, Store
from expound.corpus.where import parse_where
from expound.errors import BadInput, NothingToRead
from expound.files import is_there, sha256_of
from expound.text.genre import RECORDS
from expound.text.plain import plain_line
from expound.types import Passage

Report = Callable[[str, int, int], None]

_LANGUAGE_SAMPLE = 2000  # characters: some paragraphs, with which the detector is sure
# A round figure: lists of names and tables sound like any language, and a wrong remark is worse than none.
_SURE = 0.6
_SAY_EVERY = 1000  # a line of progress every fraction of a second
# About four seconds of work ("Speed" in recipes/LOG.md), which is what a kill can lose.
_COMMIT_EVERY = 20_000
_LISTED = 5  # reasons in one message: the first few show what is wrong
# Control characters, and bytes that are no UTF-8: a name with them can be neither kept nor shown.
_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_FORMATS = (
    "text, Markdown, reStructuredText, HTML, PDF, DOCX, ODT, PPTX, EPUB, notebooks, mail, LaTeX, Org, AsciiDoc, CSV, "
    "TSV and JSON Lines, also gzipped"
)
_Job = tuple[Path, Path, list[str]]


@dataclass(frozen=True, slots=True)
class NotRead:
    """Files of one suffix that cannot be read, and what to do about it."""

    files: int
    how_to_read: str


@dataclass(slots=True)
class Summary:
    """What an `add` did."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    passages: int = 0
    aliases: int = 0
    filtered: int = 0
    rejected: dict[str, str] = field(default_factory=dict)
    other_languages: dict[str, str] = field(default_factory=dict)
    not_read: dict[str, NotRead] = field(default_factory=dict)
    twins: int = 0

    def take(self, other: Summary) -> None:
        """Add what happened to one file."""
        for name in ("added", "changed", "unchanged", "passages", "aliases", "filtered"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.other_languages |= other.other_languages


def ingest(store: Store, paths: Sequence[Path], *, where: Sequence[str] = (), report: Report | None = None) -> Summary:
    """Make the store hold what the paths hold now; one bad file never spoils the others."""
    parse_where(where)  # a bad condition is an error before anything is touched
    # As given, and before anything is looked for: a root that cannot be kept would spoil every file below it.
    for path in paths:
        _refuse_odd_name(Path(os.path.abspath(path)), path)
    found = [_find(store, path) for path in paths]
    roots = [(Path(os.path.abspath(path)), here.files) for path, here in zip(paths, found, strict=True)]
    unread = _unread(found)
    # A folder that is now empty is no mistake if the corpus knows files from it: they have gone.
    if not any(files or store.paths_under(str(root)) for root, files in roots):
        raise NothingToRead(_nothing_to_read(paths, unread, [why for here in found for why in here.closed.values()]))
    summary = Summary(not_read=unread, twins=sum(here.twins for here in found))
    for (root, files), here in zip(roots, found, strict=True):
        # First of all: a file that was moved must not be taken for a duplicate of itself.
        _drop_gone(store, root, files, summary, closed=here.closed)
        _reject_closed(store, root, here, summary)
    todo = [(root, path, list(where)) for root, files in roots for path in files]
    _ingest_all(store, todo, summary, report)
    # After all given files: what those gave up may have been what another file's aliases stood for.
    _ingest_all(store, _orphans(store), summary, report)
    _refuse_if_nothing_worked(summary, len(todo))
    return summary


def _ingest_all(store: Store, todo: Sequence[_Job], summary: Summary, report: Report | None) -> None:
    for done, (root, path, where) in enumerate(todo):
        if report:
            report(path.name, done, len(todo))
        said = partial(_say_passages, report, path.name, done, len(todo))
        _ingest_file(store, root, path, where, summary, said)


def _orphans(store: Store) -> list[_Job]:
    """Files to read again because a passage that they shared with another file has gone with it."""
    return [
        (Path(root), Path(path), where.split("\n") if where else [])
        for root, path, where in store.unfinished()
        if Path(path).exists()
    ]


def _find(store: Store, path: Path) -> FilesFound:
    """The files of a path; a path that is gone counts as empty if the corpus knows it."""
    # A deleted folder is named again so that its documents are forgotten, which is no typing error.
    known = not is_there(path) and bool(store.paths_under(os.path.abspath(path)))
    return FilesFound() if known else find([path])


def _unread(found: Sequence[FilesFound]) -> dict[str, NotRead]:
    """The suffixes that are not read, the most frequent first."""
    counts: Counter[str] = sum((here.unread for here in found), Counter())
    return {plain_line(suffix): NotRead(count, how_to_read(suffix)) for suffix, count in counts.most_common()}


def _nothing_to_read(paths: Sequence[Path], unread: Mapping[str, NotRead], closed: Sequence[str]) -> str:
    reasons = [*closed, *(f"{suffix}: {entry.how_to_read}" for suffix, entry in unread.items())][:_LISTED]
    said = "".join(f"{reason}; " for reason in reasons)
    return f"no readable document in {', '.join(map(str, paths))}; {said}expound reads {_FORMATS}"


def _say_passages(report: Report | None, name: str, done: int, total: int, passages: int) -> None:
    if report:
        report(f"{name}, {passages:,} passages", done, total)


def _drop_gone(
    store: Store, root: Path, files: Iterable[Path], summary: Summary, *, closed: Iterable[Path] = ()
) -> None:
    """Forget the files of a root that are no longer there; of a folder that is closed nobody can say that."""
    present = {os.path.abspath(path) for path in files}
    unseen = tuple(f"{os.path.abspath(folder)}{os.sep}" for folder in closed)
    # With the separator behind it: "notes" must not shield "notes-old".
    gone = [path for path in store.paths_under(str(root)) if path not in present and not path.startswith(unseen)]
    with store.transaction():
        summary.gone += sum(store.drop_path(path) for path in gone)


def _reject_closed(store: Store, root: Path, found: FilesFound, summary: Summary) -> None:
    """Name the folders that could not be looked into among the files that could not be read."""
    with store.transaction():
        for folder, reason in found.closed.items():
            summary.rejected[plain_line(str(folder))] = reason
            store.put_reject(plain_line(os.path.abspath(folder)), str(root), reason)


def _ingest_file(
    store: Store, root: Path, path: Path, where: list[str], summary: Summary, said: Callable[[int], None]
) -> None:
    job: _FileIngest | None = None
    try:
        _refuse_odd_name(path, path)
        # Its own summary, so that a file that is rolled back counts for nothing.
        own = Summary()
        job = _FileIngest(store, root, path, where, own, said)
        with store.transaction():
            job.run()
        summary.take(own)
    # A file that cannot be read is the file's affair; a full disk or a lost network share is not.
    except (BadInput, OSError) as error:
        # Without a name it is no matter of this file: our own files cannot be written.
        if isinstance(error, OSError) and error.filename is None:
            raise
        reason = str(error) if isinstance(error, BadInput) else f"{path}: {error.strerror}"
        summary.rejected[plain_line(str(path))] = reason
        with store.transaction():
            if job is not None and job.is_fresh:
                store.drop_path(job.key)  # what was committed on the way
            store.put_reject(plain_line(os.path.abspath(path)), plain_line(str(root)), reason)


def _refuse_odd_name(path: Path, shown: Path) -> None:
    if _NOT_TEXT.search(str(path)):
        raise BadInput(f"{plain_line(str(shown))}: the name has characters that are not text; rename it")


def _refuse_if_nothing_worked(summary: Summary, files: int) -> None:
    is_any_there = summary.added + summary.changed + summary.unchanged > 0
    if files and summary.rejected and not is_any_there:
        first, *others = summary.rejected.values()
        more = f" (and {len(others)} more files, none of them readable)" if others else ""
        raise BadInput(first + more)


class _FileIngest:
    """One file on its way into the store."""

    def __init__(
        self, store: Store, root: Path, path: Path, where: list[str], summary: Summary, said: Callable[[int], None]
    ) -> None:
        self.store, self.root, self.path, self.summary, self.said = store, root, path, summary, said
        self.key = os.path.abspath(path)
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
            if isinstance(item, Document):
                yield from self._split(item)
            else:
                # Such as "Paris - ", as tables of passages write it.
                title = item.title.removesuffix(" -")  # what is left of an empty section name
                # Ready passages are prose that others have cut out of wikis; files are kept as they stand.
                text = clean(item.text, title=title)
                self._sample_language(text)
                yield replace(item, title=title, text=text)

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
        """How the file is shown: its path below the given folder, or its name."""
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
        candidates = self._sharing(sketch(pieces))
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

    def _sharing(self, keys: list[int]) -> list[int]:
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
