"""The mix of questions that the ranker of passages is trained on, and the settings of its run."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping

from expound.train.groups import Group
from expound.train.ranker import Settings

# Chosen for balance, not tuned: FAQ pages first, bare headings and templates held down, a sixth Wikipedia.
MOST_OF_DOCUMENTS = {
    "manual_heading": 1400,
    "manual_heading_foreign": 120,
    "tatqa": 200,
    "fetaqa": 140,
    "covidqa": 250,
    "medquad_subset": 160,
    "policyqa": 80,
    "pubmedqa": 30,
}
MOST_OF_SENTENCES = {"asqa": 80, "ambignq": 100, "nq_open": 240, "squad": 40, "squad_unanswerable": 40}
MOST_OF_PASSAGES = {"nq_passage": 330, "squad_passage": 100, "squad_passage_unanswerable": 100}
TWICE = "docfaq"

SETTINGS = Settings(
    steps=1000,
    learning_rate=6e-5,
    head_learning_rate=2e-4,
    warmup_share=0.06,
    negatives=4,
    seed=15,
    threads=1,
    max_tokens=128,
    frozen_layers=2,
    bfloat16=True,
    checkpoint_every=25,
    measure_every=100,
)


def mixed(
    documents: Iterable[Group], sentences: Iterable[Group], passages: Iterable[Group], *, rng: random.Random
) -> list[Group]:
    """Groups of documents, of Wikipedia sentences and of Wikipedia passages; those of FAQ pages count twice."""
    groups = [g for g in capped(documents, MOST_OF_DOCUMENTS, rng=rng) if len(g.negatives) > 1]
    groups += [group for group in groups if group.origin == TWICE]
    for some, limits in ((sentences, MOST_OF_SENTENCES), (passages, MOST_OF_PASSAGES)):
        groups += [g for g in capped(some, limits, rng=rng) if g.origin in limits]
    return groups


def capped(groups: Iterable[Group], limits: Mapping[str, int], *, rng: random.Random) -> list[Group]:
    """A random choice within the limits of each origin; headings that ask how come before bare ones."""
    shuffled = list(groups)
    rng.shuffle(shuffled)
    ordered = sorted(shuffled, key=lambda g: g.origin == "manual_heading" and not g.question.startswith("how "))
    seen: Counter[str] = Counter()
    chosen = []
    for group in ordered:
        seen[group.origin] += 1
        if seen[group.origin] <= limits.get(group.origin, seen[group.origin]):
            chosen.append(group)
    return chosen
