"""Questions to answers in the threads of the lanes: what a thread opens stays open for its next question."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from expound.corpus import library
from expound.corpus.named import STORE, Corpus, corpora_folder
from expound.look import Surroundings, find_passage
from expound.protocols import TextModel
from expound.retrieve.single import Lexical
from expound.serve.lanes import Tell, Told
from expound.system import System, check_question, open_system
from expound.types import Evidence, Prediction

# A thread keeps so many corpora open: more than a page offers at a time, few enough for the limit on open files.
_MOST_OPEN = 16


@dataclass(frozen=True, slots=True)
class CorpusPlace:
    """A corpus that may be asked: one of the user's by its name, or one that lies in a folder of its own."""

    name: str
    folder: Path | None = None

    @property
    def store(self) -> Path:
        return (self.folder or corpora_folder() / self.name) / STORE


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to know about how an answer came about."""

    text: str


@dataclass(frozen=True, slots=True)
class AskStage:
    """What is being done for a question now."""

    text: str


@dataclass
class _Here:
    """What one thread has open; databases belong to the thread that opened them."""

    corpora: dict[CorpusPlace, tuple[Any, Corpus]] = field(default_factory=dict)
    system: System | None = None
    tell: Tell = print  # set before every question

    def open(self, places: Sequence[CorpusPlace]) -> list[Corpus]:
        return [self._open_corpus(place) for place in places]

    def _open_corpus(self, place: CorpusPlace) -> Corpus:
        stamp, corpus = self.corpora.pop(place, (None, None))
        now = _stamp(place)
        # Documents were added since: indexes that are memory-mapped know nothing of it.
        if corpus is None or stamp != now:
            if corpus is not None:
                corpus.close()
            corpus = Corpus(place.name, place.folder) if place.folder else library.open_named(place.name)
            now = _stamp(place)
        self.corpora[place] = (now, corpus)  # at the end: the first is the one that was not used for longest
        while len(self.corpora) > _MOST_OPEN:
            self.corpora.pop(next(iter(self.corpora)))[1].close()
        return corpus


class Respondent:
    """Answers, searches and looks; any thread may ask, and the text model is loaded once for all of them."""

    def __init__(self, model: str, *, embedder: str = "") -> None:
        self._model: str | TextModel = model
        self._embedder = embedder
        self._local = threading.local()
        self._guard, self._model_turn = threading.Lock(), threading.Lock()

    def ask(self, question: str, places: Sequence[CorpusPlace], tell: Tell) -> Prediction:
        """The answer; sentences are told as soon as they are proved."""
        system = self.system(places, tell)
        with self._turn(system.model, tell):
            return system.ask(check_question(question))

    def system(self, places: Sequence[CorpusPlace], tell: Tell) -> System:
        """The system over these corpora, for this thread alone and until its next question."""
        here = self._here()
        here.tell = tell
        corpora = here.open(places)
        # The parts stay for the thread's next question; only corpora are exchanged below.
        if here.system is None:
            here.system = self._open_system(here, corpora)
        return _over(here.system, corpora)

    def search(self, question: str, places: Sequence[CorpusPlace], *, k: int) -> list[Evidence]:
        """Passages by words: a search costs no model, and waits for none."""
        return Lexical(self._here().open(places)).retrieve(check_question(question), k=k)

    def look(self, passage: str, places: Sequence[CorpusPlace], *, reach: int) -> Surroundings:
        """A passage with its neighbours."""
        return find_passage(passage, self._here().open(places), reach=reach)

    @contextmanager
    def _turn(self, model: TextModel | None, tell: Tell) -> Iterator[None]:
        """Wait for a text model that takes one call at a time, and say so to whoever has to wait."""
        # A local model answers one prompt at a time, and two that share it would each take twice as long.
        if getattr(model, "jobs", 0) != 1:
            yield
            return
        if not self._model_turn.acquire(blocking=False):
            tell(Told(Remark("the text model is writing another answer; yours comes next")))
            self._model_turn.acquire()
        try:
            yield
        finally:
            self._model_turn.release()

    def _here(self) -> _Here:
        if not hasattr(self._local, "here"):
            self._local.here = _Here()
        here: _Here = self._local.here
        return here

    def _open_system(self, here: _Here, corpora: Sequence[Corpus]) -> System:
        # One thread at a time: the second finds the model that the first has loaded.
        with self._guard:
            opened = open_system(
                corpora,
                model=self._model,
                embedder=self._embedder,
                on_sentence=lambda sentence: here.tell(Told(sentence)),
                say=lambda text: here.tell(Told(Remark(text))),
                on_stage=lambda text: here.tell(Told(AskStage(text))),
            )
            # Every later thread is handed the model itself; "none", so that it does not look for one again.
            self._model = opened.model or "none"
        return opened


def _over(system: System, corpora: Sequence[Corpus]) -> System:
    """The same parts over other corpora: models stay loaded."""
    retriever: Any = system.retriever  # the default one, since no other can be named here
    stand_in = _over(system.stand_in, corpora) if system.stand_in else None
    names = tuple(corpus.name for corpus in corpora)
    return replace(system, retriever=replace(retriever, corpora=corpora), corpora=names, stand_in=stand_in)


def _stamp(place: CorpusPlace) -> tuple[int, ...]:
    """Something that differs once a corpus was written to."""
    # The log too: SQLite writes there first, and the main file may stay untouched for long.
    files = (place.store, place.store.with_name(f"{STORE}-wal"))
    return tuple(file.stat().st_mtime_ns if file.exists() else 0 for file in files)
