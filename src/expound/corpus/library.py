"""The corpora of this machine: stored passages and their indexes, joined under a name."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from expound import resources
from expound.corpus.ingest import Summary, ingest
from expound.corpus.store import SCHEMA_VERSION, Store
from expound.errors import (
    CorpusBusy,
    CorpusUnfinished,
    Damaged,
    ExpoundError,
    StorageFull,
    UnknownName,
    UserError,
    WrongVersion,
    nearest,
)
from expound.files import is_locked, is_there, is_writable, locked, only_for_owner, written_whole
from expound.index.dense import DenseIndex, build_dense
from expound.index.lexical import LexicalIndex, index_version, write_format
from expound.index.vectors import CachedEmbedder, CachedRanker, VectorStore
from expound.models import RANKER_FILE
from expound.models import default_ranker as shipped_ranker
from expound.models.embedder import MiniLM
from expound.protocols import Embedder, Ranker
from expound.resource_table import EMBEDDER
from expound.text.plain import plain_line
from expound.text.titled import titled
from expound.version import __version__

if TYPE_CHECKING:
    from expound.protocols import Vectors

SAMPLER = "sampler"
STORE = "passages.sqlite"
# In the store and not a file beside it: it goes with the transaction that makes it untrue.
UNFINISHED = "unfinished"
"""The fact that a corpus has until all that it was first made from has been read."""

Report = Callable[[str, int, int], None]

# A name is a folder, and stands in shell commands.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# The embedder sorts what it gets by length: enough for little padding, and done in some three seconds.
_EMBED_AT_ONCE = 64
_STAMP = "stamp"
# Removed passages count in tantivy's statistics until it happens to merge them away, so that the same documents would
# be ranked differently after a change. An index of this size is made anew in some seconds instead.
MADE_ANEW_UP_TO = 100_000


class Corpus:
    """A named corpus; its parts are opened when first used. Who `is_made` may be absent, all others are read."""

    def __init__(self, name: str, folder: Path, *, is_made: bool = False) -> None:
        self.name, self.folder, self._is_made = name, folder, is_made

    @cached_property
    def store(self) -> Store:
        return Store(self.folder / STORE, is_made=self._is_made)

    @cached_property
    def lexical(self) -> LexicalIndex:
        with self._index_errors():
            return LexicalIndex(self.folder / "lexical")

    @cached_property
    def dense(self) -> DenseIndex | None:
        file = self.folder / "dense.faiss"
        with self._index_errors():
            return DenseIndex(file) if file.exists() else None

    @contextmanager
    def _index_errors(self) -> Iterator[None]:
        """An index can be made anew from the passages: say how."""
        try:
            yield
        except (Damaged, WrongVersion) as error:
            # The class stays: whoever catches one of the two must still get it.
            raise type(error)(f"corpus {self.name}: {error}; run `expound index build {self.name}`") from error

    def close(self) -> None:
        self.store.close()


# -- finding corpora


def corpora_folder() -> Path:
    return resources.home_folder("corpora")


def corpus_names() -> list[str]:
    """The user's corpora, in alphabetical order; the sampler is not among them."""
    folder = corpora_folder()
    entries = folder.iterdir() if folder.is_dir() else ()
    found = [entry.name for entry in entries if (entry / STORE).exists()]
    # Folders that others put here are not ours: only what could have been made by `add` is listed.
    return sorted(name for name in found if name != SAMPLER and _NAME.fullmatch(name))


def open_corpora(specs: Sequence[str] = ()) -> list[Corpus]:
    """The corpora of these names or paths; without any, all of the user's, else the sampler."""
    return [open_corpus(spec) for spec in dict.fromkeys(specs or corpus_names() or [SAMPLER])]


def open_corpus(spec: str) -> Corpus:
    """A corpus by name; a path is added under a name of its own and kept up to date."""
    if spec == SAMPLER or is_corpus(spec):
        return open_named(spec)
    # A separator says that a path is meant, even one that is not there: the message then speaks of a path.
    if spec and (os.sep in spec or is_there(Path(spec))):
        return _corpus_of(Path(spec))
    raise UnknownName(_unknown(spec))


def open_named(name: str) -> Corpus:
    """A corpus by its name alone: nothing is added to be opened."""
    if name == SAMPLER:
        return _sampler()
    if not is_corpus(name):
        raise UnknownName(_unknown(name))
    corpus = Corpus(name, corpora_folder() / name)
    _refuse_unfinished(corpus)
    _catch_up(corpus)
    return corpus


def is_corpus(name: str) -> bool:
    """Whether there is a corpus of that name, in whatever state."""
    return _NAME.fullmatch(name) is not None and (corpora_folder() / name / STORE).exists()


