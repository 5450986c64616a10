"""The corpora of this machine: stored passages and their indexes, joined under a name."""

from __future__ import annotations

import json
import os
import re
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
from expound.errors import CorpusBusy, ExpoundError, UnknownName, UserError, WrongVersion, nearest
from expound.files import is_writable, locked, only_for_owner, written_whole
from expound.index.dense import DenseIndex, build_dense
from expound.index.lexical import LexicalIndex, index_version, write_format
from expound.index.vectors import CachedEmbedder, CachedRanker, VectorStore
from expound.models import RANKER_FILE
from expound.models import default_ranker as shipped_ranker
from expound.models.embedder import MiniLM
from expound.protocols import Embedder, Ranker
from expound.resource_table import EMBEDDER
from expound.text.titled import titled
from expound.version import __version__

if TYPE_CHECKING:
    from expound.protocols import Vectors

SAMPLER = "sampler"

Report = Callable[[str, int, int], None]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EMBED_AT_ONCE = 64
# Removed passages count in tantivy's statistics until it happens to merge them away, so that the same documents would
# be ranked differently after a change. An index of this size is made anew in some seconds instead.
MADE_ANEW_UP_TO = 100_000


class Corpus:
    """A named corpus, opened for reading; its parts are opened when first used."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder

    @cached_property
    def store(self) -> Store:
        return Store(self.folder / "passages.sqlite")

    @cached_property
    def lexical(self) -> LexicalIndex:
        try:
            return LexicalIndex(self.folder / "lexical")
        except WrongVersion as error:
            raise WrongVersion(f"corpus {self.name}: {error}; run `expound index build {self.name}`") from error

    @cached_property
    def dense(self) -> DenseIndex | None:
        file = self.folder / "dense.faiss"
        return DenseIndex(file) if file.exists() else None

    def close(self) -> None:
        self.store.close()


# -- finding corpora


def corpora_folder() -> Path:
    return resources.home_folder("corpora")


def corpus_names() -> list[str]:
    """The user's corpora, in alphabetical order; the sampler is not among them."""
    folder = corpora_folder()
    entries = folder.iterdir() if folder.is_dir() else ()
    found = [entry.name for entry in entries if (entry / "passages.sqlite").exists()]
    return sorted(name for name in found if name != SAMPLER and _NAME.fullmatch(name))


def open_corpora(specs: Sequence[str] = ()) -> list[Corpus]:
    """The corpora of these names or paths; without any, all of the user's, else the sampler."""
    return [open_corpus(spec) for spec in dict.fromkeys(specs or corpus_names() or [SAMPLER])]


def open_corpus(spec: str) -> Corpus:
    """A corpus by name; a path is added under a name of its own and kept up to date."""
    if spec == SAMPLER:
        return _sampler()
    folder = corpora_folder() / spec
    if _NAME.fullmatch(spec) and (folder / "passages.sqlite").exists():
        corpus = Corpus(spec, folder)
        _catch_up(corpus)
        return corpus
    if os.sep in spec or Path(spec).exists():
        return _corpus_of(Path(spec))
    raise UnknownName(_unknown(spec))


def _corpus_of(path: Path) -> Corpus:
    """The corpus that holds a path and nothing else, brought up to date; as it is while another process writes it."""
    root = os.path.abspath(path)
    base = name_for(path)
    corpus = Corpus(base, corpora_folder() / base)
    if (corpus.folder / "passages.sqlite").exists() and corpus.store.roots() != [root]:
        base = f"{base[:50]}-{sha256(os.fsencode(root)).hexdigest()[:8]}"
        corpus = Corpus(base, corpora_folder() / base)
    where = corpus.store.filter_of(root) if (corpus.folder / "passages.sqlite").exists() else []
    try:
        return add([path], name=base, where=where)[0]
    except CorpusBusy:
        return corpus


def _unknown(spec: str) -> str:
    names = [*corpus_names(), SAMPLER]
    return f"no corpus named {spec!r}; {nearest(spec, names)}"


def name_for(path: Path) -> str:
    """A corpus name made from a path: its last part, with odd characters replaced."""
    stem = Path(os.path.abspath(path)).name.split(".")[0]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:64]
    return name if _NAME.fullmatch(name) and name != SAMPLER else "documents"


