"""Number evidence: what is found for readings joins the rest, and sources stand in the order of their citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from expound.types import Answer, Direct, Evidence, Interpretation, Sentence


def merge_evidence(
    readings: Sequence[Interpretation], evidence: Sequence[Evidence], found: Sequence[Sequence[Evidence]]
) -> list[Evidence]:
    """The evidence with what was found for each reading; numbers stay, new passages get the next ones."""
    cited = {number for reading in readings for number in reading.citations}
    known = {item.passage.id: item for item in evidence}
    # Best of every reading, then second best of every reading: no reading crowds out another.
    by_rank = [item for rank in zip_longest(*found) for item in rank if item is not None]
    new = {item.passage.id: item for item in by_rank if item.passage.id not in known}
    fresh = {id: replace(item, number=len(evidence) + place) for place, (id, item) in enumerate(new.items(), start=1)}
    again = [known.get(item.passage.id) or fresh[item.passage.id] for item in by_rank]
    # A number is kept by its first place, so what stands further behind is not doubled.
    ordered = [*(item for item in evidence if item.number in cited), *again, *evidence]
    return list({item.number: item for item in ordered}.values())


def keep_cited(evidence: Sequence[Evidence], answer: Answer) -> list[Evidence]:
    """The evidence that some sentence of the answer cites."""
    cited = {number for sentence in answer.sentences for number in sentence.citations}
    return [item for item in evidence if item.number in cited]


def number_by_appearance(
    answer: Answer, interpretations: Sequence[Interpretation], evidence: Sequence[Evidence]
) -> tuple[Answer, list[Interpretation], list[Evidence]]:
    """Number the evidence in the order in which it is cited; what is not cited comes after."""
    direct = [answer.direct] if answer.direct else []
    parts: list[Direct | Sentence | Interpretation] = [*direct, *answer.sentences, *interpretations]
    # In the order in which a reader meets them: the direct answer, the sentences, then the readings.
    cited = [number for part in parts for number in part.citations]
    order = dict.fromkeys([*cited, *(item.number for item in evidence)])
    new = {old: number for number, old in enumerate(order, start=1)}

    def renumbered(numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(new[number] for number in numbers))

    sentences = tuple(replace(sentence, citations=renumbered(sentence.citations)) for sentence in answer.sentences)
    readings = [replace(reading, citations=renumbered(reading.citations)) for reading in interpretations]
    items = [replace(item, number=new[item.number]) for item in evidence]
    if answer.direct:
        answer = replace(answer, direct=replace(answer.direct, citations=renumbered(answer.direct.citations)))
    return replace(answer, sentences=sentences), readings, sorted(items, key=lambda item: item.number)
