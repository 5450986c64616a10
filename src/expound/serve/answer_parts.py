"""An answer as its page shows it: paragraphs of sentences that can be opened, and what is said of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.shown.answer_pieces import list_cited, place_of, place_of_passage
from expound.shown.passage_words import WIDEST, first_words
from expound.text.plain import plain_line
from expound.types import Answer, Evidence, Passage, Prediction, Sentence


@dataclass(frozen=True)
class ShownEntry:
    """A sentence or another entry of an answer, with its place among all of them."""

    place: int
    entry: Sentence


def paragraphs_of(answer: Answer) -> list[list[ShownEntry]]:
    """The entries in paragraphs as the answer's text has them; code, steps and rows stand alone."""
    found: list[list[ShownEntry]] = []
    for place, entry in enumerate(answer.sentences):
        before = answer.sentences[place - 1] if place else None
        # A blank between them in the answer's own text; a line break there begins a paragraph.
        goes_on = before is not None and f"{before.text} {entry.text}" in answer.text
        if goes_on and before is not None and before.kind == entry.kind == "sentence":
            found[-1].append(ShownEntry(place, entry))
        else:
            found.append([ShownEntry(place, entry)])
    return found


def nearest_of(prediction: Prediction) -> list[tuple[Evidence, str, str]]:
    """What comes nearest where there is no answer: each with its place and its first words."""
    return [(item, place_of(item), first_words(item.passage, 2 * WIDEST)) for item in prediction.nearest]


def citation_list(prediction: Prediction) -> str:
    """What an answer cites, one a line: number, title, place and address."""
    return "\n".join(f"[{item.number}] {_citation(item.passage)}" for item in list_cited(prediction)) + "\n"


def _citation(passage: Passage) -> str:
    where = place_of_passage(passage)
    url = passage.source.url
    return plain_line(where if not url or url in where else f"{where}. {url}")


def numbers_of(entry: Sentence, evidence: Sequence[Evidence]) -> list[int]:
    """What an entry cites of the evidence that was kept."""
    known = {item.number for item in evidence}
    return [number for number in entry.citations if number in known]
