"""LFQA-E's sample: two answers of people or models, compared with the help of a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, text
from expound.datasets.preferences import choice_of, read_judged
from expound.types import Preference, Question

_AGAINST = "_vs_"
_SYSTEMS = {"student_answer": "human", "model_answer": "model"}


@dataclass(frozen=True)
class LfqaE:
    """Lines, or a list, of `{"id", "question", "Concise_Reference", X, Y, "X_vs_Y": the better one}`.

    X and Y are `student_answer_a` or `_b` (a person's) and `model_answer_a` or `_b`.
    """

    path: Path

    def __iter__(self) -> Iterator[Preference]:
        return read_judged(self.path, "lfqa-e", _preferences)


def _preferences(row: Mapping[str, Any]) -> Iterator[Preference]:
    compared = [name for name in row if _AGAINST in name]
    # Told by the name of such a field: "no choices" would not say what was looked for.
    if not compared:
        raise KeyError("student_answer_a_vs_student_answer_b")
    question = Question(identifier(row["id"]), text(row["question"]), (text(row["Concise_Reference"]),))
    for name in compared:
        first, _, second = name.partition(_AGAINST)
        yield Preference(
            id=f"{question.id}-{name}",
            question=question,
            a=text(row[first]),
            b=text(row[second]),
            choice=choice_of(row[name], {first: "a", second: "b", "tie": "tie"}),
            a_system=_system(first),
            b_system=_system(second),
        )


def _system(name: str) -> str:
    kind, _, letter = name.rpartition("_")
    if kind not in _SYSTEMS:
        # Refused and not guessed: a baseline asks who is a person, and a wrong guess would make it look wise.
        raise ValueError(f"unknown answer {name!r:.40}; expected student_answer_… or model_answer_…")
    return f"{_SYSTEMS[kind]}-{letter}"
