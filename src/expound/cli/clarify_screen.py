"""The readings of a question as a few lines of text, or as a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from expound.cli.passage_screen import show
from expound.records import interpretation_record
from expound.shown.answer_pieces import place_of
from expound.text.ambiguity import OPENINGS, kind_of
from expound.types import Evidence, Interpretation

_ONE_OR_NONE = (
    "the evidence gives one short answer or none, or the question is not for a name, a place, a time or the like"
)


def print_readings(
    question: str,
    readings: Sequence[Interpretation],
    evidence: Sequence[Evidence],
    *,
    explain: bool = False,
    weighed: Mapping[str, str] = MappingProxyType({}),
    why_none: str = "",
) -> None:
    """Each reading with its answer; with `explain`, where it comes from, what kind of ambiguity it is, what else was
    `weighed` and what became of it.

    `why_none` is the reason that there are none, where it does not lie in the answers.
    """
    _print_found(question, readings, evidence, explain=explain, why_none=why_none)
    if weighed:
        show("\nWhat was weighed", style="bold")
    for name, remark in weighed.items():
        show(f"{name}  {remark}", first="  ", rest="      ", style="dim")


def _print_found(
    question: str, readings: Sequence[Interpretation], evidence: Sequence[Evidence], *, explain: bool, why_none: str
) -> None:
    if not readings:
        return show(f"No reading: {why_none}." if why_none else f"One reading at most: {_ONE_OR_NONE}.")
    if len(readings) == 1:
        show("One reading: the question as it was asked", style="bold")
    else:
        show(f"{len(readings)} readings", style="bold")
    for reading in readings:
        answer = reading.answers[0]
        show(f"{reading.question}  {answer}", first="  • ", rest="    ", bold=answer)
        if explain:
            _print_sources(reading, evidence)
    if explain and len(readings) > 1:
        kind = kind_of(question, readings)
        show(f"\nType of ambiguity: {kind}. {OPENINGS[kind]}", style="dim")
    return None


def readings_record(
    question: str,
    readings: Sequence[Interpretation],
    evidence: Sequence[Evidence],
    *,
    weighed: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Question, readings, type of ambiguity, the passages that the readings cite, and what was `weighed`, if told."""
    cited = {number for reading in readings for number in reading.citations}
    return {
        "question": question,
        "interpretations": [interpretation_record(reading) for reading in readings],
        "ambiguity": kind_of(question, readings) if len(readings) > 1 else "",
        "evidence": [
            {"number": item.number, "id": item.passage.id, "title": item.passage.title, "text": item.passage.text}
            for item in evidence
            if item.number in cited
        ],
        **({"explain": dict(weighed)} if weighed else {}),
    }


def _print_sources(reading: Interpretation, evidence: Sequence[Evidence]) -> None:
    for item in evidence:
        if item.number in reading.citations:
            show(place_of(item), first="      ", rest="      ", style="dim")
            show(f"“{_around(reading.answers, item.passage.text)}”", first="      ", rest="      ", style="dim")


def _around(answers: Sequence[str], text: str) -> str:
    """The sentence of a passage that gives the answer."""
    from expound.text.sentences import split_sentences

    sentences = split_sentences(text)
    return next((line for line in sentences if any(answer in line for answer in answers)), sentences[0])
