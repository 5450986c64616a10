"""Citation recall and precision (Gao et al. 2023): is each sentence proven by what it cites, and all of that needed?

A sentence is proven when the passages it cites, one after the other, support it. Answers without sentence records are
cut into sentences by rule, and [1], [1][2] and [1, 2] in their text are read as numbers of the prediction's evidence.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from expound import plugins
from expound.errors import UserError
from expound.protocols import Supports
from expound.resources import list_needed
from expound.text.sentences import sentence_spans
from expound.text.titled import add_title
from expound.types import Prediction, Question

# Where LexicalSupport agrees best with people; its docstring has the numbers.
THRESHOLD = 0.7
# The space before a marker goes with it, so that "so [1]." becomes "so."; the lookbehind keeps long spaces linear.
_MARKER = re.compile(r"(?<![ \t])[ \t]*+\[([0-9]{1,3}(?:, ?[0-9]{1,3})*)\]")
_NUMBER = re.compile("[0-9]+")

Proves: TypeAlias = Callable[[Sequence[str], str], bool]
"""Whether these passages together support a sentence."""


class CitedSentence(NamedTuple):
    """A sentence and the different numbers it cites."""

    text: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class CitationRecall:
    """Share of the answer's sentences that the passages they cite support together (Gao et al. 2023).

    A sentence without a citation is not supported. 0 to 100; not a number for an abstention or an answer without
    sentences. `supports` is a plug-in's spec or any `Supports`; a sentence is supported from `threshold` upwards, which
    by default suits the judge `lexical`. Gao et al. use a language inference model of 11 billion parameters.
    """

    looks_at = ("text", "evidence")
    supports: str | Supports = "lexical"
    threshold: float = THRESHOLD
    name = "citation_recall"

    def __post_init__(self) -> None:
        _check_threshold(self.threshold)

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return _options(self.supports, self.threshold)

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return tuple(list_needed([_judge(self.supports)]))

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's share in percent."""
        proves, passages = _proves(self.supports, self.threshold), numbered_passages(prediction)
        proven = [proves(cited_texts(sentence, passages), sentence.text) for sentence in cited_sentences(prediction)]
        return 100 * sum(proven) / len(proven) if proven else math.nan


@dataclass(frozen=True)
class CitationPrecision:
    """Share of the answer's citations that their sentences need (Gao et al. 2023).

    A citation is not needed if its sentence is not supported by all it cites, or if the passage alone does not support
    the sentence while the others together do. One to a number that no evidence has is never needed. 0 to 100; not a
    number for an abstention or an answer without citations. Options as for `CitationRecall`.
    """

    looks_at = ("text", "evidence")
    supports: str | Supports = "lexical"
    threshold: float = THRESHOLD
    name = "citation_precision"

    def __post_init__(self) -> None:
        _check_threshold(self.threshold)

    @property
    def options(self) -> dict[str, str]:
        """What the signature says besides the name."""
        return _options(self.supports, self.threshold)

    @property
    def resources(self) -> tuple[str, ...]:
        """The fetched files that it cannot do without."""
        return tuple(list_needed([_judge(self.supports)]))

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's share in percent."""
        proves, passages = _proves(self.supports, self.threshold), numbered_passages(prediction)
        needed = [
            verdict
            for sentence in cited_sentences(prediction)
            for verdict in _tell_needed(cited_texts(sentence, passages), sentence.text, proves)
        ]
        return 100 * sum(needed) / len(needed) if needed else math.nan


def cited_sentences(prediction: Prediction) -> list[CitedSentence]:
    """The sentences of an answer that have a word, each with what it cites; an abstention has none.

    >>> from expound.types import Answer
    >>> answer = Answer("It closed in 1999 [1][2]. Nobody knows why.")
    >>> cited_sentences(Prediction("1", "?", "demo", answer))[0]
    CitedSentence(text='It closed in 1999.', numbers=(1, 2))
    """
    # Silence cites nothing and claims nothing: neither 0 nor 100 would be fair.
    if prediction.abstained:
        return []
    records = prediction.answer.sentences
    # Markers are read only where a system has no records of its own: a "[1]" may be part of a quotation.
    sentences = [CitedSentence(record.text, record.citations) for record in records] or _read(prediction.answer.text)
    return [
        CitedSentence(sentence.text, tuple(dict.fromkeys(sentence.numbers)))
        for sentence in sentences
        if any(map(str.isalnum, sentence.text))
    ]


def _read(text: str) -> list[CitedSentence]:
    """The sentences of a text with markers; a marker belongs to the sentence that it stands in or right after.

    Only one that opens a line belongs to what follows.
    """
    plain, markers = _without_markers(text)
    spans = sentence_spans(plain)
    starts = [start for start, _ in spans]
    cited: list[list[int]] = [[] for _ in spans]
    # A text of markers alone has no sentence to give them to.
    for place, numbers in markers if spans else ():
        opens_line = plain[place - 1 : place] in ("", "\n")
        # Of sentences that start at or after the place, the one before is meant, unless the marker opens its line.
        sentence = bisect_left(starts, place) - (not opens_line)
        cited[min(max(0, sentence), len(spans) - 1)] += numbers
    return [CitedSentence(plain[start:end], tuple(own)) for (start, end), own in zip(spans, cited, strict=True)]


def _without_markers(text: str) -> tuple[str, list[tuple[int, list[int]]]]:
    """The text without markers, and the numbers of each with the place in the text where it was."""
    pieces: list[str] = []
    markers: list[tuple[int, list[int]]] = []
    end = place = 0
    for match in _MARKER.finditer(text):
        pieces.append(text[end : match.start()])
        place += len(pieces[-1])
        markers.append((place, [int(number) for number in _NUMBER.findall(match.group(1))]))
        end = match.end()
    return "".join([*pieces, text[end:]]), markers


def numbered_passages(prediction: Prediction) -> dict[int, str]:
    """The evidence by number, with titles."""
    return {item.number: add_title(item.passage.title, item.passage.text) for item in prediction.evidence}


def cited_texts(sentence: CitedSentence, passages: Mapping[int, str]) -> list[str]:
    """The text behind each citation, empty where there is no such evidence."""
    return [passages.get(number, "") for number in sentence.numbers]


def _tell_needed(texts: Sequence[str], sentence: str, proves: Proves) -> list[bool]:
    """For each citation of a sentence whether it is needed."""
    # Gao et al. count no citation of an unproven sentence as precise.
    if not proves(texts, sentence):
        return [False] * len(texts)
    return [
        # Alone enough, or the others not enough without it.
        bool(text) and (proves([text], sentence) or not proves([*texts[:place], *texts[place + 1 :]], sentence))
        for place, text in enumerate(texts)
    ]


def _proves(supports: str | Supports, threshold: float) -> Proves:
    judge = _judge(supports)

    def proves(texts: Sequence[str], sentence: str) -> bool:
        # Joined, since a sentence may be proven by two passages together.
        joined = "\n".join(filter(None, texts))
        return bool(joined) and judge(joined, sentence) >= threshold

    return proves


def _judge(supports: str | Supports) -> Supports:
    return _build_supports(supports) if isinstance(supports, str) else supports


@lru_cache(maxsize=8)
def _build_supports(spec: str) -> Supports:
    judge: Supports = plugins.build("supports", spec)
    return judge


def _options(supports: str | Supports, threshold: float) -> dict[str, str]:
    judge = _judge(supports)
    return {"supports": str(getattr(judge, "name", type(judge).__name__)), "threshold": f"{threshold:g}"}


def _check_threshold(threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise UserError(f"the threshold is {threshold:g}; it must be above 0 and at most 1")
