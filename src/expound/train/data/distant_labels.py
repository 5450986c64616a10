"""What counts as an answer: sort candidate sentences into right, doubtful and wrong by distant supervision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from expound.train.data.dataset_files import Factoid
from expound.train.data.label_texts import contains_answer, normalise
from expound.train.data.passage_index import CandidateSentence, PassageIndex

# Summed word rarity from which an answer hardly turns up in a sentence by chance.
_RARE = 9.0


@dataclass(frozen=True)
class Labelling:
    """What makes a sentence count as an answer, and how many sentences to keep: the rules of the shipped ranker.

    Both coverages were .05 lower at first: of 45 right sentences that were read, about 8 were wrong or doubtful.
    """

    passages: int = 15
    """Best passages whose sentences are candidates; about sixty sentences a question."""
    coverage: float = 0.55
    """Share of the question's word rarity that title and sentence must cover."""
    coverage_for_common_answers: float = 0.75
    """The same, if the answer is a short number or a common word."""
    long_answer_overlap: float = 0.45
    """Or else: share of the sentence that the human long answer covers."""
    negatives: int = 12
    """More than one pass takes, so that the next one draws others."""
    hard_negatives: int = 7
    """Negatives that share many words with the question."""
    neighbours: int = 2
    """Negatives from the answer's own passage."""
    near_misses: int = 3
    """Negatives of a question that has no answer."""
    positives: int = 4
    """The fullest right sentences of a question; a pass takes one of them."""


@dataclass
class SortedSentences:
    """The candidate sentences of one question with their coverage of it, sorted into right, wrong and doubtful."""

    positives: list[tuple[float, CandidateSentence]] = field(default_factory=list)
    doubtful: list[tuple[float, CandidateSentence]] = field(default_factory=list)
    in_title: list[tuple[float, CandidateSentence]] = field(default_factory=list)
    negatives: list[tuple[float, CandidateSentence]] = field(default_factory=list)


def sort_sentences(
    factoid: Factoid, sentences: Iterable[CandidateSentence], index: PassageIndex, rules: Labelling
) -> SortedSentences:
    """Sort candidate sentences by whether they hold an answer and are about the question."""
    found = SortedSentences()
    answers = usable_answers(factoid)
    # A common word turns up by chance: its sentence must be about the question, too.
    rare = [a for a in answers if is_rare(a, index)]
    for sentence in drop_repeats(sentences):
        scored = (index.coverage(factoid.question, sentence.words), sentence)
        # An answer in the title alone is neither a fair positive nor a fair negative.
        if not contains_answer(sentence.normalised_with_title, answers):
            found.negatives.append(scored)
        elif not contains_answer(sentence.normalised, answers):
            found.in_title.append(scored)
        elif is_about(factoid, sentence, index, rules, strict=not contains_answer(sentence.normalised, rare)):
            found.positives.append(scored)
        else:
            found.doubtful.append(scored)
    return found


def drop_repeats(sentences: Iterable[CandidateSentence]) -> Iterator[CandidateSentence]:
    """Drop repeated sentences: the corpus holds some paragraphs twice."""
    seen: set[str] = set()
    for sentence in sentences:
        if sentence.normalised not in seen:
            seen.add(sentence.normalised)
            yield sentence


def usable_answers(factoid: Factoid) -> list[str]:
    """Normalised answers that are not words of the question, yes or no."""
    question = normalise(factoid.question)
    answers = {normalise(answer) for answer in factoid.answers} - {"", "yes", "no", "none"}
    # Sorted: a set's order changes between runs, and the labels must not.
    return sorted(a for a in answers if not contains_answer(question, [a]))


def is_rare(answer: str, index: PassageIndex) -> bool:
    """Whether an answer is too specific to turn up in a sentence by chance."""
    return math.fsum(map(index.rarity, index.words(answer))) >= _RARE


def is_about(
    factoid: Factoid, sentence: CandidateSentence, index: PassageIndex, rules: Labelling, *, strict: bool
) -> bool:
    """Whether a sentence shares enough with the question, or with the human long answer, to be an answer."""
    needed = rules.coverage_for_common_answers if strict else rules.coverage
    if index.coverage(factoid.question, sentence.words) >= needed:
        return True
    if not factoid.long_answer:
        return False
    # The other way round than above: how much of the sentence a person also wrote.
    return index.coverage(sentence.text, index.words(factoid.long_answer)) >= rules.long_answer_overlap
