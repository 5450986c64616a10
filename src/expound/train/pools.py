"""Held-out questions with all their candidate sentences, to measure a ranker on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from expound.train.candidates import PassageIndex
from expound.train.labels import Labelling, judge, unique
from expound.train.sources import Example


@dataclass(frozen=True)
class Pool:
    """Every candidate sentence of a question with two labels: holds an answer, and is also about the question."""

    question: str
    texts: tuple[str, ...]
    passage_texts: tuple[str, ...]
    holds_answer: tuple[bool, ...]
    is_positive: tuple[bool, ...]
    coverage: tuple[float, ...]
    origin: str


def hold_out(
    examples: Sequence[Example], index: PassageIndex, rules: Labelling, *, rng: random.Random, wanted: Mapping[str, int]
) -> list[Pool]:
    """Candidate pools of random questions that have an answer among their candidates, so many of each origin."""
    left, pools, shuffled = Counter(wanted), [], list(examples)
    rng.shuffle(shuffled)
    for example in shuffled:
        pool = build_pool(example, index, rules) if left[example.origin] > 0 else None
        if pool:
            pools.append(pool)
            left[example.origin] -= 1
    return pools


def build_pool(example: Example, index: PassageIndex, rules: Labelling) -> Pool | None:
    """All candidate sentences of a held-out question, or nothing when none answers it."""
    passages = index.search(example.question, rules.passages)
    text_of = {p.id: f"{p.title}. {p.text}" for p in passages}
    judged = judge(example, (s for p in passages for s in p.sentences), index, rules)
    if not judged.positives:
        return None
    right = {s.normalised for _, s in judged.positives}
    holding = right | {s.normalised for _, s in judged.doubtful}
    # Reading order, not label order: a sort by score must not find the right sentences first on ties.
    sentences = list(unique(s for p in passages for s in p.sentences))
    return Pool(
        example.question,
        tuple(s.text for s in sentences),
        tuple(text_of[s.passage_id] for s in sentences),
        tuple(s.normalised in holding for s in sentences),
        tuple(s.normalised in right for s in sentences),
        tuple(index.coverage(example.question, s.words) for s in sentences),
        example.origin,
    )
