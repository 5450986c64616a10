"""The corpora of this machine: found by name or path, made of documents, brought up to date, removed."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from expound import resources
from expound.corpus.following import build_indexes, catch_up, forget_index
from expound.corpus.kept_models import (
    default_embedder,
    default_passage_ranker,
    default_ranker,
    open_embedder,
    seed_vectors,
    vector_store,
)
from expound.corpus.named import (
    EMBEDDER_FILE,
    NAME,
    SAMPLER,
    STORE,
    Corpus,
    corpora_folder,
    hold_for_writing,
    is_corpus,
    lock_file,
    name_for,
    say_being_made,
)
from expound.corpus.read.visible_files import check_path
from expound.corpus.store import SCHEMA_VERSION
from expound.errors import (
    CorpusBusy,
    CorpusUnfinished,
    Damaged,
    ExpoundError,
    StorageFull,
    UnknownName,
    UserError,
    nearest,
)
from expound.files import hold_lock, is_locked, is_there, is_writable, write_whole
from expound.index.lexical import index_version
from expound.resource_table import EMBEDDER
from expound.text.plain import plain_line
from expound.version import __version__

if TYPE_CHECKING:
    from expound.corpus.fetching import Fetched
    from expound.corpus.ingest import Report, Summary

__all__ = [
    "SAMPLER",
    "UNFINISHED",
    "Corpus",
    "add",
    "add_apart",
    "build_indexes",
    "corpora_folder",
    "corpus_names",
    "default_embedder",
    "default_passage_ranker",
    "default_ranker",
    "is_corpus",
    "name_for",
    "needed_files",
    "open_corpora",
    "open_corpus",
    "open_embedder",
    "open_named",
    "rebuild",
    "remove",
    "vector_store",
]

# In the store and not a file beside it: it goes with the transaction that makes it untrue.
UNFINISHED = "unfinished"
"""The fact that a corpus has until all that it was first made from has been read."""

_BUNDLED = Path(__file__).parent / "sampler"
_STAMP = "stamp"


# -- finding corpora


def corpus_names() -> list[str]:
    """The user's corpora, in alphabetical order; the sampler is not among them."""
    folder = corpora_folder()
    entries = folder.iterdir() if folder.is_dir() else ()
    found = [entry.name for entry in entries if (entry / STORE).exists()]
    # Folders that others put here are not ours: only what could have been made by `add` is listed.
    return sorted(name for name in found if name != SAMPLER and NAME.fullmatch(name))


def open_corpora(specs: Sequence[str | Corpus] = ()) -> list[Corpus]:
    """The corpora of these names or paths; without any, all of the user's, else the sampler. Open ones stay as is."""
    # Each once, in the order in which they were named: ties between passages are settled by it.
    wanted = dict.fromkeys(specs or corpus_names() or [SAMPLER])
    return [spec if isinstance(spec, Corpus) else open_corpus(spec) for spec in wanted]


def open_corpus(spec: str) -> Corpus:
    """A corpus by name; a path is added under a name of its own and kept up to date."""
    check_corpus(spec)
    is_name = spec == SAMPLER or is_corpus(spec)
    return open_named(spec) if is_name else _corpus_of(Path(spec))


def check_corpus(spec: str) -> None:
    """Refuse what is neither the name of a corpus nor a path to something; nothing is opened or added."""
    if spec == SAMPLER or is_corpus(spec):
        return
    # A separator says that a path is meant, even one that is not there: the message then speaks of a path.
    if not spec or not (os.sep in spec or is_there(Path(spec))):
        raise UnknownName(_unknown(spec))
    check_path(Path(spec))


def open_named(name: str) -> Corpus:
    """A corpus by its name alone: nothing is added to be opened."""
    if name == SAMPLER:
        return _sampler()
    if not is_corpus(name):
        raise UnknownName(_unknown(name))
    corpus = Corpus(name, corpora_folder() / name)
    _refuse_unfinished(corpus)
    catch_up(corpus)
    return corpus


def _refuse_unfinished(corpus: Corpus) -> None:
    """A corpus whose first `add` is still going on, or was cut off, has not yet what it was made for."""
    # First the lock, then the fact: a writer that finishes in between must not look like one that was stopped.
    is_being_written = is_locked(lock_file(corpus))
    try:
        missing = corpus.store.fact(UNFINISHED).split("\n")
    except Damaged:
        if not is_being_written:
            raise
        missing = ["?"]  # it is empty because it is being made this very moment
    if missing != [""] and is_being_written:
        raise say_being_made(corpus)
    if missing != [""]:
        again = f"run `expound corpus add {shlex.join(missing)} --name {corpus.name}` again to go on, or remove it"
        raise CorpusUnfinished(f"the corpus {corpus.name!r} is unfinished: its first `corpus add` was stopped; {again}")


