"""Do documents hold the answer at all? Learnt from questions whose page was there, and whose page was not."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from expound.text.answer_types import expected_type, typed_strings
from expound.text.titled import titled_passage
from expound.text.words import content_stems
from expound.types import Evidence

ANSWERABLE = 0.48
"""From where on an answer is given; the fits are moved so that it is the same place for all of them."""
SMALL, LARGE = 50, 100
"""Passages: up to `SMALL` a corpus is somebody's few notes, from `LARGE` on a manual, and by degrees in between. The
notes that chose have at most 29 (but for a table of 127 rows), the manuals at least 94 (recipes/LOG.md)."""
USUAL, MOST_COUNTED = 1000, 20_000
"""Passages of a manual whose size nobody has told, and of the largest that was fitted on, about."""
# As in the fit (recipes/LOG.md, "When documents do not answer"): more passages would say more words by chance.
_LOOKED_AT = 10
_SHORTEST_NAME = 3  # letters by which something else may be called after it
_LEADERS = 5  # of the best, as in the fit
# Further behind a passage says all of the words because it is about many things.
_BEST = 3
# A capital within a sentence: the first word of a question has one anyway.
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w’'-]+")
# What something is compared with is a name, however it is written: what never says "doas"
# compares nothing with it.
_COMPARED = re.compile(
    r"\b(?:compared? (?:to|with)|versus|vs\.?|different from|differs? from) (?:an? |the )?"
    r"([\w-]+(?: [\w-]+){0,2})"
)
# "OperationalError", "SIGKILL", "HY000": a pasted message has many of them, and the page that helps names few.
_IDENTIFIER = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[_\d]|^[A-Z]{4,}$")


@dataclass(frozen=True)
class AnswerableWeights:
    """A logistic fit on the questions that chose, of manuals or of a few notes."""

    best: float
    """Of the best passage's score: nearness, the question's telling words, and what a ranker made of it."""
    covered: float
    """Of the share of the question's content words that the ten best passages say together."""
    missing_names: float
    """Of the share of the question's names that none of them mentions."""
    missing_number: float
    """Of a question for a number whose best passage has none."""
    intercept: float
    ahead: float = 0.0
    """Of how far the ranker puts the best passage above the five best: what is meant stands out."""
    words: float = 0.0
    """Of each content word of the question: who tells a story is far from any passage, and so is what answers it."""
    size: float = 0.0
    """Of the logarithm of the passages: the best of many is nearer by chance."""


# recipes/LOG.md, "Long questions, small manuals": passages that a ranker has read with the question.
MANUALS = AnswerableWeights(
    best=3.9,
    covered=3.7,
    missing_names=-4.3,
    missing_number=-3.9,
    intercept=-4.57,
    ahead=0.26,
    words=0.38,
    size=-0.37,
)
# Who asks notes of their own uses other words than the notes, so that words count for nothing; and of few passages none
# comes near to a question by chance.
NOTES = AnswerableWeights(best=2.8, covered=0.0, missing_names=-0.5, missing_number=0.0, intercept=0.5)
# recipes/LOG.md, "When documents do not answer": passages that nobody has read, whatever the size of the corpus.
UNREAD = AnswerableWeights(best=6.4, covered=1.6, missing_names=-1.8, missing_number=0.0, intercept=-5.1)


def is_answerable(question: str, evidence: Sequence[Evidence], passages: int = USUAL) -> bool:
    """Whether the evidence, in the order of `order_sentences`, is likely to hold an answer.

    `passages` is how many it was found among.
    """
    return says_all(question, evidence) or answerability(question, evidence, passages) >= ANSWERABLE


def says_all(question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether one of the best passages says every content word of the question.

    "What does usepeerdns do?" is far from any passage in meaning, and the one that has the word is meant. Of 63
    questions to manuals that do not answer them, none has such a passage (recipes/LOG.md, "Near misses").
    """
    wanted = content_stems(question)
    return bool(wanted) and any(
        set(wanted) <= set(content_stems(titled_passage(item.passage))) for item in evidence[:_BEST]
    )


def answerability(question: str, evidence: Sequence[Evidence], passages: int = USUAL) -> float:
    """The probability that the evidence, in the order of `order_sentences`, answers the question."""
    if not evidence:
        return 0.0
    said = [set(content_stems(titled_passage(item.passage))) for item in evidence[:_LOOKED_AT]]
    asked = content_stems(question)
    covered, missing = _share(asked, set().union(*said)), _missing_names(question, said)
    lacks_number = _lacks_number(question, evidence[0].passage.text)
    ahead, count = _lead(evidence), math.log(max(1, passages))

    def logit(weights: AnswerableWeights) -> float:
        signs = weights.best * evidence[0].score + weights.covered * covered + weights.missing_names * missing
        signs += weights.ahead * ahead + weights.words * len(asked) + weights.size * count
        return weights.intercept + signs + weights.missing_number * lacks_number

    size = _largeness(passages)
    is_read = evidence[0].relevance is not None
    chance = size * logit(MANUALS) + (1 - size) * logit(NOTES) if is_read else logit(UNREAD)
    return 1 / (1 + math.exp(-chance))


def _lead(evidence: Sequence[Evidence]) -> float:
    """How far the ranker's best passage is above the mean of its five best."""
    best = sorted((item.relevance for item in evidence if item.relevance is not None), reverse=True)[:_LEADERS]
    return best[0] - math.fsum(best) / len(best) if best else 0.0


def _largeness(passages: int) -> float:
    """0 for a few notes, 1 for a manual; by the logarithm, as the best of many scores grows."""
    return min(1.0, max(0.0, math.log(max(1, passages) / SMALL) / math.log(LARGE / SMALL)))


def _missing_names(question: str, said: Sequence[set[str]]) -> float:
    """The share of the question's names that no passage mentions; those of an error message may well be missing."""
    anywhere = set().union(*said)
    # Of what is compared one word is enough: "differs from the ordinary printer" may find printers of another sort.
    compared = [name for name in _COMPARED.findall(question) if anywhere.isdisjoint(content_stems(name))]
    found = dict.fromkeys((*_NAME.findall(question), *compared))
    names = [(stem, name) for name in found for stem in content_stems(name) if not _is_everywhere(stem, said)]
    missing = [name for stem, name in names if not _is_mentioned(stem, anywhere) and not _IDENTIFIER.search(name)]
    # Without names nothing is missing: a question in lower case must not be punished for it.
    return len(missing) / len(names) if names else 0.0


def _is_mentioned(stem: str, said: set[str]) -> bool:
    """Whether a name is said, or something that is called after it: "Mac" by "macOS", "Postgres" by "PostgreSQL"."""
    return stem in said or (len(stem) >= _SHORTEST_NAME and any(word.startswith(stem) for word in said))


def _is_everywhere(stem: str, said: Sequence[set[str]]) -> bool:
    """Whether half of the passages say it: in the manual of Sphinx the name Sphinx tells nothing."""
    return 2 * sum(stem in stems for stems in said) >= len(said)


def _lacks_number(question: str, best: str) -> bool:
    """Whether a number is asked for and the passage has none: "the interval can be set" is not how long it is.

    >>> _lacks_number("How many minutes does it wait?", "It waits a while."), _lacks_number("How many?", "Set to 10MB.")
    (True, False)
    """
    has_number = re.search(r"\d", best) is not None or bool(typed_strings("number", best))
    return expected_type(question) == "number" and not has_number


def _share(wanted: Sequence[str], said: set[str]) -> float:
    return sum(stem in said for stem in wanted) / len(wanted) if wanted else 0.0
