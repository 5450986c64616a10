"""One way of searching at a time: by words alone, or by meaning alone. Baselines for what joins them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from expound.corpus.library import Corpus
from expound.errors import UserError
from expound.protocols import Embedder
from expound.types import Evidence, Passage


@dataclass(frozen=True)
class Lexical:
    """The best passages by BM25, as the index ranks them."""

    corpora: Sequence[Corpus] = field(repr=False)

    def retrieve(self, question: str, *, k: int = 20) -> list[Evidence]:
        """The k best passages, numbered from 1."""
        return _best(self.corpora, lambda corpus: corpus.lexical.search(question, k=k), k)


@dataclass(frozen=True)
class Dense:
    """The passages whose vectors are nearest to the question's; the corpora need vectors."""

    corpora: Sequence[Corpus] = field(repr=False)
    embedder: Embedder | None = field(default=None, repr=False)

    def retrieve(self, question: str, *, k: int = 20) -> list[Evidence]:
        """The k nearest passages, numbered from 1."""
        if self.embedder is None:
            # Without the words' help there is nothing to fall back on: a baseline must be what it is called.
            raise UserError("Dense searches by meaning and needs the embedder: expound models get minilm")
        vector, name = self.embedder.embed([question]), self.embedder.name

        def search(corpus: Corpus) -> list[tuple[int, float]]:
            dense = corpus.dense_of(self.embedder)
            if dense is None:
                build = f"expound index build {corpus.name} --vectors"
                raise UserError(f"the corpus {corpus.name} has no vectors of the embedder {name}: {build}")
            return dense.search(vector, k=k)

        return _best(self.corpora, search, k)


def _best(corpora: Sequence[Corpus], search: Callable[[Corpus], list[tuple[int, float]]], k: int) -> list[Evidence]:
    """The best hits of all corpora together; ties keep corpus order."""
    found: list[tuple[Passage, float]] = []
    for corpus in corpora:
        hits = search(corpus)
        passages = corpus.store.passages([number for number, _ in hits])
        found += [(passages[number], score) for number, score in hits if number in passages]
    # The sort is stable, so that corpora stand in the order in which they were named.
    found.sort(key=lambda hit: -hit[1])
    return [Evidence(passage, number, score) for number, (passage, score) in enumerate(found[:k], start=1)]
