"""Expert preferences of Xu et al. 2023: domain experts choose one of two answers to an ELI5 question and say why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, text
from expound.datasets.preferences import choice_of, read_judged
from expound.records import question_id
from expound.types import Preference, Question

# Both occur in the file, for the same line break.
_BREAK = re.compile(r"<br />|<newline>")
_LABEL = re.compile(r"H([HM])([HhM])((?:\[-?\d+\])*)")
# The third letter says what answer1 is; the other answer follows from it and from what was compared.
_SYSTEMS = {
    "HH": ("human", "human-fewer-upvotes"),
    "Hh": ("human-fewer-upvotes", "human"),
    "MH": ("human", "model"),
    "MM": ("model", "human"),
}


@dataclass(frozen=True)
class Xu2023:
    """Lines of `{"question_text", "answer1", "answer2", "answer1_label", "BetterAnswer", …}`, gzip or not.

    An expert in a domain is one rater, as in the paper's count of 13. `meta` has `is_difficult`, `upvotes` and
    `seconds`. The id of a question is made of its text: `q_id` is the same for several questions of the file.
    """

    path: Path

    def __iter__(self) -> Iterator[Preference]:
        return read_judged(self.path, "xu2023", _preferences)


def _preferences(row: Mapping[str, Any]) -> Iterator[Preference]:
    question, rater = _plain(row["question_text"]), text(row["annotator_file"])
    a_system, b_system, upvotes = _systems(text(row["answer1_label"]))
    yield Preference(
        id=f"{rater}-{identifier(row['id'])}",
        question=Question(question_id(question), question),
        a=_plain(row["answer1"]),
        b=_plain(row["answer2"]),
        choice=choice_of(row["BetterAnswer"], {"Answer A": "a", "Answer B": "b"}),
        a_system=a_system,
        b_system=b_system,
        rater=rater,
        domain=text(row["domain"]),
        comment=_plain(row.get("comments") or ""),
        meta={
            "is_difficult": text(row.get("DifficultToChoose") or "").startswith("Yes"),
            "upvotes": upvotes,
            "seconds": row.get("lead_time"),
        },
    )


def _systems(label: str) -> tuple[str, str, list[int]]:
    """Who wrote the two answers, and the upvotes that the label gives: `HMM[8]` is a model against a person with 8."""
    match = _LABEL.fullmatch(label)
    if not match or match[1] + match[2] not in _SYSTEMS:
        raise ValueError(f"unknown answer1_label {label!r}")
    return *_SYSTEMS[match[1] + match[2]], [int(number) for number in re.findall(r"-?\d+", match[3])]


def _plain(value: object) -> str:
    return _BREAK.sub("\n", text(value))
