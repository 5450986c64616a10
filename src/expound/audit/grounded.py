"""Which sentences a passage supports, and which names and numbers come from nowhere."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from expound.audit.inputs import Inputs
from expound.text.answer_types import names
from expound.text.sentences import split_sentences
from expound.text.support import LexicalSupport
from expound.text.words import content_stems

THRESHOLD = 0.7
"""Where LexicalSupport agrees best with people."""

_NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")


def support_rates(inputs: Inputs) -> list[float]:
    """For every question the share of the answer's sentences that a passage supports, in percent."""
    return [support_rate(text, passages) for text, passages in zip(inputs.answers(), inputs.passages, strict=True)]


def support_rate(text: str, passages: Sequence[str]) -> float:
    """The share of one answer; not a number without a sentence or without passages."""
    sentences = split_sentences(text)
    if not sentences or not passages:
        return math.nan
    supports = LexicalSupport()
    supported = [any(supports(passage, sentence) >= THRESHOLD for passage in passages) for sentence in sentences]
    return 100 * sum(supported) / len(supported)


def unknown_names(inputs: Inputs) -> list[float]:
    """For every question the share of the answer's names and numbers that nothing given has, in percent."""
    rows = zip(inputs.answers(), inputs.passages, inputs.questions, strict=True)
    return [
        unknown_share(text, [*passages, question.text]) if passages else math.nan for text, passages, question in rows
    ]


def unknown_share(text: str, given: Sequence[str]) -> float:
    """The share of one answer; not a number where it has neither names nor numbers."""
    found = facts(text)
    return 100 * len(unknown_facts(text, given)) / len(found) if found else math.nan


def unknown_facts(text: str, given: Sequence[str]) -> list[str]:
    """The names and numbers of a text that nothing given has."""
    joined = " ".join(given)
    # Case and inflection are no inventions.
    folded, stems = joined.casefold(), set(content_stems(joined))
    # 1,000 and 1000 are one number.
    numbers = {number.replace(",", "") for number in _NUMBER.findall(joined)}
    return [fact for fact in facts(text) if not _is_known(fact, folded, stems, numbers)]


def facts(text: str) -> list[str]:
    """The names and numbers of a text, each once."""
    # Finding names takes quadratic time on a hostile line.
    named = (name for sentence in split_sentences(text) for name in names(sentence[:2000], context=text[:20_000]))
    return list(dict.fromkeys([*named, *_NUMBER.findall(text)]))


def _is_known(fact: str, folded: str, stems: set[str], numbers: set[str]) -> bool:
    if fact[0].isdigit():
        return fact.replace(",", "") in numbers
    # As it stands, or word by word: "Battle of Hastings" is known where a passage speaks of the Hastings battle.
    return fact.casefold() in folded or stems.issuperset(content_stems(fact))
