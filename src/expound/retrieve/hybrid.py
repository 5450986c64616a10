"""Find passages by words, order them by meaning, read the best with the question, keep several documents in view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from expound.corpus.following_passages import passages_behind
from expound.corpus.library import Corpus
from expound.protocols import Embedder, Ranker
from expound.retrieve.nameless import FEWEST_PASSAGES, without_names
from expound.text.titled import context_of, titled_passage
from expound.types import Evidence, Passage

# Where every vector is there already, looking at more candidates costs next to nothing.
WITH_VECTORS = 100
# Static vectors of so many passages take half a second; a question shares some word with any larger corpus.
WITHOUT_WORDS = 1500
# The words of the question with each of four titles find 3.5 more passages a question (recipes/LOG.md, "Retrieval").
PER_FOLLOW_UP = 6
# Chosen by how many of the embedder's best are among those that it sees (recipes/LOG.md).
STATIC_LEXICAL_WEIGHT = 0.4
# What a logit of the ranker counts beside a cosine: from 0.03 to 0.08 nothing moves (recipes/LOG.md, "Read together").
RELEVANCE = 0.05
STATIC_TITLES = 3  # how often a title counts in a static vector; three times is kept in the table of "Speed" there


@dataclass(frozen=True)
class Hybrid:
    """BM25 candidates (and the nearest vectors where they are built), re-ranked by the embedder's cosine.

    The embedder is slow: where its vectors are not stored, static vectors choose which candidates it sees. The ranker
    is slower still, and reads the best of what the embedder has ordered.
    """

    corpora: Sequence[Corpus] = field(repr=False)
    embedder: Embedder | None = field(default=None, repr=False)
    static: Embedder | None = field(default=None, repr=False)
    ranker: Ranker | None = field(default=None, repr=False)
    candidates: int = 200
    seen: int = 24
    followed: int = 8
    read: int = 16
    """Passages that the ranker reads; with 8 a right one comes first as often, with 20 too (recipes/LOG.md)."""
    whole: int = 200
    """Passages of a corpus that is looked at whole, whatever words it uses: static vectors of 200 take 0.1 seconds."""
    titles: int = 4
    per_title: int = 6
    # Not in the spec, where it would only tell our versions apart; recipes/LOG.md ("Extracts") compares it with others.
    lexical_weight: float = field(default=0.1, repr=False)

    def retrieve(self, question: str, *, k: int = 20) -> list[Evidence]:
        """The k best passages, numbered from 1; more than `per_title` of one title only where others are too few."""
        hits = [hit for corpus in self.corpora for hit in self._search(corpus, question)]
        # None of its words stands anywhere: still something comes nearest in meaning, and can be shown as such.
        hits = hits or [hit for corpus in self.corpora for hit in self._first_passages(corpus)]
        head, rest = self._choose_hits(question, hits, self.seen)
        ranked = self._rank_hits(question, head)
        # The first round's best titles, so only after it: what the question's words alone miss often stands there.
        more, _ = self._choose_hits(question, self._more_on_the_same(question, ranked, hits), self.followed)
        if more:
            # Anew and all together: scores of two rounds are comparable, an order of two lists is not.
            ranked = self._rank_hits(question, [*head, *more])
        best = _vary_titles([*ranked, *_behind(ranked, rest)], self.per_title, k)
        # Also where fewer are wanted: the best of few may come after them until it is read.
        found = self._read(question, [Evidence(passage, 0, score) for passage, score in best[: max(k, self.read)]])
        return [replace(item, number=number) for number, item in enumerate(found[:k], start=1)]

    def _read(self, question: str, evidence: Sequence[Evidence]) -> list[Evidence]:
        """The evidence with the first passages in the order that they have once each is read with the question."""
        if self.ranker is None:
            return list(evidence)
        head, tail = evidence[: self.read], evidence[self.read :]
        logits = self.ranker.rank(self._nameless(question), [titled_passage(item.passage) for item in head])
        read = [replace(item, relevance=logit) for item, logit in zip(head, logits, strict=True)]
        # Ties keep the embedder's order.
        return [*sorted(read, key=lambda item: -(item.score + RELEVANCE * (item.relevance or 0.0))), *tail]

    def _nameless(self, question: str) -> str:
        """The question without the name of what the corpus is about: each title has it, so that it is near to all."""
        # Several corpora are told apart by such names.
        if len(self.corpora) != 1 or self.corpora[0].store.count_up_to(FEWEST_PASSAGES) < FEWEST_PASSAGES:
            return question
        return without_names(question, self.corpora[0].lexical.share_of)

    def passages_behind(self, passage: Passage) -> list[Passage]:
        """The rest of the passage's section, and how the sections below it begin."""
        return passages_behind(passage, self.corpora)

    def _search(self, corpus: Corpus, question: str) -> list[_Hit]:
        """Candidates of one corpus with their BM25 score as a share of the best one's."""
        dense = corpus.dense_of(self.embedder)
        lexical = corpus.lexical.search(question, k=self.candidates if dense is None else WITH_VECTORS)
        # A share, since BM25's scale differs from question to question and from corpus to corpus.
        top = lexical[0][1] if lexical else 1.0
        words = {number: score / top for number, score in lexical}
        if dense is not None and self.embedder is not None:
            nearest = dense.search(self.embedder.embed([question]), k=WITH_VECTORS)
            # A passage that only its vector found has no words to count.
            words.update({number: words.get(number, 0.0) for number, _ in nearest})
        passages = corpus.store.passages(list(words))
        is_stored = dense is not None
        # The index may still know a passage that the store has just lost.
        hits = [_Hit(passages[number], share, is_stored) for number, share in words.items() if number in passages]
        return hits if is_stored else [*hits, *self._unsaid(corpus, words)]

    def _unsaid(self, corpus: Corpus, words: Mapping[int, float]) -> Iterator[_Hit]:
        """The other passages of a small corpus: who has a few notes asks for "money back" and wrote "reimbursed"."""
        can_choose = self.static is not None and self.embedder is not None
        if can_choose and corpus.store.count_up_to(self.whole + 1) <= self.whole:
            others = (item for item in corpus.store.iter_passages() if item[0] not in words)
            yield from (_Hit(passage, 0.0) for _, passage in others)

    def _first_passages(self, corpus: Corpus) -> list[_Hit]:
        """Passages to compare by meaning alone; none without the means to choose among them."""
        if self.embedder is None or self.static is None:
            return []
        passages = islice(corpus.store.iter_passages(), WITHOUT_WORDS)
        return [_Hit(passage, 0.0) for _, passage in passages]

    def _choose_hits(self, question: str, hits: Sequence[_Hit], most: int) -> tuple[list[_Hit], list[_Hit]]:
        """The hits that the embedder sees, and the others: static vectors choose among those without a stored one."""
        # Without both there is nothing to choose with, or nothing to save.
        if self.embedder is None or self.static is None:
            return list(hits), []
        # A stored vector costs nothing: those hits are always seen.
        stored = [hit for hit in hits if hit.is_stored]
        others = [hit for hit in hits if not hit.is_stored]
        if len(others) <= most:
            return list(hits), []
        scores = _scores(self.static, question, others, STATIC_LEXICAL_WEIGHT, titles=STATIC_TITLES)
        order = _best_first(others, scores)
        return [*stored, *(others[place] for place in order[:most])], [others[place] for place in order[most:]]

    def _more_on_the_same(
        self, question: str, ranked: Sequence[tuple[Passage, float]], hits: Sequence[_Hit]
    ) -> list[_Hit]:
        """Passages that the question finds together with one of the best titles: other readings often stand there."""
        ranked_ids = {passage.id for passage, _ in ranked}
        shares = {hit.passage.id: hit.words for hit in hits}
        # Articles alone: the title of a manual is on every page of it, and would find all of them.
        articles = (passage.title for passage, _ in ranked if passage.title and not passage.source.heading)
        titles = list(dict.fromkeys(articles))[: self.titles]
        found: dict[str, _Hit] = {}
        for corpus in self.corpora:
            is_stored = corpus.dense_of(self.embedder) is not None
            for title in titles:
                numbers = [number for number, _ in corpus.lexical.search(f"{question} {title}", k=PER_FOLLOW_UP)]
                for item in corpus.store.passages(numbers).values():
                    found[item.id] = _Hit(item, shares.get(item.id, 0.0), is_stored)
        return [hit for identifier, hit in found.items() if identifier not in ranked_ids]

    def _rank_hits(self, question: str, hits: Sequence[_Hit]) -> list[tuple[Passage, float]]:
        scores = _scores(self.embedder, question, hits, self.lexical_weight)
        return [(hits[place].passage, scores[place]) for place in _best_first(hits, scores)]