def _corpus_of(path: Path) -> Corpus:
    """The corpus that holds a path and nothing else, brought up to date; as it is while another process writes it."""
    root = os.path.abspath(path)
    base = name_for(path)
    corpus = Corpus(base, corpora_folder() / base)
    # Another folder of the same name: the hash of the whole path tells the two apart, and is the same each time.
    if is_corpus(base) and corpus.store.roots() != [root]:
        base = f"{base[:50]}-{sha256(os.fsencode(root)).hexdigest()[:8]}"
        corpus = Corpus(base, corpora_folder() / base)
    # As it was last added: asking about a path must not undo the user's own --where.
    where = corpus.store.filter_of(root) if is_corpus(base) else []
    try:
        return add([path], name=base, where=where)[0]
    # A question can still be answered from what was there before.
    except (CorpusBusy, StorageFull):
        if not is_corpus(base):
            raise
        return open_named(base)


def _unknown(spec: str) -> str:
    names = [*corpus_names(), SAMPLER]
    how = f"`expound corpus add {shlex.quote(spec)}` makes one of it; " if spec and is_there(Path(spec)) else ""
    return f"no corpus named {spec!r}; {how}{nearest(spec, names)}"


def _sampler() -> Corpus:
    """The bundled corpus, built on first use and anew whenever its articles or our formats changed."""
    folder = corpora_folder() / SAMPLER
    # By time: hashing the articles at every start would cost more than building them now and then.
    newest = max(file.stat().st_mtime_ns for file in _BUNDLED.iterdir())
    stamp = f"{__version__} {SCHEMA_VERSION} {index_version()} {newest}"
    if _stamp_of(folder) != stamp:  # no lock to read what is there: the disk may be read-only
        if not is_writable(corpora_folder()):
            return _sampler_apart()
        with hold_lock(corpora_folder() / ".sampler-setup.lock"):
            # Another process may have built it while this one waited for the lock.
            if _stamp_of(folder) != stamp:
                shutil.rmtree(folder, ignore_errors=True)
                _add(Corpus(SAMPLER, folder, is_made=True), [_BUNDLED])
                seed_vectors(_BUNDLED / "vectors.npz")
                # The stamp comes last: without it, whatever is there counts as unfinished.
                (folder / _STAMP).write_text(stamp, encoding="utf-8")
    return Corpus(SAMPLER, folder)


def _sampler_apart() -> Corpus:
    """The bundled corpus for this process alone, where the home cannot be written to."""
    folder = Path(_folder_apart().name) / SAMPLER
    # Several threads of a server may ask at once, and only the first makes it.
    with hold_lock(folder.with_name(".sampler-setup.lock")):
        return Corpus(SAMPLER, folder) if _is_filled(folder) else add_apart(folder, [_BUNDLED], name=SAMPLER)[0]


@cache
def _folder_apart() -> TemporaryDirectory[str]:
    # Kept as long as the process: whoever opens the sampler again finds it there.
    return TemporaryDirectory(prefix="expound-sampler-")


def _stamp_of(folder: Path) -> str:
    """What the sampler was built from; nothing if it is not there, unfinished or damaged."""
    try:
        if (folder / STORE).stat().st_size and (folder / "lexical").is_dir():
            return (folder / _STAMP).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    return ""


# -- changing corpora


def needed_files(name: str, *, vectors: bool, embedder: str = "") -> tuple[str, ...]:
    """The fetched files that bringing a corpus up to date takes: vectors that are there follow the documents.

    An embedder of the user's own, named now or when the vectors were made, takes none.
    """
    has_vectors = NAME.fullmatch(name) and (corpora_folder() / name / "dense.faiss").exists()
    is_own = embedder or (has_vectors and Corpus(name, corpora_folder() / name).store.fact(EMBEDDER_FILE))
    return EMBEDDER if (vectors or has_vectors) and not is_own else ()


def add(
    paths: Sequence[Path],
    *,
    name: str,
    where: Sequence[str] = (),
    vectors: bool = False,
    embedder: str = "",
    report: Report | None = None,
    fetched: Sequence[Fetched] = (),
    addresses: Mapping[Path, str] | None = None,
) -> tuple[Corpus, Summary]:
    """Bring a corpus up to date with these paths and with what was fetched by address, store and indexes alike.

    An embedder that is named, a file of `expound train retriever`, makes the vectors, now and when they follow later;
    `addresses` says of files below the paths where they were fetched from.
    """
    if not NAME.fullmatch(name):
        raise UserError(f"{name!r} cannot be a corpus name; use up to 64 letters, digits, '.', '_' and '-'")
    if name == SAMPLER:
        # A user's corpus of that name would be replaced at the next update.
        raise UserError(f"{SAMPLER!r} is the name of the bundled corpus; choose another")
    vectors = vectors or bool(embedder)
    if vectors and open_embedder(embedder) is None:
        resources.require(EMBEDDER)  # said before the documents are read
    corpus = Corpus(name, corpora_folder() / name, is_made=True)
    settings: dict[str, Any] = {"where": where, "vectors": vectors, "embedder": embedder, "fetched": fetched}
    return corpus, _add(corpus, paths, report=report, addresses=addresses, **settings)