def _refuse_unfinished(corpus: Corpus) -> None:
    """A corpus whose first `add` is still going on, or was cut off, has not yet what it was made for."""
    # First the lock, then the fact: a writer that finishes in between must not look like one that was stopped.
    is_being_written = is_locked(_lock_file(corpus))
    try:
        missing = corpus.store.fact(UNFINISHED).split("\n")
    except Damaged:
        if not is_being_written:
            raise
        missing = ["?"]  # it is empty because it is being made this very moment
    if missing != [""] and is_being_written:
        raise _being_made(corpus)
    if missing != [""]:
        again = f"run `expound corpus add {shlex.join(missing)} --name {corpus.name}` again to go on, or remove it"
        raise CorpusUnfinished(f"the corpus {corpus.name!r} is unfinished: its first `corpus add` was stopped; {again}")


def _being_made(corpus: Corpus) -> CorpusBusy:
    return CorpusBusy(f"the corpus {corpus.name!r} is still being made by another process; ask when it is done")


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


def name_for(path: Path) -> str:
    """A corpus name made from a path: its last part, with odd characters replaced."""
    stem = Path(os.path.abspath(path)).name.split(".")[0]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:64]
    # A file called ".notes" or "—" leaves nothing to make a name of.
    return name if _NAME.fullmatch(name) and name != SAMPLER else "documents"


def _sampler() -> Corpus:
    """The bundled corpus, built on first use and anew whenever its articles or our formats changed."""
    folder = corpora_folder() / SAMPLER
    bundled = Path(__file__).parent / "sampler"
    # By time: hashing the articles at every start would cost more than building them now and then.
    newest = max(file.stat().st_mtime_ns for file in bundled.iterdir())
    stamp = f"{__version__} {SCHEMA_VERSION} {index_version()} {newest}"
    if _stamp_of(folder) != stamp:  # no lock to read what is there: the disk may be read-only
        with locked(corpora_folder() / ".sampler-setup.lock"):
            # Another process may have built it while this one waited for the lock.
            if _stamp_of(folder) != stamp:
                shutil.rmtree(folder, ignore_errors=True)
                _add(Corpus(SAMPLER, folder, is_made=True), [bundled])
                _seed_vectors(bundled / "vectors.npz")
                # The stamp comes last: without it, whatever is there counts as unfinished.
                (folder / _STAMP).write_text(stamp, encoding="utf-8")
    return Corpus(SAMPLER, folder)


def _stamp_of(folder: Path) -> str:
    """What the sampler was built from; nothing if it is not there, unfinished or damaged."""
    try:
        if (folder / STORE).stat().st_size and (folder / "lexical").is_dir():
            return (folder / _STAMP).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    return ""


# -- changing corpora


def needed_files(name: str, *, vectors: bool) -> tuple[str, ...]:
    """The fetched files that bringing a corpus up to date takes: vectors that are there follow the documents."""
    has_vectors = _NAME.fullmatch(name) and (corpora_folder() / name / "dense.faiss").exists()
    return EMBEDDER if vectors or has_vectors else ()


def add(
    paths: Sequence[Path],
    *,
    name: str,
    where: Sequence[str] = (),
    vectors: bool = False,
    report: Report | None = None,
) -> tuple[Corpus, Summary]:
    """Bring a corpus up to date with these paths, store and indexes alike."""
    if not _NAME.fullmatch(name):
        raise UserError(f"{name!r} cannot be a corpus name; use up to 64 letters, digits, '.', '_' and '-'")
    if name == SAMPLER:
        # A user's corpus of that name would be replaced at the next update.
        raise UserError(f"{SAMPLER!r} is the name of the bundled corpus; choose another")
    if vectors and default_embedder() is None:
        resources.require(EMBEDDER)  # said before the documents are read
    corpus = Corpus(name, corpora_folder() / name, is_made=True)
    return corpus, _add(corpus, paths, where=where, vectors=vectors, report=report)


def _add(
    corpus: Corpus,
    paths: Sequence[Path],
    *,
    where: Sequence[str] = (),
    vectors: bool = False,
    report: Report | None = None,
) -> Summary:
    # Reading and indexing under one lock: another process would see passages that no index knows yet.
    with _writing(corpus):
        is_new = not _forget_if_empty(corpus)
        given = [os.path.abspath(path) for path in paths]
        try:
            if is_new:
                # Said before the first file is read: a kill at any moment
                # leaves a corpus that says that it is unfinished.
                corpus.store.set_fact(UNFINISHED, "\n".join(map(plain_line, given)))
            summary = ingest(corpus.store, paths, where=where, report=report)
            # All that was missing has been given again; another path
            # added to an unfinished corpus does not finish it.
            if set(corpus.store.fact(UNFINISHED).split("\n")) <= {"", *map(plain_line, given)}:
                corpus.store.set_fact(UNFINISHED, "")
            if is_new and not corpus.store.count():
                raise UserError(f"nothing was taken in: {summary.filtered:,} passages were left out by --where")
            build_indexes(corpus, vectors=vectors, report=report)
            _write_rejects(corpus)
        except ExpoundError:
            # A new corpus that failed leaves nothing behind; one with passages can be gone on with.
            if is_new and not _holds_passages(corpus):
                shutil.rmtree(corpus.folder, ignore_errors=True)
            raise
    return summary


