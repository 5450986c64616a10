"""Answers of the sources' own sentences where a text model might be thought to have written: they say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from expound.types import Answer

COPIED = "copied"
"""The note on why an answer's sentences are copied."""
STAND_IN_FOR = "stand_in_for"
"""The note, also in a prediction's meta, on whose sentences they stand in for, and why."""


def read_by(answer: Answer, model: str) -> Answer:
    """The answer, with a note that the model only read for it."""
    return _add_notes(answer, {COPIED: f"read by {model}"})


def note_stand_in(answer: Answer, answerer: str, reason: str) -> Answer:
    """The answer, with the reason for which the answerer's own is missing."""
    return _add_notes(answer, {COPIED: f"because {reason}", STAND_IN_FOR: f"{answerer}, which failed: {reason}"})


def _add_notes(answer: Answer, notes: Mapping[str, str]) -> Answer:
    return replace(answer, notes={**answer.notes, **notes})
