"""The readings of a question as a few lines of text, or as a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from expound.cli.passage_screen import show
from expound.records import interpretation_record
from expound.shown.answer_pieces import place_of
from expound.text.ambiguity import OPENINGS, kind_of
from expound.types import Evidence, Interpretation


def print_readings(
    question: str, readings: Sequence[Interpretation], evidence: Sequence[Evidence], *, explain: bool
) -> None:
    """Each reading with its answer; with `explain`, where it comes from and what kind of ambiguity it is."""
    if not readings:
        return show("No reading: the evidence gives no short answer, or the question asks for an explanation.")
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


def readings_record(question: str, readings: Sequence[Interpretation], evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Question, readings, type of ambiguity, and the passages that the readings cite."""
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
