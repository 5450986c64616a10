"""Build the training data of the sentence ranker from dataset files, without any evaluation question."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from expound.train.data.dataset_files import DataFiles, Factoid, evaluation_questions, iter_factoids
from expound.train.data.distant_labels import Labelling, drop_repeats, sort_sentences
from expound.train.data.file_shapes import PASSAGE, SQUAD, iter_shaped, read_shaped
from expound.train.data.group_files import Group
from expound.train.data.leak_guard import BLOCKED_SOURCES, LeakGuard, drop_leaks
from expound.train.data.passage_index import PassageIndex
from expound.train.data.ranker_groups import iter_distant_groups, iter_gold_paragraph_groups, iter_squad_groups

# SQuAD's paragraphs are unlike what `ask` finds: the shipped ranker saw this share of them (models/ranker.md).
SHIPPED_SHARES: Mapping[str, float] = {"squad_unanswerable": 0.4, "squad": 0.65}
_SHARES_SEED = 2  # that of the shipped ranker, so that its data can be made again


@dataclass(frozen=True)
class RankerRules:
    """How much is held out."""

    dev_per_origin: int = 200
    """Questions of AmbigNQ and of NQ-open each."""
    dev_articles: int = 2
    """Last SQuAD articles, so that near misses can be looked at on paragraphs that were not trained on."""


@dataclass(frozen=True)
class RankerData:
    """Groups to train on, and held-out questions with all their candidates, those that hold an answer as right."""

    groups: list[Group]
    dev: list[Group]


def build_ranker_data(
    files: DataFiles,
    labelling: Labelling,
    rules: RankerRules | None = None,
    *,
    seed: int,
    keep_out: Iterable[str] = (),
) -> RankerData:
    """Build everything; the held-out questions, the last SQuAD articles and `keep_out` are not trained on either."""
    rules = rules or RankerRules()
    rng = random.Random(seed)
    guard = LeakGuard((*evaluation_questions(files), *keep_out))
    index = PassageIndex(iter_shaped(files.passages, PASSAGE), skip_sources=BLOCKED_SOURCES)
    factoids = list(drop_leaks(iter_factoids(files), guard))
    wanted = {"ambignq": rules.dev_per_origin, "nq_open": rules.dev_per_origin}
    dev = hold_out(factoids, index, labelling, rng=rng, wanted=wanted)
    # Held out means held out: the same question may stand in other files.
    for group in dev:
        guard.add(group.question)
    articles = read_shaped(files.squad, SQUAD, layout="SQuAD 2.0")["data"]
    groups = [
        *iter_distant_groups(drop_leaks(factoids, guard), index, labelling, rng=rng),
        *iter_gold_paragraph_groups(files.nq_gold_paragraphs, index, guard, labelling, seed=seed),
        *iter_squad_groups(articles[: max(0, len(articles) - rules.dev_articles)], index, guard, labelling),
    ]
    return RankerData(groups, dev)


def thin(
    groups: Iterable[Group], share: Mapping[str, float] = SHIPPED_SHARES, *, seed: int = _SHARES_SEED
) -> list[Group]:
    """Keep only a random share of the groups of some origins."""
    rng = random.Random(seed)
    return [group for group in groups if rng.random() < share.get(group.origin, 1.0)]


def hold_out(
    factoids: Sequence[Factoid], index: PassageIndex, rules: Labelling, *, rng: random.Random, wanted: Mapping[str, int]
) -> list[Group]:
    """Random questions that have an answer among their candidates, so many of each origin."""
    left, held_out, shuffled = Counter(wanted), [], list(factoids)
    rng.shuffle(shuffled)
    for factoid in shuffled:
        # Only while some are wanted: labelling takes a search.
        group = group_of_all(factoid, index, rules) if left[factoid.origin] > 0 else None
        if group:
            held_out.append(group)
            left[factoid.origin] -= 1
    return held_out


def group_of_all(factoid: Factoid, index: PassageIndex, rules: Labelling) -> Group | None:
    """All candidate sentences of a question, or nothing when none of them surely answers it."""
    retrieved = index.retrieved_sentences(factoid.question, rules.passages)
    found = sort_sentences(factoid, retrieved, index, rules)
    if not found.positives:
        return None
    # In doubt a sentence counts as right here: a ranker must not be blamed for finding it.
    holding = {sentence.normalised for _, sentence in (*found.positives, *found.doubtful)}
    sentences = list(drop_repeats(retrieved))
    right = tuple(sentence.text for sentence in sentences if sentence.normalised in holding)
    wrong = tuple(sentence.text for sentence in sentences if sentence.normalised not in holding)
    return Group(factoid.question, right, wrong, factoid.origin)