@dataclass(frozen=True, slots=True)
class _Hit:
    passage: Passage
    words: float
    is_stored: bool = False


def _scores(
    embedder: Embedder | None, question: str, hits: Sequence[_Hit], lexical_weight: float, *, titles: int = 1
) -> list[float]:
    """Cosine with the question plus a share of BM25's score; BM25's alone without an embedder.

    In a sum of word pieces a title drowns in its passage unless it stands there several times.
    """
    if embedder is None or not hits:
        return [hit.words for hit in hits]
    texts = [
        f"{context_of(hit.passage.title, hit.passage.source.heading)}. " * (titles - 1) + titled_passage(hit.passage)
        for hit in hits
    ]
    vectors = embedder.embed([question, *texts])
    cosines = vectors[1:] @ vectors[0]
    return [float(cosine) + lexical_weight * hit.words for cosine, hit in zip(cosines, hits, strict=True)]


def _best_first(hits: Sequence[_Hit], scores: Sequence[float]) -> list[int]:
    """The places of the hits, best first. Ties go by document and place in it, in whatever order they were added."""

    def key(place: int) -> tuple[float, str, int, str]:
        passage = hits[place].passage
        return -scores[place], passage.source.file, passage.source.start, passage.id

    return sorted(range(len(hits)), key=key)


