"""Shortened long answers (Potluri et al. 2023): fluent, adequate, and still saying the same?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import text
from expound.datasets.preferences import grade_of, read_judged
from expound.records import question_id
from expound.types import Question, Rating

_CRITERIA = {
    "adequacy": "Summary Adequacy",
    "fluency": "Summary Fluent",
    "meaning": "Meaning Preservation",
    "long answer adequacy": "Long Answer Adequacy",
}
_GRADES = {"No": 0.0, "Partially": 1.0, "Yes": 2.0}
_OF_LONG_ANSWER = "long answer adequacy"


@dataclass(frozen=True)
class PotluriSummary:
    """Lines, or a list, of `{"Worker ID", "Summary Type", "Question", "Summary", "Answer", "Summary Fluent", …}`.

    Three raters a summary. The long answer is the reference of a summary, and is rated too, by a criterion of its own.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "potluri-summary", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    asked, kind, rater = text(row["Question"]), text(row["Summary Type"]), text(row["Worker ID"])
    long = text(row["Answer"])
    id = question_id(asked)
    for criterion, name in _CRITERIA.items():
        is_long = criterion == _OF_LONG_ANSWER
        yield Rating(
            # With the long answer: a question has several of them, each with summaries of its own.
            id=f"{id}-{question_id(long)}-{kind}-{rater}-{criterion}",
            question=Question(id, asked, () if is_long else (long,)),
            answer=long if is_long else text(row["Summary"]),
            value=row[name],
            grade=grade_of(row[name], _GRADES),
            # Raters of each kind of summary judged the long answer anew.
            system=f"{kind}: long answer" if is_long else kind,
            criterion=criterion,
            rater=rater,
            comment=text(row.get("Comments") or ""),
            # Two long answers to one question may be shortened to the same words.
            meta={"place": question_id(long)},
        )
