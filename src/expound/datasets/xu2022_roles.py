"""Functional roles of the sentences of long answers (Xu et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, items, side_by_side, text, texts
from expound.datasets.preferences import name_writer, read_judged
from expound.records import question_id
from expound.types import Question, Rating


@dataclass(frozen=True)
class Xu2022Roles:
    """Lines, or a list, of `{"q_id", "a_id", "question", "dataset", "answer_sentences", "raw_role_annotation"}`.

    What is rated is a sentence: a role has no place on a scale, so there is no grade. Three unnamed raters.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "xu2022-roles", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    dataset = text(row["dataset"])
    id, answer = f"{dataset}-{identifier(row['q_id'])}", identifier(row["a_id"])
    # Without the dataset, unlike a rating's id: two of them may hold answers to the same question.
    asked = text(row["question"])
    question = Question(question_id(asked), asked)
    labelled = side_by_side(texts(row["answer_sentences"]), items(row["raw_role_annotation"]))
    for number, (sentence, roles) in enumerate(labelled, start=1):
        for rater, role in enumerate(texts(roles), start=1):
            yield Rating(
                id=f"{id}-{answer}-{number}-{rater}",
                question=question,
                answer=sentence,
                value=role,
                system=name_writer(dataset, answer),
                criterion="role",
                rater=str(rater),
                domain=dataset,
                # With the answer: two of one writer may say the same sentence at the same place.
                meta={"place": f"{answer}-{number}"},
            )