def _behind(ranked: Sequence[tuple[Passage, float]], rest: Sequence[_Hit]) -> list[tuple[Passage, float]]:
    """What the embedder did not see, in the order that it has, none better than the last that was seen."""
    known = {passage.id for passage, _ in ranked}
    # As the last one seen, so that scores fall; their own would be of another scale.
    least = min((score for _, score in ranked), default=0.0)
    return [(hit.passage, least) for hit in rest if hit.passage.id not in known]


def _vary_titles(ranked: Sequence[tuple[Passage, float]], share: int, least: int) -> list[tuple[Passage, float]]:
    """Each passage once, those left out that exceed the share of one title: other documents come into view.

    Unless fewer than `least` are left: a long text without headings is all of one title.
    """
    seen: Counter[str] = Counter()
    copies: set[tuple[str, str]] = set()
    within: list[tuple[int, Passage, float]] = []
    beyond: list[tuple[int, Passage, float]] = []
    for place, (passage, score) in enumerate(ranked):
        # Two corpora may hold the same file; within one, the second copy is an alias already.
        if (passage.title, passage.text) in copies:
            continue
        copies.add((passage.title, passage.text))
        # A manual is one title with many sections, an article one title with one subject.
        key = context_of(passage.title, passage.source.heading) or passage.source.file or passage.id
        seen[key] += 1
        (within if seen[key] <= share else beyond).append((place, passage, score))
    kept = sorted([*within, *beyond[: max(0, least - len(within))]], key=lambda entry: entry[0])
    return [(passage, score) for _, passage, score in kept]