def add_apart(
    folder: Path,
    paths: Sequence[Path],
    *,
    name: str,
    report: Report | None = None,
    addresses: Mapping[Path, str] | None = None,
) -> tuple[Corpus, Summary]:
    """The same for a corpus in a folder of its own: no list has it, and only who knows the folder opens it."""
    corpus = Corpus(name, folder, is_made=True)
    return corpus, _add(corpus, paths, report=report, addresses=addresses)


def _add(
    corpus: Corpus,
    paths: Sequence[Path],
    *,
    where: Sequence[str] = (),
    vectors: bool = False,
    embedder: str = "",
    report: Report | None = None,
    fetched: Sequence[Fetched] = (),
    addresses: Mapping[Path, str] | None = None,
) -> Summary:
    # Reading and indexing under one lock: another process would see passages that no index knows yet.
    with hold_for_writing(corpus):
        is_new = not _forget_if_empty(corpus)
        given = [*(os.path.abspath(path) for path in paths), *(item.address for item in fetched)]
        try:
            if is_new:
                # Said before the first file is read: a kill at any moment
                # leaves a corpus that says that it is unfinished.
                corpus.store.set_fact(UNFINISHED, "\n".join(map(plain_line, given)))
            # Here: whoever asks a question reads no file, and the readers of all formats take a while to load.
            from expound.corpus.fetched_files import keep_addresses, keep_fetched
            from expound.corpus.ingest import ingest

            keep_addresses(corpus.store, addresses or {})
            paths = [*paths, *keep_fetched(corpus.store, corpus.folder, fetched)]
            summary = ingest(corpus.store, paths, where=where, report=report)
            # All that was missing has been given again; another path
            # added to an unfinished corpus does not finish it.
            if set(corpus.store.fact(UNFINISHED).split("\n")) <= {"", *map(plain_line, given)}:
                corpus.store.set_fact(UNFINISHED, "")
            if is_new and not corpus.store.count():
                raise UserError(f"nothing was taken in: {summary.filtered:,} passages were left out by --where")
            build_indexes(corpus, vectors=vectors, embedder=embedder, report=report)
            _write_rejects(corpus)
        except ExpoundError:
            # A new corpus that failed leaves nothing behind; one with passages can be gone on with.
            if is_new and not _holds_passages(corpus):
                shutil.rmtree(corpus.folder, ignore_errors=True)
            raise
    return summary


def _forget_if_empty(corpus: Corpus) -> bool:
    """Whether there is a store with something in it; one that was emptied goes, with the indexes that knew more."""
    is_filled = _is_filled(corpus.folder)
    if (corpus.folder / STORE).exists() and not is_filled:
        shutil.rmtree(corpus.folder)
    return is_filled


def _is_filled(folder: Path) -> bool:
    file = folder / STORE
    return file.exists() and file.stat().st_size > 0


def _holds_passages(corpus: Corpus) -> bool:
    try:
        return corpus.store.count() > 0
    except (ExpoundError, sqlite3.Error):
        return False


def remove(name: str) -> None:
    """Delete a corpus with its indexes; the documents themselves are not touched."""
    folder = corpora_folder() / name
    if not NAME.fullmatch(name) or not folder.is_dir():
        raise UnknownName(_unknown(name))
    with hold_for_writing(Corpus(name, folder)):
        doomed = folder.with_name(f".{name}.{os.getpid()}.removed")
        # A rename is one step, deleting files is many: nobody may open half a corpus.
        folder.replace(doomed)  # gone at once for every other process, then deleted at leisure
    shutil.rmtree(doomed, ignore_errors=True)


def rebuild(name: str, *, vectors: bool = False, embedder: str = "", report: Report | None = None) -> Corpus:
    """Make the indexes of a corpus anew from its stored passages; an embedder that is named makes the vectors."""
    folder = corpora_folder() / name
    if not is_corpus(name):
        raise UnknownName(_unknown(name))
    vectors = vectors or bool(embedder)
    if open_embedder(embedder) is None:
        resources.require(
            needed_files(name, vectors=vectors, embedder=embedder)
        )  # the vectors of now are not given up for none
    corpus = Corpus(name, folder)
    with hold_for_writing(corpus):
        has_vectors = (folder / "dense.faiss").exists()
        forget_index(corpus)
        # Vectors count as missing from here on, should building them be cut off.
        corpus.store.set_fact("embedded", "")
        (folder / "dense.faiss").unlink(missing_ok=True)
        build_indexes(corpus, vectors=vectors or has_vectors, embedder=embedder, report=report)
    return corpus


def _write_rejects(corpus: Corpus) -> None:
    """The files that could not be read, with reasons, as JSON Lines beside the corpus."""
    with write_whole(corpus.folder / "rejects.jsonl", mode=0o600) as file:
        for path, reason in corpus.store.rejects():
            file.write(json.dumps({"path": path, "reason": reason}, ensure_ascii=False) + "\n")
