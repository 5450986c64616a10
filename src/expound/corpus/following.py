"""Let the indexes of a corpus follow its passages: from where they are, also after a run that was cut off."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from expound.corpus.kept_models import open_embedder
from expound.corpus.named import EMBEDDED_BY, EMBEDDER_FILE, Corpus, hold_for_writing, say_being_made
from expound.errors import CorpusBusy, UserError
from expound.files import is_writable, user_path
from expound.index.dense import build_dense
from expound.index.lexical import write_format
from expound.text.titled import add_title

if TYPE_CHECKING:
    from expound.corpus.ingest import Report
    from expound.protocols import Vectors


# Removed passages count in tantivy's statistics until it happens to merge them away, so that the same documents would
# be ranked differently after a change. An index of this size is made anew in some seconds instead.
MADE_ANEW_UP_TO = 100_000
# The embedder sorts what it gets by length: enough for little padding, and done in some three seconds.
_EMBED_AT_ONCE = 64


def build_indexes(corpus: Corpus, *, vectors: bool = False, embedder: str = "", report: Report | None = None) -> None:
    """Let the indexes follow the store: from where they are, never from the start.

    Vectors are made by the embedder that is named, else by the one that made those that are there.
    """
    _follow(corpus, report)
    if vectors or (corpus.folder / "dense.faiss").exists():
        _build_vectors(corpus, embedder or corpus.store.fact(EMBEDDER_FILE), report)


def catch_up(corpus: Corpus) -> None:
    """Finish what an interrupted `add` left undone, unless another process is at it."""
    last = int(corpus.store.connection.execute("SELECT coalesce(max(number), 0) FROM passages").fetchone()[0])
    is_there = (corpus.folder / "lexical").exists()
    is_behind = int(corpus.store.fact("indexed", "0")) < last or corpus.store.count("removed") or not is_there
    # Looking things up in a corpus that others keep must work without the right to write.
    if not is_behind or (is_there and not is_writable(corpus.folder)):
        return
    try:
        with hold_for_writing(corpus):
            _follow(corpus, None)
    # Another process is at it: what the index has until then can be searched.
    except CorpusBusy as error:
        if last and not int(corpus.store.fact("indexed", "0")):
            raise say_being_made(corpus) from error  # there is nothing to be found in yet


def forget_index(corpus: Corpus) -> int:
    """Start the index by words afresh; returns up to which number it reaches now."""
    corpus.store.set_fact("indexed", "0")
    # The open index still knows the old files.
    corpus.__dict__.pop("lexical", None)
    shutil.rmtree(corpus.folder / "lexical", ignore_errors=True)
    return 0


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
        indexed = forget_index(corpus)
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


def _build_vectors(corpus: Corpus, spec: str, report: Report | None) -> None:
    embedder = open_embedder(spec)
    if embedder is None:
        raise UserError("vectors need the embedder: `expound models get minilm minilm-tokenizer` installs it")
    total, last = corpus.store.connection.execute("SELECT count(*), max(number) FROM passages").fetchone()
    # Passages are only added and removed, never changed under their number: count and last number tell every state.
    state = f"{total} {last}"
    if corpus.store.fact("embedded") == state and corpus.store.fact(EMBEDDED_BY, embedder.name) == embedder.name:
        return

    def batches() -> Iterator[tuple[list[int], Vectors]]:
        done = 0
        for numbers, texts in _in_batches(corpus.store.iter_texts()):
            yield numbers, embedder.embed(texts)
            done += len(numbers)
            if report:
                report("embedding", done, total)

    build_dense(corpus.folder / "dense.faiss", batches(), total=total)
    with corpus.store.transaction():
        corpus.store.set_fact("embedded", state)
        corpus.store.set_fact(EMBEDDED_BY, embedder.name)
        # From wherever the next command is called.
        corpus.store.set_fact(EMBEDDER_FILE, os.path.abspath(user_path(spec)) if spec else "")
    corpus.__dict__.pop("dense", None)


def _in_batches(rows: Iterator[tuple[int, str, str]]) -> Iterator[tuple[list[int], list[str]]]:
    numbers: list[int] = []
    texts: list[str] = []
    for number, title, text in rows:
        numbers.append(number)
        texts.append(add_title(title, text))
        if len(numbers) == _EMBED_AT_ONCE:
            yield numbers, texts
            numbers, texts = [], []
    if numbers:
        yield numbers, texts
