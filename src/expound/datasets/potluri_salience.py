"""Core sentences of long answers (Potluri et al. 2023): would this sentence stand in a short answer?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, items, side_by_side, text, texts
from expound.datasets.preferences import grade_of, name_writer, read_judged
from expound.records import question_id
from expound.types import Question, Rating

_RATERS = ("1", "2", "3")


@dataclass(frozen=True)
class PotluriSalience:
    """Lines, or a list, of `{"q_id", "a_id", "question", "dataset", "answer_sentences", "is_summary_1" … "_3"}`.

    What is rated is a sentence: whether a rater put it into the summary. Raters are unnamed, `rater` tells them apart.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "potluri-salience", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    dataset = text(row["dataset"])
    id, answer = f"{dataset}-{identifier(row['q_id'])}", identifier(row["a_id"])
    # Without the dataset, unlike a rating's id: two of them may hold answers to the same question.
    asked = text(row["question"])
    question = Question(question_id(asked), asked)
    # By rater and then by sentence, so that one rater's view of an answer stands together in the file.
    for rater in _RATERS:
        chosen = side_by_side(texts(row["answer_sentences"]), items(row[f"is_summary_{rater}"]))
        for number, (sentence, is_core) in enumerate(chosen, start=1):
            yield Rating(
                id=f"{id}-{answer}-{number}-{rater}",
                question=question,
                answer=sentence,
                value=is_core,
                grade=grade_of(is_core, {False: 0.0, True: 1.0}),
                system=name_writer(dataset, answer),
                criterion="core answer",
                rater=rater,
                domain=dataset,
                # With the answer: two of one writer may say the same sentence at the same place.
                meta={"place": f"{answer}-{number}"},
            )
