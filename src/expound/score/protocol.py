"""Which references a prediction is held against: all of them, or fewer where the paper compares people or oracles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from expound.errors import UserError
from expound.types import Answer, Prediction, Question

Case: TypeAlias = tuple[Question, Prediction]
Protocol: TypeAlias = Callable[[Question, Prediction], list[Case]]
"""From a pair to what is counted for it; several cases are averaged."""
EACH_READ = "short_answers_of_each"
"""Where `meta` has the short answers of every case of a pair, in their order."""


def standard(question: Question, prediction: Prediction) -> list[Case]:
    """The prediction against every reference, by the metric's own rule."""
    return [(question, prediction)]


def human(question: Question, prediction: Prediction) -> list[Case]:
    """Each reference as if a system had written it, against the others (the human rows of ASQA's Table 3)."""
    return [
        (
            replace(question, references=question.references[:place] + question.references[place + 1 :]),
            _said(prediction, reference, place),
        )
        for place, reference in enumerate(question.references)
    ]


def _said(prediction: Prediction, reference: str, place: int) -> Prediction:
    """The reference as a prediction, with the short answers that a reader found in it."""
    read = prediction.meta.get(EACH_READ)
    # What was read of one reference must not be taken for another's.
    meta = {**prediction.meta, "short_answers": read[place]} if read else prediction.meta
    return replace(prediction, answer=Answer(reference), meta=meta)


def oracle(question: Question, prediction: Prediction) -> list[Case]:
    """The prediction against the references that an oracle has not seen: it read the notes behind the longest one.

    ASQA's oracle is given the knowledge of the annotator with the longest answer (Stelmakh et al. 2022, section 5.1).
    Longest is in words, the first on a tie.
    """
    lengths = [len(reference.split()) for reference in question.references]
    # With a single reference there is no other annotator to be held against.
    used = lengths.index(max(lengths)) if len(lengths) > 1 else None
    unused = tuple(reference for place, reference in enumerate(question.references) if place != used)
    return [(replace(question, references=unused), prediction)]


def others(question: Question, prediction: Prediction) -> list[Case]:
    """A prediction that is one of the references, against the others (gold rows of Krishna et al. 2021, Table 7)."""
    said = prediction.answer.text.strip()
    # By text, not by place: two annotators who wrote the same are the same answer.
    unlike = tuple(reference for reference in question.references if reference.strip() != said)
    return [(replace(question, references=unlike), prediction)]


PROTOCOLS: dict[str, Protocol] = {"standard": standard, "human": human, "oracle": oracle, "others": others}


def find_protocol(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise UserError(f"no protocol named {name!r}; there are: {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]


def people(questions: Iterable[Question]) -> Iterator[Prediction]:
    """Predictions to be filled by the protocol `human`, one for each question with several references."""
    return (
        Prediction(id=question.id, question=question.text, system="human", answer=Answer())
        for question in questions
        # One person alone has nobody to be compared with.
        if len(question.references) > 1
    )