def _sampler() -> Corpus:
    """The bundled corpus, built on first use and anew whenever its articles or our formats changed."""
    folder = corpora_folder() / SAMPLER
    bundled = Path(__file__).parent / "corpus" / "sampler"
    newest = max(file.stat().st_mtime_ns for file in bundled.iterdir())
    stamp = f"{__version__} {SCHEMA_VERSION} {index_version()} {newest}"
    marker = folder / "stamp"
    with locked(corpora_folder() / ".sampler-setup.lock"):
        if not marker.exists() or marker.read_text(encoding="utf-8") != stamp:
            shutil.rmtree(folder, ignore_errors=True)
            _add(Corpus(SAMPLER, folder), [bundled])
            _seed_vectors(bundled / "vectors.npz")
            marker.write_text(stamp, encoding="utf-8")
    return Corpus(SAMPLER, folder)


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
        raise UserError(f"{SAMPLER!r} is the name of the bundled corpus; choose another")
    if vectors and default_embedder() is None:
        resources.require(EMBEDDER)  # said before the documents are read
    corpus = Corpus(name, corpora_folder() / name)
    return corpus, _add(corpus, paths, where=where, vectors=vectors, report=report)


def _add(
    corpus: Corpus,
    paths: Sequence[Path],
    *,
    where: Sequence[str] = (),
    vectors: bool = False,
    report: Report | None = None,
) -> Summary:
    with _writing(corpus):
        is_new = not (corpus.folder / "passages.sqlite").exists()
        try:
            summary = ingest(corpus.store, paths, where=where, report=report)
            if is_new and not corpus.store.count():
                raise UserError(f"nothing was taken in: {summary.filtered:,} passages were left out by --where")
            build_indexes(corpus, vectors=vectors, report=report)
            _write_rejects(corpus)
        except ExpoundError:
            if is_new and not _holds_passages(corpus):
                shutil.rmtree(corpus.folder, ignore_errors=True)
            raise
    return summary


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
        folder.replace(doomed)  # gone at once for every other process, then deleted at leisure
    shutil.rmtree(doomed, ignore_errors=True)


def rebuild(name: str, *, vectors: bool = False, report: Report | None = None) -> Corpus:
    """Make the indexes of a corpus anew from its stored passages."""
    folder = corpora_folder() / name
    if not (folder / "passages.sqlite").exists():
        raise UnknownName(_unknown(name))
    if default_embedder() is None:
        resources.require(needed_files(name, vectors=vectors))  # the vectors of now are not given up for none
    corpus = Corpus(name, folder)
    with _writing(corpus):
        has_vectors = (folder / "dense.faiss").exists()
        _forget_index(corpus)
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
    indexed = int(store.fact("indexed", "0")) if (corpus.folder / "lexical").exists() else 0
    removed = [row[0] for row in store.connection.execute("SELECT number FROM removed")]
    last = int(store.connection.execute("SELECT coalesce(max(number), 0) FROM passages").fetchone()[0])
    if not removed and last <= indexed and is_there:
        return
    if removed and last <= MADE_ANEW_UP_TO:
        indexed = _forget_index(corpus)
    todo = store.connection.execute("SELECT count(*) FROM passages WHERE number > ?", (indexed,)).fetchone()[0]

    def committed(count: int, number: int) -> None:
        store.set_fact("indexed", str(number))
        if report:
            report("indexing", count, todo)

    corpus.lexical.update(store.iter_texts(after=indexed), removed, committed=committed)
    write_format(corpus.folder / "lexical")
    with store.transaction():
        store.set_fact("indexed", str(max(last, indexed)))
        store.connection.executemany("DELETE FROM removed WHERE number = ?", [(number,) for number in removed])


def _forget_index(corpus: Corpus) -> int:
    """Start the index by words afresh; returns up to which number it reaches now."""
    corpus.store.set_fact("indexed", "0")
    corpus.__dict__.pop("lexical", None)
    shutil.rmtree(corpus.folder / "lexical", ignore_errors=True)
    return 0


def _build_vectors(corpus: Corpus, report: Report | None) -> None:
    total, last = corpus.store.connection.execute("SELECT count(*), max(number) FROM passages").fetchone()
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
    if not is_behind or not is_writable(corpus.folder):
        return
    try:
        with _writing(corpus):
            _follow(corpus, None)
    except CorpusBusy:
        return


@contextmanager
def _writing(corpus: Corpus) -> Iterator[None]:
    """Write alone, and for this user alone."""
    busy = CorpusBusy(f"another expound process is writing to the corpus {corpus.name!r}; try again when it is done")
    with locked(corpus.folder.parent / f".{corpus.name}.lock", busy=busy), only_for_owner():
        yield


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

    with np.load(file, allow_pickle=False) as arrays:
        keys, values = arrays["keys"], arrays["values"]
    vector_store().put([(key.tobytes(), value.tobytes()) for key, value in zip(keys, values, strict=True)])
