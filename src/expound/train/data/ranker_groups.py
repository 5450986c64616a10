"""The groups of the shipped ranker: questions with right sentences and hard wrong ones, from three kinds of data."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from expound.train.data.dataset_files import Factoid
from expound.train.data.distant_labels import Labelling, SortedSentences, sort_sentences, usable_answers
from expound.train.data.file_shapes import NQ_GOLD, iter_shaped
from expound.train.data.group_files import Group
from expound.train.data.label_texts import clean_question, contains_answer, normalise
from expound.train.data.leak_guard import LeakGuard, drop_leaks
from expound.train.data.passage_index import CandidateSentence, PassageIndex

# A right sentence needs a few wrong ones to be ranked against.
_FEWEST_NEGATIVES = 3


def iter_distant_groups(
    factoids: Iterable[Factoid], index: PassageIndex, rules: Labelling, *, rng: random.Random
) -> Iterator[Group]:
    """Groups of questions whose retrieved sentences hold an answer."""
    for factoid in factoids:
        retrieved = index.retrieved_sentences(factoid.question, rules.passages)
        group = build_group(factoid, sort_sentences(factoid, retrieved, index, rules), rules, rng=rng)
        if group:
            yield group


def iter_gold_paragraph_groups(
    path: Path, index: PassageIndex, guard: LeakGuard, rules: Labelling, *, seed: int
) -> Iterator[Group]:
    """NQ gold paragraphs: the sentence with the answer against its neighbours and BM25 neighbours."""
    rng = random.Random(seed)
    # By the cleaned question, since that is all that comes back from `drop_leaks` to find the paragraph by.
    records = {clean_question(record["question"]): record for record in iter_shaped(path, NQ_GOLD)}
    read = (Factoid(question, tuple(record["answers"]), "nq_gold") for question, record in records.items())
    for factoid in drop_leaks(read, guard):
        record = records[factoid.question]
        gold = index.sentences("gold", record["gold_title"], record["gold_text"])
        answers = usable_answers(factoid)
        # Two: a gold paragraph says its answer once, seldom twice.
        positives = [(1.0, s) for s in gold if contains_answer(s.normalised, answers)][:2]
        retrieved = index.retrieved_sentences(factoid.question, rules.passages)
        others = sort_sentences(factoid, (*gold, *retrieved), index, rules)
        group = build_group(factoid, SortedSentences(positives=positives, negatives=others.negatives), rules, rng=rng)
        if group:
            yield group


def iter_squad_groups(
    articles: Iterable[dict[str, Any]], index: PassageIndex, guard: LeakGuard, rules: Labelling
) -> Iterator[Group]:
    """SQuAD 2.0: the answer's sentence against its paragraph; unanswerable questions give negatives only."""
    for article in articles:
        title = article["title"].replace("_", " ")
        for paragraph in article["paragraphs"]:
            sentences = index.sentences("paragraph", title, paragraph["context"])
            for qa in paragraph["qas"]:
                group = None if guard.blocks(qa["question"]) else squad_group(qa, sentences, index, rules)
                if group:
                    yield group


def build_group(factoid: Factoid, found: SortedSentences, rules: Labelling, *, rng: random.Random) -> Group | None:
    """Choose positives and hard negatives of one question, or nothing when no sentence answers it."""
    # No answer among what was found is no group without one: BM25 may have missed it, and it may be in other words.
    if not found.positives or len(found.negatives) < _FEWEST_NEGATIVES:
        return None
    best = sorted(found.positives, key=lambda scored: -scored[0])[: rules.positives]
    negatives = choose_negatives(best[0][1], found.negatives, rules, rng=rng)
    return Group(factoid.question, tuple(s.text for _, s in best), tuple(negatives), factoid.origin)


def choose_negatives(
    positive: CandidateSentence,
    negatives: Sequence[tuple[float, CandidateSentence]],
    rules: Labelling,
    *,
    rng: random.Random,
) -> list[str]:
    """Sentences that share many words with the question, some from the answer's passage, the rest at random."""
    ranked = [s.text for _, s in sorted(negatives, key=lambda scored: -scored[0])]
    near = [s.text for _, s in negatives if s.passage_id == positive.passage_id]
    # Half as many again to draw from, so that not every pass sees the same ones.
    hard = ranked[: rules.hard_negatives * 3 // 2]
    chosen = rng.sample(near, min(rules.neighbours, len(near))) + rng.sample(hard, min(rules.hard_negatives, len(hard)))
    rest = [text for text in ranked if text not in chosen]
    rng.shuffle(rest)
    return list(dict.fromkeys(chosen + rest))[: rules.negatives]


def squad_group(
    qa: dict[str, Any], sentences: Sequence[CandidateSentence], index: PassageIndex, rules: Labelling
) -> Group | None:
    """One SQuAD question over the sentences of its paragraph."""
    question = clean_question(qa["question"])
    scored = [(index.coverage(question, s.words), s) for s in sentences]
    ranked = [s for _, s in sorted(scored, key=lambda pair: -pair[0])]
    answers = sorted({normalise(a["text"]) for a in qa["answers"]} - {""})
    # Without an answer the nearest sentences are the ones to be silent about.
    if not answers:
        texts = tuple(s.text for s in ranked[: rules.near_misses])
        return Group(question, (), texts, "squad_unanswerable") if texts else None
    positives = [s.text for s in ranked if contains_answer(s.normalised, answers)][:1]
    negatives = [s.text for s in ranked if not contains_answer(s.normalised, answers)][: rules.negatives]
    return Group(question, tuple(positives), tuple(negatives), "squad") if positives and negatives else None
