"""Training groups for ELI5's extractive reader (Fan et al. 2019): the span most like the answer against the rest."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from expound.answer.support_document import places_in, support_document
from expound.retrieve.given import Given
from expound.score.eli5_metrics import Eli5Rouge
from expound.text.sentences import split_sentences
from expound.text.titled import add_title
from expound.train.data.group_files import Group
from expound.train.data.label_texts import clean_question
from expound.train.data.leak_guard import LeakGuard
from expound.types import Answer, Prediction, Question

ORIGIN = "span"


@dataclass(frozen=True)
class SpanRules:
    """How long a span and its training document may be, and by which ROUGE spans are compared (Fan et al. 2019)."""

    sentences: int = 5
    """As many as the answer that is made of the best ones has."""
    words: int = 400
    """Of a training document: the paper's "a few hundred"."""
    kind: str = "1"
    """ROUGE-1: single words are enough to tell which span an answer draws on, and the longer kinds are mostly 0."""
    fewest_negatives: int = 3
    """A right sentence needs a few wrong ones to be ranked against."""


def iter_span_groups(
    questions: Iterable[Question], guard: LeakGuard, rules: SpanRules | None = None, *, seed: int
) -> Iterator[Group]:
    """A group a question that has a reference and evidence, over its support document; blocked questions give none."""
    rng = random.Random(seed)
    for question in questions:
        # The guard knows the evaluation questions, also in another order of words.
        if guard.blocks(question.text) or not question.references:
            continue
        evidence = Given().retrieve_to(question)
        places = places_in(support_document(question.text, evidence))
        titles = {item.number: item.passage.title for item in evidence}
        group = span_group(
            question.text,
            [place.text for place in places],
            # The first reference, as the paper has one answer a question.
            question.references[0],
            rules,
            titles=[titles[place.number] for place in places],
            rng=rng,
        )
        if group:
            yield group


def span_group(
    question: str,
    document: str | Sequence[str],
    answer: str,
    rules: SpanRules | None = None,
    *,
    titles: Sequence[str] = (),
    rng: random.Random,
) -> Group | None:
    """The sentences of the best span as right ones, others of the document, drawn to its length, as wrong ones.

    The document is a text or its sentences; with their `titles` they become what `ReaderSentences` ranks. There is no
    group where no span has a word of the answer, or too few sentences are left beside it.
    """
    rules = rules or SpanRules()
    sentences = split_sentences(document) if isinstance(document, str) else document
    span = best_span(sentences, answer, rules)
    kept = draw_rows(sentences, span, rules.words, rng=rng)
    texts = [add_title(*pair) for pair in zip(titles, sentences, strict=True)] if titles else sentences
    positives = tuple(dict.fromkeys(texts[row] for row in span))
    # A sentence that stands twice is not both right and wrong.
    negatives = tuple(dict.fromkeys(texts[row] for row in kept if texts[row] not in positives))
    if not positives or len(negatives) < rules.fewest_negatives:
        return None
    return Group(clean_question(question), positives, negatives, ORIGIN)


def best_span(sentences: Sequence[str], answer: str, rules: SpanRules | None = None) -> range:
    """The contiguous sentences with the highest ROUGE F1 to the answer; of equals the shortest, then the first.

    Empty where no sentence has anything in common with the answer.
    """
    rules = rules or SpanRules()
    metric, asked = Eli5Rouge(rules.kind), Question("", "", references=(answer,))
    best, best_value = range(0), 0.0
    for size in range(1, min(rules.sentences, len(sentences)) + 1):
        for first in range(len(sentences) - size + 1):
            text = " ".join(sentences[first : first + size])
            value = metric.count(asked, Prediction(id="", question="", system=ORIGIN, answer=Answer(text)))
            if value > best_value:  # never of NaN, which an answer of nothing but full stops gives
                best, best_value = range(first, first + size), value
    return best


def draw_rows(sentences: Sequence[str], span: range, words: int, *, rng: random.Random) -> list[int]:
    """Rows of a training document of fewer than so many words, in order: the span, and others drawn at random."""
    kept = set(span)
    length = sum(len(sentences[row].split()) for row in span)
    others = [row for row in range(len(sentences)) if row not in span]
    # At random and not in order: the documents' first sentences would always be the wrong ones.
    rng.shuffle(others)
    for row in others:
        longer = length + len(sentences[row].split())
        if longer < words:
            kept.add(row)
            length = longer
    return sorted(kept)
