"""Find passages by words, order them by meaning, keep several documents in view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.library import Corpus
from expound.protocols import Embedder
from expound.text.titled import context_of, titled_passage
from expound.types import Evidence, Passage

# Where every vector is there already, looking at more candidates costs next to nothing.
WITH_VECTORS = 100
PER_FOLLOW_UP = 6


@dataclass(frozen=True)
class Hybrid:
    """BM25 candidates (and the nearest vectors where they are built), re-ranked by the embedder's cosine."""

    corpora: Sequence[Corpus] = field(repr=False)
    embedder: Embedder | None = field(default=None, repr=False)
    candidates: int = 80
    titles: int = 4
    per_title: int = 6
    lexical_weight: float = field(default=0.1, repr=False)

    def retrieve(self, question: str, *, k: int = 20) -> list[Evidence]:
        """The k best passages, numbered from 1; at most `per_title` of them from one title."""
        hits = [hit for corpus in self.corpora for hit in self._search(corpus, question)]
        ranked = self._ranked(question, hits)
        more = self._more_on_the_same(question, ranked)
        if more:
            ranked = self._ranked(question, [*hits, *more])
        best = _varied(ranked, self.per_title)
        return [Evidence(passage, number, score) for number, (passage, score) in enumerate(best[:k], start=1)]

    def _search(self, corpus: Corpus, question: str) -> list[_Hit]:
        """Candidates of one corpus with their BM25 score as a share of the best one's."""
        dense = corpus.dense if self.embedder is not None else None
        lexical = corpus.lexical.search(question, k=self.candidates if dense is None else WITH_VECTORS)
        top = lexical[0][1] if lexical else 1.0
        words = {number: score / top for number, score in lexical}
        if dense is not None and self.embedder is not None:
            nearest = dense.search(self.embedder.embed([question]), k=WITH_VECTORS)
            words.update({number: words.get(number, 0.0) for number, _ in nearest})
        passages = corpus.store.passages(list(words))
        return [_Hit(passages[number], share) for number, share in words.items() if number in passages]

    def _more_on_the_same(self, question: str, ranked: Sequence[tuple[Passage, float]]) -> list[_Hit]:
        """Passages that the question finds together with one of the best titles: other readings often stand there."""
        known = {passage.id for passage, _ in ranked}
        articles = (passage.title for passage, _ in ranked if passage.title and not passage.source.heading)
        titles = list(dict.fromkeys(articles))[: self.titles]
        found: dict[str, _Hit] = {}
        for corpus in self.corpora:
            for title in titles:
                numbers = [number for number, _ in corpus.lexical.search(f"{question} {title}", k=PER_FOLLOW_UP)]
                passages = corpus.store.passages(numbers)
                found |= {item.id: _Hit(item, 0.0) for item in passages.values() if item.id not in known}
        return list(found.values())

    def _ranked(self, question: str, hits: Sequence[_Hit]) -> list[tuple[Passage, float]]:
        """Best first; ties keep corpus order."""
        scores = self._scores(question, hits)
        order = sorted(range(len(hits)), key=lambda position: (-scores[position], position))
        return [(hits[position].passage, scores[position]) for position in order]

    def _scores(self, question: str, hits: Sequence[_Hit]) -> list[float]:
        if self.embedder is None or not hits:
            return [hit.words for hit in hits]
        texts = [titled_passage(hit.passage) for hit in hits]
        vectors = self.embedder.embed([question, *texts])
        cosines = vectors[1:] @ vectors[0]
        return [float(cosine) + self.lexical_weight * hit.words for cosine, hit in zip(cosines, hits, strict=True)]


@dataclass(frozen=True, slots=True)
class _Hit:
    passage: Passage
    words: float


def _varied(ranked: Sequence[tuple[Passage, float]], most: int) -> list[tuple[Passage, float]]:
    """Drop what exceeds the share of one title, so that other documents come into view, and what stands twice."""
    seen: Counter[str] = Counter()
    kept = []
    copies: set[tuple[str, str]] = set()
    for passage, score in ranked:
        # Two corpora may hold the same file; within one, the second copy is an alias already.
        if (passage.title, passage.text) in copies:
            continue
        copies.add((passage.title, passage.text))
        # A manual is one title with many sections, an article one title with one subject.
        key = context_of(passage.title, passage.source.heading) or passage.source.file or passage.id
        seen[key] += 1
        if seen[key] <= most:
            kept.append((passage, score))
    return kept
