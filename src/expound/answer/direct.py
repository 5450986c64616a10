"""The answer in a word or two, where the form of the question, the span reader and the passage agree on one."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.entries import Entry
from expound.answer.extracts import Extract
from expound.protocols import Reader
from expound.text.answer_types import AnswerType, expected_type, typed_strings
from expound.text.words import coverage
from expound.types import Direct

# A direct answer stands above all extracts: only the two best are trusted with it.
_READ = 2
_MARKS = " .,;:|'\"“”`"
# Kinds whose form can be checked; of a reason or a name of a thing nobody can tell that it is one.
_FITTING: frozenset[AnswerType] = frozenset(("number", "date", "person", "place"))
_DEFAULT_ASKED = re.compile(r"\bdefaults?\b|\bunless (?:set|told|configured|changed)", re.IGNORECASE)
# "The default is 30" has a value; "the default is to wait" and "the default is the width of the window" have none.
_NO_VALUE = r"(?!(?:an?|for|if|in|not|set|that|the|this|to|when|your)(?![\w-]))"
_DEFAULT_SAID = re.compile(
    rf"\bdefaults?(?: value)?(?: is\b(?! to\b)| to\b|:| =)+ *(?:[`'\"“]|{_NO_VALUE})([^\s`'\"”,;()]+)", re.IGNORECASE
)
# A word or two cannot answer two questions, and the reader's best span answers at most one of them.
_TWO_ASKED = re.compile(
    r"\brespectively\b|\band (?:in |on |at |for |by )?(?:what|which|who|when|where|how|why)\b|"
    r"^(?:who|what|which) (?:are|were) the .{1,60}\band\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"\b(?:default|maximum|minimum|highest|lowest|largest|smallest|limit|number|most|least)\b", re.I)


@dataclass(frozen=True)
class Rules:
    """When a span is trusted (recipes/LOG.md, "Direct answers")."""

    margin: float = 2.0
    """How much surer than of no answer the reader must be, in logits."""
    covered: float = 0.5
    """Share of the question's content words that the span's entry must say, with its headings."""
    longest: int = 8
    """Words of a direct answer."""


@dataclass(frozen=True, slots=True)
class FoundDirect:
    """A direct answer and the entry that holds it."""

    direct: Direct
    extract: Extract
    entry: Entry


def find_direct(
    question: str, extracts: Sequence[Extract], contexts: Sequence[str], reader: Reader, rules: Rules | None = None
) -> FoundDirect | None:
    """The direct answer in the first extracts, each with the headings it stands under; None where it is not sure."""
    if _TWO_ASKED.search(question):
        return None
    rules = rules or Rules()
    stated = _stated_default(question, extracts, contexts, rules)
    return stated or _read_span(question, extracts[:_READ], contexts, reader, rules=rules)


def _stated_default(
    question: str, extracts: Sequence[Extract], contexts: Sequence[str], rules: Rules
) -> FoundDirect | None:
    """ "default: 10240000" behind the name of what was asked for."""
    if not _DEFAULT_ASKED.search(question):
        return None
    # `strict=False`: contexts are of all extracts, and only the first are read.
    for extract, context in zip(extracts[:_READ], contexts, strict=False):
        for entry in extract.entries:
            said = _DEFAULT_SAID.search(entry.text)
            # Three quarters of the words: "default" stands in many entries, and the name of the setting decides.
            if said and coverage(question, f"{context} {entry.text}") >= max(rules.covered, 0.75):
                # 0.9 is a guess; all seven direct answers on the halves were
                # right ("Direct answers" in recipes/LOG.md).
                return FoundDirect(Direct(said.group(1).rstrip("."), (extract.number,), 0.9), extract, entry)
    return None


def _read_span(
    question: str, extracts: Sequence[Extract], contexts: Sequence[str], reader: Reader, rules: Rules
) -> FoundDirect | None:
    kind = _wanted(question)
    if kind not in _FITTING or not extracts:
        return None
    texts = ["\n".join(entry.text for entry in extract.entries) for extract in extracts]
    spans = reader.read([(question, f"{context}. {text}") for context, text in zip(contexts, texts, strict=False)])
    # Of two equally sure spans the one of the better passage: its negative place is the larger.
    margin, place = max((span.score - span.null_score, -place) for place, span in enumerate(spans))
    extract, context = extracts[-place], contexts[-place]
    text = _one_cell(kind, spans[-place].text, rules).strip(_MARKS)
    # The span must stand in one entry: what the reader found in the headings is no answer.
    entry = next((entry for entry in extract.entries if text and text in entry.text), None)
    if entry is None or margin < rules.margin or not _fits(kind, text, rules):
        return None
    if coverage(question, f"{context} {entry.text}") < rules.covered:
        return None
    return FoundDirect(Direct(text, (extract.number,), _confidence(margin)), extract, entry)


def _wanted(question: str) -> AnswerType:
    """What kind of string answers; a limit or a default is mostly a number."""
    kind = expected_type(question)
    return "number" if kind == "name" and _QUANTITY.search(question) else kind


def _one_cell(kind: AnswerType, text: str, rules: Rules) -> str:
    """A span, or its first cell that answers: one that goes over the bars of a row is no phrase."""
    cells = [cell.strip(_MARKS) for cell in text.split(" | ")]
    return next((cell for cell in cells if cell and _fits(kind, cell, rules)), text)


def _fits(kind: AnswerType, text: str, rules: Rules) -> bool:
    return len(text.split()) <= rules.longest and bool(typed_strings(kind, f"It is {text}.") or _is_figure(kind, text))


def _is_figure(kind: AnswerType, text: str) -> bool:
    return kind == "number" and any(map(str.isdigit, text))


def _confidence(margin: float) -> float:
    """The share of direct answers of this margin that are right, by a logistic fit on the `choose` questions."""
    return round(1 / (1 + math.exp(-(0.8 + 0.3 * margin))), 2)
