"""Build the training data of the sentence ranker from dataset files, without any evaluation question."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from expound.records import read_json
from expound.train.candidates import PassageIndex
from expound.train.groups import Group, iter_distant_groups, iter_gold_paragraph_groups, iter_squad_groups
from expound.train.labels import Labelling
from expound.train.leaks import BLOCKED_SOURCES, LeakGuard, without_leaks
from expound.train.pools import Pool, hold_out
from expound.train.sources import DataFiles, evaluation_questions, iter_examples, iter_jsonl


@dataclass(frozen=True)
class TrainingData:
    """Groups to train on and the candidate pools of held-out questions."""

    groups: list[Group]
    dev: list[Pool]


def build_training_data(
    files: DataFiles, rules: Labelling, *, seed: int, dev_per_origin: int = 200, dev_articles: int = 2
) -> TrainingData:
    """Build everything; the held-out questions and the last SQuAD articles are not trained on either."""
    rng = random.Random(seed)
    guard = LeakGuard(evaluation_questions(files))
    index = PassageIndex(iter_jsonl(files.passages), skip_sources=BLOCKED_SOURCES)
    examples = list(without_leaks(iter_examples(files), guard))
    dev = hold_out(examples, index, rules, rng=rng, wanted={"ambignq": dev_per_origin, "nq_open": dev_per_origin})
    for pool in dev:
        guard.add(pool.question)
    articles = read_json(files.squad)["data"]
    groups = [
        *iter_distant_groups(without_leaks(examples, guard), index, rules, rng=rng),
        *iter_gold_paragraph_groups(files.nq_gold_paragraphs, index, guard, rules, seed=seed),
        *iter_squad_groups(articles[: max(0, len(articles) - dev_articles)], index, guard, rules),
    ]
    return TrainingData(groups, dev)


def thin(groups: Iterable[Group], share: Mapping[str, float], *, seed: int) -> list[Group]:
    """Keep only a random share of the groups of some origins."""
    rng = random.Random(seed)
    return [group for group in groups if rng.random() < share.get(group.origin, 1.0)]
