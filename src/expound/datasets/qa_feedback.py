"""QA-Feedback (Wu et al. 2023): four model answers to an ASQA question, compared two by two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from expound.datasets.fields import items, side_by_side, text, texts
from expound.datasets.preferences import choice_of, read_judged
from expound.records import question_id
from expound.types import Passage, Preference, Question

_PAIRS = tuple(combinations((1, 2, 3, 4), 2))
_CHOICES = {0: "tie", 1: "a", 2: "b"}


@dataclass(frozen=True)
class QaFeedback:
    """Lines, or a list, of `{"question", "passages", "gold", "prediction 1" … "4", "preference": [6 numbers]}`.

    The six preferences of a record are those of the pairs (1,2), (1,3), (1,4), (2,3), (2,4), (3,4): 0 is a tie, 1 the
    first answer, 2 the second. Pairs with answer 1 keep its error spans in `meta["feedback"]`.
    """

    path: Path

    def __iter__(self) -> Iterator[Preference]:
        return read_judged(self.path, "qa-feedback", _preferences)


def _preferences(row: Mapping[str, Any]) -> Iterator[Preference]:
    question = _question(row)
    answers = {number: text(row[f"prediction {number}"]) for number in (1, 2, 3, 4)}
    for (first, second), value in side_by_side(_PAIRS, items(row["preference"])):
        yield Preference(
            id=f"{question.id}-{first}-{second}",
            question=question,
            a=answers[first],
            b=answers[second],
            choice=choice_of(value, _CHOICES),
            a_system=f"prediction-{first}",
            b_system=f"prediction-{second}",
            # Error spans were marked in the first answer alone; a pair without it has none to show.
            meta={"feedback": row["feedback"]} if first == 1 and "feedback" in row else {},
        )


def _question(row: Mapping[str, Any]) -> Question:
    """The question with its reference and its passages: each a list of the title and the sentences."""
    asked = text(row["question"])
    id = question_id(asked)
    return Question(
        id=id,
        text=asked,
        references=(text(row["gold"]),),
        evidence=tuple(
            # The release puts the title in front of the sentences, in the same list.
            Passage(f"{id}-{number}", " ".join(texts(passage)[1:]), texts(passage)[0])
            for number, passage in enumerate(items(row.get("passages", [])), start=1)
        ),
    )
