"""Marked words: a label on a stretch of an answer, by offsets in its characters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

# As `str.find` says it: no place in a text has a number below 0.
NOWHERE = -1


def span_in(line: str) -> dict[str, Any]:
    """What a line says: JSON of the page, or `label: quotation`, whose offsets are looked for later."""
    # Both in one box: the page posts offsets, and a sheet that people fill in has only their words.
    if line.lstrip().startswith("{"):
        try:
            given = json.loads(line)
            numbers = {name: int(given[name]) for name in ("place", "start", "end")}
            return {"label": str(given["label"]), "quote": str(given["quote"]), **numbers}
        except (ValueError, KeyError, TypeError):
            return {}
    label, _, quote = line.partition(":")
    return {"label": label, "quote": quote.strip()}


def locate_marks(span: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """The span with the text it is in and its offsets; a quotation without any is taken where it stands first."""
    if "start" in span:
        return dict(span)
    place = next((number for number, text in enumerate(texts) if span["quote"] in text), NOWHERE)
    start = texts[place].find(span["quote"]) if place != NOWHERE else NOWHERE
    return {**span, "place": place, "start": start, "end": start + len(span["quote"])}


def is_there(span: Mapping[str, Any], texts: Sequence[str]) -> bool:
    """Whether the words stand where the span says."""
    if not 0 <= span["place"] < len(texts) or not 0 <= span["start"] < span["end"]:
        return False
    return bool(texts[span["place"]][span["start"] : span["end"]] == span["quote"])


def tokens_of(text: str) -> list[tuple[int, int]]:
    """Where the words of a text begin and end: what agreement on marks is counted in."""
    found, at = [], 0
    for word in text.split():
        # Looked for from where the last one ended: a word may stand in a text twice.
        start = text.index(word, at)
        at = start + len(word)
        found.append((start, at))
    return found


def marked_tokens(span: Mapping[str, Any], tokens: Sequence[tuple[int, int]]) -> list[int]:
    """The numbers of the words that a span touches."""
    # Touched is marked: a hand on a screen seldom ends exactly between two words.
    return [number for number, (start, end) in enumerate(tokens) if start < span["end"] and end > span["start"]]
