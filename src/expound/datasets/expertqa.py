"""ExpertQA (Malaviya et al. 2024): experts judge systems' answers to their own questions, claim by claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expound.datasets.fields import fields, items, text, texts
from expound.datasets.preferences import grade_of, read_judged
from expound.records import question_id
from expound.types import Passage, Question, Rating

_USEFUL = {"Not useful at all": 0.0, "Partially useful": 1.0, "Useful": 2.0}
# What says that there is nothing to judge ("N/A", no value) makes no rating.
_OF_CLAIMS: Mapping[str, Mapping[str, float]] = {
    # Two labels of the release mean that something is missing: they share a grade.
    "support": {"Missing": 0.0, "Incomplete": 1.0, "Partial": 1.0, "Complete": 2.0},
    "informativeness": {"Uninformative": 0.0, "Not too important": 1.0, "A bit relevant": 2.0, "Very relevant": 3.0},
    "worthiness": {"No": 0.0, "Yes": 1.0},
    "correctness": {
        "Definitely incorrect": 0.0,
        "Likely incorrect": 1.0,
        "Unsure": 2.0,
        "Probably correct": 3.0,
        "Definitely correct": 4.0,
    },
    "reliability": {"Missing": 0.0, "Not reliable at all": 1.0, "Somewhat reliable": 2.0, "Reliable": 3.0},
}
_OPEN = ("N/A", "", None)


@dataclass(frozen=True)
class ExpertQa:
    """Lines, or a list, of `{"question", "annotator_id", "answers": {system: {"answer_string", "usefulness", …}}}`.

    `usefulness` is of the whole answer; `support`, `informativeness`, `worthiness`, `correctness` and `reliability`
    are of its claims, each with the evidence that the claim came with.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "expertqa", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    asked = text(row["question"])
    question, rater = Question(question_id(asked), asked), text(row["annotator_id"])
    domain = text(fields(row.get("metadata", {})).get("field", ""))
    for system, answer in fields(row["answers"]).items():
        whole = Rating(
            id=f"{question.id}-{system}-{rater}",
            question=question,
            answer=text(answer["answer_string"]),
            value=answer["usefulness"],
            grade=None if answer["usefulness"] in _OPEN else grade_of(answer["usefulness"], _USEFUL),
            system=system,
            criterion="usefulness",
            rater=rater,
            domain=domain,
        )
        if answer["usefulness"] not in _OPEN:
            yield whole
        for number, claim in enumerate(items(answer["claims"]), start=1):
            yield from _of_claim(whole, fields(claim), number)


def _of_claim(whole: Rating, claim: Mapping[str, Any], number: int) -> Iterator[Rating]:
    id = f"{whole.id}-{number}"
    evidence = tuple(Passage(f"{id}-{place}", said) for place, said in enumerate(texts(claim["evidence"]), start=1))
    for criterion, grades in _OF_CLAIMS.items():
        if claim.get(criterion) not in _OPEN:
            yield replace(
                whole,
                id=f"{id}-{criterion}",
                # A claim is judged by its own evidence; the answer's other sources would make support look easier than
                # it was.
                question=replace(whole.question, evidence=evidence),
                answer=text(claim["claim_string"]),
                value=claim[criterion],
                grade=grade_of(claim[criterion], grades),
                criterion=criterion,
                meta={"place": number},
            )
