"""A named corpus: its folder, its parts, who may call it what, and the lock of whoever writes to it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from expound import resources
from expound.corpus.store import Store
from expound.errors import CorpusBusy, Damaged, WrongVersion
from expound.files import close_below, hold_lock, private_folder, storage_error
from expound.index.dense import DenseIndex
from expound.index.lexical import LexicalIndex
from expound.protocols import Embedder

SAMPLER = "sampler"
STORE = "passages.sqlite"
EMBEDDED_BY, EMBEDDER_FILE = "embedder", "embedder_file"
"""Facts of a corpus with vectors: whose they are, and where that embedder is, if it is a file of the user's own."""
# A name is a folder, and stands in shell commands.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


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

    def dense_of(self, embedder: Embedder | None) -> DenseIndex | None:
        """The index by meaning, if this embedder made it: the vectors of two have nothing to do with each other."""
        # Corpora of before there was a choice say nothing, and are the machine's own embedder's.
        is_known = embedder is not None and self.store.fact(EMBEDDED_BY, embedder.name) == embedder.name
        return self.dense if is_known else None

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


def corpora_folder() -> Path:
    return resources.home_folder("corpora")


def is_corpus(name: str) -> bool:
    """Whether there is a corpus of that name, in whatever state."""
    return NAME.fullmatch(name) is not None and (corpora_folder() / name / STORE).exists()


def name_for(path: Path) -> str:
    """A corpus name made from a path: its last part, with odd characters replaced."""
    stem = Path(os.path.abspath(path)).name.split(".")[0]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:64]
    # A file called ".notes" or "—" leaves nothing to make a name of.
    return name if NAME.fullmatch(name) and name != SAMPLER else "documents"


def say_being_made(corpus: Corpus) -> CorpusBusy:
    return CorpusBusy(f"the corpus {corpus.name!r} is still being made by another process; ask when it is done")


@contextmanager
def hold_for_writing(corpus: Corpus) -> Iterator[None]:
    """Write alone, and for this user alone."""
    busy = CorpusBusy(f"another expound process is writing to the corpus {corpus.name!r}; try again when it is done")
    with hold_lock(lock_file(corpus), busy=busy):
        try:
            # Documents may be private, and the machine shared. A folder that only its owner can enter keeps others from
            # whatever libraries write into it; a umask would be the whole process's, and a server has other threads.
            private_folder(corpus.folder)
        except OSError as error:
            raise storage_error(error, corpus.folder) from error
        try:
            yield
        finally:
            # A folder can be copied, or opened by hand: the index of words in it is as private as the passages.
            close_below(corpus.folder)


def lock_file(corpus: Corpus) -> Path:
    # Beside the folder, since removing a corpus removes the folder, with the lock that guards it.
    return corpus.folder.parent / f".{corpus.name}.lock"