def _forget_if_empty(corpus: Corpus) -> bool:
    """Whether there is a store with something in it; one that was emptied goes, with the indexes that knew more."""
    file = corpus.folder / STORE
    is_filled = file.exists() and file.stat().st_size > 0
    if file.exists() and not is_filled:
        shutil.rmtree(corpus.folder)
    return is_filled


def _holds_passages(corpus: Corpus) -> bool:
    try:
        return corpus.store.count() > 0
    except (ExpoundError, sqlite3.Error):
        return False


def remove(name: str) -> None:
    """Delete a corpus with its indexes; the documents themselves are not touched."""
    folder = corpora_folder() / name
    if not _NAME.fullmatch(name) or not folder.is_dir():
        raise UnknownName(_unknown(name))
    with _writing(Corpus(name, folder)):
        doomed = folder.with_name(f".{name}.{os.getpid()}.removed")
        # A rename is one step, deleting files is many: nobody may open half a corpus.
        folder.replace(doomed)  # gone at once for every other process, then deleted at leisure
    shutil.rmtree(doomed, ignore_errors=True)


def rebuild(name: str, *, vectors: bool = False, report: Report | None = None) -> Corpus:
    """Make the indexes of a corpus anew from its stored passages."""
    folder = corpora_folder() / name
    if not is_corpus(name):
        raise UnknownName(_unknown(name))
    if default_embedder() is None:
        resources.require(needed_files(name, vectors=vectors))  # the vectors of now are not given up for none
    corpus = Corpus(name, folder)
    with _writing(corpus):
        has_vectors = (folder / "dense.faiss").exists()
        _forget_index(corpus)
        # Vectors count as missing from here on, should building them be cut off.
        corpus.store.set_fact("embedded", "")
        (folder / "dense.faiss").unlink(missing_ok=True)
        build_indexes(corpus, vectors=vectors or has_vectors, report=report)
    return corpus


def build_indexes(corpus: Corpus, *, vectors: bool = False, report: Report | None = None) -> None:
    """Let the indexes follow the store: from where they are, never from the start."""
    _follow(corpus, report)
    if vectors or (corpus.folder / "dense.faiss").exists():
        _build_vectors(corpus, report)


def _follow(corpus: Corpus, report: Report | None) -> None:
    store = corpus.store
    is_there = (corpus.folder / "lexical" / "expound.format").exists()
    # The folder may have been deleted by hand; the store then still remembers how far it had got.
    indexed = int(store.fact("indexed", "0")) if (corpus.folder / "lexical").exists() else 0
    removed = [row[0] for row in store.connection.execute("SELECT number FROM removed")]
    last = int(store.connection.execute("SELECT coalesce(max(number), 0) FROM passages").fetchone()[0])
    # The marker is written last: without it, an index that seems to be up to date was cut off.
    if not removed and last <= indexed and is_there:
        return
    if removed and last <= MADE_ANEW_UP_TO:
        indexed = _forget_index(corpus)
    todo = store.connection.execute("SELECT count(*) FROM passages WHERE number > ?", (indexed,)).fetchone()[0]

    def committed(count: int, number: int) -> None:
        store.set_fact("indexed", str(number))
        if report:
            report("indexing", count, todo)

    # In rising numbers, so that `indexed` means that everything up to it is in.
    corpus.lexical.update(store.iter_texts(after=indexed), removed, committed=committed)
    write_format(corpus.folder / "lexical")
    # Together: what is cut off here is done again from the same state.
    with store.transaction():
        store.set_fact("indexed", str(max(last, indexed)))
        store.connection.executemany("DELETE FROM removed WHERE number = ?", [(number,) for number in removed])


def _forget_index(corpus: Corpus) -> int:
    """Start the index by words afresh; returns up to which number it reaches now."""
    corpus.store.set_fact("indexed", "0")
    # The open index still knows the old files.
    corpus.__dict__.pop("lexical", None)
    shutil.rmtree(corpus.folder / "lexical", ignore_errors=True)
    return 0


