"""Training groups and candidate pools of questions to documents: what answers against near passages of the manual."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from expound.text.words import stem_all
from expound.train.data.document_sets import Collections, DocumentCase
from expound.train.data.group_files import Group
from expound.train.data.label_texts import clean_question
from expound.train.data.page_passages import PagePassage

# Near BM25's usual values and not tuned: these lists only say which wrong passages are near.
_K1, _B = 1.2, 0.6


class WordIndex:
    """BM25 over the passages of one collection, held in memory; headings count as text."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for place, text in enumerate(texts):
            counts = Counter(stems(text))
            self._lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                self._postings[stem].append((place, count))
        self._mean = sum(self._lengths) / max(1, len(self._lengths)) or 1.0

    def scores(self, question: str) -> dict[int, float]:
        """BM25 of every passage that shares a word with the question."""
        found: dict[int, float] = defaultdict(float)
        for stem in stems(question):
            postings = self._postings.get(stem, ())
            rarity = math.log(1 + (len(self._lengths) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, count in postings:
                room = _K1 * (1 - _B + _B * self._lengths[place] / self._mean)
                found[place] += rarity * count * (_K1 + 1) / (count + room)
        return found

    def best(self, question: str, k: int) -> list[int]:
        """The k best places; ties in the order of the collection."""
        found = self.scores(question)
        return sorted(found, key=lambda place: (-found[place], place))[:k]


def stems(text: str) -> list[str]:
    """Lower-cased stems of the words."""
    return stem_all(re.findall(r"\w+", text.lower()))


@dataclass(frozen=True)
class Mix:
    """How a group's wrong passages are chosen. For balance, not tuned (LOG.md, ordering passages of manuals)."""

    negatives: int = 10
    near: int = 7
    """Of these, among the nearest by words or by meaning."""
    depth: int = 10
    """How far down each list near ones are taken."""
    keep_heading_share: float = 0.25
    """Groups of a heading that keep all headings in their passages; the others lose the last one in every passage."""
    foreign_share: float = 0.08
    """Questions that are asked of another collection as well, where nothing answers them."""
    positives: int = 4
    """Right passages that are kept; a pass takes one of them."""
    strangers: int = 3
    """At most so many passages of other collections, where a document has too few of its own: they are easy."""


Nearest = Callable[[DocumentCase], Sequence[int]]
"""Places of a question's collection by nearness of meaning, the nearest first."""


def iter_document_groups(
    cases: Sequence[DocumentCase], collections: Collections, mix: Mix, *, nearest: Nearest, rng: random.Random
) -> Iterator[Group]:
    """A group for every question, and groups without an answer for some."""
    indexes = {name: WordIndex(p.read() for p in collections[name]) for name in sorted({c.collection for c in cases})}
    # Small collections would give the same few passages again and again.
    others = [name for name in indexes if len(collections[name]) >= 2 * mix.negatives]
    for case in cases:
        leaf = keeps_heading(case, mix, rng)
        passages = collections[case.collection]
        # More than are used: right and neutral passages are taken out of the list.
        by_words = indexes[case.collection].best(case.question, 3 * mix.depth + len(case.neutral))
        wrong = draw_wrong(case, passages, (by_words, nearest(case)), mix, rng=rng)
        right = [passages[place] for place in case.positives[: mix.positives]]
        extra = draw_strangers(min(mix.strangers, mix.negatives - len(wrong)), case, collections, others, rng=rng)
        negatives = [*(passages[place] for place in wrong), *extra]
        yield group_of(case, right, negatives, leaf=leaf)
        if others and rng.random() < mix.foreign_share:
            name = rng.choice(others)
            near = [collections[name][place] for place in indexes[name].best(case.question, mix.near)]
            # A few, else the group would say nothing.
            if name != case.collection and len(near) > 2:
                yield group_of(case, (), near, leaf=leaf)


def keeps_heading(case: DocumentCase, mix: Mix, rng: random.Random) -> bool:
    """Whether the passages keep their last heading: in a manual's own questions it is mostly the question."""
    return not case.origin.startswith("manual") or rng.random() < mix.keep_heading_share


def draw_wrong(
    case: DocumentCase, passages: Sequence[PagePassage], lists: Iterable[Sequence[int]], mix: Mix, *, rng: random.Random
) -> list[int]:
    """Near passages of the collection, some from the answer's page, the rest at random."""
    out = {*case.positives, *case.neutral}
    near = sorted({place for places in lists for place in [p for p in places if p not in out][: mix.depth]})
    chosen = rng.sample(near, min(mix.near, len(near)))
    page = {passages[case.positives[0]].document}
    beside = [n for n, p in enumerate(passages) if p.document in page and n not in out and n not in chosen]
    # Half of what is left: passages of the same page are the hardest to tell apart.
    chosen += rng.sample(beside, min(len(beside), max(1, (mix.negatives - len(chosen)) // 2)))
    rest = [n for n in range(len(passages)) if n not in out and n not in chosen]
    return chosen + rng.sample(rest, min(len(rest), max(0, mix.negatives - len(chosen))))


def draw_strangers(
    wanted: int, case: DocumentCase, collections: Collections, names: Sequence[str], *, rng: random.Random
) -> list[PagePassage]:
    """Passages of other collections for a document that has too few of its own."""
    # Passages of a FAQ among those of a manual would be told by their style alone.
    same_kind = [name for name in names if name.split(":")[0] == case.collection.split(":")[0]] or list(names)
    return [rng.choice(collections[rng.choice(same_kind)]) for _ in range(wanted if same_kind else 0)]


def group_of(case: DocumentCase, right: Sequence[PagePassage], wrong: Sequence[PagePassage], *, leaf: bool) -> Group:
    """The texts as the ranker reads them."""
    texts = [tuple(dict.fromkeys(p.read(leaf=leaf) for p in passages)) for passages in (right, wrong)]
    # The same text can stand twice in a collection.
    negatives = tuple(text for text in texts[1] if text not in texts[0])
    return Group(clean_question(case.question), texts[0], negatives, case.origin if right else f"{case.origin}_foreign")


def group_of_candidates(case: DocumentCase, passages: Sequence[PagePassage], places: Iterable[int]) -> Group:
    """A held-out question with its candidates; what holds a part of the answer only counts as wrong."""
    right = [passages[place] for place in case.positives]
    wrong = [passages[place] for place in places if place not in case.positives]
    return group_of(case, right, wrong, leaf=not case.origin.startswith("manual"))
