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
from expound.text.whole_words import take_whole_words
from expound.text.words import content_stems, coverage
from expound.types import Direct

# A direct answer stands above all extracts: only the two best are trusted with it.
_READ = 2
_MARKS = " .,;:|'\"“”`"
_JOINT = re.compile(r"[_.-]+|(?<=[a-z])(?=[A-Z])")  # within a name: idle_timeout, idle.timeout, idleTimeout
# Kinds whose form can be checked; of a reason or a name of a thing nobody can tell that it is one.
_FITTING: frozenset[AnswerType] = frozenset(("number", "date", "person", "place"))
_DEFAULT_ASKED = re.compile(r"\bdefaults?\b|\bunless (?:set|told|configured|changed)", re.IGNORECASE)
# "The default is 30" has a value; "the default is to wait", "the default is the width of the window" and "the default
# is determined by the locale" have none.
_NO_VALUE = (
    r"(?!(?:an?|as|based|calculated|chosen|computed|defined|derived|determined|for|given|if|in|inherited|no longer|not"
    r"|set|specified|taken|that|the|this|to|unset|what|whatever|when|your)(?![\w-]))"
)
# What stands between "is" and the value.
_HEDGE = r"(?:(?:about|almost|always|approximately|currently|generally|normally|now|often|typically|usually) )*"
_DEFAULT_SAID = re.compile(
    rf"\bdefaults?(?: value)?(?: is\b(?! to\b)| to\b|:| =)+ *{_HEDGE}(?:[`'\"“]|{_NO_VALUE})([^\s`'\"”,;()]+)",
    re.IGNORECASE,
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
    relevance: float = 3.5
    """The ranker's logit from which on the passage is taken to answer the question, whatever words it uses."""
    agreed_margin: float = 1.0
    """The margin of the reader for such a passage: two models that were trained apart agree."""
    named: float = 0.75
    """Share of the question's content words that a cell's row, column and headings must say."""
    longest: int = 8
    """Words of a direct answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an extract stands: its title and headings, and what a ranker made of the passage with the question."""

    context: str
    relevance: float = float("-inf")


@dataclass(frozen=True, slots=True)
class FoundDirect:
    """A direct answer and the entry that holds it."""

    direct: Direct
    extract: Extract
    entry: Entry


def find_direct(
    question: str,
    extracts: Sequence[Extract],
    places: Sequence[Place],
    reader: Reader,
    rules: Rules | None = None,
) -> FoundDirect | None:
    """The direct answer in the first extracts, each with its place; None where it is not sure."""
    if _TWO_ASKED.search(question):
        return None
    rules = rules or Rules()
    stated = _stated_default(question, extracts, places, rules) or _cell(question, extracts, places, rules)
    return stated or _read_span(question, extracts[:_READ], places, reader, rules=rules)


def _stated_default(
    question: str, extracts: Sequence[Extract], places: Sequence[Place], rules: Rules
) -> FoundDirect | None:
    """ "default: 10240000" behind the name of what was asked for."""
    if not _DEFAULT_ASKED.search(question):
        return None
    # `strict=False`: places are of all extracts, and only the first are read.
    for extract, place in zip(extracts[:_READ], places, strict=False):
        for entry in extract.entries:
            said = _DEFAULT_SAID.search(entry.text)
            # Three quarters of the words: "default" stands in many entries, and the name of the setting decides.
            if said and coverage(question, f"{place.context} {entry.text}") >= max(rules.covered, 0.75):
                # 0.9 is a guess; all seven direct answers on the halves were
                # right ("Direct answers" in recipes/LOG.md).
                return FoundDirect(Direct(said.group(1).rstrip("."), (extract.number,), 0.9), extract, entry)
    return None


def _cell(question: str, extracts: Sequence[Extract], places: Sequence[Place], rules: Rules) -> FoundDirect | None:
    """The cell whose row and column the question names: "the default of grace_time" under "default"."""
    wanted = set(content_stems(question))
    for extract, place in zip(extracts[:_READ], places, strict=False):
        for entry in extract.entries:
            found = _named_cell(entry.text, wanted) if entry.kind == "rows" else None
            if found is None:
                continue
            text, named = found
            # What the question says besides, the headings must say: "in 2019" is another table's year.
            said = named | set(content_stems(place.context))
            if len(wanted & said) >= rules.named * len(wanted) and len(text.split()) <= rules.longest:
                return FoundDirect(Direct(text, (extract.number,), 0.85), extract, entry)
    return None


def _named_cell(table: str, wanted: set[str]) -> tuple[str, set[str]] | None:
    """The one cell whose row and column are named by words that are wanted, and the words that name them."""
    header, *lines = (line.split(" | ") for line in table.split("\n"))
    rows = [line for line in lines if len(line) == len(header)]
    columns = _named(header[1:], wanted)
    if len(columns) != 1:
        return None
    column, of_column = columns[0]
    # Without the column's words: else "default" would find the row "default".
    found = _named([row[0] for row in rows], wanted - of_column)
    if len(found) != 1:
        return None
    row, of_row = found[0]
    text = rows[row][column + 1].strip(_MARKS)
    return (text, of_column | of_row) if text.strip("-–—") else None


def _named(labels: Sequence[str], wanted: set[str]) -> list[tuple[int, set[str]]]:
    """The labels all of whose words are wanted, with their words; those that say the most."""
    # "idle timeout" asks for `idle_timeout`, and not for the row `timeout` beside it.
    stems = [(place, set(content_stems(text))) for place, label in enumerate(labels) for text in _spellings(label)]
    named = [(place, words) for place, words in stems if words and words <= wanted]
    most = max((len(words) for _, words in named), default=0)
    # By place: both spellings of a label may have the same words.
    return list({place: words for place, words in named if len(words) == most}.items())


def _spellings(label: str) -> tuple[str, str]:
    """A label as it stands, and with the words of its names apart: `idle_timeout`, `idleTimeout`."""
    return label, _JOINT.sub(" ", label)


def _read_span(
    question: str, extracts: Sequence[Extract], places: Sequence[Place], reader: Reader, rules: Rules
) -> FoundDirect | None:
    kind = _wanted(question)
    if kind not in _FITTING or not extracts:
        return None
    texts = ["\n".join(entry.text for entry in extract.entries) for extract in extracts]
    spans = reader.read([(question, f"{place.context}. {text}") for place, text in zip(places, texts, strict=False)])
    # Of two equally sure spans the one of the better passage: its negative number is the larger.
    margin, number = max((span.score - span.null_score, -number) for number, span in enumerate(spans))
    extract, place = extracts[-number], places[-number]
    text = _one_cell(kind, spans[-number].text, rules).strip(_MARKS)
    # The span must stand in one entry: what the reader found in the headings is no answer.
    entry = next((entry for entry in extract.entries if text and text in entry.text), None)
    text = _whole(text, entry) if entry else text
    agrees = place.relevance >= rules.relevance
    if entry is None or margin < (rules.agreed_margin if agrees else rules.margin) or not _fits(kind, text, rules):
        return None
    if not agrees and coverage(question, f"{place.context} {entry.text}") < rules.covered:
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


def _whole(text: str, entry: Entry) -> str:
    """The text with the rest of the words that it cuts, where the entry has it."""
    start = entry.text.index(text)
    return take_whole_words(entry.text, start, start + len(text))


def _fits(kind: AnswerType, text: str, rules: Rules) -> bool:
    return len(text.split()) <= rules.longest and bool(typed_strings(kind, f"It is {text}.") or _is_figure(kind, text))


def _is_figure(kind: AnswerType, text: str) -> bool:
    return kind == "number" and any(map(str.isdigit, text))


def _confidence(margin: float) -> float:
    """The share of direct answers of this margin that are right, by a logistic fit on the `choose` questions."""
    return round(1 / (1 + math.exp(-(0.8 + 0.3 * margin))), 2)
