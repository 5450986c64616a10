"""What counts as an answer: sort candidate sentences into right, doubtful and wrong by distant supervision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from expound.train.candidates import PassageIndex, Sentence
from expound.train.sources import Example
from expound.train.texts import contains_answer, normalise

# Summed word rarity from which an answer hardly turns up in a sentence by chance.
_RARE = 9.0


@dataclass(frozen=True)
class Labelling:
    """What makes a sentence count as an answer, and how many sentences to keep."""

    passages: int = 15
    """Best passages whose sentences are candidates."""
    coverage: float = 0.55
    """Share of the question's word rarity that title and sentence must cover."""
    coverage_for_common_answers: float = 0.75
    """The same, if the answer is a short number or a common word."""
    long_answer_overlap: float = 0.45
    """Or else: share of the sentence that the human long answer covers."""
    negatives: int = 12
    hard_negatives: int = 7
    """Negatives that share many words with the question."""
    neighbours: int = 2
    """Negatives from the answer's own passage."""
    near_misses: int = 3
    """Negatives of a question that has no answer."""
    positives: int = 4


@dataclass
class Judged:
    """The candidate sentences of one question with their coverage of it, sorted into right, wrong and doubtful."""

    positives: list[tuple[float, Sentence]] = field(default_factory=list)
    doubtful: list[tuple[float, Sentence]] = field(default_factory=list)
    in_title: list[tuple[float, Sentence]] = field(default_factory=list)
    negatives: list[tuple[float, Sentence]] = field(default_factory=list)


def judge(example: Example, sentences: Iterable[Sentence], index: PassageIndex, rules: Labelling) -> Judged:
    """Sort candidate sentences by whether they hold an answer and are about the question."""
    judged = Judged()
    answers = usable_answers(example)
    rare = [a for a in answers if is_rare(a, index)]
    for sentence in unique(sentences):
        scored = (index.coverage(example.question, sentence.words), sentence)
        # An answer in the title alone is neither a fair positive nor a fair negative.
        if not contains_answer(sentence.normalised_with_title, answers):
            judged.negatives.append(scored)
        elif not contains_answer(sentence.normalised, answers):
            judged.in_title.append(scored)
        elif is_about(example, sentence, index, rules, strict=not contains_answer(sentence.normalised, rare)):
            judged.positives.append(scored)
        else:
            judged.doubtful.append(scored)
    return judged


def unique(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Drop repeated sentences: the corpus holds some paragraphs twice."""
    seen: set[str] = set()
    for sentence in sentences:
        if sentence.normalised not in seen:
            seen.add(sentence.normalised)
            yield sentence


def usable_answers(example: Example) -> list[str]:
    """Normalised answers that are not words of the question, yes or no."""
    question = normalise(example.question)
    answers = {normalise(answer) for answer in example.answers} - {"", "yes", "no", "none"}
    return sorted(a for a in answers if not contains_answer(question, [a]))


def is_rare(answer: str, index: PassageIndex) -> bool:
    """Whether an answer is too specific to turn up in a sentence by chance."""
    return math.fsum(map(index.rarity, index.words(answer))) >= _RARE


def is_about(example: Example, sentence: Sentence, index: PassageIndex, rules: Labelling, *, strict: bool) -> bool:
    """Whether a sentence shares enough with the question, or with the human long answer, to be an answer."""
    needed = rules.coverage_for_common_answers if strict else rules.coverage
    if index.coverage(example.question, sentence.words) >= needed:
        return True
    if not example.long_answer:
        return False
    return index.coverage(sentence.text, index.words(example.long_answer)) >= rules.long_answer_overlap
