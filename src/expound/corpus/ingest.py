"""Bring a corpus up to date with files and folders: what is new is read, what is gone is forgotten."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from expound.corpus.file_ingest import FileIngest
from expound.corpus.read.unread import FilesFound, find, how_to_read
from expound.corpus.store import Store
from expound.corpus.summary import NotRead, Summary
from expound.corpus.where import parse_where
from expound.errors import BadInput, NothingToRead
from expound.files import is_there
from expound.text.plain import plain_line

__all__ = ["NotRead", "Report", "Summary", "ingest"]

Report = Callable[[str, int, int], None]

_LISTED = 5  # reasons in one message: the first few show what is wrong
# Control characters, and bytes that are no UTF-8: a name with them can be neither kept nor shown.
_NOT_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_FORMATS = (
    "text, Markdown, reStructuredText, HTML, PDF, DOCX, ODT, PPTX, EPUB, notebooks, mail, LaTeX, Org, AsciiDoc, man "
    "pages, Info files, CSV, TSV, Parquet and JSON Lines, also gzipped"
)
_Job = tuple[Path, Path, list[str]]


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
    # By name, in whatever order they are given: of two like passages the first is kept, and so ties keep their order.
    todo.sort(key=lambda job: job[1])
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
        _ingest_file(store, root, path, where=where, summary=summary, said=said)


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
    store: Store, root: Path, path: Path, *, where: list[str], summary: Summary, said: Callable[[int], None]
) -> None:
    job: FileIngest | None = None
    try:
        _refuse_odd_name(path, path)
        # Its own summary, so that a file that is rolled back counts for nothing.
        own = Summary()
        job = FileIngest(store, root, path, where=where, summary=own, said=said)
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
