"""Valid long answers (Xu et al. 2022): is this an answer to the question, and why not?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, items, text, texts
from expound.datasets.preferences import name_writer, read_judged
from expound.records import question_id
from expound.types import Question, Rating


@dataclass(frozen=True)
class Xu2022Validity:
    """Lines, or a list, of `{"q_id", "a_id", "question", "dataset", "answer_paragraph", "invalid_reason": [3 lists]}`.

    A rater who gave no reason against the answer found it valid; `comment` has the reasons.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "xu2022-validity", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    dataset = text(row["dataset"])
    id, answer = f"{dataset}-{identifier(row['q_id'])}", identifier(row["a_id"])
    # Without the dataset, unlike a rating's id: people of ELI5 and models of `ELI5_MODEL` answer the same questions.
    asked = text(row["question"])
    question = Question(question_id(asked), asked)
    for rater, given in enumerate(items(row["invalid_reason"]), start=1):
        # The release has an empty text where a rater had nothing to say against the answer.
        reasons = [reason for reason in texts(given) if reason]
        yield Rating(
            id=f"{id}-{answer}-{rater}",
            question=question,
            answer=text(row["answer_paragraph"]).strip(),
            value=not reasons,
            grade=float(not reasons),
            system=name_writer(dataset, answer),
            criterion="validity",
            rater=str(rater),
            domain=dataset,
            comment=", ".join(reasons),
            meta={"place": answer},
        )