def _build_vectors(corpus: Corpus, report: Report | None) -> None:
    total, last = corpus.store.connection.execute("SELECT count(*), max(number) FROM passages").fetchone()
    # Passages are only added and removed, never changed under their number: count and last number tell every state.
    state = f"{total} {last}"
    if corpus.store.fact("embedded") == state:
        return
    embedder = default_embedder()
    if embedder is None:
        raise UserError("vectors need the embedder: `expound models get minilm minilm-tokenizer` installs it")

    def batches() -> Iterator[tuple[list[int], Vectors]]:
        done = 0
        for numbers, texts in _in_batches(corpus.store.iter_texts()):
            yield numbers, embedder.embed(texts)
            done += len(numbers)
            if report:
                report("embedding", done, total)

    build_dense(corpus.folder / "dense.faiss", batches(), total=total, dimensions=MiniLM.dimensions)
    corpus.store.set_fact("embedded", state)
    corpus.__dict__.pop("dense", None)


def _in_batches(rows: Iterator[tuple[int, str, str]]) -> Iterator[tuple[list[int], list[str]]]:
    numbers: list[int] = []
    texts: list[str] = []
    for number, title, text in rows:
        numbers.append(number)
        texts.append(titled(title, text))
        if len(numbers) == _EMBED_AT_ONCE:
            yield numbers, texts
            numbers, texts = [], []
    if numbers:
        yield numbers, texts


def _catch_up(corpus: Corpus) -> None:
    """Finish what an interrupted `add` left undone, unless another process is at it."""
    last = int(corpus.store.connection.execute("SELECT coalesce(max(number), 0) FROM passages").fetchone()[0])
    is_there = (corpus.folder / "lexical").exists()
    is_behind = int(corpus.store.fact("indexed", "0")) < last or corpus.store.count("removed") or not is_there
    # Looking things up in a corpus that others keep must work without the right to write.
    if not is_behind or (is_there and not is_writable(corpus.folder)):
        return
    try:
        with _writing(corpus):
            _follow(corpus, None)
    # Another process is at it: what the index has until then can be searched.
    except CorpusBusy as error:
        if last and not int(corpus.store.fact("indexed", "0")):
            raise _being_made(corpus) from error  # there is nothing to be found in yet


@contextmanager
def _writing(corpus: Corpus) -> Iterator[None]:
    """Write alone, and for this user alone."""
    busy = CorpusBusy(f"another expound process is writing to the corpus {corpus.name!r}; try again when it is done")
    # Documents may be private, and the folder of corpora may lie on a shared machine.
    with locked(_lock_file(corpus), busy=busy), only_for_owner():
        yield


def _lock_file(corpus: Corpus) -> Path:
    # Beside the folder, since removing a corpus removes the folder, with the lock that guards it.
    return corpus.folder.parent / f".{corpus.name}.lock"


def _write_rejects(corpus: Corpus) -> None:
    """The files that could not be read, with reasons, as JSON Lines beside the corpus."""
    with written_whole(corpus.folder / "rejects.jsonl") as file:
        for path, reason in corpus.store.rejects():
            file.write(json.dumps({"path": path, "reason": reason}, ensure_ascii=False) + "\n")


# -- vectors


def default_embedder() -> Embedder | None:
    """The installed embedder with its store of vectors; None when it is not installed."""
    if resources.missing(EMBEDDER):
        return None
    model, tokenizer = map(resources.path, EMBEDDER)
    embedder = MiniLM(model, tokenizer)
    size = model.stat().st_size
    if size != resources.find("minilm").size_bytes:  # a model of the user's own: its vectors are others
        embedder.name = f"{embedder.name}-{size}"
    return CachedEmbedder(embedder, vector_store())


def default_ranker() -> Ranker | None:
    """The shipped ranker with its store of ranks; None when its tokenizer is not installed."""
    ranker = shipped_ranker()
    if ranker is None:
        return None
    status = RANKER_FILE.stat()  # other weights give other ranks
    store = VectorStore(resources.home_folder("cache") / "ranks.sqlite")
    return CachedRanker(ranker, store, version=f"{status.st_size} {status.st_mtime_ns}")


def vector_store() -> VectorStore:
    return VectorStore(resources.home_folder("cache") / "vectors.sqlite")


def _seed_vectors(file: Path) -> None:
    """Take over the vectors that ship with the sampler."""
    if not file.exists():
        return
    import numpy as np

    # Nothing that is loaded may run code.
    with np.load(file, allow_pickle=False) as arrays:
        keys, values = arrays["keys"], arrays["values"]
    vector_store().put([(key.tobytes(), value.tobytes()) for key, value in zip(keys, values, strict=True)])
